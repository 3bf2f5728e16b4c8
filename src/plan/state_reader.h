/* Reading a state file, shared by the files of this folder. */
#ifndef LC_PLAN_STATE_READER_H
#define LC_PLAN_STATE_READER_H

#include "lifecheck/plan/state.h"

typedef struct lc_state_reader {
    lc_state_file *out;
    lc_arena *arena;
} lc_state_reader;

lc_loc lc_state_loc(const lc_state_reader *r, const lc_node *node);

/* Remember that something is odd; `at` is where. */
void lc_state_odd(lc_state_reader *r, lc_state_fault fault, lc_str address, lc_str text,
                  const lc_node *at);
/* What was remembered last stops both cores, with these words. */
void lc_state_refuse(lc_state_reader *r, const char *summary, lc_str detail);

/* Members; null is as good as absent, as in both cores. One of another kind is odd, and absent. */
const lc_node *lc_state_member(lc_state_reader *r, const lc_node *mapping, const char *key,
                               lc_node_kind kind, lc_str address);
lc_str lc_state_text(lc_state_reader *r, const lc_node *mapping, const char *key, lc_str address);
int64_t lc_state_whole(lc_state_reader *r, const lc_node *mapping, const char *key, lc_str address);

/* One object of the resource that was pushed last. */
void lc_state_read_object(lc_state_reader *r, const lc_node *node);

#endif

/* Statements about moves. */
#ifndef LC_PREDICT_MOVES_INTERNAL_H
#define LC_PREDICT_MOVES_INTERNAL_H

#include "predict/internal.h"

typedef enum lc_move_endpoint_kind {
    END_CALL,
    END_MODULE,
    END_RESOURCE,
    END_INSTANCE
} lc_move_endpoint_kind;

/* One end of a statement, seen from the root. The first `declared` steps are those of the module
 * that holds the statement, in any of its instances. */
typedef struct lc_move_endpoint {
    lc_move_endpoint_kind kind;
    size_t declared;
    lc_address address; /* with the steps of the declaring module, without keys */
    lc_str config;      /* without keys */
} lc_move_endpoint;

typedef struct lc_move_statement {
    lc_move_endpoint from, to;
    const lc_config_moved *block; /* NULL: implied */
    lc_source_pos place;
    lc_id_list after; /* statements that run first */
} lc_move_statement;

typedef struct lc_move_endpoint_list {
    LC_VEC(const lc_move_endpoint *) list;
} lc_move_endpoint_list;

typedef struct lc_moves {
    LC_VEC(lc_move_statement) list;
    uint32_t *order;
    bool cyclic;
} lc_moves;

void lc_predict_moves_read(lc_moves *out, lc_predictor *r);
/* The order in which they run. */
void lc_predict_moves_order(lc_predictor *r, lc_moves *m);
/* The address that `address` has after it; modules too. False: the statement is not about it. */
bool lc_predict_move_destination(lc_address *out, lc_arena *arena, const lc_move_statement *s,
                                 const lc_address *address);

#endif

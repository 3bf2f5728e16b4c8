/* What the cores compute on their own: requests from what the user wrote, and the action that
 * follows from a plan. */
#ifndef LC_CONTRACT_WALK_REQUEST_H
#define LC_CONTRACT_WALK_REQUEST_H

#include "lifecheck/contract/contract.h"

/* Does ignore_changes of the run name the place, or something that contains it? */
bool lc_is_ignored(const lc_run *run, lc_path path);

/* How a core's filter (4.9) treats one path of requires_replace. */
typedef enum lc_replace_state {
    /* The values differ, or the attribute is write-only: the path requires a replace. */
    LC_REPLACE_KEPT,
    /* The values are equal: the path is ignored. */
    LC_REPLACE_UNCHANGED,
    /* The path does not exist in the prior or in the planned state: the cores stop with an error.
     */
    LC_REPLACE_INVALID,
} lc_replace_state;
/* `prior` and `planned` are not NULL; `arena` is for intermediate values. */
lc_replace_state lc_replace_path_state(lc_arena *arena, lc_core core, const lc_block *block,
                                       const lc_value *prior, const lc_value *planned,
                                       lc_path path);

/* The action that a core decides on after one plan response (4.10). `prior` NULL or null: there is
 * no object. `paths` are those that the core's filter has kept. */
lc_action lc_decide_action(lc_core core, const lc_run *run, const lc_value *prior,
                           const lc_value *planned, const lc_replace_paths *paths);

#endif

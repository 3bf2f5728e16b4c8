/* What the cores send, computed from what the user wrote, and the action that follows. */
#ifndef LC_CONTRACT_WALK_REQUEST_H
#define LC_CONTRACT_WALK_REQUEST_H

#include "lifecheck/contract.h"

/* Does ignore_changes of the run name the place, or something that holds it? */
bool lc_is_ignored(const lc_run *run, lc_path path);
/* Terraform's PrepareComputedBlocks (4.4): empty computed block collections become null. */
const lc_value *lc_prepare_computed_blocks(lc_arena *arena, const lc_block *block,
                                           const lc_value *config);

typedef enum lc_replace_state {
    LC_REPLACE_KEPT,
    LC_REPLACE_UNCHANGED,
    LC_REPLACE_INVALID,
} lc_replace_state;
lc_replace_state lc_replace_path_state(lc_arena *arena, lc_core core, const lc_block *block,
                                       const lc_value *prior, const lc_value *planned,
                                       lc_path path);

/* The action decision (4.10) for one plan response. `prior` NULL or null: none. */
lc_action lc_decide_action(lc_core core, const lc_run *run, const lc_value *prior,
                           const lc_value *planned, const lc_replace_paths *paths);

#endif

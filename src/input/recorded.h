/* Plans, states and options under `planning` in a scenario. */
#ifndef LC_INPUT_RECORDED_H
#define LC_INPUT_RECORDED_H

#include "evidence.h"
#include "lifecheck/recorded.h"

/* Is the key one of those that lc_recorded_read reads? */
bool lc_recorded_has_key(lc_str key);
/* Their names, for messages about others. */
const lc_str *lc_recorded_keys(size_t *count);
/* Reads plan, plan_file, state, state_file, next_state, next_state_file, schemas, operation, mode,
 * replace, target, exclude and refresh of the mapping; the others are passed over. A `state` that
 * is no state of version 4 (it has no member `version`) is as well. False: reported. */
bool lc_recorded_read(lc_recorded *out, lc_arena *arena, lc_schema_store *store,
                      const lc_source *source, const lc_node *mapping, lc_diags *diags);
/* ... and judged by itself. */
const lc_planning *lc_recorded_planning(lc_arena *arena, const lc_recorded *facts);
void lc_recorded_use_schemas(lc_recorded *facts, lc_arena *arena, lc_schemas *schemas);

#endif

/* Plans, states and options under `planning` in a scenario. */
#ifndef LC_INPUT_RECORDED_H
#define LC_INPUT_RECORDED_H

#include "evidence.h"
#include "lifecheck/recorded.h"

/* Reads what lc_recorded_keys name (format.h); others are passed over. A `state` that
 * is no state of version 4 (it has no member `version`) is as well. False: reported. */
bool lc_recorded_read(lc_recorded *out, lc_arena *arena, lc_schema_store *store,
                      const lc_source *source, const lc_node *mapping, lc_diags *diags);
/* ... and judged by itself. */
const lc_planning *lc_recorded_planning(lc_arena *arena, const lc_recorded *facts);
void lc_recorded_use_schemas(lc_recorded *facts, lc_arena *arena, lc_schemas *schemas);

#endif

/* Answers to the lifecycle lines of the vectors. */
#ifndef LC_S_VECTORS_LIFECYCLE_H
#define LC_S_VECTORS_LIFECYCLE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* Append `"ot":{...},"tf":{...}` (and the marked answers) for plan_valid, compatible, proposed_new,
 * planned_data and normalize_legacy. False: another function. */
bool vectors_lifecycle_answer(lc_buf *out, lc_arena *arena, const lc_source *source,
                              const lc_node *line, lc_str fn);

#endif

/* Comparing what clients made of expressions, files and type constraints. */
#ifndef LC_S_VECTORS_COMPARE_RESULTS_H
#define LC_S_VECTORS_COMPARE_RESULTS_H

#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

/* True for a line of such a recording. */
bool vectors_is_result(const lc_node *line);
/* Are both the same but for strings of details, warnings, and the order of places? `got` may be
 * NULL. */
bool vectors_same_result(lc_arena *arena, const lc_node *want, const lc_node *got);

#endif

/* Answers to recorded type constraints: what variables make of values. */
#ifndef LC_S_VECTORS_CONSTRAINTS_H
#define LC_S_VECTORS_CONSTRAINTS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* Append `,"ot":...,"tf":...` for a parsed line with `text` and `values`. */
void vectors_constraint_answer(lc_buf *out, lc_arena *arena, const lc_node *line);

#endif

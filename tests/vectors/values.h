/* Answers to the value lines of the vectors: fn decode, equality and includes. */
#ifndef LC_S_VECTORS_VALUES_H
#define LC_S_VECTORS_VALUES_H

#include "lifecheck/base/buf.h"
#include "lifecheck/value/type.h"
#include "lifecheck/yaml_json/node.h"

/* Append `"result":{...}`, without a comma before it, for a parsed line. */
void vectors_value_answer(lc_buf *out, lc_arena *arena, const lc_node *line, lc_str fn);
/* Type JSON given as nodes. False: it is not a type. */
bool vectors_type(const lc_type **out, lc_arena *arena, const lc_node *node);

#endif

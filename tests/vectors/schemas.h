/* Answers to the schema lines of the vectors: fn schema_validate and implied_type. */
#ifndef LC_S_VECTORS_SCHEMAS_H
#define LC_S_VECTORS_SCHEMAS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* Append `"ot":{...},"tf":{...}`, without a comma before it, for a parsed line. */
void vectors_schema_answer(lc_buf *out, lc_arena *arena, const lc_node *line, lc_str fn);

#endif

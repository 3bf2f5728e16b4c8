/* Answers to recorded files in JSON syntax: what a client takes from a file, field by field. */
#ifndef LC_S_VECTORS_JSON_FILES_H
#define LC_S_VECTORS_JSON_FILES_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* Append `,"ot":...,"tf":...` for a parsed line with the `text` of a file. */
void vectors_json_file_answer(lc_buf *out, lc_arena *arena, const lc_node *line);

#endif

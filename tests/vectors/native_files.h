/* Answers to recorded files in native syntax: arguments, blocks and their places. */
#ifndef LC_S_VECTORS_NATIVE_FILES_H
#define LC_S_VECTORS_NATIVE_FILES_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* Append `,"ot":...,"tf":...` for a parsed line with the `text` or `text_base64` of a file. */
void vectors_native_file_answer(lc_buf *out, lc_arena *arena, const lc_node *line);

#endif

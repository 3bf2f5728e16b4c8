/* Values with unknown places and marks in the form of the recorded expressions. */
#ifndef LC_S_VECTORS_MARKED_H
#define LC_S_VECTORS_MARKED_H

#include "lifecheck/base/buf.h"
#include "lifecheck/configuration/expression.h"

/* False: the node is not a value of that form. */
bool vectors_marked_read(lc_marked *out, lc_arena *arena, const lc_node *node);
/* Appends `"type":...,"value":...` and, unless empty, `"unknown":[...]` and `"marks":[...]`: the
 * members of the object without its braces. */
void vectors_marked_write(lc_buf *out, lc_marked v);

#endif

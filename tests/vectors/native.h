/* The few recorded files in native syntax, in the shape of JSON syntax. */
#ifndef LC_S_VECTORS_NATIVE_H
#define LC_S_VECTORS_NATIVE_H

#include "lifecheck/node.h"
#include "lifecheck/table.h"

/* Blocks and arguments of `text` as nodes that stand at `node`. NULL: beyond what is read here. */
const lc_node *vectors_native(lc_arena *arena, lc_str text, const lc_node *node);

#endif

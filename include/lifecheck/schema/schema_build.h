/* Builds schemas from other sources than schema documents, such as CloudFormation types and
 * recorded RPCs. Module schema.
 *
 * The caller fills in what is declared: names, types, flags, nesting modes. These functions fill in
 * what follows from that: implied types, slots, order by name, flags that hold for whole blocks.
 * Everything is in the caller's arena and has its lifetime. There are no errors: the caller has
 * checked what it declares. */
#ifndef LIFECHECK_SCHEMA_SCHEMA_BUILD_H
#define LIFECHECK_SCHEMA_SCHEMA_BUILD_H

#include "lifecheck/schema/schema.h"

/* A finished block without attributes and block types. */
const lc_block *lc_schema_empty_block(lc_arena *arena);
/* Call these from the inside out: attributes before the nested type or block that holds them,
 * nested blocks before the outer block. The arrays of attributes and block types become part of the
 * schema and may be reordered; the counts are in `nested` and `block` already. */
void lc_schema_finish_attribute(lc_attribute *a);
void lc_schema_finish_nested(lc_arena *arena, lc_nested_type *nested, lc_attribute *attributes);
void lc_schema_finish_block_type(lc_arena *arena, lc_block_type *type);
void lc_schema_finish_block(lc_arena *arena, lc_block *block, lc_attribute *attributes,
                            lc_block_type *blocks);

#endif

/* Schemas that are made of something else than a schema document. Module schema.
 *
 * The maker fills in what is declared (names, types, flags, nesting modes); these fill in what
 * follows from it: implied types, slots, indexes by name, flags of whole blocks. Everything is in
 * the maker's arena and lives as long as it. No errors: the maker has checked what it declares. */
#ifndef LIFECHECK_SCHEMA_BUILD_H
#define LIFECHECK_SCHEMA_BUILD_H

#include "lifecheck/schema.h"

const lc_block *lc_schema_empty_block(lc_arena *arena);
/* From the inside out: attributes before what holds them, nested blocks before the block. The
 * arrays of attributes and block types are taken over. */
void lc_schema_finish_attribute(lc_attribute *a);
void lc_schema_finish_nested(lc_arena *arena, lc_nested_type *nested, lc_attribute *attributes);
void lc_schema_finish_block_type(lc_arena *arena, lc_block_type *type);
void lc_schema_finish_block(lc_arena *arena, lc_block *block, lc_attribute *attributes,
                            lc_block_type *blocks);

#endif

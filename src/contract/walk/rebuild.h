/* Values again, with other elements or as another shape wants them. */
#ifndef LC_CONTRACT_WALK_REBUILD_H
#define LC_CONTRACT_WALK_REBUILD_H

#include "lifecheck/schema.h"
#include "lifecheck/value.h"

/* A container of `like`'s kind, size and keys with `elems` (taken over), of the type `want` or what
 * the elements make of it. NULL: the elements have different types, on which the cores crash. */
const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems);
/* What `v` is to someone who takes the attributes of a nested object or block by name, in the order
 * of the schema: `v` itself (a null as well) or a copy without what else it has, below dynamic with
 * types of its own. NULL: it is no object, lacks a name, or holds something else where nested
 * objects or blocks are wanted; the cores panic when they come there. */
const lc_value *lc_as_nested(lc_arena *arena, const lc_value *v, const lc_nested_type *t);
const lc_value *lc_as_block(lc_arena *arena, const lc_value *v, const lc_block *s);
/* Is a known value a collection of that nesting mode, or an object for a single one? */
bool lc_is_collection_for(lc_nesting nesting, const lc_value *v);

#endif

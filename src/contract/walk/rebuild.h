/* Values made anew: with other elements, or as an object of a schema's attributes. */
#ifndef LC_CONTRACT_WALK_REBUILD_H
#define LC_CONTRACT_WALK_REBUILD_H

#include "lifecheck/schema/schema.h"
#include "lifecheck/value/value.h"

/* A container of `like`'s kind, size and keys with `elems`. The container takes `elems` over, so
 * they have to be in `arena`. `want` is its type if the type is fixed by the schema, or else a type
 * that follows from the elements. NULL: the elements of a collection have different types, on which
 * the cores crash. */
const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems);
/* `v` as the cores see it, which take the attributes of a nested object or block by name: with
 * exactly the schema's names in the schema's order. The result is `v` itself (also a null one), or
 * a copy in `arena` without the other names; below dynamic its attributes keep their own types.
 * NULL: `v` is not an object, does not have a name, or holds something else where nested objects or
 * blocks are required; the cores panic when they get there. */
const lc_value *lc_as_nested(lc_arena *arena, const lc_value *v, const lc_nested_type *t);
const lc_value *lc_as_block(lc_arena *arena, const lc_value *v, const lc_block *s);
/* Is a known value a collection of that nesting mode, or an object for a single one? */
bool lc_is_collection_for(lc_nesting nesting, const lc_value *v);

#endif

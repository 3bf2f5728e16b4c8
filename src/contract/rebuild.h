/* Values again, with other elements or as another shape wants them. */
#ifndef LC_CONTRACT_REBUILD_H
#define LC_CONTRACT_REBUILD_H

#include "lifecheck/value.h"

/* A container of `like`'s kind, size and keys with `elems` (taken over), of the type `want` or what
 * the elements make of it. NULL: the elements have different types, on which the cores crash. */
const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems);
/* What `v` is to someone who asks for the attributes of the object type `shape` by name, in its
 * order: `v` itself (a null as well) or a copy without what else it has, below dynamic with types
 * of its own. NULL: it is no object or lacks one of them; the cores crash when they ask. */
const lc_value *lc_by_name(lc_arena *arena, const lc_value *v, const lc_type *shape);

#endif

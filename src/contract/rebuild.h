/* A container again, with other elements. */
#ifndef LC_CONTRACT_REBUILD_H
#define LC_CONTRACT_REBUILD_H

#include "lifecheck/value.h"

/* A container of `like`'s kind, size and keys with `elems` (taken over), of the type `want` or what
 * the elements make of it. NULL: the elements have different types, on which the cores crash. */
const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems);

#endif

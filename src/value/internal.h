/* Shared inside the value module only. */
#ifndef LC_VALUE_INTERNAL_H
#define LC_VALUE_INTERNAL_H

#include "lifecheck/value.h"

/* A known container with these elements, flags computed. */
void lc_value_fill(lc_value *slot, const lc_type *type, const lc_value *elems, const lc_str *keys,
                   size_t count);
/* The collection type that `elems` make of `want`; untyped elements get the others' type. NULL: the
 * elements have different types. */
const lc_type *lc_value_unify_elements(lc_arena *arena, const lc_type *want, lc_value *elems,
                                       size_t count);

#endif

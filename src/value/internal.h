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

/* Are the types equal, or is there a conversion? Safe ones cannot fail for any value. */
bool lc_type_convertible(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe);
/* The same of a tuple's items or an object's attributes. */
const lc_type *lc_type_unify_parts(lc_arena *arena, const lc_type *structure, bool unsafe);
/* `out`, dynamic parts replaced by what a value of type `in` has there. `in` may be NULL. */
const lc_type *lc_type_fill_dynamic(lc_arena *arena, const lc_type *in, const lc_type *out);

#endif

/* For the module value alone. Types and values that are returned live in `arena`. */
#ifndef LC_VALUE_INTERNAL_H
#define LC_VALUE_INTERNAL_H

#include "lifecheck/value/value.h"

/* Makes a known container of these elements and computes its flags. Elements and keys are borrowed,
 * in their final order; `keys` is NULL except for maps. */
void lc_value_fill(lc_value *slot, const lc_type *type, const lc_value *elems, const lc_str *keys,
                   size_t count);
/* The type of a collection `want` with these elements: `want`, or where that has dynamic the
 * elements' own type. Elements of type dynamic (null, unknown) are given the type of the others.
 * NULL: the elements have different types. */
const lc_type *lc_value_unify_elements(lc_arena *arena, const lc_type *want, lc_value *elems,
                                       size_t count);

/* Are the types equal, or does convert.Convert have a conversion? Unsafe conversions, which fail
 * for some values, count only with `unsafe`. */
bool lc_type_convertible(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe);
/* lc_type_unify of a tuple's items or an object's attributes. */
const lc_type *lc_type_unify_parts(lc_arena *arena, const lc_type *structure, bool unsafe);
/* The type `out` with its dynamic parts replaced by what type `in` has there; convert's
 * dynamicReplace. `in` may be NULL: then `out` stays. */
const lc_type *lc_type_fill_dynamic(lc_arena *arena, const lc_type *in, const lc_type *out);

#endif

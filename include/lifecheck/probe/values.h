/* Values that are made of nothing but a name and a type, which providers accept as far as names
 * show what they want. Module probe. */
#ifndef LIFECHECK_PROBE_VALUES_H
#define LIFECHECK_PROBE_VALUES_H

#include "lifecheck/value/value.h"

/* The text of a value that a configuration sets, for an attribute of this name in lower case and
 * this primitive type; "": no row of the table fits. */
lc_str lc_named_text(lc_str name, lc_type_kind kind);
/* The same for a string that a provider computes; few names have a row. */
lc_str lc_computed_text(lc_str name);
/* The container with other values instead of its own, which become part of it; a map keeps its
 * keys. NULL: it cannot be. */
const lc_value *lc_with_values(lc_arena *arena, const lc_value *container, lc_value *values);

#endif

/* Default values of optional attributes, shared by the files that read and apply them. */
#ifndef LC_CONFIGURATION_VARIABLES_DEFAULTS_H
#define LC_CONFIGURATION_VARIABLES_DEFAULTS_H

#include "lifecheck/configuration/constraint.h"

/* The defaults within a type. They exist only where there are any at all. */
struct lc_type_defaults {
    const lc_type *type;
    /* Of an object: the default of each attribute, or NULL, in the order of the type's attributes.
     * NULL: no attribute has one. */
    const lc_value *const *values;
    /* Of an object or tuple: the defaults within each part, or NULL; of a collection one entry, for
     * all elements. NULL: no defaults. */
    const lc_type_defaults *const *children;
};

#endif

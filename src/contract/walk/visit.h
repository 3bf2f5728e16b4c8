/* Visiting every attribute of an object together with its schema. */
#ifndef LC_CONTRACT_WALK_VISIT_H
#define LC_CONTRACT_WALK_VISIT_H

#include "contract/walk/walk.h"

/* The callbacks of a visit. `context` is the caller's; values and trails passed to callbacks are
 * borrowed, and trails are valid during the callback only. */
typedef struct lc_visit lc_visit;
struct lc_visit {
    void *context;
    /* Called for each attribute of known objects, in blocks and nested attributes too. False: the
     * nested attributes inside are not visited. Never NULL. */
    bool (*attribute)(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                      const lc_trail *at);
    /* Called for null elements of nested collections; NULL: not needed. */
    void (*null_element)(lc_visit *visit, const lc_nested_type *t, const lc_value *v,
                         const lc_trail *at);
};

/* Is the place a write-only attribute, or inside one? */
bool lc_path_is_write_only(const lc_block *block, lc_path path);
/* Visit an object of `block`; nothing happens if it is null or unknown, or has another shape. */
void lc_visit_object(lc_visit *visit, const lc_block *block, const lc_value *object);
/* Call `each` for the null elements of nested collections that have a sensitive attribute inside.
 * The cores crash on them when they look for sensitive values. */
void lc_each_null_secret_holder(const lc_block *block, const lc_value *object,
                                void (*each)(void *context, const lc_trail *at), void *context);

#endif

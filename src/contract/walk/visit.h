/* Every attribute of an object, by its schema. */
#ifndef LC_CONTRACT_WALK_VISIT_H
#define LC_CONTRACT_WALK_VISIT_H

#include "contract/walk/walk.h"

typedef struct lc_visit lc_visit;
struct lc_visit {
    void *context;
    /* Each attribute of known objects, in blocks and nested attributes too. False: its nested
     * attributes are not visited. */
    bool (*attribute)(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                      const lc_trail *at);
    /* Null elements of nested collections, or NULL. */
    void (*null_element)(lc_visit *visit, const lc_nested_type *t, const lc_value *v,
                         const lc_trail *at);
};

/* Is the place a write-only attribute, or inside of one? */
bool lc_path_is_write_only(const lc_block *block, lc_path path);
void lc_visit_object(lc_visit *visit, const lc_block *block, const lc_value *object);
/* Null elements of nested collections that have a sensitive attribute inside: the cores crash
 * looking for it. */
void lc_each_null_secret_holder(const lc_block *block, const lc_value *object,
                                void (*each)(void *context, const lc_trail *at), void *context);

#endif

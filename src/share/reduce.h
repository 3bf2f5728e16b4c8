/* Making a scenario smaller for as long as something still holds of it. */
#ifndef LC_SHARE_REDUCE_H
#define LC_SHARE_REDUCE_H

#include "share/document.h"

typedef struct lc_reducer {
    lc_arena *arena;
    lc_mutable *root;
    /* Does it still hold? When time is up the answer is no, and nothing changes any more. */
    bool (*holds)(void *context, const lc_mutable *root);
    void *context;
} lc_reducer;

typedef LC_VEC(lc_mutable *) lc_mutable_list;
typedef LC_VEC(lc_mutable_list) lc_mutable_groups;

/* Greedily: runs, calls and circumstances, attributes and blocks, elements, texts, until nothing
 * more can go. */
void lc_reduce(lc_reducer *r);

/* ---- Inside. */

/* Is the member an object of the schema, or a stored one? */
bool lc_is_object_key(lc_str key);
/* All such members below the tree. */
void lc_find_objects(lc_arena *arena, lc_mutable_list *out, lc_mutable *tree);
/* Take out as many of the groups as possible; each goes as a whole. */
bool lc_remove_some(lc_reducer *r, const lc_mutable_groups *groups);
/* One run instead of a list, call groups instead of `calls`, short keys instead of groups. */
bool lc_reduce_forms(lc_reducer *r);
/* Attributes and blocks, from the schemas and from all objects. */
bool lc_reduce_schema(lc_reducer *r);

#endif

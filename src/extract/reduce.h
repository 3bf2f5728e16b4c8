/* Making a scenario smaller for as long as a property of it holds. */
#ifndef LC_EXTRACT_REDUCE_H
#define LC_EXTRACT_REDUCE_H

#include "extract/mutable.h"

typedef struct lc_reducer {
    lc_arena *arena;
    lc_mutable *root;
    /* Does the property still hold? After the time limit the answer is always no, so that nothing
     * changes any more. */
    bool (*holds)(void *context, const lc_mutable *root);
    void *context;
    bool as_asked; /* configurations, and what prior states have of them, stay as they are */
} lc_reducer;

typedef LC_VEC(lc_mutable *) lc_mutable_list;
typedef LC_VEC(lc_mutable_list) lc_mutable_groups;

/* Removes parts greedily, in this order: runs, calls and circumstances, attributes and blocks,
 * elements, strings; repeats this until nothing more can be removed. */
void lc_reduce(lc_reducer *r);

/* ---- Steps, for the files that implement them. True: something was removed. */

/* Adds all objects below `tree` to `out`. */
void lc_find_objects(lc_arena *arena, lc_mutable_list *out, lc_mutable *tree);
/* Removes as many of the groups as possible; a group is removed as a whole. */
bool lc_remove_some(lc_reducer *r, const lc_mutable_groups *groups);
/* Uses shorter spellings: one run instead of `runs`, call groups instead of `calls`, short keys. */
bool lc_reduce_forms(lc_reducer *r);
/* Removes attributes and blocks from the schemas and from all objects together. */
bool lc_reduce_schema(lc_reducer *r);

#endif

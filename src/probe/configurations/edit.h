/* Places in a configuration as positions, and configurations with one place changed. */
#ifndef LC_PROBE_EDIT_H
#define LC_PROBE_EDIT_H

#include "lifecheck/probe/values.h"
#include "lifecheck/schema/schema.h"

/* Positions from the root: slots of objects, indices of elements. They stay valid in a copy with
 * the same elements; those below a set only until one of its elements changes. */
typedef struct lc_spot {
    const uint32_t *steps;
    size_t count;
} lc_spot;

/* NULL: there is no such place, because a container on the way is null, unknown or too short. */
const lc_value *lc_spot_get(const lc_value *root, lc_spot spot);
/* The object with another value there. NULL: there is no such place, or the value does not fit. */
const lc_value *lc_spot_set(lc_arena *arena, const lc_value *root, lc_spot spot,
                            const lc_value *value);
/* The object without the element at this place. NULL: the place does not exist, or is not an
 * element of a collection. */
const lc_value *lc_spot_remove(lc_arena *arena, const lc_value *root, lc_spot spot);
/* The collection with another number of elements: repeated, or left out. NULL: it cannot be. */
const lc_value *lc_with_elements(lc_arena *arena, const lc_value *collection, const lc_value *one,
                                 size_t count);
/* The same value with the elements of sets and maps in the opposite order, in which they are sent.
 * It is good for nothing but a request: everything else needs them sorted. */
const lc_value *lc_respelt(lc_arena *arena, const lc_value *v);
lc_spot lc_spot_below(lc_arena *arena, lc_spot spot, uint32_t step);

/* A place that a configuration can set. */
typedef struct lc_leaf {
    lc_spot spot;
    const lc_attribute *attribute; /* whose value, or in whose value it is; NULL: blocks */
    const lc_block_type *block;    /* all blocks of this type; NULL: an attribute */
    const lc_value *value;
    lc_str name;  /* without indices: ".rule.port" */
    bool element; /* of a plain collection */
    bool in_set;  /* below a set */
} lc_leaf;
typedef LC_VEC(lc_leaf) lc_leaves;

#define LC_MOST_LEAVES 2000
/* All places that are set (not null), outer ones first, in the schema's order. Beyond
 * LC_MOST_LEAVES they are left out. */
void lc_find_leaves(lc_leaves *out, lc_arena *arena, const lc_block *block, const lc_value *config);
/* How many values a configuration sets: attributes that are not null; of collections each element.
 */
size_t lc_count_leaves(const lc_value *value);
/* The configuration with every configurable value unknown; blocks stay. */
const lc_value *lc_all_unknown(lc_arena *arena, const lc_block *block, const lc_value *config);

#endif

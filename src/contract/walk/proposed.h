/* What the two files of the proposed new state share. */
#ifndef LC_CONTRACT_WALK_PROPOSED_H
#define LC_CONTRACT_WALK_PROPOSED_H

#include "lifecheck/contract.h"

typedef struct lc_proposer {
    lc_arena *arena;
    lc_core core;
} lc_proposer;

/* What the elements of a collection are: blocks, or objects of a nested attribute. */
typedef struct lc_element_kind {
    lc_nesting nesting;
    const lc_block *block;        /* or NULL */
    const lc_nested_type *nested; /* or NULL */
    const lc_type *object;
    const lc_type *collection;
} lc_element_kind;

/* ProposedNew of a block: NULL where the core crashes. */
const lc_value *lc_merge_element(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                                 const lc_value *c);
/* The elements of a configured set, each merged with the prior element that it correlates with. */
bool lc_merge_set_elements(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                           const lc_value *c, lc_value *out);

#endif

/* What the two files of the proposed new state share: proposed.c walks objects, proposed_set.c
 * correlates the elements of sets. Results are in the proposer's arena, or borrowed from `p` or
 * `c`. */
#ifndef LC_CONTRACT_WALK_PROPOSED_H
#define LC_CONTRACT_WALK_PROPOSED_H

#include "lifecheck/contract/contract.h"

/* One computation of ProposedNew, for one core. */
typedef struct lc_proposer {
    lc_arena *arena;
    lc_core core; /* whose behaviour where they differ */
} lc_proposer;

/* What the elements of a collection are: blocks, or objects of a nested attribute. `object` is the
 * schema's type of an element, `collection` that of the whole. */
typedef struct lc_element_kind {
    lc_nesting nesting;
    const lc_block *block;        /* or NULL */
    const lc_nested_type *nested; /* or NULL */
    const lc_type *object;
    const lc_type *collection;
} lc_element_kind;

/* ProposedNew of one element from a prior and a configured one; NULL where the core crashes. */
const lc_value *lc_merge_element(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                                 const lc_value *c);
/* Fill `out`, of c->count elements, with the elements of the configured set, each merged with the
 * prior element that it correlates with. `c` is known. False: the core crashes. */
bool lc_merge_set_elements(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                           const lc_value *c, lc_value *out);

#endif

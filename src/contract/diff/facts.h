/* What facts.c and set_facts.c share. */
#ifndef LC_CONTRACT_DIFF_FACTS_H
#define LC_CONTRACT_DIFF_FACTS_H

#include "contract/diff/value_diff.h"
#include "contract/judge.h"

/* What two sets have in common beside equal elements. */
typedef struct lc_near {
    unsigned diff_facts;                /* LC_DIFF_FACT_SET_* */
    lc_difference_kind difference_kind; /* of every part that differs, or LC_UNLIKE */
    lc_str where;                       /* these parts, ".port, .name" */
} lc_near;

/* Pair the elements of both sets that have no equal. `path` leads to the sets;
 * `configured`: what is promised is the configuration, where null leaves computed parts open.
 * Bounded: of large sets a part is looked at. */
lc_near lc_compare_sets(const lc_judge *j, lc_path path, bool configured, const lc_value *promised,
                        const lc_value *broken);

#endif

/* What facts.c and set_facts.c share: how two sets differ. */
#ifndef LC_CONTRACT_DIFF_FACTS_H
#define LC_CONTRACT_DIFF_FACTS_H

#include "contract/diff/value_diff.h"
#include "contract/judge.h"

/* How the elements without an equal of two sets are related. */
typedef struct lc_near {
    unsigned diff_facts;                /* LC_DIFF_FACT_SET_* */
    lc_difference_kind difference_kind; /* kind of every part that differs, if it is one */
    lc_str where;                       /* names of these parts, ".port, .name" */
} lc_near;

/* Pair the elements of both sets that have no equal on the other side. `path` leads to the sets,
 * which are known. `configured`: the required set is the configuration, where null leaves computed
 * parts open. Of large sets only a limited number of elements is compared. Strings are in the
 * judge's scratch arena. */
lc_near lc_compare_sets(const lc_judge *j, lc_path path, bool configured, const lc_value *promised,
                        const lc_value *broken);

#endif

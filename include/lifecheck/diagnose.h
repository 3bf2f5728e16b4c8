/* Why a promise was broken and what to change. Module diagnose. Pure: a finding in, an explanation
 * out. A diagnosis is advice; it never changes a verdict. */
#ifndef LIFECHECK_DIAGNOSE_H
#define LIFECHECK_DIAGNOSE_H

#include "lifecheck/contract.h"

/* One row of the table of diagnoses (diagnose/diagnoses.def). All texts are constants. */
typedef struct lc_diagnosis_info {
    lc_str name; /* "json-equal" */
    bool exact;  /* the values prove it; else it is likely */
    lc_str why, fix_framework, fix_sdkv2;
    lc_str looks_at; /* what it is concluded from */
} lc_diagnosis_info;

size_t lc_diagnosis_count(void);
const lc_diagnosis_info *lc_diagnosis_get(size_t index); /* below the count */
const lc_diagnosis_info *lc_diagnosis_find(lc_str name); /* NULL: there is none */
/* The name that `word` may be a slip of, or "". */
lc_str lc_diagnosis_nearest(lc_str word);

/* Fill in the diagnosis of a finding, if one is known: the most specific one. Texts are constants
 * or live in `arena`. */
void lc_diagnose(lc_arena *arena, lc_finding *finding);

#endif

/* Why a violation occurred and what to change. Module diagnose. Pure: a finding in, an explanation
 * out. A diagnosis is advice; it never changes a verdict. */
#ifndef LIFECHECK_DIAGNOSE_DIAGNOSE_H
#define LIFECHECK_DIAGNOSE_DIAGNOSE_H

#include "lifecheck/contract/contract.h"

/* One row of the table of diagnoses (diagnose/diagnoses.def). All strings are constants. */
typedef struct lc_diagnosis_info {
    lc_str name; /* "json-equal" */
    bool exact;  /* the values prove it; otherwise it is the likely cause */
    lc_str why, fix_framework, fix_sdkv2;
    lc_str looks_at; /* what it is concluded from, for the documentation */
} lc_diagnosis_info;

/* The table: its size, a row by index and by name, and for a misspelt word the most similar name,
 * or "". */
size_t lc_diagnosis_count(void);
const lc_diagnosis_info *lc_diagnosis_get(size_t index); /* index is below the count */
const lc_diagnosis_info *lc_diagnosis_find(lc_str name); /* NULL: no such name */
lc_str lc_diagnosis_nearest(lc_str word);

/* Sets finding->diagnosis to the most specific diagnosis that fits, or to an empty one. Its strings
 * are constants or live in `arena`. */
void lc_diagnose(lc_arena *arena, lc_finding *finding);

#endif

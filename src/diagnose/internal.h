/* What catalogue.c and choose.c share. */
#ifndef LC_DIAGNOSE_INTERNAL_H
#define LC_DIAGNOSE_INTERNAL_H

#include "lifecheck/diagnose/diagnose.h"

/* The rows of diagnoses.def, in their order; indices for lc_diagnosis_get. */
typedef enum lc_diagnosis_row {
#define LC_DIAGNOSIS(id, name, exact, why, framework, sdkv2, looks_at) DIAGNOSIS_##id,
#include "diagnose/diagnoses.def"
#undef LC_DIAGNOSIS
    DIAGNOSIS_NONE,
} lc_diagnosis_row;

#endif

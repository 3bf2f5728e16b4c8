/* The table of diagnoses, made of diagnoses.def. */
#include "diagnose/internal.h"

static const lc_diagnosis_info diagnoses[] = {
#define LC_DIAGNOSIS(id, name, exact, why, framework, sdkv2, looks_at)                             \
    {{name, sizeof name - 1},   exact,                                                             \
     {why, sizeof why - 1},     {framework, sizeof framework - 1},                                 \
     {sdkv2, sizeof sdkv2 - 1}, {looks_at, sizeof looks_at - 1}},
#include "diagnose/diagnoses.def"
#undef LC_DIAGNOSIS
};

size_t lc_diagnosis_count(void)
{
    return sizeof diagnoses / sizeof *diagnoses;
}

const lc_diagnosis_info *lc_diagnosis_get(size_t index)
{
    return &diagnoses[index];
}

const lc_diagnosis_info *lc_diagnosis_find(lc_str name)
{
    for (size_t i = 0; i < lc_diagnosis_count(); i++) {
        if (lc_str_eq(diagnoses[i].name, name))
            return &diagnoses[i];
    }
    return NULL;
}

/* For messages about a misspelt diagnosis in a scenario. */
lc_str lc_diagnosis_nearest(lc_str word)
{
    lc_str names[sizeof diagnoses / sizeof *diagnoses];
    for (size_t i = 0; i < lc_diagnosis_count(); i++)
        names[i] = diagnoses[i].name;
    return lc_str_nearest(word, names, lc_diagnosis_count());
}

/* Sensitivity: a property of the case, from schema flags and explicitly named places. */
#ifndef LC_CONTRACT_SENSITIVITY_H
#define LC_CONTRACT_SENSITIVITY_H

#include "lifecheck/contract.h"

typedef struct lc_sensitivity lc_sensitivity;

/* Where a walk stands, as far as secrets are concerned. By value. */
typedef struct lc_sensitivity_mark {
    const lc_block *block;        /* attributes to come are these, */
    const lc_nested_type *nested; /* or these, or of no schema */
    const lc_path_node *marks;    /* explicit marks at or below; NULL: none */
    bool secret;                  /* at or below a secret */
    bool keyed;                   /* a map of blocks: the next step is a key, even if it is an
                                     object whose attributes are the keys */
    bool loose;                   /* in a value that has its type with it: what attributes are
                                     called is data */
} lc_sensitivity_mark;

/* Write-only values are as secret as sensitive ones. `paths` are explicit marks. */
const lc_sensitivity *lc_sensitivity_new(lc_arena *arena, const lc_schema *schema,
                                         const lc_path *paths, size_t count);
lc_sensitivity_mark lc_sensitivity_root(const lc_sensitivity *sensitivity);
lc_sensitivity_mark lc_sensitivity_step(lc_sensitivity_mark place, const lc_step *step);
lc_sensitivity_mark lc_sensitivity_at(const lc_sensitivity *sensitivity, lc_path path);
/* Is there a secret here, above or anywhere below? */
bool lc_sensitivity_touched(lc_sensitivity_mark place);

/* The one way from a value to something that may be shown. */
lc_redacted_text lc_show(lc_arena *arena, lc_sensitivity_mark place, const lc_value *value,
                         const lc_type *want);
/* In place of a value that is too big: what it is. */
void lc_show_elided(lc_buf *out, lc_str what);
/* A path with the keys below a secret hidden: text form and steps as JSON. Returns how many steps
 * stand from the first hidden attribute on, 0 if there is none. */
size_t lc_show_path(lc_buf *text, lc_buf *steps, const lc_sensitivity *sensitivity, lc_path path);

#endif

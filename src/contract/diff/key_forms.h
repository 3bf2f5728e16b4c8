/* Keys that differ in form alone. Private to the module contract. */
#ifndef LC_CONTRACT_DIFF_KEY_FORMS_H
#define LC_CONTRACT_DIFF_KEY_FORMS_H

#include "lifecheck/contract/contract.h"

/* Which key of one map or object is which of another, though it is written in another form: letter
 * case, surrounding white space, Unicode compatibility form. Only keys that the other side does not
 * have are paired, one to one. Values are borrowed, arrays live in the arena. */
typedef struct lc_key_forms {
    const lc_value *promised, *broken;
    size_t *now;         /* by index in `promised`: the key in `broken`, or LC_NO_INDEX */
    size_t *was;         /* by index in `broken`: the key in `promised`, or LC_NO_INDEX */
    size_t lost, gained; /* keys that the other side does not have */
    size_t paired;
} lc_key_forms;

/* False: one of the two is not a known map or object, or no keys are paired; then the arrays are
 * not set. */
bool lc_pair_keys(lc_key_forms *out, lc_arena *arena, const lc_value *promised,
                  const lc_value *broken);
/* Append one pair: both keys, quoted, and that the value is another one as well. */
void lc_key_form_add(lc_buf *out, const lc_key_forms *forms, size_t promised);
/* How two maps differ whose keys are all paired; LC_UNLIKE if some are not. *where: the pairs, in
 * `arena`; may be NULL. */
lc_difference_kind lc_compare_keys(lc_arena *arena, const lc_value *promised,
                                   const lc_value *broken, lc_str *where);

#endif

/* The representation of big numbers, for the number files only. */
#ifndef LC_VALUE_NUMBER_INTERNAL_H
#define LC_VALUE_NUMBER_INTERNAL_H

#include "lifecheck/number.h"

#include <gmp.h>

struct lc_bignum {
    bool inf;
    bool negative;
    uint16_t precision;
    int64_t exp;
    size_t count; /* limbs; 0: negative zero */
    const mp_limb_t *limbs;
};

/* Any number as sign, mantissa and exponent. Borrowed: `mant` must not be changed or cleared, and
 * the view must not be moved. */
typedef struct lc_num_view {
    bool inf;
    bool negative;
    uint16_t precision;
    int64_t exp;
    mp_limb_t limb;
    mpz_t mant;
} lc_num_view;

void lc_num_view_of(lc_num_view *view, const lc_num *n);

#endif

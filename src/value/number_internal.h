/* The representation of big numbers, shared by number.c, number_text.c and copy.c. */
#ifndef LC_VALUE_NUMBER_INTERNAL_H
#define LC_VALUE_NUMBER_INTERNAL_H

#include "lifecheck/number.h"

#include <gmp.h>

/* The value is mantissa * 2^exp with the sign; the mantissa is odd. Limbs are least significant
 * first, as in GMP. */
struct lc_bignum {
    bool inf;
    bool negative;
    uint16_t precision;
    int64_t exp;
    size_t count; /* number of limbs; 0: negative zero (or an infinity) */
    const mp_limb_t *limbs;
};

/* A small or big number as sign, mantissa and exponent, for GMP. `mant` borrows its limbs: it must
 * not be changed or cleared, and the view must not be moved, because a small number's mantissa is
 * in `limb`. */
typedef struct lc_num_view {
    bool inf;
    bool negative;
    uint16_t precision;
    int64_t exp;
    mp_limb_t limb;
    mpz_t mant;
} lc_num_view;

/* Fills a view of *n, which must live as long as the view. */
void lc_num_view_of(lc_num_view *view, const lc_num *n);

#endif

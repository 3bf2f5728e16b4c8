/* The representation of big numbers, shared by number.c, number_text.c and copy.c. */
#ifndef LC_VALUE_NUMBER_INTERNAL_H
#define LC_VALUE_NUMBER_INTERNAL_H

#include "lifecheck/value/number.h"

#include <gmp.h>

#define LC_TEXT_PRECISION   512
#define LC_INT_PRECISION    64
#define LC_DOUBLE_PRECISION 53

/* The value is mantissa * 2^exp with the sign; the mantissa is odd. Limbs are least significant
 * first, as in GMP. An inline number points to a constant with `is_inline`, which holds only its
 * precision, or (precision of decimal text) to nothing. */
struct lc_bignum {
    bool is_inline;
    bool inf;
    bool negative;
    uint16_t precision;
    /* Of a fraction from a short text: its digits, without zeros at the end, and how many of them
     * are behind the point. They are its shortest text. Else `digits` is 0. */
    uint8_t places;
    uint64_t digits;
    int64_t exp;
    size_t count; /* number of limbs; 0: negative zero (or an infinity) */
    const mp_limb_t *limbs;
};

/* 5^27 is the last power of five, 10^19 the last of ten, that has 64 bits. */
#define LC_SHORT_PLACES 27
#define LC_SHORT_DIGITS 19

/* Limbs of 64 bits: GMP's own may have 32. */
#define LC_WORD_LIMBS ((64 + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS)

/* A small or big number as sign, mantissa and exponent, for GMP. `mant` borrows its limbs: it must
 * not be changed or cleared, and the view must not be moved, because a small number's mantissa is
 * in `limbs`. */
typedef struct lc_num_view {
    bool inf;
    bool negative;
    uint16_t precision;
    int64_t exp;
    mp_limb_t limbs[LC_WORD_LIMBS];
    mpz_t mant;
} lc_num_view;

/* Fills a view of *n, which must live as long as the view. */
void lc_num_view_of(lc_num_view *view, const lc_num *n);
/* Is the number inline, n.small? */
static inline bool lc_num_is_inline(lc_num n)
{
    return !n.big || n.big->is_inline;
}

/* Rounds `mant` to `bits`, half to even. Changes mant and exp. */
void lc_num_round_bits(mpz_t mant, int64_t *exp, size_t bits);
/* The number mant * 2^exp, rounded to `precision`. `mant` is changed. A whole number that fits is
 * kept inline, unless its precision could matter for its text. */
lc_num lc_num_make(lc_arena *arena, bool negative, mpz_t mant, int64_t exp, uint16_t precision);
lc_num lc_num_make_inf(lc_arena *arena, bool negative, uint16_t precision);

#endif

/* Numbers as cty keeps them: sign, binary mantissa, binary exponent and precision. Module value.
 *
 * The precision (512 bits from decimal text, 64 from integers on the wire, 53 from floats) decides
 * the shortest decimal text, hence equality of fractions and the text of large whole numbers
 * (values-and-wire 2.3 to 2.6). Whole numbers of the int64 range whose text does not depend on the
 * precision are kept inline. */
#ifndef LIFECHECK_NUMBER_H
#define LIFECHECK_NUMBER_H

#include "lifecheck/buf.h"
#include "lifecheck/str.h"

typedef struct lc_bignum lc_bignum; /* immutable, in an arena */

/* By value. `big` NULL: the whole number `small` (never negative zero). */
typedef struct lc_num {
    int64_t small;
    const lc_bignum *big;
} lc_num;

#define LC_NUM(n) ((lc_num){(n), NULL})

lc_num lc_num_from_int(int64_t n);
lc_num lc_num_from_uint(lc_arena *arena, uint64_t n);
/* False for NaN. Infinities and negative zero are numbers. Precision 53. */
bool lc_num_from_double(lc_num *out, lc_arena *arena, double d);

typedef enum lc_num_parse {
    LC_NUM_OK,
    LC_NUM_BAD,      /* not a number by the grammar of values-and-wire 2.4 */
    LC_NUM_OVERFLOW, /* exponent beyond what core accepts */
    LC_NUM_TOO_LONG, /* core takes it, but it or its positional text has over `max_digits` digits */
} lc_num_parse;
/* ParseNumber of values-and-wire 2.4: 512 bits, round to nearest even, whole string, bit for bit as
 * big.Float does it. Far exponents: 1e999999999 is +Inf, 1e-999999999 is 0, 1e99999999999 is
 * LC_NUM_OVERFLOW, and what core holds as a finite number that is too long to be written out, such
 * as 1e400000000, is LC_NUM_TOO_LONG. Any zero whose exponent has 64 bits is a zero. */
lc_num_parse lc_num_from_text(lc_num *out, lc_arena *arena, lc_str text, size_t max_digits);

bool lc_num_is_inf(lc_num n);
/* -1, 0, 1; both zeros give 0. */
int lc_num_sign(lc_num n);
bool lc_num_is_negative_zero(lc_num n);
bool lc_num_is_whole(lc_num n); /* false for infinities */
/* Exactly representable as int64. */
bool lc_num_to_int64(lc_num n, int64_t *out);
/* Exactly representable as float64 (infinities too). */
bool lc_num_to_double(lc_num n, double *out);
/* The nearest float64, half to even; infinite where that is out of range. */
double lc_num_nearest_double(lc_num n);

/* Exact order by value, infinities at the ends. */
int lc_num_cmp(lc_num a, lc_num b);
/* rawNumberEqual of values-and-wire 2.6: whole numbers by value, others by text. */
bool lc_num_equal(lc_num a, lc_num b);
/* Equal numbers have equal hashes. */
uint64_t lc_num_hash(lc_num n);

/* Text('f', -1) of values-and-wire 2.5: positional, shortest digits at the number's precision,
 * "-0",
 * "+Inf", "-Inf". The digits are bounded by the `max_digits` that the number was read with, or one
 * more if rounding carries into a new one. */
void lc_num_add_text(lc_buf *buf, lc_num n);
/* Go's %g of a big.Float, the rule of contract-algorithms 4.0: the same digits, in exponent form
 * (1e+06, 1.5e-07) if the decimal exponent is below -4 or not below 6, whole numbers too. */
void lc_num_add_go(lc_buf *buf, lc_num n);
/* big.Float.String(), as the set hash uses it: ten significant digits of the exact value, half to
 * even, the text of C's %.10g but for "+Inf". */
void lc_num_add_hash_text(lc_buf *buf, lc_num n);

#endif

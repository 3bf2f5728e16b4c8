/* Numbers as cty keeps them (math/big.Float): sign, binary mantissa, binary exponent and precision.
 * Module value.
 *
 * The precision is 512 bits for decimal text, 64 for integers and 53 for floats on the wire. It
 * decides the shortest decimal text, hence the equality of fractions and the text of large whole
 * numbers (values-and-wire 2.3 to 2.6). Whole numbers in the range of int64 whose text does not
 * depend on the precision are stored inline. */
#ifndef LIFECHECK_VALUE_NUMBER_H
#define LIFECHECK_VALUE_NUMBER_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/str.h"

typedef struct lc_bignum lc_bignum; /* immutable; lives in an arena */

/* Passed by value; valid as long as the arena of `big`. If `big` is NULL, it is the whole number
 * `small` (never negative zero) with the precision of decimal text; only src/value reads it. */
typedef struct lc_num {
    int64_t small;
    const lc_bignum *big;
} lc_num;

#define LC_NUM(n) ((lc_num){(n), NULL})

/* From an integer. An arena is needed only for numbers that cannot be inline. */
lc_num lc_num_from_int(int64_t n);
lc_num lc_num_from_uint(lc_arena *arena, uint64_t n);
/* From a double, with precision 53. False for NaN; infinities and negative zero are numbers. */
bool lc_num_from_double(lc_num *out, lc_arena *arena, double d);

/* What became of a string that should be a number. */
typedef enum lc_num_parse {
    LC_NUM_OK,
    LC_NUM_BAD,      /* does not match the grammar of */
    LC_NUM_OVERFLOW, /* exponent beyond what core accepts */
    LC_NUM_TOO_LONG, /* accepted by core, but it or its positional text */
} lc_num_parse;
/* ParseNumber of values-and-wire 2.4: the whole string, with 512 bits, rounded to nearest even,
 * with the same bits as big.Float. Extreme exponents: 1e999999999 is +Inf, 1e-999999999 is 0,
 * 1e99999999999 is LC_NUM_OVERFLOW. A number that core holds as finite but that would be too long
 * to print, such as 1e400000000, is LC_NUM_TOO_LONG. A zero with any 64-bit exponent is zero. */
lc_num_parse lc_num_from_text(lc_num *out, lc_arena *arena, lc_str text, size_t max_digits);

/* The whole number that `digits` of base 2 to 62 give, perhaps with a sign, as Go's big.Int and
 * big.Float read them: letters of both cases are digits alike, above base 36 small ones come first.
 * LC_NUM_TOO_LONG: more than LC_MAX_DIGITS digits. */
lc_num_parse lc_num_from_digits(lc_num *out, lc_arena *arena, lc_str digits, unsigned base);

/* Either infinity. */
bool lc_num_is_inf(lc_num n);
/* -1, 0, 1; both zeros give 0. */
int lc_num_sign(lc_num n);
bool lc_num_is_negative_zero(lc_num n);
bool lc_num_is_whole(lc_num n); /* false for infinities */
/* True, and *out is set, if the number is exactly an int64. */
bool lc_num_to_int64(lc_num n, int64_t *out);
/* True, and *out is set, if the number is exactly a float64 (infinities too). */
bool lc_num_to_double(lc_num n, double *out);
/* The nearest float64, half to even; infinite if it is out of range. */
double lc_num_nearest_double(lc_num n);

/* ---- Arithmetic, as cty computes with big.Float: results have the larger precision of both
 * operands. A product has more if it needs more, but at most 512 bits. */

/* What became of arithmetic. */
typedef enum lc_num_outcome {
    LC_NUM_GOOD,
    LC_NUM_NAN,  /* no number: Inf - Inf, 0 * Inf, 0 / 0, Inf / Inf, a remainder of Inf */
    LC_NUM_HUGE, /* more than LC_MAX_DIGITS digits: refused by lifecheck alone */
} lc_num_outcome;

/* LC_NUM_NAN: infinities that cancel each other, or an infinity times zero. */
lc_num_outcome lc_num_add(lc_num *out, lc_arena *arena, lc_num a, lc_num b);
lc_num_outcome lc_num_subtract(lc_num *out, lc_arena *arena, lc_num a, lc_num b);
lc_num_outcome lc_num_multiply(lc_num *out, lc_arena *arena, lc_num a, lc_num b);
/* A number that is not zero divided by zero is an infinity. */
lc_num_outcome lc_num_divide(lc_num *out, lc_arena *arena, lc_num a, lc_num b);
/* The remainder with the sign of `a`; that by zero is `a`. */
lc_num_outcome lc_num_modulo(lc_num *out, lc_arena *arena, lc_num a, lc_num b);
lc_num lc_num_negate(lc_arena *arena, lc_num n);
/* The whole part of a finite number, with the precision of another one. */
lc_num lc_num_truncate(lc_arena *arena, lc_num n, lc_num precision_of);

/* Exact order by value, infinities at the ends. */
int lc_num_cmp(lc_num a, lc_num b);
/* rawNumberEqual of values-and-wire 2.6: whole numbers by value, others by text. */
bool lc_num_equal(lc_num a, lc_num b);
/* Equal numbers have equal hashes. */
uint64_t lc_num_hash(lc_num n);

/* Text('f', -1) of values-and-wire 2.5: positional, with the shortest digits that identify the
 * number at its precision; "-0", "+Inf", "-Inf". The number of digits is bounded by the
 * `max_digits` with which the number was read, plus one if rounding carries. */
void lc_num_add_text(lc_buf *buf, lc_num n);
/* Go's %g of a big.Float, the rule of contract-algorithms 4.0: the same digits, in exponent form
 * (1e+06, 1.5e-07) if the decimal exponent is below -4 or not below 6, whole numbers too. */
void lc_num_add_go(lc_buf *buf, lc_num n);
/* The magnitude, without sign, as big.Float.Text writes it with the format e, E, f, g or G and the
 * precision (e, f: digits after the point; g: significant digits, or -1: the shortest that identify
 * the number). An infinity is "Inf". False: that would take too many digits. */
#define LC_MAX_FLOAT_DIGITS 1000000
bool lc_num_add_float(lc_buf *buf, lc_num n, char format, int64_t precision);
/* The magnitude of a whole number in the base 2, 8, 10 or 16, with small letters. False: it is not
 * a whole number, or too large. */
bool lc_num_add_whole(lc_buf *buf, lc_num n, int base);
/* big.Float.String(), as the set hash uses it: ten significant digits of the exact value, half to
 * even, the text of C's %.10g but for "+Inf". */
void lc_num_add_hash_text(lc_buf *buf, lc_num n);

#endif

/* Arithmetic of numbers, bit for bit as cty does it with Go's big.Float: exact results, rounded to
 * nearest even at the larger precision of both operands. */
#include "value/number_internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"

/* Results beyond 2^MAX_POWER or with bits below 2^-MAX_POWER are refused: their strings would have
 * more digits than a number may be written with. Operands are never larger, so sums of exponents
 * cannot overflow. */
#define MAX_POWER ((int64_t)LC_MAX_DIGITS * 4)

static uint16_t larger_precision(const lc_num_view *a, const lc_num_view *b)
{
    return a->precision > b->precision ? a->precision : b->precision;
}

static bool is_zero(const lc_num_view *v)
{
    return !v->inf && mpz_sgn(v->mant) == 0;
}

static lc_num zero(lc_arena *arena, bool negative, uint16_t precision)
{
    mpz_t none;
    mpz_init(none);
    lc_num out = lc_num_make(arena, negative, none, 0, precision);
    mpz_clear(none);
    return out;
}

/* The number at another precision, with the given sign. */
static lc_num with_sign(lc_arena *arena, const lc_num_view *v, bool negative, uint16_t precision)
{
    if (v->inf)
        return lc_num_make_inf(arena, negative, precision);
    mpz_t mant;
    mpz_init_set(mant, v->mant);
    lc_num out = lc_num_make(arena, negative, mant, v->exp, precision);
    mpz_clear(mant);
    return out;
}

static lc_num_outcome finish(lc_num *out, lc_arena *arena, bool negative, mpz_t mant, int64_t exp,
                             uint16_t precision)
{
    int64_t top = exp + (int64_t)mpz_sizeinbase(mant, 2);
    if (mpz_sgn(mant) != 0 && (top > MAX_POWER || exp < -MAX_POWER - LC_TEXT_PRECISION))
        return LC_NUM_HUGE;
    *out = lc_num_make(arena, negative, mant, exp, precision);
    return LC_NUM_GOOD;
}

/* ---- Sums. */

/* sum = a + b as signed whole numbers of 2^*exp. */
static void add_exactly(mpz_t sum, int64_t *exp, const lc_num_view *a, const lc_num_view *b)
{
    const lc_num_view *high = a->exp >= b->exp ? a : b, *low = high == a ? b : a;
    mpz_mul_2exp(sum, high->mant, (mp_bitcnt_t)(high->exp - low->exp));
    if (high->negative)
        mpz_neg(sum, sum);
    if (low->negative)
        mpz_sub(sum, sum, low->mant);
    else
        mpz_add(sum, sum, low->mant);
    *exp = low->exp;
}

/* Two zeros give negative zero only if both are; a difference of equal numbers is positive. */
static lc_num_outcome add_views(lc_num *out, lc_arena *arena, const lc_num_view *a,
                                const lc_num_view *b, uint16_t precision)
{
    if (a->inf && b->inf && a->negative != b->negative)
        return LC_NUM_NAN;
    if (is_zero(a) && is_zero(b)) {
        *out = zero(arena, a->negative && b->negative, precision);
        return LC_NUM_GOOD;
    }
    if (a->inf || b->inf || is_zero(a) || is_zero(b)) {
        const lc_num_view *rest = a->inf || is_zero(b) ? a : b;
        *out = with_sign(arena, rest, rest->negative, precision);
        return LC_NUM_GOOD;
    }
    mpz_t sum;
    int64_t exp;
    mpz_init(sum);
    add_exactly(sum, &exp, a, b);
    bool negative = mpz_sgn(sum) < 0;
    mpz_abs(sum, sum);
    lc_num_outcome outcome = finish(out, arena, negative, sum, exp, precision);
    mpz_clear(sum);
    return outcome;
}

/* Small whole numbers of one precision, which are nearly all, do not need GMP. */
static bool add_inline(lc_num *out, lc_num a, lc_num b)
{
    if (!lc_num_is_inline(a) || a.big != b.big || (a.big && a.big->precision < LC_INT_PRECISION))
        return false;
    *out = a;
    return !__builtin_add_overflow(a.small, b.small, &out->small);
}

lc_num_outcome lc_num_add(lc_num *out, lc_arena *arena, lc_num a, lc_num b)
{
    if (add_inline(out, a, b))
        return LC_NUM_GOOD;
    lc_num_view x, y;
    lc_num_view_of(&x, &a);
    lc_num_view_of(&y, &b);
    return add_views(out, arena, &x, &y, larger_precision(&x, &y));
}

lc_num lc_num_negate(lc_arena *arena, lc_num n)
{
    if (lc_num_is_inline(n) && n.small != 0 && n.small != INT64_MIN)
        return (lc_num){-n.small, n.big};
    lc_num_view v;
    lc_num_view_of(&v, &n);
    return with_sign(arena, &v, !v.negative, v.precision);
}

/* As cty: the sum with the negated number. */
lc_num_outcome lc_num_subtract(lc_num *out, lc_arena *arena, lc_num a, lc_num b)
{
    return lc_num_add(out, arena, a, lc_num_negate(arena, b));
}

/* ---- Products. */

/* cty multiplies with 512 bits, and then takes as many as the product needs, at least those of the
 * more precise factor. */
static lc_num_outcome product(lc_num *out, lc_arena *arena, const lc_num_view *a,
                              const lc_num_view *b)
{
    mpz_t mant;
    mpz_init(mant);
    mpz_mul(mant, a->mant, b->mant);
    int64_t exp = a->exp + b->exp;
    size_t bits = mpz_sizeinbase(mant, 2) - mpz_scan1(mant, 0);
    uint16_t precision = larger_precision(a, b);
    if (bits > LC_TEXT_PRECISION) {
        lc_num_round_bits(mant, &exp, LC_TEXT_PRECISION);
        bits = mpz_sizeinbase(mant, 2) - mpz_scan1(mant, 0);
    }
    if (bits > precision)
        precision = (uint16_t)bits;
    lc_num_outcome outcome = finish(out, arena, a->negative != b->negative, mant, exp, precision);
    mpz_clear(mant);
    return outcome;
}

static lc_num_outcome multiply_views(lc_num *out, lc_arena *arena, const lc_num_view *a,
                                     const lc_num_view *b)
{
    bool negative = a->negative != b->negative;
    if (!a->inf && !b->inf && !is_zero(a) && !is_zero(b))
        return product(out, arena, a, b);
    if ((a->inf && is_zero(b)) || (b->inf && is_zero(a)))
        return LC_NUM_NAN;
    uint16_t precision = larger_precision(a, b);
    *out = a->inf || b->inf ? lc_num_make_inf(arena, negative, precision)
                            : zero(arena, negative, precision);
    return LC_NUM_GOOD;
}

lc_num_outcome lc_num_multiply(lc_num *out, lc_arena *arena, lc_num a, lc_num b)
{
    lc_num_view x, y;
    lc_num_view_of(&x, &a);
    lc_num_view_of(&y, &b);
    return multiply_views(out, arena, &x, &y);
}

/* ---- Quotients. */

/* mant = a / b with more bits than the precision, and a last bit that represents the remainder, so
 * that it is rounded correctly. Returns the exponent. */
static int64_t quotient(mpz_t mant, const lc_num_view *a, const lc_num_view *b, size_t precision)
{
    size_t want = mpz_sizeinbase(b->mant, 2) + precision + 2, have = mpz_sizeinbase(a->mant, 2);
    size_t shift = want > have ? want - have : 0;
    mpz_t rest;
    mpz_init(rest);
    mpz_mul_2exp(mant, a->mant, shift);
    mpz_tdiv_qr(mant, rest, mant, b->mant);
    mpz_mul_2exp(mant, mant, 1);
    if (mpz_sgn(rest))
        mpz_setbit(mant, 0);
    mpz_clear(rest);
    return a->exp - b->exp - (int64_t)shift - 1;
}

static lc_num_outcome divide_views(lc_num *out, lc_arena *arena, const lc_num_view *a,
                                   const lc_num_view *b)
{
    bool negative = a->negative != b->negative;
    uint16_t precision = larger_precision(a, b);
    if ((a->inf && b->inf) || (is_zero(a) && is_zero(b)))
        return LC_NUM_NAN;
    if (a->inf || is_zero(b)) {
        *out = lc_num_make_inf(arena, negative, precision);
        return LC_NUM_GOOD;
    }
    if (b->inf || is_zero(a)) {
        *out = zero(arena, negative, precision);
        return LC_NUM_GOOD;
    }
    mpz_t mant;
    mpz_init(mant);
    int64_t exp = quotient(mant, a, b, precision);
    lc_num_round_bits(mant, &exp, precision);
    lc_num_outcome outcome = finish(out, arena, negative, mant, exp, precision);
    mpz_clear(mant);
    return outcome;
}

lc_num_outcome lc_num_divide(lc_num *out, lc_arena *arena, lc_num a, lc_num b)
{
    lc_num_view x, y;
    lc_num_view_of(&x, &a);
    lc_num_view_of(&y, &b);
    return divide_views(out, arena, &x, &y);
}

lc_num lc_num_truncate(lc_arena *arena, lc_num n, lc_num precision_of)
{
    lc_num_view v, like;
    lc_num_view_of(&v, &n);
    lc_num_view_of(&like, &precision_of);
    mpz_t mant;
    mpz_init_set(mant, v.mant);
    if (v.exp < 0)
        mpz_tdiv_q_2exp(mant, mant, (mp_bitcnt_t)-v.exp);
    bool negative = v.negative && mpz_sgn(mant) != 0;
    lc_num out = lc_num_make(arena, negative, mant, v.exp < 0 ? 0 : v.exp, like.precision);
    mpz_clear(mant);
    return out;
}

/* a - b * trunc(a / b), each step rounded to the precision of a, as cty's Modulo computes it. A
 * remainder of an infinity is not a number; a divisor of zero leaves the dividend. */
lc_num_outcome lc_num_modulo(lc_num *out, lc_arena *arena, lc_num a, lc_num b)
{
    lc_num whole;
    *out = a;
    if (lc_num_sign(b) == 0)
        return LC_NUM_GOOD;
    if (lc_num_is_inf(a) || lc_num_is_inf(b))
        return LC_NUM_NAN;
    lc_num_outcome outcome = lc_num_divide(&whole, arena, a, b);
    if (outcome != LC_NUM_GOOD)
        return outcome;
    whole = lc_num_truncate(arena, whole, a);
    lc_num_view x, y, w;
    lc_num_view_of(&x, &a);
    lc_num_view_of(&y, &b);
    lc_num_view_of(&w, &whole);
    lc_num_view product = {.negative = y.negative == w.negative, .precision = x.precision};
    mpz_init(product.mant);
    mpz_mul(product.mant, y.mant, w.mant);
    product.exp = y.exp + w.exp;
    lc_num_round_bits(product.mant, &product.exp, x.precision);
    outcome = add_views(out, arena, &x, &product, x.precision);
    mpz_clear(product.mant);
    return outcome;
}

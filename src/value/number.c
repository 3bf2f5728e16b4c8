/* Numbers: exact binary values with the precision they were made with, as Go's big.Float keeps
 * them.
 *
 * A big number is  sign * mantissa * 2^exp  with an odd mantissa, or negative zero (no mantissa),
 * or an infinity. The odd mantissa makes the representation unique. GMP does the arithmetic; the
 * limbs live in the arena. */
#include "value/number_internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/limits.h"

#include <math.h>
#include <string.h>

#define DOUBLE_EXACT ((int64_t)1 << 53)
/* The precisions with which big.Float computes the power of five of a decimal exponent. They must
 * be equal to Go's, since they decide how the last bit is rounded. */
#define POWER_EXACT      27
#define POWER_PRECISION  (LC_TEXT_PRECISION + 64)
#define FACTOR_PRECISION (POWER_PRECISION + 64)
#define LOG2_OF_5        2.321928094887362347870319429489390175865
/* Exponents are clamped to this, far beyond what the digits of a permitted text can compensate, so
 * that sums of exponents cannot overflow. */
#define EXPONENT_CLAMP ((int64_t)1 << 40)
/* Decimal digits that always identify a mantissa of LC_TEXT_PRECISION bits. */
#define TEXT_DIGITS 157

/* Makes `mant` the number of 64 bits. A long, which GMP takes such numbers in, may have 32. */
static void borrow_word(mpz_t mant, mp_limb_t *limbs, uint64_t word)
{
    for (size_t i = 0; i < LC_WORD_LIMBS; i++)
        limbs[i] = (mp_limb_t)(word >> i * GMP_NUMB_BITS);
    mpz_roinit_n(mant, limbs, LC_WORD_LIMBS);
}

/* The lowest 64 bits. */
static uint64_t low_word(const mpz_t mant)
{
    uint64_t word = 0;
    for (size_t i = 0; i < LC_WORD_LIMBS; i++)
        word |= (uint64_t)mpz_getlimbn(mant, (mp_size_t)i) << i * GMP_NUMB_BITS;
    return word;
}

void lc_num_view_of(lc_num_view *view, const lc_num *n)
{
    *view = (lc_num_view){.precision = n->big ? n->big->precision : LC_TEXT_PRECISION};
    if (!lc_num_is_inline(*n)) {
        view->inf = n->big->inf;
        view->negative = n->big->negative;
        view->exp = n->big->exp;
        mpz_roinit_n(view->mant, n->big->limbs, (mp_size_t)n->big->count);
        return;
    }
    view->negative = n->small < 0;
    borrow_word(view->mant, view->limbs,
                n->small < 0 ? (uint64_t)0 - (uint64_t)n->small : (uint64_t)n->small);
}

static lc_num make_big(lc_arena *arena, lc_bignum big, const mpz_t mant)
{
    lc_bignum *copy = LC_NEW(arena, lc_bignum);
    *copy = big;
    copy->count = mpz_size(mant);
    copy->limbs = lc_arena_copy(arena, mpz_limbs_read(mant), copy->count, sizeof *copy->limbs);
    return (lc_num){0, copy};
}

/* word * 2^exp, which fits the precision and is not inline, without the heap of GMP. */
static lc_num make_word(lc_arena *arena, bool negative, uint64_t word, int64_t exp,
                        uint16_t precision)
{
    for (; word && !(word & 1); exp++)
        word >>= 1;
    mpz_t mant;
    mp_limb_t limbs[LC_WORD_LIMBS];
    borrow_word(mant, limbs, word);
    return make_big(
        arena, (lc_bignum){.negative = negative, .precision = precision, .exp = word ? exp : 0},
        mant);
}

lc_num lc_num_make_inf(lc_arena *arena, bool negative, uint16_t precision)
{
    lc_bignum *big = LC_NEW(arena, lc_bignum);
    *big = (lc_bignum){.inf = true, .negative = negative, .precision = precision};
    return (lc_num){0, big};
}

void lc_num_round_bits(mpz_t mant, int64_t *exp, size_t bits)
{
    size_t have = mpz_sizeinbase(mant, 2);
    if (have <= bits)
        return;
    size_t drop = have - bits;
    bool half = mpz_tstbit(mant, drop - 1);
    bool more = half && mpz_scan1(mant, 0) < drop - 1;
    mpz_fdiv_q_2exp(mant, mant, drop);
    *exp += (int64_t)drop;
    if (half && (more || mpz_odd_p(mant)))
        mpz_add_ui(mant, mant, 1);
}

/* Inline numbers of the precisions that nearly all numbers have. */
static const lc_bignum int_inline = {.is_inline = true, .precision = LC_INT_PRECISION};
static const lc_bignum double_inline = {.is_inline = true, .precision = LC_DOUBLE_PRECISION};

static bool make_inline(lc_num *out, int64_t value, uint16_t precision)
{
    if (precision == LC_TEXT_PRECISION)
        *out = (lc_num){value, NULL};
    else if (precision == LC_INT_PRECISION)
        *out = (lc_num){value, &int_inline};
    else if (precision == LC_DOUBLE_PRECISION && value <= DOUBLE_EXACT && value >= -DOUBLE_EXACT)
        *out = (lc_num){value, &double_inline};
    else
        return false;
    return true;
}

static lc_num make_zero(lc_arena *arena, bool negative, mpz_t mant, uint16_t precision)
{
    lc_num zero;
    if (!negative && make_inline(&zero, 0, precision))
        return zero;
    return make_big(arena, (lc_bignum){.negative = negative, .precision = precision}, mant);
}

/* Rounds a number that is not zero, and makes its mantissa odd. */
static void make_odd(mpz_t mant, int64_t *exp, uint16_t precision)
{
    lc_num_round_bits(mant, exp, precision);
    mp_bitcnt_t zeros = mpz_scan1(mant, 0);
    mpz_fdiv_q_2exp(mant, mant, zeros);
    *exp += (int64_t)zeros;
}

lc_num lc_num_make(lc_arena *arena, bool negative, mpz_t mant, int64_t exp, uint16_t precision)
{
    lc_num small;
    if (mpz_sgn(mant) == 0)
        return make_zero(arena, negative, mant, precision);
    make_odd(mant, &exp, precision);
    size_t bits = mpz_sizeinbase(mant, 2);
    if (exp >= 0 && bits + (uint64_t)exp <= 63) {
        int64_t value = (int64_t)(low_word(mant) << exp);
        if (make_inline(&small, negative ? -value : value, precision))
            return small;
    }
    return make_big(arena, (lc_bignum){.negative = negative, .precision = precision, .exp = exp},
                    mant);
}

lc_num lc_num_from_int(int64_t n)
{
    return (lc_num){n, &int_inline};
}

lc_num lc_num_from_uint(lc_arena *arena, uint64_t n)
{
    return n <= INT64_MAX ? lc_num_from_int((int64_t)n)
                          : make_word(arena, false, n, 0, LC_INT_PRECISION);
}

/* A whole double up to 2^53 is kept inline. All others have an odd mantissa of at most 53 bits. */
bool lc_num_from_double(lc_num *out, lc_arena *arena, double d)
{
    if (isnan(d))
        return false;
    if (isinf(d)) {
        *out = lc_num_make_inf(arena, d < 0, LC_DOUBLE_PRECISION);
        return true;
    }
    if (d >= -(double)DOUBLE_EXACT && d <= (double)DOUBLE_EXACT && d == (double)(int64_t)d &&
        !(d == 0 && signbit(d))) {
        return make_inline(out, (int64_t)d, LC_DOUBLE_PRECISION);
    }
    int exp = 0;
    double fraction = frexp(fabs(d), &exp);
    uint64_t word = (uint64_t)ldexp(fraction, LC_DOUBLE_PRECISION);
    *out = make_word(arena, signbit(d), word, exp - LC_DOUBLE_PRECISION, LC_DOUBLE_PRECISION);
    return true;
}

/* ---- Text to number. */

/* A number's text split into its parts; the strings are borrowed. */
typedef struct decimal_text {
    bool negative;
    lc_str whole, fraction;
    bool binary; /* the exponent is a power of two ("p") */
    int64_t exponent;
} decimal_text;

static size_t count_digits(lc_str text, size_t at)
{
    size_t from = at;
    while (at < text.len && lc_is_digit(text.ptr[at]))
        at++;
    return at - from;
}

/* Core holds exponents in 64 bits; beyond that even a zero is an error. */
static bool read_exponent(lc_str digits, bool negative, int64_t *out)
{
    uint64_t value = 0, most = (uint64_t)INT64_MAX + negative;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = (unsigned)(digits.ptr[i] - '0');
        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    int64_t clamped = value > (uint64_t)EXPONENT_CLAMP ? EXPONENT_CLAMP : (int64_t)value;
    *out = negative ? -clamped : clamped;
    return true;
}

static lc_num_parse parse_exponent(lc_str text, size_t at, decimal_text *out)
{
    if (at == text.len)
        return LC_NUM_OK;
    char c = text.ptr[at++];
    if (c != 'e' && c != 'E' && c != 'p' && c != 'P')
        return LC_NUM_BAD;
    out->binary = c == 'p' || c == 'P';
    bool negative = at < text.len && text.ptr[at] == '-';
    if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
        at++;
    size_t digits = count_digits(text, at);
    if (digits == 0 || at + digits != text.len)
        return LC_NUM_BAD;
    bool fits = read_exponent(lc_str_sub(text, at, text.len), negative, &out->exponent);
    return fits ? LC_NUM_OK : LC_NUM_OVERFLOW;
}

/* The grammar of values-and-wire 2.4: sign, digits with a point, exponent. At least one digit. */
static lc_num_parse split(lc_str text, decimal_text *out)
{
    *out = (decimal_text){0};
    size_t at = 0;
    if (text.len && (text.ptr[0] == '-' || text.ptr[0] == '+')) {
        out->negative = text.ptr[0] == '-';
        at++;
    }
    size_t digits = count_digits(text, at);
    out->whole = lc_str_sub(text, at, at + digits);
    at += digits;
    out->fraction = LC_STR_EMPTY;
    if (at < text.len && text.ptr[at] == '.') {
        at++;
        digits = count_digits(text, at);
        out->fraction = lc_str_sub(text, at, at + digits);
        at += digits;
    }
    if (out->whole.len + out->fraction.len == 0)
        return LC_NUM_BAD;
    return parse_exponent(text, at, out);
}

static bool parse_infinity(lc_num *out, lc_arena *arena, lc_str text)
{
    bool negative = text.len && text.ptr[0] == '-';
    if (text.len && (text.ptr[0] == '-' || text.ptr[0] == '+'))
        text = lc_str_sub(text, 1, text.len);
    if (!lc_str_is(text, "Inf") && !lc_str_is(text, "inf"))
        return false;
    *out = lc_num_make_inf(arena, negative, LC_TEXT_PRECISION);
    return true;
}

/* All digits without the point; the exponent accounts for the fraction. */
static void digits_to_mpz(mpz_t out, const decimal_text *d)
{
    size_t len = d->whole.len + d->fraction.len;
    char few[64], *digits = len < sizeof few ? few : lc_heap_alloc(len + 1);
    memcpy(digits, d->whole.ptr, d->whole.len);
    memcpy(digits + d->whole.len, d->fraction.ptr, d->fraction.len);
    digits[len] = '\0';
    mpz_set_str(out, digits, 10);
    if (digits != few)
        lc_heap_free(digits);
}

/* a * b rounded to `bits`, as big.Float multiplies. */
static void multiply(mpz_t a, int64_t *a_exp, const mpz_t b, int64_t b_exp, size_t bits)
{
    mpz_mul(a, a, b);
    *a_exp += b_exp;
    lc_num_round_bits(a, a_exp, bits);
}

/* 5^power as mant * 2^*exp, rounded step by step as big.Float's pow5 does it. Exact up to 5^248;
 * beyond that it has the same errors in the last bits as Go's, which matters for ties. */
static void power_of_five(mpz_t mant, int64_t *exp, uint64_t power)
{
    uint64_t exact = power < POWER_EXACT ? power : POWER_EXACT;
    mpz_ui_pow_ui(mant, 5, (unsigned long)exact);
    *exp = 0;
    if (exact == power)
        return;
    mpz_t factor;
    mpz_init_set_ui(factor, 5);
    int64_t factor_exp = 0;
    for (uint64_t rest = power - exact; rest > 0; rest >>= 1) {
        if (rest & 1)
            multiply(mant, exp, factor, factor_exp, POWER_PRECISION);
        multiply(factor, &factor_exp, factor, factor_exp, FACTOR_PRECISION);
    }
    mpz_clear(factor);
}

/* mant / five, with two bits more than the precision, and a last bit that is set if there is a
 * remainder (sticky), so that the final rounding is right. Returns the exponent of the result. */
static int64_t divide(mpz_t mant, const mpz_t five)
{
    size_t want = mpz_sizeinbase(five, 2) + LC_TEXT_PRECISION + 2, have = mpz_sizeinbase(mant, 2);
    size_t shift = want > have ? want - have : 0;
    mpz_t rest;
    mpz_init(rest);
    mpz_mul_2exp(mant, mant, shift);
    mpz_tdiv_qr(mant, rest, mant, five);
    mpz_mul_2exp(mant, mant, 1);
    if (mpz_sgn(rest))
        mpz_setbit(mant, 0);
    mpz_clear(rest);
    return -(int64_t)shift - 1;
}

/* mant * 5^power5 * 2^power2, rounded to 512 bits. A decimal exponent is split into powers of five
 * and two, because only the five needs arithmetic. */
static lc_num scale(lc_arena *arena, bool negative, mpz_t mant, int64_t power5, int64_t power2)
{
    mpz_t five;
    int64_t exp;
    if (power5 == 0)
        return lc_num_make(arena, negative, mant, power2, LC_TEXT_PRECISION);
    mpz_init(five);
    power_of_five(five, &exp, (uint64_t)(power5 < 0 ? -power5 : power5));
    if (power5 < 0) {
        power2 += divide(mant, five) - exp;
    } else {
        mpz_mul(mant, mant, five);
        power2 += exp;
    }
    mpz_clear(five);
    return lc_num_make(arena, negative, mant, power2, LC_TEXT_PRECISION);
}

/* A number whose positional text would exceed our limit: big.Float has 32-bit exponents, so one
 * outside of them is infinity or zero, and everything else is refused as too long. Estimating the
 * exponent is enough; the power of five is not computed. */
static lc_num_parse far_out(lc_num *out, lc_arena *arena, bool negative, mpz_t mant, int64_t power5,
                            int64_t power2)
{
    long bits;
    double leading = mpz_get_d_2exp(&bits, mant);
    double top = log2(leading) + (double)bits + (double)power2 + (double)power5 * LOG2_OF_5;
    double exponent = floor(top) + 1;
    if (exponent >= INT32_MIN && exponent <= INT32_MAX)
        return LC_NUM_TOO_LONG;
    mpz_set_ui(mant, 0);
    *out = exponent > 0 ? lc_num_make_inf(arena, negative, LC_TEXT_PRECISION)
                        : lc_num_make(arena, negative, mant, 0, LC_TEXT_PRECISION);
    return LC_NUM_OK;
}

static char digit_of(const decimal_text *d, size_t i)
{
    return i < d->whole.len ? d->whole.ptr[i] : d->fraction.ptr[i - d->whole.len];
}

/* An upper bound for the digits of the positional text of a number that is not zero. Computed from
 * the text alone, before any expensive arithmetic. */
static int64_t text_digits(const decimal_text *d)
{
    size_t count = d->whole.len + d->fraction.len, first = 0, last = count;
    while (digit_of(d, first) == '0')
        first++;
    while (digit_of(d, last - 1) == '0')
        last--;
    int64_t point = (int64_t)d->whole.len - (int64_t)first,
            fraction = (int64_t)last - (int64_t)d->whole.len;
    if (!d->binary) {
        point += d->exponent;
        fraction -= d->exponent;
    } else {
        point += (int64_t)ceil((double)d->exponent * 0.30102999566398120);
        fraction = TEXT_DIGITS - point;
    }
    if (fraction > TEXT_DIGITS - point)
        fraction = TEXT_DIGITS - point;
    return (point > 1 ? point : 1) + (fraction > 0 ? fraction : 0);
}

/* Converts the general case: the checks of size come before the arithmetic. */
static lc_num_parse from_digits(lc_num *out, lc_arena *arena, const decimal_text *d, mpz_t mant,
                                size_t max_digits)
{
    int64_t power2 = d->exponent - (int64_t)d->fraction.len;
    int64_t power5 = d->binary ? -(int64_t)d->fraction.len : power2;
    digits_to_mpz(mant, d);
    if (mpz_sgn(mant) == 0) {
        *out = lc_num_make(arena, d->negative, mant, 0, LC_TEXT_PRECISION);
        return LC_NUM_OK;
    }
    int64_t top = (int64_t)mpz_sizeinbase(mant, 2) + power2;
    if (top < INT32_MIN || top > INT32_MAX)
        return LC_NUM_OVERFLOW;
    if (text_digits(d) > (int64_t)max_digits)
        return far_out(out, arena, d->negative, mant, power5, power2);
    *out = scale(arena, d->negative, mant, power5, power2);
    return LC_NUM_OK;
}

/* A fraction of few digits, as nearly all are: digits / 5^places / 2^places, where the power of
 * five is one word. False: it is another number. */
static bool short_fraction(lc_num *out, lc_arena *arena, const decimal_text *d, mpz_t mant)
{
    uint64_t digits = 0, five = 1;
    size_t places = d->fraction.len;
    while (places && d->fraction.ptr[places - 1] == '0')
        places--;
    if (!places || places > LC_SHORT_PLACES || d->whole.len + places > LC_SHORT_DIGITS ||
        d->exponent != 0 || LC_WORD_LIMBS != 1)
        return false;
    for (size_t i = 0; i < d->whole.len + places; i++)
        digits = digits * 10 + (uint64_t)(digit_of(d, i) - '0');
    for (size_t i = 0; i < places; i++)
        five *= 5;
    /* Behind zeros at the front, enough bits for the precision and one that decides how to round.
     */
    enum { MORE = LC_TEXT_PRECISION / 64 + 2 };
    mp_limb_t word = (mp_limb_t)digits, *limbs = mpz_limbs_write(mant, MORE + 1);
    bool inexact = mpn_divrem_1(limbs, MORE, &word, 1, (mp_limb_t)five) != 0;
    mpz_limbs_finish(mant, MORE + 1);
    if (inexact)
        mpz_setbit(mant, 0);
    int64_t exp = -64 * MORE - (int64_t)places;
    make_odd(mant, &exp, LC_TEXT_PRECISION);
    *out = make_big(arena,
                    (lc_bignum){.negative = d->negative,
                                .precision = LC_TEXT_PRECISION,
                                .exp = exp,
                                .digits = digits,
                                .places = (uint8_t)places},
                    mant);
    return true;
}

/* Short whole numbers, which are nearly all, do not need GMP. */
lc_num_parse lc_num_from_text(lc_num *out, lc_arena *arena, lc_str text, size_t max_digits)
{
    decimal_text d;
    *out = LC_NUM(0);
    lc_num_parse status = split(text, &d);
    if (status == LC_NUM_BAD && parse_infinity(out, arena, text))
        return LC_NUM_OK;
    if (status != LC_NUM_OK)
        return status;
    if (d.whole.len + d.fraction.len > max_digits)
        return LC_NUM_TOO_LONG;
    if (d.fraction.len == 0 && d.exponent == 0 && d.whole.len <= 18) {
        int64_t value = 0;
        for (size_t i = 0; i < d.whole.len; i++)
            value = value * 10 + (d.whole.ptr[i] - '0');
        if (value || !d.negative) {
            *out = LC_NUM(d.negative ? -value : value);
            return LC_NUM_OK;
        }
    }
    mpz_t mant;
    mpz_init(mant);
    if (!short_fraction(out, arena, &d, mant))
        status = from_digits(out, arena, &d, mant, max_digits);
    mpz_clear(mant);
    return status;
}

/* ---- Properties and conversions. */

bool lc_num_is_inf(lc_num n)
{
    return n.big && n.big->inf;
}

int lc_num_sign(lc_num n)
{
    if (lc_num_is_inline(n))
        return (n.small > 0) - (n.small < 0);
    if (!n.big->inf && n.big->count == 0)
        return 0;
    return n.big->negative ? -1 : 1;
}

bool lc_num_is_negative_zero(lc_num n)
{
    return n.big && n.big->negative && !n.big->inf && n.big->count == 0;
}

bool lc_num_is_whole(lc_num n)
{
    return lc_num_is_inline(n) || (!n.big->inf && n.big->exp >= 0);
}

bool lc_num_to_int64(lc_num n, int64_t *out)
{
    *out = n.small;
    if (lc_num_is_inline(n))
        return true;
    if (!lc_num_is_whole(n))
        return false;
    *out = 0;
    if (n.big->count == 0)
        return true;
    lc_num_view view;
    lc_num_view_of(&view, &n);
    uint64_t bits = mpz_sizeinbase(view.mant, 2) + (uint64_t)view.exp;
    if (bits > 64)
        return false;
    uint64_t value = low_word(view.mant) << view.exp;
    if (value > (uint64_t)INT64_MAX + view.negative)
        return false;
    *out = view.negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool lc_num_to_double(lc_num n, double *out)
{
    lc_num_view view;
    lc_num_view_of(&view, &n);
    double sign = view.negative ? -1.0 : 1.0;
    if (view.inf) {
        *out = sign * (double)INFINITY;
        return true;
    }
    *out = sign * 0.0;
    if (mpz_sgn(view.mant) == 0)
        return true;
    mp_bitcnt_t zeros = mpz_scan1(view.mant, 0);
    int64_t bits = (int64_t)mpz_sizeinbase(view.mant, 2);
    if (bits - (int64_t)zeros > 53 || view.exp + (int64_t)zeros < -1074 || view.exp + bits > 1024)
        return false;
    *out = sign * ldexp(mpz_get_d(view.mant), (int)view.exp);
    return true;
}

/* Beyond this power of two, a number of 53 bits is infinite or zero as a double. */
#define FAR_POWER 5000

double lc_num_nearest_double(lc_num n)
{
    lc_num_view view;
    lc_num_view_of(&view, &n);
    double sign = view.negative ? -1.0 : 1.0;
    if (view.inf)
        return sign * (double)INFINITY;
    mpz_t mant;
    mpz_init_set(mant, view.mant);
    int64_t exp = view.exp;
    lc_num_round_bits(mant, &exp, 53);
    int power = exp > FAR_POWER ? FAR_POWER : exp < -FAR_POWER ? -FAR_POWER : (int)exp;
    double d = sign * ldexp(mpz_get_d(mant), power);
    mpz_clear(mant);
    return d;
}

/* ---- Order and equality. */

/* Compares the position of the leading bit first, so that mantissas are shifted only if the numbers
 * are of similar size. */
static int compare_magnitude(const lc_num_view *a, const lc_num_view *b)
{
    int a_zero = mpz_sgn(a->mant) == 0, b_zero = mpz_sgn(b->mant) == 0;
    if (a_zero || b_zero)
        return b_zero - a_zero;
    int64_t a_top = a->exp + (int64_t)mpz_sizeinbase(a->mant, 2);
    int64_t b_top = b->exp + (int64_t)mpz_sizeinbase(b->mant, 2);
    if (a_top != b_top)
        return a_top < b_top ? -1 : 1;
    mpz_t shifted;
    mpz_init(shifted);
    int order;
    if (a->exp >= b->exp) {
        mpz_mul_2exp(shifted, a->mant, (mp_bitcnt_t)(a->exp - b->exp));
        order = mpz_cmp(shifted, b->mant);
    } else {
        mpz_mul_2exp(shifted, b->mant, (mp_bitcnt_t)(b->exp - a->exp));
        order = mpz_cmp(a->mant, shifted);
    }
    mpz_clear(shifted);
    return (order > 0) - (order < 0);
}

int lc_num_cmp(lc_num a, lc_num b)
{
    if (lc_num_is_inline(a) && lc_num_is_inline(b))
        return (a.small > b.small) - (a.small < b.small);
    int a_sign = lc_num_sign(a), b_sign = lc_num_sign(b);
    if (a_sign != b_sign)
        return a_sign < b_sign ? -1 : 1;
    if (lc_num_is_inf(a) || lc_num_is_inf(b))
        return (lc_num_is_inf(a) - lc_num_is_inf(b)) * a_sign;
    lc_num_view x, y;
    lc_num_view_of(&x, &a);
    lc_num_view_of(&y, &b);
    return compare_magnitude(&x, &y) * (a_sign < 0 ? -1 : 1);
}

/* The 53 leading bits, rounded, and the position of the first. Fractions are equal if their
 * shortest strings are equal; making strings is slow, so these bits are compared first. Numbers
 * with the same shortest text are roundings of one decimal number, so they agree in these bits,
 * with one exception: at a power of two, the text may also belong to the number just below.
 * Therefore both get the bits of the power. */
#define LEADING_POWER ((uint64_t)1 << (LC_DOUBLE_PRECISION - 1))
#define LEADING_END   ((uint64_t)1 << LC_DOUBLE_PRECISION)
typedef struct leading_bits {
    uint64_t bits;
    int64_t top;
} leading_bits;

/* Limbs may have 32 or 64 bits; the highest is not zero. */
static leading_bits leading(const lc_bignum *n)
{
    uint64_t top = 0;
    int room = 64, zeros = __builtin_clzll(n->limbs[n->count - 1]) - (64 - GMP_NUMB_BITS);
    bool more = false;
    for (size_t i = n->count; i > 0; i--) {
        mp_limb_t limb = n->limbs[i - 1];
        int width = GMP_NUMB_BITS - (i == n->count ? zeros : 0);
        int rest = width > room ? width - room : 0;
        if (room)
            top |= rest ? (uint64_t)limb >> rest : (uint64_t)limb << (room - width);
        more |= rest && (mp_limb_t)(limb << (GMP_NUMB_BITS - rest)) != 0;
        room -= width - rest;
    }
    uint64_t bits = top >> 11, rest = top & 0x7FF;
    if (rest > 0x400 || (rest == 0x400 && (more || (bits & 1))))
        bits++;
    leading_bits out = {bits, n->exp + (int64_t)n->count * GMP_NUMB_BITS - zeros};
    if (bits + 1 >= LEADING_END)
        out = (leading_bits){LEADING_POWER, out.top + 1};
    return out;
}

static bool same_text(lc_num a, lc_num b)
{
    lc_buf x = {0}, y = {0};
    lc_num_add_text(&x, a);
    lc_num_add_text(&y, b);
    bool same = lc_str_eq(lc_buf_str(&x), lc_buf_str(&y));
    lc_buf_release(&x);
    lc_buf_release(&y);
    return same;
}

/* The same representation, hence the same text. */
static bool same_bits(const lc_bignum *a, const lc_bignum *b)
{
    return a->precision == b->precision && a->exp == b->exp && a->count == b->count &&
           a->negative == b->negative && a->inf == b->inf &&
           (a->count == 0 || memcmp(a->limbs, b->limbs, a->count * sizeof *a->limbs) == 0);
}

/* The cheap checks decide nearly all cases; same_text is needed only for numbers of different
 * precision, or at powers of two. */
bool lc_num_equal(lc_num a, lc_num b)
{
    if (lc_num_is_inline(a) && lc_num_is_inline(b))
        return a.small == b.small;
    if (lc_num_sign(a) != lc_num_sign(b) || lc_num_is_whole(a) != lc_num_is_whole(b))
        return false;
    if (lc_num_is_whole(a))
        return lc_num_cmp(a, b) == 0;
    if (a.big->inf || b.big->inf)
        return a.big->inf && b.big->inf;
    if (same_bits(a.big, b.big))
        return true;
    leading_bits x = leading(a.big), y = leading(b.big);
    if (x.bits != y.bits || x.top != y.top)
        return false;
    /* Other than at powers of two, a shortest text belongs to one number of each precision. */
    bool one_owner = a.big->precision == b.big->precision && x.bits != LEADING_POWER;
    return !one_owner && same_text(a, b);
}

/* Must be equal for numbers that lc_num_equal finds equal, regardless of their precision: so whole
 * numbers are hashed by value, fractions by their leading bits. */
uint64_t lc_num_hash(lc_num n)
{
    int64_t small;
    if (lc_num_to_int64(n, &small))
        return lc_hash_mix(0x6E756D, (uint64_t)small);
    if (n.big->inf)
        return n.big->negative ? 0x2D696E66 : 0x2B696E66;
    if (lc_num_is_whole(n)) {
        uint64_t hash = lc_hash_mix((uint64_t)n.big->exp, n.big->negative);
        for (size_t i = 0; i < n.big->count; i++)
            hash = lc_hash_mix(hash, n.big->limbs[i]);
        return hash;
    }
    leading_bits bits = leading(n.big);
    return lc_hash_mix(lc_hash_mix(0x667261, bits.bits), (uint64_t)bits.top + n.big->negative);
}

/* Decimal strings of numbers, digit for digit as Go's big.Float prints them: the shortest digits
 * that identify the number at its own precision, or ten rounded digits (values-and-wire 2.5, 2.10).
 * Mirrors ftoa.go and decimal.go of math/big. */
#include "value/number_internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

/* More than the 156 digits that a mantissa of 512 bits may need. */
#define KEPT_DIGITS 200
/* Of the strings by which cty sorts members of sets. */
#define HASH_DIGITS 10
/* All decimal numbers of 15 digits are different doubles. */
#define MOST_OF_DOUBLE 1000000000000000u
#define LOG10_OF_2     0.30102999566398119521
#define LOG10_OF_5     0.69897000433601880479

/* 0.d1d2d3... * 10^exp, without trailing zeros; no digits: zero. */
typedef struct decimal {
    char *digits;
    size_t count;
    int64_t exp;
} decimal;

static void trim(decimal *d)
{
    while (d->count && d->digits[d->count - 1] == '0')
        d->count--;
    if (d->count == 0)
        d->exp = 0;
}

/* How many trailing digits of a long number cannot influence the `keep` digits that are required; 0
 * for most numbers. */
static size_t digits_to_drop(const mpz_t mant, int64_t exp, size_t keep)
{
    double digits = (double)mpz_sizeinbase(mant, 2) * LOG10_OF_2 +
                    (exp < 0 ? (double)-exp * LOG10_OF_5 : (double)exp * LOG10_OF_2);
    return digits > 2.0 * (double)keep ? (size_t)digits - keep : 0;
}

/* whole = mant * 2^exp * 10^places / 10^drop, where `places` is what a negative exponent needs.
 * Powers of two and five are cancelled before they are computed. True: there is a remainder. */
static bool scale_to_whole(mpz_t whole, const mpz_t mant, int64_t exp, size_t drop)
{
    mpz_t five;
    mpz_init(five);
    bool inexact;
    if (exp < 0) { /* drop is smaller than the number of places */
        mpz_ui_pow_ui(five, 5, (unsigned long)-exp - drop);
        mpz_mul(whole, mant, five);
        inexact = drop && mpz_sgn(whole) && mpz_scan1(whole, 0) < drop;
        mpz_tdiv_q_2exp(whole, whole, drop);
    } else {
        mpz_ui_pow_ui(five, 5, (unsigned long)drop);
        mpz_mul_2exp(whole, mant, (mp_bitcnt_t)exp - drop);
        mpz_tdiv_qr(whole, five, whole, five);
        inexact = mpz_sgn(five) != 0;
    }
    mpz_clear(five);
    return inexact;
}

/* The digits of mant * 2^exp: all of them, or at least `keep` and a last digit that represents the
 * remainder, so that it can be rounded. The caller frees `digits`. */
static decimal some_digits(const mpz_t mant, int64_t exp, size_t keep)
{
    mpz_t whole;
    mpz_init(whole);
    size_t drop = digits_to_drop(mant, exp, keep);
    bool inexact = scale_to_whole(whole, mant, exp, drop);
    decimal d = {lc_heap_alloc(mpz_sizeinbase(whole, 10) + 3), 0, 0};
    mpz_get_str(d.digits, 10, whole);
    d.count = strlen(d.digits);
    d.exp = (int64_t)d.count + (int64_t)drop + (exp < 0 ? exp : 0);
    if (inexact)
        d.digits[d.count++] = '1';
    mpz_clear(whole);
    trim(&d);
    return d;
}

/* No mantissa needs as many digits to be distinguished from its neighbours. */
static decimal leading_digits(const mpz_t mant, int64_t exp)
{
    return some_digits(mant, exp, KEPT_DIGITS);
}

static void round_down(decimal *d, size_t count)
{
    if (count < d->count)
        d->count = count;
    trim(d);
}

/* Adds one in the last kept place; nines carry, and 999 becomes 1 with a larger exponent. */
static void round_up(decimal *d, size_t count)
{
    if (count >= d->count)
        return;
    while (count > 0 && d->digits[count - 1] == '9')
        count--;
    if (count == 0) {
        d->digits[0] = '1';
        d->count = 1;
        d->exp++;
        return;
    }
    d->digits[count - 1]++;
    d->count = count;
}

/* To nearest, half to even. */
static void round_digits(decimal *d, size_t count)
{
    if (count >= d->count)
        return;
    bool tie = d->digits[count] == '5' && count + 1 == d->count;
    bool up = tie ? count > 0 && (d->digits[count - 1] - '0') % 2 : d->digits[count] >= '5';
    if (up)
        round_up(d, count);
    else
        round_down(d, count);
}

static char digit_at(const decimal *d, size_t i)
{
    return i < d->count ? d->digits[i] : '0';
}

/* Shortens the digits as far as they still identify the number: roundShortest of math/big. `lower`
 * and `upper` are the ends of the interval of numbers that round to this one; they belong to it if
 * the mantissa is even. */
static void shorten(decimal *d, const lc_num_view *v)
{
    mpz_t mant, bound;
    mpz_inits(mant, bound, NULL);
    size_t bits = mpz_sizeinbase(v->mant, 2);
    size_t shift = (size_t)v->precision + 1 - bits; /* bits <= precision always */
    mpz_mul_2exp(mant, v->mant, shift);
    int64_t exp = v->exp - (int64_t)shift;
    mpz_sub_ui(bound, mant, 1);
    decimal lower = leading_digits(bound, exp);
    mpz_add_ui(bound, mant, 1);
    decimal upper = leading_digits(bound, exp);
    bool inclusive = !mpz_tstbit(mant, 1);
    for (size_t i = 0; i < d->count; i++) {
        char l = digit_at(&lower, i), m = d->digits[i], u = digit_at(&upper, i);
        bool down = l != m || (inclusive && i + 1 == lower.count);
        bool up = m != u && (inclusive || m + 1 < u || i + 1 < upper.count);
        if (down && up)
            round_digits(d, i + 1);
        else if (down)
            round_down(d, i + 1);
        else if (up)
            round_up(d, i + 1);
        else
            continue;
        break;
    }
    lc_heap_free(lower.digits);
    lc_heap_free(upper.digits);
    mpz_clears(mant, bound, NULL);
}

/* The digits of a short fraction: it has them from its text, or they are its value's own. No other
 * number of so few digits is as near as the precision distinguishes. `room` is for the digits. */
static bool short_digits(decimal *d, lc_num n, char room[LC_SHORT_DIGITS + 1])
{
    if (lc_num_is_inline(n))
        return false;
    uint64_t digits = n.big->digits;
    int64_t places = digits ? n.big->places : -n.big->exp;
    if (!digits) {
        if (n.big->count != 1 || n.big->precision < LC_DOUBLE_PRECISION || places <= 0 ||
            places > LC_SHORT_PLACES)
            return false;
        digits = n.big->limbs[0];
        for (int64_t i = 0; i < places && digits < MOST_OF_DOUBLE; i++)
            digits *= 5;
        if (digits >= MOST_OF_DOUBLE)
            return false;
    }
    char *at = room + LC_SHORT_DIGITS + 1;
    for (uint64_t rest = digits; rest; rest /= 10)
        *--at = (char)('0' + rest % 10);
    *d = (decimal){at, (size_t)(room + LC_SHORT_DIGITS + 1 - at), 0};
    d->exp = (int64_t)d->count - places;
    return true;
}

/* Can no shorter text be nearer than the precision distinguishes? Another decimal number with no
 * more places differs by at least one in the last of them. */
static bool is_shortest(const lc_num_view *v)
{
    int64_t places = v->exp < 0 ? -v->exp : 0, top = v->exp + (int64_t)mpz_sizeinbase(v->mant, 2);
    return top + places * 10 / 3 + 1 < v->precision;
}

static void add_positional(lc_buf *buf, const decimal *d)
{
    if (d->exp <= 0)
        lc_buf_add_char(buf, '0');
    for (int64_t i = 0; i < d->exp; i++)
        lc_buf_add_char(buf, digit_at(d, (size_t)i));
    if ((int64_t)d->count <= d->exp)
        return;
    lc_buf_add_char(buf, '.');
    for (int64_t i = d->exp; i < 0; i++)
        lc_buf_add_char(buf, '0');
    for (size_t i = d->exp > 0 ? (size_t)d->exp : 0; i < d->count; i++)
        lc_buf_add_char(buf, d->digits[i]);
}

/* At least two digits. */
static void add_exponent(lc_buf *buf, char e, long long exp)
{
    uint64_t magnitude = exp < 0 ? (uint64_t)-exp : (uint64_t)exp;
    lc_buf_add_char(buf, e);
    lc_buf_add_char(buf, exp < 0 ? '-' : '+');
    if (magnitude < 10)
        lc_buf_add_char(buf, '0');
    lc_buf_add_uint(buf, magnitude);
}

static void add_scientific(lc_buf *buf, const decimal *d)
{
    lc_buf_add_char(buf, digit_at(d, 0));
    if (d->count > 1) {
        lc_buf_add_char(buf, '.');
        lc_buf_add(buf, d->digits + 1, d->count - 1);
    }
    long long exp = d->count ? (long long)d->exp - 1 : 0;
    add_exponent(buf, 'e', exp);
}

/* Writes the sign, and infinities and zeros completely (true). */
static bool add_special(lc_buf *buf, const lc_num_view *v)
{
    if (v->inf) {
        lc_buf_add_c(buf, v->negative ? "-Inf" : "+Inf");
        return true;
    }
    if (v->negative)
        lc_buf_add_char(buf, '-');
    if (mpz_sgn(v->mant) != 0)
        return false;
    lc_buf_add_char(buf, '0');
    return true;
}

/* Writes the sign, and infinities and zeros completely (false). Else `d` gets the shortest digits,
 * in `room` or on the heap. */
static bool begin(lc_buf *buf, lc_num n, decimal *d, char room[LC_SHORT_DIGITS + 1])
{
    if (short_digits(d, n, room)) {
        if (n.big->negative)
            lc_buf_add_char(buf, '-');
        return true;
    }
    lc_num_view v;
    lc_num_view_of(&v, &n);
    if (add_special(buf, &v))
        return false;
    *d = leading_digits(v.mant, v.exp);
    if (!lc_num_is_inline(n) && !is_shortest(&v))
        shorten(d, &v);
    return true;
}

static void release(const decimal *d, const char *room)
{
    if (d->digits < room || d->digits > room + LC_SHORT_DIGITS)
        lc_heap_free(d->digits);
}

void lc_num_add_text(lc_buf *buf, lc_num n)
{
    decimal d;
    char room[LC_SHORT_DIGITS + 1];
    if (lc_num_is_inline(n)) {
        lc_buf_add_int(buf, n.small);
    } else if (begin(buf, n, &d, room)) {
        add_positional(buf, &d);
        release(&d, room);
    }
}

/* %g: exponent form if the exponent is below -4 or at least `limit`. */
static void add_general(lc_buf *buf, const decimal *d, int64_t limit)
{
    int64_t exp = d->exp - 1;
    if (d->count && (exp < -4 || exp >= limit))
        add_scientific(buf, d);
    else
        add_positional(buf, d);
}

/* Small whole numbers, which are nearly all numbers, have the text of an integer. */
void lc_num_add_go(lc_buf *buf, lc_num n)
{
    decimal d;
    char room[LC_SHORT_DIGITS + 1];
    if (lc_num_is_inline(n) && n.small > -1000000 && n.small < 1000000) {
        lc_buf_add_int(buf, n.small);
    } else if (begin(buf, n, &d, room)) {
        add_general(buf, &d, 6);
        release(&d, room);
    }
}

/* The limit is that of %g in Go's ftoa.go: the precision, or the number of digits if that is
 * smaller and enough for the whole part. */
static void add_hash_form(lc_buf *buf, const decimal *d)
{
    int64_t limit = HASH_DIGITS;
    if (limit > (int64_t)d->count && (int64_t)d->count >= d->exp)
        limit = (int64_t)d->count;
    add_general(buf, d, limit);
}

void lc_num_add_hash_text(lc_buf *buf, lc_num n)
{
    decimal d;
    char room[LC_SHORT_DIGITS + 1];
    if (lc_num_is_inline(n) && n.small > -1000000000 && n.small < 1000000000) {
        lc_buf_add_int(buf, n.small);
        return;
    }
    if (short_digits(&d, n, room) && d.count <= HASH_DIGITS) {
        if (n.big->negative)
            lc_buf_add_char(buf, '-');
        add_hash_form(buf, &d);
        return;
    }
    lc_num_view v;
    lc_num_view_of(&v, &n);
    if (add_special(buf, &v))
        return;
    d = leading_digits(v.mant, v.exp);
    round_digits(&d, HASH_DIGITS);
    add_hash_form(buf, &d);
    lc_heap_free(d.digits);
}

/* ---- Formats: Go's big.Float.Text with a precision. */

/* One digit before the point and `places` after it. */
static void add_exponent_form(lc_buf *buf, const decimal *d, int64_t places, char e)
{
    lc_buf_add_char(buf, digit_at(d, 0));
    if (places > 0)
        lc_buf_add_char(buf, '.');
    for (int64_t i = 1; i <= places; i++)
        lc_buf_add_char(buf, digit_at(d, (size_t)i));
    long long exp = d->count ? (long long)d->exp - 1 : 0;
    add_exponent(buf, e, exp);
}

static void add_fixed_form(lc_buf *buf, const decimal *d, int64_t places)
{
    if (d->exp <= 0)
        lc_buf_add_char(buf, '0');
    for (int64_t i = 0; i < d->exp; i++)
        lc_buf_add_char(buf, digit_at(d, (size_t)i));
    if (places > 0)
        lc_buf_add_char(buf, '.');
    for (int64_t i = d->exp; i < d->exp + places; i++)
        lc_buf_add_char(buf, i < 0 ? '0' : digit_at(d, (size_t)i));
}

/* %g chooses: exponent form if the exponent is below -4 or not below the precision. */
static void add_chosen_form(lc_buf *buf, const decimal *d, int64_t precision, char e)
{
    int64_t digits = (int64_t)d->count, limit = precision;
    if (precision < 0)
        limit = 6;
    else if (limit > digits && digits >= d->exp)
        limit = digits;
    if (precision < 0 || precision > digits)
        precision = digits;
    int64_t exp = digits ? d->exp - 1 : -1;
    if (exp < -4 || exp >= limit)
        add_exponent_form(buf, d, precision - 1, e);
    else
        add_fixed_form(buf, d, digits > d->exp ? digits - d->exp : 0);
}

/* Digits that a format needs; in fixed form also those before the point. */
static double digits_needed(const lc_num_view *v, char format, int64_t precision)
{
    double whole = ((double)mpz_sizeinbase(v->mant, 2) + (double)v->exp) * LOG10_OF_2;
    double before = format == 'f' && whole > 0 ? whole : 0;
    return before + (double)(precision < 0 ? 0 : precision) + 2;
}

bool lc_num_add_float(lc_buf *buf, lc_num n, char format, int64_t precision)
{
    lc_num_view v;
    lc_num_view_of(&v, &n);
    if (v.inf) {
        lc_buf_add_c(buf, "Inf");
        return true;
    }
    double needed = digits_needed(&v, format, precision);
    if (needed > LC_MAX_FLOAT_DIGITS)
        return false;
    bool general = format == 'g' || format == 'G';
    if (general && precision == 0)
        precision = 1;
    decimal d = some_digits(v.mant, v.exp, needed < KEPT_DIGITS ? KEPT_DIGITS : (size_t)needed);
    int64_t kept = general ? precision : format == 'f' ? d.exp + precision : precision + 1;
    if (precision < 0 && n.big && mpz_sgn(v.mant) != 0)
        shorten(&d, &v);
    else if (precision >= 0 && kept >= 0)
        round_digits(&d, (size_t)kept);
    if (general)
        add_chosen_form(buf, &d, precision, format == 'g' ? 'e' : 'E');
    else if (format == 'f')
        add_fixed_form(buf, &d, precision);
    else
        add_exponent_form(buf, &d, precision, format);
    lc_heap_free(d.digits);
    return true;
}

bool lc_num_add_whole(lc_buf *buf, lc_num n, int base)
{
    lc_num_view v;
    lc_num_view_of(&v, &n);
    if (v.inf || v.exp < 0 || v.exp > LC_MAX_FLOAT_DIGITS)
        return false;
    mpz_t whole;
    mpz_init(whole);
    mpz_mul_2exp(whole, v.mant, (mp_bitcnt_t)v.exp);
    char *digits = lc_heap_alloc(mpz_sizeinbase(whole, base) + 2);
    mpz_get_str(digits, base, whole);
    lc_buf_add_c(buf, digits);
    lc_heap_free(digits);
    mpz_clear(whole);
    return true;
}

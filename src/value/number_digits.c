/* Whole numbers from digits of any base. */
#include "value/number_internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"

/* The value of a digit; 62: not a digit. */
static unsigned digit_value(char c, unsigned base)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + (base > 36 ? 36 : 10);
    return 62;
}

/* GMP needs digits as values. */
static bool digits_to_mpz(mpz_t out, lc_str digits, unsigned base)
{
    /* GMP's own letters: up to base 36 both cases are alike, above it capital ones come first. */
    static const char low[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    static const char high[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char *text = lc_heap_alloc(digits.len + 1);
    bool ok = digits.len > 0;
    for (size_t i = 0; ok && i < digits.len; i++) {
        unsigned value = digit_value(digits.ptr[i], base);
        ok = value < base;
        if (ok)
            text[i] = base > 36 ? high[value] : low[value];
    }
    text[digits.len] = 0;
    ok = ok && mpz_set_str(out, text, (int)base) == 0;
    lc_heap_free(text);
    return ok;
}

/* As many bits as the number has, and at least 64. */
lc_num_parse lc_num_from_digits(lc_num *out, lc_arena *arena, lc_str digits, unsigned base)
{
    bool negative = lc_str_starts_with(digits, LC_STR("-"));
    if (negative || lc_str_starts_with(digits, LC_STR("+")))
        digits = lc_str_sub(digits, 1, digits.len);
    if (digits.len > LC_MAX_DIGITS)
        return LC_NUM_TOO_LONG;
    mpz_t mant;
    mpz_init(mant);
    bool ok = digits_to_mpz(mant, digits, base);
    size_t bits = mpz_sizeinbase(mant, 2);
    bool fits = bits <= UINT16_MAX;
    if (ok && fits)
        *out = lc_num_make(arena, negative && mpz_sgn(mant) != 0, mant, 0,
                           (uint16_t)(bits > LC_INT_PRECISION ? bits : LC_INT_PRECISION));
    mpz_clear(mant);
    return !ok ? LC_NUM_BAD : fits ? LC_NUM_OK : LC_NUM_TOO_LONG;
}

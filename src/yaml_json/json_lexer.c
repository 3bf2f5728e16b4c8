/* The tokens of JSON text. Strings are read in two steps: the first finds the closing quote and
 * checks everything, the second decodes, which most strings do not need. */
#include "lifecheck/yaml_json/json_lexer.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "yaml_json/json_skip.h"

#include <string.h>

static bool fail(lc_json_lexer *l, lc_json_fault fault, const char *from)
{
    l->fault = fault;
    l->fault_from = from;
    return false;
}

/* ---- Strings. */

/* Four hexadecimal digits at `at`; -1 if they are missing, and *bad is the first other character.
 */
static long hex4(const char *at, const char *end, const char **bad)
{
    long unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = at + i < end ? lc_hex_digit(at[i]) : -1;
        if (digit < 0) {
            *bad = at + i;
            return -1;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

static const char escape_names[] = "\"\\/bfnrt", escaped[] = "\"\\/\b\f\n\r\t";

/* Past an escape. *spare: by how much it is at least longer than the character that it encodes. */
static bool check_escape(lc_json_lexer *l, size_t *spare)
{
    const char *backslash = l->at++;
    int c = lc_json_lex_peek(l);
    if (c == 'u') {
        if (hex4(l->at + 1, l->end, &l->at) < 0)
            return fail(l, LC_JSON_BAD_HEX, backslash);
        l->at += 5;
        *spare += 3; /* of six bytes; no code unit takes more than three, and a pair takes four */
        return true;
    }
    if (c <= 0 || !strchr(escape_names, c))
        return fail(l, LC_JSON_BAD_ESCAPE, backslash);
    l->at++;
    *spare += 1;
    return true;
}

#define EACH_BYTE(n)    (0x0101010101010101u * (n))
#define ANY_BELOW(w, n) (((w)-EACH_BYTE(n)) & ~(w)&EACH_BYTE(0x80))
#define ANY_EQUAL(w, c) ANY_BELOW((w) ^ EACH_BYTE((unsigned char)(c)), 1)

/* Past characters that denote themselves, eight bytes at a time. The lowest flag is that of the
 * first byte that ends the run; higher ones may be set by a borrow, so that where the first byte is
 * the highest it is looked for. */
static void skip_plain(lc_json_lexer *l)
{
    const char *at = l->at;
    for (uint64_t word; (size_t)(l->end - at) >= sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        uint64_t ends = ANY_BELOW(word, 0x20) | ANY_EQUAL(word, '"') | ANY_EQUAL(word, '\\');
        if (!ends)
            continue;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        l->at = at + __builtin_ctzll(ends) / 8;
        return;
#else
        break;
#endif
    }
    while (at < l->end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
        at++;
    l->at = at;
}

/* To the closing quote of the string whose opening one is at `opening`. */
static bool find_quote(lc_json_lexer *l, const char *opening, size_t *spare)
{
    *spare = 0;
    for (;;) {
        skip_plain(l);
        int c = lc_json_lex_peek(l);
        if (c == '"')
            return true;
        if (c != '\\')
            return fail(l, c < 0 ? LC_JSON_OPEN_STRING : LC_JSON_CONTROL, opening);
        if (!check_escape(l, spare))
            return false;
    }
}

/* The code point of the \u escape whose digits begin at *at; a pair of surrogates is read as one,
 * half a pair is U+FFFD. */
static uint32_t decode_unicode(const char **at, const char *end)
{
    const char *ignored;
    uint32_t unit = (uint32_t)hex4(*at, end, &ignored);
    *at += 4;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    if (unit < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        long low = hex4(*at + 2, end, &ignored);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *at += 6;
            return 0x10000 + ((unit - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
        }
    }
    return 0xFFFD;
}

/* The character that the checked escape at *at encodes; returns how many bytes that is. */
static size_t decode_escape(char *out, const char **at, const char *end)
{
    char c = (*at)[1];
    *at += 2;
    if (c == 'u')
        return lc_utf8_put(out, decode_unicode(at, end));
    *out = escaped[strchr(escape_names, c) - escape_names];
    return 1;
}

/* Up to the next escape, with U+FFFD for each byte that is not UTF-8. */
static size_t mend(char *out, lc_str raw, const char **at)
{
    size_t len = 0, from = (size_t)(*at - raw.ptr);
    while (from < raw.len && raw.ptr[from] != '\\') {
        uint32_t rune = lc_utf8_next(raw, &from);
        len += lc_utf8_put(out + len, rune == LC_RUNE_BAD ? 0xFFFD : rune);
    }
    *at = raw.ptr + from;
    return len;
}

/* The checked bytes between the quotes, decoded to at most `room` bytes. */
static lc_str decode(lc_json_lexer *l, lc_str raw, size_t room, bool bad_utf8)
{
    const char *at = raw.ptr, *end = raw.ptr + raw.len;
    char *out = lc_arena_alloc(l->arena, room);
    size_t len = 0;
    while (at < end) {
        if (*at == '\\') {
            len += decode_escape(out + len, &at, end);
        } else if (bad_utf8) {
            len += mend(out + len, raw, &at);
        } else {
            const char *next = memchr(at, '\\', (size_t)(end - at));
            size_t run = (size_t)((next ? next : end) - at);
            memcpy(out + len, at, run);
            len += run;
            at += run;
        }
    }
    return (lc_str){out, len};
}

bool lc_json_lex_string(lc_json_lexer *l, lc_str *out)
{
    const char *opening = l->at++;
    size_t spare;
    if (!find_quote(l, opening, &spare))
        return false;
    lc_str raw = {opening + 1, (size_t)(l->at++ - opening - 1)};
    if (!out)
        return true;
    bool bad_utf8 = l->like_go && !lc_utf8_valid(raw);
    l->mended |= bad_utf8;
    if (bad_utf8)
        *out = decode(l, raw, lc_mul_size(raw.len, 3), true);
    else
        *out = spare ? decode(l, raw, raw.len - spare, false) : raw;
    return true;
}

/* ---- Numbers and words. */

static bool skip_digits(lc_json_lexer *l)
{
    const char *from = l->at;
    while (lc_is_digit(lc_json_lex_peek(l)))
        l->at++;
    return l->at > from;
}

static bool skip_if(lc_json_lexer *l, char a, char b)
{
    int c = lc_json_lex_peek(l);
    if (c != a && c != b)
        return false;
    l->at++;
    return true;
}

bool lc_json_lex_number(lc_json_lexer *l, lc_str *out)
{
    const char *from = l->at;
    skip_if(l, '-', '-');
    const char *whole = l->at;
    if (!skip_digits(l))
        return fail(l, LC_JSON_NO_DIGIT, from);
    if (*whole == '0' && l->at - whole > 1) {
        if (!l->like_go)
            return fail(l, LC_JSON_ZERO_FIRST, from);
        l->at = whole + 1;
    }
    if (skip_if(l, '.', '.') && !skip_digits(l))
        return fail(l, LC_JSON_NO_FRACTION, from);
    if (skip_if(l, 'e', 'E')) {
        skip_if(l, '+', '-');
        if (!skip_digits(l))
            return fail(l, LC_JSON_NO_EXPONENT, from);
    }
    *out = (lc_str){from, (size_t)(l->at - from)};
    return !l->limits || out->len <= l->limits->digits || fail(l, LC_JSON_LONG_NUMBER, from);
}

bool lc_json_lex_word(lc_json_lexer *l, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(l->end - l->at) < len || memcmp(l->at, word, len) != 0)
        return fail(l, LC_JSON_OTHER_WORD, l->at);
    l->at += len;
    return true;
}

/* ---- Containers and whole values. */

static bool skip_string(lc_json_lexer *l)
{
    l->at++;
    skip_plain(l);
    while (lc_json_lex_peek(l) == '\\') {
        l->at += l->end - l->at > 1 ? 2 : 1;
        skip_plain(l);
    }
    if (lc_json_lex_peek(l) != '"')
        return fail(l, LC_JSON_OPEN_STRING, l->at);
    l->at++;
    return true;
}

/* Past a scalar or one bracket. */
static bool skip_token(lc_json_lexer *l, size_t *depth)
{
    lc_str ignored;
    switch (lc_json_lex_peek(l)) {
    case -1:
        return fail(l, LC_JSON_CUT_OFF, l->at);
    case '"':
        return skip_string(l);
    case '{':
    case '[':
        if (++*depth > l->limits->json_depth)
            return fail(l, LC_JSON_TOO_DEEP, l->at);
        l->at++;
        return true;
    case '}':
    case ']':
        if (*depth == 0)
            return fail(l, LC_JSON_NO_VALUE, l->at);
        --*depth;
        l->at++;
        return true;
    case 't':
        return lc_json_lex_word(l, "true");
    case 'f':
        return lc_json_lex_word(l, "false");
    case 'n':
        return lc_json_lex_word(l, "null");
    default:
        return lc_json_lex_number(l, &ignored);
    }
}

bool lc_json_lex_skip(lc_json_lexer *l, lc_str *out)
{
    size_t depth = 0;
    lc_json_lex_space(l);
    const char *from = l->at;
    int c = lc_json_lex_peek(l);
    if ((c == '{' || c == '[') && lc_json_skip_container(l)) {
        *out = (lc_str){from, (size_t)(l->at - from)};
        return true;
    }
    while (skip_token(l, &depth)) {
        if (depth == 0) {
            *out = (lc_str){from, (size_t)(l->at - from)};
            return true;
        }
        lc_json_lex_space(l);
        while (skip_if(l, ',', ':'))
            lc_json_lex_space(l);
    }
    return false;
}

/* The JSON scanner of the codec: tokens over the cursor, no tree. The grammar is RFC 8259's; what
 * Go's decoder forgives inside strings is forgiven here too (values-and-wire 3.6). */
#include "codec/internal.h"
#include "lifecheck/ascii.h"
#include "lifecheck/limits.h"
#include "lifecheck/utf8.h"

#include <string.h>

void lc_json_scan_space(lc_json_scan *s)
{
    while (s->in.at < s->in.end && lc_is_space(*s->in.at))
        s->in.at++;
}

int lc_json_scan_peek(lc_json_scan *s)
{
    lc_json_scan_space(s);
    return cursor_peek(&s->in);
}

static bool refuse(lc_json_scan *s, const char *message)
{
    return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, cursor_offset(&s->in), "%s", message);
}

static const char *found_word(int c)
{
    switch (c) {
    case '{':
        return "an object";
    case '[':
        return "an array";
    case '"':
        return "a string";
    case 't':
    case 'f':
        return "a bool";
    case 'n':
        return "null";
    default:
        return c == '-' || lc_is_digit(c) ? "a number" : "something else";
    }
}

bool lc_json_scan_unexpected(lc_json_scan *s, const char *what)
{
    int c = lc_json_scan_peek(s);
    if (c < 0)
        return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, cursor_offset(&s->in),
                               "the text ends where %s is required", what);
    return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, cursor_offset(&s->in),
                           "%s is required, found %s", what, found_word(c));
}

bool lc_json_scan_char(lc_json_scan *s, char c, const char *what)
{
    if (lc_json_scan_peek(s) != (unsigned char)c)
        return lc_json_scan_unexpected(s, what);
    s->in.at++;
    return true;
}

/* ---- Strings. */

/* Four hex digits at `at`; -1 if they are not there. */
static long hex4(const lc_byte_cursor *in, const char *at)
{
    if (in->end - at < 4)
        return -1;
    long n = 0;
    for (int i = 0; i < 4; i++) {
        int digit = lc_hex_digit(at[i]);
        if (digit < 0)
            return -1;
        n = n * 16 + digit;
    }
    return n;
}

/* Skip to the closing quote, checking escapes and control characters. *plain: the bytes between
 * the quotes are the string. */
static bool find_quote(lc_json_scan *s, bool *plain, bool *ascii)
{
    *plain = *ascii = true;
    for (; s->in.at < s->in.end; s->in.at++) {
        unsigned char c = (unsigned char)*s->in.at;
        if (c == '"')
            return true;
        if (c < 0x20)
            return refuse(s, "a control character stands in a string");
        if (c >= 0x80)
            *ascii = false;
        if (c != '\\')
            continue;
        *plain = false;
        s->in.at++;
        int escape = cursor_peek(&s->in);
        if (escape < 0)
            break;
        if (escape == 'u' && hex4(&s->in, s->in.at + 1) < 0)
            return refuse(s, "four hexadecimal digits are required after \\u");
        if (!strchr("\"\\/bfnrtu", escape) || escape == 0)
            return refuse(s, "an unknown escape stands in a string");
    }
    return refuse(s, "the text ends in a string");
}

static char simple_escape(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}

/* The code point of the \u escape whose digits begin at *at; a pair is read as one, half a pair
 * gives U+FFFD. */
static uint32_t unicode_escape(const lc_byte_cursor *in, const char **at)
{
    uint32_t unit = (uint32_t)hex4(in, *at);
    *at += 4;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    if (unit < 0xDC00 && in->end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        long low = hex4(in, *at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *at += 6;
            return 0x10000 + ((unit - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
        }
    }
    return 0xFFFD;
}

/* Decode the string whose checked bytes are from..to. It never grows except for invalid bytes,
 * each of which becomes three. */
static lc_str unescape(lc_json_scan *s, const char *from, const char *to)
{
    lc_byte_cursor in = {from, from, to};
    lc_str raw = {from, (size_t)(to - from)};
    char *out = lc_arena_alloc(s->arena, lc_mul_size(raw.len, lc_utf8_valid(raw) ? 1 : 3));
    size_t len = 0;
    for (const char *at = from; at < to;) {
        uint32_t rune;
        if (*at != '\\') {
            size_t offset = (size_t)(at - from);
            rune = lc_utf8_next(raw, &offset);
            at = from + offset;
            if (rune == LC_RUNE_BAD) {
                s->notes |= LC_WIRE_NOTE_BAD_UTF8;
                rune = 0xFFFD;
            }
        } else if (at[1] == 'u') {
            at += 2;
            rune = unicode_escape(&in, &at);
        } else {
            rune = (unsigned char)simple_escape(at[1]);
            at += 2;
        }
        len += lc_utf8_put(out + len, rune);
    }
    return (lc_str){out, len};
}

bool lc_json_scan_string(lc_json_scan *s, lc_str *out)
{
    if (!lc_json_scan_char(s, '"', "a string"))
        return false;
    const char *from = s->in.at;
    bool plain, ascii;
    if (!find_quote(s, &plain, &ascii))
        return false;
    lc_str raw = {from, (size_t)(s->in.at - from)};
    s->in.at++;
    *out = plain && (ascii || lc_utf8_valid(raw)) ? raw : unescape(s, from, from + raw.len);
    return true;
}

/* ---- Numbers and words. */

static bool skip_digits(lc_json_scan *s)
{
    const char *from = s->in.at;
    while (s->in.at < s->in.end && lc_is_digit(*s->in.at))
        s->in.at++;
    return s->in.at > from;
}

static bool skip_if(lc_json_scan *s, char a, char b)
{
    int c = cursor_peek(&s->in);
    if (c != (unsigned char)a && c != (unsigned char)b)
        return false;
    s->in.at++;
    return true;
}

bool lc_json_scan_number(lc_json_scan *s, lc_str *out)
{
    lc_json_scan_space(s);
    const char *from = s->in.at;
    skip_if(s, '-', '-');
    if (!skip_if(s, '0', '0') && !skip_digits(s))
        return refuse(s, "a digit is required");
    if (skip_if(s, '.', '.') && !skip_digits(s))
        return refuse(s, "a digit is required after the decimal point");
    if (skip_if(s, 'e', 'E')) {
        skip_if(s, '+', '-');
        if (!skip_digits(s))
            return refuse(s, "a digit is required in the exponent");
    }
    *out = (lc_str){from, (size_t)(s->in.at - from)};
    return true;
}

bool lc_json_scan_word(lc_json_scan *s, const char *word)
{
    lc_json_scan_space(s);
    lc_str found;
    lc_byte_cursor ahead = s->in;
    if (!cursor_take(&ahead, strlen(word), &found) || !lc_str_is(found, word))
        return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, cursor_offset(&s->in),
                               "'%s' is required", word);
    s->in = ahead;
    return true;
}

/* ---- Whole values. */

bool lc_json_scan_more(lc_json_scan *s, bool first, char close, bool *more)
{
    int c = lc_json_scan_peek(s);
    if (c == (unsigned char)close) {
        s->in.at++;
        *more = false;
        return true;
    }
    *more = true;
    if (first)
        return c < 0 ? refuse(s, "the text ends in a value") : true;
    if (c != ',')
        return lc_json_scan_unexpected(s, close == ']' ? "',' or ']'" : "',' or '}'");
    s->in.at++;
    return true;
}

static bool skip_value(lc_json_scan *s, unsigned depth);

static bool skip_string(lc_json_scan *s)
{
    bool plain, ascii;
    if (!lc_json_scan_char(s, '"', "a string") || !find_quote(s, &plain, &ascii))
        return false;
    s->in.at++;
    return true;
}

static bool skip_container(lc_json_scan *s, char close, unsigned depth)
{
    if (depth >= LC_MAX_DEPTH)
        return lc_codec_refuse(s->trouble, LC_WIRE_ACCEPTS, cursor_offset(&s->in),
                               "nested deeper than %d levels", LC_MAX_DEPTH);
    s->in.at++;
    for (bool first = true;; first = false) {
        bool more;
        if (!lc_json_scan_more(s, first, close, &more))
            return false;
        if (!more)
            return true;
        if (close == '}' && (!skip_string(s) || !lc_json_scan_char(s, ':', "':'")))
            return false;
        if (!skip_value(s, depth + 1))
            return false;
    }
}

static bool skip_value(lc_json_scan *s, unsigned depth)
{
    lc_str number;
    int c = lc_json_scan_peek(s);
    switch (c) {
    case '{':
        return skip_container(s, '}', depth);
    case '[':
        return skip_container(s, ']', depth);
    case '"':
        return skip_string(s);
    case 't':
        return lc_json_scan_word(s, "true");
    case 'f':
        return lc_json_scan_word(s, "false");
    case 'n':
        return lc_json_scan_word(s, "null");
    default:
        if (c == '-' || lc_is_digit(c))
            return lc_json_scan_number(s, &number);
        return lc_json_scan_unexpected(s, "a value");
    }
}

bool lc_json_scan_skip(lc_json_scan *s, lc_str *out, unsigned depth)
{
    lc_json_scan_space(s);
    const char *from = s->in.at;
    if (!skip_value(s, depth))
        return false;
    *out = (lc_str){from, (size_t)(s->in.at - from)};
    return true;
}

/* UTF-8, with Go's definition of invalid input: surrogates, overlong forms and code points above
 * U+10FFFF are invalid, one byte at a time. Outputs then agree byte by byte with those of the
 * cores. */
#include "lifecheck/base/utf8.h"

#include "lifecheck/base/arena.h"

#include <string.h>

/* The length of the sequence that begins with `lead`; 0 if none does. C0 and C1 begin overlong
 * forms only. */
static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

uint32_t lc_utf8_next(lc_str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.ptr + *at;
    size_t left = s.len - *at, n = sequence_length(p[0]);
    *at += 1;
    if (n == 1)
        return p[0];
    if (n == 0 || n > left)
        return LC_RUNE_BAD;
    uint32_t rune = p[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return LC_RUNE_BAD;
        rune = rune << 6 | (p[i] & 0x3F);
    }
    if ((n == 3 && rune < 0x800) || (n == 4 && rune < 0x10000) || rune > 0x10FFFF ||
        (rune >= 0xD800 && rune <= 0xDFFF))
        return LC_RUNE_BAD;
    *at += n - 1;
    return rune;
}

/* Includes line separators and changes of direction (U+2028 to U+202E, U+2066 to U+2069), with
 * which a string can look different from what it is. */
bool lc_rune_is_control(uint32_t rune)
{
    return rune < 0x20 || (rune >= 0x7f && rune < 0xa0) || rune == LC_RUNE_BAD ||
           (rune >= 0x2028 && rune <= 0x202e) || (rune >= 0x2066 && rune <= 0x2069);
}

/* Does the line begin a command of a CI system: `::error ...` (GitHub), `##vso[...]` (Azure),
 * `##teamcity[...]`? */
static bool is_command(lc_str line)
{
    return lc_str_starts_with(line, LC_STR("::")) ||
           (lc_str_starts_with(line, LC_STR("##")) && line.len > 2 && line.ptr[2] != '#' &&
            line.ptr[2] != ' ' && line.ptr[2] != '\n');
}

void lc_defuse_commands(char *bytes, size_t len)
{
    bool begins = true;
    for (size_t i = 0; i < len; i++) {
        if (begins && is_command((lc_str){bytes + i, len - i}))
            bytes[i] = '?';
        begins = bytes[i] == '\n' || (begins && (bytes[i] == ' ' || bytes[i] == '\t'));
    }
}

/* Escaping does not change the JSON value: all such characters are inside of strings. */
void lc_buf_add_inert_json(lc_buf *out, lc_str json)
{
    size_t from = 0;
    for (size_t at = 0; at < json.len;) {
        size_t start = at;
        uint32_t rune = lc_utf8_next(json, &at);
        if (rune < 0x7f || rune == LC_RUNE_BAD || !lc_rune_is_control(rune))
            continue;
        lc_buf_add_str(out, lc_str_sub(json, from, start));
        lc_buf_printf(out, "\\u%04x", (unsigned)rune);
        from = at;
    }
    lc_buf_add_str(out, lc_str_sub(json, from, json.len));
}

/* Works in place, since a replacement is never longer than the original. */
size_t lc_utf8_replace_controls(char *bytes, size_t len, const char *but)
{
    size_t to = 0;
    for (size_t at = 0; at < len;) {
        size_t start = at;
        uint32_t rune = lc_utf8_next((lc_str){bytes, len}, &at);
        if (lc_rune_is_control(rune) && (rune == 0 || rune > 0x7f || !strchr(but, (int)rune))) {
            bytes[to++] = '?';
        } else {
            memmove(bytes + to, bytes + start, at - start);
            to += at - start;
        }
    }
    return to;
}

lc_str lc_str_on_one_line(lc_arena *arena, lc_str text)
{
    char *copy = lc_str_to_c(arena, text);
    return (lc_str){copy, lc_utf8_replace_controls(copy, text.len, "")};
}

size_t lc_utf8_put(char out[4], uint32_t rune)
{
    if (rune < 0x80) {
        out[0] = (char)rune;
        return 1;
    }
    if (rune < 0x800) {
        out[0] = (char)(0xC0 | rune >> 6);
        out[1] = (char)(0x80 | (rune & 0x3F));
        return 2;
    }
    if (rune < 0x10000) {
        out[0] = (char)(0xE0 | rune >> 12);
        out[1] = (char)(0x80 | (rune >> 6 & 0x3F));
        out[2] = (char)(0x80 | (rune & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | rune >> 18);
    out[1] = (char)(0x80 | (rune >> 12 & 0x3F));
    out[2] = (char)(0x80 | (rune >> 6 & 0x3F));
    out[3] = (char)(0x80 | (rune & 0x3F));
    return 4;
}

/* Eight bytes at a time: nearly all bytes of nearly all strings are ASCII. */
size_t lc_ascii_end(lc_str s, size_t at)
{
    for (uint64_t word; s.len - at >= sizeof word; at += sizeof word) {
        memcpy(&word, s.ptr + at, sizeof word);
        if (word & 0x8080808080808080u)
            break;
    }
    while (at < s.len && (unsigned char)s.ptr[at] < 0x80)
        at++;
    return at;
}

size_t lc_utf8_first_bad(lc_str s)
{
    size_t at = lc_ascii_end(s, 0);
    while (at < s.len) {
        if ((unsigned char)s.ptr[at] < 0x80) {
            at = lc_ascii_end(s, at);
            continue;
        }
        size_t start = at;
        if (lc_utf8_next(s, &at) == LC_RUNE_BAD)
            return start;
    }
    return s.len;
}

bool lc_utf8_valid(lc_str s)
{
    return lc_utf8_first_bad(s) == s.len;
}

size_t lc_utf8_count(lc_str s)
{
    size_t at = 0, count = 0;
    while (at < s.len) {
        lc_utf8_next(s, &at);
        count++;
    }
    return count;
}

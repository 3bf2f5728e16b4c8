/* Base64 of RFC 4648 section 4: standard alphabet, padded, no white space, and no bits set that do
 * not reach the output, so that every byte string has exactly one text. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/codec/codec.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The six bits of a character, or -1. */
static int sextet(char c)
{
    if (lc_is_upper(c))
        return c - 'A';
    if (lc_is_lower(c))
        return c - 'a' + 26;
    if (lc_is_digit(c))
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* Number of padding characters at the end, at most two. */
static size_t padding(lc_str text)
{
    size_t n = 0;
    while (n < 2 && n < text.len && text.ptr[text.len - 1 - n] == '=')
        n++;
    return n;
}

bool lc_base64_decode(lc_str *out, lc_arena *arena, lc_str text, size_t *at)
{
    size_t pad = padding(text), digits = text.len - pad;
    char *bytes = lc_arena_alloc(arena, digits / 4 * 3 + 3);
    size_t len = 0;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < digits; i++) {
        int six = sextet(text.ptr[i]);
        if (six < 0) {
            *at = i;
            return false;
        }
        bits = bits << 6 | (uint32_t)six;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[len++] = (char)(bits >> held & 0xFF);
        }
    }
    if (text.len % 4) {
        *at = text.len;
        return false;
    }
    if (bits & ((1u << held) - 1)) { /* bits that no byte holds */
        *at = digits - 1;
        return false;
    }
    *out = (lc_str){bytes, len};
    return true;
}

/* protojson reads both alphabets, with and without padding. */
bool lc_base64_decode_any(lc_str *out, lc_arena *arena, lc_str text, size_t *at)
{
    char *plain = lc_arena_alloc(arena, text.len + 4);
    for (size_t i = 0; i < text.len; i++)
        plain[i] = text.ptr[i] == '-' ? '+' : text.ptr[i] == '_' ? '/' : text.ptr[i];
    size_t len = text.len;
    while (len % 4)
        plain[len++] = '=';
    return lc_base64_decode(out, arena, (lc_str){plain, len}, at);
}

void lc_base64_encode(lc_buf *buf, lc_str bytes)
{
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t bits = (uint32_t)(unsigned char)bytes.ptr[i] << 16;
        if (left > 1)
            bits |= (uint32_t)(unsigned char)bytes.ptr[i + 1] << 8;
        if (left > 2)
            bits |= (unsigned char)bytes.ptr[i + 2];
        char four[4] = {alphabet[bits >> 18], alphabet[bits >> 12 & 63], '=', '='};
        if (left > 1)
            four[2] = alphabet[bits >> 6 & 63];
        if (left > 2)
            four[3] = alphabet[bits & 63];
        lc_buf_add(buf, four, sizeof four);
    }
}

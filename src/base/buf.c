/* Growing byte buffers on the heap. Capacity doubles, so adding is amortised linear. */
#include "lifecheck/base/buf.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lc_buf_release(lc_buf *buf)
{
    lc_heap_free(buf->ptr);
    *buf = (lc_buf){0};
}

void lc_buf_clear(lc_buf *buf)
{
    buf->len = 0;
    buf->overflow = false;
}

/* Makes room for `len` more bytes. False: the limit would be exceeded, which is noted in
 * `overflow`. */
static bool reserve(lc_buf *buf, size_t len)
{
    size_t need = lc_add_size(buf->len, len);
    if (buf->limit && need > buf->limit) {
        buf->overflow = true;
        return false;
    }
    if (need > buf->capacity) {
        size_t capacity = buf->capacity ? buf->capacity : 64;
        while (capacity < need)
            capacity = lc_mul_size(capacity, 2);
        buf->ptr = lc_heap_resize(buf->ptr, capacity);
        buf->capacity = capacity;
    }
    return true;
}

void lc_buf_add(lc_buf *buf, const void *bytes, size_t len)
{
    if (len == 0 || !reserve(buf, len))
        return;
    memcpy(buf->ptr + buf->len, bytes, len);
    buf->len += len;
}

void lc_buf_add_str(lc_buf *buf, lc_str s)
{
    lc_buf_add(buf, s.ptr, s.len);
}

void lc_buf_add_c(lc_buf *buf, const char *text)
{
    lc_buf_add(buf, text, strlen(text));
}

void lc_buf_add_char(lc_buf *buf, char c)
{
    if (reserve(buf, 1))
        buf->ptr[buf->len++] = c;
}

void lc_buf_add_uint(lc_buf *buf, uint64_t n)
{
    char digits[20], *at = digits + sizeof digits;
    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    lc_buf_add(buf, at, (size_t)(digits + sizeof digits - at));
}

void lc_buf_add_int(lc_buf *buf, int64_t n)
{
    if (n < 0)
        lc_buf_add_char(buf, '-');
    lc_buf_add_uint(buf, n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n);
}

void lc_buf_printf(lc_buf *buf, const char *format, ...)
{
    va_list args;
    size_t room = buf->capacity - buf->len;
    va_start(args, format);
    /* Most strings fit into the room there is, so that they are formatted once. */
    int len = vsnprintf(room ? buf->ptr + buf->len : NULL, room, format, args);
    va_end(args);
    LC_ASSERT(len >= 0);
    if (!reserve(buf, (size_t)len + 1))
        return;
    if ((size_t)len >= room) {
        va_start(args, format);
        vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, args);
        va_end(args);
    }
    buf->len += (size_t)len;
}

static const char *short_escape(uint32_t rune)
{
    switch (rune) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    default:
        return NULL;
    }
}

/* With `html`, the characters that Go's encoding/json escapes to make JSON safe inside HTML. */
static bool needs_escape(uint32_t rune, bool html)
{
    if (rune < 0x20 || rune == '"' || rune == '\\')
        return true;
    return html && (rune == '<' || rune == '>' || rune == '&' || rune == 0x2028 || rune == 0x2029);
}

void lc_buf_add_json(lc_buf *buf, lc_str s, bool html)
{
    lc_buf_add_char(buf, '"');
    size_t at = 0, plain = 0;
    while (at < s.len) {
        size_t start = at;
        uint32_t rune = (unsigned char)s.ptr[at];
        if (rune < 0x80)
            at++; /* ASCII needs no decoding */
        else
            rune = lc_utf8_next(s, &at);
        if (rune != LC_RUNE_BAD && !needs_escape(rune, html))
            continue;
        lc_buf_add(buf, s.ptr + plain, start - plain);
        plain = at;
        if (rune == LC_RUNE_BAD)
            lc_buf_add_c(buf, html ? "\\ufffd" : "\xEF\xBF\xBD");
        else if (short_escape(rune))
            lc_buf_add_c(buf, short_escape(rune));
        else
            lc_buf_printf(buf, "\\u%04x", (unsigned)rune);
    }
    lc_buf_add_str(buf, lc_str_sub(s, plain, s.len));
    lc_buf_add_char(buf, '"');
}

/* Greedy: a word goes to the next line if it does not fit. */
void lc_buf_add_folded(lc_buf *buf, lc_str text, size_t column, size_t width, lc_str next)
{
    bool fresh = true;
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        end = at;
        while (end < text.len && text.ptr[end] != ' ' && text.ptr[end] != '\n')
            end++;
        lc_str word = lc_str_sub(text, at, end);
        size_t count = lc_utf8_count(word);
        if (!fresh && column + 1 + count > width) {
            lc_buf_add_char(buf, '\n');
            lc_buf_add_str(buf, next);
            column = lc_utf8_count(next);
        } else if (!fresh) {
            lc_buf_add_char(buf, ' ');
            column++;
        }
        lc_buf_add_str(buf, word);
        column += count;
        fresh = false;
    }
}

lc_str lc_buf_str(const lc_buf *buf)
{
    return (lc_str){buf->ptr ? buf->ptr : "", buf->len};
}

lc_str lc_buf_copy(lc_arena *arena, const lc_buf *buf)
{
    return lc_str_copy(arena, lc_buf_str(buf));
}

lc_str lc_buf_take(lc_arena *arena, lc_buf *buf)
{
    lc_str copy = lc_buf_copy(arena, buf);
    lc_buf_release(buf);
    return copy;
}

/* Within single quotes only the quote itself has a meaning; it is written between two such strings.
 */
void lc_add_shell_word(lc_buf *out, lc_str text)
{
    lc_buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'')
            lc_buf_add_c(out, "'\\''");
        else
            lc_buf_add_char(out, text.ptr[i]);
    }
    lc_buf_add_char(out, '\'');
}

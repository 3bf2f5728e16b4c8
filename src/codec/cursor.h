/* A checked cursor over bytes: the only way the codecs look at their input. Seen inside src/codec
 * only. Invariant: start <= at <= end; nothing beyond `end` is ever read. */
#ifndef LC_CODEC_CURSOR_H
#define LC_CODEC_CURSOR_H

#include "lifecheck/base/str.h"

typedef struct lc_byte_cursor {
    const char *start; /* offsets count from here */
    const char *at;
    const char *end;
} lc_byte_cursor;

static inline lc_byte_cursor cursor_over(lc_str s)
{
    const char *from = s.ptr ? s.ptr : "";
    return (lc_byte_cursor){from, from, from + s.len};
}

static inline size_t cursor_left(const lc_byte_cursor *c)
{
    return (size_t)(c->end - c->at);
}

static inline size_t cursor_offset(const lc_byte_cursor *c)
{
    return (size_t)(c->at - c->start);
}

/* The next byte, or -1 at the end. Does not advance. */
static inline int cursor_peek(const lc_byte_cursor *c)
{
    return c->at < c->end ? (unsigned char)*c->at : -1;
}

/* The next `len` bytes. False, without advancing, if there are fewer. */
static inline bool cursor_take(lc_byte_cursor *c, uint64_t len, lc_str *out)
{
    if (len > cursor_left(c))
        return false;
    *out = (lc_str){c->at, (size_t)len};
    c->at += len;
    return true;
}

/* An unsigned big-endian integer of `width` bytes, 1 to 8. */
static inline bool cursor_uint(lc_byte_cursor *c, unsigned width, uint64_t *out)
{
    if (width > cursor_left(c))
        return false;
    uint64_t n = 0;
    for (unsigned i = 0; i < width; i++)
        n = n << 8 | (unsigned char)c->at[i];
    c->at += width;
    *out = n;
    return true;
}

#endif

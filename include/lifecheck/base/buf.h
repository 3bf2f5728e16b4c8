/* A growing byte buffer on the heap, with an optional bound. Module base.
 *
 * The bytes belong to the buffer: release it, or take its contents with lc_buf_take. Adding never
 * fails, except that bytes beyond the limit are dropped. */
#ifndef LIFECHECK_BASE_BUF_H
#define LIFECHECK_BASE_BUF_H

#include "lifecheck/base/str.h"

/* Zero-initialise for a buffer without a bound: `lc_buf b = {0};`. */
typedef struct lc_buf {
    char *ptr;
    size_t len;
    size_t capacity;
    size_t limit; /* 0: none. An addition that would exceed it is dropped, and `overflow` is set */
    bool overflow;
} lc_buf;

/* Frees the bytes; the buffer is then empty and can be used again. */
void lc_buf_release(lc_buf *buf);
/* Empties the buffer, but keeps its memory and its limit. */
void lc_buf_clear(lc_buf *buf);
/* Append bytes, a string, a NUL-terminated text, a character, a formatted text. Everything is
 * copied. */
void lc_buf_add(lc_buf *buf, const void *bytes, size_t len);
void lc_buf_add_str(lc_buf *buf, lc_str s);
void lc_buf_add_c(lc_buf *buf, const char *text);
void lc_buf_add_char(lc_buf *buf, char c);
void lc_buf_add_uint(lc_buf *buf, uint64_t n); /* decimal */
void lc_buf_add_int(lc_buf *buf, int64_t n);   /* decimal */
void lc_buf_printf(lc_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends `s` as a JSON string with its quotes. Control characters, quotes and backslashes are
 * escaped; invalid UTF-8 becomes U+FFFD. With `html`, < > & U+2028 U+2029 are escaped as Go does
 * it. */
void lc_buf_add_json(lc_buf *buf, lc_str s, bool html);
/* Appends the words of `text`, separated by spaces or line breaks, in lines of at most `width` code
 * points. The first line continues at `column`; every further one begins with `next`. A longer word
 * gets a line of its own. No line break at the end. */
void lc_buf_add_folded(lc_buf *buf, lc_str text, size_t column, size_t width, lc_str next);
/* The contents; valid until the next change of the buffer. */
lc_str lc_buf_str(const lc_buf *buf);
/* A copy of the contents in `arena`. */
lc_str lc_buf_copy(lc_arena *arena, const lc_buf *buf);
/* A copy of the contents in `arena`; the buffer is released. */
lc_str lc_buf_take(lc_arena *arena, lc_buf *buf);
/* Appends a string as one word of a shell, in single quotes. */
void lc_add_shell_word(lc_buf *out, lc_str text);

#endif

/* UTF-8, decoded as Go does it. Module base. */
#ifndef LIFECHECK_BASE_UTF8_H
#define LIFECHECK_BASE_UTF8_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/str.h"

/* Represents an invalid byte. */
#define LC_RUNE_BAD 0xFFFFFFFFu

/* Decodes the code point at `s.ptr[*at]` and advances *at, which must be below s.len. Invalid input
 * gives LC_RUNE_BAD and advances one byte. */
uint32_t lc_utf8_next(lc_str s, size_t *at);
/* Characters that a terminal may obey or cannot show: control characters of both blocks, line
 * separators, changes of direction, LC_RUNE_BAD. */
bool lc_rune_is_control(uint32_t rune);
/* Replaces the first character of each line that a CI system would take for a command by `?`,
 * ignoring spaces before it. Works in place. */
void lc_defuse_commands(char *bytes, size_t len);
/* Appends JSON text, escaping control characters that JSON allows unescaped. */
void lc_buf_add_inert_json(lc_buf *out, lc_str json);
/* Replaces control characters by `?` in place, except those in `but`. Returns the new length, which
 * is not larger. */
size_t lc_utf8_replace_controls(char *bytes, size_t len, const char *but);
/* A copy with `?` for every control character and line break, as in comments. */
lc_str lc_str_on_one_line(lc_arena *arena, lc_str text);
/* Encodes a code point; returns the number of bytes, 1 to 4. */
size_t lc_utf8_put(char out[4], uint32_t rune);
/* The offset of the first byte at or after `at`, at most s.len, that is not ASCII; s.len if all
 * are.
 */
size_t lc_ascii_end(lc_str s, size_t at);
bool lc_utf8_valid(lc_str s);
/* Offset of the first invalid byte, or s.len. */
size_t lc_utf8_first_bad(lc_str s);
/* Number of code points; an invalid byte counts as one. */
size_t lc_utf8_count(lc_str s);

#endif

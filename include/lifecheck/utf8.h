/* UTF-8. Module base. */
#ifndef LIFECHECK_UTF8_H
#define LIFECHECK_UTF8_H

#include "lifecheck/buf.h"
#include "lifecheck/str.h"

#define LC_RUNE_BAD 0xFFFFFFFFu

/* The code point at `s.ptr[*at]`; advances *at. Invalid input gives LC_RUNE_BAD and advances one
 * byte, as Go's decoder does. *at must be below s.len. */
uint32_t lc_utf8_next(lc_str s, size_t *at);
/* What a terminal may obey, or cannot show: control characters of both blocks, LC_RUNE_BAD. */
bool lc_rune_is_control(uint32_t rune);
/* Lines that a CI system would take for a command get a `?` in the first place of it; blanks before
 * it do not count. */
void lc_defuse_commands(char *bytes, size_t len);
/* JSON with escapes for controls that JSON would let through. */
void lc_buf_add_inert_json(lc_buf *out, lc_str json);
/* Replaces controls, but those that `but` has, by `?` in place. Returns the length, which is not
 * larger. */
size_t lc_utf8_replace_controls(char *bytes, size_t len, const char *but);
/* Writes 1 to 4 bytes, returns how many. */
size_t lc_utf8_put(char out[4], uint32_t rune);
bool lc_utf8_valid(lc_str s);
/* Offset of the first invalid byte, or s.len. */
size_t lc_utf8_first_bad(lc_str s);
/* Number of code points; an invalid byte counts as one. */
size_t lc_utf8_count(lc_str s);

#endif

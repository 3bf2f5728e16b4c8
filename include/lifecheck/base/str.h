/* Byte strings with a length, and the status that functions return. Module base. */
#ifndef LIFECHECK_BASE_STR_H
#define LIFECHECK_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct lc_arena lc_arena;

/* LC_OK is zero. Anything else means that at least one error diagnostic was added where the
 * function takes an lc_diags. */
typedef enum lc_status {
    LC_OK = 0,
    LC_EINPUT, /* the input is wrong */
    LC_ELIMIT, /* the input is larger or deeper than a limit */
    LC_EIO,    /* the operating system refused to read or write */
} lc_status;

/* A string of bytes that are owned by someone else. Any byte may occur, also NUL; it need not end
 * in NUL. An empty string may have any pointer, also NULL. */
typedef struct lc_str {
    const char *ptr;
    size_t len;
} lc_str;

/* The empty text before it refuses everything but a literal, whose length alone is known here. */
#define LC_STR(literal) ((lc_str){"" literal, sizeof("" literal) - 1})
#define LC_STR_EMPTY    ((lc_str){"", 0})
/* Arguments for printf's "%.*s"; longer strings are cut off at a million bytes. */
#define LC_FMT(s) (int)((s).len > 1000000 ? 1000000 : (s).len), (s).ptr

/* Arguments for printf's "%s%.*s%s": `; did you mean "NAME"?`, or nothing if the name is empty. */
#define LC_FMT_NEAR(name)                                                                          \
    (name).len ? "; did you mean \"" : "", LC_FMT(name), (name).len ? "\"?" : ""

/* The bytes before the NUL, borrowed. */
lc_str lc_str_from_c(const char *text);
/* A copy in `arena`. */
lc_str lc_str_copy(lc_arena *arena, lc_str s);
/* A NUL-terminated copy in `arena`, for interfaces that need one. */
char *lc_str_to_c(lc_arena *arena, lc_str s);
/* A formatted string in `arena`. */
lc_str lc_str_printf(lc_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Equality, byte by byte. */
static inline bool lc_str_eq(lc_str a, lc_str b)
{
    return a.len == b.len && (a.ptr == b.ptr || a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}
/* Of a constant string the compiler knows the length, and mostly needs no call. */
static inline bool lc_str_is(lc_str a, const char *text)
{
    size_t len = strlen(text);
    return a.len == len && (len == 0 || memcmp(a.ptr, text, len) == 0);
}
/* Is the string one of `words`, which end with NULL? If so and `at` is not NULL, *at becomes the
 * index of the word; else *at is unchanged. */
bool lc_str_is_one_of(lc_str a, const char *const *words, size_t *at);
/* Is it the lowerCamelCase form of `snake`, a name in snake_case? */
bool lc_str_is_camel(lc_str a, const char *snake);
/* Order by unsigned bytes; a prefix comes before the longer string. */
int lc_str_cmp(lc_str a, lc_str b);
void lc_str_sort(lc_str *items, size_t count);
/* An empty prefix, suffix or part is found in every string. */
bool lc_str_starts_with(lc_str s, lc_str prefix);
bool lc_str_ends_with(lc_str s, lc_str suffix);
bool lc_str_contains(lc_str s, lc_str part);
/* The offset of the first such part; s.len if there is none. */
size_t lc_str_find_str(lc_str s, lc_str part);
/* The offset of the next byte `c` at or after `from`; s.len if there is no such byte, `from` if it
 * is beyond the end. */
size_t lc_str_find(lc_str s, size_t from, char c);
/* The bytes from `from` up to, but not including `to`, borrowed; from <= to <= s.len. */
lc_str lc_str_sub(lc_str s, size_t from, size_t to);
/* Does the whole string match a pattern with `*` and `?`? `*` also matches `/`. */
bool lc_str_matches_glob(lc_str s, lc_str pattern);
/* A 64-bit hash for tables. It differs from process to process, so nothing derived from it may
 * appear in output. */
uint64_t lc_str_hash(lc_str s);
/* Combines a hash with another word. */
uint64_t lc_hash_mix(uint64_t hash, uint64_t more);
/* Sets the keys of the hashes. Call at most once, before anything is hashed; without it hashes are
 * the same in every process. */
void lc_hash_seed(uint64_t first, uint64_t second);
/* Stable hashes, equal in all runs and versions, for output and files. Not for secrets: they can be
 * guessed. */
uint64_t lc_str_fingerprint(lc_str s);
uint64_t lc_fingerprint_join(uint64_t a, uint64_t b);

/* The candidate nearest to `word` by edit distance, if near enough to be a misspelling; else a
 * string of length 0. Borrowed from `candidates`. */
lc_str lc_str_nearest(lc_str word, const lc_str *candidates, size_t count);
/* The same for words that end with NULL. */
lc_str lc_str_nearest_word(lc_str word, const char *const *words);

/* The folder that contains a file or folder, as a part of its path; "." if the path has none. */
lc_str lc_file_folder(lc_str path);
/* The last part of the path. */
lc_str lc_file_name(lc_str path);
/* A word of a file name that represents any string: at most LC_FILE_WORD bytes of a-z, 0-9, `_` and
 * `.`, not beginning with `.`, and a fingerprint where the string is not such a word itself. So
 * other strings have other words, on file systems without upper case too. */
#define LC_FILE_WORD 100
lc_str lc_file_word(lc_arena *arena, lc_str text);
/* The last part of a path of any operating system: a backslash separates too. */
lc_str lc_foreign_file_name(lc_str path);

#endif

/* Byte strings with a length, and the status every fallible function returns. Module base. */
#ifndef LIFECHECK_STR_H
#define LIFECHECK_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lc_arena lc_arena;

/* LC_OK is zero. Anything else means that at least one error diagnostic was added where the
 * function takes an lc_diags. */
typedef enum lc_status {
    LC_OK = 0,
    LC_EINPUT, /* the input is wrong */
    LC_ELIMIT, /* the input is larger or deeper than a limit */
    LC_EIO,    /* the operating system refused to read or write */
} lc_status;

/* Bytes somewhere else: borrowed, any byte may occur (NUL too), never assumed to end in NUL. */
typedef struct lc_str {
    const char *ptr;
    size_t len;
} lc_str;

#define LC_STR(literal) ((lc_str){(literal), sizeof(literal) - 1})
#define LC_STR_EMPTY    ((lc_str){"", 0})
/* For printf: "%.*s", LC_FMT(s). */
#define LC_FMT(s) (int)((s).len > 1000000 ? 1000000 : (s).len), (s).ptr

/* Borrows the bytes before the NUL. */
lc_str lc_str_from_c(const char *text);
lc_str lc_str_copy(lc_arena *arena, lc_str s);
/* A NUL-terminated copy, for interfaces that need one. */
char *lc_str_to_c(lc_arena *arena, lc_str s);
/* A formatted string in `arena`. */
lc_str lc_str_printf(lc_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Byte for byte. */
bool lc_str_eq(lc_str a, lc_str b);
bool lc_str_is(lc_str a, const char *text);
/* Is it one of the words, which end with NULL? `at`, if not NULL, becomes the place of that word,
 * and stays as it is where there is none. */
bool lc_str_is_one_of(lc_str a, const char *const *words, size_t *at);
/* Order by unsigned bytes, shorter first on a common prefix. */
int lc_str_cmp(lc_str a, lc_str b);
void lc_str_sort(lc_str *items, size_t count);
bool lc_str_starts_with(lc_str s, lc_str prefix);
bool lc_str_ends_with(lc_str s, lc_str suffix);
bool lc_str_contains(lc_str s, lc_str part);
/* Where the next such byte stands, from `from` on; s.len: nowhere. What begins behind the end stays
 * where it is. */
size_t lc_str_find(lc_str s, size_t from, char c);
/* The bytes from..to, borrowed; from <= to <= s.len. */
lc_str lc_str_sub(lc_str s, size_t from, size_t to);
/* Shell-style pattern of `*` and `?` over the whole string; `*` also matches `/`. */
bool lc_str_matches_glob(lc_str s, lc_str pattern);
/* A 64-bit hash for tables: another one in every process, so nothing of it goes into an output. */
uint64_t lc_str_hash(lc_str s);
uint64_t lc_hash_mix(uint64_t hash, uint64_t more);
/* Once, before anything is hashed; without it hashes are the same in every process. */
void lc_hash_seed(uint64_t first, uint64_t second);
/* The same in every run of every version: for what is written down. Not for secrets. */
uint64_t lc_str_fingerprint(lc_str s);
uint64_t lc_fingerprint_join(uint64_t a, uint64_t b);

/* The candidate nearest to `word` by edit distance, if near enough to be a slip; else length 0. */
lc_str lc_str_nearest(lc_str word, const lc_str *candidates, size_t count);
/* The same of words that end with NULL. */
lc_str lc_str_nearest_word(lc_str word, const char *const *words);

/* The folder that a file or folder lies in, as a part of its path; "." if the path names none. */
lc_str lc_file_folder(lc_str path);
/* Its name in that folder. */
lc_str lc_file_name(lc_str path);
/* The last part of a path of any system: a backslash divides it too. */
lc_str lc_foreign_file_name(lc_str path);

#endif

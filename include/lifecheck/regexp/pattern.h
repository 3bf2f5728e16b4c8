/* Regular expressions of Go's regexp package: patterns of CloudFormation resource types, and those
 * that functions of configurations take. Module regexp. Source: the resource behaviour
 * document, "String Validation"; the documentation of regexp/syntax.
 *
 * Go decides what a pattern is and what it means; a pattern of a type that Go refuses restricts
 * nothing. The syntax is checked here as Go does it; matching is PCRE2's, on a translation of the
 * pattern. Matching is bounded: a search that would take too many steps stays undecided. */
#ifndef LIFECHECK_REGEXP_PATTERN_H
#define LIFECHECK_REGEXP_PATTERN_H

#include "lifecheck/base/str.h"

/* A compiled pattern; immutable, lives in the arena it was made in. */
typedef struct lc_pattern lc_pattern;

/* What became of compiling. */
typedef enum lc_pattern_use {
    LC_PATTERN_USABLE,
    LC_PATTERN_NOT_GO,   /* Go refuses it: every text passes */
    LC_PATTERN_UNUSABLE, /* Go takes it, but it cannot be matched here, mostly for its size */
} lc_pattern_use;

/* Compiles `text`. On success *out is the pattern, else NULL, and *why explains in a few words why
 * Go or PCRE2 refuses it; it is empty for a usable pattern. Both live in `arena`; `text` is not
 * kept. */
lc_pattern_use lc_pattern_new(const lc_pattern **out, lc_str *why, lc_arena *arena, lc_str text);

/* What became of a search. */
typedef enum lc_pattern_match {
    LC_PATTERN_MATCHES, /* somewhere in the text: patterns are not anchored */
    LC_PATTERN_DIFFERS,
    LC_PATTERN_UNDECIDED, /* more steps than allowed */
} lc_pattern_match;
/* Searches `text`. *long_ones counts the expensive searches; it belongs to the caller, begins at 0,
 * and is shared by all searches of a case. After LC_MAX_LONG_SEARCHES of them, the others get few
 * steps, so that the cost of a case is bounded too. */
#define LC_MAX_LONG_SEARCHES 20
lc_pattern_match lc_pattern_search(const lc_pattern *pattern, lc_str text, unsigned *long_ones);

/* ---- Where it matches, in the form of Go's regexp.FindStringSubmatchIndex. */

/* The same as lc_pattern_new for a pattern with which matches are found: its groups capture. */
lc_pattern_use lc_pattern_new_finder(const lc_pattern **out, lc_str *why, lc_arena *arena,
                                     lc_str text);
/* How many groups capture, and the name of one; empty: it has none. Names may repeat. */
size_t lc_pattern_groups(const lc_pattern *pattern);
/* What a group captured may differ from Go: it may be empty in a repeat without end. */
bool lc_pattern_groups_unsure(const lc_pattern *pattern);
lc_str lc_pattern_group_name(const lc_pattern *pattern, size_t i);

/* A series of searches in one text, which share one bound of the time they take. */
typedef struct lc_pattern_series lc_pattern_series;
/* Both arguments are borrowed. The arena has the result, other memory is freed with it. */
lc_pattern_series *lc_pattern_series_new(lc_arena *arena, const lc_pattern *pattern, lc_str text);
void lc_pattern_series_free(lc_pattern_series *finding);
/* The first match that begins at `from` or later. *spans: offsets of its beginning and end, then
 * those of each group; LC_NO_SPAN twice for a group that took no part. They are valid until the
 * next search. Text that is not UTF-8 stays undecided. */
#define LC_NO_SPAN SIZE_MAX
lc_pattern_match lc_pattern_series_next(lc_pattern_series *finding, size_t from,
                                        const size_t **spans);

#endif

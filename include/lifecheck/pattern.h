/* Patterns of CloudFormation resource type schemas. Module cloudformation.
 *
 * The provider gives them to Go's regexp package, so that package decides what a pattern is and
 * what it means: one that Go refuses restricts nothing. Go's syntax is checked here, the matching
 * is PCRE2's on a translation. Matching is bounded; a pattern that wants too much of it stays
 * undecided. Source: the resource behaviour document, "String Validation". */
#ifndef LIFECHECK_PATTERN_H
#define LIFECHECK_PATTERN_H

#include "lifecheck/str.h"

typedef struct lc_pattern lc_pattern;

typedef enum lc_pattern_use {
    LC_PATTERN_USABLE,
    LC_PATTERN_NOT_GO,   /* Go refuses it: every text passes */
    LC_PATTERN_UNUSABLE, /* Go takes it, but it cannot be matched here, mostly for its size */
} lc_pattern_use;

/* `why` tells in a few words what Go has against it, or PCRE2; empty if it is usable. *out and the
 * words live in `arena`; *out is NULL if it is not usable. */
lc_pattern_use lc_pattern_new(const lc_pattern **out, lc_str *why, lc_arena *arena, lc_str text);

typedef enum lc_pattern_match {
    LC_PATTERN_MATCHES, /* somewhere in the text: patterns are not anchored */
    LC_PATTERN_DIFFERS,
    LC_PATTERN_UNDECIDED, /* it takes too many steps */
} lc_pattern_match;
/* *long_ones counts the searches that took many steps; when there were too many, the others get few
 * steps. So what a whole case costs is bounded too. */
#define LC_MAX_LONG_SEARCHES 20
lc_pattern_match lc_pattern_search(const lc_pattern *pattern, lc_str text, unsigned *long_ones);

#endif

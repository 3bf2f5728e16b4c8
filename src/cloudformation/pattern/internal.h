/* From Go's syntax of regular expressions to PCRE2's. */
#ifndef LC_CLOUDFORMATION_PATTERN_INTERNAL_H
#define LC_CLOUDFORMATION_PATTERN_INTERNAL_H

#include "lifecheck/buf.h"

/* The most that nested counted repeats may come to, and groups may nest: Go's own limits. */
#define LC_MAX_REPEAT 1000
#define LC_MAX_HEIGHT 1000

/* One pattern while it is read. */
typedef struct lc_go_pattern {
    lc_str text;
    size_t at;
    lc_buf *out;        /* the translation */
    bool fold;          /* here both cases of a letter are the same */
    const char *why;    /* what is wrong, or NULL */
    const char *beyond; /* what PCRE2 has nothing like, or NULL */
} lc_go_pattern;

/* Reads `text` as Go does; appends the same for PCRE2 to `out`. NULL, or what Go has against it.
 * *beyond: Go takes it, and it has no translation; NULL: it has one. */
const char *lc_pattern_translate(lc_buf *out, const char **beyond, lc_arena *arena, lc_str text);

/* ---- Parts: each reads from `at` on, and sets `why` if it cannot. */

void lc_go_fail(lc_go_pattern *p, const char *why);
bool lc_go_more(const lc_go_pattern *p);
char lc_go_peek(const lc_go_pattern *p, size_t ahead); /* NUL behind the end */
/* The next rune, or one after a backslash that means a rune. */
uint32_t lc_go_rune(lc_go_pattern *p);
uint32_t lc_go_escape(lc_go_pattern *p);
void lc_go_add_rune(lc_go_pattern *p, uint32_t rune);
void lc_go_add_range(lc_go_pattern *p, uint32_t low, uint32_t high); /* in a class */
/* \d, \s, \w and their opposites, \p{...} and \P{...}: false if something else stands there. */
bool lc_go_class_escape(lc_go_pattern *p, bool in_class);
/* After \p or \P: one letter, or a name in braces. */
void lc_go_unicode_class(lc_go_pattern *p, bool opposite, bool in_class);
/* From the bracket on. */
void lc_go_class(lc_go_pattern *p);

#endif

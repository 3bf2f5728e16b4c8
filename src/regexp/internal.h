/* Translates Go's syntax of regular expressions to PCRE2's. */
#ifndef LC_REGEXP_INTERNAL_H
#define LC_REGEXP_INTERNAL_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"

/* Go's own limits: the product of nested counted repeats, and the depth of groups. */
#define LC_MAX_REPEAT 1000
#define LC_MAX_HEIGHT 1000

/* The state of translating one pattern. */
typedef struct lc_go_pattern {
    lc_str text;
    size_t at;
    lc_buf *out;        /* the translation so far; borrowed */
    bool fold;          /* (?i) is in effect here */
    const char *why;    /* why Go refuses the pattern, or NULL; a constant */
    const char *beyond; /* what cannot be translated, or NULL; a constant */
} lc_go_pattern;

/* Names of the groups that capture, in the order of their opening; empty: without a name. */
typedef struct lc_group_names {
    LC_VEC(lc_str) list;
    /* A group inside a repeat may be empty there: Go and PCRE2 disagree what it captured last. */
    bool unsure;
} lc_group_names;

/* Parses `text` as Go does and appends an equivalent pattern for PCRE2 to `out`. Returns NULL, or
 * why Go refuses it. *beyond is set if Go accepts the pattern but it cannot be translated, else
 * NULL. `groups` NULL: nothing is captured; else groups capture, and their names are borrowed from
 * `text`. Scratch memory and the list are from `arena`. */
const char *lc_pattern_translate(lc_buf *out, const char **beyond, lc_arena *arena, lc_str text,
                                 lc_group_names *groups);

/* ---- Parts of the parser. Each reads from p->at on; on an error it sets p->why, and p->at to the
 * end, so that all loops stop. */

/* Notes an error; the first one is kept. */
void lc_go_fail(lc_go_pattern *p, const char *why);
/* Is there more text? */
bool lc_go_more(const lc_go_pattern *p);
char lc_go_peek(const lc_go_pattern *p, size_t ahead); /* NUL at the end */
/* The next code point, as it is written or as an escape. */
uint32_t lc_go_rune(lc_go_pattern *p);
uint32_t lc_go_escape(lc_go_pattern *p);
/* Append a code point, or a range inside a class, as \x{...}. */
void lc_go_add_rune(lc_go_pattern *p, uint32_t rune);
void lc_go_add_range(lc_go_pattern *p, uint32_t low, uint32_t high); /* in a class */
/* Translates \d, \s, \w, their opposites, \p{...} and \P{...}. False: the text continues with
 * something else. `in_class`: inside brackets. */
bool lc_go_class_escape(lc_go_pattern *p, bool in_class);
/* Translates what follows \p or \P: one letter, or a name in braces. `opposite`: it was \P. */
void lc_go_unicode_class(lc_go_pattern *p, bool opposite, bool in_class);
/* Translates a class in brackets, beginning at the opening one. */
void lc_go_class(lc_go_pattern *p);

#endif

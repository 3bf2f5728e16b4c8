/* Mistakes of scenarios: what has no effect, or not the effect that its author intends. Module
 * verdict.
 *
 * They are not evidence about a provider. Inputs note them while they read, and after a case was
 * judged. */
#ifndef LIFECHECK_VERDICT_LINT_H
#define LIFECHECK_VERDICT_LINT_H

#include "lifecheck/base/diag.h"
#include "lifecheck/base/table.h"

/* One value for each row of lint.def. */
typedef enum lc_lint {
#define LC_LINT(id, slug, advice, title, fix) LC_LINT_##id,
#include "lifecheck/verdict/lint.def"
    LC_LINT_COUNT
} lc_lint;

/* How much a mistake matters. */
typedef enum lc_lint_kind {
    LC_LINT_MISTAKE, /* a mistake: severity warning */
    LC_LINT_ADVICE,  /* nothing is wrong, it only has no effect: severity info */
    LC_LINT_TRAP,    /* a mistake that makes a verdict worthless: reported even without --lint */
} lc_lint_kind;

/* A row of the list; all strings are constants. */
typedef struct lc_lint_info {
    const char *id; /* "lint/set-repeats" */
    lc_lint_kind kind;
    const char *title;
    const char *fix;
} lc_lint_info;
const lc_lint_info *lc_lint_get(lc_lint lint);

/* A mistake that was found. The message lives in the arena of the reader or check that found it. */
typedef struct lc_lint_note {
    lc_lint lint;
    lc_loc loc;
    lc_str message; /* one line; it has names, but never scalars */
} lc_lint_note;
typedef struct lc_lint_notes {
    lc_lint_note *items;
    size_t count, capacity;
} lc_lint_notes;

#endif

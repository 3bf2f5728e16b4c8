/* The list of scenario mistakes, and their effect on a case. */
#include "lifecheck/verdict/lint.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "verdict/internal.h"

#include <stdlib.h>

static const lc_lint_info catalogue[LC_LINT_COUNT] = {
#define LC_LINT(id, slug, kind, title, fix) [LC_LINT_##id] = {slug, LC_LINT_##kind, title, fix},
#include "lifecheck/verdict/lint.def"
};

const lc_lint_info *lc_lint_get(lc_lint lint)
{
    LC_ASSERT((unsigned)lint < LC_LINT_COUNT);
    return &catalogue[lint];
}

/* --strict raises mistakes to errors and advice to warnings. */
static lc_severity severity_of(const lc_policy *policy, lc_lint lint)
{
    bool advice = lc_lint_get(lint)->kind == LC_LINT_ADVICE;
    if (policy->strict)
        return advice ? LC_WARNING : LC_ERROR;
    return advice ? LC_INFO : LC_WARNING;
}

/* By place, so that the order does not depend on which check found what. */
static int compare(const void *a, const void *b)
{
    const lc_lint_note *x = a, *y = b;
    if (x->loc.line != y->loc.line)
        return x->loc.line < y->loc.line ? -1 : 1;
    if (x->loc.column != y->loc.column)
        return x->loc.column < y->loc.column ? -1 : 1;
    if (x->lint != y->lint)
        return x->lint < y->lint ? -1 : 1;
    return lc_str_cmp(x->message, y->message);
}

void lc_verdict_lint(lc_judged *judged, lc_arena *arena, const lc_lint_notes *notes,
                     const lc_policy *policy)
{
    lc_lint_note *sorted = LC_NEW_ARRAY(arena, lc_lint_note, notes->count);
    for (size_t i = 0; i < notes->count; i++) {
        sorted[i] = notes->items[i];
        sorted[i].message = lc_str_copy(arena, notes->items[i].message);
    }
    if (notes->count)
        qsort(sorted, notes->count, sizeof *sorted, compare);
    judged->lint_severities = LC_NEW_ARRAY(arena, lc_severity, notes->count);
    for (size_t i = 0; i < notes->count; i++) {
        judged->lint_severities[i] = severity_of(policy, sorted[i].lint);
        judged->passes = judged->passes && judged->lint_severities[i] < policy->fail_on;
    }
    judged->lints = (lc_lint_notes){sorted, notes->count, notes->count};
    judged->linted = true;
}

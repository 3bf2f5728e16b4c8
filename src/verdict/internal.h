/* Inside module verdict. */
#ifndef LC_VERDICT_INTERNAL_H
#define LC_VERDICT_INTERNAL_H

#include "lifecheck/table.h"
#include "lifecheck/verdict.h"

/* The policy that expectations are compared under, whatever the options are. */
static inline lc_policy lc_default_policy(void)
{
    return (lc_policy){.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
}

/* Numbers of things by rule and path. (places.c) */
typedef struct lc_place_items {
    size_t *items;
    size_t count, capacity;
} lc_place_items;
typedef struct lc_place_index {
    lc_arena *arena;
    lc_table exact, of_rule; /* with one path; with none, or a pattern */
} lc_place_index;
void lc_place_index_init(lc_place_index *index, lc_arena *arena);
/* `path` NULL: the thing has none. */
void lc_place_index_add(lc_place_index *index, lc_rule rule, const lc_path *path, size_t item);
const lc_place_items *lc_place_index_at(const lc_place_index *index, lc_rule rule, lc_path path);
const lc_place_items *lc_place_index_of_rule(const lc_place_index *index, lc_rule rule);
/* Does the pattern stand for one path alone? */
bool lc_path_is_exact(lc_path path);

void lc_add_failure(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc,
                    lc_str detail);
void lc_add_note(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc, lc_str detail);

/* Set judged->suppressed by the case's own ignores, and report those that are unused or expired: as
 * failures where the case has an expectation, else as notes. */
void lc_apply_ignores(lc_judged *judged, lc_arena *arena, lc_date today);

/* The same by the ignores of the policy: sets judged->ignores_used too. */
void lc_apply_policy_ignores(lc_judged *judged, const lc_policy *policy);

/* Compare every run with its expectation: sets judged->expected and adds to judged->failures. */
void lc_compare_expectations(lc_judged *judged, lc_arena *arena);
bool lc_has_expectation(const lc_scenario *scenario);

/* Can a breach of the rule make a case fail, by who is to blame for it? */
bool lc_blame_can_fail(const lc_finding *finding);

/* Where two values that are not RawEqual differ first, as `.a.b is null instead of known`. */
lc_str lc_first_difference(lc_arena *arena, const lc_value *want, const lc_value *found);

#endif

/* For the module verdict alone. */
#ifndef LC_VERDICT_INTERNAL_H
#define LC_VERDICT_INTERNAL_H

#include "lifecheck/base/table.h"
#include "lifecheck/verdict/verdict.h"

/* The policy for comparing expectations. Options do not change what a scenario expects. */
static inline lc_policy lc_default_policy(void)
{
    return (lc_policy){.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
}

/* ---- places.c: indices of expectations or findings, by rule and path. */
typedef struct lc_place_items {
    size_t *items;
    size_t count, capacity;
} lc_place_items;
typedef struct lc_place_index {
    lc_arena *arena;
    lc_table exact,
        of_rule; /* things with one exact path; things without a path, or with a pattern */
} lc_place_index;
/* Initialises an empty index in `arena`. */
void lc_place_index_init(lc_place_index *index, lc_arena *arena);
/* Adds the number of a thing. `path` NULL: it has no path. */
void lc_place_index_add(lc_place_index *index, lc_rule rule, const lc_path *path, size_t item);
/* The things with exactly this path, and those of the rule without an exact path. Never NULL; valid
 * until the next lc_place_index_add. */
const lc_place_items *lc_place_index_at(const lc_place_index *index, lc_rule rule, lc_path path);
const lc_place_items *lc_place_index_of_rule(const lc_place_index *index, lc_rule rule);
/* Does the pattern match only one path? Steps into sets and wildcards match several. */
bool lc_path_is_exact(lc_path path);

/* Adds a failure of the expectation, or a note. `kind` is a constant, `detail` lives in `arena`. */
void lc_add_failure(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc,
                    lc_str detail);
void lc_add_note(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc, lc_str detail);

/* Applies the ignores of the case: sets judged->suppressed and judged->suppressors. Unused and
 * expired ignores are reported, as failures if the case has an expectation, otherwise as notes. */
void lc_apply_ignores(lc_judged *judged, lc_arena *arena, lc_date today);

/* Applies the ignores of the project, and sets judged->ignores_used. */
void lc_apply_policy_ignores(lc_judged *judged, const lc_policy *policy);

/* Compares every run with its expectation: sets judged->expected and adds to judged->failures. */
void lc_compare_expectations(lc_judged *judged, lc_arena *arena);
/* Has any run of the scenario an expectation? */
bool lc_has_expectation(const lc_scenario *scenario);

/* Can a finding below the severity error make a case fail, given who is at fault? */
bool lc_blame_can_fail(const lc_finding *finding);

/* The first difference of two values that are not RawEqual, as `.a.b is null instead of known`; no
 * scalars. In `arena`. */
lc_str lc_first_difference(lc_arena *arena, const lc_value *want, const lc_value *found);

/* Does version 1.`minor` of a client report the finding? 0: the newest. (recorded.c) */
bool lc_finding_is_of(const lc_finding *finding, lc_core core, unsigned minor);

#endif

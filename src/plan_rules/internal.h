/* Judging a plan and states by themselves. One mistake is told once: what an entry's own members
 * contradict is not compared with the trees again. */
#ifndef LC_PLAN_RULES_INTERNAL_H
#define LC_PLAN_RULES_INTERNAL_H

#include "lifecheck/plan_rules.h"

/* What was found wrong with an entry already. */
enum {
    LC_WRONG_IDENTITY = 1 << 0, /* it is not known what object it is about */
    LC_WRONG_ACTION = 1 << 1,   /* what follows from its action is not looked at */
    LC_WRONG_BEFORE = 1 << 2,   /* value or marks */
    LC_WRONG_AFTER = 1 << 3,
    LC_WRONG_REASON = 1 << 4,
    LC_SECOND = 1 << 5, /* of the same object */
};

typedef struct lc_plan_rules {
    lc_planner *planner;
    lc_arena *scratch;
    const lc_plan_evidence *facts;
    lc_plan *plan;
    lc_plan_options options; /* with what the plan tells */
    unsigned *wrong;         /* per entry of plan->changes */
    bool wrong_actions;      /* of any entry, or output */
    bool errored;
} lc_plan_rules;

static inline unsigned *lc_wrong(const lc_plan_rules *r, const lc_plan_change *change)
{
    return &r->wrong[change - r->plan->changes.items];
}

/* A rule was looked at, or lacks an input. */
void lc_plan_rules_checks(lc_plan_rules *r, const lc_rule *rules, size_t count);
void lc_plan_rules_lacks(lc_plan_rules *r, const lc_rule *rules, size_t count, lc_need need);
#define LC_PLAN_RULES_CHECKS(r, ...)                                                               \
    lc_plan_rules_checks((r), (const lc_rule[]){__VA_ARGS__},                                      \
                         sizeof((const lc_rule[]){__VA_ARGS__}) / sizeof(lc_rule))
#define LC_PLAN_RULES_LACKS(r, need, ...)                                                          \
    lc_plan_rules_lacks((r), (const lc_rule[]){__VA_ARGS__},                                       \
                        sizeof((const lc_rule[]){__VA_ARGS__}) / sizeof(lc_rule), (need))

/* A finding about an entry, at the place of `node` (NULL: of the entry). `path` is a place in the
 * entry in text form, or "". The message names no values of attributes. */
lc_finding *lc_report_change(lc_plan_rules *r, lc_rule rule, const lc_plan_change *change,
                             const lc_node *node, const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* About an object or a part of the plan; `address` may be empty. */
lc_finding *lc_report_plan(lc_plan_rules *r, lc_rule rule, lc_str address, const lc_node *node,
                           const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* At any place. */
lc_finding *lc_report_at(lc_plan_rules *r, lc_rule rule, lc_str address, lc_loc loc,
                         const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* All that is planned is listed: nothing was left out on request, or after an error. */
lc_fact lc_plan_rules_whole(const lc_plan_rules *r);

/* ---- Nodes of a plan. */

/* Some `true` within. */
bool lc_node_has_true(const lc_node *node);
/* The same set of places with `true`. */
bool lc_same_marks(lc_arena *arena, const lc_node *a, const lc_node *b);
/* Is every place that `inner` marks marked in `outer`, itself or what is around it? */
bool lc_marks_within(lc_arena *arena, const lc_node *inner, const lc_node *outer);
/* Are both null or absent, or the same value? */
bool lc_same_or_null(lc_arena *arena, const lc_node *a, const lc_node *b);
/* Is what is stored in a state file, where values of dynamic attributes are wrapped, what a plan
 * says? Places that `unknown` marks are not compared. */
bool lc_same_as_stored(lc_arena *arena, const lc_node *planned, const lc_node *unknown,
                       const lc_node *stored);

/* Of the rules about a predicted run, those that this configuration, prediction and plan could have
 * broken are checked; those that only a provider's answer would decide lack it. */
struct lc_run_input;
struct lc_prediction;
void lc_plan_rules_chances(lc_plan_rules *r, const struct lc_run_input *in,
                           const struct lc_prediction *f);

/* The plan beside a prediction of it; `in` NULL: made from the plan alone. */
void lc_plan_rules_compare(lc_plan_rules *r, const struct lc_run_input *in,
                           const struct lc_prediction *f);

/* ---- Families, in this order. */

void lc_plan_rules_entries(lc_plan_rules *r);
void lc_plan_rules_values(lc_plan_rules *r);
void lc_plan_rules_replace_paths(lc_plan_rules *r);
void lc_plan_rules_typed(lc_plan_rules *r);
void lc_plan_rules_trees(lc_plan_rules *r);
void lc_plan_rules_blocks(lc_plan_rules *r);
void lc_plan_rules_modes(lc_plan_rules *r);
void lc_plan_rules_outputs(lc_plan_rules *r);
void lc_plan_rules_flags(lc_plan_rules *r);
void lc_plan_rules_drift(lc_plan_rules *r);
void lc_plan_rules_prediction(lc_plan_rules *r);
void lc_plan_rules_states(lc_plan_rules *r);
void lc_plan_rules_pair(lc_plan_rules *r);
void lc_plan_rules_applied(lc_plan_rules *r);

#endif

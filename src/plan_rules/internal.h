/* Shared by the families of rules about plans and states. A mistake is reported once: if the
 * members of an entry contradict each other, the entry is not compared with other parts of the
 * plan. */
#ifndef LC_PLAN_RULES_INTERNAL_H
#define LC_PLAN_RULES_INTERNAL_H

#include "lifecheck/configuration/address.h"
#include "lifecheck/plan_rules/plan_rules.h"

/* What is already known to be wrong with an entry; rules that depend on it skip the entry. */
enum {
    LC_WRONG_IDENTITY = 1 << 0, /* its object is not known */
    LC_WRONG_ACTION = 1 << 1,   /* its action, so nothing that follows from it is checked */
    LC_WRONG_BEFORE = 1 << 2,   /* LC_WRONG_BEFORE: the object before, its value or its marks */
    LC_WRONG_AFTER = 1 << 3,    /* the object after, its value or its marks */
    LC_WRONG_REASON = 1 << 4,
    LC_SECOND = 1 << 5, /* another entry of the same object comes first */
};

/* The state of judging one set of evidence. */
typedef struct lc_plan_rules {
    lc_planner *planner;
    /* Of the planner; typed.c uses a smaller one for the time of an entry. */
    lc_arena *scratch;
    const lc_plan_evidence *facts;
    lc_plan *plan;           /* NULL: no plan is given */
    lc_plan_options options; /* including the mode that the plan implies */
    unsigned *wrong;         /* LC_WRONG_... bits by index of plan->changes */
    /* Of some entry or output, so what follows from all actions together is not checked. */
    bool wrong_actions;
    bool errored; /* the plan reports that planning failed */
} lc_plan_rules;

/* The bits of an entry of plan->changes. */
static inline unsigned *lc_wrong(const lc_plan_rules *r, const lc_plan_change *change)
{
    return &r->wrong[change - r->plan->changes.items];
}

/* Record that rules were checked, or that an input for them is missing. */
void lc_plan_rules_checks(lc_plan_rules *r, const lc_rule *rules, size_t count);
void lc_plan_rules_lacks(lc_plan_rules *r, const lc_rule *rules, size_t count, lc_need need);
#define LC_PLAN_RULES_CHECKS(r, ...)                                                               \
    lc_plan_rules_checks((r), (const lc_rule[]){__VA_ARGS__},                                      \
                         sizeof((const lc_rule[]){__VA_ARGS__}) / sizeof(lc_rule))
#define LC_PLAN_RULES_LACKS(r, need, ...)                                                          \
    lc_plan_rules_lacks((r), (const lc_rule[]){__VA_ARGS__},                                       \
                        sizeof((const lc_rule[]){__VA_ARGS__}) / sizeof(lc_rule), (need))

/* Reports a finding about an entry, at the position of `node` (NULL: of the entry). `path` is a
 * path within the entry as text, or "". The message must not contain values of attributes. The
 * finding belongs to the planner's result. */
lc_finding *lc_report_change(lc_plan_rules *r, lc_rule rule, const lc_plan_change *change,
                             const lc_node *node, const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* The same for an object or another part of the plan; `address` may be empty, `node` NULL. */
lc_finding *lc_report_plan(lc_plan_rules *r, lc_rule rule, lc_str address, const lc_node *node,
                           const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* The same at any position. */
lc_finding *lc_report_at(lc_plan_rules *r, lc_rule rule, lc_str address, lc_loc loc,
                         const char *path, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Whether the plan lists everything: LC_NO if options left something out or planning failed. */
lc_fact lc_plan_rules_whole(const lc_plan_rules *r);

/* ---- Nodes of a plan. */

/* True if a bool within is true. NULL: false. */
bool lc_node_has_true(const lc_node *node);
/* True if both have `true` at the same places, see plan_rules.c. */
bool lc_same_marks(lc_arena *arena, const lc_node *a, const lc_node *b);
/* True if each place that `inner` marks is marked in `outer`, itself or as part of something. */
bool lc_marks_within(lc_arena *arena, const lc_node *inner, const lc_node *outer);
/* True if both are null or absent, or have the same value. */
bool lc_same_or_null(lc_arena *arena, const lc_node *a, const lc_node *b);
/* Compares a planned value with one in a state file, where values of dynamic attributes are stored
 * with their types. Places that `unknown` marks are equal to anything. */
bool lc_same_as_stored(lc_arena *arena, const lc_node *planned, const lc_node *unknown,
                       const lc_node *stored);

/* True if the plan was made with options such as -target, or defers changes, and the given options
 * do not include them. */
bool lc_plan_rules_left_out(const lc_plan_rules *r, const struct lc_prediction *prediction);
/* coverage.c: records which rules about a prediction were checked, because this configuration,
 * prediction and plan could have violated them; a rule that only a provider's response could decide
 * is recorded as lacking it. */
struct lc_run_input;
struct lc_prediction;
void lc_plan_rules_chances(lc_plan_rules *r, const struct lc_run_input *in,
                           const struct lc_prediction *prediction);

/* compare.c: judges the plan against a prediction of it. `in` is NULL if the prediction was made
 * from the plan alone. */
void lc_plan_rules_compare(lc_plan_rules *r, const struct lc_run_input *in,
                           const struct lc_prediction *prediction);

/* open_blocks.c: visits each resource that a block with open instances could have, and each module
 * in it that is not read, as a module address; keys that are not known are given with it. The visit
 * returns false to end. The second function: could something in it match? */
struct lc_run_open;
typedef bool lc_open_visit(void *context, const lc_address *address, lc_open_keys keys);
void lc_open_block_each(lc_arena *arena, const struct lc_prediction *prediction,
                        const struct lc_run_open *open, lc_open_visit *visit, void *context);
bool lc_open_block_could_match(lc_arena *arena, const struct lc_prediction *prediction,
                               const struct lc_run_open *open, const lc_address_glob *glob);

/* expected.c: one expectation against the prediction. policy.c: the policy, if there is one. */
struct lc_run_expected;
void lc_plan_rules_expected(lc_plan_rules *r, const struct lc_prediction *prediction,
                            const struct lc_run_expected *expected);
void lc_plan_rules_policy(lc_plan_rules *r, const struct lc_prediction *prediction);

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

/* From findings to a verdict: severities, expectations, ignores, exit status. Module verdict. Pure;
 * today's date is an argument. Source: the report format's tables. */
#ifndef LIFECHECK_VERDICT_H
#define LIFECHECK_VERDICT_H

#include "lifecheck/baseline.h"
#include "lifecheck/contract.h"
#include "lifecheck/enum.h"
#include "lifecheck/lint.h"

#define LC_SEVERITIES(X)                                                                           \
    X(LC_HIDDEN, "hidden")                                                                         \
    X(LC_INFO, "info")                                                                             \
    X(LC_WARNING, "warning")                                                                       \
    X(LC_ERROR, "error")
LC_ENUM(lc_severity, LC_SEVERITIES);

/* A calendar day as yyyymmdd; 0: none. */
typedef uint32_t lc_date;
/* YYYY-MM-DD, a day that exists. */
bool lc_date_parse(lc_date *out, lc_str text);
/* The day, in UTC, of a number of seconds since 1970. */
lc_date lc_date_from_seconds(int64_t seconds);

/* Findings that somebody accepts: of a case, or of a whole project. */
typedef struct lc_ignore {
    lc_loc loc;
    lc_str rule;           /* glob */
    lc_str type, resource; /* globs; empty: any. Only those of a project have them */
    bool has_path;
    lc_path path; /* pattern */
    lc_str reason;
    lc_date until;
} lc_ignore;

/* Most ignores of a project. */
#define LC_MAX_IGNORES 512
/* Which of them matched something, a bit each. */
typedef struct lc_ignore_use {
    uint64_t bits[LC_MAX_IGNORES / 64];
} lc_ignore_use;

typedef struct lc_policy {
    lc_profile as;
    bool strict;
    lc_severity fail_on; /* default LC_ERROR */
    lc_date today;
    const lc_str *select, *ignore, *require; /* globs over slugs */
    size_t select_count, ignore_count, require_count;
    bool allow_empty;
    lc_str narrowed; /* which settings of a file leave something out, and where; told by every
                        report */
    /* Of the project: they hold for cases without an expectation, which would say so itself. */
    const lc_ignore *ignores;
    size_t ignores_count; /* up to LC_MAX_IGNORES */
    /* Takes what is left, in the order of judging, or NULL. */
    lc_baseline *baseline;
} lc_policy;

typedef struct lc_expected_finding {
    lc_loc loc;
    lc_rule rule;
    lc_str address; /* of the object; empty: any */
    bool has_path;
    lc_path path;
    bool has_call;
    lc_call_kind call;
    lc_str diagnosis; /* empty: any; "none": nothing explains it */
    bool has_effect[LC_CORE_COUNT];
    lc_effect effect[LC_CORE_COUNT];
    bool current_core[LC_CORE_COUNT]; /* false: an effect for another version, not compared */
} lc_expected_finding;

typedef struct lc_expectation {
    bool given;
    lc_loc loc;
    lc_loc action_loc;
    lc_action action[LC_CORE_COUNT]; /* LC_ACTION_NONE: not stated */
    lc_loc proposed_loc;
    const lc_value *proposed[LC_CORE_COUNT]; /* NULL: not stated */
    LC_VEC(lc_expected_finding) findings;
    struct {
        lc_loc loc;
        lc_str glob;
    } * not_checked;
    size_t not_checked_count;
} lc_expectation;

/* What was told of a case while it went on. */
typedef struct lc_so_far {
    uint64_t *keys; /* of findings, on the heap */
    size_t count, capacity;
    bool open; /* more calls may come */
} lc_so_far;
void lc_so_far_release(lc_so_far *so_far);

/* A case together with what its author says of it. */
typedef struct lc_scenario {
    lc_case subject;
    lc_expectation *expects; /* one per run of the case */
    LC_VEC(lc_ignore) ignores;
    bool known_failing;
    lc_loc known_failing_loc;
    lc_str known_failing_reason;
    lc_date known_failing_until;
    const struct lc_written *written; /* its text, for lints; NULL: it was not written by hand */
    lc_so_far *so_far; /* a recording that is judged while it is made; NULL: all is there */
} lc_scenario;

#define LC_VERDICTS(X)                                                                             \
    X(LC_CONFORMS, "conforms")                                                                     \
    X(LC_VIOLATES, "violates")                                                                     \
    X(LC_NOT_JUDGED, "not-judged")                                                                 \
    X(LC_VERDICT_ERROR, "error") /* the input could not be understood */
LC_ENUM(lc_verdict, LC_VERDICTS);

#define LC_EXPECTATION_RESULTS(X)                                                                  \
    X(LC_EXPECTATION_NONE, "none")                                                                 \
    X(LC_EXPECTATION_MET, "met")                                                                   \
    X(LC_EXPECTATION_UNMET, "unmet")                                                               \
    X(LC_EXPECTATION_KNOWN_FAILING, "known-failing")
LC_ENUM(lc_expectation_result, LC_EXPECTATION_RESULTS);

typedef struct lc_expectation_failure {
    const char *kind; /* missing, unexpected, action, proposed_new_state, not_checked, stale; notes:
                         ignore-unused, ignore-expired, required */
    lc_str detail;    /* one line */
    lc_loc loc;
} lc_expectation_failure;

/* Who accepts a finding: the scenario itself, the configuration of the project, or a baseline. */
#define LC_SUPPRESSORS(X)                                                                          \
    X(LC_SUPPRESSED_NOT, "none")                                                                   \
    X(LC_SUPPRESSED_BY_SCENARIO, "scenario")                                                       \
    X(LC_SUPPRESSED_BY_PROJECT, "project")                                                         \
    X(LC_SUPPRESSED_BY_BASELINE, "baseline")
LC_ENUM(lc_suppressor, LC_SUPPRESSORS);

typedef struct lc_repeats lc_repeats;
typedef struct lc_judged {
    const lc_scenario *scenario;
    lc_judgement judgement;
    lc_severity *severities;    /* of each finding, by the policy */
    bool *expected;             /* of each finding: an expectation lists it or need not list it */
    lc_str *suppressed;         /* of each finding: the ignore's reason, or empty */
    lc_suppressor *suppressors; /* of each finding: whose reason that is */
    char (*fingerprints)[17];
    lc_set_uses sets;
    const lc_loc (*places)[LC_COLUMN_COUNT]; /* of a record: where the values of each finding
                                                stand; NULL: the case's fields know */
    lc_verdict verdict;
    lc_expectation_result expectation;
    LC_VEC(lc_expectation_failure) failures; /* of the expectation */
    LC_VEC(lc_expectation_failure) notes;    /* ignores unused or expired, required not checked */
    lc_lint_notes lints;                     /* mistakes of the scenario, by place */
    lc_severity *lint_severities;            /* of each of them, by the policy */
    bool linted;                             /* they were looked for */
    lc_ignore_use ignores_used;              /* of those of the policy */
    bool *reported;                          /* of each finding: before, or not yet; NULL: none */
    lc_repeats *repeats; /* what its input has told already; NULL: everything is told */
    bool only_schema;    /* the case holds nothing but a schema */
    bool can_fail;       /* a rule that could fail it was checked */
    bool passes;         /* what the exit status goes by */
} lc_judged;

/* The severity of one finding: the first row of the table that fits. */
lc_severity lc_severity_of(const lc_policy *policy, const lc_finding *finding);

/* What a finding is told of beside its rule and path: the type of its object; in a case of a whole
 * plan or configuration the object, or nothing. */
lc_str lc_finding_about(const lc_judged *judged, const lc_finding *finding);

/* The path of a finding without indices and keys, as fingerprints see it. */
void lc_add_type_path(lc_buf *out, const lc_finding *finding);

/* Is the rule one of those that --select and --ignore leave? */
bool lc_policy_selects(const lc_policy *policy, lc_rule rule);

/* Let no sum count the rules that are not selected. Not for a case that has an expectation: it is
 * compared with everything. */
void lc_policy_leave_out(const lc_policy *policy, lc_judgement *judgement);

/* Set aside what the policy's baseline holds of rules that --select and --ignore leave out. */
void lc_policy_set_aside(const lc_policy *policy);

/* Does the i-th finding fail its case, if the case expects nothing? An error does, whoever is
 * blamed; less than that only where the provider is, or a whole plan or configuration. */
bool lc_finding_fails(const lc_judged *judged, const lc_policy *policy, size_t i);

/* How severe a breach of the rule can be under this policy. */
lc_severity lc_worst_severity(const lc_policy *policy, lc_rule rule);

/* Apply policy and expectations to out->judgement, a judgement of scenario->subject that was made
 * before. Everything else of *out is set; results live in `report`. */
void lc_verdict_apply(lc_judged *out, lc_arena *report, const lc_scenario *scenario,
                      const lc_policy *policy);
/* Of a case that goes on, or did: which findings were told, or cannot be told before it is
 * complete. Remembers those that are told now. */
void lc_so_far_apply(lc_judged *judged, lc_arena *report, lc_so_far *so_far);
/* Judge a scenario and apply policy and expectations. Results live in `report`. */
void lc_verdict_judge(lc_judged *out, lc_arena *report, lc_arena *scratch, lc_scenario *scenario,
                      const lc_policy *policy);

/* Suppress what the baseline of the policy knows of a judged case, and set the verdict. */
void lc_verdict_apply_baseline(lc_judged *judged, const lc_policy *policy);

/* What to say of an ignore of the policy that has expired, or that nothing needed: one line in
 * `arena`. */
lc_str lc_ignore_complaint(lc_arena *arena, const lc_ignore *ignore, lc_date today);

/* ---- Mistakes of the scenario. */

/* Take them into the judged case. One at or above --fail-on fails it, whatever is expected. */
void lc_verdict_lint(lc_judged *judged, lc_arena *arena, const lc_lint_notes *notes,
                     const lc_policy *policy);

#endif

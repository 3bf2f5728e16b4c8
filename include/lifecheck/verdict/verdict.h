/* From findings to a verdict: severities, expectations, ignores, exit status. Module verdict. Pure:
 * today's date is an argument. Source: the tables of the report format. */
#ifndef LIFECHECK_VERDICT_VERDICT_H
#define LIFECHECK_VERDICT_VERDICT_H

#include "lifecheck/base/enum.h"
#include "lifecheck/catalog/versions.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/verdict/baseline.h"
#include "lifecheck/verdict/lint.h"

/* From harmless to severe. "hidden" is not reported at all. */
#define LC_SEVERITIES(X)                                                                           \
    X(LC_HIDDEN, "hidden")                                                                         \
    X(LC_INFO, "info")                                                                             \
    X(LC_WARNING, "warning")                                                                       \
    X(LC_ERROR, "error")
LC_ENUM(lc_severity, LC_SEVERITIES);

/* A calendar day as the number yyyymmdd; 0: no day. */
typedef uint32_t lc_date;
/* Parses YYYY-MM-DD. False: another format, or a day that does not exist. */
bool lc_date_parse(lc_date *out, lc_str text);
/* The day, in UTC, of a number of seconds since 1970; days before are 1970-01-01. */
lc_date lc_date_from_seconds(int64_t seconds);
/* Its first second since 1970, of a day that is not before that. */
int64_t lc_date_to_seconds(lc_date day);
/* YYYY-MM-DD, in `arena`. */
lc_str lc_date_text(lc_arena *arena, lc_date day);

/* An ignore: findings that a case or a project accepts. */
typedef struct lc_ignore {
    lc_loc loc;
    lc_str rule;           /* glob */
    lc_str type, resource; /* globs; empty: any. Only in ignores of a project */
    bool has_path;
    lc_path path; /* pattern */
    lc_str reason;
    lc_date until;
    uint32_t line; /* findings of this line of loc.file alone; 0: of any */
} lc_ignore;

/* Limit for the ignores of a project. */
#define LC_MAX_IGNORES 512
/* Which of them matched something, one bit for each. */
typedef struct lc_ignore_use {
    uint64_t bits[LC_MAX_IGNORES / 64];
} lc_ignore_use;

/* The client that made a recording, as far as the recording states it. Strings are borrowed. */
typedef struct lc_recorded_client {
    lc_str program, version;    /* "terraform", "1.7.5"; empty: not stated */
    bool may_be[LC_CORE_COUNT]; /* without a name it may be either */
    unsigned minor;             /* the version as 1.x; 0: it is not known */
} lc_recorded_client;
/* False: neither the program nor the version says anything. OpenTofu has no version before 1.6. */
bool lc_client_of(lc_recorded_client *out, lc_str program, lc_str version);
/* Appends "Terraform 1.7.5", or "Terraform or OpenTofu 1.7.5". */
void lc_client_add_words(lc_buf *out, const lc_recorded_client *client);

/* When recordings are judged as the client that made them. Other inputs are judged by `as`. */
typedef enum lc_recorded {
    LC_RECORDED_NOT,
    LC_RECORDED_IF_STATED, /* by default: only what it changes is reported */
    LC_RECORDED_ASKED,     /* reported in each recording */
} lc_recorded;

/* How findings are graded: options and settings. All strings and arrays are borrowed. */
typedef struct lc_policy {
    lc_profile as;
    /* The version 1.x of that client; 0: the newest. Its errors are those of the checks that it has
     * (lifecheck/catalog/versions.h). */
    unsigned as_minor;
    lc_recorded as_recorded;
    /* The client whose recording is judged: what a client stops at, it decides alone, unless
     * `strict`. The rest is graded by the document. NULL: none. */
    const lc_recorded_client *client;
    bool strict;
    lc_severity fail_on; /* default LC_ERROR */
    lc_date today;
    const lc_str *select, *ignore, *require; /* globs of rule names */
    size_t select_count, ignore_count, require_count;
    bool allow_empty;
    lc_str narrowed; /* which settings of a file exclude something, and where; printed in every
                        report */
    /* Ignores of the project. They apply to cases without an expectation; others state what they
     * expect themselves. */
    const lc_ignore *ignores;
    size_t ignores_count; /* at most LC_MAX_IGNORES */
    /* Applied after the ignores, in the order of judging; NULL: none. */
    lc_baseline *baseline;
} lc_policy;

/* A finding that a scenario expects. Members that are not given match everything. */
typedef struct lc_expected_finding {
    lc_loc loc;
    lc_rule rule;
    lc_str address; /* address of the object; empty: any */
    bool has_path;
    lc_path path;
    bool has_call;
    lc_call_kind call;
    lc_str diagnosis; /* empty: any; "none": no diagnosis */
    bool has_effect[LC_CORE_COUNT];
    lc_effect effect[LC_CORE_COUNT];
    bool current_core[LC_CORE_COUNT]; /* false: the effect is stated for another version, and is not
                                         compared */
} lc_expected_finding;

/* Rules that a scenario expects not to be checked. */
typedef struct lc_expected_unchecked {
    lc_loc loc;
    lc_str glob;
} lc_expected_unchecked;

/* What a scenario expects of one run. */
typedef struct lc_expectation {
    bool given;
    lc_loc loc;
    lc_loc action_loc;
    lc_action action[LC_CORE_COUNT]; /* LC_ACTION_NONE: not given */
    lc_loc proposed_loc;
    const lc_value *proposed[LC_CORE_COUNT]; /* NULL: not given */
    LC_VEC(lc_expected_finding) findings;
    lc_expected_unchecked *not_checked;
    size_t not_checked_count;
} lc_expectation;

/* Which findings of a growing recording have been reported. Zero-initialised: none. */
typedef struct lc_so_far {
    uint64_t *keys; /* keys of reported findings, on the heap */
    size_t count, capacity;
    bool open; /* the recording continues: more calls may come */
} lc_so_far;
/* Frees the keys. */
void lc_so_far_release(lc_so_far *so_far);

/* A case together with what its author states about it. For recordings, nothing is stated. */
/* How the calls of a run are sent to a running provider (drive); the key `drive`. */
typedef struct lc_driving {
    bool given;
    lc_loc loc;
    lc_fact apply;
    unsigned steps;                 /* LC_CALL_BIT of the requested steps; 0: those of a client */
    const lc_node *provider_config; /* read by the schema of the provider; NULL: not given */
    const lc_node *list;            /* by the schema of the list of the type; NULL: not given */
    const lc_source *source;        /* of these nodes */
} lc_driving;

/* A case with what is expected of it; cases of recordings expect nothing. */
typedef struct lc_scenario {
    lc_case subject;
    lc_expectation *expects; /* one for each run of the case */
    lc_driving *driving;     /* the same; NULL: not read from a scenario */
    LC_VEC(lc_ignore) ignores;
    bool known_failing;
    lc_loc known_failing_loc;
    lc_str known_failing_reason;
    lc_date known_failing_until;
    const struct lc_written *written; /* its text, for lints; NULL: not written manually */
    lc_so_far *so_far; /* for a recording that is judged while it is made; NULL: it is complete */
} lc_scenario;

/* The result of judging a case. "not-judged": no rule could be checked that could have failed it.
 */
#define LC_VERDICTS(X)                                                                             \
    X(LC_CONFORMS, "conforms")                                                                     \
    X(LC_VIOLATES, "violates")                                                                     \
    X(LC_NOT_JUDGED, "not-judged")                                                                 \
    X(LC_VERDICT_ERROR, "error") /* the input could not be understood */
LC_ENUM(lc_verdict, LC_VERDICTS);

/* How a case compares with its expectation. "none": it has none. */
#define LC_EXPECTATION_RESULTS(X)                                                                  \
    X(LC_EXPECTATION_NONE, "none")                                                                 \
    X(LC_EXPECTATION_MET, "met")                                                                   \
    X(LC_EXPECTATION_UNMET, "unmet")                                                               \
    X(LC_EXPECTATION_KNOWN_FAILING, "known-failing")
LC_ENUM(lc_expectation_result, LC_EXPECTATION_RESULTS);

/* A failure of an expectation, or a note in addition to the findings. */
typedef struct lc_expectation_failure {
    const char *kind; /* of failures: missing, unexpected, action, proposed_new_state, not_checked,
                         stale; of notes: ignore-unused, ignore-expired, open, required */
    lc_str detail;    /* one line */
    lc_loc loc;
} lc_expectation_failure;

/* Who accepts a finding: the scenario, the settings of the project, or a baseline. */
#define LC_SUPPRESSORS(X)                                                                          \
    X(LC_SUPPRESSED_NOT, "none")                                                                   \
    X(LC_SUPPRESSED_BY_SCENARIO, "scenario")                                                       \
    X(LC_SUPPRESSED_BY_PROJECT, "project")                                                         \
    X(LC_SUPPRESSED_BY_BASELINE, "baseline")
LC_ENUM(lc_suppressor, LC_SUPPRESSORS);

typedef struct lc_repeats lc_repeats;
typedef struct lc_quotable lc_quotable;
/* A judged case. Everything lives in the arena of the report, except what belongs to the scenario.
 * Arrays without a count have one element for each finding of the judgement. */
typedef struct lc_judged {
    const lc_scenario *scenario;
    const lc_recorded_client *client; /* that made the recording, and decided; NULL: none */
    lc_judgement judgement;
    lc_severity *severities;    /* by the policy */
    bool *expected;             /* an expectation lists it, or need not list it */
    lc_str *suppressed;         /* the reason of the ignore, or empty */
    lc_suppressor *suppressors; /* whose reason that is */
    char (*fingerprints)[17];
    lc_set_uses sets;
    const lc_loc (
        *places)[LC_COLUMN_COUNT]; /* for a record of another process: where the values of each
                                      finding are; NULL: the fields of the case know */
    lc_verdict verdict;
    lc_expectation_result expectation;
    LC_VEC(lc_expectation_failure) failures; /* of the expectation */
    LC_VEC(lc_expectation_failure) notes;    /* ignores unused or expired, required not checked */
    lc_lint_notes lints;                     /* mistakes of the scenario, sorted by place */
    lc_severity *lint_severities;            /* one for each of these, by the policy */
    bool linted;                             /* lints were looked for */
    lc_ignore_use ignores_used;              /* which ignores of the policy were used */
    bool *reported; /* for a growing recording: it was reported before, or must not be yet; NULL:
                       report all */
    lc_repeats
        *repeats; /* what reports of the same input have shown already; NULL: show everything */
    lc_quotable *quotable; /* the text of the input, of which reports may show lines; NULL: none */
    bool only_schema;      /* the case has only a schema */
    bool can_fail;         /* a rule that could fail it was checked */
    bool passes;           /* the exit status depends on this */
} lc_judged;

/* The severity of one finding: the first row of the table that fits (see severity.c). */
lc_severity lc_severity_of(const lc_policy *policy, const lc_finding *finding);

/* The object of a finding, for reports: its address, or else the type of the case's object.
 * Borrowed. */
lc_str lc_finding_about(const lc_judged *judged, const lc_finding *finding);

/* Appends the path of a finding without indices and keys, as fingerprints use it. */
void lc_add_type_path(lc_buf *out, const lc_finding *finding);

/* Is the rule selected by --select and --ignore? */
bool lc_policy_selects(const lc_policy *policy, lc_rule rule);

/* Marks the coverage of rules that are not selected, so that they are not counted. Not for cases
 * with an expectation, which is compared with all rules. */
void lc_policy_leave_out(const lc_policy *policy, lc_judgement *judgement);

/* Marks entries of the policy's baseline whose rules are not selected (`aside`). */
void lc_policy_set_aside(const lc_policy *policy);

/* Does the i-th finding fail its case, if that has no expectation? Errors do, regardless of the
 * blame; less severe findings only if they blame the provider, or a whole plan or configuration. */
bool lc_finding_fails(const lc_judged *judged, const lc_policy *policy, size_t i);
/* Is the case not judged because a client stops or crashes at what it states? */
bool lc_client_stops(const lc_judged *judged);
bool lc_effect_stops(lc_effect effect);
/* Appends "an error since Terraform 1.8; OpenTofu: never", before it what the client of the
 * recording makes of it; nothing where every version of both clients does the same. */
void lc_finding_add_versions(lc_buf *out, const lc_judged *judged, const lc_finding *finding);
/* The versions that report the finding: those of its rule, unless its values decide. False: every
 * version of both clients does. */
bool lc_finding_versions(lc_since out[LC_CORE_COUNT], const lc_finding *finding);
/* Does a client stop at the finding, but not this one in this version? */
bool lc_client_accepts(const lc_recorded_client *client, const lc_finding *finding);

/* The highest severity that a finding of the rule can have under this policy. */
lc_severity lc_worst_severity(const lc_policy *policy, lc_rule rule);

/* Applies policy and expectations to out->judgement, which is a judgement of scenario->subject made
 * before. Sets everything else in *out; results live in `report`. */
void lc_verdict_apply(lc_judged *out, lc_arena *report, const lc_scenario *scenario,
                      const lc_policy *policy);
/* For a recording that is (or was) judged while it is made: sets judged->reported in `report`, and
 * remembers in `so_far` what is reported now. */
void lc_so_far_apply(lc_judged *judged, lc_arena *report, lc_so_far *so_far);
/* Judges a scenario and applies policy and expectations. Results live in `report`; `scratch` may be
 * reset afterwards. */
void lc_verdict_judge(lc_judged *out, lc_arena *report, lc_arena *scratch, lc_scenario *scenario,
                      const lc_policy *policy);

/* Applies the policy's baseline to a case that was judged without it, and updates the verdict. */
void lc_verdict_apply_baseline(lc_judged *judged, const lc_policy *policy);

/* The message about an ignore of the policy that has expired or was not used: one line in `arena`.
 */
lc_str lc_ignore_complaint(lc_arena *arena, const lc_ignore *ignore, lc_date today);

/* ---- Mistakes of the scenario. */

/* Adds mistakes of the scenario to the judged case. One at or above --fail-on fails it, regardless
 * of the expectation. Messages are copied into `arena`. */
void lc_verdict_lint(lc_judged *judged, lc_arena *arena, const lc_lint_notes *notes,
                     const lc_policy *policy);

#endif

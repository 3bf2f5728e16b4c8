/* Judging a case: all findings of all rules, never stopping early. Module contract. Pure: no I/O,
 * no global state.
 *
 * A finding never holds a value, so that no report can show a secret by mistake. It holds strings
 * that one function (lc_show) makes from the value, its path and the case's sensitivity when the
 * finding is made.
 *
 * Numbers in brackets, such as (4.2), are sections of the reference of the cores' algorithms
 * (contract-algorithms). */
#ifndef LIFECHECK_CONTRACT_CONTRACT_H
#define LIFECHECK_CONTRACT_CONTRACT_H

#include "lifecheck/base/enum.h"
#include "lifecheck/contract/case.h"

/* A value as it may be shown: JSON in the spelling of scenarios ({"$unknown":true}, ...), with
 * every secret inside replaced by {"$sensitive":"known"} or the like. */
typedef struct lc_redacted_text {
    /* False: there is no such value, and `json` is empty. */
    bool given;
    bool secret; /* the whole value is secret */
    lc_str json;
} lc_redacted_text;

/* The versions of an object that a finding can show side by side. */
#define LC_COLUMNS(X)                                                                              \
    X(LC_COLUMN_CONFIG, "config")                                                                  \
    X(LC_COLUMN_STORED,                                                                            \
      "previous_run") /* previous run state, where the current schema can read it */               \
    X(LC_COLUMN_UPGRADED, "upgraded") /* ... after the upgrade or the move */                      \
    X(LC_COLUMN_PRIOR, "prior")                                                                    \
    X(LC_COLUMN_PROPOSED, "proposed")                                                              \
    X(LC_COLUMN_PLANNED, "planned")                                                                \
    X(LC_COLUMN_PLAN_CREATE, "plan_create")                                                        \
    X(LC_COLUMN_FINAL_PLANNED, "final_planned")                                                    \
    X(LC_COLUMN_NEW, "new")                                                                        \
    X(LC_COLUMN_REREAD, "reread")                                                                  \
    X(LC_COLUMN_NONE, "")
LC_ENUM(lc_column, LC_COLUMNS);
/* Without LC_COLUMN_NONE. */
#define LC_COLUMN_COUNT 10

/* What one core does about a finding. */
typedef struct lc_core_view {
    lc_effect effect;
    /* The summary that the core prints; empty if it prints nothing. */
    lc_str summary;
    /* The detail, without the address in front. */
    lc_str message;
    /* False: the core prints a secret where `message` has a placeholder. */
    bool exact;
    /* The core stops at an earlier error and does not get here. */
    bool masked;
    /* The first version 1.x that reports this one, where the versions of the rule depend on the
     * values; 0: as the rule (lifecheck/catalog/versions.h). */
    unsigned since;
} lc_core_view;

/* How the required value (`promised`) and the returned value (`broken`) differ, where a detector is
 * certain. Computed from the real values when the finding is made, because a finding does not hold
 * them. The required value is the configured, planned or stored one; the returned value is the
 * provider's. */
typedef enum lc_difference_kind {
    /* They differ, and nothing more is known. */
    LC_UNLIKE,
    LC_DIFFERENCE_JSON,     /* the same JSON document */
    LC_DIFFERENCE_CASE,     /* only letter case differs */
    LC_DIFFERENCE_LINE_END, /* only line endings, or line breaks at the end */
    LC_DIFFERENCE_SPACE,    /* only white space */
    LC_DIFFERENCE_SLASH,    /* only a trailing slash */
    LC_DIFFERENCE_DOT,      /* only a trailing dot */
    LC_DIFFERENCE_EMPTY,    /* one is null, the other empty, zero or false */
    LC_DIFFERENCE_ORDER,    /* lists with the same elements in another order */
    LC_DIFFERENCE_FLOAT,    /* equal as 64-bit floats */
    LC_DIFFERENCE_NUMBER,   /* strings of the same number */
    LC_DIFFERENCE_KEY,      /* keys in letter case, surrounding white space or Unicode form; the
                               values are the same */
    /* From here on for explanations only: rules treat these as different values. */
    LC_DIFFERENCE_BOM,      /* a byte order mark at the start */
    LC_DIFFERENCE_UNICODE,  /* other forms of the same characters, or ? in their places */
    LC_DIFFERENCE_TIME,     /* the same instant */
    LC_DIFFERENCE_DURATION, /* the same length of time */
    LC_DIFFERENCE_NET,      /* the same address, network or hardware address */
    LC_DIFFERENCE_SPELLING, /* a string and a number or bool, or two words for a bool */
    LC_DIFFERENCE_YAML,     /* the same YAML document */
    LC_DIFFERENCE_ENCODED,  /* one is base64, hexadecimal or percent-encoding of the other */
    LC_DIFFERENCE_MASKED,   /* the returned one is asterisks, or the like, in whole or in part */
    LC_DIFFERENCE_OTHER_DOCUMENT, /* two JSON or YAML documents that differ; `diff_fact_text` lists
                                     the places */
    LC_DIFFERENCE_KEY_AND_VALUE,  /* keys in form, and values as well */
    LC_DIFFERENCE_HASH,           /* the returned one looks like a digest */
    LC_DIFFERENCE_LONGER,         /* a short name, and one with a longer prefix or suffix */
    LC_DIFFERENCE_CUT,            /* the returned one is the beginning of the required one */
    LC_DIFFERENCE_ROUNDED,        /* the returned one has fewer decimals */
} lc_difference_kind;

/* How two values of one place differ. Verdicts may depend only on what lc_compare_form
 * distinguishes. *where: the places inside the values that differ, or empty; in `arena`. */
lc_difference_kind lc_compare_closely(lc_arena *arena, const lc_value *promised,
                                      const lc_value *broken, lc_str *where);

/* Facts about the values at the finding's place, which explanations (module diagnose) use in
 * addition to the rule. They are bits, and hold none of the values. PROMISED and BROKEN are the
 * values in the columns `promised_by` and `broken_by`; CONFIG and PRIOR are those at the same path
 * of these columns. */
enum {
    LC_DIFF_FACT_COMPUTED =
        1 << 0, /* the attribute's flags; neither of the two: no attribute of the schema */
    LC_DIFF_FACT_OPTIONAL = 1 << 1,
    LC_DIFF_FACT_CONFIG_NULL = 1 << 2,
    LC_DIFF_FACT_CONFIG_UNKNOWN = 1 << 3,
    LC_DIFF_FACT_CONFIG_KNOWN = 1 << 4,
    LC_DIFF_FACT_PROMISED_NULL = 1 << 5,
    LC_DIFF_FACT_PROMISED_KNOWN = 1 << 6,
    LC_DIFF_FACT_BROKEN_NULL = 1 << 7,
    LC_DIFF_FACT_BROKEN_KNOWN = 1 << 8,
    LC_DIFF_FACT_BROKEN_UNKNOWN = 1 << 9,     /* as a whole */
    LC_DIFF_FACT_PROMISED_IS_PRIOR = 1 << 10, /* both known, and the same */
    LC_DIFF_FACT_BROKEN_IS_PRIOR = 1 << 11,
    LC_DIFF_FACT_BROKEN_IS_CONFIG = 1 << 12,
    LC_DIFF_FACT_SCALAR = 1 << 13, /* a bool or a number, whose zero is a value like any other */
    LC_DIFF_FACT_CREATE = 1 << 14, /* the prior state is null: a create */
    LC_DIFF_FACT_CONFIG_CHANGED =
        1 << 15, /* here, from a known value at plan to another one at apply */
    LC_DIFF_FACT_SAME_INPUTS =
        1 << 16, /* both plan calls had the same configuration, wholly known */
    LC_DIFF_FACT_CONFIG_IS_PRIOR = 1 << 17,  /* every configured value equals the prior one */
    LC_DIFF_FACT_FOLLOWS_PROPOSED = 1 << 18, /* the plan equals the proposed new state that was
                                                sent, which is not what today's clients compute */
    LC_DIFF_FACT_PERMUTED = 1 << 19,         /* inside a list whose elements were only reordered */
    LC_DIFF_FACT_NEIGHBOUR =
        1 << 20, /* the returned value is the prior one of another element of the list */
    LC_DIFF_FACT_SET_NEAR =
        1 << 21, /* set elements without a partner are similar to one on the other side */
    LC_DIFF_FACT_SET_COLLAPSED = 1 << 22, /* several set elements have become equal, hence one */
    LC_DIFF_FACT_IN_SET = 1 << 23,
    LC_DIFF_FACT_IN_PRIOR = 1 << 24, /* the path exists in the prior state */
    LC_DIFF_FACT_LATE_REPLACE =
        1 << 25, /* a path of requires_replace was unknown in the first plan */
    LC_DIFF_FACT_CONFIG_PARTLY_UNKNOWN =
        1 << 26, /* the configuration at plan was unknown here, or had an unknown inside */
    LC_DIFF_FACT_SETS = 1 << 27,         /* both values are sets */
    LC_DIFF_FACT_CREATE_FIRST = 1 << 28, /* create_before_destroy */
    LC_DIFF_FACT_FAILED = 1 << 29,       /* the call returned an error as well */
    LC_DIFF_FACT_OPEN_INPUTS = 1 << 30,  /* the configuration of the first plan had unknowns */
};

/* The probable reason of the violation, and what to change (module diagnose). Empty if no row fits.
 */
typedef struct lc_diagnosis {
    /* The row's name, as "json-equal"; empty: none. */
    lc_str id;
    /* Confidence: exact, or else likely. */
    bool exact;
    lc_str why;
    lc_str fix_framework;
    lc_str fix_sdkv2;
} lc_diagnosis;

/* A call of a run, by position. */
typedef struct lc_call_ref {
    lc_call_kind kind;
    /* From 1; 0: no recorded call, as for findings about the schema. */
    uint32_t index;
} lc_call_ref;

/* One leaf in which the required and the returned value of a finding differ, in every column that
 * has the place. Strings that hold JSON or YAML documents are compared as documents, leaf by leaf.
 */
typedef struct lc_evidence_row {
    /* From the root; an element of a set is [...]. */
    lc_str path_text;
    /* JSON pointer inside the document in the text at the path; empty: none. */
    lc_str pointer;
    lc_redacted_text values[LC_COLUMN_COUNT];
} lc_evidence_row;

/* The differing leaves of one finding; a limit keeps their number small. */
typedef struct lc_evidence {
    const lc_evidence_row *rows;
    size_t count;
    size_t more; /* number of further leaves */
} lc_evidence;

/* One violation. Strings, paths and lists are in the judgement's arena; paths borrow set elements
 * from the case. */
typedef struct lc_finding {
    lc_rule rule;
    uint32_t run; /* number of its run, from 1 */
    lc_call_ref call;
    /* Later calls of the run with the same finding, which were merged into it. */
    const lc_call_ref *also;
    size_t also_count;
    /* Address of its object in a case with several; empty: that of the case. */
    lc_str address;
    /* Index of the finding without which this one would not exist, or -1. */
    long follows;
    lc_path path;
    /* Number of steps at its end whose names are data inside a secret, and are hidden. */
    size_t unnamed;
    lc_str path_text;
    lc_str steps_json; /* [{"attribute":"policy"}] */
    lc_loc loc;
    lc_quoted quote; /* of a configuration, whose lines are not those of the case's input */
    lc_str message;  /* one line in our words */
    lc_redacted_text values[LC_COLUMN_COUNT];
    /* The columns that contradict each other; LC_COLUMN_NONE: none. */
    lc_column promised_by, broken_by;
    /* For containers and documents; NULL: `values` show everything. */
    const lc_evidence *evidence;
    lc_core_view core[LC_CORE_COUNT];
    /* The flag legacy_type_system of the call, on which effects can depend. */
    lc_fact legacy;
    /* For sets: of all parts that differ, if it is the same for all. */
    lc_difference_kind difference_kind;
    /* LC_DIFF_FACT_* bits; 0 if the values are not available. */
    unsigned diff_facts;
    /* Places inside the value, as "/Rules/0, /b"; empty if no place is known, or if they are
     * secret. */
    lc_str diff_fact_text;
    lc_diagnosis diagnosis;
    /* Rests on evidence that another finding shows to be wrong. */
    bool doubtful;
    /* Every provider built on SDKv2 does so, and cannot avoid it. */
    bool of_old_sdk;
    /* By another reading of the evidence there may be no violation. */
    bool unproven;
    /* The answer rests on a part of a request that another finding shows to be wrong. */
    bool of_client;
    /* A violation by another instance is the cause; NULL: no cause is known. */
    const lc_cause *cause;
} lc_finding;

/* Who is at fault: whom the rule blames, unless the client caused the violation. */
lc_blame lc_finding_blame(const lc_finding *finding);

/* How far one rule could be checked in one case. The order matters: of several runs and calls the
 * greatest counts. */
typedef enum lc_coverage {
    LC_COVER_NOT_APPLICABLE,
    LC_COVER_NOT_CHECKED,
    LC_COVER_CHECKED,
    LC_COVER_LEFT_OUT, /* set by policy, which does not select the rule: it counts in no sum */
} lc_coverage;

/* Can evidence of this kind hold the input? A plan never has calls, a log no values, a recording
 * what its client did not ask for. */
bool lc_source_can_give(lc_source_kind source, lc_need need);

/* What the cores do in one run, as far as it follows from the case. */
typedef struct lc_run_result {
    lc_action action[LC_CORE_COUNT];
    const char *no_action; /* why one of them is LC_ACTION_NONE, or NULL */
    /* Of the first plan call; NULL if not determined. */
    const lc_value *proposed[LC_CORE_COUNT];
} lc_run_result;

/* What could not be determined: an expectation that could not be compared, a part of a prediction,
 * or a case that was not queried completely. */
typedef struct lc_open_expectation {
    lc_loc loc;
    lc_str text; /* one line */
} lc_open_expectation;

/* The result of judging a case. */
typedef struct lc_judgement {
    LC_VEC(lc_finding) findings; /* in report order */
    /* One for each run of the case. */
    lc_run_result *runs;
    /* The domain whose rules were applied. */
    lc_domain domain;
    /* JSON array of predicted actions, or empty. */
    lc_str predictions;
    /* JSON array: what the client refuses, and what cannot be predicted. */
    lc_str prediction_notes;
    /* JSON object: how much of the prediction is certain, and what is not; or empty. */
    lc_str prediction;
    /* The prediction leaves something open, or predicts nothing. */
    bool partial;
    /* JSON array: the actions that are predicted for the run of a plan, in addition to the plan's
     * own; or empty. */
    lc_str foreseen;
    /* JSON array: which provider instance each resource instance uses; or empty. */
    lc_str instances;
    /* An expectation could not be compared, so that there is no verdict; and which ones. */
    bool open_expectation;
    LC_VEC(lc_open_expectation) open_expectations;
    lc_coverage coverage[LC_RULE_COUNT];
    /* LC_COVER_NOT_CHECKED: the first input that is missing; LC_NEED_COUNT: one that a report
     * of another version names and this version does not know. */
    lc_need missing[LC_RULE_COUNT];
} lc_judgement;

/* Judge `c` and fill `out`. Derived fields are filled into the case (state LC_FIELD_DERIVED).
 * Everything in the judgement lives in `report`, but for `proposed` and borrowed elements of sets,
 * which live in `scratch` and in the case. `scratch` is for intermediate values and may be reset
 * once these are not needed. Never fails. */
void lc_case_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, lc_case *c);

/* Would a client send the configuration to a provider, or refuse it by the schema (family config)?
 */
bool lc_config_is_sendable(lc_arena *scratch, const lc_schema *schema, const lc_value *config);

/* Was a change planned that no call applied? Only for recordings: what a scenario leaves out is
 * merely not stated. `run` counts from 0. */
bool lc_run_is_unapplied(const lc_case *c, const lc_judgement *judgement, size_t run);

/* A set of objects in the schema of a case, a block or a nested attribute. */
typedef struct lc_set_use {
    /* Attribute and block names alone: ".rule.port". */
    lc_str path;
    /* Some value of the case had an unknown inside this set. */
    bool unknown;
} lc_set_use;
typedef LC_VEC(lc_set_use) lc_set_uses;
/* All sets in the schemas of a case, in the schema's order, each once. In `arena`. */
void lc_case_set_uses(lc_set_uses *out, lc_arena *arena, const lc_case *c);

/* The domain of a finding. It can differ from that of the case: a plan may also break a rule of the
 * lifecycle. */
static inline lc_domain lc_finding_domain(const lc_finding *finding)
{
    return finding->call.kind == LC_CALL_RUN         ? LC_DOMAIN_RUN
           : finding->call.kind == LC_CALL_PROVIDERS ? LC_DOMAIN_PROVIDERS
                                                     : LC_DOMAIN_LIFECYCLE;
}

/* What a Cloud Control provider should send to the service for a run of a case that was judged. */
typedef struct lc_documents {
    /* For a create; NULL: nothing is created. */
    lc_cfn_doc *desired_state;
    bool has_patch; /* for an update */
    lc_cfn_patch patch;
    /* Of the existing object, for an update or delete; NULL: not known. */
    const lc_str *identifier;
    /* Of the object that is created, if it can be computed; else NULL. */
    const lc_str *created;
} lc_documents;
/* False: the run's schema has no CloudFormation resource type, or the objects are not given. `run`
 * counts from 0; results are in `arena`. */
bool lc_case_documents(lc_documents *out, lc_arena *arena, lc_case *c, size_t run);

/* Does a core tolerate it, certainly or perhaps, because the provider declares that it uses the old
 * SDK (legacy_type_system)? */
bool lc_finding_is_tolerated(const lc_finding *finding);
/* The effect in a core if legacy_type_system was set, or not set, in the finding's call. */
lc_effect lc_finding_effect_if(const lc_finding *finding, lc_core core, bool legacy);

/* ---- Functions of the cores that other modules use too. Results are in `arena`, or are borrowed
 * from the arguments. */

/* ProposedNew (4.2) of a core, for what it sends as prior state and configuration. NULL: the core
 * would crash computing it (7.2 no. 6). */
const lc_value *lc_proposed_new(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *prior, const lc_value *config);
/* Terraform's PrepareComputedBlocks (4.4): empty computed block collections become null. Returns
 * `config` itself if nothing changes. */
const lc_value *lc_prepare_computed_blocks(lc_arena *arena, const lc_block *block,
                                           const lc_value *config);
/* The placeholder (4.3) for a data source whose read is delayed until the apply phase; NULL:
 * crash. */
const lc_value *lc_planned_data(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *config);
/* ignore_changes of the run applied to `config` (4.8). `schema` NULL: the second pass, over a plan
 * with legacy_type_system. */
const lc_value *lc_ignore_changes(lc_arena *arena, const lc_run *run, const lc_block *schema,
                                  const lc_value *prior, const lc_value *config);
/* requires_replace after a core's filter (4.9). */
typedef struct lc_replace_paths {
    const lc_path *kept;
    size_t count;
    /* One of them is write-only, for which alone OpenTofu replaces. */
    bool any_write_only;
    /* A path does not exist before or after: the cores stop with an error. */
    bool invalid;
} lc_replace_paths;
/* `prior` NULL or null: nothing is replaced, and `out` is empty. Paths stay borrowed. */
void lc_replace_filter(lc_replace_paths *out, lc_arena *arena, lc_core core, const lc_block *block,
                       const lc_value *prior, const lc_value *planned, const lc_path_list *paths);
/* NormalizeObjectFromLegacySDK (4.7), the same in both cores; NULL: they crash. */
const lc_value *lc_normalize_legacy(lc_arena *arena, const lc_block *block, const lc_value *value);

/* ---- What links one call about an object to the next. */

/* A state as a client hands it on to the next call: unknowns are null, and blocks are normalized as
 * for SDKv2. */
const lc_value *lc_state_handed_on(lc_arena *arena, const lc_block *block, const lc_value *state);
/* A stored object decoded by the schema; NULL: it is of another schema version, or does not
 * decode. */
const lc_value *lc_stored_by_schema(lc_arena *arena, const lc_raw_state *raw,
                                    const lc_schema *schema);
/* A configuration with null instead of write-only values. Those may differ between plan and apply,
 * so a comparison must ignore them. */
const lc_value *lc_without_write_only(lc_arena *arena, const lc_block *block,
                                      const lc_value *config);

/* One error of AssertPlanValid or AssertObjectCompatible as a core reports it. */
typedef struct lc_core_error {
    lc_path path; /* in that core's spelling */
    /* The message with %v and the like instead of values, as in recorded verdicts. */
    lc_str template;
    lc_str message;
} lc_core_error;

/* All errors of one core, in its order. */
typedef struct lc_core_errors {
    lc_core_error *items;
    size_t count;
    size_t capacity;
    bool crash; /* the core crashes */
} lc_core_errors;

/* AssertPlanValid of each core: out[LC_OPENTOFU] and out[LC_TERRAFORM]. Errors are in `arena`. */
void lc_core_plan_valid(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *prior, const lc_value *config, const lc_value *planned);
/* AssertObjectCompatible of each core. `marked`: both values carry the marks of sensitive
 * attributes. */
void lc_core_compatible(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *planned, const lc_value *actual, bool marked);

/* A value at `path` of an object of the case, as findings show it: secrets are replaced by a word.
 * In `arena`. */
lc_redacted_text lc_case_show(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                              lc_path path, const lc_value *value);
/* May anything in the case be secret: by a schema, by a mark, or because it is a whole plan? */
bool lc_case_may_hold_secrets(const lc_case *subject);
/* The text of a path, with keys below a secret hidden. In `arena`. */
lc_str lc_case_show_path(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                         lc_path path);

/* Append a value as JSON in the spelling of scenarios, with nothing redacted: only for data that is
 * not printed. `want` is the schema's type; where it is dynamic, markers keep the value's type. */
void lc_value_add_scenario_json(lc_buf *buf, const lc_value *value, const lc_type *want);

#endif

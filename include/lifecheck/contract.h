/* Judging a case: all findings of all rules, never stopping early. Module contract. Pure.
 *
 * A finding never holds a value: it holds texts made by one function (lc_redacted_text) from value,
 * path and the case's sensitivity at the moment of emission. */
#ifndef LIFECHECK_CONTRACT_H
#define LIFECHECK_CONTRACT_H

#include "lifecheck/case.h"
#include "lifecheck/enum.h"

/* A part of a value, made showable: JSON in the spelling of scenarios ({"$unknown":true}, ...), a
 * secret as {"$sensitive":"known"}. */
typedef struct lc_redacted_text {
    bool given;
    bool secret; /* wholly secret: nothing of it is shown */
    lc_str json;
} lc_redacted_text;

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
#define LC_COLUMN_COUNT 10

typedef struct lc_core_view {
    lc_effect effect;
    lc_str summary; /* that core's own words; empty when it says nothing */
    lc_str message; /* without the address prefix */
    bool exact;     /* false: a secret was replaced in the text */
    bool masked;    /* this core would not have reached it */
} lc_core_view;

/* How a promised and a broken value differ, where that can be told for certain. Seen on the real
 * values when the finding is made, because a finding holds none. */
typedef enum lc_difference_kind {
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
    LC_DIFFERENCE_NUMBER,   /* texts of the same number */
    /* What only explanations tell apart; for rules these are different values. */
    LC_DIFFERENCE_BOM,      /* a byte order mark at the start */
    LC_DIFFERENCE_UNICODE,  /* other forms of the same characters, or ? in their places */
    LC_DIFFERENCE_TIME,     /* the same instant */
    LC_DIFFERENCE_DURATION, /* the same length of time */
    LC_DIFFERENCE_NET,      /* the same address, network or hardware address */
    LC_DIFFERENCE_SPELLING, /* a text and a number or bool, or two words for a bool */
    LC_DIFFERENCE_YAML,     /* the same YAML document */
    LC_DIFFERENCE_ENCODED,  /* one is base64, hexadecimal or percent-encoding of the other */
    LC_DIFFERENCE_MASKED,   /* the broken one is asterisks, or the like, in whole or in part */
    LC_DIFFERENCE_OTHER_DOCUMENT, /* two JSON or YAML documents that differ; `clue_text` tells where
                                   */
    LC_DIFFERENCE_HASH,           /* the broken one looks like a digest */
    LC_DIFFERENCE_LONGER,         /* a short name, and one with more in front or behind */
    LC_DIFFERENCE_CUT,            /* the broken one is how the promised one begins */
    LC_DIFFERENCE_ROUNDED,        /* the broken one has fewer decimals */
} lc_difference_kind;

/* What explanations look at beside the rule: facts about the values at the finding's place, and
 * none of these values. Bits. "Promised" and "broken" are the values of those columns. */
enum {
    LC_DIFF_FACT_COMPUTED =
        1 << 0, /* the attribute's flags; none of both: no attribute of the schema */
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
    LC_DIFF_FACT_SCALAR = 1 << 13, /* a bool or a number: zero is as good as any other value */
    LC_DIFF_FACT_CREATE = 1 << 14, /* there was no object before */
    LC_DIFF_FACT_CONFIG_CHANGED = 1 << 15, /* here, from known to something else, until the apply */
    LC_DIFF_FACT_SAME_INPUTS = 1 << 16, /* both plans had the same configuration, all of it known */
    LC_DIFF_FACT_CONFIG_IS_PRIOR = 1 << 17, /* whatever is configured is as it was before */
    LC_DIFF_FACT_FOLLOWS_PROPOSED =
        1 << 18,                     /* planned as the client proposed, against the configuration */
    LC_DIFF_FACT_PERMUTED = 1 << 19, /* in a list whose elements have changed places */
    LC_DIFF_FACT_NEIGHBOUR = 1 << 20, /* broken is what another element of the list was before */
    LC_DIFF_FACT_SET_NEAR = 1 << 21,  /* elements without partner differ from one in few parts */
    LC_DIFF_FACT_SET_COLLAPSED = 1 << 22, /* several elements have become one */
    LC_DIFF_FACT_IN_SET = 1 << 23,
    LC_DIFF_FACT_IN_PRIOR = 1 << 24,     /* the place exists in the prior state */
    LC_DIFF_FACT_LATE_REPLACE = 1 << 25, /* a value that asks for the replace was unknown before */
    LC_DIFF_FACT_CONFIG_PARTLY_UNKNOWN = 1 << 26, /* as it was planned: unknown here, or within */
    LC_DIFF_FACT_SETS = 1 << 27,                  /* both values are sets */
    LC_DIFF_FACT_CREATE_FIRST = 1 << 28,          /* create_before_destroy */
    LC_DIFF_FACT_FAILED = 1 << 29,                /* the call says that it failed */
    LC_DIFF_FACT_OPEN_INPUTS = 1 << 30, /* the first plan had a configuration with unknowns in it */
};

typedef struct lc_diagnosis {
    lc_str id;  /* "json-equal"; empty: none */
    bool exact; /* confidence exact, else likely */
    lc_str why;
    lc_str fix_framework;
    lc_str fix_sdkv2;
} lc_diagnosis;

typedef struct lc_call_ref {
    lc_call_kind kind;
    uint32_t index; /* in its run; 0 for schema findings */
} lc_call_ref;

/* One leaf in which the promised and the broken value of a finding differ, in the columns that hold
 * the place. Texts that are JSON or YAML are compared as documents, and have leaves themselves. */
typedef struct lc_evidence_row {
    lc_str path_text; /* from the root; below a set an element is [...] */
    lc_str pointer;   /* JSON pointer within the document that stands at the path; empty: none */
    lc_redacted_text values[LC_COLUMN_COUNT];
} lc_evidence_row;

typedef struct lc_evidence {
    const lc_evidence_row *rows;
    size_t count;
    size_t more; /* leaves that are not among them */
} lc_evidence;

typedef struct lc_finding {
    lc_rule rule;
    uint32_t run; /* from 1 */
    lc_call_ref call;
    const lc_call_ref *also; /* later calls with the same finding */
    size_t also_count;
    lc_str address; /* of the object it is about, in a case of several; empty: that of the case */
    long follows;   /* index of the finding that this one only exists because of, or -1 */
    lc_path path;
    size_t unnamed; /* steps at its end whose names are data below a secret */
    lc_str path_text;
    lc_str steps_json; /* [{"attribute":"policy"}] */
    lc_loc loc;
    lc_str message; /* one line, our words */
    lc_redacted_text values[LC_COLUMN_COUNT];
    lc_column promised_by, broken_by; /* LC_COLUMN_NONE where it makes no sense */
    const lc_evidence *evidence;      /* of containers and documents; NULL: `values` say it all */
    lc_core_view core[LC_CORE_COUNT];
    lc_fact legacy; /* legacy_type_system of the call, where the effects depend on it */
    lc_difference_kind
        difference_kind;   /* of sets: of all parts that differ, if it is the same for all */
    unsigned diff_facts;   /* LC_DIFF_FACT_*; 0 where the values are not at hand */
    lc_str diff_fact_text; /* places within the value, "/Rules/0, /b"; empty if there are none, or
                         they are secret */
    lc_diagnosis diagnosis;
    bool doubtful;             /* the evidence contradicts itself here */
    bool of_old_sdk;           /* every provider on the old SDK does so, and cannot help it */
    bool unproven;             /* there may be a reading that keeps the promise */
    const lc_cause *elsewhere; /* the promise was broken by another instance; NULL: not known */
} lc_finding;

/* What could be judged of one rule in one case. */
typedef enum lc_coverage {
    LC_COVER_NOT_APPLICABLE,
    LC_COVER_NOT_CHECKED,
    LC_COVER_CHECKED,
    LC_COVER_LEFT_OUT, /* the policy does not select it: no sum counts it */
} lc_coverage;

typedef struct lc_run_result {
    lc_action action[LC_CORE_COUNT];
    const lc_value *proposed[LC_CORE_COUNT]; /* of the first plan call; NULL if not determined */
} lc_run_result;

typedef struct lc_judgement {
    LC_VEC(lc_finding) findings; /* in report order */
    lc_run_result *runs;         /* one per run of the case */
    lc_domain domain;            /* whose rules it was judged by */
    lc_str predictions;          /* JSON array of what was predicted, or empty */
    lc_str prediction_notes;     /* JSON array: what the client refuses, what cannot be told */
    lc_str instances;            /* JSON array of who uses which provider instance, or empty */
    bool open_expectation;       /* something that is expected cannot be told: no verdict */
    lc_coverage coverage[LC_RULE_COUNT];
    lc_need missing[LC_RULE_COUNT]; /* NOT_CHECKED: the first input that is missing;
                                       LC_NEED_COUNT: this version does not judge the rule */
} lc_judgement;

/* Judge `c`. Derived fields are filled into the case (state DERIVED). Everything in the judgement
 * lives in `report`; `scratch` is used for intermediate values and may be reset afterwards. */
void lc_case_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, lc_case *c);

/* Was a change planned that nothing carried out? Of recordings; what a scenario leaves out is only
 * not stated. `run` from 0. */
bool lc_run_is_unapplied(const lc_case *c, const lc_judgement *judgement, size_t run);

/* A set of objects in the schema of a case, a block or a nested attribute. */
typedef struct lc_set_use {
    lc_str path;  /* without indices */
    bool unknown; /* some value of the case had an unknown in it */
} lc_set_use;
typedef LC_VEC(lc_set_use) lc_set_uses;
/* All of a case, in order of the schema. */
void lc_case_set_uses(lc_set_uses *out, lc_arena *arena, const lc_case *c);

/* What the case was about that the finding is of: a plan may break a rule of the lifecycle as well.
 */
static inline lc_domain lc_finding_domain(const lc_finding *finding)
{
    return finding->call.kind == LC_CALL_RUN         ? LC_DOMAIN_RUN
           : finding->call.kind == LC_CALL_PROVIDERS ? LC_DOMAIN_PROVIDERS
                                                     : LC_DOMAIN_LIFECYCLE;
}

/* What the Cloud Control provider should send for a run of a case that was judged. */
typedef struct lc_documents {
    lc_cfn_doc *desired_state; /* to create; NULL: nothing is created */
    bool has_patch;            /* to update */
    lc_cfn_patch patch;
    const lc_str
        *identifier;       /* of the object that is there, to update or delete; NULL: not known */
    const lc_str *created; /* of the one that is created, as far as it can be told; or NULL */
} lc_documents;
/* False: the run's schema is of no CloudFormation resource type, or the objects are not given. */
bool lc_case_documents(lc_documents *out, lc_arena *arena, lc_case *c, size_t run);

/* What a core would do with this finding if legacy_type_system were set, or not set, in its call.
 */
lc_effect lc_finding_effect_if(const lc_finding *finding, lc_core core, bool legacy);

/* ---- Pieces that other programs of the project use too. */

/* ProposedNew of each core (contract-algorithms 4.2) for what it sends as prior and config. */
const lc_value *lc_proposed_new(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *prior, const lc_value *config);
/* True: the core would crash computing it (contract-algorithms 7.2 no. 6); lc_proposed_new then
 * returns NULL. */
/* The placeholder of a data read that is delayed to apply (4.3). */
const lc_value *lc_planned_data(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *config);
/* ignore_changes of the run applied to `config`; `schema` NULL: the second pass over a legacy plan
 * (contract-algorithms 4.8). */
const lc_value *lc_ignore_changes(lc_arena *arena, const lc_run *run, const lc_block *schema,
                                  const lc_value *prior, const lc_value *config);
/* requires_replace after core's filter (4.9), per core. */
typedef struct lc_replace_paths {
    const lc_path *kept;
    size_t count;
    bool any_write_only; /* a kept path that is write-only (OpenTofu replaces for it alone) */
    bool invalid;        /* some path exists on neither side: the cores stop */
} lc_replace_paths;
void lc_replace_filter(lc_replace_paths *out, lc_arena *arena, lc_core core, const lc_block *block,
                       const lc_value *prior, const lc_value *planned, const lc_path_list *paths);
/* NormalizeObjectFromLegacySDK (4.7). The same in both cores; NULL where the core crashes. */
const lc_value *lc_normalize_legacy(lc_arena *arena, const lc_block *block, const lc_value *value);

/* ---- What links one call about an object to the next. */

/* A state as a client hands it to the next call: unknowns are null, blocks have the form that the
 * old SDK wants. */
const lc_value *lc_state_handed_on(lc_arena *arena, const lc_block *block, const lc_value *state);
/* A stored object by a schema of its own version; NULL: it is of another one, or does not decode.
 */
const lc_value *lc_stored_by_schema(lc_arena *arena, const lc_raw_state *raw,
                                    const lc_schema *schema);
/* A configuration with null in place of write-only values, which may differ between plan and
 * apply. */
const lc_value *lc_without_write_only(lc_arena *arena, const lc_block *block,
                                      const lc_value *config);

/* One problem of AssertPlanValid or AssertObjectCompatible as a core reports it. */
typedef struct lc_core_error {
    lc_path path;    /* in that core's spelling */
    lc_str template; /* the message with values replaced, as in recorded verdicts */
    lc_str message;
} lc_core_error;

typedef struct lc_core_errors {
    lc_core_error *items;
    size_t count;
    size_t capacity;
    bool crash;
} lc_core_errors;

/* What each core says of a plan: out[LC_OPENTOFU] and out[LC_TERRAFORM]. */
void lc_core_plan_valid(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *prior, const lc_value *config, const lc_value *planned);
/* AssertObjectCompatible. `marked`: sensitive attributes carry their mark in both values. */
void lc_core_compatible(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *planned, const lc_value *actual, bool marked);

/* What stands at `path` in an object of the case, shown as findings show it: of a secret one word.
 */
lc_redacted_text lc_case_show(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                              lc_path path, const lc_value *value);
/* The path in text form, keys below a secret hidden. */
lc_str lc_case_show_path(lc_arena *arena, const lc_case *subject, const lc_schema *schema,
                         lc_path path);

/* Do two texts differ in form only, by one of the detectors of read/normalized? */
bool lc_texts_mean_the_same(lc_arena *arena, lc_str a, lc_str b);

/* JSON of a value in the spelling of scenarios, nothing redacted: for data that is not printed.
 * Where the schema's type is dynamic, typed markers keep the type. */
void lc_value_add_scenario_json(lc_buf *buf, const lc_value *value, const lc_type *want);

#endif

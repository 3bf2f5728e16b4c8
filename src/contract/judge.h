/* Judging one run: what is known of it, and how the families of rules report findings. Private to
 * the module contract. Values, calls and views live in the case's arena or in `scratch`, and stay
 * valid while the case is judged; findings and all that they hold are in `report`. */
#ifndef LC_CONTRACT_JUDGE_H
#define LC_CONTRACT_JUDGE_H

#include "contract/sensitivity.h"
#include "contract/walk/request.h"
#include "contract/walk/walk.h"

/* What one core sends in the run, and decides after the plan. */
typedef struct lc_core_run {
    const lc_value *config;        /* of the first plan; NULL: not known */
    const lc_value *create_config; /* of the second plan of a replace */
    const lc_value *final_config;  /* of the plan in the apply phase */
    const lc_value *proposed;      /* of the first plan */
    bool proposed_crash;           /* the core crashes computing it */
    lc_replace_paths paths;        /* requires_replace of the plan, filtered */
    lc_action action;
} lc_core_run;

/* One run, with everything that follows from it. Values that are absent or not known are NULL. */
typedef struct lc_run_view {
    lc_run *run;
    uint32_t number; /* from 1 */
    const lc_schema *schema;
    const lc_block *block;
    lc_call *call[LC_CALL_KIND_COUNT]; /* the first of each kind, of plans the last; or NULL */
    bool deleting;          /* the configuration is null, or only calls of a delete were made */
    bool replacing;         /* in either core */
    const lc_value *config; /* as the user wrote it */
    const lc_value *final_config;
    const lc_raw_state *stored_raw; /* previous run state in its raw form, or NULL */
    const lc_value *stored; /* the same decoded by the current schema; NULL: it has another version,
                               or does not decode */
    bool stored_derived;    /* `stored` is from the run before, not given */
    const lc_value *saved_before; /* what the run before has saved, if this one does not state what
                                     is stored; of that run's schema */
    int64_t stored_version;       /* schema version of the stored object, wherever it is from */
    const lc_value *upgraded;     /* upgraded (or moved) state */
    const lc_value *prior;        /* refreshed state */
    const lc_value *sent_prior;   /* prior state as plan calls get it: null if tainted */
    const lc_value *initial; /* planned state of the plan phase, which the final plan must keep */
    lc_column initial_column;
    const lc_value *promised; /* planned state that the apply must keep */
    lc_column promised_column;
    lc_core_run core[LC_CORE_COUNT];
    const lc_value *saved; /* the state that the cores save at the end */
    bool after_apply;      /* it begins with the object that the run before has applied */
} lc_run_view;

/* The state of judging one case; `view` and what belongs to a run is set anew for each run. */
typedef struct lc_judge {
    lc_arena *report;
    lc_arena *scratch;
    lc_case *subject;
    lc_judgement *out;
    const lc_run_view *view;
    const lc_run_view *before; /* view of the run before; NULL: none, or not connected */
    const lc_sensitivity *sensitivity;
    bool *after_apply; /* by run, for those before this one: the applied object was read at its
                          begin */
    unsigned reads_after_apply;     /* how many of these there are */
    struct lc_table *asked;         /* calls by their requests, for sequence/not-deterministic */
    bool asked_again;               /* some request of the run had been made before */
    struct lc_table *functions;     /* calls of functions by their arguments, for function/impure */
    bool function_again;            /* some function was called with the same arguments before */
    struct lc_questions *questions; /* plans of the case so far, for probe/...; NULL: none */
    unsigned probed_rules;  /* rules of probe/... that could be judged in the run: bits from the
                               family's first on */
    unsigned gate_rules;    /* the same of the rules of gate/... */
    bool probing_gave_up;   /* a limit of comparisons was reached: some are not checked */
    bool gave_up;           /* a limit was reached comparing sets: their rules are not checked */
    unsigned long_searches; /* how many searches with patterns took many steps, for their limit */
    bool sets_undecided; /* a limit was reached in a planned set: plan/set-element is not checked */
    bool pattern_undecided; /* a pattern took too many steps or is unusable: cfn/config-pattern is
                               not checked */
    struct lc_diff_memo
        *memo; /* comparisons that diff/facts.c has made already; NULL until it needs one */
} lc_judge;

/* Fill `view` for run number `run` (from 0): find calls, derive fields, compute what the cores
 * send, decide actions. Derived fields are written into the case as well. `before` is the view of
 * the run before, or NULL. */
void lc_run_view_make(lc_run_view *view, lc_arena *scratch, lc_case *subject, size_t run,
                      const lc_run_view *before);
/* Why a client has no action in the run; NULL: all have one. */
const char *lc_no_action(const lc_run_view *view);
/* The result of a call as an object to judge, borrowed; NULL: there is no call, or the result is
 * absent, undecodable or derived. Callers look at `failed` themselves, since a failed call owes no
 * object. */
const lc_value *lc_call_object(const lc_call *call);
/* The column that the result of such a call is shown in, or LC_COLUMN_NONE. */
lc_column lc_call_column(lc_call_kind kind);
/* Did a finding (wo/returned) stop both cores in this call before they compare values? */
bool lc_call_stopped(const lc_judge *j, const lc_call *call);
/* A raw object decoded as `type`, in `arena`; NULL if it does not decode (contract-algorithms
 * 4.12). `strip`: members that the type does not have are dropped first, as the cores do for
 * objects, but not for identities. */
const lc_value *lc_stored_decode(lc_arena *arena, const lc_value *raw, const lc_type *type,
                                 bool strip);
/* Is the final plan missing in a run whose configuration had unknowns? Then either the final plan
 * or the apply may have caused a violation that the result shows, and a refinement may have been
 * replaced by a better one. */
bool lc_final_plan_is_missing(const lc_run_view *view);

/* Set `elsewhere` in findings of the run that a violation by another instance has caused. */
void lc_findings_name_causes(lc_judge *j);

/* Set `of_client` in findings about answers that rest on what a request has wrongly. */
void lc_findings_name_client(lc_judgement *out, lc_arena *scratch, const lc_case *subject);

/* The stored object whose identity is not null, borrowed; NULL: there is no such object, or the
 * type has no identity. */
const lc_raw_state *lc_raw_identity(const lc_judge *j);
/* Does the run show identities of a type whose identity schema is not known? */
bool lc_identity_is_untyped(const lc_judge *j);
/* The identity that an object had before a call, borrowed; NULL: not known. */
const lc_value *lc_identity_before(const lc_judge *j, const lc_call *call);

/* Does the client allow this call to be deferred? */
lc_fact lc_deferral_allowed(const lc_judge *j, const lc_call *call);
/* The configuration that the run of the view has applied; NULL: not known, or nothing was
 * applied. */
const lc_value *lc_applied_config(const lc_run_view *view);
/* Does the run plan the object that the run before applied, with the object and the configuration
 * still the same? */
bool lc_plans_applied_object(const lc_judge *j);

/* Were the two calls answered by a provider that is configured in the same way? `run` is the number
 * of the run of `a`, from 1; `b` is of the run of the view. */
bool lc_same_provider(const lc_judge *j, const lc_call *a, uint32_t run, const lc_call *b);
/* Can `known` be what `open` becomes when its unknown values get known? False as well if sets are
 * too large to find out. */
bool lc_completes(const lc_value *known, const lc_value *open);

/* The place of a violation, to be made into a finding. `note` is the message and is copied. */
typedef struct lc_breach {
    lc_rule rule;
    const lc_call *call; /* NULL: the schema */
    lc_path path;
    const lc_field *field; /* the field whose place in the input is shown; NULL: `loc` is */
    lc_loc loc;
    lc_column promised_by, broken_by;
    lc_str note;
    bool apart; /* the path is in an identity, for example: no columns are shown */
} lc_breach;

/* Compute what explanations need from the values: difference_kind, diff_facts, diff_fact_text. */
void lc_diff_facts_collect(lc_judge *j, lc_finding *f, const lc_breach *b);

/* Add a finding with the catalogue's effects for this call, its shown columns, facts and evidence.
 * The result is borrowed and valid until the next one is added; callers correct effects and add
 * quotes in it. */
lc_finding *lc_emit(lc_judge *j, const lc_breach *breach);
/* Why a field of the object does not decode. At a secret every quoted word is replaced: in a value
 * that carries its own type the names of attributes are data as well. */
lc_str lc_problem_message(const lc_judge *j, const lc_field *field);
/* The value of a column at a path, for a finding about a call of `kind`; borrowed or in `scratch`.
 * NULL: there is nothing at the path, or the column is not known. */
const lc_value *lc_column_part(const lc_judge *j, lc_column column, lc_call_kind kind,
                               lc_path path);
/* Put the leaves in which the two values differ into the finding: parts of containers, members of
 * documents in strings. Nothing is added for other primitive values. */
void lc_finding_evidence(lc_judge *j, lc_finding *f, const lc_value *promised,
                         const lc_value *broken);
/* Add a finding about a place in the result of a call. */
lc_finding *lc_emit_at(lc_judge *j, lc_rule rule, const lc_call *call, lc_path path,
                       const char *note);
/* Add a finding about a call as such, without a place in its object. `call` may be NULL. */
lc_finding *lc_emit_aside(lc_judge *j, lc_rule rule, const lc_call *call, lc_loc loc, lc_str note);
/* Add a finding about the schema; if `loc` has no line the place is that of the schema, or else of
 * the run. */
lc_finding *lc_emit_in_schema(lc_judge *j, lc_rule rule, lc_path path, lc_loc loc, lc_str note);
/* Index of the finding of the same call that reports that the value at this place, or at one above,
 * must not be present at all (wo/returned, response/unknown); -1 without such a finding. */
long lc_log_findings_above(const lc_judge *j, const lc_finding *f);
/* Change the finding to be about a missing call of `kind`; the call it was added for becomes
 * `also`. */
void lc_finding_misses(lc_judge *j, lc_finding *f, lc_call_kind kind);
/* Add findings for all issues of a walk. `like` has what they share: call, field and columns. */
void lc_emit_issues(lc_judge *j, const lc_walk *walk, const lc_breach *like);
/* Set what cores print (the summary is a constant, the message is copied), and what a core does. */
void lc_finding_quote(lc_judge *j, lc_finding *f, lc_cores cores, const char *summary,
                      lc_str message);
void lc_finding_effect(lc_finding *f, lc_core core, lc_effect effect);
/* Sort all findings, and merge those of one rule and path in several calls of a run into one. */
void lc_findings_arrange(lc_judge *j);

/* Call `each` for every place where `b` differs from `a`: at leaves, and at containers of which one
 * side is null or unknown or has other elements or keys. Sets are compared as a whole. */
void lc_each_difference(lc_arena *arena, const lc_value *a, const lc_value *b,
                        void (*each)(void *context, lc_path path, const lc_value *a,
                                     const lc_value *b),
                        void *context);
/* Call `each` for the path of every unknown value inside; an unknown container counts once. */
void lc_each_unknown(lc_arena *arena, const lc_value *v, void (*each)(void *context, lc_path path),
                     void *context);
/* Call `each` for every leaf of `now` whose value differs from that at the same path of the stored
 * form `raw`, which may be of another schema. Write-only places are left out. */
void lc_each_kept_change(const lc_judge *j, const lc_value *raw, const lc_value *now,
                         void (*each)(void *context, lc_path path), void *context);

/* The families of rules, each judging the run of `j->view`. judge.c has their order. */
void lc_judge_schema(lc_judge *j);
void lc_judge_wire(lc_judge *j);
void lc_judge_responses(lc_judge *j);
void lc_judge_config(lc_judge *j);
/* The first call that carries the configuration of the run. Without such a call, a placeholder is
 * returned: a validation without answer, made in `scratch`. NULL: there is no configuration either.
 */
const lc_call *lc_config_call(lc_judge *j);
void lc_judge_upgrade(lc_judge *j);
void lc_judge_read(lc_judge *j);
void lc_judge_write_only(lc_judge *j);
void lc_judge_identity(lc_judge *j);
void lc_judge_deferred(lc_judge *j);
void lc_judge_legacy(lc_judge *j);
void lc_judge_validate(lc_judge *j);
void lc_judge_sequence(lc_judge *j);
void lc_judge_behavior(lc_judge *j);
void lc_judge_probe(lc_judge *j);
void lc_judge_gate(lc_judge *j);
void lc_judge_cfn(lc_judge *j);
void lc_judge_drive(lc_judge *j);
/* Is this the schema of a data source that lists the objects of a CloudFormation type? */
bool lc_cfn_lists(const lc_judge *j);
/* The last family: compares what logs report with the findings. */
void lc_judge_logged(lc_judge *j);
/* To be called after lc_cover_run if there is no schema: only rules about answers as such are
 * checked. */
void lc_cover_without_schema(lc_judge *j);
void lc_judge_proposed(lc_judge *j);
void lc_judge_plan(lc_judge *j);
void lc_judge_replace(lc_judge *j);
void lc_judge_final(lc_judge *j);
void lc_judge_apply(lc_judge *j);
void lc_judge_destroy(lc_judge *j);
void lc_judge_import(lc_judge *j);
void lc_judge_move(lc_judge *j);
void lc_judge_data(lc_judge *j);
/* Was the call carried out, so that its result counts? (rules/data.c) */
bool lc_is_settled(const lc_call *call);
/* The result of a read or open against its configuration, each difference as a finding of `rule`;
 * `live`: the cores that check it. (rules/data.c) */
void lc_compare_with_config(lc_judge *j, const lc_call *call, lc_rule rule, lc_cores live);
void lc_judge_ephemeral(lc_judge *j);
void lc_judge_action(lc_judge *j);
void lc_judge_function(lc_judge *j);
void lc_judge_list(lc_judge *j);
void lc_judge_store(lc_judge *j);
/* Are the bytes of all states known that calls of the run read or wrote? (rules/store.c) */
bool lc_store_has_bytes(const lc_run *run);
/* The same for the schema (rules/probe_schema.c). */
void lc_judge_asked_schema(lc_judge *j);
/* Note that a rule of the family probe could be judged in the run. Could it? */
void lc_probe_judged(lc_judge *j, lc_rule rule);
bool lc_probe_was_judged(const lc_judge *j, lc_rule rule);
/* Could a rule of the family gate be judged in the run? */
bool lc_gate_was_judged(const lc_judge *j, lc_rule rule);
/* False: the rule has a condition that is known not to hold in this run. */
bool lc_rule_applies(const lc_judge *j, lc_rule rule);
/* Is an input of this rule there? LC_NOT_KNOWN: no special case, the general answer counts. */
lc_fact lc_given_to_rule(const lc_judge *j, lc_rule rule, lc_need need, lc_call_kind kind);
/* Note which rules could be checked in the run. Called once per run, after all families. */
void lc_cover_run(lc_judge *j);

#endif

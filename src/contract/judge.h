/* Judging one run: what is known of it, and how rules report. */
#ifndef LC_CONTRACT_JUDGE_H
#define LC_CONTRACT_JUDGE_H

#include "contract/sensitivity.h"
#include "contract/walk/request.h"
#include "contract/walk/walk.h"

/* What a core sends and decides. */
typedef struct lc_core_run {
    const lc_value *config;        /* plan; NULL: not known */
    const lc_value *create_config; /* second plan of a replace */
    const lc_value *final_config;  /* plan of the apply phase */
    const lc_value *proposed;      /* of the first plan */
    bool proposed_crash;
    lc_replace_paths paths;
    lc_action action;
} lc_core_run;

/* One run, looked at: values that are absent are NULL. */
typedef struct lc_run_view {
    lc_run *run;
    uint32_t number; /* from 1 */
    const lc_schema *schema;
    const lc_block *block;
    lc_call *call[LC_CALL_KIND_COUNT]; /* the first of each kind, or NULL */
    bool deleting;                     /* the configuration is null */
    bool replacing;                    /* in either core */
    const lc_value *config;            /* as the user wrote it */
    const lc_value *final_config;
    const lc_raw_state *stored_raw; /* previous run state in its raw form, or NULL */
    const lc_value *stored;         /* the same by the current schema; NULL: of another version, or
                                       it does not decode */
    bool stored_derived;            /* from the run before, not given */
    const lc_value *saved_before;   /* what the run before has saved, if this one does not say what
                                       is stored; by the schema of that run */
    int64_t stored_version;         /* of the stored object, whichever says it */
    const lc_value *upgraded;       /* upgraded (or moved) state */
    const lc_value *prior;          /* refreshed state */
    const lc_value *sent_prior;     /* as plan calls get it: null if tainted */
    const lc_value *initial;        /* initial planned state that the apply phase must keep */
    lc_column initial_column;
    const lc_value *promised; /* what apply must keep */
    lc_column promised_column;
    lc_core_run core[LC_CORE_COUNT];
    const lc_value *saved; /* what core would save; NULL: not known */
    bool after_apply;      /* it begins with what the run before has applied */
} lc_run_view;

typedef struct lc_judge {
    lc_arena *report;
    lc_arena *scratch;
    lc_case *subject;
    lc_judgement *out;
    const lc_run_view *view;
    const lc_run_view *before; /* of the run before, or NULL */
    const lc_sensitivity *sensitivity;
    bool *after_apply;          /* of each run before this one: it was read after an apply */
    unsigned reads_after_apply; /* how many of them */
    struct lc_table *asked;     /* calls by what they were asked, for sequence/not-deterministic */
    bool asked_again;           /* some request of the run was made before */
    bool gave_up;               /* a set was too ambiguous to be evaluated */
    unsigned long_searches;     /* of patterns */
    bool sets_undecided;        /* too many pairs in a set that no core looks into */
    bool pattern_undecided;     /* a pattern took too many steps, or cannot be used */
    struct lc_diff_memo *memo;  /* what facts.c has seen already; made when it is needed */
} lc_judge;

/* Fill in what can be derived and decide actions. `before` is the view of the run before, or NULL.
 */
void lc_run_view_make(lc_run_view *view, lc_arena *scratch, lc_case *subject, size_t run,
                      const lc_run_view *before);
/* The result of a call as an object to judge, or NULL: absent, undecodable, derived, or the call
 * failed and a failed call owes none. */
const lc_value *lc_call_object(const lc_call *call);
lc_column lc_call_column(lc_call_kind kind);
/* Did a finding before the comparison of values stop both cores in this call? */
bool lc_call_stopped(const lc_judge *j, const lc_call *call);
/* A raw object read by `type`; NULL if it does not decode (contract-algorithms 4.12). `strip`: what
 * the type does not have is dropped first, as for objects, not identities. */
const lc_value *lc_stored_decode(lc_arena *arena, const lc_value *raw, const lc_type *type,
                                 bool strip);
/* Without a final plan, and with unknowns in the configuration, nobody can tell whether a promise
 * was broken by the final plan or by apply, and a refinement may have been replaced by a better
 * one. */
bool lc_final_plan_is_missing(const lc_run_view *view);

/* Tell of findings of the run that another instance's broken promise is behind. */
void lc_findings_name_causes(lc_judge *j);

/* The identity that is stored with the object, not null; NULL: none, or the type has no identity.
 */
const lc_raw_state *lc_raw_identity(const lc_judge *j);
/* The identity that an object had before a call; NULL: not known. */
const lc_value *lc_identity_before(const lc_judge *j, const lc_call *call);

/* Does the client let this call be deferred? */
lc_fact lc_deferral_allowed(const lc_judge *j, const lc_call *call);
/* The configuration that the run before has applied; NULL: not known, or nothing was applied. */
const lc_value *lc_applied_config(const lc_run_view *view);
/* Is the plan of the run the first one after an apply, of an object and a configuration that are
 * still the same? */
bool lc_plans_applied_object(const lc_judge *j);

/* A place where a promise is broken. */
typedef struct lc_breach {
    lc_rule rule;
    const lc_call *call; /* NULL: the schema */
    lc_path path;
    const lc_field *field; /* where to point at, or NULL for `loc` */
    lc_loc loc;
    lc_column promised_by, broken_by;
    lc_str note;
    bool apart; /* the path lies in something else than the object: an identity */
} lc_breach;

/* Look at the values for those who explain findings: likeness, clues, clue_text. */
void lc_diff_facts_collect(lc_judge *j, lc_finding *f, const lc_breach *b);

/* Add a finding with the catalogue's effects for this call. Borrowed until the next one is added.
 */
lc_finding *lc_emit(lc_judge *j, const lc_breach *breach);
/* Why a field of the object does not decode. At a secret what the bytes are called stays out of it:
 * names of a value that has its type with it are data. */
lc_str lc_problem_message(const lc_judge *j, const lc_field *field);
/* What a column holds at a path of a call's object; NULL: nothing, or it is not known. */
const lc_value *lc_column_part(const lc_judge *j, lc_column column, lc_call_kind kind,
                               lc_path path);
/* Put the leaves in which the two values differ into the finding: parts of containers, members of
 * documents; nothing for other primitives. */
void lc_finding_evidence(lc_judge *j, lc_finding *f, const lc_value *promised,
                         const lc_value *broken);
/* Short for a finding about a place in the result of a call. */
lc_finding *lc_emit_at(lc_judge *j, lc_rule rule, const lc_call *call, lc_path path,
                       const char *note);
/* Short for a finding about a call, and not about a place in its object. */
lc_finding *lc_emit_aside(lc_judge *j, lc_rule rule, const lc_call *call, lc_loc loc, lc_str note);
/* Short for a finding about the schema itself; a `loc` without a line is that of the schema, or
 * else of the run. */
lc_finding *lc_emit_in_schema(lc_judge *j, lc_rule rule, lc_path path, lc_loc loc, lc_str note);
/* The finding of the same call that says of this place, or of one above it, that what came should
 * not be there at all; -1 if there is none. */
long lc_log_findings_above(const lc_judge *j, const lc_finding *f);
/* The finding is about a call of `kind` that is missing; it stands at the call it was made for. */
void lc_finding_misses(lc_judge *j, lc_finding *f, lc_call_kind kind);
/* All issues of a walk about one call. */
void lc_emit_issues(lc_judge *j, const lc_walk *walk, const lc_breach *like);
/* What a core does: `effect`, and its words (borrowed; copied). */
void lc_finding_quote(lc_judge *j, lc_finding *f, lc_cores cores, const char *summary,
                      lc_str message);
void lc_finding_effect(lc_finding *f, lc_core core, lc_effect effect);
/* Order, and one finding for the same rule and path in several calls of a run. */
void lc_findings_arrange(lc_judge *j);

/* Calls `each` for every place where `b` differs from `a`: leaves, and containers of which one side
 * is null, unknown or has other elements. */
void lc_each_difference(lc_arena *arena, const lc_value *a, const lc_value *b,
                        void (*each)(void *context, lc_path path, const lc_value *a,
                                     const lc_value *b),
                        void *context);
/* Calls `each` for every unknown within, containers that are unknown as one. */
void lc_each_unknown(lc_arena *arena, const lc_value *v, void (*each)(void *context, lc_path path),
                     void *context);
/* Calls `each` for every leaf of `now` that is not what it was at the same name and place of the
 * stored form `raw`. */
void lc_each_kept_change(const lc_judge *j, const lc_value *raw, const lc_value *now,
                         void (*each)(void *context, lc_path path), void *context);

/* The families. */
void lc_judge_schema(lc_judge *j);
void lc_judge_wire(lc_judge *j);
void lc_judge_responses(lc_judge *j);
void lc_judge_config(lc_judge *j);
/* The first call that carries the configuration of the run; if there is none, the validation that
 * is to come, which has no answer. NULL: there is no configuration either. */
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
void lc_judge_cfn(lc_judge *j);
/* Is the schema that of the data source that lists the objects of a CloudFormation type? */
bool lc_cfn_lists(const lc_judge *j);
/* The last family: what a log says beside what was judged. */
void lc_judge_logged(lc_judge *j);
/* After lc_cover_run: without a schema only what answers are without their values can be checked.
 */
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
void lc_judge_ephemeral(lc_judge *j);
void lc_judge_action(lc_judge *j);
/* False: the condition of the rule is known not to hold in this run. */
bool lc_rule_applies(const lc_judge *j, lc_rule rule);
/* Is an input of this rule there? NOT_KNOWN: it is one of the usual ones. */
lc_fact lc_given_to_rule(const lc_judge *j, lc_rule rule, lc_need need, lc_call_kind kind);
/* Which rules could be checked; called once per run. */
void lc_cover_run(lc_judge *j);

#endif

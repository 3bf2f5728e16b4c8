/* The rules about whole plans, states and predictions, and the evidence that they are judged by: a
 * plan, states before and after it, options. Module plan_rules. Rules for which these suffice are
 * judged here (runs-and-providers 3.1 to 3.5, as far as they do not need the configuration's
 * files). */
#ifndef LIFECHECK_PLAN_RULES_PLAN_RULES_H
#define LIFECHECK_PLAN_RULES_PLAN_RULES_H

#include "lifecheck/contract/planning.h"
#include "lifecheck/plan/plan.h"
#include "lifecheck/plan/state.h"
#include "lifecheck/predict/predict.h"

/* Commands that edit a state without a plan (runs-and-providers 2.14), and applying a plan. */
typedef enum lc_operation_kind {
    LC_OPERATION_NONE,
    LC_OPERATION_TAINT,
    LC_OPERATION_UNTAINT,
    LC_OPERATION_REMOVE, /* state rm */
    LC_OPERATION_MOVE,   /* state mv */
    LC_OPERATION_IMPORT,
    LC_OPERATION_REPLACE_PROVIDER,
    LC_OPERATION_REFRESH,
    LC_OPERATION_APPLY, /* applying the given plan */
} lc_operation_kind;

/* An operation with its arguments. */
typedef struct lc_operation {
    lc_operation_kind kind;
    lc_str text; /* as the user gives it; borrowed */
    /* Addresses (canonical, in the arena) or providers; empty: the operation does not take it. */
    lc_str from, to;
    lc_loc loc;
} lc_operation;

/* Parses `taint:ADDR`, `mv:FROM,TO`, `refresh`, ... False: *why describes what is wrong. */
bool lc_operation_parse(lc_operation *out, lc_arena *arena, lc_str text, lc_str *why);

/* ---- Policies: what may happen to which objects. */

/* One clause, such as `replace,delete:aws_db_*`: actions, a colon, and a pattern of addresses;
 * without the colon all objects are meant. A clause about firmness is a pattern alone. */
typedef struct lc_policy_clause {
    lc_str text; /* as written; borrowed */
    unsigned actions;
    lc_address_glob objects;
} lc_policy_clause;
typedef LC_VEC(lc_policy_clause) lc_policy_clauses;

/* An action is forbidden if a clause of `forbid` names it for the object, and none of `allow` does.
 * `allow` alone forbids every change that it does not name. */
typedef struct lc_action_policy {
    lc_policy_clauses forbid, allow;
    lc_policy_clauses firm; /* objects that must have one possible action */
} lc_action_policy;

/* Appends a clause; `actions`: it names actions. False: *why describes what is wrong; in the arena.
 */
bool lc_policy_clause_add(lc_policy_clauses *out, lc_arena *arena, lc_str text, bool actions,
                          lc_str *why);

/* What is known about a plan. Everything is borrowed and must outlive the judgement. */
typedef struct lc_plan_evidence {
    lc_plan *plan;             /* NULL: not given */
    lc_state_file *state;      /* state before the plan; NULL: not given */
    lc_state_file *next_state; /* state after it; NULL: not given */
    lc_profile locked_by;      /* whose lock file is in the configuration; DOCUMENT: not known */
    lc_plan_options options;
    lc_operation operation;
    /* What a prediction is made from, and what the user expects of it; NULL: not given. Its options
     * are those above. */
    lc_run_input *run;
    /* A prediction that was already made; without `run`, from the plan alone. NULL: judging makes
     * one from `run`, if that is given. */
    const lc_prediction *prediction;
    /* The basis of reports and policies: the changes of the plan as they are, or what is predicted.
     * NULL: judging makes it. */
    const lc_prediction *shown;
    /* The scenario itself gives the stored objects by address, and the provider their values. NULL:
     * it does not. */
    const lc_run_priors *stated;
    lc_run_provider stated_by;
    bool unwritten;   /* no output needs the prediction as JSON: it is not written */
    bool trust_state; /* what rests on data of `state` is firm for policies and expectations too */
    const lc_run_expected *expected;
    size_t expected_count;
    const lc_action_policy *policy; /* NULL: none */
    /* Finds the schema of a type; NULL: not known. The callback is NULL if there are no schemas. */
    const lc_schema *(*schema)(void *schemas, lc_schema_kind kind, lc_str provider, lc_str type);
    void *schemas;
} lc_plan_evidence;

/* Predicts the action of every object from `run`, or else from the plan alone. The result is in
 * `arena`. NULL: neither is given. */
const lc_prediction *lc_plan_evidence_predict(lc_arena *arena, const lc_plan_evidence *facts);

/* The changes of the plan as they are, and why; without a plan the prediction. In `arena`. */
const lc_prediction *lc_plan_evidence_show(lc_arena *arena, const lc_plan_evidence *facts,
                                           const lc_prediction *prediction);

/* Judges all rules for which there is evidence, and records which input the others lack. Findings,
 * coverage and the prediction as JSON go to the planner. */
void lc_plan_evidence_judge(lc_planner *planner, const lc_plan_evidence *facts);

#endif

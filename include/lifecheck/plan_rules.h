/* What is known of a run beside its configuration: a plan, states before and after, options.
 * Module plan_rules. The rules that need no more than that are judged here
 * (runs-and-providers 3.1 to 3.5: those that do not need the configuration's files). */
#ifndef LIFECHECK_PLAN_RULES_H
#define LIFECHECK_PLAN_RULES_H

#include "lifecheck/plan.h"
#include "lifecheck/planning.h"
#include "lifecheck/predict.h"
#include "lifecheck/state.h"

/* Operations that edit a state without a plan (runs-and-providers 2.14). */
typedef enum lc_operation_kind {
    LC_OPERATION_NONE,
    LC_OPERATION_TAINT,
    LC_OPERATION_UNTAINT,
    LC_OPERATION_REMOVE, /* state rm */
    LC_OPERATION_MOVE,   /* state mv */
    LC_OPERATION_IMPORT,
    LC_OPERATION_REPLACE_PROVIDER,
    LC_OPERATION_REFRESH,
    LC_OPERATION_APPLY, /* of a plan */
} lc_operation_kind;

typedef struct lc_operation {
    lc_operation_kind kind;
    lc_str text;     /* as given */
    lc_str from, to; /* addresses, or providers; `from` alone where there is one */
    lc_loc loc;
} lc_operation;

/* `taint:ADDR`, `mv:FROM,TO`, `refresh`, ... False: `why` says what is wrong. */
bool lc_operation_parse(lc_operation *out, lc_arena *arena, lc_str text, lc_str *why);

typedef struct lc_plan_evidence {
    lc_plan *plan;             /* or NULL */
    lc_state_file *state;      /* before, or NULL */
    lc_state_file *next_state; /* after, or NULL */
    lc_plan_options options;
    lc_operation operation;
    /* What the run model predicts from, and what the user expects of it; or NULL. The options are
     * those above. */
    lc_run_input *run;
    /* What was predicted already, without `run` from the plan alone. NULL: judging predicts from
     * `run`, if that is there. */
    const lc_prediction *prediction;
    bool states_objects; /* `run` has what is stored from the scenario itself, by address */
    const lc_run_expected *expected;
    size_t expected_count;
    /* The schema of a type, or NULL; `schemas` NULL: there are none. */
    const lc_schema *(*schema)(void *schemas, lc_schema_kind kind, lc_str provider, lc_str type);
    void *schemas;
} lc_plan_evidence;

/* What becomes of every object, from `run`, or without it from the plan alone; NULL: neither is
 * there. Lives in `arena`. */
const lc_prediction *lc_plan_evidence_predict(lc_arena *arena, const lc_plan_evidence *facts);

/* Judges all rules for which there is something to judge; says of the others what they lack. */
void lc_plan_evidence_judge(lc_planner *planner, const lc_plan_evidence *facts);

#endif

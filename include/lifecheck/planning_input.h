/* What predictions and provider instances are made from, as the command line gives it. Module
 * input. What a scenario says of the same goes through the same readers
 * (src/input/planning_keys.h).
 *
 * Everything lives in the arena given, files and their nodes included: configurations, states and
 * plans borrow from them. What cannot be read is reported in `diags`, with its place. */
#ifndef LIFECHECK_PLANNING_INPUT_H
#define LIFECHECK_PLANNING_INPUT_H

#include "lifecheck/input.h"
#include "lifecheck/plan_rules.h"

/* ---- States. */

/* A state file, version 4, or a state as `show -json` prints it. NULL: reported. */
lc_state_file *lc_state_open(lc_arena *arena, lc_str path, const lc_limits *limits,
                             lc_diags *diags);

/* ---- What is predicted. */

typedef struct lc_given_variable {
    lc_str name, value;
} lc_given_variable;
typedef struct lc_prediction_files {
    lc_str config;                  /* folder or file; empty: nothing is predicted */
    lc_str plan, state, next_state; /* files, or empty */
    lc_str workspace;
    int profile; /* lc_profile */
    lc_limits limits;
    lc_capture_options schemas; /* its schema documents; none: those beside the plan or state */
    const lc_given_variable *variables;
    size_t variable_count;
} lc_prediction_files;
/* The plan, and the states, beside what is predicted, as one case. *facts says what is predicted
 * from: without a configuration, the plan itself. NULL: reported. */
lc_scenario *lc_prediction_case(const lc_plan_evidence **facts, lc_arena *arena,
                                lc_schema_store *store, const lc_prediction_files *files,
                                const lc_plan_options *options, lc_diags *diags);

#endif

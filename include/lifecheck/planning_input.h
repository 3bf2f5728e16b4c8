/* What predictions and provider instances are made from, as the command line gives it. Module
 * scenario. What a scenario says of the same goes through the same readers
 * (src/scenario/planning/internal.h).
 *
 * Everything lives in the arena given, files and their nodes included: configurations, states and
 * plans borrow from them. What cannot be read is reported in `diags`, with its place. */
#ifndef LIFECHECK_PLANNING_INPUT_H
#define LIFECHECK_PLANNING_INPUT_H

#include "lifecheck/plan_rules.h"
#include "lifecheck/provider_config.h"
#include "lifecheck/scenario.h"
#include "lifecheck/scope.h"

/* ---- Configurations in JSON syntax, with the values of their variables. */

/* Where one lies, and whose rules it is read by. */
typedef struct lc_config_source {
    lc_str path; /* a folder of *.tf.json files, or one of them, which then is the root module */
    lc_loc loc;  /* where it is named */
    lc_profile profile;
    lc_limits limits;
} lc_config_source;

typedef struct lc_given_configuration {
    lc_config_loader loader;
    lc_configuration *config;
    lc_eval_context around; /* of `config`; without values of variables at first */
} lc_given_configuration;
/* Modules in folders below and beside are opened when they are called. NULL: reported; there is no
 * such folder or file, or it holds no configuration in JSON syntax. */
lc_given_configuration *lc_configuration_open(lc_arena *arena, const lc_config_source *source,
                                              lc_diags *diags);

/* Values of variables of the root module. Those that are given later replace earlier ones, so call
 * these in the order of the clients: a plan's, those of files, those of the command line. */
void lc_variables_from_plan(lc_given_configuration *given, lc_arena *arena, const lc_plan *plan);
/* What the clients take from the root module's folder by themselves: terraform.tfvars.json, then
 * *.auto.tfvars.json in order. Nothing for a configuration that lies in no folder. */
void lc_variables_from_folder(lc_given_configuration *given, lc_arena *arena);
/* Words NAME=VALUE. The value is a text, or where the variable's type is a collection or a
 * structure an expression. */
void lc_variables_from_words(lc_given_configuration *given, lc_arena *arena, const lc_str *words,
                             size_t count);

/* ---- States. */

/* A state file, version 4, or a state as `show -json` prints it. NULL: reported. */
lc_state_file *lc_state_open(lc_arena *arena, lc_str path, const lc_limits *limits,
                             lc_diags *diags);

/* ---- What is predicted. */

typedef struct lc_prediction_files {
    lc_str config;                  /* folder or file; empty: nothing is predicted */
    lc_str plan, state, next_state; /* files, or empty */
    lc_str workspace;
    lc_profile profile;
    lc_limits limits;
    lc_capture_options schemas; /* its schema documents; none: those beside the plan or state */
    const lc_str *variables;    /* NAME=VALUE */
    size_t variable_count;
} lc_prediction_files;
/* The plan, and the states, beside what is predicted, as one case. *facts says what is predicted
 * from: without a configuration, the plan itself. NULL: reported. */
lc_scenario *lc_prediction_case(const lc_plan_evidence **facts, lc_arena *arena,
                                lc_schema_store *store, const lc_prediction_files *files,
                                const lc_plan_options *options, lc_diags *diags);

/* ---- Provider instances. */

/* Which provider instance everything uses. What is wrong with the configuration itself, and no
 * affair of the rules, is reported; the model is made anyway. It borrows `given`. */
lc_provider_model *lc_provider_model_open(lc_given_configuration *given, lc_arena *arena,
                                          lc_diags *diags);

typedef struct lc_provider_inputs {
    lc_provider_model *model;
    const lc_state_file *state, *next_state; /* or NULL */
    lc_provider_reader reader;               /* that is to read `state` */
    const lc_source *plan_source;
    const lc_node *plan; /* of that source, or NULL */
    bool has_sequence;   /* the model is the last one of several steps */
} lc_provider_inputs;
/* Looks at all that is given. What a user expects may be added to the facts. */
lc_provider_facts *lc_provider_facts_new(lc_arena *arena, const lc_provider_inputs *inputs);

#endif

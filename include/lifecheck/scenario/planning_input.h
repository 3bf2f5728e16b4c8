/* What predictions and models of provider instances are made from, as the command line gives it.
 * Module scenario. Scenarios use the same readers (src/scenario/planning/internal.h).
 *
 * Everything that is returned lives in the arena of the call, together with the files and their
 * nodes, because configurations, states and plans point into them. What cannot be read is reported
 * in `diags` with its place. */
#ifndef LIFECHECK_SCENARIO_PLANNING_INPUT_H
#define LIFECHECK_SCENARIO_PLANNING_INPUT_H

#include "lifecheck/configuration/scope.h"
#include "lifecheck/plan_rules/plan_rules.h"
#include "lifecheck/provider_config/provider_config.h"
#include "lifecheck/scenario/scenario.h"

/* ---- Configurations, with the values of their variables. */

/* Which files a configuration may name, and which of their values a report shows. Zero-initialised:
 * modules and files in the repository of its folder, or without one in the folder itself. */
typedef struct lc_config_access {
    const lc_str *roots; /* more folders */
    size_t root_count;
    bool private_files; /* also what may hold secrets: `.git`, states, `.env` files */
    bool shown_values;  /* what expressions read from files may be shown in instance keys */
} lc_config_access;

/* Which configuration is read, and by which client's rules. */
typedef struct lc_config_source {
    lc_str path; /* a folder, or a file of one, which then is the root module */
    lc_loc loc;  /* where it is named */
    lc_profile profile;
    lc_limits limits;
    lc_config_access access;
} lc_config_source;

/* A configuration that was read, and what its expressions are evaluated with. */
typedef struct lc_given_configuration {
    lc_config_loader loader;
    lc_configuration *config;
    lc_eval_context around; /* of `config`; the functions below add the values of variables */
} lc_given_configuration;
/* Opens the root module; the modules that it calls are opened when needed. NULL: there is no such
 * folder or file, it holds no configuration, or one with errors of syntax; reported. */
lc_given_configuration *lc_configuration_open(lc_arena *arena, const lc_config_source *source,
                                              lc_diags *diags);

/* Opens the modules of the run blocks of tests, too: of the test files in the root module's folder
 * and in `folder`, which is relative to it. `filters` are the files that are run, as for -filter;
 * none: all. Does nothing for a configuration that is not in a folder. */
void lc_configuration_open_tests_in(lc_given_configuration *given, lc_str folder,
                                    const lc_str *filters, size_t filter_count, lc_diags *diags);

/* The next functions set values of the root module's variables; a later value replaces an earlier
 * one. Those that take all values then open the modules whose source depends on them (OpenTofu). */
/* Files that the clients read automatically, in their order: terraform.tfvars,
 * terraform.tfvars.json, then *.auto.tfvars and *.auto.tfvars.json by name. Does nothing for a
 * configuration that is not in a folder. */
void lc_variables_from_folder(lc_given_configuration *given);

/* Values that a user gives, in the clients' order of precedence. */
typedef struct lc_variable_sources {
    const lc_str *environment; /* NAME=VALUE of the variables TF_VAR_NAME */
    size_t environment_count;
    /* Here come the files of the folder. */
    const lc_str *files; /* as for -var-file */
    size_t file_count;
    const lc_str *words; /* NAME=VALUE, as for -var */
    size_t word_count;
} lc_variable_sources;
/* Takes all of them. A value is a string, or an expression if the variable's type is a collection
 * or a structural type. What the client reports about a value becomes a problem of the
 * configuration. False: a file cannot be read; reported. */
bool lc_variables_from_user(lc_given_configuration *given, lc_arena *arena,
                            const lc_variable_sources *from, const lc_limits *limits,
                            lc_diags *diags);

/* Takes the values with which a plan was made, and those that it does not hold (such as ephemeral
 * ones) as above. An option that gives another value than the plan holds is reported as a warning.
 */
bool lc_variables_of_plan(lc_given_configuration *given, lc_arena *arena, const lc_plan *plan,
                          const lc_variable_sources *from, const lc_limits *limits,
                          lc_diags *diags);

/* Sets the variables of a run to those values. */
void lc_run_take_variables(lc_run_input *run, lc_arena *arena, const lc_given_configuration *given);

/* ---- States. */

/* Reads a state file (version 4) or a state as `show -json` prints it. NULL: reported. */
lc_state_file *lc_state_open(lc_arena *arena, lc_str path, const lc_limits *limits,
                             lc_diags *diags);

/* ---- Predictions. */

/* Everything is borrowed from the caller, who keeps it as long as the case. */
typedef struct lc_prediction_files {
    lc_str config;                  /* folder or file; empty: nothing is predicted */
    lc_str plan, state, next_state; /* files, or empty */
    lc_str workspace;
    bool profile_given; /* false: plan, state or lock file name the client, else it is OpenTofu */
    lc_profile profile;
    lc_str client_version; /* of that client; empty: not given */
    lc_limits limits;
    lc_config_access access;
    lc_capture_options schemas; /* schema documents; none: those next to the plan or state */
    const lc_learned *learned;  /* NULL: nothing */
    bool trust_learned;
    bool unwritten;   /* no report shows the prediction: it is not written as JSON */
    bool fresh_data;  /* data sources are not taken to read what the state holds */
    bool trust_state; /* what rests on data of the state is firm for policies too */
    lc_variable_sources variables;
    /* A variable that has no value is not known, rather than an error. */
    bool open_variables;
    const lc_action_policy *policy; /* NULL: none */
    /* Answers of running providers come before what is known otherwise, unless there is a plan.
     * NULL: no provider is called. */
    lc_run_provider (*ask)(void *context, const lc_configuration *config,
                           const lc_run_provider *otherwise);
    void *ask_context;
} lc_prediction_files;
/* One case of the plan, the states and the prediction. *facts is what the prediction was made from;
 * without a configuration that is the plan alone. NULL: reported. */
lc_scenario *lc_prediction_case(const lc_plan_evidence **facts, lc_arena *arena,
                                lc_schema_store *store, const lc_prediction_files *files,
                                const lc_plan_options *options, lc_diags *diags);

/* ---- Provider instances. */

/* Finds the provider instance of every resource. Errors of the configuration itself, which no rule
 * covers, are reported, and the model is made anyway. It points into `given`. */
lc_provider_model *lc_provider_model_open(lc_given_configuration *given, lc_arena *arena,
                                          lc_diags *diags);

/* All members but `model` may be NULL or zero. The facts point to them. */
typedef struct lc_provider_inputs {
    lc_provider_model *model;
    const lc_state_file *state, *next_state; /* or NULL */
    lc_provider_reader reader;               /* the client that is going to read `state` */
    const lc_source *plan_source;
    const lc_node *plan; /* of that source, or NULL */
    bool has_sequence;   /* `model` is the last of several steps that are applied in turn */
} lc_provider_inputs;
/* Judges all that is given. Never NULL; the caller may add what a user expects. */
lc_provider_facts *lc_provider_facts_new(lc_arena *arena, const lc_provider_inputs *inputs);

#endif

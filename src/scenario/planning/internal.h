/* Readers of what stands under `planning` and `providers` in a scenario. Each reads one thing from
 * its node; what a path in a file names is opened as for the command line
 * (lifecheck/planning_input.h). False or NULL: reported. */
#ifndef LC_SCENARIO_PLANNING_INTERNAL_H
#define LC_SCENARIO_PLANNING_INTERNAL_H

#include "lifecheck/evidence.h"
#include "lifecheck/planning_input.h"
#include "scenario/internal.h"

/* ---- Documents: documents.c. */

const lc_source *lc_json_open(lc_arena *arena, lc_str path, const lc_limits *limits,
                              lc_diags *diags);
/* The file at a path that the scenario names. */
const lc_source *lc_in_json_file(lc_in *in, lc_str path);
/* `node` NULL: there is none, and nothing is reported. */
lc_state_file *lc_state_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                             lc_diags *diags);
lc_plan *lc_plan_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                      lc_diags *diags);

/* ---- Configurations: configuration_dir.c, configuration_given.c, providers_short.c. */

/* Reports at `loc` if there is no configuration at the path. */
bool lc_config_dir_open(lc_config_loader *loader, lc_arena *arena, const lc_config_source *source,
                        lc_diags *diags);
/* A configuration that stands in a document: its root module, and modules by folder or NULL. */
void lc_config_inline(lc_config_loader *loader, lc_arena *arena, const lc_source *source,
                      const lc_node *root, const lc_node *modules);

typedef struct lc_short_config {
    const lc_node *required, *blocks, *use; /* each may be NULL */
} lc_short_config;
/* The root module, and the others by folder; places are those of what was written. */
bool lc_in_short_config(lc_in *in, const lc_node **root, const lc_node **modules,
                        const lc_short_config *shorts);
/* The same of `resources` in a root module; what stands beside it belongs to that module. */
bool lc_in_short_resources(lc_in *in, const lc_node **root, const lc_node **modules);

/* The first of these that is given is the configuration. */
typedef struct lc_config_nodes {
    const lc_node *dir;            /* the path of a folder or file */
    const lc_node *root, *modules; /* in JSON syntax */
    lc_short_config shorts;
} lc_config_nodes;
lc_given_configuration *lc_in_configuration(lc_in *in, const lc_config_nodes *nodes,
                                            lc_profile profile);
/* Values beside the configuration, and then those of a mapping, which may be NULL. */
bool lc_in_variables(lc_in *in, lc_given_configuration *given, const lc_node *node);

/* Whose rules count. `client`: one of the two clients, else the document as well. Without a node
 * *out stays. */
bool lc_in_profile(lc_in *in, lc_profile *out, const lc_node *node, bool client);

/* A state: with `resources` as it stands, else a mapping from objects to provider addresses, as the
 * profile's client writes it. */
const lc_node *lc_in_short_state(lc_in *in, const lc_node *node, lc_profile profile);

/* ---- What the run model asks of providers: provider_answers.c. */

typedef struct lc_answers lc_answers;
/* What is known beside a scenario's own answers comes from `facts`: schemas, and what the plan and
 * the state tell. `guesses`: where nothing is known, the provider is taken to plan what is
 * proposed.
 */
lc_answers *lc_answers_new(lc_arena *arena, const lc_plan_evidence *facts, bool guesses);
lc_run_provider lc_answers_provider(lc_answers *answers);
/* A scenario's own, by address. `node` NULL: there are none. */
bool lc_in_answers(lc_in *in, lc_answers *answers, const lc_node *node);
/* `context` is the lc_answers. NULL: not known. */
const lc_schema *lc_answers_schema(void *context, lc_resource_mode mode, lc_str type);

/* An object by the schema of its address; NULL: it is null, or has no schema, or cannot be read,
 * which is reported. */
const lc_value *lc_in_object_at(lc_in *in, lc_answers *answers, const lc_node *node,
                                const lc_address *address);

/* ---- Objects by address: stored_objects.c, expected_changes.c. */

bool lc_in_stored_objects(lc_in *in, lc_run_priors *out, lc_answers *answers, const lc_node *node);
/* `node` NULL: nothing is expected. */
bool lc_in_expected_changes(lc_in *in, lc_plan_evidence *facts, const lc_node *node);

/* ---- Cases: plan_case.c, scenario/planning/prediction.c. */

/* What was done between two states. */
bool lc_operation_read(lc_operation *out, lc_arena *arena, lc_str text, lc_loc loc,
                       lc_diags *diags);
/* A configuration under `planning`, and what is predicted from it. Without a configuration nothing
 * is read. */
bool lc_in_prediction(lc_in *in, lc_plan_evidence *facts, const lc_node *mapping);
void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas);
/* What judges it. */
const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts);
/* ... as a case. */
lc_scenario *lc_plan_evidence_scenario(lc_arena *arena, const lc_plan_evidence *facts, lc_str file,
                                       const char *name, lc_loc loc);

/* ---- Scalars: plan_keys.c. */

/* Reports `what` at the node; false. */
bool lc_in_refuse(lc_in *in, const lc_node *at, const char *what);
bool lc_in_address(lc_in *in, lc_address *out, lc_str text, uint64_t where);

#endif

/* Readers of what `planning` and `providers` hold in a scenario. Each reads one thing from its
 * node. Files that a path names are opened as for the command line
 * (lifecheck/scenario/planning_input.h). All results live in the arena; false or NULL means that an
 * error was reported, unless a comment states otherwise. */
#ifndef LC_SCENARIO_PLANNING_INTERNAL_H
#define LC_SCENARIO_PLANNING_INTERNAL_H

#include "lifecheck/scenario/evidence.h"
#include "lifecheck/scenario/planning_input.h"
#include "scenario/internal.h"

/* ---- Documents: documents.c. */

#define LC_STATE_ORIGIN "`terraform state pull` prints a state"
/* A file of JSON. The error about an empty one adds `origin`: what writes such a file. */
const lc_source *lc_json_open(lc_arena *arena, lc_str path, const char *origin,
                              const lc_limits *limits, lc_diags *diags);
/* Opens the file at a path that the scenario names, relative to the scenario. */
const lc_source *lc_in_json_file(lc_in *in, lc_str path);
/* Read a state or plan from a node. `node` NULL: returns NULL, and nothing is reported. */
lc_state_file *lc_state_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                             lc_diags *diags);
lc_plan *lc_plan_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                      lc_diags *diags);

/* ---- Configurations: configuration_dir.c, configuration_given.c, providers_short.c. */

/* Opens a folder or file. Reports at source->loc if it holds no configuration. */
bool lc_config_dir_open(lc_config_loader *loader, lc_arena *arena, const lc_config_source *source,
                        lc_diags *diags);
/* A configuration written in a document: its root module, and modules by folder or NULL. */
void lc_config_inline(lc_config_loader *loader, lc_arena *arena, const lc_source *source,
                      const lc_node *root, const lc_node *modules);

/* Where files of a configuration may be: roots.c. Paths in full are without symbolic links. */
typedef struct lc_roots lc_roots;
/* `folder` is the root module's, empty for the current one. Reports roots that are not there. */
lc_roots *lc_roots_new(lc_arena *arena, lc_str folder, const lc_config_access *access,
                       lc_diags *diags);
/* The path in full, "" for the current folder; empty: it cannot be determined. */
lc_str lc_real_path(lc_arena *arena, lc_str path);
bool lc_roots_hold(const lc_roots *roots, lc_str full);
/* A path relative to the root module's folder in full, without regard to symbolic links. */
lc_str lc_roots_path(const lc_roots *roots, lc_arena *arena, lc_str relative);
/* Why what no root holds is not read, with the remedy. */
const char *lc_roots_outside(const lc_roots *roots);
/* Why a file is not read although a root holds it; NULL: it may be read. */
const char *lc_roots_private(const lc_roots *roots, lc_str full, bool may_be_state);

/* Files of a configuration in folders, as far as the roots hold them: configuration_files.c. `root`
 * is the root module's folder, empty for the current one. */
typedef struct lc_folder_files lc_folder_files;
void lc_folder_files_new(lc_files *out, lc_arena *arena, lc_str root, const lc_roots *roots);

/* The modules that a client has installed next to the root module's folder. Never NULL, but may be
 * empty. */
typedef struct lc_manifest lc_manifest;
lc_manifest *lc_manifest_open(lc_arena *arena, lc_str root, const lc_roots *roots,
                              const lc_limits *limits, lc_diags *diags);
/* See lc_config_loader.installed. */
lc_config_installed lc_manifest_find(lc_manifest *manifest, lc_str key, lc_str source,
                                     lc_str *path);

typedef struct lc_short_config {
    const lc_node *required, *blocks, *use; /* each may be NULL */
} lc_short_config;
/* Expands a short configuration to JSON syntax: the root module, and the others by folder. The
 * nodes keep the places of what was written. */
bool lc_in_short_config(lc_in *in, const lc_node **root, const lc_node **modules,
                        const lc_short_config *shorts);
/* Expands `resources` in a root module; all else in the module stays as it is. */
bool lc_in_short_resources(lc_in *in, const lc_node **root, const lc_node **modules);

/* Where a configuration is written. The first that is given is used. */
typedef struct lc_config_nodes {
    const lc_node *dir;            /* the path of a folder or file */
    const lc_node *root, *modules; /* in JSON syntax */
    lc_short_config shorts;
} lc_config_nodes;
lc_given_configuration *lc_in_configuration(lc_in *in, const lc_config_nodes *nodes,
                                            lc_profile profile);
/* Reads the variable files next to the configuration, then the values of a mapping, which may be
 * NULL. */
bool lc_in_variables(lc_in *in, lc_given_configuration *given, const lc_node *node);

/* Reads whose rules apply. `client`: only the two clients are allowed, not the document. Without a
 * node *out keeps its value. */
bool lc_in_profile(lc_in *in, lc_profile *out, const lc_node *node, bool client);

/* A state with `resources` is returned as it is; a mapping from objects to provider addresses is
 * expanded to what the profile's client would write. */
const lc_node *lc_in_short_state(lc_in *in, const lc_node *node, lc_profile profile);

/* ---- What the run model requests from providers: provider_answers.c. */

typedef struct lc_answers lc_answers;
/* What the scenario does not answer is taken from `facts`: schemas, and what the plan and the state
 * show. `guesses`: where nothing is known, the provider is assumed to plan the proposed new state.
 */
lc_answers *lc_answers_new(lc_arena *arena, const lc_plan_evidence *facts,
                           const lc_given_configuration *given, bool guesses);
lc_run_provider lc_answers_provider(lc_answers *answers);
/* Adds the answers of a scenario, by address. `node` NULL: no answers. */
bool lc_in_answers(lc_in *in, lc_answers *answers, const lc_node *node);

/* Reads an object by the schema of its address. NULL: it is null, has no schema, or cannot be read,
 * which is reported. */
const lc_value *lc_in_object_at(lc_in *in, lc_answers *answers, const lc_node *node,
                                const lc_address *address);

/* ---- Objects by address: stored_objects.c, expected_changes.c. */

bool lc_in_stored_objects(lc_in *in, lc_run_priors *out, lc_answers *answers, const lc_node *node);
/* Reads what is expected of objects. `node` NULL: nothing is expected. */
bool lc_in_expected_changes(lc_in *in, lc_plan_evidence *facts, const lc_node *node);

/* ---- Cases: plan_case.c, scenario/planning/prediction.c. */

/* Reads which command was run between two states. */
bool lc_operation_read(lc_operation *out, lc_arena *arena, lc_str text, lc_loc loc,
                       lc_diags *diags);
/* Reads the configuration under `planning`, and the input of the run model from it. Does nothing
 * without a configuration. */
bool lc_in_prediction(lc_in *in, lc_plan_evidence *facts, const lc_node *mapping);
void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas);
/* The planning part of a case with this evidence. */
const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts);
/* ... as a whole case. */
lc_scenario *lc_plan_evidence_scenario(lc_arena *arena, const lc_plan_evidence *facts, lc_str file,
                                       const char *name, lc_loc loc);

/* ---- Scalars: plan_keys.c. */

/* Reports `what` at the node and returns false. */
bool lc_in_refuse(lc_in *in, const lc_node *at, const char *what);
bool lc_in_address(lc_in *in, lc_address *out, lc_str text, uint64_t where);

#endif

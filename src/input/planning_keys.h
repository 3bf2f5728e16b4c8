/* Readers of what stands under `planning` and `providers` in a scenario. Each reads one thing from
 * its node; what a path in a file names is opened as for the command line
 * (lifecheck/planning_input.h). False or NULL: reported. */
#ifndef LC_INPUT_PLANNING_KEYS_H
#define LC_INPUT_PLANNING_KEYS_H

#include "input/evidence.h"
#include "input/internal.h"
#include "lifecheck/planning_input.h"

/* ---- Documents: planning_documents.c. */

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

/* A state: with `resources` as it stands, else a mapping from objects to provider addresses, as the
 * profile's client writes it. */
const lc_node *lc_in_short_state(lc_in *in, const lc_node *node, lc_profile profile);

/* ---- Cases: recorded.c. */

void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas);
/* What judges it. */
const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts);

#endif

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

/* ---- Cases: recorded.c. */

void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas);
/* What judges it. */
const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts);

#endif

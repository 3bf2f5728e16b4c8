/* Plans and states as JSON, to cases: one an address. */
#ifndef LC_RECORDING_EVIDENCE_H
#define LC_RECORDING_EVIDENCE_H

#include "lifecheck/input.h"
#include "lifecheck/plain_json.h"
#include "lifecheck/plan.h"
#include "lifecheck/state.h"

/* Is the document what it was taken for? False: reported, with its place. */
bool lc_json_is(lc_json_kind kind, const lc_source *source, lc_diags *diags);

/* The state that a document is, with a list of resources. NULL: it is none, reported. */
lc_state_file *lc_state_document(lc_arena *arena, const lc_source *source, lc_diags *diags);

/* Schemas that evidence without its own is read by. */
typedef struct lc_schemas {
    lc_arena *arena;
    lc_schema_store *store;
    LC_VEC(lc_schema_doc *) docs;
    lc_table reported;
} lc_schemas;
/* Documents that were named, and those that lie beside the file. */
void lc_schemas_open(lc_schemas *out, lc_arena *arena, lc_schema_store *store, lc_str file,
                     const lc_capture_options *options, lc_diags *diags);
/* NULL: none has the type; told once a type. */
const lc_schema *lc_schemas_get(lc_schemas *schemas, lc_schema_kind kind, lc_str provider,
                                lc_str type, lc_loc at, lc_diags *diags);

/* A plan, states, or both, as one case of the run as a whole; NULL: nothing of it can be read,
 * reported. Members may be NULL. */
typedef struct lc_plan_case_inputs {
    lc_plan *plan;
    lc_state_file *state, *next_state;
    const lc_capture_options *options;
    lc_schemas *schemas;
} lc_plan_case_inputs;
lc_scenario *lc_plan_case(lc_arena *arena, lc_str file, const lc_plan_case_inputs *inputs,
                          lc_diags *diags);

#endif

/* Plans and states as JSON, and what stands beside them: schema documents, options. Module
 * scenario; scenarios name such files, recordings are them. Everything lives in the arena given. */
#ifndef LIFECHECK_EVIDENCE_H
#define LIFECHECK_EVIDENCE_H

#include "lifecheck/plain_json.h"
#include "lifecheck/plan.h"
#include "lifecheck/state.h"
#include "lifecheck/verdict.h"

/* What was read beside an input, and what came of it, in lines for people. */
typedef struct lc_used {
    lc_arena *arena;
    LC_VEC(lc_str) list;
} lc_used;

/* Schema documents that were opened, by path, so that each is read once. Lives in the store. */
typedef struct lc_schema_store {
    lc_arena *arena;
    lc_table documents;
    lc_limits limits;
} lc_schema_store;
void lc_schema_store_init(lc_schema_store *store, lc_arena *arena, lc_limits limits);
/* The document `path`, opened at the first call. A document that cannot be read is reported with
 * its own places once for each `diags`, and at `at` every time; then NULL. What an input is told
 * does not depend on which others were read before it in this process. */
lc_schema_doc *lc_schema_store_get(lc_schema_store *store, lc_str path, lc_loc at, lc_diags *diags);
/* The same for a document that an option or a folder adds to recorded evidence, and that nothing
 * refers to by its place: a CloudFormation type from which nothing is derived is an error too. */
lc_schema_doc *lc_schema_store_add(lc_schema_store *store, lc_str path, lc_diags *diags);

/* What is named beside evidence, on the command line or by a folder. */
typedef struct lc_capture_options {
    lc_str log;            /* named, or empty; logs beside the files are read too */
    lc_str new_state;      /* a state file that was saved later, or empty */
    lc_str prior_state;    /* a state file that was saved before, or empty */
    lc_str operation;      /* what was done between two states, or empty */
    const lc_str *schemas; /* documents that were named */
    size_t schema_count;
    lc_used *used; /* NULL: nobody wants to know */
    bool kept;     /* cases of plans and states live on after they were taken */
    /* Each type that the schemas of a recording declare; NULL: nobody wants to know. */
    void (*declares)(void *context, const lc_schema *schema);
    void *declares_context;
} lc_capture_options;

/* ---- Plans and states as JSON: `show -json` of a plan, state files. */

typedef enum lc_json_kind { LC_JSON_OTHER, LC_JSON_PLAN, LC_JSON_STATE } lc_json_kind;
/* By the beginning of the text. */
lc_json_kind lc_json_evidence(lc_str head);
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

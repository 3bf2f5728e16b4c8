/* Plans and states as JSON, and what users name with them: schema documents, options. Module
 * scenario: scenarios name such files, and recordings consist of them. Everything lives in the
 * arena given. */
#ifndef LIFECHECK_SCENARIO_EVIDENCE_H
#define LIFECHECK_SCENARIO_EVIDENCE_H

#include "lifecheck/codec/plain_json.h"
#include "lifecheck/plan/plan.h"
#include "lifecheck/plan/state.h"
#include "lifecheck/verdict/verdict.h"

/* Lines for people: which files next to an input were read, and what they contributed. */
typedef struct lc_used {
    lc_arena *arena;
    LC_VEC(lc_str) list;
} lc_used;

/* Schema documents that were opened, by path, so that each is read once. Documents and schemas live
 * in the store's arena, as long as all cases that use them. */
typedef struct lc_schema_store {
    lc_arena *arena;
    lc_table documents;
    lc_limits limits;
    /* The schemas of a provider that runs, which take the place of those that scenarios name: NULL
     * if it has no such type. NULL: there is no such provider. */
    const lc_schema *(*provided)(void *context, lc_schema_kind kind, lc_str type);
    void *provided_context;
    bool stated_first; /* only where a scenario states no schema */
} lc_schema_store;
/* The limits count for each document that is opened. */
void lc_schema_store_init(lc_schema_store *store, lc_arena *arena, lc_limits limits);
/* The document `path`, which is opened at the first call. NULL: it cannot be read. Its errors are
 * reported at their places once for each `diags`, and at `at` every time. What is reported for an
 * input therefore does not depend on which other inputs were read before it. */
lc_schema_doc *lc_schema_store_get(lc_schema_store *store, lc_str path, lc_loc at, lc_diags *diags);
/* The same for a document that is named by an option or found in a folder, so that no place refers
 * to it. A CloudFormation type from which no schema can be derived is an error here. */
lc_schema_doc *lc_schema_store_add(lc_schema_store *store, lc_str path, lc_diags *diags);

struct lc_recording;

/* What the command line or a folder names in addition to evidence. Borrowed from the caller. */
typedef struct lc_capture_options {
    lc_str log;            /* a path, or empty; logs next to the files are read too */
    lc_str new_state;      /* a state file that was saved later, or empty */
    lc_str prior_state;    /* a state file that was saved before, or empty */
    lc_str operation;      /* the command that was run between two states, or empty */
    const lc_str *schemas; /* paths of documents; none: those next to the file */
    size_t schema_count;
    lc_used *used; /* NULL: not needed */
    bool kept;     /* the caller keeps the cases of plans and states after it took them */
    /* Called for each type that the schemas of a recording declare; NULL: not needed. */
    void (*declares)(void *context, const lc_schema *schema);
    void *declares_context;
    /* Gets what a recording states about itself, at its end; NULL: not needed. */
    void (*about)(void *context, const struct lc_recording *recording);
    void *about_context;
} lc_capture_options;

/* ---- Plans and states as JSON: `show -json` of a plan, state files. */

/* Documents of JSON that hold objects. */
typedef enum lc_json_kind { LC_JSON_OTHER, LC_JSON_PLAN, LC_JSON_STATE } lc_json_kind;
/* What a JSON text is, judged by its beginning. */
lc_json_kind lc_json_evidence(lc_str head);
/* Is a parsed document of this kind? False: reported with its place. */
bool lc_json_is(lc_json_kind kind, const lc_source *source, lc_diags *diags);

/* The state of a document, which must have resources. NULL: it is not a state; reported. */
lc_state_file *lc_state_document(lc_arena *arena, const lc_source *source, lc_diags *diags);
/* The same of a file. */
lc_state_file *lc_state_document_open(lc_arena *arena, lc_str file, const lc_limits *limits,
                                      lc_diags *diags);

/* The schemas that plans and states are read by, since these contain none. */
typedef struct lc_schemas {
    lc_arena *arena;
    lc_schema_store *store;
    LC_VEC(lc_schema_doc *) docs; /* searched in this order */
    lc_table reported;            /* types without a schema that were reported */
} lc_schemas;
/* Opens the documents that the options name; without any, those next to `file`. Documents that
 * cannot be read are reported. */
void lc_schemas_open(lc_schemas *out, lc_arena *arena, lc_schema_store *store, lc_str file,
                     const lc_capture_options *options, lc_diags *diags);
/* The schema of a type, from `provider` if that has it. NULL: no document has the type; reported at
 * `at`, once for each type. */
const lc_schema *lc_schemas_get(lc_schemas *schemas, lc_schema_kind kind, lc_str provider,
                                lc_str type, lc_loc at, lc_diags *diags);

/* One case of a whole plan, of states, or of both. Members that are not given are NULL. NULL: none
 * of it can be read, reported. */
typedef struct lc_plan_case_inputs {
    lc_plan *plan;
    lc_state_file *state, *next_state;
    const lc_capture_options *options;
    lc_schemas *schemas;
} lc_plan_case_inputs;
lc_scenario *lc_plan_case(lc_arena *arena, lc_str file, const lc_plan_case_inputs *inputs,
                          lc_diags *diags);

#endif

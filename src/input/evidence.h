/* Plans and states as JSON, to cases: one an address. */
#ifndef LC_INPUT_EVIDENCE_H
#define LC_INPUT_EVIDENCE_H

#include "lifecheck/input.h"
#include "lifecheck/plain_json.h"

/* Is the document what it was taken for? False: reported, with its place. */
bool lc_json_is(lc_json_kind kind, const lc_source *source, lc_diags *diags);

/* Objects of a state file, by address. */
typedef struct lc_stored_object {
    lc_str address, type, provider;
    lc_schema_kind kind;
    lc_raw_state raw;
    bool tainted, deposed;
    lc_loc loc;
    /* The values and marks, if they are as `show -json` prints them; else NULL. */
    const lc_node *shown, *marks;
    LC_VEC(lc_path) sensitive;
} lc_stored_object;
typedef struct lc_stored_objects {
    LC_VEC(lc_stored_object *) list; /* in order of the file */
    lc_table by_address;             /* current objects */
} lc_stored_objects;
/* False: not a state file, reported. */
bool lc_state_file_read(lc_stored_objects *out, lc_arena *arena, const lc_source *source,
                        const lc_limits *limits, lc_diags *diags);

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
    const lc_source *plan, *state, *next_state;
    const lc_lines *lines; /* of the plan */
    const lc_capture_options *options;
    lc_schemas *schemas;
} lc_plan_case_inputs;
lc_scenario *lc_plan_case(lc_arena *arena, lc_str file, const lc_plan_case_inputs *inputs,
                          lc_diags *diags);

/* What was stored, as it is sent to an upgrade: of a printed state as the file has it, with the
 * types of what the schema leaves open. */
lc_raw_state lc_stored_object_raw(lc_arena *arena, const lc_stored_object *object,
                                  const lc_schema *schema, const lc_limits *limits);
/* Places that are stored as sensitive. */
void lc_stored_object_sensitive(lc_arena *arena, const lc_stored_object *object,
                                const lc_schema *schema, void (*each)(void *context, lc_path path),
                                void *context);
/* A state's object by the current schema, into the result of a call. */
void lc_stored_object_value(lc_field *out, lc_arena *arena, const lc_stored_object *object,
                            const lc_schema *schema);

#endif

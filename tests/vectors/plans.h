/* Answers to recorded plans: what each client plans for the files, state and options of a line. */
#ifndef LC_S_VECTORS_PLANS_H
#define LC_S_VECTORS_PLANS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/predict/predict.h"
#include "lifecheck/yaml_json/node.h"

/* Append `,"terraform":{...},"opentofu":{...}` for a parsed line. */
void vectors_plans_answer(lc_buf *out, lc_arena *arena, const lc_source *source,
                          const lc_node *line);

/* ---- The providers of the recordings (plans_providers.c). */

typedef struct vectors_world {
    const lc_node *files, *answers; /* answers may be NULL */
    lc_known_types *types;
    lc_schema_doc *schemas;
    const lc_state_file *state;
    lc_core core;
} vectors_world;

/* The schemas of their types. */
lc_schema_doc *vectors_plan_schemas(lc_arena *arena);
lc_run_provider vectors_plan_provider(vectors_world *world);

#endif

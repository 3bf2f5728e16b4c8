/* What clients say of the providers of a recorded line, and what they write about them. */
#ifndef LC_S_VECTORS_PROVIDER_LINES_H
#define LC_S_VECTORS_PROVIDER_LINES_H

#include "lifecheck/predict/predict.h"
#include "lifecheck/provider_config/provider_config.h"

typedef struct vectors_providers {
    lc_arena *arena;
    lc_configuration *config;   /* as read */
    const lc_state_file *state; /* or NULL */
    const lc_prediction *plan;  /* for values of objects */
    bool state_errors;          /* the state is refused for another reason */
    const lc_run_variable *variables;
    size_t variable_count;
    const lc_node *files;
    const lc_source *source;
    lc_core core;
    lc_provider_model model;
    lc_eval_context around;
    LC_VEC(lc_str) errors;
    bool stops;       /* before anything is planned */
    bool state_stops; /* ... because of what the state says */
} vectors_providers;

/* The errors of a client up to where it begins to plan, then those of single objects; their changes
 * are taken from `plan`, which is that of the run model. */
void vectors_providers_answer(vectors_providers *p, lc_prediction *plan);
/* Append `,"state_providers":{...},"resource_provider":{...}`: after an apply. */
void vectors_providers_written(lc_buf *out, vectors_providers *p);

#endif

/* A configuration and its circumstances, as one case of the provider-instances model. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

lc_provider_model *lc_provider_model_open(lc_given_configuration *given, lc_arena *arena,
                                          lc_diags *diags)
{
    lc_provider_model *model = LC_NEW(arena, lc_provider_model);
    lc_provider_model_make(model, arena, given->config, &given->around);
    for (size_t i = 0; i < given->config->problems.count; i++) {
        const lc_config_problem *p = &given->config->problems.items[i];
        if (p->rule == LC_RULE_COUNT && !p->echo && !p->warning)
            lc_config_diagnose(diags, p->place, p->summary, p->detail);
    }
    return model;
}

lc_provider_facts *lc_provider_facts_new(lc_arena *arena, const lc_provider_inputs *inputs)
{
    lc_provider_model *model = inputs->model;
    lc_provider_facts *facts = LC_NEW(arena, lc_provider_facts);
    *facts = (lc_provider_facts){.model = model,
                                 .has_state = inputs->state != NULL,
                                 .has_next = inputs->next_state != NULL,
                                 .has_reader = inputs->reader.given,
                                 .has_sequence = inputs->has_sequence,
                                 .has_plan = inputs->plan != NULL};
    for (size_t i = 0; inputs->state && i < inputs->state->objects.count; i++)
        lc_show_keys(&model->hidden, arena, &inputs->state->objects.items[i].parsed);
    if (inputs->state) {
        lc_provider_check_state(model, inputs->state);
        lc_provider_check_objects(model, inputs->state);
    }
    if (inputs->state && inputs->reader.given)
        lc_provider_check_reader(model, inputs->state, &inputs->reader);
    if (inputs->next_state)
        lc_provider_check_next(model, inputs->next_state);
    if (inputs->plan)
        lc_provider_check_plan(model, inputs->plan_source, inputs->plan);
    return facts;
}

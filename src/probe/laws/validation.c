/* Laws 11 to 14: how validation and plan treat unknown values as such. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define MOST_PLACES 80

/* ---- Asking. */

/* An attribute that takes no known value at all, such as the id of SDKv2, takes no unknown
 * one either. */
static bool takes_known(lc_trial *trial)
{
    trial->why = "no known value was accepted there";
    return !trial->spec->other || lc_trial_accepts(trial, trial->spec->other);
}

/* Only a known value in the plan is a default: what is unknown may come from anywhere. The variant
 * is the attribute. */
static bool ask_default(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_call *plan =
        lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = t->config});
    trial->why = "the plan has an error, or is deferred";
    if (!lc_answered(plan) || !lc_field_has_value(&plan->result))
        return plan->broke == LC_YES;
    uint32_t step = t->variant;
    const lc_value *value = lc_spot_get(plan->result.value, (lc_spot){&step, 1});
    trial->why = "no default is planned";
    return value && lc_is_known(value);
}

/* The premise comes first: the configuration without the unknown. */
static bool ask_validations(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    if (!takes_known(trial))
        return false;
    lc_trial_begin_run(trial, NULL, t->config);
    bool accepted = lc_answered(lc_trial_query_validation(trial, t->config));
    trial->why = "validation does not accept the configuration";
    if (!accepted && t->law != LC_LAW_12)
        return false;
    if (t->other)
        lc_trial_query_validation(trial, t->other);
    lc_trial_query_validation(trial, t->edited);
    return t->law != LC_LAW_12 || ask_default(trial);
}

/* Law 14: validation of the unknown fails, that of its completion does not. */
static bool ask_rejection(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    if (!takes_known(trial))
        return false;
    trial->why = "validation accepts the unknown";
    lc_trial_begin_run(trial, NULL, t->edited);
    if (lc_answered(lc_trial_query_validation(trial, t->edited)))
        return false;
    lc_trial_query_validation(trial, t->config);
    return true;
}

static bool ask_plans(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    if (!takes_known(trial))
        return false;
    trial->why = "validation does not accept the values";
    if (!lc_trial_accepts(trial, t->config) || !lc_trial_accepts(trial, t->edited))
        return false;
    lc_trial_begin_run(trial, NULL, t->config);
    const lc_call *first =
        lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = t->config});
    trial->why = "the configuration does not plan";
    if (!lc_answered(first))
        return first->broke == LC_YES;
    lc_trial_begin_run(trial, NULL, t->edited);
    lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = t->edited});
    return true;
}

bool lc_query_validation(lc_trial *trial)
{
    return trial->spec->law == LC_LAW_13   ? ask_plans(trial)
           : trial->spec->law == LC_LAW_14 ? ask_rejection(trial)
                                           : ask_validations(trial);
}

/* ---- Finding trials. */

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_unknown(&slot, type);
    return lc_value_new(arena, &slot);
}

static void try_leaves(lc_examination *exam, lc_arena *arena, lc_law law, const lc_subject *subject)
{
    lc_leaves leaves = {0};
    lc_find_leaves(&leaves, arena, exam->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        const lc_value *edited = leaf->block ? NULL
                                             : lc_spot_set(arena, subject->config, leaf->spot,
                                                           unknown_of(arena, leaf->value->type));
        if (edited)
            lc_run_trial(exam,
                         &(lc_trial_spec){.law = law, .config = subject->config, .edited = edited});
    }
}

/* The configuration with a known value of an attribute of the object itself. */
static const lc_value *with_known(lc_examination *exam, lc_arena *arena, const lc_value *config,
                                  const lc_attribute *a)
{
    uint32_t step = a->slot;
    static const lc_wish nothing;
    lc_slot *slot = NULL;
    if (!lc_is_null(&config->as.many.elems[step]))
        return config;
    for (size_t i = 0; exam->form && i < exam->form->count; i++) {
        if (exam->form->below[i].attribute == a)
            slot = &exam->form->below[i];
    }
    if (!slot && a->nested)
        return NULL;
    const lc_value *value =
        slot ? lc_slot_value(arena, slot) : lc_make_value(arena, a->implied, a->name, &nothing, 0);
    return lc_spot_set(arena, config, (lc_spot){&step, 1}, value);
}

/* What is not set may be set by something unknown. */
static void try_unset(lc_examination *exam, lc_arena *arena, lc_law law, const lc_subject *subject)
{
    const lc_block *block = exam->schema->block;
    for (size_t i = 0; i < block->attribute_count && !exam->stop; i++) {
        const lc_attribute *a = &block->attributes[i];
        uint32_t step = a->slot;
        if (!a->optional || !lc_is_null(&subject->config->as.many.elems[step]))
            continue;
        const lc_value *edited =
            lc_spot_set(arena, subject->config, (lc_spot){&step, 1}, unknown_of(arena, a->implied));
        const lc_value *other = with_known(exam, arena, subject->config, a);
        if (edited && other)
            lc_run_trial(
                exam, &(lc_trial_spec){
                          .law = law, .config = subject->config, .edited = edited, .other = other});
    }
}

/* Attributes of the object itself that may get a default: null and unknown in their places. */
static void try_defaults(lc_examination *exam, lc_arena *arena, const lc_subject *subject)
{
    const lc_block *block = exam->schema->block;
    for (size_t i = 0; i < block->attribute_count && !exam->stop; i++) {
        const lc_attribute *a = &block->attributes[i];
        uint32_t step = a->slot;
        lc_spot spot = {&step, 1};
        lc_value null;
        if (!a->optional || !a->computed)
            continue;
        lc_value_set_null(&null, a->implied);
        const lc_value *without = lc_spot_set(arena, subject->config, spot, &null);
        const lc_value *edited =
            lc_spot_set(arena, subject->config, spot, unknown_of(arena, a->implied));
        const lc_value *other = with_known(exam, arena, subject->config, a);
        if (without && edited && other)
            lc_run_trial(exam, &(lc_trial_spec){.law = LC_LAW_12,
                                                .variant = a->slot,
                                                .config = without,
                                                .edited = edited,
                                                .other = other});
    }
}

void lc_find_validation(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    if (law == LC_LAW_12)
        try_defaults(exam, arena, subject);
    else
        try_leaves(exam, arena, law, subject);
    if (law != LC_LAW_12)
        try_unset(exam, arena, law, subject);
    lc_arena_free(arena);
}

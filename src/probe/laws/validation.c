/* Laws 11 to 14: what validation and plan say of unknown values as such. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define MOST_PLACES 80

/* ---- Asking. */

/* An attribute that takes no known value at all, such as the id of the old SDK, takes no unknown
 * one either. */
static bool takes_known(lc_hearing *h)
{
    h->why = "no known value was accepted there";
    return !h->trial->other || lc_is_accepted(h, h->trial->other);
}

/* Only a known value in the plan is a default: what is unknown may come from anywhere. The variant
 * is the attribute. */
static bool ask_default(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_call *plan =
        lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN, .config = t->config});
    h->why = "the plan has an error, or is deferred";
    if (!lc_answered(plan) || !lc_field_has_value(&plan->result))
        return plan->broke == LC_YES;
    uint32_t step = t->variant;
    const lc_value *value = lc_spot_get(plan->result.value, (lc_spot){&step, 1});
    h->why = "no default is planned";
    return value && lc_is_known(value);
}

/* The premise comes first: the configuration without the unknown. */
static bool ask_validations(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    if (!takes_known(h))
        return false;
    lc_hear_run(h, NULL, t->config);
    bool accepted = lc_answered(lc_hear_validate(h, t->config));
    h->why = "validation does not accept the configuration";
    if (!accepted && t->law != LC_LAW_12)
        return false;
    if (t->other)
        lc_hear_validate(h, t->other);
    lc_hear_validate(h, t->edited);
    return t->law != LC_LAW_12 || ask_default(h);
}

/* Law 14: validation of the unknown fails, that of its completion does not. */
static bool ask_rejection(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    if (!takes_known(h))
        return false;
    h->why = "validation accepts the unknown";
    lc_hear_run(h, NULL, t->edited);
    if (lc_answered(lc_hear_validate(h, t->edited)))
        return false;
    lc_hear_validate(h, t->config);
    return true;
}

static bool ask_plans(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    if (!takes_known(h))
        return false;
    h->why = "validation does not accept the values";
    if (!lc_is_accepted(h, t->config) || !lc_is_accepted(h, t->edited))
        return false;
    lc_hear_run(h, NULL, t->config);
    const lc_call *first =
        lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN, .config = t->config});
    h->why = "the configuration does not plan";
    if (!lc_answered(first))
        return first->broke == LC_YES;
    lc_hear_run(h, NULL, t->edited);
    lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN, .config = t->edited});
    return true;
}

bool lc_hear_validation(lc_hearing *h)
{
    return h->trial->law == LC_LAW_13   ? ask_plans(h)
           : h->trial->law == LC_LAW_14 ? ask_rejection(h)
                                        : ask_validations(h);
}

/* ---- Finding trials. */

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_unknown(&slot, type);
    return lc_value_new(arena, &slot);
}

static void try_leaves(lc_examination *x, lc_arena *arena, lc_law law, const lc_subject *subject)
{
    lc_leaves leaves = {0};
    lc_find_leaves(&leaves, arena, x->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !x->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        const lc_value *edited = leaf->block ? NULL
                                             : lc_spot_set(arena, subject->config, leaf->spot,
                                                           unknown_of(arena, leaf->value->type));
        if (edited)
            lc_try(x, &(lc_trial){.law = law, .config = subject->config, .edited = edited});
    }
}

/* The configuration with a known value of an attribute of the object itself. */
static const lc_value *with_known(lc_examination *x, lc_arena *arena, const lc_value *config,
                                  const lc_attribute *a)
{
    uint32_t step = a->slot;
    static const lc_wish nothing;
    lc_slot *slot = NULL;
    if (!lc_is_null(&config->as.many.elems[step]))
        return config;
    for (size_t i = 0; x->form && i < x->form->count; i++) {
        if (x->form->below[i].attribute == a)
            slot = &x->form->below[i];
    }
    if (!slot && a->nested)
        return NULL;
    const lc_value *value =
        slot ? lc_slot_value(arena, slot) : lc_make_value(arena, a->implied, a->name, &nothing, 0);
    return lc_spot_set(arena, config, (lc_spot){&step, 1}, value);
}

/* What is not set may be set by something unknown. */
static void try_unset(lc_examination *x, lc_arena *arena, lc_law law, const lc_subject *subject)
{
    const lc_block *block = x->schema->block;
    for (size_t i = 0; i < block->attribute_count && !x->stop; i++) {
        const lc_attribute *a = &block->attributes[i];
        uint32_t step = a->slot;
        if (!a->optional || !lc_is_null(&subject->config->as.many.elems[step]))
            continue;
        const lc_value *edited =
            lc_spot_set(arena, subject->config, (lc_spot){&step, 1}, unknown_of(arena, a->implied));
        const lc_value *other = with_known(x, arena, subject->config, a);
        if (edited && other)
            lc_try(x, &(lc_trial){
                          .law = law, .config = subject->config, .edited = edited, .other = other});
    }
}

/* Attributes of the object itself that may get a default: null and unknown in their places. */
static void try_defaults(lc_examination *x, lc_arena *arena, const lc_subject *subject)
{
    const lc_block *block = x->schema->block;
    for (size_t i = 0; i < block->attribute_count && !x->stop; i++) {
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
        const lc_value *other = with_known(x, arena, subject->config, a);
        if (without && edited && other)
            lc_try(x, &(lc_trial){.law = LC_LAW_12,
                                  .variant = a->slot,
                                  .config = without,
                                  .edited = edited,
                                  .other = other});
    }
}

void lc_find_validation(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    if (law == LC_LAW_12)
        try_defaults(x, arena, subject);
    else
        try_leaves(x, arena, law, subject);
    if (law != LC_LAW_12)
        try_unset(x, arena, law, subject);
    lc_arena_free(arena);
}

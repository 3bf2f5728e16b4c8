/* Laws about objects that exist: 21 to 27, 33 to 35. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_PLACES 60

/* ---- No change. */

static bool ask_real(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_value *stored = t->real ? lc_hear_stored(h) : NULL;
    if (!t->real)
        h->why = "no stored object of a state or recording was given";
    if (!stored)
        return false;
    lc_run *run = lc_hear_run(h, stored, t->config);
    if (!lc_raw_of(&run->previous_run_state, h, stored))
        memset(&run->previous_run_state, 0, sizeof run->previous_run_state);
    lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN,
                                         .prior = stored,
                                         .config = t->config,
                                         .private_data = t->private_data});
    return true;
}

/* Plans, and plans again with the answer as the stored object. `prior` NULL: from nothing. */
static bool ask_settled(lc_hearing *h, const lc_value *prior)
{
    const lc_value *config = h->trial->config;
    lc_hear_plan plan = {.kind = LC_CALL_PLAN, .prior = prior, .config = config};
    lc_hear_run(h, prior, config);
    const lc_call *first = lc_hear_plan_call(h, &plan);
    h->why = "the configuration does not plan";
    if (!lc_answered(first) || !lc_field_has_value(&first->result))
        return first->broke == LC_YES;
    h->why = "something in the plan is unknown";
    if (!lc_is_wholly_known(first->result.value) || !lc_is_known(first->result.value))
        return false;
    plan.prior = first->result.value;
    lc_hear_run(h, plan.prior, config);
    const lc_call *second = lc_hear_plan_call(h, &plan);
    h->why = "the second plan has an error";
    return lc_answered(second) || second->broke == LC_YES;
}

static bool ask_fixpoint(lc_hearing *h)
{
    const lc_value *stored = lc_hear_stored(h);
    return stored && ask_settled(h, stored);
}

/* ---- Replacing. */

static bool ask_change(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_value *stored = lc_hear_stored(h);
    h->why = stored ? "validation does not accept the change" : h->why;
    if (!stored || !lc_is_accepted(h, t->edited))
        return false;
    lc_hear_run(h, NULL, t->config);
    lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN, .config = t->config});
    lc_hear_run(h, stored, t->edited);
    const lc_call *call = lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN,
                                                               .prior = stored,
                                                               .config = t->edited,
                                                               .private_data = t->private_data});
    h->why = "the plan of the change has an error";
    return lc_answered(call) || call->broke == LC_YES;
}

/* A fresh object first, then the change that replaces one, and its second leg. */
static bool ask_replace(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_value *stored = lc_hear_stored(h);
    lc_hear_plan plan = {.kind = LC_CALL_PLAN, .config = t->edited};
    h->why = stored ? "validation does not accept the change" : h->why;
    if (!stored || !lc_is_accepted(h, t->edited))
        return false;
    lc_hear_run(h, NULL, t->edited);
    if (!lc_answered(lc_hear_plan_call(h, &plan)))
        h->scenario.subject.runs.count = 0; /* there is none to compare with */
    lc_hear_run(h, stored, t->edited);
    plan.prior = stored;
    plan.private_data = t->private_data;
    plan.again = true; /* the second leg may depend on the first having been asked just before */
    const lc_call *change = lc_hear_plan_call(h, &plan);
    h->why = "no change asks for a replacement";
    if (!lc_hear_replaces(h, stored, change))
        return change->broke == LC_YES;
    plan = (lc_hear_plan){.kind = LC_CALL_PLAN_CREATE, .config = t->edited, .again = true};
    lc_hear_plan_call(h, &plan);
    return true;
}

/* ---- A plan in between. */

static bool say_the_same(const lc_call *a, const lc_call *b)
{
    return lc_field_has_value(&a->result) && lc_field_has_value(&b->result) &&
           lc_value_raw_equal(a->result.value, b->result.value) &&
           lc_str_eq(a->private_data, b->private_data);
}

/* A provider that says something else each time does so without a plan in between, too. */
static bool is_steady(lc_hearing *h, const lc_hear_plan *plan, bool *broke)
{
    const lc_call first = *lc_hear_plan_call(h, plan);
    const lc_call *second = lc_hear_plan_call(h, plan);
    *broke = first.broke == LC_YES || second->broke == LC_YES;
    h->why = "the configuration does not plan";
    if (!lc_answered(&first) || !lc_answered(second))
        return false;
    h->why = "the same plan twice differs without a plan in between";
    return say_the_same(&first, second);
}

/* The plan of one configuration, of another, and of the first one again. */
static bool ask_between(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_value *stored = lc_hear_stored(h);
    lc_hear_plan plan = {.kind = LC_CALL_PLAN,
                         .prior = stored,
                         .config = t->config,
                         .private_data = t->private_data,
                         .again = true};
    h->why = stored ? "validation does not accept the change" : h->why;
    if (!stored || !lc_is_accepted(h, t->edited))
        return false;
    bool broke = false;
    lc_hear_run(h, stored, t->config);
    if (!is_steady(h, &plan, &broke))
        return broke;
    h->scenario.subject.runs.count = 0;
    for (size_t i = 0; i < 3; i++) {
        plan.config = i == 1 ? t->edited : t->config;
        lc_hear_run(h, stored, plan.config);
        const lc_call *call = lc_hear_plan_call(h, &plan);
        h->why = i == 1 ? "the plan of the change has an error" : "a plan has an error";
        if (!lc_answered(call))
            return call->broke == LC_YES;
    }
    return true;
}

/* ---- Another spelling. */

/* A plan, and the same with its sets and maps in another order. */
static bool ask_spelling(lc_hearing *h)
{
    const lc_value *config = h->trial->edited;
    lc_hear_plan plan = {.kind = LC_CALL_PLAN, .config = config, .again = true};
    bool broke = false;
    h->why = "validation does not accept the elements";
    if (!lc_is_accepted(h, config))
        return false;
    lc_hear_run(h, NULL, config);
    if (!is_steady(h, &plan, &broke))
        return broke;
    h->scenario.subject.runs.count = 0;
    lc_hear_run(h, NULL, config);
    const lc_call *first = lc_hear_plan_call(h, &plan);
    h->why = "a plan has an error";
    if (!lc_answered(first) || !lc_field_has_value(&first->proposed))
        return first->broke == LC_YES;
    plan.respelt = first->proposed.value;
    lc_hear_run(h, NULL, config);
    lc_hear_plan_call(h, &plan);
    return true;
}

/* ---- Destroying. */

static bool ask_destroy(lc_hearing *h)
{
    h->why = "the provider does not announce plan_destroy, so no client asks it";
    if (lc_client_capabilities(h->x->asker->client)->plan_destroy != LC_YES)
        return false;
    const lc_value *stored = lc_hear_stored(h);
    if (!stored)
        return false;
    lc_value null;
    lc_value_set_null(&null, h->x->schema->block->implied);
    const lc_value *config = lc_value_new(h->arena, &null);
    lc_hear_run(h, stored, NULL);
    lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_DESTROY_PLAN,
                                         .prior = stored,
                                         .config = config,
                                         .private_data = h->trial->private_data});
    return true;
}

/* ---- Write-only values, private data. */

/* The same but for write-only values, for an object that exists. */
static bool ask_write_only(lc_hearing *h)
{
    const lc_trial *t = h->trial;
    const lc_value *configs[] = {t->config, t->edited};
    const lc_value *stored = lc_hear_stored(h);
    h->why = stored ? "validation does not accept the other value" : h->why;
    if (!stored || !lc_is_accepted(h, t->edited))
        return false;
    for (size_t i = 0; i < 2; i++) {
        lc_hear_run(h, stored, configs[i]);
        const lc_call *call =
            lc_hear_plan_call(h, &(lc_hear_plan){.kind = LC_CALL_PLAN,
                                                 .prior = stored,
                                                 .config = configs[i],
                                                 .private_data = t->private_data});
        h->why = "the plan has an error, or is deferred";
        if (!lc_answered(call))
            return call->broke == LC_YES;
    }
    return true;
}

static bool ask_private(lc_hearing *h)
{
    static const char *const foreign[] = {"{\"foreign\":true}", "\x01\xff"};
    const lc_value *stored = lc_hear_stored(h);
    if (!stored)
        return false;
    lc_hear_run(h, stored, h->trial->config);
    lc_hear_plan_call(
        h, &(lc_hear_plan){.kind = LC_CALL_PLAN,
                           .prior = stored,
                           .config = h->trial->config,
                           .private_data = lc_str_from_c(foreign[h->trial->variant % 2])});
    return true;
}

bool lc_hear_stored_law(lc_hearing *h)
{
    h->why = "validation does not accept the configuration";
    if (!lc_is_accepted(h, h->trial->config))
        return false;
    switch ((unsigned)h->trial->law) {
    case LC_LAW_21:
        return ask_real(h);
    case LC_LAW_22:
        return ask_settled(h, NULL);
    case LC_LAW_23:
        return ask_fixpoint(h);
    case LC_LAW_24:
        return ask_spelling(h);
    case LC_LAW_25:
        return ask_change(h);
    case LC_LAW_26:
        return ask_replace(h);
    case LC_LAW_27:
        return ask_between(h);
    case LC_LAW_34:
        return ask_write_only(h);
    case LC_LAW_35:
        return ask_private(h);
    default:
        return ask_destroy(h);
    }
}

/* ---- Finding trials. */

static bool fits(lc_law law, const lc_leaf *leaf)
{
    bool plain = lc_type_is_primitive(leaf->value->type) && !leaf->element && leaf->attribute;
    return plain && leaf->attribute->write_only == (law == LC_LAW_34);
}

static void try_changes(lc_examination *x, lc_arena *arena, const lc_trial *common)
{
    lc_leaves leaves = {0};
    bool any = false;
    lc_find_leaves(&leaves, arena, x->schema->block, common->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !x->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        lc_trial trial = *common;
        if (!fits(common->law, leaf))
            continue;
        const lc_value *value =
            lc_make_value(arena, leaf->value->type, leaf->attribute->name, &(lc_wish){0}, 1);
        trial.edited = lc_spot_set(arena, common->config, leaf->spot, value);
        any = true;
        if (trial.edited && !lc_value_raw_equal(trial.edited, common->config))
            lc_try(x, &trial);
    }
    if (!any)
        lc_not_tried(x, common->law,
                     common->law == LC_LAW_34 ? "no write-only attribute is set"
                                              : "nothing is set that could change");
}

/* What has one element has no other order, so it gets two. */
void lc_find_spelling(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    bool any = false;
    lc_find_leaves(&leaves, arena, x->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !x->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        const lc_value *v = leaf->value, *edited = subject->config;
        bool free = v->type->kind == LC_TYPE_SET || v->type->kind == LC_TYPE_MAP;
        if (!free || leaf->in_set || !lc_is_known(v))
            continue;
        if (v->count < 2 && leaf->attribute && !leaf->attribute->nested)
            edited = lc_spot_set(
                arena, edited, leaf->spot,
                lc_make_value(arena, v->type, leaf->attribute->name, &(lc_wish){.elements = 2}, 0));
        else if (v->count < 2)
            continue;
        any = true;
        if (edited)
            lc_try(x, &(lc_trial){.law = law, .config = subject->config, .edited = edited});
    }
    if (!any)
        lc_not_tried(x, law, "no set or map is set that could have two elements");
    lc_arena_free(arena);
}

void lc_find_stored(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_trial trial = {.law = law,
                      .config = subject->config,
                      .real = subject->real,
                      .private_data = subject->private_data};
    if (law == LC_LAW_25 || law == LC_LAW_26 || law == LC_LAW_27 || law == LC_LAW_34) {
        try_changes(x, arena, &trial);
    } else {
        lc_try(x, &trial);
        trial.variant = 1;
        if (law == LC_LAW_35)
            lc_try(x, &trial);
    }
    lc_arena_free(arena);
}

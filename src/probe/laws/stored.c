/* Laws about objects that exist: 21 to 27, 33 to 35. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_PLACES 60

/* ---- No change. */

static bool ask_real(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *stored = t->real ? lc_trial_stored_object(trial) : NULL;
    if (!t->real)
        trial->why = "no stored object of a state or recording was given";
    if (!stored)
        return false;
    lc_run *run = lc_trial_begin_run(trial, stored, t->config);
    if (!lc_raw_of(&run->previous_run_state, trial, stored))
        memset(&run->previous_run_state, 0, sizeof run->previous_run_state);
    lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                                .prior = stored,
                                                .config = t->config,
                                                .private_data = t->private_data});
    return true;
}

/* Plans, and plans again with the answer as the stored object. `prior` NULL: from nothing. */
static bool ask_settled(lc_trial *trial, const lc_value *prior)
{
    const lc_value *config = trial->spec->config;
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .prior = prior, .config = config};
    lc_trial_begin_run(trial, prior, config);
    const lc_call *first = lc_trial_query_plan(trial, &plan);
    trial->why = "the configuration does not plan";
    if (!lc_answered(first) || !lc_field_has_value(&first->result))
        return first->broke == LC_YES;
    trial->why = "something in the plan is unknown";
    if (!lc_is_wholly_known(first->result.value) || !lc_is_known(first->result.value))
        return false;
    plan.prior = first->result.value;
    lc_trial_begin_run(trial, plan.prior, config);
    const lc_call *second = lc_trial_query_plan(trial, &plan);
    trial->why = "the second plan has an error";
    return lc_answered(second) || second->broke == LC_YES;
}

static bool ask_fixpoint(lc_trial *trial)
{
    const lc_value *stored = lc_trial_stored_object(trial);
    return stored && ask_settled(trial, stored);
}

/* ---- Replacing. */

static bool ask_change(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *stored = lc_trial_stored_object(trial);
    trial->why = stored ? "validation does not accept the change" : trial->why;
    if (!stored || !lc_trial_accepts(trial, t->edited))
        return false;
    lc_trial_begin_run(trial, NULL, t->config);
    lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = t->config});
    lc_trial_begin_run(trial, stored, t->edited);
    const lc_call *call =
        lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                                    .prior = stored,
                                                    .config = t->edited,
                                                    .private_data = t->private_data});
    trial->why = "the plan of the change has an error";
    return lc_answered(call) || call->broke == LC_YES;
}

/* A fresh object first, then the change that replaces one, and its second leg. */
static bool ask_replace(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *stored = lc_trial_stored_object(trial);
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .config = t->edited};
    trial->why = stored ? "validation does not accept the change" : trial->why;
    if (!stored || !lc_trial_accepts(trial, t->edited))
        return false;
    lc_trial_begin_run(trial, NULL, t->edited);
    if (!lc_answered(lc_trial_query_plan(trial, &plan)))
        trial->scenario.subject.runs.count = 0; /* no plan to compare with */
    lc_trial_begin_run(trial, stored, t->edited);
    plan.prior = stored;
    plan.private_data = t->private_data;
    plan.again = true; /* the second leg may depend on the first having been asked just before */
    const lc_call *change = lc_trial_query_plan(trial, &plan);
    trial->why = "no change requires replacement";
    if (!lc_trial_replaces(trial, stored, change))
        return change->broke == LC_YES;
    plan = (lc_trial_plan){.kind = LC_CALL_PLAN_CREATE, .config = t->edited, .again = true};
    lc_trial_query_plan(trial, &plan);
    return true;
}

/* ---- A plan in between. */

static bool say_the_same(const lc_call *a, const lc_call *b)
{
    return lc_field_has_value(&a->result) && lc_field_has_value(&b->result) &&
           lc_value_raw_equal(a->result.value, b->result.value) &&
           lc_str_eq(a->private_data, b->private_data);
}

/* A provider whose answers differ each time also differs without a plan in between. */
static bool is_steady(lc_trial *trial, const lc_trial_plan *plan, bool *broke)
{
    const lc_call first = *lc_trial_query_plan(trial, plan);
    const lc_call *second = lc_trial_query_plan(trial, plan);
    *broke = first.broke == LC_YES || second->broke == LC_YES;
    trial->why = "the configuration does not plan";
    if (!lc_answered(&first) || !lc_answered(second))
        return false;
    trial->why = "the same plan twice differs without a plan in between";
    return say_the_same(&first, second);
}

/* The plan of one configuration, of another, and of the first one again. */
static bool ask_between(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *stored = lc_trial_stored_object(trial);
    lc_trial_plan plan = {.kind = LC_CALL_PLAN,
                          .prior = stored,
                          .config = t->config,
                          .private_data = t->private_data,
                          .again = true};
    trial->why = stored ? "validation does not accept the change" : trial->why;
    if (!stored || !lc_trial_accepts(trial, t->edited))
        return false;
    bool broke = false;
    lc_trial_begin_run(trial, stored, t->config);
    if (!is_steady(trial, &plan, &broke))
        return broke;
    trial->scenario.subject.runs.count = 0;
    for (size_t i = 0; i < 3; i++) {
        plan.config = i == 1 ? t->edited : t->config;
        lc_trial_begin_run(trial, stored, plan.config);
        const lc_call *call = lc_trial_query_plan(trial, &plan);
        trial->why = i == 1 ? "the plan of the change has an error" : "a plan has an error";
        if (!lc_answered(call))
            return call->broke == LC_YES;
    }
    return true;
}

/* ---- Another spelling. */

/* A plan, and the same with its sets and maps in another order. */
static bool ask_spelling(lc_trial *trial)
{
    const lc_value *config = trial->spec->edited;
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .config = config, .again = true};
    bool broke = false;
    trial->why = "validation does not accept the elements";
    if (!lc_trial_accepts(trial, config))
        return false;
    lc_trial_begin_run(trial, NULL, config);
    if (!is_steady(trial, &plan, &broke))
        return broke;
    trial->scenario.subject.runs.count = 0;
    lc_trial_begin_run(trial, NULL, config);
    const lc_call *first = lc_trial_query_plan(trial, &plan);
    trial->why = "a plan has an error";
    if (!lc_answered(first) || !lc_field_has_value(&first->proposed))
        return first->broke == LC_YES;
    plan.respelt = first->proposed.value;
    lc_trial_begin_run(trial, NULL, config);
    lc_trial_query_plan(trial, &plan);
    return true;
}

/* ---- Destroying. */

static bool ask_destroy(lc_trial *trial)
{
    trial->why = "the provider does not declare plan_destroy, so clients do not plan the destroy";
    if (lc_client_capabilities(trial->exam->cache->client)->plan_destroy != LC_YES)
        return false;
    const lc_value *stored = lc_trial_stored_object(trial);
    if (!stored)
        return false;
    lc_value null;
    lc_value_set_null(&null, trial->exam->schema->block->implied);
    const lc_value *config = lc_value_new(trial->arena, &null);
    lc_trial_begin_run(trial, stored, NULL);
    lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_DESTROY_PLAN,
                                                .prior = stored,
                                                .config = config,
                                                .private_data = trial->spec->private_data});
    return true;
}

/* ---- Write-only values, private data. */

/* The same but for write-only values, for an object that exists. */
static bool ask_write_only(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *configs[] = {t->config, t->edited};
    const lc_value *stored = lc_trial_stored_object(trial);
    trial->why = stored ? "validation does not accept the other value" : trial->why;
    if (!stored || !lc_trial_accepts(trial, t->edited))
        return false;
    for (size_t i = 0; i < 2; i++) {
        lc_trial_begin_run(trial, stored, configs[i]);
        const lc_call *call =
            lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                                        .prior = stored,
                                                        .config = configs[i],
                                                        .private_data = t->private_data});
        trial->why = "the plan has an error, or is deferred";
        if (!lc_answered(call))
            return call->broke == LC_YES;
    }
    return true;
}

static bool ask_private(lc_trial *trial)
{
    static const char *const foreign[] = {"{\"foreign\":true}", "\x01\xff"};
    const lc_value *stored = lc_trial_stored_object(trial);
    if (!stored)
        return false;
    lc_trial_begin_run(trial, stored, trial->spec->config);
    lc_trial_query_plan(
        trial, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                .prior = stored,
                                .config = trial->spec->config,
                                .private_data = lc_str_from_c(foreign[trial->spec->variant % 2])});
    return true;
}

bool lc_query_stored(lc_trial *trial)
{
    trial->why = "validation does not accept the configuration";
    if (!lc_trial_accepts(trial, trial->spec->config))
        return false;
    switch ((unsigned)trial->spec->law) {
    case LC_LAW_21:
        return ask_real(trial);
    case LC_LAW_22:
        return ask_settled(trial, NULL);
    case LC_LAW_23:
        return ask_fixpoint(trial);
    case LC_LAW_24:
        return ask_spelling(trial);
    case LC_LAW_25:
        return ask_change(trial);
    case LC_LAW_26:
        return ask_replace(trial);
    case LC_LAW_27:
        return ask_between(trial);
    case LC_LAW_34:
        return ask_write_only(trial);
    case LC_LAW_35:
        return ask_private(trial);
    default:
        return ask_destroy(trial);
    }
}

/* ---- Finding trials. */

static bool fits(lc_law law, const lc_leaf *leaf)
{
    bool plain = lc_type_is_primitive(leaf->value->type) && !leaf->element && leaf->attribute;
    return plain && leaf->attribute->write_only == (law == LC_LAW_34);
}

static void try_changes(lc_examination *exam, lc_arena *arena, const lc_trial_spec *common)
{
    lc_leaves leaves = {0};
    bool any = false;
    lc_find_leaves(&leaves, arena, exam->schema->block, common->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        lc_trial_spec spec = *common;
        if (!fits(common->law, leaf))
            continue;
        const lc_value *value =
            lc_make_value(arena, leaf->value->type, leaf->attribute->name, &(lc_wish){0}, 1);
        spec.edited = lc_spot_set(arena, common->config, leaf->spot, value);
        any = true;
        if (spec.edited && !lc_value_raw_equal(spec.edited, common->config))
            lc_run_trial(exam, &spec);
    }
    if (!any)
        lc_not_tried(exam, common->law,
                     common->law == LC_LAW_34 ? "no write-only attribute is set"
                                              : "nothing is set that could change");
}

/* What has one element has no other order, so it gets two. */
void lc_find_spelling(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    bool any = false;
    lc_find_leaves(&leaves, arena, exam->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++) {
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
            lc_run_trial(exam,
                         &(lc_trial_spec){.law = law, .config = subject->config, .edited = edited});
    }
    if (!any)
        lc_not_tried(exam, law, "no set or map is set that could have two elements");
    lc_arena_free(arena);
}

void lc_find_stored(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_trial_spec spec = {.law = law,
                          .config = subject->config,
                          .real = subject->real,
                          .private_data = subject->private_data};
    if (law == LC_LAW_25 || law == LC_LAW_26 || law == LC_LAW_27 || law == LC_LAW_34) {
        try_changes(exam, arena, &spec);
    } else {
        lc_run_trial(exam, &spec);
        spec.variant = 1;
        if (law == LC_LAW_35)
            lc_run_trial(exam, &spec);
    }
    lc_arena_free(arena);
}

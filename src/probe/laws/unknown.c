/* Laws 1 to 10: what is planned while something is unknown holds when it is known. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define MOST_PLACES 80 /* of a configuration that are tried one by one */
#define MOST_PAIRS  40

static const lc_value *unknown_of(lc_arena *arena, const lc_value *like)
{
    lc_value slot;
    lc_value_set_unknown(&slot, like->type);
    return lc_value_new(arena, &slot);
}

static const lc_value *null_of(lc_arena *arena, const lc_value *like)
{
    lc_value slot;
    lc_value_set_null(&slot, like->type);
    return lc_value_new(arena, &slot);
}

/* Null is not an element of a plain collection in configurations that clients take. */
static bool may_be_null(const lc_leaf *leaf)
{
    return !leaf->element && leaf->attribute && leaf->attribute->optional;
}

static bool has_elements(const lc_value *v)
{
    return lc_type_is_collection(v->type);
}

/* ---- Asking. */

/* Laws 2, 3 and 10 are about objects that exist. */
static bool is_about_stored(lc_law law)
{
    return law == LC_LAW_2 || law == LC_LAW_3 || law == LC_LAW_10;
}

static bool ask_completion(lc_trial *trial, const lc_value *prior, const lc_value *complete)
{
    lc_trial_plan plan = {.kind = LC_CALL_PLAN,
                          .prior = prior,
                          .config = trial->spec->edited,
                          .private_data = prior ? trial->spec->private_data : LC_STR_EMPTY};
    lc_trial_begin_run(trial, prior, trial->spec->edited);
    const lc_call *first = lc_trial_query_plan(trial, &plan);
    bool broke = first->broke == LC_YES, ok = lc_answered(first);
    bool replaces = lc_trial_replaces(trial, prior, first);
    trial->why = "the plan with unknown values has an error, or is deferred";
    if (broke || !ok)
        return broke;
    if (replaces) {
        plan.kind = LC_CALL_PLAN_CREATE;
        plan.prior = NULL;
        const lc_call *create = lc_trial_query_plan(trial, &plan);
        if (!lc_answered(create))
            return create->broke == LC_YES;
    }
    plan.kind = LC_CALL_FINAL_PLAN;
    plan.prior = replaces ? NULL : prior;
    plan.config = complete;
    const lc_call *last = lc_trial_query_plan(trial, &plan);
    trial->why = "the plan with known values has an error, or is deferred";
    return lc_answered(last) || last->broke == LC_YES;
}

/* Two runs: an unknown, and an unknown of which something is known. */
static bool ask_refined(lc_trial *trial)
{
    const lc_value *configs[] = {trial->spec->edited, trial->spec->other};
    for (size_t i = 0; i < 2; i++) {
        lc_trial_begin_run(trial, NULL, configs[i]);
        const lc_call *call = lc_trial_query_plan(
            trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = configs[i]});
        trial->why = "the plan has an error, or is deferred";
        if (!lc_answered(call))
            return call->broke == LC_YES;
    }
    return true;
}

bool lc_query_completion(lc_trial *trial)
{
    const lc_trial_spec *t = trial->spec;
    const lc_value *prior = NULL, *complete = t->other ? t->other : t->config;
    trial->why = "validation does not accept the values";
    if (!lc_trial_accepts(trial, t->config) || !lc_trial_accepts(trial, t->edited) ||
        (t->other && !lc_trial_accepts(trial, t->other)))
        return false;
    if (t->law == LC_LAW_9)
        return ask_refined(trial);
    if (is_about_stored(t->law) && !(prior = lc_trial_stored_object(trial)))
        return false;
    return ask_completion(trial, prior, complete);
}

/* ---- Finding trials. */

typedef struct finder {
    lc_examination *exam;
    lc_arena *arena;
    const lc_subject *subject;
    lc_trial_spec spec; /* what all of them have in common */
} finder;

static void try_values(finder *f, const lc_value *edited, const lc_value *other)
{
    lc_trial_spec spec = f->spec;
    spec.edited = edited;
    spec.other = other;
    if (edited)
        lc_run_trial(f->exam, &spec);
}

/* The configuration with another value instead of the leaf's. */
static const lc_value *with(finder *f, const lc_leaf *leaf, const lc_value *value)
{
    return value ? lc_spot_set(f->arena, f->subject->config, leaf->spot, value) : NULL;
}

static const lc_slot *slot_of(const lc_slot *slot, lc_str name)
{
    for (size_t at = 0; slot && at < name.len;) {
        size_t end = lc_str_find(name, at + 1, '.');
        lc_str part = lc_str_sub(name, at + 1, end);
        const lc_slot *found = NULL;
        for (size_t i = 0; i < slot->count; i++) {
            if (lc_str_eq(slot->below[i].name, part))
                found = &slot->below[i];
        }
        slot = found;
        at = end;
    }
    return slot;
}

/* Another value of the type, by the constraints learned for this place. */
static const lc_value *another(finder *f, const lc_leaf *leaf, unsigned turn)
{
    static const lc_wish nothing;
    const lc_slot *slot = f->exam->form ? slot_of(f->exam->form, leaf->name) : NULL;
    const lc_wish *wish = slot ? &slot->wish : &nothing;
    for (unsigned i = 0; i < 3; i++) {
        const lc_value *value = lc_make_value(f->arena, leaf->value->type, leaf->attribute->name,
                                              wish, (slot ? slot->turn : 0) + turn + i);
        if (!lc_value_raw_equal(value, leaf->value))
            return value;
    }
    return NULL;
}

static void try_other(finder *f, const lc_leaf *leaf, const lc_value *edited)
{
    bool plain = lc_type_is_primitive(leaf->value->type);
    const lc_value *other = plain ? with(f, leaf, another(f, leaf, 1)) : NULL;
    if (other)
        try_values(f, edited, other);
}

/* No, one and two elements; `one` is repeated, and given other keys. */
static void try_counts(finder *f, const lc_leaf *leaf, const lc_value *edited)
{
    const lc_value *v = leaf->value, *one = NULL;
    if (!lc_is_known(v) || !has_elements(v))
        return;
    if (v->count)
        one = &v->as.many.elems[0];
    else if (leaf->attribute && !leaf->attribute->nested)
        one = lc_make_value(f->arena, v->type->as.elem, leaf->attribute->name, &(lc_wish){0}, 0);
    for (size_t count = 0; one && count <= 2; count++) {
        const lc_value *counted = lc_with_elements(f->arena, v, one, count);
        const lc_value *other = with(f, leaf, counted);
        if (other)
            try_values(f, edited, other);
    }
}

static void try_refined(finder *f, const lc_leaf *leaf, const lc_value *edited)
{
    lc_value slot;
    lc_refinement known = {.not_null = true};
    if (lc_value_set_refined(&slot, f->arena, leaf->value->type, &known))
        try_values(f, edited, with(f, leaf, lc_value_new(f->arena, &slot)));
}

static void try_leaf(finder *f, const lc_leaf *leaf)
{
    lc_law law = f->spec.law;
    const lc_value *edited = with(f, leaf, unknown_of(f->arena, leaf->value));
    bool counted = has_elements(leaf->value) && !leaf->element;
    if (!edited || (leaf->block != NULL) != (law == LC_LAW_8))
        return;
    if (law == LC_LAW_1 || law == LC_LAW_2)
        try_values(f, edited, NULL);
    else if (law == LC_LAW_3 || law == LC_LAW_10)
        try_other(f, leaf, edited);
    else if (law == LC_LAW_4 && may_be_null(leaf))
        try_values(f, edited, with(f, leaf, null_of(f->arena, leaf->value)));
    else if ((law == LC_LAW_7 || law == LC_LAW_8) && counted)
        try_counts(f, leaf, edited);
    else if (law == LC_LAW_9)
        try_refined(f, leaf, edited);
}

static void try_pair(finder *f, const lc_leaf *a, const lc_leaf *b)
{
    const lc_value *one = with(f, a, unknown_of(f->arena, a->value));
    if (one)
        try_values(f, lc_spot_set(f->arena, one, b->spot, unknown_of(f->arena, b->value)), NULL);
}

/* All of them if they are few, else some by chance. Parts of collections are left out: they and
 * the values that hold them are not a pair. */
static void try_pairs(finder *f, const lc_leaves *leaves)
{
    lc_leaves whole = {0};
    for (size_t i = 0; i < leaves->count; i++) {
        const lc_leaf *leaf = &leaves->items[i];
        if (!leaf->block && !leaf->in_set && !leaf->element)
            *LC_PUSH(f->arena, &whole, lc_leaf) = *leaf;
    }
    size_t n = whole.count;
    bool all = n * (n + 1) / 2 <= MOST_PAIRS + n;
    for (size_t i = 0; all && i < n; i++) {
        for (size_t k = i + 1; k < n; k++)
            try_pair(f, &whole.items[i], &whole.items[k]);
    }
    for (size_t i = 0; !all && i < MOST_PAIRS; i++) {
        size_t a = lc_draw(f->exam, n), b = lc_draw(f->exam, n);
        if (a != b)
            try_pair(f, &whole.items[a], &whole.items[b]);
    }
}

/* What is not set may be set by something unknown, which may turn out to be null. */
static void try_unset(finder *f)
{
    const lc_block *block = f->exam->schema->block;
    for (size_t i = 0; i < block->attribute_count && !f->exam->stop; i++) {
        const lc_attribute *a = &block->attributes[i];
        uint32_t step = a->slot;
        const lc_value *v = &f->subject->config->as.many.elems[step];
        if (a->optional && lc_is_null(v))
            try_values(f,
                       lc_spot_set(f->arena, f->subject->config, (lc_spot){&step, 1},
                                   unknown_of(f->arena, v)),
                       NULL);
    }
}

void lc_find_unknown(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    finder f = {.exam = exam, .arena = lc_arena_new(), .subject = subject};
    lc_leaves leaves = {0};
    f.spec = (lc_trial_spec){.law = law,
                             .config = subject->config,
                             .real = subject->real,
                             .private_data = subject->private_data};
    lc_find_leaves(&leaves, f.arena, exam->schema->block, subject->config);
    if (law == LC_LAW_5)
        try_values(&f, lc_all_unknown(f.arena, exam->schema->block, subject->config), NULL);
    else if (law == LC_LAW_6)
        try_pairs(&f, &leaves);
    else
        for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++)
            try_leaf(&f, &leaves.items[i]);
    if (law == LC_LAW_4)
        try_unset(&f);
    lc_arena_free(f.arena);
}

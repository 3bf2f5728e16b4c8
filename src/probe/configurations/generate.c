/* Configurations that the provider accepts: given ones first, then generated from the schema. Its
 * errors add constraints, and it is asked again. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "probe/internal.h"

#include <string.h>

#define ROUNDS      8  /* of learning, for one beginning */
#define MOST_GROWTH 80 /* optional parts that are added one by one */
#define MOST_GIVEN  8  /* seeds of a type that may be alike */
#define MOST_SHAPES 32 /* seeds of a type that are not alike */
#define MOST_FIRST  4  /* configurations of a type that laws are tried with */

/* ---- Asking. */

static lc_loc place(const lc_examination *exam)
{
    return (lc_loc){exam->result->name, 0, 0};
}

static bool can_ask(lc_examination *exam)
{
    return lc_peer_cache_restart(exam->cache) && lc_peer_cache_has_budget(exam->cache);
}

static void keep_reason(lc_examination *exam, const lc_call *call)
{
    const lc_provider_diag *d = lc_call_first_error(call);
    if (d) {
        exam->result->why_not = lc_str_printf(
            exam->prober->arena, "%.*s%s%.*s", LC_FMT(d->summary), d->detail.len ? ": " : "",
            (int)(d->detail.len < 300 ? d->detail.len : 300), d->detail.ptr);
        return;
    }
    if (call->broke == LC_YES)
        exam->result->why_not =
            lc_str_printf(exam->prober->arena, "no response: %.*s", LC_FMT(call->broke_with));
    else if (call->deferred == LC_YES)
        exam->result->why_not = LC_STR("the plan is deferred");
}

static void validate(lc_examination *exam, lc_call *out, lc_arena *arena, const lc_value *config)
{
    memset(out, 0, sizeof *out);
    lc_client_validate(exam->cache->client, out, arena, exam->schema, config, place(exam));
}

static void plan(lc_examination *exam, lc_call *out, lc_arena *arena, const lc_value *config)
{
    lc_plan_question question = {
        .kind = LC_CALL_PLAN, .config = config, .private_data = LC_STR_EMPTY};
    memset(out, 0, sizeof *out);
    lc_client_plan(exam->cache->client, out, arena, exam->schema, &question, place(exam));
}

/* A provider exits, hangs, defers, or answers with what is not an object, in a call that no law has
 * made yet: the same question, as a trial of law 41 or 32, is judged. */
static void note_answer(lc_examination *exam, const lc_call *call, const lc_value *config)
{
    lc_law law = call->broke == LC_YES ? LC_LAW_41 : LC_LAW_32;
    bool empty = call->kind == LC_CALL_PLAN && call->failed != LC_YES;
    if ((call->broke == LC_YES || empty) && !exam->cache->exhausted && !exam->newer)
        lc_run_trial(exam, &(lc_trial_spec){.law = law, .config = config});
}

static bool is_sendable(const lc_examination *exam, const lc_value *config)
{
    lc_arena *scratch = lc_arena_new();
    bool sendable = lc_config_is_sendable(scratch, exam->schema, config);
    lc_arena_free(scratch);
    return sendable;
}

/* Validates and plans; *out is the call that failed last, or the plan. */
static bool is_accepted(lc_examination *exam, lc_call *out, lc_arena *arena, const lc_value *config)
{
    if (!is_sendable(exam, config)) {
        memset(out, 0, sizeof *out);
        exam->result->why_not =
            LC_STR("no client sends the configuration: it does not fit the schema");
        return false;
    }
    validate(exam, out, arena, config);
    bool ok = lc_answered(out);
    if (ok && exam->plans) {
        plan(exam, out, arena, config);
        ok = lc_answered(out) && lc_field_has_value(&out->result);
    }
    if (!ok) {
        keep_reason(exam, out);
        note_answer(exam, out, config);
    }
    return ok;
}

/* ---- Subjects. */

static bool is_known_already(const lc_examination *exam, const lc_value *config)
{
    for (size_t i = 0; i < exam->subjects.count; i++) {
        if (!exam->subjects.items[i].real &&
            lc_value_raw_equal(exam->subjects.items[i].config, config))
            return true;
    }
    return false;
}

static lc_subject *add_subject(lc_examination *exam, const lc_value *config, lc_str from)
{
    if (is_known_already(exam, config))
        return NULL;
    lc_subject *subject = LC_PUSH(exam->arena, &exam->subjects, lc_subject);
    *subject =
        (lc_subject){.config = lc_value_copy(exam->arena, config, exam->schema->block->implied),
                     .from = from,
                     .private_data = LC_STR_EMPTY};
    exam->result->configured = true;
    exam->result->configurations++;
    if (exam->result->from.len == 0)
        exam->result->from = from;
    return subject;
}

/* ---- Given ones. */

static const lc_value *clean_object(lc_arena *arena, const lc_attribute *attributes, size_t count,
                                    const lc_value *object, bool all);

/* A collection or an object of a nested type. */
static const lc_value *clean_nested(lc_arena *arena, const lc_nested_type *nested,
                                    const lc_value *v, bool all)
{
    if (!lc_is_known(v))
        return v;
    if (nested->nesting == LC_NESTING_SINGLE || nested->nesting == LC_NESTING_GROUP)
        return clean_object(arena, nested->attributes, nested->attribute_count, v, all);
    lc_value inner = *v, *items = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    for (uint32_t k = 0; k < v->count; k++)
        items[k] = *clean_object(arena, nested->attributes, nested->attribute_count,
                                 &v->as.many.elems[k], all);
    inner.as.many.elems = items;
    if (v->type->kind == LC_TYPE_SET)
        lc_value_set_set(&inner, arena, v->type, items, v->count);
    return lc_value_new(arena, &inner);
}

static void clean_attributes(lc_arena *arena, lc_value *elems, const lc_attribute *attributes,
                             size_t count, bool all)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        bool kept = a->required || (a->optional && (all || !a->computed));
        if (!kept)
            lc_value_set_null(&elems[a->slot], a->implied);
        else if (a->nested)
            elems[a->slot] = *clean_nested(arena, a->nested, &elems[a->slot], all);
    }
}

static const lc_value *clean_object(lc_arena *arena, const lc_attribute *attributes, size_t count,
                                    const lc_value *object, bool all)
{
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, object->count + 1);
    if (!lc_is_known(object))
        return object;
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    clean_attributes(arena, elems, attributes, count, all);
    lc_value_set_object(&slot, arena, object->type, elems);
    return lc_value_new(arena, &slot);
}

/* A configuration that could have made a stored object: what is computed is left out, and if that
 * is not accepted what is optional is kept. */
static const lc_value *config_of(lc_arena *arena, const lc_block *block, const lc_value *stored,
                                 bool all)
{
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, stored->count + 1);
    memcpy(elems, stored->as.many.elems, stored->count * sizeof *elems);
    clean_attributes(arena, elems, block->attributes, block->attribute_count, all);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        const lc_value *v = &stored->as.many.elems[type->slot];
        bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
        if (single && lc_is_known(v))
            elems[type->slot] = *config_of(arena, type->block, v, all);
        if (single || !lc_is_known(v) || v->type->kind < LC_TYPE_LIST)
            continue;
        lc_value inner = *v, *items = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
        for (uint32_t k = 0; k < v->count; k++)
            items[k] = *config_of(arena, type->block, &v->as.many.elems[k], all);
        if (v->type->kind == LC_TYPE_SET)
            lc_value_set_set(&inner, arena, v->type, items, v->count);
        else
            inner.as.many.elems = items;
        elems[type->slot] = inner;
    }
    lc_value_set_object(&slot, arena, stored->type, elems);
    return lc_value_new(arena, &slot);
}

static void take_seed(lc_examination *exam, lc_arena *arena, const lc_probe_seed *seed)
{
    lc_call call;
    for (int all = 0; all < (seed->config ? 1 : 2) && can_ask(exam); all++) {
        const lc_value *config =
            seed->config ? seed->config
                         : config_of(arena, exam->schema->block, seed->stored, all == 1);
        if (!is_accepted(exam, &call, arena, config))
            continue;
        lc_subject *subject = add_subject(exam, config, seed->from);
        if (subject && seed->stored) {
            subject->real = seed->stored;
            subject->private_data = seed->private_data;
            exam->result->stored++;
        }
        return;
    }
}

/* ---- Which of the given ones. */

static uint64_t mixed(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15u;
    return a ^ a >> 32;
}

/* What is set, and what the flags are: objects that differ only in names and numbers are alike. Of
 * a collection the order and number of its elements do not count. The depth is that of the type. */
static uint64_t shape_of(const lc_value *v)
{
    uint64_t shape = 1;
    if (lc_is_null(v) || !lc_is_known(v))
        return lc_is_null(v) ? 0 : 2;
    if (v->type->kind == LC_TYPE_BOOL)
        return v->as.boolean ? 3 : 4;
    if (v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_TUPLE) {
        for (uint32_t i = 0; i < v->count; i++)
            shape = mixed(shape, shape_of(&v->as.many.elems[i]));
        return shape;
    }
    if (v->type->kind < LC_TYPE_LIST)
        return 5;
    for (uint32_t i = 0; i < v->count; i++) {
        uint64_t one = mixed(shape_of(&v->as.many.elems[i]), 6);
        shape |= UINT64_C(1) << one % 64;
    }
    return mixed(shape, v->count > 0);
}

typedef struct given {
    const lc_probe_seed *seed;
    uint64_t shape;
    bool taken;
} given;
typedef LC_VEC(given) given_list;

static void find_given(given_list *out, lc_arena *arena, const lc_examination *exam, bool kept)
{
    const lc_probe_options *o = exam->prober->options;
    for (size_t i = 0; i < o->seed_count; i++) {
        const lc_probe_seed *seed = &o->seeds[i];
        bool usable = seed->config ? lc_is_wholly_known(seed->config)
                                   : seed->stored && lc_is_known(seed->stored);
        if (seed->kept == kept && usable && seed->kind == exam->schema->kind &&
            lc_str_eq(seed->type, exam->schema->type_name))
            *LC_PUSH(arena, out, given) =
                (given){seed, shape_of(seed->config ? seed->config : seed->stored), false};
    }
}

/* Was one of this shape taken? There are at most MOST_SHAPES of them. */
static bool is_known_shape(const uint64_t *shapes, size_t count, uint64_t shape)
{
    for (size_t i = 0; i < count; i++) {
        if (shapes[i] == shape)
            return true;
    }
    return false;
}

/* In their order, but those first that are unlike all before them: an attribute that only one of a
 * thousand objects sets is the one that an upgrade may change. */
static void take_seeds(lc_examination *exam, lc_arena *arena, bool kept)
{
    given_list all = {0};
    uint64_t shapes[MOST_SHAPES];
    size_t taken = 0;
    uint32_t left = 0;
    find_given(&all, arena, exam, kept);
    for (size_t i = 0; i < all.count && taken < MOST_SHAPES; i++) {
        if (is_known_shape(shapes, taken, all.items[i].shape))
            continue;
        shapes[taken++] = all.items[i].shape;
        all.items[i].taken = true;
    }
    for (size_t i = 0; i < all.count && taken < MOST_GIVEN; i++) {
        taken += !all.items[i].taken;
        all.items[i].taken = true;
    }
    for (size_t i = 0; i < all.count; i++) {
        left += !all.items[i].taken;
        if (all.items[i].taken)
            take_seed(exam, arena, all.items[i].seed);
    }
    if (left)
        lc_add_gap(exam, "given objects that are like others, or too many", left);
}

/* ---- Made from the schema. */

/* NULL: it was not accepted within the rounds. The learned constraints remain in the form. */
static const lc_value *learn(lc_examination *exam, lc_arena *arena)
{
    const lc_value *accepted = NULL;
    bool learned = true;
    lc_arena *scratch = lc_arena_new();
    for (unsigned round = 0; !accepted && learned && round <= ROUNDS && can_ask(exam); round++) {
        lc_call call;
        const lc_value *config = lc_form_value(scratch, exam->form, exam->schema->block);
        if (is_accepted(exam, &call, scratch, config))
            accepted = lc_value_copy(arena, config, exam->schema->block->implied);
        else
            learned = lc_form_learn(exam->arena, exam->form, &call);
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    return accepted;
}

/* What is set, to go back to. */
typedef struct marks {
    LC_VEC(lc_slot) slots;
} marks;

static void save(marks *out, lc_arena *arena, const lc_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        *LC_PUSH(arena, &out->slots, lc_slot) = slot->below[i];
        save(out, arena, &slot->below[i]);
    }
}

static void restore(const marks *saved, size_t *at, lc_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        slot->below[i] = saved->slots.items[(*at)++];
        restore(saved, at, &slot->below[i]);
    }
}

/* Without a word on why not. */
static bool is_taken(lc_examination *exam, lc_arena *arena, const lc_value *config)
{
    lc_call call;
    if (!is_sendable(exam, config))
        return false;
    validate(exam, &call, arena, config);
    if (!lc_answered(&call) || !exam->plans)
        return lc_answered(&call);
    plan(exam, &call, arena, config);
    return lc_answered(&call) && lc_field_has_value(&call.result);
}

/* Adds optional parts one by one to what is accepted, and keeps those with which it still is. */
static const lc_value *grow(lc_examination *exam, lc_arena *arena)
{
    bool grown = false;
    lc_arena *scratch = lc_arena_new(); /* a schema may have very many parts */
    for (size_t i = 0; i < exam->form->count && i < MOST_GROWTH && can_ask(exam); i++) {
        lc_slot *slot = &exam->form->below[i];
        marks before = {0};
        size_t at = 0;
        if (slot->set)
            continue;
        save(&before, scratch, exam->form);
        lc_slot_set(slot, true);
        if (is_taken(exam, scratch, lc_form_value(scratch, exam->form, exam->schema->block)))
            grown = true;
        else
            restore(&before, &at, exam->form);
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    return grown ? lc_form_value(arena, exam->form, exam->schema->block) : NULL;
}

/* With everything, then with what is required; if only that is accepted it is made to grow. */
static void make(lc_examination *exam, lc_arena *arena)
{
    exam->form = lc_form_new(exam->arena, exam->schema->block);
    lc_form_set(exam->form, true);
    const lc_value *full = learn(exam, arena);
    if (full)
        add_subject(exam, full, LC_STR("schema"));
    lc_form_set(exam->form, false);
    const lc_value *least = learn(exam, arena);
    const lc_value *grown = least && !full ? grow(exam, arena) : NULL;
    if (grown)
        add_subject(exam, grown, LC_STR("schema"));
    if (least)
        add_subject(exam, least, LC_STR("schema"));
}

void lc_find_subjects(lc_examination *exam)
{
    lc_arena *arena = lc_arena_new();
    take_seeds(exam, arena, true);
    take_seeds(exam, arena, false);
    if (exam->subjects.count < MOST_FIRST)
        make(exam, arena);
    if (exam->result->configured)
        exam->result->why_not = LC_STR_EMPTY;
    lc_arena_free(arena);
}

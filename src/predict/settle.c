/* Configurations of which a part cannot be determined: what they are if that part did not change,
 * and what a provider usually makes of a configuration. */
#include "predict/object.h"

#include <string.h>

/* ---- The undecided parts as they were. */

/* The part of the prior value that corresponds to part `i` of `v`; NULL: there is none. */
static const lc_value *part_before(const lc_value *v, uint32_t i, const lc_value *was)
{
    if (!was || !lc_is_known(was) || was->type->kind != v->type->kind)
        return NULL;
    if (v->type->kind == LC_TYPE_OBJECT)
        return lc_value_attr(was, v->type->as.attrs[i].name);
    if (v->type->kind == LC_TYPE_MAP)
        return lc_value_key(was, v->as.many.keys[i]);
    return i < was->count ? &was->as.many.elems[i] : NULL;
}

static const lc_value *settle(lc_arena *arena, lc_marked v, const lc_value *was,
                              const lc_type *want);

/* A value of the same kind with other parts. Sets stay as they are: their parts have no place. */
static const lc_value *with_parts(lc_arena *arena, const lc_value *v, lc_value *elems)
{
    lc_value out = *v;
    const lc_type *type = v->type;
    if (type->kind == LC_TYPE_OBJECT) {
        lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, v->count);
        for (uint32_t i = 0; i < v->count; i++)
            attrs[i] = (lc_type_attr){type->as.attrs[i].name, elems[i].type, false};
        lc_value_set_object(&out, arena, lc_type_object(arena, attrs, v->count), elems);
    } else if (type->kind == LC_TYPE_TUPLE) {
        const lc_type **types = LC_NEW_ARRAY(arena, const lc_type *, v->count);
        for (uint32_t i = 0; i < v->count; i++)
            types[i] = elems[i].type;
        lc_value_set_tuple(&out, arena, lc_type_tuple(arena, types, v->count), elems, v->count);
    } else {
        out.as.many.elems = elems;
    }
    return lc_value_new(arena, &out);
}

static const lc_value *settle_parts(lc_arena *arena, lc_marked v, const lc_value *was,
                                    const lc_type *want)
{
    const lc_value *value = v.value;
    bool object = value->type->kind == LC_TYPE_OBJECT;
    bool fixed = object && want->kind == LC_TYPE_OBJECT;
    const lc_type *elem = lc_type_is_collection(value->type) ? value->type->as.elem : NULL;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const lc_type *part = fixed ? want->as.attrs[i].type : elem ? elem : &lc_type_dynamic;
        elems[i] = *settle(arena, lc_predict_child(v, i), part_before(value, i, was), part);
    }
    if (!fixed)
        return with_parts(arena, value, elems);
    lc_value out;
    lc_value_set_object(&out, arena, want, elems);
    return lc_value_new(arena, &out);
}

/* `want` is the type that the place has by its schema. */
static const lc_value *settle(lc_arena *arena, lc_marked v, const lc_value *was,
                              const lc_type *want)
{
    if (!(lc_marks_all(v) & LC_MARK_UNDECIDED))
        return v.value;
    bool fits = was && (want->has_dynamic || lc_type_equal(was->type, want));
    if (lc_marks_self(v) & LC_MARK_UNDECIDED)
        return fits ? was : v.value;
    if (!lc_is_known(v.value) || v.value->type->kind == LC_TYPE_SET)
        return v.value;
    return settle_parts(arena, v, was, want);
}

const lc_value *lc_predict_settle(lc_arena *arena, lc_marked given, const lc_value *prior,
                                  const lc_block *block)
{
    return settle(arena, given, prior, block->implied);
}

/* ---- Stored values whose types are lost. */

static bool same_shown(lc_marked now, const lc_value *was);

static bool has_members(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static bool same_members(lc_marked now, const lc_value *was)
{
    const lc_value *v = now.value;
    for (uint32_t i = 0; i < v->count; i++) {
        lc_marked part;
        lc_str name = v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        if (!lc_predict_part(&part, (lc_marked){was, NULL}, name) ||
            !same_shown(lc_predict_child(now, i), part.value))
            return false;
    }
    return true;
}

/* Are both the same as plain JSON, as far as `now` is decided? There lists, sets and tuples look
 * alike, and maps and objects. */
static bool same_shown(lc_marked now, const lc_value *was)
{
    const lc_value *v = now.value;
    if (lc_marks_self(now) & LC_MARK_UNDECIDED)
        return true;
    if (lc_is_null(v) || lc_is_null(was))
        return lc_is_null(v) && lc_is_null(was);
    if (!lc_is_known(v) || lc_type_is_primitive(v->type) || lc_type_is_primitive(was->type))
        return lc_value_raw_equal(v, was);
    if (v->count != was->count || has_members(v) != has_members(was))
        return false;
    if (has_members(v))
        return same_members(now, was);
    for (uint32_t i = 0; i < v->count; i++) {
        if (!same_shown(lc_predict_child(now, i), &was->as.many.elems[i]))
            return false;
    }
    return true;
}

/* Has the value a type that plain JSON does not show? Nulls have types, too. */
static bool has_hidden_type(const lc_value *v)
{
    return lc_is_null(v) ? v->type->kind != LC_TYPE_DYNAMIC
                         : lc_is_known(v) && !lc_type_is_primitive(v->type);
}

void lc_predict_doubt_types(lc_planned_object *o)
{
    const lc_type *want = o->schema->block->implied;
    lc_marked given = o->given;
    lc_value other = *o->before;
    if (!o->prior || !o->prior->shown || !want->has_dynamic || !lc_is_known(given.value))
        return;
    const lc_undecided *why = lc_undecided_new(
        o->arena, LC_STR("the types of its stored values are not shown"), o->config->place);
    const lc_marks **marks = lc_arena_zalloc(o->arena, lc_mul_size(other.count, sizeof *marks));
    lc_value *elems = LC_NEW_ARRAY(o->arena, lc_value, other.count);
    for (uint32_t i = 0; i < other.count; i++) {
        lc_marked part = lc_predict_child(given, i);
        const lc_type *type = want->as.attrs[i].type;
        elems[i] = other.as.many.elems[i];
        if (type->has_dynamic && has_hidden_type(part.value) && same_shown(part, &elems[i])) {
            lc_value_set_null(&elems[i], type);
            part = lc_marked_with(o->arena, part, LC_MARK_UNDECIDED, why);
            o->other = o->before;
        }
        marks[i] = part.marks;
    }
    if (!o->other)
        return;
    lc_value_set_object(&other, o->arena, want, elems);
    o->other = lc_value_new(o->arena, &other);
    o->given.marks = lc_marks_join(o->arena, marks, other.count);
}

/* ---- Write-only attributes, which no plan holds. */

static bool any_write_only(const lc_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        if (a->write_only || (a->nested && a->nested->any_write_only))
            return true;
    }
    return false;
}

static void clear_attributes(lc_arena *arena, lc_value *elems, const lc_attribute *attributes,
                             size_t count);

/* Applies `clear` to the object, or to each object of the collection. */
static lc_value each_object(lc_arena *arena, const lc_value *v, const void *what,
                            void (*clear)(lc_arena *arena, lc_value *elems, const void *what))
{
    lc_value out = *v;
    if (!lc_is_known(v))
        return out;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        elems[i] = v->type->kind == LC_TYPE_OBJECT
                       ? v->as.many.elems[i]
                       : each_object(arena, &v->as.many.elems[i], what, clear);
    if (v->type->kind == LC_TYPE_OBJECT)
        clear(arena, elems, what);
    out.as.many.elems = elems;
    return out;
}

static void clear_nested(lc_arena *arena, lc_value *elems, const void *what)
{
    const lc_nested_type *nested = what;
    clear_attributes(arena, elems, nested->attributes, nested->attribute_count);
}

static void clear_attributes(lc_arena *arena, lc_value *elems, const lc_attribute *attributes,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        if (a->write_only)
            lc_value_set_null(&elems[a->slot], a->implied);
        else if (a->nested && a->nested->any_write_only)
            elems[a->slot] = each_object(arena, &elems[a->slot], a->nested, clear_nested);
    }
}

static void clear_block(lc_arena *arena, lc_value *elems, const void *what)
{
    const lc_block *block = what;
    if (any_write_only(block->attributes, block->attribute_count))
        clear_attributes(arena, elems, block->attributes, block->attribute_count);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *t = &block->blocks[i];
        if (t->block->any_write_only)
            elems[t->slot] = each_object(arena, &elems[t->slot], t->block, clear_block);
    }
}

const lc_value *lc_predict_without_write_only(lc_arena *arena, const lc_value *object,
                                              const lc_block *block)
{
    if (!block->any_write_only || !lc_is_known(object))
        return object;
    lc_value out = each_object(arena, object, block, clear_block);
    return lc_value_new(arena, &out);
}

const lc_value *lc_run_as_proposed(const lc_run_question *ask)
{
    const lc_block *block = ask->schema->block;
    const lc_value *proposed = lc_predict_without_write_only(ask->arena, ask->proposed, block);
    lc_value *elems = LC_NEW_ARRAY(ask->arena, lc_value, proposed->count), object;
    memcpy(elems, proposed->as.many.elems, proposed->count * sizeof *elems);
    for (size_t i = 0; lc_is_null(ask->prior) && i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->computed && lc_is_null(&elems[a->slot]))
            lc_value_set_unknown(&elems[a->slot], a->implied);
    }
    lc_value_set_object(&object, ask->arena, block->implied, elems);
    return lc_value_new(ask->arena, &object);
}

/* ---- Whether the schema leaves a provider a choice. */

static bool attributes_bind(const lc_value *config, const lc_attribute *attributes, size_t count);

/* Applies `binds` to the object, or to each object of the collection. */
static bool all_bind(const lc_value *v, const void *what,
                     bool (*binds)(const lc_value *object, const void *what))
{
    if (!lc_is_known(v))
        return lc_is_null(v);
    if (v->type->kind == LC_TYPE_OBJECT)
        return binds(v, what);
    for (uint32_t i = 0; i < v->count; i++) {
        if (!all_bind(&v->as.many.elems[i], what, binds))
            return false;
    }
    return true;
}

static bool nested_binds(const lc_value *object, const void *what)
{
    const lc_nested_type *nested = what;
    return attributes_bind(object, nested->attributes, nested->attribute_count);
}

static bool attributes_bind(const lc_value *config, const lc_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        const lc_value *c = &config->as.many.elems[a->slot];
        if (a->computed && lc_is_null(c))
            return false;
        if (a->nested && !all_bind(c, a->nested, nested_binds))
            return false;
    }
    return true;
}

static bool block_binds(const lc_value *object, const void *what)
{
    const lc_block *block = what;
    if (!attributes_bind(object, block->attributes, block->attribute_count))
        return false;
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *t = &block->blocks[i];
        if (t->computed || !all_bind(&object->as.many.elems[t->slot], t->block, block_binds))
            return false;
    }
    return true;
}

bool lc_predict_binds(const lc_value *config, const lc_block *block)
{
    return lc_is_wholly_known(config) && !block->any_computed_block && !block->unusable_count &&
           all_bind(config, block, block_binds);
}

/* ---- The parts of a planned object that are certain whatever the provider plans. */

/* SDKs of the first generations give every type such an id; clients tolerate that their providers
 * plan other values than configured. */
static bool may_be_legacy(const lc_block *block)
{
    const lc_attribute *id = lc_block_attribute(block, LC_STR("id"));
    return id && id->optional && id->computed;
}

/* One part of an object: an attribute or a block type. */
typedef struct object_part {
    uint32_t slot;
    bool binds; /* the schema leaves no choice about its configured value */
} object_part;

static object_part attribute_part(const lc_attribute *a, const lc_value *config)
{
    const lc_value *c = &config->as.many.elems[a->slot];
    bool chosen = a->write_only || (a->computed && lc_is_null(c));
    return (object_part){a->slot, !chosen && (!a->nested || all_bind(c, a->nested, nested_binds))};
}

static object_part block_part(const lc_block_type *t, const lc_value *config)
{
    const lc_value *c = &config->as.many.elems[t->slot];
    return (object_part){t->slot, !t->computed && all_bind(c, t->block, block_binds)};
}

/* A provider plans what is configured, or keeps what was there: if these are the same, it is
 * certain. Of a new object only the former is possible, except for old SDKs. A replace does not
 * ignore changes. */
static bool is_certain(const lc_planned_object *o, object_part part)
{
    const lc_value *config = &o->sent.value->as.many.elems[part.slot];
    lc_marked given = lc_predict_child(o->given, part.slot);
    if (!part.binds || !lc_is_wholly_known(config) || (lc_marks_all(given) & LC_MARK_UNDECIDED) ||
        !lc_value_raw_equal(config, given.value))
        return false;
    if (o->before)
        return lc_value_raw_equal(config, &o->before->as.many.elems[part.slot]);
    return !o->prior && !o->import && !may_be_legacy(o->schema->block);
}

/* Collects the certain parts; the others are unknown and undecided. */
static void take_part(lc_planned_object *o, object_part part, lc_value *elems,
                      const lc_marks **marks, const lc_undecided *undecided)
{
    if (is_certain(o, part)) {
        elems[part.slot] = o->sent.value->as.many.elems[part.slot];
        return;
    }
    lc_value_set_unknown(&elems[part.slot], o->schema->block->implied->as.attrs[part.slot].type);
    lc_marked open = {&elems[part.slot], marks[part.slot]};
    marks[part.slot] = lc_marked_with(o->arena, open, LC_MARK_UNDECIDED, undecided).marks;
}

bool lc_predict_certain_parts(lc_marked *out, lc_planned_object *o, const lc_undecided *undecided)
{
    const lc_block *block = o->schema ? o->schema->block : NULL;
    if (!o->sent.value || !lc_is_known(o->sent.value) || block->unusable_count ||
        (o->before && !lc_is_known(o->before)))
        return false;
    size_t count = o->sent.value->count;
    lc_value *elems = LC_NEW_ARRAY(o->arena, lc_value, count), object;
    memcpy(elems, o->sent.value->as.many.elems, count * sizeof *elems);
    lc_value_set_object(&object, o->arena, block->implied, elems);
    lc_marked secret = lc_predict_marks_carried(o->arena, &object, o->sent, block);
    const lc_marks **marks = lc_arena_zalloc(o->arena, lc_mul_size(count, sizeof *marks));
    for (size_t i = 0; i < count; i++)
        marks[i] = lc_predict_child(secret, i).marks;
    for (size_t i = 0; i < block->attribute_count; i++)
        take_part(o, attribute_part(&block->attributes[i], o->sent.value), elems, marks, undecided);
    for (size_t i = 0; i < block->block_count; i++)
        take_part(o, block_part(&block->blocks[i], o->sent.value), elems, marks, undecided);
    lc_value_set_object(&object, o->arena, block->implied, elems);
    *out = (lc_marked){lc_value_new(o->arena, &object), lc_marks_join(o->arena, marks, count)};
    return true;
}

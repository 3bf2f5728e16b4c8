/* Functions that look at marks or change them. */
#include "configuration/functions/functions.h"

static bool same_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, lc_fn_arg(c, 0)->type);
}

bool lc_fn_sensitive_type(lc_fn_call *c)
{
    return same_type(c);
}

bool lc_fn_sensitive(lc_fn_call *c)
{
    c->result = lc_marked_with(c->e->arena, c->args[0], LC_MARK_SENSITIVE, NULL);
    return true;
}

bool lc_fn_nonsensitive_type(lc_fn_call *c)
{
    return same_type(c);
}

/* The value itself; what its elements have stays. */
bool lc_fn_nonsensitive(lc_fn_call *c)
{
    c->result = lc_marked_without(c->e->arena, c->args[0], LC_MARK_SENSITIVE);
    return true;
}

/* A value that lifecheck cannot determine may be sensitive or not. */
bool lc_fn_issensitive(lc_fn_call *c)
{
    unsigned self = lc_marks_self(c->args[0]);
    bool unknown = lc_is_unknown(lc_fn_arg(c, 0));
    bool opentofu = lc_fn_is_opentofu(c);
    if ((self & LC_MARK_SENSITIVE) && !(unknown && opentofu))
        return lc_fn_give_bool(c, true);
    if (!unknown)
        return lc_fn_give_bool(c, false);
    lc_refinement r = {.not_null = opentofu};
    lc_value v;
    return lc_value_set_refined(&v, c->e->arena, &lc_type_bool, &r) && lc_fn_give(c, &v);
}

/* ---- ephemeralasnull. */

bool lc_fn_ephemeralasnull_type(lc_fn_call *c)
{
    return same_type(c);
}

static lc_marked without_ephemeral(lc_fn_call *c, lc_marked v);

static lc_str *copied_keys(lc_fn_call *c, const lc_value *map)
{
    lc_str *keys = LC_NEW_ARRAY(c->e->arena, lc_str, map->count);
    for (uint32_t i = 0; i < map->count; i++)
        keys[i] = map->as.many.keys[i];
    return keys;
}

/* A value like `v` with other elements of the same types. */
static lc_value with_elements(lc_fn_call *c, const lc_value *v, lc_value *elems)
{
    lc_arena *arena = c->e->arena;
    lc_value slot = *v;
    if (v->type->kind == LC_TYPE_SET)
        lc_value_set_set(&slot, arena, v->type, elems, v->count);
    else if (v->type->kind == LC_TYPE_LIST)
        lc_value_set_list(&slot, arena, v->type, elems, v->count);
    else if (v->type->kind == LC_TYPE_TUPLE)
        lc_value_set_tuple(&slot, arena, v->type, elems, v->count);
    else if (v->type->kind == LC_TYPE_OBJECT)
        lc_value_set_object(&slot, arena, v->type, elems);
    else
        lc_value_set_map(&slot, arena, v->type, copied_keys(c, v), elems, v->count);
    return slot;
}

/* The elements, each without what is ephemeral in it. */
static lc_marked rebuild(lc_fn_call *c, lc_marked v)
{
    lc_arena *arena = c->e->arena;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v.value->count);
    const lc_marks **children = LC_NEW_ARRAY(arena, const lc_marks *, v.value->count);
    for (uint32_t i = 0; i < v.value->count; i++) {
        bool marked = v.marks && i < v.marks->count;
        lc_marked part = without_ephemeral(
            c, (lc_marked){&v.value->as.many.elems[i], marked ? v.marks->children[i] : NULL});
        elems[i] = *part.value;
        children[i] = part.marks;
    }
    lc_value slot = with_elements(c, v.value, elems);
    lc_marked out = {lc_value_new(arena, &slot), lc_marks_join(arena, children, v.value->count)};
    unsigned self = lc_marks_self(v);
    return self ? lc_marked_with(arena, out, self, v.marks->undecided) : out;
}

/* What is known about an unknown value is forgotten if it is ephemeral, by OpenTofu always. The
 * recursion is as deep as the value. */
static lc_marked without_ephemeral(lc_fn_call *c, lc_marked v)
{
    lc_value slot;
    bool ephemeral = lc_marks_self(v) & LC_MARK_EPHEMERAL;
    const lc_type *type = v.value->type;
    lc_marked bare = lc_marked_without(c->e->arena, v, LC_MARK_EPHEMERAL);
    if (lc_is_unknown(v.value)) {
        if (ephemeral || lc_fn_is_opentofu(c))
            bare.value = lc_eval_unknown(c->e, type).value;
        return bare;
    }
    if (lc_is_known(v.value) && ephemeral) {
        lc_value_set_null(&slot, type);
        lc_marked null = {lc_value_new(c->e->arena, &slot), NULL};
        unsigned self = lc_marks_self(bare);
        return self ? lc_marked_with(c->e->arena, null, self, bare.marks->undecided) : null;
    }
    return lc_is_known(v.value) && !lc_type_is_primitive(type) ? rebuild(c, v) : bare;
}

bool lc_fn_ephemeralasnull(lc_fn_call *c)
{
    c->result = without_ephemeral(c, c->args[0]);
    return true;
}

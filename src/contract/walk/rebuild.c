/* Containers with other elements, and objects with exactly the names of a schema. */
#include "contract/walk/rebuild.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

static bool rebuild_map(lc_arena *arena, const lc_value *like, const lc_type *want, lc_value *elems,
                        lc_value *out)
{
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, like->count);
    for (size_t i = 0; i < like->count; i++)
        keys[i] = like->as.many.keys[i];
    return lc_value_set_map(out, arena, want, keys, elems, like->count);
}

const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems)
{
    lc_value *out = LC_NEW(arena, lc_value);
    bool ok = true;
    switch (like->type->kind) {
    case LC_TYPE_LIST:
        ok = lc_value_set_list(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_SET:
        ok = lc_value_set_set(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_MAP:
        ok = rebuild_map(arena, like, want, elems, out);
        break;
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(out, arena, want, elems);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        LC_UNREACHABLE();
    }
    return ok ? out : NULL;
}

/* A copy of an object with the attributes of `shape` only; the caller has checked that it has them
 * all. */
static const lc_value *pick_names(lc_arena *arena, const lc_value *v, const lc_type *shape)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, shape->count);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, shape->count), *out = LC_NEW(arena, lc_value);
    for (size_t i = 0; i < shape->count; i++) {
        long index = lc_type_attr_index(v->type, shape->as.attrs[i].name);
        attrs[i] = v->type->as.attrs[index];
        if (lc_is_known(v))
            elems[i] = v->as.many.elems[index];
    }
    const lc_type *type = lc_type_object(arena, attrs, shape->count);
    if (lc_is_known(v))
        lc_value_set_object(out, arena, type, elems);
    else
        lc_value_set_unknown(out, type);
    return out;
}

static const lc_value *with_names(lc_arena *arena, const lc_value *v, const lc_type *shape)
{
    if (v->type->kind != LC_TYPE_OBJECT)
        return NULL;
    for (size_t i = 0; i < shape->count; i++) {
        if (lc_type_attr_index(v->type, shape->as.attrs[i].name) < 0)
            return NULL;
    }
    return v->type->count == shape->count ? v : pick_names(arena, v, shape);
}

/* ---- The form below: nested attributes and blocks must hold objects or collections of objects
 * with exactly the schema's names. An attribute without a nested type may hold anything. Blocks
 * with a dynamic attribute inside may, too: they are checked when the walk gets to them. */

static bool is_of_form(const lc_value *v, const lc_type *shape, const lc_attribute *attributes,
                       size_t attribute_count, const lc_block_type *blocks, size_t block_count);

static bool is_nested_of_form(const lc_value *v, const lc_nested_type *t)
{
    return is_of_form(v, t->object, t->attributes, t->attribute_count, NULL, 0);
}

static bool is_block_of_form(const lc_value *v, const lc_block *s)
{
    return is_of_form(v, s->implied, s->attributes, s->attribute_count, s->blocks, s->block_count);
}

bool lc_is_collection_for(lc_nesting nesting, const lc_value *v)
{
    lc_type_kind kind = v->type->kind;
    switch (nesting) {
    case LC_NESTING_LIST:
        return kind == LC_TYPE_LIST || kind == LC_TYPE_TUPLE;
    case LC_NESTING_SET:
        return kind == LC_TYPE_SET;
    case LC_NESTING_MAP:
        return kind == LC_TYPE_MAP || kind == LC_TYPE_OBJECT;
    case LC_NESTING_SINGLE:
    case LC_NESTING_GROUP:
        return kind == LC_TYPE_OBJECT;
    case LC_NESTING_INVALID:
        break;
    }
    return false;
}

/* Either `t` or `s` is NULL: the elements are nested objects or blocks. */
static bool holds_form(const lc_value *v, lc_nesting nesting, const lc_nested_type *t,
                       const lc_block *s)
{
    bool one = nesting == LC_NESTING_SINGLE || nesting == LC_NESTING_GROUP;
    if (!lc_is_known(v))
        return true;
    if (!lc_is_collection_for(nesting, v))
        return false;
    for (size_t i = 0; i < (one ? 1 : v->count); i++) {
        const lc_value *element = one ? v : &v->as.many.elems[i];
        if (t ? !is_nested_of_form(element, t) : !is_block_of_form(element, s))
            return false;
    }
    return true;
}

static bool is_of_form(const lc_value *v, const lc_type *shape, const lc_attribute *attributes,
                       size_t attribute_count, const lc_block_type *blocks, size_t block_count)
{
    if (!lc_is_known(v))
        return true;
    if (v->type->kind != LC_TYPE_OBJECT || v->count != shape->count)
        return false;
    for (size_t i = 0; i < shape->count; i++) {
        if (!lc_str_eq(v->type->as.attrs[i].name, shape->as.attrs[i].name))
            return false;
    }
    for (size_t i = 0; i < attribute_count; i++) {
        const lc_nested_type *t = attributes[i].nested;
        if (t && !holds_form(&v->as.many.elems[attributes[i].slot], t->nesting, t, NULL))
            return false;
    }
    for (size_t i = 0; i < block_count; i++) {
        const lc_block_type *b = &blocks[i];
        if (!b->dynamic_inside &&
            !holds_form(&v->as.many.elems[b->slot], b->nesting, NULL, b->block))
            return false;
    }
    return true;
}

/* The common case, which needs no copy: a type that conforms has the names and the form. */
static bool is_as_wanted(const lc_value *v, const lc_type *shape)
{
    return v->type == shape || lc_is_null(v) || v->type->kind == LC_TYPE_DYNAMIC ||
           lc_type_conforms(v->type, shape);
}

const lc_value *lc_as_nested(lc_arena *arena, const lc_value *v, const lc_nested_type *t)
{
    if (is_as_wanted(v, t->object))
        return v;
    v = with_names(arena, v, t->object);
    return v && is_nested_of_form(v, t) ? v : NULL;
}

const lc_value *lc_as_block(lc_arena *arena, const lc_value *v, const lc_block *s)
{
    if (is_as_wanted(v, s->implied))
        return v;
    v = with_names(arena, v, s->implied);
    return v && is_block_of_form(v, s) ? v : NULL;
}

/* Deep copies of values into another arena. */
#include "lifecheck/base/arena.h"
#include "lifecheck/value/value.h"
#include "value/number_internal.h"

#include <string.h>

/* The same number in another arena. */
static lc_num copy_number(lc_arena *arena, lc_num n)
{
    if (lc_num_is_inline(n))
        return n;
    lc_bignum *big = LC_NEW(arena, lc_bignum);
    *big = *n.big;
    big->limbs = lc_arena_copy(arena, big->limbs, big->count, sizeof *big->limbs);
    return (lc_num){0, big};
}

/* ---- Types. */

/* The type of the i-th part; collections have the same for all. */
static const lc_type *child_type(const lc_type *type, size_t i)
{
    switch (type->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        return type->as.elem;
    case LC_TYPE_TUPLE:
        return type->as.items[i];
    case LC_TYPE_OBJECT:
        return type->as.attrs[i].type;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return NULL;
}

static const lc_type *copy_type(lc_arena *arena, const lc_type *type, const lc_type *shared);

static const lc_type *copy_child(lc_arena *arena, const lc_type *type, const lc_type *shared,
                                 size_t i)
{
    bool alike = shared && shared->kind == type->kind && i < shared->count;
    return copy_type(arena, child_type(type, i), alike ? child_type(shared, i) : NULL);
}

static const lc_type *copy_object_type(lc_arena *arena, const lc_type *type, const lc_type *shared)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, type->count);
    for (size_t i = 0; i < type->count; i++) {
        attrs[i] = type->as.attrs[i];
        attrs[i].name = lc_str_copy(arena, attrs[i].name);
        attrs[i].type = copy_child(arena, type, shared, i);
    }
    return lc_type_object(arena, attrs, type->count);
}

static const lc_type *copy_tuple_type(lc_arena *arena, const lc_type *type, const lc_type *shared)
{
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, type->count);
    for (size_t i = 0; i < type->count; i++)
        items[i] = copy_child(arena, type, shared, i);
    return lc_type_tuple(arena, items, type->count);
}

/* `shared` is the type that is expected here: if it is equal it is used instead of a copy, which
 * saves most of the memory. */
static const lc_type *copy_type(lc_arena *arena, const lc_type *type, const lc_type *shared)
{
    if (shared && lc_type_equal(type, shared))
        return shared;
    switch (type->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        return lc_type_collection(
            arena, type->kind,
            copy_type(arena, type->as.elem,
                      shared && lc_type_is_collection(shared) ? shared->as.elem : NULL));
    case LC_TYPE_TUPLE:
        return type->count ? copy_tuple_type(arena, type, shared) : &lc_type_empty_tuple;
    case LC_TYPE_OBJECT:
        return type->count ? copy_object_type(arena, type, shared) : &lc_type_empty_object;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return type; /* one of the constants */
}

/* ---- Values. */

static const lc_refinement *copy_refinement(lc_arena *arena, const lc_refinement *from)
{
    if (!from)
        return NULL;
    lc_refinement *r = LC_NEW(arena, lc_refinement);
    *r = *from;
    r->prefix = lc_str_copy(arena, from->prefix);
    r->min = copy_number(arena, from->min);
    r->max = copy_number(arena, from->max);
    return r;
}

static void copy_into(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *shared);

static void copy_elements(lc_value *out, lc_arena *arena, const lc_value *v)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    lc_str *keys = v->as.many.keys ? LC_NEW_ARRAY(arena, lc_str, v->count) : NULL;
    for (size_t i = 0; i < v->count; i++) {
        copy_into(&elems[i], arena, &v->as.many.elems[i], child_type(out->type, i));
        if (keys)
            keys[i] = lc_str_copy(arena, v->as.many.keys[i]);
    }
    out->as.many.elems = elems;
    out->as.many.keys = keys;
}

static void copy_into(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *shared)
{
    *out = *v;
    out->type = copy_type(arena, v->type, shared);
    if (lc_is_unknown(v))
        out->as.refinement = copy_refinement(arena, v->as.refinement);
    else if (lc_is_known(v) && v->type->kind == LC_TYPE_STRING)
        out->as.string = lc_str_copy(arena, v->as.string);
    else if (lc_is_known(v) && v->type->kind == LC_TYPE_NUMBER)
        out->as.number = copy_number(arena, v->as.number);
    else if (lc_is_known(v) && v->type->kind != LC_TYPE_BOOL)
        copy_elements(out, arena, v);
}

const lc_value *lc_value_copy(lc_arena *arena, const lc_value *v, const lc_type *shared)
{
    lc_value out;
    if (!v)
        return NULL;
    copy_into(&out, arena, v, shared);
    return lc_value_new(arena, &out);
}

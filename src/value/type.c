/* Types are built bottom-up, each with a hash of its structure, and with the type without optional
 * attributes. Comparison checks pointers and hashes first, so that it rarely descends. */
#include "lifecheck/value/type.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define SIMPLE(k, dynamic, h) {.kind = (k), .has_dynamic = (dynamic), .hash = (h)}
/* clang-format on */

const lc_type lc_type_bool = SIMPLE(LC_TYPE_BOOL, false, 0x51ED270B0A1Fu);
const lc_type lc_type_number = SIMPLE(LC_TYPE_NUMBER, false, 0x2545F4914F6Cu);
const lc_type lc_type_string = SIMPLE(LC_TYPE_STRING, false, 0x9E3779B97F4Au);
const lc_type lc_type_dynamic = SIMPLE(LC_TYPE_DYNAMIC, true, 0xC2B2AE3D27D4u);
const lc_type lc_type_empty_object = SIMPLE(LC_TYPE_OBJECT, false, 0x165667B19E37u);
const lc_type lc_type_empty_tuple = SIMPLE(LC_TYPE_TUPLE, false, 0x27D4EB2F1656u);

/* The larger of `depth` and that of a type around `inner`. */
static uint16_t deeper(uint16_t depth, const lc_type *inner)
{
    uint16_t around = inner->depth < UINT16_MAX ? inner->depth + 1 : UINT16_MAX;
    return around > depth ? around : depth;
}

const lc_type *lc_type_collection(lc_arena *arena, lc_type_kind kind, const lc_type *elem)
{
    LC_ASSERT(kind == LC_TYPE_LIST || kind == LC_TYPE_SET || kind == LC_TYPE_MAP);
    lc_type *type = LC_NEW(arena, lc_type);
    type->kind = kind;
    type->has_dynamic = elem->has_dynamic;
    type->depth = deeper(0, elem);
    type->hash = lc_hash_mix(elem->hash, kind);
    type->as.elem = elem;
    if (elem->plain)
        type->plain = lc_type_collection(arena, kind, elem->plain);
    return type;
}

const lc_type *lc_type_without_optional(const lc_type *type)
{
    return type->plain ? type->plain : type;
}

static const lc_type *plain_tuple(lc_arena *arena, const lc_type *type)
{
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, type->count);
    for (size_t i = 0; i < type->count; i++)
        items[i] = lc_type_without_optional(type->as.items[i]);
    return lc_type_tuple(arena, items, type->count);
}

static const lc_type *plain_object(lc_arena *arena, const lc_type *type)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, type->count);
    for (size_t i = 0; i < type->count; i++) {
        const lc_type_attr *attr = &type->as.attrs[i];
        attrs[i] = (lc_type_attr){attr->name, lc_type_without_optional(attr->type), false};
    }
    return lc_type_object(arena, attrs, type->count);
}

/* The empty tuple and object are constants, so that they are always equal by pointer. */
const lc_type *lc_type_tuple(lc_arena *arena, const lc_type *const *items, size_t count)
{
    if (count == 0)
        return &lc_type_empty_tuple;
    lc_type *type = LC_NEW(arena, lc_type);
    type->kind = LC_TYPE_TUPLE;
    type->count = (uint32_t)count;
    type->hash = lc_type_empty_tuple.hash;
    type->as.items = items;
    bool optional = false;
    for (size_t i = 0; i < count; i++) {
        type->has_dynamic |= items[i]->has_dynamic;
        type->depth = deeper(type->depth, items[i]);
        type->hash = lc_hash_mix(type->hash, items[i]->hash);
        optional |= items[i]->plain != NULL;
    }
    if (optional)
        type->plain = plain_tuple(arena, type);
    return type;
}

LC_ORDER_BY_STR(by_name, lc_type_attr, name)

/* The order of attributes is part of the hash, so they are sorted first; most callers give them in
 * order. */
const lc_type *lc_type_object(lc_arena *arena, lc_type_attr *attrs, size_t count)
{
    if (count == 0)
        return &lc_type_empty_object;
    for (size_t i = 1; i < count; i++) {
        if (by_name(&attrs[i - 1], &attrs[i]) > 0) {
            qsort(attrs, count, sizeof *attrs, by_name);
            break;
        }
    }
    lc_type *type = LC_NEW(arena, lc_type);
    type->kind = LC_TYPE_OBJECT;
    type->count = (uint32_t)count;
    type->hash = lc_type_empty_object.hash;
    type->as.attrs = attrs;
    bool optional = false;
    for (size_t i = 0; i < count; i++) {
        type->has_dynamic |= attrs[i].type->has_dynamic;
        type->depth = deeper(type->depth, attrs[i].type);
        optional |= attrs[i].optional || attrs[i].type->plain;
        type->hash = lc_hash_mix(type->hash, lc_str_hash(attrs[i].name) + attrs[i].optional);
        type->hash = lc_hash_mix(type->hash, attrs[i].type->hash);
    }
    if (optional)
        type->plain = plain_object(arena, type);
    return type;
}

bool lc_type_is_primitive(const lc_type *type)
{
    return type->kind == LC_TYPE_BOOL || type->kind == LC_TYPE_NUMBER ||
           type->kind == LC_TYPE_STRING;
}

bool lc_type_is_collection(const lc_type *type)
{
    return type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET || type->kind == LC_TYPE_MAP;
}

static bool same_parts(const lc_type *a, const lc_type *b)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->kind == LC_TYPE_TUPLE) {
            if (!lc_type_equal(a->as.items[i], b->as.items[i]))
                return false;
            continue;
        }
        const lc_type_attr *x = &a->as.attrs[i], *y = &b->as.attrs[i];
        if (x->optional != y->optional || !lc_str_eq(x->name, y->name) ||
            !lc_type_equal(x->type, y->type))
            return false;
    }
    return true;
}

bool lc_type_equal_structure(const lc_type *a, const lc_type *b)
{
    if (a->hash != b->hash || a->kind != b->kind || a->count != b->count)
        return false;
    if (lc_type_is_collection(a))
        return lc_type_equal(a->as.elem, b->as.elem);
    return same_parts(a, b);
}

/* Optional marks and dynamic parts are the only reasons to descend: without them types conform if
 * they are equal. */
bool lc_type_conforms(const lc_type *given, const lc_type *want)
{
    if (given == want || want->kind == LC_TYPE_DYNAMIC)
        return true;
    if (given->kind != want->kind)
        return false;
    if (!want->has_dynamic && !want->plain && !given->plain)
        return lc_type_equal(given, want);
    if (lc_type_is_collection(want))
        return lc_type_conforms(given->as.elem, want->as.elem);
    if (given->count != want->count)
        return false;
    for (size_t i = 0; i < want->count; i++) {
        if (want->kind == LC_TYPE_TUPLE) {
            if (!lc_type_conforms(given->as.items[i], want->as.items[i]))
                return false;
        } else if (!lc_str_eq(given->as.attrs[i].name, want->as.attrs[i].name) ||
                   !lc_type_conforms(given->as.attrs[i].type, want->as.attrs[i].type)) {
            return false;
        }
    }
    return true;
}

long lc_type_attr_index(const lc_type *object, lc_str name)
{
    if (object->kind != LC_TYPE_OBJECT)
        return -1;
    size_t low = 0, high = object->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = lc_str_cmp(object->as.attrs[middle].name, name);
        if (order == 0)
            return (long)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Building values and reading them. Flags are computed once, when a value is built, and never
 * change. */
#include "lifecheck/value/value.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "value/internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LEN ((uint64_t)INT64_MAX)
/* An unknown list of a certain length becomes a known list of unknowns; longer ones than this stay
 * unknown, to bound memory. */
#define MAX_COLLAPSE 100000

const lc_value *lc_value_new(lc_arena *arena, const lc_value *slot)
{
    lc_value *v = lc_arena_alloc(arena, sizeof *v);
    *v = *slot;
    return v;
}

void lc_value_set_null(lc_value *slot, const lc_type *type)
{
    *slot = (lc_value){.type = type, .state = LC_NULL};
}

void lc_value_set_unknown(lc_value *slot, const lc_type *type)
{
    *slot = (lc_value){.type = type, .state = LC_UNKNOWN, .flags = LC_HAS_UNKNOWN};
    if (type->has_dynamic)
        slot->flags |= LC_HAS_UNTYPED;
}

void lc_value_set_bool(lc_value *slot, bool b)
{
    *slot = (lc_value){.type = &lc_type_bool, .state = LC_KNOWN, .as.boolean = b};
}

void lc_value_set_number(lc_value *slot, lc_num n)
{
    *slot = (lc_value){.type = &lc_type_number, .state = LC_KNOWN, .as.number = n};
}

void lc_value_set_string(lc_value *slot, lc_arena *arena, lc_str s)
{
    lc_value_set_normal(slot, lc_nfc(arena, s));
}

void lc_value_set_normal(lc_value *slot, lc_str s)
{
    *slot = (lc_value){.type = &lc_type_string, .state = LC_KNOWN, .as.string = s};
}

static uint8_t flags_of(const lc_value *elems, size_t count)
{
    uint8_t flags = 0;
    for (size_t i = 0; i < count; i++)
        flags |= elems[i].flags;
    return flags;
}

void lc_value_fill(lc_value *slot, const lc_type *type, const lc_value *elems, const lc_str *keys,
                   size_t count)
{
    LC_ASSERT(count <= UINT32_MAX);
    *slot = (lc_value){
        .type = type, .state = LC_KNOWN, .flags = flags_of(elems, count), .count = (uint32_t)count};
    slot->as.many.elems = elems;
    slot->as.many.keys = keys;
}

/* Comparing pointers first makes the usual case cheap, where all elements have the target type. A
 * null or unknown of dynamic type has no type of its own yet. */
const lc_type *lc_value_unify_elements(lc_arena *arena, const lc_type *want, lc_value *elems,
                                       size_t count)
{
    const lc_type *elem = want->as.elem;
    const lc_type *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const lc_type *type = elems[i].type;
        if (type == elem && type->kind != LC_TYPE_DYNAMIC) {
            found = found ? found : type;
            if (found == type)
                continue;
        }
        if (type->kind == LC_TYPE_DYNAMIC)
            continue;
        if (!found)
            found = type;
        else if (!lc_type_equal(found, type))
            return NULL;
    }
    if (!found)
        return count == 0 || elem->kind == LC_TYPE_DYNAMIC
                   ? want
                   : lc_type_collection(arena, want->kind, &lc_type_dynamic);
    for (size_t i = 0; i < count; i++) {
        if (elems[i].type->kind != LC_TYPE_DYNAMIC)
            continue;
        if (lc_is_null(&elems[i]))
            lc_value_set_null(&elems[i], found);
        else
            lc_value_set_unknown(&elems[i], found);
    }
    return found == elem || lc_type_equal(found, elem)
               ? want
               : lc_type_collection(arena, want->kind, found);
}

bool lc_value_set_list(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                       size_t count)
{
    const lc_type *type = lc_value_unify_elements(arena, want, elems, count);
    if (!type)
        return false;
    lc_value_fill(slot, type, elems, NULL, count);
    return true;
}

typedef struct entry {
    lc_str key;
    size_t index;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = lc_str_cmp(x->key, y->key);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static bool is_sorted(const lc_str *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (lc_str_cmp(keys[i - 1], keys[i]) >= 0)
            return false;
    }
    return true;
}

/* Sorts by key. Of equal keys the last one is kept. Returns the new count. */
static size_t sort_entries(lc_str *keys, lc_value *elems, size_t count)
{
    entry *order = lc_heap_alloc(lc_mul_size(count, sizeof *order));
    lc_value *copy = lc_heap_alloc(lc_mul_size(count, sizeof *copy));
    memcpy(copy, elems, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        order[i] = (entry){keys[i], i};
    qsort(order, count, sizeof *order, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && lc_str_eq(order[i].key, order[i + 1].key))
            continue;
        keys[kept] = order[i].key;
        elems[kept++] = copy[order[i].index];
    }
    lc_heap_free(order);
    lc_heap_free(copy);
    return kept;
}

/* Most inputs are sorted already, so that is checked before sorting. */
bool lc_value_set_map(lc_value *slot, lc_arena *arena, const lc_type *want, lc_str *keys,
                      lc_value *elems, size_t count)
{
    if (!is_sorted(keys, count))
        count = sort_entries(keys, elems, count);
    const lc_type *type = lc_value_unify_elements(arena, want, elems, count);
    if (!type)
        return false;
    lc_value_fill(slot, type, elems, keys, count);
    return true;
}

void lc_value_set_tuple(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                        size_t count)
{
    bool as_wanted = want->kind == LC_TYPE_TUPLE && want->count == count;
    for (size_t i = 0; i < count && as_wanted; i++)
        as_wanted =
            elems[i].type == want->as.items[i] || lc_type_equal(elems[i].type, want->as.items[i]);
    /* go-cty has a single empty tuple, regardless of the declared type. */
    const lc_type *type = count ? want : &lc_type_empty_tuple;
    if (!as_wanted) {
        const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, count);
        for (size_t i = 0; i < count; i++)
            items[i] = elems[i].type;
        type = lc_type_tuple(arena, items, count);
    }
    lc_value_fill(slot, type, elems, NULL, count);
}

/* A part below dynamic has its own type, so the object's type is made of the elements' types if one
 * differs. */
void lc_value_set_object(lc_value *slot, lc_arena *arena, const lc_type *shape, lc_value *elems)
{
    LC_ASSERT(shape->kind == LC_TYPE_OBJECT);
    const lc_type *type = shape;
    for (size_t i = 0; i < shape->count; i++) {
        if (lc_type_equal(elems[i].type, shape->as.attrs[i].type))
            continue;
        lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, shape->count);
        for (size_t k = 0; k < shape->count; k++)
            attrs[k] = (lc_type_attr){shape->as.attrs[k].name, elems[k].type, false};
        type = lc_type_object(arena, attrs, shape->count);
        break;
    }
    lc_value_fill(slot, type, elems, NULL, shape->count);
}

/* ---- Refinements. */

/* A prefix is for strings, bounds for numbers, lengths for collections. */
static bool fits_type(const lc_type *type, const lc_refinement *r)
{
    bool number = r->has_min || r->has_max, length = r->has_min_len || r->has_max_len;
    return (!r->has_prefix || type->kind == LC_TYPE_STRING) &&
           (!number || type->kind == LC_TYPE_NUMBER) && (!length || lc_type_is_collection(type));
}

static bool is_contradiction(const lc_refinement *r)
{
    if (r->has_min && r->has_max) {
        int order = lc_num_cmp(r->min, r->max);
        /* As in go-cty, a range between equal bounds that excludes both is not recognised as empty.
         */
        if (order > 0 || (order == 0 && r->min_inclusive != r->max_inclusive))
            return true;
    }
    return r->has_min_len && r->has_max_len && r->min_len > r->max_len;
}

/* Removes bounds that restrict nothing, so that equal refinements are equal field by field. */
static lc_refinement without_empty(const lc_refinement *given)
{
    lc_refinement r = *given;
    r.has_prefix = r.has_prefix && r.prefix.len > 0;
    r.has_min_len = r.has_min_len && r.min_len > 0;
    r.has_max_len = r.has_max_len && r.max_len < MAX_LEN;
    return r;
}

/* A set with more than one unknown member could still shrink, so only lists and sets of one member
 * are certain; an empty collection is certain for every kind. */
static bool collapse_collection(lc_value *slot, lc_arena *arena, const lc_type *type,
                                const lc_refinement *r)
{
    uint64_t low = r->has_min_len ? r->min_len : 0;
    if (!r->has_max_len || low != r->max_len)
        return false;
    bool some = type->kind == LC_TYPE_LIST || (type->kind == LC_TYPE_SET && low == 1);
    if (low > 0 && (!some || low > MAX_COLLAPSE))
        return false;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, low);
    for (uint64_t i = 0; i < low; i++)
        lc_value_set_unknown(&elems[i], type->as.elem);
    lc_value_fill(slot, type, elems, NULL, low);
    return true;
}

/* Only a value that cannot be null collapses. Mirrors RefinementBuilder.NewValue. */
static bool collapse(lc_value *slot, lc_arena *arena, const lc_type *type, const lc_refinement *r)
{
    if (!r->not_null)
        return false;
    if (r->has_min && r->has_max && r->min_inclusive && r->max_inclusive &&
        lc_num_equal(r->min, r->max)) {
        lc_value_set_number(slot, r->min);
        return true;
    }
    return lc_type_is_collection(type) && collapse_collection(slot, arena, type, r);
}

bool lc_value_set_refined(lc_value *slot, lc_arena *arena, const lc_type *type,
                          const lc_refinement *refinement)
{
    lc_value_set_unknown(slot, type);
    if (type->kind == LC_TYPE_DYNAMIC)
        return true;
    lc_refinement r = without_empty(refinement);
    if (!fits_type(type, refinement) || is_contradiction(&r))
        return false;
    if (collapse(slot, arena, type, &r))
        return true;
    if (!(r.not_null || r.has_prefix || r.has_min || r.has_max || r.has_min_len || r.has_max_len))
        return true;
    lc_refinement *copy = LC_NEW(arena, lc_refinement);
    *copy = r;
    if (r.has_prefix)
        copy->prefix = lc_nfc(arena, r.prefix);
    slot->as.refinement = copy;
    slot->flags |= LC_HAS_REFINED;
    return true;
}

const lc_refinement *lc_value_refinement(const lc_value *v)
{
    return lc_is_unknown(v) ? v->as.refinement : NULL;
}

/* ---- Parts of values. */

const lc_value *lc_value_attr(const lc_value *object, lc_str name)
{
    if (!lc_is_known(object) || object->type->kind != LC_TYPE_OBJECT)
        return NULL;
    long index = lc_type_attr_index(object->type, name);
    return index < 0 ? NULL : &object->as.many.elems[index];
}

const lc_value *lc_value_key(const lc_value *map, lc_str key)
{
    if (!lc_is_known(map) || map->type->kind != LC_TYPE_MAP)
        return NULL;
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = lc_str_cmp(map->as.many.keys[middle], key);
        if (order == 0)
            return &map->as.many.elems[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- Unknown values as null. */

/* Sets are built anew, because nulls are sorted differently and can coalesce. */
static void known_copy(lc_arena *arena, const lc_value *v, lc_value *out)
{
    if (lc_is_wholly_known(v)) {
        *out = *v;
        return;
    }
    if (lc_is_unknown(v)) {
        lc_value_set_null(out, v->type);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        known_copy(arena, &v->as.many.elems[i], &elems[i]);
    if (v->type->kind == LC_TYPE_SET)
        lc_value_set_set(out, arena, v->type, elems, v->count);
    else
        lc_value_fill(out, v->type, elems, v->as.many.keys, v->count);
}

const lc_value *lc_value_unknown_as_null(lc_arena *arena, const lc_value *v)
{
    if (lc_is_wholly_known(v))
        return v;
    lc_value *out = LC_NEW(arena, lc_value);
    known_copy(arena, v, out);
    return out;
}

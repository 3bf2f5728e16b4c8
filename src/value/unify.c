/* Which types convert to which, and the common type of several types: getConversion, unify and
 * dynamicReplace of cty's convert package, on types alone (values-and-wire 1.5).
 *
 * A conversion is safe if it cannot fail for any value. Duplicates are removed before types are
 * unified, so that a long tuple with few different types costs little. */
#include "lifecheck/base/arena.h"
#include "value/internal.h"

#include <string.h>

/* Types of mixed kinds are compared pairwise, which is quadratic; more types than this are not
 * unified. */
#define MAX_MIXED 256

static const lc_type *part_of(const lc_type *structure, size_t index)
{
    return structure->kind == LC_TYPE_OBJECT ? structure->as.attrs[index].type
                                             : structure->as.items[index];
}

static const lc_type **parts_of(lc_arena *arena, const lc_type *structure)
{
    const lc_type **parts = LC_NEW_ARRAY(arena, const lc_type *, structure->count);
    for (size_t i = 0; i < structure->count; i++)
        parts[i] = part_of(structure, i);
    return parts;
}

const lc_type *lc_type_unify_parts(lc_arena *arena, const lc_type *structure, bool unsafe)
{
    return lc_type_unify(arena, parts_of(arena, structure), structure->count, unsafe);
}

/* ---- Conversions. */

static bool parts_convertible(lc_arena *arena, const lc_type *got, const lc_type *elem, bool unsafe)
{
    for (size_t i = 0; i < got->count; i++) {
        if (!lc_type_convertible(arena, part_of(got, i), elem, unsafe))
            return false;
    }
    return true;
}

static bool all_dynamic(const lc_type *tuple)
{
    for (size_t i = 0; i < tuple->count; i++) {
        if (tuple->as.items[i]->kind != LC_TYPE_DYNAMIC)
            return false;
    }
    return true;
}

/* Tuples to lists and sets, objects to maps. To "list of any", all parts must have a common type.
 * If that is dynamic, go-cty accepts objects, but tuples only if all items are dynamic. */
static bool structure_to_collection(lc_arena *arena, const lc_type *got, const lc_type *want,
                                    bool unsafe)
{
    const lc_type *elem = want->as.elem;
    if (got->count == 0)
        return true;
    if (elem->kind == LC_TYPE_DYNAMIC) {
        elem = lc_type_unify_parts(arena, got, unsafe);
        if (!elem)
            return false;
        if (elem->kind == LC_TYPE_DYNAMIC)
            return got->kind == LC_TYPE_OBJECT || all_dynamic(got);
    }
    return parts_convertible(arena, got, elem, unsafe);
}

/* Attributes that `want` does not have are dropped; missing ones must be optional. */
static bool object_to_object(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe)
{
    for (size_t i = 0; i < want->count; i++) {
        const lc_type_attr *attr = &want->as.attrs[i];
        long at = lc_type_attr_index(got, attr->name);
        if (at < 0 ? !attr->optional
                   : !lc_type_convertible(arena, got->as.attrs[at].type, attr->type, unsafe))
            return false;
    }
    return true;
}

static bool tuple_to_tuple(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe)
{
    for (size_t i = 0; i < want->count && i < got->count; i++) {
        if (!lc_type_convertible(arena, got->as.items[i], want->as.items[i], unsafe))
            return false;
    }
    return got->count == want->count;
}

/* An optional attribute need not be convertible, because the map may lack the key; whether it does
 * is known with the value only. */
static bool map_to_object(lc_arena *arena, const lc_type *got, const lc_type *want)
{
    for (size_t i = 0; i < want->count; i++) {
        const lc_type_attr *attr = &want->as.attrs[i];
        if (!attr->optional && !lc_type_convertible(arena, got->as.elem, attr->type, true))
            return false;
    }
    return true;
}

/* A list to a set loses duplicates and order, so go-cty calls it unsafe. */
static bool sequence_to_sequence(lc_arena *arena, const lc_type *got, const lc_type *want,
                                 bool unsafe)
{
    if (got->kind == LC_TYPE_LIST && want->kind == LC_TYPE_SET && !unsafe)
        return false;
    return lc_type_convertible(arena, got->as.elem, want->as.elem, unsafe);
}

bool lc_type_convertible(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe)
{
    if (want->kind == LC_TYPE_DYNAMIC || lc_type_equal(got, want))
        return true;
    bool sequence = want->kind == LC_TYPE_LIST || want->kind == LC_TYPE_SET;
    switch (got->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
        return want->kind == LC_TYPE_STRING;
    case LC_TYPE_STRING:
        return unsafe && lc_type_is_primitive(want);
    case LC_TYPE_DYNAMIC:
        return unsafe;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return sequence && sequence_to_sequence(arena, got, want, unsafe);
    case LC_TYPE_MAP:
        if (want->kind == LC_TYPE_OBJECT)
            return unsafe && map_to_object(arena, got, want);
        return want->kind == LC_TYPE_MAP &&
               lc_type_convertible(arena, got->as.elem, want->as.elem, unsafe);
    case LC_TYPE_TUPLE:
        if (want->kind == LC_TYPE_TUPLE)
            return tuple_to_tuple(arena, got, want, unsafe);
        return sequence && structure_to_collection(arena, got, want, unsafe);
    case LC_TYPE_OBJECT:
        if (want->kind == LC_TYPE_OBJECT)
            return object_to_object(arena, got, want, unsafe);
        return want->kind == LC_TYPE_MAP && structure_to_collection(arena, got, want, unsafe);
    }
    return false;
}

/* ---- Common types. */

static bool all_convertible(lc_arena *arena, const lc_type *const *types, size_t count,
                            const lc_type *want, bool unsafe)
{
    for (size_t i = 0; i < count; i++) {
        if (!lc_type_convertible(arena, types[i], want, unsafe))
            return false;
    }
    return true;
}

/* Collections of one kind: the common type of their elements. */
static const lc_type *unify_collections(lc_arena *arena, const lc_type *const *types, size_t count,
                                        bool unsafe)
{
    const lc_type **elems = LC_NEW_ARRAY(arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        elems[i] = types[i]->as.elem;
    const lc_type *elem = lc_type_unify(arena, elems, count, unsafe);
    if (!elem)
        return NULL;
    const lc_type *type = lc_type_collection(arena, types[0]->kind, elem);
    return all_convertible(arena, types, count, type, unsafe) ? type : NULL;
}

/* Objects as one map, or tuples as one list, with the common type of all their parts. */
static const lc_type *unify_as_collection(lc_arena *arena, const lc_type *const *types,
                                          size_t count, bool unsafe)
{
    size_t total = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        total += types[i]->count;
    const lc_type **parts = LC_NEW_ARRAY(arena, const lc_type *, total);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < types[i]->count; k++)
            parts[n++] = part_of(types[i], k);
    }
    const lc_type *elem = lc_type_unify(arena, parts, total, unsafe);
    if (!elem)
        return NULL;
    lc_type_kind kind = types[0]->kind == LC_TYPE_OBJECT ? LC_TYPE_MAP : LC_TYPE_LIST;
    const lc_type *type = lc_type_collection(arena, kind, elem);
    return all_convertible(arena, types, count, type, unsafe) ? type : NULL;
}

static bool same_shape(const lc_type *a, const lc_type *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count && a->kind == LC_TYPE_OBJECT; i++) {
        if (!lc_str_eq(a->as.attrs[i].name, b->as.attrs[i].name))
            return false;
    }
    return true;
}

/* A tuple or object type like `model`, with other types for its parts. */
static const lc_type *with_parts(lc_arena *arena, const lc_type *model, const lc_type **parts)
{
    if (model->kind == LC_TYPE_TUPLE)
        return lc_type_tuple(arena, parts, model->count);
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, model->count);
    for (size_t i = 0; i < model->count; i++)
        attrs[i] = (lc_type_attr){model->as.attrs[i].name, parts[i], false};
    return lc_type_object(arena, attrs, model->count);
}

/* Tuples of one length, or objects with the same names, are unified part by part; otherwise they
 * can only become a list or a map. */
static const lc_type *unify_structures(lc_arena *arena, const lc_type *const *types, size_t count,
                                       bool unsafe)
{
    for (size_t i = 1; i < count; i++) {
        if (!same_shape(types[0], types[i]))
            return unify_as_collection(arena, types, count, unsafe);
    }
    const lc_type **parts = LC_NEW_ARRAY(arena, const lc_type *, types[0]->count);
    const lc_type **across = LC_NEW_ARRAY(arena, const lc_type *, count);
    for (size_t k = 0; k < types[0]->count; k++) {
        for (size_t i = 0; i < count; i++)
            across[i] = part_of(types[i], k);
        parts[k] = lc_type_unify(arena, across, count, unsafe);
        if (!parts[k])
            return NULL;
    }
    const lc_type *type = with_parts(arena, types[0], parts);
    return all_convertible(arena, types, count, type, unsafe)
               ? type
               : unify_as_collection(arena, types, count, unsafe);
}

/* Maps with objects, or lists with tuples among them: the structures are unified as a collection
 * first, then that with the others. */
static const lc_type *unify_disguised(lc_arena *arena, const lc_type *const *types, size_t count,
                                      lc_type_kind structure, bool unsafe)
{
    const lc_type **some = LC_NEW_ARRAY(arena, const lc_type *, count);
    const lc_type **all = LC_NEW_ARRAY(arena, const lc_type *, count);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (types[i]->kind == structure)
            some[n++] = types[i];
    }
    const lc_type *collection = unify_as_collection(arena, some, n, unsafe);
    if (!collection)
        return NULL;
    for (size_t i = 0; i < count; i++)
        all[i] = types[i]->kind == structure ? collection : types[i];
    const lc_type *type = lc_type_unify(arena, all, count, unsafe);
    return type && type->kind == collection->kind ? type : NULL;
}

/* ---- The most general type of several kinds: convert's compareTypes and sortTypes. */

/* 1 if b is more general than a in some part and in no part less, -1 for the opposite, else 0. */
static int compare_parts(const lc_type *a, const lc_type *b);

/* Negative: a is more general than b. This assumes that conversions exist; the caller checks that.
 */
static int compare_types(const lc_type *a, const lc_type *b)
{
    if (a->kind == LC_TYPE_DYNAMIC || b->kind == LC_TYPE_DYNAMIC)
        return (a->kind == LC_TYPE_DYNAMIC) - (b->kind == LC_TYPE_DYNAMIC);
    if (lc_type_is_primitive(a) && lc_type_is_primitive(b))
        return (b->kind == LC_TYPE_STRING) - (a->kind == LC_TYPE_STRING);
    if (a->kind == b->kind)
        return lc_type_is_collection(a)  ? compare_types(a->as.elem, b->as.elem)
               : lc_type_is_primitive(a) ? 0
                                         : compare_parts(a, b);
    if ((a->kind == LC_TYPE_LIST && b->kind == LC_TYPE_TUPLE) ||
        (a->kind == LC_TYPE_MAP && b->kind == LC_TYPE_OBJECT) ||
        (b->kind == LC_TYPE_SET && (a->kind == LC_TYPE_TUPLE || a->kind == LC_TYPE_LIST)))
        return -1;
    if ((b->kind == LC_TYPE_LIST && a->kind == LC_TYPE_TUPLE) ||
        (b->kind == LC_TYPE_MAP && a->kind == LC_TYPE_OBJECT) ||
        (a->kind == LC_TYPE_SET && (b->kind == LC_TYPE_TUPLE || b->kind == LC_TYPE_LIST)))
        return 1;
    return 0;
}

static int compare_parts(const lc_type *a, const lc_type *b)
{
    bool above = false, below = false;
    if (!same_shape(a, b))
        return 0;
    for (size_t i = 0; i < a->count; i++) {
        int order = compare_types(part_of(a, i), part_of(b, i));
        above |= order < 0;
        below |= order > 0;
    }
    return (int)below - (int)above;
}

/* Topological order (Kahn's algorithm), the most general type first. In a cycle, places of the
 * result stay 0, as in go-cty. */
static void sort_types(const lc_type *const *types, size_t count, size_t *order, signed char *above)
{
    size_t *in = lc_heap_alloc(lc_mul_size(count, sizeof *in));
    memset(in, 0, count * sizeof *in);
    memset(order, 0, count * sizeof *order);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            int cmp = compare_types(types[i], types[k]);
            above[i * count + k] = cmp < 0;
            above[k * count + i] = cmp > 0;
            in[k] += cmp < 0;
            in[i] += cmp > 0;
        }
    }
    size_t tail = 0;
    for (size_t i = 0; i < count; i++) {
        if (in[i] == 0)
            order[tail++] = i;
    }
    for (size_t head = 0; head < tail; head++) {
        for (size_t k = 0; k < count; k++) {
            if (k != order[head] && above[order[head] * count + k] && --in[k] == 0)
                order[tail++] = k;
        }
    }
    lc_heap_free(in);
}

/* The first type in this order that all others convert to. */
static const lc_type *most_general(lc_arena *arena, const lc_type *const *types, size_t count,
                                   bool unsafe)
{
    if (count > MAX_MIXED)
        return NULL;
    size_t *order = lc_heap_alloc(lc_mul_size(count, sizeof *order));
    signed char *above = lc_heap_alloc(lc_mul_size(count, count));
    const lc_type *found = NULL;
    sort_types(types, count, order, above);
    for (size_t i = 0; i < count && !found; i++) {
        if (all_convertible(arena, types, count, types[order[i]], unsafe))
            found = types[order[i]];
    }
    lc_heap_free(above);
    lc_heap_free(order);
    return found;
}

/* ---- Unify. */

/* Removes duplicates, in the order of first appearance, with a hash table: linear time. */
static const lc_type **distinct(lc_arena *arena, const lc_type *const *types, size_t *count)
{
    size_t capacity = 8, kept = 0;
    while (capacity < lc_mul_size(*count, 2))
        capacity *= 2;
    const lc_type **out = LC_NEW_ARRAY(arena, const lc_type *, *count);
    const lc_type **slots = lc_heap_alloc(lc_mul_size(capacity, sizeof *slots));
    memset(slots, 0, capacity * sizeof *slots);
    for (size_t i = 0; i < *count; i++) {
        size_t at = types[i]->hash & (capacity - 1);
        while (slots[at] && !lc_type_equal(slots[at], types[i]))
            at = (at + 1) & (capacity - 1);
        if (slots[at])
            continue;
        slots[at] = types[i];
        out[kept++] = types[i];
    }
    lc_heap_free(slots);
    *count = kept;
    return out;
}

/* The cases of convert's unify: types of one kind, then maps with objects and lists with tuples,
 * then the most general type. Dynamic among types of one kind makes the result dynamic. */
static const lc_type *unify_distinct(lc_arena *arena, const lc_type *const *types, size_t count,
                                     bool unsafe)
{
    size_t kinds[LC_TYPE_OBJECT + 1] = {0};
    for (size_t i = 0; i < count; i++)
        kinds[types[i]->kind]++;
    size_t dynamic = kinds[LC_TYPE_DYNAMIC];
    for (lc_type_kind kind = LC_TYPE_LIST; kind <= LC_TYPE_OBJECT; kind++) {
        if (kinds[kind] == 0 || kinds[kind] + dynamic != count)
            continue;
        if (dynamic)
            return &lc_type_dynamic;
        return kind == LC_TYPE_TUPLE || kind == LC_TYPE_OBJECT
                   ? unify_structures(arena, types, count, unsafe)
                   : unify_collections(arena, types, count, unsafe);
    }
    const lc_type *type = NULL;
    if (kinds[LC_TYPE_MAP] && kinds[LC_TYPE_MAP] + kinds[LC_TYPE_OBJECT] + dynamic == count)
        type = unify_disguised(arena, types, count, LC_TYPE_OBJECT, unsafe);
    else if (kinds[LC_TYPE_LIST] && kinds[LC_TYPE_LIST] + kinds[LC_TYPE_TUPLE] + dynamic == count)
        type = unify_disguised(arena, types, count, LC_TYPE_TUPLE, unsafe);
    else if (kinds[LC_TYPE_OBJECT] && kinds[LC_TYPE_TUPLE])
        return NULL;
    return type ? type : most_general(arena, types, count, unsafe);
}

const lc_type *lc_type_unify(lc_arena *arena, const lc_type *const *types, size_t count,
                             bool unsafe)
{
    if (count == 0)
        return NULL;
    const lc_type **each = distinct(arena, types, &count);
    return count == 1 ? each[0] : unify_distinct(arena, each, count, unsafe);
}

/* ---- Replacing dynamic parts. */

static bool has_map(const lc_type *type)
{
    switch (type->kind) {
    case LC_TYPE_MAP:
        return true;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return has_map(type->as.elem);
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        for (size_t i = 0; i < type->count; i++)
            if (has_map(part_of(type, i)))
                return true;
        return false;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return false;
}

static const lc_type *fill(lc_arena *arena, const lc_type *in, const lc_type *out);

/* An object converted from a map gets all its attributes from the map's element type. An object in
 * the place of something else has none: only an optional attribute can be that. */
static const lc_type *fill_object(lc_arena *arena, const lc_type *in, const lc_type *out)
{
    const lc_type **parts = LC_NEW_ARRAY(arena, const lc_type *, out->count);
    if (in->kind != LC_TYPE_MAP && in->kind != LC_TYPE_OBJECT)
        return &lc_type_empty_object;
    for (size_t i = 0; i < out->count; i++) {
        long at = lc_type_attr_index(in, out->as.attrs[i].name);
        const lc_type *from = in->kind == LC_TYPE_MAP ? in->as.elem
                              : at < 0                ? NULL
                                                      : in->as.attrs[at].type;
        parts[i] = fill(arena, from, out->as.attrs[i].type);
    }
    return with_parts(arena, out, parts);
}

static const lc_type *fill_collection(lc_arena *arena, const lc_type *in, const lc_type *out)
{
    bool named = in->kind == LC_TYPE_MAP || in->kind == LC_TYPE_OBJECT;
    if (named != (out->kind == LC_TYPE_MAP))
        return out;
    const lc_type *from = lc_type_is_collection(in) ? in->as.elem
                          : in->kind == LC_TYPE_TUPLE || in->kind == LC_TYPE_OBJECT
                              ? lc_type_unify_parts(arena, in, true)
                              : NULL;
    return lc_type_collection(arena, out->kind, fill(arena, from, out->as.elem));
}

static const lc_type *fill(lc_arena *arena, const lc_type *in, const lc_type *out)
{
    if (!in || in->kind == LC_TYPE_DYNAMIC || lc_type_is_primitive(out))
        return out;
    if (out->kind == LC_TYPE_DYNAMIC)
        return in;
    if (lc_type_is_collection(out))
        return fill_collection(arena, in, out);
    if (out->kind == LC_TYPE_OBJECT)
        return fill_object(arena, in, out);
    if (in->kind != LC_TYPE_TUPLE || in->count != out->count)
        return out;
    const lc_type **parts = LC_NEW_ARRAY(arena, const lc_type *, out->count);
    for (size_t i = 0; i < out->count; i++)
        parts[i] = fill(arena, in->as.items[i], out->as.items[i]);
    return lc_type_tuple(arena, parts, out->count);
}

const lc_type *lc_type_fill_dynamic(lc_arena *arena, const lc_type *in, const lc_type *out)
{
    return out->has_dynamic || (in && has_map(in)) ? fill(arena, in, out) : out;
}

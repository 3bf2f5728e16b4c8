/* Comparison of values: RawEquals, "same", Equals, hashes, lengths and ranges (values-and-wire 2.7
 * to 2.9). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "value/internal.h"

#include <stdlib.h>

#define MAX_LEN ((uint64_t)INT64_MAX)

/* ---- Refinements field by field. */

/* Bounds are equal if both are absent, or both are present with the same number and inclusiveness.
 */
static bool same_bound(bool has_a, lc_num a, bool a_inclusive, bool has_b, lc_num b,
                       bool b_inclusive)
{
    return has_a == has_b && (!has_a || (a_inclusive == b_inclusive && lc_num_equal(a, b)));
}

static bool same_refinement(const lc_refinement *a, const lc_refinement *b)
{
    if (!a || !b)
        return a == b;
    return a->not_null == b->not_null && a->has_prefix == b->has_prefix &&
           (!a->has_prefix || lc_str_eq(a->prefix, b->prefix)) &&
           same_bound(a->has_min, a->min, a->min_inclusive, b->has_min, b->min, b->min_inclusive) &&
           same_bound(a->has_max, a->max, a->max_inclusive, b->has_max, b->max, b->max_inclusive) &&
           a->has_min_len == b->has_min_len && (!a->has_min_len || a->min_len == b->min_len) &&
           a->has_max_len == b->has_max_len && (!a->has_max_len || a->max_len == b->max_len);
}

/* ---- RawEquals and "same". */

static bool identical(const lc_value *a, const lc_value *b, bool refined);

static int by_hash(const void *a, const void *b)
{
    const lc_hashed_value *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

void lc_sort_by_hash(lc_hashed_value *items, size_t count)
{
    if (count)
        qsort(items, count, sizeof *items, by_hash);
}

lc_hashed_value lc_hashed(const lc_value *value)
{
    return (lc_hashed_value){lc_value_hash(value), value};
}

/* Members that hold unknowns tie in order, so that pairs may be crossed: compare as multisets. */
static lc_hashed_value *hash_members(const lc_value *set)
{
    lc_hashed_value *out = lc_heap_alloc(lc_mul_size(set->count, sizeof *out));
    for (size_t i = 0; i < set->count; i++)
        out[i] = lc_hashed(&set->as.many.elems[i]);
    lc_sort_by_hash(out, set->count);
    return out;
}

/* Matches members of equal hash, both arrays being sorted by hash. A match is swapped to position
 * i, so that a large group of identical members takes linear time. */
static bool match_groups(const lc_hashed_value *x, lc_hashed_value *y, size_t count, bool refined)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = i;
        while (k < count && y[k].hash == x[i].hash && !identical(x[i].value, y[k].value, refined))
            k++;
        if (k == count || y[k].hash != x[i].hash)
            return false;
        lc_hashed_value match = y[k];
        y[k] = y[i];
        y[i] = match;
    }
    return true;
}

static bool identical_multiset(const lc_value *a, const lc_value *b, bool refined)
{
    lc_hashed_value *x = hash_members(a), *y = hash_members(b);
    bool same = match_groups(x, y, a->count, refined);
    lc_heap_free(x);
    lc_heap_free(y);
    return same;
}

/* Are they parts that a decoder has found to be the same bytes? */
static bool share_parts(const lc_value *a, const lc_value *b)
{
    return a->as.many.elems == b->as.many.elems && a->count == b->count;
}

static bool identical_elements(const lc_value *a, const lc_value *b, bool refined)
{
    if (share_parts(a, b))
        return true;
    for (size_t i = 0; i < a->count; i++) {
        if (!identical(&a->as.many.elems[i], &b->as.many.elems[i], refined))
            return false;
    }
    return true;
}

/* Sets are compared in order first, which is sufficient for nearly all. RawEquals (refined)
 * compares them in order only. */
static bool identical_known(const lc_value *a, const lc_value *b, bool refined)
{
    switch (a->type->kind) {
    case LC_TYPE_BOOL:
        return a->as.boolean == b->as.boolean;
    case LC_TYPE_NUMBER:
        return lc_num_equal(a->as.number, b->as.number);
    case LC_TYPE_STRING:
        return lc_str_eq(a->as.string, b->as.string);
    case LC_TYPE_SET:
        return identical_elements(a, b, refined) ||
               (!refined && !lc_is_wholly_known(a) && identical_multiset(a, b, refined));
    case LC_TYPE_MAP:
        for (size_t i = 0; i < a->count; i++) {
            if (!lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]))
                return false;
        }
        return identical_elements(a, b, refined);
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        return identical_elements(a, b, refined);
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

/* States, counts, flags and types are compared before contents. Comparing types at each level is
 * cheap: equal types mostly have the same pointer, and different ones another hash. */
static bool identical(const lc_value *a, const lc_value *b, bool refined)
{
    if (a == b)
        return true;
    if (a->state != b->state || a->count != b->count || ((a->flags ^ b->flags) & LC_HAS_UNKNOWN) ||
        !lc_type_equal(a->type, b->type))
        return false;
    if (lc_is_null(a))
        return true;
    if (lc_is_unknown(a))
        return !refined || same_refinement(a->as.refinement, b->as.refinement);
    return identical_known(a, b, refined);
}

bool lc_value_raw_equal(const lc_value *a, const lc_value *b)
{
    return identical(a, b, true);
}

bool lc_value_same(const lc_value *a, const lc_value *b)
{
    return identical(a, b, false);
}

/* ---- Hash. */

/* Nulls and unknowns have one hash each: "same" ignores refinements, and Equals the types of nulls.
 */
uint64_t lc_value_hash(const lc_value *v)
{
    if (!lc_is_known(v))
        return lc_is_null(v) ? 0x6E756C6C : 0x756E6B6E;
    uint64_t hash = 0x1234567 + v->count;
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        return v->as.boolean ? 0x74727565 : 0x66616C73;
    case LC_TYPE_NUMBER:
        return lc_num_hash(v->as.number);
    case LC_TYPE_STRING:
        return lc_str_hash(v->as.string);
    case LC_TYPE_SET: /* commutative, because members with unknowns have no fixed order */
        for (size_t i = 0; i < v->count; i++)
            hash += lc_hash_mix(0x5E7, lc_value_hash(&v->as.many.elems[i]));
        return hash;
    case LC_TYPE_MAP:
        for (size_t i = 0; i < v->count; i++) {
            hash = lc_hash_mix(hash, lc_str_hash(v->as.many.keys[i]));
            hash = lc_hash_mix(hash, lc_value_hash(&v->as.many.elems[i]));
        }
        return hash;
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        for (size_t i = 0; i < v->count; i++)
            hash = lc_hash_mix(hash, lc_value_hash(&v->as.many.elems[i]));
        return hash;
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

/* ---- Equals. */

static bool definitely_not_null(const lc_value *v)
{
    if (lc_is_known(v))
        return true;
    return lc_is_unknown(v) && v->as.refinement && v->as.refinement->not_null;
}

/* An unknown cannot equal a value outside of its refinement, nor one of another type. */
static lc_tri equals_unknown(const lc_value *a, const lc_value *b)
{
    const lc_value *unknown = lc_is_unknown(a) ? a : b, *other = unknown == a ? b : a;
    if (lc_is_unknown(other))
        return LC_MAYBE;
    if (lc_is_known(other) && lc_value_includes(unknown, other) == LC_FALSE)
        return LC_FALSE;
    if (lc_is_null(other) || unknown->type->has_dynamic)
        return LC_MAYBE;
    return lc_type_equal(a->type, b->type) ? LC_MAYBE : LC_FALSE;
}

/* Lists and tuples: the first pair that is not definitely equal decides, as in cty, even if a later
 * one is definitely different. */
static lc_tri equals_in_order(const lc_value *a, const lc_value *b)
{
    if (share_parts(a, b) && lc_is_wholly_known(a))
        return LC_TRUE;
    for (size_t i = 0; i < a->count; i++) {
        lc_tri part = lc_value_equals(&a->as.many.elems[i], &b->as.many.elems[i]);
        if (part != LC_TRUE)
            return part;
    }
    return LC_TRUE;
}

/* Objects and maps: one definite difference decides, before any unknown. In cty the answer depends
 * on Go's random order of maps. */
static lc_tri equals_by_name(const lc_value *a, const lc_value *b)
{
    lc_tri result = LC_TRUE;
    if (share_parts(a, b) && lc_is_wholly_known(a))
        return LC_TRUE;
    for (size_t i = 0; i < a->count; i++) {
        if (a->type->kind == LC_TYPE_MAP && !lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]))
            return LC_FALSE;
        lc_tri part = lc_value_equals(&a->as.many.elems[i], &b->as.many.elems[i]);
        if (part == LC_FALSE)
            return LC_FALSE;
        if (part == LC_MAYBE)
            result = LC_MAYBE;
    }
    return result;
}

/* Any unknown in a set could coalesce with another member, so the answer is open. */
static lc_tri equals_sets(const lc_value *a, const lc_value *b)
{
    if (!lc_is_wholly_known(a) || !lc_is_wholly_known(b))
        return LC_MAYBE;
    if (a->count != b->count)
        return LC_FALSE;
    if (equals_in_order(a, b) == LC_TRUE)
        return LC_TRUE;
    return identical_multiset(a, b, true) ? LC_TRUE : LC_FALSE;
}

static lc_tri equals_known(const lc_value *a, const lc_value *b)
{
    switch (a->type->kind) {
    case LC_TYPE_BOOL:
        return a->as.boolean == b->as.boolean ? LC_TRUE : LC_FALSE;
    case LC_TYPE_NUMBER:
        return lc_num_equal(a->as.number, b->as.number) ? LC_TRUE : LC_FALSE;
    case LC_TYPE_STRING:
        return lc_str_eq(a->as.string, b->as.string) ? LC_TRUE : LC_FALSE;
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
        return a->count == b->count ? equals_in_order(a, b) : LC_FALSE;
    case LC_TYPE_MAP:
    case LC_TYPE_OBJECT:
        return a->count == b->count ? equals_by_name(a, b) : LC_FALSE;
    case LC_TYPE_SET:
        return equals_sets(a, b);
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

/* Nulls first, then unknowns, then types; only then contents. */
lc_tri lc_value_equals(const lc_value *a, const lc_value *b)
{
    if ((lc_is_null(a) && definitely_not_null(b)) || (lc_is_null(b) && definitely_not_null(a)))
        return LC_FALSE;
    if (lc_is_unknown(a) || lc_is_unknown(b))
        return equals_unknown(a, b);
    if (lc_is_null(a))
        return LC_TRUE; /* two nulls are equal, regardless of their types */
    if ((a->flags | b->flags) & LC_HAS_UNTYPED) {
        bool either = lc_type_conforms(a->type, b->type) || lc_type_conforms(b->type, a->type);
        return either ? LC_MAYBE : LC_FALSE;
    }
    if (a->type != b->type && !lc_type_equal(a->type, b->type))
        return LC_FALSE;
    return equals_known(a, b);
}

/* ---- Length and range. */

/* Unknown members of a set may turn out to be equal, so its length can shrink to 1. */
lc_length lc_value_length(const lc_value *v)
{
    if (lc_is_known(v)) {
        bool may_shrink = v->type->kind == LC_TYPE_SET && v->count > 1 && !lc_is_wholly_known(v);
        return (lc_length){!may_shrink, may_shrink ? 1 : v->count, v->count};
    }
    if (v->type->kind == LC_TYPE_TUPLE)
        return (lc_length){true, v->type->count, v->type->count};
    const lc_refinement *r = lc_value_refinement(v);
    uint64_t min = r && r->has_min_len ? r->min_len : 0;
    uint64_t max = r && r->has_max_len ? r->max_len : MAX_LEN;
    return (lc_length){min == max, min, max};
}

static lc_tri includes_text(const lc_refinement *r, const lc_value *v)
{
    if (r->has_prefix && lc_is_known(v) && !lc_str_starts_with(v->as.string, r->prefix))
        return LC_FALSE;
    return LC_MAYBE;
}

static lc_tri includes_length(const lc_refinement *r, const lc_value *v)
{
    lc_length length = lc_value_length(v);
    uint64_t min = r->has_min_len ? r->min_len : 0;
    uint64_t max = r->has_max_len ? r->max_len : MAX_LEN;
    return length.max < min || length.min > max ? LC_FALSE : LC_MAYBE;
}

static bool below(lc_num n, lc_num bound, bool inclusive)
{
    if (inclusive && lc_num_equal(n, bound))
        return false;
    int order = lc_num_cmp(n, bound);
    return order < 0 || (order == 0 && !inclusive);
}

static bool above(lc_num n, lc_num bound, bool inclusive)
{
    if (inclusive && lc_num_equal(n, bound))
        return false;
    int order = lc_num_cmp(n, bound);
    return order > 0 || (order == 0 && !inclusive);
}

/* An absent bound is an exclusive infinity, so infinities are outside of every range. */
static lc_tri includes_number(const lc_refinement *r, const lc_value *v)
{
    if (lc_is_known(v)) {
        lc_num n = v->as.number;
        bool low = r->has_min ? below(n, r->min, r->min_inclusive)
                              : lc_num_is_inf(n) && lc_num_sign(n) < 0;
        bool high = r->has_max ? above(n, r->max, r->max_inclusive)
                               : lc_num_is_inf(n) && lc_num_sign(n) > 0;
        return low || high ? LC_FALSE : LC_MAYBE;
    }
    const lc_refinement *other = lc_value_refinement(v);
    if (!other)
        return LC_MAYBE;
    bool apart = (r->has_max && other->has_min && lc_num_cmp(other->min, r->max) > 0) ||
                 (r->has_min && other->has_max && lc_num_cmp(other->max, r->min) < 0);
    return apart ? LC_FALSE : LC_MAYBE;
}

/* As exactly as refinements can express it. */
static lc_refinement range_of_known(const lc_value *v)
{
    lc_refinement r = {.not_null = true};
    if (v->type->kind == LC_TYPE_STRING) {
        r.has_prefix = true;
        r.prefix = v->as.string;
    } else if (v->type->kind == LC_TYPE_NUMBER) {
        r.has_min = r.has_max = r.min_inclusive = r.max_inclusive = true;
        r.min = r.max = v->as.number;
    } else if (lc_type_is_collection(v->type)) {
        lc_length length = lc_value_length(v);
        r.has_min_len = length.known;
        r.has_max_len = length.known;
        r.min_len = length.min;
        r.max_len = length.max;
    }
    return r;
}

lc_refinement lc_value_range(const lc_value *v)
{
    if (lc_is_known(v))
        return range_of_known(v);
    const lc_refinement *r = lc_value_refinement(v);
    return r ? *r : (lc_refinement){0};
}

/* Mirrors ValueRange.Includes: null, then type, then the refinement of the kind. */
lc_tri lc_value_includes(const lc_value *range, const lc_value *v)
{
    if (lc_is_null(range))
        return lc_is_null(v) ? LC_TRUE : LC_FALSE;
    lc_refinement r = lc_value_range(range);
    if (lc_is_null(v))
        return r.not_null ? LC_FALSE : LC_TRUE;
    if (v->type != range->type && !lc_type_conforms(v->type, range->type))
        return LC_FALSE;
    if (v->type->kind == LC_TYPE_DYNAMIC)
        return LC_MAYBE;
    bool refined = lc_is_known(range) || range->as.refinement;
    if (range->type->kind == LC_TYPE_STRING)
        return includes_text(&r, v);
    if (lc_type_is_collection(range->type))
        return includes_length(&r, v);
    if (range->type->kind == LC_TYPE_NUMBER && refined)
        return includes_number(&r, v);
    return LC_MAYBE;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t *lc_value_element_hashes(lc_arena *arena, const lc_value *v)
{
    uint64_t *hashes = LC_NEW_ARRAY(arena, uint64_t, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        hashes[i] = lc_value_hash(&v->as.many.elems[i]);
    if (v->count)
        qsort(hashes, v->count, sizeof *hashes, by_number);
    return hashes;
}

bool lc_hash_is_among(uint64_t hash, const uint64_t *sorted, size_t count)
{
    return count && bsearch(&hash, sorted, count, sizeof *sorted, by_number);
}

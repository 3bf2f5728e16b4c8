/* Canonical sets: equal members are coalesced, and all are in cty's order, so that equal sets are
 * equal member by member.
 *
 * Members with an unknown never coalesce. Wholly known ones are found by hash, so building is
 * near-linear. The order: known before unknown before null; strings by bytes, numbers by value,
 * false before true, and everything else by the text that cty hashes (values-and-wire 2.10), which
 * is made once for each member. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "value/internal.h"
#include "value/number_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- The text that cty hashes: makeSetHashBytes. */

static void add_sort_text(lc_buf *buf, const lc_value *v);

static void add_parts(lc_buf *buf, const lc_value *v, char open, char close, char separator)
{
    lc_buf_add_char(buf, open);
    for (size_t i = 0; i < v->count; i++) {
        add_sort_text(buf, &v->as.many.elems[i]);
        lc_buf_add_char(buf, separator);
    }
    lc_buf_add_char(buf, close);
}

static void add_map_text(lc_buf *buf, const lc_value *v)
{
    lc_buf_add_char(buf, '{');
    for (size_t i = 0; i < v->count; i++) {
        lc_buf_add_go_quoted(buf, v->as.many.keys[i]);
        lc_buf_add_char(buf, ':');
        add_sort_text(buf, &v->as.many.elems[i]);
        lc_buf_add_char(buf, ';');
    }
    lc_buf_add_char(buf, '}');
}

static void add_sort_text(lc_buf *buf, const lc_value *v)
{
    if (!lc_is_known(v)) {
        lc_buf_add_char(buf, lc_is_unknown(v) ? '?' : '~');
        return;
    }
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        lc_buf_add_char(buf, v->as.boolean ? 'T' : 'F');
        break;
    case LC_TYPE_NUMBER:
        lc_num_add_hash_text(buf, v->as.number);
        break;
    case LC_TYPE_STRING:
        lc_buf_add_go_quoted(buf, v->as.string);
        break;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        add_parts(buf, v, '[', ']', ';');
        break;
    case LC_TYPE_MAP:
        add_map_text(buf, v);
        break;
    case LC_TYPE_OBJECT:
    case LC_TYPE_TUPLE:
        add_parts(buf, v, '<', '>', ';');
        break;
    case LC_TYPE_DYNAMIC:
        break;
    }
}

/* ---- Order. */

typedef struct member {
    const lc_value *value;
    lc_str text; /* empty for primitives */
    size_t index;
} member;

static int rank(const lc_value *v)
{
    return lc_is_known(v) ? 0 : lc_is_unknown(v) ? 1 : 2;
}

/* setRules.Less of cty; members that tie keep the order in which they were given. */
static int by_order(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = rank(x->value) - rank(y->value);
    if (order == 0 && lc_is_known(x->value)) {
        switch (x->value->type->kind) {
        case LC_TYPE_BOOL:
            order = x->value->as.boolean - y->value->as.boolean;
            break;
        case LC_TYPE_NUMBER:
            order = lc_num_cmp(x->value->as.number, y->value->as.number);
            break;
        case LC_TYPE_STRING:
            order = lc_str_cmp(x->value->as.string, y->value->as.string);
            break;
        case LC_TYPE_DYNAMIC:
        case LC_TYPE_LIST:
        case LC_TYPE_SET:
        case LC_TYPE_MAP:
        case LC_TYPE_TUPLE:
        case LC_TYPE_OBJECT:
            order = lc_str_cmp(x->text, y->text);
            break;
        }
    }
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* All strings share one buffer. It moves while it grows, so substrings are taken at the end. */
static void make_texts(member *members, size_t count, lc_buf *texts)
{
    size_t *ends = lc_heap_alloc(lc_mul_size(count, sizeof *ends));
    for (size_t i = 0; i < count; i++) {
        if (lc_is_known(members[i].value))
            add_sort_text(texts, members[i].value);
        ends[i] = texts->len;
    }
    lc_str all = lc_buf_str(texts);
    for (size_t i = 0; i < count; i++)
        members[i].text = lc_str_sub(all, i ? ends[i - 1] : 0, ends[i]);
    lc_heap_free(ends);
}

static bool is_sorted(const member *members, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (by_order(&members[i - 1], &members[i]) > 0)
            return false;
    }
    return true;
}

/* Sorts in place and returns the new count. With `unique`, equal members are neighbours because
 * they have equal strings, and only the first of them is kept. */
static size_t sort_members(lc_value *elems, size_t count, bool unique)
{
    if (count < 2)
        return count;
    member *members = lc_heap_alloc(lc_mul_size(count, sizeof *members));
    lc_value *copy = lc_heap_alloc(lc_mul_size(count, sizeof *copy));
    memcpy(copy, elems, count * sizeof *copy);
    lc_buf texts = {0};
    for (size_t i = 0; i < count; i++)
        members[i] = (member){&copy[i], LC_STR_EMPTY, i};
    if (!lc_type_is_primitive(elems[0].type))
        make_texts(members, count, &texts);
    if (!is_sorted(members, count))
        qsort(members, count, sizeof *members, by_order);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_value *v = members[i].value;
        bool again = unique && kept && lc_is_wholly_known(v) &&
                     lc_str_eq(members[i].text, members[i - 1].text) &&
                     lc_value_equals(&elems[kept - 1], v) == LC_TRUE;
        if (!again)
            elems[kept++] = *v;
    }
    lc_buf_release(&texts);
    lc_heap_free(copy);
    lc_heap_free(members);
    return kept;
}

/* Do equal values have equal strings? Not if a number is rounded for its text, or is negative zero.
 */
static bool texts_decide(const lc_value *v)
{
    if (!lc_is_known(v))
        return true;
    if (lc_type_is_primitive(v->type))
        return v->type->kind != LC_TYPE_NUMBER ||
               (lc_num_is_inline(v->as.number) && v->as.number.small > -1000000000 &&
                v->as.number.small < 1000000000);
    for (size_t i = 0; i < v->count; i++) {
        if (!texts_decide(&v->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool all_texts_decide(const lc_value *elems, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lc_type_is_primitive(elems[i].type) || !texts_decide(&elems[i]))
            return false;
    }
    return true;
}

/* ---- Coalescing: the first of several equal members is kept. */

/* Up to eight members are compared pairwise, which needs no table. */
static size_t coalesce_few(lc_value *elems, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t k = 0; k < kept && !seen && lc_is_wholly_known(&elems[i]); k++)
            seen =
                lc_is_wholly_known(&elems[k]) && lc_value_equals(&elems[k], &elems[i]) == LC_TRUE;
        if (!seen)
            elems[kept++] = elems[i];
    }
    return kept;
}

static size_t coalesce_many(lc_value *elems, size_t count)
{
    size_t capacity = 16;
    while (capacity < lc_mul_size(count, 2))
        capacity *= 2;
    size_t *slots = lc_heap_alloc(lc_mul_size(capacity, sizeof *slots));
    memset(slots, 0, capacity * sizeof *slots); /* member + 1 */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (lc_is_wholly_known(&elems[i])) {
            size_t at = lc_value_hash(&elems[i]) & (capacity - 1);
            while (slots[at] && lc_value_equals(&elems[slots[at] - 1], &elems[i]) != LC_TRUE)
                at = (at + 1) & (capacity - 1);
            if (slots[at])
                continue;
            slots[at] = kept + 1;
        }
        elems[kept++] = elems[i];
    }
    lc_heap_free(slots);
    return kept;
}

/* Strictly ascending primitives are distinct and in order already. cty writes sets in order, so
 * this is the usual case and avoids all other work. */
static bool is_ascending(const lc_value *elems, size_t count)
{
    if (count && !lc_type_is_primitive(elems[0].type))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!lc_is_known(&elems[i]))
            return false;
        member x = {&elems[i ? i - 1 : 0], LC_STR_EMPTY, 0}, y = {&elems[i], LC_STR_EMPTY, 0};
        if (i && (by_order(&x, &y) >= 0 || lc_value_equals(x.value, y.value) == LC_TRUE))
            return false; /* 0.1 as text and as a float are equal, though one is greater */
    }
    return true;
}

/* Three ways to the same result: by strings alone; nothing to do; coalescing pairwise or by hash,
 * then sorting. */
bool lc_value_set_set(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                      size_t count)
{
    const lc_type *type = lc_value_unify_elements(arena, want, elems, count);
    if (!type)
        return false;
    if (count > 8 && all_texts_decide(elems, count)) {
        count = sort_members(elems, count, true);
    } else if (!is_ascending(elems, count)) {
        count = count <= 8 ? coalesce_few(elems, count) : coalesce_many(elems, count);
        sort_members(elems, count, false);
    }
    lc_value_fill(slot, type, elems, NULL, count);
    return true;
}

/* Canonical sets: equal members are coalesced, and all are in cty's order, so that equal sets are
 * equal member by member.
 *
 * Members with an unknown never coalesce. Wholly known ones are found by hash, so building is
 * near-linear. The order: known before unknown before null; strings by bytes, numbers by value,
 * false before true, and everything else by the text that cty hashes (values-and-wire 2.10). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "value/internal.h"
#include "value/number_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- The order of the strings that cty hashes (makeSetHashBytes): `"a"`, `1`, `T`, `?` for
 * unknown,
 * `~` for null, `<part;part;>` for objects and tuples, `[part;]` for lists and sets,
 * `{"key":part;}` for maps. They are compared part by part and not made: members have one type, so
 * their strings agree up to the first part that differs. */

/* Where one text goes on and the other does not; T and 9 are in order as F and 0 are. */
static char first_char(const lc_value *v)
{
    static const char begins[] = {
        [LC_TYPE_BOOL] = 'F',  [LC_TYPE_NUMBER] = '0', [LC_TYPE_STRING] = '"',
        [LC_TYPE_LIST] = '[',  [LC_TYPE_SET] = '[',    [LC_TYPE_MAP] = '{',
        [LC_TYPE_TUPLE] = '<', [LC_TYPE_OBJECT] = '<',
    };
    if (!lc_is_known(v))
        return lc_is_unknown(v) ? '?' : '~';
    return begins[v->type->kind];
}

static int compare_made(const lc_buf *x, const lc_buf *y)
{
    return lc_str_cmp(lc_buf_str(x), lc_buf_str(y));
}

static int compare_whole_quoted(lc_str a, lc_str b)
{
    lc_buf x = {0}, y = {0};
    lc_buf_add_go_quoted(&x, a);
    lc_buf_add_go_quoted(&y, b);
    int order = compare_made(&x, &y);
    lc_buf_release(&x);
    lc_buf_release(&y);
    return order;
}

/* The byte at `at` as it is quoted, the closing quote at the end; 0 if it is not quoted as itself.
 */
static char quoted_char(lc_str s, size_t at)
{
    if (at == s.len)
        return '"';
    char c = s.ptr[at];
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '\0';
}

static int compare_quoted(lc_str a, lc_str b)
{
    size_t at = 0, least = a.len < b.len ? a.len : b.len;
    while (at < least && a.ptr[at] == b.ptr[at])
        at++;
    if (at == a.len && at == b.len)
        return 0;
    char x = quoted_char(a, at), y = quoted_char(b, at);
    return x && y ? x - y : compare_whole_quoted(a, b);
}

/* Of small numbers without a sign. */
static bool have_as_many_digits(int64_t a, int64_t b)
{
    int64_t power = 10;
    if (a < 0 || b < 0 || a >= 1000000000 || b >= 1000000000)
        return false;
    while (a >= power && b >= power)
        power *= 10;
    return a < power && b < power;
}

/* The separator after a number decides where one text is the beginning of the other. */
static int compare_numbers(lc_num a, lc_num b)
{
    lc_buf x = {0}, y = {0};
    if (lc_num_is_inline(a) && lc_num_is_inline(b) && have_as_many_digits(a.small, b.small))
        return (a.small > b.small) - (a.small < b.small);
    lc_num_add_hash_text(&x, a);
    lc_buf_add_char(&x, ';');
    lc_num_add_hash_text(&y, b);
    lc_buf_add_char(&y, ';');
    int order = compare_made(&x, &y);
    lc_buf_release(&x);
    lc_buf_release(&y);
    return order;
}

static int compare_texts(const lc_value *a, const lc_value *b);

static int compare_parts(const lc_value *a, const lc_value *b, char end)
{
    bool map = a->type->kind == LC_TYPE_MAP;
    size_t count = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < count; i++) {
        int order = map ? compare_quoted(a->as.many.keys[i], b->as.many.keys[i]) : 0;
        if (order == 0)
            order = compare_texts(&a->as.many.elems[i], &b->as.many.elems[i]);
        if (order)
            return order;
    }
    if (a->count == b->count)
        return 0;
    const lc_value *longer = a->count > b->count ? a : b;
    int order = (map ? '"' : first_char(&longer->as.many.elems[count])) - end;
    return longer == a ? order : -order;
}

static int compare_texts(const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b))
        return a->state == b->state ? 0 : first_char(a) - first_char(b);
    switch (a->type->kind) {
    case LC_TYPE_BOOL:
        return a->as.boolean - b->as.boolean; /* F before T */
    case LC_TYPE_NUMBER:
        return compare_numbers(a->as.number, b->as.number);
    case LC_TYPE_STRING:
        return compare_quoted(a->as.string, b->as.string);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return compare_parts(a, b, ']');
    case LC_TYPE_MAP:
        return compare_parts(a, b, '}');
    case LC_TYPE_OBJECT:
    case LC_TYPE_TUPLE:
        return compare_parts(a, b, '>');
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

/* ---- Order. */

static int rank(const lc_value *v)
{
    return lc_is_known(v) ? 0 : lc_is_unknown(v) ? 1 : 2;
}

/* setRules.Less of cty. */
static int compare(const lc_value *a, const lc_value *b)
{
    int order = rank(a) - rank(b);
    if (order || !lc_is_known(a))
        return order;
    if (a->type->kind == LC_TYPE_NUMBER)
        return lc_num_cmp(a->as.number, b->as.number);
    if (a->type->kind == LC_TYPE_STRING)
        return lc_str_cmp(a->as.string, b->as.string);
    return compare_texts(a, b);
}

typedef struct member {
    const lc_value *value;
    const lc_value *part; /* which decides first, or the value */
    size_t index;
} member;

/* Members that tie keep the order in which they were given. */
static int by_order(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = x->part == x->value ? 0 : compare_texts(x->part, y->part);
    if (order == 0)
        order = compare(x->value, y->value);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* The first part in which members differ; 0 if they are not all known and made of parts. */
static uint32_t deciding_part(const lc_value *elems, size_t count)
{
    uint32_t part = elems[0].count;
    if (elems[0].type->kind != LC_TYPE_OBJECT && elems[0].type->kind != LC_TYPE_TUPLE)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!lc_is_known(&elems[i]))
            return 0;
        for (uint32_t k = 0; k < part; k++) {
            if (compare_texts(&elems[0].as.many.elems[k], &elems[i].as.many.elems[k]))
                part = k;
        }
    }
    return part < elems[0].count ? part : 0;
}

/* Sorts in place. */
static void sort_members(lc_value *elems, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && compare(&elems[sorted - 1], &elems[sorted]) <= 0)
        sorted++;
    if (sorted >= count)
        return;
    member *members = lc_heap_alloc(lc_mul_size(count, sizeof *members));
    lc_value *copy = lc_heap_alloc(lc_mul_size(count, sizeof *copy));
    memcpy(copy, elems, count * sizeof *copy);
    uint32_t part = deciding_part(elems, count);
    for (size_t i = 0; i < count; i++)
        members[i] = (member){&copy[i], part ? &copy[i].as.many.elems[part] : &copy[i], i};
    qsort(members, count, sizeof *members, by_order);
    for (size_t i = 0; i < count; i++)
        elems[i] = *members[i].value;
    lc_heap_free(copy);
    lc_heap_free(members);
}

/* Of sorted members, where equal ones have equal strings and so are neighbours, the first of equal
 * ones is kept. */
static size_t coalesce_sorted(lc_value *elems, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool again = kept && lc_is_wholly_known(&elems[i]) &&
                     lc_value_equals(&elems[kept - 1], &elems[i]) == LC_TRUE;
        if (!again)
            elems[kept++] = elems[i];
    }
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

/* Few members are compared pairwise, which needs no table, and sorted where they are. */
#define FEW 8

static void sort_few(lc_value *elems, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        lc_value moved = elems[i];
        size_t at = i;
        for (; at > 0 && compare(&elems[at - 1], &moved) > 0; at--)
            elems[at] = elems[at - 1];
        elems[at] = moved;
    }
}

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

/* Strictly ascending members are distinct and in order already. cty writes sets in order, so this
 * is the usual case and avoids all other work. 0.1 as text and as a float are equal, though one is
 * greater; in members with parts such numbers are looked for before. */
static bool is_ascending(const lc_value *elems, size_t count)
{
    bool primitive = count && lc_type_is_primitive(elems[0].type);
    for (size_t i = 0; i < count; i++) {
        if (primitive ? !lc_is_known(&elems[i]) : !texts_decide(&elems[i]))
            return false;
        if (i && (compare(&elems[i - 1], &elems[i]) >= 0 ||
                  (primitive && lc_value_equals(&elems[i - 1], &elems[i]) == LC_TRUE)))
            return false;
    }
    return true;
}

/* Four ways to the same result: nothing to do; few members; sorting, which makes equal ones
 * neighbours; coalescing by hash, then sorting. */
static size_t make_canonical(lc_value *elems, size_t count)
{
    if (is_ascending(elems, count))
        return count;
    if (count <= FEW) {
        count = coalesce_few(elems, count);
        sort_few(elems, count);
        return count;
    }
    if (all_texts_decide(elems, count)) {
        sort_members(elems, count);
        return coalesce_sorted(elems, count);
    }
    count = coalesce_many(elems, count);
    sort_members(elems, count);
    return count;
}

bool lc_value_set_set(lc_value *slot, lc_arena *arena, const lc_type *want, lc_value *elems,
                      size_t count)
{
    const lc_type *type = lc_value_unify_elements(arena, want, elems, count);
    if (!type)
        return false;
    count = make_canonical(elems, count);
    lc_value_fill(slot, type, elems, NULL, count);
    return true;
}

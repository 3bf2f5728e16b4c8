/* When two values mean the same to the provider: JSON documents and times can be written in several
 * ways, and some lists have no order. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <stdlib.h>
#include <string.h>

/* ---- JSON documents. */

bool lc_cfn_json(lc_str *canonical, lc_arena *arena, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_buf out = {0};
    lc_diags_init(&diags, arena);
    if (lc_json_parse_last(&source, arena, LC_STR("json"), text, &limits, &diags) != LC_OK)
        return false;
    lc_cfn_add_json(&out, arena, &source.documents[0]);
    *canonical = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return true;
}

/* Equal strings are equal even if they are not JSON. */
static bool same_json(lc_arena *arena, lc_str a, lc_str b)
{
    lc_str x, y;
    if (lc_str_eq(a, b))
        return true;
    return lc_cfn_json(&x, arena, a) && lc_cfn_json(&y, arena, b) && lc_str_eq(x, y);
}

/* ---- Times, RFC 3339. */

/* `count` digits at `from`, as a number between `low` and `high`. */
static bool digits(lc_str text, size_t from, size_t count, unsigned low, unsigned high,
                   unsigned *out)
{
    unsigned n = 0;
    if (from + count > text.len)
        return false;
    for (size_t i = from; i < from + count; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        n = n * 10 + (unsigned)(text.ptr[i] - '0');
    }
    *out = n;
    return n >= low && n <= high;
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* The offset after a fraction of a second, which is ignored; Go also accepts a comma. A separator
 * without digits is an error: the result is then the end, where no time zone follows. */
static size_t after_fraction(lc_str text, size_t at)
{
    size_t end = at;
    if (at >= text.len || (text.ptr[at] != '.' && text.ptr[at] != ','))
        return at;
    for (end = at + 1; end < text.len && lc_is_digit(text.ptr[end]);)
        end++;
    return end == at + 1 ? text.len : end;
}

/* Normalises the time zone: "+00:00" for Z and for an offset of zero. False: no time zone, or more
 * text after it. Go accepts 24 hours and 60 minutes here. */
static bool offset(lc_str rest, char out[7])
{
    unsigned hour, minute;
    memcpy(out, "+00:00", 7);
    if (rest.len == 1 && rest.ptr[0] == 'Z')
        return true;
    if (rest.len != 6 || (rest.ptr[0] != '+' && rest.ptr[0] != '-') || rest.ptr[3] != ':' ||
        !digits(rest, 1, 2, 0, 24, &hour) || !digits(rest, 4, 2, 0, 60, &minute))
        return false;
    if (hour || minute)
        memcpy(out, rest.ptr, 6);
    return true;
}

bool lc_cfn_date_time(lc_str text, char canonical[LC_CFN_TIME])
{
    static const char form[] = "0000-00-00T00:00:00";
    unsigned year, month, day, n;
    size_t whole = sizeof form - 1;
    for (size_t i = 0; i < whole; i++) {
        if (i >= text.len || (form[i] != '0' && text.ptr[i] != form[i]))
            return false;
    }
    if (!digits(text, 0, 4, 0, 9999, &year) || !digits(text, 5, 2, 1, 12, &month) ||
        !digits(text, 8, 2, 1, days_of(year, month), &day) || !digits(text, 11, 2, 0, 23, &n) ||
        !digits(text, 14, 2, 0, 59, &n) || !digits(text, 17, 2, 0, 59, &n))
        return false;
    memcpy(canonical, text.ptr, whole);
    size_t at = after_fraction(text, whole);
    return offset(lc_str_sub(text, at, text.len), canonical + whole);
}

static bool same_time(lc_str a, lc_str b)
{
    char x[LC_CFN_TIME], y[LC_CFN_TIME];
    if (lc_str_eq(a, b))
        return true;
    return lc_cfn_date_time(a, x) && lc_cfn_date_time(b, y) && memcmp(x, y, sizeof x) == 0;
}

/* ---- Lists without an order. */

static lc_hashed_value *rank(lc_arena *arena, const lc_value *list)
{
    lc_hashed_value *all = LC_NEW_ARRAY(arena, lc_hashed_value, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        all[i] = lc_hashed(&list->as.many.elems[i]);
    lc_sort_by_hash(all, list->count);
    return all;
}

/* Elements with equal hashes are neighbours and are compared pairwise. An unknown element is not
 * equal to anything. */
bool lc_cfn_is_permutation(lc_arena *arena, const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b) || a->count != b->count || !lc_is_wholly_known(a) ||
        !lc_is_wholly_known(b))
        return false;
    lc_hashed_value *x = rank(arena, a), *y = rank(arena, b);
    for (uint32_t i = 0; i < a->count; i++) {
        if (x[i].hash != y[i].hash || !lc_value_same(x[i].value, y[i].value))
            return false;
    }
    return true;
}

/* ---- Values. */

static bool same_elements(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *a,
                          const lc_value *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (shape->form == LC_CFN_MAP && !lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]))
            return false;
        if (!lc_cfn_same(arena, shape->element, &a->as.many.elems[i], &b->as.many.elems[i]))
            return false;
    }
    return true;
}

/* An attribute that one of the two objects does not have is not compared. */
static bool same_members(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *a,
                         const lc_value *b)
{
    for (size_t i = 0; i < shape->slot_count; i++) {
        const lc_cfn_property *p = shape->by_slot[i];
        lc_str name = p ? p->attribute : LC_STR("id");
        const lc_value *x = lc_value_attr(a, name), *y = lc_value_attr(b, name);
        if (x && y && !(p ? lc_cfn_same(arena, p->shape, x, y) : lc_value_same(x, y)))
            return false;
    }
    return true;
}

/* A multiset is compared as a permutation first, then in order, because elements may be JSON
 * documents or times, which can be equal with different hashes. */
bool lc_cfn_same(lc_arena *arena, const lc_cfn_shape *shape, const lc_value *a, const lc_value *b)
{
    if (lc_value_same(a, b))
        return true;
    if (!lc_is_known(a) || !lc_is_known(b) || a->type->kind != b->type->kind)
        return false;
    bool text = a->type->kind == LC_TYPE_STRING;
    switch (shape->form) {
    case LC_CFN_JSON:
        return text && same_json(arena, a->as.string, b->as.string);
    case LC_CFN_DATE_TIME:
        return text && same_time(a->as.string, b->as.string);
    case LC_CFN_OBJECT:
        return a->type->kind == LC_TYPE_OBJECT && same_members(arena, shape, a, b);
    case LC_CFN_MAP:
        return a->type->kind == LC_TYPE_MAP && same_elements(arena, shape, a, b);
    case LC_CFN_MULTISET:
        if (lc_cfn_is_permutation(arena, a, b))
            return true;
        return a->type->kind == LC_TYPE_LIST && same_elements(arena, shape, a, b);
    case LC_CFN_LIST:
    case LC_CFN_ORDERED_SET:
        return a->type->kind == LC_TYPE_LIST && same_elements(arena, shape, a, b);
    case LC_CFN_BOOLEAN:
    case LC_CFN_INTEGER:
    case LC_CFN_NUMBER:
    case LC_CFN_STRING:
    case LC_CFN_SET:
        break;
    }
    return false;
}

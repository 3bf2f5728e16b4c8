/* How two values differ in form. Rules depend on this (read/normalized, plan/kept-prior), so there
 * are deliberately few answers, each of which is certain. */
#include "contract/diff/value_diff.h"
#include "contract/diff/key_forms.h"
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/yaml_json/node.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool looks_like_json(lc_str s)
{
    size_t i = 0;
    while (i < s.len && lc_is_space(s.ptr[i]))
        i++;
    return i < s.len && (s.ptr[i] == '{' || s.ptr[i] == '[');
}

bool lc_parse_both_json(lc_source out[2], lc_arena *arena, lc_str a, lc_str b)
{
    if (!looks_like_json(a) || !looks_like_json(b))
        return false;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    return lc_json_parse(&out[0], arena, LC_STR_EMPTY, a, &limits, &diags) == LC_OK &&
           lc_json_parse(&out[1], arena, LC_STR_EMPTY, b, &limits, &diags) == LC_OK;
}

static bool same_json(lc_arena *arena, lc_str a, lc_str b)
{
    lc_source both[2];
    return lc_parse_both_json(both, arena, a, b) &&
           lc_node_same(arena, &both[0].documents[0], &both[1].documents[0]);
}

static bool same_but_case(lc_str a, lc_str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (lc_to_lower(a.ptr[i]) != lc_to_lower(b.ptr[i]))
            return false;
    }
    return true;
}

/* Are the strings equal if the characters that `skip` accepts are left out? */
static bool same_without(lc_str a, lc_str b, bool (*skip)(char c))
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.len && skip(a.ptr[i]))
            i++;
        while (k < b.len && skip(b.ptr[k]))
            k++;
        if (i == a.len || k == b.len)
            return i == a.len && k == b.len;
        if (a.ptr[i++] != b.ptr[k++])
            return false;
    }
}

static lc_str trimmed(lc_str s)
{
    while (s.len && lc_is_space(s.ptr[s.len - 1]))
        s.len--;
    while (s.len && lc_is_space(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    return s;
}

/* Are the words the same? White space at both ends does not count, and any amount of it separates
 * words. */
static bool same_words(lc_str a, lc_str b)
{
    lc_str x = trimmed(a), y = trimmed(b);
    size_t i = 0, k = 0;
    while (i < x.len && k < y.len) {
        bool space = lc_is_space(x.ptr[i]);
        if (space != lc_is_space(y.ptr[k]) || (!space && x.ptr[i] != y.ptr[k]))
            return false;
        i++;
        k++;
        while (space &&
               lc_is_space(x.ptr[i])) /* a trimmed text does not end in a space, so this stops */
            i++;
        while (space && lc_is_space(y.ptr[k]))
            k++;
    }
    return i == x.len && k == y.len;
}

static bool is_line_break(char c)
{
    return c == '\r' || c == '\n';
}

static bool is_base64(char c)
{
    return lc_is_alnum(c) || c == '+' || c == '/' || c == '=';
}

/* A PEM text, or base64, where line breaks have no meaning. Shorter strings of these characters may
 * as well be words. */
static bool is_armoured(lc_str s)
{
    size_t symbols = 0;
    if (lc_str_starts_with(s, LC_STR("-----BEGIN ")))
        return true;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_base64(s.ptr[i]) && !is_line_break(s.ptr[i]))
            return false;
        symbols += is_base64(s.ptr[i]);
    }
    return symbols >= 24 && symbols % 4 == 0;
}

static bool is_return(char c)
{
    return c == '\r';
}

static lc_str without_last_breaks(lc_str s)
{
    while (s.len && (s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\r'))
        s.len--;
    return s;
}

static bool same_but_last(lc_str a, lc_str b, char last)
{
    lc_str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return shorter.len && longer.len == shorter.len + 1 && longer.ptr[longer.len - 1] == last &&
           lc_str_starts_with(longer, shorter);
}

/* With a leading zero it is a code, as a postal code or telephone number, and not a number. */
static bool is_number(lc_str s)
{
    size_t start = s.len && s.ptr[0] == '-' ? 1 : 0;
    return s.len > start && lc_is_digit(s.ptr[start]) &&
           !(s.ptr[start] == '0' && s.len > start + 1 && lc_is_digit(s.ptr[start + 1]));
}

static bool same_number(lc_arena *arena, lc_str a, lc_str b)
{
    lc_num x, y;
    return is_number(a) && is_number(b) &&
           lc_num_from_text(&x, arena, a, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_from_text(&y, arena, b, LC_MAX_DIGITS) == LC_NUM_OK && lc_num_equal(x, y);
}

/* A host name with or without the dot of the root. A string with spaces is a sentence with a full
 * stop. */
static bool same_host(lc_str a, lc_str b)
{
    for (size_t i = 0; i < a.len; i++) {
        if (lc_is_space(a.ptr[i]))
            return false;
    }
    return same_but_last(a, b, '.');
}

/* The first detector that fits gives the answer, the most specific ones come first. */
static lc_difference_kind compare_texts(lc_arena *arena, lc_str a, lc_str b)
{
    if (same_without(without_last_breaks(a), without_last_breaks(b), is_return))
        return LC_DIFFERENCE_LINE_END;
    if (same_json(arena, a, b))
        return LC_DIFFERENCE_JSON;
    if (same_but_case(a, b))
        return LC_DIFFERENCE_CASE;
    if (same_words(a, b))
        return LC_DIFFERENCE_SPACE;
    if (is_armoured(a) && is_armoured(b) && same_without(a, b, is_line_break))
        return LC_DIFFERENCE_LINE_END;
    if (same_but_last(a, b, '/'))
        return LC_DIFFERENCE_SLASH;
    if (same_number(arena, a, b))
        return LC_DIFFERENCE_NUMBER;
    return same_host(a, b) ? LC_DIFFERENCE_DOT : LC_UNLIKE;
}

static bool is_empty(const lc_value *v)
{
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        return !v->as.boolean;
    case LC_TYPE_NUMBER:
        return lc_num_sign(v->as.number) == 0;
    case LC_TYPE_STRING:
        return v->as.string.len == 0;
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        break;
    }
    return v->count == 0;
}

/* The sorted hashes of the elements of a list, and its elements as a set. */
static bool take_elements(lc_arena *arena, const lc_value *list, lc_value *set, uint64_t **hashes)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, list->count);
    memcpy(elems, list->as.many.elems, list->count * sizeof *elems);
    *hashes = lc_value_element_hashes(arena, list);
    const lc_type *type = lc_type_collection(arena, LC_TYPE_SET, list->type->as.elem);
    return lc_value_set_set(set, arena, type, elems, list->count);
}

/* The hashes show that each element is there as often as before; the sets, that equal hashes are
 * not an accident. */
bool lc_list_is_permuted(lc_arena *arena, const lc_value *a, const lc_value *b)
{
    lc_value sets[2];
    uint64_t *hashes[2];
    if (a->type->kind != LC_TYPE_LIST || !lc_type_equal(a->type, b->type) || a->count != b->count ||
        a->count < 2 || !lc_is_wholly_known(a) || !lc_is_wholly_known(b) ||
        !take_elements(arena, a, &sets[0], &hashes[0]) ||
        !take_elements(arena, b, &sets[1], &hashes[1]))
        return false;
    return memcmp(hashes[0], hashes[1], a->count * sizeof *hashes[0]) == 0 &&
           lc_value_same(&sets[0], &sets[1]);
}

/* Is b the number a after it was stored as a 32-bit float and printed again? */
static bool went_through_float(lc_num a, lc_num b)
{
    double wide = lc_num_nearest_double(a);
    return fabs(wide) <= (double)FLT_MAX && (double)(float)wide == lc_num_nearest_double(b);
}

static bool same_as_float(lc_num a, lc_num b)
{
    if (went_through_float(a, b))
        return true;
    lc_buf x = {0}, y = {0};
    lc_num_add_hash_text(&x, a);
    lc_num_add_hash_text(&y, b);
    bool same = lc_str_eq(lc_buf_str(&x), lc_buf_str(&y));
    lc_buf_release(&x);
    lc_buf_release(&y);
    return same;
}

lc_difference_kind lc_compare_form(lc_arena *arena, const lc_value *a, const lc_value *b)
{
    if (lc_is_unknown(a) || lc_is_unknown(b))
        return LC_UNLIKE;
    if (lc_is_null(a) || lc_is_null(b)) {
        const lc_value *other = lc_is_null(a) ? b : a;
        return lc_is_known(other) && is_empty(other) ? LC_DIFFERENCE_EMPTY : LC_UNLIKE;
    }
    if (a->type->kind != b->type->kind)
        return LC_UNLIKE;
    if (a->type->kind == LC_TYPE_STRING)
        return compare_texts(arena, a->as.string, b->as.string);
    if (a->type->kind == LC_TYPE_NUMBER)
        return same_as_float(a->as.number, b->as.number) ? LC_DIFFERENCE_FLOAT : LC_UNLIKE;
    if (lc_list_is_permuted(arena, a, b))
        return LC_DIFFERENCE_ORDER;
    return lc_compare_keys(arena, a, b, NULL) == LC_DIFFERENCE_KEY ? LC_DIFFERENCE_KEY : LC_UNLIKE;
}

bool lc_differs_in_form_only(lc_arena *arena, const lc_value *a, const lc_value *b)
{
    lc_difference_kind difference_kind = lc_compare_form(arena, a, b);
    return difference_kind != LC_UNLIKE && difference_kind != LC_DIFFERENCE_EMPTY &&
           difference_kind != LC_DIFFERENCE_ORDER;
}

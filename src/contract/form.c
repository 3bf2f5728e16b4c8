/* Texts that differ in form only. Deliberately few and certain: the same JSON document, letter case,
 * white space, a trailing slash or dot. */
#include "walk.h"

#include "lifecheck/arena.h"
#include "lifecheck/node.h"

static bool json_same(lc_arena *arena, const lc_node *a, const lc_node *b);

static bool members_same(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    lc_table members;
    const lc_member **by_place = LC_NEW_ARRAY(arena, const lc_member *, b->count);
    lc_table_init(&members, arena);
    for (size_t i = 0; i < b->count; i++) {
        by_place[i] = &b->as.members[i];
        lc_table_put(&members, b->as.members[i].key, &by_place[i]);
    }
    for (size_t i = 0; i < a->count; i++) {
        const lc_member *const *other = lc_table_get(&members, a->as.members[i].key);
        if (!other || !json_same(arena, &a->as.members[i].value, &(*other)->value))
            return false;
    }
    return true;
}

static bool numbers_same(lc_arena *arena, lc_str a, lc_str b)
{
    lc_num x, y;
    if (lc_num_from_text(&x, arena, a, LC_MAX_DIGITS) != LC_NUM_OK ||
        lc_num_from_text(&y, arena, b, LC_MAX_DIGITS) != LC_NUM_OK)
        return lc_str_eq(a, b);
    return lc_num_equal(x, y);
}

static bool json_same(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    if (a->kind != b->kind)
        return false;
    switch ((lc_node_kind)a->kind) {
    case LC_NODE_NULL:
        return true;
    case LC_NODE_BOOL:
        return a->boolean == b->boolean;
    case LC_NODE_NUMBER:
        return numbers_same(arena, a->as.text, b->as.text);
    case LC_NODE_STRING:
        return lc_str_eq(a->as.text, b->as.text);
    case LC_NODE_MAPPING:
        return a->count == b->count && members_same(arena, a, b);
    case LC_NODE_SEQUENCE:
        if (a->count != b->count)
            return false;
        for (size_t i = 0; i < a->count; i++) {
            if (!json_same(arena, &a->as.items[i], &b->as.items[i]))
                return false;
        }
        return true;
    }
    return false;
}

static bool looks_like_json(lc_str s)
{
    size_t i = 0;
    while (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\n' || s.ptr[i] == '\t'))
        i++;
    return i < s.len && (s.ptr[i] == '{' || s.ptr[i] == '[');
}

bool lc_same_json(lc_arena *arena, lc_str a, lc_str b)
{
    if (!looks_like_json(a) || !looks_like_json(b))
        return false;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_source x, y;
    return lc_json_parse(&x, arena, LC_STR_EMPTY, a, &limits, &diags) == LC_OK &&
           lc_json_parse(&y, arena, LC_STR_EMPTY, b, &limits, &diags) == LC_OK &&
           json_same(arena, &x.documents[0], &y.documents[0]);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Equal without white space, letter case and one trailing slash or dot. */
static bool same_letters(lc_str a, lc_str b)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.len && is_space(a.ptr[i]))
            i++;
        while (k < b.len && is_space(b.ptr[k]))
            k++;
        if (i == a.len || k == b.len)
            break;
        if (lower(a.ptr[i]) != lower(b.ptr[k]))
            return false;
        i++;
        k++;
    }
    lc_str rest = i < a.len ? lc_str_sub(a, i, a.len) : lc_str_sub(b, k, b.len);
    return rest.len == 0 || lc_str_is(rest, "/") || lc_str_is(rest, ".");
}

bool lc_differs_in_form_only(lc_arena *arena, const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b) || a->type->kind != LC_TYPE_STRING ||
        b->type->kind != LC_TYPE_STRING)
        return false;
    return same_letters(a->as.string, b->as.string) ||
           lc_same_json(arena, a->as.string, b->as.string);
}

/* Functions on maps, lists, sets and tuples. Names and error cases are those of the cores'
 * functions. Which arguments may be unknown, null or marked is checked before (see functions.c). */
#include "configuration/functions/functions.h"

#include "lifecheck/utf8.h"

/* ---- Maps. */

/* A list of strings for a map, a tuple for an object, as in the cores. */
bool lc_fn_keys(lc_fn_call *c)
{
    if (!lc_fn_is_map(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, 0, "a map is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++) {
        lc_value_set_string(&elems[i], c->e->arena, lc_fn_key_at(lc_fn_arg(c, 0), i));
        items[i] = (lc_marked){&elems[i], NULL};
    }
    return lc_fn_arg(c, 0)->type->kind == LC_TYPE_MAP ? lc_fn_give_list(c, items, count)
                                                      : lc_fn_give_tuple(c, items, count);
}

bool lc_fn_values(lc_fn_call *c)
{
    if (!lc_fn_is_map(lc_fn_arg(c, 0)))
        return lc_fn_fail(c, "a map is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = lc_fn_part(c, 0, i);
    return lc_fn_give_like(c, items, count, lc_fn_arg(c, 0)->type);
}

/* A later argument overrides members of an earlier one. Null arguments are skipped. */
bool lc_fn_merge(lc_fn_call *c)
{
    lc_table at;
    LC_VEC(lc_eval_member) list = {0};
    lc_table_init(&at, c->e->arena);
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_null(lc_fn_arg(c, i)))
            continue;
        if (!lc_fn_is_map(lc_fn_arg(c, i)))
            return lc_fn_fail(c, "every argument is a map or an object");
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++) {
            lc_str name = lc_fn_key_at(lc_fn_arg(c, i), k);
            size_t old = lc_table_get_index(&at, name);
            if (old != LC_NO_INDEX) {
                list.items[old].value = lc_fn_part(c, i, k);
                continue;
            }
            lc_table_put_index(&at, name, list.count);
            *LC_PUSH(c->e->arena, &list, lc_eval_member) =
                (lc_eval_member){name, lc_fn_part(c, i, k)};
        }
    }
    c->result = lc_eval_object(c->e, list.items, list.count);
    return true;
}

/* The keys of `zipmap` as texts. NULL: with *ok there is a result already, because a key is
 * unknown; without, an error is set. */
static const lc_str *zipped_keys(lc_fn_call *c, bool *ok)
{
    const lc_value *keys = lc_fn_arg(c, 0);
    lc_str *names = LC_NEW_ARRAY(c->e->arena, lc_str, (size_t)keys->count + 1);
    bool unknown = false;
    *ok = lc_fn_is_list(keys) || lc_fn_bad_argument(c, 0, "the keys are a list of texts");
    for (uint32_t i = 0; *ok && i < keys->count; i++) {
        const lc_value *text;
        lc_str why;
        if (lc_is_null(&keys->as.many.elems[i]))
            *ok = lc_fn_fail(c, "a key is null");
        else
            *ok = lc_value_convert(&text, c->e->arena, &keys->as.many.elems[i], &lc_type_string,
                                   &why) ||
                  lc_fn_bad_argument(c, 0, "keys are texts");
        unknown |= *ok && lc_is_unknown(text);
        names[i] = *ok && !lc_is_unknown(text) ? text->as.string : LC_STR_EMPTY;
    }
    if (unknown)
        c->result = lc_eval_unknown(c->e, &lc_type_dynamic);
    return *ok && !unknown ? names : NULL;
}

/* The object or map itself. Of equal keys the last one counts, so the loop runs backwards. */
static bool zip(lc_fn_call *c)
{
    bool ok;
    const lc_value *values = lc_fn_arg(c, 1);
    const lc_str *names = zipped_keys(c, &ok);
    if (!names)
        return ok;
    if (!lc_fn_is_sequence(values) || lc_fn_arg(c, 0)->count != values->count)
        return lc_fn_fail(c, "as many keys as values are required");
    LC_VEC(lc_eval_member) list = {0};
    lc_table at;
    lc_table_init(&at, c->e->arena);
    for (uint32_t i = values->count; i-- > 0;)
        if (!lc_table_put(&at, names[i], c))
            *LC_PUSH(c->e->arena, &list, lc_eval_member) =
                (lc_eval_member){names[i], lc_fn_part(c, 1, i)};
    c->result = lc_eval_object(c->e, list.items, list.count);
    lc_str why;
    return values->type->kind != LC_TYPE_LIST ||
           lc_marked_convert(&c->result, c->e->arena, c->result,
                             lc_type_collection(c->e->arena, LC_TYPE_MAP, values->type->as.elem),
                             &why);
}

/* The core's zipmap moves all marks of the keys to the result as a whole. */
bool lc_fn_zipmap(lc_fn_call *c)
{
    unsigned all = lc_marks_all(c->args[0]);
    if (!zip(c))
        return false;
    if (all)
        c->result = lc_marked_with(c->e->arena, c->result, all, c->args[0].marks->undecided);
    return true;
}

/* An unknown map or key gives an unknown result. A missing key gives the default, converted to the
 * map's element type. */
bool lc_fn_lookup(lc_fn_call *c)
{
    lc_str key, why;
    const lc_value *map = lc_fn_arg(c, 0);
    if (lc_is_unknown(map) || lc_is_unknown(lc_fn_arg(c, 1))) {
        c->result = lc_eval_unknown(c->e, &lc_type_dynamic);
        return true;
    }
    if (!lc_is_known(map) || !lc_fn_is_map(map) || !lc_fn_text_argument(c, 1, &key))
        return lc_fn_bad_argument(c, 0, "a map and a key are required");
    bool is_map = map->type->kind == LC_TYPE_MAP;
    const lc_value *found = is_map ? lc_value_key(map, key) : lc_value_attr(map, key);
    if (found) {
        c->result = lc_fn_part(c, 0, (uint32_t)(found - map->as.many.elems));
        return true;
    }
    if (c->count < 3)
        return lc_fn_bad_argument(c, 0, "the map has no such key");
    c->result = c->args[2];
    if (is_map && !lc_marked_convert(&c->result, c->e->arena, c->args[2], map->type->as.elem, &why))
        return lc_fn_bad_argument(c, 2, "the default is of another type than the map's elements");
    lc_fn_add_marks(c, 0);
    lc_fn_add_marks(c, 1);
    return true;
}

/* ---- Lists. */

/* The length of a collection is known even if its elements are not, except for a set whose elements
 * may be equal. */
bool lc_fn_length(lc_fn_call *c)
{
    const lc_value *v = lc_fn_arg(c, 0);
    if (v->type->kind == LC_TYPE_STRING)
        return lc_fn_give_number(c, (int64_t)lc_utf8_count(v->as.string));
    if (lc_type_is_primitive(v->type))
        return lc_fn_fail(c, "a text or a collection is required");
    if (lc_fn_is_open_set(v)) {
        c->result = lc_eval_unknown(c->e, &lc_type_number);
        return true;
    }
    return lc_fn_give_number(c, v->count);
}

bool lc_fn_concat(lc_fn_call *c)
{
    LC_VEC(lc_marked) list = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (!lc_fn_is_sequence(lc_fn_arg(c, i)))
            return lc_fn_bad_argument(c, 0, "every argument is a list");
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++)
            *LC_PUSH(c->e->arena, &list, lc_marked) = lc_fn_part(c, i, k);
    }
    return lc_fn_give_tuple(c, list.items, list.count);
}

/* Indices beyond the end wrap around. Versions of the clients differ about negative ones, so the
 * result is undecided there. */
bool lc_fn_element(lc_fn_call *c)
{
    const lc_value *n;
    int64_t at;
    if (!lc_fn_is_sequence(lc_fn_arg(c, 0)) || !lc_fn_argument(c, 1, &lc_type_number, &n) ||
        !lc_num_to_int64(n->as.number, &at))
        return lc_fn_fail(c, "a list and a whole number are required");
    int64_t count = lc_fn_arg(c, 0)->count;
    if (count == 0)
        return lc_fn_fail(c, "the list is empty");
    if (at < 0) {
        c->result = lc_undecided_value(c->e->arena, LC_STR("clients differ about negative indices"),
                                       c->expr->place);
        return true;
    }
    at %= count;
    c->result = lc_fn_part(c, 0, (uint32_t)at);
    return true;
}

/* Unknown elements only matter if no known element is equal. */
bool lc_fn_contains(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    if (!lc_is_unknown(list) && !lc_fn_is_list(list))
        return lc_fn_fail(c, "a list is required");
    bool maybe = lc_is_unknown(list);
    for (uint32_t i = 0; lc_is_known(list) && i < list->count; i++) {
        lc_tri same = lc_value_equals(&list->as.many.elems[i], lc_fn_arg(c, 1));
        if (same == LC_TRUE)
            return lc_fn_give_bool(c, true);
        maybe |= same == LC_MAYBE;
    }
    if (!maybe)
        return lc_fn_give_bool(c, false);
    c->result = lc_eval_unknown(c->e, &lc_type_bool);
    return true;
}

#define MAX_RANGE 1024 /* the limit of the cores' range function */

/* Bounds and step of `range`: n = {start, end, step}. False: with *ok the result is undecided;
 * without, an error is set. */
static bool range_arguments(lc_fn_call *c, int64_t n[3], bool *ok)
{
    bool whole = true;
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        *ok = lc_fn_argument(c, i, &lc_type_number, &v);
        if (!*ok)
            return false;
        whole = whole && lc_num_to_int64(v->as.number, &n[c->count == 1 ? 1 : i]);
    }
    if (!whole)
        c->result = lc_undecided_value(
            c->e->arena, LC_STR("ranges are evaluated for whole numbers only"), c->expr->place);
    else if (c->count < 3 && n[1] < n[0])
        n[2] = -1;
    if (whole && n[2] == 0)
        *ok = lc_fn_fail(c, "the step must not be zero");
    else if (whole && (n[2] > 0 ? n[1] < n[0] : n[1] > n[0]))
        *ok = lc_fn_bad_argument(c, 0, "the step leads away from the end");
    return whole && *ok;
}

bool lc_fn_range(lc_fn_call *c)
{
    int64_t n[3] = {0, 0, 1};
    bool ok, more = true;
    if (!range_arguments(c, n, &ok))
        return ok;
    LC_VEC(lc_marked) list = {0};
    for (int64_t i = n[0]; more && (n[2] > 0 ? i < n[1] : i > n[1]);) {
        if (list.count >= MAX_RANGE)
            return lc_fn_fail(c, "there are too many numbers in the range");
        lc_value v;
        lc_value_set_number(&v, lc_num_from_int(i));
        *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){lc_value_new(c->e->arena, &v), NULL};
        more = !__builtin_add_overflow(i, n[2], &i);
    }
    return lc_fn_give_like(c, list.items, list.count,
                           lc_type_collection(c->e->arena, LC_TYPE_LIST, &lc_type_number));
}

#define MAX_NESTING 100 /* bounds the recursion of flatten_into */

/* The state of `flatten`: the elements found so far. */
typedef struct flattening {
    lc_arena *arena;
    LC_VEC(lc_marked) list;
    unsigned marks; /* of the nested lists, whose identity is lost */
    const lc_undecided *undecided;
    bool open, deep; /* open: the result is unknown; deep: too deeply nested */
} flattening;

/* True if the value may be or become a list of unknown length. */
static bool is_open(const lc_value *v)
{
    return lc_is_unknown(v) ? lc_fn_is_list(v) || v->type->kind == LC_TYPE_DYNAMIC
                            : lc_fn_is_open_set(v);
}

/* Appends the elements of nested lists and sets, in order. Null lists are elements. */
static void flatten_into(flattening *f, lc_marked list, unsigned depth)
{
    f->open |= is_open(list.value);
    f->deep |= depth > MAX_NESTING;
    for (uint32_t i = 0; !f->open && !f->deep && i < list.value->count; i++) {
        bool marked = list.marks && i < list.marks->count && list.marks->children[i];
        lc_marked v = {&list.value->as.many.elems[i], marked ? list.marks->children[i] : NULL};
        if ((lc_is_null(v.value) || !lc_fn_is_list(v.value)) && !is_open(v.value)) {
            *LC_PUSH(f->arena, &f->list, lc_marked) = v;
            continue;
        }
        f->marks |= lc_marks_self(v);
        f->undecided = f->undecided || !marked ? f->undecided : v.marks->undecided;
        flatten_into(f, v, depth + 1);
    }
}

/* Marks of nested lists move to the result. If the result is unknown, so do those of all
 * elements. */
bool lc_fn_flatten(lc_fn_call *c)
{
    flattening f = {.arena = c->e->arena};
    if (!lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_fail(c, "a list is required");
    flatten_into(&f, c->args[0], 0);
    if (f.deep)
        c->result = lc_undecided_value(c->e->arena, LC_STR("the lists are nested too deeply"),
                                       c->expr->place);
    else if (f.open)
        c->result = lc_eval_unknown(c->e, &lc_type_dynamic);
    else
        c->result = lc_eval_tuple(c->e, f.list.items, f.list.count);
    if (f.open)
        f.marks = lc_marks_all(c->args[0]);
    if (f.open && f.marks)
        f.undecided = c->args[0].marks->undecided;
    c->result = lc_marked_with(c->e->arena, c->result, f.marks, f.undecided);
    return true;
}

bool lc_fn_one(lc_fn_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)) || lc_fn_arg(c, 0)->count > 1)
        return lc_fn_bad_argument(c, 0, "a list of at most one element is required");
    if (lc_fn_arg(c, 0)->count == 1) {
        c->result = lc_fn_part(c, 0, 0);
        return true;
    }
    lc_value v;
    lc_value_set_null(&v, &lc_type_dynamic);
    return lc_fn_give(c, &v);
}

/* The first argument that is neither null nor an empty string, converted to the common type of
 * all. */
bool lc_fn_coalesce(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_str why;
    const lc_type **types = LC_NEW_ARRAY(c->e->arena, const lc_type *, c->count);
    for (size_t i = 0; i < c->count; i++)
        types[i] = lc_fn_arg(c, i)->type;
    const lc_type *common = lc_type_unify(c->e->arena, types, c->count, true);
    if (!common)
        return lc_fn_fail(c, "all arguments must have one type");
    for (size_t i = 0; i < c->count; i++) {
        if (!lc_marked_convert(&c->result, c->e->arena, c->args[i], common, &why))
            return lc_fn_fail(c, "all arguments must have one type");
        const lc_value *v = c->result.value;
        bool empty = v->type->kind == LC_TYPE_STRING && lc_is_known(v) && v->as.string.len == 0;
        if (!lc_is_null(v) && !empty)
            return true;
    }
    return lc_fn_fail(c, "there is no argument that is neither null nor empty");
}

bool lc_fn_reverse(lc_fn_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, 0, "a list is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = lc_fn_part(c, 0, count - 1 - i);
    return lc_fn_give_like(c, items, count, lc_fn_arg(c, 0)->type);
}

/* The elements from n[0] up to, not including, n[1]. */
bool lc_fn_slice(lc_fn_call *c)
{
    int64_t n[2];
    for (size_t i = 0; i < 2; i++) {
        const lc_value *v;
        if (!lc_fn_argument(c, i + 1, &lc_type_number, &v) || !lc_num_to_int64(v->as.number, &n[i]))
            return lc_fn_bad_argument(c, 0, "whole numbers are required");
    }
    if (!lc_fn_is_sequence(lc_fn_arg(c, 0)) || n[0] < 0 || n[1] < n[0] ||
        n[1] > (int64_t)lc_fn_arg(c, 0)->count)
        return lc_fn_bad_argument(c, 0, "the range is not within the list");
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, (size_t)(n[1] - n[0]));
    for (int64_t i = n[0]; i < n[1]; i++)
        items[i - n[0]] = lc_fn_part(c, 0, (uint32_t)i);
    return lc_fn_give_like(c, items, (size_t)(n[1] - n[0]), lc_fn_arg(c, 0)->type);
}

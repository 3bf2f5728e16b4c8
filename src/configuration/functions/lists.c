/* Functions on lists and tuples, some also on sets. */
#include "configuration/functions/functions.h"
#include "lifecheck/base/sort.h"

#include <stdlib.h>

static bool result_like_argument(lc_fn_call *c)
{
    return lc_fn_set_type(c, lc_fn_arg(c, 0)->type);
}

/* ---- length. */

/* `max`: SIZE_MAX: no upper bound. */
static bool give_range(lc_fn_call *c, uint64_t min, uint64_t max)
{
    lc_value v;
    lc_refinement r = {.not_null = true,
                       .has_min = true,
                       .min_inclusive = true,
                       .min = lc_num_from_uint(c->e->arena, min)};
    if (max != SIZE_MAX) {
        r.has_max = r.max_inclusive = true;
        r.max = lc_num_from_uint(c->e->arena, max);
    }
    return lc_value_set_refined(&v, c->e->arena, &lc_type_number, &r) && lc_fn_give(c, &v);
}

/* In characters as people see them; of an unknown string at least those of its prefix. */
static bool string_length(lc_fn_call *c, const lc_value *v)
{
    if (lc_is_known(v))
        return lc_fn_give_number(c, (int64_t)lc_grapheme_count(v->as.string));
    const lc_refinement *r = lc_value_refinement(v);
    return give_range(c, r && r->has_prefix ? lc_grapheme_count(r->prefix) : 0, SIZE_MAX);
}

static bool collection_length(lc_fn_call *c, const lc_value *v)
{
    lc_length length = lc_value_length(v);
    if (length.known)
        return lc_fn_give_number(c, (int64_t)length.min);
    return give_range(c, length.min, length.max);
}

/* Marks of a string are all put on the result, those of elements stay away. */
bool lc_fn_length(lc_fn_call *c)
{
    const lc_value *v = lc_fn_arg(c, 0);
    switch (v->type->kind) {
    case LC_TYPE_DYNAMIC:
        lc_fn_give_unknown(c);
        break;
    case LC_TYPE_STRING:
        string_length(c, v);
        break;
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        lc_fn_give_number(c, v->type->count);
        break;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        collection_length(c, v);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
        return lc_fn_fail(c, "a string, a collection, an object or a tuple is required");
    }
    lc_fn_add_marks(c, 0);
    return true;
}

/* ---- alltrue, anytrue. */

/* `all` examines elements in order: an unknown one ends it. */
bool lc_fn_alltrue(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        if (lc_is_unknown(v))
            return lc_fn_give_unknown(c);
        if (lc_is_null(v) || !v->as.boolean)
            return lc_fn_give_bool(c, false);
    }
    return lc_fn_give_bool(c, true);
}

bool lc_fn_anytrue(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    bool open = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        open |= lc_is_unknown(v);
        if (lc_is_known(v) && v->as.boolean)
            return lc_fn_give_bool(c, true);
    }
    return open ? lc_fn_give_unknown(c) : lc_fn_give_bool(c, false);
}

/* ---- chunklist. */

bool lc_fn_chunklist_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, lc_type_collection(c->e->arena, LC_TYPE_LIST, lc_fn_arg(c, 0)->type));
}

/* The elements from `from` up to `to` as a list of the argument's type. */
static lc_marked chunk(lc_fn_call *c, uint32_t from, uint32_t to)
{
    const lc_type *whole = c->type;
    lc_fn_elems items = {0};
    for (uint32_t i = from; i < to; i++)
        lc_fn_add_elem(c, &items, lc_fn_part(c, 0, i));
    c->type = whole->as.elem;
    lc_fn_give_elems(c, &items);
    c->type = whole;
    return c->result;
}

bool lc_fn_chunklist(lc_fn_call *c)
{
    int64_t size;
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_fn_elems items = {0};
    if (!lc_fn_int(c, 1, &size) || size < 0)
        return lc_fn_fail(c, "the size must be a whole number, 0 or more");
    uint32_t step = size == 0 || size > count ? count : (uint32_t)size;
    for (uint32_t i = 0; i < count; i += step)
        lc_fn_add_elem(c, &items, chunk(c, i, count - i > step ? i + step : count));
    lc_fn_give_elems(c, &items);
    lc_fn_add_marks(c, 0);
    lc_fn_add_marks(c, 1);
    return true;
}

/* ---- coalesce, coalescelist. */

bool lc_fn_coalesce_type(lc_fn_call *c)
{
    const lc_type **types = LC_NEW_ARRAY(c->e->arena, const lc_type *, c->count);
    for (size_t i = 0; i < c->count; i++)
        types[i] = lc_fn_arg(c, i)->type;
    const lc_type *common = lc_type_unify(c->e->arena, types, c->count, true);
    return common ? lc_fn_set_type(c, common)
                  : lc_fn_fail(c, "all arguments must have the same type");
}

/* An argument that cannot be converted is passed over, as in the cores. */
bool lc_fn_coalesce(lc_fn_call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        lc_str why;
        if (!lc_value_convert(&v, c->e->arena, lc_fn_arg(c, i), c->type, &why) || lc_is_null(v))
            continue;
        if (lc_is_unknown(v))
            return lc_fn_give_unknown(c);
        if (c->type->kind != LC_TYPE_STRING || v->as.string.len > 0)
            return lc_fn_give(c, v);
    }
    return lc_fn_fail(c, "there is no argument that is neither null nor empty");
}

bool lc_fn_coalescelist_type(lc_fn_call *c)
{
    bool same = true;
    if (c->count == 0)
        return lc_fn_fail(c, "at least one argument is required");
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_unknown(lc_fn_arg(c, i)))
            return lc_fn_set_type(c, &lc_type_dynamic);
        if (!lc_fn_is_sequence(lc_fn_arg(c, i)))
            return lc_fn_fail(c, "all arguments must be lists or tuples");
        same = same && lc_type_equal(lc_fn_arg(c, i)->type, lc_fn_arg(c, 0)->type);
    }
    return lc_fn_set_type(c, same ? lc_fn_arg(c, 0)->type : &lc_type_dynamic);
}

bool lc_fn_coalescelist(lc_fn_call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_unknown(lc_fn_arg(c, i)))
            return lc_fn_give_unknown(c);
        if (lc_is_known(lc_fn_arg(c, i)) && lc_fn_arg(c, i)->count > 0)
            return lc_fn_give(c, lc_fn_arg(c, i));
    }
    return lc_fn_fail(c, "there is no argument that is neither null nor empty");
}

/* ---- compact, distinct, reverse, slice, element, one. */

static bool give_subset(lc_fn_call *c, bool (*keep)(lc_fn_call *c, uint32_t at, void *context),
                        void *context)
{
    lc_fn_elems items = {0};
    for (uint32_t i = 0; i < lc_fn_arg(c, 0)->count; i++)
        if (keep(c, i, context))
            lc_fn_add_elem(c, &items, lc_fn_part(c, 0, i));
    return lc_fn_give_elems(c, &items);
}

static bool is_text(lc_fn_call *c, uint32_t at, void *context)
{
    const lc_value *v = &lc_fn_arg(c, 0)->as.many.elems[at];
    (void)context;
    return !lc_is_null(v) && v->as.string.len > 0;
}

bool lc_fn_compact(lc_fn_call *c)
{
    return lc_fn_all_known(c) ? give_subset(c, is_text, NULL) : lc_fn_give_unknown(c);
}

bool lc_fn_distinct_type(lc_fn_call *c)
{
    return result_like_argument(c);
}

static bool is_new(lc_fn_call *c, uint32_t at, void *context)
{
    return lc_fn_remember(c, context, &lc_fn_arg(c, 0)->as.many.elems[at]);
}

bool lc_fn_distinct(lc_fn_call *c)
{
    lc_table table;
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_table_init(&table, c->e->arena);
    return give_subset(c, is_new, &table);
}

bool lc_fn_reverse_type(lc_fn_call *c)
{
    const lc_type *type = lc_fn_arg(c, 0)->type;
    lc_arena *arena = c->e->arena;
    if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET)
        return lc_fn_set_type(c, lc_type_collection(arena, LC_TYPE_LIST, type->as.elem));
    if (type->kind != LC_TYPE_TUPLE)
        return lc_fn_bad_argument(c, 0, "a list or tuple is required");
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        items[i] = type->as.items[type->count - 1 - i];
    return lc_fn_set_type(c, lc_type_tuple(arena, items, type->count));
}

bool lc_fn_reverse(lc_fn_call *c)
{
    lc_fn_elems items = {0};
    for (uint32_t i = lc_fn_arg(c, 0)->count; i-- > 0;)
        lc_fn_add_elem(c, &items, lc_fn_part(c, 0, i));
    lc_fn_give_elems(c, &items);
    lc_fn_add_marks(c, 0);
    return true;
}

/* One bound of `slice`: *known, and *n if it is. */
static bool bound(lc_fn_call *c, size_t at, int64_t *n, bool *known)
{
    const lc_value *list = lc_fn_arg(c, 0);
    *known = lc_is_known(lc_fn_arg(c, at));
    if (!*known)
        return true;
    if (!lc_fn_int(c, at, n))
        return lc_fn_bad_argument(c, at, "the index must be a whole number");
    if (*n < 0)
        return lc_fn_bad_argument(c, at, "the index must not be negative");
    bool counted = list->type->kind == LC_TYPE_TUPLE || lc_is_known(list);
    int64_t count = list->type->kind == LC_TYPE_TUPLE ? list->type->count : list->count;
    if (counted && *n > count)
        return lc_fn_bad_argument(c, at, "the index must not exceed the length of the list");
    return true;
}

static bool bounds(lc_fn_call *c, int64_t n[2], bool *known)
{
    bool is_known[2];
    for (size_t i = 0; i < 2; i++)
        if (!bound(c, i + 1, &n[i], &is_known[i]))
            return false;
    *known = is_known[0] && is_known[1];
    if (*known && n[0] > n[1])
        return lc_fn_bad_argument(c, 1, "the start must not be after the end");
    return true;
}

bool lc_fn_slice_type(lc_fn_call *c)
{
    int64_t n[2];
    bool known;
    const lc_type *type = lc_fn_arg(c, 0)->type;
    if (!lc_fn_is_sequence(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, 0, "a list or tuple is required");
    if (!bounds(c, n, &known))
        return false;
    if (type->kind == LC_TYPE_LIST)
        return lc_fn_set_type(c, type);
    if (!known)
        return lc_fn_set_type(c, &lc_type_dynamic);
    return lc_fn_set_type(c,
                          lc_type_tuple(c->e->arena, type->as.items + n[0], (size_t)(n[1] - n[0])));
}

bool lc_fn_slice(lc_fn_call *c)
{
    int64_t n[2];
    bool known;
    lc_fn_elems items = {0};
    if (!bounds(c, n, &known))
        return false;
    for (int64_t i = n[0]; i < n[1]; i++)
        lc_fn_add_elem(c, &items, lc_fn_part(c, 0, (uint32_t)i));
    lc_fn_give_elems(c, &items);
    lc_fn_add_marks(c, 0);
    return true;
}

/* Position `n` in a list of `count` elements; indices wrap around. */
static uint32_t wrap(int64_t n, uint32_t count)
{
    n %= (int64_t)count;
    return (uint32_t)(n < 0 ? n + (int64_t)count : n);
}

bool lc_fn_element_type(lc_fn_call *c)
{
    int64_t n;
    const lc_type *type = lc_fn_arg(c, 0)->type;
    if (type->kind == LC_TYPE_LIST)
        return lc_fn_set_type(c, type->as.elem);
    if (type->kind != LC_TYPE_TUPLE)
        return lc_fn_fail(c, "a list or tuple is required");
    if (lc_is_unknown(lc_fn_arg(c, 1)))
        return lc_fn_set_type(c, &lc_type_dynamic);
    if (!lc_fn_int(c, 1, &n))
        return lc_fn_fail(c, "the index must be a whole number");
    if (type->count == 0)
        return lc_fn_fail(c, "the list is empty");
    return lc_fn_set_type(c, type->as.items[wrap(n, type->count)]);
}

bool lc_fn_element(lc_fn_call *c)
{
    int64_t n;
    if (!lc_fn_int(c, 1, &n))
        return lc_fn_fail(c, "the index must be a whole number");
    uint32_t count = lc_fn_arg(c, 0)->count;
    if (count == 0)
        return lc_fn_fail(c, "the list is empty");
    c->result = lc_fn_part(c, 0, wrap(n, count));
    lc_fn_add_marks(c, 0);
    return true;
}

static bool not_one(lc_fn_call *c)
{
    return lc_fn_bad_argument(c, 0, "a list, set or tuple of at most one element is required");
}

bool lc_fn_one_type(lc_fn_call *c)
{
    const lc_type *type = lc_fn_arg(c, 0)->type;
    if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET)
        return lc_fn_set_type(c, type->as.elem);
    if (type->kind != LC_TYPE_TUPLE || type->count > 1)
        return not_one(c);
    return lc_fn_set_type(c, type->count ? type->as.items[0] : &lc_type_dynamic);
}

bool lc_fn_one(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    lc_length length = lc_value_length(list);
    lc_value v;
    if (!length.known)
        return lc_fn_give_unknown(c);
    if (length.min > 1)
        return not_one(c);
    if (length.min == 0)
        lc_value_set_null(&v, c->type);
    return lc_fn_give(c, length.min == 0 ? &v : &list->as.many.elems[0]);
}

/* ---- concat, flatten. */

static const lc_type *common_list_type(lc_fn_call *c)
{
    const lc_type **types = LC_NEW_ARRAY(c->e->arena, const lc_type *, c->count);
    for (size_t i = 0; i < c->count; i++) {
        types[i] = lc_fn_arg(c, i)->type;
        if (types[i]->kind != LC_TYPE_LIST)
            return NULL;
    }
    return lc_type_unify(c->e->arena, types, c->count, true);
}

static bool concat_tuple(lc_fn_call *c)
{
    LC_VEC(const lc_type *) items = {0};
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        const lc_type *type = v->type;
        if (!lc_fn_is_sequence(v))
            return lc_fn_bad_argument(c, i, "all arguments must be lists or tuples");
        if (type->kind == LC_TYPE_LIST && lc_is_unknown(v))
            return lc_fn_set_type(c, &lc_type_dynamic);
        uint32_t count = type->kind == LC_TYPE_LIST ? v->count : type->count;
        for (uint32_t k = 0; k < count; k++)
            *LC_PUSH(c->e->arena, &items, const lc_type *) =
                type->kind == LC_TYPE_LIST ? type->as.elem : type->as.items[k];
    }
    return lc_fn_set_type(c, lc_type_tuple(c->e->arena, items.items, items.count));
}

bool lc_fn_concat_type(lc_fn_call *c)
{
    if (c->count == 0)
        return lc_fn_fail(c, "at least one argument is required");
    const lc_type *common = common_list_type(c);
    return common ? lc_fn_set_type(c, common) : concat_tuple(c);
}

bool lc_fn_concat(lc_fn_call *c)
{
    lc_fn_elems items = {0};
    lc_str why;
    for (size_t i = 0; i < c->count; i++) {
        if (c->type->kind == LC_TYPE_LIST &&
            !lc_marked_convert(&c->args[i], c->e->arena, c->args[i], c->type, &why))
            return lc_fn_bad_argument(c, i, "the elements have another type");
        lc_fn_add_parts(c, &items, i);
    }
    if (!lc_fn_give_elems(c, &items))
        return false;
    for (size_t i = 0; i < c->count; i++)
        lc_fn_add_marks(c, i);
    return true;
}

/* The state of `flatten`: the elements found so far. */
typedef struct flattening {
    lc_fn_call *c;
    lc_fn_elems items;
    unsigned marks; /* of the nested lists, whose identity is lost */
    const lc_undecided *undecided;
    bool open, deep; /* open: a list has an unknown length; deep: too deeply nested */
} flattening;

static bool has_no_type(const lc_value *v)
{
    return lc_is_unknown(v) && v->type->kind == LC_TYPE_DYNAMIC && !lc_value_refinement(v);
}

/* Appends the elements of nested lists, sets and tuples, in order. Null lists are elements. An
 * unmarked unknown without a type may become a list. */
static void flatten_into(flattening *f, lc_marked list, unsigned depth)
{
    unsigned self = lc_marks_self(list);
    f->marks |= self;
    if (self && !f->undecided)
        f->undecided = list.marks->undecided;
    f->deep |= depth > LC_EXPR_MAX_HEIGHT;
    f->open |= lc_is_unknown(list.value) || lc_fn_is_open_set(list.value);
    if (f->deep || lc_is_unknown(list.value) || lc_fn_is_open_set(list.value))
        return;
    for (uint32_t i = 0; i < list.value->count; i++) {
        bool marked = list.marks && i < list.marks->count && list.marks->children[i];
        lc_marked v = {&list.value->as.many.elems[i], marked ? list.marks->children[i] : NULL};
        f->open |= has_no_type(v.value) && !lc_is_marked(v);
        if (!lc_is_null(v.value) && lc_fn_is_list(v.value))
            flatten_into(f, v, depth + 1);
        else
            lc_fn_add_elem(f->c, &f->items, v);
    }
}

bool lc_fn_flatten_type(lc_fn_call *c)
{
    if (lc_is_wholly_known(lc_fn_arg(c, 0)) && !lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_fail(c, "a list, set or tuple is required");
    return lc_fn_set_type(c, &lc_type_dynamic);
}

/* Marks of nested lists move to the result. The type was not checked if something is unknown: then
 * even the values of a map or object are flattened, as in cty. */
bool lc_fn_flatten(lc_fn_call *c)
{
    flattening f = {.c = c};
    flatten_into(&f, c->args[0], 0);
    if (f.deep)
        return lc_fn_give_undecided(c, "the lists are nested too deeply");
    if (f.open)
        lc_fn_give_unknown(c);
    else
        c->result = lc_eval_tuple(c->e, f.items.items, f.items.count);
    if (f.marks)
        c->result = lc_marked_with(c->e->arena, c->result, f.marks, f.undecided);
    return true;
}

/* ---- contains, index, matchkeys. */

/* Unknown elements only matter if no known element is equal. */
bool lc_fn_contains(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    bool open = lc_is_unknown(lc_fn_arg(c, 1));
    if (!lc_fn_is_list(list))
        return lc_fn_fail(c, "a list, set or tuple is required");
    for (uint32_t i = 0; i < list->count && !lc_is_unknown(lc_fn_arg(c, 1)); i++) {
        lc_tri same = lc_value_equals(lc_fn_arg(c, 1), &list->as.many.elems[i]);
        if (same == LC_TRUE)
            return lc_fn_give_bool(c, true);
        open |= same == LC_MAYBE;
    }
    return open && list->count > 0 ? lc_fn_give_unknown(c) : lc_fn_give_bool(c, false);
}

/* The first equal element; one that may be equal before it makes the result unknown. */
bool lc_fn_index(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    if (!lc_fn_is_sequence(list))
        return lc_fn_fail(c, "a list or tuple is required");
    if (list->count == 0)
        return lc_fn_fail(c, "the list is empty");
    for (uint32_t i = 0; i < list->count; i++) {
        lc_tri same = lc_value_equals(&list->as.many.elems[i], lc_fn_arg(c, 1));
        if (same == LC_MAYBE)
            return lc_fn_give_unknown(c);
        if (same == LC_TRUE)
            return lc_fn_give_number(c, i);
    }
    return lc_fn_fail(c, "the list has no such element");
}

bool lc_fn_matchkeys_type(lc_fn_call *c)
{
    const lc_type *types[2] = {lc_fn_arg(c, 1)->type, lc_fn_arg(c, 2)->type};
    if (!lc_type_unify(c->e->arena, types, 2, true))
        return lc_fn_fail(c, "the keys and the searched set must have the same type");
    return result_like_argument(c);
}

/* Is the key among the searched ones? An element that may be equal ends the search; so does the
 * core. */
static lc_tri matches(const lc_value *key, const lc_value *searched)
{
    lc_tri same = LC_FALSE;
    for (uint32_t i = 0; i < searched->count && same == LC_FALSE; i++)
        same = lc_value_equals(key, &searched->as.many.elems[i]);
    return same;
}

/* The core gives an empty list if it cannot determine whether a key matches. If all is known, a
 * table answers. */
static bool match(lc_fn_call *c, const lc_value *keys, const lc_value *searched)
{
    lc_fn_elems items = {0};
    lc_table table;
    bool known = lc_is_wholly_known(searched);
    lc_table_init(&table, c->e->arena);
    for (uint32_t i = 0; known && i < searched->count; i++)
        lc_fn_remember(c, &table, &searched->as.many.elems[i]);
    for (uint32_t i = 0; i < keys->count; i++) {
        const lc_value *key = &keys->as.many.elems[i];
        lc_tri found =
            known ? (lc_fn_remembers(&table, key) ? LC_TRUE : LC_FALSE) : matches(key, searched);
        if (found == LC_MAYBE) {
            items.count = 0;
            break;
        }
        if (found == LC_TRUE)
            lc_fn_add_elem(c, &items, lc_fn_part(c, 0, i));
    }
    return lc_fn_give_elems(c, &items);
}

bool lc_fn_matchkeys(lc_fn_call *c)
{
    const lc_value *values = lc_fn_arg(c, 0), *keys, *searched;
    const lc_type *types[2] = {lc_fn_arg(c, 1)->type, lc_fn_arg(c, 2)->type};
    lc_str why;
    if (values->count != lc_fn_arg(c, 1)->count)
        return lc_fn_fail(c, "there must be as many keys as values");
    const lc_type *type = lc_type_unify(c->e->arena, types, 2, true);
    if (!lc_value_convert(&keys, c->e->arena, lc_fn_arg(c, 1), type, &why) ||
        !lc_value_convert(&searched, c->e->arena, lc_fn_arg(c, 2), type, &why))
        return lc_fn_fail(c, "the keys and the searched set must have the same type");
    if (searched->count == 0)
        return lc_fn_give_elems(c, &(lc_fn_elems){0});
    if (!lc_is_wholly_known(values) || !lc_is_wholly_known(keys))
        return lc_fn_give_unknown(c);
    return match(c, keys, searched);
}

bool lc_fn_list(lc_fn_call *c)
{
    return lc_fn_fail(c, "the function is gone; write tolist([ ... ])");
}

/* ---- sort. */

LC_ORDER_BY_STR(by_text, lc_value, as.string)

/* Sorting does not change the length. */
static bool sort_unknown(lc_fn_call *c)
{
    lc_length length = lc_value_length(lc_fn_arg(c, 0));
    lc_refinement r = {.not_null = true,
                       .has_min_len = true,
                       .min_len = length.min,
                       .has_max_len = true,
                       .max_len = length.max};
    lc_value v;
    return lc_value_set_refined(&v, c->e->arena, c->type, &r) && lc_fn_give(c, &v);
}

/* Strings are sorted by their bytes, as in Go. */
bool lc_fn_sort(lc_fn_call *c)
{
    const lc_value *list = lc_fn_arg(c, 0);
    lc_value v;
    if (!lc_is_wholly_known(list))
        return sort_unknown(c);
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        elems[i] = list->as.many.elems[i];
        if (lc_is_null(&elems[i]))
            return lc_fn_fail(c, "null cannot be sorted");
    }
    if (list->count > 1)
        qsort(elems, list->count, sizeof *elems, by_text);
    lc_value_set_list(&v, c->e->arena, c->type, elems, list->count);
    return lc_fn_give(c, &v);
}

/* Functions on maps and objects. */
#include "configuration/functions/functions.h"

#include <stdlib.h>

/* ---- keys, values. */

static const lc_type *repeated(lc_fn_call *c, const lc_type *item, size_t count)
{
    const lc_type **items = LC_NEW_ARRAY(c->e->arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        items[i] = item;
    return lc_type_tuple(c->e->arena, items, count);
}

bool lc_fn_keys_type(lc_fn_call *c)
{
    const lc_type *type = lc_fn_arg(c, 0)->type;
    if (type->kind == LC_TYPE_MAP)
        return lc_fn_set_type(c, lc_function_type(c->e->arena, LC_FN_STRINGS));
    if (type->kind == LC_TYPE_OBJECT)
        return lc_fn_set_type(c, repeated(c, &lc_type_string, type->count));
    return lc_fn_bad_argument(c, 0, "a map or an object is required");
}

/* The names of an unknown object are known. */
bool lc_fn_keys(lc_fn_call *c)
{
    const lc_value *map = lc_fn_arg(c, 0);
    if (lc_is_unknown(map) && map->type->kind == LC_TYPE_MAP) {
        lc_fn_give_unknown(c);
        lc_fn_add_marks(c, 0);
        return true;
    }
    uint32_t count = map->type->kind == LC_TYPE_MAP ? map->count : map->type->count;
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    lc_fn_elems items = {0};
    for (uint32_t i = 0; i < count; i++) {
        lc_value_set_string(&elems[i], c->e->arena, lc_fn_key_at(map, i));
        lc_fn_add_elem(c, &items, (lc_marked){&elems[i], NULL});
    }
    lc_fn_give_elems(c, &items);
    lc_fn_add_marks(c, 0);
    return true;
}

bool lc_fn_values_type(lc_fn_call *c)
{
    const lc_type *type = lc_fn_arg(c, 0)->type;
    lc_arena *arena = c->e->arena;
    if (type->kind == LC_TYPE_MAP)
        return lc_fn_set_type(c, lc_type_collection(arena, LC_TYPE_LIST, type->as.elem));
    if (type->kind != LC_TYPE_OBJECT)
        return lc_fn_fail(c, "a map is required");
    const lc_type **items = LC_NEW_ARRAY(arena, const lc_type *, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        items[i] = type->as.attrs[i].type;
    return lc_fn_set_type(c, lc_type_tuple(arena, items, type->count));
}

bool lc_fn_values(lc_fn_call *c)
{
    lc_fn_elems items = {0};
    lc_fn_add_parts(c, &items, 0);
    lc_fn_give_elems(c, &items);
    lc_fn_add_marks(c, 0);
    return true;
}

/* ---- lookup. */

static bool lookup_in_object(lc_fn_call *c, const lc_type *type)
{
    if (lc_is_unknown(lc_fn_arg(c, 1)))
        return lc_fn_set_type(c, &lc_type_dynamic);
    long at = lc_type_attr_index(type, lc_fn_text(c, 1));
    if (at >= 0)
        return lc_fn_set_type(c, type->as.attrs[at].type);
    if (c->count == 3)
        return lc_fn_set_type(c, lc_fn_arg(c, 2)->type);
    return lc_fn_bad_argument(c, 0, "the object has no such attribute");
}

bool lc_fn_lookup_type(lc_fn_call *c)
{
    const lc_type *type = lc_fn_arg(c, 0)->type;
    const lc_value *to;
    lc_str why;
    if (c->count > 3)
        return lc_fn_fail(c, "two or three arguments are required");
    if (type->kind == LC_TYPE_OBJECT)
        return lookup_in_object(c, type);
    if (type->kind != LC_TYPE_MAP)
        return lc_fn_bad_argument(c, 0, "a map is required");
    if (c->count == 3 && !lc_value_convert(&to, c->e->arena, lc_fn_arg(c, 2), type->as.elem, &why))
        return lc_fn_bad_argument(c, 2,
                                  "the type of the default is not that of the map's elements");
    return lc_fn_set_type(c, type->as.elem);
}

/* Sets the result to the element or the default, with its own marks. */
static bool look_up(lc_fn_call *c)
{
    const lc_value *map = lc_fn_arg(c, 0);
    lc_str key = lc_fn_text(c, 1), why;
    const lc_value *found =
        map->type->kind == LC_TYPE_MAP ? lc_value_key(map, key) : lc_value_attr(map, key);
    if (found)
        c->result = lc_fn_part(c, 0, (uint32_t)(found - map->as.many.elems));
    else if (c->count < 3)
        return lc_fn_fail(c, "the map has no such key");
    else if (!lc_marked_convert(&c->result, c->e->arena, c->args[2], c->type, &why))
        return lc_fn_fail(c, "the type of the default is not that of the map's elements");
    return true;
}

bool lc_fn_lookup(lc_fn_call *c)
{
    if (lc_is_unknown(lc_fn_arg(c, 0)) || lc_is_unknown(lc_fn_arg(c, 1)))
        lc_fn_give_unknown(c);
    else if (!look_up(c))
        return false;
    lc_fn_add_marks(c, 0);
    lc_fn_add_marks(c, 1);
    return true;
}

/* ---- merge. */

/* The attributes of the object that the maps and objects give together. */
typedef struct merging {
    LC_VEC(lc_type_attr) attrs;
    lc_table at; /* name -> index */
} merging;

static void merge_attr(lc_fn_call *c, merging *m, lc_str name, const lc_type *type)
{
    size_t at = lc_table_get_index(&m->at, name);
    if (at == LC_NO_INDEX) {
        at = m->attrs.count;
        *LC_PUSH(c->e->arena, &m->attrs, lc_type_attr) = (lc_type_attr){name, type, false};
        lc_table_put_index(&m->at, name, at);
    }
    m->attrs.items[at].type = type;
}

/* Null objects and maps add nothing. *open: a map's keys are unknown. */
static void merge_names(lc_fn_call *c, merging *m, const lc_value *v, bool *open)
{
    const lc_type *type = v->type;
    if (lc_is_null(v))
        return;
    if (type->kind == LC_TYPE_OBJECT)
        for (uint32_t i = 0; i < type->count; i++)
            merge_attr(c, m, type->as.attrs[i].name, type->as.attrs[i].type);
    else if (lc_is_known(v))
        for (uint32_t i = 0; i < v->count; i++)
            merge_attr(c, m, v->as.many.keys[i], type->as.elem);
    else
        *open = true;
}

/* Arguments of one type give that type; a null object counts as an empty one, in OpenTofu's older
 * go-cty not here. */
bool lc_fn_merge_type(lc_fn_call *c)
{
    merging m = {0};
    bool open = false, matching = true;
    const lc_type *first = &lc_type_empty_object;
    lc_table_init(&m.at, c->e->arena);
    for (size_t i = 0; i < c->count; i++) {
        const lc_type *type = lc_fn_arg(c, i)->type;
        if (type->kind == LC_TYPE_DYNAMIC)
            return lc_fn_set_type(c, &lc_type_dynamic);
        if (type->kind != LC_TYPE_MAP && type->kind != LC_TYPE_OBJECT)
            return lc_fn_fail(c, "all arguments must be maps or objects");
        merge_names(c, &m, lc_fn_arg(c, i), &open);
        if (type->kind == LC_TYPE_OBJECT && lc_is_null(lc_fn_arg(c, i)) && !lc_fn_is_opentofu(c))
            type = &lc_type_empty_object;
        first = i == 0 ? type : first;
        matching = matching && lc_type_equal(type, first);
    }
    if (matching)
        return lc_fn_set_type(c, first);
    if (open)
        return lc_fn_set_type(c, &lc_type_dynamic);
    return lc_fn_set_type(c, lc_type_object(c->e->arena, m.attrs.items, m.attrs.count));
}

/* Element `at` under its name. The type of an argument after a null without a type was not checked:
 * go-cty takes sets of strings then, too, and fails for anything else with elements. */
static bool merge_element(lc_fn_call *c, lc_fn_members *members, size_t arg, uint32_t at)
{
    const lc_value *v = lc_fn_arg(c, arg), *elem = &v->as.many.elems[at];
    if (lc_fn_is_map(v))
        lc_fn_add_member(c, members, lc_fn_key_at(v, at), lc_fn_part(c, arg, at));
    else if (v->type->kind == LC_TYPE_SET && elem->type->kind == LC_TYPE_STRING &&
             lc_is_known(elem))
        lc_fn_add_member(c, members, elem->as.string, (lc_marked){elem, NULL});
    else
        return lc_fn_fail(c, "all arguments must be maps or objects");
    return true;
}

/* A later argument overrides members of an earlier one. */
bool lc_fn_merge(lc_fn_call *c)
{
    lc_fn_members members;
    lc_fn_members_init(c, &members);
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *map = lc_fn_arg(c, i);
        if (lc_is_known(map) && lc_type_is_primitive(map->type))
            return lc_fn_fail(c, "all arguments must be maps or objects");
        for (uint32_t k = 0; lc_is_known(map) && k < map->count; k++)
            if (!merge_element(c, &members, i, k))
                return false;
    }
    lc_fn_give_members(c, &members);
    if (c->type->kind == LC_TYPE_OBJECT && !lc_type_conforms(c->result.value->type, c->type))
        return lc_fn_fail(c, "all objects are null");
    for (size_t i = 0; i < c->count; i++)
        if (!lc_is_null(lc_fn_arg(c, i)))
            lc_fn_add_marks(c, i);
    return true;
}

/* ---- zipmap. */

static bool zipmap_object(lc_fn_call *c, const lc_value *keys, const lc_type *values)
{
    merging m = {0};
    if (keys->count != values->count)
        return lc_fn_fail(c, "there must be as many keys as values");
    lc_table_init(&m.at, c->e->arena);
    for (uint32_t i = 0; i < keys->count; i++) {
        if (lc_is_null(&keys->as.many.elems[i]))
            return lc_fn_fail(c, "a key is null");
        merge_attr(c, &m, keys->as.many.elems[i].as.string, values->as.items[i]);
    }
    return lc_fn_set_type(c, lc_type_object(c->e->arena, m.attrs.items, m.attrs.count));
}

bool lc_fn_zipmap_type(lc_fn_call *c)
{
    const lc_value *keys = lc_fn_arg(c, 0);
    const lc_type *values = lc_fn_arg(c, 1)->type;
    if (values->kind == LC_TYPE_LIST)
        return lc_fn_set_type(c, lc_type_collection(c->e->arena, LC_TYPE_MAP, values->as.elem));
    if (values->kind != LC_TYPE_TUPLE)
        return lc_fn_fail(c, "the values must be a list or tuple");
    if (!lc_is_wholly_known(keys))
        return lc_fn_set_type(c, &lc_type_dynamic);
    return zipmap_object(c, keys, values);
}

/* All marks of the keys move to the result as a whole. */
static bool zip(lc_fn_call *c)
{
    const lc_value *keys = lc_fn_arg(c, 0);
    lc_fn_members members;
    if (keys->count != lc_fn_arg(c, 1)->count)
        return lc_fn_fail(c, "there must be as many keys as values");
    lc_fn_members_init(c, &members);
    for (uint32_t i = 0; i < keys->count; i++) {
        if (lc_is_null(&keys->as.many.elems[i]))
            return lc_fn_fail(c, "a key is null");
        lc_fn_add_member(c, &members, keys->as.many.elems[i].as.string, lc_fn_part(c, 1, i));
    }
    lc_fn_give_members(c, &members);
    return true;
}

bool lc_fn_zipmap(lc_fn_call *c)
{
    bool open = !lc_is_wholly_known(lc_fn_arg(c, 0));
    if (open)
        lc_fn_give_unknown(c);
    else if (!zip(c))
        return false;
    if (open)
        lc_fn_add_marks(c, 0);
    else
        lc_fn_add_all_marks(c, 0);
    lc_fn_add_marks(c, 1);
    return true;
}

/* ---- transpose. */

/* The keys of the lists that hold one string. */
typedef struct holders {
    LC_VEC(lc_str) keys;
} holders;

typedef struct transposing {
    lc_table at; /* string -> holders */
    LC_VEC(lc_str) strings;
} transposing;

static void transpose_one(lc_fn_call *c, transposing *t, lc_str key, lc_str string)
{
    holders *h = lc_table_get(&t->at, string);
    if (!h) {
        h = LC_NEW(c->e->arena, holders);
        lc_table_put(&t->at, string, h);
        *LC_PUSH(c->e->arena, &t->strings, lc_str) = string;
    }
    *LC_PUSH(c->e->arena, &h->keys, lc_str) = key;
}

static bool transpose_null(lc_fn_call *c)
{
    const char *detail = "neither a list nor an element may be null";
    return lc_fn_is_opentofu(c) ? lc_fn_bad_argument(c, 0, detail) : lc_fn_fail(c, detail);
}

static bool transpose_all(lc_fn_call *c, transposing *t)
{
    const lc_value *map = lc_fn_arg(c, 0);
    for (uint32_t i = 0; i < map->count; i++) {
        const lc_value *list = &map->as.many.elems[i];
        if (lc_is_null(list))
            return transpose_null(c);
        for (uint32_t k = 0; k < list->count; k++) {
            if (lc_is_null(&list->as.many.elems[k]))
                return transpose_null(c);
            transpose_one(c, t, map->as.many.keys[i], list->as.many.elems[k].as.string);
        }
    }
    return true;
}

/* The keys are in order already, because those of a map are. */
bool lc_fn_transpose(lc_fn_call *c)
{
    lc_arena *arena = c->e->arena;
    transposing t = {0};
    lc_value v;
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_table_init(&t.at, arena);
    if (!transpose_all(c, &t))
        return false;
    lc_value *lists = LC_NEW_ARRAY(arena, lc_value, t.strings.count);
    for (size_t i = 0; i < t.strings.count; i++) {
        const holders *h = lc_table_get(&t.at, t.strings.items[i]);
        lc_value *elems = LC_NEW_ARRAY(arena, lc_value, h->keys.count);
        for (size_t k = 0; k < h->keys.count; k++)
            lc_value_set_string(&elems[k], arena, h->keys.items[k]);
        lc_value_set_list(&lists[i], arena, c->type->as.elem, elems, h->keys.count);
    }
    lc_value_set_map(&v, arena, c->type, t.strings.items, lists, t.strings.count);
    return lc_fn_give(c, &v);
}

bool lc_fn_map(lc_fn_call *c)
{
    return lc_fn_fail(c, "the function is gone; write tomap({ ... })");
}

/* Functions about maps and lists. */
#include "expression_functions.h"

#include "lifecheck/utf8.h"

#include <string.h>

/* ---- Maps. */

bool lc_fn_keys(lc_call *c)
{
    if (!lc_fn_is_map(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, "a map is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++) {
        lc_value_set_string(&elems[i], c->e->arena, lc_fn_key_at(lc_fn_arg(c, 0), i));
        items[i] = (lc_marked){&elems[i], NULL};
    }
    return lc_fn_give_list(c, items, count);
}

bool lc_fn_values(lc_call *c)
{
    if (!lc_fn_is_map(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, "a map is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = lc_fn_element(c, 0, i);
    return lc_fn_give_tuple(c, items, count);
}

bool lc_fn_merge(lc_call *c)
{
    lc_table at;
    LC_VEC(lc_eval_member) list = {0};
    lc_table_init(&at, c->e->arena);
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_null(lc_fn_arg(c, i)))
            continue;
        if (!lc_fn_is_map(lc_fn_arg(c, i)))
            return lc_fn_bad_argument(c, "every argument is a map or an object");
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++) {
            lc_str name = lc_fn_key_at(lc_fn_arg(c, i), k);
            size_t *old = lc_table_get(&at, name);
            if (old) {
                list.items[*old].value = lc_fn_element(c, i, k);
                continue;
            }
            old = LC_NEW(c->e->arena, size_t);
            *old = list.count;
            lc_table_put(&at, name, old);
            *LC_PUSH(c->e->arena, &list, lc_eval_member) =
                (lc_eval_member){name, lc_fn_element(c, i, k)};
        }
    }
    c->result = lc_eval_object(c->e, list.items, list.count);
    return true;
}

bool lc_fn_zipmap(lc_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)) || !lc_fn_is_list(lc_fn_arg(c, 1)) ||
        lc_fn_arg(c, 0)->count != lc_fn_arg(c, 1)->count)
        return lc_fn_bad_argument(c, "as many keys as values are required");
    lc_table at;
    LC_VEC(lc_eval_member) list = {0};
    lc_table_init(&at, c->e->arena);
    for (uint32_t i = 0; i < lc_fn_arg(c, 0)->count; i++) {
        const lc_value *key = &lc_fn_arg(c, 0)->as.many.elems[i];
        if (!lc_is_known(key) || key->type->kind != LC_TYPE_STRING)
            return lc_fn_bad_argument(c, "keys are texts");
        lc_eval_member *m = lc_table_get(&at, key->as.string);
        if (m)
            return lc_fn_bad_argument(c, "keys are distinct");
        m = LC_PUSH(c->e->arena, &list, lc_eval_member);
        *m = (lc_eval_member){key->as.string, lc_fn_element(c, 1, i)};
        lc_table_put(&at, key->as.string, m);
    }
    c->result = lc_eval_object(c->e, list.items, list.count);
    return true;
}

bool lc_fn_lookup(lc_call *c)
{
    lc_str key;
    if (!lc_fn_is_map(lc_fn_arg(c, 0)) || !lc_fn_text_argument(c, 1, &key))
        return lc_fn_bad_argument(c, "a map and a key are required");
    const lc_value *found = lc_fn_arg(c, 0)->type->kind == LC_TYPE_MAP
                                ? lc_value_key(lc_fn_arg(c, 0), key)
                                : lc_value_attr(lc_fn_arg(c, 0), key);
    if (found)
        c->result = lc_fn_element(c, 0, (uint32_t)(found - lc_fn_arg(c, 0)->as.many.elems));
    else if (c->count == 3)
        c->result = c->args[2];
    else
        return lc_fn_bad_argument(c, "the map has no such key");
    return true;
}

/* ---- Lists. */

bool lc_fn_length(lc_call *c)
{
    const lc_value *v = lc_fn_arg(c, 0);
    if (v->type->kind == LC_TYPE_STRING)
        return lc_fn_give_number(c, (int64_t)lc_utf8_count(v->as.string));
    if (lc_type_is_primitive(v->type))
        return lc_fn_bad_argument(c, "a text or a collection is required");
    return lc_fn_give_number(c, v->count);
}

bool lc_fn_concat(lc_call *c)
{
    LC_VEC(lc_marked) list = {0};
    for (size_t i = 0; i < c->count; i++) {
        if (lc_fn_arg(c, i)->type->kind != LC_TYPE_LIST &&
            lc_fn_arg(c, i)->type->kind != LC_TYPE_TUPLE)
            return lc_fn_bad_argument(c, "every argument is a list");
        for (uint32_t k = 0; k < lc_fn_arg(c, i)->count; k++)
            *LC_PUSH(c->e->arena, &list, lc_marked) = lc_fn_element(c, i, k);
    }
    return lc_fn_give_tuple(c, list.items, list.count);
}

bool lc_fn_element_at(lc_call *c)
{
    const lc_value *n;
    int64_t at;
    if (!lc_fn_is_list(lc_fn_arg(c, 0)) || !lc_fn_argument(c, 1, &lc_type_number, &n) ||
        !lc_num_to_int64(n->as.number, &at))
        return lc_fn_bad_argument(c, "a list and a whole number are required");
    int64_t count = lc_fn_arg(c, 0)->count;
    if (count == 0)
        return lc_fn_fail(c, "the list is empty");
    at = (at % count + count) % count;
    c->result = lc_fn_element(c, 0, (uint32_t)at);
    return true;
}

bool lc_fn_contains(lc_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, "a list is required");
    for (uint32_t i = 0; i < lc_fn_arg(c, 0)->count; i++)
        if (lc_value_equals(&lc_fn_arg(c, 0)->as.many.elems[i], lc_fn_arg(c, 1)) == LC_TRUE)
            return lc_fn_give_bool(c, true);
    return lc_fn_give_bool(c, false);
}

#define MAX_RANGE 1024 /* as in the cores */

bool lc_fn_range(lc_call *c)
{
    int64_t n[3] = {0, 0, 1};
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v;
        if (!lc_fn_argument(c, i, &lc_type_number, &v) ||
            !lc_num_to_int64(v->as.number, &n[c->count == 1 ? 1 : i]))
            return lc_fn_bad_argument(c, "whole numbers are required");
    }
    if (c->count < 3 && n[1] < n[0])
        n[2] = -1;
    if (n[2] == 0)
        return lc_fn_fail(c, "the step must not be zero");
    LC_VEC(lc_marked) list = {0};
    for (int64_t i = n[0]; n[2] > 0 ? i < n[1] : i > n[1]; i += n[2]) {
        if (list.count >= MAX_RANGE)
            return lc_fn_fail(c, "there are too many numbers in the range");
        lc_value v;
        lc_value_set_number(&v, lc_num_from_int(i));
        *LC_PUSH(c->e->arena, &list, lc_marked) = (lc_marked){lc_value_new(c->e->arena, &v), NULL};
    }
    return lc_fn_give_tuple(c, list.items, list.count);
}

/* Elements of lists within lists, with bounded depth. */
static void flatten_into(lc_call *c, lc_call *out, const lc_value *list, unsigned depth)
{
    (void)c;
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        if (lc_is_known(v) && lc_fn_is_list(v) && depth < 100) {
            flatten_into(c, out, v, depth + 1);
            continue;
        }
        if ((out->count & (out->count - 1)) == 0) {
            lc_marked *more = LC_NEW_ARRAY(c->e->arena, lc_marked, 2 * out->count + 1);
            if (out->count > 0)
                memcpy(more, out->args, out->count * sizeof(*more));
            out->args = more;
        }
        out->args[out->count++] = (lc_marked){v, NULL};
    }
}

bool lc_fn_flatten(lc_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, "a list is required");
    lc_call gathered = {0};
    flatten_into(c, &gathered, lc_fn_arg(c, 0), 0);
    return lc_fn_give_tuple(c, gathered.args, gathered.count);
}

bool lc_fn_one(lc_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)) || lc_fn_arg(c, 0)->count > 1)
        return lc_fn_bad_argument(c, "a list of at most one element is required");
    if (lc_fn_arg(c, 0)->count == 1) {
        c->result = lc_fn_element(c, 0, 0);
        return true;
    }
    lc_value v;
    lc_value_set_null(&v, &lc_type_dynamic);
    return lc_fn_give(c, &v);
}

bool lc_fn_coalesce(lc_call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        bool empty = v->type->kind == LC_TYPE_STRING && lc_is_known(v) && v->as.string.len == 0;
        if (lc_is_null(v) || empty)
            continue;
        c->result = c->args[i];
        return true;
    }
    return lc_fn_fail(c, "there is no argument that is neither null nor empty");
}

bool lc_fn_reverse(lc_call *c)
{
    if (!lc_fn_is_list(lc_fn_arg(c, 0)))
        return lc_fn_bad_argument(c, "a list is required");
    uint32_t count = lc_fn_arg(c, 0)->count;
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = lc_fn_element(c, 0, count - 1 - i);
    return lc_fn_give_tuple(c, items, count);
}

bool lc_fn_slice(lc_call *c)
{
    int64_t n[2];
    for (size_t i = 0; i < 2; i++) {
        const lc_value *v;
        if (!lc_fn_argument(c, i + 1, &lc_type_number, &v) || !lc_num_to_int64(v->as.number, &n[i]))
            return lc_fn_bad_argument(c, "whole numbers are required");
    }
    if (!lc_fn_is_list(lc_fn_arg(c, 0)) || n[0] < 0 || n[1] < n[0] ||
        n[1] > (int64_t)lc_fn_arg(c, 0)->count)
        return lc_fn_bad_argument(c, "the stretch is not within the list");
    lc_marked *items = LC_NEW_ARRAY(c->e->arena, lc_marked, (size_t)(n[1] - n[0]));
    for (int64_t i = n[0]; i < n[1]; i++)
        items[i - n[0]] = lc_fn_element(c, 0, (uint32_t)i);
    return lc_fn_give_tuple(c, items, (size_t)(n[1] - n[0]));
}

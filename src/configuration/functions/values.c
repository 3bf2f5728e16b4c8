/* Arguments and results of functions: what many of them need. */
#include "configuration/functions/functions.h"
#include "lifecheck/base/key.h"
#include "lifecheck/catalog/core_message.h"

/* ---- Errors. */

bool lc_fn_fail(lc_fn_call *c, const char *detail)
{
    return lc_eval_fail(c->e, c->expr->place, LC_SUMMARY_FUNCTION_ERROR, detail);
}

bool lc_fn_bad_argument(lc_fn_call *c, size_t at, const char *detail)
{
    return lc_eval_fail(c->e, lc_fn_place_of(c, at), LC_SUMMARY_FUNCTION_ARGUMENT, detail);
}

/* ---- Results. */

bool lc_fn_give(lc_fn_call *c, const lc_value *slot)
{
    c->result = (lc_marked){lc_value_new(c->e->arena, slot), NULL};
    return true;
}

bool lc_fn_give_text(lc_fn_call *c, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, c->e->arena, text);
    return lc_fn_give(c, &v);
}

bool lc_fn_give_number(lc_fn_call *c, int64_t n)
{
    lc_value v;
    lc_value_set_number(&v, lc_num_from_int(n));
    return lc_fn_give(c, &v);
}

bool lc_fn_give_bool(lc_fn_call *c, bool is)
{
    lc_value v;
    lc_value_set_bool(&v, is);
    return lc_fn_give(c, &v);
}

bool lc_fn_give_unknown(lc_fn_call *c)
{
    c->result = lc_eval_unknown(c->e, c->type);
    return true;
}

bool lc_fn_give_undecided(lc_fn_call *c, const char *reason)
{
    lc_arena *arena = c->e->arena;
    lc_str why = lc_str_printf(arena, "%s: %s", c->function->name, reason);
    lc_fn_give_unknown(c);
    c->result = lc_marked_with(arena, c->result, LC_MARK_UNDECIDED,
                               lc_undecided_new(arena, why, c->expr->place));
    return true;
}

bool lc_fn_give_list(lc_fn_call *c, const lc_marked *items, size_t count)
{
    lc_str why;
    return lc_marked_convert(&c->result, c->e->arena, lc_eval_tuple(c->e, items, count),
                             lc_type_collection(c->e->arena, LC_TYPE_LIST, &lc_type_string), &why);
}

void lc_fn_add_elem(lc_fn_call *c, lc_fn_elems *items, lc_marked item)
{
    *LC_PUSH(c->e->arena, items, lc_marked) = item;
}

void lc_fn_add_parts(lc_fn_call *c, lc_fn_elems *items, size_t at)
{
    for (uint32_t i = 0; i < lc_fn_arg(c, at)->count; i++)
        lc_fn_add_elem(c, items, lc_fn_part(c, at, i));
}

/* Elements of a set cannot have marks of their own. */
bool lc_fn_give_elems(lc_fn_call *c, const lc_fn_elems *items)
{
    lc_value v;
    size_t count = items->count;
    c->result = lc_eval_tuple(c->e, items->items, count);
    if (!lc_type_is_collection(c->type))
        return true;
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    for (size_t i = 0; i < count; i++)
        elems[i] = *items->items[i].value;
    bool set = c->type->kind == LC_TYPE_SET;
    bool ok = set ? lc_value_set_set(&v, c->e->arena, c->type, elems, count)
                  : lc_value_set_list(&v, c->e->arena, c->type, elems, count);
    if (!ok)
        return lc_fn_fail(c, "the elements have different types");
    lc_marked tuple = c->result;
    c->result = (lc_marked){lc_value_new(c->e->arena, &v), set ? NULL : tuple.marks};
    if (set && tuple.marks)
        c->result =
            lc_marked_with(c->e->arena, c->result, tuple.marks->all, tuple.marks->undecided);
    return true;
}

void lc_fn_members_init(lc_fn_call *c, lc_fn_members *members)
{
    *members = (lc_fn_members){0};
    lc_table_init(&members->at, c->e->arena);
}

void lc_fn_add_member(lc_fn_call *c, lc_fn_members *members, lc_str name, lc_marked value)
{
    size_t at = lc_table_get_index(&members->at, name);
    if (at == LC_NO_INDEX) {
        at = members->list.count;
        *LC_PUSH(c->e->arena, &members->list, lc_eval_member) = (lc_eval_member){name, value};
        lc_table_put_index(&members->at, name, at);
    }
    members->list.items[at].value = value;
}

bool lc_fn_give_members(lc_fn_call *c, lc_fn_members *members)
{
    lc_value v;
    size_t count = members->list.count;
    c->result = lc_eval_object(c->e, members->list.items, count);
    if (c->type->kind != LC_TYPE_MAP)
        return true;
    lc_str *keys = LC_NEW_ARRAY(c->e->arena, lc_str, count);
    lc_value *elems = LC_NEW_ARRAY(c->e->arena, lc_value, count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = members->list.items[i].name; /* sorted by now */
        elems[i] = *members->list.items[i].value.value;
    }
    if (!lc_value_set_map(&v, c->e->arena, c->type, keys, elems, count))
        return lc_fn_fail(c, "the elements have different types");
    c->result.value = lc_value_new(c->e->arena, &v);
    return true;
}

static void add_marks(lc_fn_call *c, size_t at, unsigned marks)
{
    if (marks)
        c->result = lc_marked_with(c->e->arena, c->result, marks, c->args[at].marks->undecided);
}

void lc_fn_add_marks(lc_fn_call *c, size_t at)
{
    add_marks(c, at, lc_marks_self(c->args[at]));
}

void lc_fn_add_all_marks(lc_fn_call *c, size_t at)
{
    add_marks(c, at, lc_marks_all(c->args[at]));
}

bool lc_fn_set_type(lc_fn_call *c, const lc_type *type)
{
    c->type = type;
    return true;
}

/* ---- Arguments. */

bool lc_fn_is_opentofu(const lc_fn_call *c)
{
    return c->e->scope->profile != LC_PROFILE_TERRAFORM;
}

bool lc_fn_all_known(const lc_fn_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].value && !lc_is_wholly_known(c->args[i].value))
            return false;
    return true;
}

const lc_value *lc_fn_arg(const lc_fn_call *c, size_t at)
{
    return c->args[at].value;
}

lc_str lc_fn_text(const lc_fn_call *c, size_t at)
{
    return lc_fn_arg(c, at)->as.string;
}

bool lc_fn_int(const lc_fn_call *c, size_t at, int64_t *out)
{
    return lc_num_to_int64(lc_fn_arg(c, at)->as.number, out);
}

bool lc_fn_is_list(const lc_value *v)
{
    return lc_fn_is_sequence(v) || v->type->kind == LC_TYPE_SET;
}

bool lc_fn_is_sequence(const lc_value *v)
{
    return v->type->kind == LC_TYPE_LIST || v->type->kind == LC_TYPE_TUPLE;
}

bool lc_fn_is_open_set(const lc_value *v)
{
    return v->type->kind == LC_TYPE_SET && v->count > 1 && !lc_is_wholly_known(v);
}

bool lc_fn_is_map(const lc_value *v)
{
    return v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT;
}

lc_str lc_fn_key_at(const lc_value *map, uint32_t at)
{
    return map->type->kind == LC_TYPE_MAP ? map->as.many.keys[at] : map->type->as.attrs[at].name;
}

lc_marked lc_fn_part(const lc_fn_call *c, size_t which, uint32_t at)
{
    const lc_marked *whole = &c->args[which];
    lc_marked v = {&whole->value->as.many.elems[at], NULL};
    if (whole->marks && at < whole->marks->count)
        v.marks = whole->marks->children[at];
    return v;
}

/* ---- Tables of values. */

/* Values with the same hash; the table leads from the hash to the first of them. */
typedef struct remembered {
    const lc_value *value;
    const struct remembered *next;
} remembered;

static bool is_among(const remembered *r, const lc_value *v)
{
    while (r && lc_value_equals(r->value, v) != LC_TRUE)
        r = r->next;
    return r != NULL;
}

bool lc_fn_remember(lc_fn_call *c, lc_table *table, const lc_value *v)
{
    uint64_t hash = lc_value_hash(v);
    lc_str key = LC_BYTES_OF(hash);
    const remembered *old = lc_table_get(table, key);
    if (is_among(old, v))
        return false;
    remembered *r = LC_NEW(c->e->arena, remembered);
    *r = (remembered){v, old};
    lc_table_put(table, lc_str_copy(c->e->arena, key), r);
    return true;
}

bool lc_fn_remembers(const lc_table *table, const lc_value *v)
{
    uint64_t hash = lc_value_hash(v);
    return is_among(lc_table_get(table, LC_BYTES_OF(hash)), v);
}

/* Tuples and objects. */
#include "configuration/expression/eval.h"
#include "lifecheck/core_message.h"

/* Each element keeps its own marks. */
lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count)
{
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    const lc_type **types = LC_NEW_ARRAY(e->arena, const lc_type *, count);
    bool marked = false;
    for (size_t i = 0; i < count; i++) {
        elems[i] = *items[i].value;
        types[i] = items[i].value->type;
        marked |= items[i].marks != NULL;
    }
    lc_value v;
    lc_value_set_tuple(&v, e->arena, lc_type_tuple(e->arena, types, count), elems, count);
    lc_marked out = {lc_value_new(e->arena, &v), NULL};
    if (!marked)
        return out;
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++)
        marks[i] = items[i].marks;
    out.marks = lc_marks_join(e->arena, marks, count);
    return out;
}

lc_marked lc_eval_tuple_node(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked *items = LC_NEW_ARRAY(e->arena, lc_marked, expr->count);
    for (size_t i = 0; i < expr->count; i++)
        lc_eval(e, expr->items[i], &items[i]);
    return lc_eval_tuple(e, items, expr->count);
}

static int by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_eval_member *)a)->name, ((const lc_eval_member *)b)->name);
}

static const lc_marks *marks_of_members(lc_evaluator *e, const lc_eval_member *members,
                                        size_t count)
{
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++)
        marks[i] = members[i].value.marks;
    return lc_marks_join(e->arena, marks, count);
}

/* The type system wants attributes in the order of their names. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count)
{
    if (count > 1)
        qsort(members, count, sizeof(*members), by_name);
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    lc_type_attr *attrs = LC_NEW_ARRAY(e->arena, lc_type_attr, count);
    bool marked = false;
    for (size_t i = 0; i < count; i++) {
        elems[i] = *members[i].value.value;
        attrs[i] = (lc_type_attr){members[i].name, elems[i].type, false};
        marked |= members[i].value.marks != NULL;
    }
    lc_value v;
    lc_value_set_object(&v, e->arena, lc_type_object(e->arena, attrs, count), elems);
    return (lc_marked){lc_value_new(e->arena, &v),
                       marked ? marks_of_members(e, members, count) : NULL};
}

/* ---- Members one by one. */

void lc_eval_gathering_init(lc_evaluator *e, lc_eval_gathering *g)
{
    *g = (lc_eval_gathering){0};
    lc_table_init(&g->at, e->arena);
}

lc_eval_member *lc_eval_gathered_member(lc_eval_gathering *g, lc_str name)
{
    size_t at = lc_table_get_index(&g->at, name);
    return at != LC_NO_INDEX ? &g->list.items[at] : NULL;
}

void lc_eval_gather(lc_evaluator *e, lc_eval_gathering *g, lc_str name, lc_marked value)
{
    *LC_PUSH(e->arena, &g->list, lc_eval_member) = (lc_eval_member){name, value};
    lc_table_put_index(&g->at, name, g->list.count - 1);
}

lc_marked lc_eval_gathered(lc_evaluator *e, lc_eval_gathering *g)
{
    lc_marked v = lc_eval_object(e, g->list.items, g->list.count);
    lc_table_release(&g->at);
    lc_arena_release(g->list.items, g->list.capacity * sizeof *g->list.items);
    return v;
}

/* ---- The constructor of an object. */

typedef struct constructing {
    lc_eval_gathering members;
    bool open;       /* a key is not known, and so is the whole object */
    lc_marked marks; /* of keys */
} constructing;

static lc_marked key_of(lc_evaluator *e, const lc_expr *key, bool *ok)
{
    lc_marked v;
    *ok = key->kind != LC_EXPR_DOTTED;
    if (!*ok) {
        lc_eval_fail(e, key->place, LC_SUMMARY_AMBIGUOUS_KEY,
                     "write (a.b) for a reference, \"a.b\" for a name with a dot");
        return lc_eval_any();
    }
    *ok = lc_eval(e, key, &v);
    return v;
}

/* A value replaces that of an earlier member with the same key. HCL reports a null key where the
 * value is. */
static void construct_member(lc_evaluator *e, constructing *c, const lc_expr *key,
                             const lc_expr *value)
{
    bool ok;
    lc_marked v, k = key_of(e, key, &ok);
    const lc_value *name;
    lc_str why;
    lc_eval(e, value, &v);
    if (ok && lc_is_null(k.value))
        ok = lc_eval_fail(e, value->place, LC_SUMMARY_NULL_KEY, "a key must not be null");
    if (ok) {
        c->marks = lc_eval_carry(e, lc_eval_mark(e, c->marks, k), k);
        ok = lc_value_convert(&name, e->arena, k.value, &lc_type_string, &why) ||
             lc_eval_fail(e, key->place, LC_SUMMARY_KEY_TYPE, "a key must be text");
    }
    if (!ok || lc_is_unknown(name)) {
        c->open = true;
        return;
    }
    lc_eval_member *old = lc_eval_gathered_member(&c->members, name->as.string);
    if (old)
        old->value = v;
    else
        lc_eval_gather(e, &c->members, name->as.string, v);
}

/* HCL drops all marks of an object whose keys are not known. */
lc_marked lc_eval_object_node(lc_evaluator *e, const lc_expr *expr)
{
    constructing c = {.marks = {NULL, NULL}};
    lc_eval_gathering_init(e, &c.members);
    for (size_t i = 0; i + 1 < expr->count && !e->stopped; i += 2)
        construct_member(e, &c, expr->items[i], expr->items[i + 1]);
    lc_marked object = lc_eval_gathered(e, &c.members);
    if (!c.open)
        return lc_eval_mark(e, object, c.marks);
    return lc_eval_carry(e, lc_eval_any(), c.marks);
}

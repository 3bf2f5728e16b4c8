/* `for` expressions. */
#include "configuration/expression/eval.h"
#include "lifecheck/catalog/core_message.h"

/* The state of a `for` expression. */
typedef struct looping {
    const lc_for *loop;
    lc_eval_gathering members; /* of an object */
    LC_VEC(lc_marked) list;    /* of a tuple */
    lc_table groups;           /* name -> its values, when grouped */
    lc_marked marks;           /* of the collection, of keys and conditions */
    bool open;                 /* a key or condition is not known, and so is the result */
} looping;

/* The values of one key, in the order of the elements. */
typedef struct group {
    LC_VEC(lc_marked) list;
} group;

static void keep_marks(lc_evaluator *e, looping *l, lc_marked v)
{
    l->marks = lc_eval_carry(e, lc_eval_mark(e, l->marks, v), v);
}

/* HCL reports a bad key or condition only as long as all before were known. Returns false. */
static bool give_up(lc_evaluator *e, looping *l, const lc_expr *at, const char *summary,
                    const char *detail)
{
    if (!l->open && summary)
        lc_eval_fail(e, at->place, summary, detail);
    l->open = true;
    return false;
}

/* The `if` clause. False: the element is left out. */
static bool included(lc_evaluator *e, looping *l)
{
    const lc_expr *condition = l->loop->condition;
    const lc_value *is;
    lc_marked v;
    lc_str why;
    if (!condition)
        return true;
    lc_eval(e, condition, &v);
    if (lc_is_null(v.value))
        return give_up(e, l, condition, LC_SUMMARY_FOR_CONDITION, "the condition is null");
    keep_marks(e, l, v);
    if (lc_is_unknown(v.value) && !l->loop->key)
        return give_up(e, l, condition, NULL, NULL);
    if (!lc_value_convert(&is, e->arena, v.value, &lc_type_bool, &why))
        return give_up(e, l, condition, LC_SUMMARY_FOR_CONDITION,
                       "the condition must be true or false");
    if (lc_is_unknown(is))
        return give_up(e, l, condition, NULL, NULL);
    return is->as.boolean;
}

static bool key_text(lc_evaluator *e, looping *l, lc_str *out)
{
    const lc_expr *key = l->loop->key;
    const lc_value *text;
    lc_marked v;
    lc_str why;
    lc_eval(e, key, &v);
    if (lc_is_null(v.value))
        return give_up(e, l, key, LC_SUMMARY_OBJECT_KEY, "a key must not be null");
    keep_marks(e, l, v);
    if (lc_is_unknown(v.value))
        return give_up(e, l, key, NULL, NULL);
    if (!lc_value_convert(&text, e->arena, v.value, &lc_type_string, &why))
        return give_up(e, l, key, LC_SUMMARY_OBJECT_KEY, "a key must be a string");
    *out = text->as.string;
    return true;
}

/* With `...` values of one key are collected, else a repeated key is an error. */
static void add_member(lc_evaluator *e, looping *l, lc_str name, lc_marked value)
{
    if (!l->loop->grouped) {
        if (lc_eval_gathered_member(&l->members, name))
            lc_eval_fail(e, l->loop->key->place, LC_SUMMARY_DUPLICATE_KEY,
                         "two elements have the same key");
        else
            lc_eval_gather(e, &l->members, name, value);
        return;
    }
    group *of = lc_table_get(&l->groups, name);
    if (!of) {
        of = LC_NEW(e->arena, group);
        lc_table_put(&l->groups, name, of);
        lc_eval_gather(e, &l->members, name, value);
    }
    *LC_PUSH(e->arena, &of->list, lc_marked) = value;
}

/* One element, after its names are set. */
static void loop_body(lc_evaluator *e, looping *l)
{
    lc_marked value;
    lc_str name;
    if (!included(e, l) || (l->loop->key && !key_text(e, l, &name)))
        return;
    lc_eval(e, l->loop->value, &value);
    if (l->loop->key)
        add_member(e, l, name, value);
    else
        *LC_PUSH(e->arena, &l->list, lc_marked) = value;
}

/* The key of an element as `for` sees it: key, attribute name or index; in a set the element is its
 * own key. */
static lc_marked element_key(lc_evaluator *e, const lc_value *collection, uint32_t at)
{
    lc_value v;
    const lc_type *type = collection->type;
    if (type->kind == LC_TYPE_MAP)
        lc_value_set_string(&v, e->arena, collection->as.many.keys[at]);
    else if (type->kind == LC_TYPE_OBJECT)
        lc_value_set_string(&v, e->arena, type->as.attrs[at].name);
    else if (type->kind == LC_TYPE_SET)
        v = collection->as.many.elems[at];
    else
        lc_value_set_number(&v, lc_num_from_int((int64_t)at));
    return (lc_marked){lc_value_new(e->arena, &v), NULL};
}

/* Calls `work` with the names set. They are on the C stack: only valid while it runs. */
static void with_names(lc_evaluator *e, looping *l, lc_marked key, lc_marked value,
                       void (*work)(lc_evaluator *e, looping *l))
{
    const lc_loop_names *before = e->names;
    lc_loop_names of_value = {before, l->loop->value_name, value};
    lc_loop_names of_key = {before, l->loop->key_name, key};
    of_value.up = l->loop->key_name.len > 0 ? &of_key : before;
    e->names = &of_value;
    work(e, l);
    e->names = before;
}

/* A first look at the condition with unknown names: HCL finds most wrong conditions so, and reports
 * them once. Sets `open` if the result is settled: it failed. */
static void test_condition(lc_evaluator *e, looping *l)
{
    const lc_expr *condition = l->loop->condition;
    const lc_value *is;
    lc_marked v;
    lc_str why;
    l->open = !lc_eval(e, condition, &v);
    if (lc_is_null(v.value))
        l->open = !lc_eval_fail(e, condition->place, LC_SUMMARY_FOR_NULL_CONDITION,
                                "the condition is null");
    else if (!lc_value_convert(&is, e->arena, v.value, &lc_type_bool, &why))
        l->open = !lc_eval_fail(e, condition->place, LC_SUMMARY_FOR_CONDITION,
                                "the condition must be true or false");
    l->marks = v;
}

/* Builds the tuple or object from what the elements added. */
static lc_marked loop_result(lc_evaluator *e, looping *l)
{
    if (!l->loop->key)
        return lc_eval_tuple(e, l->list.items, l->list.count);
    for (size_t i = 0; l->loop->grouped && i < l->members.list.count; i++) {
        lc_eval_member *m = &l->members.list.items[i];
        group *of = lc_table_get(&l->groups, m->name);
        m->value = lc_eval_tuple(e, of->list.items, of->list.count);
    }
    return lc_eval_gathered(e, &l->members);
}

/* Names of the elements have only the elements' own marks; those of the collection are the
 * result's. */
static lc_marked loop_over(lc_evaluator *e, looping *l, lc_marked collection)
{
    lc_eval_gathering_init(e, &l->members);
    lc_table_init(&l->groups, e->arena);
    lc_marked none = {NULL, NULL};
    l->marks = lc_eval_mark(e, none, collection);
    for (uint32_t i = 0; i < collection.value->count && !e->stopped; i++)
        with_names(e, l, l->loop->key_name.len > 0 ? element_key(e, collection.value, i) : none,
                   lc_eval_part(collection, &collection.value->as.many.elems[i]), loop_body);
    lc_marked v = loop_result(e, l);
    lc_table_release(&l->groups);
    return lc_eval_mark(e, l->open ? lc_eval_any() : v, l->marks);
}

lc_marked lc_eval_for(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked collection;
    looping l = {.loop = expr->as.loop, .marks = {NULL, NULL}};
    lc_eval(e, l.loop->collection, &collection);
    const lc_value *v = collection.value;
    if (lc_is_null(v)) {
        lc_eval_fail(e, l.loop->collection->place, LC_SUMMARY_ITERATION_NULL, "the value is null");
        return lc_eval_any();
    }
    if (v->type->kind == LC_TYPE_DYNAMIC)
        return lc_eval_carry(e, lc_eval_any(), collection);
    if (lc_type_is_primitive(v->type)) {
        lc_eval_fail(e, l.loop->collection->place, LC_SUMMARY_ITERATION_TYPE,
                     "only collections have elements");
        return lc_eval_any();
    }
    if (l.loop->condition)
        with_names(e, &l, lc_eval_any(), lc_eval_any(), test_condition);
    if (l.open)
        return lc_eval_any();
    if (lc_is_known(v))
        return loop_over(e, &l, collection);
    return lc_eval_mark(e, lc_eval_mark(e, lc_eval_any(), collection), l.marks);
}

/* Tuples and objects. */
#include "configuration/expression/eval.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/catalog/core_message.h"

/* ---- Types. Elements of one `for` mostly have the same type, so the last ones are kept: this
 * saves memory, and comparing them is comparing pointers. */

#define MAX_KEPT_PARTS 32

static const lc_type **kept_at(lc_evaluator *e, uint64_t hash)
{
    return &e->kept_types[hash % LC_EVAL_KEPT_TYPES];
}

static bool is_tuple_of(const lc_type *type, const lc_marked *items, size_t count)
{
    bool same = type && type->kind == LC_TYPE_TUPLE && type->count == count;
    for (size_t i = 0; same && i < count; i++)
        same = lc_type_equal(type->as.items[i], items[i].value->type);
    return same;
}

static const lc_type *tuple_type(lc_evaluator *e, const lc_marked *items, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count && i < MAX_KEPT_PARTS; i++)
        hash = lc_hash_mix(hash, items[i].value->type->hash);
    const lc_type **kept = kept_at(e, hash);
    if (is_tuple_of(*kept, items, count))
        return *kept;
    const lc_type **types = LC_NEW_ARRAY(e->arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++)
        types[i] = items[i].value->type;
    const lc_type *type = lc_type_tuple(e->arena, types, count);
    if (count <= MAX_KEPT_PARTS)
        *kept = type;
    return type;
}

static bool is_object_of(const lc_type *type, const lc_eval_member *members, size_t count)
{
    bool same = type && type->kind == LC_TYPE_OBJECT && type->count == count;
    for (size_t i = 0; same && i < count; i++)
        same = lc_str_eq(type->as.attrs[i].name, members[i].name) &&
               lc_type_equal(type->as.attrs[i].type, members[i].value.value->type);
    return same;
}

static const lc_type *object_type(lc_evaluator *e, const lc_eval_member *members, size_t count)
{
    uint64_t hash = ~(uint64_t)count;
    for (size_t i = 0; i < count && i < MAX_KEPT_PARTS; i++)
        hash = lc_hash_mix(hash, lc_str_hash(members[i].name) ^ members[i].value.value->type->hash);
    const lc_type **kept = kept_at(e, hash);
    if (is_object_of(*kept, members, count))
        return *kept;
    lc_type_attr *attrs = LC_NEW_ARRAY(e->arena, lc_type_attr, count);
    for (size_t i = 0; i < count; i++)
        attrs[i] = (lc_type_attr){members[i].name, members[i].value.value->type, false};
    const lc_type *type = lc_type_object(e->arena, attrs, count);
    if (count <= MAX_KEPT_PARTS)
        *kept = type;
    return type;
}

/* ---- Values. Each element keeps its own marks. */

lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count)
{
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    bool marked = false;
    for (size_t i = 0; i < count; i++) {
        elems[i] = *items[i].value;
        marked |= items[i].marks != NULL;
    }
    lc_value v;
    lc_value_set_tuple(&v, e->arena, tuple_type(e, items, count), elems, count);
    lc_marked out = {lc_value_new(e->arena, &v), NULL};
    if (!marked)
        return out;
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++)
        marks[i] = items[i].marks;
    out.marks = lc_marks_join(e->arena, marks, count);
    return out;
}

/* Items of small nodes are on the stack while they are evaluated: no garbage is left. */
#define FEW 16

lc_marked lc_eval_tuple_node(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked few[FEW] = {{NULL, NULL}};
    lc_marked *items =
        expr->count <= FEW ? few : lc_heap_alloc(lc_mul_size(expr->count, sizeof *items));
    for (size_t i = 0; i < expr->count; i++)
        lc_eval(e, expr->items[i], &items[i]);
    lc_marked out = lc_eval_tuple(e, items, expr->count);
    if (items != few)
        lc_heap_free(items);
    return out;
}

LC_ORDER_BY_STR(by_name, lc_eval_member, name)

static const lc_marks *marks_of_members(lc_evaluator *e, const lc_eval_member *members,
                                        size_t count)
{
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++)
        marks[i] = members[i].value.marks;
    return lc_marks_join(e->arena, marks, count);
}

/* The type system needs attributes in the order of their names. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count)
{
    if (count > 1)
        qsort(members, count, sizeof(*members), by_name);
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    bool marked = false;
    for (size_t i = 0; i < count; i++) {
        elems[i] = *members[i].value.value;
        marked |= members[i].value.marks != NULL;
    }
    lc_value v;
    lc_value_set_object(&v, e->arena, object_type(e, members, count), elems);
    return (lc_marked){lc_value_new(e->arena, &v),
                       marked ? marks_of_members(e, members, count) : NULL};
}

/* ---- Members one by one. Few are found without a table. */

#define LINEAR 8

void lc_eval_gathering_init(lc_evaluator *e, lc_eval_gathering *g)
{
    *g = (lc_eval_gathering){0};
    lc_table_init(&g->at, e->arena);
}

lc_eval_member *lc_eval_gathered_member(lc_eval_gathering *g, lc_str name)
{
    if (g->list.count > LINEAR) {
        size_t at = lc_table_get_index(&g->at, name);
        return at != LC_NO_INDEX ? &g->list.items[at] : NULL;
    }
    for (size_t i = 0; i < g->list.count; i++)
        if (lc_str_eq(g->list.items[i].name, name))
            return &g->list.items[i];
    return NULL;
}

void lc_eval_gather(lc_evaluator *e, lc_eval_gathering *g, lc_str name, lc_marked value)
{
    *LC_PUSH(e->arena, &g->list, lc_eval_member) = (lc_eval_member){name, value};
    size_t from = g->list.count == LINEAR + 1 ? 0 : g->list.count - 1;
    for (size_t i = from; g->list.count > LINEAR && i < g->list.count; i++)
        lc_table_put_index(&g->at, g->list.items[i].name, i);
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
    lc_eval_member *members;
    size_t count;
    lc_table *at;    /* name -> index, for many members; else NULL */
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

static size_t find_member(const constructing *c, lc_str name)
{
    if (c->at)
        return lc_table_get_index(c->at, name);
    for (size_t i = 0; i < c->count; i++)
        if (lc_str_eq(c->members[i].name, name))
            return i;
    return LC_NO_INDEX;
}

/* A value replaces that of an earlier member with the same key. */
static void put_member(constructing *c, lc_str name, lc_marked value)
{
    size_t at = find_member(c, name);
    if (at != LC_NO_INDEX) {
        c->members[at].value = value;
        return;
    }
    c->members[c->count] = (lc_eval_member){name, value};
    if (c->at)
        lc_table_put_index(c->at, name, c->count);
    c->count++;
}

/* HCL reports a null key where the value is. */
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
             lc_eval_fail(e, key->place, LC_SUMMARY_KEY_TYPE, "a key must be a string");
    }
    if (ok && lc_is_known(name))
        put_member(c, name->as.string, v);
    else
        c->open = true;
}

/* HCL drops all marks of an object whose keys are not known. */
lc_marked lc_eval_object_node(lc_evaluator *e, const lc_expr *expr)
{
    lc_eval_member few[FEW];
    lc_table at;
    size_t most = expr->count / 2;
    constructing c = {.members = few, .marks = {NULL, NULL}};
    if (most > FEW) {
        c.members = lc_heap_alloc(lc_mul_size(most, sizeof *c.members));
        c.at = &at;
        lc_table_init(&at, e->arena);
    }
    for (size_t i = 0; i + 1 < expr->count && !e->stopped; i += 2)
        construct_member(e, &c, expr->items[i], expr->items[i + 1]);
    lc_marked object = c.open ? lc_eval_carry(e, lc_eval_any(), c.marks)
                              : lc_eval_mark(e, lc_eval_object(e, c.members, c.count), c.marks);
    if (c.at) {
        lc_table_release(&at);
        lc_heap_free(c.members);
    }
    return object;
}

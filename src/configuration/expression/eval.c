/* Evaluation of expressions. Source: HCL's evaluation rules; error summaries are those of the
 * cores. Every function returns false after setting the error, and *out is unusable then. */
#include "configuration/expression/eval.h"
#include "lifecheck/core_message.h"

/* Limits. A step is one node of a tree. Depth counts nodes from the root through all nested
 * lookups: some levels take several C frames, so 2000 levels fit into the usual stack of 8 MB. */
#define MAX_DEPTH 2000
#define MAX_STEPS 2000000
#define MAX_TEXT  ((size_t)16 << 20)

static bool eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out);

/* Links a copy of the one error. */
static void add_error(lc_evaluator *e, const lc_eval_error *error)
{
    lc_eval_error *copy = LC_NEW(e->arena, lc_eval_error);
    *copy = *error;
    copy->next = NULL;
    if (error->summary.len == 0) {
        e->stopped = true;
        e->end = NULL;
    }
    if (e->end)
        *e->end = copy;
    else
        e->first = copy;
    e->end = &copy->next;
}

bool lc_eval_fail_with(lc_evaluator *e, const lc_eval_error *errors)
{
    for (; errors && !e->stopped; errors = errors->next)
        add_error(e, errors);
    return false;
}

bool lc_eval_fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail)
{
    lc_eval_error error = {lc_str_from_c(summary), lc_str_from_c(detail), place, NULL};
    return lc_eval_fail_with(e, &error);
}

const lc_eval_error **lc_eval_errors_end(const lc_evaluator *e)
{
    return e->end;
}

void lc_eval_drop_errors(lc_evaluator *e, const lc_eval_error **end)
{
    if (e->stopped)
        return;
    e->end = end;
    if (end)
        *end = NULL;
    else
        e->first = NULL;
}

lc_marked lc_eval_unknown(lc_evaluator *e, const lc_type *type)
{
    lc_value v;
    lc_value_set_unknown(&v, type);
    return (lc_marked){lc_value_new(e->arena, &v), NULL};
}

/* `v` with all marks of `from`, also those of its elements: for results that depend on all of
 * it. */
static lc_marked with_all(lc_evaluator *e, lc_marked v, lc_marked from)
{
    unsigned all = lc_marks_all(from);
    return all ? lc_marked_with(e->arena, v, all, from.marks->undecided) : v;
}

/* `v` with the marks of `from` as a whole: for results in which elements keep their own marks. */
static lc_marked with_self(lc_evaluator *e, lc_marked v, lc_marked from)
{
    unsigned self = lc_marks_self(from);
    return self ? lc_marked_with(e->arena, v, self, from.marks->undecided) : v;
}

static lc_marked made(lc_evaluator *e, const lc_value *slot)
{
    return (lc_marked){lc_value_new(e->arena, slot), NULL};
}

/* ---- Steps. */

/* An element of a collection, with the marks of the element and of the collection. */
static lc_marked part(lc_evaluator *e, lc_marked whole, const lc_value *elem)
{
    size_t at = (size_t)(elem - whole.value->as.many.elems);
    lc_marked v = {elem, NULL};
    if (whole.marks && at < whole.marks->count)
        v.marks = whole.marks->children[at];
    return with_self(e, v, whole);
}

/* The type of attribute `name` of an unknown value; NULL: it cannot have such an attribute. */
static const lc_type *unknown_attr(const lc_type *type, lc_str name)
{
    if (type->kind == LC_TYPE_MAP)
        return type->as.elem;
    long at = type->kind == LC_TYPE_OBJECT ? lc_type_attr_index(type, name) : -1;
    return at >= 0 ? type->as.attrs[at].type : NULL;
}

/* A legacy index such as `.0`; 16 digits cannot overflow. */
static bool numeric(lc_str text, int64_t *n)
{
    *n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || i > 15)
            return false;
        *n = *n * 10 + (text.ptr[i] - '0');
    }
    return text.len > 0;
}

/* Element number `at` of a list or tuple. */
static bool step_number(lc_evaluator *e, lc_marked base, int64_t at, lc_source_pos place,
                        lc_marked *out)
{
    if (at < 0 || at >= (int64_t)base.value->count)
        return lc_eval_fail(e, place, LC_SUMMARY_INVALID_INDEX,
                            "the collection has no such element");
    *out = part(e, base, &base.value->as.many.elems[at]);
    return true;
}

/* An attribute or key of a known object or map. */
static bool step_named(lc_evaluator *e, lc_marked base, lc_str name, bool index,
                       lc_source_pos place, lc_marked *out)
{
    bool map = base.value->type->kind == LC_TYPE_MAP;
    const lc_value *found = map ? lc_value_key(base.value, name) : lc_value_attr(base.value, name);
    if (found) {
        *out = part(e, base, found);
        return true;
    }
    return lc_eval_fail(e, place,
                        index ? LC_SUMMARY_INVALID_INDEX
                        : map ? LC_SUMMARY_MISSING_ELEMENT
                              : LC_SUMMARY_UNSUPPORTED_ATTRIBUTE,
                        "there is no such element");
}

static bool is_sequence(const lc_type *type)
{
    return type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_TUPLE;
}

static bool is_named(const lc_type *type)
{
    return type->kind == LC_TYPE_MAP || type->kind == LC_TYPE_OBJECT;
}

/* `base.name`. HCL knows the type of an unknown object, so a missing attribute is an error even
 * there. */
static bool eval_attr(lc_evaluator *e, lc_marked base, lc_str name, lc_source_pos place,
                      lc_marked *out)
{
    const lc_type *type = base.value->type;
    int64_t n;
    if (lc_is_null(base.value))
        return lc_eval_fail(e, place, LC_SUMMARY_NULL_ATTRIBUTE, "the value is null");
    if (lc_is_unknown(base.value)) {
        const lc_type *t =
            type->kind == LC_TYPE_DYNAMIC ? &lc_type_dynamic : unknown_attr(type, name);
        if (!t)
            return lc_eval_fail(e, place, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE,
                                "there is no such attribute");
        *out = with_all(e, lc_eval_unknown(e, t), base);
        return true;
    }
    if (is_named(type))
        return step_named(e, base, name, false, place, out);
    if (is_sequence(type) && numeric(name, &n))
        return step_number(e, base, n, place, out);
    return lc_eval_fail(e, place, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, "the value has no attributes");
}

/* `base[key]` if one of them is unknown: an unknown of the element type, if all elements have
 * one. */
static bool step_unknown(lc_evaluator *e, lc_marked base, lc_marked *out)
{
    const lc_type *type = base.value->type;
    const lc_type *t =
        lc_type_is_collection(type) && type->kind != LC_TYPE_SET ? type->as.elem : &lc_type_dynamic;
    *out = with_all(e, lc_eval_unknown(e, t), base);
    return true;
}

static bool step_known(lc_evaluator *e, lc_marked base, const lc_value *key, lc_source_pos place,
                       lc_marked *out)
{
    const lc_type *want = is_named(base.value->type)      ? &lc_type_string
                          : is_sequence(base.value->type) ? &lc_type_number
                                                          : NULL;
    const lc_value *k;
    lc_str why;
    int64_t n;
    if (!want || lc_is_null(key) || !lc_value_convert(&k, e->arena, key, want, &why))
        return lc_eval_fail(e, place, LC_SUMMARY_INVALID_INDEX, "no element can have this key");
    if (want == &lc_type_string)
        return step_named(e, base, k->as.string, true, place, out);
    if (!lc_num_to_int64(k->as.number, &n))
        return lc_eval_fail(e, place, LC_SUMMARY_INVALID_INDEX, "an index is a whole number");
    return step_number(e, base, n, place, out);
}

/* `base[key]`. The result depends on the key, so it gets all marks of the key. */
static bool eval_index(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place,
                       lc_marked *out)
{
    bool ok;
    if (lc_is_null(base.value))
        return lc_eval_fail(e, place, LC_SUMMARY_NULL_INDEXED, "the value is null");
    if (lc_is_unknown(base.value) || lc_is_unknown(key.value))
        ok = step_unknown(e, base, out);
    else
        ok = step_known(e, base, key.value, place, out);
    if (ok)
        *out = with_all(e, *out, key);
    return ok;
}

/* ---- References. */

static bool eval_step(lc_evaluator *e, const lc_ref_step *step, lc_marked *v)
{
    if (step->kind == LC_REF_ATTR)
        return eval_attr(e, *v, step->name, step->place, v);
    lc_marked key;
    return eval(e, step->index, &key) && eval_index(e, *v, key, step->place, v);
}

/* The value of the first step, if it is a plain key. The scope may need only that instance, which
 * avoids building the value of all instances (see lc_lookup.key). */
static bool first_key(lc_evaluator *e, const lc_reference *ref, const lc_value **key)
{
    lc_marked v;
    *key = NULL;
    if (ref->count == 0 || ref->steps[0].kind != LC_REF_INDEX)
        return true;
    if (!eval(e, ref->steps[0].index, &v))
        return false;
    bool usable = lc_is_known(v.value) && lc_marks_all(v) == 0 &&
                  (v.value->type->kind == LC_TYPE_STRING || v.value->type->kind == LC_TYPE_NUMBER);
    if (usable)
        *key = v.value;
    return true;
}

/* The scope gives the value of the reference's beginning; the other steps are applied here. */
static bool eval_reference(lc_evaluator *e, const lc_reference *ref, lc_marked *out)
{
    lc_lookup ask = {.arena = e->arena, .reference = ref, .depth = e->depth};
    if (!e->scope->lookup)
        return lc_eval_fail(e, ref->place, LC_SUMMARY_VARIABLES_NOT_ALLOWED,
                            "the value must be constant");
    if (!first_key(e, ref, &ask.key))
        return false;
    if (!e->scope->lookup(e->scope->context, &ask)) {
        if (!ask.trouble.place.source)
            ask.trouble.place = ref->place;
        return lc_eval_fail_with(e, &ask.trouble);
    }
    *out = ask.value;
    for (size_t i = ask.took_key ? 1 : 0; i < ref->count; i++)
        if (!eval_step(e, &ref->steps[i], out))
            return false;
    return true;
}

static bool eval_name(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    for (const lc_loop_names *n = e->names; n; n = n->up) {
        if (!lc_str_eq(n->name, expr->as.name))
            continue;
        *out = n->value;
        return true;
    }
    return lc_eval_fail(e, expr->place, LC_SUMMARY_UNKNOWN_VARIABLE, "no `for` gives this name");
}

/* ---- Templates. */

/* The text of a template. All marks of its parts are marks of the text. */
static bool eval_template(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_buf buf = {.limit = MAX_TEXT};
    bool unknown = false, ok = true;
    lc_marked sum = {NULL, NULL};
    for (size_t i = 0; i < expr->count && ok; i++) {
        lc_marked v;
        const lc_value *text;
        lc_str why;
        ok = eval(e, expr->items[i], &v);
        if (!ok)
            break;
        sum = with_all(e, sum, v);
        if (lc_is_null(v.value) ||
            !lc_value_convert(&text, e->arena, v.value, &lc_type_string, &why))
            ok = lc_eval_fail(e, expr->items[i]->place, LC_SUMMARY_INTERPOLATION_VALUE,
                              "null and collections are no text");
        else if (lc_is_unknown(text))
            unknown = true;
        else
            lc_buf_add_str(&buf, text->as.string);
    }
    if (ok && buf.overflow)
        ok = lc_eval_fail(e, expr->place, "", "the text is too long");
    lc_value v;
    if (ok)
        lc_value_set_string(&v, e->arena, lc_buf_copy(e->arena, &buf));
    lc_buf_release(&buf);
    if (ok)
        *out = with_all(e, unknown ? lc_eval_unknown(e, &lc_type_string) : made(e, &v), sum);
    return ok;
}

/* ---- Collections. */

/* Each element keeps its own marks. */
lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count)
{
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    const lc_type **types = LC_NEW_ARRAY(e->arena, const lc_type *, count);
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++) {
        elems[i] = *items[i].value;
        types[i] = items[i].value->type;
        marks[i] = items[i].marks;
    }
    lc_value v;
    lc_value_set_tuple(&v, e->arena, lc_type_tuple(e->arena, types, count), elems, count);
    return (lc_marked){lc_value_new(e->arena, &v), lc_marks_join(e->arena, marks, count)};
}

static bool eval_tuple(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_marked *items = LC_NEW_ARRAY(e->arena, lc_marked, expr->count);
    for (size_t i = 0; i < expr->count; i++)
        if (!eval(e, expr->items[i], &items[i]))
            return false;
    *out = lc_eval_tuple(e, items, expr->count);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_eval_member *)a)->name, ((const lc_eval_member *)b)->name);
}

/* The type system wants attributes in the order of their names. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count)
{
    if (count > 1)
        qsort(members, count, sizeof(*members), by_name);
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    lc_type_attr *attrs = LC_NEW_ARRAY(e->arena, lc_type_attr, count);
    const lc_marks **marks = LC_NEW_ARRAY(e->arena, const lc_marks *, count);
    for (size_t i = 0; i < count; i++) {
        elems[i] = *members[i].value.value;
        attrs[i] = (lc_type_attr){members[i].name, elems[i].type, false};
        marks[i] = members[i].value.marks;
    }
    lc_value v;
    lc_value_set_object(&v, e->arena, lc_type_object(e->arena, attrs, count), elems);
    return (lc_marked){lc_value_new(e->arena, &v), lc_marks_join(e->arena, marks, count)};
}

/* Members under construction. The value of a later member replaces that of an earlier one of the
 * same name. */
typedef struct gathering {
    LC_VEC(lc_eval_member) list;
    lc_table at;   /* name -> index */
    lc_marked sum; /* marks of keys */
    /* A key or condition is unknown, and so is the whole object. */
    bool unknown;
} gathering;

static lc_eval_member *gathered(gathering *g, lc_str name)
{
    size_t at = lc_table_get_index(&g->at, name);
    return at != LC_NO_INDEX ? &g->list.items[at] : NULL;
}

static void gather(lc_evaluator *e, gathering *g, lc_str name, lc_marked value)
{
    lc_eval_member *old = gathered(g, name);
    if (old) {
        old->value = value;
        return;
    }
    *LC_PUSH(e->arena, &g->list, lc_eval_member) = (lc_eval_member){name, value};
    lc_table_put_index(&g->at, name, g->list.count - 1);
}

/* A key as text. Its marks are added to those of the object; an unknown key makes the object
 * unknown. */
static bool key_text(lc_evaluator *e, gathering *g, lc_marked key, lc_source_pos place,
                     const char *if_null, const char *if_other, lc_str *out)
{
    const lc_value *text;
    lc_str why;
    g->sum = with_all(e, g->sum, key);
    *out = LC_STR_EMPTY;
    if (lc_is_null(key.value))
        return lc_eval_fail(e, place, if_null, "a key must not be null");
    if (!lc_value_convert(&text, e->arena, key.value, &lc_type_string, &why))
        return lc_eval_fail(e, place, if_other, "a key must be text");
    if (lc_is_unknown(text))
        g->unknown = true;
    else
        *out = text->as.string;
    return true;
}

static lc_marked gathered_object(lc_evaluator *e, gathering *g)
{
    lc_marked v = g->unknown ? lc_eval_unknown(e, &lc_type_dynamic)
                             : lc_eval_object(e, g->list.items, g->list.count);
    lc_table_release(&g->at);
    lc_arena_release(g->list.items, g->list.capacity * sizeof *g->list.items);
    return with_all(e, v, g->sum);
}

static bool eval_object(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    gathering g = {0};
    lc_table_init(&g.at, e->arena);
    for (size_t i = 0; i + 1 < expr->count; i += 2) {
        lc_marked key, value;
        lc_str name;
        if (!eval(e, expr->items[i], &key) ||
            !key_text(e, &g, key, expr->items[i]->place, LC_SUMMARY_NULL_KEY, LC_SUMMARY_KEY_TYPE,
                      &name) ||
            !eval(e, expr->items[i + 1], &value))
            return false;
        gather(e, &g, name, value);
    }
    *out = gathered_object(e, &g);
    return true;
}

/* ---- for and splats. */

/* The state of a `for` expression. */
typedef struct looping {
    const lc_for *loop;
    gathering g;
    LC_VEC(lc_marked) list; /* of a tuple */
    lc_table groups;        /* name -> its values, when grouped */
} looping;

/* The values of one key, in the order of the elements. */
typedef struct group {
    LC_VEC(lc_marked) list;
} group;

/* Evaluates the `if` clause. *keep: the element is included. False: an error is set. The result
 * depends on the condition, so it gets its marks. */
static bool loop_condition(lc_evaluator *e, looping *l, bool *keep)
{
    lc_marked v;
    const lc_value *is;
    lc_str why;
    *keep = true;
    if (!l->loop->condition)
        return true;
    if (!eval(e, l->loop->condition, &v))
        return false;
    l->g.sum = with_all(e, l->g.sum, v);
    if (lc_is_null(v.value) || !lc_value_convert(&is, e->arena, v.value, &lc_type_bool, &why))
        return lc_eval_fail(e, l->loop->condition->place, LC_SUMMARY_FOR_CONDITION,
                            "the condition must be true or false");
    *keep = lc_is_known(is) && is->as.boolean;
    l->g.unknown |= lc_is_unknown(is);
    return true;
}

/* Adds a member to the object of a `for`. With `...` values of one key are collected, else a
 * repeated key is an error. */
static bool loop_member(lc_evaluator *e, looping *l, lc_str name, lc_marked value)
{
    if (!l->loop->grouped) {
        if (!l->g.unknown && gathered(&l->g, name))
            return lc_eval_fail(e, l->loop->key->place, LC_SUMMARY_DUPLICATE_KEY,
                                "two elements have the same key");
        gather(e, &l->g, name, value);
        return true;
    }
    group *of = lc_table_get(&l->groups, name);
    if (!of) {
        of = LC_NEW(e->arena, group);
        lc_table_put(&l->groups, name, of);
        gather(e, &l->g, name, value);
    }
    *LC_PUSH(e->arena, &of->list, lc_marked) = value;
    return true;
}

/* One element, after its names are set. */
static bool loop_body(lc_evaluator *e, looping *l)
{
    bool keep;
    lc_marked key, value;
    lc_str name;
    if (!loop_condition(e, l, &keep))
        return false;
    if (!keep)
        return true;
    if (l->loop->key && (!eval(e, l->loop->key, &key) ||
                         !key_text(e, &l->g, key, l->loop->key->place, LC_SUMMARY_OBJECT_KEY,
                                   LC_SUMMARY_OBJECT_KEY, &name)))
        return false;
    if (!eval(e, l->loop->value, &value))
        return false;
    if (l->loop->key)
        return loop_member(e, l, name, value);
    *LC_PUSH(e->arena, &l->list, lc_marked) = value;
    return true;
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
        lc_value_set_number(&v, LC_NUM((int64_t)at));
    return made(e, &v);
}

/* The names are on the C stack: they are only valid while the element is evaluated. */
static bool loop_element(lc_evaluator *e, looping *l, lc_marked collection, uint32_t at)
{
    lc_loop_names value = {e->names, l->loop->value_name,
                           part(e, collection, &collection.value->as.many.elems[at])};
    lc_loop_names key = {&value, l->loop->key_name, element_key(e, collection.value, at)};
    const lc_loop_names *before = e->names;
    e->names = l->loop->key_name.len > 0 ? &key : &value;
    bool ok = loop_body(e, l);
    e->names = before;
    return ok;
}

/* Builds the tuple or object from what the elements added. */
static lc_marked loop_result(lc_evaluator *e, looping *l)
{
    if (l->g.unknown)
        return with_all(e, lc_eval_unknown(e, &lc_type_dynamic), l->g.sum);
    if (!l->loop->key)
        return with_all(e, lc_eval_tuple(e, l->list.items, l->list.count), l->g.sum);
    for (size_t i = 0; l->loop->grouped && i < l->g.list.count; i++) {
        lc_eval_member *m = &l->g.list.items[i];
        group *of = lc_table_get(&l->groups, m->name);
        m->value = lc_eval_tuple(e, of->list.items, of->list.count);
    }
    return gathered_object(e, &l->g);
}

/* Marks of the collection itself move to the result; marks of elements were passed with them. */
static bool eval_for(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_marked collection;
    looping l = {.loop = expr->as.loop};
    if (!eval(e, l.loop->collection, &collection))
        return false;
    if (lc_is_null(collection.value))
        return lc_eval_fail(e, expr->place, LC_SUMMARY_ITERATION_NULL, "the value is null");
    if (lc_type_is_primitive(collection.value->type))
        return lc_eval_fail(e, expr->place, LC_SUMMARY_ITERATION_TYPE,
                            "only collections have elements");
    if (lc_is_unknown(collection.value)) {
        *out = with_all(e, lc_eval_unknown(e, &lc_type_dynamic), collection);
        return true;
    }
    lc_table_init(&l.g.at, e->arena);
    lc_table_init(&l.groups, e->arena);
    for (uint32_t i = 0; i < collection.value->count; i++)
        if (!loop_element(e, &l, collection, i))
            return false;
    *out = with_self(e, loop_result(e, &l), collection);
    return true;
}

/* A value that is no list, set or tuple is treated as a list of one element. */
static bool splat_elements(lc_evaluator *e, const lc_expr *body, lc_marked base, lc_marked *out)
{
    bool many = base.value->type->kind == LC_TYPE_LIST || base.value->type->kind == LC_TYPE_SET ||
                base.value->type->kind == LC_TYPE_TUPLE;
    size_t count = many ? base.value->count : 1;
    lc_marked *items = LC_NEW_ARRAY(e->arena, lc_marked, count);
    lc_marked before = e->element;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        e->element = many ? part(e, base, &base.value->as.many.elems[i]) : base;
        ok = eval(e, body, &items[i]);
    }
    e->element = before;
    if (ok)
        *out = with_self(e, lc_eval_tuple(e, items, count), base);
    return ok;
}

/* A splat of null is the empty tuple. */
static bool eval_splat(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_marked base;
    if (!eval(e, expr->items[0], &base))
        return false;
    if (lc_is_null(base.value)) {
        *out = with_all(e, lc_eval_tuple(e, NULL, 0), base);
        return true;
    }
    if (lc_is_unknown(base.value)) {
        *out = with_all(e, lc_eval_unknown(e, &lc_type_dynamic), base);
        return true;
    }
    return splat_elements(e, expr->items[1], base, out);
}

/* ---- Conditions. */

/* Converts the chosen result of a condition to the type of both results. A null or unknown without
 * a type adapts to the other one. */
static bool unify(lc_evaluator *e, const lc_expr *expr, lc_marked other, lc_marked *chosen)
{
    const lc_type *types[2] = {chosen->value->type, other.value->type};
    lc_str why;
    if (lc_type_equal(types[0], types[1]) || types[1]->kind == LC_TYPE_DYNAMIC)
        return true;
    if (types[0]->kind == LC_TYPE_DYNAMIC && lc_is_unknown(chosen->value))
        return true;
    const lc_type *both =
        types[0]->kind == LC_TYPE_DYNAMIC ? types[1] : lc_type_unify(e->arena, types, 2, false);
    if (both && lc_marked_convert(chosen, e->arena, *chosen, both, &why))
        return true;
    return lc_eval_fail(e, expr->place, LC_SUMMARY_CONDITIONAL_TYPES,
                        "both results must have one type");
}

/* Only the chosen result's errors count. The other one is evaluated nevertheless, because the type
 * of the result depends on both. */
static bool eval_condition(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    lc_marked test, other;
    const lc_value *is;
    lc_str why;
    if (!eval(e, expr->items[0], &test))
        return false;
    if (lc_is_null(test.value))
        return lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_NULL_CONDITION,
                            "the condition is null");
    if (!lc_value_convert(&is, e->arena, test.value, &lc_type_bool, &why))
        return lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_CONDITION_TYPE,
                            "the condition must be true or false");
    if (lc_is_unknown(is)) {
        *out = with_all(e, lc_eval_unknown(e, &lc_type_dynamic), test);
        return true;
    }
    size_t chosen = is->as.boolean ? 1 : 2;
    if (!eval(e, expr->items[chosen], out))
        return false;
    const lc_eval_error **before = lc_eval_errors_end(e);
    bool has_other = eval(e, expr->items[3 - chosen], &other);
    lc_eval_drop_errors(e, before);
    if (e->stopped)
        return false;
    if (has_other && !unify(e, expr, other, out))
        return false;
    *out = with_all(e, *out, test);
    return true;
}

/* ---- All kinds of nodes. */

/* Dispatches by kind. Operators get the marks of both operands. */
static bool eval_each(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    switch ((lc_expr_kind)expr->kind) {
    case LC_EXPR_LITERAL:
        *out = (lc_marked){expr->as.value, NULL};
        return true;
    case LC_EXPR_TEMPLATE:
        return eval_template(e, expr, out);
    case LC_EXPR_REFERENCE:
        return eval_reference(e, expr->as.reference, out);
    case LC_EXPR_NAME:
        return eval_name(e, expr, out);
    case LC_EXPR_ELEMENT:
        *out = e->element;
        return true;
    case LC_EXPR_ATTR:
        return eval(e, expr->items[0], out) && eval_attr(e, *out, expr->as.name, expr->place, out);
    case LC_EXPR_INDEX: {
        lc_marked key;
        return eval(e, expr->items[0], out) && eval(e, expr->items[1], &key) &&
               eval_index(e, *out, key, expr->place, out);
    }
    case LC_EXPR_SPLAT:
        return eval_splat(e, expr, out);
    case LC_EXPR_TUPLE:
        return eval_tuple(e, expr, out);
    case LC_EXPR_OBJECT:
        return eval_object(e, expr, out);
    case LC_EXPR_CALL:
        return lc_function_call(e, expr, out);
    case LC_EXPR_UNARY:
    case LC_EXPR_BINARY: {
        lc_marked operands[2] = {{NULL, NULL}, {NULL, NULL}};
        for (size_t i = 0; i < expr->count; i++)
            if (!eval(e, expr->items[i], &operands[i]))
                return false;
        if (!lc_eval_operator(e, expr, operands, out))
            return false;
        *out = with_all(e, *out, operands[0]);
        if (expr->count > 1)
            *out = with_all(e, *out, operands[1]);
        return true;
    }
    case LC_EXPR_CONDITION:
        return eval_condition(e, expr, out);
    case LC_EXPR_FOR:
        return eval_for(e, expr, out);
    case LC_EXPR_WRAP:
    case LC_EXPR_PARENS:
        return lc_eval(e, expr->items[0], out);
    case LC_EXPR_JOIN:
    case LC_EXPR_DOTTED:
    case LC_EXPR_BAD:
        *out = lc_eval_unknown(e, &lc_type_dynamic);
        return true;
    case LC_EXPR_UNDECIDED:
        *out = lc_undecided_value(e->arena, expr->as.name, expr->place);
        return true;
    }
    return false;
}

/* Every recursion goes through this function, which enforces the limits. */
static bool eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    if (e->depth >= MAX_DEPTH || ++e->steps > MAX_STEPS)
        return lc_eval_fail(e, expr->place, "", "evaluating this exceeds a limit");
    e->depth++;
    bool ok = eval_each(e, expr, out);
    e->depth--;
    return ok;
}

bool lc_eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out)
{
    if (eval(e, expr, out))
        return true;
    *out = lc_eval_unknown(e, &lc_type_dynamic);
    return false;
}

/* The number of values within `v`, counted up to `most`. */
static size_t weight(const lc_value *v, size_t most)
{
    if (!lc_is_known(v) || lc_type_is_primitive(v->type))
        return 1;
    size_t sum = 1;
    for (uint32_t i = 0; i < v->count && sum < most; i++)
        sum += weight(&v->as.many.elems[i], most - sum);
    return sum;
}

bool lc_evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, const lc_scope *scope,
                 unsigned depth, lc_eval_error *trouble)
{
    lc_evaluator e = {.arena = arena, .scope = scope, .depth = depth};
    *trouble = (lc_eval_error){0};
    if (!eval(&e, expr, out)) {
        *trouble = *e.first;
        return false;
    }
    /* A local that contains another one twice, and so on, doubles its size with each step although
     * the steps of evaluation are few. This bounds the value. */
    if (weight(out->value, MAX_STEPS) < MAX_STEPS)
        return true;
    *trouble = (lc_eval_error){LC_STR_EMPTY, LC_STR("the value is too large"), expr->place, NULL};
    return false;
}

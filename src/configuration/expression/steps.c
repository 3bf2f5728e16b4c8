/* Steps into values, and references, which begin with a name. */
#include "configuration/expression/eval.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"

static lc_marked fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail)
{
    lc_eval_fail(e, place, summary, detail);
    return lc_eval_any();
}

/* ---- An index. */

/* `base[key]`, both known. In cty the key's marks are part of the result here, and only here. */
static lc_marked element(lc_evaluator *e, lc_marked base, lc_marked key, const lc_value *found)
{
    lc_marked v = lc_eval_mark(e, lc_eval_part(base, found), base);
    return lc_eval_mark(e, v, key);
}

/* Lists and tuples. How many elements an unknown tuple has is known. */
static lc_marked index_sequence(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place)
{
    const lc_type *type = base.value->type;
    bool list = type->kind == LC_TYPE_LIST;
    lc_marked k;
    lc_str why;
    int64_t n;
    if (!lc_marked_convert(&k, e->arena, key, &lc_type_number, &why))
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "an index of a list or tuple is a number");
    if (lc_is_unknown(k.value) || (list && lc_is_unknown(base.value)))
        return lc_eval_mark(e, list ? lc_eval_unknown(e, type->as.elem) : lc_eval_any(), base);
    size_t count = list ? base.value->count : type->count;
    if (!lc_num_to_int64(k.value->as.number, &n))
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "an index is a whole number");
    if (n < 0 || (uint64_t)n >= count)
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "the collection has no such element");
    if (lc_is_known(base.value))
        return element(e, base, k, &base.value->as.many.elems[n]);
    return lc_eval_mark(e, lc_eval_mark(e, lc_eval_unknown(e, type->as.items[n]), base), k);
}

static lc_marked index_map(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place)
{
    lc_marked k;
    lc_str why;
    if (!lc_marked_convert(&k, e->arena, key, &lc_type_string, &why))
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "a key of a map is a string");
    if (lc_is_unknown(k.value) || lc_is_unknown(base.value))
        return lc_eval_mark(e, lc_eval_unknown(e, base.value->type->as.elem), base);
    const lc_value *found = lc_value_key(base.value, k.value->as.string);
    if (!found)
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "the map has no such key");
    return element(e, base, k, found);
}

/* The cores differ in an unknown object: OpenTofu does not look at its type. */
static lc_marked index_object(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place)
{
    const lc_type *type = base.value->type;
    bool terraform = e->scope->profile == LC_PROFILE_TERRAFORM;
    lc_marked k;
    lc_str why;
    if (!lc_marked_convert(&k, e->arena, key, &lc_type_string, &why))
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "the name of an attribute is a string");
    if (lc_is_unknown(k.value) || (lc_is_unknown(base.value) && !terraform))
        return lc_eval_mark(e, lc_eval_any(), base);
    long at = lc_type_attr_index(type, k.value->as.string);
    if (at < 0)
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "the object has no such attribute");
    if (lc_is_unknown(base.value))
        return lc_eval_mark(e, lc_eval_unknown(e, type->as.attrs[at].type), base);
    return lc_eval_mark(e, lc_eval_part(base, &base.value->as.many.elems[at]), base);
}

static lc_marked index_typed(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place)
{
    switch (base.value->type->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
        return index_sequence(e, base, key, place);
    case LC_TYPE_MAP:
        return index_map(e, base, key, place);
    case LC_TYPE_OBJECT:
        return index_object(e, base, key, place);
    case LC_TYPE_SET:
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "elements of a set have no index");
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return fail(e, place, LC_SUMMARY_INVALID_INDEX, "the value has no elements");
}

/* HCL's Index. `place` is that of the step. */
static lc_marked apply_index(lc_evaluator *e, lc_marked base, lc_marked key, lc_source_pos place)
{
    lc_marked v;
    if (lc_is_null(base.value))
        return fail(e, place, LC_SUMMARY_NULL_INDEXED, "the value is null");
    if (lc_is_null(key.value))
        return fail(e, place, LC_SUMMARY_INVALID_INDEX, "an index must not be null");
    if (base.value->type->kind == LC_TYPE_DYNAMIC || key.value->type->kind == LC_TYPE_DYNAMIC)
        v = lc_eval_mark(e, lc_eval_any(), base);
    else
        v = index_typed(e, base, key, place);
    return lc_eval_carry(e, v, key);
}

/* ---- An attribute. */

static lc_marked attr_of_object(lc_evaluator *e, lc_marked base, lc_str name, lc_source_pos place)
{
    const lc_type *type = base.value->type;
    long at = lc_type_attr_index(type, name);
    if (at < 0)
        return fail(e, place, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE,
                    "the object has no attribute of this name");
    if (lc_is_unknown(base.value))
        return lc_eval_mark(e, lc_eval_unknown(e, type->as.attrs[at].type), base);
    return lc_eval_mark(e, lc_eval_part(base, &base.value->as.many.elems[at]), base);
}

static lc_marked attr_of_map(lc_evaluator *e, lc_marked base, lc_str name, lc_source_pos place)
{
    if (lc_is_unknown(base.value))
        return lc_eval_mark(e, lc_eval_unknown(e, base.value->type->as.elem), base);
    const lc_value *found = lc_value_key(base.value, name);
    if (!found)
        return fail(e, place, LC_SUMMARY_MISSING_ELEMENT, "the map has no such key");
    return lc_eval_mark(e, lc_eval_part(base, found), base);
}

/* HCL's GetAttr. */
static lc_marked apply_attr(lc_evaluator *e, lc_marked base, lc_str name, lc_source_pos place)
{
    lc_type_kind kind = base.value->type->kind;
    if (lc_is_null(base.value))
        return fail(e, place, LC_SUMMARY_NULL_ATTRIBUTE, "the value is null");
    name = lc_nfc(e->arena, name);
    if (kind == LC_TYPE_OBJECT)
        return attr_of_object(e, base, name, place);
    if (kind == LC_TYPE_MAP)
        return attr_of_map(e, base, name, place);
    if (kind == LC_TYPE_DYNAMIC)
        return lc_eval_mark(e, lc_eval_any(), base);
    return fail(e, place, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, "the value has no attributes");
}

/* ---- Nodes. */

static lc_source_pos mark_of(const lc_expr *expr)
{
    lc_source_pos at = expr->place;
    at.offset = expr->mark;
    return at;
}

/* `base.name`, or `base.0`. */
static lc_marked named(lc_evaluator *e, lc_marked base, lc_str name, lc_source_pos place)
{
    lc_value key;
    if (name.len == 0 || !lc_is_digit(name.ptr[0]))
        return apply_attr(e, base, name, place);
    lc_value_set_string(&key, e->arena, name);
    return apply_index(e, base, (lc_marked){&key, NULL}, place);
}

lc_marked lc_eval_step(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked base, key;
    lc_eval(e, expr->items[0], &base);
    if (expr->kind == LC_EXPR_ATTR)
        return named(e, base, expr->as.name, mark_of(expr));
    lc_eval(e, expr->items[1], &key);
    return apply_index(e, base, key, mark_of(expr));
}

/* A step of a reference. */
static lc_marked follow(lc_evaluator *e, lc_marked v, const lc_ref_step *step)
{
    lc_marked key = {step->key, NULL};
    if (step->kind == LC_REF_ATTR)
        return named(e, v, step->name, step->place);
    if (!key.value)
        lc_eval(e, step->index, &key);
    return apply_index(e, v, key, step->place);
}

static const lc_loop_names *declared(const lc_evaluator *e, lc_str name)
{
    const lc_loop_names *n = e->names;
    while (n && !lc_str_eq(n->name, name))
        n = n->up;
    return n;
}

/* The value of the first step, if it is a plain key. The scope may need only that instance, which
 * avoids building the value of all instances (see lc_lookup.key). */
static const lc_value *first_key(lc_evaluator *e, const lc_reference *ref)
{
    lc_marked v;
    if (ref->count == 0 || ref->steps[0].kind != LC_REF_INDEX)
        return NULL;
    if (ref->steps[0].key)
        return ref->steps[0].key;
    const lc_eval_error **before = lc_eval_errors_end(e);
    lc_eval(e, ref->steps[0].index, &v);
    lc_eval_drop_errors(e, before); /* reported when the step is taken */
    bool usable = lc_is_known(v.value) && !(lc_marks_all(v) & ~(unsigned)LC_MARK_HIDDEN) &&
                  (v.value->type->kind == LC_TYPE_STRING || v.value->type->kind == LC_TYPE_NUMBER);
    return usable ? v.value : NULL;
}

/* What the scope answers to the beginning of a reference. The cores ask for all references before
 * they evaluate anything, so a failure ends the evaluation. */
static lc_marked look_up(lc_evaluator *e, lc_lookup *ask)
{
    if (e->scope->lookup(e->scope->context, ask)) {
        bool many = ask->reference->root >= LC_ROOT_MODULE && !ask->took_key;
        if (many && lc_is_known(ask->value.value) && !lc_type_is_primitive(ask->value.value->type))
            lc_eval_spend(e, ask->value.value->count / 8, ask->reference->place);
        return ask->value;
    }
    if (!ask->trouble.place.source)
        ask->trouble.place = ask->reference->place;
    lc_eval_stop(e, &ask->trouble);
    return lc_eval_any();
}

lc_marked lc_eval_reference(lc_evaluator *e, const lc_reference *ref)
{
    const lc_loop_names *n = declared(e, ref->head);
    lc_lookup ask = {.arena = e->arena, .reference = ref, .depth = e->depth};
    const lc_ref_step *steps = n ? ref->path : ref->steps;
    size_t count = n ? ref->path_count : ref->count;
    lc_marked v;
    if (n) {
        v = n->value;
    } else if (!e->scope->lookup) {
        v = e->scope->empty ? fail(e, ref->place, LC_SUMMARY_UNKNOWN_VARIABLE,
                                   "an expression with a wrong reference has no value")
                            : fail(e, ref->place, LC_SUMMARY_VARIABLES_NOT_ALLOWED,
                                   "only constant values are allowed here");
    } else {
        ask.key = first_key(e, ref);
        v = look_up(e, &ask);
    }
    for (size_t i = ask.took_key ? 1 : 0; i < count && !e->stopped; i++)
        v = follow(e, v, &steps[i]);
    return v;
}

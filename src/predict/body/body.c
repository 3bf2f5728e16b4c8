/* The body of a block as an object of its schema, with marks: attributes, and how blocks become
 * values. Which blocks there are, blocks.c determines. */
#include "predict/body/body.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* ---- Errors. The clients go on with an unknown value and report all of them. */

static void add_errors(lc_body_decoder *d, const lc_eval_error *trouble)
{
    for (; trouble; trouble = trouble->next) {
        lc_eval_error *kept = d->failed ? LC_NEW(d->arena, lc_eval_error) : d->trouble;
        *kept = *trouble;
        kept->next = NULL;
        if (d->failed)
            d->last->next = kept;
        d->last = kept;
        d->failed = true;
    }
}

void lc_body_complain(lc_body_decoder *d, const char *summary, lc_str detail, lc_source_pos place)
{
    lc_eval_error trouble = {lc_str_from_c(summary), detail, place, NULL};
    add_errors(d, &trouble);
}

void lc_body_complain_of_nulls(lc_body_decoder *d)
{
    bool failed = d->failed;
    for (size_t i = 0; !failed && i < d->nulls.count; i++)
        add_errors(d, &d->nulls.items[i]);
}

bool lc_body_evaluate(lc_marked *out, lc_body_decoder *d, const lc_expr *expr)
{
    lc_eval_error trouble = {0};
    lc_eval_scope scope = *d->scope;
    scope.instance = &d->instance;
    if (lc_predict_evaluate(out, &scope, expr, &trouble))
        return true;
    add_errors(d, &trouble);
    return false;
}

static bool complain(lc_body_decoder *d, const char *summary, lc_str detail)
{
    lc_body_complain(d, summary, detail, d->place);
    return false;
}

static lc_marked null_of(lc_body_decoder *d, const lc_type *type)
{
    lc_value v;
    lc_value_set_null(&v, type);
    return (lc_marked){lc_value_new(d->arena, &v), NULL};
}

/* An unknown value of the type, with all marks of what was unknown. */
static lc_marked unknown_of(lc_body_decoder *d, const lc_type *type, const lc_marks *marks)
{
    lc_marked out = lc_marked_unknown(d->arena, type);
    return marks ? lc_marked_with(d->arena, out, marks->all, marks->undecided) : out;
}

static bool is_object(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static lc_str key_at(const lc_value *v, size_t i)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
}

/* ---- Attributes. */

static bool decode_nested(lc_marked *out, lc_body_decoder *d, lc_marked v,
                          const lc_nested_type *nested);

static bool convert(lc_marked *out, lc_body_decoder *d, lc_marked v, const lc_type *want)
{
    lc_str why;
    if (lc_marked_convert(out, d->arena, v, want, &why))
        return true;
    return complain(d, LC_SUMMARY_ATTRIBUTE_TYPE, why);
}

/* A nested attribute is null as a whole, or has an object or collection. */
static bool decode_attribute(lc_marked *out, lc_body_decoder *d, lc_marked v, const lc_attribute *a)
{
    if (!a->nested)
        return convert(out, d, v, a->type ? a->type : &lc_type_dynamic);
    if (lc_is_null(v.value)) {
        *out = null_of(d, a->implied);
        out->marks = v.marks;
        return true;
    }
    return decode_nested(out, d, v, a->nested);
}

/* A required attribute that is null. Its provider rejects it, which is not asked about a body with
 * another error. */
static lc_marked null_of_required(lc_body_decoder *d, const lc_attribute *a)
{
    *LC_PUSH(d->arena, &d->nulls, lc_eval_error) =
        (lc_eval_error){LC_STR(LC_SUMMARY_MISSING_ARGUMENT), a->name, d->place, NULL};
    return unknown_of(d, a->implied, NULL);
}

/* Attributes of an object, stored at the slots that the schema assigns. Missing ones are null; a
 * required one must be there, or the object has another type. */
static bool decode_attributes(lc_value *elems, const lc_marks **marks, lc_body_decoder *d,
                              lc_marked v, const lc_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_marked given, value;
        bool there = lc_predict_part(&given, v, a->name);
        if (a->required && !there)
            return complain(
                d, LC_SUMMARY_ATTRIBUTE_TYPE,
                lc_str_printf(d->arena, "attribute \"%.*s\" is required", LC_FMT(a->name)));
        if (!there)
            value = null_of(d, a->implied);
        else if (a->required && lc_is_null(given.value))
            value = null_of_required(d, a);
        else if (!decode_attribute(&value, d, given, a))
            return false;
        elems[a->slot] = *value.value;
        marks[a->slot] = value.marks;
    }
    return true;
}

static bool decode_nested_object(lc_marked *out, lc_body_decoder *d, lc_marked v,
                                 const lc_nested_type *nested)
{
    if (lc_is_unknown(v.value)) {
        *out = unknown_of(d, nested->object, v.marks);
        return true;
    }
    if (!lc_is_known(v.value) || !is_object(v.value))
        return complain(d, LC_SUMMARY_ATTRIBUTE_TYPE, LC_STR("an object is required"));
    size_t count = nested->attribute_count;
    lc_value *elems = LC_NEW_ARRAY(d->arena, lc_value, count), object;
    const lc_marks **marks = lc_arena_zalloc(d->arena, lc_mul_size(count, sizeof *marks));
    if (!decode_attributes(elems, marks, d, v, nested->attributes, count))
        return false;
    lc_value_set_object(&object, d->arena, nested->object, elems);
    *out = (lc_marked){lc_value_new(d->arena, &object), lc_marks_join(d->arena, marks, count)};
    return true;
}

/* Combines the elements of nested attributes or blocks, by nesting mode. Marks of set elements move
 * to the set, because elements cannot be addressed. */
static bool collect(lc_marked *out, lc_body_decoder *d, lc_nesting nesting, const lc_type *implied,
                    lc_marked *items, const lc_str *names, size_t count)
{
    lc_value *elems = LC_NEW_ARRAY(d->arena, lc_value, count), v;
    lc_str *keys = LC_NEW_ARRAY(d->arena, lc_str, count);
    const lc_marks **marks = lc_arena_zalloc(d->arena, lc_mul_size(count, sizeof *marks));
    for (size_t i = 0; i < count; i++) {
        elems[i] = *items[i].value;
        marks[i] = items[i].marks;
        if (names)
            keys[i] = names[i];
    }
    const lc_marks *joined = lc_marks_join(d->arena, marks, count);
    bool good = true;
    if (implied->kind == LC_TYPE_DYNAMIC) {
        *out = lc_predict_tuple(d->arena, items, count);
        return true;
    }
    if (nesting == LC_NESTING_MAP)
        good = lc_value_set_map(&v, d->arena, implied, keys, elems, count);
    else if (nesting == LC_NESTING_SET)
        good = lc_value_set_set(&v, d->arena, implied, elems, count);
    else
        good = lc_value_set_list(&v, d->arena, implied, elems, count);
    if (!good)
        return complain(d, LC_SUMMARY_ATTRIBUTE_TYPE, LC_STR("elements of several types"));
    *out = (lc_marked){lc_value_new(d->arena, &v), joined};
    if (nesting == LC_NESTING_SET && joined)
        *out =
            lc_marked_with(d->arena, (lc_marked){out->value, NULL}, joined->all, joined->undecided);
    return true;
}

/* A nested attribute in its nesting mode. */
static bool decode_nested(lc_marked *out, lc_body_decoder *d, lc_marked v,
                          const lc_nested_type *nested)
{
    if (nested->nesting == LC_NESTING_SINGLE || nested->nesting == LC_NESTING_GROUP)
        return decode_nested_object(out, d, v, nested);
    if (!lc_is_known(v.value)) {
        *out = unknown_of(d, nested->implied, v.marks);
        return true;
    }
    if (lc_type_is_primitive(v.value->type) ||
        is_object(v.value) != (nested->nesting == LC_NESTING_MAP))
        return complain(d, LC_SUMMARY_ATTRIBUTE_TYPE, LC_STR("a collection is required"));
    size_t count = v.value->count;
    lc_marked *items = LC_NEW_ARRAY(d->arena, lc_marked, count);
    lc_str *names = LC_NEW_ARRAY(d->arena, lc_str, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = is_object(v.value) ? key_at(v.value, i) : LC_STR_EMPTY;
        if (!decode_nested_object(&items[i], d, lc_predict_child(v, i), nested))
            return false;
    }
    return collect(out, d, nested->nesting, nested->implied, items, names, count);
}

/* ---- What a body needs of this file. */

lc_marked lc_body_null(lc_body_decoder *d, const lc_type *type)
{
    return null_of(d, type);
}

lc_marked lc_body_unknown(lc_body_decoder *d, const lc_type *type, const lc_marks *marks)
{
    return unknown_of(d, type, marks);
}

/* True if an ephemeral value is in an attribute that is not write-only. */
static bool is_exposed(lc_marked v, const lc_attribute *a);

/* The same for an object of the nested type, or a collection of them. */
static bool is_nested_exposed(lc_marked v, const lc_nested_type *nested, bool object)
{
    bool exposed = (lc_marks_self(v) & LC_MARK_EPHEMERAL) != 0;
    for (size_t i = 0; object && !exposed && i < nested->attribute_count; i++) {
        lc_marked one;
        exposed = lc_predict_part(&one, v, nested->attributes[i].name) &&
                  is_exposed(one, &nested->attributes[i]);
    }
    for (size_t i = 0; !object && !exposed && i < v.value->count; i++) {
        lc_marked one = lc_predict_child(v, i);
        exposed = is_nested_exposed(one, nested, lc_is_known(one.value) && is_object(one.value));
    }
    return exposed;
}

static bool is_exposed(lc_marked v, const lc_attribute *a)
{
    if (a->write_only || !(lc_marks_all(v) & LC_MARK_EPHEMERAL))
        return false;
    if (!a->nested || !lc_is_known(v.value) || lc_type_is_primitive(v.value->type))
        return true;
    bool single = a->nested->nesting == LC_NESTING_SINGLE || a->nested->nesting == LC_NESTING_GROUP;
    return is_nested_exposed(v, a->nested, single && is_object(v.value));
}

/* Ephemeral values go into write-only attributes only. */
static void check_ephemeral(lc_body_decoder *d, lc_marked v, const lc_attribute *a)
{
    if (is_exposed(v, a))
        complain(d,
                 is_opentofu(d->scope->run) ? LC_SUMMARY_EPHEMERAL_OPENTOFU
                                            : LC_SUMMARY_EPHEMERAL_TERRAFORM,
                 lc_str_printf(d->arena, "%.*s is stored; an ephemeral value cannot be",
                               LC_FMT(a->name)));
}

lc_marked lc_body_attribute(lc_body_decoder *d, const lc_expr *expr, const lc_attribute *a)
{
    lc_marked given, value;
    d->place = lc_expr_pos(expr);
    if (!lc_body_evaluate(&given, d, expr))
        return unknown_of(d, a->implied, NULL);
    if (a->required && lc_is_null(given.value))
        return null_of_required(d, a);
    check_ephemeral(d, given, a);
    return decode_attribute(&value, d, given, a) ? value : unknown_of(d, a->implied, given.marks);
}

lc_marked lc_body_collect(lc_body_decoder *d, const lc_block_type *type, lc_marked *items,
                          const lc_str *names, size_t count)
{
    lc_marked out;
    return collect(&out, d, type->nesting, type->implied, items, names, count)
               ? out
               : unknown_of(d, type->implied, NULL);
}

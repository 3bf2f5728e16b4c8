/* Splats: `list[*].name`, `list.*.name`. */
#include "configuration/expression/eval.h"
#include "lifecheck/catalog/core_message.h"

static bool is_list_or_set(const lc_type *type)
{
    return type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET;
}

/* Applies the splat to one element. */
static bool apply(lc_evaluator *e, const lc_expr *expr, lc_marked element, lc_marked *out)
{
    lc_marked before = e->element;
    e->element = element;
    bool ok = lc_eval(e, expr->items[1], out);
    e->element = before;
    return ok;
}

/* The type that an element of type `elem` becomes. */
static const lc_type *applied_type(lc_evaluator *e, const lc_expr *expr, const lc_type *elem)
{
    lc_marked v;
    apply(e, expr, lc_eval_unknown(e, elem), &v);
    return v.value->type;
}

/* The type of the whole result, found with unknown elements. */
static const lc_type *result_type(lc_evaluator *e, const lc_expr *expr, const lc_type *source)
{
    if (is_list_or_set(source))
        return lc_type_collection(e->arena, LC_TYPE_LIST, applied_type(e, expr, source->as.elem));
    const lc_type **items = LC_NEW_ARRAY(e->arena, const lc_type *, source->count);
    for (size_t i = 0; i < source->count; i++)
        items[i] = applied_type(e, expr, source->as.items[i]);
    return lc_type_tuple(e->arena, items, source->count);
}

/* The result is not null, and as long as the source. */
static lc_marked splat_unknown(lc_evaluator *e, const lc_expr *expr, lc_marked source)
{
    const lc_type *type = result_type(e, expr, source.value->type);
    lc_refinement r = {.not_null = true};
    if (lc_type_is_collection(source.value->type)) {
        lc_refinement range = lc_value_range(source.value);
        r.has_min_len = range.has_min_len;
        r.has_max_len = range.has_max_len;
        r.min_len = range.min_len;
        r.max_len = range.max_len;
    }
    return lc_eval_mark(e, lc_eval_refined(e, type, &r), source);
}

/* Elements of a list have one type; one that is not known yet takes it. */
static lc_marked make_list(lc_evaluator *e, const lc_expr *expr, const lc_marked *items,
                           size_t count)
{
    lc_marked tuple = lc_eval_tuple(e, items, count);
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, count);
    lc_value v;
    for (size_t i = 0; i < count; i++)
        elems[i] = *items[i].value;
    if (!lc_value_set_list(&v, e->arena,
                           lc_type_collection(e->arena, LC_TYPE_LIST, &lc_type_dynamic), elems,
                           count)) {
        if (lc_marks_all(tuple) & LC_MARK_UNDECIDED)
            return lc_eval_mark_all(e, lc_eval_any(), tuple);
        lc_eval_fail(e, expr->items[1]->place, LC_SUMMARY_NESTED_SPLAT,
                     "elements of different types make no list");
        return lc_eval_any();
    }
    return (lc_marked){lc_value_new(e->arena, &v), tuple.marks};
}

/* `single`: the source is one unknown value in a tuple, which may turn out to be null. */
static lc_marked splat_known(lc_evaluator *e, const lc_expr *expr, lc_marked source, bool single)
{
    size_t count = source.value->count;
    const lc_type *type = source.value->type;
    lc_marked *items = LC_NEW_ARRAY(e->arena, lc_marked, count), v;
    bool ok = true;
    for (size_t i = 0; i < count && !e->stopped; i++)
        ok &= apply(e, expr, lc_eval_part(source, &source.value->as.many.elems[i]), &items[i]);
    if (e->stopped)
        return lc_eval_any();
    if (single)
        return lc_eval_carry(e, lc_eval_mark(e, lc_eval_any(), source), source);
    if (!ok) {
        const lc_eval_error **before = lc_eval_errors_end(e);
        v = lc_eval_unknown(e, result_type(e, expr, type));
        lc_eval_drop_errors(e, before);
    } else if (is_list_or_set(type) && count == 0) {
        lc_value empty;
        lc_value_set_list(&empty, e->arena, result_type(e, expr, type), NULL, 0);
        v = (lc_marked){lc_value_new(e->arena, &empty), NULL};
    } else {
        v = is_list_or_set(type) ? make_list(e, expr, items, count)
                                 : lc_eval_tuple(e, items, count);
    }
    return lc_eval_mark(e, v, source);
}

static lc_marked splat_null(lc_evaluator *e, const lc_expr *expr, lc_marked source, bool many)
{
    if (!many)
        return lc_eval_mark(e, lc_eval_tuple(e, NULL, 0), source);
    lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_SPLAT_NULL, "the list is null");
    return lc_eval_any();
}

/* A value that is not a list, set or tuple is treated as a tuple of one element, null as an empty
 * one. */
lc_marked lc_eval_splat(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked source;
    if (!lc_eval(e, expr->items[0], &source))
        return lc_eval_any();
    const lc_type *type = source.value->type;
    bool many = is_list_or_set(type) || type->kind == LC_TYPE_TUPLE, single = false;
    if (lc_is_null(source.value))
        return splat_null(e, expr, source, many);
    if (type->kind == LC_TYPE_DYNAMIC)
        return lc_eval_mark(e, lc_eval_any(), source);
    if (!many) {
        single = lc_is_unknown(source.value) && !lc_value_range(source.value).not_null;
        source = lc_eval_mark(e, lc_eval_tuple(e, &source, 1), source);
    }
    return lc_is_known(source.value) ? splat_known(e, expr, source, single)
                                     : splat_unknown(e, expr, source);
}

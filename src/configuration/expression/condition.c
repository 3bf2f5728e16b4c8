/* Conditions, `test ? yes : no`, which are also the `%{if}` of a template. */
#include "configuration/expression/eval.h"
#include "lifecheck/catalog/core_message.h"

/* A null without marks and without a type, as the literal is one. */
static bool is_plain_null(lc_marked v)
{
    return lc_is_null(v.value) && v.value->type->kind == LC_TYPE_DYNAMIC && !lc_is_marked(v);
}

/* The type of both results; NULL if they have no common type. A null takes the other's type; with
 * an unknown of unknown type, the type is open. */
static const lc_type *common_type(lc_evaluator *e, const lc_marked results[2])
{
    const lc_type *types[2] = {results[0].value->type, results[1].value->type};
    if (is_plain_null(results[0]))
        return types[1];
    if (is_plain_null(results[1]))
        return types[0];
    if (types[0]->kind == LC_TYPE_DYNAMIC || types[1]->kind == LC_TYPE_DYNAMIC)
        return &lc_type_dynamic;
    if (lc_type_equal(types[0], types[1]))
        return types[0];
    return lc_type_unify(e->arena, types, 2, true);
}

/* ---- An unknown condition. */

/* The wider of two bounds: `sign` is 1 for upper bounds, -1 for lower ones. */
static void widen(const lc_num bounds[2], const bool inclusive[2], int sign, lc_num *bound,
                  bool *is_inclusive)
{
    int order = lc_num_cmp(bounds[0], bounds[1]) * sign;
    *bound = bounds[order > 0 ? 0 : 1];
    *is_inclusive = order > 0   ? inclusive[0]
                    : order < 0 ? inclusive[1]
                                : inclusive[0] || inclusive[1];
}

/* A bound that turns out infinite is not a bound. */
static void widen_numbers(lc_refinement *out, const lc_refinement r[2])
{
    if (r[0].has_min && r[1].has_min) {
        widen((lc_num[2]){r[0].min, r[1].min}, (bool[2]){r[0].min_inclusive, r[1].min_inclusive},
              -1, &out->min, &out->min_inclusive);
        out->has_min = !lc_num_is_inf(out->min);
    }
    if (r[0].has_max && r[1].has_max) {
        widen((lc_num[2]){r[0].max, r[1].max}, (bool[2]){r[0].max_inclusive, r[1].max_inclusive}, 1,
              &out->max, &out->max_inclusive);
        out->has_max = !lc_num_is_inf(out->max);
    }
}

static void widen_lengths(lc_refinement *out, const lc_refinement r[2])
{
    out->has_min_len = r[0].has_min_len && r[1].has_min_len;
    out->has_max_len = r[0].has_max_len && r[1].has_max_len;
    out->min_len = r[0].min_len < r[1].min_len ? r[0].min_len : r[1].min_len;
    out->max_len = r[0].max_len > r[1].max_len ? r[0].max_len : r[1].max_len;
}

/* Either result is possible. HCL keeps what both have in common: not null, bounds of numbers, and
 * lengths of collections of one type. */
static lc_marked either(lc_evaluator *e, const lc_marked results[2], const lc_type *type)
{
    const lc_value *v[2] = {results[0].value, results[1].value};
    if (lc_is_null(v[0]) && lc_is_null(v[1]))
        return lc_eval_null(e, type);
    lc_refinement r[2] = {lc_value_range(v[0]), lc_value_range(v[1])};
    lc_refinement both = {.not_null = r[0].not_null && r[1].not_null};
    if (v[0]->type->kind == LC_TYPE_NUMBER && v[1]->type->kind == LC_TYPE_NUMBER)
        widen_numbers(&both, r);
    else if (lc_type_is_collection(v[0]->type) && lc_type_equal(v[0]->type, v[1]->type))
        widen_lengths(&both, r);
    return lc_eval_refined(e, type, &both);
}

/* ---- A known one. */

/* Results do not fit together. If lifecheck cannot determine a part of them, their type is not
 * known either, and the cores may well find a common type. */
static bool is_unsure(lc_evaluator *e, const lc_marked results[2], lc_marked *out)
{
    *out = lc_eval_mark_all(e, lc_eval_mark_all(e, lc_eval_any(), results[0]), results[1]);
    return !lc_marked_type_is_sure(results[0]) || !lc_marked_type_is_sure(results[1]);
}

/* The chosen result, converted to the common type. */
static lc_marked choose(lc_evaluator *e, const lc_expr *expr, size_t at, const lc_marked results[2],
                        const lc_type *type)
{
    lc_str why;
    lc_marked v = results[at];
    if (lc_eval_convert(e, &v, type, expr->place, &why) || is_unsure(e, results, &v))
        return v;
    lc_eval_fail(e, expr->items[1 + at]->place, LC_SUMMARY_CONDITIONAL_TYPES,
                 "the result has the wrong type");
    return lc_eval_unknown(e, type);
}

static lc_marked mark(lc_evaluator *e, lc_marked v, lc_marked test, const lc_marked results[2])
{
    v = lc_eval_mark(e, v, test);
    v = lc_eval_mark(e, v, results[0]);
    return lc_eval_mark(e, v, results[1]);
}

/* Only the chosen result's errors count, none if the condition is unknown. Both are evaluated,
 * because the type of the result depends on both. */
static lc_marked decide(lc_evaluator *e, const lc_expr *expr, const lc_marked results[2],
                        const lc_eval_errors errors[2], const lc_type *type)
{
    lc_marked test;
    const lc_value *is;
    lc_str why;
    lc_eval(e, expr->items[0], &test);
    if (lc_is_null(test.value)) {
        lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_NULL_CONDITION, "the condition is null");
        return lc_eval_unknown(e, type);
    }
    if (lc_is_unknown(test.value))
        return mark(e, either(e, results, type), test, results);
    if (!lc_value_convert(&is, e->arena, test.value, &lc_type_bool, &why)) {
        lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_CONDITION_TYPE,
                     "the condition must be true or false");
        return lc_eval_unknown(e, type);
    }
    size_t at = is->as.boolean ? 0 : 1;
    lc_eval_put_errors(e, errors[at]);
    return mark(e, choose(e, expr, at, results, type), test, results);
}

lc_marked lc_eval_condition(lc_evaluator *e, const lc_expr *expr)
{
    const lc_eval_error **before = lc_eval_errors_end(e);
    lc_marked results[2];
    lc_eval_errors errors[2];
    for (size_t i = 0; i < 2; i++) {
        lc_eval(e, expr->items[1 + i], &results[i]);
        errors[i] = lc_eval_take_errors(e, before);
    }
    const lc_type *type = common_type(e, results);
    lc_marked unsure;
    if (type)
        return decide(e, expr, results, errors, type);
    if (is_unsure(e, results, &unsure))
        return unsure;
    lc_eval_fail(e, expr->items[1]->place, LC_SUMMARY_CONDITIONAL_TYPES,
                 "both results must have one type");
    return lc_eval_any();
}

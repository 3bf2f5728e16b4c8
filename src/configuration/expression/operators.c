/* Operators. Operands have no marks here; the caller adds them to the result. */
#include "configuration/expression/eval.h"
#include "lifecheck/core_message.h"

static lc_marked truth(lc_evaluator *e, bool is)
{
    lc_value v;
    lc_value_set_bool(&v, is);
    return (lc_marked){lc_value_new(e->arena, &v), NULL};
}

/* Converts an operand. The core's summary for null depends on whether its type is primitive. */
static bool operand(lc_evaluator *e, const lc_expr *at, lc_marked v, const lc_type *want,
                    const lc_value **out)
{
    lc_str why;
    bool simple = v.value->type->kind == LC_TYPE_DYNAMIC || lc_type_is_primitive(v.value->type);
    if (lc_is_null(v.value))
        return lc_eval_fail(e, at->place,
                            simple ? LC_SUMMARY_OPERATION_FAILED : LC_SUMMARY_INVALID_OPERAND,
                            "the operand is null");
    if (lc_value_convert(out, e->arena, v.value, want, &why))
        return true;
    return lc_eval_fail(e, at->place, LC_SUMMARY_INVALID_OPERAND, "the operand is of another type");
}

static lc_marked equality(lc_evaluator *e, lc_op op, const lc_marked v[2])
{
    /* HCL compares nulls regardless of their types. */
    bool nulls = lc_is_null(v[0].value) || lc_is_null(v[1].value);
    lc_tri same;
    if (nulls && !lc_is_unknown(v[0].value) && !lc_is_unknown(v[1].value))
        same = lc_is_null(v[0].value) && lc_is_null(v[1].value) ? LC_TRUE : LC_FALSE;
    else
        same = lc_value_equals(v[0].value, v[1].value);
    if (same == LC_MAYBE)
        return lc_eval_unknown(e, &lc_type_bool);
    return truth(e, (same == LC_TRUE) == (op == LC_OP_EQUAL));
}

/* `false && unknown` is false and `true
 *
 * unknown` is true, as in the cores: one operand may decide. */
static bool logic(lc_evaluator *e, const lc_expr *expr, const lc_marked v[2], lc_marked *out)
{
    /* The value of one operand that decides the result. */
    bool decides = expr->op == LC_OP_OR;
    const lc_value *is[2];
    for (size_t i = 0; i < 2; i++)
        if (!operand(e, expr->items[i], v[i], &lc_type_bool, &is[i]))
            return false;
    for (size_t i = 0; i < 2; i++)
        if (lc_is_known(is[i]) && is[i]->as.boolean == decides) {
            *out = truth(e, decides);
            return true;
        }
    bool unknown = lc_is_unknown(is[0]) || lc_is_unknown(is[1]);
    *out = unknown ? lc_eval_unknown(e, &lc_type_bool) : truth(e, !decides);
    return true;
}

static bool order(lc_op op, int cmp)
{
    return op == LC_OP_LESS         ? cmp < 0
           : op == LC_OP_LESS_EQUAL ? cmp <= 0
           : op == LC_OP_MORE       ? cmp > 0
                                    : cmp >= 0;
}

/* Exact results within 64 bits only; false: anything else, which is undecided. */
static bool arithmetic(lc_op op, int64_t a, int64_t b, int64_t *out)
{
    if (op == LC_OP_ADD)
        return !__builtin_add_overflow(a, b, out);
    if (op == LC_OP_SUBTRACT)
        return !__builtin_sub_overflow(a, b, out);
    if (op == LC_OP_MULTIPLY)
        return !__builtin_mul_overflow(a, b, out);
    if (b == 0 || (a == INT64_MIN && b == -1) || (op == LC_OP_DIVIDE && a % b != 0))
        return false;
    *out = op == LC_OP_DIVIDE ? a / b : a % b;
    return true;
}

/* A division by zero is an error of the core only if the dividend is zero, too; otherwise cty's
 * result is infinite, which is not represented here. The remainder (%) is an error in both cases.
 */
static bool numbers(lc_evaluator *e, const lc_expr *expr, const lc_value *n[2], lc_marked *out)
{
    lc_op op = (lc_op)expr->op;
    bool compares = op >= LC_OP_LESS && op <= LC_OP_MORE_EQUAL;
    int64_t a, b, result;
    if (lc_is_unknown(n[0]) || lc_is_unknown(n[1])) {
        *out = lc_eval_unknown(e, compares ? &lc_type_bool : &lc_type_number);
        return true;
    }
    if (compares) {
        *out = truth(e, order(op, lc_num_cmp(n[0]->as.number, n[1]->as.number)));
        return true;
    }
    if (op == LC_OP_DIVIDE && lc_num_sign(n[1]->as.number) == 0 &&
        lc_num_sign(n[0]->as.number) != 0) {
        *out = lc_undecided_value(e->arena, LC_STR("it is infinite"), expr->place);
        return true;
    }
    if ((op == LC_OP_DIVIDE || op == LC_OP_MODULO) && lc_num_sign(n[1]->as.number) == 0)
        return lc_eval_fail(e, expr->place,
                            op == LC_OP_DIVIDE ? LC_SUMMARY_DIVISION_BY_ZERO
                                               : LC_SUMMARY_OPERATION_FAILED,
                            "the divisor is zero");
    lc_value v;
    if (!lc_num_to_int64(n[0]->as.number, &a) || !lc_num_to_int64(n[1]->as.number, &b) ||
        !arithmetic(op, a, b, &result)) {
        *out = lc_undecided_value(
            e->arena, LC_STR("arithmetic is evaluated for whole numbers only"), expr->place);
        return true;
    }
    lc_value_set_number(&v, lc_num_from_int(result));
    *out = (lc_marked){lc_value_new(e->arena, &v), NULL};
    return true;
}

/* Computed as 0 - v. */
static bool negate(lc_evaluator *e, const lc_expr *expr, lc_marked v, lc_marked *out)
{
    const lc_value *pair[2];
    lc_value zero;
    lc_value_set_number(&zero, LC_NUM(0));
    if (!operand(e, expr->items[0], v, &lc_type_number, &pair[1]))
        return false;
    pair[0] = &zero;
    lc_expr minus = *expr;
    minus.op = LC_OP_SUBTRACT;
    return numbers(e, &minus, pair, out);
}

static bool not(lc_evaluator * e, const lc_expr *expr, lc_marked v, lc_marked *out)
{
    const lc_value *is;
    if (!operand(e, expr->items[0], v, &lc_type_bool, &is))
        return false;
    *out = lc_is_unknown(is) ? lc_eval_unknown(e, &lc_type_bool) : truth(e, !is->as.boolean);
    return true;
}

bool lc_eval_operator(lc_evaluator *e, const lc_expr *expr, const lc_marked v[2], lc_marked *out)
{
    lc_op op = (lc_op)expr->op;
    const lc_value *n[2];
    if (op == LC_OP_NOT)
        return not(e, expr, v[0], out);
    if (op == LC_OP_NEGATE)
        return negate(e, expr, v[0], out);
    if (op == LC_OP_OR || op == LC_OP_AND)
        return logic(e, expr, v, out);
    if (op == LC_OP_EQUAL || op == LC_OP_NOT_EQUAL) {
        *out = equality(e, op, v);
        return true;
    }
    for (size_t i = 0; i < 2; i++)
        if (!operand(e, expr->items[i], v[i], &lc_type_number, &n[i]))
            return false;
    return numbers(e, expr, n, out);
}

/* Operators. */
#include "configuration/expression/eval.h"
#include "lifecheck/catalog/core_message.h"

static bool compares_numbers(lc_op op)
{
    return op >= LC_OP_LESS && op <= LC_OP_MORE_EQUAL;
}

/* The type of the operands; dynamic: any. */
static const lc_type *operand_type(lc_op op)
{
    switch (op) {
    case LC_OP_EQUAL:
    case LC_OP_NOT_EQUAL:
        return &lc_type_dynamic;
    case LC_OP_OR:
    case LC_OP_AND:
    case LC_OP_NOT:
        return &lc_type_bool;
    case LC_OP_LESS:
    case LC_OP_LESS_EQUAL:
    case LC_OP_MORE:
    case LC_OP_MORE_EQUAL:
    case LC_OP_ADD:
    case LC_OP_SUBTRACT:
    case LC_OP_MULTIPLY:
    case LC_OP_DIVIDE:
    case LC_OP_MODULO:
    case LC_OP_NEGATE:
        break;
    }
    return &lc_type_number;
}

static const lc_type *result_type(lc_op op)
{
    return compares_numbers(op) || operand_type(op) != &lc_type_number ? &lc_type_bool
                                                                       : &lc_type_number;
}

/* ---- Operations on operands of the right type. The result has no marks. */

static lc_marked fail_null(lc_evaluator *e, const lc_expr *expr)
{
    lc_eval_fail(e, expr->place, LC_SUMMARY_OPERATION_FAILED, "an operand is null");
    return lc_eval_unknown(e, result_type((lc_op)expr->op));
}

static lc_marked truth(lc_evaluator *e, lc_tri is)
{
    return is == LC_MAYBE ? lc_eval_not_null(e, &lc_type_bool) : lc_eval_bool(is == LC_TRUE);
}

static lc_tri not(lc_tri is)
{
    return is == LC_MAYBE ? LC_MAYBE : is == LC_TRUE ? LC_FALSE : LC_TRUE;
}

static lc_tri or (lc_tri a, lc_tri b)
{
    if (a == LC_TRUE || b == LC_TRUE)
        return LC_TRUE;
    return a == LC_MAYBE || b == LC_MAYBE ? LC_MAYBE : LC_FALSE;
}

/* Is a below b, for certain? An absent bound is infinite. */
static lc_tri less(const lc_value *a, const lc_value *b)
{
    if (lc_is_known(a) && lc_is_known(b))
        return lc_num_cmp(a->as.number, b->as.number) < 0 ? LC_TRUE : LC_FALSE;
    lc_refinement x = lc_value_range(a), y = lc_value_range(b);
    if (x.has_max && y.has_min && lc_num_cmp(x.max, y.min) < 0)
        return LC_TRUE;
    if (x.has_min && y.has_max && lc_num_cmp(x.min, y.max) > 0)
        return LC_FALSE;
    return LC_MAYBE;
}

static lc_marked compare(lc_evaluator *e, lc_op op, const lc_value *const v[2])
{
    bool swap = op == LC_OP_MORE || op == LC_OP_MORE_EQUAL;
    lc_tri is = less(v[swap ? 1 : 0], v[swap ? 0 : 1]);
    if (op == LC_OP_LESS_EQUAL || op == LC_OP_MORE_EQUAL)
        is = or (is, lc_value_equals(v[0], v[1]));
    return truth(e, is);
}

static lc_num_outcome calculate(lc_evaluator *e, lc_op op, const lc_value *const v[2], lc_num *out)
{
    lc_num a = v[0]->as.number, b = v[1]->as.number;
    switch (op) {
    case LC_OP_ADD:
        return lc_num_add(out, e->arena, a, b);
    case LC_OP_SUBTRACT:
        return lc_num_subtract(out, e->arena, a, b);
    case LC_OP_MULTIPLY:
        return lc_num_multiply(out, e->arena, a, b);
    case LC_OP_DIVIDE:
        return lc_num_divide(out, e->arena, a, b);
    case LC_OP_MODULO:
        return lc_num_modulo(out, e->arena, a, b);
    case LC_OP_OR:
    case LC_OP_AND:
    case LC_OP_EQUAL:
    case LC_OP_NOT_EQUAL:
    case LC_OP_LESS:
    case LC_OP_LESS_EQUAL:
    case LC_OP_MORE:
    case LC_OP_MORE_EQUAL:
    case LC_OP_NOT:
    case LC_OP_NEGATE:
        break;
    }
    return LC_NUM_NAN;
}

static lc_marked arithmetic(lc_evaluator *e, const lc_expr *expr, const lc_value *const v[2])
{
    lc_value number;
    lc_num n;
    if (lc_is_unknown(v[0]) || lc_is_unknown(v[1]))
        return lc_eval_not_null(e, &lc_type_number);
    switch (calculate(e, (lc_op)expr->op, v, &n)) {
    case LC_NUM_GOOD:
        lc_value_set_number(&number, n);
        return (lc_marked){lc_value_new(e->arena, &number), NULL};
    case LC_NUM_HUGE:
        lc_eval_fail(e, expr->place, "", "the number has too many digits");
        break;
    case LC_NUM_NAN:
        lc_eval_fail(e, expr->place, LC_SUMMARY_OPERATION_FAILED, "the result is not a number");
        break;
    }
    return lc_eval_unknown(e, &lc_type_number);
}

static lc_marked numbers(lc_evaluator *e, const lc_expr *expr, const lc_value *const v[2])
{
    if (lc_is_null(v[0]) || lc_is_null(v[1]))
        return fail_null(e, expr);
    if (compares_numbers((lc_op)expr->op))
        return compare(e, (lc_op)expr->op, v);
    return arithmetic(e, expr, v);
}

static lc_marked equality(lc_evaluator *e, lc_op op, lc_source_pos place,
                          const lc_value *const v[2])
{
    size_t weights[2] = {lc_eval_weight(v[0]), lc_eval_weight(v[1])};
    lc_eval_spend(e, (weights[0] < weights[1] ? weights[0] : weights[1]) / 8, place);
    lc_tri same = lc_value_equals(v[0], v[1]);
    return truth(e, op == LC_OP_EQUAL ? same : not(same));
}

/* ---- && and ||. */

static bool is_true(const lc_value *v)
{
    return lc_is_known(v) && v->as.boolean;
}

/* As cty's False(): also null is, which is why `null && true` is false. */
static bool is_false(const lc_value *v)
{
    return !lc_is_unknown(v) && !is_true(v);
}

/* One operand may decide, and then errors of the other do not count. Which errors are left is
 * decided together with the value: *keep is a set of 1 (left) and 2 (right). False: neither
 * decides. */
static bool short_circuit(lc_op op, const lc_value *const v[2], bool left_failed, lc_tri *is,
                          unsigned *keep)
{
    bool (*decides)(const lc_value *) = op == LC_OP_OR ? is_true : is_false;
    bool (*leaves_open)(const lc_value *) = op == LC_OP_OR ? is_false : is_true;
    bool unknown[2] = {lc_is_unknown(v[0]), lc_is_unknown(v[1])};
    if (unknown[0] && unknown[1]) {
        *is = LC_MAYBE;
        *keep = 1;
        return !left_failed;
    }
    for (size_t i = 0; i < 2; i++)
        if (!unknown[i] && decides(v[i])) {
            *is = op == LC_OP_OR ? LC_TRUE : LC_FALSE;
            *keep = 1u << i;
            return true;
        }
    for (size_t i = 0; i < 2; i++)
        if (unknown[i] && leaves_open(v[1 - i])) {
            *is = LC_MAYBE;
            *keep = 1u << i;
            return true;
        }
    return false;
}

/* Both operands count, as in clients that do not short-circuit. */
static lc_marked logic(lc_evaluator *e, const lc_expr *expr, const lc_value *const v[2])
{
    if (lc_is_null(v[0]) || lc_is_null(v[1]))
        return fail_null(e, expr);
    if (lc_is_unknown(v[0]) || lc_is_unknown(v[1]))
        return lc_eval_not_null(e, &lc_type_bool);
    bool is =
        expr->op == LC_OP_OR ? is_true(v[0]) || is_true(v[1]) : is_true(v[0]) && is_true(v[1]);
    return lc_eval_bool(is);
}

/* ---- Nodes. */

/* One side of a binary operator. */
typedef struct side {
    lc_marked given;
    const lc_value *value; /* converted */
    lc_eval_errors errors; /* of its evaluation */
    bool wrong;            /* it cannot be converted */
} side;

static side evaluate_side(lc_evaluator *e, const lc_expr *expr, size_t at)
{
    const lc_eval_error **before = lc_eval_errors_end(e);
    side s;
    lc_str why;
    lc_eval(e, expr->items[at], &s.given);
    s.errors = lc_eval_take_errors(e, before);
    s.wrong =
        !lc_value_convert(&s.value, e->arena, s.given.value, operand_type((lc_op)expr->op), &why);
    return s;
}

/* Wrong operands come first, then what their evaluation reported. */
static lc_marked fail_operands(lc_evaluator *e, const lc_expr *expr, const side sides[2])
{
    for (size_t i = 0; i < 2; i++)
        if (sides[i].wrong)
            lc_eval_fail(e, expr->items[i]->place, LC_SUMMARY_INVALID_OPERAND,
                         "the operand has the wrong type");
    lc_eval_put_errors(e, sides[0].errors);
    lc_eval_put_errors(e, sides[1].errors);
    return lc_eval_unknown(e, result_type((lc_op)expr->op));
}

static lc_marked operate(lc_evaluator *e, const lc_expr *expr, const lc_value *const v[2])
{
    lc_op op = (lc_op)expr->op;
    if (op == LC_OP_OR || op == LC_OP_AND)
        return logic(e, expr, v);
    if (op == LC_OP_EQUAL || op == LC_OP_NOT_EQUAL)
        return equality(e, op, expr->place, v);
    return numbers(e, expr, v);
}

/* Would a client that evaluates both operands come to another result? */
static bool depends_on_version(const side sides[2], lc_tri is)
{
    bool other = false;
    for (size_t i = 0; i < 2; i++)
        other |= sides[i].errors.first || lc_is_null(sides[i].value) ||
                 (is != LC_MAYBE && lc_is_unknown(sides[i].value));
    return other;
}

static lc_marked version_decides(lc_evaluator *e, const lc_expr *expr)
{
    lc_marked v = lc_eval_unknown(e, &lc_type_bool);
    lc_str reason = LC_STR("Terraform before 1.12 and OpenTofu before 1.10 evaluate both operands "
                           "of && and ||, others short-circuit: --as CLIENT@VERSION names the "
                           "client");
    return lc_marked_with(e->arena, v, LC_MARK_UNDECIDED,
                          lc_undecided_new(e->arena, reason, expr->place));
}

/* The result without marks. *failed: an operation failed, whose result has no marks. */
static lc_marked combine(lc_evaluator *e, const lc_expr *expr, const side sides[2], bool *failed)
{
    lc_op op = (lc_op)expr->op;
    const lc_value *const v[2] = {sides[0].value, sides[1].value};
    const lc_eval_error **before = lc_eval_errors_end(e);
    lc_tri is;
    unsigned keep;
    if ((op == LC_OP_OR || op == LC_OP_AND) && e->scope->both_operands != LC_TRUE &&
        short_circuit(op, v, sides[0].errors.first != NULL, &is, &keep)) {
        if (e->scope->both_operands == LC_MAYBE && depends_on_version(sides, is))
            return version_decides(e, expr);
        for (size_t i = 0; i < 2; i++)
            if (keep & 1u << i)
                lc_eval_put_errors(e, sides[i].errors);
        return truth(e, is);
    }
    lc_eval_put_errors(e, sides[0].errors);
    lc_eval_put_errors(e, sides[1].errors);
    if (lc_eval_errors_end(e) != before || e->stopped)
        return lc_eval_unknown(e, result_type(op));
    lc_marked out = operate(e, expr, v);
    *failed = lc_eval_errors_end(e) != before;
    return out;
}

lc_marked lc_eval_binary(lc_evaluator *e, const lc_expr *expr)
{
    side sides[2];
    bool failed = false;
    for (size_t i = 0; i < 2; i++)
        sides[i] = evaluate_side(e, expr, i);
    if (e->stopped)
        return lc_eval_any();
    if (sides[0].wrong || sides[1].wrong)
        return fail_operands(e, expr, sides);
    lc_marked out = combine(e, expr, sides, &failed);
    for (size_t i = 0; i < 2 && !failed; i++)
        out = lc_eval_mark_all(e, out, sides[i].given);
    return out;
}

/* The operand may only be a bool or number here. */
static lc_marked apply_unary(lc_evaluator *e, const lc_expr *expr, const lc_value *v)
{
    lc_value out;
    if (lc_is_unknown(v))
        return lc_eval_not_null(e, v->type);
    if (expr->op == LC_OP_NOT)
        return lc_eval_bool(!v->as.boolean);
    lc_value_set_number(&out, lc_num_negate(e->arena, v->as.number));
    return (lc_marked){lc_value_new(e->arena, &out), NULL};
}

lc_marked lc_eval_unary(lc_evaluator *e, const lc_expr *expr)
{
    const lc_type *type = operand_type((lc_op)expr->op);
    const lc_value *v;
    lc_marked given;
    lc_str why;
    bool ok = lc_eval(e, expr->items[0], &given);
    if (!lc_value_convert(&v, e->arena, given.value, type, &why))
        ok = lc_eval_fail(e, expr->items[0]->place, LC_SUMMARY_INVALID_OPERAND,
                          "the operand has the wrong type");
    if (!ok)
        return lc_eval_unknown(e, type);
    if (lc_is_null(v))
        return fail_null(e, expr);
    /* cty drops the marks of an unknown operand. */
    lc_marked out = apply_unary(e, expr, v);
    return lc_is_unknown(v) ? lc_eval_carry(e, out, given) : lc_eval_mark(e, out, given);
}

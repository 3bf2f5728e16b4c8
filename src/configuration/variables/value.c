/* Values of variables: the default, what text on a command line means, and the value that a
 * variable has in the end. */
#include "lifecheck/configuration/variable.h"

#include "configuration/expression/tree.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"

static bool refuse(lc_eval_error *trouble, const char *summary, lc_str detail, lc_source_pos place)
{
    *trouble = (lc_eval_error){lc_str_from_c(summary), detail, place, NULL};
    return false;
}

bool lc_variable_default(lc_config_variable *v, lc_arena *arena, const lc_expr *expr,
                         lc_eval_error *trouble)
{
    lc_marked value;
    lc_str why;
    lc_source_pos place = lc_expr_pos(expr);
    bool ok = lc_evaluate_constant(&value, arena, expr, trouble);
    if (ok && !lc_constraint_apply(&value, arena, &v->constraint, value, &why))
        ok = refuse(trouble, LC_SUMMARY_DEFAULT_VALUE, why, place);
    v->initial = ok ? lc_expr_value(arena, place, value.value)
                    : lc_expr_undecided(arena, trouble->detail, place);
    if (ok && v->not_nullable && lc_is_null(value.value))
        return refuse(trouble, LC_SUMMARY_DEFAULT_VALUE, LC_STR("the variable may not be null"),
                      place);
    return ok;
}

bool lc_variable_from_text(lc_marked *out, lc_arena *arena, const lc_config_variable *v,
                           lc_str text, lc_eval_error *trouble)
{
    const lc_expr *expr;
    lc_value string;
    if (v->constraint.is_expression)
        return lc_expr_parse(&expr, arena, text, (lc_source_pos){NULL, 0, 0}, trouble) &&
               lc_evaluate_constant(out, arena, expr, trouble);
    lc_value_set_string(&string, arena, text);
    *out = (lc_marked){lc_value_new(arena, &string), NULL};
    return true;
}

/* The value that it has if nothing, or a null that it may not be, is given. */
static bool fall_back(lc_marked *out, lc_arena *arena, const lc_config_variable *v,
                      lc_eval_error *trouble)
{
    if (v->initial)
        return lc_evaluate_constant(out, arena, v->initial, trouble);
    return refuse(trouble, LC_SUMMARY_VARIABLE_NOT_SET,
                  LC_STR("the variable has no value and no default"), v->place);
}

bool lc_variable_value(lc_marked *out, lc_arena *arena, const lc_config_variable *v,
                       const lc_marked *given, lc_eval_error *trouble)
{
    lc_str why;
    if (!given && !fall_back(out, arena, v, trouble))
        return false;
    lc_marked value = given ? *given : *out;
    if (!lc_constraint_apply(out, arena, &v->constraint, value, &why)) {
        /* A value that lifecheck cannot determine may well fit. */
        if (lc_marked_type_is_sure(value))
            return refuse(trouble, LC_SUMMARY_INPUT_VALUE,
                          v->sensitive
                              ? LC_STR_EMPTY
                              : lc_str_printf(arena, "the value of variable \"%.*s\": %.*s",
                                              LC_FMT(v->name), LC_FMT(why)),
                          v->place);
        *out = lc_undecided_value(arena, value.marks->undecided->reason,
                                  value.marks->undecided->place);
        *out = lc_marked_with(arena, *out, lc_marks_all(value), NULL);
        return true;
    }
    return !lc_is_null(out->value) || !v->not_nullable || fall_back(out, arena, v, trouble);
}

/* Conditions of resources, outputs, variables and checks, when their values are there. */
#include "lifecheck/core_message.h"
#include "predict/internal.h"

bool lc_predict_conditions(const lc_eval_scope *w, const lc_config_conditions *conditions,
                           const char *summary, lc_str address)
{
    bool good = true;
    for (size_t i = 0; i < conditions->list.count; i++) {
        const lc_config_condition *c = &conditions->list.items[i];
        lc_marked v;
        lc_eval_error trouble;
        if (!c->condition)
            continue;
        if (!lc_predict_evaluate(&v, w, c->condition, &trouble)) {
            lc_predict_eval_error(w->run, &trouble, address);
            if (lc_str_is(trouble.summary, LC_SUMMARY_INVALID_SELF)) /* said twice */
                lc_predict_error(w->run, LC_STR(LC_SUMMARY_UNKNOWN_VARIABLE), address, c->place);
            good = false;
            continue;
        }
        const lc_value *held;
        lc_str why;
        if (lc_is_unknown(v.value))
            continue;
        if (lc_is_null(v.value) ||
            !lc_value_convert(&held, arena_of(w), v.value, &lc_type_bool, &why)) {
            lc_predict_error(w->run, LC_STR(LC_SUMMARY_CONDITION_RESULT), address, c->place);
            good = false;
            continue;
        }
        if (held->as.boolean)
            continue;
        if (w->run->before_destroy || w->run->in->options.mode == LC_RUN_REFRESH_ONLY)
            continue; /* a warning there */
        lc_predict_error(w->run, lc_str_from_c(summary), address, c->place);
        good = false;
    }
    return good;
}

void lc_predict_validations(const lc_eval_scope *w, const lc_config_conditions *conditions,
                            lc_str name)
{
    for (size_t i = 0; i < conditions->list.count; i++) {
        const lc_config_condition *c = &conditions->list.items[i];
        lc_marked v;
        lc_eval_error trouble;
        const lc_value *held;
        lc_str why;
        if (!c->condition)
            continue;
        if (!lc_predict_evaluate(&v, w, c->condition, &trouble)) {
            lc_predict_eval_error(w->run, &trouble, name);
            continue;
        }
        if (lc_is_unknown(v.value))
            continue;
        if (lc_is_null(v.value) ||
            !lc_value_convert(&held, w->run->arena, v.value, &lc_type_bool, &why))
            lc_predict_error(w->run, LC_STR(LC_SUMMARY_VALIDATION_RESULT), name, c->place);
        else if (!held->as.boolean)
            lc_predict_error(w->run, LC_STR(LC_SUMMARY_VARIABLE_VALUE), name, c->place);
    }
}

/* Of check blocks: what does not hold is a warning. */
static void evaluate_asserts(lc_predictor *r, lc_module_instance *m)
{
    lc_eval_scope w = {.run = r, .module = m};
    for (size_t i = 0; i < m->config->checks.count; i++) {
        const lc_config_check *check = &m->config->checks.items[i];
        for (size_t j = 0; j < check->asserts.list.count; j++) {
            const lc_expr *condition = check->asserts.list.items[j].condition;
            lc_marked v;
            lc_eval_error trouble;
            if (condition && !lc_predict_evaluate(&v, &w, condition, &trouble))
                lc_predict_eval_error(r, &trouble, check->name);
        }
    }
}

void lc_predict_asserts(lc_predictor *r)
{
    for (size_t i = 0; !r->selection && i < r->config->modules.count; i++) {
        for (size_t j = 0; j < r->instances[i].count; j++)
            evaluate_asserts(r, r->instances[i].items[j]);
    }
}

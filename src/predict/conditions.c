/* Preconditions, postconditions, validations and assertions of check blocks, evaluated when the
 * values they need are available. */
#include "lifecheck/core_message.h"
#include "predict/internal.h"

/* Unknown results are postponed until apply. A false one is an error of the plan, but only a
 * warning in a refresh-only plan and in the refresh before a destroy plan. All conditions are
 * evaluated, so that all errors are reported. */
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
            /* The clients report this twice. */
            if (lc_str_is(trouble.summary, LC_SUMMARY_INVALID_SELF))
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
            continue; /* only a warning there */
        lc_predict_error(w->run, lc_str_from_c(summary), address, c->place);
        good = false;
    }
    return good;
}

/* As above, with the summaries for variables; a variable remains usable after a failed
 * validation. */
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

/* Assertions of check blocks: one that is false is only a warning, but one that cannot be evaluated
 * is an error. */
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

/* With -target or -exclude the clients skip check blocks. */
void lc_predict_asserts(lc_predictor *r)
{
    for (size_t i = 0; !r->selection && i < r->config->modules.count; i++) {
        for (size_t j = 0; j < r->instances[i].count; j++)
            evaluate_asserts(r, r->instances[i].items[j]);
    }
}

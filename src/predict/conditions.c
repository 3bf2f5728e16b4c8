/* Preconditions, postconditions, validations and assertions of check blocks, evaluated when the
 * values they need are available. Source: evalCheckRule, evalVariableValidation of both clients. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* What the rules about one thing share. */
typedef struct rules {
    const lc_eval_scope *w;
    lc_str address;
    const char *not_bool; /* summary: the result is not a bool */
    const char *failed;   /* summary: the condition is false; NULL: only a warning */
    bool variable;        /* validations of a variable */
    lc_source_pos value;  /* of a variable: where its value is given */
} rules;

static lc_source_pos place_of(const lc_expr *expr, const lc_config_condition *c)
{
    return expr ? lc_expr_pos(expr) : c->place;
}

static bool report(const rules *k, const char *summary, lc_source_pos place)
{
    lc_predict_error(k->w->run, lc_str_from_c(summary), k->address, place);
    return false;
}

/* False: errors were reported. */
static bool evaluate(lc_marked *out, const rules *k, const lc_expr *expr)
{
    lc_eval_error trouble;
    if (lc_predict_evaluate(out, k->w, expr, &trouble))
        return true;
    lc_predict_eval_error(k->w->run, &trouble, k->address);
    /* The clients report this twice. */
    if (lc_str_is(trouble.summary, LC_SUMMARY_INVALID_SELF))
        report(k, LC_SUMMARY_UNKNOWN_VARIABLE, trouble.place);
    return false;
}

/* A message must be a string, whether the condition holds or not. */
static bool check_message(const rules *k, const lc_config_condition *c)
{
    lc_marked v;
    const lc_value *text;
    lc_str why;
    if (!c->message)
        return true;
    if (!evaluate(&v, k, c->message))
        return false;
    if (lc_marks_all(v) & LC_MARK_UNDECIDED)
        return true;
    if (!lc_value_convert(&text, arena_of(k->w), v.value, &lc_type_string, &why) ||
        lc_is_null(text))
        return report(k, LC_SUMMARY_ERROR_MESSAGE, lc_expr_pos(c->message));
    return true;
}

/* What a validation that failed may not show. A variable's own value is not marked as sensitive yet
 * where Terraform validates it. */
static void check_shown_message(const rules *k, const lc_config_condition *c)
{
    lc_marked v;
    const lc_value *text;
    lc_str why;
    if (!c->message || !evaluate(&v, k, c->message) || (lc_marks_all(v) & LC_MARK_UNDECIDED))
        return;
    unsigned marks = lc_marks_all(v);
    lc_source_pos place = lc_expr_pos(c->message);
    if (lc_is_null(v.value))
        return;
    if (!lc_value_convert(&text, arena_of(k->w), v.value, &lc_type_string, &why) ||
        lc_is_unknown(text))
        report(k, LC_SUMMARY_ERROR_MESSAGE, place);
    else if ((marks & LC_MARK_SENSITIVE) && is_opentofu(k->w->run))
        report(k, LC_SUMMARY_MESSAGE_SENSITIVE, place);
    else if (marks & LC_MARK_EPHEMERAL)
        report(k, LC_SUMMARY_MESSAGE_EPHEMERAL, place);
}

/* Is the condition false? An unknown result is postponed until apply. *good: no error was
 * reported. */
static bool is_false(const rules *k, const lc_config_condition *c, bool *good)
{
    lc_marked v;
    const lc_value *held;
    lc_str why;
    *good = evaluate(&v, k, c->condition);
    if (!*good || lc_is_unknown(v.value))
        return false;
    if (lc_is_null(v.value) ||
        !lc_value_convert(&held, arena_of(k->w), v.value, &lc_type_bool, &why)) {
        *good = report(k, k->not_bool, lc_expr_pos(c->condition));
        return false;
    }
    return !held->as.boolean;
}

static bool check(const rules *k, const lc_config_condition *c)
{
    bool good;
    bool message = k->variable || check_message(k, c);
    bool is = is_false(k, c, &good);
    if (!is || !message || !k->failed)
        return good && message;
    if (!k->variable)
        return report(k, k->failed, place_of(c->condition, c));
    check_shown_message(k, c);
    return report(k, k->failed, k->value);
}

/* All are evaluated, so that all errors are reported. */
static bool check_all(const rules *k, const lc_config_conditions *conditions)
{
    bool good = true;
    for (size_t i = 0; i < conditions->list.count; i++) {
        if (conditions->list.items[i].condition && !check(k, &conditions->list.items[i]))
            good = false;
    }
    return good;
}

/* A false one is an error of the plan, but only a warning in a refresh-only plan and in the refresh
 * before a destroy plan. */
bool lc_predict_conditions(const lc_eval_scope *scope, const lc_config_conditions *conditions,
                           const char *summary, lc_str address)
{
    bool warning =
        scope->run->before_destroy || scope->run->in->options.mode == LC_RUN_REFRESH_ONLY;
    rules k = {scope, address, LC_SUMMARY_CONDITION_RESULT, warning ? NULL : summary, false, {0}};
    return check_all(&k, conditions);
}

/* A variable remains usable after a failed validation. */
void lc_predict_validations(const lc_eval_scope *scope, const lc_config_conditions *conditions,
                            lc_str name, lc_source_pos value)
{
    rules k = {scope, name, LC_SUMMARY_VALIDATION_RESULT, LC_SUMMARY_VARIABLE_VALUE, true, value};
    check_all(&k, conditions);
}

/* Something that the expression refers to failed, and has reported its error. */
static bool refers_to_failed(lc_predictor *pred, uint32_t module, const lc_expr *expr)
{
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    uint32_t id;
    if (!expr)
        return false;
    lc_expr_references(&refs, expr);
    for (size_t i = 0; i < refs.list.count; i++) {
        if (lc_predict_graph_find(&id, pred, module, refs.list.items[i]) &&
            pred->graph.nodes.items[id].failed)
            return true;
    }
    return false;
}

/* The clients leave out the whole block then. */
static bool is_left_out(lc_predictor *pred, uint32_t module, const lc_config_conditions *asserts)
{
    for (size_t i = 0; i < asserts->list.count; i++) {
        const lc_config_condition *c = &asserts->list.items[i];
        if (refers_to_failed(pred, module, c->condition) ||
            refers_to_failed(pred, module, c->message))
            return true;
    }
    return false;
}

/* With -target or -exclude the clients skip check blocks. A false assertion is a warning. */
void lc_predict_asserts(lc_predictor *pred)
{
    for (size_t i = 0; !pred->selection && i < pred->config->modules.count; i++) {
        for (size_t j = 0; j < pred->instances[i].count; j++) {
            lc_module_instance *m = pred->instances[i].items[j];
            lc_eval_scope scope = {.run = pred, .module = m};
            for (size_t n = 0; n < m->config->checks.count; n++) {
                const lc_config_check *check = &m->config->checks.items[n];
                rules k = {&scope, check->name, LC_SUMMARY_CONDITION_RESULT, NULL, false, {0}};
                if (!is_left_out(pred, (uint32_t)i, &check->asserts))
                    check_all(&k, &check->asserts);
            }
        }
    }
}

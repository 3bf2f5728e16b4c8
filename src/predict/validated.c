/* Clients validate the whole configuration before they plan, when references have no values yet:
 * they evaluate each expression, and have the providers validate every block. Here the provider
 * validates a block when it is planned; these are the cases in which that makes a difference. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "predict/internal.h"

/* ---- Evaluation without the values of others. */

static bool answer_unknown(void *context, lc_module_scope *scope, const lc_repetition *instance,
                           lc_lookup *ask)
{
    (void)context, (void)scope, (void)instance;
    ask->value = lc_marked_unknown(ask->arena, &lc_type_dynamic);
    return true;
}

static lc_repetition any_instance(const lc_config_repetition *repetition)
{
    return (lc_repetition){.key = LC_NO_KEY,
                           .has_each = repetition->for_each != NULL,
                           .has_count = repetition->count != NULL,
                           .any = true};
}

/* The scope of validation: the variables of every module, resources, modules and instance keys are
 * unknown, but variables have their marks. One for each module. */
static lc_module_scope *unknown_scope(lc_predictor *pred, const lc_module *module)
{
    lc_str key = LC_BYTES_OF(module);
    lc_module_scope *scope = lc_table_get(&pred->unknown_scopes, key);
    if (scope)
        return scope;
    lc_eval_context *around = LC_NEW(pred->arena, lc_eval_context);
    lc_marked *value = LC_NEW(pred->arena, lc_marked);
    *value = lc_marked_unknown(pred->arena, &lc_type_dynamic);
    *around = pred->around;
    around->outer = answer_unknown;
    lc_table_init(&around->variables, pred->arena);
    for (size_t i = 0; i < module->variables.count; i++)
        lc_table_put(&around->variables, module->variables.items[i]->name, value);
    scope = lc_module_scope_new(pred->arena, around, module, NULL, NULL);
    lc_table_put(&pred->unknown_scopes, lc_str_copy(pred->arena, key), scope);
    return scope;
}

bool lc_predict_unresolved(lc_marked *out, lc_predictor *pred, lc_arena *arena,
                           const lc_module *module, const lc_config_repetition *repetition,
                           const lc_expr *body, const lc_block *block, lc_eval_error *trouble)
{
    lc_repetition instance = any_instance(repetition);
    lc_module_instance m = {.config = module, .scope = unknown_scope(pred, module)};
    lc_eval_scope w = {.run = pred, .module = &m, .instance = &instance, .arena = arena};
    return lc_predict_body(out, &w, body, block, trouble);
}

bool lc_predict_has_failing_local(lc_predictor *pred, const lc_module *m, const lc_expr *expr)
{
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, expr);
    for (size_t i = 0; i < refs.list.count; i++) {
        lc_marked value;
        lc_eval_error trouble = {0};
        const lc_reference *ref = refs.list.items[i];
        if (ref->root == LC_ROOT_LOCAL &&
            !lc_scope_named(&value, unknown_scope(pred, m), LC_ROOT_LOCAL, ref->name, &trouble))
            return true;
    }
    return false;
}

static bool report(lc_predictor *pred, const lc_module *m, const lc_expr *expr, lc_str name,
                   const lc_eval_error *trouble)
{
    if (trouble->summary.len && !lc_predict_has_failing_local(pred, m, expr)) {
        lc_predict_eval_error(pred, trouble, name);
        pred->stop = true;
    }
    return false;
}

bool lc_predict_validate_output(lc_marked *out, lc_predictor *pred, const lc_module *m,
                                const lc_config_output *output)
{
    lc_eval_error trouble = {0};
    return lc_scope_evaluate(out, unknown_scope(pred, m), output->value, NULL, &trouble) ||
           report(pred, m, output->value, output->name, &trouble);
}

void lc_predict_validate_local(lc_predictor *pred, const lc_module *m, const lc_config_local *local)
{
    lc_marked value;
    lc_eval_error trouble;
    if (!lc_scope_named(&value, unknown_scope(pred, m), LC_ROOT_LOCAL, local->name, &trouble))
        report(pred, m, local->value, local->name, &trouble);
}

void lc_predict_validate_repetition(lc_predictor *pred, const lc_module *m,
                                    const lc_config_repetition *repetition, bool call, lc_str name)
{
    lc_repetitions found;
    lc_eval_error trouble = {0};
    const lc_expr *expr = repetition->for_each ? repetition->for_each : repetition->count;
    if (!expr || lc_scope_expand(&found, unknown_scope(pred, m), repetition, &trouble))
        return;
    if (!found.unknown && (call || !found.also))
        report(pred, m, expr, name, &trouble);
}

lc_module_scope *lc_predict_argument_scope(lc_predictor *pred, const lc_config_call *call,
                                           const lc_module *caller)
{
    if (!call->child)
        return NULL;
    lc_arena_reset(pred->scratch);
    lc_repetition instance = any_instance(&call->repetition);
    lc_eval_context *around = LC_NEW(pred->scratch, lc_eval_context);
    *around = pred->around;
    around->outer = answer_unknown;
    return lc_module_scope_new(pred->scratch, around, call->child, unknown_scope(pred, caller),
                               &instance);
}

void lc_predict_validate_argument(lc_predictor *pred, lc_module_scope *scope, lc_str name,
                                  const lc_expr *given)
{
    lc_marked value;
    lc_eval_error trouble;
    if (scope && lc_table_get(&scope->module->variable, name) &&
        !lc_scope_named(&value, scope, LC_ROOT_VARIABLE, name, &trouble))
        report(pred, scope->up->module, given, scope->module->call->name, &trouble);
}

/* ---- By the provider. */

/* Asks the provider to validate the block without the values of others. False: it cannot be asked.
 * q->schema, settings and names are given. */
static bool validate(lc_predictor *pred, lc_run_question *q, const lc_config_resource *config)
{
    lc_marked given;
    lc_eval_error trouble = {0};
    const lc_run_provider *p = &pred->in->provider;
    if (!q->schema ||
        !lc_predict_unresolved(&given, pred, q->arena, config->module, &config->repetition,
                               config->body, q->schema->block, &trouble))
        return false;
    q->config = given.value;
    q->only_validated = true;
    (config->mode == LC_MODE_MANAGED ? p->plan : p->data)(p->context, q);
    return true;
}

/* A configuration that is rejected only with the values of others fails alone, in the plan. */
static bool is_rejected_at_once(lc_predictor *pred, const lc_run_question *q,
                                const lc_config_resource *config)
{
    lc_run_question first = {.arena = q->arena,
                             .address = q->address,
                             .text = q->text,
                             .deposed = LC_STR_EMPTY,
                             .private_data = LC_STR_EMPTY,
                             .schema = q->schema,
                             .settings = q->settings};
    return !validate(pred, &first, config) || first.errors.count > 0;
}

static void report_answer(lc_predictor *pred, const lc_run_question *q, lc_str address,
                          const lc_config_resource *config, bool invalid)
{
    for (size_t i = 0; i < q->errors.count; i++)
        lc_predict_error(pred, q->errors.items[i].summary, address, config->place)->invalid =
            invalid;
    pred->invalid |= invalid && q->errors.count > 0;
}

bool lc_predict_provider_errors(lc_predictor *pred, const lc_run_question *q, lc_str address,
                                const lc_config_resource *config)
{
    if (!q->errors.count)
        return false;
    report_answer(pred, q, address, config, q->invalid && is_rejected_at_once(pred, q, config));
    return true;
}

void lc_predict_validate_block(lc_predictor *pred, const lc_config_resource *config)
{
    const lc_run_provider *p = &pred->in->provider;
    lc_address address;
    lc_str why;
    size_t at;
    lc_str text = lc_predict_config_text(pred, config);
    if (!p->asks || !p->plan || !p->data || pred->in->options.mode != LC_RUN_NORMAL ||
        !lc_address_parse(&address, pred->arena, text, &why, &at))
        return;
    lc_run_question q = {.arena = pred->scratch,
                         .address = address,
                         .text = text,
                         .deposed = LC_STR_EMPTY,
                         .private_data = LC_STR_EMPTY,
                         .schema = lc_run_schema(p, pred->config, config),
                         .settings = lc_predict_settings_of_block(pred, config)};
    lc_arena_reset(pred->scratch);
    if (q.settings && validate(pred, &q, config))
        report_answer(pred, &q, text, config, true);
}

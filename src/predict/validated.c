/* Clients have the providers validate every block before they plan, when references have no values
 * yet. Here a block is validated when it is planned; these are the cases in which that makes a
 * difference. */
#include "predict/internal.h"

/* Asks the provider to validate the block without the values of others. False: it cannot be asked.
 * q->schema, settings and names are given. */
static bool validate(lc_predictor *pred, lc_run_question *q, const lc_config_resource *config)
{
    lc_marked given;
    const lc_run_provider *p = &pred->in->provider;
    if (!q->schema || !lc_predict_unresolved(&given, pred, q->arena, config, q->schema->block))
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

static void report(lc_predictor *pred, const lc_run_question *q, lc_str address,
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
    report(pred, q, address, config, q->invalid && is_rejected_at_once(pred, q, config));
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
        report(pred, &q, text, config, true);
}

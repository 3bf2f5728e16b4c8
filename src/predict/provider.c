/* Provider configurations and instances: module provider_config knows which ones objects use. Here
 * its model is asked, for blocks and for objects that only the state has. */
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/provider_config/provider_config.h"
#include "predict/internal.h"

/* Is there anything to resolve but default configurations? */
static bool names_configurations(const lc_configuration *config)
{
    for (size_t i = 0; i < config->modules.count; i++) {
        const lc_module *m = config->modules.items[i];
        if (m->providers.count || m->required.count || m->imports.count)
            return true;
        for (size_t k = 0; k < m->resources.count; k++) {
            if (m->resources.items[k]->provider)
                return true;
        }
        for (size_t k = 0; k < m->calls.count; k++) {
            if (m->calls.items[k]->has_providers)
                return true;
        }
    }
    return false;
}

/* The same for objects: any address but that of a default configuration of the root module. */
static bool stores_configurations(const lc_predictor *pred)
{
    for (size_t i = 0; pred->in->priors && i < pred->in->priors->list.count; i++) {
        lc_str provider = pred->in->priors->list.items[i].provider;
        if (!lc_str_starts_with(provider, LC_STR("provider[")) ||
            !lc_str_ends_with(provider, LC_STR("\"]")) ||
            lc_str_find(provider, 10, '[') < provider.len)
            return true;
    }
    return pred->in->state && is_opentofu(pred);
}

/* Problems of the configuration alone are reported already, and a copy keeps them apart. */
void lc_predict_resolve_providers(lc_predictor *pred)
{
    lc_table_init(&pred->settings, pred->arena);
    if (!names_configurations(pred->config) && !stores_configurations(pred) &&
        !pred->in->provider.asks)
        return;
    lc_configuration *config = LC_NEW(pred->arena, lc_configuration);
    lc_eval_context *around = LC_NEW(pred->arena, lc_eval_context);
    *config = *pred->config;
    config->problems.items = NULL;
    config->problems.count = config->problems.capacity = 0;
    *around = pred->around; /* nothing is planned yet */
    around->outer = NULL;
    pred->providers = LC_NEW(pred->arena, lc_provider_model);
    lc_provider_model_make(pred->providers, pred->arena, config, around);
    pred->provider_problems = config->problems.count;
}

bool lc_predict_providers_refuse_state(lc_predictor *pred)
{
    if (!pred->providers || !pred->in->state || !is_opentofu(pred))
        return false;
    lc_provider_check_state(pred->providers, pred->in->state);
    lc_str said = lc_provider_state_error(pred->providers);
    if (said.len)
        lc_predict_error(pred, said, LC_STR_EMPTY, (lc_source_pos){NULL, 0, 0})->loc =
            pred->providers->config->problems.items[pred->providers->refused.items[0]].loc;
    return said.len > 0;
}

/* The use of a provider that the client rejects, or NULL. */
static const lc_provider_use *failed_use(const lc_predictor *pred, lc_str address)
{
    const lc_provider_use *use =
        pred->providers ? lc_provider_use_at(pred->providers, address) : NULL;
    return use && use->state == LC_USE_FAILED && !use->instances_unknown ? use : NULL;
}

/* Of the graph, what is passed to modules is looked up first, and aliases of the root module last.
 */
static int step_of(const lc_config_problem *p)
{
    if (p->stage != LC_STAGE_GRAPH || lc_str_starts_with(p->summary, LC_STR("missing provider ")))
        return 0;
    return lc_str_is(p->summary, LC_SUMMARY_UNDEFINED_PROVIDER_CONFIG) ? 2 : 1;
}

/* An instance that cannot be planned says so when it is its turn. */
static void report_step(lc_predictor *pred, lc_config_stage stage, int step)
{
    for (size_t i = 0; i < pred->provider_problems; i++) {
        const lc_config_problem *p = &pred->providers->config->problems.items[i];
        if (p->warning || !p->summary.len || p->stage != stage || step_of(p) != step ||
            (stage == LC_STAGE_PLAN && failed_use(pred, p->address)))
            continue;
        lc_predict_error(pred, p->summary, p->address, p->place)->detail = p->detail;
        pred->stop |= stage != LC_STAGE_PLAN;
        if (stage == LC_STAGE_GRAPH && step == 0)
            return;
    }
}

void lc_predict_report_providers(lc_predictor *pred, lc_config_stage first, lc_config_stage last)
{
    for (int stage = first; stage <= (int)last; stage++) {
        for (int step = 0; step < 2 && (stage < LC_STAGE_GRAPH || !pred->stop); step++)
            report_step(pred, (lc_config_stage)stage, step);
    }
}

void lc_predict_report_root_aliases(lc_predictor *pred)
{
    if (pred->providers)
        report_step(pred, LC_STAGE_GRAPH, 2);
}

bool lc_predict_provider_of(lc_predictor *pred, lc_str instance)
{
    const lc_provider_use *use = failed_use(pred, instance);
    if (use)
        lc_predict_error(pred, use->summary, instance, use->place)->detail =
            use->summary.len || use->detail.len ? use->detail
                                                : LC_STR("its provider configuration has an error");
    return !use;
}

static const lc_config_problem *orphan_problem(lc_predictor *pred,
                                               const lc_state_instance *instance,
                                               const lc_run_prior *prior, bool expanded)
{
    const lc_provider_orphan orphan = {&instance->address, instance->text, prior->deposed,
                                       prior->provider,    prior->loc,     expanded};
    return lc_provider_check_orphan(pred->providers, &orphan);
}

/* The document has no summaries, only the detail. */
static void report_orphan(lc_predictor *pred, const lc_state_instance *instance,
                          const lc_config_problem *p)
{
    lc_run_error *e = lc_predict_error(pred, p->summary, instance->text, p->place);
    e->detail = p->detail;
    e->loc = p->loc;
}

bool lc_predict_provider_of_orphan(lc_predictor *pred, const lc_state_instance *instance,
                                   const lc_run_prior *prior)
{
    bool expanded = pred->in->options.mode != LC_RUN_DESTROY && !prior->deposed.len;
    if (!pred->providers)
        return true;
    const lc_config_problem *p = orphan_problem(pred, instance, prior, expanded);
    if (!p || p->stage != LC_STAGE_PLAN)
        return true;
    report_orphan(pred, instance, p);
    return false;
}

/* Objects without a block need the configuration with the alias that is stored with them. A missing
 * default configuration is not an error, because the clients assume an empty one. */
void lc_predict_check_providers(lc_predictor *pred)
{
    for (size_t i = 0; pred->providers && i < pred->state_instances.count; i++) {
        const lc_state_instance *instance = pred->state_instances.items[i];
        const lc_run_prior *prior =
            instance->current ? instance->current : instance->deposed.items[0];
        if (lc_config_resource_at(pred->config, &instance->address) || !instance->selected ||
            instance->address.mode != LC_MODE_MANAGED)
            continue;
        const lc_config_problem *p = orphan_problem(pred, instance, prior, true);
        if (!p || p->stage == LC_STAGE_PLAN)
            continue;
        report_orphan(pred, instance, p);
        pred->stop = true;
    }
}

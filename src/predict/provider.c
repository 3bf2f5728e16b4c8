/* Provider configurations: those that blocks name, which module provider_config resolves, and those
 * that only stored objects need. */
#include "lifecheck/core_message.h"
#include "lifecheck/provider_config.h"
#include "predict/internal.h"

/* The parts of a provider address in the state. */
typedef struct stored_provider {
    lc_str module; /* module.a.module.b, or empty */
    lc_str source, alias;
} stored_provider;

/* Parses `module.a.provider["registry/x/y"].alias`. False: not in this form. */
static bool read_stored(stored_provider *out, lc_str text)
{
    size_t at = 0;
    while (lc_str_starts_with(lc_str_sub(text, at, text.len), LC_STR("module."))) {
        const char *dot = memchr(text.ptr + at + 7, '.', text.len - at - 7);
        if (!dot)
            return false;
        at = (size_t)(dot - text.ptr) + 1;
    }
    out->module = lc_str_sub(text, 0, at ? at - 1 : 0);
    lc_str rest = lc_str_sub(text, at, text.len);
    if (!lc_str_starts_with(rest, LC_STR("provider[\"")))
        return false;
    rest = lc_str_sub(rest, 10, rest.len);
    const char *end = memchr(rest.ptr, '"', rest.len);
    if (!end)
        return false;
    size_t len = (size_t)(end - rest.ptr);
    out->source = lc_str_sub(rest, 0, len);
    rest = lc_str_sub(rest, len + 1, rest.len);
    out->alias = LC_STR_EMPTY;
    if (lc_str_starts_with(rest, LC_STR("]."))) {
        size_t stop = lc_str_find(rest, 2, '[');
        out->alias = lc_str_sub(rest, 2, stop);
    }
    return true;
}

/* The type of a provider: the last part of its source address. */
static lc_str last_part(lc_str source)
{
    size_t at = source.len;
    while (at && source.ptr[at - 1] != '/')
        at--;
    return lc_str_sub(source, at, source.len);
}

/* A local name may stand for a provider of another type. */
static lc_str type_of(const lc_module *m, lc_str name)
{
    for (size_t i = 0; i < m->required.count; i++) {
        if (lc_str_eq(m->required.items[i].local_name, name) && m->required.items[i].source.len)
            return last_part(m->required.items[i].source);
    }
    return name;
}

/* True if a provider block for the address exists, or may exist in a file that could not be read.
 */
static bool is_configured(const lc_predictor *r, const stored_provider *p)
{
    size_t index = lc_table_get_index(&r->module_index, p->module);
    const lc_module *m = index != LC_NO_INDEX ? r->config->modules.items[index] : NULL;
    if (m && m->incomplete)
        return true;
    for (size_t i = 0; m && i < m->providers.count; i++) {
        const lc_config_provider *block = m->providers.items[i];
        if (lc_str_eq(block->alias, p->alias) &&
            lc_str_eq(type_of(m, block->name), last_part(p->source)))
            return true;
    }
    return false;
}

/* Is there anything to resolve or to check but implied default configurations? */
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

void lc_predict_resolve_providers(lc_predictor *r)
{
    lc_configuration *config = LC_NEW(r->arena, lc_configuration);
    *config = *r->config; /* without its problems, which are reported already */
    config->problems.items = NULL;
    config->problems.count = config->problems.capacity = 0;
    r->providers = config;
    if (!names_configurations(r->config))
        return;
    lc_provider_model *model = LC_NEW(r->arena, lc_provider_model);
    lc_eval_context around = r->around; /* nothing is planned yet */
    around.outer = NULL;
    lc_provider_model_make(model, r->arena, config, &around);
}

void lc_predict_report_providers(lc_predictor *r, lc_config_stage first, lc_config_stage last)
{
    for (size_t i = 0; i < r->providers->problems.count; i++) {
        const lc_config_problem *p = &r->providers->problems.items[i];
        if (p->warning || p->stage < first || p->stage > last || !p->summary.len)
            continue;
        lc_predict_error(r, p->summary, p->address, p->place)->detail = p->detail;
        r->stop |= p->stage != LC_STAGE_PLAN;
    }
}

/* Objects without a block need the configuration with the alias that is stored with them. A missing
 * default configuration is no error, because the clients assume an empty one. */
void lc_predict_check_providers(lc_predictor *r)
{
    for (size_t i = 0; i < r->state_instances.count; i++) {
        const lc_state_instance *h = r->state_instances.items[i];
        const lc_run_prior *prior = h->current ? h->current : h->deposed.items[0];
        stored_provider p;
        if (lc_config_resource_at(r->config, &h->address) || !h->selected ||
            !read_stored(&p, prior->provider) || !p.alias.len || is_configured(r, &p))
            continue;
        lc_predict_error(r, LC_STR(LC_SUMMARY_NO_PROVIDER_CONFIG), h->text,
                         (lc_source_pos){NULL, 0, 0});
        r->stop = true;
    }
}

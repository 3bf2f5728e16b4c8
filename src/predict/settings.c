/* What providers are asked with: the schemas of their types, and the provider configuration of each
 * object with its values. A provider block is evaluated when the first object needs it, which the
 * graph has put after everything that the block refers to. */
#include "lifecheck/provider_config/provider_config.h"
#include "predict/internal.h"

/* ---- Schemas. */

/* The source address of the provider of a declared resource. */
static lc_str provider_of(lc_arena *arena, lc_profile profile, const lc_config_resource *resource)
{
    lc_str name = lc_provider_name_of_type(resource->type);
    if (resource->provider) {
        lc_str text = resource->provider->text;
        size_t end = 0;
        while (end < text.len && text.ptr[end] != '.' && text.ptr[end] != '[')
            end++;
        name = lc_str_sub(text, 0, end);
    }
    return lc_provider_of(arena, profile, resource->module, name);
}

/* Only who asks providers has to know which one it is. */
const lc_schema *lc_run_schema(const lc_run_provider *provider, const lc_configuration *config,
                               const lc_config_resource *resource)
{
    lc_schema_kind kind = lc_resource_mode_kind(resource->mode);
    if (!provider->schema || !provider->asks)
        return provider->schema
                   ? provider->schema(provider->context, kind, LC_STR_EMPTY, resource->type)
                   : NULL;
    lc_arena *scratch = lc_arena_new_small();
    const lc_schema *schema = provider->schema(
        provider->context, kind, provider_of(scratch, config->profile, resource), resource->type);
    lc_arena_free(scratch);
    return schema;
}

/* The stored provider address, such as `provider["registry.terraform.io/hashicorp/aws"].west`.
 * False: there is none that can be read. */
static bool stored_provider(lc_provider_address *out, lc_arena *arena, lc_profile profile,
                            const lc_run_prior *prior)
{
    lc_eval_error unused = {0};
    return prior && prior->provider.len &&
           lc_provider_address_parse(out, arena, profile, prior->provider, &unused);
}

const lc_schema *lc_predict_schema_at(lc_predictor *pred, const lc_address *address,
                                      const lc_run_prior *prior)
{
    const lc_run_provider *p = &pred->in->provider;
    lc_provider_address stored = {.fqn = LC_STR_EMPTY};
    if (!p->schema)
        return NULL;
    if (p->asks)
        stored_provider(&stored, pred->arena, pred->profile, prior);
    return p->schema(p->context, lc_resource_mode_kind(address->mode), stored.fqn, address->type);
}

/* ---- Provider configurations. */

/* Where the block is evaluated. NULL: its module has no instance. */
static lc_module_instance *instance_of(const lc_predictor *pred, const lc_provider_config *config)
{
    uint32_t module = lc_predict_module_index(pred, config->module);
    return pred->instances[module].count ? pred->instances[module].items[0] : NULL;
}

lc_str lc_predict_provider_name(lc_predictor *pred, const lc_provider_config *config)
{
    lc_str name = config->block ? config->block->name : lc_file_name(config->fqn);
    return config->alias.len
               ? lc_str_printf(pred->arena, "%.*s.%.*s", LC_FMT(name), LC_FMT(config->alias))
               : name;
}

static void evaluate(lc_run_settings *out, lc_predictor *pred, const lc_provider_config *config,
                     const lc_repetition *instance)
{
    const lc_run_provider *p = &pred->in->provider;
    const lc_schema *schema = p->schema(p->context, LC_KIND_PROVIDER, config->fqn, LC_STR_EMPTY);
    lc_module_instance *module = instance_of(pred, config);
    lc_eval_scope scope = {.run = pred, .module = module, .instance = instance};
    lc_eval_error trouble;
    if (!schema || !module)
        return;
    if (!config->block) {
        out->value.value = lc_block_empty_value(pred->arena, schema->block);
        return;
    }
    if (lc_predict_body(&out->value, &scope, config->block->body, schema->block, &trouble))
        return;
    out->value = (lc_marked){NULL, NULL};
    out->open_because = LC_STR("the configuration of its provider cannot be evaluated");
    lc_predict_eval_error(pred, &trouble,
                          lc_str_printf(pred->arena, "provider.%.*s", LC_FMT(out->name)));
}

static const lc_run_settings *settings_of(lc_predictor *pred, const lc_provider_config *config,
                                          bool keyed, lc_str key)
{
    lc_provider_address address = {.module = config->module->path,
                                   .fqn = config->fqn,
                                   .alias = config->alias,
                                   .keyed = keyed,
                                   .key = key};
    lc_str text = lc_provider_address_text(pred->arena, &address);
    lc_run_settings *s = lc_table_get(&pred->settings, text);
    const lc_repetition *instance = keyed ? lc_table_get(&config->by_key, key) : NULL;
    if (s || (keyed && !instance))
        return s;
    s = LC_NEW(pred->arena, lc_run_settings);
    *s = (lc_run_settings){.key = text,
                           .provider = config->fqn,
                           .name = lc_predict_provider_name(pred, config),
                           .open_because = LC_STR_EMPTY};
    evaluate(s, pred, config, instance);
    lc_table_put(&pred->settings, text, s);
    return s;
}

/* The first use of each resource, whatever its instance. */
static void index_uses(lc_predictor *pred)
{
    lc_table_init(&pred->uses, pred->arena);
    for (size_t i = 0; i < pred->providers->uses.count; i++) {
        const lc_provider_use *use = &pred->providers->uses.items[i];
        lc_str text = lc_predict_config_text(pred, use->resource);
        if (use->config && !lc_table_get(&pred->uses, text))
            lc_table_put_index(&pred->uses, text, i);
    }
    pred->has_uses = true;
}

static bool is_found(const lc_provider_use *use)
{
    return use && use->config &&
           (use->state == LC_USE_RESOLVED || (use->instances_unknown && !use->keyed));
}

/* The model is made before anything is planned, so it may not know instances that depend on
 * resources. All instances of a resource have one configuration, unless a key says which one. */
static const lc_provider_use *use_of(lc_predictor *pred, const lc_address *address,
                                     const lc_config_resource *config)
{
    lc_address resource = lc_address_resource(address);
    const lc_provider_use *use =
        lc_provider_use_at(pred->providers, lc_address_text(pred->arena, address));
    if (use)
        return is_found(use) ? use : NULL;
    use = lc_provider_use_at(pred->providers, lc_address_text(pred->arena, &resource));
    if (is_found(use))
        return use;
    if (!pred->has_uses)
        index_uses(pred);
    size_t first = lc_table_get_index(&pred->uses, lc_predict_config_text(pred, config));
    use = first != LC_NO_INDEX ? &pred->providers->uses.items[first] : NULL;
    return is_found(use) && !use->keyed ? use : NULL;
}

const lc_run_settings *lc_predict_settings_of_block(lc_predictor *pred,
                                                    const lc_config_resource *config)
{
    const lc_provider_config *of = pred->in->provider.asks && pred->providers
                                       ? lc_provider_config_of(pred->providers, config)
                                       : NULL;
    return of && !of->repeats ? settings_of(pred, of, false, LC_STR_EMPTY) : NULL;
}

const lc_run_settings *lc_predict_settings(lc_predictor *pred, const lc_address *address,
                                           const lc_config_resource *config,
                                           const lc_run_prior *prior)
{
    lc_provider_address stored;
    if (!pred->in->provider.asks || !pred->providers)
        return NULL;
    if (config) {
        const lc_provider_use *use = use_of(pred, address, config);
        return use ? settings_of(pred, use->config, use->keyed, use->key) : NULL;
    }
    if (!stored_provider(&stored, pred->arena, pred->profile, prior))
        return NULL;
    const lc_provider_config *of = lc_provider_config_at(pred->providers, &stored);
    return of ? settings_of(pred, of, stored.keyed, stored.key) : NULL;
}

/* ---- Functions. */

void lc_predict_call_function(void *context, const lc_module *module, lc_provider_call *call)
{
    lc_predictor *pred = context;
    const lc_run_provider *p = &pred->in->provider;
    p->function(p->context, lc_provider_of(pred->arena, pred->profile, module, call->provider),
                call);
}

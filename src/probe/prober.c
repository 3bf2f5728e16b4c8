/* The provider as a whole: clients, its own configuration, all its types. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "probe/internal.h"

#include <string.h>

int64_t lc_prober_now(const lc_prober *prober)
{
    const lc_probe_hooks *hooks = &prober->options->hooks;
    return hooks->clock ? hooks->clock(hooks->context) : 0;
}

lc_str lc_address_in(lc_arena *arena, lc_str provider, const char *registry)
{
    size_t slashes = 0;
    for (size_t i = 0; i < provider.len; i++)
        slashes += provider.ptr[i] == '/';
    return slashes == 1 ? lc_str_printf(arena, "%s/%.*s", registry, LC_FMT(provider)) : provider;
}

lc_str lc_prober_address(const lc_prober *prober, lc_arena *arena)
{
    return lc_address_in(arena, prober->options->provider, "registry.terraform.io");
}

/* ---- Clients. */

static lc_client *open_client(lc_prober *prober, lc_peer_cache *cache, bool plain,
                              lc_rpc_schemas *schemas, lc_diags *diags)
{
    const lc_probe_options *o = prober->options;
    lc_client_options options = {.as = o->as,
                                 .limits = o->limits,
                                 .peer = {cache, cache->real.protocol, lc_peer_cache_ask},
                                 .timeout_ms = o->timeout_ms,
                                 .in_order = true,
                                 .no_deferral = plain,
                                 .no_write_only = plain,
                                 .no_computed_blocks = plain};
    return lc_client_open(prober->arena, &options, schemas, diags);
}

/* A process is asked for its schemas before anything else, also if the provider announces
 * get_provider_schema_optional: some prepare themselves then, and are of no use if that was cut
 * short. A provider that terraform-plugin-mux has combined refuses every type after GetMetadata,
 * unless it was asked for its schemas before. The answer is known. It is not a call of any type. */
void lc_prober_greet(lc_prober *prober, lc_peer_cache *cache)
{
    lc_rpc_schemas *schemas = cache->which == 0 ? prober->schemas : prober->second_schemas;
    lc_arena *scratch = lc_arena_new();
    lc_diags quiet;
    lc_diags_init(&quiet, scratch);
    lc_client_options options = {.as = prober->options->as,
                                 .version = LC_STR_EMPTY,
                                 .limits = prober->options->limits,
                                 .peer = cache->real,
                                 .asks_again = true};
    if (schemas && schemas->any.last && !lc_client_open(scratch, &options, schemas, &quiet))
        cache->unavailable = true;
    lc_arena_free(scratch);
}

void lc_prober_begin(lc_prober *prober)
{
    lc_prober_greet(prober, &prober->main);
    if (prober->second.client)
        lc_prober_greet(prober, &prober->second);
}

static lc_rpc_schemas *new_schemas(lc_prober *prober)
{
    lc_rpc_schemas *schemas = LC_NEW(prober->arena, lc_rpc_schemas);
    lc_rpc_schemas_init(schemas, prober->arena, prober->options->provider, prober->options->limits);
    return schemas;
}

static void open_second(lc_prober *prober)
{
    lc_diags quiet;
    lc_diags_init(&quiet, prober->arena);
    prober->second = (lc_peer_cache){.prober = prober, .real = prober->options->other, .which = 1};
    if (!prober->options->other.ask)
        return;
    prober->second_schemas = new_schemas(prober);
    prober->second.client =
        open_client(prober, &prober->second, false, prober->second_schemas, &quiet);
}

lc_prober *lc_prober_open(lc_arena *arena, const lc_probe_options *options, lc_diags *diags)
{
    lc_prober *prober = LC_NEW(arena, lc_prober);
    prober->arena = arena;
    prober->options = options;
    prober->main = (lc_peer_cache){.prober = prober, .real = options->peer};
    prober->schemas = new_schemas(prober);
    prober->main.client = open_client(prober, &prober->main, false, prober->schemas, diags);
    if (!prober->main.client)
        return NULL;
    prober->plain = open_client(prober, &prober->main, true, prober->schemas, diags);
    open_second(prober);
    lc_probe_result *result = &prober->result;
    result->provider = options->provider;
    result->version = options->version;
    result->protocol = options->peer.protocol;
    result->seed = options->seed;
    result->stopped = result->not_configured = LC_STR_EMPTY;
    memcpy(result->laws, options->laws, sizeof result->laws);
    return prober->plain ? prober : NULL;
}

const lc_schema *lc_prober_schema(const lc_prober *prober, lc_schema_kind kind, lc_str type)
{
    return lc_client_schema(prober->main.client, kind, type);
}

size_t lc_prober_types(const lc_prober *prober, lc_schema_kind kind, const lc_str **out,
                       lc_arena *arena)
{
    return lc_client_types(prober->main.client, kind, out, arena);
}

/* ---- The provider's own configuration. */

static lc_loc place(const lc_prober *prober)
{
    return (lc_loc){prober->options->provider, 0, 0};
}

static bool configure(lc_prober *prober, lc_peer_cache *cache, lc_call *out, lc_arena *arena,
                      const lc_value *config)
{
    memset(out, 0, sizeof *out);
    lc_client_configure(cache->client, out, arena, config, place(prober));
    return out->failed != LC_YES && out->broke != LC_YES;
}

void lc_prober_configure(lc_prober *prober, lc_peer_cache *cache)
{
    lc_call call;
    if (prober->unconfigured)
        return;
    lc_arena *arena = lc_arena_new();
    lc_arena *remembering = cache->arena;
    cache->arena = NULL; /* a new process has to be configured again */
    cache->unbounded = true;
    if (prober->result.not_configured.len == 0 &&
        !configure(prober, cache, &call, arena, prober->config))
        cache->unavailable = true;
    cache->unbounded = false;
    cache->arena = remembering;
    lc_arena_free(arena);
}

static void keep_reason(lc_prober *prober, const lc_call *call)
{
    const lc_provider_diag *error = lc_call_first_error(call);
    if (prober->result.not_configured.len == 0)
        prober->result.not_configured =
            error ? lc_str_copy(prober->arena, error->summary) : LC_STR("no response");
}

/* Settings that let a provider do without its service, or that it needs before anything else. */
static bool is_wanted(lc_str name, int effort)
{
    static const char *const first[] = {"skip_*", "access_key", "secret_key", "region", NULL};
    static const char *const more[] = {"*token*",  "*api_key*", "*user*", "*password*",
                                       "*url*",    "*endpoint", "*host",  "*project*",
                                       "*secret*", "*key*",     "*_id",   NULL};
    for (size_t i = 0; first[i]; i++) {
        if (lc_str_matches_glob(name, lc_str_from_c(first[i])))
            return true;
    }
    for (size_t i = 0; effort > 0 && more[i]; i++) {
        if (lc_str_matches_glob(name, lc_str_from_c(more[i])))
            return true;
    }
    return false;
}

/* With what is required and what `effort` adds (-1: nothing); each error adds what it asks for. */
static bool try_form(lc_prober *prober, lc_arena *arena, const lc_schema *schema, int effort)
{
    lc_slot *form = lc_form_new(arena, schema->block);
    lc_call call;
    for (size_t i = 0; effort >= 0 && i < form->count; i++) {
        lc_slot *slot = &form->below[i];
        if (slot->attribute && !slot->attribute->deprecated && is_wanted(slot->name, effort))
            lc_slot_set(slot, true);
    }
    for (unsigned round = 0; round < 8; round++) {
        const lc_value *config = lc_form_value(arena, form, schema->block);
        if (configure(prober, &prober->main, &call, arena, config)) {
            prober->config = lc_value_copy(prober->arena, config, schema->block->implied);
            return true;
        }
        keep_reason(prober, &call);
        if (!lc_peer_cache_restart(&prober->main) || !lc_form_learn(arena, form, &call))
            return false;
    }
    return false;
}

/* What the user gave; a provider that refuses it is not asked with anything else. */
static bool try_given(lc_prober *prober, lc_arena *arena, const lc_schema *schema)
{
    const lc_probe_options *o = prober->options;
    lc_field field;
    lc_call call;
    lc_diags diags;
    lc_diags_init(&diags, prober->arena);
    lc_value_reader reader = {.arena = prober->arena,
                              .source = o->provider_config_source,
                              .diags = &diags,
                              .limits = o->limits,
                              .config = true};
    memset(&field, 0, sizeof field);
    if (lc_read_object(&field, &reader, o->provider_config, schema->block) != LC_OK ||
        !lc_field_has_value(&field)) {
        prober->result.not_configured =
            diags.count ? diags.items[0].message
                        : LC_STR("the given configuration does not fit the provider's schema");
        return false;
    }
    prober->config = field.value;
    bool ok = configure(prober, &prober->main, &call, arena, field.value);
    if (!ok)
        keep_reason(prober, &call);
    return ok;
}

/* True without an answer of the provider: it is gone, and nothing else can be tried. */
static bool try_stand_in(lc_prober *prober, lc_arena *arena, const lc_schema *schema)
{
    lc_call call;
    const lc_value *config = prober->options->stand_in;
    if (!config || !configure(prober, &prober->main, &call, arena, config))
        return config && !lc_peer_cache_restart(&prober->main);
    prober->config = lc_value_copy(prober->arena, config, schema->block->implied);
    return true;
}

/* The order is by how well it is known to work: what the user gave, then the table of stand-ins,
 * then settings made from the schema, with more and more of it. */
static void configure_all(lc_prober *prober)
{
    const lc_schema *schema = lc_prober_schema(prober, LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_arena *arena = lc_arena_new();
    bool ok = false;
    if (prober->options->provider_config && schema)
        ok = try_given(prober, arena, schema);
    else if (schema)
        ok = try_stand_in(prober, arena, schema);
    if (!prober->options->provider_config)
        for (int effort = 0; schema && !ok && effort <= 2; effort++)
            ok = try_form(prober, arena, schema, effort < 2 ? effort : -1);
    if (ok || !schema)
        prober->result.not_configured = LC_STR_EMPTY;
    if (ok && prober->second.client)
        lc_prober_configure(prober, &prober->second);
    lc_arena_free(arena);
}

/* ---- All targets: types, functions, the provider's own configuration. */

static bool is_selected(const lc_probe_options *o, lc_str name)
{
    for (size_t i = 0; i < o->type_count; i++) {
        if (lc_str_matches_glob(name, o->types[i]))
            return true;
    }
    return o->type_count == 0;
}

/* The hash is the same in all runs and versions, so that a type stays in its shard. */
static bool is_in_shard(const lc_probe_options *o, lc_str name)
{
    return o->shard_of == 0 || lc_str_fingerprint(name) % o->shard_of == o->shard_index - 1;
}

static lc_str name_of_function(lc_arena *arena, const lc_function *function)
{
    return lc_str_printf(arena, "function.%.*s", LC_FMT(function->name));
}

/* Is only a law about the provider itself tried? */
static bool is_about_itself(const lc_prober *prober)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (prober->options->laws[law] && law != LC_LAW_15)
            return false;
    }
    return prober->options->laws[LC_LAW_15];
}

/* Of the provider's own configuration, if it is asked about that: two versions always, one if it
 * has a second process. */
static const lc_schema *settings(const lc_prober *prober)
{
    const lc_schema *schema = lc_prober_schema(prober, LC_KIND_PROVIDER, LC_STR_EMPTY);
    bool any = schema && schema->block->attribute_count + schema->block->block_count > 0;
    bool alone = prober->options->laws[LC_LAW_15] && prober->second.client;
    return any && (prober->newer || alone) ? schema : NULL;
}

static const lc_schema_kind examined[] = {LC_KIND_RESOURCE, LC_KIND_DATA, LC_KIND_EPHEMERAL};
#define EXAMINED (sizeof examined / sizeof *examined)

typedef LC_VEC(lc_probe_target) target_list;

static void add_target(target_list *out, lc_arena *arena, const lc_schema *schema,
                       const lc_function *function, lc_str name)
{
    if (schema)
        *LC_PUSH(arena, out, lc_probe_target) =
            (lc_probe_target){schema->kind, name, schema, function};
}

/* All that can be asked about, in the order of reports. Names in `arena`. */
static void find_all_targets(target_list *out, lc_arena *arena, const lc_prober *prober)
{
    const lc_schema *provider = lc_prober_schema(prober, LC_KIND_PROVIDER, LC_STR_EMPTY);
    for (size_t k = 0; k < EXAMINED; k++) {
        const lc_str *names;
        size_t count = lc_client_types(prober->main.client, examined[k], &names, arena);
        for (size_t i = 0; i < count; i++)
            add_target(out, arena, lc_prober_schema(prober, examined[k], names[i]), NULL,
                       lc_kind_and_type(arena, examined[k], names[i]));
    }
    add_target(out, arena, settings(prober), NULL, LC_STR("provider"));
    for (size_t i = 0; provider && i < provider->function_count; i++)
        add_target(out, arena, provider, &provider->functions[i],
                   name_of_function(arena, &provider->functions[i]));
}

/* Is it about the provider's own configuration? */
static bool is_own(const lc_probe_target *target)
{
    return target->kind == LC_KIND_PROVIDER && !target->function;
}

static bool is_wanted_target(const lc_prober *prober, const lc_probe_target *target)
{
    const lc_probe_options *o = prober->options;
    return is_selected(o, target->name) && is_in_shard(o, target->name) &&
           (is_own(target) || !is_about_itself(prober));
}

size_t lc_prober_targets(const lc_prober *prober, const lc_probe_target **out, lc_arena *arena)
{
    target_list all = {0};
    size_t count = 0;
    find_all_targets(&all, arena, prober);
    for (size_t i = 0; i < all.count; i++) {
        if (is_wanted_target(prober, &all.items[i]))
            all.items[count++] = all.items[i];
    }
    *out = all.items;
    return count;
}

/* Is there still a process to query, and is it required? Else the type is left out. */
static bool may_continue(lc_prober *prober)
{
    const lc_probe_options *o = prober->options;
    bool stopped = o->hooks.stopped && o->hooks.stopped(o->hooks.context);
    prober->main.restarts_exhausted = prober->second.restarts_exhausted = false;
    if (!stopped && !prober->main.dead)
        return true;
    prober->result.left_out++;
    prober->result.stopped =
        stopped ? LC_STR("interrupted") : LC_STR("the provider could not be started again");
    return false;
}

/* Clients call functions of a provider that is not configured. */
static void begin_functions(lc_prober *prober)
{
    prober->unconfigured = true;
    if (prober->newer)
        prober->newer->unconfigured = true;
}

/* The settings that the older version took are those of the newer one too, if it takes them. */
static void configure_newer(lc_prober *older, lc_prober *newer)
{
    const lc_schema *schema = lc_prober_schema(newer, LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_call call;
    lc_str why;
    const lc_value *config = NULL;
    lc_arena *arena = lc_arena_new();
    bool ok = schema && older->config &&
              lc_value_convert(&config, arena, older->config, schema->block->implied, &why) &&
              configure(newer, &newer->main, &call, arena, config);
    if (ok)
        newer->config = lc_value_copy(newer->arena, config, schema->block->implied);
    else if (lc_peer_cache_restart(&newer->main))
        configure_all(newer);
    lc_arena_free(arena);
}

static void begin_types(lc_prober *prober)
{
    if (prober->configured)
        return;
    if (prober->unconfigured) {
        lc_peer_cache_restart(&prober->main);
        if (prober->second.client)
            lc_peer_cache_restart(&prober->second);
    }
    prober->unconfigured = false;
    prober->configured = true;
    configure_all(prober);
    if (!prober->newer)
        return;
    prober->newer->unconfigured = false;
    configure_newer(prober, prober->newer);
    if (prober->controller)
        configure_newer(prober, prober->controller);
}

/* The process is not used for anything else afterwards. */
static void examine_settings(lc_prober *prober, const lc_schema *schema)
{
    if (prober->second.dead)
        return;
    prober->second.retired = prober->second.unconfigured = true;
    lc_examine(prober, schema, NULL);
    prober->second.retired = true;
    prober->second.unconfigured = false;
}

/* The processes of both keep what they were configured with, so nothing else is asked after it. */
static void compare_settings(lc_prober *older, const lc_schema *schema)
{
    older->unconfigured = older->newer->unconfigured = true;
    lc_examine(older, schema, NULL);
}

const lc_probe_type *lc_prober_ask(lc_prober *prober, const lc_probe_target *target)
{
    size_t before = prober->result.types.count;
    if (!may_continue(prober))
        return NULL;
    if (target->function)
        begin_functions(prober);
    else
        begin_types(prober);
    if (!is_own(target))
        lc_examine(prober, target->schema, target->function);
    else if (prober->newer)
        compare_settings(prober, target->schema);
    else
        examine_settings(prober, target->schema);
    return prober->result.types.count > before ? &prober->result.types.items[before] : NULL;
}

const lc_probe_result *lc_prober_result(const lc_prober *prober)
{
    return &prober->result;
}

bool lc_prober_restart(lc_prober *prober)
{
    prober->main.retired = true;
    if (prober->second.client)
        prober->second.retired = true;
    return lc_peer_cache_restart(&prober->main) &&
           (!prober->second.client || lc_peer_cache_restart(&prober->second));
}

/* The part before the first `*` is compared with the beginnings of names. */
static lc_str nearest(const target_list *all, lc_arena *arena, lc_str glob)
{
    lc_str word = lc_str_sub(glob, 0, lc_str_find(glob, 0, '*'));
    lc_str *beginnings = LC_NEW_ARRAY(arena, lc_str, all->count + 1);
    for (size_t i = 0; i < all->count; i++) {
        lc_str name = all->items[i].name;
        size_t len = word.len < glob.len ? word.len + 1 : name.len;
        beginnings[i] = lc_str_sub(name, 0, len < name.len ? len : name.len);
    }
    lc_str found = lc_str_nearest(word, beginnings, all->count);
    for (size_t i = 0; found.len && i < all->count; i++) {
        if (beginnings[i].ptr == found.ptr)
            return all->items[i].name;
    }
    return LC_STR_EMPTY;
}

/* `provider` is a name even where nothing is asked about it. */
bool lc_prober_misses(const lc_prober *prober, lc_arena *arena, lc_str *glob, lc_str *near)
{
    const lc_probe_options *o = prober->options;
    target_list all = {0};
    find_all_targets(&all, arena, prober);
    for (size_t i = 0; i < o->type_count; i++) {
        bool any = lc_str_matches_glob(LC_STR("provider"), o->types[i]);
        for (size_t k = 0; !any && k < all.count; k++)
            any = lc_str_matches_glob(all.items[k].name, o->types[i]);
        if (any)
            continue;
        *glob = o->types[i];
        *near = lc_str_on_one_line(arena, nearest(&all, arena, o->types[i]));
        return true;
    }
    return false;
}

lc_prober *lc_prober_controller(lc_prober *older)
{
    const lc_probe_control *control = older->control;
    if (older->controller || older->uncontrolled || !control || !control->open)
        return older->controller;
    older->controller = control->open(control->context);
    older->uncontrolled = !older->controller;
    if (older->controller && !older->newer->unconfigured)
        configure_newer(older, older->controller);
    return older->controller;
}

void lc_prober_compare_with(lc_prober *older, lc_prober *newer, const lc_probe_control *control)
{
    older->newer = newer;
    older->control = control;
}

bool lc_probe_tried(const lc_probe_result *result, lc_law law)
{
    for (size_t i = 0; i < result->types.count; i++) {
        if (result->types.items[i].laws[law].trials)
            return true;
    }
    return false;
}

/* Providers that a configuration requires, before its client starts. */
#include "cli/commands/serve/required.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/predict/predict.h"
#include "lifecheck/provider_config/provider_config.h"
#include "lifecheck/scenario/planning_input.h"

typedef struct checking {
    lc_arena *arena;
    lc_diags *diags;
    lc_profile profile;
    lc_find_served find;
    const void *context;
    lc_live_providers installed;
    lc_table reported; /* addresses without a schema */
} checking;

/* ---- Which client. */

static bool is_program(const lc_live_search *search, const char *name)
{
    return lc_str_is(lc_file_name(search->command[0]), name);
}

/* The client's own command, such as plan; "": it is another program, or none is given. */
static lc_str client_command(const lc_live_search *search)
{
    bool client =
        search->command_count && (is_program(search, "terraform") || is_program(search, "tofu"));
    for (size_t i = 1; client && i < search->command_count; i++) {
        if (!lc_str_starts_with(search->command[i], LC_STR("-")))
            return search->command[i];
    }
    return LC_STR_EMPTY;
}

/* The commands of a client that ask providers about a configuration. */
static bool asks_providers(lc_str command)
{
    static const char *const asking[] = {"plan",   "apply", "refresh",  "destroy",
                                         "import", "test",  "validate", NULL};
    return lc_str_is_one_of(command, asking, NULL);
}

/* ---- Tests. */

static bool reads_tests(const lc_live_search *search, lc_str command)
{
    for (size_t i = 0; i < search->command_count; i++) {
        if (lc_str_is_one_of(search->command[i],
                             (const char *const[]){"-no-tests", "--no-tests", NULL}, NULL))
            return false;
    }
    return lc_str_is(command, "test") || lc_str_is(command, "validate");
}

/* The value of an option of the client, `-name=value` or `-name value`, from the word *at, which
 * becomes the next one. False: there is none. */
static bool next_option(lc_str *value, const lc_live_search *search, lc_str name, size_t *at)
{
    while (*at < search->command_count) {
        lc_str word = search->command[(*at)++];
        size_t dashes = lc_str_starts_with(word, LC_STR("--")) ? 2 : 1;
        size_t equals = lc_str_find(word, 0, '=');
        if (!lc_str_starts_with(word, LC_STR("-")) ||
            !lc_str_eq(lc_str_sub(word, dashes, equals), name))
            continue;
        *value = equals < word.len             ? lc_str_sub(word, equals + 1, word.len)
                 : *at < search->command_count ? search->command[(*at)++]
                                               : LC_STR_EMPTY;
        return true;
    }
    return false;
}

/* Opens the modules that tests run on their own. */
static void open_tests(const checking *c, const lc_live_search *search,
                       lc_given_configuration *given, lc_diags *quiet)
{
    lc_str folder = LC_STR("tests"), value;
    lc_str *filters = LC_NEW_ARRAY(c->arena, lc_str, search->command_count);
    size_t count = 0, at = 0;
    while (next_option(&value, search, LC_STR("test-directory"), &at))
        folder = value;
    at = 0;
    while (next_option(&value, search, LC_STR("filter"), &at))
        filters[count++] = value;
    lc_configuration_open_tests_in(given, folder, filters, count, quiet);
}

/* ---- One provider, one resource. */

static bool is_installed(const checking *c, lc_str address)
{
    for (size_t i = 0; i < c->installed.list.count; i++) {
        if (lc_live_is_address(c->installed.list.items[i].address, address))
            return true;
    }
    return lc_str_starts_with(address, LC_STR("terraform.io/builtin/"));
}

/* What requires the providers of a module. */
static lc_str requirer_of(const checking *c, const lc_module *m)
{
    for (; m; m = m->parent) {
        if (m->call && m->call->run.len)
            return lc_str_printf(c->arena, "the module of run \"%.*s\" in %.*s",
                                 LC_FMT(m->call->run), LC_FMT(m->call->place.source->file));
    }
    return LC_STR("the configuration");
}

static void report_missing(checking *c, const lc_module *module, lc_str address,
                           lc_source_pos place)
{
    lc_str requirer = requirer_of(c, module);
    if (lc_table_get(&c->reported, address))
        return;
    lc_table_put(&c->reported, address, c);
    const char *program = c->profile == LC_PROFILE_OPENTOFU ? "tofu" : "terraform";
    lc_diag_error(c->diags, lc_source_pos_loc(place),
                  "%.*s requires %.*s, and --schema has no schema of it: run `%s providers schema "
                  "-json >schemas.json` where it is installed, and add --schema schemas.json",
                  LC_FMT(requirer), LC_FMT(address), program);
}

/* NULL: it is reported, or none of ours. */
static lc_served *served_as(checking *c, const lc_module *module, lc_str address,
                            lc_source_pos place)
{
    lc_served *served = c->find(c->context, address);
    if (!served && !is_installed(c, address))
        report_missing(c, module, address, place);
    return served;
}

static void check_resource(checking *c, const lc_module *module, const lc_config_resource *r)
{
    lc_schema_kind kind = lc_resource_mode_kind(r->mode);
    lc_provider_ref ref = {0};
    if (r->provider)
        ref = lc_provider_ref_parse(r->provider, c->profile);
    lc_str address = lc_provider_of(c->arena, c->profile, module,
                                    ref.ok ? ref.name : lc_provider_name_of_type(r->type));
    const lc_served *served = served_as(c, module, address, r->type_place);
    if (served && !lc_served_has(served, kind, r->type))
        lc_diag_error(
            c->diags, lc_source_pos_loc(r->type_place),
            "%.*s: the schema of %.*s has no %s %.*s; it may be of another version of the "
            "provider",
            LC_FMT(r->address), LC_FMT(address), lc_schema_kind_names[kind], LC_FMT(r->type));
}

static void check_module(checking *c, const lc_module *module)
{
    for (size_t i = 0; i < module->required.count; i++)
        served_as(
            c, module,
            lc_provider_of(c->arena, c->profile, module, module->required.items[i].local_name),
            module->required.items[i].place);
    for (size_t i = 0; i < module->resources.count; i++)
        check_resource(c, module, module->resources.items[i]);
}

/* ---- provider_meta. */

static void take_meta(checking *c, const lc_module *module)
{
    lc_str name;
    for (size_t i = 0; i < module->settings.count; i++) {
        const lc_config_setting *setting = &module->settings.items[i];
        if (setting->kind != LC_SETTING_PROVIDER_META)
            continue;
        lc_served *served =
            c->find(c->context, lc_provider_of(c->arena, c->profile, module, setting->label));
        for (size_t k = 0; served && lc_expr_key_at(&name, setting->body, k); k++)
            lc_served_add_meta(served, name);
    }
}

void lc_serve_check_required(const lc_cli *cli, const lc_live_search *search, lc_find_served find,
                             const void *context, lc_diags *diags)
{
    lc_diags quiet; /* the client reports what is wrong in its own words */
    lc_config_source source = {.path = lc_live_folder(cli->arena, search),
                               .limits = cli->options.limits};
    checking c = {.arena = cli->arena,
                  .diags = diags,
                  .profile = LC_PROFILE_TERRAFORM,
                  .find = find,
                  .context = context};
    if (is_program(search, "tofu"))
        c.profile = LC_PROFILE_OPENTOFU;
    source.profile = c.profile;
    source.loc = (lc_loc){source.path, 0, 0};
    lc_diags_init(&quiet, cli->arena);
    lc_table_init(&c.reported, cli->arena);
    lc_given_configuration *given = lc_configuration_open(cli->arena, &source, &quiet);
    lc_live_find(&c.installed, cli->arena, search, &quiet);
    lc_str command = client_command(search);
    if (given && reads_tests(search, command))
        open_tests(&c, search, given, &quiet);
    for (size_t i = 0; given && i < given->config->modules.count; i++) {
        take_meta(&c, given->config->modules.items[i]);
        if (asks_providers(command))
            check_module(&c, given->config->modules.items[i]);
    }
}

/* The input of the run model, put together from a scenario or from files. */
#include "scenario/planning/answers_in_plan.h"
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

/* ---- In the form of the run model. */

/* Addresses that cannot be parsed were reported when the options were read. */
static void take_addresses(lc_address_list *out, lc_arena *arena, const lc_str *texts, size_t count)
{
    lc_str why;
    size_t at;
    for (size_t i = 0; i < count; i++) {
        lc_address address;
        if (lc_address_parse(&address, arena, texts[i], &why, &at))
            *LC_PUSH(arena, &out->list, lc_address) = address;
    }
}

static void take_options(lc_run_options *out, lc_arena *arena, const lc_plan_options *o)
{
    out->mode = o->mode == LC_PLAN_DESTROY        ? LC_RUN_DESTROY
                : o->mode == LC_PLAN_REFRESH_ONLY ? LC_RUN_REFRESH_ONLY
                                                  : LC_RUN_NORMAL;
    out->no_refresh = o->refresh == LC_NO;
    take_addresses(&out->replace, arena, o->replace, o->replace_count);
    take_addresses(&out->targets, arena, o->target, o->target_count);
    take_addresses(&out->excludes, arena, o->exclude, o->exclude_count);
}

void lc_run_take_variables(lc_run_input *run, lc_arena *arena, const lc_given_configuration *given)
{
    const lc_module *root = given->config->root;
    lc_run_variable *list = LC_NEW_ARRAY(arena, lc_run_variable, root->variables.count);
    for (size_t i = 0; i < root->variables.count; i++) {
        lc_str name = root->variables.items[i]->name;
        const lc_marked *value = lc_table_get(&given->around.variables, name);
        if (value)
            list[run->variable_count++] = (lc_run_variable){name, value->value};
    }
    run->variables = list;
}

/* Prior objects: those of the state, or without one those that the plan had as its prior state. */
static void find_priors(lc_run_priors *out, lc_arena *arena, const lc_plan_evidence *facts,
                        const lc_given_configuration *given)
{
    bool terraform = given->config->profile == LC_PROFILE_TERRAFORM;
    lc_str refused;
    if (facts->state)
        lc_run_priors_from_state(out, arena, facts->state, terraform ? LC_TERRAFORM : LC_OPENTOFU,
                                 &refused);
    else if (facts->plan)
        lc_run_priors_from_plan(out, arena, facts->plan);
}

/* The registries from which the providers of a state come: those of one client alone name it. */
static bool state_names_client(const lc_state_file *state, lc_profile *profile)
{
    bool opentofu = false, terraform = false;
    for (size_t i = 0; state && i < state->resources.count; i++) {
        lc_str provider = state->resources.items[i].provider;
        opentofu |= lc_str_contains(provider, LC_STR("[\"registry.opentofu.org/"));
        terraform |= lc_str_contains(provider, LC_STR("[\"registry.terraform.io/"));
    }
    if (opentofu != terraform)
        *profile = opentofu ? LC_PROFILE_OPENTOFU : LC_PROFILE_TERRAFORM;
    return opentofu != terraform;
}

/* Which client it is: a plan shows who made it, else the state, else the lock file. False: none
 * does, and OpenTofu's rules are the default. */
static bool names_client(const lc_plan_evidence *facts, lc_profile *profile)
{
    const lc_plan *plan = facts->plan;
    *profile = plan && plan->by_terraform ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    if (plan)
        return plan->by_terraform || plan->by_opentofu;
    if (state_names_client(facts->state, profile))
        return true;
    if (facts->locked_by != LC_PROFILE_DOCUMENT)
        *profile = facts->locked_by;
    return facts->locked_by != LC_PROFILE_DOCUMENT;
}

static lc_profile default_profile(const lc_plan_evidence *facts)
{
    lc_profile profile;
    names_client(facts, &profile);
    return profile;
}

static void find_client(lc_plan_evidence *facts, lc_given_configuration *given, bool profile_given,
                        lc_str version)
{
    lc_profile profile;
    lc_client_evidence evidence = {
        profile_given || names_client(facts, &profile),
        version,
        facts->plan ? facts->plan->version : LC_STR_EMPTY,
        facts->state ? facts->state->terraform_version : LC_STR_EMPTY,
    };
    lc_client_find(given->config, &evidence);
}

/* Sets facts->run. `priors` come from the facts, or are a scenario's own. */
static void set_run(lc_plan_evidence *facts, lc_arena *arena, lc_given_configuration *given,
                    const lc_run_priors *priors, lc_answers *answers)
{
    lc_run_input *run = LC_NEW(arena, lc_run_input);
    run->config = given->config;
    run->made = facts->plan;
    run->workspace = given->around.workspace;
    run->priors = priors;
    run->state = facts->state;
    run->provider = lc_answers_provider(answers);
    if (facts->state)
        run->outputs = lc_run_outputs_from_state(&run->output_count, arena, facts->state);
    take_options(&run->options, arena, &facts->options);
    lc_run_take_variables(run, arena, given);
    facts->run = run;
}

/* ---- From a scenario. */

/* `config` may write its resources in short, under `resources`. */
static bool find_config(lc_in *in, lc_config_nodes *nodes)
{
    if (nodes->dir && nodes->root)
        return lc_in_refuse(in, nodes->dir,
                            "the configuration is given as well: write one of the two");
    if (nodes->dir)
        return true;
    if (!lc_in_mapping(in, nodes->root, "config") ||
        (nodes->modules && !lc_in_mapping(in, nodes->modules, "modules")))
        return false;
    if (!lc_node_get(nodes->root, "resources"))
        return true;
    if (nodes->modules)
        return lc_in_refuse(in, nodes->modules, "modules cannot be used together with `resources`");
    return lc_in_short_resources(in, &nodes->root, &nodes->modules);
}

static lc_given_configuration *read_config(lc_in *in, const lc_plan_evidence *facts,
                                           const lc_node *mapping)
{
    lc_profile profile = default_profile(facts);
    lc_config_nodes nodes = {.dir = lc_node_get(mapping, "config_dir"),
                             .root = lc_node_get(mapping, "config"),
                             .modules = lc_node_get(mapping, "modules")};
    bool ok = lc_in_profile(in, &profile, lc_node_get(mapping, "profile"), true) &&
              find_config(in, &nodes);
    return ok ? lc_in_configuration(in, &nodes, profile) : NULL;
}

/* Sets facts->stated if `state` is not a state file. */
static bool read_stated(lc_in *in, lc_plan_evidence *facts, lc_run_priors *priors,
                        lc_answers *answers, const lc_node *state)
{
    if (!state || facts->state)
        return true;
    facts->stated = priors;
    facts->stated_by = lc_answers_provider(answers);
    return lc_in_stored_objects(in, priors, answers, state);
}

/* Without a configuration these are not used. */
static bool refuse_unread(lc_in *in, const lc_node *mapping)
{
    static const char *const keys[] = {"modules", "variables", "provider"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const lc_node *node = lc_node_get(mapping, keys[i]);
        if (node)
            return lc_in_refuse(in, node, "this needs a configuration: `config` or `config_dir`");
    }
    return true;
}

/* With a plan alone: the schemas do not depend on what is configured. */
static bool read_stated_alone(lc_in *in, lc_plan_evidence *facts, lc_run_priors *priors,
                              const lc_node *mapping)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING};
    lc_config_nodes nodes = {.root = &nothing};
    lc_given_configuration *given = lc_in_configuration(in, &nodes, default_profile(facts));
    return given && read_stated(in, facts, priors, lc_answers_new(in->arena, facts, given, false),
                                lc_node_get(mapping, "state"));
}

/* Without a plan the provider's responses are guessed (third argument of lc_answers_new). */
bool lc_in_prediction(lc_in *in, lc_plan_evidence *facts, const lc_node *mapping)
{
    lc_run_priors *priors = LC_NEW(in->arena, lc_run_priors);
    if (!lc_node_get(mapping, "config") && !lc_node_get(mapping, "config_dir"))
        return refuse_unread(in, mapping) &&
               (!facts->plan || read_stated_alone(in, facts, priors, mapping)) &&
               lc_in_expected_changes(in, facts, lc_node_get(mapping, "expect"));
    lc_given_configuration *given = read_config(in, facts, mapping);
    if (!given)
        return false;
    lc_answers *answers = lc_answers_new(in->arena, facts, given, !facts->plan);
    if (!lc_in_answers(in, answers, lc_node_get(mapping, "provider")))
        return false;
    if (!read_stated(in, facts, priors, answers, lc_node_get(mapping, "state")))
        return false;
    if (!facts->stated)
        find_priors(priors, in->arena, facts, given);
    if (!lc_in_variables(in, given, lc_node_get(mapping, "variables")) ||
        !lc_in_expected_changes(in, facts, lc_node_get(mapping, "expect")))
        return false;
    set_run(facts, in->arena, given, priors, answers);
    find_client(facts, given, lc_node_get(mapping, "profile") != NULL, LC_STR_EMPTY);
    return true;
}

/* ---- From files. */

/* The lock file begins with a comment that says whose `init` maintains it. */
static lc_profile locked_by(lc_arena *arena, const lc_prediction_files *files)
{
    lc_str text;
    lc_diags quiet;
    bool file = lc_str_ends_with(files->config, LC_STR(".tf")) ||
                lc_str_ends_with(files->config, LC_STR(".tofu")) ||
                lc_str_ends_with(files->config, LC_STR(".json"));
    lc_str folder = file ? lc_file_folder(files->config) : files->config;
    lc_str path = lc_str_printf(arena, "%.*s/.terraform.lock.hcl", LC_FMT(folder));
    lc_diags_init(&quiet, arena);
    if (lc_file_read(&text, arena, path, files->limits.input_bytes, &quiet) != LC_OK)
        return LC_PROFILE_DOCUMENT;
    lc_str first = lc_str_sub(text, 0, lc_str_find(text, 0, '\n'));
    return lc_str_contains(first, LC_STR("\"tofu init\""))        ? LC_PROFILE_OPENTOFU
           : lc_str_contains(first, LC_STR("\"terraform init\"")) ? LC_PROFILE_TERRAFORM
                                                                  : LC_PROFILE_DOCUMENT;
}

static bool predict_from(lc_plan_evidence *facts, lc_arena *arena, const lc_prediction_files *files,
                         lc_diags *diags)
{
    facts->locked_by = locked_by(arena, files);
    lc_profile profile = files->profile_given ? files->profile : default_profile(facts);
    lc_config_source source = {
        files->config, {files->config, 0, 0}, profile, files->limits, files->access};
    lc_given_configuration *given = lc_configuration_open(arena, &source, diags);
    lc_run_priors *priors = LC_NEW(arena, lc_run_priors);
    if (!given)
        return false;
    find_client(facts, given, files->profile_given, files->client_version);
    lc_answers *answers = lc_answers_new(arena, facts, given, false);
    given->around.workspace = files->workspace;
    find_priors(priors, arena, facts, given);
    if (!(facts->plan
              ? lc_variables_of_plan(given, arena, facts->plan, &files->variables, &files->limits,
                                     diags)
              : lc_variables_from_user(given, arena, &files->variables, &files->limits, diags)))
        return false;
    if (!files->open_variables && !facts->plan)
        lc_variables_require(given->config, &given->around);
    set_run(facts, arena, given, priors, answers);
    facts->run->learned = files->learned;
    facts->run->trust_learned = files->trust_learned;
    facts->run->fresh_data = files->fresh_data;
    if (files->ask && !facts->plan) {
        lc_run_provider otherwise = facts->run->provider;
        facts->run->provider = files->ask(files->ask_context, given->config, &otherwise);
    }
    return true;
}

static bool open_plan(lc_plan_evidence *facts, lc_arena *arena, const lc_prediction_files *files,
                      lc_diags *diags)
{
    if (!files->plan.len)
        return true;
    const lc_source *source = lc_json_open(
        arena, files->plan, "`terraform show -json PLAN` prints a plan", &files->limits, diags);
    facts->plan = source ? lc_plan_read(arena, source, source->documents, diags) : NULL;
    if (facts->plan)
        lc_plan_infer(&facts->options, facts->plan);
    return facts->plan;
}

static bool open_state(lc_state_file **out, lc_arena *arena, lc_str path,
                       const lc_prediction_files *files, lc_diags *diags)
{
    if (path.len)
        *out = lc_state_open(arena, path, &files->limits, diags);
    return !path.len || *out;
}

/* Schemas that are not named are searched next to the plan, the state, or in the working folder. */
lc_scenario *lc_prediction_case(const lc_plan_evidence **out, lc_arena *arena,
                                lc_schema_store *store, const lc_prediction_files *files,
                                const lc_plan_options *options, lc_diags *diags)
{
    lc_plan_evidence *facts = LC_NEW(arena, lc_plan_evidence);
    *out = facts;
    lc_schemas *schemas = LC_NEW(arena, lc_schemas);
    facts->options = *options;
    facts->trust_state = files->trust_state;
    facts->unwritten = files->unwritten;
    facts->policy = files->policy;
    if (!open_plan(facts, arena, files, diags) ||
        !open_state(&facts->state, arena, files->state, files, diags) ||
        !open_state(&facts->next_state, arena, files->next_state, files, diags))
        return NULL;
    lc_str beside = files->plan.len ? files->plan : files->state.len ? files->state : LC_STR("./x");
    lc_schemas_open(schemas, arena, store, beside, &files->schemas, diags);
    lc_plan_evidence_use_schemas(facts, arena, schemas);
    if (files->config.len && !predict_from(facts, arena, files, diags))
        return NULL;
    facts->prediction = lc_plan_evidence_predict(arena, facts);
    if (facts->prediction)
        facts->shown = lc_plan_evidence_show(arena, facts, facts->prediction);
    lc_str file = files->plan.len ? files->plan : files->config;
    return lc_plan_evidence_scenario(arena, facts, file,
                                     facts->plan ? "the plan as a whole" : "the run as a whole",
                                     (lc_loc){file, 0, 0});
}

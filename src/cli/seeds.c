/* Configurations and stored objects of files that the user has, as seeds of probing. What `check`
 * can read is read by the same readers, and a configuration by the pipeline of predictions, which
 * asks for every plan call that a client would make. */
#include "cli/seeds.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/predict/predict.h"
#include "lifecheck/scenario/planning_input.h"

#include <string.h>
#include <sys/stat.h>

typedef struct reader {
    lc_seeds *out;
    lc_arena *arena;
    const lc_cli *cli;
    const lc_prober *prober;
    const lc_state_file *state; /* of --state, or NULL */
    lc_str from;                /* the file that is read */
    lc_diags *diags;
    lc_table noted[LC_LAST_KIND + 1]; /* of each kind: types that were named */
} reader;

/* ---- Values fitted to the provider's schema: the file may be of another version. */

static const lc_value *part_of(const lc_value *object, lc_str name, const lc_value *otherwise)
{
    const lc_value *part = lc_value_attr(object, name);
    return part ? part : otherwise;
}

/* With other attributes of the type as in a configuration that does not name it. */
static const lc_value *filled(lc_arena *arena, const lc_block *block, const lc_value *object)
{
    const lc_type *type = block->implied;
    const lc_value *empty = lc_block_empty_value(arena, block);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    lc_value slot;
    for (size_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        lc_str why;
        const lc_value *part = part_of(object, name, lc_value_attr(empty, name));
        if (!lc_value_convert(&part, arena, part, type->as.attrs[i].type, &why))
            return NULL;
        elems[i] = *part;
    }
    lc_value_set_object(&slot, arena, type, elems);
    return lc_value_new(arena, &slot);
}

/* NULL: it is null or does not fit. */
static const lc_value *fitted(reader *r, const lc_schema *schema, const lc_value *value)
{
    if (!value || !lc_is_known(value) || value->type->kind != LC_TYPE_OBJECT)
        return NULL;
    lc_arena *scratch = lc_arena_new_small();
    const lc_value *whole = filled(scratch, schema->block, value);
    if (whole)
        whole = lc_value_copy(r->arena, whole, schema->block->implied);
    else if (r->out->unfit++ == 0)
        r->out->why_unfit =
            lc_str_printf(r->arena, "%.*s in %.*s", LC_FMT(schema->type_name), LC_FMT(r->from));
    lc_arena_free(scratch);
    return whole;
}

static void note_type(reader *r, lc_schema_kind kind, lc_str type)
{
    if (lc_table_get(&r->noted[kind], type))
        return;
    lc_table_put(&r->noted[kind], type, r);
    *LC_PUSH(r->arena, &r->out->types, lc_str) = lc_kind_and_type(r->arena, kind, type);
}

static const lc_schema *schema_of(reader *r, lc_schema_kind kind, lc_str type)
{
    note_type(r, kind, type);
    const lc_schema *schema = lc_prober_schema(r->prober, kind, type);
    r->out->foreign += schema == NULL;
    return schema;
}

/* `config` and `stored` are as the file has them; either may be NULL. */
static void add_seed(reader *r, const lc_schema *schema, const lc_value *config,
                     const lc_value *stored, lc_str private_data)
{
    lc_probe_seed seed = {.kind = schema->kind,
                          .type = schema->type_name,
                          .from = r->from,
                          .config = fitted(r, schema, config),
                          .stored = fitted(r, schema, stored)};
    if (seed.stored)
        seed.private_data = lc_str_copy(r->arena, private_data);
    if (seed.config || seed.stored)
        *LC_PUSH(r->arena, &r->out->list, lc_probe_seed) = seed;
}

/* ---- Cases: scenarios, recordings, plans. */

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) && !lc_is_null(field->value) ? field->value : NULL;
}

static const lc_value *stored_value(const lc_field *field)
{
    const lc_value *value = value_of(field);
    return value && lc_is_wholly_known(value) ? value : NULL;
}

/* An object that an apply returned is what its configuration makes; otherwise the two are not known
 * to belong together. */
static void add_run(reader *r, const lc_schema *schema, const lc_run *run)
{
    const lc_value *config = value_of(&run->final_config);
    const lc_call *apply = lc_run_call(run, LC_CALL_APPLY);
    const lc_value *made = apply && apply->failed != LC_YES ? stored_value(&apply->result) : NULL;
    const lc_value *prior = stored_value(&run->prior_state);
    if (!config)
        config = value_of(&run->config);
    if (config)
        add_seed(r, schema, config, made,
                 apply && apply->has_private ? apply->private_data : LC_STR_EMPTY);
    if (prior && !run->probed) /* what probing asks with may be generated */
        add_seed(r, schema, NULL, prior,
                 run->has_prior_private ? run->prior_private : LC_STR_EMPTY);
}

static void take_case(void *context, const lc_judged *judged)
{
    reader *r = context;
    const lc_case *subject = &judged->scenario->subject;
    for (size_t i = 0; i < subject->runs.count; i++) {
        const lc_run *run = &subject->runs.items[i];
        if (!run->schema || run->schema_unknown || run->schema->type_name.len == 0)
            continue;
        const lc_schema *schema = schema_of(r, run->schema->kind, run->schema->type_name);
        if (schema)
            add_run(r, schema, run);
    }
}

/* For lc_schema_store.provided: scenarios for `drive` do not contain a schema. */
static const lc_schema *provided(void *context, lc_schema_kind kind, lc_str type)
{
    const reader *r = context;
    return lc_prober_schema(r->prober, kind, type);
}

static bool read_evidence(reader *r, lc_str path)
{
    lc_report_options report = {.format = LC_FORMAT_TEXT, .quiet = true};
    lc_words words = {.items = &path, .count = 1};
    lc_checker checker = {.reports = &report,
                          .report_count = 1,
                          .empty_advice = LC_EMPTY_ADVICE,
                          .policy = &r->cli->options.policy,
                          .limits = r->cli->options.limits,
                          .capture = lc_cli_capture(r->cli),
                          .store_arena = lc_arena_new(),
                          .observe = take_case,
                          .observe_context = r};
    lc_items items;
    size_t errors = 0;
    report.policy = *checker.policy;
    lc_schema_store_init(&checker.store, checker.store_arena, checker.limits);
    checker.store.provided = provided;
    checker.store.provided_context = r;
    checker.store.stated_first = true;
    lc_find_items(&items, r->cli, &words, LC_INPUT_UNKNOWN);
    for (size_t i = 0; i < items.list.count; i++) {
        r->from = items.list.items[i].file;
        errors += lc_observe_item(&checker, &items.list.items[i]);
    }
    lc_arena_free(checker.store_arena);
    return errors == 0;
}

/* ---- Configurations. */

static const lc_schema *find_schema(void *context, lc_schema_kind kind, lc_str provider,
                                    lc_str type)
{
    reader *r = context;
    (void)provider;
    note_type(r, kind, type);
    return kind == LC_KIND_RESOURCE ? lc_prober_schema(r->prober, kind, type) : NULL;
}

/* What a client would ask the provider to plan. It is not asked here, so its answer is not known.
 */
static void take_question(void *context, lc_run_question *ask)
{
    reader *r = context;
    const lc_schema *schema = lc_prober_schema(r->prober, LC_KIND_RESOURCE, ask->schema->type_name);
    bool stored = ask->prior && lc_is_known(ask->prior) && lc_is_wholly_known(ask->prior);
    if (schema && ask->config && lc_is_known(ask->config))
        add_seed(r, schema, ask->config, stored ? ask->prior : NULL, LC_STR_EMPTY);
}

static bool read_configuration(reader *r, lc_str path)
{
    const lc_limits *limits = &r->cli->options.limits;
    lc_core core = lc_cli_client(r->cli);
    lc_config_source source = {path,
                               {path, 0, 0},
                               core == LC_TERRAFORM ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU,
                               *limits,
                               lc_cli_access(r->cli)};
    lc_given_configuration *given = lc_configuration_open(r->arena, &source, r->diags);
    lc_run_priors priors = {0};
    lc_prediction prediction;
    lc_str refused;
    if (!given)
        return false;
    lc_variable_sources variables = lc_cli_variables(r->cli);
    if (!lc_variables_from_user(given, r->arena, &variables, limits, r->diags))
        return false;
    if (r->state)
        lc_run_priors_from_state(&priors, r->arena, r->state, core, &refused);
    lc_run_input input = {.config = given->config,
                          .priors = &priors,
                          .provider = {.context = r,
                                       .schema = find_schema,
                                       .stored = lc_run_stored_in_state,
                                       .plan = take_question}};
    lc_run_take_variables(&input, r->arena, given);
    r->from = path;
    lc_run_predict(&prediction, r->arena, &input);
    return true;
}

/* A file of a configuration, or a folder that has one. */
static bool is_configuration(lc_arena *arena, lc_str path)
{
    lc_str *names = NULL;
    size_t count = 0;
    struct stat info;
    bool is = lc_config_is_file(path);
    if (is || stat(lc_str_to_c(arena, path), &info) != 0 || !S_ISDIR(info.st_mode))
        return is;
    lc_folder_list(&names, &count, arena, path);
    for (size_t i = 0; i < count && !is; i++)
        is = lc_config_is_file(names[i]);
    return is;
}

/* ---- States. */

static void add_object(reader *r, const lc_state_object *object, const lc_run_prior *prior)
{
    const lc_state_resource *resource = &r->state->resources.items[object->resource];
    const lc_schema *schema =
        resource->kind == LC_KIND_RESOURCE ? schema_of(r, resource->kind, resource->type) : NULL;
    const lc_value *stored;
    lc_path_list sensitive = {0};
    lc_str error = LC_STR_EMPTY, private_data = LC_STR_EMPTY;
    size_t at;
    r->out->of_version += schema && object->schema_version != schema->version;
    if (!schema || object->schema_version != schema->version ||
        !lc_run_stored_in_state(NULL, r->arena, prior, schema, NULL, &stored, &sensitive, &error))
        return;
    if (object->private_data && object->private_data->kind == LC_NODE_STRING)
        lc_base64_decode(&private_data, r->arena, object->private_data->as.text, &at);
    add_seed(r, schema, NULL, stored, private_data);
}

static bool read_state(reader *r, lc_str path)
{
    lc_run_priors priors = {0};
    lc_str refused;
    r->state = lc_state_open(r->arena, path, &r->cli->options.limits, r->diags);
    r->from = path;
    if (!r->state)
        return false;
    lc_run_priors_from_state(&priors, r->arena, r->state, lc_cli_client(r->cli), &refused);
    for (size_t i = 0; i < priors.list.count; i++)
        add_object(r, priors.list.items[i].origin, &priors.list.items[i]);
    return true;
}

bool lc_seeds_read(lc_seeds *out, lc_arena *arena, const lc_cli *cli, const lc_prober *prober)
{
    const lc_options *o = &cli->options;
    lc_diags diags;
    bool good = true;
    *out = (lc_seeds){0};
    lc_diags_init(&diags, arena);
    reader r = {out, arena, cli, prober, NULL, LC_STR_EMPTY, &diags, {{0}}};
    for (size_t i = 0; i <= LC_LAST_KIND; i++)
        lc_table_init(&r.noted[i], arena);
    for (size_t i = 0; i < o->state.count; i++)
        good &= read_state(&r, o->state.items[i]);
    out->of_configuration = o->config.len && is_configuration(arena, o->config);
    if (o->config.len)
        good &= out->of_configuration ? read_configuration(&r, o->config)
                                      : read_evidence(&r, o->config);
    return lc_report_diags(&diags) && good;
}

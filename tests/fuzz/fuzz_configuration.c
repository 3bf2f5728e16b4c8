/* Configurations, and what is predicted from them: an input is a document {"root": FILE,
 * "NAME": FILE, ..., "state": STATE}, or the one file of the root module. A file that is a string
 * is in native syntax. Laws: a configuration is read, or there is a diagnostic; problems have a
 * summary and a place in the document; what is predicted are objects that are declared or stored,
 * by canonical addresses, each found by its own, with an action that is possible; uses of providers
 * are of resources; and all that comes twice the same as well-formed JSON. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/predict/predict.h"
#include "lifecheck/provider_config/provider_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct world {
    lc_arena *arena;
    const lc_source *source;
    lc_profile profile;
    lc_run_mode mode;
    lc_state_file *state; /* or NULL */
} world;

static const lc_node *part(const world *w, lc_str name)
{
    const lc_node *root = w->source->documents;
    const lc_member *m = root->kind == LC_NODE_MAPPING ? lc_node_member(root, name) : NULL;
    return m ? &m->value : NULL;
}

static bool open_folder(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const world *w = context;
    const lc_node *file = part(w, path.len ? path : LC_STR("root"));
    if (!file && path.len == 0)
        file = w->source->documents;
    if (!file)
        return false;
    lc_config_file *added = LC_PUSH(arena, &out->files, lc_config_file);
    if (file->kind == LC_NODE_STRING)
        lc_config_file_parse(added, arena, LC_STR("main.tf"), LC_STR("main.tf"), file->as.text);
    else
        *added =
            (lc_config_file){.name = LC_STR("main.tf.json"), .source = w->source, .root = file};
    return true;
}

static bool read_configuration(const world *w, lc_configuration *out)
{
    lc_config_loader loader = {.context = (void *)(uintptr_t)w, .open = open_folder};
    lc_diags diags;
    lc_diags_init(&diags, w->arena);
    lc_status status = lc_configuration_read(out, w->arena, w->profile, &loader, &diags);
    LC_ASSERT(status == LC_OK || diags.errors > 0);
    return status == LC_OK;
}

/* ---- Laws. */

static void check_problems(const lc_configuration *config)
{
    for (size_t i = 0; i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        lc_loc loc = p->place.source ? lc_source_pos_loc(p->place) : p->loc;
        LC_ASSERT(p->summary.len > 0 || p->detail.len > 0);
        LC_ASSERT(p->rule <= LC_RULE_COUNT && loc.line > 0 && loc.column > 0);
    }
}

static void check_json(const world *w, lc_buf *json)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, w->arena);
    LC_ASSERT(json->len == 0 || lc_json_parse(&source, w->arena, LC_STR("out"), lc_buf_str(json),
                                              &limits, &diags) == LC_OK);
}

static void check_changes(const world *w, const lc_prediction *prediction, const lc_run_input *in)
{
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        LC_ASSERT(lc_str_eq(c->text, lc_address_text(w->arena, &c->address)));
        LC_ASSERT(c->possible & LC_PLAN_BIT(c->action));
        LC_ASSERT(lc_run_find(prediction, c->text, c->deposed));
        LC_ASSERT(c->config || c->prior);
        LC_ASSERT(!c->config || lc_config_resource_at(in->config, &c->address) == c->config);
        LC_ASSERT(!c->deposed.len || c->prior);
    }
    for (size_t i = 0; i < prediction->errors.count; i++)
        LC_ASSERT(prediction->errors.items[i].summary.len > 0 ||
                  prediction->errors.items[i].detail.len > 0);
}

/* ---- What is predicted. No one but the built-in provider answers. */

static const lc_schema *schema_of(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    (void)provider;
    lc_resource_mode mode = kind == LC_KIND_DATA ? LC_MODE_DATA : LC_MODE_MANAGED;
    return kind == LC_KIND_DATA || kind == LC_KIND_RESOURCE ? lc_known_schema(context, mode, type)
                                                            : NULL;
}

static void plan_object(void *context, lc_run_question *ask)
{
    lc_known_plan(context, ask);
}

static void import_object(void *context, lc_run_question *ask)
{
    lc_known_import(context, ask);
}

static void read_data(void *context, lc_run_question *ask)
{
    lc_known_read_data(context, ask);
}

static void predict(const world *w, const lc_configuration *config, lc_buf *json)
{
    lc_run_priors priors = {0};
    lc_run_input in = {.config = config, .priors = &priors, .workspace = LC_STR_EMPTY};
    lc_str refused = LC_STR_EMPTY;
    lc_prediction prediction;
    in.options.mode = w->mode;
    in.provider = (lc_run_provider){.context = lc_known_types_new(w->arena, config),
                                    .schema = schema_of,
                                    .stored = lc_run_stored_in_state,
                                    .plan = plan_object,
                                    .import = import_object,
                                    .data = read_data};
    if (w->state) {
        lc_run_priors_from_state(&priors, w->arena, w->state,
                                 w->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU,
                                 &refused);
        in.outputs = lc_run_outputs_from_state(&in.output_count, w->arena, w->state);
    }
    lc_run_predict(&prediction, w->arena, &in);
    check_changes(w, &prediction, &in);
    lc_prediction_add_json(json, &prediction);
    check_json(w, json);
}

static void resolve(const world *w, lc_configuration *config, lc_buf *json)
{
    lc_eval_context around = {.config = config};
    lc_provider_model model;
    lc_buf uses = {0};
    lc_table_init(&around.variables, w->arena);
    lc_provider_model_make(&model, w->arena, config, &around);
    for (size_t i = 0; i < model.uses.count; i++) {
        const lc_provider_use *use = &model.uses.items[i];
        LC_ASSERT(use->resource && (use->state != LC_USE_RESOLVED || use->config));
        LC_ASSERT(use->state != LC_USE_FAILED || config->problems.count > 0);
        LC_ASSERT(use->state != LC_USE_UNDECIDED || use->undecided.len > 0);
        LC_ASSERT(lc_config_resource_at(config, &use->address) == use->resource);
    }
    if (w->state) {
        lc_provider_check_state(&model, w->state);
        lc_provider_check_objects(&model, w->state);
    }
    check_problems(config);
    lc_provider_model_add_json(&uses, w->arena, &model);
    check_json(w, &uses);
    lc_buf_add_str(json, lc_buf_str(&uses));
    lc_buf_release(&uses);
}

static lc_str look(const world *w)
{
    lc_configuration config;
    lc_buf json = {0};
    if (read_configuration(w, &config)) {
        check_problems(&config);
        predict(w, &config, &json);
        resolve(w, &config, &json);
        lc_buf_printf(&json, " %zu", config.problems.count);
    }
    return lc_buf_take(w->arena, &json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_state_file state;
    lc_diags diags;
    /* Its length decides who reads it, and for what. */
    world w = {arena, &source, (lc_profile)(size % LC_ENUM_COUNT(LC_PROFILES)), LC_RUN_NORMAL,
               NULL};
    w.mode = size % 8 == 5 ? LC_RUN_DESTROY : size % 8 == 6 ? LC_RUN_REFRESH_ONLY : LC_RUN_NORMAL;
    limits.nodes = 20000;
    limits.digits = 1000;
    lc_diags_init(&diags, arena);
    if (lc_json_parse(&source, arena, LC_STR("f.json"), (lc_str){(const char *)data, size}, &limits,
                      &diags) == LC_OK) {
        const lc_node *node = part(&w, LC_STR("state"));
        if (node && lc_state_from_node(&state, arena, &source, node, &diags) == LC_OK)
            w.state = &state;
        lc_str first = look(&w), second = look(&w);
        LC_ASSERT(lc_str_eq(first, second));
    }
    lc_arena_free(arena);
    return 0;
}

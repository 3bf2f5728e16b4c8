/* Recorded plans: files, state and options of a line to what both clients plan. */
#include "plans.h"
#include "../unit/memory_files.h"
#include "provider_lines.h"

#include "lifecheck/base/arena.h"

#include "lifecheck/configuration/scope.h"

#include <string.h>

typedef struct line_answer {
    lc_buf *out;
    lc_arena *arena;
    const lc_source *source;
    const lc_node *line;
    vectors_world world;
    lc_core core;
    lc_configuration config;
    lc_run_input input;
    LC_VEC(lc_str) vars; /* NAME=VALUE */
    lc_run_priors priors;
    LC_VEC(lc_str) errors;
    vectors_providers providers;
    bool written; /* there is a state afterwards */
} line_answer;

static void add_error(line_answer *a, lc_str summary)
{
    *LC_PUSH(a->arena, &a->errors, lc_str) = summary;
}

/* ---- Files. */

static bool open_folder(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const line_answer *a = context;
    const lc_node *files = a->world.files;
    bool found = path.len == 0;
    for (uint32_t i = 0; i < files->count; i++) {
        const lc_member *m = &files->as.members[i];
        lc_str name = m->key;
        if (path.len &&
            (!lc_str_starts_with(name, path) || name.len <= path.len || name.ptr[path.len] != '/'))
            continue;
        found = true;
        name = path.len ? lc_str_sub(name, path.len + 1, name.len) : name;
        if (memchr(name.ptr, '/', name.len))
            continue;
        if (!lc_config_is_file(name))
            continue;
        lc_config_file *file = LC_PUSH(arena, &out->files, lc_config_file);
        if (m->value.kind == LC_NODE_STRING)
            lc_config_file_parse(file, arena, name, m->key, m->value.as.text);
        else
            *file = (lc_config_file){.name = name, .source = a->source, .root = &m->value};
    }
    return found;
}

/* What expressions and terraform_remote_state read; JSON files are written as objects. */
static void give_files(lc_files *out, line_answer *a)
{
    const lc_node *files = a->world.files;
    memory_file *list = LC_NEW_ARRAY(a->arena, memory_file, files->count);
    for (uint32_t i = 0; i < files->count; i++) {
        const lc_member *m = &files->as.members[i];
        bool text = m->value.kind == LC_NODE_STRING;
        list[i] =
            (memory_file){m->key, text ? m->value.as.text : lc_node_json(a->arena, &m->value)};
    }
    files_in_memory(out, a->arena, list, files->count);
}

static bool read_config(line_answer *a)
{
    lc_config_loader loader = {.context = a, .open = open_folder};
    give_files(&loader.files, a);
    lc_diags diags;
    lc_diags_init(&diags, a->arena);
    lc_profile profile = a->core == LC_TERRAFORM ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    if (lc_configuration_read(&a->config, a->arena, profile, &loader, &diags) != LC_OK)
        return false;
    /* The clients that the plans were recorded with. */
    lc_client_evidence evidence = {.profile_known = true,
                                   .given = a->core == LC_TERRAFORM ? LC_STR("1.11.4")
                                                                    : LC_STR("1.12.6")};
    lc_client_find(&a->config, &evidence);
    return true;
}

/* ---- Options. */

static bool read_address(line_answer *a, lc_address_list *out, lc_str text, const char *what)
{
    lc_address address;
    lc_str why;
    size_t at;
    if (lc_address_parse(&address, a->arena, text, &why, &at)) {
        *LC_PUSH(a->arena, &out->list, lc_address) = address;
        return true;
    }
    add_error(a, lc_str_printf(a->arena, "Invalid %s \"%.*s\"", what, LC_FMT(text)));
    return false;
}

static lc_str after(lc_str text, const char *prefix)
{
    lc_str p = lc_str_from_c(prefix);
    return lc_str_starts_with(text, p) ? lc_str_sub(text, p.len, text.len) : (lc_str){NULL, 0};
}

static void read_option(line_answer *a, lc_str text)
{
    lc_run_options *o = &a->input.options;
    lc_str value;
    if ((value = after(text, "-target=")).ptr)
        read_address(a, &o->targets, value, "target");
    else if ((value = after(text, "-exclude=")).ptr)
        read_address(a, &o->excludes, value, "exclude");
    else if ((value = after(text, "-replace=")).ptr)
        read_address(a, &o->replace, value, "force-replace address");
    else if ((value = after(text, "-var=")).ptr)
        *LC_PUSH(a->arena, &a->vars, lc_str) = value;
    else if (lc_str_is(text, "-refresh=false"))
        o->no_refresh = true;
    else if (lc_str_is(text, "-refresh-only") || lc_str_is(text, "-destroy")) {
        lc_run_mode mode = lc_str_is(text, "-destroy") ? LC_RUN_DESTROY : LC_RUN_REFRESH_ONLY;
        if (o->mode != LC_RUN_NORMAL && o->mode != mode)
            add_error(a, LC_STR("Incompatible plan mode options"));
        o->mode = mode;
    }
}

static void read_options(line_answer *a)
{
    const lc_node *options = lc_node_get(a->line, "options");
    for (uint32_t i = 0; options && i < options->count; i++)
        read_option(a, options->as.items[i].as.text);
}

/* ---- State. */

static void state_error(line_answer *a, lc_str summary, lc_str detail)
{
    if (a->core == LC_TERRAFORM)
        add_error(a, summary);
    else
        add_error(a, lc_str_printf(a->arena, "error loading state: %.*s: %.*s", LC_FMT(summary),
                                   LC_FMT(detail)));
}

static bool read_state(line_answer *a, lc_state_file *state)
{
    const lc_node *node = lc_node_get(a->line, "prior_state");
    lc_diags diags;
    if (!node || node->kind != LC_NODE_MAPPING)
        return true;
    lc_diags_init(&diags, a->arena);
    const lc_node *version = lc_node_get(node, "version");
    if (lc_state_from_node(state, a->arena, a->source, node, &diags) != LC_OK) {
        const lc_node *by = lc_node_get(node, "terraform_version");
        lc_str detail = lc_str_printf(
            a->arena,
            "The state file uses format version %.*s, which is not supported by OpenTofu 1.12.6. "
            "This state file was created by OpenTofu %.*s.",
            LC_FMT(version ? version->as.text : LC_STR("none")),
            LC_FMT(by ? by->as.text : LC_STR_EMPTY));
        state_error(a, LC_STR("Unsupported state file format"), detail);
        return false;
    }
    for (size_t i = 0; i < state->oddities.count; i++) {
        const lc_state_oddity *odd = &state->oddities.items[i];
        if (odd->summary.len)
            state_error(a, odd->summary, odd->detail);
    }
    if (a->errors.count)
        return false;
    lc_str why;
    lc_run_priors_from_state(&a->priors, a->arena, state, a->core, &why);
    if (why.len)
        return false; /* reported with what else is wrong about providers */
    a->world.state = state;
    a->input.priors = &a->priors;
    a->input.outputs = lc_run_outputs_from_state(&a->input.output_count, a->arena, state);
    return a->errors.count == 0;
}

/* ---- Writing. */

static void add_actions(lc_buf *out, lc_plan_action action)
{
    lc_buf_add_c(out, lc_plan_action_text(action));
}

static void add_member(lc_buf *out, const char *name, lc_str text)
{
    if (!text.len)
        return;
    lc_buf_printf(out, ",\"%s\":", name);
    lc_buf_add_json(out, text, false);
}

static void add_paths(lc_buf *out, const lc_run_change *c)
{
    lc_buf_add_c(out, ",\"replace_paths\":[");
    for (size_t i = 0; i < c->replace_path_count; i++) {
        lc_buf_add_c(out, i ? ",[" : "[");
        for (size_t j = 0; j < c->replace_paths[i].count; j++) {
            const lc_step *step = &c->replace_paths[i].steps[j];
            lc_buf_add_c(out, j ? "," : "");
            if (step->kind == LC_STEP_INDEX)
                lc_buf_printf(out, "%llu", (unsigned long long)step->index);
            else
                lc_buf_add_json(out, step->name, false);
        }
        lc_buf_add_char(out, ']');
    }
    lc_buf_add_char(out, ']');
}

static void add_change(lc_buf *out, const lc_run_change *c)
{
    lc_buf_add_c(out, "{\"address\":");
    lc_buf_add_json(out, c->text, false);
    add_member(out, "previous_address", c->previous);
    add_member(out, "deposed", c->deposed);
    lc_buf_add_c(out, ",\"actions\":");
    add_actions(out, c->action);
    add_member(out, "action_reason", lc_str_from_c(lc_plan_reason_text(c->reason)));
    if (c->importing)
        lc_buf_add_c(out, ",\"importing\":true");
    if (c->replace_path_count)
        add_paths(out, c);
    lc_buf_add_char(out, '}');
}

static void add_open(lc_buf *out, const lc_prediction *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_run_change *c = &plan->changes.items[i];
        if (c->possible == LC_PLAN_BIT(c->action))
            continue;
        lc_buf_add_c(out, count++ ? "," : ",\"cannot_tell\":[");
        lc_buf_add_json(out, c->text, false);
    }
    lc_buf_add_c(out, count ? "]" : "");
}

static void add_plan(lc_buf *out, const lc_prediction *plan)
{
    bool outputs_open = false;
    lc_buf_add_c(out, ",\"changes\":[");
    for (size_t i = 0; i < plan->changes.count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        add_change(out, &plan->changes.items[i]);
    }
    lc_buf_add_char(out, ']');
    add_open(out, plan);
    for (size_t i = 0; i < plan->outputs.count; i++) {
        const lc_run_output *o = &plan->outputs.items[i];
        outputs_open = outputs_open || o->possible != LC_PLAN_BIT(o->action);
    }
    if (outputs_open)
        return;
    lc_buf_add_c(out, ",\"outputs\":{");
    for (size_t i = 0; i < plan->outputs.count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        lc_buf_add_json(out, plan->outputs.items[i].name, false);
        lc_buf_add_char(out, ':');
        add_actions(out, plan->outputs.items[i].action);
    }
    lc_buf_add_char(out, '}');
}

static void add_errors(line_answer *a)
{
    lc_buf_add_c(a->out, "{\"errors\":[");
    for (size_t i = 0; i < a->errors.count; i++) {
        lc_buf_add_c(a->out, i ? "," : "");
        lc_buf_add_json(a->out, a->errors.items[i], false);
    }
    lc_buf_add_char(a->out, ']');
}

/* Values of variables: those next to the configuration, then those of options. */
static void give_variables(line_answer *a)
{
    const lc_node *file = lc_node_get(a->world.files, "terraform.tfvars.json");
    const lc_module *root = a->config.root;
    lc_eval_context values = {.config = &a->config};
    lc_table_init(&values.variables, a->arena);
    if (file)
        lc_variables_give(&a->config, &values, a->source, file);
    for (size_t i = 0; i < a->vars.count; i++)
        lc_variables_give_option(&a->config, &values, a->vars.items[i]);
    lc_variables_require(&a->config, &values);
    lc_run_variable *list = LC_NEW_ARRAY(a->arena, lc_run_variable, root->variables.count);
    for (size_t i = 0; i < root->variables.count; i++) {
        const lc_marked *v = lc_table_get(&values.variables, root->variables.items[i]->name);
        if (v)
            list[a->input.variable_count++] =
                (lc_run_variable){root->variables.items[i]->name, v->value};
    }
    a->input.variables = list;
}

static void predict(line_answer *a, lc_prediction *plan)
{
    a->input.config = &a->config;
    a->world.types = lc_known_types_new(a->arena, &a->config);
    a->input.provider = vectors_plan_provider(&a->world);
    a->input.workspace = LC_STR("default");
    lc_run_predict(plan, a->arena, &a->input);
}

/* Is the saved plan applied afterwards? */
static bool is_applied(const line_answer *a)
{
    const lc_node *options = lc_node_get(a->line, "options");
    return !a->errors.count && (!options || options->count == 0);
}

static void take_errors(line_answer *a, const vectors_providers *p)
{
    for (size_t i = 0; i < p->errors.count; i++)
        add_error(a, p->errors.items[i]);
}

/* A client looks at the configuration first, then at the state, then at both. */
static void answer_whole(line_answer *a, lc_prediction *plan)
{
    lc_state_file state = {0};
    if (!read_config(a))
        return;
    give_variables(a);
    bool readable = read_state(a, &state);
    if (readable)
        predict(a, plan);
    vectors_providers p = {.arena = a->arena,
                           .config = &a->config,
                           .state = state.source ? &state : NULL,
                           .files = a->world.files,
                           .source = a->source,
                           .core = a->core,
                           .state_errors = a->errors.count > 0,
                           .variables = a->input.variables,
                           .variable_count = a->input.variable_count};
    vectors_providers_answer(&p, plan);
    if (p.stops && !p.state_stops)
        a->errors.count = 0; /* no one looked at the state */
    if (p.stops)
        *plan = (lc_prediction){0};
    take_errors(a, &p);
    for (size_t i = 0; i < plan->errors.count; i++)
        add_error(a, plan->errors.items[i].summary);
    a->written = is_applied(a);
    a->providers = p;
}

static void answer_client(line_answer *a)
{
    lc_prediction plan = {0};
    a->config.profile = a->core == LC_TERRAFORM ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    read_options(a);
    if (!a->errors.count)
        answer_whole(a, &plan);
    add_errors(a);
    add_plan(a->out, &plan);
    if (a->written)
        vectors_providers_written(a->out, &a->providers);
    lc_buf_add_char(a->out, '}');
}

void vectors_plans_answer(lc_buf *out, lc_arena *arena, const lc_source *source,
                          const lc_node *line)
{
    static const lc_core cores[] = {LC_TERRAFORM, LC_OPENTOFU};
    lc_schema_doc *schemas = vectors_plan_schemas(arena);
    for (size_t i = 0; i < 2; i++) {
        const char *name = lc_core_name(cores[i]);
        if (!lc_node_get(line, name))
            continue;
        line_answer a = {.out = out, .arena = arena, .source = source, .line = line};
        a.core = a.world.core = cores[i];
        a.world.files = lc_node_get(line, "files");
        a.world.answers = lc_node_get(line, "answers");
        a.world.schemas = schemas;
        lc_buf_printf(out, ",\"%s\":", name);
        answer_client(&a);
    }
}

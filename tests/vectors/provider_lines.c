/* Provider instances of recorded lines. What is known here next to the product: which providers the
 * recordings had at hand, and what they call `init`. */
#include "provider_lines.h"

#include "lifecheck/base/arena.h"

#include <string.h>

static void add_error(vectors_providers *p, lc_str summary)
{
    *LC_PUSH(p->arena, &p->errors, lc_str) = summary;
}

/* ---- Values of objects, as the run model plans them. */

static lc_str address_of(lc_module_scope *scope, const lc_reference *ref, lc_arena *arena)
{
    lc_module_step steps[64];
    size_t count = 0;
    for (lc_module_scope *s = scope; s->up && count < 64; s = s->up)
        count++;
    size_t at = count;
    for (lc_module_scope *s = scope; s->up && at > 0; s = s->up)
        steps[--at] = (lc_module_step){s->module->call->name, s->instance.key};
    lc_address address = {.modules = steps,
                          .module_count = count,
                          .mode = ref->root == LC_ROOT_DATA ? LC_MODE_DATA : LC_MODE_MANAGED,
                          .type = ref->type,
                          .name = ref->name};
    return lc_address_text(arena, &address);
}

static lc_str with_key(lc_lookup *ask, lc_str resource)
{
    lc_buf buf = {0};
    int64_t n;
    lc_buf_add_str(&buf, resource);
    if (ask->key && ask->key->type->kind == LC_TYPE_STRING)
        lc_key_add(&buf, lc_key_string(ask->key->as.string));
    else if (ask->key && lc_num_to_int64(ask->key->as.number, &n))
        lc_key_add(&buf, lc_key_int(n));
    lc_str out = lc_buf_copy(ask->arena, &buf);
    lc_buf_release(&buf);
    return out;
}

static bool find_object(void *context, lc_module_scope *scope, const lc_repetition *instance,
                        lc_lookup *ask)
{
    const vectors_providers *p = context;
    const lc_reference *ref = ask->reference;
    (void)instance;
    if (ref->root == LC_ROOT_RESOURCE || ref->root == LC_ROOT_DATA) {
        lc_str address = with_key(ask, address_of(scope, ref, ask->arena));
        const lc_run_change *c = lc_run_find(p->plan, address, LC_STR_EMPTY);
        ask->took_key = ask->key != NULL;
        if (c && c->after) {
            ask->value = (lc_marked){c->after, NULL};
            return true;
        }
    }
    ask->value = lc_undecided_value(ask->arena, LC_STR("the value is not known here"), ref->place);
    return true;
}

static void give_variables(vectors_providers *p)
{
    for (size_t i = 0; i < p->variable_count; i++) {
        lc_marked *value = LC_NEW(p->arena, lc_marked);
        *value = (lc_marked){p->variables[i].value, NULL};
        lc_table_put(&p->around.variables, p->variables[i].name, value);
    }
}

/* ---- Providers that were there. */

static bool is_there(lc_str fqn)
{
    return lc_str_is(fqn, "terraform.io/builtin/terraform") ||
           lc_str_is(fqn, "example.test/lifecheck/lifecheck") ||
           lc_str_is(fqn, "example.test/mock/tfcoremock") ||
           lc_str_ends_with(fqn, LC_STR("/hashicorp/null")) ||
           lc_str_ends_with(fqn, LC_STR("/hashicorp/tfcoremock"));
}

static bool named_is_there(const vectors_providers *p, const lc_module *module,
                           const lc_config_ref *written)
{
    lc_provider_ref ref = lc_provider_ref_parse(written, p->config->profile);
    return !ref.ok || is_there(lc_provider_of(p->arena, p->config->profile, module, ref.name));
}

/* An import's provider is looked up as the default one of its name. */
static bool import_is_there(const vectors_providers *p, const lc_config_import *import)
{
    lc_provider_ref ref = lc_provider_ref_parse(import->provider, p->config->profile);
    bool bare = ref.alias.len == 0 && !ref.key && import->module->required.count == 0;
    return !ref.ok || !bare || !lc_str_is(ref.name, "terraform");
}

static bool all_are_there(const vectors_providers *p)
{
    for (size_t i = 0; i < p->config->modules.count; i++) {
        const lc_module *m = p->config->modules.items[i];
        for (size_t k = 0; k < m->resources.count; k++)
            if (m->resources.items[k]->provider &&
                !named_is_there(p, m, m->resources.items[k]->provider))
                return false;
        for (size_t k = 0; k < m->imports.count; k++)
            if (m->imports.items[k].provider && !import_is_there(p, &m->imports.items[k]))
                return false;
    }
    return true;
}

static bool type_fits(lc_str fqn, lc_str type)
{
    return !lc_str_is(fqn, "example.test/lifecheck/lifecheck") ||
           lc_str_starts_with(type, LC_STR("lifecheck_"));
}

static void check_types(vectors_providers *p)
{
    for (size_t i = 0; i < p->config->modules.count; i++) {
        const lc_module *m = p->config->modules.items[i];
        for (size_t k = 0; k < m->resources.count; k++) {
            const lc_config_resource *r = m->resources.items[k];
            lc_str name = lc_provider_name_of_type(r->type);
            if (r->provider)
                name = lc_provider_ref_parse(r->provider, p->config->profile).name;
            if (!type_fits(lc_provider_of(p->arena, p->config->profile, m, name), r->type))
                add_error(p, LC_STR("Invalid resource type"));
        }
    }
}

/* ---- Stages. */

static bool is_error(const lc_config_problem *problem)
{
    return !problem->warning && problem->summary.len > 0;
}

static void add_stage(vectors_providers *p, lc_config_stage stage)
{
    for (size_t i = 0; i < p->config->problems.count; i++)
        if (p->config->problems.items[i].stage == stage && is_error(&p->config->problems.items[i]))
            add_error(p, p->config->problems.items[i].summary);
}

static bool is_last(const lc_config_problem *problem)
{
    return lc_str_is(problem->summary, "Undefined provider configuration");
}

/* What is passed is looked up first, alone; aliases of the root module last. */
static void add_graph(vectors_providers *p)
{
    for (size_t i = 0; i < p->config->problems.count; i++) {
        const lc_config_problem *problem = &p->config->problems.items[i];
        if (problem->stage == LC_STAGE_GRAPH &&
            lc_str_starts_with(problem->summary, LC_STR("missing provider "))) {
            add_error(p, problem->summary);
            return;
        }
    }
    for (int last = 0; last < 2 && p->errors.count == 0; last++)
        for (size_t i = 0; i < p->config->problems.count; i++) {
            const lc_config_problem *problem = &p->config->problems.items[i];
            if (problem->stage == LC_STAGE_GRAPH && is_error(problem) && is_last(problem) == last)
                add_error(p, problem->summary);
        }
}

/* What the root module says; while that is wrong no client opens another. */
static bool check_root(vectors_providers *p)
{
    for (size_t i = 0; i < p->config->problems.count; i++) {
        const lc_config_problem *problem = &p->config->problems.items[i];
        if (problem->stage == LC_STAGE_PARSE && problem->module == p->config->root &&
            is_error(problem))
            add_error(p, problem->summary);
    }
    return p->errors.count == 0;
}

/* Of the configuration alone. */
static void check_config(vectors_providers *p)
{
    if (!check_root(p))
        return;
    add_stage(p, LC_STAGE_PARSE);
    bool parsed = p->errors.count == 0;
    add_stage(p, LC_STAGE_MODULES);
    if (parsed)
        add_stage(p, LC_STAGE_LOAD);
    if (p->errors.count == 0 && !all_are_there(p))
        add_error(p, LC_STR("Inconsistent dependency lock file"));
    if (p->errors.count == 0)
        check_types(p);
}

/* OpenTofu refuses provider addresses that Terraform passes over. */
static void check_state(vectors_providers *p)
{
    p->state_stops = p->state_errors;
    if (!p->state || p->core == LC_TERRAFORM)
        return;
    size_t before = p->config->problems.count;
    lc_provider_check_state(&p->model, p->state);
    lc_str refused = lc_provider_state_error(&p->model);
    p->config->problems.count = before;
    if (refused.len)
        add_error(p, refused);
    p->state_stops |= refused.len > 0;
}

static bool begin(vectors_providers *p)
{
    check_config(p);
    if (p->errors.count)
        return false;
    check_state(p);
    if (p->state_stops)
        return false;
    if (p->state)
        lc_provider_check_objects(&p->model, p->state);
    add_graph(p);
    return p->errors.count == 0;
}

/* ---- Objects that fail while the others are planned. */

static lc_str key_of(lc_arena *arena, const lc_run_change *c)
{
    if (c->deposed.len == 0)
        return c->text;
    return lc_str_printf(arena, "%.*s (deposed %.*s)", LC_FMT(c->text), LC_FMT(c->deposed));
}

/* Is it left out by the options? */
static bool is_unselected(const lc_prediction *plan, lc_str address)
{
    for (size_t i = 0; i < plan->unselected.count; i++)
        if (lc_str_eq(plan->unselected.items[i], address))
            return true;
    return false;
}

static bool is_orphan(lc_rule rule)
{
    return rule == LC_RULE_PROVIDER_ORPHAN_KEY || rule == LC_RULE_PROVIDER_ORPHAN_NO_KEY ||
           rule == LC_RULE_PROVIDER_FALLBACK;
}

/* Summaries by the object that fails. Objects of the state are needed even where nothing changes,
 * and data sources have no change unless they are read later. */
static void find_failing(vectors_providers *p, const lc_prediction *plan, lc_table *failing)
{
    for (size_t i = 0; i < p->config->problems.count; i++) {
        lc_config_problem *problem = &p->config->problems.items[i];
        if (problem->stage != LC_STAGE_PLAN || !is_error(problem))
            continue;
        lc_table_put(failing, problem->address, &problem->summary);
        if (is_orphan(problem->rule) && !is_unselected(plan, problem->address))
            add_error(p, problem->summary);
    }
    for (size_t i = 0; i < p->model.uses.count; i++) {
        lc_provider_use *use = &p->model.uses.items[i];
        if (use->state != LC_USE_FAILED || use->summary.len == 0)
            continue;
        lc_table_put(failing, use->text, &use->summary);
        if (use->resource->mode == LC_MODE_DATA)
            add_error(p, use->summary);
    }
}

static void drop_failing(vectors_providers *p, lc_prediction *plan)
{
    lc_table failing;
    lc_table_init(&failing, p->arena);
    find_failing(p, plan, &failing);
    size_t kept = 0;
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_run_change *c = &plan->changes.items[i];
        const lc_str *summary = lc_table_get(&failing, key_of(p->arena, c));
        if (!summary && c->previous.len > 0)
            summary = lc_table_get(&failing, c->previous);
        if (summary)
            add_error(p, *summary);
        else
            plan->changes.items[kept++] = *c;
    }
    plan->changes.count = kept;
}

void vectors_providers_answer(vectors_providers *p, lc_prediction *plan)
{
    p->plan = plan;
    p->around = (lc_eval_context){.config = p->config, .outer = find_object, .context = p};
    lc_table_init(&p->around.variables, p->arena);
    give_variables(p);
    lc_provider_model_make(&p->model, p->arena, p->config, &p->around);
    p->stops = !begin(p);
    if (!p->stops)
        drop_failing(p, plan);
}

/* ---- What is written. */

static void add_pair(lc_buf *out, bool *any, lc_str name, lc_str value)
{
    lc_buf_add_c(out, *any ? "," : "");
    *any = true;
    lc_buf_add_json(out, name, false);
    lc_buf_add_char(out, ':');
    lc_buf_add_json(out, value, false);
}

void vectors_providers_written(lc_buf *out, vectors_providers *p)
{
    lc_provider_records records;
    bool any = false;
    lc_provider_records_make(&records, &p->model);
    lc_buf_add_c(out, ",\"state_providers\":{");
    for (size_t i = 0; i < records.list.count; i++)
        for (size_t k = 0; k < records.list.items[i].count; k++) {
            const lc_provider_object *o = &records.list.items[i].objects[k];
            if (o->own.len)
                add_pair(out, &any, o->address, o->own);
        }
    any = false;
    lc_buf_add_c(out, "},\"resource_provider\":{");
    for (size_t i = 0; i < records.list.count; i++)
        if (records.list.items[i].has_own)
            add_pair(out, &any, records.list.items[i].resource, records.list.items[i].own);
    lc_buf_add_char(out, '}');
}

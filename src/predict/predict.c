/* The pipeline of a prediction. */
#include "predict/answer/internal.h"
#include "predict/from_plan/internal.h"

/* ---- Preparation. */

/* Adds an object of the previous state to its instance. */
static void add_prior(lc_predictor *r, const lc_run_prior *prior)
{
    lc_str text = lc_address_text(r->arena, &prior->address);
    lc_state_instance *h = lc_table_get(&r->state_instance_at, text);
    if (!h) {
        h = LC_NEW(r->arena, lc_state_instance);
        h->address = prior->address;
        h->text = text;
        lc_table_put(&r->state_instance_at, text, h);
        *LC_PUSH(r->arena, &r->state_instances, lc_state_instance *) = h;
    }
    if (prior->deposed.len)
        *LC_PUSH(r->arena, &h->deposed, const lc_run_prior *) = prior;
    else
        h->current = prior;
}

/* After moves, because these change addresses. */
static void index_instances(lc_predictor *r)
{
    lc_table_init(&r->by_config, r->arena);
    for (size_t i = 0; i < r->state_instances.count; i++) {
        lc_state_instance *h = r->state_instances.items[i];
        lc_address config = lc_address_config(r->arena, &h->address);
        lc_str text = lc_address_text(r->arena, &config);
        lc_state_instance_list *list = lc_table_get(&r->by_config, text);
        if (!list) {
            list = LC_NEW(r->arena, lc_state_instance_list);
            lc_table_put(&r->by_config, text, list);
        }
        *LC_PUSH(r->arena, &list->list, lc_state_instance *) = h;
    }
}

/* True for a managed resource with objects in the previous state. */
static bool has_objects(const lc_predictor *r, const lc_graph_node *node, lc_str text)
{
    const lc_config_resource *config = node->block;
    return node->kind == NODE_RESOURCE && config->mode == LC_MODE_MANAGED &&
           lc_table_get(&r->by_config, text);
}

/* The resources with objects that a block needs, directly or through blocks without objects. The
 * search stops at a resource with objects, because its own dependencies are stored with it. */
static const lc_address_list *needed_by(lc_predictor *r, uint32_t start)
{
    lc_address_list *found = LC_NEW(r->arena, lc_address_list);
    uint32_t walk = ++r->walks;
    lc_id_list todo = {0};
    *LC_PUSH(r->arena, &todo, uint32_t) = start;
    while (todo.count) {
        const lc_graph_node *node = &r->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            uint32_t id = node->needs.items[i];
            const lc_graph_node *on = &r->graph.nodes.items[id];
            lc_str text = on->kind == NODE_RESOURCE ? lc_predict_config_text(r, on->block)
                                                    : LC_STR_EMPTY,
                   why;
            lc_address address;
            size_t at;
            if (r->seen[id] == walk)
                continue;
            r->seen[id] = walk;
            if (!has_objects(r, on, text))
                *LC_PUSH(r->arena, &todo, uint32_t) = id;
            else if (lc_address_parse(&address, r->arena, text, &why, &at))
                *LC_PUSH(r->arena, &found->list, lc_address) = address;
        }
    }
    return found;
}

static const lc_address_list *both(lc_predictor *r, const lc_address_list *a,
                                   const lc_address_list *b)
{
    lc_address_list *all = LC_NEW(r->arena, lc_address_list);
    for (size_t i = 0; i < a->list.count + b->list.count; i++)
        *LC_PUSH(r->arena, &all->list, lc_address) =
            i < a->list.count ? a->list.items[i] : b->list.items[i - a->list.count];
    return all;
}

/* A destroy plan uses the dependencies that the refresh before it stores. A declared object that
 * did not change gets those of its block; one that changes keeps its stored ones, too. */
static void find_dependencies(lc_predictor *r)
{
    const lc_address_list **of =
        lc_arena_zalloc(r->arena, lc_mul_size(r->graph.nodes.count, sizeof *of));
    for (size_t i = 0; i < r->state_instances.count; i++) {
        lc_state_instance *h = r->state_instances.items[i];
        const lc_run_change *c =
            r->refreshed ? lc_run_find(r->refreshed, h->text, LC_STR_EMPTY) : NULL;
        h->depends = h->current ? &h->current->dependencies : NULL;
        if (!h->depends || !c || !c->config || c->action == LC_PLAN_DELETE ||
            c->action == LC_PLAN_FORGET || c->possible != LC_PLAN_BIT(c->action))
            continue;
        const lc_graph_node *node = lc_predict_graph_resource(r, c->config);
        if (!node)
            continue;
        size_t id = (size_t)(node - r->graph.nodes.items);
        of[id] = of[id] ? of[id] : needed_by(r, (uint32_t)id);
        h->depends = c->action == LC_PLAN_NOOP ? of[id] : both(r, of[id], h->depends);
    }
}

static void index_modules(lc_predictor *r)
{
    lc_table_init(&r->module_index, r->arena);
    for (size_t i = 0; i < r->config->modules.count; i++) {
        const lc_module *m = r->config->modules.items[i];
        lc_table_put_index(&r->module_index, m->path, i);
    }
    r->instances =
        lc_arena_zalloc(r->arena, lc_mul_size(r->config->modules.count, sizeof *r->instances));
}

/* Values of root variables: the given ones; a required variable without a value is undecided. */
static void give_variables(lc_predictor *r)
{
    lc_table_init(&r->around.variables, r->arena);
    for (size_t i = 0; i < r->config->root->variables.count; i++) {
        const lc_config_variable *v = r->config->root->variables.items[i];
        if (v->initial)
            continue;
        lc_marked *value = LC_NEW(r->arena, lc_marked);
        *value = lc_undecided_value(r->arena, LC_STR("the variable has no value"), v->place);
        lc_table_put(&r->around.variables, v->name, value);
    }
    for (size_t i = 0; i < r->in->variable_count; i++) {
        lc_marked *value = LC_NEW(r->arena, lc_marked);
        *value = (lc_marked){r->in->variables[i].value, NULL};
        lc_table_put(&r->around.variables, r->in->variables[i].name, value);
    }
}

/* Values before and after changes are only kept if some trigger may compare them. */
static bool has_triggers(const lc_configuration *config)
{
    for (size_t i = 0; i < config->modules.count; i++) {
        const lc_module *m = config->modules.items[i];
        for (size_t k = 0; k < m->resources.count; k++) {
            if (m->resources.items[k]->lifecycle.replace_triggered_by.list.count)
                return true;
        }
    }
    return false;
}

static void prepare(lc_predictor *r)
{
    const lc_run_input *in = r->in;
    lc_table_init(&r->out->index, r->arena);
    lc_table_init(&r->state_instance_at, r->arena);
    lc_table_init(&r->replace_at, r->arena);
    lc_table_init(&r->stored_outputs, r->arena);
    lc_table_init(&r->imports, r->arena);
    lc_table_init(&r->import_blocks, r->arena);
    index_modules(r);
    r->watched = has_triggers(r->config);
    lc_predict_index_removed(r);
    r->around.config = in->config;
    r->around.workspace = in->workspace;
    r->around.outer = lc_predict_outer_scope;
    r->around.context = r;
    give_variables(r);
    for (size_t i = 0; in->priors && i < in->priors->list.count; i++)
        add_prior(r, &in->priors->list.items[i]);
    for (size_t i = 0; i < in->output_count; i++) {
        lc_run_prior_output *output = LC_NEW(r->arena, lc_run_prior_output);
        *output = in->outputs[i];
        lc_table_put(&r->stored_outputs, output->name, output);
    }
    for (size_t i = 0; i < in->options.replace.list.count; i++) {
        const lc_address *a = &in->options.replace.list.items[i];
        lc_table_put(&r->replace_at, lc_address_text(r->arena, a), r);
    }
}

/* ---- Planning. */

static bool asks_create_first(const lc_graph_node *node)
{
    const lc_config_resource *resource = node->block;
    if (node->kind != NODE_RESOURCE)
        return false;
    const lc_config_flag *flag = &resource->lifecycle.create_before_destroy;
    return flag->given && flag->literal && flag->value;
}

/* create_before_destroy of a block forces it for everything that the block depends on, if the block
 * is part of the plan. One pass against the evaluation order is enough. */
static void spread_create_first(lc_predictor *r)
{
    lc_graph *g = &r->graph;
    for (uint32_t id = 0; id < g->nodes.count; id++) {
        lc_graph_node *node = &g->nodes.items[id];
        node->forced_by = id;
        node->create_first = node->selected && asks_create_first(node);
        node->forced_outside = !node->selected && asks_create_first(node);
    }
    for (size_t i = g->order_count; i-- > 0;) {
        const lc_graph_node *node = &g->nodes.items[g->order[i]];
        for (size_t j = 0; j < node->needs.count; j++) {
            lc_graph_node *need = &g->nodes.items[node->needs.items[j]];
            if (need->create_first || (!node->create_first && !node->forced_outside))
                continue;
            need->forced_by = node->forced_by;
            need->create_first = node->create_first;
            need->forced_outside = !node->create_first;
        }
    }
}

static void plan_block(lc_predictor *r, const lc_graph_node *node)
{
    switch (node->kind) {
    case NODE_CALL:
        lc_predict_expand_call(r, node);
        break;
    case NODE_RESOURCE:
        lc_predict_plan_resource(r, node);
        break;
    case NODE_OUTPUT:
        if (node->module == 0)
            lc_predict_output(r, node);
        else
            lc_predict_value_node(r, node);
        break;
    case NODE_VARIABLE:
    case NODE_LOCAL:
        lc_predict_value_node(r, node);
        break;
    case NODE_CLOSE:
    case NODE_PROVIDER:
        break;
    }
}

/* The objects of a block that is not planned are marked as handled, because they are not
 * orphans. */
static void skip_block(lc_predictor *r, const lc_graph_node *node)
{
    if (node->kind != NODE_RESOURCE)
        return;
    const lc_state_instance_list *list =
        lc_table_get(&r->by_config, lc_predict_config_text(r, node->block));
    for (size_t i = 0; list && i < list->list.count; i++)
        list->list.items[i]->planned = true;
}

/* A failed node makes everything that needs it fail silently. */
static void plan_node(lc_predictor *r, lc_graph_node *node)
{
    for (size_t i = 0; i < node->needs.count && !node->failed; i++) {
        const lc_graph_node *need = &r->graph.nodes.items[node->needs.items[i]];
        node->failed = need->failed;
        node->rests_on = node->rests_on.len ? node->rests_on : need->rests_on;
    }
    if (node->failed || !node->selected) {
        skip_block(r, node);
        return;
    }
    size_t errors = r->out->errors.count;
    plan_block(r, node);
    node->failed = r->out->errors.count > errors;
}

/* Deposed objects come first, because they are independent of the graph. */
static void plan_all(lc_predictor *r)
{
    lc_repetition none = {.key = LC_NO_KEY};
    r->root = lc_predict_module_instance(r, r->config->root, NULL, &none);
    if (r->in->options.mode == LC_RUN_DESTROY) {
        lc_predict_plan_destroy(r);
        lc_predict_outputs_removed(r);
        return;
    }
    if (r->in->options.mode == LC_RUN_NORMAL)
        lc_predict_plan_deposed(r);
    for (size_t i = 0; i < r->graph.order_count; i++)
        plan_node(r, &r->graph.nodes.items[r->graph.order[i]]);
    lc_predict_plan_orphans(r);
    lc_predict_asserts(r);
    lc_predict_outputs_removed(r);
}

static int by_address(const void *a, const void *b)
{
    const lc_run_change *x = a, *y = b;
    int order = lc_address_cmp(&x->address, &y->address);
    return order ? order : lc_str_cmp(x->deposed, y->deposed);
}

/* The blocks of changes, and what leaves them open, as places in files. */
static void find_places(lc_predictor *r)
{
    for (size_t i = 0; i < r->out->changes.count; i++) {
        lc_run_change *c = &r->out->changes.items[i];
        if (c->config)
            c->place = lc_predict_loc(r, c->config->place);
        if (c->undecided)
            c->undecided_at = lc_predict_loc(r, c->undecided->place);
    }
    for (size_t i = 0; i < r->out->open.count; i++) {
        lc_run_open *o = &r->out->open.items[i];
        o->loc = lc_predict_loc(r, o->undecided->place);
    }
}

/* Changes are appended in evaluation order; the clients' order is by address. */
static void arrange(lc_predictor *r)
{
    lc_prediction *out = r->out;
    find_places(r);
    if (out->changes.count > 1)
        qsort(out->changes.items, out->changes.count, sizeof *out->changes.items, by_address);
    for (size_t i = 0; i < out->changes.count; i++) {
        const lc_run_change *c = &out->changes.items[i];
        lc_table_put_index(&out->index, lc_plan_key(r->arena, c->text, c->deposed), i);
    }
}

/* Without a plan only the errors remain. */
static void discard_plan(lc_predictor *r)
{
    r->out->no_plan = true;
    r->out->changes.count = r->out->outputs.count = 0;
    lc_table_init(&r->out->index, r->arena);
}

static void list_unselected(lc_predictor *r)
{
    for (size_t i = 0; i < r->state_instances.count; i++) {
        const lc_state_instance *h = r->state_instances.items[i];
        if (!h->selected)
            *LC_PUSH(r->arena, &r->out->unselected, lc_str) = h->text;
    }
}

/* True: the client cannot read the state. */
static bool refuse_state(lc_predictor *r)
{
    const lc_run_priors *priors = r->in->priors;
    r->stop = lc_predict_providers_refuse_state(r);
    for (size_t i = 0; !r->stop && priors && i < priors->refusals.count; i++) {
        const lc_run_refusal *refusal = &priors->refusals.items[i];
        lc_predict_error(r, refusal->summary, LC_STR_EMPTY, (lc_source_pos){NULL, 0, 0})->loc =
            refusal->loc;
    }
    r->stop = r->stop || (priors && priors->refusals.count);
    return r->stop;
}

/* The order is that of the clients. Errors of the first group end the prediction before anything is
 * planned. In a prediction from a plan alone the client has made these checks. */
static void predict(lc_predictor *r)
{
    prepare(r);
    if (r->from_plan) {
        index_instances(r);
        r->from_plan->predict(r);
        return;
    }
    lc_predict_check_options(r);
    lc_predict_resolve_providers(r);
    lc_predict_check_files(r);
    lc_predict_check_blocks(r);
    lc_predict_report_providers(r, LC_STAGE_PARSE, LC_STAGE_PARSE);
    if (r->stop)
        return;
    lc_predict_report_providers(r, LC_STAGE_LOAD, LC_STAGE_MODULES);
    if (r->stop || refuse_state(r))
        return;
    lc_predict_graph_build(r);
    if (!lc_predict_graph_order(r))
        r->stop = true;
    lc_predict_report_providers(r, LC_STAGE_GRAPH, LC_STAGE_PLAN);
    if (r->stop)
        return;
    lc_predict_validate(r);
    if (!r->stop)
        lc_predict_report_root_aliases(r);
    if (r->stop)
        return;
    lc_predict_moves_apply(r);
    index_instances(r);
    find_dependencies(r);
    lc_predict_targets_select(r);
    spread_create_first(r);
    lc_predict_moves_check_selection(r);
    lc_predict_check_providers(r);
    if (r->in->options.mode == LC_RUN_NORMAL)
        lc_predict_imports_find(r);
    if (r->stop)
        return;
    plan_all(r);
    if (!lc_predict_moves_validate(r)) {
        r->stop = true;
        return;
    }
    list_unselected(r);
    if (!r->out->errors.count && !r->before_destroy)
        lc_predict_cycles(r);
}

static void predict_as(lc_prediction *out, lc_arena *arena, const lc_run_input *input,
                       const lc_plan_source *from_plan, bool before_destroy);

/* Before a destroy plan the clients make a normal plan in order to refresh. False: it has errors,
 * which are the result then. */
static bool refresh_first(lc_predictor *r)
{
    lc_run_input in = *r->in;
    lc_prediction *before = LC_NEW(r->arena, lc_prediction);
    lc_table_init(&r->known_outputs, r->arena);
    lc_table_init(&r->gone_outputs, r->arena);
    if (in.options.mode != LC_RUN_DESTROY || in.options.no_refresh || !in.priors ||
        !in.priors->list.count)
        return true;
    in.options.mode = LC_RUN_NORMAL;
    predict_as(before, r->arena, &in, r->from_plan, true);
    lc_predict_outputs_refreshed(r, before);
    r->refreshed = before;
    if (!before->errors.count)
        return true;
    *r->out = *before;
    r->out->mode = LC_RUN_DESTROY;
    return false;
}

/* Sets up one prediction and sorts its result. */
static void predict_as(lc_prediction *out, lc_arena *arena, const lc_run_input *input,
                       const lc_plan_source *from_plan, bool before_destroy)
{
    lc_predictor r = {.arena = arena,
                      .scratch = lc_arena_new(),
                      .in = input,
                      .config = input->config,
                      .from_plan = from_plan,
                      .out = out};
    *out = (lc_prediction){.config = input->config,
                           .profile = input->config->profile,
                           .client = input->config->client,
                           .mode = input->options.mode};
    r.profile = input->config->profile;
    r.core = r.profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    r.before_destroy = before_destroy;
    lc_predict_notes_start(&r);
    if (refresh_first(&r))
        predict(&r);
    else
        r.stop = true;
    if (r.stop)
        discard_plan(&r);
    arrange(&r);
    lc_predict_hide(&r);
    lc_arena_free(r.scratch);
}

void lc_run_predict(lc_prediction *out, lc_arena *arena, const lc_run_input *input)
{
    predict_as(out, arena, input, input->plan ? &lc_predict_plan_source : NULL, false);
    lc_run_trace(out, arena);
    const lc_run_provider *p = &input->provider;
    if (p->asked)
        out->asked = p->asked(p->context, arena, &out->asked_count);
}

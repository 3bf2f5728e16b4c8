/* The pipeline of a prediction. */
#include "predict/answer/internal.h"
#include "predict/from_plan/internal.h"

/* ---- Preparation. */

/* Adds an object of the previous state to its instance. */
static void add_prior(lc_predictor *pred, const lc_run_prior *prior)
{
    lc_str text = lc_address_text(pred->arena, &prior->address);
    lc_state_instance *instance = lc_table_get(&pred->state_instance_at, text);
    if (!instance) {
        instance = LC_NEW(pred->arena, lc_state_instance);
        instance->address = prior->address;
        instance->text = text;
        lc_table_put(&pred->state_instance_at, text, instance);
        *LC_PUSH(pred->arena, &pred->state_instances, lc_state_instance *) = instance;
    }
    if (prior->deposed.len)
        *LC_PUSH(pred->arena, &instance->deposed, const lc_run_prior *) = prior;
    else
        instance->current = prior;
}

/* After moves, because these change addresses. */
static void index_instances(lc_predictor *pred)
{
    lc_table_init(&pred->by_config, pred->arena);
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        lc_address config = lc_address_config(pred->arena, &instance->address);
        lc_str text = lc_address_text(pred->arena, &config);
        lc_state_instance_list *list = lc_table_get(&pred->by_config, text);
        if (!list) {
            list = LC_NEW(pred->arena, lc_state_instance_list);
            lc_table_put(&pred->by_config, text, list);
        }
        *LC_PUSH(pred->arena, &list->list, lc_state_instance *) = instance;
    }
}

/* True for a managed resource with objects in the previous state. */
static bool has_objects(const lc_predictor *pred, const lc_graph_node *node, lc_str text)
{
    const lc_config_resource *config = node->block;
    return node->kind == NODE_RESOURCE && config->mode == LC_MODE_MANAGED &&
           lc_table_get(&pred->by_config, text);
}

/* The resources with objects that a block needs, directly or through blocks without objects. The
 * search stops at a resource with objects, because its own dependencies are stored with it. */
static const lc_address_list *needed_by(lc_predictor *pred, uint32_t start)
{
    lc_address_list *found = LC_NEW(pred->arena, lc_address_list);
    uint32_t walk = ++pred->walks;
    lc_id_list todo = {0};
    *LC_PUSH(pred->arena, &todo, uint32_t) = start;
    while (todo.count) {
        const lc_graph_node *node = &pred->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            uint32_t id = node->needs.items[i];
            const lc_graph_node *on = &pred->graph.nodes.items[id];
            lc_str text = on->kind == NODE_RESOURCE ? lc_predict_config_text(pred, on->block)
                                                    : LC_STR_EMPTY,
                   why;
            lc_address address;
            size_t at;
            if (pred->seen[id] == walk)
                continue;
            pred->seen[id] = walk;
            if (!has_objects(pred, on, text))
                *LC_PUSH(pred->arena, &todo, uint32_t) = id;
            else if (lc_address_parse(&address, pred->arena, text, &why, &at))
                *LC_PUSH(pred->arena, &found->list, lc_address) = address;
        }
    }
    return found;
}

static const lc_address_list *both(lc_predictor *pred, const lc_address_list *a,
                                   const lc_address_list *b)
{
    lc_address_list *all = LC_NEW(pred->arena, lc_address_list);
    for (size_t i = 0; i < a->list.count + b->list.count; i++)
        *LC_PUSH(pred->arena, &all->list, lc_address) =
            i < a->list.count ? a->list.items[i] : b->list.items[i - a->list.count];
    return all;
}

/* A destroy plan uses the dependencies that the refresh before it stores. A declared object that
 * did not change gets those of its block; one that changes keeps its stored ones, too. */
static void find_dependencies(lc_predictor *pred)
{
    const lc_address_list **of =
        lc_arena_zalloc(pred->arena, lc_mul_size(pred->graph.nodes.count, sizeof *of));
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        const lc_run_change *c =
            pred->refreshed ? lc_run_find(pred->refreshed, instance->text, LC_STR_EMPTY) : NULL;
        instance->depends = instance->current ? &instance->current->dependencies : NULL;
        if (!instance->depends || !c || !c->config || c->action == LC_PLAN_DELETE ||
            c->action == LC_PLAN_FORGET || c->possible != LC_PLAN_BIT(c->action))
            continue;
        const lc_graph_node *node = lc_predict_graph_resource(pred, c->config);
        if (!node)
            continue;
        size_t id = (size_t)(node - pred->graph.nodes.items);
        of[id] = of[id] ? of[id] : needed_by(pred, (uint32_t)id);
        instance->depends =
            c->action == LC_PLAN_NOOP ? of[id] : both(pred, of[id], instance->depends);
    }
}

static void index_modules(lc_predictor *pred)
{
    lc_table_init(&pred->module_index, pred->arena);
    lc_table_init(&pred->unknown_scopes, pred->arena);
    for (size_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        lc_table_put_index(&pred->module_index, m->path, i);
    }
    pred->instances = lc_arena_zalloc(
        pred->arena, lc_mul_size(pred->config->modules.count, sizeof *pred->instances));
}

/* Values of root variables: the given ones; a required variable without a value is undecided. */
static void give_variables(lc_predictor *pred)
{
    lc_table_init(&pred->around.variables, pred->arena);
    for (size_t i = 0; i < pred->config->root->variables.count; i++) {
        const lc_config_variable *v = pred->config->root->variables.items[i];
        if (v->initial)
            continue;
        lc_marked *value = LC_NEW(pred->arena, lc_marked);
        *value = lc_undecided_value(pred->arena, LC_STR("the variable has no value"), v->place);
        lc_table_put(&pred->around.variables, v->name, value);
    }
    for (size_t i = 0; i < pred->in->variable_count; i++) {
        lc_marked *value = LC_NEW(pred->arena, lc_marked);
        *value = (lc_marked){pred->in->variables[i].value, NULL};
        lc_table_put(&pred->around.variables, pred->in->variables[i].name, value);
    }
}

/* Values before and after changes are only kept if some trigger may compare them. */
static bool has_triggers(const lc_configuration *config)
{
    for (size_t i = 0; i < config->modules.count; i++) {
        const lc_module *m = config->modules.items[i];
        for (size_t k = 0; k < m->resources.count; k++) {
            if (m->resources.items[k]->lifecycle->replace_triggered_by.list.count)
                return true;
        }
    }
    return false;
}

static void prepare(lc_predictor *pred)
{
    const lc_run_input *in = pred->in;
    lc_table_init(&pred->out->index, pred->arena);
    lc_table_init(&pred->state_instance_at, pred->arena);
    lc_table_init(&pred->replace_at, pred->arena);
    lc_table_init(&pred->stored_outputs, pred->arena);
    lc_table_init(&pred->imports, pred->arena);
    lc_table_init(&pred->import_blocks, pred->arena);
    index_modules(pred);
    pred->watched = has_triggers(pred->config);
    lc_predict_index_removed(pred);
    pred->around.config = in->config;
    pred->around.workspace = in->workspace;
    pred->around.outer = lc_predict_outer_scope;
    pred->around.call = pred->in->provider.function ? lc_predict_call_function : NULL;
    pred->around.context = pred;
    give_variables(pred);
    for (size_t i = 0; in->priors && i < in->priors->list.count; i++)
        add_prior(pred, &in->priors->list.items[i]);
    for (size_t i = 0; i < in->output_count; i++) {
        lc_run_prior_output *output = LC_NEW(pred->arena, lc_run_prior_output);
        *output = in->outputs[i];
        lc_table_put(&pred->stored_outputs, output->name, output);
    }
    for (size_t i = 0; i < in->options.replace.list.count; i++) {
        const lc_address *a = &in->options.replace.list.items[i];
        lc_table_put(&pred->replace_at, lc_address_text(pred->arena, a), pred);
    }
}

/* ---- Planning. */

static bool asks_create_first(const lc_graph_node *node)
{
    const lc_config_resource *resource = node->block;
    if (node->kind != NODE_RESOURCE)
        return false;
    const lc_config_flag *flag = &resource->lifecycle->create_before_destroy;
    return flag->given && flag->literal && flag->value;
}

/* create_before_destroy of a block forces it for everything that the block depends on, if the block
 * is part of the plan. One pass against the evaluation order is enough. */
static void spread_create_first(lc_predictor *pred)
{
    lc_graph *g = &pred->graph;
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

static void plan_block(lc_predictor *pred, const lc_graph_node *node)
{
    switch (node->kind) {
    case NODE_CALL:
        lc_predict_expand_call(pred, node);
        break;
    case NODE_RESOURCE:
        lc_predict_plan_resource(pred, node);
        break;
    case NODE_OUTPUT:
        if (node->module == 0)
            lc_predict_output(pred, node);
        else
            lc_predict_value_node(pred, node);
        break;
    case NODE_VARIABLE:
    case NODE_LOCAL:
        lc_predict_value_node(pred, node);
        break;
    case NODE_CLOSE:
    case NODE_PROVIDER:
        break;
    }
}

/* The objects of a block that is not planned are marked as handled, because they are not
 * orphans. */
static void skip_block(lc_predictor *pred, const lc_graph_node *node)
{
    if (node->kind != NODE_RESOURCE)
        return;
    if (!node->failed)
        lc_predict_validate_block(pred, node->block);
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, node->block));
    for (size_t i = 0; list && i < list->list.count; i++)
        list->list.items[i]->planned = true;
}

/* A failed node makes everything that needs it fail silently. */
static void plan_node(lc_predictor *pred, lc_graph_node *node)
{
    for (size_t i = 0; i < node->needs.count && !node->failed; i++) {
        const lc_graph_node *need = &pred->graph.nodes.items[node->needs.items[i]];
        node->failed = need->failed;
        node->rests_on = node->rests_on.len ? node->rests_on : need->rests_on;
    }
    if (node->failed || !node->selected) {
        skip_block(pred, node);
        return;
    }
    size_t errors = pred->out->errors.count;
    plan_block(pred, node);
    node->failed = pred->out->errors.count > errors;
}

/* Deposed objects come first, because they are independent of the graph. */
static void plan_all(lc_predictor *pred)
{
    lc_repetition none = {.key = LC_NO_KEY};
    pred->root = lc_predict_module_instance(pred, pred->config->root, NULL, &none);
    if (pred->in->options.mode == LC_RUN_DESTROY) {
        lc_predict_plan_destroy(pred);
        lc_predict_outputs_removed(pred);
        return;
    }
    if (pred->in->options.mode == LC_RUN_NORMAL)
        lc_predict_plan_deposed(pred);
    for (size_t i = 0; i < pred->graph.order_count; i++)
        plan_node(pred, &pred->graph.nodes.items[pred->graph.order[i]]);
    lc_predict_plan_orphans(pred);
    lc_predict_asserts(pred);
    lc_predict_outputs_removed(pred);
}

static int by_address(const void *a, const void *b)
{
    const lc_run_change *x = a, *y = b;
    int order = lc_address_cmp(&x->address, &y->address);
    return order ? order : lc_str_cmp(x->deposed, y->deposed);
}

/* The blocks of changes, and what leaves them open, as places in files. */
static void find_places(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->out->changes.count; i++) {
        lc_run_change *c = &pred->out->changes.items[i];
        if (c->config)
            c->place = lc_predict_loc(pred, c->config->place);
        if (c->undecided)
            c->undecided_at = lc_predict_loc(pred, c->undecided->place);
    }
    for (size_t i = 0; i < pred->out->open.count; i++) {
        lc_run_open *o = &pred->out->open.items[i];
        o->loc = lc_predict_loc(pred, o->undecided->place);
    }
}

/* Changes are appended in evaluation order; the clients' order is by address. */
static void arrange(lc_predictor *pred)
{
    lc_prediction *out = pred->out;
    find_places(pred);
    if (out->changes.count > 1)
        qsort(out->changes.items, out->changes.count, sizeof *out->changes.items, by_address);
    for (size_t i = 0; i < out->changes.count; i++) {
        const lc_run_change *c = &out->changes.items[i];
        lc_table_put_index(&out->index, lc_plan_key(pred->arena, c->text, c->deposed), i);
    }
}

/* Without a plan only the errors remain. */
static void discard_plan(lc_predictor *pred)
{
    pred->out->no_plan = true;
    pred->out->changes.count = pred->out->outputs.count = 0;
    lc_table_init(&pred->out->index, pred->arena);
}

/* Clients validate everything before they plan, so that of errors in a configuration nothing else
 * is reported. */
static void keep_invalid(lc_predictor *pred)
{
    size_t kept = 0;
    for (size_t i = 0; i < pred->out->errors.count; i++) {
        if (pred->out->errors.items[i].invalid)
            pred->out->errors.items[kept++] = pred->out->errors.items[i];
    }
    pred->out->errors.count = kept;
    pred->stop = true;
}

static void list_unselected(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        const lc_state_instance *instance = pred->state_instances.items[i];
        if (!instance->selected)
            *LC_PUSH(pred->arena, &pred->out->unselected, lc_str) = instance->text;
    }
}

/* True: the client cannot read the state. */
static bool refuse_state(lc_predictor *pred)
{
    const lc_run_priors *priors = pred->in->priors;
    pred->stop = lc_predict_providers_refuse_state(pred);
    for (size_t i = 0; !pred->stop && priors && i < priors->refusals.count; i++) {
        const lc_run_refusal *refusal = &priors->refusals.items[i];
        lc_predict_error(pred, refusal->summary, LC_STR_EMPTY, (lc_source_pos){NULL, 0, 0})->loc =
            refusal->loc;
    }
    pred->stop = pred->stop || (priors && priors->refusals.count);
    return pred->stop;
}

/* Loads and validates, in the order of the clients. Errors end the prediction before anything is
 * planned (`stop`). */
static void validate(lc_predictor *pred)
{
    lc_predict_check_options(pred);
    lc_predict_resolve_providers(pred);
    lc_predict_check_files(pred);
    lc_predict_check_blocks(pred);
    lc_predict_report_providers(pred, LC_STAGE_PARSE, LC_STAGE_PARSE);
    if (pred->stop)
        return;
    lc_predict_report_providers(pred, LC_STAGE_LOAD, LC_STAGE_MODULES);
    if (pred->stop || refuse_state(pred))
        return;
    lc_predict_graph_build(pred);
    if (!lc_predict_graph_order(pred))
        pred->stop = true;
    lc_predict_report_providers(pred, LC_STAGE_GRAPH, LC_STAGE_PLAN);
    if (pred->stop)
        return;
    lc_predict_validate(pred);
    if (!pred->stop)
        lc_predict_report_root_aliases(pred);
}

/* The order is that of the clients. In a prediction from a plan alone the client has validated. */
static void predict(lc_predictor *pred)
{
    prepare(pred);
    if (pred->from_plan) {
        index_instances(pred);
        pred->from_plan->predict(pred);
        return;
    }
    validate(pred);
    if (pred->stop)
        return;
    lc_predict_moves_apply(pred);
    index_instances(pred);
    find_dependencies(pred);
    lc_predict_targets_select(pred);
    spread_create_first(pred);
    lc_predict_moves_check_selection(pred);
    lc_predict_check_providers(pred);
    if (pred->in->options.mode == LC_RUN_NORMAL)
        lc_predict_imports_find(pred);
    if (pred->stop)
        return;
    plan_all(pred);
    if (!lc_predict_moves_validate(pred)) {
        pred->stop = true;
        return;
    }
    list_unselected(pred);
    if (!pred->out->errors.count && !pred->before_destroy)
        lc_predict_cycles(pred);
}

static void predict_as(lc_prediction *out, lc_arena *arena, const lc_run_input *input,
                       const lc_plan_source *from_plan, bool before_destroy);

/* Before a destroy plan the clients make a normal plan in order to refresh. False: it has errors,
 * which are the result then. */
static bool refresh_first(lc_predictor *pred)
{
    lc_run_input in = *pred->in;
    lc_prediction *before = LC_NEW(pred->arena, lc_prediction);
    lc_table_init(&pred->known_outputs, pred->arena);
    lc_table_init(&pred->gone_outputs, pred->arena);
    if (in.options.mode != LC_RUN_DESTROY || in.options.no_refresh || !in.priors ||
        !in.priors->list.count)
        return true;
    in.options.mode = LC_RUN_NORMAL;
    predict_as(before, pred->arena, &in, pred->from_plan, true);
    lc_predict_outputs_refreshed(pred, before);
    pred->refreshed = before;
    if (!before->errors.count)
        return true;
    *pred->out = *before;
    pred->out->mode = LC_RUN_DESTROY;
    return false;
}

/* Sets up one prediction and sorts its result. */
static void predict_as(lc_prediction *out, lc_arena *arena, const lc_run_input *input,
                       const lc_plan_source *from_plan, bool before_destroy)
{
    lc_predictor pred = {.arena = arena,
                         .scratch = lc_arena_new(),
                         .in = input,
                         .config = input->config,
                         .from_plan = from_plan,
                         .out = out};
    *out = (lc_prediction){.config = input->config,
                           .profile = input->config->profile,
                           .client = input->config->client,
                           .mode = input->options.mode};
    pred.profile = input->config->profile;
    pred.core = pred.profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    pred.before_destroy = before_destroy;
    lc_predict_notes_start(&pred);
    if (refresh_first(&pred))
        predict(&pred);
    else
        pred.stop = true;
    if (pred.invalid)
        keep_invalid(&pred);
    if (pred.stop)
        discard_plan(&pred);
    arrange(&pred);
    lc_predict_hide(&pred);
    lc_arena_free(pred.scratch);
}

void lc_run_predict(lc_prediction *out, lc_arena *arena, const lc_run_input *input)
{
    predict_as(out, arena, input, input->plan ? &lc_predict_plan_source : NULL, false);
    lc_run_trace(out, arena);
    const lc_run_provider *p = &input->provider;
    if (p->asked)
        out->asked = p->asked(p->context, arena, &out->asked_count);
}

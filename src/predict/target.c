/* -target and -exclude: the blocks, and their instances, that a plan is limited to. */
#include "predict/internal.h"

/* The addresses of one option. */
typedef struct selection {
    lc_predictor *r;
    lc_table texts;   /* canonical strings of the addresses */
    lc_table configs; /* the same without any keys */
} selection;

/* The text of a module address without the key of its last step. */
static lc_str without_last_key(lc_arena *arena, const lc_address *module)
{
    lc_buf text = {0};
    lc_address outer = *module;
    outer.module_count--;
    lc_address_add(&text, &outer);
    lc_buf_add_c(&text, outer.module_count ? ".module." : "module.");
    lc_buf_add_str(&text, module->modules[outer.module_count].name);
    return lc_buf_take(arena, &text);
}

/* True if one of the addresses covers the instance. Looks up every text that could cover it, so the
 * cost does not depend on the number of addresses. */
static bool covers(const selection *s, const lc_address *address)
{
    lc_arena *arena = s->r->arena;
    lc_address resource = lc_address_resource(address), module = lc_address_module(address);
    if (lc_table_get(&s->texts, lc_address_text(arena, address)) ||
        lc_table_get(&s->texts, lc_address_text(arena, &resource)))
        return true;
    for (size_t n = 1; n <= address->module_count; n++) {
        module.module_count = n;
        if (lc_table_get(&s->texts, lc_address_text(arena, &module)) ||
            lc_table_get(&s->texts, without_last_key(arena, &module)))
            return true;
    }
    return false;
}

/* True if the addresses in the table cover the block or a module around it. */
static bool names_block(const selection *s, const lc_table *table,
                        const lc_config_resource *resource)
{
    const lc_module *m = resource->module;
    lc_str text = lc_address_below(s->r->arena, m->path, resource->address);
    if (lc_table_get(table, text))
        return true;
    for (; m && m->path.len; m = m->parent) {
        if (lc_table_get(table, m->path))
            return true;
    }
    return false;
}

static void fill(selection *s, lc_predictor *pred, const lc_address_list *addresses)
{
    s->r = pred;
    lc_table_init(&s->texts, pred->arena);
    lc_table_init(&s->configs, pred->arena);
    for (size_t i = 0; i < addresses->list.count; i++) {
        const lc_address *a = &addresses->list.items[i];
        lc_address config = lc_address_config(pred->arena, a);
        lc_table_put(&s->texts, lc_address_text(pred->arena, a), s);
        lc_table_put(&s->configs, lc_address_text(pred->arena, &config), s);
    }
}

/* ---- Blocks. */

/* Selects everything that a node needs. Nodes that are selected already were visited. */
static void select_needs(lc_predictor *pred, uint32_t start)
{
    lc_id_list todo = {0};
    *LC_PUSH(pred->arena, &todo, uint32_t) = start;
    pred->graph.nodes.items[start].selected = true;
    while (todo.count) {
        const lc_graph_node *node = &pred->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            lc_graph_node *next = &pred->graph.nodes.items[node->needs.items[i]];
            if (next->selected)
                continue;
            next->selected = true;
            *LC_PUSH(pred->arena, &todo, uint32_t) = node->needs.items[i];
        }
    }
}

/* A root module output remains if it needs resources and all of them are selected. */
static bool keeps_output(lc_predictor *pred, uint32_t start)
{
    size_t found = 0;
    uint32_t walk = ++pred->walks;
    lc_id_list todo = {0};
    *LC_PUSH(pred->arena, &todo, uint32_t) = start;
    while (todo.count) {
        const lc_graph_node *node = &pred->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            uint32_t id = node->needs.items[i];
            if (pred->seen[id] == walk)
                continue;
            pred->seen[id] = walk;
            const lc_graph_node *next = &pred->graph.nodes.items[id];
            if (next->kind == NODE_RESOURCE && !next->selected)
                return false;
            found += next->kind == NODE_RESOURCE;
            *LC_PUSH(pred->arena, &todo, uint32_t) = id;
        }
    }
    return found > 0;
}

static void select_outputs(lc_predictor *pred)
{
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++) {
        lc_graph_node *node = &pred->graph.nodes.items[id];
        if (node->kind == NODE_OUTPUT && node->module == 0 && keeps_output(pred, id))
            select_needs(pred, id);
    }
}

/* -target selects the blocks that it names and everything they need. */
static void select_targets(lc_predictor *pred, const selection *s)
{
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++)
        pred->graph.nodes.items[id].selected = false;
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++) {
        lc_graph_node *node = &pred->graph.nodes.items[id];
        if (node->kind != NODE_RESOURCE || !names_block(s, &s->configs, node->block))
            continue;
        node->named = true;
        select_needs(pred, id);
    }
    select_outputs(pred);
}

/* -exclude leaves out a block if its address has no keys and covers it, together with everything
 * that needs it. What needs the block is also left out if the address names only one of its
 * instances. */
static void select_others(lc_predictor *pred, const selection *s)
{
    bool *spreads = lc_arena_zalloc(pred->arena, pred->graph.nodes.count);
    for (size_t i = 0; i < pred->graph.order_count; i++) {
        uint32_t id = pred->graph.order[i];
        lc_graph_node *node = &pred->graph.nodes.items[id];
        bool resource = node->kind == NODE_RESOURCE, needs_one = false;
        for (size_t j = 0; j < node->needs.count && !needs_one; j++)
            needs_one = spreads[node->needs.items[j]];
        spreads[id] = needs_one || (resource && names_block(s, &s->configs, node->block));
        node->left_out = needs_one || (resource && names_block(s, &s->texts, node->block));
        node->selected = resource && !node->left_out;
    }
    for (size_t i = 0; i < pred->graph.order_count; i++) {
        uint32_t id = pred->graph.order[i];
        if (pred->graph.nodes.items[id].selected)
            select_needs(pred, id);
    }
    select_outputs(pred);
}

/* ---- Destroy plans select single objects by their stored dependencies. */

/* Objects in different instances of one module do not depend on each other. */
static bool other_instance_of_module(const lc_address *a, const lc_address *b)
{
    if (a->module_count != b->module_count)
        return false;
    for (size_t i = 0; i < a->module_count; i++) {
        if (!lc_str_eq(a->modules[i].name, b->modules[i].name))
            return false;
    }
    return !lc_module_path_eq(a->modules, a->module_count, b->modules, b->module_count);
}

static void list_under(lc_predictor *pred, lc_table *table, const lc_address *config,
                       lc_state_instance *instance)
{
    lc_str text = lc_address_text(pred->arena, config);
    lc_state_instance_list *list = lc_table_get(table, text);
    if (!list) {
        list = LC_NEW(pred->arena, lc_state_instance_list);
        lc_table_put(table, text, list);
    }
    *LC_PUSH(pred->arena, &list->list, lc_state_instance *) = instance;
}

static void each_dependency(lc_predictor *pred, lc_state_instance *instance,
                            void (*each)(lc_predictor *pred, const lc_address *on,
                                         lc_state_instance *instance, lc_table *table),
                            lc_table *table)
{
    for (size_t j = 0; instance->depends && j < instance->depends->list.count; j++)
        each(pred, &instance->depends->list.items[j], instance, table);
}

static void list_dependent(lc_predictor *pred, const lc_address *on, lc_state_instance *instance,
                           lc_table *table)
{
    list_under(pred, table, on, instance);
}

/* Marks the instances that one leads to: its dependents for -target, its dependencies for
 * -exclude. */
static void reach(lc_predictor *pred, lc_state_instance_list *todo, const lc_state_instance *from,
                  const lc_state_instance_list *list)
{
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_state_instance *instance = list->list.items[i];
        if (instance->reached || other_instance_of_module(&instance->address, &from->address))
            continue;
        instance->reached = true;
        *LC_PUSH(pred->arena, &todo->list, lc_state_instance *) = instance;
    }
}

/* -target destroys the objects that it covers and all their dependents. -exclude keeps what it
 * covers and all their dependencies. */
static void select_objects(lc_predictor *pred, const selection *s, bool targets)
{
    lc_table dependents, state_instances;
    lc_state_instance_list todo = {{NULL, 0, 0}};
    lc_table_init(&dependents, pred->arena);
    lc_table_init(&state_instances, pred->arena);
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        lc_address config = lc_address_config(pred->arena, &instance->address);
        list_under(pred, &state_instances, &config, instance);
        each_dependency(pred, instance, list_dependent, &dependents);
        instance->reached = covers(s, &instance->address);
        if (instance->reached)
            *LC_PUSH(pred->arena, &todo.list, lc_state_instance *) = instance;
    }
    while (todo.list.count) {
        const lc_state_instance *instance = todo.list.items[--todo.list.count];
        lc_address config = lc_address_config(pred->arena, &instance->address);
        if (targets)
            reach(pred, &todo, instance,
                  lc_table_get(&dependents, lc_address_text(pred->arena, &config)));
        for (size_t i = 0; !targets && i < instance->deposed.count + 1; i++) {
            const lc_address_list *on_all =
                i ? &instance->deposed.items[i - 1]->dependencies : instance->depends;
            for (size_t j = 0; on_all && j < on_all->list.count; j++) {
                lc_str on = lc_address_text(pred->arena, &on_all->list.items[j]);
                reach(pred, &todo, instance, lc_table_get(&state_instances, on));
            }
        }
    }
    for (size_t i = 0; i < pred->state_instances.count; i++)
        pred->state_instances.items[i]->selected =
            pred->state_instances.items[i]->reached == targets;
}

/* ---- Selection. */

/* Without options everything is selected. */
void lc_predict_targets_select(lc_predictor *pred)
{
    const lc_run_options *o = &pred->in->options;
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++)
        pred->graph.nodes.items[id].selected = true;
    for (size_t i = 0; i < pred->state_instances.count; i++)
        pred->state_instances.items[i]->selected = true;
    bool targets = o->targets.list.count > 0;
    if (!targets && !o->excludes.list.count)
        return;
    selection *s = LC_NEW(pred->arena, selection);
    fill(s, pred, targets ? &o->targets : &o->excludes);
    pred->selection = s;
    if (targets)
        select_targets(pred, s);
    else
        select_others(pred, s);
    if (o->mode == LC_RUN_DESTROY) {
        select_objects(pred, s, targets);
        return;
    }
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        const lc_config_resource *config = lc_config_resource_at(pred->config, &instance->address);
        const lc_graph_node *node = config ? lc_predict_graph_resource(pred, config) : NULL;
        instance->selected = lc_predict_selected(pred, node, &instance->address);
    }
}

/* An instance is selected if its block is, and if the block was selected by name, an address must
 * cover the instance itself. */
bool lc_predict_selected(const lc_predictor *pred, const lc_graph_node *node,
                         const lc_address *instance)
{
    const selection *s = pred->selection;
    if (!s)
        return true;
    if (node && !node->selected)
        return false;
    if (!pred->in->options.targets.list.count)
        return !covers(s, instance);
    return node && !node->named ? true : covers(s, instance);
}

bool lc_predict_covered(const lc_predictor *pred, const lc_address *address)
{
    return pred->selection && covers(pred->selection, address);
}

/* -target and -exclude: the blocks, and their instances, that a plan is limited to. */
#include "predict/internal.h"

/* The addresses of one option. */
typedef struct selection {
    lc_predictor *r;
    lc_table texts;   /* canonical texts of the addresses */
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

static void fill(selection *s, lc_predictor *r, const lc_address_list *addresses)
{
    s->r = r;
    lc_table_init(&s->texts, r->arena);
    lc_table_init(&s->configs, r->arena);
    for (size_t i = 0; i < addresses->list.count; i++) {
        const lc_address *a = &addresses->list.items[i];
        lc_address config = lc_address_config(r->arena, a);
        lc_table_put(&s->texts, lc_address_text(r->arena, a), s);
        lc_table_put(&s->configs, lc_address_text(r->arena, &config), s);
    }
}

/* ---- Blocks. */

/* Selects everything that a node needs. Nodes that are selected already were visited. */
static void select_needs(lc_predictor *r, uint32_t start)
{
    lc_id_list todo = {0};
    *LC_PUSH(r->arena, &todo, uint32_t) = start;
    r->graph.nodes.items[start].selected = true;
    while (todo.count) {
        const lc_graph_node *node = &r->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            lc_graph_node *next = &r->graph.nodes.items[node->needs.items[i]];
            if (next->selected)
                continue;
            next->selected = true;
            *LC_PUSH(r->arena, &todo, uint32_t) = node->needs.items[i];
        }
    }
}

/* A root module output remains if it needs resources and all of them are selected. */
static bool keeps_output(lc_predictor *r, uint32_t start)
{
    size_t found = 0;
    uint32_t walk = ++r->walks;
    lc_id_list todo = {0};
    *LC_PUSH(r->arena, &todo, uint32_t) = start;
    while (todo.count) {
        const lc_graph_node *node = &r->graph.nodes.items[todo.items[--todo.count]];
        for (size_t i = 0; i < node->needs.count; i++) {
            uint32_t id = node->needs.items[i];
            if (r->seen[id] == walk)
                continue;
            r->seen[id] = walk;
            const lc_graph_node *next = &r->graph.nodes.items[id];
            if (next->kind == NODE_RESOURCE && !next->selected)
                return false;
            found += next->kind == NODE_RESOURCE;
            *LC_PUSH(r->arena, &todo, uint32_t) = id;
        }
    }
    return found > 0;
}

static void select_outputs(lc_predictor *r)
{
    for (uint32_t id = 0; id < r->graph.nodes.count; id++) {
        lc_graph_node *node = &r->graph.nodes.items[id];
        if (node->kind == NODE_OUTPUT && node->module == 0 && keeps_output(r, id))
            select_needs(r, id);
    }
}

/* -target selects the blocks that it names and everything they need. */
static void select_targets(lc_predictor *r, const selection *s)
{
    for (uint32_t id = 0; id < r->graph.nodes.count; id++)
        r->graph.nodes.items[id].selected = false;
    for (uint32_t id = 0; id < r->graph.nodes.count; id++) {
        lc_graph_node *node = &r->graph.nodes.items[id];
        if (node->kind != NODE_RESOURCE || !names_block(s, &s->configs, node->block))
            continue;
        node->named = true;
        select_needs(r, id);
    }
    select_outputs(r);
}

/* -exclude leaves out a block if its address has no keys and covers it, together with everything
 * that needs it. What needs the block is also left out if the address names only one of its
 * instances. */
static void select_others(lc_predictor *r, const selection *s)
{
    bool *spreads = lc_arena_zalloc(r->arena, r->graph.nodes.count);
    for (size_t i = 0; i < r->graph.order_count; i++) {
        uint32_t id = r->graph.order[i];
        lc_graph_node *node = &r->graph.nodes.items[id];
        bool resource = node->kind == NODE_RESOURCE, needs_one = false;
        for (size_t j = 0; j < node->needs.count && !needs_one; j++)
            needs_one = spreads[node->needs.items[j]];
        spreads[id] = needs_one || (resource && names_block(s, &s->configs, node->block));
        node->left_out = needs_one || (resource && names_block(s, &s->texts, node->block));
        node->selected = resource && !node->left_out;
    }
    for (size_t i = 0; i < r->graph.order_count; i++) {
        uint32_t id = r->graph.order[i];
        if (r->graph.nodes.items[id].selected)
            select_needs(r, id);
    }
    select_outputs(r);
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

static void list_under(lc_predictor *r, lc_table *table, const lc_address *config,
                       lc_state_instance *h)
{
    lc_str text = lc_address_text(r->arena, config);
    lc_state_instance_list *list = lc_table_get(table, text);
    if (!list) {
        list = LC_NEW(r->arena, lc_state_instance_list);
        lc_table_put(table, text, list);
    }
    *LC_PUSH(r->arena, &list->list, lc_state_instance *) = h;
}

static void each_dependency(lc_predictor *r, lc_state_instance *h,
                            void (*each)(lc_predictor *r, const lc_address *on,
                                         lc_state_instance *h, lc_table *table),
                            lc_table *table)
{
    for (size_t j = 0; h->depends && j < h->depends->list.count; j++)
        each(r, &h->depends->list.items[j], h, table);
}

static void list_dependent(lc_predictor *r, const lc_address *on, lc_state_instance *h,
                           lc_table *table)
{
    list_under(r, table, on, h);
}

/* Marks the instances that one leads to: its dependents for -target, its dependencies for
 * -exclude. */
static void reach(lc_predictor *r, lc_state_instance_list *todo, const lc_state_instance *from,
                  const lc_state_instance_list *list)
{
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_state_instance *h = list->list.items[i];
        if (h->reached || other_instance_of_module(&h->address, &from->address))
            continue;
        h->reached = true;
        *LC_PUSH(r->arena, &todo->list, lc_state_instance *) = h;
    }
}

/* -target destroys the objects that it covers and all their dependents. -exclude keeps what it
 * covers and all their dependencies. */
static void select_objects(lc_predictor *r, const selection *s, bool targets)
{
    lc_table dependents, state_instances;
    lc_state_instance_list todo = {{NULL, 0, 0}};
    lc_table_init(&dependents, r->arena);
    lc_table_init(&state_instances, r->arena);
    for (size_t i = 0; i < r->state_instances.count; i++) {
        lc_state_instance *h = r->state_instances.items[i];
        lc_address config = lc_address_config(r->arena, &h->address);
        list_under(r, &state_instances, &config, h);
        each_dependency(r, h, list_dependent, &dependents);
        h->reached = covers(s, &h->address);
        if (h->reached)
            *LC_PUSH(r->arena, &todo.list, lc_state_instance *) = h;
    }
    while (todo.list.count) {
        const lc_state_instance *h = todo.list.items[--todo.list.count];
        lc_address config = lc_address_config(r->arena, &h->address);
        if (targets)
            reach(r, &todo, h, lc_table_get(&dependents, lc_address_text(r->arena, &config)));
        for (size_t i = 0; !targets && i < h->deposed.count + 1; i++) {
            const lc_address_list *on_all = i ? &h->deposed.items[i - 1]->dependencies : h->depends;
            for (size_t j = 0; on_all && j < on_all->list.count; j++) {
                lc_str on = lc_address_text(r->arena, &on_all->list.items[j]);
                reach(r, &todo, h, lc_table_get(&state_instances, on));
            }
        }
    }
    for (size_t i = 0; i < r->state_instances.count; i++)
        r->state_instances.items[i]->selected = r->state_instances.items[i]->reached == targets;
}

/* ---- Selection. */

/* Without options everything is selected. */
void lc_predict_targets_select(lc_predictor *r)
{
    const lc_run_options *o = &r->in->options;
    for (uint32_t id = 0; id < r->graph.nodes.count; id++)
        r->graph.nodes.items[id].selected = true;
    for (size_t i = 0; i < r->state_instances.count; i++)
        r->state_instances.items[i]->selected = true;
    bool targets = o->targets.list.count > 0;
    if (!targets && !o->excludes.list.count)
        return;
    selection *s = LC_NEW(r->arena, selection);
    fill(s, r, targets ? &o->targets : &o->excludes);
    r->selection = s;
    if (targets)
        select_targets(r, s);
    else
        select_others(r, s);
    if (o->mode == LC_RUN_DESTROY) {
        select_objects(r, s, targets);
        return;
    }
    for (size_t i = 0; i < r->state_instances.count; i++) {
        lc_state_instance *h = r->state_instances.items[i];
        const lc_config_resource *config = lc_config_resource_at(r->config, &h->address);
        const lc_graph_node *node = config ? lc_predict_graph_resource(r, config) : NULL;
        h->selected = lc_predict_selected(r, node, &h->address);
    }
}

/* An instance is selected if its block is, and if the block was selected by name, an address must
 * cover the instance itself. */
bool lc_predict_selected(const lc_predictor *r, const lc_graph_node *node,
                         const lc_address *instance)
{
    const selection *s = r->selection;
    if (!s)
        return true;
    if (node && !node->selected)
        return false;
    if (!r->in->options.targets.list.count)
        return !covers(s, instance);
    return node && !node->named ? true : covers(s, instance);
}

bool lc_predict_covered(const lc_predictor *r, const lc_address *address)
{
    return r->selection && covers(r->selection, address);
}

/* Cycles that both clients report when a plan is complete, in the graph of creations and
 * destructions (plans-findings 9 to 9c). An object is destroyed after the objects that depend on
 * it, according to the stored dependencies. With create_before_destroy the edges between creation
 * and destruction are reversed.
 *
 * An edge between every pair of instances would be quadratic. Instead they meet at nodes without a
 * name ("joints"), one per kind of edge, resource and module instance. Only the joints of stored
 * dependencies exist: at others no two objects meet. */
#include "predict/internal.h"

typedef enum work_kind { WORK_NONE, WORK_EXPAND, WORK_CREATE, WORK_DESTROY } work_kind;

/* A node of the graph: a block, the creation or destruction of an object, or a joint. */
typedef struct work {
    work_kind kind; /* WORK_NONE: a joint, which is not part of the message */
    lc_id_list needs;
    const lc_run_change *change;   /* of an object */
    bool create_first;             /* destroyed after the new object is created */
    const lc_address_list *stored; /* dependencies of the stored object */
} work;

/* The graph. Numbers up to the count of r->graph.nodes are blocks. */
typedef struct works {
    lc_predictor *r;
    LC_VEC(work) list;
    lc_table joints;    /* name -> index */
    lc_table creators;  /* instance address -> its WORK_CREATE node */
    lc_table of_config; /* configuration address -> lc_id_list of them */
} works;

static uint32_t add_work(works *w, work_kind kind, const lc_run_change *change)
{
    work *k = LC_PUSH(w->r->scratch, &w->list, work);
    k->kind = kind;
    k->change = change;
    return (uint32_t)(w->list.count - 1);
}

static void need(works *w, uint32_t from, uint32_t to)
{
    *LC_PUSH(w->r->scratch, &w->list.items[from].needs, uint32_t) = to;
}

/* An edge between a node and a joint: from the node, or to it. */
static void put_edge(works *w, uint32_t id, bool from, uint32_t at)
{
    if (from)
        need(w, id, at);
    else
        need(w, at, id);
}

static void put_joint(lc_buf *key, char kind, lc_str config, lc_str module)
{
    lc_buf_printf(key, "%c %.*s %.*s", kind, LC_FMT(config), LC_FMT(module));
}

/* The joint of one kind for a resource, in one module instance or ("*") in all of them. It collects
 *   i  all creations of the resource,
 *   d  the destructions of its dependents, which precede its own,
 *   b  those of them that precede its creation,
 *   c  its destructions that precede the creation of its dependents,
 *   f  its creations, which precede the destruction of dependents that are created first,
 *   r  the creations of its dependents, if it is created first itself. */
static uint32_t joint(works *w, char kind, lc_str config, lc_str module)
{
    lc_buf key = {0};
    put_joint(&key, kind, config, module);
    size_t id = lc_table_get_index(&w->joints, lc_buf_str(&key));
    if (id == LC_NO_INDEX) {
        id = add_work(w, WORK_NONE, NULL);
        lc_table_put_index(&w->joints, lc_buf_copy(w->r->scratch, &key), id);
    }
    lc_buf_release(&key);
    return (uint32_t)id;
}

static lc_str config_of(works *w, const lc_address *address)
{
    lc_address config = lc_address_config(w->r->scratch, address);
    return lc_address_text(w->r->scratch, &config);
}

static lc_str module_of(works *w, const lc_address *address)
{
    lc_address module = lc_address_module(address);
    return lc_address_text(w->r->scratch, &module);
}

/* ---- Nodes. */

/* Dependencies of the current object in the state, which both clients use for destruction. */
static const lc_address_list *stored_for(lc_predictor *pred, const lc_run_change *c)
{
    const lc_state_instance *instance = lc_predict_state_instance(pred, c->text);
    return instance && instance->current ? &instance->current->dependencies : NULL;
}

static void add_creator(works *w, const lc_run_change *c)
{
    uint32_t id = add_work(w, WORK_CREATE, c);
    w->list.items[id].stored = stored_for(w->r, c);
    lc_table_put_index(&w->creators, c->text, id);
    lc_str config = config_of(w, &c->address);
    lc_id_list *list = lc_table_get(&w->of_config, config);
    if (!list) {
        list = LC_NEW(w->r->scratch, lc_id_list);
        lc_table_put(&w->of_config, config, list);
    }
    *LC_PUSH(w->r->scratch, list, uint32_t) = id;
}

/* The destruction of an object. The replacement decides about the order; for a plain deletion the
 * stored flag does. */
static void add_destroyer(works *w, const lc_run_change *c)
{
    uint32_t id = add_work(w, WORK_DESTROY, c);
    work *k = &w->list.items[id];
    bool replaced = c->action != LC_PLAN_DELETE;
    k->stored = stored_for(w->r, c);
    k->create_first = c->deposed.len > 0 ||
                      (replaced ? c->create_first : c->prior && c->prior->create_before_destroy);
}

/* A no-op has a node in the clients' graph only if conditions must be evaluated. */
static bool has_conditions(const lc_config_resource *config)
{
    return config && (config->lifecycle->preconditions.list.count ||
                      config->lifecycle->postconditions.list.count);
}

static bool destroys(const lc_run_change *c)
{
    return c->action == LC_PLAN_DELETE || c->action == LC_PLAN_DELETE_CREATE ||
           c->action == LC_PLAN_CREATE_DELETE;
}

static bool creates(const lc_run_change *c)
{
    switch (c->action) {
    case LC_PLAN_NOOP:
        return !c->deposed.len && has_conditions(c->config);
    case LC_PLAN_CREATE:
    case LC_PLAN_UPDATE:
    case LC_PLAN_READ:
    case LC_PLAN_FORGET_CREATE:
    case LC_PLAN_CREATE_FORGET:
    case LC_PLAN_DELETE_CREATE:
    case LC_PLAN_CREATE_DELETE:
        return true;
    case LC_PLAN_DELETE:
    case LC_PLAN_FORGET:
    case LC_PLAN_UNKNOWN:
        return false;
    }
    LC_UNREACHABLE();
}

static void add_works_of(works *w, const lc_run_change *c)
{
    if (creates(c))
        add_creator(w, c);
    if (destroys(c))
        add_destroyer(w, c);
}

/* ---- Edges. */

/* One joint for all creations of a resource, so that many instances referring to many others do not
 * need an edge for each pair. */
static uint32_t instances_of(works *w, const lc_graph_node *node)
{
    lc_str config = lc_predict_config_text(w->r, node->block);
    size_t before = w->list.count;
    uint32_t all = joint(w, 'i', config, LC_STR_EMPTY);
    const lc_id_list *list = all < before ? NULL : lc_table_get(&w->of_config, config);
    for (size_t i = 0; list && i < list->count; i++)
        need(w, all, list->items[i]);
    return all;
}

/* A block needs the blocks that it refers to, and all instances of a resource among them. */
static void add_references(works *w, uint32_t id, const lc_graph_node *node)
{
    for (size_t i = 0; i < node->needs.count; i++) {
        uint32_t to = node->needs.items[i];
        const lc_graph_node *need_node = &w->r->graph.nodes.items[to];
        need(w, id, to);
        if (need_node->kind == NODE_RESOURCE)
            need(w, id, instances_of(w, need_node));
    }
}

/* Objects in different instances of one module do not depend on each other. If both ends are in the
 * same module, they therefore meet at a joint of their own module instance, else at the joint of
 * all ("*"). */
static void join(works *w, uint32_t id, bool from, char kind, const lc_address *of,
                 const lc_address *on)
{
    bool same = of->module_count == on->module_count;
    for (size_t i = 0; same && i < of->module_count; i++)
        same = lc_str_eq(of->modules[i].name, on->modules[i].name);
    put_edge(w, id, from, joint(w, kind, config_of(w, on), same ? module_of(w, of) : LC_STR("*")));
}

/* At the joint of one kind for a resource, if dependents made it. */
static void meet(works *w, uint32_t id, bool from, char kind, lc_str config, lc_str module)
{
    lc_buf key = {0};
    put_joint(&key, kind, config, module);
    size_t at = lc_table_get_index(&w->joints, lc_buf_str(&key));
    lc_buf_release(&key);
    if (at != LC_NO_INDEX)
        put_edge(w, id, from, (uint32_t)at);
}

/* The counterpart of `join` for the object that is depended on: it is at the joint of its own
 * module instance and at that of all. After all dependents have joined. */
static void offer(works *w, uint32_t id, bool from, char kind, const lc_address *address)
{
    lc_str config = config_of(w, address);
    meet(w, id, from, kind, config, module_of(w, address));
    meet(w, id, from, kind, config, LC_STR("*"));
}

/* The order between an object's own creation and destruction, and the edges to its dependencies. */
static void join_destroyer(works *w, uint32_t id)
{
    work k = w->list.items[id];
    const lc_address *a = &k.change->address;
    size_t creator = lc_table_get_index(&w->creators, k.change->text);
    if (creator != LC_NO_INDEX && k.create_first)
        need(w, id, (uint32_t)creator);
    else if (creator != LC_NO_INDEX)
        need(w, (uint32_t)creator, id);
    for (size_t i = 0; k.stored && i < k.stored->list.count; i++) {
        const lc_address *on = &k.stored->list.items[i];
        join(w, id, false, 'd', a, on);
        join(w, id, k.create_first, k.create_first ? 'f' : 'b', a, on);
    }
}

static void offer_destroyer(works *w, uint32_t id)
{
    work k = w->list.items[id];
    offer(w, id, true, 'd', &k.change->address);
    offer(w, id, k.create_first, k.create_first ? 'r' : 'c', &k.change->address);
}

static void join_creator(works *w, uint32_t id)
{
    work k = w->list.items[id];
    const lc_address *a = &k.change->address;
    const lc_graph_node *node =
        k.change->config ? lc_predict_graph_resource(w->r, k.change->config) : NULL;
    if (node) {
        need(w, id, (uint32_t)(node - w->r->graph.nodes.items));
        add_references(w, id, node);
    }
    for (size_t i = 0; k.stored && i < k.stored->list.count; i++) {
        join(w, id, true, 'c', a, &k.stored->list.items[i]);
        join(w, id, false, 'r', a, &k.stored->list.items[i]);
    }
}

static void offer_creator(works *w, uint32_t id)
{
    const lc_address *a = &w->list.items[id].change->address;
    offer(w, id, true, 'b', a);
    offer(w, id, false, 'f', a);
}

static void connect(works *w, size_t count, void (*creator)(works *w, uint32_t id),
                    void (*destroyer)(works *w, uint32_t id))
{
    for (uint32_t id = 0; id < count; id++) {
        if (w->list.items[id].kind == WORK_DESTROY)
            destroyer(w, id);
        else if (w->list.items[id].kind == WORK_CREATE)
            creator(w, id);
    }
}

static const lc_id_list *needs_of(const void *context, uint32_t id)
{
    const works *w = context;
    return &w->list.items[id].needs;
}

static lc_str expand_name(lc_predictor *pred, const lc_graph_node *node)
{
    if (node->kind == NODE_CLOSE || node->kind == NODE_PROVIDER)
        return LC_STR_EMPTY;
    return node->kind == NODE_RESOURCE
               ? lc_str_printf(pred->scratch, "%.*s (expand)", LC_FMT(node->text))
               : node->text;
}

static lc_str destroy_name(lc_predictor *pred, const lc_run_change *c)
{
    return c->deposed.len ? lc_str_printf(pred->scratch, "%.*s (destroy deposed %.*s)",
                                          LC_FMT(c->text), LC_FMT(c->deposed))
                          : lc_str_printf(pred->scratch, "%.*s (destroy)", LC_FMT(c->text));
}

/* As the clients name it; empty: no part of the message. */
static lc_str name_of(const works *w, uint32_t id)
{
    const work *k = &w->list.items[id];
    switch (k->kind) {
    case WORK_NONE:
        return LC_STR_EMPTY;
    case WORK_EXPAND:
        return expand_name(w->r, &w->r->graph.nodes.items[id]);
    case WORK_CREATE:
        return k->change->text;
    case WORK_DESTROY:
        return destroy_name(w->r, k->change);
    }
    LC_UNREACHABLE();
}

/* Where the block of the node is; nowhere for an object without one. */
static lc_source_pos place_of(const works *w, uint32_t id)
{
    const lc_run_change *change = w->list.items[id].change;
    return change && change->config ? change->config->place : (lc_source_pos){NULL, 0, 0};
}

/* One component with several named nodes is a cycle. */
static void take(void *context, const uint32_t *ids, size_t count)
{
    works *w = context;
    if (count == 1)
        return;
    lc_str *names = LC_NEW_ARRAY(w->r->scratch, lc_str, count);
    size_t with_name = 0;
    lc_source_pos place = {NULL, 0, 0};
    for (size_t i = 0; i < count; i++) {
        place = place.source ? place : place_of(w, ids[i]);
        names[with_name] = name_of(w, ids[i]);
        with_name += names[with_name].len > 0;
    }
    if (with_name > 1)
        lc_predict_report_cycle(w->r, names, with_name, place);
}

/* Everything here is in the scratch arena; the reported error is copied. Without destructions every
 * edge is a reference of the configuration, whose cycles were reported before. */
void lc_predict_cycles(lc_predictor *pred)
{
    works w = {.r = pred};
    const lc_run_change *changes = pred->out->changes.items;
    size_t count = pred->out->changes.count;
    bool any_destroyed = false;
    for (size_t i = 0; i < count && !any_destroyed; i++)
        any_destroyed = destroys(&changes[i]);
    if (!any_destroyed)
        return;
    lc_arena_reset(pred->scratch); /* no object is being planned now */
    lc_table_init(&w.joints, pred->scratch);
    lc_table_init(&w.creators, pred->scratch);
    lc_table_init(&w.of_config, pred->scratch);
    for (size_t i = 0; i < pred->graph.nodes.count; i++)
        add_work(&w, WORK_EXPAND, NULL);
    for (size_t i = 0; i < count; i++)
        add_works_of(&w, &changes[i]);
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++)
        add_references(&w, id, &pred->graph.nodes.items[id]);
    size_t objects = w.list.count;
    connect(&w, objects, join_creator, join_destroyer);
    connect(&w, objects, offer_creator, offer_destroyer);
    lc_predict_components(pred->scratch, w.list.count, needs_of, take, &w);
}

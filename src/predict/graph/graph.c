/* The graph of blocks of the configuration: which is evaluated after which. Its edges are the
 * references, as in both clients; instances do not matter here. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* ---- Nodes. */

static lc_str name_of(lc_arena *arena, const char *kind, lc_str name)
{
    return lc_str_printf(arena, "%s.%.*s", kind, LC_FMT(name));
}

uint32_t lc_predict_module_index(const lc_predictor *pred, const lc_module *module)
{
    return (uint32_t)lc_table_get_index(&pred->module_index, module->path);
}

/* Adds the node of a block. `name` is its key within the module, `suffix` what the clients print
 * after it in messages about cycles. */
static uint32_t add_node(lc_predictor *pred, lc_graph_node_kind kind, uint32_t module,
                         const void *block, lc_str name, const char *suffix)
{
    uint32_t id = (uint32_t)pred->graph.nodes.count;
    lc_graph_node *node = LC_PUSH(pred->arena, &pred->graph.nodes, lc_graph_node);
    const lc_module *m = pred->config->modules.items[module];
    node->kind = kind;
    node->module = module;
    node->block = block;
    node->text = lc_str_printf(pred->arena, "%.*s%s%.*s%s", LC_FMT(m->path), m->path.len ? "." : "",
                               LC_FMT(name), suffix);
    lc_table_put_index(&pred->graph.modules[module].by_name, name, id);
    return id;
}

static bool find_node(uint32_t *out, const lc_predictor *pred, uint32_t module, lc_str name)
{
    size_t id = pred->graph.modules /* else nothing needs an order */
                    ? lc_table_get_index(&pred->graph.modules[module].by_name, name)
                    : LC_NO_INDEX;
    *out = (uint32_t)id;
    return id != LC_NO_INDEX;
}

/* The suffixes " (expand)" are those that the clients print for each kind of node. */
static void add_nodes_of(lc_predictor *pred, uint32_t index)
{
    const lc_module *m = pred->config->modules.items[index];
    lc_table_init(&pred->graph.modules[index].by_name, pred->arena);
    for (size_t i = 0; i < m->calls.count; i++) {
        const lc_config_call *call = m->calls.items[i];
        add_node(pred, NODE_CALL, index, call, name_of(pred->arena, "module", call->name),
                 " (expand)");
        add_node(pred, NODE_CLOSE, index, call, name_of(pred->arena, "close", call->name), "");
    }
    for (size_t i = 0; i < m->variables.count; i++) {
        const lc_config_variable *v = m->variables.items[i];
        add_node(pred, NODE_VARIABLE, index, v, name_of(pred->arena, "var", v->name),
                 m->parent && !is_opentofu(pred) ? " (expand)" : "");
    }
    for (size_t i = 0; i < m->locals.count; i++) {
        const lc_config_local *local = m->locals.items[i];
        add_node(pred, NODE_LOCAL, index, local, name_of(pred->arena, "local", local->name),
                 " (expand)");
    }
    for (size_t i = 0; i < m->outputs.count; i++) {
        const lc_config_output *output = m->outputs.items[i];
        add_node(pred, NODE_OUTPUT, index, output, name_of(pred->arena, "output", output->name),
                 m->parent ? " (expand)" : "");
    }
    for (size_t i = 0; i < m->resources.count; i++)
        add_node(pred, NODE_RESOURCE, index, m->resources.items[i], m->resources.items[i]->address,
                 "");
    for (size_t i = 0; i < m->providers.count; i++) {
        const lc_config_provider *p = m->providers.items[i];
        lc_str name =
            lc_str_printf(pred->arena, "provider.%.*s.%.*s", LC_FMT(p->name), LC_FMT(p->alias));
        add_node(pred, NODE_PROVIDER, index, p, name, "");
    }
}

/* ---- Edges. */

/* A reference of a block to itself is not an edge; self_reference.c examines it. */
static void add_need(lc_predictor *pred, uint32_t from, uint32_t to)
{
    if (from != to)
        *LC_PUSH(pred->arena, &pred->graph.nodes.items[from].needs, uint32_t) = to;
}

static void need_name(lc_predictor *pred, uint32_t from, uint32_t module, lc_str name)
{
    uint32_t to;
    if (find_node(&to, pred, module, name))
        add_need(pred, from, to);
}

/* `module.m.output` or `module.m["k"].output` needs that output only; a reference to the whole
 * module needs all its outputs and resources. */
static void need_module(lc_predictor *pred, uint32_t from, uint32_t module, const lc_reference *ref)
{
    uint32_t call_id;
    lc_str call_name = name_of(pred->arena, "module", ref->name);
    if (!find_node(&call_id, pred, module, call_name))
        return;
    const lc_config_call *call = pred->graph.nodes.items[call_id].block;
    add_need(pred, from, call_id);
    size_t at = ref->count && ref->steps[0].kind == LC_REF_INDEX ? 1 : 0;
    if (call->child && at < ref->count && ref->steps[at].kind == LC_REF_ATTR) {
        need_name(pred, from, lc_predict_module_index(pred, call->child),
                  name_of(pred->arena, "output", ref->steps[at].name));
        return;
    }
    need_name(pred, from, module, name_of(pred->arena, "close", ref->name));
}

/* Roots other than these have no node. */
bool lc_predict_graph_find(uint32_t *out, lc_predictor *pred, uint32_t module,
                           const lc_reference *ref)
{
    lc_str type = ref->type, name = ref->name;
    switch (ref->root) {
    case LC_ROOT_VARIABLE:
        return find_node(out, pred, module, name_of(pred->arena, "var", name));
    case LC_ROOT_LOCAL:
        return find_node(out, pred, module, name_of(pred->arena, "local", name));
    case LC_ROOT_MODULE:
        return find_node(out, pred, module, name_of(pred->arena, "close", name));
    case LC_ROOT_RESOURCE:
        return find_node(out, pred, module,
                         lc_str_printf(pred->arena, "%.*s.%.*s", LC_FMT(type), LC_FMT(name)));
    case LC_ROOT_DATA:
    case LC_ROOT_EPHEMERAL:
        return find_node(out, pred, module,
                         lc_str_printf(pred->arena, "%s.%.*s.%.*s",
                                       ref->root == LC_ROOT_DATA ? "data" : "ephemeral",
                                       LC_FMT(type), LC_FMT(name)));
    case LC_ROOT_EACH:
    case LC_ROOT_COUNT:
    case LC_ROOT_SELF:
    case LC_ROOT_PATH:
    case LC_ROOT_TERRAFORM:
    case LC_ROOT_BAD:
        break;
    }
    return false;
}

static void need_reference(lc_predictor *pred, uint32_t from, uint32_t module,
                           const lc_reference *ref)
{
    uint32_t to;
    if (ref->root == LC_ROOT_MODULE)
        need_module(pred, from, module, ref);
    else if (lc_predict_graph_find(&to, pred, module, ref))
        add_need(pred, from, to);
}

static void need_expr(lc_predictor *pred, uint32_t from, uint32_t module, const lc_expr *expr)
{
    if (!expr)
        return;
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, expr);
    for (size_t i = 0; i < refs.list.count; i++)
        need_reference(pred, from, module, refs.list.items[i]);
}

static void need_refs(lc_predictor *pred, uint32_t from, uint32_t module,
                      const lc_config_refs *refs)
{
    for (size_t i = 0; i < refs->list.count; i++) {
        const lc_config_ref *ref = &refs->list.items[i];
        if (ref->reference)
            need_reference(pred, from, module, ref->reference);
        need_expr(pred, from, module, ref->expr);
    }
}

static void need_conditions(lc_predictor *pred, uint32_t from, uint32_t module,
                            const lc_config_conditions *conditions)
{
    for (size_t i = 0; i < conditions->list.count; i++)
        need_expr(pred, from, module, conditions->list.items[i].condition);
}

static void need_repetition(lc_predictor *pred, uint32_t from, uint32_t module,
                            const lc_config_repetition *repetition)
{
    need_expr(pred, from, module, repetition->count);
    need_expr(pred, from, module, repetition->for_each);
    need_expr(pred, from, module, repetition->enabled);
}

/* The provider block for a local name: of this module, or the one that the callers pass. Default
 * providers are inherited without being passed, aliased ones are not. */
static void need_provider(lc_predictor *pred, uint32_t from, uint32_t module, lc_str name,
                          lc_str alias)
{
    const lc_module *m = pred->config->modules.items[module];
    for (;;) {
        uint32_t to;
        lc_str key = lc_str_printf(pred->arena, "provider.%.*s.%.*s", LC_FMT(name), LC_FMT(alias));
        if (find_node(&to, pred, module, key)) {
            add_need(pred, from, to);
            return;
        }
        if (!m->parent || !m->call)
            return;
        bool passed = false;
        for (size_t i = 0; i < m->call->providers.count; i++) {
            const lc_config_passed *p = &m->call->providers.items[i];
            lc_str full = alias.len
                              ? lc_str_printf(pred->arena, "%.*s.%.*s", LC_FMT(name), LC_FMT(alias))
                              : name;
            if (!lc_str_eq(p->child.text, full) || !p->parent.reference)
                continue;
            const lc_reference *ref = p->parent.reference;
            need_expr(pred, from, lc_predict_module_index(pred, m->parent), p->parent.expr);
            name = ref->head;
            alias = ref->count && ref->steps[0].kind == LC_REF_ATTR ? ref->steps[0].name
                    : ref->name.len                                 ? ref->name
                                                                    : LC_STR_EMPTY;
            passed = true;
            break;
        }
        if (!passed && alias.len)
            return;
        m = m->parent;
        module = lc_predict_module_index(pred, m);
    }
}

/* The provider of a resource: its argument, or by the prefix of the type. The argument is read as
 * text, because it may not be a plain reference (provider instances). */
static void need_own_provider(lc_predictor *pred, uint32_t from, const lc_config_resource *resource,
                              uint32_t module)
{
    lc_str name = resource->type, alias = LC_STR_EMPTY;
    if (resource->provider) {
        const lc_reference *ref = resource->provider->reference;
        lc_str text = resource->provider->text;
        size_t end = 0;
        while (end < text.len && text.ptr[end] != '.' && text.ptr[end] != '[')
            end++;
        name = lc_str_sub(text, 0, end);
        size_t stop = lc_str_find(text, ++end, '[');
        if (end <= text.len)
            alias = lc_str_sub(text, end, stop);
        if (ref)
            need_expr(pred, from, module, resource->provider->expr);
    } else {
        const char *under = memchr(name.ptr, '_', name.len);
        name = under ? lc_str_sub(name, 0, (size_t)(under - name.ptr)) : name;
    }
    need_provider(pred, from, module, name, alias);
}

static void need_of_resource(lc_predictor *pred, uint32_t id, uint32_t module)
{
    const lc_config_resource *resource = pred->graph.nodes.items[id].block;
    need_expr(pred, id, module, resource->body);
    need_repetition(pred, id, module, &resource->repetition);
    need_refs(pred, id, module, &resource->depends_on);
    need_refs(pred, id, module, &resource->lifecycle->replace_triggered_by);
    need_conditions(pred, id, module, &resource->lifecycle->preconditions);
    need_conditions(pred, id, module, &resource->lifecycle->postconditions);
    need_own_provider(pred, id, resource, module);
}

/* An import block's references are needed by its target, which is planned with the import. */
static void need_of_import(lc_predictor *pred, uint32_t module, const lc_config_import *import)
{
    if (!import->to.reference)
        return;
    const lc_reference *ref = import->to.reference;
    uint32_t from, at = module;
    if (ref->root == LC_ROOT_MODULE) {
        lc_address address;
        if (!lc_config_address(&address, pred->arena, &import->to))
            return;
        const lc_config_resource *target = lc_config_resource_at(pred->config, &address);
        if (!target)
            return;
        at = lc_predict_module_index(pred, target->module);
        if (!find_node(&from, pred, at, target->address))
            return;
    } else if (!find_node(
                   &from, pred, module,
                   lc_str_printf(pred->arena, "%.*s.%.*s", LC_FMT(ref->type), LC_FMT(ref->name)))) {
        return;
    }
    need_expr(pred, from, module, import->id);
    need_expr(pred, from, module, import->for_each);
}

static void need_of_call(lc_predictor *pred, uint32_t id, uint32_t module)
{
    const lc_config_call *call = pred->graph.nodes.items[id].block;
    need_repetition(pred, id, module, &call->repetition);
    need_refs(pred, id, module, &call->depends_on);
}

/* The node NODE_CLOSE of a call needs everything inside the module. */
static void need_of_close(lc_predictor *pred, uint32_t id)
{
    const lc_config_call *call = pred->graph.nodes.items[id].block;
    uint32_t module = pred->graph.nodes.items[id].module;
    need_name(pred, id, module, name_of(pred->arena, "module", call->name));
    if (!call->child)
        return;
    uint32_t child = lc_predict_module_index(pred, call->child);
    const lc_module *m = call->child;
    for (size_t i = 0; i < m->resources.count; i++)
        need_name(pred, id, child, m->resources.items[i]->address);
    for (size_t i = 0; i < m->outputs.count; i++)
        need_name(pred, id, child, name_of(pred->arena, "output", m->outputs.items[i]->name));
    for (size_t i = 0; i < m->calls.count; i++)
        need_name(pred, id, child, name_of(pred->arena, "close", m->calls.items[i]->name));
}

static void need_of_output(lc_predictor *pred, uint32_t id, uint32_t module)
{
    const lc_config_output *output = pred->graph.nodes.items[id].block;
    need_expr(pred, id, module, output->value);
    need_refs(pred, id, module, &output->depends_on);
    need_conditions(pred, id, module, &output->preconditions);
}

/* A variable of a called module needs what the argument of the call refers to. */
static void need_of_variable(lc_predictor *pred, uint32_t id, uint32_t module)
{
    const lc_config_variable *variable = pred->graph.nodes.items[id].block;
    const lc_module *m = pred->config->modules.items[module];
    if (!m->call || !m->parent)
        return;
    const lc_expr *argument = lc_expr_member_of(m->call->arguments, variable->name);
    need_expr(pred, id, lc_predict_module_index(pred, m->parent), argument);
}

/* Everything in a module needs the call, because its instances must be known. */
static void add_needs_of(lc_predictor *pred, uint32_t id)
{
    lc_graph_node_kind kind = (lc_graph_node_kind)pred->graph.nodes.items[id].kind;
    uint32_t module = pred->graph.nodes.items[id].module;
    const void *block = pred->graph.nodes.items[id].block;
    const lc_module *m = pred->config->modules.items[module];
    if (m->parent && m->call)
        need_name(pred, id, lc_predict_module_index(pred, m->parent),
                  name_of(pred->arena, "module", m->call->name));
    switch (kind) {
    case NODE_VARIABLE:
        need_of_variable(pred, id, module);
        break;
    case NODE_LOCAL:
        need_expr(pred, id, module, ((const lc_config_local *)block)->value);
        break;
    case NODE_OUTPUT:
        need_of_output(pred, id, module);
        break;
    case NODE_CALL:
        need_of_call(pred, id, module);
        break;
    case NODE_CLOSE:
        need_of_close(pred, id);
        break;
    case NODE_RESOURCE:
        need_of_resource(pred, id, module);
        break;
    case NODE_PROVIDER:
        need_expr(pred, id, module, ((const lc_config_provider *)block)->body);
        need_repetition(pred, id, module, &((const lc_config_provider *)block)->repetition);
        break;
    }
}

/* Edges are added after all nodes exist. Imports are last: their targets may be in other
 * modules. */
void lc_predict_graph_build(lc_predictor *pred)
{
    size_t count = pred->config->modules.count;
    pred->graph.modules =
        lc_arena_zalloc(pred->arena, lc_mul_size(count, sizeof *pred->graph.modules));
    for (size_t i = 0; i < count; i++)
        add_nodes_of(pred, (uint32_t)i);
    pred->seen =
        lc_arena_zalloc(pred->arena, lc_mul_size(pred->graph.nodes.count, sizeof *pred->seen));
    for (uint32_t id = 0; id < pred->graph.nodes.count; id++)
        add_needs_of(pred, id);
    for (uint32_t m = 0; m < count; m++) {
        const lc_module *module = pred->config->modules.items[m];
        for (size_t i = 0; i < module->imports.count; i++)
            need_of_import(pred, m, &module->imports.items[i]);
    }
}

lc_graph_node *lc_predict_graph_resource(const lc_predictor *pred,
                                         const lc_config_resource *resource)
{
    uint32_t id;
    if (!find_node(&id, pred, lc_predict_module_index(pred, resource->module), resource->address))
        return NULL;
    return &pred->graph.nodes.items[id];
}

const lc_graph_node *lc_predict_graph_call(const lc_predictor *pred, const lc_module *module)
{
    uint32_t id, caller = lc_predict_module_index(pred, module->parent);
    if (!find_node(&id, pred, caller, name_of(pred->arena, "module", module->call->name)))
        return NULL;
    return &pred->graph.nodes.items[id];
}

/* ---- Order, and cycles. */

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(*(const lc_str *)a, *(const lc_str *)b);
}

/* The clients print the names of a cycle in varying order; here they are sorted. */
void lc_predict_report_cycle(lc_predictor *pred, lc_str *names, size_t count, lc_source_pos place)
{
    qsort(names, count, sizeof *names, by_text);
    lc_buf text = {0};
    lc_buf_add_c(&text, LC_SUMMARY_CYCLE ": ");
    for (size_t i = 0; i < count; i++) {
        lc_buf_add_c(&text, i ? ", " : "");
        lc_buf_add_str(&text, names[i]);
    }
    lc_predict_error(pred, lc_buf_copy(pred->arena, &text), LC_STR_EMPTY, place);
    lc_buf_release(&text);
}

/* Where the block of a node begins. */
static lc_source_pos place_of(const lc_graph_node *node)
{
    switch (node->kind) {
    case NODE_VARIABLE:
        return ((const lc_config_variable *)node->block)->place;
    case NODE_LOCAL:
        return ((const lc_config_local *)node->block)->place;
    case NODE_OUTPUT:
        return ((const lc_config_output *)node->block)->place;
    case NODE_CALL:
    case NODE_CLOSE:
        return ((const lc_config_call *)node->block)->place;
    case NODE_RESOURCE:
        return ((const lc_config_resource *)node->block)->place;
    case NODE_PROVIDER:
        return ((const lc_config_provider *)node->block)->place;
    }
    LC_UNREACHABLE();
}

typedef struct ordering {
    lc_predictor *r;
    bool cyclic;
} ordering;

static const lc_id_list *needs_of(const void *context, uint32_t id)
{
    const ordering *o = context;
    return &o->r->graph.nodes.items[id].needs;
}

/* A variable of a called module is two nodes of OpenTofu's graph. */
static lc_str suffixed(lc_predictor *pred, const lc_graph_node *node, const char *role)
{
    return lc_str_printf(pred->arena, "%.*s (expand, %s)", LC_FMT(node->text), role);
}

/* A component of one node is next in the order; a larger one is a cycle. */
static void take(void *context, const uint32_t *ids, size_t count)
{
    ordering *o = context;
    lc_graph *g = &o->r->graph;
    if (count == 1) {
        g->order[g->order_count++] = ids[0];
        return;
    }
    lc_str *names = LC_NEW_ARRAY(o->r->arena, lc_str, lc_mul_size(count, 2));
    size_t named = 0;
    const lc_graph_node *first = &g->nodes.items[ids[0]];
    for (size_t i = 0; i < count; i++) {
        const lc_graph_node *node = &g->nodes.items[ids[i]];
        bool two = is_opentofu(o->r) && node->kind == NODE_VARIABLE && node->module > 0;
        first = lc_str_cmp(node->text, first->text) < 0 ? node : first;
        names[named++] = two ? suffixed(o->r, node, "input") : node->text;
        if (two)
            names[named++] = suffixed(o->r, node, "reference");
    }
    o->cyclic = true;
    lc_predict_report_cycle(o->r, names, named, place_of(first));
}

bool lc_predict_graph_order(lc_predictor *pred)
{
    ordering o = {pred, false};
    pred->graph.order = LC_NEW_ARRAY(pred->arena, uint32_t, pred->graph.nodes.count);
    lc_predict_components(pred->arena, pred->graph.nodes.count, needs_of, take, &o);
    return !o.cyclic;
}

/* Data sources: read during planning, or during apply, and why. Ephemeral resources, which are
 * opened during planning. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* ---- What postpones a read: pending changes of managed resources that the data source refers to
 * directly, or that depends_on names, its own or that of the calls around it. With preconditions or
 * postconditions, of everything it needs. */

/* The search for pending changes. */
typedef struct waiting {
    lc_predictor *r;
    const lc_module_instance *module;
    lc_pending found;
    uint32_t walk; /* number of this walk, see lc_predictor.seen */
} waiting;

static void wait_for(waiting *w, const lc_graph_node *node)
{
    const lc_config_resource *resource = node->block;
    if (node->kind != NODE_RESOURCE || resource->mode != LC_MODE_MANAGED)
        return;
    lc_pending p = lc_predict_is_pending(w->r, resource, w->module);
    if (p > w->found)
        w->found = p;
}

/* All resources that a node needs, directly or not, and the node itself. */
static void wait_for_all(waiting *w, uint32_t start)
{
    const lc_graph *g = &w->r->graph;
    lc_id_list todo = {0};
    *LC_PUSH(w->r->arena, &todo, uint32_t) = start;
    while (todo.count) {
        uint32_t id = todo.items[--todo.count];
        if (w->r->seen[id] == w->walk)
            continue;
        w->r->seen[id] = w->walk;
        wait_for(w, &g->nodes.items[id]);
        for (size_t i = 0; i < g->nodes.items[id].needs.count; i++)
            *LC_PUSH(w->r->arena, &todo, uint32_t) = g->nodes.items[id].needs.items[i];
    }
}

/* The references in the block itself, not through locals or other blocks, as the cores do it. */
static void wait_for_direct(waiting *w, const lc_config_resource *config)
{
    lc_references refs = {w->r->arena, {NULL, 0, 0}};
    const lc_expr *const parts[] = {config->body, config->repetition.count,
                                    config->repetition.for_each, config->repetition.enabled};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i])
            lc_expr_references(&refs, parts[i]);
    }
    for (size_t i = 0; i < refs.list.count; i++) {
        const lc_reference *ref = refs.list.items[i];
        if (ref->root != LC_ROOT_RESOURCE)
            continue;
        lc_str address =
            lc_str_printf(w->r->arena, "%.*s.%.*s", LC_FMT(ref->type), LC_FMT(ref->name));
        const lc_config_resource *on = lc_table_get(&config->module->resource, address);
        const lc_graph_node *node = on ? lc_predict_graph_resource(w->r, on) : NULL;
        if (node)
            wait_for(w, node);
    }
}

/* depends_on: a resource counts itself; a module counts with all it contains. */
static void wait_for_explicit(waiting *w, const lc_module *module, const lc_config_refs *refs)
{
    for (size_t i = 0; i < refs->list.count; i++) {
        const lc_reference *ref = refs->list.items[i].reference;
        uint32_t id;
        if (!ref || !lc_predict_graph_find(&id, w->r, lc_predict_module_index(w->r, module), ref))
            continue;
        const lc_graph_node *node = &w->r->graph.nodes.items[id];
        if (node->kind == NODE_RESOURCE)
            wait_for(w, node);
        else
            wait_for_all(w, id);
    }
}

static lc_pending waits(lc_predictor *pred, const lc_graph_node *node,
                        const lc_resource_instance *resource)
{
    const lc_config_resource *config = resource->config;
    waiting w = {pred, resource->module, NOT_PENDING, ++pred->walks};
    if (config->lifecycle->preconditions.list.count || config->lifecycle->postconditions.list.count)
        wait_for_all(&w, (uint32_t)(node - pred->graph.nodes.items));
    else
        wait_for_direct(&w, config);
    wait_for_explicit(&w, config->module, &config->depends_on);
    for (const lc_module *m = config->module; m && m->call && m->parent; m = m->parent)
        wait_for_explicit(&w, m->parent, &m->call->depends_on);
    return w.found;
}

/* ---- Planning. */

/* A data source instance while it is planned. */
typedef struct reading {
    lc_predictor *r;
    const lc_config_resource *config;
    lc_planned_instance *item;
    const lc_schema *schema;
    /* As an object of the schema, or as written if the schema is not known. */
    lc_marked given;
    const lc_undecided *undecided;
} reading;

static void undecided_value(reading *d, lc_str reason)
{
    d->item->value = lc_undecided_value(d->r->arena, reason, d->config->place);
}

/* A read that is postponed to apply is an entry of the plan. `certain`: it is known to be
 * postponed; else it is probably read now, which is not an entry. */
static void read_late(reading *d, lc_plan_reason reason, bool certain, lc_why why)
{
    lc_predictor *pred = d->r;
    lc_run_change *c = lc_predict_change(pred, &d->item->address, d->item->text, LC_STR_EMPTY);
    c->action = certain ? LC_PLAN_READ : LC_PLAN_NOOP;
    c->possible = LC_PLAN_BIT(LC_PLAN_READ) | LC_PLAN_BIT(c->action);
    c->reason = reason;
    c->config = d->config;
    const lc_state_instance *instance = lc_predict_state_instance(pred, d->item->text);
    if (instance)
        c->previous = instance->previous;
    c->why = why;
    c->undecided = d->undecided;
    if (!d->schema || !d->given.value || !certain) {
        undecided_value(d, LC_STR("its values are not known"));
        return;
    }
    c->after = lc_planned_data(pred->arena, pred->core, d->schema->block, d->given.value);
    if (!c->after) {
        undecided_value(d,
                        LC_STR("the client crashes on its blocks, which have a dynamic attribute"));
        return;
    }
    d->item->value = lc_predict_marks_carried(pred->arena, c->after, d->given, d->schema->block);
}

/* What was read, with the marks of its configuration and of the answer. */
static lc_marked value_read(const reading *d, const lc_run_question *q)
{
    lc_arena *arena = d->r->arena;
    lc_marked v = lc_predict_marks_carried(arena, q->out, d->given, d->schema->block);
    if (!q->marks)
        return v;
    const lc_marks **parts = lc_arena_zalloc(arena, lc_mul_size(q->marks->count, sizeof *parts));
    for (size_t i = 0; i < q->marks->count; i++)
        parts[i] = q->marks->children[i] ? q->marks->children[i]
                   : v.marks             ? v.marks->children[i]
                                         : NULL;
    v.marks = lc_marks_join(arena, parts, q->marks->count);
    return v;
}

/* Asks the provider, if it can be asked. False: it reports errors. */
static bool ask(reading *d, lc_run_question *q)
{
    const lc_run_provider *p = &d->r->in->provider;
    *q = (lc_run_question){.arena = d->r->arena,
                           .address = d->item->address,
                           .text = d->item->text,
                           .deposed = LC_STR_EMPTY,
                           .schema = d->schema,
                           .config = d->given.value};
    q->settings = lc_predict_settings(d->r, &d->item->address, d->config, NULL);
    if (d->schema && p->data)
        p->data(p->context, q);
    return !lc_predict_provider_errors(d->r, q, d->item->text, d->config);
}

/* A read during planning is not an entry; only its value matters. */
static void read_now(reading *d)
{
    lc_run_question q;
    if (!ask(d, &q)) {
        d->item->failed = true;
        return;
    }
    if (q.error.len) {
        lc_predict_error(d->r, q.error, d->item->text, d->config->place);
        if (q.error_too.len && is_opentofu(d->r))
            lc_predict_error(d->r, q.error_too, d->item->text, d->config->place);
        d->item->failed = true;
        return;
    }
    if (q.known && q.assumed && d->r->in->fresh_data) {
        undecided_value(
            d, LC_STR("its values are not known: they may differ from those in the state"));
        return;
    }
    if (q.known && q.assumed) {
        d->r->out->assumes_data = true;
        lc_predict_graph_resource(d->r, d->config)->rests_on = d->item->text;
    }
    if (q.known)
        d->item->value = value_read(d, &q);
    else
        undecided_value(d,
                        q.open_because.len ? q.open_because : LC_STR("its values are not known"));
}

static bool evaluate(reading *d, const lc_eval_scope *scope)
{
    lc_eval_error trouble;
    if (lc_predict_body(&d->given, scope, d->config->body, d->schema ? d->schema->block : NULL,
                        &trouble))
        return true;
    lc_predict_eval_error(d->r, &trouble, d->item->text);
    d->item->failed = true;
    return false;
}

/* False: a precondition fails. */
static bool check_before(reading *d, const lc_eval_scope *scope)
{
    d->item->failed = !lc_predict_conditions(scope, &d->config->lifecycle->preconditions,
                                             LC_SUMMARY_RESOURCE_PRECONDITION, d->item->text);
    return !d->item->failed;
}

static void check_after(reading *d, lc_eval_scope *scope)
{
    scope->self = &d->item->value;
    if (!d->item->failed &&
        !lc_predict_conditions(scope, &d->config->lifecycle->postconditions,
                               LC_SUMMARY_RESOURCE_POSTCONDITION, d->item->text))
        d->item->failed = true;
}

/* A postponed read whose configuration may be known or not has one of several reasons. */
static void doubt_reason(reading *d, lc_plan_reason other, lc_pending p)
{
    lc_run_change *c = &d->r->out->changes.items[d->r->out->changes.count - 1];
    c->reasons = 1u << LC_PLAN_REASON_READ_CONFIG_UNKNOWN | 1u << other;
    if (p != NOT_PENDING)
        c->reasons |= 1u << LC_PLAN_REASON_READ_DEPENDENCY_PENDING;
}

/* The order of the core's checks: unknown configuration, pending dependencies, check block. What
 * waits for a resource that is going to change is usually not known before. */
static void decide(reading *d, const lc_graph_node *node, const lc_resource_instance *resource)
{
    lc_predictor *pred = d->r;
    bool doubtful = (lc_marks_all(d->given) & LC_MARK_UNDECIDED) != 0;
    lc_pending p = waits(pred, node, resource);
    lc_plan_reason pending =
        doubtful ? LC_PLAN_REASON_READ_CONFIG_UNKNOWN : LC_PLAN_REASON_READ_DEPENDENCY_PENDING;
    if (doubtful)
        d->undecided = d->given.marks->undecided;
    if (!doubtful && !lc_is_wholly_known(d->given.value))
        read_late(
            d, LC_PLAN_REASON_READ_CONFIG_UNKNOWN, true,
            lc_predict_why_plain("its configuration is known only after something is applied"));
    else if (p == PENDING)
        read_late(d, pending, true,
                  lc_predict_why_plain("a resource that it depends on has a change in this plan"));
    else if (d->config->check.len)
        read_late(d, LC_PLAN_REASON_READ_CHECK_NESTED, true,
                  lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "check", d->config->place,
                                 "a check reads it whenever a plan is applied"));
    else if (doubtful || p == MAYBE_PENDING)
        read_late(d, LC_PLAN_REASON_NONE, false,
                  lc_predict_why_plain("whether its read waits for the apply is not known"));
    else
        read_now(d);
    if (doubtful && (p == PENDING || d->config->check.len))
        doubt_reason(d, p == PENDING ? pending : LC_PLAN_REASON_READ_CHECK_NESTED, p);
}

/* A destroy plan does not evaluate data sources; a refresh-only plan reads those whose
 * configuration is known. */
void lc_predict_plan_data(lc_predictor *pred, const lc_graph_node *node,
                          lc_resource_instance *resource, lc_planned_instance *item)
{
    reading d = {.r = pred, .config = resource->config, .item = item};
    lc_eval_scope scope = {.run = pred, .module = resource->module, .instance = item->instance};
    lc_state_instance *instance = lc_predict_state_instance(pred, item->text);
    if (instance)
        instance->planned = true;
    if (!lc_predict_selected(pred, node, &item->address) ||
        pred->in->options.mode == LC_RUN_DESTROY)
        return;
    d.schema = lc_run_schema(&pred->in->provider, pred->config, resource->config);
    if (!check_before(&d, &scope) || !evaluate(&d, &scope))
        return;
    if (pred->in->options.mode == LC_RUN_NORMAL)
        decide(&d, node, resource);
    else if (lc_is_wholly_known(d.given.value) && !resource->config->check.len)
        read_now(&d);
    else
        undecided_value(&d, LC_STR("it is not read in this mode"));
    check_after(&d, &scope);
}

/* ---- Ephemeral resources. */

/* Nothing is opened before its configuration is known; OpenTofu also waits for changes that it
 * depends on. Until then, what is configured has its values. */
static void open_ephemeral(reading *d, const lc_graph_node *node,
                           const lc_resource_instance *resource)
{
    lc_predictor *pred = d->r;
    lc_run_question q;
    if (!d->schema || !d->given.value || lc_marks_all(d->given) & LC_MARK_UNDECIDED)
        return;
    if (!lc_is_wholly_known(d->given.value) ||
        (is_opentofu(pred) && waits(pred, node, resource) == PENDING)) {
        const lc_value *later =
            lc_planned_data(pred->arena, pred->core, d->schema->block, d->given.value);
        if (later)
            d->item->value =
                lc_predict_marks_carried(pred->arena, later, d->given, d->schema->block);
        return;
    }
    if (!ask(d, &q))
        d->item->failed = true;
    else if (q.known)
        d->item->value = value_read(d, &q);
}

/* An ephemeral resource is not an entry of a plan. What cannot be opened here has an unknown value,
 * which decides nothing: it reaches arguments of providers, write-only attributes and conditions
 * alone. */
void lc_predict_plan_ephemeral(lc_predictor *pred, const lc_graph_node *node,
                               lc_resource_instance *resource, lc_planned_instance *item)
{
    reading d = {.r = pred, .config = resource->config, .item = item};
    lc_eval_scope scope = {.run = pred, .module = resource->module, .instance = item->instance};
    if (pred->from_plan || pred->in->options.mode == LC_RUN_DESTROY ||
        !lc_predict_selected(pred, node, &item->address))
        return;
    d.schema = lc_run_schema(&pred->in->provider, pred->config, resource->config);
    if (!check_before(&d, &scope) || !evaluate(&d, &scope))
        return;
    open_ephemeral(&d, node, resource);
    if (item->value.value)
        check_after(&d, &scope);
}

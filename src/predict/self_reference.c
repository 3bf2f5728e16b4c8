/* Blocks that refer to themselves. The clients draw edges between the instances of a resource: a
 * reference with a literal key leads to one instance, any other to all. If these form a cycle,
 * nothing of the resource is planned; otherwise the instance that refers to itself is an error, and
 * what needs it is not planned. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* The references of one resource to itself, in one module instance. */
typedef struct self_references {
    lc_predictor *r;
    lc_resource_instance *resource;
    LC_VEC(lc_str) names; /* names of all instances, declared or only stored */
    /* Instances with objects in this module instance. */
    lc_state_instance_list state_instances;
    lc_table nodes;        /* strings of all instances */
    bool all;              /* some reference leads to all instances */
    bool whole;            /* ... and is in the arguments, without a key */
    LC_VEC(lc_str) single; /* instances that references lead to */
    lc_table seen;
    /* The first of them are from arguments, the others from triggers. */
    size_t in_body;
    const lc_reference *first; /* in arguments if there is one, otherwise in triggers */
} self_references;

/* Instances that are only stored have "(orphan)" in the clients' names. */
static void add_node(self_references *t, lc_str text, bool orphan)
{
    lc_str name = orphan ? lc_str_printf(t->r->arena, "%.*s (orphan)", LC_FMT(text)) : text;
    if (!lc_table_put(&t->nodes, text, t))
        *LC_PUSH(t->r->arena, &t->names, lc_str) = name;
}

static void add_nodes(self_references *t)
{
    lc_predictor *pred = t->r;
    const lc_resource_instance *resource = t->resource;
    const lc_address *module = &resource->module->address;
    for (size_t i = 0; i < resource->keys.count; i++)
        add_node(t, resource->items[i].text, false);
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, resource->config));
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_state_instance *instance = list->list.items[i];
        if (!lc_module_path_eq(instance->address.modules, instance->address.module_count,
                               module->modules, module->module_count))
            continue;
        add_node(t, instance->text, true);
        *LC_PUSH(pred->arena, &t->state_instances.list, lc_state_instance *) = instance;
    }
}

static bool is_own_reference(const self_references *t, const lc_reference *ref)
{
    const lc_config_resource *config = t->resource->config;
    lc_root root = config->mode == LC_MODE_DATA ? LC_ROOT_DATA : LC_ROOT_RESOURCE;
    return ref->root == root && lc_str_eq(ref->type, config->type) &&
           lc_str_eq(ref->name, config->name);
}

/* The instance that a literal key names. False: all instances may be meant. */
static bool instance_of_key(lc_str *out, self_references *t, const lc_reference *ref)
{
    lc_buf text = {0};
    int64_t number;
    lc_key key = LC_NO_KEY;
    bool index = ref->count && ref->steps[0].kind == LC_REF_INDEX;
    if (!index || !ref->steps[0].key)
        return false;
    if (ref->steps[0].key->type->kind == LC_TYPE_STRING)
        key = lc_key_string(ref->steps[0].key->as.string);
    else if (lc_num_to_int64(ref->steps[0].key->as.number, &number))
        key = lc_key_int(number);
    lc_buf_add_str(&text, t->resource->text);
    lc_key_add(&text, key);
    *out = lc_buf_copy(t->r->arena, &text);
    lc_buf_release(&text);
    return lc_table_get(&t->nodes, *out) != NULL;
}

/* References in arguments and in triggers form cycles alike, but only those in arguments are an
 * error for a single instance. */
static void add_reference(self_references *t, const lc_reference *ref, bool body)
{
    lc_str text;
    if (!is_own_reference(t, ref))
        return;
    t->first = t->first ? t->first : ref;
    bool keyed = ref->count && ref->steps[0].kind == LC_REF_INDEX && ref->steps[0].key;
    t->whole = t->whole || (body && !keyed);
    if (!instance_of_key(&text, t, ref)) {
        t->all = true;
        return;
    }
    if (!lc_table_put(&t->seen, text, t))
        *LC_PUSH(t->r->arena, &t->single, lc_str) = text;
}

static void add_references(self_references *t)
{
    const lc_config_resource *config = t->resource->config;
    const lc_config_refs *triggers = &config->lifecycle->replace_triggered_by;
    lc_references refs = {t->r->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, config->body);
    for (size_t i = 0; i < refs.list.count; i++)
        add_reference(t, refs.list.items[i], true);
    t->in_body = t->single.count;
    for (size_t i = 0; i < triggers->list.count; i++) {
        if (triggers->list.items[i].reference)
            add_reference(t, triggers->list.items[i].reference, false);
    }
}

static void reject(self_references *t, lc_planned_instance *item)
{
    lc_run_error *e =
        lc_predict_error(t->r, LC_STR(LC_SUMMARY_SELF_REFERENCE), item->text, t->first->place);
    e->detail =
        lc_str_printf(t->r->arena, "%.*s refers to the block itself", LC_FMT(t->first->text));
    item->failed = true;
}

/* All references lead to the same instance: it fails, and the others are not planned. */
static void reject_single(self_references *t)
{
    lc_resource_instance *resource = t->resource;
    lc_planned_instance *meant = NULL;
    for (size_t i = 0; i < resource->keys.count; i++) {
        if (lc_str_eq(resource->items[i].text, t->single.items[0]))
            meant = &resource->items[i];
    }
    for (size_t i = 0; meant && i < resource->keys.count; i++)
        resource->items[i].failed = true;
    for (size_t i = 0; meant && i < t->state_instances.list.count; i++)
        t->state_instances.list.items[i]->planned = true;
    if (meant)
        reject(t, meant);
}

/* Most resources do not refer to themselves, so the tables are only filled after a quick check. */
bool lc_predict_self_reference(lc_predictor *pred, lc_resource_instance *resource)
{
    self_references t = {.r = pred, .resource = resource};
    lc_table_init(&t.nodes, pred->arena);
    lc_table_init(&t.seen, pred->arena);
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    bool any = resource->config->lifecycle->replace_triggered_by.list.count > 0;
    lc_expr_references(&refs, resource->config->body);
    for (size_t i = 0; i < refs.list.count && !any; i++)
        any = is_own_reference(&t, refs.list.items[i]);
    if (!any || resource->keys.undecided || resource->keys.failed)
        return true;
    add_nodes(&t);
    add_references(&t);
    if (t.all && t.names.count > 1) {
        lc_predict_report_cycle(pred, t.names.items, t.names.count, t.first->place);
        return false;
    }
    if (t.single.count > 1) {
        lc_predict_report_cycle(pred, t.single.items, t.single.count, t.first->place);
        return false;
    }
    if (t.whole && resource->keys.count == 1)
        reject(&t, &resource->items[0]);
    else if (t.in_body)
        reject_single(&t);
    return true;
}

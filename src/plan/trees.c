/* The trees of a plan: planned_values, prior_state and configuration. Recursion over nested modules
 * is bounded by the limit for the nesting of JSON. */
#include "plan/plan_reader.h"

#include "lifecheck/base/arena.h"

/* ---- Objects. */

/* A list of objects under construction. */
typedef struct objects {
    lc_plan *plan;
    lc_plan_object *items;
    size_t count, capacity;
} objects;

static void add_object(objects *o, const lc_node *node, lc_str module)
{
    lc_plan_object *out = LC_PUSH(o->plan->arena, o, lc_plan_object);
    *out = (lc_plan_object){.node = node, .module = module};
    out->address = lc_node_text(node, "address");
    out->deposed = lc_node_text(node, "deposed_key");
    out->values = lc_node_given(node, "values");
    out->sensitive_values = lc_node_given(node, "sensitive_values");
    out->managed = lc_str_is(lc_node_text(node, "mode"), "managed");
    out->tainted = lc_node_is_true(lc_node_get(node, "tainted"));
}

static void add_module(objects *o, const lc_node *module)
{
    const lc_node *resources = lc_node_given(module, "resources");
    const lc_node *children = lc_node_given(module, "child_modules");
    lc_str address = lc_node_text(module, "address");
    for (uint32_t i = 0; i < lc_node_item_count(resources); i++)
        add_object(o, &resources->as.items[i], address);
    for (uint32_t i = 0; i < lc_node_item_count(children); i++)
        add_module(o, &children->as.items[i]);
}

/* Both trees share one reader. */
void lc_plan_read_trees(lc_plan *plan)
{
    const lc_node *planned = lc_node_given(plan->root, "planned_values");
    const lc_node *state = lc_node_given(plan->root, "prior_state");
    const lc_node *prior = lc_node_given(state, "values");
    objects o = {.plan = plan};
    plan->has_planned = planned != NULL;
    plan->has_prior = state != NULL;
    plan->planned_root = lc_node_given(planned, "root_module");
    plan->planned_outputs = lc_node_given(planned, "outputs");
    plan->prior_outputs = lc_node_given(prior, "outputs");
    if (plan->planned_root)
        add_module(&o, plan->planned_root);
    plan->planned.items = o.items;
    plan->planned.count = o.count;
    o = (objects){.plan = plan};
    if (lc_node_given(prior, "root_module"))
        add_module(&o, lc_node_given(prior, "root_module"));
    plan->prior.items = o.items;
    plan->prior.count = o.count;
}

/* ---- Configuration. */

/* Addresses in the printed configuration are relative to the module; they are made absolute. */
static void add_block(lc_plan *plan, const lc_node *node, lc_str module)
{
    lc_plan_block *block = LC_PUSH(plan->arena, &plan->blocks, lc_plan_block);
    lc_str address = lc_node_text(node, "address");
    *block = (lc_plan_block){.node = node};
    block->address = lc_address_below(plan->arena, module, address);
    block->provider_key = lc_node_text(node, "provider_config_key");
    block->count = lc_node_given(node, "count_expression");
    block->for_each = lc_node_given(node, "for_each_expression");
}

static void add_config_module(lc_plan *plan, const lc_node *module, lc_str address)
{
    const lc_node *resources = lc_node_given(module, "resources");
    const lc_node *calls = lc_node_given(module, "module_calls");
    for (uint32_t i = 0; i < lc_node_item_count(resources); i++)
        add_block(plan, &resources->as.items[i], address);
    for (uint32_t i = 0; i < lc_node_member_count(calls); i++) {
        const lc_member *call = &calls->as.members[i];
        lc_str child = lc_str_printf(plan->arena, "%.*s%smodule.%.*s", LC_FMT(address),
                                     address.len ? "." : "", LC_FMT(call->key));
        lc_table_put(&plan->calls, child, (void *)(uintptr_t)&call->value);
        add_config_module(plan, lc_node_given(&call->value, "module"), child);
    }
}

void lc_plan_read_configuration(lc_plan *plan)
{
    const lc_node *configuration = lc_node_given(plan->root, "configuration");
    plan->has_configuration = configuration != NULL;
    plan->provider_config = lc_node_given(configuration, "provider_config");
    plan->root_module = lc_node_given(configuration, "root_module");
    if (plan->root_module)
        add_config_module(plan, plan->root_module, LC_STR_EMPTY);
}

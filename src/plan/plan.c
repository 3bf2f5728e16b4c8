/* Reading a plan as JSON: its top level, and the links between parts with the same address. */
#include "plan/plan_reader.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/plan/state.h"

static lc_fact flag(const lc_node *node, const char *key)
{
    const lc_node *value = lc_node_get_kind(node, key, LC_NODE_BOOL);
    return !value ? LC_NOT_KNOWN : value->boolean ? LC_YES : LC_NO;
}

lc_loc lc_plan_loc(lc_plan *plan, const lc_node *node)
{
    if (!plan->lines)
        plan->lines = lc_lines_new(plan->arena, plan->source);
    return lc_lines_loc(plan->lines, node->where);
}

lc_str lc_plan_key(lc_arena *arena, lc_str address, lc_str deposed)
{
    return deposed.len ? lc_str_printf(arena, "%.*s %.*s", LC_FMT(address), LC_FMT(deposed))
                       : address;
}

/* ---- Entries. */

/* All entries are allocated at once, because tables keep pointers to them. */
static void read_changes(lc_plan *plan, const char *key, lc_plan_changes *out)
{
    const lc_node *list = lc_node_get_kind(plan->root, key, LC_NODE_SEQUENCE);
    if (!list || !list->count)
        return;
    out->items = lc_arena_zalloc(plan->arena, lc_mul_size(list->count, sizeof(lc_plan_change)));
    out->count = out->capacity = list->count;
    for (uint32_t i = 0; i < list->count; i++)
        lc_plan_read_change(&out->items[i], plan, &list->as.items[i]);
}

/* An entry of deferred_changes wraps an ordinary one. The table is filled when the list does not
 * move any more. */
static void read_deferred(lc_plan *plan)
{
    const lc_node *list = lc_node_get_kind(plan->root, "deferred_changes", LC_NODE_SEQUENCE);
    for (uint32_t i = 0; list && i < list->count; i++) {
        const lc_node *change =
            lc_node_get_kind(&list->as.items[i], "resource_change", LC_NODE_MAPPING);
        lc_plan_change *out = LC_PUSH(plan->arena, &plan->deferred, lc_plan_change);
        lc_plan_read_change(out, plan, change ? change : &list->as.items[i]);
        out->deferred = lc_node_text(&list->as.items[i], "reason");
    }
    for (size_t i = 0; i < plan->deferred.count; i++)
        lc_table_put(&plan->deferred_by_address, plan->deferred.items[i].address,
                     &plan->deferred.items[i]);
}

static void read_outputs(lc_plan *plan)
{
    const lc_node *outputs = lc_node_get_kind(plan->root, "output_changes", LC_NODE_MAPPING);
    for (uint32_t i = 0; outputs && i < outputs->count; i++) {
        const lc_member *m = &outputs->as.members[i];
        bool mapping = m->value.kind == LC_NODE_MAPPING;
        lc_plan_output *out = LC_PUSH(plan->arena, &plan->outputs, lc_plan_output);
        *out = (lc_plan_output){.name = m->key, .where = m->where, .change = &m->value};
        if (!mapping)
            continue;
        out->action = lc_plan_action_of(lc_node_get(&m->value, "actions"));
        out->before = lc_node_get(&m->value, "before");
        out->after = lc_node_get(&m->value, "after");
        out->after_unknown = lc_node_get(&m->value, "after_unknown");
        out->before_sensitive = lc_node_get(&m->value, "before_sensitive");
        out->after_sensitive = lc_node_get(&m->value, "after_sensitive");
    }
}

/* ---- Links between parts by address. */

/* What has no address belongs to nothing. */
static void put_first(lc_table *table, lc_str key, void *value)
{
    if (key.len && !lc_table_get(table, key))
        lc_table_put(table, key, value);
}

/* The address according to the other members of an entry, for an entry whose own address is
 * invalid. Empty if the module address is invalid, too. */
static lc_str address_of_members(lc_plan *plan, const lc_plan_change *change)
{
    const lc_node *index = change->index;
    lc_str key = LC_STR_EMPTY, why;
    size_t at;
    lc_address address = {0};
    if (change->module_address.len &&
        (!lc_address_parse(&address, plan->arena, change->module_address, &why, &at) ||
         !lc_address_is_module(&address)))
        return LC_STR_EMPTY;
    if (index && index->kind == LC_NODE_NUMBER)
        key = lc_str_printf(plan->arena, "[%.*s]", LC_FMT(index->as.text));
    address.mode = lc_str_is(change->mode, "data") ? LC_MODE_DATA : LC_MODE_MANAGED;
    address.type = change->type;
    address.name = change->name;
    if (index && index->kind == LC_NODE_STRING)
        address.key = lc_key_string(index->as.text);
    lc_str text = lc_address_text(plan->arena, &address);
    return key.len ? lc_str_printf(plan->arena, "%.*s%.*s", LC_FMT(text), LC_FMT(key)) : text;
}

static const lc_plan_block *find_block(const lc_plan *plan, const lc_address *address)
{
    lc_address config = lc_address_config(plan->arena, address);
    return lc_table_get(&plan->blocks_by_address, lc_address_text(plan->arena, &config));
}

/* Links an entry with its objects and its block. An entry with an inconsistent address is looked up
 * by its other members. */
static void join_change(lc_plan *plan, lc_plan_change *change)
{
    lc_str key = lc_plan_key(plan->arena, change->address, change->deposed);
    lc_plan_object *planned = lc_table_get(&plan->planned_by_address, key);
    lc_plan_object *prior = lc_table_get(&plan->prior_by_address, key);
    if (!planned && !prior && !change->fits) {
        key = lc_plan_key(plan->arena, address_of_members(plan, change), change->deposed);
        planned = lc_table_get(&plan->planned_by_address, key);
        prior = lc_table_get(&plan->prior_by_address, key);
    }
    put_first(&plan->by_address, key, change);
    change->planned = planned;
    change->prior = prior;
    if (planned && !planned->change)
        planned->change = change;
    if (prior && !prior->change)
        prior->change = change;
    if (change->parses)
        change->block = find_block(plan, &change->parsed);
}

static void index_objects(lc_plan *plan, lc_table *table, lc_plan_object *objects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_first(table, lc_plan_key(plan->arena, objects[i].address, objects[i].deposed),
                  &objects[i]);
}

/* Drift keeps the last entry of an address, all others the first. */
static void join(lc_plan *plan)
{
    index_objects(plan, &plan->planned_by_address, plan->planned.items, plan->planned.count);
    index_objects(plan, &plan->prior_by_address, plan->prior.items, plan->prior.count);
    for (size_t i = 0; i < plan->blocks.count; i++)
        put_first(&plan->blocks_by_address, plan->blocks.items[i].address, &plan->blocks.items[i]);
    for (size_t i = 0; i < plan->changes.count; i++)
        join_change(plan, &plan->changes.items[i]);
    for (size_t i = 0; i < plan->drift.count; i++) {
        lc_plan_change *c = &plan->drift.items[i];
        if (c->address.len)
            lc_table_put(&plan->drift_by_address, lc_plan_key(plan->arena, c->address, c->deposed),
                         c);
    }
}

/* ---- Who wrote it. */

/* Guesses the client from what only one of them writes. Terraform writes the flags `applyable` and
 * `complete` since 1.8, OpenTofu does not. */
static void guess_client(lc_plan *plan)
{
    bool opentofu = false;
    for (size_t i = 0; i < plan->changes.count && !opentofu; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        opentofu = c->action == LC_PLAN_FORGET_CREATE ||
                   c->reason == LC_PLAN_REASON_FORGOT_IN_CONFIG ||
                   c->reason == LC_PLAN_REASON_FORGOT_IN_STATE ||
                   c->reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE ||
                   lc_str_starts_with(c->provider_name, LC_STR("registry.opentofu.org/"));
    }
    plan->by_terraform = plan->applyable != LC_NOT_KNOWN || plan->complete != LC_NOT_KNOWN;
    /* Terraform has written the two flags since 1.8. */
    bool modern = lc_str_starts_with(plan->version, LC_STR("1.")) && plan->version.len > 3 &&
                  (plan->version.ptr[3] != '.' || plan->version.ptr[2] >= '8');
    plan->by_opentofu = !plan->by_terraform && (opentofu || modern);
}

bool lc_plan_is(const lc_node *root)
{
    return lc_node_get(root, "format_version") &&
           (lc_node_get(root, "planned_values") || lc_node_get(root, "resource_changes"));
}

lc_status lc_plan_from_node(lc_plan *out, lc_arena *arena, const lc_source *source,
                            const lc_node *root, lc_diags *diags)
{
    lc_plan *plan = out;
    *plan = (lc_plan){.source = source, .arena = arena, .root = root};
    bool other = root->kind == LC_NODE_MAPPING &&
                 (lc_node_get(root, "provider_schemas") || lc_node_get(root, "valid"));
    if (root->kind != LC_NODE_MAPPING || !lc_node_given(root, "format_version") || other) {
        lc_diag_error(
            diags, lc_node_loc(source, root),
            lc_state_is(root)
                ? "this is not a plan as JSON but a state: `terraform show -json plan.out` prints "
                  "a plan; --config FOLDER --prior-state FILE predicts without one"
                : "this is not a plan as JSON: it needs format_version and resource_changes, as "
                  "`terraform show -json plan.out` prints them");
        return LC_EINPUT;
    }
    lc_table *tables[] = {&plan->by_address,         &plan->deferred_by_address,
                          &plan->planned_by_address, &plan->prior_by_address,
                          &plan->blocks_by_address,  &plan->calls,
                          &plan->drift_by_address};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        lc_table_init(tables[i], arena);
    plan->format_version = lc_node_text(root, "format_version");
    plan->version = lc_node_text(root, "terraform_version");
    plan->applyable = flag(root, "applyable");
    plan->complete = flag(root, "complete");
    plan->errored = flag(root, "errored");
    plan->checks = lc_node_get_kind(root, "checks", LC_NODE_SEQUENCE);
    read_changes(plan, "resource_changes", &plan->changes);
    read_changes(plan, "resource_drift", &plan->drift);
    read_deferred(plan);
    read_outputs(plan);
    lc_plan_read_trees(plan);
    lc_plan_read_configuration(plan);
    join(plan);
    guess_client(plan);
    return LC_OK;
}

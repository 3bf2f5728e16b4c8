/* Simpler spellings of the same scenario: no list of runs, call groups instead of `calls`, short
 * keys instead of groups. Each is tried, because some findings need the longer spelling. */
#include "extract/reduce.h"
#include "lifecheck/base/arena.h"

/* ---- Rewriting one mapping. */

/* Empties a mapping to be filled anew; the copy that is returned can be put back. */
static lc_mutable begin(lc_mutable *mapping)
{
    lc_mutable before = *mapping;
    mapping->items = NULL;
    mapping->count = mapping->capacity = 0;
    return before;
}

static bool decide(lc_reducer *r, lc_mutable *mapping, const lc_mutable *before)
{
    if (r->holds(r->context, r->root))
        return true;
    *mapping = *before;
    return false;
}

static void keep_members(lc_reducer *r, lc_mutable *to, const lc_mutable *from, const char *without)
{
    for (size_t i = 0; i < from->count; i++) {
        if (!from->items[i]->gone && !lc_str_is(from->items[i]->key, without))
            lc_mutable_push(r->arena, to, from->items[i]);
    }
}

static lc_mutable *renamed(lc_arena *arena, const lc_mutable *tree, const char *key)
{
    lc_mutable *copy = LC_NEW(arena, lc_mutable);
    *copy = *tree;
    copy->key = lc_str_from_c(key);
    return copy;
}

/* ---- One run. */

static const lc_mutable *only_child(const lc_mutable *list)
{
    for (size_t i = 0; lc_mutable_count(list) == 1 && i < list->count; i++) {
        if (!list->items[i]->gone)
            return list->items[i];
    }
    return NULL;
}

static bool drop_runs(lc_reducer *r)
{
    const lc_mutable *runs = lc_mutable_get(r->root, "runs");
    const lc_mutable *run = runs ? only_child(runs) : NULL;
    if (!run)
        return false;
    lc_mutable before = begin(r->root);
    keep_members(r, r->root, &before, "runs");
    keep_members(r, r->root, run, "");
    return decide(r, r->root, &before);
}

/* ---- Calls to groups. */

static const char *group_name(const lc_mutable *call)
{
    static const char *const names[][2] = {
        {"ImportResourceState", "import"},
        {"MoveResourceState", "move"},
        {"UpgradeResourceState", "upgrade"},
        {"UpgradeResourceIdentity", "upgrade_identity"},
        {"ValidateResourceConfig", "validate"},
        {"ValidateDataResourceConfig", "validate"},
        {"ValidateEphemeralResourceConfig", "validate"},
        {"ReadDataSource", "data"},
        {"OpenEphemeralResource", "open"},
        {"PlanAction", "action"},
        {"InvokeAction", "action"},
    };
    const lc_mutable *rpc = lc_mutable_get(call, "rpc"), *phase = lc_mutable_get(call, "phase");
    const lc_mutable *leg = lc_mutable_get(call, "leg");
    bool apply = phase && lc_str_is(phase->text, "apply");
    bool destroy = leg && lc_str_is(leg->text, "destroy");
    if (!rpc)
        return NULL;
    if (lc_str_is(rpc->text, "PlanResourceChange"))
        return destroy ? "destroy_plan" : apply ? "final_plan" : leg ? "plan_create" : "plan";
    if (lc_str_is(rpc->text, "ApplyResourceChange"))
        return destroy ? "destroy" : "apply";
    if (lc_str_is(rpc->text, "ReadResource"))
        return apply ? "reread" : "read";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lc_str_is(rpc->text, names[i][0]))
            return names[i][1];
    }
    return NULL;
}

/* What only the long form has. */
static bool is_long_only(lc_str key, lc_str group)
{
    bool read = lc_str_is(group, "read") || lc_str_is(group, "reread");
    bool import = lc_str_is(group, "import");
    return (lc_str_is(key, "type_name") && !import) || (lc_str_is(key, "private") && read) ||
           lc_str_is(key, "client_capabilities");
}

static lc_mutable *make_group(lc_reducer *r, const lc_mutable *call, const char *name)
{
    lc_mutable *group = lc_mutable_new(r->arena, LC_NODE_MAPPING, name);
    const lc_mutable *request = lc_mutable_get(call, "request");
    const lc_mutable *response = lc_mutable_get(call, "response");
    for (size_t i = 0; request && i < request->count; i++) {
        lc_mutable *field = request->items[i];
        if (!field->gone && !is_long_only(field->key, group->key))
            lc_mutable_push(r->arena, group, field);
    }
    if (response)
        keep_members(r, group, response, "");
    if (lc_str_is(group->key, "data") && lc_mutable_get(call, "phase"))
        lc_mutable_push(r->arena, group, lc_mutable_get(call, "phase"));
    return group;
}

/* False: this form cannot express it. */
static bool add_group(lc_reducer *r, lc_mutable *run, const lc_mutable *call)
{
    const char *name = group_name(call);
    if (!name)
        return false;
    lc_mutable *group = make_group(r, call, name), *former = lc_mutable_get(run, name);
    if (!lc_str_is(group->key, "validate")) {
        lc_mutable_push(r->arena, run, group);
        return former == NULL;
    }
    if (!former) {
        former = lc_mutable_new(r->arena, LC_NODE_SEQUENCE, name);
        lc_mutable_push(r->arena, run, former);
    }
    lc_mutable_push(r->arena, former, group);
    return true;
}

static bool to_groups(lc_reducer *r, lc_mutable *run)
{
    const lc_mutable *calls = lc_mutable_get(run, "calls");
    if (!calls)
        return false;
    lc_mutable before = begin(run);
    bool can = true;
    keep_members(r, run, &before, "calls");
    for (size_t i = 0; can && i < calls->count; i++)
        can = calls->items[i]->gone || add_group(r, run, calls->items[i]);
    if (can)
        return decide(r, run, &before);
    *run = before;
    return false;
}

/* ---- What several groups mean for the run. */

static bool same_json(const lc_mutable *a, const lc_mutable *b)
{
    lc_buf x = {0}, y = {0};
    lc_mutable_add_json(&x, a);
    lc_mutable_add_json(&y, b);
    bool same = lc_str_eq(lc_buf_str(&x), lc_buf_str(&y));
    lc_buf_release(&x);
    lc_buf_release(&y);
    return same;
}

static bool hoist(lc_reducer *r, lc_mutable *run, const char *key)
{
    static const char *const groups[] = {"plan",    "final_plan", "apply",       "destroy_plan",
                                         "destroy", "validate",   "plan_create", "data"};
    lc_mutable_list taken = {0};
    if (lc_mutable_get(run, key) || lc_mutable_get(run, "calls"))
        return false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const lc_mutable *group = lc_mutable_get(run, groups[i]);
        lc_mutable *field = group ? lc_mutable_get(group, key) : NULL;
        if (field && (taken.count == 0 || same_json(taken.items[0], field)))
            *LC_PUSH(r->arena, &taken, lc_mutable *) = field;
    }
    if (taken.count == 0)
        return false;
    lc_mutable before = begin(run);
    keep_members(r, run, &before, "");
    lc_mutable_push(r->arena, run, renamed(r->arena, taken.items[0], key));
    for (size_t i = 0; i < taken.count; i++)
        taken.items[i]->gone = true;
    if (decide(r, run, &before))
        return true;
    for (size_t i = 0; i < taken.count; i++)
        taken.items[i]->gone = false;
    return false;
}

/* ---- Groups to short keys. */

static bool shorten(lc_reducer *r, lc_mutable *run, const char *name, const char *field,
                    const char *key)
{
    lc_mutable *group = lc_mutable_get(run, name);
    lc_mutable *value = group ? lc_mutable_get(group, field) : NULL;
    if (!value || lc_mutable_get(run, key))
        return false;
    lc_mutable before = begin(run);
    bool alone = lc_mutable_count(group) == 1;
    keep_members(r, run, &before, alone ? name : "");
    lc_mutable_push(r->arena, run, renamed(r->arena, value, key));
    value->gone = true;
    if (decide(r, run, &before))
        return true;
    value->gone = false;
    return false;
}

static bool shorten_all(lc_reducer *r, lc_mutable *run)
{
    static const char *const shorts[][3] = {
        {"upgrade", "upgraded_state", "upgraded_state"},
        {"read", "new_state", "prior_state"},
        {"plan", "proposed_new_state", "proposed_new_state"},
        {"plan", "planned_state", "planned_state"},
        {"destroy_plan", "proposed_new_state", "proposed_new_state"},
        {"destroy_plan", "planned_state", "planned_state"},
        {"final_plan", "config", "final_config"},
        {"final_plan", "planned_state", "final_planned_state"},
        {"apply", "planned_state", "planned_state"},
        {"apply", "new_state", "new_state"},
        {"destroy", "new_state", "new_state"},
        {"reread", "new_state", "read_state"},
        {"import", "id", "import_id"},
    };
    bool changed = false;
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        changed = shorten(r, run, shorts[i][0], shorts[i][1], shorts[i][2]) || changed;
    return changed;
}

static bool reduce_run(lc_reducer *r, lc_mutable *run)
{
    bool changed = to_groups(r, run);
    changed = hoist(r, run, "config") || changed;
    changed = hoist(r, run, "prior_state") || changed;
    return shorten_all(r, run) || changed;
}

bool lc_reduce_forms(lc_reducer *r)
{
    bool changed = drop_runs(r);
    const lc_mutable *runs = lc_mutable_get(r->root, "runs");
    if (!runs)
        return reduce_run(r, r->root) || changed;
    for (size_t i = 0; i < runs->count; i++) {
        if (!runs->items[i]->gone)
            changed = reduce_run(r, runs->items[i]) || changed;
    }
    return changed;
}

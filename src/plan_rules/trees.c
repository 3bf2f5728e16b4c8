/* Entries of a plan against planned_values and prior_state. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/versions.h"

/* Null, absent and empty objects are equal here, because the clients omit empty values. */
static bool is_empty(const lc_node *node)
{
    return !node || node->kind == LC_NODE_NULL ||
           (node->kind == LC_NODE_MAPPING && node->count == 0);
}

static bool same_values(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    return (is_empty(a) && is_empty(b)) || lc_same_or_null(arena, a, b);
}

/* Does planned_values have the objects that a plan forgets? Terraform's do not since 1.16.
 * LC_MAYBE: the plan does not say who made it. */
static lc_tri has_forgotten(const lc_plan *plan)
{
    unsigned minor;
    if (plan->by_opentofu)
        return LC_TRUE;
    if (!plan->by_terraform || !lc_version_read(&minor, plan->version))
        return LC_MAYBE;
    return minor < 16 ? LC_TRUE : LC_FALSE;
}

/* Must planned_values have the object? */
static lc_tri is_planned(const lc_plan *plan, const lc_plan_change *c)
{
    bool never = c->deposed.len || c->action == LC_PLAN_DELETE || c->action == LC_PLAN_UNKNOWN ||
                 lc_str_is(c->mode, "ephemeral");
    return never ? LC_FALSE : c->action == LC_PLAN_FORGET ? has_forgotten(plan) : LC_TRUE;
}

/* `complete` decides if Terraform wrote it; without options it is not known. */
lc_fact lc_plan_rules_whole(const lc_plan_rules *r)
{
    const lc_plan_options *o = &r->options;
    if (r->errored || o->mode == LC_PLAN_REFRESH_ONLY || o->mode == LC_PLAN_MODE_NOT_KNOWN)
        return LC_NO;
    if (o->target_count || o->exclude_count)
        return LC_NO;
    if (r->plan->complete != LC_NOT_KNOWN)
        return r->plan->complete;
    return o->has_target ? LC_YES : LC_NOT_KNOWN;
}

/* ---- planned_values. */

static void check_schema_version(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_node *planned = lc_node_given(c->planned->node, "schema_version");
    const lc_node *config = c->block ? lc_node_given(c->block->node, "schema_version") : NULL;
    if (planned && config && !lc_plan_action_ends(c->action) &&
        !lc_node_same(r->scratch, planned, config))
        lc_report_change(r, LC_RULE_RUN_PLANNED_VALUES, c, planned, ".schema_version",
                         "%.*s: planned_values has another schema version than the configuration",
                         LC_FMT(c->address));
}

/* Both clients mark planned_values by schema and configuration, except for a replace, which they
 * mark by the configuration alone. The entry has both marks. */
static bool has_its_marks(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_node *planned = c->planned->sensitive_values;
    return lc_plan_action_replaces(c->action)
               ? lc_marks_within(r->scratch, planned, c->after_sensitive)
               : lc_same_marks(r->scratch, planned, c->after_sensitive);
}

static void check_planned(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_plan_object *planned = c->planned;
    lc_tri must = is_planned(r->plan, c);
    if (must == LC_FALSE || (*lc_wrong(r, c) & (LC_WRONG_ACTION | LC_SECOND)) ||
        !r->plan->has_planned || (!planned && must == LC_MAYBE))
        return;
    if (!planned) {
        lc_report_change(r, LC_RULE_RUN_PLANNED_MISSING, c, NULL, "",
                         "%.*s: %s is planned, but it is not in planned_values", LC_FMT(c->address),
                         lc_plan_action_text(c->action));
        return;
    }
    if (*lc_wrong(r, c) & LC_WRONG_AFTER)
        return;
    if (!same_values(r->scratch, planned->values, c->after))
        lc_report_change(r, LC_RULE_RUN_PLANNED_VALUES, c,
                         planned->values ? planned->values : planned->node, ".change.after",
                         "%.*s: planned_values has other values than the change",
                         LC_FMT(c->address));
    else if (!has_its_marks(r, c))
        lc_report_change(r, LC_RULE_RUN_PLANNED_VALUES, c, planned->node, ".change.after_sensitive",
                         "%.*s: planned_values has other sensitive values than the change",
                         LC_FMT(c->address));
    else
        check_schema_version(r, c);
}

/* True if the object is listed in the module of its address. */
static bool is_in_its_module(const lc_plan_object *o)
{
    lc_str rest = o->address;
    if (o->module.len) {
        if (!lc_str_starts_with(rest, o->module) || rest.len <= o->module.len ||
            rest.ptr[o->module.len] != '.')
            return false;
        rest = lc_str_sub(rest, o->module.len + 1, rest.len);
    }
    return !lc_str_starts_with(rest, LC_STR("module."));
}

/* Does the change remove the object from planned_values? */
static bool ends(const lc_plan *plan, const lc_plan_change *c)
{
    return c->action == LC_PLAN_DELETE ||
           (c->action == LC_PLAN_FORGET && has_forgotten(plan) == LC_FALSE);
}

/* `whole`: the plan lists everything, so an object without entry may be reported elsewhere. */
static void check_planned_object(lc_plan_rules *r, const lc_plan_object *o, bool whole)
{
    const lc_plan_change *c = o->change;
    bool prior = lc_table_get(&r->plan->prior_by_address, o->address) != NULL;
    if (o->deposed.len) {
        lc_report_plan(r, LC_RULE_RUN_PLANNED_EXTRA, o->address, o->node, "",
                       "%.*s: planned_values has no deposed objects", LC_FMT(o->address));
    } else if (!is_in_its_module(o)) {
        lc_report_plan(r, LC_RULE_RUN_PLANNED_EXTRA, o->address, o->node, "",
                       "%.*s is in another module of planned_values", LC_FMT(o->address));
    } else if (!c ? !(whole && prior && o->managed)
                  : ends(r->plan, c) && !(*lc_wrong(r, c) & LC_WRONG_ACTION)) {
        /* A stored object without an entry is reported by run/instance-unplanned. */
        lc_report_plan(r, LC_RULE_RUN_PLANNED_EXTRA, o->address, o->node, "",
                       c && c->action == LC_PLAN_FORGET
                           ? "%.*s is to be forgotten, but it is in planned_values"
                       : c ? "%.*s is to be deleted, but it is in planned_values"
                           : "%.*s is in planned_values, but nothing is planned for it",
                       LC_FMT(o->address));
    }
}

/* ---- prior_state. */

/* The prior value of an entry is that in prior_state, and only actions other than create and read
 * have one. */
static void check_prior(lc_plan_rules *r, const lc_plan_change *c)
{
    bool gone = c->deposed.len && c->action == LC_PLAN_NOOP;
    bool needs = c->action != LC_PLAN_CREATE && c->action != LC_PLAN_READ && !gone;
    if (c->action == LC_PLAN_UNKNOWN ||
        (*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION | LC_SECOND)))
        return;
    if (needs && !c->prior && !(*lc_wrong(r, c) & LC_WRONG_BEFORE)) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE;
        lc_report_change(r, LC_RULE_RUN_PRIOR_MISSING, c, NULL, "",
                         "%.*s%s%.*s: %s is planned, but it is not in prior_state",
                         LC_FMT(c->address), c->deposed.len ? " deposed " : "", LC_FMT(c->deposed),
                         lc_plan_action_text(c->action));
    } else if (needs && c->prior && !(*lc_wrong(r, c) & LC_WRONG_BEFORE) &&
               !same_values(r->scratch, c->before, c->prior->values)) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE;
        lc_report_change(r, LC_RULE_RUN_PRIOR_EQUAL, c,
                         c->prior->values ? c->prior->values : c->prior->node, ".change.before",
                         "%.*s: prior_state differs from the object before the change",
                         LC_FMT(c->address));
    } else if (c->action == LC_PLAN_CREATE && c->prior && !(*lc_wrong(r, c) & LC_WRONG_BEFORE)) {
        lc_report_change(r, LC_RULE_RUN_PRIOR_CREATE, c, c->prior->node, "",
                         "%.*s is to be created, but prior_state has it", LC_FMT(c->address));
    }
}

/* A tainted object is replaced or deleted, and only a tainted one has that reason. */
static void check_tainted(lc_plan_rules *r, const lc_plan_change *c)
{
    bool ends = lc_plan_action_ends(c->action) || lc_plan_action_replaces(c->action);
    if (!c->prior || (*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION | LC_SECOND)))
        return;
    if (c->prior->tainted && !ends && c->action != LC_PLAN_CREATE && !c->deposed.len &&
        r->options.mode == LC_PLAN_NORMAL && !r->errored)
        lc_report_change(r, LC_RULE_RUN_PRIOR_TAINTED, c, c->actions, ".change.actions",
                         "%.*s is tainted, but %s is planned, not a replace", LC_FMT(c->address),
                         lc_plan_action_text(c->action));
    else if (c->reason == LC_PLAN_REASON_REPLACE_TAINTED && !c->prior->tainted &&
             !(*lc_wrong(r, c) & LC_WRONG_REASON))
        lc_report_change(r, LC_RULE_RUN_TAINTED_REASON, c, lc_node_given(c->node, "action_reason"),
                         ".action_reason",
                         "%.*s is replaced because it is tainted, but prior_state does not say so",
                         LC_FMT(c->address));
}

/* Objects without any entry; the cores write one for each, even for a no-op. */
static void check_unplanned(lc_plan_rules *r)
{
    for (size_t i = 0; i < r->plan->prior.count; i++) {
        const lc_plan_object *o = &r->plan->prior.items[i];
        if (o->change || !o->managed || lc_table_get(&r->plan->deferred_by_address, o->address))
            continue;
        r->wrong_actions = true;
        if (o->deposed.len)
            lc_report_plan(r, LC_RULE_RUN_DEPOSED_UNPLANNED, o->address, o->node, "",
                           "%.*s: nothing is planned for its deposed object %.*s",
                           LC_FMT(o->address), LC_FMT(o->deposed));
        else
            lc_report_plan(r, LC_RULE_RUN_INSTANCE_UNPLANNED, o->address, o->node, "",
                           "%.*s: nothing is planned for it, not even a no-op", LC_FMT(o->address));
    }
}

/* An entry whose address is wrong may be the one of an object that seems to have none. */
static bool all_objects_known(const lc_plan_rules *r)
{
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if ((r->wrong[i] & LC_WRONG_IDENTITY) && !c->prior && !c->planned)
            return false;
    }
    return true;
}

void lc_plan_rules_trees(lc_plan_rules *r)
{
    lc_fact whole = lc_plan_rules_whole(r);
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_PLANNED_MISSING, LC_RULE_RUN_PLANNED_EXTRA,
                         LC_RULE_RUN_PLANNED_VALUES, LC_RULE_RUN_PRIOR_MISSING,
                         LC_RULE_RUN_PRIOR_EQUAL, LC_RULE_RUN_PRIOR_CREATE,
                         LC_RULE_RUN_PRIOR_TAINTED, LC_RULE_RUN_TAINTED_REASON);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        check_planned(r, &r->plan->changes.items[i]);
        check_prior(r, &r->plan->changes.items[i]);
        check_tainted(r, &r->plan->changes.items[i]);
    }
    bool known = all_objects_known(r);
    for (size_t i = 0; i < r->plan->planned.count && known; i++)
        check_planned_object(r, &r->plan->planned.items[i], whole == LC_YES);
    if (whole == LC_NOT_KNOWN)
        LC_PLAN_RULES_LACKS(r, LC_NEED_OPTIONS, LC_RULE_RUN_DEPOSED_UNPLANNED,
                            LC_RULE_RUN_INSTANCE_UNPLANNED);
    if (whole != LC_YES)
        return;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_DEPOSED_UNPLANNED, LC_RULE_RUN_INSTANCE_UNPLANNED);
    if (known)
        check_unplanned(r);
}

/* Outputs, flags, deferred changes and checks of a plan. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

static lc_finding *report(lc_plan_rules *r, lc_rule rule, lc_str name, const lc_node *node,
                          const char *what)
{
    return lc_report_plan(r, rule, LC_STR_EMPTY, node, "", "output \"%.*s\": %s", LC_FMT(name),
                          what);
}

/* ---- An entry of output_changes on its own. */

/* Why the values contradict the action; NULL: they do not. Both clients write the same marks on
 * both sides. */
static const char *wrong_values(lc_plan_rules *r, const lc_plan_output *o)
{
    bool unknown = lc_node_has_true(o->after_unknown);
    bool same = !unknown && lc_same_or_null(r->scratch, o->before, o->after);
    bool same_marks = lc_same_marks(r->scratch, o->before_sensitive, o->after_sensitive);
    if (!same_marks)
        return "before_sensitive and after_sensitive differ";
    switch (o->action) {
    case LC_PLAN_CREATE:
        return lc_node_is_null(o->before) ? NULL : "it is created, but has a value before";
    case LC_PLAN_DELETE:
        return lc_node_is_null(o->after) && !unknown ? NULL
                                                     : "it is deleted, but has a value after";
    case LC_PLAN_NOOP:
        return same ? NULL : "it is planned as a no-op, but its value changes";
    case LC_PLAN_UPDATE:
        return NULL;
    case LC_PLAN_UNKNOWN:
    case LC_PLAN_READ:
    case LC_PLAN_DELETE_CREATE:
    case LC_PLAN_CREATE_DELETE:
    case LC_PLAN_FORGET:
    case LC_PLAN_CREATE_FORGET:
    case LC_PLAN_FORGET_CREATE:
        break;
    }
    return "no core plans such actions for an output";
}

/* Only of primitive values the JSON shows everything: others may differ in type or in inner
 * marks. */
static bool plain(const lc_node *node)
{
    return node && (node->kind == LC_NODE_STRING || node->kind == LC_NODE_NUMBER ||
                    node->kind == LC_NODE_BOOL);
}

/* False: the entry is wrong, and is not compared with other parts. */
static bool check_values(lc_plan_rules *r, const lc_plan_output *o)
{
    const char *why = wrong_values(r, o);
    if (!why && o->action == LC_PLAN_UPDATE && plain(o->before) &&
        !lc_node_has_true(o->after_unknown) && !lc_node_is_null(o->after) &&
        lc_node_same(r->scratch, o->before, o->after) && !lc_node_has_true(o->after_sensitive))
        why = "it is updated, but nothing about it differs";
    if (!why)
        return true;
    r->wrong_actions = true;
    report(r, LC_RULE_RUN_OUTPUT_VALUES, o->name, o->change, why);
    return false;
}

/* ---- Against the trees and the configuration. */

static void check_planned(lc_plan_rules *r, lc_finder *planned, const lc_plan_output *o)
{
    const lc_node *there = lc_finder_get(planned, o->name);
    bool unknown = lc_node_has_true(o->after_unknown);
    const char *why = NULL;
    const lc_node *value = lc_node_given(there, "value");
    if (o->action == LC_PLAN_DELETE)
        why = there ? "it is deleted, but planned_values has it" : NULL;
    else if (!there)
        why = lc_node_is_null(o->after) && !unknown ? NULL : "planned_values does not have it";
    else if (unknown) /* partly or completely: both clients omit the value */
        why = lc_node_is_null(value) ? NULL
                                     : "planned_values has a value for it that is not wholly known";
    else if (!lc_same_or_null(r->scratch, value, o->after))
        why = "planned_values has another value for it";
    else if (!lc_node_is_null(o->after) && !lc_node_given(there, "type"))
        why = "planned_values has its value without a type";
    if (why)
        report(r, LC_RULE_RUN_OUTPUT_PLANNED, o->name, there ? there : o->change, why);
}

/* Both clients put new values of outputs into prior_state if they are known. */
static void check_prior(lc_plan_rules *r, lc_finder *prior, const lc_plan_output *o)
{
    const lc_node *there = lc_finder_get(prior, o->name);
    const lc_node *value = lc_node_given(there, "value");
    if (there && !lc_same_or_null(r->scratch, value, o->before) &&
        !lc_same_or_null(r->scratch, value, o->after))
        report(r, LC_RULE_RUN_OUTPUT_PRIOR, o->name, there,
               "its value in prior_state is neither the one before nor the one after");
}

static void check_config(lc_plan_rules *r, lc_finder *config, const lc_plan_output *o)
{
    const lc_node *there = lc_finder_get(config, o->name);
    if (o->action == LC_PLAN_DELETE)
        return;
    if (!there)
        report(r, LC_RULE_RUN_OUTPUT_CONFIG, o->name, o->change,
               "the configuration does not have it");
    else if (lc_node_is_true(lc_node_given(there, "sensitive")) && o->after_sensitive &&
             !lc_node_has_true(o->after_sensitive))
        report(r, LC_RULE_RUN_OUTPUT_CONFIG, o->name, o->after_sensitive,
               "the configuration says that it is sensitive, the plan does not");
}

/* Outputs in planned_values need an entry in output_changes. */
static void check_planned_outputs(lc_plan_rules *r)
{
    const lc_node *planned = r->plan->planned_outputs;
    lc_finder changes = {.arena = r->scratch,
                         .node = lc_node_given(r->plan->root, "output_changes")};
    for (uint32_t i = 0; i < lc_node_member_count(planned); i++) {
        const lc_member *m = &planned->as.members[i];
        if (!lc_finder_get(&changes, m->key))
            report(r, LC_RULE_RUN_OUTPUT_PLANNED, m->key, &m->value,
                   "it is in planned_values, but nothing is planned for it");
    }
}

void lc_plan_rules_outputs(lc_plan_rules *r)
{
    lc_finder planned = {.arena = r->scratch, .node = r->plan->planned_outputs};
    lc_finder prior = {.arena = r->scratch, .node = r->plan->prior_outputs};
    lc_finder config = {.arena = r->scratch,
                        .node = lc_node_given(r->plan->root_module, "outputs")};
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_OUTPUT_VALUES, LC_RULE_RUN_OUTPUT_PLANNED,
                         LC_RULE_RUN_OUTPUT_PRIOR, LC_RULE_RUN_OUTPUT_CONFIG);
    for (size_t i = 0; i < r->plan->outputs.count; i++) {
        const lc_plan_output *o = &r->plan->outputs.items[i];
        bool right = check_values(r, o);
        if (right && r->plan->has_planned && r->options.mode != LC_PLAN_DESTROY)
            check_planned(r, &planned, o);
        if (right && r->plan->prior_outputs)
            check_prior(r, &prior, o);
        if (r->plan->root_module)
            check_config(r, &config, o);
    }
    if (!r->errored)
        check_planned_outputs(r);
}

/* ---- Flags, which only Terraform writes. */

static bool changes_something(const lc_plan_rules *r)
{
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if (c->action != LC_PLAN_NOOP || c->previous_address.len || c->importing)
            return true;
    }
    for (size_t i = 0; i < r->plan->outputs.count; i++) {
        if (r->plan->outputs.items[i].action != LC_PLAN_NOOP)
            return true;
    }
    return false;
}

/* Deleted data sources, and actions, are changes without an entry. */
static bool may_hide_changes(const lc_plan_rules *r)
{
    bool data = false;
    for (size_t i = 0; i < r->plan->prior.count && !data; i++)
        data = !r->plan->prior.items[i].managed;
    return (data && r->options.mode != LC_PLAN_NORMAL) ||
           lc_node_given(r->plan->root, "action_invocations") ||
           lc_node_given(r->plan->root, "deferred_action_invocations");
}

/* A refresh-only plan is applyable if the refresh changed something. */
static bool drifted(const lc_plan_rules *r)
{
    for (size_t i = 0; i < r->plan->drift.count; i++) {
        if (r->plan->drift.items[i].action == LC_PLAN_UPDATE ||
            r->plan->drift.items[i].action == LC_PLAN_DELETE)
            return true;
    }
    return false;
}

/* `applyable` as Terraform computes it; LC_NOT_KNOWN if the plan may contain changes that it does
 * not show. */
static lc_fact expected_applyable(const lc_plan_rules *r)
{
    if (r->errored)
        return LC_NO;
    /* Other changes of the state are not shown in the plan. */
    if (r->options.mode == LC_PLAN_REFRESH_ONLY)
        return drifted(r) ? LC_YES : LC_NOT_KNOWN;
    if (r->wrong_actions)
        return LC_NOT_KNOWN;
    if (changes_something(r))
        return LC_YES;
    return r->options.mode == LC_PLAN_MODE_NOT_KNOWN || may_hide_changes(r) ? LC_NOT_KNOWN : LC_NO;
}

static const lc_node *flag_node(const lc_plan_rules *r, const char *name)
{
    return lc_node_given(r->plan->root, name);
}

static void check_applyable(lc_plan_rules *r)
{
    lc_fact want = expected_applyable(r);
    lc_planning_checked(r->planner, LC_RULE_RUN_APPLYABLE);
    if (want == LC_NOT_KNOWN || want == r->plan->applyable)
        return;
    lc_report_plan(r, LC_RULE_RUN_APPLYABLE, LC_STR_EMPTY, flag_node(r, "applyable"), ".applyable",
                   want == LC_YES ? "the plan changes something, but says that it is not applyable"
                                  : "the plan changes nothing, but says that it is applyable");
}

/* `complete` is false if changes are deferred or options exclude something. */
static void check_complete(lc_plan_rules *r)
{
    const lc_plan_options *o = &r->options;
    const char *why = NULL;
    bool targets = o->target_count || o->exclude_count;
    lc_planning_checked(r->planner, LC_RULE_RUN_COMPLETE);
    if (r->plan->complete == LC_YES && r->plan->deferred.count)
        why = "the plan says that it is complete, but it defers changes";
    else if (r->plan->complete == LC_YES && targets)
        why = "the plan says that it is complete, but it was made for targets only";
    else if (r->plan->complete == LC_NO && o->has_target && !targets && !r->plan->deferred.count &&
             !lc_node_given(r->plan->root, "deferred_action_invocations"))
        why = "the plan says that it is not complete, but nothing was left out";
    if (why)
        lc_report_plan(r, LC_RULE_RUN_COMPLETE, LC_STR_EMPTY, flag_node(r, "complete"), ".complete",
                       "%s", why);
}

/* A plan that failed is not applyable and not complete. */
static void check_errored(lc_plan_rules *r)
{
    bool applyable = r->plan->applyable == LC_YES, complete = r->plan->complete == LC_YES;
    lc_planning_checked(r->planner, LC_RULE_RUN_ERRORED_PARTIAL);
    if (applyable || complete)
        lc_report_plan(r, LC_RULE_RUN_ERRORED_PARTIAL, LC_STR_EMPTY,
                       flag_node(r, applyable ? "applyable" : "complete"),
                       applyable ? ".applyable" : ".complete",
                       "planning failed, but the plan says that it is %s",
                       applyable ? "applyable" : "complete");
}

/* ---- Deferrals. */

/* The reasons that Terraform writes. */
static bool is_deferral(lc_str reason)
{
    static const char *const known[] = {"unknown",
                                        "instance_count_unknown",
                                        "resource_config_unknown",
                                        "provider_config_unknown",
                                        "absent_prereq",
                                        "deferred_prereq",
                                        NULL};
    return lc_str_is_one_of(reason, known, NULL);
}

/* An object is either deferred or planned; reads are the exception. */
static void check_deferred(lc_plan_rules *r)
{
    if (!r->plan->deferred.count)
        return;
    lc_planning_checked(r->planner, LC_RULE_DEFERRED_REASON);
    for (size_t i = 0; i < r->plan->deferred.count; i++) {
        const lc_plan_change *d = &r->plan->deferred.items[i];
        const lc_plan_change *c = lc_table_get(&r->plan->by_address, d->address);
        if (!is_deferral(d->deferred))
            lc_report_change(r, LC_RULE_DEFERRED_REASON, d, NULL, ".reason",
                             "%.*s is deferred for the reason \"%.*s\", which is not known",
                             LC_FMT(d->address), LC_FMT(d->deferred));
        else if (c && d->address.len && c->action != LC_PLAN_READ && c->action != LC_PLAN_UNKNOWN)
            lc_report_change(r, LC_RULE_DEFERRED_REASON, d, NULL, "",
                             "%.*s is deferred, but %s is planned for it as well",
                             LC_FMT(d->address), lc_plan_action_text(c->action));
    }
}

/* ---- Checks. */

/* The order in which statuses are aggregated; -1: not a status. */
static int badness(lc_str status)
{
    static const char *const order[] = {"pass", "unknown", "error", "fail", NULL};
    size_t at;
    return lc_str_is_one_of(status, order, &at) ? (int)at : -1;
}

/* The status of a check is the worst of its instances. A destroy plan does not evaluate checks. */
static void check_check(lc_plan_rules *r, const lc_node *check)
{
    const lc_node *instances = lc_node_given(check, "instances");
    lc_str status = lc_node_text(check, "status");
    lc_str name = lc_node_text(lc_node_given(check, "address"), "to_display");
    int worst = -1;
    for (uint32_t i = 0; i < lc_node_item_count(instances); i++) {
        int bad = badness(lc_node_text(&instances->as.items[i], "status"));
        worst = bad > worst ? bad : worst;
    }
    if (r->options.mode == LC_PLAN_DESTROY && !lc_str_is(status, "unknown"))
        lc_report_plan(r, LC_RULE_RUN_CHECK_STATUS, name, check, ".status",
                       "%.*s: a plan that destroys everything checks nothing, but its status is "
                       "\"%.*s\"",
                       LC_FMT(name), LC_FMT(status));
    else if (worst >= 0 && badness(status) != worst)
        lc_report_plan(r, LC_RULE_RUN_CHECK_STATUS, name, check, ".status",
                       "%.*s: its status is \"%.*s\", which is not the worst of its instances",
                       LC_FMT(name), LC_FMT(status));
}

void lc_plan_rules_flags(lc_plan_rules *r)
{
    if (r->plan->applyable != LC_NOT_KNOWN && !r->errored)
        check_applyable(r);
    if (r->plan->complete != LC_NOT_KNOWN && !r->errored)
        check_complete(r);
    if (r->plan->errored != LC_NOT_KNOWN && r->errored)
        check_errored(r);
    check_deferred(r);
    for (uint32_t i = 0; r->plan->checks && i < r->plan->checks->count; i++) {
        lc_planning_checked(r->planner, LC_RULE_RUN_CHECK_STATUS);
        check_check(r, &r->plan->checks->as.items[i]);
    }
}

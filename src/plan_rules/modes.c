/* What a plan may contain, given its planning mode and options. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* Combinations that both clients reject on the command line. */
static void check_options(lc_plan_rules *r)
{
    const lc_plan_options *o = &r->options;
    const char *why = NULL;
    if (!o->has_mode && !o->replace_count)
        return;
    lc_planning_checked(r->planner, LC_RULE_RUN_OPTIONS_CONFLICT);
    if (o->replace_count && o->mode != LC_PLAN_NORMAL)
        why = "objects are replaced on request in the normal mode only";
    else if (o->mode == LC_PLAN_REFRESH_ONLY && o->refresh == LC_NO)
        why = "a refresh-only plan without a refresh does nothing";
    if (why)
        lc_report_at(r, LC_RULE_RUN_OPTIONS_CONFLICT, LC_STR_EMPTY, o->loc, "", "%s", why);
}

/* ---- Refresh-only. */

static void check_refresh_only(lc_plan_rules *r)
{
    lc_planning_checked(r->planner, LC_RULE_SEQUENCE_REFRESH_ONLY);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_UNKNOWN)
            lc_report_change(r, LC_RULE_SEQUENCE_REFRESH_ONLY, c, c->actions, ".change.actions",
                             "%.*s: a refresh-only plan changes nothing, but %s is planned",
                             LC_FMT(c->address), lc_plan_action_text(c->action));
    }
}

/* ---- Destroy. */

/* In destroy plans only deletions without reasons are possible, and objects that are forgotten. A
 * deposed object that no longer existed is a no-op. */
static void check_destroyed(lc_plan_rules *r, const lc_plan_change *c)
{
    bool forgot =
        c->reason == LC_PLAN_REASON_FORGOT_IN_CONFIG || c->reason == LC_PLAN_REASON_FORGOT_IN_STATE;
    bool gone = c->deposed.len && c->action == LC_PLAN_NOOP;
    unsigned wrong = LC_WRONG_ACTION | LC_WRONG_REASON | LC_WRONG_IDENTITY;
    if (!lc_str_is(c->mode, "managed") || (*lc_wrong(r, c) & wrong) || gone)
        return;
    if (!lc_plan_action_ends(c->action))
        lc_report_change(r, LC_RULE_RUN_DESTROY_MODE, c, c->actions, ".change.actions",
                         "%.*s: %s is planned in a plan that destroys everything",
                         LC_FMT(c->address), lc_plan_action_text(c->action));
    else if (c->reason != LC_PLAN_REASON_NONE && c->reason != LC_PLAN_REASON_UNKNOWN && !forgot)
        lc_report_change(r, LC_RULE_RUN_DESTROY_MODE, c, lc_node_given(c->node, "action_reason"),
                         ".action_reason",
                         "%.*s: a plan that destroys everything gives no reasons, but %s",
                         LC_FMT(c->address), lc_plan_reason_text(c->reason));
    else if (c->previous_address.len)
        lc_report_change(r, LC_RULE_RUN_DESTROY_MODE, c, lc_node_given(c->node, "previous_address"),
                         ".previous_address", "%.*s: a plan that destroys everything has no moves",
                         LC_FMT(c->address));
}

/* ---- Replace on request. */

/* Addresses are compared in canonical form. */
static bool asked_for(const lc_plan_rules *r, lc_str address)
{
    for (size_t i = 0; i < r->options.replace_count; i++) {
        lc_address asked;
        lc_str why;
        size_t at;
        if (lc_address_parse(&asked, r->scratch, r->options.replace[i], &why, &at) &&
            lc_str_eq(lc_address_text(r->scratch, &asked), address))
            return true;
    }
    return false;
}

/* An object addressed by -replace must not stay. A tainted one is replaced anyway, with another
 * reason. */
static void check_asked(lc_plan_rules *r, lc_str address)
{
    lc_address parsed;
    lc_str why;
    size_t at;
    if (!lc_address_parse(&parsed, r->scratch, address, &why, &at))
        return;
    const lc_plan_change *c =
        lc_table_get(&r->plan->by_address, lc_address_text(r->scratch, &parsed));
    bool kept = c && (c->action == LC_PLAN_NOOP || c->action == LC_PLAN_UPDATE);
    bool tainted = c && c->prior && c->prior->tainted;
    if (kept && !tainted && !(*lc_wrong(r, c) & LC_WRONG_IDENTITY))
        lc_report_change(r, LC_RULE_RUN_REPLACE_OPTION, c, c->actions, ".change.actions",
                         "%.*s is to be replaced on request, but %s is planned", LC_FMT(c->address),
                         lc_plan_action_text(c->action));
}

/* The list of addresses must be complete to judge replaces that were not requested. */
static void check_replaces(lc_plan_rules *r)
{
    if (r->options.has_replace)
        LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_REPLACE_OPTION, LC_RULE_RUN_REPLACE_UNASKED);
    else
        LC_PLAN_RULES_LACKS(r, LC_NEED_OPTIONS, LC_RULE_RUN_REPLACE_OPTION,
                            LC_RULE_RUN_REPLACE_UNASKED);
    for (size_t i = 0; i < r->options.replace_count && !r->errored; i++)
        check_asked(r, r->options.replace[i]);
    for (size_t i = 0; i < r->plan->changes.count && r->options.has_replace; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if (c->reason == LC_PLAN_REASON_REPLACE_REQUEST && !asked_for(r, c->address) &&
            !(*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_WRONG_REASON)))
            lc_report_change(r, LC_RULE_RUN_REPLACE_UNASKED, c,
                             lc_node_given(c->node, "action_reason"), ".action_reason",
                             "%.*s is replaced on request, but no option asks for it",
                             LC_FMT(c->address));
    }
}

/* ---- Postponed reads. */

static bool has_checks(const lc_plan *plan)
{
    for (uint32_t i = 0; plan->checks && i < plan->checks->count; i++) {
        if (lc_str_is(lc_node_text(lc_node_given(&plan->checks->as.items[i], "address"), "kind"),
                      "check"))
            return true;
    }
    return false;
}

/* The reason must have its cause in the plan. */
static void check_reads(lc_plan_rules *r)
{
    lc_planning_checked(r->planner, LC_RULE_RUN_READ_REASON);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        const char *why = NULL;
        if (c->action != LC_PLAN_READ || (*lc_wrong(r, c) & (LC_WRONG_ACTION | LC_WRONG_AFTER)))
            continue;
        if (c->reason == LC_PLAN_REASON_READ_CHECK_NESTED && !has_checks(r->plan))
            why = "it is read for a check block, but the plan has none";
        else if (c->reason == LC_PLAN_REASON_READ_CONFIG_UNKNOWN &&
                 !lc_node_has_true(c->after_unknown))
            why = "its configuration is said to be unknown, but nothing about it is";
        if (why)
            lc_report_change(r, LC_RULE_RUN_READ_REASON, c, lc_node_given(c->node, "action_reason"),
                             ".action_reason", "%.*s: %s", LC_FMT(c->address), why);
    }
}

void lc_plan_rules_modes(lc_plan_rules *r)
{
    check_options(r);
    check_replaces(r);
    check_reads(r);
    if (r->options.mode == LC_PLAN_REFRESH_ONLY)
        check_refresh_only(r);
    if (r->options.mode != LC_PLAN_DESTROY)
        return;
    lc_planning_checked(r->planner, LC_RULE_RUN_DESTROY_MODE);
    for (size_t i = 0; i < r->plan->changes.count; i++)
        check_destroyed(r, &r->plan->changes.items[i]);
    if (r->plan->planned_root && r->plan->planned.count)
        lc_report_plan(r, LC_RULE_RUN_DESTROY_MODE, LC_STR_EMPTY, r->plan->planned_root, "",
                       "a plan that destroys everything leaves objects in planned_values");
}

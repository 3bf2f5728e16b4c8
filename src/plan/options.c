/* Inferring the planning mode from the plan itself (runs-and-providers 1.8). */
#include "lifecheck/plan/plan.h"

LC_ENUM_NAMES(lc_plan_mode, LC_PLAN_MODES);

static bool is_empty(const lc_node *node)
{
    return !node || node->kind != LC_NODE_MAPPING || node->count == 0;
}

/* A refresh-only plan has no entries and no planned values, although objects are managed. */
static bool looks_refresh_only(const lc_plan *plan)
{
    bool managed = false;
    for (size_t i = 0; i < plan->prior.count && !managed; i++)
        managed = plan->prior.items[i].managed;
    return managed && !plan->changes.count && plan->errored != LC_YES &&
           is_empty(plan->planned_root);
}

/* Options such as -target exclude objects. OpenTofu does not report that. */
static bool leaves_out(const lc_plan *plan)
{
    return plan->complete == LC_NO || plan->complete == LC_NOT_KNOWN;
}

/* In a destroy plan every object ends without a reason. A configuration from which all resources
 * were removed looks alike, but gives reasons. */
static bool looks_destroy(const lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        bool forgot = c->reason == LC_PLAN_REASON_FORGOT_IN_CONFIG ||
                      c->reason == LC_PLAN_REASON_FORGOT_IN_STATE;
        if (!lc_plan_action_ends(c->action) || (c->reason != LC_PLAN_REASON_NONE && !forgot))
            return false;
    }
    for (size_t i = 0; i < plan->prior.count && !leaves_out(plan); i++) {
        if (plan->prior.items[i].managed && !plan->prior.items[i].change)
            return false;
    }
    return plan->changes.count && (is_empty(plan->planned_root) || leaves_out(plan));
}

/* Deposed objects never have a reason, so they cannot distinguish a destroy plan from others. */
static bool has_current(const lc_plan *plan)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        if (!plan->changes.items[i].deposed.len)
            return true;
    }
    return false;
}

void lc_plan_infer(lc_plan_options *options, const lc_plan *plan)
{
    if (options->has_mode)
        return;
    if (looks_refresh_only(plan))
        options->mode = LC_PLAN_REFRESH_ONLY;
    else if (looks_destroy(plan) && has_current(plan))
        options->mode = LC_PLAN_DESTROY;
    else if (!is_empty(plan->planned_root) || has_current(plan))
        options->mode = LC_PLAN_NORMAL;
    else
        options->mode = LC_PLAN_MODE_NOT_KNOWN;
}

/* Judging a plan and states, each on its own, family by family. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

static void judge_plan(lc_plan_rules *r)
{
    lc_plan *plan = r->plan;
    lc_planning_checked(r->planner, LC_RULE_RUN_FORMAT_VERSION);
    if (!lc_str_starts_with(plan->format_version, LC_STR("1."))) {
        lc_report_plan(
            r, LC_RULE_RUN_FORMAT_VERSION, LC_STR_EMPTY,
            lc_node_given(plan->root, "format_version"), ".format_version",
            "a plan of format %.*s: only format 1 is known, nothing else of it is checked",
            LC_FMT(plan->format_version));
        return;
    }
    lc_plan_rules_entries(r);
    lc_plan_rules_values(r);
    lc_plan_rules_replace_paths(r);
    lc_plan_rules_typed(r);
    lc_plan_rules_blocks(r);
    lc_plan_rules_modes(r);
    lc_plan_rules_trees(r);
    lc_plan_rules_drift(r);
    lc_plan_rules_outputs(r);
    lc_plan_rules_flags(r);
    lc_plan_rules_applied(r);
}

/* Does the user expect, forbid or require something of the changes of a plan alone? */
static bool asks_about_changes(const lc_plan_evidence *facts)
{
    const lc_action_policy *policy = facts->policy;
    return facts->plan &&
           (facts->expected_count || (policy && (policy->forbid.count || policy->firm.count)));
}

void lc_plan_evidence_judge(lc_planner *planner, const lc_plan_evidence *facts)
{
    lc_plan_rules r = {.planner = planner,
                       .scratch = planner->scratch,
                       .facts = facts,
                       .plan = facts->plan,
                       .options = facts->options};
    if (r.plan) {
        lc_plan_infer(&r.options, r.plan);
        r.errored = r.plan->errored == LC_YES;
        r.wrong =
            lc_arena_zalloc(r.scratch, lc_mul_size(r.plan->changes.count + 1, sizeof *r.wrong));
        judge_plan(&r);
    }
    if (facts->run || facts->prediction || asks_about_changes(facts))
        lc_plan_rules_prediction(&r);
    lc_plan_rules_states(&r);
    lc_plan_rules_pair(&r);
}

/* Family plan: what a provider may plan. The checks of single values are those of the walk
 * plan_check.c; which of its issues count is decided here. */
#include "contract/plan_call.h"
#include "contract/rules/cfn/internal.h"

/* plan/prior-dropped is a smell only if nothing was to change: otherwise the Computed value may
 * depend on the change. */
static void drop_expected_changes(const lc_judge *j, lc_walk *walk)
{
    const lc_value *prior = j->view->sent_prior;
    const lc_value *proposed = j->view->core[LC_OPENTOFU].proposed;
    bool nothing_changed = prior && proposed && lc_value_same(prior, proposed);
    for (size_t i = 0; i < walk->issues.count; i++) {
        lc_issue *issue = &walk->issues.items[i];
        if (issue->rule == LC_RULE_PLAN_PRIOR_DROPPED && !nothing_changed)
            issue->rule = LC_RULE_COUNT;
    }
}

/* Drop plan/kept-prior where the two values mean the same by the CloudFormation type (a list whose
 * order does not count, for example). */
static void drop_kept_in_order(const lc_judge *j, const lc_plan_call *p, const lc_value *config,
                               lc_walk *walk)
{
    const lc_cfn_type *type = lc_cfn_of(j);
    for (size_t i = 0; type && i < walk->issues.count; i++) {
        lc_issue *issue = &walk->issues.items[i];
        lc_path path = issue->path;
        bool asks = issue->rule == LC_RULE_PLAN_KEPT_PRIOR && path.count &&
                    path.steps[path.count - 1].kind == LC_STEP_ATTR;
        const lc_cfn_property *property = asks ? lc_cfn_property_at(type, path) : NULL;
        const lc_value *asked = property ? lc_path_apply(j->scratch, config, issue->path) : NULL;
        const lc_value *kept =
            asked ? lc_path_apply(j->scratch, p->call->result.value, issue->path) : NULL;
        if (kept && lc_is_wholly_known(asked) &&
            lc_cfn_same(j->scratch, property->shape, asked, kept))
            issue->rule = LC_RULE_COUNT;
    }
}

static bool is_below_nested(const lc_block *s, lc_path path)
{
    while (path.count > 0) {
        path.count--;
        const lc_attribute *a = lc_block_attribute_at(s, path);
        if (a && a->nested)
            return true;
    }
    return false;
}

/* A prior value may always be planned. So if the prior state is not known, drop every issue that it
 * could explain: rules that need it, and everything below a nested attribute. An unknown is never
 * explained by it. */
static void drop_excusable(const lc_judge *j, lc_walk *walk)
{
    for (size_t i = 0; i < walk->issues.count; i++) {
        lc_issue *issue = &walk->issues.items[i];
        if (issue->rule == LC_RULE_COUNT || issue->rule == LC_RULE_PLAN_NESTED_UNKNOWN)
            continue;
        if (lc_rule_get(issue->rule)->needs & (uint64_t)1 << LC_NEED_PRIOR_STATE ||
            is_below_nested(j->view->block, issue->path))
            issue->rule = LC_RULE_COUNT;
    }
}

/* One AssertPlanValid for `cores`, with the configuration that they sent. */
static void run_plan_walk(lc_judge *j, const lc_plan_call *p, const lc_value *config,
                          lc_cores cores)
{
    lc_walk walk = {.arena = j->scratch, .sensitivity = j->sensitivity};
    lc_core_progress progress = LC_PROGRESS_ALL;
    progress.live = cores;
    if (lc_call_stopped(j, p->call))
        progress = (lc_core_progress){.masked = cores, .follows = -1};
    lc_check_plan(&walk, j->view->block, p->prior, config, p->call->result.value, progress);
    drop_expected_changes(j, &walk);
    drop_kept_in_order(j, p, config, &walk);
    if (!p->prior)
        drop_excusable(j, &walk);
    lc_emit_issues(j, &walk,
                   &(lc_breach){.call = p->call,
                                .field = &p->call->result,
                                .promised_by = LC_COLUMN_CONFIG,
                                .broken_by = lc_call_column(p->call->kind)});
    lc_walk_release(&walk);
}

/* If both walks found the same, make one finding: move Terraform's part to the first, and drop the
 * second. */
static void join_walks(lc_judge *j, size_t first, size_t second)
{
    lc_finding *items = j->out->findings.items;
    for (size_t i = second; i < j->out->findings.count; i++) {
        for (size_t k = first; k < second; k++) {
            if (items[k].rule != items[i].rule || items[k].core[LC_TERRAFORM].message.len ||
                !lc_path_eq(items[k].path, items[i].path))
                continue;
            items[k].core[LC_TERRAFORM] = items[i].core[LC_TERRAFORM];
            items[i].rule = LC_RULE_COUNT;
            break;
        }
    }
}

/* Terraform prepares computed blocks, so the cores may have sent different configurations; then
 * each needs a walk. */
static void judge_plan_call(lc_judge *j, const lc_plan_call *p)
{
    const lc_value *ot = p->config[LC_OPENTOFU], *tf = p->config[LC_TERRAFORM];
    if (!lc_call_object(p->call) || p->call->failed == LC_YES || !ot || !tf)
        return;
    if (ot == tf || lc_value_raw_equal(ot, tf)) {
        run_plan_walk(j, p, ot, LC_BOTH_CORES);
        return;
    }
    size_t first = j->out->findings.count;
    run_plan_walk(j, p, ot, LC_OT);
    size_t second = j->out->findings.count;
    run_plan_walk(j, p, tf, LC_TF);
    join_walks(j, first, second);
}

void lc_judge_plan(lc_judge *j)
{
    for (size_t i = 0; i < LC_PLAN_CALLS && !j->view->deleting; i++) {
        lc_plan_call p;
        if (lc_plan_call_at(&p, j, i))
            judge_plan_call(j, &p);
    }
}

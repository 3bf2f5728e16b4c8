/* Families proposed, plan and replace: what is sent with a plan, and what is returned. */
#include "contract/judge.h"
#include "contract/rules/cfn/internal.h"

#include "lifecheck/arena.h"

/* A plan call with what each core compares its result with. */
typedef struct plan_call {
    const lc_call *call;
    const lc_value *prior;                 /* as sent */
    const lc_value *config[LC_CORE_COUNT]; /* as each core sends it */
    lc_column promised_by;
} plan_call;

/* The create of a replace is planned with a null prior state. What a recording has counts more than
 * what is computed. */
static bool make_plan_call(const lc_judge *j, lc_call_kind kind, plan_call *out)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[kind];
    if (!call)
        return false;
    *out = (plan_call){call, v->sent_prior, {NULL, NULL}, LC_COLUMN_CONFIG};
    bool fresh = kind == LC_CALL_PLAN_CREATE || (kind == LC_CALL_FINAL_PLAN && v->replacing);
    if (fresh) {
        lc_value *null = LC_NEW(j->scratch, lc_value);
        lc_value_set_null(null, v->block->implied);
        out->prior = null;
    }
    if (lc_field_has_value(&call->prior_state))
        out->prior = call->prior_state.value;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        const lc_core_run *c = &v->core[core];
        out->config[core] = kind == LC_CALL_PLAN          ? c->config
                            : kind == LC_CALL_PLAN_CREATE ? c->create_config
                                                          : c->final_config;
    }
    return true;
}

static const lc_call_kind plan_kinds[] = {LC_CALL_PLAN, LC_CALL_PLAN_CREATE, LC_CALL_FINAL_PLAN};
#define PLAN_KINDS (sizeof plan_kinds / sizeof plan_kinds[0])

/* ---- proposed. */

typedef struct mismatch_context {
    lc_judge *j;
    const lc_call *call;
} mismatch_context;

static void each_mismatch(void *opaque, lc_path path, const lc_value *want, const lc_value *got)
{
    mismatch_context *x = opaque;
    (void)want;
    (void)got;
    lc_emit(x->j, &(lc_breach){.rule = LC_RULE_PROPOSED_MISMATCH,
                               .call = x->call,
                               .path = path,
                               .field = &x->call->proposed,
                               .promised_by = LC_COLUMN_CONFIG,
                               .broken_by = LC_COLUMN_PROPOSED,
                               .note = LC_STR("not what configuration and prior state merge to")});
}

/* A proposed state is right if it is that of either core. A difference is shown against
 * OpenTofu's. */
static void judge_proposal(lc_judge *j, const plan_call *p)
{
    const lc_value *want[LC_CORE_COUNT];
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!p->prior || !p->config[core] || lc_is_null(p->config[core]))
            return;
        want[core] =
            lc_proposed_new(j->scratch, (lc_core)core, j->view->block, p->prior, p->config[core]);
    }
    if (!want[LC_OPENTOFU] || !want[LC_TERRAFORM]) {
        lc_finding *f = lc_emit(j, &(lc_breach){.rule = LC_RULE_PROPOSED_CORE_CRASH,
                                                .call = p->call,
                                                .path = LC_PATH_ROOT,
                                                .loc = p->call->loc,
                                                .promised_by = LC_COLUMN_NONE,
                                                .broken_by = LC_COLUMN_NONE,
                                                .note = LC_STR("elements of a nested collection "
                                                               "come out with different types, "
                                                               "or a block lacks attributes")});
        for (int core = 0; core < LC_CORE_COUNT; core++)
            lc_finding_effect(f, (lc_core)core, want[core] ? LC_EFFECT_NONE : LC_EFFECT_CRASH);
        return;
    }
    if (p->call->proposed.state != LC_FIELD_GIVEN)
        return;
    const lc_value *got = p->call->proposed.value;
    if (lc_value_same(got, want[LC_OPENTOFU]) || lc_value_same(got, want[LC_TERRAFORM]))
        return;
    mismatch_context x = {j, p->call};
    lc_each_difference(j->scratch, want[LC_OPENTOFU], got, each_mismatch, &x);
}

void lc_judge_proposed(lc_judge *j)
{
    const lc_call *destroy = j->view->call[LC_CALL_DESTROY_PLAN];
    if (destroy && destroy->proposed.state == LC_FIELD_GIVEN &&
        !lc_is_null(destroy->proposed.value))
        lc_emit(j, &(lc_breach){.rule = LC_RULE_PROPOSED_DESTROY_NOT_NULL,
                                .call = destroy,
                                .path = LC_PATH_ROOT,
                                .field = &destroy->proposed,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_PROPOSED,
                                .note = LC_STR("a delete is planned with a proposed object")});
    for (size_t i = 0; i < PLAN_KINDS && !j->view->deleting; i++) {
        plan_call p;
        if (make_plan_call(j, plan_kinds[i], &p))
            judge_proposal(j, &p);
    }
}

/* ---- plan. */

/* plan/prior-dropped is a smell only if nothing was to change: otherwise the computed value may
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

/* Drop plan/kept-prior where the CloudFormation type says that the two values mean the same (a list
 * whose order does not count, for example). */
static void drop_kept_in_order(const lc_judge *j, const plan_call *p, const lc_value *config,
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
static void run_plan_walk(lc_judge *j, const plan_call *p, const lc_value *config, lc_cores cores)
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
static void judge_plan_call(lc_judge *j, const plan_call *p)
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
    for (size_t i = 0; i < PLAN_KINDS && !j->view->deleting; i++) {
        plan_call p;
        if (make_plan_call(j, plan_kinds[i], &p))
            judge_plan_call(j, &p);
    }
}

/* ---- replace. */

static lc_finding *emit_path(lc_judge *j, lc_rule rule, const lc_call *call,
                             const lc_located_path *where, const char *note)
{
    lc_finding *f = lc_emit(j, &(lc_breach){.rule = rule,
                                            .call = call,
                                            .path = where->path,
                                            .loc = where->loc,
                                            .promised_by = LC_COLUMN_PRIOR,
                                            .broken_by = lc_call_column(call->kind),
                                            .note = lc_str_from_c(note)});
    if (rule != LC_RULE_REPLACE_PATH_INVALID)
        return f;
    lc_buf text = {0};
    lc_buf_add_c(&text, LC_DETAIL_REQUIRES_REPLACE);
    lc_buf_add_str(&text, j->subject->resource);
    lc_buf_add_c(&text, LC_DETAIL_NO_SUCH_PATH " ");
    if (lc_sensitivity_at(j->sensitivity, where->path).secret)
        lc_buf_add_str(&text, f->path_text);
    else
        lc_path_add_go(&text, where->path);
    lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_PLAN, lc_buf_str(&text));
    lc_buf_release(&text);
    return f;
}

/* A path that is listed twice is judged once. */
static bool seen_before(lc_judge *j, lc_path_node *seen, lc_path path)
{
    lc_path_node *node = lc_path_node_at(j->scratch, seen, path);
    bool before = node->item;
    node->item = node;
    return before;
}

/* SDKv2 adds `id` to requires_replace in every replace, whatever the provider does. */
static bool is_id(lc_path path)
{
    return path.count == 1 && path.steps[0].kind == LC_STEP_ATTR &&
           lc_str_is(path.steps[0].name, "id");
}

/* `creating`: there is no object that could be replaced. */
static void judge_paths(lc_judge *j, const lc_call *call, const lc_value *prior, bool creating)
{
    const lc_value *planned = lc_call_object(call);
    lc_path_node seen = {NULL, NULL};
    for (size_t i = 0; i < call->requires_replace.count; i++) {
        const lc_located_path *where = &call->requires_replace.items[i];
        if (seen_before(j, &seen, where->path))
            continue;
        if (creating) {
            emit_path(j, LC_RULE_REPLACE_PATH_ON_CREATE, call, where,
                      "replacement is asked for where there is nothing to replace")
                ->of_old_sdk = call->legacy == LC_YES;
            continue;
        }
        if (!prior || !planned)
            continue;
        lc_replace_state state[LC_CORE_COUNT];
        for (int core = 0; core < LC_CORE_COUNT; core++)
            state[core] = lc_replace_path_state(j->scratch, (lc_core)core, j->view->block, prior,
                                                planned, where->path);
        if (state[LC_OPENTOFU] == LC_REPLACE_INVALID)
            emit_path(j, LC_RULE_REPLACE_PATH_INVALID, call, where,
                      "the path exists neither in the prior nor in the planned value");
        else if (state[LC_OPENTOFU] == LC_REPLACE_UNCHANGED &&
                 state[LC_TERRAFORM] == LC_REPLACE_UNCHANGED)
            emit_path(j, LC_RULE_REPLACE_PATH_UNCHANGED, call, where,
                      "replacement is asked for a value that does not change")
                ->of_old_sdk = call->legacy == LC_YES && is_id(where->path);
    }
}

void lc_judge_replace(lc_judge *j)
{
    const lc_run_view *v = j->view;
    for (size_t i = 0; i < PLAN_KINDS; i++) {
        plan_call p;
        if (!make_plan_call(j, plan_kinds[i], &p) || p.call->failed == LC_YES)
            continue;
        judge_paths(j, p.call, p.prior, p.prior && lc_is_null(p.prior));
    }
    const lc_call *destroy = v->call[LC_CALL_DESTROY_PLAN];
    if (destroy)
        judge_paths(j, destroy, NULL, true);
    if (v->run->order_known && v->replacing && v->run->tainted != LC_YES && v->call[LC_CALL_PLAN] &&
        !v->call[LC_CALL_PLAN_CREATE])
        lc_finding_misses(
            j,
            lc_emit(j, &(lc_breach){.rule = LC_RULE_REPLACE_MISSING_SECOND_PLAN,
                                    .call = v->call[LC_CALL_PLAN],
                                    .path = LC_PATH_ROOT,
                                    .loc = v->call[LC_CALL_PLAN]->loc,
                                    .promised_by = LC_COLUMN_NONE,
                                    .broken_by = LC_COLUMN_NONE,
                                    .note = LC_STR("a replace without a second plan, whose prior "
                                                   "state is null")}),
            LC_CALL_PLAN_CREATE);
}

/* Family replace: paths that force a replace. */
#include "contract/plan_call.h"

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

/* SDKv2 adds `id` to requires_replace in every replace, regardless of what the provider does. */
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
                      "replacement is required where there is no object to replace")
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
                      "replacement is required for a value that does not change")
                ->of_old_sdk = call->legacy == LC_YES && is_id(where->path);
    }
}

void lc_judge_replace(lc_judge *j)
{
    const lc_run_view *v = j->view;
    for (size_t i = 0; i < LC_PLAN_CALLS; i++) {
        lc_plan_call p;
        if (!lc_plan_call_at(&p, j, i) || p.call->failed == LC_YES)
            continue;
        judge_paths(j, p.call, p.prior, p.prior && lc_is_null(p.prior));
    }
    const lc_call *destroy = v->call[LC_CALL_DESTROY_PLAN];
    if (destroy)
        judge_paths(j, destroy, NULL, true);
    if (v->run->order_known && !v->run->probed && v->replacing && v->run->tainted != LC_YES &&
        v->call[LC_CALL_PLAN] && !v->call[LC_CALL_PLAN_CREATE])
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

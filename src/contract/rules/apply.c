/* Family apply: the new state holds what was planned. */
#include "contract/judge.h"

/* Under legacy_type_system the cores have another error for a null result. */
static void quote_null_result(lc_judge *j, size_t first)
{
    for (size_t i = first; i < j->out->findings.count; i++) {
        lc_finding *f = &j->out->findings.items[i];
        if (f->rule == LC_RULE_APPLY_NULL_RESULT && f->legacy == LC_YES)
            lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_RESULT,
                             LC_STR(LC_DETAIL_NULL_RESULT));
    }
}

/* A result of the wrong type or with unknowns stops both cores before they compare. */
static lc_core_progress apply_progress(const lc_judge *j, const lc_value *result)
{
    lc_core_progress progress = LC_PROGRESS_ALL;
    bool stopped = !lc_is_wholly_known(result) || lc_call_stopped(j, j->view->call[LC_CALL_APPLY]);
    if (stopped) {
        progress.masked = progress.live;
        progress.live = LC_NO_CORE;
    }
    return progress;
}

bool lc_final_plan_is_missing(const lc_run_view *v)
{
    return v->promised_column != LC_COLUMN_FINAL_PLANNED && v->config &&
           !lc_is_wholly_known(v->config);
}

/* Without a final plan the message names both calls as possible causes of the violation, and
 * apply/refinement is dropped. */
static void note_either_plan(lc_judge *j, lc_walk *walk)
{
    for (size_t i = 0; i < walk->issues.count; i++) {
        lc_issue *issue = &walk->issues.items[i];
        if (issue->rule == LC_RULE_APPLY_REFINEMENT)
            issue->rule = LC_RULE_COUNT;
        issue->note =
            lc_str_printf(j->scratch, "%.*s (in the final plan or apply)", LC_FMT(issue->note));
    }
}

static void judge_result(lc_judge *j, const lc_call *call, const lc_value *result)
{
    const lc_run_view *v = j->view;
    if (!v->promised || v->deleting)
        return;
    lc_walk walk = {.arena = j->scratch, .sensitivity = j->sensitivity, .marked = true};
    size_t first = j->out->findings.count;
    lc_check_compatible(&walk, v->block, v->promised, result, apply_progress(j, result));
    if (lc_final_plan_is_missing(v))
        note_either_plan(j, &walk);
    lc_emit_issues(j, &walk,
                   &(lc_breach){.call = call,
                                .field = &call->result,
                                .promised_by = v->promised_column,
                                .broken_by = LC_COLUMN_NEW});
    lc_walk_release(&walk);
    quote_null_result(j, first);
}

/* A failed apply may return any part of the object, but not null, which would lose an object that
 * may exist. */
void lc_judge_apply(lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_APPLY];
    const lc_value *result = lc_call_object(call);
    if (!result)
        return;
    if (call->failed != LC_YES) {
        judge_result(j, call, result);
        return;
    }
    if (lc_is_null(result) && !j->view->deleting)
        lc_emit_at(j, LC_RULE_APPLY_ERROR_NULL, call, LC_PATH_ROOT,
                   "failed without returning the object");
}

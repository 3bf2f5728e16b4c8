/* Families final, apply and destroy: what was planned must hold. */
#include "contract/judge.h"

#include "lifecheck/arena.h"

/* ---- final. */

/* The name of the action as Go's stringer has it in the cores. */
static const char *core_action(lc_action action)
{
    switch (action) {
    case LC_ACTION_NOOP:
        return "NoOp";
    case LC_ACTION_CREATE:
        return "Create";
    case LC_ACTION_READ:
        return "Read";
    case LC_ACTION_UPDATE:
        return "Update";
    case LC_ACTION_DELETE:
        return "Delete";
    case LC_ACTION_DELETE_THEN_CREATE:
        return "DeleteThenCreate";
    case LC_ACTION_CREATE_THEN_DELETE:
        return "CreateThenDelete";
    case LC_ACTION_FORGET:
        return "Forget";
    case LC_ACTION_NONE:
        break;
    }
    return "NoOp";
}

/* The action that the final plan leads to. Only an update can change: the cores keep a create, and
 * rename the plan of a replace's create back to a replace. */
static lc_action final_action(lc_judge *j, const lc_call *call, lc_core core)
{
    const lc_run_view *v = j->view;
    lc_action before = v->core[core].action;
    if (before != LC_ACTION_UPDATE) /* a create stays one; a replace is renamed back */
        return before;
    lc_replace_paths paths;
    const lc_value *planned = call->result.value;
    if (call->legacy == LC_YES)
        planned = lc_ignore_changes(j->scratch, v->run, NULL, v->sent_prior, planned);
    lc_replace_filter(&paths, j->scratch, core, v->block, v->sent_prior, planned,
                      &call->requires_replace);
    return paths.invalid ? before : lc_decide_action(core, v->run, v->sent_prior, planned, &paths);
}

static void judge_action(lc_judge *j, const lc_call *call)
{
    lc_action after[LC_CORE_COUNT];
    bool changed[LC_CORE_COUNT];
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        lc_action before = j->view->core[core].action;
        after[core] = final_action(j, call, (lc_core)core);
        changed[core] = after[core] != before && after[core] != LC_ACTION_NOOP;
    }
    if (!changed[LC_OPENTOFU] && !changed[LC_TERRAFORM])
        return;
    lc_finding *f = lc_emit_at(j, LC_RULE_FINAL_ACTION_CHANGED, call, LC_PATH_ROOT,
                               "the final plan leads to another action than the initial one");
    f->promised_by = LC_COLUMN_PLANNED;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!changed[core]) {
            lc_finding_effect(f, (lc_core)core, LC_EFFECT_NONE);
            continue;
        }
        lc_finding_quote(j, f, 1u << core, LC_SUMMARY_INCONSISTENT_FINAL_PLAN,
                         lc_str_printf(j->scratch, LC_DETAIL_ACTION_CHANGED "%s to %s",
                                       core_action(j->view->core[core].action),
                                       core_action(after[core])));
    }
}

void lc_judge_final(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[LC_CALL_FINAL_PLAN];
    const lc_value *final = lc_call_object(call);
    lc_action action = v->core[LC_OPENTOFU].action;
    if (!final || call->failed == LC_YES || v->deleting || !v->initial ||
        (action == LC_ACTION_NOOP && v->core[LC_TERRAFORM].action == LC_ACTION_NOOP))
        return;
    lc_walk walk = {
        .arena = j->scratch, .sensitivity = j->sensitivity, .final = true, .marked = true};
    lc_check_compatible(&walk, v->block, v->initial, final, LC_PROGRESS_ALL);
    lc_emit_issues(j, &walk,
                   &(lc_breach){.call = call,
                                .field = &call->result,
                                .promised_by = v->initial_column,
                                .broken_by = LC_COLUMN_FINAL_PLANNED});
    lc_walk_release(&walk);
    if (action != LC_ACTION_NONE)
        judge_action(j, call);
}

/* ---- apply. */

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

/* Without a final plan the message says that either of the two may have broken the promise, and
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
                   "failed, and did not say what has become of the object");
}

/* ---- destroy. */

static void judge_destroy_config(lc_judge *j, const lc_call *call)
{
    if (call && call->config.state == LC_FIELD_GIVEN && !lc_is_null(call->config.value))
        lc_emit(j, &(lc_breach){.rule = LC_RULE_DESTROY_CONFIG_NOT_NULL,
                                .call = call,
                                .path = LC_PATH_ROOT,
                                .field = &call->config,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_CONFIG,
                                .note = LC_STR("a delete is sent with a configuration")});
}

/* Without the capability plan_destroy the clients do not make this call at all. */
static void judge_destroy_plan(lc_judge *j, const lc_call *plan)
{
    const lc_value *planned = lc_call_object(plan);
    lc_fact able = j->view->run->capabilities.plan_destroy;
    if (able == LC_NO)
        lc_emit(j, &(lc_breach){.rule = LC_RULE_DESTROY_PLAN_WITHOUT_CAPABILITY,
                                .call = plan,
                                .path = LC_PATH_ROOT,
                                .loc = plan->loc,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_NONE,
                                .note = LC_STR("the provider does not declare plan_destroy")});
    if (!planned || lc_is_null(planned) || plan->failed == LC_YES || plan->deferred == LC_YES ||
        able == LC_NO)
        return;
    lc_finding *f = lc_emit_at(j, LC_RULE_DESTROY_PLAN_NOT_NULL, plan, LC_PATH_ROOT,
                               "a delete is planned with an object that stays");
    lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_PLAN,
                     LC_STR(LC_DETAIL_NON_NULL_DESTROY));
}

void lc_judge_destroy(lc_judge *j)
{
    const lc_call *plan = j->view->call[LC_CALL_DESTROY_PLAN];
    const lc_call *call = j->view->call[LC_CALL_DESTROY];
    if (plan)
        judge_destroy_plan(j, plan);
    judge_destroy_config(j, plan);
    judge_destroy_config(j, call);
    const lc_value *result = lc_call_object(call);
    if (!result || lc_is_null(result) || call->failed == LC_YES)
        return;
    lc_finding *f = lc_emit_at(j, LC_RULE_DESTROY_RESULT_NOT_NULL, call, LC_PATH_ROOT,
                               "the delete succeeded, but an object is returned");
    lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_RESULT,
                     LC_STR(LC_DETAIL_NON_NULL_RESULT));
}

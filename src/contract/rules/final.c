/* Family final: the final plan of a change keeps what was planned, and its action. */
#include "contract/judge.h"

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
                               "the final plan has another action than the initial plan");
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

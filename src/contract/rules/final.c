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

/* The cores that stop at the final plan itself, because it is not valid, before they compare it
 * with the initial one. */
static lc_cores stopped_at(const lc_judge *j, const lc_call *call)
{
    lc_cores stopped = lc_call_stopped(j, call) ? LC_BOTH_CORES : LC_NO_CORE;
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->run != j->view->number || f->call.kind != call->kind || f->call.index != call->index)
            continue;
        for (int core = 0; core < LC_CORE_COUNT; core++) {
            if (f->core[core].effect == LC_EFFECT_ERROR && !f->core[core].masked)
                stopped |= 1u << core;
        }
    }
    return stopped;
}

static void mask_from(lc_judge *j, size_t first, lc_cores stopped)
{
    for (size_t i = first; i < j->out->findings.count; i++) {
        lc_finding *f = &j->out->findings.items[i];
        for (int core = 0; core < LC_CORE_COUNT; core++) {
            if (f->core[core].effect == LC_EFFECT_ERROR)
                f->core[core].masked |= (stopped & 1u << core) != 0;
        }
    }
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
    lc_cores stopped = stopped_at(j, call);
    size_t first = j->out->findings.count;
    lc_check_compatible(&walk, v->block, v->initial, final, LC_PROGRESS_ALL);
    lc_emit_issues(j, &walk,
                   &(lc_breach){.call = call,
                                .field = &call->result,
                                .promised_by = v->initial_column,
                                .broken_by = LC_COLUMN_FINAL_PLANNED});
    lc_walk_release(&walk);
    if (action != LC_ACTION_NONE)
        judge_action(j, call);
    mask_from(j, first, stopped);
}

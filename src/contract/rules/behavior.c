/* Family behavior: the lifecycle arguments and options of a resource, and whether the run obeys
 * them (contract-rules 3.20, contract-algorithms 4.8 and 4.10). */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

/* ---- ignore_changes. */

/* The path without a last string key: the cores cut it off and treat it as one entry of the map. */
static lc_path without_key(lc_path path)
{
    if (path.count && path.steps[path.count - 1].kind == LC_STEP_KEY)
        path.count--;
    return path;
}

static void emit_ineffective(lc_judge *j, const lc_located_path *where)
{
    lc_emit(j, &(lc_breach){
                   .rule = LC_RULE_BEHAVIOR_IGNORE_PATH_INEFFECTIVE,
                   .call = j->view->call[LC_CALL_PLAN],
                   .path = where->path,
                   .loc = where->loc,
                   .promised_by = LC_COLUMN_NONE,
                   .broken_by = LC_COLUMN_NONE,
                   .note = LC_STR(
                       "this path names nothing that can be ignored: the cores skip it silently")});
}

static void emit_ignored(lc_judge *j, lc_path path)
{
    lc_emit(j, &(lc_breach){.rule = LC_RULE_BEHAVIOR_IGNORE_CHANGES_IGNORED,
                            .call = j->view->call[LC_CALL_PLAN],
                            .path = path,
                            .field = &j->view->call[LC_CALL_PLAN]->result,
                            .promised_by = LC_COLUMN_PRIOR,
                            .broken_by = LC_COLUMN_PLANNED,
                            .note = LC_STR("changed by the plan, though changes are ignored "
                                           "here")});
}

/* Will the path apply in no run? Null and unknown parents may have other values next time. But a
 * path into a set, beyond the end of a list or to a missing key has a known parent. */
static bool never_applies(lc_judge *j, const lc_value *v, lc_path path)
{
    lc_path above = path;
    while (above.count) {
        above.count--;
        const lc_value *parent = lc_path_apply(j->scratch, v, above);
        if (parent)
            return lc_is_known(parent);
    }
    return false;
}

/* Did the plan change a value that was sent unchanged? The configuration that is sent has ignored
 * values set back. */
static void judge_ignored_place(lc_judge *j, lc_path path)
{
    const lc_run_view *v = j->view;
    const lc_value *prior = lc_path_apply(j->scratch, v->sent_prior, path);
    const lc_value *sent = v->core[LC_OPENTOFU].config;
    const lc_value *planned = lc_call_object(v->call[LC_CALL_PLAN]);
    sent = sent ? lc_path_apply(j->scratch, sent, path) : NULL;
    planned = planned ? lc_path_apply(j->scratch, planned, path) : NULL;
    if (prior && sent && planned && lc_value_same(sent, prior) && !lc_value_same(planned, prior))
        emit_ignored(j, path);
}

static void judge_ignored_path(lc_judge *j, const lc_located_path *where)
{
    const lc_run_view *v = j->view;
    lc_path path = without_key(where->path);
    const lc_value *prior = lc_path_apply(j->scratch, v->sent_prior, path);
    const lc_value *written = lc_path_apply(j->scratch, v->config, path);
    if ((!prior && never_applies(j, v->sent_prior, path)) ||
        (!written && never_applies(j, v->config, path)))
        emit_ineffective(j, where);
    judge_ignored_place(j, where->path);
}

/* With `all` every place counts, except attributes that are computed only. */
static void judge_any_place(void *context, lc_path path, const lc_value *a, const lc_value *b)
{
    lc_judge *j = context;
    const lc_attribute *attribute = lc_block_attribute_at(j->view->block, path);
    (void)a;
    (void)b;
    if (attribute && (attribute->required || attribute->optional))
        judge_ignored_place(j, path);
}

static void judge_ignore_changes(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_run *run = v->run;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    if (!plan || plan->failed == LC_YES || !v->config || !v->sent_prior || v->deleting ||
        lc_is_null(v->sent_prior))
        return;
    const lc_value *planned = lc_call_object(plan);
    if (run->ignore_all && planned)
        lc_each_difference(j->scratch, v->sent_prior, planned, judge_any_place, j);
    for (size_t i = 0; i < run->ignore_changes.count && !run->ignore_all; i++)
        judge_ignored_path(j, &run->ignore_changes.items[i]);
}

/* ---- The action that was recorded. */

static bool is_replace(lc_action action)
{
    return action == LC_ACTION_DELETE_THEN_CREATE || action == LC_ACTION_CREATE_THEN_DELETE;
}

static void emit_action(lc_judge *j, lc_rule rule, lc_str note)
{
    const lc_run *run = j->view->run;
    const lc_call *plan = j->view->call[LC_CALL_PLAN];
    lc_finding *f = lc_emit_aside(j, rule, plan, run->recorded_loc, note);
    f->call.kind = LC_CALL_PLAN;
}

static lc_str recorded_note(lc_judge *j, const char *why)
{
    return lc_str_printf(j->scratch, "%s, but %s was recorded", why,
                         lc_action_name(j->view->run->recorded));
}

static bool is_end(lc_action action)
{
    return action == LC_ACTION_DELETE || action == LC_ACTION_FORGET;
}

/* Judge actions that deposed, tainted and forced objects require. True: none of these applies, so
 * that the values decide. An object that is no longer configured is deleted, not replaced. */
static bool judge_circumstances(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_run *run = v->run;
    bool replaced = is_replace(run->recorded);
    bool kept = v->config ? !v->deleting : !is_end(run->recorded);
    bool has_prior = v->prior && !lc_is_null(v->prior);
    if (run->deposed.len) {
        if (!is_end(run->recorded))
            emit_action(j, LC_RULE_BEHAVIOR_WRONG_ACTION,
                        recorded_note(j, "a deposed object can only be removed"));
        return false;
    }
    if (run->tainted == LC_YES && has_prior && kept) {
        if (!replaced)
            emit_action(j, LC_RULE_BEHAVIOR_TAINTED_NOT_REPLACED,
                        recorded_note(j, "a tainted object must be replaced"));
        return false;
    }
    if (run->force_replace == LC_YES && has_prior && kept) {
        if (!replaced)
            emit_action(j, LC_RULE_BEHAVIOR_FORCED_REPLACE,
                        recorded_note(j, "a replacement was requested"));
        return false;
    }
    return true;
}

static void judge_order(lc_judge *j)
{
    const lc_run *run = j->view->run;
    lc_action want = run->create_before_destroy == LC_YES ? LC_ACTION_CREATE_THEN_DELETE
                                                          : LC_ACTION_DELETE_THEN_CREATE;
    if (is_replace(run->recorded) && run->create_before_destroy != LC_NOT_KNOWN &&
        run->recorded != want)
        emit_action(j, LC_RULE_BEHAVIOR_CBD_ORDER,
                    recorded_note(j, want == LC_ACTION_CREATE_THEN_DELETE
                                         ? "create_before_destroy is set"
                                         : "create_before_destroy is not set"));
}

/* Is the recorded action one for which a core's decision allows? judge_order compares the order of
 * a replace; an object may be forgotten instead of deleted; and a change of sensitive marks is an
 * update of equal values. */
static bool fits(const lc_judge *j, lc_action core)
{
    lc_action recorded = j->view->run->recorded;
    return recorded == core || (is_replace(recorded) && is_replace(core)) ||
           (recorded == LC_ACTION_FORGET && core == LC_ACTION_DELETE) ||
           (recorded == LC_ACTION_UPDATE && core == LC_ACTION_NOOP && j->subject->sensitive.count);
}

static void judge_recorded_action(lc_judge *j)
{
    const lc_run_view *v = j->view;
    if (v->run->recorded == LC_ACTION_NONE)
        return;
    bool decided_by_values = judge_circumstances(j);
    judge_order(j);
    lc_action ot = v->core[LC_OPENTOFU].action, tf = v->core[LC_TERRAFORM].action;
    if (!decided_by_values || ot == LC_ACTION_NONE || tf == LC_ACTION_NONE || fits(j, ot) ||
        fits(j, tf))
        return;
    emit_action(j, LC_RULE_BEHAVIOR_WRONG_ACTION,
                lc_str_printf(j->scratch,
                              "values and replace paths lead to %s, but %s was recorded",
                              lc_action_name(ot), lc_action_name(v->run->recorded)));
}

void lc_judge_behavior(lc_judge *j)
{
    judge_ignore_changes(j);
    judge_recorded_action(j);
}

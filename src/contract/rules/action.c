/* Family action, with the deferral of actions: calls that only Terraform makes. List resources and
 * functions are judged by their schemas. */
#include "contract/judge.h"

/* An action may be deferred only because the provider's configuration is unknown. */
static void judge_deferral(lc_judge *j, const lc_call *call)
{
    bool refused = j->view->run->capabilities.deferral_allowed == LC_NO;
    bool provider = lc_str_is(call->deferred_reason, "PROVIDER_CONFIG_UNKNOWN");
    if (!refused && provider)
        return;
    lc_str note = refused
                      ? LC_STR("an action is deferred, though the client does not allow deferrals")
                      : LC_STR("an action is deferred for another reason than an unknown "
                               "provider configuration");
    lc_finding *f =
        lc_emit_aside(j, LC_RULE_DEFERRED_ACTION_REASON, call, call->deferred_loc, note);
    lc_finding_quote(j, f, LC_TF,
                     refused ? LC_SUMMARY_INVALID_DEFERRAL : LC_SUMMARY_INVALID_DEFERRED_REASON,
                     LC_STR_EMPTY);
}

static bool is_completed(const lc_call *call)
{
    for (size_t i = 0; i < call->events.count; i++) {
        if (call->events.items[i].kind == LC_EVENT_COMPLETED)
            return true;
    }
    return false;
}

/* The first event after completion, if there is one. */
static void judge_order(lc_judge *j, const lc_call *call)
{
    size_t i = 0;
    while (i < call->events.count && call->events.items[i].kind != LC_EVENT_COMPLETED)
        i++;
    if (i + 1 >= call->events.count)
        return;
    const lc_event *next = &call->events.items[i + 1];
    lc_emit_aside(j, LC_RULE_ACTION_AFTER_COMPLETED, call, next->loc,
                  next->kind == LC_EVENT_COMPLETED ? LC_STR("the action completes twice")
                                                   : LC_STR("an event after completion"));
}

/* The stream must end with an event of completion. Without any stream Terraform reports an
 * error. */
static void judge_events(lc_judge *j, const lc_call *call)
{
    for (size_t i = 0; i < call->events.count; i++) {
        if (call->events.items[i].kind == LC_EVENT_UNKNOWN)
            lc_emit_aside(j, LC_RULE_ACTION_UNKNOWN_EVENT, call, call->events.items[i].loc,
                          LC_STR("an event that is neither progress nor completion"));
    }
    judge_order(j, call);
    if (call->streamed == LC_YES && !is_completed(call))
        lc_emit_aside(j, LC_RULE_ACTION_NO_EVENTS, call, call->loc,
                      LC_STR("the stream ends without completed"));
    if (call->streamed != LC_NO)
        return;
    lc_finding *f = lc_emit_aside(j, LC_RULE_ACTION_NO_EVENTS, call, call->loc,
                                  LC_STR("there are no events at all"));
    lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_ERROR);
    lc_finding_quote(j, f, LC_TF, LC_SUMMARY_INVALID_ACTION_RESPONSE, LC_STR_EMPTY);
}

void lc_judge_action(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind != LC_CALL_ACTION || call->broke == LC_YES)
            continue;
        if (call->deferred == LC_YES && call->failed != LC_YES)
            judge_deferral(j, call);
        if (call->deferred != LC_YES)
            judge_events(j, call);
    }
}

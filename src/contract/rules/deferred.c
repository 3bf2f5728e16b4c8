/* Family deferred: responses that put a change off. */
#include "contract/judge.h"

static bool is_reason(lc_str reason)
{
    static const char *const reasons[] = {"RESOURCE_CONFIG_UNKNOWN", "PROVIDER_CONFIG_UNKNOWN",
                                          "ABSENT_PREREQ", NULL};
    return lc_str_is_one_of(reason, reasons, NULL);
}

/* The configuration of this call, as far as the run has it. Only Terraform allows deferrals. */
static const lc_value *config_of(const lc_judge *j, const lc_call *call)
{
    if (lc_field_has_value(&call->config))
        return call->config.value;
    if (call->kind == LC_CALL_PLAN)
        return j->view->core[LC_TERRAFORM].config;
    if (call->kind == LC_CALL_PLAN_CREATE)
        return j->view->core[LC_TERRAFORM].create_config;
    return j->view->config;
}

static void judge_reason(lc_judge *j, const lc_call *call)
{
    if (!is_reason(call->deferred_reason)) {
        lc_emit_aside(j, LC_RULE_DEFERRED_REASON, call, call->deferred_loc,
                      LC_STR("deferred without one of the reasons that the protocol defines"));
        return;
    }
    const lc_value *config = config_of(j, call);
    if (lc_str_is(call->deferred_reason, "RESOURCE_CONFIG_UNKNOWN") && config &&
        call->kind != LC_CALL_DESTROY_PLAN && lc_is_wholly_known(config) && !lc_is_null(config))
        lc_emit_aside(j, LC_RULE_DEFERRED_REASON_CONFIG, call, call->deferred_loc,
                      LC_STR("deferred for an unknown configuration, but it is wholly known"));
}

/* A change whose plan was deferred is not applied. If no plan is stated it may have been deferred,
 * so nothing is reported. */
static void judge_final(lc_judge *j, const lc_call *call)
{
    const lc_call *plan = j->view->call[LC_CALL_PLAN];
    const lc_call *create = j->view->call[LC_CALL_PLAN_CREATE];
    if (call->failed == LC_YES || (!plan && !create) || (plan && plan->deferred != LC_NO) ||
        (create && create->deferred != LC_NO))
        return;
    lc_finding *f = lc_emit_aside(j, LC_RULE_DEFERRED_DURING_APPLY, call, call->deferred_loc,
                                  LC_STR("deferred in the apply phase, after it was planned"));
    lc_finding_quote(j, f, LC_TF, LC_SUMMARY_DEFERRED_DURING_APPLY, LC_STR_EMPTY);
}

lc_fact lc_deferral_allowed(const lc_judge *j, const lc_call *call)
{
    return call->deferral_allowed != LC_NOT_KNOWN ? call->deferral_allowed
                                                  : j->view->run->capabilities.deferral_allowed;
}

/* The error with which the SDKs answer for a provider that defers without permission. */
static bool is_refused_by_sdk(const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_ERROR &&
            lc_str_starts_with(d->summary, LC_STR("Invalid Deferred ")))
            return true;
    }
    return false;
}

/* With such an error of the SDK the clients stop before they see the deferral. Any other error is
 * the response that the client uses, and a deferral in the same response has no effect. */
static void judge_allowed(lc_judge *j, const lc_call *call)
{
    if (lc_deferral_allowed(j, call) != LC_NO ||
        (call->failed == LC_YES && !is_refused_by_sdk(call)))
        return;
    lc_loc loc = call->deferred == LC_YES ? call->deferred_loc : call->loc;
    lc_finding *f = lc_emit_aside(j, LC_RULE_DEFERRED_NOT_ALLOWED, call, loc,
                                  LC_STR("deferred, though the client does not allow deferrals"));
    if (call->failed == LC_YES)
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_ERROR);
    else if (call->kind == LC_CALL_OPEN)
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_NONE);
    else
        lc_finding_quote(j, f, LC_TF, LC_SUMMARY_DEFERRAL_NOT_ALLOWED, LC_STR_EMPTY);
}

void lc_judge_deferred(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        bool deferred = call->deferred == LC_YES;
        if (!deferred && !is_refused_by_sdk(call))
            continue;
        if (call->kind == LC_CALL_FINAL_PLAN && deferred) {
            judge_final(j, call);
        } else if (lc_rule_get(LC_RULE_DEFERRED_NOT_ALLOWED)->calls & LC_CALL_BIT(call->kind)) {
            if (deferred)
                judge_reason(j, call);
            judge_allowed(j, call);
        }
    }
}

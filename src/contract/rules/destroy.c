/* Family destroy: the plan and the result of a destroy are null. */
#include "contract/judge.h"

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
    if (able == LC_NO && !j->view->run->probed)
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
                               "a delete is planned with a planned state that is not null");
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

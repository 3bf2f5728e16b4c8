/* Family ephemeral: what is opened agrees with its configuration, and is there. */
#include "contract/judge.h"

void lc_judge_ephemeral(lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_OPEN];
    const lc_value *result = lc_call_object(call);
    if (!result || !lc_is_settled(call))
        return;
    if (!lc_is_null(result)) {
        lc_compare_with_config(j, call, LC_RULE_EPHEMERAL_CONFIG_CHANGED, LC_TF);
        return;
    }
    lc_finding *f = lc_emit_at(j, LC_RULE_EPHEMERAL_NULL, call, LC_PATH_ROOT,
                               "it was opened, but there is no object");
    lc_finding_quote(j, f, LC_TF, LC_SUMMARY_INVALID_EPHEMERAL,
                     lc_str_from_c(lc_core_text_template(LC_TEXT_PLAN_ABSENT)));
    lc_finding_quote(j, f, LC_OT, LC_SUMMARY_NULL_OBJECT, LC_STR_EMPTY);
}

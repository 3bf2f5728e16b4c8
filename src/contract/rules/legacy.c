/* Family legacy: the flag of SDKv2. */
#include "contract/judge.h"

void lc_judge_legacy(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count && j->view->schema->not_legacy; i++) {
        const lc_call *call = &run->calls.items[i];
        bool asked = lc_rule_get(LC_RULE_LEGACY_FLAG_V6)->calls & LC_CALL_BIT(call->kind);
        if (call->legacy != LC_YES || !asked)
            continue;
        lc_emit_aside(j, LC_RULE_LEGACY_FLAG_V6, call, call->loc,
                      LC_STR("legacy_type_system is set, but SDKv2 cannot have made this schema"));
    }
}

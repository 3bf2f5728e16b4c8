/* Calls that make a plan, as each core sees them. */
#include "contract/plan_call.h"
#include "lifecheck/base/arena.h"

static const lc_call_kind plan_kinds[LC_PLAN_CALLS] = {LC_CALL_PLAN, LC_CALL_PLAN_CREATE,
                                                       LC_CALL_FINAL_PLAN};

/* The create of a replace is planned with a null prior state. What a recording has counts more than
 * what is computed. */
bool lc_plan_call_at(lc_plan_call *out, const lc_judge *j, size_t index)
{
    const lc_run_view *v = j->view;
    lc_call_kind kind = plan_kinds[index];
    const lc_call *call = v->call[kind];
    if (!call)
        return false;
    *out = (lc_plan_call){call, v->sent_prior, {NULL, NULL}, LC_COLUMN_CONFIG};
    bool fresh = kind == LC_CALL_PLAN_CREATE || (kind == LC_CALL_FINAL_PLAN && v->replacing);
    if (fresh) {
        lc_value *null = LC_NEW(j->scratch, lc_value);
        lc_value_set_null(null, v->block->implied);
        out->prior = null;
    }
    if (lc_field_has_value(&call->prior_state))
        out->prior = call->prior_state.value;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        const lc_core_run *c = &v->core[core];
        out->config[core] = kind == LC_CALL_PLAN          ? c->config
                            : kind == LC_CALL_PLAN_CREATE ? c->create_config
                                                          : c->final_config;
    }
    return true;
}

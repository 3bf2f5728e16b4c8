/* Family proposed: the proposed new state is what the core computes. */
#include "contract/plan_call.h"

typedef struct mismatch_context {
    lc_judge *j;
    const lc_call *call;
} mismatch_context;

static void each_mismatch(void *opaque, lc_path path, const lc_value *want, const lc_value *got)
{
    mismatch_context *x = opaque;
    (void)want;
    (void)got;
    lc_emit(x->j, &(lc_breach){.rule = LC_RULE_PROPOSED_MISMATCH,
                               .call = x->call,
                               .path = path,
                               .field = &x->call->proposed,
                               .promised_by = LC_COLUMN_CONFIG,
                               .broken_by = LC_COLUMN_PROPOSED,
                               .note = LC_STR("not the merge of configuration and prior state")});
}

/* A proposed state is right if it is that of either core. A difference is shown against
 * OpenTofu's. */
static void judge_proposal(lc_judge *j, const lc_plan_call *p)
{
    const lc_value *want[LC_CORE_COUNT];
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!p->prior || !p->config[core] || lc_is_null(p->config[core]))
            return;
        want[core] =
            lc_proposed_new(j->scratch, (lc_core)core, j->view->block, p->prior, p->config[core]);
    }
    if (!want[LC_OPENTOFU] || !want[LC_TERRAFORM]) {
        lc_finding *f =
            lc_emit(j, &(lc_breach){.rule = LC_RULE_PROPOSED_CORE_CRASH,
                                    .call = p->call,
                                    .path = LC_PATH_ROOT,
                                    .loc = p->call->loc,
                                    .promised_by = LC_COLUMN_NONE,
                                    .broken_by = LC_COLUMN_NONE,
                                    .note = LC_STR("elements of a nested collection "
                                                   "come out with different types, "
                                                   "or a block has missing attributes")});
        for (int core = 0; core < LC_CORE_COUNT; core++)
            lc_finding_effect(f, (lc_core)core, want[core] ? LC_EFFECT_NONE : LC_EFFECT_CRASH);
        return;
    }
    if (p->call->proposed.state != LC_FIELD_GIVEN)
        return;
    const lc_value *got = p->call->proposed.value;
    if (lc_value_same(got, want[LC_OPENTOFU]) || lc_value_same(got, want[LC_TERRAFORM]))
        return;
    mismatch_context x = {j, p->call};
    lc_each_difference(j->scratch, want[LC_OPENTOFU], got, each_mismatch, &x);
}

void lc_judge_proposed(lc_judge *j)
{
    const lc_call *destroy = j->view->call[LC_CALL_DESTROY_PLAN];
    if (destroy && destroy->proposed.state == LC_FIELD_GIVEN &&
        !lc_is_null(destroy->proposed.value))
        lc_emit(j, &(lc_breach){.rule = LC_RULE_PROPOSED_DESTROY_NOT_NULL,
                                .call = destroy,
                                .path = LC_PATH_ROOT,
                                .field = &destroy->proposed,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_PROPOSED,
                                .note = LC_STR("a delete is planned with a proposed object")});
    for (size_t i = 0; i < LC_PLAN_CALLS && !j->view->deleting; i++) {
        lc_plan_call p;
        if (lc_plan_call_at(&p, j, i))
            judge_proposal(j, &p);
    }
}

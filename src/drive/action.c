/* Actions: planned, and invoked only where the scenario itself says so, because nothing undoes
 * them. Only Terraform makes these calls. */
#include "drive/driver.h"

static bool is_invoked(lc_turn *t, bool applies)
{
    bool asked = t->driving && t->driving->apply == LC_YES;
    if (applies && !asked)
        lc_turn_report(t, "the action is planned and not invoked, because nothing undoes it; "
                          "apply: true under drive invokes it");
    else if (applies && !lc_is_wholly_known(t->out->config.value))
        lc_turn_report(t, "the action is not invoked: its configuration has unknown values");
    return applies && asked && lc_is_wholly_known(t->out->config.value);
}

static bool plan(lc_turn *t)
{
    lc_call call;
    if (!lc_turn_begin(t, LC_WALK_PLAN))
        return false;
    lc_client_plan_action(t->client, &call, t->arena, t->schema, t->out->config.value,
                          lc_turn_loc(t, LC_CALL_ACTION));
    const lc_call *kept = lc_turn_add(t, &call, LC_CALL_ACTION);
    lc_turn_end(t);
    return kept->failed == LC_NO && kept->deferred != LC_YES;
}

void lc_turn_action(lc_turn *t, bool applies)
{
    lc_call call;
    if (!lc_turn_value(&t->out->config) || !lc_turn_may_call(t, LC_CALL_ACTION))
        return;
    if (t->driver->options.as == LC_OPENTOFU) {
        lc_turn_report(t, "OpenTofu has no actions; it is only validated");
        return;
    }
    if (!plan(t) || !is_invoked(t, applies) || !lc_turn_may_call(t, LC_CALL_ACTION) ||
        !lc_turn_begin(t, LC_WALK_APPLY))
        return;
    lc_client_invoke_action(t->client, &call, t->arena, t->schema, t->out->config.value,
                            lc_turn_loc(t, LC_CALL_ACTION));
    lc_turn_add(t, &call, LC_CALL_ACTION);
    lc_turn_end(t);
}

/* The place in the input of each column of a finding: the field from which its value comes. */
#include "report/internal.h"

static const lc_call *call_at(const lc_run *run, uint32_t index)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].index == index)
            return &run->calls.items[i];
    }
    return NULL;
}

static const lc_field *result_of(const lc_call *call)
{
    return call ? &call->result : NULL;
}

static const lc_field *config_of(const lc_run *run, lc_call_kind kind)
{
    bool last = kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_APPLY;
    return last && lc_field_has_value(&run->final_config) ? &run->final_config : &run->config;
}

static const lc_field *upgraded_in(const lc_run *run)
{
    const lc_call *upgrade = lc_run_call(run, LC_CALL_UPGRADE);
    return result_of(upgrade ? upgrade : lc_run_call(run, LC_CALL_MOVE));
}

/* The new state is the answer of this call; for a plan or reread, that of the apply. */
static const lc_field *new_state_in(const lc_run *run, lc_call_ref ref)
{
    bool plans = ref.kind == LC_CALL_PLAN || ref.kind == LC_CALL_PLAN_CREATE ||
                 ref.kind == LC_CALL_FINAL_PLAN || ref.kind == LC_CALL_REREAD ||
                 ref.kind == LC_CALL_DESTROY_PLAN;
    const lc_call *call = plans ? NULL : call_at(run, ref.index);
    return result_of(call ? call : lc_run_call(run, LC_CALL_APPLY));
}

const lc_field *lc_column_field(const lc_run *run, lc_call_ref ref, lc_column column)
{
    const lc_call *plan = lc_run_call(run, LC_CALL_PLAN);
    switch (column) {
    case LC_COLUMN_CONFIG:
        return config_of(run, ref.kind);
    case LC_COLUMN_STORED:
        return run->previous_run_state.given ? &run->previous_run_state.attributes : NULL;
    case LC_COLUMN_UPGRADED:
        return upgraded_in(run);
    case LC_COLUMN_PRIOR:
        return &run->prior_state;
    case LC_COLUMN_PROPOSED:
        return plan ? &plan->proposed : NULL;
    case LC_COLUMN_PLANNED:
        return result_of(plan ? plan : lc_run_call(run, LC_CALL_DESTROY_PLAN));
    case LC_COLUMN_PLAN_CREATE:
        return result_of(lc_run_call(run, LC_CALL_PLAN_CREATE));
    case LC_COLUMN_FINAL_PLANNED:
        return result_of(lc_run_call(run, LC_CALL_FINAL_PLAN));
    case LC_COLUMN_NEW:
        return new_state_in(run, ref);
    case LC_COLUMN_REREAD:
        return result_of(lc_run_call(run, LC_CALL_REREAD));
    case LC_COLUMN_NONE:
        break;
    }
    return NULL;
}

lc_loc lc_column_place(const lc_judged *judged, const lc_finding *f, lc_column column)
{
    const lc_case *c = &judged->scenario->subject;
    if (judged->places)
        return judged->places[f - judged->judgement.findings.items][column];
    if (f->run == 0 || f->run > c->runs.count || !f->values[column].given)
        return (lc_loc){LC_STR_EMPTY, 0, 0};
    const lc_field *field = lc_column_field(&c->runs.items[f->run - 1], f->call, column);
    if (!field || field->state != LC_FIELD_GIVEN)
        return (lc_loc){LC_STR_EMPTY, 0, 0};
    return lc_field_locate(field, f->path);
}

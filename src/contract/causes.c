/* Findings that another instance has caused: it violated a requirement, so the final configuration
 * of this instance differs, and this provider planned what was configured, both times. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

static bool lies_below(lc_path path, lc_path above)
{
    return path.count >= above.count && lc_path_eq((lc_path){path.steps, above.count}, above);
}

/* Did the plan take the configured value over at the path? */
static bool plans_as_configured(const lc_judge *j, const lc_call *call, lc_path path)
{
    if (!call || !lc_field_has_value(&call->config) || !lc_field_has_value(&call->result))
        return false;
    const lc_value *config = lc_path_apply(j->scratch, call->config.value, path);
    const lc_value *planned = lc_path_apply(j->scratch, call->result.value, path);
    return config && planned && lc_value_same(config, planned);
}

/* Can the other instance's violation explain the finding? Both plans must be as configured at the
 * place. Nothing else differs there, because the recording would not have joined the two plans
 * otherwise. */
static bool passes_on(const lc_judge *j, const lc_finding *f)
{
    lc_path path = lc_path_up_to_set(f->path);
    lc_call *const *call = j->view->call;
    const lc_call *create = call[LC_CALL_PLAN_CREATE];
    if (f->rule == LC_RULE_CONFIG_INITIAL_FINAL_MISMATCH)
        return true;
    return plans_as_configured(j, create ? create : call[LC_CALL_PLAN], path) &&
           plans_as_configured(j, call[LC_CALL_FINAL_PLAN], path);
}

static bool may_follow(const lc_finding *f)
{
    return f->rule == LC_RULE_CONFIG_INITIAL_FINAL_MISMATCH ||
           (f->call.kind == LC_CALL_FINAL_PLAN &&
            lc_str_starts_with(lc_rule_get(f->rule)->slug, LC_STR("final/")));
}

void lc_findings_name_causes(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; run->origins.count && i < j->out->findings.count; i++) {
        lc_finding *f = &j->out->findings.items[i];
        if (f->run != j->view->number || !may_follow(f))
            continue;
        for (size_t k = 0; !f->cause && k < run->origins.count; k++) {
            const lc_cause *o = &run->origins.items[k];
            if (!lies_below(o->path, lc_path_up_to_set(f->path)) || !passes_on(j, f))
                continue;
            lc_cause *copy = LC_NEW(j->report, lc_cause);
            *copy = *o;
            f->cause = copy;
        }
    }
}

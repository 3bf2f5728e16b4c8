/* Findings that this provider has not caused: another instance violated a requirement, so the final
 * configuration of this one differs, and this provider planned what was configured, both times; or
 * the client sent something else than it should. */
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

/* ---- The client. */

lc_blame lc_finding_blame(const lc_finding *f)
{
    lc_blame blame = lc_rule_get(f->rule)->blame;
    return f->of_client && blame == LC_PROVIDER ? LC_CLIENT : blame;
}

/* Which families of rules rest on what a request has. */
static const struct {
    lc_rule of_client;
    const char *families[4];
} rests_on[] = {
    {LC_RULE_PROPOSED_MISMATCH, {"plan/", "final/", "apply/"}},
    {LC_RULE_PROPOSED_DESTROY_NOT_NULL, {"destroy/"}},
    {LC_RULE_SEQUENCE_STATE_CHAIN, {"read/"}},
    {LC_RULE_SEQUENCE_READ_INPUT, {"read/"}},
    {LC_RULE_SEQUENCE_APPLY_INPUT, {"apply/"}},
    {LC_RULE_SEQUENCE_IDENTITY_CHAIN, {"identity/"}},
};

/* A provider may plan what is right although the proposed state is wrong: then it is at fault for
 * what it plans. */
static bool took_over(lc_arena *scratch, const lc_case *c, const lc_finding *request)
{
    if (request->rule != LC_RULE_PROPOSED_MISMATCH)
        return true;
    const lc_run *run = &c->runs.items[request->run - 1];
    const lc_call *call = request->call.index && request->call.index <= run->calls.count
                              ? &run->calls.items[request->call.index - 1]
                              : NULL;
    if (!call || !lc_field_has_value(&call->proposed) || !lc_field_has_value(&call->result))
        return false;
    lc_path path = lc_path_up_to_set(request->path);
    const lc_value *sent = lc_path_apply(scratch, call->proposed.value, path);
    const lc_value *planned = lc_path_apply(scratch, call->result.value, path);
    return sent && planned && lc_value_same(sent, planned);
}

static bool rests(const lc_finding *answer, const lc_finding *request, size_t row)
{
    lc_str slug = lc_rule_get(answer->rule)->slug;
    bool after = answer->run == request->run && answer->call.index >= request->call.index;
    if (!after || lc_finding_blame(answer) != LC_PROVIDER ||
        !lc_path_overlaps(lc_path_up_to_set(answer->path), lc_path_up_to_set(request->path)))
        return false;
    for (const char *const *family = rests_on[row].families; *family; family++) {
        if (lc_str_starts_with(slug, lc_str_from_c(*family)))
            return true;
    }
    return false;
}

/* The cost is that of the findings about requests times all findings, so only some of them are
 * looked at. */
#define MOST_REQUESTS 1000

void lc_findings_name_client(lc_judgement *out, lc_arena *scratch, const lc_case *c)
{
    size_t left = MOST_REQUESTS;
    for (size_t i = 0; i < out->findings.count && left; i++) {
        const lc_finding *request = &out->findings.items[i];
        for (size_t row = 0; row < sizeof rests_on / sizeof *rests_on; row++) {
            if (request->rule != rests_on[row].of_client || !took_over(scratch, c, request))
                continue;
            left--;
            for (size_t k = 0; k < out->findings.count; k++)
                out->findings.items[k].of_client |= rests(&out->findings.items[k], request, row);
        }
    }
}

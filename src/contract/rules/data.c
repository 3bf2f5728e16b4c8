/* Family data: a result must agree with its configuration, and be read at the right time. */
#include "contract/judge.h"

/* ---- The result against the configuration. */

bool lc_is_settled(const lc_call *call)
{
    return call->failed != LC_YES && call->deferred != LC_YES;
}

static const lc_value *config_of(const lc_judge *j, const lc_call *call)
{
    return lc_field_has_value(&call->config) ? call->config.value : j->view->config;
}

/* AssertPlanValid without a prior state, every issue as `rule`. Terraform checks ephemeral
 * resources so (`live`); for data sources no core does. */
void lc_compare_with_config(lc_judge *j, const lc_call *call, lc_rule rule, lc_cores live)
{
    const lc_value *config = config_of(j, call), *result = call->result.value;
    if (!config || lc_is_null(config) || !lc_is_wholly_known(config) || !lc_is_known(result))
        return;
    lc_walk walk = {.arena = j->scratch, .sensitivity = j->sensitivity};
    lc_core_progress progress = LC_PROGRESS_ALL;
    progress.live = live;
    lc_check_plan(&walk, j->view->block, NULL, config, result, progress);
    for (size_t i = 0; i < walk.issues.count; i++) {
        lc_issue *issue = &walk.issues.items[i];
        const lc_value *part = lc_path_apply(j->scratch, result, issue->path);
        bool unseen = live && !(issue->cores | issue->masked | issue->crash);
        bool reported = !live && part && lc_is_unknown(part); /* response/unknown */
        issue->rule = unseen || reported ? LC_RULE_COUNT : rule;
        issue->crash &= live;
        issue->note = LC_STR("not the configured value");
    }
    lc_emit_issues(j, &walk,
                   &(lc_breach){.call = call,
                                .field = &call->result,
                                .promised_by = LC_COLUMN_CONFIG,
                                .broken_by = LC_COLUMN_NEW});
    lc_walk_release(&walk);
}

/* ---- data: the placeholder object of a read that is delayed to the apply phase. */

typedef struct context {
    lc_judge *j;
    const lc_call *call;
} context;

static void each_mismatch(void *opaque, lc_path path, const lc_value *want, const lc_value *got)
{
    context *x = opaque;
    (void)want;
    (void)got;
    lc_emit(x->j, &(lc_breach){.rule = LC_RULE_DATA_PLANNED_OBJECT,
                               .call = x->call,
                               .path = path,
                               .field = &x->call->planned,
                               .promised_by = LC_COLUMN_CONFIG,
                               .broken_by = LC_COLUMN_PLANNED,
                               .note = LC_STR("not the placeholder that a client makes of this "
                                              "configuration")});
}

static void judge_placeholder(lc_judge *j, const lc_call *call)
{
    const lc_value *config = j->view->config;
    if (call->planned.state != LC_FIELD_GIVEN || !config || !lc_is_known(config))
        return;
    const lc_value *got = call->planned.value, *want[LC_CORE_COUNT];
    for (int core = 0; core < LC_CORE_COUNT; core++)
        want[core] = lc_planned_data(j->scratch, (lc_core)core, j->view->block, config);
    if (!want[LC_OPENTOFU] || !want[LC_TERRAFORM]) /* the core crashes and sends nothing */
        return;
    if (lc_value_same(got, want[LC_OPENTOFU]) || lc_value_same(got, want[LC_TERRAFORM]))
        return;
    context x = {j, call};
    lc_each_difference(j->scratch, want[LC_TERRAFORM], got, each_mismatch, &x);
}

/* ---- data: when it is read. */

/* A data source is read at plan unless its configuration is not wholly known, or a dependency has a
 * pending change. */
static void judge_time(lc_judge *j, const lc_call *call)
{
    const lc_value *config = j->view->config;
    lc_fact pending = j->view->run->depends_on_pending;
    if (!config)
        return;
    bool known = lc_is_wholly_known(config);
    bool early = call->applying == LC_NO ||
                 (call->applying == LC_NOT_KNOWN && call->config.state == LC_FIELD_GIVEN);
    if ((early && !known) || (call->applying == LC_NO && pending == LC_YES))
        lc_emit_aside(j, LC_RULE_DATA_READ_EARLY, call, call->loc,
                      known ? LC_STR("read while something it depends on is about to change")
                            : LC_STR("read with a configuration that is not yet known"));
    if (call->applying == LC_YES && known && pending == LC_NO)
        lc_emit_aside(j, LC_RULE_DATA_READ_LATE, call, call->loc,
                      LC_STR("read in the apply phase, though all inputs were known at plan"));
}

void lc_judge_data(lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_DATA];
    if (!call)
        return;
    judge_time(j, call);
    judge_placeholder(j, call);
    const lc_value *result = lc_call_object(call);
    if (!result || !lc_is_settled(call))
        return;
    if (!lc_is_null(result)) {
        lc_compare_with_config(j, call, LC_RULE_DATA_CONFIG_CHANGED, LC_NO_CORE);
        return;
    }
    lc_finding *f = lc_emit_at(j, LC_RULE_DATA_NULL, call, LC_PATH_ROOT,
                               "the read succeeded, but there is no object");
    lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_NULL_OBJECT, LC_STR_EMPTY);
}

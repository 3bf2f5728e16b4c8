/* Family wo: a write-only value occurs in configurations alone, never in states and plans
 * (contract-rules 3.16). */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_visit visit;
    lc_judge *j;
    void (*each)(struct context *x, const lc_trail *at, const lc_value *v);
    const lc_call *call;
    const lc_field *field;
} context;

/* ---- Visiting all write-only attributes of an object that are not null, and the null elements of
 * nested collections, on which the cores crash when they list the paths of write-only values. */

static bool visit_attribute(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                            const lc_trail *at)
{
    context *x = visit->context;
    if (a->write_only && !lc_is_null(v)) {
        x->each(x, at, v);
        return false;
    }
    return a->nested && a->nested->any_write_only;
}

static void visit_null(lc_visit *visit, const lc_nested_type *t, const lc_value *v,
                       const lc_trail *at)
{
    context *x = visit->context;
    (void)t;
    x->each(x, at, v);
}

static void walk_object(context *x, const lc_field *field)
{
    x->field = field;
    x->visit = (lc_visit){x, visit_attribute, visit_null};
    if (field->state == LC_FIELD_GIVEN && x->j->view->block->any_write_only)
        lc_visit_object(&x->visit, x->j->view->block, field->value);
}

/* ---- wo/returned. */

/* Terraform has a different summary for most calls, OpenTofu one for all. */
static const char *terraform_summary(lc_call_kind kind)
{
    switch (kind) {
    case LC_CALL_UPGRADE:
        return LC_SUMMARY_INVALID_UPGRADE;
    case LC_CALL_PLAN:
    case LC_CALL_PLAN_CREATE:
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_FINAL_PLAN:
        return LC_SUMMARY_INVALID_PLAN;
    case LC_CALL_IMPORT:
        return LC_SUMMARY_IMPORT_WRITE_ONLY;
    case LC_CALL_MOVE:
        return LC_SUMMARY_MOVE_WRITE_ONLY;
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_READ:
    case LC_CALL_VALIDATE:
    case LC_CALL_APPLY:
    case LC_CALL_DESTROY:
    case LC_CALL_REREAD:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return LC_SUMMARY_INVALID_OBJECT;
}

static bool is_plan(lc_call_kind kind)
{
    return kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE || kind == LC_CALL_FINAL_PLAN;
}

static void returned(context *x, const lc_trail *at, const lc_value *v)
{
    lc_call_kind kind = x->call->kind;
    bool null = lc_is_null(v);
    lc_finding *f = lc_emit_at(
        x->j, LC_RULE_WO_RETURNED, x->call, lc_path_from_trail(x->j->scratch, at),
        null ? "a null element, below which both cores look for write-only attributes and crash"
             : "a write-only value that is not null");
    f->loc = lc_field_locate(x->field, f->path);
    for (int core = 0; core < LC_CORE_COUNT && null; core++)
        lc_finding_effect(f, (lc_core)core, LC_EFFECT_CRASH);
    if (null)
        return;
    if (kind == LC_CALL_IMPORT)
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_NONE);
    else
        lc_finding_quote(x->j, f, LC_OT, LC_SUMMARY_INVALID_RESPONSE, LC_STR_EMPTY);
    if ((is_plan(kind) && x->call->deferred == LC_YES) ||
        (x->call->failed == LC_YES && kind != LC_CALL_APPLY && kind != LC_CALL_DESTROY))
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_NONE); /* Terraform does not check these */
    else
        lc_finding_quote(x->j, f, LC_TF, terraform_summary(kind), LC_STR_EMPTY);
}

static void judge_returned(lc_judge *j, const lc_call *call)
{
    context x = {.j = j, .each = returned, .call = call};
    if (!(lc_rule_get(LC_RULE_WO_RETURNED)->calls & LC_CALL_BIT(call->kind)))
        return;
    walk_object(&x, &call->result);
    for (size_t i = 0; i < call->imported.count; i++)
        walk_object(&x, &call->imported.items[i].state);
}

/* Both cores stop at wo/returned before they compare the values of the object. */
bool lc_call_stopped(const lc_judge *j, const lc_call *call)
{
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->rule == LC_RULE_WO_RETURNED && f->run == j->view->number &&
            f->call.index == call->index)
            return true;
    }
    return false;
}

/* ---- wo/prior-not-null: what the client sends. */

static void sent(context *x, const lc_trail *at, const lc_value *v)
{
    if (lc_is_null(v))
        return;
    lc_path path = lc_path_from_trail(x->j->scratch, at);
    lc_emit(x->j, &(lc_breach){.rule = LC_RULE_WO_PRIOR_NOT_NULL,
                               .call = x->call,
                               .path = path,
                               .field = x->field,
                               .promised_by = LC_COLUMN_NONE,
                               .broken_by = LC_COLUMN_PRIOR,
                               .note = LC_STR("a state that is sent has a write-only value")});
}

static void judge_sent(lc_judge *j, const lc_call *call)
{
    context x = {.j = j, .each = sent, .call = call};
    walk_object(&x, &call->prior_state);
}

/* The stored state is sent with the upgrade, whether or not that call was recorded. */
static void judge_stored(lc_judge *j, const lc_call *call, const lc_raw_state *raw)
{
    static const lc_call unrecorded = {.kind = LC_CALL_UPGRADE};
    context x = {.j = j, .each = sent, .call = call ? call : &unrecorded};
    if (!raw->given || !lc_field_has_value(&raw->attributes) ||
        raw->schema_version != j->view->schema->version)
        return;
    lc_field stored = raw->attributes;
    stored.value = lc_stored_decode(j->scratch, stored.value, j->view->block->implied, true);
    if (stored.value)
        walk_object(&x, &stored);
}

/* ---- wo/config-dropped. */

typedef struct dropped {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field;
} dropped;

static void each_dropped(void *opaque, lc_path path, const lc_value *written, const lc_value *now)
{
    dropped *x = opaque;
    path = lc_path_by_schema(x->j->scratch, x->j->view->block, path);
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, path);
    bool ignored = is_plan(x->call->kind) && lc_is_ignored(x->j->view->run, path);
    if (!a || !a->write_only || !lc_is_known(written) || !lc_is_null(now) || ignored)
        return;
    lc_emit(x->j,
            &(lc_breach){.rule = LC_RULE_WO_CONFIG_DROPPED,
                         .call = x->call,
                         .path = path,
                         .field = x->field,
                         .promised_by = LC_COLUMN_NONE,
                         .broken_by = LC_COLUMN_CONFIG,
                         .note = LC_STR("the configuration that is sent has lost this value")});
}

static void judge_dropped(lc_judge *j, const lc_call *call, const lc_field *field)
{
    const lc_value *written = j->view->config;
    dropped x = {j, call, field};
    if (!call || field->state != LC_FIELD_GIVEN || !written || written == field->value ||
        !lc_is_known(written) || !lc_is_known(field->value) || !j->view->block->any_write_only)
        return;
    lc_each_difference(j->scratch, written, field->value, each_dropped, &x);
}

/* A plan repeats the configuration that was validated right before it. */
static void judge_validated(lc_judge *j, const lc_call *plan)
{
    const lc_call *before = plan->index > 1 ? &j->view->run->calls.items[plan->index - 2] : NULL;
    dropped x = {j, plan, &plan->config};
    if (before && before->kind == LC_CALL_VALIDATE && lc_field_has_value(&before->config) &&
        lc_is_known(before->config.value) && plan->config.state == LC_FIELD_GIVEN &&
        lc_is_known(plan->config.value) && j->view->block->any_write_only)
        lc_each_difference(j->scratch, before->config.value, plan->config.value, each_dropped, &x);
}

void lc_judge_write_only(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        judge_returned(j, call);
        judge_sent(j, call);
        if (call->kind == LC_CALL_UPGRADE)
            judge_stored(j, call, &call->raw);
        if (is_plan(call->kind) || call->kind == LC_CALL_APPLY)
            judge_dropped(j, call, &call->config);
        if (call == j->view->call[LC_CALL_PLAN])
            judge_validated(j, call);
    }
    if (!j->view->call[LC_CALL_UPGRADE])
        judge_stored(j, NULL, &run->previous_run_state);
    const lc_call *last = j->view->call[LC_CALL_FINAL_PLAN];
    judge_dropped(j, last ? last : j->view->call[LC_CALL_APPLY], &run->final_config);
}

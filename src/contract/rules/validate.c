/* Family validate: which errors a validation may return, and which it should return. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_value *config; /* what was validated */
    const lc_field *field;
} context;

/* The configuration that the call carried, or else that of the run; NULL: not known. */
static const lc_value *validated_config(const lc_run *run, const lc_call *call)
{
    if (lc_field_has_value(&call->config))
        return call->config.value;
    return lc_field_has_value(&run->config) ? run->config.value : NULL;
}

static lc_finding *emit(context *x, lc_rule rule, lc_path path, lc_loc loc, const char *note)
{
    return lc_emit(x->j, &(lc_breach){.rule = rule,
                                      .call = x->call,
                                      .path = path,
                                      .loc = loc,
                                      .promised_by = LC_COLUMN_CONFIG,
                                      .broken_by = LC_COLUMN_NONE,
                                      .note = lc_str_from_c(note)});
}

/* ---- Where a diagnostic points. */

/* The value at the path, or the set that contains it, because elements of sets cannot be
 * distinguished. NULL if there is no value. */
static const lc_value *pointed_at(const context *x, lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        lc_path above = {path.steps, i};
        const lc_value *set = path.steps[i].kind == LC_STEP_ELEMENT
                                  ? lc_path_apply(x->j->scratch, x->config, above)
                                  : NULL;
        if (set)
            return set;
    }
    return lc_path_apply(x->j->scratch, x->config, path);
}

/* ---- Is there a default? Some plan of the case chose a value where the configuration was null. */

static bool plan_chose(const lc_judge *j, const lc_run *run, const lc_call *call, lc_path path)
{
    bool plan = call->kind == LC_CALL_PLAN || call->kind == LC_CALL_PLAN_CREATE ||
                call->kind == LC_CALL_FINAL_PLAN;
    const lc_value *config = validated_config(run, call);
    if (call->kind == LC_CALL_FINAL_PLAN && lc_field_has_value(&run->final_config))
        config = run->final_config.value;
    if (!plan || !config || !lc_field_has_value(&call->result))
        return false;
    const lc_value *written = lc_path_apply(j->scratch, config, path);
    const lc_value *planned = lc_path_apply(j->scratch, call->result.value, path);
    return written && planned && lc_is_null(written) && !lc_is_null(planned);
}

static bool has_default(const lc_judge *j, lc_path path)
{
    for (size_t i = 0; i < j->subject->runs.count; i++) {
        const lc_run *run = &j->subject->runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++) {
            if (plan_chose(j, run, &run->calls.items[k], path))
                return true;
        }
    }
    return false;
}

/* ---- validate/rejects-... */

/* Is there a validation of a wholly known configuration without an error of the same summary? */
static bool vanishes_when_known(const context *x, const lc_provider_diag *d)
{
    bool known = false;
    for (size_t i = 0; i < x->j->view->run->calls.count; i++) {
        const lc_call *other = &x->j->view->run->calls.items[i];
        const lc_value *config = validated_config(x->j->view->run, other);
        if (other->kind != LC_CALL_VALIDATE || !config || !lc_is_wholly_known(config))
            continue;
        known = true;
        for (size_t k = 0; k < other->diagnostics.count; k++) {
            const lc_provider_diag *e = &other->diagnostics.items[k];
            if (e->severity == LC_SEVERITY_ERROR && lc_str_eq(e->summary, d->summary))
                return false;
        }
    }
    return known;
}

static bool has_error_at(const lc_call *call, lc_path path)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        if (d->severity == LC_SEVERITY_ERROR && d->has_path && lc_path_eq(d->path, path))
            return true;
    }
    return false;
}

/* Was every known value that was tried at this place rejected too? SDKv2 never accepts `id`,
 * though its schema allows it. */
static bool rejects_known_too(const context *x, lc_path path)
{
    const lc_run *run = x->j->view->run;
    bool rejected = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *other = &run->calls.items[i];
        const lc_value *config = validated_config(run, other);
        const lc_value *part = other->kind == LC_CALL_VALIDATE && config
                                   ? lc_path_apply(x->j->scratch, config, path)
                                   : NULL;
        if (!part || lc_is_null(part) || !lc_is_wholly_known(part))
            continue;
        if (!has_error_at(other, path))
            return false;
        rejected = true;
    }
    return rejected;
}

/* An error without a path may be about a known part, so it is only reported if it disappears once
 * all is known. */
static void judge_rejection(context *x, const lc_provider_diag *d)
{
    if (!d->has_path || d->path.count == 0) {
        if (!lc_is_wholly_known(x->config) && vanishes_when_known(x, d))
            emit(x, LC_RULE_VALIDATE_REJECTS_UNKNOWN, LC_PATH_ROOT, d->loc,
                 "an error that vanishes when the configuration is known");
        return;
    }
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, d->path);
    const lc_value *part = pointed_at(x, d->path);
    if (part && !lc_is_wholly_known(part) && rejects_known_too(x, d->path))
        return;
    bool chooses = a && a->optional && a->computed && has_default(x->j, d->path);
    long cause = -1;
    if (part && chooses && lc_is_null(part))
        emit(x, LC_RULE_VALIDATE_REJECTS_DEFAULT_NULL, d->path, d->loc,
             "null is an error, though the provider has a default for it");
    if (part && chooses && lc_is_unknown(part)) {
        cause = (long)x->j->out->findings.count;
        emit(x, LC_RULE_VALIDATE_REJECTS_COMPUTED_UNKNOWN, d->path, d->loc,
             "unknown is an error, though it may become null and get the provider's default");
    }
    if (part && !lc_is_wholly_known(part))
        emit(x, LC_RULE_VALIDATE_REJECTS_UNKNOWN, d->path, d->loc,
             "an error about a value that is not known yet")
            ->follows = cause;
}

/* ---- validate/required-null, validate/computed-only-accepted: an invalid configuration without an
 * error. */

static bool accepted(lc_visit *visit, const lc_attribute *a, const lc_value *v, const lc_trail *at)
{
    context *x = visit->context;
    lc_path path = lc_path_from_trail(x->j->scratch, at);
    bool only_computed = a->computed && !a->optional && !lc_is_null(v);
    if (a->required && lc_is_null(v) && x->call->kind == LC_CALL_VALIDATE)
        emit(x, LC_RULE_VALIDATE_REQUIRED_NULL, path, lc_field_locate(x->field, path),
             "a required attribute is null, and validation accepts it");
    if (only_computed && !lc_is_ignored(x->j->view->run, path))
        emit(x, LC_RULE_VALIDATE_COMPUTED_ONLY_ACCEPTED, path, lc_field_locate(x->field, path),
             "an attribute that only the provider may set is configured, and accepted");
    return !only_computed;
}

static void judge_accepted(context *x)
{
    lc_visit visit = {x, accepted, NULL};
    lc_visit_object(&visit, x->j->view->block, x->config);
}

/* ---- validate/not-repeated: an error that validation returns once all is known, but the final
 * plan does not. */

static bool was_unknown_before(const context *x)
{
    const lc_value *first = x->j->view->config;
    if (first && !lc_is_wholly_known(first))
        return true;
    for (size_t i = 0; i < x->j->view->run->calls.count; i++) {
        const lc_call *other = &x->j->view->run->calls.items[i];
        const lc_value *config = validated_config(x->j->view->run, other);
        if (other == x->call)
            return false;
        if (other->kind == LC_CALL_VALIDATE && config && !lc_is_wholly_known(config))
            return true;
    }
    return false;
}

static void judge_repeated(context *x, const lc_provider_diag *d)
{
    const lc_call *final = x->j->view->call[LC_CALL_FINAL_PLAN];
    if (!final || final->failed != LC_NO || !lc_is_wholly_known(x->config) ||
        !was_unknown_before(x))
        return;
    context at_plan = {x->j, final, x->config, x->field};
    emit(&at_plan, LC_RULE_VALIDATE_NOT_REPEATED, d->has_path ? d->path : LC_PATH_ROOT, final->loc,
         "validation finds an error once all is known, planning does not");
}

/* ---- validate/prepared-config. */

static void each_prepared(void *opaque, lc_path path, const lc_value *written, const lc_value *now)
{
    context *x = opaque;
    (void)written;
    (void)now;
    lc_finding *f = emit(x, LC_RULE_VALIDATE_PREPARED_CONFIG, path,
                         lc_field_locate(&x->call->prepared_config, path),
                         "the prepared configuration differs from what the user wrote");
    lc_finding_quote(x->j, f, LC_TF, "", LC_STR(LC_DETAIL_CONFIG_CHANGED));
}

static void judge_prepared(context *x)
{
    const lc_field *prepared = &x->call->prepared_config;
    if (prepared->state == LC_FIELD_GIVEN && !lc_is_null(prepared->value))
        lc_each_difference(x->j->scratch, x->config, prepared->value, each_prepared, x);
}

/* ---- Calls. */

static void judge_validation(lc_judge *j, const lc_call *call)
{
    const lc_run *run = j->view->run;
    context x = {j, call, validated_config(run, call),
                 lc_field_has_value(&call->config) ? &call->config : &run->config};
    if (!x.config)
        return;
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        if (call->diagnostics.items[i].severity != LC_SEVERITY_ERROR)
            continue;
        judge_rejection(&x, &call->diagnostics.items[i]);
        judge_repeated(&x, &call->diagnostics.items[i]);
    }
    if (call->failed == LC_NO)
        judge_accepted(&x);
    judge_prepared(&x);
}

/* If there was no validation, the plan should have refused the configuration. */
static void judge_plan(lc_judge *j)
{
    const lc_run *run = j->view->run;
    const lc_call *plan = j->view->call[LC_CALL_PLAN];
    const lc_value *config = plan ? validated_config(run, plan) : NULL;
    if (!config || plan->failed != LC_NO || j->view->call[LC_CALL_VALIDATE])
        return;
    context x = {j, plan, config, lc_field_has_value(&plan->config) ? &plan->config : &run->config};
    judge_accepted(&x);
}

/* validate/never-known: some validation of a wholly known configuration should come before the
 * apply. */
static void judge_known_once(lc_judge *j)
{
    const lc_run *run = j->view->run;
    const lc_call *apply = j->view->call[LC_CALL_APPLY], *any = NULL;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        const lc_value *config = validated_config(run, call);
        if (call->kind != LC_CALL_VALIDATE || !config)
            continue;
        if (lc_is_wholly_known(config) && (!apply || call->index < apply->index))
            return;
        any = any ? any : call;
    }
    static const lc_call never_made = {.kind = LC_CALL_VALIDATE};
    if (!any && run->validated == LC_NO)
        any = &never_made;
    if (!any || !apply || !run->order_known)
        return;
    context x = {j, any, NULL, NULL};
    emit(&x, LC_RULE_VALIDATE_NEVER_KNOWN, LC_PATH_ROOT, any->loc.line ? any->loc : apply->loc,
         "applied, though no wholly known configuration was ever validated");
}

void lc_judge_validate(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_VALIDATE)
            judge_validation(j, &run->calls.items[i]);
    }
    judge_plan(j);
    if (!run->probed)
        judge_known_once(j);
}

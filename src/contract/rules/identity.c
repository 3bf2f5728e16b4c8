/* Family identity: the identity of the remote object (contract-rules 3.15, contract-algorithms
 * 4.13). Terraform checks identities in many calls; OpenTofu stores nearly everything that it can
 * decode. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field;
} context;

/* Paths are inside the identity, whose schema has no sensitive attributes. */
static lc_finding *emit(context *x, lc_rule rule, lc_path path, const char *note)
{
    bool undecodable = x->field->state == LC_FIELD_UNDECODABLE;
    return lc_emit(x->j, &(lc_breach){.rule = rule,
                                      .call = x->call,
                                      .path = path,
                                      .field = undecodable ? NULL : x->field,
                                      .loc = x->field->loc,
                                      .promised_by = LC_COLUMN_NONE,
                                      .broken_by = lc_call_column(x->call->kind),
                                      .note = lc_str_from_c(note),
                                      .apart = true});
}

/* Columns of these findings show the identity, which lc_emit does not know. */
static void show(context *x, lc_finding *f, lc_column column, const lc_value *identity)
{
    const lc_value *part = lc_path_apply(x->j->scratch, identity, f->path);
    if (part && column != LC_COLUMN_NONE)
        f->values[column] =
            lc_show(x->j->report, lc_sensitivity_at(x->j->sensitivity, f->path), part, part->type);
}

/* ---- Identities without a schema. Their values can only be compared. */

static bool is_shown(const lc_field *field)
{
    return field->untyped && field->state == LC_FIELD_GIVEN && !lc_is_null(field->value);
}

static bool shows_identity(const lc_call *call)
{
    bool shown = is_shown(&call->identity) || is_shown(&call->prior_identity);
    for (size_t i = 0; i < call->imported.count && !shown; i++)
        shown = is_shown(&call->imported.items[i].identity);
    return shown;
}

bool lc_identity_is_untyped(const lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count && !j->view->schema->identity_type; i++) {
        if (shows_identity(&run->calls.items[i]))
            return true;
    }
    return false;
}

/* Has an earlier call of this run or the one before shown that objects of this type have
 * identities? */
static bool was_shown(const lc_judge *j, const lc_call *call)
{
    size_t number = j->view->number;
    for (size_t i = number > 1 ? number - 2 : 0; i < number; i++) {
        const lc_run *run = &j->subject->runs.items[i];
        for (size_t k = 0; k < run->calls.count && &run->calls.items[k] != call; k++) {
            if (shows_identity(&run->calls.items[k]))
                return true;
        }
    }
    return false;
}

/* ---- Which identity an object had before a call. */

static const lc_value *known_identity(const lc_field *field)
{
    return lc_field_has_value(field) && lc_is_wholly_known(field->value) ? field->value : NULL;
}

static const lc_value *stored_identity(const lc_judge *j)
{
    const lc_schema *s = j->view->schema;
    const lc_raw_state *raw = &j->view->run->previous_run_state;
    if (!raw->given || !raw->has_identity || !lc_field_has_value(&raw->identity) ||
        !s->identity_type || raw->identity_schema_version != s->identity_version)
        return NULL;
    return lc_stored_decode(j->scratch, raw->identity.value, s->identity_type, false);
}

/* Does the run make another object, or import one? Then only identities after that belong to it. */
static bool makes_another(const lc_run_view *v)
{
    return v->deleting || v->replacing || v->run->tainted == LC_YES || v->call[LC_CALL_IMPORT] ||
           !v->sent_prior || lc_is_null(v->sent_prior);
}

static const lc_value *applied_identity(const lc_run_view *v)
{
    const lc_call *apply = v->call[LC_CALL_APPLY];
    return apply && apply->failed != LC_YES ? known_identity(&apply->identity) : NULL;
}

static const lc_value *imported_identity(const lc_call *import)
{
    bool one = import->failed != LC_YES && import->imported.count == 1;
    return one ? known_identity(&import->imported.items[0].identity) : NULL;
}

const lc_value *lc_identity_before(const lc_judge *j, const lc_call *call)
{
    const lc_run_view *v = j->view;
    const lc_value *found = known_identity(&call->prior_identity);
    if (found)
        return found;
    if (call->kind == LC_CALL_REREAD && makes_another(v))
        return applied_identity(v);
    if (call->kind == LC_CALL_READ && v->call[LC_CALL_IMPORT])
        return imported_identity(v->call[LC_CALL_IMPORT]);
    /* responses before this call, the nearest first */
    static const lc_call_kind order[] = {LC_CALL_APPLY, LC_CALL_FINAL_PLAN, LC_CALL_PLAN,
                                         LC_CALL_READ, LC_CALL_UPGRADE_IDENTITY};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const lc_call *before = v->call[order[i]];
        if (before && before != call && before->index < call->index && before->failed != LC_YES)
            found = known_identity(&before->identity);
        if (found)
            return found;
    }
    found = known_identity(&v->run->prior_identity);
    return found ? found : stored_identity(j);
}

/* ---- identity/unknown. */

typedef enum kind_of_plan { PLAN_OF_EXISTING, PLAN_OF_CREATE, PLAN_OF_ANOTHER } kind_of_plan;

static kind_of_plan kind_of(const lc_judge *j, const lc_call *call)
{
    const lc_run_view *v = j->view;
    const lc_value *prior =
        lc_field_has_value(&call->prior_state) ? call->prior_state.value : v->sent_prior;
    if (v->replacing || v->run->tainted == LC_YES || !prior)
        return PLAN_OF_ANOTHER;
    return lc_is_null(prior) ? PLAN_OF_CREATE : PLAN_OF_EXISTING;
}

/* OpenTofu does not look at identities, but it cannot store what is not known: after reads, applies
 * and the first plan. */
static bool is_stored(lc_call_kind kind)
{
    return kind == LC_CALL_READ || kind == LC_CALL_REREAD || kind == LC_CALL_PLAN ||
           kind == LC_CALL_APPLY;
}

/* The plan of a new object may have an identity that is not known yet; but OpenTofu fails to encode
 * it when it stores the result of the first plan. */
static void each_unknown(void *opaque, lc_path path)
{
    context *x = opaque;
    lc_call_kind kind = x->call->kind;
    bool plan = kind == LC_CALL_PLAN || kind == LC_CALL_FINAL_PLAN;
    kind_of_plan what = plan ? kind_of(x->j, x->call) : PLAN_OF_EXISTING;
    bool create = what == PLAN_OF_CREATE;
    if (what == PLAN_OF_ANOTHER || (create && (kind == LC_CALL_FINAL_PLAN || x->field->untyped)))
        return;
    lc_finding *f = emit(x, LC_RULE_IDENTITY_UNKNOWN, path,
                         create ? "unknown in the plan of a create, which OpenTofu cannot store"
                                : "an existing object has an identity that is not known");
    show(x, f, lc_call_column(kind), x->field->value);
    lc_finding_effect(f, LC_OPENTOFU, is_stored(kind) ? LC_EFFECT_ERROR : LC_EFFECT_NONE);
    lc_finding_effect(f, LC_TERRAFORM, create ? LC_EFFECT_NONE : LC_EFFECT_ERROR);
    if (is_stored(kind))
        lc_finding_quote(x->j, f, LC_OT, "",
                         lc_str_printf(x->j->scratch, LC_DETAIL_IDENTITY_NOT_ENCODED,
                                       LC_FMT(x->j->subject->resource)));
    if (!create)
        lc_finding_quote(x->j, f, LC_TF, LC_SUMMARY_INVALID_IDENTITY,
                         LC_STR(LC_DETAIL_UNKNOWN_IDENTITY));
}

/* ---- identity/missing, identity/type, identity/no-schema. */

/* Is a null identity right in this call? It is if no object is returned, and in calls that need not
 * return one. */
static bool may_be_null(const lc_call *call)
{
    switch (call->kind) {
    case LC_CALL_READ:
    case LC_CALL_REREAD:
    case LC_CALL_APPLY:
        return call->result.state == LC_FIELD_GIVEN && lc_is_null(call->result.value);
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_IMPORT:
    case LC_CALL_LIST:
        return false;
    case LC_CALL_SCHEMA:
    case LC_CALL_MOVE:
    case LC_CALL_UPGRADE:
    case LC_CALL_VALIDATE:
    case LC_CALL_PLAN:
    case LC_CALL_PLAN_CREATE:
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_FINAL_PLAN:
    case LC_CALL_DESTROY:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return true;
}

static void judge_missing(context *x)
{
    lc_call_kind kind = x->call->kind;
    if (x->call->failed == LC_YES || x->call->deferred == LC_YES || may_be_null(x->call))
        return;
    lc_finding *f = emit(x, LC_RULE_IDENTITY_MISSING, LC_PATH_ROOT,
                         "the call succeeded, but the object has no identity");
    if (kind == LC_CALL_UPGRADE_IDENTITY) {
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_ERROR);
        lc_finding_quote(x->j, f, LC_OT, LC_SUMMARY_NO_IDENTITY_AFTER_UPGRADE, LC_STR_EMPTY);
    } else {
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_NONE);
    }
    const lc_field *asked = &x->call->prior_identity;
    bool by_identity = kind == LC_CALL_IMPORT && asked->state != LC_FIELD_ABSENT &&
                       (!asked->value || !lc_is_null(asked->value));
    lc_finding_effect(f, LC_TERRAFORM, by_identity ? LC_EFFECT_ERROR : LC_EFFECT_NONE);
    if (by_identity)
        lc_finding_quote(x->j, f, LC_TF, "",
                         lc_str_printf(x->j->scratch, "import of %.*s " LC_DETAIL_NO_IDENTITY,
                                       LC_FMT(x->j->subject->resource)));
}

/* In calls without a check of identities the value only fails to decode, and in OpenTofu always. */
static void judge_type(context *x)
{
    bool checked = lc_rule_get(LC_RULE_IDENTITY_TYPE)->calls & LC_CALL_BIT(x->call->kind);
    lc_finding *f = emit(x, checked ? LC_RULE_IDENTITY_TYPE : LC_RULE_WIRE_VALUE_DECODE,
                         x->field->problem_path, "not of the type of the identity schema");
    f->message = lc_str_copy(x->j->report, x->field->problem.message);
    if (checked)
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_ERROR);
    if (checked)
        lc_finding_quote(x->j, f, LC_TF,
                         x->call->kind == LC_CALL_UPGRADE_IDENTITY
                             ? LC_SUMMARY_INVALID_IDENTITY_UPGRADE
                             : LC_SUMMARY_IDENTITY_NOT_BY_SCHEMA,
                         LC_STR_EMPTY);
}

/* The cores check the identity of a failed apply and of a failed plan to destroy, but of no other
 * failed call. */
static bool may_be_unknown(const lc_call *call)
{
    bool rule = lc_rule_get(LC_RULE_IDENTITY_UNKNOWN)->calls & LC_CALL_BIT(call->kind);
    return !rule || (call->failed == LC_YES && call->kind != LC_CALL_APPLY &&
                     call->kind != LC_CALL_DESTROY_PLAN);
}

static void judge_form(context *x)
{
    if (x->field->state == LC_FIELD_UNDECODABLE)
        judge_type(x);
    if (x->field->state != LC_FIELD_GIVEN)
        return;
    bool missing = lc_is_null(x->field->value);
    if (missing && (!x->field->untyped || was_shown(x->j, x->call)))
        judge_missing(x);
    else if (!may_be_unknown(x->call))
        lc_each_unknown(x->j->scratch, x->field->value, each_unknown, x);
}

static void judge_without_schema(context *x)
{
    if (x->field->state != LC_FIELD_GIVEN || lc_is_null(x->field->value))
        return;
    lc_finding *f = emit(x, LC_RULE_IDENTITY_NO_SCHEMA, LC_PATH_ROOT,
                         "an identity is returned for a type without an identity schema");
    lc_finding_quote(
        x->j, f, LC_TF, "",
        lc_str_printf(x->j->scratch, LC_DETAIL_UNKNOWN_IDENTITY_TYPE, LC_FMT(x->j->subject->type)));
}

/* ---- identity/changed. */

typedef struct change {
    context *x;
    const lc_value *before, *now;
} change;

/* Is the value null, or the zero value of its type? The SDKs return zero values where nothing is
 * set. */
static bool is_zero(const lc_value *v)
{
    if (!lc_is_known(v))
        return lc_is_null(v);
    if (v->type->kind == LC_TYPE_STRING)
        return v->as.string.len == 0;
    if (v->type->kind == LC_TYPE_NUMBER)
        return lc_num_cmp(v->as.number, lc_num_from_int(0)) == 0;
    return v->type->kind == LC_TYPE_BOOL ? !v->as.boolean : v->count == 0;
}

static void each_change(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    const change *c = opaque;
    if (c->x->call->kind == LC_CALL_READ && c->x->j->view->call[LC_CALL_IMPORT] && is_zero(a))
        return;
    lc_finding *f =
        emit(c->x, LC_RULE_IDENTITY_CHANGED, path, "the identity of an existing object changed");
    f->promised_by = f->broken_by == LC_COLUMN_PRIOR ? LC_COLUMN_UPGRADED : LC_COLUMN_PRIOR;
    show(c->x, f, f->promised_by, c->before);
    show(c->x, f, f->broken_by, c->now);
    f->diff_facts |= lc_is_null(a) ? LC_DIFF_FACT_PROMISED_NULL : 0;
    f->diff_facts |= lc_is_known(b) ? LC_DIFF_FACT_BROKEN_KNOWN : 0;
}

/* A new object has another identity. */
static bool may_change(const lc_run_view *v, const lc_call *call)
{
    return call->kind != LC_CALL_READ && call->kind != LC_CALL_REREAD && makes_another(v);
}

static void judge_change(context *x)
{
    lc_call_kind kind = x->call->kind;
    bool looked_at = lc_rule_get(LC_RULE_IDENTITY_CHANGED)->calls & LC_CALL_BIT(kind);
    const lc_value *now = known_identity(x->field);
    if (!looked_at || !now || may_change(x->j->view, x->call) || x->call->failed == LC_YES)
        return;
    if (x->field->untyped && lc_is_null(now)) /* such a client hands no identity on */
        return;
    change c = {x, lc_identity_before(x->j, x->call), now};
    if (c.before && !lc_is_null(c.before))
        lc_each_difference(x->j->scratch, c.before, now, each_change, &c);
}

/* ---- What is stored: identity/upgrade-newer, identity/not-versioned. */

const lc_raw_state *lc_raw_identity(const lc_judge *j)
{
    const lc_call *upgrade = j->view->call[LC_CALL_UPGRADE_IDENTITY];
    const lc_raw_state *raw =
        upgrade && upgrade->raw.given ? &upgrade->raw : &j->view->run->previous_run_state;
    bool usable = raw->given && raw->has_identity && lc_field_has_value(&raw->identity) &&
                  !lc_is_null(raw->identity.value) && j->view->schema->identity_type;
    return usable ? raw : NULL;
}

static lc_finding *emit_stored(lc_judge *j, const lc_raw_state *raw, lc_rule rule, lc_str note)
{
    const lc_call *call = j->view->call[LC_CALL_UPGRADE_IDENTITY];
    lc_finding *f = lc_emit_aside(j, rule, call, raw->identity.loc, note);
    f->call.kind = LC_CALL_UPGRADE_IDENTITY;
    return f;
}

/* At the same version the stored identity must still decode: otherwise its schema changed without a
 * new version. */
static void judge_stored(lc_judge *j)
{
    const lc_schema *s = j->view->schema;
    const lc_raw_state *raw = lc_raw_identity(j);
    if (!raw)
        return;
    if (raw->identity_schema_version > s->identity_version) {
        lc_finding *f = emit_stored(
            j, raw, LC_RULE_IDENTITY_UPGRADE_NEWER,
            lc_str_printf(j->scratch, "stored with identity version %lld, the schema has %lld",
                          (long long)raw->identity_schema_version, (long long)s->identity_version));
        lc_finding_quote(j, f, LC_OT, LC_SUMMARY_NEWER_IDENTITY, LC_STR_EMPTY);
        lc_finding_quote(j, f, LC_TF, LC_SUMMARY_NEWER_STATE, LC_STR_EMPTY);
    }
    if (raw->identity_schema_version != s->identity_version ||
        lc_stored_decode(j->scratch, raw->identity.value, s->identity_type, false))
        return;
    lc_finding *f =
        emit_stored(j, raw, LC_RULE_IDENTITY_NOT_VERSIONED,
                    LC_STR("stored with the current version, but the schema cannot read it"));
    lc_finding_quote(j, f, LC_TF, "", LC_STR(LC_DETAIL_IDENTITY_SCHEMA_CHANGED));
}

/* ---- All calls. */

static void judge_identity(lc_judge *j, const lc_call *call, const lc_field *field)
{
    context x = {j, call, field};
    if (field->state == LC_FIELD_ABSENT || field->state == LC_FIELD_DERIVED)
        return;
    if (!field->untyped && !j->view->schema->identity_type) {
        judge_without_schema(&x);
        return;
    }
    judge_form(&x);
    judge_change(&x);
}

void lc_judge_identity(lc_judge *j)
{
    const lc_run *run = j->view->run;
    judge_stored(j);
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        judge_identity(j, call, &call->identity);
        for (size_t k = 0; k < call->imported.count; k++)
            judge_identity(j, call, &call->imported.items[k].identity);
    }
}

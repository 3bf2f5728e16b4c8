/* Family upgrade: a stored state is returned in the form of the current schema, with the same
 * meaning. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const char *note;
    lc_rule rule;
} context;

static lc_finding *emit(context *x, lc_path path)
{
    return lc_emit(x->j, &(lc_breach){.rule = x->rule,
                                      .call = x->call,
                                      .path = path,
                                      .field = &x->call->result,
                                      .promised_by = LC_COLUMN_STORED,
                                      .broken_by = lc_call_column(x->call->kind),
                                      .note = lc_str_from_c(x->note)});
}

/* ---- upgrade/newer-state. */

static void emit_newer(lc_judge *j, const lc_call *call, lc_loc loc, int64_t stored)
{
    lc_str note = lc_str_printf(j->scratch, "stored with schema version %lld, the schema has %lld",
                                (long long)stored, (long long)j->view->schema->version);
    lc_finding *f = lc_emit_aside(j, LC_RULE_UPGRADE_NEWER_STATE, call, loc, note);
    f->call.kind = LC_CALL_UPGRADE;
    lc_finding_quote(j, f, LC_BOTH_CORES, LC_SUMMARY_NEWER_STATE, LC_STR_EMPTY);
}

/* The stored version is that of the raw state, or else that of the run before. */
static void judge_version(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[LC_CALL_UPGRADE];
    const lc_raw_state *raw = call && call->raw.given ? &call->raw : &v->run->previous_run_state;
    bool nothing = raw->has_attributes && lc_field_has_value(&raw->attributes) &&
                   lc_is_null(raw->attributes.value);
    if (raw->given && !nothing && raw->schema_version > v->schema->version)
        emit_newer(j, call, raw->loc, raw->schema_version);
    if (!raw->given && v->saved_before && !lc_is_null(v->saved_before) &&
        v->stored_version > v->schema->version)
        emit_newer(j, call, v->run->loc, v->stored_version);
}

/* ---- upgrade/meaning-changed, at the same version. */

/* Null and an empty collection both mean that there are no blocks. */
static bool is_empty_collection(const lc_value *v)
{
    return lc_is_null(v) || (lc_is_known(v) && v->type->kind >= LC_TYPE_LIST && v->count == 0);
}

static bool is_block(const lc_block *s, lc_path path)
{
    const lc_block_type *b = NULL;
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        b = s ? lc_block_block(s, path.steps[i].name) : NULL;
        s = b ? b->block : NULL;
    }
    return b && path.steps[path.count - 1].kind == LC_STEP_ATTR;
}

/* A value at a write-only place is reported by wo/returned, and the difference follows from
 * that. */
static void each_change(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    path = lc_path_by_schema(x->j->scratch, x->j->view->block, path);
    bool same_blocks = path.count && is_block(x->j->view->block, path) && is_empty_collection(a) &&
                       is_empty_collection(b);
    bool write_only = lc_path_is_write_only(x->j->view->block, path);
    if (same_blocks || lc_is_unknown(b) || (write_only && lc_is_null(b)))
        return;
    lc_finding *f = emit(x, path);
    if (write_only)
        f->follows = lc_log_findings_above(x->j, f);
}

/* Null and empty blocks are the same here; response/null-block reports the difference. */
static const lc_value *normal(const lc_judge *j, const lc_value *v)
{
    if (!lc_is_known(v) || !lc_is_wholly_known(v))
        return v;
    const lc_value *out = lc_normalize_legacy(j->scratch, j->view->block, v);
    return out ? out : v;
}

/* ---- upgrade/captured-drift, between versions: only leaves with the same path in both are
 * compared. */

static void each_kept(void *opaque, lc_path path)
{
    emit(opaque, path);
}

/* ---- upgrade/not-idempotent: the result of an upgrade is upgraded again, in this run or the next,
 * and changes. */

/* The object that was upgraded, decoded, if it has the current version; else NULL. */
static const lc_value *given_to(const lc_judge *j, const lc_call *call)
{
    const lc_run_view *v = j->view;
    if (!call->raw.given)
        return v->stored_derived ? v->stored : NULL;
    if (call->raw.schema_version != v->schema->version ||
        !lc_field_has_value(&call->raw.attributes))
        return NULL;
    return lc_stored_decode(j->scratch, call->raw.attributes.value, v->block->implied, true);
}

static bool came_from_upgrade(const lc_judge *j, const lc_call *call, const lc_value *given)
{
    for (size_t run = 0; run < j->view->number; run++) {
        const lc_run *r = &j->subject->runs.items[run];
        for (size_t i = 0; i < r->calls.count; i++) {
            const lc_call *before = &r->calls.items[i];
            if (before == call)
                return false;
            if (before->kind == LC_CALL_UPGRADE && lc_field_has_value(&before->result) &&
                lc_value_same(before->result.value, given))
                return true;
        }
    }
    return false;
}

/* ---- One call. */

static void judge_same_version(lc_judge *j, const lc_call *call, const lc_value *given,
                               const lc_value *upgraded)
{
    context x = {j, call, "stored and upgraded differ, though the schema version is the same",
                 LC_RULE_UPGRADE_MEANING_CHANGED};
    size_t first = j->out->findings.count;
    lc_each_difference(j->scratch, normal(j, given), normal(j, upgraded), each_change, &x);
    size_t end = j->out->findings.count;
    if (!came_from_upgrade(j, call, given))
        return;
    x.rule = LC_RULE_UPGRADE_NOT_IDEMPOTENT;
    x.note = "an upgraded state changes when it is upgraded again";
    for (size_t i = first; i < end; i++) {
        emit(&x, j->out->findings.items[i].path);
        j->out->findings.items[j->out->findings.count - 1].follows = (long)i;
    }
}

static bool stored_an_object(const lc_judge *j, const lc_call *call)
{
    if (call->raw.given)
        return lc_field_has_value(&call->raw.attributes) && !lc_is_null(call->raw.attributes.value);
    return j->view->saved_before && !lc_is_null(j->view->saved_before);
}

static void judge_kept(lc_judge *j, const lc_call *call, const lc_value *upgraded)
{
    context x = {j, call,
                 "the upgrade changes the value of an attribute that kept its name and "
                 "place",
                 LC_RULE_UPGRADE_CAPTURED_DRIFT};
    const lc_run_view *v = j->view;
    const lc_value *raw = call->raw.given ? call->raw.attributes.value : v->saved_before;
    int64_t version = call->raw.given ? call->raw.schema_version : v->stored_version;
    if (version < v->schema->version)
        lc_each_kept_change(j, raw, upgraded, each_kept, &x);
}

static void judge_upgrade(lc_judge *j, const lc_call *call)
{
    const lc_value *upgraded = lc_call_object(call);
    if (!upgraded || call->failed == LC_YES || !stored_an_object(j, call))
        return;
    if (lc_is_null(upgraded)) {
        lc_finding *f = lc_emit_at(j, LC_RULE_UPGRADE_LOST, call, LC_PATH_ROOT,
                                   "the upgrade returns no object, though one is stored");
        f->promised_by = LC_COLUMN_STORED;
        return;
    }
    const lc_value *given = given_to(j, call);
    if (given)
        judge_same_version(j, call, given, upgraded);
    else
        judge_kept(j, call, upgraded);
}

void lc_judge_upgrade(lc_judge *j)
{
    const lc_run *run = j->view->run;
    if (!run->probed)
        judge_version(j);
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_UPGRADE)
            judge_upgrade(j, &run->calls.items[i]);
    }
}

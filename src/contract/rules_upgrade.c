/* Family upgrade: what was stored comes back in the current form, with the same meaning. */
#include "judge.h"
#include "visit.h"

#include "lifecheck/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const char *note;
    lc_rule rule;
} context;

static void emit(context *x, lc_path path)
{
    lc_finding *f = lc_emit_at(x->j, x->rule, x->call, path, x->note);
    f->promised_by = LC_COLUMN_STORED;
}

/* ---- upgrade/newer-state. */

static void say_newer(lc_judge *j, const lc_call *call, lc_loc loc, int64_t stored)
{
    lc_finding *f = lc_emit(
        j, &(lc_breach){.rule = LC_RULE_UPGRADE_NEWER_STATE,
                        .call = call,
                        .path = LC_PATH_ROOT,
                        .loc = loc,
                        .promised_by = LC_COLUMN_NONE,
                        .broken_by = LC_COLUMN_NONE,
                        .apart = true,
                        .note = lc_str_printf(
                            j->scratch, "stored with schema version %lld, the schema has %lld",
                            (long long)stored, (long long)j->view->schema->version)});
    f->call.kind = LC_CALL_UPGRADE;
    lc_finding_say(j, f, LC_BOTH_CORES, "Resource instance managed by newer provider version",
                   LC_STR_EMPTY);
}

static void judge_version(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[LC_CALL_UPGRADE];
    const lc_raw_state *raw = call && call->raw.given ? &call->raw : &v->run->previous_run_state;
    bool nothing = raw->has_attributes && lc_field_has_value(&raw->attributes) &&
                   lc_is_null(raw->attributes.value);
    if (raw->given && !nothing && raw->schema_version > v->schema->version)
        say_newer(j, call, raw->loc, raw->schema_version);
    if (!raw->given && v->saved_before && !lc_is_null(v->saved_before) &&
        v->stored_version > v->schema->version)
        say_newer(j, call, v->run->loc, v->stored_version);
}

/* ---- upgrade/meaning-changed, at the same version. */

/* No blocks, written in another way. */
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

/* What an upgrade does to a write-only value is told by wo/returned. */
static void each_change(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    path = lc_path_by_schema(x->j->scratch, x->j->view->block, path);
    bool same_blocks = path.count && is_block(x->j->view->block, path) && is_empty_collection(a) &&
                       is_empty_collection(b);
    if (!same_blocks && !lc_is_unknown(b) && !lc_path_is_write_only(x->j->view->block, path))
        emit(x, path);
}

/* Null and empty blocks are told by response/null-block; here they are the same. */
static const lc_value *normal(const lc_judge *j, const lc_value *v)
{
    if (!lc_is_known(v) || !lc_is_wholly_known(v))
        return v;
    const lc_value *out = lc_normalize_legacy(j->scratch, j->view->block, v);
    return out ? out : v;
}

/* ---- upgrade/captured-drift, between versions: only leaves that have kept their place. */

static bool same_leaf(context *x, const lc_value *raw, const lc_value *now)
{
    const lc_value *as_now;
    lc_str why;
    if (raw->type == now->type)
        return lc_value_same(raw, now);
    return !lc_value_convert(&as_now, x->j->scratch, raw, now->type, &why) ||
           lc_value_same(as_now, now);
}

static bool is_keyed(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static bool is_ordered(const lc_value *v)
{
    return v->type->kind == LC_TYPE_TUPLE || v->type->kind == LC_TYPE_LIST;
}

static void compare_kept(context *x, const lc_type *type, const lc_value *raw, const lc_value *now,
                         const lc_trail *at);

static const lc_type *member_type(const lc_type *type, lc_str key)
{
    if (type->kind == LC_TYPE_MAP)
        return type->as.elem;
    long at = type->kind == LC_TYPE_OBJECT ? lc_type_attr_index(type, key) : -1;
    return at < 0 ? NULL : type->as.attrs[at].type;
}

static void compare_kept_members(context *x, const lc_type *type, const lc_value *raw,
                                 const lc_value *now, const lc_trail *at)
{
    bool map = now->type->kind == LC_TYPE_MAP;
    for (size_t i = 0; i < now->count; i++) {
        lc_str key = lc_entry_key(now, i);
        const lc_value *before = lc_entry(raw, key);
        const lc_type *member = member_type(type, key);
        lc_trail trail = map ? lc_trail_key(at, key) : lc_trail_attr(at, key);
        if (before && member)
            compare_kept(x, member, before, &now->as.many.elems[i], &trail);
    }
}

static void compare_kept_items(context *x, const lc_type *type, const lc_value *raw,
                               const lc_value *now, const lc_trail *at)
{
    for (size_t i = 0; i < now->count && raw->count == now->count; i++) {
        lc_trail trail = lc_trail_index(at, i);
        const lc_type *item = type->kind == LC_TYPE_TUPLE ? type->as.items[i] : type->as.elem;
        compare_kept(x, item, &raw->as.many.elems[i], &now->as.many.elems[i], &trail);
    }
}

/* What is stored for a dynamic place has its type beside it. */
static const lc_value *unwrapped(context *x, const lc_type *type, const lc_value *raw)
{
    if (type->kind != LC_TYPE_DYNAMIC || raw->type->kind != LC_TYPE_OBJECT)
        return raw;
    const lc_value *value = lc_stored_decode(x->j->scratch, raw, type, false);
    return value ? value : raw;
}

static void compare_kept(context *x, const lc_type *type, const lc_value *raw, const lc_value *now,
                         const lc_trail *at)
{
    if (!lc_is_known(raw) || lc_is_unknown(now))
        return;
    raw = unwrapped(x, type, raw);
    if (!lc_is_known(raw))
        return;
    bool leaf = lc_type_is_primitive(raw->type) && lc_type_is_primitive(now->type);
    lc_path path = lc_path_from_trail(x->j->scratch, leaf ? at : NULL);
    path = lc_path_by_schema(x->j->scratch, x->j->view->block, path);
    if (leaf && !same_leaf(x, raw, now) && !lc_path_is_write_only(x->j->view->block, path))
        emit(x, path);
    if (leaf || lc_is_null(now))
        return;
    type = type->kind == LC_TYPE_DYNAMIC ? now->type : type;
    if (is_keyed(raw) && is_keyed(now))
        compare_kept_members(x, type, raw, now, at);
    else if (is_ordered(raw) && is_ordered(now))
        compare_kept_items(x, type, raw, now, at);
}

/* ---- upgrade/not-idempotent: what an upgrade returned is upgraded again, in this run or the next.
 */

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
    context x = {j, call, "the upgrade gives another value to what has kept its name and place",
                 LC_RULE_UPGRADE_CAPTURED_DRIFT};
    const lc_run_view *v = j->view;
    const lc_value *raw = call->raw.given ? call->raw.attributes.value : v->saved_before;
    int64_t version = call->raw.given ? call->raw.schema_version : v->stored_version;
    if (version < v->schema->version)
        compare_kept(&x, v->block->implied, raw, upgraded, NULL);
}

static void judge_upgrade(lc_judge *j, const lc_call *call)
{
    const lc_value *upgraded = lc_call_object(call);
    if (!upgraded || call->failed == LC_YES || !stored_an_object(j, call))
        return;
    if (lc_is_null(upgraded)) {
        lc_finding *f = lc_emit_at(j, LC_RULE_UPGRADE_LOST, call, LC_PATH_ROOT,
                                   "an object was stored, the upgrade returns none");
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
    judge_version(j);
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_UPGRADE)
            judge_upgrade(j, &run->calls.items[i]);
    }
}

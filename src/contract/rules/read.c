/* Family read: a value that still means the same keeps the form it was written in; a value that has
 * drifted is returned as the remote system has it. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    lc_column before; /* column of the value that the read is compared with */
    bool again;       /* right after an apply, so that nothing else can have changed the object */
} context;

/* OpenTofu logs a difference where the catalogue has its message. */
static lc_finding *emit(context *x, lc_rule rule, const lc_trail *at, const char *note)
{
    lc_finding *f =
        lc_emit(x->j, &(lc_breach){.rule = rule,
                                   .call = x->call,
                                   .path = lc_path_from_trail(x->j->scratch, at),
                                   .field = &x->call->result,
                                   .promised_by = x->before,
                                   .broken_by = x->again                      ? LC_COLUMN_REREAD
                                                : x->before != LC_COLUMN_NONE ? LC_COLUMN_PRIOR
                                                                              : LC_COLUMN_NONE,
                                   .note = lc_str_from_c(note)});
    if (f->core[LC_OPENTOFU].effect == LC_EFFECT_LOGGED)
        lc_finding_quote(x->j, f, LC_OT, "", LC_STR(LC_DETAIL_UNEXPECTED_NEW_VALUE));
    return f;
}

/* ---- Leaves. */

/* Null and an empty value are different answers of a read. */
static bool means_the_same(const context *x, const lc_value *before, const lc_value *now)
{
    lc_difference_kind difference_kind = lc_compare_form(x->j->scratch, before, now);
    return difference_kind != LC_UNLIKE && difference_kind != LC_DIFFERENCE_EMPTY;
}

static lc_path place(const context *x, const lc_trail *at)
{
    return lc_path_by_schema(x->j->scratch, x->j->view->block,
                             lc_path_from_trail(x->j->scratch, at));
}

/* Did a configured value become null? Services often do not return secrets, and the provider should
 * keep the prior value then. */
static bool is_hidden(const context *x, const lc_value *before, const lc_value *now,
                      const lc_trail *at)
{
    if (!lc_is_known(before) || !lc_is_null(now) || !at)
        return false;
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, place(x, at));
    return a && !a->computed;
}

/* Unknown and write-only values in a result have findings of their own. */
static bool is_reported_elsewhere(const context *x, const lc_value *now, const lc_trail *at)
{
    return lc_is_unknown(now) || lc_path_is_write_only(x->j->view->block, place(x, at));
}

static bool is_difference(lc_rule rule)
{
    return rule == LC_RULE_READ_DRIFT || rule == LC_RULE_READ_AFTER_APPLY_UNSTABLE ||
           rule == LC_RULE_READ_PRIOR_NOT_USED;
}

/* Has every earlier read after an apply of this object found another value at this place too? There
 * must be such a read. */
static bool differed_each_time(const context *x, const lc_trail *at)
{
    const lc_judge *j = x->j;
    if (!j->view->after_apply || j->reads_after_apply == 0)
        return false;
    lc_path path = lc_path_from_trail(j->scratch, at);
    unsigned times = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->run == j->view->number || f->run == last || !j->after_apply[f->run - 1] ||
            !is_difference(f->rule) || !lc_path_eq(f->path, path))
            continue;
        last = f->run;
        times++;
    }
    return times == j->reads_after_apply;
}

/* Which rule a difference breaks: another form with the same meaning, a hidden value, instability
 * right after an apply, or drift. */
static void differs(context *x, const lc_value *before, const lc_value *now, const lc_trail *at)
{
    if (is_reported_elsewhere(x, now, at))
        return;
    if (means_the_same(x, before, now)) {
        emit(x, LC_RULE_READ_NORMALIZED, at, "the same meaning in another form");
        return;
    }
    bool hidden = is_hidden(x, before, now, at);
    if (hidden)
        emit(x, LC_RULE_READ_PRIOR_NOT_USED, at,
             "it was set, and is read as null: perhaps the remote system does not return it");
    if (x->again)
        emit(x, LC_RULE_READ_AFTER_APPLY_UNSTABLE, at,
             "differs from the state that the apply has just returned");
    else if (differed_each_time(x, at))
        emit(x, LC_RULE_READ_AFTER_APPLY_UNSTABLE, at,
             "differs from the state of the last apply, after every apply of this object");
    else if (!hidden)
        emit(x, LC_RULE_READ_DRIFT, at,
             x->j->view->after_apply ? "differs from the state of the last apply: changed "
                                       "outside, or not read back as it was written"
                                     : "changed since it was stored");
}

/* ---- Both objects in parallel. */

/* Are the two compared as a whole? Sets always are; other containers if they differ in size or
 * keys. */
static bool is_leaf(const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b) || lc_type_is_primitive(a->type) ||
        a->type->kind != b->type->kind || a->type->kind == LC_TYPE_SET || a->count != b->count)
        return true;
    for (size_t i = 0; i < a->count; i++) {
        bool keyed = a->type->kind == LC_TYPE_MAP || a->type->kind == LC_TYPE_OBJECT;
        if (keyed && !lc_str_eq(lc_entry_key(a, i), lc_entry_key(b, i)))
            return true;
    }
    return false;
}

/* A list that was only reordered is one finding, not one for each element. */
static void compare(context *x, const lc_value *before, const lc_value *now, const lc_trail *at)
{
    if (lc_value_same(before, now))
        return;
    bool reordered =
        before->type->kind == LC_TYPE_LIST && lc_is_known(before) && means_the_same(x, before, now);
    if (reordered || is_leaf(before, now)) {
        differs(x, before, now, at);
        return;
    }
    for (size_t i = 0; i < before->count; i++) {
        lc_trail trail = lc_trail_part(at, before, i);
        compare(x, &before->as.many.elems[i], &now->as.many.elems[i], &trail);
    }
}

/* ---- read/partial-drift: of a nested value some parts are new and others are as before. */

/* Does any part that is known have the same value in both? */
static bool keeps_some(const lc_value *before, const lc_value *now)
{
    if (lc_value_same(before, now))
        return lc_is_known(before);
    if (is_leaf(before, now))
        return false;
    for (size_t i = 0; i < before->count; i++) {
        if (keeps_some(&before->as.many.elems[i], &now->as.many.elems[i]))
            return true;
    }
    return false;
}

/* The first drift at or below an attribute of the root, among the findings from `first`. */
static long drift_below(const lc_judge *j, size_t first, lc_str name)
{
    for (size_t i = first; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->rule == LC_RULE_READ_DRIFT && f->path.count > 1 &&
            lc_str_eq(f->path.steps[0].name, name))
            return (long)i;
    }
    return -1;
}

static void judge_partial(context *x, size_t first, const lc_value *before, const lc_value *now)
{
    if (!lc_is_known(before) || !lc_is_known(now))
        return;
    size_t end = x->j->out->findings.count;
    for (size_t i = 0; i < before->count && first < end; i++) {
        lc_trail trail = lc_trail_attr(NULL, lc_entry_key(before, i));
        const lc_value *a = &before->as.many.elems[i], *b = &now->as.many.elems[i];
        if (lc_value_same(a, b) || !keeps_some(a, b))
            continue;
        long drift = drift_below(x->j, first, trail.step.name);
        if (drift < 0)
            continue;
        lc_finding *f =
            emit(x, LC_RULE_READ_PARTIAL_DRIFT, &trail,
                 "some parts are new, others as before: perhaps it is not read as a whole");
        f->follows = drift;
    }
}

/* ---- Calls. */

/* Null and empty blocks are the same here; response/null-block reports the difference. */
static const lc_value *normal(const lc_judge *j, const lc_value *v)
{
    if (!v || !lc_is_known(v) || !lc_is_wholly_known(v))
        return v;
    const lc_value *out = lc_normalize_legacy(j->scratch, j->view->block, v);
    return out ? out : v;
}

static void judge_read(lc_judge *j, const lc_call *call, const lc_value *before, lc_column column)
{
    const lc_value *now = lc_call_object(call);
    if (!now || !before || call->failed == LC_YES || call->deferred == LC_YES ||
        !lc_is_known(before) || lc_is_unknown(now))
        return;
    context x = {j, call, column, call->kind == LC_CALL_REREAD};
    size_t first = j->out->findings.count;
    before = normal(j, before);
    now = normal(j, now);
    compare(&x, before, now, NULL);
    judge_partial(&x, first, before, now);
}

/* The first read is compared with the upgraded state, later ones with the state that they were
 * sent. */
void lc_judge_read(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *again = v->call[LC_CALL_REREAD];
    const lc_call *apply = v->call[LC_CALL_APPLY];
    for (size_t i = 0; i < v->run->calls.count && !v->call[LC_CALL_IMPORT]; i++) {
        const lc_call *read = &v->run->calls.items[i];
        bool sent = lc_field_has_value(&read->prior_state), first = read == v->call[LC_CALL_READ];
        if (read->kind == LC_CALL_READ && (sent || first))
            judge_read(j, read, sent ? read->prior_state.value : v->upgraded,
                       first ? LC_COLUMN_UPGRADED : LC_COLUMN_NONE);
    }
    if (again && apply && apply->failed != LC_YES && lc_call_object(apply) &&
        lc_is_wholly_known(lc_call_object(apply)))
        judge_read(j, again, lc_call_object(apply), LC_COLUMN_NEW);
}

/* Family gate: what a new version of a provider answers where the version before it was asked the
 * same. The runs of both are in one case, and the later one says that it is of a newer version.
 * Where the answers of the earlier version differ, nothing is judged. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define FIRST_RULE LC_RULE_GATE_UPGRADE_FAILS

typedef struct context {
    lc_judge *j;
    const lc_run *before; /* the run of the earlier version */
    const lc_call *call;
    const lc_field *field; /* of the answer: the object that is compared */
    lc_rule rule;
    lc_table left_out; /* places that the earlier version has changed itself, or is not sure of */
    const char *what;  /* happens to the objects */
    const char *by;    /* "the upgrade", which changes them */
    bool creates;
    long cause; /* index of the finding from which others follow; -1: none yet */
} context;

static void judged(lc_judge *j, lc_rule rule)
{
    j->gate_rules |= 1u << (rule - FIRST_RULE);
}

bool lc_gate_was_judged(const lc_judge *j, lc_rule rule)
{
    return j->gate_rules & 1u << (rule - FIRST_RULE);
}

/* ---- Words. */

/* A place without indices and keys: "rule.port". */
static lc_str place_words(lc_arena *arena, lc_path path)
{
    lc_buf out = {0};
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind == LC_STEP_ATTR)
            lc_buf_printf(&out, "%s%.*s", out.len ? "." : "", LC_FMT(path.steps[i].name));
    }
    return lc_buf_take(arena, &out);
}

/* Which objects it concerns, by what their configuration has there. */
static lc_str objects_words(const context *x, lc_path path)
{
    lc_arena *arena = x->j->scratch;
    const lc_run_view *v = x->j->view;
    lc_str type = v->schema->type_name, place = place_words(arena, path);
    const char *new = x->creates ? "new " : "";
    if (v->schema->kind == LC_KIND_PROVIDER)
        type = LC_STR("configuration of the provider");
    const lc_attribute *a = path.count ? lc_block_attribute_at(v->block, path) : NULL;
    bool can_be_set = path.count && (!a || a->optional || a->required);
    const lc_value *set = v->config && can_be_set ? lc_path_apply(arena, v->config, path) : NULL;
    if (!can_be_set || !v->config)
        return lc_str_printf(arena, "every %s%.*s", new, LC_FMT(type));
    bool any = set && !lc_is_null(set) &&
               !(lc_is_known(set) && lc_type_is_collection(set->type) && set->count == 0);
    return lc_str_printf(arena, "every %s%.*s %s `%.*s`%s", new, LC_FMT(type),
                         any ? "with" : "without", LC_FMT(place), any ? " set" : "");
}

static bool answered(const lc_call *call)
{
    return call && call->failed != LC_YES && call->broke != LC_YES && call->deferred != LC_YES &&
           !call->interrupted;
}

/* The place that a diagnostic names, if an object has it. */
static lc_path place_of(const context *x, const lc_provider_diag *d)
{
    const lc_value *config = x->j->view->config;
    bool there = d && d->has_path && config && lc_path_apply(x->j->scratch, config, d->path);
    return there ? lc_path_by_schema(x->j->scratch, x->j->view->block, d->path) : LC_PATH_ROOT;
}

/* What the provider says may quote what is secret. */
static lc_str said(const context *x, const lc_provider_diag *d)
{
    bool secret = x->j->view->block->any_sensitive || x->j->view->block->any_write_only;
    if (!d || secret || !d->summary.len)
        return LC_STR_EMPTY;
    return lc_str_printf(x->j->scratch, ": %.*s", LC_FMT(d->summary));
}

static void emit_failure(context *x, lc_rule rule, const char *what)
{
    const lc_provider_diag *d = lc_call_first_error(x->call);
    lc_path path = place_of(x, d);
    bool died = x->call->broke == LC_YES;
    lc_str words =
        died
            ? lc_str_printf(x->j->scratch, ": no response, %.*s%s%.*s", LC_FMT(x->call->broke_with),
                            x->call->last_words.len ? ", " : "",
                            (int)lc_str_find(x->call->last_words, 0, '\n'), x->call->last_words.ptr)
            : said(x, d);
    lc_emit(x->j, &(lc_breach){
                      .rule = rule,
                      .call = x->call,
                      .path = path,
                      .loc = d && d->loc.line ? d->loc : x->call->loc,
                      .promised_by = LC_COLUMN_NONE,
                      .broken_by = LC_COLUMN_NONE,
                      .note = lc_str_printf(x->j->scratch, "after the upgrade, %s %.*s%.*s", what,
                                            LC_FMT(objects_words(x, path)), LC_FMT(words))});
}

/* ---- Values of both versions. */

/* The value in a type of the newer version; attributes that the type has besides are null. NULL: it
 * has no such form. */
static const lc_value *as_newer(lc_arena *arena, const lc_value *v, const lc_type *type)
{
    lc_str why;
    const lc_value *out;
    if (lc_type_equal(v->type, type))
        return v;
    if (!lc_is_known(v) || v->type->kind < LC_TYPE_LIST || type->kind == LC_TYPE_DYNAMIC)
        return lc_value_convert(&out, arena, v, type, &why) ? out : NULL;
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, v->count + type->count + 1);
    if (type->kind == LC_TYPE_OBJECT && v->type->kind == LC_TYPE_OBJECT) {
        for (size_t i = 0; i < type->count; i++) {
            const lc_value *part = lc_value_attr(v, type->as.attrs[i].name);
            lc_value_set_null(&elems[i], type->as.attrs[i].type);
            part = part ? as_newer(arena, part, type->as.attrs[i].type) : &elems[i];
            if (!part)
                return NULL;
            elems[i] = *part;
        }
        lc_value_set_object(&slot, arena, type, elems);
        return lc_value_new(arena, &slot);
    }
    if (!lc_type_is_collection(type) || v->type->kind == LC_TYPE_OBJECT)
        return lc_value_convert(&out, arena, v, type, &why) ? out : NULL;
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *part = as_newer(arena, &v->as.many.elems[i], type->as.elem);
        if (!part)
            return NULL;
        elems[i] = *part;
    }
    bool map = type->kind == LC_TYPE_MAP && v->type->kind == LC_TYPE_MAP;
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, v->count + 1);
    for (size_t i = 0; map && i < v->count; i++)
        keys[i] = v->as.many.keys[i];
    bool ok = type->kind == LC_TYPE_LIST ? lc_value_set_list(&slot, arena, type, elems, v->count)
              : type->kind == LC_TYPE_SET
                  ? lc_value_set_set(&slot, arena, type, elems, v->count)
                  : map && lc_value_set_map(&slot, arena, type, keys, elems, v->count);
    return ok ? lc_value_new(arena, &slot) : NULL;
}

/* The value without what the type of the earlier version has no place for. */
static const lc_value *as_known_before(lc_arena *arena, const lc_value *v, const lc_type *before)
{
    if (!lc_is_known(v) || v->type->kind < LC_TYPE_LIST || lc_type_equal(v->type, before) ||
        before->kind < LC_TYPE_LIST)
        return v;
    bool object = v->type->kind == LC_TYPE_OBJECT && before->kind == LC_TYPE_OBJECT;
    bool many = lc_type_is_collection(v->type) && lc_type_is_collection(before);
    lc_value slot = *v, *elems = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    if (!object && !many)
        return v;
    for (size_t i = 0; i < v->count; i++) {
        long at = object ? lc_type_attr_index(before, v->type->as.attrs[i].name) : 0;
        const lc_type *type = !object ? before->as.elem : at < 0 ? NULL : before->as.attrs[at].type;
        if (type)
            elems[i] = *as_known_before(arena, &v->as.many.elems[i], type);
        else
            lc_value_set_null(&elems[i], v->as.many.elems[i].type);
    }
    if (object)
        lc_value_set_object(&slot, arena, v->type, elems);
    else if (v->type->kind == LC_TYPE_SET)
        lc_value_set_set(&slot, arena, v->type, elems, v->count);
    else
        slot.as.many.elems = elems;
    return lc_value_new(arena, &slot);
}

/* Both objects with what both versions have; what has another type that is not a form of the
 * earlier one is left to the comparison of schemas. */
static bool make_alike(context *x, const lc_value **before, const lc_value **after)
{
    lc_arena *arena = x->j->scratch;
    const lc_value *a = *before, *b = *after;
    const lc_type *type = b->type;
    if (!lc_is_known(a) || !lc_is_known(b) || a->type->kind != LC_TYPE_OBJECT ||
        type->kind != LC_TYPE_OBJECT)
        return false;
    lc_value slot, *left = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    lc_value *right = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    for (size_t i = 0; i < type->count; i++) {
        const lc_type_attr *attr = &type->as.attrs[i];
        const lc_value *was = lc_value_attr(a, attr->name), *is = &b->as.many.elems[i];
        const lc_value *same = was ? as_newer(arena, was, attr->type) : NULL;
        lc_value_set_null(&left[i], attr->type);
        right[i] = left[i];
        if (!same)
            continue;
        left[i] = *same;
        right[i] = *as_known_before(arena, is, was->type);
    }
    lc_value_set_object(&slot, arena, type, left);
    *before = lc_value_new(arena, &slot);
    lc_value_set_object(&slot, arena, type, right);
    *after = lc_value_new(arena, &slot);
    return true;
}

/* As the clients take what SDKv2 writes for blocks that are not there. */
static const lc_value *normal(const context *x, const lc_value *v)
{
    if (!lc_is_known(v))
        return v;
    const lc_value *out = lc_state_handed_on(x->j->scratch, x->j->view->block, v);
    return lc_is_wholly_known(v) && out ? out : v;
}

/* ---- Places that the earlier version changes itself. */

static void each_left_out(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    (void)a;
    (void)b;
    lc_table_put(&x->left_out, place_words(x->j->scratch, path), x);
}

static void leave_out(context *x, const lc_value *a, const lc_value *b)
{
    if (a && b && lc_type_equal(a->type, b->type))
        lc_each_difference(x->j->scratch, a, b, each_left_out, x);
}

static bool is_left_out(context *x, lc_path path)
{
    for (size_t n = path.count; n > 0; n--) {
        if (lc_table_get(&x->left_out, place_words(x->j->scratch, (lc_path){path.steps, n})))
            return true;
    }
    return false;
}

/* Answers of the earlier version to a question that it was asked more than once. */
static const lc_call *earlier(context *x, lc_call_kind kind)
{
    const lc_call *first = NULL;
    for (size_t i = 0; i < x->before->calls.count; i++) {
        const lc_call *call = &x->before->calls.items[i];
        if (call->kind != kind)
            continue;
        if (!answered(call))
            return NULL;
        if (first)
            leave_out(x, lc_call_object(first), lc_call_object(call));
        else
            first = call;
    }
    return first;
}

/* ---- Upgrades. */

/* SDKv2 plans an empty collection where the framework plans null. */
static bool is_nothing(const lc_value *v)
{
    return lc_is_null(v) || (lc_is_known(v) && v->type->kind >= LC_TYPE_LIST && v->count == 0);
}

/* What was sent, and comes back as it was, has been changed by another call. */
static bool is_as_sent(const context *x, lc_path path, const lc_value *b)
{
    const lc_field *sent = &x->call->prior_state;
    const lc_value *before = x->call->kind == LC_CALL_READ && lc_field_has_value(sent)
                                 ? lc_path_apply(x->j->scratch, sent->value, path)
                                 : NULL;
    return before && lc_value_same(before, b);
}

/* A new version may find out more than the one before it: what was null before and is computed, or
 * anything that an import leaves to the read after it. */
static bool is_found_out(const context *x, lc_path path, const lc_value *before,
                         const lc_value *after)
{
    bool imports = x->call->kind == LC_CALL_IMPORT;
    bool reads = x->call->kind == LC_CALL_READ || x->call->kind == LC_CALL_DATA;
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, path);
    if (imports)
        return is_nothing(before);
    return reads && lc_is_null(before) && !lc_is_null(after) && a && a->computed;
}

static void each_change(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    lc_arena *arena = x->j->scratch;
    path = lc_path_by_schema(arena, x->j->view->block, path);
    if (is_left_out(x, path) || lc_path_is_write_only(x->j->view->block, path) ||
        is_as_sent(x, path, b) || is_found_out(x, path, a, b))
        return;
    bool lost = lc_is_null(b);
    lc_str place = place_words(arena, path);
    lc_emit(x->j, &(lc_breach){.rule = x->rule,
                               .call = x->call,
                               .path = path,
                               .field = x->field,
                               .promised_by = x->call->kind == LC_CALL_UPGRADE ? LC_COLUMN_STORED
                                                                               : LC_COLUMN_NONE,
                               .broken_by = lc_call_column(x->call->kind),
                               .note = lc_str_printf(
                                   arena, "%s %s `%.*s` of every %.*s%s", x->by,
                                   lost            ? "loses the value of"
                                   : lc_is_null(a) ? "sets"
                                                   : "changes",
                                   LC_FMT(place), LC_FMT(x->j->view->schema->type_name), x->what)});
}

static void emit_whole(context *x, lc_rule rule, lc_path path, const char *what)
{
    lc_emit(x->j, &(lc_breach){.rule = rule,
                               .call = x->call,
                               .path = path,
                               .field = x->field,
                               .promised_by = LC_COLUMN_NONE,
                               .broken_by = LC_COLUMN_NONE,
                               .note = lc_str_printf(x->j->scratch, "%s of every %.*s %s", x->by,
                                                     LC_FMT(x->j->view->schema->type_name), what)});
}

static void each_unknown(void *opaque, lc_path path)
{
    context *x = opaque;
    emit_whole(x, LC_RULE_GATE_UPGRADE_INVALID,
               lc_path_by_schema(x->j->scratch, x->j->view->block, path),
               "leaves a value unknown, which the clients refuse");
}

static bool sets_write_only(const context *x, const lc_value *upgraded)
{
    return x->j->view->block->any_write_only &&
           !lc_value_same(upgraded,
                          lc_without_write_only(x->j->scratch, x->j->view->block, upgraded));
}

/* The same object is upgraded once more. */
static void judge_repeat(context *x, const lc_call *first)
{
    const lc_value *once = lc_call_object(first), *twice = lc_call_object(x->call);
    const lc_call *before = lc_run_call(x->before, LC_CALL_UPGRADE);
    const lc_value *old = before ? lc_call_object(before) : NULL;
    if (!once || !lc_is_known(once))
        return;
    judged(x->j, LC_RULE_GATE_UPGRADE_REPEATS);
    if (!answered(x->call) || !twice || !lc_is_known(twice)) {
        emit_whole(x, LC_RULE_GATE_UPGRADE_REPEATS, LC_PATH_ROOT, "fails when it is repeated");
        return;
    }
    if (old && lc_is_known(old)) {
        once = as_known_before(x->j->scratch, once, old->type);
        twice = as_known_before(x->j->scratch, twice, old->type);
    }
    x->rule = LC_RULE_GATE_UPGRADE_REPEATS;
    x->what = " again when it is repeated";
    lc_each_difference(x->j->scratch, normal(x, once), normal(x, twice), each_change, x);
}

static void judge_upgrade(context *x)
{
    const lc_call *before = earlier(x, LC_CALL_UPGRADE);
    const lc_call *first = lc_run_call(x->j->view->run, LC_CALL_UPGRADE);
    const lc_value *stored = before ? lc_call_object(before) : NULL;
    const lc_value *upgraded = lc_call_object(x->call);
    if (!stored || !lc_is_known(stored) || x->call->interrupted)
        return;
    if (first != x->call) {
        judge_repeat(x, first);
        return;
    }
    judged(x->j, LC_RULE_GATE_UPGRADE_FAILS);
    if (!answered(x->call)) {
        emit_failure(x, LC_RULE_GATE_UPGRADE_FAILS, "reading the stored state fails for");
        return;
    }
    judged(x->j, LC_RULE_GATE_UPGRADE_INVALID);
    judged(x->j, LC_RULE_GATE_UPGRADE_CHANGES);
    if (x->call->result.state == LC_FIELD_UNDECODABLE)
        emit_whole(x, LC_RULE_GATE_UPGRADE_INVALID, x->call->result.problem_path,
                   "does not fit the new schema");
    if (!upgraded)
        return;
    if (!lc_is_known(upgraded)) {
        emit_whole(x, LC_RULE_GATE_UPGRADE_CHANGES, LC_PATH_ROOT, "loses the whole object");
        return;
    }
    lc_each_unknown(x->j->scratch, upgraded, each_unknown, x);
    if (sets_write_only(x, upgraded))
        emit_whole(x, LC_RULE_GATE_UPGRADE_INVALID, LC_PATH_ROOT, "stores a write-only value");
    if (!lc_is_wholly_known(upgraded) || !make_alike(x, &stored, &upgraded))
        return;
    x->rule = LC_RULE_GATE_UPGRADE_CHANGES;
    x->what = "";
    lc_each_difference(x->j->scratch, normal(x, stored), normal(x, upgraded), each_change, x);
}

/* ---- Validation. */

static bool has_warning(const lc_run *run, const lc_provider_diag *warning)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        for (size_t k = 0; k < call->diagnostics.count; k++) {
            const lc_provider_diag *d = &call->diagnostics.items[k];
            if (d->severity == LC_SEVERITY_WARNING && d->has_path == warning->has_path &&
                (lc_str_eq(d->summary, warning->summary) ||
                 (d->has_path && lc_path_eq(d->path, warning->path))))
                return true;
        }
    }
    return false;
}

static void judge_warnings(context *x)
{
    judged(x->j, LC_RULE_GATE_WARNS);
    for (size_t i = 0; i < x->call->diagnostics.count; i++) {
        const lc_provider_diag *d = &x->call->diagnostics.items[i];
        if (d->severity != LC_SEVERITY_WARNING || has_warning(x->before, d))
            continue;
        lc_path path = place_of(x, d);
        lc_emit(x->j, &(lc_breach){.rule = LC_RULE_GATE_WARNS,
                                   .call = x->call,
                                   .path = path,
                                   .loc = d->loc.line ? d->loc : x->call->loc,
                                   .promised_by = LC_COLUMN_NONE,
                                   .broken_by = LC_COLUMN_NONE,
                                   .note = lc_str_printf(
                                       x->j->scratch, "after the upgrade, a warning for %.*s%.*s",
                                       LC_FMT(objects_words(x, path)), LC_FMT(said(x, d)))});
    }
}

static void judge_validation(context *x)
{
    if (!earlier(x, LC_CALL_VALIDATE) || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_CONFIG_REFUSED);
    if (answered(x->call))
        judge_warnings(x);
    else
        emit_failure(x, LC_RULE_GATE_CONFIG_REFUSED, "validation refuses");
}

/* ---- Plans of objects that exist. */

static lc_finding *emit_change(context *x, lc_rule rule, lc_path path, lc_str note)
{
    return lc_emit(x->j, &(lc_breach){.rule = rule,
                                      .call = x->call,
                                      .path = path,
                                      .field = x->field,
                                      .promised_by = LC_COLUMN_PRIOR,
                                      .broken_by = lc_call_column(x->call->kind),
                                      .note = note});
}

/* An attribute that the earlier version did not have, and that is not there yet: reading the object
 * may fill it in. */
static bool may_be_read(const context *x, lc_path path, const lc_value *prior)
{
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, path);
    bool read = lc_run_call(x->j->view->run, LC_CALL_READ) != NULL;
    return !read && lc_is_null(prior) && a && a->computed;
}

static void each_update(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    lc_arena *arena = x->j->scratch;
    path = lc_path_by_schema(arena, x->j->view->block, path);
    if (is_left_out(x, path) || lc_path_is_write_only(x->j->view->block, path))
        return;
    bool follows = lc_is_unknown(b) && x->cause >= 0;
    lc_finding *f =
        emit_change(x, LC_RULE_GATE_UPDATES, path,
                    lc_str_printf(arena, "after the upgrade, %.*s is updated: `%.*s` %s%s",
                                  LC_FMT(objects_words(x, path)), LC_FMT(place_words(arena, path)),
                                  lc_is_null(b)   ? "is removed"
                                  : lc_is_null(a) ? "is added"
                                                  : "changes",
                                  may_be_read(x, path, a) ? ", unless reading fills it in" : ""));
    f->follows = follows ? x->cause : -1;
    if (x->cause < 0)
        x->cause = (long)x->j->out->findings.count - 1;
}

static bool is_replace_before(context *x, const lc_call *before)
{
    lc_replace_paths paths;
    const lc_value *prior =
        lc_field_has_value(&x->before->prior_state) ? x->before->prior_state.value : NULL;
    const lc_value *planned = lc_call_object(before);
    if (!prior || !planned || lc_is_null(prior))
        return false;
    lc_replace_filter(&paths, x->j->scratch, LC_TERRAFORM, x->before->schema->block, prior, planned,
                      &before->requires_replace);
    return paths.count > 0;
}

/* The paths that ask for a replace are its cause; everything else follows from them. */
static bool judge_replace(context *x, bool changes)
{
    bool any = false;
    const lc_replace_paths *paths = &x->j->view->core[LC_TERRAFORM].paths;
    for (size_t i = 0; i < paths->count; i++) {
        lc_path path = lc_path_by_schema(x->j->scratch, x->j->view->block, paths->kept[i]);
        if (changes && !is_left_out(x, path))
            continue; /* it is replaced without the change too */
        any = true;
        lc_str place = place_words(x->j->scratch, path);
        lc_str note =
            changes ? lc_str_printf(x->j->scratch,
                                    "after the upgrade, a change of `%.*s`, which was an update, "
                                    "replaces every %.*s",
                                    LC_FMT(place), LC_FMT(x->j->view->schema->type_name))
                    : lc_str_printf(x->j->scratch, "after the upgrade, %.*s is replaced",
                                    LC_FMT(objects_words(x, path)));
        emit_change(x, changes ? LC_RULE_GATE_CHANGE_REPLACES : LC_RULE_GATE_REPLACES, path, note);
    }
    return any;
}

/* What the configuration asks for, and the earlier version plans. */
static void each_wanted(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    lc_arena *arena = x->j->scratch;
    const lc_run_view *v = x->j->view;
    const lc_value *config = v->config ? lc_path_apply(arena, v->config, path) : NULL;
    const lc_value *prior = lc_path_apply(arena, v->sent_prior, path);
    const lc_value *planned = lc_path_apply(arena, lc_call_object(x->call), path);
    (void)a;
    if (!config || !prior || !planned || lc_is_unknown(b) || !lc_is_known(config) ||
        lc_value_same(config, prior) || !lc_value_same(prior, planned))
        return;
    emit_change(x, LC_RULE_GATE_CHANGE_IGNORED, path,
                lc_str_printf(arena,
                              "after the upgrade, a change of `%.*s` of every %.*s is not "
                              "planned any more",
                              LC_FMT(place_words(arena, path)), LC_FMT(v->schema->type_name)));
}

static void judge_change(context *x, const lc_value *prior, const lc_value *wanted)
{
    judged(x->j, LC_RULE_GATE_CHANGE_IGNORED);
    lc_each_difference(x->j->scratch, prior, wanted, each_wanted, x);
}

static void judge_stored(context *x, const lc_call *before)
{
    const lc_run_view *v = x->j->view;
    const lc_value *planned = lc_call_object(x->call), *old_planned = lc_call_object(before);
    const lc_value *old_prior =
        lc_field_has_value(&x->before->prior_state) ? x->before->prior_state.value : NULL;
    if (!planned || !old_planned || !old_prior || !lc_is_known(planned))
        return;
    leave_out(x, old_prior, old_planned);
    bool changes = x->left_out.count > 0, replaced = is_replace_before(x, before);
    judged(x->j, changes ? LC_RULE_GATE_CHANGE_REPLACES : LC_RULE_GATE_REPLACES);
    judged(x->j, LC_RULE_GATE_UPDATES);
    if ((!replaced && judge_replace(x, changes)) || (changes && v->replacing))
        return;
    if (changes) {
        judge_change(x, old_prior, old_planned);
        return;
    }
    lc_each_difference(x->j->scratch, normal(x, v->sent_prior), normal(x, planned), each_update, x);
}

/* ---- Plans of new objects. */

static void each_new(void *opaque, lc_path path, const lc_value *a, const lc_value *b)
{
    context *x = opaque;
    lc_arena *arena = x->j->scratch;
    path = lc_path_by_schema(arena, x->j->view->block, path);
    if (is_left_out(x, path) || !lc_is_wholly_known(a) || (lc_is_null(a) && lc_is_unknown(b)) ||
        (is_nothing(a) && is_nothing(b)))
        return;
    bool unknown = lc_is_unknown(b) || !lc_is_wholly_known(b);
    lc_emit(x->j, &(lc_breach){
                      .rule = unknown ? LC_RULE_GATE_PLAN_UNKNOWN : LC_RULE_GATE_PLAN_DIFFERS,
                      .call = x->call,
                      .path = path,
                      .field = x->field,
                      .promised_by = LC_COLUMN_NONE,
                      .broken_by = lc_call_column(x->call->kind),
                      .note = lc_str_printf(
                          arena, "after the upgrade, %.*s is planned with %s`%.*s`%s",
                          LC_FMT(objects_words(x, path)), unknown ? "" : "another ",
                          LC_FMT(place_words(arena, path)), unknown ? " known after apply" : "")});
}

static void judge_new(context *x, const lc_call *before)
{
    const lc_value *old = lc_call_object(before), *new = lc_call_object(x->call);
    x->creates = true;
    if (!old || !new || !make_alike(x, &old, &new))
        return;
    judged(x->j, LC_RULE_GATE_PLAN_DIFFERS);
    judged(x->j, LC_RULE_GATE_PLAN_UNKNOWN);
    lc_each_difference(x->j->scratch, normal(x, old), normal(x, new), each_new, x);
}

static void judge_plan(context *x)
{
    const lc_call *before = earlier(x, x->call->kind);
    const lc_value *prior = x->j->view->sent_prior;
    x->creates = prior && lc_is_null(prior);
    if (!before || x->call->interrupted || !prior)
        return;
    judged(x->j, LC_RULE_GATE_PLAN_FAILS);
    if (!answered(x->call))
        emit_failure(x, LC_RULE_GATE_PLAN_FAILS,
                     x->call->kind == LC_CALL_DESTROY_PLAN ? "planning the destroy fails for"
                                                           : "planning fails for");
    else if (x->call->kind == LC_CALL_PLAN && x->creates)
        judge_new(x, before);
    else if (x->call->kind == LC_CALL_PLAN)
        judge_stored(x, before);
}

/* ---- Reading, importing, moving, applying. */

/* The object that the newer version answers with, compared with that of the earlier one. */
static void compare(context *x, lc_rule rule, const char *by, const lc_value *before,
                    const lc_value *after)
{
    if (!before || !after || lc_is_null(before))
        return;
    judged(x->j, rule);
    x->rule = rule;
    x->by = by;
    if (lc_is_null(after))
        emit_whole(x, rule, LC_PATH_ROOT, "finds nothing");
    else if (make_alike(x, &before, &after))
        lc_each_difference(x->j->scratch, normal(x, before), normal(x, after), each_change, x);
}

static void emit_identity(context *x, lc_rule rule, const char *what, lc_str which)
{
    lc_emit_aside(x->j, rule, x->call, x->call->loc,
                  lc_str_printf(x->j->scratch,
                                "after the upgrade, the identity of every %.*s %s%.*s",
                                LC_FMT(x->j->view->schema->type_name), what, LC_FMT(which)));
}

/* What both versions call the same. */
static void compare_identities(context *x, const lc_value *before, const lc_value *after)
{
    if (!lc_is_known(before) || before->type->kind != LC_TYPE_OBJECT)
        return;
    judged(x->j, LC_RULE_GATE_IDENTITY_CHANGES);
    for (size_t i = 0; i < before->type->count; i++) {
        lc_str name = before->type->as.attrs[i].name;
        const lc_value *was = &before->as.many.elems[i];
        const lc_value *is = lc_is_known(after) ? lc_value_attr(after, name) : NULL;
        if (is ? !lc_value_same(was, is) && lc_type_equal(was->type, is->type)
               : !lc_is_known(after))
            emit_identity(x, LC_RULE_GATE_IDENTITY_CHANGES, "has another ", name);
    }
}

static const lc_value *identity_of(const lc_call *call)
{
    return lc_field_has_value(&call->identity) ? call->identity.value : NULL;
}

static void judge_read(context *x)
{
    const lc_call *before = earlier(x, x->call->kind);
    if (!before || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_READ_FAILS);
    if (!answered(x->call)) {
        emit_failure(x, LC_RULE_GATE_READ_FAILS, "reading fails for");
        return;
    }
    compare(x, LC_RULE_GATE_READ_CHANGES, "reading", lc_call_object(before),
            lc_call_object(x->call));
    if (identity_of(before) && identity_of(x->call))
        compare_identities(x, identity_of(before), identity_of(x->call));
}

static const lc_value *imported(const lc_call *call)
{
    const lc_field *state = call->imported.count ? &call->imported.items[0].state : NULL;
    return state && lc_field_has_value(state) ? state->value : NULL;
}

static void judge_import(context *x)
{
    const lc_call *before = lc_run_call(x->before, LC_CALL_IMPORT);
    if (!before || !answered(before) || before->imported.count == 0 || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_IMPORT_FAILS);
    if (x->call->imported.count)
        x->field = &x->call->imported.items[0].state;
    if (!answered(x->call))
        emit_failure(x, LC_RULE_GATE_IMPORT_FAILS, "importing fails for");
    else if (x->call->imported.count == 0)
        emit_whole(x, LC_RULE_GATE_IMPORT_FAILS, LC_PATH_ROOT, "gives no object any more");
    else
        compare(x, LC_RULE_GATE_IMPORT_CHANGES, "the import", imported(before), imported(x->call));
}

static void judge_move(context *x)
{
    const lc_call *before = earlier(x, LC_CALL_MOVE);
    if (!before || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_MOVE_FAILS);
    if (answered(x->call))
        compare(x, LC_RULE_GATE_MOVE_CHANGES, "the move", lc_call_object(before),
                lc_call_object(x->call));
    else
        emit_failure(x, LC_RULE_GATE_MOVE_FAILS, "moving an object of another type fails for");
}

static void judge_identity(context *x)
{
    const lc_call *before = lc_run_call(x->before, LC_CALL_UPGRADE_IDENTITY);
    const lc_value *was = before && answered(before) ? identity_of(before) : NULL;
    if (!was || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_IDENTITY_FAILS);
    if (!answered(x->call) || !identity_of(x->call))
        emit_identity(x, LC_RULE_GATE_IDENTITY_FAILS, "cannot be upgraded", LC_STR_EMPTY);
    else
        compare_identities(x, was, identity_of(x->call));
}

static void judge_apply(context *x)
{
    const lc_call *before = earlier(x, x->call->kind);
    if (!before || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_APPLY_FAILS);
    if (!answered(x->call))
        emit_failure(x, LC_RULE_GATE_APPLY_FAILS,
                     x->call->kind == LC_CALL_DESTROY ? "destroying fails for"
                                                      : "applying fails for");
    else if (x->call->kind == LC_CALL_APPLY)
        compare(x, LC_RULE_GATE_APPLY_CHANGES, "applying", lc_call_object(before),
                lc_call_object(x->call));
}

/* ---- Functions. */

static bool same_arguments(const lc_function_call *a, const lc_function_call *b)
{
    bool same = lc_str_eq(a->name, b->name) && a->arguments.count == b->arguments.count;
    for (size_t i = 0; same && i < a->arguments.count; i++) {
        const lc_field *x = &a->arguments.items[i], *y = &b->arguments.items[i];
        same = lc_field_has_value(x) && lc_field_has_value(y) && lc_value_same(x->value, y->value);
    }
    return same;
}

static bool gives(const lc_function_call *f)
{
    return !f->has_error && lc_field_has_value(&f->result);
}

static void judge_function(context *x)
{
    const lc_function_call *now = x->call->function, *first = NULL;
    for (size_t i = 0; now && i < x->before->calls.count; i++) {
        const lc_function_call *f = x->before->calls.items[i].function;
        if (!f || !same_arguments(f, now))
            continue;
        if (!gives(f) || (first && !lc_value_same(first->result.value, f->result.value)))
            return;
        first = first ? first : f;
    }
    if (!first || x->call->interrupted)
        return;
    judged(x->j, LC_RULE_GATE_FUNCTION_DIFFERS);
    const lc_value *was = first->result.value;
    const lc_value *is = gives(now) ? now->result.value : NULL;
    const lc_value *same = is ? as_newer(x->j->scratch, was, is->type) : NULL;
    if (same && lc_value_same(same, as_known_before(x->j->scratch, is, was->type)))
        return;
    const char *what = is                         ? "gives another result"
                       : x->call->broke == LC_YES ? "ends the provider"
                                                  : "gives an error";
    lc_emit_aside(x->j, LC_RULE_GATE_FUNCTION_DIFFERS, x->call, x->call->loc,
                  lc_str_printf(x->j->scratch,
                                "after the upgrade, the function %.*s %s for the same arguments",
                                LC_FMT(now->name), what));
}

/* ---- All. */

static void judge_call(lc_judge *j, const lc_run *before, const lc_call *call)
{
    context x = {.j = j,
                 .before = before,
                 .call = call,
                 .field = &call->result,
                 .what = "",
                 .by = "the upgrade",
                 .cause = -1};
    lc_table_init(&x.left_out, j->scratch);
    switch ((unsigned)call->kind) {
    case LC_CALL_UPGRADE:
        judge_upgrade(&x);
        return;
    case LC_CALL_VALIDATE:
        judge_validation(&x);
        return;
    case LC_CALL_PLAN:
    case LC_CALL_DESTROY_PLAN:
        judge_plan(&x);
        return;
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
        judge_function(&x);
        return;
    case LC_CALL_READ:
    case LC_CALL_DATA:
        judge_read(&x);
        return;
    case LC_CALL_IMPORT:
        judge_import(&x);
        return;
    case LC_CALL_MOVE:
        judge_move(&x);
        return;
    case LC_CALL_UPGRADE_IDENTITY:
        judge_identity(&x);
        return;
    case LC_CALL_APPLY:
    case LC_CALL_DESTROY:
        judge_apply(&x);
        return;
    }
}

void lc_judge_gate(lc_judge *j)
{
    const lc_run *run = j->view->run;
    uint32_t number = j->view->number;
    j->gate_rules = 0;
    if (!run->newer || number < 2 || j->subject->runs.items[number - 2].newer)
        return;
    for (size_t i = 0; i < run->calls.count; i++)
        judge_call(j, &j->subject->runs.items[number - 2], &run->calls.items[i]);
}

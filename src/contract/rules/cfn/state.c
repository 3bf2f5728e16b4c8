/* What is stored after a create, an update, a read and an import: sections "Create", "Read",
 * "Update" and "The id Attribute" of the resource behavior document. */
#include "contract/rules/cfn/internal.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_cfn_type *type;
    const lc_value *other; /* the object to compare with */
    lc_cfn_report report;
} context;

static const lc_value *id_of(const lc_value *object)
{
    return object && lc_is_known(object) ? lc_value_attr(object, LC_STR("id")) : NULL;
}

static bool is_text(const lc_value *v)
{
    return v && lc_is_known(v) && v->type->kind == LC_TYPE_STRING;
}

/* ---- The identifier: the values of the primary identifier, joined by bars. */

static const lc_value *component_value(const lc_cfn_property *p, const lc_value *object)
{
    const lc_value *whole = p->parent ? component_value(p->parent, object) : object;
    if (!whole || !lc_is_known(whole) || whole->type->kind != LC_TYPE_OBJECT)
        return NULL;
    return lc_value_attr(whole, p->attribute);
}

/* False: the identifier cannot be computed, because a value is missing or contains a bar itself. */
static bool add_component(lc_buf *out, const lc_cfn_property *p, const lc_value *object)
{
    const lc_value *v = p && p->shape ? component_value(p, object) : NULL;
    if (!v || !lc_is_known(v) || !lc_type_is_primitive(v->type) || p->shape->form == LC_CFN_JSON)
        return false;
    if (v->type->kind == LC_TYPE_NUMBER) {
        lc_num_add_text(out, v->as.number);
        return true;
    }
    if (v->type->kind == LC_TYPE_BOOL) {
        lc_buf_add_c(out, v->as.boolean ? "true" : "false");
        return true;
    }
    for (size_t i = 0; i < v->as.string.len; i++) {
        if (v->as.string.ptr[i] == '|')
            return false;
    }
    lc_buf_add_str(out, v->as.string);
    return true;
}

bool lc_cfn_identifier(lc_str *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_value *object)
{
    lc_buf text = {0};
    bool known = type->identifier.count > 0;
    for (size_t i = 0; known && i < type->identifier.count; i++) {
        if (i)
            lc_buf_add_char(&text, '|');
        known = add_component(&text, type->identifier.items[i].property, object);
    }
    *out = lc_buf_copy(arena, &text);
    lc_buf_release(&text);
    return known;
}

/* ---- Create and update. */

static void judge_created_id(context *x, const lc_value *object)
{
    const lc_value *id = id_of(object);
    lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
    lc_str joined;
    if (!id || lc_is_unknown(id))
        return;
    if (lc_is_null(id) || (is_text(id) && id->as.string.len == 0))
        lc_cfn_emit(&x->report, LC_RULE_CFN_CREATE_ID, &at, "what was created has no id");
    else if (is_text(id) && lc_cfn_identifier(&joined, x->j->scratch, x->type, object) &&
             !lc_str_eq(joined, id->as.string))
        lc_cfn_emit(&x->report, LC_RULE_CFN_CREATE_ID, &at,
                    "the id differs from the primary identifier");
}

static void judge_same_id(context *x, lc_rule rule, const lc_value *before, const lc_value *now,
                          const char *note)
{
    const lc_value *a = id_of(before), *b = id_of(now);
    lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
    if (a && b && lc_is_known(a) && !lc_is_unknown(b) && !lc_value_same(a, b))
        lc_cfn_emit(&x->report, rule, &at, "%s", note);
}

/* After a failed create only the id may be stored. */
static bool judge_left_over(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                            const lc_trail *at)
{
    context *x = visit->context;
    if (lc_is_known(v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_CREATE_FAILED_STATE, at,
                    "the create failed, but %.*s is stored", LC_FMT(p->name));
    return false;
}

static void judge_apply(lc_judge *j, const lc_cfn_type *type)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[LC_CALL_APPLY];
    const lc_value *now = call && lc_field_has_value(&call->result) ? call->result.value : NULL;
    if (!now || !lc_is_known(now) || !v->sent_prior)
        return;
    context x = {.j = j, .type = type};
    bool creates = lc_is_null(v->sent_prior) || v->replacing;
    x.report = (lc_cfn_report){j, call, &call->result, creates ? LC_COLUMN_NONE : LC_COLUMN_PRIOR,
                               LC_COLUMN_NEW};
    lc_cfn_visit left = {&x, judge_left_over, false};
    if (call->failed == LC_YES && creates)
        lc_cfn_visit_object(&left, type->root, now, NULL);
    else if (call->failed != LC_YES && creates)
        judge_created_id(&x, now);
    else if (call->failed != LC_YES)
        judge_same_id(&x, LC_RULE_CFN_UPDATE_ID, v->sent_prior, now,
                      "an update gives the object another id");
}

/* ---- Read. */

static bool judge_read_value(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *before,
                             const lc_trail *at)
{
    context *x = visit->context;
    if (visit->in_set)
        return false;
    const lc_value *now =
        lc_path_apply(x->j->scratch, x->other, lc_path_from_trail(x->j->scratch, at));
    if (!now)
        return false;
    if (p->write_only && lc_is_known(before) && !lc_cfn_same(x->j->scratch, p->shape, before, now))
        lc_cfn_emit(
            &x->report, LC_RULE_CFN_READ_WRITEONLY, at,
            "the write-only property %.*s must be kept, because the service does not return it",
            LC_FMT(p->name));
    if (p->shape->form == LC_CFN_MULTISET && !lc_value_same(before, now) &&
        before->type->kind == now->type->kind && lc_cfn_is_permutation(x->j->scratch, before, now))
        lc_cfn_emit(&x->report, LC_RULE_CFN_READ_MULTISET, at,
                    "the same elements in another order, but the list is unordered");
    return true;
}

static void judge_read(lc_judge *j, const lc_cfn_type *type, lc_call_kind kind,
                       const lc_value *before, lc_column column)
{
    const lc_call *call = j->view->call[kind];
    const lc_value *now = call ? lc_call_object(call) : NULL;
    if (!now || !before || !lc_is_known(now) || !lc_is_known(before) || call->failed == LC_YES)
        return;
    context x = {.j = j, .type = type, .other = now};
    x.report = (lc_cfn_report){j, call, &call->result, column, lc_call_column(kind)};
    lc_cfn_visit visit = {&x, judge_read_value, false};
    judge_same_id(&x, LC_RULE_CFN_READ_ID, before, now, "a read gives the object another id");
    lc_cfn_visit_object(&visit, type->root, before, NULL);
}

/* ---- Import. */

static bool judge_imported_value(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                                 const lc_trail *at)
{
    context *x = visit->context;
    if (!lc_is_null(v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_IMPORT_STATE, at,
                    "an import returns only the id; %.*s is for the read after it",
                    LC_FMT(p->name));
    return false;
}

static void judge_import(lc_judge *j, const lc_cfn_type *type)
{
    const lc_call *call = j->view->call[LC_CALL_IMPORT];
    for (size_t i = 0; call && call->failed != LC_YES && i < call->imported.count; i++) {
        const lc_field *state = &call->imported.items[i].state;
        if (!lc_field_has_value(state) || !lc_is_known(state->value))
            continue;
        context x = {.j = j, .type = type};
        x.report = (lc_cfn_report){j, call, state, LC_COLUMN_NONE, LC_COLUMN_NONE};
        lc_cfn_visit visit = {&x, judge_imported_value, false};
        lc_cfn_visit_object(&visit, type->root, state->value, NULL);
        const lc_value *id = id_of(state->value);
        lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
        if (call->has_import_id && is_text(id) && !lc_str_eq(id->as.string, call->import_id))
            lc_cfn_emit(&x.report, LC_RULE_CFN_IMPORT_STATE, &at,
                        "the id of an imported object must be the ID of the import");
    }
}

void lc_judge_cfn_state(lc_judge *j, const lc_cfn_type *type)
{
    const lc_run_view *v = j->view;
    judge_import(j, type);
    judge_read(j, type, LC_CALL_READ, v->upgraded, LC_COLUMN_UPGRADED);
    judge_apply(j, type);
    judge_read(j, type, LC_CALL_REREAD, v->saved, LC_COLUMN_NEW);
}

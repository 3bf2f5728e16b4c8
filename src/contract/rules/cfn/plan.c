/* What a plan does with defaults, read-only values, unordered lists and create-only properties:
 * sections "Default Values", "Configurability" and "Immutability" of the resource behavior
 * document. Elements of sets have no counterpart in another object, so values inside them are not
 * compared. */
#include "contract/rules/cfn/internal.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_cfn_type *type;
    const lc_call *call;
    const lc_value *config, *prior, *proposed, *planned;
    lc_cfn_report report;
} context;

/* ---- Parts of other objects. */

/* The value at the path; a null or unknown value if one above the path is that; NULL if there is no
 * such place. */
static const lc_value *part(const context *x, const lc_value *whole, lc_path path)
{
    const lc_value *v = whole;
    for (size_t i = 0; v && i < path.count; i++) {
        if (!lc_is_known(v))
            return v;
        v = lc_path_apply(x->j->scratch, v, (lc_path){&path.steps[i], 1});
    }
    return v;
}

static bool is_null_at(const context *x, const lc_value *whole, lc_path path)
{
    const lc_value *v = whole ? part(x, whole, path) : NULL;
    return v && lc_is_null(v);
}

static lc_path path_of(const context *x, const lc_trail *at)
{
    return lc_path_from_trail(x->j->scratch, at);
}

static bool holds_objects(const lc_cfn_shape *shape)
{
    while (shape->element)
        shape = shape->element;
    return shape->form == LC_CFN_OBJECT;
}

static bool is_default(const context *x, const lc_cfn_property *p, const lc_value *v)
{
    return p->default_value && lc_cfn_same(x->j->scratch, p->shape, p->default_value, v);
}

/* ---- Creating: cfn/plan-computed-null, cfn/plan-id. */

static void judge_new_id(context *x)
{
    const lc_value *id = lc_value_attr(x->planned, LC_STR("id"));
    lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
    if (id && !lc_is_unknown(id))
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_ID, &at,
                    "a new object has no id before the service gives it one");
}

/* Only properties of the root are judged: a value further down may belong to a default. */
static bool judge_new_value(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                            const lc_trail *at)
{
    context *x = visit->context;
    bool chosen = lc_is_null(v) || (lc_is_known(v) && lc_is_wholly_known(v));
    if (p->computed && !p->optional && chosen && !is_default(x, p, v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_COMPUTED_NULL, at,
                    "the read-only property %.*s must be unknown until the object is created",
                    LC_FMT(p->name));
    return false;
}

/* ---- Changing: cfn/plan-computed-invented, cfn/plan-id, cfn/plan-multiset. */

static void judge_kept_id(context *x)
{
    const lc_value *before = lc_value_attr(x->prior, LC_STR("id"));
    const lc_value *id = lc_value_attr(x->planned, LC_STR("id"));
    lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
    if (before && id && lc_is_known(before) && !lc_is_unknown(id) && !lc_value_same(before, id) &&
        !x->j->view->replacing)
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_ID, &at, "an object keeps its id while it exists");
}

static void judge_invented(context *x, const lc_cfn_property *p, const lc_value *v,
                           const lc_trail *at)
{
    lc_path path = path_of(x, at);
    const lc_value *before = part(x, x->prior, path);
    if (!p->computed || holds_objects(p->shape) || !lc_is_known(v) || !lc_is_wholly_known(v) ||
        !before || lc_is_unknown(before) || !is_null_at(x, x->config, path) ||
        lc_cfn_same(x->j->scratch, p->shape, before, v) || is_default(x, p, v))
        return;
    lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_COMPUTED_INVENTED, at,
                "not configured, and planned neither as the prior value nor as unknown");
}

static void judge_order(context *x, const lc_cfn_property *p, const lc_value *v, const lc_trail *at)
{
    const lc_value *before =
        p->shape->form == LC_CFN_MULTISET ? part(x, x->prior, path_of(x, at)) : NULL;
    if (before && before->type->kind == v->type->kind && !lc_value_same(before, v) &&
        lc_cfn_is_permutation(x->j->scratch, before, v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_MULTISET, at,
                    "the same elements in another order are planned as a change");
}

/* ---- Defaults: cfn/plan-default, cfn/plan-default-reset. */

/* The provider itself plans defaults of primitive values and of lists of strings. Defaults of
 * objects depend on what else changes. */
static bool is_static(const lc_cfn_shape *shape)
{
    if (!shape->element)
        return shape->form != LC_CFN_OBJECT;
    return shape->form != LC_CFN_MAP && !shape->element->element &&
           lc_type_equal(shape->element->type, &lc_type_string);
}

/* A default must be planned by the provider for such shapes, or where the object had the default
 * before and the plan drops it. */
static void judge_default(context *x, const lc_cfn_property *p, const lc_value *v,
                          const lc_trail *at)
{
    lc_path path = path_of(x, at);
    if (!p->default_value || !is_null_at(x, x->config, path))
        return;
    const lc_value *before = x->prior ? part(x, x->prior, path) : NULL;
    bool was_default = before && lc_is_known(before) && is_default(x, p, before);
    bool asked = is_null_at(x, x->proposed, path) && !lc_is_unknown(v);
    bool literal = was_default && (lc_is_null(v) || asked);
    bool provider = x->type->profile == LC_CFN_AWSCC && is_static(p->shape);
    if ((literal || provider) && !is_default(x, p, v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_DEFAULT, at,
                    "not configured, and not planned as the default of %.*s", LC_FMT(p->name));
    else if (before && lc_is_known(before) && !was_default && is_default(x, p, v))
        lc_cfn_emit(&x->report, LC_RULE_CFN_PLAN_DEFAULT_RESET, at,
                    "the prior value is silently reset to the default");
}

static bool judge_value(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                        const lc_trail *at)
{
    context *x = visit->context;
    if (visit->in_set)
        return false;
    judge_default(x, p, v, at);
    if (x->prior && !lc_is_null(x->prior)) {
        judge_invented(x, p, v, at);
        judge_order(x, p, v, at);
    }
    return true;
}

/* ---- Replacing. */

static bool may_replace(const lc_cfn_property *p)
{
    return p->create_only || p->conditional_create_only;
}

static bool any_below(const lc_cfn_shape *shape)
{
    bool found = false;
    while (shape && shape->element)
        shape = shape->element;
    for (size_t i = 0; shape && !found && i < shape->member_count; i++)
        found = may_replace(&shape->members[i]) || any_below(shape->members[i].shape);
    return found;
}

static size_t next_attribute(lc_path path, size_t i)
{
    while (i < path.count && path.steps[i].kind != LC_STEP_ATTR)
        i++;
    return i;
}

/* Is one of the places inside the other, or the same? Indices and keys are skipped. */
static bool overlaps(lc_path a, lc_path b)
{
    size_t i = next_attribute(a, 0), k = next_attribute(b, 0);
    while (i < a.count && k < b.count) {
        if (!lc_str_eq(a.steps[i].name, b.steps[k].name))
            return false;
        i = next_attribute(a, i + 1);
        k = next_attribute(b, k + 1);
    }
    return true;
}

static bool asks_for_replace(const lc_call *call, lc_path path)
{
    for (size_t i = 0; i < call->requires_replace.count; i++) {
        if (overlaps(call->requires_replace.items[i].path, path))
            return true;
    }
    return false;
}

/* A changed create-only property needs a replacement. The AWSCC provider does not require it if the
 * property is not configured. */
static bool judge_create_only(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *before,
                              const lc_trail *at)
{
    context *x = visit->context;
    if (visit->in_set)
        return false;
    if (!p->create_only)
        return true;
    lc_path path = path_of(x, at);
    const lc_value *now = part(x, x->planned, path);
    bool configured =
        x->type->profile == LC_CFN_DOCUMENT || p->required || !is_null_at(x, x->config, path);
    if (now && configured && !lc_cfn_same(x->j->scratch, p->shape, before, now) &&
        !asks_for_replace(x->call, path))
        lc_cfn_emit(&x->report, LC_RULE_CFN_REPLACE_MISSING, at,
                    "the create-only property %.*s changes, but no replacement is required",
                    LC_FMT(p->name));
    return false;
}

static void judge_replace_paths(context *x)
{
    for (size_t i = 0; i < x->call->requires_replace.count; i++) {
        const lc_located_path *where = &x->call->requires_replace.items[i];
        const lc_cfn_property *p = lc_cfn_property_at(x->type, where->path);
        if (!p || lc_cfn_above(p, may_replace) || any_below(p->shape))
            continue;
        lc_str note = lc_str_printf(x->j->scratch,
                                    "a replacement is required for %.*s, which is not create-only",
                                    LC_FMT(p->name));
        lc_emit(x->j, &(lc_breach){.rule = LC_RULE_CFN_REPLACE_UNNEEDED,
                                   .call = x->call,
                                   .path = where->path,
                                   .loc = where->loc,
                                   .promised_by = LC_COLUMN_PRIOR,
                                   .broken_by = LC_COLUMN_PLANNED,
                                   .note = note});
    }
}

/* A type whose properties are all read-only or create-only can only be replaced. */
static void judge_never_updated(context *x)
{
    if (!x->type->updatable && x->call->requires_replace.count == 0 &&
        lc_is_wholly_known(x->planned) &&
        !lc_cfn_same(x->j->scratch, x->type->root, x->prior, x->planned))
        lc_cfn_emit(&x->report, LC_RULE_CFN_REPLACE_NEVER_UPDATE, NULL,
                    "this is an update, but no property of the type can be updated");
}

static void judge_changes(context *x)
{
    lc_cfn_visit visit = {x, judge_create_only, false};
    judge_kept_id(x);
    lc_cfn_visit_object(&visit, x->type->root, x->prior, NULL);
    judge_replace_paths(x);
    judge_never_updated(x);
}

/* ---- Calls. */

static void judge_call(lc_judge *j, const lc_cfn_type *type, lc_call_kind kind)
{
    const lc_run_view *v = j->view;
    const lc_call *call = v->call[kind];
    const lc_value *planned = call ? lc_call_object(call) : NULL;
    if (!planned || !lc_is_known(planned) || call->failed == LC_YES)
        return;
    context x = {.j = j, .type = type, .call = call, .planned = planned};
    bool creates = kind == LC_CALL_PLAN_CREATE;
    x.config = v->config;
    x.prior = creates ? NULL : v->sent_prior;
    x.proposed = v->core[LC_TERRAFORM].proposed;
    x.report = (lc_cfn_report){j, call, &call->result, LC_COLUMN_PRIOR, lc_call_column(kind)};
    lc_cfn_visit values = {&x, judge_value, false}, fresh = {&x, judge_new_value, false};
    if (x.config && !lc_is_null(x.config))
        lc_cfn_visit_object(&values, type->root, planned, NULL);
    if (creates || (x.prior && lc_is_null(x.prior))) {
        judge_new_id(&x);
        lc_cfn_visit_object(&fresh, type->root, planned, NULL);
    } else if (x.prior && lc_is_known(x.prior)) {
        judge_changes(&x);
    }
}

void lc_judge_cfn_plan(lc_judge *j, const lc_cfn_type *type)
{
    judge_call(j, type, LC_CALL_PLAN);
    judge_call(j, type, LC_CALL_PLAN_CREATE);
}

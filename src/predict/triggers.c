/* replace_triggered_by: which changes of other resources in the module trigger a replace. */
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* One reference in replace_triggered_by while it is evaluated. */
typedef struct trigger {
    const lc_eval_scope *w;
    const lc_config_ref *ref;
    const lc_undecided **undecided; /* receives why the result is open */
} trigger;

/* Actions that trigger. OpenTofu also counts creations. */
static bool fires(const lc_predictor *pred, lc_plan_action action)
{
    if (action == LC_PLAN_UPDATE || action == LC_PLAN_DELETE_CREATE ||
        action == LC_PLAN_CREATE_DELETE)
        return true;
    return is_opentofu(pred) && (action == LC_PLAN_CREATE || action == LC_PLAN_FORGET_CREATE);
}

/* The triggering actions among the possible ones. */
static unsigned firing(const lc_predictor *pred, unsigned possible)
{
    unsigned found = 0;
    for (int a = 0; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (fires(pred, (lc_plan_action)a))
            found |= possible & LC_PLAN_BIT(a);
    }
    return found;
}

/* The value at the steps of an attribute reference; NULL: there is none. An unknown on the way is
 * the result. `path`, with room for all steps, receives those that were taken. */
static const lc_value *value_at(lc_step *path, const lc_value *v, const lc_ref_step *steps,
                                size_t count)
{
    for (size_t i = 0; v && i < count; i++) {
        if (lc_is_unknown(v))
            return v;
        if (!lc_is_known(v))
            return NULL;
        const lc_ref_step *step = &steps[i];
        bool by_name =
            step->kind == LC_REF_ATTR || (step->key && step->key->type->kind == LC_TYPE_STRING);
        lc_str name = step->kind == LC_REF_ATTR ? step->name
                      : by_name                 ? step->key->as.string
                                                : LC_STR_EMPTY;
        int64_t index = 0;
        bool object = v->type->kind == LC_TYPE_OBJECT;
        path[i] = (lc_step){.kind = object ? LC_STEP_ATTR : LC_STEP_KEY, .name = name};
        if (by_name && object)
            v = lc_value_attr(v, name);
        else if (by_name && v->type->kind == LC_TYPE_MAP)
            v = lc_value_key(v, name);
        else if (!by_name && step->key && step->key->type->kind == LC_TYPE_NUMBER &&
                 (v->type->kind == LC_TYPE_LIST || v->type->kind == LC_TYPE_TUPLE) &&
                 lc_num_to_int64(step->key->as.number, &index) && index >= 0 &&
                 (uint64_t)index < v->count) {
            path[i] = (lc_step){.kind = LC_STEP_INDEX, .index = (uint64_t)index};
            v = &v->as.many.elems[index];
        } else
            return NULL;
    }
    return v;
}

static bool begins_with(lc_path path, lc_path with)
{
    return path.count >= with.count && lc_path_eq((lc_path){path.steps, with.count}, with);
}

/* Is something marked here: the value itself or one that it is in; or the part of it at `below`? */
static bool is_marked(lc_run_paths sensitive, lc_path path, const lc_path *below)
{
    for (size_t i = 0; i < sensitive.count; i++) {
        lc_path marked = sensitive.items[i];
        if (below ? lc_path_eq(marked, *below) : begins_with(path, marked))
            return true;
    }
    return false;
}

static bool has_other_marks(lc_run_paths of, lc_run_paths than, lc_path path)
{
    for (size_t i = 0; i < of.count; i++) {
        if (of.items[i].count > path.count && begins_with(of.items[i], path) &&
            !is_marked(than, path, &of.items[i]))
            return true;
    }
    return false;
}

/* Terraform compares sensitivity as well; of OpenTofu's changes there is none. */
static bool sensitivity_differs(const lc_run_change *c, lc_path path)
{
    lc_run_paths was = c->sensitive_before, is = c->sensitive_after;
    return is_marked(was, path, NULL) != is_marked(is, path, NULL) ||
           has_other_marks(was, is, path) || has_other_marks(is, was, path);
}

/* Whether a change of an attribute triggers. What is created has no value before: all that it has
 * is a change. */
static lc_trigger_result of_attribute(const trigger *t, const lc_run_change *c,
                                      const lc_ref_step *steps, size_t count)
{
    lc_step *path = lc_arena_zalloc(t->w->run->arena, lc_mul_size(count, sizeof *path));
    const lc_value *before = c->before ? value_at(path, c->before, steps, count) : NULL;
    const lc_value *after = value_at(path, c->after, steps, count);
    if (!before || !after)
        return before != after ? FIRED : NOT_FIRED;
    bool differs =
        !lc_value_raw_equal(before, after) || sensitivity_differs(c, (lc_path){path, count});
    return differs ? FIRED : NOT_FIRED;
}

/* Whether a change triggers. `steps`: the attribute that is compared, if the reference names one.
 * FIRED_MAYBE: it depends on what is open. */
static lc_trigger_result of_change(const trigger *t, const lc_run_change *c,
                                   const lc_ref_step *steps, size_t count)
{
    const lc_predictor *pred = t->w->run;
    unsigned firing_ones = firing(pred, c->possible);
    if (!firing_ones)
        return NOT_FIRED;
    bool open = firing_ones != c->possible;
    if (count) {
        lc_plan_action a = c->action;
        if (!open && (!c->after || (!c->before && a != LC_PLAN_CREATE))) {
            *t->undecided = c->undecided;
            return FIRED_MAYBE;
        }
        if (!open)
            return of_attribute(t, c, steps, count);
    }
    if (open)
        *t->undecided = c->undecided;
    return open ? FIRED_MAYBE : FIRED;
}

/* The strongest result of several changes. */
static lc_trigger_result worst(lc_trigger_result a, lc_trigger_result b)
{
    if (a == FIRED || b == FIRED)
        return FIRED;
    return a == FIRED_MAYBE || b == FIRED_MAYBE ? FIRED_MAYBE : NOT_FIRED;
}

/* The clients report a reference to a resource without a change as an error. */
static lc_trigger_result no_change(const trigger *t, const char *index)
{
    const lc_module_instance *m = t->w->module;
    const lc_reference *ref = t->ref->reference;
    lc_str text = lc_str_printf(t->w->run->arena, "no change found for %s%.*s.%.*s%s in %.*s",
                                ref->root == LC_ROOT_DATA ? "data." : "", LC_FMT(ref->type),
                                LC_FMT(ref->name), index,
                                LC_FMT(m->text.len ? m->text : LC_STR("the root module")));
    lc_predict_error(t->w->run, text, LC_STR_EMPTY, t->ref->place);
    return FIRED_ERROR;
}

/* All current objects of the resource in this module instance, orphans among them. */
static lc_trigger_result of_whole(const trigger *t, lc_str resource)
{
    lc_predictor *pred = t->w->run;
    const lc_id_list *list = lc_predict_changes_of(pred, resource);
    lc_trigger_result result = NOT_FIRED;
    size_t seen = 0;
    for (size_t i = 0; list && i < list->count; i++) {
        const lc_run_change *c = &pred->out->changes.items[list->items[i]];
        seen++;
        if (c->deposed.len)
            continue;
        result = worst(result, of_change(t, c, NULL, 0));
    }
    return seen ? result : no_change(t, "");
}

static lc_trigger_result of_instance(const trigger *t, lc_str resource, lc_key key,
                                     const lc_ref_step *steps, size_t count)
{
    lc_buf text = {0};
    lc_key_add(&text, key);
    lc_str index = lc_buf_copy(t->w->run->arena, &text);
    lc_buf_clear(&text);
    lc_buf_add_str(&text, resource);
    lc_buf_add_str(&text, index);
    const lc_run_change *c = lc_run_find(t->w->run->out, lc_buf_str(&text), LC_STR_EMPTY);
    lc_buf_release(&text);
    if (!c)
        return no_change(t, lc_str_to_c(t->w->run->arena, index));
    return of_change(t, c, steps, count);
}

/* The key that an index evaluates to. False: *result is the outcome, open or an error. */
static bool key_of(lc_key *out, const trigger *t, const lc_ref_step *step,
                   lc_trigger_result *result)
{
    lc_marked v;
    lc_eval_error trouble;
    if (step->key) {
        v = (lc_marked){step->key, NULL};
    } else if (!lc_predict_evaluate(&v, t->w, step->index, &trouble)) {
        lc_predict_eval_error(t->w->run, &trouble, LC_STR_EMPTY);
        *result = FIRED_ERROR;
        return false;
    }
    int64_t number;
    *result = FIRED_MAYBE;
    *t->undecided = v.marks ? v.marks->undecided : NULL;
    if (!lc_is_known(v.value))
        return false;
    if (v.value->type->kind == LC_TYPE_STRING)
        *out = lc_key_string(v.value->as.string);
    else if (v.value->type->kind == LC_TYPE_NUMBER && lc_num_to_int64(v.value->as.number, &number))
        *out = lc_key_int(number);
    else
        return false;
    return true;
}

/* An undeclared resource is an error; one with undecided keys may trigger. */
static lc_trigger_result of_reference(const trigger *t)
{
    lc_predictor *pred = t->w->run;
    const lc_reference *ref = t->ref->reference;
    if (!ref || (ref->root != LC_ROOT_RESOURCE && ref->root != LC_ROOT_DATA)) {
        lc_predict_error(pred, LC_STR(LC_SUMMARY_REPLACE_TRIGGER), LC_STR_EMPTY, t->ref->place);
        return FIRED_ERROR;
    }
    const lc_module_instance *m = t->w->module;
    lc_str address =
        lc_str_printf(pred->arena, "%s%.*s.%.*s", ref->root == LC_ROOT_DATA ? "data." : "",
                      LC_FMT(ref->type), LC_FMT(ref->name));
    lc_str full = lc_address_below(pred->arena, m->text, address);
    const lc_resource_instance *resource = lc_table_get(&m->resources, address);
    if (!lc_table_get(&m->config->resource, address)) {
        lc_predict_error(pred, LC_STR(LC_SUMMARY_UNDECLARED_RESOURCE), LC_STR_EMPTY, t->ref->place);
        return FIRED_ERROR;
    }
    if (resource && resource->keys.undecided) {
        *t->undecided = resource->keys.undecided;
        return FIRED_MAYBE;
    }
    if (ref->count && ref->steps[0].kind == LC_REF_INDEX) {
        lc_key key;
        lc_trigger_result result;
        if (!key_of(&key, t, &ref->steps[0], &result))
            return result;
        return of_instance(t, full, key, ref->steps + 1, ref->count - 1);
    }
    if (ref->count || (resource && resource->keys.kind == REPEAT_NONE))
        return of_instance(t, full, LC_NO_KEY, ref->steps, ref->count);
    return of_whole(t, full);
}

/* The first reference that certainly triggers decides, as in the core. *by is the reference that
 * did. */
lc_trigger_result lc_predict_triggers(const lc_config_ref **by, const lc_eval_scope *scope,
                                      const lc_config_resource *config,
                                      const lc_undecided **undecided)
{
    const lc_config_refs *refs = &config->lifecycle->replace_triggered_by;
    lc_trigger_result result = NOT_FIRED;
    for (size_t i = 0; i < refs->list.count; i++) {
        trigger t = {scope, &refs->list.items[i], undecided};
        lc_trigger_result one = of_reference(&t);
        if (one == FIRED_ERROR || one == FIRED) {
            *by = t.ref;
            return one;
        }
        if (one == FIRED_MAYBE) {
            *by = t.ref;
            result = one;
        }
    }
    return result;
}

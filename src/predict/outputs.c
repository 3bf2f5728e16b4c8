/* Changes of root module outputs. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

static const lc_run_prior_output *stored(const lc_predictor *r, lc_str name)
{
    return lc_table_get(&r->stored_outputs, name);
}

static void add_output(lc_predictor *r, lc_str name, lc_plan_action action, unsigned possible,
                       const lc_value *after)
{
    lc_run_output *out = LC_PUSH(r->arena, &r->out->outputs, lc_run_output);
    out->name = name;
    out->after = after;
    out->action = action;
    out->possible = possible;
}

/* Compares the new value with the stored one. A null is no change if the stored value was null or
 * absent; a different `sensitive` is one. */
static void compare(lc_predictor *r, const lc_config_output *output, lc_marked v)
{
    const lc_run_prior_output *was = stored(r, output->name);
    bool open = (lc_marks_all(v) & LC_MARK_UNDECIDED) != 0 || (was && !was->value);
    bool null_before = !was || (was->value && lc_is_null(was->value));
    if (open) {
        unsigned possible =
            LC_PLAN_BIT(LC_PLAN_NOOP) | LC_PLAN_BIT(was ? LC_PLAN_UPDATE : LC_PLAN_CREATE);
        add_output(r, output->name, was ? LC_PLAN_UPDATE : LC_PLAN_CREATE, possible, NULL);
        r->out->outputs.items[r->out->outputs.count - 1].undecided =
            v.marks ? lc_undecided_copy(r->arena, v.marks->undecided) : NULL;
        return;
    }
    lc_plan_action action = LC_PLAN_UPDATE;
    if (lc_is_null(v.value) && null_before)
        action = LC_PLAN_NOOP;
    else if (!was)
        action = LC_PLAN_CREATE;
    else if (lc_is_wholly_known(v.value) && lc_value_equals(v.value, was->value) == LC_TRUE &&
             output->sensitive == was->sensitive)
        action = LC_PLAN_NOOP;
    add_output(r, output->name, action, LC_PLAN_BIT(action), v.value);
}

bool lc_predict_may_leave(lc_predictor *r, const lc_config_output *output, lc_marked v)
{
    if (output->ephemeral || !(lc_marks_all(v) & LC_MARK_EPHEMERAL))
        return true;
    lc_predict_error(r,
                     is_opentofu(r) ? LC_STR(LC_SUMMARY_EPHEMERAL_OUTPUT)
                                    : LC_STR(LC_SUMMARY_EPHEMERAL_VALUE),
                     output->name, lc_expr_pos(output->value));
    return false;
}

/* Of the root module's outputs. */
static bool may_be_shown(lc_predictor *r, const lc_config_output *output, lc_marked v)
{
    if (output->sensitive || !(lc_marks_all(v) & LC_MARK_SENSITIVE))
        return true;
    lc_predict_error(r, LC_STR(LC_SUMMARY_SECRET_OUTPUT), output->name, output->place);
    return false;
}

/* A destroy plan deletes all outputs, see below. */
void lc_predict_output(lc_predictor *r, const lc_graph_node *node)
{
    const lc_config_output *output = node->block;
    lc_marked v;
    lc_eval_error trouble;
    lc_eval_scope w = {.run = r, .module = r->root};
    if (!output->value || !node->selected || r->in->options.mode == LC_RUN_DESTROY)
        return;
    if (!lc_predict_conditions(&w, &output->preconditions, LC_SUMMARY_OUTPUT_PRECONDITION,
                               output->name))
        return;
    if (!lc_predict_evaluate(&v, &w, output->value, &trouble)) {
        lc_predict_eval_error(r, &trouble, output->name);
        return;
    }
    if (lc_predict_may_leave(r, output, v) && may_be_shown(r, output, v))
        compare(r, output, v);
}

static void delete_output(lc_predictor *r, lc_str name)
{
    add_output(r, name, LC_PLAN_DELETE, LC_PLAN_BIT(LC_PLAN_DELETE), NULL);
}

/* In a destroy plan: the stored outputs, and those that only the refresh before it set. */
static void delete_outputs(lc_predictor *r)
{
    for (size_t i = 0; i < r->in->output_count; i++) {
        if (!lc_table_get(&r->gone_outputs, r->in->outputs[i].name))
            delete_output(r, r->in->outputs[i].name);
    }
    for (size_t i = 0; i < r->config->root->outputs.count; i++) {
        lc_str name = r->config->root->outputs.items[i]->name;
        if (lc_table_get(&r->known_outputs, name) && !stored(r, name))
            delete_output(r, name);
    }
}

/* Outputs that are not declared any more are deleted, but not with -target or -exclude. */
void lc_predict_outputs_removed(lc_predictor *r)
{
    if (r->selection)
        return;
    if (r->in->options.mode == LC_RUN_DESTROY) {
        delete_outputs(r);
        return;
    }
    for (size_t i = 0; i < r->in->output_count; i++) {
        lc_str name = r->in->outputs[i].name;
        if (!lc_table_get(&r->config->root->output, name) && !r->config->incomplete)
            delete_output(r, name);
    }
}

/* Remembers which outputs the refresh before a destroy plan set, and which it removed. */
void lc_predict_outputs_refreshed(lc_predictor *r, const lc_prediction *before)
{
    for (size_t i = 0; i < before->outputs.count; i++) {
        const lc_run_output *o = &before->outputs.items[i];
        if (!o->after || !lc_is_wholly_known(o->after))
            continue;
        lc_table_put(lc_is_null(o->after) ? &r->gone_outputs : &r->known_outputs, o->name, r);
    }
}

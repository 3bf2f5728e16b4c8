/* Changes of root module outputs. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

static const lc_run_prior_output *stored(const lc_predictor *pred, lc_str name)
{
    return lc_table_get(&pred->stored_outputs, name);
}

static void add_output(lc_predictor *pred, lc_str name, lc_plan_action action, unsigned possible,
                       const lc_value *after)
{
    lc_run_output *out = LC_PUSH(pred->arena, &pred->out->outputs, lc_run_output);
    out->name = name;
    out->after = after;
    out->action = action;
    out->possible = possible;
}

/* Compares the new value with the stored one. A null is not a change if the stored value was null
 * or absent; a different `sensitive` is one. */
static void compare(lc_predictor *pred, const lc_config_output *output, lc_marked v)
{
    const lc_run_prior_output *was = stored(pred, output->name);
    bool open = (lc_marks_all(v) & LC_MARK_UNDECIDED) != 0 || (was && !was->value);
    bool null_before = !was || (was->value && lc_is_null(was->value));
    if (open) {
        unsigned possible =
            LC_PLAN_BIT(LC_PLAN_NOOP) | LC_PLAN_BIT(was ? LC_PLAN_UPDATE : LC_PLAN_CREATE);
        add_output(pred, output->name, was ? LC_PLAN_UPDATE : LC_PLAN_CREATE, possible, NULL);
        pred->out->outputs.items[pred->out->outputs.count - 1].undecided =
            v.marks ? lc_undecided_copy(pred->arena, v.marks->undecided) : NULL;
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
    add_output(pred, output->name, action, LC_PLAN_BIT(action), v.value);
}

bool lc_predict_may_leave(lc_predictor *pred, const lc_config_output *output, lc_marked v)
{
    if (output->ephemeral || !(lc_marks_all(v) & LC_MARK_EPHEMERAL))
        return true;
    lc_predict_error(pred,
                     is_opentofu(pred) ? LC_STR(LC_SUMMARY_EPHEMERAL_OUTPUT)
                                       : LC_STR(LC_SUMMARY_EPHEMERAL_VALUE),
                     output->name, lc_expr_pos(output->value));
    return false;
}

/* Of the root module's outputs. */
static bool may_be_shown(lc_predictor *pred, const lc_config_output *output, lc_marked v)
{
    if (output->sensitive || !(lc_marks_all(v) & LC_MARK_SENSITIVE))
        return true;
    lc_predict_error(pred, LC_STR(LC_SUMMARY_SECRET_OUTPUT), output->name, output->place);
    return false;
}

/* A destroy plan deletes all outputs, see below. */
void lc_predict_output(lc_predictor *pred, const lc_graph_node *node)
{
    const lc_config_output *output = node->block;
    lc_marked v;
    lc_eval_error trouble;
    lc_eval_scope scope = {.run = pred, .module = pred->root};
    if (!output->value || !node->selected || pred->in->options.mode == LC_RUN_DESTROY)
        return;
    if (!lc_predict_conditions(&scope, &output->preconditions, LC_SUMMARY_OUTPUT_PRECONDITION,
                               output->name))
        return;
    if (!lc_predict_output_value(&v, &scope, output, &trouble)) {
        lc_predict_eval_error(pred, &trouble, output->name);
        return;
    }
    if (lc_predict_may_leave(pred, output, v) && may_be_shown(pred, output, v))
        compare(pred, output, v);
}

static void delete_output(lc_predictor *pred, lc_str name)
{
    add_output(pred, name, LC_PLAN_DELETE, LC_PLAN_BIT(LC_PLAN_DELETE), NULL);
}

/* In a destroy plan: the stored outputs, and those that only the refresh before it set. */
static void delete_outputs(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->in->output_count; i++) {
        if (!lc_table_get(&pred->gone_outputs, pred->in->outputs[i].name))
            delete_output(pred, pred->in->outputs[i].name);
    }
    for (size_t i = 0; i < pred->config->root->outputs.count; i++) {
        lc_str name = pred->config->root->outputs.items[i]->name;
        if (lc_table_get(&pred->known_outputs, name) && !stored(pred, name))
            delete_output(pred, name);
    }
}

/* Outputs that are not declared any more are deleted, but not with -target or -exclude. */
void lc_predict_outputs_removed(lc_predictor *pred)
{
    if (pred->selection)
        return;
    if (pred->in->options.mode == LC_RUN_DESTROY) {
        delete_outputs(pred);
        return;
    }
    for (size_t i = 0; i < pred->in->output_count; i++) {
        lc_str name = pred->in->outputs[i].name;
        if (!lc_table_get(&pred->config->root->output, name) && !pred->config->incomplete)
            delete_output(pred, name);
    }
}

/* Remembers which outputs the refresh before a destroy plan set, and which it removed. */
void lc_predict_outputs_refreshed(lc_predictor *pred, const lc_prediction *before)
{
    for (size_t i = 0; i < before->outputs.count; i++) {
        const lc_run_output *o = &before->outputs.items[i];
        if (!o->after || !lc_is_wholly_known(o->after))
            continue;
        lc_table_put(lc_is_null(o->after) ? &pred->gone_outputs : &pred->known_outputs, o->name,
                     pred);
    }
}

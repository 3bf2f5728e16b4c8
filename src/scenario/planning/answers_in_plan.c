/* What a plan shows about the responses of providers while it was made. */
#include "scenario/planning/answers_in_plan.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/plain_json.h"

static const lc_value *value_of(lc_run_question *ask, const lc_node *known, const lc_node *unknown)
{
    lc_value value;
    lc_plain_json bare = {.arena = ask->arena, .limits = LC_LIMITS_DEFAULT};
    if (!known || known->kind == LC_NODE_NULL ||
        !lc_plain_json_value(&value, &bare, ask->schema->block->implied, known, unknown))
        return NULL;
    return lc_value_new(ask->arena, &value);
}

/* replace_paths, as [["name"], ["list", 0, "name"]]. Without a schema a number is an index. */
static bool read_replace_path(lc_run_question *ask, const lc_node *node)
{
    lc_step *steps = LC_NEW_ARRAY(ask->arena, lc_step, node->count);
    if (node->kind != LC_NODE_SEQUENCE || !node->count)
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_node *step = &node->as.items[i];
        lc_num n;
        int64_t index = 0;
        bool number = step->kind == LC_NODE_NUMBER &&
                      lc_num_from_text(&n, ask->arena, step->as.text, 40) == LC_NUM_OK &&
                      lc_num_to_int64(n, &index);
        if (!number && step->kind != LC_NODE_STRING)
            return false;
        steps[i] = number ? (lc_step){LC_STEP_INDEX, LC_STR_EMPTY, (uint64_t)index, NULL}
                          : (lc_step){LC_STEP_ATTR, step->as.text, 0, NULL};
    }
    *LC_PUSH(ask->arena, &ask->requires_replace, lc_located_path) =
        (lc_located_path){{steps, node->count}, {LC_STR_EMPTY, 0, 0}};
    return true;
}

static bool answers_in_place(const lc_plan_change *c)
{
    return c->action == LC_PLAN_NOOP || c->action == LC_PLAN_UPDATE;
}

/* For a replace the plan contains the response for the new object. If the client replaces for
 * reasons of its own, the plan does not show how the provider would have changed the old object. */
static bool forces_replace(lc_run_question *ask, const lc_plan_change *c)
{
    const lc_node *paths = c->replace_paths;
    if (c->reason != LC_PLAN_REASON_REPLACE_CANNOT_UPDATE || !paths ||
        paths->kind != LC_NODE_SEQUENCE)
        return false;
    for (uint32_t i = 0; i < paths->count; i++) {
        if (!read_replace_path(ask, &paths->as.items[i]))
            return false;
    }
    return paths->count > 0;
}

void lc_prediction_planned(const lc_plan *plan, lc_run_question *ask)
{
    const lc_plan_change *c = lc_table_get(&plan->by_address, ask->text);
    bool create = lc_is_null(ask->prior);
    if (!c || !c->fits)
        return;
    bool replaces = lc_plan_action_replaces(c->action);
    bool reported = create ? c->action == LC_PLAN_CREATE || replaces
                           : answers_in_place(c) || (replaces && forces_replace(ask, c));
    ask->assumed = !create && c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS;
    if (!reported)
        return;
    ask->out = value_of(ask, c->after, c->after_unknown);
    ask->known = ask->out != NULL;
}

void lc_prediction_read(const lc_plan *plan, lc_run_question *ask)
{
    const lc_plan_object *o = lc_table_get(&plan->prior_by_address, ask->text);
    if (!o || (o->managed && !lc_plan_imports(o->change)))
        return;
    ask->out = value_of(ask, o->values, NULL);
    ask->known = ask->out != NULL;
}

/* What a plan tells of itself: the objects of its prior state, as they were before the plan's own
 * moves and imports, and what the providers answered while it was made. */
#include "input/forecast.h"

#include "lifecheck/arena.h"
#include "lifecheck/plain_json.h"

typedef struct marks {
    lc_arena *arena;
    lc_path_list *out;
} marks;

static void add_mark(void *context, lc_path path)
{
    marks *m = context;
    *LC_PUSH(m->arena, m->out, lc_located_path) =
        (lc_located_path){lc_path_copy(m->arena, path), {LC_STR_EMPTY, 0, 0}};
}

static void read_value(lc_stored_value *out, lc_arena *arena, const lc_plan_object *object,
                       const lc_schema *schema)
{
    lc_value value;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_plain_json bare = {.arena = arena, .limits = limits};
    marks m = {arena, &out->sensitive};
    if (!schema || !object->values ||
        !lc_plain_json_value(&value, &bare, schema->block->implied, object->values, NULL))
        return;
    out->value = lc_value_new(arena, &value);
    if (object->sensitive_values)
        lc_plain_json_marks(arena, schema->block->implied, object->sensitive_values, add_mark, &m);
}

static void add_dependencies(lc_run_prior *p, lc_arena *arena, const lc_node *list)
{
    lc_address address;
    lc_str why;
    size_t at;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *item = &list->as.items[i];
        if (item->kind == LC_NODE_STRING &&
            lc_address_parse(&address, arena, item->as.text, &why, &at))
            *LC_PUSH(arena, &p->dependencies.list, lc_address) = address;
    }
}

static bool is_imported(const lc_plan_change *change)
{
    return change && change->importing && change->importing->kind == LC_NODE_MAPPING;
}

void lc_prediction_priors_from_plan(lc_run_priors *out, lc_arena *arena, const lc_plan *plan,
                                    const lc_schema *(*schema)(void *context, lc_resource_mode mode,
                                                               lc_str type),
                                    void *context)
{
    for (size_t i = 0; i < plan->prior.count; i++) {
        const lc_plan_object *object = &plan->prior.items[i];
        const lc_plan_change *change = object->change;
        lc_str text =
            change && change->previous_address.len ? change->previous_address : object->address;
        lc_address address;
        lc_str why;
        size_t at;
        if (!object->managed || is_imported(change) ||
            !lc_address_parse(&address, arena, text, &why, &at))
            continue;
        lc_stored_value *value = LC_NEW(arena, lc_stored_value);
        lc_run_prior *p = LC_PUSH(arena, &out->list, lc_run_prior);
        *p = (lc_run_prior){.address = address,
                            .deposed = object->deposed,
                            .tainted = object->tainted,
                            .provider = LC_STR_EMPTY,
                            .loc = lc_node_loc(plan->source, object->node),
                            .origin = value};
        add_dependencies(p, arena, lc_node_given(object->node, "depends_on"));
        read_value(value, arena, object, schema(context, address.mode, address.type));
    }
}

/* ---- What providers answered. */

static const lc_value *value_of(lc_run_question *ask, const lc_node *known, const lc_node *unknown)
{
    lc_value value;
    lc_plain_json bare = {.arena = ask->arena, .limits = LC_LIMITS_DEFAULT};
    if (!known || known->kind == LC_NODE_NULL ||
        !lc_plain_json_value(&value, &bare, ask->schema->block->implied, known, unknown))
        return NULL;
    return lc_value_new(ask->arena, &value);
}

/* [["name"], ["list", 0, "name"]]; without the schema a number is an index. */
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

/* Of a replace the plan has the answer that was given for the new object. That the client replaces
 * for reasons of its own says nothing of how the provider would have changed the old one. */
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
    if (!o || (o->managed && !is_imported(o->change)))
        return;
    ask->out = value_of(ask, o->values, NULL);
    ask->known = ask->out != NULL;
}

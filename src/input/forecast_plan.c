/* Stored objects out of a plan: its prior state, as it was before the plan's own moves and imports.
 */
#include "forecast.h"

#include "lifecheck/arena.h"
#include "lifecheck/bare.h"

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
    lc_bare bare = {.arena = arena, .limits = limits};
    marks m = {arena, &out->sensitive};
    if (!schema || !object->values ||
        !lc_bare_value(&value, &bare, schema->block->implied, object->values, NULL))
        return;
    out->value = lc_value_new(arena, &value);
    if (object->sensitive_values)
        lc_bare_marks(arena, schema->block->implied, object->sensitive_values, add_mark, &m);
}

static void add_dependencies(lc_run_prior *p, lc_arena *arena, const lc_node *list)
{
    lc_address address;
    lc_str why;
    size_t at;
    for (uint32_t i = 0; list && list->kind == LC_NODE_SEQUENCE && i < list->count; i++) {
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

void lc_forecast_priors_from_plan(lc_run_priors *out, lc_arena *arena, const lc_plan *plan,
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
        add_dependencies(p, arena, lc_plan_member(object->node, "depends_on"));
        read_value(value, arena, object, schema(context, address.mode, address.type));
    }
}

/* null_resource of the provider hashicorp/null. Its versions differ about triggers that are null:
 * those of the SDK drop them. */
#include "predict/known/internal.h"

#include "lifecheck/catalog/core_message.h"

static bool has_nulls(const lc_value *map)
{
    for (uint32_t i = 0; lc_is_known(map) && i < map->count; i++) {
        if (lc_is_null(&map->as.many.elems[i]))
            return true;
    }
    return false;
}

static bool is_empty(const lc_value *map)
{
    return lc_is_null(map) || (lc_is_known(map) && map->count == 0);
}

/* All versions agree: a change between triggers of which some are there, and none is null. */
static bool agreed(const lc_value *was, const lc_value *now)
{
    if (has_nulls(was) || has_nulls(now))
        return false;
    return !is_empty(was) || (lc_is_known(now) && !is_empty(now));
}

void lc_known_plan_null_resource(lc_run_question *ask)
{
    lc_known_edit e = lc_known_edit_of(ask->arena, ask->schema, ask->proposed);
    const lc_value *now = lc_known_slot(&e, "triggers");
    bool create = lc_is_null(ask->prior);
    ask->known = true;
    if (create)
        lc_value_set_unknown(lc_known_slot(&e, "id"), &lc_type_string);
    else if (!lc_value_raw_equal(lc_known_attribute(ask->prior, "triggers"), now)) {
        ask->known = agreed(lc_known_attribute(ask->prior, "triggers"), now);
        lc_known_replace_for(ask, "triggers");
    }
    ask->out = lc_known_done(&e);
}

/* Its objects cannot be imported. */
void lc_known_import_null_resource(lc_run_question *ask)
{
    ask->error = LC_STR(LC_SUMMARY_IMPORT_NOT_IMPLEMENTED);
}

/* terraform_data of the built-in provider, as both clients have it. */
#include "predict/known/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* The output equals the input, but is unknown until apply. Only a new object has null at once. */
static void new_output(lc_known_edit *e, bool is_new)
{
    const lc_value *input = lc_known_slot(e, "input");
    lc_value *output = lc_known_slot(e, "output");
    if (is_new && lc_is_null(input))
        *output = *input;
    else
        lc_value_set_unknown(output, input->type);
}

/* Unknown until apply, but not null, as both clients plan it. */
static void new_id(lc_known_edit *e)
{
    static const lc_refinement not_null = {.not_null = true};
    LC_ASSERT(lc_value_set_refined(lc_known_slot(e, "id"), e->arena, &lc_type_string, &not_null));
}

/* A change of triggers_replace requires a replace; id and output are unknown when they will
 * change. */
void lc_known_plan_terraform_data(lc_run_question *ask)
{
    lc_known_edit e = lc_known_edit_of(ask->arena, ask->schema, ask->proposed);
    bool create = lc_is_null(ask->prior);
    bool triggered =
        !create && !lc_value_raw_equal(lc_known_attribute(ask->prior, "triggers_replace"),
                                       lc_known_slot(&e, "triggers_replace"));
    if (triggered)
        lc_known_replace_for(ask, "triggers_replace");
    bool is_new = create || triggered;
    if (is_new)
        new_id(&e);
    if (is_new ||
        !lc_value_raw_equal(lc_known_attribute(ask->prior, "input"), lc_known_slot(&e, "input")))
        new_output(&e, is_new);
    ask->out = lc_known_done(&e);
    ask->known = true;
}

/* Any id can be imported; the object has no other attributes. */
void lc_known_import_terraform_data(lc_run_question *ask)
{
    lc_known_edit e = lc_known_edit_of(ask->arena, ask->schema,
                                       lc_block_empty_value(ask->arena, ask->schema->block));
    lc_value_set_string(lc_known_slot(&e, "id"), ask->arena, ask->id->as.string);
    ask->out = lc_known_done(&e);
    ask->known = true;
}

/* Triggers become an object, as most configurations write them. */
static void set_triggers(lc_known_edit *e, const lc_value *triggers)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(e->arena, lc_type_attr, triggers->count);
    lc_value *elems = LC_NEW_ARRAY(e->arena, lc_value, triggers->count);
    for (uint32_t i = 0; i < triggers->count; i++) {
        attrs[i] = (lc_type_attr){triggers->as.many.keys[i], &lc_type_string, false};
        elems[i] = triggers->as.many.elems[i];
    }
    lc_value_set_object(lc_known_slot(e, "triggers_replace"), e->arena,
                        lc_type_object(e->arena, attrs, triggers->count), elems);
}

const lc_value *lc_known_from_null_resource(lc_arena *arena, const lc_schema *schema,
                                            const lc_value *object)
{
    lc_known_edit e = lc_known_edit_of(arena, schema, lc_block_empty_value(arena, schema->block));
    const lc_value *triggers = lc_known_attribute(object, "triggers");
    *lc_known_slot(&e, "id") = *lc_known_attribute(object, "id");
    if (lc_is_known(triggers))
        set_triggers(&e, triggers);
    return lc_known_done(&e);
}

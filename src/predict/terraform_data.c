/* The built-in provider of both clients, as far as it manages objects: terraform_data. Its
 * responses are known exactly, so users need not state them. */
#include "lifecheck/predict.h"

#include "lifecheck/arena.h"
#include "lifecheck/bug.h"

#include <string.h>

bool lc_is_builtin(lc_resource_mode mode, lc_str type)
{
    return mode == LC_MODE_MANAGED && lc_str_is(type, "terraform_data");
}

/* The schema is parsed from its JSON form, like any other. */
const lc_schema *lc_builtin_schema(lc_arena *arena)
{
    static const char text[] = "{\"version\":0,\"block\":{\"attributes\":{"
                               "\"id\":{\"type\":\"string\",\"computed\":true},"
                               "\"input\":{\"type\":\"dynamic\",\"optional\":true},"
                               "\"output\":{\"type\":\"dynamic\",\"computed\":true},"
                               "\"triggers_replace\":{\"type\":\"dynamic\",\"optional\":true}}}}";
    const lc_schema *schema;
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags none;
    lc_diags_init(&none, arena);
    LC_ASSERT(lc_json_parse(source, arena, LC_STR_EMPTY, lc_str_from_c(text), &limits, &none) ==
                  LC_OK &&
              lc_schema_from_node(&schema, arena, source, &source->documents[0], LC_KIND_RESOURCE,
                                  LC_STR("terraform_data"), &none) == LC_OK);
    return schema;
}

/* ---- Building an object attribute by attribute. */

/* The attributes of an object being changed; the slots are those of the schema. */
typedef struct edit {
    lc_arena *arena;
    const lc_schema *schema;
    lc_value *elems;
} edit;

/* A copy of the object's attributes. */
static edit edit_of(lc_arena *arena, const lc_schema *schema, const lc_value *object)
{
    edit e = {arena, schema, LC_NEW_ARRAY(arena, lc_value, object->count)};
    memcpy(e.elems, object->as.many.elems, object->count * sizeof *e.elems);
    return e;
}

static lc_value *slot(edit *e, const char *name)
{
    const lc_attribute *a = lc_block_attribute(e->schema->block, lc_str_from_c(name));
    LC_ASSERT(a != NULL);
    return &e->elems[a->slot];
}

/* The object with the changed attributes. */
static const lc_value *done(edit *e)
{
    lc_value *object = LC_NEW(e->arena, lc_value);
    lc_value_set_object(object, e->arena, e->schema->block->implied, e->elems);
    return object;
}

static const lc_value *attribute(const lc_value *object, const char *name)
{
    const lc_value *v = lc_value_attr(object, lc_str_from_c(name));
    LC_ASSERT(v != NULL);
    return v;
}

/* ---- Responses. */

static void replace_for(lc_run_question *ask, const char *name)
{
    lc_step *step = LC_NEW(ask->arena, lc_step);
    *step = (lc_step){LC_STEP_ATTR, lc_str_from_c(name), 0, NULL};
    *LC_PUSH(ask->arena, &ask->requires_replace, lc_located_path) =
        (lc_located_path){{step, 1}, {LC_STR_EMPTY, 0, 0}};
}

/* The output equals the input, but is unknown until apply. */
static void new_output(edit *e)
{
    const lc_value *input = slot(e, "input");
    lc_value *output = slot(e, "output");
    if (lc_is_null(input))
        *output = *input;
    else
        lc_value_set_unknown(output, input->type);
}

/* As in the provider: a change of triggers_replace requires a replace; id and output are unknown
 * when they will change. */
void lc_builtin_plan(lc_run_question *ask)
{
    edit e = edit_of(ask->arena, ask->schema, ask->proposed);
    bool create = lc_is_null(ask->prior);
    bool triggered = !create && !lc_value_raw_equal(attribute(ask->prior, "triggers_replace"),
                                                    slot(&e, "triggers_replace"));
    if (triggered)
        replace_for(ask, "triggers_replace");
    if (create || triggered)
        lc_value_set_unknown(slot(&e, "id"), &lc_type_string);
    if (create || triggered ||
        !lc_value_raw_equal(attribute(ask->prior, "input"), slot(&e, "input")))
        new_output(&e);
    ask->out = done(&e);
    ask->known = true;
}

/* Any id can be imported; the object has no other attributes. */
void lc_builtin_import(lc_run_question *ask)
{
    edit e = edit_of(ask->arena, ask->schema, lc_block_empty_value(ask->arena, ask->schema->block));
    lc_value_set_string(slot(&e, "id"), ask->arena, ask->id->as.string);
    ask->out = done(&e);
    ask->known = true;
}

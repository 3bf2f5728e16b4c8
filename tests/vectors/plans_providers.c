/* How the test providers of the recorded plans behave: lifecheck and tfcoremock. Theirs alone:
 * nothing of it is in the product, which knows terraform_data, terraform_remote_state and
 * null_resource by itself. */
#include "plans.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

static const unsigned char schema_text[] = {
#include "plan_schemas.inc"
};

lc_schema_doc *vectors_plan_schemas(lc_arena *store)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_schema_doc *doc;
    lc_diags diags;
    lc_str text = {(const char *)schema_text, sizeof schema_text};
    lc_diags_init(&diags, store);
    LC_ASSERT(lc_schema_doc_from_text(&doc, store, LC_STR("plans.json"), text, &limits, &diags) ==
              LC_OK);
    return doc;
}

static const lc_schema *schema_of(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    const vectors_world *w = context;
    const lc_schema *schema = NULL;
    lc_arena *scratch = lc_arena_new();
    lc_diags diags;
    lc_diags_init(&diags, scratch);
    (void)provider;
    if (lc_schema_doc_get(&schema, w->schemas, kind, LC_STR_EMPTY, type,
                          (lc_loc){LC_STR_EMPTY, 0, 0}, &diags) != LC_OK)
        schema = NULL;
    lc_arena_free(scratch);
    return schema;
}

/* ---- Objects with single attributes changed. */

typedef struct edit {
    lc_arena *arena;
    const lc_schema *schema;
    lc_value *elems;
} edit;

static edit edit_of(lc_run_question *ask, const lc_value *object)
{
    edit e = {ask->arena, ask->schema, LC_NEW_ARRAY(ask->arena, lc_value, object->count)};
    memcpy(e.elems, object->as.many.elems, object->count * sizeof *e.elems);
    return e;
}

static lc_value *slot(edit *e, const char *name)
{
    const lc_attribute *a = lc_block_attribute(e->schema->block, lc_str_from_c(name));
    LC_ASSERT(a != NULL);
    return &e->elems[a->slot];
}

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

static void must_replace(lc_run_question *ask, const char *name)
{
    lc_step *step = LC_NEW(ask->arena, lc_step);
    *step = (lc_step){LC_STEP_ATTR, lc_str_from_c(name), 0, NULL};
    *LC_PUSH(ask->arena, &ask->requires_replace, lc_located_path) =
        (lc_located_path){{step, 1}, {LC_STR_EMPTY, 0, 0}};
}

/* ---- The others: what is computed is unknown when an object is made; some arguments replace. */

static void replace_if_changed(lc_run_question *ask, edit *e, const char *name)
{
    lc_value *now = slot(e, name);
    if (!lc_value_raw_equal(attribute(ask->prior, name), now))
        must_replace(ask, name);
}

static void plan_other(lc_run_question *ask, const char *const *replacing, const char *counter)
{
    const lc_value *proposed = lc_run_as_proposed(ask);
    edit e = edit_of(ask, proposed);
    if (!lc_is_null(ask->prior) && !lc_value_raw_equal(proposed, ask->prior)) {
        for (size_t i = 0; replacing[i]; i++)
            replace_if_changed(ask, &e, replacing[i]);
        if (counter)
            lc_value_set_unknown(slot(&e, counter), &lc_type_string);
    }
    ask->out = done(&e);
    ask->known = true;
}

/* The test provider keeps what was there, but counts the change. */
static void plan_kept(lc_run_question *ask)
{
    edit e = edit_of(ask, ask->prior);
    lc_value_set_unknown(slot(&e, "etag"), &lc_type_string);
    ask->out = done(&e);
    ask->known = true;
}

static const lc_node *answer_for(const vectors_world *w, lc_str address, const char *what)
{
    const lc_member *m = w->answers ? lc_node_member(w->answers, address) : NULL;
    return m ? lc_node_get(&m->value, what) : NULL;
}

static void plan(void *context, lc_run_question *ask)
{
    static const char *const thing[] = {"place", NULL}, *const mock[] = {"id", NULL},
                             *const nothing[] = {NULL};
    const vectors_world *w = context;
    lc_str type = ask->address.type;
    const lc_node *planned = answer_for(w, ask->text, "planned");
    if (planned && !lc_is_null(ask->prior))
        plan_kept(ask);
    else if (lc_known_plan(w->types, ask))
        return;
    else if (lc_str_is(type, "lifecheck_thing"))
        plan_other(ask, thing, "etag");
    else if (lc_str_is(type, "lifecheck_note"))
        plan_other(ask, nothing, NULL);
    else if (lc_str_is(type, "tfcoremock_simple_resource"))
        plan_other(ask, mock, NULL);
}

/* ---- Reading. */

static void read_attribute(edit *e, const lc_member *m)
{
    char *name = lc_str_to_c(e->arena, m->key);
    const lc_attribute *a = lc_block_attribute(e->schema->block, m->key);
    lc_buf json = {0};
    lc_wire_result result;
    const lc_value *value;
    lc_node_add_json(&json, &m->value);
    if (a && lc_ctyjson_decode(&value, e->arena, lc_buf_copy(e->arena, &json), a->implied, &result))
        *slot(e, name) = *value;
    lc_buf_release(&json);
}

static void read_object(void *context, lc_run_question *ask)
{
    const vectors_world *w = context;
    const lc_node *read = answer_for(w, ask->text, "read");
    ask->known = ask->prior != NULL;
    ask->out = ask->prior;
    if (!read)
        return;
    ask->gone = read->kind == LC_NODE_STRING;
    if (ask->gone || !ask->prior || read->kind != LC_NODE_MAPPING)
        return;
    edit e = edit_of(ask, ask->prior);
    for (uint32_t i = 0; i < read->count; i++)
        read_attribute(&e, &read->as.members[i]);
    ask->out = done(&e);
}

/* ---- Importing: the test provider takes MODE:NAME. */

static void set_text(edit *e, const char *name, lc_str text)
{
    lc_value_set_string(slot(e, name), e->arena, text);
}

static void import(void *context, lc_run_question *ask)
{
    const vectors_world *w = context;
    if (lc_known_import(w->types, ask))
        return;
    lc_str id = ask->id->as.string, type = ask->address.type;
    edit e = edit_of(ask, lc_block_empty_value(ask->arena, ask->schema->block));
    const char *colon = memchr(id.ptr, ':', id.len);
    size_t at = colon ? (size_t)(colon - id.ptr) : id.len;
    lc_str mode = lc_str_sub(id, 0, at), name = lc_str_sub(id, colon ? at + 1 : 0, id.len);
    if (lc_str_is(mode, "import-not-found")) {
        ask->gone = true;
        return;
    }
    if (lc_str_is(type, "tfcoremock_simple_resource")) {
        set_text(&e, "id", id);
    } else {
        const lc_block *block = ask->schema->block;
        for (size_t i = 0; i < block->attribute_count; i++) {
            const lc_attribute *a = &block->attributes[i];
            if (a->computed && a->type && a->type->kind == LC_TYPE_STRING)
                lc_value_set_string(&e.elems[a->slot], ask->arena, LC_STR("imported"));
        }
        set_text(&e, "name", name);
        if (colon)
            set_text(&e, "fault", mode);
    }
    ask->out = done(&e);
    ask->known = true;
}

/* ---- Data sources. */

static void read_lifecheck_data(lc_run_question *ask)
{
    edit e = edit_of(ask, ask->config);
    lc_value number;
    lc_value_set_number(&number, lc_num_from_int(1));
    const lc_value *given = attribute(ask->config, "name");
    if (!lc_is_known(given))
        return;
    lc_str name = given->as.string;
    set_text(&e, "value", lc_str_printf(ask->arena, "value of %.*s", LC_FMT(name)));
    *slot(&e, "any_out") = number;
    ask->out = done(&e);
    ask->known = true;
}

static void read_data(void *context, lc_run_question *ask)
{
    const vectors_world *w = context;
    if (!lc_known_read_data(w->types, ask) && lc_str_is(ask->address.type, "lifecheck_data"))
        read_lifecheck_data(ask);
}

/* ---- Objects that become another type: the test provider's notes become things. */

static bool move(void *context, lc_arena *arena, const lc_run_prior *prior, lc_str type,
                 const lc_schema *schema, const lc_value **out, lc_str *error)
{
    const vectors_world *w = context;
    lc_run_move known = {type, schema, context, lc_run_stored_in_state};
    lc_run_question ask = {.arena = arena, .schema = schema};
    const lc_schema *from = schema_of(context, LC_KIND_RESOURCE, LC_STR_EMPTY, prior->address.type);
    lc_path_list unused = {0};
    const lc_value *old;
    if (lc_known_move(w->types, arena, prior, &known, out, error))
        return true;
    if (!error->len)
        *error = LC_STR("Cannot move");
    if (!from || !lc_str_is(type, "lifecheck_thing") ||
        !lc_str_is(prior->address.type, "lifecheck_note") ||
        !lc_run_stored_in_state(context, arena, prior, from, NULL, &old, &unused, error))
        return false;
    edit e = edit_of(&ask, lc_block_empty_value(arena, schema->block));
    *slot(&e, "id") = *attribute(old, "id");
    *slot(&e, "name") = *attribute(old, "name");
    *slot(&e, "fault") = *attribute(old, "fault");
    *out = done(&e);
    return true;
}

static bool lacks(void *context, lc_resource_mode mode, lc_str provider, lc_str type)
{
    return lc_known_lacks(mode, provider, type) ||
           (mode != LC_MODE_EPHEMERAL && lc_str_is(provider, "example.test/lifecheck/lifecheck") &&
            !schema_of(context, lc_resource_mode_kind(mode), provider, type));
}

lc_run_provider vectors_plan_provider(vectors_world *world)
{
    return (lc_run_provider){.context = world,
                             .schema = schema_of,
                             .stored = lc_run_stored_in_state,
                             .read = read_object,
                             .plan = plan,
                             .import = import,
                             .data = read_data,
                             .move = move,
                             .lacks = lacks};
}

/* State files, version 4 (values-and-wire 5.4). */
#include "input/evidence.h"

#include "lifecheck/arena.h"
#include "lifecheck/state.h"

static int64_t number_of(const lc_node *node, const char *key, lc_arena *arena)
{
    const lc_node *value = lc_node_get(node, key);
    lc_num n;
    int64_t out = 0;
    if (value && value->kind == LC_NODE_NUMBER &&
        lc_num_from_text(&n, arena, value->as.text, 40) == LC_NUM_OK)
        lc_num_to_int64(n, &out);
    return out;
}

/* ---- Addresses. */

/* As both clients write a string key: JSON's escapes, and `${` and `%{` doubled. */
static void add_key(lc_buf *buf, lc_str key)
{
    lc_buf plain = {0};
    for (size_t i = 0; i < key.len; i++) {
        bool template =
            (key.ptr[i] == '$' || key.ptr[i] == '%') && i + 1 < key.len && key.ptr[i + 1] == '{';
        lc_buf_add_char(&plain, key.ptr[i]);
        if (template)
            lc_buf_add_char(&plain, key.ptr[i]);
    }
    lc_buf_add_char(buf, '[');
    lc_buf_add_json(buf, lc_buf_str(&plain), false);
    lc_buf_add_char(buf, ']');
    lc_buf_release(&plain);
}

static lc_str address_of(lc_arena *arena, const lc_node *resource, const lc_node *instance)
{
    lc_buf buf = {0};
    lc_str module = lc_node_text(resource, "module");
    const lc_node *key = lc_node_get(instance, "index_key");
    if (module.len)
        lc_buf_printf(&buf, "%.*s.", LC_FMT(module));
    if (lc_str_is(lc_node_text(resource, "mode"), "data"))
        lc_buf_add_c(&buf, "data.");
    lc_buf_printf(&buf, "%.*s.%.*s", LC_FMT(lc_node_text(resource, "type")),
                  LC_FMT(lc_node_text(resource, "name")));
    if (key && key->kind == LC_NODE_STRING)
        add_key(&buf, key->as.text);
    else if (key && key->kind == LC_NODE_NUMBER)
        lc_buf_printf(&buf, "[%.*s]", LC_FMT(key->as.text));
    return lc_buf_take(arena, &buf);
}

/* `provider["HOST/NAME/TYPE"].alias` to the address in quotes. */
static lc_str provider_of(const lc_node *resource, const lc_node *instance)
{
    lc_str text = lc_node_text(resource, "provider");
    text = text.len ? text : lc_node_text(instance, "provider");
    size_t from = 0, to;
    while (from < text.len && text.ptr[from] != '"')
        from++;
    for (to = from + 1; to < text.len && text.ptr[to] != '"';)
        to++;
    return from + 1 < text.len ? lc_str_sub(text, from + 1, to) : LC_STR_EMPTY;
}

/* ---- Objects. */

/* What is read of all objects of a file. */
typedef struct file_reader {
    lc_arena *arena;
    const lc_source *source;
    const lc_lines *lines;
    const lc_limits *limits;
    bool shown; /* as `show -json` prints it */
} file_reader;

static void read_raw(lc_field *out, const file_reader *f, const lc_node *node)
{
    lc_diags quiet;
    lc_diags_init(&quiet, f->arena);
    lc_value_reader reader = {.arena = f->arena,
                              .source = f->source,
                              .lines = f->lines,
                              .diags = &quiet,
                              .limits = *f->limits};
    if (lc_read_raw(out, &reader, node) != LC_OK)
        *out = (lc_field){0};
}

/* [{"type":"get_attr","value":"name"}, {"type":"index","value":{"value":K,"type":T}}] */
static bool read_path(lc_path *out, lc_arena *arena, const lc_node *node)
{
    lc_step *steps = LC_NEW_ARRAY(arena, lc_step, node->count);
    if (node->kind != LC_NODE_SEQUENCE)
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_node *step = &node->as.items[i];
        const lc_node *value = lc_node_get(step, "value");
        if (!value)
            return false;
        steps[i] = (lc_step){LC_STEP_ATTR, LC_STR_EMPTY, 0, NULL};
        if (value->kind == LC_NODE_STRING) {
            steps[i].name = lc_str_copy(arena, value->as.text);
            continue;
        }
        steps[i].kind = LC_STEP_KEY;
        steps[i].name = lc_str_copy(arena, lc_node_text(value, "value"));
        const lc_node *key = lc_node_get(value, "value");
        if (key && key->kind == LC_NODE_NUMBER)
            steps[i] = (lc_step){LC_STEP_INDEX, LC_STR_EMPTY,
                                 (uint64_t)number_of(value, "value", arena), NULL};
    }
    *out = (lc_path){steps, node->count};
    return true;
}

static void read_sensitive(lc_stored_object *o, lc_arena *arena, const lc_node *instance)
{
    const lc_node *list = lc_node_get(instance, "sensitive_attributes");
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        lc_path path;
        if (read_path(&path, arena, &list->as.items[i]))
            *LC_PUSH(arena, &o->sensitive, lc_path) = path;
    }
}

static void read_instance(lc_stored_objects *out, const file_reader *f, const lc_node *resource,
                          const lc_node *instance)
{
    lc_arena *arena = f->arena;
    lc_stored_object *o = LC_NEW(arena, lc_stored_object);
    const lc_node *attributes = lc_node_get(instance, "attributes");
    const lc_node *identity = lc_node_get(instance, "identity");
    o->loc = lc_lines_loc(f->lines, instance->where);
    o->address = address_of(arena, resource, instance);
    o->type = lc_str_copy(arena, lc_node_text(resource, "type"));
    o->provider = lc_str_copy(arena, provider_of(resource, instance));
    o->kind = lc_str_is(lc_node_text(resource, "mode"), "data") ? LC_KIND_DATA : LC_KIND_RESOURCE;
    o->tainted = lc_str_is(lc_node_text(instance, "status"), "tainted");
    o->deposed = lc_node_text(instance, "deposed").len > 0;
    o->raw = (lc_raw_state){.given = true, .loc = o->loc, .private_data = LC_STR_EMPTY};
    o->raw.tainted = o->tainted ? LC_YES : LC_NO;
    o->raw.schema_version = number_of(instance, "schema_version", arena);
    o->raw.identity_schema_version = number_of(instance, "identity_schema_version", arena);
    if (attributes) {
        o->shown = f->shown ? attributes : NULL;
        read_raw(&o->raw.attributes, f, attributes);
        o->raw.has_attributes = lc_field_has_value(&o->raw.attributes);
    }
    if (identity) {
        read_raw(&o->raw.identity, f, identity);
        o->raw.has_identity = lc_field_has_value(&o->raw.identity);
    }
    read_sensitive(o, arena, instance);
    o->marks = f->shown ? lc_node_get(instance, "sensitive_values") : NULL;
    *LC_PUSH(arena, &out->list, lc_stored_object *) = o;
    if (!o->deposed)
        lc_table_put(&out->by_address, o->address, o);
}

bool lc_state_file_read(lc_stored_objects *out, lc_arena *arena, const lc_source *source,
                        const lc_limits *limits, lc_diags *diags)
{
    bool shown = lc_state_is_shown(&source->documents[0]);
    const lc_node *root = lc_state_stored(arena, &source->documents[0]);
    *out = (lc_stored_objects){0};
    lc_table_init(&out->by_address, arena);
    if (lc_node_text(root, "encryption_version").len || lc_node_get(root, "encrypted_data")) {
        lc_diag_error(diags, lc_node_loc(source, root),
                      "this state is encrypted; `tofu state pull` prints it in the clear");
        return false;
    }
    const lc_node *resources = lc_node_get(root, "resources");
    if (number_of(root, "version", arena) != 4 || !resources ||
        resources->kind != LC_NODE_SEQUENCE) {
        lc_diag_error(diags, lc_node_loc(source, root), "no state file of version 4");
        return false;
    }
    file_reader f = {arena, source, lc_lines_new(arena, source), limits, shown};
    for (uint32_t i = 0; i < resources->count; i++) {
        const lc_node *resource = &resources->as.items[i];
        const lc_node *instances = lc_node_get(resource, "instances");
        for (uint32_t k = 0; k < lc_node_item_count(instances); k++) {
            if (instances->as.items[k].kind == LC_NODE_MAPPING)
                read_instance(out, &f, resource, &instances->as.items[k]);
        }
    }
    return true;
}

void lc_stored_object_value(lc_field *out, lc_arena *arena, const lc_stored_object *object,
                            const lc_schema *schema)
{
    lc_buf json = {0};
    lc_str why;
    lc_wire_result result = {0};
    const lc_value *raw = object->raw.attributes.value, *value = NULL;
    *out = (lc_field){.loc = object->loc};
    if (!object->raw.has_attributes || object->raw.schema_version != schema->version)
        return;
    if (object->shown) {
        lc_field_from_plain_json(out, arena, schema, object->shown, NULL);
        return;
    }
    bool ok = lc_ctyjson_encode(&json, raw, raw->type, &why) &&
              lc_ctyjson_decode(&value, arena, lc_buf_copy(arena, &json), schema->block->implied,
                                &result);
    lc_buf_release(&json);
    out->state = ok ? LC_FIELD_GIVEN : LC_FIELD_UNDECODABLE;
    out->value = value;
    lc_path path;
    size_t at;
    if (!ok) {
        out->problem = result.problem;
        out->problem_path = lc_path_parse(&path, arena, result.problem.path, false, &why, &at)
                                ? path
                                : LC_PATH_ROOT;
    }
}

void lc_stored_object_sensitive(lc_arena *arena, const lc_stored_object *object,
                                const lc_schema *schema, void (*each)(void *context, lc_path path),
                                void *context)
{
    for (size_t i = 0; i < object->sensitive.count; i++)
        each(context, object->sensitive.items[i]);
    if (object->marks)
        lc_plain_json_marks(arena, schema->block->implied, object->marks, each, context);
}

lc_raw_state lc_stored_object_raw(lc_arena *arena, const lc_stored_object *object,
                                  const lc_schema *schema, const lc_limits *limits)
{
    lc_raw_state raw = object->raw;
    lc_field value;
    lc_buf json = {0};
    lc_str why;
    lc_diags quiet;
    lc_source *source = LC_NEW(arena, lc_source);
    lc_diags_init(&quiet, arena);
    if (!object->shown || !schema->block->implied->has_dynamic)
        return raw;
    lc_stored_object_value(&value, arena, object, schema);
    bool ok = value.state == LC_FIELD_GIVEN &&
              lc_ctyjson_encode(&json, value.value, schema->block->implied, &why) &&
              lc_json_parse(source, arena, object->loc.file, lc_buf_copy(arena, &json), limits,
                            &quiet) == LC_OK;
    lc_buf_release(&json);
    if (!ok)
        return raw;
    file_reader f = {arena, source, lc_lines_new(arena, source), limits, false};
    read_raw(&raw.attributes, &f, &source->documents[0]);
    raw.attributes.loc = object->raw.attributes.loc;
    raw.has_attributes = lc_field_has_value(&raw.attributes);
    return raw;
}

/* One object of a state file. */
#include "plan/state_reader.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/plain_json.h"

/* ---- The key of an instance. */

/* The detail of the cores is only known for bools. */
static void refuse_key(lc_state_reader *r, lc_state_object *o, const lc_node *key)
{
    lc_str resource = r->out->resources.items[o->resource].address;
    lc_str detail = LC_STR_EMPTY;
    o->key_invalid = true;
    o->refused = true;
    lc_state_odd(r, LC_FAULTY_KEY, resource, lc_str_from_c(lc_node_kind_name(key)), key);
    if (key->kind == LC_NODE_BOOL)
        detail = lc_str_printf(r->arena,
                               "Resource %.*s has an instance with the invalid instance key %s.",
                               LC_FMT(resource), key->boolean ? "true" : "false");
    lc_state_refuse(r, LC_SUMMARY_STATE_METADATA, detail);
}

/* The cores decode a number into a float and truncate it. INT64_MIN: out of range. */
static int64_t cut_number(lc_arena *arena, lc_str text, bool *whole)
{
    lc_num n;
    int64_t out = 0;
    *whole = false;
    if (lc_num_from_text(&n, arena, text, 400) != LC_NUM_OK)
        return 0;
    *whole = lc_num_to_int64(n, &out);
    if (*whole)
        return out;
    double d = lc_num_nearest_double(n);
    return d > -9e18 && d < 9e18 ? (int64_t)d : INT64_MIN;
}

static void read_key(lc_state_reader *r, lc_state_object *o)
{
    const lc_node *key = lc_node_get(o->node, "index_key");
    bool whole;
    if (!key || key->kind == LC_NODE_NULL)
        return;
    if (key->kind == LC_NODE_STRING) {
        o->parsed.key = lc_key_string(key->as.text);
    } else if (key->kind == LC_NODE_NUMBER) {
        o->parsed.key = lc_key_int(cut_number(r->arena, key->as.text, &whole));
        if (!whole)
            lc_state_odd(r, LC_FAULTY_KEY_FRACTION, r->out->resources.items[o->resource].address,
                         key->as.text, key);
    } else {
        refuse_key(r, o, key);
    }
}

/* The address of an instance. Its module as written is part of it if that does not parse. */
static lc_str address_of(lc_arena *arena, const lc_state_resource *resource,
                         const lc_address *instance)
{
    lc_str text =
        instance->key.kind == LC_KEY_NONE ? resource->address : lc_address_text(arena, instance);
    bool module_parses = instance->module_count > 0 || !resource->module.len;
    /* Otherwise an object in an unreadable module would look like one of the root module. */
    return module_parses
               ? text
               : lc_str_printf(arena, "%.*s.%.*s", LC_FMT(resource->module), LC_FMT(text));
}

/* ---- Status and deposed key. */

static void read_status(lc_state_reader *r, lc_state_object *o)
{
    o->status = lc_state_text(r, o->node, "status", o->address);
    o->tainted = lc_str_is(o->status, "tainted");
    if (o->tainted || !o->status.len)
        return;
    o->refused = true;
    lc_state_odd(r, LC_FAULTY_STATUS, o->address, o->status, lc_node_get(o->node, "status"));
    lc_state_refuse(r, LC_SUMMARY_STATE_METADATA,
                    lc_str_printf(r->arena, "Instance %.*s has invalid status \"%.*s\".",
                                  LC_FMT(o->address), LC_FMT(o->status)));
}

static void read_deposed(lc_state_reader *r, lc_state_object *o)
{
    o->deposed = lc_state_text(r, o->node, "deposed", o->address);
    if (!o->deposed.len || o->deposed.len == 8)
        return;
    o->refused = true;
    lc_state_odd(r, LC_FAULTY_DEPOSED, o->address, o->deposed, lc_node_get(o->node, "deposed"));
    lc_state_refuse(r, LC_SUMMARY_STATE_METADATA,
                    lc_str_printf(r->arena,
                                  "Instance %.*s has an object with deposed key \"%.*s\", which "
                                  "is not correctly formatted.",
                                  LC_FMT(o->address), LC_FMT(o->deposed)));
}

/* ---- Dependencies. */

/* Dependencies are configuration addresses: no instance keys anywhere. */
static bool has_keys(const lc_address *address)
{
    bool found = address->key.kind != LC_KEY_NONE;
    for (size_t i = 0; i < address->module_count; i++)
        found |= address->modules[i].key.kind != LC_KEY_NONE;
    return found;
}

/* An invalid entry is kept, because rules report it by its text. */
static void read_dependency(lc_state_reader *r, lc_state_object *o, lc_state_dependency *out,
                            const lc_node *node)
{
    lc_str why;
    size_t at;
    *out = (lc_state_dependency){.address = LC_STR_EMPTY, .loc = lc_state_loc(r, node)};
    if (node->kind == LC_NODE_STRING)
        out->address = node->as.text;
    out->parses = lc_address_parse(&out->parsed, r->arena, out->address, &why, &at) &&
                  !lc_address_is_module(&out->parsed) && !has_keys(&out->parsed);
    if (!out->parses)
        lc_state_odd(r, LC_FAULTY_DEPENDENCY, o->address, out->address, node);
}

static void read_dependencies(lc_state_reader *r, lc_state_object *o)
{
    const lc_node *list = lc_state_member(r, o->node, "dependencies", LC_NODE_SEQUENCE, o->address);
    if (!list || !list->count)
        return;
    lc_state_dependency *items = LC_NEW_ARRAY(r->arena, lc_state_dependency, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        read_dependency(r, o, &items[i], &list->as.items[i]);
    o->dependencies = items;
    o->dependency_count = list->count;
}

/* ---- The object. */

static lc_fact flag(lc_state_reader *r, const lc_state_object *o, const char *key)
{
    const lc_node *value = lc_state_member(r, o->node, key, LC_NODE_BOOL, o->address);
    return !value ? LC_NOT_KNOWN : value->boolean ? LC_YES : LC_NO;
}

/* Members whose kind the cores do not check are taken as they are; null counts as absent. */
static void read_members(lc_state_reader *r, lc_state_object *o)
{
    const lc_node *provider = lc_state_member(r, o->node, "provider", LC_NODE_STRING, o->address);
    o->has_provider = provider && provider->as.text.len;
    o->provider = provider ? provider->as.text : LC_STR_EMPTY;
    o->provider_loc = provider ? lc_state_loc(r, provider) : o->loc;
    o->schema_version = lc_state_whole(r, o->node, "schema_version", o->address);
    o->identity_schema_version = lc_state_whole(r, o->node, "identity_schema_version", o->address);
    o->create_before_destroy = flag(r, o, "create_before_destroy");
    o->skip_destroy = flag(r, o, "skip_destroy");
    o->attributes = lc_node_given(o->node, "attributes");
    o->has_flat = lc_node_given(o->node, "attributes_flat") != NULL;
    o->identity = lc_node_given(o->node, "identity");
    o->private_data = lc_node_given(o->node, "private");
    o->sensitive =
        lc_state_member(r, o->node, "sensitive_attributes", LC_NODE_SEQUENCE, o->address);
    o->marks = r->out->shown ? lc_node_get(o->node, "sensitive_values") : NULL;
}

/* The order matters: the address needs the key, and the other oddities are reported with it. */
void lc_state_read_object(lc_state_reader *r, const lc_node *node)
{
    size_t index = r->out->resources.count - 1;
    const lc_state_resource *resource = &r->out->resources.items[index];
    if (node->kind != LC_NODE_MAPPING) {
        lc_state_odd(r, LC_FAULTY_MEMBER, resource->address, LC_STR("instances"), node);
        return;
    }
    lc_state_object *o = LC_PUSH(r->arena, &r->out->objects, lc_state_object);
    *o = (lc_state_object){
        .resource = index, .node = node, .shown = r->out->shown, .loc = lc_state_loc(r, node)};
    o->parsed = resource->parsed;
    o->refused = resource->refused;
    read_key(r, o);
    o->address = address_of(r->arena, resource, &o->parsed);
    read_status(r, o);
    read_deposed(r, o);
    read_dependencies(r, o);
    read_members(r, o);
}

/* ---- Values. */

/* One step of a path as state files encode it: {type, value}. *ok is false if it is malformed. */
static lc_step step_of(lc_arena *arena, const lc_node *node, bool *ok)
{
    const lc_node *value = lc_node_get(node, "value");
    lc_num n;
    int64_t index = 0;
    *ok = value != NULL;
    if (value && value->kind == LC_NODE_STRING)
        return (lc_step){LC_STEP_ATTR, value->as.text, 0, NULL};
    const lc_node *key = lc_node_get(value, "value");
    if (key && key->kind == LC_NODE_STRING)
        return (lc_step){LC_STEP_KEY, key->as.text, 0, NULL};
    *ok = key && key->kind == LC_NODE_NUMBER &&
          lc_num_from_text(&n, arena, key->as.text, 40) == LC_NUM_OK && lc_num_to_int64(n, &index);
    return (lc_step){LC_STEP_INDEX, LC_STR_EMPTY, (uint64_t)index, NULL};
}

/* Malformed paths are skipped, as they cannot be attributed to an attribute. */
void lc_state_sensitive(lc_arena *arena, const lc_state_object *object, const lc_schema *schema,
                        void (*each)(void *context, lc_path path), void *context)
{
    if (object->marks)
        lc_plain_json_marks(arena, schema->block->implied, object->marks, each, context);
    uint32_t count = object->sensitive ? object->sensitive->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *path = &object->sensitive->as.items[i];
        bool ok = path->kind == LC_NODE_SEQUENCE;
        uint32_t length = ok ? path->count : 0;
        lc_step *steps = LC_NEW_ARRAY(arena, lc_step, length);
        for (uint32_t k = 0; ok && k < length; k++)
            steps[k] = step_of(arena, &path->as.items[k], &ok);
        if (ok)
            each(context, (lc_path){steps, length});
    }
}

void lc_field_from_plain_json(lc_field *out, lc_arena *arena, const lc_schema *schema,
                              const lc_node *known, const lc_node *unknown)
{
    lc_plain_json bare = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_value *value = LC_NEW(arena, lc_value);
    if (lc_plain_json_value(value, &bare, schema->block->implied, known, unknown)) {
        out->state = LC_FIELD_GIVEN;
        out->value = value;
        return;
    }
    out->state = LC_FIELD_UNDECODABLE;
    out->problem = (lc_wire_problem){LC_WIRE_REFUSED, 0, LC_STR("."), bare.why};
    out->problem_path = bare.failure;
}

/* A printed state has plain JSON, in which dynamic attributes have no type; a state file has cty's
 * JSON. */
void lc_state_object_value(lc_field *out, lc_arena *arena, const lc_state_object *object,
                           const lc_schema *schema)
{
    lc_wire_result result = {0};
    const lc_value *value = NULL;
    lc_str why;
    lc_path path;
    size_t at;
    *out = (lc_field){.loc = object->loc};
    if (!object->attributes || object->schema_version != schema->version)
        return;
    if (object->shown) {
        lc_field_from_plain_json(out, arena, schema, object->attributes, NULL);
        return;
    }
    lc_str json = lc_node_json(arena, object->attributes);
    bool ok = lc_ctyjson_decode(&value, arena, json, schema->block->implied, &result);
    out->state = ok ? LC_FIELD_GIVEN : LC_FIELD_UNDECODABLE;
    out->value = value;
    out->problem = result.problem;
    if (!ok)
        out->problem_path = lc_path_parse(&path, arena, result.problem.path, false, &why, &at)
                                ? path
                                : LC_PATH_ROOT;
}

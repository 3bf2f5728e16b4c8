/* Redacts a case that was written as a scenario: first the secrets, by the schemas in the scenario,
 * then every other text and key that contains one. */
#include "lifecheck/scenario/scenario.h"
#include "redact/redact.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/cloudformation/cloudcontrol.h"

typedef struct scenario {
    lc_redactor r;
    lc_table names;      /* of attributes and blocks, which are not data */
    lc_table properties; /* attributes that hold secrets of a CloudFormation resource type */
    bool any_property;
} scenario;

static uint32_t count_below(const lc_node *node)
{
    return node->kind == LC_NODE_SEQUENCE || node->kind == LC_NODE_MAPPING ? node->count : 0;
}

static const lc_node *below(const lc_node *node, uint32_t i)
{
    return node->kind == LC_NODE_SEQUENCE ? &node->as.items[i] : &node->as.members[i].value;
}

/* The key of a member; "" for an item. */
static lc_str key_below(const lc_node *node, uint32_t i)
{
    return node->kind == LC_NODE_MAPPING ? node->as.members[i].key : LC_STR_EMPTY;
}

/* ---- Objects of the schema. */

/* Redacts everything below a !sensitive marker, also where the schema has no secret. */
static void redact_marked(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    for (uint32_t i = 0; i < count_below(node); i++) {
        const lc_node *child = below(node, i);
        lc_str key = key_below(node, i);
        const lc_type *inner = node->kind == LC_NODE_SEQUENCE ? lc_type_of_item(type, i)
                               : lc_str_is(key, "$literal")   ? type
                                                              : lc_type_of_member(type, key);
        if (lc_str_is(key, "$sensitive"))
            lc_redact_secret(r, child, type);
        else
            redact_marked(r, child, inner);
    }
}

/* Members that the schema does not have, in objects that were stored with another version. */
static void redact_others(const lc_secret_walk *w, lc_secret_place object, const lc_block *block,
                          const lc_nested_type *nested)
{
    for (uint32_t i = 0; i < object.node->count; i++) {
        const lc_member *m = &object.node->as.members[i];
        bool known = nested ? lc_nested_attribute(nested, m->key) != NULL
                            : lc_block_attribute(block, m->key) || lc_block_block(block, m->key);
        if (!known)
            lc_redact_value(w->context, &m->value, NULL);
    }
}

/* A stored object may have another schema version, so what the schema does not have is redacted
 * too.
 */
static void redact_object(lc_redactor *r, lc_str key, const lc_node *object, const lc_block *block)
{
    static const char *const kept[] = {"attributes", "raw_state", "source_state", NULL};
    bool stored = lc_str_is_one_of(key, kept, NULL);
    lc_marker marker = lc_redact_marker(r, object);
    bool opaque = marker == LC_MARKER_TYPED || marker == LC_MARKER_JSON;
    lc_secret_walk walk = lc_redact_walk(r);
    walk.others = stored ? redact_others : NULL;
    redact_marked(r, object, block->implied);
    if (lc_has_secrets(block) || (stored && !opaque))
        lc_walk_secrets(&walk, (lc_secret_place){.node = object}, block);
}

/* ---- Runs, calls, and what they carry. */

/* Private data is base64, but a token is text, so it is marked as text. Empty data stays empty. */
static void redact_private(lc_redactor *r, const lc_node *node)
{
    lc_buf json = {0};
    if (node->kind != LC_NODE_STRING || node->as.text.len == 0)
        return;
    lc_json w = {.out = &json};
    lc_json_object(&w, NULL);
    lc_json_str(&w, "$text", lc_token_text(&r->tokens, node->as.text));
    lc_json_end_object(&w);
    lc_redact_put(r, node, lc_buf_take(r->scratch, &json));
}

/* Arguments of a function may come from anything that is secret, and its result from them. */
static void redact_function(lc_redactor *r, const lc_node *request, const lc_node *response,
                            const lc_schema *schema)
{
    const lc_node *name = lc_node_get(request, "name"), *list = lc_node_get(request, "arguments");
    const lc_node *result = lc_node_get(response, "result");
    const lc_function *known =
        lc_node_is(name, LC_NODE_STRING) ? lc_schema_function(schema, name->as.text) : NULL;
    for (uint32_t i = 0; list && i < count_below(list); i++) {
        const lc_parameter *p = lc_function_parameter(known, i);
        lc_redact_secret(r, below(list, i), p ? p->type : NULL);
    }
    if (result)
        lc_redact_secret(r, result, known ? known->return_type : NULL);
}

/* Is it a call of a function, or the group of one or several? Redacts it then. */
static bool redact_functions(lc_redactor *r, lc_str key, const lc_node *node,
                             const lc_schema *schema)
{
    const lc_node *rpc = lc_node_get(node, "rpc");
    if (lc_node_is(rpc, LC_NODE_STRING) && lc_str_is(rpc->as.text, "CallFunction")) {
        redact_function(r, lc_node_get(node, "request"), lc_node_get(node, "response"), schema);
        return true;
    }
    if (!lc_str_is(key, "function"))
        return false;
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++)
        redact_function(r, below(node, i), below(node, i), schema);
    if (node->kind == LC_NODE_MAPPING)
        redact_function(r, node, node, schema);
    return true;
}

/* Identities are not sensitive by the schema; what is called id in one is not an id of an import.
 */
static bool is_identity(lc_str key)
{
    static const char *const keys[] = {
        "identity",         "prior_identity",  "planned_identity",  "new_identity",
        "current_identity", "target_identity", "upgraded_identity", NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

static void redact_part(lc_redactor *r, const lc_node *node, const lc_schema *schema)
{
    static const char *const private[] = {"private",        "planned_private", "prior_private",
                                          "source_private", "target_private",  NULL};
    static const char *const ids[] = {"id", "import_id", NULL};
    for (uint32_t i = 0; i < count_below(node); i++) {
        const lc_node *child = below(node, i);
        lc_str key = key_below(node, i);
        if (lc_str_is(key, "schema") || (is_identity(key) && !r->tokens.all))
            continue;
        if (redact_functions(r, key, child, schema))
            continue;
        if (lc_is_object_key(key))
            redact_object(r, key, child, schema->block);
        else if (lc_str_is_one_of(key, private, NULL))
            redact_private(r, child);
        else if (child->kind == LC_NODE_STRING && lc_str_is_one_of(key, ids, NULL))
            lc_redact_text(r, child);
        else
            redact_part(r, child, schema);
    }
}

/* ---- Resources made from CloudFormation types. The names of write-only properties, and of marked
 * attributes, are redacted at all depths: this may redact too much, but never too little. */

static void add_property(scenario *s, lc_str attribute)
{
    s->any_property = true;
    lc_table_put(&s->properties, attribute, s);
}

/* Both names: of the property at the top of the type and below. */
static void add_cfn_property(scenario *s, const lc_node *type, lc_str name)
{
    const lc_node *type_name = lc_node_get(type, "typeName");
    lc_str attribute = lc_cfn_attribute_name(s->r.scratch, name), resource = LC_STR_EMPTY;
    if (type_name && type_name->kind == LC_NODE_STRING)
        lc_cfn_type_name(&resource, s->r.scratch, type_name->as.text);
    add_property(s, attribute);
    add_property(s, lc_cfn_root_name(s->r.scratch, attribute, resource));
}

static void add_write_only(scenario *s, const lc_node *type)
{
    const lc_node *list = lc_node_get(type, "writeOnlyProperties");
    for (uint32_t i = 0; list && i < count_below(list); i++) {
        const lc_node *pointer = below(list, i);
        lc_cfn_tokens tokens;
        if (pointer->kind == LC_NODE_STRING &&
            lc_cfn_pointer_parse(&tokens, s->r.scratch, pointer->as.text) && tokens.count)
            add_cfn_property(s, type, tokens.items[tokens.count - 1]);
    }
}

static void find_properties(scenario *s, lc_str key, const lc_node *node)
{
    for (uint32_t i = 0; i < count_below(node); i++) {
        const lc_node *child = below(node, i);
        lc_str name = key_below(node, i);
        if (lc_str_is(key, "schema") && lc_str_is(name, "cloudformation"))
            add_write_only(s, child);
        else if (lc_redact_marker(&s->r, child) == LC_MARKER_SENSITIVE)
            add_property(s, name);
        find_properties(s, name, child);
    }
}

static bool is_property(const scenario *s, lc_str name, bool cfn)
{
    if (cfn)
        name = lc_cfn_attribute_name(s->r.scratch, name);
    return lc_table_get(&s->properties, name) != NULL;
}

/* `cfn`: the names are those of CloudFormation, not of the Terraform schema. */
static void redact_properties(scenario *s, const lc_node *node, bool cfn)
{
    for (uint32_t i = 0; i < count_below(node); i++) {
        if (node->kind == LC_NODE_MAPPING && is_property(s, key_below(node, i), cfn))
            lc_redact_value(&s->r, below(node, i), NULL);
        else
            redact_properties(s, below(node, i), cfn);
    }
}

/* A patch operation names the property of its value in its path. */
static bool is_of_property(const scenario *s, const lc_node *operation)
{
    const lc_node *path = lc_node_get(operation, "path");
    lc_cfn_tokens tokens = {0};
    if (path && path->kind == LC_NODE_STRING)
        lc_cfn_pointer_parse(&tokens, s->r.scratch, path->as.text);
    for (size_t i = 0; i < tokens.count; i++) {
        if (is_property(s, tokens.items[i], true))
            return true;
    }
    return false;
}

static void redact_patch(scenario *s, const lc_node *patch)
{
    for (uint32_t i = 0; i < count_below(patch); i++) {
        const lc_node *operation = below(patch, i), *value = lc_node_get(operation, "value");
        if (value && is_of_property(s, operation))
            lc_redact_value(&s->r, value, NULL);
        else if (value)
            redact_properties(s, value, true);
    }
}

/* Below `cloud_control` names are those of the service. */
static void redact_by_name(scenario *s, const lc_node *node, bool cfn)
{
    for (uint32_t i = 0; i < count_below(node); i++) {
        const lc_node *child = below(node, i);
        lc_str key = key_below(node, i);
        if (lc_str_is(key, "schema"))
            continue;
        if (cfn && lc_str_is(key, "patch"))
            redact_patch(s, child);
        else if (cfn || lc_is_object_key(key))
            redact_properties(s, child, cfn);
        else
            redact_by_name(s, child, lc_str_is(key, "cloud_control"));
    }
}

/* ---- Other strings, and keys of objects that no schema names. */

/* Keys whose strings belong to the format itself, and cannot be secret. */
static bool is_own_word(lc_str key)
{
    static const char *const keys[] = {
        "schema",          "rpc",      "phase", "leg",   "resource",  "code",
        "reason",          "severity", "type",  "$null", "type_name", "source_type_name",
        "recorded_action", NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

static void add_names(scenario *s, const lc_type *type)
{
    bool object = type->kind == LC_TYPE_OBJECT;
    for (uint32_t i = 0; object && i < type->count; i++) {
        lc_table_put(&s->names, type->as.attrs[i].name, s);
        add_names(s, type->as.attrs[i].type);
    }
    for (uint32_t i = 0; type->kind == LC_TYPE_TUPLE && i < type->count; i++)
        add_names(s, type->as.items[i]);
    if (lc_type_is_collection(type))
        add_names(s, type->as.elem);
}

/* `place` is the node or member that contains the text. */
static void redact_other_text(lc_redactor *r, const void *place, lc_str text)
{
    lc_str redacted = lc_tokens_redact(&r->tokens, r->scratch, text);
    if (!lc_redact_sub(r, place) && !lc_str_eq(redacted, text))
        lc_redact_put_text(r, place, redacted);
}

static void redact_other_texts(scenario *s, lc_str parent, const lc_node *node, bool in_object)
{
    for (uint32_t i = 0; i < count_below(node); i++) {
        const lc_node *child = below(node, i);
        lc_str key = key_below(node, i);
        bool typed = lc_str_is(parent, "$typed") && lc_str_is(key, "type");
        if (typed || (!in_object && is_own_word(key)))
            continue;
        if (child->kind == LC_NODE_STRING)
            redact_other_text(&s->r, child, child->as.text);
        redact_other_texts(s, key, child, in_object || lc_is_object_key(key));
        if (in_object && key.len && key.ptr[0] != '$' && !lc_table_get(&s->names, key))
            redact_other_text(&s->r, &node->as.members[i], key);
    }
}

/* ---- All of it. */

static void redact_all(scenario *s, const lc_node *root, const lc_case *subject)
{
    const lc_node *runs = lc_node_get(root, "runs");
    for (size_t i = 0; i < subject->runs.count; i++) {
        const lc_schema *schema = subject->runs.items[i].schema;
        add_names(s, schema->block->implied);
        redact_part(&s->r, &runs->as.items[i], schema);
    }
    find_properties(s, LC_STR_EMPTY, root);
    if (s->any_property)
        redact_by_name(s, root, false);
    redact_other_texts(s, LC_STR_EMPTY, root, false);
}

/* Reads the same text as a case, for its schemas. NULL: it cannot be read. */
static const lc_case *read_case(lc_redactor *r, lc_str json)
{
    lc_schema_store store;
    lc_scenario_file file;
    lc_schema_store_init(&store, r->arena, r->limits);
    lc_status status =
        lc_scenario_text_read(&file, r->arena, &store, r->file, json, LC_STR_EMPTY, r->diags);
    bool one = status == LC_OK && file.scenarios.count == 1 && file.scenarios.items[0];
    return one ? &file.scenarios.items[0]->subject : NULL;
}

bool lc_redact_scenario(lc_buf *out, lc_str json, const lc_limits *limits)
{
    lc_arena *arena = lc_arena_new();
    lc_diags quiet;
    lc_source source;
    scenario s = {.r = {.arena = arena,
                        .scratch = arena,
                        .limits = *limits,
                        .file = LC_STR("scenario"),
                        .diags = &quiet,
                        .bare = true,
                        .markers = true}};
    lc_diags_init(&quiet, arena);
    lc_tokens_init(&s.r.tokens, arena, false, *limits);
    lc_table_init(&s.r.subs, arena);
    lc_table_init(&s.names, arena);
    lc_table_init(&s.properties, arena);
    const lc_case *subject = read_case(&s.r, json);
    bool ok = subject && lc_json_parse(&source, arena, s.r.file, json, limits, &quiet) == LC_OK &&
              count_below(lc_node_get(source.documents, "runs")) == subject->runs.count;
    if (ok) {
        redact_all(&s, source.documents, subject);
        lc_redact_write(&s.r, out, source.documents);
    }
    lc_arena_free(arena);
    return ok;
}

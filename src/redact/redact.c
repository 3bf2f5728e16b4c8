/* Redaction makes a copy of an input that can be shared and gives the same findings. This file
 * handles streams of calls, and what plans and states have in common with them. */
#include "redact/redact.h"
#include "lifecheck/recording/rpc_schemas.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/wire/wire.h"

#include <string.h>

/* ---- Writing. */

/* Nodes are table keys by address: equal strings in different places may be redacted differently.
 */
static lc_str place_key(lc_arena *arena, const void *node)
{
    const void **place = LC_NEW(arena, const void *);
    *place = node;
    return LC_BYTES_OF(*place);
}

void lc_redact_put(lc_redactor *r, const void *node, lc_str json)
{
    lc_str *slot = LC_NEW(r->scratch, lc_str);
    *slot = json;
    lc_table_put(&r->subs, place_key(r->scratch, node), slot);
}

void lc_redact_put_text(lc_redactor *r, const void *node, lc_str text)
{
    lc_buf json = {0};
    lc_buf_add_json(&json, text, false);
    lc_redact_put(r, node, lc_buf_copy(r->scratch, &json));
    lc_buf_release(&json);
}

static void put_bytes(lc_redactor *r, const lc_node *node, lc_str bytes)
{
    lc_buf text = {0};
    lc_base64_encode(&text, bytes);
    lc_redact_put_text(r, node, lc_buf_copy(r->scratch, &text));
    lc_buf_release(&text);
}

/* The replacement of a node, or of a member's key. */
const lc_str *lc_redact_sub(const lc_redactor *r, const void *place)
{
    return lc_table_get(&r->subs, LC_BYTES_OF(place));
}

static void write_key(const lc_redactor *r, lc_json *w, const lc_member *m)
{
    const lc_str *sub = lc_redact_sub(r, m);
    if (sub)
        lc_json_raw_key(w, *sub);
    else
        lc_json_key(w, m->key);
}

static void write_node(const lc_redactor *r, lc_json *w, const lc_node *node)
{
    const lc_str *sub = lc_redact_sub(r, node);
    bool mapping = node->kind == LC_NODE_MAPPING;
    if (sub) {
        lc_json_raw(w, NULL, *sub);
        return;
    }
    if (lc_node_write_scalar(w, node))
        return;
    (mapping ? lc_json_object : lc_json_array)(w, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        if (mapping)
            write_key(r, w, &node->as.members[i]);
        write_node(r, w, mapping ? &node->as.members[i].value : &node->as.items[i]);
    }
    (mapping ? lc_json_end_object : lc_json_end_array)(w);
}

void lc_redact_write(const lc_redactor *r, lc_buf *out, const lc_node *node)
{
    lc_json w = {.out = out};
    write_node(r, &w, node);
}

/* ---- Values in messages. */

/* A value that is not wholly secret is written later. False: it cannot be read. */
static bool learn(lc_redactor *r, const lc_node *node, const lc_encoded *in)
{
    const lc_value *v =
        r->tokens.all || !in->type ? NULL : lc_tokens_learn(&r->tokens, r->scratch, in);
    if (v)
        *LC_PUSH(r->scratch, &r->later, lc_redact_later) = (lc_redact_later){node, *in, v, NULL};
    return v;
}

/* A DynamicValue: either encoding is decoded, redacted and encoded again. */
static void redact_dynamic(lc_redactor *r, const lc_node *value, const lc_block *block,
                           const lc_type *type)
{
    static const char *const forms[] = {"msgpack", "json"};
    for (int json = 0; json < 2; json++) {
        const lc_node *node = lc_pj_get(value, forms[json]);
        lc_str bytes;
        if (!node)
            continue;
        if (!lc_pj_bytes(&bytes, r->scratch, value, forms[json]))
            bytes = LC_STR("?");
        const lc_encoded in = {block, type, bytes, json};
        if (bytes.len && !learn(r, node, &in))
            put_bytes(r, node,
                      lc_tokens_redact_bytes(&r->tokens, r->scratch, block, type, bytes, json));
    }
}

static void redact_fields(lc_redactor *r, const lc_node *message, const char *const *names,
                          size_t count, const lc_schema *schema)
{
    for (size_t i = 0; i < count; i++) {
        const lc_node *value = lc_pj_get(message, names[i]);
        if (value)
            redact_dynamic(r, value, schema ? schema->block : NULL,
                           schema ? schema->block->implied : NULL);
    }
}

static void redact_private(lc_redactor *r, const lc_node *message)
{
    static const char *const names[] = {"prior_private", "planned_private", "private",
                                        "source_private", "target_private"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const lc_node *node = lc_pj_get(message, names[i]);
        lc_str bytes;
        if (node && lc_pj_bytes(&bytes, r->scratch, message, names[i]) && bytes.len)
            put_bytes(r, node, lc_token_text(&r->tokens, bytes));
    }
}

/* Identities are not sensitive by the schema, so without `all` only known secrets are replaced. */
static void redact_identities(lc_redactor *r, const lc_node *message, const lc_schema *schema)
{
    static const char *const names[] = {"prior_identity",   "planned_identity", "new_identity",
                                        "current_identity", "identity",         "upgraded_identity",
                                        "target_identity"};
    const lc_type *type = schema ? schema->identity_type : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const lc_node *data = lc_pj_get(lc_pj_get(message, names[i]), "identity_data");
        if (data && (type || r->tokens.all))
            redact_dynamic(r, data, NULL, type);
    }
}

/* ---- Stored objects: JSON text, by the names that the schema has. */

const lc_type *lc_type_of_item(const lc_type *type, uint32_t i)
{
    if (!type)
        return NULL;
    if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET)
        return type->as.elem;
    return type->kind == LC_TYPE_TUPLE && i < type->count ? type->as.items[i] : NULL;
}

const lc_type *lc_type_of_member(const lc_type *type, lc_str key)
{
    if (!type || (type->kind != LC_TYPE_MAP && type->kind != LC_TYPE_OBJECT))
        return NULL;
    if (type->kind == LC_TYPE_MAP)
        return type->as.elem;
    long at = lc_type_attr_index(type, key);
    return at < 0 ? NULL : type->as.attrs[at].type;
}

/* Is this a type as JSON? A dynamic value is stored as {"value": ..., "type": ...}. */
static bool is_type(const lc_node *node)
{
    static const char *const words[] = {"bool", "number", "string", "dynamic", "list",
                                        "set",  "map",    "tuple",  "object",  NULL};
    const lc_node *word =
        node && node->kind == LC_NODE_SEQUENCE && node->count > 1 ? &node->as.items[0] : node;
    return word && word->kind == LC_NODE_STRING && lc_str_is_one_of(word->as.text, words, NULL);
}

static bool is_wrapped(const lc_redactor *r, const lc_node *node)
{
    return !r->bare && node->kind == LC_NODE_MAPPING && node->count == 2 &&
           lc_node_get(node, "value") && is_type(lc_node_get(node, "type"));
}

void lc_redact_text(lc_redactor *r, const lc_node *text)
{
    lc_redact_put_text(r, text, lc_token_text(&r->tokens, text->as.text));
}

static void redact_key(lc_redactor *r, const lc_member *member)
{
    lc_redact_put_text(r, member, lc_token_text(&r->tokens, member->key));
}

/* A value without a type of the schema: everything is data, attribute names too. */
static void redact_all(lc_redactor *r, const lc_node *node)
{
    if (is_wrapped(r, node)) {
        lc_redact_secret(r, lc_node_get(node, "value"), NULL);
        lc_redact_names(r, lc_node_get(node, "type"));
        return;
    }
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        lc_redact_secret(r, &node->as.items[i], NULL);
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        redact_key(r, &node->as.members[i]);
        lc_redact_secret(r, &node->as.members[i].value, NULL);
    }
}

void lc_redact_secret(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    lc_redact_value(r, node, type ? type : &lc_type_dynamic);
}

void lc_redact_names(lc_redactor *r, const lc_node *type)
{
    for (uint32_t i = 0; i < lc_node_item_count(type); i++)
        lc_redact_names(r, &type->as.items[i]);
    for (uint32_t i = 0; i < lc_node_member_count(type); i++) {
        redact_key(r, &type->as.members[i]);
        lc_redact_names(r, &type->as.members[i].value);
    }
}

/* Keys of maps are data, names of attributes are not; below dynamic all names are data. */
static void redact_members(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (type && type->kind == LC_TYPE_MAP)
            redact_key(r, m);
        if (type)
            lc_redact_secret(r, &m->value, lc_type_of_member(type, m->key));
        else
            lc_redact_value(r, &m->value, NULL);
    }
}

static void redact_unmarked(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    bool nests = node->kind == LC_NODE_SEQUENCE || node->kind == LC_NODE_MAPPING;
    if (node->kind == LC_NODE_STRING)
        lc_redact_text(r, node);
    else if (node->kind == LC_NODE_NUMBER)
        lc_redact_put(r, node, lc_token_number(&r->tokens, node->as.text));
    if (nests && type && type->kind == LC_TYPE_DYNAMIC) {
        redact_all(r, node);
        return;
    }
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        lc_redact_value(r, &node->as.items[i], lc_type_of_item(type, i));
    if (node->kind == LC_NODE_MAPPING)
        redact_members(r, node, type);
}

lc_marker lc_redact_marker(const lc_redactor *r, const lc_node *node)
{
    lc_node content;
    return r->markers ? lc_node_marker(&content, node) : LC_MARKER_NONE;
}

/* Type text such as `map(object({a=string}))`, whose attribute names get tokens. */
static void redact_type_text(lc_redactor *r, const lc_node *node)
{
    const lc_type *type;
    lc_buf text = {0};
    lc_str why;
    size_t at;
    if (lc_typetext_parse(&type, r->scratch, node->as.text, &why, &at))
        lc_type_add_text(&text, lc_tokens_redact_type(&r->tokens, r->scratch, type));
    lc_redact_put_text(r, node, lc_buf_str(&text));
    lc_buf_release(&text);
}

static void redact_typed(lc_redactor *r, const lc_node *content)
{
    const lc_node *value = lc_node_get(content, "value"), *type = lc_node_get(content, "type");
    if (value)
        lc_redact_secret(r, value, NULL);
    if (type && type->kind == LC_NODE_STRING)
        redact_type_text(r, type);
    else if (type)
        lc_redact_names(r, type);
}

void lc_redact_value(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    lc_marker marker = lc_redact_marker(r, node);
    const lc_node *content =
        marker == LC_MARKER_NONE || marker == LC_MARKER_FOREIGN ? node : &node->as.members[0].value;
    switch (marker) {
    case LC_MARKER_NONE:
    case LC_MARKER_FOREIGN:
    case LC_MARKER_LITERAL:
    case LC_MARKER_JSON:
    case LC_MARKER_TEXT:
        redact_unmarked(r, content, type);
        break;
    case LC_MARKER_SENSITIVE:
        lc_redact_value(r, content, type);
        break;
    case LC_MARKER_TYPED:
        redact_typed(r, content);
        break;
    case LC_MARKER_UNKNOWN: /* a refinement may be part of the secret, so it is dropped */
        lc_redact_put(r, content, LC_STR("true"));
        break;
    case LC_MARKER_NULL:
    case LC_MARKER_MSGPACK:
        break;
    }
}

/* ---- Objects: the secret walk (secrets.h) over nodes. */

/* Follows the marker of a value to its content. A value with a type of its own (!typed), or JSON
 * text, cannot be compared with the schema, so it is redacted as a whole. False: there is nothing
 * more to redact. */
static bool look_into(lc_redactor *r, const lc_node **node)
{
    lc_marker marker = lc_redact_marker(r, *node);
    if (marker == LC_MARKER_TYPED || marker == LC_MARKER_JSON)
        lc_redact_value(r, *node, NULL);
    if (marker != LC_MARKER_NONE && marker != LC_MARKER_SENSITIVE && marker != LC_MARKER_LITERAL)
        return false;
    if (marker != LC_MARKER_NONE)
        *node = &(*node)->as.members[0].value;
    return true;
}

static bool enter_node(const lc_secret_walk *w, lc_secret_place *object, const lc_type *type)
{
    (void)type;
    return look_into(w->context, &object->node) && object->node->kind == LC_NODE_MAPPING;
}

static lc_secret_place part_of_node(const lc_secret_walk *w, lc_secret_place object,
                                    lc_secret_part kind, lc_str name, uint32_t slot)
{
    (void)w;
    (void)kind;
    (void)slot;
    const lc_member *m = lc_node_member(object.node, name);
    return (lc_secret_place){.node = m ? &m->value : NULL};
}

static uint32_t elements_of_node(const lc_secret_walk *w, lc_secret_place *part, lc_nesting nesting)
{
    if (lc_nests_one(nesting))
        return 1;
    bool open = look_into(w->context, &part->node);
    bool nests = part->node->kind == LC_NODE_SEQUENCE || part->node->kind == LC_NODE_MAPPING;
    return open && nests ? part->node->count : 0;
}

static lc_secret_place element_of_node(const lc_secret_walk *w, lc_secret_place part,
                                       lc_nesting nesting, uint32_t i)
{
    (void)w;
    const lc_node *node = part.node;
    if (lc_nests_one(nesting))
        return part;
    return (lc_secret_place){.node = node->kind == LC_NODE_SEQUENCE ? &node->as.items[i]
                                                                    : &node->as.members[i].value};
}

static void redact_node(const lc_secret_walk *w, lc_secret_place part, const lc_type *type)
{
    lc_redact_secret(w->context, part.node, type);
}

lc_secret_walk lc_redact_walk(lc_redactor *r)
{
    return (lc_secret_walk){.context = r,
                            .enter = enter_node,
                            .part = part_of_node,
                            .elements = elements_of_node,
                            .element = element_of_node,
                            .redact = redact_node};
}

void lc_redact_by_block(lc_redactor *r, const lc_node *node, const lc_block *block)
{
    const lc_secret_walk walk = lc_redact_walk(r);
    if (r->tokens.all || !block)
        lc_redact_value(r, node, block ? block->implied : NULL);
    else
        lc_walk_secrets(&walk, (lc_secret_place){.node = node}, block);
}

static void mask_text(lc_redactor *r, const void *place, lc_str text)
{
    lc_str masked = lc_tokens_mask(&r->tokens, r->scratch, text);
    if (masked.ptr != text.ptr)
        lc_redact_put_text(r, place, masked);
}

/* Looks for known secrets in what is not a secret itself. Names stay, except keys of maps. */
static void mask_nodes(lc_redactor *r, const lc_node *node, const lc_type *type)
{
    bool converted = type && (type->kind == LC_TYPE_NUMBER || type->kind == LC_TYPE_BOOL);
    if (is_wrapped(r, node)) {
        mask_nodes(r, lc_node_get(node, "value"), NULL);
        return;
    }
    if (node->kind == LC_NODE_STRING && !converted && !lc_redact_sub(r, node))
        mask_text(r, node, node->as.text);
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        mask_nodes(r, &node->as.items[i], lc_type_of_item(type, i));
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        const lc_member *m = &node->as.members[i];
        if (type && type->kind == LC_TYPE_MAP && !lc_redact_sub(r, m))
            mask_text(r, m, m->key);
        mask_nodes(r, &m->value, lc_type_of_member(type, m->key));
    }
}

static void write_json(lc_redactor *r, const lc_node *place, const lc_node *json)
{
    lc_buf text = {0};
    if (json)
        lc_redact_write(r, &text, json);
    put_bytes(r, place, lc_buf_copy(r->scratch, &text));
    lc_buf_release(&text);
}

/* What waited for the secrets of the call. */
static void write_later(lc_redactor *r)
{
    for (size_t i = 0; i < r->later.count; i++) {
        const lc_redact_later *l = &r->later.items[i];
        if (l->value) {
            put_bytes(r, l->node, lc_tokens_write(&r->tokens, r->scratch, &l->in, l->value));
            continue;
        }
        mask_nodes(r, l->json, l->in.type);
        write_json(r, l->node, l->json);
    }
}

/* Raw state is JSON in base64. What cannot be parsed becomes empty. `secret`: all of it is, or else
 * what the block marks as such; NULL: nothing. */
static void redact_raw(lc_redactor *r, const lc_node *message, const char *name,
                       const lc_block *block, bool secret)
{
    const lc_node *raw = lc_pj_get(message, name), *json = lc_pj_get(raw, "json");
    lc_source *source = LC_NEW(r->scratch, lc_source);
    lc_diags quiet;
    lc_str bytes;
    lc_diags_init(&quiet, r->scratch);
    if (!json || !lc_pj_bytes(&bytes, r->scratch, raw, "json"))
        return;
    bool good = lc_json_parse(source, r->scratch, r->file, bytes, &r->limits, &quiet) == LC_OK;
    const lc_node *root = good ? &source->documents[0] : NULL;
    if (good && (block || secret))
        lc_redact_by_block(r, root, block);
    if (!good || r->tokens.all || secret)
        write_json(r, json, root);
    else
        *LC_PUSH(r->scratch, &r->later, lc_redact_later) =
            (lc_redact_later){.node = json, .in.type = block ? block->implied : NULL, .json = root};
}

/* ---- Calls. */

/* Diagnostics are redacted last: tokens must exist for all secrets of the call that they quote. */
static void redact_diagnostic_list(lc_redactor *r, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        static const char *const names[] = {"summary", "detail", NULL};
        for (int k = 0; k < 2; k++) {
            const lc_node *text = lc_pj_get(&list->as.items[i], names[k]);
            if (text && text->kind == LC_NODE_STRING)
                lc_redact_put_text(r, text,
                                   lc_tokens_redact(&r->tokens, r->scratch, text->as.text));
        }
    }
}

static void redact_diagnostics(lc_redactor *r, const lc_node *response)
{
    redact_diagnostic_list(r, lc_pj_get(response, "diagnostics"));
}

/* ---- What the recorder could not read: only its length stays. */

/* The number of bytes that a string in base64 encodes. */
static uint64_t length_of(lc_redactor *r, const lc_node *message, const char *name)
{
    lc_str bytes;
    bool good = lc_pj_bytes(&bytes, r->scratch, message, name);
    return good ? bytes.len : lc_pj_text(message, name).len;
}

/* The length that a copy has. */
static uint64_t copied_length(const lc_node *node)
{
    int64_t bytes = lc_pj_int(node, "bytes");
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static void put_length(lc_redactor *r, const lc_node *place, bool raw, uint64_t bytes)
{
    lc_buf text = {0};
    lc_json w = {.out = &text};
    lc_json_object(&w, NULL);
    if (raw)
        lc_json_c(&w, "raw", "");
    lc_json_uint(&w, "bytes", bytes);
    lc_json_end_object(&w);
    lc_redact_put(r, place, lc_buf_copy(r->scratch, &text));
    lc_buf_release(&text);
}

/* A copy of a copy keeps the length. False: the message is not raw. */
static bool redact_raw_message(lc_redactor *r, const lc_node *message)
{
    if (!lc_pj_is_raw(message))
        return false;
    uint64_t bytes = length_of(r, message, "raw");
    put_length(r, message, true, bytes ? bytes : copied_length(message));
    return true;
}

static void redact_unknown_fields(lc_redactor *r, const lc_node *node)
{
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        redact_unknown_fields(r, &node->as.items[i]);
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        const lc_member *m = &node->as.members[i];
        if (!lc_pj_is_unknown_fields(m))
            redact_unknown_fields(r, &m->value);
        else if (m->value.kind == LC_NODE_STRING)
            put_length(r, &m->value, false, length_of(r, node, LC_WIRE_UNKNOWN_FIELDS));
        else /* of a copy already */
            put_length(r, &m->value, false, copied_length(&m->value));
    }
}

/* The events of an invoked action quote values like diagnostics do. */
static void redact_events(lc_redactor *r, const lc_node *responses)
{
    for (uint32_t i = 0; i < lc_node_item_count(responses); i++) {
        const lc_node *event = &responses->as.items[i];
        const lc_node *text = lc_pj_get(lc_pj_get(event, "progress"), "message");
        if (text && text->kind == LC_NODE_STRING)
            lc_redact_put_text(r, text, lc_tokens_redact(&r->tokens, r->scratch, text->as.text));
        redact_diagnostics(r, lc_pj_get(event, "completed"));
        redact_raw_message(r, event);
    }
}

static void redact_imported(lc_redactor *r, const lc_node *response, const lc_schema *schema)
{
    static const char *const state[] = {"state"};
    const lc_node *list = lc_pj_get(response, "imported_resources");
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        redact_fields(r, &list->as.items[i], state, 1, schema);
        redact_private(r, &list->as.items[i]);
        redact_identities(r, &list->as.items[i], schema);
    }
}

/* A state of before Terraform 0.12: all values are strings, regardless of the schema. */
static void redact_flatmap(lc_redactor *r, const lc_node *message)
{
    const lc_node *map = lc_pj_get(lc_pj_get(message, "raw_state"), "flatmap");
    for (uint32_t i = 0; i < lc_node_member_count(map); i++) {
        if (map->as.members[i].value.kind == LC_NODE_STRING)
            lc_redact_text(r, &map->as.members[i].value);
    }
}

static void redact_message(lc_redactor *r, const lc_node *message, const lc_schema *schema)
{
    static const char *const objects[] = {"config",         "prior_state",    "proposed_new_state",
                                          "planned_state",  "current_state",  "new_state",
                                          "upgraded_state", "target_state",   "state",
                                          "result",         "prepared_config"};
    static const char *const meta[] = {"provider_meta"};
    redact_fields(r, message, objects, sizeof objects / sizeof *objects, schema);
    redact_fields(r, message, meta, 1, NULL);
    redact_private(r, message);
    redact_identities(r, message, schema);
    redact_raw(r, message, "raw_state", schema ? schema->block : NULL, !schema);
    redact_flatmap(r, message);
    redact_raw(r, message, "source_state", NULL, true);
    redact_raw(r, message, "raw_identity", NULL, r->tokens.all);
    redact_raw(r, message, "source_identity", NULL, r->tokens.all);
    const lc_node *id = lc_pj_get(message, "id");
    if (id && id->kind == LC_NODE_STRING)
        lc_redact_put_text(r, id, lc_token_text(&r->tokens, id->as.text));
}

/* What the schema of a provider calls secret. */
static void learn_settings(lc_redactor *r, const lc_node *value, const lc_schema *schema)
{
    static const char *const forms[] = {"msgpack", "json"};
    for (int json = 0; json < 2 && schema; json++) {
        lc_encoded in = {schema->block, schema->block->implied, LC_STR_EMPTY, json};
        if (lc_pj_bytes(&in.bytes, r->scratch, value, forms[json]) && in.bytes.len)
            lc_tokens_learn(&r->tokens, r->scratch, &in);
    }
}

/* The configuration of a provider holds credentials, so it is redacted as a whole. A short word in
 * it that the schema does not call secret, such as the name of a user, is a word like others
 * elsewhere. */
static void redact_provider(lc_redactor *r, const lc_node *message, const lc_schema *schema)
{
    static const char *const objects[] = {"config", "prepared_config"};
    lc_tokens *t = &r->tokens;
    bool all = t->all;
    t->all = true;
    t->words_stay = schema && !all;
    redact_fields(r, message, objects, 2, schema);
    t->all = all;
    t->words_stay = false;
    for (size_t i = 0; i < 2 && !all; i++)
        learn_settings(r, lc_pj_get(message, objects[i]), schema);
}

bool lc_redact_is_provider_call(lc_str rpc)
{
    static const char *const names[] = {"Configure", "ConfigureProvider", "PrepareProviderConfig",
                                        "ValidateProviderConfig", NULL};
    return lc_str_is_one_of(rpc, names, NULL);
}

/* Of lists and actions the values have no schema here; arguments of functions may come from
 * anything that is secret, and results from arguments. All of them are dropped. */
static void drop_message(lc_redactor *r, const lc_node *message)
{
    if (message && !redact_raw_message(r, message))
        lc_redact_put(r, message, LC_STR("{}"));
}

static void drop_messages(lc_redactor *r, const lc_node *list)
{
    bool raw = false;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        raw |= lc_pj_is_raw(&list->as.items[i]);
    if (list && !raw)
        lc_redact_put(r, list, LC_STR("[]"));
    for (uint32_t i = 0; raw && i < list->count; i++)
        drop_message(r, &list->as.items[i]);
}

/* The events of a list, by the schema of the managed type. */
static void redact_listed(lc_redactor *r, const lc_node *responses, const lc_schema *schema)
{
    static const char *const objects[] = {"resource_object"};
    for (uint32_t i = 0; i < lc_node_item_count(responses); i++) {
        const lc_node *event = &responses->as.items[i];
        const lc_node *name = lc_pj_get(event, "display_name");
        redact_identities(r, event, schema);
        redact_fields(r, event, objects, 1, schema);
        /* Last, because it may quote a secret of the object; without a schema none is known. */
        if (name && name->kind == LC_NODE_STRING)
            lc_redact_put_text(r, name,
                               r->tokens.all || !schema
                                   ? lc_token_text(&r->tokens, name->as.text)
                                   : lc_tokens_redact(&r->tokens, r->scratch, name->as.text));
        redact_diagnostic_list(r, lc_pj_get(event, "diagnostic"));
        redact_raw_message(r, event);
    }
}

/* State holds every secret of a configuration, so only the number of its bytes is left. */
static void redact_state_bytes(lc_redactor *r, const lc_node *messages)
{
    for (uint32_t i = 0; i < lc_node_item_count(messages); i++) {
        const lc_node *message = &messages->as.items[i], *node = lc_pj_get(message, "bytes");
        if (node && node->kind == LC_NODE_STRING)
            put_length(r, node, false, length_of(r, message, "bytes"));
        else if (node) /* of a copy already */
            put_length(r, node, false, copied_length(node));
        redact_diagnostics(r, message);
        redact_raw_message(r, message);
    }
}

/* The configuration of a state store holds credentials, so it is replaced as a whole: by a token,
 * since stores are distinguished by it. */
static void redact_store_config(lc_redactor *r, const lc_node *config)
{
    static const char *const forms[] = {"msgpack", "json"};
    for (int i = 0; i < 2; i++) {
        const lc_node *node = lc_pj_get(config, forms[i]);
        lc_str bytes;
        if (node && lc_pj_bytes(&bytes, r->scratch, config, forms[i]) && bytes.len)
            put_bytes(r, node, lc_token_text(&r->tokens, bytes));
    }
}

static void redact_gathered(lc_redactor *r, lc_rpc_schemas *schemas,
                            const lc_rpc_provider *provider, lc_pj_rpc rpc, const lc_node *root)
{
    static const char *const config[] = {"config"};
    const lc_node *request = lc_pj_get(root, "request"), *responses = lc_pj_get(root, "responses");
    if (rpc == LC_PJ_STORE) {
        redact_store_config(r, lc_pj_get(request, "config"));
        redact_state_bytes(r, lc_pj_get(root, "requests"));
        redact_state_bytes(r, responses);
        return;
    }
    lc_str type = lc_pj_type_name(rpc, request);
    redact_fields(r, request, config, 1,
                  lc_rpc_schemas_get(schemas, r->scratch, provider, LC_KIND_LIST, type));
    redact_listed(r, responses,
                  lc_rpc_schemas_get(schemas, r->scratch, provider, LC_KIND_RESOURCE, type));
}

static void redact_messages(lc_redactor *r, lc_rpc_schemas *schemas, const lc_node *root,
                            lc_loc loc)
{
    const lc_rpc_provider *provider = lc_rpc_schemas_provider_of(schemas, root, loc, r->diags);
    lc_str method = lc_pj_text(root, "rpc");
    lc_pj_rpc rpc = lc_pj_rpc_of(method);
    const lc_node *request = lc_pj_get(root, "request"), *response = lc_pj_get(root, "response");
    redact_raw_message(r, request);
    redact_raw_message(r, response);
    if (lc_redact_is_provider_call(method)) {
        const lc_schema *s =
            lc_rpc_schemas_get(schemas, r->scratch, provider, LC_KIND_PROVIDER, LC_STR_EMPTY);
        redact_provider(r, request, s);
        redact_provider(r, response, s);
    } else if (lc_pj_is_gathered(rpc)) {
        redact_gathered(r, schemas, provider, rpc, root);
    } else if (rpc >= LC_PJ_UPGRADE) {
        lc_str type = lc_pj_type_name(rpc, request);
        const lc_schema *s =
            lc_rpc_schemas_get(schemas, r->scratch, provider, lc_pj_kind_of(rpc), type);
        redact_message(r, request, s);
        redact_message(r, response, s);
        redact_imported(r, response, s);
        redact_events(r, lc_pj_get(root, "responses"));
    } else if (rpc == LC_PJ_OTHER || rpc == LC_PJ_FUNCTION) {
        drop_message(r, request);
        drop_message(r, response);
        drop_messages(r, lc_pj_get(root, "requests"));
        drop_messages(r, lc_pj_get(root, "responses"));
    }
}

/* What strings of the call quote, for calls of any kind. */
static void redact_texts(lc_redactor *r, const lc_node *root)
{
    const lc_node *error = lc_pj_get(lc_pj_get(root, "error"), "message");
    redact_diagnostics(r, lc_pj_get(root, "response"));
    if (error && error->kind == LC_NODE_STRING)
        lc_redact_put_text(r, error, lc_tokens_redact(&r->tokens, r->scratch, error->as.text));
}

/* ---- Streams. */

struct lc_redact_stream {
    lc_redactor r;
    lc_rpc_schemas schemas; /* of the stream so far */
    lc_recording about;
    uint32_t line;
};

static lc_redact_stream *open_stream(lc_arena *arena, lc_str file, const lc_limits *limits,
                                     bool all, lc_diags *diags)
{
    lc_redact_stream *s = LC_NEW(arena, lc_redact_stream);
    s->r = (lc_redactor){
        .arena = arena, .scratch = lc_arena_new(), .limits = *limits, .file = file, .diags = diags};
    lc_tokens_init(&s->r.tokens, arena, all, *limits);
    lc_rpc_schemas_init(&s->schemas, arena, file, *limits);
    return s;
}

lc_redact_stream *lc_redact_stream_open(lc_arena *arena, lc_str file, const lc_limits *limits,
                                        lc_diags *diags)
{
    return open_stream(arena, file, limits, false, diags);
}

void lc_redact_stream_close(lc_redact_stream *s)
{
    lc_arena_free(s->r.scratch);
}

lc_str lc_redact_stream_text(lc_redact_stream *s, lc_arena *arena, lc_str text)
{
    return lc_tokens_redact(&s->r.tokens, arena, text);
}

/* The nodes of a line. NULL: it is not JSON. */
static const lc_node *parse_line(lc_redact_stream *s, lc_str line)
{
    lc_source source;
    lc_diags quiet;
    lc_diags_init(&quiet, s->r.scratch);
    bool ok = lc_json_parse(&source, s->r.scratch, s->r.file, line, &s->r.limits, &quiet) == LC_OK;
    return ok ? &source.documents[0] : NULL;
}

/* Schemas are not secret. They are copied as they are and used for the calls that follow. */
static void redact_root(lc_redact_stream *s, lc_buf *out, const lc_node *root, lc_str line,
                        lc_loc loc)
{
    lc_redactor *r = &s->r;
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_pj_text(root, "rpc"));
    lc_table_init(&r->subs, r->scratch);
    memset(&r->later, 0, sizeof r->later);
    if (rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES)
        lc_rpc_schemas_take(&s->schemas, rpc, root, line, loc, r->diags);
    else
        redact_messages(r, &s->schemas, root, loc);
    write_later(r);
    redact_texts(r, root);
    redact_unknown_fields(r, root);
    lc_redact_write(r, out, root);
    lc_buf_add_char(out, '\n');
}

/* What the recording states about itself does not change, except that it is redacted now. */
static void write_about(lc_json *w, const lc_node *recording)
{
    lc_json_object(w, "recording");
    for (uint32_t i = 0; i < recording->count; i++) {
        const lc_member *m = &recording->as.members[i];
        if (lc_str_is(m->key, "redacted"))
            continue;
        lc_json_key(w, m->key);
        lc_node_add_json(lc_json_value(w, NULL), &m->value);
    }
    lc_json_bool(w, "redacted", true);
    lc_json_end_object(w);
}

/* A line that is not a call. Of others than a recording's nothing is copied. */
static void redact_about(lc_redact_stream *s, lc_buf *out, const lc_node *root, lc_loc loc)
{
    const lc_node *recording = lc_node_get_kind(root, "recording", LC_NODE_MAPPING);
    const lc_node *addresses = lc_node_get_kind(root, "addresses", LC_NODE_SEQUENCE);
    lc_json w = {.out = out};
    if (!recording && !addresses) {
        lc_diag_warning(s->r.diags, loc, "this line is not a recorded call and is left out");
        return;
    }
    if (recording && !lc_recording_take(&s->about, s->r.arena, recording, loc, s->r.diags))
        return;
    lc_json_object(&w, NULL);
    if (recording)
        write_about(&w, recording);
    if (addresses)
        lc_node_add_json(lc_json_value(&w, "addresses"), addresses);
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

/* May unknown fields be in the text of a line, however their name is written? */
static bool may_have_unknown_fields(lc_str line)
{
    return lc_str_contains(line, LC_STR("nknown_fields")) ||
           lc_str_contains(line, LC_STR("nknownFields")) || lc_str_contains(line, LC_STR("\\u"));
}

/* Has the line of a schema call nothing to redact? */
static bool is_schema_alone(const lc_node *root)
{
    const lc_node *response = lc_pj_get(root, "response");
    return response && !lc_pj_is_raw(response) && !lc_pj_get(response, "diagnostics") &&
           !lc_pj_get(root, "error") && !lc_pj_is_raw(lc_pj_get(root, "request"));
}

/* A long schema line is read type by type and copied as it is, to save memory. False: it is not a
 * schema line, or has to be redacted. */
static bool redact_schema_line(lc_redact_stream *s, lc_buf *out, lc_str line, lc_loc loc)
{
    lc_schema_line split;
    if (line.len < LC_SCHEMA_LINE_LONG || may_have_unknown_fields(line) ||
        !lc_schema_line_split(&split, s->r.scratch, line, &s->r.limits))
        return false;
    const lc_node *root = parse_line(s, lc_buf_str(&split.rest));
    bool good = root && is_schema_alone(root) &&
                lc_rpc_schemas_take_split(&s->schemas, &split, root, loc, s->r.diags);
    if (good) {
        lc_buf_add_str(out, line);
        lc_buf_add_char(out, '\n');
    }
    lc_buf_release(&split.rest);
    return good;
}

/* The next line. `root`: its nodes, if there are any; NULL: it is read. */
static void redact_line(lc_redact_stream *s, lc_buf *out, const lc_node *root, lc_str line)
{
    lc_loc loc = {s->r.file, ++s->line, 1};
    if (!redact_schema_line(s, out, line, loc)) {
        root = root ? root : parse_line(s, line);
        if (lc_pj_text(root, "rpc").len)
            redact_root(s, out, root, line, loc);
        else if (root || line.len)
            redact_about(s, out, root, loc);
    }
    lc_arena_reset(s->r.scratch);
}

/* As in lc_stream_call the line of a schema counts, not its nodes. */
void lc_redact_stream_call(lc_redact_stream *s, lc_buf *out, const lc_node *root, lc_str line)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_pj_text(root, "rpc"));
    bool schemas = rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES;
    redact_line(s, out, schemas && line.len ? NULL : root, line);
}

/* `learns`: for the secrets alone; nothing is written. */
static void redact_stream(lc_redact_stream *s, lc_buf *out, lc_str text, const lc_schemas *named,
                          bool learns)
{
    for (size_t i = 0; i < named->docs.count; i++)
        lc_rpc_schemas_add(&s->schemas, named->docs.items[i], (lc_loc){s->r.file, 0, 0});
    for (size_t at = 0; at < text.len;) {
        const char *newline = memchr(text.ptr + at, '\n', text.len - at);
        size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
        redact_line(s, out, NULL, lc_str_sub(text, at, end));
        at = end + 1;
        if (learns)
            lc_buf_clear(out);
    }
}

/* A string may quote a secret that only a later call reveals. So all secrets are found first; what
 * the first reading reports, the second reports again. */
static void learn_stream(lc_tokens *out, lc_redact_stream *for_stream, lc_str text,
                         const lc_schemas *named)
{
    lc_redactor *r = &for_stream->r;
    lc_diags quiet;
    lc_buf unused = {0};
    lc_diags_init(&quiet, r->arena);
    lc_redact_stream *s = open_stream(r->arena, r->file, &r->limits, r->tokens.all, &quiet);
    redact_stream(s, &unused, text, named, true);
    lc_buf_release(&unused);
    *out = s->r.tokens;
    lc_seen_init(&out->seen, r->arena);
    lc_redact_stream_close(s);
}

/* ---- Any input. */

bool lc_redact(lc_buf *out, lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
               const lc_redact_options *options, lc_diags *diags)
{
    lc_input_kind kind =
        options->input != LC_INPUT_UNKNOWN ? options->input : lc_input_detect(text);
    lc_schemas schemas;
    lc_redact_stream *s = open_stream(arena, file, &store->limits, options->all, diags);
    bool known = true;
    lc_schemas_open(&schemas, arena, store, file, &options->capture, diags);
    if (kind == LC_INPUT_CALLS) {
        learn_stream(&s->r.tokens, s, text, &schemas);
        redact_stream(s, out, text, &schemas, false);
    } else if (kind == LC_INPUT_PLAN || kind == LC_INPUT_STATE)
        lc_redact_document(&s->r, kind == LC_INPUT_PLAN ? LC_JSON_PLAN : LC_JSON_STATE, out, text,
                           &schemas);
    else
        known = false;
    if (!known)
        lc_diag_error(diags, (lc_loc){file, 0, 0},
                      "only streams of recorded calls, plans and states as JSON can be redacted");
    if (kind == LC_INPUT_CALLS && out->len == 0)
        lc_diag_error(diags, (lc_loc){file, 1, 1},
                      "no line of this is a recorded call; is it the right file?");
    lc_redact_stream_close(s);
    return known && diags->errors == 0;
}

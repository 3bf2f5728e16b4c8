/* Requests as nodes in protojson, from values. */
#include "drive/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/codec/codec.h"

#include <string.h>

void lc_request_node(lc_request *r, const char *name, lc_node value)
{
    LC_ASSERT(r->count < LC_MOST_FIELDS);
    r->members[r->count++] = (lc_member){.key = lc_str_from_c(name), .value = value};
}

static lc_node text_node(lc_str text)
{
    return (lc_node){.kind = LC_NODE_STRING, .style = LC_STYLE_JSON, .as.text = text};
}

static lc_node mapping(lc_arena *arena, const char *name, lc_node value)
{
    lc_member *member = LC_NEW(arena, lc_member);
    *member = (lc_member){.key = lc_str_from_c(name), .value = value};
    return (lc_node){
        .kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = 1, .as.members = member};
}

static lc_node bytes_node(lc_arena *arena, lc_str bytes)
{
    lc_buf base64 = {0};
    lc_base64_encode(&base64, bytes);
    return text_node(lc_buf_take(arena, &base64));
}

void lc_request_text(lc_request *r, const char *name, lc_str text)
{
    lc_request_node(r, name, text_node(text));
}

/* Protojson writes integers of 64 bits as strings. */
void lc_request_number(lc_request *r, const char *name, int64_t number)
{
    lc_request_text(r, name, lc_str_printf(r->arena, "%lld", (long long)number));
}

void lc_request_mapping(lc_request *r, const char *name, const lc_request *inner)
{
    lc_request_node(r, name, lc_request_as_node(inner));
}

/* A copy: the request may be extended afterwards. */
lc_node lc_request_as_node(const lc_request *r)
{
    lc_member *members = LC_NEW_ARRAY(r->arena, lc_member, r->count + 1);
    memcpy(members, r->members, r->count * sizeof *members);
    return (lc_node){
        .kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = r->count, .as.members = members};
}

void lc_request_bytes(lc_request *r, const char *name, lc_str bytes)
{
    lc_request_node(r, name, bytes_node(r->arena, bytes));
}

lc_node lc_request_dynamic(lc_arena *arena, const lc_value *value, const lc_type *type)
{
    lc_value null;
    lc_buf msgpack = {0};
    if (!value) {
        lc_value_set_null(&null, type);
        value = &null;
    }
    lc_msgpack_encode(&msgpack, value, type);
    lc_node node = mapping(arena, "msgpack", bytes_node(arena, lc_buf_str(&msgpack)));
    lc_buf_release(&msgpack);
    return node;
}

void lc_request_value(lc_request *r, const char *name, const lc_value *value, const lc_type *type)
{
    lc_request_node(r, name, lc_request_dynamic(r->arena, value, type));
}

/* A type without identity, or an object that has none yet, has no such field. */
void lc_request_identity(lc_request *r, const char *name, const lc_schema *schema,
                         const lc_value *identity)
{
    if (identity && !lc_is_null(identity) && schema->identity_type)
        lc_request_node(r, name,
                        mapping(r->arena, "identity_data",
                                lc_request_dynamic(r->arena, identity, schema->identity_type)));
}

/* ---- Stored objects. */

typedef struct raw_writer {
    lc_json json;
    bool strip, removed;
} raw_writer;

static void write_raw(raw_writer *w, const lc_value *raw, const lc_type *type);

/* The type of a member. A map takes every key; below dynamic nothing is looked at. */
static const lc_type *type_of_member(const lc_type *type, lc_str key, bool *known)
{
    *known = true;
    if (type && type->kind == LC_TYPE_MAP)
        return type->as.elem;
    if (!type || type->kind != LC_TYPE_OBJECT)
        return NULL;
    long at = lc_type_attr_index(type, key);
    *known = at >= 0;
    return *known ? type->as.attrs[at].type : NULL;
}

static void write_member(raw_writer *w, const lc_value *raw, size_t at, const lc_type *type)
{
    bool known;
    lc_str key =
        raw->type->kind == LC_TYPE_MAP ? raw->as.many.keys[at] : raw->type->as.attrs[at].name;
    const lc_type *want = type_of_member(type, key, &known);
    bool remove = w->strip && !known;
    w->removed |= remove;
    if (remove)
        return;
    lc_json_key(&w->json, key);
    write_raw(w, &raw->as.many.elems[at], want);
}

/* A value of a dynamic type is stored as an object with its value and its type, in this order;
 * other members are sorted by name. */
static void write_members(raw_writer *w, const lc_value *raw, const lc_type *type)
{
    bool typed = type && type->kind == LC_TYPE_DYNAMIC && raw->type->kind == LC_TYPE_OBJECT &&
                 raw->count == 2 && lc_str_is(raw->type->as.attrs[0].name, "type") &&
                 lc_str_is(raw->type->as.attrs[1].name, "value");
    lc_json_object(&w->json, NULL);
    for (size_t i = 0; i < raw->count; i++)
        write_member(w, raw, typed ? raw->count - 1 - i : i, type);
    lc_json_end_object(&w->json);
}

static void write_items(raw_writer *w, const lc_value *raw, const lc_type *type)
{
    bool many = type && (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET);
    lc_json_array(&w->json, NULL);
    for (size_t i = 0; i < raw->count; i++)
        write_raw(w, &raw->as.many.elems[i], many ? type->as.elem : NULL);
    lc_json_end_array(&w->json);
}

/* A stored object has no unknown values; where a generated one has, clients would have written
 * null. */
static void write_scalar(raw_writer *w, const lc_value *raw)
{
    if (!lc_is_known(raw))
        lc_json_null(&w->json, NULL);
    else if (raw->type->kind == LC_TYPE_BOOL)
        lc_json_bool(&w->json, NULL, raw->as.boolean);
    else if (raw->type->kind == LC_TYPE_NUMBER)
        lc_num_add_text(lc_json_value(&w->json, NULL), raw->as.number);
    else
        lc_json_str(&w->json, NULL, raw->as.string);
}

static void write_raw(raw_writer *w, const lc_value *raw, const lc_type *type)
{
    lc_type_kind kind = raw->type->kind;
    if (lc_is_known(raw) && (kind == LC_TYPE_OBJECT || kind == LC_TYPE_MAP))
        write_members(w, raw, type);
    else if (lc_is_known(raw) &&
             (kind == LC_TYPE_TUPLE || kind == LC_TYPE_LIST || kind == LC_TYPE_SET))
        write_items(w, raw, type);
    else
        write_scalar(w, raw);
}

/* Where the attributes of an instance begin in a state file. */
#define STATE_FILE_COLUMN 10

/* Go's encoder lays out state files: an indent of two spaces a level, every value on its own line,
 * empty collections closed at once. */
static void lay_out(lc_buf *out, lc_str json)
{
    size_t depth = 0;
    bool text = false, escaped = false;
    for (size_t i = 0; i < json.len; i++) {
        char c = json.ptr[i];
        bool closes = !text && (c == '}' || c == ']');
        bool empty = closes && (json.ptr[i - 1] == '{' || json.ptr[i - 1] == '[');
        depth -= closes;
        if (closes && !empty)
            lc_buf_printf(out, "\n%*s", (int)(STATE_FILE_COLUMN + 2 * depth), "");
        lc_buf_add_char(out, c);
        if (text) {
            text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        text = c == '"';
        bool opens = c == '{' || c == '[';
        bool full = opens && i + 1 < json.len && json.ptr[i + 1] != '}' && json.ptr[i + 1] != ']';
        depth += opens;
        if (full || c == ',')
            lc_buf_printf(out, "\n%*s", (int)(STATE_FILE_COLUMN + 2 * depth), "");
        else if (c == ':')
            lc_buf_add_char(out, ' ');
    }
}

void lc_request_raw_state(lc_request *r, const char *name, const lc_value *raw, const lc_type *type,
                          bool strip, bool laid_out)
{
    lc_buf json = {0}, text = {0};
    raw_writer w = {.json = {.out = &json, .html = true}, .strip = strip};
    write_raw(&w, raw, type);
    if (laid_out && !w.removed)
        lay_out(&text, lc_buf_str(&json));
    lc_str written = text.len ? lc_buf_str(&text) : lc_buf_str(&json);
    lc_request_node(r, name, mapping(r->arena, "json", bytes_node(r->arena, written)));
    lc_buf_release(&json);
    lc_buf_release(&text);
}

/* ---- What many requests have. */

static lc_node true_node(void)
{
    return (lc_node){
        .kind = LC_NODE_BOOL, .style = LC_STYLE_JSON, .boolean = true, .as.text = LC_STR("true")};
}

void lc_request_flag(lc_request *r, const char *name)
{
    lc_request_node(r, name, true_node());
}

/* Terraform announces during apply that it allows deferral, although it does not during plan. */
void lc_request_capabilities(lc_request *r, const lc_client *client)
{
    const lc_client_options *o = &client->options;
    const struct {
        const char *name;
        bool offered;
    } all[] = {
        {"deferral_allowed", o->as == LC_TERRAFORM && o->walk == LC_WALK_APPLY && !o->no_deferral},
        {"write_only_attributes_allowed", !o->no_write_only},
        {"store_planned_private", client->stores_private},
        {"computed_blocks_allowed", client->stores_private && !o->no_computed_blocks},
    };
    lc_member *members = LC_NEW_ARRAY(r->arena, lc_member, sizeof all / sizeof *all);
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].offered)
            members[count++] = (lc_member){.key = lc_str_from_c(all[i].name), .value = true_node()};
    }
    lc_request_node(r, "client_capabilities",
                    (lc_node){.kind = LC_NODE_MAPPING,
                              .style = LC_STYLE_JSON,
                              .count = count,
                              .as.members = members});
}

/* A module without a provider_meta block sends null, in MessagePack 0xc0. */
void lc_request_meta(lc_request *r, const lc_client *client)
{
    if (client->provider->has_meta)
        lc_request_node(r, "provider_meta",
                        mapping(r->arena, "msgpack", bytes_node(r->arena, LC_STR("\xc0"))));
}

void lc_request_config(lc_request *r, const lc_client *client, const char *type,
                       const lc_schema *schema, const lc_value *config)
{
    lc_request_text(r, type, schema->type_name);
    lc_request_value(r, "config", config, schema->block->implied);
    lc_request_capabilities(r, client);
}

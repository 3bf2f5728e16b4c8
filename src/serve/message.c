/* Values and messages: requests to values, replies to messages. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "serve/internal.h"

void lc_serve_error(lc_serve_call *call, const char *summary, lc_str detail)
{
    *LC_PUSH(call->arena, &call->reply.diags, lc_serve_diag) =
        (lc_serve_diag){.summary = lc_str_from_c(summary), .detail = detail};
}

const lc_value *lc_serve_null(lc_arena *arena, const lc_type *type)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_value_set_null(v, type);
    return v;
}

/* A DynamicValue has one of two encodings. Clients send MessagePack; JSON is read because the
 * protocol allows it. */
const lc_value *lc_serve_value(lc_serve_call *call, const lc_node *message, const char *field,
                               const lc_type *type)
{
    const lc_node *node = lc_pj_get(message, field);
    const lc_value *v;
    lc_wire_result result = {.problem.message = LC_STR("not base64")};
    lc_str bytes;
    if (!node)
        return lc_serve_null(call->arena, type);
    if (lc_pj_bytes(&bytes, call->arena, node, "msgpack") && bytes.len) {
        if (lc_msgpack_decode(&v, call->arena, bytes, type, &result))
            return v;
    } else if (lc_pj_bytes(&bytes, call->arena, node, "json") && bytes.len) {
        if (lc_ctyjson_decode(&v, call->arena, bytes, type, &result))
            return v;
    } else {
        return lc_serve_null(call->arena, type);
    }
    lc_serve_error(call, "Value cannot be decoded",
                   lc_str_printf(call->arena, "%s in %s: %.*s at %.*s.", field, call->method->name,
                                 LC_FMT(result.problem.message), LC_FMT(result.problem.path)));
    return NULL;
}

const lc_value *lc_serve_identity(lc_serve_call *call, const char *field)
{
    const lc_type *type = call->schema->identity_type;
    return lc_serve_value(call, lc_pj_get(call->request, field), "identity_data",
                          type ? type : &lc_type_dynamic);
}

void lc_serve_add_bytes(lc_json *w, const char *key, lc_str bytes)
{
    lc_buf text = {0};
    lc_base64_encode(&text, bytes);
    lc_json_str(w, key, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* A value that JSON cannot express, as an unknown one, is written as MessagePack all the same. */
static void add_value(lc_json *w, const char *key, const lc_value *value, const lc_type *type,
                      bool json)
{
    lc_buf bytes = {0};
    lc_str why;
    json = json && lc_ctyjson_encode(&bytes, value, type, &why);
    if (!json)
        lc_msgpack_encode(&bytes, value, type);
    lc_json_object(w, key);
    lc_serve_add_bytes(w, json ? "json" : "msgpack", lc_buf_str(&bytes));
    lc_json_end_object(w);
    lc_buf_release(&bytes);
}

void lc_serve_add_value(lc_json *w, const char *key, const lc_value *value, const lc_type *type)
{
    add_value(w, key, value, type, false);
}

/* A path into a set ends at the set: the protocol has no step for its elements. */
static void add_path(lc_json *w, const char *key, lc_path path)
{
    lc_json_object(w, key);
    lc_json_array(w, "steps");
    for (size_t i = 0; i < path.count && path.steps[i].kind != LC_STEP_ELEMENT; i++) {
        const lc_step *step = &path.steps[i];
        lc_json_object(w, NULL);
        if (step->kind == LC_STEP_INDEX)
            lc_json_uint(w, "element_key_int", step->index);
        else
            lc_json_str(w, step->kind == LC_STEP_KEY ? "element_key_string" : "attribute_name",
                        step->name);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

/* Trap: the field has another name in the event of a list. */
static void add_diags(lc_serve_call *call)
{
    lc_json *w = call->w;
    if (!call->reply.diags.count)
        return;
    lc_json_array(w, lc_str_is(lc_str_from_c(call->method->name), "ListResource") ? "diagnostic"
                                                                                  : "diagnostics");
    for (size_t i = 0; i < call->reply.diags.count; i++) {
        const lc_serve_diag *diag = &call->reply.diags.items[i];
        lc_json_object(w, NULL);
        lc_json_c(w, "severity", diag->severity ? diag->severity : "ERROR");
        lc_json_str(w, "summary", diag->summary);
        lc_json_str(w, "detail", diag->detail);
        if (diag->path.count)
            add_path(w, "attribute", diag->path);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

static void add_identity(lc_serve_call *call, const char *key)
{
    lc_json_object(call->w, key);
    add_value(call->w, "identity_data", call->reply.identity, call->schema->identity_type, false);
    lc_json_end_object(call->w);
}

static void add_object(lc_serve_call *call, const lc_serve_fields *fields)
{
    const lc_serve_reply *reply = &call->reply;
    if (fields->value && reply->value)
        add_value(call->w, fields->value, reply->value, reply->type, reply->json);
    if (fields->identity && reply->identity)
        add_identity(call, fields->identity);
    if (fields->private_data && reply->has_private)
        lc_serve_add_bytes(call->w, fields->private_data, reply->private_data);
}

/* Imported objects stand in a list. */
static void add_imported(lc_serve_call *call, const lc_serve_fields *fields)
{
    const lc_serve_reply *reply = &call->reply;
    lc_json_array(call->w, "imported_resources");
    for (int i = 0; i < 1 + reply->twice; i++) {
        lc_json_object(call->w, NULL);
        lc_json_str(call->w, "type_name", reply->renamed ? reply->name : call->schema->type_name);
        add_object(call, fields);
        lc_json_end_object(call->w);
    }
    lc_json_end_array(call->w);
}

static void add_deferral(lc_serve_call *call)
{
    if (call->reply.legacy)
        lc_json_bool(call->w, "legacy_type_system", true);
    if (!call->reply.deferred)
        return;
    lc_json_object(call->w, "deferred");
    lc_json_c(call->w, "reason", call->reply.deferred);
    lc_json_end_object(call->w);
}

/* Two answers have another form: imported objects are a list, and an action ends with an event that
 * has the diagnostics. */
void lc_serve_add_reply(lc_serve_call *call, const lc_serve_fields *fields)
{
    const lc_serve_reply *reply = &call->reply;
    bool imports = lc_str_is(lc_str_from_c(call->method->name), "ImportResourceState");
    if (lc_str_is(lc_str_from_c(call->method->name), "InvokeAction")) {
        call->streamed = reply->nothing;
        if (reply->empty_before)
            lc_serve_send_text(call, LC_STR("{}"));
        lc_json_object(call->w, "completed"); /* the only event */
        add_diags(call);
        lc_json_end_object(call->w);
        return;
    }
    if (!imports)
        add_object(call, fields);
    else if (reply->value)
        add_imported(call, fields);
    if (reply->replace.count) {
        lc_json_array(call->w, "requires_replace");
        for (size_t i = 0; i < reply->replace.count; i++)
            add_path(call->w, NULL, reply->replace.items[i]);
        lc_json_end_array(call->w);
    }
    add_deferral(call);
    add_diags(call);
}

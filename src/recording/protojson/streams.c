/* Calls whose answers, or requests, are streams about no single object: lists and state stores. */
#include "recording/protojson/call.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"

/* ---- Lists. */

/* Without an identity schema an identity can only be compared. */
static void identity(lc_field *out, const lc_pj_reader *r, const lc_node *event)
{
    const lc_node *data = lc_pj_get(lc_pj_get(event, "identity"), "identity_data");
    if (!data)
        return;
    if (r->identities && r->schema->identity_type) {
        lc_pj_dynamic(out, r, data, r->schema->identity_type);
        return;
    }
    lc_pj_untyped_identity(out, r, data);
    out->state = out->state == LC_FIELD_ABSENT ? LC_FIELD_DERIVED : out->state;
    if (out->state != LC_FIELD_DERIVED)
        return;
    lc_value *some = LC_NEW(r->arena, lc_value); /* it is there, and that is all that is known */
    lc_value_set_unknown(some, &lc_type_dynamic);
    out->value = some;
    out->untyped = true;
}

static void event(lc_call *call, const lc_pj_reader *r, const lc_node *node)
{
    lc_listed *e = LC_PUSH(r->arena, &call->list->events, lc_listed);
    const lc_node *object = lc_pj_get(node, "resource_object");
    const lc_node *notes = lc_pj_get(node, "diagnostic");
    *e = (lc_listed){.loc = r->loc};
    identity(&e->identity, r, node);
    if (object)
        lc_pj_dynamic(&e->object, r, object, r->schema->block->implied);
    for (uint32_t i = 0; i < lc_node_item_count(notes); i++) {
        bool error = lc_pj_diagnostic(call, r, &notes->as.items[i]) == LC_SEVERITY_ERROR;
        e->failed |= error;
        e->warned |= !error;
    }
}

/* Is anything set in the configuration of the list? Its type is taken from its bytes. */
static bool is_filtered(const lc_pj_reader *r, const lc_node *config)
{
    const lc_type *type;
    lc_str msgpack;
    lc_field field = {0};
    if (!config || !lc_pj_bytes(&msgpack, r->arena, config, "msgpack") || msgpack.len == 0 ||
        !lc_msgpack_type(&type, r->arena, msgpack))
        return true;
    lc_pj_value(&field, r, msgpack, LC_STR_EMPTY, type);
    if (!lc_field_has_value(&field) || lc_is_unknown(field.value))
        return true;
    bool set = false;
    bool object = !lc_is_null(field.value) && field.value->type->kind == LC_TYPE_OBJECT;
    for (size_t i = 0; object && i < field.value->count; i++)
        set |= !lc_is_null(&field.value->as.many.elems[i]);
    return set || (!object && !lc_is_null(field.value));
}

void lc_pj_list(lc_call *out, const lc_pj_reader *r, const lc_node *request,
                const lc_node *responses)
{
    out->list = LC_NEW(r->arena, lc_list_call);
    *out->list = (lc_list_call){
        .limit = lc_pj_int(request, "limit"),
        .include_object = lc_pj_bool(request, "include_resource_object"),
        .filtered = is_filtered(r, lc_pj_get(request, "config")),
    };
    out->has_diagnostics = true;
    for (uint32_t i = 0; i < lc_node_item_count(responses); i++)
        event(out, r, &responses->as.items[i]);
}

/* ---- State stores. */

static const struct {
    const char *method;
    lc_store_op op;
} operations[] = {
    {"ConfigureStateStore", LC_STORE_CONFIGURE},
    {"ReadStateBytes", LC_STORE_READ},
    {"WriteStateBytes", LC_STORE_WRITE},
    {"LockState", LC_STORE_LOCK},
    {"UnlockState", LC_STORE_UNLOCK},
    {"GetStates", LC_STORE_STATES},
    {"DeleteState", LC_STORE_DELETE},
};

static bool diagnostics(lc_call *call, const lc_pj_reader *r, const lc_node *message)
{
    const lc_node *list = lc_pj_get(message, "diagnostics");
    bool error = false;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        error |= lc_pj_diagnostic(call, r, &list->as.items[i]) == LC_SEVERITY_ERROR;
    return error;
}

/* A redacted copy has the number of bytes only. */
static void bytes(lc_chunk *chunk, const lc_pj_reader *r, const lc_node *message)
{
    const lc_node *node = lc_pj_get(message, "bytes");
    if (node && node->kind == LC_NODE_MAPPING) {
        int64_t length = lc_pj_int(node, "bytes");
        chunk->length = length > 0 ? (uint64_t)length : 0;
        return;
    }
    if (!lc_pj_bytes(&chunk->bytes, r->arena, message, "bytes"))
        chunk->bytes = (lc_str){NULL, 0};
    else if (!chunk->bytes.ptr)
        chunk->bytes = LC_STR_EMPTY;
    chunk->length = chunk->bytes.len;
}

static void chunks(lc_call *call, const lc_pj_reader *r, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *node = &list->as.items[i], *range = lc_pj_get(node, "range");
        lc_chunk *chunk = LC_PUSH(r->arena, &call->store->chunks, lc_chunk);
        *chunk = (lc_chunk){.loc = r->loc,
                            .total = lc_pj_int(node, "total_length"),
                            .has_range = range != NULL,
                            .start = lc_pj_int(range, "start"),
                            .end = lc_pj_int(range, "end")};
        bytes(chunk, r, node);
        chunk->failed = diagnostics(call, r, node);
    }
}

static void states(lc_store_call *out, const lc_pj_reader *r, const lc_node *response)
{
    const lc_node *list = lc_pj_get(response, "state_ids");
    list = list ? list : lc_pj_get(response, "state_id"); /* the clients' name of the field */
    out->states_known = true;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (list->as.items[i].kind == LC_NODE_STRING)
            *LC_PUSH(r->arena, &out->states, lc_str) =
                lc_str_copy(r->arena, list->as.items[i].as.text);
    }
}

void lc_pj_store(lc_call *out, const lc_pj_reader *r, lc_str method, const lc_node *root)
{
    lc_store_call *call = LC_NEW(r->arena, lc_store_call);
    const lc_node *request = lc_pj_get(root, "request"), *response = lc_pj_get(root, "response");
    const lc_node *sent = lc_pj_get(root, "requests");
    const lc_node *first = lc_node_item_count(sent) ? &sent->as.items[0] : NULL;
    const lc_node *meta = first ? lc_pj_get(first, "meta") : NULL;
    *call = (lc_store_call){0};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (lc_str_is(method, operations[i].method))
            call->op = operations[i].op;
    }
    out->store = call;
    out->has_diagnostics = true;
    call->state_id = lc_str_copy(r->arena, lc_pj_text(meta ? meta : request, "state_id"));
    call->lock_id = lc_str_copy(
        r->arena, lc_pj_text(call->op == LC_STORE_LOCK ? response : request, "lock_id"));
    call->config = lc_str_hash(lc_pj_text(lc_pj_get(request, "config"), "msgpack"));
    call->chunk_size = lc_pj_int(lc_pj_get(response, "capabilities"), "chunk_size");
    if (call->op == LC_STORE_READ)
        chunks(out, r, lc_pj_get(root, "responses"));
    if (call->op == LC_STORE_WRITE)
        chunks(out, r, sent);
    if (call->op == LC_STORE_STATES)
        states(call, r, response);
    diagnostics(out, r, response);
}

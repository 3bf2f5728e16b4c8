/* A call: the request to bytes, the answer's bytes to a node, both to a call of a case. */
#include "drive/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/recording/call_line.h"

#include <stdlib.h>
#include <string.h>

#define INTERNAL 13 /* gRPC's status for an answer that cannot be read */

void lc_exchange_begin(lc_exchange *e, const lc_client *client, const char *v5, const char *v6,
                       const lc_request *request)
{
    int protocol = client->options.peer.protocol;
    *e = (lc_exchange){0};
    e->method = lc_wire_method_named(protocol, lc_str_from_c(protocol == 5 ? v5 : v6));
    LC_ASSERT(e->method != NULL);
    lc_member *members = LC_NEW_ARRAY(request->arena, lc_member, request->count + 1);
    memcpy(members, request->members, request->count * sizeof *members);
    e->request = (lc_node){.kind = LC_NODE_MAPPING,
                           .style = LC_STYLE_JSON,
                           .count = request->count,
                           .as.members = members};
}

static lc_str bytes_of(lc_arena *arena, const lc_exchange *e)
{
    lc_buf out = {0};
    lc_str why = LC_STR_EMPTY;
    bool good = lc_wire_write(&out, arena, e->method->request, &e->request, &why);
    LC_ASSERT(good);
    return lc_buf_take(arena, &out);
}

/* To a client, an answer that it cannot decode is the same as no answer. */
static void read_answer(lc_exchange *e, const lc_client *client, lc_arena *arena)
{
    const lc_live_call *call = &e->call;
    if (call->status != 0)
        return;
    lc_wire_reader reader = {.arena = arena, .limits = client->options.limits};
    e->answered = call->response_count == 1 &&
                  lc_wire_read(&e->response, &reader, e->method->response, call->responses[0]);
    if (e->answered)
        return;
    e->call.status = INTERNAL;
    e->call.status_text = call->response_count == 1 ? LC_STR("the response is not such a message")
                                                    : LC_STR("there is not one answer");
}

void lc_exchange_all(lc_client *client, lc_exchange *exchanges, size_t count, lc_arena *arena)
{
    const lc_client_options *o = &client->options;
    lc_question *questions = LC_NEW_ARRAY(arena, lc_question, count);
    lc_live_call *calls = LC_NEW_ARRAY(arena, lc_live_call, count);
    for (size_t i = 0; i < count; i++) {
        questions[i] =
            (lc_question){exchanges[i].method, bytes_of(arena, &exchanges[i]), o->timeout_ms};
        calls[i] = (lc_live_call){0};
    }
    o->peer.ask(o->peer.context, calls, arena, questions, count);
    for (size_t i = 0; i < count; i++) {
        if (o->on_call)
            o->on_call(o->on_call_context, &calls[i]);
        exchanges[i].call = calls[i];
        bool types = lc_pj_rpc_of(lc_str_from_c(exchanges[i].method->name)) == LC_PJ_SCHEMA;
        if (!types) /* schemas are read type by type */
            read_answer(&exchanges[i], client, arena);
    }
}

void lc_exchange_one(lc_exchange *e, lc_client *client, const char *v5, const char *v6,
                     const lc_request *request)
{
    lc_exchange_begin(e, client, v5, v6, request);
    lc_exchange_all(client, e, 1, request->arena);
}

/* The status of a call as recordings have it. */
static const lc_node *status_node(const lc_exchange *e, lc_arena *arena)
{
    lc_node *root = LC_NEW(arena, lc_node);
    lc_call_line line = {.protocol = e->method->protocol,
                         .rpc = lc_str_from_c(e->method->name),
                         .status = e->call.status,
                         .status_text = e->call.status_text};
    lc_call_line_node(root, arena, &line);
    return lc_node_get(root, "error");
}

/* ---- An order that does not depend on the provider. */

typedef struct ordered {
    lc_str key;
    lc_provider_diag diag;
} ordered;

LC_ORDER_BY_STR(by_key, ordered, key)

static int by_path(const void *a, const void *b)
{
    return lc_path_cmp(((const lc_located_path *)a)->path, ((const lc_located_path *)b)->path);
}

/* The message comes first: SDKv2 may give the same error with a path that ends in another
 * attribute. */
static lc_str key_of(lc_arena *arena, const lc_provider_diag *diag)
{
    lc_buf key = {0};
    lc_buf_printf(&key, "%d\n%.*s\n%.*s\n", (int)diag->severity, LC_FMT(diag->summary),
                  LC_FMT(diag->detail));
    if (diag->has_path)
        lc_path_add_text(&key, diag->path);
    return lc_buf_take(arena, &key);
}

static void put_in_order(lc_call *call, lc_arena *arena)
{
    size_t count = call->diagnostics.count;
    ordered *all = LC_NEW_ARRAY(arena, ordered, count + 1);
    for (size_t i = 0; i < count; i++)
        all[i] = (ordered){key_of(arena, &call->diagnostics.items[i]), call->diagnostics.items[i]};
    qsort(all, count, sizeof *all, by_key);
    for (size_t i = 0; i < count; i++)
        call->diagnostics.items[i] = all[i].diag;
    if (call->requires_replace.count)
        qsort(call->requires_replace.items, call->requires_replace.count,
              sizeof *call->requires_replace.items, by_path);
}

void lc_exchange_call(lc_call *out, const lc_client *client, const lc_exchange *e, lc_arena *arena,
                      const lc_schema *schema, lc_loc loc)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_str_from_c(e->method->name));
    lc_pj_reader reader = {
        arena, lc_decoder_new(arena),  schema,
        loc,   client->options.limits, lc_rpc_schemas_know_identities(client->schemas)};
    lc_pj_call(out, &reader, rpc, &e->request, e->answered ? &e->response : NULL);
    if (client->options.in_order)
        put_in_order(out, arena);
    lc_decoder_free(reader.decoder);
    out->index = 1;
    out->interrupted = e->call.interrupted;
    const lc_peer *peer = &client->options.peer;
    if (!e->answered && !out->interrupted) {
        lc_pj_broke(out, &reader, status_node(e, arena));
        if (peer->last_words)
            out->last_words = peer->last_words(peer->context, arena);
    }
    const lc_node *offered = lc_pj_get(&e->request, "client_capabilities");
    if (offered)
        out->deferral_allowed = lc_pj_bool(offered, "deferral_allowed") ? LC_YES : LC_NO;
}

bool lc_exchange_failed(const lc_exchange *e)
{
    const lc_node *list = e->answered ? lc_pj_get(&e->response, "diagnostics") : NULL;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (lc_str_is(lc_pj_text(&list->as.items[i], "severity"), "ERROR"))
            return true;
    }
    return !e->answered;
}

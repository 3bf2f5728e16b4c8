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
    e->request = lc_request_as_node(request);
}

/* Requests are made by this module alone: one that cannot be written is a bug. */
static lc_str bytes_of(lc_arena *arena, const lc_exchange *e, const lc_node *message)
{
    lc_buf out = {0};
    lc_str why = LC_STR_EMPTY;
    bool good = lc_wire_write(&out, arena, e->method->request, message, &why);
    LC_ASSERT(good);
    return lc_buf_take(arena, &out);
}

/* The messages of a stream, of which there may be none. */
static bool read_stream(lc_exchange *e, lc_wire_reader *reader)
{
    const lc_live_call *call = &e->call;
    lc_node *items = LC_NEW_ARRAY(reader->arena, lc_node, call->response_count + 1);
    e->response = (lc_node){.kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON};
    e->responses = (lc_node){.kind = LC_NODE_SEQUENCE,
                             .style = LC_STYLE_JSON,
                             .count = (uint32_t)call->response_count,
                             .as.items = items};
    for (size_t i = 0; i < call->response_count; i++) {
        if (!lc_wire_read(&items[i], reader, e->method->response, call->responses[i]))
            return false;
    }
    return true;
}

/* To a client, an answer that it cannot decode is the same as no answer. */
static void read_answer(lc_exchange *e, const lc_client *client, lc_arena *arena)
{
    const lc_live_call *call = &e->call;
    if (call->status != 0)
        return;
    lc_wire_reader reader = {.arena = arena, .limits = client->options.limits};
    if (e->method->response_stream) {
        e->answered = read_stream(e, &reader);
        e->call.status = e->answered ? 0 : INTERNAL;
        return;
    }
    e->answered = call->response_count == 1 &&
                  lc_wire_read(&e->response, &reader, e->method->response, call->responses[0]);
    if (e->answered)
        return;
    e->call.status = INTERNAL;
    e->call.status_text = call->response_count == 1 ? LC_STR("the response is not such a message")
                                                    : LC_STR("there is not exactly one response");
}

/* Of a stream of requests, the first goes out with the call and the others after it. */
static lc_question question_of(const lc_exchange *e, lc_arena *arena, int64_t timeout_ms)
{
    uint32_t later = e->requests.count ? e->requests.count - 1 : 0;
    lc_str *all = LC_NEW_ARRAY(arena, lc_str, later + 1);
    for (uint32_t i = 0; i < later; i++)
        all[i] = bytes_of(arena, e, &e->requests.as.items[i + 1]);
    return (lc_question){.method = e->method,
                         .request = bytes_of(arena, e, &e->request),
                         .later = all,
                         .later_count = later,
                         .most = e->most,
                         .timeout_ms = timeout_ms};
}

/* All questions are asked at once; answers are read in the order of the questions, whatever the
 * order in which they came. */
void lc_exchange_all(lc_client *client, lc_exchange *exchanges, size_t count, lc_arena *arena)
{
    const lc_client_options *o = &client->options;
    lc_question *questions = LC_NEW_ARRAY(arena, lc_question, count);
    lc_live_call *calls = LC_NEW_ARRAY(arena, lc_live_call, count);
    for (size_t i = 0; i < count; i++) {
        questions[i] = question_of(&exchanges[i], arena, o->timeout_ms);
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

void lc_exchange_some(lc_exchange *e, lc_client *client, const char *name,
                      const lc_request *request, size_t most)
{
    lc_exchange_begin(e, client, name, name, request);
    e->most = most;
    lc_exchange_all(client, e, 1, request->arena);
}

void lc_exchange_stream(lc_exchange *e, lc_client *client, const char *name,
                        const lc_request *requests, size_t count)
{
    lc_arena *arena = requests->arena;
    lc_node *items = LC_NEW_ARRAY(arena, lc_node, count);
    for (size_t i = 0; i < count; i++)
        items[i] = lc_request_as_node(&requests[i]);
    lc_exchange_begin(e, client, name, name, requests);
    e->requests = (lc_node){.kind = LC_NODE_SEQUENCE,
                            .style = LC_STYLE_JSON,
                            .count = (uint32_t)count,
                            .as.items = items};
    lc_exchange_all(client, e, 1, arena);
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

/* SDKv2 walks maps in an order that Go randomizes: without this, two runs with one seed would
 * differ. */
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

/* What is about no single object is read from the messages of a recorded line. */
static void read_messages(lc_call *out, const lc_pj_reader *reader, lc_pj_rpc rpc,
                          const lc_exchange *e)
{
    lc_member members[] = {{.key = LC_STR("request"), .value = e->request},
                           {.key = LC_STR("requests"), .value = e->requests},
                           {.key = LC_STR("response"), .value = e->response},
                           {.key = LC_STR("responses"), .value = e->responses}};
    lc_node root = {.kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = 4};
    root.as.members = members;
    if (rpc == LC_PJ_LIST)
        lc_pj_list(out, reader, &e->request, &e->responses);
    else if (rpc == LC_PJ_STORE)
        lc_pj_store(out, reader, lc_str_from_c(e->method->name), &root);
    else if (rpc == LC_PJ_INVOKE_ACTION && e->answered)
        lc_pj_events(out, reader, &e->responses);
    if (rpc == LC_PJ_INVOKE_ACTION && e->call.cut)
        out->streamed = LC_NOT_KNOWN;
}

void lc_exchange_call(lc_call *out, const lc_client *client, const lc_exchange *e, lc_arena *arena,
                      const lc_schema *schema, lc_loc loc)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_str_from_c(e->method->name));
    lc_pj_reader reader = {
        arena, lc_decoder_new(arena),  schema,
        loc,   client->options.limits, lc_rpc_schemas_know_identities(client->schemas)};
    static const lc_node nothing = {.kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON};
    const lc_node *answer = lc_pj_is_gathered(rpc) ? &nothing : &e->response;
    lc_pj_call(out, &reader, rpc, &e->request, e->answered ? answer : NULL);
    read_messages(out, &reader, rpc, e);
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

/* A warning does not make a call fail; an error does, even if the answer is complete. */
bool lc_exchange_failed(const lc_exchange *e)
{
    const lc_node *list = e->answered ? lc_pj_get(&e->response, "diagnostics") : NULL;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (lc_str_is(lc_pj_text(&list->as.items[i], "severity"), "ERROR"))
            return true;
    }
    return !e->answered;
}

/* Calls that change the world, and sessions of ephemeral resources. */
#include "lifecheck/drive/changing.h"

#include "drive/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* A destroy is an apply whose planned state is null; the rules treat it as a call of its own. */
void lc_client_apply(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                     const lc_apply_question *question, lc_loc loc)
{
    lc_exchange e;
    const lc_type *type = schema->block->implied;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_value(&request, "prior_state", question->prior, type);
    lc_request_value(&request, "planned_state", question->planned, type);
    lc_request_value(&request, "config", question->config, type);
    lc_request_bytes(&request, "planned_private", question->private_data);
    lc_request_meta(&request, client);
    if (client->identities)
        lc_request_identity(&request, "planned_identity", schema, question->identity);
    lc_exchange_one(&e, client, "ApplyResourceChange", "ApplyResourceChange", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
    out->kind =
        !question->planned || lc_is_null(question->planned) ? LC_CALL_DESTROY : LC_CALL_APPLY;
}

/* Every opened session is closed with the private data of its answer, as clients do. What the
 * answer to it is, no rule asks. */
static void close_ephemeral(lc_client *client, lc_arena *arena, const lc_schema *schema,
                            const lc_exchange *opened)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    const lc_node *private_data = lc_pj_get(&opened->response, "private");
    lc_request_text(&request, "type_name", schema->type_name);
    if (private_data)
        lc_request_node(&request, "private", *private_data);
    lc_exchange_one(&e, client, "CloseEphemeralResource", "CloseEphemeralResource", &request);
}

void lc_client_open_ephemeral(lc_client *client, lc_call *out, lc_arena *arena,
                              const lc_schema *schema, const lc_value *config, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_config(&request, client, "type_name", schema, config);
    lc_exchange_one(&e, client, "OpenEphemeralResource", "OpenEphemeralResource", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
    if (!lc_exchange_failed(&e))
        close_ephemeral(client, arena, schema, &e);
}

void lc_client_invoke_action(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_value *config, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_config(&request, client, "action_type", schema, config);
    lc_exchange_some(&e, client, "InvokeAction", &request, LC_MOST_EVENTS);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

/* ---- State stores. */

/* The first chunk names the state. A client sends no chunk of an empty state. */
static void write_chunk(lc_request *out, lc_arena *arena, const lc_schema *schema,
                        const lc_store_question *q, size_t at, size_t length)
{
    lc_request range = {.arena = arena}, meta = {.arena = arena};
    *out = (lc_request){.arena = arena};
    if (at == 0) {
        lc_request_text(&meta, "type_name", schema->type_name);
        lc_request_text(&meta, "state_id", q->state_id);
        lc_request_mapping(out, "meta", &meta);
    }
    lc_request_bytes(out, "bytes", lc_str_sub(q->bytes, at, at + length));
    lc_request_number(out, "total_length", (int64_t)q->bytes.len);
    lc_request_number(&range, "start", (int64_t)at);
    lc_request_number(&range, "end", (int64_t)(at + length) - 1);
    lc_request_mapping(out, "range", &range);
}

/* One stream of requests: the state in chunks of the size that the store chose. */
static void write_state(lc_exchange *e, lc_client *client, lc_arena *arena, const lc_schema *schema,
                        const lc_store_question *q)
{
    size_t size = (size_t)q->chunk_size, count = (q->bytes.len + size - 1) / size;
    LC_ASSERT(q->chunk_size > 0 && count > 0);
    lc_request *chunks = LC_NEW_ARRAY(arena, lc_request, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = i * size, rest = q->bytes.len - at;
        write_chunk(&chunks[i], arena, schema, q, at, rest < size ? rest : size);
    }
    lc_exchange_stream(e, client, "WriteStateBytes", chunks, count);
}

/* The client offers a chunk size, and the store answers with the one to use. */
static void configure_store(lc_request *request, const lc_schema *schema,
                            const lc_store_question *q)
{
    lc_request offered = {.arena = request->arena};
    lc_request_value(request, "config", q->config, schema->block->implied);
    lc_request_number(&offered, "chunk_size", q->chunk_size);
    lc_request_mapping(request, "capabilities", &offered);
}

void lc_client_store(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                     const lc_store_question *q, lc_loc loc)
{
    static const char *const names[] = {[LC_STORE_CONFIGURE] = "ConfigureStateStore",
                                        [LC_STORE_READ] = "ReadStateBytes",
                                        [LC_STORE_WRITE] = "WriteStateBytes",
                                        [LC_STORE_LOCK] = "LockState",
                                        [LC_STORE_UNLOCK] = "UnlockState",
                                        [LC_STORE_STATES] = "GetStates",
                                        [LC_STORE_DELETE] = "DeleteState"};
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    if (q->op == LC_STORE_CONFIGURE)
        configure_store(&request, schema, q);
    else if (q->op != LC_STORE_STATES)
        lc_request_text(&request, "state_id", q->state_id);
    if (q->op == LC_STORE_LOCK)
        lc_request_text(&request, "operation", LC_STR("apply"));
    if (q->op == LC_STORE_UNLOCK)
        lc_request_text(&request, "lock_id", q->lock_id);
    if (q->op == LC_STORE_WRITE)
        write_state(&e, client, arena, schema, q);
    else
        lc_exchange_some(&e, client, names[q->op], &request, LC_MOST_EVENTS);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

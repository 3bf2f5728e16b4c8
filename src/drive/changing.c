/* Calls that change the world, or read it. */
#include "drive/changing.h"

#include "drive/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

void lc_client_read(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_stored_object *stored, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_value(&request, "current_state", stored->state, schema->block->implied);
    lc_request_bytes(&request, "private", stored->private_data);
    lc_request_meta(&request, client);
    lc_request_capabilities(&request, client);
    if (client->identities)
        lc_request_identity(&request, "current_identity", schema, stored->identity);
    lc_exchange_one(&e, client, "ReadResource", "ReadResource", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

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

void lc_client_import(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                      lc_str id, const lc_value *identity, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_text(&request, "id", id);
    lc_request_capabilities(&request, client);
    if (id.len == 0 && client->identities)
        lc_request_identity(&request, "identity", schema, identity);
    lc_exchange_one(&e, client, "ImportResourceState", "ImportResourceState", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

void lc_client_move(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_raw_state *raw, lc_str type_name, lc_str provider, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    LC_ASSERT(lc_field_has_value(&raw->attributes));
    lc_request_text(&request, "source_provider_address", provider);
    lc_request_text(&request, "source_type_name", type_name);
    lc_request_number(&request, "source_schema_version", raw->schema_version);
    lc_request_raw_state(&request, "source_state", raw->attributes.value, NULL, false, true);
    lc_request_text(&request, "target_type_name", schema->type_name);
    lc_request_bytes(&request, "source_private", raw->private_data);
    lc_exchange_one(&e, client, "MoveResourceState", "MoveResourceState", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

void lc_client_read_data(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                         const lc_value *config, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_value(&request, "config", config, schema->block->implied);
    lc_request_meta(&request, client);
    lc_request_capabilities(&request, client);
    lc_exchange_one(&e, client, "ReadDataSource", "ReadDataSource", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

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
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_value(&request, "config", config, schema->block->implied);
    lc_request_capabilities(&request, client);
    lc_exchange_one(&e, client, "OpenEphemeralResource", "OpenEphemeralResource", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
    if (!lc_exchange_failed(&e))
        close_ephemeral(client, arena, schema, &e);
}

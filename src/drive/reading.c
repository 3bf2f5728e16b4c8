/* Calls that read real objects and data, import and move. */
#include "lifecheck/drive/reading.h"

#include "drive/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* Clients without identities leave the field out, and a provider may distinguish clients by it. */
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

/* An import has an ID or an identity, never both. */
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

/* The source object has the schema of another provider, which the client does not know: it is sent
 * as the bytes of the state file, so nothing is removed from it. */
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

/* The stored identity has no schema yet: it is sent as JSON. */
void lc_client_upgrade_identity(lc_client *client, lc_call *out, lc_arena *arena,
                                const lc_schema *schema, const lc_value *identity, int64_t version,
                                lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_number(&request, "version", version);
    lc_request_raw_state(&request, "raw_identity", identity, NULL, false, false);
    lc_exchange_one(&e, client, "UpgradeResourceIdentity", "UpgradeResourceIdentity", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

/* More objects than the limit are accepted, so that a provider that ignores it is found. */
void lc_client_list(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *managed,
                    const lc_list_question *question, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_text(&request, "type_name", managed->type_name);
    lc_request_value(&request, "config", question->config, question->list->block->implied);
    if (question->include_object)
        lc_request_flag(&request, "include_resource_object");
    lc_request_number(&request, "limit", question->limit);
    lc_exchange_some(&e, client, "ListResource", &request,
                     (size_t)question->limit + LC_MOST_BEYOND);
    lc_exchange_call(out, client, &e, arena, managed, loc);
}

/* Calls that change the world, and sessions of ephemeral resources. */
#include "lifecheck/drive/changing.h"

#include "drive/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

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

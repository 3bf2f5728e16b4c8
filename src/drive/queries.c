/* Calls that change nothing: a client configures a provider, validates, upgrades and plans, and
 * calls functions. */
#include "drive/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/contract/contract.h"

/* ---- The provider's own configuration. */

/* A configuration that is not there is an empty block. */
static const lc_value *provider_config(lc_arena *arena, const lc_schema *schema,
                                       const lc_value *config)
{
    return config ? config : lc_block_empty_value(arena, schema->block);
}

static void prepare(lc_exchange *e, lc_client *client, lc_arena *arena, const lc_schema *schema,
                    const lc_value *config)
{
    lc_request request = {.arena = arena};
    lc_request_value(&request, "config", config, schema->block->implied);
    lc_exchange_one(e, client, "PrepareProviderConfig", "ValidateProviderConfig", &request);
}

/* What the provider has prepared is not what it gets: clients send the configuration itself. */
static void configure(lc_exchange *e, lc_client *client, lc_arena *arena, const lc_schema *schema,
                      const lc_value *config)
{
    lc_request request = {.arena = arena};
    lc_request_text(&request, "terraform_version", client->options.version);
    lc_request_value(&request, "config", config, schema->block->implied);
    lc_request_capabilities(&request, client);
    lc_exchange_one(e, client, "Configure", "ConfigureProvider", &request);
}

void lc_client_configure(lc_client *client, lc_call *out, lc_arena *arena, const lc_value *config,
                         lc_loc loc)
{
    const lc_schema *schema = lc_client_schema(client, LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_exchange e;
    config = provider_config(arena, schema, config);
    prepare(&e, client, arena, schema, config);
    if (!lc_exchange_failed(&e))
        configure(&e, client, arena, schema, config);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

/* ---- Validating. */

static const struct {
    const char *v5, *v6, *type;
    bool capabilities;
} validations[] = {
    [LC_KIND_RESOURCE] = {"ValidateResourceTypeConfig", "ValidateResourceConfig", "type_name",
                          true},
    [LC_KIND_DATA] = {"ValidateDataSourceConfig", "ValidateDataResourceConfig", "type_name", false},
    [LC_KIND_EPHEMERAL] = {"ValidateEphemeralResourceConfig", "ValidateEphemeralResourceConfig",
                           "type_name", false},
    [LC_KIND_PROVIDER] = {"PrepareProviderConfig", "ValidateProviderConfig", NULL, false},
    [LC_KIND_LIST] = {"ValidateListResourceConfig", "ValidateListResourceConfig", "type_name",
                      false},
    [LC_KIND_ACTION] = {"ValidateActionConfig", "ValidateActionConfig", "action_type", false},
    [LC_KIND_STORE] = {"ValidateStateStoreConfig", "ValidateStateStoreConfig", "type_name", false},
};

void lc_client_validate(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                        const lc_value *config, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    if (validations[schema->kind].type)
        lc_request_text(&request, validations[schema->kind].type, schema->type_name);
    lc_request_value(&request, "config", config, schema->block->implied);
    if (validations[schema->kind].capabilities)
        lc_request_capabilities(&request, client);
    lc_exchange_one(&e, client, validations[schema->kind].v5, validations[schema->kind].v6,
                    &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
    out->kind = LC_CALL_VALIDATE;
}

/* ---- Upgrading. */

/* Stored objects are as in the state file, or where the client has refreshed them before, and in
 * all of OpenTofu's applies, as it holds them itself. Terraform's applies are those of a plan that
 * was saved; without one it holds the objects itself too. */
static bool has_state_file(const lc_client_options *options)
{
    return options->walk == LC_WALK_PLAN ||
           (options->walk == LC_WALK_APPLY && options->as == LC_TERRAFORM);
}

void lc_client_upgrade(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                       const lc_raw_state *raw, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    LC_ASSERT(lc_field_has_value(&raw->attributes));
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_number(&request, "version", raw->schema_version);
    lc_request_raw_state(&request, "raw_state", raw->attributes.value, schema->block->implied,
                         raw->schema_version == schema->version, has_state_file(&client->options));
    lc_exchange_one(&e, client, "UpgradeResourceState", "UpgradeResourceState", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

/* ---- Planning. */

static bool is_null(const lc_value *value)
{
    return !value || lc_is_null(value);
}

/* NULL: the client would crash before it asks. */
static const lc_value *proposed_of(const lc_client *client, lc_arena *arena,
                                   const lc_schema *schema, const lc_plan_question *question,
                                   const lc_value *config)
{
    lc_value *null = LC_NEW(arena, lc_value);
    lc_value_set_null(null, schema->block->implied);
    if (question->proposed)
        return question->proposed;
    if (is_null(config))
        return null;
    return lc_proposed_new(arena, client->options.as, schema->block,
                           question->prior ? question->prior : null, config);
}

static bool begin_plan(lc_exchange *e, const lc_client *client, lc_arena *arena,
                       const lc_schema *schema, const lc_plan_question *question)
{
    const lc_type *type = schema->block->implied;
    lc_request request = {.arena = arena};
    const lc_value *config = question->config;
    if (config && lc_is_known(config) && client->options.as == LC_TERRAFORM)
        config = lc_prepare_computed_blocks(arena, schema->block, config);
    const lc_value *proposed = proposed_of(client, arena, schema, question, config);
    if (!proposed)
        return false;
    lc_request_text(&request, "type_name", schema->type_name);
    lc_request_value(&request, "prior_state", question->prior, type);
    lc_request_value(&request, "proposed_new_state", proposed, type);
    lc_request_value(&request, "config", config, type);
    lc_request_bytes(&request, "prior_private", question->private_data);
    lc_request_meta(&request, client);
    lc_request_capabilities(&request, client);
    if (client->identities)
        lc_request_identity(&request, "prior_identity", schema, question->identity);
    if (client->stores_private && question->planned_private.len)
        lc_request_bytes(&request, "planned_private", question->planned_private);
    lc_exchange_begin(e, client, "PlanResourceChange", "PlanResourceChange", &request);
    return true;
}

/* Where the client would crash nothing is known of an answer. */
static void not_asked(lc_call *out, const lc_plan_question *question, lc_loc loc)
{
    lc_pj_call_begin(out, LC_PJ_PLAN, loc);
    out->kind = question->kind;
    out->index = 1;
}

void lc_client_plan_together(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_plan_question *questions,
                             size_t count, lc_loc loc)
{
    lc_exchange *exchanges = LC_NEW_ARRAY(arena, lc_exchange, count);
    size_t *of = LC_NEW_ARRAY(arena, size_t, count), asked = 0;
    for (size_t i = 0; i < count; i++) {
        if (begin_plan(&exchanges[asked], client, arena, schema, &questions[i]))
            of[asked++] = i;
        else
            not_asked(&out[i], &questions[i], loc);
    }
    if (asked)
        lc_exchange_all(client, exchanges, asked, arena);
    for (size_t i = 0; i < asked; i++) {
        lc_exchange_call(&out[of[i]], client, &exchanges[i], arena, schema, loc);
        out[of[i]].kind = questions[of[i]].kind;
    }
}

void lc_client_plan(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_plan_question *question, lc_loc loc)
{
    lc_client_plan_together(client, out, arena, schema, question, 1, loc);
}

/* ---- Actions. */

void lc_client_plan_action(lc_client *client, lc_call *out, lc_arena *arena,
                           const lc_schema *schema, const lc_value *config, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    lc_request_config(&request, client, "action_type", schema, config);
    lc_exchange_one(&e, client, "PlanAction", "PlanAction", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

/* ---- Functions. */

void lc_client_call_function(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_function_call *function, lc_loc loc)
{
    lc_exchange e;
    lc_request request = {.arena = arena};
    const lc_function *known = lc_schema_function(schema, function->name);
    size_t count = function->arguments.count;
    lc_node *items = LC_NEW_ARRAY(arena, lc_node, count + 1);
    for (size_t i = 0; i < count; i++) {
        const lc_field *field = &function->arguments.items[i];
        const lc_parameter *p = known ? lc_function_parameter(known, i) : NULL;
        items[i] = lc_request_dynamic(arena, lc_field_has_value(field) ? field->value : NULL,
                                      p && p->type ? p->type : &lc_type_dynamic);
    }
    lc_request_text(&request, "name", function->name);
    lc_request_node(&request, "arguments",
                    (lc_node){.kind = LC_NODE_SEQUENCE,
                              .style = LC_STYLE_JSON,
                              .count = (uint32_t)count,
                              .as.items = items});
    lc_exchange_one(&e, client, "CallFunction", "CallFunction", &request);
    lc_exchange_call(out, client, &e, arena, schema, loc);
}

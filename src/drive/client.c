/* The schemas of a provider, asked for as a client asks. */
#include "drive/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/recording/call_line.h"
#include "lifecheck/wire/grpc_status.h"

#include <stdlib.h>

/* Errors that are reported here have no location in a file. */
static const lc_loc nowhere = {{"provider", 8}, 0, 0};

/* ---- The client's name and version. */

/* OpenTofu reports the version of Terraform that it is compatible with, and nothing else. */
static lc_str newest(lc_core as)
{
    return as == LC_OPENTOFU ? LC_STR("1.13.0") : LC_STR("1.16.0");
}

/* Is it Terraform 1.`wanted` or newer? OpenTofu's own versions are not known to its providers. */
static bool is_terraform(lc_core as, lc_str version, unsigned long wanted)
{
    char text[16] = {0};
    for (size_t i = 0; i < version.len && i + 1 < sizeof text; i++)
        text[i] = version.ptr[i];
    char *end;
    unsigned long major = strtoul(text, &end, 10);
    unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return as == LC_TERRAFORM && (major > 1 || (major == 1 && minor >= wanted));
}

/* ---- Answers. */

static bool answer_failed(const lc_exchange *e, lc_diags *diags)
{
    if (e->call.status == 0 && e->call.response_count == 1)
        return false;
    if (e->call.interrupted)
        return true;
    lc_diag_error(diags, nowhere, "did not respond to %s: %.*s", e->method->name,
                  LC_FMT(e->call.status_text));
    return true;
}

static bool has_errors(const lc_node *root, lc_diags *diags)
{
    const lc_node *list = lc_pj_get(lc_pj_get(root, "response"), "diagnostics");
    bool any = false;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *node = &list->as.items[i];
        if (!lc_str_is(lc_pj_text(node, "severity"), "ERROR"))
            continue;
        lc_diag_error(diags, nowhere, "has no schema: %.*s", LC_FMT(lc_pj_text(node, "summary")));
        any = true;
    }
    return any;
}

static lc_str schema_line(lc_arena *arena, const lc_client *client, const lc_exchange *e)
{
    lc_buf text = {0};
    lc_schema_answers fresh;
    lc_call_line line = {.protocol = e->method->protocol,
                         .provider = LC_STR_EMPTY,
                         .rpc = lc_str_from_c(e->method->name)};
    lc_schema_answers_init(&fresh, arena);
    lc_schema_answer_line(&text, &fresh, &line, e->method, e->call.responses[0],
                          &client->options.limits);
    return lc_buf_take(arena, &text);
}

/* Long answers are read type by type, others as they are. */
static bool read_schemas(lc_client *client, lc_arena *scratch, lc_str line, lc_diags *diags)
{
    lc_schema_line split;
    lc_source source;
    const lc_limits *limits = &client->options.limits;
    bool is_split =
        line.len >= LC_SCHEMA_LINE_LONG && lc_schema_line_split(&split, scratch, line, limits);
    lc_str text = is_split ? lc_buf_str(&split.rest) : line;
    bool good = line.len > 0 && lc_json_parse(&source, scratch, LC_STR("GetProviderSchema"), text,
                                              limits, diags) == LC_OK;
    const lc_node *root = good ? &source.documents[0] : NULL;
    good = good && !has_errors(root, diags);
    if (good && is_split)
        good = lc_rpc_schemas_take_split(client->schemas, &split, root, nowhere, diags);
    else if (good)
        lc_rpc_schemas_take(client->schemas, LC_PJ_SCHEMA, root, line, nowhere, diags);
    if (is_split)
        lc_buf_release(&split.rest);
    return good && diags->errors == 0;
}

/* Without a handshake the protocol version is not known: a provider that does not serve version 6
 * serves version 5. */
static void call_schemas(lc_exchange *e, lc_client *client, const lc_request *request)
{
    int *protocol = &client->options.peer.protocol;
    bool sought = *protocol == 0;
    if (sought)
        *protocol = 6;
    lc_exchange_one(e, client, "GetSchema", "GetProviderSchema", request);
    if (!sought || e->call.status != LC_GRPC_UNIMPLEMENTED)
        return;
    *protocol = 5;
    lc_exchange_one(e, client, "GetSchema", "GetProviderSchema", request);
}

static bool ask_schemas(lc_client *client, lc_arena *scratch, bool known, lc_diags *diags)
{
    lc_exchange e;
    lc_request request = {.arena = scratch};
    call_schemas(&e, client, &request);
    client->schemas->any.protocol = client->options.peer.protocol;
    if (answer_failed(&e, diags))
        return false;
    if (known)
        return true;
    lc_str line = schema_line(scratch, client, &e);
    if (line.len == 0)
        lc_diag_error(diags, nowhere, "the response to %s cannot be read", e.method->name);
    return line.len > 0 && read_schemas(client, scratch, line, diags);
}

/* Clients continue without identities if the provider has none, or does not implement the call. */
static void ask_identities(lc_client *client, lc_arena *scratch)
{
    lc_exchange e;
    lc_node root;
    lc_diags quiet;
    lc_request request = {.arena = scratch};
    lc_diags_init(&quiet, scratch);
    lc_exchange_one(&e, client, "GetResourceIdentitySchemas", "GetResourceIdentitySchemas",
                    &request);
    if (e.call.status == LC_GRPC_UNIMPLEMENTED)
        client->schemas->identities = true; /* that there are none is known */
    if (!e.answered || lc_exchange_failed(&e))
        return;
    lc_call_line line = {.protocol = e.method->protocol,
                         .provider = LC_STR_EMPTY,
                         .rpc = lc_str_from_c(e.method->name),
                         .request = {&e.request, 1, false},
                         .response = {&e.response, 1, false}};
    lc_call_line_node(&root, scratch, &line);
    lc_rpc_schemas_take(client->schemas, LC_PJ_IDENTITIES, &root, lc_node_json(scratch, &root),
                        nowhere, &quiet);
}

/* With GetProviderSchemaOptional, a provider need not be asked for its schema in every process. */
lc_client *lc_client_open(lc_arena *arena, const lc_client_options *options,
                          lc_rpc_schemas *schemas, lc_diags *diags)
{
    lc_client *client = LC_NEW(arena, lc_client);
    *client = (lc_client){*options, arena, schemas, &schemas->any, false, false};
    if (client->options.version.len == 0)
        client->options.version = newest(options->as);
    if (client->options.peer.protocol == 0)
        client->options.peer.protocol = schemas->any.protocol;
    client->identities =
        options->as == LC_OPENTOFU || is_terraform(options->as, client->options.version, 12);
    client->stores_private = is_terraform(options->as, client->options.version, 16);
    bool known = schemas->any.last != NULL, good = true;
    lc_arena *scratch = lc_arena_new();
    if (!known || !schemas->any.schema_optional || options->asks_again)
        good = ask_schemas(client, scratch, known, diags);
    client->stores_private &= client->options.peer.protocol == 6;
    if (good && !known && client->identities)
        ask_identities(client, scratch);
    lc_arena_free(scratch);
    return good ? client : NULL;
}

/* ---- Looking up. */

const lc_schema *lc_client_schema(const lc_client *client, lc_schema_kind kind, lc_str type)
{
    lc_arena *scratch = lc_arena_new_small();
    const lc_schema *schema =
        lc_rpc_schemas_get(client->schemas, scratch, client->provider, kind, type);
    lc_arena_free(scratch);
    return schema;
}

size_t lc_client_types(const lc_client *client, lc_schema_kind kind, const lc_str **out,
                       lc_arena *arena)
{
    const lc_rpc_schema *all = client->provider->last;
    LC_VEC(lc_str) found = {0};
    for (size_t i = 0; all && i < all->types.count; i++) {
        if (all->types.items[i].kind == kind)
            *LC_PUSH(arena, &found, lc_str) = all->types.items[i].name;
    }
    lc_str_sort(found.items, found.count);
    *out = found.items;
    return found.count;
}

const lc_capabilities *lc_client_capabilities(const lc_client *client)
{
    return &client->provider->capabilities;
}

lc_capabilities lc_client_run_capabilities(const lc_client *client)
{
    lc_capabilities out = *lc_client_capabilities(client);
    out.deferral_allowed = LC_NO; /* clients do not allow it while they plan */
    out.write_only_attributes_allowed = client->options.no_write_only ? LC_NO : LC_YES;
    out.computed_blocks_allowed =
        client->stores_private && !client->options.no_computed_blocks ? LC_YES : LC_NO;
    return out;
}

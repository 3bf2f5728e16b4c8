/* Calls to answers: which call is which, from bytes and to bytes. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/wire/grpc_status.h"
#include "serve/internal.h"

/* ---- Schemas and settings. */

static void get_schema(lc_serve_call *call)
{
    lc_serve_add_schemas(call->w, call->served);
}

static void get_metadata(lc_serve_call *call)
{
    lc_serve_add_metadata(call->w, call->served);
}

static void get_functions(lc_serve_call *call)
{
    lc_serve_add_functions(call->w, call->served);
}

static void get_identities(lc_serve_call *call)
{
    lc_serve_add_identities(call->w, call->served);
}

/* In protocol 5 the answer has the configuration. */
static void validate_provider(lc_serve_call *call)
{
    lc_str msgpack;
    const lc_value *ignored;
    const lc_node *config = lc_pj_get(call->request, "config");
    if (!lc_serve_read_settings(call, &ignored) || call->method->protocol != 5 ||
        !lc_pj_bytes(&msgpack, call->arena, config, "msgpack"))
        return;
    lc_json_object(call->w, "prepared_config");
    lc_serve_add_bytes(call->w, "msgpack", msgpack);
    lc_json_end_object(call->w);
}

static void nothing(lc_serve_call *call)
{
    (void)call;
}

static void configure(lc_serve_call *call)
{
    call->served->configured += lc_serve_configure(call);
}

void lc_serve_validate(lc_serve_call *call)
{
    call->config = lc_serve_value(call, call->request, "config", call->schema->block->implied);
    if (call->config)
        lc_serve_conforms(call, call->config);
}

/* Actions change nothing here. */
static void act(lc_serve_call *call)
{
    lc_serve_validate(call);
    if (call->config && !lc_is_wholly_known(call->config))
        lc_serve_error(call, "Configuration is not known yet",
                       LC_STR("It has unknown values: a client waits until they are known."));
}

/* The answer of an input to these arguments. NULL: there is none. */
static const lc_serve_answer *stated(lc_serve_call *call, const lc_function *f)
{
    const lc_node *arguments = lc_pj_get(call->request, "arguments");
    uint32_t count = lc_node_item_count(arguments);
    const lc_value **values = LC_NEW_ARRAY(call->arena, const lc_value *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const lc_parameter *p = lc_function_parameter(f, i);
        const lc_node *one = lc_node_item(arguments, i);
        lc_str bytes;
        lc_wire_result result;
        if (!p || !p->type || !lc_pj_bytes(&bytes, call->arena, one, "msgpack") ||
            !lc_msgpack_decode(&values[i], call->arena, bytes, p->type, &result))
            return NULL;
    }
    return lc_serve_stated_find(call, LC_SERVE_FUNCTION, f->name, values, count);
}

static void call_function(lc_serve_call *call)
{
    lc_str name = lc_pj_text(call->request, "name");
    const lc_schema *provider = lc_serve_schema(call->served, LC_KIND_PROVIDER, LC_STR_EMPTY);
    const lc_function *f = provider ? lc_schema_function(provider, name) : NULL;
    const lc_serve_answer *answer = f ? stated(call, f) : NULL;
    if (answer && f->return_type && lc_type_conforms(answer->value->type, f->return_type)) {
        call->reply.value = answer->value;
        call->reply.type = f->return_type;
        return;
    }
    lc_json_object(call->w, "error");
    lc_json_str(call->w, "text",
                lc_str_printf(call->arena,
                              "lifecheck serve has no response of %.*s for these arguments: "
                              "give a recording or scenario with this call as INPUT",
                              LC_FMT(name)));
    lc_json_end_object(call->w);
}

/* ---- The calls. */

/* Names of the call in protocol 5 and 6 ("": that has none), and the fields of its answer that hold
 * a value, an identity and private data. */
typedef struct handler {
    const char *name5, *name6;
    int kind; /* whose type the request names; -1: none */
    void (*answer)(lc_serve_call *call);
    lc_serve_fields fields;
} handler;

#define RESOURCE LC_KIND_RESOURCE
static const handler handlers[] = {
    {"GetSchema", "GetProviderSchema", -1, get_schema, {0}},
    {"GetMetadata", "GetMetadata", -1, get_metadata, {0}},
    {"GetFunctions", "GetFunctions", -1, get_functions, {0}},
    {"GetResourceIdentitySchemas", "GetResourceIdentitySchemas", -1, get_identities, {0}},
    {"PrepareProviderConfig", "ValidateProviderConfig", -1, validate_provider, {0}},
    {"Configure", "ConfigureProvider", -1, configure, {0}},
    {"Stop", "StopProvider", -1, nothing, {0}},
    {"CallFunction", "CallFunction", -1, call_function, {.value = "result"}},
    {"ValidateResourceTypeConfig", "ValidateResourceConfig", RESOURCE, lc_serve_validate, {0}},
    {"ValidateDataSourceConfig",
     "ValidateDataResourceConfig",
     LC_KIND_DATA,
     lc_serve_validate,
     {0}},
    {"ValidateEphemeralResourceConfig",
     "ValidateEphemeralResourceConfig",
     LC_KIND_EPHEMERAL,
     lc_serve_validate,
     {0}},
    {"ValidateListResourceConfig",
     "ValidateListResourceConfig",
     LC_KIND_LIST,
     lc_serve_validate,
     {0}},
    {"ListResource", "ListResource", LC_KIND_LIST, lc_serve_list, {0}},
    {"ValidateActionConfig", "ValidateActionConfig", LC_KIND_ACTION, lc_serve_validate, {0}},
    {"PlanAction", "PlanAction", LC_KIND_ACTION, lc_serve_validate, {0}},
    {"InvokeAction", "InvokeAction", LC_KIND_ACTION, act, {0}},
    {"UpgradeResourceState",
     "UpgradeResourceState",
     RESOURCE,
     lc_serve_upgrade,
     {.value = "upgraded_state"}},
    {"UpgradeResourceIdentity",
     "UpgradeResourceIdentity",
     RESOURCE,
     lc_serve_upgrade_identity,
     {.identity = "upgraded_identity"}},
    {"PlanResourceChange",
     "PlanResourceChange",
     RESOURCE,
     lc_serve_plan,
     {"planned_state", "planned_identity", "planned_private"}},
    {"ApplyResourceChange",
     "ApplyResourceChange",
     RESOURCE,
     lc_serve_apply,
     {"new_state", "new_identity", "private"}},
    {"ReadResource",
     "ReadResource",
     RESOURCE,
     lc_serve_read,
     {"new_state", "new_identity", "private"}},
    {"ImportResourceState",
     "ImportResourceState",
     RESOURCE,
     lc_serve_import,
     {"state", "identity", "private"}},
    {"MoveResourceState",
     "MoveResourceState",
     RESOURCE,
     lc_serve_move,
     {"target_state", "target_identity", "target_private"}},
    {"ReadDataSource", "ReadDataSource", LC_KIND_DATA, lc_serve_data, {.value = "state"}},
    {"OpenEphemeralResource",
     "OpenEphemeralResource",
     LC_KIND_EPHEMERAL,
     lc_serve_open,
     {.value = "result", .private_data = "private"}},
    {"RenewEphemeralResource",
     "RenewEphemeralResource",
     LC_KIND_EPHEMERAL,
     lc_serve_renew,
     {.private_data = "private"}},
    {"CloseEphemeralResource", "CloseEphemeralResource", LC_KIND_EPHEMERAL, nothing, {0}},
    {"", "ValidateStateStoreConfig", LC_KIND_STORE, lc_serve_validate, {0}},
    {"", "ConfigureStateStore", LC_KIND_STORE, lc_serve_store_configure, {0}},
    {"", "ReadStateBytes", LC_KIND_STORE, lc_serve_store_read, {0}},
    {"", "WriteStateBytes", LC_KIND_STORE, lc_serve_store_write, {0}},
    {"", "LockState", LC_KIND_STORE, lc_serve_store_lock, {0}},
    {"", "UnlockState", LC_KIND_STORE, lc_serve_store_unlock, {0}},
    {"", "GetStates", LC_KIND_STORE, lc_serve_store_states, {0}},
    {"", "DeleteState", LC_KIND_STORE, lc_serve_store_delete, {0}},
};
#undef RESOURCE

static const handler *handler_of(const lc_wire_method *method)
{
    for (size_t i = 0; method && i < sizeof handlers / sizeof *handlers; i++) {
        const char *name = method->protocol == 5 ? handlers[i].name5 : handlers[i].name6;
        if (lc_str_is(lc_str_from_c(method->name), name))
            return &handlers[i];
    }
    return NULL;
}

/* Which type is meant: each kind of request has a field of its own for it. */
static lc_str type_of(const lc_node *request)
{
    lc_str type = lc_pj_text(request, "type_name");
    type = type.len ? type : lc_pj_text(request, "target_type_name");
    type = type.len ? type : lc_pj_text(lc_pj_get(request, "meta"), "type_name");
    return type.len ? type : lc_pj_text(request, "action_type");
}

static void answer(lc_serve_call *call, const handler *h)
{
    lc_str type = type_of(call->request);
    if (h->kind >= 0)
        call->schema = lc_serve_schema(call->served, (lc_schema_kind)h->kind, type);
    if (h->kind >= 0 && !call->schema)
        lc_serve_error(call, "Unknown type",
                       lc_str_printf(call->arena, "The schema of %.*s has no %s %.*s.",
                                     LC_FMT(call->served->options.address),
                                     lc_schema_kind_names[h->kind], LC_FMT(type)));
    else
        h->answer(call);
    lc_serve_bend(call);
    lc_serve_add_reply(call, &h->fields);
}

/* ---- Bytes. */

/* What we have written ourselves is not limited: a schema may be larger than any input. */
static bool encode(lc_buf *out, lc_serve_call *call, const lc_buf *json, lc_str *why)
{
    lc_source source;
    lc_diags diags;
    lc_limits limits = call->served->options.limits;
    limits.input_bytes = SIZE_MAX;
    limits.nodes = SIZE_MAX;
    lc_diags_init(&diags, call->arena);
    *why = LC_STR("not JSON");
    return lc_json_parse(&source, call->arena, LC_STR("answer"), lc_buf_str(json), &limits,
                         &diags) == LC_OK &&
           lc_wire_write(out, call->arena, call->method->response, source.documents, why);
}

void lc_serve_send(lc_serve_call *call, const lc_buf *json)
{
    lc_buf bytes = {0};
    lc_str why;
    if (encode(&bytes, call, json, &why))
        call->send(call->context, lc_buf_str(&bytes));
    lc_buf_release(&bytes);
}

void lc_serve_send_text(lc_serve_call *call, lc_str json)
{
    lc_buf buf = {0};
    lc_buf_add_str(&buf, json);
    lc_serve_send(call, &buf);
    lc_buf_release(&buf);
}

/* The schemas do not change, and encoding large ones takes long: the bytes are kept. */
static int make(lc_serve_call *call, const handler *h, lc_str *text)
{
    lc_buf json = {0}, bytes = {0};
    lc_json w = {.out = &json};
    lc_str why;
    call->w = &w;
    lc_json_object(&w, NULL);
    answer(call, h);
    lc_json_end_object(&w);
    bool ok = encode(&bytes, call, &json, &why);
    if (ok && h->answer == get_schema)
        lc_buf_add_str(&call->served->schemas, lc_buf_str(&bytes));
    if (ok && call->reply.status) {
        *text = LC_STR("this was requested with --break");
        lc_buf_release(&json);
        lc_buf_release(&bytes);
        return call->reply.status;
    }
    for (int i = 0; ok && !call->streamed && i < 1 + call->reply.again; i++)
        call->send(call->context, lc_buf_str(&bytes));
    if (!ok)
        *text = lc_str_printf(call->arena, "lifecheck serve: %s: %.*s", call->method->name,
                              LC_FMT(why));
    lc_buf_release(&json);
    lc_buf_release(&bytes);
    return ok ? LC_GRPC_OK : LC_GRPC_INTERNAL;
}

/* False: *text, and the status to answer. */
static bool read_requests(lc_serve_call *call, const lc_str *requests, size_t count, int *status,
                          lc_str *text)
{
    lc_node *nodes = LC_NEW_ARRAY(call->arena, lc_node, count + 1);
    const lc_wire_method *method = call->method;
    *status = LC_GRPC_INTERNAL;
    *text = LC_STR("the request is not one message of gRPC");
    if (method->request_stream ? count == 0 : count != 1)
        return false;
    for (size_t i = 0; i < count; i++) {
        lc_wire_reader reader = {.arena = call->arena, .limits = call->served->options.limits};
        *status = LC_GRPC_INVALID_ARGUMENT;
        if (lc_wire_read(&nodes[i], &reader, method->request, requests[i]))
            continue;
        *text = lc_str_printf(call->arena, "the request of %s cannot be decoded: %.*s at byte %zu",
                              method->name, LC_FMT(reader.why), reader.at);
        return false;
    }
    call->request = nodes;
    call->request_count = count;
    return true;
}

int lc_served_answer(lc_served *served, lc_arena *arena, const lc_serve_request *request,
                     void (*send)(void *context, lc_str message), void *context, lc_str *text)
{
    const lc_wire_method *method = lc_wire_method_of(request->path);
    const handler *h = handler_of(method);
    int status;
    if (!h || method->protocol != served->options.protocol) {
        *text =
            lc_str_printf(arena, "lifecheck serve does not implement %.*s", LC_FMT(request->path));
        return LC_GRPC_UNIMPLEMENTED;
    }
    lc_serve_call call = {.served = served,
                          .arena = arena,
                          .connection = request->connection,
                          .method = method,
                          .send = send,
                          .context = context};
    if (!read_requests(&call, request->messages, request->count, &status, text))
        return status;
    *text = LC_STR_EMPTY;
    if (h->answer == get_schema && served->schemas.len) {
        send(context, lc_buf_str(&served->schemas));
        return LC_GRPC_OK;
    }
    return make(&call, h, text);
}

/* ---- The schemas of a document. */

typedef struct loader {
    lc_served *served;
    lc_diags *diags;
} loader;

/* The first nested attribute; NULL: there is none. */
static const lc_attribute *nested_in(const lc_block *block)
{
    const lc_attribute *found = NULL;
    for (size_t i = 0; i < block->attribute_count && !found; i++)
        found = block->attributes[i].nested ? &block->attributes[i] : NULL;
    for (size_t i = 0; i < block->block_count && !found; i++)
        found = nested_in(block->blocks[i].block);
    return found;
}

/* Protocol 5 has no nested attributes. */
static void check_protocol(loader *l, const lc_schema *schema)
{
    const lc_attribute *a = l->served->options.protocol == 5 ? nested_in(schema->block) : NULL;
    if (a)
        lc_diag_error(
            l->diags, schema->loc,
            "%.*s has the nested attribute %.*s, which protocol 5 does not have: serve it "
            "without --protocol 5",
            LC_FMT(schema->type_name), LC_FMT(a->name));
}

static void load_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    loader *l = context;
    lc_served *s = l->served;
    const lc_schema *schema;
    if (!lc_str_eq(provider, s->options.within) ||
        lc_schema_doc_get(&schema, s->options.doc, kind, provider, type,
                          (lc_loc){s->options.address, 0, 0}, l->diags) != LC_OK)
        return;
    check_protocol(l, schema);
    *LC_PUSH(s->arena, &s->types, const lc_schema *) = schema;
    lc_table_put(&s->by_name[kind], kind == LC_KIND_PROVIDER ? LC_STR_EMPTY : schema->type_name,
                 (void *)(uintptr_t)schema);
}

lc_served *lc_served_new(lc_arena *arena, const lc_serve_options *options, lc_diags *diags)
{
    lc_served *s = LC_NEW(arena, lc_served);
    loader l = {s, diags};
    size_t errors = diags->errors;
    *s = (lc_served){.arena = arena, .options = *options};
    lc_table_init(&s->settings, arena);
    lc_serve_add_published_meta(s);
    for (size_t i = 0; i <= LC_LAST_KIND; i++)
        lc_table_init(&s->by_name[i], arena);
    lc_schema_doc_each(options->doc, load_type, &l);
    return diags->errors == errors ? s : NULL;
}

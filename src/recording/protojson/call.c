/* Messages of a recorded call to the fields of an lc_call. Protobuf leaves out default values, so,
 * unlike in scenarios, a missing field means null, empty or false. */
#include "recording/protojson/call.h"

#include "lifecheck/base/arena.h"

static const struct {
    const char *names[2]; /* in protocol 5 and 6 */
    lc_pj_rpc rpc;
} methods[] = {
    {{"GetSchema", "GetProviderSchema"}, LC_PJ_SCHEMA},
    {{"GetResourceIdentitySchemas", ""}, LC_PJ_IDENTITIES},
    {{"Configure", "ConfigureProvider"}, LC_PJ_CONFIGURE},
    {{"CallFunction", ""}, LC_PJ_FUNCTION},
    {{"UpgradeResourceState", ""}, LC_PJ_UPGRADE},
    {{"UpgradeResourceIdentity", ""}, LC_PJ_UPGRADE_IDENTITY},
    {{"ReadResource", ""}, LC_PJ_READ},
    {{"PlanResourceChange", ""}, LC_PJ_PLAN},
    {{"ApplyResourceChange", ""}, LC_PJ_APPLY},
    {{"ImportResourceState", ""}, LC_PJ_IMPORT},
    {{"MoveResourceState", ""}, LC_PJ_MOVE},
    {{"ValidateResourceTypeConfig", "ValidateResourceConfig"}, LC_PJ_VALIDATE},
    {{"ValidateDataSourceConfig", "ValidateDataResourceConfig"}, LC_PJ_VALIDATE_DATA},
    {{"ValidateEphemeralResourceConfig", ""}, LC_PJ_VALIDATE_EPHEMERAL},
    {{"ReadDataSource", ""}, LC_PJ_DATA},
    {{"OpenEphemeralResource", ""}, LC_PJ_OPEN},
    {{"ValidateActionConfig", ""}, LC_PJ_VALIDATE_ACTION},
    {{"PlanAction", ""}, LC_PJ_PLAN_ACTION},
    {{"InvokeAction", ""}, LC_PJ_INVOKE_ACTION},
    {{"GenerateResourceConfig", ""}, LC_PJ_GENERATE},
    {{"ListResource", ""}, LC_PJ_LIST},
    {{"ConfigureStateStore", ""}, LC_PJ_STORE},
    {{"ReadStateBytes", "WriteStateBytes"}, LC_PJ_STORE},
    {{"LockState", "UnlockState"}, LC_PJ_STORE},
    {{"GetStates", "DeleteState"}, LC_PJ_STORE},
};

lc_pj_rpc lc_pj_rpc_of(lc_str method)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (lc_str_is(method, methods[i].names[0]) ||
            (methods[i].names[1][0] && lc_str_is(method, methods[i].names[1])))
            return methods[i].rpc;
    }
    return LC_PJ_OTHER;
}

lc_schema_kind lc_pj_kind_of(lc_pj_rpc rpc)
{
    if (rpc == LC_PJ_DATA || rpc == LC_PJ_VALIDATE_DATA)
        return LC_KIND_DATA;
    if (rpc == LC_PJ_OPEN || rpc == LC_PJ_VALIDATE_EPHEMERAL)
        return LC_KIND_EPHEMERAL;
    if (rpc == LC_PJ_VALIDATE_ACTION || rpc == LC_PJ_PLAN_ACTION || rpc == LC_PJ_INVOKE_ACTION)
        return LC_KIND_ACTION;
    return rpc == LC_PJ_FUNCTION || rpc == LC_PJ_STORE ? LC_KIND_PROVIDER : LC_KIND_RESOURCE;
}

lc_str lc_pj_type_name(lc_pj_rpc rpc, const lc_node *request)
{
    if (rpc == LC_PJ_MOVE)
        return lc_pj_text(request, "target_type_name");
    return lc_pj_text(request, lc_pj_kind_of(rpc) == LC_KIND_ACTION ? "action_type" : "type_name");
}

/* ---- Values. */

static void set_null(lc_field *out, const lc_pj_reader *r, const lc_type *type)
{
    lc_value *null = LC_NEW(r->arena, lc_value);
    lc_value_set_null(null, type);
    out->value = null;
    out->state = LC_FIELD_GIVEN;
}

static void set_problem(lc_field *out, const lc_pj_reader *r, lc_wire_problem problem)
{
    lc_str why;
    size_t at;
    out->state = LC_FIELD_UNDECODABLE;
    out->problem = problem;
    out->problem.message = lc_str_copy(r->arena, problem.message);
    if (!lc_path_parse(&out->problem_path, r->arena, problem.path, false, &why, &at))
        out->problem_path = LC_PATH_ROOT;
}

/* The client sends and reads MessagePack if there is any, as core does. */
void lc_pj_value(lc_field *out, const lc_pj_reader *r, lc_str msgpack, lc_str json,
                 const lc_type *type)
{
    lc_wire_result result = {0};
    const lc_value *decoded = NULL;
    out->loc = r->loc;
    if (msgpack.len == 0 && json.len == 0) {
        set_null(out, r, type);
        return;
    }
    bool ok = msgpack.len ? lc_decode_msgpack(&decoded, r->decoder, msgpack, type, &result)
                          : lc_ctyjson_decode(&decoded, r->arena, json, type, &result);
    out->wire_notes = result.notes;
    out->wire_used = result.used;
    out->wire_msgpack = msgpack.len > 0;
    out->wire_json = msgpack.len == 0;
    out->state = LC_FIELD_GIVEN;
    out->value = decoded;
    if (!ok)
        set_problem(out, r, result.problem);
}

void lc_pj_dynamic(lc_field *out, const lc_pj_reader *r, const lc_node *value, const lc_type *type)
{
    lc_str msgpack, json;
    out->loc = r->loc;
    if (lc_pj_bytes(&msgpack, r->arena, value, "msgpack") &&
        lc_pj_bytes(&json, r->arena, value, "json"))
        lc_pj_value(out, r, msgpack, json, type);
    else
        set_problem(out, r,
                    (lc_wire_problem){LC_WIRE_REFUSED, 0, LC_STR("."),
                                      LC_STR("the recording has no base64 here")});
}

static void object(lc_field *out, const lc_pj_reader *r, const lc_node *message, const char *name)
{
    lc_pj_dynamic(out, r, lc_pj_get(message, name), r->schema->block->implied);
}

/* Without identity schemas in the recording an identity can only be compared, so its type is taken
 * from its own bytes. */
void lc_pj_untyped_identity(lc_field *out, const lc_pj_reader *r, const lc_node *data)
{
    const lc_type *type;
    lc_str msgpack;
    if (!data || !lc_pj_bytes(&msgpack, r->arena, data, "msgpack") || msgpack.len == 0 ||
        !lc_msgpack_type(&type, r->arena, msgpack) ||
        (type->kind != LC_TYPE_OBJECT && type->kind != LC_TYPE_DYNAMIC))
        return;
    lc_pj_value(out, r, msgpack, LC_STR_EMPTY, type);
    out->untyped = true;
    if (out->state == LC_FIELD_UNDECODABLE)
        *out = (lc_field){0};
}

/* If the type has no identity schema, an identity cannot be decoded, and only its presence matters.
 */
static void identity(lc_field *out, const lc_pj_reader *r, const lc_node *message, const char *name)
{
    const lc_node *data = lc_pj_get(lc_pj_get(message, name), "identity_data");
    const lc_type *type = r->schema->identity_type;
    if (!r->identities)
        lc_pj_untyped_identity(out, r, data);
    if (!r->identities || (!type && !data))
        return;
    if (type) {
        lc_pj_dynamic(out, r, data, type);
        return;
    }
    lc_value *known = LC_NEW(r->arena, lc_value);
    lc_value_set_bool(known, true);
    *out = (lc_field){.state = LC_FIELD_GIVEN, .loc = r->loc, .value = known};
}

/* The same in an answer, where a missing identity has a meaning. */
static void returned_identity(lc_field *out, const lc_pj_reader *r, const lc_node *message,
                              const char *name)
{
    identity(out, r, message, name);
    if (r->identities || lc_pj_get(message, name))
        return;
    lc_value *none = LC_NEW(r->arena, lc_value);
    lc_value_set_null(none, &lc_type_dynamic);
    *out = (lc_field){.state = LC_FIELD_GIVEN, .loc = r->loc, .value = none, .untyped = true};
}

static bool bytes(lc_str *out, const lc_pj_reader *r, const lc_node *message, const char *name)
{
    return lc_pj_bytes(out, r->arena, message, name);
}

/* ---- Paths and diagnostics. */

static lc_step step_of(const lc_node *node)
{
    lc_step step = {LC_STEP_ATTR, lc_pj_text(node, "attribute_name"), 0, NULL};
    if (lc_pj_get(node, "element_key_string"))
        step = (lc_step){LC_STEP_KEY, lc_pj_text(node, "element_key_string"), 0, NULL};
    else if (lc_pj_get(node, "element_key_int"))
        step = (lc_step){LC_STEP_INDEX, LC_STR_EMPTY, (uint64_t)lc_pj_int(node, "element_key_int"),
                         NULL};
    return step;
}

static lc_path path_of(const lc_pj_reader *r, const lc_node *path)
{
    const lc_node *nodes = lc_pj_get(path, "steps");
    if (!nodes || nodes->kind != LC_NODE_SEQUENCE)
        return LC_PATH_ROOT;
    lc_step *steps = LC_NEW_ARRAY(r->arena, lc_step, nodes->count);
    for (uint32_t i = 0; i < nodes->count; i++) {
        steps[i] = step_of(&nodes->as.items[i]);
        steps[i].name = lc_str_copy(r->arena, steps[i].name);
    }
    return (lc_path){steps, nodes->count};
}

lc_provider_severity lc_pj_diagnostic(lc_call *call, const lc_pj_reader *r, const lc_node *node)
{
    static const char *const names[] = {"INVALID", "ERROR", "WARNING"};
    lc_str severity = lc_pj_enum(node, "severity", names, 3);
    lc_provider_diag *d = LC_PUSH(r->arena, &call->diagnostics, lc_provider_diag);
    *d = (lc_provider_diag){
        .severity = lc_str_is(severity, "ERROR")     ? LC_SEVERITY_ERROR
                    : lc_str_is(severity, "WARNING") ? LC_SEVERITY_WARNING
                                                     : LC_SEVERITY_INVALID,
        .summary = lc_str_copy(r->arena, lc_pj_text(node, "summary")),
        .detail = lc_str_copy(r->arena, lc_pj_text(node, "detail")),
        .has_path = lc_pj_get(node, "attribute") != NULL,
        .path = path_of(r, lc_pj_get(node, "attribute")),
        .loc = r->loc,
    };
    if (d->severity == LC_SEVERITY_ERROR)
        call->failed = LC_YES;
    return d->severity;
}

static void diagnostics(lc_call *call, const lc_pj_reader *r, const lc_node *response)
{
    const lc_node *list = lc_pj_get(response, "diagnostics");
    call->has_diagnostics = true;
    call->failed = LC_NO;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        lc_pj_diagnostic(call, r, &list->as.items[i]);
}

static void deferred(lc_call *call, const lc_pj_reader *r, const lc_node *response)
{
    static const char *const names[] = {"UNKNOWN", "RESOURCE_CONFIG_UNKNOWN",
                                        "PROVIDER_CONFIG_UNKNOWN", "ABSENT_PREREQ"};
    const lc_node *node = lc_pj_get(response, "deferred");
    call->deferred = node ? LC_YES : LC_NO;
    call->deferred_loc = r->loc;
    call->deferred_reason = lc_str_copy(r->arena, lc_pj_enum(node, "reason", names, 4));
}

static void replace_paths(lc_call *call, const lc_pj_reader *r, const lc_node *response)
{
    const lc_node *list = lc_pj_get(response, "requires_replace");
    call->has_requires_replace = true;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        lc_located_path *path = LC_PUSH(r->arena, &call->requires_replace, lc_located_path);
        *path = (lc_located_path){path_of(r, &list->as.items[i]), r->loc};
    }
}

/* ---- Stored objects. */

/* The stored object is JSON in bytes. Places inside of it would not be places in the recording, so
 * the locator is removed. */
static void raw_json(lc_field *out, const lc_pj_reader *r, const lc_node *raw)
{
    lc_str text;
    lc_source *source = LC_NEW(r->arena, lc_source);
    lc_diags diags;
    lc_diags_init(&diags, r->arena);
    out->loc = r->loc;
    if (!bytes(&text, r, raw, "json") || text.len == 0 ||
        lc_json_parse(source, r->arena, r->loc.file, text, &r->limits, &diags) != LC_OK)
        return;
    lc_value_reader reader = {
        .arena = r->arena, .source = source, .diags = &diags, .limits = r->limits};
    if (lc_read_raw(out, &reader, &source->documents[0]) != LC_OK)
        *out = (lc_field){.loc = r->loc};
    out->loc = r->loc;
    out->locator.locate = NULL;
}

static void raw_state(lc_raw_state *out, const lc_pj_reader *r, const lc_node *request,
                      const char *state, const char *version)
{
    out->loc = r->loc;
    out->schema_version = lc_pj_int(request, version);
    raw_json(&out->attributes, r, lc_pj_get(request, state));
    out->has_attributes = lc_field_has_value(&out->attributes);
    out->given = out->has_attributes;
}

static void raw_identity(lc_raw_state *out, const lc_pj_reader *r, const lc_node *request)
{
    out->loc = r->loc;
    out->identity_schema_version = lc_pj_int(request, "version");
    raw_json(&out->identity, r, lc_pj_get(request, "raw_identity"));
    out->has_identity = lc_field_has_value(&out->identity);
    out->given = out->has_identity;
}

/* `items` is set even if the list is empty: nothing was imported, which is known. */
static void imported(lc_call *call, const lc_pj_reader *r, const lc_node *response)
{
    const lc_node *list = lc_pj_get(response, "imported_resources");
    call->imported.items = LC_NEW_ARRAY(r->arena, lc_imported, 1);
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *node = &list->as.items[i];
        lc_imported *o = LC_PUSH(r->arena, &call->imported, lc_imported);
        *o = (lc_imported){.loc = r->loc, .has_type_name = true, .has_private = true};
        o->type_name = lc_str_copy(r->arena, lc_pj_text(node, "type_name"));
        object(&o->state, r, node, "state");
        returned_identity(&o->identity, r, node, "identity");
        bytes(&o->private_data, r, node, "private");
    }
}

/* ---- Calls. */

static void plan(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    object(&call->config, r, q, "config");
    object(&call->prior_state, r, q, "prior_state");
    object(&call->proposed, r, q, "proposed_new_state");
    identity(&call->prior_identity, r, q, "prior_identity");
    call->has_request_private = bytes(&call->request_private, r, q, "prior_private");
    if (!a)
        return;
    object(&call->result, r, a, "planned_state");
    returned_identity(&call->identity, r, a, "planned_identity");
    call->has_private = bytes(&call->private_data, r, a, "planned_private");
    call->legacy = lc_pj_bool(a, "legacy_type_system") ? LC_YES : LC_NO;
    replace_paths(call, r, a);
}

static void apply(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    object(&call->config, r, q, "config");
    object(&call->prior_state, r, q, "prior_state");
    object(&call->planned, r, q, "planned_state");
    identity(&call->planned_identity, r, q, "planned_identity");
    call->has_request_private = bytes(&call->request_private, r, q, "planned_private");
    if (!a)
        return;
    object(&call->result, r, a, "new_state");
    returned_identity(&call->identity, r, a, "new_identity");
    call->has_private = bytes(&call->private_data, r, a, "private");
    call->legacy = lc_pj_bool(a, "legacy_type_system") ? LC_YES : LC_NO;
}

static void read_resource(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    object(&call->prior_state, r, q, "current_state");
    identity(&call->prior_identity, r, q, "current_identity");
    call->has_request_private = bytes(&call->request_private, r, q, "private");
    if (!a)
        return;
    object(&call->result, r, a, "new_state");
    returned_identity(&call->identity, r, a, "new_identity");
    call->has_private = bytes(&call->private_data, r, a, "private");
}

static void move(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    raw_state(&call->raw, r, q, "source_state", "source_schema_version");
    call->has_type_name = true;
    call->type_name = lc_str_copy(r->arena, lc_pj_text(q, "source_type_name"));
    if (a) {
        object(&call->result, r, a, "target_state");
        returned_identity(&call->identity, r, a, "target_identity");
    }
}

static void import(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    call->has_import_id = true;
    call->import_id = lc_str_copy(r->arena, lc_pj_text(q, "id"));
    if (r->schema->identity_type && lc_pj_get(q, "identity"))
        identity(&call->prior_identity, r, q, "identity");
    if (a)
        imported(call, r, a);
}

static void validate(lc_call *call, const lc_pj_reader *r, const lc_node *q)
{
    object(&call->config, r, q, "config");
}

/* A value without bytes was taken out of the recording, since a null has bytes of its own. */
static void function_value(lc_field *out, const lc_pj_reader *r, const lc_node *value,
                           const lc_type *type)
{
    lc_str msgpack, json;
    *out = (lc_field){.loc = r->loc};
    if (!value || (lc_pj_bytes(&msgpack, r->arena, value, "msgpack") && msgpack.len == 0 &&
                   lc_pj_bytes(&json, r->arena, value, "json") && json.len == 0))
        return;
    lc_pj_dynamic(out, r, value, type ? type : &lc_type_dynamic);
}

static void function_error(lc_call *call, const lc_pj_reader *r, const lc_node *error)
{
    lc_function_call *f = call->function;
    if (!error)
        return;
    f->has_error = true;
    f->error_loc = r->loc;
    f->has_error_argument = lc_pj_get(error, "function_argument") != NULL;
    f->error_argument = lc_pj_int(error, "function_argument");
    call->failed = LC_YES;
}

/* A function that the schema does not have is compared with itself alone, so its values need types
 * of their own, which dynamic ones bring along; others are left out. */
static void function(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    lc_function_call *f = LC_NEW(r->arena, lc_function_call);
    call->function = f;
    f->name = lc_str_copy(r->arena, lc_pj_text(q, "name"));
    const lc_function *known = lc_schema_function(r->schema, f->name);
    const lc_node *list = lc_pj_get(q, "arguments");
    f->has_arguments = known != NULL;
    for (uint32_t i = 0; known && i < lc_node_item_count(list); i++) {
        const lc_parameter *p = lc_function_parameter(known, i);
        lc_field *field = LC_PUSH(r->arena, &f->arguments, lc_field);
        function_value(field, r, &list->as.items[i], p ? p->type : NULL);
    }
    if (!a)
        return;
    function_error(call, r, lc_pj_get(a, "error"));
    if (known && !f->has_error)
        function_value(&f->result, r, lc_pj_get(a, "result"), known->return_type);
}

static void upgrade(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    raw_state(&call->raw, r, q, "raw_state", "version");
    if (a)
        object(&call->result, r, a, "upgraded_state");
}

static void upgrade_identity(lc_call *call, const lc_pj_reader *r, const lc_node *q,
                             const lc_node *a)
{
    raw_identity(&call->raw, r, q);
    if (a)
        identity(&call->identity, r, a, "upgraded_identity");
}

static void generate(lc_call *call, const lc_pj_reader *r, const lc_node *q, const lc_node *a)
{
    object(&call->prior_state, r, q, "state");
    if (a && lc_pj_get(a, "config"))
        object(&call->generated_config, r, a, "config");
}

static void body(lc_call *call, const lc_pj_reader *r, lc_pj_rpc rpc, const lc_node *q,
                 const lc_node *a)
{
    switch (rpc) {
    case LC_PJ_UPGRADE:
        upgrade(call, r, q, a);
        return;
    case LC_PJ_UPGRADE_IDENTITY:
        upgrade_identity(call, r, q, a);
        return;
    case LC_PJ_READ:
        read_resource(call, r, q, a);
        return;
    case LC_PJ_PLAN:
        plan(call, r, q, a);
        return;
    case LC_PJ_APPLY:
        apply(call, r, q, a);
        return;
    case LC_PJ_IMPORT:
        import(call, r, q, a);
        return;
    case LC_PJ_MOVE:
        move(call, r, q, a);
        return;
    case LC_PJ_VALIDATE:
    case LC_PJ_VALIDATE_DATA:
    case LC_PJ_VALIDATE_EPHEMERAL:
    case LC_PJ_VALIDATE_ACTION:
    case LC_PJ_PLAN_ACTION:
    case LC_PJ_INVOKE_ACTION:
        validate(call, r, q);
        return;
    case LC_PJ_GENERATE:
        generate(call, r, q, a);
        return;
    case LC_PJ_DATA:
    case LC_PJ_OPEN:
        validate(call, r, q);
        if (a)
            object(&call->result, r, a, rpc == LC_PJ_DATA ? "state" : "result");
        return;
    case LC_PJ_OTHER:
    case LC_PJ_SCHEMA:
    case LC_PJ_IDENTITIES:
    case LC_PJ_CONFIGURE:
    case LC_PJ_STORE: /* streams are read by lc_pj_list and lc_pj_store */
    case LC_PJ_LIST:
        return;
    case LC_PJ_FUNCTION:
        function(call, r, q, a);
        return;
    }
}

static const lc_call_kind kinds[] = {
    [LC_PJ_OTHER] = LC_CALL_SCHEMA,
    [LC_PJ_SCHEMA] = LC_CALL_SCHEMA,
    [LC_PJ_IDENTITIES] = LC_CALL_SCHEMA,
    [LC_PJ_CONFIGURE] = LC_CALL_SCHEMA,
    [LC_PJ_FUNCTION] = LC_CALL_FUNCTION,
    [LC_PJ_STORE] = LC_CALL_STORE,
    [LC_PJ_LIST] = LC_CALL_LIST,
    [LC_PJ_UPGRADE] = LC_CALL_UPGRADE,
    [LC_PJ_UPGRADE_IDENTITY] = LC_CALL_UPGRADE_IDENTITY,
    [LC_PJ_READ] = LC_CALL_READ,
    [LC_PJ_PLAN] = LC_CALL_PLAN,
    [LC_PJ_APPLY] = LC_CALL_APPLY,
    [LC_PJ_IMPORT] = LC_CALL_IMPORT,
    [LC_PJ_MOVE] = LC_CALL_MOVE,
    [LC_PJ_VALIDATE] = LC_CALL_VALIDATE,
    [LC_PJ_VALIDATE_DATA] = LC_CALL_VALIDATE,
    [LC_PJ_VALIDATE_EPHEMERAL] = LC_CALL_VALIDATE,
    [LC_PJ_DATA] = LC_CALL_DATA,
    [LC_PJ_OPEN] = LC_CALL_OPEN,
    [LC_PJ_VALIDATE_ACTION] = LC_CALL_VALIDATE,
    [LC_PJ_PLAN_ACTION] = LC_CALL_ACTION,
    [LC_PJ_INVOKE_ACTION] = LC_CALL_ACTION,
    [LC_PJ_GENERATE] = LC_CALL_IMPORT, /* its response becomes a field of the import */
};

void lc_pj_call_begin(lc_call *out, lc_pj_rpc rpc, lc_loc loc)
{
    *out = (lc_call){.kind = kinds[rpc], .loc = loc};
    out->deposed = out->request_private = out->type_name = out->import_id = LC_STR_EMPTY;
    out->deferred_reason = out->broke_with = out->last_words = LC_STR_EMPTY;
    out->private_data = out->raw.private_data = LC_STR_EMPTY;
}

void lc_pj_call(lc_call *out, const lc_pj_reader *reader, lc_pj_rpc rpc, const lc_node *request,
                const lc_node *response)
{
    lc_pj_call_begin(out, rpc, reader->loc);
    out->legacy = out->deferred = out->broke = LC_NO;
    out->failed = response ? LC_NO : LC_YES;
    body(out, reader, rpc, request, response);
    if (response && rpc != LC_PJ_FUNCTION) {
        diagnostics(out, reader, response);
        deferred(out, reader, response);
    }
}

/* False: the recorder could not decode the event. */
static bool event(lc_call *call, const lc_pj_reader *r, const lc_node *node)
{
    const lc_node *completed = lc_pj_get(node, "completed");
    const lc_node *list = lc_pj_get(completed, "diagnostics");
    lc_event_kind kind = completed                     ? LC_EVENT_COMPLETED
                         : lc_pj_get(node, "progress") ? LC_EVENT_PROGRESS
                                                       : LC_EVENT_UNKNOWN;
    if (node->kind != LC_NODE_MAPPING || lc_pj_get(node, "raw"))
        return false;
    *LC_PUSH(r->arena, &call->events, lc_event) = (lc_event){kind, r->loc};
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        lc_pj_diagnostic(call, r, &list->as.items[i]);
    return true;
}

/* One event that cannot be decoded makes the list unknown, since rules look at its order. */
void lc_pj_events(lc_call *out, const lc_pj_reader *r, const lc_node *responses)
{
    bool known = true;
    for (uint32_t i = 0; i < lc_node_item_count(responses); i++)
        known &= event(out, r, &responses->as.items[i]);
    out->streamed = known ? LC_YES : LC_NOT_KNOWN;
    if (!known)
        out->events.count = 0;
}

void lc_pj_broke(lc_call *out, const lc_pj_reader *reader, const lc_node *status)
{
    out->broke = LC_YES;
    out->broke_loc = reader->loc;
    out->broke_with = lc_str_copy(reader->arena, lc_pj_text(status, "code"));
}

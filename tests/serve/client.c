/* A client for tests of `lifecheck serve`: it creates, changes, replaces and deletes an object of
 * the schema testdata/schemas/serve.json, imports and lists one, invokes an action, reads a data
 * source, opens an ephemeral resource, keeps states and calls a function, as Terraform does; with
 * FAULT it does one thing wrongly. It finds the provider in TF_REATTACH_PROVIDERS.
 *
 *   client [FAULT]   a word of faults.def
 *   client faults    prints them
 *
 * Status 0: everything was asked, whatever was answered. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/drive/changing.h"
#include "lifecheck/probe/values.h"
#include "lifecheck/recording/protojson.h"
#include "lifecheck/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum fault_id {
    NONE,
#define FAULT(id, word, rules) id,
#include "faults.def"
} fault_id;

static const char *const words[] = {
    "",
#define FAULT(id, word, rules) word,
#include "faults.def"
};

typedef struct client {
    lc_arena *arena;
    fault_id fault;
    bool due; /* the fault may happen now */
    lc_diags diags;
    lc_rpc_schemas schemas;
    lc_live_provider provider;
    uint64_t process;
    lc_client_walk walk;
    lc_session *session;
    lc_client *asks;
    const lc_schema *schema;
    lc_stored_object object; /* as it is stored */
} client;

static const lc_loc nowhere = {{"client", 6}, 0, 0};

static _Noreturn void quit(const char *what, lc_str why)
{
    fprintf(stderr, "client: %s: %.*s\n", what, LC_FMT(why));
    exit(3);
}

static bool wrong(const client *c, fault_id fault)
{
    return c->due && fault != NONE && c->fault == fault;
}

/* ---- Values. */

static const lc_value *from_json(client *c, const lc_type *type, const char *json)
{
    const lc_value *v;
    lc_wire_result result;
    if (!lc_ctyjson_decode(&v, c->arena, lc_str_from_c(json), type, &result))
        quit("a value of the test", result.problem.message);
    return v;
}

static const lc_value *null_of(client *c, const lc_type *type)
{
    return from_json(c, type, "null");
}

/* The object with another value for an attribute. */
static const lc_value *with(client *c, const lc_value *object, const char *name,
                            const lc_value *value)
{
    lc_value *elems = LC_NEW_ARRAY(c->arena, lc_value, object->count + 1);
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    elems[lc_type_attr_index(object->type, lc_str_from_c(name))] = *value;
    return lc_with_values(c->arena, object, elems);
}

static const lc_value *with_text(client *c, const lc_value *object, const char *name,
                                 const char *json)
{
    return with(c, object, name, from_json(c, &lc_type_string, json));
}

static const lc_value *with_unknown(client *c, const lc_value *object, const char *name)
{
    lc_value slot;
    lc_value_set_unknown(&slot, &lc_type_string);
    return with(c, object, name, &slot);
}

static const lc_value *otherwise(client *c, fault_id fault, const lc_value *object)
{
    return wrong(c, fault) ? with_text(c, object, "code", "\"wrong\"") : object;
}

static const lc_value *config_of(client *c, const char *note, const char *items)
{
    const char *const json =
        "{\"id\":null,\"any\":null,\"code\":null,\"items\":null,\"modes\":null,\"name\":\"n\","
        "\"note\":null,\"one\":null,\"zones\":null,\"place\":null,\"rule\":{},"
        "\"password_wo\":\"secret\",\"ports\":[{\"number\":1,\"uid\":null}],\"tags\":{\"a\":\"1\"},"
        "\"disk\":[{\"size\":1,\"serial\":null}],\"net\":[{\"cidr\":\"10.0.0.0/16\"}]}";
    const lc_type *type = c->schema->block->implied;
    const lc_value *config = with_text(c, from_json(c, type, json), "note", note);
    const lc_type *list = type->as.attrs[lc_type_attr_index(type, LC_STR("items"))].type;
    return with(c, config, "items", from_json(c, list, items));
}

/* A configuration that the schema does not accept. */
static const lc_value *nonconforming(client *c, const lc_value *config)
{
    const lc_type *type = config->type;
    if (wrong(c, REQUIRED_MISSING) || wrong(c, AFTER_VALIDATE))
        return with_text(c, config, "name", "null");
    if (wrong(c, COMPUTED_SET))
        return with_text(c, config, "id", "\"mine\"");
    if (wrong(c, BLOCK_NULL))
        return with(c, config, "disk",
                    null_of(c, type->as.attrs[lc_type_attr_index(type, LC_STR("disk"))].type));
    return config;
}

static const lc_value *without_write_only(client *c, fault_id fault, const lc_value *config)
{
    return wrong(c, fault) ? with_text(c, config, "password_wo", "null") : config;
}

static lc_str private_of(client *c, lc_str right, fault_id dropped, fault_id other)
{
    return wrong(c, dropped) ? LC_STR_EMPTY : wrong(c, other) ? LC_STR("{\"wrong\":true}") : right;
}

static const lc_value *identity_of(client *c, const lc_value *right, fault_id dropped,
                                   fault_id other)
{
    if (wrong(c, dropped))
        return NULL;
    return right && wrong(c, other) ? with_text(c, right, "id", "\"wrong\"") : right;
}

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* ---- Messages that no function of module drive makes. */

/* The request with bytes that are not a value instead of one. */
static lc_str garbled(lc_arena *arena, const lc_question *question, const char *field)
{
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_node node,
        bytes = {.kind = LC_NODE_STRING, .style = LC_STYLE_JSON, .as.text = LC_STR("wQ==")};
    lc_buf out = {0};
    lc_str why;
    if (!lc_wire_read(&node, &reader, question->method->request, question->request))
        quit(question->method->name, reader.why);
    const lc_node *value = lc_pj_get(&node, field);
    if (lc_pj_get(value, "identity_data"))
        value = lc_pj_get(value, "identity_data");
    if (!value)
        return question->request;
    *(lc_node *)(uintptr_t)lc_pj_get(value, "msgpack") = bytes;
    if (!lc_wire_write(&out, arena, question->method->request, &node, &why))
        quit(question->method->name, why);
    return lc_buf_take(arena, &out);
}

/* The field of a call that the provider must answer with an error, so that the next call is wrong.
 */
static const char *garbled_field(const client *c, const char *method)
{
    if (wrong(c, CONFIGURE_FAILED) && strcmp(method, "ConfigureProvider") == 0)
        return "config";
    if (wrong(c, AFTER_PLAN) && c->walk == LC_WALK_APPLY &&
        strcmp(method, "PlanResourceChange") == 0)
        return "proposed_new_state";
    if (wrong(c, AFTER_READ) && strcmp(method, "ReadResource") == 0)
        return "current_identity";
    if (wrong(c, TYPE_OTHER) && (strcmp(method, "ValidateResourceConfig") == 0 ||
                                 strcmp(method, "PlanResourceChange") == 0))
        return "config";
    return NULL;
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    client *c = context;
    lc_question *asked = LC_NEW_ARRAY(arena, lc_question, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *field = garbled_field(c, questions[i].method->name);
        asked[i] = questions[i];
        if (field)
            asked[i].request = garbled(arena, &questions[i], field);
    }
    lc_session_ask(c->session, out, arena, asked, count);
}

/* ---- Walks. */

static void begin(client *c, lc_client_walk walk, bool configured)
{
    lc_str why, log;
    lc_call call;
    const lc_session_options how = {
        .provider = &c->provider, .process = ++c->process, .log = -1, .limits = LC_LIMITS_DEFAULT};
    c->walk = walk;
    c->session = lc_session_open(c->arena, &how, &why, &log);
    if (!c->session)
        quit("the provider", why);
    const lc_client_options options = {.as = LC_TERRAFORM,
                                       .walk = walk,
                                       .limits = LC_LIMITS_DEFAULT,
                                       .peer = {c, c->provider.protocol, ask, NULL}};
    c->asks = lc_client_open(c->arena, &options, &c->schemas, &c->diags);
    if (!c->asks)
        quit("the provider", LC_STR("no schemas"));
    c->schema = lc_client_schema(c->asks, LC_KIND_RESOURCE, LC_STR("full_thing"));
    if (!c->schema)
        quit("the provider", LC_STR("no full_thing"));
    if (configured && !wrong(c, UNCONFIGURED))
        lc_client_configure(c->asks, &call, c->arena, NULL, nowhere);
}

static void end(client *c)
{
    lc_session_close(c->session);
}

/* ---- Calls. */

/* The stored object as a state file has it. */
static lc_raw_state raw_of(client *c, const lc_value *state)
{
    lc_buf json = {0};
    lc_str why;
    lc_source *source = LC_NEW(c->arena, lc_source);
    lc_raw_state raw = {
        .given = true, .has_attributes = true, .schema_version = c->schema->version};
    lc_value_reader reader = {
        .arena = c->arena, .source = source, .diags = &c->diags, .limits = LC_LIMITS_DEFAULT};
    if (!lc_ctyjson_encode(&json, state, state->type, &why) ||
        lc_json_parse(source, c->arena, LC_STR("state"), lc_buf_take(c->arena, &json),
                      &LC_LIMITS_DEFAULT, &c->diags) != LC_OK ||
        lc_read_raw(&raw.attributes, &reader, source->documents) != LC_OK)
        quit("the stored object", LC_STR("it cannot be written"));
    return raw;
}

static lc_stored_object upgraded(client *c, const lc_stored_object *stored)
{
    lc_call call;
    if (!stored->state || wrong(c, NEVER_UPGRADED))
        return *stored;
    lc_raw_state raw = raw_of(c, otherwise(c, STORED_OTHER, stored->state));
    lc_client_upgrade(c->asks, &call, c->arena, c->schema, &raw, nowhere);
    const lc_value *state = value_of(&call.result);
    return (lc_stored_object){state ? state : stored->state, stored->identity,
                              stored->private_data};
}

static lc_stored_object refreshed(client *c)
{
    lc_call call;
    lc_stored_object object = upgraded(c, &c->object);
    if (!object.state)
        return object;
    const lc_stored_object sent = {
        otherwise(c, NEVER_UPGRADED, otherwise(c, READ_OTHER, object.state)),
        identity_of(c, object.identity, READ_IDENTITY_DROPPED, READ_IDENTITY_OTHER),
        private_of(c, object.private_data, READ_PRIVATE_DROPPED, NONE)};
    lc_client_read(c->asks, &call, c->arena, c->schema, &sent, nowhere);
    if (!value_of(&call.result))
        return object;
    return (lc_stored_object){value_of(&call.result), value_of(&call.identity), call.private_data};
}

static void validate(client *c, const lc_schema *schema, const lc_value *config)
{
    lc_call call;
    if (!wrong(c, NEVER_VALIDATED))
        lc_client_validate(c->asks, &call, c->arena, schema, config, nowhere);
}

static lc_call plan(client *c, lc_call_kind kind, const lc_stored_object *prior,
                    const lc_value *config)
{
    lc_call call;
    lc_plan_question q = {.kind = kind,
                          .prior = prior->state,
                          .config = config,
                          .identity = prior->identity,
                          .private_data = prior->private_data};
    if (kind == LC_CALL_PLAN) {
        q.config = without_write_only(c, WRITE_ONLY_DROPPED, config);
        q.identity = identity_of(c, q.identity, PLAN_IDENTITY_DROPPED, PLAN_IDENTITY_OTHER);
        q.private_data = private_of(c, q.private_data, PLAN_PRIVATE_DROPPED, PLAN_PRIVATE_OTHER);
        if (prior->state)
            q.prior = otherwise(c, PRIOR_OTHER, prior->state);
        if (wrong(c, WRITE_ONLY_STORED))
            q.prior = with_text(c, prior->state, "password_wo", "\"secret\"");
        if (wrong(c, PROPOSED_CONFIG))
            q.proposed = with_text(c, config, "password_wo", "null");
        if (wrong(c, PROPOSED_OTHER))
            q.proposed = with_text(c, prior->state, "code", "\"wrong\"");
    }
    lc_client_plan(c->asks, &call, c->arena, c->schema, &q, nowhere);
    return call;
}

static void apply(client *c, const lc_stored_object *prior, const lc_call *planned,
                  const lc_value *config)
{
    lc_call call;
    lc_apply_question q = {
        .prior = prior->state,
        .planned = planned ? value_of(&planned->result) : NULL,
        .config = config,
        .identity = planned ? identity_of(c, value_of(&planned->identity), APPLY_IDENTITY_DROPPED,
                                          APPLY_IDENTITY_OTHER)
                            : NULL,
        .private_data = private_of(c, planned ? planned->private_data : prior->private_data,
                                   config ? APPLY_PRIVATE_DROPPED : DELETE_PRIVATE_DROPPED,
                                   APPLY_PRIVATE_OTHER)};
    if (config) {
        q.config = otherwise(c, APPLY_CONFIG_OTHER,
                             without_write_only(c, APPLY_WRITE_ONLY_DROPPED, config));
        q.planned = otherwise(c, PLANNED_OTHER, q.planned);
        q.prior = prior->state ? otherwise(c, APPLY_PRIOR_OTHER, prior->state) : NULL;
    }
    lc_client_apply(c->asks, &call, c->arena, c->schema, &q, nowhere);
    const lc_value *state = value_of(&call.result);
    c->object = (lc_stored_object){state && !lc_is_null(state) ? state : NULL,
                                   value_of(&call.identity), call.private_data};
}

/* ---- The life of an object. */

static const lc_stored_object none = {NULL, NULL, {"", 0}};

/* What is planned in the apply phase, when everything is known. */
static void apply_planned(client *c, const lc_stored_object *prior, const lc_call *first,
                          const lc_value *config)
{
    const lc_value *changed = wrong(c, FINAL_UNKNOWN) ? with_unknown(c, config, "code") : config;
    validate(c, c->schema, changed);
    if (wrong(c, UNPLANNED_FINALLY) || wrong(c, UNPLANNED)) {
        apply(c, prior, first, changed);
        return;
    }
    lc_call last = plan(c, LC_CALL_FINAL_PLAN, prior, changed);
    apply(c, prior, &last, changed);
}

/* A plan that no one asked for: the proposed new state. */
static lc_call unasked(client *c, const lc_stored_object *prior, const lc_value *config)
{
    lc_call call = {.private_data = prior->private_data};
    call.result.state = call.identity.state = LC_FIELD_GIVEN;
    call.result.value = lc_proposed_new(c->arena, LC_TERRAFORM, c->schema->block, prior->state,
                                        with_text(c, config, "password_wo", "null"));
    call.identity.value = prior->identity;
    return call;
}

static lc_call plan_change(client *c, const lc_value *config, bool *replaces)
{
    begin(c, LC_WALK_PLAN, true);
    lc_stored_object prior = refreshed(c);
    validate(c, c->schema, config);
    lc_call planned =
        wrong(c, UNPLANNED) ? unasked(c, &prior, config) : plan(c, LC_CALL_PLAN, &prior, config);
    *replaces = planned.requires_replace.count != 0;
    if (*replaces && !wrong(c, REPLACED_ONCE))
        planned = plan(c, LC_CALL_PLAN_CREATE,
                       &(lc_stored_object){NULL, NULL, planned.private_data}, config);
    end(c);
    return planned;
}

static void change(client *c, const lc_value *config)
{
    bool replaces;
    begin(c, LC_WALK_PLAN, false);
    validate(c, c->schema, config);
    end(c);
    config = nonconforming(c, config);
    lc_call planned = plan_change(
        c, wrong(c, FINAL_UNKNOWN) ? with_unknown(c, config, "code") : config, &replaces);
    begin(c, LC_WALK_APPLY, true);
    lc_stored_object prior = upgraded(c, &c->object);
    if (replaces && !wrong(c, REPLACED_UNDELETED))
        apply(c, &prior, &(lc_call){.private_data = planned.private_data}, NULL);
    apply_planned(c, replaces ? &none : &prior, &planned, config);
    end(c);
}

/* An apply without a change is the fault. */
static void change_nothing(client *c, const lc_value *config)
{
    bool replaces;
    lc_call planned = plan_change(c, config, &replaces);
    if (!wrong(c, NOTHING_APPLIED))
        return;
    begin(c, LC_WALK_APPLY, true);
    lc_stored_object prior = upgraded(c, &c->object);
    validate(c, c->schema, config);
    apply(c, &prior, &planned, config);
    end(c);
}

static void delete (client *c, const lc_value *config)
{
    lc_call planned;
    begin(c, LC_WALK_PLAN, true);
    lc_stored_object prior = refreshed(c);
    lc_plan_question q = {.kind = LC_CALL_DESTROY_PLAN,
                          .prior = otherwise(c, DELETE_PRIOR_OTHER, prior.state),
                          .config = wrong(c, DELETE_CONFIGURED) ? config : NULL,
                          .proposed = wrong(c, DELETE_PROPOSED) ? prior.state : NULL,
                          .identity = prior.identity,
                          .private_data = prior.private_data};
    if (wrong(c, DELETE_CONFIGURED))
        q.proposed = null_of(c, c->schema->block->implied);
    lc_client_plan(c->asks, &planned, c->arena, c->schema, &q, nowhere);
    end(c);
    begin(c, LC_WALK_APPLY, true);
    prior = upgraded(c, &prior);
    apply(c, &prior, &(lc_call){.private_data = planned.private_data}, NULL);
    end(c);
}

/* ---- Other calls. */

/* A call with a value in one field, and what else the request has. */
static void call_with(client *c, const char *method, const char *type, const char *field,
                      const lc_value *v, const char *more)
{
    lc_buf value = {0}, json = {0}, request = {0};
    lc_source source;
    lc_live_call call;
    lc_str why = LC_STR_EMPTY;
    lc_question q = {.method = lc_wire_method_named(c->provider.protocol, lc_str_from_c(method))};
    lc_msgpack_encode(&value, v, v->type);
    lc_buf_printf(&json, "{%s,\"%s\":{\"msgpack\":\"", type, field);
    lc_base64_encode(&json, lc_buf_str(&value));
    lc_buf_printf(&json, "\"}%s}", more);
    lc_buf_release(&value);
    if (lc_json_parse(&source, c->arena, LC_STR("request"), lc_buf_take(c->arena, &json),
                      &LC_LIMITS_DEFAULT, &c->diags) != LC_OK ||
        !lc_wire_write(&request, c->arena, q.method->request, source.documents, &why))
        quit(method, why);
    q.request = lc_buf_take(c->arena, &request);
    lc_session_ask(c->session, &call, c->arena, &q, 1);
    if (call.status)
        fprintf(stderr, "%s: status %d: %.*s\n", method, call.status, LC_FMT(call.status_text));
    printf("%s %zu\n", method, call.response_count);
}

static void generate(client *c, const lc_value *state)
{
    call_with(c, "GenerateResourceConfig", "\"type_name\":\"full_thing\"", "state", state, "");
}

/* The objects that exist, and an action. */
static void list_and_act(client *c)
{
    begin(c, LC_WALK_PLAN, true);
    const lc_schema *schema = lc_client_schema(c->asks, LC_KIND_LIST, LC_STR("full_thing"));
    const lc_value *config = from_json(c, schema->block->implied, "{\"name\":null}");
    call_with(c, "ListResource", "\"type_name\":\"full_thing\"", "config", config,
              ",\"include_resource_object\":true,\"limit\":\"100\"");
    schema = lc_client_schema(c->asks, LC_KIND_ACTION, LC_STR("full_restart"));
    config = from_json(c, schema->block->implied, "{\"name\":\"n\"}");
    validate(c, schema, config);
    call_with(c, "PlanAction", "\"action_type\":\"full_restart\"", "config", config, "");
    call_with(c, "InvokeAction", "\"action_type\":\"full_restart\"", "config", config, "");
    end(c);
}

static void import(client *c, const lc_value *config)
{
    lc_call call;
    begin(c, LC_WALK_PLAN, true);
    lc_client_import(c->asks, &call, c->arena, c->schema, LC_STR("given"), NULL, nowhere);
    if (!call.imported.count)
        quit("import", LC_STR("no object"));
    const lc_imported *stub = call.imported.items;
    lc_stored_object object = {value_of(&stub->state), value_of(&stub->identity),
                               stub->private_data};
    object.identity = identity_of(c, object.identity, NONE, IMPORT_IDENTITY_OTHER);
    object.private_data = private_of(c, object.private_data, IMPORT_PRIVATE_DROPPED, NONE);
    object.state = otherwise(c, IMPORT_READ_OTHER, object.state);
    if (!wrong(c, IMPORT_UNREAD)) {
        lc_client_read(c->asks, &call, c->arena, c->schema, &object, nowhere);
        object =
            (lc_stored_object){value_of(&call.result), value_of(&call.identity), call.private_data};
    }
    if (wrong(c, GENERATED))
        generate(c, object.state);
    validate(c, c->schema, config);
    plan(c, LC_CALL_PLAN, &object, config);
    end(c);
}

static void read_data(client *c)
{
    lc_call call;
    begin(c, LC_WALK_PLAN, true);
    const lc_schema *schema = lc_client_schema(c->asks, LC_KIND_DATA, LC_STR("full_data"));
    const lc_value *config =
        from_json(c, schema->block->implied, "{\"id\":null,\"name\":\"n\",\"zones\":null}");
    if (wrong(c, DATA_EARLY))
        config = with_unknown(c, config, "name");
    validate(c, schema, config);
    lc_client_read_data(c->asks, &call, c->arena, schema, config, nowhere);
    schema = lc_client_schema(c->asks, LC_KIND_EPHEMERAL, LC_STR("full_token"));
    config = from_json(c, schema->block->implied, "{\"name\":\"n\",\"token\":null}");
    lc_client_open_ephemeral(c->asks, &call, c->arena, schema, config, nowhere);
    end(c);
}

static const char store_text[] = "{\"serial\": 1, \"outputs\": \"two chunks\"}";

static lc_call store(client *c, const lc_schema *schema, lc_store_op op, lc_str lock)
{
    lc_call call;
    const lc_store_question q = {
        .op = op,
        .config = op == LC_STORE_CONFIGURE
                      ? from_json(c, schema->block->implied, "{\"bucket\":\"b\"}")
                      : NULL,
        .state_id = LC_STR("default"),
        .lock_id = lock,
        .bytes = lc_str_from_c(store_text),
        .chunk_size = 24};
    lc_client_store(c->asks, &call, c->arena, schema, &q, nowhere);
    return call;
}

/* Did the chunks bring the state that was written? */
static bool is_whole(const lc_store_call *read)
{
    size_t at = 0;
    for (size_t i = 0; i < read->chunks.count; i++) {
        lc_str part = read->chunks.items[i].bytes;
        if (!lc_str_eq(part, lc_str_sub(lc_str_from_c(store_text), at, at + part.len)))
            return false;
        at += part.len;
    }
    return read->chunks.count == 2 && at == sizeof store_text - 1;
}

/* A state is written, read, listed and deleted while it is locked. */
static void use_locked(client *c, const lc_schema *schema, lc_str lock)
{
    lc_call second = store(c, schema, LC_STORE_LOCK, LC_STR_EMPTY);
    store(c, schema, LC_STORE_WRITE, LC_STR_EMPTY);
    lc_call read = store(c, schema, LC_STORE_READ, LC_STR_EMPTY);
    lc_call all = store(c, schema, LC_STORE_STATES, LC_STR_EMPTY);
    store(c, schema, LC_STORE_DELETE, LC_STR_EMPTY);
    lc_call left = store(c, schema, LC_STORE_STATES, LC_STR_EMPTY);
    lc_call other = store(c, schema, LC_STORE_UNLOCK, LC_STR("another"));
    lc_call unlocked = store(c, schema, LC_STORE_UNLOCK, lock);
    printf("states: locked again %d, read %d, listed %zu, left %zu, unlocked %d %d\n",
           second.failed == LC_NO, is_whole(read.store), all.store->states.count,
           left.store->states.count, other.failed == LC_NO, unlocked.failed == LC_NO);
}

/* Unless another client has the lock. */
static void keep_states(client *c)
{
    begin(c, LC_WALK_APPLY, true);
    const lc_schema *schema = lc_client_schema(c->asks, LC_KIND_STORE, LC_STR("full_store"));
    if (schema) {
        store(c, schema, LC_STORE_CONFIGURE, LC_STR_EMPTY);
        lc_call locked = store(c, schema, LC_STORE_LOCK, LC_STR_EMPTY);
        if (locked.failed == LC_NO)
            use_locked(c, schema, locked.store->lock_id);
    }
    end(c);
}

static void call_function(client *c)
{
    lc_call call;
    lc_value argument;
    begin(c, LC_WALK_PLAN, false);
    lc_value_set_string(&argument, c->arena, LC_STR("n"));
    if (wrong(c, ARGUMENT_NULL))
        lc_value_set_null(&argument, &lc_type_string);
    if (wrong(c, ARGUMENT_UNKNOWN))
        lc_value_set_unknown(&argument, &lc_type_string);
    lc_function_call f = {.name = LC_STR("named"), .has_arguments = true};
    *LC_PUSH(c->arena, &f.arguments, lc_field) =
        (lc_field){.state = LC_FIELD_GIVEN, .value = &argument};
    lc_client_call_function(c->asks, &call, c->arena,
                            lc_client_schema(c->asks, LC_KIND_PROVIDER, LC_STR_EMPTY), &f, nowhere);
    end(c);
}

/* ---- The start. */

static void find_provider(client *c)
{
    const char *text = getenv("TF_REATTACH_PROVIDERS");
    lc_source source;
    if (!text ||
        lc_json_parse(&source, c->arena, LC_STR("TF_REATTACH_PROVIDERS"), lc_str_from_c(text),
                      &LC_LIMITS_DEFAULT, &c->diags) != LC_OK ||
        !lc_node_member_count(source.documents))
        quit("TF_REATTACH_PROVIDERS", LC_STR("it is missing or no JSON"));
    const lc_member *entry = source.documents->as.members;
    c->provider =
        (lc_live_provider){.address = entry->key,
                           .version = LC_STR_EMPTY,
                           .binary = LC_STR_EMPTY,
                           .protocol = (int)lc_pj_int(&entry->value, "ProtocolVersion"),
                           .dial = lc_node_text(lc_node_get(&entry->value, "Addr"), "String")};
}

static fault_id fault_named(const char *word)
{
    for (size_t i = 1; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], word) == 0)
            return (fault_id)i;
    }
    quit(word, LC_STR("there is no such fault"));
}

static int print_faults(void)
{
#define FAULT(id, word, rules) printf("%s\t%s\n", word, rules);
#include "faults.def"
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "faults") == 0)
        return print_faults();
    client c = {.arena = lc_arena_new(), .object = none};
    c.fault = count > 1 ? fault_named(arguments[1]) : NONE;
    lc_diags_init(&c.diags, c.arena);
    find_provider(&c);
    lc_rpc_schemas_init(&c.schemas, c.arena, LC_STR("provider"), LC_LIMITS_DEFAULT);
    begin(&c, LC_WALK_PLAN, false); /* for the schema */
    end(&c);
    c.due = c.fault == NEVER_VALIDATED;
    change(&c, config_of(&c, "\"a\"", "[\"a\"]"));
    c.due = c.fault < NOTHING_APPLIED;
    const lc_value *config = config_of(&c, "\"a\"", "[\"b\"]");
    change(&c, config);
    c.due = !c.due || c.fault == NEVER_VALIDATED;
    change_nothing(&c, config);
    config = config_of(&c, "\"b\"", "[\"b\"]");
    change(&c, config);
    delete (&c, config);
    import(&c, config_of(&c, "null", "[\"b\"]"));
    list_and_act(&c);
    keep_states(&c);
    read_data(&c);
    call_function(&c);
    lc_arena_free(c.arena);
    return 0;
}

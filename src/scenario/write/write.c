/* A case written as a scenario. Calls become call groups if their order and number is not evidence,
 * else the long form `calls`. Everything that was given is written, and nothing that was derived
 * from it: the reader derives it again. */
#include "scenario/write/write.h"
#include "lifecheck/cloudformation/cloudcontrol.h"
#include "scenario/format/format.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/wire/grpc_status.h"

#include <string.h>

#define B(kind) LC_CALL_BIT(LC_CALL_##kind)
#define PLANS   (B(PLAN) | B(PLAN_CREATE) | B(DESTROY_PLAN) | B(FINAL_PLAN))
#define APPLIES (B(APPLY) | B(DESTROY))
#define READS   (B(READ) | B(REREAD))

typedef struct writer {
    lc_json json;
    const lc_schema *schema; /* of the run that is written */
} writer;

/* LC_NO and LC_NOT_KNOWN are both left out; a scenario reads a missing fact as "no". */
static void fact(writer *w, const char *name, lc_fact is)
{
    if (is == LC_YES)
        lc_json_bool(&w->json, name, true);
}

static void bytes(writer *w, const char *name, bool has, lc_str s)
{
    lc_buf base64 = {0};
    if (!has)
        return;
    lc_base64_encode(&base64, s);
    lc_json_str(&w->json, name, lc_buf_str(&base64));
    lc_buf_release(&base64);
}

/* 0 is the default of all numbers that are written here. */
static void number(writer *w, const char *name, int64_t n)
{
    if (n)
        lc_json_int(&w->json, name, n);
}

/* ---- Fields. */

/* Opens the JSON of one step down to the undecodable place and returns the type there; NULL if the
 * type does not have such a part, and then nothing is opened. Which element of a collection it was
 * does not matter. */
static const lc_type *step_down(lc_json *w, const lc_type *type, const lc_step *step)
{
    long at = type->kind == LC_TYPE_OBJECT ? lc_type_attr_index(type, step->name) : -1;
    if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET) {
        lc_json_array(w, NULL);
        return type->as.elem;
    }
    if (at < 0 && type->kind != LC_TYPE_MAP)
        return NULL;
    lc_json_object(w, NULL);
    lc_json_key(w, at < 0 ? LC_STR("key") : step->name);
    return at < 0 ? type->as.elem : type->as.attrs[at].type;
}

/* A value that certainly is of another type than this one. */
static void mismatched(lc_json *w, const lc_type *type)
{
    lc_json_object(w, NULL);
    lc_json_object(w, "$typed");
    if (lc_type_is_primitive(type)) {
        lc_json_raw(w, "type", LC_STR("[\"list\",\"bool\"]"));
        lc_json_raw(w, "value", LC_STR("[]"));
    } else {
        lc_json_c(w, "type", "bool");
        lc_json_bool(w, "value", true);
    }
    lc_json_end_object(w);
    lc_json_end_object(w);
}

/* A case does not keep the bytes that could not be decoded. This writes others that cannot be
 * decoded at the same path: "wQ==" is 0xc1, which MessagePack never uses. The opened objects and
 * arrays are closed on the way back. */
static void undecodable(lc_json *w, const lc_path *path, size_t at, const lc_type *type)
{
    const lc_type *below = at < path->count ? step_down(w, type, &path->steps[at]) : NULL;
    if (below) {
        undecodable(w, path, at + 1, below);
        if (type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_SET)
            lc_json_end_array(w);
        else
            lc_json_end_object(w);
    } else if (at == 0) {
        lc_json_object(w, NULL);
        lc_json_c(w, "$msgpack", "wQ==");
        lc_json_end_object(w);
    } else {
        mismatched(w, type);
    }
}

/* A value that came as JSON on the wire is written as JSON text again, because rules distinguish
 * the two encodings. */
/* JSON cannot hold strings that are not UTF-8. */
static void encoded(writer *w, const char *name, const lc_value *value, const lc_type *type)
{
    lc_buf bytes = {0}, base64 = {0};
    lc_msgpack_encode(&bytes, value, type);
    lc_base64_encode(&base64, lc_buf_str(&bytes));
    lc_json_object(&w->json, name);
    lc_json_str(&w->json, "$msgpack", lc_buf_str(&base64));
    lc_json_end_object(&w->json);
    lc_buf_release(&base64);
    lc_buf_release(&bytes);
}

static void typed(writer *w, const char *name, const lc_field *f, const lc_type *type)
{
    lc_str why;
    if (f->state != LC_FIELD_GIVEN && f->state != LC_FIELD_UNDECODABLE)
        return;
    if (f->state == LC_FIELD_UNDECODABLE) {
        if (name)
            lc_json_key(&w->json, lc_str_from_c(name));
        undecodable(&w->json, &f->problem_path, 0, type);
        return;
    }
    lc_buf json = {0};
    if (f->wire_json && lc_ctyjson_encode(&json, f->value, type, &why)) {
        lc_json_object(&w->json, name);
        lc_json_str(&w->json, "$json", lc_buf_str(&json));
        lc_json_end_object(&w->json);
    } else if (f->wire_notes & LC_WIRE_NOTE_BAD_UTF8) {
        encoded(w, name, f->value, type);
    } else {
        lc_value_add_scenario_json(lc_json_value(&w->json, name), f->value, type);
    }
    lc_buf_release(&json);
}

/* An object of the run's schema. */
static void object(writer *w, const char *name, const lc_field *f)
{
    typed(w, name, f, w->schema->block->implied);
}

/* A scenario states all schemas. An identity from a recording without identity schemas (untyped)
 * would look like one that the provider has no schema for, so it is left out. */
static void identity(writer *w, const char *name, const lc_field *f)
{
    if (f->untyped)
        return;
    typed(w, name, f, w->schema->identity_type ? w->schema->identity_type : &lc_type_dynamic);
}

static void raw(writer *w, const char *name, bool has, const lc_field *f)
{
    if (has)
        typed(w, name, f, &lc_type_dynamic);
}

/* ---- Requests. */

static void source_of_move(writer *w, const lc_call *c)
{
    raw(w, "source_state", c->raw.has_attributes, &c->raw.attributes);
    number(w, "source_schema_version", c->raw.schema_version);
    raw(w, "source_identity", c->raw.has_identity, &c->raw.identity);
    number(w, "source_identity_schema_version", c->raw.identity_schema_version);
    bytes(w, "source_private", c->raw.has_private, c->raw.private_data);
    if (c->has_type_name)
        lc_json_str(&w->json, "source_type_name", c->type_name);
}

static void stored(writer *w, const lc_call *c)
{
    if (!c->raw.given)
        return;
    if (c->kind == LC_CALL_MOVE) {
        source_of_move(w, c);
    } else if (c->kind == LC_CALL_UPGRADE) {
        raw(w, "raw_state", c->raw.has_attributes, &c->raw.attributes);
        number(w, "version", c->raw.schema_version);
    } else if (c->kind == LC_CALL_UPGRADE_IDENTITY) {
        raw(w, "raw_identity", c->raw.has_identity, &c->raw.identity);
        number(w, "version", c->raw.identity_schema_version);
    }
}

/* Recordings spell codes as Go does, "DeadlineExceeded", scenarios as the protocol does. */
static bool is_code(lc_str recorded, const char *word)
{
    size_t i = 0;
    for (; *word && i < recorded.len; word++) {
        if (*word == '_')
            continue;
        if (lc_to_upper(recorded.ptr[i++]) != *word)
            return false;
    }
    return !*word && i == recorded.len;
}

static lc_str status_code(lc_str recorded)
{
    if (lc_str_is(recorded, "Canceled"))
        return LC_STR("CANCELLED");
    for (size_t i = 0; lc_grpc_status_names[i]; i++) {
        if (is_code(recorded, lc_grpc_status_names[i]))
            return lc_str_from_c(lc_grpc_status_names[i]);
    }
    return LC_STR("UNKNOWN");
}

static void rpc_status(writer *w, const lc_call *c)
{
    if (c->broke != LC_YES)
        return;
    lc_json_object(&w->json, "rpc_status");
    lc_json_str(&w->json, "code", status_code(c->broke_with));
    if (c->last_words.len)
        lc_json_str(&w->json, "message", c->last_words);
    lc_json_end_object(&w->json);
}

/* The values of a function have the types of its signature. */
static void function_request(writer *w, const lc_call *c)
{
    const lc_function_call *f = c->function;
    const lc_function *known = lc_schema_function(w->schema, f->name);
    bool whole = f->has_arguments;
    lc_json_str(&w->json, "name", f->name);
    for (size_t i = 0; i < f->arguments.count; i++)
        whole = whole && f->arguments.items[i].state != LC_FIELD_ABSENT;
    if (!whole)
        return;
    lc_json_array(&w->json, "arguments");
    for (size_t i = 0; i < f->arguments.count; i++) {
        const lc_parameter *p = lc_function_parameter(known, i);
        typed(w, NULL, &f->arguments.items[i], p && p->type ? p->type : &lc_type_dynamic);
    }
    lc_json_end_array(&w->json);
}

/* The text of an error may quote values, and no rule reads it. */
static void function_response(writer *w, const lc_call *c)
{
    const lc_function_call *f = c->function;
    const lc_function *known = lc_schema_function(w->schema, f->name);
    typed(w, "result", &f->result,
          known && known->return_type ? known->return_type : &lc_type_dynamic);
    if (f->has_error) {
        lc_json_object(&w->json, "error");
        if (f->has_error_argument)
            lc_json_int(&w->json, "function_argument", f->error_argument);
        lc_json_end_object(&w->json);
    }
    rpc_status(w, c);
}

/* Call groups and the long form name some fields differently, and each does not have some of the
 * other's.
 */
static void request(writer *w, const lc_call *c, bool group)
{
    if (c->function) {
        function_request(w, c);
        return;
    }
    unsigned bit = LC_CALL_BIT(c->kind);
    object(w, "config", &c->config);
    object(w, bit & READS ? "current_state" : "prior_state", &c->prior_state);
    object(w, "proposed_new_state", &c->proposed);
    object(w, c->kind == LC_CALL_DATA ? "planned" : "planned_state", &c->planned);
    stored(w, c);
    if (bit & PLANS)
        identity(w, "prior_identity", &c->prior_identity);
    else if (bit & READS)
        identity(w, "current_identity", &c->prior_identity);
    else if (c->kind == LC_CALL_IMPORT)
        identity(w, "identity", &c->prior_identity);
    else if (bit & APPLIES)
        identity(w, "planned_identity", &c->planned_identity);
    if (bit & PLANS)
        bytes(w, "prior_private", c->has_request_private, c->request_private);
    else if (bit & APPLIES)
        bytes(w, "planned_private", c->has_request_private, c->request_private);
    else if ((bit & READS) && !group)
        bytes(w, "private", c->has_request_private, c->request_private);
    if (c->has_type_name && c->kind != LC_CALL_MOVE && (!group || c->kind == LC_CALL_IMPORT))
        lc_json_str(&w->json, "type_name", c->type_name);
    if (c->has_import_id)
        lc_json_str(&w->json, "id", c->import_id);
    if (group && c->command_line)
        fact(w, "command_line", LC_YES);
    if (group && c->kind == LC_CALL_DATA)
        lc_json_str(&w->json, "phase", c->applying == LC_YES ? LC_STR("apply") : LC_STR("plan"));
}

/* ---- Responses. */

static void add_path(writer *w, const char *name, lc_path path)
{
    lc_buf written = {0};
    lc_path_add_text(&written, path);
    lc_json_str(&w->json, name, lc_buf_str(&written));
    lc_buf_release(&written);
}

static void paths(writer *w, const char *name, const lc_located_path *items, size_t count)
{
    lc_json_array(&w->json, name);
    for (size_t i = 0; i < count; i++)
        add_path(w, NULL, items[i].path);
    lc_json_end_array(&w->json);
}

static void diagnostic(writer *w, const lc_provider_diag *d)
{
    lc_json_object(&w->json, NULL);
    lc_json_c(&w->json, "severity", lc_provider_severity_name(d->severity));
    if (d->summary.len)
        lc_json_str(&w->json, "summary", d->summary);
    if (d->detail.len)
        lc_json_str(&w->json, "detail", d->detail);
    if (d->has_path)
        add_path(w, "path", d->path);
    lc_json_end_object(&w->json);
}

/* A scenario derives from error diagnostics that a call failed. A failed call without one gets an
 * empty error diagnostic, so that it stays failed. */
static void diagnostics(writer *w, const lc_call *c)
{
    static const lc_provider_diag unsaid = {.severity = LC_SEVERITY_ERROR};
    bool error = false;
    for (size_t i = 0; i < c->diagnostics.count; i++)
        error |= c->diagnostics.items[i].severity == LC_SEVERITY_ERROR;
    bool own = c->failed == LC_YES && !error && c->broke != LC_YES;
    if (c->diagnostics.count == 0 && !own)
        return;
    lc_json_array(&w->json, "diagnostics");
    for (size_t i = 0; i < c->diagnostics.count; i++)
        diagnostic(w, &c->diagnostics.items[i]);
    if (own)
        diagnostic(w, &unsaid);
    lc_json_end_array(&w->json);
}

static void imported(writer *w, const lc_call *c)
{
    if (c->kind != LC_CALL_IMPORT || !c->imported.items)
        return;
    lc_json_array(&w->json, "imported_resources");
    for (size_t i = 0; i < c->imported.count; i++) {
        const lc_imported *o = &c->imported.items[i];
        lc_json_object(&w->json, NULL);
        if (o->has_type_name)
            lc_json_str(&w->json, "type_name", o->type_name);
        bool foreign = o->has_type_name && !lc_str_eq(o->type_name, w->schema->type_name);
        typed(w, "state", &o->state, foreign ? &lc_type_dynamic : w->schema->block->implied);
        identity(w, "identity", &o->identity);
        bytes(w, "private", o->has_private, o->private_data);
        lc_json_end_object(&w->json);
    }
    lc_json_end_array(&w->json);
}

/* `events: null`: there was no stream. Without the key it is not known whether there was one. */
static void events(writer *w, const lc_call *c)
{
    if (c->kind != LC_CALL_ACTION || c->streamed == LC_NOT_KNOWN)
        return;
    if (c->streamed == LC_NO) {
        lc_json_null(&w->json, "events");
        return;
    }
    lc_json_array(&w->json, "events");
    for (size_t i = 0; i < c->events.count; i++) {
        lc_json_object(&w->json, NULL);
        lc_json_object(&w->json, lc_event_kind_name(c->events.items[i].kind));
        lc_json_end_object(&w->json);
        lc_json_end_object(&w->json);
    }
    lc_json_end_array(&w->json);
}

static void listed_objects(writer *w, const lc_list_call *list)
{
    lc_json_array(&w->json, "events");
    for (size_t i = 0; i < list->events.count; i++) {
        const lc_listed *e = &list->events.items[i];
        lc_json_object(&w->json, NULL);
        identity(w, "identity", &e->identity);
        object(w, "resource_object", &e->object);
        if (e->failed)
            lc_json_bool(&w->json, "error", true);
        if (e->warned)
            lc_json_bool(&w->json, "warning", true);
        lc_json_end_object(&w->json);
    }
    lc_json_end_array(&w->json);
}

static void known_objects(writer *w, const lc_list_call *list)
{
    if (list->known.count == 0 || !w->schema->identity_type)
        return;
    lc_json_array(&w->json, "known");
    for (size_t i = 0; i < list->known.count; i++) {
        const lc_known_object *o = &list->known.items[i];
        lc_json_object(&w->json, NULL);
        encoded(w, "identity", o->identity, w->schema->identity_type);
        if (o->state)
            encoded(w, "state", o->state, w->schema->block->implied);
        if (o->created)
            lc_json_bool(&w->json, "created", true);
        lc_json_end_object(&w->json);
    }
    lc_json_end_array(&w->json);
}

static void list_call(writer *w, const lc_list_call *list)
{
    if (!list)
        return;
    number(w, "limit", list->limit);
    if (list->include_object)
        lc_json_bool(&w->json, "include_resource_object", true);
    if (list->filtered)
        lc_json_bool(&w->json, "filtered", true);
    known_objects(w, list);
    listed_objects(w, list);
}

/* State is never written: it holds every secret of a configuration. */
static void chunk(writer *w, const lc_chunk *c)
{
    lc_json_object(&w->json, NULL);
    lc_json_uint(&w->json, "length", c->length);
    lc_json_int(&w->json, "total_length", c->total);
    if (c->has_range) {
        lc_json_int(&w->json, "start", c->start);
        lc_json_int(&w->json, "end", c->end);
    }
    if (c->failed)
        lc_json_bool(&w->json, "error", true);
    lc_json_end_object(&w->json);
}

static void store_call(writer *w, const lc_store_call *c)
{
    if (!c)
        return;
    lc_json_c(&w->json, "op", lc_store_op_name(c->op));
    if (c->state_id.len)
        lc_json_str(&w->json, "state_id", c->state_id);
    if (c->lock_id.len)
        lc_json_str(&w->json, "lock_id", c->lock_id);
    number(w, "chunk_size", c->chunk_size > 0 ? c->chunk_size : 0);
    if (c->states_known) {
        lc_json_array(&w->json, "states");
        for (size_t i = 0; i < c->states.count; i++)
            lc_json_str(&w->json, NULL, c->states.items[i]);
        lc_json_end_array(&w->json);
    }
    if (c->chunks.count) {
        lc_json_array(&w->json, "chunks");
        for (size_t i = 0; i < c->chunks.count; i++)
            chunk(w, &c->chunks.items[i]);
        lc_json_end_array(&w->json);
    }
}

static const char *result_name(lc_call_kind kind)
{
    unsigned bit = LC_CALL_BIT(kind);
    if (bit & PLANS)
        return "planned_state";
    if (bit & (APPLIES | READS))
        return "new_state";
    return kind == LC_CALL_UPGRADE ? "upgraded_state"
           : kind == LC_CALL_MOVE  ? "target_state"
           : kind == LC_CALL_DATA  ? "state"
                                   : "result";
}

static const char *identity_name(lc_call_kind kind)
{
    unsigned bit = LC_CALL_BIT(kind);
    if (bit & PLANS)
        return "planned_identity";
    return bit & (APPLIES | READS) ? "new_identity"
           : kind == LC_CALL_MOVE  ? "target_identity"
                                   : "upgraded_identity";
}

static void response(writer *w, const lc_call *c, bool group)
{
    if (c->function) {
        function_response(w, c);
        return;
    }
    unsigned bit = LC_CALL_BIT(c->kind);
    lc_field result = c->result;
    /* The result of an upgrade is derived from the stored object where there is one. Without one it
     * was derived by the reader of a plan, and would be lost. */
    if (c->kind == LC_CALL_UPGRADE && !c->raw.given && result.state == LC_FIELD_DERIVED)
        result.state = LC_FIELD_GIVEN;
    object(w, result_name(c->kind), &result);
    identity(w, identity_name(c->kind), &c->identity);
    if (c->requires_replace.count)
        paths(w, "requires_replace", c->requires_replace.items, c->requires_replace.count);
    fact(w, "legacy_type_system", c->legacy);
    if (c->deferred == LC_YES) {
        lc_json_object(&w->json, "deferred");
        if (c->deferred_reason.len)
            lc_json_str(&w->json, "reason", c->deferred_reason);
        lc_json_end_object(&w->json);
    }
    diagnostics(w, c);
    rpc_status(w, c);
    if (bit & PLANS)
        bytes(w, "planned_private", c->has_private, c->private_data);
    else if (c->kind == LC_CALL_MOVE)
        bytes(w, "target_private", c->has_private, c->private_data);
    else
        bytes(w, "private", c->has_private, c->private_data);
    imported(w, c);
    events(w, c);
    list_call(w, c->list);
    store_call(w, c->store);
    object(w, "prepared_config", &c->prepared_config);
    if (group)
        object(w, "generated_config", &c->generated_config);
}

/* Only what was stated: the rest is left open. */
static void expected(writer *w, const lc_call *c)
{
    if (!c->expected)
        return;
    lc_call want = *c->expected;
    unsigned stated = want.stated;
    want.diagnostics.count = stated & LC_STATES_DIAGNOSTICS ? want.diagnostics.count : 0;
    lc_json_object(&w->json, "expected");
    response(w, &want, false);
    if (stated & LC_STATES_DIAGNOSTICS && want.diagnostics.count == 0) {
        lc_json_array(&w->json, "diagnostics");
        lc_json_end_array(&w->json);
    }
    if (stated & LC_STATES_REPLACE && want.requires_replace.count == 0)
        paths(w, "requires_replace", NULL, 0);
    lc_json_end_object(&w->json);
}

/* ---- Calls. */

/* RPC names of the call kinds that exist for several kinds of schema. */
static lc_str rpc_of(const lc_schema *schema, lc_call_kind kind)
{
    if (kind == LC_CALL_VALIDATE && schema->kind == LC_KIND_DATA)
        return LC_STR("ValidateDataResourceConfig");
    if (kind == LC_CALL_VALIDATE && schema->kind == LC_KIND_EPHEMERAL)
        return LC_STR("ValidateEphemeralResourceConfig");
    return lc_str_from_c(lc_call_rpc(kind));
}

/* Phase and leg are written wherever the RPC alone does not determine the kind of call. */
static void long_call(writer *w, const lc_call *c)
{
    lc_json *json = &w->json;
    lc_call_kind kind = c->kind;
    bool applying = kind == LC_CALL_FINAL_PLAN || (LC_CALL_BIT(kind) & APPLIES) ||
                    kind == LC_CALL_REREAD || (kind == LC_CALL_DATA && c->applying == LC_YES);
    bool destroy = kind == LC_CALL_DESTROY_PLAN || kind == LC_CALL_DESTROY;
    lc_json_object(json, NULL);
    lc_json_str(json, "rpc", rpc_of(w->schema, kind));
    if (applying)
        lc_json_c(json, "phase", "apply");
    else if ((LC_CALL_BIT(kind) & PLANS) || kind == LC_CALL_DATA)
        lc_json_c(json, "phase", "plan");
    if (destroy || kind == LC_CALL_PLAN_CREATE)
        lc_json_c(json, "leg", destroy ? "destroy" : "create");
    if (c->deposed.len)
        lc_json_str(json, "deposed", c->deposed);
    lc_json_object(json, "request");
    request(w, c, false);
    lc_json_end_object(json);
    lc_json_object(json, "response");
    response(w, c, false);
    lc_json_end_object(json);
    expected(w, c);
    lc_json_end_object(json);
}

/* The configuration that the provider generated for an imported object is a call of its own. */
static void long_generation(writer *w, const lc_call *c)
{
    lc_json_object(&w->json, NULL);
    lc_json_c(&w->json, "rpc", "GenerateResourceConfig");
    lc_json_object(&w->json, "response");
    typed(w, "config", &c->generated_config, w->schema->block->implied);
    lc_json_end_object(&w->json);
    lc_json_end_object(&w->json);
}

static void long_calls(writer *w, const lc_run *run)
{
    lc_json_array(&w->json, "calls");
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *c = &run->calls.items[i];
        long_call(w, c);
        if (c->generated_config.state == LC_FIELD_GIVEN)
            long_generation(w, c);
    }
    lc_json_end_array(&w->json);
}

static void group_body(writer *w, const char *name, const lc_call *c)
{
    lc_json_object(&w->json, name);
    request(w, c, true);
    response(w, c, true);
    expected(w, c);
    lc_json_end_object(&w->json);
}

/* All calls of a kind in one list, as two of the call groups can be. */
static void listed(writer *w, const lc_run *run, lc_call_kind kind)
{
    bool any = false;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind != kind)
            continue;
        if (!any)
            lc_json_array(&w->json, lc_call_kind_name(kind));
        any = true;
        group_body(w, NULL, &run->calls.items[i]);
    }
    if (any)
        lc_json_end_array(&w->json);
}

static bool is_listed(lc_call_kind kind)
{
    return kind == LC_CALL_VALIDATE || kind == LC_CALL_FUNCTION || kind == LC_CALL_LIST ||
           kind == LC_CALL_STORE;
}

static void groups(writer *w, const lc_run *run)
{
    listed(w, run, LC_CALL_VALIDATE);
    listed(w, run, LC_CALL_FUNCTION);
    listed(w, run, LC_CALL_LIST);
    listed(w, run, LC_CALL_STORE);
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *c = &run->calls.items[i];
        if (!is_listed(c->kind))
            group_body(w, lc_call_kind_name(c->kind), c);
    }
}

/* Lists and calls of state stores have no long form, and their groups are in order. */
static bool is_gathered(const lc_run *run)
{
    bool all = run->calls.count > 0;
    for (size_t i = 0; i < run->calls.count; i++)
        all &= run->calls.items[i].list || run->calls.items[i].store;
    return all;
}

/* Can all calls be groups? Each kind has one group, so no kind may occur twice that is not listed.
 */
static bool are_groups(const lc_run *run)
{
    unsigned seen = 0;
    for (size_t i = 0; i < run->calls.count; i++) {
        unsigned bit = LC_CALL_BIT(run->calls.items[i].kind);
        if ((seen & bit) && !is_listed(run->calls.items[i].kind))
            return false;
        seen |= bit;
    }
    return !run->order_known;
}

/* ---- Runs. */

/* plan_destroy false is written, because a missing key means that it is not known. */
static void capabilities(writer *w, const lc_capabilities *c)
{
    bool provider = c->plan_destroy != LC_NOT_KNOWN || c->move_resource_state != LC_NOT_KNOWN;
    if (!provider && c->generate_resource_config != LC_YES && c->deferral_allowed != LC_YES &&
        c->write_only_attributes_allowed != LC_YES && c->computed_blocks_allowed != LC_YES)
        return;
    lc_json_object(&w->json, "capabilities");
    if (c->plan_destroy == LC_NO)
        lc_json_bool(&w->json, "plan_destroy", false);
    fact(w, "plan_destroy", c->plan_destroy);
    fact(w, "move_resource_state", c->move_resource_state);
    fact(w, "generate_resource_config", c->generate_resource_config);
    fact(w, "deferral_allowed", c->deferral_allowed);
    fact(w, "write_only_attributes_allowed", c->write_only_attributes_allowed);
    fact(w, "computed_blocks_allowed", c->computed_blocks_allowed);
    lc_json_end_object(&w->json);
}

static void document(writer *w, const char *name, const lc_cfn_doc *doc)
{
    if (doc)
        lc_cfn_doc_add_json(lc_json_value(&w->json, name), doc, false);
}

static void cloud_control(writer *w, const lc_cloud_control *c)
{
    if (!c)
        return;
    lc_json_object(&w->json, "cloud_control");
    document(w, "desired_state", c->desired_state);
    document(w, "patch", c->patch);
    document(w, "current_state", c->current_state);
    if (c->not_found)
        lc_json_null(&w->json, "current_state");
    if (c->has_identifier)
        lc_json_str(&w->json, "identifier", c->identifier);
    if (c->has_identifiers) {
        lc_json_array(&w->json, "identifiers");
        for (size_t i = 0; i < c->identifier_count; i++)
            lc_json_str(&w->json, NULL, c->identifiers[i]);
        lc_json_end_array(&w->json);
    }
    lc_json_end_object(&w->json);
}

static bool is_unconfigured(const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].configured == LC_NO)
            return true;
    }
    return false;
}

static bool is_applied_unplanned(const lc_run *run)
{
    return lc_run_call(run, LC_CALL_APPLY) && !lc_run_call(run, LC_CALL_PLAN) &&
           !lc_run_call(run, LC_CALL_PLAN_CREATE) && !lc_run_call(run, LC_CALL_FINAL_PLAN);
}

static void circumstances(writer *w, const lc_run *run)
{
    if (run->has_tainted)
        fact(w, "tainted", run->tainted);
    fact(w, "create_before_destroy", run->create_before_destroy);
    fact(w, "force_replace", run->force_replace);
    fact(w, "refresh_only", run->refresh_only);
    if (run->probed)
        lc_json_bool(&w->json, "probed", true);
    if (run->newer)
        lc_json_bool(&w->json, "newer", true);
    if (is_unconfigured(run))
        lc_json_bool(&w->json, "configured", false);
    if (is_applied_unplanned(run)) /* nothing else depends on it */
        fact(w, "all_calls", run->all_calls);
    if (run->in_metadata != LC_NOT_KNOWN)
        lc_json_bool(&w->json, "in_metadata", run->in_metadata == LC_YES);
    fact(w, "depends_on_pending", run->depends_on_pending);
    if (run->ignore_all)
        lc_json_c(&w->json, "ignore_changes", "all");
    else if (run->has_ignore_changes)
        paths(w, "ignore_changes", run->ignore_changes.items, run->ignore_changes.count);
    if (run->ephemeral.count)
        paths(w, "ephemeral_values", run->ephemeral.items, run->ephemeral.count);
    if (run->recorded != LC_ACTION_NONE)
        lc_json_str(&w->json, "recorded_action", lc_str_from_c(lc_action_name(run->recorded)));
    if (run->deposed.len)
        lc_json_str(&w->json, "deposed", run->deposed);
    capabilities(w, &run->capabilities);
    identity(w, "prior_identity", &run->prior_identity);
    bytes(w, "prior_private", run->has_prior_private, run->prior_private);
    cloud_control(w, run->cloud_control);
}

static void previous_run_state(writer *w, const lc_raw_state *stored)
{
    if (!stored->given)
        return;
    if (stored->has_attributes && stored->attributes.value &&
        lc_is_null(stored->attributes.value)) {
        lc_json_null(&w->json, "previous_run_state");
        return;
    }
    lc_json_object(&w->json, "previous_run_state");
    number(w, "schema_version", stored->schema_version);
    raw(w, "attributes", stored->has_attributes, &stored->attributes);
    raw(w, "identity", stored->has_identity, &stored->identity);
    number(w, "identity_schema_version", stored->identity_schema_version);
    bytes(w, "private", stored->has_private, stored->private_data);
    fact(w, "tainted", stored->tainted);
    lc_json_end_object(&w->json);
}

/* If the run has a ReadResource, its response is the prior state, and writing both is an error. */
static bool prior_was_read(const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *c = &run->calls.items[i];
        if (c->kind == LC_CALL_READ && c->result.state != LC_FIELD_ABSENT &&
            (c->result.value == run->prior_state.value || !run->order_known))
            return true;
    }
    return false;
}

/* `own_schema`: the runs of the case have different schemas, so each writes its own. */
static void write_run(writer *w, const lc_run *run, bool own_schema)
{
    w->schema = run->schema;
    lc_json_object(&w->json, NULL);
    if (own_schema)
        lc_write_schema(&w->json, "schema", run->schema);
    circumstances(w, run);
    previous_run_state(w, &run->previous_run_state);
    object(w, "config", &run->config);
    if (!prior_was_read(run))
        object(w, "prior_state", &run->prior_state);
    object(w, "final_config", &run->final_config);
    if (are_groups(run) || is_gathered(run))
        groups(w, run);
    else if (run->calls.count || run->order_known)
        long_calls(w, run);
    lc_json_end_object(&w->json);
}

void lc_write_case(lc_buf *out, const lc_case *subject)
{
    writer w = {.json = {.out = out}};
    lc_buf resource = {0};
    bool function = subject->runs.count && subject->runs.items[0].calls.count &&
                    subject->runs.items[0].calls.items[0].function;
    lc_str type = subject->type.len ? subject->type : LC_STR("example");
    lc_buf_printf(&resource, "%.*s%s", LC_FMT(type), function ? "" : ".example");
    lc_json_object(&w.json, NULL);
    lc_json_uint(&w.json, "lifecheck", 1);
    lc_json_str(&w.json, "resource", lc_buf_str(&resource));
    lc_buf_release(&resource);
    bool shared = subject->runs.count > 0;
    for (size_t i = 1; i < subject->runs.count; i++)
        shared = shared && subject->runs.items[i].schema == subject->runs.items[0].schema;
    if (shared)
        lc_write_schema(&w.json, "schema", subject->runs.items[0].schema);
    lc_json_array(&w.json, "runs");
    for (size_t i = 0; i < subject->runs.count; i++)
        write_run(&w, &subject->runs.items[i], !shared);
    lc_json_end_array(&w.json);
    lc_json_end_object(&w.json);
}

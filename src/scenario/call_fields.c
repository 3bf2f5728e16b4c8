/* The fields of calls: which name sets which target in which kind of call and spelling, and how a
 * target is stored in the call. Setting a target twice is an error, also by two different spellings
 * (for example, a short key and a call group). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/wire/grpc_status.h"
#include "scenario/calls.h"

#include <string.h>

#define B(kind)   LC_CALL_BIT(LC_CALL_##kind)
#define PLANS     (B(PLAN) | B(PLAN_CREATE) | B(DESTROY_PLAN) | B(FINAL_PLAN))
#define APPLIES   (B(APPLY) | B(DESTROY))
#define READS     (B(READ) | B(REREAD))
#define ALL_CALLS (LC_CALL_BIT(LC_CALL_KIND_COUNT) - 1u)

/* Most names are those of the provider protocol, so that recorded messages can be pasted. A name
 * may occur several times with different kinds or spellings: `planned_state` is the response of a
 * plan, but part of the request of an apply. UNUSED fields are accepted and not read. */
static const struct {
    const char *name;
    unsigned calls;
    unsigned forms;
    lc_call_target target;
} fields[] = {
    {"config", PLANS | APPLIES | B(VALIDATE) | B(DATA) | B(OPEN) | B(ACTION), G | Q, CONFIG},
    {"prior_state", PLANS | APPLIES, G | Q, PRIOR},
    {"current_state", READS, G | Q, PRIOR},
    {"proposed_new_state", PLANS, G | Q, PROPOSED},
    {"planned_state", PLANS, G | R, RESULT},
    {"planned_state", APPLIES, G | Q, PLANNED},
    {"planned", B(DATA), G, PLANNED},
    {"phase", B(DATA), G, WHEN},
    {"new_state", APPLIES | READS, G | R, RESULT},
    {"upgraded_state", B(UPGRADE), G | R, RESULT},
    {"target_state", B(MOVE), G | R, RESULT},
    {"state", B(DATA), G | R, RESULT},
    {"result", B(OPEN), G | R, RESULT},
    {"requires_replace", PLANS, G | R, REPLACE},
    {"legacy_type_system", PLANS | APPLIES, G | R, LEGACY},
    {"deferred", PLANS | READS | B(IMPORT) | B(DATA) | B(OPEN) | B(ACTION), G | R, DEFERRED},
    {"diagnostics", ALL_CALLS & ~B(FUNCTION), G | R, DIAGNOSTICS},
    {"rpc_status", ALL_CALLS, G | R, RPC_STATUS},
    {"identity", PLANS | APPLIES | READS | B(MOVE) | B(UPGRADE_IDENTITY), G, IDENTITY},
    {"planned_identity", PLANS, G | R, IDENTITY},
    {"new_identity", APPLIES | READS, G | R, IDENTITY},
    {"target_identity", B(MOVE), G | R, IDENTITY},
    {"upgraded_identity", B(UPGRADE_IDENTITY), G | R, IDENTITY},
    {"prior_identity", PLANS, G | Q, PRIOR_IDENTITY},
    {"current_identity", READS, G | Q, PRIOR_IDENTITY},
    {"identity", B(IMPORT), G | Q, PRIOR_IDENTITY},
    {"planned_identity", APPLIES, G | Q, PLANNED_IDENTITY},
    {"private", PLANS | APPLIES | READS | B(MOVE) | B(OPEN), G, PRIVATE},
    {"private", READS | APPLIES | B(OPEN), R, PRIVATE},
    {"planned_private", PLANS, G | R, PRIVATE},
    {"target_private", B(MOVE), G | R, PRIVATE},
    {"prior_private", PLANS, G | Q, REQUEST_PRIVATE},
    {"planned_private", APPLIES, G | Q, REQUEST_PRIVATE},
    {"planned_private", PLANS, Q, UNUSED},
    {"private", READS, Q, REQUEST_PRIVATE},
    {"raw_state", B(UPGRADE), G | Q, RAW_STATE},
    {"version", B(UPGRADE), G | Q, RAW_VERSION},
    {"raw_identity", B(UPGRADE_IDENTITY), G | Q, RAW_IDENTITY},
    {"version", B(UPGRADE_IDENTITY), G | Q, RAW_IDENTITY_VERSION},
    {"source_state", B(MOVE), G | Q, RAW_STATE},
    {"source_schema_version", B(MOVE), G | Q, RAW_VERSION},
    {"source_identity", B(MOVE), G | Q, RAW_IDENTITY},
    {"source_identity_schema_version", B(MOVE), G | Q, RAW_IDENTITY_VERSION},
    {"source_private", B(MOVE), G | Q, RAW_PRIVATE},
    {"source_type_name", B(MOVE), G | Q, TYPE_NAME},
    {"source_provider_address", B(MOVE), G | Q, UNUSED},
    {"target_type_name", B(MOVE), G | Q, UNUSED},
    {"type_name", B(IMPORT), G, TYPE_NAME},
    {"type_name", ALL_CALLS & ~(B(MOVE) | B(FUNCTION)), Q, TYPE_NAME},
    {"id", B(IMPORT), G | Q, IMPORT_ID},
    {"command_line", B(IMPORT), G, COMMAND_LINE},
    {"imported", B(IMPORT), G, IMPORTED},
    {"imported_resources", B(IMPORT), G | R, IMPORTED},
    {"generated_config", B(IMPORT), G, GENERATED},
    {"prepared_config", B(VALIDATE), G | R, PREPARED},
    {"events", B(ACTION), G | R, EVENTS},
    {"expected", ALL_CALLS, G, EXPECTED},
    {"action_type", B(ACTION), Q, UNUSED},
    {"renew_at", B(OPEN), G | R, UNUSED},
    {"provider_meta", PLANS | APPLIES | READS | B(DATA), Q, UNUSED},
    {"client_capabilities", ALL_CALLS & ~B(FUNCTION), Q, CLIENT},
    {"name", B(FUNCTION), G | Q, FUNCTION_NAME},
    {"arguments", B(FUNCTION), G | Q, FUNCTION_ARGUMENTS},
    {"result", B(FUNCTION), G | R, FUNCTION_RESULT},
    {"error", B(FUNCTION), G | R, FUNCTION_ERROR},
    {"limit", B(LIST), G, LIMIT},
    {"include_resource_object", B(LIST), G, INCLUDE_OBJECT},
    {"filtered", B(LIST), G, FILTERED},
    {"events", B(LIST), G, LISTED},
    {"known", B(LIST), G, KNOWN_OBJECTS},
    {"op", B(STORE), G, STORE_OP},
    {"state_id", B(STORE), G, STATE_ID},
    {"lock_id", B(STORE), G, LOCK_ID},
    {"chunk_size", B(STORE), G, CHUNK_SIZE},
    {"states", B(STORE), G, STATES},
    {"chunks", B(STORE), G, CHUNKS},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

/* What the JSON Schema of the format allows for a target. */
static const lc_shape shapes[TARGET_COUNT] = {
    [CONFIG] = LC_SHAPE_VALUE,
    [PRIOR] = LC_SHAPE_VALUE,
    [PROPOSED] = LC_SHAPE_VALUE,
    [PLANNED] = LC_SHAPE_VALUE,
    [RESULT] = LC_SHAPE_VALUE,
    [IDENTITY] = LC_SHAPE_IDENTITY_VALUE,
    [PRIOR_IDENTITY] = LC_SHAPE_IDENTITY_VALUE,
    [PLANNED_IDENTITY] = LC_SHAPE_IDENTITY_VALUE,
    [PRIVATE] = LC_SHAPE_BYTES,
    [REQUEST_PRIVATE] = LC_SHAPE_BYTES,
    [RAW_STATE] = LC_SHAPE_OBJECT,
    [RAW_VERSION] = LC_SHAPE_COUNT,
    [RAW_IDENTITY] = LC_SHAPE_OBJECT,
    [RAW_PRIVATE] = LC_SHAPE_BYTES,
    [RAW_IDENTITY_VERSION] = LC_SHAPE_COUNT,
    [TYPE_NAME] = LC_SHAPE_TEXT,
    [REPLACE] = LC_SHAPE_PATHS,
    [LEGACY] = LC_SHAPE_FLAG,
    [DEFERRED] = LC_SHAPE_DEFERRED,
    [DIAGNOSTICS] = LC_SHAPE_DIAGNOSTICS,
    [RPC_STATUS] = LC_SHAPE_STATUS,
    [IMPORT_ID] = LC_SHAPE_TEXT,
    [COMMAND_LINE] = LC_SHAPE_FLAG,
    [WHEN] = LC_SHAPE_DATA_PHASE,
    [IMPORTED] = LC_SHAPE_IMPORTED_LIST,
    [STUB] = LC_SHAPE_VALUE,
    [GENERATED] = LC_SHAPE_OBJECT,
    [PREPARED] = LC_SHAPE_VALUE,
    [EVENTS] = LC_SHAPE_EVENTS,
    [CLIENT] = LC_SHAPE_CAPABILITIES,
    [EXPECTED] = LC_SHAPE_MESSAGE,
    [FUNCTION_NAME] = LC_SHAPE_TEXT,
    [FUNCTION_ARGUMENTS] = LC_SHAPE_ARGUMENTS,
    [FUNCTION_RESULT] = LC_SHAPE_ANYTHING,
    [FUNCTION_ERROR] = LC_SHAPE_FUNCTION_ERROR,
    [LIMIT] = LC_SHAPE_COUNT,
    [INCLUDE_OBJECT] = LC_SHAPE_FLAG,
    [FILTERED] = LC_SHAPE_FLAG,
    [LISTED] = LC_SHAPE_LISTED,
    [KNOWN_OBJECTS] = LC_SHAPE_KNOWN_OBJECTS,
    [STORE_OP] = LC_SHAPE_STORE_OP,
    [STATE_ID] = LC_SHAPE_TEXT,
    [LOCK_ID] = LC_SHAPE_TEXT,
    [CHUNK_SIZE] = LC_SHAPE_COUNT,
    [STATES] = LC_SHAPE_ARGUMENTS,
    [CHUNKS] = LC_SHAPE_CHUNKS,
    [UNUSED] = LC_SHAPE_ANYTHING,
};

bool lc_call_field_get(lc_call_field *out, size_t index)
{
    if (index >= FIELD_COUNT)
        return false;
    *out = (lc_call_field){fields[index].name, fields[index].calls, fields[index].forms,
                           shapes[fields[index].target]};
    return true;
}

/* A scenario states everything about an answer, so a field that is left out means "no" and not "not
 * known". */
void lc_call_builder_begin(lc_call_reader *c, lc_call_builder *builder, lc_call_kind kind,
                           lc_loc loc)
{
    if (builder->present)
        return;
    memset(builder, 0, sizeof *builder);
    builder->present = true;
    lc_call *call = &builder->call;
    call->kind = kind;
    call->loc = loc;
    call->deposed = c->run->deposed;
    call->legacy = call->deferred = call->failed = call->broke = call->raw.tainted = LC_NO;
    call->broke_with = call->last_words = LC_STR_EMPTY;
    call->has_diagnostics = true;
    call->has_requires_replace = (LC_CALL_BIT(kind) & PLANS) != 0;
    call->request_private = call->type_name = call->import_id = LC_STR_EMPTY;
    call->deferred_reason = call->private_data = call->raw.private_data = LC_STR_EMPTY;
}

static bool is_before(lc_loc a, lc_loc b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* Is the member one of those in this call group? The nodes are compared by address. */
static bool is_in(const lc_member *group, const lc_member *member)
{
    const lc_node *node = &group->value;
    return node->kind == LC_NODE_MAPPING && member >= node->as.members &&
           member < node->as.members + node->count;
}

/* A field as its author wrote it: `group.field`, or the bare name of a short key. */
static lc_str field_name(const lc_call_reader *c, const lc_call_builder *builder,
                         const lc_member *member)
{
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        const lc_member *key = lc_layers_get(c->scope, (lc_case_key)i);
        if (key == member)
            return member->key;
        if (key && lc_key_flags((lc_case_key)i) & LC_IS_GROUP && is_in(key, member))
            return lc_str_printf(c->in->arena, "%.*s.%.*s", LC_FMT(key->key), LC_FMT(member->key));
    }
    return lc_str_printf(c->in->arena, "%s.%.*s", lc_call_kind_name(builder->call.kind),
                         LC_FMT(member->key));
}

static unsigned stated_by(lc_call_target what)
{
    static const unsigned bits[TARGET_COUNT] = {
        [RESULT] = LC_STATES_OBJECT,           [IDENTITY] = LC_STATES_IDENTITY,
        [PRIVATE] = LC_STATES_PRIVATE,         [REPLACE] = LC_STATES_REPLACE,
        [LEGACY] = LC_STATES_LEGACY,           [DEFERRED] = LC_STATES_DEFERRED,
        [DIAGNOSTICS] = LC_STATES_DIAGNOSTICS, [RPC_STATUS] = LC_STATES_STATUS,
        [IMPORTED] = LC_STATES_IMPORTED,       [STUB] = LC_STATES_IMPORTED,
        [FUNCTION_RESULT] = LC_STATES_OBJECT,  [FUNCTION_ERROR] = LC_STATES_DIAGNOSTICS,
    };
    return bits[what];
}

/* `imported` and the short key `import_stub_state` describe the same list, so they exclude each
 * other too. The error is reported at the later of the two places, regardless of which was read
 * first: short keys are read after all groups. */
bool lc_call_builder_claim(lc_call_reader *c, lc_call_builder *builder, lc_call_target what,
                           const lc_member *member)
{
    const lc_member *former = builder->from[what];
    builder->from[what] = member;
    builder->call.stated |= stated_by(what);
    if (what == STUB || what == IMPORTED)
        former = former ? former : builder->from[what == STUB ? IMPORTED : STUB];
    if (!former || what == UNUSED)
        return true;
    lc_loc first = lc_in_key_loc(c->in, former), second = lc_in_key_loc(c->in, member);
    const lc_member *later = member;
    if (is_before(second, first)) {
        lc_loc swapped = first;
        first = second;
        second = swapped;
        later = former;
        former = member;
    }
    lc_str is = field_name(c, builder, later), was = field_name(c, builder, former);
    lc_diag_error(c->in->diags, second,
                  "\"%.*s\" repeats \"%.*s\" of line %u, column %u: write one of them", LC_FMT(is),
                  LC_FMT(was), first.line, first.column);
    return false;
}

/* ---- Parts of answers. */

enum { SEVERITY, SUMMARY, DETAIL, PATH, ATTRIBUTE, DIAGNOSTIC_KEYS };
static const lc_key_row diagnostic_rows[] = {
    {"severity", LC_SHAPE_SEVERITY, true, ""},      {"summary", LC_SHAPE_TEXT, false, ""},
    {"detail", LC_SHAPE_TEXT, false, ""},           {"path", LC_SHAPE_PATH, false, ""},
    {"attribute", LC_SHAPE_PATH, false, "as path"},
};
const lc_keyset lc_diagnostic_keys = LC_KEYSET(diagnostic_rows);

/* The spelling of people, then that of the protocol, in the order of lc_provider_severity. */
const char *const lc_severity_words[] = {"invalid", "error",   "warning", "INVALID",
                                         "ERROR",   "WARNING", NULL};
#define SEVERITY_COUNT LC_ENUM_COUNT(LC_PROVIDER_SEVERITIES)

static bool read_severity(lc_in *in, lc_provider_severity *out, const lc_node *node)
{
    lc_str text;
    if (!lc_in_text(in, &text, node, "a severity"))
        return false;
    size_t word;
    if (lc_str_is_one_of(text, lc_severity_words, &word)) {
        *out = (lc_provider_severity)(word % SEVERITY_COUNT);
        return true;
    }
    lc_diag_error(in->diags, lc_in_loc(in, node), "a severity is error, warning or invalid");
    return false;
}

/* An error diagnostic makes the call a failed one, as it does for both cores. */
static void read_diagnostic(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[DIAGNOSTIC_KEYS];
    lc_provider_diag *d = LC_PUSH(in->arena, &call->diagnostics, lc_provider_diag);
    *d = (lc_provider_diag){
        .loc = lc_in_loc(in, node), .summary = LC_STR_EMPTY, .detail = LC_STR_EMPTY};
    if (!lc_in_keys(in, found, node, &lc_diagnostic_keys, "a diagnostic"))
        return;
    if (!found[SEVERITY])
        lc_diag_error(in->diags, d->loc, "a diagnostic needs the key \"severity\"");
    else if (read_severity(in, &d->severity, &found[SEVERITY]->value) &&
             d->severity == LC_SEVERITY_ERROR)
        call->failed = LC_YES;
    if (found[SUMMARY])
        lc_in_text(in, &d->summary, &found[SUMMARY]->value, "a summary");
    if (found[DETAIL])
        lc_in_text(in, &d->detail, &found[DETAIL]->value, "a detail");
    const lc_member *path = found[PATH] ? found[PATH] : found[ATTRIBUTE];
    if (path)
        d->has_path = lc_in_path(in, &d->path, &path->value, false);
}

static void read_diagnostics(lc_in *in, lc_call *call, const lc_node *node)
{
    if (!lc_in_sequence(in, node, "diagnostics"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_diagnostic(in, call, &node->as.items[i]);
}

static const lc_key_row status_rows[] = {
    {"code", LC_SHAPE_STATUS_CODE, true, ""},
    {"message", LC_SHAPE_TEXT, false, "shown only if it begins with `panic: ` or `fatal error: `"},
};
const lc_keyset lc_status_keys = LC_KEYSET(status_rows);

/* A gRPC status other than OK came instead of a response. */
static void read_rpc_status(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[2];
    lc_str text;
    size_t code;
    call->broke_loc = lc_in_loc(in, node);
    if (!lc_in_keys(in, found, node, &lc_status_keys, "rpc_status"))
        return;
    if (found[1] && lc_in_text(in, &text, &found[1]->value, "the message of a status") &&
        (lc_str_starts_with(text, LC_STR("panic: ")) ||
         lc_str_starts_with(text, LC_STR("fatal error: "))))
        call->last_words = text;
    if (!found[0]) {
        lc_diag_error(in->diags, call->broke_loc, "rpc_status needs the key \"code\"");
        return;
    }
    if (!lc_in_text(in, &call->broke_with, &found[0]->value, "the code of a status"))
        return;
    if (lc_str_is_one_of(call->broke_with, lc_grpc_status_names, &code)) {
        if (code > 0)
            call->broke = call->failed = LC_YES;
        return;
    }
    lc_str near = lc_str_nearest_word(call->broke_with, lc_grpc_status_names);
    lc_diag_error(in->diags, lc_in_loc(in, &found[0]->value), "gRPC has no code \"%.*s\"%s%.*s%s",
                  LC_FMT(call->broke_with), LC_FMT_NEAR(near));
}

static const lc_key_row deferred_rows[] = {
    {"reason", LC_SHAPE_TEXT, false, "as RESOURCE_CONFIG_UNKNOWN"},
};
const lc_keyset lc_deferred_keys = LC_KEYSET(deferred_rows);

static void read_deferred(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[1];
    call->deferred_loc = lc_in_loc(in, node);
    if (node->kind == LC_NODE_NULL && !node->tag)
        return;
    call->deferred = LC_YES;
    if (!lc_in_keys(in, found, node, &lc_deferred_keys, "deferred"))
        return;
    if (found[0])
        lc_in_text(in, &call->deferred_reason, &found[0]->value, "the reason of a deferral");
}

enum { OBJECT_TYPE, OBJECT_STATE, OBJECT_IDENTITY, OBJECT_PRIVATE, IMPORTED_KEYS };
static const lc_key_row imported_rows[] = {
    {"type_name", LC_SHAPE_TEXT, false, "left out: not known"},
    {"state", LC_SHAPE_OBJECT, false, ""},
    {"identity", LC_SHAPE_OBJECT, false, ""},
    {"private", LC_SHAPE_BYTES, false, ""},
};
const lc_keyset lc_imported_keys = LC_KEYSET(imported_rows);

/* Both cores decode an imported object by the schema of the type that was requested, regardless of
 * the type name that the provider returned. This tries the same, and collects its errors separately
 * from those of the file. An object of another type that does not fit that schema is read without
 * one (see below). */
static bool fits_schema(lc_call_reader *c, lc_imported *out, const lc_node *node,
                        const lc_schema *schema)
{
    lc_diags *real = c->in->diags, trial;
    lc_diags_init(&trial, c->in->arena);
    c->in->diags = &trial;
    lc_in_object(c->in, &out->state, node, schema, false);
    c->in->diags = c->in->values.diags = real;
    if (trial.errors)
        out->state = (lc_field){0};
    return trial.errors == 0;
}

static void read_imported_state(lc_call_reader *c, lc_imported *out, const lc_node *node)
{
    const lc_schema *schema = c->run->schema;
    bool foreign = schema && out->has_type_name && schema->type_name.len &&
                   !lc_str_eq(out->type_name, schema->type_name);
    if (!foreign) {
        lc_in_object(c->in, &out->state, node, schema, false);
        return;
    }
    if (fits_schema(c, out, node, schema))
        return;
    c->in->values.diags = c->in->diags;
    c->in->values.config = false;
    lc_read_typed(&out->state, &c->in->values, node, &lc_type_dynamic);
}

static void read_imported(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    lc_in *in = c->in;
    const lc_member *found[IMPORTED_KEYS];
    lc_imported *object = LC_PUSH(in->arena, &call->imported, lc_imported);
    *object = (lc_imported){
        .loc = lc_in_loc(in, node), .type_name = LC_STR_EMPTY, .private_data = LC_STR_EMPTY};
    if (!lc_in_keys(in, found, node, &lc_imported_keys, "an imported object"))
        return;
    if (found[OBJECT_TYPE])
        object->has_type_name =
            lc_in_text(in, &object->type_name, &found[OBJECT_TYPE]->value, "type_name");
    if (found[OBJECT_STATE])
        read_imported_state(c, object, &found[OBJECT_STATE]->value);
    if (found[OBJECT_IDENTITY])
        lc_in_identity(in, &object->identity, &found[OBJECT_IDENTITY]->value, c->run->schema);
    if (found[OBJECT_PRIVATE])
        object->has_private =
            lc_in_bytes(in, &object->private_data, &found[OBJECT_PRIVATE]->value, "private data");
}

/* An empty list states that nothing was imported. `items` is set even then, because NULL means that
 * the result of the import is not known. */
static void read_imported_list(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    if (!lc_in_sequence(c->in, node, "imported"))
        return;
    if (node->count == 0)
        call->imported.items = LC_NEW_ARRAY(c->in->arena, lc_imported, 1);
    for (uint32_t i = 0; i < node->count; i++)
        read_imported(c, call, &node->as.items[i]);
}

/* The one object of the short key `import_stub_state`. */
static void read_stub(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    lc_imported *object = LC_PUSH(c->in->arena, &call->imported, lc_imported);
    *object = (lc_imported){
        .loc = lc_in_loc(c->in, node), .type_name = LC_STR_EMPTY, .private_data = LC_STR_EMPTY};
    if (c->run->schema && c->run->schema->type_name.len) {
        object->has_type_name = true;
        object->type_name = c->run->schema->type_name;
    }
    lc_in_object(c->in, &object->state, node, c->run->schema, false);
}

static const lc_key_row completed_rows[] = {
    {"diagnostics", LC_SHAPE_DIAGNOSTICS, false, ""},
};
const lc_keyset lc_completed_keys = LC_KEYSET(completed_rows);

static void read_completed(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[1];
    if (lc_in_keys(in, found, node, &lc_completed_keys, "completed") && found[0])
        read_diagnostics(in, call, &found[0]->value);
}

static const lc_key_row event_rows[] = {
    {"progress", LC_SHAPE_PROGRESS, false, ""},
    {"completed", LC_SHAPE_COMPLETED, false, ""},
    {"unknown", LC_SHAPE_ANYTHING, false, "something that the protocol does not define"},
};
const lc_keyset lc_event_keys = LC_KEYSET(event_rows);
static const lc_key_row progress_rows[] = {
    {"message", LC_SHAPE_TEXT, false, ""},
};
const lc_keyset lc_progress_keys = LC_KEYSET(progress_rows);

/* The key `unknown` denotes every event that the protocol does not define. */
static void read_event(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[3], *message[1];
    lc_str text;
    lc_event *event = LC_PUSH(in->arena, &call->events, lc_event);
    *event = (lc_event){LC_EVENT_UNKNOWN, lc_in_loc(in, node)};
    if (!lc_in_keys(in, found, node, &lc_event_keys, "an event"))
        return;
    if (node->count != 1)
        lc_diag_error(in->diags, event->loc,
                      "an event has one of the keys \"progress\", \"completed\" and \"unknown\"");
    if (found[0]) {
        event->kind = LC_EVENT_PROGRESS;
        if (lc_in_keys(in, message, &found[0]->value, &lc_progress_keys, "progress") && message[0])
            lc_in_text(in, &text, &message[0]->value, "the message of an event");
    } else if (found[1]) {
        event->kind = LC_EVENT_COMPLETED;
        read_completed(in, call, &found[1]->value);
    }
}

/* `events: null`: there was no stream of events. */
static void read_events(lc_in *in, lc_call *call, const lc_node *node)
{
    if (node->kind == LC_NODE_NULL && !node->tag) {
        call->streamed = LC_NO;
        return;
    }
    call->streamed = LC_YES;
    if (!lc_in_sequence(in, node, "events"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_event(in, call, &node->as.items[i]);
}

/* ---- Parts of requests. */

/* In the protocol a stored object is `raw_state: {json: ...}`; call groups have the object alone.
 */
static void read_raw_state(lc_call_reader *c, lc_raw_state *raw, const lc_node *node, unsigned form)
{
    const lc_node *json = NULL;
    if (form == Q && node->kind == LC_NODE_MAPPING && !node->tag && node->count == 1)
        json = lc_node_get(node, "json");
    const lc_node *stored = json ? json : node;
    raw->given = true;
    raw->loc = lc_in_loc(c->in, stored);
    raw->has_attributes = true;
    lc_in_raw_attributes(c->in, &raw->attributes, stored, NULL);
}

static void read_raw_identity(lc_call_reader *c, lc_raw_state *raw, const lc_node *node,
                              unsigned form)
{
    const lc_node *json = NULL;
    if (form == Q && node->kind == LC_NODE_MAPPING && !node->tag && node->count == 1)
        json = lc_node_get(node, "json");
    const lc_node *stored = json ? json : node;
    if (!raw->given)
        raw->loc = lc_in_loc(c->in, stored);
    raw->given = true;
    raw->has_identity = true;
    lc_in_raw_attributes(c->in, &raw->identity, stored, NULL);
}

/* What the client of the run allows. Core always allows deferrals in calls of the apply phase, so
 * only earlier calls show whether the run itself did. */
static void read_client_capabilities(lc_call_reader *c, const lc_call *call, const lc_node *node)
{
    const unsigned applying = B(FINAL_PLAN) | APPLIES | B(REREAD);
    lc_capabilities client = {LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO, LC_NO, LC_NO};
    lc_capabilities *out = &c->run->capabilities;
    lc_in_capabilities(c->in, &client, node);
    if (client.deferral_allowed == LC_YES && !(applying & LC_CALL_BIT(call->kind)))
        out->deferral_allowed = LC_YES;
    if (client.write_only_attributes_allowed == LC_YES)
        out->write_only_attributes_allowed = LC_YES;
    if (client.computed_blocks_allowed == LC_YES)
        out->computed_blocks_allowed = LC_YES;
}

const char *const lc_data_phase_names[] = {"plan", "apply", NULL};

static void read_phase(lc_in *in, lc_fact *applying, const lc_node *node)
{
    lc_str text;
    if (!lc_in_text(in, &text, node, "phase"))
        return;
    size_t phase;
    if (lc_str_is_one_of(text, lc_data_phase_names, &phase))
        *applying = phase == 1 ? LC_YES : LC_NO;
    else
        lc_diag_error(in->diags, lc_in_loc(in, node), "phase is plan or apply");
}

static bool flag(lc_call_reader *c, const lc_node *node, const char *what)
{
    bool is = false;
    lc_in_bool(c->in, &is, node, what);
    return is;
}

/* Where a call's configuration is stored. In a call group `final_plan.config` is the user's final
 * configuration, the same as the key `final_config`. In the long form it is what core sent. */
static lc_field *config_of(lc_call_reader *c, lc_call *call, unsigned form)
{
    return call->kind == LC_CALL_FINAL_PLAN && form == G ? &c->run->final_config : &call->config;
}

static void set_request(lc_call_reader *c, lc_call *call, lc_call_target what, const lc_node *node,
                        unsigned form)
{
    lc_in *in = c->in;
    const lc_schema *schema = c->run->schema;
    if (what == CONFIG)
        lc_in_object(in, config_of(c, call, form), node, schema, true);
    else if (what == PRIOR)
        lc_in_object(in, &call->prior_state, node, schema, false);
    else if (what == PROPOSED)
        lc_in_object(in, &call->proposed, node, schema, false);
    else if (what == PLANNED)
        lc_in_object(in, &call->planned, node, schema, false);
    else if (what == PRIOR_IDENTITY)
        lc_in_identity(in, &call->prior_identity, node, schema);
    else if (what == PLANNED_IDENTITY)
        lc_in_identity(in, &call->planned_identity, node, schema);
    else if (what == REQUEST_PRIVATE)
        call->has_request_private = lc_in_bytes(in, &call->request_private, node, "private data");
    else if (what == RAW_STATE)
        read_raw_state(c, &call->raw, node, form);
    else if (what == RAW_VERSION)
        lc_in_count(in, &call->raw.schema_version, node, "a schema version");
    else if (what == RAW_IDENTITY)
        read_raw_identity(c, &call->raw, node, form);
    else if (what == RAW_IDENTITY_VERSION)
        lc_in_count(in, &call->raw.identity_schema_version, node, "a schema version");
    else if (what == RAW_PRIVATE)
        call->raw.has_private = lc_in_bytes(in, &call->raw.private_data, node, "private data");
    else if (what == TYPE_NAME)
        call->has_type_name = lc_in_text(in, &call->type_name, node, "type_name");
    else if (what == IMPORT_ID)
        call->has_import_id = lc_in_text(in, &call->import_id, node, "an import ID");
    else if (what == COMMAND_LINE)
        call->command_line = flag(c, node, "command_line");
    else if (what == WHEN)
        read_phase(in, &call->applying, node);
    else if (what == FUNCTION_ARGUMENTS)
        lc_function_read_arguments(c, call, node);
    else if (what == FUNCTION_NAME)
        lc_in_text(in, &call->function->name, node, "the name of a function");
    else if (what == CLIENT)
        read_client_capabilities(c, call, node);
    else
        LC_ASSERT(what == UNUSED);
}

void lc_call_set_response(lc_call_reader *c, lc_call *call, lc_call_target what,
                          const lc_node *node)
{
    lc_in *in = c->in;
    const lc_schema *schema = c->run->schema;
    if (what == RESULT)
        lc_in_object(in, &call->result, node, schema, false);
    else if (what == IDENTITY)
        lc_in_identity(in, &call->identity, node, schema);
    else if (what == PRIVATE)
        call->has_private = lc_in_bytes(in, &call->private_data, node, "private data");
    else if (what == REPLACE)
        lc_in_path_list(in, &call->requires_replace, node, "requires_replace");
    else if (what == LEGACY)
        lc_in_fact(in, &call->legacy, node, "legacy_type_system");
    else if (what == DEFERRED)
        read_deferred(in, call, node);
    else if (what == DIAGNOSTICS)
        read_diagnostics(in, call, node);
    else if (what == RPC_STATUS)
        read_rpc_status(in, call, node);
    else if (what == IMPORTED)
        read_imported_list(c, call, node);
    else if (what == STUB)
        read_stub(c, call, node);
    else if (what == EVENTS)
        read_events(in, call, node);
    else if (what == FUNCTION_RESULT)
        lc_function_read_result(c, call, node);
    else if (what == FUNCTION_ERROR)
        lc_function_read_error(c, call, node);
    else if (what == GENERATED)
        lc_in_object(in, &call->generated_config, node, schema, false);
    else
        lc_in_object(in, &call->prepared_config, node, schema, false);
}

static bool is_response(lc_call_target what)
{
    return what == RESULT || what == IDENTITY || what == PRIVATE || what == REPLACE ||
           what == LEGACY || what == DEFERRED || what == DIAGNOSTICS || what == RPC_STATUS ||
           what == IMPORTED || what == STUB || what == GENERATED || what == PREPARED ||
           what == EVENTS || what == FUNCTION_RESULT || what == FUNCTION_ERROR;
}

void lc_call_builder_set(lc_call_reader *c, lc_call_builder *builder, lc_call_target what,
                         const lc_member *member, unsigned form)
{
    if (!lc_call_builder_claim(c, builder, what, member))
        return;
    c->in->values.root = member->key;
    if (what >= LIMIT && what <= CHUNKS)
        lc_stream_set(c, &builder->call, what, &member->value);
    else if (what == EXPECTED)
        lc_call_set_expected(c, &builder->call, &member->value);
    else if (is_response(what))
        lc_call_set_response(c, &builder->call, what, &member->value);
    else
        set_request(c, &builder->call, what, &member->value, form);
    c->in->values.root = LC_STR_EMPTY;
}

/* ---- All fields of a mapping. */

/* The names that are suggested are those of this call and spelling only. */
static void unknown_field(lc_call_reader *c, const lc_member *member, lc_call_kind kind,
                          unsigned form)
{
    lc_str names[FIELD_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if ((fields[i].calls & LC_CALL_BIT(kind)) && (fields[i].forms & form))
            names[count++] = lc_str_from_c(fields[i].name);
    }
    const char *part = form == G ? "" : form == Q ? "the request of " : "the response of ";
    const char *name = form == G ? lc_call_kind_name(kind) : lc_call_rpc(kind);
    lc_str what = lc_str_printf(c->in->arena, "%s%s", part, name);
    lc_in_unknown_key(c->in, member, what.ptr, names, count);
}

/* The object itself is written where its call belongs: `plan: {name: b}`. */
static bool is_object_itself(lc_call_reader *c, const lc_member *member, lc_call_kind kind)
{
    const lc_schema *schema = c->run->schema;
    const char *result = NULL;
    for (size_t i = 0; i < FIELD_COUNT && !result; i++) {
        if (fields[i].target == RESULT && (fields[i].calls & LC_CALL_BIT(kind)) &&
            (fields[i].forms & G))
            result = fields[i].name;
    }
    if (!result || !schema || !lc_block_attribute(schema->block, member->key))
        return false;
    lc_diag_error(c->in->diags, lc_in_key_loc(c->in, member),
                  "%s holds the fields of the call, and \"%.*s\" is an attribute: write the object "
                  "as `%s: {%s: {...}}`",
                  lc_call_kind_name(kind), LC_FMT(member->key), lc_call_kind_name(kind), result);
    return true;
}

void lc_call_builder_read(lc_call_reader *c, lc_call_builder *builder, const lc_node *node,
                          unsigned form)
{
    if (!lc_in_mapping(c->in, node,
                       form == G   ? lc_call_kind_name(builder->call.kind)
                       : form == Q ? "a request"
                                   : "a response"))
        return;
    if (builder->call.kind == LC_CALL_FUNCTION)
        lc_function_begin(c, &builder->call, node);
    lc_stream_begin(c, &builder->call);
    for (uint32_t m = 0; m < node->count; m++) {
        const lc_member *member = &node->as.members[m];
        size_t i = 0;
        while (i < FIELD_COUNT &&
               !((fields[i].calls & LC_CALL_BIT(builder->call.kind)) && (fields[i].forms & form) &&
                 lc_str_is(member->key, fields[i].name)))
            i++;
        if (i < FIELD_COUNT)
            lc_call_builder_set(c, builder, fields[i].target, member, form);
        else if (form == G && is_object_itself(c, member, builder->call.kind))
            return;
        else
            unknown_field(c, member, builder->call.kind, form);
    }
}

void lc_call_set_expected(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    lc_call_builder *builder = LC_NEW(c->in->arena, lc_call_builder);
    lc_call_builder_begin(c, builder, call->kind, lc_in_loc(c->in, node));
    if (call->function) {
        builder->call.function = LC_NEW(c->in->arena, lc_function_call);
        builder->call.function->name = call->function->name;
    }
    lc_call_builder_read(c, builder, node, R);
    call->expected = &builder->call;
}

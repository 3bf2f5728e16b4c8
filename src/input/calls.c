/* The calls of a run, in three spellings: short keys, call groups, and the long form `calls`.
 *
 * All three end in the same place. A field of a call has a *target*; the table `fields` says which
 * name is which target in which kind of call and in which spelling. Setting a target twice is the
 * error "said twice", whichever spellings met. Short keys and groups are collected in drafts, one a
 * kind, and put into the order of the lifecycle; the long form keeps its own order. */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"

#include <string.h>

typedef enum target {
    CONFIG,
    PRIOR,
    PROPOSED,
    PLANNED, /* in a request */
    RESULT,
    IDENTITY,
    PRIOR_IDENTITY,
    PRIVATE,
    REQUEST_PRIVATE,
    RAW_STATE,
    RAW_VERSION,
    RAW_IDENTITY,
    RAW_IDENTITY_VERSION,
    RAW_PRIVATE,
    TYPE_NAME,
    REPLACE,
    LEGACY,
    DEFERRED,
    DIAGNOSTICS,
    IMPORT_ID,
    COMMAND_LINE,
    IMPORTED,
    STUB, /* the state of the only imported object */
    GENERATED,
    PREPARED,
    CLIENT,
    UNUSED, /* a field of the protocol that no rule looks at */
} target;
#define TARGET_COUNT 27

#define B(kind)   LC_CALL_BIT(LC_CALL_##kind)
#define PLANS     (B(PLAN) | B(PLAN_CREATE) | B(DESTROY_PLAN) | B(FINAL_PLAN))
#define APPLIES   (B(APPLY) | B(DESTROY))
#define READS     (B(READ) | B(REREAD))
#define ALL_CALLS (LC_CALL_BIT(LC_CALL_KIND_COUNT) - 1u)
enum { G = 1, Q = 2, R = 4 }; /* in groups; in requests and responses of the long form */

static const struct {
    const char *name;
    unsigned calls;
    unsigned forms;
    target target;
} fields[] = {
    {"config", PLANS | APPLIES | B(VALIDATE) | B(DATA) | B(OPEN), G | Q, CONFIG},
    {"prior_state", PLANS | APPLIES, G | Q, PRIOR},
    {"current_state", READS, G | Q, PRIOR},
    {"proposed_new_state", PLANS, G | Q, PROPOSED},
    {"planned_state", PLANS, G | R, RESULT},
    {"planned_state", APPLIES, G | Q, PLANNED},
    {"planned_state", B(DATA), G, PLANNED},
    {"new_state", APPLIES | READS, G | R, RESULT},
    {"upgraded_state", B(UPGRADE), G | R, RESULT},
    {"target_state", B(MOVE), G | R, RESULT},
    {"state", B(DATA), G | R, RESULT},
    {"result", B(OPEN), G | R, RESULT},
    {"requires_replace", PLANS, G | R, REPLACE},
    {"legacy_type_system", PLANS | APPLIES, G | R, LEGACY},
    {"deferred", PLANS | READS | B(IMPORT) | B(DATA) | B(OPEN), G | R, DEFERRED},
    {"diagnostics", ALL_CALLS, G | R, DIAGNOSTICS},
    {"identity", PLANS | APPLIES | READS | B(MOVE) | B(UPGRADE_IDENTITY), G, IDENTITY},
    {"planned_identity", PLANS, G | R, IDENTITY},
    {"new_identity", APPLIES | READS, G | R, IDENTITY},
    {"target_identity", B(MOVE), G | R, IDENTITY},
    {"upgraded_identity", B(UPGRADE_IDENTITY), G | R, IDENTITY},
    {"prior_identity", PLANS, G | Q, PRIOR_IDENTITY},
    {"current_identity", READS, G | Q, PRIOR_IDENTITY},
    {"identity", B(IMPORT), G | Q, PRIOR_IDENTITY},
    {"planned_identity", APPLIES, G | Q, UNUSED},
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
    {"type_name", ALL_CALLS & ~B(MOVE), Q, TYPE_NAME},
    {"id", B(IMPORT), G | Q, IMPORT_ID},
    {"command_line", B(IMPORT), G, COMMAND_LINE},
    {"imported", B(IMPORT), G, IMPORTED},
    {"imported_resources", B(IMPORT), G | R, IMPORTED},
    {"generated_config", B(IMPORT), G, GENERATED},
    {"prepared_config", B(VALIDATE), G | R, PREPARED},
    {"renew_at", B(OPEN), G | R, UNUSED},
    {"provider_meta", PLANS | APPLIES | READS | B(DATA), Q, UNUSED},
    {"client_capabilities", ALL_CALLS, Q, CLIENT},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

typedef struct draft {
    bool present;
    lc_call call;
    const lc_member *from[TARGET_COUNT]; /* who has set it */
} draft;

typedef struct caller {
    lc_in *in;
    lc_run *run;
    const lc_scope *scope;
    draft drafts[LC_CALL_KIND_COUNT];
} caller;

/* ---- Drafts. */

/* What a scenario leaves out of an answer is not in it. */
static void draft_begin(caller *c, draft *d, lc_call_kind kind, lc_loc loc)
{
    if (d->present)
        return;
    memset(d, 0, sizeof *d);
    d->present = true;
    lc_call *call = &d->call;
    call->kind = kind;
    call->loc = loc;
    call->deposed = c->run->deposed;
    call->legacy = call->deferred = call->failed = call->raw.tainted = LC_NO;
    call->has_diagnostics = true;
    call->has_requires_replace = (LC_CALL_BIT(kind) & PLANS) != 0;
    call->request_private = call->type_name = call->import_id = LC_STR_EMPTY;
    call->deferred_reason = call->private_data = call->raw.private_data = LC_STR_EMPTY;
}

static bool is_before(lc_loc a, lc_loc b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* False: the target is set already; reported at the later of the two places. */
static bool claim(caller *c, draft *d, target what, const lc_member *member)
{
    const lc_member *former = d->from[what];
    d->from[what] = member;
    if (what == STUB || what == IMPORTED)
        former = former ? former : d->from[what == STUB ? IMPORTED : STUB];
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
    lc_diag_error(c->in->diags, second,
                  "\"%.*s\" says again what \"%.*s\" says at line %u, column %u: write one of them",
                  LC_FMT(later->key), LC_FMT(former->key), first.line, first.column);
    return false;
}

/* ---- Parts of answers. */

enum { SEVERITY, SUMMARY, DETAIL, PATH, ATTRIBUTE, DIAGNOSTIC_KEYS };
static const char *const diagnostic_keys[DIAGNOSTIC_KEYS] = {"severity", "summary", "detail",
                                                             "path", "attribute"};

static bool read_severity(lc_in *in, lc_provider_severity *out, const lc_node *node)
{
    static const char *const names[][2] = {
        {"invalid", "INVALID"}, {"error", "ERROR"}, {"warning", "WARNING"}};
    lc_str text;
    if (!lc_in_text(in, &text, node, "a severity"))
        return false;
    for (int i = 0; i < 3; i++) {
        if (lc_str_is(text, names[i][0]) || lc_str_is(text, names[i][1])) {
            *out = (lc_provider_severity)i;
            return true;
        }
    }
    lc_diag_error(in->diags, lc_in_loc(in, node), "a severity is error, warning or invalid");
    return false;
}

static void read_diagnostic(lc_in *in, lc_call *call, const lc_node *node)
{
    const lc_member *found[DIAGNOSTIC_KEYS];
    lc_provider_diag *d = LC_PUSH(in->arena, &call->diagnostics, lc_provider_diag);
    *d = (lc_provider_diag){
        .loc = lc_in_loc(in, node), .summary = LC_STR_EMPTY, .detail = LC_STR_EMPTY};
    lc_keyset set = {diagnostic_keys, DIAGNOSTIC_KEYS};
    if (!lc_in_keys(in, found, node, set, "a diagnostic"))
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

static void read_deferred(lc_in *in, lc_call *call, const lc_node *node)
{
    static const char *const deferred_keys[] = {"reason"};
    const lc_member *found[1];
    call->deferred_loc = lc_in_loc(in, node);
    if (node->kind == LC_NODE_NULL && !node->tag)
        return;
    call->deferred = LC_YES;
    if (!lc_in_keys(in, found, node, LC_KEYSET(deferred_keys), "deferred"))
        return;
    if (found[0])
        lc_in_text(in, &call->deferred_reason, &found[0]->value, "the reason of a deferral");
}

enum { OBJECT_TYPE, OBJECT_STATE, OBJECT_IDENTITY, OBJECT_PRIVATE, IMPORTED_KEYS };
static const char *const imported_keys[IMPORTED_KEYS] = {"type_name", "state", "identity",
                                                         "private"};

/* An object of another type than the schema's is read as it is written. */
static void read_imported_state(caller *c, lc_imported *out, const lc_node *node)
{
    const lc_schema *schema = c->run->schema;
    bool foreign = schema && out->has_type_name && schema->type_name.len &&
                   !lc_str_eq(out->type_name, schema->type_name);
    if (!foreign) {
        lc_in_object(c->in, &out->state, node, schema, false);
        return;
    }
    c->in->values.diags = c->in->diags;
    c->in->values.config = false;
    lc_read_typed(&out->state, &c->in->values, node, &lc_type_dynamic);
}

static void read_imported(caller *c, lc_call *call, const lc_node *node)
{
    lc_in *in = c->in;
    const lc_member *found[IMPORTED_KEYS];
    lc_imported *object = LC_PUSH(in->arena, &call->imported, lc_imported);
    *object = (lc_imported){
        .loc = lc_in_loc(in, node), .type_name = LC_STR_EMPTY, .private_data = LC_STR_EMPTY};
    lc_keyset set = {imported_keys, IMPORTED_KEYS};
    if (!lc_in_keys(in, found, node, set, "an imported object"))
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

/* `items` of an empty list is not NULL: nothing was imported, which is known. */
static void read_imported_list(caller *c, lc_call *call, const lc_node *node)
{
    if (!lc_in_sequence(c->in, node, "imported"))
        return;
    if (node->count == 0)
        call->imported.items = LC_NEW_ARRAY(c->in->arena, lc_imported, 1);
    for (uint32_t i = 0; i < node->count; i++)
        read_imported(c, call, &node->as.items[i]);
}

static void read_stub(caller *c, lc_call *call, const lc_node *node)
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

/* ---- Parts of requests. */

/* The protocol has the stored object as `raw_state: {json: ...}`; groups have it plain. */
static void read_raw_state(caller *c, lc_raw_state *raw, const lc_node *node, unsigned form)
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

static void read_raw_identity(caller *c, lc_raw_state *raw, const lc_node *node, unsigned form)
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

static void read_client_capabilities(caller *c, const lc_node *node)
{
    lc_capabilities client = {LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO, LC_NO, LC_NO};
    lc_capabilities *out = &c->run->capabilities;
    lc_in_capabilities(c->in, &client, node);
    if (client.deferral_allowed == LC_YES)
        out->deferral_allowed = LC_YES;
    if (client.write_only_attributes_allowed == LC_YES)
        out->write_only_attributes_allowed = LC_YES;
    if (client.computed_blocks_allowed == LC_YES)
        out->computed_blocks_allowed = LC_YES;
}

static bool flag(caller *c, const lc_node *node, const char *what)
{
    bool is = false;
    lc_in_bool(c->in, &is, node, what);
    return is;
}

/* The final configuration of a group is what the user wrote, as `final_config` is; what the long
 * form has is the request as it was sent. */
static lc_field *config_of(caller *c, lc_call *call, unsigned form)
{
    return call->kind == LC_CALL_FINAL_PLAN && form == G ? &c->run->final_config : &call->config;
}

static void set_request(caller *c, lc_call *call, target what, const lc_node *node, unsigned form)
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
    else if (what == CLIENT)
        read_client_capabilities(c, node);
    else
        LC_ASSERT(what == UNUSED);
}

static void set_response(caller *c, lc_call *call, target what, const lc_node *node)
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
    else if (what == IMPORTED)
        read_imported_list(c, call, node);
    else if (what == STUB)
        read_stub(c, call, node);
    else if (what == GENERATED)
        lc_in_object(in, &call->generated_config, node, schema, false);
    else
        lc_in_object(in, &call->prepared_config, node, schema, false);
}

static bool is_response(target what)
{
    return what == RESULT || what == IDENTITY || what == PRIVATE || what == REPLACE ||
           what == LEGACY || what == DEFERRED || what == DIAGNOSTICS || what == IMPORTED ||
           what == STUB || what == GENERATED || what == PREPARED;
}

static void set_field(caller *c, draft *d, target what, const lc_member *member, unsigned form)
{
    if (!claim(c, d, what, member))
        return;
    if (is_response(what))
        set_response(c, &d->call, what, &member->value);
    else
        set_request(c, &d->call, what, &member->value, form);
}

/* ---- Groups. */

static void unknown_field(caller *c, const lc_member *member, lc_call_kind kind, unsigned form)
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

static void read_fields(caller *c, draft *d, const lc_node *node, unsigned form)
{
    if (!lc_in_mapping(c->in, node,
                       form == G   ? lc_call_kind_name(d->call.kind)
                       : form == Q ? "a request"
                                   : "a response"))
        return;
    for (uint32_t m = 0; m < node->count; m++) {
        const lc_member *member = &node->as.members[m];
        size_t i = 0;
        while (i < FIELD_COUNT &&
               !((fields[i].calls & LC_CALL_BIT(d->call.kind)) && (fields[i].forms & form) &&
                 lc_str_is(member->key, fields[i].name)))
            i++;
        if (i < FIELD_COUNT)
            set_field(c, d, fields[i].target, member, form);
        else
            unknown_field(c, member, d->call.kind, form);
    }
}

static void push_call(caller *c, const lc_call *call)
{
    lc_call *pushed = LC_PUSH(c->in->arena, &c->run->calls, lc_call);
    *pushed = *call;
    pushed->index = (uint32_t)c->run->calls.count;
}

static void read_group(caller *c, lc_key key)
{
    const lc_member *member = lc_scope_get(c->scope, key);
    lc_call_kind kind;
    if (!member || key == LC_KEY_VALIDATE)
        return;
    LC_ASSERT(lc_call_kind_from_name(&kind, lc_str_from_c(lc_key_name(key))));
    draft *d = &c->drafts[kind];
    draft_begin(c, d, kind, lc_in_key_loc(c->in, member));
    read_fields(c, d, &member->value, G);
}

/* The one group that may be a list. */
static void read_validates(caller *c)
{
    const lc_member *member = lc_scope_get(c->scope, LC_KEY_VALIDATE);
    if (!member)
        return;
    const lc_node *node = &member->value;
    bool list = node->kind == LC_NODE_SEQUENCE && !node->tag;
    for (uint32_t i = 0; i < (list ? node->count : 1); i++) {
        draft *d = &c->drafts[LC_CALL_VALIDATE];
        const lc_node *item = list ? &node->as.items[i] : node;
        d->present = false;
        draft_begin(c, d, LC_CALL_VALIDATE,
                    list ? lc_in_loc(c->in, item) : lc_in_key_loc(c->in, member));
        read_fields(c, d, item, G);
        push_call(c, &d->call);
    }
}

/* ---- Short keys. */

static bool config_is_null(const lc_scope *scope)
{
    const lc_node *config = lc_scope_value(scope, LC_KEY_CONFIG);
    return config && config->kind == LC_NODE_NULL && !config->tag;
}

static void read_short_keys(caller *c)
{
    static const struct {
        lc_key key;
        lc_call_kind kind, of_delete; /* the call that it belongs to when the config is null */
        target target;
    } shorts[] = {
        {LC_KEY_UPGRADED_STATE, LC_CALL_UPGRADE, LC_CALL_UPGRADE, RESULT},
        {LC_KEY_PROPOSED_NEW_STATE, LC_CALL_PLAN, LC_CALL_DESTROY_PLAN, PROPOSED},
        {LC_KEY_PLANNED_STATE, LC_CALL_PLAN, LC_CALL_DESTROY_PLAN, RESULT},
        {LC_KEY_FINAL_CONFIG, LC_CALL_FINAL_PLAN, LC_CALL_FINAL_PLAN, CONFIG},
        {LC_KEY_FINAL_PLANNED_STATE, LC_CALL_FINAL_PLAN, LC_CALL_FINAL_PLAN, RESULT},
        {LC_KEY_NEW_STATE, LC_CALL_APPLY, LC_CALL_DESTROY, RESULT},
        {LC_KEY_READ_STATE, LC_CALL_REREAD, LC_CALL_REREAD, RESULT},
        {LC_KEY_IMPORT_ID, LC_CALL_IMPORT, LC_CALL_IMPORT, IMPORT_ID},
        {LC_KEY_IMPORT_STUB_STATE, LC_CALL_IMPORT, LC_CALL_IMPORT, STUB},
    };
    bool delete = config_is_null(c->scope);
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        const lc_member *member = lc_scope_get(c->scope, shorts[i].key);
        if (!member)
            continue;
        lc_call_kind kind = delete ? shorts[i].of_delete : shorts[i].kind;
        draft *d = &c->drafts[kind];
        draft_begin(c, d, kind, lc_in_key_loc(c->in, member));
        set_field(c, d, shorts[i].target, member, G);
    }
}

/* ---- The prior state, which is also the answer of a read. */

static bool stored_object_given(const lc_run *run)
{
    const lc_raw_state *stored = &run->previous_run_state;
    return stored->given && !(stored->has_attributes && stored->attributes.value &&
                              lc_is_null(stored->attributes.value));
}

/* `prior_state: null` of a create needs no read; anything else was read. */
static bool prior_was_read(const caller *c)
{
    const lc_field *prior = &c->run->prior_state;
    bool is_null = prior->state == LC_FIELD_GIVEN && lc_is_null(prior->value);
    return !is_null || c->drafts[LC_CALL_READ].present || c->drafts[LC_CALL_UPGRADE].present ||
           c->drafts[LC_CALL_IMPORT].present || stored_object_given(c->run);
}

static void link_prior_state(caller *c)
{
    const lc_member *member = lc_scope_get(c->scope, LC_KEY_PRIOR_STATE);
    draft *d = &c->drafts[LC_CALL_READ];
    if (!member) {
        if (d->present && d->from[RESULT])
            c->run->prior_state = d->call.result;
        return;
    }
    if (!prior_was_read(c))
        return;
    draft_begin(c, d, LC_CALL_READ, lc_in_key_loc(c->in, member));
    if (claim(c, d, RESULT, member))
        d->call.result = c->run->prior_state;
}

/* A request of an upgrade that is not written out is what was stored. */
static void link_stored_state(caller *c)
{
    draft *upgrade = &c->drafts[LC_CALL_UPGRADE];
    draft *identity = &c->drafts[LC_CALL_UPGRADE_IDENTITY];
    const lc_raw_state *stored = &c->run->previous_run_state;
    if (!stored->given)
        return;
    if (upgrade->present && !upgrade->call.raw.given) {
        int64_t version = upgrade->call.raw.schema_version;
        upgrade->call.raw = *stored;
        if (upgrade->from[RAW_VERSION])
            upgrade->call.raw.schema_version = version;
    }
    if (identity->present && !identity->call.raw.given) {
        int64_t version = identity->call.raw.identity_schema_version;
        identity->call.raw = *stored;
        if (identity->from[RAW_IDENTITY_VERSION])
            identity->call.raw.identity_schema_version = version;
    }
}

static void push_drafts(caller *c, const lc_call_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (c->drafts[kinds[i]].present)
            push_call(c, &c->drafts[kinds[i]].call);
    }
}

static void read_short_and_groups(caller *c)
{
    static const lc_call_kind before[] = {LC_CALL_MOVE, LC_CALL_IMPORT, LC_CALL_UPGRADE,
                                          LC_CALL_UPGRADE_IDENTITY, LC_CALL_READ};
    static const lc_call_kind after[] = {LC_CALL_PLAN, LC_CALL_PLAN_CREATE, LC_CALL_DESTROY_PLAN,
                                         LC_CALL_OPEN, LC_CALL_DATA,        LC_CALL_FINAL_PLAN};
    static const lc_call_kind destroy_first[] = {LC_CALL_DESTROY, LC_CALL_APPLY, LC_CALL_REREAD};
    static const lc_call_kind create_first[] = {LC_CALL_APPLY, LC_CALL_DESTROY, LC_CALL_REREAD};
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        if (lc_key_flags((lc_key)i) & LC_IS_GROUP)
            read_group(c, (lc_key)i);
    }
    read_short_keys(c);
    link_prior_state(c);
    link_stored_state(c);
    push_drafts(c, before, sizeof before / sizeof *before);
    read_validates(c);
    push_drafts(c, after, sizeof after / sizeof *after);
    bool create = c->run->create_before_destroy == LC_YES;
    push_drafts(c, create ? create_first : destroy_first, 3);
}

/* ---- The long form. */

enum { RPC, PHASE, LEG, DEPOSED, REQUEST, RESPONSE, CALL_KEYS };
static const char *const call_keys[CALL_KEYS] = {"rpc",     "phase",   "leg",
                                                 "deposed", "request", "response"};

static const struct {
    const char *name;
    lc_call_kind kind; /* in its usual phase and leg */
} rpcs[] = {
    {"ImportResourceState", LC_CALL_IMPORT},
    {"MoveResourceState", LC_CALL_MOVE},
    {"UpgradeResourceState", LC_CALL_UPGRADE},
    {"UpgradeResourceIdentity", LC_CALL_UPGRADE_IDENTITY},
    {"ReadResource", LC_CALL_READ},
    {"ValidateResourceConfig", LC_CALL_VALIDATE},
    {"ValidateDataResourceConfig", LC_CALL_VALIDATE},
    {"ValidateEphemeralResourceConfig", LC_CALL_VALIDATE},
    {"PlanResourceChange", LC_CALL_PLAN},
    {"ApplyResourceChange", LC_CALL_APPLY},
    {"ReadDataSource", LC_CALL_DATA},
    {"OpenEphemeralResource", LC_CALL_OPEN},
};
#define RPC_COUNT (sizeof rpcs / sizeof *rpcs)

/* One of a few words. *out is its place. */
static bool read_word(lc_in *in, size_t *out, const lc_member *member, const char *const *words,
                      size_t count)
{
    lc_str text;
    *out = 0;
    if (!member)
        return true;
    if (!lc_in_text(in, &text, &member->value, "a word of a call"))
        return false;
    lc_str names[RPC_COUNT];
    LC_ASSERT(count <= RPC_COUNT);
    for (size_t i = 0; i < count; i++) {
        names[i] = lc_str_from_c(words[i]);
        if (lc_str_eq(text, names[i])) {
            *out = i;
            return true;
        }
    }
    lc_str near = lc_str_nearest(text, names, count);
    lc_diag_error(in->diags, lc_in_loc(in, &member->value),
                  "\"%.*s\" has no value \"%.*s\"%s%.*s%s", LC_FMT(member->key), LC_FMT(text),
                  near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
    return false;
}

static lc_call_kind kind_in(lc_call_kind usual, bool applying, bool create, bool destroy)
{
    if (usual == LC_CALL_PLAN && applying)
        return LC_CALL_FINAL_PLAN;
    if (usual == LC_CALL_PLAN && (create || destroy))
        return create ? LC_CALL_PLAN_CREATE : LC_CALL_DESTROY_PLAN;
    if (usual == LC_CALL_APPLY && destroy)
        return LC_CALL_DESTROY;
    return usual == LC_CALL_READ && applying ? LC_CALL_REREAD : usual;
}

static bool read_call_kind(lc_in *in, lc_call_kind *out, const lc_member *const *found)
{
    static const char *const phases[] = {"", "import", "refresh", "plan", "apply"};
    static const char *const legs[] = {"main", "create", "destroy"};
    const char *names[RPC_COUNT];
    size_t rpc, phase, leg;
    for (size_t i = 0; i < RPC_COUNT; i++)
        names[i] = rpcs[i].name;
    bool ok = read_word(in, &rpc, found[RPC], names, RPC_COUNT);
    ok = read_word(in, &phase, found[PHASE], phases, 5) && ok;
    ok = read_word(in, &leg, found[LEG], legs, 3) && ok;
    if (ok)
        *out = kind_in(rpcs[rpc].kind, phase == 4, leg == 1, leg == 2);
    return ok;
}

/* GenerateResourceConfig is the end of an import; its answer is a field there. */
static void read_generated(caller *c, const lc_member *const *found)
{
    static const char *const answer_keys[] = {"config", "diagnostics"};
    const lc_member *answer[2];
    lc_call *import = NULL;
    for (size_t i = 0; i < c->run->calls.count; i++) {
        if (c->run->calls.items[i].kind == LC_CALL_IMPORT)
            import = &c->run->calls.items[i];
    }
    if (!import) {
        lc_diag_error(c->in->diags, lc_in_loc(c->in, &found[RPC]->value),
                      "GenerateResourceConfig comes after an ImportResourceState");
        return;
    }
    if (!found[RESPONSE] ||
        !lc_in_keys(c->in, answer, &found[RESPONSE]->value, LC_KEYSET(answer_keys), "the response"))
        return;
    if (answer[0])
        set_response(c, import, GENERATED, &answer[0]->value);
}

static void read_long_call(caller *c, const lc_node *node)
{
    const lc_member *found[CALL_KEYS];
    lc_call_kind kind;
    lc_keyset set = {call_keys, CALL_KEYS};
    if (!lc_in_keys(c->in, found, node, set, "a call"))
        return;
    if (!found[RPC]) {
        lc_diag_error(c->in->diags, lc_in_loc(c->in, node), "a call needs the key \"rpc\"");
        return;
    }
    const lc_node *rpc = &found[RPC]->value;
    if (rpc->kind == LC_NODE_STRING && lc_str_is(rpc->as.text, "GenerateResourceConfig")) {
        read_generated(c, (const lc_member *const *)found);
        return;
    }
    if (!read_call_kind(c->in, &kind, (const lc_member *const *)found))
        return;
    draft *d = &c->drafts[kind];
    d->present = false;
    draft_begin(c, d, kind, lc_in_loc(c->in, node));
    if (found[DEPOSED])
        lc_in_text(c->in, &d->call.deposed, &found[DEPOSED]->value, "deposed");
    if (found[REQUEST])
        read_fields(c, d, &found[REQUEST]->value, Q);
    if (found[RESPONSE])
        read_fields(c, d, &found[RESPONSE]->value, R);
    push_call(c, &d->call);
}

static void refuse_other_spellings(caller *c, const lc_member *calls)
{
    lc_loc loc = lc_in_key_loc(c->in, calls);
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        const lc_member *member = lc_scope_get(c->scope, (lc_key)i);
        if (member && (lc_key_flags((lc_key)i) & (LC_IS_GROUP | LC_IS_SHORT)))
            lc_diag_error(c->in->diags, lc_in_key_loc(c->in, member),
                          "\"%.*s\" stands beside \"calls\" at line %u, column %u: write it there",
                          LC_FMT(member->key), loc.line, loc.column);
    }
}

/* The refreshed object is the prior state unless the run has its own. */
static void prior_from_reads(caller *c)
{
    for (size_t i = 0; i < c->run->calls.count; i++) {
        const lc_call *call = &c->run->calls.items[i];
        if (call->kind == LC_CALL_READ && call->result.state != LC_FIELD_ABSENT)
            c->run->prior_state = call->result;
    }
}

static void read_long_form(caller *c, const lc_member *calls)
{
    const lc_node *node = &calls->value;
    const lc_node *final_config = lc_scope_value(c->scope, LC_KEY_FINAL_CONFIG);
    c->run->order_known = true;
    refuse_other_spellings(c, calls);
    if (final_config)
        lc_in_object(c->in, &c->run->final_config, final_config, c->run->schema, true);
    if (!lc_in_sequence(c->in, node, "calls"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_long_call(c, &node->as.items[i]);
    if (!lc_scope_get(c->scope, LC_KEY_PRIOR_STATE))
        prior_from_reads(c);
}

void lc_in_calls(lc_in *in, lc_run *run, const lc_scope *scope)
{
    caller c = {.in = in, .run = run, .scope = scope};
    const lc_node *prior = lc_scope_value(scope, LC_KEY_PRIOR_STATE);
    const lc_node *config = lc_scope_value(scope, LC_KEY_CONFIG);
    const lc_member *calls = lc_scope_get(scope, LC_KEY_CALLS);
    if (prior)
        lc_in_object(in, &run->prior_state, prior, run->schema, false);
    if (config)
        lc_in_object(in, &run->config, config, run->schema, true);
    if (calls)
        read_long_form(&c, calls);
    else
        read_short_and_groups(&c);
}

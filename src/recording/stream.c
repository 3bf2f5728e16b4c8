/* RPC streams: JSON Lines of recorded calls, from a file or a pipe, handled as they arrive. */
#include "lifecheck/recording/capture.h"
#include "lifecheck/recording/log_findings.h"
#include "lifecheck/recording/rpc_schemas.h"
#include "recording/about.h"
#include "recording/addresses.h"
#include "recording/protojson/call.h"
#include "recording/protojson/schemas_alone.h"
#include "recording/unseen.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/wire/wire.h"

#include <stdlib.h>
#include <string.h>

/* Something about calls that is reported once. */
typedef struct oddity {
    uint64_t calls;
    lc_loc first;
} oddity;

struct lc_stream {
    lc_arena *arena; /* schemas, processes */
    lc_str file;
    lc_limits limits;
    lc_diags *diags;
    lc_schema_store *store;
    lc_instances *instances;
    lc_addresses *addresses; /* or NULL */
    lc_rpc_schemas schemas;
    lc_log log;
    void (*take)(void *context, lc_scenario *scenario);
    void *context;
    lc_arena *scratch;    /* one line */
    lc_table missing;     /* types without a schema, reported once */
    lc_buf partial;       /* the beginning of a line */
    uint64_t line, calls; /* so far */
    uint64_t strange;     /* lines before the first call that are not JSON */
    bool too_long;
    lc_recording about;
    bool complete; /* no call is missing, as the recorder itself says */
    bool newer;    /* its format is not known, so all lines that follow are skipped */
    oddity unknown_fields, raw, cut;
    lc_stream_stats stats;
};

lc_stream *lc_stream_open(lc_arena *arena, lc_schema_store *store, lc_str file, lc_diags *diags,
                          void (*take)(void *context, lc_scenario *scenario), void *context)
{
    lc_stream *s = LC_NEW(arena, lc_stream);
    s->arena = arena;
    s->file = file;
    s->limits = store->limits;
    s->diags = diags;
    s->store = store;
    s->instances = lc_instances_new(arena, file, diags, take, context);
    s->take = take;
    s->context = context;
    s->scratch = lc_arena_new();
    lc_log_init(&s->log, arena);
    lc_instances_logged(s->instances, &s->log.logged);
    lc_rpc_schemas_init(&s->schemas, arena, file, store->limits);
    lc_table_init(&s->missing, arena);
    return s;
}

static lc_loc here(const lc_stream *s)
{
    return (lc_loc){s->file, (uint32_t)s->line, 1};
}

static lc_rpc_provider *provider_of(lc_stream *s, const lc_node *root)
{
    return lc_rpc_schemas_provider_of(&s->schemas, root, here(s), s->diags);
}

static const lc_schema *schema_of(lc_stream *s, const lc_rpc_provider *provider,
                                  lc_schema_kind kind, lc_str type)
{
    const lc_schema *schema = lc_rpc_schemas_get(&s->schemas, s->scratch, provider, kind, type);
    if (!schema && !lc_table_get(&s->missing, type)) {
        lc_table_put(&s->missing, lc_str_copy(s->arena, type), s);
        lc_diag_error(s->diags, here(s),
                      "no schema for \"%.*s\": its calls are not checked; a GetProviderSchema call "
                      "in the stream or --schema gives one",
                      LC_FMT(type));
    }
    return schema;
}

void lc_stream_schema(lc_stream *s, lc_schema_doc *doc)
{
    lc_rpc_schemas_add(&s->schemas, doc, here(s));
}

const lc_recording *lc_stream_recording(const lc_stream *s)
{
    return &s->about;
}

void lc_stream_types(const lc_stream *s, void (*each)(void *context, const lc_schema *schema),
                     void *context)
{
    for (size_t i = 0; i < s->schemas.count; i++) {
        const lc_rpc_schema *one = &s->schemas.all[i];
        for (size_t k = 0; k < one->types.count; k++) {
            const lc_schema *schema = lc_rpc_type_schema(&one->types.items[k]);
            if (schema)
                each(context, schema);
        }
    }
}

void lc_stream_log(lc_stream *s, lc_str path, lc_used *used)
{
    lc_log_open_named(&s->log, s->arena, path, &s->limits, s->diags);
    lc_log_summarize(&s->log, used, path);
}

static const lc_schema *schema_of_evidence(void *context, lc_schema_kind kind, lc_str provider,
                                           lc_str type)
{
    lc_stream *s = context;
    const lc_rpc_provider *p = lc_rpc_schemas_provider(&s->schemas, provider, here(s), s->diags);
    return lc_rpc_schemas_get(&s->schemas, s->arena, p, kind, type);
}

static lc_addresses *addresses_of(lc_stream *s, lc_used *used)
{
    if (!s->addresses) {
        s->addresses =
            lc_addresses_new(s->arena, &s->limits, &s->log, schema_of_evidence, s, used, s->diags);
        lc_instances_addresses(s->instances, s->addresses);
    }
    return s->addresses;
}

void lc_stream_beside(lc_stream *s, lc_str folder, lc_used *used)
{
    lc_addresses_take_folder(addresses_of(s, used), folder);
}

void lc_stream_evidence(lc_stream *s, lc_str name, lc_str json)
{
    lc_addresses_take_text(addresses_of(s, NULL), name, json);
}

static const lc_schema *schema_of_type(void *context, lc_str provider, lc_str type)
{
    return schema_of_evidence(context, LC_KIND_RESOURCE, provider, type);
}

/* ---- One line. */

static const lc_node *message(const lc_node *root, const char *name)
{
    const lc_node *node = lc_pj_get(root, name);
    return node && node->kind == LC_NODE_MAPPING ? node : NULL;
}

/* The number of the process. If the line does not have one, it still distinguishes providers; 0: it
 * does not have a provider either. */
static uint64_t process_of(const lc_node *root, const lc_rpc_provider *provider)
{
    if (lc_pj_get(root, "process"))
        return (uint64_t)lc_pj_int(root, "process");
    return provider->number ? LC_ONLY_PROVIDER + provider->number : 0;
}

static void set_client(lc_capabilities *out, const lc_node *request)
{
    const lc_node *client = lc_pj_get(request, "client_capabilities");
    out->deferral_allowed = lc_pj_bool(client, "deferral_allowed") ? LC_YES : LC_NO;
    out->write_only_attributes_allowed =
        lc_pj_bool(client, "write_only_attributes_allowed") ? LC_YES : LC_NO;
    out->computed_blocks_allowed = lc_pj_bool(client, "computed_blocks_allowed") ? LC_YES : LC_NO;
}

/* Reads a stream. Returns the name of the case that it belongs to. */
static lc_str gather(lc_recorded_call *r, const lc_pj_reader *reader, lc_pj_rpc rpc,
                     const lc_node *root)
{
    const lc_node *request = message(root, "request"), *sent = lc_pj_get(root, "requests");
    if (rpc == LC_PJ_LIST) {
        lc_pj_list(&r->call, reader, request, lc_pj_get(root, "responses"));
        return lc_str_printf(r->arena, "list %.*s", LC_FMT(lc_pj_type_name(rpc, request)));
    }
    const lc_node *meta =
        lc_node_item_count(sent) ? lc_pj_get(&sent->as.items[0], "meta") : request;
    lc_pj_store(&r->call, reader, lc_pj_text(root, "rpc"), root);
    return lc_str_printf(r->arena, "state store %.*s", LC_FMT(lc_pj_text(meta, "type_name")));
}

static lc_recorded_call *begin_call(lc_stream *s, const lc_rpc_provider *provider,
                                    const lc_schema *schema, const lc_node *root, lc_pj_rpc rpc)
{
    lc_recorded_call *r = lc_recorded_call_new();
    r->schema = schema;
    r->capabilities = (provider->last ? provider : &s->schemas.any)->capabilities;
    set_client(&r->capabilities, message(root, "request"));
    r->provider = provider->number;
    r->process = process_of(root, provider);
    r->seq = (uint64_t)lc_pj_int(root, "seq");
    r->arrival = ++s->calls;
    r->invoked = rpc == LC_PJ_INVOKE_ACTION;
    return r;
}

/* `gathered`: the case of a call that is one of a stream. */
static void hand_over(lc_stream *s, lc_recorded_call *r, lc_pj_rpc rpc, lc_str gathered)
{
    if (rpc == LC_PJ_FUNCTION)
        lc_instances_function(s->instances, r);
    else if (rpc == LC_PJ_GENERATE)
        lc_instances_generated(s->instances, r);
    else if (lc_pj_is_gathered(rpc))
        lc_instances_gathered(s->instances, r, gathered);
    else
        lc_instances_add(s->instances, r);
}

static void take_call(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING};
    const lc_node *request = message(root, "request"), *response = message(root, "response");
    lc_str type = rpc == LC_PJ_FUNCTION ? lc_pj_text(request, "name")
                  : rpc == LC_PJ_STORE  ? LC_STR_EMPTY
                                        : lc_pj_type_name(rpc, request);
    const lc_rpc_provider *provider = provider_of(s, root);
    if (rpc == LC_PJ_FUNCTION && type.len == 0)
        return; /* of a redacted copy, which has nothing of it */
    const lc_schema *schema = schema_of(s, provider, lc_pj_kind_of(rpc), type);
    if (!schema) {
        s->stats.unjudged++;
        lc_unseen_add(&s->about, s->arena, lc_pj_text(root, "rpc"),
                      "the recording has no schema of its type", here(s));
        return;
    }
    lc_recorded_call *r = begin_call(s, provider, schema, root, rpc);
    lc_pj_reader reader = {r->arena,  lc_decoder_new(r->arena),
                           schema,    here(s),
                           s->limits, lc_rpc_schemas_know_identities(&s->schemas)};
    bool failed = lc_pj_get(root, "error") != NULL;
    lc_str gathered = LC_STR_EMPTY;
    const lc_node *answer = response && !lc_pj_is_gathered(rpc) ? response : &nothing;
    lc_pj_call(&r->call, &reader, rpc, request, failed && !response ? NULL : answer);
    if (failed && !response)
        lc_pj_broke(&r->call, &reader, lc_pj_get(root, "error"));
    else if (rpc == LC_PJ_INVOKE_ACTION)
        lc_pj_events(&r->call, &reader, lc_pj_get(root, "responses"));
    else if (lc_pj_is_gathered(rpc))
        gathered = gather(r, &reader, rpc, root);
    lc_decoder_free(reader.decoder);
    s->stats.calls += rpc != LC_PJ_GENERATE; /* it is part of an import */
    hand_over(s, r, rpc, gathered);
}

static bool has_error(const lc_node *root)
{
    static const char *const names[] = {"INVALID", "ERROR"};
    const lc_node *list = lc_pj_get(message(root, "response"), "diagnostics");
    bool found = lc_pj_get(root, "error") != NULL;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        found |= lc_str_is(lc_pj_enum(&list->as.items[i], "severity", names, 2), "ERROR");
    return found;
}

static void take_start(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    lc_str config;
    const lc_node *value = lc_pj_get(message(root, "request"), "config");
    lc_str version = rpc == LC_PJ_CONFIGURE
                         ? lc_pj_text(message(root, "request"), "terraform_version")
                         : LC_STR_EMPTY;
    if (version.len && s->about.called_version.len == 0)
        s->about.called_version = lc_str_copy(s->arena, version);
    bool known = rpc == LC_PJ_CONFIGURE && value && lc_pj_get(value, "msgpack") &&
                 lc_pj_bytes(&config, s->scratch, value, "msgpack");
    uint64_t process = process_of(root, provider_of(s, root));
    lc_instances_started(s->instances, process, known ? &config : NULL);
    if (rpc == LC_PJ_CONFIGURE)
        lc_instances_configured(s->instances, process, has_error(root));
}

/* A schema call that failed with a gRPC status. */
static void take_broken(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    lc_arena *arena = lc_arena_new_small();
    lc_pj_reader reader = {.arena = arena, .loc = here(s), .limits = s->limits};
    lc_scenario *scenario = lc_schemas_case(arena, s->file, here(s));
    lc_run *run = LC_PUSH(arena, &scenario->subject.runs, lc_run);
    lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
    run->loc = here(s);
    run->schema = lc_no_schema(arena, LC_STR_EMPTY);
    run->schema_unknown = true;
    run->deposed = LC_STR_EMPTY;
    lc_pj_call_begin(call, rpc, here(s));
    call->index = 1;
    lc_pj_broke(call, &reader, lc_pj_get(root, "error"));
    scenario->subject.resource = LC_STR("schemas");
    lc_schemas_give(scenario, arena, s->take, s->context);
    lc_arena_free(arena);
}

/* ---- Calls that are not there as a whole. */

static void note(lc_stream *s, oddity *odd)
{
    if (odd->calls++ == 0)
        odd->first = here(s);
}

static bool any_is_raw(const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (lc_pj_is_raw(&list->as.items[i]))
            return true;
    }
    return false;
}

/* Notes what is odd about a call. False: it cannot be judged. If events of an action were not read,
 * it is open what they were; the rules of the action take that into account. */
static bool is_whole(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    bool cut = lc_pj_bool(root, "cut");
    bool raw =
        lc_pj_is_raw(lc_pj_get(root, "request")) || lc_pj_is_raw(lc_pj_get(root, "response")) ||
        ((rpc == LC_PJ_OTHER || lc_pj_is_gathered(rpc)) &&
         (any_is_raw(lc_pj_get(root, "requests")) || any_is_raw(lc_pj_get(root, "responses"))));
    if (cut)
        note(s, &s->cut);
    else if (raw)
        note(s, &s->raw);
    else if (lc_pj_has_unknown_fields(root))
        note(s, &s->unknown_fields);
    return !cut && !raw;
}

static void tell_odd(const lc_stream *s, const oddity *odd, const char *one, const char *many,
                     const char *rest)
{
    if (odd->calls)
        lc_diag_warning(s->diags, odd->first, "%llu call%s %s", (unsigned long long)odd->calls,
                        odd->calls == 1 ? one : many, rest);
}

static void tell_oddities(const lc_stream *s)
{
    lc_unseen_report(&s->about, s->diags);
    if (s->about.lost)
        lc_diag_warning(s->diags, (lc_loc){s->file, 0, 0},
                        "%llu call%s lost when this was recorded: calls of instances may be "
                        "missing",
                        (unsigned long long)s->about.lost, s->about.lost == 1 ? " was" : "s were");
    tell_odd(s, &s->unknown_fields, " has", "s have",
             "fields that lifecheck does not know, as of a newer provider protocol: they are kept "
             "but not checked");
    tell_odd(s, &s->raw, " has", "s have",
             "messages that the recorder could not read, as of a newer provider protocol: they are "
             "kept but not checked");
    tell_odd(s, &s->cut, " was", "s were",
             "not recorded as a whole, because a message was too long or compressed, or the client "
             "did not wait: they are not checked");
}

/* A line without a call. False: the line is not part of a recording. */
static bool take_about(lc_stream *s, const lc_node *root)
{
    const lc_node *recording = lc_node_get_kind(root, "recording", LC_NODE_MAPPING);
    const lc_node *addresses = lc_node_get_kind(root, "addresses", LC_NODE_SEQUENCE);
    if (recording)
        s->newer = !lc_recording_take(&s->about, s->arena, recording, here(s), s->diags);
    if (addresses)
        lc_recording_take_addresses(s->instances, s->arena, addresses);
    return recording || addresses;
}

/* False: a member of the message, or of one of a list, has a kind that protojson cannot have, which
 * is reported. */
static bool fits(lc_stream *s, const lc_node *root, const char *member,
                 const lc_wire_message *message)
{
    lc_str why;
    const lc_node *node = lc_pj_get(root, member);
    bool list = lc_node_is(node, LC_NODE_SEQUENCE);
    for (uint32_t i = 0; node && i < (list ? node->count : 1); i++) {
        if (lc_wire_fits(&why, s->scratch, message, list ? &node->as.items[i] : node))
            continue;
        lc_diag_error(s->diags, here(s), "\"%s\" of this call does not match the protocol: %.*s",
                      member, LC_FMT(why));
        return false;
    }
    return true;
}

/* Schemas are checked where they are read. */
static bool is_call(lc_stream *s, const lc_node *root, lc_str name)
{
    int protocol = lc_pj_int(root, "protocol") == 5 ? 5 : 6;
    const lc_wire_method *method = lc_wire_method_named(protocol, name);
    if (!method)
        method = lc_wire_method_named(11 - protocol, name);
    return !method || (fits(s, root, "request", method->request) &&
                       fits(s, root, "requests", method->request) &&
                       fits(s, root, "response", method->response) &&
                       fits(s, root, "responses", method->response));
}

static void take_root(lc_stream *s, const lc_node *root, lc_str line)
{
    lc_str method = lc_pj_text(root, "rpc");
    lc_pj_rpc rpc = lc_pj_rpc_of(method);
    if (method.len == 0) {
        s->stats.foreign += !take_about(s, root);
        return;
    }
    s->stats.methods++;
    if (!is_whole(s, root, rpc))
        s->stats.unjudged += rpc >= LC_PJ_FUNCTION;
    else if (!is_call(s, root, method))
        s->stats.unjudged += rpc >= LC_PJ_FUNCTION;
    else if (rpc == LC_PJ_SCHEMA && lc_pj_get(root, "error") && !message(root, "response"))
        take_broken(s, root, rpc);
    else if (rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES)
        lc_rpc_schemas_take(&s->schemas, rpc, root, line, here(s), s->diags);
    else if (rpc >= LC_PJ_FUNCTION)
        take_call(s, root, rpc);
    else
        lc_unseen_add(&s->about, s->arena, method, NULL, here(s));
    if (rpc == LC_PJ_SCHEMA || rpc == LC_PJ_CONFIGURE)
        take_start(s, root, rpc);
}

/* Has the line of a schema call nothing that is handled otherwise? */
static bool is_read_by_types(const lc_node *root)
{
    return !lc_pj_get(root, "error") && !lc_pj_bool(root, "cut") &&
           !lc_pj_is_raw(lc_pj_get(root, "response"));
}

/* Reads a long schema line type by type, to save memory. False: it is not a schema line, or cannot
 * be split. */
static bool take_schema_line(lc_stream *s, lc_str line)
{
    lc_schema_line split;
    lc_source source;
    lc_diags quiet;
    lc_str why;
    lc_diags_init(&quiet, s->scratch);
    if (line.len < LC_SCHEMA_LINE_LONG ||
        !lc_schema_line_split(&split, s->scratch, line, &s->limits))
        return false;
    bool good =
        lc_json_parse(&source, s->scratch, s->file, lc_buf_str(&split.rest), &s->limits, &quiet) ==
            LC_OK &&
        quiet.count == 0 && is_read_by_types(&source.documents[0]) &&
        lc_wire_fits(&why, s->scratch,
                     lc_wire_message_named(6, LC_STR("GetProviderSchema.Response")),
                     lc_pj_get(&source.documents[0], "response")) &&
        lc_rpc_schemas_take_split(&s->schemas, &split, &source.documents[0], here(s), s->diags);
    if (good) {
        s->stats.methods++;
        if (lc_pj_line_has_unknown_fields(line))
            note(s, &s->unknown_fields);
        take_start(s, &source.documents[0], LC_PJ_SCHEMA);
    }
    lc_buf_release(&split.rest);
    return good;
}

/* The nodes of a line. NULL: the line is empty, or is not JSON, which is reported. */
static const lc_node *parse_line(lc_stream *s, lc_str line)
{
    lc_source source;
    lc_diags found;
    size_t at = 0;
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t' || line.ptr[at] == '\r'))
        at++;
    if (at == line.len)
        return NULL;
    lc_diags_init(&found, s->scratch);
    if (lc_json_parse(&source, s->scratch, s->file, line, &s->limits, &found) == LC_OK &&
        source.count > 0)
        return &source.documents[0];
    if (s->stats.methods == 0 && s->strange++) { /* the first such line shows what file it is */
        s->stats.foreign++;
        return NULL;
    }
    lc_str why = found.count ? found.items[0].message : LC_STR("no JSON");
    lc_diag_error(s->diags,
                  (lc_loc){s->file, (uint32_t)s->line, found.count ? found.items[0].loc.column : 1},
                  "this line is not a recorded call: %.*s", LC_FMT(why));
    return NULL;
}

/* The next line. `root`: its nodes, if there are any; NULL: it is read. */
static void take_line(lc_stream *s, const lc_node *root, lc_str line)
{
    s->line++;
    if (s->newer) {
        s->stats.methods++;
        return;
    }
    if (!take_schema_line(s, line)) {
        root = root ? root : parse_line(s, line);
        if (root && root->kind == LC_NODE_MAPPING)
            take_root(s, root, line);
        else if (root)
            s->stats.foreign++;
    }
    lc_arena_reset(s->scratch);
}

/* Nodes of schemas may be left out (see the header), so the line counts. */
void lc_stream_call(lc_stream *s, const lc_node *root, lc_str line)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_pj_text(root, "rpc"));
    bool schemas = rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES;
    if (schemas)
        take_line(s, line.len ? NULL : root, line);
    else
        take_line(s, root, LC_STR_EMPTY);
}

/* ---- Addresses at the end of a recording. */

/* Does the text continue with this, apart from white space? *at moves past it. */
static bool goes_on_with(lc_str text, size_t *at, lc_str what)
{
    while (*at < text.len && lc_is_space(text.ptr[*at]))
        ++*at;
    bool good = lc_str_starts_with(lc_str_sub(text, *at, text.len), what);
    *at += good ? what.len : 0;
    return good;
}

static void take_end_line(lc_stream *s, lc_str line)
{
    lc_source source;
    lc_diags quiet;
    lc_diags_init(&quiet, s->scratch);
    if (lc_json_parse(&source, s->scratch, s->file, line, &s->limits, &quiet) == LC_OK) {
        const lc_node *root = &source.documents[0];
        const lc_node *recording = lc_node_get_kind(root, "recording", LC_NODE_MAPPING);
        lc_recording_take_addresses(s->instances, s->arena,
                                    lc_node_get_kind(root, "addresses", LC_NODE_SEQUENCE));
        lc_recording_take_client(&s->about, s->arena, recording);
    }
    lc_arena_reset(s->scratch);
}

void lc_stream_addresses(lc_stream *s, lc_str text)
{
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        size_t begin = 0;
        end = lc_str_find(text, at, '\n');
        lc_str line = lc_str_sub(text, at, end);
        if (goes_on_with(line, &begin, LC_STR("{")) &&
            (goes_on_with(line, &begin, LC_STR("\"addresses\"")) ||
             goes_on_with(line, &begin, LC_STR("\"recording\""))))
            take_end_line(s, line);
    }
}

/* ---- Bytes. */

static void finish_line(lc_stream *s)
{
    if (s->too_long) {
        s->line++;
        lc_diag_error(s->diags, here(s), "this line is longer than %zu bytes (--max-input)",
                      s->limits.input_bytes);
    } else {
        take_line(s, NULL, lc_buf_str(&s->partial));
    }
    lc_buf_clear(&s->partial);
    s->too_long = false;
}

static void keep(lc_stream *s, lc_str bytes)
{
    s->too_long = s->too_long || s->partial.len + bytes.len > s->limits.input_bytes;
    if (!s->too_long)
        lc_buf_add_str(&s->partial, bytes);
}

void lc_stream_bytes(lc_stream *s, lc_str bytes)
{
    size_t from = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.ptr[i] != '\n')
            continue;
        keep(s, lc_str_sub(bytes, from, i));
        finish_line(s);
        from = i + 1;
    }
    keep(s, lc_str_sub(bytes, from, bytes.len));
}

void lc_stream_show(lc_stream *s)
{
    lc_instances_show(s->instances);
}

void lc_stream_complete(lc_stream *s)
{
    s->complete = true;
}

/* Every call that the recorder counted is here, and was read. */
static bool is_complete(const lc_stream *s)
{
    bool counted = s->about.has_calls && s->about.calls == s->stats.methods && !s->about.lost;
    return (s->complete || counted) && !s->raw.calls && !s->cut.calls && !s->missing.count &&
           !s->newer;
}

lc_stream_stats lc_stream_end(lc_stream *s)
{
    if (s->partial.len || s->too_long)
        finish_line(s);
    if (is_complete(s))
        lc_instances_complete(s->instances);
    lc_instances_end(s->instances);
    tell_oddities(s);
    if (s->addresses) {
        lc_addresses_report(s->addresses);
        lc_addresses_close(s->addresses);
    }
    if (s->calls == 0 && s->stats.unjudged == 0)
        lc_rpc_schemas_alone(&s->schemas, s->take, s->context);
    else
        lc_rpc_schemas_of_providers(&s->schemas, s->take, s->context);
    lc_log_findings_rest(&s->log.logged, s->file, schema_of_type, s, s->take, s->context);
    lc_buf_release(&s->partial);
    lc_arena_free(s->scratch);
    return s->stats;
}

/* ---- Detection. */

static bool is_about(lc_str line)
{
    size_t at = 0;
    return goes_on_with(line, &at, LC_STR("{")) &&
           goes_on_with(line, &at, LC_STR("\"recording\"")) &&
           goes_on_with(line, &at, LC_STR(":")) && goes_on_with(line, &at, LC_STR("{"));
}

bool lc_looks_like_rpc(lc_str text)
{
    size_t at = 0;
    text = lc_without_bom(text);
    while (at < text.len && lc_is_space(text.ptr[at]))
        at++;
    size_t end = lc_str_find(text, at, '\n');
    if (at == end || text.ptr[at] != '{')
        return false;
    lc_str line = lc_str_sub(text, at, end);
    lc_str key = LC_STR("\"rpc\":");
    if (is_about(line))
        return true;
    for (size_t i = 0; i + key.len <= line.len && i < 4096; i++) {
        if (lc_str_starts_with(lc_str_sub(line, i, line.len), key))
            return true;
    }
    return false;
}

/* RPC streams: JSON Lines of recorded calls, from a file or a pipe, taken as they come. */
#include "chains.h"
#include "protojson.h"

#include "lifecheck/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct type_entry {
    const lc_schema *schema;
} type_entry;

struct lc_stream {
    lc_arena *arena; /* schemas, processes */
    lc_str file;
    lc_limits limits;
    lc_diags *diags;
    lc_schema_store *store;
    lc_chains *chains;
    lc_schema_doc *doc;                /* of the last schema in the stream */
    lc_arena *scratch;                 /* one line */
    lc_table schemas;                  /* by kind and type */
    lc_table missing;                  /* types that no schema has, told once */
    lc_str schema_line, identity_line; /* the last ones of the stream, or empty */
    lc_str document;                   /* what they make */
    lc_capabilities provider;
    lc_buf partial;       /* the beginning of a line */
    uint64_t line, calls; /* so far */
    uint64_t process;     /* where lines do not name it */
    bool configured;      /* it was called otherwise than for its schema */
    bool too_long;
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
    s->chains = lc_chains_new(arena, file, take, context);
    s->scratch = lc_arena_new();
    s->provider = (lc_capabilities){LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO};
    lc_table_init(&s->schemas, arena);
    lc_table_init(&s->missing, arena);
    return s;
}

static lc_loc here(const lc_stream *s)
{
    return (lc_loc){s->file, (uint32_t)s->line, 1};
}

/* ---- Schemas. */

static lc_str schema_key(lc_arena *arena, lc_schema_kind kind, lc_str type)
{
    return lc_str_printf(arena, "%d %.*s", (int)kind, LC_FMT(type));
}

static void each_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    lc_stream *s = context;
    const lc_schema *schema;
    lc_diags quiet;
    (void)provider;
    lc_diags_init(&quiet, s->arena);
    if (lc_schema_doc_get(&schema, s->doc, kind, LC_STR_EMPTY, type, here(s), &quiet) != LC_OK)
        return;
    type_entry *entry = LC_NEW(s->arena, type_entry);
    entry->schema = schema;
    lc_table_put(&s->schemas, schema_key(s->arena, kind, type), entry);
}

static const lc_node *response_in(lc_stream *s, lc_source *source, lc_str line)
{
    lc_diags quiet;
    lc_diags_init(&quiet, s->scratch);
    if (line.len == 0 ||
        lc_json_parse(source, s->scratch, s->file, line, &s->limits, &quiet) != LC_OK)
        return NULL;
    return lc_pj_get(&source->documents[0], "response");
}

static void take_capabilities(lc_stream *s, const lc_node *response)
{
    const lc_node *server = lc_pj_get(response, "server_capabilities");
    s->provider.plan_destroy = lc_pj_bool(server, "plan_destroy") ? LC_YES : LC_NO;
    s->provider.move_resource_state = lc_pj_bool(server, "move_resource_state") ? LC_YES : LC_NO;
    s->provider.generate_resource_config =
        lc_pj_bool(server, "generate_resource_config") ? LC_YES : LC_NO;
}

/* Schemas and identity schemas come in two calls, in any order, and often again and again. */
static void read_schemas(lc_stream *s)
{
    lc_source source, identities;
    lc_buf document = {0};
    const lc_node *response = response_in(s, &source, s->schema_line);
    if (!response)
        return;
    take_capabilities(s, response);
    lc_pj_schema_document(&document, s->scratch, response,
                          response_in(s, &identities, s->identity_line));
    if (!lc_str_eq(lc_buf_str(&document), s->document)) {
        s->document = lc_buf_copy(s->arena, &document);
        if (lc_schema_doc_from_text(&s->doc, s->arena, s->file, s->document, &s->limits,
                                    s->diags) == LC_OK)
            lc_schema_doc_each(s->doc, each_type, s);
    }
    lc_buf_release(&document);
}

static const lc_schema *schema_of(lc_stream *s, lc_schema_kind kind, lc_str type)
{
    lc_str key = schema_key(s->scratch, kind, type);
    const type_entry *entry = lc_table_get(&s->schemas, key);
    if (entry)
        return entry->schema;
    if (!lc_table_get(&s->missing, key)) {
        lc_table_put(&s->missing, lc_str_copy(s->arena, key), s);
        lc_diag_error(s->diags, here(s),
                      "no schema for \"%.*s\": its calls are not judged; a GetProviderSchema call "
                      "in the stream or --schema gives one",
                      LC_FMT(type));
    }
    return NULL;
}

void lc_stream_schema(lc_stream *s, lc_schema_doc *doc)
{
    s->doc = doc;
    lc_schema_doc_each(doc, each_type, s);
}

/* ---- One line. */

static const lc_node *message(const lc_node *root, const char *name)
{
    const lc_node *node = lc_pj_get(root, name);
    return node && node->kind == LC_NODE_MAPPING ? node : NULL;
}

/* Without process numbers, a call that starts a provider marks a new one. */
static uint64_t process_of(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    if (lc_pj_get(root, "process"))
        return (uint64_t)lc_pj_int(root, "process");
    bool starts = rpc == LC_PJ_SCHEMA || rpc == LC_PJ_CONFIGURE;
    if (starts && s->configured) {
        s->process++;
        s->configured = false;
    }
    s->configured = s->configured || !starts;
    return s->process;
}

static void set_client(lc_capabilities *out, const lc_node *request)
{
    const lc_node *client = lc_pj_get(request, "client_capabilities");
    out->deferral_allowed = lc_pj_bool(client, "deferral_allowed") ? LC_YES : LC_NO;
    out->write_only_attributes_allowed =
        lc_pj_bool(client, "write_only_attributes_allowed") ? LC_YES : LC_NO;
    out->computed_blocks_allowed = lc_pj_bool(client, "computed_blocks_allowed") ? LC_YES : LC_NO;
}

static void take_call(lc_stream *s, const lc_node *root, lc_pj_rpc rpc)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING};
    const lc_node *request = message(root, "request"), *response = message(root, "response");
    lc_str type = lc_pj_text(request, rpc == LC_PJ_MOVE ? "target_type_name" : "type_name");
    const lc_schema *schema = schema_of(s, lc_pj_kind_of(rpc), type);
    if (!schema) {
        s->stats.unjudged++;
        return;
    }
    lc_recorded r = {.arena = lc_arena_new(), .schema = schema, .capabilities = s->provider};
    lc_pj_reader reader = {r.arena, schema, here(s), s->limits, s->identity_line.len > 0};
    set_client(&r.capabilities, request);
    r.process = process_of(s, root, rpc);
    r.arrival = ++s->calls;
    bool failed = lc_pj_get(root, "error") != NULL;
    lc_pj_call(&r.call, &reader, rpc, request, response ? response : failed ? NULL : &nothing);
    if (failed && !response)
        lc_pj_broke(&r.call, &reader, lc_pj_get(root, "error"));
    lc_chains_add(s->chains, &r);
    s->stats.calls++;
}

static void take_root(lc_stream *s, const lc_node *root, lc_str line)
{
    lc_str method = lc_pj_text(root, "rpc");
    lc_pj_rpc rpc = lc_pj_rpc_of(method);
    if (method.len == 0) {
        s->stats.foreign++;
        return;
    }
    if (rpc == LC_PJ_SCHEMA && !lc_str_eq(s->schema_line, line))
        s->schema_line = lc_str_copy(s->arena, line);
    if (rpc == LC_PJ_IDENTITIES)
        s->identity_line = lc_str_copy(s->arena, line);
    if (rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES)
        read_schemas(s);
    else if (rpc >= LC_PJ_UPGRADE)
        take_call(s, root, rpc);
    if (rpc < LC_PJ_UPGRADE)
        process_of(s, root, rpc);
}

static void take_line(lc_stream *s, lc_str line)
{
    lc_source source;
    s->line++;
    size_t at = 0;
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t' || line.ptr[at] == '\r'))
        at++;
    if (at == line.len)
        return;
    lc_diags found;
    lc_diags_init(&found, s->scratch);
    if (lc_json_parse(&source, s->scratch, s->file, line, &s->limits, &found) != LC_OK ||
        source.count == 0) {
        lc_str why = found.count ? found.items[0].message : LC_STR("no JSON");
        lc_diag_error(
            s->diags,
            (lc_loc){s->file, (uint32_t)s->line, found.count ? found.items[0].loc.column : 1},
            "this line is no recorded call: %.*s", LC_FMT(why));
    } else if (source.documents[0].kind != LC_NODE_MAPPING) {
        s->stats.foreign++;
    } else {
        take_root(s, &source.documents[0], line);
    }
    lc_arena_reset(s->scratch);
}

/* ---- Bytes. */

static void finish_line(lc_stream *s)
{
    if (s->too_long) {
        s->line++;
        lc_diag_error(s->diags, here(s), "this line is longer than %zu bytes (--max-input)",
                      s->limits.input_bytes);
    } else {
        take_line(s, lc_buf_str(&s->partial));
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

lc_stream_stats lc_stream_end(lc_stream *s)
{
    if (s->partial.len || s->too_long)
        finish_line(s);
    lc_chains_end(s->chains);
    lc_buf_release(&s->partial);
    lc_arena_free(s->scratch);
    return s->stats;
}

/* ---- Detection. */

bool lc_looks_like_rpc(lc_str text)
{
    size_t end = 0;
    while (end < text.len && text.ptr[end] != '\n')
        end++;
    size_t at = 0;
    while (at < end && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
        at++;
    if (at == end || text.ptr[at] != '{')
        return false;
    lc_str line = lc_str_sub(text, at, end);
    lc_str key = LC_STR("\"rpc\":");
    for (size_t i = 0; i + key.len <= line.len && i < 4096; i++) {
        if (lc_str_starts_with(lc_str_sub(line, i, line.len), key))
            return true;
    }
    return false;
}

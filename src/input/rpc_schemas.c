/* Schemas and identity schemas of a stream, made into one document. */
#include "rpc_schemas.h"

#include "lifecheck/arena.h"

typedef struct adding {
    lc_rpc_schemas *schemas;
    lc_loc at;
} adding;

void lc_rpc_schemas_init(lc_rpc_schemas *out, lc_arena *arena, lc_str file, lc_limits limits)
{
    *out = (lc_rpc_schemas){.arena = arena, .file = file, .limits = limits};
    lc_table_init(&out->types, arena);
    out->provider =
        (lc_capabilities){LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO};
}

static lc_str key_of(lc_arena *arena, lc_schema_kind kind, lc_str type)
{
    return lc_str_printf(arena, "%d %.*s", (int)kind, LC_FMT(type));
}

static void each_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    const adding *a = context;
    lc_rpc_schemas *s = a->schemas;
    const lc_schema *schema;
    lc_diags quiet;
    lc_diags_init(&quiet, s->arena);
    if (lc_schema_doc_get(&schema, s->doc, kind, provider, type, a->at, &quiet) != LC_OK)
        return;
    const lc_schema **slot = LC_NEW(s->arena, const lc_schema *);
    *slot = schema;
    lc_table_put(&s->types, key_of(s->arena, kind, type), slot);
}

void lc_rpc_schemas_add(lc_rpc_schemas *s, lc_schema_doc *doc, lc_loc at)
{
    adding a = {s, at};
    s->doc = doc;
    lc_schema_doc_each(doc, each_type, &a);
}

static const lc_node *response_in(const lc_rpc_schemas *s, lc_arena *scratch, lc_source *source,
                                  lc_str line)
{
    lc_diags quiet;
    lc_diags_init(&quiet, scratch);
    if (line.len == 0 || lc_json_parse(source, scratch, s->file, line, &s->limits, &quiet) != LC_OK)
        return NULL;
    return lc_pj_get(&source->documents[0], "response");
}

static void take_capabilities(lc_rpc_schemas *s, const lc_node *response)
{
    const lc_node *server = lc_pj_get(response, "server_capabilities");
    s->provider.plan_destroy = lc_pj_bool(server, "plan_destroy") ? LC_YES : LC_NO;
    s->provider.move_resource_state = lc_pj_bool(server, "move_resource_state") ? LC_YES : LC_NO;
    s->provider.generate_resource_config =
        lc_pj_bool(server, "generate_resource_config") ? LC_YES : LC_NO;
}

static void read_lines(lc_rpc_schemas *s, lc_arena *scratch, lc_loc at, lc_diags *diags)
{
    lc_source source, identities;
    lc_buf document = {0};
    const lc_node *response = response_in(s, scratch, &source, s->schema_line);
    if (!response)
        return;
    take_capabilities(s, response);
    lc_pj_schema_document(&document, scratch, response,
                          response_in(s, scratch, &identities, s->identity_line));
    if (!lc_str_eq(lc_buf_str(&document), s->document)) {
        lc_schema_doc *doc;
        s->document = lc_buf_copy(s->arena, &document);
        if (lc_schema_doc_from_text(&doc, s->arena, s->file, s->document, &s->limits, diags) ==
            LC_OK)
            lc_rpc_schemas_add(s, doc, at);
    }
    lc_buf_release(&document);
}

void lc_rpc_schemas_take(lc_rpc_schemas *s, lc_pj_rpc rpc, lc_str line, lc_loc at, lc_diags *diags)
{
    lc_str *kept = rpc == LC_PJ_SCHEMA ? &s->schema_line : &s->identity_line;
    if (lc_str_eq(*kept, line))
        return;
    *kept = lc_str_copy(s->arena, line);
    lc_arena *scratch = lc_arena_new();
    read_lines(s, scratch, at, diags);
    lc_arena_free(scratch);
}

const lc_schema *lc_rpc_schemas_get(const lc_rpc_schemas *s, lc_arena *scratch, lc_schema_kind kind,
                                    lc_str type)
{
    const lc_schema *const *slot = lc_table_get(&s->types, key_of(scratch, kind, type));
    return slot ? *slot : NULL;
}

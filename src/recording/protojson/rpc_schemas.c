/* The schemas and identity schemas of a stream, made into one schema document per response. */
#include "lifecheck/recording/rpc_schemas.h"

#include "lifecheck/base/arena.h"

typedef struct adding {
    lc_rpc_schemas *schemas;
    lc_rpc_schema *one; /* the response that the document is made from; NULL: it was named */
    lc_schema_doc *doc;
    lc_loc at;
} adding;

void lc_rpc_schemas_init(lc_rpc_schemas *out, lc_arena *arena, lc_str file, lc_limits limits)
{
    *out = (lc_rpc_schemas){.arena = arena, .file = file, .limits = limits};
    lc_table_init(&out->types, arena);
    lc_table_init(&out->providers, arena);
    out->any.capabilities =
        (lc_capabilities){LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO};
}

/* ---- Providers. */

lc_rpc_provider *lc_rpc_schemas_provider(lc_rpc_schemas *s, lc_str address, lc_loc at,
                                         lc_diags *diags)
{
    lc_rpc_provider *p = address.len ? lc_table_get(&s->providers, address) : &s->any;
    if (p)
        return p;
    if (s->providers.count == LC_MAX_RPC_PROVIDERS) {
        if (!s->too_many_providers)
            lc_diag_error(diags, at, "more than %d addresses of providers in one stream",
                          LC_MAX_RPC_PROVIDERS);
        s->too_many_providers = true;
        return &s->any;
    }
    p = LC_NEW(s->arena, lc_rpc_provider);
    p->number = s->providers.count + 1;
    p->capabilities = s->any.capabilities;
    lc_table_put(&s->providers, lc_str_copy(s->arena, address), p);
    return p;
}

lc_rpc_provider *lc_rpc_schemas_provider_of(lc_rpc_schemas *s, const lc_node *root, lc_loc at,
                                            lc_diags *diags)
{
    return lc_rpc_schemas_provider(s, lc_pj_text(root, "provider"), at, diags);
}

/* ---- Types. */

static lc_str key_of(lc_arena *arena, lc_schema_kind kind, lc_str type)
{
    return lc_str_printf(arena, "%d %.*s", (int)kind, LC_FMT(type));
}

static void each_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    const adding *a = context;
    lc_rpc_schemas *s = a->schemas;
    lc_rpc_type *added = LC_NEW(s->arena, lc_rpc_type);
    *added = (lc_rpc_type){.key = key_of(s->arena, kind, type),
                           .name = lc_str_copy(s->arena, type),
                           .provider = lc_str_copy(s->arena, provider),
                           .kind = kind,
                           .doc = a->doc,
                           .at = a->at,
                           .one = a->one};
    const lc_rpc_type *before = lc_table_get(&s->types, added->key);
    s->changed |= before && before->one != a->one;
    lc_table_put(&s->types, added->key, added);
    if (a->one) {
        *LC_PUSH(s->arena, &a->one->types, lc_rpc_type) = *added;
        lc_table_put(&a->one->by_key, added->key, added);
    }
}

/* Without messages: a schema that cannot be read is reported by the rules about schemas. */
const lc_schema *lc_rpc_type_schema(lc_rpc_type *t)
{
    if (t->asked)
        return t->schema;
    lc_arena *scratch = lc_arena_new_small();
    lc_diags quiet;
    lc_diags_init(&quiet, scratch);
    if (lc_schema_doc_get(&t->schema, t->doc, t->kind, t->provider, t->name, t->at, &quiet) !=
        LC_OK)
        t->schema = NULL;
    t->asked = true;
    lc_arena_free(scratch);
    return t->schema;
}

static void add_document(lc_rpc_schemas *s, lc_rpc_schema *one, lc_schema_doc *doc, lc_loc at)
{
    adding a = {s, one, doc, at};
    lc_schema_doc_each(doc, each_type, &a);
}

void lc_rpc_schemas_add(lc_rpc_schemas *s, lc_schema_doc *doc, lc_loc at)
{
    add_document(s, NULL, doc, at);
}

/* If a provider's version changes and changes back, the types of the repeated response count again.
 */
static void say_again(lc_rpc_schemas *s, const lc_rpc_schema *one)
{
    for (size_t i = 0; s->changed && i < one->types.count; i++)
        lc_table_put(&s->types, one->types.items[i].key, &one->types.items[i]);
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

static lc_capabilities capabilities_of(const lc_rpc_provider *p, const lc_node *response)
{
    const lc_node *server = lc_pj_get(response, "server_capabilities");
    lc_capabilities out = p->capabilities;
    out.plan_destroy = lc_pj_bool(server, "plan_destroy") ? LC_YES : LC_NO;
    out.move_resource_state = lc_pj_bool(server, "move_resource_state") ? LC_YES : LC_NO;
    out.generate_resource_config = lc_pj_bool(server, "generate_resource_config") ? LC_YES : LC_NO;
    return out;
}

/* Identity schemas come in a response of their own; together with `plain` they make the document.
 */
static void add_identities(const lc_rpc_schemas *s, lc_buf *document, const lc_rpc_schema *one,
                           lc_arena *scratch)
{
    lc_source source;
    const lc_node *identities = response_in(s, scratch, &source, one->identity_line);
    lc_buf_add_str(document, one->plain);
    lc_pj_add_identities(document, scratch, identities);
}

/* Reads schema and identities as one document. Its types replace earlier ones of the same names. */
static void read_document(lc_rpc_schemas *s, lc_rpc_schema *one, lc_arena *scratch, lc_loc at,
                          lc_diags *diags)
{
    lc_buf with = {0};
    lc_str document = one->plain;
    if (one->identity_line.len) {
        add_identities(s, &with, one, scratch);
        document = lc_buf_copy(s->arena, &with);
    }
    lc_buf_release(&with);
    if (lc_str_eq(document, one->document))
        return;
    lc_schema_doc *doc;
    one->document = document;
    one->types.count = 0;
    lc_table_init(&one->by_key, s->arena);
    if (lc_schema_doc_from_text(&doc, s->arena, s->file, document, &s->limits, diags) == LC_OK) {
        lc_schema_doc_stands_at(doc, one->at);
        if (one->identity_line.len == 0)
            lc_schema_doc_lacks_identities(doc);
        add_document(s, one, doc, at);
    }
    lc_rpc_type *config = lc_table_get(&s->types, key_of(scratch, LC_KIND_PROVIDER, LC_STR_EMPTY));
    one->config = config ? lc_rpc_type_schema(config) : NULL;
}

static lc_rpc_schema *find(lc_rpc_schemas *s, lc_str plain)
{
    for (size_t i = 0; i < s->count; i++) {
        if (lc_str_eq(s->all[i].plain, plain))
            return &s->all[i];
    }
    return NULL;
}

/* A response that was not there before. NULL: there are too many. */
static lc_rpc_schema *add_response(lc_rpc_schemas *s, lc_str plain, lc_loc at, lc_diags *diags)
{
    if (s->count == LC_MAX_SCHEMAS) {
        if (!s->too_many)
            lc_diag_error(diags, at, "more than %d different provider schemas in one stream",
                          LC_MAX_SCHEMAS);
        s->too_many = true;
        return NULL;
    }
    lc_rpc_schema *one = &s->all[s->count++];
    *one = (lc_rpc_schema){.plain = lc_str_copy(s->arena, plain), .at = at};
    one->document = one->identity_line = LC_STR_EMPTY;
    return one;
}

/* Returns the response that has this document, with the identities that the provider returned
 * before. */
static lc_rpc_schema *take_document(lc_rpc_schemas *s, lc_rpc_provider *p, lc_str plain, lc_loc at,
                                    lc_diags *diags)
{
    lc_rpc_schema *known = find(s, plain);
    lc_rpc_schema *one = known ? known : add_response(s, plain, at, diags);
    if (!one)
        return NULL;
    bool more = one->identity_line.len == 0 && p->early.len > 0;
    if (more)
        one->identity_line = p->early;
    p->early = LC_STR_EMPTY;
    if (!known || more) {
        lc_arena *scratch = lc_arena_new();
        read_document(s, one, scratch, at, diags);
        lc_arena_free(scratch);
    } else if (one != s->any.last) {
        say_again(s, one);
    }
    return one;
}

static bool take_schema(lc_rpc_schemas *s, const lc_node *root, const lc_schema_line *split,
                        lc_loc at, lc_diags *diags)
{
    lc_buf plain = {0};
    const lc_node *response = lc_pj_get(root, "response");
    if (!response)
        return true;
    lc_arena *scratch = lc_arena_new();
    bool good = lc_pj_schema_document(&plain, scratch, response, split);
    if (good) {
        lc_rpc_provider *p = lc_rpc_schemas_provider_of(s, root, at, diags);
        p->last = take_document(s, p, lc_buf_str(&plain), at, diags);
        if (p->last)
            p->last->provider_missing =
                !lc_pj_get(response, "provider") && !lc_pj_get(response, "diagnostics");
        p->capabilities = capabilities_of(p, response);
        p->schema_optional =
            lc_pj_bool(lc_pj_get(response, "server_capabilities"), "get_provider_schema_optional");
        p->has_meta = lc_pj_get(response, "provider_meta") != NULL;
        s->any.last = p->last;
        s->any.capabilities = p->capabilities;
        s->any.schema_optional = p->schema_optional;
        s->any.has_meta = p->has_meta;
    }
    lc_buf_release(&plain);
    lc_arena_free(scratch);
    return good;
}

bool lc_rpc_schemas_take_split(lc_rpc_schemas *s, const lc_schema_line *split, const lc_node *root,
                               lc_loc at, lc_diags *diags)
{
    return take_schema(s, root, split, at, diags);
}

static void take_identities(lc_rpc_schemas *s, lc_rpc_provider *p, lc_str line, lc_loc at,
                            lc_diags *diags)
{
    s->identities |= line.len > 0;
    if (p->last && p->last->identity_line.len)
        return; /* every process repeats it */
    line = lc_str_copy(s->arena, line);
    if (!p->last) {
        p->early = line;
        return;
    }
    lc_arena *scratch = lc_arena_new();
    p->last->identity_line = line;
    read_document(s, p->last, scratch, at, diags);
    lc_arena_free(scratch);
}

void lc_rpc_schemas_take(lc_rpc_schemas *s, lc_pj_rpc rpc, const lc_node *root, lc_str line,
                         lc_loc at, lc_diags *diags)
{
    if (rpc == LC_PJ_SCHEMA)
        take_schema(s, root, NULL, at, diags);
    else
        take_identities(s, lc_rpc_schemas_provider_of(s, root, at, diags), line, at, diags);
}

bool lc_rpc_schemas_know_identities(const lc_rpc_schemas *s)
{
    return s->identities;
}

const lc_schema *lc_rpc_schemas_get(const lc_rpc_schemas *s, lc_arena *scratch,
                                    const lc_rpc_provider *provider, lc_schema_kind kind,
                                    lc_str type)
{
    const lc_rpc_provider *p = provider->last ? provider : &s->any;
    if (kind == LC_KIND_PROVIDER && p->last)
        return p->last->config;
    lc_str key = key_of(scratch, kind, type);
    lc_rpc_type *own = p->number ? lc_table_get(&p->last->by_key, key) : NULL;
    lc_rpc_type *found = own ? own : lc_table_get(&s->types, key);
    if (!found || (p->number && !own && found->one)) /* the type of another provider */
        return NULL;
    return lc_rpc_type_schema(found);
}

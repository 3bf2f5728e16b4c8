/* The schemas of scenarios: the store of schema documents, and the key `schema`.
 *
 * Several cases may share one `schema` node. It is read for the first case and remembered by the
 * address of the node, also if it could not be read, so that one mistake is reported once. */
#include "lifecheck/base/arena.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "scenario/internal.h"

#include <string.h>

typedef struct store_entry {
    lc_schema_doc *doc; /* NULL: could not be read */
    lc_diags found;     /* what is wrong with it, to be repeated for each input that names it */
} store_entry;

void lc_schema_store_init(lc_schema_store *store, lc_arena *arena, lc_limits limits)
{
    *store = (lc_schema_store){.arena = arena, .limits = limits};
    lc_table_init(&store->documents, arena);
}

static store_entry *open_document(lc_schema_store *store, lc_str path)
{
    store_entry *entry = LC_NEW(store->arena, store_entry);
    lc_str kept = lc_str_copy(store->arena, path);
    lc_diags_init(&entry->found, store->arena);
    if (lc_schema_doc_open(&entry->doc, store->arena, kept, &store->limits, &entry->found) != LC_OK)
        entry->doc = NULL;
    lc_table_put(&store->documents, kept, entry);
    return entry;
}

static bool is_reported(const lc_diags *diags, const lc_diag *d)
{
    for (size_t i = 0; i < diags->count; i++) {
        const lc_diag *reported = &diags->items[i];
        if (reported->loc.line == d->loc.line && reported->loc.column == d->loc.column &&
            lc_str_eq(reported->loc.file, d->loc.file) && lc_str_eq(reported->message, d->message))
            return true;
    }
    return false;
}

/* Reports an error that has a place in the document, once for each input. */
static void report_placed(lc_diags *diags, const lc_diag *d)
{
    if (is_reported(diags, d))
        return;
    if (d->severity == LC_DIAG_ERROR)
        lc_diag_error(diags, d->loc, "%.*s", LC_FMT(d->message));
    else
        lc_diag_warning(diags, d->loc, "%.*s", LC_FMT(d->message));
}

lc_schema_doc *lc_schema_store_get(lc_schema_store *store, lc_str path, lc_loc at, lc_diags *diags)
{
    store_entry *entry = lc_table_get(&store->documents, path);
    if (!entry)
        entry = open_document(store, path);
    bool explained = false;
    for (size_t i = 0; i < entry->found.count; i++) {
        const lc_diag *d = &entry->found.items[i];
        bool placed = d->loc.line > 0;
        explained = explained || !placed;
        if (placed)
            report_placed(diags, d);
        else
            lc_diag_error(diags, at, "the schema document \"%.*s\" cannot be read: %.*s",
                          LC_FMT(path), LC_FMT(d->message));
    }
    bool named = at.line == 0; /* by an option; the place in the document is enough then */
    if (!entry->doc && !explained && !(named && entry->found.count))
        lc_diag_error(diags, at, "the schema document \"%.*s\" cannot be read", LC_FMT(path));
    return entry->doc;
}

lc_schema_doc *lc_schema_store_add(lc_schema_store *store, lc_str path, lc_diags *diags)
{
    lc_loc at = {path, 0, 0};
    lc_schema_doc *doc = lc_schema_store_get(store, path, at, diags);
    const lc_cfn_type *type = doc ? lc_schema_doc_cloudformation(doc) : NULL;
    if (type && type->suppressed.len)
        lc_diag_error(diags, at, "nothing is derived: %.*s", LC_FMT(type->suppressed));
    return doc;
}

/* ---- Addresses. Of an address only the type matters here, so it is not parsed in full. */

/* The index after `module.NAME` or `module.NAME["key"]` and its dot. Keys may contain dots and
 * brackets. */
static size_t after_module(lc_str s, size_t at)
{
    bool quoted = false, bracket = false;
    at += sizeof "module." - 1;
    for (; at < s.len; at++) {
        char c = s.ptr[at];
        if (quoted && c == '\\')
            at++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '[')
            bracket = true;
        else if (!quoted && c == ']')
            bracket = false;
        else if (!quoted && !bracket && c == '.')
            return at + 1;
    }
    return s.len;
}

/* A resource type may be named "provider", so that address is not one of its configuration. */
static lc_schema_kind kind_of_address(lc_str address)
{
    static const lc_schema_kind kinds[] = {LC_KIND_DATA, LC_KIND_EPHEMERAL, LC_KIND_LIST,
                                           LC_KIND_ACTION, LC_KIND_STORE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lc_str_starts_with(address, lc_str_from_c(lc_kind_prefix(kinds[i]))))
            return kinds[i];
    }
    return LC_KIND_RESOURCE;
}

lc_str lc_address_type(lc_str address)
{
    size_t at = 0;
    while (lc_str_starts_with(lc_str_sub(address, at, address.len), LC_STR("module.")))
        at = after_module(address, at);
    lc_str rest = lc_str_sub(address, at, address.len);
    at += strlen(lc_kind_prefix(kind_of_address(rest)));
    return lc_str_sub(address, at, lc_str_find(address, at, '.'));
}

/* ---- The key `schema`. */

enum {
    FILE_KEY,
    PROVIDER,
    TYPE,
    KIND,
    VERSION,
    BLOCK,
    IDENTITY,
    IDENTITY_VERSION,
    CLOUDFORMATION,
    AS,
    FUNCTIONS,
    SCHEMA_KEYS
};
static const lc_key_row schema_rows[] = {
    {"file", LC_SHAPE_TEXT, false,
     "the output of `terraform providers schema -json`, relative to the scenario"},
    {"provider", LC_SHAPE_TEXT, false, "if several providers of the file have the type"},
    {"type", LC_SHAPE_TEXT, false, "the type in that file"},
    {"kind", LC_SHAPE_SCHEMA_KIND, false, "what it is the schema of, if not of a resource"},
    {"version", LC_SHAPE_NUMBER, false, "of the schema"},
    {"block", LC_SHAPE_BLOCK, false, ""},
    {"identity", LC_SHAPE_IDENTITY, false, ""},
    {"identity_version", LC_SHAPE_NUMBER, false, ""},
    {"cloudformation", LC_SHAPE_CLOUDFORMATION, false,
     "a CloudFormation resource type schema, or its file; compared with the schema next to it"},
    {"as", LC_SHAPE_TEXT, false, "with `cloudformation`: document (default) or awscc"},
    {"functions", LC_SHAPE_FUNCTIONS, false, "of a provider"},
};
const lc_keyset lc_schema_keys = LC_KEYSET(schema_rows);

static bool read_kind(lc_in *in, lc_schema_kind *out, const lc_member *member)
{
    lc_str text;
    *out = LC_KIND_RESOURCE;
    if (!member)
        return true;
    if (!lc_in_text(in, &text, &member->value, "the kind of a schema"))
        return false;
    if (lc_schema_kind_from_name(out, text))
        return true;
    lc_diag_error(in->diags, lc_in_loc(in, &member->value),
                  "the kind of a schema is resource, data, ephemeral, provider, list, "
                  "action or state_store");
    return false;
}

lc_str lc_beside(lc_arena *arena, lc_str file, lc_str path)
{
    size_t cut = file.len;
    while (cut && file.ptr[cut - 1] != '/')
        cut--;
    if ((path.len && path.ptr[0] == '/') || cut == 0)
        return path;
    return lc_str_printf(arena, "%.*s%.*s", (int)cut, file.ptr, LC_FMT(path));
}

static bool optional_text(lc_in *in, lc_str *out, const lc_member *member, const char *what)
{
    *out = LC_STR_EMPTY;
    return !member || lc_in_text(in, out, &member->value, what);
}

/* `type` may be missing for the schema of the provider itself only. */
static const lc_schema *from_document(lc_in *in, const lc_member *const *found, lc_schema_kind kind)
{
    const lc_schema *schema;
    lc_str file, provider, type;
    const lc_node *file_node = &found[FILE_KEY]->value;
    bool ok = lc_in_text(in, &file, file_node, "the file of a schema");
    ok = optional_text(in, &provider, found[PROVIDER], "the provider of a schema") && ok;
    ok = optional_text(in, &type, found[TYPE], "the type of a schema") && ok;
    if (!found[TYPE] && kind != LC_KIND_PROVIDER) {
        lc_diag_error(
            in->diags, lc_in_key_loc(in, found[FILE_KEY]),
            "a schema from a file needs the key \"type\": `lifecheck schema show` lists the "
            "types of the file");
        return NULL;
    }
    if (!ok)
        return NULL;
    lc_schema_doc *doc =
        lc_schema_store_get(in->store, lc_beside(in->arena, in->source->file, file),
                            lc_in_loc(in, file_node), in->diags);
    lc_loc at = lc_in_loc(in, found[TYPE] ? &found[TYPE]->value : file_node);
    if (!doc || lc_schema_doc_get(&schema, doc, kind, provider, type, at, in->diags) != LC_OK)
        return NULL;
    return schema;
}

static const lc_schema *from_block(lc_in *in, const lc_node *node, lc_schema_kind kind)
{
    const lc_schema *schema;
    if (lc_schema_from_node(&schema, in->arena, in->source, node, kind,
                            lc_address_type(in->resource), in->diags) != LC_OK)
        return NULL;
    return schema;
}

/* ---- CloudFormation. */

/* *doc is the document that contains the type, if it comes from a file; else it stays. */
static const lc_cfn_type *read_cloudformation(lc_in *in, const lc_member *const *found,
                                              lc_schema_doc **doc)
{
    lc_str file, as;
    const lc_cfn_type *type;
    const lc_node *node = &found[CLOUDFORMATION]->value;
    if (!optional_text(in, &as, found[AS], "the profile of a resource type"))
        return NULL;
    if (found[AS] && !lc_str_is(as, "document") && !lc_str_is(as, "awscc")) {
        lc_diag_error(in->diags, lc_in_loc(in, &found[AS]->value),
                      "a resource type is read as \"document\" or \"awscc\"");
        return NULL;
    }
    lc_cfn_profile profile = lc_str_is(as, "awscc") ? LC_CFN_AWSCC : LC_CFN_DOCUMENT;
    if (node->kind == LC_NODE_MAPPING)
        return lc_cfn_read_node(&type, in->arena, in->source, node, profile, in->diags) ? type
                                                                                        : NULL;
    if (!lc_in_text(in, &file, node, "the file of a resource type"))
        return NULL;
    file = lc_beside(in->arena, in->source->file, file);
    lc_str path = lc_str_printf(in->arena, "%s:%.*s",
                                lc_str_is(as, "awscc") ? "awscc" : "cloudformation", LC_FMT(file));
    *doc = lc_schema_store_get(in->store, path, lc_in_loc(in, node), in->diags);
    return *doc ? lc_schema_doc_cloudformation(*doc) : NULL;
}

/* A schema that was captured from a provider, to be compared with the resource type next to it. */
static const lc_schema *captured_schema(lc_in *in, const lc_node *whole,
                                        const lc_member *const *found, lc_schema_kind kind,
                                        const lc_cfn_type *type)
{
    const lc_schema *given =
        found[FILE_KEY] ? from_document(in, found, kind) : from_block(in, whole, kind);
    if (!given)
        return NULL;
    lc_schema *schema = LC_NEW(in->arena, lc_schema);
    *schema = *given;
    schema->cloudformation = type;
    schema->captured = true;
    return schema;
}

/* One of the schemas that are derived from a resource type written in the scenario. */
static const lc_schema *pick(lc_in *in, const lc_cfn_type *type, lc_schema_kind kind, lc_str name,
                             lc_loc at)
{
    bool plural = kind == LC_KIND_DATA && type->plural && lc_str_eq(name, type->plural_name);
    const lc_schema *schema = plural                     ? type->plural
                              : kind == LC_KIND_DATA     ? type->data
                              : kind == LC_KIND_RESOURCE ? type->resource
                                                         : NULL;
    if (!schema || !lc_str_eq(name, schema->type_name)) {
        lc_diag_error(in->diags, at, "the resource type has no %s %.*s", lc_schema_kind_name(kind),
                      LC_FMT(name));
        return NULL;
    }
    return schema;
}

/* A type from which nothing can be derived gets an empty schema; a rule reports why. */
static const lc_schema *from_cloudformation(lc_in *in, const lc_node *whole,
                                            const lc_member *const *found, lc_schema_kind kind)
{
    const lc_schema *schema;
    lc_str name;
    lc_schema_doc *doc = NULL;
    const lc_cfn_type *type = read_cloudformation(in, found, &doc);
    if (!type)
        return NULL;
    if (found[FILE_KEY] || found[BLOCK])
        return captured_schema(in, whole, found, kind, type);
    if (!optional_text(in, &name, found[TYPE], "the type of a schema"))
        return NULL;
    if (type->suppressed.len)
        return lc_cfn_empty_schema(in->arena, type);
    lc_loc at = lc_in_loc(in, &found[CLOUDFORMATION]->value);
    name = found[TYPE] ? name : type->terraform_name;
    if (!doc)
        return pick(in, type, kind, name, at);
    if (lc_schema_doc_get(&schema, doc, kind, LC_STR_EMPTY, name, at, in->diags) != LC_OK)
        return NULL;
    return schema;
}

/* The first key that is not allowed together with `file`, or, with `file` false, together with
 * `block`. */
static const lc_member *misplaced(const lc_member *const *found, bool file)
{
    for (int i = 0; i < SCHEMA_KEYS; i++) {
        bool of_file = i == FILE_KEY || i == PROVIDER || i == TYPE;
        bool of_inline =
            i == VERSION || i == BLOCK || i == IDENTITY || i == IDENTITY_VERSION || i == FUNCTIONS;
        if (found[i] && (file ? of_inline : of_file))
            return found[i];
    }
    return NULL;
}

/* The schema of a provider that runs: only kind and type count. */
static const lc_schema *provided(const lc_in *in, lc_schema_kind kind, lc_str type, lc_loc at)
{
    if (!type.len) {
        lc_diag_error(in->diags, at, "the type is missing: `resource: TYPE.NAME`");
        return NULL;
    }
    const lc_schema *schema = in->store->provided(in->store->provided_context, kind, type);
    if (!schema)
        lc_diag_error(in->diags, at, "the provider has no %s \"%.*s\"",
                      kind == LC_KIND_DATA ? "data source" : lc_schema_kind_name(kind),
                      LC_FMT(type));
    return schema;
}

const lc_schema *lc_in_provided_schema(lc_in *in, lc_loc at)
{
    lc_str type = lc_address_type(in->resource);
    if (in->store->provided && type.len)
        return provided(in, kind_of_address(in->resource), type, at);
    lc_diag_error(in->diags, at,
                  in->store->provided
                      ? "a case needs the key \"schema\" with a \"type\", or a \"resource\""
                      : "a case needs the key \"schema\": `schema: {file: schemas.json, type: "
                        "TYPE}` names the output of `terraform providers schema -json`; lifecheck "
                        "init writes a whole scenario from it");
    return NULL;
}

static const lc_schema *provided_for(lc_in *in, const lc_node *node, const lc_member *const *found,
                                     lc_schema_kind kind)
{
    lc_str type;
    if (!optional_text(in, &type, found[TYPE], "the type of a schema"))
        return NULL;
    if (type.len == 0 && !found[KIND])
        kind = kind_of_address(in->resource);
    return provided(in, kind, type.len ? type : lc_address_type(in->resource), lc_in_loc(in, node));
}

/* Three sources: a schema document, an inline schema, a CloudFormation type alone or next to one.
 */
static const lc_schema *read_schema(lc_in *in, const lc_node *node)
{
    const lc_member *found[SCHEMA_KEYS];
    lc_schema_kind kind;
    if (!lc_in_keys(in, found, node, &lc_schema_keys, "a schema"))
        return NULL;
    bool stated = found[FILE_KEY] || found[BLOCK] || found[CLOUDFORMATION] || found[IDENTITY] ||
                  found[FUNCTIONS];
    if (in->store->provided && !(stated && in->store->stated_first))
        return read_kind(in, &kind, found[KIND])
                   ? provided_for(in, node, (const lc_member *const *)found, kind)
                   : NULL;
    const lc_member *wrong =
        misplaced(found, found[FILE_KEY] || (found[CLOUDFORMATION] && !found[BLOCK]));
    if (!wrong && found[AS] && !found[CLOUDFORMATION])
        wrong = found[AS];
    if (wrong) {
        lc_diag_error(in->diags, lc_in_key_loc(in, wrong),
                      "a schema has \"file\" and \"type\", or \"block\": \"%.*s\" does not fit",
                      LC_FMT(wrong->key));
        return NULL;
    }
    if (!read_kind(in, &kind, found[KIND]))
        return NULL;
    if (found[CLOUDFORMATION])
        return from_cloudformation(in, node, (const lc_member *const *)found, kind);
    if (found[FILE_KEY])
        return from_document(in, (const lc_member *const *)found, kind);
    if (!found[BLOCK] && !found[IDENTITY] && !found[FUNCTIONS]) {
        lc_diag_error(in->diags, lc_in_loc(in, node),
                      "a schema needs \"file\" and \"type\", or a \"block\"");
        return NULL;
    }
    return from_block(in, node, kind);
}

typedef struct schema_entry {
    const lc_schema *schema;
} schema_entry;

const lc_schema *lc_in_schema(lc_in *in, const lc_node *node)
{
    /* Without a type of its own the schema takes it from the resource, so the type is in the key.
     */
    lc_str type = lc_address_type(in->resource);
    lc_str key = lc_str_printf(in->arena, "%p %.*s", (const void *)node, LC_FMT(type));
    schema_entry *entry = lc_table_get(&in->schemas, key);
    if (!entry) {
        entry = LC_NEW(in->arena, schema_entry);
        entry->schema = read_schema(in, node);
        lc_table_put(&in->schemas, key, entry);
    }
    return entry->schema;
}

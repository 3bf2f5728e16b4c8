/* Schema documents: the output of `providers schema -json`, opened by indexing alone.
 *
 * Such a document can have tens of megabytes, and a case needs a few types of it. So the index has,
 * per provider and group of schemas, the name of every type and the byte range of its schema in the
 * text; both lists are sorted for binary search. When a type is asked for, only its range is
 * parsed, in a scratch arena that is freed at once, and the schema is kept in the document's arena.
 * A document thus costs its text, the index, and the schemas that were used. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/base/table.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "schema/internal.h"

#include <stdlib.h>

/* The first groups are the values of lc_schema_kind; the rest hold no schemas of objects. */
enum { GROUP_IDENTITY = LC_LAST_KIND + 1, GROUP_FUNCTION, GROUP_COUNT };

typedef struct type_entry {
    lc_str name; /* "" for the provider's configuration */
    size_t at;   /* offset of the name in the text */
    lc_json_range range;
    const lc_schema *schema; /* NULL until a caller asks for the type */
} type_entry;

typedef LC_VEC(type_entry) type_entries;

typedef struct provider_entry {
    lc_str address;
    size_t at;
    type_entries groups[GROUP_COUNT];
    lc_str *resources; /* names of the resource types; NULL until the first schema is decoded */
} provider_entry;

struct lc_schema_doc {
    lc_arena *arena;
    lc_str file;
    lc_str text;
    lc_limits limits;
    lc_text_places places;
    bool identities_unknown;
    LC_VEC(provider_entry) providers;
    const lc_cfn_type *cloudformation;
};

/* ---- Indexing. */

/* The state of indexing, passed as context to the callbacks of lc_json_each_member. `provider` and
 * `group` are what the walk is inside of. */
typedef struct indexer {
    lc_schema_doc *doc;
    lc_diags *diags;
    lc_status status;
    provider_entry *provider;
    type_entries *group;
    size_t providers_at; /* offset of "provider_schemas", or 0 */
    bool has_version;
    const char *other; /* which other document has a member that was seen; NULL: none */
    uint32_t groups_seen;
    size_t end; /* where the last member of the root that was seen ends */
} indexer;

static void index_error(indexer *ix, size_t at, const char *message)
{
    lc_diag_error(ix->diags, lc_text_places_at(&ix->doc->places, at), "%s", message);
    ix->status = LC_EINPUT;
}

static bool starts_with(const indexer *ix, lc_json_range range, char c)
{
    return range.from < range.to && ix->doc->text.ptr[range.from] == c;
}

/* Visits the members of an object without building nodes. Null counts as an empty object, because
 * Go writes a nil map as null. */
static lc_status each_member(indexer *ix, lc_json_range object,
                             bool (*member)(void *, lc_str, size_t, lc_json_range),
                             const char *what)
{
    if (starts_with(ix, object, 'n'))
        return LC_OK;
    if (!starts_with(ix, object, '{')) {
        lc_diag_error(ix->diags, lc_text_places_at(&ix->doc->places, object.from),
                      "%s is an object", what);
        return LC_EINPUT;
    }
    lc_schema_doc *doc = ix->doc;
    lc_status status =
        lc_json_each_member(doc->file, doc->text, object, member, ix, doc->arena, ix->diags);
    return status != LC_OK ? status : ix->status;
}

static bool add_type(void *context, lc_str name, size_t at, lc_json_range value)
{
    indexer *ix = context;
    *LC_PUSH(ix->doc->arena, ix->group, type_entry) = (type_entry){name, at, value, NULL};
    return true;
}

static int group_of(lc_str key)
{
    static const struct {
        const char *key;
        int group;
    } groups[] = {
        {"provider", LC_KIND_PROVIDER},          {"resource_schemas", LC_KIND_RESOURCE},
        {"data_source_schemas", LC_KIND_DATA},   {"ephemeral_resource_schemas", LC_KIND_EPHEMERAL},
        {"list_resource_schemas", LC_KIND_LIST}, {"resource_identity_schemas", GROUP_IDENTITY},
        {"action_schemas", LC_KIND_ACTION},      {"functions", GROUP_FUNCTION},
        {"state_store_schemas", LC_KIND_STORE},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (lc_str_is(key, groups[i].key))
            return groups[i].group;
    }
    return -1;
}

static bool add_group(void *context, lc_str key, size_t at, lc_json_range value)
{
    indexer *ix = context;
    int group = group_of(key);
    if (group < 0)
        return true;
    if (ix->groups_seen & 1u << group) {
        index_error(ix, at, "this member is given twice");
        return false;
    }
    ix->groups_seen |= 1u << group;
    ix->group = &ix->provider->groups[group];
    if (group != LC_KIND_PROVIDER)
        ix->status = each_member(ix, value, add_type, "a group of schemas");
    else if (!starts_with(ix, value, 'n'))
        add_type(ix, LC_STR_EMPTY, at, value);
    return ix->status == LC_OK;
}

static bool add_provider(void *context, lc_str address, size_t at, lc_json_range value)
{
    indexer *ix = context;
    ix->provider = LC_PUSH(ix->doc->arena, &ix->doc->providers, provider_entry);
    ix->provider->address = address;
    ix->provider->at = at;
    ix->groups_seen = 0;
    ix->status = each_member(ix, value, add_group, "the schemas of a provider");
    return ix->status == LC_OK;
}

/* The major version must be 0 or 1: cores change it only for incompatible formats, so nothing is
 * known about a document of version 2. */
static void check_format(indexer *ix, size_t at, lc_json_range value)
{
    lc_str text = lc_str_sub(ix->doc->text, value.from, value.to);
    ix->has_version = true;
    if (!lc_str_starts_with(text, LC_STR("\"0.")) && !lc_str_starts_with(text, LC_STR("\"1.")))
        index_error(ix, at, "the format version of this schema document is not 0.x or 1.x");
}

static const char *other_document(lc_str key)
{
    static const struct {
        const char *key, *document;
    } members[] = {{"resource_changes", "a plan"}, {"planned_values", "a plan"},
                   {"lineage", "a state"},         {"serial", "a state"},
                   {"values", "a state"},          {"typeName", "a CloudFormation type"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (lc_str_is(key, members[i].key))
            return members[i].document;
    return NULL;
}

static bool add_root(void *context, lc_str key, size_t at, lc_json_range value)
{
    indexer *ix = context;
    ix->end = value.to;
    if (!ix->other)
        ix->other = other_document(key);
    if (lc_str_is(key, "format_version")) {
        check_format(ix, at, value);
    } else if (lc_str_is(key, "provider_schemas")) {
        if (ix->providers_at) {
            index_error(ix, at, "this member is given twice");
            return false;
        }
        ix->providers_at = at;
        ix->status = each_member(ix, value, add_provider, "\"provider_schemas\"");
    }
    return ix->status == LC_OK;
}

static size_t after_space(lc_str text, size_t at)
{
    while (at < text.len && lc_is_space(text.ptr[at]))
        at++;
    return at;
}

/* lc_json_each_member stops at the end of the object. What follows it is an error, such as a second
 * document. */
static void check_end(indexer *ix)
{
    lc_str text = ix->doc->text;
    size_t at = after_space(text, ix->end);
    if (at < text.len && text.ptr[at] == '}')
        at = after_space(text, at + 1);
    if (at < text.len)
        index_error(ix, at, "there is more after the end of the schema document");
}

LC_ORDER_BY_STR(types_by_name, type_entry, name)

LC_ORDER_BY_STR(providers_by_address, provider_entry, address)

static void sort_types(indexer *ix, type_entries *types)
{
    if (types->count)
        qsort(types->items, types->count, sizeof *types->items, types_by_name);
    for (size_t i = 1; i < types->count; i++) {
        if (lc_str_eq(types->items[i - 1].name, types->items[i].name))
            index_error(ix, types->items[i].at, "this type is given twice");
    }
}

/* Sorting makes look-ups logarithmic, and brings names that are given twice side by side. */
static void sort_index(indexer *ix)
{
    lc_schema_doc *doc = ix->doc;
    if (doc->providers.count)
        qsort(doc->providers.items, doc->providers.count, sizeof *doc->providers.items,
              providers_by_address);
    for (size_t i = 0; i < doc->providers.count; i++) {
        provider_entry *p = &doc->providers.items[i];
        if (i && lc_str_eq(p[-1].address, p->address))
            index_error(ix, p->at, "this provider is given twice");
        for (int group = 0; group < GROUP_COUNT; group++)
            sort_types(ix, &p->groups[group]);
    }
}

/* Clients print only a version where no provider is required. */
static void check_schemas(indexer *ix, size_t at)
{
    if (ix->status != LC_OK || ix->providers_at || (ix->has_version && !ix->other))
        return;
    index_error(ix, at,
                lc_str_to_c(ix->doc->arena,
                            lc_str_printf(ix->doc->arena,
                                          "this is %s%s\"provider_schemas\"; `terraform "
                                          "providers schema -json` prints one",
                                          ix->other ? ix->other : "not a schema document",
                                          ix->other ? ", not a schema document, which has a member "
                                                    : ": it has no member ")));
}

lc_status lc_schema_doc_from_text(lc_schema_doc **out, lc_arena *arena, lc_str file, lc_str text,
                                  const lc_limits *limits, lc_diags *diags)
{
    lc_schema_doc *doc = LC_NEW(arena, lc_schema_doc);
    indexer ix = {.doc = doc, .diags = diags};
    doc->arena = arena;
    doc->file = lc_str_copy(arena, file);
    doc->text = text;
    doc->limits = *limits;
    lc_text_places_init(&doc->places, arena, doc->file, text);
    size_t from = lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF")) ? 3 : 0;
    lc_json_range root = {after_space(text, from), text.len};
    ix.end = root.from + 1;
    if (root.from < root.to && !starts_with(&ix, root, '{')) {
        index_error(&ix, root.from,
                    "this is not a schema document, which is a JSON object; `terraform providers "
                    "schema -json` prints one");
        return LC_EINPUT;
    }
    if (root.from >= root.to) {
        lc_diag_error(diags, (lc_loc){doc->file, 1, 1},
                      "the file is empty: `terraform providers schema -json` prints a schema "
                      "document");
        return LC_EINPUT;
    }
    lc_status status = each_member(&ix, root, add_root, "a schema document");
    if (status != LC_OK)
        return status;
    check_end(&ix);
    check_schemas(&ix, root.from);
    if (ix.status == LC_OK)
        sort_index(&ix);
    if (ix.status == LC_OK)
        *out = doc;
    return ix.status;
}

void lc_schema_doc_stands_at(lc_schema_doc *doc, lc_loc at)
{
    doc->places.all_at = at;
}

void lc_schema_doc_lacks_identities(lc_schema_doc *doc)
{
    doc->identities_unknown = true;
}

static const lc_schema *derived_schema(const lc_cfn_type *type, int group, lc_str name)
{
    if (group == LC_KIND_RESOURCE)
        return type->resource;
    bool plural = type->plural && lc_str_eq(type->plural->type_name, name);
    return group != LC_KIND_DATA ? NULL : plural ? type->plural : type->data;
}

/* A derived document needs no decoding: lc_cfn_read has made the schemas already, with locations in
 * the CloudFormation file. */
static void give_derived(lc_schema_doc *doc)
{
    provider_entry *p = doc->providers.items;
    for (int group = 0; group < GROUP_COUNT; group++) {
        for (size_t i = 0; i < p->groups[group].count; i++)
            p->groups[group].items[i].schema =
                derived_schema(doc->cloudformation, group, p->groups[group].items[i].name);
    }
}

/* A CloudFormation type is opened as a document that has one provider, so that everything else
 * treats it like a provider's own schema. */
static lc_status open_cloudformation(lc_schema_doc **out, lc_arena *arena, lc_str file,
                                     lc_cfn_profile profile, const lc_limits *limits,
                                     lc_diags *diags)
{
    lc_str text;
    const lc_cfn_type *type;
    lc_buf document = {0};
    lc_status status = lc_file_read(&text, arena, file, limits->input_bytes, diags);
    if (status == LC_OK)
        status = lc_cfn_read(&type, arena, file, text, LC_STR_EMPTY, profile, limits, diags);
    if (status != LC_OK)
        return status;
    lc_cfn_add_document(&document, &type, 1);
    text = lc_buf_take(arena, &document);
    status = lc_schema_doc_from_text(out, arena, file, text, limits, diags);
    if (status != LC_OK)
        return status;
    (*out)->cloudformation = type;
    give_derived(*out);
    return LC_OK;
}

const struct lc_cfn_type *lc_schema_doc_cloudformation(const lc_schema_doc *doc)
{
    return doc->cloudformation;
}

/* Removes `prefix` from *file; false if it is not there. */
static bool take_prefix(lc_str *file, lc_str prefix)
{
    bool is = lc_str_starts_with(*file, prefix);
    if (is)
        *file = lc_str_sub(*file, prefix.len, file->len);
    return is;
}

lc_status lc_schema_doc_open(lc_schema_doc **out, lc_arena *arena, lc_str file,
                             const lc_limits *limits, lc_diags *diags)
{
    lc_str text;
    if (take_prefix(&file, LC_STR("cloudformation:")))
        return open_cloudformation(out, arena, file, LC_CFN_DOCUMENT, limits, diags);
    if (take_prefix(&file, LC_STR("awscc:")))
        return open_cloudformation(out, arena, file, LC_CFN_AWSCC, limits, diags);
    lc_status status = lc_file_read(&text, arena, file, limits->input_bytes, diags);
    return status == LC_OK ? lc_schema_doc_from_text(out, arena, file, text, limits, diags)
                           : status;
}

/* ---- Looking up. */

static type_entry *find_type(const provider_entry *p, int group, lc_str name)
{
    const type_entries *types = &p->groups[group];
    type_entry key = {.name = name};
    if (!types->count)
        return NULL;
    return bsearch(&key, types->items, types->count, sizeof key, types_by_name);
}

/* Source addresses may be abbreviated from the left, at a slash: "hashicorp/random" names
 * "registry.terraform.io/hashicorp/random". */
static bool names_provider(const provider_entry *p, lc_str address)
{
    if (lc_str_eq(p->address, address))
        return true;
    size_t cut = p->address.len - address.len;
    return address.len && address.len < p->address.len && p->address.ptr[cut - 1] == '/' &&
           lc_str_ends_with(p->address, address);
}

/* What a caller of lc_schema_doc_get asked for, and where errors are reported. */
typedef struct request {
    lc_schema_doc *doc;
    lc_schema_kind kind;
    lc_str provider, type;
    lc_loc at;
    lc_diags *diags;
} request;

/* The providers that a request may mean: those of that name, or all. */
typedef struct candidates {
    provider_entry **items;
    size_t count;
} candidates;

/* An exact address wins over abbreviations; otherwise "a/b" could be ambiguous although a provider
 * has exactly that address. */
static candidates find_candidates(lc_arena *arena, const request *q)
{
    const lc_schema_doc *doc = q->doc;
    candidates found = {LC_NEW_ARRAY(arena, provider_entry *, doc->providers.count), 0};
    for (size_t i = 0; i < doc->providers.count; i++) {
        provider_entry *p = &doc->providers.items[i];
        if (q->provider.len && lc_str_eq(p->address, q->provider)) {
            found.items[0] = p;
            found.count = 1;
            return found;
        }
        if (!q->provider.len || names_provider(p, q->provider))
            found.items[found.count++] = p;
    }
    return found;
}

/* ---- Error messages for requests that cannot be answered. */

#define MOST_NAMES 5

static void add_names(lc_buf *buf, const lc_str *names, size_t count, const char *last)
{
    size_t shown = count > MOST_NAMES ? MOST_NAMES : count;
    for (size_t i = 0; i < shown; i++) {
        bool end = i + 1 == count;
        lc_buf_printf(buf, "%s\"%.*s\"", i == 0 ? "" : end ? last : ", ", LC_FMT(names[i]));
    }
    if (count > shown)
        lc_buf_printf(buf, " and %zu more", count - shown);
}

static void add_provider_names(lc_buf *buf, lc_arena *arena, const candidates *all)
{
    lc_str *names = LC_NEW_ARRAY(arena, lc_str, all->count);
    for (size_t i = 0; i < all->count; i++)
        names[i] = all->items[i]->address;
    add_names(buf, names, all->count, " and ");
}

static const char *kind_name(lc_schema_kind kind)
{
    switch (kind) {
    case LC_KIND_RESOURCE:
        return "resource";
    case LC_KIND_DATA:
        return "data source";
    case LC_KIND_EPHEMERAL:
        return "ephemeral resource";
    case LC_KIND_PROVIDER:
        return "provider configuration";
    case LC_KIND_LIST:
        return "list resource";
    case LC_KIND_ACTION:
        return "action";
    case LC_KIND_STORE:
        return "state store";
    }
    return "";
}

static lc_status refuse(const request *q, lc_buf *message)
{
    lc_diag_error(q->diags, q->at, "%.*s", LC_FMT(lc_buf_str(message)));
    return LC_EINPUT;
}

static lc_status no_provider(const request *q, lc_arena *arena, lc_buf *message)
{
    request any = *q;
    any.provider = LC_STR_EMPTY;
    candidates all = find_candidates(arena, &any);
    if (!q->doc->providers.count) {
        lc_buf_printf(message,
                      "\"%.*s\" has the schemas of no provider: run `init` where the configuration "
                      "requires one, then `terraform providers schema -json`",
                      LC_FMT(q->doc->file));
        return refuse(q, message);
    }
    lc_buf_printf(message, "\"%.*s\" has no provider \"%.*s\"", LC_FMT(q->doc->file),
                  LC_FMT(q->provider));
    if (all.count)
        lc_buf_add_c(message, "; it has ");
    add_provider_names(message, arena, &all);
    return refuse(q, message);
}

static lc_status several(const request *q, lc_arena *arena, const candidates *found,
                         lc_buf *message)
{
    if (q->provider.len)
        lc_buf_printf(message, "several providers are called \"%.*s\": ", LC_FMT(q->provider));
    else if (q->kind == LC_KIND_PROVIDER)
        lc_buf_printf(message, "\"%.*s\" has several providers: ", LC_FMT(q->doc->file));
    else
        lc_buf_printf(message, "several providers have the %s \"%.*s\": ", kind_name(q->kind),
                      LC_FMT(q->type));
    add_provider_names(message, arena, found);
    lc_buf_add_c(message, "; \"provider\" must name one of them");
    return refuse(q, message);
}

/* Up to three existing names that `type` may be a misspelling of, nearest first: each round takes
 * the nearest name out of the list. */
static size_t find_nearest(lc_str *near, lc_arena *arena, const request *q, const candidates *in)
{
    size_t count = 0, found = 0;
    for (size_t i = 0; i < in->count; i++)
        count += in->items[i]->groups[q->kind].count;
    lc_str *names = LC_NEW_ARRAY(arena, lc_str, count);
    count = 0;
    for (size_t i = 0; i < in->count; i++) {
        const type_entries *types = &in->items[i]->groups[q->kind];
        for (size_t k = 0; k < types->count; k++)
            names[count++] = types->items[k].name;
    }
    while (found < 3 && (near[found] = lc_str_nearest(q->type, names, count)).len) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            if (!lc_str_eq(names[i], near[found]))
                names[kept++] = names[i];
        }
        count = kept;
        found++;
    }
    return found;
}

/* The kind that the candidates do have the type as, or else the kind that was asked for. */
static lc_schema_kind other_kind(const request *q, const candidates *in)
{
    static const lc_schema_kind kinds[] = {LC_KIND_RESOURCE, LC_KIND_DATA,   LC_KIND_EPHEMERAL,
                                           LC_KIND_LIST,     LC_KIND_ACTION, LC_KIND_STORE};
    for (size_t i = 0; i < in->count; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (find_type(in->items[i], (int)kinds[k], q->type))
                return kinds[k];
        }
    }
    return q->kind;
}

/* The first provider of the document that has the type, or NULL. Only called when none of the
 * candidates has it. */
static const provider_entry *other_provider(const request *q)
{
    for (size_t i = 0; i < q->doc->providers.count; i++) {
        const provider_entry *p = &q->doc->providers.items[i];
        if (find_type(p, (int)q->kind, q->type))
            return p;
    }
    return NULL;
}

/* The most useful hint wins: the same name as another kind, then in another provider, then similar
 * names. */
static lc_status no_type(const request *q, lc_arena *arena, const candidates *in, lc_buf *message)
{
    lc_str near[3];
    lc_schema_kind kind = other_kind(q, in);
    const provider_entry *elsewhere = other_provider(q);
    lc_str place = !q->provider.len ? q->doc->file
                   : in->count == 1 ? in->items[0]->address
                                    : q->provider;
    lc_buf_printf(message, "\"%.*s\" has no %s \"%.*s\"", LC_FMT(place), kind_name(q->kind),
                  LC_FMT(q->type));
    if (kind != q->kind) {
        lc_buf_printf(message, "; there is %s %s of that name",
                      kind == LC_KIND_EPHEMERAL || kind == LC_KIND_ACTION ? "an" : "a",
                      kind_name(kind));
        return refuse(q, message);
    }
    if (elsewhere) {
        lc_buf_printf(message, "; \"%.*s\" has it", LC_FMT(elsewhere->address));
        return refuse(q, message);
    }
    size_t count = find_nearest(near, arena, q, in);
    if (count) {
        lc_buf_add_c(message, "; did you mean ");
        add_names(message, near, count, " or ");
        lc_buf_add_char(message, '?');
    }
    return refuse(q, message);
}

/* ---- Decoding one type. */

static lc_status parse(lc_source *source, lc_arena *scratch, const lc_schema_doc *doc,
                       lc_json_range range, lc_diags *diags)
{
    return lc_json_parse_range(source, scratch, doc->file, doc->text, range, &doc->limits, diags);
}

/* Identities are a group of their own in the document, but part of the resource's schema here. */
static lc_status decode_in(lc_schema *schema, lc_arena *scratch, const request *q,
                           const provider_entry *p, const type_entry *entry)
{
    lc_schema_doc *doc = q->doc;
    lc_source source, identity_source;
    const type_entry *identity =
        q->kind == LC_KIND_RESOURCE ? find_type(p, GROUP_IDENTITY, entry->name) : NULL;
    lc_status status = parse(&source, scratch, doc, entry->range, q->diags);
    if (status == LC_OK && identity)
        status = parse(&identity_source, scratch, doc, identity->range, q->diags);
    if (status != LC_OK)
        return status;
    lc_schema_reader r = {doc->arena, &source, &doc->places, q->diags, false, LC_OK};
    status = lc_schema_read(schema, &r, &source.documents[0]);
    if (status != LC_OK || !identity)
        return status;
    r.source = &identity_source;
    return lc_schema_read_identity(schema, &r, &identity_source.documents[0]);
}

static const lc_str *resource_names(lc_arena *arena, provider_entry *p)
{
    const type_entries *types = &p->groups[LC_KIND_RESOURCE];
    if (p->resources)
        return p->resources;
    p->resources = LC_NEW_ARRAY(arena, lc_str, types->count + 1);
    for (size_t i = 0; i < types->count; i++)
        p->resources[i] = types->items[i].name;
    return p->resources;
}

/* The functions of a provider are part of its own schema. */
static lc_status read_functions(lc_schema *schema, const request *q, const provider_entry *p)
{
    lc_schema_doc *doc = q->doc;
    const type_entries *entries = &p->groups[GROUP_FUNCTION];
    lc_function *functions = LC_NEW_ARRAY(doc->arena, lc_function, entries->count);
    lc_status status = LC_OK;
    schema->functions = functions;
    for (size_t i = 0; i < entries->count && status == LC_OK; i++) {
        const type_entry *entry = &entries->items[i];
        lc_arena *scratch = lc_arena_new();
        lc_source source;
        status = parse(&source, scratch, doc, entry->range, q->diags);
        if (status == LC_OK) {
            lc_schema_reader r = {doc->arena, &source, &doc->places, q->diags, false, LC_OK};
            lc_schema_read_function(&r, &functions[schema->function_count++], entry->name,
                                    lc_text_places_at(&doc->places, entry->at),
                                    &source.documents[0]);
            status = r.status;
        }
        lc_arena_free(scratch);
    }
    return status;
}

/* What a schema takes from its document rather than from its own text. */
static lc_schema *new_schema(const request *q, provider_entry *p, lc_str name)
{
    lc_schema *schema = LC_NEW(q->doc->arena, lc_schema);
    schema->kind = q->kind;
    schema->type_name = name;
    schema->provider = p->address;
    schema->types = resource_names(q->doc->arena, p);
    schema->type_count = p->groups[LC_KIND_RESOURCE].count;
    schema->provider_missing = p->groups[LC_KIND_PROVIDER].count == 0;
    return schema;
}

/* Decodes a type at its first use. A failed type is not remembered: the next request reports the
 * errors again. */
static lc_status decode(const lc_schema **out, const request *q, provider_entry *p,
                        type_entry *entry)
{
    if (!entry->schema) {
        lc_schema *schema = new_schema(q, p, entry->name);
        schema->loc = lc_text_places_at(&q->doc->places, entry->at);
        lc_arena *scratch = lc_arena_new();
        lc_status status = decode_in(schema, scratch, q, p, entry);
        lc_arena_free(scratch);
        if (status == LC_OK && q->kind == LC_KIND_PROVIDER)
            status = read_functions(schema, q, p);
        if (status != LC_OK)
            return status;
        schema->managed_without_identity = q->kind == LC_KIND_LIST && !q->doc->identities_unknown &&
                                           !find_type(p, GROUP_IDENTITY, entry->name);
        entry->schema = schema;
    }
    *out = entry->schema;
    return LC_OK;
}

/* A provider without a schema of its configuration gets an empty one; validation reports that it is
 * missing (LC_FAULT_PROVIDER_MISSING). */
static lc_status decode_missing(const lc_schema **out, const request *q, provider_entry *p)
{
    lc_schema *schema = new_schema(q, p, LC_STR_EMPTY);
    schema->loc = lc_text_places_at(&q->doc->places, p->at);
    schema->block = lc_schema_empty_block(q->doc->arena);
    *out = schema;
    return read_functions(schema, q, p);
}

static lc_status get(const lc_schema **out, lc_arena *arena, const request *q, lc_buf *message)
{
    candidates in = find_candidates(arena, q);
    bool configuration = q->kind == LC_KIND_PROVIDER;
    if (!in.count)
        return no_provider(q, arena, message);
    candidates found = {LC_NEW_ARRAY(arena, provider_entry *, in.count), 0};
    for (size_t i = 0; i < in.count; i++) {
        if (configuration || find_type(in.items[i], (int)q->kind, q->type))
            found.items[found.count++] = in.items[i];
    }
    if (!found.count)
        return no_type(q, arena, &in, message);
    if (found.count > 1)
        return several(q, arena, &found, message);
    type_entry *entry = find_type(found.items[0], (int)q->kind, q->type);
    return entry ? decode(out, q, found.items[0], entry) : decode_missing(out, q, found.items[0]);
}

lc_status lc_schema_doc_get(const lc_schema **out, lc_schema_doc *doc, lc_schema_kind kind,
                            lc_str provider, lc_str type, lc_loc at, lc_diags *diags)
{
    request q = {doc, kind, provider, type, at, diags};
    lc_buf message = {0};
    if (kind == LC_KIND_PROVIDER) {
        q.provider = provider.len ? provider : type;
        q.type = LC_STR_EMPTY;
    }
    lc_arena *arena = lc_arena_new();
    lc_status status = get(out, arena, &q, &message);
    lc_arena_free(arena);
    lc_buf_release(&message);
    return status;
}

void lc_schema_doc_each(lc_schema_doc *doc,
                        void (*each)(void *context, lc_str provider, lc_schema_kind kind,
                                     lc_str type),
                        void *context)
{
    for (size_t i = 0; i < doc->providers.count; i++) {
        const provider_entry *p = &doc->providers.items[i];
        for (int kind = LC_KIND_RESOURCE; kind <= LC_LAST_KIND; kind++) {
            for (size_t k = 0; k < p->groups[kind].count; k++)
                each(context, p->address, (lc_schema_kind)kind, p->groups[kind].items[k].name);
        }
    }
}

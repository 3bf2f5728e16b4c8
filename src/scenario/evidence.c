/* Plans and states as JSON: which of them a document is, and the schemas that it is read by. */
#include "lifecheck/scenario/evidence.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "scenario/planning/internal.h"

#include <string.h>

/* ---- Schemas. */

static void open_document(lc_schemas *s, lc_str path, lc_diags *diags)
{
    lc_schema_doc *doc = lc_schema_store_add(s->store, path, diags);
    if (doc)
        *LC_PUSH(s->arena, &s->docs, lc_schema_doc *) = doc;
}

/* Schema documents next to a file are those whose names end with schema.json. */
static void look_beside(lc_schemas *s, lc_str folder, lc_diags *diags)
{
    lc_str *names;
    size_t count;
    lc_folder_list(&names, &count, s->arena, folder);
    for (size_t i = 0; i < count; i++) {
        if (lc_str_ends_with(names[i], LC_STR("schema.json")))
            open_document(s, lc_str_printf(s->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(names[i])),
                          diags);
    }
}

void lc_schemas_open(lc_schemas *out, lc_arena *arena, lc_schema_store *store, lc_str file,
                     const lc_capture_options *options, lc_diags *diags)
{
    *out = (lc_schemas){.arena = arena, .store = store};
    lc_table_init(&out->reported, arena);
    for (size_t i = 0; i < options->schema_count; i++)
        open_document(out, options->schemas[i], diags);
    if (options->schema_count == 0)
        look_beside(out, lc_file_folder(file), diags);
}

/* A document that does not have the type under this provider may have it under another address (a
 * mirror, a development build), so the type alone is tried next. */
const lc_schema *lc_schemas_get(lc_schemas *s, lc_schema_kind kind, lc_str provider, lc_str type,
                                lc_loc at, lc_diags *diags)
{
    const lc_schema *schema;
    lc_diags quiet;
    for (size_t i = 0; i < s->docs.count; i++) {
        lc_diags_init(&quiet, s->arena);
        if (lc_schema_doc_get(&schema, s->docs.items[i], kind, provider, type, at, &quiet) ==
                LC_OK ||
            lc_schema_doc_get(&schema, s->docs.items[i], kind, LC_STR_EMPTY, type, at, &quiet) ==
                LC_OK)
            return schema;
    }
    if (!lc_table_put(&s->reported, lc_str_copy(s->arena, type), s))
        lc_diag_error(diags, at,
                      "no schema for \"%.*s\": it is not checked; --schema names a document, or "
                      "put one next to the file as schema.json",
                      LC_FMT(type));
    return NULL;
}

/* ---- What a document is. Detection reads only the beginning of a file, so it looks at text and
 * builds no nodes. */

static bool has_key(lc_str head, const char *key)
{
    lc_str want = lc_str_from_c(key);
    for (size_t i = 0; i + want.len <= head.len; i++) {
        if (head.ptr[i] == '"' && lc_str_starts_with(lc_str_sub(head, i, head.len), want))
            return true;
    }
    return false;
}

/* Does the outermost object have this key, as far as the text goes? */
static bool has_outer_key(lc_str head, const char *key)
{
    size_t depth = 0, from = 0;
    bool quoted = false;
    for (size_t i = 0; i < head.len; i++) {
        char c = head.ptr[i];
        if (quoted && c == '\\') {
            i++;
        } else if (c == '"') {
            quoted = !quoted;
            if (quoted)
                from = i + 1;
            else if (depth == 1 && lc_str_is(lc_str_sub(head, from, i), key))
                return true;
        } else if (!quoted) {
            depth += c == '{' || c == '[';
            depth -= depth && (c == '}' || c == ']');
        }
    }
    return false;
}

/* A plan contains states and a scenario may contain both, so the order of the questions matters. */
lc_json_kind lc_json_evidence(lc_str head)
{
    size_t at = 0;
    head = lc_without_bom(head);
    while (at < head.len && lc_is_space(head.ptr[at]))
        at++;
    if (at == head.len || head.ptr[at] != '{')
        return LC_JSON_OTHER;
    if (has_outer_key(head, "lifecheck")) /* a scenario, which may hold a plan or a state */
        return LC_JSON_OTHER;
    if (has_key(head, "\"format_version\"") &&
        (has_key(head, "\"planned_values\"") || has_key(head, "\"resource_changes\"")))
        return LC_JSON_PLAN;
    if ((has_key(head, "\"version\"") && has_key(head, "\"lineage\"")) ||
        (has_outer_key(head, "format_version") && has_outer_key(head, "values")))
        return LC_JSON_STATE;
    return LC_JSON_OTHER;
}

bool lc_json_is(lc_json_kind kind, const lc_source *source, lc_diags *diags)
{
    const lc_node *root = &source->documents[0];
    if (kind == LC_JSON_PLAN ? lc_plan_is(root) : lc_state_is(root))
        return true;
    lc_diag_error(diags, lc_node_loc(source, root),
                  kind == LC_JSON_PLAN ? "this is not a plan as JSON: it needs format_version and "
                                         "resource_changes, as `terraform show -json plan.out` "
                                         "prints them"
                                       : "this is not a state file, which needs version and "
                                         "resources: `terraform state pull` prints one");
    return false;
}

lc_state_file *lc_state_document(lc_arena *arena, const lc_source *source, lc_diags *diags)
{
    lc_state_file *state = LC_NEW(arena, lc_state_file);
    if (lc_state_from_node(state, arena, source, source->documents, diags) != LC_OK)
        return NULL;
    if (state->has_resources)
        return state;
    lc_diag_error(diags, state->loc,
                  "this is not a state file of version 4: `terraform state pull` prints one");
    return NULL;
}

lc_state_file *lc_state_document_open(lc_arena *arena, lc_str file, const lc_limits *limits,
                                      lc_diags *diags)
{
    const lc_source *source = lc_json_open(arena, file, LC_STATE_ORIGIN, limits, diags);
    return source ? lc_state_document(arena, source, diags) : NULL;
}

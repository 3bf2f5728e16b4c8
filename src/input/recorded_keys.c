/* Plans, states and options under `planning` in a scenario. */
#include "input/forecast.h"
#include "input/planning_keys.h"

#include "lifecheck/arena.h"

typedef struct reader {
    lc_arena *arena;
    lc_schema_store *store;
    const lc_source *source;
    const lc_node *mapping;
    lc_diags *diags;
    bool ok;
} reader;

static const lc_key_row rows[] = {
    {"plan", LC_SHAPE_MAPPING, false, "a plan as JSON"},
    {"plan_file", LC_SHAPE_STRING, false, ""},
    {"state", LC_SHAPE_STATE, false, "a state file's content, or objects by address"},
    {"state_file", LC_SHAPE_STRING, false, ""},
    {"next_state", LC_SHAPE_MAPPING, false, "what was saved after applying"},
    {"next_state_file", LC_SHAPE_STRING, false, ""},
    {"schemas", LC_SHAPE_STRINGS, false, "schema documents, as files"},
    {"operation", LC_SHAPE_STRING, false, "the command line that the plan was made with"},
    {"mode", LC_SHAPE_PLAN_MODE, false, ""},
    {"replace", LC_SHAPE_STRINGS, false, "addresses given with -replace"},
    {"target", LC_SHAPE_STRINGS, false, "addresses given with -target"},
    {"exclude", LC_SHAPE_STRINGS, false, "addresses given with -exclude"},
    {"refresh", LC_SHAPE_FLAG, false, "false: -refresh=false"},
};
const lc_keyset lc_plan_evidence_keys = LC_KEYSET(rows);

static void complain(reader *r, const lc_node *at, const char *what)
{
    r->ok = false;
    lc_diag_error(r->diags, lc_node_loc(r->source, at), "%s", what);
}

static const lc_node *text_node(reader *r, const char *key)
{
    const lc_node *node = lc_node_get(r->mapping, key);
    if (!node || node->kind == LC_NODE_STRING)
        return node;
    complain(r, node, "a string is required here");
    return NULL;
}

/* ---- Files, named relative to the scenario. */

static const lc_source *read_file(reader *r, const lc_node *name)
{
    const lc_source *source = lc_json_open(
        r->arena, lc_beside(r->arena, r->source->file, name->as.text), &r->store->limits, r->diags);
    if (!source)
        complain(r, name, "the file named here cannot be used");
    return source;
}

/* What stands here, or in the file that is named; false: neither. */
static bool find(reader *r, const char *inline_key, const char *file_key, const lc_source **source,
                 const lc_node **node)
{
    const lc_node *file = text_node(r, file_key);
    *source = r->source;
    *node = lc_node_get(r->mapping, inline_key);
    if (*node && file) {
        complain(r, file, "the same stands beside it as well: one of both");
        return false;
    }
    if (file) {
        *source = read_file(r, file);
        *node = *source ? (*source)->documents : NULL;
    }
    return *node != NULL;
}

static lc_state_file *read_state(reader *r, const char *inline_key, const char *file_key)
{
    const lc_source *source;
    const lc_node *node;
    if (!find(r, inline_key, file_key, &source, &node) ||
        (source == r->source && node->kind == LC_NODE_MAPPING && !lc_node_get(node, "version") &&
         !lc_state_is_shown(node)))
        return NULL;
    lc_state_file *state = lc_state_read(r->arena, source, node, r->diags);
    r->ok &= state != NULL;
    return state;
}

static lc_plan *read_plan(reader *r)
{
    const lc_source *source;
    const lc_node *node;
    if (!find(r, "plan", "plan_file", &source, &node))
        return NULL;
    lc_plan *plan = lc_plan_read(r->arena, source, node, r->diags);
    r->ok &= plan != NULL;
    return plan;
}

/* ---- Lists. */

static const lc_str *read_list(reader *r, const char *key, bool addresses, size_t *count)
{
    const lc_node *node = lc_node_get(r->mapping, key);
    bool list = node && node->kind == LC_NODE_SEQUENCE;
    lc_str *out = LC_NEW_ARRAY(r->arena, lc_str, list ? node->count : 0);
    lc_address address;
    lc_str why;
    size_t at;
    *count = list ? node->count : 0;
    if (node && !list)
        complain(r, node, "a list is required here");
    for (uint32_t i = 0; list && i < node->count; i++) {
        const lc_node *item = &node->as.items[i];
        out[i] = item->kind == LC_NODE_STRING ? item->as.text : LC_STR_EMPTY;
        if (item->kind != LC_NODE_STRING ||
            (addresses && !lc_address_parse(&address, r->arena, out[i], &why, &at)))
            complain(r, item, addresses ? "this is no address" : "a string is required here");
    }
    return out;
}

static void read_schemas(reader *r, lc_plan_evidence *out)
{
    size_t count;
    const lc_node *node = lc_node_get(r->mapping, "schemas");
    const lc_str *files = read_list(r, "schemas", false, &count);
    lc_schemas *schemas = LC_NEW(r->arena, lc_schemas);
    *schemas = (lc_schemas){.arena = r->arena, .store = r->store};
    lc_table_init(&schemas->reported, r->arena);
    for (size_t i = 0; i < count; i++) {
        lc_schema_doc *doc =
            lc_schema_store_get(r->store, lc_beside(r->arena, r->source->file, files[i]),
                                lc_node_loc(r->source, &node->as.items[i]), r->diags);
        r->ok &= doc != NULL;
        if (doc)
            *LC_PUSH(r->arena, &schemas->docs, lc_schema_doc *) = doc;
    }
    lc_plan_evidence_use_schemas(out, r->arena, schemas);
}

/* ---- Options. */

static void read_mode(reader *r, lc_plan_options *o)
{
    const lc_node *node = text_node(r, "mode");
    if (!node)
        return;
    o->has_mode = node->as.text.len && lc_plan_mode_from_name(&o->mode, node->as.text);
    if (!o->has_mode)
        complain(r, node, "a mode is normal, destroy or refresh-only");
}

static void read_options(reader *r, lc_plan_options *o)
{
    const lc_node *refresh = lc_node_get(r->mapping, "refresh");
    o->loc = lc_node_loc(r->source, r->mapping);
    read_mode(r, o);
    o->has_replace = lc_node_get(r->mapping, "replace") != NULL;
    o->replace = read_list(r, "replace", true, &o->replace_count);
    o->has_target =
        lc_node_get(r->mapping, "target") != NULL || lc_node_get(r->mapping, "exclude") != NULL;
    o->target = read_list(r, "target", true, &o->target_count);
    o->exclude = read_list(r, "exclude", true, &o->exclude_count);
    if (!refresh)
        return;
    if (refresh->kind != LC_NODE_BOOL)
        complain(r, refresh, "a bool is required here");
    o->refresh = refresh->kind == LC_NODE_BOOL && !refresh->boolean ? LC_NO : LC_YES;
}

static void read_operation(reader *r, lc_plan_evidence *out)
{
    const lc_node *node = text_node(r, "operation");
    lc_str why;
    if (!node)
        return;
    if (lc_operation_parse(&out->operation, r->arena, node->as.text, &why)) {
        out->operation.loc = lc_node_loc(r->source, node);
        return;
    }
    complain(r, node, lc_str_to_c(r->arena, why));
}

/* Reads what lc_plan_evidence_keys name (format.h); others are passed over. A `state` that
 * is no state of version 4 (it has no member `version`) is as well. False: reported. */
static bool read_plan_evidence(lc_plan_evidence *out, lc_arena *arena, lc_schema_store *store,
                               const lc_source *source, const lc_node *mapping, lc_diags *diags)
{
    reader r = {arena, store, source, mapping, diags, true};
    *out = (lc_plan_evidence){0};
    out->plan = read_plan(&r);
    out->state = read_state(&r, "state", "state_file");
    out->next_state = read_state(&r, "next_state", "next_state_file");
    read_options(&r, &out->options);
    read_operation(&r, out);
    if (lc_node_get(mapping, "schemas"))
        read_schemas(&r, out);
    return r.ok;
}

/* ---- All of it. */

static size_t add_names(lc_str *names, size_t count, const lc_keyset *keys)
{
    for (size_t i = 0; i < keys->count; i++)
        names[count++] = lc_str_from_c(keys->rows[i].name);
    return count;
}

static void check_keys(reader *r)
{
    size_t count = lc_plan_evidence_keys.count + lc_prediction_keys.count;
    lc_str *names = LC_NEW_ARRAY(r->arena, lc_str, count);
    add_names(names, add_names(names, 0, &lc_plan_evidence_keys), &lc_prediction_keys);
    for (uint32_t i = 0; i < r->mapping->count; i++) {
        const lc_member *m = &r->mapping->as.members[i];
        size_t k = 0;
        while (k < count && !lc_str_eq(m->key, names[k]))
            k++;
        if (k < count)
            continue;
        lc_str near = lc_str_nearest(m->key, names, count);
        r->ok = false;
        lc_diag_error(r->diags, lc_where_loc(r->source, m->where),
                      "planning has no key \"%.*s\"%s%.*s%s", LC_FMT(m->key),
                      near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
    }
}

const lc_planning *lc_plan_evidence_from_node(lc_in *in, const lc_node *node)
{
    reader r = {in->arena, in->store, in->source, node, in->diags, true};
    lc_plan_evidence *facts = LC_NEW(in->arena, lc_plan_evidence);
    if (node->kind != LC_NODE_MAPPING) {
        complain(&r, node, "a mapping is required here");
        return NULL;
    }
    check_keys(&r);
    if (!read_plan_evidence(facts, in->arena, in->store, in->source, node, in->diags) || !r.ok ||
        !lc_prediction_from_node(facts, in, node))
        return NULL;
    if (!facts->plan && !facts->state && !facts->next_state && !facts->run) {
        complain(&r, node, "there is neither a plan, a state nor a configuration to judge");
        return NULL;
    }
    return lc_plan_evidence_planning(in->arena, facts);
}

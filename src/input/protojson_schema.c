/* A GetProviderSchema answer as a schema document, so that one reader knows schemas. */
#include "input/protojson.h"
#include "input/schema_line.h"

#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"

typedef struct writer {
    lc_buf *out;
    lc_arena *arena;
} writer;

static void key(writer *w, bool *first, const char *name)
{
    lc_buf_printf(w->out, "%s\"%s\":", *first ? "" : ",", name);
    *first = false;
}

static void flag(writer *w, bool *first, const lc_node *message, const char *name)
{
    if (!lc_pj_bool(message, name))
        return;
    key(w, first, name);
    lc_buf_add_c(w->out, "true");
}

static void number(writer *w, bool *first, const lc_node *message, const char *name)
{
    int64_t n = lc_pj_int(message, name);
    if (n == 0)
        return;
    key(w, first, name);
    lc_buf_printf(w->out, "%lld", (long long)n);
}

/* INVALID too: the schema is judged for it. */
static void nesting(writer *w, bool *first, const lc_node *message)
{
    static const char *const names[] = {"INVALID", "SINGLE", "LIST", "SET", "MAP", "GROUP"};
    lc_str name = lc_pj_enum(message, "nesting", names, 6);
    key(w, first, "nesting_mode");
    lc_buf_add_char(w->out, '"');
    for (size_t i = 0; i < name.len; i++)
        lc_buf_add_char(w->out, lc_to_lower(name.ptr[i]));
    lc_buf_add_c(w->out, name.len ? "\"" : "invalid\"");
}

static bool is_type(lc_arena *arena, lc_str json)
{
    const lc_type *type;
    lc_wire_problem problem;
    return lc_typejson_decode(&type, arena, json, &problem);
}

/* A type that is none stays one, as text that no document would have. */
static void type(writer *w, bool *first, const lc_node *attribute)
{
    lc_str json;
    if (!lc_pj_get(attribute, "type"))
        return;
    key(w, first, "type");
    if (lc_pj_bytes(&json, w->arena, attribute, "type") && is_type(w->arena, json))
        lc_buf_add_str(w->out, json);
    else
        lc_buf_add_c(w->out, "\"(invalid)\"");
}

/* Of items with the same name the last one counts, as in both cores. */
static lc_table by_name(writer *w, const lc_node *items, const char *field)
{
    lc_table table;
    lc_table_init(&table, w->arena);
    for (uint32_t i = 0; i < lc_node_item_count(items); i++) {
        lc_table_put(&table, lc_pj_text(&items->as.items[i], field), (void *)(uintptr_t)(i + 1));
    }
    return table;
}

static bool is_last(const lc_table *table, lc_str name, uint32_t at)
{
    return (uintptr_t)lc_table_get(table, name) == (uintptr_t)at + 1;
}

static void attributes(writer *w, const lc_node *items, bool identity, unsigned depth);

static void nested(writer *w, bool *first, const lc_node *attribute, unsigned depth)
{
    const lc_node *t = lc_pj_get(attribute, "nested_type");
    bool inner = true;
    if (!t || depth > LC_MAX_DEPTH)
        return;
    key(w, first, "nested_type");
    lc_buf_add_char(w->out, '{');
    nesting(w, &inner, t);
    number(w, &inner, t, "min_items");
    number(w, &inner, t, "max_items");
    key(w, &inner, "attributes");
    attributes(w, lc_pj_get(t, "attributes"), false, depth + 1);
    lc_buf_add_char(w->out, '}');
}

static void attribute(writer *w, const lc_node *a, bool identity, unsigned depth)
{
    static const char *const flags[] = {"required",  "optional",   "computed",
                                        "sensitive", "write_only", "deprecated"};
    static const char *const identity_flags[] = {"required_for_import", "optional_for_import"};
    bool first = true;
    lc_buf_add_char(w->out, '{');
    type(w, &first, a);
    for (size_t i = 0; i < 6 && !identity; i++)
        flag(w, &first, a, flags[i]);
    for (size_t i = 0; i < 2 && identity; i++)
        flag(w, &first, a, identity_flags[i]);
    nested(w, &first, a, depth);
    if (lc_pj_text(a, "deprecation_message").len) {
        key(w, &first, "deprecation_message");
        lc_buf_add_json(w->out, lc_pj_text(a, "deprecation_message"), false);
    }
    lc_buf_add_char(w->out, '}');
}

static void attributes(writer *w, const lc_node *items, bool identity, unsigned depth)
{
    lc_table last = by_name(w, items, "name");
    bool first = true;
    lc_buf_add_char(w->out, '{');
    for (uint32_t i = 0; last.count && i < items->count; i++) {
        lc_str name = lc_pj_text(&items->as.items[i], "name");
        if (!is_last(&last, name, i))
            continue;
        lc_buf_add_c(w->out, first ? "" : ",");
        first = false;
        lc_buf_add_json(w->out, name, false);
        lc_buf_add_char(w->out, ':');
        attribute(w, &items->as.items[i], identity, depth);
    }
    lc_buf_add_char(w->out, '}');
}

static void block(writer *w, const lc_node *b, unsigned depth);

static void block_type(writer *w, const lc_node *t, unsigned depth)
{
    bool first = true;
    lc_buf_add_char(w->out, '{');
    nesting(w, &first, t);
    number(w, &first, t, "min_items");
    number(w, &first, t, "max_items");
    key(w, &first, "block");
    block(w, lc_pj_get(t, "block"), depth + 1);
    lc_buf_add_char(w->out, '}');
}

static void block(writer *w, const lc_node *b, unsigned depth)
{
    const lc_node *types = lc_pj_get(b, "block_types");
    lc_table last = by_name(w, types, "type_name");
    bool first = true, inner = true;
    lc_buf_add_char(w->out, '{');
    key(w, &inner, "attributes");
    attributes(w, lc_pj_get(b, "attributes"), false, depth);
    flag(w, &inner, b, "deprecated");
    flag(w, &inner, b, "computed");
    key(w, &inner, "block_types");
    lc_buf_add_char(w->out, '{');
    for (uint32_t i = 0; last.count && depth <= LC_MAX_DEPTH && i < types->count; i++) {
        const lc_node *t = &types->as.items[i];
        lc_str name = lc_pj_text(t, "type_name");
        if (!is_last(&last, name, i))
            continue;
        lc_buf_add_c(w->out, first ? "" : ",");
        first = false;
        lc_buf_add_json(w->out, name, false);
        lc_buf_add_char(w->out, ':');
        block_type(w, t, depth);
    }
    lc_buf_add_c(w->out, "}}");
}

static void schema(writer *w, const lc_node *s)
{
    lc_buf_printf(w->out, "{\"version\":%lld,\"block\":", (long long)lc_pj_int(s, "version"));
    block(w, lc_pj_get(s, "block"), 0);
    lc_buf_add_char(w->out, '}');
}

/* An action's has what is about the action beside its schema. */
static void action(writer *w, const lc_node *s)
{
    schema(w, lc_pj_get(s, "schema"));
}

static void identity(writer *w, const lc_node *s)
{
    lc_buf_printf(w->out, "{\"version\":%lld,\"attributes\":", (long long)lc_pj_int(s, "version"));
    attributes(w, lc_pj_get(s, "identity_attributes"), true, 0);
    lc_buf_add_char(w->out, '}');
}

static void member(writer *w, bool first, lc_str name, const lc_node *s,
                   void (*each)(writer *w, const lc_node *s))
{
    lc_buf_add_c(w->out, first ? "" : ",");
    lc_buf_add_json(w->out, name, false);
    lc_buf_add_char(w->out, ':');
    each(w, s);
}

static void group(writer *w, const char *name, const lc_node *schemas,
                  void (*each)(writer *w, const lc_node *s))
{
    if (!schemas || schemas->kind != LC_NODE_MAPPING)
        return;
    writer one = {w->out, lc_arena_new()}; /* there may be thousands */
    lc_buf_printf(w->out, ",\"%s\":{", name);
    for (uint32_t i = 0; i < schemas->count; i++) {
        member(&one, i == 0, schemas->as.members[i].key, &schemas->as.members[i].value, each);
        lc_arena_reset(one.arena);
    }
    lc_arena_free(one.arena);
    lc_buf_add_char(w->out, '}');
}

/* The same of pieces, each parsed by itself. */
static bool split_group(writer *w, const char *name, const lc_schema_line *split,
                        void (*each)(writer *w, const lc_node *s))
{
    writer one = {w->out, lc_arena_new()};
    bool good = true, first = true;
    lc_buf_printf(w->out, ",\"%s\":{", name);
    for (size_t i = 0; i < split->pieces.count && good; i++) {
        const lc_schema_piece *piece = &split->pieces.items[i];
        lc_source source;
        lc_diags quiet;
        if (!lc_pj_is_name(piece->group, name))
            continue;
        lc_diags_init(&quiet, one.arena);
        good = lc_json_parse(&source, one.arena, LC_STR_EMPTY, piece->value, &split->limits,
                             &quiet) == LC_OK &&
               source.count == 1;
        if (good)
            member(&one, first, lc_str_sub(piece->name, 1, piece->name.len - 1),
                   &source.documents[0], each);
        first = false;
        lc_arena_reset(one.arena);
    }
    lc_arena_free(one.arena);
    lc_buf_add_char(w->out, '}');
    return good;
}

static const struct {
    const char *name;
    void (*each)(writer *w, const lc_node *s);
} groups[] = {
    {"resource_schemas", schema},
    {"data_source_schemas", schema},
    {"ephemeral_resource_schemas", schema},
    {"list_resource_schemas", schema},
    {"action_schemas", action},
};
#define GROUPS (sizeof groups / sizeof *groups)

bool lc_pj_is_schema_group(lc_str name)
{
    for (size_t i = 0; i < GROUPS; i++) {
        if (lc_pj_is_name(name, groups[i].name))
            return true;
    }
    return false;
}

bool lc_pj_schema_document(lc_buf *out, lc_arena *arena, const lc_node *response,
                           const lc_schema_line *split)
{
    writer w = {out, arena};
    bool good = true;
    lc_buf_add_c(out,
                 "{\"format_version\":\"1.0\",\"provider_schemas\":{\"recorded\":{\"provider\":");
    schema(&w, lc_pj_get(response, "provider"));
    for (size_t i = 0; i < GROUPS; i++) {
        const lc_node *schemas = lc_pj_get(response, groups[i].name);
        if (split && schemas)
            good = split_group(&w, groups[i].name, split, groups[i].each) && good;
        else
            group(&w, groups[i].name, schemas, groups[i].each);
    }
    lc_buf_add_c(out, "}}}");
    return good;
}

void lc_pj_identities(lc_buf *out, lc_arena *arena, const lc_node *response)
{
    writer w = {out, arena};
    group(&w, "resource_identity_schemas", lc_pj_get(response, "identity_schemas"), identity);
}

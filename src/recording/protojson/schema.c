/* A GetProviderSchema response written as a schema document, so that one reader reads all schemas.
 */
#include "lifecheck/recording/protojson.h"
#include "lifecheck/recording/schema_line.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/wire/wire.h"

#include <string.h>

typedef struct writer {
    lc_json *json;
    lc_arena *arena;
} writer;

static void flag(writer *w, const lc_node *message, const char *name)
{
    if (lc_pj_bool(message, name))
        lc_json_bool(w->json, name, true);
}

static void number(writer *w, const lc_node *message, const char *name)
{
    int64_t n = lc_pj_int(message, name);
    if (n)
        lc_json_int(w->json, name, n);
}

/* INVALID is written too: a rule reports it. */
static void nesting(writer *w, const lc_node *message)
{
    static const char *const names[] = {"INVALID", "SINGLE", "LIST", "SET", "MAP", "GROUP"};
    lc_str name = lc_pj_enum(message, "nesting", names, 6);
    lc_buf lower = {0};
    for (size_t i = 0; i < name.len; i++)
        lc_buf_add_char(&lower, lc_to_lower(name.ptr[i]));
    lc_json_str(w->json, "nesting_mode", name.len ? lc_buf_str(&lower) : LC_STR("invalid"));
    lc_buf_release(&lower);
}

static bool is_type(lc_arena *arena, lc_str json)
{
    const lc_type *type;
    lc_wire_problem problem;
    return lc_typejson_decode(&type, arena, json, &problem);
}

/* An invalid type is written as text that no valid document has, for a rule to report. */
static void type(writer *w, const char *name, const lc_node *message)
{
    lc_str json;
    if (!lc_pj_get(message, "type"))
        return;
    if (lc_pj_bytes(&json, w->arena, message, "type") && is_type(w->arena, json))
        lc_json_raw(w->json, name, json);
    else
        lc_json_c(w->json, name, "(invalid)");
}

/* Of items with the same name the last one counts, as in both cores. The table maps names to it. */
static lc_table by_name(writer *w, const lc_node *items, const char *field)
{
    lc_table table;
    lc_table_init(&table, w->arena);
    for (uint32_t i = 0; i < lc_node_item_count(items); i++)
        lc_table_put_index(&table, lc_pj_text(&items->as.items[i], field), i);
    return table;
}

static bool is_last(const lc_table *table, lc_str name, uint32_t at)
{
    return lc_table_get_index(table, name) == at;
}

static void attributes(writer *w, const lc_node *items, bool identity, unsigned depth);

static void nested(writer *w, const lc_node *attribute, unsigned depth)
{
    const lc_node *t = lc_pj_get(attribute, "nested_type");
    if (!t || depth > LC_MAX_DEPTH)
        return;
    lc_json_object(w->json, "nested_type");
    nesting(w, t);
    number(w, t, "min_items");
    number(w, t, "max_items");
    attributes(w, lc_pj_get(t, "attributes"), false, depth + 1);
    lc_json_end_object(w->json);
}

static void attribute(writer *w, const lc_node *a, bool identity, unsigned depth)
{
    static const char *const flags[] = {"required",  "optional",   "computed",
                                        "sensitive", "write_only", "deprecated"};
    static const char *const identity_flags[] = {"required_for_import", "optional_for_import"};
    lc_json_object(w->json, NULL);
    type(w, "type", a);
    for (size_t i = 0; i < 6 && !identity; i++)
        flag(w, a, flags[i]);
    for (size_t i = 0; i < 2 && identity; i++)
        flag(w, a, identity_flags[i]);
    nested(w, a, depth);
    if (lc_pj_text(a, "deprecation_message").len)
        lc_json_str(w->json, "deprecation_message", lc_pj_text(a, "deprecation_message"));
    lc_json_end_object(w->json);
}

static void attributes(writer *w, const lc_node *items, bool identity, unsigned depth)
{
    lc_table last = by_name(w, items, "name");
    lc_json_object(w->json, "attributes");
    for (uint32_t i = 0; last.count && i < items->count; i++) {
        lc_str name = lc_pj_text(&items->as.items[i], "name");
        if (!is_last(&last, name, i))
            continue;
        lc_json_key(w->json, name);
        attribute(w, &items->as.items[i], identity, depth);
    }
    lc_json_end_object(w->json);
}

static void block(writer *w, const lc_node *b, unsigned depth);

static void block_type(writer *w, const lc_node *t, unsigned depth)
{
    lc_json_object(w->json, NULL);
    nesting(w, t);
    number(w, t, "min_items");
    number(w, t, "max_items");
    block(w, lc_pj_get(t, "block"), depth + 1);
    lc_json_end_object(w->json);
}

static void block(writer *w, const lc_node *b, unsigned depth)
{
    const lc_node *types = lc_pj_get(b, "block_types");
    lc_table last = by_name(w, types, "type_name");
    lc_json_object(w->json, "block");
    attributes(w, lc_pj_get(b, "attributes"), false, depth);
    flag(w, b, "deprecated");
    flag(w, b, "computed");
    lc_json_object(w->json, "block_types");
    for (uint32_t i = 0; last.count && depth <= LC_MAX_DEPTH && i < types->count; i++) {
        const lc_node *t = &types->as.items[i];
        lc_str name = lc_pj_text(t, "type_name");
        if (!is_last(&last, name, i))
            continue;
        lc_json_key(w->json, name);
        block_type(w, t, depth);
    }
    lc_json_end_object(w->json);
    lc_json_end_object(w->json);
}

static void schema(writer *w, const lc_node *s)
{
    lc_json_object(w->json, NULL);
    lc_json_int(w->json, "version", lc_pj_int(s, "version"));
    block(w, lc_pj_get(s, "block"), 0);
    lc_json_end_object(w->json);
}

static void parameter(writer *w, const char *key, const lc_node *p)
{
    lc_json_object(w->json, key);
    lc_json_str(w->json, "name", lc_pj_text(p, "name"));
    type(w, "type", p);
    lc_json_bool(w->json, "is_nullable", lc_pj_bool(p, "allow_null_value"));
    lc_json_bool(w->json, "allow_unknown_values", lc_pj_bool(p, "allow_unknown_values"));
    lc_json_end_object(w->json);
}

static void function(writer *w, const lc_node *f)
{
    const lc_node *list = lc_pj_get(f, "parameters");
    const lc_node *variadic = lc_pj_get(f, "variadic_parameter");
    lc_json_object(w->json, NULL);
    lc_json_array(w->json, "parameters");
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        parameter(w, NULL, &list->as.items[i]);
    lc_json_end_array(w->json);
    if (variadic)
        parameter(w, "variadic_parameter", variadic);
    type(w, "return_type", lc_pj_get(f, "return"));
    lc_json_end_object(w->json);
}

/* The schema of an action is nested in a message about the action. */
static void action(writer *w, const lc_node *s)
{
    schema(w, lc_pj_get(s, "schema"));
}

static void identity(writer *w, const lc_node *s)
{
    lc_json_object(w->json, NULL);
    lc_json_int(w->json, "version", lc_pj_int(s, "version"));
    attributes(w, lc_pj_get(s, "identity_attributes"), true, 0);
    lc_json_end_object(w->json);
}

static void group(writer *w, const char *name, const lc_node *schemas,
                  void (*each)(writer *w, const lc_node *s))
{
    if (!schemas || schemas->kind != LC_NODE_MAPPING)
        return;
    writer one = {w->json, lc_arena_new()}; /* reset per type, since there may be thousands */
    lc_json_object(w->json, name);
    for (uint32_t i = 0; i < schemas->count; i++) {
        lc_json_key(w->json, schemas->as.members[i].key);
        each(&one, &schemas->as.members[i].value);
        lc_arena_reset(one.arena);
    }
    lc_arena_free(one.arena);
    lc_json_end_object(w->json);
}

/* The same for a split line, whose pieces are parsed one at a time to save memory. False: one does
 * not parse, or is not a schema, which reading the line as a whole reports. */
static bool split_group(writer *w, const char *name, const lc_schema_line *split,
                        void (*each)(writer *w, const lc_node *s))
{
    bool actions = strcmp(name, "action_schemas") == 0;
    const lc_wire_message *message =
        lc_wire_message_named(6, actions ? LC_STR("ActionSchema") : LC_STR("Schema"));
    writer one = {w->json, lc_arena_new()};
    bool good = true;
    lc_json_object(w->json, name);
    for (size_t i = 0; i < split->pieces.count && good; i++) {
        const lc_schema_piece *piece = &split->pieces.items[i];
        lc_source source;
        lc_diags quiet;
        lc_str why;
        if (!lc_pj_is_name(piece->group, name))
            continue;
        lc_diags_init(&quiet, one.arena);
        good = lc_json_parse(&source, one.arena, LC_STR_EMPTY, piece->value, &split->limits,
                             &quiet) == LC_OK &&
               source.count == 1 && lc_wire_fits(&why, one.arena, message, source.documents);
        if (good) {
            lc_json_key(w->json, lc_str_sub(piece->name, 1, piece->name.len - 1));
            each(&one, source.documents);
        }
        lc_arena_reset(one.arena);
    }
    lc_arena_free(one.arena);
    lc_json_end_object(w->json);
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
    {"state_store_schemas", schema},
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

#define DOCUMENT_DEPTH 3 /* objects around a group in the document */

static void end_document(lc_json *w)
{
    for (size_t i = 0; i < DOCUMENT_DEPTH; i++)
        lc_json_end_object(w);
}

bool lc_pj_schema_document(lc_buf *out, lc_arena *arena, const lc_node *response,
                           const lc_schema_line *split)
{
    lc_json json = {.out = out};
    writer w = {&json, arena};
    bool good = true;
    lc_json_object(&json, NULL);
    lc_json_c(&json, "format_version", "1.0");
    lc_json_object(&json, "provider_schemas");
    lc_json_object(&json, "recorded");
    lc_json_key(&json, LC_STR("provider"));
    schema(&w, lc_pj_get(response, "provider"));
    for (size_t i = 0; i < GROUPS; i++) {
        const lc_node *schemas = lc_pj_get(response, groups[i].name);
        if (split && schemas)
            good = split_group(&w, groups[i].name, split, groups[i].each) && good;
        else
            group(&w, groups[i].name, schemas, groups[i].each);
    }
    group(&w, "functions", lc_pj_get(response, "functions"), function);
    end_document(&json);
    return good;
}

void lc_pj_add_identities(lc_buf *document, lc_arena *arena, const lc_node *response)
{
    lc_json json = {.out = document, .depth = DOCUMENT_DEPTH, .more = true};
    writer w = {&json, arena};
    document->len -= DOCUMENT_DEPTH; /* cut the closing braces, to continue before them */
    group(&w, "resource_identity_schemas", lc_pj_get(response, "identity_schemas"), identity);
    end_document(&json);
}

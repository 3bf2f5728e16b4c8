/* Distinguishing JSON from YAML, locations, and reading nodes. */
#include "yaml_json/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"

#include <string.h>

/* ---- JSON or YAML. */

lc_str lc_without_bom(lc_str text)
{
    bool marked = lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF"));
    return marked ? lc_str_sub(text, 3, text.len) : text;
}

/* Flow-style YAML begins with a bracket too, so this is a first guess only. */
bool lc_begins_like_json(lc_str text)
{
    size_t i = lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF")) ? 3 : 0;
    while (i < text.len && strchr(" \t\r\n", text.ptr[i]) && text.ptr[i])
        i++;
    return i < text.len && (text.ptr[i] == '{' || text.ptr[i] == '[');
}

/* A string that begins like JSON and is not JSON may be YAML, whose messages are then the better
 * ones; but not of a mistake that is certainly one of JSON. */
static lc_status parse_either(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                              const lc_limits *limits, lc_diags *diags)
{
    lc_diags json, yaml;
    bool certain;
    lc_diags_init(&json, arena);
    lc_diags_init(&yaml, arena);
    lc_status status = lc_json_try(out, arena, file, text, limits, &json, &certain);
    if (status == LC_OK)
        return status;
    lc_status second = lc_yaml_parse(out, arena, file, text, limits, &yaml);
    const lc_diags *better = second != LC_OK && certain ? &json : &yaml;
    for (size_t i = 0; i < better->count; i++)
        lc_diag_error(diags, better->items[i].loc, "%.*s", LC_FMT(better->items[i].message));
    return second;
}

lc_status lc_source_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits, lc_diags *diags)
{
    if (lc_str_ends_with(file, LC_STR(".json")))
        return lc_json_parse(out, arena, file, text, limits, diags);
    return lc_begins_like_json(text) ? parse_either(out, arena, file, text, limits, diags)
                                     : lc_yaml_parse(out, arena, file, text, limits, diags);
}

/* ---- Nodes. */

lc_loc lc_node_loc(const lc_source *source, const lc_node *node)
{
    return lc_where_loc(source, node->where);
}

/* ---- Reading nodes. */

bool lc_node_is(const lc_node *node, lc_node_kind kind)
{
    return node && node->kind == kind;
}

bool lc_node_is_null(const lc_node *node)
{
    return !node || node->kind == LC_NODE_NULL;
}

bool lc_node_is_true(const lc_node *node)
{
    return lc_node_is(node, LC_NODE_BOOL) && node->boolean;
}

lc_str lc_node_as_text(const lc_node *node)
{
    return lc_node_is(node, LC_NODE_STRING) ? node->as.text : LC_STR_EMPTY;
}

uint32_t lc_node_item_count(const lc_node *sequence)
{
    return lc_node_is(sequence, LC_NODE_SEQUENCE) ? sequence->count : 0;
}

uint32_t lc_node_member_count(const lc_node *mapping)
{
    return lc_node_is(mapping, LC_NODE_MAPPING) ? mapping->count : 0;
}

const lc_node *lc_node_item(const lc_node *sequence, uint32_t index)
{
    return index < lc_node_item_count(sequence) ? &sequence->as.items[index] : NULL;
}

const lc_member *lc_node_member(const lc_node *mapping, lc_str key)
{
    uint32_t count = lc_node_member_count(mapping);
    for (uint32_t i = 0; i < count; i++) {
        if (lc_str_eq(mapping->as.members[i].key, key))
            return &mapping->as.members[i];
    }
    return NULL;
}

const lc_node *lc_node_value(const lc_node *mapping, lc_str key)
{
    const lc_member *member = lc_node_member(mapping, key);
    return member ? &member->value : NULL;
}

const lc_node *lc_node_get(const lc_node *mapping, const char *key)
{
    return lc_node_value(mapping, lc_str_from_c(key));
}

const lc_node *lc_node_given(const lc_node *mapping, const char *key)
{
    const lc_node *value = lc_node_get(mapping, key);
    return lc_node_is_null(value) ? NULL : value;
}

const lc_node *lc_node_get_kind(const lc_node *mapping, const char *key, lc_node_kind kind)
{
    const lc_node *value = lc_node_get(mapping, key);
    return lc_node_is(value, kind) ? value : NULL;
}

lc_str lc_node_text(const lc_node *mapping, const char *key)
{
    return lc_node_as_text(lc_node_get(mapping, key));
}

const char *lc_node_kind_name(const lc_node *node)
{
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_NULL:
        return "null";
    case LC_NODE_BOOL:
        return "a bool";
    case LC_NODE_NUMBER:
        return "a number";
    case LC_NODE_STRING:
        return "a string";
    case LC_NODE_SEQUENCE:
        return "a sequence";
    case LC_NODE_MAPPING:
        return "a mapping";
    }
    LC_UNREACHABLE();
}

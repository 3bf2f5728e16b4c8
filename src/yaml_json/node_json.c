/* Nodes as JSON values: looking up members, equality, JSON text. Recursion is bounded by the depth
 * that the readers allow. */
#include "lifecheck/yaml_json/node.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/json.h"
#include "lifecheck/base/table.h"
#include "lifecheck/value/number.h"

#include <string.h>

static bool same_tag(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* 1.0 and 1e0 are the same number. */
static bool same_number(lc_arena *arena, lc_str a, lc_str b)
{
    lc_num m, n;
    if (lc_str_eq(a, b))
        return true;
    return lc_num_from_text(&m, arena, a, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_from_text(&n, arena, b, LC_MAX_DIGITS) == LC_NUM_OK && lc_num_cmp(m, n) == 0;
}

static lc_table *index_members(const lc_finder *members)
{
    lc_table *table = LC_NEW(members->arena, lc_table);
    lc_table_init(table, members->arena);
    for (uint32_t i = 0; i < members->node->count; i++)
        lc_table_put_index(table, members->node->as.members[i].key, i);
    return table;
}

/* Documents of the same kind have their members in the same order, so the member is looked for at
 * the next two places first. Otherwise small mappings are searched, and large ones get a table. */
const lc_node *lc_finder_get(lc_finder *members, lc_str key)
{
    const lc_node *node = members->node;
    if (!node || node->kind != LC_NODE_MAPPING)
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at = members->next + i;
        if (at < node->count && lc_str_eq(node->as.members[at].key, key)) {
            members->next = at + 1;
            return &node->as.members[at].value;
        }
    }
    if (node->count <= 16)
        return lc_node_value(node, key);
    if (!members->table)
        members->table = index_members(members);
    size_t at = lc_table_get_index(members->table, key);
    if (at == LC_NO_INDEX)
        return NULL;
    members->next = (uint32_t)at + 1;
    return &node->as.members[at].value;
}

/* With equal counts and distinct keys, one direction suffices. */
static bool same_members(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    lc_finder members = {.arena = arena, .node = b};
    for (uint32_t i = 0; i < a->count; i++) {
        const lc_node *other = lc_finder_get(&members, a->as.members[i].key);
        if (!other || !lc_node_same(arena, &a->as.members[i].value, other))
            return false;
    }
    return true;
}

bool lc_node_same(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    if (a->kind != b->kind || !same_tag(a->tag, b->tag))
        return false;
    switch ((lc_node_kind)a->kind) {
    case LC_NODE_NULL:
        return true;
    case LC_NODE_BOOL:
        return a->boolean == b->boolean;
    case LC_NODE_NUMBER:
        return same_number(arena, a->as.text, b->as.text);
    case LC_NODE_STRING:
        return lc_str_eq(a->as.text, b->as.text);
    case LC_NODE_SEQUENCE:
        for (uint32_t i = 0; a->count == b->count && i < a->count; i++) {
            if (!lc_node_same(arena, &a->as.items[i], &b->as.items[i]))
                return false;
        }
        return a->count == b->count;
    case LC_NODE_MAPPING:
        return a->count == b->count && same_members(arena, a, b);
    }
    return false;
}

/* ---- Nodes as JSON. */

static size_t skip_digits(lc_str s, size_t at)
{
    while (at < s.len && lc_is_digit(s.ptr[at]))
        at++;
    return at;
}

/* YAML has numbers that JSON does not have, such as +1 and .5; these become strings. */
static bool is_json_number(lc_str s)
{
    size_t from = s.len && s.ptr[0] == '-', at = skip_digits(s, from);
    if (at == from || (at > from + 1 && s.ptr[from] == '0'))
        return false;
    if (at < s.len && s.ptr[at] == '.') {
        from = at + 1;
        at = skip_digits(s, from);
        if (at == from)
            return false;
    }
    if (at < s.len && (s.ptr[at] == 'e' || s.ptr[at] == 'E')) {
        from = at + 1;
        from += from < s.len && (s.ptr[from] == '+' || s.ptr[from] == '-');
        at = skip_digits(s, from);
        if (at == from)
            return false;
    }
    return at == s.len;
}

bool lc_node_write_scalar(lc_json *w, const lc_node *node)
{
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_NULL:
        lc_json_null(w, NULL);
        return true;
    case LC_NODE_BOOL:
        lc_json_bool(w, NULL, node->boolean);
        return true;
    case LC_NODE_NUMBER:
        if (is_json_number(node->as.text))
            lc_json_raw(w, NULL, node->as.text);
        else
            lc_json_str(w, NULL, node->as.text);
        return true;
    case LC_NODE_STRING:
        lc_json_str(w, NULL, node->as.text);
        return true;
    case LC_NODE_SEQUENCE:
    case LC_NODE_MAPPING:
        break;
    }
    return false;
}

static void write_node(lc_json *w, const lc_node *node);

/* Stops when the buffer is full, since the rest would be dropped. */
static void write_untagged(lc_json *w, const lc_node *node)
{
    bool mapping = node->kind == LC_NODE_MAPPING;
    if (lc_node_write_scalar(w, node))
        return;
    (mapping ? lc_json_object : lc_json_array)(w, NULL);
    for (uint32_t i = 0; i < node->count && !w->out->overflow; i++) {
        if (mapping)
            lc_json_key(w, node->as.members[i].key);
        write_node(w, mapping ? &node->as.members[i].value : &node->as.items[i]);
    }
    (mapping ? lc_json_end_object : lc_json_end_array)(w);
}

/* A local tag becomes an object with the tag as its only key. */
static void write_node(lc_json *w, const lc_node *node)
{
    if (!node->tag) {
        write_untagged(w, node);
        return;
    }
    lc_json_object(w, NULL);
    lc_json_key(w, lc_str_from_c(node->tag));
    write_untagged(w, node);
    lc_json_end_object(w);
}

void lc_node_add_json(lc_buf *out, const lc_node *node)
{
    lc_json w = {.out = out};
    write_node(&w, node);
}

lc_str lc_node_json(lc_arena *arena, const lc_node *node)
{
    lc_buf json = {0};
    lc_node_add_json(&json, node);
    return lc_buf_take(arena, &json);
}

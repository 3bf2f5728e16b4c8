/* Where a part of a value is written in the text.
 *
 * Nodes are not linked to values. Instead the path of the part is followed down the nodes, through
 * markers, until it ends or leads to something that is not written. Only sets need help, because
 * their elements are not in the order of the text: the hashes of the written elements are kept.
 * Large mappings get an index of their keys at the first question. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "scenario/internal.h"

#define INDEX_FROM 16 /* members of a mapping; below, a search is cheap enough */

struct lc_places {
    lc_arena *arena;
    const lc_lines *lines;
    const lc_node *root;
    lc_table *sets;    /* by address of the items: hashes of the elements in the order written */
    lc_table *indexes; /* by address of the members: lc_table of members by NFC key */
};

/* A table key that is an address. The pointer must live as long as the table. */
static lc_str kept_address(lc_arena *arena, const void *address)
{
    const void **kept = LC_NEW_ARRAY(arena, const void *, 1);
    *kept = address;
    return LC_BYTES_OF(*kept);
}

lc_places *lc_places_new(lc_arena *arena, const lc_lines *lines, const lc_node *root)
{
    lc_places *places = LC_NEW(arena, lc_places);
    *places = (lc_places){arena, lines, root, LC_NEW(arena, lc_table), LC_NEW(arena, lc_table)};
    lc_table_init(places->sets, arena);
    lc_table_init(places->indexes, arena);
    return places;
}

const uint64_t *lc_places_add_set(lc_places *places, const lc_node *node, const lc_value *elems)
{
    if (node->count < 2)
        return NULL;
    uint64_t *hashes = LC_NEW_ARRAY(places->arena, uint64_t, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        hashes[i] = lc_value_hash(&elems[i]);
    lc_table_put(places->sets, kept_address(places->arena, node->as.items), hashes);
    return hashes;
}

/* ---- Steps. */

/* By the hash of the element. Equal elements have one place, that of the first. */
static const lc_node *item_of_set(const lc_places *places, const lc_node *node, const lc_step *step)
{
    if (node->kind != LC_NODE_SEQUENCE || node->count == 0)
        return NULL;
    if (node->count == 1)
        return node->as.items;
    const void *address = node->as.items;
    const uint64_t *hashes = lc_table_get(places->sets, LC_BYTES_OF(address));
    if (!hashes || !step->element)
        return NULL;
    uint64_t hash = lc_value_hash(step->element);
    for (uint32_t i = 0; i < node->count; i++) {
        if (hashes[i] == hash)
            return &node->as.items[i];
    }
    return NULL;
}

static lc_table *index_of(const lc_places *places, const lc_node *node)
{
    const void *address = node->as.members;
    lc_table *index = lc_table_get(places->indexes, LC_BYTES_OF(address));
    if (index)
        return index;
    index = LC_NEW(places->arena, lc_table);
    lc_table_init(index, places->arena);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        /* The cast drops const for the table; the member is only read again. */
        void *entry = (void *)(uintptr_t)member;
        lc_table_put(index, lc_nfc(places->arena, member->key), entry);
    }
    lc_table_put(places->indexes, kept_address(places->arena, address), index);
    return index;
}

static const lc_node *member_of(const lc_places *places, const lc_node *node, lc_str name)
{
    if (node->kind != LC_NODE_MAPPING)
        return NULL;
    if (node->count >= INDEX_FROM) {
        const lc_member *member = lc_table_get(index_of(places, node), name);
        return member ? &member->value : NULL;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (lc_str_eq(lc_nfc(places->arena, node->as.members[i].key), name))
            return &node->as.members[i].value;
    }
    return NULL;
}

static const lc_node *child(const lc_places *places, const lc_node *node, const lc_step *step)
{
    switch (step->kind) {
    case LC_STEP_ATTR:
    case LC_STEP_KEY:
        return member_of(places, node, step->name);
    case LC_STEP_INDEX:
        if (node->kind != LC_NODE_SEQUENCE || step->index >= node->count)
            return NULL;
        return &node->as.items[step->index];
    case LC_STEP_ELEMENT:
        return item_of_set(places, node, step);
    case LC_STEP_ANY_KEY:
    case LC_STEP_ANY_ATTR:
        break;
    }
    return NULL;
}

/* The content below all markers. A content whose parts are not written as nodes (unknown, bytes) is
 * returned as null, which has none. */
static lc_node unmarked(const lc_node *node)
{
    lc_node content;
    lc_marker marker = lc_node_marker(&content, node);
    while (marker == LC_MARKER_SENSITIVE || marker == LC_MARKER_TYPED) {
        lc_node inner = content;
        const lc_node *value = marker == LC_MARKER_TYPED ? lc_node_get(&inner, "value") : &inner;
        if (!value)
            break;
        marker = lc_node_marker(&content, value);
    }
    if (marker != LC_MARKER_NONE && marker != LC_MARKER_LITERAL)
        content.kind = LC_NODE_NULL;
    return content;
}

/* The last place on the way that is written: the nearest enclosing one for parts that are not. */
lc_loc lc_places_locate(const void *context, lc_path path)
{
    const lc_places *places = context;
    const lc_node *at = places->root;
    for (size_t i = 0; i < path.count; i++) {
        lc_node node = unmarked(at);
        const lc_node *next = child(places, &node, &path.steps[i]);
        if (!next)
            break;
        at = next;
    }
    return lc_lines_loc(places->lines, at->where);
}

/* Two nodes as JSON values, and a node as JSON text. Depth is bounded by the limits of reading. */
#include "lifecheck/node.h"

#include "lifecheck/arena.h"
#include "lifecheck/buf.h"
#include "lifecheck/number.h"
#include "lifecheck/table.h"

static bool same_number(lc_arena *arena, lc_str a, lc_str b)
{
    lc_num m, n;
    if (lc_str_eq(a, b))
        return true;
    return lc_num_from_text(&m, arena, a, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_from_text(&n, arena, b, LC_MAX_DIGITS) == LC_NUM_OK && lc_num_cmp(m, n) == 0;
}

/* Members mostly stand in the same order; where they do not, a table finds them. */
static bool same_members(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    lc_table table = {0};
    for (uint32_t i = 0; i < a->count; i++) {
        const lc_member *m = &a->as.members[i], *other = &b->as.members[i];
        if (!lc_str_eq(m->key, other->key) && !table.arena) {
            lc_table_init(&table, arena);
            for (uint32_t k = 0; k < b->count; k++)
                lc_table_put(&table, b->as.members[k].key, (void *)(uintptr_t)(k + 1));
        }
        if (!lc_str_eq(m->key, other->key)) {
            uintptr_t at = (uintptr_t)lc_table_get(&table, m->key);
            if (!at)
                return false;
            other = &b->as.members[at - 1];
        }
        if (!lc_node_same(arena, &m->value, &other->value))
            return false;
    }
    return true;
}

bool lc_node_same(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    if (a->kind != b->kind)
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

static void add_scalar(lc_buf *buf, const lc_node *node)
{
    if (node->kind == LC_NODE_NULL)
        lc_buf_add_c(buf, "null");
    else if (node->kind == LC_NODE_BOOL)
        lc_buf_add_c(buf, node->boolean ? "true" : "false");
    else if (node->kind == LC_NODE_NUMBER)
        lc_buf_add_str(buf, node->as.text);
    else
        lc_buf_add_json(buf, node->as.text, false);
}

void lc_node_add_json(lc_buf *buf, const lc_node *node)
{
    bool sequence = node->kind == LC_NODE_SEQUENCE;
    if (!sequence && node->kind != LC_NODE_MAPPING) {
        add_scalar(buf, node);
        return;
    }
    lc_buf_add_char(buf, sequence ? '[' : '{');
    for (uint32_t i = 0; i < node->count; i++) {
        if (i)
            lc_buf_add_char(buf, ',');
        if (!sequence) {
            lc_buf_add_json(buf, node->as.members[i].key, false);
            lc_buf_add_char(buf, ':');
        }
        lc_node_add_json(buf, sequence ? &node->as.items[i] : &node->as.members[i].value);
    }
    lc_buf_add_char(buf, sequence ? ']' : '}');
}

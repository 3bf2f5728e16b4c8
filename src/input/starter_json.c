/* The same scenario as JSON: without remarks, markers as mappings. */
#include "input/starter.h"
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/node.h"

static void add_node(lc_buf *out, const lc_node *node, unsigned indent);

static void new_line(lc_buf *out, unsigned indent)
{
    lc_buf_printf(out, "\n%*s", (int)indent * 2, "");
}

static void add_parts(lc_buf *out, const lc_node *node, unsigned indent)
{
    bool mapping = node->kind == LC_NODE_MAPPING;
    lc_buf_add_char(out, mapping ? '{' : '[');
    for (uint32_t i = 0; i < node->count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        new_line(out, indent + 1);
        if (mapping) {
            lc_buf_add_json(out, node->as.members[i].key, false);
            lc_buf_add_c(out, ": ");
        }
        add_node(out, mapping ? &node->as.members[i].value : &node->as.items[i], indent + 1);
    }
    if (node->count)
        new_line(out, indent);
    lc_buf_add_char(out, mapping ? '}' : ']');
}

static void add_content(lc_buf *out, const lc_node *node, unsigned indent)
{
    if (node->tag && node->kind == LC_NODE_NULL)
        lc_buf_add_c(out, "true");
    else if (!lc_node_add_json_scalar(out, node))
        add_parts(out, node, indent);
}

static void add_node(lc_buf *out, const lc_node *node, unsigned indent)
{
    if (!node->tag) {
        add_content(out, node, indent);
        return;
    }
    lc_buf_printf(out, "{\"$%s\": ", node->tag + 1);
    add_content(out, node, indent);
    lc_buf_add_char(out, '}');
}

void lc_scaffold_as_json(lc_buf *out, lc_str yaml)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_status status = lc_yaml_parse(&source, arena, LC_STR_EMPTY, yaml, &limits, &diags);
    LC_ASSERT(status == LC_OK && source.count == 1);
    add_node(out, source.documents, 0);
    lc_buf_add_char(out, '\n');
    lc_arena_free(arena);
}

/* The same scenario as JSON: without remarks, markers as mappings. */
#include "lifecheck/base/json.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/yaml_json/node.h"
#include "scenario/scaffold/internal.h"

/* The one marker of a scaffold, !unknown, has no argument. */
static void add_marker(lc_json *w, const lc_node *node)
{
    unsigned indent = w->indent;
    LC_ASSERT(node->kind == LC_NODE_NULL);
    lc_json_object(w, NULL);
    w->indent = 0; /* it stays on its line */
    lc_json_bool(w, "$unknown", true);
    lc_json_end_object(w);
    w->indent = indent;
}

static void add_node(lc_json *w, const lc_node *node)
{
    bool mapping = node->kind == LC_NODE_MAPPING;
    if (node->tag) {
        add_marker(w, node);
        return;
    }
    if (lc_node_write_scalar(w, node))
        return;
    (mapping ? lc_json_object : lc_json_array)(w, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        if (mapping)
            lc_json_key(w, node->as.members[i].key);
        add_node(w, mapping ? &node->as.members[i].value : &node->as.items[i]);
    }
    (mapping ? lc_json_end_object : lc_json_end_array)(w);
}

void lc_scaffold_as_json(lc_buf *out, lc_str yaml)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_json w = {.out = out, .spaced = true, .indent = 2};
    lc_diags_init(&diags, arena);
    lc_status status = lc_yaml_parse(&source, arena, LC_STR_EMPTY, yaml, &limits, &diags);
    LC_ASSERT(status == LC_OK && source.count == 1);
    add_node(&w, source.documents);
    lc_buf_add_char(out, '\n');
    lc_arena_free(arena);
}

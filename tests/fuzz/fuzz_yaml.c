/* The YAML reader: never crashes, stays within its limits, and says something whenever it refuses.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/yaml_json/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Walk everything, as readers will; aliases are bounded, so this ends. */
static size_t visit(const lc_node *node, size_t depth)
{
    size_t count = 1;
    LC_ASSERT(depth <= LC_MAX_DEPTH);
    for (size_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++)
        count += visit(&node->as.items[i], depth + 1);
    for (size_t i = 0; node->kind == LC_NODE_MAPPING && i < node->count; i++)
        count += visit(&node->as.members[i].value, depth + 1);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    limits.alias_nodes = 10000;
    lc_diags_init(&diags, arena);
    lc_status status = lc_yaml_parse(&source, arena, LC_STR("f.yaml"),
                                     (lc_str){(const char *)data, size}, &limits, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    for (size_t i = 0; i < source.count; i++)
        visit(&source.documents[i], 0);
    lc_arena_free(arena);
    return 0;
}

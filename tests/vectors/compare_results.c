/* Comparing what clients made of expressions, files and type constraints. Summaries and places of
 * errors count, and only that there is one where a conversion failed; lists of unknown and marked
 * places have no order, and what is empty may be left out. */
#include "compare_results.h"

#include "lifecheck/base/buf.h"

#include <stdlib.h>

bool vectors_is_result(const lc_node *line)
{
    return (lc_node_get(line, "expr") || lc_node_get(line, "text") ||
            lc_node_get(line, "text_base64")) &&
           (lc_node_get(line, "ot") || lc_node_get(line, "tf"));
}

typedef struct part {
    lc_str key, text;
} part;

static int by_key(const void *a, const void *b)
{
    return lc_str_cmp(((const part *)a)->key, ((const part *)b)->key);
}

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(((const part *)a)->text, ((const part *)b)->text);
}

static lc_str canonical(lc_arena *arena, lc_str key, const lc_node *node);

static lc_str joined(lc_arena *arena, const char *marks, const part *parts, size_t count)
{
    lc_buf buf = {0};
    lc_buf_add_char(&buf, marks[0]);
    for (size_t i = 0; i < count; i++) {
        lc_buf_add_str(&buf, parts[i].key);
        lc_buf_add_str(&buf, parts[i].text);
        lc_buf_add_char(&buf, ',');
    }
    lc_buf_add_char(&buf, marks[1]);
    lc_str text = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return text;
}

static lc_str canonical_list(lc_arena *arena, lc_str key, const lc_node *node)
{
    part *parts = LC_NEW_ARRAY(arena, part, node->count);
    for (size_t i = 0; i < node->count; i++)
        parts[i] = (part){LC_STR_EMPTY, canonical(arena, LC_STR_EMPTY, &node->as.items[i])};
    if (node->count && (lc_str_is(key, "unknown") || lc_str_is(key, "marks")))
        qsort(parts, node->count, sizeof *parts, by_text);
    return joined(arena, "[]", parts, node->count);
}

/* Members that stay if they are empty. */
static bool is_value(lc_str key)
{
    return lc_str_is(key, "value") || lc_str_is(key, "type") || lc_str_is(key, "expression");
}

static lc_str canonical_object(lc_arena *arena, const lc_node *node)
{
    part *parts = LC_NEW_ARRAY(arena, part, node->count);
    size_t count = 0;
    for (size_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_str_is(m->key, "detail") || lc_str_is(m->key, "warnings"))
            continue;
        lc_str text = canonical(arena, m->key, &m->value);
        if (is_value(m->key) || (!lc_str_is(text, "{}") && !lc_str_is(text, "[]")))
            parts[count++] = (part){m->key, text};
    }
    if (count)
        qsort(parts, count, sizeof *parts, by_key);
    return joined(arena, "{}", parts, count);
}

static lc_str canonical(lc_arena *arena, lc_str key, const lc_node *node)
{
    if (lc_str_is(key, "convert_error"))
        return LC_STR("true");
    if (node->kind == LC_NODE_SEQUENCE)
        return canonical_list(arena, key, node);
    if (node->kind == LC_NODE_MAPPING)
        return canonical_object(arena, node);
    return node->kind == LC_NODE_STRING ? lc_node_json(arena, node) : node->as.text;
}

bool vectors_same_result(lc_arena *arena, const lc_node *want, const lc_node *got)
{
    return got &&
           lc_str_eq(canonical(arena, LC_STR_EMPTY, want), canonical(arena, LC_STR_EMPTY, got));
}

/* Reading fields of protojson messages. */
#include "lifecheck/recording/protojson.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

bool lc_pj_is_name(lc_str key, const char *name)
{
    return lc_str_is(key, name) || lc_str_is_camel(key, name);
}

const lc_node *lc_pj_get(const lc_node *message, const char *name)
{
    if (!message || message->kind != LC_NODE_MAPPING)
        return NULL;
    for (uint32_t i = 0; i < message->count; i++) {
        const lc_member *m = &message->as.members[i];
        if (lc_pj_is_name(m->key, name))
            return m->value.kind == LC_NODE_NULL ? NULL : &m->value;
    }
    return NULL;
}

lc_str lc_pj_text(const lc_node *message, const char *name)
{
    return lc_node_as_text(lc_pj_get(message, name));
}

bool lc_pj_bool(const lc_node *message, const char *name)
{
    return lc_node_is_true(lc_pj_get(message, name));
}

int64_t lc_pj_number(const lc_node *node)
{
    char digits[24];
    if (!node || (node->kind != LC_NODE_STRING && node->kind != LC_NODE_NUMBER) ||
        node->as.text.len == 0 || node->as.text.len >= sizeof digits)
        return 0;
    for (size_t i = 0; i < node->as.text.len; i++)
        digits[i] = node->as.text.ptr[i];
    digits[node->as.text.len] = '\0';
    return strtoll(digits, NULL, 10);
}

int64_t lc_pj_int(const lc_node *message, const char *name)
{
    return lc_pj_number(lc_pj_get(message, name));
}

lc_str lc_pj_enum(const lc_node *message, const char *name, const char *const *names, size_t count)
{
    const lc_node *node = lc_pj_get(message, name);
    if (node && node->kind == LC_NODE_STRING)
        return node->as.text;
    int64_t number = lc_pj_int(message, name);
    bool known = number >= 0 && (uint64_t)number < count;
    return known ? lc_str_from_c(names[number]) : LC_STR_EMPTY;
}

bool lc_pj_bytes(lc_str *out, lc_arena *arena, const lc_node *message, const char *name)
{
    const lc_node *node = lc_pj_get(message, name);
    size_t at;
    *out = LC_STR_EMPTY;
    if (!node)
        return true;
    return node->kind == LC_NODE_STRING && lc_base64_decode_any(out, arena, node->as.text, &at);
}

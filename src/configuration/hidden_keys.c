/* Instance keys that a report may not show. */
#include "lifecheck/configuration/hidden_keys.h"
#include "lifecheck/base/arena.h"

static lc_str text_of(lc_arena *arena, lc_key key)
{
    lc_buf text = {0};
    lc_key_add(&text, key);
    lc_str copy = lc_buf_copy(arena, &text);
    lc_buf_release(&text);
    return copy;
}

static void start(lc_hidden_keys *keys, lc_arena *arena)
{
    if (keys->arena)
        return;
    keys->arena = arena;
    lc_table_init(&keys->hidden, arena);
    lc_table_init(&keys->shown, arena);
}

void lc_hide_key(lc_hidden_keys *keys, lc_arena *arena, lc_key key)
{
    start(keys, arena);
    lc_str text = text_of(keys->arena, key);
    if (key.kind != LC_KEY_STRING || lc_table_get(&keys->hidden, text))
        return;
    lc_str *token = LC_NEW(keys->arena, lc_str);
    *token = lc_str_printf(keys->arena, "[\"(hidden %zu)\"]", ++keys->count);
    lc_table_put(&keys->hidden, text, token);
}

void lc_show_keys(lc_hidden_keys *keys, lc_arena *arena, const lc_address *address)
{
    start(keys, arena);
    for (size_t i = 0; i <= address->module_count; i++) {
        lc_key key = i < address->module_count ? address->modules[i].key : address->key;
        if (key.kind == LC_KEY_STRING)
            lc_table_put(&keys->shown, text_of(keys->arena, key), keys);
    }
}

/* The end of the key that begins at `from` with `["`, after its bracket; `from` if no key begins
 * there. */
static size_t end_of_key(lc_str text, size_t from)
{
    if (text.len < from + 4 || text.ptr[from] != '[' || text.ptr[from + 1] != '"')
        return from;
    for (size_t i = from + 2; i + 1 < text.len; i++) {
        if (text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == '"')
            return text.ptr[i + 1] == ']' ? i + 2 : from;
    }
    return from;
}

lc_str lc_hidden_text(const lc_hidden_keys *keys, lc_str text)
{
    lc_buf out = {0};
    size_t done = 0;
    for (size_t at = 0; keys->count && at < text.len; at++) {
        size_t end = end_of_key(text, at);
        lc_str key = lc_str_sub(text, at, end);
        const lc_str *token = end > at ? lc_table_get(&keys->hidden, key) : NULL;
        if (!token || lc_table_get(&keys->shown, key))
            continue;
        lc_buf_add_str(&out, lc_str_sub(text, done, at));
        lc_buf_add_str(&out, *token);
        done = end;
        at = end - 1;
    }
    if (!done)
        return text;
    lc_buf_add_str(&out, lc_str_sub(text, done, text.len));
    return lc_buf_take(keys->arena, &out);
}

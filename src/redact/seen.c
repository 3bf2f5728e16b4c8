/* Only hashes of the strings are kept, a few dozen bytes for each. If two forms are equal by
 * chance, the later text is searched for the secrets of the earlier one: no comparison changes by
 * that. */
#include "redact/seen.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <string.h>

/* Three quarters of 2^20, where the table would grow to 64 MiB. A string that is not kept is
 * redacted by the secrets known at each place, so its copies may differ. */
#define MAX_FORMS ((size_t)3 << 18)

void lc_seen_init(lc_seen *out, lc_arena *arena)
{
    *out = (lc_seen){.arena = arena};
    lc_table_init(&out->first, arena);
}

/* As tokens see a string (tokens.c): white space, and a slash or dot at the end, do not count. */
static lc_str body_of(lc_str text)
{
    while (text.len && lc_is_space(text.ptr[text.len - 1]))
        text.len--;
    if (text.len > 1 && (text.ptr[text.len - 1] == '/' || text.ptr[text.len - 1] == '.'))
        text.len--;
    return text;
}

static uint64_t mixed(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* FNV-1a, and a sum that does not depend on the order. */
lc_form lc_form_of(lc_str text)
{
    lc_form form;
    lc_str body = body_of(text);
    uint64_t ordered = 0xcbf29ce484222325u, sum = 0;
    bool has_parts = false;
    for (size_t i = 0; i < body.len; i++) {
        char c = lc_to_lower(body.ptr[i]);
        if (lc_is_space(c))
            continue;
        has_parts |= c == '{' || c == '[' || c == ',' || c == ';';
        ordered = (ordered ^ (unsigned char)c) * 0x100000001b3u;
        if (lc_is_alnum(c) || (unsigned char)c >= 0x80)
            sum += mixed((unsigned char)c);
    }
    uint64_t all = mixed(has_parts ? sum : ordered);
    memcpy(form.bytes, &all, sizeof all);
    return form;
}

size_t lc_seen_first(lc_seen *seen, const lc_form *form, size_t now)
{
    lc_str key = lc_form_key(form);
    size_t first = lc_table_get_index(&seen->first, key);
    if (first != LC_NO_INDEX || seen->first.count >= MAX_FORMS)
        return first != LC_NO_INDEX ? first : now;
    lc_table_put_index(&seen->first, lc_str_copy(seen->arena, key), now);
    return now;
}

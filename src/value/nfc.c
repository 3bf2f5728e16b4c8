/* Unicode normalisation form C of all strings, as cty does it on construction. */
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/utf8.h"
#include "lifecheck/value.h"

#include <string.h>
#include <utf8proc.h>

/* Below U+0300 nothing combines. */
static bool surely_normal(lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.ptr[i] >= 0xCC)
            return false;
    }
    return true;
}

/* A stretch of valid UTF-8. */
static void add_normalized(lc_buf *out, lc_str s)
{
    utf8proc_ssize_t capacity = (utf8proc_ssize_t)lc_add_size(lc_mul_size(s.len, 4), 16);
    utf8proc_int32_t *runes = lc_heap_alloc(lc_mul_size((size_t)capacity, sizeof *runes));
    utf8proc_option_t options = (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    utf8proc_ssize_t count = utf8proc_decompose((const utf8proc_uint8_t *)s.ptr,
                                                (utf8proc_ssize_t)s.len, runes, capacity, options);
    if (count > capacity) {
        capacity = count;
        runes = lc_heap_resize(runes, lc_mul_size((size_t)capacity, sizeof *runes));
        count = utf8proc_decompose((const utf8proc_uint8_t *)s.ptr, (utf8proc_ssize_t)s.len, runes,
                                   capacity, options);
    }
    LC_ASSERT(count >= 0);
    count = utf8proc_normalize_utf32(runes, count, options);
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        char bytes[4];
        lc_buf_add(out, bytes, lc_utf8_put(bytes, (uint32_t)runes[i]));
    }
    lc_heap_free(runes);
}

lc_str lc_nfc(lc_arena *arena, lc_str s)
{
    if (surely_normal(s))
        return s;
    lc_buf out = {0};
    size_t from = 0;
    while (from < s.len) {
        lc_str rest = lc_str_sub(s, from, s.len);
        size_t good = lc_utf8_first_bad(rest);
        if (good)
            add_normalized(&out, lc_str_sub(rest, 0, good));
        from += good;
        if (from < s.len)
            lc_buf_add_char(&out, s.ptr[from++]); /* an invalid byte stays */
    }
    lc_str normal = lc_buf_str(&out);
    if (!lc_str_eq(normal, s))
        s = lc_str_copy(arena, normal);
    lc_buf_release(&out);
    return s;
}

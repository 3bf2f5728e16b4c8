/* Comparison of strings that ignores compatibility forms and, on request, letter case. Both strings
 * are decomposed on the fly, without allocating. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <utf8proc.h>

#define MAX_EXPANSION 32 /* the longest decomposition has 18 */

/* Code points of a string, decomposed one character at a time. */
typedef struct reader {
    lc_str text;
    size_t at;
    utf8proc_int32_t runes[MAX_EXPANSION];
    size_t next, count;
    utf8proc_option_t options;
} reader;

/* The next decomposed code point. False: the end of the text, or invalid UTF-8. */
static bool next_rune(reader *r, utf8proc_int32_t *out)
{
    while (r->next == r->count) {
        if (r->at == r->text.len)
            return false;
        uint32_t rune = lc_utf8_next(r->text, &r->at);
        if (rune == LC_RUNE_BAD)
            return false;
        int boundary = 0;
        utf8proc_ssize_t count = utf8proc_decompose_char((utf8proc_int32_t)rune, r->runes,
                                                         MAX_EXPANSION, r->options, &boundary);
        LC_ASSERT(count >= 0 && count <= MAX_EXPANSION);
        r->count = (size_t)count;
        r->next = 0;
    }
    *out = r->runes[r->next++];
    return true;
}

bool lc_same_characters(lc_str a, lc_str b, bool fold)
{
    utf8proc_option_t options =
        UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | (fold ? UTF8PROC_CASEFOLD : 0);
    reader x = {.text = a, .options = options}, y = {.text = b, .options = options};
    for (;;) {
        utf8proc_int32_t p, q;
        bool more = next_rune(&x, &p), others = next_rune(&y, &q);
        if (!more || !others)
            return !more && !others && x.at == a.len && y.at == b.len;
        if (p != q)
            return false;
    }
}

lc_str lc_fold_key(lc_arena *arena, lc_str key)
{
    reader r = {.text = key, .options = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD};
    lc_buf out = {0};
    utf8proc_int32_t rune;
    size_t end = 0; /* after the last character that is not white space */
    while (next_rune(&r, &rune)) {
        char bytes[4];
        bool space = lc_rune_is_space((uint32_t)rune);
        if (space && end == 0)
            continue;
        lc_buf_add(&out, bytes, lc_utf8_put(bytes, (uint32_t)rune));
        if (!space)
            end = out.len;
    }
    lc_str folded = {out.ptr, end};
    folded = r.at < key.len ? key : lc_str_copy(arena, folded);
    lc_buf_release(&out);
    return folded;
}

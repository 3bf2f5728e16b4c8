/* Comparison of texts that ignores compatibility forms and, if wanted, letter case. Both texts are
 * decomposed on the fly, without allocating. */
#include "lifecheck/bug.h"
#include "lifecheck/utf8.h"
#include "lifecheck/value.h"

#include <utf8proc.h>

#define MAX_EXPANSION 32 /* the longest decomposition has 18 */

/* Code points of a text, decomposed one character at a time. */
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

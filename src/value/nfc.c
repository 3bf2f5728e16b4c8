/* Unicode normalisation form C, which cty applies to all strings it constructs.
 *
 * The model is golang.org/x/text: invalid bytes are kept and separate their surroundings, and a run
 * of more than 30 combining characters is cut by U+034F (UAX 15, stream-safe text), which also
 * keeps the ordering of marks linear. One defect is not copied: x/text looks up compositions by the
 * low 16 bits, so it makes U+00C1 of U+10041 U+0301. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <utf8proc.h>

#define MAX_NON_STARTERS 30
#define GRAPHEME_JOINER  0x034F
#define FIRST_MARK       0x0300 /* no code point below it combines with a preceding one */
#define HANGUL_NO_FINAL  0x11A7 /* utf8proc would drop it, as a Hangul final that is empty */
/* Pending code points are composed from time to time, to bound memory. */
#define ENOUGH_RUNES 4096
/* The longest decomposition has 18. */
#define MAX_EXPANSION 32

typedef utf8proc_int32_t rune;

/* Decomposed and ordered code points that are not yet composed. */
typedef struct pending {
    rune *runes;
    size_t count;
    size_t capacity;
    size_t non_starters; /* length of the run of combining characters at the end */
} pending;

static unsigned combining_class(rune r)
{
    return utf8proc_get_property(r)->combining_class;
}

/* Code points of class 0 that combine with a preceding one nevertheless: Jamo vowels and finals,
 * and some vowel signs. */
static bool is_combining_starter(rune r)
{
    static const rune signs[] = {
        0x09BE,  0x09D7,  0x0B3E,  0x0B56,  0x0B57,  0x0BBE,  0x0BD7,  0x0CC2,
        0x0CD5,  0x0CD6,  0x0D3E,  0x0D57,  0x0DCF,  0x0DDF,  0x102E,  0x1B35,
        0x11127, 0x1133E, 0x11357, 0x114B0, 0x114BA, 0x114BD, 0x115AF, 0x11930,
    };
    if (r < signs[0])
        return false;
    if (r >= 0x1161 && r <= 0x11C2)
        return r <= 0x1175 || r >= 0x11A8;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (r == signs[i])
            return true;
    }
    return false;
}

static bool is_non_starter(rune r)
{
    return combining_class(r) > 0 || is_combining_starter(r);
}

static size_t decompose(rune out[MAX_EXPANSION], rune r, utf8proc_option_t options)
{
    int boundary = 0;
    utf8proc_ssize_t count = utf8proc_decompose_char(r, out, MAX_EXPANSION, options, &boundary);
    LC_ASSERT(count >= 0 && count <= MAX_EXPANSION);
    return (size_t)count;
}

/* Canonical ordering by insertion: runs are at most MAX_NON_STARTERS long. */
static void append_ordered(pending *p, rune r)
{
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? lc_mul_size(p->capacity, 2) : 64;
        p->runes = lc_heap_resize(p->runes, lc_mul_size(p->capacity, sizeof *p->runes));
    }
    unsigned class = combining_class(r);
    size_t at = p->count++;
    while (class && at > 0 && combining_class(p->runes[at - 1]) > class) {
        p->runes[at] = p->runes[at - 1];
        at--;
    }
    p->runes[at] = r;
}

/* Inserts U+034F if the run of combining characters gets too long. x/text counts in the
 * compatibility decomposition, so that all forms are cut at the same places. */
static void cut_long_run(pending *p, rune r)
{
    rune full[MAX_EXPANSION];
    size_t count = decompose(
        full, r, (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE));
    size_t lead = 0, trail = 0;
    while (lead < count && is_non_starter(full[lead]))
        lead++;
    while (trail < count && is_non_starter(full[count - 1 - trail]))
        trail++;
    if (p->non_starters + lead > MAX_NON_STARTERS) {
        append_ordered(p, GRAPHEME_JOINER);
        p->non_starters = 0;
    }
    p->non_starters = lead ? p->non_starters + lead : trail;
}

/* Composes the pending code points and appends them; `pending` is empty afterwards. */
static void compose(lc_buf *out, pending *p)
{
    utf8proc_ssize_t count =
        utf8proc_normalize_utf32(p->runes, (utf8proc_ssize_t)p->count,
                                 (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        char bytes[4];
        lc_buf_add(out, bytes, lc_utf8_put(bytes, (uint32_t)p->runes[i]));
    }
    p->count = 0;
}

/* Normalises valid UTF-8. ASCII needs no look-up, and U+11A7 is written around utf8proc. */
static void add_normalized(lc_buf *out, pending *p, lc_str s)
{
    p->non_starters = 0;
    for (size_t at = 0; at < s.len;) {
        rune r = (rune)lc_utf8_next(s, &at);
        if (r < FIRST_MARK && p->count >= ENOUGH_RUNES)
            compose(out, p);
        if (r == HANGUL_NO_FINAL) {
            compose(out, p);
            lc_buf_add_c(out, "\xe1\x86\xa7");
            p->non_starters = 0;
            continue;
        }
        if (r < 0x80) {
            append_ordered(p, r);
            p->non_starters = 0;
            continue;
        }
        cut_long_run(p, r);
        rune parts[MAX_EXPANSION];
        size_t count =
            decompose(parts, r, (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE));
        for (size_t i = 0; i < count; i++)
            append_ordered(p, parts[i]);
    }
    compose(out, p);
}

/* Text below U+0300 is normal as it is: nearly all strings end here. */
static bool surely_normal(lc_str s)
{
    for (size_t i = lc_ascii_end(s, 0); i < s.len; i++) {
        if ((unsigned char)s.ptr[i] >= 0xCC) /* the first byte of FIRST_MARK and of all above */
            return false;
    }
    return true;
}

lc_str lc_nfc(lc_arena *arena, lc_str s)
{
    if (surely_normal(s))
        return s;
    lc_buf out = {0};
    pending p = {0};
    size_t from = 0;
    while (from < s.len) {
        lc_str rest = lc_str_sub(s, from, s.len);
        size_t good = lc_utf8_first_bad(rest);
        if (good)
            add_normalized(&out, &p, lc_str_sub(rest, 0, good));
        from += good;
        if (from < s.len)
            lc_buf_add_char(&out, s.ptr[from++]); /* an invalid byte stays */
    }
    lc_str normal = lc_buf_str(&out);
    if (!lc_str_eq(normal, s))
        s = lc_str_copy(arena, normal);
    lc_heap_free(p.runes);
    lc_buf_release(&out);
    return s;
}

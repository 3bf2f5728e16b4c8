/* Grapheme clusters: what a reader takes for one character. Both clients count characters and
 * columns in them, as go-textseg cuts them (UAX 29), which differs from the standard in small
 * things: after any base a joiner glues a pictograph, and Hangul is cut as go-textseg does. */
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <utf8proc.h>

typedef utf8proc_boundclass_t boundclass;

/* A place in a string, and the class of the character there. */
typedef struct cursor {
    lc_str text;
    size_t at, next; /* of this character and the next one */
    boundclass class;
} cursor;

/* Bytes that would encode a surrogate, which go-textseg takes for one character. */
static bool is_surrogate(lc_str text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.ptr + at;
    return text.len - at >= 3 && bytes[0] == 0xED && bytes[1] >= 0xA0 && bytes[1] <= 0xBF &&
           (bytes[2] & 0xC0) == 0x80;
}

/* At the end the class is that of no character. An invalid byte, or U+FFFD instead of one, joins
 * nothing. */
static void look(cursor *c)
{
    c->next = c->at;
    c->class = UTF8PROC_BOUNDCLASS_START;
    if (c->at >= c->text.len)
        return;
    uint32_t rune = lc_utf8_next(c->text, &c->next);
    if (rune == LC_RUNE_BAD && is_surrogate(c->text, c->at))
        c->next = c->at + 3;
    c->class = rune == LC_RUNE_BAD || rune == 0xFFFD
                   ? UTF8PROC_BOUNDCLASS_CONTROL
                   : (boundclass)utf8proc_get_property((utf8proc_int32_t)rune)->boundclass;
}

static void advance(cursor *c)
{
    c->at = c->next;
    look(c);
}

/* Skips characters of the class; true if there was one. */
static bool skip(cursor *c, boundclass class)
{
    size_t from = c->at;
    while (c->class == class)
        advance(c);
    return c->at > from;
}

static bool skip_one(cursor *c, boundclass class)
{
    bool is = c->class == class;
    if (is)
        advance(c);
    return is;
}

/* Marks and joiners; with `glue` a joiner takes a pictograph with it. */
static void skip_extension(cursor *c, bool glue)
{
    for (;;) {
        if (skip_one(c, UTF8PROC_BOUNDCLASS_EXTEND) || skip_one(c, UTF8PROC_BOUNDCLASS_SPACINGMARK))
            continue;
        if (!skip_one(c, UTF8PROC_BOUNDCLASS_ZWJ))
            return;
        if (glue)
            skip_one(c, UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC);
    }
}

/* Past a run of leading consonants. */
static void skip_syllable(cursor *c)
{
    cursor lv = *c;
    bool has_lv = skip_one(&lv, UTF8PROC_BOUNDCLASS_LV);
    bool vowels = skip(&lv, UTF8PROC_BOUNDCLASS_V);
    if (has_lv || vowels)
        *c = lv;
    if (vowels || skip_one(c, UTF8PROC_BOUNDCLASS_LVT))
        skip(c, UTF8PROC_BOUNDCLASS_T);
}

static bool skip_hangul(cursor *c)
{
    if (skip(c, UTF8PROC_BOUNDCLASS_L)) {
        skip_syllable(c);
    } else if (skip_one(c, UTF8PROC_BOUNDCLASS_LV) || skip(c, UTF8PROC_BOUNDCLASS_V)) {
        skip(c, UTF8PROC_BOUNDCLASS_V);
        skip(c, UTF8PROC_BOUNDCLASS_T);
    } else if (skip_one(c, UTF8PROC_BOUNDCLASS_LVT) || skip(c, UTF8PROC_BOUNDCLASS_T)) {
        skip(c, UTF8PROC_BOUNDCLASS_T);
    } else {
        return false;
    }
    skip_extension(c, true);
    return true;
}

static bool breaks(boundclass class)
{
    return class == UTF8PROC_BOUNDCLASS_CR || class == UTF8PROC_BOUNDCLASS_LF ||
           class == UTF8PROC_BOUNDCLASS_CONTROL || class == UTF8PROC_BOUNDCLASS_START;
}

/* Printable ASCII characters, of which two in a row are never one cluster. */
static bool is_plain(char c)
{
    return c >= ' ' && c <= '~';
}

size_t lc_grapheme_end(lc_str text, size_t at)
{
    if (is_plain(text.ptr[at]) && (at + 1 == text.len || is_plain(text.ptr[at + 1])))
        return at + 1;
    cursor c = {.text = text, .at = at};
    look(&c);
    if (breaks(c.class)) {
        bool cr = c.class == UTF8PROC_BOUNDCLASS_CR;
        advance(&c);
        return cr && c.class == UTF8PROC_BOUNDCLASS_LF ? c.next : c.at;
    }
    skip(&c, UTF8PROC_BOUNDCLASS_PREPEND);
    if (breaks(c.class) || skip_hangul(&c))
        return c.at;
    bool flag = c.class == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
    bool glue = flag || c.class == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
    advance(&c);
    if (flag)
        skip_one(&c, UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR);
    skip_extension(&c, glue);
    return c.at;
}

size_t lc_grapheme_count(lc_str text)
{
    size_t count = 0;
    for (size_t at = 0; at < text.len; count++)
        at = lc_grapheme_end(text, at);
    return count;
}

/* A cluster is as wide as its widest character: marks have no width, and what makes a picture of
 * the character before it makes it wide. A terminal shows what has no width of its own, such as a
 * tab, in one column here. */
static size_t cluster_columns(lc_str cluster)
{
    size_t widest = 0;
    for (size_t at = 0; at < cluster.len;) {
        uint32_t rune = lc_utf8_next(cluster, &at);
        int width = rune == 0xFE0F ? 2 : utf8proc_charwidth((utf8proc_int32_t)rune);
        if (width > 0 && (size_t)width > widest)
            widest = (size_t)width;
    }
    return widest ? widest : 1;
}

size_t lc_text_columns(lc_str text)
{
    size_t columns = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = lc_grapheme_end(text, at);
        columns += cluster_columns(lc_str_sub(text, at, end));
        at = end;
    }
    return columns;
}

/* ---- What of a string is safe to know if more is added to it. */

static bool is_delimiter(char c)
{
    static const char delimiters[] = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
    for (const char *d = delimiters; *d; d++) {
        if (c == *d)
            return true;
    }
    return false;
}

/* Marks that compose with a character before them. */
static const uint32_t composing[] = {
    0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307,  0x308,  0x309,  0x30A, 0x30B,
    0x30C, 0x30F, 0x311, 0x313, 0x314, 0x31B, 0x323,  0x324,  0x325,  0x326, 0x327,
    0x328, 0x32D, 0x32E, 0x330, 0x331, 0x338, 0x342,  0x345,  0x653,  0x654, 0x655,
    0x93C, 0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE,  0xBD7,  0xC56,  0xCC2, 0xCD5,
    0xCD6, 0xD3E, 0xD57, 0xDCA, 0xDCF, 0xDDF, 0x102E, 0x1B35, 0x3099, 0x309A};

static bool composes(uint32_t rune)
{
    if (rune < 0x80)
        return (rune | 0x20) - 'a' < 26 || (rune >= '<' && rune <= '>');
    for (size_t i = 0; i < sizeof composing / sizeof *composing; i++) {
        utf8proc_int32_t pair[2] = {(utf8proc_int32_t)rune, (utf8proc_int32_t)composing[i]};
        if (utf8proc_normalize_utf32(pair, 2, UTF8PROC_STABLE | UTF8PROC_COMPOSE) == 1)
            return true;
    }
    return false;
}

/* Is the character independent of what follows, and of what precedes it? */
static bool is_inert(uint32_t rune)
{
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)rune);
    if (rune >= 0x80 &&
        (p->combining_class != 0 || (p->decomp_seqindex != UINT16_MAX && p->decomp_type == 0)))
        return false;
    bool hangul = p->boundclass == UTF8PROC_BOUNDCLASS_L ||
                  p->boundclass == UTF8PROC_BOUNDCLASS_V ||
                  p->boundclass == UTF8PROC_BOUNDCLASS_T || p->boundclass == UTF8PROC_BOUNDCLASS_LV;
    return !hangul && !composes(rune);
}

/* Where the last character begins, with its marks, if a later one could change it; else
 * text.len. */
static size_t last_open(lc_str text)
{
    size_t starter = 0;
    bool inert = true;
    for (size_t at = 0, next = 0; at < text.len; at = next) {
        uint32_t rune = lc_utf8_next(text, &next);
        bool mark = rune != LC_RUNE_BAD &&
                    utf8proc_get_property((utf8proc_int32_t)rune)->combining_class != 0;
        if (!mark)
            starter = at;
        inert = rune == LC_RUNE_BAD || (!mark && (next < text.len || is_inert(rune)));
    }
    return inert ? text.len : starter;
}

/* go-textseg stops after a line feed or carriage return, unless they are a pair. */
static bool stops(lc_str text, size_t at, size_t end)
{
    return end - at == 1 && (text.ptr[at] == '\n' || text.ptr[at] == '\r');
}

lc_str lc_safe_prefix(lc_str prefix)
{
    size_t last = 0, end = 0;
    while (end < prefix.len) {
        last = end;
        end = lc_grapheme_end(prefix, end);
        if (!stops(prefix, last, end))
            continue;
        size_t open = last_open(prefix);
        return lc_str_sub(prefix, 0, open < prefix.len ? open : last);
    }
    bool whole = end - last == 1 && is_delimiter(prefix.ptr[last]);
    return lc_str_sub(prefix, 0, whole ? end : last);
}

/* textencodebase64 and textdecodebase64. The clients have golang.org/x/text, iconv has tables of
 * its own: where these are known to differ, or not known to agree, the result is undecided. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"

#include <iconv.h>
#include <string.h>

typedef enum kind {
    BYTES, /* one byte a character */
    NO_C1, /* the same, and Go has nothing at 80 to 9F */
    UTF8,
    UTF16, /* with a byte order mark; big-endian without it */
    UTF16_BE,
    UTF16_LE,
    DOUBLE,     /* one or two bytes, as in Go */
    JAPANESE,   /* known to agree for JIS X 0208 without its symbols */
    CHINESE,    /* known to agree but for rare characters */
    ASCII_ONLY, /* only ASCII is known to agree */
} kind;

typedef struct charset {
    const char *iconv;
    kind kind;
    const char *names; /* separated by spaces */
} charset;

static const charset charsets[] = {
#define ENCODING(iconv, kind, names) {iconv, kind, names},
#include "configuration/functions/texts/encodings.def"
#undef ENCODING
};

/* A conversion in both directions, one character at a time. */
typedef struct converter {
    const charset *set;
    iconv_t to, from;
    iconv_t jis; /* for JAPANESE: to JIS X 0208 */
} converter;

typedef enum outcome { FINE, NO_SUCH, UNDECIDED } outcome;

/* ---- Names: surrounding white space and letter case do not count. */

static bool has_name(const charset *set, lc_str name)
{
    lc_str names = lc_str_from_c(set->names);
    for (size_t at = 0, end; at < names.len; at = end + 1) {
        end = lc_str_find(names, at, ' ');
        if (lc_str_eq(lc_str_sub(names, at, end), name))
            return true;
    }
    return false;
}

static const charset *find(lc_fn_call *c, lc_str name)
{
    name = lc_to_case(c->e->arena, lc_trim_space(name), LC_LOWER);
    if (name.len == 0 || lc_str_find(name, 0, ' ') < name.len)
        return NULL;
    for (size_t i = 0; i < sizeof charsets / sizeof *charsets; i++) {
        if (has_name(&charsets[i], name))
            return &charsets[i];
    }
    return NULL;
}

static bool by_hand(kind k)
{
    return k == UTF8 || k == UTF16 || k == UTF16_BE || k == UTF16_LE;
}

static const iconv_t no_iconv = (iconv_t)-1;

/* False: this system's iconv does not have the encoding. */
static bool open_converter(converter *v, const charset *set)
{
    *v = (converter){set, no_iconv, no_iconv, no_iconv};
    if (by_hand(set->kind) || set->kind == ASCII_ONLY)
        return true;
    v->to = iconv_open(set->iconv, "UTF-8");
    v->from = iconv_open("UTF-8", set->iconv);
    if (set->kind == JAPANESE)
        v->jis = iconv_open("SHIFT_JIS", "UTF-8");
    return v->to != no_iconv && v->from != no_iconv &&
           (set->kind != JAPANESE || v->jis != no_iconv);
}

static void close_converter(converter *v)
{
    iconv_t all[] = {v->to, v->from, v->jis};
    for (size_t i = 0; i < 3; i++)
        if (all[i] != no_iconv)
            iconv_close(all[i]);
}

/* Converts a few bytes; how many come out, 0: they cannot be converted. */
static size_t convert(iconv_t with, lc_str bytes, char out[16])
{
    char in[16], *from = in, *to = out;
    size_t left = bytes.len, room = 16;
    if (bytes.len > sizeof in)
        return 0;
    memcpy(in, bytes.ptr, bytes.len);
    iconv(with, NULL, NULL, NULL, NULL);
    if (iconv(with, &from, &left, &to, &room) != 0)
        return 0;
    iconv(with, NULL, NULL, &to, &room);
    return 16 - room;
}

/* ---- One character. */

/* Characters for which the tables of Go and iconv differ. */
static bool is_disputed(const converter *v, uint32_t r)
{
    static const struct {
        const char *iconv;
        uint32_t runes[4];
    } disputes[] = {{"CP1140", {0x203E, 0, 0, 0}},
                    {"CP1255", {0x5BA, 0, 0, 0}},
                    {"KOI8-U", {0x40E, 0x45E, 0x255D, 0x256C}},
                    {"MACINTOSH", {0x394, 0x2206, 0xE01E, 0xF8FF}}};
    char bytes[4], out[16];
    for (size_t i = 0; i < sizeof disputes / sizeof *disputes; i++) {
        for (size_t k = 0; k < 4 && strcmp(disputes[i].iconv, v->set->iconv) == 0; k++)
            if (disputes[i].runes[k] == r)
                return true;
    }
    if (v->set->kind == JAPANESE)
        return r < 0x3040 || convert(v->jis, (lc_str){bytes, lc_utf8_put(bytes, r)}, out) == 0;
    if (v->set->kind == CHINESE)
        return r < 0x4E00 || r >= 0x9FB4;
    return v->set->kind == ASCII_ONLY;
}

static bool is_ascii_alike(const converter *v, uint32_t r)
{
    bool plain = v->set->kind >= DOUBLE && r < 0x80;
    return plain &&
           !(v->set->kind == ASCII_ONLY && (r == '~' || r == 0x0E || r == 0x0F || r == 0x1B));
}

static outcome encode_rune(const converter *v, uint32_t r, lc_buf *out)
{
    char bytes[4], to[16];
    if (is_ascii_alike(v, r)) {
        lc_buf_add_char(out, (char)r);
        return FINE;
    }
    if (is_disputed(v, r))
        return UNDECIDED;
    if (v->set->kind == NO_C1 && r >= 0x80 && r < 0xA0)
        return NO_SUCH;
    size_t len = convert(v->to, (lc_str){bytes, lc_utf8_put(bytes, r)}, to);
    if (len == 0 || (v->set->kind <= NO_C1 && len > 1))
        return v->set->kind > NO_C1 && v->set->kind != DOUBLE ? UNDECIDED : NO_SUCH;
    lc_buf_add(out, to, len);
    return FINE;
}

/* One character from the bytes at *at. */
static outcome decode_bytes(const converter *v, lc_str bytes, size_t *at, lc_buf *out)
{
    unsigned char first = (unsigned char)bytes.ptr[*at];
    size_t most = v->set->kind <= NO_C1 ? 1 : 4, len = 0, taken = 0;
    char to[16];
    if (is_ascii_alike(v, first)) {
        lc_buf_add_char(out, (char)first);
        ++*at;
        return FINE;
    }
    if (v->set->kind == ASCII_ONLY)
        return UNDECIDED;
    if (v->set->kind == NO_C1 && first >= 0x80 && first < 0xA0)
        return NO_SUCH;
    while (len == 0 && taken < most && *at + taken < bytes.len)
        len = convert(v->from, lc_str_sub(bytes, *at, *at + ++taken), to);
    size_t read = 0;
    bool disputed = len > 0 && is_disputed(v, lc_utf8_next((lc_str){to, len}, &read));
    if (disputed || strcmp(v->set->iconv, "CP1255") == 0) /* iconv has no byte CA there */
        return len == 0 || disputed ? UNDECIDED : (lc_buf_add(out, to, len), *at += taken, FINE);
    if (len == 0)
        return v->set->kind <= NO_C1 ? NO_SUCH : UNDECIDED;
    lc_buf_add(out, to, len);
    *at += taken;
    return FINE;
}

/* ---- UTF-16. */

static void put_unit(lc_buf *out, bool little, uint32_t unit)
{
    lc_buf_add_char(out, (char)(little ? unit & 0xFF : unit >> 8));
    lc_buf_add_char(out, (char)(little ? unit >> 8 : unit & 0xFF));
}

static void put_utf16(lc_buf *out, bool little, uint32_t r)
{
    if (r >= 0x10000) {
        put_unit(out, little, 0xD7C0 + (r >> 10));
        r = 0xDC00 + (r & 0x3FF);
    }
    put_unit(out, little, r);
}

static uint32_t unit_at(lc_str bytes, size_t at, bool little)
{
    uint32_t first = (unsigned char)bytes.ptr[at], second = (unsigned char)bytes.ptr[at + 1];
    return little ? second << 8 | first : first << 8 | second;
}

static outcome decode_utf16(lc_str bytes, kind k, lc_buf *out)
{
    bool little = k == UTF16_LE;
    size_t at = 0;
    if (k == UTF16 && bytes.len >= 2) {
        uint32_t mark = unit_at(bytes, 0, false);
        little = mark == 0xFFFE;
        at = mark == 0xFFFE || mark == 0xFEFF ? 2 : 0;
    }
    for (; at + 1 < bytes.len; at += 2) {
        char text[4];
        uint32_t r = unit_at(bytes, at, little);
        bool pair = r >= 0xD800 && r < 0xDC00 && at + 3 < bytes.len;
        uint32_t low = pair ? unit_at(bytes, at + 2, little) : 0;
        if (r >= 0xD800 && r < 0xE000 && !(pair && low >= 0xDC00 && low < 0xE000))
            return NO_SUCH;
        if (pair) {
            r = 0x10000 + ((r - 0xD800) << 10) + (low - 0xDC00);
            at += 2;
        }
        lc_buf_add(out, text, lc_utf8_put(text, r));
    }
    return at == bytes.len ? FINE : NO_SUCH;
}

/* ---- Whole strings. */

static outcome encode(const converter *v, lc_str text, lc_buf *out)
{
    outcome so_far = FINE;
    kind k = v->set->kind;
    if (k == UTF16)
        put_utf16(out, false, 0xFEFF);
    for (size_t at = 0; at < text.len && so_far == FINE;) {
        uint32_t r = lc_utf8_next(text, &at);
        if (r == LC_RUNE_BAD)
            return UNDECIDED;
        char bytes[4];
        if (k == UTF8)
            lc_buf_add(out, bytes, lc_utf8_put(bytes, r));
        else if (by_hand(k))
            put_utf16(out, k == UTF16_LE, r);
        else
            so_far = encode_rune(v, r, out);
    }
    return so_far;
}

/* The clients take U+FFFD in the result for an error. */
static outcome decode(const converter *v, lc_str bytes, lc_buf *out)
{
    outcome so_far = FINE;
    if (v->set->kind == UTF8)
        lc_buf_add_str(out, bytes);
    else if (by_hand(v->set->kind))
        so_far = decode_utf16(bytes, v->set->kind, out);
    for (size_t at = 0; !by_hand(v->set->kind) && at < bytes.len && so_far == FINE;)
        so_far = decode_bytes(v, bytes, &at, out);
    bool broken =
        !lc_utf8_valid(lc_buf_str(out)) || lc_str_contains(lc_buf_str(out), LC_STR("\xEF\xBF\xBD"));
    return so_far == FINE && broken ? NO_SUCH : so_far;
}

/* Both functions: text to bytes in Base64, or back. */
static bool recode(lc_fn_call *c, bool back)
{
    converter v;
    lc_buf out = LC_MADE_TEXT;
    lc_str bytes;
    const charset *set = find(c, lc_fn_text(c, 1));
    if (!set)
        return lc_fn_bad_argument(c, 1, "there is no encoding of this name");
    if (back && !lc_fn_from_base64(c, lc_fn_text(c, 0), &bytes))
        return lc_fn_bad_argument(c, 0, "the string is not Base64");
    outcome result = UNDECIDED;
    if (open_converter(&v, set))
        result = back ? decode(&v, bytes, &out) : encode(&v, lc_fn_text(c, 0), &out);
    close_converter(&v);
    bool ok;
    if (result == UNDECIDED)
        ok = lc_fn_give_undecided(c, "these characters may be encoded otherwise by the clients");
    else if (result == NO_SUCH)
        ok = lc_fn_bad_argument(c, 0, "the encoding does not have these characters");
    else
        ok = back ? lc_fn_give_text(c, lc_buf_copy(c->e->arena, &out))
                  : lc_fn_give_base64(c, lc_buf_str(&out));
    lc_buf_release(&out);
    return ok;
}

bool lc_fn_textencodebase64(lc_fn_call *c)
{
    return recode(c, false);
}

bool lc_fn_textdecodebase64(lc_fn_call *c)
{
    return recode(c, true);
}

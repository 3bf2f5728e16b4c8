/* Extensions on the wire: unknown values and their refinements (values-and-wire 3.3, mirrors
 * go-cty's msgpack/unknown.go). Two differences are on purpose, both noted with LC_WIRE_NOTE_EXT
 * because go-cty refuses there: a payload of another extension type is an unknown without
 * refinement, and a refinement of a kind that is not known is skipped properly. */
#include "codec/msgpack_read.h"
#include "lifecheck/base/utf8.h"

#define EXT_REFINED     12
#define MAX_PAYLOAD     1024
#define MAX_LENGTH      ((uint64_t)INT64_MAX)
#define NO_UPPER_LENGTH MAX_LENGTH

enum { KEY_NULLNESS = 1, KEY_PREFIX, KEY_MIN, KEY_MAX, KEY_MIN_LEN, KEY_MAX_LEN };

/* What the payload has stated so far. */
typedef struct promise {
    lc_refinement refinement;
    bool null;
} promise;

static bool refuse(lc_msgpack_reader *r, size_t at, const char *message)
{
    return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at, "%s", message);
}

static bool contradiction(lc_msgpack_reader *r, size_t at)
{
    return lc_codec_refuse(&r->b.trouble, LC_WIRE_CRASHES, at,
                           "the refinements of the unknown value contradict each other");
}

static bool cut_off(lc_msgpack_reader *r)
{
    return refuse(r, cursor_offset(&r->in), "the input ends in an extension");
}

/* ---- Refinements. */

/* An integer in any integer form; nil counts as 0, as in go-cty's decoder. Unsigned values beyond
 * int64 wrap, as there. */
static bool read_int(lc_msgpack_reader *r, const char *what, int64_t *out)
{
    int code = cursor_peek(&r->in);
    lc_num n;
    *out = 0;
    if (code == 0xc0) {
        r->in.at++;
        return true;
    }
    if (code == 0xcf && cursor_left(&r->in) >= 9) {
        uint64_t bits = 0;
        r->in.at++;
        cursor_uint(&r->in, 8, &bits);
        *out = bits <= MAX_LENGTH ? (int64_t)bits : -1 - (int64_t)(UINT64_MAX - bits);
        return true;
    }
    if ((code >= 0x80 && code <= 0xcb) || (code >= 0xd4 && code <= 0xdf) || code < 0)
        return lc_msgpack_read_unexpected(r, what);
    return lc_msgpack_read_number(r, &n) && lc_num_to_int64(n, out);
}

static bool read_nullness(lc_msgpack_reader *r, promise *p)
{
    size_t at = cursor_offset(&r->in);
    int code = cursor_peek(&r->in);
    if (code != 0xc0 && code != 0xc2 && code != 0xc3)
        return lc_msgpack_read_unexpected(r, "a bool saying whether the unknown value is null");
    r->in.at++;
    if (code == 0xc3)
        p->null = true;
    else
        p->refinement.not_null = true;
    return !(p->null && p->refinement.not_null) || contradiction(r, at);
}

static bool read_prefix(lc_msgpack_reader *r, promise *p, const lc_type *want)
{
    size_t at = cursor_offset(&r->in);
    lc_str prefix = LC_STR_EMPTY;
    lc_refinement *f = &p->refinement;
    if (want->kind != LC_TYPE_STRING)
        return refuse(r, at, "a prefix is given for an unknown value that is not a string");
    if (cursor_peek(&r->in) == 0xc0)
        r->in.at++;
    else if (!lc_msgpack_read_text(r, "a prefix", &prefix))
        return false;
    if (!lc_utf8_valid(prefix))
        return refuse(r, at, "the prefix of an unknown string is not valid UTF-8");
    prefix = lc_nfc(r->b.arena, prefix);
    lc_str longer = prefix.len > f->prefix.len ? prefix : f->prefix;
    if (!lc_str_starts_with(longer, prefix) || !lc_str_starts_with(longer, f->prefix))
        return contradiction(r, at);
    f->prefix = longer;
    f->has_prefix = longer.len > 0;
    return true;
}

/* [number, inclusive] */
static bool read_bound(lc_msgpack_reader *r, const lc_type *want, lc_num *bound, bool *inclusive)
{
    const char *what = "an array of a number and a bool, the bound of an unknown number,";
    size_t at = cursor_offset(&r->in);
    uint64_t count;
    if (want->kind != LC_TYPE_NUMBER)
        return refuse(r, at, "a bound is given for an unknown value that is not a number");
    if (!lc_msgpack_read_array(r, what, &count))
        return false;
    if (count != 2)
        return lc_codec_refuse(&r->b.trouble, count == 0 ? LC_WIRE_CRASHES : LC_WIRE_REFUSED, at,
                               "%s is required (%llu elements given)", what,
                               (unsigned long long)count);
    if (!lc_msgpack_read_number(r, bound))
        return false;
    int code = cursor_peek(&r->in);
    if (code != 0xc2 && code != 0xc3)
        return lc_msgpack_read_unexpected(r, "a bool saying whether the bound is inclusive");
    r->in.at++;
    *inclusive = code == 0xc3;
    return true;
}

static bool read_min(lc_msgpack_reader *r, promise *p, const lc_type *want)
{
    lc_refinement *f = &p->refinement;
    lc_num bound;
    bool inclusive;
    if (!read_bound(r, want, &bound, &inclusive))
        return false;
    int order = f->has_min ? lc_num_cmp(bound, f->min) : 1;
    if (order > 0 || (order == 0 && !inclusive)) {
        f->has_min = true;
        f->min = bound;
        f->min_inclusive = inclusive;
    }
    return true;
}

static bool read_max(lc_msgpack_reader *r, promise *p, const lc_type *want)
{
    lc_refinement *f = &p->refinement;
    lc_num bound;
    bool inclusive;
    if (!read_bound(r, want, &bound, &inclusive))
        return false;
    int order = f->has_max ? lc_num_cmp(bound, f->max) : -1;
    if (order < 0 || (order == 0 && !inclusive)) {
        f->has_max = true;
        f->max = bound;
        f->max_inclusive = inclusive;
    }
    return true;
}

static bool read_length(lc_msgpack_reader *r, promise *p, const lc_type *want, bool upper)
{
    lc_refinement *f = &p->refinement;
    size_t at = cursor_offset(&r->in);
    int64_t n;
    if (!lc_type_is_collection(want))
        return refuse(r, at, "a length is given for an unknown value that is not a collection");
    if (!read_int(r, "an integer, the length of an unknown collection,", &n))
        return false;
    if (upper) {
        if (n < 0)
            return contradiction(r, at);
        if (!f->has_max_len || (uint64_t)n < f->max_len)
            f->max_len = (uint64_t)n;
        f->has_max_len = f->max_len < NO_UPPER_LENGTH;
    } else if (n > 0 && (uint64_t)n > f->min_len) {
        f->has_min_len = true;
        f->min_len = (uint64_t)n;
    }
    return true;
}

/* Pass over the payload of one value that is not a container; the number of values inside of a
 * container is added to *pending. */
static bool skip_one(lc_msgpack_reader *r, uint64_t *pending)
{
    int code = cursor_peek(&r->in);
    uint64_t count = 0, len = 0;
    lc_str bytes;
    if ((code >= 0x80 && code <= 0x8f) || code == 0xde || code == 0xdf) {
        if (!lc_msgpack_read_map(r, "a map", &count))
            return false;
        *pending += 2 * count;
        return true;
    }
    if ((code >= 0x90 && code <= 0x9f) || code == 0xdc || code == 0xdd) {
        if (!lc_msgpack_read_array(r, "an array", &count))
            return false;
        *pending += count;
        return true;
    }
    if ((code >= 0xa0 && code <= 0xbf) || (code >= 0xd9 && code <= 0xdb) ||
        (code >= 0xc4 && code <= 0xc6))
        return lc_msgpack_read_text(r, "a string", &bytes);
    if (code < 0 || code == 0xc1)
        return lc_msgpack_read_unexpected(r, "a value");
    r->in.at++;
    if (code >= 0xc7 && code <= 0xc9) {
        if (!cursor_uint(&r->in, 1u << (code - 0xc7), &len))
            return cut_off(r);
        len++;
    } else if (code >= 0xd4 && code <= 0xd8) {
        len = 1 + (1u << (code - 0xd4));
    } else if (code >= 0xcc && code <= 0xd3) {
        len = 1u << (code & 3);
    } else if (code == 0xca || code == 0xcb) {
        len = code == 0xca ? 4 : 8;
    }
    return cursor_take(&r->in, len, &bytes) || cut_off(r);
}

/* Pending values are counted, not nested, and each needs a byte of a payload of at most
 * MAX_PAYLOAD: the count cannot overflow before the input ends. */
static bool skip_value(lc_msgpack_reader *r)
{
    uint64_t pending = 1;
    while (pending--) {
        if (pending > MAX_PAYLOAD)
            return cut_off(r);
        if (!skip_one(r, &pending))
            return false;
    }
    return true;
}

static bool read_refinement(lc_msgpack_reader *r, promise *p, const lc_type *want, bool last)
{
    int64_t key;
    if (!read_int(r, "an integer, the kind of a refinement,", &key))
        return false;
    switch (key) {
    case KEY_NULLNESS:
        return read_nullness(r, p);
    case KEY_PREFIX:
        return read_prefix(r, p, want);
    case KEY_MIN:
        return read_min(r, p, want);
    case KEY_MAX:
        return read_max(r, p, want);
    case KEY_MIN_LEN:
    case KEY_MAX_LEN:
        return read_length(r, p, want, key == KEY_MAX_LEN);
    default:
        if (last)
            return true;
        r->b.notes |= LC_WIRE_NOTE_EXT;
        return skip_value(r);
    }
}

static bool settle(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, size_t at,
                   const promise *p)
{
    if (!lc_value_set_refined(slot, r->b.arena, want, &p->refinement))
        return contradiction(r, at);
    if (p->null)
        lc_value_set_null(slot, want);
    /* A length that is certain makes elements that the input does not hold. */
    return codec_count(&r->b, at, lc_is_known(slot) ? slot->count : 0, "elements");
}

/* The cursor covers the payload alone. */
static bool read_payload(lc_msgpack_reader *r, lc_value *slot, const lc_type *want)
{
    size_t at = cursor_offset(&r->in);
    uint64_t count = 0;
    promise p = {0};
    if (cursor_peek(&r->in) == 0xc0)
        r->in.at++;
    else if (!lc_msgpack_read_map(r, "a map of refinements", &count))
        return false;
    if (want->kind == LC_TYPE_DYNAMIC) {
        lc_value_set_unknown(slot, want);
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!read_refinement(r, &p, want, i + 1 == count))
            return false;
    }
    return settle(r, slot, want, at, &p);
}

/* ---- The extension. */

/* Header: the extension type and the payload. */
static bool read_ext(lc_msgpack_reader *r, unsigned *type, lc_str *payload)
{
    int code = cursor_peek(&r->in);
    uint64_t len, number;
    r->in.at++;
    if (code >= 0xd4)
        len = 1u << (code - 0xd4);
    else if (!cursor_uint(&r->in, 1u << (code - 0xc7), &len))
        return cut_off(r);
    if (!cursor_uint(&r->in, 1, &number) || !cursor_take(&r->in, len, payload))
        return cut_off(r);
    *type = (unsigned)number;
    return true;
}

bool lc_msgpack_read_unknown(lc_msgpack_reader *r, lc_value *slot, const lc_type *want)
{
    size_t at = cursor_offset(&r->in);
    unsigned type = 0;
    lc_str payload = LC_STR_EMPTY;
    if (!read_ext(r, &type, &payload))
        return false;
    if (payload.len <= 1 || type != EXT_REFINED) {
        if (payload.len > 1)
            r->b.notes |= LC_WIRE_NOTE_EXT;
        lc_value_set_unknown(slot, want);
        return true;
    }
    if (payload.len > MAX_PAYLOAD)
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at,
                               "the refinement of an unknown value has more than %d bytes",
                               MAX_PAYLOAD);
    lc_byte_cursor after = r->in;
    r->in.at = payload.ptr;
    r->in.end = payload.ptr + payload.len;
    bool ok = read_payload(r, slot, want);
    r->in = after;
    return ok;
}

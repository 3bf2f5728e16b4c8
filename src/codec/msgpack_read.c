/* MessagePack to values. The target type drives the reading, as in go-cty's msgpack.Unmarshal; the
 * strictness is row by row that of values-and-wire 3.2. One pass over one checked cursor, values
 * are built in place, strings stay in the input.
 *
 * Recursion is bounded by LC_MAX_DEPTH. `owed` (see the header) may exceed what is left of the
 * input, which then is too short. */
#include "codec/msgpack_read.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"

#include <string.h>

static bool read_value(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth);

static const char *found_word(int code)
{
    if (code <= 0x7f || code >= 0xe0 || (code >= 0xcc && code <= 0xd3))
        return "an integer";
    if (code <= 0x8f || code == 0xde || code == 0xdf)
        return "a map";
    if (code <= 0x9f || code == 0xdc || code == 0xdd)
        return "an array";
    if (code <= 0xbf || (code >= 0xd9 && code <= 0xdb))
        return "a string";
    if (code == 0xc0)
        return "nil";
    if (code == 0xc2 || code == 0xc3)
        return "a bool";
    if (code >= 0xc4 && code <= 0xc6)
        return "binary data";
    if (code == 0xca || code == 0xcb)
        return "a float";
    return code == 0xc1 ? "the byte 0xc1, which is not MessagePack" : "an extension";
}

bool lc_msgpack_read_unexpected(lc_msgpack_reader *r, const char *what)
{
    int code = cursor_peek(&r->in);
    size_t at = cursor_offset(&r->in);
    if (code < 0)
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at,
                               "the input ends where %s is required", what);
    return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at, "%s is required, found %s", what,
                           found_word(code));
}

/* ---- Headers. */

static bool truncated(lc_msgpack_reader *r, const char *what)
{
    return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, cursor_offset(&r->in),
                           "the input ends inside of what should be %s", what);
}

/* The width in bytes of the length of str and bin codes; 0 for fixstr, -1 for other codes. */
static int text_width(int code)
{
    if (code >= 0xa0 && code <= 0xbf)
        return 0;
    if (code >= 0xd9 && code <= 0xdb)
        return 1 << (code - 0xd9);
    if (code >= 0xc4 && code <= 0xc6)
        return 1 << (code - 0xc4);
    return -1;
}

bool lc_msgpack_read_text(lc_msgpack_reader *r, const char *what, lc_str *out)
{
    int code = cursor_peek(&r->in);
    if ((code & ~0x1f) == 0xa0) { /* nearly all */
        r->in.at++;
        return cursor_take(&r->in, (unsigned)code & 0x1f, out) || truncated(r, what);
    }
    int width = text_width(code);
    uint64_t len;
    if (width < 0)
        return lc_msgpack_read_unexpected(r, what);
    r->in.at++;
    return (cursor_uint(&r->in, (unsigned)width, &len) && cursor_take(&r->in, len, out)) ||
           truncated(r, what);
}

/* `fix` is the first of the sixteen short codes, `wide` the code with a length of 16 bits, which
 * the one of 32 bits follows. */
static bool read_head(lc_msgpack_reader *r, int fix, int wide, const char *what, uint64_t *count)
{
    int code = cursor_peek(&r->in);
    if (code >= fix && code <= fix + 15) {
        *count = (unsigned)(code - fix);
        r->in.at++;
        return true;
    }
    if (code != wide && code != wide + 1)
        return lc_msgpack_read_unexpected(r, what);
    r->in.at++;
    return cursor_uint(&r->in, code == wide ? 2 : 4, count) || truncated(r, what);
}

bool lc_msgpack_read_array(lc_msgpack_reader *r, const char *what, uint64_t *count)
{
    return read_head(r, 0x90, 0xdc, what, count);
}

bool lc_msgpack_read_map(lc_msgpack_reader *r, const char *what, uint64_t *count)
{
    return read_head(r, 0x80, 0xde, what, count);
}

/* Bytes that nothing around needs. A string may have taken what the containers around still need:
 * then there are none. */
static size_t spare(const lc_msgpack_reader *r)
{
    size_t left = cursor_left(&r->in);
    return left > r->owed ? left - r->owed : 0;
}

/* Before `units` more elements, keys and values are read and room for them is allocated. */
static bool enter(lc_msgpack_reader *r, size_t at, uint64_t units, unsigned depth)
{
    if (!codec_check_depth(&r->b.trouble, at, depth))
        return false;
    if (units > spare(r))
        /* go-cty allocates before it reads: a count of this size ends it. */
        return lc_codec_refuse(&r->b.trouble, units >> 31 ? LC_WIRE_CRASHES : LC_WIRE_REFUSED, at,
                               "the input ends before the %llu elements that are announced",
                               (unsigned long long)units);
    r->owed += (size_t)units;
    return codec_count(&r->b, at, (size_t)units, "elements");
}

/* ---- Primitives. */

/* The string as cty keeps it, noted if it is not valid. ASCII, which nearly all strings are, is
 * read once. */
static lc_str normal_text(lc_msgpack_reader *r, lc_str s)
{
    if (lc_ascii_end(s, 0) == s.len)
        return s;
    if (!lc_utf8_valid(s))
        r->b.notes |= LC_WIRE_NOTE_BAD_UTF8;
    return lc_nfc(r->b.arena, s);
}

static bool read_number_text(lc_msgpack_reader *r, lc_num *out)
{
    size_t at = cursor_offset(&r->in);
    lc_str text;
    return lc_msgpack_read_text(r, "a number", &text) &&
           lc_codec_number_from_text(&r->b, out, text, at);
}

static bool read_float(lc_msgpack_reader *r, unsigned width, lc_num *out)
{
    size_t at = cursor_offset(&r->in);
    uint64_t bits;
    double d;
    r->in.at++;
    if (!cursor_uint(&r->in, width, &bits))
        return truncated(r, "a number");
    if (width == 4) {
        uint32_t narrow = (uint32_t)bits;
        float f;
        memcpy(&f, &narrow, sizeof f);
        d = (double)f;
    } else {
        memcpy(&d, &bits, sizeof d);
    }
    return lc_num_from_double(out, r->b.arena, d) ||
           lc_codec_refuse(&r->b.trouble, LC_WIRE_CRASHES, at, "a number is required, found NaN");
}

/* The codes cc to cf (unsigned) and d0 to d3 (signed). */
static bool read_wide_int(lc_msgpack_reader *r, int code, lc_num *out)
{
    unsigned width = 1u << (code & 3);
    uint64_t bits;
    r->in.at++;
    if (!cursor_uint(&r->in, width, &bits))
        return truncated(r, "a number");
    if (code <= 0xcf) {
        *out =
            bits <= INT64_MAX ? lc_num_from_int((int64_t)bits) : lc_num_from_uint(r->b.arena, bits);
        return true;
    }
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    uint64_t magnitude = bits & sign ? (sign - 1) - (bits & (sign - 1)) : bits;
    *out = lc_num_from_int(bits & sign ? -(int64_t)magnitude - 1 : (int64_t)magnitude);
    return true;
}

/* A number in any of its forms: integers, floats, and text for what neither can hold. */
bool lc_msgpack_read_number(lc_msgpack_reader *r, lc_num *out)
{
    int code = cursor_peek(&r->in);
    if ((code >= 0 && code <= 0x7f) || code >= 0xe0) {
        r->in.at++;
        *out = lc_num_from_int(code <= 0x7f ? code : code - 0x100);
        return true;
    }
    if (code >= 0xcc && code <= 0xd3)
        return read_wide_int(r, code, out);
    if (code == 0xca || code == 0xcb)
        return read_float(r, code == 0xca ? 4 : 8, out);
    return read_number_text(r, out);
}

static bool read_bool(lc_msgpack_reader *r, lc_value *slot)
{
    int code = cursor_peek(&r->in);
    if (code != 0xc2 && code != 0xc3)
        return lc_msgpack_read_unexpected(r, "a bool");
    r->in.at++;
    lc_value_set_bool(slot, code == 0xc3);
    return true;
}

static bool read_number(lc_msgpack_reader *r, lc_value *slot)
{
    lc_num n;
    if (!lc_msgpack_read_number(r, &n))
        return false;
    codec_set_number(&r->b, slot, n);
    return true;
}

static bool read_string(lc_msgpack_reader *r, lc_value *slot)
{
    lc_str s;
    if (!lc_msgpack_read_text(r, "a string", &s))
        return false;
    lc_value_set_normal(slot, normal_text(r, s));
    return true;
}

/* ---- Containers. */

static bool read_elements(lc_msgpack_reader *r, lc_value *elems, uint64_t count,
                          const lc_type *want, unsigned depth)
{
    for (uint64_t i = 0; i < count; i++) {
        r->owed--;
        if (!read_value(r, &elems[i], codec_element_type(want, i), depth + 1))
            return lc_codec_within(&r->b.trouble, codec_element_step(want, i));
    }
    return true;
}

static bool read_sequence(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    lc_codec_container c = {want, cursor_offset(&r->in), r->b.zeros};
    uint64_t count;
    if (!lc_msgpack_read_array(r, lc_codec_type_word(want), &count))
        return false;
    if (want->kind == LC_TYPE_TUPLE && count != want->count)
        /* go-cty takes an empty array for the empty tuple, regardless of the type. */
        return lc_codec_refuse(&r->b.trouble, count == 0 ? LC_WIRE_ACCEPTS : LC_WIRE_REFUSED, c.at,
                               "a tuple of length %lu is required (%llu given)",
                               (unsigned long)want->count, (unsigned long long)count);
    if (!enter(r, c.at, count, depth))
        return false;
    lc_value *elems = LC_NEW_ARRAY(r->b.arena, lc_value, (size_t)count);
    return read_elements(r, elems, count, want, depth) &&
           lc_codec_set_sequence(&r->b, slot, &c, elems, (size_t)count);
}

/* go-cty reads a nil key as "" and loses its position after a key that is not a string. */
static bool read_map_key(lc_msgpack_reader *r, lc_str *key)
{
    int code = cursor_peek(&r->in);
    if (code >= 0 && text_width(code) < 0)
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_ACCEPTS, cursor_offset(&r->in),
                               "the keys of a map must be strings, found %s", found_word(code));
    if (!lc_msgpack_read_text(r, "a key of a map", key))
        return false;
    *key = normal_text(r, *key);
    return true;
}

static bool read_map(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    lc_codec_container c = {want, cursor_offset(&r->in), r->b.zeros};
    uint64_t count;
    if (!lc_msgpack_read_map(r, "a map", &count) || !enter(r, c.at, count * 2, depth))
        return false;
    lc_str *keys = LC_NEW_ARRAY(r->b.arena, lc_str, (size_t)count);
    lc_value *elems = LC_NEW_ARRAY(r->b.arena, lc_value, (size_t)count);
    for (uint64_t i = 0; i < count; i++) {
        r->owed -= 2;
        if (!read_map_key(r, &keys[i]))
            return false;
        if (!read_value(r, &elems[i], want->as.elem, depth + 1))
            return lc_codec_within(&r->b.trouble, CODEC_KEY(keys[i]));
    }
    return lc_codec_set_map(&r->b, slot, &c, keys, elems, (size_t)count);
}

/* The index of the attribute that the next key names; *index is the one that comes next in the
 * type. go-cty reads a nil name as "". */
static bool read_attr_name(lc_msgpack_reader *r, const lc_type *want, uint32_t *index)
{
    size_t at = cursor_offset(&r->in);
    lc_str name;
    if (cursor_peek(&r->in) == 0xc0)
        return lc_codec_refuse(&r->b.trouble,
                               lc_type_attr_index(want, LC_STR_EMPTY) < 0 ? LC_WIRE_REFUSED
                                                                          : LC_WIRE_ACCEPTS,
                               at, "the name of an attribute is required, found nil");
    return lc_msgpack_read_text(r, "the name of an attribute", &name) &&
           codec_find_attr(&r->b, want, index, name, at);
}

static bool read_attrs(lc_msgpack_reader *r, lc_value *elems, const lc_type *want, unsigned depth)
{
    for (uint32_t i = 0; i < want->count; i++) {
        size_t at = cursor_offset(&r->in);
        uint32_t index = i;
        r->owed -= 2;
        if (!read_attr_name(r, want, &index))
            return false;
        const lc_type_attr *attr = &want->as.attrs[index];
        if (elems[index].type) /* go-cty then has an object that does not have another attribute */
            return lc_codec_refuse_name(&r->b.trouble, LC_WIRE_ACCEPTS, at, "the attribute ",
                                        attr->name, " is given twice");
        if (!read_value(r, &elems[index], attr->type, depth + 1))
            return lc_codec_within(&r->b.trouble, CODEC_ATTR(attr->name));
    }
    return true;
}

static bool read_object(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    size_t at = cursor_offset(&r->in);
    uint64_t count;
    if (!lc_msgpack_read_map(r, "an object", &count))
        return false;
    if (count != want->count)
        /* go-cty takes an empty map for the empty object, regardless of the type. */
        return lc_codec_refuse(&r->b.trouble, count == 0 ? LC_WIRE_ACCEPTS : LC_WIRE_REFUSED, at,
                               "an object with %lu attribute%s is required (%llu given)",
                               (unsigned long)want->count, want->count == 1 ? "" : "s",
                               (unsigned long long)count);
    if (!enter(r, at, count * 2, depth))
        return false;
    lc_value *elems = lc_codec_new_attrs(&r->b, want);
    if (!read_attrs(r, elems, want, depth))
        return false;
    lc_value_set_object(slot, r->b.arena, want, elems);
    return true;
}

/* [type JSON, value] */
static bool read_dynamic(lc_msgpack_reader *r, lc_value *slot, unsigned depth)
{
    size_t at = cursor_offset(&r->in);
    uint64_t count;
    lc_str text;
    const lc_type *type;
    if (!lc_msgpack_read_array(r, "an array of a type and a value", &count))
        return false;
    if (count != 2)
        return lc_codec_refuse(&r->b.trouble, LC_WIRE_REFUSED, at,
                               "an array of a type and a value is required (%llu elements given)",
                               (unsigned long long)count);
    if (!enter(r, at, 2, depth))
        return false;
    r->owed -= 2;
    if (!lc_msgpack_read_text(r, "a type", &text))
        return false;
    lc_json_scan s = lc_json_scan_over(text, &r->b.trouble);
    s.in.start = r->in.start; /* offsets are those of the input */
    return lc_codec_read_wrapper_type(&type, r->b.decoder, &s, text) &&
           read_value(r, slot, type, depth + 1);
}

static bool read_container(lc_msgpack_reader *r, lc_value *slot, const lc_type *want,
                           unsigned depth)
{
    switch (want->kind) {
    case LC_TYPE_DYNAMIC:
        return read_dynamic(r, slot, depth);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        return read_sequence(r, slot, want, depth);
    case LC_TYPE_MAP:
        return read_map(r, slot, want, depth);
    case LC_TYPE_OBJECT:
        return read_object(r, slot, want, depth);
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        break;
    }
    LC_UNREACHABLE();
}

/* No value's bytes begin with those of another, so equal bytes are the same container. It would be
 * decoded without a problem here, too, if it is not deeper, the containers around it have what they
 * still need, and the count allows it. */
static bool share(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    lc_str rest = {r->in.at, spare(r)};
    const lc_codec_seen *seen = lc_decoder_find(r->b.decoder, rest, want);
    if (!seen || depth > seen->depth || r->b.count + seen->nodes > LC_MAX_NODES)
        return false;
    r->in.at += seen->bytes.len;
    r->b.count += seen->nodes;
    *slot = seen->value;
    return true;
}

/* A container whose bytes and type are those of an earlier one shares its parts. */
static bool read_or_share(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    const char *from = r->in.at;
    size_t zeros = r->b.zeros, nodes = r->b.count;
    if (!r->b.decoder->remembers || spare(r) < CODEC_SEEN_LEAST)
        return read_container(r, slot, want, depth);
    if (share(r, slot, want, depth))
        return true;
    if (!read_container(r, slot, want, depth))
        return false;
    size_t len = (size_t)(r->in.at - from);
    if (len >= CODEC_SEEN_LEAST && !r->b.notes && r->b.zeros == zeros)
        lc_decoder_remember(
            r->b.decoder,
            &(lc_codec_seen){{from, len}, want, *slot, (uint32_t)(r->b.count - nodes), depth});
    return true;
}

static bool read_value(lc_msgpack_reader *r, lc_value *slot, const lc_type *want, unsigned depth)
{
    int code = cursor_peek(&r->in);
    if (code < 0)
        return lc_msgpack_read_unexpected(r, lc_codec_type_word(want));
    if (reader_is_ext(code))
        return lc_msgpack_read_unknown(r, slot, want);
    if (code == 0xc0) {
        r->in.at++;
        lc_value_set_null(slot, want);
        return true;
    }
    switch (want->kind) {
    case LC_TYPE_BOOL:
        return read_bool(r, slot);
    case LC_TYPE_NUMBER:
        return read_number(r, slot);
    case LC_TYPE_STRING:
        return read_string(r, slot);
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        return read_or_share(r, slot, want, depth);
    }
    LC_UNREACHABLE();
}

bool lc_decode_msgpack(const lc_value **out, lc_decoder *decoder, lc_str in, const lc_type *want,
                       lc_wire_result *result)
{
    lc_msgpack_reader r = {.in = cursor_over(in)};
    lc_value root;
    lc_codec_builder_init(&r.b, decoder, result);
    bool ok = read_value(&r, &root, lc_type_without_optional(want), 0);
    result->notes = r.b.notes;
    if (!ok)
        return lc_codec_give_up(&r.b.trouble);
    result->used = cursor_offset(&r.in);
    if (cursor_left(&r.in))
        result->notes |= LC_WIRE_NOTE_TRAILING;
    *out = lc_value_new(decoder->arena, &root);
    return true;
}

bool lc_msgpack_decode(const lc_value **out, lc_arena *arena, lc_str in, const lc_type *want,
                       lc_wire_result *result)
{
    lc_decoder decoder = {.arena = arena};
    return lc_decode_msgpack(out, &decoder, in, want, result);
}

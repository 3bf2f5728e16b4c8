/* Values to MessagePack, byte for byte as go-cty's msgpack.Marshal writes them
 * (values-and-wire 3.1, 3.3): compact integers, sorted keys, sets in cty's order, a type with each
 * value in a dynamic position. msgpack-c packs the headers and scalars. */
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/codec/codec.h"

#include <msgpack.h>
#include <string.h>

#define EXT_REFINED 12
#define MAX_PREFIX  256

enum { KEY_NULLNESS = 1, KEY_PREFIX, KEY_MIN, KEY_MAX, KEY_MIN_LEN, KEY_MAX_LEN };

static void write_value(msgpack_packer *out, const lc_value *v, const lc_type *want);

/* msgpack-c writes through this; a buffer never fails. */
static int to_buf(void *context, const char *bytes, size_t len)
{
    lc_buf_add(context, bytes, len);
    return 0;
}

static void write_str(msgpack_packer *out, lc_str s)
{
    msgpack_pack_str(out, s.len);
    msgpack_pack_str_body(out, s.ptr, s.len);
}

/* The first form that holds the number exactly: int64, float64 if it is not whole, decimal text. */
static void write_number(msgpack_packer *out, lc_num n)
{
    int64_t whole;
    double d;
    if (lc_num_to_int64(n, &whole)) {
        msgpack_pack_int64(out, whole);
    } else if (!lc_num_is_whole(n) && lc_num_to_double(n, &d)) {
        msgpack_pack_double(out, d);
    } else {
        lc_buf text = {0};
        lc_num_add_text(&text, n);
        write_str(out, lc_buf_str(&text));
        lc_buf_release(&text);
    }
}

static void write_bool(msgpack_packer *out, bool b)
{
    if (b)
        msgpack_pack_true(out);
    else
        msgpack_pack_false(out);
}

/* ---- Unknown values. */

/* A prefix that is too long is cut where no later character can change the rest. go-cty's
 * SafeKnownPrefix cuts at the last grapheme cluster and keeps it only if it is a delimiter; the cut
 * here is the same after ASCII and further back after other characters. */
static lc_str safe_prefix(lc_str prefix)
{
    if (prefix.len <= MAX_PREFIX)
        return prefix;
    size_t len = MAX_PREFIX - 1;
    while (len > 0 && (unsigned char)prefix.ptr[len - 1] >= 0x80)
        len--;
    if (len > 0 && !strchr("-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'", prefix.ptr[len - 1]))
        len--;
    return lc_str_sub(prefix, 0, len);
}

static void write_bound(msgpack_packer *out, int key, lc_num bound, bool inclusive)
{
    msgpack_pack_int64(out, key);
    msgpack_pack_array(out, 2);
    write_number(out, bound);
    write_bool(out, inclusive);
}

static void write_length(msgpack_packer *out, int key, uint64_t len)
{
    msgpack_pack_int64(out, key);
    msgpack_pack_int64(out, (int64_t)len);
}

/* Writes the pairs of the refinement map and returns their number. */
static size_t write_refinement(msgpack_packer *out, const lc_refinement *f)
{
    size_t count = 0;
    lc_str prefix = f->has_prefix ? safe_prefix(f->prefix) : LC_STR_EMPTY;
    if (f->not_null) {
        msgpack_pack_int64(out, KEY_NULLNESS);
        write_bool(out, false); /* "it is null": no */
        count++;
    }
    if (prefix.len) {
        msgpack_pack_int64(out, KEY_PREFIX);
        write_str(out, prefix);
        count++;
    }
    if (f->has_min) {
        write_bound(out, KEY_MIN, f->min, f->min_inclusive);
        count++;
    }
    if (f->has_max) {
        write_bound(out, KEY_MAX, f->max, f->max_inclusive);
        count++;
    }
    if (f->has_min_len && f->min_len > 0) {
        write_length(out, KEY_MIN_LEN, f->min_len);
        count++;
    }
    if (f->has_max_len && f->max_len < INT64_MAX) {
        write_length(out, KEY_MAX_LEN, f->max_len);
        count++;
    }
    return count;
}

/* Without refinements go-cty writes an extension of type 0 with one byte 0, otherwise one of type
 * 12 whose payload is the map. It is built apart, because its length comes first. */
static void write_unknown(msgpack_packer *out, const lc_value *v)
{
    lc_buf pairs = {0}, map = {0};
    const lc_refinement *f = lc_value_refinement(v);
    msgpack_packer inner;
    msgpack_packer_init(&inner, &pairs, to_buf);
    size_t count = f ? write_refinement(&inner, f) : 0;
    if (count == 0) {
        msgpack_pack_ext(out, 1, 0);
        msgpack_pack_ext_body(out, "", 1);
    } else {
        msgpack_packer_init(&inner, &map, to_buf);
        msgpack_pack_map(&inner, count);
        lc_buf_add_str(&map, lc_buf_str(&pairs));
        msgpack_pack_ext(out, map.len, EXT_REFINED);
        msgpack_pack_ext_body(out, map.ptr, map.len);
    }
    lc_buf_release(&pairs);
    lc_buf_release(&map);
}

/* ---- Known values. */

static void write_dynamic(msgpack_packer *out, const lc_value *v)
{
    lc_buf type = {0};
    lc_typejson_encode(&type, v->type);
    msgpack_pack_array(out, 2);
    msgpack_pack_bin(out, type.len);
    msgpack_pack_bin_body(out, type.ptr, type.len);
    lc_buf_release(&type);
    write_value(out, v, v->type);
}

static void write_sequence(msgpack_packer *out, const lc_value *v, const lc_type *want)
{
    msgpack_pack_array(out, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        write_value(out, &v->as.many.elems[i],
                    want->kind == LC_TYPE_TUPLE ? want->as.items[i] : want->as.elem);
}

static void write_map(msgpack_packer *out, const lc_value *v, const lc_type *want)
{
    msgpack_pack_map(out, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        write_str(out, v->as.many.keys[i]);
        write_value(out, &v->as.many.elems[i], want->as.elem);
    }
}

static void write_object(msgpack_packer *out, const lc_value *v, const lc_type *want)
{
    msgpack_pack_map(out, want->count);
    for (uint32_t i = 0; i < want->count; i++) {
        write_str(out, want->as.attrs[i].name);
        write_value(out, &v->as.many.elems[i], want->as.attrs[i].type);
    }
}

static void write_known(msgpack_packer *out, const lc_value *v, const lc_type *want)
{
    switch (want->kind) {
    case LC_TYPE_BOOL:
        write_bool(out, v->as.boolean);
        return;
    case LC_TYPE_NUMBER:
        write_number(out, v->as.number);
        return;
    case LC_TYPE_STRING:
        write_str(out, v->as.string);
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        write_sequence(out, v, want);
        return;
    case LC_TYPE_MAP:
        write_map(out, v, want);
        return;
    case LC_TYPE_OBJECT:
        write_object(out, v, want);
        return;
    case LC_TYPE_DYNAMIC:
        LC_BUG("a known value of type dynamic");
    }
    LC_UNREACHABLE();
}

static void write_value(msgpack_packer *out, const lc_value *v, const lc_type *want)
{
    if (want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC)
        write_dynamic(out, v);
    else if (lc_is_unknown(v))
        write_unknown(out, v);
    else if (lc_is_null(v))
        msgpack_pack_nil(out);
    else
        write_known(out, v, want);
}

void lc_msgpack_encode(lc_buf *buf, const lc_value *v, const lc_type *want)
{
    LC_ASSERT(lc_type_conforms(v->type, want));
    msgpack_packer out;
    msgpack_packer_init(&out, buf, to_buf);
    write_value(&out, v, want);
}

/* msgpack: an input is type JSON, a line break and the bytes of a value. Laws for what is accepted:
 * what is written is read again without notes and is the same value; writing is stable; msgpack-c's
 * own unpacker sees the same structure. Numbers that change on the wire (values-and-wire 2.6: a
 * float64 beyond int64 is written as its shortest text) and cut prefixes are tolerated once: what
 * was read again must then stay as it is. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/codec/codec.h"

#include <msgpack.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number that is not inline, or a prefix that is cut. */
static bool is_excused(const lc_value *v)
{
    const lc_refinement *f = lc_value_refinement(v);
    if (f)
        return f->prefix.len > 256 || (f->has_min && f->min.big) || (f->has_max && f->max.big);
    if (!lc_is_known(v))
        return false;
    if (v->type->kind == LC_TYPE_NUMBER)
        return v->as.number.big != NULL;
    for (uint32_t i = 0; !lc_type_is_primitive(v->type) && i < v->count; i++) {
        if (is_excused(&v->as.many.elems[i]))
            return true;
    }
    return false;
}

static const lc_value *again(lc_arena *arena, const lc_value *v, const lc_type *want, lc_str *bytes)
{
    const lc_value *back;
    lc_wire_result result;
    lc_buf buf = {0};
    lc_msgpack_encode(&buf, v, want);
    *bytes = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    LC_ASSERT(lc_msgpack_decode(&back, arena, *bytes, want, &result));
    LC_ASSERT(!(result.notes & (LC_WIRE_NOTE_TRAILING | LC_WIRE_NOTE_EXT)));
    LC_ASSERT(!(result.notes & LC_WIRE_NOTE_DUPLICATES) || is_excused(v));
    return back;
}

static void check_laws(lc_arena *arena, const lc_value *v, const lc_type *want)
{
    lc_str first, second, third;
    const lc_value *v2 = again(arena, v, want, &first);
    const lc_value *v3 = again(arena, v2, want, &second);
    again(arena, v3, want, &third);
    LC_ASSERT(lc_value_raw_equal(v2, v3));
    LC_ASSERT(lc_str_eq(second, third));
    if (!is_excused(v)) {
        LC_ASSERT(lc_value_raw_equal(v, v2));
        LC_ASSERT(lc_str_eq(first, second));
    }
}

/* ---- The other reader. */

static void check_same(const lc_value *v, const msgpack_object *o);

static void check_array(const lc_value *v, const msgpack_object *o)
{
    lc_type_kind kind = v->type->kind;
    if (kind == LC_TYPE_SET) {
        LC_ASSERT(v->count <= o->via.array.size);
        return;
    }
    LC_ASSERT(kind == LC_TYPE_LIST || kind == LC_TYPE_TUPLE);
    LC_ASSERT(v->count == o->via.array.size);
    for (uint32_t i = 0; i < v->count; i++)
        check_same(&v->as.many.elems[i], &o->via.array.ptr[i]);
}

static void check_map(const lc_value *v, const msgpack_object *o)
{
    if (v->type->kind == LC_TYPE_MAP) {
        LC_ASSERT(v->count <= o->via.map.size);
        return;
    }
    LC_ASSERT(v->type->kind == LC_TYPE_OBJECT && v->count == o->via.map.size);
    for (uint32_t i = 0; i < v->count; i++) {
        const msgpack_object *key = &o->via.map.ptr[i].key;
        lc_str name = key->type == MSGPACK_OBJECT_STR
                          ? (lc_str){key->via.str.ptr, key->via.str.size}
                          : (lc_str){key->via.bin.ptr, key->via.bin.size};
        const lc_value *attr = lc_value_attr(v, name);
        LC_ASSERT(attr);
        check_same(attr, &o->via.map.ptr[i].val);
    }
}

static void check_same(const lc_value *v, const msgpack_object *o)
{
    if (o->type == MSGPACK_OBJECT_EXT)
        return;
    LC_ASSERT(lc_is_null(v) == (o->type == MSGPACK_OBJECT_NIL));
    if (!lc_is_known(v))
        return;
    if (v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP)
        check_map(v, o);
    else if (v->type->kind == LC_TYPE_BOOL)
        LC_ASSERT(o->type == MSGPACK_OBJECT_BOOLEAN && o->via.boolean == v->as.boolean);
    else if (v->type->kind == LC_TYPE_STRING)
        LC_ASSERT(o->type == MSGPACK_OBJECT_STR || o->type == MSGPACK_OBJECT_BIN);
    else if (!lc_type_is_primitive(v->type))
        check_array(v, o);
}

/* Values below dynamic are ambiguous by shape (a wrapper looks like a tuple), so only the end of
 * the input is compared for them. msgpack-c gives up at 32 levels. */
static void check_other_reader(const lc_value *v, const lc_type *want, lc_str in, unsigned notes)
{
    msgpack_unpacked unpacked;
    size_t end = 0;
    msgpack_unpacked_init(&unpacked);
    msgpack_unpack_return r = msgpack_unpack_next(&unpacked, in.ptr, in.len, &end);
    if (r != MSGPACK_UNPACK_NOMEM_ERROR) {
        LC_ASSERT(r == MSGPACK_UNPACK_SUCCESS || r == MSGPACK_UNPACK_EXTRA_BYTES);
        LC_ASSERT((end < in.len) == ((notes & LC_WIRE_NOTE_TRAILING) != 0));
        if (!want->has_dynamic)
            check_same(v, &unpacked.data);
    }
    msgpack_unpacked_destroy(&unpacked);
}

/* A decoder that has seen `before` gives what one gives that has seen nothing. */
static void check_seen(lc_decoder *decoder, lc_arena *arena, const lc_type *want, lc_str in)
{
    const lc_value *fresh = NULL, *v = NULL;
    lc_wire_result a, b;
    bool ok = lc_msgpack_decode(&fresh, arena, in, want, &a);
    LC_ASSERT(lc_decode_msgpack(&v, decoder, in, want, &b) == ok);
    LC_ASSERT(a.notes == b.notes);
    if (ok) {
        LC_ASSERT(a.used == b.used && lc_value_raw_equal(fresh, v));
        return;
    }
    LC_ASSERT(a.problem.core == b.problem.core && a.problem.offset == b.problem.offset);
    LC_ASSERT(lc_str_eq(a.problem.path, b.problem.path));
    LC_ASSERT(lc_str_eq(a.problem.message, b.problem.message));
}

/* The same bytes again, then with one of them changed, then cut off. */
static void check_decoder(lc_arena *arena, const lc_type *want, lc_str in)
{
    lc_decoder *decoder = lc_decoder_new(arena);
    char *changed = lc_str_to_c(arena, in);
    if (in.len)
        changed[in.len * 2 / 3] ^= 1;
    check_seen(decoder, arena, want, in);
    check_seen(decoder, arena, want, lc_str_copy(arena, in));
    check_seen(decoder, arena, want, (lc_str){changed, in.len});
    check_seen(decoder, arena, want, lc_str_copy(arena, lc_str_sub(in, 0, in.len - in.len / 4)));
    lc_decoder_free(decoder);
}

static void try_value(lc_arena *arena, const lc_type *want, lc_str in)
{
    const lc_value *v;
    lc_wire_result result;
    check_decoder(arena, want, in);
    if (lc_msgpack_decode(&v, arena, in, want, &result)) {
        LC_ASSERT(lc_type_conforms(v->type, want));
        check_laws(arena, v, want);
        check_other_reader(v, want, in, result.notes);
    } else {
        LC_ASSERT(result.problem.message.len > 0 && result.problem.path.len > 0);
        LC_ASSERT(result.problem.offset <= in.len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    if (!line)
        return 0;
    lc_arena *arena = lc_arena_new();
    lc_str head = {(const char *)data, (size_t)(line - data)};
    lc_str body = {(const char *)line + 1, size - head.len - 1};
    const lc_type *want;
    lc_wire_problem problem;
    if (lc_typejson_decode(&want, arena, head, &problem))
        try_value(arena, lc_type_without_optional(want), body);
    if (lc_msgpack_type(&want, arena, body))
        try_value(arena, want, body);
    lc_arena_free(arena);
    return 0;
}

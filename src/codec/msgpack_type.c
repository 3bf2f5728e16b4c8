/* The type that a value shows without a schema: a map is an object, an array a tuple, and what is
 * null or unknown may be anything. */
#include "codec/msgpack_read.h"

#include "lifecheck/base/arena.h"

#define MAX_DEPTH 32 /* an identity is a flat object of primitives and lists of them */

static const lc_type *type_of(lc_msgpack_reader *r, unsigned depth);

static const lc_type *type_of_array(lc_msgpack_reader *r, unsigned depth)
{
    uint64_t count;
    if (!lc_msgpack_read_array(r, "an array", &count) || count > cursor_left(&r->in))
        return NULL;
    const lc_type **items = LC_NEW_ARRAY(r->b.arena, const lc_type *, (size_t)count);
    for (uint64_t i = 0; i < count; i++) {
        items[i] = type_of(r, depth + 1);
        if (!items[i])
            return NULL;
    }
    return lc_type_tuple(r->b.arena, items, (size_t)count);
}

/* Attributes are sorted, so equal names are neighbours. */
static bool is_repeated(const lc_type *object)
{
    for (uint32_t i = 1; i < object->count; i++) {
        if (lc_str_eq(object->as.attrs[i - 1].name, object->as.attrs[i].name))
            return true;
    }
    return false;
}

/* Counts come from the input: each key and value needs at least a byte of what is left. */
static const lc_type *type_of_map(lc_msgpack_reader *r, unsigned depth)
{
    uint64_t count;
    if (!lc_msgpack_read_map(r, "a map", &count) || count > cursor_left(&r->in) / 2)
        return NULL;
    lc_type_attr *attrs = lc_arena_zalloc(r->b.arena, (size_t)count * sizeof *attrs);
    for (uint64_t i = 0; i < count; i++) {
        if (!lc_msgpack_read_text(r, "a key", &attrs[i].name))
            return NULL;
        attrs[i].type = type_of(r, depth + 1);
        if (!attrs[i].type)
            return NULL;
    }
    const lc_type *type = lc_type_object(r->b.arena, attrs, (size_t)count);
    return is_repeated(type) ? NULL : type;
}

static bool skip_ext(lc_msgpack_reader *r)
{
    lc_value ignored;
    return lc_msgpack_read_unknown(r, &ignored, &lc_type_dynamic);
}

static const lc_type *type_of(lc_msgpack_reader *r, unsigned depth)
{
    int code = cursor_peek(&r->in);
    lc_num number;
    lc_str text;
    if (code < 0 || depth > MAX_DEPTH)
        return NULL;
    if (reader_is_ext(code))
        return skip_ext(r) ? &lc_type_dynamic : NULL;
    if ((code >= 0x90 && code <= 0x9f) || code == 0xdc || code == 0xdd)
        return type_of_array(r, depth);
    if ((code >= 0x80 && code <= 0x8f) || code == 0xde || code == 0xdf)
        return type_of_map(r, depth);
    if (code == 0xc0 || code == 0xc2 || code == 0xc3) {
        r->in.at++;
        return code == 0xc0 ? &lc_type_dynamic : &lc_type_bool;
    }
    if ((code >= 0xa0 && code <= 0xbf) || (code >= 0xd9 && code <= 0xdb) ||
        (code >= 0xc4 && code <= 0xc6))
        return lc_msgpack_read_text(r, "a string", &text) ? &lc_type_string : NULL;
    return lc_msgpack_read_number(r, &number) ? &lc_type_number : NULL;
}

/* What is wrong with the bytes does not matter: whoever decodes them by the type reports it. */
bool lc_msgpack_type(const lc_type **out, lc_arena *arena, lc_str in)
{
    lc_wire_result ignored;
    lc_decoder decoder = {.arena = arena};
    lc_msgpack_reader r = {.in = cursor_over(in)};
    lc_codec_builder_init(&r.b, &decoder, &ignored);
    *out = type_of(&r, 0);
    return *out != NULL;
}

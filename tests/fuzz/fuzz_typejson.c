/* Types: an input is read as type JSON, as a type expression and as base64. Laws for what is
 * accepted: written and read again it is the same type, and is written the same way; base64 has one
 * text. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/codec/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(lc_arena *arena, const lc_type *type)
{
    lc_buf first = {0}, second = {0};
    const lc_type *back;
    lc_wire_problem problem;
    lc_typejson_encode(&first, type);
    LC_ASSERT(lc_typejson_decode(&back, arena, lc_buf_str(&first), &problem));
    LC_ASSERT(lc_type_equal(type, back) && type->hash == back->hash);
    lc_typejson_encode(&second, back);
    LC_ASSERT(lc_str_eq(lc_buf_str(&first), lc_buf_str(&second)));
    lc_buf_release(&first);
    lc_buf_release(&second);
}

static void check_text(lc_arena *arena, const lc_type *type)
{
    lc_buf text = {0};
    const lc_type *back;
    lc_str why;
    size_t at;
    lc_type_add_text(&text, type);
    LC_ASSERT(lc_typetext_parse(&back, arena, lc_buf_str(&text), &why, &at));
    LC_ASSERT(lc_type_equal(type, back));
    lc_buf_release(&text);
}

static void try_type(lc_arena *arena, lc_str in)
{
    const lc_type *type;
    lc_wire_problem problem;
    lc_str why;
    size_t at;
    if (lc_typejson_decode(&type, arena, in, &problem)) {
        check_json(arena, type);
        check_text(arena, type);
    } else {
        LC_ASSERT(problem.offset <= in.len && problem.message.len > 0);
    }
    if (lc_typetext_parse(&type, arena, in, &why, &at)) {
        check_json(arena, type);
        check_text(arena, type);
    } else {
        LC_ASSERT(at <= in.len && why.len > 0);
    }
}

static void try_base64(lc_arena *arena, lc_str in)
{
    lc_str bytes;
    size_t at;
    lc_buf text = {0};
    if (lc_base64_decode(&bytes, arena, in, &at)) {
        lc_base64_encode(&text, bytes);
        LC_ASSERT(lc_str_eq(lc_buf_str(&text), in));
    } else {
        LC_ASSERT(at <= in.len);
    }
    lc_buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str in = {(const char *)data, size};
    try_type(arena, in);
    try_base64(arena, in);
    lc_arena_free(arena);
    return 0;
}

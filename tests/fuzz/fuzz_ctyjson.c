/* cty JSON: an input is type JSON, a line break and the text of a value. Laws for what is accepted:
 * what is written is read again without notes, is the same value, and is written the same way. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/codec/codec.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool written(lc_arena *arena, lc_str *out, const lc_value *v, const lc_type *want)
{
    lc_buf buf = {0};
    lc_str why;
    bool ok = lc_ctyjson_encode(&buf, v, want, &why);
    *out = ok ? lc_buf_copy(arena, &buf) : LC_STR_EMPTY;
    LC_ASSERT(ok || (buf.len == 0 && why.len > 0));
    lc_buf_release(&buf);
    return ok;
}

static void check_laws(lc_arena *arena, const lc_value *v, const lc_type *want)
{
    const lc_value *back;
    lc_wire_result result;
    lc_str first, second;
    LC_ASSERT(lc_is_wholly_known(v) && lc_type_conforms(v->type, want));
    if (!written(arena, &first, v, want))
        return; /* an infinity */
    LC_ASSERT(lc_ctyjson_decode(&back, arena, first, want, &result));
    LC_ASSERT(result.notes == 0);
    LC_ASSERT(lc_value_raw_equal(v, back));
    LC_ASSERT(written(arena, &second, back, want));
    LC_ASSERT(lc_str_eq(first, second));
}

static void check_msgpack(lc_arena *arena, const lc_value *v, const lc_type *want)
{
    const lc_value *back;
    lc_wire_result result;
    lc_buf buf = {0};
    lc_msgpack_encode(&buf, v, want);
    LC_ASSERT(lc_msgpack_decode(&back, arena, lc_buf_copy(arena, &buf), want, &result));
    LC_ASSERT(lc_type_equal(v->type, back->type));
    lc_buf_release(&buf);
}

static void try_value(lc_arena *arena, const lc_type *want, lc_str in)
{
    const lc_value *v;
    lc_wire_result result;
    if (lc_ctyjson_decode(&v, arena, in, want, &result)) {
        check_laws(arena, v, want);
        check_msgpack(arena, v, want);
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
    lc_arena_free(arena);
    return 0;
}

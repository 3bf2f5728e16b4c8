/* Base64: both directions, and where bad text is refused. */
#include "unit.h"

#include "lifecheck/codec/codec.h"

#include <string.h>

typedef struct row {
    const char *name;
    lc_str bytes;
    const char *text;
} row;

static const row rows[] = {
    {"empty", {"", 0}, ""},
    {"one byte", {"f", 1}, "Zg=="},
    {"two bytes", {"fo", 2}, "Zm8="},
    {"three bytes", {"foo", 3}, "Zm9v"},
    {"four bytes", {"foob", 4}, "Zm9vYg=="},
    {"six bytes", {"foobar", 6}, "Zm9vYmFy"},
    {"a NUL", {"\0", 1}, "AA=="},
    {"the null object", {"\xc0", 1}, "wA=="},
    {"all last letters", {"\xfb\xef\xff", 3}, "++//"},
};

START_TEST(both_directions)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_buf buf = {0};
    lc_str bytes;
    size_t at = 0;
    lc_base64_encode(&buf, r->bytes);
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), r->text), "%s: encoded to %.*s", r->name,
                  LC_FMT(lc_buf_str(&buf)));
    ck_assert_msg(lc_base64_decode(&bytes, arena, lc_str_from_c(r->text), &at),
                  "%s: refused at %zu", r->name, at);
    ck_assert_msg(lc_str_eq(bytes, r->bytes), "%s: decoded to %zu bytes", r->name, bytes.len);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

typedef struct bad_row {
    const char *name;
    const char *text;
    size_t at;
} bad_row;

static const bad_row bad_rows[] = {
    {"one letter", "Z", 1},
    {"no padding", "Zg", 2},
    {"half the padding", "Zg=", 3},
    {"padding alone", "====", 0},
    {"padding in the middle", "Zg==Zg==", 2},
    {"too much padding", "Z===", 1},
    {"a space", "Zm 9", 2},
    {"a line break", "Zm9v\n", 4},
    {"letters for URLs", "-_8=", 0},
    {"bits that reach no byte", "Zh==", 1},
    {"bits that reach no byte, two bytes", "Zm9=", 2},
    {"a byte beyond ASCII", "Zm9\xc3", 3},
};

START_TEST(refused)
{
    const bad_row *r = &bad_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_str bytes;
    size_t at = 99;
    ck_assert_msg(!lc_base64_decode(&bytes, arena, lc_str_from_c(r->text), &at), "%s: accepted",
                  r->name);
    ck_assert_msg(at == r->at, "%s: refused at %zu, not %zu", r->name, at, r->at);
    lc_arena_free(arena);
}
END_TEST

START_TEST(every_byte_comes_back)
{
    lc_arena *arena = lc_arena_new();
    char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    for (size_t len = 0; len <= sizeof all; len++) {
        lc_buf buf = {0};
        lc_str bytes;
        size_t at;
        lc_base64_encode(&buf, (lc_str){all, len});
        ck_assert_uint_eq(buf.len, (len + 2) / 3 * 4);
        ck_assert(lc_base64_decode(&bytes, arena, lc_buf_str(&buf), &at));
        ck_assert_msg(lc_str_eq(bytes, (lc_str){all, len}), "length %zu", len);
        lc_buf_release(&buf);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("base64");
    TCase *tc = tcase_create("base64");
    ADD_ROWS(tc, both_directions, rows);
    ADD_ROWS(tc, refused, bad_rows);
    tcase_add_test(tc, every_byte_comes_back);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* gRPC inside HTTP/2: messages that arrive in pieces, and what the end of a call means. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "live/grpc.h"

#include <string.h>

/* ---- How a call ended. */

static const struct {
    const char *text;
    int number;
} numbers[] = {
    {"0", 0}, {"14", 14}, {"007", 7}, {"999", 999}, {"1000", -1}, {"0000", -1},
    {"", -1}, {"-1", -1}, {"1a", -1}, {" 1", -1},   {"+1", -1},
};

START_TEST(test_number)
{
    int got = lc_grpc_number(lc_str_from_c(numbers[_i].text));
    ck_assert_msg(got == numbers[_i].number, "%s: %d", numbers[_i].text, got);
}
END_TEST

static const struct {
    const char *text, *want;
} messages[] = {
    {"", ""},         {"plain", "plain"}, {"%41", "A"},   {"a%20b", "a b"}, {"%C3%bc", "\xC3\xBC"},
    {"100%", "100%"}, {"%4", "%4"},       {"%4g", "%4g"}, {"%g4", "%g4"},   {"%%41", "%A"},
    {"%2541", "%41"}, {"%0a%0D", "\n\r"}, {"%41%", "A%"},
};

START_TEST(test_decode)
{
    lc_arena *arena = lc_arena_new();
    lc_grpc_trailers trailers = {
        .status = LC_STR("13"), .message = lc_str_from_c(messages[_i].text), .http_status = 200};
    CHECK_TEXT(messages[_i].text, lc_grpc_end_of(arena, &trailers).text,
               lc_str_from_c(messages[_i].want));
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *status, *message; /* NULL: the field is missing */
    int http, want;
    const char *text;
} ends[] = {
    {"0", NULL, 200, LC_GRPC_OK, ""},
    {"14", "no%20way", 200, LC_GRPC_UNAVAILABLE, "no way"},
    {"99", "x", 0, 99, "x"},
    {"x", "lost", 200, LC_GRPC_UNKNOWN, "the status of the response is not a number"},
    {"", NULL, 200, LC_GRPC_UNKNOWN, "the status of the response is not a number"},
    {NULL, NULL, 0, LC_GRPC_UNKNOWN, "the response ended without a status"},
    {NULL, "x", 200, LC_GRPC_UNKNOWN, "the response ended without a status"},
    {NULL, NULL, 400, LC_GRPC_INTERNAL, "the response has HTTP status 400 and no gRPC status"},
    {NULL, NULL, 401, 16, "the response has HTTP status 401 and no gRPC status"},
    {NULL, NULL, 403, 7, "the response has HTTP status 403 and no gRPC status"},
    {NULL, NULL, 404, 12, "the response has HTTP status 404 and no gRPC status"},
    {NULL, NULL, 429, LC_GRPC_UNAVAILABLE, "the response has HTTP status 429 and no gRPC status"},
    {NULL, NULL, 500, LC_GRPC_UNKNOWN, "the response has HTTP status 500 and no gRPC status"},
    {NULL, NULL, 503, LC_GRPC_UNAVAILABLE, "the response has HTTP status 503 and no gRPC status"},
};

START_TEST(test_end)
{
    lc_arena *arena = lc_arena_new();
    lc_grpc_trailers trailers = {.http_status = ends[_i].http};
    if (ends[_i].status)
        trailers.status = lc_str_from_c(ends[_i].status);
    if (ends[_i].message)
        trailers.message = lc_str_from_c(ends[_i].message);
    lc_grpc_end end = lc_grpc_end_of(arena, &trailers);
    ck_assert_msg(end.status == ends[_i].want, "row %d: %d", _i, end.status);
    CHECK_TEXT(ends[_i].text, end.text, lc_str_from_c(ends[_i].text));
    lc_arena_free(arena);
}
END_TEST

static const struct {
    uint32_t code;
    int status;
    const char *text;
} resets[] = {
    {0, LC_GRPC_INTERNAL, "the peer reset the call (NO_ERROR)"},
    {7, LC_GRPC_UNAVAILABLE, "the peer reset the call (REFUSED_STREAM)"},
    {8, LC_GRPC_CANCELLED, "the peer reset the call (CANCEL)"},
    {11, LC_GRPC_RESOURCE_EXHAUSTED, "the peer reset the call (ENHANCE_YOUR_CALM)"},
    {12, 7, "the peer reset the call (INADEQUATE_SECURITY)"},
    {13, LC_GRPC_UNKNOWN, "the peer reset the call (HTTP_1_1_REQUIRED)"},
    {14, LC_GRPC_UNKNOWN, "the peer reset the call (an unknown error)"},
    {UINT32_MAX, LC_GRPC_UNKNOWN, "the peer reset the call (an unknown error)"},
};

START_TEST(test_reset)
{
    lc_arena *arena = lc_arena_new();
    lc_grpc_end end = lc_grpc_reset(arena, resets[_i].code, "peer");
    ck_assert_int_eq(end.status, resets[_i].status);
    CHECK_TEXT("reset", end.text, lc_str_from_c(resets[_i].text));
    lc_arena_free(arena);
}
END_TEST

/* ---- Messages. */

static bool keep_small(void *context, size_t size)
{
    (void)context;
    return size < 8;
}

static const struct {
    const char *bytes;
    size_t len;
    const char *want; /* the kept messages, each with a semicolon */
    bool cut, torn;
} streams[] = {
#define BYTES(text) text, sizeof(text) - 1
    {BYTES(""), "", false, false},
    {BYTES("\0\0\0\0\0"), ";", false, false},
    {BYTES("\0\0\0\0\1a\0\0\0\0\2bc"), "a;bc;", false, false},
    {BYTES("\0\0\0\0\10too long\0\0\0\0\1a"), "a;", true, false},
    {BYTES("\1\0\0\0\1z\0\0\0\0\1a"), "a;", true, false},
    {BYTES("\0\0\0\0\1a\0\0"), "a;", false, true},
    {BYTES("\0\0\0\0\3ab"), "", false, true},
};

/* In pieces of every size the messages are the same. */
START_TEST(test_messages)
{
    for (size_t size = 1; size <= streams[_i].len + 1; size++) {
        lc_arena *arena = lc_arena_new();
        lc_grpc_messages list = {0};
        lc_grpc_partial partial = {0};
        lc_grpc_keeper keeper = {keep_small, NULL};
        lc_buf got = {0};
        lc_str all = {streams[_i].bytes, streams[_i].len};
        for (size_t at = 0; at < all.len; at += size)
            lc_grpc_add(&list, &partial, arena, &keeper,
                        lc_str_sub(all, at, at + size < all.len ? at + size : all.len));
        for (size_t i = 0; i < list.list.count; i++)
            lc_buf_printf(&got, "%.*s;", LC_FMT(list.list.items[i]));
        CHECK_TEXT("messages", lc_buf_str(&got), lc_str_from_c(streams[_i].want));
        ck_assert_msg(list.cut == streams[_i].cut, "row %d, pieces of %zu", _i, size);
        ck_assert_msg(lc_grpc_is_torn(&partial) == streams[_i].torn, "row %d, pieces of %zu", _i,
                      size);
        lc_buf_release(&got);
        lc_arena_free(arena);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("grpc");
    TCase *tcase = tcase_create("grpc");
    ADD_ROWS(tcase, test_number, numbers);
    ADD_ROWS(tcase, test_decode, messages);
    ADD_ROWS(tcase, test_end, ends);
    ADD_ROWS(tcase, test_reset, resets);
    ADD_ROWS(tcase, test_messages, streams);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

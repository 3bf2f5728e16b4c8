/* The client's side of a connection to a provider: what calls become of the bytes that come,
 * however they are cut. What the test provider can do is in tests/cli/session.sh. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "live/session/http2.h"

#include <string.h>

#ifdef LC_WITH_NGHTTP2
#include <nghttp2/nghttp2.h>

enum { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY };
enum { CONTINUATION = 9, UNKNOWN_TYPE = 77 };
enum { END_STREAM = 0x1, ACK = 0x1, END_HEADERS = 0x4 };
#define CALLS 3
#define WHOLE 0

/* ---- What a provider writes. Call i is stream 2 * i + 1. */

typedef struct provider {
    lc_buf out;
    nghttp2_hd_deflater *deflater;
} provider;

static void add_number(lc_buf *out, uint32_t n, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        lc_buf_add_char(out, (char)(n >> 8 * i & 0xFF));
}

static void frame(provider *p, int type, int flags, uint32_t stream, lc_str payload)
{
    add_number(&p->out, (uint32_t)payload.len, 3);
    add_number(&p->out, (uint32_t)type, 1);
    add_number(&p->out, (uint32_t)flags, 1);
    add_number(&p->out, stream, 4);
    lc_buf_add_str(&p->out, payload);
}

static void greet(provider *p)
{
    frame(p, SETTINGS, 0, 0, LC_STR_EMPTY);
    frame(p, SETTINGS, ACK, 0, LC_STR_EMPTY);
}

static void fields(provider *p, uint32_t stream, int flags, const nghttp2_nv *list, size_t count)
{
    size_t room = nghttp2_hd_deflate_bound(p->deflater, list, count);
    uint8_t *bytes = lc_heap_alloc(room);
    ssize_t len = nghttp2_hd_deflate_hd(p->deflater, bytes, room, list, count);
    ck_assert(len >= 0);
    lc_str block = {(const char *)bytes, (size_t)len};
    for (bool first = true; first || block.len; first = false) {
        size_t n = block.len < 16384 ? block.len : 16384;
        frame(p, first ? HEADERS : CONTINUATION,
              (first ? flags : 0) | (n == block.len ? END_HEADERS : 0), stream,
              lc_str_sub(block, 0, n));
        block = lc_str_sub(block, n, block.len);
    }
    lc_heap_free(bytes);
}

static nghttp2_nv field(const char *name, const char *value)
{
    return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value, strlen(name),
                        strlen(value), NGHTTP2_NV_FLAG_NO_INDEX};
}

static void begin(provider *p, uint32_t stream, const char *status)
{
    nghttp2_nv list[] = {field(":status", status), field("content-type", "application/grpc")};
    fields(p, stream, 0, list, 2);
}

static void end(provider *p, uint32_t stream, const char *status, const char *message)
{
    nghttp2_nv list[] = {field("grpc-status", status), field("grpc-message", message)};
    fields(p, stream, END_STREAM, list, *message ? 2 : 1);
}

static void data(provider *p, uint32_t stream, int flags, const char *text)
{
    lc_buf out = {0};
    add_number(&out, 0, 1);
    add_number(&out, (uint32_t)strlen(text), 4);
    lc_buf_add_c(&out, text);
    frame(p, DATA, flags, stream, lc_buf_str(&out));
    lc_buf_release(&out);
}

static void answer(provider *p, uint32_t stream, const char *text)
{
    begin(p, stream, "200");
    data(p, stream, 0, text);
    end(p, stream, "0", "");
}

static void reset(provider *p, uint32_t stream, char code)
{
    const char payload[4] = {0, 0, 0, code};
    frame(p, RST_STREAM, 0, stream, (lc_str){payload, 4});
}

/* ---- What becomes of it */

typedef struct result {
    lc_arena *arena;
    lc_http2_call calls[CALLS];
    lc_http2_call later; /* begun after everything was read */
    lc_buf sent;
    bool good, greeted, leaving;
} result;

static void gather(result *r, lc_http2 *http2)
{
    for (lc_str bytes; (bytes = lc_http2_bytes(http2)).len;) {
        size_t n = bytes.len < 1000 ? bytes.len : 1000;
        lc_buf_add_str(&r->sent, lc_str_sub(bytes, 0, n));
        lc_http2_written(http2, n);
    }
}

static void prepare(result *r, lc_http2_call *call, bool several)
{
    *call = (lc_http2_call){.path = LC_STR("/tfplugin6.Provider/PlanResourceChange"),
                            .request = LC_STR("question"),
                            .timeout_ms = 5000,
                            .several = several,
                            .arena = r->arena};
}

typedef void maker(provider *p);

static result hear(maker *make, size_t limit, size_t piece, bool several)
{
    result r = {.arena = lc_arena_new(), .good = true};
    provider p = {0};
    lc_limits limits = LC_LIMITS_DEFAULT;
    if (limit)
        limits.input_bytes = limit;
    lc_http2 *http2 = lc_http2_open(&limits);
    ck_assert_int_eq(nghttp2_hd_deflate_new(&p.deflater, 4096), 0);
    for (int i = 0; i < CALLS; i++) {
        prepare(&r, &r.calls[i], several);
        lc_http2_begin(http2, &r.calls[i]);
    }
    gather(&r, http2);
    make(&p);
    lc_str bytes = lc_buf_str(&p.out);
    while (bytes.len && r.good) {
        size_t n = piece && piece < bytes.len ? piece : bytes.len;
        r.good = lc_http2_read(http2, lc_str_sub(bytes, 0, n));
        bytes = lc_str_sub(bytes, n, bytes.len);
    }
    gather(&r, http2);
    r.greeted = lc_http2_settings_received(http2);
    r.leaving = lc_http2_goaway_received(http2);
    prepare(&r, &r.later, false);
    lc_http2_begin(http2, &r.later);
    lc_http2_fail_all(http2, LC_GRPC_UNAVAILABLE, LC_STR("torn"));
    lc_http2_free(http2);
    nghttp2_hd_deflate_del(p.deflater);
    lc_buf_release(&p.out);
    return r;
}

/* "STATUS TEXT [MESSAGE] [MESSAGE] cut" */
static lc_str text_of(const result *r, const lc_http2_call *call)
{
    lc_buf out = {0};
    ck_assert(call->ended && !call->stream);
    lc_buf_printf(&out, "%d ", call->status);
    lc_buf_add_str(&out, call->text);
    for (size_t i = 0; i < call->responses.list.count; i++) {
        lc_str one = call->responses.list.items[i];
        lc_buf_printf(&out, " [%.*s]", LC_FMT(one));
    }
    lc_buf_add_c(&out, call->responses.cut ? " cut" : "");
    return lc_buf_take(r->arena, &out);
}

static void release(result *r)
{
    lc_buf_release(&r->sent);
    lc_arena_free(r->arena);
}

/* ---- Rows */

static void in_turn(provider *p)
{
    greet(p);
    begin(p, 3, "200");
    answer(p, 1, "one");
    data(p, 3, 0, "three");
    frame(p, UNKNOWN_TYPE, 0, 0, LC_STR("whatever"));
    frame(p, PING, 0, 0, LC_STR("12345678"));
    end(p, 3, "0", "");
}

static void status_alone(provider *p)
{
    nghttp2_nv list[] = {field(":status", "200"), field("grpc-status", "5"),
                         field("grpc-message", "100%25 of %C3%A4%0A, %zz"),
                         field("grpc-status", "0")};
    greet(p);
    fields(p, 1, END_STREAM, list, 4);
}

static void early_hints(provider *p)
{
    nghttp2_nv list[] = {field(":status", "103"), field("grpc-status", "9")};
    greet(p);
    fields(p, 1, 0, list, 2);
    answer(p, 1, "one");
}

static void not_grpc(provider *p)
{
    nghttp2_nv list[] = {field(":status", "503"), field("content-type", "text/html")};
    greet(p);
    fields(p, 1, 0, list, 2);
    frame(p, DATA, END_STREAM, 1, LC_STR("<html>"));
    nghttp2_nv other[] = {field(":status", "404")};
    fields(p, 3, END_STREAM, other, 1);
}

static void odd_status(provider *p)
{
    greet(p);
    begin(p, 1, "200");
    end(p, 1, "fine", "");
    begin(p, 3, "200");
    end(p, 3, "77", "own");
}

static void resets(provider *p)
{
    greet(p);
    reset(p, 1, 7);
    begin(p, 3, "200");
    data(p, 3, 0, "three");
    reset(p, 3, 8);
}

static void reset_after_end(provider *p)
{
    greet(p);
    answer(p, 1, "one");
    reset(p, 1, 0);
}

static void goes_away(provider *p)
{
    greet(p);
    begin(p, 1, "200");
    frame(p, GOAWAY, 0, 0, (lc_str){"\0\0\0\1\0\0\0\0", 8});
    data(p, 1, 0, "one");
    end(p, 1, "0", "");
}

static void several(provider *p)
{
    greet(p);
    begin(p, 1, "200");
    data(p, 1, 0, "a");
    data(p, 1, 0, "");
    data(p, 1, 0, "c");
    end(p, 1, "0", "");
    begin(p, 3, "200");
    end(p, 3, "0", "");
    begin(p, 5, "200");
    data(p, 5, 0, "partly");
    end(p, 5, "10", "then not");
}

static void data_first(provider *p)
{
    greet(p);
    data(p, 1, END_STREAM, "one");
}

static void wrong_fields(provider *p)
{
    nghttp2_nv list[] = {field("grpc-status", "0")};
    greet(p);
    fields(p, 1, END_STREAM, list, 1);
    answer(p, 3, "three");
}

static void repeat(provider *p, size_t size, int count)
{
    char text[200];
    memset(text, 'a', size);
    text[size] = '\0';
    greet(p);
    begin(p, 1, "200");
    for (int i = 0; i < count; i++)
        data(p, 1, 0, text);
    end(p, 1, "0", "");
    answer(p, 3, "");
}

static void long_message(provider *p)
{
    repeat(p, 101, 1);
}

static void many_messages(provider *p)
{
    repeat(p, 1, 5);
}

/* Each but the first is one byte, which refers to the table of HPACK. */
static void long_fields(provider *p)
{
    nghttp2_nv list[400] = {field(":status", "200")};
    char value[3000];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t i = 1; i < 400; i++) {
        list[i] = field("more", value);
        list[i].flags = NGHTTP2_NV_FLAG_NONE;
    }
    greet(p);
    fields(p, 1, 0, list, 400);
    answer(p, 3, "three");
}

static void nothing(provider *p)
{
    greet(p);
    begin(p, 1, "200");
}

static void no_settings(provider *p)
{
    answer(p, 1, "one");
}

static void other_protocol(provider *p)
{
    lc_buf_add_c(&p->out, "HTTP/1.1 400 Bad Request\r\n\r\n");
}

static void pushes(provider *p)
{
    greet(p);
    frame(p, PUSH_PROMISE, END_HEADERS, 1, (lc_str){"\0\0\0\2\x88", 5});
    answer(p, 3, "three");
}

static void unasked(provider *p)
{
    greet(p);
    answer(p, 99, "one");
}

static void long_frame(provider *p)
{
    greet(p);
    begin(p, 1, "200");
    add_number(&p->out, 16385, 3);
    lc_buf_add_c(&p->out, "whatever comes behind it");
}

static void no_hpack(provider *p)
{
    greet(p);
    frame(p, HEADERS, END_HEADERS, 1, LC_STR("\xFF\xFF\xFF\xFF\xFF\xFF"));
}

static const struct {
    const char *name;
    maker *make;
    size_t limit;
    bool several, broken;
    const char *calls[CALLS];
} rows[] = {
    {"answers in turn", in_turn, 0, false, false, {"0  [one]", "0  [three]", "14 torn"}},
    {"a status alone", status_alone, 0, false, false, {"5 100% of \xC3\xA4\n, %zz"}},
    {"early hints", early_hints, 0, false, false, {"0  [one]"}},
    {"no gRPC",
     not_grpc,
     0,
     false,
     false,
     {"14 the response has HTTP status 503 and no gRPC status cut",
      "12 the response has HTTP status 404 and no gRPC status"}},
    {"odd statuses",
     odd_status,
     0,
     false,
     false,
     {"2 the status of the response is not a number", "77 own"}},
    {"resets",
     resets,
     0,
     false,
     false,
     {"14 the provider reset the call (REFUSED_STREAM)",
      "1 the provider reset the call (CANCEL) [three]"}},
    {"a reset after the end", reset_after_end, 0, false, false, {"0  [one]"}},
    {"no more calls",
     goes_away,
     0,
     false,
     false,
     {"0  [one]", "14 the provider takes no more calls", "14 the provider takes no more calls"}},
    {"several messages", several, 0, true, false, {"0  [a] [] [c]", "0 ", "10 then not [partly]"}},
    {"header fields without a status of HTTP",
     wrong_fields,
     0,
     false,
     false,
     {"13 the response violates HTTP/2", "0  [three]"}},
    {"a long message",
     long_message,
     100,
     false,
     false,
     {"8 the response is longer than the 100 bytes that are allowed cut", "0  []"}},
    {"many messages",
     many_messages,
     100,
     true,
     false,
     {"8 the response is longer than the 100 bytes that are allowed [a] [a] [a] [a] cut"}},
    {"many header fields",
     long_fields,
     0,
     false,
     false,
     {"8 the header fields of the response are longer than 1 MiB", "0  [three]"}},
    {"no end", nothing, 0, false, false, {"14 torn", "14 torn"}},
    {"data before header fields", data_first, 0, false, true, {"14 torn"}},
    {"no greeting", no_settings, 0, false, true, {"14 torn"}},
    {"another protocol", other_protocol, 0, false, true, {"14 torn"}},
    {"a promise", pushes, 0, false, true, {"14 torn", "14 torn"}},
    {"an answer to nothing", unasked, 0, false, true, {"14 torn"}},
    {"a long frame", long_frame, 0, false, true, {"14 torn"}},
    {"bad header fields", no_hpack, 0, false, true, {"14 torn"}},
};

START_TEST(answers)
{
    static const size_t pieces[] = {WHOLE, 1, 7};
    for (size_t i = 0; i < 3; i++) {
        result r = hear(rows[_i].make, rows[_i].limit, pieces[i], rows[_i].several);
        for (int j = 0; j < CALLS && rows[_i].calls[j]; j++) {
            lc_str text = text_of(&r, &r.calls[j]);
            ck_assert_msg(lc_str_is(text, rows[_i].calls[j]), "%s, call %d in pieces of %zu: %.*s",
                          rows[_i].name, j, pieces[i], LC_FMT(text));
        }
        ck_assert_msg(r.good != rows[_i].broken, "%s: broken: %d", rows[_i].name, !r.good);
        release(&r);
    }
}
END_TEST

START_TEST(what_is_sent)
{
    result r = hear(in_turn, 0, WHOLE, false);
    lc_str sent = lc_buf_str(&r.sent);
    ck_assert(lc_str_starts_with(sent, LC_STR("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")));
    ck_assert(lc_str_contains(sent, (lc_str){"\0\0\0\0\x8question", 13}));
    ck_assert(lc_str_contains(sent, LC_STR("12345678"))); /* the answer to the ping */
    ck_assert(r.greeted && !r.leaving);
    release(&r);
}
END_TEST

START_TEST(calls_after_the_end)
{
    result r = hear(goes_away, 0, WHOLE, false);
    ck_assert(r.leaving && lc_str_is(text_of(&r, &r.later), "14 the provider takes no more calls"));
    release(&r);
    r = hear(unasked, 0, WHOLE, false);
    ck_assert(lc_str_is(text_of(&r, &r.later), "14 the provider takes no more calls"));
    release(&r);
}
END_TEST

START_TEST(calls_that_are_given_up)
{
    lc_arena *arena = lc_arena_new();
    result r = {.arena = arena};
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_http2 *http2 = lc_http2_open(&limits);
    for (int i = 0; i < 2; i++) {
        prepare(&r, &r.calls[i], false);
        lc_http2_begin(http2, &r.calls[i]);
        if (i == 0)
            gather(&r, http2); /* the second is given up before it was sent */
        lc_http2_cancel(http2, &r.calls[i], LC_GRPC_DEADLINE_EXCEEDED, LC_STR("late"));
        lc_http2_cancel(http2, &r.calls[i], LC_GRPC_CANCELLED, LC_STR("again"));
        ck_assert(lc_str_is(text_of(&r, &r.calls[i]), "4 late"));
    }
    memset(r.calls, 0xA5, sizeof r.calls); /* no one looks at them any more */
    gather(&r, http2);
    provider p = {0};
    ck_assert_int_eq(nghttp2_hd_deflate_new(&p.deflater, 4096), 0);
    greet(&p);
    answer(&p, 1, "one");
    ck_assert(lc_http2_read(http2, lc_buf_str(&p.out)));
    nghttp2_hd_deflate_del(p.deflater);
    lc_buf_release(&p.out);
    lc_http2_free(http2);
    release(&r);
}
END_TEST

START_TEST(bounds)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_http2 *http2 = lc_http2_open(&limits);
    lc_http2_call *calls = LC_NEW_ARRAY(arena, lc_http2_call, 10001);
    result r = {.arena = arena};
    for (size_t i = 0; i < 10001; i++) {
        prepare(&r, &calls[i], false);
        lc_http2_begin(http2, &calls[i]);
    }
    ck_assert(!calls[9999].ended);
    ck_assert(lc_str_is(text_of(&r, &calls[10000]), "14 more than 10,000 calls are open"));
    lc_http2_free(http2);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("http2");
    TCase *calls = tcase_create("calls");
    tcase_add_loop_test(calls, answers, 0, sizeof rows / sizeof *rows);
    tcase_add_test(calls, what_is_sent);
    tcase_add_test(calls, calls_after_the_end);
    tcase_add_test(calls, calls_that_are_given_up);
    tcase_add_test(calls, bounds);
    suite_add_tcase(suite, calls);
    return suite_run(suite);
}

#else

START_TEST(no_connection_can_be_opened)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    ck_assert_ptr_null(lc_http2_open(&limits));
    lc_http2_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("http2");
    TCase *without = tcase_create("without nghttp2");
    tcase_add_test(without, no_connection_can_be_opened);
    suite_add_tcase(suite, without);
    return suite_run(suite);
}

#endif

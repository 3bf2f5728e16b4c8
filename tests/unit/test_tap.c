/* Taps: what is read from the bytes of a connection, however they are cut. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "live/tap/parts.h"

#include <string.h>

#ifdef LC_WITH_NGHTTP2
#include <nghttp2/nghttp2.h>

enum { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE };
enum { CONTINUATION = 9, UNKNOWN_TYPE = 77 };
enum { END_STREAM = 0x1, ACK = 0x1, END_HEADERS = 0x4, PADDED = 0x8, WITH_PRIORITY = 0x20 };
enum { CLIENT = LC_TAP_CLIENT, PROVIDER = LC_TAP_PROVIDER };

#define PREFACE LC_STR("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

/* ---- A connection, as both sides write it */

typedef struct piece {
    int side;
    lc_str bytes;
} piece;

typedef struct talk {
    lc_arena *arena;
    LC_VEC(piece) pieces;
    nghttp2_hd_deflater *deflaters[2];
} talk;

static void say(talk *t, int side, lc_str bytes)
{
    *LC_PUSH(t->arena, &t->pieces, piece) = (piece){side, bytes};
}

static void add_number(lc_buf *out, uint32_t n, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        lc_buf_add_char(out, (char)(n >> 8 * i & 0xFF));
}

static void frame(talk *t, int side, int type, int flags, uint32_t stream, lc_str payload)
{
    lc_buf out = {0};
    add_number(&out, (uint32_t)payload.len, 3);
    add_number(&out, (uint32_t)type, 1);
    add_number(&out, (uint32_t)flags, 1);
    add_number(&out, stream, 4);
    lc_buf_add_str(&out, payload);
    say(t, side, lc_buf_take(t->arena, &out));
}

static talk *begin_talk(void)
{
    lc_arena *arena = lc_arena_new();
    talk *t = LC_NEW(arena, talk);
    t->arena = arena;
    for (int side = 0; side < 2; side++)
        ck_assert_int_eq(nghttp2_hd_deflate_new(&t->deflaters[side], 65536), 0);
    return t;
}

/* With what every connection begins with. */
static talk *greet(void)
{
    talk *t = begin_talk();
    say(t, CLIENT, PREFACE);
    frame(t, CLIENT, SETTINGS, 0, 0, LC_STR_EMPTY);
    frame(t, PROVIDER, SETTINGS, 0, 0, LC_STR("\0\5\0\0\x40\0"));
    frame(t, PROVIDER, SETTINGS, ACK, 0, LC_STR_EMPTY);
    frame(t, CLIENT, SETTINGS, ACK, 0, LC_STR_EMPTY);
    return t;
}

static void end_talk(talk *t)
{
    nghttp2_hd_deflate_del(t->deflaters[0]);
    nghttp2_hd_deflate_del(t->deflaters[1]);
    lc_arena_free(t->arena);
}

static nghttp2_nv field(const char *name, const char *value)
{
    return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value, strlen(name),
                        strlen(value), NGHTTP2_NV_FLAG_NONE};
}

/* A header block of fields "name: value|name: value". */
static lc_str block(talk *t, int side, const char *fields)
{
    nghttp2_nv list[16];
    size_t count = 0;
    char *at = lc_str_to_c(t->arena, lc_str_from_c(fields));
    while (at && *at) {
        char *value = strstr(at, ": "), *end = value ? strchr(value, '|') : NULL;
        ck_assert(value && count < 16);
        *value = '\0';
        if (end)
            *end = '\0';
        list[count++] = field(at, value + 2);
        at = end ? end + 1 : NULL;
    }
    size_t room = nghttp2_hd_deflate_bound(t->deflaters[side], list, count);
    char *bytes = lc_arena_alloc(t->arena, room);
    ssize_t len = nghttp2_hd_deflate_hd(t->deflaters[side], (uint8_t *)bytes, room, list, count);
    ck_assert(len >= 0);
    return (lc_str){bytes, (size_t)len};
}

static void headers(talk *t, int side, uint32_t stream, int flags, const char *fields)
{
    frame(t, side, HEADERS, flags | END_HEADERS, stream, block(t, side, fields));
}

static void begin(talk *t, uint32_t stream, const char *method)
{
    lc_buf fields = {0};
    lc_buf_printf(&fields,
                  ":method: POST|:scheme: http|:path: /tfplugin5.Provider/%s|:authority: unused|"
                  "content-type: application/grpc|te: trailers",
                  method);
    lc_buf_add_char(&fields, '\0');
    headers(t, CLIENT, stream, 0, fields.ptr);
    lc_buf_release(&fields);
}

static lc_str join(talk *t, lc_str a, lc_str b)
{
    lc_buf out = {0};
    lc_buf_add_str(&out, a);
    lc_buf_add_str(&out, b);
    return lc_buf_take(t->arena, &out);
}

/* A message with its prefix. */
static lc_str message(talk *t, lc_str bytes)
{
    lc_buf out = {0};
    add_number(&out, 0, 1);
    add_number(&out, (uint32_t)bytes.len, 4);
    lc_buf_add_str(&out, bytes);
    return lc_buf_take(t->arena, &out);
}

static void send(talk *t, int side, uint32_t stream, int flags, const char *text)
{
    frame(t, side, DATA, flags, stream, message(t, lc_str_from_c(text)));
}

#define ANSWER   ":status: 200|content-type: application/grpc"
#define TRAILERS "grpc-status: 0|grpc-message: "

static void answer(talk *t, uint32_t stream, const char *text)
{
    headers(t, PROVIDER, stream, 0, ANSWER);
    send(t, PROVIDER, stream, 0, text);
    headers(t, PROVIDER, stream, END_STREAM, TRAILERS);
}

/* ---- What a tap makes of it */

static void add_messages(lc_buf *out, const lc_grpc_messages *messages)
{
    lc_buf_add_c(out, " [");
    for (size_t i = 0; i < messages->list.count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        lc_buf_add_str(out, messages->list.items[i]);
    }
    lc_buf_printf(out, "]%llu%s", (unsigned long long)messages->bytes, messages->cut ? " cut" : "");
}

static void note(void *context, const lc_tap_call *call)
{
    lc_buf *out = context;
    lc_str path = call->path;
    size_t from = lc_str_starts_with(path, LC_STR("/tfplugin5.Provider/")) ? 20 : 0;
    lc_buf_add_str(out, lc_str_sub(path, from, path.len));
    lc_buf_printf(out, " %d%s", call->status, call->torn ? " torn" : "");
    add_messages(out, &call->requests);
    add_messages(out, &call->responses);
    lc_buf_add_c(out, call->message.len ? " " : "");
    lc_buf_add_str(out, call->message);
    lc_buf_add_char(out, '\n');
}

/* Gives the pieces, each cut after every `step` bytes; 0: not cut. What is wrong, or the number of
 * calls that are open at the end, is the last line. */
static lc_str hear_cut(const talk *t, size_t input_bytes, size_t step)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_buf out = {0};
    const char *why = NULL;
    limits.input_bytes = input_bytes;
    lc_tap *tap = lc_tap_open(&limits, note, &out);
    for (size_t i = 0; i < t->pieces.count; i++) {
        lc_str bytes = t->pieces.items[i].bytes;
        while (bytes.len > 0) {
            size_t n = step && step < bytes.len ? step : bytes.len;
            /* Exactly as large as the piece, so that sanitizers see a read beyond its end. */
            char *copy = lc_heap_alloc(n);
            memcpy(copy, bytes.ptr, n);
            bool ok = lc_tap_bytes(tap, (lc_tap_side)t->pieces.items[i].side, (lc_str){copy, n},
                                   (int64_t)i, &why);
            lc_heap_free(copy);
            ck_assert(ok == !why);
            bytes = lc_str_sub(bytes, n, bytes.len);
        }
    }
    size_t open = tap->streams.count;
    lc_tap_close(tap, 99);
    if (why)
        lc_buf_printf(&out, "! %s\n", why);
    else if (open)
        lc_buf_printf(&out, "%zu open\n", open);
    return lc_buf_take(t->arena, &out);
}

static lc_str hear(const talk *t)
{
    return hear_cut(t, 1 << 20, 0);
}

/* The whole talk, in pieces of one byte too. */
#define CHECK_TALK(t, want)                                                                        \
    do {                                                                                           \
        CHECK_TEXT(__func__, hear(t), LC_STR(want));                                               \
        CHECK_TEXT("byte by byte", hear_cut(t, 1 << 20, 1), LC_STR(want));                         \
        end_talk(t);                                                                               \
    } while (0)

/* ---- Calls */

START_TEST(a_call_has_its_messages_and_status)
{
    talk *t = greet();
    begin(t, 1, "GetSchema");
    send(t, CLIENT, 1, END_STREAM, "ask");
    send(t, CLIENT, 1, 0, "behind the end");
    answer(t, 1, "told");
    CHECK_TALK(t, "GetSchema 0 [ask]3 [told]4\n");
}
END_TEST

/* All bytes in a row, cut in two at every place between two bytes. */
START_TEST(a_cut_anywhere_changes_nothing)
{
    talk *t = greet();
    begin(t, 1, "GetSchema");
    send(t, CLIENT, 1, END_STREAM, "ask");
    answer(t, 1, "told");
    for (size_t i = 0; i < t->pieces.count; i++) {
        piece whole = t->pieces.items[i];
        for (size_t at = 1; at < whole.bytes.len; at++) {
            talk cut = {.arena = t->arena};
            for (size_t k = 0; k < t->pieces.count; k++) {
                piece p = t->pieces.items[k];
                if (k == i)
                    say(&cut, p.side, lc_str_sub(p.bytes, 0, at));
                say(&cut, p.side, k == i ? lc_str_sub(p.bytes, at, p.bytes.len) : p.bytes);
            }
            CHECK_TEXT("cut", hear(&cut), LC_STR("GetSchema 0 [ask]3 [told]4\n"));
        }
    }
    end_talk(t);
}
END_TEST

/* One side's bytes in one piece, then the other's. */
START_TEST(all_of_a_side_may_come_at_once)
{
    talk *t = greet();
    for (uint32_t id = 1; id <= 5; id += 2) {
        begin(t, id, id == 3 ? "Configure" : "ReadResource");
        send(t, CLIENT, id, END_STREAM, id == 3 ? "b" : "a");
        answer(t, id, id == 3 ? "B" : "A");
    }
    talk sides = {.arena = t->arena};
    for (int side = 0; side < 2; side++) {
        lc_str all = LC_STR_EMPTY;
        for (size_t i = 0; i < t->pieces.count; i++) {
            if (t->pieces.items[i].side == side)
                all = join(t, all, t->pieces.items[i].bytes);
        }
        say(&sides, side, all);
    }
    for (size_t step = 0; step < 40; step++)
        CHECK_TEXT("sides", hear_cut(&sides, 1 << 20, step),
                   LC_STR("ReadResource 0 [a]1 [A]1\nConfigure 0 [b]1 [B]1\n"
                          "ReadResource 0 [a]1 [A]1\n"));
    end_talk(t);
}
END_TEST

START_TEST(calls_may_be_interleaved)
{
    talk *t = greet();
    begin(t, 1, "One");
    begin(t, 3, "Two");
    send(t, CLIENT, 3, END_STREAM, "b");
    headers(t, PROVIDER, 3, 0, ANSWER);
    send(t, CLIENT, 1, END_STREAM, "a");
    headers(t, PROVIDER, 1, 0, ANSWER);
    send(t, PROVIDER, 1, 0, "A");
    send(t, PROVIDER, 3, 0, "B");
    headers(t, PROVIDER, 3, END_STREAM, TRAILERS);
    headers(t, PROVIDER, 1, END_STREAM, TRAILERS);
    CHECK_TALK(t, "Two 0 [b]1 [B]1\nOne 0 [a]1 [A]1\n");
}
END_TEST

START_TEST(other_frames_are_passed_over)
{
    talk *t = greet();
    begin(t, 1, "X");
    frame(t, CLIENT, PING, 0, 0, LC_STR("12345678"));
    frame(t, PROVIDER, PING, ACK, 0, LC_STR("12345678"));
    frame(t, CLIENT, PRIORITY, 0, 7, LC_STR("12345"));
    frame(t, PROVIDER, WINDOW_UPDATE, 0, 0, LC_STR("\0\0\1\0"));
    frame(t, CLIENT, UNKNOWN_TYPE, 0xFF, 1, LC_STR("whatever"));
    send(t, CLIENT, 1, END_STREAM, "a");
    answer(t, 1, "A");
    frame(t, PROVIDER, GOAWAY, 0, 0, LC_STR("\0\0\0\1\0\0\0\0"));
    CHECK_TALK(t, "X 0 [a]1 [A]1\n");
}
END_TEST

START_TEST(padding_and_priority_are_taken_off)
{
    talk *t = greet();
    lc_str fields = block(t, CLIENT, ":method: POST|:path: /tfplugin5.Provider/X");
    lc_str front = join(t, LC_STR("\4\0\0\0\0\x10"), fields);
    frame(t, CLIENT, HEADERS, END_HEADERS | PADDED | WITH_PRIORITY, 1,
          join(t, front, LC_STR("\0\0\0\0"))); /* no whole field */
    lc_str data = join(t, LC_STR("\2"), message(t, LC_STR("ask")));
    frame(t, CLIENT, DATA, END_STREAM | PADDED, 1, join(t, data, LC_STR("\0\0")));
    headers(t, PROVIDER, 1, 0, ANSWER);
    frame(t, PROVIDER, DATA, PADDED, 1, LC_STR("\4\0\0\0\0")); /* nothing but padding */
    send(t, PROVIDER, 1, 0, "told");
    headers(t, PROVIDER, 1, END_STREAM, TRAILERS);
    CHECK_TALK(t, "X 0 [ask]3 [told]4\n");
}
END_TEST

START_TEST(a_header_block_may_be_continued)
{
    talk *t = greet();
    lc_str fields = block(t, CLIENT, ":method: POST|:path: /tfplugin5.Provider/X");
    frame(t, CLIENT, HEADERS, END_STREAM, 1, lc_str_sub(fields, 0, 2));
    frame(t, CLIENT, CONTINUATION, 0, 1, LC_STR_EMPTY);
    frame(t, CLIENT, CONTINUATION, 0, 1, lc_str_sub(fields, 2, 7));
    frame(t, CLIENT, CONTINUATION, END_HEADERS, 1, lc_str_sub(fields, 7, fields.len));
    answer(t, 1, "A");
    CHECK_TALK(t, "X 0 []0 [A]1\n");
}
END_TEST

START_TEST(messages_and_frames_need_not_agree)
{
    talk *t = greet();
    lc_str two = join(t, message(t, LC_STR("first")), message(t, LC_STR_EMPTY));
    lc_str all = join(t, two, message(t, LC_STR("third")));
    begin(t, 1, "Stream");
    for (size_t at = 0; at < all.len; at += 3) {
        size_t to = at + 3 < all.len ? at + 3 : all.len;
        frame(t, CLIENT, DATA, to == all.len ? END_STREAM : 0, 1, lc_str_sub(all, at, to));
    }
    headers(t, PROVIDER, 1, 0, ANSWER);
    frame(t, PROVIDER, DATA, 0, 1, all);
    frame(t, PROVIDER, DATA, 0, 1, LC_STR_EMPTY);
    headers(t, PROVIDER, 1, END_STREAM, TRAILERS);
    CHECK_TALK(t, "Stream 0 [first,,third]10 [first,,third]10\n");
}
END_TEST

START_TEST(a_large_message_is_kept_whole)
{
    talk *t = greet();
    size_t size = 900000;
    char *bytes = lc_arena_alloc(t->arena, size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)('a' + i * i % 23);
    lc_str whole = message(t, (lc_str){bytes, size});
    begin(t, 1, "X");
    for (size_t at = 0; at < whole.len; at += 16384)
        frame(t, CLIENT, DATA, 0, 1,
              lc_str_sub(whole, at, at + 16384 < whole.len ? at + 16384 : whole.len));
    answer(t, 1, "A");
    lc_str want = lc_str_printf(t->arena, "X 0 [%.*s]900000 [A]1\n", (int)size, bytes);
    CHECK_TEXT("frames", hear(t), want);
    CHECK_TEXT("pieces", hear_cut(t, 1 << 20, 1000), want);
    end_talk(t);
}
END_TEST

/* Both sides use the table of HPACK: later blocks are indices into it. */
START_TEST(tables_go_on_from_call_to_call)
{
    talk *t = greet();
    for (uint32_t id = 1; id < 40; id += 2) {
        begin(t, id, "ReadResource");
        send(t, CLIENT, id, END_STREAM, "a");
        answer(t, id, "A");
    }
    lc_str last = t->pieces.items[t->pieces.count - 1].bytes;
    ck_assert_uint_lt(last.len, 14); /* the deflater did use it */
    lc_str heard = hear(t);
    ck_assert_uint_eq(heard.len, 20 * strlen("ReadResource 0 [a]1 [A]1\n"));
    end_talk(t);
}
END_TEST

/* The settings of a side come before or after the blocks of the other; only these announce. */
START_TEST(a_table_may_change_its_size)
{
    static const size_t sizes[] = {0, 100, 65536, 4096, 64};
    talk *t = greet();
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_int_eq(nghttp2_hd_deflate_change_table_size(t->deflaters[CLIENT], sizes[i]), 0);
        ck_assert_int_eq(nghttp2_hd_deflate_change_table_size(t->deflaters[PROVIDER], sizes[i]), 0);
        for (uint32_t k = 0; k < 3; k++) {
            begin(t, 1 + 6 * i + 2 * k, "X");
            answer(t, 1 + 6 * i + 2 * k, "A");
        }
    }
    lc_str heard = hear(t);
    ck_assert_uint_eq(heard.len, 15 * strlen("X 0 []0 [A]1\n"));
    end_talk(t);
}
END_TEST

/* ---- Ends */

typedef struct status_row {
    const char *trailers;
    const char *want;
} status_row;
static const status_row statuses[] = {
    {"grpc-status: 12|grpc-message: no such%20call%0A%", "X 12 []0 []0 no such call\n%\n"},
    {"grpc-status: 2|grpc-message: %4%G1%41", "X 2 []0 []0 %4%G1A\n"},
    {"grpc-status: 2|grpc-message: %4", "X 2 []0 []0 %4\n"},
    {":status: 200|grpc-status: 5|grpc-message: trailers-only", "X 5 []0 []0 trailers-only\n"},
    {":status: 404|grpc-status: 0", "X 0 []0 []0\n"},
    {":status: 404", "X 12 []0 []0 the response has HTTP status 404 and no gRPC status\n"},
    {":status: 503", "X 14 []0 []0 the response has HTTP status 503 and no gRPC status\n"},
    {":status: 418", "X 2 []0 []0 the response has HTTP status 418 and no gRPC status\n"},
    {":status: none", "X 2 []0 []0 the response ended without a status\n"},
    {":status: 200", "X 2 []0 []0 the response ended without a status\n"},
    {"grpc-status: one", "X 2 []0 []0 the status of the response is not a number\n"},
    {"grpc-status: 1000", "X 2 []0 []0 the status of the response is not a number\n"},
    {"grpc-status: ", "X 2 []0 []0 the status of the response is not a number\n"},
};

START_TEST(trailers_say_how_a_call_ends)
{
    talk *t = greet();
    begin(t, 1, "X");
    headers(t, PROVIDER, 1, END_STREAM, statuses[_i].trailers);
    CHECK_TEXT(statuses[_i].trailers, hear(t), lc_str_from_c(statuses[_i].want));
    end_talk(t);
}
END_TEST

START_TEST(an_answer_may_end_with_data)
{
    talk *t = greet();
    begin(t, 1, "X");
    headers(t, PROVIDER, 1, 0, ANSWER);
    send(t, PROVIDER, 1, END_STREAM, "A");
    CHECK_TALK(t, "X 2 []0 [A]1 the response ended without a status\n");
}
END_TEST

/* A hint (103) comes before the answer. */
START_TEST(informational_headers_are_no_answer)
{
    talk *t = greet();
    begin(t, 1, "X");
    headers(t, PROVIDER, 1, 0, ":status: 103");
    frame(t, PROVIDER, HEADERS, END_HEADERS, 1, LC_STR_EMPTY);
    answer(t, 1, "A");
    CHECK_TALK(t, "X 0 []0 [A]1\n");
}
END_TEST

typedef struct reset_row {
    int side;
    uint32_t code;
    const char *want;
} reset_row;
static const reset_row resets[] = {
    {CLIENT, 8, "X 1 [a]1 []0 the client reset the call (CANCEL)\n"},
    {PROVIDER, 8, "X 1 [a]1 []0 the provider reset the call (CANCEL)\n"},
    {PROVIDER, 7, "X 14 [a]1 []0 the provider reset the call (REFUSED_STREAM)\n"},
    {PROVIDER, 0, "X 13 [a]1 []0 the provider reset the call (NO_ERROR)\n"},
    {PROVIDER, 11, "X 8 [a]1 []0 the provider reset the call (ENHANCE_YOUR_CALM)\n"},
    {PROVIDER, 14, "X 2 [a]1 []0 the provider reset the call (an unknown error)\n"},
    {PROVIDER, 0x01000008, "X 2 [a]1 []0 the provider reset the call (an unknown error)\n"},
};

START_TEST(a_reset_ends_a_call)
{
    talk *t = greet();
    lc_buf code = {0};
    add_number(&code, resets[_i].code, 4);
    begin(t, 1, "X");
    send(t, CLIENT, 1, 0, "a");
    frame(t, resets[_i].side, RST_STREAM, 0, 1, lc_buf_take(t->arena, &code));
    CHECK_TEXT("reset", hear(t), lc_str_from_c(resets[_i].want));
    end_talk(t);
}
END_TEST

/* No client of gRPC does it, but HTTP/2 has trailers in both directions. */
START_TEST(a_request_may_end_with_headers)
{
    talk *t = greet();
    begin(t, 1, "X");
    send(t, CLIENT, 1, 0, "a");
    headers(t, CLIENT, 1, END_STREAM, "more: fields|:path: /other");
    send(t, CLIENT, 1, END_STREAM, "behind the end");
    answer(t, 1, "A");
    CHECK_TALK(t, "X 0 [a]1 [A]1\n");
}
END_TEST

/* What was under way when a call ended belongs to nothing, but its header blocks are still read. */
START_TEST(frames_of_ended_calls_are_ignored)
{
    talk *t = greet();
    begin(t, 1, "X");
    frame(t, CLIENT, RST_STREAM, 0, 1, LC_STR("\0\0\0\x08"));
    headers(t, PROVIDER, 1, 0, ANSWER "|new: entry of the table");
    send(t, PROVIDER, 1, 0, "late");
    headers(t, PROVIDER, 1, END_STREAM, TRAILERS);
    frame(t, PROVIDER, RST_STREAM, 0, 1, LC_STR("\0\0\0\0"));
    begin(t, 3, "Y");
    headers(t, PROVIDER, 3, 0, ANSWER "|new: entry of the table");
    headers(t, PROVIDER, 3, END_STREAM, TRAILERS);
    send(t, CLIENT, 3, END_STREAM, "late");
    CHECK_TALK(t, "X 1 []0 []0 the client reset the call (CANCEL)\nY 0 []0 []0\n");
}
END_TEST

START_TEST(open_calls_are_torn_when_the_connection_ends)
{
    talk *t = greet();
    begin(t, 1, "X");
    begin(t, 3, "Y");
    begin(t, 5, "Z");
    answer(t, 3, "B");
    send(t, CLIENT, 1, END_STREAM, "a");
    headers(t, PROVIDER, 1, 0, ANSWER);
    frame(t, PROVIDER, DATA, 0, 1, LC_STR("\0\0\0\0\4tol"));
    frame(t, CLIENT, DATA, 0, 5, LC_STR("\0"));
    CHECK_TALK(t, "Y 0 []0 [B]1\n"
                  "X 14 torn [a]1 []3 cut the connection ended before the call\n"
                  "Z 14 torn []0 cut []0 the connection ended before the call\n"
                  "2 open\n");
}
END_TEST

static void note_times(void *context, const lc_tap_call *call)
{
    lc_buf_printf(context, "%d-%d ", (int)call->began, (int)call->ended);
}

START_TEST(calls_have_times)
{
    talk *t = greet();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_buf out = {0};
    const char *why;
    begin(t, 1, "X");
    begin(t, 3, "Y");
    answer(t, 1, "A");
    lc_tap *tap = lc_tap_open(&limits, note_times, &out);
    for (size_t i = 0; i < t->pieces.count; i++)
        ck_assert(lc_tap_bytes(tap, (lc_tap_side)t->pieces.items[i].side, t->pieces.items[i].bytes,
                               (int64_t)i, &why));
    lc_tap_close(tap, 99);
    CHECK_TEXT("times", lc_buf_str(&out), LC_STR("5-9 6-99 "));
    lc_buf_release(&out);
    end_talk(t);
}
END_TEST

/* ---- What is not kept */

START_TEST(compressed_messages_are_counted)
{
    talk *t = greet();
    begin(t, 1, "X");
    frame(t, CLIENT, DATA, 0, 1, LC_STR("\1\0\0\0\3zip"));
    send(t, CLIENT, 1, END_STREAM, "a");
    answer(t, 1, "A");
    CHECK_TALK(t, "X 0 [a]4 cut [A]1\n");
}
END_TEST

START_TEST(what_is_no_grpc_is_counted)
{
    talk *t = greet();
    begin(t, 1, "X");
    headers(t, PROVIDER, 1, 0, ":status: 200");
    frame(t, PROVIDER, DATA, 0, 1, LC_STR("\2\0\0\0\1<h"));
    send(t, PROVIDER, 1, 0, "A");
    headers(t, PROVIDER, 1, END_STREAM, TRAILERS);
    CHECK_TALK(t, "X 0 []0 []8 cut\n");
}
END_TEST

static const char *letters(talk *t, size_t count)
{
    char *out = lc_arena_alloc(t->arena, count + 1);
    memset(out, 'x', count);
    out[count] = '\0';
    return out;
}

START_TEST(long_messages_are_counted)
{
    talk *t = greet();
    begin(t, 1, "X");
    send(t, CLIENT, 1, 0, letters(t, 151));
    send(t, CLIENT, 1, END_STREAM, "short");
    answer(t, 1, letters(t, 150));
    lc_str fits =
        lc_str_printf(t->arena, "X 0 [%s,short]156 [%s]150\n", letters(t, 151), letters(t, 150));
    CHECK_TEXT("fits", hear_cut(t, 1000, 0), fits);
    lc_str cut = lc_str_printf(t->arena, "X 0 [short]156 cut [%s]150\n", letters(t, 150));
    CHECK_TEXT("cut", hear_cut(t, 150, 0), cut);
    CHECK_TEXT("cut, in pieces", hear_cut(t, 150, 3), cut);
    end_talk(t);
}
END_TEST

/* The messages of all calls together are bounded; what an ended call held is free again. */
START_TEST(what_is_held_is_bounded)
{
    talk *t = greet();
    lc_buf want = {0};
    for (uint32_t id = 1; id < 13; id += 4) {
        begin(t, id, "X");
        begin(t, id + 2, "Y");
        send(t, CLIENT, id, END_STREAM, letters(t, 150));
        send(t, CLIENT, id + 2, 0, letters(t, 150));
        answer(t, id, "A");
        send(t, CLIENT, id + 2, END_STREAM, letters(t, 90));
        answer(t, id + 2, "B");
        lc_buf_printf(&want, "X 0 [%s]150 [A]1\nY 0 [%s]240 cut [B]1\n", letters(t, 150),
                      letters(t, 90));
    }
    CHECK_TEXT("held", hear_cut(t, 150, 0), lc_buf_str(&want));
    CHECK_TEXT("held", hear_cut(t, 150, 7), lc_buf_str(&want));
    lc_buf_release(&want);
    end_talk(t);
}
END_TEST

/* A length is only announced: it takes no memory, and the message is torn. */
START_TEST(an_announced_length_is_not_believed)
{
    talk *t = greet();
    begin(t, 1, "X");
    frame(t, CLIENT, DATA, END_STREAM, 1,
          LC_STR("\0\xFF\xFF\xFF\xFF"
                 "a"));
    answer(t, 1, "A");
    CHECK_TEXT("length", hear_cut(t, SIZE_MAX, 0), LC_STR("X 0 []1 cut [A]1\n"));
    CHECK_TEXT("length", hear_cut(t, 1000, 0), LC_STR("X 0 []1 cut [A]1\n"));
    end_talk(t);
}
END_TEST

START_TEST(other_services_are_counted)
{
    talk *t = greet();
    headers(t, CLIENT, 1, 0, ":path: /plugin.GRPCStdio/StreamStdio");
    send(t, CLIENT, 1, END_STREAM, "");
    headers(t, PROVIDER, 1, 0, ANSWER);
    send(t, PROVIDER, 1, 0, "a line");
    CHECK_TALK(t, "/plugin.GRPCStdio/StreamStdio 14 torn []0 cut []6 cut"
                  " the connection ended before the call\n1 open\n");
}
END_TEST

/* ---- What cannot be understood */

/* Frames of one side after the greeting and the request of an open call. */
typedef struct bad_row {
    int side;
    lc_str frames;
    const char *want;
} bad_row;
#define HEAD(length, type, flags, stream) "\0\0" length type flags "\0\0\0" stream
static const bad_row bad[] = {
    {CLIENT, {HEAD("\0", "\0", "\0", "\0"), 9}, "a frame of the client belongs to no call"},
    {PROVIDER, {HEAD("\0", "\3", "\0", "\0"), 9}, "a frame of the provider belongs to no call"},
    {PROVIDER, {HEAD("\0", "\1", "\4", "\0"), 9}, "a frame of the provider belongs to no call"},
    {PROVIDER,
     {HEAD("\4", "\5", "\4", "\1"), 9},
     "the provider pushes a response, which gRPC does not allow"},
    {PROVIDER,
     {HEAD("\0", "\11", "\4", "\1"), 9},
     "a header block of the provider is not continued where it has to be"},
    {PROVIDER,
     {HEAD("\0", "\1", "\0", "\1") HEAD("\0", "\6", "\0", "\0"), 18},
     "a header block of the provider is not continued where it has to be"},
    {PROVIDER,
     {HEAD("\0", "\1", "\0", "\1") HEAD("\0", "\11", "\4", "\3"), 18},
     "a header block of the provider is continued by another call"},
    {PROVIDER,
     {HEAD("\0", "\0", "\10", "\1"), 9},
     "a frame of the provider is shorter than its own fields"},
    {CLIENT,
     {HEAD("\3", "\3", "\0", "\1"), 9},
     "a frame of the client is shorter than its own fields"},
    {CLIENT,
     {HEAD("\4", "\1", "\40", "\3"), 9},
     "a frame of the client is shorter than its own fields"},
    {CLIENT,
     {HEAD("\2", "\0", "\10", "\1") "\2x", 11},
     "a frame of the client has more padding than bytes"},
    {CLIENT,
     {HEAD("\1", "\1", "\4", "\3") "\xFF", 10},
     "a header block of the client cannot be decoded"},
    {PROVIDER,
     {HEAD("\1", "\1", "\4", "\1") "\x80", 10},
     "a header block of the provider cannot be decoded"},
    {PROVIDER,
     {HEAD("\1", "\1", "\4", "\3") "\x88", 10},
     "a frame of the provider belongs to a call that was never started"},
    {CLIENT,
     {HEAD("\1", "\0", "\0", "\3") "x", 10},
     "a frame of the client belongs to a call that was never started"},
    {CLIENT,
     {HEAD("\1", "\1", "\4", "\4") "\x83", 10},
     "a call of the client has the number of a provider's"},
    {PROVIDER,
     {"HTTP/1.1 400 Bad Request\r\n", 26},
     "what the provider sends is not HTTP/2: a frame is too long for its kind"},
    {CLIENT,
     {"\0\100\1\6\0\0\0\0\0", 9},
     "what the client sends is not HTTP/2: a frame is too long for its kind"},
};

START_TEST(a_broken_connection_is_given_up)
{
    talk *t = greet();
    begin(t, 1, "X");
    say(t, bad[_i].side, bad[_i].frames);
    lc_str want = lc_str_printf(t->arena, "! %s\n", bad[_i].want);
    CHECK_TEXT("bad", hear(t), want);
    CHECK_TEXT("bad byte by byte", hear_cut(t, 1 << 20, 1), want);
    answer(t, 1, "A"); /* is not read any more */
    CHECK_TEXT("afterwards", hear(t), want);
    end_talk(t);
}
END_TEST

START_TEST(the_beginning_must_be_that_of_http2)
{
    talk *t = begin_talk();
    say(t, CLIENT, LC_STR("\x16\3\1\2\0\1\0\1"));
    CHECK_TALK(t, "! the client does not begin with the preface of HTTP/2 (is it TLS?)\n");
    t = begin_talk();
    say(t, CLIENT, PREFACE);
    frame(t, CLIENT, PING, 0, 0, LC_STR("12345678"));
    CHECK_TALK(t, "! the first frame of the client is not a SETTINGS frame of HTTP/2\n");
    t = begin_talk();
    say(t, PROVIDER, LC_STR("HTTP/1.1 400 Bad Request\r\n"));
    CHECK_TALK(t, "! the first frame of the provider is not a SETTINGS frame of HTTP/2\n");
}
END_TEST

START_TEST(nothing_is_no_mistake)
{
    talk *t = begin_talk();
    CHECK_TALK(t, "");
    t = begin_talk();
    say(t, CLIENT, lc_str_sub(PREFACE, 0, 10));
    CHECK_TALK(t, "");
    lc_tap_close(NULL, 0);
}
END_TEST

START_TEST(a_path_has_a_limit)
{
    talk *t = greet();
    begin(t, 1, letters(t, 1024 - 20));
    ck_assert(lc_str_ends_with(hear(t), LC_STR("\n1 open\n")));
    begin(t, 3, letters(t, 1025 - 20));
    CHECK_TALK(t, "! the path of a call is longer than 1 KiB\n");
}
END_TEST

START_TEST(a_header_block_has_a_limit)
{
    talk *t = greet();
    lc_str part = {letters(t, 1 << 16), 1 << 16};
    frame(t, CLIENT, HEADERS, 0, 1, LC_STR_EMPTY);
    for (int i = 0; i < 17; i++)
        frame(t, CLIENT, CONTINUATION, 0, 1, part);
    CHECK_TEXT("block", hear(t), LC_STR("! a header block of the client is longer than 1 MiB\n"));
    end_talk(t);
}
END_TEST

START_TEST(open_calls_have_a_limit)
{
    talk *t = greet();
    for (uint32_t i = 0; i < 10000; i++)
        begin(t, 2 * i + 1, "X");
    answer(t, 1, "A"); /* makes room for one */
    begin(t, 20001, "X");
    lc_str heard = hear(t);
    ck_assert(lc_str_ends_with(heard, LC_STR("before the call\n10000 open\n")));
    begin(t, 20003, "X");
    CHECK_TEXT("one more", hear(t),
               LC_STR("X 0 []0 [A]1\n! more than 10,000 calls are open at the same time\n"));
    end_talk(t);
}
END_TEST

static void add_calls(TCase *calls)
{
    tcase_add_test(calls, a_call_has_its_messages_and_status);
    tcase_add_test(calls, a_cut_anywhere_changes_nothing);
    tcase_add_test(calls, all_of_a_side_may_come_at_once);
    tcase_add_test(calls, calls_may_be_interleaved);
    tcase_add_test(calls, other_frames_are_passed_over);
    tcase_add_test(calls, padding_and_priority_are_taken_off);
    tcase_add_test(calls, a_header_block_may_be_continued);
    tcase_add_test(calls, messages_and_frames_need_not_agree);
    tcase_add_test(calls, a_large_message_is_kept_whole);
    tcase_add_test(calls, tables_go_on_from_call_to_call);
    tcase_add_test(calls, a_table_may_change_its_size);
}

static void add_ends(TCase *ends)
{
    ADD_ROWS(ends, trailers_say_how_a_call_ends, statuses);
    tcase_add_test(ends, an_answer_may_end_with_data);
    tcase_add_test(ends, informational_headers_are_no_answer);
    ADD_ROWS(ends, a_reset_ends_a_call, resets);
    tcase_add_test(ends, a_request_may_end_with_headers);
    tcase_add_test(ends, frames_of_ended_calls_are_ignored);
    tcase_add_test(ends, open_calls_are_torn_when_the_connection_ends);
    tcase_add_test(ends, calls_have_times);
}

static void add_bounds(TCase *bounds)
{
    tcase_add_test(bounds, compressed_messages_are_counted);
    tcase_add_test(bounds, what_is_no_grpc_is_counted);
    tcase_add_test(bounds, long_messages_are_counted);
    tcase_add_test(bounds, what_is_held_is_bounded);
    tcase_add_test(bounds, an_announced_length_is_not_believed);
    tcase_add_test(bounds, other_services_are_counted);
    tcase_add_test(bounds, a_path_has_a_limit);
    tcase_add_test(bounds, a_header_block_has_a_limit);
    tcase_add_test(bounds, open_calls_have_a_limit);
}

static void add_failures(TCase *failures)
{
    ADD_ROWS(failures, a_broken_connection_is_given_up, bad);
    tcase_add_test(failures, the_beginning_must_be_that_of_http2);
    tcase_add_test(failures, nothing_is_no_mistake);
}

int main(void)
{
    Suite *suite = suite_begin("tap");
    TCase *calls = tcase_create("calls"), *ends = tcase_create("ends");
    TCase *bounds = tcase_create("bounds"), *failures = tcase_create("failures");
    add_calls(calls);
    add_ends(ends);
    add_bounds(bounds);
    add_failures(failures);
    suite_add_tcase(suite, calls);
    suite_add_tcase(suite, ends);
    suite_add_tcase(suite, bounds);
    suite_add_tcase(suite, failures);
    return suite_run(suite);
}

#else

START_TEST(no_tap_can_be_opened)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    ck_assert(!lc_tap_available());
    ck_assert_ptr_null(lc_tap_open(&limits, NULL, NULL));
    lc_tap_close(NULL, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("tap");
    TCase *without = tcase_create("without nghttp2");
    tcase_add_test(without, no_tap_can_be_opened);
    suite_add_tcase(suite, without);
    return suite_run(suite);
}

#endif

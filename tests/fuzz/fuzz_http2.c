/* What a provider sends to its client. An input is a byte of flags, a byte that decides how pieces
 * are cut, and the bytes of the provider. Laws: the same bytes in pieces give the same answers;
 * what a call holds is within the bounds; a call that has ended stays as it is. */
#include "lifecheck/base/buf.h"
#include "lifecheck/base/bug.h"
#include "live/session/http2.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The provider has greeted; low limit; answers of any number of messages; the first call is given
 * up before something comes. */
enum { GREETED = 1, SMALL = 2, SEVERAL = 4, GIVEN_UP = 8 };
#define CALLS 4

typedef struct client {
    lc_arena *arena;
    lc_http2 *http2;
    lc_http2_call calls[CALLS];
    bool good;
} client;

static void begin(client *c, unsigned flags)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.input_bytes = flags & SMALL ? 100 : limits.input_bytes;
    c->arena = lc_arena_new();
    c->http2 = lc_http2_open(&limits);
    c->good = c->http2 != NULL;
    for (int i = 0; i < CALLS && c->good; i++) {
        c->calls[i] = (lc_http2_call){.path = LC_STR("/tfplugin6.Provider/PlanResourceChange"),
                                      .request = LC_STR("question"),
                                      .several = (flags & SEVERAL) != 0,
                                      .dropped = i == CALLS - 1,
                                      .arena = c->arena};
        lc_http2_begin(c->http2, &c->calls[i]);
    }
}

static void send_all(client *c)
{
    for (lc_str bytes; (bytes = lc_http2_bytes(c->http2)).len;)
        lc_http2_written(c->http2, bytes.len);
}

/* Pieces of 1 to `cut` bytes, each as large as its memory, so that sanitizers see a read beyond it;
 * 0: all at once. */
static void give(client *c, lc_str bytes, unsigned cut)
{
    for (unsigned turn = cut; bytes.len > 0 && c->good; turn = turn * 5 + 3) {
        size_t n = cut ? 1 + turn % cut : bytes.len;
        n = n < bytes.len ? n : bytes.len;
        char *copy = lc_heap_alloc(n);
        memcpy(copy, bytes.ptr, n);
        c->good = lc_http2_read(c->http2, (lc_str){copy, n});
        lc_heap_free(copy);
        bytes = lc_str_sub(bytes, n, bytes.len);
    }
}

static void note(lc_buf *out, const lc_http2_call *call, unsigned flags)
{
    uint64_t kept = 0;
    LC_ASSERT(call->ended && !call->stream && call->status >= 0 && call->status <= 999);
    lc_buf_printf(out, "%d ", call->status);
    lc_buf_add_str(out, call->text);
    for (size_t i = 0; i < call->responses.list.count; i++) {
        lc_str one = call->responses.list.items[i];
        kept += one.len;
        lc_buf_printf(out, " %zu:", one.len);
        lc_buf_add_str(out, one);
    }
    LC_ASSERT(kept <= call->responses.bytes && (!(flags & SMALL) || kept <= 200));
    LC_ASSERT(call->status != 0 || call->dropped || call->several || call->responses.cut ||
              call->responses.list.count == 1);
    LC_ASSERT(!call->dropped || call->responses.list.count == 0);
    lc_buf_printf(out, " %d\n", call->responses.cut);
}

static lc_buf hear(const uint8_t *data, size_t size, unsigned flags, unsigned cut, bool *good)
{
    lc_buf out = {0};
    client c;
    begin(&c, flags);
    if (c.good) {
        send_all(&c);
        if (flags & GIVEN_UP)
            lc_http2_cancel(c.http2, &c.calls[0], LC_GRPC_CANCELLED, LC_STR("left"));
        if (flags & GREETED)
            give(&c, (lc_str){"\0\0\0\4\0\0\0\0\0", 9}, 0);
        give(&c, (lc_str){(const char *)data, size}, cut);
        if (c.good)
            send_all(&c);
        LC_ASSERT(!(flags & GIVEN_UP) || lc_str_is(c.calls[0].text, "left"));
        lc_http2_fail_all(c.http2, LC_GRPC_UNAVAILABLE, LC_STR("torn"));
        for (int i = 0; i < CALLS; i++)
            note(&out, &c.calls[i], flags);
    }
    *good = c.good;
    lc_http2_free(c.http2);
    lc_arena_free(c.arena);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    bool read_whole, read_pieces;
    lc_buf whole = hear(data + 2, size - 2, data[0], 0, &read_whole);
    lc_buf pieces = hear(data + 2, size - 2, data[0], 1 + data[1] % 32, &read_pieces);
    LC_ASSERT(!read_pieces || (read_whole && lc_str_eq(lc_buf_str(&whole), lc_buf_str(&pieces))));
    lc_buf_release(&whole);
    lc_buf_release(&pieces);
    return 0;
}

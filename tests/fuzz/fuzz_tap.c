/* A connection between a client and a provider. An input is a byte of flags, a byte that decides
 * how pieces are cut, and records: two bytes with the side (the highest bit) and a length, and that
 * many bytes of the side. Laws: the same bytes in pieces give the same calls, the same reason to
 * give up and the same number of open calls; every call that is open at the end is given as torn.
 */
#include "lifecheck/base/buf.h"
#include "lifecheck/base/bug.h"
#include "live/tap/parts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GREETED = 1, SMALL = 2 }; /* flags: what every connection begins with is given; low limit */

typedef struct heard {
    lc_buf text;
    size_t torn;
} heard;

static void note_messages(lc_buf *out, const lc_grpc_messages *messages)
{
    uint64_t kept = 0;
    for (size_t i = 0; i < messages->list.count; i++) {
        lc_str one = messages->list.items[i];
        kept += one.len;
        lc_buf_printf(out, "%zu:", one.len);
        lc_buf_add_str(out, one);
    }
    LC_ASSERT(kept <= messages->bytes && (messages->cut || kept == messages->bytes));
    lc_buf_printf(out, " %llu %d\n", (unsigned long long)messages->bytes, messages->cut);
}

static void note(void *context, const lc_tap_call *call)
{
    heard *h = context;
    LC_ASSERT(call->status >= 0 && call->status <= 999 && call->began <= call->ended);
    LC_ASSERT(!call->torn || call->status == 14);
    h->torn += call->torn;
    lc_buf_add_str(&h->text, call->path);
    lc_buf_printf(&h->text, " %d %d ", call->status, call->torn);
    lc_buf_add_str(&h->text, call->message);
    note_messages(&h->text, &call->requests);
    note_messages(&h->text, &call->responses);
}

typedef struct listener {
    lc_tap *tap;
    unsigned cut; /* 0: pieces are as long as the records */
    const char *why;
    int64_t now;
} listener;

/* Pieces of 1 to `cut` bytes, each as large as its memory, so that sanitizers see a read beyond it.
 */
static void give(listener *l, lc_tap_side side, lc_str bytes)
{
    for (unsigned turn = l->cut; bytes.len > 0; turn = turn * 5 + 3) {
        size_t n = l->cut ? 1 + turn % l->cut : bytes.len;
        n = n < bytes.len ? n : bytes.len;
        char *copy = lc_heap_alloc(n);
        memcpy(copy, bytes.ptr, n);
        bool ok = lc_tap_bytes(l->tap, side, (lc_str){copy, n}, l->now, &l->why);
        LC_ASSERT(ok == !l->why && (ok || l->tap->streams.count == 0));
        lc_heap_free(copy);
        bytes = lc_str_sub(bytes, n, bytes.len);
    }
    l->now++;
}

static void give_records(listener *l, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 2 <= size;) {
        lc_tap_side side = data[at] & 0x80 ? LC_TAP_PROVIDER : LC_TAP_CLIENT;
        size_t len = (size_t)(data[at] & 0x7F) << 8 | data[at + 1];
        at += 2;
        len = len < size - at ? len : size - at;
        give(l, side, (lc_str){(const char *)data + at, len});
        at += len;
    }
}

static void greet(listener *l)
{
    lc_str settings = {"\0\0\0\4\0\0\0\0\0", 9};
    give(l, LC_TAP_CLIENT, LC_STR("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    give(l, LC_TAP_CLIENT, settings);
    give(l, LC_TAP_PROVIDER, settings);
}

static heard hear(const uint8_t *data, size_t size, unsigned flags, unsigned cut)
{
    heard h = {{0}, 0};
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.input_bytes = flags & SMALL ? 100 : limits.input_bytes;
    listener l = {.tap = lc_tap_open(&limits, note, &h), .cut = cut};
    if (flags & GREETED)
        greet(&l);
    give_records(&l, data, size);
    size_t open = l.tap->streams.count;
    LC_ASSERT(h.torn == 0);
    lc_tap_close(l.tap, l.now);
    LC_ASSERT(h.torn == open);
    lc_buf_printf(&h.text, "%zu open, %s", open, l.why ? l.why : "read");
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || !lc_tap_available())
        return 0;
    heard whole = hear(data + 2, size - 2, data[0], 0);
    heard pieces = hear(data + 2, size - 2, data[0], 1 + data[1] % 32);
    LC_ASSERT(lc_str_eq(lc_buf_str(&whole.text), lc_buf_str(&pieces.text)));
    lc_buf_release(&whole.text);
    lc_buf_release(&pieces.text);
    return 0;
}

/* gRPC's messages and statuses; those who read a connection and those who ask share them. */
#include "live/grpc.h"
#include "lifecheck/base/ascii.h"

#include <string.h>

/* A message gets its memory as it comes, because its length is only announced. Enough for most, and
 * more than arenas cut from shared chunks, so that growing leaves nothing unused. */
#define FIRST_CAPACITY ((size_t)512 << 10)

/* ---- Messages. */

void lc_grpc_prefix(unsigned char out[LC_GRPC_PREFIX], size_t size, bool compressed)
{
    out[0] = compressed;
    for (int i = 1; i < LC_GRPC_PREFIX; i++)
        out[i] = (unsigned char)(size >> 8 * (LC_GRPC_PREFIX - 1 - i));
}

static size_t length_of(const unsigned char *prefix)
{
    return (size_t)prefix[1] << 24 | (size_t)prefix[2] << 16 | (size_t)prefix[3] << 8 | prefix[4];
}

void lc_grpc_add_message(lc_buf *to, lc_str message, bool compressed)
{
    unsigned char prefix[LC_GRPC_PREFIX];
    lc_grpc_prefix(prefix, message.len, compressed);
    lc_buf_add(to, prefix, sizeof prefix);
    lc_buf_add_str(to, message);
}

bool lc_grpc_next(lc_str bytes, size_t *at, lc_str *message, bool *compressed)
{
    const unsigned char *prefix = (const unsigned char *)bytes.ptr + *at;
    if (bytes.len - *at < LC_GRPC_PREFIX || bytes.len - *at - LC_GRPC_PREFIX < length_of(prefix))
        return false;
    *at += LC_GRPC_PREFIX;
    *message = lc_str_sub(bytes, *at, *at + length_of(prefix));
    *compressed = prefix[0] != 0;
    *at += message->len;
    return true;
}

/* The prefix is complete: one byte for the compression flag, then the length of the message. */
static void begin_message(lc_grpc_messages *messages, lc_grpc_partial *p,
                          const lc_grpc_keeper *keeper)
{
    p->left = length_of(p->prefix);
    p->foreign = p->prefix[0] > 1;
    p->keep = p->prefix[0] == 0 && keeper->keep(keeper->context, p->left);
    p->bytes = NULL;
    p->len = p->capacity = 0;
    if (!p->keep)
        messages->cut = true;
}

static void make_room(lc_grpc_partial *p, lc_arena *arena, size_t more)
{
    size_t all = p->len + p->left, capacity = p->capacity ? p->capacity : FIRST_CAPACITY;
    while (capacity < p->len + more)
        capacity *= 2;
    if (capacity > all)
        capacity = all;
    if (capacity > p->capacity)
        p->bytes = lc_arena_resize(arena, p->bytes, p->capacity, capacity);
    p->capacity = capacity;
}

static void add_to_message(lc_grpc_partial *p, lc_arena *arena, lc_str piece)
{
    if (p->keep) {
        make_room(p, arena, piece.len);
        memcpy(p->bytes + p->len, piece.ptr, piece.len);
    }
    p->len += piece.len;
    p->left -= piece.len;
}

static void end_message(lc_grpc_messages *messages, lc_grpc_partial *p, lc_arena *arena)
{
    if (p->keep)
        *LC_PUSH(arena, &messages->list, lc_str) =
            p->len > 0 ? (lc_str){p->bytes, p->len} : LC_STR_EMPTY;
    p->have = 0;
}

static lc_str take(lc_str *bytes, size_t most)
{
    lc_str taken = {bytes->ptr, bytes->len < most ? bytes->len : most};
    *bytes = lc_str_sub(*bytes, taken.len, bytes->len);
    return taken;
}

void lc_grpc_add(lc_grpc_messages *messages, lc_grpc_partial *p, lc_arena *arena,
                 const lc_grpc_keeper *keeper, lc_str bytes)
{
    while (bytes.len > 0 && !p->foreign) {
        if (p->have < sizeof p->prefix) {
            lc_str piece = take(&bytes, sizeof p->prefix - p->have);
            memcpy(p->prefix + p->have, piece.ptr, piece.len);
            p->have += piece.len;
            if (p->have == sizeof p->prefix)
                begin_message(messages, p, keeper);
        } else {
            lc_str piece = take(&bytes, p->left);
            messages->bytes += piece.len;
            add_to_message(p, arena, piece);
        }
        if (p->have == sizeof p->prefix && p->left == 0)
            end_message(messages, p, arena);
    }
    messages->bytes += bytes.len;
}

bool lc_grpc_is_torn(const lc_grpc_partial *p)
{
    return p->have > 0 || p->foreign;
}

/* ---- How a call ended. */

/* grpc-message is percent-encoded; anything that is not a valid escape is kept as it is. */
static lc_str decode(lc_arena *arena, lc_str text)
{
    char *out = lc_arena_alloc(arena, text.len);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        int high = i + 2 < text.len ? lc_hex_digit(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? lc_hex_digit(text.ptr[i + 2]) : -1;
        bool escape = text.ptr[i] == '%' && low >= 0;
        out[n++] = escape ? (char)(high << 4 | low) : text.ptr[i];
        i += escape ? 2 : 0;
    }
    return (lc_str){out, n};
}

int lc_grpc_number(lc_str text)
{
    int n = 0;
    for (size_t i = 0; i < text.len && n >= 0; i++)
        n = i < 3 && lc_is_digit(text.ptr[i]) ? n * 10 + (text.ptr[i] - '0') : -1;
    return text.len > 0 ? n : -1;
}

/* The status that clients derive from one of HTTP, as gRPC's documents map them. */
static int status_of_http(int http_status)
{
    static const struct {
        int http, grpc;
    } known[] = {{400, LC_GRPC_INTERNAL},          {401, LC_GRPC_UNAUTHENTICATED},
                 {403, LC_GRPC_PERMISSION_DENIED}, {404, LC_GRPC_UNIMPLEMENTED},
                 {429, LC_GRPC_UNAVAILABLE},       {502, LC_GRPC_UNAVAILABLE},
                 {503, LC_GRPC_UNAVAILABLE},       {504, LC_GRPC_UNAVAILABLE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].http == http_status)
            return known[i].grpc;
    }
    return LC_GRPC_UNKNOWN;
}

static lc_grpc_end without_status(lc_arena *arena, int http)
{
    lc_str text = LC_STR("the response ended without a status");
    if (http > 0 && http != 200)
        text = lc_str_printf(arena, "the response has HTTP status %d and no gRPC status", http);
    return (lc_grpc_end){status_of_http(http), text};
}

lc_grpc_end lc_grpc_end_of(lc_arena *arena, const lc_grpc_trailers *trailers)
{
    int status = lc_grpc_number(trailers->status);
    if (!trailers->status.ptr)
        return without_status(arena, trailers->http_status);
    if (status < 0)
        return (lc_grpc_end){LC_GRPC_UNKNOWN, LC_STR("the status of the response is not a number")};
    return (lc_grpc_end){status, decode(arena, trailers->message)};
}

/* Error codes of HTTP/2, and the gRPC status for each. */
static const struct {
    const char *name;
    int status;
} resets[] = {
    {"NO_ERROR", LC_GRPC_INTERNAL},
    {"PROTOCOL_ERROR", LC_GRPC_INTERNAL},
    {"INTERNAL_ERROR", LC_GRPC_INTERNAL},
    {"FLOW_CONTROL_ERROR", LC_GRPC_INTERNAL},
    {"SETTINGS_TIMEOUT", LC_GRPC_INTERNAL},
    {"STREAM_CLOSED", LC_GRPC_UNKNOWN},
    {"FRAME_SIZE_ERROR", LC_GRPC_INTERNAL},
    {"REFUSED_STREAM", LC_GRPC_UNAVAILABLE},
    {"CANCEL", LC_GRPC_CANCELLED},
    {"COMPRESSION_ERROR", LC_GRPC_INTERNAL},
    {"CONNECT_ERROR", LC_GRPC_INTERNAL},
    {"ENHANCE_YOUR_CALM", LC_GRPC_RESOURCE_EXHAUSTED},
    {"INADEQUATE_SECURITY", LC_GRPC_PERMISSION_DENIED},
    {"HTTP_1_1_REQUIRED", LC_GRPC_UNKNOWN},
};

lc_grpc_end lc_grpc_reset(lc_arena *arena, uint32_t code, const char *who)
{
    bool known = code < sizeof resets / sizeof *resets;
    return (lc_grpc_end){known ? resets[code].status : LC_GRPC_UNKNOWN,
                         lc_str_printf(arena, "the %s reset the call (%s)", who,
                                       known ? resets[code].name : "an unknown error")};
}

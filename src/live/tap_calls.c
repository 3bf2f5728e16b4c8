/* Streams of HTTP/2 as gRPC calls: their messages, and how they end. */
#include "lifecheck/ascii.h"
#include "live/tap_parts.h"

#include <string.h>

/* Servers allow a client far fewer at a time. */
#define OPEN_LIMIT 10000
#define PATH_LIMIT 1024
/* What one more message costs besides its bytes: its entry in a list that grows by doubling. */
#define MESSAGE_COST (3 * sizeof(lc_str))
/* A message gets its memory as it comes, because its length is only announced. Enough for most, and
 * more than arenas cut from shared chunks, so that growing leaves nothing unused. */
#define FIRST_CAPACITY ((size_t)512 << 10)

enum { OK, CANCELLED, UNKNOWN, UNAVAILABLE = 14 };

/* ---- Messages */

static lc_tap_messages *messages_of(lc_tap_stream *stream, lc_tap_side side)
{
    return side == LC_TAP_CLIENT ? &stream->call.requests : &stream->call.responses;
}

/* May `size` more bytes be held? If so, they are counted. */
static bool hold(lc_tap *tap, lc_tap_stream *stream, size_t size)
{
    if (size > tap->held_limit - tap->held)
        return false;
    tap->held += size;
    stream->held += size;
    return true;
}

/* The prefix is there: one byte that says whether the message is compressed, and its length. */
static void begin_message(lc_tap *tap, lc_tap_stream *stream, lc_tap_side side)
{
    lc_tap_partial *p = &stream->partial[side];
    const unsigned char *n = p->prefix + 1;
    p->left = (size_t)n[0] << 24 | (size_t)n[1] << 16 | (size_t)n[2] << 8 | n[3];
    p->foreign = p->prefix[0] > 1;
    p->keep = stream->of_provider && p->prefix[0] == 0 && p->left <= tap->message_limit &&
              hold(tap, stream, p->left + MESSAGE_COST);
    p->bytes = NULL;
    p->len = p->capacity = 0;
    if (!p->keep)
        messages_of(stream, side)->cut = true;
}

static void make_room(lc_tap_stream *stream, lc_tap_partial *p, size_t more)
{
    size_t all = p->len + p->left, capacity = p->capacity ? p->capacity : FIRST_CAPACITY;
    while (capacity < p->len + more)
        capacity *= 2;
    if (capacity > all)
        capacity = all;
    if (capacity > p->capacity)
        p->bytes = lc_arena_resize(stream->arena, p->bytes, p->capacity, capacity);
    p->capacity = capacity;
}

static void add_to_message(lc_tap_stream *stream, lc_tap_partial *p, lc_str piece)
{
    if (p->keep) {
        make_room(stream, p, piece.len);
        memcpy(p->bytes + p->len, piece.ptr, piece.len);
    }
    p->len += piece.len;
    p->left -= piece.len;
}

static void end_message(lc_tap_stream *stream, lc_tap_side side)
{
    lc_tap_partial *p = &stream->partial[side];
    lc_tap_messages *messages = messages_of(stream, side);
    if (p->keep)
        *LC_PUSH(stream->arena, &messages->list, lc_str) =
            p->len > 0 ? (lc_str){p->bytes, p->len} : LC_STR_EMPTY;
    p->have = 0;
}

static lc_str take(lc_str *bytes, size_t most)
{
    lc_str taken = {bytes->ptr, bytes->len < most ? bytes->len : most};
    *bytes = lc_str_sub(*bytes, taken.len, bytes->len);
    return taken;
}

static void add_data(lc_tap *tap, lc_tap_stream *stream, lc_tap_side side, lc_str bytes)
{
    lc_tap_partial *p = &stream->partial[side];
    while (bytes.len > 0 && !p->foreign) {
        if (p->have < sizeof p->prefix) {
            lc_str piece = take(&bytes, sizeof p->prefix - p->have);
            memcpy(p->prefix + p->have, piece.ptr, piece.len);
            p->have += piece.len;
            if (p->have == sizeof p->prefix)
                begin_message(tap, stream, side);
        } else {
            lc_str piece = take(&bytes, p->left);
            messages_of(stream, side)->bytes += piece.len;
            add_to_message(stream, p, piece);
        }
        if (p->have == sizeof p->prefix && p->left == 0)
            end_message(stream, side);
    }
    messages_of(stream, side)->bytes += bytes.len;
}

/* ---- Calls begin and end */

static lc_tap_stream *find(const lc_tap *tap, uint32_t id)
{
    lc_index_entry *entry = lc_index_first(&tap->streams, id);
    while (entry && entry->hash != id)
        entry = lc_index_next(entry);
    return entry ? entry->item : NULL;
}

static lc_tap_stream *begin_call(lc_tap *tap, uint32_t id, lc_str path)
{
    lc_arena *arena = lc_arena_new_small();
    lc_tap_stream *stream = LC_NEW(arena, lc_tap_stream);
    stream->arena = arena;
    stream->call.path = lc_str_copy(arena, path);
    stream->call.began = tap->now;
    stream->call.number = id / 2 + 1; /* clients count by odd numbers */
    stream->of_provider = lc_str_starts_with(path, LC_STR("/tfplugin"));
    stream->before = tap->last;
    if (tap->last)
        tap->last->next = stream;
    else
        tap->first = stream;
    tap->last = stream;
    tap->newest = id;
    lc_index_put(&tap->streams, &stream->entry, id, stream);
    return stream;
}

/* The call is over: nothing of it is kept. */
static void drop(lc_tap *tap, lc_tap_stream *stream)
{
    if (stream->before)
        stream->before->next = stream->next;
    else
        tap->first = stream->next;
    if (stream->next)
        stream->next->before = stream->before;
    else
        tap->last = stream->before;
    tap->held -= stream->held;
    lc_index_take(&tap->streams, &stream->entry);
    lc_arena_free(stream->arena);
}

static void end_call(lc_tap *tap, lc_tap_stream *stream, int status, lc_str message)
{
    for (int side = 0; side < 2; side++) {
        lc_tap_partial *p = &stream->partial[side];
        if (p->have > 0 || p->foreign)
            messages_of(stream, (lc_tap_side)side)->cut = true;
    }
    stream->call.status = status;
    stream->call.message = message;
    stream->call.ended = tap->now;
    tap->ended(tap->context, &stream->call);
    drop(tap, stream);
}

void lc_tap_tear(lc_tap *tap)
{
    while (tap->first) {
        tap->first->call.torn = true;
        end_call(tap, tap->first, UNAVAILABLE, LC_STR("the connection ended before the call"));
    }
}

void lc_tap_forget(lc_tap *tap)
{
    while (tap->first)
        drop(tap, tap->first);
}

/* ---- The status */

/* grpc-message is percent-encoded; what is no escape stands for itself. */
static lc_str decode_message(lc_arena *arena, lc_str text)
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

/* A decimal number of at most three digits; -1 for everything else. */
static int small_number(lc_str text)
{
    int n = 0;
    for (size_t i = 0; i < text.len && n >= 0; i++)
        n = lc_is_digit(text.ptr[i]) && i < 3 ? n * 10 + (text.ptr[i] - '0') : -1;
    return text.len > 0 ? n : -1;
}

/* The status that clients derive from one of HTTP, as gRPC's documents map them. */
static int status_of_http(int http_status)
{
    static const struct {
        int http, grpc;
    } known[] = {{400, 13}, {401, 16}, {403, 7},  {404, 12},
                 {429, 14}, {502, 14}, {503, 14}, {504, 14}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].http == http_status)
            return known[i].grpc;
    }
    return UNKNOWN;
}

static void end_without_status(lc_tap *tap, lc_tap_stream *stream)
{
    int http = stream->http_status;
    lc_str message = LC_STR("the answer ended without a status");
    if (http > 0 && http != 200)
        message =
            lc_str_printf(stream->arena, "the answer has HTTP status %d and none of gRPC", http);
    end_call(tap, stream, status_of_http(http), message);
}

static void end_by_trailers(lc_tap *tap, lc_tap_stream *stream, const lc_tap_fields *fields)
{
    int status = small_number(fields->grpc_status);
    if (!fields->grpc_status.ptr)
        end_without_status(tap, stream);
    else if (status < 0)
        end_call(tap, stream, UNKNOWN, LC_STR("the status of the answer is no number"));
    else
        end_call(tap, stream, status, decode_message(stream->arena, fields->grpc_message));
}

/* Error codes of HTTP/2, and the status that each stands for in gRPC. */
static const struct {
    const char *name;
    int status;
} resets[] = {
    {"NO_ERROR", 13},           {"PROTOCOL_ERROR", 13},          {"INTERNAL_ERROR", 13},
    {"FLOW_CONTROL_ERROR", 13}, {"SETTINGS_TIMEOUT", 13},        {"STREAM_CLOSED", UNKNOWN},
    {"FRAME_SIZE_ERROR", 13},   {"REFUSED_STREAM", UNAVAILABLE}, {"CANCEL", CANCELLED},
    {"COMPRESSION_ERROR", 13},  {"CONNECT_ERROR", 13},           {"ENHANCE_YOUR_CALM", 8},
    {"INADEQUATE_SECURITY", 7}, {"HTTP_1_1_REQUIRED", UNKNOWN},
};

/* ---- What frames mean */

/* The stream of a frame; NULL: its call has ended already, or there was none, which is a failure.
 */
static lc_tap_stream *stream_of(lc_tap *tap, lc_tap_side side, uint32_t id)
{
    if (id > tap->newest)
        lc_tap_fail(tap, LC_TAP_WHY(side, "a frame of ", " belongs to a call that nobody began"));
    return find(tap, id);
}

static lc_tap_stream *new_stream(lc_tap *tap, uint32_t id, const lc_tap_fields *fields)
{
    const char *why = id % 2 == 0 ? "a call of the client has the number of a provider's"
                      : fields->path.len > PATH_LIMIT ? "the path of a call is longer than 1 KiB"
                      : tap->streams.count >= OPEN_LIMIT
                          ? "more than 10,000 calls are open at the same time"
                          : NULL;
    if (why)
        lc_tap_fail(tap, why);
    return why ? NULL : begin_call(tap, id, fields->path);
}

void lc_tap_headers(lc_tap *tap, lc_tap_side side, uint32_t id, const lc_tap_fields *fields,
                    bool last)
{
    bool fresh = side == LC_TAP_CLIENT && id > tap->newest;
    lc_tap_stream *stream = fresh ? new_stream(tap, id, fields) : stream_of(tap, side, id);
    if (!stream)
        return;
    if (side == LC_TAP_CLIENT) {
        stream->partial[side].done |= last;
        return;
    }
    if (fields->http_status.ptr)
        stream->http_status = small_number(fields->http_status);
    if (last)
        end_by_trailers(tap, stream, fields);
}

void lc_tap_data(lc_tap *tap, lc_tap_side side, uint32_t id, lc_str bytes)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    if (stream && !stream->partial[side].done)
        add_data(tap, stream, side, bytes);
}

void lc_tap_data_end(lc_tap *tap, lc_tap_side side, uint32_t id)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    if (stream && side == LC_TAP_PROVIDER)
        end_without_status(tap, stream);
    else if (stream)
        stream->partial[side].done = true;
}

void lc_tap_reset(lc_tap *tap, lc_tap_side side, uint32_t id, uint32_t code)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    bool known = code < sizeof resets / sizeof *resets;
    const char *who = side == LC_TAP_CLIENT ? "client" : "provider";
    if (stream)
        stream->call.given_up = side == LC_TAP_CLIENT;
    if (stream)
        end_call(tap, stream, known ? resets[code].status : UNKNOWN,
                 lc_str_printf(stream->arena, "the %s reset the call (%s)", who,
                               known ? resets[code].name : "an unknown error"));
}

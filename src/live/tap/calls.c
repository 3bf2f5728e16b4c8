/* Streams of HTTP/2 as gRPC calls: their messages, and how they end. */
#include "live/tap/parts.h"

#include <string.h>

/* Servers allow a client far fewer at a time. */
#define OPEN_LIMIT 10000
#define PATH_LIMIT 1024
/* The memory that one more message uses in addition to its bytes: its entry in a list that grows by
 * doubling. */
#define MESSAGE_COST (3 * sizeof(lc_str))

/* ---- Messages */

static lc_grpc_messages *messages_of(lc_tap_stream *stream, lc_tap_side side)
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

static bool keep_message(void *context, size_t size)
{
    lc_tap_stream *stream = context;
    lc_tap *tap = stream->tap;
    return stream->of_provider && size <= tap->message_limit &&
           hold(tap, stream, size + MESSAGE_COST);
}

static void add_data(lc_tap_stream *stream, lc_tap_side side, lc_str bytes)
{
    const lc_grpc_keeper keeper = {keep_message, stream};
    lc_grpc_add(messages_of(stream, side), &stream->partial[side], stream->arena, &keeper, bytes);
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
    stream->tap = tap;
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
        if (lc_grpc_is_torn(&stream->partial[side]))
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
        end_call(tap, tap->first, LC_GRPC_UNAVAILABLE,
                 LC_STR("the connection ended before the call"));
    }
}

void lc_tap_forget(lc_tap *tap)
{
    while (tap->first)
        drop(tap, tap->first);
}

/* ---- The status */

static void end_by_trailers(lc_tap *tap, lc_tap_stream *stream, const lc_tap_fields *fields)
{
    const lc_grpc_trailers trailers = {fields->grpc_status, fields->grpc_message,
                                       stream->http_status};
    lc_grpc_end end = lc_grpc_end_of(stream->arena, &trailers);
    end_call(tap, stream, end.status, end.text);
}

/* ---- What frames mean */

/* The stream of a frame; NULL: its call has ended already, or there was none, which is a failure.
 */
static lc_tap_stream *stream_of(lc_tap *tap, lc_tap_side side, uint32_t id)
{
    if (id > tap->newest)
        lc_tap_fail(tap,
                    LC_TAP_WHY(side, "a frame of ", " belongs to a call that was never started"));
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
        stream->done[side] |= last;
        return;
    }
    if (fields->http_status.ptr)
        stream->http_status = lc_grpc_number(fields->http_status);
    if (last)
        end_by_trailers(tap, stream, fields);
}

void lc_tap_data(lc_tap *tap, lc_tap_side side, uint32_t id, lc_str bytes)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    if (stream && !stream->done[side])
        add_data(stream, side, bytes);
}

void lc_tap_data_end(lc_tap *tap, lc_tap_side side, uint32_t id)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    if (stream && side == LC_TAP_PROVIDER)
        end_by_trailers(tap, stream, &(lc_tap_fields){0});
    else if (stream)
        stream->done[side] = true;
}

void lc_tap_reset(lc_tap *tap, lc_tap_side side, uint32_t id, uint32_t code)
{
    lc_tap_stream *stream = stream_of(tap, side, id);
    if (!stream)
        return;
    stream->call.given_up = side == LC_TAP_CLIENT;
    lc_grpc_end end =
        lc_grpc_reset(stream->arena, code, side == LC_TAP_CLIENT ? "client" : "provider");
    end_call(tap, stream, end.status, end.text);
}

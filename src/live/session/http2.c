#include "live/session/http2.h"

#include "lifecheck/base/buf.h"
#include "live/http2.h"

#ifdef LC_WITH_NGHTTP2
#include <string.h>

/* The header fields of one answer; a status may quote the text of an error. */
#define MOST_FIELDS ((size_t)1 << 20)
#define MOST_OPEN   10000
/* What a message costs on top of its bytes: its entry in a list that grows by doubling, on any
 * machine. */
#define HELD_ENTRY 48
/* The provider's own deadline comes after ours, which is the one that we can word. */
#define LATER_MS 1000

typedef struct lc_http2_stream {
    struct lc_http2_stream *next, *before;
    lc_http2 *http2;
    lc_http2_call *call; /* NULL: it has ended or was cancelled */
    int32_t id;
    unsigned char prefix[LC_GRPC_PREFIX];
    size_t part;            /* that is being sent: 0 is the request, the others follow */
    size_t sent;            /* of its prefix and bytes */
    lc_str status, message; /* the last grpc-status and grpc-message */
    int http_status;
    size_t fields; /* bytes of all header fields */
    lc_grpc_partial partial;
    bool too_long; /* a message was above the limit */
    bool enough;   /* there are more messages than are read */
} lc_http2_stream;

struct lc_http2 {
    nghttp2_session *session;
    lc_http2_stream *streams;
    size_t count;
    size_t message_limit, held_limit, held;
    lc_http2_out out;
    bool settings_received, goaway_received, broken;
};

/* ---- Streams. */

static lc_str message_of(const lc_http2_stream *stream)
{
    const lc_http2_call *call = stream->call;
    return stream->part ? call->later[stream->part - 1] : call->request;
}

static void begin_message(lc_http2_stream *stream, size_t part)
{
    stream->part = part;
    stream->sent = 0;
    lc_grpc_prefix(stream->prefix, message_of(stream).len, false);
}

static void stream_new(lc_http2 *http2, lc_http2_call *call)
{
    lc_http2_stream *stream = lc_heap_alloc(sizeof *stream);
    *stream = (lc_http2_stream){.http2 = http2, .call = call, .next = http2->streams};
    begin_message(stream, 0);
    if (http2->streams)
        http2->streams->before = stream;
    http2->streams = stream;
    http2->count++;
    call->stream = stream;
}

static void stream_free(lc_http2_stream *stream)
{
    lc_http2 *http2 = stream->http2;
    if (stream->before)
        stream->before->next = stream->next;
    else
        http2->streams = stream->next;
    if (stream->next)
        stream->next->before = stream->before;
    http2->count--;
    lc_heap_free(stream);
}

static void end_call(lc_http2_call *call, int status, lc_str text)
{
    lc_http2_stream *stream = call->stream;
    call->ended = true;
    call->status = status;
    call->text = text;
    call->stream = NULL;
    if (stream)
        stream->call = NULL;
}

/* The status that a gRPC client derives from an answer with a gRPC content type that is not valid
 * gRPC. */
static lc_grpc_end checked(const lc_http2_stream *stream, lc_grpc_end end)
{
    lc_http2_call *call = stream->call;
    size_t count = call->responses.list.count;
    if (end.status != LC_GRPC_OK || call->dropped)
        return end;
    end.status = LC_GRPC_INTERNAL;
    call->responses.cut &= !stream->partial.foreign;
    if (stream->partial.foreign)
        end.text = LC_STR("the response of the provider is not a gRPC message");
    else if (lc_grpc_is_torn(&stream->partial))
        end.text = LC_STR("the response ended in the middle of a message");
    else if (call->several || call->responses.cut || count == 1)
        end.status = LC_GRPC_OK;
    else
        end.text = count ? LC_STR("the provider sent several messages instead of one")
                         : LC_STR("the provider reported success without a message");
    return end;
}

static void end_by(lc_http2_stream *stream, lc_grpc_end end)
{
    end = checked(stream, end);
    end_call(stream->call, end.status, end.text);
}

static void end_by_trailers(lc_http2_stream *stream)
{
    const lc_grpc_trailers trailers = {stream->status, stream->message, stream->http_status};
    end_by(stream, lc_grpc_end_of(stream->call->arena, &trailers));
}

static void end_too_long(lc_http2_stream *stream)
{
    lc_http2 *http2 = stream->http2;
    lc_http2_call *call = stream->call;
    call->responses.cut = true;
    lc_http2_cancel(http2, call, LC_GRPC_RESOURCE_EXHAUSTED,
                    lc_str_printf(call->arena,
                                  "the response is longer than the %zu bytes that are allowed",
                                  http2->message_limit));
}

static void end_enough(lc_http2_stream *stream)
{
    stream->call->responses.cut = true;
    lc_http2_cancel(stream->http2, stream->call, LC_GRPC_OK, LC_STR_EMPTY);
}

/* ---- Callbacks: what is sent. */

/* Bytes of the current message. Returns how many; *ended: it has no more. */
static size_t read_message(lc_http2_stream *stream, uint8_t *to, size_t room, bool *ended)
{
    lc_str message = message_of(stream);
    size_t all = sizeof stream->prefix + message.len, n = 0;
    while (n < room && stream->sent < sizeof stream->prefix)
        to[n++] = stream->prefix[stream->sent++];
    size_t more = all - stream->sent < room - n ? all - stream->sent : room - n;
    if (more)
        memcpy(to + n, message.ptr + (stream->sent - sizeof stream->prefix), more);
    stream->sent += more;
    *ended = stream->sent == all;
    return n + more;
}

static ssize_t read_request(nghttp2_session *session, int32_t id, uint8_t *to, size_t room,
                            uint32_t *flags, nghttp2_data_source *source, void *user)
{
    (void)session, (void)id, (void)user;
    lc_http2_stream *stream = source->ptr;
    if (!stream->call)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    bool ended = true;
    size_t n = read_message(stream, to, room, &ended);
    while (ended && stream->part < stream->call->later_count) {
        begin_message(stream, stream->part + 1);
        n += read_message(stream, to + n, room - n, &ended);
    }
    if (ended)
        *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)n;
}

/* ---- Callbacks: what comes. */

static lc_http2_stream *stream_of(nghttp2_session *session, int32_t id)
{
    lc_http2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
    return stream && stream->call ? stream : NULL;
}

/* Header fields that are not trailers do not contain the status. */
static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    lc_http2_stream *stream = stream_of(session, frame->hd.stream_id);
    (void)user;
    if (stream)
        stream->status = stream->message = (lc_str){NULL, 0};
    return 0;
}

/* Of equal names the first one counts. */
static void keep_field(lc_http2_stream *stream, lc_str name, lc_str value)
{
    lc_arena *arena = stream->call->arena;
    if (lc_str_is(name, ":status"))
        stream->http_status = lc_grpc_number(value);
    else if (lc_str_is(name, "grpc-status") && !stream->status.ptr)
        stream->status = lc_str_copy(arena, value);
    else if (lc_str_is(name, "grpc-message") && !stream->message.ptr)
        stream->message = lc_str_copy(arena, value);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                     void *user)
{
    (void)flags, (void)user;
    lc_http2_stream *stream = stream_of(session, frame->hd.stream_id);
    if (!stream)
        return 0;
    stream->fields += name_len + value_len;
    if (stream->fields > MOST_FIELDS) {
        lc_http2_cancel(stream->http2, stream->call, LC_GRPC_RESOURCE_EXHAUSTED,
                        LC_STR("the header fields of the response are longer than 1 MiB"));
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    keep_field(stream, (lc_str){(const char *)name, name_len},
               (lc_str){(const char *)value, value_len});
    return 0;
}

static bool keep_message(void *context, size_t size)
{
    lc_http2_stream *stream = context;
    lc_http2 *http2 = stream->http2;
    size_t cost = size + HELD_ENTRY;
    const lc_http2_call *call = stream->call;
    stream->enough |= call->most && call->responses.list.count >= call->most;
    if (call->dropped || stream->enough)
        return false;
    stream->too_long |= size > http2->message_limit || cost > http2->held_limit - http2->held;
    if (stream->too_long)
        return false;
    http2->held += cost;
    return true;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                   size_t len, void *user)
{
    (void)flags, (void)user;
    lc_http2_stream *stream = stream_of(session, id);
    if (!stream)
        return 0;
    const lc_grpc_keeper keeper = {keep_message, stream};
    lc_grpc_add(&stream->call->responses, &stream->partial, stream->call->arena, &keeper,
                (lc_str){(const char *)data, len});
    if (stream->too_long)
        end_too_long(stream);
    else if (stream->enough)
        end_enough(stream);
    return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    lc_http2 *http2 = user;
    lc_http2_stream *stream = stream_of(session, frame->hd.stream_id);
    bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_SETTINGS)
        http2->settings_received = true;
    else if (frame->hd.type == NGHTTP2_GOAWAY)
        http2->goaway_received = true;
    else if (stream && frame->hd.type == NGHTTP2_RST_STREAM)
        end_by(stream,
               lc_grpc_reset(stream->call->arena, frame->rst_stream.error_code, "provider"));
    else if (stream && last && frame->hd.type == NGHTTP2_HEADERS)
        end_by_trailers(stream);
    else if (stream && last && frame->hd.type == NGHTTP2_DATA)
        end_by_trailers(stream);
    return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *user)
{
    const lc_http2 *http2 = user;
    lc_http2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
    (void)error;
    if (!stream)
        return 0;
    if (stream->call && http2->goaway_received)
        end_call(stream->call, LC_GRPC_UNAVAILABLE, LC_STR("the provider takes no more calls"));
    else if (stream->call)
        end_call(stream->call, LC_GRPC_INTERNAL, LC_STR("the response violates HTTP/2"));
    stream_free(stream);
    return 0;
}

/* ---- Calls. */

/* At most eight digits, so in seconds if milliseconds have more. */
static lc_str timeout_text(lc_arena *arena, int64_t timeout)
{
    int64_t later = timeout + LATER_MS;
    if (later < 100000000)
        return lc_str_printf(arena, "%lldm", (long long)later);
    later /= 1000;
    return lc_str_printf(arena, "%lldS", (long long)(later < 99999999 ? later : 99999999));
}

static int32_t submit(lc_http2 *http2, lc_http2_call *call)
{
    nghttp2_nv fields[LC_HTTP2_REQUEST_FIELDS + 1];
    size_t count = LC_HTTP2_REQUEST_FIELDS;
    lc_http2_request_fields(fields, call->path, LC_STR("lifecheck/" LC_VERSION));
    lc_str timeout = timeout_text(call->arena, call->timeout_ms);
    if (call->timeout_ms)
        fields[count++] = lc_http2_field("grpc-timeout", timeout);
    nghttp2_data_provider source = {.source.ptr = call->stream, .read_callback = read_request};
    return nghttp2_submit_request(http2->session, NULL, fields, count, &source, call->stream);
}

void lc_http2_begin(lc_http2 *http2, lc_http2_call *call)
{
    const char *why = http2->broken || http2->goaway_received ? "the provider takes no more calls"
                      : http2->count >= MOST_OPEN             ? "more than 10,000 calls are open"
                                                              : NULL;
    if (why) {
        end_call(call, LC_GRPC_UNAVAILABLE, lc_str_from_c(why));
        return;
    }
    if (call->request.len > UINT32_MAX) {
        end_call(call, LC_GRPC_RESOURCE_EXHAUSTED, LC_STR("the request is longer than 4 GiB"));
        return;
    }
    stream_new(http2, call);
    lc_http2_stream *stream = call->stream;
    stream->id = submit(http2, call);
    if (stream->id >= 0)
        return;
    end_call(call, LC_GRPC_UNAVAILABLE, LC_STR("the connection has carried all calls it can"));
    stream_free(stream);
}

void lc_http2_cancel(lc_http2 *http2, lc_http2_call *call, int status, lc_str text)
{
    if (call->ended)
        return;
    if (call->stream)
        nghttp2_submit_rst_stream(http2->session, NGHTTP2_FLAG_NONE, call->stream->id,
                                  NGHTTP2_CANCEL);
    end_call(call, status, text);
}

void lc_http2_fail_all(lc_http2 *http2, int status, lc_str text)
{
    http2->broken = true;
    for (lc_http2_stream *s = http2->streams; s; s = s->next) {
        if (s->call)
            end_call(s->call, status, text);
    }
}

void lc_http2_reset_bound(lc_http2 *http2)
{
    http2->held = 0;
}

/* ---- The connection. */

lc_http2 *lc_http2_open(const lc_limits *limits)
{
    lc_http2 *http2 = lc_heap_alloc(sizeof *http2);
    size_t limit = limits->input_bytes;
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, MOST_FIELDS},
    };
    const lc_http2_setup setup = {.client = true,
                                  .wide = true,
                                  .settings = settings,
                                  .setting_count = sizeof settings / sizeof *settings,
                                  .begin_headers = on_begin_headers,
                                  .header = on_header,
                                  .data = on_data,
                                  .frame = on_frame,
                                  .close = on_close};
    *http2 = (lc_http2){.message_limit = limit,
                        .held_limit = limit > SIZE_MAX / 2 ? SIZE_MAX : limit * 2};
    http2->session = lc_http2_session_new(&setup, http2);
    return http2;
}

void lc_http2_free(lc_http2 *http2)
{
    if (!http2)
        return;
    nghttp2_session_del(http2->session);
    while (http2->streams)
        stream_free(http2->streams);
    lc_buf_release(&http2->out.bytes);
    lc_heap_free(http2);
}

bool lc_http2_read(lc_http2 *http2, lc_str bytes)
{
    ssize_t n = http2->broken ? -1
                              : nghttp2_session_mem_recv(http2->session, (const uint8_t *)bytes.ptr,
                                                         bytes.len);
    /* After a mistake of the other side nghttp2 ignores what comes, and allows no calls. */
    http2->broken |= n < 0 || (!nghttp2_session_check_request_allowed(http2->session) &&
                               !http2->goaway_received);
    return !http2->broken;
}

lc_str lc_http2_bytes(lc_http2 *http2)
{
    lc_http2_gather(&http2->out, http2->session);
    return lc_http2_waiting(&http2->out);
}

void lc_http2_written(lc_http2 *http2, size_t count)
{
    lc_http2_note_written(&http2->out, count);
}

bool lc_http2_settings_received(const lc_http2 *http2)
{
    return http2->settings_received;
}

bool lc_http2_goaway_received(const lc_http2 *http2)
{
    return http2->goaway_received;
}

#else

lc_http2 *lc_http2_open(const lc_limits *limits)
{
    (void)limits;
    return NULL;
}

void lc_http2_free(lc_http2 *http2)
{
    (void)http2;
}

void lc_http2_begin(lc_http2 *http2, lc_http2_call *call)
{
    (void)http2;
    call->ended = true;
    call->status = LC_GRPC_UNAVAILABLE;
    call->text = LC_STR("this program was built without nghttp2");
}

void lc_http2_cancel(lc_http2 *http2, lc_http2_call *call, int status, lc_str text)
{
    (void)http2, (void)call, (void)status, (void)text;
}

void lc_http2_fail_all(lc_http2 *http2, int status, lc_str text)
{
    (void)http2, (void)status, (void)text;
}

bool lc_http2_read(lc_http2 *http2, lc_str bytes)
{
    (void)http2, (void)bytes;
    return false;
}

lc_str lc_http2_bytes(lc_http2 *http2)
{
    (void)http2;
    return LC_STR_EMPTY;
}

void lc_http2_reset_bound(lc_http2 *http2)
{
    (void)http2;
}

void lc_http2_written(lc_http2 *http2, size_t count)
{
    (void)http2, (void)count;
}

bool lc_http2_settings_received(const lc_http2 *http2)
{
    (void)http2;
    return false;
}

bool lc_http2_goaway_received(const lc_http2 *http2)
{
    (void)http2;
    return false;
}

#endif

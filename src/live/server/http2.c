#include "live/server/http2.h"

#ifdef LC_WITH_NGHTTP2
#include "lifecheck/base/arena.h"
#include "live/grpc.h"
#include "live/http2.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define MOST_STREAMS 1000 /* calls that a client may make at once */
#define MOST_PATH    1024 /* bytes of a method's path */

/* A call. */
typedef struct stream {
    struct stream *next, *before;
    lc_server_connection *connection;
    lc_buf path, in;
    bool too_long;
    lc_buf out; /* messages of the answer */
    size_t sent;
    int status;
    lc_buf text; /* grpc-message as on the wire */
} stream;

struct lc_server_connection {
    int fd;
    uint64_t number; /* of the connections to this provider */
    lc_server_side *side;
    nghttp2_session *session;
    stream *streams;
    lc_http2_out out;
};

/* ---- Streams. */

static stream *stream_new(lc_server_connection *c)
{
    stream *s = lc_heap_alloc(sizeof *s);
    *s = (stream){.connection = c, .next = c->streams};
    if (c->streams)
        c->streams->before = s;
    c->streams = s;
    return s;
}

static void stream_free(stream *s)
{
    if (s->before)
        s->before->next = s->next;
    else
        s->connection->streams = s->next;
    if (s->next)
        s->next->before = s->before;
    lc_buf_release(&s->path);
    lc_buf_release(&s->in);
    lc_buf_release(&s->out);
    lc_buf_release(&s->text);
    lc_heap_free(s);
}

/* ---- Answers. */

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t room,
                         uint32_t *flags, nghttp2_data_source *source, void *user)
{
    stream *s = source->ptr;
    size_t left = s->out.len - s->sent, n = left < room ? left : room;
    nghttp2_nv fields[2];
    char number[16];
    (void)user;
    if (n)
        memcpy(to, s->out.ptr + s->sent, n);
    s->sent += n;
    if (s->sent < s->out.len)
        return (ssize_t)n;
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    if (nghttp2_submit_trailer(
            session, id, fields,
            lc_http2_trailers(fields, s->status, lc_buf_str(&s->text), number)) != 0)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    return (ssize_t)n;
}

/* Percent-encoded, as gRPC has it. */
static void set_status(stream *s, int status, lc_str text)
{
    s->status = status;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= ' ' && c <= '~' && c != '%')
            lc_buf_add_char(&s->text, (char)c);
        else
            lc_buf_printf(&s->text, "%%%02X", c);
    }
}

static void send_answer(stream *s, int32_t id)
{
    nghttp2_session *session = s->connection->session;
    nghttp2_nv fields[4] = {lc_http2_field(":status", LC_STR("200")),
                            lc_http2_field("content-type", LC_STR("application/grpc"))};
    char number[16];
    size_t count = 2;
    nghttp2_data_provider source = {.source.ptr = s, .read_callback = read_body};
    if (!s->out.len)
        count += lc_http2_trailers(fields + 2, s->status, lc_buf_str(&s->text), number);
    if (nghttp2_submit_response(session, id, fields, count, s->out.len ? &source : NULL) != 0)
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
}

void lc_server_add_message(lc_buf *messages, lc_str message)
{
    lc_grpc_add_message(messages, message, false);
}

/* The messages of a request. False: the rest is none. */
static bool messages_of(lc_arena *arena, lc_grpc_messages *out, lc_str body)
{
    lc_str message;
    size_t at = 0;
    bool compressed = false;
    while (!compressed && lc_grpc_next(body, &at, &message, &compressed))
        *LC_PUSH(arena, &out->list, lc_str) = message;
    return !compressed && at == body.len;
}

static void answer(stream *s, int32_t id)
{
    lc_server_side *side = s->connection->side;
    lc_server_answer out = {0};
    lc_grpc_messages requests = {0};
    lc_arena *arena = lc_arena_new_small();
    if (s->too_long)
        set_status(s, LC_GRPC_RESOURCE_EXHAUSTED, LC_STR("the request is too long"));
    else if (!messages_of(arena, &requests, lc_buf_str(&s->in)))
        set_status(s, LC_GRPC_INTERNAL, LC_STR("the request does not consist of gRPC messages"));
    else {
        const lc_server_request request = {side->provider, s->connection->number,
                                           lc_buf_str(&s->path), requests.list.items,
                                           requests.list.count};
        side->hooks->answer(side->hooks->context, &out, &request);
        s->out = out.messages;
        set_status(s, out.status, lc_buf_str(&out.status_text));
        lc_buf_release(&out.status_text);
    }
    lc_arena_free(arena);
    lc_buf_release(&s->in);
    send_answer(s, id);
}

/* ---- What arrives. */

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST)
        nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, stream_new(user));
    return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                     void *user)
{
    stream *s = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    (void)flags, (void)user;
    if (s && lc_str_is((lc_str){(const char *)name, name_len}, ":path") && value_len <= MOST_PATH) {
        lc_buf_clear(&s->path);
        lc_buf_add(&s->path, value, value_len);
    }
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                   size_t len, void *user)
{
    stream *s = nghttp2_session_get_stream_user_data(session, id);
    (void)flags, (void)user;
    if (!s)
        return 0;
    s->too_long |= s->in.len + len > s->connection->side->message_limit;
    if (!s->too_long)
        lc_buf_add(&s->in, data, len);
    return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    bool body = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    stream *s = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    (void)user;
    if (s && body && frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
        answer(s, frame->hd.stream_id);
    return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *user)
{
    stream *s = nghttp2_session_get_stream_user_data(session, id);
    (void)error, (void)user;
    if (s)
        stream_free(s);
    return 0;
}

/* ---- The connection. */

lc_server_connection *lc_server_connection_new(int fd, lc_server_side *side)
{
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOST_STREAMS},
    };
    const lc_http2_setup setup = {.wide = true,
                                  .settings = settings,
                                  .setting_count = 1,
                                  .begin_headers = on_begin_headers,
                                  .header = on_header,
                                  .data = on_data,
                                  .frame = on_frame,
                                  .close = on_close};
    lc_server_connection *c = lc_heap_alloc(sizeof *c);
    *c = (lc_server_connection){.fd = fd, .number = ++side->connections, .side = side};
    c->session = lc_http2_session_new(&setup, c);
    return c;
}

void lc_server_connection_free(lc_server_connection *c)
{
    while (c->streams)
        stream_free(c->streams);
    nghttp2_session_del(c->session);
    lc_buf_release(&c->out.bytes);
    close(c->fd);
    lc_heap_free(c);
}

int lc_server_connection_fd(const lc_server_connection *c)
{
    return c->fd;
}

short lc_server_connection_wants(const lc_server_connection *c)
{
    return lc_http2_events(&c->out, c->session);
}

bool lc_server_connection_work(lc_server_connection *c, short events)
{
    bool on = !(events & (POLLIN | POLLHUP | POLLERR)) || lc_http2_receive(c->session, c->fd);
    return on && lc_http2_send(&c->out, c->session, c->fd);
}

#else

void lc_server_add_message(lc_buf *messages, lc_str message)
{
    lc_buf_add_str(messages, message);
}

lc_server_connection *lc_server_connection_new(int fd, lc_server_side *side)
{
    (void)fd, (void)side;
    return NULL;
}

void lc_server_connection_free(lc_server_connection *c)
{
    (void)c;
}

int lc_server_connection_fd(const lc_server_connection *c)
{
    (void)c;
    return -1;
}

short lc_server_connection_wants(const lc_server_connection *c)
{
    (void)c;
    return 0;
}

bool lc_server_connection_work(lc_server_connection *c, short events)
{
    (void)c, (void)events;
    return false;
}

#endif

#include "live/server/http2.h"

#ifdef LC_WITH_NGHTTP2
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "live/grpc.h"
#include "live/http2_memory.h"

#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CALL_WINDOW       (4 << 20)
#define CONNECTION_WINDOW (16 << 20)
#define MOST_STREAMS      1000                /* calls that a client may make at once */
#define MOST_PATH         1024                /* bytes of a method's path */
#define GATHERED          ((size_t)128 << 10) /* bytes of frames that are made before they are written */

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
    lc_server_side *side;
    nghttp2_session *session;
    stream *streams;
    lc_buf out; /* bytes for the socket */
    size_t written;
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

static nghttp2_nv header(const char *name, lc_str value)
{
    return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value.ptr, strlen(name),
                        value.len, NGHTTP2_NV_FLAG_NONE};
}

/* The header fields that end an answer. `number` has room for the status. */
static size_t trailers(nghttp2_nv *out, const stream *s, char *number, size_t room)
{
    int n = snprintf(number, room, "%d", s->status);
    out[0] = header("grpc-status", (lc_str){number, (size_t)n});
    out[1] = header("grpc-message", lc_buf_str(&s->text));
    return s->text.len ? 2 : 1;
}

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
    if (nghttp2_submit_trailer(session, id, fields, trailers(fields, s, number, sizeof number)) !=
        0)
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
    nghttp2_nv fields[4] = {header(":status", LC_STR("200")),
                            header("content-type", LC_STR("application/grpc"))};
    char number[16];
    size_t count = 2;
    nghttp2_data_provider source = {.source.ptr = s, .read_callback = read_body};
    if (!s->out.len)
        count += trailers(fields + 2, s, number, sizeof number);
    if (nghttp2_submit_response(session, id, fields, count, s->out.len ? &source : NULL) != 0)
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
}

void lc_server_add_message(lc_buf *messages, lc_str message)
{
    size_t n = message.len;
    const uint8_t prefix[LC_GRPC_PREFIX] = {0, (uint8_t)(n >> 24), (uint8_t)(n >> 16),
                                            (uint8_t)(n >> 8), (uint8_t)n};
    lc_buf_add(messages, prefix, sizeof prefix);
    lc_buf_add_str(messages, message);
}

/* The one message of a request. False: it is none. */
static bool message_of(lc_str *out, lc_str body)
{
    const uint8_t *p = (const uint8_t *)body.ptr;
    if (body.len < LC_GRPC_PREFIX || p[0] != 0)
        return false;
    size_t n = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4];
    *out = lc_str_sub(body, LC_GRPC_PREFIX, body.len);
    return n == out->len;
}

static void answer(stream *s, int32_t id)
{
    lc_server_side *side = s->connection->side;
    lc_server_answer out = {0};
    lc_str path = lc_buf_str(&s->path), message;
    if (s->too_long)
        set_status(s, LC_GRPC_RESOURCE_EXHAUSTED, LC_STR("the request is too long"));
    else if (!message_of(&message, lc_buf_str(&s->in)))
        set_status(s, LC_GRPC_INTERNAL, LC_STR("the request is not one message of gRPC"));
    else {
        side->hooks->answer(side->hooks->context, &out, side->provider, path, message);
        s->out = out.messages;
        set_status(s, out.status, lc_buf_str(&out.status_text));
        lc_buf_release(&out.status_text);
    }
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

static nghttp2_session *session_new(lc_server_connection *c)
{
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOST_STREAMS},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, CALL_WINDOW},
    };
    nghttp2_session *session;
    nghttp2_session_callbacks *callbacks;
    if (nghttp2_session_callbacks_new(&callbacks) != 0)
        lc_out_of_memory();
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    if (nghttp2_session_server_new3(&session, callbacks, c, NULL, lc_http2_memory()) != 0 ||
        nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings,
                                sizeof settings / sizeof *settings) != 0 ||
        nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, CONNECTION_WINDOW) !=
            0)
        lc_out_of_memory(); /* the only reason there is */
    nghttp2_session_callbacks_del(callbacks);
    return session;
}

lc_server_connection *lc_server_connection_new(int fd, lc_server_side *side)
{
    lc_server_connection *c = lc_heap_alloc(sizeof *c);
    *c = (lc_server_connection){.fd = fd, .side = side};
    c->session = session_new(c);
    return c;
}

void lc_server_connection_free(lc_server_connection *c)
{
    while (c->streams)
        stream_free(c->streams);
    nghttp2_session_del(c->session);
    lc_buf_release(&c->out);
    close(c->fd);
    lc_heap_free(c);
}

int lc_server_connection_fd(const lc_server_connection *c)
{
    return c->fd;
}

short lc_server_connection_wants(const lc_server_connection *c)
{
    bool write = c->out.len != 0 || nghttp2_session_want_write(c->session) != 0;
    return (short)(POLLIN | (write ? POLLOUT : 0));
}

static bool read_some(lc_server_connection *c)
{
    uint8_t bytes[64 << 10];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    return n > 0 && nghttp2_session_mem_recv(c->session, bytes, (size_t)n) == n;
}

static bool write_some(lc_server_connection *c)
{
    for (;;) {
        const uint8_t *frame;
        ssize_t made = 1;
        while (c->out.len < GATHERED && (made = nghttp2_session_mem_send(c->session, &frame)) > 0)
            lc_buf_add(&c->out, frame, (size_t)made);
        if (made < 0)
            return false;
        if (c->out.len == 0)
            break;
        ssize_t n = send(c->fd, c->out.ptr + c->written, c->out.len - c->written, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        c->written += (size_t)n;
        if (c->written == c->out.len) {
            c->written = 0;
            lc_buf_clear(&c->out);
        }
    }
    return nghttp2_session_want_read(c->session) || nghttp2_session_want_write(c->session);
}

bool lc_server_connection_work(lc_server_connection *c, short events)
{
    bool on = !(events & (POLLIN | POLLHUP | POLLERR)) || read_some(c);
    return on && write_some(c);
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

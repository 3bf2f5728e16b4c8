#include "h2.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int64_t h2_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int h2_dial(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- Messages */

static void add_varint(lc_buf *out, size_t n)
{
    for (; n >= 128; n >>= 7)
        lc_buf_add_char(out, (char)(n | 128));
    lc_buf_add_char(out, (char)n);
}

void h2_add_messages(lc_buf *to, lc_str body, size_t more, bool compressed)
{
    static const char zeros[4096];
    unsigned char prefix[LC_GRPC_PREFIX];
    lc_str message;
    size_t at = 0;
    bool ignored;
    lc_buf head = {0};
    if (more) {
        add_varint(&head, 9999 << 3 | 2);
        add_varint(&head, more);
    }
    while (lc_grpc_next(body, &at, &message, &ignored)) {
        lc_grpc_prefix(prefix, message.len + head.len + more, compressed);
        lc_buf_add(to, prefix, sizeof prefix);
        lc_buf_add_str(to, message);
        lc_buf_add_str(to, lc_buf_str(&head));
        for (size_t left = more, n; left; left -= n) {
            n = left < sizeof zeros ? left : sizeof zeros;
            lc_buf_add(to, zeros, n);
        }
    }
    lc_buf_release(&head);
}

/* ---- Streams */

static h2_stream *stream_new(h2_connection *connection)
{
    h2_stream *stream = lc_heap_alloc(sizeof *stream);
    *stream = (h2_stream){.connection = connection, .next = connection->streams, .status = -1};
    connection->streams = stream;
    return stream;
}

static void stream_free(h2_stream *stream)
{
    h2_stream **link = &stream->connection->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    stream->connection->events->closed(stream);
    lc_buf_release(&stream->path);
    lc_buf_release(&stream->in);
    lc_buf_release(&stream->out);
    lc_buf_release(&stream->message);
    lc_heap_free(stream);
}

static size_t trailers(nghttp2_nv *out, const h2_stream *stream, char number[16])
{
    return lc_http2_trailers(out, stream->status, lc_buf_str(&stream->message), number);
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t room,
                         uint32_t *flags, nghttp2_data_source *source, void *user)
{
    (void)user;
    h2_stream *stream = source->ptr;
    size_t left = stream->out.len - stream->sent, n = left < room ? left : room;
    if (n == 0 && stream->endless)
        return NGHTTP2_ERR_DEFERRED;
    if (n)
        memcpy(to, stream->out.ptr + stream->sent, n);
    stream->sent += n;
    if (stream->sent == stream->out.len && !stream->endless) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (stream->connection->provider && !stream->no_trailers) {
            nghttp2_nv headers[2];
            char status[16];
            size_t count = trailers(headers, stream, status);
            *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
            if (nghttp2_submit_trailer(session, id, headers, count) != 0)
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
        }
    }
    return (ssize_t)n;
}

h2_stream *h2_call(h2_connection *connection, const char *path, lc_str body, bool endless)
{
    h2_stream *stream = stream_new(connection);
    lc_buf_add_str(&stream->out, body);
    stream->endless = endless;
    nghttp2_nv headers[LC_HTTP2_REQUEST_FIELDS];
    lc_http2_request_fields(headers, lc_str_from_c(path), LC_STR("client"));
    nghttp2_data_provider source = {.source.ptr = stream, .read_callback = read_body};
    stream->id = nghttp2_submit_request(connection->session, NULL, headers,
                                        sizeof headers / sizeof *headers, &source, stream);
    LC_ASSERT(stream->id > 0);
    return stream;
}

void h2_answer(h2_stream *stream)
{
    nghttp2_nv headers[5] = {lc_http2_field(":status", LC_STR("200")),
                             lc_http2_field("content-type", LC_STR("application/grpc"))};
    size_t count = 2;
    char status[16];
    if (stream->compressed)
        headers[count++] = lc_http2_field("grpc-encoding", LC_STR("gzip"));
    if (stream->out.len == 0 && !stream->no_trailers)
        count += trailers(headers + count, stream, status);
    nghttp2_data_provider source = {.source.ptr = stream, .read_callback = read_body};
    stream->answered = true;
    nghttp2_submit_response(stream->connection->session, stream->id, headers, count,
                            stream->out.len ? &source : NULL);
}

void h2_reset(h2_stream *stream)
{
    nghttp2_submit_rst_stream(stream->connection->session, NGHTTP2_FLAG_NONE, stream->id,
                              stream->connection->provider ? NGHTTP2_INTERNAL_ERROR
                                                           : NGHTTP2_CANCEL);
}

void h2_goaway(h2_connection *connection)
{
    nghttp2_submit_goaway(connection->session, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(connection->session),
                          NGHTTP2_NO_ERROR, NULL, 0);
}

void h2_ping(h2_connection *connection)
{
    nghttp2_submit_ping(connection->session, NGHTTP2_FLAG_NONE, NULL);
}

/* ---- What comes */

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    h2_connection *connection = user;
    if (!connection->provider || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    h2_stream *stream = stream_new(connection);
    stream->id = frame->hd.stream_id;
    nghttp2_session_set_stream_user_data(session, stream->id, stream);
    return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                     void *user)
{
    (void)flags, (void)user;
    h2_stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    lc_str key = {(const char *)name, name_len};
    if (!stream)
        return 0;
    if (lc_str_is(key, ":path") && stream->connection->provider) {
        lc_buf_add(&stream->path, value, value_len);
    } else if (lc_str_is(key, "grpc-status") && !stream->connection->provider) {
        stream->status = value_len ? 0 : -1;
        for (size_t i = 0; i < value_len && i < 4; i++)
            stream->status = stream->status * 10 + (value[i] - '0');
    } else if (lc_str_is(key, "grpc-message") && !stream->connection->provider) {
        lc_buf_add(&stream->message, value, value_len);
    }
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                   size_t len, void *user)
{
    (void)flags, (void)user;
    h2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
    if (stream)
        lc_buf_add(&stream->in, data, len);
    return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    h2_connection *connection = user;
    if (frame->hd.type == NGHTTP2_PING && frame->hd.flags & NGHTTP2_FLAG_ACK)
        connection->pongs++;
    if (frame->hd.type == NGHTTP2_GOAWAY)
        connection->goaway = true;
    if (!connection->provider || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM) ||
        (frame->hd.type != NGHTTP2_DATA && frame->hd.type != NGHTTP2_HEADERS))
        return 0;
    h2_stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (stream)
        connection->events->request(stream);
    return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *user)
{
    h2_connection *connection = user;
    h2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
    if (stream && !connection->provider && stream->status < 0 && error != NGHTTP2_NO_ERROR)
        stream->status = error == NGHTTP2_CANCEL           ? 1
                         : error == NGHTTP2_REFUSED_STREAM ? H2_UNAVAILABLE
                                                           : H2_INTERNAL; /* as gRPC has it */
    if (stream)
        stream_free(stream);
    return 0;
}

/* ---- The connection */

h2_connection *h2_open(int fd, bool provider, const h2_events *events)
{
    h2_connection *connection = lc_heap_alloc(sizeof *connection);
    *connection = (h2_connection){.fd = fd, .provider = provider, .events = events};
    const lc_http2_setup setup = {.client = !provider,
                                  .begin_headers = on_begin_headers,
                                  .header = on_header,
                                  .data = on_data,
                                  .frame = on_frame,
                                  .close = on_close};
    connection->session = lc_http2_session_new(&setup, connection);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return connection;
}

void h2_close(h2_connection *connection)
{
    while (connection->streams)
        stream_free(connection->streams);
    nghttp2_session_del(connection->session);
    lc_buf_release(&connection->out.bytes);
    close(connection->fd);
    lc_heap_free(connection);
}

short h2_wants(const h2_connection *connection)
{
    return lc_http2_events(&connection->out, connection->session);
}

bool h2_read(h2_connection *connection)
{
    return lc_http2_receive(connection->session, connection->fd);
}

bool h2_write(h2_connection *connection)
{
    return lc_http2_send(&connection->out, connection->session, connection->fd);
}

#include "live/http2.h"

#ifdef LC_WITH_NGHTTP2
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Window sizes: how many bytes may arrive before we acknowledge any, per call and in total. A
 * schema has megabytes, and the default of 64 KiB would make it arrive in small steps. */
#define CALL_WINDOW       (4 << 20)
#define CONNECTION_WINDOW (16 << 20)
#define GATHERED          ((size_t)128 << 10)
#define MOST_SETTINGS     4

/* ---- Memory: running out of it is reported as everywhere else. */

static void *allocate(size_t size, void *user)
{
    (void)user;
    return lc_heap_alloc(size);
}

static void release(void *block, void *user)
{
    (void)user;
    lc_heap_free(block);
}

static void *allocate_zeroed(size_t count, size_t size, void *user)
{
    (void)user;
    size_t bytes = lc_mul_size(count, size);
    return memset(lc_heap_alloc(bytes), 0, bytes);
}

static void *resize(void *block, size_t size, void *user)
{
    (void)user;
    return lc_heap_resize(block, size);
}

nghttp2_mem *lc_http2_memory(void)
{
    static const nghttp2_mem memory = {NULL, allocate, release, allocate_zeroed, resize};
    return (nghttp2_mem *)(uintptr_t)&memory; /* nghttp2 only reads it */
}

/* ---- Sessions. */

static bool set_up(nghttp2_session *session, const lc_http2_setup *setup)
{
    nghttp2_settings_entry settings[MOST_SETTINGS + 1];
    size_t count = setup->setting_count;
    LC_ASSERT(count <= MOST_SETTINGS);
    if (count)
        memcpy(settings, setup->settings, count * sizeof *settings);
    if (setup->wide)
        settings[count++] =
            (nghttp2_settings_entry){NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, CALL_WINDOW};
    return nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, count) == 0 &&
           (!setup->wide || nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0,
                                                                  CONNECTION_WINDOW) == 0);
}

nghttp2_session *lc_http2_session_new(const lc_http2_setup *setup, void *user)
{
    nghttp2_session *session = NULL;
    nghttp2_session_callbacks *callbacks;
    if (nghttp2_session_callbacks_new(&callbacks) != 0)
        lc_out_of_memory();
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, setup->begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, setup->header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, setup->data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, setup->frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, setup->close);
    int failed =
        setup->client
            ? nghttp2_session_client_new3(&session, callbacks, user, NULL, lc_http2_memory())
            : nghttp2_session_server_new3(&session, callbacks, user, NULL, lc_http2_memory());
    if (failed || !set_up(session, setup))
        lc_out_of_memory(); /* the only reason there is */
    nghttp2_session_callbacks_del(callbacks);
    return session;
}

/* ---- Bytes. */

lc_str lc_http2_waiting(const lc_http2_out *out)
{
    return lc_str_sub(lc_buf_str(&out->bytes), out->written, out->bytes.len);
}

void lc_http2_note_written(lc_http2_out *out, size_t count)
{
    out->written += count;
    if (out->written < out->bytes.len)
        return;
    lc_buf_clear(&out->bytes);
    out->written = 0;
}

bool lc_http2_gather(lc_http2_out *out, nghttp2_session *session)
{
    const uint8_t *frame;
    ssize_t made = 1;
    while (out->bytes.len < GATHERED && (made = nghttp2_session_mem_send(session, &frame)) > 0)
        lc_buf_add(&out->bytes, frame, (size_t)made);
    return made >= 0;
}

short lc_http2_events(const lc_http2_out *out, nghttp2_session *session)
{
    bool write = out->bytes.len != 0 || nghttp2_session_want_write(session) != 0;
    return (short)(POLLIN | (write ? POLLOUT : 0));
}

static bool is_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

bool lc_http2_receive(nghttp2_session *session, int fd)
{
    uint8_t bytes[64 << 10];
    ssize_t n = recv(fd, bytes, sizeof bytes, 0);
    if (n < 0)
        return is_later();
    return n > 0 && nghttp2_session_mem_recv(session, bytes, (size_t)n) == n;
}

bool lc_http2_send(lc_http2_out *out, nghttp2_session *session, int fd)
{
    while (lc_http2_gather(out, session)) {
        lc_str waiting = lc_http2_waiting(out);
        if (!waiting.len)
            return nghttp2_session_want_read(session) || nghttp2_session_want_write(session);
        ssize_t n = send(fd, waiting.ptr, waiting.len, MSG_NOSIGNAL);
        if (n < 0)
            return is_later();
        lc_http2_note_written(out, (size_t)n);
    }
    return false;
}

/* ---- Header fields. */

nghttp2_nv lc_http2_field(const char *name, lc_str value)
{
    return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value.ptr, strlen(name),
                        value.len, NGHTTP2_NV_FLAG_NONE};
}

void lc_http2_request_fields(nghttp2_nv out[LC_HTTP2_REQUEST_FIELDS], lc_str path,
                             lc_str user_agent)
{
    const nghttp2_nv fields[LC_HTTP2_REQUEST_FIELDS] = {
        lc_http2_field(":method", LC_STR("POST")),
        lc_http2_field(":scheme", LC_STR("http")),
        lc_http2_field(":path", path),
        lc_http2_field(":authority", LC_STR("localhost")),
        lc_http2_field("te", LC_STR("trailers")),
        lc_http2_field("content-type", LC_STR("application/grpc")),
        lc_http2_field("user-agent", user_agent),
    };
    memcpy(out, fields, sizeof fields);
}

size_t lc_http2_trailers(nghttp2_nv *out, int status, lc_str message, char number[16])
{
    int n = snprintf(number, 16, "%d", status);
    out[0] = lc_http2_field("grpc-status", (lc_str){number, (size_t)n});
    out[1] = lc_http2_field("grpc-message", message);
    return message.len ? 2 : 1;
}

#else
typedef int lc_no_http2; /* a file of C has to declare something */
#endif

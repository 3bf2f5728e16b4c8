/* What every end of an HTTP/2 connection shares: the session of nghttp2, bytes for the socket, and
 * the header fields of gRPC. Only for builds with nghttp2. */
#ifndef LC_LIVE_HTTP2_H
#define LC_LIVE_HTTP2_H

#ifdef LC_WITH_NGHTTP2
#include "lifecheck/base/buf.h"

#include <nghttp2/nghttp2.h>

/* Our allocators, which never fail. */
nghttp2_mem *lc_http2_memory(void);

typedef struct lc_http2_setup {
    bool client;
    bool wide; /* megabytes may arrive before any are acknowledged, as schemas have */
    const nghttp2_settings_entry *settings; /* further ones */
    size_t setting_count;
    nghttp2_on_begin_headers_callback begin_headers;
    nghttp2_on_header_callback header;
    nghttp2_on_data_chunk_recv_callback data;
    nghttp2_on_frame_recv_callback frame;
    nghttp2_on_stream_close_callback close;
} lc_http2_setup;
/* Callbacks get `user`. Free with nghttp2_session_del. */
nghttp2_session *lc_http2_session_new(const lc_http2_setup *setup, void *user);

/* Frames that wait for a socket. Zero-initialised; release `bytes`. */
typedef struct lc_http2_out {
    lc_buf bytes;
    size_t written;
} lc_http2_out;
/* Makes frames, at most 128 KiB. False: nghttp2 has given up. */
bool lc_http2_gather(lc_http2_out *out, nghttp2_session *session);
/* What was not written yet. */
lc_str lc_http2_waiting(const lc_http2_out *out);
void lc_http2_note_written(lc_http2_out *out, size_t count);

/* A socket that does not block: what poll should wait for; reading and writing what is possible.
 * False: the connection is over. */
short lc_http2_events(const lc_http2_out *out, nghttp2_session *session);
bool lc_http2_receive(nghttp2_session *session, int fd);
bool lc_http2_send(lc_http2_out *out, nghttp2_session *session, int fd);

/* Borrows both. */
nghttp2_nv lc_http2_field(const char *name, lc_str value);
#define LC_HTTP2_REQUEST_FIELDS 7
/* The fields of a call. */
void lc_http2_request_fields(nghttp2_nv out[LC_HTTP2_REQUEST_FIELDS], lc_str path,
                             lc_str user_agent);
/* The fields that end an answer: how many, at most 2. `number` gets the digits of the status.
 * `message` is as on the wire. */
size_t lc_http2_trailers(nghttp2_nv *out, int status, lc_str message, char number[16]);
#endif

#endif

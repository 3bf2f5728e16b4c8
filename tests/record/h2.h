/* gRPC over plain HTTP/2, both sides, for one thread that polls. Shared by the test provider and
 * the test client. */
#ifndef LC_S_RECORD_H2_H
#define LC_S_RECORD_H2_H

#include "live/grpc.h"
#include "live/http2.h"

#define H2_UNIMPLEMENTED 12
#define H2_INTERNAL      13
#define H2_UNAVAILABLE   14

typedef struct h2_connection h2_connection;

/* A call. It lives until the function `closed` of its connection returns. */
typedef struct h2_stream {
    h2_connection *connection;
    int32_t id;
    struct h2_stream *next; /* of the connection */
    void *user;
    lc_buf path;      /* provider: of the request */
    lc_buf in;        /* body that came: messages with their gRPC prefixes */
    lc_buf out;       /* body to send */
    size_t sent;      /* of `out` */
    int status;       /* of gRPC: provider, the one to send; client, the one that came, or -1 */
    lc_buf message;   /* grpc-message as on the wire */
    bool compressed;  /* provider: announce a compression */
    bool no_trailers; /* provider: the answer ends without a status */
    bool endless;     /* client: the request never ends */
    bool answered;
} h2_stream;

typedef struct h2_events {
    void (*request)(h2_stream *stream); /* provider: a request is complete */
    void (*closed)(h2_stream *stream);  /* a stream is over, also when the connection breaks */
} h2_events;

struct h2_connection {
    int fd;
    bool provider;
    struct nghttp2_session *session;
    const h2_events *events;
    h2_stream *streams;
    lc_http2_out out;
    uint64_t pongs; /* answers to pings */
    bool goaway;    /* the other side takes no further calls */
    void *user;
};

/* Takes over a connected socket. Free with h2_close, which closes the socket and reports to
 * `closed` the streams that are left. */
h2_connection *h2_open(int fd, bool provider, const h2_events *events);
void h2_close(h2_connection *connection);
/* What poll should wait for. */
short h2_wants(const h2_connection *connection);
/* Reads or writes what is possible. False: the connection is over. */
bool h2_read(h2_connection *connection);
bool h2_write(h2_connection *connection);

/* Client: begins a call; the body is copied. Without a body that ends (`endless`) it stays open. */
h2_stream *h2_call(h2_connection *connection, const char *path, lc_str body, bool endless);
void h2_ping(h2_connection *connection);
/* Provider: sends `out`, unless it is empty, and then `status` and `message`. */
void h2_answer(h2_stream *stream);
/* Either side: RST_STREAM. */
void h2_reset(h2_stream *stream);
/* Provider: no further calls than those that came. */
void h2_goaway(h2_connection *connection);

/* Appends all messages of a body, each with a field 9999 of `more` bytes unless that is 0. */
void h2_add_messages(lc_buf *to, lc_str body, size_t more, bool compressed);
/* A socket that is connected to a path, or -1 and errno. */
int h2_dial(const char *path);
int64_t h2_now(void); /* milliseconds */

#endif

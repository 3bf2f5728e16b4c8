/* A connection to a provider from its client's side: calls of gRPC over HTTP/2. Bytes in, bytes
 * out; pure. Frames and HPACK by nghttp2. */
#ifndef LC_LIVE_SESSION_HTTP2_H
#define LC_LIVE_SESSION_HTTP2_H

#include "lifecheck/base/limits.h"
#include "live/grpc.h"

/* One call. It must not move until it has ended. */
typedef struct lc_http2_call {
    /* To be set. The strings are borrowed until it has ended. */
    lc_str path;         /* "/tfplugin5.Provider/PlanResourceChange" */
    lc_str request;      /* one message, */
    const lc_str *later; /* and those that follow in a stream */
    size_t later_count;
    int64_t timeout_ms; /* sent to the provider as grpc-timeout; 0: none */
    size_t most;        /* messages that are read; the call ends well after them. 0: all */
    bool several;       /* the answer may have any number of messages */
    bool dropped;       /* messages of the answer are not kept */
    lc_arena *arena;    /* for what comes */
    /* What came. */
    lc_grpc_messages responses; /* `cut`: some were compressed, or not kept */
    bool ended;
    int status; /* of gRPC */
    lc_str text;
    struct lc_http2_stream *stream; /* NULL: it has ended */
} lc_http2_call;

typedef struct lc_http2 lc_http2;
/* `limits->input_bytes` bounds a message of an answer; all that came since lc_http2_reset_bound are
 * bounded by twice that. NULL: a build without nghttp2. */
lc_http2 *lc_http2_open(const lc_limits *limits);
/* Calls that have not ended are forgotten as they are. NULL is ignored. */
void lc_http2_free(lc_http2 *http2);

/* Begins a call; it may end at once, because the provider accepts no further calls. */
void lc_http2_begin(lc_http2 *http2, lc_http2_call *call);
/* Cancels a call; one that has ended stays as it is. */
void lc_http2_cancel(lc_http2 *http2, lc_http2_call *call, int status, lc_str text);
/* Ends all calls with this status: the connection is closed. */
void lc_http2_fail_all(lc_http2 *http2, int status, lc_str text);
/* The answers that came so far are not counted against the bound any more. */
void lc_http2_reset_bound(lc_http2 *http2);

/* The next bytes of the provider, cut anywhere. False: they are not HTTP/2, now or before. */
bool lc_http2_read(lc_http2 *http2, lc_str bytes);
/* Bytes for the provider, empty if there are none for now; report how many were written with
 * lc_http2_written. */
lc_str lc_http2_bytes(lc_http2 *http2);
void lc_http2_written(lc_http2 *http2, size_t count);
/* Has the provider sent its SETTINGS frame, the first of an HTTP/2 connection? */
bool lc_http2_settings_received(const lc_http2 *http2);
/* Has it sent GOAWAY, after which it accepts no further calls? */
bool lc_http2_goaway_received(const lc_http2 *http2);

#endif

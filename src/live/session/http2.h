/* A connection to a provider from its client's side: calls of gRPC over HTTP/2. Bytes in, bytes
 * out; pure. Frames and HPACK by nghttp2. */
#ifndef LC_LIVE_SESSION_HTTP2_H
#define LC_LIVE_SESSION_HTTP2_H

#include "lifecheck/base/limits.h"
#include "live/grpc.h"

/* One call. It must not move until it has ended. */
typedef struct lc_http2_call {
    /* To be set. The texts are borrowed until it has ended. */
    lc_str path;        /* "/tfplugin5.Provider/PlanResourceChange" */
    lc_str request;     /* one message */
    int64_t timeout_ms; /* which the provider is told; 0: none */
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
/* `limits->input_bytes` bounds a message of an answer; all that came since lc_http2_settle are
 * bounded by twice that. NULL: a build without nghttp2. */
lc_http2 *lc_http2_open(const lc_limits *limits);
/* Calls that have not ended are forgotten as they are. NULL is ignored. */
void lc_http2_free(lc_http2 *http2);

/* Begins a call; it may end at once, because the provider takes no more. */
void lc_http2_begin(lc_http2 *http2, lc_http2_call *call);
/* Ends a call that we do not wait for any more; one that has ended stays as it is. */
void lc_http2_give_up(lc_http2 *http2, lc_http2_call *call, int status, lc_str text);
/* Ends all calls: the connection is gone. */
void lc_http2_tear(lc_http2 *http2, int status, lc_str text);
/* The answers that came so far are not counted against the bound any more. */
void lc_http2_settle(lc_http2 *http2);

/* The next bytes of the provider, cut anywhere. False: they are not HTTP/2, now or before. */
bool lc_http2_read(lc_http2 *http2, lc_str bytes);
/* Bytes for the provider, empty if there are none for now; those that could be written are to be
 * told. */
lc_str lc_http2_bytes(lc_http2 *http2);
void lc_http2_written(lc_http2 *http2, size_t count);
/* Has the provider said that it speaks HTTP/2? */
bool lc_http2_greeted(const lc_http2 *http2);
/* Has it said that it takes no more calls? */
bool lc_http2_leaving(const lc_http2 *http2);

#endif

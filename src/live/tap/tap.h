/* The content of a connection between a client and a provider: gRPC calls, read from copies of the
 * bytes of both directions. Errors here do not affect the traffic itself. Pure; HPACK by
 * nghttp2. */
#ifndef LC_LIVE_TAP_H
#define LC_LIVE_TAP_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/str.h"
#include "live/grpc.h"

typedef enum lc_tap_side { LC_TAP_CLIENT, LC_TAP_PROVIDER } lc_tap_side; /* who sent the bytes */

/* A call that has ended. All of it lives until the function it is given to returns. */
typedef struct lc_tap_call {
    lc_str path;                          /* "/tfplugin5.Provider/PlanResourceChange" */
    lc_grpc_messages requests, responses; /* `cut` also if longer than the limit, and for services
                                             that do not belong to a provider */
    int status; /* of gRPC: 0 is OK; a call whose connection broke has 14 (unavailable), a reset one
                   the status for its HTTP/2 error code: 1 (cancelled), 13 (internal), ... */
    lc_str message;       /* grpc-message, decoded (any bytes); or why it is missing */
    bool torn;            /* the connection ended before the call */
    bool given_up;        /* the client reset it: it does not want an answer any more */
    uint64_t number;      /* order in which the calls of the connection began, from 1 */
    int64_t began, ended; /* by the clock of the caller */
} lc_tap_call;

typedef struct lc_tap lc_tap;
/* `ended` gets each call as soon as it has ended; it must not use the tap. Free with lc_tap_close.
 * `limits->input_bytes` bounds one message; the messages that are held for a connection are bounded
 * by twice that. Only those of services whose name begins with "tfplugin" are kept: the others,
 * such as the output of a provider, may go on for as long as the connection does. NULL: a build
 * without nghttp2. */
lc_tap *lc_tap_open(const lc_limits *limits, void (*ended)(void *context, const lc_tap_call *call),
                    void *context);
/* The next bytes of one side, split anywhere. The bytes of one side must be given before the other
 * side's answer to them. False: the bytes are not valid, *why (static) is the reason; from then on
 * further bytes are ignored, again with false, and open calls are lost. */
bool lc_tap_bytes(lc_tap *tap, lc_tap_side side, lc_str bytes, int64_t now, const char **why);
/* Those of providers, for which a caller waits; of a tap that failed: that were open then. */
size_t lc_tap_unanswered_calls(const lc_tap *tap);
/* The connection has ended: gives the open calls as torn, in the order in which they began. Frees
 * everything. NULL is ignored. */
void lc_tap_close(lc_tap *tap, int64_t now);
/* Frees everything without giving the open calls. NULL is ignored. */
void lc_tap_drop(lc_tap *tap);

/* Is this a build with nghttp2? Without it no tap can be opened. */
bool lc_tap_available(void);

#endif

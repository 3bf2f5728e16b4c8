/* The parts of a session: how it starts (start.c), waits (wait.c), asks and ends (session.c). */
#ifndef LC_LIVE_SESSION_PARTS_H
#define LC_LIVE_SESSION_PARTS_H

#include "lifecheck/base/system.h"
#include "lifecheck/live/session.h"
#include "live/internal.h"
#include "live/session/gateway.h"
#include "live/session/http2.h"

struct lc_session {
    lc_arena *arena; /* its own */
    lc_session_options options;
    int64_t start_ms, grace_ms;
    lc_str folder; /* private, of its sockets; "": none */
    int folder_lock;
    lc_live_process *process; /* NULL: it is not ours */
    int protocol;             /* 0: it was dialled, and the version is not known */
    int last_protocol;        /* of the last call; 0: there was none */
    int fd;                   /* of the connection; -1: none */
    lc_gateway *gateway;      /* the proxy that it has; NULL: none */
    uint16_t gateway_port;
    lc_http2 *http2;
    lc_http2_call output; /* its standard output, as go-plugin passes it on; it is discarded */
    lc_http2_call stop;   /* asks it to end what it does */
    bool stopped;         /* `stop` was begun */
    bool unfinished;      /* a call was given up */
    bool interrupted;     /* a signal came while we waited for it */
    bool forced;          /* a further one came to the program */
    int64_t read_at;      /* when its output was read last */
    bool output_heavy;    /* much came then */
    bool closed;
    lc_str end; /* how: "ended with status 2", "closed the connection" */
    uint64_t seq;
};

/* ---- Start (start.c). */

/* Starts the provider, or dials the one that runs; until it serves. False: *why. */
bool lc_session_start(lc_session *session, lc_str *why);
/* The end of its standard error, in which the values of `env` are named and not shown. */
lc_str lc_session_log(const lc_session *session, lc_arena *arena);

/* ---- Waiting (wait.c). */

/* One round: writes and reads what can be, waits until something happens, but no longer than until
 * this time (lc_live_now). Notices signals and the provider's end. */
void lc_session_turn(lc_session *session, int64_t until);
/* The connection is of no use any more: calls that are open have ended. `end` is how, unless the
 * process has ended. */
void lc_session_disconnect(lc_session *session, lc_str end);

/* ---- Signals that ask us to end (signals.c). */

/* From now on they are blocked, and read here. */
void lc_session_take_signals(void);
/* Did one come since this was last asked? */
bool lc_session_take_signal(void);
/* Did more than one come to this program? */
bool lc_session_second_signal(void);
/* "lifecheck was stopped by signal 2 (Interrupt)" */
lc_str lc_session_signal_text(lc_arena *arena);

#endif

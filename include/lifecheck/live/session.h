/* A provider that lifecheck queries itself: its process, the connection to it, and calls. Module
 * live. Like live.h it needs nghttp2 (lc_live_available).
 *
 * The functions block. SIGINT, SIGTERM and SIGHUP end calls that are in progress:
 * lc_session_stopped. From the first lc_session_open on, these signals are blocked for the rest
 * of the program and are read only here, so that none is lost between two calls. Calls that
 * change objects are asked to stop and have grace_ms to report what they have done; further calls
 * can be made. A second signal ends every provider at once. */
#ifndef LIFECHECK_LIVE_SESSION_H
#define LIFECHECK_LIVE_SESSION_H

#include "lifecheck/live/live.h"
#include "lifecheck/wire/wire.h"

/* One call to make. */
typedef struct lc_question {
    const lc_wire_method *method; /* of the protocol version of the provider */
    lc_str request; /* the bytes of the message; borrowed, the answer refers to them */
    /* Further messages of a request that is a stream; borrowed. */
    const lc_str *later;
    size_t later_count;
    /* Of an answer that is a stream: messages that are read. The call is left after them, without
     * an error, as a client does that has enough; the answer is `cut`. 0: all. */
    size_t most;
    int64_t timeout_ms; /* 0: what is usual for the call */
} lc_question;

/* How a provider is started or dialled. Copied; what it points to is borrowed until
 * lc_session_close. */
typedef struct lc_session_options {
    const lc_live_provider *provider; /* to start (`binary`), or one that runs (`dial`) */
    uint64_t process;                 /* number of the connection in recordings, from 1 */
    /* Emptied: the provider gets PATH, a HOME and TMPDIR in a private folder, and what `env` names
     * (NAME, or NAME=VALUE; copied). Else it gets ours, and what `env` sets. */
    bool emptied;
    const lc_str *env;
    size_t env_count;
    bool offline; /* without a network; reported where the system does not allow it */
    /* Its environment names a proxy that refuses every connection and reports the host in
     * lc_live_call.reached. Calls are made one at a time then. */
    bool refused;
    /* It may write into its private folder only, and into a private view of `folder`, as far as
     * the system can enforce that; memory, processor time and files are limited. A warning states
     * what is not enforced. */
    bool guarded;
    lc_str folder;    /* in which it works; "": ours */
    int64_t start_ms; /* for its handshake; 0: what is usual */
    int64_t grace_ms; /* to end on its own; 0: the default */
    int log;          /* a descriptor for its standard error, or -1 */
    lc_limits limits;
    void *context;
    /* What the user should know, as lc_live_hooks have it. NULL: not needed. */
    void (*on_event)(void *context, lc_live_weight weight, lc_str text, lc_str log);
} lc_session_options;

typedef struct lc_session lc_session;

/* Starts it (or dials), and waits until it serves. NULL: it does not; *why is a sentence, *log the
 * end of its standard error, which may contain secrets; the values of `env` are masked there. */
lc_session *lc_session_open(lc_arena *arena, const lc_session_options *options, lc_str *why,
                            lc_str *log);
/* 5 or 6. 0: we dialled it, and lc_live_provider does not state it either. */
int lc_session_protocol(const lc_session *session);

/* Makes the calls, all at once if there are several, and waits for their ends; out[i] is that of
 * questions[i], in `arena`. A call without an answer has the gRPC status that a client sees:
 * UNAVAILABLE if the provider exited or the connection broke, DEADLINE_EXCEEDED, CANCELLED if we
 * were stopped, RESOURCE_EXHAUSTED for an answer above the limit (`cut`), INTERNAL for an answer
 * that is not valid gRPC. Calls to a provider that has ended fail at once with UNAVAILABLE.
 *
 * A call that began before a signal and failed after it, or that a signal prevented, is marked
 * `interrupted` and `cut` whatever its status: the failure is not a fault of the provider, which
 * may have received the signal too, or answers that it was stopped. */
void lc_session_ask(lc_session *session, lc_live_call *out, lc_arena *arena,
                    const lc_question *questions, size_t count);

/* Does it still run, and answer? */
bool lc_session_is_alive(const lc_session *session);
/* How it ended ("ended with status 2"), "" while it runs; *log as above. */
lc_str lc_session_end_text(lc_session *session, lc_arena *arena, lc_str *log);
/* Did SIGINT, SIGTERM or SIGHUP come? The number of the first, or 0. For all sessions of the
 * program, also when they are closed. */
int lc_session_stopped(void);

/* Ends it: StopProvider or Stop if we were stopped or a call was given up, Shutdown, then by force.
 * No process, socket or folder is left. One that was dialled goes on. NULL is ignored. */
void lc_session_close(lc_session *session);

#endif

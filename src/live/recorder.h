/* A recorder at work: endpoints that clients dial, their connections, and the processes that serve
 * them. One thread; run.c waits, and calls the functions of the other files. */
#ifndef LC_LIVE_RECORDER_H
#define LC_LIVE_RECORDER_H

#include "live/internal.h"
#include "live/tap/tap.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

/* At one time; more wait in the queue of the socket. Each needs descriptors for itself and the
 * output of its process. */
#define LC_LIVE_MAX_CONNECTIONS 1024
#define LC_LIVE_DESCRIPTORS     4
#define LC_LIVE_MAX_ENDPOINTS   10000

/* One address of a provider, as clients see it. */
typedef struct lc_live_endpoint {
    const lc_live_provider *provider;
    int protocol;
    lc_str path; /* of its socket */
    int listener;
    lc_live_process *spare; /* was started to learn the protocol; the first connection takes it */
    LC_VEC(pid_t)
    refused; /* clients whose provider exited: a new process would not have the configuration of the
                first */
    LC_VEC(pid_t) clients; /* of a test's provider: those that were sent to it */
    int watched;           /* index in the list of poll, or -1 */
} lc_live_endpoint;

/* Bytes that have not been written to the other side yet. */
typedef struct lc_live_queue {
    lc_buf bytes;
    size_t at; /* written so far */
} lc_live_queue;

typedef struct lc_live_connection lc_live_connection;
struct lc_live_connection {
    lc_live_connection *next;
    struct lc_live_recorder *recorder;
    lc_arena *arena;
    lc_live_endpoint *endpoint;
    lc_live_client who;
    lc_live_process *process; /* NULL: none yet, or the provider is not ours */
    int client, provider;     /* descriptors, -1: closed or not yet open */
    lc_live_queue up, down;   /* to the provider, to the client */
    bool spoke;               /* the client has sent something */
    bool lacking;             /* the system did not let us reach the provider; reported */
    bool stop_sent;           /* the client has called StopProvider, or Stop */
    bool client_ended, provider_ended, over;
    bool client_deaf, provider_deaf; /* nothing can be written to it any more */
    lc_tap *tap;                     /* NULL: nothing is recorded any more */
    uint64_t number;                 /* from 1, of connections that spoke */
    int64_t provider_closed;         /* when the provider closed it; 0: it did not */
    int watched_client, watched_provider;
};

typedef struct lc_live_recorder {
    lc_arena *arena;
    const lc_live_options *options;
    lc_live_result *result;
    lc_str folder; /* of the sockets */
    int folder_lock;
    LC_VEC(lc_live_endpoint *) endpoints;
    size_t endpoint_number; /* of all that there were */
    lc_live_connection *connections;
    size_t connection_count;
    LC_VEC(lc_live_process *) processes; /* all that have not been freed */
    LC_VEC(struct pollfd) watched;
    int signals;               /* those that were blocked are read there */
    sigset_t taken;            /* these */
    sigset_t mask;             /* as it was before */
    struct sigaction on_child; /* of SIGCHLD, as it was before */
    int ending;                /* the last signal that asks us to end; 0: none */
    bool closing;              /* no more clients are served */
    struct rlimit files;       /* of descriptors, that we had at the start */
    size_t most_connections;
    bool crowding_reported;
    bool crowded;                   /* a client was not accepted for lack of descriptors */
    pid_t command;                  /* 0: it does not run */
    int control;                    /* listens to wrappers, or -1 */
    int control_watched;            /* its place in `watched`, or -1 */
    int log;                        /* of providers, or -1 */
    int64_t realtime;               /* microseconds since 1970 at monotonic zero */
    LC_VEC(lc_live_client) clients; /* that may have plans and states */
    bool showing;                   /* these are read: nothing is recorded any more */
    int shown;                      /* where one comes, or -1 */
    bool changed;                   /* calls came since the idle hook was called */
    int64_t idle_from;              /* the hook is not called before this time */
} lc_live_recorder;

/* Reports to the user, by the hook. */
void lc_live_report(const lc_live_recorder *r, lc_live_weight weight, lc_str log,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- Endpoints (endpoint.c). */

/* Listens for a provider; its process is started to determine its protocol. NULL: reported. */
lc_live_endpoint *lc_live_endpoint_new(lc_live_recorder *r, const lc_live_provider *provider);
/* The value of TF_REATTACH_PROVIDERS for all endpoints, or for those of `only`. In `arena`. */
lc_str lc_live_reattach(const lc_live_recorder *r, lc_arena *arena, const lc_live_providers *only);
/* Accepts a client. */
void lc_live_endpoint_accept(lc_live_recorder *r, lc_live_endpoint *endpoint);
/* Removes endpoints whose provider has not printed its handshake, and reports each; false: one of
 * them was named by the user. */
bool lc_live_endpoints_settle(lc_live_recorder *r);
/* Are there providers that have not printed their handshake yet? */
bool lc_live_endpoints_wait(const lc_live_recorder *r);
/* Takes a wrapper's list of providers and answers with ours. */
void lc_live_control_accept(lc_live_recorder *r);
void lc_live_endpoints_close(lc_live_recorder *r);

/* ---- Connections (connection.c). */

void lc_live_connection_new(lc_live_recorder *r, lc_live_endpoint *endpoint, int client);
/* The descriptors that poll watches. */
short lc_live_wants_client(const lc_live_connection *c);
short lc_live_wants_provider(const lc_live_connection *c);
/* Reads and writes what can be read and written. */
void lc_live_connection_work(lc_live_connection *c, short client, short provider);
/* Notices that its process has become ready, has failed or has exited. */
void lc_live_connection_check(lc_live_connection *c);
/* Frees connections that are over. With `all` every one. */
void lc_live_connections_sweep(lc_live_recorder *r, bool all);

/* ---- Plans and states (show.c). */

void lc_live_note_client(lc_live_recorder *r, const lc_live_connection *c);
void lc_live_find_evidence(lc_live_recorder *r);

/* ---- The loop (run.c). */

/* One round: waits until something happens, at most a moment if it is hurried. */
void lc_live_turn(lc_live_recorder *r, bool hurried);
/* An environment with our TF_REATTACH_PROVIDERS. */
char **lc_live_environment(lc_live_recorder *r, char **base);

/* ---- Processes (endpoint.c). */

lc_live_process *lc_live_begin_process(lc_live_recorder *r, const lc_live_provider *provider,
                                       const lc_live_client *client);
/* Reaps processes that ended, ends those that are not needed, frees those that have closed. */
void lc_live_processes_work(lc_live_recorder *r);
bool lc_live_process_count(const lc_live_recorder *r);

#endif

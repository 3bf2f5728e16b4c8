/* Providers that lifecheck itself is: a process of ours that listens on a private socket for each
 * of them and answers calls. Module live. It needs nghttp2 (lc_live_available). */
#ifndef LIFECHECK_LIVE_SERVER_H
#define LIFECHECK_LIVE_SERVER_H

#include "lifecheck/live/live.h"
#include "lifecheck/wire/grpc_status.h"

/* The answer to one call. */
typedef struct lc_server_answer {
    lc_buf messages;    /* with their prefixes, see lc_server_add_message; released by the server */
    int status;         /* of gRPC; 0: the call succeeded */
    lc_buf status_text; /* with another status; released by the server */
} lc_server_answer;

/* A call to the provider with this index. A client configures a provider once per connection. */
typedef struct lc_server_request {
    size_t provider;
    uint64_t connection; /* a number that no other connection to this provider has */
    lc_str path;         /* of the method */
    const lc_str *messages;
    size_t count;
} lc_server_request;

/* Functions that the process calls, one at a time. Both must be set. */
typedef struct lc_server_hooks {
    void *context;
    void (*answer)(void *context, lc_server_answer *out, const lc_server_request *request);
    /* The process ends: appends what the caller of lc_server_end is to know. */
    void (*end)(void *context, lc_buf *out);
} lc_server_hooks;

/* Appends a message with its prefix. */
void lc_server_add_message(lc_buf *messages, lc_str message);

typedef struct lc_server lc_server;
/* Starts the process: a copy of this one, which sees `hooks` and everything else as they are now.
 * Sets `dial` of each provider. It ends when the caller ends, whatever the reason, and ignores
 * Ctrl-C. A message above limits->input_bytes is refused. NULL: *why. */
lc_server *lc_server_start(lc_arena *arena, lc_live_providers *providers,
                           const lc_server_hooks *hooks, const lc_limits *limits, lc_str *why);
/* Ends it, and removes its sockets. Returns what hooks.end wrote there; *why is a sentence if it
 * had ended by itself, else "". */
lc_str lc_server_end(lc_server *server, lc_arena *arena, lc_str *why);

#endif

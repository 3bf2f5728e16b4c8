/* The provider's side of gRPC over HTTP/2, for one connection of a client. */
#ifndef LC_LIVE_SERVER_HTTP2_H
#define LC_LIVE_SERVER_HTTP2_H

#include "lifecheck/live/server.h"

/* What all connections to one provider share. */
typedef struct lc_server_side {
    const lc_server_hooks *hooks;
    size_t provider;      /* index */
    size_t message_limit; /* bytes of a request */
    uint64_t connections; /* that there were */
} lc_server_side;

typedef struct lc_server_connection lc_server_connection;
/* Takes over the connected socket, which does not block. */
lc_server_connection *lc_server_connection_new(int fd, lc_server_side *side);
void lc_server_connection_free(lc_server_connection *connection);
int lc_server_connection_fd(const lc_server_connection *connection);
/* What poll should wait for. */
short lc_server_connection_wants(const lc_server_connection *connection);
/* Reads and answers, or writes, as far as possible. False: the connection is over. */
bool lc_server_connection_work(lc_server_connection *connection, short events);

#endif

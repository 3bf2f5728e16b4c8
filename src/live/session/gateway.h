/* The proxy that a provider without a network finds. It refuses every connection, and reports the
 * host that the provider tried to reach. */
#ifndef LC_LIVE_SESSION_GATEWAY_H
#define LC_LIVE_SESSION_GATEWAY_H

#include "lifecheck/base/buf.h"

#include <poll.h>
#include <stdint.h>

/* In a network namespace of its own every port is free. */
#define LC_GATEWAY_PORT 3128

/* Listens at this port of the loopback address, or with 0 at any; *port is the one in use. The
 * descriptor is closed on exec. -1: see errno. */
int lc_gateway_listen(uint16_t *port);

typedef struct lc_gateway lc_gateway;
/* Takes over the listener. */
lc_gateway *lc_gateway_new(lc_arena *arena, int listener);
void lc_gateway_free(lc_gateway *gateway); /* NULL is ignored */

/* The descriptors to watch, at most LC_GATEWAY_WATCHES; and the function to call when one is ready.
 * `gateway` may be NULL. */
#define LC_GATEWAY_CALLERS 32 /* connections at once; others wait */
#define LC_GATEWAY_WATCHES (LC_GATEWAY_CALLERS + 1)
size_t lc_gateway_watch(const lc_gateway *gateway, struct pollfd *out);
void lc_gateway_work(lc_gateway *gateway);
/* The first host that was tried since this was last asked, such as `sts.amazonaws.com:443`; "":
 * none. In `arena`. */
lc_str lc_gateway_take(lc_gateway *gateway, lc_arena *arena);

/* Hands a listener from the process that made it, in its network namespace, to us. */
bool lc_gateway_send(int channel, int listener);
int lc_gateway_receive(int channel); /* -1: none came */

#endif

/* The line in which a provider announces its address: CORE|PROTOCOL|NETWORK|ADDRESS|grpc|CERT, from
 * go-plugin. Pure. */
#ifndef LC_LIVE_HANDSHAKE_H
#define LC_LIVE_HANDSHAKE_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/str.h"

#define LC_HANDSHAKE_MAX ((size_t)16 << 10) /* bytes of the line; longer is not a handshake */

typedef struct lc_handshake {
    int protocol;   /* 5 or 6 */
    bool tcp;       /* the address is HOST:PORT, else the path of a socket; never empty, no NUL */
    lc_str address; /* borrowed from the line */
} lc_handshake;
/* `line` without its line break. False: *why (in the arena) states the error: no handshake at all
 * (quotes what the program printed instead, shortened, without control characters), another core
 * version, a protocol that is not 5 or 6, net/rpc, TLS although we did not request it, an address
 * of another machine. */
bool lc_handshake_read(lc_handshake *out, lc_arena *arena, lc_str line, lc_str *why);

/* A string of others for a message, in quotes: shortened, without controls. In the arena. */
lc_str lc_quote_foreign(lc_arena *arena, lc_str text);
/* Is it HOST:PORT? */
bool lc_is_tcp_address(lc_str text);
/* Is HOST this machine: localhost, or an IP address that never leaves it? Other names are not
 * looked up. */
bool lc_is_own_address(lc_str text);

#endif

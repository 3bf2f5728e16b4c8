/* TF_REATTACH_PROVIDERS, which makes a client use providers that run already: a JSON object from
 * the address of a provider to the address on which it listens. Pure. */
#ifndef LC_LIVE_REATTACH_H
#define LC_LIVE_REATTACH_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"

typedef struct lc_reattach {
    lc_str provider; /* "registry.terraform.io/hashicorp/random", as written */
    int protocol;    /* 5 or 6 */
    uint64_t pid;    /* clients take it for an int64_t */
    bool tcp;        /* the address is HOST:PORT, else the path of a socket; never empty, no NUL */
    lc_str address;
} lc_reattach;
typedef struct lc_reattaches {
    LC_VEC(lc_reattach) list;
} lc_reattaches;

/* Reads the value of the variable as clients do: member names in any case, of equal names the last,
 * no entry in an empty string. List and strings live in the arena, and borrow from `json`. False:
 * *why (in the arena) states the error. */
bool lc_reattach_read(lc_reattaches *out, lc_arena *arena, lc_str json, lc_str *why);
/* Appends the value of the variable for these providers (JSON on one line, "Test": true, so that
 * the client neither stops nor kills them). */
void lc_reattach_write(lc_buf *out, const lc_reattaches *list);

#endif

/* A client that is run alone: without a network, with few variables, for a limited time. Module
 * live. */
#ifndef LIFECHECK_LIVE_ALONE_H
#define LIFECHECK_LIVE_ALONE_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"

#include <stdint.h>

/* What is run. Lists end with NULL. */
typedef struct lc_alone {
    char *const *argv; /* the first is looked up in our PATH */
    char **env;        /* NAME=VALUE: all variables that it gets */
    const char *folder;
    int64_t timeout_ms;
} lc_alone;

/* Appends what it writes, to standard output and error. False: it could not be started, or it did
 * not end in time or before a signal to us; it and what it started are ended then. */
bool lc_live_run_alone(lc_buf *out, int *status, const lc_alone *run);
/* A private folder for it, and its end. "": none could be made, *why is the reason. False:
 * something is left. */
lc_str lc_alone_folder(lc_arena *arena, int *lock, lc_str *why);
bool lc_alone_folder_remove(lc_arena *arena, lc_str folder, int lock);

#endif

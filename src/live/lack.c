/* What the system refuses us: descriptors, processes, memory. It is not a fault of a provider. */
#include "live/internal.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

bool lc_live_is_lack(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

lc_str lc_live_error_text(lc_arena *arena, int error)
{
    const char *advice = error == EMFILE   ? ": raise ulimit -n"
                         : error == ENFILE ? ": raise the limit of the system (fs.file-max)"
                         : error == ENOMEM || error == ENOBUFS
                             ? ": raise ulimit -v, or end other processes"
                             : "";
    return lc_str_printf(arena, "%s%s", strerror(error), advice);
}

lc_str lc_live_fork_error_text(lc_arena *arena, int error)
{
    if (error != EAGAIN)
        return lc_live_error_text(arena, error);
    return lc_str_printf(arena, "%s: raise ulimit -u, or end other processes", strerror(error));
}

bool lc_live_take_descriptors(lc_arena *arena, size_t least, rlim_t *have, lc_str *why)
{
    struct rlimit now, most;
    *have = RLIM_INFINITY;
    if (getrlimit(RLIMIT_NOFILE, &now) != 0)
        return true;
    most = (struct rlimit){now.rlim_max, now.rlim_max};
    *have = setrlimit(RLIMIT_NOFILE, &most) == 0 ? now.rlim_max : now.rlim_cur;
    if (least < LC_LIVE_LEAST_DESCRIPTORS)
        least = LC_LIVE_LEAST_DESCRIPTORS;
    if (*have >= least)
        return true;
    *why = lc_str_printf(arena,
                         "only %llu open files are allowed, and lifecheck with a provider needs "
                         "%zu: raise ulimit -n",
                         (unsigned long long)*have, least);
    return false;
}

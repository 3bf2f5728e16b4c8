/* What Linux and macOS do differently. */
#define _GNU_SOURCE /* getrandom */
#include "lifecheck/base/system.h"

#include "lifecheck/base/arena.h"

#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>
#ifdef __APPLE__ /* of mach-o/dyld.h, which has another lc_str */
int _NSGetExecutablePath(char *path, uint32_t *size);
#endif

bool lc_random_bytes(void *out, size_t size)
{
#ifdef __APPLE__
    return getentropy(out, size) == 0;
#else
    return getrandom(out, size, GRND_NONBLOCK) == (ssize_t)size;
#endif
}

bool lc_file_sync(int fd)
{
#ifdef __APPLE__
    return fsync(fd) == 0;
#else
    return fdatasync(fd) == 0;
#endif
}

/* sigtimedwait is not everywhere. Only one thread of ours takes signals, so one that is pending
 * stays so, and sigwait does not wait. */
int lc_signal_take(const sigset_t *set)
{
    static const int known[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t pending, one;
    int number = 0;
    if (sigpending(&pending) != 0)
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (sigismember(set, known[i]) != 1 || sigismember(&pending, known[i]) != 1)
            continue;
        sigemptyset(&one);
        sigaddset(&one, known[i]);
        return sigwait(&one, &number) == 0 ? number : 0;
    }
    return 0;
}

lc_str lc_own_program(lc_arena *arena)
{
    char path[4096];
#ifdef __APPLE__
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? lc_str_copy(arena, lc_str_from_c(path))
                                                  : LC_STR_EMPTY;
#else
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    bool whole = n > 0 && (size_t)n < sizeof path;
    return whole ? lc_str_copy(arena, (lc_str){path, (size_t)n}) : LC_STR_EMPTY;
#endif
}

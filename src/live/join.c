/* What stands in place of a client in acceptance tests: each of their commands has a
 * TF_REATTACH_PROVIDERS of its own, which the recorder exchanges for one that leads to it. */
#define _GNU_SOURCE
#include "live/internal.h"

#include "lifecheck/arena.h"
#include "lifecheck/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_ANSWER ((size_t)1 << 20)

static bool exchange(int fd, lc_str text, lc_str *answer, lc_arena *arena)
{
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    for (size_t at = 0; at < text.len;) {
        ssize_t n = send(fd, text.ptr + at, text.len - at, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    shutdown(fd, SHUT_WR);
    return lc_fd_read(answer, arena, fd, LC_STR("recorder"), MAX_ANSWER, &quiet) == LC_OK;
}

void lc_live_join(const char *socket, char **command, lc_str *why, lc_arena *arena)
{
    const char *now = getenv("TF_REATTACH_PROVIDERS");
    lc_str answer;
    int fd = lc_live_dial(false, lc_str_from_c(socket));
    if (fd < 0 || !exchange(fd, now ? lc_str_from_c(now) : LC_STR_EMPTY, &answer, arena)) {
        *why = lc_str_printf(arena, "no recorder listens at %s: %s", socket, strerror(errno));
        return;
    }
    close(fd);
    setenv("TF_REATTACH_PROVIDERS", lc_str_to_c(arena, answer), 1);
    execvp(command[0], command);
    *why = lc_str_printf(arena, "%s cannot be run: %s", command[0], strerror(errno));
}

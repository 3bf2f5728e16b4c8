/* Runs instead of a client in acceptance tests: each of their commands has its own
 * TF_REATTACH_PROVIDERS, which the recorder replaces by one that points to itself. */
#define _GNU_SOURCE
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_ANSWER ((size_t)1 << 20)

/* NULL: there is an answer; else why not. */
static const char *exchange(int fd, lc_str text, lc_str *answer, lc_arena *arena)
{
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    if (!lc_live_send_all(fd, text) || shutdown(fd, SHUT_WR) != 0)
        return strerror(errno);
    if (lc_fd_read(answer, arena, fd, LC_STR("recorder"), MAX_ANSWER, &quiet) != LC_OK ||
        answer->len == 0)
        return "it does not respond";
    return NULL;
}

int lc_live_join(const char *socket, char **command, lc_str *why, lc_arena *arena)
{
    const char *now = getenv("TF_REATTACH_PROVIDERS");
    lc_str answer, text = now ? lc_str_from_c(now) : LC_STR_EMPTY;
    int fd = lc_live_dial(false, lc_str_from_c(socket));
    const char *problem = fd < 0 ? strerror(errno) : exchange(fd, text, &answer, arena);
    if (fd >= 0)
        close(fd);
    if (problem) {
        *why = lc_str_printf(arena, "no recorder listens at %s: %s", socket, problem);
        return LC_LIVE_NOT_JOINED;
    }
    setenv("TF_REATTACH_PROVIDERS", lc_str_to_c(arena, answer), 1);
    lc_live_restore_signals();
    execvp(command[0], command);
    int status = errno == ENOENT ? 127 : 126;
    *why = lc_str_printf(arena, "%s cannot be run: %s", command[0], strerror(errno));
    return status;
}

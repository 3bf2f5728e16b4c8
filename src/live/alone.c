/* A client that is run alone: without a network, with few variables, and for a limited time. */
#define _GNU_SOURCE /* environ */
#include "lifecheck/live/alone.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/live/session.h"
#include "live/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_OUTPUT ((size_t)4 << 20)

static void become(const lc_alone *run, int out)
{
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* signals to us are blocked */
    setpgid(0, 0);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 ||
        chdir(run->folder) != 0 || !lc_live_go_offline())
        _exit(127);
    environ = run->env;
    execvp(run->argv[0], run->argv);
    _exit(127);
}

/* Until it has closed its end, or the time is over. False: the latter. */
static bool read_all(lc_buf *out, int fd, int64_t deadline)
{
    char bytes[4096];
    for (;;) {
        int64_t left = deadline - lc_live_now() / 1000;
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (left <= 0 || lc_session_stopped())
            return false;
        if (poll(&wait, 1, left > 200 ? 200 : (int)left) <= 0)
            continue;
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        if (out->len < MOST_OUTPUT)
            lc_buf_add_str(out, (lc_str){bytes, (size_t)n});
    }
}

bool lc_live_run_alone(lc_buf *out, int *status, const lc_alone *run)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0)
        become(run, ends[1]);
    close(ends[1]);
    bool done = pid > 0 && read_all(out, ends[0], lc_live_now() / 1000 + run->timeout_ms);
    close(ends[0]);
    if (pid <= 0)
        return false;
    setpgid(pid, pid); /* whoever is first */
    if (!done)
        kill(-pid, SIGKILL);
    int ended = 0;
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL); /* what it has left */
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128;
    return done && *status != 127;
}

lc_str lc_alone_folder(lc_arena *arena, int *lock, lc_str *why)
{
    return lc_live_folder_new(arena, 0, lock, why);
}

bool lc_alone_folder_remove(lc_arena *arena, lc_str folder, int lock)
{
    return lc_live_folder_remove(arena, folder, lock);
}

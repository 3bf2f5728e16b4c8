/* Ends a group of processes when we end, however that happens, where no parent-death signal does
 * it: a process of our own waits at a pipe that only we hold open. It has no other descriptor, and
 * ignores what a terminal sends. */
#include "live/internal.h"

#include "lifecheck/base/system.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#if !LC_ON_LINUX

#define MOST_DESCRIPTORS 65536 /* that are closed */

static _Noreturn void wait_and_end(int fd, pid_t group)
{
    char byte;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    long most = sysconf(_SC_OPEN_MAX);
    for (int other = 0; other < (most > 0 && most < MOST_DESCRIPTORS ? most : MOST_DESCRIPTORS);
         other++) {
        if (other != fd)
            close(other);
    }
    if (read(fd, &byte, 1) == 0) {
        kill(-group, SIGKILL);
        kill(group, SIGKILL);
    }
    _exit(0);
}

int lc_live_tie(pid_t group)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t between = fork(); /* its child is not a child of ours, so that we need not wait for it */
    if (between == 0) {
        if (fork() == 0)
            wait_and_end(ends[0], group);
        _exit(0);
    }
    close(ends[0]);
    if (between > 0)
        waitpid(between, NULL, 0);
    return ends[1];
}

#endif

void lc_live_untie(int *fd)
{
    if (*fd < 0)
        return;
    ssize_t n = write(*fd, "", 1);
    (void)n;
    close(*fd);
    *fd = -1;
}

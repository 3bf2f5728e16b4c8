/* Processes without a network, in a namespace of their own. Sockets with a path still work. */
#define _GNU_SOURCE /* unshare */
#include "live/internal.h"

#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return written;
}

/* Who asks for it without rights gets them in a namespace of users, where it stays who it was. */
static bool in_own_users(void)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 &&
           write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups);
}

/* Some programs talk to themselves. */
static void raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    request.ifr_flags = IFF_UP;
    ioctl(fd, SIOCSIFFLAGS, &request);
    close(fd);
}

bool lc_live_go_offline(void)
{
    if (unshare(CLONE_NEWNET) != 0 && !in_own_users())
        return false;
    raise_loopback();
    return true;
}

#else

bool lc_live_go_offline(void)
{
    return false;
}

#endif

/* Only an attempt shows whether it is allowed, and an attempt cannot be undone: a child process
 * makes it. */
bool lc_live_can_be_offline(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(lc_live_go_offline() ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

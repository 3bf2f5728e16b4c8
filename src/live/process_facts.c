/* What the system says of other processes: who dials a socket, its program, arguments, folder and
 * environment. From /proc on Linux, from libproc and sysctl on macOS. Without either everything is
 * unknown. */
#define _GNU_SOURCE /* struct ucred */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __APPLE__
#include <libproc.h>
#include <sys/sysctl.h>
#include <sys/un.h>
#endif

#define MAX_ENVIRONMENT ((size_t)4 << 20)

typedef LC_VEC(char *) words;

/* Takes the string that ends in NUL, or at the end, and leaves what follows. */
static lc_str take_string(lc_str *bytes)
{
    size_t end = lc_str_find(*bytes, 0, '\0');
    lc_str taken = lc_str_sub(*bytes, 0, end);
    *bytes = lc_str_sub(*bytes, end < bytes->len ? end + 1 : end, bytes->len);
    return taken;
}

static void add_word(lc_arena *arena, words *list, lc_str text)
{
    *LC_PUSH(arena, list, char *) = lc_str_to_c(arena, text);
}

#ifdef __APPLE__

pid_t lc_live_client_pid(int fd)
{
    pid_t pid = 0;
    socklen_t size = sizeof pid;
    return getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, &pid, &size) == 0 ? pid : 0;
}

lc_str lc_live_program_of(lc_arena *arena, pid_t pid)
{
    char path[PROC_PIDPATHINFO_MAXSIZE];
    int n = proc_pidpath(pid, path, sizeof path);
    return n > 0 ? lc_str_copy(arena, (lc_str){path, (size_t)n}) : LC_STR_EMPTY;
}

lc_str lc_live_folder_of(lc_arena *arena, pid_t pid)
{
    struct proc_vnodepathinfo info;
    int n = proc_pidinfo(pid, PROC_PIDVNODEPATHINFO, 0, &info, sizeof info);
    return n == (int)sizeof info ? lc_str_copy(arena, lc_str_from_c(info.pvi_cdir.vip_path))
                                 : LC_STR_EMPTY;
}

/* The number of arguments, the path of the program, NULs, the arguments, the environment, "". */
void lc_live_words_of(lc_arena *arena, pid_t pid, char ***arguments, char ***environment)
{
    int count, name[] = {CTL_KERN, KERN_PROCARGS2, pid};
    words given = {0}, variables = {0};
    size_t size = MAX_ENVIRONMENT;
    lc_arena *own = lc_arena_new();
    char *memory = lc_arena_alloc(own, size);
    *arguments = *environment = NULL;
    if (sysctl(name, 3, memory, &size, NULL, 0) != 0 || size < sizeof count) {
        lc_arena_free(own);
        return;
    }
    memcpy(&count, memory, sizeof count);
    lc_str bytes = {memory + sizeof count, size - sizeof count};
    take_string(&bytes);
    while (bytes.len && bytes.ptr[0] == '\0')
        bytes = lc_str_sub(bytes, 1, bytes.len);
    for (int i = 0; i < count && bytes.len; i++)
        add_word(arena, &given, take_string(&bytes));
    while (bytes.len && bytes.ptr[0] != '\0')
        add_word(arena, &variables, take_string(&bytes));
    lc_arena_free(own);
    *LC_PUSH(arena, &given, char *) = NULL;
    *LC_PUSH(arena, &variables, char *) = NULL;
    *arguments = given.items;
    *environment = variables.items;
}

#else

pid_t lc_live_client_pid(int fd)
{
#ifdef SO_PEERCRED
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == sizeof peer)
        return peer.pid;
#endif
    (void)fd;
    return 0;
}

static lc_str link_of(lc_arena *arena, pid_t pid, const char *name)
{
    char path[64], target[4096];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    ssize_t n = readlink(path, target, sizeof target);
    bool whole = n > 0 && (size_t)n < sizeof target;
    return whole ? lc_str_copy(arena, (lc_str){target, (size_t)n}) : LC_STR_EMPTY;
}

lc_str lc_live_program_of(lc_arena *arena, pid_t pid)
{
    return link_of(arena, pid, "exe");
}

lc_str lc_live_folder_of(lc_arena *arena, pid_t pid)
{
    return link_of(arena, pid, "cwd");
}

static char **words_in(lc_arena *arena, pid_t pid, const char *file)
{
    words list = {0};
    lc_str path = lc_str_printf(arena, "/proc/%ld/%s", (long)pid, file), bytes;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (lc_file_read(&bytes, arena, path, MAX_ENVIRONMENT, &quiet) != LC_OK || bytes.len == 0)
        return NULL;
    while (bytes.len)
        add_word(arena, &list, take_string(&bytes));
    *LC_PUSH(arena, &list, char *) = NULL;
    return list.items;
}

void lc_live_words_of(lc_arena *arena, pid_t pid, char ***arguments, char ***environment)
{
    *arguments = words_in(arena, pid, "cmdline");
    *environment = words_in(arena, pid, "environ");
}

#endif

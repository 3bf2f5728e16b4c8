/* Finds which process dials a socket, by asking the operating system. A provider has to work in the
 * folder and with the environment of the client that would have started it, which matters for
 * relative paths (`terraform -chdir=...`) and credentials set in a script. */
#define _GNU_SOURCE /* struct ucred */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/source/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_ENVIRONMENT ((size_t)4 << 20)

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

/* Strings that end in NUL, one after the other; NULL at the end. */
static char **texts_of(lc_arena *arena, pid_t pid, const char *file)
{
    LC_VEC(char *) list = {0};
    lc_str path = lc_str_printf(arena, "/proc/%ld/%s", (long)pid, file), bytes;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (lc_file_read(&bytes, arena, path, MAX_ENVIRONMENT, &quiet) != LC_OK || bytes.len == 0)
        return NULL;
    for (size_t at = 0; at < bytes.len;) {
        size_t end = lc_str_find(bytes, at, '\0');
        *LC_PUSH(arena, &list, char *) = lc_str_to_c(arena, lc_str_sub(bytes, at, end));
        at = end + 1;
    }
    *LC_PUSH(arena, &list, char *) = NULL;
    return list.items;
}

/* The value of an option, which may have one dash or two, and an equals sign or not; "": it is not
 * given. */
static lc_str value_of(char **arguments, const char *option)
{
    size_t length = strlen(option);
    for (size_t i = 1; arguments && arguments[i]; i++) {
        const char *word = arguments[i], *name = word + (word[0] == '-' && word[1] == '-');
        if (strncmp(name, option, length) != 0)
            continue;
        if (name[length] == '=')
            return lc_str_from_c(name + length + 1);
        if (name[length] == '\0' && arguments[i + 1])
            return lc_str_from_c(arguments[i + 1]);
    }
    return LC_STR_EMPTY;
}

/* -out=FILE, or the file that is applied. */
static lc_str plan_of(char **arguments)
{
    bool applies = false;
    lc_str last = value_of(arguments, "-out");
    if (last.len)
        return last;
    for (size_t i = 1; arguments && arguments[i]; i++) {
        const char *word = arguments[i];
        last = word[0] == '-' || !applies ? LC_STR_EMPTY : lc_str_from_c(word);
        applies |= strcmp(word, "apply") == 0;
    }
    return last;
}

/* -state-out=FILE, or -state=FILE. */
static lc_str state_of(char **arguments)
{
    lc_str out = value_of(arguments, "-state-out");
    return out.len ? out : value_of(arguments, "-state");
}

void lc_live_client_of(lc_live_client *out, lc_arena *arena, int fd)
{
    *out = (lc_live_client){.pid = lc_live_client_pid(fd),
                            .program = LC_STR_EMPTY,
                            .path = LC_STR_EMPTY,
                            .plan = LC_STR_EMPTY,
                            .state = LC_STR_EMPTY,
                            .folder = LC_STR_EMPTY};
    if (out->pid == 0)
        return;
    out->path = link_of(arena, out->pid, "exe");
    out->program = lc_file_name(out->path);
    char **arguments = texts_of(arena, out->pid, "cmdline");
    out->plan = plan_of(arguments);
    out->state = state_of(arguments);
    out->folder = link_of(arena, out->pid, "cwd");
    out->environment = texts_of(arena, out->pid, "environ");
}

/* Variables that a shell or we set for a command, and that providers do not look at. */
static bool is_noise(const char *entry)
{
    static const char *const names[] = {
        "TF_REATTACH_PROVIDERS=", "_=", "SHLVL=", "PWD=", "OLDPWD="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

static void add_entries(lc_table *table, char **entries, size_t *count)
{
    for (size_t i = 0; entries[i]; i++) {
        if (!is_noise(entries[i]) && !lc_table_put(table, lc_str_from_c(entries[i]), table))
            ++*count;
    }
}

static bool same_environment(lc_arena *arena, char **other)
{
    lc_table ours;
    size_t own = 0, seen = 0;
    lc_table_init(&ours, arena);
    add_entries(&ours, environ, &own);
    for (size_t i = 0; other[i]; i++) {
        if (is_noise(other[i]))
            continue;
        if (!lc_table_get(&ours, lc_str_from_c(other[i])))
            return false;
        seen++;
    }
    return seen == own;
}

bool lc_live_client_is_ours(const lc_live_client *client, lc_arena *arena)
{
    char here[4096];
    bool same_folder =
        client->folder.len == 0 || !getcwd(here, sizeof here) || lc_str_is(client->folder, here);
    return same_folder && (!client->environment || same_environment(arena, client->environment));
}

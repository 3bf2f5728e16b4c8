/* Scenarios that commands find, as files of their own. They may hold values of users, so that only
 * the owner reads them. */
#include "cli/scenario_file.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool lc_make_folder(lc_arena *arena, lc_str folder)
{
    char *path = lc_str_to_c(arena, folder);
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool lc_write_scenario(lc_arena *arena, lc_str folder, lc_str file, lc_str text)
{
    const char *path = lc_str_to_c(arena, file);
    int fd = -1;
    if (lc_make_folder(arena, folder))
        /* Not through a link, which another user may have placed in a shared folder. */
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && lc_write_all(fd, text);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    if (!ok)
        lc_message("%.*s cannot be written: %s", LC_FMT(file), strerror(errno));
    if (!ok && fd >= 0)
        unlink(path); /* a part of a scenario is none */
    return ok;
}

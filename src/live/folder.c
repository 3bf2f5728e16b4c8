/* Private folders, for sockets and for what a provider writes. */
#define _GNU_SOURCE /* the longest path of a socket differs between systems */
#include "live/internal.h"

#include "lifecheck/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Folders inside each other that are removed. */
#define DEEPEST 100

static bool fits(lc_str base, size_t longest)
{
    static const char name[] = "/lifecheck-XXXXXX/";
    return base.len && base.len + sizeof name + longest < sizeof((struct sockaddr_un *)0)->sun_path;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) && access(path, W_OK | X_OK) == 0;
}

lc_str lc_live_folder_new(lc_arena *arena, size_t longest, lc_str *why)
{
    const char *const bases[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
    *why = LC_STR("no folder for sockets: XDG_RUNTIME_DIR, TMPDIR and /tmp cannot be written, or "
                  "their paths are too long for a socket (107 bytes)");
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        lc_str base = bases[i] ? lc_str_from_c(bases[i]) : LC_STR_EMPTY;
        if (base.len == 0 || base.ptr[0] != '/' || !fits(base, longest) || !is_folder(base.ptr))
            continue;
        lc_str path = lc_str_printf(arena, "%.*s/lifecheck-XXXXXX", LC_FMT(base));
        char *text = lc_str_to_c(arena, path);
        if (mkdtemp(text))
            return lc_str_from_c(text);
    }
    return LC_STR_EMPTY;
}

static bool remove_all(int parent, const char *name, int depth);

static bool is_itself(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Takes over the descriptor. */
static bool empty(int fd, int depth)
{
    DIR *folder = fdopendir(fd);
    bool good = folder != NULL;
    if (!folder) {
        close(fd);
        return false;
    }
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!is_itself(entry->d_name))
            good &= remove_all(fd, entry->d_name, depth);
    }
    closedir(folder);
    return good;
}

/* A folder may keep even its owner from looking into it. */
static bool remove_all(int parent, const char *name, int depth)
{
    if (unlinkat(parent, name, 0) == 0)
        return true;
    if ((errno != EISDIR && errno != EPERM && errno != EACCES) || depth == DEEPEST)
        return false;
    if (fchmodat(parent, name, 0700, 0) != 0)
        return false;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && empty(fd, depth + 1) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

bool lc_live_folder_remove(lc_arena *arena, lc_str folder)
{
    return folder.len == 0 || remove_all(AT_FDCWD, lc_str_to_c(arena, folder), 0);
}

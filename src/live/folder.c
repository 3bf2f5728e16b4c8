/* Private folders, for sockets and for what a provider writes. */
#define _GNU_SOURCE /* the longest path of a socket differs between systems */
#include "live/internal.h"

#include "lifecheck/base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

static bool remove_all(int parent, const char *name, int depth);

/* ---- Folders that a process which was killed has left. */

/* A file in each folder that its process has locked as long as it lives. */
#define LOCK         "lock"
#define FRESH_LOCK   "lock.new"
#define NAME         "lifecheck-"
#define MOST_ENTRIES 100000 /* of a folder for temporary files, that are looked at */
#define MOST_AT_ONCE 100    /* folders that are removed */

/* The folder gets its name only once it is locked, so that no process ever sees it unlocked.
 * Negative: it cannot be made. */
static int lock_folder(lc_arena *arena, lc_str path)
{
    const char *fresh = lc_str_to_c(arena, lc_str_printf(arena, "%.*s/" FRESH_LOCK, LC_FMT(path)));
    const char *name = lc_str_to_c(arena, lc_str_printf(arena, "%.*s/" LOCK, LC_FMT(path)));
    int fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) != 0 || rename(fresh, name) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool is_mine(int fd, mode_t kind, struct stat *info)
{
    return fstat(fd, info) == 0 && (info->st_mode & S_IFMT) == kind && info->st_uid == geteuid() &&
           (info->st_mode & 077) == 0;
}

/* Is this a folder of ours whose process has ended? Returns the lock, which is then ours, or -1. */
static int take_over(int folder)
{
    struct stat info;
    if (!is_mine(folder, S_IFDIR, &info))
        return -1;
    int fd = openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (!is_mine(fd, S_IFREG, &info) || flock(fd, LOCK_EX | LOCK_NB) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* What has the name may be another folder by now. */
static bool is_still(int base, const char *name, int folder)
{
    struct stat there, here;
    return fstatat(base, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(folder, &here) == 0 &&
           there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

static bool sweep_one(int base, const char *name)
{
    int folder = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = folder < 0 ? -1 : take_over(folder);
    bool removed = lock >= 0 && is_still(base, name, folder) && remove_all(base, name, 0);
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
    return removed;
}

static void sweep(const char *base)
{
    DIR *all = opendir(base);
    size_t removed = 0, seen = 0;
    if (!all)
        return;
    for (const struct dirent *entry;
         removed < MOST_AT_ONCE && seen < MOST_ENTRIES && (entry = readdir(all)); seen++) {
        lc_str name = lc_str_from_c(entry->d_name);
        if (name.len == sizeof NAME "XXXXXX" - 1 && lc_str_starts_with(name, LC_STR(NAME)))
            removed += sweep_one(dirfd(all), entry->d_name);
    }
    closedir(all);
}

/* ---- A folder. */

lc_str lc_live_folder_new(lc_arena *arena, size_t longest, int *lock, lc_str *why)
{
    const char *const bases[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
    *why = LC_STR("no folder for sockets: XDG_RUNTIME_DIR, TMPDIR and /tmp cannot be written, or "
                  "their paths are too long for a socket (107 bytes)");
    *lock = -1;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        lc_str base = bases[i] ? lc_str_from_c(bases[i]) : LC_STR_EMPTY;
        if (base.len == 0 || base.ptr[0] != '/' || !fits(base, longest) || !is_folder(base.ptr))
            continue;
        sweep(lc_str_to_c(arena, base));
        lc_str path = lc_str_printf(arena, "%.*s/" NAME "XXXXXX", LC_FMT(base));
        char *text = lc_str_to_c(arena, path);
        if (!mkdtemp(text))
            continue;
        *lock = lock_folder(arena, lc_str_from_c(text));
        return lc_str_from_c(text);
    }
    return LC_STR_EMPTY;
}

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

bool lc_live_folder_remove(lc_arena *arena, lc_str folder, int lock)
{
    bool removed = folder.len == 0 || remove_all(AT_FDCWD, lc_str_to_c(arena, folder), 0);
    if (lock >= 0)
        close(lock);
    return removed;
}

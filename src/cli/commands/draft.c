/* Output files that are complete or do not exist: a file is written without a name, so that
 * nothing is left behind if the program is killed, and gets its name when it is complete.
 * Devices and pipes are written directly. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)64 << 10)

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Limit of links that lead to no file yet. */
#define MOST_LINKS 8

/* The real path of the file: links are followed, for a new file those of its folder. */
static char *place_of(lc_arena *arena, const char *name, unsigned links)
{
    char found[PATH_MAX];
    if (realpath(name, found))
        return lc_str_to_c(arena, lc_str_from_c(found));
    const char *slash = strrchr(name, '/');
    ssize_t len = links < MOST_LINKS ? readlink(name, found, sizeof found) : -1;
    if (len > 0 && (size_t)len < sizeof found) {
        int up = slash && found[0] != '/' ? (int)(slash - name) + 1 : 0;
        return place_of(
            arena, lc_str_to_c(arena, lc_str_printf(arena, "%.*s%.*s", up, name, (int)len, found)),
            links + 1);
    }
    lc_str folder = slash ? (lc_str){name, (size_t)(slash - name) + 1} : LC_STR("./");
    if (!realpath(lc_str_to_c(arena, folder), found))
        return lc_str_to_c(arena, lc_str_from_c(name));
    return lc_str_to_c(arena, lc_str_printf(arena, "%s/%s", found, slash ? slash + 1 : name));
}

static char *name_beside(lc_arena *arena, const char *place)
{
    return lc_str_to_c(arena, lc_str_printf(arena, "%s.XXXXXX", place));
}

bool lc_draft_open(lc_draft *out, lc_arena *arena, const char *name)
{
    struct stat info;
    *out = (lc_draft){.arena = arena, .name = name, .place = place_of(arena, name, 0), .fd = -1};
    bool exists = stat(name, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && access(name, W_OK) != 0)
        return false;
    out->mode = exists ? info.st_mode & 07777 : mode_of_new_files();
    out->direct = exists && !S_ISREG(info.st_mode);
    if (out->direct) {
        out->fd = open(name, O_WRONLY | O_CLOEXEC);
        return out->fd >= 0;
    }
    char *part = name_beside(arena, out->place);
    out->fd = mkstemp(part);
    if (out->fd >= 0) {
        unlink(part);
        fcntl(out->fd, F_SETFD, FD_CLOEXEC);
    }
    return out->fd >= 0;
}

static bool copy(int from, int to)
{
    char piece[PIECE];
    ssize_t n;
    if (lseek(from, 0, SEEK_SET) != 0)
        return false;
    while ((n = read(from, piece, sizeof piece)) != 0) {
        ssize_t at = 0, done = 0;
        if (n < 0 && errno != EINTR)
            return false;
        for (; at<n; at += done> 0 ? done : 0) {
            done = write(to, piece + at, (size_t)(n - at));
            if (done < 0 && errno != EINTR)
                return false;
        }
    }
    return true;
}

static bool put_in_place(lc_draft *d)
{
    char *part = name_beside(d->arena, d->place);
    int fd = mkstemp(part);
    if (fd < 0)
        return false;
    bool ok = copy(d->fd, fd) && fchmod(fd, d->mode) == 0;
    int problem = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        problem = errno;
    }
    if (ok && rename(part, d->place) == 0)
        return true;
    problem = ok ? errno : problem;
    unlink(part);
    errno = problem;
    return false;
}

/* Signals are blocked while the file gets its name. */
bool lc_draft_keep(lc_draft *d)
{
    sigset_t all, before;
    if (d->direct)
        return close(d->fd) == 0;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool ok = put_in_place(d);
    int problem = errno;
    close(d->fd);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return ok;
}

void lc_draft_drop(lc_draft *d)
{
    if (d->fd >= 0)
        close(d->fd);
    d->fd = -1;
}

/* ---- Is an existing file an input of this run? */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_path_char(char c)
{
    return c != '\0' && !strchr(" \t\r\n\"'{}[],:", c);
}

/* Does the text name the file, relative to `folder`? Wherever the last part of its name occurs,
 * all characters before it that a path can have in YAML or JSON belong to the path. */
static bool names_file(lc_arena *arena, lc_str text, lc_str folder, lc_str name,
                       const struct stat *file)
{
    for (size_t at = 0; name.len && at + name.len <= text.len; at++) {
        if (text.ptr[at] != name.ptr[0] || memcmp(text.ptr + at, name.ptr, name.len) != 0)
            continue;
        size_t from = at, to = at + name.len;
        while (from > 0 && is_path_char(text.ptr[from - 1]))
            from--;
        if (to < text.len && is_path_char(text.ptr[to]) && text.ptr[to] != '#')
            continue;
        lc_str path = lc_str_sub(text, from, to);
        lc_str seen = path.ptr[0] == '/'
                          ? path
                          : lc_str_printf(arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(path));
        struct stat info;
        if (stat(lc_str_to_c(arena, seen), &info) == 0 && is_same(file, &info))
            return true;
    }
    return false;
}

/* A scenario can name schemas, plans, states and configurations, which are inputs too. */
static bool refers_to(lc_arena *arena, lc_str input, lc_str name, const struct stat *file)
{
    lc_diags quiet;
    lc_str text;
    lc_diags_init(&quiet, arena);
    return lc_file_read(&text, arena, input, LC_MOST_REFERRING, &quiet) == LC_OK &&
           names_file(arena, text, lc_file_folder(input), name, file);
}

bool lc_is_read(const lc_items *items, const char *path)
{
    struct stat file, info, folder;
    const char *slash = strrchr(path, '/');
    lc_str name = lc_str_from_c(slash ? slash + 1 : path);
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    lc_arena *scratch = lc_arena_new();
    lc_str up = slash ? (lc_str){path, (size_t)(slash - path) + 1} : LC_STR("./");
    bool has_folder = stat(lc_str_to_c(scratch, up), &folder) == 0, read = false;
    for (size_t i = 0; !read && i < items->list.count; i++) {
        lc_str input = items->list.items[i].file;
        if (lc_str_is(input, "-") || stat(lc_str_to_c(scratch, input), &info) != 0)
            continue;
        read = is_same(&file, &info) || (has_folder && is_same(&folder, &info)) ||
               (S_ISREG(info.st_mode) && refers_to(scratch, input, name, &file));
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    return read;
}

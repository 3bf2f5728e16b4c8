/* Output files that are complete or do not exist. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "lifecheck/files/output_file.h"

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

bool lc_write_all(int fd, lc_str bytes)
{
    size_t at = 0;
    while (at < bytes.len) {
        ssize_t n = write(fd, bytes.ptr + at, bytes.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

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

bool lc_output_file_open(lc_output_file *out, lc_arena *arena, const char *name)
{
    struct stat info;
    *out =
        (lc_output_file){.arena = arena, .name = name, .place = place_of(arena, name, 0), .fd = -1};
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
        bool interrupted = n < 0 && errno == EINTR;
        if (!interrupted && (n < 0 || !lc_write_all(to, (lc_str){piece, (size_t)n})))
            return false;
    }
    return true;
}

static bool put_in_place(lc_output_file *file)
{
    char *part = name_beside(file->arena, file->place);
    int fd = mkstemp(part);
    if (fd < 0)
        return false;
    bool ok = copy(file->fd, fd) && fchmod(fd, file->mode) == 0;
    int problem = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        problem = errno;
    }
    if (ok && rename(part, file->place) == 0)
        return true;
    problem = ok ? errno : problem;
    unlink(part);
    errno = problem;
    return false;
}

/* Signals are blocked while the file gets its name. */
bool lc_output_file_commit(lc_output_file *file)
{
    sigset_t all, before;
    if (file->direct)
        return close(file->fd) == 0;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool ok = put_in_place(file);
    int problem = errno;
    close(file->fd);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return ok;
}

void lc_output_file_discard(lc_output_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

bool lc_output_file_write(lc_arena *arena, const char *name, lc_str bytes)
{
    lc_output_file file;
    if (!lc_output_file_open(&file, arena, name))
        return false;
    if (lc_write_all(file.fd, bytes))
        return lc_output_file_commit(&file);
    int problem = errno;
    lc_output_file_discard(&file);
    errno = problem;
    return false;
}

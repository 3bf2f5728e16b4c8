/* Reading files, pipes and folders. */
#include "lifecheck/files/input_file.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe of another process is waited for so long, for its writer and between its bytes. */
#define PATIENCE_S 10

const char *lc_read_problem(int error)
{
    return error == ETIMEDOUT ? "no process writes to this pipe (waited 10 seconds): start its "
                                "writer first, or use standard input, which has no such limit"
           : error == EACCES  ? "permission denied: `chmod +r` permits reading it"
                              : strerror(error);
}

/* A socket may have a time limit of its own, whose end is EAGAIN too. */
static bool can_wait(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK);
}

ssize_t lc_fd_some(int fd, char *bytes, size_t most)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    for (;;) {
        ssize_t n = read(fd, bytes, most);
        bool wait = n < 0 && errno == EAGAIN && can_wait(fd);
        if (n >= 0 || (errno != EINTR && !wait))
            return n;
        if (wait && poll(&wanted, 1, fd == STDIN_FILENO ? -1 : PATIENCE_S * 1000) == 0) {
            errno = ETIMEDOUT;
            return -1;
        }
    }
}

static lc_status refuse(lc_diags *diags, lc_str path, const char *why)
{
    lc_diag_error(diags, (lc_loc){path, 0, 0}, "%s", why);
    return LC_EIO;
}

/* Reads until the end rather than to the expected size, because pipes have none and files can grow.
 * One byte more than the limit is read, to notice that it is exceeded. */
static lc_status read_all(lc_str *out, lc_arena *arena, int fd, lc_str path, size_t expected,
                          size_t max_bytes, lc_diags *diags)
{
    size_t capacity = expected < max_bytes ? expected + 1 : max_bytes + 1, used = 0;
    if (capacity < 4096)
        capacity = 4096;
    char *bytes = lc_arena_alloc(arena, capacity);
    for (;;) {
        if (used == capacity) {
            char *wider = lc_arena_alloc(arena, lc_mul_size(capacity, 2));
            memcpy(wider, bytes, used);
            bytes = wider;
            capacity *= 2;
        }
        ssize_t n = lc_fd_some(fd, bytes + used, capacity - used);
        if (n < 0)
            return refuse(diags, path, lc_read_problem(errno));
        if (n == 0)
            break;
        used += (size_t)n;
        if (used > max_bytes) {
            lc_diag_error(diags, (lc_loc){path, 0, 0},
                          "larger than the limit of %zu bytes; --max-input sets that of inputs",
                          max_bytes);
            return LC_ELIMIT;
        }
    }
    *out = (lc_str){bytes, used};
    return LC_OK;
}

/* The size of a regular file is used for the first allocation only. */
lc_status lc_fd_read(lc_str *out, lc_arena *arena, int fd, lc_str name, size_t max_bytes,
                     lc_diags *diags)
{
    *out = LC_STR_EMPTY;
    struct stat info;
    if (fstat(fd, &info) != 0)
        return refuse(diags, name, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return refuse(diags, name, "this is a folder, not a file: name a file in it");
    return read_all(out, arena, fd, name, S_ISREG(info.st_mode) ? (size_t)info.st_size : 0,
                    max_bytes, diags);
}

/* What the caller of the program has opened, such as <(COMMAND), may be quiet for long. */
static bool is_inherited(const char *path)
{
    lc_str name = lc_str_from_c(path);
    return lc_str_is(name, "/dev/stdin") || lc_str_starts_with(name, LC_STR("/dev/fd/")) ||
           lc_str_starts_with(name, LC_STR("/proc/"));
}

void lc_fd_await(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (fd != STDIN_FILENO && flags >= 0 && (flags & O_NONBLOCK))
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

/* Opening a named pipe without a writer would block forever. Opened without blocking, it is at its
 * end without a writer, and has no data (EAGAIN) with one that has not written yet. */
static int open_pipe(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ready;
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    bool inherited = is_inherited(path);
    char none;
    if (fd < 0)
        return -1;
    do
        ready = poll(&wanted, 1, PATIENCE_S * 1000);
    while (ready < 0 && errno == EINTR);
    if (ready > 0 || (ready == 0 && inherited && read(fd, &none, 1) < 0 && errno == EAGAIN)) {
        if (inherited)
            lc_fd_await(fd);
        return fd;
    }
    close(fd);
    errno = ETIMEDOUT;
    return -1;
}

int lc_file_open(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISFIFO(info.st_mode))
        return open_pipe(path);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Standard input belongs to the caller and stays open. */
lc_status lc_file_read(lc_str *out, lc_arena *arena, lc_str path, size_t max_bytes, lc_diags *diags)
{
    *out = LC_STR_EMPTY;
    bool standard = lc_str_is(path, "-");
    int fd = standard ? STDIN_FILENO : lc_file_open(lc_str_to_c(arena, path));
    if (fd < 0)
        return refuse(diags, path,
                      errno == ENOENT ? lc_str_to_c(arena, lc_no_such(arena, path, "file"))
                                      : lc_read_problem(errno));
    lc_status status = lc_fd_read(out, arena, fd, path, max_bytes, diags);
    if (!standard)
        close(fd);
    return status;
}

/* A pipe delivers in pieces, so reading continues until the line or `most` is complete. */
bool lc_fd_head(lc_str *out, char *bytes, size_t most, int fd, bool line, bool *all)
{
    ssize_t n = 1;
    *out = (lc_str){bytes, 0};
    while (n > 0 && out->len < most && !(line && memchr(bytes, '\n', out->len))) {
        n = lc_fd_some(fd, bytes + out->len, most - out->len);
        out->len += n > 0 ? (size_t)n : 0;
    }
    *all = n == 0;
    return n >= 0;
}

/* O_NONBLOCK, so that a pipe does not block before fstat excludes it. */
bool lc_file_head(lc_str *out, lc_arena *arena, lc_str path, size_t most)
{
    struct stat info;
    char *bytes = lc_arena_alloc(arena, most);
    int fd = open(lc_str_to_c(arena, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool all, good = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    *out = (lc_str){bytes, 0};
    good = good && lc_fd_head(out, bytes, most, fd, false, &all);
    if (fd >= 0)
        close(fd);
    return good;
}

bool lc_folder_list(lc_str **out, size_t *count, lc_arena *arena, lc_str path)
{
    LC_VEC(lc_str) names = {0};
    DIR *folder = opendir(lc_str_to_c(arena, path));
    if (!folder)
        lc_check_memory();
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        lc_str name = lc_str_from_c(entry->d_name);
        if (!lc_str_is(name, ".") && !lc_str_is(name, ".."))
            *LC_PUSH(arena, &names, lc_str) = lc_str_copy(arena, name);
    }
    lc_str_sort(names.items, names.count);
    *out = names.items;
    *count = names.count;
    return folder && closedir(folder) == 0;
}

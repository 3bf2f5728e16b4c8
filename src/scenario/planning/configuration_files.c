/* Files that the expressions of a configuration read, from its folders. Only regular files and
 * folders below its roots are opened; symbolic links may not lead outside of them. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/sort.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct lc_folder_files {
    lc_arena *arena;
    lc_str root; /* empty: the current folder */
    const lc_roots *roots;
    lc_table known; /* want and path -> lc_file_answer *, so that nothing is read twice */
    size_t bytes, openings;
};

static lc_file_answer refused(const char *reason)
{
    return (lc_file_answer){.kind = LC_FILE_REFUSED, .reason = lc_str_from_c(reason)};
}

/* The answer for errno. */
static lc_file_answer failed(void)
{
    lc_check_memory();
    return refused(strerror(errno));
}

static lc_str beside_root(const lc_folder_files *f, lc_arena *arena, lc_str path)
{
    lc_str root = f->root.len ? f->root : LC_STR(".");
    return path.len ? lc_str_printf(arena, "%.*s/%.*s", LC_FMT(root), LC_FMT(path)) : root;
}

/* Files that are missing outside of the roots, after a symbolic link, are not reported either: the
 * longest part of the path that exists must be inside. Changes `whole`. */
static bool missing_inside(const lc_folder_files *f, char *whole)
{
    char full[PATH_MAX];
    char *slash = strrchr(whole, '/');
    while (slash && slash != whole) {
        *slash = '\0';
        if (realpath(whole, full))
            return lc_roots_hold(f->roots, lc_str_from_c(full));
        slash = strrchr(whole, '/');
    }
    return false;
}

/* The path without symbolic links; false: *out has the reason. */
static bool resolve(const lc_folder_files *f, lc_arena *arena, lc_str path, char full[PATH_MAX],
                    lc_file_answer *out)
{
    lc_str whole = beside_root(f, arena, path);
    if (memchr(path.ptr, '\0', path.len) || whole.len >= PATH_MAX)
        *out = refused("it is not a path of a file");
    else if (realpath(lc_str_to_c(arena, whole), full))
        *out = lc_roots_hold(f->roots, lc_str_from_c(full))
                   ? (lc_file_answer){.kind = LC_FILE_REGULAR}
                   : refused("a symbolic link leads out of the configuration");
    else if (errno != ENOENT && errno != ENOTDIR)
        *out = failed();
    else
        *out = (lc_file_answer){.kind = errno == ENOENT ? LC_FILE_MISSING : LC_FILE_NOT_FOLDER};
    bool missing = out->kind == LC_FILE_MISSING || out->kind == LC_FILE_NOT_FOLDER;
    if (missing && !missing_inside(f, lc_str_to_c(arena, whole)))
        *out = refused("a symbolic link leads out of the configuration");
    return out->kind == LC_FILE_REGULAR;
}

static lc_file_kind kind_of(const struct stat *info)
{
    return S_ISREG(info->st_mode)   ? LC_FILE_REGULAR
           : S_ISDIR(info->st_mode) ? LC_FILE_FOLDER
                                    : LC_FILE_SPECIAL;
}

/* ---- Reading. */

static bool read_all(int fd, char *to, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(fd, to + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static void read_bytes(lc_folder_files *f, const char *full, lc_file_answer *out)
{
    struct stat info;
    int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        *out = refused(fd < 0 ? strerror(errno) : "it is not a regular file");
    } else if ((uint64_t)info.st_size > LC_MAX_FILE_BYTES) {
        *out = refused("it is larger than 16 MiB");
    } else if (f->bytes + (size_t)info.st_size > LC_MAX_ALL_FILE_BYTES) {
        *out = refused("the files that are read are larger than 256 MiB together");
    } else {
        char *bytes = lc_arena_alloc(f->arena, (size_t)info.st_size);
        out->bytes = (lc_str){bytes, (size_t)info.st_size};
        f->bytes += out->bytes.len;
        if (!read_all(fd, bytes, out->bytes.len))
            *out = refused("it cannot be read");
    }
    if (fd >= 0)
        close(fd);
}

LC_ORDER_BY_STR(by_name, lc_file_entry, name)

/* The kind of an entry of a folder, for which symbolic links are followed; the kind of a file
 * outside of the configuration is not revealed. */
static lc_file_kind entry_kind(const lc_folder_files *f, DIR *dir, const char *folder,
                               const char *name)
{
    struct stat info;
    char path[PATH_MAX], full[PATH_MAX];
    if (fstatat(dirfd(dir), name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return LC_FILE_MISSING;
    if (!S_ISLNK(info.st_mode))
        return kind_of(&info);
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path || !realpath(path, full))
        return LC_FILE_MISSING;
    if (!lc_roots_hold(f->roots, lc_str_from_c(full)))
        return LC_FILE_REFUSED;
    return stat(full, &info) == 0 ? kind_of(&info) : LC_FILE_MISSING;
}

static void read_names(lc_folder_files *f, const char *full, lc_file_answer *out)
{
    DIR *dir = opendir(full);
    if (!dir) {
        *out = failed();
        return;
    }
    for (struct dirent *e = readdir(dir); e && out->kind == LC_FILE_FOLDER; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        *LC_PUSH(f->arena, &out->entries, lc_file_entry) = (lc_file_entry){
            lc_str_copy(f->arena, lc_str_from_c(e->d_name)), entry_kind(f, dir, full, e->d_name)};
        if (out->entries.count > LC_MAX_FOLDER_ENTRIES)
            *out = refused("the folder has more than 100,000 entries");
    }
    closedir(dir);
    if (out->entries.count > 0)
        qsort(out->entries.items, out->entries.count, sizeof(lc_file_entry), by_name);
}

static lc_file_answer look(lc_folder_files *f, lc_arena *arena, lc_str path, lc_file_want want)
{
    char full[PATH_MAX];
    struct stat info;
    lc_file_answer answer;
    if (lc_str_starts_with(path, LC_STR("/")))
        return refused("it lies outside of the configuration");
    if (!lc_roots_hold(f->roots, lc_roots_path(f->roots, arena, path)))
        return refused(lc_roots_outside(f->roots));
    if (++f->openings > LC_MAX_FILE_OPENINGS)
        return refused("too many files are read");
    if (!resolve(f, arena, path, full, &answer))
        return answer;
    if (stat(full, &info) != 0)
        return failed();
    answer.kind = kind_of(&info);
    const char *why = lc_roots_private(f->roots, lc_str_from_c(full), want == LC_FILE_READ_STATE);
    bool reads = want == LC_FILE_READ || want == LC_FILE_READ_STATE;
    if (answer.kind == LC_FILE_REGULAR && reads && why)
        return refused(why);
    if (answer.kind == LC_FILE_REGULAR && reads)
        read_bytes(f, full, &answer);
    else if (answer.kind == LC_FILE_FOLDER && want == LC_FILE_LIST)
        read_names(f, full, &answer);
    return answer;
}

static lc_file_answer open_path(void *context, lc_arena *arena, lc_str path, lc_file_want want)
{
    lc_folder_files *f = context;
    lc_str key = lc_str_printf(arena, "%d%.*s", (int)want, LC_FMT(path));
    const lc_file_answer *known = lc_table_get(&f->known, key);
    if (known)
        return *known;
    lc_file_answer *answer = LC_NEW(f->arena, lc_file_answer);
    *answer = look(f, arena, path, want);
    answer->reason = lc_str_copy(f->arena, answer->reason);
    lc_table_put(&f->known, lc_str_copy(f->arena, key), answer);
    return *answer;
}

void lc_folder_files_new(lc_files *out, lc_arena *arena, lc_str root, const lc_roots *roots)
{
    lc_folder_files *f = LC_NEW(arena, lc_folder_files);
    f->arena = arena;
    f->root = root;
    f->roots = roots;
    lc_table_init(&f->known, arena);
    *out = (lc_files){f, open_path, false};
}

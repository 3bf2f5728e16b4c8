/* May a binary inside a checkout be run? A file that git tracks may be part of a pull request, so
 * it is not run; and a package that `init` installed must be the one of the lock file. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_INDEX ((size_t)512 << 20) /* bytes of git's index */
#define MAX_FILES 10000               /* of a package */
#define MAX_DEPTH 16                  /* of its folders */

static bool exists(lc_arena *arena, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(arena, path), &info) == 0;
}

static lc_str parent_of(lc_str path)
{
    while (path.len && path.ptr[path.len - 1] != '/')
        path.len--;
    return path.len ? lc_str_sub(path, 0, path.len - 1) : path;
}

static lc_str real_path(lc_arena *arena, lc_str path)
{
    char full[4096];
    return realpath(lc_str_to_c(arena, path), full) ? lc_str_copy(arena, lc_str_from_c(full))
                                                    : LC_STR_EMPTY;
}

/* The path from the root, without `.` and `..`, and with links as they are. */
static lc_str plain_path(lc_arena *arena, lc_str path)
{
    char here[4096];
    lc_buf out = {0};
    if (path.len && path.ptr[0] != '/' && getcwd(here, sizeof here))
        path = lc_str_printf(arena, "%s/%.*s", here, LC_FMT(path));
    for (size_t at = 0; at < path.len;) {
        size_t end = lc_str_find(path, at, '/');
        lc_str part = lc_str_sub(path, at, end);
        if (lc_str_is(part, ".."))
            out.len = parent_of(lc_buf_str(&out)).len;
        else if (part.len && !lc_str_is(part, "."))
            lc_buf_printf(&out, "/%.*s", LC_FMT(part));
        at = end + 1;
    }
    return lc_buf_take(arena, &out);
}

/* ---- Git's index: a header, then one entry for each file, sorted by path. */

typedef struct index_reader {
    lc_str bytes;
    size_t at;
    unsigned version;
    lc_buf path; /* of the last entry; version 4 stores only the difference from it */
} index_reader;

static uint32_t number_at(const index_reader *r, size_t at)
{
    const unsigned char *b = (const unsigned char *)r->bytes.ptr + at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* How many bytes of the last path are left out: a number in groups of seven bits. */
static bool read_cut(index_reader *r, size_t *out)
{
    unsigned char byte;
    size_t n = 0;
    do {
        if (r->at >= r->bytes.len || n > r->path.len)
            return false;
        byte = (unsigned char)r->bytes.ptr[r->at++];
        n = (n << 7) | (byte & 127);
        if (byte & 128)
            n++;
    } while (byte & 128);
    *out = n;
    return n <= r->path.len;
}

#define ENTRY_BYTES 62 /* before the path: times, mode, owner, size, SHA-1, flags */

/* False: the index cannot be read. */
static bool read_entry(index_reader *r)
{
    size_t start = r->at, cut = r->path.len;
    if (r->bytes.len - r->at < ENTRY_BYTES)
        return false;
    bool extended = r->version >= 3 && (number_at(r, start + ENTRY_BYTES - 4) & 0x4000);
    r->at += ENTRY_BYTES + (extended ? 2 : 0);
    if (r->version == 4 && !read_cut(r, &cut))
        return false;
    size_t end = r->at < r->bytes.len ? lc_str_find(r->bytes, r->at, '\0') : r->bytes.len;
    if (end >= r->bytes.len)
        return false;
    r->path.len -= cut;
    lc_buf_add_str(&r->path, lc_str_sub(r->bytes, r->at, end));
    r->at = end + 1;
    if (r->version < 4)
        r->at = start + (((end - start) / 8) + 1) * 8;
    return r->at <= r->bytes.len;
}

/* Is the entry, which may be a link, the file or in the folder that is given with its slash? */
static bool leads_to(lc_str entry, lc_str file, lc_str folder)
{
    bool before =
        lc_str_starts_with(file, entry) && (file.len == entry.len || file.ptr[entry.len] == '/');
    return before || (folder.len && lc_str_starts_with(entry, folder));
}

/* Is one of the entries like that? -1: the index cannot be read. */
static int is_listed(lc_str bytes, lc_str file, lc_str folder)
{
    index_reader r = {.bytes = bytes, .at = 12};
    int found = 0;
    if (bytes.len < 12 || memcmp(bytes.ptr, "DIRC", 4) != 0)
        return -1;
    r.version = number_at(&r, 4);
    uint32_t count = number_at(&r, 8);
    if (r.version < 2 || r.version > 4)
        return -1;
    for (uint32_t i = 0; i < count && found == 0; i++) {
        if (!read_entry(&r))
            found = -1;
        else if (leads_to(lc_buf_str(&r.path), file, folder))
            found = 1;
    }
    lc_buf_release(&r.path);
    return found;
}

/* `.git` is a folder, or in a work tree of another repository a file that names one. */
static lc_str index_of(lc_arena *arena, lc_str root)
{
    lc_str git = lc_str_printf(arena, "%.*s/.git", LC_FMT(root)), text, key = LC_STR("gitdir: ");
    lc_diags quiet;
    struct stat info;
    lc_diags_init(&quiet, arena);
    if (stat(lc_str_to_c(arena, git), &info) != 0)
        return LC_STR_EMPTY;
    if (S_ISREG(info.st_mode) && lc_file_read(&text, arena, git, 4096, &quiet) == LC_OK &&
        lc_str_starts_with(text, key)) {
        lc_str named = lc_str_sub(text, key.len, lc_str_find(text, 0, '\n'));
        git = named.len && named.ptr[0] == '/'
                  ? named
                  : lc_str_printf(arena, "%.*s/%.*s", LC_FMT(root), LC_FMT(named));
    }
    return lc_str_printf(arena, "%.*s/index", LC_FMT(git));
}

/* The folder `.terraform` that contains the file, relative to the repository and with its slash;
 * "": no such folder. */
static lc_str data_folder(lc_str file)
{
    lc_str name = LC_STR(".terraform/");
    for (size_t i = 0; i + name.len <= file.len; i++) {
        if ((i == 0 || file.ptr[i - 1] == '/') &&
            lc_str_starts_with(lc_str_sub(file, i, file.len), name))
            return lc_str_sub(file, 0, i + name.len);
    }
    return LC_STR_EMPTY;
}

static const char *tracked_in(lc_arena *arena, lc_str root, lc_str file)
{
    lc_str index = index_of(arena, root), bytes;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (!index.len || !exists(arena, index))
        return NULL;
    int listed = lc_file_read(&bytes, arena, index, MAX_INDEX, &quiet) == LC_OK
                     ? is_listed(bytes, file, data_folder(file))
                     : -1;
    return listed > 0   ? "git tracks its binary, or the folder .terraform around it, and what may "
                          "come with a pull request is not run; --providers names a trusted folder"
           : listed < 0 ? "the index of git cannot be read, so its binary may come with a pull "
                          "request; --providers names a trusted folder"
                        : NULL;
}

/* All repositories around the file, since repositories can be nested. */
static const char *tracked(lc_arena *arena, lc_str path)
{
    const char *why = NULL;
    for (lc_str root = parent_of(path); root.len && !why; root = parent_of(root)) {
        if (exists(arena, lc_str_printf(arena, "%.*s/.git", LC_FMT(root))))
            why = tracked_in(arena, root, lc_str_sub(path, root.len + 1, path.len));
    }
    return why;
}

/* ---- The hash of a package, "h1:": of the hashes and names of its files. */

typedef LC_VEC(lc_str) names;

static bool list_files(names *out, lc_arena *arena, lc_str root, lc_str inner, int depth)
{
    lc_str *found;
    size_t count;
    lc_str folder =
        inner.len ? lc_str_printf(arena, "%.*s/%.*s", LC_FMT(root), LC_FMT(inner)) : root;
    if (depth > MAX_DEPTH || !lc_folder_list(&found, &count, arena, folder))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        lc_str name = inner.len ? lc_str_printf(arena, "%.*s/%.*s", LC_FMT(inner), LC_FMT(found[i]))
                                : found[i];
        lc_str path = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(root), LC_FMT(name));
        if (out->count >= MAX_FILES || stat(lc_str_to_c(arena, path), &info) != 0)
            return false;
        if (S_ISDIR(info.st_mode) && !list_files(out, arena, root, name, depth + 1))
            return false;
        if (S_ISREG(info.st_mode))
            *LC_PUSH(arena, out, lc_str) = name;
    }
    return true;
}

bool lc_live_hash_file(char hex[65], const char *path)
{
    static const char digits[] = "0123456789abcdef";
    struct sha256_ctx one;
    uint8_t bytes[1 << 16], digest[SHA256_DIGEST_SIZE];
    ssize_t n = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    sha256_init(&one);
    while (fd >= 0 && ((n = read(fd, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))) {
        if (n > 0)
            sha256_update(&one, (size_t)n, bytes);
    }
    if (fd >= 0)
        close(fd);
    sha256_digest(&one, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = '\0';
    return n == 0;
}

static bool add_file(struct sha256_ctx *all, lc_arena *arena, lc_str root, lc_str name)
{
    char hex[65];
    lc_str path = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(root), LC_FMT(name));
    bool good = lc_live_hash_file(hex, lc_str_to_c(arena, path));
    sha256_update(all, sizeof hex - 1, (const uint8_t *)hex);
    sha256_update(all, 2, (const uint8_t *)"  ");
    sha256_update(all, name.len, (const uint8_t *)name.ptr);
    sha256_update(all, 1, (const uint8_t *)"\n");
    return good;
}

static lc_str package_hash(lc_arena *arena, lc_str folder)
{
    names files = {0};
    struct sha256_ctx all;
    uint8_t digest[SHA256_DIGEST_SIZE];
    lc_buf text = {0};
    if (!list_files(&files, arena, folder, LC_STR_EMPTY, 0))
        return LC_STR_EMPTY;
    lc_str_sort(files.items, files.count);
    sha256_init(&all);
    for (size_t i = 0; i < files.count; i++) {
        if (!add_file(&all, arena, folder, files.items[i]))
            return LC_STR_EMPTY;
    }
    sha256_digest(&all, sizeof digest, digest);
    lc_buf_add_c(&text, "h1:");
    lc_base64_encode(&text, (lc_str){(const char *)digest, sizeof digest});
    return lc_buf_take(arena, &text);
}

/* Hashes of other kinds are those of archives, which are not here any more. */
static const char *unlike_lock(lc_arena *arena, const lc_live_provider *p)
{
    bool any = false;
    for (size_t i = 0; i < p->hash_count && !any; i++)
        any = lc_str_starts_with(p->hashes[i], LC_STR("h1:"));
    if (!any)
        return NULL;
    lc_str hash = package_hash(arena, parent_of(p->binary));
    for (size_t i = 0; i < p->hash_count; i++) {
        if (hash.len && lc_str_eq(p->hashes[i], hash))
            return NULL;
    }
    return "its package is not the one of the lock file (.terraform.lock.hcl): run init again";
}

/* ---- */

bool lc_live_is_trusted(const lc_live_provider *provider, lc_str *why)
{
    lc_arena *scratch = lc_arena_new();
    lc_str real = real_path(scratch, provider->binary);
    lc_str named = plain_path(scratch, provider->binary);
    const char *what = tracked(scratch, real);
    if (!what && !lc_str_eq(named, real))
        what = tracked(scratch, named);
    if (!what)
        what = unlike_lock(scratch, provider);
    *why = what ? lc_str_from_c(what) : LC_STR_EMPTY;
    lc_arena_free(scratch);
    return !what;
}

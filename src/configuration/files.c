/* Files that expressions read, as far as they are in memory; and paths. */
#include "lifecheck/configuration/files.h"
#include "lifecheck/base/arena.h"

#include <stdlib.h>
#include <string.h>

lc_file_answer lc_files_open(const lc_files *files, lc_arena *arena, lc_str path, lc_file_want want)
{
    if (files && files->open)
        return files->open(files->context, arena, path, want);
    return (lc_file_answer){.kind = LC_FILE_REFUSED, .reason = LC_STR("no files are read here")};
}

/* ---- Paths. */

/* Removes the last step of a clean path, which is not `..`. */
static size_t without_last(const char *path, size_t len)
{
    while (len > 0 && path[len - 1] != '/')
        len--;
    return len > 1 ? len - 1 : len;
}

static void add_step(char *to, size_t *len, lc_str step)
{
    if (*len > 0 && to[*len - 1] != '/')
        to[(*len)++] = '/';
    memcpy(to + *len, step.ptr, step.len);
    *len += step.len;
}

lc_str lc_path_clean(lc_arena *arena, lc_str path)
{
    char *to = lc_arena_alloc(arena, path.len + 1);
    bool rooted = path.len > 0 && path.ptr[0] == '/';
    size_t len = 0, steps = 0;
    if (rooted)
        to[len++] = '/';
    for (size_t at = 0; at < path.len;) {
        size_t end = lc_str_find(path, at, '/');
        lc_str step = lc_str_sub(path, at, end);
        at = end + 1;
        if (step.len == 0 || lc_str_is(step, "."))
            continue;
        bool up = lc_str_is(step, "..");
        if (up && steps > 0) {
            len = without_last(to, len);
            steps--;
        } else if (!(up && rooted)) {
            add_step(to, &len, step);
            steps += !up;
        }
    }
    return len > 0 ? (lc_str){to, len} : LC_STR(".");
}

bool lc_path_leaves(lc_str clean)
{
    return lc_str_starts_with(clean, LC_STR("/")) || lc_str_is(clean, "..") ||
           lc_str_starts_with(clean, LC_STR("../"));
}

/* ---- In memory. */

typedef struct memory {
    const lc_memory_file *files;
    size_t count;
} memory;

/* Is `path` below the folder? Then *rest is what follows; the root folder is ".". */
static bool is_below(lc_str path, lc_str folder, lc_str *rest)
{
    bool root = lc_str_is(folder, ".");
    *rest = path;
    if (root)
        return true;
    if (path.len <= folder.len || !lc_str_starts_with(path, folder) || path.ptr[folder.len] != '/')
        return false;
    *rest = lc_str_sub(path, folder.len + 1, path.len);
    return true;
}

static lc_str bytes_at(const memory *m, lc_str path)
{
    size_t at = 0;
    while (at + 1 < m->count && !lc_str_eq(m->files[at].path, path))
        at++;
    return m->files[at].bytes;
}

static lc_file_kind kind_at(const memory *m, lc_str path)
{
    lc_str rest;
    lc_file_kind kind = lc_str_is(path, ".") ? LC_FILE_FOLDER : LC_FILE_MISSING;
    for (size_t i = 0; i < m->count && kind == LC_FILE_MISSING; i++) {
        if (lc_str_eq(m->files[i].path, path))
            kind = LC_FILE_REGULAR;
        else if (is_below(m->files[i].path, path, &rest))
            kind = LC_FILE_FOLDER;
        else if (is_below(path, m->files[i].path, &rest))
            kind = LC_FILE_NOT_FOLDER;
    }
    return kind;
}

/* Walks the path as an operating system does: `..` needs the folder that it leaves. */
static lc_file_kind walk(const memory *m, lc_arena *arena, lc_str path, lc_str *clean)
{
    lc_file_kind kind = LC_FILE_FOLDER;
    *clean = LC_STR(".");
    for (size_t at = 0; at < path.len;) {
        size_t end = lc_str_find(path, at, '/');
        if (kind != LC_FILE_FOLDER)
            return kind == LC_FILE_REGULAR ? LC_FILE_NOT_FOLDER : kind;
        *clean = lc_path_clean(arena, lc_str_printf(arena, "%.*s/%.*s", LC_FMT(*clean),
                                                    LC_FMT(lc_str_sub(path, at, end))));
        if (lc_path_leaves(*clean))
            return LC_FILE_REFUSED;
        kind = kind_at(m, *clean);
        at = end + 1;
    }
    return kind;
}

static int by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_file_entry *)a)->name, ((const lc_file_entry *)b)->name);
}

static void list(const memory *m, lc_arena *arena, lc_str folder, lc_file_answer *out)
{
    lc_table seen;
    lc_table_init(&seen, arena);
    for (size_t i = 0; i < m->count; i++) {
        lc_str rest;
        if (!is_below(m->files[i].path, folder, &rest))
            continue;
        size_t end = lc_str_find(rest, 0, '/');
        lc_str name = lc_str_sub(rest, 0, end);
        if (!lc_table_put(&seen, name, out))
            *LC_PUSH(arena, &out->entries, lc_file_entry) =
                (lc_file_entry){name, end < rest.len ? LC_FILE_FOLDER : LC_FILE_REGULAR};
    }
    if (out->entries.count > 0)
        qsort(out->entries.items, out->entries.count, sizeof(lc_file_entry), by_name);
}

static lc_file_answer open_in_memory(void *context, lc_arena *arena, lc_str path, lc_file_want want)
{
    const memory *m = context;
    lc_file_answer answer = {.kind = LC_FILE_REFUSED};
    lc_str clean = path;
    if (!lc_str_starts_with(path, LC_STR("/")))
        answer.kind = walk(m, arena, path, &clean);
    if (answer.kind == LC_FILE_REFUSED)
        answer.reason = LC_STR("it lies outside of the configuration");
    else if (answer.kind == LC_FILE_REGULAR && want != LC_FILE_LIST && want != LC_FILE_LOOK)
        answer.bytes = bytes_at(m, clean);
    else if (answer.kind == LC_FILE_FOLDER && want == LC_FILE_LIST)
        list(m, arena, clean, &answer);
    return answer;
}

void lc_files_in_memory(lc_files *out, lc_arena *arena, const lc_memory_file *files, size_t count)
{
    memory *m = LC_NEW(arena, memory);
    *m = (memory){files, count};
    *out = (lc_files){m, open_in_memory, false};
}

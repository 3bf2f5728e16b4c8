/* Files in memory that expressions of a test read: folders are those that the paths name. */
#ifndef TESTS_MEMORY_FILES_H
#define TESTS_MEMORY_FILES_H

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/files.h"

#include <stdlib.h>

/* A path without steps `.` and `..`, and the bytes. */
typedef struct memory_file {
    lc_str path, bytes;
} memory_file;

/* Does the clean path lead out of the folder that it is relative to, or is it absolute? */
static bool leaves_folder(lc_str clean)
{
    return lc_str_starts_with(clean, LC_STR("/")) || lc_str_is(clean, "..") ||
           lc_str_starts_with(clean, LC_STR("../"));
}

typedef struct memory_folder {
    const memory_file *files;
    size_t count;
} memory_folder;

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

static lc_str bytes_at(const memory_folder *m, lc_str path)
{
    size_t at = 0;
    while (at + 1 < m->count && !lc_str_eq(m->files[at].path, path))
        at++;
    return m->files[at].bytes;
}

static lc_file_kind kind_at(const memory_folder *m, lc_str path)
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
static lc_file_kind walk_memory(const memory_folder *m, lc_arena *arena, lc_str path, lc_str *clean)
{
    lc_file_kind kind = LC_FILE_FOLDER;
    *clean = LC_STR(".");
    for (size_t at = 0; at < path.len;) {
        size_t end = lc_str_find(path, at, '/');
        if (kind != LC_FILE_FOLDER)
            return kind == LC_FILE_REGULAR ? LC_FILE_NOT_FOLDER : kind;
        *clean = lc_path_clean(arena, lc_str_printf(arena, "%.*s/%.*s", LC_FMT(*clean),
                                                    LC_FMT(lc_str_sub(path, at, end))));
        if (leaves_folder(*clean))
            return LC_FILE_REFUSED;
        kind = kind_at(m, *clean);
        at = end + 1;
    }
    return kind;
}

static int memory_by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_file_entry *)a)->name, ((const lc_file_entry *)b)->name);
}

static void list_memory(const memory_folder *m, lc_arena *arena, lc_str folder, lc_file_answer *out)
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
        qsort(out->entries.items, out->entries.count, sizeof(lc_file_entry), memory_by_name);
}

static lc_file_answer open_in_memory(void *context, lc_arena *arena, lc_str path, lc_file_want want)
{
    const memory_folder *m = context;
    lc_file_answer answer = {.kind = LC_FILE_REFUSED};
    lc_str clean = path;
    if (!lc_str_starts_with(path, LC_STR("/")))
        answer.kind = walk_memory(m, arena, path, &clean);
    if (answer.kind == LC_FILE_REFUSED)
        answer.reason = LC_STR("it lies outside of the configuration");
    else if (answer.kind == LC_FILE_REGULAR && want != LC_FILE_LIST && want != LC_FILE_LOOK)
        answer.bytes = bytes_at(m, clean);
    else if (answer.kind == LC_FILE_FOLDER && want == LC_FILE_LIST)
        list_memory(m, arena, clean, &answer);
    return answer;
}

/* In any order. The array is borrowed. */
static void files_in_memory(lc_files *out, lc_arena *arena, const memory_file *files, size_t count)
{
    memory_folder *m = LC_NEW(arena, memory_folder);
    *m = (memory_folder){files, count};
    *out = (lc_files){m, open_in_memory, false};
}

#endif

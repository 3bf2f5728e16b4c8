/* Who reads files for expressions; and paths. */
#include "lifecheck/configuration/files.h"
#include "lifecheck/base/arena.h"

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

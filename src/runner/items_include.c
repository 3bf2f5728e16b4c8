/* Is an existing file an input of this run? Then it is not overwritten. */
#include "lifecheck/base/arena.h"
#include "lifecheck/runner/items.h"

#include <string.h>
#include <sys/stat.h>

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

bool lc_items_include(const lc_items *items, const char *path)
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

/* What to do about a path that names nothing. */
#include "lifecheck/base/arena.h"
#include "lifecheck/files/input_file.h"

#include <string.h>
#include <sys/stat.h>

/* Empty for a name without a slash, otherwise with its slash. */
static lc_str folder_part(lc_str path)
{
    size_t end = path.len;
    while (end > 0 && path.ptr[end - 1] != '/')
        end--;
    return lc_str_sub(path, 0, end);
}

/* "x" of "x/", but "/" of "/". */
static lc_str without_slash(lc_str path)
{
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

static bool is_pattern(lc_str path)
{
    return memchr(path.ptr, '*', path.len) || memchr(path.ptr, '?', path.len);
}

/* The name without its suffix; all of a name without one. */
static lc_str stem_of(lc_str name)
{
    size_t end = name.len;
    while (end > 1 && name.ptr[end - 1] != '.')
        end--;
    return end > 1 ? lc_str_sub(name, 0, end - 1) : name;
}

/* The visible name in the folder that has the same stem, or the same suffix and a near stem: a
 * suffix in common makes no names similar. Empty: there is none. */
static lc_str nearest(lc_arena *arena, lc_str folder, lc_str name)
{
    enum { MOST = 10000 };
    lc_str *names, stem = stem_of(name), suffix = lc_str_sub(name, stem.len, name.len);
    size_t count, similar = 0;
    if (!lc_folder_list(&names, &count, arena, folder) || count > MOST)
        return LC_STR_EMPTY;
    for (size_t i = 0; i < count; i++) {
        lc_str other = names[i].ptr[0] == '.' ? LC_STR_EMPTY : stem_of(names[i]);
        if (other.len && lc_str_eq(other, stem))
            return names[i];
        if (other.len && lc_str_eq(lc_str_sub(names[i], other.len, names[i].len), suffix))
            names[similar++] = other;
    }
    lc_str near = lc_str_nearest(stem, names, similar);
    return near.len ? lc_str_printf(arena, "%.*s%.*s", LC_FMT(near), LC_FMT(suffix)) : near;
}

lc_str lc_no_such(lc_arena *arena, lc_str path, const char *what)
{
    struct stat info;
    path = without_slash(path);
    lc_str above = folder_part(path), name = lc_str_sub(path, above.len, path.len);
    lc_str folder = above.len ? without_slash(above) : LC_STR(".");
    if (stat(lc_str_to_c(arena, folder), &info) != 0)
        return lc_str_printf(arena, "no such %s: the folder %.*s does not exist; correct the path",
                             what, LC_FMT(folder));
    lc_str near = nearest(arena, folder, name);
    if (near.len)
        return lc_str_printf(arena, "no such %s; did you mean \"%.*s%.*s\"?", what, LC_FMT(above),
                             LC_FMT(near));
    if (is_pattern(name))
        return lc_str_printf(arena, "no such %s: no name matches this pattern; correct it", what);
    return lc_str_printf(arena, "no such %s in %.*s: correct the path", what,
                         LC_FMT(above.len ? folder : LC_STR("the current folder")));
}

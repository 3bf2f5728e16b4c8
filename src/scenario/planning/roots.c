/* Where the files of a configuration may be: in the repository of its folder, or without one in the
 * folder itself, and in the folders that the user adds. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct lc_roots {
    lc_arena *arena;
    lc_str here; /* the folder of the root module, without symbolic links */
    LC_VEC(lc_str) list;
    bool repository, private_files;
};

lc_str lc_real_path(lc_arena *arena, lc_str path)
{
    char whole[PATH_MAX];
    const char *given = path.len ? lc_str_to_c(arena, path) : ".";
    if (realpath(given, whole))
        return lc_str_copy(arena, lc_str_from_c(whole));
    lc_check_memory();
    return LC_STR_EMPTY;
}

/* The folder with `.git` above `folder`, or that folder itself; empty: no such folder. */
static lc_str repository_of(lc_arena *arena, lc_str folder)
{
    struct stat info;
    for (size_t len = folder.len; len > 0; len--) {
        if (len < folder.len && folder.ptr[len] != '/')
            continue;
        lc_str above = lc_str_sub(folder, 0, len);
        if (lstat(lc_str_to_c(arena, lc_str_printf(arena, "%.*s/.git", LC_FMT(above))), &info) == 0)
            return above;
    }
    return LC_STR_EMPTY;
}

lc_roots *lc_roots_new(lc_arena *arena, lc_str folder, const lc_config_access *access,
                       lc_diags *diags)
{
    lc_roots *roots = LC_NEW(arena, lc_roots);
    *roots = (lc_roots){.arena = arena, .private_files = access->private_files};
    roots->here = lc_real_path(arena, folder);
    lc_str repository = repository_of(arena, roots->here);
    roots->repository = repository.len > 0;
    *LC_PUSH(arena, &roots->list, lc_str) = repository.len ? repository : roots->here;
    for (size_t i = 0; i < access->root_count; i++) {
        lc_str root = lc_real_path(arena, access->roots[i]);
        if (root.len)
            *LC_PUSH(arena, &roots->list, lc_str) = root;
        else
            lc_diag_error(diags, (lc_loc){access->roots[i], 0, 0},
                          "the folder cannot be opened: %s", strerror(errno));
    }
    return roots;
}

/* Is `path` the folder or below it? */
static bool is_in(lc_str path, lc_str folder)
{
    bool slash = lc_str_ends_with(folder, LC_STR("/"));
    return folder.len && lc_str_starts_with(path, folder) &&
           (path.len == folder.len || slash || path.ptr[folder.len] == '/');
}

/* The root that holds the path, or NULL. */
static const lc_str *root_of(const lc_roots *roots, lc_str full)
{
    for (size_t i = 0; i < roots->list.count; i++)
        if (is_in(full, roots->list.items[i]))
            return &roots->list.items[i];
    return NULL;
}

bool lc_roots_hold(const lc_roots *roots, lc_str full)
{
    return root_of(roots, full) != NULL;
}

lc_str lc_roots_path(const lc_roots *roots, lc_arena *arena, lc_str relative)
{
    lc_str whole = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(roots->here), LC_FMT(relative));
    return lc_path_clean(arena, whole);
}

const char *lc_roots_outside(const lc_roots *roots)
{
    return roots->repository
               ? "it lies outside of the repository; --module-root DIR adds a folder"
               : "it lies outside of the configuration's folder, which is in no repository; "
                 "--module-root DIR adds a folder";
}

/* ---- Files with secrets. */

static bool is_private_step(lc_str step)
{
    return lc_str_is(step, ".git") || lc_str_is(step, ".env") || lc_str_is(step, ".envrc") ||
           lc_str_starts_with(step, LC_STR(".env."));
}

static bool is_state(lc_str name)
{
    static const char part[] = ".tfstate";
    bool found = false;
    for (size_t i = 0; i + sizeof part - 1 <= name.len && !found; i++)
        found = memcmp(name.ptr + i, part, sizeof part - 1) == 0;
    return found;
}

const char *lc_roots_private(const lc_roots *roots, lc_str full, bool may_be_state)
{
    const lc_str *root = root_of(roots, full);
    const char *why = NULL;
    for (size_t at = root ? root->len : 0; at < full.len && !roots->private_files && !why;) {
        size_t end = lc_str_find(full, at, '/');
        lc_str step = lc_str_sub(full, at, end);
        if (is_private_step(step))
            why = "files in .git and .env files may hold secrets; --private-files reads them";
        else if (end >= full.len && is_state(step) && !may_be_state)
            why = "states hold secrets; --private-files reads them";
        at = end + 1;
    }
    return why;
}

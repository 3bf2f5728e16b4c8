/* Functions on paths, as Go's package filepath has them. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/configuration/files.h"

/* filepath.Base: the last step, without trailing slashes. */
bool lc_fn_basename(lc_fn_call *c)
{
    lc_str path = lc_fn_text(c, 0);
    if (path.len == 0)
        return lc_fn_give_text(c, LC_STR("."));
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    size_t from = path.len;
    while (from > 0 && path.ptr[from - 1] != '/')
        from--;
    return lc_fn_give_text(c, from == path.len ? LC_STR("/") : lc_str_sub(path, from, path.len));
}

/* filepath.Dir: all but the last step, cleaned. */
bool lc_fn_dirname(lc_fn_call *c)
{
    lc_str path = lc_fn_text(c, 0);
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    return lc_fn_give_text(c, lc_path_clean(c->e->arena, path));
}

/* Where the client runs is not part of the configuration. */
bool lc_fn_abspath(lc_fn_call *c)
{
    lc_str path = lc_fn_text(c, 0);
    if (path.len == 0 || path.ptr[0] != '/')
        return lc_fn_give_undecided(c, "the working directory is not known");
    return lc_fn_give_text(c, lc_path_clean(c->e->arena, path));
}

bool lc_fn_pathexpand(lc_fn_call *c)
{
    lc_str path = lc_fn_text(c, 0);
    if (path.len == 0 || path.ptr[0] != '~')
        return lc_fn_give_text(c, path);
    if (path.len > 1 && path.ptr[1] != '/')
        return lc_fn_fail(c, "home directories of other users are not expanded");
    return lc_fn_give_undecided(c, "the home directory is not known");
}

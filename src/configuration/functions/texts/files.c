/* Functions that read files. Both clients clean a path before they open it. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/utf8.h"
#include "lifecheck/configuration/files.h"

lc_file_answer lc_fn_open(lc_fn_call *c, lc_str path, lc_file_want want)
{
    if (path.len > 0 && path.ptr[0] == '~')
        return (lc_file_answer){.kind = LC_FILE_REFUSED,
                                .reason = LC_STR("it lies in a home directory")};
    return lc_files_open(c->e->scope->files, c->e->arena, lc_path_clean(c->e->arena, path), want);
}

bool lc_fn_give_unread(lc_fn_call *c, const lc_file_answer *file)
{
    lc_str why = file->kind == LC_FILE_REFUSED ? file->reason : LC_STR("it is not a regular file");
    why = lc_str_printf(c->e->arena, "the file is not read, because %.*s", LC_FMT(why));
    return lc_fn_give_undecided(c, lc_str_to_c(c->e->arena, why));
}

/* The bytes of a file, or *done: the result or an error is set, and `return` it. */
static bool read_file(lc_fn_call *c, lc_str *bytes, bool *done)
{
    lc_file_answer file = lc_fn_open(c, lc_fn_text(c, 0), LC_FILE_READ);
    *done = file.kind != LC_FILE_REGULAR;
    *bytes = file.bytes;
    if (file.kind == LC_FILE_REFUSED || file.kind == LC_FILE_SPECIAL)
        return lc_fn_give_unread(c, &file);
    if (file.kind == LC_FILE_FOLDER)
        return lc_fn_bad_argument(c, 0, "the path is that of a folder");
    return !*done || lc_fn_bad_argument(c, 0, "there is no file at the path");
}

void lc_fn_hide(lc_fn_call *c)
{
    const lc_files *files = c->e->scope->files;
    if (files && !files->shown && lc_is_known(c->result.value))
        c->result = lc_marked_with(c->e->arena, c->result, LC_MARK_HIDDEN, NULL);
}

/* Both handle the marks of the path themselves. */
static bool end(lc_fn_call *c, bool ok)
{
    if (ok)
        lc_fn_add_marks(c, 0);
    return ok;
}

bool lc_fn_file(lc_fn_call *c)
{
    lc_str bytes;
    bool done, ok;
    if (lc_is_unknown(lc_fn_arg(c, 0)))
        return end(c, lc_fn_give_unknown(c));
    ok = read_file(c, &bytes, &done);
    if (!done)
        ok = lc_utf8_valid(bytes) ? lc_fn_give_text(c, bytes)
                                  : lc_fn_fail(c, "the file is not UTF-8");
    if (ok)
        lc_fn_hide(c);
    return end(c, ok);
}

bool lc_fn_filebase64(lc_fn_call *c)
{
    lc_str bytes;
    bool done, ok;
    if (lc_is_unknown(lc_fn_arg(c, 0)))
        return end(c, lc_fn_give_unknown(c));
    ok = read_file(c, &bytes, &done);
    if (!done && (ok = lc_fn_give_base64(c, bytes)))
        lc_fn_hide(c);
    return end(c, ok);
}

bool lc_fn_fileexists(lc_fn_call *c)
{
    if (lc_is_unknown(lc_fn_arg(c, 0)))
        return end(c, lc_fn_give_unknown(c));
    lc_file_answer file = lc_fn_open(c, lc_fn_text(c, 0), LC_FILE_LOOK);
    switch (file.kind) {
    case LC_FILE_REFUSED:
        return end(c, lc_fn_give_unread(c, &file));
    case LC_FILE_NOT_FOLDER:
        return lc_fn_fail(c, "a step of the path is a file");
    case LC_FILE_SPECIAL:
    case LC_FILE_FOLDER: /* the clients name a second argument, which there is not */
        return lc_fn_fail(c, "the path is not that of a file");
    case LC_FILE_MISSING:
    case LC_FILE_REGULAR:
        break;
    }
    return end(c, lc_fn_give_bool(c, file.kind == LC_FILE_REGULAR));
}

/* The copy of a capture directory: written under another name in the same folder, and renamed
 * when it is complete. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
    lc_arena *arena;
    lc_str path; /* where it is written */
    lc_words names;
} folder;

static char *path_in(const folder *f, lc_str name)
{
    return lc_str_to_c(f->arena,
                       lc_str_printf(f->arena, "%.*s/%.*s", LC_FMT(f->path), LC_FMT(name)));
}

static bool write_file(void *context, lc_str name, lc_str bytes)
{
    folder *f = context;
    const char *path = path_in(f, name);
    lc_buf copy = {0};
    lc_sink sink = {open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path, false};
    if (sink.fd < 0) {
        lc_message("%s cannot be written: %s", path, strerror(errno));
        return false;
    }
    *LC_PUSH(f->arena, &f->names, lc_str) = lc_str_copy(f->arena, name);
    lc_buf_add_str(&copy, bytes);
    lc_sink_write(&sink, &copy);
    lc_buf_release(&copy);
    if (close(sink.fd) != 0 && !sink.failed) {
        lc_message("%s cannot be written: %s", path, strerror(errno));
        sink.failed = true;
    }
    return !sink.failed;
}

/* Only what this copy wrote. */
static void remove_all(const folder *f)
{
    for (size_t i = 0; i < f->names.count; i++)
        unlink(path_in(f, f->names.items[i]));
    rmdir(lc_str_to_c(f->arena, f->path));
}

static lc_str without_slash(lc_str path)
{
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

/* mkdir decides who writes: a copy that was interrupted, or runs now, is in the way. */
static bool begin(folder *f, const char *to, const char *temporary)
{
    if (access(to, F_OK) == 0) {
        lc_message("%s cannot be written: %s; a folder is never overwritten", to, strerror(EEXIST));
        return false;
    }
    if (mkdir(temporary, 0777) != 0) {
        lc_message("%s cannot be written: %s%s", temporary, strerror(errno),
                   errno == EEXIST ? "; it was left by an interrupted copy" : "");
        return false;
    }
    f->path = lc_str_from_c(temporary);
    return true;
}

lc_exit lc_redact_folder(const lc_cli *cli, lc_arena *arena, lc_schema_store *store, lc_str from,
                         const lc_redact_options *options, lc_diags *diags)
{
    lc_str path = without_slash(cli->options.output);
    folder f = {.arena = arena};
    if (cli->options.wanted_count > 1) {
        lc_message("the copy of a capture directory is a folder, and no report");
        return LC_EXIT_USAGE;
    }
    if (path.len == 0 || lc_str_is(path, "-")) {
        lc_message("the copy of a capture directory is a folder: name it with --output");
        return LC_EXIT_USAGE;
    }
    const char *to = lc_str_to_c(arena, path);
    const char *temporary = lc_str_to_c(arena, lc_str_printf(arena, "%s.partial", to));
    if (!begin(&f, to, temporary))
        return LC_EXIT_INTERNAL;
    bool ok = lc_redact_capture(arena, store, from, options, diags, write_file, &f);
    if (ok && rename(temporary, to) != 0) {
        lc_message("%s cannot be written: %s", to, strerror(errno));
        ok = false;
    }
    if (ok)
        return LC_EXIT_OK;
    remove_all(&f);
    lc_message("no copy was written");
    return LC_EXIT_INPUT;
}

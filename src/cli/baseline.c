/* The files of --baseline and --write-baseline. */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_file(lc_baseline *b, lc_str file, const lc_limits *limits)
{
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, b->arena);
    if (lc_file_read(&text, b->arena, file, limits->input_bytes, &diags) == LC_OK)
        lc_baseline_read(b, file, text, &diags);
    return lc_tell_diags(&diags);
}

/* Is there a file whose counts could grow? Those of --baseline itself cannot. */
static bool is_in_the_way(const lc_cli *cli)
{
    struct stat there, known;
    lc_str path = lc_cli_text(cli, LC_OPTION_WRITE_BASELINE);
    lc_str from = lc_cli_text(cli, LC_OPTION_BASELINE);
    if (path.len == 0 || lc_cli_has(cli, LC_OPTION_FORCE) ||
        stat(lc_str_to_c(cli->arena, path), &there) != 0 || !S_ISREG(there.st_mode))
        return false;
    if (from.len && stat(lc_str_to_c(cli->arena, from), &known) == 0 &&
        known.st_dev == there.st_dev && known.st_ino == there.st_ino)
        return false;
    lc_tell("%.*s cannot be written: %s; --baseline %.*s makes it smaller, --force begins anew",
            LC_FMT(path), strerror(EEXIST), LC_FMT(path));
    return true;
}

lc_exit lc_baseline_open(lc_baseline **out, const lc_cli *cli, const lc_limits *limits)
{
    bool known = lc_cli_has(cli, LC_OPTION_BASELINE);
    *out = NULL;
    if (lc_cli_has(cli, LC_OPTION_BASELINE_STRICT) && !known) {
        lc_tell("a strict baseline needs a baseline: --baseline FILE");
        return LC_EXIT_USAGE;
    }
    if (!known && !lc_cli_has(cli, LC_OPTION_WRITE_BASELINE))
        return LC_EXIT_OK;
    lc_baseline *b = LC_NEW(cli->arena, lc_baseline);
    lc_baseline_init(b, cli->arena, !known);
    *out = b;
    if (is_in_the_way(cli))
        return LC_EXIT_INTERNAL;
    if (known && !read_file(b, lc_cli_text(cli, LC_OPTION_BASELINE), limits))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

/* ---- Writing. */

/* Where the text goes: to a new file beside the old one; devices, pipes and links stay what they
 * are and are written as they stand. */
typedef struct target {
    const char *name;
    char *part; /* NULL: written in place */
    mode_t mode;
} target;

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void find_target(target *t, const lc_cli *cli)
{
    struct stat info;
    bool exists = lstat(t->name, &info) == 0;
    t->mode = exists ? info.st_mode & 07777 : mode_of_new_files();
    if (!exists || S_ISREG(info.st_mode))
        t->part = lc_str_to_c(cli->arena, lc_str_printf(cli->arena, "%s.XXXXXX", t->name));
}

static int open_target(const target *t)
{
    if (!t->part)
        return open(t->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, t->mode);
    int fd = mkstemp(t->part);
    if (fd >= 0 && fchmod(fd, t->mode) != 0) {
        close(fd);
        unlink(t->part);
        return -1;
    }
    return fd;
}

static bool write_target(const target *t, lc_buf *text, bool *told)
{
    lc_sink sink = {open_target(t), t->name, false};
    if (sink.fd < 0)
        return false;
    lc_sink_write(&sink, text);
    *told = sink.failed;
    bool ok = close(sink.fd) == 0 && !sink.failed;
    ok = ok && (!t->part || rename(t->part, t->name) == 0);
    int problem = errno;
    if (!ok && t->part)
        unlink(t->part);
    errno = problem;
    return ok;
}

lc_exit lc_baseline_close(lc_baseline *baseline, const lc_cli *cli, bool all)
{
    lc_str path = lc_cli_text(cli, LC_OPTION_WRITE_BASELINE);
    lc_buf out = {0};
    bool told = false;
    if (!baseline || path.len == 0)
        return LC_EXIT_OK;
    target t = {.name = lc_str_to_c(cli->arena, path)};
    if (!all && !baseline->learns) {
        lc_tell("%s is not written: not all inputs were understood", t.name);
        return LC_EXIT_OK;
    }
    find_target(&t, cli);
    lc_baseline_print(&out, baseline);
    bool ok = write_target(&t, &out, &told);
    if (!ok && !told)
        lc_tell("%s cannot be written: %s", t.name, strerror(errno));
    lc_buf_release(&out);
    return ok ? LC_EXIT_OK : LC_EXIT_INTERNAL;
}

/* Writing results. Whatever could not be written is told once and ends with its own status. */
#include "cli/internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, lc_str bytes)
{
    size_t at = 0;
    while (at < bytes.len) {
        ssize_t n = write(fd, bytes.ptr + at, bytes.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

void lc_sink_write(lc_sink *sink, lc_buf *bytes)
{
    if (!sink->failed && !write_all(sink->fd, lc_buf_str(bytes))) {
        lc_message("%s cannot be written: %s", sink->name, strerror(errno));
        sink->failed = true;
    }
    lc_buf_clear(bytes);
}

lc_exit lc_print(lc_buf *bytes)
{
    lc_sink sink = {STDOUT_FILENO, "standard output", false};
    lc_sink_write(&sink, bytes);
    lc_buf_release(bytes);
    return sink.failed ? LC_EXIT_INTERNAL : LC_EXIT_OK;
}

void lc_clean_text(lc_buf *text, size_t from)
{
    if (text->len > from)
        text->len = from + lc_utf8_replace_controls(text->ptr + from, text->len - from, "\t\n");
    lc_defuse_commands(text->ptr + from, text->len - from);
}

lc_exit lc_print_text(lc_buf *text)
{
    lc_clean_text(text, 0);
    return lc_print(text);
}

static void tell_in_the_way(const char *name, int error)
{
    struct stat info;
    if (error == EEXIST && stat(name, &info) == 0 && S_ISDIR(info.st_mode))
        error = EISDIR;
    lc_message("%s cannot be written: %s%s", name, strerror(error),
               error == EEXIST ? "; --force overwrites it" : "");
}

lc_exit lc_write_result(const lc_cli *cli, lc_buf *bytes)
{
    lc_str path = lc_cli_text(cli, LC_OPTION_OUTPUT);
    struct stat info;
    lc_draft draft;
    if (path.len == 0 || lc_str_is(path, "-"))
        return lc_print(bytes);
    const char *name = lc_str_to_c(cli->arena, path);
    if (!lc_cli_has(cli, LC_OPTION_FORCE) && lstat(name, &info) == 0) {
        tell_in_the_way(name, EEXIST);
        return LC_EXIT_INTERNAL;
    }
    if (!lc_draft_open(&draft, cli->arena, name)) {
        tell_in_the_way(name, errno);
        return LC_EXIT_INTERNAL;
    }
    lc_sink sink = {draft.fd, name, false};
    lc_sink_write(&sink, bytes);
    if (sink.failed) {
        lc_draft_drop(&draft);
    } else if (!lc_draft_keep(&draft)) {
        lc_message("%s cannot be written: %s", name, strerror(errno));
        sink.failed = true;
    }
    return sink.failed ? LC_EXIT_INTERNAL : LC_EXIT_OK;
}

bool lc_is_in_the_way(const lc_cli *cli)
{
    lc_str path = lc_cli_text(cli, LC_OPTION_OUTPUT);
    if (path.len == 0 || lc_str_is(path, "-") || lc_cli_has(cli, LC_OPTION_FORCE) ||
        access(lc_str_to_c(cli->arena, path), F_OK) != 0)
        return false;
    tell_in_the_way(lc_str_to_c(cli->arena, path), EEXIST);
    return true;
}

bool lc_report_diags(const lc_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++) {
        const lc_diag *diag = &diags->items[i];
        if (diag->loc.line)
            lc_message("%.*s:%u:%u: %.*s", LC_FMT(diag->loc.file), (unsigned)diag->loc.line,
                       (unsigned)diag->loc.column, LC_FMT(diag->message));
        else
            lc_message("%.*s: %.*s", LC_FMT(diag->loc.file), LC_FMT(diag->message));
    }
    return diags->errors == 0;
}

/* Writing results. A failed write is reported once and has its own exit status. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void lc_sink_write(lc_sink *sink, lc_buf *bytes)
{
    if (!sink->failed && !lc_write_all(sink->fd, lc_buf_str(bytes))) {
        bool reader_left = errno == EPIPE && sink->fd == STDOUT_FILENO; /* main ends for it */
        if (!reader_left)
            lc_message("%s cannot be written: %s", sink->name, strerror(errno));
        sink->failed = true;
    }
    lc_buf_clear(bytes);
}

/* Values of users may hold escape sequences of terminals, and lines that CI systems take for
 * commands. */
void lc_clean_text(lc_buf *text, size_t from)
{
    if (text->len > from)
        text->len = from + lc_utf8_replace_controls(text->ptr + from, text->len - from, "\t\n");
    lc_defuse_commands(text->ptr + from, text->len - from);
}

static void report_in_the_way(const char *name, int error)
{
    struct stat info;
    if (error == EEXIST && stat(name, &info) == 0 && S_ISDIR(info.st_mode))
        error = EISDIR;
    lc_message("%s cannot be written: %s%s", name, strerror(error),
               error == EEXIST ? "; --force overwrites it" : "");
}

/* ---- Inputs must not be overwritten. */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_file(const lc_cli *cli, const struct stat *file, lc_str path)
{
    struct stat info;
    return path.len && stat(lc_str_to_c(cli->arena, path), &info) == 0 && same_file(file, &info);
}

/* Also files that options read, and the settings file. */
static bool is_input(const lc_cli *cli, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    bool input = is_file(cli, &file, cli->config.file);
    for (size_t i = 0; i < cli->words.count; i++)
        input |= is_file(cli, &file, lc_cli_path(cli, cli->words.items[i]));
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_words *values = &cli->values[i];
        for (size_t k = 0; k < values->count; k++)
            input |= is_file(cli, &file, lc_cli_input_path(cli, (lc_option)i, values->items[k]));
    }
    return input;
}

/* The first output is the one of --output, which asks for --force; reports of --report are made
 * again in each run, so that only inputs are protected. */
lc_exit lc_may_write(const lc_cli *cli, const lc_wanted *wanted)
{
    bool first = wanted == cli->options.wanted;
    struct stat info;
    if (wanted->path.len == 0)
        return LC_EXIT_OK;
    const char *name = lc_str_to_c(cli->arena, wanted->path);
    if (first && !cli->options.force && lstat(name, &info) == 0) {
        report_in_the_way(name, EEXIST);
        return LC_EXIT_INTERNAL;
    }
    if (!first && is_input(cli, name)) {
        lc_message("%s cannot be a report: it is an input of this run; name another file", name);
        return LC_EXIT_USAGE;
    }
    return LC_EXIT_OK;
}

bool lc_is_in_the_way(const lc_cli *cli)
{
    return lc_may_write(cli, &cli->options.wanted[0]) != LC_EXIT_OK;
}

/* ---- Results. */

bool lc_wants(const lc_cli *cli, unsigned format)
{
    for (size_t i = 0; i < cli->options.wanted_count; i++) {
        if (cli->options.wanted[i].format == format)
            return true;
    }
    return false;
}

static lc_exit write_file(const lc_cli *cli, const lc_wanted *wanted, lc_str bytes)
{
    const char *name = lc_str_to_c(cli->arena, wanted->path);
    lc_exit status = lc_may_write(cli, wanted);
    if (status != LC_EXIT_OK || lc_output_file_write(cli->arena, name, bytes))
        return status;
    report_in_the_way(name, errno);
    return LC_EXIT_INTERNAL;
}

lc_exit lc_write_wanted(const lc_cli *cli, const lc_wanted *wanted, lc_str bytes)
{
    lc_sink sink = {STDOUT_FILENO, "standard output", false};
    lc_buf copy = {0};
    if (wanted->path.len)
        return write_file(cli, wanted, bytes);
    lc_buf_add_str(&copy, bytes);
    lc_sink_write(&sink, &copy);
    lc_buf_release(&copy);
    return sink.failed ? LC_EXIT_INTERNAL : LC_EXIT_OK;
}

/* Takes over `bytes`: released even if no output has the format. */
lc_exit lc_print(const lc_cli *cli, unsigned format, lc_buf *bytes)
{
    lc_exit status = LC_EXIT_OK;
    for (size_t i = 0; i < cli->options.wanted_count && status == LC_EXIT_OK; i++) {
        const lc_wanted *wanted = &cli->options.wanted[i];
        if (wanted->format == format)
            status = lc_write_wanted(cli, wanted, lc_buf_str(bytes));
    }
    lc_buf_release(bytes);
    return status;
}

lc_exit lc_print_both(const lc_cli *cli, lc_buf *text, lc_buf *json)
{
    lc_clean_text(text, 0);
    lc_exit status = lc_print(cli, LC_IN_TEXT, text);
    lc_exit other = lc_print(cli, LC_IN_JSON, json);
    return status == LC_EXIT_OK ? other : status;
}

lc_page lc_page_begin(const lc_cli *cli, int label, size_t width)
{
    uint64_t given = cli->options.width ? cli->options.width : SIZE_MAX; /* 0: never */
    return (lc_page){.label = label,
                     .width = lc_cli_has(cli, LC_OPTION_WIDTH) ? (size_t)given : width};
}

/* "  label      text", folded below the text. An empty text has no line. */
void lc_page_add(lc_page *page, const char *label, lc_str text)
{
    static const char blank[] = "                    ";
    lc_str below = {blank, (size_t)page->label};
    if (text.len == 0)
        return;
    lc_buf_printf(&page->text, "  %-*s", page->label - 2, label);
    lc_buf_add_folded(&page->text, text, below.len, page->width, below);
    lc_buf_add_char(&page->text, '\n');
}

bool lc_report_diags(const lc_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        lc_message("%.*s", LC_FMT(lc_diag_line(diags->arena, &diags->items[i])));
    return diags->errors == 0;
}

lc_meter *lc_cli_meter(lc_meter *meter, const lc_cli *cli, size_t total, const char *what)
{
    return cli->options.quiet ? NULL : lc_meter_start(meter, total, what);
}

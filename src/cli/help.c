/* What --help and `lifecheck help` print: from the tables of commands and options, folded for the
 * terminal. */
#include "cli/internal.h"
#include "lifecheck/base/ascii.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMN     25 /* where explanations begin */
#define NARROW     60 /* terminals of fewer columns have them in lines of their own */
#define LEAST      40
#define MOST       110 /* longer lines are hard to read */
#define NAME_WIDTH 11

/* Rows of commands.def in their order: a title or a command. */
static const struct row {
    const char *title; /* NULL: a command */
    lc_command command;
} rows[] = {
#define GROUP(title)     {title, LC_COMMAND_COUNT},
#define COMMAND(id, ...) {NULL, LC_COMMAND_##id},
#include "cli/commands.def"
#undef COMMAND
};

static const struct example {
    lc_command command;
    const char *what, *line;
} examples[] = {
#define COMMAND(...)
#define EXAMPLE(id, status, what, line) {LC_COMMAND_##id, what, line},
#include "cli/commands.def"
#undef COMMAND
};

/* ---- The width. */

static unsigned read_columns(const char *text)
{
    unsigned n = 0;
    for (; text && lc_is_digit(*text) && n < 10000; text++)
        n = n * 10 + (unsigned)(*text - '0');
    return text && *text == '\0' ? n : 0;
}

/* COLUMNS is asked first, because who exports it means it; shells do not. */
unsigned lc_terminal_columns(int fd, unsigned least, unsigned most)
{
    struct winsize size;
    unsigned columns = read_columns(getenv("COLUMNS"));
    if (!isatty(fd))
        return 0;
    if (columns >= least && columns <= most)
        return columns;
    bool known = ioctl(fd, TIOCGWINSZ, &size) == 0;
    return known && size.ws_col >= least && size.ws_col <= most ? size.ws_col : LC_USUAL_COLUMNS;
}

/* Options have not been read when help is required, so --width is looked at here. */
static size_t width_of(const lc_cli *cli)
{
    lc_str wanted = lc_cli_text(cli, LC_OPTION_WIDTH);
    unsigned width = wanted.len && cli->origins[LC_OPTION_WIDTH] == LC_FROM_FLAG
                         ? read_columns(lc_str_to_c(cli->arena, wanted))
                         : lc_terminal_columns(STDOUT_FILENO, 1, UINT_MAX);
    if (width == 0)
        width = LC_USUAL_COLUMNS;
    return width < LEAST ? LEAST : width > MOST ? MOST : width;
}

/* ---- Pieces. */

static void add_blanks(lc_buf *out, size_t count)
{
    while (count--)
        lc_buf_add_char(out, ' ');
}

/* A paragraph that begins and goes on at `column`, in a line that has `used` columns already. */
static void add_text(lc_buf *out, const char *text, size_t used, size_t column, size_t width)
{
    lc_buf next = {0};
    add_blanks(&next, column);
    if (used >= column && used > 0) {
        lc_buf_add_char(out, '\n');
        used = 0;
    }
    add_blanks(out, column - used);
    lc_buf_add_folded(out, lc_str_from_c(text), column, width, lc_buf_str(&next));
    lc_buf_add_char(out, '\n');
    lc_buf_release(&next);
}

static size_t column_of(size_t width)
{
    return width < NARROW ? 8 : COLUMN;
}

/* ---- One command. */

static void add_formats(lc_buf *out, lc_command command)
{
    const char *formats = lc_command_get(command)->formats;
    lc_str word;
    lc_buf_printf(out, "%s: ", lc_option_help(LC_OPTION_FORMAT, command));
    for (bool any = false; lc_next_word(&formats, &word); any = true)
        lc_buf_printf(out, "%s%.*s%s", any ? ", " : "", LC_FMT(word), any ? "" : " (default)");
}

static void add_option(lc_buf *out, lc_option option, lc_command command, size_t width)
{
    const lc_option_info *info = lc_option_get(option);
    lc_buf left = {0}, text = {0};
    lc_buf_add_c(&left, "  ");
    if (info->letter)
        lc_buf_printf(&left, "-%c, ", info->letter);
    lc_buf_printf(&left, "--%s%s%s", info->name, *info->argument ? " " : "", info->argument);
    if (option == LC_OPTION_FORMAT)
        add_formats(&text, command);
    else
        lc_buf_add_c(&text, lc_option_help(option, command));
    if (lc_option_is_needed(option, command))
        lc_buf_add_c(&text, " (required)");
    lc_buf_add_char(&text, '\0');
    lc_buf_add_str(out, lc_buf_str(&left));
    add_text(out, text.ptr, left.len, column_of(width), width);
    lc_buf_release(&left);
    lc_buf_release(&text);
}

static void add_group(lc_buf *out, lc_command command, lc_option_group group, size_t width)
{
    static const char *const titles[LC_GROUP_COUNT] = {"Of this command", "What is read",
                                                       "What counts", "In every command"};
    bool any = false;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->group != group || !(info->commands & 1u << command))
            continue;
        if (!any)
            lc_buf_printf(out, "\n%s:\n", titles[group]);
        any = true;
        add_option(out, (lc_option)i, command, width);
    }
}

static void add_usage(lc_buf *out, lc_command command, size_t width)
{
    const lc_command_info *info = lc_command_get(command);
    lc_buf line = {0};
    lc_buf_printf(&line, "usage: lifecheck %s", info->name);
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *option = lc_option_get((lc_option)i);
        if (lc_option_is_needed((lc_option)i, command))
            lc_buf_printf(&line, " --%s %s", option->name, option->argument);
    }
    lc_buf_printf(&line, " [OPTION...]%s%s", *info->words ? " " : "", info->words);
    lc_buf_add_folded(out, lc_buf_str(&line), 0, width, LC_STR("         "));
    lc_buf_add_char(out, '\n');
    lc_buf_release(&line);
    add_text(out, info->help, 0, 0, width);
}

/* Command lines are never folded, so that they can be copied. */
static void add_examples(lc_buf *out, lc_command command, size_t width)
{
    bool any = false;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (examples[i].command != command)
            continue;
        if (!any)
            lc_buf_add_c(out, "\nExamples:\n");
        any = true;
        lc_buf_add_c(out, "  # ");
        lc_buf_add_folded(out, lc_str_from_c(examples[i].what), 4, width, LC_STR("  # "));
        lc_buf_printf(out, "\n  %s\n", examples[i].line);
    }
}

/* Two commands are too small for a page of their own. */
static void add_manual(lc_buf *out, lc_command command, size_t width)
{
    bool small = command == LC_COMMAND_HELP || command == LC_COMMAND_VERSION;
    lc_buf more = {0};
    lc_buf_printf(&more,
                  "Each option can also be set as LIFECHECK_<NAME>. More: man lifecheck%s%s%c",
                  small ? "" : "-", small ? "" : lc_command_get(command)->name, '\0');
    add_text(out, more.ptr, 0, 0, width);
    lc_buf_release(&more);
}

static void add_command(lc_buf *out, lc_command command, size_t width)
{
    add_usage(out, command, width);
    for (unsigned group = 0; group < LC_GROUP_COUNT; group++)
        add_group(out, command, (lc_option_group)group, width);
    add_examples(out, command, width);
    lc_buf_add_char(out, '\n');
    add_manual(out, command, width);
}

/* ---- Mistakes of scenarios. */

static void add_lints(lc_buf *out, size_t width)
{
    add_text(out, "usage: lifecheck check --lint [OPTION...] PATH...", 0, 0, width);
    add_text(out,
             "also reports mistakes in scenarios: as warnings, or as info where nothing is wrong. "
             "They fail a case with --fail-on warning (or info) and with --strict.",
             0, 0, width);
    lc_buf_add_char(out, '\n');
    for (unsigned i = 0; i < LC_LINT_COUNT; i++) {
        const lc_lint_info *info = lc_lint_get((lc_lint)i);
        size_t from = out->len;
        lc_buf_printf(out, "  %-28s %-7s", info->id,
                      info->kind == LC_LINT_ADVICE ? "info" : "warning");
        add_text(out, info->title, out->len - from, width < NARROW ? 8 : 39, width);
    }
}

/* ---- All commands. */

static void add_commands(lc_buf *out, size_t width)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].title) {
            lc_buf_printf(out, "\n%s:\n", rows[i].title);
            continue;
        }
        const lc_command_info *info = lc_command_get(rows[i].command);
        lc_buf_printf(out, "  %-*s", NAME_WIDTH, info->name);
        add_text(out, info->help, NAME_WIDTH + 2, NAME_WIDTH + 3, width);
    }
}

static void add_overview(lc_buf *out, size_t width)
{
    add_text(out, "usage: lifecheck [COMMAND] [OPTION...] ...", 0, 0, width);
    add_text(out,
             "Checks whether a Terraform or OpenTofu provider keeps the contract of the resource "
             "instance change lifecycle.",
             0, 0, width);
    add_commands(out, width);
    lc_buf_add_char(out, '\n');
    add_text(out,
             "The command `check` may be left out. `lifecheck help COMMAND` shows the options and "
             "examples of a command.",
             0, 0, width);
    add_text(
        out,
        "Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 input not understood or nothing "
        "checked, 4 out of memory, internal error or report not written, 5 probe only: total "
        "budget used up.",
        0, 0, width);
    add_text(out,
             "More: man lifecheck, man lifecheck-COMMAND, man 7 lifecheck-options, man 7 "
             "lifecheck-rules, man 5 lifecheck-scenario",
             0, 0, width);
}

void lc_add_help(lc_buf *out, const lc_cli *cli)
{
    size_t width = width_of(cli);
    if (lc_cli_has(cli, LC_OPTION_LINT) && cli->origins[LC_OPTION_LINT] == LC_FROM_FLAG)
        add_lints(out, width);
    else if (cli->named_command)
        add_command(out, cli->command, width);
    else
        add_overview(out, width);
}

lc_exit lc_cmd_help(const lc_cli *cli)
{
    lc_cli about = *cli;
    lc_buf out = {0};
    about.named_command = cli->words.count > 0;
    if (cli->words.count > 1) {
        lc_message("help takes one command, or none for the list of them");
        return LC_EXIT_USAGE;
    }
    if (about.named_command && !lc_command_find(&about.command, cli->words.items[0])) {
        lc_report_unknown_word("the command", cli->words.items[0],
                               lc_command_nearest(cli->words.items[0]),
                               "`lifecheck help` lists them");
        return LC_EXIT_USAGE;
    }
    lc_add_help(&out, &about);
    return lc_print(cli, LC_IN_TEXT, &out);
}

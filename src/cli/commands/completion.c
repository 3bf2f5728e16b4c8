/* lifecheck completion bash|zsh|fish: a script that completes commands, options, their values and
 * rules. The scripts are templates of share/lifecheck/completion/; fields between two @ are filled
 * in from the same tables as --help:
 *
 *   anywhere            rules, all-commands, all-argument-options
 *   a line a command    command, options, formats, words, command-help, described-options
 *   a line an option    option (without --), letter, values, commands, help;
 *                       argument-option: also its letter, both as written, if it has an argument */
#include "cli/embedded.h"
#include "cli/internal.h"

#include <string.h>

/* What a line is filled in for. */
typedef struct line_row {
    lc_command command;
    const lc_option_info *option;
    lc_str spelling; /* of an option with an argument, as written */
} line_row;

/* ---- Lists. */

static void add_word(lc_buf *out, size_t from, lc_str word)
{
    if (out->len > from)
        lc_buf_add_char(out, ' ');
    lc_buf_add_str(out, word);
}

static void add_rules(lc_buf *out)
{
    size_t from = out->len;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        add_word(out, from, lc_rule_get((lc_rule)rule)->slug);
}

/* Of an option, or all. */
static void add_commands(lc_buf *out, const lc_option_info *option)
{
    size_t from = out->len;
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++) {
        if (!option || (option->commands & 1u << c))
            add_word(out, from, lc_str_from_c(lc_command_get((lc_command)c)->name));
    }
}

static void add_options_of(lc_buf *out, lc_command command)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->commands & 1u << command)
            lc_buf_printf(out, " --%s", info->name);
    }
}

/* What completes the argument of an option; "": it has none. */
static void add_values(lc_buf *out, const lc_option_info *info)
{
    bool file = strcmp(info->argument, "FILE") == 0 || strcmp(info->argument, "PATH") == 0;
    if (info == lc_option_get(LC_OPTION_FORMAT))
        lc_buf_add_c(out, "FORMAT");
    else if (info == lc_option_get(LC_OPTION_REPORT))
        lc_buf_add_c(out, "REPORT");
    else if (info == lc_option_get(LC_OPTION_TYPE))
        lc_buf_add_c(out, "TYPE");
    else if (info->kind == LC_ARGUMENT_CHOICE)
        lc_buf_add_c(out, info->values);
    else if (info->kind != LC_ARGUMENT_FLAG)
        lc_buf_add_c(out, file ? "FILE" : strcmp(info->argument, "GLOB") == 0 ? "RULE" : "OTHER");
}

/* In single quotes, as fish has it. */
static void add_quoted(lc_buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            lc_buf_add_char(out, '\\');
        lc_buf_add_char(out, *text);
    }
}

/* In single quotes of a shell, and without a colon, which ends a name for zsh. */
static void add_described(lc_buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            lc_buf_add_c(out, "\xE2\x80\x99");
        else
            lc_buf_add_char(out, *text);
    }
}

/* `--name:description of the option`, one a line. */
static void add_described_options(lc_buf *out, lc_command command)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (!(info->commands & 1u << command))
            continue;
        lc_buf_printf(out, "\n--%s:", info->name);
        add_described(out, lc_option_help((lc_option)i, command));
    }
}

/* ---- Rows. */

typedef void line_visit(lc_buf *out, lc_str line, const line_row *row);

static void each_command(lc_buf *out, lc_str line, line_visit *visit)
{
    for (unsigned c = 0; c < LC_COMMAND_COUNT; c++)
        visit(out, line, &(line_row){.command = (lc_command)c});
}

static void each_option(lc_buf *out, lc_str line, line_visit *visit)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->commands)
            visit(out, line, &(line_row){.option = info});
    }
}

static void each_argument_option(lc_buf *out, lc_str line, line_visit *visit)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        lc_buf name = {0}, letter = {0};
        if (!info->commands || info->kind == LC_ARGUMENT_FLAG)
            continue;
        lc_buf_printf(&name, "--%s", info->name);
        visit(out, line, &(line_row){.option = info, .spelling = lc_buf_str(&name)});
        lc_buf_printf(&letter, "-%c", info->letter);
        if (info->letter)
            visit(out, line, &(line_row){.option = info, .spelling = lc_buf_str(&letter)});
        lc_buf_release(&name);
        lc_buf_release(&letter);
    }
}

static void add_spelling(lc_buf *out, lc_str line, const line_row *row)
{
    (void)line;
    lc_buf_add_str(out, row->spelling);
    lc_buf_add_char(out, ' ');
}

static void add_field(lc_buf *out, lc_str name, const line_row *row)
{
    const lc_command_info *command = lc_command_get(row->command);
    if (lc_str_is(name, "rules"))
        add_rules(out);
    else if (lc_str_is(name, "all-commands"))
        add_commands(out, NULL);
    else if (lc_str_is(name, "all-argument-options"))
        each_argument_option(out, LC_STR_EMPTY, add_spelling);
    else if (lc_str_is(name, "command"))
        lc_buf_add_c(out, command->name);
    else if (lc_str_is(name, "options"))
        add_options_of(out, row->command);
    else if (lc_str_is(name, "formats"))
        lc_buf_add_c(out, command->formats);
    else if (lc_str_is(name, "words"))
        lc_buf_add_c(out, command->takes);
    else if (lc_str_is(name, "argument-option"))
        lc_buf_add_str(out, row->spelling);
    else if (lc_str_is(name, "option"))
        lc_buf_add_c(out, row->option->name);
    else if (lc_str_is(name, "letter") && row->option->letter)
        lc_buf_add_char(out, row->option->letter);
    else if (lc_str_is(name, "values"))
        add_values(out, row->option);
    else if (lc_str_is(name, "commands"))
        add_commands(out, row->option);
    else if (lc_str_is(name, "help"))
        add_quoted(out, row->option->help);
    else if (lc_str_is(name, "command-help"))
        add_described(out, command->help);
    else if (lc_str_is(name, "described-options"))
        add_described_options(out, row->command);
}

/* ---- Templates. */

/* A field is small letters and hyphens between two @; any other @ is plain text. */
static size_t field_length(lc_str rest)
{
    size_t at = 1;
    while (at < rest.len && ((rest.ptr[at] >= 'a' && rest.ptr[at] <= 'z') || rest.ptr[at] == '-'))
        at++;
    return at > 1 && at < rest.len && rest.ptr[at] == '@' ? at + 1 : 0;
}

static void add_line(lc_buf *out, lc_str line, const line_row *row)
{
    for (size_t i = 0; i < line.len; i++) {
        size_t length = line.ptr[i] == '@' ? field_length(lc_str_sub(line, i, line.len)) : 0;
        if (length) {
            add_field(out, lc_str_sub(line, i + 1, i + length - 1), row);
            i += length - 1;
        } else {
            lc_buf_add_char(out, line.ptr[i]);
        }
    }
}

static bool has(lc_str line, const char *field)
{
    size_t length = strlen(field);
    for (size_t i = 0; i + length <= line.len; i++) {
        if (memcmp(line.ptr + i, field, length) == 0)
            return true;
    }
    return false;
}

static void fill(lc_buf *out, lc_str text)
{
    for (size_t at = 0, end; at < text.len; at = end) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        end = stop ? (size_t)(stop - text.ptr) + 1 : text.len;
        lc_str line = lc_str_sub(text, at, end);
        if (has(line, "@command@"))
            each_command(out, line, add_line);
        else if (has(line, "@argument-option@"))
            each_argument_option(out, line, add_line);
        else if (has(line, "@option@"))
            each_option(out, line, add_line);
        else
            add_line(out, line, &(line_row){0});
    }
}

lc_exit lc_cmd_completion(const lc_cli *cli)
{
    lc_str shell = cli->words.count == 1 ? cli->words.items[0] : LC_STR_EMPTY;
    lc_str path =
        lc_str_printf(cli->arena, "share/lifecheck/completion/lifecheck.%.*s", LC_FMT(shell));
    const lc_embedded *template = lc_embedded_file(path);
    lc_buf out = {0};
    if (!template) {
        lc_message("completion takes a shell: bash, zsh or fish");
        return LC_EXIT_USAGE;
    }
    fill(&out, lc_str_from_c(template->text));
    return lc_print(cli, LC_IN_TEXT, &out);
}

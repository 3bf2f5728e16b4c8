/* The command line, read by one table.
 *
 * The first word that is not an option names the command, if it is the name of one. The
 * allowed options depend on it, so words are separated from options first. Flags override the
 * environment, which overrides the settings file. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define IN(command) (1u << LC_COMMAND_##command)
#define EVERYWHERE  ((1u << LC_COMMAND_COUNT) - 1u)
/* Commands that read the settings file. The others show built-in tables. */
#define CONFIGURED                                                                                 \
    (EVERYWHERE & ~(IN(RULES) | IN(EXPLAIN) | IN(COMPLETION) | IN(HELP) | IN(VERSION)))
/* Commands that read inputs of any size. */
#define LIMITED (CONFIGURED & ~IN(SETTINGS))

static const lc_option_info options[LC_OPTION_COUNT] = {
#define OPTION(id, field, kind, name, letter, argument, values, preset, scope, group, ...)         \
    [LC_OPTION_##id] = {name,   LC_ARGUMENT_##kind, letter,           argument,   values,          \
                        preset, LC_SCOPE_##scope,   LC_GROUP_##group, __VA_ARGS__},
#include "cli/options.def"
#undef OPTION
};

static const lc_command_info commands[LC_COMMAND_COUNT] = {
#define COMMAND(id, name, ...) [LC_COMMAND_##id] = {#name, __VA_ARGS__},
#include "cli/commands.def"
#undef COMMAND
};

static const struct wording {
    lc_option option;
    lc_command command;
    const char *help; /* NULL: the option is needed */
} wordings[] = {
#define OPTION(...)
#define WORDED(option, command, help) {LC_OPTION_##option, LC_COMMAND_##command, help},
#define NEEDED(option, command)       {LC_OPTION_##option, LC_COMMAND_##command, NULL},
#include "cli/options.def"
#undef OPTION
};

/* ---- Messages. */

void lc_message(const char *format, ...)
{
    char line[2000];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0)
        return;
    size_t shown = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;
    fprintf(stderr, "lifecheck: %.*s\n", (int)lc_utf8_replace_controls(line, shown, ""), line);
}

void lc_report_lines(lc_str text)
{
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        const char *line = memchr(text.ptr + at, '\n', text.len - at);
        end = line ? (size_t)(line - text.ptr) : text.len;
        lc_message("%.*s", LC_FMT(lc_str_sub(text, at, end)));
    }
}

void lc_report_unknown_word(const char *what, lc_str word, lc_str near, const char *hint)
{
    if (near.len)
        lc_message("%s \"%.*s\" does not exist; did you mean \"%.*s\"?", what, LC_FMT(word),
                   LC_FMT(near));
    else
        lc_message("%s \"%.*s\" does not exist; %s", what, LC_FMT(word), hint);
}

/* ---- Names. */

const lc_option_info *lc_option_get(lc_option option)
{
    return &options[option];
}

const lc_command_info *lc_command_get(lc_command command)
{
    return &commands[command];
}

static const struct wording *find_wording(lc_option option, lc_command command, bool needed)
{
    for (size_t i = 0; i < sizeof wordings / sizeof wordings[0]; i++) {
        const struct wording *w = &wordings[i];
        if (w->option == option && w->command == command && needed == !w->help)
            return w;
    }
    return NULL;
}

const char *lc_option_help(lc_option option, lc_command command)
{
    const struct wording *w = find_wording(option, command, false);
    return w ? w->help : options[option].help;
}

bool lc_option_is_needed(lc_option option, lc_command command)
{
    return find_wording(option, command, true) != NULL;
}

lc_str lc_command_nearest(lc_str word)
{
    lc_str names[LC_COMMAND_COUNT];
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++)
        names[i] = lc_str_from_c(commands[i].name);
    return lc_str_nearest(word, names, LC_COMMAND_COUNT);
}

bool lc_next_word(const char **words, lc_str *out)
{
    size_t blanks = strspn(*words, " ");
    size_t length = strcspn(*words + blanks, " ");
    *out = (lc_str){*words + blanks, length};
    *words += blanks + length;
    return length > 0;
}

bool lc_command_find(lc_command *out, lc_str word)
{
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++) {
        if (lc_str_is(word, commands[i].name)) {
            *out = (lc_command)i;
            return true;
        }
    }
    return false;
}

static bool find_long(lc_option *out, lc_str name)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (lc_str_is(name, options[i].name)) {
            *out = (lc_option)i;
            return true;
        }
    }
    return false;
}

static bool find_letter(lc_option *out, char letter)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (options[i].letter && options[i].letter == letter) {
            *out = (lc_option)i;
            return true;
        }
    }
    return false;
}

static lc_str nearest_option(lc_str name)
{
    lc_str names[LC_OPTION_COUNT];
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++)
        names[i] = lc_str_from_c(options[i].name);
    return lc_str_nearest(name, names, LC_OPTION_COUNT);
}

/* ---- Arguments. */

typedef struct argument_reader {
    lc_cli *cli;
    int argc, at;
    char **argv;
} argument_reader;

void lc_cli_add(lc_cli *cli, lc_option option, lc_str value)
{
    if (options[option].kind != LC_ARGUMENT_LIST)
        cli->values[option].count = 0;
    *LC_PUSH(cli->arena, &cli->values[option], lc_str) = value;
}

/* `rest` is the text after the option in the same word, if `attached`. */
static bool take_value(argument_reader *r, lc_option option, bool attached, lc_str rest)
{
    const lc_option_info *row = &options[option];
    r->cli->origins[option] = LC_FROM_FLAG;
    if (row->kind == LC_ARGUMENT_FLAG) {
        if (attached)
            lc_message("--%s takes no argument", row->name);
        else
            lc_cli_add(r->cli, option, LC_STR_EMPTY);
        return !attached;
    }
    if (!attached && row->kind == LC_ARGUMENT_LIST && *row->values) {
        lc_cli_add(r->cli, option, lc_str_from_c(row->values));
        return true;
    }
    if (!attached && r->at + 1 >= r->argc) {
        lc_message("--%s needs an argument, %s: %s", row->name, row->argument, row->help);
        return false;
    }
    lc_cli_add(r->cli, option, attached ? rest : lc_str_from_c(r->argv[++r->at]));
    return true;
}

static bool read_long(argument_reader *r, lc_str word)
{
    const char *equals = memchr(word.ptr, '=', word.len);
    size_t length = equals ? (size_t)(equals - word.ptr) : word.len;
    lc_str name = lc_str_sub(word, 0, length);
    lc_option option;
    if (find_long(&option, name))
        return take_value(r, option, equals != NULL,
                          equals ? lc_str_sub(word, length + 1, word.len) : LC_STR_EMPTY);
    lc_str near = nearest_option(name);
    if (near.len)
        lc_message("the option --%.*s does not exist; did you mean --%.*s?", LC_FMT(name),
                   LC_FMT(near));
    else
        lc_message("the option --%.*s does not exist; lifecheck COMMAND --help lists them",
                   LC_FMT(name));
    return false;
}

static bool read_letters(argument_reader *r, lc_str word)
{
    for (size_t i = 0; i < word.len; i++) {
        lc_option option;
        if (!find_letter(&option, word.ptr[i])) {
            lc_message("the option -%c does not exist; lifecheck COMMAND --help lists them",
                       word.ptr[i]);
            return false;
        }
        bool takes = options[option].kind != LC_ARGUMENT_FLAG;
        bool attached = takes && i + 1 < word.len;
        if (!take_value(r, option, attached, lc_str_sub(word, i + 1, word.len)))
            return false;
        if (takes)
            return true;
    }
    return true;
}

/* After the name of a command to run all words belong to it, as for env and nice. */
static bool runs_command(const lc_words *words)
{
    return words->count == 2 && lc_str_is(words->items[0], commands[LC_COMMAND_RECORD].name);
}

static bool read_arguments(lc_cli *cli, int argc, char **argv)
{
    argument_reader r = {cli, argc, 1, argv};
    bool only_words = false;
    cli->before_dashes = SIZE_MAX;
    for (; r.at < argc; r.at++) {
        lc_str word = lc_str_from_c(argv[r.at]);
        bool ok = true;
        if (!only_words && lc_str_is(word, "--")) {
            only_words = true;
            cli->before_dashes = cli->words.count;
        } else if (!only_words && lc_str_starts_with(word, LC_STR("--")))
            ok = read_long(&r, lc_str_sub(word, 2, word.len));
        else if (!only_words && word.len > 1 && word.ptr[0] == '-' && word.ptr[1] != '#')
            ok = read_letters(&r, lc_str_sub(word, 1, word.len));
        else
            *LC_PUSH(cli->arena, &cli->words, lc_str) = word;
        only_words |= runs_command(&cli->words);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- Which command it is, and what it takes. */

static void take_command(lc_cli *cli)
{
    if (cli->words.count == 0 || !lc_command_find(&cli->command, cli->words.items[0]))
        return;
    cli->named_command = true;
    cli->words.items++;
    cli->words.count--;
    cli->before_dashes -= cli->before_dashes != SIZE_MAX && cli->before_dashes > 0;
}

/* `settings` prints the settings that `check` would use, so it takes the same flags. */
static unsigned bits_of(lc_command command)
{
    unsigned bits = 1u << command;
    return command == LC_COMMAND_SETTINGS ? bits | IN(CHECK) : bits;
}

bool lc_option_is_allowed(lc_option option, lc_command command)
{
    return (options[option].commands & bits_of(command)) != 0;
}

static bool check_allowed(const lc_cli *cli)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (cli->values[i].count && !lc_option_is_allowed((lc_option)i, cli->command)) {
            lc_message("--%s is not an option of %s; lifecheck %s --help lists them",
                       options[i].name, commands[cli->command].name, commands[cli->command].name);
            return false;
        }
    }
    return true;
}

/* ---- Names of options, by where they come from. */

static lc_str variable_name(lc_arena *arena, const char *option)
{
    lc_str name = lc_str_printf(arena, "LIFECHECK_%s", option);
    char *text = lc_str_to_c(arena, name);
    for (char *c = text + sizeof "LIFECHECK_" - 1; *c; c++)
        *c = *c == '-' ? '_' : lc_to_upper(*c);
    return lc_str_from_c(text);
}

lc_str lc_cli_option_name(const lc_cli *cli, lc_option option)
{
    lc_setting_origin origin = cli->origins[option];
    lc_loc place = cli->config.places[option];
    if (origin == LC_FROM_ENVIRONMENT)
        return variable_name(cli->arena, options[option].name);
    if (origin == LC_FROM_FILE)
        return lc_str_printf(cli->arena, "%.*s:%u:%u: %s", LC_FMT(place.file), (unsigned)place.line,
                             (unsigned)place.column, options[option].name);
    return lc_str_printf(cli->arena, "--%s", options[option].name);
}

/* ---- The environment: LIFECHECK_FAIL_ON=warning, LIFECHECK_STRICT=1, lists with commas. */

static void add_list(lc_cli *cli, lc_option option, lc_str text)
{
    size_t from = 0;
    while (from <= text.len) {
        size_t to = lc_str_find(text, from, ',');
        if (to > from)
            lc_cli_add(cli, option, lc_str_sub(text, from, to));
        from = to + 1;
    }
}

/* Takes the value of a flag. False: it is neither on nor off, which is reported. */
static bool take_flag(lc_cli *cli, lc_option option, lc_str name, const char *value)
{
    static const char *const words[] = {"0", "1", "false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(value, words[i]) != 0)
            continue;
        if (i % 2)
            lc_cli_add(cli, option, LC_STR_EMPTY);
        return true;
    }
    lc_message("%.*s takes 1 or 0, not \"%s\"", LC_FMT(name), value);
    return false;
}

/* A variable holds for all commands, and one would overwrite the output of another. So variables
 * name outputs only for the commands whose purpose is that output. */
static bool would_overwrite(lc_option option, lc_command command)
{
    unsigned reporting = IN(CHECK) | IN(RECORD) | IN(DRIVE) | IN(SETTINGS) | IN(MERGE) |
                         IN(PROVIDERS) | IN(PREDICT) | IN(PROBE);
    unsigned writing = IN(EXTRACT) | IN(REDACT) | IN(INIT);
    return (option == LC_OPTION_REPORT && !(reporting & 1u << command)) ||
           (option == LC_OPTION_OUTPUT && !(writing & 1u << command));
}

static bool read_environment(lc_cli *cli, char *(*environment)(const char *name))
{
    bool good = true;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        bool taken = lc_option_is_allowed((lc_option)i, cli->command);
        if (i == LC_OPTION_HELP || i == LC_OPTION_VERSION || cli->origins[i] || !taken ||
            would_overwrite((lc_option)i, cli->command))
            continue;
        lc_str name = variable_name(cli->arena, options[i].name);
        const char *found = environment(lc_str_to_c(cli->arena, name));
        if (!found || !*found)
            continue;
        lc_str value = lc_str_copy(cli->arena, lc_str_from_c(found));
        cli->origins[i] = LC_FROM_ENVIRONMENT;
        if (options[i].kind == LC_ARGUMENT_FLAG) {
            good &= take_flag(cli, (lc_option)i, name, found);
        } else if (options[i].kind == LC_ARGUMENT_LIST) {
            add_list(cli, (lc_option)i, value);
        } else {
            lc_cli_add(cli, (lc_option)i, value);
        }
    }
    return good;
}

/* Only variables that are nearly the name of an option: scripts have LIFECHECK_ variables of their
 * own, such as the version that they install. */
static void report_variable(const lc_cli *cli, lc_str name)
{
    lc_str names[LC_OPTION_COUNT];
    size_t prefix = sizeof "LIFECHECK_" - 1;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        lc_str known = variable_name(cli->arena, options[i].name);
        if (lc_str_eq(known, name))
            return;
        names[i] = lc_str_sub(known, prefix, known.len);
    }
    lc_str word = lc_str_sub(name, prefix, name.len);
    lc_str near = lc_str_nearest(word, names, LC_OPTION_COUNT);
    if (near.len && near.ptr[0] == word.ptr[0] && near.len <= word.len + 1 &&
        word.len <= near.len + 1)
        lc_message("the variable %.*s is not known and has no effect; did you mean LIFECHECK_%.*s?",
                   LC_FMT(name), LC_FMT(near));
}

void lc_cli_report_variables(const lc_cli *cli, char **environment)
{
    for (size_t i = 0; environment[i] && !lc_cli_has(cli, LC_OPTION_QUIET); i++) {
        lc_str entry = lc_str_from_c(environment[i]);
        lc_str name = lc_str_sub(entry, 0, lc_str_find(entry, 0, '='));
        if (lc_str_starts_with(name, LC_STR("LIFECHECK_")) && name.len < 80)
            report_variable(cli, name);
    }
}

bool lc_cli_parse(lc_cli *out, lc_arena *arena, int argc, char **argv,
                  char *(*environment)(const char *name))
{
    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->command = LC_COMMAND_CHECK;
    out->options.wanted_count = 1; /* standard output, for now */
    if (!read_arguments(out, argc, argv))
        return false;
    take_command(out);
    if (!check_allowed(out))
        return false;
    return read_environment(out, environment);
}

/* ---- Values. */

bool lc_cli_has(const lc_cli *cli, lc_option option)
{
    return cli->values[option].count > 0;
}

bool lc_cli_refuse_idle(const lc_cli *cli, const lc_option *given, size_t count, const char *why)
{
    bool idle = false;
    for (size_t i = 0; i < count; i++) {
        if (!lc_cli_has(cli, given[i]) || cli->origins[given[i]] != LC_FROM_FLAG)
            continue;
        lc_message("%.*s has no effect: %s", LC_FMT(lc_cli_option_name(cli, given[i])), why);
        idle = true;
    }
    return idle;
}

lc_str lc_cli_text(const lc_cli *cli, lc_option option)
{
    const lc_words *values = &cli->values[option];
    return values->count ? values->items[values->count - 1] : LC_STR_EMPTY;
}

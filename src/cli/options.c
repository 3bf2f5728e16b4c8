/* The command line, read by one table.
 *
 * The first word that is no option names the command, if it is the name of one; which options are
 * allowed depends on it, so words are told from options first. Flags beat the environment, which
 * beats the configuration file. */
#include "cli/internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"
#include "lifecheck/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define IN(command) (1u << LC_COMMAND_##command)
#define EVERYWHERE  ((1u << LC_COMMAND_COUNT) - 1u)
/* Commands that read the configuration file. The others say what is built in. */
#define CONFIGURED (EVERYWHERE & ~(IN(RULES) | IN(EXPLAIN) | IN(COMPLETION)))

static const lc_option_info options[LC_OPTION_COUNT] = {
#define OPTION(id, name, letter, argument, repeatable, commands, help)                             \
    [LC_OPTION_##id] = {name, letter, argument, repeatable, commands, help},
#include "cli/options.def"
#undef OPTION
};

static const struct {
    const char *name, *words, *help;
} commands[LC_COMMAND_COUNT] = {
    [LC_COMMAND_CHECK] = {"check", "PATH...",
                          "judge scenarios; a PATH is a file, a folder, FILE#CASE or -"},
    [LC_COMMAND_RULES] = {"rules", "[GLOB]", "list the rules"},
    [LC_COMMAND_EXPLAIN] = {"explain", "RULE",
                            "one rule or diagnosis in full; --error: the rule behind an error"},
    [LC_COMMAND_PROPOSE] = {"propose", "FILE",
                            "the proposed new state, and what a provider may answer"},
    [LC_COMMAND_SCHEMA] = {"schema", "show|lint FILE, or scenario",
                           "look at a schema document, or find its faults"},
    [LC_COMMAND_INIT] = {"init", "",
                         "a scenario to begin with, made from a schema; it passes as it is"},
    [LC_COMMAND_INSPECT] = {"inspect", "PATH...",
                            "what an input is, what it holds and lacks, which rules it can feed"},
    [LC_COMMAND_REDACT] = {"redact", "INPUT",
                           "a copy that can be shared and gives the same findings"},
    [LC_COMMAND_EXTRACT] = {"extract", "INPUT",
                            "one finding of an input as a small scenario that judges itself"},
    [LC_COMMAND_MERGE] = {"merge", "REPORT...", "JSON reports of all shards of a run as one"},
    [LC_COMMAND_DIFF] = {"diff", "OLD NEW", "what one report has found and another has not"},
    [LC_COMMAND_GATE] = {"gate", "",
                         "may the new version of a provider be released: --old X --new Y"},
    [LC_COMMAND_CONFIG] = {"config", "", "the settings that hold here, and where they come from"},
    [LC_COMMAND_PROVIDERS] = {"providers", "DIR|FILE...",
                              "which provider instance each resource instance uses"},
    [LC_COMMAND_PREDICT] = {"predict", "[PLAN.json]",
                            "what a client plans for every object of a configuration, and why"},
    [LC_COMMAND_CFN] =
        {"cfn", "schema FILE... | documents PATH... | name NAME... | property ATTRIBUTE...",
         "CloudFormation resource types: as schemas, what is sent for objects, names"},
    [LC_COMMAND_COMPLETION] = {"completion", "bash|zsh|fish",
                               "a script that completes commands, options and rules"},
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

void lc_report_unknown_word(const char *what, lc_str word, lc_str near)
{
    if (near.len)
        lc_message("%s \"%.*s\" does not exist; did you mean \"%.*s\"?", what, LC_FMT(word),
                   LC_FMT(near));
    else
        lc_message("%s \"%.*s\" does not exist", what, LC_FMT(word));
}

/* ---- Names. */

const lc_option_info *lc_option_get(lc_option option)
{
    return &options[option];
}

const char *lc_command_name(lc_command command)
{
    return commands[command].name;
}

lc_str lc_command_nearest(lc_str word)
{
    lc_str names[LC_COMMAND_COUNT];
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++)
        names[i] = lc_str_from_c(commands[i].name);
    return lc_str_nearest(word, names, LC_COMMAND_COUNT);
}

static bool find_command(lc_command *out, lc_str word)
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
    if (!options[option].repeatable)
        cli->values[option].count = 0;
    *LC_PUSH(cli->arena, &cli->values[option], lc_str) = value;
}

/* `rest` is what stands behind the option in the same word, if `attached`. */
static bool take_value(argument_reader *r, lc_option option, bool attached, lc_str rest)
{
    const lc_option_info *row = &options[option];
    r->cli->origins[option] = LC_FROM_FLAG;
    if (*row->argument == '\0') {
        if (attached)
            lc_message("--%s takes no argument", row->name);
        else
            lc_cli_add(r->cli, option, LC_STR_EMPTY);
        return !attached;
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
        bool takes = *options[option].argument != '\0';
        bool attached = takes && i + 1 < word.len;
        if (!take_value(r, option, attached, lc_str_sub(word, i + 1, word.len)))
            return false;
        if (takes)
            return true;
    }
    return true;
}

static bool read_arguments(lc_cli *cli, int argc, char **argv)
{
    argument_reader r = {cli, argc, 1, argv};
    bool only_words = false;
    for (; r.at < argc; r.at++) {
        lc_str word = lc_str_from_c(argv[r.at]);
        bool ok = true;
        if (!only_words && lc_str_is(word, "--"))
            only_words = true;
        else if (!only_words && lc_str_starts_with(word, LC_STR("--")))
            ok = read_long(&r, lc_str_sub(word, 2, word.len));
        else if (!only_words && word.len > 1 && word.ptr[0] == '-' && word.ptr[1] != '#')
            ok = read_letters(&r, lc_str_sub(word, 1, word.len));
        else
            *LC_PUSH(cli->arena, &cli->words, lc_str) = word;
        if (!ok)
            return false;
    }
    return true;
}

static void take_command(lc_cli *cli)
{
    if (cli->words.count == 0 || !find_command(&cli->command, cli->words.items[0]))
        return;
    cli->named_command = true;
    cli->words.items++;
    cli->words.count--;
}

/* `config` tells what `check` would go by, so it takes the same flags. */
static bool is_allowed(lc_option option, lc_command command)
{
    unsigned bits = 1u << command;
    if (command == LC_COMMAND_CONFIG)
        bits |= IN(CHECK);
    return (options[option].commands & bits) != 0;
}

static bool check_allowed(const lc_cli *cli)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (cli->values[i].count && !is_allowed((lc_option)i, cli->command)) {
            lc_message("--%s is no option of %s; lifecheck %s --help lists them", options[i].name,
                       commands[cli->command].name, commands[cli->command].name);
            return false;
        }
    }
    return true;
}

/* ---- The environment: LIFECHECK_FAIL_ON=warning, LIFECHECK_STRICT=1, lists with commas. */

static lc_str variable_name(lc_arena *arena, const char *option)
{
    lc_str name = lc_str_printf(arena, "LIFECHECK_%s", option);
    char *text = lc_str_to_c(arena, name);
    for (char *c = text + sizeof "LIFECHECK_" - 1; *c; c++)
        *c = *c == '-' ? '_' : lc_to_upper(*c);
    return lc_str_from_c(text);
}

static void add_list(lc_cli *cli, lc_option option, lc_str text)
{
    size_t from = 0;
    while (from <= text.len) {
        size_t to = from;
        while (to < text.len && text.ptr[to] != ',')
            to++;
        if (to > from)
            lc_cli_add(cli, option, lc_str_sub(text, from, to));
        from = to + 1;
    }
}

static bool is_off(lc_str text)
{
    return text.len == 0 || lc_str_is(text, "0") || lc_str_is(text, "no") ||
           lc_str_is(text, "false");
}

static void read_environment(lc_cli *cli, char *(*environment)(const char *name))
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        bool excluded = i == LC_OPTION_HELP || i == LC_OPTION_VERSION || cli->origins[i] ||
                        !is_allowed((lc_option)i, cli->command);
        if (excluded)
            continue;
        lc_str name = variable_name(cli->arena, options[i].name);
        const char *found = environment(lc_str_to_c(cli->arena, name));
        if (!found || !*found)
            continue;
        lc_str value = lc_str_copy(cli->arena, lc_str_from_c(found));
        cli->origins[i] = LC_FROM_ENVIRONMENT;
        if (*options[i].argument == '\0') {
            if (!is_off(value))
                lc_cli_add(cli, (lc_option)i, LC_STR_EMPTY);
        } else if (options[i].repeatable) {
            add_list(cli, (lc_option)i, value);
        } else {
            lc_cli_add(cli, (lc_option)i, value);
        }
    }
}

bool lc_cli_parse(lc_cli *out, lc_arena *arena, int argc, char **argv,
                  char *(*environment)(const char *name))
{
    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->command = LC_COMMAND_CHECK;
    if (!read_arguments(out, argc, argv))
        return false;
    take_command(out);
    if (!check_allowed(out))
        return false;
    read_environment(out, environment);
    return lc_cli_has(out, LC_OPTION_HELP) || lc_cli_has(out, LC_OPTION_VERSION) ||
           lc_config_read(out);
}

/* ---- Values. */

bool lc_cli_has(const lc_cli *cli, lc_option option)
{
    return cli->values[option].count > 0;
}

lc_str lc_cli_text(const lc_cli *cli, lc_option option)
{
    const lc_words *values = &cli->values[option];
    return values->count ? values->items[values->count - 1] : LC_STR_EMPTY;
}

lc_str lc_cli_option_name(const lc_cli *cli, lc_option option)
{
    lc_loc place = cli->config.places[option];
    if (cli->origins[option] == LC_FROM_ENVIRONMENT)
        return variable_name(cli->arena, options[option].name);
    if (cli->origins[option] == LC_FROM_FILE)
        return lc_str_printf(cli->arena, "%.*s:%u:%u: %s", LC_FMT(place.file), (unsigned)place.line,
                             (unsigned)place.column, options[option].name);
    return lc_str_printf(cli->arena, "--%s", options[option].name);
}

static unsigned scale_of(lc_str *text)
{
    static const char letters[] = "KMG";
    const char *at = text->len ? strchr(letters, text->ptr[text->len - 1]) : NULL;
    if (!at || !*at)
        return 0;
    text->len--;
    return (unsigned)(at - letters + 1) * 10;
}

bool lc_cli_number(const lc_cli *cli, lc_option option, uint64_t max, bool scaled, uint64_t *out)
{
    lc_str text = lc_cli_text(cli, option), digits = text;
    if (!lc_cli_has(cli, option))
        return true;
    unsigned shift = scaled ? scale_of(&digits) : 0;
    uint64_t n = 0;
    bool ok = digits.len > 0 && digits.len < 19;
    for (size_t i = 0; ok && i < digits.len; i++) {
        ok = lc_is_digit(digits.ptr[i]);
        n = n * 10 + (uint64_t)(digits.ptr[i] - '0');
    }
    if (ok && n <= max >> shift) {
        *out = n << shift;
        return true;
    }
    lc_str name = lc_cli_option_name(cli, option);
    lc_message("%.*s takes a whole number up to %llu, not \"%.*s\"", LC_FMT(name),
               (unsigned long long)max, LC_FMT(text));
    return false;
}

static void tell_choices(const lc_cli *cli, lc_option option, const char *const *names)
{
    lc_str text = lc_cli_text(cli, option), name = lc_cli_option_name(cli, option);
    lc_buf list = {0};
    for (size_t count = 0; names[count]; count++)
        lc_buf_printf(&list, "%s%s",
                      count == 0         ? ""
                      : names[count + 1] ? ", "
                                         : " or ",
                      names[count]);
    lc_str near = lc_str_nearest_word(text, names), choices = lc_buf_str(&list);
    if (near.len)
        lc_message("%.*s takes %.*s, not \"%.*s\"; did you mean \"%.*s\"?", LC_FMT(name),
                   LC_FMT(choices), LC_FMT(text), LC_FMT(near));
    else
        lc_message("%.*s takes %.*s, not \"%.*s\"", LC_FMT(name), LC_FMT(choices), LC_FMT(text));
    lc_buf_release(&list);
}

bool lc_cli_choice(const lc_cli *cli, lc_option option, const char *const *names, unsigned *out)
{
    size_t at = *out;
    if (lc_cli_has(cli, option) && !lc_str_is_one_of(lc_cli_text(cli, option), names, &at)) {
        tell_choices(cli, option, names);
        return false;
    }
    *out = (unsigned)at;
    return true;
}

/* ---- Help. */

static void add_option_help(lc_buf *out, const lc_option_info *row)
{
    lc_buf left = {0};
    if (row->letter)
        lc_buf_printf(&left, "-%c, ", row->letter);
    lc_buf_printf(&left, "--%s%s%s", row->name, *row->argument ? " " : "", row->argument);
    lc_buf_printf(out, "  %-22.*s %s\n", LC_FMT(lc_buf_str(&left)), row->help);
    lc_buf_release(&left);
}

static void add_command_help(lc_buf *out, const lc_cli *cli)
{
    const char *name = commands[cli->command].name;
    const char *words = commands[cli->command].words;
    lc_buf_printf(out, "usage: lifecheck %s [OPTION...]%s%s\n%s\n\n", name, *words ? " " : "",
                  words, commands[cli->command].help);
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (options[i].commands & 1u << cli->command)
            add_option_help(out, &options[i]);
    }
    lc_buf_add_c(out, "\nEach option can also be set as LIFECHECK_<NAME>. More: man lifecheck\n");
}

static void add_lint_help(lc_buf *out)
{
    lc_buf_add_c(out, "usage: lifecheck check --lint [OPTION...] PATH...\n"
                      "also tells of mistakes of scenarios; they are warnings, and info where "
                      "nothing is wrong.\n"
                      "They fail a case with --fail-on warning (or info) and with --strict.\n\n");
    for (unsigned i = 0; i < LC_LINT_COUNT; i++) {
        const lc_lint_info *info = lc_lint_get((lc_lint)i);
        lc_buf_printf(out, "  %-28s %-7s %s\n", info->id,
                      info->kind == LC_LINT_ADVICE ? "info" : "warning", info->title);
    }
}

void lc_add_help(lc_buf *out, const lc_cli *cli)
{
    if (lc_cli_has(cli, LC_OPTION_LINT) && cli->origins[LC_OPTION_LINT] == LC_FROM_FLAG) {
        add_lint_help(out);
        return;
    }
    if (cli->named_command) {
        add_command_help(out, cli);
        return;
    }
    lc_buf_add_c(out, "usage: lifecheck [COMMAND] [OPTION...] ...\n"
                      "Judges whether a Terraform or OpenTofu provider keeps the contract of the\n"
                      "resource instance change lifecycle.\n\n");
    for (unsigned i = 0; i < LC_COMMAND_COUNT; i++)
        lc_buf_printf(
            out, strlen(commands[i].words) > 15 ? "  %-10s %s\n%29s%s\n" : "  %-10s %-15s%s %s\n",
            commands[i].name, commands[i].words, "", commands[i].help);
    lc_buf_add_c(
        out,
        "\nThe command `check` may be left out. `lifecheck COMMAND --help` lists the options.\n"
        "Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 input not understood or\n"
        "nothing judged, 4 out of memory, internal error or report not written.\n"
        "More: man lifecheck, man 5 lifecheck-scenario, man 7 lifecheck-rules\n");
}

/* What the options mean, read once: a value for each of them, policy, limits, reports, terminal
 * style. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/versions.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define IN(command) (1u << LC_COMMAND_##command)
/* Commands that judge, by a policy. */
#define JUDGING                                                                                    \
    (IN(CHECK) | IN(RECORD) | IN(DRIVE) | IN(INSPECT) | IN(MERGE) | IN(DIFF) | IN(GATE) |          \
     IN(SETTINGS) | IN(PROVIDERS) | IN(PREDICT) | IN(PROBE))
/* Commands that judge what a client did. */
#define RECORDINGS      (IN(CHECK) | IN(RECORD))
#define MOST_OF_COMMENT 65536                /* characters that GitHub takes as a comment */
#define MOST_REPORTS    (LC_MAX_REPORTS - 1) /* the summary of a GitHub job may be one more */

/* ---- Numbers. */

static unsigned scale_of(lc_str *text)
{
    static const char letters[] = "KMG";
    const char *at = text->len ? strchr(letters, text->ptr[text->len - 1]) : NULL;
    if (!at || !*at)
        return 0;
    text->len--;
    return (unsigned)(at - letters + 1) * 10;
}

static bool parse_number(uint64_t *out, lc_str text, uint64_t max, bool scaled)
{
    unsigned shift = scaled ? scale_of(&text) : 0;
    uint64_t n = 0;
    bool ok = text.len > 0 && text.len <= 19;
    for (size_t i = 0; ok && i < text.len; i++) {
        ok = lc_is_digit(text.ptr[i]);
        n = n * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    *out = n << shift;
    return ok && n <= max >> shift;
}

/* 0: the option is not given, and has no default. */
static bool read_number(uint64_t *out, const lc_cli *cli, lc_option option)
{
    const lc_option_info *info = lc_option_get(option);
    lc_str limit = lc_str_from_c(info->values), text = lc_str_from_c(info->preset);
    bool scaled = lc_str_ends_with(limit, LC_STR("K"));
    uint64_t max = 0;
    *out = 0;
    limit.len -= scaled;
    parse_number(&max, limit, UINT64_MAX, false);
    if (lc_cli_has(cli, option))
        text = lc_cli_text(cli, option);
    else if (text.len == 0)
        return true;
    if (parse_number(out, text, max, scaled))
        return true;
    lc_str name = lc_cli_option_name(cli, option);
    lc_message("%.*s takes a whole number up to %llu, not \"%.*s\"", LC_FMT(name),
               (unsigned long long)max, LC_FMT(text));
    return false;
}

/* ---- Choices. */

#define MOST_WORDS 16

static size_t split(lc_str out[MOST_WORDS], const char *words)
{
    size_t count = 0;
    while (count < MOST_WORDS && lc_next_word(&words, &out[count]))
        count++;
    return count;
}

static unsigned index_of(const char *words, lc_str word)
{
    lc_str known[MOST_WORDS];
    size_t count = split(known, words);
    for (size_t i = 0; i < count; i++) {
        if (lc_str_eq(known[i], word))
            return (unsigned)i;
    }
    return LC_UNSET;
}

static void report_choices(const lc_cli *cli, lc_option option, const char *words)
{
    lc_str text = lc_cli_text(cli, option), name = lc_cli_option_name(cli, option);
    lc_str known[MOST_WORDS];
    size_t count = split(known, words);
    lc_buf list = {0};
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(&list, "%s%.*s",
                      i == 0          ? ""
                      : i + 1 < count ? ", "
                                      : " or ",
                      LC_FMT(known[i]));
    lc_str near = lc_str_nearest(text, known, count), choices = lc_buf_str(&list);
    for (size_t i = 0; !near.len && text.len > 2 && i < count; i++)
        if (lc_str_starts_with(known[i], text) || lc_str_ends_with(known[i], text))
            near = known[i];
    if (near.len)
        lc_message("%.*s takes %.*s, not \"%.*s\"; did you mean \"%.*s\"?", LC_FMT(name),
                   LC_FMT(choices), LC_FMT(text), LC_FMT(near));
    else
        lc_message("%.*s takes %.*s, not \"%.*s\"%s", LC_FMT(name), LC_FMT(choices), LC_FMT(text),
                   option == LC_OPTION_AS ? "; a version is written terraform@1.5" : "");
    lc_buf_release(&list);
}

/* A format that is set for all commands may be one that only other commands have. */
static bool is_meant_for_others(const lc_cli *cli, lc_option option)
{
    bool any = false;
    for (unsigned c = 0; option == LC_OPTION_FORMAT && c < LC_COMMAND_COUNT; c++)
        any |=
            index_of(lc_command_get((lc_command)c)->formats, lc_cli_text(cli, option)) != LC_UNSET;
    return any && cli->origins[option] != LC_FROM_FLAG;
}

/* ---- --as CLIENT@VERSION, and --as recorded. */

#define AS_RECORDED 3u /* the word after the profiles */

/* The client of --as, without its version. */
static lc_str client_of(const lc_cli *cli)
{
    lc_str text = lc_cli_text(cli, LC_OPTION_AS);
    return lc_str_sub(text, 0, lc_str_find(text, 0, '@'));
}

static lc_str version_of(const lc_cli *cli)
{
    lc_str text = lc_cli_text(cli, LC_OPTION_AS);
    size_t at = lc_str_find(text, 0, '@');
    return lc_str_sub(text, at < text.len ? at + 1 : text.len, text.len);
}

/* Reports what another command does not know, and versions that there are not. */
static bool refuses_version(const lc_cli *cli, unsigned choice)
{
    lc_str text = lc_cli_text(cli, LC_OPTION_AS);
    unsigned minor;
    bool versioned = lc_str_find(text, 0, '@') < text.len;
    bool knows = cli->command == LC_COMMAND_CHECK ||
                 (cli->command == LC_COMMAND_PREDICT && choice != AS_RECORDED);
    if (!knows && (versioned || choice == AS_RECORDED)) {
        lc_message("--as %.*s: only check%s; write opentofu or terraform", LC_FMT(text),
                   choice == AS_RECORDED ? " knows recorded" : " and predict know versions");
        return true;
    }
    bool client = choice == LC_PROFILE_OPENTOFU || choice == LC_PROFILE_TERRAFORM;
    if (versioned &&
        (!client || !lc_version_read(&minor, version_of(cli)) || minor > LC_NEWEST_MINOR)) {
        lc_message("--as %.*s: a version is that of a client, from 1.1 to 1.%d, as terraform@1.5",
                   LC_FMT(text), LC_NEWEST_MINOR);
        return true;
    }
    return false;
}

static bool read_choice(unsigned *out, const lc_cli *cli, lc_option option)
{
    const lc_option_info *info = lc_option_get(option);
    bool format = option == LC_OPTION_FORMAT;
    const char *words = format ? lc_command_get(cli->command)->formats : info->values;
    *out = format ? 0 : index_of(words, lc_str_from_c(info->preset));
    if (!lc_cli_has(cli, option))
        return true;
    bool as = option == LC_OPTION_AS;
    unsigned choice = index_of(words, as ? client_of(cli) : lc_cli_text(cli, option));
    if (as && choice != LC_UNSET && refuses_version(cli, choice))
        return false;
    if (choice != LC_UNSET)
        *out = choice;
    else if (!is_meant_for_others(cli, option)) {
        report_choices(cli, option, words);
        return false;
    }
    return true;
}

/* ---- Each option on its own. */

static bool read_flag(bool *out, const lc_cli *cli, lc_option option)
{
    *out = lc_cli_has(cli, option);
    return true;
}

/* An empty variable of a shell must not make an option vanish: `--baseline "$BASELINE"`. */
static bool read_text(lc_str *out, const lc_cli *cli, lc_option option)
{
    *out = lc_cli_text(cli, option);
    if (!lc_cli_has(cli, option) || out->len)
        return true;
    lc_message("%.*s takes %s, not an empty string", LC_FMT(lc_cli_option_name(cli, option)),
               lc_option_get(option)->argument);
    return false;
}

static bool read_list(lc_words *out, const lc_cli *cli, lc_option option)
{
    *out = cli->values[option];
    return true;
}

#define READ_FLAG   read_flag
#define READ_TEXT   read_text
#define READ_LIST   read_list
#define READ_CHOICE read_choice
#define READ_NUMBER read_number

static bool read_values(lc_options *o, const lc_cli *cli)
{
#define OPTION(id, field, kind, ...)                                                               \
    if (!READ_##kind(&o->field, cli, LC_OPTION_##id))                                              \
        return false;
#include "cli/options.def"
#undef OPTION
    return true;
}

static void read_limits(lc_options *o)
{
    o->limits = LC_LIMITS_DEFAULT;
    o->limits.by_user = true;
    o->limits.input_bytes = (size_t)o->max_input;
    o->limits.depth = (size_t)o->max_depth;
    o->limits.nodes = (size_t)o->max_nodes;
    o->limits.memory = (size_t)o->max_memory;
}

/* ---- Policy. */

static bool read_globs(const lc_cli *cli, lc_option option, const lc_str **globs, size_t *count)
{
    const lc_words *values = &cli->values[option];
    for (size_t i = 0; i < values->count; i++) {
        lc_str glob = values->items[i], name = lc_cli_option_name(cli, option);
        if (lc_rule_any_matches(glob))
            continue;
        lc_buf words = {0};
        lc_rule_add_unmatched(&words, glob);
        lc_message("%.*s: %.*s", LC_FMT(name), LC_FMT(lc_buf_str(&words)));
        lc_buf_release(&words);
        return false;
    }
    *globs = values->items;
    *count = values->count;
    return true;
}

/* A required rule that --select or --ignore leaves out would never be reported as missing, so
 * this is refused. */
static bool requires_selected(const lc_policy *policy)
{
    for (size_t i = 0; i < policy->require_count; i++) {
        bool any = false;
        for (unsigned rule = 0; rule < LC_RULE_COUNT && !any; rule++)
            any = lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, policy->require[i]) &&
                  lc_policy_selects(policy, (lc_rule)rule);
        if (!any) {
            lc_message("%.*s is required, but select and ignore leave it out",
                       LC_FMT(policy->require[i]));
            return false;
        }
    }
    return true;
}

static bool read_seconds(int64_t *out, const char *text)
{
    int64_t n = 0;
    size_t length = strlen(text);
    if (length == 0 || length > 15)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        n = n * 10 + (text[i] - '0');
    }
    *out = n;
    return true;
}

bool lc_cli_today(lc_date *out, const lc_cli *cli)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = (int64_t)time(NULL);
    if (lc_cli_has(cli, LC_OPTION_TODAY)) {
        lc_str text = lc_cli_text(cli, LC_OPTION_TODAY);
        lc_str name = lc_cli_option_name(cli, LC_OPTION_TODAY);
        if (lc_date_parse(out, text))
            return true;
        lc_message("%.*s takes a day as YYYY-MM-DD, not \"%.*s\"", LC_FMT(name), LC_FMT(text));
        return false;
    }
    if (epoch && *epoch && !read_seconds(&seconds, epoch)) {
        lc_message("SOURCE_DATE_EPOCH takes a number of seconds, not \"%s\"", epoch);
        return false;
    }
    *out = lc_date_from_seconds(seconds);
    return true;
}

/* What a settings file leaves out is listed in reports, because their readers may not know the
 * file. */
static lc_str narrowed(const lc_cli *cli)
{
    static const lc_option options[] = {LC_OPTION_SELECT, LC_OPTION_IGNORE, LC_OPTION_ALLOW_EMPTY};
    lc_buf out = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        bool ignores = options[i] == LC_OPTION_IGNORE && cli->config.ignores.count;
        if (ignores || (cli->origins[options[i]] == LC_FROM_FILE && cli->values[options[i]].count))
            lc_buf_printf(&out, "%s%s", out.len ? ", " : "", lc_option_get(options[i])->name);
    }
    if (cli->config.exclude.count)
        lc_buf_printf(&out, "%sexclude", out.len ? ", " : "");
    if (out.len)
        lc_buf_printf(&out, " in %.*s", LC_FMT(cli->config.file));
    return lc_buf_take(cli->arena, &out);
}

static void report_not_mirrored(unsigned minor)
{
    lc_buf words = {0};
    lc_versions_add_not_mirrored(&words, minor);
    lc_str all = lc_buf_str(&words), line;
    for (size_t at = 0; at < all.len; at += line.len + 1) {
        line = lc_str_sub(all, at, lc_str_find(all, at, '\n'));
        lc_message("%.*s", LC_FMT(line));
    }
    lc_buf_release(&words);
}

static bool read_policy(lc_options *o, const lc_cli *cli)
{
    lc_policy *out = &o->policy;
    memset(out, 0, sizeof *out);
    if (!(JUDGING & 1u << cli->command))
        return true;
    bool asked = o->as == AS_RECORDED;
    out->as_recorded = asked ? LC_RECORDED_ASKED
                       : RECORDINGS & 1u << cli->command && !lc_cli_has(cli, LC_OPTION_AS)
                           ? LC_RECORDED_IF_STATED
                           : LC_RECORDED_NOT;
    out->as = asked ? LC_PROFILE_DOCUMENT : (lc_profile)o->as;
    lc_version_read(&out->as_minor, version_of(cli));
    if (out->as == LC_PROFILE_TERRAFORM)
        report_not_mirrored(out->as_minor);
    out->strict = o->strict;
    out->ignores = cli->config.ignores.items;
    out->ignores_count = cli->config.ignores.count;
    out->allow_empty = o->allow_empty;
    out->narrowed = narrowed(cli);
    out->fail_on = (lc_severity)(LC_ERROR - (int)o->fail_on);
    return lc_cli_today(&out->today, cli) &&
           read_globs(cli, LC_OPTION_SELECT, &out->select, &out->select_count) &&
           read_globs(cli, LC_OPTION_IGNORE, &out->ignore, &out->ignore_count) &&
           read_globs(cli, LC_OPTION_REQUIRE, &out->require, &out->require_count) &&
           requires_selected(out);
}

/* ---- Terminal style. */

/* Where the report of the command goes. */
static int report_descriptor(const lc_cli *cli)
{
    return lc_command_runs_client(cli->command) ? STDERR_FILENO : STDOUT_FILENO;
}

static bool terminal_has_color(int fd)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(fd) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

/* The working directory as the shell calls it, so that paths that a user made of that name are
 * known to be below it. */
static lc_str working_folder(lc_arena *arena)
{
    const char *named = getenv("PWD");
    char here[PATH_MAX];
    struct stat a, b;
    if (named && *named == '/' && stat(named, &a) == 0 && stat(".", &b) == 0 &&
        a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return lc_str_copy(arena, lc_str_from_c(named));
    return getcwd(here, sizeof here) ? lc_str_copy(arena, lc_str_from_c(here)) : LC_STR_EMPTY;
}

static void read_folders(lc_options *o, const lc_cli *cli)
{
    const char *checkout = getenv("GITHUB_WORKSPACE");
    o->style.folder = working_folder(cli->arena);
    if (checkout && *checkout == '/')
        o->style.workspace = lc_str_from_c(checkout);
}

/* It becomes part of links. */
static bool read_rules_url(const lc_options *o, const lc_cli *cli)
{
    bool ok = lc_str_starts_with(o->rules_url, LC_STR("https://")) ||
              lc_str_starts_with(o->rules_url, LC_STR("http://"));
    for (size_t i = 0; ok && i < o->rules_url.len; i++) {
        char c = o->rules_url.ptr[i];
        ok = lc_is_alnum(c) || (c && strchr("-._~:/?#@!$&()*+,;=%", c));
    }
    if (ok || !o->rules_url.len)
        return true;
    lc_str name = lc_cli_option_name(cli, LC_OPTION_RULES_URL);
    lc_message("%.*s takes an address that begins with https://, not \"%.*s\"", LC_FMT(name),
               LC_FMT(o->rules_url));
    return false;
}

static void read_style(lc_options *o, const lc_cli *cli)
{
    int fd = report_descriptor(cli);
    o->style =
        (lc_report_options){.verbose = o->verbose,
                            .quiet = o->quiet,
                            .folds = !o->all && !o->verbose,
                            .statistics = o->statistics,
                            .color = o->color == 1 || (o->color == 0 && terminal_has_color(fd)),
                            .width = (unsigned)o->width,
                            .limit = o->verbose ? 0 : MOST_OF_COMMENT,
                            .rules_url = o->rules_url.len ? o->rules_url : LC_STR(LC_RULES_URL),
                            .category = o->sarif_category,
                            .policy = o->policy};
    read_folders(o, cli);
    if (!lc_cli_has(cli, LC_OPTION_WIDTH))
        o->style.width = lc_terminal_columns(fd, 40, 1000);
}

/* ---- Reports. */

/* The position of `=` in F=PATH, or its end. */
static size_t split_report(lc_str text)
{
    const char *equals = memchr(text.ptr, '=', text.len);
    return equals ? (size_t)(equals - text.ptr) : text.len;
}

static void report_report_usage(const lc_cli *cli, lc_str text, const char *formats)
{
    lc_str name = lc_cli_option_name(cli, LC_OPTION_REPORT);
    lc_str format = lc_str_sub(text, 0, split_report(text)), known[MOST_WORDS];
    size_t count = split(known, formats);
    lc_buf list = {0};
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(&list, "%s%.*s", i ? ", " : "", LC_FMT(known[i]));
    lc_str near = lc_str_nearest(format, known, count);
    bool guess = near.len && !lc_str_eq(near, format);
    if (!guess)
        near.len = 0;
    lc_message("%.*s takes F=PATH, F one of %.*s, not \"%.*s\"%s%.*s%s", LC_FMT(name),
               LC_FMT(lc_buf_str(&list)), LC_FMT(text), guess ? "; did you mean \"" : "",
               LC_FMT(near), guess ? "\"?" : "");
    lc_buf_release(&list);
}

/* --report F=-: it replaces the default report on standard output. */
static bool choose_first(lc_options *o, lc_str text, unsigned format, bool *taken)
{
    if (*taken) {
        lc_message("--report %.*s: standard output has a report already", LC_FMT(text));
        return false;
    }
    *taken = true;
    o->wanted[0].format = format;
    return true;
}

static bool read_report(lc_options *o, const lc_cli *cli, lc_str text, bool *taken)
{
    const char *formats = lc_command_get(cli->command)->formats;
    size_t at = split_report(text);
    lc_wanted wanted = {index_of(formats, lc_str_sub(text, 0, at)),
                        lc_str_sub(text, at < text.len ? at + 1 : at, text.len)};
    if (wanted.path.len == 0 || wanted.format == LC_UNSET) {
        report_report_usage(cli, text, formats);
        return false;
    }
    if (lc_str_is(wanted.path, "-"))
        return choose_first(o, text, wanted.format, taken);
    if (o->wanted_count == MOST_REPORTS) {
        lc_str name = lc_cli_option_name(cli, LC_OPTION_REPORT);
        lc_message("%.*s can be given %d times", LC_FMT(name), MOST_REPORTS - 1);
        return false;
    }
    o->wanted[o->wanted_count++] = wanted;
    return true;
}

static bool read_wanted(lc_options *o, const lc_cli *cli)
{
    bool taken = cli->origins[LC_OPTION_FORMAT] == LC_FROM_FLAG;
    o->wanted[0] = (lc_wanted){o->format, o->output};
    if (lc_str_is(o->output, "-") || lc_command_runs_client(cli->command) ||
        cli->command == LC_COMMAND_PROBE)
        o->wanted[0].path = LC_STR_EMPTY; /* what these write to --output is not a report */
    o->wanted_count = 1;
    if (cli->command == LC_COMMAND_SETTINGS && cli->origins[LC_OPTION_REPORT] != LC_FROM_FLAG)
        return true; /* it is printed, and only check obeys it */
    for (size_t i = 0; i < o->report.count; i++) {
        if (!read_report(o, cli, o->report.items[i], &taken))
            return false;
    }
    return true;
}

/* ---- Names. */

/* The clients accept what a URL holds as it is. */
static bool read_workspace(const lc_cli *cli)
{
    lc_str name = cli->options.workspace;
    for (size_t i = 0; i < name.len; i++) {
        if (lc_is_alnum(name.ptr[i]) || strchr("-_.~$&+:=@", name.ptr[i]))
            continue;
        lc_message("%.*s takes a name of letters, digits, dashes, underscores and dots, not "
                   "\"%.*s\"",
                   LC_FMT(lc_cli_option_name(cli, LC_OPTION_WORKSPACE)), LC_FMT(name));
        return false;
    }
    return true;
}

/* NAME=VALUE, or NAME of a variable that lifecheck has. Values may be secrets: they are not shown.
 */
static bool read_variables(const lc_cli *cli)
{
    for (size_t i = 0; i < cli->options.env.count; i++) {
        lc_str word = cli->options.env.items[i];
        lc_str name = lc_str_sub(word, 0, lc_str_find(word, 0, '='));
        if (name.len && (name.len < word.len || getenv(lc_str_to_c(cli->arena, name))))
            continue;
        if (name.len)
            lc_message("%.*s: the environment has no variable %.*s; write %.*s=VALUE",
                       LC_FMT(lc_cli_option_name(cli, LC_OPTION_ENV)), LC_FMT(name), LC_FMT(name));
        else
            lc_message("%.*s takes NAME=VALUE: the name is missing",
                       LC_FMT(lc_cli_option_name(cli, LC_OPTION_ENV)));
        return false;
    }
    return true;
}

/* ---- All of it. */

bool lc_options_read(lc_cli *cli)
{
    lc_options *o = &cli->options;
    if (!read_values(o, cli) || !read_policy(o, cli) || !read_wanted(o, cli) ||
        !read_rules_url(o, cli) || !read_workspace(cli) || !read_variables(cli))
        return false;
    read_limits(o);
    read_style(o, cli);
    o->profile = lc_cli_has(cli, LC_OPTION_AS) ? (lc_profile)o->as : LC_PROFILE_OPENTOFU;
    o->as_version = version_of(cli);
    o->input_kind = o->input == LC_UNSET ? LC_INPUT_UNKNOWN : (lc_input_kind)(o->input + 1);
    return true;
}

lc_core lc_cli_client(const lc_cli *cli)
{
    return cli->options.policy.as == LC_PROFILE_OPENTOFU ? LC_OPENTOFU : LC_TERRAFORM;
}

/* POSIX needs this declared by who uses it. */
extern char **environ;

/* NAME=VALUE of every TF_VAR_NAME. */
static lc_words given_by_environment(const lc_cli *cli)
{
    lc_words words = {NULL, 0, 0};
    lc_str prefix = LC_STR("TF_VAR_");
    for (char **at = environ; cli->options.var_environment && *at; at++) {
        lc_str word = lc_str_from_c(*at);
        if (lc_str_starts_with(word, prefix))
            *LC_PUSH(cli->arena, &words, lc_str) = lc_str_sub(word, prefix.len, word.len);
    }
    return words;
}

lc_variable_sources lc_cli_variables(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    lc_words environment = given_by_environment(cli);
    return (lc_variable_sources){.environment = environment.items,
                                 .environment_count = environment.count,
                                 .files = o->var_file.items,
                                 .file_count = o->var_file.count,
                                 .words = o->var.items,
                                 .word_count = o->var.count};
}

lc_config_access lc_cli_access(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    return (lc_config_access){o->module_root.items, o->module_root.count, o->private_files,
                              o->show_file_values};
}

lc_capture_options lc_cli_capture(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    return (lc_capture_options){.log = o->log,
                                .new_state = o->new_state,
                                .prior_state = o->prior_state,
                                .operation = o->operation,
                                .schemas = o->schema.items,
                                .schema_count = o->schema.count};
}

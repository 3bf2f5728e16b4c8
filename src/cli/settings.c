/* What the flags mean: limits, policy, terminal manners. */
#include "cli/internal.h"
#include "lifecheck/arena.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_BYTES ((uint64_t)1 << 40)

bool lc_cli_limits(const lc_cli *cli, lc_limits *out)
{
    *out = LC_LIMITS_DEFAULT;
    uint64_t bytes = out->input_bytes, depth = out->depth, nodes = out->nodes;
    if (!lc_cli_number(cli, LC_OPTION_MAX_INPUT, MAX_BYTES, true, &bytes) ||
        !lc_cli_number(cli, LC_OPTION_MAX_DEPTH, LC_MAX_JSON_DEPTH, false, &depth) ||
        !lc_cli_number(cli, LC_OPTION_MAX_NODES, MAX_BYTES, false, &nodes))
        return false;
    out->input_bytes = (size_t)bytes;
    out->depth = (size_t)depth;
    out->nodes = (size_t)nodes;
    return true;
}

/* ---- Inputs. */

bool lc_cli_input(const lc_cli *cli, lc_input_kind *out)
{
    const char *names[LC_INPUT_KINDS] = {NULL};
    unsigned choice = 0;
    for (unsigned kind = 1; kind < LC_INPUT_KINDS; kind++)
        names[kind - 1] = lc_input_name((lc_input_kind)kind);
    if (!lc_cli_choice(cli, LC_OPTION_INPUT, names, &choice))
        return false;
    if (lc_cli_has(cli, LC_OPTION_INPUT))
        *out = (lc_input_kind)(choice + 1);
    return true;
}

/* ---- Policy. */

static bool matches_some_rule(lc_str glob)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, glob))
            return true;
    }
    return false;
}

static bool read_globs(const lc_cli *cli, lc_option option, const lc_str **globs, size_t *count)
{
    const lc_words *values = &cli->values[option];
    for (size_t i = 0; i < values->count; i++) {
        lc_str glob = values->items[i], name = lc_cli_option_name(cli, option);
        if (matches_some_rule(glob))
            continue;
        lc_str near = lc_rule_nearest(glob);
        lc_message("%.*s: no rule matches \"%.*s\"%s%.*s%s", LC_FMT(name), LC_FMT(glob),
                   near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
        return false;
    }
    *globs = values->items;
    *count = values->count;
    return true;
}

/* A rule that is required and left out could never be missed. */
static bool requires_selected(const lc_policy *policy)
{
    for (size_t i = 0; i < policy->require_count; i++) {
        bool any = false;
        for (unsigned rule = 0; rule < LC_RULE_COUNT && !any; rule++)
            any = lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, policy->require[i]) &&
                  lc_policy_selects(policy, (lc_rule)rule);
        if (!any) {
            lc_message("%.*s is required, and select and ignore leave nothing of it",
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

static bool read_today(const lc_cli *cli, lc_date *out)
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

/* Verdicts are known for one version of each core. */
static bool read_as(const lc_cli *cli, lc_profile *out)
{
    unsigned as = LC_PROFILE_DOCUMENT;
    lc_str text = lc_cli_text(cli, LC_OPTION_AS);
    const char *at = text.len ? memchr(text.ptr, '@', text.len) : NULL;
    if (at) {
        lc_message("--as %.*s: the verdicts of one version are known only; leave out \"%.*s\"",
                   LC_FMT(text), (int)(text.ptr + text.len - at), at);
        return false;
    }
    if (!lc_cli_choice(cli, LC_OPTION_AS, lc_profile_names, &as))
        return false;
    *out = (lc_profile)as;
    return true;
}

/* What a settings file leaves out: whoever reads the report has to know. */
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

bool lc_cli_policy(const lc_cli *cli, lc_policy *out)
{
    static const char *const levels[] = {"error", "warning", "info", NULL};
    unsigned level = 0;
    memset(out, 0, sizeof *out);
    out->strict = lc_cli_has(cli, LC_OPTION_STRICT);
    out->ignores = cli->config.ignores.items;
    out->ignores_count = cli->config.ignores.count;
    out->allow_empty = lc_cli_has(cli, LC_OPTION_ALLOW_EMPTY);
    out->narrowed = narrowed(cli);
    if (!read_as(cli, &out->as) || !lc_cli_choice(cli, LC_OPTION_FAIL_ON, levels, &level) ||
        !read_today(cli, &out->today))
        return false;
    out->fail_on = (lc_severity)(LC_ERROR - (int)level);
    return read_globs(cli, LC_OPTION_SELECT, &out->select, &out->select_count) &&
           read_globs(cli, LC_OPTION_IGNORE, &out->ignore, &out->ignore_count) &&
           read_globs(cli, LC_OPTION_REQUIRE, &out->require, &out->require_count) &&
           requires_selected(out);
}

/* ---- Manners. */

static bool terminal_has_color(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

static uint64_t terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    int64_t width = 0;
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (columns && read_seconds(&width, columns) && width >= 40 && width <= 1000)
        return (uint64_t)width;
    return 100;
}

bool lc_cli_report(const lc_cli *cli, const lc_policy *policy, lc_report_options *out)
{
    const char *formats[LC_FORMAT_COUNT + 1] = {NULL};
    static const char *const colors[] = {"auto", "always", "never", NULL};
    unsigned format = LC_FORMAT_TEXT, color = 0;
    uint64_t width = terminal_width();
    for (unsigned i = 0; i < LC_FORMAT_COUNT; i++)
        formats[i] = lc_format_name((lc_format)i);
    if (!lc_cli_choice(cli, LC_OPTION_FORMAT, formats, &format) ||
        !lc_cli_choice(cli, LC_OPTION_COLOR, colors, &color) ||
        !lc_cli_number(cli, LC_OPTION_WIDTH, 1000, false, &width))
        return false;
    *out = (lc_report_options){.format = (lc_format)format,
                               .verbose = lc_cli_has(cli, LC_OPTION_VERBOSE),
                               .quiet = lc_cli_has(cli, LC_OPTION_QUIET),
                               .folds = !lc_cli_has(cli, LC_OPTION_ALL) &&
                                        !lc_cli_has(cli, LC_OPTION_VERBOSE),
                               .color = color == 1 || (color == 0 && terminal_has_color()),
                               .width = (unsigned)width,
                               .policy = *policy};
    return true;
}

lc_capture_options lc_cli_capture(const lc_cli *cli)
{
    const lc_words *schemas = &cli->values[LC_OPTION_SCHEMA];
    return (lc_capture_options){.log = lc_cli_text(cli, LC_OPTION_LOG),
                                .new_state = lc_cli_text(cli, LC_OPTION_NEW_STATE),
                                .prior_state = lc_cli_text(cli, LC_OPTION_PRIOR_STATE),
                                .operation = lc_cli_text(cli, LC_OPTION_OPERATION),
                                .schemas = schemas->items,
                                .schema_count = schemas->count};
}

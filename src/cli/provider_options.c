/* The options about a provider that is asked. */
#include "cli/provider_options.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/drive/answers.h"
#include "lifecheck/offline_config/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* An address has no `=`, and a file that has one is meant as a whole. */
static lc_str cut_address(const lc_cli *cli, lc_str *text)
{
    size_t at = lc_str_find(*text, 0, '=');
    if (at == text->len || access(lc_str_to_c(cli->arena, *text), F_OK) == 0)
        return LC_STR_EMPTY;
    lc_str address = lc_str_sub(*text, 0, at);
    *text = lc_str_sub(*text, at + 1, text->len);
    return address;
}

void lc_provider_options_read(lc_provider_options *out, const lc_cli *cli)
{
    lc_str where = cli->options.provider.items[0], address = cut_address(cli, &where);
    bool local = lc_str_starts_with(where, LC_STR("unix:"));
    bool tcp = lc_str_starts_with(where, LC_STR("tcp:"));
    bool runs = local || tcp;
    *out = (lc_provider_options){.cli = cli, .where = where, .log = -1};
    out->provider = (lc_live_provider){.address = address,
                                       .version = LC_STR_EMPTY,
                                       .binary = runs ? LC_STR_EMPTY : where,
                                       .from = LC_STR("--provider"),
                                       .named = true,
                                       .tcp = tcp,
                                       .dial = LC_STR_EMPTY};
    if (runs)
        out->provider.dial = lc_str_sub(where, local ? 5 : 4, where.len);
}

bool lc_provider_settings_read(lc_source *out, const lc_cli *cli, const char *what)
{
    const lc_limits *limits = &cli->options.limits;
    lc_str name = cli->options.provider_config, text;
    lc_diags diags;
    if (name.len == 0)
        return true;
    lc_diags_init(&diags, cli->arena);
    if (lc_file_read(&text, cli->arena, name, limits->input_bytes, &diags) == LC_OK &&
        lc_source_parse(out, cli->arena, name, text, limits, &diags) == LC_OK &&
        (out->count != 1 || out->documents[0].kind != LC_NODE_MAPPING))
        lc_diag_error(&diags, (lc_loc){name, 1, 1}, "%s", what);
    return lc_report_diags(&diags);
}

bool lc_provider_options_read_settings(lc_provider_options *options)
{
    return lc_provider_settings_read(&options->settings, options->cli,
                                     "the settings of a provider are a mapping");
}

const lc_node *lc_provider_options_settings(const lc_provider_options *options)
{
    return options->settings.count ? options->settings.documents : NULL;
}

/* ---- Names of binaries. */

lc_str lc_provider_file_type(lc_str path)
{
    lc_str name = lc_file_name(path), prefix = LC_STR("terraform-provider-");
    if (!lc_str_starts_with(name, prefix))
        return LC_STR_EMPTY;
    name = lc_str_sub(name, prefix.len, name.len);
    return lc_str_sub(name, 0, lc_str_find(name, 0, '_'));
}

lc_str lc_provider_file_version(lc_str path)
{
    lc_str name = lc_file_name(path);
    for (size_t at = 0; at + 2 < name.len; at++) {
        if (name.ptr[at] == '_' && name.ptr[at + 1] == 'v' && lc_is_digit(name.ptr[at + 2]))
            return lc_str_sub(name, at + 2, lc_str_find(name, at + 2, '_'));
    }
    return LC_STR_EMPTY;
}

/* ---- What its process gets. */

void lc_provider_environment(lc_words *out, const lc_cli *cli, lc_arena *arena, lc_str address)
{
    const char *const *names = lc_settings_environment(address);
    for (size_t i = 0; names && names[i]; i++)
        *LC_PUSH(arena, out, lc_str) = lc_str_from_c(names[i]);
    for (size_t i = 0; i < cli->options.env.count; i++)
        *LC_PUSH(arena, out, lc_str) = cli->options.env.items[i];
}

static void split(lc_words *out, lc_arena *arena, lc_str text)
{
    if (text.len == 0)
        *LC_PUSH(arena, out, lc_str) = text;
    for (size_t at = 0; at < text.len;) {
        size_t end = lc_str_find(text, at, ',');
        if (end > at)
            *LC_PUSH(arena, out, lc_str) = lc_str_sub(text, at, end);
        at = end + 1;
    }
}

void lc_split_words(lc_words *out, lc_arena *arena, const lc_words *given)
{
    for (size_t i = 0; i < given->count; i++)
        split(out, arena, given->items[i]);
}

bool lc_provider_options_open_log(lc_provider_options *options)
{
    lc_str name = options->cli->options.provider_log;
    if (name.len == 0)
        return true;
    options->log = open(lc_str_to_c(options->cli->arena, name),
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
    if (options->log < 0)
        lc_message("%.*s cannot be written: %s", LC_FMT(name), strerror(errno));
    return options->log >= 0;
}

void lc_provider_options_close(lc_provider_options *options)
{
    if (options->log >= 0)
        close(options->log);
}

lc_session_options lc_provider_session_options(lc_provider_options *options)
{
    const lc_options *o = &options->cli->options;
    return (lc_session_options){.provider = &options->provider,
                                .process = ++options->started,
                                .env = o->env.items,
                                .env_count = o->env.count,
                                .offline = o->offline,
                                .start_ms = (int64_t)o->start_timeout * 1000,
                                .grace_ms = (int64_t)o->grace * 1000,
                                .log = options->log,
                                .limits = o->limits};
}

/* ---- Why it exited. */

/* A line of the log may quote configuration values. If the user configured the provider, only
 * messages of the Go runtime are shown. */
static bool is_harmless(lc_str line, bool given)
{
    return !given || lc_str_starts_with(line, LC_STR("panic: runtime error")) ||
           lc_str_starts_with(line, LC_STR("fatal error: "));
}

#define MOST_FRAMES 8
#define MOST_LINE   200

/* A frame of Go's stack without arguments, which may be of what the provider was given, and without
 * the folders of those who built it. */
static void add_frame(lc_buf *out, lc_str function, lc_str place)
{
    size_t end = function.len;
    while (end && function.ptr[end - 1] != '(')
        end--;
    lc_str name = end ? lc_str_sub(function, 0, end - 1) : function;
    lc_str file = lc_file_name(place);
    file = lc_str_sub(file, 0, lc_str_find(file, 0, ' '));
    if (name.len > MOST_LINE)
        name.len = MOST_LINE;
    if (file.len > MOST_LINE)
        file.len = MOST_LINE;
    lc_buf_printf(out, "\nat %.*s (%.*s)", LC_FMT(name), LC_FMT(file));
}

/* The frames of the first goroutine, except those of the Go runtime. */
static void add_stack(lc_buf *out, lc_str log)
{
    lc_str before = LC_STR_EMPTY;
    unsigned frames = 0;
    bool inside = false;
    for (size_t at = 0; at < log.len && frames < MOST_FRAMES; at = lc_str_find(log, at, '\n') + 1) {
        lc_str line = lc_str_sub(log, at, lc_str_find(log, at, '\n'));
        bool place = line.len > 1 && line.ptr[0] == '\t';
        bool ours = !lc_str_starts_with(before, LC_STR("runtime.")) &&
                    !lc_str_starts_with(before, LC_STR("panic("));
        if (inside && line.len == 0)
            return;
        if (inside && place && before.len && ours) {
            add_frame(out, before, lc_str_sub(line, 1, line.len));
            frames++;
        }
        before = place || !inside ? LC_STR_EMPTY : line;
        inside |= lc_str_starts_with(line, LC_STR("goroutine "));
    }
}

static lc_str with_stack(lc_arena *arena, lc_str line, lc_str behind)
{
    lc_buf out = {0};
    lc_buf_add_str(&out, lc_str_sub(line, 0, line.len < MOST_LINE ? line.len : MOST_LINE));
    add_stack(&out, behind);
    lc_clean_text(&out, 0);
    return lc_buf_take(arena, &out);
}

lc_str lc_provider_last_words(lc_session *session, lc_arena *arena, bool given, lc_str *how)
{
    lc_str log;
    *how = lc_session_end_text(session, arena, &log);
    for (size_t at = 0; at < log.len; at = lc_str_find(log, at, '\n') + 1) {
        lc_str line = lc_str_sub(log, at, lc_str_find(log, at, '\n'));
        bool panic = lc_str_starts_with(line, LC_STR("panic: ")) ||
                     lc_str_starts_with(line, LC_STR("fatal error: "));
        if (panic && is_harmless(line, given))
            return with_stack(arena, line, lc_str_sub(log, at, log.len));
    }
    return LC_STR_EMPTY;
}

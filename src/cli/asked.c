/* The options about a provider that is asked. */
#include "cli/asked.h"
#include "lifecheck/arena.h"

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

void lc_asked_read(lc_asked *out, const lc_cli *cli)
{
    lc_str where = cli->options.provider.items[0], address = cut_address(cli, &where);
    bool local = lc_str_starts_with(where, LC_STR("unix:"));
    bool tcp = lc_str_starts_with(where, LC_STR("tcp:"));
    bool runs = local || tcp;
    *out = (lc_asked){.cli = cli, .where = where, .log = -1};
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

bool lc_asked_read_settings(lc_asked *asked)
{
    const lc_cli *cli = asked->cli;
    const lc_limits *limits = &cli->options.limits;
    lc_source *settings = &asked->settings;
    lc_str name = cli->options.provider_config, text;
    lc_diags diags;
    if (name.len == 0)
        return true;
    lc_diags_init(&diags, cli->arena);
    if (lc_file_read(&text, cli->arena, name, limits->input_bytes, &diags) == LC_OK &&
        lc_source_parse(settings, cli->arena, name, text, limits, &diags) == LC_OK &&
        (settings->count != 1 || settings->documents[0].kind != LC_NODE_MAPPING))
        lc_diag_error(&diags, (lc_loc){name, 1, 1}, "the settings of a provider are a mapping");
    return lc_report_diags(&diags);
}

const lc_node *lc_asked_settings(const lc_asked *asked)
{
    return asked->settings.count ? asked->settings.documents : NULL;
}

bool lc_asked_open_log(lc_asked *asked)
{
    lc_str name = asked->cli->options.provider_log;
    if (name.len == 0)
        return true;
    asked->log = open(lc_str_to_c(asked->cli->arena, name),
                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
    if (asked->log < 0)
        lc_message("%.*s cannot be written: %s", LC_FMT(name), strerror(errno));
    return asked->log >= 0;
}

void lc_asked_close(lc_asked *asked)
{
    if (asked->log >= 0)
        close(asked->log);
}

lc_session_options lc_asked_session(lc_asked *asked)
{
    const lc_options *o = &asked->cli->options;
    return (lc_session_options){.provider = &asked->provider,
                                .process = ++asked->started,
                                .env = o->env.items,
                                .env_count = o->env.count,
                                .offline = o->offline,
                                .start_ms = (int64_t)o->start_timeout * 1000,
                                .grace_ms = (int64_t)o->grace * 1000,
                                .log = asked->log,
                                .limits = o->limits};
}

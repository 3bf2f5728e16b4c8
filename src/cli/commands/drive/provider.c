/* The provider that drive asks. */
#include "cli/commands/drive/provider.h"
#include "cli/commands/drive/undestroyed.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* ---- Which provider. */

/* *status is set to what a failure of the next step would be. */
bool lc_drive_provider_init(lc_drive_provider *p, const lc_cli *cli, lc_exit *status)
{
    *p = (lc_drive_provider){.cli = cli, .provider_options.log = -1, .never_started = true};
    *status = LC_EXIT_USAGE;
    if (cli->options.provider.count != 1) {
        lc_message("drive runs one provider: give --provider BINARY once");
        return false;
    }
    lc_provider_options_read(&p->provider_options, cli);
    lc_str type = lc_provider_file_type(p->provider_options.where);
    if (p->provider_options.provider.address.len == 0)
        p->provider_options.provider.address = type.len ? type : LC_STR("provider");
    *LC_PUSH(cli->arena, &p->providers.list, lc_live_provider) = p->provider_options.provider;
    *status = LC_EXIT_INPUT;
    if (!lc_provider_options_read_settings(&p->provider_options))
        return false;
    *status = LC_EXIT_INTERNAL;
    if (!lc_provider_options_open_log(&p->provider_options))
        return false;
    p->recorder = lc_recorder_open_named(cli, cli->options.record, status);
    if (p->recorder)
        lc_recorder_client(p->recorder, LC_STR("lifecheck"));
    return p->recorder != NULL;
}

void lc_drive_provider_end(lc_drive_provider *p)
{
    while (p->count)
        lc_drive_end(p);
    lc_provider_options_close(&p->provider_options);
}

/* ---- Processes. */

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    lc_session_ask(context, out, arena, questions, count);
}

/* Scenarios give it something. */
static lc_str last_words(void *context, lc_arena *arena)
{
    lc_str how;
    return lc_provider_last_words(context, arena, true, &how);
}

static lc_session *start(lc_drive_provider *p, lc_str *why, lc_str *log)
{
    lc_session_options options = lc_provider_session_options(&p->provider_options);
    options.context = p->recorder;
    options.on_event = lc_recorder_report;
    return lc_session_open(p->cli->arena, &options, why, log);
}

bool lc_drive_begin(void *context, lc_peer *out, bool last)
{
    lc_drive_provider *p = context;
    lc_str why, log;
    LC_ASSERT(p->count < LC_MOST_SESSIONS);
    if (!last && lc_session_stopped())
        return false;
    lc_session *session = start(p, &why, &log);
    /* If a signal ended the start, what was created is destroyed all the same; a second signal ends
     * this too. */
    if (!session && last && lc_session_stopped())
        session = start(p, &why, &log);
    if (!session) {
        lc_recorder_report(p->recorder, LC_LIVE_ERROR,
                           lc_str_printf(p->cli->arena, "%.*s does not serve: %.*s",
                                         LC_FMT(p->provider_options.where), LC_FMT(why)),
                           log);
        return false;
    }
    p->never_started = false;
    p->sessions[p->count++] = session;
    *out = (lc_peer){session, lc_session_protocol(session), ask, last_words};
    return true;
}

/* A process that is gone before we end it is reported, with how it ended. */
void lc_drive_end(void *context)
{
    lc_drive_provider *p = context;
    lc_session *session = p->sessions[--p->count];
    if (!lc_session_is_alive(session) && !lc_session_stopped()) {
        lc_str log;
        lc_str how = lc_session_end_text(session, p->cli->arena, &log);
        p->died++;
        lc_recorder_report(p->recorder, LC_LIVE_ERROR,
                           lc_str_printf(p->cli->arena, "the provider %.*s", LC_FMT(how)), log);
    }
    lc_session_close(session);
}

bool lc_drive_stopped(void *context)
{
    (void)context;
    return lc_session_stopped() != 0;
}

void lc_drive_on_call(void *context, const lc_live_call *call)
{
    lc_drive_provider *p = context;
    p->calls++;
    if (call->cut && call->status == 0)
        lc_recorder_report(p->recorder, LC_LIVE_WARNING,
                           lc_str_printf(p->cli->arena,
                                         "%.*s was ended after %zu messages of its response",
                                         LC_FMT(lc_file_name(call->path)), call->response_count),
                           LC_STR_EMPTY);
    lc_recorder_call(p->recorder, call);
}

void lc_drive_on_event(void *context, lc_live_weight weight, lc_str text)
{
    lc_drive_provider *p = context;
    lc_recorder_report(p->recorder, weight, text, LC_STR_EMPTY);
}

/* In the recording an object that is set aside has an address of its own, or its calls would be
 * taken for those of the object that replaces it. */
void lc_drive_on_set_aside(void *context, const lc_schema *schema)
{
    lc_drive_provider *p = context;
    lc_recorder_address(p->recorder, lc_str_printf(p->cli->arena, "%.*s.set-aside%zu",
                                                   LC_FMT(schema->type_name), ++p->set_aside));
}

/* ---- What could not be destroyed. */

void lc_drive_on_not_destroyed(void *context, const lc_undestroyed_object *object)
{
    lc_drive_provider *p = context;
    p->not_destroyed = true;
    lc_report_undestroyed(p->cli->arena, p->provider_options.provider.address, object);
}

/* Processes of the provider that probe and gate ask. */
#include "cli/provider_process.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/wire/grpc_status.h"

bool lc_provider_process_start(lc_provider_process *p, const lc_session_options *options)
{
    lc_str why = LC_STR_EMPTY, log = LC_STR_EMPTY;
    p->arena = lc_arena_new();
    p->session = lc_session_open(p->arena, options, &why, &log);
    if (p->session)
        return true;
    lc_message("%.*s cannot be used: %.*s", LC_FMT(p->word), LC_FMT(why));
    if (log.len)
        lc_message("it wrote: %.*s", LC_FMT(log));
    lc_arena_free(p->arena);
    p->arena = NULL;
    return false;
}

void lc_provider_process_end(lc_provider_process *p)
{
    if (p->session)
        lc_session_close(p->session);
    if (p->arena)
        lc_arena_free(p->arena);
    p->session = NULL;
    p->arena = NULL;
}

/* A process that is gone answers like a server that cannot be reached, so that callers have one
 * case less. */
void lc_provider_process_ask(lc_provider_process *p, lc_live_call *out, lc_arena *arena,
                             const lc_question *questions, size_t count)
{
    if (p->session) {
        lc_session_ask(p->session, out, arena, questions, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = (lc_live_call){.path = LC_STR_EMPTY,
                                .status = LC_GRPC_UNAVAILABLE,
                                .status_text = LC_STR("the provider does not run"),
                                .reached = LC_STR_EMPTY};
}

/* What it wrote before it ended, else how it ended. What users gave it may be secret, and is not
 * repeated then. */
lc_str lc_provider_process_last_words(const lc_provider_process *p, lc_arena *arena)
{
    const lc_options *o = &p->cli->options;
    bool given = o->env.count || o->provider_config.len || o->config.len || o->state.count;
    lc_str how, words;
    if (!p->session)
        return LC_STR_EMPTY;
    words = lc_provider_last_words(p->session, arena, given, &how);
    return words.len ? words : how;
}

bool lc_provider_process_stopped(void *context)
{
    (void)context;
    return lc_session_stopped() != 0;
}

int64_t lc_provider_process_now(void *context)
{
    (void)context;
    return lc_milliseconds();
}

/* A peer before the provider's own: equal questions are answered from what was heard before, calls
 * and time are bounded, and a provider that is gone is noticed. */
#include "lifecheck/base/arena.h"
#include "lifecheck/wire/grpc_status.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_STARTS     20                 /* of one provider, for one type */
#define MOST_REMEMBERED ((size_t)64 << 20) /* bytes, of one type */

/* Codes of gRPC. */

typedef struct remembered {
    lc_live_call call;
} remembered;

void lc_asker_begin(lc_asker *asker, lc_arena *arena)
{
    asker->arena = arena;
    lc_table_init(&asker->answers, arena);
    asker->remembered = 0;
    asker->calls = asker->repeated = 0;
    asker->died = asker->hung = asker->starts = 0;
    asker->worn = false;
    asker->spent = asker->fresh = false;
}

bool lc_asker_may(lc_asker *asker)
{
    const lc_probe_hooks *hooks = &asker->prober->options->hooks;
    bool late = asker->until && lc_prober_now(asker->prober) >= asker->until;
    bool many = asker->most && asker->calls >= asker->most;
    bool stopped = hooks->stopped && hooks->stopped(hooks->context);
    return !asker->lost && !asker->worn && !late && !many && !stopped;
}

bool lc_asker_revive(lc_asker *asker)
{
    const lc_probe_hooks *hooks = &asker->prober->options->hooks;
    bool died = asker->down;
    if ((!died && !asker->used) || asker->lost || asker->worn)
        return !asker->lost && !asker->worn;
    if (died && asker->starts++ >= MOST_STARTS) {
        asker->worn = true;
        return false;
    }
    if (died && hooks->last_words)
        asker->last_words = hooks->last_words(hooks->context, asker->prober->arena, asker->which);
    asker->lost = !hooks->restart || !hooks->restart(hooks->context, asker->which);
    asker->down = asker->used = false;
    if (!asker->lost && !asker->bare)
        lc_prober_configure(asker->prober, asker);
    return !asker->lost;
}

/* Requests are bytes, which may contain NUL. */
static lc_str key_of(lc_arena *arena, const lc_question *question)
{
    lc_buf key = {0};
    lc_buf_add_c(&key, question->method->name);
    lc_buf_add_char(&key, ' ');
    lc_buf_add_str(&key, question->request);
    return lc_buf_take(arena, &key);
}

/* A copy of what may be needed again. */
static void remember(lc_asker *asker, const lc_question *question, const lc_live_call *call)
{
    size_t size = 2 * question->request.len + 200;
    for (size_t i = 0; i < call->response_count; i++)
        size += call->responses[i].len;
    if (!asker->arena || asker->remembered + size > MOST_REMEMBERED ||
        question->request.len > 500000)
        return;
    asker->remembered += size;
    remembered *r = LC_NEW(asker->arena, remembered);
    lc_str *responses = LC_NEW_ARRAY(asker->arena, lc_str, call->response_count + 1);
    lc_str *requests = LC_NEW_ARRAY(asker->arena, lc_str, 1);
    r->call = *call;
    requests[0] = lc_str_copy(asker->arena, question->request);
    for (size_t i = 0; i < call->response_count; i++)
        responses[i] = lc_str_copy(asker->arena, call->responses[i]);
    r->call.requests = requests;
    r->call.request_count = 1;
    r->call.responses = responses;
    r->call.path = lc_str_copy(asker->arena, call->path);
    r->call.status_text = lc_str_copy(asker->arena, call->status_text);
    lc_table_put(&asker->answers, key_of(asker->arena, question), r);
}

static void note_end(lc_asker *asker, const lc_live_call *call)
{
    asker->died += call->status == LC_GRPC_UNAVAILABLE && !asker->down;
    asker->hung += call->status == LC_GRPC_DEADLINE_EXCEEDED && !asker->down;
    asker->down |= call->status == LC_GRPC_UNAVAILABLE || call->status == LC_GRPC_DEADLINE_EXCEEDED;
}

/* An answer for a call that is not made. */
static void refuse(lc_live_call *out, lc_arena *arena, const lc_question *question)
{
    lc_str *requests = LC_NEW_ARRAY(arena, lc_str, 1);
    requests[0] = question->request;
    memset(out, 0, sizeof *out);
    out->path = LC_STR_EMPTY;
    out->requests = requests;
    out->request_count = 1;
    out->status = LC_GRPC_CANCELLED;
    out->interrupted = out->cut = true;
    out->status_text = LC_STR("not asked");
}

static void ask_some(lc_asker *asker, lc_live_call *out, lc_arena *arena,
                     const lc_question *questions, size_t count)
{
    if (!lc_asker_may(asker)) {
        asker->spent = true;
        for (size_t i = 0; i < count; i++)
            refuse(&out[i], arena, &questions[i]);
        return;
    }
    asker->calls += count;
    asker->real.ask(asker->real.context, out, arena, questions, count);
    for (size_t i = 0; i < count; i++) {
        asker->spent |= out[i].interrupted;
        if (out[i].interrupted)
            continue;
        note_end(asker, &out[i]);
        if (asker->arena)
            remember(asker, &questions[i], &out[i]);
    }
}

void lc_asker_ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                  size_t count)
{
    lc_asker *asker = context;
    if (count != 1 || asker->fresh || !asker->arena) {
        ask_some(asker, out, arena, questions, count);
        return;
    }
    const remembered *r = lc_table_get(&asker->answers, key_of(arena, questions));
    asker->repeated += r != NULL;
    if (r)
        *out = r->call;
    else
        ask_some(asker, out, arena, questions, 1);
}

/* A cache in front of the provider's peer: equal questions are answered from earlier answers, calls
 * and time are bounded, and a provider that has ended is noticed. */
#include "lifecheck/base/arena.h"
#include "lifecheck/wire/grpc_status.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_STARTS     20                 /* of one provider, for one type */
#define MOST_REMEMBERED ((size_t)64 << 20) /* bytes, of one type */

typedef struct remembered {
    lc_live_call call;
} remembered;

void lc_peer_cache_begin(lc_peer_cache *cache, lc_arena *arena)
{
    cache->arena = arena;
    lc_table_init(&cache->answers, arena);
    cache->remembered = 0;
    cache->calls = cache->repeated = 0;
    cache->died = cache->hung = cache->starts = 0;
    cache->restarts_exhausted = false;
    cache->exhausted = cache->bypass = false;
    cache->reached = cache->last_words = LC_STR_EMPTY;
}

bool lc_peer_cache_has_budget(lc_peer_cache *cache)
{
    const lc_probe_options *options = cache->prober->options;
    const lc_probe_hooks *hooks = &options->hooks;
    bool late = cache->deadline && lc_prober_now(cache->prober) >= cache->deadline;
    bool waited = cache->hung * options->timeout_ms >= LC_PROBE_WAITED_MS;
    bool many = cache->max_calls && cache->calls >= cache->max_calls;
    bool stopped = hooks->stopped && hooks->stopped(hooks->context);
    bool spent = (late || many || waited) && !cache->unbounded;
    return !cache->dead && !cache->restarts_exhausted && (cache->destroys || (!spent && !stopped));
}

/* A new process is brought to where the old one was: greeted and configured. Only ends count
 * against the limit; a process that was retired has done nothing wrong. */
bool lc_peer_cache_restart(lc_peer_cache *cache)
{
    const lc_probe_hooks *hooks = &cache->prober->options->hooks;
    bool died = cache->unavailable;
    if ((!died && !cache->retired) || cache->dead || cache->restarts_exhausted)
        return !cache->dead && !cache->restarts_exhausted;
    if (died && cache->starts++ >= MOST_STARTS) {
        cache->restarts_exhausted = true;
        return false;
    }
    if (died && hooks->last_words)
        cache->last_words = hooks->last_words(hooks->context, cache->prober->arena, cache->which);
    cache->dead = !hooks->restart || !hooks->restart(hooks->context, cache->which);
    cache->unavailable = cache->retired = false;
    if (!cache->dead)
        lc_prober_greet(cache->prober, cache);
    /* Which type a new process comes to depends on the types before it, of which a shard has
     * others: its calls are of no type. */
    uint64_t calls = cache->calls;
    if (!cache->dead && !cache->unconfigured)
        lc_prober_configure(cache->prober, cache);
    cache->calls = calls;
    return !cache->dead && !cache->unavailable;
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
static void remember(lc_peer_cache *cache, const lc_question *question, const lc_live_call *call)
{
    size_t size = 2 * question->request.len + 200; /* the request is in the key, too */
    for (size_t i = 0; i < call->response_count; i++)
        size += call->responses[i].len;
    if (!cache->arena || cache->remembered + size > MOST_REMEMBERED ||
        question->request.len > 500000)
        return;
    cache->remembered += size;
    remembered *r = LC_NEW(cache->arena, remembered);
    lc_str *responses = LC_NEW_ARRAY(cache->arena, lc_str, call->response_count + 1);
    lc_str *requests = LC_NEW_ARRAY(cache->arena, lc_str, 1);
    r->call = *call;
    requests[0] = lc_str_copy(cache->arena, question->request);
    for (size_t i = 0; i < call->response_count; i++)
        responses[i] = lc_str_copy(cache->arena, call->responses[i]);
    r->call.requests = requests;
    r->call.request_count = 1;
    r->call.responses = responses;
    r->call.path = lc_str_copy(cache->arena, call->path);
    r->call.status_text = lc_str_copy(cache->arena, call->status_text);
    lc_table_put(&cache->answers, key_of(cache->arena, question), r);
}

/* Several questions of one batch that failed are one end of the process. */
static void note_end(lc_peer_cache *cache, const lc_live_call *call)
{
    cache->died += call->status == LC_GRPC_UNAVAILABLE && !cache->unavailable;
    cache->hung += call->status == LC_GRPC_DEADLINE_EXCEEDED && !cache->unavailable;
    cache->unavailable |=
        call->status == LC_GRPC_UNAVAILABLE || call->status == LC_GRPC_DEADLINE_EXCEEDED;
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

/* An answer for which the network was needed is not remembered: a later trial must notice it too.
 */
static void ask_some(lc_peer_cache *cache, lc_live_call *out, lc_arena *arena,
                     const lc_question *questions, size_t count)
{
    if (!lc_peer_cache_has_budget(cache)) {
        cache->exhausted = true;
        for (size_t i = 0; i < count; i++)
            refuse(&out[i], arena, &questions[i]);
        return;
    }
    cache->calls += count;
    cache->real.ask(cache->real.context, out, arena, questions, count);
    for (size_t i = 0; i < count; i++) {
        cache->exhausted |= out[i].interrupted;
        if (out[i].reached.len && !cache->reached.len)
            cache->reached = lc_str_copy(cache->prober->arena, out[i].reached);
        if (out[i].interrupted)
            continue;
        note_end(cache, &out[i]);
        if (cache->arena && !out[i].reached.len)
            remember(cache, &questions[i], &out[i]);
    }
}

void lc_peer_cache_ask(void *context, lc_live_call *out, lc_arena *arena,
                       const lc_question *questions, size_t count)
{
    lc_peer_cache *cache = context;
    if (count != 1 || cache->bypass || !cache->arena) {
        ask_some(cache, out, arena, questions, count);
        return;
    }
    const remembered *r = lc_table_get(&cache->answers, key_of(arena, questions));
    cache->repeated += r != NULL;
    if (r)
        *out = r->call;
    else
        ask_some(cache, out, arena, questions, 1);
}

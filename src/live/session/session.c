/* Asking a provider, and its end. */
#include "lifecheck/live/session.h"
#include "live/session/parts.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE  1000 /* calls of one question; the others follow when these have ended */
#define START_MS 60000
#define GRACE_MS 2000 /* as clients have it */
/* Until we give up a process that was asked to end, and then killed. */
#define MOST_END_US 10000000

/* ---- Calls. */

/* What is usual: what only computes, what looks at real objects, what changes them. */
static int64_t timeout_of(const lc_question *q)
{
    static const char *const looking[] = {"ReadResource",          "ReadDataSource",
                                          "ImportResourceState",   "ListResource",
                                          "OpenEphemeralResource", NULL};
    static const char *const changing[] = {"ApplyResourceChange", "InvokeAction", NULL};
    lc_str name = lc_str_from_c(q->method->name);
    if (q->timeout_ms)
        return q->timeout_ms;
    return lc_str_is_one_of(name, changing, NULL)  ? 0
           : lc_str_is_one_of(name, looking, NULL) ? 300000
                                                   : 60000;
}

/* A question on its way. */
typedef struct asked {
    lc_http2_call call;
    int64_t timeout_ms;
    int64_t began, until; /* lc_live_now; INT64_MAX: no deadline */
} asked;

typedef struct asking {
    lc_session *session;
    lc_arena *arena;
    lc_live_call *out;
    const lc_question *questions;
    asked *calls;
    size_t count, next, first; /* to begin, and the first that has not ended */
    size_t open;
    bool stopping;
    bool late; /* we had been stopped before */
} asking;

static lc_str path_of(lc_arena *arena, const lc_wire_method *method)
{
    return lc_str_printf(arena, "/tfplugin%d.%s/%s", method->protocol, method->service,
                         method->name);
}

static lc_live_call call_of(asking *a, size_t i)
{
    lc_session *s = a->session;
    const lc_question *q = &a->questions[i];
    lc_str *requests = LC_NEW_ARRAY(a->arena, lc_str, q->later_count + 1);
    requests[0] = q->request;
    for (size_t k = 0; k < q->later_count; k++)
        requests[k + 1] = q->later[k];
    return (lc_live_call){.provider = s->options.provider,
                          .process = s->options.process,
                          .seq = ++s->seq,
                          .path = path_of(a->arena, q->method),
                          .reached = LC_STR_EMPTY,
                          .requests = requests,
                          .request_count = q->later_count + 1,
                          .began = lc_live_now() + lc_live_epoch()};
}

static void begin_call(asking *a, size_t i)
{
    lc_session *s = a->session;
    const lc_question *q = &a->questions[i];
    asked *one = &a->calls[i];
    lc_gateway_take(s->gateway, a->arena); /* what no call has asked for */
    one->timeout_ms = timeout_of(q);
    one->began = lc_live_now();
    one->until = one->timeout_ms ? one->began + one->timeout_ms * 1000 : INT64_MAX;
    a->out[i] = call_of(a, i);
    one->call = (lc_http2_call){.path = a->out[i].path,
                                .request = q->request,
                                .later = q->later,
                                .later_count = q->later_count,
                                .timeout_ms = one->timeout_ms,
                                .most = q->most,
                                .several = q->method->response_stream,
                                .arena = a->arena};
    lc_http2_begin(s->http2, &one->call);
    s->last_protocol = q->method->protocol;
    a->open++;
}

static void begin_calls(asking *a)
{
    size_t most = a->session->gateway ? 1 : AT_ONCE;
    while (a->next < a->count && a->next - a->first < most)
        begin_call(a, a->next++);
}

/* A signal ends what was begun before it, and in the end every provider. */
static bool is_interrupted(const asking *a)
{
    return a->stopping || a->session->forced || (!a->late && lc_session_stopped());
}

static void take_answer(asking *a, size_t i)
{
    lc_live_call *out = &a->out[i];
    const lc_http2_call *call = &a->calls[i].call;
    out->responses = call->responses.list.items;
    out->response_count = call->responses.list.count;
    out->interrupted = call->status && is_interrupted(a);
    out->cut = call->responses.cut || out->interrupted;
    out->status = call->status;
    out->status_text = lc_str_copy(a->arena, call->text);
    out->took = lc_live_now() - a->calls[i].began;
    out->reached = lc_gateway_take(a->session->gateway, a->arena);
    a->calls[i].until = 0; /* taken */
    a->open--;
}

static void take_answers(asking *a)
{
    for (size_t i = a->first; i < a->next; i++) {
        if (a->calls[i].until && a->calls[i].call.ended)
            take_answer(a, i);
    }
    while (a->first < a->next && !a->calls[a->first].until)
        a->first++;
}

/* ---- Calls that are not waited for any more. */

static void give_up(const asking *a, asked *one)
{
    lc_str time = lc_live_time_text(a->arena, one->timeout_ms);
    a->session->unfinished = true;
    if (a->stopping)
        lc_http2_cancel(a->session->http2, &one->call, LC_GRPC_CANCELLED,
                        lc_session_signal_text(a->arena));
    else
        lc_http2_cancel(a->session->http2, &one->call, LC_GRPC_DEADLINE_EXCEEDED,
                        lc_str_printf(a->arena, "no response within %.*s", LC_FMT(time)));
}

/* Ends what is late; returns when the next one is. */
static int64_t check_deadlines(const asking *a)
{
    int64_t now = lc_live_now(), next = INT64_MAX;
    for (size_t i = a->first; i < a->next; i++) {
        asked *one = &a->calls[i];
        if (!one->until || one->call.ended)
            continue;
        if (one->until <= now)
            give_up(a, one);
        else if (one->until < next)
            next = one->until;
    }
    return next;
}

static void begin_stop(lc_session *s)
{
    if (s->stopped || s->closed || !s->last_protocol)
        return;
    s->stop =
        (lc_http2_call){.path = s->last_protocol == 6 ? LC_STR("/tfplugin6.Provider/StopProvider")
                                                      : LC_STR("/tfplugin5.Provider/Stop"),
                        .request = LC_STR_EMPTY,
                        .arena = s->arena};
    s->stopped = true;
    lc_http2_begin(s->http2, &s->stop);
}

/* Calls that change objects are asked to end, so that they can report what they have done; other
 * calls have no effect and are cancelled. */
static void stop_calls(asking *a)
{
    int64_t now = lc_live_now();
    a->stopping = true;
    begin_stop(a->session);
    for (size_t i = a->first; i < a->next; i++) {
        asked *one = &a->calls[i];
        if (one->until)
            one->until = one->timeout_ms ? now : now + a->session->grace_ms * 1000;
    }
    a->count = a->next;
}

/* ---- Asking. */

static void kill_now(asking *a)
{
    lc_session *s = a->session;
    a->stopping = true;
    for (size_t i = a->first; i < a->next; i++)
        give_up(a, &a->calls[i]);
    if (s->process)
        lc_live_process_kill(s->process);
    lc_session_disconnect(s, LC_STR("was not waited for, because lifecheck was stopped twice"));
}

static void await_answers(asking *a)
{
    lc_session *s = a->session;
    bool before = s->interrupted;
    take_answers(a);
    while (a->open) {
        lc_session_turn(s, check_deadlines(a));
        if (s->interrupted && !before && !a->stopping)
            stop_calls(a);
        if (s->forced && !s->closed)
            kill_now(a);
        if (s->closed)
            a->count = a->next;
        check_deadlines(a);
        take_answers(a);
        begin_calls(a);
    }
    if (lc_http2_goaway_received(s->http2))
        lc_session_disconnect(s, LC_STR("takes no more calls"));
}

/* Calls that were not begun, because we were stopped or the provider has ended. */
static void skip_call(asking *a, size_t i)
{
    const lc_session *s = a->session;
    lc_live_call *out = &a->out[i];
    *out = call_of(a, i);
    out->interrupted = out->cut = is_interrupted(a);
    out->status = s->closed ? LC_GRPC_UNAVAILABLE : LC_GRPC_CANCELLED;
    out->status_text = s->closed ? lc_str_printf(a->arena, "the provider %.*s", LC_FMT(s->end))
                                 : lc_session_signal_text(a->arena);
}

void lc_session_ask(lc_session *s, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                    size_t count)
{
    asking a = {.session = s,
                .arena = arena,
                .out = out,
                .questions = questions,
                .calls = lc_arena_zalloc(arena, lc_mul_size(count, sizeof(asked))),
                .count = s->closed || s->forced ? 0 : count,
                .late = lc_session_stopped() != 0};
    lc_http2_reset_bound(s->http2);
    begin_calls(&a);
    await_answers(&a);
    for (size_t i = a.next; i < count; i++)
        skip_call(&a, i);
}

/* ---- What it is like. */

int lc_session_protocol(const lc_session *s)
{
    return s->protocol;
}

bool lc_session_is_alive(const lc_session *s)
{
    siginfo_t info = {.si_pid = 0};
    if (s->closed || (s->process && s->process->ended))
        return false;
    return !s->process ||
           (waitid(P_PID, (id_t)s->process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == 0);
}

lc_str lc_session_end_text(lc_session *s, lc_arena *arena, lc_str *log)
{
    *log = LC_STR_EMPTY;
    if (!s->closed && !lc_session_is_alive(s))
        lc_session_turn(s, 0);
    if (!s->closed)
        return LC_STR_EMPTY;
    *log = lc_session_log(s, arena);
    return lc_str_copy(arena, s->end);
}

/* ---- Its end. */

static bool has_time(const lc_session *s, int64_t until)
{
    return !s->forced && lc_live_now() < until;
}

/* It closes the connection before it answers, or ends. */
static void shut_down(lc_session *s, int64_t until)
{
    lc_http2_call call = {.path = LC_STR("/plugin.GRPCController/Shutdown"),
                          .request = LC_STR_EMPTY,
                          .dropped = true,
                          .arena = s->arena};
    lc_http2_begin(s->http2, &call);
    while (!s->process->ended && has_time(s, until))
        lc_session_turn(s, until);
    lc_http2_cancel(s->http2, &call, LC_GRPC_CANCELLED, LC_STR_EMPTY);
}

static void warn(const lc_session *s, lc_str text)
{
    const lc_session_options *o = &s->options;
    if (o->on_event)
        o->on_event(o->context, LC_LIVE_WARNING, text, LC_STR_EMPTY);
}

/* Not even force ends a process that waits for a device. */
static void end_process(lc_session *s)
{
    lc_live_process *p = s->process;
    int64_t until = lc_live_now() + MOST_END_US;
    while (p && !p->ended && lc_live_now() < until) {
        lc_live_process_end(p, lc_live_now() / 1000);
        if (s->forced)
            lc_live_process_kill(p);
        lc_session_turn(s, until);
    }
    if (p && !p->ended)
        warn(s, lc_str_printf(s->arena, "the provider (process %ld) does not end", (long)p->pid));
    lc_live_process_free(p);
    s->process = NULL;
}

/* As clients do: calls that still run are stopped, then the provider may end on its own. */
static void close_politely(lc_session *s)
{
    int64_t until = lc_live_now() + s->grace_ms * 1000;
    if (s->closed || s->fd < 0 || !lc_http2_settings_received(s->http2))
        return;
    if (lc_session_stopped() || s->unfinished)
        begin_stop(s);
    while (s->stopped && !s->stop.ended && has_time(s, until))
        lc_session_turn(s, until);
    if (s->process && !s->closed)
        shut_down(s, until);
}

void lc_session_close(lc_session *s)
{
    if (!s)
        return;
    close_politely(s);
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
    end_process(s);
    lc_http2_free(s->http2);
    lc_gateway_free(s->gateway);
    if (!lc_live_folder_remove(s->arena, s->folder, s->folder_lock))
        warn(s, lc_str_printf(s->arena, "the folder %.*s cannot be removed", LC_FMT(s->folder)));
    lc_arena_free(s->arena);
}

/* The log is masked by their values for as long as the session lives. */
static const lc_str *copy_environment(lc_arena *arena, const lc_session_options *options)
{
    lc_str *copy = LC_NEW_ARRAY(arena, lc_str, options->env_count + 1);
    for (size_t i = 0; i < options->env_count; i++)
        copy[i] = lc_str_copy(arena, options->env[i]);
    return copy;
}

lc_session *lc_session_open(lc_arena *arena, const lc_session_options *options, lc_str *why,
                            lc_str *log)
{
    lc_arena *own = lc_arena_new_small();
    lc_session *s = LC_NEW(own, lc_session);
    *s = (lc_session){.arena = own,
                      .options = *options,
                      .start_ms = options->start_ms ? options->start_ms : START_MS,
                      .grace_ms = options->grace_ms ? options->grace_ms : GRACE_MS,
                      .folder = LC_STR_EMPTY,
                      .folder_lock = -1,
                      .fd = -1,
                      .end = LC_STR_EMPTY};
    s->options.env = copy_environment(own, options);
    *log = LC_STR_EMPTY;
    lc_session_take_signals();
    if (lc_session_start(s, why))
        return s;
    *why = lc_str_copy(arena, *why);
    *log = lc_session_log(s, arena);
    lc_session_close(s);
    return NULL;
}

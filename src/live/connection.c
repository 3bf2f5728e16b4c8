/* One connection between a client and a provider: bytes pass through unchanged. Copies go to the
 * tap after the originals were passed on, so that recording delays neither side. */
#include "live/recorder.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE      ((size_t)64 << 10)
#define PIECES     16                /* read at once, so that others have their turn */
#define MOST_QUEUE ((size_t)4 << 20) /* a side is not read while so much waits for the other */
#define CANCELED   1                 /* of gRPC */
#define DYING_US   500000            /* a process needs a moment to end after its connection */

/* ---- Calls. */

static bool is_provider_call(lc_str path)
{
    return lc_str_starts_with(path, LC_STR("/tfplugin")) &&
           lc_str_contains(path, LC_STR(".Provider/"));
}

static lc_str why_torn(const lc_live_connection *c)
{
    const lc_live_process *p = c->process;
    if (c->provider < 0)
        return p && p->failed ? LC_STR("the provider did not start again")
                              : LC_STR("the provider cannot be reached");
    if (!p || !p->ended)
        return LC_STR("the provider closed the connection before the response");
    return lc_str_printf(c->arena, "the provider %.*s",
                         LC_FMT(lc_live_status_text(c->arena, p->status)));
}

/* Why a missing answer is not a fault of the provider; "": it is one. The provider receives a
 * signal that we receive too, or the client asks it to stop. */
static lc_str why_given_up(const lc_live_connection *c, const lc_tap_call *call)
{
    bool answered = !call->torn || c->provider_ended;
    bool cancelled = call->torn || call->status == CANCELED;
    if (c->lacking)
        return LC_STR("lifecheck could not reach the provider");
    if (call->given_up || (c->client_ended && !answered))
        return LC_STR("the client did not wait for the response");
    if (cancelled && c->recorder->ending)
        return LC_STR("the recording ended before the response");
    if (call->status == CANCELED && c->stop_sent)
        return LC_STR("the client asked the provider to stop");
    return c->recorder->closing && !answered ? LC_STR("the recording ended before the response")
                                             : LC_STR_EMPTY;
}

/* Other services (go-plugin's own) pass through and are not recorded. */
static void take_call(void *context, const lc_tap_call *call)
{
    lc_live_connection *c = context;
    lc_live_recorder *r = c->recorder;
    const lc_live_hooks *hooks = &r->options->hooks;
    if (!is_provider_call(call->path))
        return;
    c->stop_sent |= lc_str_ends_with(call->path, LC_STR("/StopProvider")) ||
                    lc_str_ends_with(call->path, LC_STR("/Stop"));
    lc_str given_up = why_given_up(c, call);
    lc_live_call out = {.provider = c->endpoint->provider,
                        .process = c->number,
                        .seq = call->number,
                        .path = call->path,
                        .requests = call->requests.list.items,
                        .request_count = call->requests.list.count,
                        .responses = call->responses.list.items,
                        .response_count = call->responses.list.count,
                        .cut = call->requests.cut || given_up.len ||
                               (call->responses.cut && !call->torn),
                        .status = given_up.len ? CANCELED : call->status,
                        .status_text = given_up.len ? given_up
                                       : call->torn ? why_torn(c)
                                                    : call->message,
                        .began = r->realtime + call->began,
                        .took = call->ended - call->began};
    r->result->calls++;
    r->changed = true;
    hooks->call(hooks->context, &out);
}

static void read_copy(lc_live_connection *c, lc_tap_side side, lc_str bytes)
{
    const char *why;
    if (!c->tap || lc_tap_bytes(c->tap, side, bytes, lc_live_now(), &why))
        return;
    size_t open = lc_tap_unanswered_calls(c->tap);
    c->recorder->result->unreadable += open ? open : 1;
    lc_live_report(
        c->recorder, LC_LIVE_WARNING, LC_STR_EMPTY,
        "%.*s, connection %llu: %s; the client and the provider continue, but the rest of this "
        "connection is not recorded (%zu call%s open)",
        LC_FMT(c->endpoint->provider->address), (unsigned long long)c->number, why, open,
        open == 1 ? " was" : "s were");
    lc_tap_drop(c->tap);
    c->tap = NULL;
}

/* ---- Beginning. */

void lc_live_connection_new(lc_live_recorder *r, lc_live_endpoint *endpoint, int client)
{
    lc_arena *arena = lc_arena_new_small();
    lc_live_connection *c = LC_NEW(arena, lc_live_connection);
    *c = (lc_live_connection){.next = r->connections,
                              .recorder = r,
                              .arena = arena,
                              .endpoint = endpoint,
                              .client = client,
                              .provider = -1};
    r->connections = c;
    r->connection_count++;
}

static void end(lc_live_connection *c)
{
    c->over = true;
}

static void begin_process(lc_live_connection *c)
{
    lc_live_recorder *r = c->recorder;
    lc_live_endpoint *e = c->endpoint;
    if (e->spare && !e->spare->ended && lc_live_client_is_ours(&c->who, c->arena)) {
        c->process = e->spare;
        e->spare = NULL;
        return;
    }
    c->process = lc_live_begin_process(r, e->provider, &c->who);
    c->lacking = !c->process;
    if (c->lacking)
        end(c);
}

/* The first bytes: clients also connect only to see whether a server is there. */
static void begin(lc_live_connection *c)
{
    lc_live_recorder *r = c->recorder;
    const lc_live_hooks *hooks = &r->options->hooks;
    c->spoke = true;
    lc_live_client_of(&c->who, c->arena, c->client);
    if (!r->showing) {
        c->number = ++r->result->connections;
        c->tap = lc_tap_open(&r->options->limits, take_call, c);
        hooks->client(hooks->context, c->who.program);
        lc_live_note_client(r, c);
    }
    if (c->endpoint->provider->binary.len)
        begin_process(c);
}

static void dial(lc_live_connection *c)
{
    const lc_live_provider *p = c->endpoint->provider;
    bool ours = c->process != NULL;
    c->provider = lc_live_dial(ours ? c->process->handshake.tcp : p->tcp,
                               ours ? c->process->handshake.address : p->dial);
    if (c->provider >= 0)
        return;
    c->lacking = lc_live_is_lack(errno);
    c->recorder->result->failed |= c->lacking;
    lc_live_report(c->recorder, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s cannot be reached at %.*s: %.*s",
                   LC_FMT(p->address), LC_FMT(ours ? c->process->handshake.address : p->dial),
                   LC_FMT(lc_live_error_text(c->arena, errno)));
    end(c);
}

/* ---- Passing on. */

static size_t waiting(const lc_live_queue *q)
{
    return q->bytes.len - q->at;
}

/* False: the other side has closed. */
static bool flush(lc_live_queue *q, int fd)
{
    while (fd >= 0 && waiting(q)) {
        ssize_t n = send(fd, q->bytes.ptr + q->at, waiting(q), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        q->at += (size_t)n;
    }
    if (q->at == q->bytes.len) {
        q->at = 0;
        if (q->bytes.capacity > MOST_QUEUE / 4)
            lc_buf_release(&q->bytes);
        else
            lc_buf_clear(&q->bytes);
    }
    return true;
}

/* A side that reads nothing more may still have unread bytes that it sent before it closed. */
static void stop_writing(lc_live_queue *q, bool *deaf)
{
    lc_buf_release(&q->bytes);
    q->at = 0;
    *deaf = true;
}

static void write_to(lc_live_connection *c, lc_tap_side side)
{
    bool client = side == LC_TAP_CLIENT;
    lc_live_queue *q = client ? &c->down : &c->up;
    bool *deaf = client ? &c->client_deaf : &c->provider_deaf;
    if (*deaf || !flush(q, client ? c->client : c->provider))
        stop_writing(q, deaf);
}

/* Reads from one side, passes on to the other. */
static void pass(lc_live_connection *c, lc_tap_side side)
{
    char bytes[PIECE];
    bool up = side == LC_TAP_CLIENT;
    lc_live_queue *q = up ? &c->up : &c->down;
    bool deaf = up ? c->client_deaf : c->provider_deaf;
    bool *ended = up ? &c->client_ended : &c->provider_ended;
    for (int i = 0; i < PIECES && waiting(q) < MOST_QUEUE; i++) {
        ssize_t n = recv(up ? c->client : c->provider, bytes, sizeof bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            *ended |= deaf;
            return;
        }
        if (n <= 0) {
            *ended = true;
            return;
        }
        if (up && !c->spoke)
            begin(c);
        lc_buf_add(&q->bytes, bytes, (size_t)n);
        write_to(c, up ? LC_TAP_PROVIDER : LC_TAP_CLIENT);
        read_copy(c, side, (lc_str){bytes, (size_t)n});
        if ((size_t)n < sizeof bytes)
            return;
    }
}

short lc_live_wants_client(const lc_live_connection *c)
{
    bool reads = !c->client_ended && waiting(&c->up) < MOST_QUEUE;
    return (short)((reads ? POLLIN : 0) | (waiting(&c->down) ? POLLOUT : 0));
}

short lc_live_wants_provider(const lc_live_connection *c)
{
    bool reads = !c->provider_ended && waiting(&c->down) < MOST_QUEUE;
    return (short)((reads ? POLLIN : 0) | (waiting(&c->up) ? POLLOUT : 0));
}

void lc_live_connection_work(lc_live_connection *c, short client, short provider)
{
    if (client & POLLOUT)
        write_to(c, LC_TAP_CLIENT);
    if (provider & POLLOUT)
        write_to(c, LC_TAP_PROVIDER);
    if ((provider & (POLLIN | POLLHUP | POLLERR)) && !c->provider_ended)
        pass(c, LC_TAP_PROVIDER);
    if ((client & (POLLIN | POLLHUP | POLLERR)) && !c->client_ended)
        pass(c, LC_TAP_CLIENT);
    if (c->provider_deaf && !c->provider_ended)
        pass(c, LC_TAP_PROVIDER);
    if (c->client_deaf && !c->client_ended)
        pass(c, LC_TAP_CLIENT);
}

/* ---- Its end. */

static void close_tap(lc_live_connection *c)
{
    lc_tap_close(c->tap, lc_live_now());
    c->tap = NULL;
}

/* A provider that has exited cannot be replaced while the client runs: a new process would not be
 * configured. The client is refused and prints its message for a provider that does not respond. */
static void report_death(lc_live_connection *c)
{
    lc_live_recorder *r = c->recorder;
    const lc_live_process *p = c->process;
    lc_str how = lc_live_status_text(c->arena, p->status);
    size_t open = c->tap ? lc_tap_unanswered_calls(c->tap) : 0;
    close_tap(c); /* its log may quote secrets of these calls */
    r->result->died++;
    *LC_PUSH(r->arena, &c->endpoint->refused, pid_t) = c->who.pid;
    lc_live_report(r, LC_LIVE_ERROR, lc_buf_str(&p->tail),
                   "the provider %.*s (connection %llu) %.*s while it was in use, with %zu call%s "
                   "unanswered",
                   LC_FMT(c->endpoint->provider->address), (unsigned long long)c->number,
                   LC_FMT(how), open, open == 1 ? "" : "s");
}

static void report_no_start(lc_live_connection *c)
{
    close_tap(c);
    lc_live_report(c->recorder, LC_LIVE_ERROR, lc_buf_str(&c->process->tail),
                   "%.*s (%.*s) did not start again: %.*s", LC_FMT(c->endpoint->provider->address),
                   LC_FMT(c->endpoint->provider->binary), LC_FMT(c->process->why));
}

static bool is_dying(lc_live_connection *c)
{
    int64_t now = lc_live_now();
    c->provider_closed = c->provider_closed ? c->provider_closed : now;
    return now - c->provider_closed < DYING_US;
}

void lc_live_connection_check(lc_live_connection *c)
{
    lc_live_process *p = c->process;
    bool running = c->spoke && !c->endpoint->provider->binary.len;
    if (c->spoke && !c->over && c->provider < 0 && !c->provider_ended &&
        (running || (p && p->ready)))
        dial(c);
    if (c->over)
        return;
    if (p && p->failed) {
        report_no_start(c);
        end(c);
    } else if (c->client_ended && (waiting(&c->up) == 0 || c->provider_ended || c->provider < 0)) {
        end(c);
    } else if (c->provider_ended && p && !p->ended && is_dying(c)) {
        return; /* how it ended is about to be known */
    } else if (c->provider_ended && (waiting(&c->down) == 0 || c->client_ended)) {
        if (p && p->ended)
            report_death(c);
        end(c);
    }
}

static void finish(lc_live_connection *c)
{
    lc_live_recorder *r = c->recorder;
    close_tap(c);
    if (c->client >= 0)
        close(c->client);
    if (c->provider >= 0)
        close(c->provider);
    if (c->process)
        lc_live_process_end(c->process, lc_live_now() / 1000);
    lc_buf_release(&c->up.bytes);
    lc_buf_release(&c->down.bytes);
    lc_arena_free(c->arena);
    r->connection_count--;
}

void lc_live_connections_sweep(lc_live_recorder *r, bool all)
{
    lc_live_connection **at = &r->connections;
    while (*at) {
        lc_live_connection *c = *at;
        if (!all && !c->over) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        finish(c);
    }
}

/* One thread waits for everything that can happen to a provider. Its output is read whenever we
 * wait, since a provider blocks when it cannot write its log. */
#include "live/session/parts.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE  ((size_t)64 << 10)
#define PIECES 16
/* So long at most until we look for signals, and for a process that ended without closing what it
 * had open. */
#define LOOK_MS 100
/* And when it has closed all that it had. */
#define SOON_MS 2
/* It writes a line at a time, and to wake up for each would cost more than the calls do: there is a
 * pause, unless so much comes that it would fill the pipe. */
#define OUTPUT_US 5000
#define MUCH      ((int64_t)16 << 10) /* in such a time */
/* A process needs a moment to end after its connection. */
#define DYING_US 500000

static void close_connection(lc_session *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

static void finish_connection(lc_session *s, lc_str end)
{
    const lc_live_process *p = s->process;
    s->closed = true;
    s->end = p && p->ended && !p->killed ? lc_live_status_text(s->arena, p->status) : end;
    close_connection(s);
    if (s->http2)
        lc_http2_fail_all(s->http2, LC_GRPC_UNAVAILABLE,
                          lc_str_printf(s->arena, "the provider %.*s", LC_FMT(s->end)));
}

void lc_session_disconnect(lc_session *s, lc_str end)
{
    int64_t until = lc_live_now() + DYING_US;
    if (s->closed)
        return;
    close_connection(s);
    s->closed = true;
    while (s->process && !s->process->ended && !s->forced && lc_live_now() < until)
        lc_session_turn(s, until);
    finish_connection(s, end);
}

/* ---- The connection. */

/* False: it reads nothing more; bytes that it sent before may still be unread. */
static bool write_out(lc_session *s)
{
    lc_str bytes;
    while (s->fd >= 0 && (bytes = lc_http2_bytes(s->http2)).len) {
        ssize_t n = send(s->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        lc_http2_written(s->http2, (size_t)n);
    }
    return true;
}

/* NULL: more bytes may follow. Else how it ended. */
static const char *read_in(lc_session *s)
{
    char bytes[PIECE];
    for (int i = 0; i < PIECES; i++) {
        ssize_t n = recv(s->fd, bytes, sizeof bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return NULL;
        if (n <= 0)
            return "closed the connection";
        if (!lc_http2_read(s->http2, (lc_str){bytes, (size_t)n}))
            return "did not send HTTP/2";
        if ((size_t)n < sizeof bytes)
            return NULL;
    }
    return NULL;
}

static void work_connection(lc_session *s, bool readable)
{
    const char *end = readable ? read_in(s) : NULL;
    if (!end && !write_out(s))
        end = read_in(s) ? "closed the connection" : NULL;
    if (end)
        lc_session_disconnect(s, lc_str_from_c(end));
}

/* ---- Everything. */

static void read_output(lc_session *s)
{
    lc_live_process *p = s->process;
    uint64_t before = p->printed;
    int64_t last = s->read_at;
    lc_live_process_read(p, s->options.log);
    s->read_at = lc_live_now();
    s->output_heavy = (int64_t)(p->printed - before) * OUTPUT_US > (s->read_at - last) * MUCH;
}

static void work_process(lc_session *s, bool talks)
{
    lc_live_process *p = s->process;
    if (!p)
        return;
    if (talks)
        read_output(s);
    lc_live_process_wait(p, s->options.log);
    lc_live_process_check(p, s->start_ms, lc_live_now() / 1000);
}

/* Its last words may still be in the socket. */
static void notice_death(lc_session *s)
{
    if (s->closed || s->fd < 0 || !s->process || !s->process->ended)
        return;
    const char *end = read_in(s);
    lc_session_disconnect(s, end ? lc_str_from_c(end) : LC_STR("closed the connection"));
}

static void notice_signals(lc_session *s)
{
    s->interrupted |= lc_session_take_signal();
    s->forced |= lc_session_second_signal();
}

/* How long to wait. */
static int patience(const lc_session *s, int64_t until, bool listens)
{
    const lc_live_process *p = s->process;
    int64_t now = lc_live_now(), left = (until - now + 999) / 1000;
    int64_t most = p && p->out < 0 && p->err < 0 && s->fd < 0 ? SOON_MS : LOOK_MS;
    if (!listens && most > (s->read_at + OUTPUT_US - now + 999) / 1000)
        most = (s->read_at + OUTPUT_US - now + 999) / 1000;
    return (int)(left < most ? left < 0 ? 0 : left : most);
}

static bool any_ready(const struct pollfd *watched, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++) {
        if (watched[i].revents)
            return true;
    }
    return false;
}

void lc_session_turn(lc_session *s, int64_t until)
{
    lc_live_process *p = s->process;
    if (s->fd >= 0 && !write_out(s))
        work_connection(s, true);
    bool listens = p && (s->output_heavy || lc_live_now() - s->read_at >= OUTPUT_US);
    bool waits = s->fd >= 0 && lc_http2_bytes(s->http2).len > 0;
    struct pollfd watched[3 + LC_GATEWAY_WATCHES] = {
        {.fd = s->fd, .events = (short)(POLLIN | (waits ? POLLOUT : 0))},
        {.fd = listens ? p->out : -1, .events = POLLIN},
        {.fd = listens ? p->err : -1, .events = POLLIN}};
    nfds_t count = 3 + lc_gateway_watch(s->gateway, watched + 3);
    int n = poll(watched, count, patience(s, until, listens || !p));
    notice_signals(s);
    if (n > 0 && any_ready(watched + 3, count - 3))
        lc_gateway_work(s->gateway);
    if (n > 0 && watched[0].revents)
        work_connection(s, (watched[0].revents & ~POLLOUT) != 0);
    work_process(s, n > 0 && (watched[1].revents || watched[2].revents));
    notice_death(s);
}

/* Worker processes: each takes a file, sends what it came to, and takes the next.
 *
 * Orders are file numbers through one pipe, outcomes come back through another: a header with the
 * sums and sizes, then the bytes. Outcomes are kept until those of all earlier files have been
 * consumed, and orders wait when too many are kept. A worker that dies costs the file it had; a new
 * one takes its place.
 *
 * A signal that ends the program has to end the workers too, at once. Its handler writes one byte
 * to a descriptor with a fixed number, since there is no variable it could use. */
#include "internal.h"
#include "lifecheck/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORKERS 64
#define AHEAD       16 /* files per worker that may be done before their turn */
#define SIGNAL_FD   200
#define NOTHING     SIZE_MAX

typedef struct header {
    size_t item;
    lc_summary summary;
    size_t cases[LC_MAX_REPORTS];
    size_t errors[LC_MAX_REPORTS];
    size_t lens;
} header;

typedef struct worker {
    pid_t pid; /* 0: not running */
    int orders, results;
    size_t item; /* at work on it, or NOTHING */
    lc_buf received;
} worker;

typedef struct team {
    lc_checker *checker;
    const lc_items *items;
    lc_consume consume;
    void *context;
    worker workers[MAX_WORKERS];
    unsigned count;
    size_t next;       /* file to give out */
    size_t consumed;   /* files consumed */
    lc_outcome **done; /* by file, NULL: not yet */
    lc_arena *arena;
    int signals; /* read end of the pipe that the handler writes to */
    bool stopped;
} team;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof ending_signals / sizeof ending_signals[0])

/* ---- Bytes through pipes. */

static bool send_bytes(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool receive_order(int fd, size_t *item)
{
    ssize_t n;
    do
        n = read(fd, item, sizeof *item);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *item;
}

/* ---- Signals. */

static void on_signal(int number)
{
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t n = write(SIGNAL_FD, &byte, 1);
    (void)n;
    errno = saved;
}

/* A signal that was ignored before stays ignored (nohup). */
static void catch_signals(void (*handler)(int))
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction action, former;
        if (sigaction(ending_signals[i], NULL, &former) == 0 && former.sa_handler == SIG_IGN)
            continue;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_handler = handler;
        action.sa_flags = (int)SA_RESETHAND; /* the second one ends the program at any rate */
        sigaction(ending_signals[i], &action, NULL);
    }
}

static void hold_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(how, &set, NULL);
}

static bool open_signal_pipe(team *t)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    bool ok = dup2(ends[1], SIGNAL_FD) == SIGNAL_FD;
    close(ends[1]);
    t->signals = ends[0];
    return ok;
}

/* ---- A worker's life. */

static bool send_outcome(int fd, size_t item, const lc_outcome *outcome)
{
    header head;
    memset(&head, 0, sizeof head);
    head.item = item;
    head.summary = outcome->summary;
    for (size_t r = 0; r < LC_MAX_REPORTS; r++) {
        head.cases[r] = outcome->cases[r].len;
        head.errors[r] = outcome->errors[r].len;
    }
    head.lens = outcome->lens.len;
    bool ok = send_bytes(fd, &head, sizeof head);
    for (size_t r = 0; ok && r < LC_MAX_REPORTS; r++)
        ok = send_bytes(fd, lc_buf_str(&outcome->cases[r]).ptr, head.cases[r]) &&
             send_bytes(fd, lc_buf_str(&outcome->errors[r]).ptr, head.errors[r]);
    return ok && send_bytes(fd, lc_buf_str(&outcome->lens).ptr, head.lens);
}

_Noreturn static void work(team *t, int orders, int results)
{
    size_t item;
    bool ok = true;
    while (ok && receive_order(orders, &item)) {
        lc_outcome outcome;
        lc_check_item(&outcome, t->checker, &t->items->list.items[item]);
        ok = send_outcome(results, item, &outcome);
        lc_outcome_release(&outcome);
    }
    _exit(ok ? LC_EXIT_OK : LC_EXIT_INTERNAL);
}

/* Ends of other workers' pipes must not stay open here: they would keep those workers waiting. */
static void forget_others(const team *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (t->workers[i].pid == 0)
            continue;
        close(t->workers[i].orders);
        close(t->workers[i].results);
    }
    close(t->signals);
    close(SIGNAL_FD);
}

static bool start_worker(team *t, worker *w)
{
    int orders[2], results[2];
    if (pipe(orders) != 0)
        return false;
    if (pipe(results) != 0) {
        close(orders[0]);
        close(orders[1]);
        return false;
    }
    fflush(NULL);
    hold_signals(SIG_BLOCK);
    pid_t pid = fork();
    if (pid == 0) {
        forget_others(t);
        close(orders[1]);
        close(results[0]);
        catch_signals(SIG_DFL);
        hold_signals(SIG_UNBLOCK);
        work(t, orders[0], results[1]);
    }
    close(orders[0]);
    close(results[1]);
    if (pid < 0) {
        close(orders[1]);
        close(results[0]);
    } else {
        w->pid = pid;
        w->orders = orders[1];
        w->results = results[0];
        w->item = NOTHING;
    }
    hold_signals(SIG_UNBLOCK);
    return pid > 0;
}

static void bury(worker *w)
{
    close(w->orders);
    close(w->results);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    lc_buf_release(&w->received);
    w->pid = 0;
}

static void stop_all(team *t, bool at_once)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (t->workers[i].pid && at_once)
            kill(t->workers[i].pid, SIGKILL);
    }
    for (unsigned i = 0; i < t->count; i++) {
        if (t->workers[i].pid)
            bury(&t->workers[i]);
    }
}

/* ---- Giving out and taking in. */

static void consume_ready(team *t)
{
    while (!t->stopped && t->consumed < t->items->list.count && t->done[t->consumed]) {
        lc_outcome *outcome = t->done[t->consumed];
        t->stopped = !t->consume(t->context, &t->items->list.items[t->consumed], outcome);
        lc_outcome_release(outcome);
        t->consumed++;
    }
}

static lc_outcome *new_outcome(team *t, size_t item)
{
    t->done[item] = LC_NEW(t->arena, lc_outcome);
    return t->done[item];
}

/* The rest is done here when no process can be had. */
static void work_alone(team *t, size_t item)
{
    lc_check_item(new_outcome(t, item), t->checker, &t->items->list.items[item]);
}

static void give_orders(team *t)
{
    for (unsigned i = 0; i < t->count && t->next < t->items->list.count; i++) {
        worker *w = &t->workers[i];
        if (t->next >= t->consumed + (size_t)t->count * AHEAD)
            return;
        if (w->pid && w->item != NOTHING)
            continue;
        if (!w->pid && !start_worker(t, w)) {
            work_alone(t, t->next++);
            continue;
        }
        w->item = t->next++;
        send_bytes(w->orders, &w->item, sizeof w->item);
    }
}

static void take_pieces(lc_outcome *outcome, const header *head, lc_str bytes)
{
    size_t at = 0;
    for (size_t r = 0; r < LC_MAX_REPORTS; r++) {
        lc_buf_add_str(&outcome->cases[r], lc_str_sub(bytes, at, at + head->cases[r]));
        at += head->cases[r];
        lc_buf_add_str(&outcome->errors[r], lc_str_sub(bytes, at, at + head->errors[r]));
        at += head->errors[r];
    }
    lc_buf_add_str(&outcome->lens, lc_str_sub(bytes, at, at + head->lens));
}

/* One outcome at a time can be under way, since a worker has one order at a time. */
static void take_outcome(team *t, worker *w)
{
    header head;
    lc_str received = lc_buf_str(&w->received);
    if (received.len < sizeof head)
        return;
    memcpy(&head, received.ptr, sizeof head);
    size_t size = sizeof head + head.lens;
    for (size_t r = 0; r < LC_MAX_REPORTS; r++)
        size += head.cases[r] + head.errors[r];
    if (received.len < size)
        return;
    lc_outcome *outcome = new_outcome(t, w->item);
    outcome->summary = head.summary;
    take_pieces(outcome, &head, lc_str_sub(received, sizeof head, size));
    lc_buf_clear(&w->received);
    w->item = NOTHING;
}

static void take_results(team *t, worker *w)
{
    char bytes[16384];
    ssize_t n = read(w->results, bytes, sizeof bytes);
    if (n > 0) {
        lc_buf_add(&w->received, bytes, (size_t)n);
        take_outcome(t, w);
    } else if (n == 0 || errno != EINTR) {
        if (w->item != NOTHING)
            new_outcome(t, w->item)->died = true;
        bury(w);
    }
}

/* Ends like every program that does not catch the signal. */
static void end_by_signal(team *t)
{
    unsigned char number;
    if (read(t->signals, &number, 1) != 1)
        return;
    stop_all(t, true);
    catch_signals(SIG_DFL);
    raise(number);
}

static int watched(const team *t, fd_set *set)
{
    int highest = t->signals;
    FD_ZERO(set);
    FD_SET(t->signals, set);
    for (unsigned i = 0; i < t->count; i++) {
        const worker *w = &t->workers[i];
        if (!w->pid || w->item == NOTHING)
            continue;
        FD_SET(w->results, set);
        highest = w->results > highest ? w->results : highest;
    }
    return highest;
}

static void wait_for_results(team *t)
{
    fd_set set;
    int highest = watched(t, &set);
    if (select(highest + 1, &set, NULL, NULL, NULL) < 0)
        return; /* EINTR: the handler's byte is there next time */
    if (FD_ISSET(t->signals, &set))
        end_by_signal(t);
    for (unsigned i = 0; i < t->count; i++) {
        worker *w = &t->workers[i];
        if (w->pid && w->item != NOTHING && FD_ISSET(w->results, &set))
            take_results(t, w);
    }
}

void lc_check_in_workers(lc_checker *checker, const lc_items *items, unsigned jobs,
                         lc_consume consume, void *context)
{
    team t = {.checker = checker,
              .items = items,
              .consume = consume,
              .context = context,
              .count = jobs < MAX_WORKERS ? jobs : MAX_WORKERS,
              .arena = lc_arena_new()};
    t.done = lc_arena_zalloc(t.arena, lc_mul_size(items->list.count, sizeof *t.done));
    if (open_signal_pipe(&t))
        catch_signals(on_signal);
    else
        t.count = 0;
    while (!t.stopped && t.consumed < items->list.count) {
        if (t.count)
            give_orders(&t);
        else
            work_alone(&t, t.next++);
        consume_ready(&t);
        if (t.count && !t.stopped && t.consumed < t.next && !t.done[t.consumed])
            wait_for_results(&t);
    }
    stop_all(&t, t.stopped);
    catch_signals(SIG_DFL);
    for (size_t i = t.consumed; i < items->list.count; i++) {
        if (t.done[i])
            lc_outcome_release(t.done[i]);
    }
    close(t.signals);
    close(SIGNAL_FD);
    lc_arena_free(t.arena);
}

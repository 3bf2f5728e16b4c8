/* Worker processes: each takes a batch of files, sends their outcomes, and takes the next batch.
 *
 * Orders go through one pipe, outcomes come back through another: a header with the sums and
 * sizes, then the bytes. Small files take less time than waking a process, so a batch holds several
 * and their outcomes are sent together; batches get smaller towards the end. Outcomes are kept
 * until those of all earlier files have been consumed, and orders wait when too many are kept.
 *
 * If a worker exits, only the file that it was judging is lost. A new worker replaces it and gets
 * the unanswered files of the batch one by one, because it is not known which of them was the
 * cause.
 *
 * A signal that ends the program has to end the workers too, at once. Its handler writes one
 * byte to a descriptor with a fixed number, because a signal handler has no argument to pass
 * one. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/files/output_file.h"
#include "runner/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORKERS 64
#define BATCH       16                 /* files in one order at most */
#define AHEAD       48                 /* files per worker that may be done before their turn */
#define HELD_BYTES  ((size_t)64 << 10) /* of outcomes that a worker has not sent */
#define HELD_MS     100
#define SIGNAL_FD   200
#define SOON_MS     100 /* interval of the progress line */

typedef struct batch {
    size_t at, end;
} batch;

typedef struct header {
    size_t item;
    lc_input_kind kind;
    lc_summary summary;
    size_t cases[LC_MAX_REPORTS];
    size_t errors[LC_MAX_REPORTS];
    size_t lens;
} header;

typedef struct worker {
    pid_t pid; /* 0: not running */
    int orders, results;
    batch work;  /* what it has not answered yet */
    batch again; /* unanswered files of a dead worker */
    lc_buf received;
} worker;

typedef struct worker_pool {
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
    int signals; /* read end of the pipe that the handler writes to, or -1 */
    bool stopped;
} worker_pool;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof ending_signals / sizeof ending_signals[0])

/* ---- Bytes through pipes. */

static bool send_bytes(int fd, const void *bytes, size_t len)
{
    return lc_write_all(fd, (lc_str){bytes, len});
}

static bool receive_order(int fd, batch *order)
{
    ssize_t n;
    do
        n = read(fd, order, sizeof *order);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *order;
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
        action.sa_flags = (int)SA_RESETHAND; /* a second signal ends the program in any case */
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

/* The handler needs a fixed descriptor number. If the parent process left a descriptor open at
 * that number, it is not ours, and the program works without workers. */
static bool open_signal_pipe(worker_pool *pool)
{
    int ends[2];
    bool is_free = fcntl(SIGNAL_FD, F_GETFD) == -1 && errno == EBADF;
    if (!is_free || pipe(ends) != 0)
        return false;
    bool ok = dup2(ends[1], SIGNAL_FD) == SIGNAL_FD;
    close(ends[1]);
    if (ok)
        pool->signals = ends[0];
    else
        close(ends[0]);
    return ok;
}

static void close_signal_pipe(const worker_pool *pool)
{
    if (pool->signals < 0)
        return;
    close(pool->signals);
    close(SIGNAL_FD);
}

/* ---- A worker's life. */

static void add_outcome(lc_buf *out, size_t item, const lc_outcome *outcome)
{
    header head;
    memset(&head, 0, sizeof head);
    head.item = item;
    head.kind = outcome->kind;
    head.summary = outcome->summary;
    for (size_t r = 0; r < LC_MAX_REPORTS; r++) {
        head.cases[r] = outcome->cases[r].len;
        head.errors[r] = outcome->errors[r].len;
    }
    head.lens = outcome->lens.len;
    lc_buf_add(out, &head, sizeof head);
    for (size_t r = 0; r < LC_MAX_REPORTS; r++) {
        lc_buf_add_str(out, lc_buf_str(&outcome->cases[r]));
        lc_buf_add_str(out, lc_buf_str(&outcome->errors[r]));
    }
    lc_buf_add_str(out, lc_buf_str(&outcome->lens));
}

static bool send_held(int fd, lc_buf *held)
{
    bool ok = send_bytes(fd, lc_buf_str(held).ptr, held->len);
    lc_buf_clear(held);
    return ok;
}

static bool do_batch(const worker_pool *pool, batch order, int results, lc_buf *held)
{
    int64_t sent = lc_milliseconds();
    bool ok = true;
    for (; ok && order.at < order.end; order.at++) {
        lc_outcome outcome;
        lc_check_item(&outcome, pool->checker, &pool->items->list.items[order.at]);
        add_outcome(held, order.at, &outcome);
        lc_outcome_release(&outcome);
        bool again = !outcome.reads_once; /* it can be done again */
        if (again && held->len < HELD_BYTES && lc_milliseconds() - sent < HELD_MS)
            continue;
        ok = send_held(results, held);
        sent = lc_milliseconds();
    }
    return send_held(results, held) && ok;
}

_Noreturn static void work(worker_pool *pool, int orders, int results)
{
    batch order;
    lc_buf held = {0};
    bool ok = true;
    pool->checker->meter = NULL;
    while (ok && receive_order(orders, &order))
        ok = do_batch(pool, order, results, &held);
    _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Ends of other workers' pipes must not stay open here: they would keep those workers waiting. */
static void forget_others(const worker_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i].pid == 0)
            continue;
        close(pool->workers[i].orders);
        close(pool->workers[i].results);
    }
    close_signal_pipe(pool);
}

static bool start_worker(worker_pool *pool, worker *w)
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
        forget_others(pool);
        close(orders[1]);
        close(results[0]);
        catch_signals(SIG_DFL);
        hold_signals(SIG_UNBLOCK);
        work(pool, orders[0], results[1]);
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
        w->work = (batch){0, 0};
    }
    hold_signals(SIG_UNBLOCK);
    return pid > 0;
}

static void reap(worker *w)
{
    close(w->orders);
    close(w->results);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    lc_buf_release(&w->received);
    w->pid = 0;
    w->work = (batch){0, 0};
}

static void stop_all(worker_pool *pool, bool at_once)
{
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i].pid && at_once)
            kill(pool->workers[i].pid, SIGKILL);
    }
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i].pid)
            reap(&pool->workers[i]);
    }
}

/* ---- Sending orders and receiving outcomes. */

static void consume_ready(worker_pool *pool)
{
    while (!pool->stopped && pool->consumed < pool->items->list.count &&
           pool->done[pool->consumed]) {
        lc_outcome *outcome = pool->done[pool->consumed];
        pool->stopped =
            !pool->consume(pool->context, &pool->items->list.items[pool->consumed], outcome);
        lc_outcome_release(outcome);
        pool->consumed++;
    }
}

static lc_outcome *new_outcome(worker_pool *pool, size_t item)
{
    pool->done[item] = LC_NEW(pool->arena, lc_outcome);
    if (pool->checker->meter)
        pool->checker->meter->done++;
    return pool->done[item];
}

/* Judges the rest in this process when no worker can be started. */
static void work_alone(worker_pool *pool, size_t item)
{
    lc_check_item(new_outcome(pool, item), pool->checker, &pool->items->list.items[item]);
}

static bool is_busy(const worker *w)
{
    return w->pid && w->work.at < w->work.end;
}

/* The next files for a worker; false: all are assigned, or too many outcomes are still
 * unprinted. */
static bool next_batch(worker_pool *pool, worker *w, batch *out)
{
    if (w->again.at < w->again.end) {
        *out = (batch){w->again.at, w->again.at + 1};
        w->again.at++;
        return true;
    }
    size_t left = pool->items->list.count - pool->next,
           room = pool->consumed + pool->count * (size_t)AHEAD;
    size_t count = left / (pool->count * (size_t)8) + 1;
    if (left == 0 || pool->next >= room)
        return false;
    count = count < BATCH ? count : BATCH;
    count = count < left ? count : left;
    *out = (batch){pool->next, pool->next + count};
    pool->next += count;
    return true;
}

/* The rest of a batch is for the worker that replaces this one. */
static void requeue(worker *w, batch order)
{
    bool more = w->again.at < w->again.end;
    w->again = (batch){order.at, more ? w->again.end : order.end};
    reap(w);
}

static void give_order(worker_pool *pool, worker *w, batch order)
{
    if (!w->pid && !start_worker(pool, w)) {
        for (; order.at < order.end; order.at++)
            work_alone(pool, order.at);
        return;
    }
    if (send_bytes(w->orders, &order, sizeof order))
        w->work = order;
    else
        requeue(w, order); /* it exited while it had nothing to do */
}

static void give_orders(worker_pool *pool)
{
    batch order;
    for (unsigned i = 0; i < pool->count; i++) {
        worker *w = &pool->workers[i];
        if (!is_busy(w) && next_batch(pool, w, &order))
            give_order(pool, w, order);
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

/* The bytes of one outcome at the beginning of `received`; 0: not all of it is there. */
static size_t take_outcome(worker_pool *pool, worker *w, lc_str received)
{
    header head;
    if (received.len < sizeof head)
        return 0;
    memcpy(&head, received.ptr, sizeof head);
    size_t size = sizeof head + head.lens;
    for (size_t r = 0; r < LC_MAX_REPORTS; r++)
        size += head.cases[r] + head.errors[r];
    if (received.len < size)
        return 0;
    LC_ASSERT(head.item == w->work.at && is_busy(w));
    lc_outcome *outcome = new_outcome(pool, w->work.at++);
    outcome->summary = head.summary;
    outcome->kind = head.kind;
    pool->checker->kinds |= 1U << head.kind;
    if (pool->checker->meter)
        pool->checker->meter->cases += head.summary.cases;
    take_pieces(outcome, &head, lc_str_sub(received, sizeof head, size));
    return size;
}

static void take_outcomes(worker_pool *pool, worker *w)
{
    size_t used = 0, size;
    lc_str received = lc_buf_str(&w->received);
    while ((size = take_outcome(pool, w, lc_str_sub(received, used, received.len))))
        used += size;
    if (used == 0)
        return;
    memmove(w->received.ptr, w->received.ptr + used, received.len - used);
    w->received.len -= used;
}

static void note_death(worker_pool *pool, worker *w)
{
    if (w->work.end - w->work.at > 1) {
        requeue(w, w->work);
        return;
    }
    new_outcome(pool, w->work.at)->died = true;
    reap(w);
}

static void take_results(worker_pool *pool, worker *w)
{
    char bytes[65536];
    ssize_t n = read(w->results, bytes, sizeof bytes);
    if (n > 0) {
        lc_buf_add(&w->received, bytes, (size_t)n);
        take_outcomes(pool, w);
    } else if (n == 0 || errno != EINTR) {
        note_death(pool, w);
    }
}

/* Ends as a program that does not catch the signal. */
static void end_by_signal(worker_pool *pool)
{
    unsigned char number;
    if (read(pool->signals, &number, 1) != 1)
        return;
    stop_all(pool, true);
    lc_meter_wipe(pool->checker->meter);
    catch_signals(SIG_DFL);
    raise(number);
}

static void wait_for_results(worker_pool *pool)
{
    struct pollfd watched[MAX_WORKERS + 1];
    for (unsigned i = 0; i < pool->count; i++) /* a negative one is not watched */
        watched[i] = (struct pollfd){
            .fd = is_busy(&pool->workers[i]) ? pool->workers[i].results : -1, .events = POLLIN};
    watched[pool->count] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
    int ready = poll(watched, pool->count + 1, pool->checker->meter ? SOON_MS : -1);
    lc_meter_tick(pool->checker->meter);
    if (ready <= 0)
        return; /* EINTR: the handler's byte is there next time */
    if (watched[pool->count].revents)
        end_by_signal(pool);
    for (unsigned i = 0; i < pool->count; i++) {
        if (watched[i].revents && is_busy(&pool->workers[i]))
            take_results(pool, &pool->workers[i]);
    }
}

void lc_check_in_workers(lc_checker *checker, const lc_items *items, unsigned jobs,
                         lc_consume consume, void *context)
{
    worker_pool pool = {.checker = checker,
                        .items = items,
                        .consume = consume,
                        .context = context,
                        .count = jobs < MAX_WORKERS ? jobs : MAX_WORKERS,
                        .signals = -1,
                        .arena = lc_arena_new()};
    pool.done = lc_arena_zalloc(pool.arena, lc_mul_size(items->list.count, sizeof *pool.done));
    if (open_signal_pipe(&pool))
        catch_signals(on_signal);
    else
        pool.count = 0;
    while (!pool.stopped && pool.consumed < items->list.count) {
        if (pool.count)
            give_orders(&pool);
        else
            work_alone(&pool, pool.next++);
        consume_ready(&pool);
        if (pool.count && !pool.stopped && pool.consumed < pool.next && !pool.done[pool.consumed])
            wait_for_results(&pool);
    }
    stop_all(&pool, pool.stopped);
    catch_signals(SIG_DFL);
    for (size_t i = pool.consumed; i < items->list.count; i++) {
        if (pool.done[i])
            lc_outcome_release(pool.done[i]);
    }
    close_signal_pipe(&pool);
    lc_arena_free(pool.arena);
}

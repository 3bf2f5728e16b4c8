/* A crew of workers: tasks go through a pipe to each of them, results come back through another.
 *
 * The caller has blocked the signals that ask it to end, and looks for them itself; workers inherit
 * that, and get such a signal when the crew is stopped. If this process is killed, they get one
 * from the system, so that no provider of theirs is left. */
#include "lifecheck/runner/crew.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/system.h"
#include "lifecheck/files/output_file.h"
#include "lifecheck/runner/meter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if LC_ON_LINUX
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS   50    /* between two looks for whether we are stopped */
#define MOST_STOP 30000 /* ms that a stopped worker may take to end */

/* Before each message: what it is, and how many bytes follow. */
enum { READY = 1, RESULT = 2 };
typedef struct header {
    uint64_t kind, size;
} header;

typedef struct worker {
    pid_t pid; /* 0: not running */
    int tasks, results;
    bool ready, busy;
    size_t task;
    lc_buf received;
} worker;

typedef struct state {
    const lc_crew *crew;
    worker workers[LC_MOST_JOBS];
    unsigned count;
    size_t given; /* tasks of the crew's order */
    bool useless; /* a worker could not begin, and another will not either */
    bool stopping;
    int64_t stopped_at;
} state;

/* ---- A worker. */

static bool send_message(int fd, uint64_t kind, lc_str bytes)
{
    header head = {kind, bytes.len};
    return lc_write_all(fd, (lc_str){(const char *)&head, sizeof head}) && lc_write_all(fd, bytes);
}

static bool receive_task(int fd, size_t *task)
{
    ssize_t n;
    do
        n = read(fd, task, sizeof *task);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *task;
}

_Noreturn static void work(const lc_crew *crew, int tasks, int results)
{
    size_t task;
    lc_buf out = {0};
    bool ok = crew->begin(crew->context) && send_message(results, READY, LC_STR_EMPTY);
    while (ok && receive_task(tasks, &task)) {
        lc_buf_clear(&out);
        ok = crew->work(crew->context, task, &out) &&
             send_message(results, RESULT, lc_buf_str(&out));
    }
    crew->end(crew->context);
    lc_buf_release(&out);
    _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Ends of other workers' pipes must not stay open: they would keep those workers waiting. */
static void become_worker(const state *s, const worker *own, int tasks, int results, pid_t parent)
{
    for (unsigned i = 0; i < s->count; i++) {
        const worker *other = &s->workers[i];
        if (other == own || other->pid == 0)
            continue;
        close(other->tasks);
        close(other->results);
    }
#if LC_ON_LINUX
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    work(s->crew, tasks, results);
}

static bool open_pipes(int tasks[2], int results[2])
{
    if (pipe(tasks) != 0)
        return false;
    if (pipe(results) == 0)
        return true;
    close(tasks[0]);
    close(tasks[1]);
    return false;
}

static bool start_worker(state *s, worker *w)
{
    int tasks[2], results[2];
    pid_t parent = getpid();
    if (!open_pipes(tasks, results))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(tasks[1]);
        close(results[0]);
        become_worker(s, w, tasks[0], results[1], parent);
    }
    close(tasks[0]);
    close(results[1]);
    if (pid < 0) {
        close(tasks[1]);
        close(results[0]);
        return false;
    }
    *w = (worker){.pid = pid, .tasks = tasks[1], .results = results[0]};
    return true;
}

/* ---- This process. */

static void reap(worker *w)
{
    close(w->tasks);
    close(w->results);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    lc_buf_release(&w->received);
    *w = (worker){0};
}

static bool is_exhausted(const state *s)
{
    return s->given == s->crew->count;
}

static void give_task(state *s, worker *w)
{
    if (is_exhausted(s)) {
        close(w->tasks);
        w->tasks = -1; /* it ends on its own */
        return;
    }
    w->task = s->crew->order[s->given++];
    w->busy = true;
    lc_write_all(w->tasks, (lc_str){(const char *)&w->task, sizeof w->task});
}

static void take_message(state *s, worker *w, uint64_t kind, lc_str bytes)
{
    if (kind == READY) {
        w->ready = true;
    } else {
        LC_ASSERT(kind == RESULT && w->busy);
        w->busy = false;
        s->stopping |= !s->crew->take(s->crew->context, w->task, bytes);
    }
    if (!s->stopping)
        give_task(s, w);
}

/* The first message of what was received, if all of it is there; returns its size. */
static size_t take_first(state *s, worker *w)
{
    header head;
    if (w->received.len < sizeof head)
        return 0;
    memcpy(&head, w->received.ptr, sizeof head);
    if (w->received.len - sizeof head < head.size)
        return 0;
    take_message(s, w, head.kind, (lc_str){w->received.ptr + sizeof head, (size_t)head.size});
    return sizeof head + (size_t)head.size;
}

static void note_end(state *s, worker *w)
{
    size_t task = w->task;
    bool lost = w->busy && !s->stopping, failed = !w->ready && !s->stopping;
    reap(w);
    s->useless |= failed;
    if (lost)
        s->crew->lost(s->crew->context, task);
}

static void read_results(state *s, worker *w)
{
    char bytes[65536];
    size_t used;
    ssize_t n = read(w->results, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        note_end(s, w);
        return;
    }
    lc_buf_add(&w->received, bytes, (size_t)n);
    while ((used = take_first(s, w)) != 0) {
        memmove(w->received.ptr, w->received.ptr + used, w->received.len - used);
        w->received.len -= used;
    }
}

static void start_missing(state *s)
{
    for (unsigned i = 0; i < s->count && !is_exhausted(s) && !s->useless && !s->stopping; i++) {
        if (s->workers[i].pid == 0 && !start_worker(s, &s->workers[i]))
            s->useless = true;
    }
}

static void notice_stop(state *s)
{
    bool stop = s->stopping || s->crew->stopped(s->crew->context);
    if (!stop || s->stopped_at)
        return;
    s->stopping = true;
    s->stopped_at = lc_milliseconds();
    for (unsigned i = 0; i < s->count; i++) {
        if (s->workers[i].pid)
            kill(s->workers[i].pid, SIGTERM);
    }
}

static void kill_late(state *s)
{
    if (!s->stopped_at || lc_milliseconds() - s->stopped_at < MOST_STOP)
        return;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->workers[i].pid)
            kill(s->workers[i].pid, SIGKILL);
    }
}

/* False: no worker is left. */
static bool wait_for_results(state *s)
{
    struct pollfd watched[LC_MOST_JOBS];
    bool any = false;
    for (unsigned i = 0; i < s->count; i++) {
        bool runs = s->workers[i].pid != 0;
        watched[i] = (struct pollfd){.fd = runs ? s->workers[i].results : -1, .events = POLLIN};
        any |= runs;
    }
    if (!any)
        return false;
    poll(watched, s->count, LOOK_MS);
    notice_stop(s);
    kill_late(s);
    for (unsigned i = 0; i < s->count; i++) {
        if (watched[i].fd >= 0 && watched[i].revents)
            read_results(s, &s->workers[i]);
    }
    return true;
}

bool lc_crew_run(const lc_crew *crew)
{
    state s = {.crew = crew, .count = crew->jobs < LC_MOST_JOBS ? crew->jobs : LC_MOST_JOBS};
    if (s.count > crew->count)
        s.count = (unsigned)crew->count;
    notice_stop(&s);
    do
        start_missing(&s);
    while (wait_for_results(&s));
    return s.stopping || is_exhausted(&s) || !s.useless;
}

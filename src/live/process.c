/* Processes of providers: started as a client starts them, but without TLS. Their output is read
 * from the first moment, since a provider blocks when it cannot write its log. */
#define _GNU_SOURCE /* environ */
#include "live/internal.h"
#include "live/session/gateway.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if LC_ON_LINUX
#include <sys/prctl.h>
#endif

#define PIECE ((size_t)64 << 10)
/* So much is read at once, so that one that writes for ever does not keep us from the others. */
#define PIECES 16

int64_t lc_live_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t lc_live_epoch(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 - lc_live_now();
}

lc_str lc_live_time_text(lc_arena *arena, int64_t ms)
{
    if (ms % 1000)
        return lc_str_printf(arena, "%lld milliseconds", (long long)ms);
    return lc_str_printf(arena, "%lld second%s", (long long)(ms / 1000), ms == 1000 ? "" : "s");
}

bool lc_live_is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* ---- Starting. */

/* What a provider looks for before it serves, in go-plugin's words. */
static const char cookie[] = "TF_PLUGIN_MAGIC_COOKIE="
                             "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

static bool is_replaced(const char *entry)
{
    static const char *const names[] = {
        "TF_PLUGIN_MAGIC_COOKIE=", "PLUGIN_PROTOCOL_VERSIONS=", "PLUGIN_UNIX_SOCKET_DIR=",
        "PLUGIN_CLIENT_CERT=",     "PLUGIN_MULTIPLEX_GRPC=",    "TF_REATTACH_PROVIDERS="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

static char **environment_for(lc_arena *arena, char **base, lc_str sockets)
{
    LC_VEC(char *) list = {0};
    for (size_t i = 0; base[i]; i++) {
        if (!is_replaced(base[i]))
            *LC_PUSH(arena, &list, char *) = base[i];
    }
    *LC_PUSH(arena, &list, char *) = lc_str_to_c(arena, lc_str_from_c(cookie));
    *LC_PUSH(arena, &list, char *) = lc_str_to_c(arena, LC_STR("PLUGIN_PROTOCOL_VERSIONS=5,6"));
    *LC_PUSH(arena, &list, char *) =
        lc_str_to_c(arena, lc_str_printf(arena, "PLUGIN_UNIX_SOCKET_DIR=%.*s", LC_FMT(sockets)));
    *LC_PUSH(arena, &list, char *) = NULL;
    return list.items;
}

void lc_live_restore_signals(void)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

/* In the child, in its own network. */
static bool give_gateway(int channel)
{
    uint16_t port = LC_GATEWAY_PORT;
    int listener = lc_gateway_listen(&port);
    bool given = listener >= 0 && lc_gateway_send(channel, listener);
    if (listener >= 0)
        close(listener);
    return given;
}

/* In the child. Its own process group keeps Ctrl-C from it, which the client handles; a provider
 * that outlives us would keep its sockets. The parent-death signal must be set after the child's
 * rights changed, and we may have ended before that. */
static bool detach(pid_t parent, const lc_live_surroundings *around)
{
    struct rlimit none = {0, 0};
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &none);
    lc_live_restore_signals();
    if (around->offline && !lc_live_go_offline())
        return false;
    if (around->offline && around->gateway && !give_gateway(around->gateway))
        return false;
    if (around->own && !lc_live_guard(around))
        return false;
#if LC_ON_LINUX
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    return getppid() == parent;
}

/* The report of a child that could not execute the provider. */
typedef struct failure {
    bool executing; /* the file was found and could not be executed, or does not exist */
    int error;
} failure;

/* Ends of pipes, to read and to write: its output, its standard error, and a failure; the last
 * closes when the provider is executed. */
enum { OUT, ERR, SAID, PIPES };
typedef int pipes[PIPES][2];

static bool turn_to(const char *folder, pipes ends)
{
    int null = open("/dev/null", O_RDONLY);
    return null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(ends[OUT][1], STDOUT_FILENO) >= 0 &&
           dup2(ends[ERR][1], STDERR_FILENO) >= 0 && (!folder || chdir(folder) == 0);
}

/* In the child. */
static _Noreturn void become(const char *binary, char **environment, const char *folder, pipes ends,
                             bool detached)
{
    char *const arguments[] = {(char *)(uintptr_t)binary, NULL};
    failure what = {.executing = detached && turn_to(folder, ends)};
    if (what.executing)
        execve(binary, arguments, environment);
    what.error = errno;
    ssize_t n = write(ends[SAID][1], &what, sizeof what);
    (void)n;
    _exit(127);
}

/* False: the child has become a provider. */
static bool read_exec_failure(failure *out, int fd)
{
    ssize_t n;
    do {
        n = read(fd, out, sizeof *out);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *out;
}

static void close_pipes(pipes ends)
{
    for (int i = 0; i < PIPES; i++) {
        for (int k = 0; k < 2; k++) {
            if (ends[i][k] >= 0)
                close(ends[i][k]);
            ends[i][k] = -1;
        }
    }
}

/* False: see errno. */
static bool open_pipes(pipes ends)
{
    for (int i = 0; i < PIPES; i++)
        ends[i][0] = ends[i][1] = -1;
    for (int i = 0; i < PIPES; i++) {
        if (pipe(ends[i]) != 0)
            return false;
        fcntl(ends[i][0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i][1], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* A relative path is meant from where we were started, not from where the client works. */
static char *absolute(lc_arena *arena, lc_str path)
{
    char here[4096];
    if (path.ptr[0] == '/' || !getcwd(here, sizeof here))
        return lc_str_to_c(arena, path);
    return lc_str_to_c(arena, lc_str_printf(arena, "%s/%.*s", here, LC_FMT(path)));
}

static lc_live_process *process_new(const lc_live_provider *provider)
{
    lc_arena *own = lc_arena_new_small();
    lc_live_process *p = LC_NEW(own, lc_live_process);
    *p = (lc_live_process){
        .arena = own, .provider = provider, .tie = -1, .started = lc_live_now() / 1000};
    return p;
}

static void take_pipes(lc_live_process *p, pipes ends)
{
    p->out = ends[OUT][0];
    p->err = ends[ERR][0];
    ends[OUT][0] = ends[ERR][0] = -1;
    lc_live_prepare(p->out);
    lc_live_prepare(p->err);
    close_pipes(ends);
}

static void fail(lc_live_process *p, lc_str why)
{
    if (!p->failed)
        p->why = lc_str_copy(p->arena, why);
    p->failed = true;
}

/* Has it become a provider, or is it a file that cannot be executed? Anything else, with errno, is
 * no fault of the file. */
static bool is_started(lc_live_process *p, pipes ends)
{
    failure what;
    close(ends[SAID][1]);
    ends[SAID][1] = -1;
    if (!read_exec_failure(&what, ends[SAID][0]))
        return true;
    if (what.executing && !lc_live_is_lack(what.error) && what.error != EAGAIN) {
        fail(p, lc_str_printf(p->arena, "it cannot be executed: %s", strerror(what.error)));
        return true;
    }
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    errno = what.error;
    return false;
}

lc_live_process *lc_live_process_start(const lc_live_provider *provider,
                                       const lc_live_surroundings *around, lc_str *why,
                                       lc_arena *arena)
{
    pipes ends;
    lc_live_process *p = process_new(provider);
    char *binary = absolute(p->arena, provider->binary);
    char **base = around->environment ? around->environment : environ;
    char **environment = environment_for(p->arena, base, around->sockets);
    const char *folder = around->folder.len ? lc_str_to_c(p->arena, around->folder) : NULL;
    pid_t parent = getpid();
    p->pid = open_pipes(ends) ? fork() : -1;
    if (p->pid == 0)
        become(binary, environment, folder, ends, detach(parent, around));
    if (p->pid < 0 || !is_started(p, ends)) {
        *why = lc_str_printf(arena, "no process can be started: %.*s",
                             LC_FMT(lc_live_fork_error_text(arena, errno)));
        close_pipes(ends);
        lc_arena_free(p->arena);
        return NULL;
    }
    setpgid(p->pid, p->pid); /* parent and child both call it: either may run first */
#if !LC_ON_LINUX
    p->tie = lc_live_tie(p->pid);
#endif
    take_pipes(p, ends);
    return p;
}

/* ---- Its output. */

static void keep_tail(lc_buf *tail, lc_str bytes)
{
    if (bytes.len > LC_LIVE_TAIL)
        bytes = lc_str_sub(bytes, bytes.len - LC_LIVE_TAIL, bytes.len);
    lc_buf_add_str(tail, bytes);
    if (tail->len <= 2 * LC_LIVE_TAIL)
        return;
    memmove(tail->ptr, tail->ptr + tail->len - LC_LIVE_TAIL, LC_LIVE_TAIL);
    tail->len = LC_LIVE_TAIL;
}

/* Its first line is the handshake; later output is discarded. */
static void take_line(lc_live_process *p, lc_str bytes)
{
    lc_str why;
    if (p->ready || p->failed)
        return;
    lc_buf_add_str(&p->line, bytes);
    lc_str all = lc_buf_str(&p->line);
    size_t end = lc_str_find(all, 0, '\n');
    if (end == all.len && all.len <= LC_HANDSHAKE_MAX)
        return;
    lc_str line = lc_str_copy(p->arena, lc_str_sub(all, 0, end));
    p->ready = lc_handshake_read(&p->handshake, p->arena, line, &why);
    if (!p->ready)
        fail(p, why);
    lc_buf_release(&p->line);
}

static void write_log(int log, lc_str bytes)
{
    for (size_t at = 0; log >= 0 && at < bytes.len;) {
        ssize_t n = write(log, bytes.ptr + at, bytes.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* a full disk must not stop the provider */
        at += (size_t)n;
    }
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* False: there is nothing more for now. */
static bool read_piece(lc_live_process *p, int *fd, int log)
{
    char bytes[PIECE];
    if (*fd < 0)
        return false;
    ssize_t n = read(*fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return true;
    if (n == 0 || (n < 0 && errno != EAGAIN)) {
        close_end(fd);
        return false;
    }
    if (n < 0)
        return false;
    lc_str piece = {bytes, (size_t)n};
    p->printed += piece.len;
    if (fd == &p->out)
        take_line(p, piece);
    else
        keep_tail(&p->tail, piece);
    if (fd == &p->err)
        write_log(log, piece);
    return true;
}

void lc_live_process_read(lc_live_process *p, int log)
{
    for (int i = 0; i < PIECES && read_piece(p, &p->out, log); i++)
        ;
    for (int i = 0; i < PIECES && read_piece(p, &p->err, log); i++)
        ;
}

/* ---- Its end. */

lc_str lc_live_status_text(lc_arena *arena, int status)
{
    if (WIFSIGNALED(status))
        return lc_str_printf(arena, "ended by signal %d (%s)", WTERMSIG(status),
                             strsignal(WTERMSIG(status)));
    return lc_str_printf(arena, "ended with status %d", WEXITSTATUS(status));
}

/* What it started ends with it: until it has been waited for, its group cannot be another one. */
static bool has_ended(lc_live_process *p)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    kill(-p->pid, SIGKILL);
    return waitpid(p->pid, &p->status, 0) == p->pid;
}

void lc_live_process_wait(lc_live_process *p, int log)
{
    if (p->ended || !has_ended(p))
        return;
    p->ended = true;
    lc_live_untie(&p->tie);
    lc_live_process_read(p, log);
    if (!p->ready && !p->failed) {
        lc_str how = lc_live_status_text(p->arena, p->status);
        fail(p, lc_str_printf(p->arena,
                              "it %.*s before its handshake (is it the binary of a "
                              "provider?)",
                              LC_FMT(how)));
    }
}

void lc_live_process_check(lc_live_process *p, int64_t start_ms, int64_t now)
{
    if (p->ready || p->failed || now - p->started < start_ms)
        return;
    lc_str time = lc_live_time_text(p->arena, start_ms);
    fail(p, lc_str_printf(p->arena, "it printed no handshake within %.*s", LC_FMT(time)));
}

void lc_live_process_kill(lc_live_process *p)
{
    p->dismissed = p->killed = true;
    if (p->ended)
        return;
    kill(-p->pid, SIGKILL);
    kill(p->pid, SIGKILL);
}

void lc_live_process_end(lc_live_process *p, int64_t now)
{
    p->dismissed = true;
    if (p->ended)
        return;
    if (p->asked == 0) {
        p->asked = now;
        kill(-p->pid, SIGTERM);
        kill(p->pid, SIGTERM);
    } else if (!p->killed && now - p->asked >= LC_LIVE_GRACE_MS) {
        lc_live_process_kill(p);
    }
}

void lc_live_process_free(lc_live_process *p)
{
    if (!p)
        return;
    close_end(&p->out);
    close_end(&p->err);
    close_end(&p->tie);
    lc_buf_release(&p->line);
    lc_buf_release(&p->tail);
    lc_arena_free(p->arena);
}

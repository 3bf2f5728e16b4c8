/* A recording from its beginning to its end: providers are started, then the client; one loop waits
 * for everything. */
#define _GNU_SOURCE /* environ */
#include "live/recorder.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if LC_ON_LINUX
#include <sys/signalfd.h>
#endif

#define IDLE_MS    200 /* without calls, until the idle hook is called */
#define IDLE_SHARE 20  /* so many times as long as it took, until it is called again */
#define LOOK_MS    100 /* between two looks for signals, where there is no descriptor for them */
#define BUSY_MS    100 /* between two looks at what has a deadline */

#define LEAST_CONNECTIONS 8    /* a client that has some open waits for others */
#define DRAIN_MS          3000 /* connections that are open after the client has ended */

void lc_live_report(const lc_live_recorder *r, lc_live_weight weight, lc_str log,
                    const char *format, ...)
{
    const lc_live_hooks *hooks = &r->options->hooks;
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hooks->on_event(hooks->context, weight, lc_str_from_c(text), log);
}

/* ---- Signals. They are blocked, and read like any other input where the system has a descriptor
 * for them. Else the loop looks for those that are pending. */

static bool open_signals(lc_live_recorder *r)
{
#if LC_ON_LINUX
    r->signals = signalfd(-1, &r->taken, SFD_NONBLOCK | SFD_CLOEXEC);
    return r->signals >= 0;
#else
    r->signals = -1;
    return true;
#endif
}

/* The number of the next one; 0: none came. Did the terminal send it, which reaches the command,
 * too? */
static int next_signal(const lc_live_recorder *r, bool *by_terminal)
{
#if LC_ON_LINUX
    struct signalfd_siginfo info;
    bool came = read(r->signals, &info, sizeof info) == (ssize_t)sizeof info;
    *by_terminal = came && info.ssi_code > 0;
    return came ? (int)info.ssi_signo : 0;
#else
    int number = lc_signal_take(&r->taken);
    int terminal = number == SIGINT ? open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC) : -1;
    *by_terminal = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
    if (terminal >= 0)
        close(terminal);
    return number;
#endif
}

static bool take_signals(lc_live_recorder *r)
{
    static const int taken[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(&r->taken);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (taken[i] != SIGHUP || !lc_live_is_ignored(SIGHUP))
            sigaddset(&r->taken, taken[i]);
    }
    sigprocmask(SIG_BLOCK, &r->taken, &r->mask);
    /* If SIGCHLD is ignored, the exit status of a child is lost. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &r->on_child);
    if (open_signals(r))
        return true;
    lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "signals cannot be read: %.*s",
                   LC_FMT(lc_live_error_text(r->arena, errno)));
    return false;
}

/* Those that came and were read do not come again. */
static void return_signals(lc_live_recorder *r)
{
    if (r->signals >= 0)
        close(r->signals);
    sigaction(SIGCHLD, &r->on_child, NULL);
    sigprocmask(SIG_SETMASK, &r->mask, NULL);
}

/* The terminal's Ctrl-C reaches the command without us; what another process sends does not. */
static void read_signals(lc_live_recorder *r)
{
    bool by_terminal;
    for (int number; (number = next_signal(r, &by_terminal)) != 0;) {
        if (number == SIGCHLD)
            continue;
        r->ending = number;
        if (r->command > 0 && (number != SIGINT || !by_terminal))
            kill(r->command, number);
    }
}

/* ---- The loop. */

static int watch(lc_live_recorder *r, int fd, short events)
{
    if (fd < 0)
        return -1;
    *LC_PUSH(r->arena, &r->watched, struct pollfd) = (struct pollfd){.fd = fd, .events = events};
    return (int)r->watched.count - 1;
}

/* A descriptor that is not read for now is not watched either: its hang-up would be reported at
 * every turn. */
static int watch_side(lc_live_recorder *r, int fd, short events)
{
    return watch(r, events ? fd : -1, events);
}

static short seen(const lc_live_recorder *r, int at)
{
    return at < 0 ? 0 : r->watched.items[at].revents;
}

static void watch_all(lc_live_recorder *r)
{
    bool room = r->connection_count < r->most_connections && !r->crowded;
    r->crowded = false;
    r->watched.count = 0;
    watch(r, r->signals, POLLIN);
    r->control_watched = watch(r, room ? r->control : -1, POLLIN);
    for (size_t i = 0; i < r->endpoints.count; i++) {
        lc_live_endpoint *e = r->endpoints.items[i];
        e->watched = watch(r, room ? e->listener : -1, POLLIN);
    }
    for (lc_live_connection *c = r->connections; c; c = c->next) {
        c->watched_client =
            watch_side(r, c->client_ended ? -1 : c->client, lc_live_wants_client(c));
        c->watched_provider =
            watch_side(r, c->provider_ended ? -1 : c->provider, lc_live_wants_provider(c));
    }
    watch(r, r->shown, POLLIN);
    for (size_t i = 0; i < r->processes.count; i++) {
        watch(r, r->processes.items[i]->out, POLLIN);
        watch(r, r->processes.items[i]->err, POLLIN);
    }
}

static bool has_deadlines(const lc_live_recorder *r)
{
    if (r->crowded)
        return true;
    for (size_t i = 0; i < r->processes.count; i++) {
        const lc_live_process *p = r->processes.items[i];
        if (p->dismissed || (!p->ready && !p->failed))
            return true;
    }
    for (const lc_live_connection *c = r->connections; c; c = c->next) {
        if (c->provider_ended)
            return true;
    }
    return false;
}

static void work(lc_live_recorder *r)
{
    bool control = seen(r, r->control_watched) & POLLIN;
    size_t endpoints = r->endpoints.count;
    read_signals(r);
    for (lc_live_connection *c = r->connections; c; c = c->next)
        lc_live_connection_work(c, seen(r, c->watched_client), seen(r, c->watched_provider));
    lc_live_processes_work(r);
    for (lc_live_connection *c = r->connections; c; c = c->next)
        lc_live_connection_check(c);
    lc_live_connections_sweep(r, false);
    for (size_t i = 0; i < endpoints; i++) {
        if (seen(r, r->endpoints.items[i]->watched) & POLLIN)
            lc_live_endpoint_accept(r, r->endpoints.items[i]);
    }
    if (control)
        lc_live_control_accept(r);
}

/* With thousands of objects the hook takes long, and a client that writes a large state pauses
 * after each call. */
static void be_idle(lc_live_recorder *r)
{
    const lc_live_hooks *hooks = &r->options->hooks;
    int64_t begun = lc_live_now();
    if (begun < r->idle_from)
        return;
    r->changed = false;
    hooks->idle(hooks->context);
    r->idle_from = lc_live_now() + IDLE_SHARE * (lc_live_now() - begun);
}

void lc_live_turn(lc_live_recorder *r, bool hurried)
{
    int wait = hurried || has_deadlines(r) ? BUSY_MS
               : !LC_ON_LINUX              ? LOOK_MS
               : r->changed                ? IDLE_MS
                                           : -1;
    watch_all(r);
    int n = poll(r->watched.items, (nfds_t)r->watched.count, wait);
    if (n == 0 && r->changed)
        be_idle(r);
    if (n < 0) {
        for (size_t i = 0; i < r->watched.count; i++)
            r->watched.items[i].revents = 0;
    }
    work(r);
}

/* ---- The command. */

char **lc_live_environment(lc_live_recorder *r, char **base)
{
    LC_VEC(char *) list = {0};
    static const char name[] = "TF_REATTACH_PROVIDERS=";
    lc_str reattach = lc_live_reattach(r, r->arena, NULL);
    for (size_t i = 0; base[i]; i++) {
        if (strncmp(base[i], name, sizeof name - 1) != 0)
            *LC_PUSH(r->arena, &list, char *) = base[i];
    }
    *LC_PUSH(r->arena, &list, char *) =
        lc_str_to_c(r->arena, lc_str_printf(r->arena, "%s%.*s", name, LC_FMT(reattach)));
    *LC_PUSH(r->arena, &list, char *) = NULL;
    return list.items;
}

static void become_command(const lc_live_recorder *r, char **environment)
{
    char **command = r->options->command;
    sigaction(SIGCHLD, &r->on_child, NULL);
    sigprocmask(SIG_SETMASK, &r->mask, NULL);
    lc_live_restore_signals();
    setrlimit(RLIMIT_NOFILE, &r->files);
    environ = environment;
    execvp(command[0], command);
    fprintf(stderr, "lifecheck: %s cannot be run: %s%s\n", command[0], strerror(errno),
            errno == ENOENT ? "; correct the name, or give its path" : "");
    _exit(errno == ENOENT ? 127 : 126);
}

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool start_command(lc_live_recorder *r)
{
    char **environment = lc_live_environment(r, environ);
    pid_t pid = fork();
    if (pid < 0) {
        lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "no process can be started: %.*s",
                       LC_FMT(lc_live_fork_error_text(r->arena, errno)));
        return false;
    }
    if (pid == 0)
        become_command(r, environment);
    r->command = pid;
    r->result->ran = true;
    return true;
}

/* Until the command has ended, and what it left open. */
static void run_command(lc_live_recorder *r)
{
    int status = 0;
    if (!start_command(r))
        return;
    while (waitpid(r->command, &status, WNOHANG) != r->command)
        lc_live_turn(r, false);
    r->command = 0;
    r->result->status = status_of(status);
    int64_t until = lc_live_now() + (int64_t)DRAIN_MS * 1000;
    while (r->connections && lc_live_now() < until)
        lc_live_turn(r, true);
    lc_live_find_evidence(r);
}

/* ---- Without a command. */

static lc_str write_wrapper(lc_live_recorder *r, lc_str control)
{
    lc_str path = lc_str_printf(r->arena, "%.*s/terraform", LC_FMT(r->folder));
    lc_buf text = {0};
    lc_buf_add_c(&text, "#!/bin/sh\nexec ");
    lc_add_shell_word(&text, r->options->program);
    lc_buf_add_c(&text, " record --join ");
    lc_add_shell_word(&text, control);
    lc_buf_add_c(&text, " -- \"${LIFECHECK_CLIENT:-terraform}\" \"$@\"\n");
    int fd = open(lc_str_to_c(r->arena, path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    bool written = fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len;
    if (fd >= 0)
        close(fd);
    lc_buf_release(&text);
    return written ? path : LC_STR_EMPTY;
}

static void wait_for_clients(lc_live_recorder *r)
{
    const lc_live_options *o = r->options;
    lc_str control = lc_str_printf(r->arena, "%.*s/control", LC_FMT(r->folder));
    r->control = lc_live_listen(control);
    lc_str wrapper = r->control >= 0 ? write_wrapper(r, control) : LC_STR_EMPTY;
    o->ready(o->hooks.context, lc_live_reattach(r, r->arena, NULL), wrapper);
    r->result->ran = true;
    while (!r->ending)
        lc_live_turn(r, false);
    if (r->control >= 0)
        close(r->control);
    r->control = -1;
}

/* ---- All of it. */

static bool open_log(lc_live_recorder *r)
{
    lc_str path = r->options->log;
    r->log = -1;
    if (path.len == 0)
        return true;
    r->log = open(lc_str_to_c(r->arena, path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (r->log >= 0) {
        fchmod(r->log, 0600); /* independent of the umask */
        return true;
    }
    lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s cannot be written: %s", LC_FMT(path),
                   strerror(errno));
    r->result->unwritten = true;
    return false;
}

static bool start_providers(lc_live_recorder *r)
{
    const lc_live_providers *list = r->options->providers;
    for (size_t i = 0; i < list->list.count; i++)
        lc_live_endpoint_new(r, &list->list.items[i]);
    while (lc_live_endpoints_wait(r) && !r->ending)
        lc_live_turn(r, true);
    if (r->ending)
        r->result->status = 128 + r->ending;
    return !r->ending && lc_live_endpoints_settle(r);
}

static void end_all(lc_live_recorder *r)
{
    r->closing = true;
    lc_live_connections_sweep(r, true);
    lc_live_endpoints_close(r);
    for (size_t i = 0; i < r->processes.count; i++)
        lc_live_process_end(r->processes.items[i], lc_live_now() / 1000);
    while (lc_live_process_count(r))
        lc_live_turn(r, true);
    if (r->log >= 0)
        close(r->log);
    lc_live_folder_remove(r->arena, r->folder, r->folder_lock);
}

/* Raises the limit of descriptors to the maximum, since one connection of a client uses several of
 * ours. False: there are too few; reported. */
static bool take_descriptors(lc_live_recorder *r)
{
    lc_str why;
    rlim_t have;
    size_t reserve = 16 + r->options->providers->list.count * LC_LIVE_DESCRIPTORS;
    r->most_connections = LC_LIVE_MAX_CONNECTIONS;
    getrlimit(RLIMIT_NOFILE, &r->files);
    if (!lc_live_take_descriptors(r->arena, reserve + LEAST_CONNECTIONS * LC_LIVE_DESCRIPTORS,
                                  &have, &why)) {
        lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s", LC_FMT(why));
        return false;
    }
    if (have / LC_LIVE_DESCRIPTORS >= LC_LIVE_MAX_CONNECTIONS + reserve)
        return true;
    size_t left = have > reserve ? (size_t)have - reserve : 0;
    r->most_connections = left / LC_LIVE_DESCRIPTORS ? left / LC_LIVE_DESCRIPTORS : 1;
    if (r->most_connections > LC_LIVE_MAX_CONNECTIONS)
        r->most_connections = LC_LIVE_MAX_CONNECTIONS;
    return true;
}

static void record(lc_live_recorder *r)
{
    lc_str why;
    if (!take_descriptors(r))
        return;
    r->folder = lc_live_folder_new(r->arena, sizeof "/plugin4294967295", &r->folder_lock, &why);
    if (r->folder.len == 0) {
        lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s", LC_FMT(why));
        return;
    }
    if (take_signals(r) && open_log(r) && start_providers(r)) {
        if (r->options->command)
            run_command(r);
        else
            wait_for_clients(r);
    }
    end_all(r);
    return_signals(r);
}

bool lc_live_run(lc_live_result *out, lc_arena *arena, const lc_live_options *options)
{
    lc_live_recorder r = {.arena = arena,
                          .options = options,
                          .result = out,
                          .control = -1,
                          .folder_lock = -1,
                          .signals = -1,
                          .shown = -1};
    *out = (lc_live_result){0};
    r.realtime = lc_live_epoch();
    record(&r);
    return out->ran;
}

bool lc_live_available(void)
{
    return lc_tap_available();
}

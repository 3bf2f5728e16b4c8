/* Plans that clients have written or applied, as their client shows them: recordings have no
 * addresses, plans do. Asked once the command has ended, by the same client, which may start
 * providers for it; those calls are not recorded. */
#define _GNU_SOURCE /* environ */
#include "live/recorder.h"

#include "lifecheck/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PLANS 16
#define MOST_MS    60000
#define PIECE      ((size_t)64 << 10)

/* ---- Which. */

static bool is_listed(const lc_live_recorder *r, const lc_live_client *who)
{
    for (size_t i = 0; i < r->plans.count; i++) {
        if (lc_str_eq(r->plans.items[i].plan, who->plan) &&
            lc_str_eq(r->plans.items[i].folder, who->folder))
            return true;
    }
    return false;
}

void lc_live_note_plan(lc_live_recorder *r, const lc_live_connection *c)
{
    const lc_live_client *who = &c->who;
    if (who->plan.len == 0 || r->plans.count == MOST_PLANS || is_listed(r, who))
        return;
    lc_live_client_of(LC_PUSH(r->arena, &r->plans, lc_live_client), r->arena, c->client);
}

/* ---- Showing one. */

static void become_show(const lc_live_recorder *r, const lc_live_client *who, char **environment,
                        int out)
{
    char *program = lc_str_to_c(r->arena, who->path), *plan = lc_str_to_c(r->arena, who->plan);
    char *const arguments[] = {program, (char[]){"show"}, (char[]){"-json"}, plan, NULL};
    int null = open("/dev/null", O_RDWR);
    sigprocmask(SIG_SETMASK, &r->mask, NULL);
    lc_live_restore_signals();
    setrlimit(RLIMIT_NOFILE, &r->files);
    if (dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(null, STDERR_FILENO) >= 0 && chdir(lc_str_to_c(r->arena, who->folder)) == 0)
        execve(program, arguments, environment);
    _exit(127);
}

/* False: there will be no more. */
static bool read_more(lc_live_recorder *r, lc_buf *text)
{
    char bytes[PIECE];
    for (;;) {
        ssize_t n = read(r->shown, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 && errno == EAGAIN;
        lc_buf_add(text, bytes, (size_t)n);
    }
}

static bool finish(lc_live_recorder *r, pid_t pid, lc_buf *text)
{
    int status;
    int64_t until = lc_live_now() + (int64_t)MOST_MS * 1000;
    while (read_more(r, text) && !r->ending && lc_live_now() < until)
        lc_live_turn(r, true);
    if (r->ending || lc_live_now() >= until)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text->overflow;
}

static void show(lc_live_recorder *r, const lc_live_client *who)
{
    const lc_live_hooks *hooks = &r->options->hooks;
    lc_buf text = {.limit = r->options->limits.input_bytes};
    char **environment = lc_live_environment(r, who->environment ? who->environment : environ);
    int out[2];
    if (pipe(out) != 0)
        return;
    fcntl(out[1], F_SETFD, FD_CLOEXEC);
    lc_live_prepare(out[0]);
    pid_t pid = fork();
    if (pid == 0)
        become_show(r, who, environment, out[1]);
    close(out[1]);
    r->shown = out[0];
    if (pid > 0 && finish(r, pid, &text))
        hooks->plan(hooks->context, who->plan, lc_buf_str(&text));
    close(r->shown);
    r->shown = -1;
    lc_buf_release(&text);
}

/* A file: a client may also have been told one that it did not write. */
static bool is_there(const lc_live_recorder *r, const lc_live_client *who)
{
    struct stat info;
    lc_str path = who->plan.ptr[0] == '/' ? who->plan
                                          : lc_str_printf(r->arena, "%.*s/%.*s",
                                                          LC_FMT(who->folder), LC_FMT(who->plan));
    return stat(lc_str_to_c(r->arena, path), &info) == 0 && S_ISREG(info.st_mode);
}

void lc_live_show_plans(lc_live_recorder *r)
{
    r->showing = true;
    for (size_t i = 0; i < r->plans.count && !r->ending; i++) {
        if (is_there(r, &r->plans.items[i]))
            show(r, &r->plans.items[i]);
    }
}

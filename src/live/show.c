/* Plans that clients have written or applied, and the states that they left: recordings have no
 * addresses, plans and states do. Read once the command has ended. What is not a JSON file is asked
 * of the same client, which may start providers for it; those calls are not recorded. */
#define _GNU_SOURCE /* environ */
#include "live/recorder.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_CLIENTS 16
#define MOST_MS      60000
#define PIECE        ((size_t)64 << 10)

/* ---- Which. */

static bool is_listed(const lc_live_recorder *r, const lc_live_client *who)
{
    for (size_t i = 0; i < r->clients.count; i++) {
        const lc_live_client *known = &r->clients.items[i];
        if (lc_str_eq(known->plan, who->plan) && lc_str_eq(known->state, who->state) &&
            lc_str_eq(known->folder, who->folder))
            return true;
    }
    return false;
}

void lc_live_note_client(lc_live_recorder *r, const lc_live_connection *c)
{
    const lc_live_client *who = &c->who;
    if (who->folder.len == 0 || r->clients.count == MOST_CLIENTS || is_listed(r, who))
        return;
    lc_live_client_of(LC_PUSH(r->arena, &r->clients, lc_live_client), r->arena, c->client);
}

/* ---- Asking a client. */

typedef enum question { SHOW_PLAN, PULL_STATE } question;

static void as_client(const lc_live_recorder *r, const lc_live_client *who, question asked,
                      char **environment, int out)
{
    char *program = lc_str_to_c(r->arena, who->path), *plan = lc_str_to_c(r->arena, who->plan);
    char *const show[] = {program, (char[]){"show"}, (char[]){"-json"}, plan, NULL};
    char *const pull[] = {program, (char[]){"state"}, (char[]){"pull"}, NULL};
    int null = open("/dev/null", O_RDWR);
    sigprocmask(SIG_SETMASK, &r->mask, NULL);
    lc_live_restore_signals();
    setrlimit(RLIMIT_NOFILE, &r->files);
    if (dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(null, STDERR_FILENO) >= 0 && chdir(lc_str_to_c(r->arena, who->folder)) == 0)
        execve(program, asked == SHOW_PLAN ? show : pull, environment);
    _exit(127);
}

/* False: no more follow. */
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

static void ask(lc_live_recorder *r, const lc_live_client *who, question asked, lc_str name)
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
        as_client(r, who, asked, environment, out[1]);
    close(out[1]);
    r->shown = out[0];
    if (pid > 0 && finish(r, pid, &text))
        hooks->evidence(hooks->context, name, lc_buf_str(&text));
    close(r->shown);
    r->shown = -1;
    lc_buf_release(&text);
}

/* ---- What there is. */

static lc_str in_folder(lc_live_recorder *r, const lc_live_client *who, lc_str path)
{
    return path.ptr[0] == '/'
               ? path
               : lc_str_printf(r->arena, "%.*s/%.*s", LC_FMT(who->folder), LC_FMT(path));
}

/* A client may also have read a file that it did not write. */
static bool is_file(lc_live_recorder *r, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(r->arena, path), &info) == 0 && S_ISREG(info.st_mode);
}

static void read_state(lc_live_recorder *r, lc_str path)
{
    const lc_live_hooks *hooks = &r->options->hooks;
    lc_str text;
    lc_diags quiet;
    lc_diags_init(&quiet, r->arena);
    if (is_file(r, path) &&
        lc_file_read(&text, r->arena, path, r->options->limits.input_bytes, &quiet) == LC_OK)
        hooks->evidence(hooks->context, path, text);
}

static const char *variable_of(const lc_live_client *who, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; who->environment && who->environment[i]; i++) {
        const char *entry = who->environment[i];
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            return entry + length + 1;
    }
    return "";
}

/* Other programs may do anything if they are asked what Terraform and OpenTofu understand. */
static bool can_be_asked(lc_str program)
{
    return lc_str_starts_with(program, LC_STR("tofu")) ||
           (lc_str_starts_with(program, LC_STR("terraform")) &&
            !lc_str_starts_with(program, LC_STR("terraform-provider")));
}

/* Has the client a backend or a workspace, so that only it knows where the state is? */
static bool keeps_state_elsewhere(lc_live_recorder *r, const lc_live_client *who)
{
    lc_str data = lc_str_from_c(variable_of(who, "TF_DATA_DIR"));
    data = in_folder(r, who, data.len ? data : LC_STR(".terraform"));
    return variable_of(who, "TF_WORKSPACE")[0] ||
           is_file(r, lc_str_printf(r->arena, "%.*s/environment", LC_FMT(data))) ||
           is_file(r, lc_str_printf(r->arena, "%.*s/terraform.tfstate", LC_FMT(data)));
}

static bool is_our_folder(lc_live_recorder *r, const lc_live_client *who)
{
    struct stat ours, its;
    return stat(lc_str_to_c(r->arena, r->options->folder), &ours) == 0 &&
           stat(lc_str_to_c(r->arena, who->folder), &its) == 0 && ours.st_dev == its.st_dev &&
           ours.st_ino == its.st_ino;
}

/* The backup is all that is left after a destroy. */
static void find_state(lc_live_recorder *r, const lc_live_client *who)
{
    lc_str path = in_folder(r, who, who->state.len ? who->state : LC_STR("terraform.tfstate"));
    if (who->state.len == 0 && can_be_asked(who->program) && keeps_state_elsewhere(r, who)) {
        ask(r, who, PULL_STATE, path);
    } else if (who->state.len || !is_our_folder(r, who)) {
        read_state(r, path);
        read_state(r, lc_str_printf(r->arena, "%.*s.backup", LC_FMT(path)));
    }
}

void lc_live_find_evidence(lc_live_recorder *r)
{
    r->showing = true;
    for (size_t i = 0; i < r->clients.count && !r->ending; i++) {
        const lc_live_client *who = &r->clients.items[i];
        if (who->plan.len && is_file(r, in_folder(r, who, who->plan)))
            ask(r, who, SHOW_PLAN, who->plan);
        if (!r->ending)
            find_state(r, who);
    }
}

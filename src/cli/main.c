/* lifecheck: the program. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/yaml_json/document.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* If a standard descriptor is closed at the start, an input that is opened must not get its
 * number. Writing to it must still fail. */
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != fd)
            close(opened);
    }
}

/* A bug prints its own message before it aborts. */
static void on_abort(int number)
{
    (void)number;
    _exit(LC_EXIT_INTERNAL);
}

static void on_stop(int number)
{
    _exit(128 + number);
}

/* The kernel keeps signals from process 1, as we are in a container, that it has not asked for. */
static void ask_for_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; getpid() == 1 && i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now;
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            now.sa_handler = on_stop;
            sigaction(ending[i], &now, NULL);
        }
    }
}

/* Without random bytes the time is the seed. */
static void seed_hashes(void)
{
    uint64_t seed[2];
    if (!lc_random_bytes(seed, sizeof seed)) {
        seed[0] = (uint64_t)time(NULL);
        seed[1] = (uint64_t)getpid();
    }
    lc_hash_seed(seed[0], seed[1]);
}

static void prepare_process(void)
{
    seed_hashes();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* a limit of file sizes is reported like a full disk */
    ask_for_signals();
    action.sa_handler = on_abort;
    sigaction(SIGABRT, &action, NULL);
    fill_standard_descriptors();
    lc_heap_install();
    lc_doc_install();
}

extern char **environ;

static lc_exit (*const commands[LC_COMMAND_COUNT])(const lc_cli *cli) = {
#define COMMAND(id, name, ...) lc_cmd_##name,
#include "cli/commands.def"
#undef COMMAND
};

/* `settings` prints refused settings too, then refuses them, and it uses no file that they name. */
static lc_exit run(lc_cli *cli)
{
    lc_diags diags;
    lc_diags_init(&diags, cli->arena);
    if (!lc_cli_can_read(cli, LC_OPTION_SETTINGS, &diags)) {
        lc_report_diags(&diags);
        return LC_EXIT_INPUT;
    }
    if (!lc_config_read(cli))
        return LC_EXIT_USAGE;
    bool prints = cli->command == LC_COMMAND_SETTINGS, good = lc_options_read(cli);
    if (!good && !prints)
        return LC_EXIT_USAGE;
    lc_exit status = prints ? LC_EXIT_OK : lc_cli_check_files(cli);
    if (status == LC_EXIT_OK)
        status = commands[cli->command](cli);
    return good || status != LC_EXIT_OK ? status : LC_EXIT_USAGE;
}

/* A reader that has enough, as `head` does, closes the pipe. By convention a program then ends by
 * SIGPIPE, without a message. The signal is ignored until other reports are complete and drafts are
 * removed. */
static void end_with_reader(const lc_cli *cli, lc_exit status)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (status != LC_EXIT_INTERNAL || lc_command_runs_client(cli->command) ||
        poll(&output, 1, 0) != 1 || !(output.revents & POLLERR))
        return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* A word before --help is a command that does not exist, unless a file has this name. */
static bool is_unknown_command(const lc_cli *cli)
{
    return !cli->named_command && cli->words.count == 1 &&
           access(lc_str_to_c(cli->arena, cli->words.items[0]), F_OK) != 0;
}

static lc_exit run_program(int argc, char **argv)
{
    lc_arena *arena = lc_arena_new();
    lc_cli cli;
    lc_exit status = LC_EXIT_USAGE;
    lc_buf help = {0};
    if (!lc_cli_parse(&cli, arena, argc, argv, getenv)) {
        lc_arena_free(arena);
        return LC_EXIT_USAGE;
    }
    if (lc_cli_has(&cli, LC_OPTION_VERSION)) {
        lc_add_version(&help);
        status = lc_print(&cli, LC_IN_TEXT, &help);
    } else if (lc_cli_has(&cli, LC_OPTION_HELP) && is_unknown_command(&cli)) {
        lc_report_unknown_word("the command", cli.words.items[0],
                               lc_command_nearest(cli.words.items[0]),
                               "`lifecheck help` lists them");
    } else if (lc_cli_has(&cli, LC_OPTION_HELP)) {
        lc_add_help(&help, &cli);
        status = lc_print(&cli, LC_IN_TEXT, &help);
    } else {
        lc_cli_report_variables(&cli, environ);
        status = run(&cli);
    }
    end_with_reader(&cli, status);
    lc_arena_free(arena);
    return status;
}

/* ---- The stack. */

/* All limits of depth (limits.h and those of expressions) fit into it. */
#define STACK_BYTES ((size_t)8 << 20)

typedef struct whole_program {
    int argc;
    char **argv;
    sigset_t signals;
    lc_exit status;
} whole_program;

static bool has_enough_stack(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= STACK_BYTES;
}

static void *run_in_thread(void *context)
{
    whole_program *p = context;
    pthread_sigmask(SIG_SETMASK, &p->signals, NULL);
    p->status = run_program(p->argc, p->argv);
    return NULL;
}

/* Where the limit of the stack is low, the program runs in a thread with a stack of its own, so
 * that the same inputs are read everywhere. All signals go to that thread. False: there is no
 * memory for it. */
static bool run_with_own_stack(whole_program *p)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_sigmask(SIG_SETMASK, &all, &p->signals);
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&thread, &attributes, run_in_thread, p) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        pthread_sigmask(SIG_SETMASK, &p->signals, NULL);
    return started;
}

int main(int argc, char **argv)
{
    whole_program p = {.argc = argc, .argv = argv};
    prepare_process();
    if (has_enough_stack() || !run_with_own_stack(&p))
        p.status = run_program(argc, argv);
    return (int)p.status;
}

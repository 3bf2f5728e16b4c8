/* lifecheck: the program. */
#include "cli/internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/document.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* A descriptor that is closed at the start must not become that of an input; writing to it has to
 * fail, as it would have. */
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

/* A bug has told about itself before it aborts. */
static void on_abort(int number)
{
    (void)number;
    _exit(LC_EXIT_INTERNAL);
}

/* Without random bytes the time does. */
static void seed_hashes(void)
{
    uint64_t seed[2];
    if (getrandom(seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
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
    action.sa_handler = on_abort;
    sigaction(SIGABRT, &action, NULL);
    fill_standard_descriptors();
    lc_heap_install();
    lc_doc_install();
}

static lc_exit print_version(void)
{
    lc_buf out = {0};
    lc_buf_printf(&out, "lifecheck %s\nmirrors opentofu %s, terraform %s\n", LC_VERSION,
                  LC_MIRRORED_OPENTOFU, LC_MIRRORED_TERRAFORM);
    return lc_print(&out);
}

static lc_exit run(const lc_cli *cli)
{
    switch (cli->command) {
    case LC_COMMAND_CHECK:
        return lc_cmd_check(cli);
    case LC_COMMAND_RULES:
        return lc_cmd_rules(cli);
    case LC_COMMAND_EXPLAIN:
        return lc_cmd_explain(cli);
    case LC_COMMAND_PROPOSE:
        return lc_cmd_propose(cli);
    case LC_COMMAND_SCHEMA:
        return lc_cmd_schema(cli);
    case LC_COMMAND_INSPECT:
        return lc_cmd_inspect(cli);
    case LC_COMMAND_REDACT:
        return lc_cmd_redact(cli);
    case LC_COMMAND_EXTRACT:
        return lc_cmd_extract(cli);
    case LC_COMMAND_INIT:
        return lc_cmd_init(cli);
    case LC_COMMAND_MERGE:
        return lc_cmd_merge(cli);
    case LC_COMMAND_DIFF:
        return lc_cmd_diff(cli);
    case LC_COMMAND_GATE:
        return lc_cmd_gate(cli);
    case LC_COMMAND_CONFIG:
        return lc_cmd_config(cli);
    case LC_COMMAND_PROVIDERS:
        return lc_cmd_providers(cli);
    case LC_COMMAND_PREDICT:
        return lc_cmd_predict(cli);
    case LC_COMMAND_CFN:
        return lc_cmd_cfn(cli);
    case LC_COMMAND_COMPLETION:
        return lc_cmd_completion(cli);
    case LC_COMMAND_COUNT:
        break;
    }
    return LC_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    prepare_process();
    lc_arena *arena = lc_arena_new();
    lc_cli cli;
    lc_exit status = LC_EXIT_USAGE;
    lc_buf help = {0};
    if (!lc_cli_parse(&cli, arena, argc, argv, getenv)) {
        lc_arena_free(arena);
        return LC_EXIT_USAGE;
    }
    if (lc_cli_has(&cli, LC_OPTION_VERSION)) {
        status = print_version();
    } else if (lc_cli_has(&cli, LC_OPTION_HELP)) {
        lc_add_help(&help, &cli);
        status = lc_print(&help);
    } else {
        status = run(&cli);
    }
    lc_arena_free(arena);
    return (int)status;
}

/* lifecheck record: records and judges the calls between a client and its providers. */
#include "cli/recorder.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"

#include <stdlib.h>
#include <unistd.h>

/* NULL: there is no command. */
static char **words_of(lc_arena *arena, const lc_live_search *search)
{
    char **words = LC_NEW_ARRAY(arena, char *, search->command_count + 1);
    for (size_t i = 0; i < search->command_count; i++)
        words[i] = lc_str_to_c(arena, search->command[i]);
    words[search->command_count] = NULL;
    return search->command_count ? words : NULL;
}

/* ---- Without a command: what to export. A shell can read all of it. */

static void add_exports(lc_buf *out, lc_str reattach, lc_str wrapper)
{
    lc_buf_add_c(out, "# for a shell:\nexport TF_REATTACH_PROVIDERS=");
    lc_add_shell_word(out, reattach);
    lc_buf_add_c(out, "\n# for an IDE or a debugger, as a variable of the environment:\n"
                      "#   TF_REATTACH_PROVIDERS=");
    lc_buf_add_str(out, reattach);
    lc_buf_add_c(out, "\n");
    if (wrapper.len) {
        lc_buf_add_c(out, "# for acceptance tests (TF_ACC=1 go test ./...); LIFECHECK_CLIENT names "
                          "another client than terraform:\nexport TF_ACC_TERRAFORM_PATH=");
        lc_add_shell_word(out, wrapper);
        lc_buf_add_c(out, "\n");
    }
}

static void print_exports(lc_recorder *r, lc_str reattach, lc_str wrapper, lc_str note)
{
    lc_sink sink = {STDOUT_FILENO, "standard output", false};
    lc_buf out = {0};
    add_exports(&out, reattach, wrapper);
    lc_sink_write(&sink, &out);
    lc_buf_release(&out);
    lc_recorder_report(r, LC_LIVE_NOTE, note, LC_STR_EMPTY);
}

static void ready_to_record(void *context, lc_str reattach, lc_str wrapper)
{
    print_exports(context, reattach, wrapper, LC_STR("recording until Ctrl-C"));
}

static void ready_to_serve(void *context, lc_str reattach, lc_str wrapper)
{
    print_exports(context, reattach, wrapper, LC_STR("serving until Ctrl-C"));
}

/* The path of this program, for the wrapper of tests. */
static lc_str own_path(lc_arena *arena)
{
    lc_str path = lc_own_program(arena);
    return path.len ? path : LC_STR("lifecheck");
}

/* ---- The command. */

static void report_nothing_recorded(lc_str folder)
{
    bool here = lc_str_is(folder, ".");
    lc_message("no provider was found%s%.*s: run `terraform init` (or `tofu init`) first, or name "
               "its binary with --provider ADDRESS=BINARY; the command runs, but nothing can be "
               "recorded",
               here ? "" : " in ", LC_FMT(here ? LC_STR_EMPTY : folder));
}

/* The command's own status counts most, as with any wrapper; violations only if it succeeded. */
static lc_exit status_of(const lc_live_result *result, lc_exit status)
{
    if (result->failed)
        return LC_EXIT_INTERNAL;
    return result->status ? (lc_exit)result->status : status;
}

/* Did the command end without a call of a provider? Nothing is recorded then. */
static bool called_nothing(const lc_live_result *result)
{
    return result->ran && !result->calls && !result->unreadable;
}

static void report_reasons(const lc_live_providers *providers)
{
    lc_buf found = {0};
    for (size_t i = 0; i < providers->list.count; i++)
        lc_buf_printf(&found, "%s%.*s", i ? ", " : "", LC_FMT(providers->list.items[i].address));
    lc_message("- it starts no client, or one that needs no provider (terraform version, fmt)");
    lc_message("- the client runs in a container, under sudo or on another machine, where it does "
               "not have the variable TF_REATTACH_PROVIDERS of this run");
    if (found.len)
        lc_message("- its configuration needs none of the providers that were found: %.*s",
                   LC_FMT(lc_buf_str(&found)));
    lc_message("- it runs acceptance tests, which start their provider themselves: "
               "lifecheck record --listen prints what they need");
    lc_buf_release(&found);
}

/* An empty recording would look like one in which nothing went wrong. */
static lc_exit drop_empty(const lc_cli *cli, lc_recorder *r, const lc_live_search *search,
                          const lc_live_providers *providers, const lc_live_result *result)
{
    lc_recorder_drop(r);
    if (!result->status) { /* of `record`: `serve` permits it, because `init` calls nothing */
        lc_message("%.*s ended before it called a provider; there is no recording, and nothing "
                   "was checked. Possible reasons:",
                   LC_FMT(search->command[0]));
        report_reasons(providers);
        return status_of(result, LC_EXIT_INPUT);
    }
    lc_message("%.*s ended with status %d before it called a provider; %s",
               LC_FMT(search->command[0]), result->status,
               cli->command == LC_COMMAND_RECORD
                   ? "there is no recording"
                   : "if a provider is missing, `terraform providers` lists those of a "
                     "configuration, and --schema takes their schemas");
    return status_of(result, LC_EXIT_OK);
}

lc_exit lc_recorder_run(const lc_cli *cli, lc_recorder *r, const lc_live_search *search,
                        const lc_live_providers *providers)
{
    lc_live_result result;
    bool serves = cli->command == LC_COMMAND_SERVE;
    lc_live_options options = {.providers = providers,
                               .command = words_of(cli->arena, search),
                               .ready = serves ? ready_to_serve : ready_to_record,
                               .program = own_path(cli->arena),
                               .folder = lc_live_folder(cli->arena, search),
                               .log = cli->options.provider_log,
                               .start_ms = (int64_t)cli->options.start_timeout * 1000,
                               .limits = cli->options.limits,
                               .hooks = {r, lc_recorder_call, lc_recorder_report,
                                         lc_recorder_client, lc_recorder_evidence,
                                         lc_recorder_idle}};
    if (!lc_live_run(&result, cli->arena, &options)) {
        lc_recorder_drop(r);
        return result.unwritten ? LC_EXIT_INTERNAL
               : result.status  ? (lc_exit)result.status
                                : LC_EXIT_INPUT;
    }
    bool permitted = cli->options.policy.allow_empty && !result.status;
    if (options.command && called_nothing(&result) && !permitted)
        return drop_empty(cli, r, search, providers, &result);
    lc_exit status = lc_recorder_close(r, providers, &result, options.folder);
    return status_of(&result, result.unwritten ? LC_EXIT_INTERNAL : status);
}

static lc_exit join(const lc_cli *cli)
{
    const lc_live_search search = {.command = cli->words.items, .command_count = cli->words.count};
    lc_str why;
    int status = lc_live_join(lc_str_to_c(cli->arena, cli->options.join),
                              words_of(cli->arena, &search), &why, cli->arena);
    lc_message("%.*s", LC_FMT(why));
    return status == LC_LIVE_NOT_JOINED ? LC_EXIT_INTERNAL : (lc_exit)status;
}

static lc_exit find_and_record(const lc_cli *cli)
{
    lc_live_search search = {.named = cli->options.provider.items,
                             .named_count = cli->options.provider.count,
                             .command = cli->words.items,
                             .command_count = cli->words.count};
    lc_live_providers providers;
    lc_diags diags;
    lc_exit status;
    lc_diags_init(&diags, cli->arena);
    lc_live_find(&providers, cli->arena, &search, &diags);
    if (!lc_report_diags(&diags))
        return LC_EXIT_INPUT;
    if (providers.list.count == 0 && cli->words.count)
        report_nothing_recorded(lc_live_folder(cli->arena, &search));
    lc_recorder *r = lc_recorder_open(cli, &status);
    return r ? lc_recorder_run(cli, r, &search, &providers) : status;
}

lc_exit lc_cmd_record(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    bool command = cli->words.count > 0;
    if (!lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which record needs: install "
                   "libnghttp2-dev and build it again");
        return LC_EXIT_USAGE;
    }
    if (command == o->listen) {
        lc_message(command
                       ? "record takes a command or --listen, not both"
                       : "record takes the command to run: lifecheck record -- terraform apply; "
                         "or --listen");
        return LC_EXIT_USAGE;
    }
    return o->join.len ? join(cli) : find_and_record(cli);
}

/* lifecheck drive: a provider is asked what scenarios give, and its answers are judged. */
#include "cli/commands/drive/provider.h"
#include "lifecheck/base/arena.h"

#include <string.h>
#include <unistd.h>

typedef struct drive {
    lc_checking checking;
    lc_drive_provider provider;
    lc_driver *driver;
    lc_arena *arena; /* of the driver and the schemas */
    lc_rpc_schemas schemas;
    lc_buf list; /* of --list */
    uint64_t driven, broken, nothing;
    lc_table addresses; /* of scenarios so far */
    size_t unnamed;     /* those that have none, or one that was taken */
} drive;

/* ---- The driver. */

/* A variable of the environment is not a decision to change something. */
static bool applies(const lc_cli *cli)
{
    return cli->options.apply && cli->origins[LC_OPTION_APPLY] == LC_FROM_FLAG;
}

static lc_driver_options driver_options(drive *d, const lc_cli *cli)
{
    return (lc_driver_options){.as = lc_cli_client(cli),
                               .version = LC_STR_EMPTY,
                               .address = d->provider.provider_options.provider.address,
                               .limits = cli->options.limits,
                               .timeout_ms = (int64_t)cli->options.timeout * 1000,
                               .apply = applies(cli),
                               .provider_config =
                                   lc_provider_options_settings(&d->provider.provider_options),
                               .provider_config_source = &d->provider.provider_options.settings,
                               .schemas = &d->schemas,
                               .context = &d->provider,
                               .begin = lc_drive_begin,
                               .end = lc_drive_end,
                               .stopped = lc_drive_stopped,
                               .on_call = lc_drive_on_call,
                               .on_event = lc_drive_on_event,
                               .on_not_destroyed = lc_drive_on_not_destroyed,
                               .on_set_aside = lc_drive_on_set_aside};
}

/* ---- Scenarios. */

/* Calls of one scenario have an address of their own in the recording, so that objects with equal
 * values are kept apart. */
static void name_calls(drive *d, const lc_case *subject)
{
    const lc_schema *schema = subject->runs.items[0].schema;
    lc_str address = lc_str_copy(d->arena, subject->resource);
    bool whole = lc_str_find(address, 0, '.') < address.len;
    if (!whole || lc_table_put(&d->addresses, address, d))
        address = lc_str_printf(d->arena, "%s%.*s.scenario%zu", lc_kind_prefix(schema->kind),
                                LC_FMT(subject->type), ++d->unnamed);
    lc_recorder_address(d->provider.recorder, address);
}

static void count(drive *d, lc_drive_result result)
{
    d->driven += result != LC_DRIVE_NOTHING;
    d->broken += result == LC_DRIVE_BROKEN;
    d->nothing += result == LC_DRIVE_NOTHING;
}

static lc_scenario *drive_one(void *context, lc_scenario *scenario, lc_arena *arena,
                              lc_diags *diags)
{
    drive *d = context;
    if (scenario->subject.planning) {
        lc_diag_error(diags, scenario->subject.loc,
                      "drive cannot send a case of a whole configuration to a provider");
        return NULL;
    }
    if (d->checking.cli->options.list) {
        lc_driver_list(d->driver, &d->list, scenario);
        return NULL;
    }
    if (lc_session_stopped())
        return NULL;
    lc_scenario *out = LC_NEW(arena, lc_scenario);
    name_calls(d, &scenario->subject);
    lc_drive_result result = lc_driver_run(d->driver, out, arena, scenario, diags);
    lc_recorder_address(d->provider.recorder, LC_STR_EMPTY);
    count(d, result);
    return result == LC_DRIVE_NOTHING ? NULL : out;
}

/* ---- The command. */

static lc_exit open_checking(drive *d, const lc_cli *cli)
{
    lc_checking *c = &d->checking;
    c->checker.input = LC_INPUT_SCENARIOS;
    c->checker.lint = cli->options.lint;
    c->checker.replace = drive_one;
    c->checker.replace_context = d;
    c->cli = cli;
    if (!lc_read_shard(c) || !lc_leave_baseline_to_merge(c))
        return LC_EXIT_USAGE;
    lc_exit status = lc_begin_checking(c, cli);
    if (status != LC_EXIT_OK)
        return status;
    c->checker.store.provided = lc_driver_schema;
    c->checker.store.provided_context = d->driver;
    return LC_EXIT_OK;
}

/* A call that broke fails its case; what no case shows fails the command here. */
static lc_exit status_of(const drive *d, lc_exit status)
{
    if (status != LC_EXIT_OK && status != LC_EXIT_INPUT)
        return status;
    if (d->broken || d->provider.died || d->provider.not_destroyed)
        return LC_EXIT_FAILED;
    return status == LC_EXIT_OK && d->nothing ? LC_EXIT_INPUT : status;
}

static lc_exit drive_all(drive *d, const lc_cli *cli)
{
    lc_items items;
    lc_exit status = open_checking(d, cli);
    if (status != LC_EXIT_OK)
        return status;
    lc_find_items(&items, cli, &cli->words, LC_INPUT_SCENARIOS);
    lc_cut_shard(&d->checking, &items);
    d->checking.items = &items;
    lc_check_items(&d->checking.checker, &items, 1, lc_take_outcome, &d->checking);
    lc_arena_free(d->checking.checker.store_arena);
    status = status_of(d, lc_finish_reports(&d->checking));
    lc_exit written =
        lc_baseline_close(d->checking.policy.baseline, cli, d->checking.summary.errors == 0);
    return written == LC_EXIT_OK ? status : written;
}

static lc_exit list_all(drive *d, const lc_cli *cli)
{
    lc_items items;
    lc_sink sink = {STDOUT_FILENO, "standard output", false};
    lc_exit status = open_checking(d, cli);
    if (status != LC_EXIT_OK)
        return status;
    lc_find_items(&items, cli, &cli->words, LC_INPUT_SCENARIOS);
    lc_cut_shard(&d->checking, &items);
    for (size_t i = 0; i < items.list.count; i++) {
        lc_outcome outcome;
        lc_check_item(&outcome, &d->checking.checker, &items.list.items[i]);
        if (outcome.summary.errors)
            status = lc_take_outcome(&d->checking, &items.list.items[i], &outcome)
                         ? LC_EXIT_INPUT
                         : LC_EXIT_INTERNAL;
        lc_outcome_release(&outcome);
    }
    lc_clean_text(&d->list, 0);
    lc_sink_write(&sink, &d->list);
    lc_arena_free(d->checking.checker.store_arena);
    return sink.failed ? LC_EXIT_INTERNAL : status;
}

static lc_exit ask_schemas(drive *d, const lc_cli *cli)
{
    lc_diags diags;
    lc_diags_init(&diags, d->arena);
    lc_rpc_schemas_init(&d->schemas, d->arena, LC_STR("provider"), cli->options.limits);
    lc_driver_options options = driver_options(d, cli);
    d->driver = lc_driver_open(d->arena, &options, &diags);
    if (!d->driver)
        lc_report_diags(&diags);
    bool excused = d->provider.never_started || lc_session_stopped();
    return d->driver ? LC_EXIT_OK
           : excused ? LC_EXIT_INPUT
                     : LC_EXIT_FAILED; /* it violated the protocol */
}

static lc_exit run(drive *d, const lc_cli *cli)
{
    lc_exit status = ask_schemas(d, cli);
    if (status == LC_EXIT_OK)
        status = cli->options.list ? list_all(d, cli) : drive_all(d, cli);
    lc_drive_provider_end(&d->provider);
    lc_live_result result = {.died = d->provider.died, .calls = d->provider.calls};
    lc_exit written =
        lc_recorder_close(d->provider.recorder, &d->provider.providers, &result, LC_STR_EMPTY);
    if (lc_session_stopped() && (status == LC_EXIT_OK || status == LC_EXIT_INPUT))
        status = (lc_exit)(128 + lc_session_stopped());
    return written == LC_EXIT_INTERNAL ? written : status;
}

lc_exit lc_cmd_drive(const lc_cli *cli)
{
    drive d = {.list = {0}};
    lc_exit status;
    if (!lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which drive needs: install "
                   "libnghttp2-dev and build it again");
        return LC_EXIT_USAGE;
    }
    if (cli->words.count == 0) {
        lc_message("drive takes scenarios: lifecheck drive --provider BINARY disk.yaml");
        return LC_EXIT_USAGE;
    }
    d.arena = lc_arena_new();
    lc_table_init(&d.addresses, d.arena);
    if (lc_drive_provider_init(&d.provider, cli, &status))
        status = run(&d, cli);
    lc_buf_release(&d.list);
    lc_arena_free(d.arena);
    return status;
}

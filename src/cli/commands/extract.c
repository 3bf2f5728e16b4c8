/* lifecheck extract: one finding as a small scenario that judges itself. */
#include "lifecheck/extract/extract.h"
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct extraction {
    lc_arena *arena;
    lc_limits limits;
    uint64_t wanted; /* from 1; 0: the first of the highest severity */
    uint64_t count;  /* of findings that were seen */
    uint64_t whole;  /* others, of whole plans, states and configurations */
    lc_severity severity;
    lc_extract *chosen;
    bool has_errors; /* of the input, or of a file that an option names */
} extraction;

/* ---- Choosing. */

static void observe(void *context, const lc_judged *judged)
{
    extraction *x = context;
    if (judged->scenario->subject.planning) { /* no object, and no calls to write down */
        for (size_t i = 0; i < judged->judgement.findings.count; i++)
            x->whole += judged->severities[i] != LC_HIDDEN;
        return;
    }
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        lc_severity severity = judged->severities[i];
        if (severity == LC_HIDDEN)
            continue;
        x->count++;
        if (x->wanted ? x->count != x->wanted : severity <= x->severity)
            continue;
        x->severity = severity;
        x->chosen = lc_extract_begin(x->arena, judged, i, &x->limits);
    }
}

static lc_exit complain_of_choice(const extraction *x, lc_str path)
{
    if (x->count == 0)
        lc_message("%.*s: this input has no finding about an object", LC_FMT(path));
    else
        lc_message("%.*s: there is no finding %llu: the report of this input has %llu",
                   LC_FMT(path), (unsigned long long)x->wanted, (unsigned long long)x->count);
    if (x->whole)
        lc_message(
            "findings about whole plans, states or configurations (%llu) do not count, because "
            "they have no calls to write down: name the file under \"planning\" of a scenario, as "
            "plan_file or state_file",
            (unsigned long long)x->whole);
    return LC_EXIT_FAILED;
}

/* ---- Writing. */

static lc_exit finish(const lc_cli *cli, const extraction *x, lc_extract_options *options)
{
    lc_buf out = {0};
    lc_exit status = LC_EXIT_FAILED;
    switch (lc_extract_finish(&out, x->chosen, options)) {
    case LC_EXTRACTED:
        status = lc_print(cli, LC_IN_TEXT, &out);
        break;
    case LC_EXTRACT_LOST:
        lc_message("this finding cannot be written as a scenario: the scenario would not show it; "
                   "nothing was written");
        break;
    case LC_EXTRACT_NEEDS_SECRETS:
        lc_message("this finding depends on the value of a secret: a redacted scenario would not "
                   "show it; --secrets keeps secrets; nothing was written");
        break;
    }
    lc_buf_release(&out);
    return status;
}

/* ---- The command. */

/* Errors of the input and of files that options name leave what was chosen as it is. */
static lc_exit look(const lc_cli *cli, lc_checker *checker, extraction *x, lc_items *items)
{
    checker->observe = observe;
    checker->observe_context = x;
    lc_find_items(items, cli, &cli->words, checker->input);
    if (items->list.count == 0) {
        lc_report_empty_folders(items);
        return LC_EXIT_INPUT;
    }
    size_t errors = 0;
    for (size_t i = 0; i < items->list.count; i++) {
        errors += lc_observe_item(checker, &items->list.items[i]);
        if (errors && !x->chosen)
            return LC_EXIT_INPUT;
    }
    x->has_errors = errors + lc_observe_named(checker) > 0;
    return x->has_errors && !x->chosen ? LC_EXIT_INPUT : LC_EXIT_OK;
}

static lc_exit extract(const lc_cli *cli, extraction *x, lc_extract_options *options)
{
    lc_items items = {0};
    lc_policy policy = {.fail_on = LC_ERROR};
    lc_report_options report = {.format = LC_FORMAT_TEXT, .quiet = true, .policy = policy};
    lc_checker checker = {.policy = &policy,
                          .reports = &report,
                          .report_count = 1,
                          .empty_advice = LC_EMPTY_ADVICE,
                          .limits = x->limits,
                          .input = cli->options.input_kind,
                          .capture = lc_cli_capture(cli)};
    checker.store_arena = lc_arena_new();
    lc_schema_store_init(&checker.store, checker.store_arena, checker.limits);
    lc_exit status = look(cli, &checker, x, &items);
    lc_arena_free(checker.store_arena);
    if (status != LC_EXIT_OK)
        return status;
    status = x->chosen ? finish(cli, x, options) : complain_of_choice(x, cli->words.items[0]);
    return status == LC_EXIT_OK && x->has_errors ? LC_EXIT_INPUT : status;
}

lc_exit lc_cmd_extract(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    extraction x = {.severity = LC_HIDDEN, .limits = o->limits, .wanted = o->finding};
    lc_extract_options options = {
        .secrets = o->secrets, .seconds = (double)o->time_limit, .limits = o->limits};
    if (cli->words.count != 1) {
        lc_message("extract takes one input: scenarios, recorded calls, a plan or a state");
        return LC_EXIT_USAGE;
    }
    if (lc_cli_has(cli, LC_OPTION_FINDING) && x.wanted == 0) {
        lc_message("--finding takes the number of a finding from 1, not 0");
        return LC_EXIT_USAGE;
    }
    if (lc_is_in_the_way(cli))
        return LC_EXIT_INTERNAL;
    x.arena = lc_arena_new();
    lc_exit status = extract(cli, &x, &options);
    lc_arena_free(x.arena);
    return status;
}

/* Scenarios and recordings as answers, and what --learn names. */
#include "cli/commands/serve/inputs.h"
#include "lifecheck/base/arena.h"

static void observe(void *context, const lc_judged *judged)
{
    lc_serve_stated_take(context, &judged->scenario->subject);
}

/* Documents of both options, whose files alone matter here. */
static void name_schemas(lc_checker *checker, const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    lc_str *files =
        LC_NEW_ARRAY(cli->arena, lc_str, o->schema.count + o->provider_schema.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < o->schema.count; i++)
        files[count++] = o->schema.items[i];
    for (size_t i = 0; i < o->provider_schema.count; i++) {
        lc_str word = o->provider_schema.items[i];
        size_t at = lc_str_find(word, 0, '=');
        files[count++] = lc_str_sub(word, at + (at < word.len), word.len);
    }
    checker->capture = lc_cli_capture(cli);
    checker->capture.schemas = files;
    checker->capture.schema_count = count;
}

static lc_checker checker_of(const lc_cli *cli)
{
    lc_checker checker = {.limits = cli->options.limits, .policy = &cli->options.policy};
    name_schemas(&checker, cli);
    lc_schema_store_init(&checker.store, cli->arena, checker.limits);
    return checker;
}

/* Inputs are judged as by `check`, but nothing is reported of them: only their calls matter. */
lc_exit lc_serve_read_inputs(lc_serve_stated **out, const lc_cli *cli, const lc_words *words)
{
    const lc_report_options report = {
        .format = LC_FORMAT_TEXT, .quiet = true, .policy = cli->options.policy};
    lc_checker checker = checker_of(cli);
    lc_items items;
    size_t errors = 0;
    *out = lc_serve_stated_new(cli->arena);
    if (!words->count)
        return LC_EXIT_OK;
    checker.reports = &report;
    checker.report_count = 1;
    checker.empty_advice = "";
    checker.observe = observe;
    checker.observe_context = *out;
    lc_find_items(&items, cli, words, LC_INPUT_UNKNOWN);
    for (size_t i = 0; i < items.list.count; i++)
        errors += lc_observe_item(&checker, &items.list.items[i]);
    if (!errors && !lc_serve_stated_count(*out))
        lc_message("the inputs have no response to a plan, an apply, a read, a data source, an "
                   "ephemeral resource or a function");
    return errors ? LC_EXIT_INPUT : LC_EXIT_OK;
}

lc_exit lc_serve_learn(lc_learned **out, const lc_cli *cli)
{
    lc_checker checker = checker_of(cli);
    return lc_learn(out, cli, &checker);
}

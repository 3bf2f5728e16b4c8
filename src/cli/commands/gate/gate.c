/* lifecheck gate: may the new version of a provider be released? Compares the findings of both
 * versions, the coverage of the new one, schema changes that concern stored objects, and what
 * only SDKv2 tolerates: one page, one exit status. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

/* The errors of files that options name and neither side needed. */
static size_t read_named(const lc_gate *g, const lc_evidence_options *options)
{
    lc_schema_store store;
    lc_diags diags;
    lc_schema_store_init(&store, g->arena, options->limits);
    lc_diags_init(&diags, g->arena);
    lc_read_named(&store, &options->capture, g->before.kinds | g->after.kinds, &diags);
    lc_report_diags(&diags);
    return diags.errors;
}

static lc_exit run(lc_gate *g)
{
    const lc_options *o = &g->cli->options;
    lc_buf text = {0}, json = {0};
    lc_evidence_options options = lc_cli_evidence_options(g->cli, o->input_kind);
    lc_gate_binaries *binaries = NULL;
    lc_exit opened = LC_EXIT_OK;
    if (!lc_gate_binaries_open(&binaries, g->cli, &opened))
        return opened;
    /* First, so that an interrupted run has them. */
    bool predicted = !lc_gate_binaries_are_two(binaries) ||
                     lc_gate_compare_predictions(g, lc_gate_binaries_provider(binaries, 0),
                                                 lc_gate_binaries_provider(binaries, 1));
    options.take = lc_gate_binaries_take;
    options.context = binaries;
    lc_evidence_set_gather(&g->before, g->arena, &o->old, &options);
    options.more = lc_gate_binaries_compare;
    lc_evidence_set_gather(&g->after, g->arena, &o->new, &options);
    g->compared = lc_gate_binaries_result(binaries);
    g->after.errors += read_named(g, &options);
    g->after.errors += !predicted;
    g->after.errors += !lc_gate_binaries_are_good(binaries);
    lc_gate_binaries_close(binaries);
    lc_gate_compare(g);
    lc_gate_add_json(&json, g);
    lc_gate_add_text(&text, g);
    lc_exit printed = lc_print_both(g->cli, &text, &json), paged = lc_gate_print_pages(g);
    printed = printed == LC_EXIT_OK ? paged : printed;
    if (printed == LC_EXIT_OK &&
        (lc_gate_saw_nothing(&g->before) || lc_gate_saw_nothing(&g->after)))
        lc_message("nothing was found in what %s names",
                   lc_gate_saw_nothing(&g->before) ? "--old" : "--new");
    return printed == LC_EXIT_OK ? lc_gate_status(g) : printed;
}

lc_exit lc_cmd_gate(const lc_cli *cli)
{
    if (cli->words.count || !cli->options.old.count || !cli->options.new.count) {
        lc_message("gate takes --old PATH and --new PATH, evidence of two versions of a provider");
        return LC_EXIT_USAGE;
    }
    lc_gate *g = LC_NEW(cli->arena, lc_gate);
    g->cli = cli;
    g->policy = &cli->options.policy;
    g->arena = lc_arena_new();
    lc_exit status = run(g);
    lc_arena_free(g->arena);
    return status;
}

/* lifecheck diff: what two reports, or two sets of inputs, have found differently. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

static lc_words one_word(lc_str *word)
{
    return (lc_words){.items = word, .count = 1};
}

static lc_exit show(const lc_cli *cli, const lc_finding_diffs *diffs)
{
    lc_buf text = {0}, json = {0};
    lc_doc *doc = lc_doc_object();
    lc_add_finding_diffs_text(&text, diffs, cli->options.quiet);
    lc_doc_add_uint(doc, "lifecheck_diff", 1);
    lc_add_finding_diffs_json(doc, diffs);
    lc_doc_print(&json, doc);
    lc_buf_add_char(&json, '\n');
    return lc_print_both(cli, &text, &json);
}

static bool has_more(const lc_finding_diffs *diffs)
{
    for (size_t i = 0; i < diffs->count; i++) {
        if (lc_found_is_more(&diffs->items[i]))
            return true;
    }
    return false;
}

/* A side in which nothing was found would make everything of the other one new or fixed. */
static bool is_hollow(const lc_evidence_set *side, lc_str path)
{
    bool hollow = side->errors == 0 && side->cases == 0 && side->probes.count == 0;
    if (hollow)
        lc_message("%.*s has no report, scenario, recording, plan or state to compare",
                   LC_FMT(path));
    return hollow;
}

/* New findings count more than inputs that were not understood: what was found is certain. */
static lc_exit compare(const lc_cli *cli, lc_arena *arena)
{
    lc_evidence_set sides[2];
    lc_finding_diffs diffs;
    bool bad = false;
    lc_evidence_options options = lc_cli_evidence_options(cli, LC_INPUT_UNKNOWN);
    for (int i = 0; i < 2; i++) {
        lc_words words = one_word(&cli->words.items[i]);
        lc_evidence_set_gather(&sides[i], arena, &words, &options);
        bad |= is_hollow(&sides[i], cli->words.items[i]) || sides[i].errors;
    }
    lc_evidence_set_compare(&diffs, arena, &sides[0], &sides[1]);
    lc_exit printed = show(cli, &diffs);
    if (printed != LC_EXIT_OK)
        return printed;
    if (has_more(&diffs))
        return LC_EXIT_FAILED;
    return bad ? LC_EXIT_INPUT : LC_EXIT_OK;
}

lc_exit lc_cmd_diff(const lc_cli *cli)
{
    if (cli->words.count != 2) {
        lc_message("diff takes two reports of --format json: the old one and the new one");
        return LC_EXIT_USAGE;
    }
    lc_arena *arena = lc_arena_new();
    lc_exit status = compare(cli, arena);
    lc_arena_free(arena);
    return status;
}

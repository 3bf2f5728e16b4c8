/* lifecheck diff: what two reports, or two sets of inputs, have found differently. */
#include "cli/evidence_set.h"
#include "lifecheck/arena.h"

static lc_words one_word(lc_str *word)
{
    return (lc_words){.items = word, .count = 1};
}

static lc_exit show(const lc_finding_diffs *diffs, bool json)
{
    lc_buf out = {0};
    if (!json) {
        lc_add_finding_diffs_text(&out, diffs);
        return lc_print_text(&out);
    }
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "lifecheck_diff", 1);
    lc_add_finding_diffs_json(doc, diffs);
    lc_doc_print(&out, doc);
    lc_buf_add_char(&out, '\n');
    return lc_print(&out);
}

/* More of what was there before is new as well. */
static bool has_more(const lc_finding_diffs *diffs)
{
    for (size_t i = 0; i < diffs->count; i++) {
        const lc_finding_diff *found = &diffs->items[i];
        if (found->after && (!found->before || found->after->count > found->before->count))
            return true;
    }
    return false;
}

static lc_exit compare(const lc_cli *cli, lc_arena *arena, const lc_policy *policy,
                       const lc_limits *limits, bool json)
{
    lc_evidence_set sides[2];
    lc_finding_diffs diffs;
    for (int i = 0; i < 2; i++) {
        lc_words words = one_word(&cli->words.items[i]);
        lc_evidence_set_gather(&sides[i], arena, cli, &words, policy, limits, LC_INPUT_UNKNOWN);
    }
    lc_evidence_set_compare(&diffs, arena, &sides[0], &sides[1]);
    lc_exit printed = show(&diffs, json);
    if (printed != LC_EXIT_OK)
        return printed;
    if (has_more(&diffs))
        return LC_EXIT_FAILED;
    return sides[0].errors || sides[1].errors ? LC_EXIT_INPUT : LC_EXIT_OK;
}

lc_exit lc_cmd_diff(const lc_cli *cli)
{
    static const char *const formats[] = {"text", "json", NULL};
    unsigned format = 0;
    lc_policy policy;
    lc_limits limits;
    if (cli->words.count != 2) {
        lc_message("diff takes two reports of --format json: the old one and the new one");
        return LC_EXIT_USAGE;
    }
    if (!lc_cli_choice(cli, LC_OPTION_FORMAT, formats, &format) || !lc_cli_policy(cli, &policy) ||
        !lc_cli_limits(cli, &limits))
        return LC_EXIT_USAGE;
    lc_arena *arena = lc_arena_new();
    lc_exit status = compare(cli, arena, &policy, &limits, format == 1);
    lc_arena_free(arena);
    return status;
}

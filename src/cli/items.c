/* The files that the words of a command name. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <errno.h>
#include <sys/stat.h>

static lc_str advise(lc_arena *arena, lc_str word)
{
    lc_str near = lc_command_nearest(word);
    return near.len ? lc_str_printf(arena, "; did you mean the command `%.*s`?", LC_FMT(near))
                    : near;
}

/* A misspelt command, which makes what follows it no list of inputs: the one error is not buried
 * below their reports. */
static bool is_misspelt_command(lc_str word)
{
    struct stat info;
    for (size_t i = 0; i < word.len; i++) {
        if (!lc_is_lower(word.ptr[i]))
            return false;
    }
    lc_str file, only;
    lc_arena *scratch = lc_arena_new();
    bool missing = stat(lc_str_to_c(scratch, word), &info) != 0 && errno == ENOENT &&
                   !lc_item_cut_case(scratch, word, &file, &only);
    lc_arena_free(scratch);
    return missing && (lc_command_nearest(word).len || lc_str_is(word, "help"));
}

static lc_item_options item_options(const lc_cli *cli, lc_input_kind wanted)
{
    return (lc_item_options){wanted, &cli->config.exclude, advise};
}

void lc_find_items(lc_items *out, const lc_cli *cli, const lc_words *words, lc_input_kind wanted)
{
    lc_item_options options = item_options(cli, wanted);
    lc_words taken = *words;
    if (words->count > 0 && is_misspelt_command(words->items[0]))
        taken.count = 1;
    lc_items_find(out, cli->arena, &taken, &options);
}

/* The folder of a configuration at or below `folder`, or "". */
static lc_str configuration_in(const lc_items *items, lc_str folder)
{
    for (size_t i = 0; i < items->skipped.count; i++) {
        lc_str file = items->skipped.items[i];
        size_t end = file.len - lc_file_name(file).len;
        if (lc_str_starts_with(file, folder) && end > 1 && lc_config_is_file(file))
            return lc_str_sub(file, 0, end - 1);
    }
    return LC_STR_EMPTY;
}

void lc_report_empty_folders(const lc_items *items)
{
    for (size_t i = 0; i < items->empty.count; i++) {
        lc_str folder = items->empty.items[i], configuration = configuration_in(items, folder);
        lc_buf advice = {0};
        if (configuration.len) {
            lc_buf_add_c(&advice, "; to check a configuration: lifecheck predict --config ");
            lc_add_shell_word(&advice, configuration);
        }
        lc_message("%.*s has no scenario, stream of calls, capture directory, plan or state%.*s",
                   LC_FMT(folder), LC_FMT(lc_buf_str(&advice)));
        lc_buf_release(&advice);
    }
}

static void report_error(lc_str text)
{
    lc_message("%.*s", LC_FMT(text));
}

lc_evidence_options lc_cli_evidence_options(const lc_cli *cli, lc_input_kind wanted)
{
    return (lc_evidence_options){.policy = &cli->options.policy,
                                 .limits = cli->options.limits,
                                 .capture = lc_cli_capture(cli),
                                 .items = item_options(cli, wanted),
                                 .empty_advice = LC_EMPTY_ADVICE,
                                 .report_error = report_error};
}

size_t lc_observe_named(lc_checker *checker)
{
    lc_diags diags;
    lc_diags_init(&diags, checker->store_arena);
    lc_read_named(&checker->store, &checker->capture, checker->kinds, &diags);
    lc_report_diags(&diags);
    return diags.errors;
}

size_t lc_observe_item(lc_checker *checker, const lc_item *item)
{
    lc_outcome outcome;
    lc_check_item(&outcome, checker, item);
    size_t errors = outcome.summary.errors;
    if (errors)
        lc_report_lines(lc_buf_str(&outcome.errors[0]));
    lc_outcome_release(&outcome);
    return errors;
}

/* --learn: what recordings, scenarios and plans show of resource types. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/files/output_file.h"

#include <errno.h>
#include <string.h>

typedef struct learner {
    lc_learned *learned;
    lc_checker checker;
    size_t errors;
} learner;

/* Objects of plans are cases as well, but a plan contains more facts. */
static void observe(void *context, const lc_judged *judged)
{
    learner *l = context;
    const lc_case *c = &judged->scenario->subject;
    if (c->source != LC_SOURCE_PLAN && !c->planning)
        lc_learned_from_case(l->learned, c, NULL);
}

static void learn_plan(learner *l, lc_str file)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_str text;
    lc_source source;
    lc_plan plan;
    lc_diags_init(&diags, arena);
    if (lc_file_read(&text, arena, file, l->checker.limits.input_bytes, &diags) == LC_OK &&
        lc_json_parse(&source, arena, file, lc_without_bom(text), &l->checker.limits, &diags) ==
            LC_OK &&
        lc_plan_from_node(&plan, arena, &source, source.documents, &diags) == LC_OK)
        lc_learned_from_plan(l->learned, &plan);
    lc_report_diags(&diags);
    l->errors += diags.errors;
    lc_arena_free(arena);
}

/* What --learned wrote. */
static void learn_document(learner *l, lc_str file)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_str text, why;
    lc_source source;
    lc_diags_init(&diags, arena);
    if (lc_file_read(&text, arena, file, l->checker.limits.input_bytes, &diags) == LC_OK &&
        lc_json_parse(&source, arena, file, text, &l->checker.limits, &diags) == LC_OK &&
        !lc_learned_from_document(l->learned, source.documents, file, &why))
        lc_diag_error(&diags, (lc_loc){file, 1, 1}, "%.*s", LC_FMT(why));
    lc_report_diags(&diags);
    l->errors += diags.errors;
    lc_arena_free(arena);
}

typedef enum lesson { LESSON_OTHER, LESSON_PLAN, LESSON_DOCUMENT } lesson;

/* By the beginning of the file, as `check` recognises it; only *.json can be one of the two. */
static lesson lesson_of(const lc_checker *checker, lc_str file)
{
    lc_arena *arena = lc_arena_new();
    lc_diags ignored;
    lc_str text = LC_STR_EMPTY;
    lc_diags_init(&ignored, arena);
    bool json = lc_str_ends_with(file, LC_STR(".json")) &&
                lc_file_read(&text, arena, file, checker->limits.input_bytes, &ignored) == LC_OK;
    lesson found = json && lc_learned_is_document(text)             ? LESSON_DOCUMENT
                   : json && lc_json_evidence(text) == LC_JSON_PLAN ? LESSON_PLAN
                                                                    : LESSON_OTHER;
    lc_arena_free(arena);
    return found;
}

/* Plans are read without schemas; all else as by `check`. */
static void learn_item(learner *l, const lc_item *item)
{
    lesson found = lesson_of(&l->checker, item->file);
    if (found == LESSON_PLAN)
        learn_plan(l, item->file);
    else if (found == LESSON_DOCUMENT)
        learn_document(l, item->file);
    if (found != LESSON_OTHER)
        return;
    l->errors += lc_observe_item(&l->checker, item);
}

/* Input errors do not end the command before all inputs are read; what they had in order is
 * learned. */
lc_exit lc_learn(lc_learned **out, const lc_cli *cli, const lc_checker *checker)
{
    const lc_words *words = &cli->options.learn;
    lc_report_options report = {
        .format = LC_FORMAT_TEXT, .quiet = true, .policy = cli->options.policy};
    learner l = {.checker = *checker};
    lc_items items;
    if (!words->count && !cli->options.learned.len)
        return LC_EXIT_OK;
    l.learned = lc_learned_new(cli->arena);
    *out = l.learned;
    if (!words->count)
        return LC_EXIT_OK;
    l.checker.reports = &report;
    l.checker.report_count = 1;
    l.checker.empty_advice = LC_EMPTY_ADVICE;
    l.checker.policy = &cli->options.policy;
    l.checker.capture = lc_cli_capture(cli);
    l.checker.observe = observe;
    l.checker.observe_context = &l;
    lc_find_items(&items, cli, words, LC_INPUT_UNKNOWN);
    for (size_t i = 0; i < items.list.count; i++)
        learn_item(&l, &items.list.items[i]);
    if (!lc_learned_is_whole(l.learned))
        lc_message("--learn: only the first %zu facts are kept", lc_learned_count(l.learned));
    return l.errors ? LC_EXIT_INPUT : LC_EXIT_OK;
}

/* It overwrites only what it has written itself: --learned is given in each run, with the same
 * name.
 */
bool lc_learned_may_write(const lc_cli *cli)
{
    lc_str path = cli->options.learned, text;
    lc_diags quiet;
    lc_diags_init(&quiet, cli->arena);
    if (!path.len ||
        lc_file_read(&text, cli->arena, path, cli->options.limits.input_bytes, &quiet) != LC_OK ||
        !text.len || lc_learned_is_document(text))
        return true;
    lc_message("--learned: %.*s is not written: it exists, and --learned has not written it",
               LC_FMT(path));
    return false;
}

lc_exit lc_learned_write(const lc_cli *cli, const lc_learned *learned)
{
    lc_str path = cli->options.learned;
    lc_buf out = {0};
    if (!path.len || !learned)
        return LC_EXIT_OK;
    if (!lc_learned_may_write(cli))
        return LC_EXIT_INTERNAL;
    if (!lc_learned_is_whole(learned))
        lc_message("--learned: only the first %zu facts are kept", lc_learned_count(learned));
    lc_learned_add_json(&out, learned);
    bool good = lc_output_file_write(cli->arena, lc_str_to_c(cli->arena, path), lc_buf_str(&out));
    if (!good)
        lc_message("%.*s cannot be written: %s", LC_FMT(path), strerror(errno));
    lc_buf_release(&out);
    return good ? LC_EXIT_OK : LC_EXIT_INTERNAL;
}

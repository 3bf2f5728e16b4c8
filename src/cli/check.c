/* One file to its pieces of every report. Runs in the main process or in a worker alike. */
#include "internal.h"
#include "lifecheck/arena.h"

#include <string.h>

void lc_outcome_release(lc_outcome *outcome)
{
    for (size_t i = 0; i < LC_MAX_REPORTS; i++) {
        lc_buf_release(&outcome->cases[i]);
        lc_buf_release(&outcome->errors[i]);
    }
    lc_buf_release(&outcome->lens);
}

static void report_diags(lc_outcome *out, const lc_checker *checker, const lc_diags *diags)
{
    for (size_t r = 0; r < checker->report_count; r++) {
        for (size_t i = 0; i < diags->count; i++)
            lc_report_diag(&out->errors[r], &checker->reports[r], &diags->items[i]);
        if (diags->dropped == 0)
            continue;
        lc_diag more = {.severity = LC_DIAG_ERROR,
                        .message = LC_STR("further errors are not shown")};
        if (diags->count)
            more.loc.file = diags->items[0].loc.file;
        lc_report_diag(&out->errors[r], &checker->reports[r], &more);
    }
    out->summary.errors += diags->errors;
}

static void judge(lc_outcome *out, lc_checker *checker, lc_scenario *scenario, lc_arena *report,
                  lc_arena *scratch)
{
    lc_judged judged;
    lc_verdict_judge(&judged, report, scratch, scenario, checker->policy);
    for (size_t r = 0; r < checker->report_count; r++)
        lc_report_case(&out->cases[r], &checker->reports[r], &judged);
    lc_lens_case(&out->lens, &judged);
    lc_summary_add_case(&out->summary, &judged);
    lc_arena_reset(report);
    lc_arena_reset(scratch);
}

static void judge_all(lc_outcome *out, lc_checker *checker, const lc_scenario_file *file)
{
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    for (size_t i = 0; i < file->scenarios.count; i++) {
        if (file->scenarios.items[i])
            judge(out, checker, file->scenarios.items[i], report, scratch);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
}

void lc_check_item(lc_outcome *out, lc_checker *checker, const lc_item *item)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_scenario_file file;
    memset(out, 0, sizeof *out);
    memset(&file, 0, sizeof file);
    lc_diags_init(&diags, arena);
    if (item->problem.len)
        lc_diag_error(&diags, (lc_loc){item->file, 0, 0}, "%.*s", LC_FMT(item->problem));
    else
        lc_scenario_file_read(&file, arena, &checker->store, item->file, item->only, &diags);
    judge_all(out, checker, &file);
    report_diags(out, checker, &diags);
    lc_arena_free(arena);
}

void lc_check_items(lc_checker *checker, const lc_items *items, unsigned jobs, lc_consume consume,
                    void *context)
{
    bool going = true;
    if (jobs > 1) {
        lc_check_in_workers(checker, items, jobs, consume, context);
        return;
    }
    for (size_t i = 0; going && i < items->list.count; i++) {
        lc_outcome outcome;
        lc_check_item(&outcome, checker, &items->list.items[i]);
        going = consume(context, &items->list.items[i], &outcome);
        lc_outcome_release(&outcome);
    }
}

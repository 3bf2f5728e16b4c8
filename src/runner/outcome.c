/* One judged case as pieces of every report, and the errors of an input. */
#include "lifecheck/base/arena.h"
#include "runner/internal.h"

#include <string.h>

#define MOST_PROVIDERS 20 /* that are named in a report */

void lc_outcome_release(lc_outcome *outcome)
{
    for (size_t i = 0; i < LC_MAX_REPORTS; i++) {
        lc_buf_release(&outcome->cases[i]);
        lc_buf_release(&outcome->errors[i]);
    }
    lc_buf_release(&outcome->lens);
}

void lc_outcome_clear(lc_outcome *part)
{
    lc_repeats *repeats = part->repeats;
    bool has_cases = part->has_cases;
    uint64_t accepted = part->accepted;
    lc_outcome_release(part);
    memset(part, 0, sizeof *part);
    part->accepted = accepted;
    part->repeats = repeats;
    part->has_cases = has_cases;
}

void lc_outcome_diags(lc_outcome *out, const lc_checker *checker, const lc_diags *diags)
{
    for (size_t r = 0; r < checker->report_count; r++) {
        for (size_t i = 0; i < diags->count; i++) {
            lc_diag diag = diags->items[i];
            lc_quotable_add(&diag, out->errors_in);
            lc_report_diag(&out->errors[r], &checker->reports[r], &diag);
        }
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

void lc_check_case_in(lc_outcome *out, lc_checker *checker, lc_scenario *scenario, lc_arena *report,
                      lc_arena *scratch)
{
    lc_judged judged;
    out->has_cases = true;
    /* Known findings are taken from the baseline once, when the case is complete. */
    if (scenario->so_far && scenario->so_far->open && checker->policy->baseline)
        return;
    lc_verdict_judge(&judged, report, scratch, scenario, checker->policy);
    for (size_t i = 0; judged.client && i < judged.judgement.findings.count; i++)
        out->accepted += lc_client_accepts(judged.client, &judged.judgement.findings.items[i]);
    judged.repeats = out->repeats;
    judged.quotable = out->findings_in;
    if (scenario->so_far)
        lc_so_far_apply(&judged, report, scenario->so_far);
    if (scenario->so_far && scenario->so_far->open) {
        for (size_t r = 0; r < checker->report_count; r++)
            lc_report_so_far(&out->cases[r], &checker->reports[r], &judged);
        return;
    }
    lc_scenario_lint(&judged, report, checker->policy, checker->lint);
    for (size_t r = 0; r < checker->report_count; r++)
        lc_report_case(&out->cases[r], &checker->reports[r], &judged);
    if (checker->observe)
        checker->observe(checker->observe_context, &judged);
    lc_lens_case(&out->lens, &judged);
    lc_summary_add_case(&out->summary, &judged);
    if (checker->meter)
        checker->meter->cases++;
    lc_arena_reset(report);
    lc_arena_reset(scratch);
}

void lc_check_case(lc_outcome *out, lc_checker *checker, lc_scenario *scenario)
{
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    lc_check_case_in(out, checker, scenario, report, scratch);
    lc_arena_free(report);
    lc_arena_free(scratch);
}

void lc_outcome_repeats(lc_outcome *out, const lc_report_options *reports, size_t count)
{
    for (size_t r = 0; r < count; r++)
        lc_report_repeats(&out->cases[r], &reports[r], out->repeats);
    lc_repeats_free(out->repeats);
    out->repeats = NULL;
}

static void add_version(lc_buf *out, const char *between, lc_str name, lc_str version)
{
    if (name.len)
        lc_buf_printf(out, "%s%.*s%s%.*s", out->len ? between : "", LC_FMT(name),
                      version.len ? " " : "", LC_FMT(version));
}

void lc_outcome_origin(lc_outcome *outcome, const lc_checker *checker, lc_str file,
                       const lc_recording *about)
{
    lc_buf words = {0};
    if (!about->stated)
        return;
    add_version(&words, "", about->client, about->client_version);
    for (size_t i = 0; i < about->providers.count && i < MOST_PROVIDERS; i++)
        add_version(&words, ", ", about->providers.items[i].address,
                    about->providers.items[i].version);
    if (about->providers.count > MOST_PROVIDERS)
        lc_buf_printf(&words, " and %zu more", about->providers.count - MOST_PROVIDERS);
    add_version(&words, "; recorded by ", about->by, LC_STR_EMPTY);
    lc_buf_add_c(&words, about->redacted ? "; secrets are redacted" : "");
    for (size_t r = 0; words.len && r < checker->report_count; r++)
        lc_report_origin(&outcome->cases[r], &checker->reports[r], file, lc_buf_str(&words));
    lc_buf_release(&words);
}

void lc_checker_take_client(lc_checker *checker, lc_recorded_policy *own, const lc_recording *about)
{
    lc_str version = about->client_version.len ? about->client_version : about->called_version;
    if (!checker->policy || !checker->policy->as_recorded ||
        !lc_client_of(&own->client, about->client, version))
        return;
    own->policy = *checker->policy;
    own->policy.client = &own->client;
    checker->policy = &own->policy;
}

void lc_checker_name_client(const lc_checker *checker, const lc_outcome *outcome, lc_str file,
                            lc_diags *diags)
{
    const lc_recorded_client *client = checker->policy->client;
    bool asked = checker->policy->as_recorded == LC_RECORDED_ASKED;
    lc_buf words = {0};
    if (client)
        lc_client_add_words(&words, client);
    if (!client && asked)
        lc_diag_warning(
            diags, (lc_loc){file, 0, 0},
            "the recording does not name its client: the verdict is that of the lifecycle "
            "document");
    else if (outcome->accepted)
        lc_diag_note(diags, (lc_loc){file, 0, 0},
                     "%llu finding%s: %.*s, which made the recording, continues where another "
                     "client or version stops; --as document counts them as errors",
                     (unsigned long long)outcome->accepted, outcome->accepted == 1 ? "" : "s",
                     LC_FMT(lc_buf_str(&words)));
    else if (asked)
        lc_diag_note(diags, (lc_loc){file, 0, 0},
                     "the verdict is that of %.*s, which made the recording",
                     LC_FMT(lc_buf_str(&words)));
    lc_buf_release(&words);
}

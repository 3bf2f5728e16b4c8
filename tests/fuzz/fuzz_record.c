/* JSON reports read back, as `merge`, `diff` and `gate` do: any text is read or refused, never
 * both. Laws: an error has a file and a message; cases have findings of rules that exist, whose
 * parts agree in number; what was read can be reported in every format; and written as JSON it is
 * read again, as a report of as many cases, and written the same way byte for byte. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/report/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILE_NAME LC_STR("fuzz.json")

static void check_case(const lc_judged *judged, const lc_records *records)
{
    const lc_judgement *judgement = &judged->judgement;
    LC_ASSERT(judged->scenario && judged->verdict <= LC_VERDICT_ERROR);
    LC_ASSERT(judgement->domain < LC_DOMAIN_COUNT);
    for (size_t i = 0; i < judgement->findings.count; i++) {
        LC_ASSERT(judgement->findings.items[i].rule < LC_RULE_COUNT);
        LC_ASSERT(judgement->findings.items[i].follows < (long)judgement->findings.count);
        LC_ASSERT(judged->severities[i] <= LC_ERROR);
        LC_ASSERT(judged->suppressors[i] == LC_SUPPRESSED_NOT || judged->suppressed[i].len > 0);
    }
    for (size_t i = 0; i < judged->lints.count; i++)
        LC_ASSERT(judged->lints.items[i].lint < LC_LINT_COUNT);
    LC_ASSERT(records->policy.fail_on <= LC_ERROR);
}

/* Pieces of one format, of all cases and errors. */
static void tell(lc_arena *arena, const lc_records *records, lc_report *report, lc_buf *out)
{
    lc_summary *summary = LC_NEW(arena, lc_summary);
    lc_buf cases = {0}, errors = {0}, lens = {0};
    for (size_t i = 0; i < lc_records_case_count(records); i++) {
        lc_judged judged;
        lc_record_case(&judged, arena, records, i);
        check_case(&judged, records);
        lc_report_case(&cases, report->options, &judged);
        lc_lens_case(&lens, &judged);
        lc_summary_add_case(summary, &judged);
    }
    for (size_t i = 0; i < lc_records_error_count(records); i++) {
        lc_diag diag = lc_record_error(records, i);
        lc_report_diag(&errors, report->options, &diag);
        summary->errors += diag.severity == LC_DIAG_ERROR;
    }
    lc_report_add(report, lc_buf_str(&cases), lc_buf_str(&errors), lc_buf_str(&lens), out);
    lc_report_end(report, summary, out);
    lc_buf_release(&cases);
    lc_buf_release(&errors);
    lc_buf_release(&lens);
}

static lc_str written(lc_arena *arena, const lc_records *records, lc_format format)
{
    lc_report_options options = {.format = format,
                                 .verbose = true,
                                 .tables = true,
                                 .width = 100,
                                 .policy = records->policy,
                                 .shard = records->sharded ? &records->shard : NULL};
    lc_report report;
    lc_buf out = {0};
    lc_report_begin(&report, &options, &out);
    tell(arena, records, &report, &out);
    return lc_buf_take(arena, &out);
}

static bool read_report(lc_records *out, lc_arena *arena, lc_str text, lc_diags *diags)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.nodes = 100000;
    lc_diags_init(diags, arena);
    lc_status status = lc_records_read(out, arena, FILE_NAME, text, &limits, diags);
    LC_ASSERT((status == LC_OK) == (diags->errors == 0));
    return status == LC_OK;
}

static void check_laws(lc_arena *arena, const lc_records *records, lc_format format)
{
    lc_records again;
    lc_diags diags;
    lc_str first = written(arena, records, LC_FORMAT_JSON);
    LC_ASSERT(read_report(&again, arena, first, &diags));
    LC_ASSERT(lc_records_case_count(&again) == lc_records_case_count(records));
    LC_ASSERT(lc_records_error_count(&again) == lc_records_error_count(records));
    LC_ASSERT(again.sharded == records->sharded && again.policy.as == records->policy.as);
    LC_ASSERT(lc_str_eq(first, written(arena, &again, LC_FORMAT_JSON)));
    LC_ASSERT(lc_str_eq(written(arena, records, format), written(arena, &again, format)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = {(const char *)data, size};
    lc_records records;
    lc_diags diags;
    if (read_report(&records, arena, text, &diags))
        /* One more format an input, so that all are quick; its length chooses. */
        check_laws(arena, &records, (lc_format)(size % LC_FORMAT_COUNT));
    for (size_t i = 0; i < diags.count; i++)
        LC_ASSERT(diags.items[i].message.len > 0 && diags.items[i].loc.file.len > 0);
    lc_arena_free(arena);
    return 0;
}

/* One report from its pieces, whatever its format. */
#include "internal.h"

bool lc_format_from_name(lc_format *out, lc_str name)
{
    static const char *const names[] = {"text", "json", "jsonl"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (lc_str_is(name, names[i])) {
            *out = (lc_format)i;
            return true;
        }
    }
    return false;
}

static bool is_text(const lc_report_options *options)
{
    return options->format == LC_FORMAT_TEXT;
}

/* JSON pieces of one kind are joined by commas, here and where pieces are put together. */
static void join(lc_buf *out, const lc_report_options *options)
{
    if (options->format == LC_FORMAT_JSON && out->len)
        lc_buf_add_c(out, ",\n");
}

void lc_report_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    join(out, options);
    if (is_text(options))
        lc_text_case(out, options, judged);
    else
        lc_json_case(out, options, judged);
}

void lc_report_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    if (options->format == LC_FORMAT_TEXT)
        lc_text_so_far(out, options, judged);
    else if (options->format == LC_FORMAT_JSONL)
        lc_json_so_far(out, options, judged);
}

void lc_report_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    join(out, options);
    if (is_text(options))
        lc_text_diag(out, options, diag);
    else
        lc_json_diag(out, options, diag);
}

void lc_report_begin(lc_report *report, const lc_report_options *options, lc_buf *out)
{
    *report = (lc_report){.options = options};
    if (!is_text(options))
        lc_json_begin(out, options);
}

void lc_report_add(lc_report *report, lc_str cases, lc_str errors, lc_str lens, lc_buf *out)
{
    lc_buf_add_str(&report->lens, lens);
    if (report->options->format != LC_FORMAT_JSON) {
        lc_buf_add_str(out, errors);
        lc_buf_add_str(out, cases);
        return;
    }
    if (cases.len) {
        lc_buf_add_c(out, report->any_case ? ",\n" : "\n");
        lc_buf_add_str(out, cases);
        report->any_case = true;
    }
    if (errors.len) {
        lc_buf_add_c(&report->errors, report->any_error ? ",\n" : "\n");
        lc_buf_add_str(&report->errors, errors);
        report->any_error = true;
    }
}

void lc_report_end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    if (report->options->format == LC_FORMAT_JSON) {
        lc_buf_add_c(out, "],\n\"errors\":[");
        lc_buf_add_str(out, lc_buf_str(&report->errors));
        lc_buf_add_c(out, "],\n");
    }
    if (is_text(report->options))
        lc_text_end(out, report->options, summary, lc_buf_str(&report->lens));
    else
        lc_json_end(out, report->options, summary, lc_buf_str(&report->lens));
    lc_buf_release(&report->lens);
    lc_buf_release(&report->errors);
}

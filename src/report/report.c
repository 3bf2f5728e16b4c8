/* Assembles one report from its pieces, in any format. */
#include "report/html/internal.h"

#include <string.h>

static const lc_writer *const writers[LC_FORMAT_COUNT] = {
    [LC_FORMAT_TEXT] = &lc_writer_text,       [LC_FORMAT_JSON] = &lc_writer_json,
    [LC_FORMAT_JSONL] = &lc_writer_jsonl,     [LC_FORMAT_SARIF] = &lc_writer_sarif,
    [LC_FORMAT_JUNIT] = &lc_writer_junit,     [LC_FORMAT_TAP] = &lc_writer_tap,
    [LC_FORMAT_GITHUB] = &lc_writer_github,   [LC_FORMAT_MARKDOWN] = &lc_writer_markdown,
    [LC_FORMAT_CONCISE] = &lc_writer_concise, [LC_FORMAT_HTML] = &lc_writer_html,
};

/* ---- Pieces. */

void lc_report_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    writers[options->format]->add_case(out, options, judged);
}

void lc_report_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    if (options->format == LC_FORMAT_TEXT)
        lc_text_so_far(out, options, judged);
    else if (options->format == LC_FORMAT_JSONL)
        lc_json_so_far(out, options, judged);
}

void lc_report_origin(lc_buf *out, const lc_report_options *options, lc_str file, lc_str words)
{
    if (options->format == LC_FORMAT_HTML)
        lc_html_origin(out, file, words);
}

void lc_report_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    writers[options->format]->add_diag(out, options, diag);
}

typedef struct part_head {
    uint64_t kind, len, numbers[4];
} part_head;

void lc_part_add(lc_buf *out, const lc_part *part)
{
    part_head head = {.kind = part->kind, .len = part->text.len};
    memcpy(head.numbers, part->numbers, sizeof head.numbers);
    lc_buf_add(out, &head, sizeof head);
    lc_buf_add_str(out, part->text);
}

bool lc_part_next(lc_part *out, lc_str *rest)
{
    part_head head;
    if (rest->len < sizeof head)
        return false;
    memcpy(&head, rest->ptr, sizeof head);
    out->kind = (unsigned)head.kind;
    memcpy(out->numbers, head.numbers, sizeof head.numbers);
    out->text = lc_str_sub(*rest, sizeof head, sizeof head + head.len);
    *rest = lc_str_sub(*rest, sizeof head + head.len, rest->len);
    return true;
}

/* ---- Joining them. */

void lc_join(lc_buf *out)
{
    if (out->len)
        lc_buf_add_c(out, ",\n");
}

void lc_take_at_once(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    (void)report;
    lc_buf_add_str(out, errors);
    lc_buf_add_str(out, cases);
}

static void add_to_list(bool *any, lc_str items, lc_buf *out)
{
    if (items.len == 0)
        return;
    lc_buf_add_c(out, *any ? ",\n" : "\n");
    lc_buf_add_str(out, items);
    *any = true;
}

void lc_take_list(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    add_to_list(&report->any_case, cases, out);
    add_to_list(&report->any_error, errors, &report->errors);
}

void lc_take_later(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    (void)out;
    lc_buf_add_str(&report->body, cases);
    lc_buf_add_str(&report->errors, errors);
}

void lc_report_begin(lc_report *report, const lc_report_options *options, lc_buf *out)
{
    *report = (lc_report){.options = options};
    if (writers[options->format]->begin)
        writers[options->format]->begin(out, options);
}

void lc_report_add(lc_report *report, lc_str cases, lc_str errors, lc_str lens, lc_buf *out)
{
    lc_buf_add_str(&report->lens, lens);
    writers[report->options->format]->take(report, cases, errors, out);
}

void lc_report_end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    writers[report->options->format]->end(report, summary, out);
    lc_buf_release(&report->lens);
    lc_buf_release(&report->errors);
    lc_buf_release(&report->body);
}

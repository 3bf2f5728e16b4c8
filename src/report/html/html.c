/* The HTML report: one file that needs neither network nor scripts. Sums, a matrix of types and
 * rules, then the cases; a case without news is one line. */
#include "lifecheck/arena.h"
#include "lifecheck/table.h"
#include "report/html/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TYPES    500
#define MOST_OPEN     10 /* cases that are open at once */
#define MOST_MESSAGES 10 /* about inputs, shown at once */

enum { CASE_NEWS, CASE_SILENT, COVERED, BROKEN, MESSAGE };

/* ---- Pieces. */

static void add_part(lc_buf *out, unsigned kind, uint64_t number, uint64_t more, const lc_buf *text)
{
    lc_part part = {.kind = kind, .numbers = {number, more}, .text = lc_buf_str(text)};
    lc_part_add(out, &part);
}

static lc_str type_of(const lc_judged *judged)
{
    static const char *const whole[LC_DOMAIN_COUNT] = {"(no type)", "(a run)", "(providers)"};
    lc_str type = judged->scenario->subject.type;
    return type.len ? type : lc_str_from_c(whole[judged->judgement.domain]);
}

/* For the matrix: which rules were checked for a type, a byte each, and which findings it has. */
static void add_matrix_parts(lc_buf *out, const lc_judged *judged)
{
    const lc_judgement *judgement = &judged->judgement;
    lc_buf type = {0}, covered = {0};
    lc_buf_add_str(&type, type_of(judged));
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        lc_buf_add_char(&covered, judgement->coverage[rule] == LC_COVER_CHECKED ? '1' : '0');
    lc_buf_add_str(&covered, lc_buf_str(&type));
    add_part(out, COVERED, 0, 0, &covered);
    for (size_t i = 0; i < judgement->findings.count; i++) {
        if (lc_is_open(judged, i) && lc_shown_severity(judged, i) != LC_HIDDEN)
            add_part(out, BROKEN, judgement->findings.items[i].rule, lc_shown_severity(judged, i),
                     &type);
    }
    lc_buf_release(&type);
    lc_buf_release(&covered);
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_buf text = {0}, name = {0};
    bool news = lc_has_news(judged) || options->tables;
    add_matrix_parts(out, judged);
    if (news || options->verbose) {
        lc_html_case(&text, options, judged);
    } else {
        lc_add_case_name(&name, &judged->scenario->subject);
        lc_buf_printf(&text, "<li>%s: <code>", lc_verdict_words(judged));
        lc_markup_add(&text, lc_buf_str(&name));
        lc_buf_add_c(&text, "</code></li>\n");
    }
    add_part(out, news || options->verbose ? CASE_NEWS : CASE_SILENT, judged->passes, news, &text);
    lc_buf_release(&text);
    lc_buf_release(&name);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_report_options plain = {.policy = options->policy};
    lc_buf words = {0}, text = {0};
    lc_text line = {&words, &plain, NULL};
    bool error = diag->severity == LC_DIAG_ERROR;
    lc_text_location(&line, diag->loc);
    lc_text_words(&words, diag->message);
    lc_buf_printf(&text, "<p><span class=\"badge %s\">%s</span> ", error ? "error" : "warning",
                  error ? "error" : "warning");
    lc_markup_add(&text, lc_buf_str(&words));
    lc_buf_add_c(&text, "</p>\n");
    add_part(out, MESSAGE, 0, 0, &text);
    lc_buf_release(&words);
    lc_buf_release(&text);
}

/* ---- The matrix. */

typedef struct matrix_row {
    lc_str type;
    size_t first; /* number of the first case with a finding */
    uint64_t count[LC_RULE_COUNT];
    uint8_t worst[LC_RULE_COUNT]; /* lc_severity */
    bool checked[LC_RULE_COUNT];
    bool broken;
} matrix_row;

typedef struct matrix {
    lc_arena *arena;
    lc_table table;
    LC_VEC(matrix_row *) rows;
    bool broken[LC_RULE_COUNT];
    size_t left; /* types beyond the limit of rows */
} matrix;

static matrix_row *row_of(matrix *m, lc_str type)
{
    matrix_row *row = lc_table_get(&m->table, type);
    if (row)
        return row;
    if (m->rows.count == MOST_TYPES) {
        m->left++;
        return NULL;
    }
    row = LC_NEW(m->arena, matrix_row);
    row->type = type;
    lc_table_put(&m->table, type, row);
    *LC_PUSH(m->arena, &m->rows, matrix_row *) = row;
    return row;
}

static void take_covered(matrix *m, lc_str text)
{
    matrix_row *row = row_of(m, lc_str_sub(text, LC_RULE_COUNT, text.len));
    for (unsigned rule = 0; row && rule < LC_RULE_COUNT; rule++)
        row->checked[rule] |= text.ptr[rule] == '1';
}

static void take_broken(matrix *m, const lc_part *part, size_t number)
{
    matrix_row *row = lc_table_get(&m->table, part->text);
    unsigned rule = (unsigned)part->numbers[0];
    if (!row)
        return;
    if (!row->broken)
        row->first = number;
    row->broken = m->broken[rule] = true;
    row->count[rule]++;
    if (part->numbers[1] > row->worst[rule])
        row->worst[rule] = (uint8_t)part->numbers[1];
}

static int by_type(const void *a, const void *b)
{
    return lc_str_cmp((*(matrix_row *const *)a)->type, (*(matrix_row *const *)b)->type);
}

/* The parts of a case come before the case; only cases with news have a number. */
static void read_matrix(matrix *m, lc_str parts)
{
    lc_part part;
    size_t number = 1;
    while (lc_part_next(&part, &parts)) {
        if (part.kind == COVERED)
            take_covered(m, part.text);
        else if (part.kind == BROKEN)
            take_broken(m, &part, number);
        number += part.kind == CASE_NEWS;
    }
    if (m->rows.count)
        qsort(m->rows.items, m->rows.count, sizeof *m->rows.items, by_type);
}

static void add_cell(lc_buf *out, const matrix_row *row, unsigned rule)
{
    if (row->count[rule])
        lc_buf_printf(out, "<td class=\"%s\">%llu</td>",
                      lc_severity_name((lc_severity)row->worst[rule]),
                      (unsigned long long)row->count[rule]);
    else if (row->checked[rule])
        lc_buf_add_c(out, "<td class=\"good\">&#10003;</td>");
    else
        lc_buf_add_c(out, "<td class=\"none\">&middot;</td>");
}

static void add_row(lc_buf *out, const matrix *m, const matrix_row *row)
{
    lc_buf words = {0};
    lc_text_words(&words, row->type);
    lc_buf_printf(out, "<tr><th><a href=\"#c%zu\"><code>", row->first);
    lc_markup_add(out, lc_buf_str(&words));
    lc_buf_add_c(out, "</code></a></th>");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (m->broken[rule])
            add_cell(out, row, rule);
    }
    lc_buf_add_c(out, "</tr>\n");
    lc_buf_release(&words);
}

static void add_matrix(lc_buf *out, const matrix *m)
{
    size_t clean = 0;
    lc_buf_add_c(out,
                 "<h2>Types and rules</h2>\n<div class=\"scroll tall\"><table class=\"matrix\">"
                 "<thead><tr><th>type</th>");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (m->broken[rule])
            lc_buf_printf(out, "<th><span>%.*s</span></th>",
                          LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    }
    lc_buf_add_c(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < m->rows.count; i++) {
        if (m->rows.items[i]->broken)
            add_row(out, m, m->rows.items[i]);
        clean += !m->rows.items[i]->broken;
    }
    lc_buf_add_c(out, "</tbody></table></div>\n<p class=\"dim\">A number counts findings, &#10003; "
                      "is checked and kept, &middot; is not checked.");
    if (clean)
        lc_buf_printf(out, " Nothing was found in %zu other type%s.", clean, clean == 1 ? "" : "s");
    if (m->left)
        lc_buf_add_c(out, " Further types are not shown.");
    lc_buf_add_c(out, "</p>\n");
}

static void add_matrix_of(lc_buf *out, lc_str parts)
{
    matrix m = {.arena = lc_arena_new()};
    bool any = false;
    lc_table_init(&m.table, m.arena);
    read_matrix(&m, parts);
    for (size_t i = 0; i < m.rows.count; i++)
        any |= m.rows.items[i]->broken;
    if (any)
        add_matrix(out, &m);
    lc_arena_free(m.arena);
}

/* ---- The page. */

static void add_tally(lc_buf *out, const lc_tally *tally)
{
    lc_buf_printf(out, "<li class=\"%s\"><b>%llu</b>%s</li>\n", tally->mark,
                  (unsigned long long)tally->count, tally->name);
}

static void add_sums(lc_buf *out, const lc_report_options *options, const lc_summary *s)
{
    lc_report_options plain = {.policy = options->policy};
    lc_buf_printf(out, "<h1>lifecheck: %s</h1>\n<p class=\"dim\">", lc_summary_words(s));
    lc_text_end(out, &plain, s, LC_STR_EMPTY);
    lc_buf_printf(out,
                  "<br>Judged as %s%s, by lifecheck %s; mirrors OpenTofu %s and Terraform %s.</p>\n"
                  "<ul class=\"tallies\">\n",
                  lc_profile_name(options->policy.as), options->policy.strict ? ", strictly" : "",
                  LC_VERSION, LC_MIRRORED_OPENTOFU, LC_MIRRORED_TERRAFORM);
    lc_tally tallies[LC_TALLIES];
    size_t count = lc_tallies(tallies, s);
    for (size_t i = 0; i < count; i++)
        add_tally(out, &tallies[i]);
    lc_buf_add_c(out, "</ul>\n");
}

/* Adds the text of a case, with its number in place of LC_HTML_MARK. */
static void add_numbered(lc_buf *out, lc_str text, size_t number)
{
    size_t from = 0;
    while (from < text.len) {
        const char *mark = memchr(text.ptr + from, LC_HTML_MARK, text.len - from);
        size_t to = mark ? (size_t)(mark - text.ptr) : text.len;
        lc_buf_add_str(out, lc_str_sub(text, from, to));
        if (mark)
            lc_buf_printf(out, "c%zu", number);
        from = to + (mark != NULL);
    }
}

static void add_cases(lc_buf *out, lc_str parts)
{
    lc_part part;
    size_t number = 0, failed = 0;
    while (lc_part_next(&part, &parts)) {
        if (part.kind != CASE_NEWS)
            continue;
        if (++number == 1)
            lc_buf_add_c(out, "<h2>Cases</h2>\n");
        bool fails = part.numbers[0] == 0, open = part.numbers[1] && failed < MOST_OPEN;
        failed += open;
        lc_buf_printf(out, "<details class=\"case %s\" id=\"c%zu\"%s>", fails ? "error" : "good",
                      number, open ? " open" : "");
        add_numbered(out, part.text, number);
        lc_buf_add_c(out, "</details>\n");
    }
}

static void add_silent(lc_buf *out, lc_str parts)
{
    lc_part part;
    size_t count = 0;
    for (lc_str rest = parts; lc_part_next(&part, &rest);)
        count += part.kind == CASE_SILENT;
    if (count == 0)
        return;
    lc_buf_printf(out,
                  "<h2>Nothing to report</h2>\n<details><summary>%zu case%s</summary>\n"
                  "<ul class=\"gaps\">\n",
                  count, count == 1 ? "" : "s");
    for (lc_str rest = parts; lc_part_next(&part, &rest);) {
        if (part.kind == CASE_SILENT)
            lc_buf_add_str(out, part.text);
    }
    lc_buf_add_c(out, "</ul></details>\n");
}

/* The first few are shown, the others on demand. */
static void add_messages(lc_buf *out, lc_str parts)
{
    lc_part part;
    size_t count = 0, shown = 0;
    for (lc_str rest = parts; lc_part_next(&part, &rest);)
        count++;
    if (count)
        lc_buf_add_c(out, "<h2>Inputs</h2>\n");
    bool folded = count > MOST_MESSAGES + 1;
    while (lc_part_next(&part, &parts)) {
        if (folded && shown++ == MOST_MESSAGES)
            lc_buf_printf(out, "<details><summary class=\"dim\">and %zu more</summary>\n",
                          count - MOST_MESSAGES);
        lc_buf_add_str(out, part.text);
    }
    lc_buf_add_c(out, folded ? "</details>\n" : "");
}

void lc_html_begin(lc_buf *out, lc_str title)
{
    lc_buf_printf(out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>%.*s</title>\n<style>\n",
                  LC_FMT(title));
    lc_html_add_style(out);
    lc_buf_add_c(out, "</style></head><body>\n");
}

void lc_html_add_versions(lc_buf *out)
{
    lc_buf_printf(
        out,
        "<p class=\"dim\">Judged by lifecheck %s, which mirrors OpenTofu %s and Terraform "
        "%s.</p>\n",
        LC_VERSION, LC_MIRRORED_OPENTOFU, LC_MIRRORED_TERRAFORM);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    lc_str cases = lc_buf_str(&report->body);
    lc_buf title = {0};
    lc_buf_printf(&title, "lifecheck: %s", lc_summary_words(summary));
    lc_html_begin(out, lc_buf_str(&title));
    lc_buf_release(&title);
    add_sums(out, report->options, summary);
    add_messages(out, lc_buf_str(&report->errors));
    add_matrix_of(out, cases);
    add_cases(out, cases);
    add_silent(out, cases);
    lc_buf_add_c(out, "</body></html>\n");
}

const lc_writer lc_writer_html = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_later,
    .end = end,
};

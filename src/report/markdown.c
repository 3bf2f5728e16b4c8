/* Markdown as GitHub and GitLab render it: sums first, then the findings of each case, those that
 * fail first, and the evidence folded. Strings from inputs are in code spans and fences, where
 * nothing is interpreted.
 *
 * What does not fit into a comment is left out, and counted: evidence before findings. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <string.h>

#define MOST_ROWS    20
#define MAX_REPORTED 200               /* rows of a table of objects */
#define RESERVE      ((size_t)1 << 10) /* bytes for the last lines of a report that is cut */

enum { HEAD, EVIDENCE }; /* parts of a case; numbers[0]: the case passes */

/* ---- Strings. */

static size_t longest_run(lc_str text, char c)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_run(lc_buf *out, char c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_buf_add_char(out, c);
}

void lc_markdown_code(lc_buf *out, lc_str text, bool table)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    lc_str span = lc_buf_str(&words);
    size_t ticks = longest_run(span, '`') + 1;
    bool pad =
        span.len == 0 || span.ptr[0] == '`' || span.ptr[span.len - 1] == '`' || span.ptr[0] == ' ';
    add_run(out, '`', ticks);
    add_run(out, ' ', pad);
    for (size_t i = 0; i < span.len; i++) {
        if (table && span.ptr[i] == '|')
            lc_buf_add_char(out, '\\');
        lc_buf_add_char(out, span.ptr[i]);
    }
    add_run(out, ' ', pad);
    add_run(out, '`', ticks);
    lc_buf_release(&words);
}

void lc_markdown_words(lc_buf *out, lc_str text)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    for (size_t i = 0; i < words.len; i++) {
        if (strchr("\\`*_[]<>|~&#$!(){}", words.ptr[i]))
            lc_buf_add_char(out, '\\');
        lc_buf_add_char(out, words.ptr[i]);
    }
    lc_buf_release(&words);
}

static void add_place(lc_buf *out, lc_loc loc, bool table)
{
    lc_buf place = {0};
    lc_buf_add_str(&place, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line)
        lc_buf_printf(&place, ":%u:%u", loc.line, loc.column);
    lc_markdown_code(out, lc_buf_str(&place), table);
    lc_buf_release(&place);
}

/* ---- A case. */

/* The rules of a finding and of those that share its row. */
static void add_rules(lc_buf *out, const lc_judged *judged, const lc_join_of *joins, size_t i)
{
    for (size_t k = i; k != LC_NO_FINDING; k = joins[k].next) {
        lc_buf_add_c(out, k == i ? "" : ", ");
        lc_markdown_code(out, lc_rule_get(judged->judgement.findings.items[k].rule)->slug, true);
    }
}

static void add_row(lc_buf *out, const lc_judged *judged, const lc_join_of *joins, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_buf_printf(out, "| %s | ", lc_severity_name(lc_shown_severity(judged, i)));
    add_rules(out, judged, joins, i);
    lc_buf_add_c(out, " | ");
    if (f->address.len)
        lc_markdown_code(out, f->address, true);
    if (f->path_text.len) {
        lc_buf_add_c(out, f->address.len ? " " : "");
        lc_markdown_code(out, f->path_text, true);
    }
    lc_buf_printf(out, " | %s | ", lc_call_rpc(f->call.kind));
    add_place(out, f->loc, true);
    lc_buf_add_c(out, " | ");
    lc_markdown_words(out, lc_finding_why(f));
    lc_buf_add_c(out, " |\n");
}

/* Findings of one cause share a row. */
static void add_findings(lc_buf *out, const lc_judged *judged)
{
    size_t count = judged->judgement.findings.count, rows = 0, left = 0;
    lc_arena *arena = lc_arena_new();
    bool *shown = LC_NEW_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++)
        shown[i] = lc_is_open(judged, i);
    lc_join_of *joins = lc_joins_of(arena, judged, shown);
    for (size_t i = 0; i < count; i++) {
        if (!shown[i] || joins[i].lead != i)
            continue;
        if (rows == 0)
            lc_buf_add_c(out, "| | rule | path | call | place | why |\n"
                              "|---|---|---|---|---|---|\n");
        if (rows++ < MOST_ROWS)
            add_row(out, judged, joins, i);
        for (size_t k = i; rows > MOST_ROWS && k != LC_NO_FINDING; k = joins[k].next)
            left++;
    }
    if (left)
        lc_buf_printf(out, "\n... and %zu more\n", left);
    lc_buf_add_c(out, rows ? "\n" : "");
    lc_arena_free(arena);
}

static void add_finding_row(lc_buf *out, const lc_case_table *table, const lc_case_row *row)
{
    for (size_t k = 0; k < table->columns; k++) {
        lc_buf_add_c(out, "| ");
        if (k + 1 == table->columns)
            lc_add_cell_lines(out, row->cells[k], lc_markdown_words);
        else if (row->cells[k].len)
            lc_markdown_code(out, row->cells[k], true);
        lc_buf_add_char(out, ' ');
    }
    lc_buf_add_c(out, "|\n");
}

/* Rows as long as there is room: a comment is cut off elsewhere, and the worst comes first. */
static void add_finding_rows(lc_buf *out, const lc_case_table *table, size_t room)
{
    size_t shown = 0, from = out->len;
    for (size_t i = 0; table->rows.count && i < table->columns; i++)
        lc_buf_printf(out, "| %s ", table->heads[i]);
    if (table->rows.count)
        lc_buf_printf(out, "|\n%s|\n", table->columns == 4 ? "|---|---|---|---" : "|---|---|---");
    while (shown < table->rows.count && shown < MAX_REPORTED && out->len - from < room)
        add_finding_row(out, table, &table->rows.items[shown++]);
    if (shown < table->rows.count)
        lc_buf_printf(out, "\n... and %zu more\n", table->rows.count - shown);
}

static void add_unchanged(lc_buf *out, const lc_case_table *table, size_t room)
{
    size_t from = out->len, shown = 0;
    if (!table->unchanged.count)
        return;
    lc_buf_printf(out, "\n<details><summary>%zu unchanged</summary>\n\n", table->unchanged.count);
    while (shown < table->unchanged.count && shown < MAX_REPORTED && out->len - from < room) {
        lc_buf_add_c(out, "* ");
        lc_markdown_code(out, table->unchanged.items[shown++], false);
        lc_buf_add_char(out, '\n');
    }
    if (shown < table->unchanged.count)
        lc_buf_printf(out, "* ... and %zu more\n", table->unchanged.count - shown);
    lc_buf_add_c(out, "\n</details>\n");
}

/* What was predicted or resolved. */
static void add_case_findings(lc_buf *out, const lc_report_options *options,
                              const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    lc_case_table table;
    size_t room = options->limit ? options->limit / 2 : SIZE_MAX;
    bool any = lc_case_table_of(&table, arena, judged);
    if (any && table.lead.len) {
        lc_markdown_words(out, table.lead);
        lc_buf_add_c(out, "\n\n");
    }
    if (any)
        add_finding_rows(out, &table, room);
    for (size_t i = 0; any && i < table.notes.count && i < MAX_REPORTED; i++) {
        lc_buf_add_c(out, i ? "* " : "\n* ");
        lc_markdown_words(out, table.notes.items[i]);
        lc_buf_add_char(out, '\n');
    }
    if (any)
        add_unchanged(out, &table, room / 8);
    lc_buf_add_c(out, any ? "\n" : "");
    lc_arena_free(arena);
}

/* The text report, in a fence that is longer than any within. */
static void add_evidence(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_report_options plain = {.policy = options->policy};
    lc_buf text = {0};
    lc_text_case(&text, &plain, judged);
    size_t ticks = longest_run(lc_buf_str(&text), '`') + 1;
    ticks = ticks < 3 ? 3 : ticks;
    lc_buf_add_c(out, "<details><summary>Values, reasons and fixes</summary>\n\n");
    add_run(out, '`', ticks);
    lc_buf_add_c(out, "text\n");
    lc_buf_add_str(out, lc_buf_str(&text));
    add_run(out, '`', ticks);
    lc_buf_add_c(out, "\n\n</details>\n\n");
    lc_buf_release(&text);
}

static void add_part(lc_buf *out, unsigned kind, bool passes, lc_buf *text)
{
    lc_part part = {.kind = kind, .numbers = {passes}, .text = lc_buf_str(text)};
    lc_part_add(out, &part);
    lc_buf_clear(text);
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_buf section = {0}, name = {0};
    if (!lc_has_changes(judged) && !options->tables)
        return;
    lc_add_case_name(&name, &judged->scenario->subject);
    lc_buf_add_c(&section, "### ");
    lc_markdown_code(&section, lc_buf_str(&name), false);
    lc_buf_printf(&section, " %s\n\n", lc_verdict_words(judged));
    add_findings(&section, judged);
    if (options->tables)
        add_case_findings(&section, options, judged);
    add_part(out, HEAD, judged->passes, &section);
    if (lc_has_changes(judged))
        add_evidence(&section, options, judged);
    add_part(out, EVIDENCE, judged->passes, &section);
    lc_buf_release(&section);
    lc_buf_release(&name);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_buf line = {0};
    lc_part part = {0};
    (void)options;
    lc_buf_printf(&line, "* %s: ", lc_diag_severity_name(diag->severity));
    add_place(&line, diag->loc, false);
    lc_buf_add_c(&line, ": ");
    lc_markdown_words(&line, diag->message);
    lc_buf_add_char(&line, '\n');
    part.text = lc_buf_str(&line);
    lc_part_add(out, &part);
    lc_buf_release(&line);
}

/* ---- The document. */

static void add_table(lc_buf *out, const lc_summary *s)
{
    lc_buf head = {0}, row = {0};
    lc_tally tallies[LC_TALLIES];
    size_t count = lc_tallies(tallies, s);
    for (size_t i = 0; i < count; i++) {
        lc_buf_printf(&head, " %s |", tallies[i].name);
        lc_buf_printf(&row, " %llu |", (unsigned long long)tallies[i].count);
    }
    if (head.len) {
        lc_buf_printf(out, "|%.*s\n|", LC_FMT(lc_buf_str(&head)));
        for (size_t i = 0; i < head.len; i++)
            lc_buf_add_c(out, head.ptr[i] == '|' ? "---:|" : "");
        lc_buf_printf(out, "\n|%.*s\n\n", LC_FMT(lc_buf_str(&row)));
    }
    lc_buf_release(&head);
    lc_buf_release(&row);
}

static size_t add_messages(lc_buf *out, lc_str parts, size_t limit)
{
    size_t left = 0;
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        if (left || (limit && out->len + part.text.len + RESERVE > limit))
            left++;
        else
            lc_buf_add_str(out, part.text);
    }
    return left;
}

/* ---- Cases, as many as fit. */

typedef struct space {
    size_t left;                 /* bytes */
    size_t cases, heads, folded; /* all of them; whose findings, and whose evidence is shown */
    bool full;                   /* the findings of a case did not fit */
} space;

static bool take(space *s, size_t length)
{
    bool fits = length <= s->left;
    s->left -= fits ? length : 0;
    return fits;
}

/* Findings of the first cases, and then of these the evidence that still fits. `shown` has a byte
 * for each part in turn. */
static void choose(space *s, lc_buf *shown, lc_str parts, unsigned kind)
{
    for (int passes = 0; passes < 2; passes++) {
        lc_part part;
        size_t at = 0;
        for (lc_str rest = parts; lc_part_next(&part, &rest); at++) {
            if (part.kind != kind || (part.numbers[0] != 0) != (passes != 0))
                continue;
            bool wanted = kind == HEAD ? !s->full : shown->ptr[at - 1] == '+';
            bool fits = wanted && take(s, part.text.len);
            shown->ptr[at] = fits ? '+' : '-';
            s->full |= kind == HEAD && !fits;
            s->heads += kind == HEAD && fits;
            s->folded += kind == EVIDENCE && wanted && !fits;
        }
    }
}

static space add_cases(lc_buf *out, lc_str parts, size_t limit)
{
    space s = {.left = !limit                       ? SIZE_MAX
                       : out->len + RESERVE < limit ? limit - out->len - RESERVE
                                                    : 0};
    lc_buf shown = {0};
    lc_part part;
    for (lc_str rest = parts; lc_part_next(&part, &rest);) {
        s.cases += part.kind == HEAD;
        lc_buf_add_char(&shown, '-');
    }
    choose(&s, &shown, parts, HEAD);
    choose(&s, &shown, parts, EVIDENCE);
    for (int passes = 0; passes < 2; passes++) {
        size_t at = 0;
        for (lc_str rest = parts; lc_part_next(&part, &rest); at++) {
            if ((part.numbers[0] != 0) == (passes != 0) && shown.ptr[at] == '+')
                lc_buf_add_str(out, part.text);
        }
    }
    lc_buf_release(&shown);
    return s;
}

static void add_left(lc_buf *out, size_t left, const char *what)
{
    if (left)
        lc_buf_printf(out, "\n%zu more %s%s not shown: the report would be too long.\n", left, what,
                      left == 1 ? " is" : "s are");
}

static void add_folded(lc_buf *out, size_t count)
{
    if (count)
        lc_buf_printf(
            out,
            "\nValues, reasons and fixes of %zu case%s are not shown: the report would be "
            "too long.\n",
            count, count == 1 ? "" : "s");
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    const lc_report_options *options = report->options;
    lc_report_options plain = {.policy = options->policy};
    lc_buf_add_c(out, "## ");
    lc_summary_add_title(out, summary);
    lc_buf_add_c(out, "\n\n");
    add_table(out, summary);
    size_t left = add_messages(out, lc_buf_str(&report->errors), options->limit);
    add_left(out, left, "message");
    lc_buf_add_c(out, report->errors.len ? "\n" : "");
    space s = add_cases(out, lc_buf_str(&report->body), options->limit);
    add_folded(out, s.folded);
    add_left(out, s.cases - s.heads, "case");
    if (s.folded || s.heads < s.cases || left)
        lc_buf_add_c(out, "The reports html and json have everything.\n");
    lc_buf_add_c(out, s.folded || s.heads < s.cases || left ? "\n" : "");
    lc_text_end(out, &plain, summary, LC_STR_EMPTY, true);
}

const lc_writer lc_writer_markdown = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_later,
    .end = end,
};

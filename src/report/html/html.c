/* The HTML report: one file that needs neither network nor scripts. Sums, a matrix of types and
 * rules, then the cases; a case without new findings is one line. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/base/table.h"
#include "report/html/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TYPES    500
#define MOST_CASES    300 /* that are shown in full, without -v */
#define MOST_LISTED   500 /* findings in the list */
#define MOST_OPEN     10  /* cases that are open at once */
#define MOST_MESSAGES 10  /* about inputs, shown at once */
#define MOST_ORIGINS  20  /* recordings */
#define FEW_CASES     12  /* are not grouped by type */
#define FEW_TYPES     3   /* whose lists are open */

/* Parts about a case come before the case. FOUND: the number of the finding in its case, its
 * severity, its rule, and whether it is open. */
enum { CASE_CHANGED, CASE_SILENT, COVERED, FOUND, MESSAGE, ORIGIN };

/* ---- Pieces. */

static void add_part(lc_buf *out, unsigned kind, const uint64_t numbers[4], const lc_buf *text)
{
    lc_part part = {.kind = kind, .text = lc_buf_str(text)};
    if (numbers)
        memcpy(part.numbers, numbers, sizeof part.numbers);
    lc_part_add(out, &part);
}

void lc_html_words(lc_buf *out, lc_str text)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    lc_markup_add(out, lc_buf_str(&words));
    lc_buf_release(&words);
}

/* A pair of backquotes never spans lines. */
void lc_html_prose(lc_buf *out, lc_str text)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    lc_str rest = lc_buf_str(&words);
    while (rest.len) {
        size_t from = lc_str_find(rest, 0, '`'), to = lc_str_find(rest, from + 1, '`');
        bool code = to < rest.len && to > from + 1 && lc_str_find(rest, from, '\n') > to;
        size_t end = to < rest.len ? to + 1 : rest.len;
        lc_markup_add(out, lc_str_sub(rest, 0, code ? from : end));
        if (code) {
            lc_buf_add_c(out, "<code>");
            lc_markup_add(out, lc_str_sub(rest, from + 1, to));
            lc_buf_add_c(out, "</code>");
        }
        rest = lc_str_sub(rest, end, rest.len);
    }
    lc_buf_release(&words);
}

static lc_str type_of(const lc_judged *judged)
{
    static const char *const whole[LC_DOMAIN_COUNT] = {"(no type)", "(a run)", "(providers)"};
    lc_str type = judged->scenario->subject.type;
    return type.len ? type : lc_str_from_c(whole[judged->judgement.domain]);
}

/* For the matrix: which rules were checked for a type, a byte each. */
static void add_covered(lc_buf *out, const lc_judged *judged)
{
    lc_buf covered = {0};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        lc_buf_add_char(&covered, judged->judgement.coverage[rule] == LC_COVER_CHECKED ? '1' : '0');
    lc_text_words(&covered, type_of(judged));
    add_part(out, COVERED, NULL, &covered);
    lc_buf_release(&covered);
}

/* An entry of the list of findings, after its link. */
static void add_entry(lc_buf *out, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_buf where = {0};
    lc_buf_printf(out, "%.*s</a> ", LC_FMT(lc_rule_get(f->rule)->slug));
    lc_plain_where(&where, judged, i);
    if (where.len) {
        lc_buf_add_c(out, "<code>");
        lc_markup_add(out, lc_buf_str(&where));
        lc_buf_add_c(out, "</code> ");
    }
    lc_html_prose(out, lc_finding_why(f));
    lc_buf_add_c(out, " <span class=\"dim\">");
    lc_buf_clear(&where);
    lc_add_case_name(&where, &judged->scenario->subject);
    lc_markup_add(out, lc_buf_str(&where));
    lc_buf_add_c(out, "</span></li>\n");
    lc_buf_release(&where);
}

static void add_found(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_buf entry = {0};
    uint64_t shown = 0;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        lc_severity severity = lc_shown_severity(judged, i);
        bool open = lc_is_open(judged, i);
        if (severity == LC_HIDDEN)
            continue;
        shown++;
        lc_buf_clear(&entry);
        if (open)
            add_entry(&entry, judged, i);
        bool linked = options->verbose || shown <= LC_HTML_MOST_FINDINGS;
        add_part(out, FOUND,
                 (uint64_t[4]){linked ? i + 1 : 0, severity,
                               judged->judgement.findings.items[i].rule, open},
                 &entry);
    }
    lc_buf_release(&entry);
}

/* The type, then the case. */
static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_buf text = {0}, name = {0};
    bool changed = lc_has_changes(judged) || options->tables;
    add_covered(out, judged);
    if (changed || options->verbose) {
        add_found(out, options, judged);
        lc_text_words(&text, type_of(judged));
        lc_buf_add_char(&text, '\n');
        lc_html_case(&text, options, judged);
    } else {
        lc_add_case_name(&name, &judged->scenario->subject);
        lc_buf_printf(&text, "<li>%s: <code>", lc_verdict_words(judged));
        lc_markup_add(&text, lc_buf_str(&name));
        lc_buf_add_c(&text, "</code></li>\n");
    }
    add_part(out, changed || options->verbose ? CASE_CHANGED : CASE_SILENT,
             (uint64_t[4]){judged->passes, changed, 0, 0}, &text);
    lc_buf_release(&text);
    lc_buf_release(&name);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_report_options plain = {.policy = options->policy};
    lc_buf words = {0}, text = {0};
    lc_text line = {&words, &plain, NULL};
    static const char *const badges[] = {"error", "warning", "info"};
    lc_text_location(&line, diag->loc);
    lc_buf_printf(&text, "<p><span class=\"badge %s\">%s</span> ", badges[diag->severity],
                  lc_diag_severity_name(diag->severity));
    lc_markup_add(&text, lc_buf_str(&words));
    lc_html_prose(&text, diag->message);
    lc_buf_add_c(&text, "</p>\n");
    add_part(out, MESSAGE, NULL, &text);
    lc_buf_release(&words);
    lc_buf_release(&text);
}

void lc_html_origin(lc_buf *out, lc_str file, lc_str words)
{
    lc_buf text = {0};
    lc_buf_add_c(&text, "<li><code>");
    lc_html_words(&text, file);
    lc_buf_add_c(&text, "</code>: ");
    lc_html_words(&text, words);
    lc_buf_add_c(&text, "</li>\n");
    add_part(out, ORIGIN, NULL, &text);
    lc_buf_release(&text);
}

/* ---- Taking pieces. What a page surely does not show is not kept. */

/* LAST_COVERED: where the last part of that kind is in the body, plus 1; before it, the cases of
 * each rank. */
enum { LAST_COVERED = 3 };

/* Cases that fail are shown before others, and those with changes before those without. */
static unsigned rank_of(bool fails, bool changed)
{
    return fails ? 0 : changed ? 1 : 2;
}

/* Are there still fewer cases that are shown before this one than a page shows? */
static bool may_be_shown(lc_report *report, const lc_part *of_case)
{
    unsigned rank = rank_of(of_case->numbers[0] == 0, of_case->numbers[1] != 0);
    uint64_t before = 0;
    for (unsigned i = 0; i <= rank; i++)
        before += report->counts[i];
    report->counts[rank]++;
    return report->options->verbose || before < MOST_CASES;
}

/* Is the coverage the same as that of the case before, of the same type? */
static bool covers_the_same(lc_report *report, const lc_part *covered)
{
    lc_part last;
    size_t at = (size_t)report->counts[LAST_COVERED];
    lc_str rest = lc_str_sub(lc_buf_str(&report->body), at ? at - 1 : 0, report->body.len);
    if (at && lc_part_next(&last, &rest) && lc_str_eq(last.text, covered->text))
        return true;
    report->counts[LAST_COVERED] = report->body.len + 1;
    return false;
}

/* Keeps the parts of one case; of a case that is not shown, its sums alone. */
static void keep_case(lc_report *report, lc_str parts, bool shown)
{
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        if (part.kind == COVERED && covers_the_same(report, &part))
            continue;
        if (!shown && part.kind == FOUND)
            part.text = LC_STR_EMPTY;
        else if (!shown && part.kind == CASE_CHANGED)
            part.text = lc_str_sub(part.text, 0, lc_str_find(part.text, 0, '\n') + 1);
        lc_part_add(&report->body, &part);
    }
}

static void take(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    (void)out;
    while (cases.len) {
        lc_part part;
        lc_str rest = cases;
        bool shown = true;
        while (lc_part_next(&part, &rest)) {
            if (part.kind == CASE_CHANGED)
                shown = may_be_shown(report, &part);
            if (part.kind == CASE_CHANGED || part.kind == CASE_SILENT)
                break;
        }
        keep_case(report, lc_str_sub(cases, 0, cases.len - rest.len), shown);
        cases = rest;
    }
    lc_buf_add_str(&report->errors, errors);
}

/* ---- What the page shows. */

typedef struct page_case {
    lc_str type, text;
    size_t number; /* of its anchor */
    size_t rank;   /* of its type */
    bool fails, changed, shown;
} page_case;

typedef struct page_finding {
    size_t of;     /* the case */
    size_t number; /* 0: it has no place of its own */
    lc_rule rule;
    lc_severity severity;
    bool open;
    size_t rank, at; /* of the type of its case; in the order of the input */
    lc_str entry;
} page_finding;

typedef struct page {
    const lc_report_options *options;
    lc_arena *arena;
    lc_buf *out;
    lc_str parts;
    LC_VEC(page_case) cases;
    LC_VEC(page_finding) findings;
    size_t hidden; /* cases that are not shown */
} page;

static void take_case(page *p, const lc_part *part)
{
    page_case *taken = LC_PUSH(p->arena, &p->cases, page_case);
    size_t end = lc_str_find(part->text, 0, '\n');
    *taken = (page_case){.type = lc_str_sub(part->text, 0, end),
                         .text = lc_str_sub(part->text, end + 1, part->text.len),
                         .number = p->cases.count,
                         .fails = part->numbers[0] == 0,
                         .changed = part->numbers[1] != 0};
}

/* If there are many cases, those that fail come before others, and those with changes before those
 * without. */
static void choose_cases(page *p)
{
    size_t room = p->options->verbose ? SIZE_MAX : MOST_CASES;
    for (unsigned step = 0; step < 3; step++) {
        for (size_t i = 0; i < p->cases.count; i++) {
            page_case *c = &p->cases.items[i];
            if (rank_of(c->fails, c->changed) != step || room == 0)
                continue;
            c->shown = true;
            room--;
        }
    }
    for (size_t i = 0; i < p->cases.count; i++)
        p->hidden += !p->cases.items[i].shown;
}

static void read_page(page *p)
{
    lc_part part;
    for (lc_str rest = p->parts; lc_part_next(&part, &rest);) {
        if (part.kind == CASE_CHANGED)
            take_case(p, &part);
        else if (part.kind == FOUND)
            *LC_PUSH(p->arena, &p->findings, page_finding) =
                (page_finding){.of = p->cases.count,
                               .number = (size_t)part.numbers[0],
                               .severity = (lc_severity)part.numbers[1],
                               .rule = (lc_rule)part.numbers[2],
                               .open = part.numbers[3] != 0,
                               .entry = part.text};
    }
    choose_cases(p);
}

/* Is the finding in the list, with a link? */
static bool is_listed(const page *p, const page_finding *f)
{
    return f->open && p->cases.items[f->of].shown;
}

/* ---- The matrix. */

typedef struct matrix_row {
    lc_str type;
    size_t first; /* number of the first case with a finding; 0: it is not shown */
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

static void take_broken(matrix *m, const page_finding *f, const page_case *of)
{
    matrix_row *row = lc_table_get(&m->table, of->type);
    if (!row || !f->open)
        return;
    if (!row->first && of->shown)
        row->first = of->number;
    row->broken = m->broken[f->rule] = true;
    row->count[f->rule]++;
    if (f->severity > row->worst[f->rule])
        row->worst[f->rule] = (uint8_t)f->severity;
}

LC_ORDER_POINTERS_BY_STR(by_type, matrix_row, type)

static void read_matrix(matrix *m, const page *p)
{
    lc_part part;
    for (lc_str rest = p->parts; lc_part_next(&part, &rest);) {
        if (part.kind == COVERED)
            take_covered(m, part.text);
    }
    for (size_t i = 0; i < p->findings.count; i++)
        take_broken(m, &p->findings.items[i], &p->cases.items[p->findings.items[i].of]);
    if (m->rows.count)
        qsort(m->rows.items, m->rows.count, sizeof *m->rows.items, by_type);
}

static void add_cell(lc_buf *out, const matrix_row *row, unsigned rule)
{
    static const char *const signs[] = {"", "i ", "! ", "&#10007; "}; /* by severity */
    if (row->count[rule])
        lc_buf_printf(out, "<td class=\"%s\">%s%llu</td>",
                      lc_severity_name((lc_severity)row->worst[rule]), signs[row->worst[rule]],
                      (unsigned long long)row->count[rule]);
    else if (row->checked[rule])
        lc_buf_add_c(out, "<td class=\"good\">&#10003;</td>");
    else
        lc_buf_add_c(out, "<td class=\"none\">&middot;</td>");
}

static void add_row(lc_buf *out, const matrix *m, const matrix_row *row)
{
    lc_buf_add_c(out, "<tr><th scope=\"row\">");
    if (row->first)
        lc_buf_printf(out, "<a href=\"#c%zu\">", row->first);
    lc_buf_add_c(out, "<code>");
    lc_html_words(out, row->type);
    lc_buf_add_c(out, row->first ? "</code></a></th>" : "</code></th>");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (m->broken[rule])
            add_cell(out, row, rule);
    }
    lc_buf_add_c(out, "</tr>\n");
}

static void add_matrix(lc_buf *out, const matrix *m)
{
    size_t clean = 0;
    lc_buf_add_c(out, "<h2>Types and rules</h2>\n");
    lc_html_begin_table(out, "matrix", "Types and rules");
    lc_buf_add_c(out, "<th scope=\"col\">type</th>");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (m->broken[rule])
            lc_buf_printf(out, "<th scope=\"col\"><a href=\"#r-%.*s\">%.*s</a></th>",
                          LC_FMT(lc_rule_get((lc_rule)rule)->slug),
                          LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    }
    lc_buf_add_c(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < m->rows.count; i++) {
        if (m->rows.items[i]->broken)
            add_row(out, m, m->rows.items[i]);
        clean += !m->rows.items[i]->broken;
    }
    lc_html_end_table(out);
    lc_buf_add_c(out, "<p class=\"dim\">A number counts findings: &#10007; errors among them, "
                      "! warnings, i infos. &#10003; conforms, &middot; is not checked.");
    if (clean)
        lc_buf_printf(out, " Nothing was found in %zu other type%s.", clean, clean == 1 ? "" : "s");
    if (m->left)
        lc_buf_add_c(out, " Further types are not shown.");
    lc_buf_add_c(out, "</p>\n");
}

static void add_matrix_of(const page *p)
{
    matrix m = {.arena = lc_arena_new()};
    bool any = false;
    lc_table_init(&m.table, m.arena);
    read_matrix(&m, p);
    for (size_t i = 0; i < m.rows.count; i++)
        any |= m.rows.items[i]->broken;
    if (any)
        add_matrix(p->out, &m);
    lc_arena_free(m.arena);
}

/* ---- The list of findings, by type. */

typedef struct type_sum {
    lc_str type;
    uint64_t of[LC_ERROR + 1]; /* findings by severity */
    size_t cases, failing;     /* that are shown */
    size_t rank;
} type_sum;

typedef struct type_sums {
    lc_table table;
    LC_VEC(type_sum *) items;
    const page_case **cases; /* that are shown, by rank */
    size_t case_count;
    const page_finding **findings; /* that are listed, by rank, the worst first */
    size_t finding_count;
} type_sums;

static type_sum *sum_of(type_sums *sums, lc_arena *arena, lc_str type)
{
    type_sum *sum = lc_table_get(&sums->table, type);
    if (sum)
        return sum;
    sum = LC_NEW(arena, type_sum);
    sum->type = type;
    lc_table_put(&sums->table, type, sum);
    *LC_PUSH(arena, &sums->items, type_sum *) = sum;
    return sum;
}

/* Types with more errors come first. */
static int by_errors(const void *a, const void *b)
{
    const type_sum *x = *(type_sum *const *)a, *y = *(type_sum *const *)b;
    for (int severity = LC_ERROR; severity > LC_HIDDEN; severity--) {
        if (x->of[severity] != y->of[severity])
            return x->of[severity] > y->of[severity] ? -1 : 1;
    }
    return lc_str_cmp(x->type, y->type);
}

static int by_rank(const void *a, const void *b)
{
    const page_case *x = *(const page_case *const *)a, *y = *(const page_case *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->fails != y->fails)
        return x->fails ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_severity(const void *a, const void *b)
{
    const page_finding *x = *(const page_finding *const *)a, *y = *(const page_finding *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Cases and findings in the order of their types. */
static void sort_by_types(type_sums *sums, page *p)
{
    sums->cases = LC_NEW_ARRAY(p->arena, const page_case *, p->cases.count);
    sums->findings = LC_NEW_ARRAY(p->arena, const page_finding *, p->findings.count);
    for (size_t i = 0; i < sums->items.count; i++)
        sums->items.items[i]->rank = i;
    for (size_t i = 0; i < p->cases.count; i++) {
        page_case *c = &p->cases.items[i];
        if (!c->shown)
            continue;
        c->rank = sum_of(sums, p->arena, c->type)->rank;
        sums->cases[sums->case_count++] = c;
    }
    for (size_t i = 0; i < p->findings.count; i++) {
        page_finding *f = &p->findings.items[i];
        if (!is_listed(p, f))
            continue;
        f->rank = p->cases.items[f->of].rank;
        f->at = i;
        sums->findings[sums->finding_count++] = f;
    }
    if (sums->case_count)
        qsort(sums->cases, sums->case_count, sizeof *sums->cases, by_rank);
    if (sums->finding_count)
        qsort(sums->findings, sums->finding_count, sizeof *sums->findings, by_severity);
}

static void sum_types(type_sums *sums, page *p)
{
    *sums = (type_sums){0};
    lc_table_init(&sums->table, p->arena);
    for (size_t i = 0; i < p->cases.count; i++) {
        const page_case *c = &p->cases.items[i];
        type_sum *sum = c->shown ? sum_of(sums, p->arena, c->type) : NULL;
        if (!sum)
            continue;
        sum->cases++;
        sum->failing += c->fails;
    }
    for (size_t i = 0; i < p->findings.count; i++) {
        const page_finding *f = &p->findings.items[i];
        if (is_listed(p, f))
            sum_of(sums, p->arena, p->cases.items[f->of].type)->of[f->severity]++;
    }
    if (sums->items.count)
        qsort(sums->items.items, sums->items.count, sizeof *sums->items.items, by_errors);
    sort_by_types(sums, p);
}

static void add_type_head(lc_buf *out, const type_sum *sum)
{
    lc_buf_add_c(out, "<summary><code>");
    lc_html_words(out, sum->type);
    lc_buf_add_c(out, "</code>");
    for (int severity = LC_ERROR; severity > LC_HIDDEN; severity--) {
        if (sum->of[severity])
            lc_buf_printf(
                out, " <span class=\"badge %s\">%llu %s%s</span>",
                lc_severity_name((lc_severity)severity), (unsigned long long)sum->of[severity],
                lc_severity_name((lc_severity)severity), sum->of[severity] == 1 ? "" : "s");
    }
}

static void add_finding_entry(const page *p, const page_finding *f)
{
    const char *severity = lc_severity_name(f->severity);
    size_t number = p->cases.items[f->of].number;
    lc_buf_printf(p->out, "<li><span class=\"badge %s\">%s</span> ", severity, severity);
    if (f->number)
        lc_buf_printf(p->out, "<a href=\"#c%zuf%zu\">", number, f->number);
    else
        lc_buf_printf(p->out, "<a href=\"#c%zu\">", number);
    lc_buf_add_str(p->out, f->entry);
}

static bool has_findings(const type_sum *sum)
{
    return sum->of[LC_ERROR] || sum->of[LC_WARNING] || sum->of[LC_INFO];
}

/* The findings of one type begin at `*at`, which moves on. */
static void add_type_findings(const page *p, const type_sums *sums, size_t rank, size_t *at)
{
    size_t left = 0;
    add_type_head(p->out, sums->items.items[rank]);
    lc_buf_add_c(p->out, "</summary>\n<ul>\n");
    for (; *at < sums->finding_count && sums->findings[*at]->rank == rank; ++*at) {
        if (*at < MOST_LISTED)
            add_finding_entry(p, sums->findings[*at]);
        else
            left++;
    }
    if (left)
        lc_buf_printf(p->out, "<li class=\"dim\">and %zu more, with their cases below</li>\n",
                      left);
    lc_buf_add_c(p->out, "</ul></details>\n");
}

static void add_list(const page *p, const type_sums *sums)
{
    size_t at = 0;
    if (sums->finding_count < 2)
        return;
    lc_buf_add_c(p->out, "<h2>Findings</h2>\n");
    for (size_t i = 0; i < sums->items.count && i < MOST_TYPES; i++) {
        if (!has_findings(sums->items.items[i]))
            continue;
        lc_buf_printf(p->out, "<details class=\"list\"%s>", i < FEW_TYPES ? " open" : "");
        add_type_findings(p, sums, i, &at);
    }
}

/* ---- The rules. */

void lc_html_begin_table(lc_buf *out, const char *class, const char *label)
{
    lc_buf_printf(out,
                  "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
                  "<table class=\"%s\"><thead><tr>",
                  label, class);
}

void lc_html_end_table(lc_buf *out)
{
    lc_buf_add_c(out, "</tbody></table></div>\n");
}

void lc_html_term(lc_buf *out, const char *term, lc_str text)
{
    if (text.len == 0)
        return;
    lc_buf_printf(out, "<dt>%s</dt><dd>", term);
    lc_html_prose(out, text);
    lc_buf_add_c(out, "</dd>\n");
}

static void add_rule(const page *p, lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_str url = p->options->rules_url;
    lc_buf source = {0};
    lc_buf_printf(p->out, "<section id=\"r-%.*s\"><h3>", LC_FMT(info->slug));
    if (url.len) {
        lc_buf_add_c(p->out, "<a href=\"");
        lc_markup_add(p->out, url);
        lc_buf_printf(p->out, "%.*s\">%.*s</a>", LC_FMT(info->slug), LC_FMT(info->slug));
    } else {
        lc_buf_add_str(p->out, info->slug);
    }
    lc_buf_add_c(p->out, "</h3>\n<dl>\n");
    lc_html_term(p->out, "title", info->title);
    lc_html_term(p->out, "requirement", info->requirement);
    lc_rule_add_source(&source, info);
    lc_html_term(p->out, "source", lc_buf_str(&source));
    lc_buf_release(&source);
    lc_buf_add_c(p->out, "</dl></section>\n");
}

static void add_rules(const page *p)
{
    bool used[LC_RULE_COUNT] = {false}, any = false;
    for (size_t i = 0; i < p->findings.count; i++) {
        const page_finding *f = &p->findings.items[i];
        if (p->cases.items[f->of].shown || f->open) /* the matrix has those of all cases */
            used[f->rule] = any = true;
    }
    if (!any)
        return;
    lc_buf_add_c(p->out, "<h2>Rules</h2>\n<p class=\"dim\">The requirement of each rule; "
                         "<code>lifecheck explain RULE</code> has its source and examples.</p>\n");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (used[rule])
            add_rule(p, (lc_rule)rule);
    }
}

/* ---- The page. */

static void add_tally(lc_buf *out, const lc_tally *tally)
{
    lc_buf_printf(out, "<li class=\"%s\"><b>%llu</b>%s</li>\n", tally->mark,
                  (unsigned long long)tally->count, tally->name);
}

static const char *profile_words(const lc_policy *policy)
{
    switch (policy->as) {
    case LC_PROFILE_OPENTOFU:
        return policy->strict ? "as OpenTofu does, strictly, " : "as OpenTofu does, ";
    case LC_PROFILE_TERRAFORM:
        return policy->strict ? "as Terraform does, strictly, " : "as Terraform does, ";
    case LC_PROFILE_DOCUMENT:
        break;
    }
    return policy->strict ? "by the lifecycle document, strictly, " : "by the lifecycle document, ";
}

/* The last line of the text report, then the text before it. */
static void add_sentences(lc_buf *out, const lc_report_options *options, const lc_summary *s)
{
    lc_report_options plain = {.policy = options->policy};
    lc_buf text = {0};
    lc_text_end(&text, &plain, s, LC_STR_EMPTY, true);
    size_t end = text.len - (text.len > 0), last = end;
    while (last && text.ptr[last - 1] != '\n')
        last--;
    lc_buf_add_c(out, "<p class=\"dim\">");
    lc_markup_add(out, lc_str_sub(lc_buf_str(&text), last, end));
    lc_buf_add_c(out, last ? "<br>\n" : "");
    for (size_t at = 0; at < last; at++) {
        size_t line = lc_str_find(lc_buf_str(&text), at, '\n');
        lc_markup_add(out, lc_str_sub(lc_buf_str(&text), at, line));
        lc_buf_add_c(out, line + 1 < last ? "<br>\n" : "");
        at = line;
    }
    lc_buf_add_c(out, "</p>\n");
    lc_buf_release(&text);
}

static void add_sums(lc_buf *out, const lc_report_options *options, const lc_summary *s)
{
    lc_buf_add_c(out, "<h1>");
    lc_summary_add_title(out, s);
    lc_buf_add_c(out, "</h1>\n");
    add_sentences(out, options, s);
    lc_html_add_versions(out, profile_words(&options->policy));
    lc_buf_add_c(out, "<ul class=\"tallies\">\n");
    lc_tally tallies[LC_TALLIES];
    size_t count = lc_tallies(tallies, s);
    for (size_t i = 0; i < count; i++)
        add_tally(out, &tallies[i]);
    lc_buf_add_c(out, "</ul>\n");
}

/* Which client and providers the recordings are of. */
static void add_origins(lc_buf *out, lc_str parts)
{
    lc_part part;
    size_t count = 0;
    for (lc_str rest = parts; lc_part_next(&part, &rest);) {
        if (part.kind != ORIGIN || count++ >= MOST_ORIGINS)
            continue;
        lc_buf_add_c(out, count == 1 ? "<ul class=\"gaps\">\n" : "");
        lc_buf_add_str(out, part.text);
    }
    if (count > MOST_ORIGINS)
        lc_buf_printf(out, "<li>and %zu more recordings</li>\n", count - MOST_ORIGINS);
    lc_buf_add_c(out, count ? "</ul>\n" : "");
}

/* Adds the text of a case, with its number instead of LC_HTML_MARK. */
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

static void add_one_case(const page *p, const page_case *c, size_t *opened)
{
    bool open = c->changed && *opened < MOST_OPEN;
    *opened += open;
    lc_buf_printf(p->out, "<details class=\"case %s\" id=\"c%zu\"%s>", c->fails ? "error" : "good",
                  c->number, open ? " open" : "");
    add_numbered(p->out, c->text, c->number);
    lc_buf_add_c(p->out, "</details>\n");
}

/* The cases of one type begin at `*at`, which moves on. */
static void add_group(const page *p, const type_sums *sums, size_t *at, size_t *opened)
{
    size_t rank = sums->cases[*at]->rank;
    const type_sum *sum = sums->items.items[rank];
    bool open = sum->cases && *opened < MOST_OPEN && has_findings(sum);
    lc_buf_printf(p->out, "<details class=\"group\"%s>", open ? " open" : "");
    add_type_head(p->out, sum);
    lc_buf_printf(p->out, " <span class=\"dim\">%zu case%s", sum->cases,
                  sum->cases == 1 ? "" : "s");
    if (sum->failing)
        lc_buf_printf(p->out, ", %zu do%s not pass", sum->failing, sum->failing == 1 ? "es" : "");
    lc_buf_add_c(p->out, "</span></summary>\n");
    for (; *at < sums->case_count && sums->cases[*at]->rank == rank; ++*at)
        add_one_case(p, sums->cases[*at], opened);
    lc_buf_add_c(p->out, "</details>\n");
}

static void add_cases(const page *p, const type_sums *sums)
{
    size_t opened = 0, shown = p->cases.count - p->hidden;
    if (shown)
        lc_buf_add_c(p->out, "<h2>Cases</h2>\n");
    if (p->hidden)
        lc_buf_printf(
            p->out,
            "<p>%zu more case%s not shown here; -v and --format json have all of them.</p>\n",
            p->hidden, p->hidden == 1 ? " is" : "s are");
    for (size_t at = 0; shown > FEW_CASES && at < sums->case_count;)
        add_group(p, sums, &at, &opened);
    for (int fails = 1; shown <= FEW_CASES && fails >= 0; fails--) {
        for (size_t i = 0; i < p->cases.count; i++) {
            if (p->cases.items[i].shown && p->cases.items[i].fails == (fails != 0))
                add_one_case(p, &p->cases.items[i], &opened);
        }
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
                  "<h2>Nothing to report</h2>\n<details><summary>%zu case%s; with -v %s calls "
                  "and values are shown too</summary>\n<ul class=\"gaps\">\n",
                  count, count == 1 ? "" : "s", count == 1 ? "its" : "their");
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
        count += part.kind == MESSAGE;
    if (count)
        lc_buf_add_c(out, "<h2>Inputs</h2>\n");
    bool folded = count > MOST_MESSAGES + 1;
    while (lc_part_next(&part, &parts)) {
        if (part.kind != MESSAGE)
            continue;
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
    lc_buf_add_c(out, "</style></head><body><main>\n");
}

void lc_html_end(lc_buf *out)
{
    lc_buf_add_c(out, "</main></body></html>\n");
}

void lc_html_add_versions(lc_buf *out, const char *how)
{
    lc_buf_printf(out, "<p class=\"dim\">Checked %sby lifecheck %s, which mirrors OpenTofu %s and ",
                  how, LC_VERSION, LC_MIRRORED_OPENTOFU);
    lc_buf_printf(out, "Terraform %s.</p>\n", LC_MIRRORED_TERRAFORM);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    page p = {.options = report->options,
              .arena = lc_arena_new(),
              .out = out,
              .parts = lc_buf_str(&report->body)};
    lc_buf title = {0};
    type_sums sums;
    read_page(&p);
    sum_types(&sums, &p);
    lc_summary_add_title(&title, summary);
    lc_html_begin(out, lc_buf_str(&title));
    add_sums(out, report->options, summary);
    add_origins(out, p.parts);
    add_messages(out, lc_buf_str(&report->errors));
    add_list(&p, &sums);
    add_matrix_of(&p);
    add_cases(&p, &sums);
    add_silent(out, p.parts);
    add_rules(&p);
    lc_html_end(out);
    lc_buf_release(&title);
    lc_arena_free(p.arena);
}

const lc_writer lc_writer_html = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = take,
    .end = end,
};

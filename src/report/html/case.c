/* One case of the HTML report: its calls as a timeline, the values of all objects side by side, and
 * each finding with its evidence. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "report/html/internal.h"

#include <string.h>

#define MOST_SHOWN 400
#define MOST_ROWS  500 /* of a table, without -v */

/* ---- Words. */

static void add_shown(lc_buf *out, lc_str json)
{
    lc_buf words = {0};
    lc_add_shown(&words, json);
    lc_markup_add(out, lc_buf_str(&words));
    lc_buf_release(&words);
}

static void add_badge(lc_buf *out, const char *class, const char *words)
{
    lc_buf_printf(out, "<span class=\"badge %s\">%s</span>", class, words);
}

static bool marker(lc_str json, const char *name, lc_str *word)
{
    size_t length = strlen(name);
    if (!lc_str_starts_with(json, lc_str_from_c(name)) || !lc_str_ends_with(json, LC_STR("\"}")) ||
        memchr(json.ptr + length, '"', json.len - length - 2))
        return false;
    *word = lc_str_sub(json, length, json.len - 2);
    return true;
}

void lc_html_value(lc_buf *out, lc_str json, size_t most)
{
    lc_str word;
    size_t at = 0;
    if (lc_str_is(json, "{\"$unknown\":true}")) {
        lc_buf_add_c(out, "<i>!unknown</i>");
        return;
    }
    if (lc_str_is(json, "null")) {
        lc_buf_add_c(out, "<i>null</i>");
        return;
    }
    if (marker(json, "{\"$sensitive\":\"", &word)) {
        lc_buf_printf(out, "<i>sensitive, %.*s</i>", LC_FMT(word));
        return;
    }
    for (size_t count = 0; at < json.len && (most == 0 || count < most); count++)
        lc_utf8_next(json, &at);
    add_shown(out, lc_str_sub(json, 0, at));
    lc_buf_add_c(out, at < json.len ? "<i>&hellip;</i>" : "");
}

static void add_place(lc_buf *out, lc_loc loc)
{
    lc_buf_add_c(out, "<code class=\"dim\">");
    lc_html_words(out, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line)
        lc_buf_printf(out, ":%u:%u", loc.line, loc.column);
    lc_buf_add_c(out, "</code>");
}

/* ---- Timeline. */

typedef struct call_sum {
    size_t count;
    lc_severity worst;
} call_sum;

static bool is_reported(const lc_judged *judged, size_t i)
{
    return judged->suppressed[i].len == 0 && lc_shown_severity(judged, i) != LC_HIDDEN;
}

static call_sum sum_of_call(const lc_judged *judged, size_t run, uint32_t index)
{
    call_sum sum = {0, LC_HIDDEN};
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (f->run != run + 1 || f->call.index != index || !is_reported(judged, i))
            continue;
        lc_severity severity = lc_shown_severity(judged, i);
        sum.count++;
        sum.worst = severity > sum.worst ? severity : sum.worst;
    }
    return sum;
}

static void add_facts(lc_buf *out, const lc_call *call)
{
    if (call->failed == LC_YES)
        lc_buf_add_c(out, " &middot; failed");
    if (call->deferred == LC_YES)
        lc_buf_add_c(out, " &middot; deferred");
    if (call->legacy == LC_YES)
        lc_buf_add_c(out, " &middot; legacy type system");
    if (call->has_requires_replace && call->requires_replace.count)
        lc_buf_add_c(out, " &middot; requires replace");
}

static void add_call(lc_buf *out, const lc_judged *judged, size_t run, const lc_call *call)
{
    call_sum sum = sum_of_call(judged, run, call->index);
    lc_buf_printf(out, "<li class=\"%s\"><b>%s</b>",
                  sum.count ? lc_severity_name(sum.worst) : "good", lc_call_rpc(call->kind));
    lc_buf_printf(out, "<span class=\"dim\">%s", lc_call_kind_name(call->kind));
    add_facts(out, call);
    lc_buf_add_c(out, "</span>");
    if (sum.count)
        lc_buf_printf(out, " <span class=\"badge %s\">%zu finding%s</span>",
                      lc_severity_name(sum.worst), sum.count, sum.count == 1 ? "" : "s");
    lc_buf_add_c(out, "</li>\n");
}

static void add_actions(lc_buf *out, const lc_run_result *result)
{
    lc_action tofu = result->action[LC_OPENTOFU], terraform = result->action[LC_TERRAFORM];
    if (tofu == terraform && tofu != LC_ACTION_NONE)
        lc_buf_printf(out, ": %s", lc_action_name(tofu));
    else if (tofu != terraform)
        lc_buf_printf(out, ": OpenTofu %s, Terraform %s",
                      tofu == LC_ACTION_NONE ? "nothing" : lc_action_name(tofu),
                      terraform == LC_ACTION_NONE ? "nothing" : lc_action_name(terraform));
}

static void add_run(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                    size_t i)
{
    const lc_run *run = &judged->scenario->subject.runs.items[i];
    lc_buf_printf(out, "<h3>Run %zu", i + 1);
    add_actions(out, &judged->judgement.runs[i]);
    if (lc_run_is_unapplied(&judged->scenario->subject, &judged->judgement, i))
        lc_buf_add_c(out, ", planned and not applied");
    lc_buf_add_c(out, "</h3>\n");
    if (run->calls.count) {
        lc_buf_add_c(out, "<ol class=\"calls\">\n");
        for (size_t k = 0; k < run->calls.count; k++)
            add_call(out, judged, i, &run->calls.items[k]);
        lc_buf_add_c(out, "</ol>\n");
    }
    lc_html_tree(out, options, judged, i);
}

/* ---- Findings. */

/* The length in bytes of the common end of the expected and the actual value, not counting their
 * common beginning of `from` bytes. */
static size_t end_alike(lc_str a, lc_str b, size_t from)
{
    size_t most = (a.len < b.len ? a.len : b.len) - from, n = 0;
    while (n < most && a.ptr[a.len - 1 - n] == b.ptr[b.len - 1 - n])
        n++;
    return n;
}

static bool is_rune_inside(lc_str s, size_t at)
{
    return at < s.len && ((unsigned char)s.ptr[at] & 0xC0) == 0x80;
}

/* The part of a string in which the expected and the actual value differ; empty for other values,
 * and if they differ from the first character on. */
static lc_str changed_part(const lc_finding *f, const lc_redacted_text *values, lc_column column)
{
    lc_column other = column == f->broken_by ? f->promised_by : f->broken_by;
    lc_str here = values[column].json, there;
    if ((column != f->broken_by && column != f->promised_by) || other == LC_COLUMN_NONE ||
        !values[other].given || here.len == 0 || here.ptr[0] != '"')
        return LC_STR_EMPTY;
    there = values[other].json;
    size_t from = 0, to;
    while (from < here.len && from < there.len && here.ptr[from] == there.ptr[from])
        from++;
    to = here.len - end_alike(here, there, from);
    while (from && is_rune_inside(here, from))
        from--;
    while (is_rune_inside(here, to))
        to++;
    return from > 1 && from < to ? lc_str_sub(here, from, to) : LC_STR_EMPTY;
}

/* Adds the excerpt, with the changed part marked. */
static void add_excerpt(lc_buf *out, lc_excerpt e, lc_str changed)
{
    const char *end = e.text.ptr + e.text.len;
    bool marked = changed.len && changed.ptr >= e.text.ptr && changed.ptr < end;
    size_t from = marked ? (size_t)(changed.ptr - e.text.ptr) : e.text.len;
    size_t to = marked && changed.ptr + changed.len < end ? from + changed.len : e.text.len;
    lc_buf_add_c(out, e.front ? "<i>&hellip;</i>" : "");
    lc_html_words(out, lc_str_sub(e.text, 0, from));
    if (marked) {
        lc_buf_add_c(out, "<mark>");
        lc_html_words(out, lc_str_sub(e.text, from, to));
        lc_buf_add_c(out, "</mark>");
        lc_html_words(out, lc_str_sub(e.text, to, e.text.len));
    }
    lc_buf_add_c(out, e.back ? "<i>&hellip;</i>" : "");
}

static void add_cell(lc_buf *out, const lc_report_options *options, const lc_finding *f,
                     const lc_redacted_text *values, lc_column column)
{
    bool promised = column == f->promised_by, broken = column == f->broken_by;
    lc_buf_printf(out, "<td class=\"v%s\" data-c=\"%s%s\">",
                  broken     ? " broken"
                  : promised ? " promised"
                             : "",
                  lc_column_name(column),
                  broken     ? ", actual"
                  : promised ? ", expected"
                             : "");
    lc_str json = values[column].json;
    if (!values[column].given)
        lc_buf_add_c(out, "<i>&ndash;</i>");
    else if (json.len && json.ptr[0] == '"')
        add_excerpt(out, lc_excerpt_of(f, values, column, options->verbose ? 0 : MOST_SHOWN),
                    changed_part(f, values, column));
    else
        lc_html_value(out, json, options->verbose ? 0 : MOST_SHOWN);
    lc_buf_add_c(out, "</td>");
}

static void add_leaf(lc_buf *out, const lc_report_options *options, const lc_finding *f,
                     const lc_evidence_row *leaf, const bool columns[LC_COLUMN_COUNT])
{
    lc_buf name = {0};
    lc_leaf_add_name(&name, f, leaf);
    lc_buf_add_c(out, "<tr><th scope=\"row\" class=\"path\">");
    lc_html_words(out, lc_buf_str(&name));
    lc_buf_add_c(out, "</th>");
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (columns[column])
            add_cell(out, options, f, leaf->values, (lc_column)column);
    }
    lc_buf_add_c(out, "</tr>\n");
    lc_buf_release(&name);
}

static void add_heads(lc_buf *out, const lc_finding *f, const bool columns[LC_COLUMN_COUNT])
{
    lc_buf_printf(out, "<th scope=\"col\">%s</th>", f->evidence ? "differs" : "path");
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!columns[column])
            continue;
        const char *mark = lc_column_mark(f, (lc_column)column);
        lc_buf_printf(out, "<th scope=\"col\">%s%s%s%s</th>", lc_column_name((lc_column)column),
                      *mark ? "<small>" : "", mark, *mark ? "</small>" : "");
    }
    lc_buf_add_c(out, "</tr></thead><tbody>\n");
}

/* A row for each leaf that differs, a column for every object that has the path, so that a
 * reader can follow a value through the calls. */
static void add_evidence(lc_buf *out, const lc_report_options *options, const lc_finding *f)
{
    lc_evidence_row whole = {.path_text = f->path_text};
    lc_evidence evidence = {&whole, 1, 0};
    bool columns[LC_COLUMN_COUNT], any = false;
    memcpy(whole.values, f->values, sizeof whole.values);
    if (f->evidence)
        evidence = *f->evidence;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        columns[column] = false;
        for (size_t i = 0; i < evidence.count; i++)
            columns[column] |= evidence.rows[i].values[column].given;
        any |= columns[column];
    }
    if (!any)
        return;
    for (int column = 0; column < LC_COLUMN_COUNT; column++)
        columns[column] |= *lc_column_mark(f, (lc_column)column) != '\0';
    lc_html_begin_table(out, "evidence", "values");
    add_heads(out, f, columns);
    for (size_t i = 0; i < evidence.count; i++)
        add_leaf(out, options, f, &evidence.rows[i], columns);
    lc_html_end_table(out);
    if (evidence.more)
        lc_buf_printf(out, "<p class=\"dim\">and %zu more</p>\n", evidence.more);
}

/* The cause of the finding is a violation by another instance. */
static void add_elsewhere(lc_buf *out, const lc_cause *o)
{
    lc_buf text = {0};
    lc_cause_add_text(&text, o);
    lc_html_term(out, "elsewhere", lc_buf_str(&text));
    lc_buf_release(&text);
}

static void add_core(lc_buf *out, const lc_finding *f, lc_core core)
{
    const lc_core_view *view = &f->core[core];
    lc_buf_printf(out, "<dt>%s</dt><dd>%s%s", core == LC_OPENTOFU ? "OpenTofu" : "Terraform",
                  lc_effect_name(view->effect), view->masked ? ", not reached" : "");
    if (view->summary.len) {
        lc_buf_add_c(out, ": ");
        lc_html_prose(out, view->summary);
    }
    if (view->message.len) {
        lc_buf_add_c(out, "<br><code>");
        lc_html_words(out, view->message);
        lc_buf_add_c(out, "</code>");
    }
    lc_buf_add_c(out, "</dd>\n");
}

static void add_reasons(lc_buf *out, const lc_finding *f)
{
    lc_fix fix = lc_finding_fix(f);
    lc_buf_add_c(out, "<dl>\n");
    lc_html_term(out, "why", lc_finding_why(f));
    if (f->cause) {
        add_elsewhere(out, f->cause);
    } else if (lc_str_eq(fix.framework, fix.sdkv2)) {
        lc_html_term(out, "fix", fix.framework);
    } else {
        lc_html_term(out, "framework", fix.framework);
        lc_html_term(out, "SDKv2", fix.sdkv2);
    }
    lc_buf_add_c(out, "</dl>\n<details><summary class=\"dim\">what the clients "
                      "do</summary><dl>\n");
    for (int core = 0; core < LC_CORE_COUNT; core++)
        add_core(out, f, (lc_core)core);
    lc_buf_add_c(out, "</dl></details>\n");
}

static void add_state(lc_buf *out, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    if (judged->suppressed[i].len) {
        lc_buf_add_c(out, " <span class=\"dim\">ignored: ");
        lc_html_words(out, judged->suppressed[i]);
        lc_buf_add_c(out, "</span>");
    } else if (judged->expectation != LC_EXPECTATION_NONE) {
        lc_buf_printf(out, " <span class=\"dim\">%s</span>",
                      judged->expected[i] ? "expected" : "not expected");
    }
    if (f->doubtful)
        lc_buf_add_c(out, " <span class=\"dim\">the evidence contradicts itself here</span>");
}

static void add_part_of(lc_buf *out, const char *word, lc_str part)
{
    if (part.len == 0)
        return;
    lc_buf_printf(out, "%s<span class=\"path\">", word);
    lc_html_words(out, part);
    lc_buf_add_c(out, "</span>");
}

static void add_finding(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                        size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    const char *severity = lc_severity_name(lc_shown_severity(judged, i));
    lc_buf_printf(out, "<article class=\"finding %s%s\" id=\"%cf%zu\"><h3>", severity,
                  f->follows >= 0 ? " follows" : "", LC_HTML_MARK, i + 1);
    add_badge(out, severity, severity);
    lc_buf_printf(out, " <a href=\"#r-%.*s\">%.*s</a>", LC_FMT(lc_rule_get(f->rule)->slug),
                  LC_FMT(lc_rule_get(f->rule)->slug));
    add_part_of(out, " of ", f->address);
    add_part_of(out, " at ", f->path_text);
    lc_buf_printf(out, "</h3>\n<p>%s", lc_call_rpc(f->call.kind));
    for (size_t k = 0; k < f->also_count; k++)
        lc_buf_printf(out, "%s%s", k ? ", " : ", again in ", lc_call_kind_name(f->also[k].kind));
    if (judged->scenario->subject.runs.count > 1)
        lc_buf_printf(out, ", run %u", f->run);
    lc_buf_add_c(out, *lc_call_rpc(f->call.kind) ? " &middot; " : "");
    add_place(out, f->loc);
    add_state(out, judged, i);
    lc_buf_add_c(out, "</p>\n");
    add_evidence(out, options, f);
    add_reasons(out, f);
    lc_buf_add_c(out, "</article>\n");
}

static void add_findings(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    size_t reported = 0, left = 0;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (lc_shown_severity(judged, i) == LC_HIDDEN)
            continue;
        if (reported == LC_HTML_MOST_FINDINGS && !options->verbose) {
            left++;
            continue;
        }
        add_finding(out, options, judged, i);
        reported++;
    }
    if (left)
        lc_buf_printf(
            out, "<p class=\"dim\">... and %zu more; -v and --format json list all of them</p>\n",
            left);
}

/* ---- Expectations, notes, what could not be checked. */

static void add_item(lc_buf *out, const char *class, const char *kind, lc_str text, lc_loc loc)
{
    lc_buf_add_c(out, "<p>");
    add_badge(out, class, kind);
    lc_buf_add_char(out, ' ');
    lc_html_prose(out, text);
    lc_buf_add_char(out, ' ');
    add_place(out, loc);
    lc_buf_add_c(out, "</p>\n");
}

static void add_notes(lc_buf *out, const lc_judged *judged)
{
    bool known = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    for (size_t i = 0; i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        if (strcmp(failure->kind, "unexpected") != 0)
            add_item(out, known ? "info" : "error", failure->kind, failure->detail, failure->loc);
    }
    for (size_t i = 0; i < judged->notes.count; i++) {
        const lc_expectation_failure *note = &judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        add_item(out, fails ? "error" : "warning", note->kind, note->detail, note->loc);
    }
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        add_item(out, lc_severity_name(judged->lint_severities[i]), lc_lint_get(note->lint)->id,
                 note->message, note->loc);
    }
}

static void add_gap(lc_buf *out, const lc_gap *gap)
{
    lc_buf_printf(out, "<li>%.*s:", LC_FMT(gap->reason));
    for (size_t i = 0; i < gap->name_count; i++)
        lc_buf_printf(out, "%s %.*s", i ? "," : "", LC_FMT(gap->names[i]));
    lc_buf_printf(out, " (%zu)</li>\n", gap->rule_count);
}

static void add_coverage(lc_buf *out, const lc_judgement *judgement)
{
    lc_rule_counts counts = lc_count_rules(judgement);
    lc_arena *arena = lc_arena_new();
    lc_buf_printf(out,
                  "<ul class=\"gaps\"><li>%u rules checked, %u not checked, %u do not apply"
                  "</li>\n",
                  counts.checked, counts.not_checked, counts.not_applicable);
    lc_gaps gaps;
    lc_gaps_init(&gaps, judgement);
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        lc_gap gap;
        if (lc_gap_of(&gap, arena, &gaps, (lc_need)need))
            add_gap(out, &gap);
    }
    lc_buf_add_c(out, "</ul>\n");
    lc_arena_free(arena);
}

/* ---- Tables of whole plans and configurations. */

static void add_table_row(lc_buf *out, const lc_case_table *table, const lc_case_row *row)
{
    lc_buf_add_c(out, "<tr>");
    for (size_t i = 0; i < table->columns; i++) {
        bool words = i + 1 == table->columns;
        lc_buf_printf(out, "<td data-c=\"%s\">%s", table->heads[i], words ? "" : "<code>");
        lc_add_cell_lines(out, row->cells[i], lc_html_words);
        lc_buf_add_c(out, words ? "</td>" : "</code></td>");
    }
    lc_buf_add_c(out, "</tr>\n");
}

static void add_unchanged(lc_buf *out, const lc_case_table *table, size_t most)
{
    size_t shown = 0;
    if (!table->unchanged.count)
        return;
    lc_buf_printf(out, "<details><summary>%zu unchanged</summary>\n<ul>\n", table->unchanged.count);
    for (; shown < table->unchanged.count && shown < most; shown++) {
        lc_buf_add_c(out, "<li><code>");
        lc_html_words(out, table->unchanged.items[shown]);
        lc_buf_add_c(out, "</code></li>\n");
    }
    lc_buf_add_c(out, "</ul>\n");
    if (shown < table->unchanged.count)
        lc_buf_printf(out, "<p class=\"dim\">... and %zu more</p>\n",
                      table->unchanged.count - shown);
    lc_buf_add_c(out, "</details>\n");
}

static void add_table(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    lc_case_table table;
    bool any = lc_case_table_of(&table, arena, judged);
    size_t most = options->verbose ? SIZE_MAX : MOST_ROWS, shown = 0;
    if (any)
        lc_buf_printf(out, "<details%s><summary>%s</summary>\n", options->tables ? " open" : "",
                      table.title);
    if (any && table.lead.len) {
        lc_buf_add_c(out, "<p>");
        lc_html_prose(out, table.lead);
        lc_buf_add_c(out, "</p>\n");
    }
    if (any && table.rows.count) {
        lc_html_begin_table(out, "values", table.title);
        for (size_t i = 0; i < table.columns; i++)
            lc_buf_printf(out, "<th scope=\"col\">%s</th>", table.heads[i]);
        lc_buf_add_c(out, "</tr></thead><tbody>\n");
        for (; shown < table.rows.count && shown < most; shown++)
            add_table_row(out, &table, &table.rows.items[shown]);
        lc_html_end_table(out);
    }
    if (any && shown < table.rows.count)
        lc_buf_printf(
            out, "<p class=\"dim\">... and %zu more; -v and --format json list all of them</p>\n",
            table.rows.count - shown);
    for (size_t i = 0; any && i < table.notes.count && i < most; i++) {
        lc_buf_add_c(out, "<p>");
        lc_html_prose(out, table.notes.items[i]);
        lc_buf_add_c(out, "</p>\n");
    }
    if (any)
        add_unchanged(out, &table, most);
    lc_buf_add_c(out, any ? "</details>\n" : "");
    lc_arena_free(arena);
}

/* ---- The case. */

static void add_summary(lc_buf *out, const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    bool known = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    bool skipped = judged->passes && judged->verdict == LC_NOT_JUDGED;
    add_badge(out,
              !judged->passes ? "error"
              : known         ? "warning"
              : skipped       ? "none"
                              : "good",
              lc_verdict_words(judged));
    lc_buf_add_c(out, " <b>");
    lc_html_words(out, c->name.len ? c->name : c->resource);
    lc_buf_add_c(out, "</b> ");
    add_place(out, (lc_loc){c->file, 0, 0});
    if (c->name.len && !lc_str_eq(c->name, c->resource)) {
        lc_buf_add_c(out, " <span class=\"dim\">");
        lc_html_words(out, c->resource);
        lc_buf_add_c(out, "</span>");
    }
}

void lc_html_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_buf_add_c(out, "<summary>");
    add_summary(out, judged);
    lc_buf_add_c(out, "</summary>\n<div class=\"body\">\n");
    bool calls = judged->judgement.domain == LC_DOMAIN_LIFECYCLE;
    for (size_t i = 0; calls && i < judged->scenario->subject.runs.count; i++)
        add_run(out, options, judged, i);
    if (!calls)
        add_table(out, options, judged);
    add_findings(out, options, judged);
    add_notes(out, judged);
    add_coverage(out, &judged->judgement);
    lc_buf_add_c(out, "</div>\n");
}

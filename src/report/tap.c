/* TAP version 14: a test for each case, its rules as a subtest, findings as YAML diagnostics.
 * The plan comes last, so that cases are written as they are judged. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#define MAX_REPORTED 20

enum { PREFIX, PASSED, FAILED };

/* ---- Lines. */

/* A description: backslash and # would end it. */
static void add_escaped(lc_buf *out, lc_str text)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    for (size_t i = 0; i < words.len; i++) {
        if (words.ptr[i] == '\\' || words.ptr[i] == '#')
            lc_buf_add_char(out, '\\');
        lc_buf_add_char(out, words.ptr[i]);
    }
    lc_buf_release(&words);
}

static const char *state_words(lc_test_state state)
{
    return state == LC_TEST_FAILED || state == LC_TEST_TODO ? "not ok" : "ok";
}

static void add_directive(lc_buf *out, lc_test_state state, lc_str reason)
{
    if (state == LC_TEST_SKIPPED || state == LC_TEST_TODO) {
        lc_buf_add_c(out, state == LC_TEST_TODO ? " # TODO " : " # SKIP ");
        lc_text_words(out, reason);
    }
    lc_buf_add_char(out, '\n');
}

/* ---- YAML, whose strings and values are JSON. */

typedef struct yaml {
    lc_buf *out;
    int indent;
} yaml;

static void add_key(const yaml *y, const char *key)
{
    lc_buf_printf(y->out, "%*s%s: ", y->indent, "", key);
}

static void add_string(const yaml *y, const char *key, lc_str text)
{
    lc_buf words = {0};
    if (text.len == 0)
        return;
    lc_text_words(&words, text);
    add_key(y, key);
    lc_buf_add_json(y->out, lc_buf_str(&words), false);
    lc_buf_add_char(y->out, '\n');
    lc_buf_release(&words);
}

static void add_place(const yaml *y, lc_loc loc)
{
    lc_buf place = {0};
    lc_text_words(&place, loc.file);
    if (loc.line)
        lc_buf_printf(&place, ":%u:%u", loc.line, loc.column);
    add_string(y, "at", lc_buf_str(&place));
    lc_buf_release(&place);
}

static void add_values(const yaml *y, const lc_finding *f)
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!f->values[column].given)
            continue;
        add_key(y, lc_column_name((lc_column)column));
        lc_text_words(y->out, f->values[column].json);
        lc_buf_add_char(y->out, '\n');
    }
}

static void add_finding(const yaml *y, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_fix fix = lc_finding_fix(f);
    lc_buf_printf(y->out, "%*s- rule: %.*s\n", y->indent - 2, "",
                  LC_FMT(lc_rule_get(f->rule)->slug));
    if (f->address.len)
        add_string(y, "address", f->address);
    add_string(y, "path", f->path_text);
    add_string(y, "call", lc_str_from_c(lc_call_rpc(f->call.kind)));
    lc_buf_printf(y->out, "%*sseverity: %s\n", y->indent, "",
                  lc_severity_name(lc_shown_severity(judged, i)));
    add_place(y, f->loc);
    add_values(y, f);
    add_string(y, "why", lc_finding_why(f));
    add_string(y, "framework", fix.framework);
    add_string(y, "sdkv2", fix.sdkv2);
}

static void add_failures(const yaml *y, const lc_judged *judged)
{
    yaml entry = {y->out, y->indent + 4};
    if (judged->failures.count)
        lc_buf_printf(y->out, "%*sexpectation:\n", y->indent, "");
    for (size_t i = 0; i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        lc_buf_printf(y->out, "%*s- kind: %s\n", y->indent + 2, "", failure->kind);
        add_string(&entry, "detail", failure->detail);
        add_place(&entry, failure->loc);
    }
}

static void add_findings(const yaml *y, const lc_judged *judged, const lc_test *test)
{
    yaml entry = {y->out, y->indent + 4};
    size_t reported = 0, more = 0;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (!lc_test_has(test, judged, i))
            continue;
        if (reported == 0)
            lc_buf_printf(y->out, "%*sfindings:\n", y->indent, "");
        if (reported == MAX_REPORTED) {
            more++;
            continue;
        }
        add_finding(&entry, judged, i);
        reported++;
    }
    if (more)
        lc_buf_printf(y->out, "%*smore_findings: %zu\n", y->indent, "", more);
}

static void add_diagnostics(lc_buf *out, const lc_judged *judged, const lc_test *test, int indent)
{
    yaml y = {out, indent + 2};
    bool reported = test->state == LC_TEST_FAILED || test->reported;
    if (!reported)
        return;
    lc_buf_printf(out, "%*s---\n", y.indent, "");
    add_string(&y, "message", test->reason);
    if (test->rule == LC_TEST_WHOLE)
        add_failures(&y, judged);
    add_findings(&y, judged, test);
    lc_buf_printf(out, "%*s...\n", y.indent, "");
}

/* ---- A case. */

static void add_subtest(lc_buf *out, const lc_judged *judged, const lc_tests *tests, lc_str name)
{
    lc_buf_add_c(out, "# Subtest: ");
    lc_buf_add_str(out, name);
    lc_buf_printf(out, "\n    1..%zu\n", tests->count);
    for (size_t i = 0; i < tests->count; i++) {
        const lc_test *test = &tests->items[i];
        lc_buf_printf(out, "    %s %zu - ", state_words(test->state), i + 1);
        add_escaped(out, test->name);
        add_directive(out, test->state, test->reason);
        add_diagnostics(out, judged, test, 4);
    }
}

static void add_part(lc_buf *out, unsigned kind, const lc_buf *text)
{
    lc_part part = {.kind = kind, .text = lc_buf_str(text)};
    lc_part_add(out, &part);
}

/* The line of the case gets its number where pieces are put together. */
static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    lc_tests tests = lc_tests_of(arena, options, judged);
    lc_buf name = {0}, subtest = {0}, line = {0};
    bool alone = judged->expectation != LC_EXPECTATION_NONE && tests.count == 1;
    lc_add_case_name(&name, &judged->scenario->subject);
    if (!alone && tests.count)
        add_subtest(&subtest, judged, &tests, lc_buf_str(&name));
    lc_buf_add_c(&line, " - ");
    add_escaped(&line, lc_buf_str(&name));
    add_directive(&line, tests.state, tests.reason);
    if (alone)
        add_diagnostics(&line, judged, &tests.items[0], 0);
    add_part(out, PREFIX, &subtest);
    add_part(out, *state_words(tests.state) == 'n' ? FAILED : PASSED, &line);
    lc_buf_release(&name);
    lc_buf_release(&subtest);
    lc_buf_release(&line);
    lc_arena_free(arena);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_buf line = {0};
    yaml y = {&line, 2};
    (void)options;
    if (diag->severity != LC_DIAG_ERROR) {
        lc_buf_add_c(&line, "# ");
        lc_text_words(&line, diag->loc.file);
        lc_buf_add_c(&line, ": ");
        lc_text_words(&line, diag->message);
        lc_buf_add_char(&line, '\n');
        add_part(out, PREFIX, &line);
    } else {
        lc_buf_add_c(&line, " - ");
        add_escaped(&line, diag->loc.file);
        lc_buf_add_c(&line, "\n  ---\n");
        add_string(&y, "message", diag->message);
        add_place(&y, diag->loc);
        lc_buf_add_c(&line, "  ...\n");
        add_part(out, FAILED, &line);
    }
    lc_buf_release(&line);
}

/* ---- The stream. */

static void begin(lc_buf *out, const lc_report_options *options)
{
    (void)options;
    lc_buf_add_c(out, "TAP version 14\n");
}

static void take_parts(lc_report *report, lc_str parts, lc_buf *out)
{
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        if (part.kind != PREFIX)
            lc_buf_printf(out, "%s %llu", part.kind == FAILED ? "not ok" : "ok",
                          (unsigned long long)++report->counts[0]);
        lc_buf_add_str(out, part.text);
    }
}

static void take(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    take_parts(report, errors, out);
    take_parts(report, cases, out);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    (void)summary;
    lc_buf_printf(out, "1..%llu%s\n", (unsigned long long)report->counts[0],
                  report->counts[0] ? "" : " # SKIP nothing was checked");
    lc_text_narrowed(out, "# ", &report->options->policy);
}

const lc_writer lc_writer_tap = {
    .begin = begin,
    .add_case = add_case,
    .add_diag = add_diag,
    .take = take,
    .end = end,
};

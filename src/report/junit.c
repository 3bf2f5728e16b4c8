/* JUnit's XML, which has no standard: a suite for each case, a test for each rule. Readers agree
 * on little more than names, counts and the text inside `failure`, so that text has everything a
 * person needs. A known failure is `skipped`.
 *
 * A rule that could not be checked is not a test: harnesses count what is skipped, and a perfect
 * run would seem to skip a fifth. It is reported once for each case. No test has a time: checks
 * do not wait, and the same input gives the same bytes. */
#include "lifecheck/base/arena.h"
#include "lifecheck/report/suites.h"
#include "report/internal.h"

enum { TESTS, FAILURES, ERRORS, SKIPPED };

static void add_attribute(lc_buf *out, const char *name, lc_str value)
{
    lc_buf words = {0};
    lc_text_words(&words, value);
    lc_buf_printf(out, " %s=\"", name);
    lc_markup_add(out, lc_buf_str(&words));
    lc_buf_add_char(out, '"');
    lc_buf_release(&words);
}

static void add_counts(lc_buf *out, const uint64_t counts[4])
{
    lc_buf_printf(out, " tests=\"%llu\" failures=\"%llu\" errors=\"%llu\" skipped=\"%llu\">\n",
                  (unsigned long long)counts[TESTS], (unsigned long long)counts[FAILURES],
                  (unsigned long long)counts[ERRORS], (unsigned long long)counts[SKIPPED]);
}

static void add_text(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                     const lc_test *test)
{
    lc_buf text = {0};
    lc_test_add_text(&text, options, judged, test);
    lc_markup_add(out, lc_buf_str(&text));
    lc_buf_release(&text);
}

static void add_outcome(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                        const lc_test *test)
{
    switch (test->state) {
    case LC_TEST_PASSED:
        if (test->reported == 0)
            break;
        lc_buf_add_c(out, "<system-out>");
        add_text(out, options, judged, test);
        lc_buf_add_c(out, "</system-out>");
        break;
    case LC_TEST_FAILED:
        lc_buf_add_c(out, "<failure");
        add_attribute(out, "message", test->reason);
        add_attribute(out, "type", test->name);
        lc_buf_add_char(out, '>');
        add_text(out, options, judged, test);
        lc_buf_add_c(out, "</failure>");
        break;
    case LC_TEST_SKIPPED:
    case LC_TEST_TODO:
        lc_buf_add_c(out, "<skipped");
        add_attribute(out, "message", test->reason);
        lc_buf_add_c(out, "/>");
        break;
    }
}

static void add_test(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                     const lc_test *test, lc_str class)
{
    lc_buf_add_c(out, "<testcase");
    add_attribute(out, "classname", class);
    add_attribute(out, "name", test->name);
    lc_buf_add_char(out, '>');
    add_outcome(out, options, judged, test);
    lc_buf_add_c(out, "</testcase>\n");
}

/* What could not be checked. */
static void add_gaps(lc_buf *out, lc_arena *arena, const lc_judgement *judgement)
{
    lc_buf text = {0};
    lc_gaps gaps;
    lc_gaps_init(&gaps, judgement);
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        lc_gap gap;
        if (!lc_gap_of(&gap, arena, &gaps, (lc_need)need))
            continue;
        lc_buf_printf(&text, "%.*s:", LC_FMT(gap.reason));
        for (size_t i = 0; i < gap.name_count; i++)
            lc_buf_printf(&text, "%s %.*s", i ? "," : "", LC_FMT(gap.names[i]));
        lc_buf_printf(&text, " (%zu)\n", gap.rule_count);
    }
    if (text.len) {
        lc_buf_add_c(out, "<system-out>");
        lc_markup_add(out, lc_buf_str(&text));
        lc_buf_add_c(out, "</system-out>\n");
    }
    lc_buf_release(&text);
}

/* That nothing could be judged is a test, so that a case is never missing. */
static void leave_out_gaps(lc_tests *tests, lc_arena *arena)
{
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        if (!tests->items[i].lacks)
            tests->items[kept++] = tests->items[i];
    }
    tests->count = kept;
    if (kept == 0 || tests->state == LC_TEST_SKIPPED)
        *LC_PUSH(arena, tests, lc_test) = (lc_test){.state = LC_TEST_SKIPPED,
                                                    .name = LC_STR("judged"),
                                                    .reason = LC_STR("nothing could be checked"),
                                                    .rule = LC_TEST_PLAIN};
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    lc_tests tests = lc_tests_of(arena, options, judged);
    lc_buf name = {0}, suite = {0};
    leave_out_gaps(&tests, arena);
    lc_part part = {.numbers = {tests.count}};
    for (size_t i = 0; i < tests.count; i++) {
        lc_test_state state = tests.items[i].state;
        part.numbers[FAILURES] += state == LC_TEST_FAILED;
        part.numbers[SKIPPED] += state == LC_TEST_SKIPPED || state == LC_TEST_TODO;
    }
    lc_add_case_name(&name, &judged->scenario->subject);
    lc_buf_add_c(&suite, "<testsuite");
    add_attribute(&suite, "name", lc_buf_str(&name));
    add_counts(&suite, part.numbers);
    for (size_t i = 0; i < tests.count; i++)
        add_test(&suite, options, judged, &tests.items[i], lc_buf_str(&name));
    if (judged->expectation == LC_EXPECTATION_NONE)
        add_gaps(&suite, arena, &judged->judgement);
    lc_buf_add_c(&suite, "</testsuite>\n");
    part.text = lc_buf_str(&suite);
    lc_part_add(out, &part);
    lc_buf_release(&name);
    lc_buf_release(&suite);
    lc_arena_free(arena);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    bool error = diag->severity == LC_DIAG_ERROR;
    lc_part part = {.numbers = {1, 0, error, !error}};
    lc_buf suite = {0}, message = {0};
    lc_report_options plain = {.policy = options->policy};
    lc_text text = {&message, &plain, NULL};
    lc_text_location(&text, diag->loc);
    lc_text_words(&message, diag->message);
    lc_buf_add_c(&suite, "<testsuite");
    add_attribute(&suite, "name", diag->loc.file);
    add_counts(&suite, part.numbers);
    lc_buf_add_c(&suite, "<testcase");
    add_attribute(&suite, "classname", diag->loc.file);
    lc_buf_printf(&suite, " name=\"input\"><%s", error ? "error" : "skipped");
    add_attribute(&suite, "message", lc_buf_str(&message));
    lc_buf_printf(&suite, "%s/></testcase>\n</testsuite>\n", error ? " type=\"input\"" : "");
    part.text = lc_buf_str(&suite);
    lc_part_add(out, &part);
    lc_buf_release(&suite);
    lc_buf_release(&message);
}

static void take_parts(lc_report *report, lc_str parts)
{
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        for (int i = 0; i < 4; i++)
            report->counts[i] += part.numbers[i];
        lc_buf_add_str(&report->body, part.text);
    }
}

static void take(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    (void)out;
    take_parts(report, errors);
    take_parts(report, cases);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    (void)summary;
    lc_buf_add_c(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lifecheck\"");
    add_counts(out, report->counts);
    lc_buf_add_str(out, lc_buf_str(&report->body));
    if (report->options->policy.narrowed.len) {
        lc_buf_add_c(out, "<testsuite name=\"settings\" tests=\"0\"><properties><property "
                          "name=\"narrowed\" value=\"");
        lc_markup_add(out, report->options->policy.narrowed);
        lc_buf_add_c(out, "\"/></properties></testsuite>\n");
    }
    lc_buf_add_c(out, "</testsuites>\n");
}

/* ---- Tests that are not cases. */

static void add_suite_test(lc_buf *out, const lc_suite *suite, const lc_suite_test *test)
{
    lc_buf text = {0};
    for (size_t at = 0; at < test->text.len; at = lc_str_find(test->text, at, '\n') + 1) {
        lc_text_words(&text, lc_str_sub(test->text, at, lc_str_find(test->text, at, '\n')));
        lc_buf_add_char(&text, '\n');
    }
    lc_buf_add_c(out, "<testcase");
    add_attribute(out, "classname", suite->name);
    add_attribute(out, "name", test->name);
    lc_buf_add_char(out, '>');
    if (test->state != LC_SUITE_PASSED) {
        bool failed = test->state == LC_SUITE_FAILED;
        lc_buf_add_c(out, failed ? "<failure" : "<skipped");
        add_attribute(out, "message", test->message);
        if (failed)
            add_attribute(out, "type", test->type);
        lc_buf_add_char(out, '>');
        if (failed)
            lc_markup_add(out, lc_buf_str(&text));
        lc_buf_add_c(out, failed ? "</failure>" : "</skipped>");
    } else if (text.len) {
        lc_buf_add_c(out, "<system-out>");
        lc_markup_add(out, lc_buf_str(&text));
        lc_buf_add_c(out, "</system-out>");
    }
    lc_buf_add_c(out, "</testcase>\n");
    lc_buf_release(&text);
}

static void count_suite(uint64_t counts[4], const lc_suite *suite)
{
    for (size_t i = 0; i < suite->tests.count; i++) {
        counts[TESTS]++;
        counts[FAILURES] += suite->tests.items[i].state == LC_SUITE_FAILED;
        counts[SKIPPED] += suite->tests.items[i].state == LC_SUITE_SKIPPED;
    }
}

void lc_suites_junit(lc_buf *out, const lc_suite *suites, size_t count)
{
    uint64_t all[4] = {0};
    for (size_t i = 0; i < count; i++)
        count_suite(all, &suites[i]);
    lc_buf_add_c(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lifecheck\"");
    add_counts(out, all);
    for (size_t i = 0; i < count; i++) {
        uint64_t counts[4] = {0};
        count_suite(counts, &suites[i]);
        lc_buf_add_c(out, "<testsuite");
        add_attribute(out, "name", suites[i].name);
        add_counts(out, counts);
        for (size_t k = 0; k < suites[i].tests.count; k++)
            add_suite_test(out, &suites[i], &suites[i].tests.items[k]);
        lc_buf_add_c(out, "</testsuite>\n");
    }
    lc_buf_add_c(out, "</testsuites>\n");
}

const lc_writer lc_writer_junit = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = take,
    .end = end,
};

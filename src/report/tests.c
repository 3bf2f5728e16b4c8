/* A case as tests: for JUnit and TAP. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"
#include "report/internal.h"

#include <string.h>

#define MAX_REPORTED 20

typedef struct builder {
    lc_arena *arena;
    const lc_report_options *options;
    const lc_judged *judged;
    lc_tests tests;
} builder;

static lc_test *add_test(builder *b, lc_test_state state, lc_str name, lc_str reason)
{
    lc_test *test = LC_PUSH(b->arena, &b->tests, lc_test);
    *test = (lc_test){.state = state, .name = name, .reason = reason, .rule = LC_TEST_PLAIN};
    return test;
}

/* ---- Rules. */

typedef struct rule_sum {
    size_t reported, fails, suppressed;
    lc_str reason; /* of the first that is suppressed */
} rule_sum;

static void sum_up(const builder *b, rule_sum sums[LC_RULE_COUNT])
{
    const lc_judged *judged = b->judged;
    memset(sums, 0, LC_RULE_COUNT * sizeof *sums);
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        rule_sum *sum = &sums[judged->judgement.findings.items[i].rule];
        if (judged->severities[i] == LC_HIDDEN)
            continue;
        if (judged->suppressed[i].len) {
            sum->reason = sum->suppressed++ ? sum->reason : judged->suppressed[i];
            continue;
        }
        sum->reported++;
        sum->fails += lc_finding_fails(judged, &b->options->policy, i);
    }
}

static lc_str skip_reason(const builder *b, lc_rule rule)
{
    return lc_not_checked_reason(b->arena, b->judged->judgement.missing[rule]);
}

static void add_rule(builder *b, lc_rule rule, const rule_sum *sum)
{
    const lc_judgement *judgement = &b->judged->judgement;
    lc_str slug = lc_rule_get(rule)->slug;
    lc_test *test = NULL;
    if (sum->fails)
        test = add_test(b, LC_TEST_FAILED, slug, lc_rule_get(rule)->title);
    else if (sum->reported)
        test = add_test(b, LC_TEST_PASSED, slug, LC_STR_EMPTY);
    else if (sum->suppressed)
        add_test(b, LC_TEST_SKIPPED, slug,
                 lc_str_printf(b->arena, "ignored: %.*s", LC_FMT(sum->reason)));
    else if (judgement->coverage[rule] == LC_COVER_CHECKED)
        add_test(b, LC_TEST_PASSED, slug, LC_STR_EMPTY);
    else if (judgement->coverage[rule] == LC_COVER_NOT_CHECKED &&
             judgement->missing[rule] != LC_NEED_COUNT)
        add_test(b, LC_TEST_SKIPPED, slug, skip_reason(b, rule))->lacks = true;
    if (test) {
        test->rule = rule;
        test->reported = sum->reported;
    }
}

static void add_rules(builder *b)
{
    rule_sum *sums = LC_NEW_ARRAY(b->arena, rule_sum, LC_RULE_COUNT);
    sum_up(b, sums);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (sums[rule].reported || lc_policy_selects(&b->options->policy, (lc_rule)rule))
            add_rule(b, (lc_rule)rule, &sums[rule]);
    }
}

/* ---- What else makes a case fail. */

static void add_expectation(builder *b)
{
    const lc_scenario *scenario = b->judged->scenario;
    lc_test_state state = LC_TEST_PASSED;
    lc_str reason = LC_STR_EMPTY;
    if (b->judged->expectation == LC_EXPECTATION_UNMET) {
        state = LC_TEST_FAILED;
        reason = LC_STR("the expectation is not met");
    } else if (b->judged->expectation == LC_EXPECTATION_KNOWN_FAILING) {
        state = LC_TEST_TODO;
        reason =
            lc_str_printf(b->arena, "known failing: %.*s", LC_FMT(scenario->known_failing_reason));
    }
    add_test(b, state, LC_STR("expectation"), reason)->rule = LC_TEST_WHOLE;
}

/* Readers merge tests of one name. So notes are numbered, and the names of lints have their
 * places. */
static void add_notes(builder *b)
{
    for (size_t i = 0; i < b->judged->notes.count; i++) {
        const lc_expectation_failure *note = &b->judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        add_test(b, fails ? LC_TEST_FAILED : LC_TEST_SKIPPED,
                 lc_str_printf(b->arena, "%s %zu", note->kind, i + 1), note->detail);
    }
}

static bool repeats(const lc_lint_notes *lints, size_t i)
{
    const lc_lint_note *a = &lints->items[i], *b = i ? a - 1 : NULL;
    return b && a->lint == b->lint && a->loc.line == b->loc.line && a->loc.column == b->loc.column;
}

static lc_str lint_name(const builder *b, const lc_lint_note *note, unsigned count)
{
    lc_str name = lc_str_printf(b->arena, "%s at %u:%u", lc_lint_get(note->lint)->id,
                                note->loc.line, note->loc.column);
    return count > 1 ? lc_str_printf(b->arena, "%.*s, %u", LC_FMT(name), count) : name;
}

static void add_lints(builder *b)
{
    unsigned count = 0;
    for (size_t i = 0; i < b->judged->lints.count; i++) {
        count = repeats(&b->judged->lints, i) ? count + 1 : 1;
        const lc_lint_note *note = &b->judged->lints.items[i];
        bool fails = b->judged->lint_severities[i] >= b->options->policy.fail_on;
        add_test(b, fails ? LC_TEST_FAILED : LC_TEST_SKIPPED, lint_name(b, note, count),
                 note->message);
    }
}

static size_t count_failed(const lc_tests *tests)
{
    size_t failed = 0;
    for (size_t i = 0; i < tests->count; i++)
        failed += tests->items[i].state == LC_TEST_FAILED;
    return failed;
}

/* A report that was edited manually may mark a case as failed without a reason. */
static void add_contradiction(builder *b)
{
    size_t failed = count_failed(&b->tests);
    LC_ASSERT(b->judged->places || b->judged->passes == (failed == 0));
    if (!b->judged->passes && failed == 0)
        add_test(b, LC_TEST_FAILED, LC_STR("passes"), LC_STR("the report says so"));
}

static void settle(lc_tests *tests, const lc_judged *judged)
{
    tests->state = judged->passes ? LC_TEST_PASSED : LC_TEST_FAILED;
    if (judged->passes && judged->expectation == LC_EXPECTATION_KNOWN_FAILING)
        tests->state = LC_TEST_TODO;
    if (judged->passes && judged->expectation == LC_EXPECTATION_NONE &&
        judged->verdict == LC_NOT_JUDGED) {
        tests->state = LC_TEST_SKIPPED;
        tests->reason = LC_STR("nothing could be checked");
    }
    if (tests->state == LC_TEST_TODO || tests->state == LC_TEST_FAILED)
        tests->reason = tests->items[0].reason;
}

lc_tests lc_tests_of(lc_arena *arena, const lc_report_options *options, const lc_judged *judged)
{
    builder b = {.arena = arena, .options = options, .judged = judged};
    if (judged->expectation == LC_EXPECTATION_NONE)
        add_rules(&b);
    else
        add_expectation(&b);
    add_notes(&b);
    add_lints(&b);
    add_contradiction(&b);
    settle(&b.tests, judged);
    return b.tests;
}

/* ---- Their findings. */

bool lc_test_has(const lc_test *test, const lc_judged *judged, size_t i)
{
    if (judged->suppressed[i].len || test->rule == LC_TEST_PLAIN)
        return false;
    if (test->rule == LC_TEST_WHOLE)
        return lc_is_open(judged, i);
    return judged->judgement.findings.items[i].rule == (lc_rule)test->rule &&
           judged->severities[i] != LC_HIDDEN;
}

void lc_test_add_text(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                      const lc_test *test)
{
    lc_report_options plain = {.policy = options->policy};
    lc_text text = {out, &plain, judged};
    size_t reported = 0;
    if (test->rule == LC_TEST_WHOLE)
        lc_text_case(out, &plain, judged);
    if (test->rule == LC_TEST_PLAIN)
        lc_text_words(out, test->reason);
    if (test->rule >= LC_RULE_COUNT)
        return;
    for (size_t i = 0; reported < MAX_REPORTED && i < judged->judgement.findings.count; i++) {
        if (!lc_test_has(test, judged, i))
            continue;
        lc_text_finding(&text, i, 0, false);
        reported++;
    }
    if (reported < test->reported)
        lc_buf_printf(out, "... and %zu more\n", test->reported - reported);
}

/* The result of probing as JUnit: a suite for each type, a test for each law. A law that could not
 * be tried is not a test, because harnesses count what is skipped; a type without any test has one
 * that says why. */
#include "cli/commands/probe/probe_pages.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/report/suites.h"

static void describe(lc_buf *out, const lc_probe_finding *f)
{
    lc_buf_printf(out, "%s: %.*s at %.*s: %.*s%s\n", lc_severity_name(f->severity),
                  LC_FMT(lc_rule_get(f->rule)->slug), LC_FMT(f->path), LC_FMT(f->message),
                  f->known ? " (known)" : "");
    if (f->stack.len)
        lc_buf_printf(out, "%.*s\n", LC_FMT(f->stack));
    if (f->file.len)
        lc_buf_printf(out, "see %.*s\n", LC_FMT(f->file));
}

static bool is_of(const lc_probe_finding *f, lc_law law)
{
    return f->law == law && (f->fails || (f->severity >= LC_WARNING && !f->tolerated));
}

static void add_law(lc_suite *suite, lc_arena *arena, const lc_probe_type *type, lc_law law)
{
    lc_buf text = {0};
    lc_suite_test test = {.name = lc_law_get(law)->id};
    for (size_t i = 0; i < type->findings.count; i++) {
        const lc_probe_finding *f = &type->findings.items[i];
        if (!is_of(f, law))
            continue;
        describe(&text, f);
        if (!f->fails || f->known || test.state == LC_SUITE_FAILED)
            continue;
        test.state = LC_SUITE_FAILED;
        test.type = lc_rule_get(f->rule)->slug;
        test.message = lc_str_printf(arena, "%.*s at %.*s: %.*s", LC_FMT(test.type),
                                     LC_FMT(f->path), LC_FMT(f->message));
    }
    test.text = lc_buf_take(arena, &text);
    if (type->laws[law].trials || test.text.len)
        *LC_PUSH(arena, &suite->tests, lc_suite_test) = test;
}

void lc_probe_junit(lc_buf *out, lc_arena *arena, const lc_probe_result *result)
{
    lc_suite *suites = LC_NEW_ARRAY(arena, lc_suite, result->types.count + 1);
    for (size_t i = 0; i < result->types.count; i++) {
        const lc_probe_type *type = &result->types.items[i];
        suites[i] = (lc_suite){.name = type->name};
        for (lc_law law = 0; law < LC_LAW_COUNT && !type->same_as.len; law++)
            add_law(&suites[i], arena, type, law);
        if (suites[i].tests.count == 0)
            *LC_PUSH(arena, &suites[i].tests, lc_suite_test) = (lc_suite_test){
                .name = LC_STR("asked"),
                .state = LC_SUITE_SKIPPED,
                .message = type->same_as.len
                               ? lc_str_printf(arena, "the same schema and findings as %.*s",
                                               LC_FMT(type->same_as))
                           : type->why_not.len ? type->why_not
                                               : LC_STR("no law could be tried")};
    }
    lc_suites_junit(out, suites, result->types.count);
}

/* JUnit of tests that are not cases. Module report. */
#ifndef LIFECHECK_REPORT_SUITES_H
#define LIFECHECK_REPORT_SUITES_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"

/* How a test ended. */
typedef enum lc_suite_state { LC_SUITE_PASSED, LC_SUITE_FAILED, LC_SUITE_SKIPPED } lc_suite_state;

/* A test. Its strings may contain anything. */
typedef struct lc_suite_test {
    lc_str name;
    lc_suite_state state;
    lc_str message; /* failed or skipped: one line */
    lc_str type;    /* failed: what kind of failure it is */
    lc_str text;    /* failed: everything a person needs; passed: what else is to be said, or "" */
} lc_suite_test;

/* Tests about one thing; their names differ. */
typedef struct lc_suite {
    lc_str name;
    LC_VEC(lc_suite_test) tests;
} lc_suite;

/* Appends the whole report. */
void lc_suites_junit(lc_buf *out, const lc_suite *suites, size_t count);

#endif

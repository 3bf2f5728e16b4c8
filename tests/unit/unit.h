/* What all unit test programs have in common: a suite from its beginning to its exit status, and
 * rows of tables. */
#ifndef LC_S_UNIT_UNIT_H
#define LC_S_UNIT_UNIT_H

#include "lifecheck/base/arena.h"

#include <check.h>
#include <stdlib.h>

/* Rows of a table, as loop tests count them. */
#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/* A string against another one; `name` is reported where they differ. */
#define CHECK_TEXT(name, got, want)                                                                \
    ck_assert_msg(lc_str_eq((got), (want)), "%s: got %.*s, want %.*s", (name), LC_FMT(got),        \
                  LC_FMT(want))

/* One test for each row of a table; the test finds its row by `_i`. */
#define ADD_ROWS(tcase, test, table) tcase_add_loop_test(tcase, test, 0, ROWS(table))

/* Apostrophes become quotation marks, so that JSON is easily written in C. */
static inline lc_str quoted(lc_arena *arena, const char *text)
{
    char *copy = lc_str_to_c(arena, lc_str_from_c(text));
    for (char *c = copy; *c; c++) {
        if (*c == '\'')
            *c = '"';
    }
    return lc_str_from_c(copy);
}

/* The next of a sequence that looks random and is the same in every run. */
static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

/* ck_assert_msg for loops of a hundred thousand and more: Check writes a line to a file for each of
 * its own, passed or failed. */
#define ASSERT_EACH(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)

/* A suite whose test cases, when they are made after this, give a test two minutes: far more than
 * any of them takes, so that only one that hangs is stopped, on a slow machine too. */
static inline Suite *suite_begin(const char *name)
{
    lc_heap_install();
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    return suite_create(name);
}

/* Runs and frees the suite; what main returns. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif

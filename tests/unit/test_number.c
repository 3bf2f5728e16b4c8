/* Numbers: what texts are numbers, how they print, and which are equal. The texts were made with
 * Go's math/big; the equalities are those of cty. */
#include "lifecheck/arena.h"
#include "lifecheck/limits.h"
#include "lifecheck/number.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static lc_num number(lc_arena *arena, const char *text)
{
    lc_num n;
    if (text[0] == 'f') { /* a 64-bit float */
        ck_assert(lc_num_from_double(&n, arena, atof(text + 1)));
        return n;
    }
    ck_assert_msg(lc_num_from_text(&n, arena, lc_str_from_c(text), LC_MAX_DIGITS) == LC_NUM_OK,
                  "%s is a number", text);
    return n;
}

typedef void printer(lc_buf *buf, lc_num n);

static void check_print(printer *print, lc_num n, const char *in, const char *want)
{
    lc_buf buf = {0};
    print(&buf, n);
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), want), "%s: %.*s, not %s", in,
                  LC_FMT(lc_buf_str(&buf)), want);
    lc_buf_release(&buf);
}

static const struct {
    const char *in, *text, *go;
} prints[] = {
    {"0", "0", "0"},
    {"-0", "-0", "-0"},
    {"00012", "12", "12"},
    {"+5", "5", "5"},
    {".5", "0.5", "0.5"},
    {"5.", "5", "5"},
    {"1p3", "8", "8"},
    {"1.0", "1", "1"},
    {"100000", "100000", "100000"},
    {"1000000", "1000000", "1e+06"},
    {"1234567", "1234567", "1.234567e+06"},
    {"9999999999", "9999999999", "9.999999999e+09"},
    {"10000000000", "10000000000", "1e+10"},
    {"0.1", "0.1", "0.1"},
    {"0.00001", "0.00001", "1e-05"},
    {"9223372036854775808", "9223372036854775808", "9.223372036854775808e+18"},
    {"12345678901234567890123", "12345678901234567890123", "1.2345678901234567890123e+22"},
    {"f0.1", "0.1", "0.1"},
    {"f9223372036854775808", "9223372036854776000", "9.223372036854776e+18"},
    {"f12345678901234567890", "12345678901234567000", "1.2345678901234567e+19"},
    {"f0.12345678905", "0.12345678905", "0.12345678905"},
    {"0.12345678905", "0.12345678905", "0.12345678905"},
};

START_TEST(test_number_print)
{
    lc_arena *arena = lc_arena_new();
    lc_num n = number(arena, prints[_i].in);
    check_print(lc_num_add_text, n, prints[_i].in, prints[_i].text);
    check_print(lc_num_add_go, n, prints[_i].in, prints[_i].go);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *in, *want;
} hashes[] = {
    {"-0", "-0"},
    {"10000000000", "1e+10"},
    {"9999999999", "9999999999"},
    {"0.00001", "1e-05"},
    {"0.0001", "0.0001"},
    {"12345678901234567890123", "1.23456789e+22"},
    {"1000000", "1000000"},
    {"0.3333333333333", "0.3333333333"},
};

START_TEST(test_number_hash_text)
{
    lc_arena *arena = lc_arena_new();
    check_print(lc_num_add_hash_text, number(arena, hashes[_i].in), hashes[_i].in, hashes[_i].want);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *text;
    lc_num_parse want;
} parses[] = {
    {"", LC_NUM_BAD},
    {" 1", LC_NUM_BAD},
    {"1 ", LC_NUM_BAD},
    {"1e", LC_NUM_BAD},
    {"0x10", LC_NUM_BAD},
    {"1_000", LC_NUM_BAD},
    {"infinity", LC_NUM_BAD},
    {"NaN", LC_NUM_BAD},
    {".", LC_NUM_BAD},
    {"-", LC_NUM_BAD},
    {"1e99999999999", LC_NUM_OVERFLOW},
    {"1e999999999", LC_NUM_OK},
    {"1e-999999999", LC_NUM_OK},
    {"Inf", LC_NUM_OK},
    {"-inf", LC_NUM_OK},
    {"1e200000", LC_NUM_TOO_LONG},
};

START_TEST(test_number_parse)
{
    lc_arena *arena = lc_arena_new();
    lc_num n;
    lc_num_parse got = lc_num_from_text(&n, arena, lc_str_from_c(parses[_i].text), LC_MAX_DIGITS);
    ck_assert_msg(got == parses[_i].want, "\"%s\": %d, not %d", parses[_i].text, (int)got,
                  (int)parses[_i].want);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_number_far_exponents)
{
    lc_arena *arena = lc_arena_new();
    ck_assert(lc_num_is_inf(number(arena, "1e999999999")));
    ck_assert_int_eq(lc_num_sign(number(arena, "-1e999999999")), -1);
    ck_assert_int_eq(lc_num_sign(number(arena, "1e-999999999")), 0);
    ck_assert(lc_num_is_negative_zero(number(arena, "-1e-999999999")));
    lc_num n;
    ck_assert(!lc_num_from_double(&n, arena, NAN));
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *a, *b;
    bool equal;
    int order;
} pairs[] = {
    {"f0.1", "0.1", true, 1},
    {"1.0", "1", true, 0},
    {"-0", "0", true, 0},
    {"Inf", "inf", true, 0},
    {"Inf", "-Inf", false, 1},
    {"f3.141592653589793", "3.14159265358979323846", false, -1},
    {"f1e23", "1e23", false, -1},
    {"f1e22", "1e22", true, 0},
    {"f1e19", "10000000000000000000", true, 0},
    {"f9223372036854775808", "9223372036854776000", false, -1},
    {"12345678901234567890123", "12345678901234567890124", false, -1},
    {"0.5", "1", false, -1},
    {"-1", "1", false, -1},
    {"2", "1.5", false, 1},
};

START_TEST(test_number_compare)
{
    lc_arena *arena = lc_arena_new();
    lc_num a = number(arena, pairs[_i].a), b = number(arena, pairs[_i].b);
    ck_assert_msg(lc_num_equal(a, b) == pairs[_i].equal, "%s == %s", pairs[_i].a, pairs[_i].b);
    ck_assert_msg(lc_num_equal(b, a) == pairs[_i].equal, "%s == %s", pairs[_i].b, pairs[_i].a);
    ck_assert_msg(lc_num_cmp(a, b) == pairs[_i].order, "%s <=> %s", pairs[_i].a, pairs[_i].b);
    ck_assert_msg(lc_num_cmp(b, a) == -pairs[_i].order, "%s <=> %s", pairs[_i].b, pairs[_i].a);
    if (pairs[_i].equal)
        ck_assert_msg(lc_num_hash(a) == lc_num_hash(b), "hash of %s and %s", pairs[_i].a,
                      pairs[_i].b);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_number_convert)
{
    lc_arena *arena = lc_arena_new();
    int64_t i;
    double d;
    ck_assert(lc_num_to_int64(number(arena, "-9223372036854775808"), &i) && i == INT64_MIN);
    ck_assert(!lc_num_to_int64(number(arena, "9223372036854775808"), &i));
    ck_assert(!lc_num_to_int64(number(arena, "0.5"), &i));
    ck_assert(lc_num_to_double(number(arena, "0.5"), &d) && d == 0.5);
    ck_assert(!lc_num_to_double(number(arena, "0.1"), &d));
    ck_assert(lc_num_to_double(
                  number(arena, "0.1000000000000000055511151231257827021181583404541015625"), &d) &&
              d == 0.1);
    ck_assert(lc_num_is_whole(lc_num_from_uint(arena, UINT64_MAX)));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    lc_heap_install();
    Suite *suite = suite_create("number");
    TCase *tc = tcase_create("number");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, test_number_print, 0, (int)(sizeof prints / sizeof *prints));
    tcase_add_loop_test(tc, test_number_hash_text, 0, (int)(sizeof hashes / sizeof *hashes));
    tcase_add_loop_test(tc, test_number_parse, 0, (int)(sizeof parses / sizeof *parses));
    tcase_add_loop_test(tc, test_number_compare, 0, (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tc, test_number_far_exponents);
    tcase_add_test(tc, test_number_convert);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* Patterns: what Go takes, what it refuses, and what matches. The rows are facts about Go. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "lifecheck/regexp/pattern.h"

/* ---- Which patterns Go takes. */

static const char *const refused[] = {
    "(?=a)",
    "(?!a)b",
    "(?<=a)b",
    "(?>a)",
    "(?#note)a",
    "(?x)a",
    "(a)\\1",
    "\\k<n>",
    "\\u0041",
    "\\cA",
    "a\\Z",
    "\\h",
    "\\R",
    "\\e",
    "\\G",
    "\\C",
    "\\N",
    "[\\b]",
    "\\\xc3\xa9",
    "a++",
    "a**",
    "a*+",
    "x{2}{3}",
    "x{1001}",
    "x{2,1}",
    "(a{1,100}){1,11}",
    "((a{100}){10}){2}",
    "[^]",
    "[z-a]",
    "[a-\\d]",
    "\\p{IsAlpha}",
    "\\p{Script=Greek}",
    "\\p{Grek}",
    "\\p{Nonsense}",
    "\\pX",
    "(a",
    "a)",
    "*a",
    "(*a)",
    "a|*",
    "[a",
    "[[:nothing:]]",
    "\\",
    "\\8",
    "\\1",
    "\\x{}",
    "\\x{110000}",
    "\\xg0",
    "\xff",
    "(?P<>x)",
    "(?P<a-b>x)",
    "(?-)a",
    "(?i",
    "(?-:a)",
    "\\E",
    "(?i)*a",
    "\\p{Greek",
    "\\p{}",
    "\\p{sc=Greek}",
    "\\p{Old_Italic}",
    "a(?i)*{2}b{3}{4}",
    "(a{500}b{501}){2}",
    "((a{10}){10}){11}",
    "(a{501}b){2}",
    "\\\x80",
    "\\\xc2\x80",
    "\\p{a name that is longer than any there is}",
};

START_TEST(what_go_refuses)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why;
    lc_pattern_use use = lc_pattern_new(&pattern, &why, arena, lc_str_from_c(refused[_i]));
    ck_assert_msg(use == LC_PATTERN_NOT_GO && !pattern && why.len, "%s: %d", refused[_i], (int)use);
    lc_arena_free(arena);
}
END_TEST

static const char *const taken[] = {
    "",
    "\\/\\-\\_\\@\\:\\\"\\<\\ ",
    ".*",
    "[a]+",
    "\\x40",
    "\\z\\A\\a\\v\\0\\x41\\x{41}",
    "\\Qa.b*\\E",
    "\\Qa",
    "(?i)(?s)(?U)a",
    "(?P<n>a)",
    "(?<n>a)",
    "(?i-s:a)",
    "(?)a",
    "[]a]",
    "[a-]",
    "[-a]",
    "[\\w-.]",
    "[[:alpha:]]",
    "[[:^alpha:]]",
    "[[:alpha]",
    "\\pL",
    "\\p{L}",
    "\\PL",
    "\\p{^L}",
    "\\p{Greek}",
    "\\p{Thai}",
    "[\\pL\\d]",
    "{",
    "a{",
    "\\d{2,",
    "a{,3}",
    "a{01}",
    "^*",
    "\\b+",
    "$?",
    "x{1000}",
    "(a{10}){100}",
    "(a{1000})?",
    "(a{1000}){1}",
    "(a{1000}){0}",
    "(a*)*",
    "()*",
    "a|",
    "|",
    "(|a)",
    "\\12",
    "a*?",
    "a{2}?",
    "x*(?i)y",
    "(?P<a>x)(?<a>y)",
    "a(?i)*",
    "a*(?i)+",
    "a+(?s)(?U)??",
    "\\p{greek}",
    "\\p{lower-case Letter}",
    "\\p{LC}",
    "\\p{Assigned}",
    "[\\P{ascii}]",
    "\\pl",
    "(?i-s:(?i)(?-i)a)",
};

START_TEST(what_go_takes)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why;
    lc_pattern_use use = lc_pattern_new(&pattern, &why, arena, lc_str_from_c(taken[_i]));
    ck_assert_msg(use == LC_PATTERN_USABLE && pattern, "%s: %.*s", taken[_i], LC_FMT(why));
    lc_arena_free(arena);
}
END_TEST

/* ---- What matches. */

static const struct {
    const char *pattern, *text;
    lc_pattern_match want;
} match_rows[] = {
    {"b", "abc", LC_PATTERN_MATCHES},
    {"^b", "abc", LC_PATTERN_DIFFERS},
    {"a$", "a\n", LC_PATTERN_DIFFERS},
    {"(?m)a$", "a\n", LC_PATTERN_MATCHES},
    {"(?m)^$", "a\n", LC_PATTERN_MATCHES},
    {"a.b", "a\nb", LC_PATTERN_DIFFERS},
    {"a.b", "a\rb", LC_PATTERN_MATCHES},
    {"(?s)a.b", "a\nb", LC_PATTERN_MATCHES},
    {"^\\s$", "\v", LC_PATTERN_DIFFERS},
    {"^[\\s]$", "\v", LC_PATTERN_DIFFERS},
    {"^\\S$", "\v", LC_PATTERN_MATCHES},
    {"^[\\S]$", "\v", LC_PATTERN_MATCHES},
    {"^[\\S]$", "\t", LC_PATTERN_DIFFERS},
    {"^[[:space:]]$", "\v", LC_PATTERN_MATCHES},
    {"^\\w$", "\xc3\xa9", LC_PATTERN_DIFFERS},
    {"^\\d$", "\xd9\xa3", LC_PATTERN_DIFFERS},
    {"^.$", "\xc3\xa9", LC_PATTERN_MATCHES},
    {"^[\\x{1F600}-\\x{1F64F}]$", "\xf0\x9f\x98\x80", LC_PATTERN_MATCHES},
    {"^\\p{Greek}$", "\xce\xb1", LC_PATTERN_MATCHES},
    {"^\\P{Greek}$", "\xce\xb1", LC_PATTERN_DIFFERS},
    {"^\\p{^L}$", "1", LC_PATTERN_MATCHES},
    {"(?i)^\xc3\x89$", "\xc3\xa9", LC_PATTERN_MATCHES},
    {"^\\Qa.b\\E$", "axb", LC_PATTERN_DIFFERS},
    {"^\\v$", "\v", LC_PATTERN_MATCHES},
    {"^\\v$", "\n", LC_PATTERN_DIFFERS},
    {"^a{,3}$", "a{,3}", LC_PATTERN_MATCHES},
    {"^[a-]$", "-", LC_PATTERN_MATCHES},
    {"^[\\w-.]$", "-", LC_PATTERN_MATCHES},
    {"^[^a]$", "\n", LC_PATTERN_MATCHES},
    {"^(a|b|)$", "", LC_PATTERN_MATCHES},
    {"^x{3}$", "xx", LC_PATTERN_DIFFERS},
    {"^(?:a*(?i)+)$", "aaa", LC_PATTERN_MATCHES}, /* not a possessive repeat */
    {"^ab(?i)*C$", "abbbc", LC_PATTERN_MATCHES},
    {"^ab(?i)*C$", "aBc", LC_PATTERN_DIFFERS},
    {"(?i)^\\w$", "\xc5\xbf", LC_PATTERN_MATCHES}, /* the long s */
    {"^\\w$", "\xc5\xbf", LC_PATTERN_DIFFERS},
    {"(?i)^[\\W]$", "\xe2\x84\xaa", LC_PATTERN_DIFFERS}, /* the Kelvin sign */
    {"(?i)^[[:upper:]]$", "\xe2\x84\xaa", LC_PATTERN_MATCHES},
    {"(?i)^[[:^alpha:]]$", "k", LC_PATTERN_DIFFERS},
    {"(?i:a)^[[:upper:]]$", "\xe2\x84\xaa", LC_PATTERN_DIFFERS},
    {"(?:(?i)a)?^[[:upper:]]$", "b", LC_PATTERN_DIFFERS},
    {"^[^\\pN[:^space:]]$", "\xc7\x85", LC_PATTERN_DIFFERS},
    {"^[^\\p{Greek}\\W]$", "\xe2\x84\xaa", LC_PATTERN_DIFFERS},
    {"(?i)^\\p{Greek}$", "\xce\xb1", LC_PATTERN_MATCHES},
    {"(?i)^\\p{ASCII}+$", "a~", LC_PATTERN_MATCHES},
    {"^(?P<n>a)(b)$", "ab", LC_PATTERN_MATCHES},
    {"^.*\\x40[a]+$", "b@aa", LC_PATTERN_MATCHES},
    {"(?i)^\\p{Greek}$", "\xc2\xb5", LC_PATTERN_MATCHES}, /* folds to mu */
    {"(?i)^\\pM$", "\xce\xb9", LC_PATTERN_MATCHES},
    {"^\\P{Assigned}$", "\xcd\xb8", LC_PATTERN_MATCHES},
    {"(?i)^[\\P{ASCII}]$", "\xc5\xbf", LC_PATTERN_DIFFERS},
    {"^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", LC_PATTERN_UNDECIDED},
};

START_TEST(what_matches)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why, text = lc_str_from_c(match_rows[_i].text);
    lc_pattern_use use =
        lc_pattern_new(&pattern, &why, arena, lc_str_from_c(match_rows[_i].pattern));
    ck_assert_msg(use == LC_PATTERN_USABLE, "%s: %.*s", match_rows[_i].pattern, LC_FMT(why));
    unsigned long_ones = 0;
    lc_pattern_match got = lc_pattern_search(pattern, text, &long_ones);
    ck_assert_int_eq(long_ones, got == LC_PATTERN_UNDECIDED);
    ck_assert_msg(got == match_rows[_i].want, "%s on %s: %d", match_rows[_i].pattern,
                  match_rows[_i].text, (int)got);
    lc_arena_free(arena);
}
END_TEST

/* ---- What Go takes, and PCRE2 cannot do. */

static const char *const beyond[] = {
    "(?i)\\p{Lu}",
    "(?i)[^\\P{L}]",
};

START_TEST(what_is_not_told)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why;
    lc_pattern_use use = lc_pattern_new(&pattern, &why, arena, lc_str_from_c(beyond[_i]));
    ck_assert_msg(use == LC_PATTERN_UNUSABLE && why.len, "%s: %d", beyond[_i], (int)use);
    lc_arena_free(arena);
}
END_TEST

/* ---- Bounds. */

/* Parts that are written again and again are not copied again and again. */
START_TEST(repeats_of_repeats)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why;
    lc_buf text = {0};
    lc_buf_add_c(&text, "a");
    for (int i = 0; i < 20000; i++)
        lc_buf_add_c(&text, "*(?i)");
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, lc_buf_str(&text)), LC_PATTERN_UNUSABLE);
    text.len = 1;
    for (int i = 0; i < 20000; i++)
        lc_buf_add_c(&text, "(?i)");
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, lc_buf_str(&text)), LC_PATTERN_UNUSABLE);
    lc_buf_release(&text);
    lc_arena_free(arena);
}
END_TEST

START_TEST(deep_and_wide)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why;
    size_t n = 5000;
    char *text = lc_arena_alloc(arena, 2 * n + 1);
    for (size_t i = 0; i < n; i++) {
        text[i] = '(';
        text[n + i] = ')';
    }
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, (lc_str){text, 2 * n}),
                     LC_PATTERN_NOT_GO);
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, (lc_str){text, n}), LC_PATTERN_NOT_GO);
    size_t large = 1 << 20;
    char *letters = lc_arena_alloc(arena, large);
    for (size_t i = 0; i < large; i++)
        letters[i] = 'a';
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, (lc_str){letters, large}),
                     LC_PATTERN_UNUSABLE);
    ck_assert(!pattern && why.len);
    lc_arena_free(arena);
}
END_TEST

/* Many searches without end cost no more than a few. */
START_TEST(many_long_searches)
{
    lc_arena *arena = lc_arena_new();
    const lc_pattern *pattern;
    lc_str why, text = LC_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    unsigned long_ones = 0;
    ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, LC_STR("^(a+)+$")), LC_PATTERN_USABLE);
    for (unsigned i = 0; i < 2 * LC_MAX_LONG_SEARCHES; i++)
        ck_assert_int_eq(lc_pattern_search(pattern, text, &long_ones), LC_PATTERN_UNDECIDED);
    ck_assert_uint_eq(long_ones, LC_MAX_LONG_SEARCHES);
    ck_assert_int_eq(lc_pattern_search(pattern, LC_STR("aaa"), &long_ones), LC_PATTERN_MATCHES);
    lc_arena_free(arena);
}
END_TEST

/* Scanning is bounded too, though it is not a step. */
START_TEST(long_texts)
{
    lc_arena *arena = lc_arena_new();
    static const char *const patterns[] = {"\\w+\\s", "^[a-z]*[a-z]*\\d", "[ab]+c|[ab]+d|[ab]+e"};
    size_t length = 1 << 20;
    char *letters = lc_arena_alloc(arena, length);
    for (size_t i = 0; i < length; i++)
        letters[i] = 'a';
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const lc_pattern *pattern;
        lc_str why;
        unsigned long_ones = 0;
        ck_assert_int_eq(lc_pattern_new(&pattern, &why, arena, lc_str_from_c(patterns[i])),
                         LC_PATTERN_USABLE);
        ck_assert_int_eq(lc_pattern_search(pattern, (lc_str){letters, length}, &long_ones),
                         LC_PATTERN_UNDECIDED);
        ck_assert_int_eq(lc_pattern_search(pattern, (lc_str){letters, 1000}, &long_ones),
                         LC_PATTERN_DIFFERS);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("pattern");
    TCase *syntax = tcase_create("syntax"), *matching = tcase_create("matching");
    ADD_ROWS(syntax, what_go_refuses, refused);
    ADD_ROWS(syntax, what_go_takes, taken);
    ADD_ROWS(syntax, what_is_not_told, beyond);
    tcase_add_test(syntax, deep_and_wide);
    tcase_add_test(syntax, repeats_of_repeats);
    tcase_add_test(matching, many_long_searches);
    tcase_add_test(matching, long_texts);
    ADD_ROWS(matching, what_matches, match_rows);
    suite_add_tcase(suite, syntax);
    suite_add_tcase(suite, matching);
    return suite_run(suite);
}

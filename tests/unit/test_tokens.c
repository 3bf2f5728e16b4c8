/* Tokens of secrets: which strings have equal ones, what they keep of a string, and where known
 * secrets are found again. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "redact/tokens.h"

/* The first column of strings is asked in order; `like` is how the token relates to that of row 0.
 */
static const struct {
    const char *text;
    enum { SAME, VARIANT, OTHER, ITSELF } like;
} texts[] = {
    {"Hunter two", SAME},
    {"hunter TWO", VARIANT},
    {"huntertwo", VARIANT},
    {"Hunter two/", VARIANT},
    {"Hunter two.", VARIANT},
    {"Hunter tow", OTHER},
    {"", ITSELF},
};

START_TEST(test_text)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_tokens tokens;
    lc_tokens_init(&tokens, arena, false, limits);
    lc_str first = lc_token_text(&tokens, lc_str_from_c(texts[0].text));
    lc_str text = lc_str_from_c(texts[_i].text), token = lc_token_text(&tokens, text);
    CHECK_TEXT(texts[_i].text, lc_token_text(&tokens, text), token);
    ck_assert(lc_str_eq(token, text) == (texts[_i].like == ITSELF));
    ck_assert(lc_str_eq(token, first) == (texts[_i].like == SAME));
    ck_assert(!lc_str_contains(token, LC_STR("unter")));
    if (texts[_i].like == VARIANT && text.ptr[text.len - 1] != 'o' && text.ptr[text.len - 1] != 'O')
        ck_assert(token.ptr[token.len - 1] == text.ptr[text.len - 1]);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_numbers)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_tokens tokens;
    lc_tokens_init(&tokens, arena, false, limits);
    lc_str one = lc_token_number(&tokens, LC_STR("12345678"));
    lc_str two = lc_token_number(&tokens, LC_STR("12345679"));
    ck_assert(!lc_str_eq(one, two) && one.len == 9 && two.len == 9);
    CHECK_TEXT("again", lc_token_number(&tokens, LC_STR("12345678")), one);
    CHECK_TEXT("zero", lc_token_number(&tokens, LC_STR("0")), LC_STR("0"));
    lc_arena_free(arena);
}
END_TEST

/* In strings, the secret "s3cret word" is found again; S stands for its token. */
static const struct {
    const char *text, *want;
} places[] = {
    {"nothing here", "nothing here"},           {"it was s3cret word.", "it was S."},
    {"s3cret words3cret word", "SS"},           {"s3cret wor", "s3cret wor"},
    {"s3cret\\u0020word", "s3cret\\u0020word"}, {"", ""},
};

START_TEST(test_redact)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_tokens tokens;
    lc_tokens_init(&tokens, arena, false, limits);
    lc_str token = lc_token_text(&tokens, LC_STR("s3cret word"));
    lc_buf want = {0};
    for (const char *c = places[_i].want; *c; c++) {
        if (*c == 'S')
            lc_buf_printf(&want, "%.*s", LC_FMT(token));
        else
            lc_buf_printf(&want, "%c", *c);
    }
    lc_str text = lc_str_from_c(places[_i].text);
    CHECK_TEXT(places[_i].text, lc_tokens_redact(&tokens, arena, text), lc_buf_str(&want));
    CHECK_TEXT(places[_i].text, lc_tokens_mask(&tokens, arena, text), lc_buf_str(&want));
    lc_buf_release(&want);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("tokens");
    TCase *tcase = tcase_create("tokens");
    ADD_ROWS(tcase, test_text, texts);
    tcase_add_test(tcase, test_numbers);
    ADD_ROWS(tcase, test_redact, places);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

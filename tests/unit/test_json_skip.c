/* Skipping values of JSON: where they end, wherever they begin in a block of bytes, and what is
 * noticed on the way. The ends are known from how the values are made. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/yaml_json/json_lexer.h"

static uint32_t state;

static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static void add_value(lc_buf *out, unsigned depth)
{
    static const char *const scalars[] = {
        "true",
        "false",
        "null",
        "0",
        "-1.5e+10",
        "\"\"",
        "\"a{[]}b\"",
        "12",
        "\"x\"",
        "\"\\\\\"",
        "\"\\\"\"",
        "\"\\\\\\\"",
        "7",
        "\"\\u0041\\n\"",
        "1e5",
        "\":,\"",
        "\"long string without anything in it, over the end of a block of 64\""};
    static const char *const spaces[] = {"", "", " ", "\n  ", "\t", "\r\n"};
    uint32_t kind = depth > 6 ? 0 : below(3), count = below(5);
    lc_buf_add_c(out, spaces[below(6)]);
    if (kind == 0) {
        const char *scalar = scalars[below(17)];
        lc_buf_add_c(out, scalar);
        if (strcmp(scalar, "\"\\\\\\\"") == 0)
            lc_buf_add_c(out, "\"");
        return;
    }
    lc_buf_add_char(out, kind == 1 ? '{' : '[');
    for (uint32_t i = 0; i < count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        lc_buf_add_c(out, kind == 1 ? "\"key\":" : "");
        add_value(out, depth + 1);
    }
    lc_buf_add_c(out, spaces[below(6)]);
    lc_buf_add_char(out, kind == 1 ? '}' : ']');
}

static bool skip(lc_json_fault *fault, lc_str *out, lc_str text, size_t from)
{
    lc_arena *arena = lc_arena_new_small();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_json_lexer l = lc_json_lexer_over(text, arena);
    l.limits = &limits;
    l.at += from;
    bool good = lc_json_lex_skip(&l, out);
    *fault = l.fault;
    lc_arena_free(arena);
    return good;
}

START_TEST(a_value_ends_where_it_ends)
{
    static const char *const behind[] = {"", " ", ",1", "}", "]]", "\"", "x", "\\"};
    lc_json_fault fault;
    lc_str value;
    state = 1;
    for (int i = 0; i < 3000; i++) {
        lc_buf text = {0};
        size_t from = below(130);
        for (size_t k = 0; k < from; k++)
            lc_buf_add_char(&text, "{\"\\ "[below(4)]);
        lc_buf_add_char(&text, '[');
        add_value(&text, 0);
        lc_buf_add_char(&text, ']');
        size_t end = text.len;
        lc_buf_add_c(&text, behind[below(8)]);
        ck_assert_msg(skip(&fault, &value, lc_buf_str(&text), from) && value.len == end - from,
                      "%.*s", LC_FMT(lc_buf_str(&text)));
        for (size_t cut = from + 1; cut < end && i < 40; cut++)
            ck_assert(!skip(&fault, &value, (lc_str){text.ptr, cut}, from));
        lc_buf_release(&text);
    }
}
END_TEST

static const struct {
    const char *text;
    lc_json_fault fault;
} bad[] = {
    {"[treu]", LC_JSON_OTHER_WORD}, {"{\"a\":nul}", LC_JSON_OTHER_WORD},
    {"[01]", LC_JSON_ZERO_FIRST},   {"[-]", LC_JSON_NO_DIGIT},
    {"[1.]", LC_JSON_NO_FRACTION},  {"[\"a\tb\"]", LC_JSON_OPEN_STRING},
    {"[\"a", LC_JSON_OPEN_STRING},  {"[[1]", LC_JSON_CUT_OFF},
    {"[\\\"]", LC_JSON_NO_DIGIT},   {"[x]", LC_JSON_NO_DIGIT},
    {"[\x01]", LC_JSON_NO_DIGIT},
};

START_TEST(faults_are_found)
{
    lc_json_fault fault;
    lc_str value;
    for (size_t pad = 0; pad < 130; pad++) {
        lc_buf text = {0};
        lc_buf_add_char(&text, '[');
        for (size_t k = 0; k < pad; k++)
            lc_buf_add_char(&text, ' ');
        lc_buf_add_c(&text, bad[_i].text);
        lc_buf_add_char(&text, ']');
        ck_assert_msg(!skip(&fault, &value, lc_buf_str(&text), 0), "%s", bad[_i].text);
        ck_assert_msg(fault == bad[_i].fault, "%s: %d", bad[_i].text, fault);
        lc_buf_release(&text);
    }
}
END_TEST

START_TEST(a_zero_byte_is_a_fault)
{
    static const char text[] = "[1\0, 2]", word[] = "[true\0]", alone[] = "[ \0 ]";
    const lc_str texts[] = {
        {text, sizeof text - 1}, {word, sizeof word - 1}, {alone, sizeof alone - 1}};
    lc_json_fault fault;
    lc_str value;
    for (size_t i = 0; i < 3; i++)
        ck_assert(!skip(&fault, &value, texts[i], 0));
}
END_TEST

START_TEST(the_depth_is_limited)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_json_fault fault;
    lc_str value;
    for (size_t extra = 0; extra < 2; extra++) {
        lc_buf text = {0};
        size_t depth = limits.json_depth + extra;
        for (size_t i = 0; i < depth; i++)
            lc_buf_add_c(&text, "[ ");
        for (size_t i = 0; i < depth; i++)
            lc_buf_add_c(&text, "] ");
        ck_assert(skip(&fault, &value, lc_buf_str(&text), 0) == (extra == 0));
        ck_assert(extra == 0 || fault == LC_JSON_TOO_DEEP);
        lc_buf_release(&text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("skipping JSON");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, a_value_ends_where_it_ends);
    ADD_ROWS(tcase, faults_are_found, bad);
    tcase_add_test(tcase, a_zero_byte_is_a_fault);
    tcase_add_test(tcase, the_depth_is_limited);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

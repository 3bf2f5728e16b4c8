/* The writer of JSON: commas, escapes, and its layouts. */
#include "unit.h"

#include "lifecheck/base/json.h"

/* Ends the text, and checks it. */
#define CHECK_JSON(buf, want)                                                                      \
    do {                                                                                           \
        CHECK_TEXT(__func__, lc_buf_str(buf), LC_STR(want));                                       \
        lc_buf_release(buf);                                                                       \
    } while (0)

START_TEST(scalars_stand_alone)
{
    lc_buf out = {0};
    lc_json w = {.out = &out};
    lc_json_array(&w, NULL);
    lc_json_c(&w, NULL, "a");
    lc_json_uint(&w, NULL, UINT64_MAX);
    lc_json_int(&w, NULL, INT64_MIN);
    lc_json_bool(&w, NULL, true);
    lc_json_bool(&w, NULL, false);
    lc_json_null(&w, NULL);
    lc_json_raw(&w, NULL, LC_STR("1.50e400"));
    lc_buf_add_c(lc_json_value(&w, NULL), "[1]");
    lc_json_end_array(&w);
    CHECK_JSON(&out, "[\"a\",18446744073709551615,-9223372036854775808,true,false,null,"
                     "1.50e400,[1]]");
}
END_TEST

static void write_nested(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "list");
    lc_json_array(w, NULL);
    lc_json_uint(w, NULL, 1);
    lc_json_uint(w, NULL, 2);
    lc_json_end_array(w);
    lc_json_object(w, NULL);
    lc_json_end_object(w);
    lc_json_array(w, NULL);
    lc_json_end_array(w);
    lc_json_end_array(w);
    lc_json_key(w, LC_STR("data"));
    lc_json_object(w, NULL);
    lc_json_raw_key(w, LC_STR("\"raw\""));
    lc_json_c(w, NULL, "x");
    lc_json_null(w, "last");
    lc_json_end_object(w);
    lc_json_end_object(w);
}

START_TEST(containers_nest)
{
    lc_buf out = {0};
    lc_json w = {.out = &out};
    write_nested(&w);
    CHECK_JSON(&out, "{\"list\":[[1,2],{},[]],\"data\":{\"raw\":\"x\",\"last\":null}}");
}
END_TEST

START_TEST(blanks_behind_commas_and_colons)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true};
    write_nested(&w);
    CHECK_JSON(&out, "{\"list\": [[1, 2], {}, []], \"data\": {\"raw\": \"x\", \"last\": null}}");
}
END_TEST

START_TEST(an_indent_gives_each_value_a_line)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true, .indent = 2};
    write_nested(&w);
    CHECK_JSON(&out, "{\n"
                     "  \"list\": [\n"
                     "    [\n"
                     "      1,\n"
                     "      2\n"
                     "    ],\n"
                     "    {},\n"
                     "    []\n"
                     "  ],\n"
                     "  \"data\": {\n"
                     "    \"raw\": \"x\",\n"
                     "    \"last\": null\n"
                     "  }\n"
                     "}");
}
END_TEST

START_TEST(the_layout_may_change_between_values)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true, .indent = 2};
    lc_json_array(&w, NULL);
    lc_json_object(&w, NULL);
    w.indent = 0;
    lc_json_bool(&w, "on its line", true);
    lc_json_end_object(&w);
    w.indent = 2;
    lc_json_end_array(&w);
    CHECK_JSON(&out, "[\n  {\"on its line\": true}\n]");
}
END_TEST

START_TEST(a_break_is_at_the_column_asked_for)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true};
    lc_json_array(&w, NULL);
    for (unsigned i = 0; i < 3; i++) {
        if (i != 1)
            lc_json_break(&w, i);
        lc_json_uint(&w, NULL, i);
    }
    lc_json_break(&w, 0);
    lc_json_end_array(&w);
    CHECK_JSON(&out, "[\n0, 1,\n  2\n]");
}
END_TEST

START_TEST(the_buffer_may_be_emptied_between_values)
{
    lc_buf out = {0};
    lc_json w = {.out = &out};
    lc_json_array(&w, NULL);
    lc_json_uint(&w, NULL, 1);
    lc_buf_clear(&out);
    lc_json_uint(&w, NULL, 2);
    lc_json_end_array(&w);
    CHECK_JSON(&out, ",2]");
}
END_TEST

/* ---- Strings, keys among them. */

typedef struct row {
    const char *name;
    lc_str in;
    const char *want, *html;
} row;

/* clang-format off */
#define ROW(name, in, want, html) {name, {in, sizeof(in) - 1}, want, html}
/* clang-format on */

static const row strings[] = {
    ROW("empty", "", "\"\"", "\"\""),
    ROW("quote and backslash", "a\"b\\c/", "\"a\\\"b\\\\c/\"", "\"a\\\"b\\\\c/\""),
    ROW("short escapes", "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\""),
    ROW("other controls", "\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\x7f\"",
        "\"\\u0000\\u0001\\u001f\x7f\""),
    ROW("C1 control", "\xc2\x85", "\"\xc2\x85\"", "\"\xc2\x85\""),
    ROW("of HTML", "<a>&", "\"<a>&\"", "\"\\u003ca\\u003e\\u0026\""),
    ROW("line separators", "\xe2\x80\xa8\xe2\x80\xa9", "\"\xe2\x80\xa8\xe2\x80\xa9\"",
        "\"\\u2028\\u2029\""),
    ROW("beyond the first plane", "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"",
        "\"\xf0\x9f\x98\x80\""),
    ROW("a bad byte", "a\xff\x62", "\"a\xef\xbf\xbd\x62\"", "\"a\\ufffdb\""),
    ROW("a surrogate", "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
        "\"\\ufffd\\ufffd\\ufffd\""),
};

START_TEST(strings_are_escaped)
{
    const row *r = &strings[_i];
    for (int html = 0; html < 2; html++) {
        lc_buf out = {0}, want = {0};
        lc_json w = {.out = &out, .html = html};
        lc_json_object(&w, NULL);
        lc_json_key(&w, r->in);
        lc_json_str(&w, NULL, r->in);
        lc_json_end_object(&w);
        const char *text = html ? r->html : r->want;
        lc_buf_printf(&want, "{%s:%s}", text, text);
        CHECK_TEXT(r->name, lc_buf_str(&out), lc_buf_str(&want));
        lc_buf_release(&out);
        lc_buf_release(&want);
    }
}
END_TEST

/* ---- Text in another layout. */

#define WORDS "[\"aaaaaa\",\"bbbbbb\",\"cc\",\"dd\"]"

START_TEST(text_is_laid_out_value_by_value)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true, .indent = 2, .depth = 1};
    lc_buf_add_c(&out, "is:");
    lc_json_lay_out(&w, LC_STR("{\"a\":[],\"b,{\":[true,-1e5],\"c\\\"]\":{}}"), 0);
    CHECK_JSON(&out, "is:\n"
                     "  {\n"
                     "    \"a\": [],\n"
                     "    \"b,{\": [\n"
                     "      true,\n"
                     "      -1e5\n"
                     "    ],\n"
                     "    \"c\\\"]\": {}\n"
                     "  }");
}
END_TEST

START_TEST(what_is_flat_and_short_stays_on_its_line)
{
    lc_buf out = {0};
    lc_json w = {.out = &out, .spaced = true, .indent = 2};
    lc_json_lay_out(&w,
                    LC_STR("{\"flat\":{\"a\":1,\"b\":[]},\"enum\":" WORDS
                           ",\"long\":{\"a\":\"aaaaaaaaaaaaaaaa\"}}"),
                    22);
    CHECK_JSON(&out, "{\n"
                     "  \"flat\": {\n"
                     "    \"a\": 1,\n"
                     "    \"b\": []\n"
                     "  },\n"
                     "  \"enum\": [\n"
                     "    \"aaaaaa\", \"bbbbbb\",\n"
                     "    \"cc\", \"dd\"],\n"
                     "  \"long\": {\n"
                     "    \"a\": \"aaaaaaaaaaaaaaaa\"\n"
                     "  }\n"
                     "}");
    lc_json all = {.out = &out, .spaced = true, .indent = 2};
    lc_json_lay_out(&all, LC_STR(WORDS), 80);
    CHECK_JSON(&out, "[\"aaaaaa\", \"bbbbbb\", \"cc\", \"dd\"]");
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("json");
    TCase *values = tcase_create("values"), *layout = tcase_create("layout");
    tcase_add_test(values, scalars_stand_alone);
    tcase_add_test(values, containers_nest);
    ADD_ROWS(values, strings_are_escaped, strings);
    tcase_add_test(values, the_buffer_may_be_emptied_between_values);
    tcase_add_test(layout, blanks_behind_commas_and_colons);
    tcase_add_test(layout, an_indent_gives_each_value_a_line);
    tcase_add_test(layout, the_layout_may_change_between_values);
    tcase_add_test(layout, a_break_is_at_the_column_asked_for);
    tcase_add_test(layout, text_is_laid_out_value_by_value);
    tcase_add_test(layout, what_is_flat_and_short_stays_on_its_line);
    suite_add_tcase(suite, values);
    suite_add_tcase(suite, layout);
    return suite_run(suite);
}

/* JSON and YAML to nodes: what is read, and where what is wrong is reported. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>

/* A node in one line: kinds as letters, strings in quotes. */
static void sketch(lc_buf *buf, const lc_node *node)
{
    if (node->tag)
        lc_buf_printf(buf, "%s ", node->tag);
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_NULL:
        lc_buf_add_c(buf, "null");
        break;
    case LC_NODE_BOOL:
        lc_buf_add_c(buf, node->boolean ? "true" : "false");
        break;
    case LC_NODE_NUMBER:
        lc_buf_add_str(buf, node->as.text);
        break;
    case LC_NODE_STRING:
        lc_buf_add_json(buf, node->as.text, false);
        break;
    case LC_NODE_SEQUENCE:
        lc_buf_add_char(buf, '[');
        for (size_t i = 0; i < node->count; i++) {
            lc_buf_add_c(buf, i ? "," : "");
            sketch(buf, &node->as.items[i]);
        }
        lc_buf_add_char(buf, ']');
        break;
    case LC_NODE_MAPPING:
        lc_buf_add_char(buf, '{');
        for (size_t i = 0; i < node->count; i++) {
            lc_buf_add_c(buf, i ? "," : "");
            lc_buf_add_str(buf, node->as.members[i].key);
            lc_buf_add_char(buf, ':');
            sketch(buf, &node->as.members[i].value);
        }
        lc_buf_add_char(buf, '}');
        break;
    }
}

static const struct {
    const char *name, *file, *in, *want;
} good[] = {
    {"json scalars", "a.json", " [true,false,null,-1.50e+3,\"x\"] ",
     "[true,false,null,-1.50e+3,\"x\"]"},
    {"json escapes", "a.json", "\"\\u00e9\\ud83d\\ude00\\n\\\"\"",
     "\"\xC3\xA9\xF0\x9F\x98\x80\\n\\\"\""},
    {"lone surrogate", "a.json", "\"\\ud800x\"", "\"\xEF\xBF\xBDx\""},
    {"two halves in the wrong order", "a.json", "\"\\udc00\\ud800\\u0041\"",
     "\"\xEF\xBF\xBD\xEF\xBF\xBD"
     "A\""},
    {"every short escape", "a.json", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t.\\u0000\"",
     "\"\\\"\\\\/\\b\\f\\n\\r\\t.\\u0000\""},
    {"text between escapes", "a.json", "\"\xC3\xA9\\u00e9-\\n\xE2\x82\xAC\"",
     "\"\xC3\xA9\xC3\xA9-\\n\xE2\x82\xAC\""},
    {"zeros", "a.json", "[0,-0,0.0,0e0,-0E-0]", "[0,-0,0.0,0e0,-0E-0]"},
    {"empty containers", "a.json", "{\"a\":{},\"b\":[]}", "{a:{},b:[]}"},
    {"json with a mark", "a.json", "\xEF\xBB\xBF{}", "{}"},
    {"json without its name", "a", "{\"a\": \"\\ud83d\\ude00\"}", "{a:\"\xF0\x9F\x98\x80\"}"},
    {"core schema", "a.yaml", "[yes, true, ~, 1.5, 0x1F, 2024-01-01, 22:22, 007, .5, 1e3]",
     "[\"yes\",true,null,1.5,\"0x1F\",\"2024-01-01\",\"22:22\",007,.5,1e3]"},
    {"quoted is text", "a.yaml", "['1', \"true\", 'null', '']", "[\"1\",\"true\",\"null\",\"\"]"},
    {"local tags", "a.yaml", "{a: !unknown , b: !sensitive x}",
     "{a:!unknown null,b:!sensitive \"x\"}"},
    {"standard tags", "a.yaml", "[!!str 1, !!int 2, !!null '']", "[\"1\",2,null]"},
    {"merge", "a.yaml", "x: &b {a: 1, c: 3}\ny:\n  <<: *b\n  a: 2\n", "{x:{a:1,c:3},y:{a:2,c:3}}"},
    {"merge a list", "a.yaml", "x: [&a {k: 1}, &b {k: 2, l: 3}]\ny: {<<: [*a, *b]}\n",
     "{x:[{k:1},{k:2,l:3}],y:{k:1,l:3}}"},
    {"carriage returns", "a.yaml", "a: 1\r\nb: x\r\n", "{a:1,b:\"x\"}"},
    {"yaml with a mark", "a.yaml",
     "\xEF\xBB\xBF"
     "a: 1\n",
     "{a:1}"},
    {"yaml in braces", "a", "{a: b}", "{a:\"b\"}"},
};

START_TEST(test_source_read)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_buf buf = {0};
    lc_diags_init(&diags, arena);
    lc_status status = lc_source_parse(&source, arena, lc_str_from_c(good[_i].file),
                                       lc_str_from_c(good[_i].in), &limits, &diags);
    ck_assert_msg(status == LC_OK && diags.errors == 0, "%s: %.*s", good[_i].name,
                  LC_FMT(diags.count ? diags.items[0].message : LC_STR("no message")));
    ck_assert_uint_eq(source.count, 1);
    sketch(&buf, &source.documents[0]);
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), good[_i].want), "%s: %.*s, not %s", good[_i].name,
                  LC_FMT(lc_buf_str(&buf)), good[_i].want);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *name, *file, *in;
    unsigned line, column; /* 0: any */
    const char *contains;
} bad[] = {
    {"empty", "a.yaml", "", 1, 1, "empty"},
    {"empty json", "a.json", "", 1, 1, "the file is empty"},
    {"duplicate key", "a.json", "{\"a\":1,\n \"b\":2,\n \"a\":3}", 3, 2, "duplicate key \"a\""},
    {"duplicate key in yaml", "a.yaml", "a: 1\nb: 2\na: 3\n", 3, 1, "line 1"},
    {"after the end", "a.json", "{} x", 1, 4, "after the end"},
    {"leading zero", "a.json", "[01]", 1, 2, "zero"},
    {"no digits", "a.json", "[1.]", 1, 4, "digits"},
    {"bad escape", "a.json", "\"a\\x\"", 1, 3, "escape"},
    {"escape at the end", "a.json", "\"a\\", 1, 3, "escape is not one"},
    {"NUL as an escape", "a.json", "\"a\\u00\"", 1, 7, "four hexadecimal"},
    {"no digit of an escape", "a.json", "\"a\\u", 1, 5, "four hexadecimal"},
    {"bad second half", "a.json", "\"\\ud83d\\uD!\"", 1, 11, "four hexadecimal"},
    {"minus alone", "a.json", "[ -]", 1, 3, "a value is expected"},
    {"leading zero after minus", "a.json", "[-012]", 1, 2, "begin with a zero"},
    {"fraction alone", "a.json", "[.5]", 1, 2, "a value is expected"},
    {"no exponent", "a.json", "[1e+]", 1, 5, "digits are expected in the exponent"},
    {"word cut off", "a.json", "[tru]", 1, 2, "a value is expected"},
    {"control character after an escape", "a.json", "\"\\n\x1f\"", 1, 4, "written as an escape"},
    {"control character", "a.json", "\"a\tb\"", 1, 3, "control"},
    {"never closed", "a.json", "{\"a\": \"x", 1, 7, "never closed"},
    {"comma at the end", "a.json", "[1,]", 1, 3, "a comma before ']'"},
    {"cut off", "a.json", "{\"a\":\n [[], [1,", 2, 10, "the '[' of line 2, column 7 is not closed"},
    {"quote without end in a line", "a.json", "{\"a\": \"x\n}", 1, 7, "never closed"},
    {"not UTF-8", "a.json", "[\"\xFF\"]", 1, 3, "UTF-8"},
    {"not UTF-8 in yaml", "a.yaml", "a: b\nc: \xC3(\n", 2, 4, "UTF-8"},
    {"control in yaml", "a.yaml", "a: \x01\n", 1, 4, "control"},
    {"tag runs into a bracket", "a.yaml", "x: {id: !unknown}\n", 1, 0, "space after !unknown"},
    {"path without quotes", "a.yaml", "r: [.disk[0].size]\n", 1, 0,
     "quote the path: '.disk[0].size'"},
    {"tab", "a.yaml", "a:\n\tb: 1\n", 2, 1, "tab"},
    {"never closed flow", "a.yaml", "a: [1, 2\n", 2, 0, ""},
    {"cycle", "a.yaml", "&a [*a]\n", 1, 5, "inside its own anchor"},
    {"no such anchor", "a.yaml", "[*x]\n", 1, 2, "no anchor"},
    {"complex key", "a.yaml", "? [x]\n: 1\n", 1, 3, "key must be a word"},
    {"foreign tag", "a.yaml", "a: !!binary aGk=\n", 1, 4, "tag"},
    {"text that is not a number", "a.yaml", "a: !!int x\n", 1, 4, "does not fit"},
};

static void check_refused(const char *name, lc_str file, lc_str in, unsigned line, unsigned column,
                          const char *contains)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    lc_status status = lc_source_parse(&source, arena, file, in, &limits, &diags);
    ck_assert_msg(status != LC_OK && diags.count > 0, "%s: accepted", name);
    lc_diag *d = &diags.items[0];
    char *message = lc_str_to_c(arena, d->message);
    ck_assert_msg(strstr(message, contains) != NULL, "%s: %s", name, message);
    ck_assert_msg(!line || d->loc.line == line, "%s: line %u, not %u", name, d->loc.line, line);
    ck_assert_msg(!column || d->loc.column == column, "%s: column %u, not %u (%s)", name,
                  d->loc.column, column, message);
    lc_arena_free(arena);
}

START_TEST(test_source_refuse)
{
    check_refused(bad[_i].name, lc_str_from_c(bad[_i].file), lc_str_from_c(bad[_i].in),
                  bad[_i].line, bad[_i].column, bad[_i].contains);
}
END_TEST

static void repeat(lc_buf *buf, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_buf_add_c(buf, text);
}

START_TEST(test_source_bounds)
{
    lc_buf buf = {0};
    repeat(&buf, "[", 10000);
    check_refused("deep json", LC_STR("a.json"), lc_buf_str(&buf), 1, 0, "too deeply");
    check_refused("deep yaml", LC_STR("a.yaml"), lc_buf_str(&buf), 1, 0, "too deeply");
    lc_buf_clear(&buf);
    lc_buf_add_c(&buf, "a: ");
    repeat(&buf, "9", 1000000);
    check_refused("many digits", LC_STR("a.yaml"), lc_buf_str(&buf), 1, 4, "digits");
    lc_buf_clear(&buf);
    lc_buf_add_c(&buf, "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++)
        lc_buf_printf(&buf, "l%d: &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i, i,
                      i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    check_refused("alias bomb", LC_STR("a.yaml"), lc_buf_str(&buf), 0, 0, "aliases");
    lc_buf_clear(&buf);
    lc_buf_add_c(&buf, "a0: &a0 [x]\n");
    for (int i = 1; i < 50; i++)
        lc_buf_printf(&buf, "a%d: &a%d [[[[[[[[*a%d]]]]]]]]\n", i, i, i - 1);
    check_refused("tower of aliases", LC_STR("a.yaml"), lc_buf_str(&buf), 26, 0, "too deeply");
    lc_buf_release(&buf);
}
END_TEST

START_TEST(test_source_many_members)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_buf buf = {0};
    lc_diags_init(&diags, arena);
    lc_buf_add_char(&buf, '{');
    for (int i = 0; i < 100000; i++)
        lc_buf_printf(&buf, "%s\"k%d\":%d", i ? "," : "", i, i);
    lc_buf_add_char(&buf, '}');
    ck_assert_int_eq(
        lc_json_parse(&source, arena, LC_STR("a.json"), lc_buf_str(&buf), &limits, &diags), LC_OK);
    ck_assert_uint_eq(source.documents[0].count, 100000);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* What is not there, is null or is of another kind is asked for like everything else. */
START_TEST(test_source_absent)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    lc_str text = LC_STR("{\"a\": {\"t\": \"x\", \"n\": null, \"yes\": true}, \"l\": [7]}");
    ck_assert_int_eq(lc_json_parse(&source, arena, LC_STR("f"), text, &limits, &diags), LC_OK);
    const lc_node *a = lc_node_get(&source.documents[0], "a");
    const lc_node *l = lc_node_get(&source.documents[0], "l"), *others[] = {NULL, l};
    ck_assert(lc_str_is(lc_node_text(a, "t"), "x") && lc_node_text(a, "n").len == 0);
    ck_assert(lc_node_get(a, "n") && !lc_node_given(a, "n") && lc_node_given(a, "yes"));
    ck_assert(lc_node_is_null(lc_node_get(a, "n")) && lc_node_is_null(NULL));
    ck_assert(lc_node_is_true(lc_node_get(a, "yes")) && !lc_node_is_true(lc_node_get(a, "t")));
    ck_assert(lc_node_get_kind(a, "t", LC_NODE_STRING) && !lc_node_get_kind(a, "t", LC_NODE_BOOL));
    ck_assert(lc_node_member_count(a) == 3 && lc_node_item_count(a) == 0 && !lc_node_item(a, 0));
    ck_assert(lc_node_item_count(l) == 1 && lc_node_item(l, 0) && !lc_node_item(l, 1));
    for (size_t i = 0; i < 2; i++) {
        ck_assert(!lc_node_get(others[i], "t") && !lc_node_value(others[i], LC_STR("t")));
        ck_assert(!lc_node_member(others[i], LC_STR("t")) && lc_node_member_count(others[i]) == 0);
        ck_assert(lc_node_text(others[i], "t").len == 0 && lc_node_as_text(others[i]).len == 0);
        ck_assert(!lc_node_is(others[i], LC_NODE_NULL) && !lc_node_is_true(others[i]));
    }
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_source_documents)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    lc_status status = lc_yaml_parse(&source, arena, LC_STR("a.yaml"),
                                     LC_STR("a: 1\n---\nb: 2\n---\nc: [\n"), &limits, &diags);
    ck_assert_int_eq(status, LC_EINPUT);
    ck_assert_uint_eq(source.count, 2);
    lc_loc loc = lc_node_loc(&source, lc_node_get(&source.documents[1], "b"));
    ck_assert_uint_eq(loc.line, 3);
    ck_assert_uint_eq(loc.column, 4);
    lc_arena_free(arena);
}
END_TEST

static bool count_member(void *context, lc_str key, size_t key_at, lc_json_range value)
{
    lc_buf_printf(context, "%.*s@%zu=%zu..%zu;", LC_FMT(key), key_at, value.from, value.to);
    return true;
}

START_TEST(test_source_index)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_buf buf = {0};
    lc_diags_init(&diags, arena);
    lc_str text = LC_STR("{\"a\": [1, {\"x\": \"}\\\"\"}], \"b\":null}");
    ck_assert_int_eq(lc_json_each_member(LC_STR("a.json"), text, (lc_json_range){0, text.len},
                                         count_member, &buf, arena, &diags),
                     LC_OK);
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), "a@1=6..23;b@25=29..33;"), "%.*s",
                  LC_FMT(lc_buf_str(&buf)));
    lc_source source;
    lc_limits limits = LC_LIMITS_DEFAULT;
    ck_assert_int_eq(lc_json_parse_range(&source, arena, LC_STR("a.json"), text,
                                         (lc_json_range){6, 23}, &limits, &diags),
                     LC_OK);
    ck_assert_uint_eq(source.documents[0].count, 2);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* Values are passed over; what is in them is only looked at as far as finding their ends needs. */
static const struct {
    const char *in, *want; /* members, then the message with its column if there is one */
} indexed[] = {
    {"{}", ""},
    {"{\"a\":[1,,2 3]}", "a@1=5..13;"},
    {"{\"a\":\"\\x\\u1\"}", "a@1=5..12;"},
    {"{\"\\u0061\\n\":{\"b\":1}}", "a\n@1=12..19;"},
    {"{\"a\":1 ,\"b\" : -2e5 }", "a@1=5..6;b@8=14..18;"},
    {"[]", "1: an object is expected here"},
    {"{\"a\":1,}", "a@1=5..6;7: a comma before '}' is not allowed in JSON: remove it"},
    {"{\"a\" 1}", "6: ':' is expected after a name"},
    {"{\"a\":1 2}", "a@1=5..6;8: ',' or '}' is expected here"},
    {"{\"a\":}", "6: a value is expected here"},
    {"{\"a\":[tru]}", "7: a value is expected here"},
    {"{\"a\":[01]}", "7: a number must not begin with a zero"},
    {"{\"a\":[1.]}", "9: digits are expected after the decimal point"},
    {"{\"a\":[1", "8: the document ends in the middle of a value"},
    {"{\"a\":\"x", "8: this string is never closed"},
    {"{\"a\":\"x\\", "9: this string is never closed"},
    {"{\"a\":\"x\ty\"}", "8: this string is never closed"},
    {"{\"a", "2: this string is never closed"},
    {"{\"a\ty\"", "4: a control character in a string must be written as an escape"},
};

START_TEST(test_source_passed_over)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_buf buf = {0};
    lc_diags_init(&diags, arena);
    lc_str text = lc_str_from_c(indexed[_i].in);
    lc_status status = lc_json_each_member(LC_STR("a.json"), text, (lc_json_range){0, text.len},
                                           count_member, &buf, arena, &diags);
    ck_assert_int_eq(status, diags.count ? LC_EINPUT : LC_OK);
    if (diags.count)
        lc_buf_printf(&buf, "%u: %.*s", diags.items[0].loc.column, LC_FMT(diags.items[0].message));
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), indexed[_i].want), "%s: %.*s", indexed[_i].in,
                  LC_FMT(lc_buf_str(&buf)));
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* Limits hold where values are passed over too. */
START_TEST(test_source_passed_over_bounds)
{
    static const struct {
        const char *piece, *message;
        size_t count;
    } cases[] = {{"[", "this is nested too deeply; the limit for JSON is fixed", 1001},
                 {"7", "this number has too many digits", 100001}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_arena *arena = lc_arena_new();
        lc_diags diags;
        lc_buf buf = {0}, seen = {0};
        lc_diags_init(&diags, arena);
        lc_buf_add_c(&buf, "{\"a\":");
        repeat(&buf, cases[i].piece, cases[i].count);
        lc_status status =
            lc_json_each_member(LC_STR("a.json"), lc_buf_str(&buf), (lc_json_range){0, buf.len},
                                count_member, &seen, arena, &diags);
        ck_assert_int_eq(status, LC_ELIMIT);
        ck_assert(lc_str_is(diags.items[0].message, cases[i].message));
        ck_assert_uint_eq(diags.items[0].loc.column, i ? 6 + cases[i].count : 1006);
        lc_buf_release(&buf);
        lc_buf_release(&seen);
        lc_arena_free(arena);
    }
}
END_TEST

/* Counted in steps, places are the same as counted from the start; columns are code points. */
START_TEST(test_source_lines)
{
    lc_arena *arena = lc_arena_new();
    lc_buf buf = {0};
    lc_diags diags;
    lc_source source;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, arena);
    lc_buf_add_char(&buf, '[');
    for (int i = 0; i < 140; i++)
        lc_buf_printf(&buf, "\"%.*s\xC3\xA9\xE2\x82\xAC%d \xF0\x9F\x98\x80%s\",%s", i % 11,
                      "plain text", i, i % 7 ? "" : "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
                      i % 5   ? ""
                      : i % 3 ? "\n"
                              : "\r\n\n  ");
    lc_buf_add_c(&buf, "null]\n");
    ck_assert_int_eq(
        lc_json_parse(&source, arena, LC_STR("a.json"), lc_buf_str(&buf), &limits, &diags), LC_OK);
    ck_assert_uint_gt(buf.len, 2500);
    const lc_lines *lines = lc_lines_new(arena, &source);
    for (size_t at = 0; at <= buf.len; at++) {
        if (at < buf.len && ((unsigned char)buf.ptr[at] & 0xC0) == 0x80)
            continue; /* no node begins there */
        lc_loc want = lc_where_loc(&source, at), got = lc_lines_loc(lines, at);
        ck_assert_msg(want.line == got.line && want.column == got.column,
                      "byte %zu: %u:%u is wanted, and %u:%u is there", at, want.line, want.column,
                      got.line, got.column);
    }
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("source");
    TCase *tc = tcase_create("source");
    ADD_ROWS(tc, test_source_read, good);
    ADD_ROWS(tc, test_source_refuse, bad);
    tcase_add_test(tc, test_source_bounds);
    tcase_add_test(tc, test_source_many_members);
    tcase_add_test(tc, test_source_absent);
    tcase_add_test(tc, test_source_documents);
    tcase_add_test(tc, test_source_index);
    tcase_add_loop_test(tc, test_source_passed_over, 0, sizeof indexed / sizeof *indexed);
    tcase_add_test(tc, test_source_passed_over_bounds);
    tcase_add_test(tc, test_source_lines);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

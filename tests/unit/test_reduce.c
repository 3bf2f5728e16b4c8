/* Reduction of scenarios: what is asked for stays, everything else goes. The question here is
 * whether words occur in the JSON of the scenario. */
#include "unit.h"

#include "extract/reduce.h"

#include <string.h>

typedef struct question {
    const char *words[4];
    unsigned asked, most;
} question;

static bool has_words(void *context, const lc_mutable *root)
{
    question *q = context;
    lc_buf json = {0};
    if (q->most && q->asked >= q->most)
        return false;
    q->asked++;
    lc_mutable_add_json(&json, root);
    lc_buf_add_char(&json, '\0');
    bool has = true;
    for (size_t i = 0; i < 4 && q->words[i]; i++)
        has = has && strstr(json.ptr, q->words[i]);
    lc_buf_release(&json);
    return has;
}

static const struct row {
    const char *before;
    question question;
    const char *after;
} rows[] = {
    {"{\"lifecheck\":1,\"tainted\":true,\"config\":{\"a\":1,\"b\":2}}",
     {{"\"b\":2"}, 0, 0},
     "{\"lifecheck\":1,\"config\":{\"b\":2}}"},
    {"{\"lifecheck\":1,\"runs\":[{\"config\":{\"a\":1}},{\"config\":{\"b\":1}}]}",
     {{"\"b\":1"}, 0, 0},
     "{\"lifecheck\":1,\"config\":{\"b\":1}}"},
    {"{\"schema\":{\"block\":{\"attributes\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":"
     "\"string\"}}}},\"config\":{\"a\":\"x\",\"b\":\"y\"}}",
     {{"\"b\":{", "\"b\":\"y\""}, 0, 0},
     "{\"schema\":{\"block\":{\"attributes\":{\"b\":{\"type\":\"string\"}}}},\"config\":{\"b\":"
     "\"y\"}}"},
    {"{\"config\":{\"l\":[1,2,3]},\"new_state\":{\"l\":[1,2,3]}}",
     {{"config\":{\"l\":[", "state\":{\"l\":[", "3"}, 0, 0},
     "{\"config\":{\"l\":[]},\"new_state\":{\"l\":[3]}}"},
    {"{\"config\":{\"t\":\"a long text\",\"u\":\"a long text\"}}",
     {{"\"t\"", "\"u\""}, 0, 0},
     "{\"config\":{\"t\":\"a\",\"u\":\"a\"}}"},
    {"{\"config\":{\"t\":{\"$unknown\":{\"not_null\":true}}}}",
     {{"\"$unknown\":{"}, 0, 0},
     "{\"config\":{\"t\":{\"$unknown\":{}}}}"},
    {"{\"config\":{\"t\":{\"$unknown\":{\"not_null\":true}}}}",
     {{"\"$unknown\":"}, 0, 0},
     "{\"config\":{\"t\":{\"$unknown\":true}}}"},
    {"{\"calls\":[{\"rpc\":\"PlanResourceChange\",\"phase\":\"plan\",\"request\":{\"config\":"
     "{\"a\":1}},\"response\":{\"planned_state\":{\"a\":2}}}]}",
     {{"\"a\":1", "\"a\":2"}, 0, 0},
     "{\"config\":{\"a\":1},\"planned_state\":{\"a\":2}}"},
    {"{\"calls\":[{\"rpc\":\"PlanResourceChange\",\"phase\":\"plan\",\"request\":{\"config\":"
     "{\"a\":1}}}]}",
     {{"calls", "\"a\":1"}, 0, 0},
     "{\"calls\":[{\"rpc\":\"PlanResourceChange\",\"phase\":\"plan\",\"request\":{\"config\":"
     "{\"a\":1}}}]}"},
    {"{\"tainted\":true,\"config\":{\"a\":1,\"b\":2}}",
     {{"\"b\":2"}, 0, 1},
     "{\"tainted\":true,\"config\":{\"a\":1,\"b\":2}}"},
};

START_TEST(test_reduce)
{
    const struct row *row = &rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    question q = row->question;
    lc_mutable *root = lc_mutable_from_json(arena, lc_str_from_c(row->before), &limits);
    ck_assert_ptr_nonnull(root);
    lc_reducer r = {arena, root, has_words, &q, false};
    lc_reduce(&r);
    lc_buf json = {0};
    lc_mutable_add_json(&json, root);
    lc_buf_add_char(&json, '\0');
    ck_assert_str_eq(json.ptr, row->after);
    lc_buf_release(&json);
    lc_arena_free(arena);
}
END_TEST

/* What is asked again stays whole, but for blocks that are not there, and for computed values of
 * the prior state. */
START_TEST(test_as_asked)
{
    static const char before[] =
        "{\"schema\":{\"block\":{\"attributes\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":"
        "\"string\"},\"id\":{\"type\":\"string\"},\"l\":{\"type\":[\"list\",\"string\"]}},"
        "\"block_types\":{\"r\":{\"nesting_mode\":\"list\",\"block\":{}}}}},\"config\":{\"a\":"
        "\"x\","
        "\"l\":[],\"r\":[]},\"prior_state\":{\"a\":\"y\",\"b\":\"z\",\"id\":\"1\",\"l\":[],\"r\":[]"
        "},"
        "\"planned_state\":{\"a\":\"x\",\"b\":\"z\",\"id\":\"1\"},"
        "\"plan\":{\"legacy_type_system\":true,\"requires_replace\":[\".a\"]}}";
    static const char after[] =
        "{\"schema\":{\"block\":{\"attributes\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":"
        "\"string\"},\"l\":{\"type\":[\"list\",\"string\"]}}}},\"config\":{\"a\":\"x\",\"l\":[]},"
        "\"prior_state\":{\"a\":\"y\",\"b\":\"z\",\"l\":[]},\"planned_state\":{\"b\":\"z\"},"
        "\"plan\":{\"requires_replace\":[\".a\"]}}";
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    question q = {{"\"b\":{\"type\":\"string\"}", "planned_state\":{", "\"b\":\"z\"}"}, 0, 0};
    lc_mutable *root = lc_mutable_from_json(arena, lc_str_from_c(before), &limits);
    lc_reducer r = {arena, root, has_words, &q, true};
    lc_buf json = {0};
    lc_reduce(&r);
    lc_mutable_add_json(&json, root);
    lc_buf_add_char(&json, '\0');
    ck_assert_str_eq(json.ptr, after);
    lc_buf_release(&json);
    lc_arena_free(arena);
}
END_TEST

/* What is printed as YAML is read as the same document. */
static const char *const documents[] = {
    "{\"a\":\"true\",\"b\":true,\"c\":\"1\",\"d\":1.5,\"e\":null,\"f\":\"\"}",
    "{\"a b\":\"c d\",\"- x\":\"# no comment\",\"q\":\"it's: \\\"quoted\\\"\"}",
    "{\"list\":[1,[2,[3,[4,{\"a\":[]}]]],{\"b\":{\"c\":{\"d\":{\"e\":[{}]}}}}]}",
    "{\"text\":\"two\\nlines \\u0007 \\u00e9 \\ud83d\\ude00\",\"path\":\".a.b\",\"x\":\"...\"}",
    "{\"s\":[{\"one\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"two\":"
    "\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"}]}",
};

START_TEST(test_yaml)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_buf yaml = {0}, before = {0}, after = {0};
    lc_diags_init(&diags, arena);
    lc_mutable *tree = lc_mutable_from_json(arena, lc_str_from_c(documents[_i]), &limits);
    lc_mutable_add_json(&before, tree);
    lc_mutable_add_yaml(&yaml, tree);
    ck_assert_msg(lc_yaml_parse(&source, arena, LC_STR("y"), lc_buf_str(&yaml), &limits, &diags) ==
                      LC_OK,
                  "%.*s", LC_FMT(lc_buf_str(&yaml)));
    lc_str json = lc_node_json(arena, source.documents);
    lc_mutable_add_json(&after, lc_mutable_from_json(arena, json, &limits));
    ck_assert_msg(lc_str_eq(lc_buf_str(&before), lc_buf_str(&after)), "%.*s",
                  LC_FMT(lc_buf_str(&yaml)));
    lc_buf_release(&yaml);
    lc_buf_release(&before);
    lc_buf_release(&after);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("reduce");
    TCase *tc = tcase_create("reduce");
    tcase_add_loop_test(tc, test_reduce, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, test_as_asked);
    tcase_add_loop_test(tc, test_yaml, 0, sizeof documents / sizeof *documents);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

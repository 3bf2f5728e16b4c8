/* The reports of judgements made manually: what is shown, what is silent, and that JSON is JSON for
 * any bytes. */
#include "unit.h"

#include "lifecheck/report/report.h"
#include "lifecheck/yaml_json/document.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- Judgements made manually. */

typedef struct bench {
    lc_arena *arena;
    lc_scenario scenario;
    lc_expectation expectation;
    lc_run run;
    lc_run_result result;
    lc_judged judged;
    lc_quotable *quotable;
    const lc_loc (*places)[LC_COLUMN_COUNT];
    lc_report_options options;
    lc_summary summary;
    lc_buf out;
    char *text;
} bench;

static bench *bench_new(void)
{
    lc_arena *arena = lc_arena_new();
    bench *b = LC_NEW(arena, bench);
    b->arena = arena;
    b->run.config.state = LC_FIELD_GIVEN;
    b->scenario.subject = (lc_case){.file = LC_STR("a.yaml"),
                                    .document = 1,
                                    .name = LC_STR("first"),
                                    .resource = LC_STR("example_thing.a"),
                                    .type = LC_STR("example_thing")};
    b->scenario.subject.runs.items = &b->run;
    b->scenario.subject.runs.count = 1;
    b->scenario.expects = &b->expectation;
    b->judged.judgement.runs = &b->result;
    b->judged.judgement.coverage[LC_RULE_APPLY_CHANGED] = LC_COVER_CHECKED;
    b->options.policy.fail_on = LC_ERROR;
    return b;
}

static void bench_free(bench *b)
{
    lc_buf_release(&b->out);
    free(b->text);
    lc_arena_free(b->arena);
}

static lc_redacted_text shown(const char *json)
{
    return (lc_redacted_text){true, false, lc_str_from_c(json)};
}

static lc_finding *add_finding(bench *b, lc_rule rule, const char *path)
{
    lc_finding *f = LC_PUSH(b->arena, &b->judged.judgement.findings, lc_finding);
    f->rule = rule;
    f->run = 1;
    f->call = (lc_call_ref){LC_CALL_APPLY, 2};
    f->follows = -1;
    f->path_text = lc_str_from_c(path);
    f->steps_json = LC_STR("[]");
    f->loc = (lc_loc){LC_STR("a.yaml"), 7, 3};
    f->promised_by = LC_COLUMN_PLANNED;
    f->broken_by = LC_COLUMN_NEW;
    f->values[LC_COLUMN_PLANNED] = shown("\"a\"");
    f->values[LC_COLUMN_NEW] = shown("\"bcd\"");
    f->core[LC_OPENTOFU].effect = f->core[LC_TERRAFORM].effect = LC_EFFECT_ERROR;
    f->core[LC_OPENTOFU].exact = f->core[LC_TERRAFORM].exact = true;
    return f;
}

/* The whole report of the one case; NUL-terminated. */
static const char *report(bench *b)
{
    lc_report r;
    lc_buf piece = {0};
    lc_verdict_apply(&b->judged, b->arena, &b->scenario, &b->options.policy);
    b->judged.quotable = b->quotable;
    b->judged.places = b->places;
    memset(&b->summary, 0, sizeof b->summary);
    lc_summary_add_case(&b->summary, &b->judged);
    lc_buf_clear(&b->out);
    lc_report_begin(&r, &b->options, &b->out);
    lc_report_case(&piece, &b->options, &b->judged);
    lc_report_add(&r, lc_buf_str(&piece), LC_STR_EMPTY, LC_STR_EMPTY, &b->out);
    lc_report_end(&r, &b->summary, &b->out);
    lc_buf_release(&piece);
    free(b->text);
    b->text = calloc(b->out.len + 1, 1);
    ck_assert_ptr_nonnull(b->text);
    memcpy(b->text, b->out.ptr, b->out.len);
    return b->text;
}

static void assert_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "\"%s\" is in:\n%s", part, text);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* ---- Text. */

START_TEST(one_finding)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".policy");
    f->diagnosis =
        (lc_diagnosis){LC_STR("x"), true, LC_STR("because"), LC_STR("do"), LC_STR("try")};
    f->message = LC_STR("not the same");
    ck_assert_str_eq(report(b),
                     "error[apply/changed]: .policy: not the same\n"
                     "  --> a.yaml:7:3   example_thing.a, ApplyResourceChange\n"
                     "   |\n"
                     "   | planned    \"a\"     expected\n"
                     "   | new        \"bcd\"   actual\n"
                     "   |\n"
                     "   = why        because\n"
                     "   = framework  do\n"
                     "   = SDKv2      try\n"
                     "   = more       lifecheck explain apply/changed\n"
                     "\n"
                     "1 violation in 1 resource; 1 case: 1 violates; 1 error, 0 warnings; "
                     "1 of 1 rule checked\n");
    bench_free(b);
}
END_TEST

START_TEST(only_columns_that_differ)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    f->values[LC_COLUMN_CONFIG] = shown("\"a\"");
    f->values[LC_COLUMN_PRIOR] = shown("null");
    const char *text = report(b);
    assert_lacks(text, "config ");
    assert_has(text, "   | prior      null\n");
    b->options.verbose = true;
    assert_has(report(b), "   | config     \"a\"\n");
    f->values[LC_COLUMN_NEW] = shown("\"a\"");
    b->options.verbose = false;
    text = report(b);
    assert_has(text, "planned    \"a\"    expected\n");
    assert_has(text, "new        \"a\"    actual\n");
    bench_free(b);
}
END_TEST

START_TEST(columns_are_aligned_by_code_points)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    f->values[LC_COLUMN_PLANNED] = shown("\"\xc3\xa4\xc3\xb6\"");
    f->values[LC_COLUMN_NEW] = shown("\"ab\"");
    f->values[LC_COLUMN_FINAL_PLANNED] = shown("\"c\"");
    const char *text = report(b);
    assert_has(text, "| planned        \"\xc3\xa4\xc3\xb6\"   expected\n");
    assert_has(text, "| final_planned  \"c\"\n");
    assert_has(text, "| new            \"ab\"   actual\n");
    bench_free(b);
}
END_TEST

START_TEST(the_cores_speak_with_v_only)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    f->core[LC_TERRAFORM].summary = LC_STR("Summary");
    f->core[LC_TERRAFORM].message = LC_STR("first\nsecond");
    f->core[LC_OPENTOFU].effect = LC_EFFECT_NONE;
    f->core[LC_OPENTOFU].masked = true;
    assert_lacks(report(b), "Summary");
    b->options.verbose = true;
    const char *text = report(b);
    assert_has(text, "= terraform  error (tolerated with legacy_type_system): Summary\n"
                     "                first\n                second\n");
    assert_has(text, "= opentofu   none (not reached");
    assert_has(text, "must have an identical value in the new state");
    bench_free(b);
}
END_TEST

START_TEST(followers_are_indented)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".b");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".c");
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".b.x")->follows = 0;
    const char *text = report(b);
    const char *leader = strstr(text, ": .b:"), *follower = strstr(text, ": .b.x:");
    const char *other = strstr(text, ": .c:");
    ck_assert(leader && follower && other && leader < follower && follower < other);
    assert_has(text, "\n  error[apply/became-null]: ");
    bench_free(b);
}
END_TEST

START_TEST(many_findings_of_a_rule_are_counted)
{
    bench *b = bench_new();
    for (int i = 0; i < 20; i++)
        add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    ck_assert_uint_eq(count_of(report(b), "[apply/changed]"), 20);
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".a");
    const char *text = report(b);
    ck_assert_uint_eq(count_of(text, "[apply/changed]"), 3);
    ck_assert_uint_eq(count_of(text, "[apply/became-null]"), 1);
    assert_has(text, "... and 18 more of apply/changed");
    assert_has(text, "22 errors");
    b->options.verbose = true;
    ck_assert_uint_eq(count_of(report(b), "[apply/changed]"), 21);
    bench_free(b);
}
END_TEST

START_TEST(what_is_expected_is_silent)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    lc_expected_finding e = {.rule = LC_RULE_APPLY_CHANGED};
    b->expectation.given = true;
    b->expectation.findings.items = &e;
    b->expectation.findings.count = 1;
    ck_assert_str_eq(report(b), "1 case: 1 meets its expectation; 0 errors, 0 warnings; 1 of 1 "
                                "rule checked\n");
    b->options.verbose = true;
    assert_has(report(b), "a.yaml#first: meets its expectation");
    b->options.verbose = false;
    b->expectation.findings.count = 0;
    const char *text = report(b);
    assert_has(text, "is the same in the new state (not expected)\n");
    assert_has(text, "1 case: 1 does not meet its expectation; 1 error");
    bench_free(b);
}
END_TEST

START_TEST(an_unmet_expectation_shows_what_the_options_hide)
{
    bench *b = bench_new();
    lc_str glob = LC_STR("plan/*");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    b->expectation.given = true;
    b->options.policy.select = &glob;
    b->options.policy.select_count = 1;
    assert_has(report(b), "error[apply/changed]: .a: ");
    bench_free(b);
}
END_TEST

START_TEST(quiet_shows_what_fails)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    b->options.quiet = true;
    ck_assert_uint_eq(count_of(report(b), "\n"), 10);
    f->core[LC_OPENTOFU].effect = f->core[LC_TERRAFORM].effect = LC_EFFECT_TOLERATED;
    ck_assert_str_eq(report(b), "");
    bench_free(b);
}
END_TEST

START_TEST(explanations_are_folded)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a")->message =
        LC_STR("one two three four five six seven eight nine ten eleven twelve");
    b->options.width = 40;
    const char *text = report(b);
    assert_has(text, "error[apply/changed]: .a: one two three\n"
                     "    four five six seven eight nine ten\n"
                     "    eleven twelve\n");
    assert_has(text, "   = framework  Copy the planned value\n"
                     "                into resp.State (start\n");
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        ck_assert_uint_le((size_t)(strchr(line, '\n') - line), 40);
    bench_free(b);
}
END_TEST

/* ---- Lines of the input. */

static const char *quoting(bench *b, const char *input, bool secrets)
{
    b->quotable = lc_quotable_new(b->arena, LC_STR("a.yaml"), lc_str_from_c(input), secrets);
    return report(b);
}

/* The place of each value, as the fields of a case would know it. */
static void place(bench *b, lc_loc planned, lc_loc new)
{
    lc_loc(*places)[LC_COLUMN_COUNT] = lc_arena_zalloc(b->arena, sizeof *places);
    places[0][LC_COLUMN_PLANNED] = planned;
    places[0][LC_COLUMN_NEW] = new;
    b->places = (const lc_loc(*)[LC_COLUMN_COUNT])places;
}

#define AT(line, column) ((lc_loc){LC_STR("a.yaml"), line, column})

START_TEST(carets_stand_below_wide_characters)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    place(b, AT(1, 21), AT(2, 17));
    const char *text =
        quoting(b, "planned: {b: 日本, a: a}\nnew: {b: e\xcc\x81, a: 日本}\n", false);
    assert_has(text, "planned: {b: 日本, a: a}\n"
                     "   |                       ^ expected\n");
    assert_has(text, "new: {b: e\xcc\x81, a: 日本}\n"
                     "   |                ^^^^ actual\n");
    bench_free(b);
}
END_TEST

START_TEST(lines_of_the_input_are_shown)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    place(b, AT(1, 20), AT(3, 6));
    const char *text = quoting(b, "planned: {b: 1, a: a, c: 2}\nnew:\n  a: bcd # no\n", false);
    assert_has(text, "   |\n"
                     " 1 | planned: {b: 1, a: a, c: 2}\n"
                     "   |                    ^ expected\n"
                     " 3 |   a: bcd # no\n"
                     "   |      ^^^ actual\n"
                     "   |\n"
                     "   = framework");
    text = quoting(b, "planned: {b: 1, a: x, c: 2}\nnew:\n  a: bcd\n", false);
    assert_has(text, "^ expected\n"); /* the place of an alias, or of an enclosing value */
    assert_has(text, "   | planned    \"a\"     expected\n");
    text = quoting(b, "planned: {b: 1, a: a, private: 2}\nnew:\n  a: bcd\n", false);
    assert_lacks(text, "private");
    bench_free(b);
}
END_TEST

/* With secrets about, only the value is shown, with its key. */
START_TEST(lines_with_secrets_are_not)
{
    static const struct {
        const char *line;
        unsigned column;
        const char *shown;
    } rows[] = {
        {"  a: bcd", 6, " 1 |   a: bcd\n   |      ^^^ actual\n"},
        {"  - bcd", 5, " 1 |     bcd\n   |     ^^^ actual\n"},
        {"  \"a\": \"bcd\",", 8, " 1 |   \"a\": \"bcd\"\n   |        ^^^^^ actual\n"},
        {"  a: 'bcd' # xyzzy", 6, " 1 |   a: 'bcd'\n   |      ^^^^^ actual\n"},
        {"\xc3\xa4 {xyzzy: 1, a: bcd, b: xyzzy}", 17,
         " 1 |              a: bcd\n   |                 ^^^ actual\n"},
        {"  xyzzy z: bcd", 12, " 1 |         z: bcd\n   |            ^^^ actual\n"},
        {"  xyzzy, bcd", 10, " 1 |          bcd\n   |          ^^^ actual\n"},
        {"  a: xyzzy", 6, NULL},
        {"  a: {xyzzy: 1}", 6, NULL},
        {"  a: bcd xyzzy", 6, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench *b = bench_new();
        add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
        place(b, AT(0, 0), AT(1, rows[i].column));
        const char *text = quoting(b, rows[i].line, true);
        assert_lacks(text, "xyzzy");
        if (rows[i].shown)
            assert_has(text, rows[i].shown);
        else
            assert_lacks(text, " 1 | ");
        bench_free(b);
    }
}
END_TEST

START_TEST(long_lines_are_cut)
{
    bench *b = bench_new();
    char line[400] = {0};
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    place(b, AT(0, 0), AT(1, 201));
    memset(line, 'x', 290);
    memcpy(line + 198, "{ bcd }", 7);
    b->options.width = 60;
    const char *text = quoting(b, line, false);
    assert_has(text, "x{ bcd }x");
    for (const char *at = text; *at; at = strchr(at, '\n') + 1)
        ck_assert_uint_le((size_t)(strchr(at, '\n') - at), 60);
    memset(line + 290, 'x', 100);
    assert_lacks(quoting(b, line, false), "xxx");
    bench_free(b);
}
END_TEST

START_TEST(one_line_a_finding)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    f->message = LC_STR("not the same");
    f->diagnosis = (lc_diagnosis){.id = LC_STR("x"), .why = LC_STR("because")};
    b->options.format = LC_FORMAT_CONCISE;
    ck_assert_str_eq(report(b), "a.yaml:7:3: error[apply/changed] example_thing.a .a: not the "
                                "same: because\n");
    bench_free(b);
}
END_TEST

START_TEST(rules_are_counted)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".b");
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".c");
    assert_lacks(report(b), "     2  error");
    b->options.statistics = true;
    assert_has(report(b), "     2  error    apply/became-null  A planned value is not null in the "
                          "new state\n"
                          "     1  error    apply/changed      A planned known value is");
    bench_free(b);
}
END_TEST

START_TEST(unknowns_have_one_spelling)
{
    bench *b = bench_new();
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    f->values[LC_COLUMN_PLANNED] = shown("[{\"$unknown\":true},{\"$unknown\":{\"prefix\":\"}\"}}]");
    f->values[LC_COLUMN_NEW] = shown("\"{\\\"$unknown\\\":true}\"");
    const char *text = report(b);
    assert_has(text, "planned    [!unknown,!unknown {\"prefix\":\"}\"}]");
    assert_has(text, "new        \"{\\\"$unknown\\\":true}\"");
    bench_free(b);
}
END_TEST

START_TEST(findings_are_in_the_order_of_places)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a")->loc.line = 10;
    add_finding(b, LC_RULE_APPLY_CHANGED, ".b")->loc.line = 9;
    add_finding(b, LC_RULE_APPLY_CHANGED, ".c")->loc.column = 1;
    const char *text = report(b);
    const char *first = strstr(text, ": .c:"), *second = strstr(text, ": .b:");
    ck_assert(first && second && first < second && second < strstr(text, ": .a:"));
    bench_free(b);
}
END_TEST

START_TEST(missing_inputs_are_grouped)
{
    bench *b = bench_new();
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        bool final = lc_str_starts_with(slug, LC_STR("final/"));
        if (!final && rule != LC_RULE_APPLY_BECAME_NULL)
            continue;
        b->judged.judgement.coverage[rule] = LC_COVER_NOT_CHECKED;
        b->judged.judgement.missing[rule] = LC_NEED_FINAL_PLANNED_STATE;
    }
    assert_has(report(b), "not checked: final/*, apply/became-null (21) need "
                          "final_planned_state (-v: all)\n");
    b->judged.judgement.coverage[LC_RULE_FINAL_CHANGED] = LC_COVER_CHECKED;
    const char *text = report(b);
    assert_lacks(text, "final/*");
    assert_has(text, ", ... (20) need final_planned_state");
    b->judged.judgement.missing[LC_RULE_APPLY_BECAME_NULL] = LC_NEED_PRIOR_STATE;
    text = report(b);
    assert_has(text, "(19) need final_planned_state; 1 more needs prior_state (-v: all); write "
                     "`prior_state: null` if this is a create\n");
    b->options.verbose = true;
    text = report(b);
    assert_has(text, "\n  not checked: needs prior_state: apply/became-null (1)\n");
    bench_free(b);
}
END_TEST

START_TEST(terminals_are_left_alone)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a\x1b[31m")->message =
        LC_STR("x\x07y \xc2\x9b z\nw \xff");
    b->scenario.subject.name = LC_STR("two\nlines\x1b");
    b->scenario.subject.file = LC_STR("f\x1b.yaml");
    const char *text = report(b);
    assert_lacks(text, "\x1b");
    assert_lacks(text, "\x07");
    assert_lacks(text, "\xc2\x9b");
    assert_lacks(text, "\xff");
    assert_has(text, "error[apply/changed]: .a?[31m: x?y ? z?w ?\n");
    assert_has(text, "  --> a.yaml:7:3   example_thing.a, ApplyResourceChange\n");
    b->options.verbose = true;
    assert_has(report(b), "f?.yaml#two?lines?: violates");
    bench_free(b);
}
END_TEST

/* ---- JSON. */

static cJSON *parse(const char *text, size_t length)
{
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithLengthOpts(text, length, &end, false);
    ck_assert_msg(json != NULL, "no JSON:\n%s", text);
    while (end < text + length && (*end == '\n' || *end == ' '))
        end++;
    ck_assert_msg(end == text + length, "more after the JSON: %s", end);
    return json;
}

static const char *string_at(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    ck_assert_msg(text != NULL, "%s is not a string", key);
    return text;
}

START_TEST(json_has_every_member)
{
    static const char *const case_members[] = {"file",
                                               "document",
                                               "name",
                                               "source",
                                               "resource",
                                               "type",
                                               "verdict",
                                               "expectation",
                                               "runs",
                                               "findings",
                                               "rules",
                                               "not_checked",
                                               "expectation_failures"};
    static const char *const finding_members[] = {
        "rule",      "severity",   "strength",    "blame",     "doubtful", "run",
        "call",      "also",       "follows",     "path",      "steps",    "message",
        "location",  "values",     "promised_by", "broken_by", "opentofu", "terraform",
        "diagnosis", "suppressed", "fingerprint"};
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    b->options.format = LC_FORMAT_JSON;
    report(b);
    cJSON *json = parse(b->text, b->out.len);
    ck_assert_int_eq(cJSON_GetObjectItem(json, "lifecheck_report")->valueint, 1);
    cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "cases"), 0);
    for (size_t i = 0; i < sizeof case_members / sizeof *case_members; i++)
        ck_assert_msg(cJSON_HasObjectItem(one, case_members[i]), "no %s", case_members[i]);
    ck_assert_str_eq(string_at(one, "verdict"), "violates");
    cJSON *finding = cJSON_GetArrayItem(cJSON_GetObjectItem(one, "findings"), 0);
    for (size_t i = 0; i < sizeof finding_members / sizeof *finding_members; i++)
        ck_assert_msg(cJSON_HasObjectItem(finding, finding_members[i]), "no %s",
                      finding_members[i]);
    ck_assert_str_eq(string_at(cJSON_GetObjectItem(finding, "values"), "new"), "bcd");
    ck_assert_str_eq(string_at(cJSON_GetObjectItem(finding, "call"), "rpc"), "ApplyResourceChange");
    cJSON_Delete(json);
    bench_free(b);
}
END_TEST

START_TEST(json_of_any_bytes)
{
    bench *b = bench_new();
    static const char bytes[] = "q\" b\\ n\n \x01 \x7f \xff\xfe \xc3 \xe2\x82 end";
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, bytes);
    f->message = (lc_str){"nul\0inside", 10};
    b->scenario.subject.name = (lc_str){bytes, sizeof bytes - 1};
    b->scenario.subject.file = (lc_str){bytes, sizeof bytes - 1};
    for (int format = LC_FORMAT_JSON; format <= LC_FORMAT_JSONL; format++) {
        b->options.format = (lc_format)format;
        report(b);
        for (char *line = b->text; format == LC_FORMAT_JSONL && line[0];) {
            size_t length = strcspn(line, "\n");
            cJSON_Delete(parse(line, length));
            line += length + 1;
        }
        if (format == LC_FORMAT_JSON)
            cJSON_Delete(parse(b->text, b->out.len));
        ck_assert_uint_eq(strlen(b->text), b->out.len);
        assert_has(b->text, "nul\\u0000inside");
    }
    bench_free(b);
}
END_TEST

START_TEST(json_leaves_out_what_is_hidden)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_PLAN_MISMATCH_CONFIG, ".a");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".b");
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".b.c")->follows = 1;
    lc_str glob = LC_STR("apply/*");
    b->options.policy.select = &glob;
    b->options.policy.select_count = 1;
    b->options.format = LC_FORMAT_JSON;
    report(b);
    cJSON *json = parse(b->text, b->out.len);
    cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "cases"), 0);
    cJSON *findings = cJSON_GetObjectItem(one, "findings");
    ck_assert_int_eq(cJSON_GetArraySize(findings), 2);
    cJSON *follows = cJSON_GetObjectItem(cJSON_GetArrayItem(findings, 1), "follows");
    ck_assert_msg(follows->valueint == 0, "places count what is there");
    cJSON_Delete(json);
    bench_free(b);
}
END_TEST

/* ---- Pieces. */

START_TEST(pieces_join_in_every_mixture)
{
    for (unsigned mixture = 0; mixture < 64; mixture++) {
        bench *b = bench_new();
        lc_report r;
        lc_diag diag = {
            .severity = LC_DIAG_ERROR, .loc = {LC_STR("b.yaml"), 1, 2}, .message = LC_STR("bad")};
        b->options.format = LC_FORMAT_JSON;
        lc_verdict_apply(&b->judged, b->arena, &b->scenario, &b->options.policy);
        lc_report_begin(&r, &b->options, &b->out);
        int cases = 0, errors = 0;
        for (int file = 0; file < 3; file++) {
            lc_buf case_bytes = {0}, error_bytes = {0};
            unsigned what = mixture >> file * 2 & 3u;
            for (unsigned i = 0; (what & 1u) && i < 2; i++, cases++)
                lc_report_case(&case_bytes, &b->options, &b->judged);
            for (unsigned i = 0; (what & 2u) && i < 2; i++, errors++)
                lc_report_diag(&error_bytes, &b->options, &diag);
            lc_report_add(&r, lc_buf_str(&case_bytes), lc_buf_str(&error_bytes), LC_STR_EMPTY,
                          &b->out);
            lc_buf_release(&case_bytes);
            lc_buf_release(&error_bytes);
        }
        lc_report_end(&r, &b->summary, &b->out);
        cJSON *json = parse(b->out.ptr, b->out.len);
        ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "cases")), cases);
        ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "errors")), errors);
        cJSON_Delete(json);
        bench_free(b);
    }
}
END_TEST

START_TEST(sums_add_up)
{
    bench *b = bench_new();
    lc_summary twice = {0};
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a");
    b->judged.judgement.coverage[LC_RULE_APPLY_BECAME_NULL] = LC_COVER_NOT_CHECKED;
    report(b);
    lc_summary_add(&twice, &b->summary);
    b->judged.judgement.coverage[LC_RULE_APPLY_BECAME_NULL] = LC_COVER_CHECKED;
    report(b);
    lc_summary_add(&twice, &b->summary);
    ck_assert_uint_eq(twice.cases, 2);
    ck_assert_uint_eq(twice.violate, 2);
    ck_assert_uint_eq(twice.findings[LC_ERROR], 2);
    ck_assert(twice.failed && twice.judged_any);
    lc_report r;
    lc_buf_clear(&b->out);
    lc_report_begin(&r, &b->options, &b->out);
    lc_report_end(&r, &twice, &b->out);
    lc_buf_add_char(&b->out, '\0');
    assert_has(b->out.ptr, "2 violations in 2 resources; 2 cases: 2 violate; 2 errors, 0 warnings; "
                           "2 of 2 rules checked");
    bench_free(b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("report");
    TCase *text = tcase_create("text"), *json = tcase_create("json");
    lc_doc_install();
    tcase_add_test(text, one_finding);
    tcase_add_test(text, only_columns_that_differ);
    tcase_add_test(text, columns_are_aligned_by_code_points);
    tcase_add_test(text, the_cores_speak_with_v_only);
    tcase_add_test(text, followers_are_indented);
    tcase_add_test(text, many_findings_of_a_rule_are_counted);
    tcase_add_test(text, what_is_expected_is_silent);
    tcase_add_test(text, an_unmet_expectation_shows_what_the_options_hide);
    tcase_add_test(text, quiet_shows_what_fails);
    tcase_add_test(text, explanations_are_folded);
    tcase_add_test(text, missing_inputs_are_grouped);
    tcase_add_test(text, carets_stand_below_wide_characters);
    tcase_add_test(text, lines_of_the_input_are_shown);
    tcase_add_test(text, lines_with_secrets_are_not);
    tcase_add_test(text, long_lines_are_cut);
    tcase_add_test(text, one_line_a_finding);
    tcase_add_test(text, rules_are_counted);
    tcase_add_test(text, unknowns_have_one_spelling);
    tcase_add_test(text, findings_are_in_the_order_of_places);
    tcase_add_test(text, terminals_are_left_alone);
    tcase_add_test(json, json_has_every_member);
    tcase_add_test(json, json_of_any_bytes);
    tcase_add_test(json, json_leaves_out_what_is_hidden);
    tcase_add_test(json, pieces_join_in_every_mixture);
    tcase_add_test(json, sums_add_up);
    suite_add_tcase(suite, text);
    suite_add_tcase(suite, json);
    return suite_run(suite);
}

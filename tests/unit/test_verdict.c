/* Severities, expectations, ignores and days, on judgements made manually. */
#include "unit.h"

#include "lifecheck/verdict/verdict.h"

#include <string.h>

/* ---- Judgements made manually. */

typedef struct bench {
    lc_arena *arena;
    lc_scenario scenario;
    lc_expectation expectations[2];
    lc_run runs[2];
    lc_run_result results[2];
    lc_judged judged;
    lc_policy policy;
} bench;

static bench *bench_new(void)
{
    lc_arena *arena = lc_arena_new();
    bench *b = LC_NEW(arena, bench);
    b->arena = arena;
    b->runs[0].config.state = LC_FIELD_GIVEN;
    b->runs[1].config.state = LC_FIELD_GIVEN;
    b->scenario.subject.runs.items = b->runs;
    b->scenario.subject.runs.count = 1;
    b->scenario.subject.type = LC_STR("example_thing");
    b->scenario.expects = b->expectations;
    b->judged.judgement.runs = b->results;
    b->judged.judgement.coverage[LC_RULE_APPLY_CHANGED] = LC_COVER_CHECKED;
    b->policy = (lc_policy){.fail_on = LC_ERROR, .today = 20260601};
    return b;
}

static lc_path path_of(lc_arena *arena, const char *text)
{
    lc_path path;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_path_parse(&path, arena, lc_str_from_c(text), true, &why, &at),
                  "%s is not a path", text);
    return path;
}

static lc_finding *add_finding(bench *b, lc_rule rule, const char *path, lc_call_kind kind)
{
    lc_finding *f = LC_PUSH(b->arena, &b->judged.judgement.findings, lc_finding);
    f->rule = rule;
    f->run = 1;
    f->call.kind = kind;
    f->follows = -1;
    f->path = path_of(b->arena, path);
    f->path_text = lc_str_from_c(path);
    f->core[LC_OPENTOFU].effect = LC_EFFECT_ERROR;
    f->core[LC_TERRAFORM].effect = LC_EFFECT_ERROR;
    return f;
}

static lc_expected_finding *expect(bench *b, lc_rule rule, const char *path)
{
    b->expectations[0].given = true;
    lc_expected_finding *e = LC_PUSH(b->arena, &b->expectations[0].findings, lc_expected_finding);
    e->rule = rule;
    if (path) {
        e->has_path = true;
        e->path = path_of(b->arena, path);
    }
    return e;
}

static void apply(bench *b)
{
    lc_verdict_apply(&b->judged, b->arena, &b->scenario, &b->policy);
}

static size_t failures_of_kind(const bench *b, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < b->judged.failures.count; i++)
        count += strcmp(b->judged.failures.items[i].kind, kind) == 0;
    return count;
}

/* ---- Severities. */

typedef struct severity_row {
    const char *name;
    lc_rule rule;
    lc_effect opentofu, terraform;
    lc_fact legacy;
    lc_severity document, strict, as_opentofu, as_terraform;
} severity_row;

#define NONE LC_EFFECT_NONE
#define STOP LC_EFFECT_ERROR

static const severity_row severity_rows[] = {
    {"client", LC_RULE_CONFIG_FINAL_UNKNOWN, STOP, STOP, LC_NO, LC_WARNING, LC_ERROR, LC_WARNING,
     LC_WARNING},
    {"both stop", LC_RULE_APPLY_CHANGED, STOP, STOP, LC_NO, LC_ERROR, LC_ERROR, LC_ERROR, LC_ERROR},
    {"one stops", LC_RULE_APPLY_CHANGED, NONE, STOP, LC_NO, LC_ERROR, LC_ERROR, LC_INFO, LC_ERROR},
    {"one crashes", LC_RULE_APPLY_CHANGED, LC_EFFECT_CRASH, NONE, LC_NO, LC_ERROR, LC_ERROR,
     LC_ERROR, LC_INFO},
    {"tolerated", LC_RULE_APPLY_CHANGED, LC_EFFECT_TOLERATED, LC_EFFECT_TOLERATED, LC_YES,
     LC_WARNING, LC_ERROR, LC_INFO, LC_INFO},
    {"tolerated by one, stopped by the other", LC_RULE_APPLY_CHANGED, LC_EFFECT_TOLERATED, STOP,
     LC_YES, LC_ERROR, LC_ERROR, LC_INFO, LC_ERROR},
    {"flag not known", LC_RULE_APPLY_CHANGED, LC_EFFECT_ERROR_OR_TOLERATED,
     LC_EFFECT_ERROR_OR_TOLERATED, LC_NOT_KNOWN, LC_WARNING, LC_ERROR, LC_WARNING, LC_WARNING},
    {"must, nobody acts", LC_RULE_APPLY_CHANGED, NONE, NONE, LC_NO, LC_ERROR, LC_ERROR, LC_HIDDEN,
     LC_HIDDEN},
    {"must, one logs", LC_RULE_APPLY_CHANGED, LC_EFFECT_LOGGED, NONE, LC_NO, LC_ERROR, LC_ERROR,
     LC_INFO, LC_HIDDEN},
    {"must of apply, nobody acts, old SDK", LC_RULE_APPLY_CHANGED, NONE, NONE, LC_YES, LC_WARNING,
     LC_ERROR, LC_INFO, LC_INFO},
    {"must of final, nobody acts, old SDK", LC_RULE_FINAL_CHANGED, NONE, NONE, LC_YES, LC_ERROR,
     LC_ERROR, LC_HIDDEN, LC_HIDDEN},
    {"convention", LC_RULE_WIRE_JSON_RESPONSE, NONE, NONE, LC_NO, LC_INFO, LC_WARNING, LC_HIDDEN,
     LC_HIDDEN},
    {"convention that is logged", LC_RULE_WIRE_JSON_RESPONSE, LC_EFFECT_LOGGED, NONE, LC_NO,
     LC_WARNING, LC_ERROR, LC_INFO, LC_INFO},
};

START_TEST(severity_is_the_first_row_that_fits)
{
    const severity_row *r = &severity_rows[_i];
    lc_finding f = {.rule = r->rule, .legacy = r->legacy};
    lc_policy policy = {.as = LC_PROFILE_DOCUMENT};
    f.core[LC_OPENTOFU].effect = r->opentofu;
    f.core[LC_TERRAFORM].effect = r->terraform;
    ck_assert_msg(lc_severity_of(&policy, &f) == r->document, "%s: by default %s", r->name,
                  lc_severity_name(lc_severity_of(&policy, &f)));
    policy.strict = true;
    ck_assert_msg(lc_severity_of(&policy, &f) == r->strict, "%s: strict %s", r->name,
                  lc_severity_name(lc_severity_of(&policy, &f)));
    policy = (lc_policy){.as = LC_PROFILE_OPENTOFU};
    ck_assert_msg(lc_severity_of(&policy, &f) == r->as_opentofu, "%s: as opentofu %s", r->name,
                  lc_severity_name(lc_severity_of(&policy, &f)));
    policy.as = LC_PROFILE_TERRAFORM;
    ck_assert_msg(lc_severity_of(&policy, &f) == r->as_terraform, "%s: as terraform %s", r->name,
                  lc_severity_name(lc_severity_of(&policy, &f)));
}
END_TEST

START_TEST(smells_and_shoulds)
{
    lc_policy document = {.as = LC_PROFILE_DOCUMENT}, strict = {.strict = true};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        const lc_rule_info *info = lc_rule_get((lc_rule)rule);
        lc_finding f = {.rule = (lc_rule)rule};
        if (info->blame != LC_PROVIDER)
            continue;
        if (info->strength == LC_SMELL) {
            ck_assert_int_eq(lc_severity_of(&document, &f), LC_INFO);
            ck_assert_int_eq(lc_severity_of(&strict, &f), LC_INFO);
        }
        if (info->strength == LC_SHOULD) {
            ck_assert_int_eq(lc_severity_of(&document, &f), LC_WARNING);
            ck_assert_int_eq(lc_severity_of(&strict, &f), LC_ERROR);
        }
    }
}
END_TEST

/* ---- Verdicts. */

START_TEST(verdicts)
{
    bench *b = bench_new();
    apply(b);
    ck_assert_int_eq(b->judged.verdict, LC_CONFORMS);
    ck_assert(b->judged.passes);

    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    apply(b);
    ck_assert_int_eq(b->judged.verdict, LC_VIOLATES);
    ck_assert(!b->judged.passes);

    b->judged.judgement.findings.items[0].rule = LC_RULE_CONFIG_FINAL_UNKNOWN;
    b->policy.fail_on = LC_WARNING;
    apply(b);
    ck_assert_msg(b->judged.verdict == LC_NOT_JUDGED, "the client's fault is not the provider's");

    b->policy.strict = true;
    b->policy.fail_on = LC_ERROR;
    apply(b);
    ck_assert_int_eq(b->judged.severities[0], LC_ERROR);
    ck_assert_msg(b->judged.verdict == LC_VIOLATES, "nothing conforms beside an error");
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(nothing_checked_is_not_judged)
{
    bench *b = bench_new();
    b->judged.judgement.coverage[LC_RULE_APPLY_CHANGED] = LC_COVER_NOT_CHECKED;
    b->judged.judgement.coverage[LC_RULE_SCHEMA_ATTR_NO_TYPE] = LC_COVER_CHECKED;
    apply(b);
    ck_assert_int_eq(b->judged.verdict, LC_NOT_JUDGED);
    ck_assert(b->judged.passes);

    b->runs[0].config.state = LC_FIELD_ABSENT;
    apply(b);
    ck_assert_msg(b->judged.verdict == LC_NOT_JUDGED, "a schema says nothing of an object");

    b->scenario.subject.source = LC_SOURCE_RPC;
    apply(b);
    ck_assert_msg(b->judged.verdict == LC_CONFORMS,
                  "a recording that ends with the schemas is checked by schema/*");
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(selection_hides_and_requires)
{
    bench *b = bench_new();
    lc_str plan = LC_STR("plan/*"), apply_rules = LC_STR("apply/*");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    b->policy.select = &plan;
    b->policy.select_count = 1;
    apply(b);
    ck_assert_int_eq(b->judged.severities[0], LC_HIDDEN);
    ck_assert_int_eq(b->judged.verdict, LC_NOT_JUDGED);

    b->policy.select_count = 0;
    b->policy.ignore = &apply_rules;
    b->policy.ignore_count = 1;
    apply(b);
    ck_assert_int_eq(b->judged.severities[0], LC_HIDDEN);

    b->policy.ignore_count = 0;
    b->judged.judgement.findings.count = 0;
    b->judged.judgement.coverage[LC_RULE_APPLY_BECAME_NULL] = LC_COVER_NOT_CHECKED;
    b->judged.judgement.missing[LC_RULE_APPLY_BECAME_NULL] = LC_NEED_NEW_STATE;
    b->policy.require = &apply_rules;
    b->policy.require_count = 1;
    apply(b);
    ck_assert(!b->judged.passes);
    ck_assert_uint_eq(b->judged.notes.count, 1);
    ck_assert_str_eq(b->judged.notes.items[0].kind, "required");
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(undecided_caps_outside_of_scenarios)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY)->doubtful = true;
    apply(b);
    ck_assert_int_eq(b->judged.severities[0], LC_ERROR);
    b->scenario.subject.source = LC_SOURCE_RPC;
    apply(b);
    ck_assert_int_eq(b->judged.severities[0], LC_WARNING);
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(fingerprints_forget_places_in_collections)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a[0].b", LC_CALL_APPLY);
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a[1].b", LC_CALL_APPLY);
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a[\"k\"].b", LC_CALL_APPLY);
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a.c", LC_CALL_APPLY);
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".a[0].b", LC_CALL_APPLY);
    apply(b);
    ck_assert_uint_eq(strlen(b->judged.fingerprints[0]), 16);
    ck_assert_str_eq(b->judged.fingerprints[0], b->judged.fingerprints[1]);
    ck_assert_str_eq(b->judged.fingerprints[0], b->judged.fingerprints[2]);
    ck_assert_str_ne(b->judged.fingerprints[0], b->judged.fingerprints[3]);
    ck_assert_str_ne(b->judged.fingerprints[0], b->judged.fingerprints[4]);
    lc_arena_free(b->arena);
}
END_TEST

/* ---- Expectations. */

START_TEST(exact_multiset)
{
    bench *b = bench_new();
    expect(b, LC_RULE_APPLY_CHANGED, ".a");
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_UNMET);
    ck_assert_uint_eq(failures_of_kind(b, "missing"), 1);

    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);
    ck_assert(b->judged.passes);
    ck_assert_int_eq(b->judged.verdict, LC_VIOLATES);

    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    apply(b);
    ck_assert_msg(failures_of_kind(b, "unexpected") == 1, "a duplicate is not covered");
    ck_assert(!b->judged.passes);
    ck_assert(b->judged.expected[0] != b->judged.expected[1]);
    lc_arena_free(b->arena);
}
END_TEST

typedef struct fit_row {
    const char *name;
    const char *path;
    lc_call_kind call; /* LC_CALL_SCHEMA: not stated */
    const char *diagnosis;
    lc_effect terraform; /* LC_EFFECT_NONE: not stated */
    bool current;
    bool fits;
} fit_row;

static const fit_row fit_rows[] = {
    {"no path", NULL, LC_CALL_SCHEMA, "", NONE, true, true},
    {"path", ".a", LC_CALL_SCHEMA, "", NONE, true, true},
    {"other path", ".b", LC_CALL_SCHEMA, "", NONE, true, false},
    {"longer path", ".a.b", LC_CALL_SCHEMA, "", NONE, true, false},
    {"call", ".a", LC_CALL_APPLY, "", NONE, true, true},
    {"later call", ".a", LC_CALL_REREAD, "", NONE, true, true},
    {"other call", ".a", LC_CALL_PLAN, "", NONE, true, false},
    {"diagnosis", ".a", LC_CALL_SCHEMA, "json-equal", NONE, true, true},
    {"other diagnosis", ".a", LC_CALL_SCHEMA, "letter-case", NONE, true, false},
    {"effect", ".a", LC_CALL_SCHEMA, "", STOP, true, true},
    {"other effect", ".a", LC_CALL_SCHEMA, "", LC_EFFECT_LOGGED, true, false},
    {"effect of another version", ".a", LC_CALL_SCHEMA, "", LC_EFFECT_LOGGED, false, true},
};

START_TEST(what_fits_an_expectation)
{
    const fit_row *r = &fit_rows[_i];
    bench *b = bench_new();
    static const lc_call_ref also[] = {{LC_CALL_REREAD, 4}};
    lc_finding *f = add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    f->also = also;
    f->also_count = 1;
    f->diagnosis.id = LC_STR("json-equal");
    lc_expected_finding *e = expect(b, LC_RULE_APPLY_CHANGED, r->path);
    e->has_call = r->call != LC_CALL_SCHEMA;
    e->call = r->call;
    e->diagnosis = lc_str_from_c(r->diagnosis);
    e->has_effect[LC_TERRAFORM] = r->terraform != NONE;
    e->effect[LC_TERRAFORM] = r->terraform;
    e->current_core[LC_TERRAFORM] = r->current;
    apply(b);
    ck_assert_msg((b->judged.expectation == LC_EXPECTATION_MET) == r->fits, "%s", r->name);
    lc_arena_free(b->arena);
}
END_TEST

/* Every order of findings and expectations finds the one assignment there is. */
START_TEST(vague_expectations_do_not_steal)
{
    static const char *const paths[] = {".a", ".b", ".c"};
    static const char *const wanted[] = {NULL, ".a", ".b"};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int x = 0; x < 6; x++) {
        for (int y = 0; y < 6; y++) {
            bench *b = bench_new();
            for (int i = 0; i < 3; i++) {
                add_finding(b, LC_RULE_APPLY_CHANGED, paths[orders[x][i]], LC_CALL_APPLY);
                expect(b, LC_RULE_APPLY_CHANGED, wanted[orders[y][i]]);
            }
            apply(b);
            ck_assert_msg(b->judged.expectation == LC_EXPECTATION_MET, "order %d, %d", x, y);
            lc_arena_free(b->arena);
        }
    }
}
END_TEST

/* One needs the path, one the diagnosis: only the crosswise assignment covers both. */
START_TEST(assignments_are_exchanged)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY)->diagnosis.id = LC_STR("json-equal");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".b", LC_CALL_APPLY)->diagnosis.id = LC_STR("json-equal");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".c", LC_CALL_PLAN);
    expect(b, LC_RULE_APPLY_CHANGED, NULL)->diagnosis = LC_STR("json-equal");
    lc_expected_finding *e = expect(b, LC_RULE_APPLY_CHANGED, NULL);
    e->has_call = true;
    e->call = LC_CALL_APPLY;
    expect(b, LC_RULE_APPLY_CHANGED, NULL);
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(what_need_not_be_listed)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    add_finding(b, LC_RULE_APPLY_BECAME_NULL, ".a.b", LC_CALL_APPLY)->follows = 0;
    lc_finding *info = add_finding(b, LC_RULE_WIRE_JSON_RESPONSE, ".", LC_CALL_APPLY);
    info->core[LC_OPENTOFU].effect = info->core[LC_TERRAFORM].effect = NONE;
    expect(b, LC_RULE_APPLY_CHANGED, ".a");
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);

    expect(b, LC_RULE_APPLY_BECAME_NULL, ".a.b");
    expect(b, LC_RULE_WIRE_JSON_RESPONSE, ".");
    apply(b);
    ck_assert_msg(b->judged.expectation == LC_EXPECTATION_MET, "they may be listed");

    b->judged.judgement.findings.count = 2;
    apply(b);
    ck_assert_msg(failures_of_kind(b, "missing") == 1, "what is listed has to be there");
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(expectations_ignore_the_options)
{
    bench *b = bench_new();
    lc_str glob = LC_STR("plan/*");
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    expect(b, LC_RULE_APPLY_CHANGED, ".a");
    b->policy = (lc_policy){.as = LC_PROFILE_TERRAFORM,
                            .strict = true,
                            .fail_on = LC_INFO,
                            .select = &glob,
                            .select_count = 1};
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);
    ck_assert(b->judged.passes);
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(actions_and_proposals)
{
    bench *b = bench_new();
    lc_value yes, no;
    lc_value_set_bool(&yes, true);
    lc_value_set_bool(&no, false);
    b->expectations[0].given = true;
    b->expectations[0].action[LC_OPENTOFU] = LC_ACTION_UPDATE;
    b->results[0].action[LC_OPENTOFU] = LC_ACTION_UPDATE;
    b->results[0].action[LC_TERRAFORM] = LC_ACTION_NOOP;
    b->expectations[0].proposed[LC_TERRAFORM] = &yes;
    b->results[0].proposed[LC_TERRAFORM] = &yes;
    apply(b);
    ck_assert_msg(b->judged.expectation == LC_EXPECTATION_MET, "what is not stated is free");

    b->expectations[0].action[LC_TERRAFORM] = LC_ACTION_UPDATE;
    apply(b);
    ck_assert_uint_eq(failures_of_kind(b, "action"), 1);

    b->results[0].proposed[LC_TERRAFORM] = &no;
    apply(b);
    ck_assert_uint_eq(failures_of_kind(b, "proposed_new_state"), 1);
    b->results[0].proposed[LC_TERRAFORM] = NULL;
    apply(b);
    ck_assert_uint_eq(failures_of_kind(b, "proposed_new_state"), 1);
    lc_arena_free(b->arena);
}
END_TEST

typedef struct difference_row {
    const char *type, *want, *found, *where;
} difference_row;

static const difference_row difference_rows[] = {
    {"string", "\"a\"", "\"b\"", ". differs"},
    {"string", "null", "\"b\"", ". is known instead of null"},
    {"string", "\"a\"", "null", ". is null instead of known"},
    {"object({a=string,b=number})", "{\"a\":\"x\",\"b\":1}", "{\"a\":\"x\",\"b\":2}", ".b differs"},
    {"list(object({a=string}))", "[{\"a\":\"x\"},{\"a\":null}]", "[{\"a\":\"x\"},{\"a\":\"y\"}]",
     "[1].a is known instead of null"},
    {"list(string)", "[\"x\"]", "[\"x\",\"y\"]", ". has another length"},
    {"map(string)", "{\"k\":\"x\"}", "{\"k\":\"y\"}", "[\"k\"] differs"},
    {"map(string)", "{\"k\":\"x\"}", "{\"j\":\"x\"}", ". has other keys"},
    {"set(string)", "[\"x\"]", "[\"y\"]", ". differs"},
    {"object({d=dynamic})", "{\"d\":{\"type\":\"string\",\"value\":\"1\"}}",
     "{\"d\":{\"type\":\"number\",\"value\":1}}", ". has another type"},
};

static const lc_value *value_of(lc_arena *arena, const lc_type *type, const char *json)
{
    const lc_value *v;
    lc_wire_result result;
    ck_assert_msg(lc_ctyjson_decode(&v, arena, lc_str_from_c(json), type, &result), "%s: %.*s",
                  json, LC_FMT(result.problem.message));
    return v;
}

START_TEST(the_first_difference_is_named)
{
    const difference_row *r = &difference_rows[_i];
    bench *b = bench_new();
    const lc_type *type;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_typetext_parse(&type, b->arena, lc_str_from_c(r->type), &why, &at), "%s",
                  r->type);
    b->expectations[0].given = true;
    b->expectations[0].proposed[LC_OPENTOFU] = value_of(b->arena, type, r->want);
    b->results[0].proposed[LC_OPENTOFU] = value_of(b->arena, type, r->found);
    apply(b);
    ck_assert_uint_eq(b->judged.failures.count, 1);
    lc_str detail = b->judged.failures.items[0].detail;
    lc_str want = lc_str_printf(b->arena, "opentofu proposes another new state: %s", r->where);
    ck_assert_msg(lc_str_eq(detail, want), "%s: %.*s", r->where, LC_FMT(detail));
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(not_checked_has_to_hold_for_every_match)
{
    bench *b = bench_new();
    struct {
        lc_loc loc;
        lc_str glob;
    } entry = {.glob = LC_STR("apply/ch*")};
    b->expectations[0].given = true;
    b->expectations[0].not_checked = (void *)&entry;
    b->expectations[0].not_checked_count = 1;
    apply(b);
    ck_assert_uint_eq(failures_of_kind(b, "not_checked"), 1);
    b->judged.judgement.coverage[LC_RULE_APPLY_CHANGED] = LC_COVER_NOT_CHECKED;
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);
    lc_arena_free(b->arena);
}
END_TEST

START_TEST(each_run_has_its_own_expectation)
{
    bench *b = bench_new();
    b->scenario.subject.runs.count = 2;
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY)->run = 2;
    expect(b, LC_RULE_APPLY_CHANGED, ".a");
    apply(b);
    ck_assert_uint_eq(failures_of_kind(b, "missing"), 1);
    ck_assert_msg(failures_of_kind(b, "unexpected") == 1,
                  "a run without an expectation must not fail");
    b->expectations[1] = b->expectations[0];
    b->expectations[0] = (lc_expectation){.given = true};
    apply(b);
    ck_assert_int_eq(b->judged.expectation, LC_EXPECTATION_MET);
    lc_arena_free(b->arena);
}
END_TEST

/* ---- Ignores and known failures. */

static lc_ignore *ignore(bench *b, const char *rule, const char *path, lc_date until)
{
    lc_ignore *i = LC_PUSH(b->arena, &b->scenario.ignores, lc_ignore);
    i->rule = lc_str_from_c(rule);
    i->has_path = path != NULL;
    if (path)
        i->path = path_of(b->arena, path);
    i->reason = LC_STR("BUG-1");
    i->until = until;
    return i;
}

START_TEST(ignored_findings_do_not_count)
{
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".tags[\"a\"]", LC_CALL_APPLY);
    ignore(b, "apply/*", ".tags[*]", 20260601);
    apply(b);
    ck_assert_int_eq(b->judged.verdict, LC_CONFORMS);
    ck_assert(lc_str_is(b->judged.suppressed[0], "BUG-1"));
    ck_assert_uint_eq(b->judged.notes.count, 0);

    b->expectations[0].given = true;
    apply(b);
    ck_assert_msg(b->judged.expectation == LC_EXPECTATION_MET,
                  "what is ignored is not compared with the expectation");
    lc_arena_free(b->arena);
}
END_TEST

typedef struct stale_row {
    const char *name, *rule, *path;
    lc_date until;
    const char *note;
} stale_row;

static const stale_row stale_rows[] = {
    {"another rule", "plan/*", NULL, 0, "ignore-unused"},
    {"another path", "apply/*", ".b", 0, "ignore-unused"},
    {"expired yesterday", "apply/*", NULL, 20260531, "ignore-expired"},
};

START_TEST(stale_ignores_are_told)
{
    const stale_row *r = &stale_rows[_i];
    bench *b = bench_new();
    add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    ignore(b, r->rule, r->path, r->until);
    apply(b);
    ck_assert_msg(b->judged.verdict == LC_VIOLATES, "%s: still suppressed", r->name);
    ck_assert_msg(b->judged.notes.count == 1, "%s: no note", r->name);
    ck_assert_str_eq(b->judged.notes.items[0].kind, r->note);
    expect(b, LC_RULE_APPLY_CHANGED, ".a");
    apply(b);
    ck_assert_msg(failures_of_kind(b, "stale") == 1, "%s: meets its expectation", r->name);
    lc_arena_free(b->arena);
}
END_TEST

typedef struct known_row {
    const char *name;
    bool expects, breaks;
    lc_date until;
    lc_expectation_result result;
} known_row;

static const known_row known_rows[] = {
    {"fails as known", true, true, 20260601, LC_EXPECTATION_KNOWN_FAILING},
    {"fails as known, without expect", false, true, 0, LC_EXPECTATION_KNOWN_FAILING},
    {"no longer fails", true, false, 0, LC_EXPECTATION_UNMET},
    {"no longer fails, without expect", false, false, 0, LC_EXPECTATION_UNMET},
    {"expired", true, true, 20260531, LC_EXPECTATION_UNMET},
};

START_TEST(known_failures)
{
    const known_row *r = &known_rows[_i];
    bench *b = bench_new();
    b->scenario.known_failing = true;
    b->scenario.known_failing_until = r->until;
    b->expectations[0].given = r->expects;
    if (r->breaks)
        add_finding(b, LC_RULE_APPLY_CHANGED, ".a", LC_CALL_APPLY);
    apply(b);
    ck_assert_msg(b->judged.expectation == r->result, "%s: %s", r->name,
                  lc_expectation_result_name(b->judged.expectation));
    ck_assert_msg(b->judged.passes == (r->result == LC_EXPECTATION_KNOWN_FAILING), "%s", r->name);
    ck_assert_msg(b->judged.passes || failures_of_kind(b, "stale") == 1, "%s: not stale", r->name);
    lc_arena_free(b->arena);
}
END_TEST

/* ---- Days. */

typedef struct day_row {
    const char *text;
    lc_date want; /* 0: no day */
} day_row;

static const day_row day_rows[] = {
    {"2026-06-01", 20260601},
    {"2024-02-29", 20240229},
    {"2000-02-29", 20000229},
    {"2023-02-29", 0},
    {"1900-02-29", 0},
    {"2026-00-01", 0},
    {"2026-13-01", 0},
    {"2026-04-31", 0},
    {"2026-4-3", 0},
    {"2026/04/03", 0},
    {"", 0},
    {"2026-04-030", 0},
    {"+026-04-03", 0},
    {"0000-01-01", 0},
    {"9999-12-31", 99991231},
};

START_TEST(days)
{
    const day_row *r = &day_rows[_i];
    lc_date date = 0;
    bool ok = lc_date_parse(&date, lc_str_from_c(r->text));
    ck_assert_msg(ok == (r->want != 0), "%s", r->text);
    ck_assert_msg(!ok || date == r->want, "%s: %u", r->text, date);
}
END_TEST

START_TEST(days_from_seconds)
{
    ck_assert_uint_eq(lc_date_from_seconds(0), 19700101);
    ck_assert_uint_eq(lc_date_from_seconds(86399), 19700101);
    ck_assert_uint_eq(lc_date_from_seconds(951782400), 20000229);
    ck_assert_uint_eq(lc_date_from_seconds(951868800), 20000301);
    ck_assert_uint_eq(lc_date_from_seconds(1767225600), 20260101);
    ck_assert_uint_eq(lc_date_from_seconds(1767225599), 20251231);
    ck_assert_uint_eq(lc_date_from_seconds(253402300799), 99991231);
    ck_assert_uint_eq(lc_date_from_seconds(INT64_MAX), 99991231);
    ck_assert_uint_eq(lc_date_from_seconds(-1), 19700101);
    ck_assert_int_eq(lc_date_to_seconds(19700101), 0);
    ck_assert_int_eq(lc_date_to_seconds(20000229), 951782400);
    ck_assert_int_eq(lc_date_to_seconds(20000301), 951868800);
    ck_assert_int_eq(lc_date_to_seconds(20260101), 1767225600);
    ck_assert_int_eq(lc_date_to_seconds(99991231), 253402300799 - 86399);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("verdict");
    TCase *severity = tcase_create("severity"), *verdict = tcase_create("verdict");
    TCase *expectation = tcase_create("expectation"), *dates = tcase_create("dates");
    ADD_ROWS(severity, severity_is_the_first_row_that_fits, severity_rows);
    tcase_add_test(severity, smells_and_shoulds);
    tcase_add_test(verdict, verdicts);
    tcase_add_test(verdict, nothing_checked_is_not_judged);
    tcase_add_test(verdict, selection_hides_and_requires);
    tcase_add_test(verdict, undecided_caps_outside_of_scenarios);
    tcase_add_test(verdict, fingerprints_forget_places_in_collections);
    tcase_add_test(expectation, exact_multiset);
    ADD_ROWS(expectation, what_fits_an_expectation, fit_rows);
    tcase_add_test(expectation, vague_expectations_do_not_steal);
    tcase_add_test(expectation, assignments_are_exchanged);
    tcase_add_test(expectation, what_need_not_be_listed);
    tcase_add_test(expectation, expectations_ignore_the_options);
    tcase_add_test(expectation, actions_and_proposals);
    ADD_ROWS(expectation, the_first_difference_is_named, difference_rows);
    tcase_add_test(expectation, not_checked_has_to_hold_for_every_match);
    tcase_add_test(expectation, each_run_has_its_own_expectation);
    tcase_add_test(expectation, ignored_findings_do_not_count);
    ADD_ROWS(expectation, stale_ignores_are_told, stale_rows);
    ADD_ROWS(expectation, known_failures, known_rows);
    ADD_ROWS(dates, days, day_rows);
    tcase_add_test(dates, days_from_seconds);
    suite_add_tcase(suite, severity);
    suite_add_tcase(suite, verdict);
    suite_add_tcase(suite, expectation);
    suite_add_tcase(suite, dates);
    return suite_run(suite);
}

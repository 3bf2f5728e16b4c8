/* Plans as JSON: what belongs together, who wrote it, what it was asked for; and operations on
 * states. */
#include "unit.h"

#include "lifecheck/plan_rules/plan_rules.h"

#include <string.h>

static lc_arena *arena;
static lc_diags diags;
static lc_source source;

static void setup(void)
{
    arena = lc_arena_new();
    lc_diags_init(&diags, arena);
}

static void teardown(void)
{
    lc_arena_free(arena);
}

static lc_status read(lc_plan *out, const char *text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    ck_assert_int_eq(
        lc_json_parse(&source, arena, LC_STR("plan.json"), lc_str_from_c(text), &limits, &diags),
        LC_OK);
    return lc_plan_from_node(out, arena, &source, source.documents, &diags);
}

/* ---- What a plan says of its options. */

#define HEAD         "{\"format_version\":\"1.2\",\"terraform_version\":\"1.12.0\""
#define ROOT(inside) ",\"planned_values\":{\"root_module\":{" inside "}}"
#define PRIOR                                                                                      \
    ",\"prior_state\":{\"values\":{\"root_module\":{\"resources\":[{\"address\":\"t.a\","          \
    "\"mode\":\"managed\"}]}}}"
#define PRIOR_DATA                                                                                 \
    ",\"prior_state\":{\"values\":{\"root_module\":{\"resources\":[{\"address\":\"data.t.a\","     \
    "\"mode\":\"data\"}]}}}"
#define CHANGE(more, action)                                                                       \
    ",\"resource_changes\":[{\"address\":\"t.a\",\"mode\":\"managed\",\"type\":\"t\",\"name\":"    \
    "\"a\"" more ",\"change\":{\"actions\":[\"" action "\"]}}]"

typedef struct mode_row {
    const char *name, *text;
    lc_plan_mode mode;
} mode_row;

static const mode_row modes[] = {
    {"an update", HEAD ROOT("\"resources\":[]") PRIOR CHANGE("", "update") "}", LC_PLAN_NORMAL},
    {"no entries beside objects", HEAD ROOT("") PRIOR "}", LC_PLAN_REFRESH_ONLY},
    {"... which failed", HEAD ",\"errored\":true" ROOT("") PRIOR "}", LC_PLAN_MODE_NOT_KNOWN},
    {"no entries, no objects", HEAD ROOT("") "}", LC_PLAN_MODE_NOT_KNOWN},
    {"no entries, data only", HEAD ROOT("") PRIOR_DATA "}", LC_PLAN_MODE_NOT_KNOWN},
    {"deleted for no reason", HEAD ROOT("") PRIOR CHANGE("", "delete") "}", LC_PLAN_DESTROY},
    {"deleted for a reason",
     HEAD ROOT("")
         PRIOR CHANGE(",\"action_reason\":\"delete_because_no_resource_config\"", "delete") "}",
     LC_PLAN_NORMAL},
    {"a deposed object alone",
     HEAD ROOT("") PRIOR CHANGE(",\"deposed\":\"00000000\"", "delete") "}", LC_PLAN_MODE_NOT_KNOWN},
    {"something stays",
     HEAD ",\"complete\":true" ROOT("\"resources\":[{\"address\":\"t.b\"}]")
         PRIOR CHANGE("", "delete") "}",
     LC_PLAN_NORMAL},
    {"something stays, perhaps because of a target",
     HEAD ROOT("\"resources\":[{\"address\":\"t.b\"}]") PRIOR CHANGE("", "delete") "}",
     LC_PLAN_DESTROY},
};

START_TEST(infers)
{
    lc_plan plan;
    lc_plan_options options = {0}, said = {.has_mode = true, .mode = LC_PLAN_REFRESH_ONLY};
    ck_assert_msg(read(&plan, modes[_i].text) == LC_OK, "%s", modes[_i].name);
    lc_plan_infer(&options, &plan);
    ck_assert_msg(options.mode == modes[_i].mode, "%s: %d", modes[_i].name, (int)options.mode);
    lc_plan_infer(&said, &plan);
    ck_assert_msg(said.mode == LC_PLAN_REFRESH_ONLY, "%s", modes[_i].name);
}
END_TEST

/* ---- Who wrote it. */

typedef struct client_row {
    const char *name, *text;
    bool terraform, opentofu;
} client_row;

static const client_row clients[] = {
    {"the flags", HEAD ",\"applyable\":true}", true, false},
    {"a new version without them", HEAD "}", false, true},
    {"an old version", "{\"format_version\":\"1.2\",\"terraform_version\":\"1.7.5\"}", false,
     false},
    {"1.8 without them", "{\"format_version\":\"1.2\",\"terraform_version\":\"1.8.0\"}", false,
     true},
    {"an old version with a registry",
     "{\"format_version\":\"1.2\",\"terraform_version\":\"1.6.0\"" CHANGE(
         ",\"provider_name\":\"registry.opentofu.org/a/b\"", "update") "}",
     false, true},
};

START_TEST(guesses)
{
    lc_plan plan;
    ck_assert_msg(read(&plan, clients[_i].text) == LC_OK, "%s", clients[_i].name);
    ck_assert_msg(plan.by_terraform == clients[_i].terraform, "%s", clients[_i].name);
    ck_assert_msg(plan.by_opentofu == clients[_i].opentofu, "%s", clients[_i].name);
}
END_TEST

/* ---- What belongs together. */

START_TEST(joins)
{
    lc_plan p;
    ck_assert_int_eq(
        read(&p, HEAD ",\"planned_values\":{\"root_module\":{\"child_modules\":[{\"address\":"
                      "\"module.m[0]\",\"resources\":[{\"address\":\"module.m[0].t.a[\\\"k\\\"]\","
                      "\"mode\":\"managed\"}]}]}},\"prior_state\":{\"values\":{\"root_module\":{"
                      "\"resources\":[{\"address\":\"t.b\",\"deposed_key\":\"00000000\"}]}}},"
                      "\"resource_changes\":[{\"address\":\"module.m[0].t.a[\\\"k\\\"]\","
                      "\"module_address\":\"module.m[0]\",\"mode\":\"managed\",\"type\":\"t\","
                      "\"name\":\"a\",\"index\":\"k\"},{\"address\":\"t.b\",\"mode\":\"managed\","
                      "\"type\":\"t\",\"name\":\"b\",\"deposed\":\"00000000\"}],"
                      "\"configuration\":{\"root_module\":{\"module_calls\":{\"m\":{\"module\":{"
                      "\"resources\":[{\"address\":\"t.a\"}]}}}}}}"),
        LC_OK);
    const lc_plan_change *a = &p.changes.items[0], *b = &p.changes.items[1];
    ck_assert(a->fits && a->planned && !a->prior && a->block);
    ck_assert(lc_str_is(a->planned->module, "module.m[0]") && a->planned->change == a);
    ck_assert(lc_str_is(a->block->address, "module.m.t.a"));
    ck_assert(b->fits && !b->planned && b->prior && b->prior->change == b && !b->block);
    ck_assert(lc_table_get(&p.calls, LC_STR("module.m")) != NULL);
    ck_assert(lc_table_get(&p.by_address, lc_plan_key(arena, LC_STR("t.b"), LC_STR("00000000"))) ==
              b);
}
END_TEST

START_TEST(places_of_values)
{
    lc_plan p;
    const char *text = HEAD ",\"resource_drift\":["
                            "{\"address\":\"t.a\",\"change\":{\"before\":null}},"
                            "{\"address\":\"t.a\",\"change\":{\"after\":{}}},"
                            "{\"address\":\"t.a\",\"deposed\":\"00000000\",\"change\":7}]}";
    ck_assert_int_eq(read(&p, text), LC_OK);
    const lc_plan_change *first = &p.drift.items[0], *last = &p.drift.items[1];
    ck_assert(!first->before && first->before_where != first->after_where);
    ck_assert(first->after_where == first->change->where);
    ck_assert(last->after && last->after_where == last->after->where);
    ck_assert(lc_table_get(&p.drift_by_address, LC_STR("t.a")) == last);
    ck_assert(!p.drift.items[2].change && !lc_plan_is(p.root));
}
END_TEST

START_TEST(refuses)
{
    lc_plan plan;
    ck_assert_int_eq(read(&plan, "{\"resource_changes\":[]}"), LC_EINPUT);
    ck_assert_int_eq(diags.errors, 1);
    ck_assert_int_eq(read(&plan, "[]"), LC_EINPUT);
}
END_TEST

/* ---- Operations. */

typedef struct operation_row {
    const char *text;
    lc_operation_kind kind;
    const char *from, *to, *why;
} operation_row;

static const operation_row operations[] = {
    {"taint:t.a", LC_OPERATION_TAINT, "t.a", "", NULL},
    {"untaint:t.a[ 0 ]", LC_OPERATION_UNTAINT, "t.a[0]", "", NULL},
    {"rm:module.m", LC_OPERATION_REMOVE, "module.m", "", NULL},
    {"mv:t.a[\"x,\\\"y\"],t.b", LC_OPERATION_MOVE, "t.a[\"x,\\\"y\"]", "t.b", NULL},
    {"import:t.a", LC_OPERATION_IMPORT, "t.a", "", NULL},
    {"replace-provider:a/b,c/d", LC_OPERATION_REPLACE_PROVIDER, "a/b", "c/d", NULL},
    {"refresh", LC_OPERATION_REFRESH, "", "", NULL},
    {"apply", LC_OPERATION_APPLY, "", "", NULL},
    {"refresh:t.a", LC_OPERATION_NONE, "", "", "refresh takes no address"},
    {"mv:t.a", LC_OPERATION_NONE, "", "", "mv takes two, with a comma between them"},
    {"taint:t.a,t.b", LC_OPERATION_NONE, "", "", "taint takes one address"},
    {"taint", LC_OPERATION_NONE, "", "", "taint takes one address"},
    {"touch:t.a", LC_OPERATION_NONE, "", "",
     "no operation: taint:ADDR, untaint:ADDR, rm:ADDR, mv:FROM,TO, import:ADDR, "
     "replace-provider:FROM,TO, refresh or apply"},
};

START_TEST(operation)
{
    const operation_row *row = &operations[_i];
    lc_operation out = {0};
    lc_str why = LC_STR_EMPTY;
    bool ok = lc_operation_parse(&out, arena, lc_str_from_c(row->text), &why);
    ck_assert_msg(ok == !row->why, "%s: %.*s", row->text, LC_FMT(why));
    if (!ok) {
        ck_assert_msg(lc_str_is(why, row->why), "%s: %.*s", row->text, LC_FMT(why));
        return;
    }
    ck_assert_msg(out.kind == row->kind, "%s", row->text);
    ck_assert_msg(lc_str_is(out.from, row->from), "%s: %.*s", row->text, LC_FMT(out.from));
    ck_assert_msg(lc_str_is(out.to, row->to), "%s: %.*s", row->text, LC_FMT(out.to));
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_checked_fixture(tcase, setup, teardown);
    ADD_ROWS(tcase, infers, modes);
    ADD_ROWS(tcase, guesses, clients);
    tcase_add_test(tcase, joins);
    tcase_add_test(tcase, places_of_values);
    tcase_add_test(tcase, refuses);
    ADD_ROWS(tcase, operation, operations);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

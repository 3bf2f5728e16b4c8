/* Clauses of policies: names of actions, patterns, and what is refused. */
#include "unit.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/plan_rules/plan_rules.h"

#define BIT(action) LC_PLAN_BIT(LC_PLAN_##action)

static const struct {
    const char *text;
    unsigned actions;
    const char *objects; /* NULL: refused */
} clauses[] = {
    {"replace:a.b", LC_PLAN_REPLACES, "a.b"},
    {"delete,forget:a_*", BIT(DELETE) | BIT(FORGET), "a_*"},
    {"delete, no-op", BIT(DELETE) | BIT(NOOP), "**"},
    {"destroy", BIT(DELETE) | BIT(DELETE_CREATE) | BIT(CREATE_DELETE), "**"},
    {"*", BIT(CREATE) | BIT(UPDATE) | BIT(DELETE) | BIT(FORGET) | LC_PLAN_REPLACES, "**"},
    {"create-forget:a.b[\"x:y\"]", BIT(CREATE_FORGET), "a.b[\"x:y\"]"},
    {"read:data.a.b", BIT(READ), "data.a.b"},
    {"", 0, NULL},
    {"a_*", 0, NULL},
    {"delete:", 0, NULL},
    {":a.b", 0, NULL},
    {"delete,:a.b", 0, NULL},
    {"Delete:a.b", 0, NULL},
    {"delete:a.b.c", 0, NULL},
};

START_TEST(test_policy_clause)
{
    lc_arena *arena = lc_arena_new();
    lc_policy_clauses out = {0};
    lc_str why = LC_STR_EMPTY, text = lc_str_from_c(clauses[_i].text);
    bool ok = lc_policy_clause_add(&out, arena, text, true, &why);
    ck_assert_msg(ok == (clauses[_i].objects != NULL), "%s: %.*s", clauses[_i].text, LC_FMT(why));
    ck_assert(ok == (out.count == 1));
    ck_assert_msg(ok || lc_str_contains(why, text), "%.*s", LC_FMT(why));
    if (ok) {
        ck_assert_msg(out.items[0].actions == clauses[_i].actions, "%s", clauses[_i].text);
        ck_assert(lc_str_is(out.items[0].objects.text, clauses[_i].objects));
    }
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_policy_pattern)
{
    lc_arena *arena = lc_arena_new();
    lc_policy_clauses out = {0};
    lc_str why;
    ck_assert(lc_policy_clause_add(&out, arena, LC_STR("module.m.**"), false, &why));
    ck_assert(!lc_policy_clause_add(&out, arena, LC_STR("delete:a.b"), false, &why));
    ck_assert(out.count == 1 && out.items[0].actions == 0);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_action_fates)
{
    lc_arena *arena = lc_arena_new();
    lc_str both = lc_plan_action_fates(arena, LC_PLAN_REPLACES | BIT(DELETE));
    ck_assert(lc_str_is(both, "replaced or deleted"));
    ck_assert(lc_str_is(lc_plan_action_fates(arena, BIT(NOOP)), "left as it is"));
    ck_assert(lc_str_is(lc_plan_action_fates(arena, BIT(CREATE_DELETE)), "replaced"));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("policy");
    TCase *tc = tcase_create("policy");
    ADD_ROWS(tc, test_policy_clause, clauses);
    tcase_add_test(tc, test_policy_pattern);
    tcase_add_test(tc, test_action_fates);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* What rules about plans compare: marks, values of plans with stored ones; and operations. */
#include "unit.h"

#include "plan_rules/internal.h"

static const lc_node *node_of(lc_arena *arena, const char *text)
{
    lc_diags diags;
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    if (!text)
        return NULL;
    lc_diags_init(&diags, arena);
    ck_assert_msg(lc_json_parse(source, arena, LC_STR("p"), quoted(arena, text), &limits, &diags) ==
                      LC_OK,
                  "%s", text);
    return &source->documents[0];
}

/* ---- Marks: `a` and `b` mark the same places; all that `a` marks is marked in `b`. */

static const struct {
    const char *a, *b;
    bool same, within;
} marks[] = {
    {NULL, NULL, true, true},
    {"{}", NULL, true, true},
    {"false", "{}", true, true},
    {"{'x':false}", "{}", true, true},
    {"{'x':[{}]}", "{'x':[]}", true, true},
    {"true", "true", true, true},
    {"true", NULL, false, false},
    {NULL, "true", false, true},
    {"{'x':true}", "true", false, true},
    {"true", "{'x':true}", false, false},
    {"{'x':true}", "{'y':true}", false, false},
    {"{'x':true}", "{'x':true,'y':true}", false, true},
    {"{'x':true,'y':true}", "{'x':true}", false, false},
    {"{'x':[false,true]}", "{'x':[false,true]}", true, true},
    {"{'x':[false,true]}", "{'x':[true]}", false, false},
    {"{'x':[true]}", "{'x':[true,true]}", false, true},
    {"{'x':[{'y':true}]}", "{'x':true}", false, true},
    {"{'x':[true]}", "{'x':{'0':true}}", false, false},
};

START_TEST(test_marks)
{
    lc_arena *arena = lc_arena_new();
    const char *a = marks[_i].a, *b = marks[_i].b;
    const lc_node *in_a = node_of(arena, a), *in_b = node_of(arena, b);
    ck_assert_msg(lc_same_marks(arena, in_a, in_b) == marks[_i].same, "%s %s", a ? a : "none",
                  b ? b : "none");
    ck_assert_msg(lc_same_marks(arena, in_b, in_a) == marks[_i].same, "%s %s, turned round",
                  a ? a : "none", b ? b : "none");
    ck_assert_msg(lc_marks_within(arena, in_a, in_b) == marks[_i].within, "%s %s", a ? a : "none",
                  b ? b : "none");
    lc_arena_free(arena);
}
END_TEST

/* ---- Values of a plan and of a state. */

static const struct {
    const char *planned, *unknown, *stored;
    bool same;
} values[] = {
    {"{'a':1}", NULL, "{'a':1}", true},
    {"{'a':1}", NULL, "{'a':1.0}", true},
    {"{'a':1}", NULL, "{'a':2}", false},
    {"{'a':1}", NULL, NULL, false},
    {NULL, NULL, NULL, true},
    {"null", NULL, NULL, true},
    {"null", NULL, "1", false},
    {NULL, "{'a':true}", "{'a':1}", true},
    {"{'a':1}", "{'b':true}", "{'a':1,'b':2}", true},
    {"{'a':1}", "{'b':true}", "{'a':2,'b':2}", false},
    {"{'a':1}", NULL, "{'a':1,'b':null}", true},
    {"{'a':1,'b':2}", NULL, "{'a':1}", true}, /* the state has all attributes */
    {"{'a':[1,2]}", NULL, "{'a':[2,1]}", false},
    {"{'a':[1]}", NULL, "{'a':[1,2]}", false},
    {"{'a':[1]}", "{'a':[false,true]}", "{'a':[2,1]}", true}, /* a set may change its order */
    /* A dynamic attribute is stored with its type. */
    {"{'a':'x'}", NULL, "{'a':{'value':'x','type':'string'}}", true},
    {"{'a':'x'}", NULL, "{'a':{'value':'y','type':'string'}}", false},
    {"{'a':{'value':'x','type':'string'}}", NULL, "{'a':{'value':'x','type':'string'}}", true},
    {"{'a':{'value':'x'}}", NULL, "{'a':{'value':{'value':'x'},'type':['object',{}]}}", true},
};

START_TEST(test_stored)
{
    lc_arena *arena = lc_arena_new();
    bool same =
        lc_same_as_stored(arena, node_of(arena, values[_i].planned),
                          node_of(arena, values[_i].unknown), node_of(arena, values[_i].stored));
    ck_assert_msg(same == values[_i].same, "row %d: %s", _i,
                  values[_i].planned ? values[_i].planned : "none");
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_null)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {{NULL, NULL, true},
                {"null", NULL, true},
                {"1", NULL, false},
                {"1", "null", false},
                {"{'a':1,'b':2}", "{'b':2,'a':1}", true},
                {"[1,2]", "[2,1]", false}};
    lc_arena *arena = lc_arena_new();
    for (int i = 0; i < ROWS(rows); i++) {
        const lc_node *a = node_of(arena, rows[i].a), *b = node_of(arena, rows[i].b);
        ck_assert_msg(lc_same_or_null(arena, a, b) == rows[i].same &&
                          lc_same_or_null(arena, b, a) == rows[i].same,
                      "row %d", i);
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- Operations. */

static const struct {
    const char *text;
    lc_operation_kind kind;
    const char *first, *second; /* first NULL: refused */
} operations[] = {
    {"taint:a.b", LC_OPERATION_TAINT, "a.b", ""},
    {"untaint:a.b[0]", LC_OPERATION_UNTAINT, "a.b[0]", ""},
    {"rm:module.m.a.b", LC_OPERATION_REMOVE, "module.m.a.b", ""},
    {"mv:a.b,a.c", LC_OPERATION_MOVE, "a.b", "a.c"},
    {"mv:a.b[\"x,y\"],a.c", LC_OPERATION_MOVE, "a.b[\"x,y\"]", "a.c"},
    {"mv:a.b[\"\\\",\"],a.c", LC_OPERATION_MOVE, "a.b[\"\\\",\"]", "a.c"},
    {"import:a.b", LC_OPERATION_IMPORT, "a.b", ""},
    {"refresh", LC_OPERATION_REFRESH, "", ""},
    {"apply", LC_OPERATION_APPLY, "", ""},
    {"", LC_OPERATION_NONE, NULL, NULL},
    {"destroy", LC_OPERATION_NONE, NULL, NULL},
    {"taint", LC_OPERATION_NONE, NULL, NULL},
    {"taint:", LC_OPERATION_NONE, NULL, NULL},
    {"mv:a.b", LC_OPERATION_NONE, NULL, NULL},
    {"taint:a.b,a.c", LC_OPERATION_NONE, NULL, NULL},
    {"refresh:a.b", LC_OPERATION_NONE, NULL, NULL},
};

START_TEST(test_operations)
{
    lc_arena *arena = lc_arena_new();
    const char *text = operations[_i].text;
    lc_operation out = {0};
    lc_str why = LC_STR_EMPTY;
    bool ok = lc_operation_parse(&out, arena, lc_str_from_c(text), &why);
    ck_assert_msg(ok == (operations[_i].first != NULL), "%s", text);
    ck_assert_msg(ok || why.len > 0, "%s: refused without a reason", text);
    if (ok) {
        ck_assert_msg(out.kind == operations[_i].kind, "%s", text);
        CHECK_TEXT(text, out.from, lc_str_from_c(operations[_i].first));
        CHECK_TEXT(text, out.to, lc_str_from_c(operations[_i].second));
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("plan rules");
    TCase *tc = tcase_create("plan rules");
    ADD_ROWS(tc, test_marks, marks);
    ADD_ROWS(tc, test_stored, values);
    tcase_add_test(tc, test_null);
    ADD_ROWS(tc, test_operations, operations);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

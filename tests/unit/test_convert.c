/* Conversion as go-cty does it: which types convert, to which exact type, and what is refused.
 * Values are cty JSON of the first type; results are printed as the cores print them. */
#include "codec_rows.h"

#include "value/internal.h"

typedef struct row {
    const char *from, *json, *to;
    const char *want; /* NULL: refused */
} row;

static const row rows[] = {
    {"string", "\"12\"", "number", "cty.NumberIntVal(12)"},
    {"string", "\"x\"", "number", NULL},
    {"string", "\"true\"", "bool", "cty.True"},
    {"string", "\"0\"", "bool", "cty.False"},
    {"string", "\"yes\"", "bool", NULL},
    {"number", "1.5", "string", "cty.StringVal(\"1.5\")"},
    {"number", "1", "bool", NULL},
    {"bool", "true", "string", "cty.StringVal(\"true\")"},
    {"bool", "true", "number", NULL},
    {"string", "null", "number", "cty.NullVal(cty.Number)"},
    {"bool", "null", "number", NULL},
    {"string", "\"a\"", "any", "cty.StringVal(\"a\")"},
    {"string", "\"a\"", "list(string)", NULL},
    {"list(string)", "[\"b\",\"a\",\"b\"]", "set(string)",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"list(string)", "[\"1\"]", "list(number)", "cty.ListVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"list(string)", "[\"x\"]", "list(number)", NULL},
    {"list(string)", "[]", "set(number)", "cty.SetValEmpty(cty.Number)"},
    {"list(bool)", "[]", "list(number)", NULL},
    {"list(string)", "null", "set(number)", "cty.NullVal(cty.Set(cty.Number))"},
    {"list(string)", "[\"a\"]", "map(string)", NULL},
    {"list(string)", "[\"a\"]", "tuple([string])", NULL},
    {"set(number)", "[2,1]", "list(string)",
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"2\")})"},
    {"set(string)", "[\"1\",\"1.0\"]", "set(number)",
     "cty.SetVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"list(string)", "[\"a\"]", "list(any)", "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"list(string)", "[]", "list(any)", "cty.ListValEmpty(cty.String)"},
    {"tuple([string,number])", "[\"a\",1]", "list(string)",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"1\")})"},
    {"tuple([string,number])", "[\"a\",1]", "list(any)",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"1\")})"},
    {"tuple([number,bool])", "[1,true]", "list(any)", NULL},
    {"tuple([number,bool,string])", "[1,true,\"x\"]", "set(any)",
     "cty.SetVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"true\"), "
     "cty.StringVal(\"x\")})"},
    {"tuple([])", "[]", "list(string)", "cty.ListValEmpty(cty.String)"},
    {"tuple([])", "[]", "set(any)", "cty.SetValEmpty(cty.DynamicPseudoType)"},
    {"tuple([string,string])", "[\"1\",\"a\"]", "tuple([number,string])",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal(\"a\")})"},
    {"tuple([string,string])", "[\"1\",\"a\"]", "tuple([number])", NULL},
    {"tuple([string])", "[\"a\"]", "map(string)", NULL},
    {"tuple([list(string),tuple([number])])", "[[\"a\"],[1]]", "list(list(string))",
     "cty.ListVal([]cty.Value{cty.ListVal([]cty.Value{cty.StringVal(\"a\")}), "
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\")})})"},
    {"map(string)", "{\"a\":\"1\"}", "map(number)",
     "cty.MapVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1)})"},
    {"map(string)", "{\"a\":\"x\"}", "map(number)", NULL},
    {"map(string)", "{}", "map(any)", "cty.MapValEmpty(cty.String)"},
    {"map(string)", "{\"a\":\"1\"}", "list(string)", NULL},
    {"map(string)", "{\"a\":\"1\"}", "object({a=number})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1)})"},
    {"map(string)", "{\"b\":\"1\"}", "object({a=number})", NULL},
    {"map(string)", "{\"a\":\"1\",\"b\":\"x\"}", "object({a=string})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"1\")})"},
    {"map(string)", "{}", "object({a=optional(number)})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NullVal(cty.Number)})"},
    {"map(bool)", "{\"a\":true}", "object({a=number})", NULL},
    {"object({a=string,b=number})", "{\"a\":\"x\",\"b\":1}", "map(string)",
     "cty.MapVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\"), \"b\":cty.StringVal(\"1\")})"},
    {"object({a=string,b=number})", "{\"a\":\"x\",\"b\":1}", "map(any)",
     "cty.MapVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\"), \"b\":cty.StringVal(\"1\")})"},
    {"object({a=number,b=bool})", "{\"a\":1,\"b\":true}", "map(any)", NULL},
    {"object({})", "{}", "map(string)", "cty.MapValEmpty(cty.String)"},
    {"object({a=string,b=string})", "{\"a\":\"1\",\"b\":\"x\"}", "object({a=number})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1)})"},
    {"object({b=string})", "{\"b\":\"x\"}", "object({a=number})", NULL},
    {"object({b=string})", "{\"b\":\"x\"}", "object({b=string,a=optional(number)})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NullVal(cty.Number), "
     "\"b\":cty.StringVal(\"x\")})"},
    {"object({a=string})", "{\"a\":\"x\"}", "list(string)", NULL},
    {"object({a=string})", "{\"a\":null}", "object({a=number})",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NullVal(cty.Number)})"},
    {"list(object({a=string}))", "[{\"a\":\"1\"}]", "list(object({a=number,b=optional(string)}))",
     "cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1), "
     "\"b\":cty.NullVal(cty.String)})})"},
    {"tuple([object({a=string}),object({a=number})])", "[{\"a\":\"x\"},{\"a\":1}]", "list(any)",
     "cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\")}), "
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"1\")})})"},
    {"tuple([list(string),list(number)])", "[[\"x\"],[1]]", "list(any)",
     "cty.ListVal([]cty.Value{cty.ListVal([]cty.Value{cty.StringVal(\"x\")}), "
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\")})})"},
    {"tuple([string,list(string)])", "[\"x\",[\"y\"]]", "list(any)", NULL},
};

START_TEST(test_convert)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_wire_result result;
    lc_str why = LC_STR_EMPTY;
    const lc_value *v, *out = NULL;
    lc_buf got = {0};
    ck_assert(
        lc_ctyjson_decode(&v, arena, lc_str_from_c(r->json), type_of(arena, r->from), &result));
    bool ok = lc_value_convert(&out, arena, v, type_of(arena, r->to), &why);
    if (ok)
        lc_value_add_go(&got, out);
    ck_assert_msg(ok == (r->want != NULL) && (!ok || lc_str_is(lc_buf_str(&got), r->want)),
                  "%s %s to %s: wanted %s, got %.*s%.*s", r->from, r->json, r->to,
                  r->want ? r->want : "no", LC_FMT(lc_buf_str(&got)), LC_FMT(why));
    ck_assert_msg(ok || why.len > 0, "a refusal says why");
    lc_buf_release(&got);
    lc_arena_free(arena);
}
END_TEST

/* What always converts, and what may convert depending on the value. */
static const struct {
    const char *from, *to;
    bool safe, unsafe;
} pairs[] = {
    {"string", "string", true, true},
    {"string", "number", false, true},
    {"string", "bool", false, true},
    {"string", "list(string)", false, false},
    {"number", "string", true, true},
    {"number", "bool", false, false},
    {"bool", "string", true, true},
    {"bool", "number", false, false},
    {"any", "string", false, true},
    {"list(string)", "any", true, true},
    {"list(number)", "list(string)", true, true},
    {"list(string)", "list(number)", false, true},
    {"list(string)", "set(string)", false, true},
    {"set(string)", "list(string)", true, true},
    {"list(string)", "map(string)", false, false},
    {"set(number)", "set(string)", true, true},
    {"map(number)", "map(string)", true, true},
    {"map(string)", "map(number)", false, true},
    {"map(string)", "list(string)", false, false},
    {"map(string)", "object({a=string})", false, true},
    {"map(list(string))", "object({a=string})", false, false},
    {"map(list(string))", "object({a=optional(string)})", false, true},
    {"tuple([string])", "list(string)", true, true},
    {"tuple([number,string])", "list(string)", true, true},
    {"tuple([string])", "list(number)", false, true},
    {"tuple([string])", "map(string)", false, false},
    {"tuple([string])", "tuple([string])", true, true},
    {"tuple([string])", "tuple([number])", false, true},
    {"tuple([string])", "tuple([string,string])", false, false},
    {"object({a=number})", "map(string)", true, true},
    {"object({a=string})", "map(number)", false, true},
    {"object({a=number})", "list(string)", false, false},
    {"object({a=number,b=bool})", "object({a=string})", true, true},
    {"object({a=string})", "object({a=number})", false, true},
    {"object({a=string})", "object({a=string,b=string})", false, false},
    {"object({a=string})", "object({a=string,b=optional(string)})", true, true},
};

START_TEST(test_convertible)
{
    lc_arena *arena = lc_arena_new();
    const lc_type *from = type_of(arena, pairs[_i].from), *to = type_of(arena, pairs[_i].to);
    ck_assert_msg(lc_type_convertible(arena, from, to, false) == pairs[_i].safe, "%s to %s, safe",
                  pairs[_i].from, pairs[_i].to);
    ck_assert_msg(lc_type_convertible(arena, from, to, true) == pairs[_i].unsafe,
                  "%s to %s, unsafe", pairs[_i].from, pairs[_i].to);
    lc_arena_free(arena);
}
END_TEST

/* Many types side by side are distinguished: none is lost, and equal ones count once. */
START_TEST(test_convert_many_types)
{
    lc_arena *arena = lc_arena_new();
    lc_buf type = {0}, json = {0};
    lc_buf_add_c(&type, "tuple([");
    lc_buf_add_c(&json, "[");
    for (int i = 0; i < 200; i++) {
        lc_buf_printf(&type, "%sobject({a=string,b%d=number})", i ? "," : "", i % 100);
        lc_buf_printf(&json, "%s{\"a\":\"x\",\"b%d\":1}", i ? "," : "", i % 100);
    }
    lc_buf_add_c(&type, "])");
    lc_buf_add_c(&json, "]");
    lc_wire_result result;
    lc_str why = LC_STR_EMPTY;
    const lc_value *v, *out = NULL;
    const lc_type *from = type_of(arena, lc_str_to_c(arena, lc_buf_str(&type)));
    ck_assert(lc_ctyjson_decode(&v, arena, lc_buf_str(&json), from, &result));
    ck_assert(lc_value_convert(&out, arena, v, type_of(arena, "list(map(string))"), &why));
    ck_assert_uint_eq(out->count, 200);
    ck_assert(lc_value_convert(&out, arena, v, type_of(arena, "list(any)"), &why));
    ck_assert(lc_type_equal(out->type, type_of(arena, "list(map(string))")));
    lc_buf_release(&type);
    lc_buf_release(&json);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("convert");
    TCase *tests = tcase_create("rows");
    tcase_add_loop_test(tests, test_convert, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tests, test_convertible, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(tests, test_convert_many_types);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}

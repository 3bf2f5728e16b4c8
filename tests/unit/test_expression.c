/* Expressions and templates: values, marks, doubts, and what the cores refuse. */
#include "unit.h"

#include "lifecheck/scope.h"

#include <stdlib.h>

/* The scope of all rows. */
static const char configuration[] =
    "{\"variable\":{\"r\":{\"type\":\"set(string)\",\"default\":[\"us\",\"eu\"]},"
    "\"s\":{\"default\":\"hush\",\"sensitive\":true},\"n\":{\"default\":7},\"e\":{}},"
    "\"locals\":{\"m\":{\"a\":\"1\",\"b\":\"2\"},\"l\":[\"x\",\"y\"],\"o\":{\"x\":{\"y\":[10,20]}},"
    "\"half\":{\"sure\":\"s\",\"not\":\"${abs(-1)}\"},\"secret\":{\"k\":\"${var.s}\",\"p\":1},"
    "\"c1\":\"${local.c2}\",\"c2\":\"${local.c1}\",\"none\":null}}";

typedef struct row {
    const char *in, *want; /* the value in Go's syntax; or ! and the core's summary */
} row;

static const row templates[] = {
    {"plain", "cty.StringVal(\"plain\")"},
    {"", "cty.StringVal(\"\")"},
    {"$${x} %%{y} $x", "cty.StringVal(\"${x} %{y} $x\")"},
    {"${1}", "cty.NumberIntVal(1)"},
    {"${ true }", "cty.True"},
    {"a${1}b", "cty.StringVal(\"a1b\")"},
    {"a ${~ 1 ~} b", "cty.StringVal(\"a1b\")"},
    {"${null}", "cty.NullVal(cty.DynamicPseudoType)"},
    {"a${null}", "!Invalid template interpolation value"},
    {"a${[1]}", "!Invalid template interpolation value"},
    {"${\"a${\"b\"}c\\\"\\n\"}", "cty.StringVal(\"abc\\\"\\n\")"},
    {"${-(1 + 2) * 3 % 4}", "cty.NumberIntVal(-1)"},
    {"${1 + 2 * 3 - 4 / 2}", "cty.NumberIntVal(5)"},
    {"${1 / 0}", "!Division by zero"},
    {"${\"1\" + 1}", "cty.NumberIntVal(2)"},
    {"${\"x\" + 1}", "!Invalid operand"},
    {"${1 < 2 && !(2 <= 1) || false}", "cty.True"},
    {"${\"1\" == 1}", "cty.False"},
    {"${null == local.none}", "cty.True"},
    {"${true ? \"a\" : 1}", "cty.StringVal(\"a\")"},
    {"${false ? \"a\" : 1}", "cty.StringVal(\"1\")"},
    {"${true ? [1] : \"a\"}", "!Inconsistent conditional result types"},
    {"${null ? 1 : 2}", "!Null condition"},
    {"${[1, \"a\", true]}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal(\"a\"), cty.True})"},
    {"${{b = 1, \"a\" : 2, (\"c\") = 3}}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(2), \"b\":cty.NumberIntVal(1), "
     "\"c\":cty.NumberIntVal(3)})"},
    {"${local.o.x.y[1]}", "cty.NumberIntVal(20)"},
    {"${local.o[\"x\"].y.0}", "cty.NumberIntVal(10)"},
    {"${local.o.z}", "!Unsupported attribute"},
    {"${local.l[2]}", "!Invalid index"},
    {"${var.r[0]}", "!Invalid index"},
    {"${local.none.x}", "!Attempt to get attribute from null value"},
    {"${local.nope}", "!Reference to undeclared local value"},
    {"${var.nope}", "!Reference to undeclared input variable"},
    {"${var.e}", "!No value for required variable"},
    {"${local.c1}", "!Cycle"},
    {"${each.key}", "!Reference to \"each\" in context without for_each"},
    {"${lifecheck}", "!Invalid reference"},
    {"${terraform.workspace}", "cty.StringVal(\"default\")"},
    {"${terraform.us}", "!Invalid \"terraform\" attribute"},
    {"${toset([\"b\", \"a\", \"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${keys(local.m)}", "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${values(local.m)}", "cty.TupleVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"2\")})"},
    {"${merge(local.m, {a = 3})}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(3), \"b\":cty.StringVal(\"2\")})"},
    {"${{for k, v in local.m : upper(k) => v if k != \"b\"}}",
     "cty.ObjectVal(map[string]cty.Value{\"A\":cty.StringVal(\"1\")})"},
    {"${[for i, x in local.l : \"${i}${x}\"]}",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"0x\"), cty.StringVal(\"1y\")})"},
    {"${{for x in [\"a\", \"b\", \"a\"] : x => x...}}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), "
     "cty.StringVal(\"a\")}), \"b\":cty.TupleVal([]cty.Value{cty.StringVal(\"b\")})})"},
    {"${{for x in [\"a\", \"a\"] : x => x}}", "!Duplicate object key"},
    {"${[for x in 1 : x]}", "!Iteration over non-iterable value"},
    {"${[{a = 1}, {a = 2}][*].a}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"${local.none[*]}", "cty.EmptyTupleVal"},
    {"${length(local.l) + length(\"h\xc3\xa4\")}", "cty.NumberIntVal(4)"},
    {"${concat(local.l, [1])[2]}", "cty.NumberIntVal(1)"},
    {"${join(\"-\", local.l)}", "cty.StringVal(\"x-y\")"},
    {"${split(\",\", \"a,b\")[1]}", "cty.StringVal(\"b\")"},
    {"${format(\"%s-%d%%\", \"a\", 3)}", "cty.StringVal(\"a-3%\")"},
    {"${lookup(local.m, \"z\", \"d\")}", "cty.StringVal(\"d\")"},
    {"${try(local.o.z, \"d\")}", "cty.StringVal(\"d\")"},
    {"${can(local.o.x)}", "cty.True"},
    {"${nope(1)}", "!Call to unknown function"},
    {"${length()}", "!Not enough function arguments"},
    {"${length(null)}", "!Invalid function argument"},
    {"${sum([1, 2]...) + 1}", "?the function sum is not evaluated"},
    {"${concat([[1], [2]]...)[1]}", "cty.NumberIntVal(2)"},
    {"${local.half.sure}", "cty.StringVal(\"s\")"},
    {"${local.half.not}", "?the function abs is not evaluated"},
    {"${keys(local.half)[0]}", "cty.StringVal(\"not\")"},
    {"${1.5 + 1}", "?arithmetic is evaluated for whole numbers only"},
    {"${terraform_data.a.id}", "?what is planned is not known here"},
    {"${path.module}", "cty.StringVal(\".\")"},
    {"${path.cwd}", "?the working directory is not known"},
    {"${sort(distinct([\"b\", \"a\", \"b\"]))[0]}", "cty.StringVal(\"a\")"},
    {"${reverse([1, 2])}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(2), cty.NumberIntVal(1)})"},
    {"${compact([\"\", \"a\", null])}", "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${setunion([\"a\"], [\"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${setsubtract([\"a\", \"b\"], [\"b\"])}", "cty.SetVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${setintersection([\"a\", \"b\"], [\"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"b\")})"},
    {"${slice([1, 2, 3], 1, 2)}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(2)})"},
    {"${replace(\"a-b\", \"-\", \"_\")}", "cty.StringVal(\"a_b\")"},
    {"${trimprefix(\"eu-1\", \"eu-\")}${trimsuffix(\"1-x\", \"-x\")}", "cty.StringVal(\"11\")"},
    {"${strcontains(\"abc\", \"b\")}", "cty.True"},
    {"${min(3, 2) + max(1, 5)}", "cty.NumberIntVal(7)"},
    {"%{ if true }a%{ endif }", "-directives of templates are not evaluated"},
    {"${", "!Invalid expression"},
    {"${1", "!Extra characters after interpolation expression"},
    {"${1 2}", "!Extra characters after interpolation expression"},
    {"${[1 2]}", "!Missing item separator"},
    {"${$}", "!Invalid character"},
    {"${\"a\\q\"}", "!Invalid escape sequence"},
    {"${(1}", "!Unbalanced parentheses"},
    {"${a.}", "!Invalid attribute name"},
    {"${timestamp()}", "cty.UnknownVal(cty.String)"},
};

typedef struct bench {
    lc_arena *arena;
    lc_source source;
    lc_configuration config;
    lc_surroundings around;
    lc_module_scope *scope;
} bench;

static bool open_folder(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    bench *b = context;
    if (path.len > 0)
        return false;
    *LC_PUSH(arena, &out->files, lc_config_file) =
        (lc_config_file){LC_STR("main.tf.json"), &b->source, &b->source.documents[0]};
    return true;
}

static void set_up(bench *b, const char *text)
{
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    b->arena = lc_arena_new();
    lc_diags_init(&diags, b->arena);
    ck_assert(lc_json_parse(&b->source, b->arena, LC_STR("main.tf.json"), lc_str_from_c(text),
                            &limits, &diags) == LC_OK);
    lc_config_loader loader = {b, open_folder};
    ck_assert(lc_configuration_read(&b->config, b->arena, LC_PROFILE_OPENTOFU, &loader, &diags) ==
              LC_OK);
    b->around = (lc_surroundings){.config = &b->config};
    lc_table_init(&b->around.variables, b->arena);
    b->scope = lc_module_scope_new(b->arena, &b->around, b->config.root, NULL, NULL);
}

/* What a row's template comes to, in the table's form. */
static const char *outcome(bench *b, const char *text)
{
    const lc_expr *e;
    lc_trouble trouble = {0};
    lc_marked v;
    lc_buf buf = {0};
    if (!lc_template_parse(&e, b->arena, lc_str_from_c(text), (lc_place){0}, &trouble) ||
        !lc_scope_evaluate(&v, b->scope, e, NULL, &trouble)) {
        bool core = trouble.summary.len > 0;
        lc_buf_printf(&buf, "%c%.*s", core ? '!' : '-',
                      LC_FMT(core ? trouble.summary : trouble.detail));
    } else if (lc_marks_all(v) & LC_MARK_DOUBT) {
        lc_buf_printf(&buf, "?%.*s", LC_FMT(v.marks->doubt->reason));
    } else {
        lc_value_add_go(&buf, v.value);
    }
    char *out = lc_str_to_c(b->arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return out;
}

START_TEST(template_values)
{
    bench b;
    set_up(&b, configuration);
    ck_assert_msg(lc_str_is(lc_str_from_c(outcome(&b, templates[_i].in)), templates[_i].want),
                  "%s\n  want %s\n  got  %s", templates[_i].in, templates[_i].want,
                  outcome(&b, templates[_i].in));
    lc_arena_free(b.arena);
}
END_TEST

static lc_marked evaluated(bench *b, const char *text)
{
    const lc_expr *e;
    lc_trouble trouble;
    lc_marked v = {NULL, NULL};
    ck_assert(lc_template_parse(&e, b->arena, lc_str_from_c(text), (lc_place){0}, &trouble));
    ck_assert(lc_scope_evaluate(&v, b->scope, e, NULL, &trouble));
    return v;
}

START_TEST(marks_stay_where_they_are)
{
    bench b;
    set_up(&b, configuration);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${local.secret}")), 0);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${local.secret}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${local.secret.p}")), 0);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${local.secret.k}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${keys(local.secret)}")), 0);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${toset(values(local.secret))}")),
                      LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "x${var.s}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${var.s == \"a\" ? 1 : 2}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${sensitive(1)}")), LC_MARK_SENSITIVE);
    lc_arena_free(b.arena);
}
END_TEST

START_TEST(depth_is_bounded)
{
    bench b;
    set_up(&b, configuration);
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "${");
    for (int i = 0; i < 100000; i++)
        lc_buf_add_c(&buf, i % 2 ? "(" : "!");
    ck_assert_str_eq(outcome(&b, lc_str_to_c(b.arena, lc_buf_str(&buf))),
                     "-the expression is nested too deeply");
    lc_buf_clear(&buf);
    lc_buf_add_c(&buf, "${1");
    for (int i = 0; i < 100000; i++)
        lc_buf_add_c(&buf, " + 1");
    lc_buf_add_c(&buf, "}");
    ck_assert_str_eq(outcome(&b, lc_str_to_c(b.arena, lc_buf_str(&buf))),
                     "-the expression is nested too deeply");
    lc_buf_release(&buf);
    lc_arena_free(b.arena);
}
END_TEST

START_TEST(growth_is_bounded)
{
    bench b;
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{\"locals\":{\"x0\":[1,2]");
    for (int i = 1; i < 60; i++)
        lc_buf_printf(&buf, ",\"x%d\":\"${[local.x%d,local.x%d]}\"", i, i - 1, i - 1);
    lc_buf_add_c(&buf, "}}");
    lc_str text = lc_buf_str(&buf);
    char *copy = malloc(text.len + 1);
    for (size_t i = 0; i <= text.len; i++)
        copy[i] = i < text.len ? text.ptr[i] : '\0';
    set_up(&b, copy);
    ck_assert_str_eq(outcome(&b, "${local.x59}"), "-the value is too large");
    lc_buf_release(&buf);
    lc_arena_free(b.arena);
    free(copy);
}
END_TEST

START_TEST(references_are_classified)
{
    static const struct {
        const char *text;
        lc_root root;
        const char *type, *name;
        size_t steps;
    } rows[] = {
        {"var.a.b", LC_ROOT_VARIABLE, "", "a", 1},
        {"demo_disk.a[0].id", LC_ROOT_RESOURCE, "demo_disk", "a", 2},
        {"resource.demo_disk.a", LC_ROOT_RESOURCE, "demo_disk", "a", 0},
        {"data.demo_disk.a[each.key]", LC_ROOT_DATA, "demo_disk", "a", 1},
        {"module.m[\"k\"].o", LC_ROOT_MODULE, "", "m", 2},
        {"self.id", LC_ROOT_SELF, "", "", 1},
        {"each.value.x", LC_ROOT_EACH, "", "value", 1},
        {"input", LC_ROOT_BAD, "input", "", 0},
        {"var[\"a\"]", LC_ROOT_BAD, "", "", 1},
    };
    lc_arena *arena = lc_arena_new();
    for (int i = 0; i < ROWS(rows); i++) {
        const lc_expr *e;
        lc_trouble trouble;
        ck_assert(lc_expr_parse(&e, arena, lc_str_from_c(rows[i].text), (lc_place){0}, &trouble));
        const lc_reference *ref = lc_expr_reference(e);
        ck_assert_msg(ref && ref->root == rows[i].root && lc_str_is(ref->type, rows[i].type) &&
                          lc_str_is(ref->name, rows[i].name) && ref->count == rows[i].steps &&
                          lc_str_is(ref->text, rows[i].text),
                      "%s", rows[i].text);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("expression");
    TCase *tests = tcase_create("expression");
    ADD_ROWS(tests, template_values, templates);
    tcase_add_test(tests, marks_stay_where_they_are);
    tcase_add_test(tests, depth_is_bounded);
    tcase_add_test(tests, growth_is_bounded);
    tcase_add_test(tests, references_are_classified);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}

/* Variables: type constraints with their defaults and errors, what becomes of values, and what the
 * cores say of values that users give. Expected results are those of both clients. */
#include "unit.h"

#include "lifecheck/configuration/scope.h"

#include <stdio.h>

typedef struct one_module {
    lc_arena *arena;
    lc_configuration config;
    lc_eval_context around;
    lc_str text;
} one_module;

static bool open_module(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    one_module *m = context;
    lc_str name = LC_STR("x.tf");
    if (path.len == 0)
        lc_config_file_parse(LC_PUSH(arena, &out->files, lc_config_file), arena, name, name,
                             m->text);
    return path.len == 0;
}

static void module_read(one_module *m, const char *text)
{
    lc_diags diags;
    *m = (one_module){.arena = lc_arena_new(), .text = lc_str_from_c(text)};
    lc_config_loader loader = {.context = m, .open = open_module};
    lc_diags_init(&diags, m->arena);
    ck_assert(lc_configuration_read(&m->config, m->arena, LC_PROFILE_OPENTOFU, &loader, &diags) ==
              LC_OK);
    m->around.config = &m->config;
    lc_table_init(&m->around.variables, m->arena);
}

/* `line:column summary` of each error, separated by semicolons. */
static lc_str problems_of(one_module *m)
{
    lc_buf out = {0};
    for (size_t i = 0; i < m->config.problems.count; i++) {
        const lc_config_problem *p = &m->config.problems.items[i];
        lc_loc loc = lc_source_pos_loc(p->place);
        lc_buf_printf(&out, "%s%u:%u %s%.*s", out.len ? "; " : "", loc.line, loc.column,
                      p->warning ? "warning " : "", LC_FMT(p->summary));
    }
    lc_str text = lc_buf_copy(m->arena, &out);
    lc_buf_release(&out);
    return text;
}

/* ---- Types. */

typedef struct type_row {
    const char *type, *want; /* the type as it is understood, or the errors */
    bool is_expression;
} type_row;

static const type_row types[] = {
    {"string", "string", false},
    {"bool", "bool", false},
    {"any", "dynamic", true},
    {"list", "list(dynamic)", true},
    {"map", "map(dynamic)", true},
    {"set(number)", "set(number)", true},
    {"tuple([string, list(any)])", "tuple([string,list(dynamic)])", true},
    {"object({b = optional(string), a = number})", "object({a=number,b=optional(string)})", true},
    {"object({a = optional(number, \"7\")})", "object({a=optional(number)})", true},
    {"object({})", "object({})", true},
    {"nope", "1:23 Invalid type specification", true},
    {"set", "1:23 Invalid type specification", true},
    {"nope(string)", "1:23 Invalid type specification", true},
    {"string()", "1:29 Invalid type specification", true},
    {"list()", "1:27 Invalid type specification", true},
    {"list(string, number)", "1:36 Invalid type specification", true},
    {"list(nope)", "1:28 Invalid type specification", true},
    {"object(string)", "1:30 Invalid type specification", true},
    {"object({\"a\" = string})", "1:31 Invalid type specification", true},
    {"object({a = string, a = string})", "1:43 Invalid type specification", true},
    {"object({a = optional()})", "1:43 Invalid type specification", true},
    {"object({a = optional(string, 1, 2)})", "1:43 Invalid type specification", true},
    {"object({a = optional(number, \"x\")})", "1:52 Invalid default value for optional attribute",
     true},
    {"object({a = optional(number, upper(\"x\"))})", "1:52 Function calls not allowed", true},
    {"object({a = optional(number, var.x)})", "1:52 Variables not allowed", true},
    {"tuple(string)", "1:29 Invalid type specification", true},
    {"optional(string)", "1:23 Invalid type specification", true},
    {"\"string\"", "1:23 Invalid quoted type constraints", true},
    {"\"number\"", "1:23 Invalid legacy variable type hint", true},
    {"\"${string}\"", "1:23 Invalid type specification", true},
    {"object({a = nope, b = nope})",
     "1:35 Invalid type specification; 1:45 Invalid type specification", true},
};

START_TEST(type_constraints)
{
    one_module m;
    const type_row *row = &types[_i];
    char text[200];
    snprintf(text, sizeof text, "variable \"v\" { type = %s }\n", row->type);
    module_read(&m, text);
    const lc_constraint *c = &m.config.root->variables.items[0]->constraint;
    lc_str got = m.config.problems.count ? problems_of(&m) : lc_type_text(m.arena, c->type);
    CHECK_TEXT(row->type, got, lc_str_from_c(row->want));
    ck_assert_msg(c->is_expression == row->is_expression, "%s", row->type);
    lc_arena_free(m.arena);
}
END_TEST

/* ---- Values. */

typedef struct value_row {
    const char *block, *given; /* NULL: nothing is given */
    const char *want;          /* in Go's syntax; or ! and the summary */
} value_row;

#define NESTED                                                                                     \
    "type = object({a = optional(object({b = optional(list(string), [\"q\"])}), {}), "             \
    "c = optional(number)})"

static const value_row values[] = {
    {"type = string", "5", "cty.StringVal(\"5\")"},
    {"type = number", "\"x\"", "!Invalid value for input variable"},
    {"type = list(string)", "[1, true]",
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"true\")})"},
    {"type = list(any)", "[1, \"a\"]",
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"a\")})"},
    {"type = list(any)", "[1, [2]]", "!Invalid value for input variable"},
    {"", "[1]", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"", NULL, "!Required variable not set"},
    {"default = 1", NULL, "cty.NumberIntVal(1)"},
    {"default = 1", "null", "cty.NullVal(cty.DynamicPseudoType)"},
    {"default = 1\n nullable = false", "null", "cty.NumberIntVal(1)"},
    {"nullable = false", "null", "!Required variable not set"},
    {"type = number\n default = \"3\"", NULL, "cty.NumberIntVal(3)"},
    {NESTED, "{}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.ObjectVal(map[string]cty.Value{"
     "\"b\":cty.ListVal([]cty.Value{cty.StringVal(\"q\")})}), \"c\":cty.NullVal(cty.Number)})"},
    {NESTED, "{a = {b = [1]}, c = \"2\", d = 5}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.ObjectVal(map[string]cty.Value{"
     "\"b\":cty.ListVal([]cty.Value{cty.StringVal(\"1\")})}), \"c\":cty.NumberIntVal(2)})"},
    {NESTED, "{a = null}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.ObjectVal(map[string]cty.Value{"
     "\"b\":cty.ListVal([]cty.Value{cty.StringVal(\"q\")})}), \"c\":cty.NullVal(cty.Number)})"},
    {NESTED, "null",
     "cty.NullVal(cty.Object(map[string]cty.Type{\"a\":cty.Object(map[string]cty.Type{"
     "\"b\":cty.List(cty.String)}), \"c\":cty.Number}))"},
    {"type = map(object({z = optional(bool, true)}))", "{k = {}, l = {z = false}}",
     "cty.MapVal(map[string]cty.Value{\"k\":cty.ObjectVal(map[string]cty.Value{\"z\":cty.True}), "
     "\"l\":cty.ObjectVal(map[string]cty.Value{\"z\":cty.False})})"},
    {"type = list(object({z = optional(bool, true), n = number}))", "[{n = 1}, {n = 2, z = null}]",
     "cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"n\":cty.NumberIntVal(1), "
     "\"z\":cty.True}), cty.ObjectVal(map[string]cty.Value{\"n\":cty.NumberIntVal(2), "
     "\"z\":cty.True})})"},
    {"type = tuple([object({z = optional(number, 1)})])", "[{}]",
     "cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"z\":cty.NumberIntVal(1)})})"},
    {"type = object({a = string})", "{}", "!Invalid value for input variable"},
};

START_TEST(values_of_variables)
{
    one_module m;
    const value_row *row = &values[_i];
    const lc_expr *expr;
    lc_marked given, value;
    lc_eval_error trouble = {0};
    char text[400];
    snprintf(text, sizeof text, "variable \"v\" {\n %s\n}\n", row->block);
    module_read(&m, text);
    ck_assert_msg(m.config.problems.count == 0, "%s", row->block);
    if (row->given) {
        lc_str in = lc_str_from_c(row->given);
        ck_assert(lc_expr_parse(&expr, m.arena, in, (lc_source_pos){NULL, 0, 0}, &trouble) &&
                  lc_evaluate_constant(&given, m.arena, expr, &trouble));
    }
    lc_buf out = {0};
    if (lc_variable_value(&value, m.arena, m.config.root->variables.items[0],
                          row->given ? &given : NULL, &trouble))
        lc_value_add_go(&out, value.value);
    else
        lc_buf_printf(&out, "!%.*s", LC_FMT(trouble.summary));
    CHECK_TEXT(row->block, lc_buf_str(&out), lc_str_from_c(row->want));
    lc_buf_release(&out);
    lc_arena_free(m.arena);
}
END_TEST

/* Marks stay where they are; a null in an object comes out of a conversion without them. */
START_TEST(marks_of_defaults)
{
    one_module m;
    lc_str why;
    module_read(&m,
                "variable \"v\" { type = object({a = optional(string, \"x\"), b = number}) }\n");
    lc_value elems[2], slot;
    lc_type_attr *attrs = LC_NEW_ARRAY(m.arena, lc_type_attr, 2);
    const lc_marks **marks = LC_NEW_ARRAY(m.arena, const lc_marks *, 2);
    lc_value_set_string(&elems[0], m.arena, LC_STR("1"));
    lc_value_set_string(&elems[1], m.arena, LC_STR("2"));
    attrs[0] = (lc_type_attr){LC_STR("b"), &lc_type_string, false};
    attrs[1] = (lc_type_attr){LC_STR("c"), &lc_type_string, false};
    lc_value_set_object(&slot, m.arena, lc_type_object(m.arena, attrs, 2), elems);
    lc_marked secret = {&elems[0], NULL};
    marks[0] = lc_marked_with(m.arena, secret, LC_MARK_SENSITIVE, NULL).marks;
    marks[1] = NULL;
    lc_marked out, given = {&slot, lc_marks_join(m.arena, marks, 2)};
    ck_assert(lc_constraint_apply(&out, m.arena, &m.config.root->variables.items[0]->constraint,
                                  given, &why));
    ck_assert(lc_marks_self(out) == 0 && out.marks && out.marks->count == 2);
    ck_assert(!out.marks->children[0]);
    ck_assert(out.marks->children[1] && out.marks->children[1]->self == LC_MARK_SENSITIVE);
    lc_arena_free(m.arena);
}
END_TEST

/* ---- What users give. */

typedef struct given_row {
    const char *file, *option; /* a file of values; NAME=VALUE; NULL: none */
    const char *want;          /* problems */
} given_row;

/* Required are n (any type) and l (a list). */
static const given_row givens[] = {
    {"n = 1\nl = []\n", NULL, ""},
    {NULL, "n=x", "2:1 No value for required variable"},
    {NULL, NULL, "1:1 No value for required variable; 2:1 No value for required variable"},
    {"n = 1\nl = []\nx = 2\n", NULL, "3:1 warning Value for undeclared variable"},
    {"n = 1\nl = []\n", "x=2", "0:0 Value for undeclared variable"},
    {"n = 1\nl = []\n", "x", "0:0 Invalid -var option"},
    {"n = 1\nl = []\n", "l=[1]", ""},
    {"n = 1\nl = []\n", "l=[f()]", "0:0 Function calls not allowed"},
    {"n = 1\nl = []\n", "l=n", "0:0 Variables not allowed"},
    {"n = 1\nl = [var.n]\n", "l=[]", "2:6 Variables not allowed"},
    {"variable \"n\" {\n}\n", NULL,
     "1:1 Variable declaration in .tfvars file; 1:1 No value for required variable; "
     "2:1 No value for required variable"},
    {"n = 1\nb {\n}\n", "l=[]", "2:1 Unexpected \"b\" block; 1:1 No value for required variable"},
};

START_TEST(values_that_are_given)
{
    one_module m;
    const given_row *row = &givens[_i];
    lc_config_file file;
    lc_str name = LC_STR("x.tfvars");
    module_read(&m, "variable \"n\" {}\nvariable \"l\" { type = list(any) }\n");
    if (row->file) {
        lc_config_file_parse(&file, m.arena, name, name, lc_str_from_c(row->file));
        lc_variables_give_file(&m.config, &m.around, &file);
    }
    if (row->option)
        lc_variables_give_option(&m.config, &m.around, lc_str_from_c(row->option));
    lc_variables_require(&m.config, &m.around);
    CHECK_TEXT(row->file ? row->file : "no file", problems_of(&m), lc_str_from_c(row->want));
    lc_arena_free(m.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("variables");
    TCase *tests = tcase_create("variables");
    ADD_ROWS(tests, type_constraints, types);
    ADD_ROWS(tests, values_of_variables, values);
    tcase_add_test(tests, marks_of_defaults);
    ADD_ROWS(tests, values_that_are_given, givens);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}

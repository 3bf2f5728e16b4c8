/* Evaluation part by part: what HCL makes of unknown values, refinements and marks, and all errors
 * of an expression with their places, in their order. Results are those of both clients' HCL. */
#include "unit.h"

#include "lifecheck/configuration/expression.h"

#include <stdlib.h>
#include <string.h>

/* ---- Variables. */

/* `made`: an expression for the value; without it the value is unknown, with the refinement. */
typedef struct variable {
    const char *name, *made;
    unsigned marks;
    lc_type_kind kind, elem;
    lc_refinement known;
} variable;

enum { SECRET = LC_MARK_SENSITIVE, FLEETING = LC_MARK_EPHEMERAL, OPEN = LC_MARK_UNDECIDED };

static const variable variables[] = {
    {.name = "secret", .made = "\"s\"", .marks = SECRET},
    {.name = "fleeting", .made = "5", .marks = FLEETING},
    {.name = "secret_list", .made = "[\"x\", \"y\"]", .marks = SECRET},
    {.name = "any", .kind = LC_TYPE_DYNAMIC},
    {.name = "text", .kind = LC_TYPE_STRING},
    {.name = "number", .kind = LC_TYPE_NUMBER},
    {.name = "flag", .kind = LC_TYPE_BOOL},
    {.name = "secret_text", .kind = LC_TYPE_STRING, .marks = SECRET},
    {.name = "open", .kind = LC_TYPE_DYNAMIC, .marks = OPEN},
    {.name = "list", .kind = LC_TYPE_LIST, .elem = LC_TYPE_STRING},
    {.name = "set", .kind = LC_TYPE_SET, .elem = LC_TYPE_STRING},
    {.name = "map", .kind = LC_TYPE_MAP, .elem = LC_TYPE_NUMBER},
    {.name = "pair",
     .kind = LC_TYPE_LIST,
     .elem = LC_TYPE_STRING,
     .known =
         {.not_null = true, .has_min_len = true, .has_max_len = true, .min_len = 1, .max_len = 2}},
    {.name = "digit",
     .kind = LC_TYPE_NUMBER,
     .known = {.not_null = true,
               .has_min = true,
               .has_max = true,
               .min_inclusive = true,
               .max_inclusive = true,
               .max = {9, NULL}}},
    {.name = "beginning",
     .kind = LC_TYPE_STRING,
     .known = {.not_null = true, .has_prefix = true, .prefix = {"ab", 2}}},
};

static const lc_type *type_of(lc_arena *arena, lc_type_kind kind, lc_type_kind elem)
{
    switch (kind) {
    case LC_TYPE_BOOL:
        return &lc_type_bool;
    case LC_TYPE_NUMBER:
        return &lc_type_number;
    case LC_TYPE_STRING:
        return &lc_type_string;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        return lc_type_collection(arena, kind, type_of(arena, elem, LC_TYPE_DYNAMIC));
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        break;
    }
    return &lc_type_dynamic;
}

static lc_marked value_of(lc_arena *arena, const variable *v)
{
    lc_marked out = {NULL, NULL};
    lc_value slot;
    const lc_expr *expr;
    lc_eval_error trouble;
    lc_scope nothing = {.profile = LC_PROFILE_OPENTOFU};
    if (v->made) {
        ck_assert(
            lc_expr_parse(&expr, arena, lc_str_from_c(v->made), (lc_source_pos){0}, &trouble));
        ck_assert(lc_evaluate(&out, arena, expr, &nothing, 0, &trouble));
    } else {
        ck_assert(lc_value_set_refined(&slot, arena, type_of(arena, v->kind, v->elem), &v->known));
        out.value = lc_value_new(arena, &slot);
    }
    const lc_undecided *why =
        v->marks & OPEN ? lc_undecided_new(arena, LC_STR("why"), (lc_source_pos){0}) : NULL;
    return lc_marked_with(arena, out, v->marks, why);
}

/* Any other variable fails, as one whose own value has an error. */
static bool look_up(void *context, lc_lookup *ask)
{
    (void)context;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        if (!lc_str_is(ask->reference->name, variables[i].name))
            continue;
        ask->value = value_of(ask->arena, &variables[i]);
        return true;
    }
    ask->trouble = (lc_eval_error){LC_STR("Failed elsewhere"), LC_STR("its own error"),
                                   ask->reference->place, NULL};
    return false;
}

/* ---- Results as strings. */

static void add_marks(lc_buf *buf, unsigned marks)
{
    lc_buf_add_c(buf, marks & SECRET ? " secret" : "");
    lc_buf_add_c(buf, marks & FLEETING ? " fleeting" : "");
    lc_buf_add_c(buf, marks & OPEN ? " undecided" : "");
}

/* The value, its own marks, and those that only parts of it have. */
static void add_value(lc_buf *buf, lc_marked v)
{
    lc_value_add_go(buf, v.value);
    add_marks(buf, lc_marks_self(v));
    unsigned within = lc_marks_all(v) & ~lc_marks_self(v);
    lc_buf_add_c(buf, within ? " within" : "");
    add_marks(buf, within);
}

/* Each error with the byte where it is, from 0. */
static void add_errors(lc_buf *buf, const lc_eval_error *e)
{
    for (; e; e = e->next)
        lc_buf_printf(buf, "%.*s at %u%s", LC_FMT(e->summary.len ? e->summary : e->detail),
                      (unsigned)e->place.offset, e->next ? "; " : "");
}

static const char *outcome(lc_arena *arena, const char *text, lc_profile profile)
{
    lc_scope scope = {.lookup = look_up, .profile = profile};
    lc_eval_error trouble = {0};
    const lc_expr *expr;
    lc_marked v;
    lc_buf buf = {0};
    if (lc_expr_parse(&expr, arena, lc_str_from_c(text), (lc_source_pos){0}, &trouble) &&
        lc_evaluate(&v, arena, expr, &scope, 0, &trouble))
        add_value(&buf, v);
    else
        add_errors(&buf, &trouble);
    char *out = lc_str_to_c(arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return out;
}

#define NUMBER "cty.UnknownVal(cty.Number).RefineNotNull()"
#define BOOL   "cty.UnknownVal(cty.Bool).RefineNotNull()"
#define STRING "cty.UnknownVal(cty.String)"
#define OPENED "cty.DynamicVal"
#define BETWEEN(a, b)                                                                              \
    "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(" a           \
    "), true).NumberUpperBound(cty.NumberIntVal(" b "), true).NewValue()"

/* ---- Tables. */

typedef struct row {
    const char *in, *want;
} row;

static const row operators[] = {
    {"var.number + 1", NUMBER},
    {"var.digit + 1", NUMBER},
    {"var.secret_text == \"a\"", BOOL " secret"},
    {"-var.number", NUMBER},
    {"!var.secret_text", BOOL},
    {"-var.fleeting", "cty.NumberIntVal(-5) fleeting"},
    {"var.open + 1", NUMBER " undecided"},
    {"!var.open", BOOL " undecided"},
    {"var.fleeting + 1", "cty.NumberIntVal(6) fleeting"},
    {"var.digit < 10", "cty.True"},
    {"var.digit <= 9", BOOL},
    {"var.digit > 9", BOOL},
    {"var.digit >= 10", "cty.False"},
    {"var.digit == 10", "cty.False"},
    {"var.beginning == \"xy\"", "cty.False"},
    {"var.beginning == null", "cty.False"},
    {"var.text == null", BOOL},
    {"var.list == tolist([\"a\"])", BOOL},
    {"var.list == tolist([1])", "cty.False"},
    {"[1, var.text] == [2, \"a\"]", "cty.False"},
    {"[var.text, 1] == [\"a\", 2]", BOOL},
    {"[var.secret] == [\"s\"]", "cty.True secret"},
    {"null && true", "cty.False"},
    {"null || true", "cty.True"},
    {"null || false", "Operation failed at 0"},
    {"false && var.flag", "cty.False"},
    {"var.flag || true", "cty.True"},
    {"var.flag && true", BOOL},
    {"1 + \"x\"", "Invalid operand at 4"},
    {"[] + {}", "Invalid operand at 0; Invalid operand at 5"},
    {"[] + tonumber(\"x\")", "Invalid operand at 0; Invalid function argument at 15"},
    {"tonumber(\"x\") + []", "Invalid operand at 16; Invalid function argument at 10"},
    {"tonumber(\"x\") + tonumber(\"y\")",
     "Invalid function argument at 10; Invalid function argument at 26"},
    {"false && tobool(\"x\")", "cty.False"},
    {"true && tobool(\"x\")", "Invalid function argument at 16"},
    {"tobool(\"x\") || true", "cty.True"},
    {"var.flag && tobool(\"x\")", BOOL},
    {"tobool(\"x\") && var.flag", "Invalid function argument at 8"},
    {"(1 + null) * 2", "Operation failed at 1"},
    {"-null", "Operation failed at 0"},
    {"!\"x\"", "Invalid operand at 1"},
    {"-tonumber(\"x\")", "Invalid function argument at 11"},
    {"1e90000 * 1e90000", "the number has too many digits at 0"},
};

static const row conditions[] = {
    {"var.flag ? 1 : 2", BETWEEN("1", "2")},
    {"var.flag ? 1 : 1", "cty.NumberIntVal(1)"},
    {"var.flag ? var.digit : 3", BETWEEN("0", "9")},
    {"var.flag ? var.digit : var.number", "cty.UnknownVal(cty.Number)"},
    {"var.flag ? 1 / 0 : 1",
     "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(1), "
     "true).NewValue()"},
    {"var.flag ? 1 : \"a\"", STRING ".RefineNotNull()"},
    {"var.flag ? \"ab\" : \"ac\"", STRING ".RefineNotNull()"},
    {"var.flag ? null : null", "cty.NullVal(cty.DynamicPseudoType)"},
    {"var.flag ? null : \"a\"", STRING},
    {"var.flag ? var.pair : tolist([\"a\", \"b\", \"c\"])",
     "cty.UnknownVal(cty.List(cty.String)).Refine().NotNull().CollectionLengthLowerBound(1)."
     "CollectionLengthUpperBound(3).NewValue()"},
    {"true ? 1 : var.secret", "cty.StringVal(\"1\") secret"},
    {"var.secret == \"s\" ? 1 : 2", "cty.NumberIntVal(1) secret"},
    {"true ? {a = var.secret} : {a = \"b\"}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"s\")}) within secret"},
    {"true ? null : [1]", "cty.NullVal(cty.Tuple([]cty.Type{cty.Number}))"},
    {"true ? 1 : tonumber(\"x\")", "cty.NumberIntVal(1)"},
    {"false ? 1 : tonumber(\"x\")", "Invalid function argument at 22"},
    {"var.flag ? tonumber(\"x\") : 1", OPENED},
    {"var.list ? 1 : 2", BETWEEN("1", "2")},
    {"true ? [] : {}", "Inconsistent conditional result types at 7"},
    {"true ? 1 : [tonumber(\"x\")]", "Inconsistent conditional result types at 7"},
    {"null ? 1 : 2", "Null condition at 0"},
    {"[] ? 1 : 2", "Incorrect condition type at 0"},
    {"(null) ? 1 : 2", "Null condition at 0"},
    {"false ? tolist([1]) : [\"x\"]", "cty.ListVal([]cty.Value{cty.StringVal(\"x\")})"},
};

/* What fails with a value that lifecheck does not know need not fail. */
static const row unsure[] = {
    {"true ? {a = 1, b = true, c = var.open} : {}", OPENED " undecided"},
    {"true ? {a = [1], b = {}, c = var.open} : var.secret", OPENED " secret undecided"},
    {"true ? {a = 1, b = true} : [var.open]", OPENED " undecided"},
    {"true ? {a = 1} : [1]", "Inconsistent conditional result types at 7"},
    {"tolist([1, true, var.open])", OPENED " undecided"},
    {"join(var.open, [1, [], var.open])", OPENED " undecided"},
    {"join(\"\", [1, [], var.open])", OPENED " undecided"},
    {"tonumber(\"x\") + var.open", "Invalid function argument at 10"},
    {"coalesce(tonumber(\"x\"), var.open)", "Invalid function argument at 19"},
};

static const row steps[] = {
    {"[1, 2][\"1\"]", "cty.NumberIntVal(2)"},
    {"[1].0", "cty.NumberIntVal(1)"},
    {"[1][1]", "Invalid index at 3"},
    {"[1][0.5]", "Invalid index at 3"},
    {"[1][-1]", "Invalid index at 3"},
    {"[1][null]", "Invalid index at 3"},
    {"null[0]", "Attempt to index null value at 4"},
    {"null.a", "Attempt to get attribute from null value at 4"},
    {"toset([1])[0]", "Invalid index at 10"},
    {"1[0]", "Invalid index at 1"},
    {"{a = 1}.b", "Unsupported attribute at 7"},
    {"{a = 1}[\"b\"]", "Invalid index at 7"},
    {"tomap({a = 1}).b", "Missing map element at 14"},
    {"tomap({a = 1})[\"b\"]", "Invalid index at 14"},
    {"[1][tonumber(\"x\")]", "Invalid function argument at 14"},
    {"[1][2][tonumber(\"x\")]", "Invalid index at 3; Invalid function argument at 17"},
    {"var.list[0]", STRING},
    {"var.list[-1]", STRING},
    {"var.list[\"x\"]", "Invalid index at 8"},
    {"var.map.a", "cty.UnknownVal(cty.Number)"},
    {"var.any.a.b[0]", OPENED},
    {"var.open.a", OPENED " undecided"},
    {"[1, 2][var.number]", OPENED},
    {"[1, 2][var.open]", OPENED " undecided"},
    {"tolist([1, 2])[var.number]", "cty.UnknownVal(cty.Number)"},
    {"var.secret_list[0]", "cty.StringVal(\"x\") secret"},
    {"tolist([\"a\"])[var.secret == \"s\" ? 0 : 1]", "cty.StringVal(\"a\") secret"},
    {"{a = 1}[var.secret == \"s\" ? \"a\" : \"b\"]", "cty.NumberIntVal(1)"},
    {"{a = var.secret}.a", "cty.StringVal(\"s\") secret"},
    {"var.gone", "Failed elsewhere at 0"},
    {"[][0] + var.gone", "Failed elsewhere at 8"},
    {"try(var.gone, 1)", "Failed elsewhere at 4"},
};

static const row splats[] = {
    {"[{a = 1}, {a = 2}][*].a",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"tolist([{a = 1}])[*].a", "cty.ListVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"tolist([])[*]", "cty.ListValEmpty(cty.DynamicPseudoType)"},
    {"{a = 1}[*].a", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"null[*]", "cty.EmptyTupleVal"},
    {"tolist(null)[*]", "Splat of null value at 0"},
    {"var.list[*]", "cty.UnknownVal(cty.List(cty.String)).RefineNotNull()"},
    {"var.pair[*]",
     "cty.UnknownVal(cty.List(cty.String)).Refine().NotNull().CollectionLengthLowerBound(1)."
     "CollectionLengthUpperBound(2).NewValue()"},
    {"var.set[*]", "cty.UnknownVal(cty.List(cty.String)).RefineNotNull()"},
    {"var.text[*]", OPENED},
    {"var.beginning[*]",
     "cty.TupleVal([]cty.Value{cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("
     "\"ab\").NewValue()})"},
    {"var.any[*].a", OPENED},
    {"var.open[*].a", OPENED " undecided"},
    {"var.secret_list[*]",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"x\"), cty.StringVal(\"y\")}) secret"},
    {"var.secret[*]", "cty.TupleVal([]cty.Value{cty.StringVal(\"s\")}) secret"},
    {"var.list[*].a", "Unsupported attribute at 11"},
    {"[{a = 1}, {}][*].a", "Unsupported attribute at 16"},
    {"tolist([{a = 1}])[*].b", "Unsupported attribute at 20"},
    {"[1][2][*].a", "Invalid index at 3"},
    {"[[{a = 1}], [{a = 2}]][*][0].a",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"[[1], [2]].*[0]", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
};

static const row loops[] = {
    {"[for x in [1, 2] : x * 2]",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(2), cty.NumberIntVal(4)})"},
    {"{for k, v in {b = 1, a = 2} : v => k}",
     "cty.ObjectVal(map[string]cty.Value{\"1\":cty.StringVal(\"b\"), \"2\":cty.StringVal(\"a\")})"},
    {"{for x in [\"a\", \"b\", \"a\"] : x => x...}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), "
     "cty.StringVal(\"a\")}), \"b\":cty.TupleVal([]cty.Value{cty.StringVal(\"b\")})})"},
    {"[for x in var.secret_list : x]",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"x\"), cty.StringVal(\"y\")}) secret"},
    {"[for x in [1] : x if var.secret == \"s\"]",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)}) secret"},
    {"{for x in [1] : var.secret => x}",
     "cty.ObjectVal(map[string]cty.Value{\"s\":cty.NumberIntVal(1)}) secret"},
    {"[for x in [1] : var.secret]",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"s\")}) within secret"},
    {"[for x in var.list : x]", OPENED},
    {"[for x in var.any : x]", OPENED},
    {"[for x in var.open : x]", OPENED " undecided"},
    {"[for x in [1] : x if var.flag]", OPENED},
    {"[for x in [1] : x if var.open]", OPENED " undecided"},
    {"{for x in [1] : var.text => x}", OPENED},
    {"[for x in null : x]", "Iteration over null value at 10"},
    {"[for x in 5 : x]", "Iteration over non-iterable value at 10"},
    {"[for x in [1] : x if null]", "Condition is null at 21"},
    {"[for x in [1, 2] : x if \"no\"]", "Invalid 'for' condition at 24"},
    {"[for x in [true, \"no\", \"no\"] : x if x]", "Invalid 'for' condition at 36"},
    {"[for x in [1, 2] : tonumber(\"x\")]",
     "Invalid function argument at 29; Invalid function argument at 29"},
    {"{for x in [1, 2] : \"a\" => x}", "Duplicate object key at 19"},
    {"{for x in [1, 2] : null => x}", "Invalid object key at 19"},
    {"{for x in [1, 2] : [] => x}", "Invalid object key at 19"},
    {"[for x in [[1], [2]] : [for x in x : x]]",
     "cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.NumberIntVal(1)}), "
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(2)})})"},
    {"[for var in [{list = 1}] : var.list]", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
};

static const row texts[] = {
    {"\"a${1}b${true}\"", "cty.StringVal(\"a1btrue\")"},
    {"\"${[1]}\"", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"\"a-${var.text}\"", STRING ".Refine().NotNull().StringPrefixFull(\"a-\").NewValue()"},
    {"\"ab${var.text}\"", STRING ".Refine().NotNull().StringPrefixFull(\"a\").NewValue()"},
    {"\"${var.text}-b\"", STRING ".RefineNotNull()"},
    {"\"a${var.secret}\"", "cty.StringVal(\"as\") secret"},
    {"\"a${var.open}\"", STRING ".RefineNotNull() undecided"},
    {"\"a${null}\"", "Invalid template interpolation value at 4"},
    {"\"a${[]}${null}\"",
     "Invalid template interpolation value at 4; Invalid template interpolation value at 9"},
    {"\"a${var.list}\"", STRING ".RefineNotNull()"},
    {"\"x%{if var.flag}a%{else}b%{endif}\"", STRING ".RefineNotNull()"},
    {"\"%{for x in [1, 2]}${x},%{endfor}\"", "cty.StringVal(\"1,2,\")"},
    {"\"-%{for x in var.list}${x},%{endfor}\"",
     STRING ".Refine().NotNull().StringPrefixFull(\"-\").NewValue()"},
    {"\"%{for x in var.secret_list}${x}%{endfor}-\"", "cty.StringVal(\"xy-\") secret"},
};

static const row constructors[] = {
    {"{a = 1, a = 2}", "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(2)})"},
    {"{1 = true}", "cty.ObjectVal(map[string]cty.Value{\"1\":cty.True})"},
    {"{(var.secret) = 1}", "cty.ObjectVal(map[string]cty.Value{\"s\":cty.NumberIntVal(1)}) secret"},
    {"{(var.text) = 1}", OPENED},
    {"{(var.secret_text) = 1}", OPENED},
    {"{(var.open) = 1}", OPENED " undecided"},
    {"{(null) = 1}", "Null value as key at 10"},
    {"{([]) = 1, b = tonumber(\"x\")}", "Incorrect key type at 1; Invalid function argument at 25"},
    {"{a.b = 1}", "Ambiguous attribute key at 1"},
    {"[tonumber(\"x\"), tonumber(\"y\")]",
     "Invalid function argument at 11; Invalid function argument at 26"},
};

static void check(const row *r)
{
    lc_arena *arena = lc_arena_new();
    const char *got = outcome(arena, r->in, LC_PROFILE_TERRAFORM);
    ck_assert_msg(strcmp(got, r->want) == 0, "%s\n  want %s\n  got  %s", r->in, r->want, got);
    lc_arena_free(arena);
}

#define TABLE(name)                                                                                \
    START_TEST(evaluate_##name)                                                                    \
    {                                                                                              \
        check(&name[_i]);                                                                          \
    }                                                                                              \
    END_TEST
TABLE(operators)
TABLE(conditions)
TABLE(unsure)
TABLE(steps)
TABLE(splats)
TABLE(loops)
TABLE(texts)
TABLE(constructors)

/* Without a lookup there is nothing but constants: HCL's evaluation without a context. */
START_TEST(constants_only)
{
    lc_arena *arena = lc_arena_new();
    lc_scope nothing = {.profile = LC_PROFILE_TERRAFORM};
    lc_eval_error trouble;
    const lc_expr *expr;
    lc_marked v;
    ck_assert(lc_expr_parse(&expr, arena, LC_STR("[for x in [1] : x + a.b + c]"),
                            (lc_source_pos){0}, &trouble));
    ck_assert(!lc_evaluate(&v, arena, expr, &nothing, 0, &trouble));
    ck_assert(lc_str_is(trouble.summary, "Variables not allowed"));
    ck_assert_uint_eq(trouble.place.offset, 20);
    ck_assert(trouble.next && lc_str_is(trouble.next->summary, "Variables not allowed"));
    ck_assert_uint_eq(trouble.next->place.offset, 26);
    ck_assert(!trouble.next->next);
    lc_arena_free(arena);
}
END_TEST

/* The clients differ in the index of an unknown object. */
START_TEST(clients_differ)
{
    static const struct {
        const char *in;
        lc_profile profile;
        const char *want;
    } rows[] = {
        {"(var.flag ? {a = var.list} : {a = var.list})[\"b\"]", LC_PROFILE_TERRAFORM,
         "Invalid index at 44"},
        {"(var.flag ? {a = var.list} : {a = var.list})[\"b\"]", LC_PROFILE_OPENTOFU, OPENED},
        {"(var.flag ? {a = var.list} : {a = var.list})[\"a\"]", LC_PROFILE_TERRAFORM,
         "cty.UnknownVal(cty.List(cty.String))"},
        {"(var.flag ? {a = var.list} : {a = var.list})[\"a\"]", LC_PROFILE_DOCUMENT, OPENED},
    };
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = outcome(arena, rows[i].in, rows[i].profile);
        ck_assert_msg(strcmp(got, rows[i].want) == 0, "%s\n  want %s\n  got  %s", rows[i].in,
                      rows[i].want, got);
    }
    lc_arena_free(arena);
}
END_TEST

/* 32 * 1024 * 1024 bytes in one text. */
START_TEST(texts_are_bounded)
{
    lc_arena *arena = lc_arena_new();
    const char *got = outcome(
        arena,
        "[for a in [join(\"\", [for i in range(1024) : \"0123456789abcdef0123456789abcdef\"])] : "
        "[for b in [\"${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}\"] : "
        "\"${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}"
        "${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}"
        "${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}${b}\"]]",
        LC_PROFILE_TERRAFORM);
    ck_assert_msg(strcmp(got, "the string is too long at 165") == 0, "%s", got);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("evaluate");
    TCase *tc = tcase_create("evaluate");
    ADD_ROWS(tc, evaluate_operators, operators);
    ADD_ROWS(tc, evaluate_conditions, conditions);
    ADD_ROWS(tc, evaluate_unsure, unsure);
    ADD_ROWS(tc, evaluate_steps, steps);
    ADD_ROWS(tc, evaluate_splats, splats);
    ADD_ROWS(tc, evaluate_loops, loops);
    ADD_ROWS(tc, evaluate_texts, texts);
    ADD_ROWS(tc, evaluate_constructors, constructors);
    tcase_add_test(tc, constants_only);
    tcase_add_test(tc, clients_differ);
    tcase_add_test(tc, texts_are_bounded);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

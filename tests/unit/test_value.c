/* Values: equality, sets, ranges, conversion and paths, on values written as cty JSON with the
 * markers of this file. The verdicts are those of cty. */
#include "unit.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/value/path.h"
#include "lifecheck/value/value.h"

#include <string.h>

static const lc_type *type_of(lc_arena *arena, const char *text)
{
    const lc_type *type;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_typetext_parse(&type, arena, lc_str_from_c(text), &why, &at), "type %s", text);
    return type;
}

/* "null", "?" (unknown), "?!" (unknown, not null), or cty JSON in which a string that begins with
 * "?" is unknown. */
static void with_unknowns(lc_arena *arena, const lc_value *v, lc_value *out)
{
    *out = *v;
    if (!lc_is_known(v))
        return;
    if (v->type->kind == LC_TYPE_STRING) {
        if (lc_str_starts_with(v->as.string, LC_STR("?")))
            lc_value_set_unknown(out, v->type);
        return;
    }
    if (lc_type_is_primitive(v->type))
        return;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        with_unknowns(arena, &v->as.many.elems[i], &elems[i]);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, v->count);
    switch (v->type->kind) {
    case LC_TYPE_LIST:
        lc_value_set_list(out, arena, v->type, elems, v->count);
        break;
    case LC_TYPE_SET:
        lc_value_set_set(out, arena, v->type, elems, v->count);
        break;
    case LC_TYPE_MAP:
        for (size_t i = 0; i < v->count; i++)
            keys[i] = v->as.many.keys[i];
        lc_value_set_map(out, arena, v->type, keys, elems, v->count);
        break;
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(out, arena, v->type, elems, v->count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(out, arena, v->type, elems);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
}

static const lc_value *value_of(lc_arena *arena, const char *type_text, const char *json)
{
    const lc_type *type = type_of(arena, type_text);
    lc_value *out = LC_NEW(arena, lc_value);
    if (strcmp(json, "?") == 0) {
        lc_value_set_unknown(out, type);
        return out;
    }
    if (strcmp(json, "?!") == 0) {
        lc_refinement r = {.not_null = true};
        ck_assert(lc_value_set_refined(out, arena, type, &r));
        return out;
    }
    const lc_value *plain;
    lc_wire_result result;
    ck_assert_msg(lc_ctyjson_decode(&plain, arena, lc_str_from_c(json), type, &result),
                  "%s as %s: %.*s", json, type_text, LC_FMT(result.problem.message));
    with_unknowns(arena, plain, out);
    return out;
}

#define AB "object({a=string,b=string})"

static const struct {
    const char *type_a, *a, *type_b, *b;
    lc_tri equals;
    bool raw;
} pairs[] = {
    {"string", "null", "number", "null", LC_TRUE, false},
    {"string", "null", "string", "?", LC_MAYBE, false},
    {"string", "null", "string", "?!", LC_FALSE, false},
    {"string", "\"x\"", "string", "?", LC_MAYBE, false},
    {"string", "?", "string", "?", LC_MAYBE, true},
    {"string", "?", "string", "?!", LC_MAYBE, false},
    {"string", "?!", "string", "?!", LC_MAYBE, true},
    {"list(string)", "[\"?\",\"a\"]", "list(string)", "[\"?\",\"b\"]", LC_MAYBE, false},
    {"list(string)", "[\"a\",\"?\"]", "list(string)", "[\"b\",\"?\"]", LC_FALSE, false},
    {"list(string)", "[\"?\"]", "list(string)", "[\"?\",\"?\"]", LC_FALSE, false},
    {"tuple([string])", "[\"a\"]", "list(string)", "[\"a\"]", LC_FALSE, false},
    {"list(dynamic)", "[]", "list(string)", "[]", LC_FALSE, false},
    {AB, "{\"a\":\"?\",\"b\":\"x\"}", AB, "{\"a\":\"?\",\"b\":\"y\"}", LC_FALSE, false},
    {AB, "{\"a\":\"?\",\"b\":\"x\"}", AB, "{\"a\":\"?\",\"b\":\"x\"}", LC_MAYBE, true},
    {"set(string)", "[\"b\",\"a\",\"a\"]", "set(string)", "[\"a\",\"b\"]", LC_TRUE, true},
    {"set(string)", "[\"a\"]", "set(string)", "[\"b\"]", LC_FALSE, false},
    {"set(" AB ")", "[{\"a\":\"?\",\"b\":\"x\"}]", "set(" AB ")", "[{\"a\":\"?\",\"b\":\"x\"}]",
     LC_MAYBE, true},
    {"map(string)", "{\"k\":\"a\"}", "map(string)", "{\"k\":\"a\"}", LC_TRUE, true},
    {"map(string)", "{\"k\":\"a\"}", "map(string)", "{\"l\":\"a\"}", LC_FALSE, false},
    {"string", "\"e\\u0301\"", "string", "\"\\u00e9\"", LC_TRUE, true},
};

START_TEST(test_value_equal)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *a = value_of(arena, pairs[_i].type_a, pairs[_i].a);
    const lc_value *b = value_of(arena, pairs[_i].type_b, pairs[_i].b);
    ck_assert_msg(lc_value_equals(a, b) == pairs[_i].equals, "%s Equals %s: %d", pairs[_i].a,
                  pairs[_i].b, (int)lc_value_equals(a, b));
    ck_assert_msg(lc_value_equals(b, a) == pairs[_i].equals, "%s Equals %s", pairs[_i].b,
                  pairs[_i].a);
    ck_assert_msg(lc_value_raw_equal(a, b) == pairs[_i].raw, "%s RawEquals %s", pairs[_i].a,
                  pairs[_i].b);
    if (pairs[_i].equals == LC_TRUE || pairs[_i].raw)
        ck_assert_msg(lc_value_hash(a) == lc_value_hash(b), "hash of %s, %s", pairs[_i].a,
                      pairs[_i].b);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *type, *in, *want; /* cty JSON of the set in cty's order */
} sets[] = {
    {"set(string)", "[\"z\",\"a\",null,\"z\",null]", "[\"a\",\"z\",null]"},
    {"set(number)", "[10,9,1.0,1,\"0.5\"]", "[0.5,1,9,10]"},
    {"set(bool)", "[true,false,true]", "[false,true]"},
    {"set(number)", "[0,\"-0\"]", "[0]"},
    {"set(object({a=string}))", "[{\"a\":\"z\"},{\"a\":\"b\"},{\"a\":\"z\"}]",
     "[{\"a\":\"b\"},{\"a\":\"z\"}]"},
    {"set(list(string))", "[[\"b\"],[],[\"a\",\"b\"]]", "[[\"a\",\"b\"],[\"b\"],[]]"},
    {"set(string)", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"a\",\"b\",\"a\"]",
     "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"]"},
};

START_TEST(test_value_set)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *set = value_of(arena, sets[_i].type, sets[_i].in);
    lc_buf buf = {0};
    lc_str why;
    ck_assert(lc_ctyjson_encode(&buf, set, set->type, &why));
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), sets[_i].want), "%s: %.*s", sets[_i].in,
                  LC_FMT(lc_buf_str(&buf)));
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_value_set_unknowns_stay)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *set = value_of(arena, "set(string)", "[\"?1\",\"?2\",\"a\",\"a\"]");
    ck_assert_uint_eq(set->count, 3);
    lc_length length = lc_value_length(set);
    ck_assert(!length.known && length.min == 1 && length.max == 3);
    ck_assert_uint_eq(lc_value_unknown_as_null(arena, set)->count, 2);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *from, *in, *to, *want; /* want NULL: no conversion */
} conversions[] = {
    {"number", "1.50", "string", "\"1.5\""},
    {"bool", "true", "string", "\"true\""},
    {"string", "\"12\"", "number", "12"},
    {"string", "\"x\"", "number", NULL},
    {"string", "\"1\"", "bool", "true"},
    {"string", "\"TRUE\"", "bool", NULL},
    {"number", "1", "bool", NULL},
    {"tuple([string,number])", "[\"a\",1]", "list(string)", "[\"a\",\"1\"]"},
    {"list(string)", "[\"b\",\"a\",\"b\"]", "set(string)", "[\"a\",\"b\"]"},
    {"object({a=string,b=string})", "{\"a\":\"x\",\"b\":\"y\"}", "object({a=string})",
     "{\"a\":\"x\"}"},
    {"object({a=string})", "{\"a\":\"x\"}", "object({a=string,b=optional(string)})",
     "{\"a\":\"x\",\"b\":null}"},
    {"object({a=string})", "{\"a\":\"x\"}", "object({b=string})", NULL},
    {"object({a=number,b=number})", "{\"a\":1,\"b\":2}", "map(string)",
     "{\"a\":\"1\",\"b\":\"2\"}"},
    {"list(string)", "[]", "map(string)", NULL},
    {"string", "null", "number", "null"},
};

START_TEST(test_value_convert)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *from = value_of(arena, conversions[_i].from, conversions[_i].in), *to;
    lc_str why;
    bool ok = lc_value_convert(&to, arena, from, type_of(arena, conversions[_i].to), &why);
    ck_assert_msg(ok == (conversions[_i].want != NULL), "%s to %s: %.*s", conversions[_i].in,
                  conversions[_i].to, LC_FMT(why));
    lc_buf buf = {0};
    if (ok) {
        ck_assert(lc_ctyjson_encode(&buf, to, to->type, &why));
        ck_assert_msg(lc_str_is(lc_buf_str(&buf), conversions[_i].want), "%s to %s: %.*s",
                      conversions[_i].in, conversions[_i].to, LC_FMT(lc_buf_str(&buf)));
    } else {
        ck_assert(why.len > 0);
    }
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* A copy holds nothing of the arena of its original; under the sanitizers that arena is gone. */
static const struct {
    const char *type, *json;
} copies[] = {
    {"string", "null"},
    {"string", "\"x\""},
    {"string", "?!"},
    {"dynamic", "?"},
    {"number", "1"},
    {"number", "1234567890123456789012345678901234567890.5"},
    {"bool", "true"},
    {"list(string)", "[\"a\",\"?\"]"},
    {"set(number)", "[1e300,2]"},
    {"map(" AB ")", "{\"k\":{\"a\":\"1\",\"b\":\"?\"}}"},
    {"tuple([string,tuple([])])", "[\"a\",[]]"},
    {"object({d=dynamic,l=list(dynamic)})",
     "{\"d\":{\"type\":[\"list\",\"number\"],\"value\":[1,2.5]},\"l\":[]}"},
};

START_TEST(test_value_copy)
{
    lc_arena *arena = lc_arena_new(), *other = lc_arena_new();
    const lc_type *shared = type_of(arena, copies[_i].type);
    const lc_value *again = value_of(arena, copies[_i].type, copies[_i].json);
    const lc_value *original = value_of(other, copies[_i].type, copies[_i].json);
    const lc_value *copy = lc_value_copy(arena, original, NULL);
    const lc_value *sharing = lc_value_copy(arena, original, shared);
    lc_arena_free(other);
    ck_assert(lc_value_raw_equal(copy, again) && lc_value_raw_equal(sharing, again));
    ck_assert(copy->flags == again->flags && lc_type_equal(copy->type, again->type));
    ck_assert(lc_type_is_primitive(shared) || !lc_type_equal(shared, again->type) ||
              sharing->type == shared);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_value_ranges)
{
    lc_arena *arena = lc_arena_new();
    lc_refinement r = {.not_null = true,
                       .has_min = true,
                       .min = LC_NUM(1),
                       .min_inclusive = true,
                       .has_max = true,
                       .max = LC_NUM(10)};
    lc_value range;
    ck_assert(lc_value_set_refined(&range, arena, &lc_type_number, &r));
    static const struct {
        const char *n;
        lc_tri want;
    } rows[] = {{"0", LC_FALSE},  {"0.999", LC_FALSE}, {"1", LC_MAYBE},   {"9.99", LC_MAYBE},
                {"10", LC_FALSE}, {"11", LC_FALSE},    {"null", LC_FALSE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(lc_value_includes(&range, value_of(arena, "number", rows[i].n)) ==
                          rows[i].want,
                      "%s", rows[i].n);
    lc_refinement prefix = {.has_prefix = true, .prefix = LC_STR("ami-")};
    ck_assert(lc_value_set_refined(&range, arena, &lc_type_string, &prefix));
    ck_assert_int_eq(lc_value_includes(&range, value_of(arena, "string", "\"ami-1\"")), LC_MAYBE);
    ck_assert_int_eq(lc_value_includes(&range, value_of(arena, "string", "\"vol-1\"")), LC_FALSE);
    ck_assert_int_eq(lc_value_includes(&range, value_of(arena, "string", "null")), LC_TRUE);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_value_collapse)
{
    lc_arena *arena = lc_arena_new();
    const lc_type *list = type_of(arena, "list(string)");
    lc_value v;
    lc_refinement two = {
        .not_null = true, .has_min_len = true, .min_len = 2, .has_max_len = true, .max_len = 2};
    ck_assert(lc_value_set_refined(&v, arena, list, &two));
    ck_assert(lc_is_known(&v) && v.count == 2 && lc_is_unknown(&v.as.many.elems[0]));
    two.not_null = false;
    ck_assert(lc_value_set_refined(&v, arena, list, &two) && lc_is_unknown(&v));
    lc_refinement apart = {.has_min = true, .min = LC_NUM(2), .has_max = true, .max = LC_NUM(1)};
    ck_assert(!lc_value_set_refined(&v, arena, &lc_type_number, &apart));
    ck_assert(!lc_value_set_refined(&v, arena, &lc_type_string, &two));
    lc_refinement least = {.has_min_len = true, .min_len = 1};
    lc_refinement most = {.has_max_len = true, .max_len = 1};
    ck_assert(!lc_value_set_refined(&v, arena, &lc_type_string, &least));
    ck_assert(!lc_value_set_refined(&v, arena, &lc_type_string, &most));
    ck_assert(lc_value_set_refined(&v, arena, list, &least));
    lc_arena_free(arena);
}
END_TEST

static const char *const paths[] = {
    ".", ".name", ".list[0].x", ".map[\"k\\\"q\"]", ".set[...].leaf", ".tags[*]", ".*.x"};

START_TEST(test_path_round_trip)
{
    lc_arena *arena = lc_arena_new();
    lc_path path;
    lc_str why;
    size_t at;
    lc_buf buf = {0};
    ck_assert_msg(lc_path_parse(&path, arena, lc_str_from_c(paths[_i]), true, &why, &at),
                  "%s: %.*s", paths[_i], LC_FMT(why));
    lc_path_add_text(&buf, path);
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), paths[_i]), "%s: %.*s", paths[_i],
                  LC_FMT(lc_buf_str(&buf)));
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *text;
    size_t at;
} bad_paths[] = {{"name", 0},    {"", 0},     {".a.", 3},   {".a[", 3},   {".a[x]", 3},
                 {".a[\"k]", 6}, {".a[0", 4}, {".a[*]", 2}, {".a[0]b", 5}};

START_TEST(test_path_refuse)
{
    lc_arena *arena = lc_arena_new();
    lc_path path;
    lc_str why;
    size_t at;
    ck_assert_msg(!lc_path_parse(&path, arena, lc_str_from_c(bad_paths[_i].text), false, &why, &at),
                  "%s", bad_paths[_i].text);
    ck_assert(why.len > 0);
    ck_assert_msg(at == bad_paths[_i].at, "%s: at %zu", bad_paths[_i].text, at);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *type, *json, *path;
    bool plain, hcl; /* does it apply by cty's rules, by the language's? */
} applications[] = {
    {"object({a=string})", "{\"a\":\"x\"}", ".a", true, true},
    {"object({a=string})", "{\"a\":\"x\"}", ".b", false, false},
    {"object({a=string})", "null", ".a", false, false},
    {"map(string)", "{\"k\":\"x\"}", "[\"k\"]", true, true},
    {"map(string)", "{\"k\":\"x\"}", ".k", false, true},
    {"map(string)", "{\"k\":\"x\"}", "[\"l\"]", false, false},
    {"list(string)", "[\"x\"]", "[0]", true, true},
    {"list(string)", "[\"x\"]", "[\"0\"]", false, true},
    {"list(string)", "[\"x\"]", "[1]", false, false},
    {"set(string)", "[\"x\"]", "[...]", false, false},
    {"set(string)", "[\"x\"]", "[0]", false, false},
    {"map(string)", "?", "[\"k\"]", true, true},
    {"string", "\"x\"", ".a", false, false},
    {"object({a=string})", "{\"a\":\"x\"}", ".", true, true},
};

START_TEST(test_path_apply)
{
    lc_arena *arena = lc_arena_new();
    lc_path path;
    lc_str why;
    size_t at;
    const lc_value *v = value_of(arena, applications[_i].type, applications[_i].json);
    ck_assert(lc_path_parse(&path, arena, lc_str_from_c(applications[_i].path), false, &why, &at));
    ck_assert_msg((lc_path_apply(arena, v, path) != NULL) == applications[_i].plain, "%s of %s",
                  applications[_i].path, applications[_i].json);
    ck_assert_msg((lc_path_apply_hcl(arena, v, path) != NULL) == applications[_i].hcl,
                  "%s of %s by the language", applications[_i].path, applications[_i].json);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *type, *json, *go;
} prints[] = {
    {"string", "null", "cty.NullVal(cty.String)"},
    {"string", "?!", "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"string", "\"a\\n\\u200b\\\"\"", "cty.StringVal(\"a\\n\\u200b\\\"\")"},
    {"number", "1000000", "cty.NumberIntVal(1e+06)"},
    {"number", "0.5", "cty.NumberFloatVal(0.5)"},
    {"number", "0.1", "cty.MustParseNumberVal(\"0.1\")"},
    {"number", "0.1000000000000000055511151231257827021181583404541015625",
     "cty.NumberFloatVal(0.1)"},
    {"number",
     "4.94065645841246544176568792868221372365059802614324764425585682500675507270"
     "2087518652998363616359923797965646954457177309266567103559397963987747960107"
     "8187812630071319031140452784581716784898210368871863605699873072305000638740"
     "9153564984387312473397273169615140031715385398074126238565591171026658556686"
     "7681870395603106249319452715914924553293054565444011274801297099995419319894"
     "0908041656332452475714786901472678015935523861155013480352649347201937902681"
     "0710749170333222684475333572083243193609238289345836806010601150616980975307"
     "8342277318329247904982524730776375927247874656084778203734469699533647017972"
     "6777175851256605511991315048911014510378627381672509558373897335989936648099"
     "41164205702637090279242767544565229087538682506419718265533447265625e-324",
     "cty.NumberFloatVal(5e-324)"}, /* the least denormal, exactly */
    {"list(string)", "[]", "cty.ListValEmpty(cty.String)"},
    {"list(string)", "[\"a\",\"b\"]",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"map(bool)", "{\"b\":true,\"a\":null}",
     "cty.MapVal(map[string]cty.Value{\"a\":cty.NullVal(cty.Bool), \"b\":cty.True})"},
    {"object({})", "{}", "cty.EmptyObjectVal"},
    {"tuple([])", "[]", "cty.EmptyTupleVal"},
    {"object({a=list(dynamic)})", "null",
     "cty.NullVal(cty.Object(map[string]cty.Type{\"a\":cty.List(cty.DynamicPseudoType)}))"},
};

START_TEST(test_value_go)
{
    lc_arena *arena = lc_arena_new();
    lc_buf buf = {0};
    lc_value_add_go(&buf, value_of(arena, prints[_i].type, prints[_i].json));
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), prints[_i].go), "%.*s, not %s",
                  LC_FMT(lc_buf_str(&buf)), prints[_i].go);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *given, *want;
    bool conforms;
} conformances[] = {
    {"string", "dynamic", true},
    {"dynamic", "string", false},
    {"list(string)", "list(dynamic)", true},
    {"list(dynamic)", "list(string)", false},
    {"tuple([string])", "list(string)", false},
    {"object({a=string})", "object({a=string,b=optional(string)})", false},
    {"object({a=string})", "object({a=dynamic})", true},
};

START_TEST(test_type_conforms)
{
    lc_arena *arena = lc_arena_new();
    bool got = lc_type_conforms(type_of(arena, conformances[_i].given),
                                type_of(arena, conformances[_i].want));
    ck_assert_msg(got == conformances[_i].conforms, "%s to %s", conformances[_i].given,
                  conformances[_i].want);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("value");
    TCase *tc = tcase_create("value");
    ADD_ROWS(tc, test_value_equal, pairs);
    ADD_ROWS(tc, test_value_set, sets);
    tcase_add_test(tc, test_value_set_unknowns_stay);
    ADD_ROWS(tc, test_value_convert, conversions);
    ADD_ROWS(tc, test_value_copy, copies);
    tcase_add_test(tc, test_value_ranges);
    tcase_add_test(tc, test_value_collapse);
    ADD_ROWS(tc, test_path_round_trip, paths);
    ADD_ROWS(tc, test_path_refuse, bad_paths);
    ADD_ROWS(tc, test_path_apply, applications);
    ADD_ROWS(tc, test_value_go, prints);
    ADD_ROWS(tc, test_type_conforms, conformances);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

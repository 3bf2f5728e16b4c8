/* cty JSON: what each type accepts, how it is written again, what is refused and why. Types are
 * type expressions. */
#include "codec_rows.h"

#include <string.h>

typedef struct row {
    const char *type;
    const char *in;
    const char *want; /* written again */
    unsigned notes;
} row;

static const row rows[] = {
    {"string", "null", "null", 0},
    {"string", " \"a\" ", "\"a\"", 0},
    {"string", "\"e\xcc\x81\"", "\"\xc3\xa9\"", 0},
    {"string", "\"\\u0065\\u0301\"", "\"\xc3\xa9\"", 0},
    {"string", "\"\\ud800\"", "\"\xef\xbf\xbd\"", 0},
    {"string", "\"\\ud800\\u0041\"",
     "\"\xef\xbf\xbd"
     "A\"",
     0},
    {"string", "\"\\udc00\\ud800\"", "\"\xef\xbf\xbd\xef\xbf\xbd\"", 0},
    {"string", "\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"", 0},
    {"string", "\"\\u0000\\n\\/\"", "\"\\u0000\\n/\"", 0},
    {"string", "\"a\xff\"", "\"a\xef\xbf\xbd\"", LC_WIRE_NOTE_BAD_UTF8},
    {"string", "\"\xff\\n\xc3\"", "\"\xef\xbf\xbd\\n\xef\xbf\xbd\"", LC_WIRE_NOTE_BAD_UTF8},
    {"string", "\"\xe2\x82\\u20ac\xe2\x82\xac\"",
     "\"\xef\xbf\xbd\xef\xbf\xbd\xe2\x82\xac\xe2\x82\xac\"", LC_WIRE_NOTE_BAD_UTF8},
    {"string", "\"\\b\\f\\r\\t\\\"\\\\.\"", "\"\\b\\f\\r\\t\\\"\\\\.\"", 0},
    {"string", "\"\x7f\"", "\"\x7f\"", 0},
    {"string", "-01", "\"-0\"", LC_WIRE_NOTE_TRAILING},
    {"string", "\"<&>\"", "\"\\u003c\\u0026\\u003e\"", 0},
    {"string", "1.50", "\"1.50\"", 0},
    {"string", "1e3", "\"1e3\"", 0},
    {"string", "-0", "\"-0\"", 0},
    {"string", "true", "\"true\"", 0},
    {"string", "\"a\" x", "\"a\"", LC_WIRE_NOTE_TRAILING},
    {"number", "1.0", "1", 0},
    {"number", "-0", "-0", 0},
    {"number", "1E+5", "100000", 0},
    {"number", "3.14159265358979323846", "3.14159265358979323846", 0},
    {"number", "\"+5\"", "5", 0},
    {"number", "\".5\"", "0.5", 0},
    {"number", "01", "0", LC_WIRE_NOTE_TRAILING},
    {"number", "0x10", "0", LC_WIRE_NOTE_TRAILING},
    {"bool", "true", "true", 0},
    {"bool", "truex", "true", LC_WIRE_NOTE_TRAILING},
    {"bool", "\"1\"", "true", 0},
    {"bool", "\"false\"", "false", 0},
    {"list(string)", "[]", "[]", 0},
    {"list(string)", " [ \"a\" , 1 , true , null ] ", "[\"a\",\"1\",\"true\",null]", 0},
    {"list(list(number))", "[[1],[],null,[2,3]]", "[[1],[],null,[2,3]]", 0},
    {"set(string)", "[\"b\",null,\"a\",\"b\"]", "[\"a\",\"b\",null]", LC_WIRE_NOTE_DUPLICATES},
    {"set(number)", "[10,9,1e1]", "[9,10]", LC_WIRE_NOTE_DUPLICATES},
    {"map(string)", "{\"b\":\"x\",\"a\":null}", "{\"a\":null,\"b\":\"x\"}", 0},
    {"map(string)", "{\"a\":\"x\",\"a\":\"y\"}", "{\"a\":\"y\"}", LC_WIRE_NOTE_DUPLICATES},
    {"map(string)", "{\"e\xcc\x81\":\"x\",\"\":\"y\"}", "{\"\":\"y\",\"\xc3\xa9\":\"x\"}", 0},
    {"object({a=string,b=number})", "{}", "{\"a\":null,\"b\":null}", 0},
    {"object({a=string,b=number})", "{\"b\":1,\"a\":\"x\"}", "{\"a\":\"x\",\"b\":1}", 0},
    {"object({a=string,b=number})", "{\"a\":\"x\",\"a\":\"y\"}", "{\"a\":\"y\",\"b\":null}",
     LC_WIRE_NOTE_DUPLICATES},
    {"object({a=string})", "{\"a\":\"x\"} garbage", "{\"a\":\"x\"}", LC_WIRE_NOTE_TRAILING},
    {"object({a=optional(list(string))})", "{\"\\u0061\":[]}", "{\"a\":[]}", 0},
    {"tuple([string,number])", "[1,\"1\"]", "[\"1\",1]", 0},
    {"tuple([])", "[ ]", "[]", 0},
    {"any", "null", "null", 0},
    {"any", "{\"type\":\"string\",\"value\":\"a\"}", "{\"value\":\"a\",\"type\":\"string\"}", 0},
    {"any", "{\"value\":null,\"type\":\"string\"}", "{\"value\":null,\"type\":\"string\"}", 0},
    {"any", "{\"type\":\"string\",\"type\":\"number\",\"value\":1}",
     "{\"value\":1,\"type\":\"number\"}", LC_WIRE_NOTE_DUPLICATES},
    {"any", "{\"type\":\"dynamic\",\"value\":{\"value\":[\"a\"],\"type\":[\"list\",\"string\"]}}",
     "{\"value\":[\"a\"],\"type\":[\"list\",\"string\"]}", 0},
    {"any", "{\"type\":[\"object\",{\"a\":\"string\"},[\"a\"]],\"value\":{}}",
     "{\"value\":{\"a\":null},\"type\":[\"object\",{\"a\":\"string\"}]}", 0},
    {"list(any)", "[null,{\"type\":\"string\",\"value\":\"a\"}]",
     "[{\"value\":null,\"type\":\"string\"},{\"value\":\"a\",\"type\":\"string\"}]", 0},
};

START_TEST(accepted)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_type *want = type_of(arena, r->type);
    const lc_value *v;
    lc_wire_result result;
    lc_buf buf = {0};
    lc_str why = LC_STR_EMPTY;
    ck_assert_msg(lc_ctyjson_decode(&v, arena, lc_str_from_c(r->in), want, &result), "%s %s: %.*s",
                  r->type, r->in, LC_FMT(result.problem.message));
    ck_assert_msg(result.notes == r->notes, "%s %s: notes %u", r->type, r->in, result.notes);
    ck_assert(lc_ctyjson_encode(&buf, v, lc_type_without_optional(want), &why));
    ck_assert_msg(lc_str_is(lc_buf_str(&buf), r->want), "%s %s: written %.*s", r->type, r->in,
                  LC_FMT(lc_buf_str(&buf)));
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

static const bad_row bad_rows[] = {
    {"string", "", LC_WIRE_REFUSED, 0, ".", "the input ends where a string is required"},
    {"string", "[]", LC_WIRE_REFUSED, 0, ".", "a string is required, found an array"},
    {"string", "'a'", LC_WIRE_REFUSED, 0, ".", "a string is required, found something else"},
    {"string", "\"a", LC_WIRE_REFUSED, 2, ".", "the input ends inside a string"},
    {"string", "\"a\nb\"", LC_WIRE_REFUSED, 2, ".", "a string holds a control character"},
    {"string", "\"\\x\"", LC_WIRE_REFUSED, 2, ".", "a string holds an unknown escape"},
    {"string", "\"\\u12g4\"", LC_WIRE_REFUSED, 2, ".",
     "four hexadecimal digits are required after \\u"},
    {"string", "\"\\", LC_WIRE_REFUSED, 2, ".", "the input ends inside a string"},
    {"string", "\"a\\u", LC_WIRE_REFUSED, 3, ".", "four hexadecimal digits are required after \\u"},
    {"string", "\"\\ud83d\\uD!\"", LC_WIRE_REFUSED, 8, ".",
     "four hexadecimal digits are required after \\u"},
    {"string", "\"\xff", LC_WIRE_REFUSED, 2, ".", "the input ends inside a string"},
    {"string", ".5", LC_WIRE_REFUSED, 0, ".", "a string is required, found something else"},
    {"list(number)", "[ -x]", LC_WIRE_REFUSED, 3, "[0]", "a digit is required"},
    {"list(number)", "[1e+]", LC_WIRE_REFUSED, 4, "[0]", "a digit is required in the exponent"},
    {"any", "{\"value\":[1,2", LC_WIRE_REFUSED, 13, ".",
     "the input ends where ',' or ']' is required"},
    {"any", "{\"value\":[1,]}", LC_WIRE_REFUSED, 12, ".",
     "a value is required, found something else"},
    {"any", "{\"value\":[01]}", LC_WIRE_REFUSED, 11, ".", "',' or ']' is required, found a number"},
    {"any", "{\"value\":{\"\\q\":1}}", LC_WIRE_REFUSED, 12, ".",
     "a string holds an unknown escape"},
    {"any", "{\"value\":[tru]}", LC_WIRE_REFUSED, 10, ".", "'true' is required"},
    {"any", "{\"value\":[", LC_WIRE_REFUSED, 10, ".", "the input ends inside a value"},
    {"string", "nul", LC_WIRE_REFUSED, 0, ".", "'null' is required"},
    {"number", "5.", LC_WIRE_REFUSED, 2, ".", "a digit is required after the decimal point"},
    {"number", "-", LC_WIRE_REFUSED, 1, ".", "a digit is required"},
    {"number", "1e", LC_WIRE_REFUSED, 2, ".", "a digit is required in the exponent"},
    {"number", "+5", LC_WIRE_REFUSED, 0, ".", "a number is required, found something else"},
    {"number", "\"x\"", LC_WIRE_REFUSED, 0, ".",
     "a number is required, found a string that is not a number"},
    {"number", "1e99999999999", LC_WIRE_REFUSED, 0, ".", "the exponent of the number is too large"},
    {"number", "true", LC_WIRE_REFUSED, 0, ".", "a number is required, found a bool"},
    {"bool", "1", LC_WIRE_REFUSED, 0, ".", "a bool is required, found a number"},
    {"bool", " \"True\"", LC_WIRE_REFUSED, 1, ".",
     "a bool is required, found a string that is not a bool"},
    {"list(string)", "{}", LC_WIRE_REFUSED, 0, ".", "a list is required, found an object"},
    {"list(string)", "[\"a\"", LC_WIRE_REFUSED, 4, ".",
     "the input ends where ',' or ']' is required"},
    {"list(string)", "[\"a\",]", LC_WIRE_REFUSED, 5, "[1]",
     "a string is required, found something else"},
    {"list(number)", "[01]", LC_WIRE_REFUSED, 2, ".", "',' or ']' is required, found a number"},
    {"list(string)", "[\"a\" \"b\"]", LC_WIRE_REFUSED, 5, ".",
     "',' or ']' is required, found a string"},
    {"map(bool)", "{\"a\":true,\"b\":{}}", LC_WIRE_REFUSED, 14, "[\"b\"]",
     "a bool is required, found an object"},
    {"map(string)", "{\"a\"}", LC_WIRE_REFUSED, 4, ".", "':' is required, found something else"},
    {"map(string)", "{1:\"x\"}", LC_WIRE_REFUSED, 1, ".", "a string is required, found a number"},
    {"object({a=string})", "{\"a\":\"x\",\"c\":1}", LC_WIRE_REFUSED, 9, ".",
     "unsupported attribute \"c\""},
    {"object({\xc3\xa9=string})", "{\"e\xcc\x81\":1}", LC_WIRE_REFUSED, 1, ".",
     "unsupported attribute \"e\xcc\x81\""},
    {"object({a=set(bool)})", "{\"a\":[true,1]}", LC_WIRE_REFUSED, 11, ".a[...]",
     "a bool is required, found a number"},
    {"tuple([string,number])", "[\"a\"]", LC_WIRE_CRASHES, 0, ".",
     "a tuple of length 2 is required (1 given)"},
    {"list(tuple([string]))", "[[]]", LC_WIRE_REFUSED, 1, "[0]",
     "a tuple of length 1 is required (0 given)"},
    {"tuple([string])", "[\"a\",1]", LC_WIRE_REFUSED, 5, ".",
     "a tuple of length 1 is required (more given)"},
    {"any", "\"a\"", LC_WIRE_REFUSED, 0, ".",
     "an object of a type and a value is required, found a string"},
    {"any", "{\"value\":1}", LC_WIRE_REFUSED, 0, ".", "the value has no \"type\""},
    {"any", "{\"type\":\"bool\"}", LC_WIRE_REFUSED, 0, ".", "the value has no \"value\""},
    {"any", "{\"type\":\"bool\",\"value\":true,\"x\":1}", LC_WIRE_REFUSED, 28, ".",
     "the key \"x\" is given together with \"type\" and \"value\""},
    {"any", "{\"type\":null,\"value\":null}", LC_WIRE_REFUSED, 8, ".",
     "a type, which is a string or an array, is required, found null"},
    {"object({a=any})", "{\"a\":{\"type\":[\"object\",{\"b\":\"bool\"}],\"value\":{\"b\":1}}}",
     LC_WIRE_REFUSED, 50, ".a.b", "a bool is required, found a number"},
    {"any", "{\"type\":[\"object\",{},[\"b\"]],\"value\":{}}", LC_WIRE_CRASHES, 22, ".",
     "the optional attribute \"b\" is not declared"},
    {"list(any)", "[{\"type\":\"string\",\"value\":\"a\"},{\"type\":\"bool\",\"value\":true}]",
     LC_WIRE_CRASHES, 0, ".", "the elements of a list are of different types"},
};

START_TEST(refused)
{
    const bad_row *r = &bad_rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    lc_wire_result result;
    bool ok = lc_ctyjson_decode(&v, arena, lc_str_from_c(r->in), type_of(arena, r->name), &result);
    check_refused(r, ok, &result.problem);
    lc_arena_free(arena);
}
END_TEST

/* What has no JSON form leaves the buffer as it was. */
START_TEST(not_writable)
{
    static const struct {
        lc_str bytes;
        const char *why;
    } cases[] = {
        {{"\x92\x01\xd4\x00\x00", 5}, "an unknown value has no JSON form"},
        {{"\x92\x01\xa3Inf", 6}, "an infinite number has no JSON form"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_arena *arena = lc_arena_new();
        const lc_type *want = type_of(arena, "list(number)");
        const lc_value *v;
        lc_wire_result result;
        lc_buf buf = {0};
        lc_str why;
        lc_buf_add_c(&buf, "before");
        ck_assert(lc_msgpack_decode(&v, arena, cases[i].bytes, want, &result));
        ck_assert(!lc_ctyjson_encode(&buf, v, want, &why));
        ck_assert_msg(lc_str_is(why, cases[i].why), "%.*s", LC_FMT(why));
        ck_assert(lc_str_is(lc_buf_str(&buf), "before"));
        lc_buf_release(&buf);
        lc_arena_free(arena);
    }
}
END_TEST

static lc_str repeated(lc_arena *arena, size_t times, const char *open, const char *inner)
{
    lc_buf buf = {0};
    for (size_t i = 0; i < times; i++)
        lc_buf_add_c(&buf, open);
    lc_buf_add_c(&buf, inner);
    lc_str out = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return out;
}

/* Both where values are read and where they are only passed over. */
START_TEST(depth_is_bounded)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    lc_wire_result result;
    const lc_type *want = &lc_type_bool;
    for (size_t i = 0; i < LC_MAX_DEPTH + 1; i++)
        want = lc_type_collection(arena, LC_TYPE_LIST, want);
    ck_assert(!lc_ctyjson_decode(&v, arena, repeated(arena, 1000000, "[", ""), want, &result));
    ck_assert_int_eq(result.problem.core, LC_WIRE_ACCEPTS);
    lc_str wrapped = repeated(arena, 100000, "{\"type\":\"dynamic\",\"value\":", "null");
    ck_assert(!lc_ctyjson_decode(&v, arena, wrapped, &lc_type_dynamic, &result));
    ck_assert_int_eq(result.problem.core, LC_WIRE_ACCEPTS);
    lc_str skipped = repeated(arena, 1000000, "[", "");
    skipped = lc_str_printf(arena, "{\"value\":%.*s", LC_FMT(skipped));
    ck_assert(!lc_ctyjson_decode(&v, arena, skipped, &lc_type_dynamic, &result));
    ck_assert_int_eq(result.problem.core, LC_WIRE_ACCEPTS);
    lc_arena_free(arena);
}
END_TEST

START_TEST(strings_stay_in_the_input)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    lc_wire_result result;
    lc_str in = LC_STR("\"h\xc3\xa9lo\"");
    ck_assert(lc_ctyjson_decode(&v, arena, in, &lc_type_string, &result));
    ck_assert_ptr_eq(v->as.string.ptr, in.ptr + 1);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("ctyjson");
    TCase *tc = tcase_create("ctyjson");
    ADD_ROWS(tc, accepted, rows);
    ADD_ROWS(tc, refused, bad_rows);
    tcase_add_test(tc, not_writable);
    tcase_add_test(tc, depth_is_bounded);
    tcase_add_test(tc, strings_stay_in_the_input);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* Types as JSON and as type expressions: what is read, how it is written again, what is refused and
 * where. */
#include "codec_rows.h"

#include <string.h>

typedef struct row {
    const char *name;
    const char *in;
    const char *want; /* type JSON */
} row;

/* The first type that `text` gives, written as type JSON; the message if it is refused. */
static lc_str through_json(lc_arena *arena, const char *text, lc_wire_problem *problem)
{
    const lc_type *type;
    lc_buf buf = {0};
    if (!lc_typejson_decode(&type, arena, lc_str_from_c(text), problem))
        return problem->message;
    lc_typejson_encode(&buf, type);
    lc_str out = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return out;
}

static const row json_rows[] = {
    {"primitive", "\"string\"", "\"string\""},
    {"white space", " \t\r\n\"bool\" ", "\"bool\""},
    {"dynamic", "\"dynamic\"", "\"dynamic\""},
    {"an escape in a word", "\"n\\u0075mber\"", "\"number\""},
    {"list", "[\"list\",\"string\"]", "[\"list\",\"string\"]"},
    {"set, spaced", "[ \"set\" , [ \"map\" , \"bool\" ] ]", "[\"set\",[\"map\",\"bool\"]]"},
    {"tuple", "[\"tuple\",[\"string\",[\"list\",\"number\"]]]",
     "[\"tuple\",[\"string\",[\"list\",\"number\"]]]"},
    {"empty tuple", "[\"tuple\",[]]", "[\"tuple\",[]]"},
    {"tuple of null", "[\"tuple\",null]", "[\"tuple\",null]"},
    {"empty object", "[\"object\",{}]", "[\"object\",{}]"},
    {"object of null", "[\"object\",null]", "[\"object\",{}]"},
    {"object, sorted bytewise", "[\"object\",{\"b\":\"bool\",\"B\":\"number\",\"a\":\"string\"}]",
     "[\"object\",{\"B\":\"number\",\"a\":\"string\",\"b\":\"bool\"}]"},
    {"the last duplicate wins", "[\"object\",{\"a\":\"string\",\"b\":\"bool\",\"a\":\"number\"}]",
     "[\"object\",{\"a\":\"number\",\"b\":\"bool\"}]"},
    {"equal after normalisation", "[\"object\",{\"e\xcc\x81\":\"string\",\"\xc3\xa9\":\"bool\"}]",
     "[\"object\",{\"\xc3\xa9\":\"bool\"}]"},
    {"optional", "[\"object\",{\"a\":\"string\",\"b\":\"bool\"},[\"b\",\"a\"]]",
     "[\"object\",{\"a\":\"string\",\"b\":\"bool\"},[\"a\",\"b\"]]"},
    {"no optional", "[\"object\",{\"a\":\"string\"},[]]", "[\"object\",{\"a\":\"string\"}]"},
    {"optional null", "[\"object\",{\"a\":\"string\"},null]", "[\"object\",{\"a\":\"string\"}]"},
    {"escaped for HTML", "[\"object\",{\"<&>\":\"bool\",\"\\u2028\":\"bool\"}]",
     "[\"object\",{\"\\u003c\\u0026\\u003e\":\"bool\",\"\\u2028\":\"bool\"}]"},
    {"half a surrogate pair", "[\"object\",{\"\\ud800x\":\"bool\"}]",
     "[\"object\",{\"\xef\xbf\xbdx\":\"bool\"}]"},
    {"a surrogate pair", "[\"object\",{\"\\ud83d\\ude00\":\"bool\"}]",
     "[\"object\",{\"\xf0\x9f\x98\x80\":\"bool\"}]"},
    {"a NUL in a name", "[\"object\",{\"a\\u0000b\":\"bool\"}]",
     "[\"object\",{\"a\\u0000b\":\"bool\"}]"},
};

START_TEST(json_read)
{
    const row *r = &json_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_wire_problem problem;
    lc_str got = through_json(arena, r->in, &problem);
    ck_assert_msg(lc_str_is(got, r->want), "%s: got %.*s", r->name, LC_FMT(got));
    lc_str again = through_json(arena, r->want, &problem);
    ck_assert_msg(lc_str_is(again, r->want), "%s: again %.*s", r->name, LC_FMT(again));
    lc_arena_free(arena);
}
END_TEST

static const bad_row bad_json_rows[] = {
    {"empty", "", LC_WIRE_REFUSED, 0, ".",
     "the input ends where a type, which is a string or an array, is required"},
    {"null", "null", LC_WIRE_REFUSED, 0, ".",
     "a type, which is a string or an array, is required, found null"},
    {"an object", "{}", LC_WIRE_REFUSED, 0, ".",
     "a type, which is a string or an array, is required, found an object"},
    {"capital", "\"String\"", LC_WIRE_REFUSED, 0, ".", "no primitive type has the name \"String\""},
    {"text behind", "\"string\" x", LC_WIRE_REFUSED, 9, ".", "there is more after the type"},
    {"a bracket behind, which go-cty overlooks", "\"string\" ]", LC_WIRE_ACCEPTS, 9, ".",
     "there is more after the type"},
    {"no element", "[\"list\"]", LC_WIRE_REFUSED, 7, ".", "',' is required, found something else"},
    {"null element", "[\"list\",null]", LC_WIRE_REFUSED, 8, "[0]",
     "a type, which is a string or an array, is required, found null"},
    {"too many", "[\"list\",\"string\",\"x\"]", LC_WIRE_REFUSED, 16, ".",
     "']' is required, found something else"},
    {"no such kind", "[\"foo\",\"string\"]", LC_WIRE_REFUSED, 1, ".",
     "no kind of complex type has the name \"foo\""},
    {"undeclared optional", "[\"object\",{\"a\":\"string\"},[\"b\"]]", LC_WIRE_CRASHES, 26, ".",
     "the optional attribute \"b\" is not declared"},
    {"bad attribute type", "[\"object\",{\"a\":[\"tuple\",[\"bool\",1]]}]", LC_WIRE_REFUSED, 32,
     ".a[1]", "a type, which is a string or an array, is required, found a number"},
    {"comma at the end", "[\"object\",{\"a\":\"bool\",}]", LC_WIRE_REFUSED, 22, ".",
     "a string is required, found something else"},
    {"no closing bracket", "[\"tuple\",[\"bool\"]", LC_WIRE_REFUSED, 17, ".",
     "the input ends where ']' is required"},
    {"open string", "\"bool", LC_WIRE_REFUSED, 5, ".", "the input ends inside a string"},
    {"control character", "\"bo\nol\"", LC_WIRE_REFUSED, 3, ".",
     "a string holds a control character"},
};

START_TEST(json_refused)
{
    const bad_row *r = &bad_json_rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_type *type;
    lc_wire_problem p;
    bool ok = lc_typejson_decode(&type, arena, lc_str_from_c(r->in), &p);
    check_refused(r, ok, &p);
    lc_arena_free(arena);
}
END_TEST

static const row text_rows[] = {
    {"primitive", "string", "\"string\""},
    {"any", " any ", "\"dynamic\""},
    {"list", "list(string)", "[\"list\",\"string\"]"},
    {"nested", "map( set(number) )", "[\"map\",[\"set\",\"number\"]]"},
    {"object", "object({a=string,b=optional(number)})",
     "[\"object\",{\"a\":\"string\",\"b\":\"number\"},[\"b\"]]"},
    {"lines, colons and quotes", "object({\n  b : bool\n  \"a b\" = string,\n})",
     "[\"object\",{\"a b\":\"string\",\"b\":\"bool\"}]"},
    {"more escapes in a name", "object({\"a\\n\\u00e9\"=bool})",
     "[\"object\",{\"a\\n\xc3\xa9\":\"bool\"}]"},
    {"escapes in a name", "object({\"a\\\"\\\\\"=bool})", "[\"object\",{\"a\\\"\\\\\":\"bool\"}]"},
    {"empty object", "object({})", "[\"object\",{}]"},
    {"tuple", "tuple([string, list(any)])", "[\"tuple\",[\"string\",[\"list\",\"dynamic\"]]]"},
    {"empty tuple", "tuple([])", "[\"tuple\",[]]"},
    {"optional in a list", "list(object({a=optional(object({b=bool}))}))",
     "[\"list\",[\"object\",{\"a\":[\"object\",{\"b\":\"bool\"}]},[\"a\"]]]"},
    {"an attribute named like a kind", "object({optional=list(string),list=bool})",
     "[\"object\",{\"list\":\"bool\",\"optional\":[\"list\",\"string\"]}]"},
};

START_TEST(text_read)
{
    const row *r = &text_rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_type *type, *again;
    lc_str why = LC_STR_EMPTY;
    size_t at = 0;
    lc_buf json = {0}, text = {0};
    ck_assert_msg(lc_typetext_parse(&type, arena, lc_str_from_c(r->in), &why, &at),
                  "%s: %.*s at %zu", r->name, LC_FMT(why), at);
    lc_typejson_encode(&json, type);
    ck_assert_msg(lc_str_is(lc_buf_str(&json), r->want), "%s: got %.*s", r->name,
                  LC_FMT(lc_buf_str(&json)));
    lc_type_add_text(&text, type);
    ck_assert_msg(lc_typetext_parse(&again, arena, lc_buf_str(&text), &why, &at), "%s: %.*s: %.*s",
                  r->name, LC_FMT(lc_buf_str(&text)), LC_FMT(why));
    ck_assert_msg(lc_type_equal(type, again), "%s: %.*s is another type", r->name,
                  LC_FMT(lc_buf_str(&text)));
    lc_buf_release(&json);
    lc_buf_release(&text);
    lc_arena_free(arena);
}
END_TEST

typedef struct bad_text_row {
    const char *name;
    const char *in;
    size_t at;
    const char *why;
} bad_text_row;

static const bad_text_row bad_text_rows[] = {
    {"empty", "", 0, "a type is required"},
    {"no such type", "strnig", 0, "no type has the name 'strnig'"},
    {"text behind", "string x", 7, "there is more after the type"},
    {"bare list", "list", 4, "'(' is required"},
    {"open list", "list(string", 11, "')' is required"},
    {"two elements", "list(string,string)", 11, "')' is required"},
    {"no braces", "object(a=string)", 7, "'{' is required"},
    {"no type", "object({a=})", 10, "a type is required"},
    {"no name", "object({=string})", 8, "the name of an attribute is required"},
    {"a name that is not UTF-8", "object({\xdf=bool})", 8,
     "the name of an attribute is not valid UTF-8"},
    {"no equals sign", "object({a string})", 10, "'=' is required after the name of an attribute"},
    {"no comma", "object({a=string b=bool})", 17, "',' or '}' is required"},
    {"twice", "object({a=string,a=bool})", 6, "the attribute 'a' is given twice"},
    {"a default", "object({a=optional(string,\"x\")})", 25, "a default is not part of a type"},
    {"optional outside of an object", "optional(string)", 0, "no type has the name 'optional'"},
    {"open quote", "object({\"a=string})", 19, "the input ends inside a string"},
    {"no such escape", "object({\"a\\q\"=string})", 11, "a string holds an unknown escape"},
};

START_TEST(text_refused)
{
    const bad_text_row *r = &bad_text_rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_type *type;
    lc_str why = LC_STR_EMPTY;
    size_t at = 99;
    ck_assert_msg(!lc_typetext_parse(&type, arena, lc_str_from_c(r->in), &why, &at), "%s: accepted",
                  r->name);
    ck_assert_msg(lc_str_is(why, r->why), "%s: %.*s", r->name, LC_FMT(why));
    ck_assert_msg(at == r->at, "%s: at %zu", r->name, at);
    lc_arena_free(arena);
}
END_TEST

/* `depth` times `open`, then `inner`, then as often `close`. */
static lc_str nested(lc_arena *arena, size_t depth, const char *open, const char *inner,
                     const char *close)
{
    lc_buf buf = {0};
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, open);
    lc_buf_add_c(&buf, inner);
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, close);
    lc_str out = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return out;
}

START_TEST(depth_is_bounded)
{
    lc_arena *arena = lc_arena_new();
    const lc_type *type;
    lc_wire_problem problem;
    lc_str why;
    size_t at;
    lc_str deep = nested(arena, LC_MAX_DEPTH, "[\"list\",", "\"bool\"", "]");
    ck_assert(lc_typejson_decode(&type, arena, deep, &problem));
    deep = nested(arena, LC_MAX_DEPTH + 1, "[\"list\",", "\"bool\"", "]");
    ck_assert(!lc_typejson_decode(&type, arena, deep, &problem));
    ck_assert_int_eq(problem.core, LC_WIRE_ACCEPTS);
    deep = nested(arena, 1000000, "[\"list\",", "\"bool\"", "]");
    ck_assert(!lc_typejson_decode(&type, arena, deep, &problem));
    deep = nested(arena, LC_MAX_DEPTH, "list(", "bool", ")");
    ck_assert(lc_typetext_parse(&type, arena, deep, &why, &at));
    deep = nested(arena, 1000000, "list(", "bool", ")");
    ck_assert(!lc_typetext_parse(&type, arena, deep, &why, &at));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("typejson");
    TCase *tc = tcase_create("types");
    ADD_ROWS(tc, json_read, json_rows);
    ADD_ROWS(tc, json_refused, bad_json_rows);
    ADD_ROWS(tc, text_read, text_rows);
    ADD_ROWS(tc, text_refused, bad_text_rows);
    tcase_add_test(tc, depth_is_bounded);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* values [-v]: every value of a pool next to every other: equality, hashes, ranges, conversion to
 * each type, printing, paths into it, path strings, numbers as text. Prints a line per value, path
 * and number with a hash over the answers; with -v the answers too. Laws, which end with status 1:
 * equality is symmetric and agrees with the hash; a value converts to its own type unchanged; a
 * path that is parsed is printed as a path that parses the same. */
#include "contract/walk/walk.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/recording/recording.h"

#include <stdio.h>
#include <string.h>

static const char *const pool[][2] = {
    {"bool", "true"},
    {"bool", "false"},
    {"bool", "~"},
    {"bool", "!unknown"},
    {"bool", "!unknown {not_null: true}"},
    {"number", "0"},
    {"number", "-0"},
    {"number", "1"},
    {"number", "-1"},
    {"number", "1.5"},
    {"number", "1e3"},
    {"number", "1e-7"},
    {"number", "0.1"},
    {"number", "123456789012345678"},
    {"number", "1234567890123456789"},
    {"number", "-9223372036854775808"},
    {"number", "1e30"},
    {"number", "123456789.123456789123456789"},
    {"number", "~"},
    {"number", "!unknown"},
    {"number", "!unknown {not_null: true, min: 0}"},
    {"number", "!unknown {min: 1, max: 3}"},
    {"number", "!unknown {min: {value: 1, inclusive: false}, max: {value: 3, inclusive: false}}"},
    {"string", "''"},
    {"string", "a"},
    {"string", "A"},
    {"string", "'12'"},
    {"string", "'1.50'"},
    {"string", "'true'"},
    {"string", "\"e\\u0301\\u1161\""},
    {"string", "\"tab\\t quote\\\" back\\\\ \\u0001 \\U0001F600 \\u200b\""},
    {"string", "~"},
    {"string", "!unknown"},
    {"string", "!unknown {not_null: true}"},
    {"string", "!unknown {prefix: a}"},
    {"string", "!unknown {not_null: true, prefix: ab}"},
    {"any", "~"},
    {"any", "!unknown"},
    {"list(string)", "[]"},
    {"list(string)", "[a]"},
    {"list(string)", "[a, b]"},
    {"list(string)", "[b, a]"},
    {"list(string)", "[a, ~]"},
    {"list(string)", "[a, {$unknown: true}]"},
    {"list(string)", "~"},
    {"list(string)", "!unknown"},
    {"list(string)", "!unknown {min_length: 1, max_length: 2}"},
    {"list(string)", "!unknown {not_null: true, min_length: 2}"},
    {"list(number)", "[1, 2]"},
    {"list(number)", "[1, {$unknown: {min: 1}}]"},
    {"list(bool)", "[true, false]"},
    {"list(any)", "[{$unknown: true}]"},
    {"list(any)", "!unknown"},
    {"list(list(string))", "[[a], []]"},
    {"set(string)", "[]"},
    {"set(string)", "[a]"},
    {"set(string)", "[a, b]"},
    {"set(string)", "[b, c]"},
    {"set(string)", "[a, ~]"},
    {"set(string)", "[a, {$unknown: true}]"},
    {"set(string)", "[a, {$unknown: true}, {$unknown: {prefix: x}}]"},
    {"set(string)", "~"},
    {"set(string)", "!unknown"},
    {"set(string)", "!unknown {min_length: 0, max_length: 3}"},
    {"set(number)", "[2, 1, 10, -1, 1.5]"},
    {"set(number)", "[9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 0.1, {$msgpack: 'yz+5mZmZmZma'}]"},
    {"set(number)", "[9, 1, 2, 3, 4, 5, 6, 7, 8, 10, {$unknown: true}, {$unknown: {min: 1}}, ~]"},
    {"set(string)", "[i, h, g, f, e, d, c, b, a, ~, a, {$unknown: true}, {$unknown: true}]"},
    {"set(bool)", "[true, false]"},
    {"set(list(string))", "[[a], [b, c]]"},
    {"set(list(number))",
     "[[1], [2], [3], [4], [5], [6], [7], [8], [12345678901234], [12345678901235]]"},
    {"set(list(string))", "[[i], [h], [g], [f], [e], [d], [c], [b], [a], [i], [{$unknown: true}]]"},
    {"set(object({a=string,b=number}))", "[{a: x, b: 1}, {a: x, b: 2}]"},
    {"set(object({a=string,b=number}))", "[{a: x, b: {$unknown: true}}, {a: ~, b: 2}]"},
    {"map(string)", "{}"},
    {"map(string)", "{a: x}"},
    {"map(string)", "{a: x, b: y}"},
    {"map(string)", "{a: x, b: ~}"},
    {"map(string)", "{a: {$unknown: true}}"},
    {"map(string)", "~"},
    {"map(string)", "!unknown"},
    {"map(string)", "!unknown {not_null: true, min_length: 1}"},
    {"map(number)", "{a: 1, 'key with \"': 2}"},
    {"map(list(number))", "{a: [1, 2]}"},
    {"map(object({a=string}))", "{k: {a: x}}"},
    {"tuple([])", "[]"},
    {"tuple([string])", "[a]"},
    {"tuple([string,number])", "[a, 1]"},
    {"tuple([string,number])", "[a, {$unknown: true}]"},
    {"tuple([number,bool])", "[1, true]"},
    {"tuple([list(string),list(string)])", "[[a], ~]"},
    {"tuple([tuple([string]),tuple([number])])", "[[a], [1]]"},
    {"tuple([object({a=string}),object({a=number,b=bool})])", "[{a: x}, {a: 1, b: true}]"},
    {"tuple([map(string),map(number)])", "[{a: x}, {b: 1}]"},
    {"object({x=tuple([string]),y=tuple([bool])})", "{x: [a], y: [true]}"},
    {"object({x=list(string),y=set(number)})", "{x: [a], y: [1]}"},
    {"map(set(string))", "{a: [x], b: []}"},
    {"tuple([any,string])", "[{$unknown: true}, a]"},
    {"tuple([string,number])", "!unknown"},
    {"object({})", "{}"},
    {"object({a=string})", "{a: x}"},
    {"object({a=string})", "{a: '1'}"},
    {"object({a=string})", "{a: ~}"},
    {"object({a=string,b=number})", "{a: x, b: 1}"},
    {"object({a=string,b=number})", "{a: x, b: {$unknown: true}}"},
    {"object({a=string,b=number})", "{a: y, b: {$unknown: true}}"},
    {"object({a=any,b=list(any)})", "{a: 1, b: [x]}"},
    {"object({a=object({c=bool}),b=set(string)})", "{a: {c: true}, b: [x, {$unknown: true}]}"},
    {"object({a=string,b=number})", "~"},
    {"object({a=string,b=number})", "!unknown"},
    {"object({a=string,b=number})", "!unknown {not_null: true}"},
};
#define POOL (sizeof pool / sizeof *pool)

static const char *const further_types[] = {
    "set(any)",
    "map(any)",
    "object({a=string,b=optional(number)})",
    "object({a=number})",
    "object({a=optional(string),c=optional(list(string))})",
    "list(object({a=string}))",
    "list(object({a=string,z=optional(bool)}))",
    "map(map(string))",
    "set(list(any))",
    "object({a=any})",
    "object({a=any,b=any})",
    "object({a=string,b=number,c=bool,d=bool})",
    "object({b=any,a=list(any)})",
    "tuple([any,any,any])",
    "map(object({a=any}))",
    "list(list(number))",
    "map(list(bool))",
    "object({a=object({c=number}),b=set(string)})",
    "list(set(any))",
    "list(map(any))",
    "map(list(any))",
    "map(set(any))",
    "tuple([any,any])",
    "list(tuple([string]))",
};
#define FURTHER (sizeof further_types / sizeof *further_types)

static const char *const paths[] = {
    ".",
    ".a",
    ".b",
    ".a.c",
    ".a[0]",
    "[0]",
    "[1]",
    "[2]",
    "[0][0]",
    "[\"a\"]",
    "[\"k\"].a",
    "[\"key with \\\"\"]",
    "[*]",
    ".b[*]",
    ".a[*].c",
    ".labels[\"x\\u00e9\\n\"]",
    ".a[18446744073709551615]",
    ".a[18446744073709551616]",
    ".a[-1]",
    ".a.",
    "a",
    ".a[",
    ".a[\"x]",
    ".a[\"\\ud83d\\ude00\"]",
    ".a[\"\\ud83d\"]",
    ".a[\"\\udc00\"]",
    ".a[\"\\ud83d\\u0041\"]",
    ".a[\"\\ud83d\\u00\"]",
    ".a[\"e\\u0301\"]",
    ".a[\"\\u00ff\\u00FF\\u00aA\"]",
    ".a[\"\\u00fg\"]",
    ".a[\"\\udbff\\udfff\\ud800\\udc00\"]",
    ".a[\"\\q\"]",
    ".a[01]",
    "",
};
#define PATHS (sizeof paths / sizeof *paths)

static const char *const numbers[] = {
    "0",
    "-0",
    "+1",
    "1",
    "007",
    "1.",
    ".5",
    "1.50",
    "1e5",
    "1E+5",
    "1e-5",
    "1e",
    "1e+",
    "1e400",
    "1e-400",
    "-1e21",
    "1e20",
    "18446744073709553664",
    "18446744073709557760",
    "18446744073709553665",
    "18446744073709553663",
    "9007199254740993.5",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.0000000000000001110223024625156540423631668090820312500001",
    "1.00000000000000033306690738754696212708950042724609375",
    "999999999999999999",
    "1000000000000000000",
    "-999999999999999999",
    "9007199254740993",
    "0.1",
    "0.30000000000000004",
    "123456789012345678901234567890.5",
    "Inf",
    "-Inf",
    "inf",
    "NaN",
    "0x10",
    "1_000",
    " 1",
    "1 ",
    "",
    "-",
    "1.2.3",
    "0.000001",
    "0.0000001",
    "5e-324",
    "1.7976931348623157e308",
    "1.8e308",
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

/* Strings that may mean the same. */
static const char *const texts[] = {
    "",
    " ",
    "a",
    "A",
    "a ",
    " a",
    "a  b",
    "a\tb",
    "a b",
    "ab",
    "a\n",
    "a\r\n",
    "a\nb",
    "a\r\nb",
    "a/",
    "a//",
    "a.",
    "a..",
    "1",
    "1.0",
    "01",
    "1e0",
    "true",
    "True",
    "null",
    "{}",
    "[]",
    "{\"a\":1}",
    "{ \"a\" : 1.0 }",
    "{\"a\":2}",
    "{\"b\":1}",
    "{\"a\":1,\"b\":[1,2]}",
    "{\"b\":[1,2],\"a\":1}",
    "{\"b\":[2,1],\"a\":1}",
    "{\"a\":1,\"b\":[1]}",
    "{\"a\":null}",
    "{\"a\":true}",
    "{\"a\":false}",
    "{\"a\":\"x\"}",
    "{\"a\":\"X\"}",
    "[1,2]",
    "[2,1]",
    "[1, 2]",
    "[1,\"2\"]",
    "[",
    "{\"a\"",
    "YWJj",
    "YWJj\n",
    "YWI=",
    "YWI",
    "2024-01-02T03:04:05Z",
    "2024-01-02T03:04:05+00:00",
    "2024-01-02T04:04:05+01:00",
    "2024-01-02T03:04:05.000Z",
    "2024-01-02T03:04:06Z",
    "2024-13-02T03:04:05Z",
    "10.0.0.0/8",
    "10.0.0.1/8",
    "::1",
    "0:0:0:0:0:0:0:1",
    "a: 1",
    "a: 1\n",
    "a: 2\n",
    "- a\n- b\n",
    "<a/>",
    "<a></a>",
    "1s",
    "1000ms",
    "60s",
    "1m0s",
};
#define TEXTS (sizeof texts / sizeof *texts)

typedef struct table {
    lc_arena *arena;
    const lc_value *values[POOL];
    const lc_type *types[POOL + FURTHER];
    lc_path paths[PATHS];
    bool parsed[PATHS];
    bool verbose, lawful;
} table;

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static const lc_type *type_of(lc_arena *arena, const char *text)
{
    const lc_type *type;
    lc_str why;
    size_t at;
    return lc_typetext_parse(&type, arena, lc_str_from_c(text), &why, &at) ? type : NULL;
}

static const lc_value *value_of(lc_arena *arena, const lc_type *type, const char *text)
{
    lc_diags diags;
    lc_source source;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_field field;
    lc_diags_init(&diags, arena);
    if (lc_source_parse(&source, arena, LC_STR("pool"), lc_str_from_c(text), &limits, &diags) !=
        LC_OK)
        return NULL;
    lc_value_reader reader = {.arena = arena, .source = &source, .diags = &diags, .limits = limits};
    if (lc_read_typed(&field, &reader, &source.documents[0], type) != LC_OK)
        return NULL;
    return field.value;
}

static void expect(table *t, bool holds, const char *law, size_t a, size_t b)
{
    if (holds)
        return;
    printf("%s: %s %s / %s %s\n", law, pool[a][0], pool[a][1], pool[b][0], pool[b][1]);
    t->lawful = false;
}

static void tell(const table *t, const char *what, size_t i, const char *text,
                 const lc_buf *answers)
{
    printf("%s %zu %s: %016llx\n", what, i, text,
           (unsigned long long)lc_str_fingerprint(lc_buf_str(answers)));
    if (t->verbose)
        printf("%.*s\n", LC_FMT(lc_buf_str(answers)));
}

/* ---- Values. */

static void add_value(lc_buf *out, const char *name, const lc_value *v)
{
    lc_buf_printf(out, "  %s ", name);
    if (v)
        lc_value_add_go(out, v);
    else
        lc_buf_add_c(out, "none");
    lc_buf_add_c(out, "\n");
}

static void add_itself(table *t, lc_buf *out, const lc_value *v)
{
    lc_length length = lc_value_length(v);
    add_value(out, "is", v);
    lc_buf_printf(out, "  flags %u length %d %llu %llu ", v->flags, length.known,
                  (unsigned long long)length.min, (unsigned long long)length.max);
    lc_length_add_go(out, length);
    lc_buf_add_c(out, "\n");
    add_value(out, "known", lc_value_unknown_as_null(t->arena, v));
    lc_buf_add_c(out, "  ");
    lc_value_add_scenario_json(out, v, v->type);
    lc_buf_add_c(out, " ");
    lc_type_add_friendly(out, v->type);
    lc_buf_add_c(out, " ");
    lc_type_add_text(out, v->type);
    lc_buf_add_c(out, "\n");
}

static void add_pair(table *t, lc_buf *out, size_t a, size_t b)
{
    const lc_value *x = t->values[a], *y = t->values[b];
    bool raw = lc_value_raw_equal(x, y), same = lc_value_same(x, y);
    lc_tri equal = lc_value_equals(x, y);
    expect(t, raw == lc_value_raw_equal(y, x), "raw_equal is not symmetric", a, b);
    expect(t, same == lc_value_same(y, x), "same is not symmetric", a, b);
    expect(t, equal == lc_value_equals(y, x), "equals is not symmetric", a, b);
    expect(t, !raw || same, "raw_equal and not same", a, b);
    expect(t, a != b || raw, "not raw_equal to itself", a, b);
    expect(t, (!same && equal != LC_TRUE) || lc_value_hash(x) == lc_value_hash(y),
           "equal, and other hashes", a, b);
    lc_buf_printf(out, "  %zu: %d %d %d %d %d\n", b, raw, same, equal, lc_value_includes(x, y),
                  (int)lc_compare_form(t->arena, x, y));
}

static void add_conversion(table *t, lc_buf *out, size_t a, size_t type)
{
    const lc_value *got = NULL;
    lc_str why = LC_STR_EMPTY;
    bool ok = lc_value_convert(&got, t->arena, t->values[a], t->types[type], &why);
    lc_buf_printf(out, "  to %zu %d %d %.*s ", type,
                  lc_type_conforms(t->values[a]->type, t->types[type]),
                  lc_type_equal(t->values[a]->type, t->types[type]), LC_FMT(why));
    if (ok)
        lc_value_add_go(out, got);
    else
        lc_type_add_mismatch(out, t->values[a]->type, t->types[type]);
    lc_buf_add_c(out, "\n");
    if (type == a)
        expect(t, ok && lc_value_raw_equal(got, t->values[a]), "converted to its own type", a, a);
}

static void add_inside(table *t, lc_buf *out, size_t a)
{
    for (size_t p = 0; p < PATHS; p++) {
        if (!t->parsed[p])
            continue;
        add_value(out, paths[p], lc_path_apply(t->arena, t->values[a], t->paths[p]));
        add_value(out, "hcl", lc_path_apply_hcl(t->arena, t->values[a], t->paths[p]));
    }
}

/* Some values in a row, as one list, set and map: the type that all convert to. */
static void add_unified(table *t, lc_buf *out, const size_t *which, size_t count)
{
    static const char *const wanted[] = {"list(any)", "set(any)"};
    lc_value *elems = LC_NEW_ARRAY(t->arena, lc_value, count), row;
    const lc_type **types = LC_NEW_ARRAY(t->arena, const lc_type *, count);
    for (size_t i = 0; i < count; i++) {
        elems[i] = *t->values[which[i]];
        types[i] = elems[i].type;
        lc_buf_printf(out, "  %zu", which[i]);
    }
    lc_value_set_tuple(&row, t->arena, lc_type_tuple(t->arena, types, count), elems, count);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const lc_value *got;
        lc_str why = LC_STR_EMPTY;
        lc_buf_add_c(out, " ");
        if (lc_value_convert(&got, t->arena, &row, type_of(t->arena, wanted[i]), &why))
            lc_type_add_text(out, got->type);
        else
            lc_buf_add_str(out, why);
    }
    lc_buf_add_c(out, "\n");
}

static void try_unified(table *t, size_t a)
{
    lc_buf out = {0};
    uint64_t state = a;
    for (size_t b = 0; b < POOL; b++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t which[] = {a, b, (size_t)(state >> 33) % POOL, (size_t)(state >> 41) % POOL,
                          (size_t)(state >> 49) % POOL};
        for (size_t count = 2; count <= sizeof which / sizeof *which; count++)
            add_unified(t, &out, which, count);
    }
    tell(t, "unified", a, pool[a][0], &out);
    lc_buf_release(&out);
}

static void try_value(table *t, size_t a)
{
    lc_buf out = {0};
    add_itself(t, &out, t->values[a]);
    for (size_t b = 0; b < POOL; b++)
        add_pair(t, &out, a, b);
    for (size_t type = 0; type < POOL + FURTHER; type++)
        add_conversion(t, &out, a, type);
    add_inside(t, &out, a);
    tell(t, "value", a, pool[a][1], &out);
    lc_buf_release(&out);
}

/* ---- Paths. */

static void add_path(table *t, lc_buf *out, size_t i)
{
    lc_buf text = {0};
    lc_path again;
    lc_str why;
    size_t at;
    lc_path_add_text(&text, t->paths[i]);
    lc_buf_add_str(out, lc_buf_str(&text));
    bool ok =
        lc_path_parse(&again, t->arena, lc_str_copy(t->arena, lc_buf_str(&text)), true, &why, &at);
    if (!ok || !lc_path_eq(again, t->paths[i])) {
        printf("%s is printed as another path\n", paths[i]);
        t->lawful = false;
    }
    lc_buf_add_c(out, " ");
    lc_path_add_core(out, t->paths[i]);
    lc_buf_add_c(out, " ");
    lc_path_add_go(out, t->paths[i]);
    for (size_t k = 0; k < PATHS; k++) {
        if (t->parsed[k])
            lc_buf_printf(out, " %d%d", sign(lc_path_cmp(t->paths[i], t->paths[k])),
                          lc_path_matches(t->paths[i], t->paths[k]));
    }
    lc_buf_release(&text);
}

static void try_path(table *t, size_t i)
{
    lc_buf out = {0};
    lc_str why = LC_STR_EMPTY;
    size_t at = 0;
    lc_path plain;
    bool strict = lc_path_parse(&plain, t->arena, lc_str_from_c(paths[i]), false, &why, &at);
    lc_buf_printf(&out, "  %d %zu %.*s ", strict, strict ? 0 : at, LC_FMT(why));
    if (t->parsed[i])
        add_path(t, &out, i);
    tell(t, "path", i, paths[i], &out);
    lc_buf_release(&out);
}

/* ---- Numbers. */

static void add_number(table *t, lc_buf *out, lc_num n)
{
    int64_t whole = 0;
    double inexact = 0;
    bool fits = lc_num_to_int64(n, &whole), exact = lc_num_to_double(n, &inexact);
    lc_buf_printf(out, " %d%d%d%d %d:%lld %d:%.17g %.17g ", lc_num_is_inf(n), lc_num_sign(n),
                  lc_num_is_negative_zero(n), lc_num_is_whole(n), fits,
                  (long long)(fits ? whole : 0), exact, exact ? inexact : 0,
                  lc_num_nearest_double(n));
    lc_num_add_text(out, n);
    lc_buf_add_c(out, " ");
    lc_num_add_go(out, n);
    lc_buf_add_c(out, " ");
    lc_num_add_hash_text(out, n);
    for (size_t k = 0; k < NUMBERS; k++) {
        lc_num other;
        if (lc_num_from_text(&other, t->arena, lc_str_from_c(numbers[k]), 1000) != LC_NUM_OK)
            continue;
        int order = sign(lc_num_cmp(n, other));
        lc_buf_printf(out, " %d%d", order, lc_num_equal(n, other));
        if (lc_num_equal(n, other) && lc_num_hash(n) != lc_num_hash(other)) {
            printf("%s: equal, and another hash\n", numbers[k]);
            t->lawful = false;
        }
    }
}

static void try_number(table *t, size_t i)
{
    lc_buf out = {0};
    for (size_t most = 5; most <= 500; most *= 100) {
        lc_num n;
        lc_num_parse status = lc_num_from_text(&n, t->arena, lc_str_from_c(numbers[i]), most);
        lc_buf_printf(&out, "  %d", (int)status);
        if (status == LC_NUM_OK)
            add_number(t, &out, n);
    }
    tell(t, "number", i, numbers[i], &out);
    lc_buf_release(&out);
}

/* Whole numbers of a few digits more than 512 bits hold: every way of rounding and shortening. */
static void try_long_numbers(table *t)
{
    lc_buf out = {0};
    uint64_t state = 1;
    for (int i = 0; i < 1000; i++) {
        lc_buf text = {0};
        lc_num n;
        for (int digit = 0; digit < 153 + i % 8; digit++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            lc_buf_add_char(&text, (char)('1' + (state >> 33) % 9));
        }
        if (lc_num_from_text(&n, t->arena, lc_buf_str(&text), 1000) == LC_NUM_OK) {
            lc_num_add_text(&out, n);
            lc_buf_add_c(&out, " ");
            lc_num_add_hash_text(&out, n);
            lc_buf_add_c(&out, " ");
            lc_num_add_go(&out, n);
            lc_buf_printf(&out, " %.17g\n", lc_num_nearest_double(n));
        }
        lc_buf_release(&text);
    }
    tell(t, "numbers", 1000, "long", &out);
    lc_buf_release(&out);
}

/* ---- Strings. */

static void try_text(table *t, size_t i)
{
    lc_buf out = {0};
    lc_value x, y;
    lc_value_set_string(&x, t->arena, lc_str_from_c(texts[i]));
    for (size_t k = 0; k < TEXTS; k++) {
        lc_value_set_string(&y, t->arena, lc_str_from_c(texts[k]));
        lc_buf_printf(&out, " %d.%d", (int)lc_compare_form(t->arena, &x, &y),
                      !lc_str_eq(x.as.string, y.as.string) &&
                          lc_compare_form(t->arena, &x, &y) != LC_UNLIKE);
    }
    lc_buf quoted = {0};
    lc_buf_add_go_quoted(&quoted, x.as.string);
    tell(t, "text", i, lc_str_to_c(t->arena, lc_buf_str(&quoted)), &out);
    lc_buf_release(&quoted);
    lc_buf_release(&out);
}

static bool prepare(table *t)
{
    for (size_t i = 0; i < POOL; i++) {
        t->types[i] = type_of(t->arena, pool[i][0]);
        t->values[i] = t->types[i] ? value_of(t->arena, t->types[i], pool[i][1]) : NULL;
        if (!t->values[i]) {
            printf("%s %s cannot be read\n", pool[i][0], pool[i][1]);
            return false;
        }
    }
    for (size_t i = 0; i < FURTHER; i++) {
        t->types[POOL + i] = type_of(t->arena, further_types[i]);
        if (!t->types[POOL + i]) {
            printf("%s cannot be read\n", further_types[i]);
            return false;
        }
    }
    for (size_t i = 0; i < PATHS; i++) {
        lc_str why;
        size_t at;
        t->parsed[i] =
            lc_path_parse(&t->paths[i], t->arena, lc_str_from_c(paths[i]), true, &why, &at);
    }
    return true;
}

int main(int count, char **words)
{
    table t = {.arena = lc_arena_new(), .lawful = true};
    t.verbose = count > 1 && strcmp(words[1], "-v") == 0;
    bool ok = prepare(&t);
    for (size_t i = 0; i < POOL && ok; i++)
        try_value(&t, i);
    for (size_t i = 0; i < POOL && ok; i++)
        try_unified(&t, i);
    for (size_t i = 0; i < PATHS && ok; i++)
        try_path(&t, i);
    for (size_t i = 0; i < NUMBERS && ok; i++)
        try_number(&t, i);
    if (ok)
        try_long_numbers(&t);
    for (size_t i = 0; i < TEXTS && ok; i++)
        try_text(&t, i);
    lc_arena_free(t.arena);
    return ok && t.lawful ? 0 : 1;
}

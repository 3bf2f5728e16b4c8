/* MessagePack: what each type accepts, how it is written again, what is refused and why. Inputs are
 * in hexadecimal; types are type expressions. */
#include "codec_rows.h"

#include <string.h>

static lc_str from_hex(lc_arena *arena, const char *hex)
{
    size_t len = strlen(hex) / 2;
    char *bytes = lc_arena_alloc(arena, len);
    for (size_t i = 0; i < len; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (char)strtoul(pair, NULL, 16);
    }
    return (lc_str){bytes, len};
}

static lc_str written(lc_arena *arena, const lc_value *v, const lc_type *want)
{
    lc_buf buf = {0}, hex = {0};
    lc_msgpack_encode(&buf, v, want);
    for (size_t i = 0; i < buf.len; i++)
        lc_buf_printf(&hex, "%02x", (unsigned char)buf.ptr[i]);
    lc_str out = lc_buf_copy(arena, &hex);
    lc_buf_release(&buf);
    lc_buf_release(&hex);
    return out;
}

typedef struct row {
    const char *type;
    const char *in;
    const char *want; /* written again */
    unsigned notes;
    const char *go; /* NULL: not looked at */
} row;

static const row rows[] = {
    {"string", "c0", "c0", 0, "cty.NullVal(cty.String)"},
    {"string", "a0", "a0", 0, "cty.StringVal(\"\")"},
    {"string", "d90161", "a161", 0, "cty.StringVal(\"a\")"},
    {"string", "da000161", "a161", 0, NULL},
    {"string", "db0000000161", "a161", 0, NULL},
    {"string", "c40161", "a161", 0, NULL},
    {"string", "c6000000026162", "a26162", 0, NULL},
    {"string", "a3610062", "a3610062", 0, NULL},
    {"string", "a365cc81", "a2c3a9", 0, NULL},
    {"string", "a261ff", "a261ff", LC_WIRE_NOTE_BAD_UTF8, NULL},
    {"string", "a161c1", "a161", LC_WIRE_NOTE_TRAILING, NULL},
    {"number", "00", "00", 0, "cty.NumberIntVal(0)"},
    {"number", "7f", "7f", 0, "cty.NumberIntVal(127)"},
    {"number", "e0", "e0", 0, "cty.NumberIntVal(-32)"},
    {"number", "cc05", "05", 0, NULL},
    {"number", "cd0100", "cd0100", 0, "cty.NumberIntVal(256)"},
    {"number", "ceffffffff", "ceffffffff", 0, "cty.NumberIntVal(4.294967295e+09)"},
    {"number", "cf7fffffffffffffff", "cf7fffffffffffffff", 0, NULL},
    {"number", "cf8000000000000000", "b339323233333732303336383534373735383038", 0, NULL},
    {"number", "d080", "d080", 0, "cty.NumberIntVal(-128)"},
    {"number", "d0ff", "ff", 0, "cty.NumberIntVal(-1)"},
    {"number", "d1ff7f", "d1ff7f", 0, "cty.NumberIntVal(-129)"},
    {"number", "d17fff", "cd7fff", 0, "cty.NumberIntVal(32767)"},
    {"number", "d280000000", "d280000000", 0, NULL},
    {"number", "d38000000000000000", "d38000000000000000", 0, NULL},
    {"number", "d3ffffffffffffffff", "ff", 0, NULL},
    {"number", "ca3fc00000", "cb3ff8000000000000", 0, NULL},
    {"number", "ca3dcccccd", "cb3fb99999a0000000", 0, NULL},
    {"number", "cb3ff0000000000000", "01", 0, NULL},
    {"number", "cb8000000000000000", "00", 0, NULL},
    {"number", "cb7ff0000000000000", "cb7ff0000000000000", 0, NULL},
    {"number", "ff", "ff", 0, NULL},
    {"number", "cbfff0000000000000", "cbfff0000000000000", 0, NULL},
    {"number", "a3302e31", "a3302e31", 0, NULL},
    {"number", "c403312e35", "cb3ff8000000000000", 0, NULL},
    {"number", "a3496e66", "cb7ff0000000000000", 0, NULL},
    {"number", "cb43e0000000000000", "b339323233333732303336383534373736303030", 0, NULL},
    {"bool", "c2", "c2", 0, "cty.False"},
    {"bool", "c3", "c3", 0, "cty.True"},
    {"list(string)", "90", "90", 0, NULL},
    {"list(string)", "dc0002a161c0", "92a161c0", 0, NULL},
    {"list(string)", "dd00000001d40000", "91d40000", 0, NULL},
    {"list(string)", "c0", "c0", 0, NULL},
    {"set(string)", "94a162c0c0a161", "93a161a162c0", LC_WIRE_NOTE_DUPLICATES, NULL},
    {"set(string)", "92d40000d40000", "92d40000d40000", 0, NULL},
    {"set(number)", "92a3302e31cb3fb999999999999a", "91a3302e31", LC_WIRE_NOTE_DUPLICATES, NULL},
    {"set(number)", "92cb800000000000000000", "9100", LC_WIRE_NOTE_DUPLICATES | LC_WIRE_NOTE_ZEROS,
     NULL},
    {"map(string)", "82a162a178a161a179", "82a161a179a162a178", 0, NULL},
    {"map(string)", "de0001a161a178", "81a161a178", 0, NULL},
    {"map(string)", "82a161a178a161a179", "81a161a179", LC_WIRE_NOTE_DUPLICATES, NULL},
    {"map(string)", "81a365cc81a178", "81a2c3a9a178", 0, NULL},
    {"map(string)", "81a1ffa178", "81a1ffa178", LC_WIRE_NOTE_BAD_UTF8, NULL},
    {"object({a=string,b=number})", "82a161a178a16201", "82a161a178a16201", 0, NULL},
    {"object({a=string,b=number})", "82a16201a161a178", "82a161a178a16201", 0, NULL},
    {"object({a=string,b=number})", "df00000002a16201c40161c0", "82a161c0a16201", 0, NULL},
    {"object({a=optional(string)})", "81a161c0", "81a161c0", 0, NULL},
    {"object({})", "80", "80", 0, "cty.EmptyObjectVal"},
    {"tuple([string,number])", "92a17801", "92a17801", 0, NULL},
    {"tuple([])", "90", "90", 0, "cty.EmptyTupleVal"},
    {"any", "c0", "c0", 0, "cty.NullVal(cty.DynamicPseudoType)"},
    {"any", "d40000", "d40000", 0, "cty.DynamicVal"},
    {"any", "92c40822737472696e6722a168", "92c40822737472696e6722a168", 0, "cty.StringVal(\"h\")"},
    {"any", "92d90822737472696e6722c0", "92c40822737472696e6722c0", 0, "cty.NullVal(cty.String)"},
    {"any", "92c40822737472696e6722d40000", "92c40822737472696e6722d40000", 0,
     "cty.UnknownVal(cty.String)"},
    {"any", "92c4092264796e616d69632292c40822737472696e6722a168", "92c40822737472696e6722a168", 0,
     NULL},
    {"any", "c7030c8101c2", "d40000", 0, "cty.DynamicVal"},
    {"list(any)", "92c092c40822737472696e6722a161",
     "9292c40822737472696e6722c092c40822737472696e6722a161", 0, NULL},
    {"string", "d4057f", "d40000", 0, "cty.UnknownVal(cty.String)"},
    {"string", "c70000", "d40000", 0, NULL},
    {"string", "c90000000100ff", "d40000", 0, NULL},
    {"string", "d5050000", "d40000", LC_WIRE_NOTE_EXT, "cty.UnknownVal(cty.String)"},
    {"string", "c7030c8101c2", "c7030c8101c2", 0, "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"string", "c7030c8101c3", "c0", 0, "cty.NullVal(cty.String)"},
    {"string", "d50c8000", "d40000", 0, NULL},
    {"string", "c7090c8201c202a47072652d", "c7090c8201c202a47072652d", 0, NULL},
    {"string", "c800080c8202a16102a26162", "c7050c8102a26162", 0, NULL},
    {"string", "c800080c8202a2616202a161", "c7050c8102a26162", 0, NULL},
    {"number", "c7070c8201c2039200c3", "c7070c8201c2039200c3", 0, NULL},
    {"number", "c70b0c8301c2039201c304920ac2", "c70b0c8301c2039201c304920ac2", 0, NULL},
    {"number", "c70d0c810392cb3ff8000000000000c2", "c70d0c810392cb3ff8000000000000c2", 0, NULL},
    {"number", "d70c810392a3302e31c3", "d70c810392a3302e31c3", 0, NULL},
    {"number", "c70b0c8301c2039205c3049205c3", "05", 0, "cty.NumberIntVal(5)"},
    {"number", "c800090c82039205c3039207c2", "c7050c81039207c2", 0, NULL},
    {"number", "c800090c82039205c3039203c3", "c7050c81039205c3", 0, NULL},
    {"number", "c70d0c810392cbfff0000000000000c3", "c70d0c810392cbfff0000000000000c3", 0, NULL},
    {"number", "c70b0c8301c2039205c2049205c2", "c70b0c8301c2039205c2049205c2", 0, NULL},
    {"list(string)", "c7070c8301c205010603", "c7070c8301c205010603", 0, NULL},
    {"list(string)", "c7070c8301c205020602", "92d40000d40000", 0, NULL},
    {"list(string)", "c7050c8205020602", "c7050c8205020602", 0, NULL},
    {"list(string)", "c800030c8105ff", "d40000", 0, NULL},
    {"map(string)", "c800050c8201c20600", "80", 0, "cty.MapValEmpty(cty.String)"},
    {"set(string)", "c800070c8301c205010601", "91d40000", 0, NULL},
    {"string", "c800050c8207c301c2", "c7030c8101c2", LC_WIRE_NOTE_EXT, NULL},
    {"string", "c8000b0c82079181a161d4000001c2", "c7030c8101c2", LC_WIRE_NOTE_EXT, NULL},
    {"string", "c800060c8201c207a161", "c7030c8101c2", 0, NULL},
};

START_TEST(accepted)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_type *want = type_of(arena, r->type);
    const lc_value *v;
    lc_wire_result result;
    lc_str in = from_hex(arena, r->in);
    bool ok = lc_msgpack_decode(&v, arena, in, want, &result);
    ck_assert_msg(ok, "%s %s: %.*s", r->type, r->in, LC_FMT(result.problem.message));
    ck_assert_msg(result.notes == r->notes, "%s %s: notes %u", r->type, r->in, result.notes);
    lc_str out = written(arena, v, lc_type_without_optional(want));
    ck_assert_msg(lc_str_is(out, r->want), "%s %s: written %.*s", r->type, r->in, LC_FMT(out));
    if (r->go) {
        lc_buf go = {0};
        lc_value_add_go(&go, v);
        ck_assert_msg(lc_str_is(lc_buf_str(&go), r->go), "%s %s: %.*s", r->type, r->in,
                      LC_FMT(lc_buf_str(&go)));
        lc_buf_release(&go);
    }
    lc_arena_free(arena);
}
END_TEST

static const bad_row bad_rows[] = {
    {"string", "", LC_WIRE_REFUSED, 0, ".", "the input ends where a string is required"},
    {"string", "01", LC_WIRE_REFUSED, 0, ".", "a string is required, found an integer"},
    {"string", "c1", LC_WIRE_REFUSED, 0, ".",
     "a string is required, found the byte 0xc1, which is not MessagePack"},
    {"string", "a261", LC_WIRE_REFUSED, 1, ".", "the input ends inside of what should be a string"},
    {"string", "da00", LC_WIRE_REFUSED, 1, ".", "the input ends inside of what should be a string"},
    {"string", "dbffffffff61", LC_WIRE_REFUSED, 5, ".",
     "the input ends inside of what should be a string"},
    {"bool", "01", LC_WIRE_REFUSED, 0, ".", "a bool is required, found an integer"},
    {"number", "c3", LC_WIRE_REFUSED, 0, ".", "a number is required, found a bool"},
    {"number", "a0", LC_WIRE_REFUSED, 0, ".",
     "a number is required, found a string that is not a number"},
    {"number", "a43078ff31", LC_WIRE_REFUSED, 0, ".",
     "a number is required, found a string that is not a number"},
    {"number", "cb7ff8000000000000", LC_WIRE_CRASHES, 0, ".", "a number is required, found NaN"},
    {"number", "ca7fc00000", LC_WIRE_CRASHES, 0, ".", "a number is required, found NaN"},
    {"number", "cb3ff0", LC_WIRE_REFUSED, 1, ".",
     "the input ends inside of what should be a number"},
    {"list(string)", "80", LC_WIRE_REFUSED, 0, ".", "a list is required, found a map"},
    {"list(string)", "9201a0", LC_WIRE_REFUSED, 1, "[0]", "a string is required, found an integer"},
    {"list(string)", "92a161", LC_WIRE_REFUSED, 3, "[1]",
     "the input ends where a string is required"},
    {"list(string)", "93a161", LC_WIRE_REFUSED, 0, ".",
     "the input ends before the 3 elements that are announced"},
    {"list(string)", "ddffffffff", LC_WIRE_CRASHES, 0, ".",
     "the input ends before the 4294967295 elements that are announced"},
    {"list(list(string))", "9291a0", LC_WIRE_REFUSED, 1, "[0]",
     "the input ends before the 1 elements that are announced"},
    {"list(list(string))", "929291a0", LC_WIRE_REFUSED, 1, "[0]",
     "the input ends before the 2 elements that are announced"},
    {"set(bool)", "9101", LC_WIRE_REFUSED, 1, "[...]", "a bool is required, found an integer"},
    {"map(string)", "90", LC_WIRE_REFUSED, 0, ".", "a map is required, found an array"},
    {"map(string)", "81a16101", LC_WIRE_REFUSED, 3, "[\"a\"]",
     "a string is required, found an integer"},
    {"map(string)", "81c0a178", LC_WIRE_ACCEPTS, 1, ".",
     "the keys of a map must be strings, found nil"},
    {"map(string)", "8101a178", LC_WIRE_ACCEPTS, 1, ".",
     "the keys of a map must be strings, found an integer"},
    {"map(string)", "dfffffffffa161", LC_WIRE_CRASHES, 0, ".",
     "the input ends before the 8589934590 elements that are announced"},
    {"object({a=string,b=number})", "80", LC_WIRE_ACCEPTS, 0, ".",
     "an object with 2 attributes is required (0 given)"},
    {"object({a=string,b=number})", "81a161a178", LC_WIRE_REFUSED, 0, ".",
     "an object with 2 attributes is required (1 given)"},
    {"object({a=string})", "82a161a178a16201", LC_WIRE_REFUSED, 0, ".",
     "an object with 1 attribute is required (2 given)"},
    {"object({a=string,b=number})", "82a161a178a161a179", LC_WIRE_ACCEPTS, 5, ".",
     "the attribute \"a\" is given twice"},
    {"object({a=string,b=number})", "82a161a178a16301", LC_WIRE_REFUSED, 5, ".",
     "unsupported attribute \"c\""},
    {"object({a=string,b=number})", "82c0a178a16201", LC_WIRE_REFUSED, 1, ".",
     "the name of an attribute is required, found nil"},
    {"object({\"\"=string})", "81c0a178", LC_WIRE_ACCEPTS, 1, ".",
     "the name of an attribute is required, found nil"},
    {"object({a=string,b=number})", "8201a178a16201", LC_WIRE_REFUSED, 1, ".",
     "the name of an attribute is required, found an integer"},
    {"object({\xc3\xa9=string})", "81a365cc81a178", LC_WIRE_REFUSED, 1, ".",
     "unsupported attribute \"e\xcc\x81\""},
    {"object({a=list(object({b=bool}))})", "81a1619281a162c281a16200", LC_WIRE_REFUSED, 11,
     ".a[1].b", "a bool is required, found an integer"},
    {"tuple([string,number])", "90", LC_WIRE_ACCEPTS, 0, ".",
     "a tuple of length 2 is required (0 given)"},
    {"tuple([string,number])", "91a178", LC_WIRE_REFUSED, 0, ".",
     "a tuple of length 2 is required (1 given)"},
    {"tuple([string,number])", "9201a178", LC_WIRE_REFUSED, 1, "[0]",
     "a string is required, found an integer"},
    {"any", "a168", LC_WIRE_REFUSED, 0, ".",
     "an array of a type and a value is required, found a string"},
    {"any", "93c40822737472696e6722a168c0", LC_WIRE_REFUSED, 0, ".",
     "an array of a type and a value is required (3 elements given)"},
    {"any", "92c40522666f6f22a168", LC_WIRE_REFUSED, 3, ".",
     "no primitive type has the name \"foo\""},
    {"any", "92c400c0", LC_WIRE_REFUSED, 3, ".",
     "the input ends where a type, which is a string or an array, is required"},
    {"any", "92c0c0", LC_WIRE_REFUSED, 1, ".", "a type is required, found nil"},
    {"list(any)", "9292c40822737472696e6722a16192c408226e756d6265722201", LC_WIRE_CRASHES, 0, ".",
     "the elements of a list are of different types"},
    {"map(any)", "82a16192c40822737472696e6722a161a16292c408226e756d6265722201", LC_WIRE_CRASHES, 0,
     ".", "the elements of a map are of different types"},
    {"string", "d4", LC_WIRE_REFUSED, 1, ".", "the input ends in an extension"},
    {"string", "d50c81", LC_WIRE_REFUSED, 2, ".", "the input ends in an extension"},
    {"string", "c800030c810101", LC_WIRE_REFUSED, 6, ".",
     "a bool saying whether the unknown value is null is required, found an integer"},
    {"bool", "c800040c8102a161", LC_WIRE_REFUSED, 6, ".",
     "a prefix is given for an unknown value that is not a string"},
    {"string", "c800050c81039200c3", LC_WIRE_REFUSED, 6, ".",
     "a bound is given for an unknown value that is not a number"},
    {"string", "c800030c810501", LC_WIRE_REFUSED, 6, ".",
     "a length is given for an unknown value that is not a collection"},
    {"string", "c800040c8102a1ff", LC_WIRE_REFUSED, 6, ".",
     "the prefix of an unknown string is not valid UTF-8"},
    {"string", "c800070c8202a16102a162", LC_WIRE_CRASHES, 9, ".",
     "the refinements of the unknown value contradict each other"},
    {"string", "c800050c8201c201c3", LC_WIRE_CRASHES, 8, ".",
     "the refinements of the unknown value contradict each other"},
    {"string", "c800050c8201c301c2", LC_WIRE_CRASHES, 8, ".",
     "the refinements of the unknown value contradict each other"},
    {"number", "c800090c82039206c3049205c3", LC_WIRE_CRASHES, 4, ".",
     "the refinements of the unknown value contradict each other"},
    {"number", "c8000b0c8301c2039205c3049205c2", LC_WIRE_CRASHES, 4, ".",
     "the refinements of the unknown value contradict each other"},
    {"number", "c800030c810390", LC_WIRE_CRASHES, 6, ".",
     "an array of a number and a bool, the bound of an unknown number, is required (0 elements "
     "given)"},
    {"number", "c800050c810392c0c3", LC_WIRE_REFUSED, 7, ".", "a number is required, found nil"},
    {"set(string)", "c800050c8205030601", LC_WIRE_CRASHES, 4, ".",
     "the refinements of the unknown value contradict each other"},
    {"set(string)", "c800030c8106ff", LC_WIRE_CRASHES, 6, ".",
     "the refinements of the unknown value contradict each other"},
    {"list(string)", "c8000b0c8105cb3ff0000000000000", LC_WIRE_REFUSED, 6, ".",
     "an integer, the length of an unknown collection, is required, found a float"},
    {"string", "c800040c81a161c2", LC_WIRE_REFUSED, 5, ".",
     "an integer, the kind of a refinement, is required, found a string"},
    {"string", "c800020c9000", LC_WIRE_REFUSED, 4, ".",
     "a map of refinements is required, found an array"},
    {"any", "c7030c000000", LC_WIRE_REFUSED, 3, ".",
     "a map of refinements is required, found an integer"},
};

START_TEST(refused)
{
    const bad_row *r = &bad_rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    lc_wire_result result;
    bool ok =
        lc_msgpack_decode(&v, arena, from_hex(arena, r->in), type_of(arena, r->name), &result);
    check_refused(r, ok, &result.problem);
    lc_arena_free(arena);
}
END_TEST

/* A payload of 1024 bytes is read, one more is not; what follows the map in it is ignored. */
START_TEST(payload_is_bounded)
{
    lc_arena *arena = lc_arena_new();
    for (size_t len = 1023; len <= 1025; len++) {
        const lc_value *v;
        lc_wire_result result;
        char *bytes = lc_arena_zalloc(arena, len + 4);
        memcpy(bytes, "\xc8\x04\x00\x0c\x81\x01\xc2", 7);
        bytes[1] = (char)(len >> 8);
        bytes[2] = (char)(len & 0xff);
        bool ok = lc_msgpack_decode(&v, arena, (lc_str){bytes, len + 4}, &lc_type_string, &result);
        ck_assert_msg(ok == (len <= 1024), "payload of %zu bytes", len);
    }
    lc_arena_free(arena);
}
END_TEST

/* Prefixes of more than 256 bytes are cut at 255, and the last character goes unless it is a
 * delimiter. */
START_TEST(long_prefixes_are_cut)
{
    static const struct {
        char fill, last;
        size_t want;
    } cases[] = {{'p', 'p', 254}, {'p', '-', 255}, {'/', '/', 255}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_arena *arena = lc_arena_new();
        char text[300];
        memset(text, cases[i].fill, sizeof text);
        text[254] = cases[i].last;
        lc_refinement f = {.has_prefix = true, .prefix = {text, sizeof text}};
        lc_value slot;
        const lc_value *back;
        lc_wire_result result;
        lc_buf buf = {0};
        ck_assert(lc_value_set_refined(&slot, arena, &lc_type_string, &f));
        lc_msgpack_encode(&buf, &slot, &lc_type_string);
        ck_assert(lc_msgpack_decode(&back, arena, lc_buf_str(&buf), &lc_type_string, &result));
        ck_assert_ptr_nonnull(lc_value_refinement(back));
        ck_assert_msg(lc_value_refinement(back)->prefix.len == cases[i].want, "case %zu: %zu", i,
                      lc_value_refinement(back)->prefix.len);
        lc_buf_release(&buf);
        lc_arena_free(arena);
    }
}
END_TEST

START_TEST(depth_is_bounded)
{
    lc_arena *arena = lc_arena_new();
    const lc_type *want = &lc_type_bool;
    lc_buf buf = {0};
    for (size_t depth = 0; depth <= LC_MAX_DEPTH; depth++) {
        const lc_value *v;
        lc_wire_result result;
        lc_buf_clear(&buf);
        for (size_t i = 0; i < depth; i++)
            lc_buf_add_char(&buf, (char)0x91);
        lc_buf_add_char(&buf, (char)0xc3);
        ck_assert_msg(lc_msgpack_decode(&v, arena, lc_buf_str(&buf), want, &result), "depth %zu",
                      depth);
        want = lc_type_collection(arena, LC_TYPE_LIST, want);
    }
    const lc_value *v;
    lc_wire_result result;
    lc_str deeper = lc_str_printf(arena, "\x91%.*s", LC_FMT(lc_buf_str(&buf)));
    ck_assert(!lc_msgpack_decode(&v, arena, deeper, want, &result));
    ck_assert_int_eq(result.problem.core, LC_WIRE_ACCEPTS);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* [type, [type, [type, ... in a row: the values choose the depth, not the requested type. */
START_TEST(dynamic_depth_is_bounded)
{
    lc_arena *arena = lc_arena_new();
    lc_buf buf = {0};
    const lc_value *v;
    lc_wire_result result;
    for (size_t i = 0; i < 100000; i++)
        lc_buf_add(&buf, "\x92\xc4\x09\"dynamic\"", 12);
    lc_buf_add_char(&buf, (char)0xc0);
    ck_assert(!lc_msgpack_decode(&v, arena, lc_buf_str(&buf), &lc_type_dynamic, &result));
    ck_assert_int_eq(result.problem.core, LC_WIRE_ACCEPTS);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* Counts that lie, nested so that each alone would be believable: memory stays in proportion. */
START_TEST(counts_are_not_believed)
{
    lc_arena *arena = lc_arena_new();
    const lc_type *want = &lc_type_bool;
    lc_buf buf = {0};
    const size_t depth = 150, total = 1 << 20;
    for (size_t i = 0; i < depth; i++)
        want = lc_type_collection(arena, LC_TYPE_LIST, want);
    for (size_t i = 0; i < depth; i++)
        lc_buf_add(&buf, "\xdd\x00\x08\x00\x00", 5);
    while (buf.len < total)
        lc_buf_add_char(&buf, (char)0xc3);
    const lc_value *v;
    lc_wire_result result;
    size_t before = lc_arena_used(arena);
    ck_assert(!lc_msgpack_decode(&v, arena, lc_buf_str(&buf), want, &result));
    ck_assert_uint_lt(lc_arena_used(arena) - before, 33 * total);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

/* Strings that need no change are not copied. */
START_TEST(strings_stay_in_the_input)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    lc_wire_result result;
    lc_str in = from_hex(arena, "a568c3a96c6f");
    ck_assert(lc_msgpack_decode(&v, arena, in, &lc_type_string, &result));
    ck_assert_ptr_eq(v->as.string.ptr, in.ptr + 1);
    lc_arena_free(arena);
}
END_TEST

/* No bytes at all, with no address. */
START_TEST(nothing_is_refused)
{
    lc_arena *arena = lc_arena_new();
    const lc_value *v;
    const lc_type *type;
    lc_wire_result result;
    lc_wire_problem problem;
    lc_str why, nothing = {NULL, 0};
    size_t at;
    ck_assert(!lc_msgpack_decode(&v, arena, nothing, &lc_type_string, &result));
    ck_assert(!lc_ctyjson_decode(&v, arena, nothing, &lc_type_dynamic, &result));
    ck_assert(!lc_typejson_decode(&type, arena, nothing, &problem));
    ck_assert(!lc_typetext_parse(&type, arena, nothing, &why, &at));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("msgpack");
    TCase *tc = tcase_create("msgpack");
    ADD_ROWS(tc, accepted, rows);
    ADD_ROWS(tc, refused, bad_rows);
    tcase_add_test(tc, payload_is_bounded);
    tcase_add_test(tc, long_prefixes_are_cut);
    tcase_add_test(tc, depth_is_bounded);
    tcase_add_test(tc, dynamic_depth_is_bounded);
    tcase_add_test(tc, counts_are_not_believed);
    tcase_add_test(tc, nothing_is_refused);
    tcase_add_test(tc, strings_stay_in_the_input);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

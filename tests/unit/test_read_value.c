/* Value nodes read by type: the format's table of values row by row, markers, places. */
#include "lifecheck/recording/recording.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    lc_arena *arena;
    lc_diags diags;
    lc_source source;
    lc_value_reader reader;
} fixture;

static void fixture_open(fixture *f, const char *text, bool config)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    f->arena = lc_arena_new();
    lc_diags_init(&f->diags, f->arena);
    lc_str all = lc_str_from_c(text);
    lc_status status =
        lc_source_parse(&f->source, f->arena, LC_STR("t.yaml"), all, &limits, &f->diags);
    ck_assert_msg(status == LC_OK && f->source.count > 0, "test text does not parse: %s", text);
    f->reader = (lc_value_reader){
        .arena = f->arena, .source = &f->source, .diags = &f->diags, .limits = limits};
    f->reader.config = config;
}

static const lc_type *parse_type(fixture *f, const char *text)
{
    const lc_type *type;
    lc_str why;
    size_t at;
    bool ok = lc_typetext_parse(&type, f->arena, lc_str_from_c(text), &why, &at);
    ck_assert_msg(ok, "test type does not parse: %s", text);
    return type;
}

/* The field as one text: Go syntax, "undecodable PATH: MESSAGE" or "error L:C: MESSAGE". */
static char *shown(fixture *f, const lc_field *field, lc_status status)
{
    lc_buf buf = {0};
    if (status != LC_OK || f->diags.errors) {
        ck_assert(status != LC_OK && f->diags.errors && f->diags.count);
        const lc_diag *d = &f->diags.items[0];
        lc_buf_printf(&buf, "error %u:%u: %.*s", d->loc.line, d->loc.column, LC_FMT(d->message));
    } else if (field->state == LC_FIELD_UNDECODABLE) {
        lc_buf_add_c(&buf, "undecodable ");
        lc_path_add_text(&buf, field->problem_path);
        ck_assert(field->problem.message.len > 0);
    } else {
        ck_assert_int_eq(field->state, LC_FIELD_GIVEN);
        lc_value_add_go(&buf, field->value);
    }
    char *text = lc_str_to_c(f->arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return text;
}

/* `want` is the whole text, or its beginning when it starts with "error". */
static void check_text(const char *name, const char *is, const char *want)
{
    bool error = strncmp(want, "error", 5) == 0;
    int differs = error ? strncmp(is, want, strlen(want)) : strcmp(is, want);
    ck_assert_msg(differs == 0, "%s:\n  is   %s\n  want %s", name, is, want);
}

static const struct row {
    const char *name, *type, *text;
    bool config;
    const char *want;
} rows[] = {
    {"plain text", "string", "abc", false, "cty.StringVal(\"abc\")"},
    {"plain number as text", "string", "1.0", false, "cty.StringVal(\"1.0\")"},
    {"leading zeros stay", "string", "007", false, "cty.StringVal(\"007\")"},
    {"plain bool as text", "string", "True", false, "cty.StringVal(\"True\")"},
    {"yes is text", "string", "yes", false, "cty.StringVal(\"yes\")"},
    {"a day is text", "string", "2024-01-01", false, "cty.StringVal(\"2024-01-01\")"},
    {"tilde is null", "string", "~", false, "cty.NullVal(cty.String)"},
    {"null is null", "string", "null", false, "cty.NullVal(cty.String)"},
    {"quoted null is text", "string", "\"null\"", false, "cty.StringVal(\"null\")"},
    {"number", "number", "42", false, "cty.NumberIntVal(42)"},
    {"leading zeros vanish", "number", "007", false, "cty.NumberIntVal(7)"},
    {"letters are not a number", "number", "forty", false, "error 1:1: '.' is a string"},
    {"hex is not a number", "number", "0x1F", false, "error 1:1:"},
    {"quoted number", "number", "\"4\"", false, "error 1:1:"},
    {"quoted number in a configuration", "number", "\"4\"", true, "cty.NumberIntVal(4)"},
    {"quoted letters in a configuration", "number", "\"a\"", true, "error 1:1:"},
    {"bool as number", "number", "true", true, "error 1:1:"},
    {"bool", "bool", "true", false, "cty.True"},
    {"yes is not a bool", "bool", "yes", false, "error 1:1:"},
    {"quoted bool", "bool", "\"true\"", false, "error 1:1:"},
    {"quoted bool in a configuration", "bool", "\"true\"", true, "cty.True"},
    {"number as bool", "bool", "1", true, "error 1:1:"},
    {"JSON text", "list(string)", "[\"a\"]", false,
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"JSON number as text", "list(string)", "[1.0]", false, "error 1:2:"},
    {"JSON number as text in a configuration", "list(string)", "[1.0]", true,
     "cty.ListVal([]cty.Value{cty.StringVal(\"1.0\")})"},
    {"JSON bool as text in a configuration", "list(string)", "[true]", true,
     "cty.ListVal([]cty.Value{cty.StringVal(\"true\")})"},
    {"JSON text as number", "list(number)", "[\"1\"]", false, "error 1:2:"},
    {"JSON text as number in a configuration", "list(number)", "[\"1\"]", true,
     "cty.ListVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"dynamic number", "any", "5", false, "cty.NumberIntVal(5)"},
    {"dynamic bool", "any", "false", false, "cty.False"},
    {"dynamic text", "any", "yes", false, "cty.StringVal(\"yes\")"},
    {"dynamic quoted", "any", "\"5\"", false, "cty.StringVal(\"5\")"},
    {"dynamic null", "any", "null", false, "cty.NullVal(cty.DynamicPseudoType)"},
    {"dynamic sequence", "any", "- a\n- 1", false,
     "cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), cty.NumberIntVal(1)})"},
    {"dynamic mapping", "any", "b: 1\na: x", false,
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\"), "
     "\"b\":cty.NumberIntVal(1)})"},
    {"empty list", "list(string)", "[]", false, "cty.ListValEmpty(cty.String)"},
    {"equal elements of a set are one", "set(number)", "- 1\n- 1\n- 2", false,
     "cty.SetVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"map", "map(number)", "b: 2\na: 1", false,
     "cty.MapVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1), \"b\":cty.NumberIntVal(2)})"},
    {"a list for a map", "map(number)", "- 1", false, "error 1:1:"},
    {"text for a list", "list(string)", "a", false, "error 1:1:"},
    {"omitted attribute", "object({a=string,b=number})", "a: x", false,
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\"), "
     "\"b\":cty.NullVal(cty.Number)})"},
    {"attribute that is not there", "object({size=string})", "sise: x", false,
     "error 1:1: '.' has no attribute or block \"sise\"; did you mean \"size\"?"},
    {"tuple", "tuple([string,number])", "- a\n- 2", false,
     "cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), cty.NumberIntVal(2)})"},
    {"tuple of another length", "tuple([string,number])", "- a", false, "error 1:1:"},
    {"place of an error", "map(list(number))", "a:\n  - 1\n  - b", false,
     "error 3:5: '[\"a\"][1]'"},

    {"unknown", "string", "!unknown", false, "cty.UnknownVal(cty.String)"},
    {"unknown as map", "string", "{$unknown: true}", false, "cty.UnknownVal(cty.String)"},
    {"unknown as JSON", "list(string)", "[{\"$unknown\": true}]", false,
     "cty.ListVal([]cty.Value{cty.UnknownVal(cty.String)})"},
    {"untyped unknown", "any", "!unknown", false, "cty.DynamicVal"},
    {"unknown false", "string", "{$unknown: false}", false, "error 1:"},
    {"refined", "string", "!unknown {not_null: true, prefix: \"ab\"}", false,
     "cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"ab\").NewValue()"},
    {"refined to a value", "number", "!unknown {not_null: true, min: 1, max: 1}", false,
     "cty.NumberIntVal(1)"},
    {"refinement that does not fit", "string", "!unknown {min: 1}", false, "error 1:11:"},
    {"refinement of the untyped", "any", "!unknown {not_null: true}", false, "error 1:11:"},
    {"refinement that contradicts itself", "number",
     "!unknown {not_null: true, min: 3, max: {value: 3, inclusive: false}}", false, "error 1:"},
    {"typed", "any", "!typed {type: 'list(string)', value: [a]}", false,
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"typed by type JSON", "any", "!typed {type: [set, number], value: [2, 1]}", false,
     "cty.SetVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"typed as it is anyway", "list(string)", "!typed {type: 'list(string)', value: [a]}", false,
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"typed against the schema", "string", "!typed {type: number, value: 1}", false,
     "undecodable ."},
    {"typed against the schema below", "map(list(string))",
     "a:\n  - b\n  - !typed {type: number, value: 1}", false, "undecodable [\"a\"][1]"},
    {"null of a type", "any", "!null number", false, "cty.NullVal(cty.Number)"},
    {"null as map", "any", "{$null: 'list(string)'}", false, "cty.NullVal(cty.List(cty.String))"},
    {"null of the wrong type", "string", "!null number", false, "error 1:"},
    {"sensitive", "string", "!sensitive a", false, "cty.StringVal(\"a\")"},
    {"sensitive unknown", "string", "!sensitive {$unknown: true}", false,
     "cty.UnknownVal(cty.String)"},
    {"msgpack", "number", "!msgpack \"Kg==\"", false, "cty.NumberIntVal(42)"},
    {"msgpack of another type", "list(string)", "!msgpack \"Kg==\"", false, "undecodable ."},
    {"msgpack that is not base64", "number", "!msgpack \"K*==\"", false, "error 1:"},
    {"bytes of JSON", "list(string)", "{$json: '[\"a\"]'}", false,
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"bytes of JSON that break off", "list(string)", "!json '[\"a\"'", false, "undecodable ."},
    {"bytes below", "map(number)", "a: !msgpack \"wA==\"\nb: !msgpack \"oXg=\"", false,
     "undecodable [\"b\"]"},
    {"literal", "map(string)", "!literal {$unknown: x}", false,
     "cty.MapVal(map[string]cty.Value{\"$unknown\":cty.StringVal(\"x\")})"},
    {"literal as map", "any", "{$literal: {$null: 1}}", false,
     "cty.ObjectVal(map[string]cty.Value{\"$null\":cty.NumberIntVal(1)})"},
    {"a foreign $-key is ordinary", "map(string)", "{$other: x}", false,
     "cty.MapVal(map[string]cty.Value{\"$other\":cty.StringVal(\"x\")})"},
    {"two keys are ordinary", "map(string)", "{$unknown: x, a: y}", false,
     "cty.MapVal(map[string]cty.Value{\"$unknown\":cty.StringVal(\"x\"), "
     "\"a\":cty.StringVal(\"y\")})"},
    {"foreign tag", "string", "!unkown a", false,
     "error 1:1: '.' has the tag !unkown, which is not a marker; did you mean \"!unknown\"?"},
    {"text marks private data", "string", "!text a", false, "error 1:1:"},
    {"mixed elements below dynamic", "list(any)", "- a\n- 1", false, "undecodable ."},
    {"mixed elements of a configuration", "list(any)", "- a\n- 1", true,
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"1\")})"},
};

START_TEST(test_by_type)
{
    const struct row *row = &rows[_i];
    fixture f;
    lc_field field;
    fixture_open(&f, row->text, row->config);
    const lc_type *type = parse_type(&f, row->type);
    lc_status status = lc_read_typed(&field, &f.reader, &f.source.documents[0], type);
    check_text(row->name, shown(&f, &field, status), row->want);
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Blocks. The first document is the schema, the second the object. */

static const char schema_text[] =
    "block:\n"
    "  attributes:\n"
    "    name: {type: string, optional: true}\n"
    "    password: {type: string, optional: true, sensitive: true}\n"
    "    keys: {type: 'map(string)', optional: true, sensitive: true}\n"
    "    tags: {type: 'map(string)', optional: true}\n"
    "  block_types:\n"
    "    disk:\n"
    "      nesting_mode: list\n"
    "      block:\n"
    "        attributes:\n"
    "          size: {type: number, optional: true}\n"
    "    free:\n"
    "      nesting_mode: list\n"
    "      block:\n"
    "        attributes:\n"
    "          any: {type: dynamic, optional: true}\n"
    "    rule:\n"
    "      nesting_mode: set\n"
    "      block:\n"
    "        attributes:\n"
    "          port: {type: number, optional: true}\n"
    "          note: {type: string, optional: true}\n"
    "    limits:\n"
    "      nesting_mode: group\n"
    "      block:\n"
    "        attributes:\n"
    "          cpu: {type: number, optional: true}\n"
    "    owner:\n"
    "      nesting_mode: single\n"
    "      block:\n"
    "        attributes:\n"
    "          id: {type: string, optional: true}\n"
    "---\n";
#define SCHEMA_LINES 34

static const lc_schema *read_schema(fixture *f)
{
    const lc_schema *schema;
    lc_status status = lc_schema_from_node(&schema, f->arena, &f->source, &f->source.documents[0],
                                           LC_KIND_RESOURCE, LC_STR("thing"), &f->diags);
    ck_assert_msg(status == LC_OK, "the test schema does not read");
    return schema;
}

static lc_status read_block(fixture *f, lc_field *field, const char *text)
{
    size_t size = sizeof schema_text + strlen(text);
    char *all = lc_heap_alloc(size);
    snprintf(all, size, "%s%s", schema_text, text);
    fixture_open(f, all, false);
    lc_heap_free(all);
    ck_assert_uint_eq(f->source.count, 2);
    return lc_read_object(field, &f->reader, &f->source.documents[1], read_schema(f)->block);
}

#define NO_OWNER "\"owner\":cty.NullVal(cty.Object(map[string]cty.Type{\"id\":cty.String}))"

static const struct {
    const char *name, *text;
    const char *attribute; /* of the object, or "" for the whole */
    const char *want;      /* line numbers count from the object's first */
} blocks[] = {
    {"omitted list of blocks", "name: a", "disk",
     "cty.ListValEmpty(cty.Object(map[string]cty.Type{\"size\":cty.Number}))"},
    {"null list of blocks", "disk: null", "disk",
     "cty.NullVal(cty.List(cty.Object(map[string]cty.Type{\"size\":cty.Number})))"},
    {"omitted list with dynamic inside", "name: a", "free", "cty.EmptyTupleVal"},
    {"list with dynamic inside", "free:\n  - {any: 1}\n  - {any: x}", "free",
     "cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"any\":cty.NumberIntVal(1)}), "
     "cty.ObjectVal(map[string]cty.Value{\"any\":cty.StringVal(\"x\")})})"},
    {"omitted group", "name: a", "limits",
     "cty.ObjectVal(map[string]cty.Value{\"cpu\":cty.NullVal(cty.Number)})"},
    {"omitted single block", "name: a", "owner",
     "cty.NullVal(cty.Object(map[string]cty.Type{\"id\":cty.String}))"},
    {"single block", "owner: {id: x}", "owner",
     "cty.ObjectVal(map[string]cty.Value{\"id\":cty.StringVal(\"x\")})"},
    {"equal blocks of a set are one", "rule:\n  - {port: 1}\n  - {port: 1}", "rule",
     "cty.SetVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"
     "\"note\":cty.NullVal(cty.String), \"port\":cty.NumberIntVal(1)})})"},
    {"null object", "null", "", "cty.NullVal("},
    {"unknown attribute of a block", "disk:\n  - {sise: 1}", "",
     "error 2:6: '.disk[0]' has no attribute or block \"sise\"; did you mean \"size\"?"},
    {"place in a set", "rule:\n  - {port: x}", "",
     "error 2:12: '.rule[...].port' is a string where the schema requires number"},
    {"a mapping for a list of blocks", "disk: {size: 1}", "", "error 1:7: '.disk' is a mapping"},
    {"nothing below a sensitive place is named", "keys:\n  secret-name: [1]", "",
     "error 2:16: '.keys' is "},
    {"typed root", "!typed {type: 'object({name=string})', value: {name: a}}", "", "undecodable ."},
};

static void check_alternatives(const char *name, const char *is, const char *want)
{
    const char *bar = strchr(want, '|');
    if (bar && strncmp(is, want, (size_t)(bar - want)) != 0)
        want = bar + 1;
    else if (bar)
        return;
    ck_assert_msg(strncmp(is, want, strlen(want)) == 0, "%s:\n  is   %s\n  want %s", name, is,
                  want);
}

START_TEST(test_blocks)
{
    fixture f;
    lc_field field;
    lc_status status = read_block(&f, &field, blocks[_i].text);
    if (f.diags.count)
        f.diags.items[0].loc.line -= SCHEMA_LINES;
    if (status == LC_OK && blocks[_i].attribute[0]) {
        field.value = lc_value_attr(field.value, lc_str_from_c(blocks[_i].attribute));
        ck_assert_ptr_nonnull(field.value);
    }
    check_alternatives(blocks[_i].name, shown(&f, &field, status), blocks[_i].want);
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Sensitive places and where things stand. */

static const struct {
    const char *name, *text, *want;
} marks[] = {
    {"none", "name: a", ""},
    {"an attribute", "name: !sensitive a", ".name "},
    {"a key", "tags: {a: {$sensitive: x}, b: y}", ".tags[\"a\"] "},
    {"below a list", "disk:\n  - {size: 1}\n  - {size: !sensitive 2}", ".disk[1].size "},
    {"below a set the set", "rule:\n  - {port: !sensitive 2}", ".rule "},
    {"the root", "!sensitive {name: a}", ". "},
};

START_TEST(test_sensitive)
{
    fixture f;
    lc_field field;
    lc_buf buf = {0};
    ck_assert_int_eq(read_block(&f, &field, marks[_i].text), LC_OK);
    for (size_t i = 0; i < f.reader.sensitive.count; i++) {
        lc_path_add_text(&buf, f.reader.sensitive.items[i]);
        lc_buf_add_char(&buf, ' ');
    }
    check_text(marks[_i].name, lc_str_to_c(f.arena, lc_buf_str(&buf)), marks[_i].want);
    lc_buf_release(&buf);
    lc_arena_free(f.arena);
}
END_TEST

static const struct {
    const char *name, *text, *path;
    unsigned line, column;
} places[] = {
    {"the object", "name: a", ".", 1, 1},
    {"an attribute", "name: a", ".name", 1, 7},
    {"an attribute that is not written", "name: a", ".password", 1, 1},
    {"a key", "tags:\n  a: x\n  b: y", ".tags[\"b\"]", 3, 6},
    {"a key that is not written", "tags:\n  a: x", ".tags[\"c\"]", 2, 3},
    {"an item", "disk:\n  - size: 1\n  - size: 2", ".disk[1].size", 3, 11},
    {"an item that is not there", "disk:\n  - size: 1", ".disk[4].size", 2, 3},
    {"behind a marker", "tags: {$sensitive: {a: x}}", ".tags[\"a\"]", 1, 24},
    {"behind a typed value", "free:\n  - any: !typed {type: 'list(string)', value: [a, b]}",
     ".free[0].any[1]", 2, 51},
    {"nothing behind an unknown", "name: {$unknown: {prefix: a}}", ".name.prefix", 1, 7},
    {"the only element of a set", "rule:\n  - {port: 1}", ".rule[...].port", 2, 12},
    {"any element of a set", "rule:\n  - {port: 1}\n  - {port: 2}", ".rule[...].port", 2, 3},
};

START_TEST(test_places)
{
    fixture f;
    lc_field field;
    lc_path path;
    lc_str why;
    size_t at;
    ck_assert_int_eq(read_block(&f, &field, places[_i].text), LC_OK);
    bool ok = lc_path_parse(&path, f.arena, lc_str_from_c(places[_i].path), false, &why, &at);
    ck_assert_msg(ok, "%s: the path does not parse", places[_i].name);
    lc_loc loc = field.locator.locate(field.locator.context, path);
    ck_assert_msg(loc.line == places[_i].line + SCHEMA_LINES && loc.column == places[_i].column,
                  "%s: is %u:%u, want %u:%u", places[_i].name, loc.line - SCHEMA_LINES, loc.column,
                  places[_i].line, places[_i].column);
    lc_arena_free(f.arena);
}
END_TEST

/* An element of a set is found again by its value. */
START_TEST(test_place_of_element)
{
    fixture f;
    lc_field field;
    ck_assert_int_eq(
        read_block(&f, &field, "rule:\n  - {port: 3}\n  - {port: 1}\n  - {port: 2, note: x}"),
        LC_OK);
    const lc_value *set = lc_value_attr(field.value, LC_STR("rule"));
    ck_assert_uint_eq(set->count, 3);
    bool seen[4] = {false};
    for (uint32_t i = 0; i < set->count; i++) {
        const lc_value *element = &set->as.many.elems[i];
        lc_step steps[] = {{LC_STEP_ATTR, LC_STR("rule"), 0, NULL},
                           {LC_STEP_ELEMENT, LC_STR_EMPTY, 0, element},
                           {LC_STEP_ATTR, LC_STR("port"), 0, NULL}};
        lc_loc loc = field.locator.locate(field.locator.context, (lc_path){steps, 3});
        int64_t port;
        ck_assert(lc_num_to_int64(lc_value_attr(element, LC_STR("port"))->as.number, &port));
        static const unsigned lines[] = {0, 3, 4, 2};
        ck_assert_uint_eq(loc.line, lines[port] + SCHEMA_LINES);
        ck_assert_uint_eq(loc.column, 12);
        seen[port] = true;
    }
    ck_assert(seen[1] && seen[2] && seen[3]);
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Raw state and limits. */

static const struct {
    const char *name, *text, *want;
} raws[] = {
    {"object", "{a: 1, b: [x, null]}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1), "
     "\"b\":cty.TupleVal([]cty.Value{cty.StringVal(\"x\"), "
     "cty.NullVal(cty.DynamicPseudoType)})})"},
    {"quoted number is text", "{a: \"1\"}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"1\")})"},
    {"sensitive", "{a: !sensitive x}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\")})"},
    {"unknown", "{a: !unknown }", "error 1:5:"},
    {"typed", "{a: {$typed: {type: string, value: x}}}", "error 1:5:"},
};

START_TEST(test_raw)
{
    fixture f;
    lc_field field;
    fixture_open(&f, raws[_i].text, false);
    lc_status status = lc_read_raw(&field, &f.reader, &f.source.documents[0]);
    check_text(raws[_i].name, shown(&f, &field, status), raws[_i].want);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(test_limit_of_values)
{
    fixture f;
    lc_field field;
    fixture_open(&f, "- [1, 2]\n- [1, 2]\n- [1, 2]", false);
    f.reader.limits.nodes = 6;
    lc_status status = lc_read_typed(&field, &f.reader, &f.source.documents[0],
                                     parse_type(&f, "list(list(number))"));
    ck_assert_int_eq(status, LC_ELIMIT);
    ck_assert_uint_eq(f.diags.errors, 1);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(test_limit_of_depth)
{
    fixture f;
    lc_field field;
    fixture_open(&f, "[[[[1]]]]", false);
    f.reader.limits.depth = 3;
    ck_assert_int_ne(lc_read_typed(&field, &f.reader, &f.source.documents[0], &lc_type_dynamic),
                     LC_OK);
    ck_assert_uint_eq(f.diags.errors, 1);
    lc_arena_free(f.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("read_value");
    TCase *tc = tcase_create("read_value");
    ADD_ROWS(tc, test_by_type, rows);
    ADD_ROWS(tc, test_blocks, blocks);
    ADD_ROWS(tc, test_sensitive, marks);
    ADD_ROWS(tc, test_places, places);
    tcase_add_test(tc, test_place_of_element);
    ADD_ROWS(tc, test_raw, raws);
    tcase_add_test(tc, test_limit_of_values);
    tcase_add_test(tc, test_limit_of_depth);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

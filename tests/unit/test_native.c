/* The native syntax: which errors a string has, in which order and where, as HCL 2.24 reports them;
 * bodies, places, templates, references without evaluation, and limits. */
#include "lifecheck/configuration/native.h"
#include "lifecheck/yaml_json/node.h"
#include "unit.h"

#include <string.h>

typedef struct text {
    lc_arena *arena;
    lc_source source;
    lc_native native;
} text;

static text parsed(lc_str in)
{
    text t = {.arena = lc_arena_new()};
    lc_source *source = LC_NEW(t.arena, lc_source);
    source->file = LC_STR("main.tf");
    source->text = in;
    lc_native_parse(&t.native, t.arena, source);
    return t;
}

static lc_str place_text(lc_arena *arena, lc_source_pos place)
{
    lc_loc loc = lc_source_pos_loc(place);
    return lc_str_printf(arena, "%u:%u", loc.line, loc.column);
}

/* `summary|line:column;` for each error. An empty summary is a limit of lifecheck. */
static lc_str errors_text(lc_arena *arena, const lc_eval_error *errors)
{
    lc_buf buf = {0};
    for (; errors; errors = errors->next) {
        lc_buf_add_str(&buf, errors->summary);
        lc_buf_add_char(&buf, '|');
        lc_buf_add_str(&buf, place_text(arena, errors->place));
        lc_buf_add_char(&buf, ';');
    }
    return lc_buf_take(arena, &buf);
}

/* ---- Errors. */

static const struct {
    const char *in, *errors;
} errors[] = {
    /* A letter that Unicode got after its version 9, and one that it had before. */
    {"\xE1\xB2\x90 = 1\n", "Invalid character|1:1;Argument or block definition required|1:1;"},
    {"\xE1\x83\x90 = @\n", "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = 1\na = 2", "Attribute redefined|2:1;"},
    {"a = 1, b = 2\n", "Unexpected comma after argument|1:6;"},
    {"a = 1 2\n", "Missing newline after argument|1:7;"},
    {"a 1\n", "Argument or block definition required|1:1;"},
    {"a\n", "Argument or block definition required|1:1;"},
    {"a = \n", "Invalid expression|1:5;"},
    {"a =", "Missing expression|1:4;"},
    {"\"a\" = 1\n", "Invalid argument name|1:1;"},
    {"= 1\n", "Argument or block definition required|1:1;"},
    {"b {", "Unclosed configuration block|1:3;"},
    {"b {\n  a = 1\n", "Unclosed configuration block|1:3;"},
    {"b \"x\n", "Invalid multi-line string|1:5;Invalid string literal|1:5;"},
    {"b \"${x}\" {\n}\n", "Invalid string literal|1:4;"},
    {"b = {\n", "Missing expression|2:1;"},
    {"b x = 1\n", "Invalid block definition|1:5;"},
    {"b x\n{\n}\n", "Invalid block definition|1:4;"},
    {"b \"x\" 1 {\n}\n", "Invalid block definition|1:7;"},
    {"b { a = 1, c = 2 }\n", "Invalid single-argument block definition|1:10;"},
    {"b { a = 1\n}\n", "Invalid single-argument block definition|1:10;"},
    {"b { c {} }\n", "Argument definition required|1:5;"},
    {"b { a }\n", "Argument or block definition required|1:5;"},
    {"b { 1 }\n", "Argument or block definition required|1:5;"},
    {"b { a = 1 c }\n", "Invalid single-argument block definition|1:11;"},
    {"b { a = 1", "Unclosed configuration block|1:3;"},
    {"b {} c {}\n", "Missing newline after block definition|1:6;"},
    {"}\n", "Argument or block definition required|1:1;"},
    {"a = (1\n", "Unbalanced parentheses|2:1;"},
    {"a = (1 2)\n", "Unbalanced parentheses|1:8;"},
    {"a = [1 2]\n", "Missing item separator|1:8;"},
    {"a = [1", "Unterminated tuple constructor expression|1:5;"},
    {"a = {\n  x\n}\n", "Missing attribute value|2:4;"},
    {"a = {x 1}\n", "Missing key/value separator|1:8;"},
    {"a = {x = 1 y = 2}\n", "Missing attribute separator|1:12;"},
    {"a = {x = 1", "Unterminated object constructor expression|1:5;"},
    {"a = {", "Missing expression|1:6;"},
    {"a = f(1 2)\n", "Missing argument separator|1:9;"},
    {"a = f(1", "Unterminated function call|1:5;"},
    {"a = f(x... , 1)\n", "Missing closing parenthesis|1:8;"},
    {"a = f::()\n", "Missing function name|1:8;"},
    {"a = f::g\n", "Missing open parenthesis|1:9;"},
    {"a = x[1\nb = 2\n", "Missing close bracket on index|3:1;"},
    {"a = x[*\n", "Missing close bracket on splat index|2:1;"},
    {"a = x[*}]\n", "Missing close bracket on splat index|1:9;"},
    {"a = x.\n", "Invalid attribute name|1:7;"},
    {"a = x.*.*\n", "Nested splat expression not allowed|1:9;"},
    {"a = x.*.1.2\n", "Invalid legacy index syntax|1:7;"},
    {"a = x.0.1\n", "Invalid legacy index syntax|1:7;"},
    {"a = 1..2\n", "Invalid number literal|1:5;"},
    {"a = true ? 1\n", "Missing false expression in conditional|1:13;"},
    {"a = [for x y]\n", "Invalid 'for' expression|1:12;"},
    {"a = [for]\n", "Invalid 'for' expression|1:9;"},
    {"a = [for a, in b: 1]\n", "Invalid 'for' expression|1:16;"},
    {"a = [for x in y 1]\n", "Invalid 'for' expression|1:17;"},
    {"a = {for x in y: x}\n", "Invalid 'for' expression|1:18;"},
    {"a = [for x in y: x => x]\n", "Invalid 'for' expression|1:18;"},
    {"a = [for x in y: x...]\n", "Invalid 'for' expression|1:19;"},
    {"a = [for x in y: x if]\n", "Invalid expression|1:22;"},
    {"a = [for x in y: x z]\n", "Invalid 'for' expression|1:20;"},
    {"a = \"x\n", "Invalid multi-line string|1:7;Unterminated template string|1:7;"},
    {"a = \"x\ny\"\n", "Invalid multi-line string|1:7;Unterminated template string|1:7;"},
    {"a = \"\\q \\u12 \\ud800 \\U00110000\"\n",
     "Invalid escape sequence|1:6;Invalid escape sequence|1:9;Invalid escape sequence|1:14;Invalid "
     "escape sequence|1:21;"},
    {"a = \"${x\"\n",
     "Invalid multi-line string|1:10;Unclosed template interpolation sequence|1:6;"},
    {"a = \"${x y}\"\n", "Extra characters after interpolation expression|1:10;"},
    {"a = \"${x : y}\"\n", "Extra characters after interpolation expression|1:10;"},
    {"a = \"${", "Missing expression|1:8;"},
    {"a = \"%{x}\"\n", "Invalid template control keyword|1:8;"},
    {"a = \"%{ 1 }\"\n", "Invalid template directive|1:9;"},
    {"a = \"%{if x}\"\n", "Unexpected end of template|1:13;"},
    {"a = \"%{for x in y}\"\n", "Unexpected end of template|1:19;"},
    {"a = \"%{else}%{endif}%{endfor}\"\n", "Unexpected else directive|1:6;Unexpected endif "
                                           "directive|1:13;Unexpected endfor directive|1:21;"},
    {"a = \"%{if x}%{else}%{else}%{endif}\"\n",
     "Unexpected else directive|1:20;Unexpected endif directive|1:27;"},
    {"a = \"%{for x in y}%{else}%{endfor}\"\n",
     "Unexpected else directive|1:19;Unexpected endfor directive|1:26;"},
    {"a = \"%{if x}%{endfor}\"\n", "Unexpected endfor directive|1:13;"},
    {"a = \"%{if x y}%{endif}\"\n", "Extra characters in if marker|1:13;"},
    {"a = \"%{else x}\"\n", "Extra characters in else marker|1:13;Unexpected else directive|1:6;"},
    {"a = \"%{for}\"\n", "Invalid 'for' directive|1:11;"},
    {"a = \"%{for a, in b}\"\n", "Invalid 'for' directive|1:18;"},
    {"a = \"%{for a of b}\"\n", "Invalid 'for' directive|1:14;"},
    {"a = <<E\nx\n", "Unterminated template string|3:1;"},
    {"a = <<E\nx\rE\n", "Invalid character|2:2;Unterminated template string|2:2;"},
    {"a = 'x'\n", "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = `x`\n", "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = 1;\nb = 2;\n", "Invalid character|1:6;Missing newline after argument|1:6;"},
    {"a = b & c | d ^ ~e\n",
     "Unsupported operator|1:7;Unsupported operator|1:11;Unsupported operator|1:15;Unsupported "
     "operator|1:17;Missing newline after argument|1:7;"},
    {"a = @\n", "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = \"\xE2\x80\x9C\"\nb = \xE2\x80\x9Cx\xE2\x80\x9D\n",
     "Invalid character|2:5;Invalid character|2:7;Invalid expression|2:5;"},
    {"a = \xC3\xA9\xCC\x81 +\n", "Invalid expression|1:8;"},
    {"a = \"e\xCC\x81\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\" @\n",
     "Invalid character|1:10;Missing newline after argument|1:10;"},
    {"\xEF\xBB\xBF"
     "a = @\n",
     "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = \xEF\xBB\xBF"
     "1\n",
     "Invalid character|1:5;Invalid expression|1:5;"},
    {"a = /* x\n", "Invalid expression|1:5;"},
    {"a = 1 # x\n@", "Invalid character|2:1;Argument or block definition required|2:1;"},
    {"a = 1\r\nb = @\r\n", "Invalid character|2:5;Invalid expression|2:5;"},
    {"a = {\n  b.c = 1,,\n}\n", "Invalid expression|2:11;"},
    {"# x\nb \"y\" {\n  a = [\n    1,\n    x.,\n  ]\n  c = )\n}\nd = 1 1\n",
     "Invalid attribute name|5:7;"},
};

START_TEST(errors_are_those_of_hcl)
{
    text t = parsed(lc_str_from_c(errors[_i].in));
    CHECK_TEXT(errors[_i].in, errors_text(t.arena, t.native.errors),
               lc_str_from_c(errors[_i].errors));
    for (const lc_eval_error *e = t.native.errors; e; e = e->next)
        ck_assert_uint_gt(e->detail.len, 0);
    lc_arena_free(t.arena);
}
END_TEST

/* The index of lines gives the same places. */
START_TEST(places_are_the_same_by_lines)
{
    text t = parsed(lc_str_from_c(errors[_i].in));
    const lc_lines *lines = lc_lines_new(t.arena, t.native.source);
    for (uint32_t at = 0; at <= t.native.source->text.len; at++) {
        lc_source_pos place = lc_native_pos(&t.native, at);
        lc_loc one = lc_source_pos_loc(place), other = lc_source_pos_loc_in(lines, place);
        ck_assert_uint_eq(one.line, other.line);
        ck_assert_uint_eq(one.column, other.column);
    }
    lc_arena_free(t.arena);
}
END_TEST

/* ---- Bodies. */

static void add_range(lc_buf *out, const text *t, lc_native_range range)
{
    lc_buf_add_str(out, place_text(t->arena, lc_native_pos(&t->native, range.from)));
    lc_buf_add_char(out, '-');
    lc_buf_add_str(out, place_text(t->arena, lc_native_pos(&t->native, range.to)));
    lc_buf_add_char(out, ' ');
}

static void add_body(lc_buf *out, const text *t, const lc_native_body *body);

static void add_argument(lc_buf *out, const text *t, const lc_native_argument *a)
{
    lc_buf_add_str(out, a->name);
    lc_buf_add_char(out, ' ');
    add_range(out, t, a->at);
    add_range(out, t, (lc_native_range){lc_expr_pos(a->expr).offset, lc_expr_end(a->expr).offset});
    lc_buf_printf(out, "<%.*s> ", LC_FMT(a->text));
}

static void add_block(lc_buf *out, const text *t, const lc_native_block *b)
{
    lc_buf_add_str(out, b->type);
    lc_buf_add_char(out, ' ');
    for (size_t i = 0; i < b->label_count; i++) {
        lc_buf_printf(out, "<%.*s> ", LC_FMT(b->labels[i].text));
        add_range(out, t, b->labels[i].at);
    }
    add_range(out, t, (lc_native_range){b->open.from, b->close.to});
    lc_buf_add_c(out, "{ ");
    add_body(out, t, b->body);
    lc_buf_add_c(out, "} ");
}

static void add_body(lc_buf *out, const text *t, const lc_native_body *body)
{
    size_t a = 0, b = 0;
    while (a < body->argument_count || b < body->block_count) {
        uint32_t next = (uint32_t)(a + b);
        if (a < body->argument_count && body->arguments[a].number == next) {
            add_argument(out, t, &body->arguments[a++]);
        } else {
            ck_assert(b < body->block_count && body->blocks[b].number == next);
            add_block(out, t, &body->blocks[b++]);
        }
    }
}

static const struct {
    const char *in, *body;
} bodies[] = {
    {"", ""},
    {"# only a comment", ""},
    {"a = 1", "a 1:1-1:2 1:5-1:6 <1> "},
    {"a = (1 +\n  2)\n", "a 1:1-1:2 1:5-2:5 <(1 +\n  2)> "},
    {"a = x[0].y.*.z # c\n", "a 1:1-1:2 1:5-1:15 <x[0].y.*.z> "},
    {"b {}\n", "b 1:3-1:5 { } "},
    {"b { a = 1 }\n", "b 1:3-1:12 { a 1:5-1:6 1:9-1:10 <1> } "},
    {"b x \"y z\" {\n  c {\n  }\n  a = [\n]\n}\n",
     "b <x> 1:3-1:4 <y z> 1:5-1:10 1:11-6:2 { c 2:5-3:4 { } a 4:3-4:4 4:7-5:2 <[\n]> } "},
    {"b \"\\u00e9$${\" {\n}\n", "b <\xC3\xA9${> 1:3-1:14 1:15-2:2 { } "},
    {"a = <<E\n x\nE\nb = 2\n", "a 1:1-1:2 1:5-3:2 <<<E\n x\nE> b 4:1-4:2 4:5-4:6 <2> "},
    {"\xEF\xBB\xBF\xC3\xA9 = \"e\xCC\x81\"\r\nb=1\r\n",
     "\xC3\xA9 1:1-1:2 1:5-1:8 <\"e\xCC\x81\"> b 2:1-2:2 2:3-2:4 <1> "},
};

START_TEST(bodies_are_read)
{
    text t = parsed(lc_str_from_c(bodies[_i].in));
    lc_buf buf = {0};
    ck_assert_ptr_null(t.native.errors);
    add_body(&buf, &t, t.native.body);
    CHECK_TEXT(bodies[_i].in, lc_buf_str(&buf), lc_str_from_c(bodies[_i].body));
    lc_buf_release(&buf);
    lc_arena_free(t.arena);
}
END_TEST

static const lc_native_argument *argument_of(const lc_native_body *body, lc_str name)
{
    for (size_t i = 0; i < body->argument_count; i++)
        if (lc_str_eq(body->arguments[i].name, name))
            return &body->arguments[i];
    return NULL;
}

/* What surrounds an error is there. */
START_TEST(the_rest_is_read)
{
    text t = parsed(LC_STR("a = 1\nb {\n  c = )\n}\nd = @\ne = 2\ne = 3\nf x {\n  g = 1\n}\n"));
    const lc_native_body *body = t.native.body;
    ck_assert_ptr_nonnull(t.native.errors);
    ck_assert_uint_eq(body->argument_count, 3);
    const lc_native_argument *e = argument_of(body, LC_STR("e"));
    ck_assert(e && lc_str_is(e->text, "2"));
    ck_assert_ptr_null(argument_of(body, LC_STR("g")));
    ck_assert_uint_eq(body->block_count, 2);
    ck_assert_ptr_nonnull(argument_of(body->blocks[1].body, LC_STR("g")));
    lc_arena_free(t.arena);
}
END_TEST

/* A name is looked for in another way once a body has many. */
START_TEST(many_arguments)
{
    lc_buf buf = {0};
    for (int i = 0; i < 100; i++)
        lc_buf_printf(&buf, "a%d = %d\n", i % 99, i);
    text t = parsed(lc_buf_str(&buf));
    CHECK_TEXT("one twice", errors_text(t.arena, t.native.errors),
               LC_STR("Attribute redefined|100:1;"));
    ck_assert_uint_eq(t.native.body->argument_count, 99);
    lc_buf_release(&buf);
    lc_arena_free(t.arena);
}
END_TEST

/* ---- Templates in JSON: places as if the decoded text stood behind the quote. */

static const struct {
    const char *json, *errors;
} templates[] = {
    {"'a ${b'", "Unclosed template interpolation sequence|1:2;"},
    {"'a ${b c}'", "Extra characters after interpolation expression|1:8;"},
    {"'\\u0061\\t${b c}'", "Extra characters after interpolation expression|1:8;"},
    {"'x\\ny${@}'", "Invalid character|2:4;Invalid expression|2:4;"},
    {"'e\xCC\x81\xC3\xA9${@}'", "Invalid character|1:6;Invalid expression|1:6;"},
    {"'%{endif}'", "Unexpected endif directive|1:2;"},
    {"'%{ if true }'", "Unexpected end of template|1:14;"},
};

START_TEST(templates_in_json)
{
    lc_arena *arena = lc_arena_new();
    lc_source source;
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    const lc_expr *e;
    lc_eval_error trouble;
    lc_diags_init(&diags, arena);
    ck_assert(lc_json_parse(&source, arena, LC_STR("x.json"), quoted(arena, templates[_i].json),
                            &limits, &diags) == LC_OK);
    const lc_node *node = &source.documents[0];
    ck_assert(
        !lc_template_parse(&e, arena, node->as.text, lc_source_pos_of(&source, node), &trouble));
    CHECK_TEXT(templates[_i].json, errors_text(arena, &trouble),
               lc_str_from_c(templates[_i].errors));
    lc_arena_free(arena);
}
END_TEST

/* ---- References. */

static const struct {
    const char *in, *references; /* that are looked up, in their order */
} references[] = {
    {"var.a + b.c[var.d].e", "var.a b.c[var.d].e var.d "},
    {"[for x in var.l: x.y if z.a]", "var.l z.a "},
    {"{for k, v in k.l: k => v...}", "k.l "},
    {"[for x in var.l: [for y in x: y + x + z.a]]", "var.l z.a "},
    {"\"%{ for x in var.l }${x}${y.a}%{ endfor }\"", "var.l y.a "},
    {"a.b[*].c[d.e]", "a.b d.e "},
    {"a.b.*.c.0", "a.b "},
    {"{a = b.c, (d.e) = 1, f.g = 2}", "b.c d.e f.g "},
    {"a.b.0", "a.b.0 "},
    {"x::y(a.b...)", "a.b "},
};

START_TEST(references_are_found)
{
    lc_arena *arena = lc_arena_new();
    const lc_expr *e;
    lc_eval_error trouble;
    lc_references found = {.arena = arena};
    lc_buf buf = {0};
    ck_assert(
        lc_expr_parse(&e, arena, lc_str_from_c(references[_i].in), (lc_source_pos){0}, &trouble));
    lc_expr_references(&found, e);
    for (size_t i = 0; i < found.list.count; i++)
        lc_buf_printf(&buf, "%.*s ", LC_FMT(found.list.items[i]->text));
    CHECK_TEXT(references[_i].in, lc_buf_str(&buf), lc_str_from_c(references[_i].references));
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *in,
        *first; /* the first name and the number of steps; "" if it is not a traversal */
} traversals[] = {
    {"a", "a 0"},
    {"a.b[0][\"c\"]", "a 3"},
    {"null.b", "null 1"},
    {"true", "true 0"},
    {"false[0].a", "false 2"},
    {"a[b.c]", ""},
    {"null[b.c]", ""},
    {"(a)", ""},
    {"\"a\"", ""},
    {"a.*.b", ""},
    {"a[*]", ""},
    {"1", ""},
    {"a.b.0", "a 2"},
    {"f().a", ""},
};

START_TEST(traversals_are_told_apart)
{
    lc_arena *arena = lc_arena_new();
    const lc_expr *e;
    lc_eval_error trouble;
    ck_assert(
        lc_expr_parse(&e, arena, lc_str_from_c(traversals[_i].in), (lc_source_pos){0}, &trouble));
    const lc_reference *ref = lc_expr_as_traversal(arena, e);
    lc_str got =
        ref ? lc_str_printf(arena, "%.*s %zu", LC_FMT(ref->head), ref->path_count) : LC_STR_EMPTY;
    CHECK_TEXT(traversals[_i].in, got, lc_str_from_c(traversals[_i].first));
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *in, *errors;
} bare[] = {
    {"a.b[0][\"c\"]", ""},
    {"a[b.c].d", "Index value required|1:3;"},
    {"null.x", ""},
    {"", "Variable name required|1:1;"},
    {"1", "Variable name required|1:1;"},
    {"a.", "Attribute name required|1:3;"},
    {"a.*", "Attribute name required|1:3;"},
    {"a[*]", "Attribute name required|1:3;"},
    {"a[]", "Index value required|1:3;"},
    {"a[1", "Unclosed index brackets|1:4;"},
    {"a b", "Invalid character|1:3;"},
    {"a.0", "Attribute name required|1:3;"},
    {"a[\"${b}\"]", "Invalid string literal|1:4;"},
};

START_TEST(bare_references)
{
    text t = parsed(LC_STR_EMPTY);
    lc_source source = {.text = lc_str_from_c(bare[_i].in), .native = true};
    const lc_expr *e;
    lc_eval_error trouble;
    bool ok =
        lc_traversal_parse(&e, t.arena, source.text, (lc_source_pos){&source, 0, 0}, &trouble);
    CHECK_TEXT(bare[_i].in, ok ? LC_STR_EMPTY : errors_text(t.arena, &trouble),
               lc_str_from_c(bare[_i].errors));
    ck_assert(!ok || lc_expr_reference(e));
    lc_arena_free(t.arena);
}
END_TEST

/* ---- Limits. */

static const struct {
    const char *open, *middle, *close;
} nested[] = {
    {"[", "", "]"},       {"(", "1", ")"},       {"{a=", "1", "}"},
    {"\"${", "1", "}\""}, {"f(", "", ")"},       {"!", "true", ""},
    {"1+", "1", ""},      {"x ? 1 : ", "2", ""}, {"%{if x}", "", "%{endif}"},
    {"a[", "0", "]"},     {"a", "", "[*]"},      {"b {\n", "", "}\n"},
};

/* `count` levels as an argument, in a heredoc if they are directives, or as blocks. */
static lc_str levels(lc_arena *arena, size_t row, int count)
{
    lc_buf buf = {0};
    bool block = nested[row].open[0] == 'b', directive = nested[row].open[0] == '%';
    lc_buf_add_c(&buf, block ? "" : directive ? "v = \"" : "v = ");
    for (int i = 0; i < (strcmp(nested[row].close, "[*]") == 0 ? 1 : count); i++)
        lc_buf_add_c(&buf, nested[row].open);
    lc_buf_add_c(&buf, nested[row].middle);
    for (int i = 0; i < count; i++)
        lc_buf_add_c(&buf, nested[row].close);
    lc_buf_add_c(&buf, block ? "" : directive ? "\"\n" : "\n");
    return lc_buf_take(arena, &buf);
}

START_TEST(levels_are_limited)
{
    lc_arena *arena = lc_arena_new();
    text t = parsed(levels(arena, (size_t)_i, 600));
    CHECK_TEXT(nested[_i].open, errors_text(t.arena, t.native.errors), LC_STR_EMPTY);
    lc_arena_free(t.arena);
    t = parsed(levels(arena, (size_t)_i, 10000));
    ck_assert_ptr_nonnull(t.native.errors);
    CHECK_TEXT(nested[_i].open, t.native.errors->summary, LC_STR_EMPTY);
    CHECK_TEXT(nested[_i].open, t.native.errors->detail, LC_STR("this is nested too deeply"));
    ck_assert_ptr_null(t.native.errors->next);
    lc_arena_free(t.arena);
    lc_arena_free(arena);
}
END_TEST

START_TEST(sizes_are_limited)
{
    size_t len = ((size_t)32 << 20) + 1;
    char *bytes = malloc(len);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = '\n';
    text t = parsed((lc_str){bytes, len - 1});
    ck_assert_ptr_null(t.native.errors);
    lc_arena_free(t.arena);
    t = parsed((lc_str){bytes, len});
    CHECK_TEXT("32 MiB", errors_text(t.arena, t.native.errors), LC_STR("|1:1;"));
    ck_assert_uint_eq(t.native.body->argument_count, 0);
    lc_arena_free(t.arena);
    free(bytes);
}
END_TEST

/* Errors of which there may be any number. */
START_TEST(errors_are_limited)
{
    lc_buf buf = {0};
    for (int i = 0; i < 3000; i++)
        lc_buf_add_c(&buf, "a = 1\n");
    text t = parsed(lc_buf_str(&buf));
    size_t count = 0;
    const lc_eval_error *last = NULL;
    for (const lc_eval_error *e = t.native.errors; e; e = e->next, count++)
        last = e;
    ck_assert_uint_eq(count, 1000);
    ck_assert_uint_eq(last->summary.len, 0);
    lc_buf_release(&buf);
    lc_arena_free(t.arena);
}
END_TEST

/* What the parser notes of words that are not ASCII does not depend on what follows a key. */
START_TEST(keys_with_dots)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "a = {\n");
    for (int i = 0; i < 20000; i++)
        lc_buf_add_c(&buf, "  \xc3\xa9.b = 1\n");
    lc_buf_add_c(&buf, "}\n");
    text t = parsed(lc_buf_str(&buf));
    ck_assert_ptr_null(t.native.errors);
    ck_assert_uint_eq(t.native.source->break_count, 40000);
    lc_buf_release(&buf);
    lc_arena_free(t.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("native");
    TCase *tc = tcase_create("native");
    ADD_ROWS(tc, errors_are_those_of_hcl, errors);
    ADD_ROWS(tc, places_are_the_same_by_lines, errors);
    ADD_ROWS(tc, bodies_are_read, bodies);
    tcase_add_test(tc, the_rest_is_read);
    tcase_add_test(tc, many_arguments);
    ADD_ROWS(tc, templates_in_json, templates);
    ADD_ROWS(tc, references_are_found, references);
    ADD_ROWS(tc, traversals_are_told_apart, traversals);
    ADD_ROWS(tc, bare_references, bare);
    ADD_ROWS(tc, levels_are_limited, nested);
    tcase_add_test(tc, sizes_are_limited);
    tcase_add_test(tc, errors_are_limited);
    tcase_add_test(tc, keys_with_dots);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* The parser of expressions and templates: HCL's native expression syntax without heredocs and
 * template directives. A recursive descent; errors have HCL's summaries. An empty summary means
 * that HCL would accept the text and only this parser does not. */
#include "configuration/expression/tree.h"

#include "lifecheck/ascii.h"
#include "lifecheck/core_message.h"
#include "lifecheck/utf8.h"

/* The state of parsing one text. */
typedef struct parser {
    lc_arena *arena;
    lc_str text;
    size_t at;
    lc_source_pos place;        /* position of the text's first byte */
    const lc_expr_names *names; /* declared by `for` expressions around */
    unsigned depth;             /* of the recursion, bounded by LC_EXPR_MAX_HEIGHT */
    bool failed;
    bool any_name;    /* at the beginning, keywords such as `null` are names */
    size_t space_end; /* where the last skipped white space ended */
    bool line_break;  /* it contained a line break */
    lc_eval_error *trouble;
} parser;

static const lc_expr *parse_expr(parser *p);
static const lc_expr *parse_parts(parser *p, bool quoted);

static lc_source_pos place_at(const parser *p, size_t at)
{
    lc_source_pos place = p->place;
    place.offset += (uint32_t)at;
    return place;
}

/* Records an error; the first one is kept. Always returns NULL. */
static const lc_expr *fail(parser *p, size_t at, const char *summary, const char *detail)
{
    if (!p->failed)
        *p->trouble =
            (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), place_at(p, at), NULL};
    p->failed = true;
    return NULL;
}

static const lc_expr *fail_syntax(parser *p, const char *detail)
{
    return fail(p, p->at, LC_SUMMARY_INVALID_EXPRESSION, detail);
}

/* A new node, or NULL with an error if the tree becomes too high. */
static lc_expr *node(parser *p, lc_expr_kind kind, size_t at, const lc_expr *const *items,
                     size_t count)
{
    lc_expr *e = lc_expr_new(p->arena, kind, place_at(p, at), items, count);
    if (!e)
        fail(p, at, "", "the expression is nested too deeply");
    return e;
}

/* A node with one or two items; `b` may be NULL. */
static const lc_expr *two(parser *p, lc_expr_kind kind, size_t at, const lc_expr *a,
                          const lc_expr *b)
{
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 2);
    items[0] = a;
    items[1] = b;
    return node(p, kind, at, items, b ? 2 : 1);
}

/* ---- Characters. */

static bool looking_at(const parser *p, const char *what)
{
    return lc_str_starts_with(lc_str_sub(p->text, p->at, p->text.len), lc_str_from_c(what));
}

/* Comments: `#` or `//` to the end of the line, or up to the closing mark. */
static void skip_comment(parser *p)
{
    bool line = !looking_at(p, "/*");
    p->at += line ? 1 : 2;
    while (p->at < p->text.len && !(line ? p->text.ptr[p->at] == '\n' : looking_at(p, "*/")))
        p->at++;
    if (!line)
        p->at = p->at + 2 > p->text.len ? p->text.len : p->at + 2;
}

static void skip_space(parser *p)
{
    size_t from = p->at;
    bool line = false;
    while (p->at < p->text.len) {
        char c = p->text.ptr[p->at];
        line |= c == '\n';
        if (lc_is_space(c))
            p->at++;
        else if (c == '#' || looking_at(p, "//") || looking_at(p, "/*"))
            skip_comment(p);
        else
            break;
    }
    if (p->at > from) {
        p->space_end = p->at;
        p->line_break = line;
    }
}

/* True if a line break precedes the next token. Remembered by position, because several callers
 * skip the same white space. */
static bool at_line(parser *p)
{
    skip_space(p);
    return p->line_break && p->space_end == p->at;
}

/* The next character after space, or 0. */
static char peek(parser *p)
{
    skip_space(p);
    return p->at < p->text.len ? p->text.ptr[p->at] : '\0';
}

static bool take(parser *p, const char *what)
{
    skip_space(p);
    if (!looking_at(p, what))
        return false;
    p->at += lc_str_from_c(what).len;
    return true;
}

/* Any non-ASCII character is accepted; HCL restricts them to Unicode identifiers. */
static bool starts_name(char c)
{
    return lc_is_letter(c) || c == '_' || (unsigned char)c >= 0x80;
}

static lc_str take_name(parser *p)
{
    size_t from = p->at;
    while (p->at < p->text.len &&
           (starts_name(p->text.ptr[p->at]) ||
            (p->at > from && (lc_is_digit(p->text.ptr[p->at]) || p->text.ptr[p->at] == '-'))))
        p->at++;
    return lc_str_sub(p->text, from, p->at);
}

static lc_str take_digits(parser *p)
{
    size_t from = p->at;
    while (p->at < p->text.len && lc_is_digit(p->text.ptr[p->at]))
        p->at++;
    return lc_str_sub(p->text, from, p->at);
}

/* ---- Literals. */

static const lc_expr *literal(parser *p, size_t at, const lc_value *slot)
{
    return lc_expr_value(p->arena, place_at(p, at), slot);
}

static const lc_expr *text_literal(parser *p, size_t at, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, p->arena, text);
    return literal(p, at, &v);
}

/* Digits, fraction and exponent; an `e` without digits does not belong to the number. */
static const lc_expr *parse_number(parser *p)
{
    size_t from = p->at;
    take_digits(p);
    if (p->at + 1 < p->text.len && p->text.ptr[p->at] == '.' &&
        lc_is_digit(p->text.ptr[p->at + 1])) {
        p->at++;
        take_digits(p);
    }
    if (p->at < p->text.len && (p->text.ptr[p->at] | 0x20) == 'e') {
        size_t before = p->at++;
        if (p->at < p->text.len && (p->text.ptr[p->at] == '+' || p->text.ptr[p->at] == '-'))
            p->at++;
        if (take_digits(p).len == 0)
            p->at = before;
    }
    lc_num n;
    if (lc_num_from_text(&n, p->arena, lc_str_sub(p->text, from, p->at), LC_MAX_DIGITS) !=
        LC_NUM_OK)
        return fail(p, from, LC_SUMMARY_NUMBER_LITERAL, "the number cannot be read");
    lc_value v;
    lc_value_set_number(&v, n);
    return literal(p, from, &v);
}

/* ---- Templates. */

/* A code point: `digits` hexadecimal digits after the backslash and its letter. */
static bool add_code_point(parser *p, lc_buf *buf, size_t digits)
{
    uint32_t rune = 0;
    char bytes[4];
    for (size_t i = 0; i < digits; i++) {
        size_t at = p->at + 2 + i;
        char c = at < p->text.len ? p->text.ptr[at] : '\0';
        int digit = lc_hex_digit(c);
        if (digit < 0) {
            fail(p, p->at, LC_SUMMARY_ESCAPE_SEQUENCE, "hexadecimal digits are expected here");
            return false;
        }
        rune = rune << 4 | (uint32_t)digit;
    }
    if (rune > 0x10FFFF || (rune >= 0xD800 && rune <= 0xDFFF)) {
        fail(p, p->at, LC_SUMMARY_ESCAPE_SEQUENCE, "there is no such character");
        return false;
    }
    lc_buf_add(buf, bytes, lc_utf8_put(bytes, rune));
    p->at += 2 + digits;
    return true;
}

/* A backslash escape of a quoted template. */
static bool add_escape(parser *p, lc_buf *buf)
{
    static const char from[] = "nrt\"\\", to[] = "\n\r\t\"\\";
    char c = p->at + 1 < p->text.len ? p->text.ptr[p->at + 1] : '\0';
    for (size_t i = 0; c && i < sizeof(from) - 1; i++)
        if (c == from[i]) {
            lc_buf_add_char(buf, to[i]);
            p->at += 2;
            return true;
        }
    if (c == 'u' || c == 'U')
        return add_code_point(p, buf, c == 'u' ? 4 : 8);
    fail(p, p->at, LC_SUMMARY_ESCAPE_SEQUENCE, "this is no escape sequence of the language");
    return false;
}

/* Appends literal text up to the next `${` or `%{`, the end or the closing quote. The escapes `$${`
 * and `%%{` lose one sign. */
static bool take_text(parser *p, bool quoted, lc_buf *buf)
{
    while (p->at < p->text.len) {
        if (looking_at(p, "$${") || looking_at(p, "%%{")) {
            lc_buf_add_str(buf, lc_str_sub(p->text, p->at + 1, p->at + 3));
            p->at += 3;
        } else if (looking_at(p, "${") || looking_at(p, "%{") ||
                   (quoted && p->text.ptr[p->at] == '"')) {
            return true;
        } else if (quoted && p->text.ptr[p->at] == '\\') {
            if (!add_escape(p, buf))
                return false;
        } else {
            lc_buf_add_char(buf, p->text.ptr[p->at++]);
        }
    }
    return true;
}

/* For the strip marker `~`. */
static void trim_end(lc_buf *buf)
{
    while (buf->len > 0 && lc_is_space(buf->ptr[buf->len - 1]))
        buf->len--;
}

typedef struct parts {
    LC_VEC(const lc_expr *) list;
} parts;

static void add_part(parser *p, parts *list, const lc_expr *part)
{
    *LC_PUSH(p->arena, &list->list, const lc_expr *) = part;
}

static void add_text(parser *p, parts *list, size_t at, const lc_buf *buf)
{
    if (buf->len > 0)
        add_part(p, list, text_literal(p, at, lc_buf_copy(p->arena, buf)));
}

/* One `${ expr }`. The strip markers `~` remove white space before and after it; the text before is
 * in `buf`. */
static bool take_interpolation(parser *p, parts *list, size_t text_at, lc_buf *buf)
{
    if (looking_at(p, "%{")) {
        fail(p, p->at, "", "directives of templates are not evaluated");
        return false;
    }
    p->at += 2;
    if (take(p, "~"))
        trim_end(buf);
    add_text(p, list, text_at, buf);
    lc_buf_clear(buf);
    const lc_expr *e = parse_expr(p);
    if (!e)
        return false;
    add_part(p, list, e);
    bool strip = take(p, "~");
    if (!take(p, "}")) {
        fail(p, p->at, LC_SUMMARY_EXTRA_IN_INTERPOLATION,
             "expected a closing brace to end the interpolation");
        return false;
    }
    while (strip && p->at < p->text.len && lc_is_space(p->text.ptr[p->at]))
        p->at++;
    return true;
}

/* A template of one part is that part, so that a single interpolation keeps its type. */
static const lc_expr *join_parts(parser *p, size_t from, const parts *list)
{
    if (list->list.count == 0)
        return text_literal(p, from, LC_STR_EMPTY);
    if (list->list.count == 1)
        return list->list.items[0];
    return node(p, LC_EXPR_TEMPLATE, from, list->list.items, list->list.count);
}

/* The parts of a template. `quoted`: it ends at a quote and has backslash escapes. */
static const lc_expr *parse_parts(parser *p, bool quoted)
{
    size_t from = p->at;
    parts list = {0};
    lc_buf buf = {0};
    bool ok = true;
    while (ok) {
        size_t text_at = p->at;
        ok = take_text(p, quoted, &buf);
        if (!ok)
            break;
        if (p->at >= p->text.len || p->text.ptr[p->at] == '"') {
            add_text(p, &list, text_at, &buf);
            break;
        }
        ok = take_interpolation(p, &list, text_at, &buf);
    }
    lc_buf_release(&buf);
    return ok ? join_parts(p, from, &list) : NULL;
}

static const lc_expr *parse_quoted(parser *p)
{
    size_t from = p->at++;
    const lc_expr *e = parse_parts(p, true);
    if (!e)
        return NULL;
    if (p->at >= p->text.len)
        return fail(p, from, LC_SUMMARY_INVALID_EXPRESSION, "the quoted text does not end");
    p->at++;
    /* Within quotes one interpolation alone keeps its type, as everywhere. */
    return e;
}

/* ---- Collections. */

static const lc_expr *parse_for(parser *p, size_t from, bool object);

/* A name `for` begins a for expression only if another name follows: `[for]` is a tuple. */
static bool at_for(parser *p)
{
    skip_space(p);
    size_t before = p->at;
    bool is = lc_str_is(take_name(p), "for");
    if (is) {
        skip_space(p);
        is = p->at < p->text.len && starts_name(p->text.ptr[p->at]);
    }
    p->at = before;
    return is;
}

static const lc_expr *parse_tuple(parser *p)
{
    size_t from = p->at++;
    if (at_for(p))
        return parse_for(p, from, false);
    parts list = {0};
    while (!take(p, "]")) {
        const lc_expr *item = parse_expr(p);
        if (!item)
            return NULL;
        add_part(p, &list, item);
        if (!take(p, ",") && peek(p) != ']')
            return fail(p, p->at, LC_SUMMARY_ITEM_SEPARATOR, "expected a comma between items");
    }
    return node(p, LC_EXPR_TUPLE, from, list.list.items, list.list.count);
}

/* The key of an object member. A bare name is a literal key, not a reference. HCL rejects other
 * references as ambiguous unless they are in parentheses. */
static const lc_expr *parse_key(parser *p)
{
    skip_space(p);
    size_t from = p->at;
    if (p->at < p->text.len && starts_name(p->text.ptr[p->at])) {
        lc_str name = take_name(p);
        char next = peek(p);
        if (next == '=' || next == ':') {
            const lc_expr *literal = text_literal(p, from, name);
            lc_expr *key = LC_NEW(p->arena, lc_expr);
            *key = *literal;
            key->bare = true;
            return key;
        }
        p->at = from;
    }
    bool name = p->at < p->text.len && starts_name(p->text.ptr[p->at]);
    const lc_expr *key = parse_expr(p);
    if (key && name && lc_expr_reference(key) && (peek(p) == '=' || peek(p) == ':'))
        return fail(p, from, LC_SUMMARY_AMBIGUOUS_KEY, "an expression as a key is in parentheses");
    return key;
}

static const lc_expr *parse_object(parser *p)
{
    size_t from = p->at++;
    if (at_for(p))
        return parse_for(p, from, true);
    parts list = {0};
    while (!take(p, "}")) {
        const lc_expr *key = parse_key(p);
        if (!key)
            return NULL;
        if (!take(p, "=") && !take(p, ":"))
            return fail(p, p->at, LC_SUMMARY_KEY_VALUE_SEPARATOR, "expected an equals sign");
        const lc_expr *value = parse_expr(p);
        if (!value)
            return NULL;
        add_part(p, &list, key);
        add_part(p, &list, value);
        /* HCL accepts a line break instead of a comma between members. */
        bool line = at_line(p);
        if (!take(p, ",") && !line && peek(p) != '}')
            return fail(p, p->at, LC_SUMMARY_ATTRIBUTE_SEPARATOR,
                        "expected a comma or a line break");
    }
    return node(p, LC_EXPR_OBJECT, from, list.list.items, list.list.count);
}

static bool take_word(parser *p, const char *word)
{
    skip_space(p);
    size_t before = p->at;
    if (lc_str_is(take_name(p), word))
        return true;
    p->at = before;
    return false;
}

/* `for v in` or `for k, v in`. A single name is that of the value. */
static bool parse_for_names(parser *p, lc_for *loop)
{
    skip_space(p);
    loop->value_name = take_name(p);
    if (take(p, ",")) {
        loop->key_name = loop->value_name;
        skip_space(p);
        loop->value_name = take_name(p);
    }
    if (loop->value_name.len > 0 && take_word(p, "in"))
        return true;
    fail(p, p->at, LC_SUMMARY_FOR_EXPRESSION, "expected names and `in`");
    return false;
}

/* The part after the colon. The declared names are valid there, and not in the collection. */
static bool parse_for_result(parser *p, lc_for *loop, bool object)
{
    lc_expr_names scope = {p->names, loop->key_name, loop->value_name};
    p->names = &scope;
    const lc_expr *first = parse_expr(p);
    if (first && object) {
        loop->key = first;
        if (take(p, "=>"))
            loop->value = parse_expr(p);
        else
            fail(p, p->at, LC_SUMMARY_FOR_EXPRESSION, "expected => between key and value");
        loop->grouped = take(p, "...");
    } else {
        loop->value = first;
    }
    if (loop->value && take_word(p, "if"))
        loop->condition = parse_expr(p);
    p->names = scope.up;
    return loop->value && !p->failed;
}

/* `items` repeats the parts of the loop so that generic walks find references in them. */
static const lc_expr *parse_for(parser *p, size_t from, bool object)
{
    take_word(p, "for");
    lc_for *loop = LC_NEW(p->arena, lc_for);
    if (!parse_for_names(p, loop) || !(loop->collection = parse_expr(p)))
        return NULL;
    if (!take(p, ":"))
        return fail(p, p->at, LC_SUMMARY_FOR_EXPRESSION, "expected a colon");
    if (!parse_for_result(p, loop, object))
        return NULL;
    if (!take(p, object ? "}" : "]"))
        return fail(p, p->at, LC_SUMMARY_FOR_EXPRESSION, "expected the closing bracket");
    parts list = {0};
    add_part(p, &list, loop->collection);
    add_part(p, &list, loop->value);
    if (loop->key)
        add_part(p, &list, loop->key);
    if (loop->condition)
        add_part(p, &list, loop->condition);
    lc_expr *e = node(p, LC_EXPR_FOR, from, list.list.items, list.list.count);
    if (e)
        e->as.loop = loop;
    return e;
}

/* ---- Steps: `.name`, `[expr]`, splats. */

typedef struct steps {
    LC_VEC(lc_ref_step) list;
} steps;

/* A literal string or number as an index. */
static const lc_value *index_literal(const lc_expr *e)
{
    const lc_value *v = lc_expr_constant(e);
    if (!v || !lc_is_known(v))
        return NULL;
    return v->type->kind == LC_TYPE_STRING || v->type->kind == LC_TYPE_NUMBER ? v : NULL;
}

/* The rest of an index step, after its bracket. */
static bool parse_index(parser *p, lc_ref_step *step)
{
    step->kind = LC_REF_INDEX;
    step->index = parse_expr(p);
    if (!step->index)
        return false;
    step->key = index_literal(step->index);
    if (take(p, "]"))
        return true;
    fail(p, p->at, LC_SUMMARY_INDEX_BRACKET, "expected ] after the index");
    return false;
}

static bool parse_attr(parser *p, lc_ref_step *step)
{
    skip_space(p);
    step->kind = LC_REF_ATTR;
    bool digits = p->at < p->text.len && lc_is_digit(p->text.ptr[p->at]);
    step->name = digits ? take_digits(p) : take_name(p);
    if (step->name.len > 0)
        return true;
    fail(p, p->at, LC_SUMMARY_INVALID_ATTRIBUTE_NAME, "a name must follow the dot");
    return false;
}

/* Parses one step that is no splat. False: there is none, or (p->failed) an error. */
static bool parse_step(parser *p, lc_ref_step *step)
{
    skip_space(p);
    size_t before = p->at;
    *step = (lc_ref_step){.place = place_at(p, before)};
    if (looking_at(p, "...")) /* `...` after the last argument of a call is no step */
        return false;
    if (take(p, ".")) {
        if (peek(p) != '*')
            return parse_attr(p, step);
    } else if (take(p, "[")) {
        if (peek(p) != '*')
            return parse_index(p, step);
    }
    p->at = before;
    return false;
}

/* The offset of a step is converted back to a position in this text. */
static const lc_expr *apply_step(parser *p, const lc_expr *base, const lc_ref_step *step)
{
    size_t at = step->place.offset - p->place.offset;
    if (step->kind == LC_REF_INDEX)
        return two(p, LC_EXPR_INDEX, at, base, step->index);
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 1);
    items[0] = base;
    lc_expr *e = node(p, LC_EXPR_ATTR, at, items, 1);
    if (e)
        e->as.name = step->name;
    return e;
}

/* `only_attributes`: stop at an index, as the legacy splat `.*` does. */
static const lc_expr *parse_plain_steps(parser *p, const lc_expr *base, bool only_attributes)
{
    lc_ref_step step;
    while (base && !(only_attributes && peek(p) != '.') && parse_step(p, &step))
        base = apply_step(p, base, &step);
    return p->failed ? NULL : base;
}

/* `.*` applies only the attribute steps that follow to each element; `[*]` applies all steps. */
static const lc_expr *parse_splat(parser *p, const lc_expr *base)
{
    size_t from = p->at;
    bool full = take(p, "[");
    if (!full)
        take(p, ".");
    take(p, "*");
    if (full && !take(p, "]"))
        return fail(p, p->at, LC_SUMMARY_SPLAT_BRACKET, "expected ] after *");
    const lc_expr *element = node(p, LC_EXPR_ELEMENT, from, NULL, 0);
    element = parse_plain_steps(p, element, !full);
    return element ? two(p, LC_EXPR_SPLAT, from, base, element) : NULL;
}

/* Looks ahead for `[*]` or `.*`. */
static bool at_splat(parser *p)
{
    size_t before = p->at;
    bool is = (take(p, "[") || (!looking_at(p, "...") && take(p, "."))) && take(p, "*");
    p->at = before;
    return is;
}

static const lc_expr *parse_steps(parser *p, const lc_expr *base)
{
    base = parse_plain_steps(p, base, false);
    while (base && at_splat(p)) {
        base = parse_splat(p, base);
        if (base)
            base = parse_plain_steps(p, base, false);
    }
    return base;
}

/* ---- Names. */

static bool is_loop_name(const parser *p, lc_str name)
{
    for (const lc_expr_names *n = p->names; n; n = n->up)
        if (lc_str_eq(n->value, name) || (n->key.len > 0 && lc_str_eq(n->key, name)))
            return true;
    return false;
}

/* A reference with all its steps. Index expressions become items of the node, so that references in
 * them are found. */
static const lc_expr *parse_reference(parser *p, size_t from, lc_str head)
{
    steps list = {0};
    lc_ref_step step;
    size_t end = p->at;
    while (parse_step(p, &step)) {
        *LC_PUSH(p->arena, &list.list, lc_ref_step) = step;
        end = p->at;
    }
    if (p->failed)
        return NULL;
    lc_reference *ref = LC_NEW(p->arena, lc_reference);
    *ref = (lc_reference){.head = head,
                          .steps = list.list.items,
                          .count = list.list.count,
                          .path = list.list.items,
                          .path_count = list.list.count,
                          .place = place_at(p, from),
                          .text = lc_str_sub(p->text, from, end)};
    lc_reference_classify(ref);
    parts indices = {0};
    for (size_t i = 0; i < list.list.count; i++)
        if (list.list.items[i].index)
            add_part(p, &indices, list.list.items[i].index);
    lc_expr *e = node(p, LC_EXPR_REFERENCE, from, indices.list.items, indices.list.count);
    if (e)
        e->as.reference = ref;
    return e;
}

/* Arguments in parentheses; `...` is allowed after the last one. */
static const lc_expr *parse_call(parser *p, size_t from, lc_str name)
{
    parts list = {0};
    bool expand = false;
    take(p, "(");
    while (!take(p, ")")) {
        const lc_expr *arg = expand ? fail_syntax(p, "expected ) after ...") : parse_expr(p);
        if (!arg)
            return NULL;
        add_part(p, &list, arg);
        expand = take(p, "...");
        if (!take(p, ",") && peek(p) != ')')
            return fail(p, p->at, LC_SUMMARY_ARGUMENT_SEPARATOR, "expected a comma or )");
    }
    lc_expr *e = node(p, LC_EXPR_CALL, from, list.list.items, list.list.count);
    if (e) {
        e->as.name = name;
        e->expand = expand;
    }
    return e;
}

/* A function call, a keyword, a name that a `for` declares, or a reference. Function names may have
 * namespaces (`provider::x::f`). */
static const lc_expr *parse_word(parser *p)
{
    size_t from = p->at;
    lc_str name = take_name(p);
    while (looking_at(p, "::")) {
        p->at += 2;
        take_name(p);
        name = lc_str_sub(p->text, from, p->at);
    }
    if (peek(p) == '(')
        return parse_call(p, from, name);
    lc_value v;
    if (p->any_name && from == 0)
        return parse_reference(p, from, name);
    if (lc_str_is(name, "null"))
        lc_value_set_null(&v, &lc_type_dynamic);
    else if (lc_str_is(name, "true") || lc_str_is(name, "false"))
        lc_value_set_bool(&v, name.ptr[0] == 't');
    else if (!is_loop_name(p, name))
        return parse_reference(p, from, name);
    else {
        lc_expr *e = node(p, LC_EXPR_NAME, from, NULL, 0);
        if (e)
            e->as.name = name;
        return e;
    }
    return literal(p, from, &v);
}

/* ---- Operators. */

/* An operand without steps. Characters and constructs with a summary of their own come last. */
static const lc_expr *parse_term(parser *p)
{
    char c = peek(p);
    if (c == '(') {
        p->at++;
        const lc_expr *e = parse_expr(p);
        if (e && !take(p, ")"))
            return fail(p, p->at, LC_SUMMARY_PARENTHESES, "expected )");
        return e;
    }
    if (c == '"')
        return parse_quoted(p);
    if (c == '[')
        return parse_tuple(p);
    if (c == '{')
        return parse_object(p);
    if (lc_is_digit(c))
        return parse_number(p);
    if (starts_name(c))
        return parse_word(p);
    if (c == '@' || c == '\'' || c == '`' || c == '$' || c == ';')
        return fail(p, p->at, LC_SUMMARY_INVALID_CHARACTER,
                    "no expression begins with this character");
    if (c == '<' && looking_at(p, "<<"))
        return fail(p, p->at, "", "heredocs are not evaluated");
    return fail_syntax(p, "expected the start of an expression");
}

/* Unary operators bind tighter than binary ones, and looser than steps. */
static const lc_expr *parse_unary(parser *p)
{
    char c = peek(p);
    if (c != '!' && c != '-') {
        const lc_expr *term = parse_term(p);
        return term ? parse_steps(p, term) : NULL;
    }
    size_t from = p->at++;
    if (++p->depth > LC_EXPR_MAX_HEIGHT)
        return fail(p, from, "", "the expression is nested too deeply");
    const lc_expr *operand = parse_unary(p);
    p->depth--;
    if (!operand)
        return NULL;
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 1);
    items[0] = operand;
    lc_expr *e = node(p, LC_EXPR_UNARY, from, items, 1);
    if (e)
        e->op = c == '!' ? LC_OP_NOT : LC_OP_NEGATE;
    return e;
}

/* A binary operator with its precedence: a higher level binds tighter. */
typedef struct operator
{
    const char *text;
    lc_op op;
    unsigned level;
}
operator;

/* An operator that is a prefix of another one comes after it. */
static const operator operators[] = {
    {"||", LC_OP_OR, 0},        {"&&", LC_OP_AND, 1},        {"==", LC_OP_EQUAL, 2},
    {"!=", LC_OP_NOT_EQUAL, 2}, {"<=", LC_OP_LESS_EQUAL, 3}, {">=", LC_OP_MORE_EQUAL, 3},
    {"<", LC_OP_LESS, 3},       {">", LC_OP_MORE, 3},        {"+", LC_OP_ADD, 4},
    {"-", LC_OP_SUBTRACT, 4},   {"*", LC_OP_MULTIPLY, 5},    {"/", LC_OP_DIVIDE, 5},
    {"%", LC_OP_MODULO, 5},
};
#define LEVELS 6

static const operator* operator_at(parser *p)
{
    peek(p);
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (looking_at(p, operators[i].text))
            return &operators[i];
    return NULL;
}

/* Precedence climbing: the recursion is at most LEVELS deep within one expression. */
static const lc_expr *parse_binary(parser *p, unsigned level)
{
    const lc_expr *left = parse_unary(p);
    const operator* o;
    while (left && (o = operator_at(p)) && o->level >= level) {
        size_t at = p->at;
        p->at += lc_str_from_c(o->text).len;
        const lc_expr *right = parse_binary(p, o->level + 1);
        if (!right)
            return NULL;
        const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 2);
        items[0] = left;
        items[1] = right;
        lc_expr *e = node(p, LC_EXPR_BINARY, at, items, 2);
        if (e)
            e->op = (uint8_t)o->op;
        left = e;
    }
    return left;
}

static const lc_expr *parse_condition(parser *p, const lc_expr *test, size_t at)
{
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 3);
    items[0] = test;
    items[1] = parse_expr(p);
    if (!items[1])
        return NULL;
    if (!take(p, ":"))
        return fail(p, p->at, LC_SUMMARY_FALSE_EXPRESSION, "expected a colon");
    items[2] = parse_expr(p);
    return items[2] ? node(p, LC_EXPR_CONDITION, at, items, 3) : NULL;
}

/* Every nested expression goes through this function, which bounds the depth. */
static const lc_expr *parse_expr(parser *p)
{
    if (++p->depth > LC_EXPR_MAX_HEIGHT)
        return fail(p, p->at, "", "the expression is nested too deeply");
    const lc_expr *e = parse_binary(p, 0);
    size_t at = p->at;
    if (e && take(p, "?"))
        e = parse_condition(p, e, at);
    p->depth--;
    return e;
}

/* ---- Whole texts. */

static bool parse_whole(const lc_expr **out, parser *p)
{
    *out = parse_expr(p);
    if (*out && peek(p))
        *out = fail(p, p->at, LC_SUMMARY_EXTRA_CHARACTERS, "the expression ends here");
    return *out != NULL;
}

bool lc_expr_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                   lc_eval_error *trouble)
{
    parser p = {.arena = arena, .text = text, .place = place, .trouble = trouble};
    return parse_whole(out, &p);
}

bool lc_traversal_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                        lc_eval_error *trouble)
{
    parser p = {.arena = arena, .text = text, .place = place, .any_name = true, .trouble = trouble};
    return parse_whole(out, &p);
}

/* Most strings contain no template; skipping the parser for them saves most of the time. */
static bool is_plain(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.ptr[i + 1] == '{' && (text.ptr[i] == '$' || text.ptr[i] == '%'))
            return false;
    }
    return true;
}

bool lc_template_parse_within(const lc_expr **out, lc_arena *arena, lc_str text,
                              lc_source_pos place, const lc_expr_names *names,
                              lc_eval_error *trouble)
{
    parser p = {.arena = arena, .text = text, .place = place, .names = names, .trouble = trouble};
    *out = is_plain(text) ? text_literal(&p, 0, text) : parse_parts(&p, false);
    return *out != NULL;
}

bool lc_template_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                       lc_eval_error *trouble)
{
    return lc_template_parse_within(out, arena, text, place, NULL, trouble);
}

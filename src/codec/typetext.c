/* The language's type expressions: `list(string)`, `object({a=string,b=optional(number)})`,
 * `tuple([string,bool])`, `any`. As in the language, the members of an object are separated by
 * commas or line breaks, a name may be quoted (with JSON's escapes), and `:` may replace `=`. Not
 * part of a type here: defaults of optional attributes. A recursive descent bounded by
 * LC_MAX_DEPTH. */
#include "codec/internal.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
    lc_byte_cursor in;
    lc_arena *arena;
    lc_str why;
    size_t at;
} parser;

static bool parse_type(const lc_type **out, parser *p, unsigned depth);

static bool refuse_at(parser *p, const char *at, lc_str why)
{
    p->why = why;
    p->at = (size_t)(at - p->in.start);
    return false;
}

/* The next character that is not space, or -1; it is not taken. */
static int peek(parser *p)
{
    while (cursor_left(&p->in) && strchr(" \t\r\n", *p->in.at) && *p->in.at)
        p->in.at++;
    return cursor_peek(&p->in);
}

static bool expect(parser *p, char c)
{
    if (peek(p) != (unsigned char)c)
        return refuse_at(p, p->in.at, lc_str_printf(p->arena, "'%c' is required", c));
    p->in.at++;
    return true;
}

static bool is_name_byte(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '-' || (unsigned char)c >= 0x80;
}

/* Bytes of other than ASCII characters belong to a word: names may have letters of any language. */
static bool parse_word(parser *p, lc_str *out)
{
    peek(p);
    const char *from = p->in.at;
    while (cursor_left(&p->in) && is_name_byte(*p->in.at))
        p->in.at++;
    *out = (lc_str){from, (size_t)(p->in.at - from)};
    return out->len > 0;
}

/* A name in quotes, with JSON's escapes. */
static bool parse_quoted(parser *p, lc_str *out)
{
    lc_wire_problem problem;
    lc_codec_trouble trouble;
    lc_codec_trouble_init(&trouble, p->arena, &problem);
    lc_json_scan s = lc_json_scan_over((lc_str){p->in.at, cursor_left(&p->in)}, &trouble);
    if (!lc_json_scan_string(&s, out))
        return refuse_at(p, s.in.at, problem.message);
    p->in.at = s.in.at;
    return true;
}

/* ---- Objects. */

static bool parse_optional(lc_type_attr *attr, parser *p, unsigned depth)
{
    if (!expect(p, '(') || !parse_type(&attr->type, p, depth))
        return false;
    if (peek(p) == ',')
        return refuse_at(p, p->in.at, LC_STR("a default is not part of a type"));
    attr->optional = true;
    return expect(p, ')');
}

static bool parse_attr(lc_type_attr *attr, parser *p, unsigned depth)
{
    int c = peek(p);
    const char *at = p->in.at;
    if (c == '"' ? !parse_quoted(p, &attr->name) : !parse_word(p, &attr->name))
        return c == '"' ? false : refuse_at(p, at, LC_STR("the name of an attribute is required"));
    if (!lc_utf8_valid(attr->name))
        return refuse_at(p, at, LC_STR("the name of an attribute is not valid UTF-8"));
    attr->name = lc_nfc(p->arena, attr->name);
    c = peek(p);
    if (c != '=' && c != ':')
        return refuse_at(p, p->in.at, LC_STR("'=' is required after the name of an attribute"));
    p->in.at++;
    lc_byte_cursor before = p->in;
    lc_str word;
    if (parse_word(p, &word) && lc_str_is(word, "optional"))
        return parse_optional(attr, p, depth);
    p->in = before; /* it was the name of a type */
    return parse_type(&attr->type, p, depth);
}

/* After an attribute: a comma, a line break or the end. */
static bool parse_separator(parser *p)
{
    bool line_break = false;
    while (cursor_left(&p->in) && strchr(" \t\r\n", *p->in.at) && *p->in.at)
        line_break |= *p->in.at++ == '\n';
    int c = peek(p);
    if (c == ',')
        p->in.at++;
    return c == ',' || c == '}' || line_break ||
           refuse_at(p, p->in.at, LC_STR("',' or '}' is required"));
}

LC_ORDER_BY_STR(by_name, lc_type_attr, name)

static bool settle_object(const lc_type **out, parser *p, const char *at, lc_type_attr *attrs,
                          size_t count)
{
    if (count)
        qsort(attrs, count, sizeof *attrs, by_name);
    for (size_t i = 1; i < count; i++) {
        if (lc_str_eq(attrs[i - 1].name, attrs[i].name))
            return refuse_at(p, at,
                             lc_str_printf(p->arena, "the attribute '%.*s' is given twice",
                                           LC_FMT(attrs[i].name)));
    }
    *out = lc_type_object(p->arena, attrs, count);
    return true;
}

static bool parse_object(const lc_type **out, parser *p, unsigned depth)
{
    LC_VEC(lc_type_attr) attrs = {0};
    const char *at = p->in.at;
    if (!expect(p, '(') || !expect(p, '{'))
        return false;
    while (peek(p) != '}') {
        lc_type_attr attr = {0};
        if (!parse_attr(&attr, p, depth) || !parse_separator(p))
            return false;
        *LC_PUSH(p->arena, &attrs, lc_type_attr) = attr;
    }
    return expect(p, '}') && expect(p, ')') && settle_object(out, p, at, attrs.items, attrs.count);
}

/* ---- The other kinds. */

static bool parse_tuple(const lc_type **out, parser *p, unsigned depth)
{
    LC_VEC(const lc_type *) items = {0};
    if (!expect(p, '(') || !expect(p, '['))
        return false;
    while (peek(p) != ']') {
        const lc_type *item;
        if (!parse_type(&item, p, depth))
            return false;
        *LC_PUSH(p->arena, &items, const lc_type *) = item;
        if (peek(p) != ']' && !expect(p, ','))
            return false;
    }
    *out = lc_type_tuple(p->arena, items.items, items.count);
    return expect(p, ']') && expect(p, ')');
}

static bool parse_collection(const lc_type **out, parser *p, lc_type_kind kind, unsigned depth)
{
    const lc_type *elem;
    if (!expect(p, '(') || !parse_type(&elem, p, depth) || !expect(p, ')'))
        return false;
    *out = lc_type_collection(p->arena, kind, elem);
    return true;
}

static const lc_type *simple_type(lc_str word)
{
    if (lc_str_is(word, "string"))
        return &lc_type_string;
    if (lc_str_is(word, "number"))
        return &lc_type_number;
    if (lc_str_is(word, "bool"))
        return &lc_type_bool;
    return lc_str_is(word, "any") || lc_str_is(word, "dynamic") ? &lc_type_dynamic : NULL;
}

static bool parse_type(const lc_type **out, parser *p, unsigned depth)
{
    lc_str word;
    peek(p);
    const char *at = p->in.at;
    if (depth > LC_MAX_DEPTH)
        return refuse_at(p, at, LC_STR("the type is nested too deeply"));
    if (!parse_word(p, &word))
        return refuse_at(p, at, LC_STR("a type is required"));
    *out = simple_type(word);
    if (*out)
        return true;
    if (lc_str_is(word, "list"))
        return parse_collection(out, p, LC_TYPE_LIST, depth + 1);
    if (lc_str_is(word, "set"))
        return parse_collection(out, p, LC_TYPE_SET, depth + 1);
    if (lc_str_is(word, "map"))
        return parse_collection(out, p, LC_TYPE_MAP, depth + 1);
    if (lc_str_is(word, "object"))
        return parse_object(out, p, depth + 1);
    if (lc_str_is(word, "tuple"))
        return parse_tuple(out, p, depth + 1);
    return refuse_at(p, at, lc_str_printf(p->arena, "no type has the name '%.*s'", LC_FMT(word)));
}

bool lc_typetext_parse(const lc_type **out, lc_arena *arena, lc_str in, lc_str *why, size_t *at)
{
    parser p = {.in = cursor_over(in), .arena = arena};
    bool ok = parse_type(out, &p, 0);
    if (ok && peek(&p) >= 0)
        ok = refuse_at(&p, p.in.at, LC_STR("there is more after the type"));
    if (!ok) {
        *why = p.why;
        *at = p.at;
    }
    return ok;
}

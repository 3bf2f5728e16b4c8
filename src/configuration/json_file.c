/* JSON files as HCL reads them: the grammar is that of RFC 8259, but reading continues after an
 * error, and the errors are HCL's. Source: HCL's JSON syntax. What does not parse becomes a number
 * without digits, which is neither an object nor a value. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/configuration.h"
#include "lifecheck/yaml_json/json_lexer.h"

#include <string.h>

/* A token: a character of its own, or the kind of a longer one. */
enum { END = 0, STRING = 'S', NUMBER = 'N', WORD = 'K', STRANGE = '?' };

typedef struct token {
    int kind;
    size_t from, to; /* bytes of the text */
} token;

typedef struct parser {
    lc_arena *arena;
    const lc_source *source;
    lc_str text;
    token next;
    bool stopped;  /* after a character that begins nothing, no token is read */
    bool given_up; /* nothing more is reported */
    unsigned depth;
    lc_eval_error first, *last; /* in the order in which they are found */
} parser;

/* ---- Errors. */

static void report(parser *p, size_t at, const char *summary, const char *detail)
{
    if (p->given_up)
        return;
    lc_eval_error *e = p->last ? LC_NEW(p->arena, lc_eval_error) : &p->first;
    *e = (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), {p->source, at, 0}, NULL};
    if (p->last)
        p->last->next = e;
    p->last = e;
}

/* ---- Tokens. */

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Any control character ends a string. */
static size_t end_of_string(lc_str text, size_t at)
{
    for (at++; at < text.len && (unsigned char)text.ptr[at] >= 32; at++) {
        if (text.ptr[at] == '"')
            return at + 1;
        if (text.ptr[at] == '\\' && at + 1 < text.len && (unsigned char)text.ptr[at + 1] >= 32)
            at++;
    }
    return at;
}

static size_t end_of_run(lc_str text, size_t at, bool (*belongs)(char c))
{
    while (at < text.len && belongs(text.ptr[at]))
        at++;
    return at;
}

static bool in_number(char c)
{
    return lc_is_digit(c) || is_one_of(c, "-+.eE");
}

static bool in_word(char c)
{
    return lc_is_letter(c) || c == '_';
}

static token scan(parser *p, size_t at)
{
    while (at < p->text.len && is_one_of(p->text.ptr[at], " \t\r\n"))
        at++;
    if (p->stopped || at >= p->text.len)
        return (token){END, at, at};
    char c = p->text.ptr[at];
    if (is_one_of(c, "{}[],:="))
        return (token){c, at, at + 1};
    if (c == '"')
        return (token){STRING, at, end_of_string(p->text, at)};
    if (lc_is_digit(c) || is_one_of(c, "-+."))
        return (token){NUMBER, at, end_of_run(p->text, at, in_number)};
    if (lc_is_letter(c))
        return (token){WORD, at, end_of_run(p->text, at, in_word)};
    p->stopped = true;
    return (token){STRANGE, at, at + 1};
}

static token take(parser *p)
{
    token t = p->next;
    p->next = scan(p, t.to);
    return t;
}

/* Skips to the end of an object or array after a mistake in it. */
static void recover(parser *p, token at, int open, int close)
{
    size_t depth = 1;
    for (; at.kind != END; at = take(p)) {
        if (at.kind == open)
            depth++;
        else if (at.kind == close && --depth <= 1)
            return;
    }
}

/* ---- Scalars. */

static lc_node nothing(token at)
{
    return (lc_node){.kind = LC_NODE_NUMBER, .where = at.from};
}

static lc_node parse_string(parser *p)
{
    token t = take(p);
    lc_json_lexer l = lc_json_lexer_over(p->text, p->arena);
    lc_node node = {.kind = LC_NODE_STRING, .where = t.from};
    l.at += t.from;
    l.end = l.start + t.to;
    l.like_go = true;
    if (lc_json_lex_string(&l, &node.as.text) && l.at == l.end)
        return node;
    size_t at = l.at < l.end ? lc_json_lex_offset(&l) + 1 : t.to;
    report(p, at, LC_SUMMARY_JSON_STRING, "the string is malformed");
    return nothing(t);
}

static lc_node parse_number(parser *p)
{
    token t = take(p);
    lc_json_lexer l = lc_json_lexer_over(p->text, p->arena);
    lc_node node = {.kind = LC_NODE_NUMBER, .where = t.from};
    l.at += t.from;
    l.end = l.start + t.to;
    if (lc_json_lex_number(&l, &node.as.text) && l.at == l.end)
        return node;
    report(p, t.from, LC_SUMMARY_JSON_NUMBER, "this is not a number of JSON");
    return nothing(t);
}

static lc_node parse_word(parser *p)
{
    token t = take(p);
    lc_str word = lc_str_sub(p->text, t.from, t.to);
    lc_node node = {.kind = LC_NODE_BOOL, .where = t.from, .as.text = word};
    node.boolean = lc_str_is(word, "true");
    if (lc_str_is(word, "null"))
        node.kind = LC_NODE_NULL;
    else if (!node.boolean && !lc_str_is(word, "false")) {
        report(p, t.from, LC_SUMMARY_JSON_KEYWORD, "only true, false and null are words of JSON");
        return nothing(t);
    }
    return node;
}

/* ---- Objects and arrays. */

static lc_node parse_value(parser *p);

typedef struct members {
    LC_VEC(lc_member) list;
} members;

/* What is wrong if there is no colon after a name. */
static void report_colon(parser *p, token t)
{
    recover(p, t, '{', '}');
    if (t.kind == '}' || t.kind == ',')
        report(p, t.from, LC_SUMMARY_JSON_OBJECT_VALUE, "a colon and a value follow a name");
    else
        report(p, t.from, LC_SUMMARY_JSON_COLON,
               t.kind == '=' ? "JSON has a colon here" : "a colon follows the name");
}

/* After a member: moves on to the next one. False: the object is invalid, which is reported. */
static bool pass_comma(parser *p, token open)
{
    token t = p->next;
    switch (t.kind) {
    case ',':
        take(p);
        if (p->next.kind == '}')
            report(p, t.from, LC_SUMMARY_JSON_TRAILING_IN_OBJECT, "no comma follows the last one");
        return p->next.kind != '}';
    case '}':
        return true;
    case END:
        report(p, open.from, LC_SUMMARY_JSON_UNCLOSED, "no closing brace was found");
        return false;
    case ']':
        take(p);
        report(p, p->next.from, LC_SUMMARY_JSON_BRACES, "a brace closes an object");
        return false;
    default:
        recover(p, take(p), '{', '}');
        report(p, p->next.from, LC_SUMMARY_JSON_COMMA, "a comma separates members");
        return false;
    }
}

static lc_node parse_object(parser *p)
{
    token open = take(p);
    members m = {0};
    while (p->next.kind != '}') {
        token at = p->next;
        lc_node key = parse_value(p);
        if (key.kind != LC_NODE_STRING) {
            report(p, at.from, LC_SUMMARY_JSON_PROPERTY, "the name of a member is a string");
            return nothing(open);
        }
        token colon = take(p);
        if (colon.kind != ':') {
            report_colon(p, colon);
            return nothing(open);
        }
        lc_node value = parse_value(p);
        *LC_PUSH(p->arena, &m.list, lc_member) = (lc_member){key.as.text, key.where, value};
        if (!pass_comma(p, open))
            return nothing(open);
    }
    take(p);
    return (lc_node){.kind = LC_NODE_MAPPING,
                     .where = open.from,
                     .count = (uint32_t)m.list.count,
                     .as.members = m.list.items};
}

/* The same for elements. */
static bool pass_element(parser *p, token open)
{
    token t = p->next;
    switch (t.kind) {
    case ',':
        take(p);
        if (p->next.kind == ']')
            report(p, t.from, LC_SUMMARY_JSON_TRAILING_IN_ARRAY, "no comma follows the last one");
        return p->next.kind != ']';
    case ']':
        return true;
    case END:
        report(p, open.from, LC_SUMMARY_JSON_UNCLOSED, "no closing bracket was found");
        return false;
    case ':':
    case '}':
        recover(p, take(p), '[', ']');
        report(p, p->next.from,
               t.kind == ':' ? LC_SUMMARY_JSON_ARRAY_VALUE : LC_SUMMARY_JSON_BRACKETS,
               "an array has values, and a bracket closes it");
        return false;
    default:
        recover(p, take(p), '[', ']');
        report(p, p->next.from, LC_SUMMARY_JSON_COMMA, "a comma separates elements");
        return false;
    }
}

static lc_node parse_array(parser *p)
{
    token open = take(p);
    LC_VEC(lc_node) items = {0};
    while (p->next.kind != ']') {
        lc_node value = parse_value(p);
        *LC_PUSH(p->arena, &items, lc_node) = value;
        if (!pass_element(p, open))
            return nothing(open);
    }
    take(p);
    return (lc_node){.kind = LC_NODE_SEQUENCE,
                     .where = open.from,
                     .count = (uint32_t)items.count,
                     .as.items = items.items};
}

/* ---- Values. */

static lc_node parse_nothing(parser *p)
{
    static const char wanted[] = "a value is expected here";
    token t = p->next;
    report(p, t.from,
           t.kind == '}'   ? LC_SUMMARY_JSON_NO_VALUE
           : t.kind == ']' ? LC_SUMMARY_JSON_NO_ELEMENT
           : t.kind == END ? LC_SUMMARY_JSON_MISSING
                           : LC_SUMMARY_JSON_START,
           wanted);
    return nothing(t);
}

/* What is nested too deeply is skipped with the rest of the file. */
static lc_node parse_deep(parser *p)
{
    token t = p->next;
    report(p, t.from, "", "values are nested too deeply");
    p->stopped = p->given_up = true;
    p->next = (token){END, p->text.len, p->text.len};
    return nothing(t);
}

static lc_node parse_value(parser *p)
{
    lc_node node;
    switch (p->next.kind) {
    case STRING:
        return parse_string(p);
    case NUMBER:
        return parse_number(p);
    case WORD:
        return parse_word(p);
    case '{':
    case '[':
        if (p->depth >= LC_MAX_JSON_DEPTH)
            return parse_deep(p);
        p->depth++;
        node = p->next.kind == '{' ? parse_object(p) : parse_array(p);
        p->depth--;
        return node;
    default:
        return parse_nothing(p);
    }
}

/* ---- Files. */

/* The root has to be an object or array; all else is an empty file. */
static void check_root(parser *p, lc_node *root)
{
    if (!p->last && p->next.kind != END)
        report(p, p->next.from, LC_SUMMARY_JSON_EXTRANEOUS, "nothing follows the value of a file");
    if (root->kind == LC_NODE_MAPPING || root->kind == LC_NODE_SEQUENCE)
        return;
    report(p, (size_t)root->where, LC_SUMMARY_JSON_ROOT, "a file holds an object");
    *root = (lc_node){.kind = LC_NODE_MAPPING, .where = root->where};
}

static void parse_json(lc_config_file *out, lc_arena *arena, lc_source *source)
{
    parser p = {.arena = arena, .source = source, .text = source->text};
    source->json = true;
    source->documents = LC_NEW(arena, lc_node);
    source->count = 1;
    p.next = scan(&p, 0);
    *source->documents = parse_value(&p);
    check_root(&p, source->documents);
    out->root = source->documents;
    if (p.last) {
        lc_eval_error *errors = LC_NEW(arena, lc_eval_error);
        *errors = p.first;
        out->errors = errors;
    }
}

void lc_config_file_parse(lc_config_file *out, lc_arena *arena, lc_str name, lc_str file,
                          lc_str text)
{
    lc_source *source = LC_NEW(arena, lc_source);
    *source = (lc_source){.file = file, .text = text};
    *out = (lc_config_file){.name = name, .source = source};
    if (lc_str_ends_with(name, LC_STR(".json"))) {
        parse_json(out, arena, source);
        return;
    }
    lc_native native;
    lc_native_parse(&native, arena, source);
    out->native = native.body;
    out->errors = native.errors;
}

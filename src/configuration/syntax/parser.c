/* Tokens as the parser sees them, its errors, and how it recovers from them. */
#include "configuration/syntax/parser.h"

#include "lifecheck/catalog/core_message.h"
#include "lifecheck/yaml_json/node.h"

/* For the recursion of the parser and of every walk over its trees, see LC_EXPR_MAX_HEIGHT. */
#define MAX_DEPTH LC_EXPR_MAX_HEIGHT

void lc_syntax_begin(lc_parser *p, lc_arena *arena, lc_str text, lc_source_pos place,
                     lc_scan_mode mode)
{
    *p = (lc_parser){
        .arena = arena, .scratch = lc_arena_new_small(), .place = place, .newlines = true};
    p->at = text.len - lc_without_bom(text).len;
    lc_scan_begin(&p->scanner, p->scratch, text, mode);
}

/* ---- Errors. */

static void add_error(lc_parser *p, lc_syntax_errors *to, lc_eval_error error)
{
    if (p->stopped)
        return;
    to->count++;
    if (to->list.count < LC_MAX_SYNTAX_ERRORS)
        *LC_PUSH(p->arena, &to->list, lc_eval_error) = error;
}

static lc_eval_error error_at(const lc_parser *p, size_t from, const char *summary,
                              const char *detail)
{
    lc_source_pos place = p->place;
    place.offset += (uint32_t)from;
    return (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), place, NULL};
}

void lc_syntax_error(lc_parser *p, size_t from, const char *summary, const char *detail)
{
    add_error(p, &p->errors, error_at(p, from, summary, detail));
}

void lc_syntax_error_at(lc_parser *p, lc_token subject, const char *summary, const char *detail)
{
    if (!p->recovery)
        lc_syntax_error(p, subject.from, summary, detail);
}

void lc_syntax_limit(lc_parser *p, size_t from, const char *detail)
{
    lc_syntax_error(p, from, "", detail);
    p->stopped = p->recovery = true;
    p->has_next = false;
}

bool lc_syntax_failed(const lc_parser *p, size_t count)
{
    return p->errors.count > count || p->stopped;
}

bool lc_syntax_lost(const lc_parser *p, size_t count)
{
    return p->recovery && lc_syntax_failed(p, count);
}

bool lc_syntax_enter(lc_parser *p)
{
    if (p->depth < MAX_DEPTH && !p->stopped) {
        p->depth++;
        return true;
    }
    lc_syntax_limit(p, p->at, "this is nested too deeply");
    return false;
}

static const lc_eval_error *chain(const lc_syntax_errors *errors, const lc_eval_error *next)
{
    for (size_t i = errors->list.count; i > 0; i--) {
        errors->list.items[i - 1].next = next;
        next = &errors->list.items[i - 1];
    }
    return next;
}

/* The scanner's errors come first, as in HCL, which scans everything before it parses. */
const lc_eval_error *lc_syntax_end(lc_parser *p)
{
    while (!p->stopped && lc_syntax_read(p).type != LC_TOKEN_EOF)
        ;
    size_t all = p->scan_errors.count + p->errors.count;
    if (all > p->scan_errors.list.count + p->errors.list.count) {
        p->stopped = false;
        p->errors.list.count -= p->errors.list.count == LC_MAX_SYNTAX_ERRORS;
        lc_syntax_error(p, p->at, "", "there are too many errors; not all of them are listed");
    }
    lc_arena_free(p->scratch);
    return chain(&p->scan_errors, chain(&p->errors, NULL));
}

/* ---- Errors of the scanner. */

static bool first_times(unsigned *reported, unsigned limit)
{
    return (*reported)++ < limit;
}

/* The second of a pair of quotes is not reported, but later ones are. */
static bool begins_pair(unsigned *reported)
{
    bool is = *reported % 2 == 0;
    if (*reported <= 2)
        ++*reported;
    return is;
}

static void check_character(lc_parser *p, lc_token t)
{
    lc_syntax_reported *reported = &p->reported;
    const char *detail = NULL;
    if (t.type == '`' && begins_pair(&reported->backquote))
        detail = "a string of several lines is written as a heredoc, <<EOT";
    else if (t.type == '\'' && begins_pair(&reported->apostrophe))
        detail = "strings are written in double quotes";
    else if (t.type == ';' && first_times(&reported->semicolon, 1))
        detail = "arguments end with the line, and elements with a comma";
    else if (t.type == LC_TOKEN_INVALID)
        detail = "the language does not use this character: remove it, or quote the string that "
                 "it belongs to";
    if (detail)
        add_error(p, &p->scan_errors, error_at(p, t.from, LC_SUMMARY_INVALID_CHARACTER, detail));
}

/* Tokens that no text may contain. */
static void check(lc_parser *p, lc_token t)
{
    switch (t.type) {
    case '&':
    case '|':
    case '^':
    case '~':
        if (first_times(&p->reported.bitwise, 4))
            add_error(p, &p->scan_errors,
                      error_at(p, t.from, LC_SUMMARY_OPERATOR,
                               "there are no bitwise operators; logical ones are &&, || and !"));
        break;
    case LC_TOKEN_BAD_UTF8:
        if (first_times(&p->reported.encoding, 1))
            add_error(p, &p->scan_errors,
                      error_at(p, t.from, LC_SUMMARY_CHARACTER_ENCODING, "the file must be UTF-8"));
        break;
    case LC_TOKEN_QUOTED_NEWLINE:
        add_error(p, &p->scan_errors,
                  error_at(p, t.from, LC_SUMMARY_MULTI_LINE_STRING,
                           "a quoted string ends on its line; \\n stands for a line break, and a "
                           "heredoc has several lines"));
        break;
    default:
        check_character(p, t);
    }
}

/* ---- Tokens. */

/* Comments are left out; the line break at the end of one counts. */
static bool is_skipped(const lc_parser *p, lc_token *t)
{
    if (t->type == LC_TOKEN_COMMENT) {
        if (!p->newlines || p->scanner.text.ptr[t->to - 1] != '\n')
            return true;
        t->type = LC_TOKEN_NEWLINE;
    }
    return t->type == LC_TOKEN_NEWLINE && !p->newlines;
}

static lc_token token_at(lc_parser *p, size_t at)
{
    if (p->stopped)
        return (lc_token){LC_TOKEN_EOF, (uint32_t)at, (uint32_t)at};
    lc_token t = lc_scan(&p->scanner, at);
    while (is_skipped(p, &t))
        t = lc_scan(&p->scanner, t.to);
    return t;
}

lc_token lc_syntax_peek(lc_parser *p)
{
    if (p->has_next && p->next_newlines == p->newlines)
        return p->next;
    p->next = token_at(p, p->at);
    p->has_next = true;
    p->next_newlines = p->newlines;
    return p->next;
}

lc_token lc_syntax_peek_after(lc_parser *p, lc_token word)
{
    return token_at(p, word.to);
}

/* Columns begin with tokens, even where a combining character begins one. */
static void note_breaks(lc_parser *p, lc_token t)
{
    lc_str text = p->scanner.text;
    if (t.from < t.to && (unsigned char)text.ptr[t.from] >= 0x80)
        *LC_PUSH(p->arena, &p->breaks, uint32_t) = t.from;
    if (t.from < t.to && (unsigned char)text.ptr[t.to - 1] >= 0x80)
        *LC_PUSH(p->arena, &p->breaks, uint32_t) = t.to;
}

lc_token lc_syntax_read(lc_parser *p)
{
    lc_token t = lc_syntax_peek(p);
    p->at = t.to;
    p->last = t;
    p->has_last = true;
    p->has_next = false;
    check(p, t);
    if (p->place.source && p->place.source->native)
        note_breaks(p, t);
    if (!p->stopped && !lc_scan_accept(&p->scanner, t))
        lc_syntax_limit(p, t.from, "this is nested too deeply");
    return t;
}

bool lc_syntax_take(lc_parser *p, int type)
{
    if (lc_syntax_peek(p).type != type)
        return false;
    lc_syntax_read(p);
    return true;
}

lc_token lc_syntax_last(lc_parser *p)
{
    return p->has_last ? p->last : lc_syntax_peek(p);
}

lc_str lc_syntax_text(const lc_parser *p, lc_token token)
{
    return lc_str_sub(p->scanner.text, token.from, token.to);
}

bool lc_syntax_is_word(const lc_parser *p, lc_token token, const char *word)
{
    return token.type == LC_TOKEN_IDENTIFIER && lc_str_is(lc_syntax_text(p, token), word);
}

/* ---- Recovery. */

/* The bracket that opens what `end` closes; either kind of sequence for the end of one. */
static bool opens(int type, int end)
{
    switch (end) {
    case '}':
        return type == '{';
    case ']':
        return type == '[';
    case ')':
        return type == '(';
    case LC_TOKEN_CLOSE_QUOTE:
        return type == LC_TOKEN_OPEN_QUOTE;
    case LC_TOKEN_CLOSE_HEREDOC:
        return type == LC_TOKEN_OPEN_HEREDOC;
    case LC_TOKEN_SEQUENCE_END:
        return type == LC_TOKEN_INTERPOLATION || type == LC_TOKEN_DIRECTIVE;
    default:
        return false;
    }
}

lc_token lc_syntax_recover(lc_parser *p, int end)
{
    p->recovery = true;
    for (size_t nest = 0;;) {
        lc_token t = lc_syntax_read(p);
        if (t.type == LC_TOKEN_EOF || (t.type == end && nest == 0))
            return t;
        if (t.type == end)
            nest--;
        else if (opens(t.type, end))
            nest++;
    }
}

void lc_syntax_recover_over_call(lc_parser *p)
{
    int type;
    do
        type = lc_syntax_read(p).type;
    while (type != '(' && type != LC_TOKEN_EOF);
    lc_syntax_recover(p, ')');
}

/* The brackets that are open, the innermost at the end; one byte each. */
typedef struct open_brackets {
    lc_arena *arena;
    LC_VEC(uint16_t) list;
} open_brackets;

static bool is_opening(int type)
{
    return type == '{' || type == '[' || type == '(' || type == LC_TOKEN_OPEN_QUOTE ||
           type == LC_TOKEN_OPEN_HEREDOC || type == LC_TOKEN_INTERPOLATION ||
           type == LC_TOKEN_DIRECTIVE;
}

/* A closing bracket also closes everything that was opened after its opening one; without that it
 * closes everything. */
static void close_brackets(open_brackets *open, int end)
{
    while (open->list.count > 0 && !opens(open->list.items[open->list.count - 1], end))
        open->list.count--;
    if (open->list.count > 0)
        open->list.count--;
}

void lc_syntax_recover_item(lc_parser *p)
{
    open_brackets open = {.arena = p->arena};
    p->recovery = true;
    for (;;) {
        int type = lc_syntax_read(p).type;
        if (type == LC_TOKEN_EOF || (type == LC_TOKEN_NEWLINE && open.list.count == 0))
            break;
        if (is_opening(type))
            *LC_PUSH(p->arena, &open.list, uint16_t) = (uint16_t)type;
        else if (opens('{', type) || opens('[', type) || opens('(', type) ||
                 opens(LC_TOKEN_OPEN_QUOTE, type) || opens(LC_TOKEN_OPEN_HEREDOC, type) ||
                 opens(LC_TOKEN_INTERPOLATION, type))
            close_brackets(&open, type);
    }
    lc_arena_release(open.list.items, open.list.capacity * sizeof *open.list.items);
}

/* ---- Nodes. */

static lc_source_pos place_of(const lc_parser *p, lc_token range)
{
    lc_source_pos place = p->place;
    place.offset += range.from;
    return place;
}

lc_expr *lc_syntax_node(lc_parser *p, lc_expr_kind kind, lc_token range,
                        const lc_expr *const *items, size_t count)
{
    lc_expr *e = lc_expr_new(p->arena, kind, place_of(p, range), items, count);
    if (!e) {
        lc_syntax_limit(p, range.from, "this is nested too deeply");
        e = lc_expr_new(p->arena, LC_EXPR_BAD, place_of(p, range), NULL, 0);
    }
    e->end = p->place.offset + range.to;
    return e;
}

lc_expr *lc_syntax_node_of(lc_parser *p, lc_expr_kind kind, lc_token range,
                           const lc_syntax_items *items)
{
    return lc_syntax_node(p, kind, range, LC_KEEP(p, items), items->count);
}

lc_expr *lc_syntax_literal(lc_parser *p, lc_token range, const lc_value *slot)
{
    lc_expr *e = lc_syntax_node(p, LC_EXPR_LITERAL, range, NULL, 0);
    e->as.value = lc_value_new(p->arena, slot);
    return e;
}

lc_expr *lc_syntax_text_literal(lc_parser *p, lc_token range, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, p->arena, text);
    return lc_syntax_literal(p, range, &v);
}

const lc_expr *lc_syntax_bad(lc_parser *p, lc_token range)
{
    return lc_syntax_node(p, LC_EXPR_BAD, range, NULL, 0);
}

uint32_t lc_syntax_from(const lc_parser *p, const lc_expr *e)
{
    return e->place.offset - p->place.offset;
}

uint32_t lc_syntax_to(const lc_parser *p, const lc_expr *e)
{
    return e->end - p->place.offset;
}

uint32_t lc_syntax_mark(const lc_parser *p, lc_token token)
{
    return p->place.offset + token.from;
}

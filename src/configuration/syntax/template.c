/* Templates: text with `${...}`, and with directives `%{if}` and `%{for}`.
 *
 * As in HCL they are read as a flat list of parts first; then white space is stripped, the
 * indentation of heredocs removed, and the directives become nodes. */
#include "configuration/syntax/parser.h"

#include "lifecheck/base/utf8.h"
#include "lifecheck/catalog/core_message.h"

typedef enum part_kind {
    PART_TEXT,  /* text */
    PART_VALUE, /* expr: an interpolation */
    PART_IF,    /* expr: the condition */
    PART_FOR,   /* loop, without its value */
    PART_ELSE,
    PART_ENDIF,
    PART_ENDFOR,
    PART_END, /* of the template */
} part_kind;

typedef struct piece {
    part_kind kind;
    lc_token range;
    lc_str text;
    const lc_expr *expr;
    lc_for *loop;
} piece;

typedef struct reader {
    lc_parser *p;
    LC_VEC(piece) parts;
    lc_token start; /* the first token */
    int end;        /* type of the token after the template */
    bool strip;     /* white space before the next text */
    bool may_strip; /* the part read last is text before a sequence */
    lc_token range; /* from the first token up to the end */
    size_t at;      /* of the part that becomes a node next */
} reader;

static piece *add_part(reader *r, part_kind kind, lc_token range)
{
    piece *new = LC_PUSH(r->p->scratch, &r->parts, piece);
    new->kind = kind;
    new->range = range;
    return new;
}

/* ---- White space. */

static lc_str without_leading_space(lc_str s)
{
    for (size_t at = 0; at < s.len;) {
        size_t from = at;
        if (!lc_rune_is_space(lc_utf8_next(s, &at)))
            return lc_str_sub(s, from, s.len);
    }
    return LC_STR_EMPTY;
}

static lc_str without_trailing_space(lc_str s)
{
    while (s.len > 0) {
        size_t from = s.len - 1;
        while (from > 0 && s.len - from < 4 && ((unsigned char)s.ptr[from] & 0xC0) == 0x80)
            from--;
        size_t at = from;
        if (!lc_rune_is_space(lc_utf8_next(s, &at)) || at != s.len)
            break;
        s.len = from;
    }
    return s;
}

/* For `${~` and `%{~`: strips the text before. */
static void strip_before(reader *r, lc_token open, bool may_strip)
{
    if (!may_strip || open.to - open.from != 3 || r->parts.count == 0)
        return;
    piece *last = &r->parts.items[r->parts.count - 1];
    if (last->kind == PART_TEXT)
        last->text = without_trailing_space(last->text);
}

/* The end of a sequence; after `~}` the text that follows is stripped. */
static void read_sequence_end(reader *r)
{
    lc_token close = lc_syntax_read(r->p);
    r->strip = close.to - close.from == 2;
}

/* ---- Parts. */

static void add_text(reader *r, lc_token token, bool strip)
{
    lc_str text = lc_syntax_unescape(r->p, token);
    add_part(r, PART_TEXT, token)->text = strip ? without_leading_space(text) : text;
    r->may_strip = true;
}

static void report_open_interpolation(reader *r, lc_token close)
{
    lc_parser *p = r->p;
    bool quote = close.type == LC_TOKEN_CLOSE_QUOTE || close.type == LC_TOKEN_OPEN_QUOTE;
    if (close.type == LC_TOKEN_EOF || (quote && r->end == LC_TOKEN_CLOSE_QUOTE))
        lc_syntax_error_at(p, r->start, LC_SUMMARY_INTERPOLATION_UNCLOSED,
                           "the brace of this interpolation is not closed: add }");
    else
        lc_syntax_error_at(p, close, LC_SUMMARY_EXTRA_IN_INTERPOLATION,
                           "the interpolation should end here with a brace; if this is meant for "
                           "another language, write $${ instead of ${");
}

static void read_interpolation(reader *r, lc_token open)
{
    lc_parser *p = r->p;
    bool newlines = p->newlines;
    p->newlines = false;
    const lc_expr *value = lc_syntax_expression(p);
    lc_token close = lc_syntax_peek(p);
    if (close.type == LC_TOKEN_SEQUENCE_END) {
        read_sequence_end(r);
    } else {
        report_open_interpolation(r, close);
        lc_syntax_recover(p, LC_TOKEN_SEQUENCE_END);
    }
    p->newlines = newlines;
    add_part(r, PART_VALUE, lc_syntax_span(open, close))->expr = value;
}

/* ---- Directives. */

static const struct {
    const char *word;
    part_kind kind;
    const char *extra; /* summary for characters before the closing brace */
} keywords[] = {
    {"if", PART_IF, LC_SUMMARY_EXTRA_IN_MARKER("if")},
    {"else", PART_ELSE, LC_SUMMARY_EXTRA_IN_MARKER("else")},
    {"endif", PART_ENDIF, LC_SUMMARY_EXTRA_IN_MARKER("endif")},
    {"for", PART_FOR, LC_SUMMARY_EXTRA_IN_MARKER("for")},
    {"endfor", PART_ENDFOR, LC_SUMMARY_EXTRA_IN_MARKER("endfor")},
};
#define KEYWORDS (sizeof keywords / sizeof *keywords)

/* `name in collection` or `key, value in collection`. */
static bool read_for(lc_parser *p, lc_for *f)
{
    if (!lc_syntax_for_names(p, f, LC_SUMMARY_FOR_DIRECTIVE))
        return false;
    f->collection = lc_syntax_expression(p);
    return true;
}

/* What follows the keyword. False: an error, the directive is left out. */
static bool add_directive(reader *r, lc_token open, size_t keyword)
{
    lc_parser *p = r->p;
    const lc_expr *condition = NULL;
    lc_for *loop = NULL;
    if (keywords[keyword].kind == PART_IF) {
        condition = lc_syntax_expression(p);
    } else if (keywords[keyword].kind == PART_FOR) {
        loop = LC_NEW(p->arena, lc_for);
        if (!read_for(p, loop))
            return false;
    }
    piece *new = add_part(r, keywords[keyword].kind, lc_syntax_span(open, lc_syntax_peek(p)));
    new->expr = condition;
    new->loop = loop;
    return true;
}

/* The keyword at the beginning of a directive; KEYWORDS if it has no keyword. */
static size_t read_keyword(lc_parser *p)
{
    size_t at = 0;
    lc_token word = lc_syntax_peek(p);
    if (word.type != LC_TOKEN_IDENTIFIER) {
        lc_syntax_error_at(p, word, LC_SUMMARY_TEMPLATE_DIRECTIVE,
                           "a keyword such as `if` or `for` is expected after %{");
        return KEYWORDS;
    }
    lc_syntax_read(p);
    while (at < KEYWORDS && !lc_syntax_is_word(p, word, keywords[at].word))
        at++;
    if (at == KEYWORDS)
        lc_syntax_error_at(p, word, LC_SUMMARY_TEMPLATE_KEYWORD,
                           "the keywords are if, else, endif, for and endfor");
    return at;
}

static void read_directive(reader *r, lc_token open)
{
    lc_parser *p = r->p;
    bool newlines = p->newlines;
    p->newlines = false;
    size_t keyword = read_keyword(p);
    if (keyword == KEYWORDS || !add_directive(r, open, keyword)) {
        lc_syntax_recover(p, LC_TOKEN_SEQUENCE_END);
    } else if (lc_syntax_peek(p).type == LC_TOKEN_SEQUENCE_END) {
        read_sequence_end(r);
    } else {
        lc_syntax_error_at(p, lc_syntax_peek(p), keywords[keyword].extra,
                           "the directive should end here with a brace");
        lc_syntax_recover(p, LC_TOKEN_SEQUENCE_END);
    }
    p->newlines = newlines;
}

/* ---- The list of parts. */

/* Something that no template contains, or the end of the text. Gives the last token. */
static lc_token unterminated(reader *r, lc_token token)
{
    lc_syntax_error_at(r->p, token, LC_SUMMARY_TEMPLATE_UNTERMINATED,
                       "the end of this string is missing: a closing quote, or the "
                       "word of its heredoc on a line of its own");
    return lc_syntax_recover(r->p, r->end);
}

/* One token of the template. False: *last is its end. */
static bool read_part(reader *r, lc_token *last)
{
    lc_token next = lc_syntax_read(r->p);
    *last = next;
    if (next.type == r->end)
        return false;
    bool strip = r->strip, may_strip = r->may_strip;
    r->strip = r->may_strip = false;
    switch (next.type) {
    case LC_TOKEN_TEXT:
    case LC_TOKEN_QUOTED:
        add_text(r, next, strip);
        return true;
    case LC_TOKEN_INTERPOLATION:
        strip_before(r, next, may_strip);
        read_interpolation(r, next);
        return true;
    case LC_TOKEN_DIRECTIVE:
        strip_before(r, next, may_strip);
        read_directive(r, next);
        return true;
    default:
        *last = unterminated(r, next);
        return false;
    }
}

static void read_parts(reader *r)
{
    lc_token last;
    r->start = lc_syntax_peek(r->p);
    while (read_part(r, &last))
        ;
    if (r->parts.count == 0)
        add_part(r, PART_TEXT, (lc_token){0, r->start.to, r->start.to})->text = LC_STR_EMPTY;
    add_part(r, PART_END, last);
    r->range = lc_syntax_span(r->start, last);
}

/* ---- Heredocs with `<<-`: the indentation that all lines have is removed. */

static bool ends_line(const piece *part)
{
    return part->kind == PART_TEXT && part->text.len > 0 &&
           part->text.ptr[part->text.len - 1] == '\n';
}

/* The number of characters of white space at the beginning of a line. SIZE_MAX: it has only white
 * space, and does not count. */
static size_t indentation(const piece *part)
{
    if (part->kind != PART_TEXT)
        return 0;
    lc_str rest = without_leading_space(part->text);
    if (rest.len == 0 && ends_line(part))
        return SIZE_MAX;
    return lc_grapheme_count(lc_str_sub(part->text, 0, part->text.len - rest.len));
}

static void remove_indentation(piece *part, size_t count)
{
    size_t at = 0;
    while (count-- > 0 && at < part->text.len)
        at = lc_grapheme_end(part->text, at);
    part->text = lc_str_sub(part->text, at, part->text.len);
    part->range.from += (uint32_t)at;
}

static void flush_left(reader *r)
{
    size_t least = SIZE_MAX;
    for (int remove = 0; remove < 2; remove++) {
        bool line = true;
        for (size_t i = 0; i < r->parts.count && r->parts.items[i].kind != PART_END; i++) {
            piece *part = &r->parts.items[i];
            size_t indent = line ? indentation(part) : SIZE_MAX;
            line = ends_line(part);
            if (remove && indent != SIZE_MAX && part->kind == PART_TEXT)
                remove_indentation(part, least);
            else if (indent < least)
                least = indent;
        }
    }
}

/* ---- Strings in a row become one. */

/* Without a copy if they are adjacent. */
static lc_str join_texts(const reader *r, size_t from, size_t to)
{
    lc_str whole = r->parts.items[from].text;
    size_t i = from + 1;
    for (; i < to; i++) {
        lc_str next = r->parts.items[i].text;
        if (whole.ptr + whole.len != next.ptr)
            break;
        whole.len += next.len;
    }
    if (i == to)
        return whole;
    lc_buf buf = {0};
    lc_buf_add_str(&buf, whole);
    for (; i < to; i++)
        lc_buf_add_str(&buf, r->parts.items[i].text);
    return lc_buf_take(r->p->arena, &buf);
}

static void join(reader *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->parts.count;) {
        size_t end = i + 1;
        piece merged = r->parts.items[i];
        if (merged.kind == PART_TEXT) {
            while (r->parts.items[end].kind == PART_TEXT)
                end++;
            merged.text = join_texts(r, i, end);
            merged.range.to = r->parts.items[end - 1].range.to;
        }
        r->parts.items[kept++] = merged;
        i = end;
    }
    r->parts.count = kept;
}

/* ---- Nodes. */

static const lc_expr *read_node(reader *r);

static const lc_expr *unexpected(reader *r, const piece *end, const char *detail)
{
    const char *summary = end->kind == PART_ELSE     ? LC_SUMMARY_UNEXPECTED_ELSE
                          : end->kind == PART_ENDIF  ? LC_SUMMARY_UNEXPECTED_ENDIF
                          : end->kind == PART_ENDFOR ? LC_SUMMARY_UNEXPECTED_ENDFOR
                                                     : LC_SUMMARY_TEMPLATE_END;
    lc_syntax_error(r->p, end->range.from, summary, detail);
    return lc_syntax_bad(r->p, end->range);
}

static bool is_end(part_kind kind)
{
    return kind >= PART_ELSE;
}

/* Nodes up to an end, which is read unless it is that of the template. Empty text at `empty` if
 * there are no nodes. */
static const piece *read_nodes(reader *r, lc_syntax_items *items, uint32_t empty)
{
    while (!is_end(r->parts.items[r->at].kind))
        *LC_PUSH(r->p->scratch, items, const lc_expr *) = read_node(r);
    const piece *end = &r->parts.items[r->at];
    if (end->kind != PART_END)
        r->at++;
    if (items->count == 0)
        *LC_PUSH(r->p->scratch, items, const lc_expr *) = lc_syntax_text_literal(
            r->p, (lc_token){0, empty == UINT32_MAX ? end->range.from : empty, end->range.from},
            LC_STR_EMPTY);
    return end;
}

/* Text literals stay literals. HCL has no range for an empty one but what follows the template. */
static lc_expr *template_node(lc_parser *p, lc_token range, const lc_syntax_items *items)
{
    const lc_expr *first = items->items[0];
    const lc_value *text = items->count == 1 ? lc_expr_constant(first) : NULL;
    if (text && text->type->kind == LC_TYPE_STRING && lc_is_known(text)) {
        lc_expr *e = lc_syntax_literal(p, range, text);
        e->mark = text->as.string.len > 0 ? first->place.offset : e->end;
        return e;
    }
    return lc_syntax_node_of(p, LC_EXPR_TEMPLATE, range, items);
}

static const lc_expr *nodes_between(reader *r, const lc_syntax_items *items)
{
    lc_parser *p = r->p;
    lc_token range = {0, lc_syntax_from(p, items->items[0]),
                      lc_syntax_to(p, items->items[items->count - 1])};
    return template_node(p, range, items);
}

/* `%{if}`, with an empty text for a missing `%{else}`. */
static const lc_expr *read_if(reader *r)
{
    const piece open = r->parts.items[r->at++];
    lc_syntax_items yes = {0}, no = {0};
    const piece *end = read_nodes(r, &yes, open.range.to);
    if (end->kind == PART_ELSE) {
        end = read_nodes(r, &no, UINT32_MAX);
        if (end->kind == PART_ELSE)
            return unexpected(r, end, "this `if` has an `else` already");
    }
    if (end->kind != PART_ENDIF)
        return unexpected(r, end, "the `endif` of an `if` directive is missing");
    if (no.count == 0)
        *LC_PUSH(r->p->scratch, &no, const lc_expr *) = lc_syntax_text_literal(
            r->p, (lc_token){0, end->range.from, end->range.from}, LC_STR_EMPTY);
    const lc_expr **items = LC_NEW_ARRAY(r->p->arena, const lc_expr *, 3);
    items[0] = open.expr;
    items[1] = nodes_between(r, &yes);
    items[2] = nodes_between(r, &no);
    return lc_syntax_node(r->p, LC_EXPR_CONDITION, lc_syntax_span(open.range, end->range), items,
                          3);
}

static const lc_expr *read_loop(reader *r)
{
    const piece open = r->parts.items[r->at++];
    lc_syntax_items content = {0};
    const piece *end = read_nodes(r, &content, open.range.to);
    if (end->kind == PART_ELSE)
        return unexpected(r, end, "a `for` directive has no `else`");
    if (end->kind != PART_ENDFOR)
        return unexpected(r, end, "the `endfor` of a `for` directive is missing");
    open.loop->value = nodes_between(r, &content);
    lc_token range = lc_syntax_span(open.range, end->range);
    const lc_expr **items = LC_NEW_ARRAY(r->p->arena, const lc_expr *, 1);
    items[0] = lc_syntax_for_node(r->p, range, open.loop);
    return lc_syntax_node(r->p, LC_EXPR_JOIN, range, items, 1);
}

/* One part, or a directive up to its end. */
static const lc_expr *read_node(reader *r)
{
    const piece *next = &r->parts.items[r->at];
    const lc_expr *e;
    if (next->kind == PART_TEXT || next->kind == PART_VALUE) {
        r->at++;
        return next->kind == PART_TEXT ? lc_syntax_text_literal(r->p, next->range, next->text)
                                       : next->expr;
    }
    if (!lc_syntax_enter(r->p)) {
        r->at = r->parts.count - 1;
        return lc_syntax_bad(r->p, next->range);
    }
    e = next->kind == PART_IF ? read_if(r) : read_loop(r);
    lc_syntax_leave(r->p);
    return e;
}

/* All nodes of the template; ends of directives that are not open are errors. */
static void read_all(reader *r, lc_syntax_items *items)
{
    while (r->parts.items[r->at].kind != PART_END) {
        const piece *next = &r->parts.items[r->at];
        const lc_expr *e;
        if (is_end(next->kind)) {
            r->at++;
            e = unexpected(r, next, "no directive is open that this could end");
        } else {
            e = read_node(r);
        }
        *LC_PUSH(r->p->scratch, items, const lc_expr *) = e;
    }
}

/* The template as one node; `open` is the token before it, or NULL if it is the whole text. */
static lc_expr *parse(reader *r, const lc_token *open)
{
    lc_syntax_items items = {0};
    read_parts(r);
    if (open && open->type == LC_TOKEN_OPEN_HEREDOC &&
        r->p->scanner.text.ptr[open->from + 2] == '-')
        flush_left(r);
    join(r);
    bool wrap = r->parts.count == 2 && r->parts.items[0].kind == PART_VALUE;
    read_all(r, &items);
    lc_token range = open ? lc_syntax_span(*open, lc_syntax_last(r->p)) : r->range;
    if (wrap)
        return lc_syntax_node_of(r->p, LC_EXPR_WRAP, range, &items);
    return template_node(r->p, range, &items);
}

const lc_expr *lc_syntax_template(lc_parser *p, lc_token open, int end)
{
    reader r = {.p = p, .end = end};
    return parse(&r, &open);
}

lc_expr *lc_syntax_bare_template(lc_parser *p)
{
    reader r = {.p = p, .end = LC_TOKEN_EOF};
    return parse(&r, NULL);
}

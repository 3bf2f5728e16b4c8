/* The parser of the native syntax, shared by its files. It follows HCL's parser step by step where
 * something is wrong: which errors are reported, in which order and with which subject, depends on
 * how it continues after an error. */
#ifndef LC_CONFIGURATION_SYNTAX_PARSER_H
#define LC_CONFIGURATION_SYNTAX_PARSER_H

#include "configuration/expression/tree.h"
#include "configuration/syntax/scan.h"

/* Errors in their order. Those beyond LC_MAX_SYNTAX_ERRORS are counted, but not kept. */
#define LC_MAX_SYNTAX_ERRORS 1000
typedef struct lc_syntax_errors {
    LC_VEC(lc_eval_error) list;
    size_t count;
} lc_syntax_errors;

/* Errors of the scanner that HCL reports only so many times. */
typedef struct lc_syntax_reported {
    unsigned bitwise, backquote, apostrophe, semicolon, encoding;
} lc_syntax_reported;

typedef struct lc_parser {
    lc_arena *arena;
    lc_arena *scratch; /* lists that still grow; freed by lc_syntax_end */
    lc_scanner scanner;
    lc_source_pos place; /* of the text's first byte */
    size_t at;           /* after the last token that was read */
    lc_token last, next;
    bool has_last, has_next;
    bool newlines;      /* line breaks are tokens */
    bool next_newlines; /* they were when `next` was read */
    bool recovery;      /* after an error: many further ones are not reported */
    bool stopped;       /* a limit was reached: everything is at its end */
    unsigned depth;     /* of the recursion */
    lc_syntax_reported reported;
    lc_syntax_errors scan_errors, errors;
    LC_VEC(uint32_t) breaks; /* for lc_source.breaks */
} lc_parser;

/* What a list in `scratch` has, in an array of its length. */
#define LC_KEEP(p, vec) lc_arena_copy((p)->arena, (vec)->items, (vec)->count, sizeof *(vec)->items)

/* Begins a string whose first byte is at `place`. A byte order mark is skipped. */
void lc_syntax_begin(lc_parser *p, lc_arena *arena, lc_str text, lc_source_pos place,
                     lc_scan_mode mode);
/* Scans what is left of the text for errors, and gives all errors; NULL: none. */
const lc_eval_error *lc_syntax_end(lc_parser *p);

/* ---- Tokens, without comments. */

lc_token lc_syntax_peek(lc_parser *p);
/* The token after `word`, which is the next one and an identifier: it leaves the scanner as it is.
 */
lc_token lc_syntax_peek_after(lc_parser *p, lc_token word);
lc_token lc_syntax_read(lc_parser *p);
/* Reads the token if it has the type. */
bool lc_syntax_take(lc_parser *p, int type);
/* The token read last; before the first one, that one. */
lc_token lc_syntax_last(lc_parser *p);
lc_str lc_syntax_text(const lc_parser *p, lc_token token);
bool lc_syntax_is_word(const lc_parser *p, lc_token token, const char *word);

/* ---- Errors. */

/* An error whose subject begins at byte `from` of the text. */
void lc_syntax_error(lc_parser *p, size_t from, const char *summary, const char *detail);
/* The same unless the parser is recovering from an earlier error. */
void lc_syntax_error_at(lc_parser *p, lc_token subject, const char *summary, const char *detail);
/* Reaching a limit ends the parsing. */
void lc_syntax_limit(lc_parser *p, size_t from, const char *detail);
/* Were errors added since there were `count` of them? And is the parser recovering, too? */
bool lc_syntax_failed(const lc_parser *p, size_t count);
bool lc_syntax_lost(const lc_parser *p, size_t count);
/* Recovering: moves past the next token `end`, ignoring pairs of brackets, and returns that token.
 */
lc_token lc_syntax_recover(lc_parser *p, int end);
/* The same after the parentheses that open next. */
void lc_syntax_recover_over_call(lc_parser *p);
/* Moves past the line break that ends the argument or block. */
void lc_syntax_recover_item(lc_parser *p);
/* One level of recursion more. False: too many, the parser is stopped. */
bool lc_syntax_enter(lc_parser *p);
static inline void lc_syntax_leave(lc_parser *p)
{
    p->depth--;
}

/* ---- Expressions. Never NULL: what does not parse is LC_EXPR_BAD. */

const lc_expr *lc_syntax_expression(lc_parser *p);
/* `.name`, `[index]` and splats after `from`, which begins at byte `start`. */
const lc_expr *lc_syntax_steps(lc_parser *p, const lc_expr *from);
/* `name in` or `key, value in` after a `for`. False: an error with that summary was added. */
bool lc_syntax_for_names(lc_parser *p, lc_for *f, const char *summary);
/* The node of a `for`; `f` is taken over. */
const lc_expr *lc_syntax_for_node(lc_parser *p, lc_token range, const lc_for *f);
/* `[...]` and `{...}`, whose bracket is next. */
const lc_expr *lc_syntax_tuple(lc_parser *p);
const lc_expr *lc_syntax_object(lc_parser *p);
/* The call of a function whose name was read. */
const lc_expr *lc_syntax_call(lc_parser *p, lc_token name);
const lc_expr *lc_syntax_number(lc_parser *p, lc_token token);
/* A template whose opening was read; `end` is the type of its end. */
const lc_expr *lc_syntax_template(lc_parser *p, lc_token open, int end);
/* A template that is the whole text. */
lc_expr *lc_syntax_bare_template(lc_parser *p);
/* A bare reference, which is the whole text. LC_EXPR_BAD: there were errors. */
const lc_expr *lc_syntax_traversal(lc_parser *p);
/* Text in quotes without templates; the opening quote is next. */
lc_str lc_syntax_label(lc_parser *p);
/* The text of a token LC_TOKEN_QUOTED or LC_TOKEN_TEXT with escapes resolved, and errors in them
 * reported. Borrowed if nothing changes. */
lc_str lc_syntax_unescape(lc_parser *p, lc_token token);

/* ---- Nodes from byte `from` up to `to` of the text. */

typedef LC_VEC(const lc_expr *) lc_syntax_items; /* in `scratch` */
/* `items` are taken over. A tree that becomes too high stops the parser, and the node is bad. */
lc_expr *lc_syntax_node(lc_parser *p, lc_expr_kind kind, lc_token range,
                        const lc_expr *const *items, size_t count);
lc_expr *lc_syntax_node_of(lc_parser *p, lc_expr_kind kind, lc_token range,
                           const lc_syntax_items *items);
lc_expr *lc_syntax_literal(lc_parser *p, lc_token range, const lc_value *slot);
lc_expr *lc_syntax_text_literal(lc_parser *p, lc_token range, lc_str text);
const lc_expr *lc_syntax_bad(lc_parser *p, lc_token range);
/* Places where a node begins and ends, as bytes of the text. */
uint32_t lc_syntax_from(const lc_parser *p, const lc_expr *e);
uint32_t lc_syntax_to(const lc_parser *p, const lc_expr *e);
/* An offset for lc_expr.mark. */
uint32_t lc_syntax_mark(const lc_parser *p, lc_token token);
/* From the beginning of one token up to the end of another. */
static inline lc_token lc_syntax_span(lc_token a, lc_token b)
{
    return (lc_token){0, a.from, b.to};
}

#endif

/* Whole texts: expressions, references and templates. */
#include "configuration/syntax/parser.h"

#include "lifecheck/core_message.h"
#include "lifecheck/node.h"

/* Ends the parsing; *trouble is the first error, with the others chained to it. */
static bool finish(const lc_expr **out, lc_parser *p, const lc_expr *e, lc_eval_error *trouble)
{
    const lc_eval_error *errors = lc_syntax_end(p);
    *out = errors ? NULL : e;
    if (errors)
        *trouble = *errors;
    return !errors;
}

/* Line breaks do not count, as in parentheses. */
bool lc_expr_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                   lc_eval_error *trouble)
{
    lc_parser p;
    lc_syntax_begin(&p, arena, text, place, LC_SCAN_CODE);
    p.newlines = false;
    const lc_expr *e = lc_syntax_expression(&p);
    lc_token next = lc_syntax_peek(&p);
    if (next.type != LC_TOKEN_EOF)
        lc_syntax_error_at(&p, next, LC_SUMMARY_EXTRA_CHARACTERS,
                           "the expression ends before this");
    return finish(out, &p, e, trouble);
}

static bool has_computed_index(const lc_expr *e)
{
    return e->kind == LC_EXPR_REFERENCE && e->count > 0;
}

/* Where a computed index is allowed, the clients parse an expression. */
bool lc_traversal_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                        lc_eval_error *trouble)
{
    lc_parser p;
    lc_eval_error ignored;
    lc_syntax_begin(&p, arena, text, place, LC_SCAN_CODE);
    if (finish(out, &p, lc_syntax_traversal(&p), trouble))
        return true;
    return lc_expr_parse(out, arena, text, place, &ignored) && has_computed_index(*out);
}

/* Most strings contain no template; skipping the parser for them saves most of the time. */
static bool is_plain(lc_str text)
{
    for (size_t i = lc_str_find(text, 0, '{'); i < text.len; i = lc_str_find(text, i + 1, '{'))
        if (i > 0 && (text.ptr[i - 1] == '$' || text.ptr[i - 1] == '%'))
            return false;
    return lc_without_bom(text).len == text.len;
}

/* In JSON the first byte of the text comes behind the quote, and the template itself is at it. */
bool lc_template_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                       lc_eval_error *trouble)
{
    lc_parser p;
    lc_source_pos first = place;
    if (place.source && place.source->json)
        first.offset++;
    lc_syntax_begin(&p, arena, text, first, LC_SCAN_BARE);
    lc_expr *e = is_plain(text)
                     ? lc_syntax_text_literal(&p, (lc_token){0, 0, (uint32_t)text.len}, text)
                     : lc_syntax_bare_template(&p);
    e->place = place;
    return finish(out, &p, e, trouble);
}

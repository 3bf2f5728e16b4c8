/* Whole strings: expressions, references and templates. */
#include "configuration/syntax/parser.h"

#include "lifecheck/catalog/core_message.h"
#include "lifecheck/yaml_json/node.h"

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

bool lc_traversal_parse(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                        lc_eval_error *trouble)
{
    lc_parser p;
    lc_syntax_begin(&p, arena, text, place, LC_SCAN_CODE);
    return finish(out, &p, lc_syntax_traversal(&p), trouble);
}

/* Most strings contain no template; skipping the parser for them saves most of the time. */
static bool is_plain(lc_str text)
{
    for (size_t i = lc_str_find(text, 0, '{'); i < text.len; i = lc_str_find(text, i + 1, '{'))
        if (i > 0 && (text.ptr[i - 1] == '$' || text.ptr[i - 1] == '%'))
            return false;
    return lc_without_bom(text).len == text.len;
}

/* In JSON the first byte of the text counts as the one after the quote, and the template itself
 * begins at the quote. */
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

/* ---- References without evaluation. */

static bool is_literal(const lc_ref_step *step)
{
    return step->kind == LC_REF_ATTR || step->index->kind == LC_EXPR_LITERAL;
}

/* The first name of what is not a reference for the evaluator: a keyword, or a key. Empty: none. */
static lc_str word_of(const lc_expr *e)
{
    const lc_value *v = lc_expr_constant(e);
    if (!v)
        return LC_STR_EMPTY;
    if (e->bare)
        return v->as.string;
    if (lc_is_null(v))
        return LC_STR("null");
    if (v->type->kind != LC_TYPE_BOOL)
        return LC_STR_EMPTY;
    return v->as.boolean ? LC_STR("true") : LC_STR("false");
}

static lc_source_pos mark_of(const lc_expr *e)
{
    lc_source_pos place = e->place;
    place.offset = e->mark;
    return place;
}

/* The step of a node LC_EXPR_ATTR or LC_EXPR_INDEX. */
static lc_ref_step step_of(const lc_expr *e)
{
    if (e->kind == LC_EXPR_ATTR)
        return (lc_ref_step){.kind = LC_REF_ATTR, .name = e->as.name, .place = mark_of(e)};
    const lc_value *key = lc_expr_constant(e->items[1]);
    bool usable = key && lc_is_known(key) && key->type->kind != LC_TYPE_BOOL;
    return (lc_ref_step){.kind = LC_REF_INDEX,
                         .index = e->items[1],
                         .key = usable ? key : NULL,
                         .place = mark_of(e)};
}

/* As it is written, in a native file; elsewhere the first name. */
static lc_str text_of(const lc_expr *e, lc_str head)
{
    const lc_source *source = e->place.source;
    return source && source->native ? lc_str_sub(source->text, e->place.offset, e->end) : head;
}

/* Steps after a keyword. */
static const lc_reference *of_word(lc_arena *arena, const lc_expr *expr)
{
    size_t count = 0;
    const lc_expr *root = expr;
    for (; root->kind == LC_EXPR_ATTR || root->kind == LC_EXPR_INDEX; root = root->items[0])
        count++;
    lc_str head = word_of(root);
    if (head.len == 0)
        return NULL;
    lc_str text = text_of(expr, head);
    lc_ref_step *steps = LC_NEW_ARRAY(arena, lc_ref_step, count);
    for (size_t i = count; i > 0; i--, expr = expr->items[0]) {
        steps[i - 1] = step_of(expr);
        if (!is_literal(&steps[i - 1]))
            return NULL;
    }
    lc_reference *ref = LC_NEW(arena, lc_reference);
    *ref = (lc_reference){.head = head,
                          .steps = steps,
                          .count = count,
                          .path = steps,
                          .path_count = count,
                          .place = root->place,
                          .text = text};
    lc_reference_classify(ref);
    return ref;
}

const lc_reference *lc_expr_as_traversal(lc_arena *arena, const lc_expr *expr)
{
    if (expr->kind == LC_EXPR_DOTTED)
        expr = expr->items[0];
    if (expr->kind != LC_EXPR_REFERENCE)
        return of_word(arena, expr);
    const lc_reference *ref = expr->as.reference;
    for (size_t i = 0; i < ref->path_count; i++)
        if (!is_literal(&ref->path[i]))
            return NULL;
    return ref;
}

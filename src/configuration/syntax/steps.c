/* What follows a term: attributes, indices, splats; and bare references. */
#include "configuration/syntax/parser.h"

#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* The steps of one term. Those of a reference are gathered and become one node; on anything else
 * each is a node. */
typedef struct walk {
    lc_parser *p;
    uint32_t start; /* of the term */
    const lc_expr *expr;
    LC_VEC(lc_ref_step) steps; /* of the reference `expr`, not yet in it */
    uint32_t end;              /* of the last step */
} walk;

static lc_source_pos place_of(const lc_parser *p, lc_token token)
{
    lc_source_pos place = p->place;
    place.offset += token.from;
    return place;
}

/* ---- Nodes. */

/* The reference with all steps; index expressions are its items. */
static const lc_expr *extended(lc_parser *p, const lc_reference *head, const lc_ref_step *steps,
                               size_t count, lc_token range)
{
    lc_reference *ref = LC_NEW(p->arena, lc_reference);
    lc_syntax_items indices = {0};
    for (size_t i = 0; i < count; i++)
        if (steps[i].index && steps[i].index->kind != LC_EXPR_LITERAL)
            *LC_PUSH(p->scratch, &indices, const lc_expr *) = steps[i].index;
    *ref = (lc_reference){.head = head->head,
                          .steps = steps,
                          .count = count,
                          .path = steps,
                          .path_count = count,
                          .place = head->place,
                          .text = lc_syntax_text(p, range)};
    lc_reference_classify(ref);
    lc_expr *e = lc_syntax_node_of(p, LC_EXPR_REFERENCE, range, &indices);
    if (e->kind == LC_EXPR_REFERENCE)
        e->as.reference = ref;
    return e;
}

/* Puts the gathered steps into the reference. */
static const lc_expr *flush(walk *w)
{
    if (w->steps.count == 0)
        return w->expr;
    lc_token range = {0, w->start, w->end};
    w->expr =
        extended(w->p, w->expr->as.reference, LC_KEEP(w->p, &w->steps), w->steps.count, range);
    memset(&w->steps, 0, sizeof w->steps);
    return w->expr;
}

/* A literal string or number as an index. */
static const lc_value *key_of(const lc_expr *index)
{
    const lc_value *v = lc_expr_constant(index);
    if (!v || !lc_is_known(v))
        return NULL;
    return v->type->kind == LC_TYPE_STRING || v->type->kind == LC_TYPE_NUMBER ? v : NULL;
}

/* Adds a step that begins at `mark`; `index` is NULL for an attribute. */
static void add_step(walk *w, lc_token mark, lc_str name, const lc_expr *index)
{
    lc_parser *p = w->p;
    w->end = lc_syntax_last(p).to;
    if (w->expr->kind == LC_EXPR_REFERENCE) {
        *LC_PUSH(p->scratch, &w->steps, lc_ref_step) =
            (lc_ref_step){.kind = index ? LC_REF_INDEX : LC_REF_ATTR,
                          .name = name,
                          .index = index,
                          .key = index ? key_of(index) : NULL,
                          .place = place_of(p, mark)};
        return;
    }
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 2);
    items[0] = w->expr;
    items[1] = index;
    lc_expr *e = lc_syntax_node(p, index ? LC_EXPR_INDEX : LC_EXPR_ATTR,
                                (lc_token){0, w->start, w->end}, items, index ? 2 : 1);
    e->mark = lc_syntax_mark(p, mark);
    if (e->kind == LC_EXPR_ATTR)
        e->as.name = name;
    w->expr = e;
}

static void add_splat(walk *w, lc_token marker, const lc_expr *each)
{
    lc_parser *p = w->p;
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 2);
    items[0] = flush(w);
    items[1] = each;
    w->end = each->kind == LC_EXPR_ELEMENT ? marker.to : lc_syntax_to(p, each);
    lc_expr *e = lc_syntax_node(p, LC_EXPR_SPLAT, (lc_token){0, w->start, w->end}, items, 2);
    e->mark = lc_syntax_mark(p, marker);
    w->expr = e;
}

static walk begin(lc_parser *p, const lc_expr *from)
{
    return (walk){.p = p, .start = lc_syntax_from(p, from), .expr = from};
}

/* ---- After a dot. */

/* An index written as `.0`. Two of them look like a fraction, which HCL refuses. */
static void legacy_index(walk *w, lc_token dot, lc_token subject)
{
    lc_parser *p = w->p;
    lc_token number = lc_syntax_read(p);
    lc_str text = lc_syntax_text(p, number);
    if (lc_str_find(text, 0, '.') == text.len) {
        add_step(w, dot, LC_STR_EMPTY, lc_syntax_number(p, number));
        return;
    }
    lc_syntax_error(p, subject.from, LC_SUMMARY_LEGACY_INDEX,
                    "two indices in a row are written in brackets");
    add_step(w, dot, LC_STR_EMPTY, lc_syntax_bad(p, number));
}

/* `.*` applies only the attributes that follow to each element. */
static void attribute_splat(walk *w, lc_token dot)
{
    lc_parser *p = w->p;
    lc_token star = lc_syntax_read(p), marker = lc_syntax_span(dot, star);
    walk each = begin(p, lc_syntax_node(p, LC_EXPR_ELEMENT, marker, NULL, 0));
    while (lc_syntax_peek(p).type == '.') {
        lc_token next_dot = lc_syntax_read(p), next = lc_syntax_peek(p);
        if (next.type == LC_TOKEN_NUMBER) {
            legacy_index(&each, next_dot, star);
            continue;
        }
        if (next.type == LC_TOKEN_IDENTIFIER) {
            lc_syntax_read(p);
            add_step(&each, next_dot, lc_syntax_text(p, next), NULL);
            continue;
        }
        if (next.type == '*')
            lc_syntax_error_at(p, next, LC_SUMMARY_SPLAT_IN_SPLAT,
                               "after .* only attributes may follow");
        else
            lc_syntax_error_at(p, star, LC_SUMMARY_INVALID_ATTRIBUTE_NAME,
                               "a name must follow the dot");
        p->recovery = true;
        return;
    }
    add_splat(w, marker, each.expr);
}

static void after_dot(walk *w)
{
    lc_parser *p = w->p;
    lc_token dot = lc_syntax_read(p), next = lc_syntax_peek(p);
    switch (next.type) {
    case LC_TOKEN_IDENTIFIER:
        lc_syntax_read(p);
        add_step(w, dot, lc_syntax_text(p, next), NULL);
        break;
    case LC_TOKEN_NUMBER:
        legacy_index(w, dot, next);
        break;
    case '*':
        attribute_splat(w, dot);
        break;
    default:
        lc_syntax_error(p, next.from, LC_SUMMARY_INVALID_ATTRIBUTE_NAME,
                        "a name must follow the dot");
        flush(w);
        w->expr = lc_syntax_bad(p, (lc_token){0, w->start, dot.to});
        p->recovery = true;
    }
}

/* ---- After a bracket. */

/* There is another token instead of the closing bracket. The result is the bracket that HCL points
 * at: the one that it finds later, or the end of the text. */
static lc_token no_bracket(lc_parser *p, const char *summary)
{
    lc_token found = lc_syntax_recover(p, ']');
    lc_syntax_error(p, found.from, summary, "a closing bracket is missing before this");
    return found;
}

/* `[*]` applies all steps that follow to each element. */
static void full_splat(walk *w, lc_token open)
{
    lc_parser *p = w->p;
    lc_syntax_read(p);
    lc_token close = lc_syntax_read(p);
    if (close.type != ']' && !p->recovery)
        close = no_bracket(p, LC_SUMMARY_SPLAT_BRACKET);
    lc_token marker = lc_syntax_span(open, close);
    const lc_expr *each = lc_syntax_node(p, LC_EXPR_ELEMENT, marker, NULL, 0);
    if (lc_syntax_enter(p)) {
        each = lc_syntax_steps(p, each);
        lc_syntax_leave(p);
    }
    add_splat(w, marker, each);
}

static void after_bracket(walk *w)
{
    lc_parser *p = w->p;
    lc_token open = lc_syntax_read(p);
    if (lc_syntax_peek(p).type == '*') {
        full_splat(w, open);
        return;
    }
    size_t errors = p->errors.count;
    bool newlines = p->newlines;
    p->newlines = false;
    const lc_expr *index = lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors)) {
        lc_syntax_recover(p, ']');
    } else {
        lc_token close = lc_syntax_read(p);
        if (close.type != ']' && !p->recovery)
            no_bracket(p, LC_SUMMARY_INDEX_BRACKET);
    }
    p->newlines = newlines;
    add_step(w, open, LC_STR_EMPTY, index);
}

const lc_expr *lc_syntax_steps(lc_parser *p, const lc_expr *from)
{
    walk w = begin(p, from);
    for (;;) {
        int type = lc_syntax_peek(p).type;
        if (type == '.')
            after_dot(&w);
        else if (type == '[')
            after_bracket(&w);
        else
            return flush(&w);
    }
}

/* ---- Bare references: names and literal keys only. */

static bool fail(lc_parser *p, lc_token subject, const char *summary, const char *detail)
{
    lc_syntax_error(p, subject.from, summary, detail);
    return false;
}

static bool bare_attribute(walk *w)
{
    lc_parser *p = w->p;
    lc_token dot = lc_syntax_read(p), name = lc_syntax_read(p);
    if (name.type != LC_TOKEN_IDENTIFIER)
        return fail(p, name, LC_SUMMARY_TRAVERSAL_ATTRIBUTE, "a name must follow the dot");
    add_step(w, dot, lc_syntax_text(p, name), NULL);
    return true;
}

static bool bare_index(walk *w)
{
    lc_parser *p = w->p;
    size_t errors = p->errors.count;
    lc_token open = lc_syntax_read(p), key = lc_syntax_peek(p);
    const lc_expr *index;
    if (key.type == LC_TOKEN_NUMBER)
        index = lc_syntax_number(p, lc_syntax_read(p));
    else if (key.type == LC_TOKEN_OPEN_QUOTE)
        index = lc_syntax_text_literal(p, key, lc_syntax_label(p));
    else if (key.type == '*')
        return fail(p, key, LC_SUMMARY_TRAVERSAL_ATTRIBUTE, "a splat is not allowed here");
    else
        return fail(p, key, LC_SUMMARY_TRAVERSAL_INDEX,
                    "Index brackets must contain either a literal number or a literal string");
    lc_token close = lc_syntax_read(p);
    if (close.type != ']')
        fail(p, close, LC_SUMMARY_TRAVERSAL_BRACKET, "a closing bracket must follow the index");
    add_step(w, open, LC_STR_EMPTY, index);
    return !lc_syntax_failed(p, errors);
}

/* HCL stops at the first error. */
const lc_expr *lc_syntax_traversal(lc_parser *p)
{
    p->newlines = false;
    lc_token name = lc_syntax_read(p);
    if (name.type != LC_TOKEN_IDENTIFIER) {
        fail(p, name, LC_SUMMARY_TRAVERSAL_NAME, "Must begin with a variable name");
        return lc_syntax_bad(p, name);
    }
    const lc_reference head = {.head = lc_syntax_text(p, name), .place = place_of(p, name)};
    lc_expr *first = lc_syntax_node(p, LC_EXPR_REFERENCE, name, NULL, 0);
    first->as.reference = &head;
    walk w = begin(p, first);
    bool ok = true;
    while (ok) {
        lc_token next = lc_syntax_peek(p);
        if (next.type == LC_TOKEN_EOF)
            return extended(p, &head, LC_KEEP(p, &w.steps), w.steps.count,
                            (lc_token){0, name.from, lc_syntax_last(p).to});
        if (next.type == '.')
            ok = bare_attribute(&w);
        else if (next.type == '[')
            ok = bare_index(&w);
        else
            ok = fail(p, next, LC_SUMMARY_INVALID_CHARACTER,
                      "only attributes and indices may follow");
    }
    return lc_syntax_bad(p, name);
}

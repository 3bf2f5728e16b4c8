/* Calls, tuples, objects and `for` expressions. */
#include "configuration/syntax/parser.h"
#include "lifecheck/catalog/core_message.h"

static void add_item(lc_parser *p, lc_syntax_items *items, const lc_expr *item)
{
    *LC_PUSH(p->scratch, items, const lc_expr *) = item;
}

/* ---- Calls. */

/* The rest of a function's name after its first part: `::part` and so on. False: an error; the
 * call is left out. */
static bool read_name(lc_parser *p, lc_token first, lc_str *name)
{
    lc_buf text = {0};
    lc_buf_add_str(&text, lc_syntax_text(p, first));
    bool ok = true;
    while (ok && lc_syntax_take(p, LC_TOKEN_DOUBLE_COLON)) {
        lc_token part = lc_syntax_read(p);
        ok = part.type == LC_TOKEN_IDENTIFIER;
        if (!ok)
            lc_syntax_error(p, part.from, LC_SUMMARY_CALL_NAME,
                            "the name of a function must follow ::");
        lc_buf_add_c(&text, "::");
        lc_buf_add_str(&text, lc_syntax_text(p, part));
    }
    *name = lc_buf_take(p->arena, &text);
    if (!ok)
        return false;
    lc_token open = lc_syntax_read(p);
    if (open.type == '(')
        return true;
    lc_syntax_error(p, open.from, LC_SUMMARY_CALL_OPEN,
                    "the arguments of the function must follow in parentheses");
    return false;
}

typedef struct call {
    lc_token name;
    lc_syntax_items items;
    bool expand;
    lc_token close;
} call;

/* `...` after the last argument. */
static void end_expanded(lc_parser *p, call *c, lc_token dots)
{
    c->expand = true;
    if (lc_syntax_peek(p).type == ')') {
        c->close = lc_syntax_read(p);
        return;
    }
    lc_syntax_error_at(p, dots, LC_SUMMARY_CALL_CLOSE, "a closing parenthesis must follow ...");
    c->close = lc_syntax_recover(p, ')');
}

/* What follows an argument; true if that is another one. */
static bool separate(lc_parser *p, call *c)
{
    lc_token sep = lc_syntax_read(p);
    switch (sep.type) {
    case ',':
        return true;
    case ')':
        c->close = sep;
        return false;
    case LC_TOKEN_ELLIPSIS:
        end_expanded(p, c, sep);
        return false;
    case LC_TOKEN_EOF:
        lc_syntax_error(p, c->name.from, LC_SUMMARY_CALL_UNTERMINATED,
                        "the parenthesis of this call is not closed: add )");
        break;
    default:
        lc_syntax_error(p, sep.from, LC_SUMMARY_ARGUMENT_SEPARATOR,
                        "arguments are separated by commas; after the last one, close the "
                        "call with )");
        break;
    }
    c->close = lc_syntax_recover(p, ')');
    return false;
}

static void read_arguments(lc_parser *p, call *c)
{
    do {
        if (lc_syntax_peek(p).type == ')') {
            c->close = lc_syntax_read(p);
            return;
        }
        size_t errors = p->errors.count;
        add_item(p, &c->items, lc_syntax_expression(p));
        if (lc_syntax_lost(p, errors)) {
            c->close = lc_syntax_recover(p, ')');
            return;
        }
    } while (separate(p, c));
}

const lc_expr *lc_syntax_call(lc_parser *p, lc_token name)
{
    lc_str text;
    call c = {.name = name};
    if (!read_name(p, name, &text)) {
        lc_syntax_recover_over_call(p);
        return lc_syntax_bad(p, name);
    }
    bool newlines = p->newlines;
    p->newlines = false;
    read_arguments(p, &c);
    p->newlines = newlines;
    lc_expr *e = lc_syntax_node_of(p, LC_EXPR_CALL, lc_syntax_span(name, c.close), &c.items);
    if (e->kind != LC_EXPR_CALL)
        return e;
    e->as.name = text;
    e->expand = c.expand;
    e->mark = lc_syntax_mark(p, c.close);
    return e;
}

/* ---- Tuples. */

/* A `for` in brackets; `open` was read, `for` is next. */
static const lc_expr *read_for(lc_parser *p, lc_token open);

/* What follows an element; true if that is another one, else *close is the end. */
static bool next_element(lc_parser *p, lc_token open, lc_token *close)
{
    lc_token next = lc_syntax_peek(p);
    if (next.type == ',') {
        lc_syntax_read(p);
        return true;
    }
    if (next.type == ']') {
        *close = lc_syntax_read(p);
        return false;
    }
    if (next.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, open, LC_SUMMARY_TUPLE_UNTERMINATED,
                           "this bracket is not closed: add ]");
    else
        lc_syntax_error_at(p, next, LC_SUMMARY_ITEM_SEPARATOR,
                           "elements are separated by commas; after the last one, close the "
                           "list with ]");
    *close = lc_syntax_recover(p, ']');
    return false;
}

static const lc_expr *read_tuple(lc_parser *p, lc_token open)
{
    lc_syntax_items items = {0};
    lc_token close;
    do {
        if (lc_syntax_peek(p).type == ']') {
            close = lc_syntax_read(p);
            break;
        }
        size_t errors = p->errors.count;
        add_item(p, &items, lc_syntax_expression(p));
        if (lc_syntax_lost(p, errors)) {
            close = lc_syntax_recover(p, ']');
            break;
        }
    } while (next_element(p, open, &close));
    return lc_syntax_node_of(p, LC_EXPR_TUPLE, lc_syntax_span(open, close), &items);
}

const lc_expr *lc_syntax_tuple(lc_parser *p)
{
    lc_token open = lc_syntax_read(p);
    bool newlines = p->newlines;
    p->newlines = false;
    const lc_expr *e =
        lc_syntax_is_word(p, lc_syntax_peek(p), "for") ? read_for(p, open) : read_tuple(p, open);
    p->newlines = newlines;
    return e;
}

/* ---- Objects. */

/* A reference without computed indices, which HCL could also take for a name with dots. */
static bool is_dotted(const lc_expr *e)
{
    if (e->kind != LC_EXPR_REFERENCE)
        return false;
    const lc_reference *ref = e->as.reference;
    for (size_t i = 0; i < ref->path_count; i++)
        if (ref->path[i].index && ref->path[i].index->kind != LC_EXPR_LITERAL)
            return false;
    return ref->path_count > 0;
}

/* The text of a bare word, also if it is a keyword; in parentheses it is an expression. NULL: the
 * key is something else, and nothing was read. */
static const lc_expr *read_word_key(lc_parser *p)
{
    lc_token word = lc_syntax_peek(p);
    if (word.type != LC_TOKEN_IDENTIFIER)
        return NULL;
    int next = lc_syntax_peek_after(p, word).type;
    if (next != '=' && next != ':')
        return NULL;
    lc_syntax_read(p);
    lc_expr *key = lc_syntax_text_literal(p, word, lc_syntax_text(p, word));
    key->bare = true;
    return key;
}

static const lc_expr *make_key(lc_parser *p, const lc_expr *e)
{
    lc_token range = {0, lc_syntax_from(p, e), lc_syntax_to(p, e)};
    if (!is_dotted(e))
        return e;
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 1);
    items[0] = e;
    return lc_syntax_node(p, LC_EXPR_DOTTED, range, items, 1);
}

static void report_no_value(lc_parser *p, lc_token open, lc_token next)
{
    if (next.type == LC_TOKEN_NEWLINE || next.type == ',')
        lc_syntax_error_at(p, next, LC_SUMMARY_OBJECT_VALUE,
                           "the value of the attribute must follow, after an equals sign");
    else if (next.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, open, LC_SUMMARY_OBJECT_UNTERMINATED,
                           "this brace is not closed: add }");
    else
        lc_syntax_error_at(p, next, LC_SUMMARY_KEY_VALUE_SEPARATOR,
                           "an equals sign is expected here; names with dots or spaces are written "
                           "in quotes");
}

/* One `key = value`. False: an error, *close is the end of the object. */
static bool read_member(lc_parser *p, lc_token open, lc_syntax_items *items, lc_token *close)
{
    size_t errors = p->errors.count;
    const lc_expr *word = read_word_key(p), *key = word ? word : lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors)) {
        *close = lc_syntax_recover(p, '}');
        return false;
    }
    lc_token next = lc_syntax_peek(p);
    if (next.type != '=' && next.type != ':') {
        report_no_value(p, open, next);
        *close = lc_syntax_recover(p, '}');
        return false;
    }
    lc_syntax_read(p);
    errors = p->errors.count;
    const lc_expr *value = lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors)) {
        *close = lc_syntax_recover(p, '}');
        return false;
    }
    add_item(p, items, word ? word : make_key(p, key));
    add_item(p, items, value);
    return true;
}

/* What follows a member; true if another one may follow, else *close is the end. */
static bool next_member(lc_parser *p, lc_token open, lc_token *close)
{
    lc_token next = lc_syntax_peek(p);
    if (next.type == ',' || next.type == LC_TOKEN_NEWLINE) {
        lc_syntax_read(p);
        return true;
    }
    if (next.type == '}') {
        *close = lc_syntax_read(p);
        return false;
    }
    if (next.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, open, LC_SUMMARY_OBJECT_UNTERMINATED,
                           "this brace is not closed: add }");
    else
        lc_syntax_error_at(p, next, LC_SUMMARY_ATTRIBUTE_SEPARATOR,
                           "attributes are separated by line breaks or commas; after the last "
                           "one, close the object with }");
    *close = lc_syntax_recover(p, '}');
    return false;
}

/* Line breaks separate members. */
static const lc_expr *read_object(lc_parser *p, lc_token open)
{
    lc_syntax_items items = {0};
    lc_token close;
    do {
        while (lc_syntax_take(p, LC_TOKEN_NEWLINE))
            ;
        if (lc_syntax_peek(p).type == '}') {
            close = lc_syntax_read(p);
            break;
        }
    } while (read_member(p, open, &items, &close) && next_member(p, open, &close));
    return lc_syntax_node_of(p, LC_EXPR_OBJECT, lc_syntax_span(open, close), &items);
}

const lc_expr *lc_syntax_object(lc_parser *p)
{
    lc_token open = lc_syntax_read(p);
    bool newlines = p->newlines;
    p->newlines = false;
    bool loop = lc_syntax_is_word(p, lc_syntax_peek(p), "for");
    p->newlines = !loop;
    const lc_expr *e = loop ? read_for(p, open) : read_object(p, open);
    p->newlines = newlines;
    return e;
}

/* ---- `for`. */

typedef struct loop {
    lc_token open, close;
    int end; /* type of the closing bracket */
    lc_for *parts;
    lc_token dots; /* of `...`, if the loop is grouped */
} loop;

static bool read_variable(lc_parser *p, lc_str *name, const char *summary, const char *detail)
{
    lc_token next = lc_syntax_peek(p);
    if (next.type != LC_TOKEN_IDENTIFIER) {
        lc_syntax_error_at(p, next, summary, detail);
        return false;
    }
    *name = lc_syntax_text(p, lc_syntax_read(p));
    return true;
}

bool lc_syntax_for_names(lc_parser *p, lc_for *f, const char *summary)
{
    if (!read_variable(p, &f->value_name, summary, "a name must follow `for`"))
        return false;
    if (lc_syntax_take(p, ',')) {
        f->key_name = f->value_name;
        if (!read_variable(p, &f->value_name, summary, "a second name must follow the comma"))
            return false;
    }
    if (!lc_syntax_is_word(p, lc_syntax_peek(p), "in")) {
        lc_syntax_error_at(p, lc_syntax_peek(p), summary, "`in` must follow the names");
        return false;
    }
    lc_syntax_read(p);
    return true;
}

static bool read_part(lc_parser *p, const lc_expr **part)
{
    size_t errors = p->errors.count;
    *part = lc_syntax_expression(p);
    return !lc_syntax_lost(p, errors);
}

/* What follows the colon, up to the closing bracket. */
static bool read_result(lc_parser *p, loop *l)
{
    lc_for *f = l->parts;
    size_t errors = p->errors.count;
    f->value = lc_syntax_expression(p);
    if (lc_syntax_take(p, LC_TOKEN_FAT_ARROW)) {
        f->key = f->value;
        f->value = lc_syntax_expression(p);
    }
    if (lc_syntax_lost(p, errors))
        return false;
    if (lc_syntax_peek(p).type == LC_TOKEN_ELLIPSIS) {
        l->dots = lc_syntax_read(p);
        f->grouped = true;
    }
    if (lc_syntax_is_word(p, lc_syntax_peek(p), "if")) {
        lc_syntax_read(p);
        return read_part(p, &f->condition);
    }
    return true;
}

static bool read_loop(lc_parser *p, loop *l)
{
    if (!lc_syntax_for_names(p, l->parts, LC_SUMMARY_FOR_EXPRESSION) ||
        !read_part(p, &l->parts->collection))
        return false;
    if (lc_syntax_peek(p).type != ':') {
        lc_syntax_error_at(p, lc_syntax_peek(p), LC_SUMMARY_FOR_EXPRESSION,
                           "a colon must follow the collection");
        return false;
    }
    lc_syntax_read(p);
    return read_result(p, l);
}

/* Keys and groups are for objects only; reported even while recovering. */
static void check_result(lc_parser *p, const loop *l)
{
    const lc_for *f = l->parts;
    bool object = l->end == '}';
    if (!object && f->key)
        lc_syntax_error(p, lc_syntax_from(p, f->key), LC_SUMMARY_FOR_EXPRESSION,
                        "the elements of a tuple have no keys");
    if (!object && f->grouped)
        lc_syntax_error(p, l->dots.from, LC_SUMMARY_FOR_EXPRESSION,
                        "the elements of a tuple cannot be grouped by ...");
    if (object && !f->key)
        lc_syntax_error(p, lc_syntax_from(p, f->value), LC_SUMMARY_FOR_EXPRESSION,
                        "an object needs a key and => before the value");
}

const lc_expr *lc_syntax_for_node(lc_parser *p, lc_token range, const lc_for *f)
{
    lc_syntax_items items = {0};
    add_item(p, &items, f->collection);
    add_item(p, &items, f->value);
    if (f->key)
        add_item(p, &items, f->key);
    if (f->condition)
        add_item(p, &items, f->condition);
    lc_expr *e = lc_syntax_node_of(p, LC_EXPR_FOR, range, &items);
    if (e->kind == LC_EXPR_FOR)
        e->as.loop = f;
    return e;
}

static const lc_expr *read_for(lc_parser *p, lc_token open)
{
    loop l = {.open = open, .end = open.type == '{' ? '}' : ']', .parts = LC_NEW(p->arena, lc_for)};
    lc_syntax_read(p);
    if (!read_loop(p, &l))
        return lc_syntax_bad(p, lc_syntax_span(open, lc_syntax_recover(p, l.end)));
    if (lc_syntax_peek(p).type == l.end) {
        l.close = lc_syntax_read(p);
    } else {
        lc_syntax_error_at(p, lc_syntax_peek(p), LC_SUMMARY_FOR_EXPRESSION,
                           "the expression must end here with its closing bracket");
        l.close = lc_syntax_recover(p, l.end);
    }
    check_result(p, &l);
    return lc_syntax_for_node(p, lc_syntax_span(open, l.close), l.parts);
}

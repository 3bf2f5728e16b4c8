/* Expressions: operators and terms. */
#include "configuration/syntax/parser.h"
#include "lifecheck/catalog/core_message.h"

/* A binary operator with its precedence: a higher level binds tighter. */
typedef struct binary {
    int type; /* of the token */
    lc_op op;
    unsigned level;
} binary;

static const binary *binary_of(int type)
{
    static const binary rows[] = {
        {LC_TOKEN_OR, LC_OP_OR, 1},
        {LC_TOKEN_AND, LC_OP_AND, 2},
        {LC_TOKEN_EQUAL, LC_OP_EQUAL, 3},
        {LC_TOKEN_NOT_EQUAL, LC_OP_NOT_EQUAL, 3},
        {LC_TOKEN_LESS_EQUAL, LC_OP_LESS_EQUAL, 4},
        {LC_TOKEN_MORE_EQUAL, LC_OP_MORE_EQUAL, 4},
        {'<', LC_OP_LESS, 4},
        {'>', LC_OP_MORE, 4},
        {'+', LC_OP_ADD, 5},
        {'-', LC_OP_SUBTRACT, 5},
        {'*', LC_OP_MULTIPLY, 6},
        {'/', LC_OP_DIVIDE, 6},
        {'%', LC_OP_MODULO, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type)
            return &rows[i];
    return NULL;
}

static const lc_expr *parse_operand(lc_parser *p);

/* Numbers as cty reads them, with 512 bits. Some that cty takes are too long for lifecheck. */
const lc_expr *lc_syntax_number(lc_parser *p, lc_token token)
{
    lc_num n;
    lc_value v;
    lc_num_parse outcome = lc_num_from_text(&n, p->arena, lc_syntax_text(p, token), LC_MAX_DIGITS);
    if (outcome == LC_NUM_OK) {
        lc_value_set_number(&v, n);
        return lc_syntax_literal(p, token, &v);
    }
    if (outcome == LC_NUM_TOO_LONG) {
        lc_expr *e = lc_syntax_node(p, LC_EXPR_UNDECIDED, token, NULL, 0);
        e->as.name = LC_STR("the number is too long");
        return e;
    }
    lc_syntax_error(p, token.from, LC_SUMMARY_NUMBER_LITERAL, "this is not a number");
    return lc_syntax_bad(p, token);
}

/* ---- Terms. */

/* Inside of parentheses line breaks do not count. */
static const lc_expr *parse_parentheses(lc_parser *p)
{
    size_t errors = p->errors.count;
    lc_token open = lc_syntax_read(p);
    bool newlines = p->newlines;
    p->newlines = false;
    const lc_expr *inner = lc_syntax_expression(p);
    if (lc_syntax_failed(p, errors)) {
        lc_syntax_recover(p, ')');
        p->newlines = newlines;
        return inner;
    }
    lc_token close = lc_syntax_peek(p);
    if (close.type != ')') {
        lc_syntax_error(p, close.from, LC_SUMMARY_PARENTHESES,
                        "a closing parenthesis is expected here");
        p->recovery = true;
    }
    close = lc_syntax_read(p);
    p->newlines = newlines;
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 1);
    items[0] = inner;
    return lc_syntax_node(p, LC_EXPR_PARENS, lc_syntax_span(open, close), items, 1);
}

static const lc_expr *make_reference(lc_parser *p, lc_token name)
{
    lc_reference *ref = LC_NEW(p->arena, lc_reference);
    ref->head = ref->text = lc_syntax_text(p, name);
    lc_expr *e = lc_syntax_node(p, LC_EXPR_REFERENCE, name, NULL, 0);
    ref->place = e->place;
    lc_reference_classify(ref);
    e->as.reference = ref;
    return e;
}

/* A function call, a keyword, or the beginning of a reference. */
static const lc_expr *parse_word(lc_parser *p)
{
    lc_token name = lc_syntax_read(p);
    int next = lc_syntax_peek(p).type;
    if (next == '(' || next == LC_TOKEN_DOUBLE_COLON)
        return lc_syntax_call(p, name);
    lc_value v;
    if (lc_syntax_is_word(p, name, "null"))
        lc_value_set_null(&v, &lc_type_dynamic);
    else if (lc_syntax_is_word(p, name, "true"))
        lc_value_set_bool(&v, true);
    else if (lc_syntax_is_word(p, name, "false"))
        lc_value_set_bool(&v, false);
    else
        return make_reference(p, name);
    return lc_syntax_literal(p, name, &v);
}

static const lc_expr *parse_unary(lc_parser *p, lc_op op)
{
    lc_token sign = lc_syntax_read(p);
    const lc_expr *operand = lc_syntax_bad(p, sign);
    if (lc_syntax_enter(p)) {
        operand = parse_operand(p);
        lc_syntax_leave(p);
    }
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 1);
    items[0] = operand;
    sign.to = lc_syntax_to(p, operand);
    lc_expr *e = lc_syntax_node(p, LC_EXPR_UNARY, sign, items, 1);
    e->op = (uint8_t)op;
    return e;
}

static const lc_expr *parse_missing(lc_parser *p, lc_token here)
{
    if (here.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, here, LC_SUMMARY_MISSING_EXPRESSION,
                           "the input ends where a value is missing: write one, such as "
                           "\"text\", 5, true or var.name");
    else
        lc_syntax_error_at(p, here, LC_SUMMARY_INVALID_EXPRESSION,
                           "a value is missing here: write one, such as \"text\", 5, true or "
                           "var.name");
    p->recovery = true;
    return lc_syntax_bad(p, here);
}

static const lc_expr *parse_term(lc_parser *p)
{
    lc_token start = lc_syntax_peek(p);
    switch (start.type) {
    case '(':
        return parse_parentheses(p);
    case LC_TOKEN_NUMBER:
        return lc_syntax_number(p, lc_syntax_read(p));
    case LC_TOKEN_IDENTIFIER:
        return parse_word(p);
    case LC_TOKEN_OPEN_QUOTE:
        return lc_syntax_template(p, lc_syntax_read(p), LC_TOKEN_CLOSE_QUOTE);
    case LC_TOKEN_OPEN_HEREDOC:
        return lc_syntax_template(p, lc_syntax_read(p), LC_TOKEN_CLOSE_HEREDOC);
    case '-':
        return parse_unary(p, LC_OP_NEGATE);
    case '!':
        return parse_unary(p, LC_OP_NOT);
    case '[':
        return lc_syntax_tuple(p);
    case '{':
        return lc_syntax_object(p);
    default:
        return parse_missing(p, start);
    }
}

static const lc_expr *parse_operand(lc_parser *p)
{
    return lc_syntax_steps(p, parse_term(p));
}

/* ---- Operators. */

static const lc_expr *make_binary(lc_parser *p, const binary *o, const lc_expr *left,
                                  const lc_expr *right)
{
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 2);
    items[0] = left;
    items[1] = right;
    lc_token range = {0, lc_syntax_from(p, left), lc_syntax_to(p, right)};
    lc_expr *e = lc_syntax_node(p, LC_EXPR_BINARY, range, items, 2);
    e->op = (uint8_t)o->op;
    return e;
}

/* Precedence climbing; operators of one level are grouped from the left. */
static const lc_expr *parse_binary(lc_parser *p, unsigned level)
{
    size_t errors = p->errors.count;
    const lc_expr *left = parse_operand(p);
    const binary *o;
    while (!lc_syntax_lost(p, errors) && (o = binary_of(lc_syntax_peek(p).type)) &&
           o->level >= level) {
        lc_syntax_read(p);
        const lc_expr *right = parse_binary(p, o->level + 1);
        if (lc_syntax_lost(p, errors))
            break;
        left = make_binary(p, o, left, right);
    }
    return left;
}

/* The part after the question mark. After an error the condition alone is the result. */
static const lc_expr *parse_condition(lc_parser *p, lc_token start, const lc_expr *test)
{
    size_t errors = p->errors.count;
    const lc_expr **items = LC_NEW_ARRAY(p->arena, const lc_expr *, 3);
    items[0] = test;
    items[1] = lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors))
        return test;
    lc_token colon = lc_syntax_peek(p);
    if (colon.type != ':') {
        lc_syntax_error(p, colon.from, LC_SUMMARY_FALSE_EXPRESSION,
                        "a colon and the result for false are expected here");
        return test;
    }
    lc_syntax_read(p);
    errors = p->errors.count;
    items[2] = lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors))
        return test;
    start.to = lc_syntax_to(p, items[2]);
    return lc_syntax_node(p, LC_EXPR_CONDITION, start, items, 3);
}

/* Every nested expression goes through this function, which bounds the depth. */
const lc_expr *lc_syntax_expression(lc_parser *p)
{
    size_t errors = p->errors.count;
    lc_token start = lc_syntax_peek(p);
    if (!lc_syntax_enter(p))
        return lc_syntax_bad(p, start);
    const lc_expr *e = parse_binary(p, 0);
    if (!lc_syntax_lost(p, errors) && lc_syntax_take(p, '?'))
        e = parse_condition(p, start, e);
    lc_syntax_leave(p);
    return e;
}

/* Trees of expressions, shared by the parser and the evaluator. They are immutable and live in the
 * arena in which they were parsed.
 *
 * Nodes are those of HCL, so that errors have HCL's places. A node begins at `place` and ends
 * before `end`; what HCL has a second place for is at `mark`. */
#ifndef LC_CONFIGURATION_EXPRESSION_TREE_H
#define LC_CONFIGURATION_EXPRESSION_TREE_H

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/expression.h"

typedef enum lc_expr_kind {
    LC_EXPR_LITERAL,  /* value; also a template without sequences, then mark: its text. As a key of
                         an object also a  bare word, then `bare` is set */
    LC_EXPR_TEMPLATE, /* items are joined to a string; place and end include the quotes or the
                         marker of a heredoc */
    LC_EXPR_WRAP,     /* a template that is one `${items[0]}`, whose type is kept */
    LC_EXPR_JOIN, /* the `%{for}` of a template: the strings of the tuple items[0] (LC_EXPR_FOR) */
    LC_EXPR_PARENS,    /* (items[0]) */
    LC_EXPR_REFERENCE, /* reference; its head may be a name that a `for` or a dynamic block around
                          declares, which is decided at evaluation. items: the expressions of index
                          steps */
    LC_EXPR_ELEMENT,   /* the element of the splat around it */
    LC_EXPR_ATTR,      /* items[0].name; mark: the dot */
    LC_EXPR_INDEX,     /* items[0][items[1]]; mark: the bracket, or the dot of `.0` */
    LC_EXPR_SPLAT,  /* items[1] for each element of items[0]; mark: `[` of [*] or the dot of .* */
    LC_EXPR_TUPLE,  /* items */
    LC_EXPR_OBJECT, /* items: key, value, key, value, ... */
    LC_EXPR_DOTTED, /* the key items[0] of an object, `a.b` without parentheses, which HCL finds
                       ambiguous */
    LC_EXPR_CALL,   /* name(items), `expand`: the last is a list of arguments; mark: the closing
                       parenthesis */
    LC_EXPR_UNARY,  /* op: ! or - */
    LC_EXPR_BINARY,
    LC_EXPR_CONDITION, /* items[0] ? items[1] : items[2], also `%{if}` */
    LC_EXPR_FOR,       /* see lc_for */
    LC_EXPR_BLOCK,     /* block; items: for_each, labels and body, those that there are */
    LC_EXPR_BAD, /* did not parse: an unknown value. errors: those of a template in JSON syntax,
                    which are reported when it is evaluated; else NULL */
    LC_EXPR_UNDECIDED, /* name is the reason why it is not evaluated */
} lc_expr_kind;

typedef enum lc_op {
    LC_OP_OR,
    LC_OP_AND,
    LC_OP_EQUAL,
    LC_OP_NOT_EQUAL,
    LC_OP_LESS,
    LC_OP_LESS_EQUAL,
    LC_OP_MORE,
    LC_OP_MORE_EQUAL,
    LC_OP_ADD,
    LC_OP_SUBTRACT,
    LC_OP_MULTIPLY,
    LC_OP_DIVIDE,
    LC_OP_MODULO,
    LC_OP_NOT,
    LC_OP_NEGATE,
} lc_op;

/* The parts of a `for`. The expression's `items` holds them again (collection, value, then key and
 * condition if there are any), so that walks over items visit them. */
typedef struct lc_for {
    lc_str key_name, value_name; /* key_name may be empty */
    bool grouped;
    /* With `key` the result is an object, else a tuple. */
    const lc_expr *collection, *key, *value, *condition;
} lc_for;

/* One node. What `as` holds and what `items` are depends on the kind, see above. */
struct lc_expr {
    uint8_t kind;    /* lc_expr_kind */
    uint8_t op;      /* lc_op */
    bool expand;     /* of a call: the last argument is expanded (`...`) */
    bool bare;       /* of a literal key: written as a bare word; of an object: a native body */
    uint16_t height; /* 1 for a leaf; bounds the recursion of every walk */
    uint32_t count;
    lc_source_pos place;
    uint32_t end, mark; /* offsets like place.offset, with the same place.where */
    union {
        const lc_value *value;
        const lc_reference *reference;
        lc_str name;
        const lc_for *loop;
        const lc_expr_block *block;
        const lc_eval_error *errors;
    } as;
    const lc_expr *const *items;
};

/* Limit for the height of a tree, and for the recursion of the parser. */
#define LC_EXPR_MAX_HEIGHT 1500

/* A node above `items`, which are taken over, not copied. NULL: the tree would be higher than the
 * limit. */
lc_expr *lc_expr_new(lc_arena *arena, lc_expr_kind kind, lc_source_pos place,
                     const lc_expr *const *items, size_t count);
/* A block, which is copied. */
const lc_expr *lc_expr_block_new(lc_arena *arena, const lc_expr_block *block);
/* An object expression with the members of a body of native syntax. */
const lc_expr *lc_expr_native_body(lc_arena *arena, const lc_expr_member *members, size_t count,
                                   lc_source_pos place);
/* A literal; `slot` is copied. */
const lc_expr *lc_expr_value(lc_arena *arena, lc_source_pos place, const lc_value *slot);
/* Derives root, type and name from ref->head and the steps, and removes from `steps` those that
 * belong to the name. Expects head, steps and count to be set. */
void lc_reference_classify(lc_reference *ref);

#endif

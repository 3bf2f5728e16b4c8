/* Evaluation, shared by its files. All values are allocated in the evaluator's arena. */
#ifndef LC_CONFIGURATION_EXPRESSION_EVAL_H
#define LC_CONFIGURATION_EXPRESSION_EVAL_H

#include "configuration/expression/tree.h"

#include <stdlib.h>

/* A name that a `for` declares with its value for the current element; the innermost is first. */
typedef struct lc_loop_names {
    const struct lc_loop_names *up;
    lc_str name;
    lc_marked value;
} lc_loop_names;

/* The state of one call of lc_evaluate. */
typedef struct lc_evaluator {
    lc_arena *arena;
    const lc_scope *scope;
    lc_eval_error *first;      /* errors so far, in the cores' order; NULL: none */
    const lc_eval_error **end; /* where the next one is linked; NULL before the first */
    bool stopped;              /* a limit is exceeded: the first error says so, and stays */
    unsigned depth;            /* bounded by MAX_DEPTH, so that the C stack suffices */
    size_t steps;              /* bounded by MAX_STEPS */
    const lc_loop_names *names;
    lc_marked element; /* the current element of the splat around */
} lc_evaluator;

/* Adds an error. An empty `summary`: only lifecheck cannot go on; the evaluation ends. Returns
 * false. */
bool lc_eval_fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail);
/* Adds a chain of errors. Returns false. */
bool lc_eval_fail_with(lc_evaluator *e, const lc_eval_error *errors);
/* The end of the list of errors, and the list without what came after such an end. An error that
 * only lifecheck has is never dropped. */
const lc_eval_error **lc_eval_errors_end(const lc_evaluator *e);
void lc_eval_drop_errors(lc_evaluator *e, const lc_eval_error **end);
/* Evaluates a part of the expression. *out is always set: after an error it is what the core goes
 * on with, often an unknown. False: errors were added (not: the list has errors). */
bool lc_eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out);

/* An unmarked unknown value of the type. */
lc_marked lc_eval_unknown(lc_evaluator *e, const lc_type *type);

/* A member of an object under construction. */
typedef struct lc_eval_member {
    lc_str name;
    lc_marked value;
} lc_eval_member;
/* A tuple of the items, each with its marks. The items are copied. */
lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count);
/* Distinct names in any order; the members are sorted in place. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count);

/* Applies expr->op to the operands (the second one is unused for unary operators). The result has
 * no marks: the caller adds those of the operands. False: an error is set. */
bool lc_eval_operator(lc_evaluator *e, const lc_expr *expr, const lc_marked operands[2],
                      lc_marked *out);

/* The value of an LC_EXPR_CALL. False: errors were added. */
bool lc_function_call(lc_evaluator *e, const lc_expr *expr, lc_marked *out);

#endif

/* Evaluation, shared by its files. */
#ifndef LC_CONFIGURATION_EXPRESSION_EVAL_H
#define LC_CONFIGURATION_EXPRESSION_EVAL_H

#include "configuration/expression/tree.h"

#include <stdlib.h>

/* A name that a `for` gives, innermost first. */
typedef struct lc_loop_names {
    const struct lc_loop_names *up;
    lc_str name;
    lc_marked value;
} lc_loop_names;

typedef struct lc_evaluator {
    lc_arena *arena;
    const lc_scope *scope;
    lc_eval_error *trouble;
    unsigned depth;
    size_t steps;
    const lc_loop_names *names;
    lc_marked element; /* of the splat around */
} lc_evaluator;

/* Always false. */
bool lc_eval_fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail);
lc_marked lc_eval_unknown(lc_evaluator *e, const lc_type *type);

typedef struct lc_eval_member {
    lc_str name;
    lc_marked value;
} lc_eval_member;
lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count);
/* Distinct names in any order; the members are sorted in place. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count);

/* Without the operands' marks. */
bool lc_eval_operator(lc_evaluator *e, const lc_expr *expr, const lc_marked operands[2],
                      lc_marked *out);

typedef struct lc_fn_call {
    lc_evaluator *e;
    const lc_expr *expr;
    lc_marked *args;
    size_t count;
    lc_marked result;
} lc_fn_call;
/* The result has the arguments' marks. False: an error was told. */
bool lc_function_call(lc_fn_call *call);

#endif

/* Evaluation, shared by its files. All values are allocated in the evaluator's arena.
 *
 * As in HCL, a part that fails has a value nevertheless, mostly an unknown, with which evaluation
 * continues; errors are added to one list. What fails here with no summary is a limit of lifecheck:
 * it ends the evaluation.
 *
 * Marks follow HCL, which drops some where the result is unknown anyway. LC_MARK_UNDECIDED is never
 * dropped: such a value may well be known to the cores. */
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
#define LC_EVAL_KEPT_TYPES 32
typedef struct lc_evaluator {
    lc_arena *arena;
    const lc_scope *scope;
    lc_eval_error *first;      /* errors so far, in the cores' order; NULL: none */
    const lc_eval_error **end; /* where the next one is linked; NULL before the first */
    bool stopped;              /* evaluation ends: the errors must be reported, and are final */
    unsigned depth;            /* bounded by MAX_DEPTH, so that the C stack suffices */
    size_t steps;              /* bounded by MAX_STEPS */
    const lc_loop_names *names;
    unsigned templates;                            /* functions that render templates around this */
    bool no_files;                                 /* a template around this must not read files */
    lc_marked element;                             /* the current element of the splat around */
    const lc_type *kept_types[LC_EVAL_KEPT_TYPES]; /* of tuples and objects, by hash; or NULL */
} lc_evaluator;

/* ---- Errors. */

/* Adds an error. An empty `summary`: only lifecheck cannot go on; the evaluation ends. Returns
 * false. */
bool lc_eval_fail(lc_evaluator *e, lc_source_pos place, const char *summary, const char *detail);
/* Adds a chain of errors. Returns false. */
bool lc_eval_fail_with(lc_evaluator *e, const lc_eval_error *errors);
/* Ends the evaluation with these errors alone. */
void lc_eval_stop(lc_evaluator *e, const lc_eval_error *errors);
/* The end of the list of errors, and the list without what came after such an end; not once the
 * evaluation has ended. */
const lc_eval_error **lc_eval_errors_end(const lc_evaluator *e);
void lc_eval_drop_errors(lc_evaluator *e, const lc_eval_error **end);
/* Errors that are taken from the list, to be put back elsewhere or not at all. */
typedef struct lc_eval_errors {
    lc_eval_error *first;
    const lc_eval_error **end;
} lc_eval_errors;
lc_eval_errors lc_eval_take_errors(lc_evaluator *e, const lc_eval_error **end);
void lc_eval_put_errors(lc_evaluator *e, lc_eval_errors errors);

/* Evaluates a part of the expression. *out is always set: after an error it is the value with which
 * the core continues, often an unknown. False: errors were added (not: the list has errors). */
bool lc_eval(lc_evaluator *e, const lc_expr *expr, lc_marked *out);

/* Counts steps for work that is not in nodes, such as making long strings or lists: about one for
 * 16 bytes, for a value that is made and for 8 values that are looked at. False: a limit is
 * exceeded, the evaluation ends. */
bool lc_eval_spend(lc_evaluator *e, size_t steps, lc_source_pos place);
/* The number of values within a value, which may be NULL; large ones are not counted to the end. */
size_t lc_eval_weight(const lc_value *v);
/* lc_marked_convert, whose steps count. */
bool lc_eval_convert(lc_evaluator *e, lc_marked *v, const lc_type *want, lc_source_pos place,
                     lc_str *why);

/* ---- Values. None of these has marks. */

lc_marked lc_eval_any(void); /* an unknown of unknown type, cty's DynamicVal */
lc_marked lc_eval_bool(bool is);
lc_marked lc_eval_unknown(lc_evaluator *e, const lc_type *type);
/* The same, not null (of unknown type: lc_eval_any). */
lc_marked lc_eval_not_null(lc_evaluator *e, const lc_type *type);
/* An unknown with a refinement, or the value that the refinement determines. */
lc_marked lc_eval_refined(lc_evaluator *e, const lc_type *type, const lc_refinement *refinement);
lc_marked lc_eval_null(lc_evaluator *e, const lc_type *type);

/* ---- Marks. */

/* `v` with the marks of `from` as a whole; its elements keep theirs for themselves. */
lc_marked lc_eval_mark(lc_evaluator *e, lc_marked v, lc_marked from);
/* `v` with all marks of `from`, also those of its elements. */
lc_marked lc_eval_mark_all(lc_evaluator *e, lc_marked v, lc_marked from);
/* `v`, undecided if anything of `from` is: where the core drops marks. */
lc_marked lc_eval_carry(lc_evaluator *e, lc_marked v, lc_marked from);
/* An element of a known value with its own marks. */
lc_marked lc_eval_part(lc_marked whole, const lc_value *elem);

/* ---- Kinds of nodes. Each returns the value, as lc_eval sets it. */

lc_marked lc_eval_step(lc_evaluator *e, const lc_expr *expr); /* LC_EXPR_ATTR, LC_EXPR_INDEX */
lc_marked lc_eval_reference(lc_evaluator *e, const lc_reference *ref);
lc_marked lc_eval_template(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_join(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_condition(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_for(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_splat(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_unary(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_binary(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_tuple_node(lc_evaluator *e, const lc_expr *expr);
lc_marked lc_eval_object_node(lc_evaluator *e, const lc_expr *expr);
/* The value of an LC_EXPR_CALL. False: errors were added. */
bool lc_function_call(lc_evaluator *e, const lc_expr *expr, lc_marked *out);

/* ---- Tuples and objects. */

/* A tuple of the items, each with its marks. The items are copied. */
lc_marked lc_eval_tuple(lc_evaluator *e, const lc_marked *items, size_t count);
/* A member of an object under construction. */
typedef struct lc_eval_member {
    lc_str name;
    lc_marked value;
} lc_eval_member;
/* Distinct names in any order; the members are sorted in place. */
lc_marked lc_eval_object(lc_evaluator *e, lc_eval_member *members, size_t count);
/* Members that are collected one by one; lc_eval_gathered makes the object and releases them. */
typedef struct lc_eval_gathering {
    LC_VEC(lc_eval_member) list;
    lc_table at; /* name -> index */
} lc_eval_gathering;
void lc_eval_gathering_init(lc_evaluator *e, lc_eval_gathering *g);
/* Finds the member of that name, or returns NULL; and adds a member with a new name. */
lc_eval_member *lc_eval_gathered_member(lc_eval_gathering *g, lc_str name);
void lc_eval_gather(lc_evaluator *e, lc_eval_gathering *g, lc_str name, lc_marked value);
lc_marked lc_eval_gathered(lc_evaluator *e, lc_eval_gathering *g);

#endif

/* Type constraints: the `type` of a variable, and the values that it converts to. Module
 * configuration. Source: HCL's extension typeexpr and the cores' variable blocks.
 *
 * A constraint that is all zeros is that of a variable without `type`. Errors are chains in the
 * cores' order, see lc_eval_error. */
#ifndef LIFECHECK_CONFIGURATION_CONSTRAINT_H
#define LIFECHECK_CONFIGURATION_CONSTRAINT_H

#include "lifecheck/configuration/expression.h"

/* Default values of optional attributes; opaque outside of this module. */
typedef struct lc_type_defaults lc_type_defaults;

/* What the argument `type` of a variable says. */
typedef struct lc_constraint {
    const lc_type *type;              /* with optional attributes; NULL: any type */
    const lc_type_defaults *defaults; /* NULL: no defaults */
    /* A value given as text, on a command line, is an expression; else the text is the value. */
    bool is_expression;
} lc_constraint;

/* Reads the expression of an argument `type` in native syntax, as a variable has it. False:
 * `trouble` has the error of the core; the constraint is then that of any type. */
bool lc_constraint_read(lc_constraint *out, lc_arena *arena, const lc_expr *expr,
                        lc_eval_error *trouble);
/* The same in JSON syntax, where a string holds the expression. */
bool lc_constraint_read_json(lc_constraint *out, lc_arena *arena, const lc_source *source,
                             const lc_node *node, lc_eval_error *trouble);
/* The same for the second argument of the function `convert`, which knows no legacy forms. */
bool lc_constraint_read_type(lc_constraint *out, lc_arena *arena, const lc_expr *expr,
                             lc_eval_error *trouble);

/* Applies the constraint to a value: fills in defaults of optional attributes, unless the value is
 * null, and converts the result. False: not possible; *why as lc_value_convert. */
bool lc_constraint_apply(lc_marked *out, lc_arena *arena, const lc_constraint *constraint,
                         lc_marked v, lc_str *why);

/* The constant value of an expression that may refer to nothing and call no functions. False:
 * `trouble` has the error of the core. */
bool lc_evaluate_constant(lc_marked *out, lc_arena *arena, const lc_expr *expr,
                          lc_eval_error *trouble);

#endif

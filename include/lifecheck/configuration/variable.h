/* Values of variables, given as text or value, and their defaults. Module configuration. Source:
 * the cores' decodeVariableBlock, VariableParsingMode and prepareFinalInputVariableValue. Results
 * live in `arena` and may borrow from what is given. */
#ifndef LIFECHECK_CONFIGURATION_VARIABLE_H
#define LIFECHECK_CONFIGURATION_VARIABLE_H

#include "lifecheck/configuration/configuration.h"

/* The value that `text` means for the variable: the text itself, or the value of the expression
 * that it is, if the type is not string, number or bool. False: `trouble` has the error of the
 * core; its places have no source, but an offset into the text. */
bool lc_variable_from_text(lc_marked *out, lc_arena *arena, const lc_config_variable *v,
                           lc_str text, lc_eval_error *trouble);

/* Sets the default of a variable, converted to its type. v->constraint and v->not_nullable are set
 * already. False: `trouble` has the error of the core. */
bool lc_variable_default(lc_config_variable *v, lc_arena *arena, const lc_expr *expr,
                         lc_eval_error *trouble);
/* The value of a variable that is given a value, or none if `given` is NULL: with the defaults of
 * its type, converted, and with its own default instead of a null that it may not be. Without the
 * marks of the variable. False: `trouble` has the error of the core about a called module. */
bool lc_variable_value(lc_marked *out, lc_arena *arena, const lc_config_variable *v,
                       const lc_marked *given, lc_eval_error *trouble);

#endif

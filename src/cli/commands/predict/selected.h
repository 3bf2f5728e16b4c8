/* What options of predict select. */
#ifndef LC_CLI_COMMANDS_PREDICT_SELECTED_H
#define LC_CLI_COMMANDS_PREDICT_SELECTED_H

#include "lifecheck/base/diag.h"
#include "lifecheck/plan_rules/plan_rules.h"

/* Reports addresses of the options that neither the configuration nor the states nor the plan have,
 * unless not all of them are known. `file` is the input. What is reported lives in `arena`. */
void lc_report_unknown_addresses(lc_arena *arena, const lc_plan_evidence *facts, lc_str file,
                                 lc_diags *diags);
/* Warns about values in files for variables that the root module does not declare. */
void lc_report_undeclared_values(lc_arena *arena, const lc_configuration *config, lc_diags *diags);

#endif

/* What a plan shows about the run that it was made in: what providers answered. (answers_in_plan.c)
 */
#ifndef LC_SCENARIO_PLANNING_ANSWERS_IN_PLAN_H
#define LC_SCENARIO_PLANNING_ANSWERS_IN_PLAN_H

#include "lifecheck/plan_rules/plan_rules.h"
#include "scenario/internal.h"

/* An object that is stored according to a scenario, with its value if its type is known: `origin`
 * of the run model's prior objects. */
typedef struct lc_stored_value {
    const lc_value *value; /* or NULL */
    lc_path_list sensitive;
} lc_stored_value;
/* What the provider answered while the plan was made, as far as the plan shows it: the planned
 * object and what forced a replace. Where triggers alone replaced the object, the provider would
 * certainly have kept it, but it is not known how: `assumed`. */
void lc_prediction_planned(const lc_plan *plan, lc_run_question *ask);
/* What it read for a data source, or for an object that is imported. */
void lc_prediction_read(const lc_plan *plan, lc_run_question *ask);

#endif

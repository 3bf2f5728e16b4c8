/* Configurations, what is stored and what providers answer, to the run model's input: from a
 * scenario, and from files. */
#ifndef LC_INPUT_FORECAST_H
#define LC_INPUT_FORECAST_H

#include "input/internal.h"
#include "lifecheck/plan_rules.h"

/* Reads what lc_prediction_keys name (format.h), and `state` by address.
 * False: reported. Without a configuration nothing is read. */
bool lc_prediction_from_node(lc_plan_evidence *facts, lc_in *in, const lc_node *mapping);

/* An object that a scenario says is stored, with its value if its type is known: `origin` of the
 * run model's prior objects. */
typedef struct lc_stored_value {
    const lc_value *value; /* or NULL */
    lc_path_list sensitive;
} lc_stored_value;

/* What the provider answered while the plan was made, as far as the plan tells: the planned object
 * and what forced a replace. Where triggers alone replaced the object, `assumed`: that the provider
 * would have kept it is certain, not how. (forecast_plan.c) */
void lc_prediction_planned(const lc_plan *plan, lc_run_question *ask);
/* What it read for a data source, or for an object that is imported. (forecast_plan.c) */
void lc_prediction_read(const lc_plan *plan, lc_run_question *ask);

/* What stands under `planning`; NULL: reported. (recorded_keys.c) */
const struct lc_planning *lc_plan_evidence_from_node(lc_in *in, const lc_node *node);

#endif

/* Prediction from a plan alone: the configuration that the plan prints takes the place of files,
 * and what it does not print is taken from the plan or left open. */
#ifndef LC_PREDICT_FROM_PLAN_INTERNAL_H
#define LC_PREDICT_FROM_PLAN_INTERNAL_H

#include "predict/internal.h"

/* configuration.c */

/* The configuration that a plan prints. It is in `arena` and borrows from the plan's nodes. */
const lc_configuration *lc_plan_configuration(lc_arena *arena, const lc_plan *plan);

/* from_plan.c */

/* Plans everything, after the predictor is prepared. */
void lc_predict_from_plan(lc_predictor *r);
/* The keys that the plan has for a block whose own keys cannot be determined. `limited`: there are
 * too many to examine. */
lc_repetitions lc_predict_keys_from_plan(lc_expansion *out, lc_predictor *r, lc_str address,
                                         bool limited);
/* True if the block may have more instances than `found`, the result of its expressions. */
bool lc_predict_is_hidden(const lc_predictor *r, const lc_config_repetition *repetition,
                          const lc_repetitions *found);
/* Adds an index of count that must exist although the plan does not have it. */
void lc_predict_fill_gap(lc_predictor *r, lc_expansion *keys);
/* Why an object may be declared although no block and key was found for it; NULL: it is not. The
 * second function plans a data source. */
const lc_undecided *lc_predict_open_in_plan(lc_predictor *r, const lc_address *address,
                                            lc_str text);
void lc_predict_data_from_plan(lc_predictor *r, const lc_resource_instance *resource,
                               lc_planned_instance *item);

#endif

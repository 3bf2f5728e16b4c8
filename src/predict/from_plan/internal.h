/* Predicting from a plan alone: its own configuration in place of files, and what the plan says of
 * itself where that does not print what decides. */
#ifndef LC_PREDICT_FROM_PLAN_INTERNAL_H
#define LC_PREDICT_FROM_PLAN_INTERNAL_H

#include "predict/internal.h"

/* configuration.c */

/* The configuration that a plan prints. Lives in `arena`, borrows from the plan's nodes. */
const lc_configuration *lc_plan_configuration(lc_arena *arena, const lc_plan *plan);

/* from_plan.c */

/* All that is planned, in the run's order, when the run is prepared. */
void lc_predict_from_plan(lc_predictor *r);
/* The keys of a block whose own cannot be told: those that the plan has. `limited`: there are too
 * many to look at. */
lc_repetitions lc_predict_keys_from_plan(lc_expansion *out, lc_predictor *r, lc_str address,
                                         bool limited);
/* Is there more of it than `found`, which its expressions come to? */
bool lc_predict_is_hidden(const lc_predictor *r, const lc_config_repetition *repetition,
                          const lc_repetitions *found);
/* A key of count that has to be there, and that the plan lacks. */
void lc_predict_fill_gap(lc_predictor *r, lc_expansion *keys);
/* What may declare an object that the blocks and keys found do not; NULL: nothing. */
const lc_undecided *lc_predict_open_in_plan(lc_predictor *r, const lc_address *address,
                                            lc_str text);
void lc_predict_data_from_plan(lc_predictor *r, const lc_resource_instance *resource,
                               lc_planned_instance *item);

#endif

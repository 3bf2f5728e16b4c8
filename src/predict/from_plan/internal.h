/* Prediction from a plan alone: the configuration that the plan prints takes the place of files,
 * and what it does not print is taken from the plan or left open. */
#ifndef LC_PREDICT_FROM_PLAN_INTERNAL_H
#define LC_PREDICT_FROM_PLAN_INTERNAL_H

#include "predict/internal.h"

/* configuration.c */

/* The configuration that a plan prints. It is in `arena` and borrows from the plan's nodes. */
const lc_configuration *lc_plan_configuration(lc_arena *arena, const lc_plan *plan);

/* from_plan.c */

extern const lc_plan_source lc_predict_plan_source;

#endif

/* Reading a plan as JSON: parts of the reader. */
#ifndef LC_PLAN_PLAN_READER_H
#define LC_PLAN_PLAN_READER_H

#include "lifecheck/plan/plan.h"

/* Reads one entry; members that are absent stay NULL or empty. */
void lc_plan_read_change(lc_plan_change *out, lc_plan *plan, const lc_node *node);
/* Reads planned_values and prior_state, then the blocks and module calls of the configuration. */
void lc_plan_read_trees(lc_plan *plan);
void lc_plan_read_configuration(lc_plan *plan);

#endif

/* Reading a plan as JSON: parts of the reader. */
#ifndef LC_PLAN_PLAN_READER_H
#define LC_PLAN_PLAN_READER_H

#include "lifecheck/plan.h"

/* An entry of resource_changes and the like. */
void lc_plan_read_change(lc_plan_change *out, lc_plan *plan, const lc_node *node);
/* The trees and what is in them; the configuration. */
void lc_plan_read_trees(lc_plan *plan);
void lc_plan_read_configuration(lc_plan *plan);

#endif

/* What a plan by itself lets one predict: the run model without a configuration beside the plan.
 * Module planning. Pure. Source: runs-and-providers 0, 1.5 and 2.3 to 2.11.
 *
 * The section `configuration` of a plan has the blocks, literal counts and keys, and what other
 * expressions refer to; it has no locals, no settings of lifecycle and no moved, removed or import
 * blocks, and an expression that is a bare function call is left out. So that a block has neither
 * count nor for_each proves nothing, and keys that cannot be told are those that the plan itself
 * has; whatever those settings decide is left open. */
#ifndef LIFECHECK_PLAN_ONLY_H
#define LIFECHECK_PLAN_ONLY_H

#include "lifecheck/predict.h"

/* Changes by address, as lc_run_predict gives them, with `reasons` and `sure`; outputs are not
 * looked at. In a refresh-only plan, and if the mode is not known, there are none. */
void lc_predict_from_plan(lc_prediction *out, lc_arena *arena, lc_plan *plan,
                          const lc_plan_options *options);

#endif

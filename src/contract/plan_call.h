/* The calls that make a plan, with what each core compares their result with. Shared by the
 * families proposed, plan and replace. */
#ifndef LC_CONTRACT_RULES_PLAN_CALL_H
#define LC_CONTRACT_RULES_PLAN_CALL_H

#include "contract/judge.h"

/* A plan call with what each core compares its result with. */
typedef struct lc_plan_call {
    const lc_call *call;
    const lc_value *prior;                 /* as sent */
    const lc_value *config[LC_CORE_COUNT]; /* as each core sends it */
    lc_column promised_by;
} lc_plan_call;

/* The plan, the plan of a replace's create, and the final plan. */
#define LC_PLAN_CALLS 3
/* One of them; values are borrowed, a null prior state is in the scratch arena. False: the run has
 * no such call. */
bool lc_plan_call_at(lc_plan_call *out, const lc_judge *j, size_t index);

#endif

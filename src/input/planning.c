/* What stands under `planning` in a scenario. */
#include "lifecheck/planning.h"
#include "input/forecast.h"

const lc_planning *lc_in_planning(lc_in *in, const lc_node *node)
{
    return lc_plan_evidence_from_node(in, node);
}

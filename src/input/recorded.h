/* Plans, states and options under `planning` in a scenario. */
#ifndef LC_INPUT_RECORDED_H
#define LC_INPUT_RECORDED_H

#include "input/evidence.h"
#include "lifecheck/plan_rules.h"

/* ... and judged by itself. */
const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts);
void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas);

#endif

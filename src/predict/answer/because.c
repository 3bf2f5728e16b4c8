/* Why an object gets its action, in one sentence. */
#include "predict/internal.h"

lc_loc lc_run_cause_loc(const lc_run_change *change)
{
    return change->why.loc.line ? change->why.loc : change->place;
}

lc_str lc_run_because(lc_arena *arena, const lc_prediction *result, const lc_run_change *change)
{
    (void)result;
    return lc_str_copy(arena, change->why.text);
}

/* What a prediction, or a plan that is taken as it is, says of itself. */
#ifndef LC_PREDICT_ANSWER_INTERNAL_H
#define LC_PREDICT_ANSWER_INTERNAL_H

#include "predict/from_plan/internal.h"

#define LC_MAX_CAUSES 12 /* attributes of one object that are listed */

/* The attributes of one object that make it change, while they are gathered. */
struct lc_cause_list {
    lc_arena *arena;
    LC_VEC(lc_run_cause) list;
    size_t left; /* that were not gathered */
};
typedef struct lc_cause_list lc_cause_list;
/* Appends a cause with a path of these steps, which are copied, if there is room. Valid until the
 * next one is appended; NULL: there is no room. */
lc_run_cause *lc_cause_add(lc_cause_list *out, lc_cause_kind kind, lc_path path);

/* differences.c: what differs between the values before and after in an entry of a plan. */
void lc_cause_differences(lc_cause_list *out, const lc_plan *plan, const lc_plan_change *entry);

/* values.c: what differs between two values of one object type. `required`: paths that require a
 * replace. */
void lc_cause_values(lc_cause_list *out, const lc_value *before, const lc_value *after,
                     const lc_path_list *required);

/* trace.c: finds out for all changes where the new values come from. Places and changes are
 * complete before. */
void lc_run_trace(lc_prediction *out, lc_arena *arena);

#endif

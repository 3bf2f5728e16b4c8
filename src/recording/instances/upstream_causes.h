/* Promises that one instance broke and its client only logged, remembered for the instances that
 * were configured with the promised value: their final configuration holds what came instead.
 *
 * A value is followed only where exactly one broken promise explains it; what is small or common
 * (null, booleans, short texts, small numbers) is never followed. */
#ifndef LC_RECORDING_INSTANCES_UPSTREAM_CAUSES_H
#define LC_RECORDING_INSTANCES_UPSTREAM_CAUSES_H

#include "lifecheck/contract/case.h"

#define LC_MAX_UPSTREAM_CAUSES 1024 /* later ones are not followed */
#define LC_MAX_UPSTREAM_TEXT   4096 /* bytes of a value that is */

typedef struct lc_upstream_causes lc_upstream_causes;
typedef LC_VEC(lc_cause) lc_causes;

lc_upstream_causes *lc_upstream_causes_new(lc_arena *arena);
bool lc_upstream_causes_any(const lc_upstream_causes *promises);
/* Judges the case of an instance up to its apply, which came as call number `arrival` of the input,
 * and remembers what it broke. Only facts of the case are copied. Causes have the name of the case
 * until the instance gets its own. */
void lc_upstream_causes_take(lc_upstream_causes *promises, lc_case *subject, uint64_t instance,
                             uint64_t arrival);
/* The instance has its name now, which is copied. */
void lc_upstream_causes_name(lc_upstream_causes *promises, uint64_t instance, lc_str name);
/* One instance has become part of another. */
void lc_upstream_causes_merge(lc_upstream_causes *promises, uint64_t from, uint64_t to);
/* May `after` be the configuration `before` once unknowns were known and promises broken, between
 * the calls number `from` and `to`? At least one was: each gets an origin in `out`, whose path is
 * in `arena`. */
bool lc_upstream_causes_explain(lc_causes *out, lc_arena *arena, const lc_upstream_causes *promises,
                                const lc_value *before, const lc_value *after, uint64_t from,
                                uint64_t to);

#endif

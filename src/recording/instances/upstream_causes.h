/* Violations by one instance that its client only logged, remembered for the instances that were
 * configured with the planned value: their final configuration has the value that replaced it.
 *
 * A value is followed only where exactly one violation explains it; small or common values (null,
 * booleans, short strings, small numbers) are never followed. */
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
/* Can known values of unknowns, and violations between the calls number `from` and `to`, turn the
 * configuration `before` into `after`? At least one violation did: each gets an origin in `out`,
 * whose path is in `arena`. */
bool lc_upstream_causes_explain(lc_causes *out, lc_arena *arena, const lc_upstream_causes *promises,
                                const lc_value *before, const lc_value *after, uint64_t from,
                                uint64_t to);

#endif

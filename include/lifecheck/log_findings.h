/* What the core's own lines of a log say: promises that were broken, and tolerated or only logged.
 */
#ifndef LIFECHECK_LOG_FINDINGS_H
#define LIFECHECK_LOG_FINDINGS_H

#include "lifecheck/instances.h"

/* By type, so that instances of it can be asked whether their values show the same. */
typedef struct lc_log_findings {
    lc_arena *arena;
    LC_VEC(lc_logged *) list;
    lc_table by_type; /* lc_logged_list */
    lc_table by_address;
    lc_table known; /* each once */
} lc_log_findings;
void lc_log_findings_init(lc_log_findings *set, lc_arena *arena);
/* A copy; a promise that is known already is not added again. */
void lc_log_findings_add(lc_log_findings *set, const lc_logged *logged);
/* Let a run of this type see them. */
void lc_log_findings_show(const lc_log_findings *set, lc_run *run, lc_str type);

/* Stands for a schema that nobody has given. */
const lc_schema *lc_no_schema(lc_arena *arena, lc_str type);

/* One case an address, and one more for what has none, of all that no values have shown.
 * `schema_of` gives NULL where there is none. */
void lc_log_findings_rest(lc_log_findings *set, lc_str file,
                          const lc_schema *(*schema_of)(void *context, lc_str provider,
                                                        lc_str type),
                          void *schemas, lc_take_case take, void *context);

#endif

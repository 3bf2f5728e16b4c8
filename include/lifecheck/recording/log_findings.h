/* What a core's own lines in a log report about violations that it tolerated or only logged. */
#ifndef LIFECHECK_RECORDING_LOG_FINDINGS_H
#define LIFECHECK_RECORDING_LOG_FINDINGS_H

#include "lifecheck/recording/instances.h"

/* Indexed by type and address, for the query whether the values of a run show the same. */
typedef struct lc_log_findings {
    lc_arena *arena;
    LC_VEC(lc_logged *) list;
    lc_table by_type; /* type -> lc_logged_list */
    lc_table by_address;
    lc_table known; /* keys of all in `list`, so that each is kept once */
} lc_log_findings;
void lc_log_findings_init(lc_log_findings *set, lc_arena *arena);
/* Adds a copy, in the arena of the set, unless the same is there already. */
void lc_log_findings_add(lc_log_findings *set, const lc_logged *logged);
/* Gives a run of this type the findings of the type. The run borrows them. */
void lc_log_findings_show(const lc_log_findings *set, lc_run *run, lc_str type);

/* A schema without attributes, in the arena, for a type that has no known schema. */
const lc_schema *lc_no_schema(lc_arena *arena, lc_str type);

/* Gives cases of all findings that no values have shown: one for each address, and one for those
 * without an address. `schema_of` returns NULL if there is no schema. */
void lc_log_findings_rest(lc_log_findings *set, lc_str file,
                          const lc_schema *(*schema_of)(void *context, lc_str provider,
                                                        lc_str type),
                          void *schemas, lc_take_case take, void *context);

#endif

/* Recorded calls to the instances they are about.
 *
 * Calls of one process that hand an object on to each other are a phase: from its stored state to a
 * plan, or to an apply (phases.c). Phases are of one instance where one begins with the state that
 * another ended in, or applies what another has planned (instance_link.c). An instance with all its
 * runs is one case (instance_case.c). Where several choices are left nothing is joined, and it is
 * told. */
#ifndef LIFECHECK_INSTANCES_H
#define LIFECHECK_INSTANCES_H

#include "lifecheck/recording.h"

/* Bytes of calls that are held: of instances whose last change is complete, and of all. Beyond the
 * first the oldest of them are given and forgotten, beyond the second all of them, and it is told.
 */
#define LC_HELD_COMPLETE ((size_t)64 << 20)
#define LC_HELD_ALL      ((size_t)512 << 20)

#define LC_ONLY_PROVIDER ((uint64_t)1 << 63)

typedef struct lc_instances lc_instances;

/* One call as it comes. */
typedef struct lc_recorded_call {
    lc_arena *arena; /* holds all of it, itself too, and is freed with it */
    lc_call call;
    const lc_schema *schema;
    uint64_t process; /* 0: the recording does not tell; from LC_ONLY_PROVIDER on it tells providers
                         alone */
    uint64_t arrival; /* order in the recording, from 1 */
    bool invoked;     /* an action, not only planned */
    lc_capabilities capabilities;
    /* Set by lc_instances_add. */
    uint64_t session;
    const lc_value *config; /* without write-only values, or NULL */
    size_t held;            /* bytes */
} lc_recorded_call;
/* A call in an arena of its own. */
lc_recorded_call *lc_recorded_call_new(void);

/* Takes a finished case; everything of it lives until the function returns. */
typedef void (*lc_take_case)(void *context, lc_scenario *scenario);

lc_instances *lc_instances_new(lc_arena *arena, lc_str file, lc_diags *diags, lc_take_case take,
                               void *context);
/* Takes the call over. */
void lc_instances_add(lc_instances *instances, lc_recorded_call *call);
/* The same for a configuration that was generated from prior_state: the import whose object it is
 * gets generated_config. */
void lc_instances_generated(lc_instances *instances, lc_recorded_call *call);
/* A provider was configured, or asked for its schema: with it a walk of a command begins. `process`
 * as in calls; `config`: the bytes that it was configured with, or NULL. */
void lc_instances_started(lc_instances *instances, uint64_t process, const lc_str *config);
/* What a log says of calls; the runs see it. Lives as long as the instances. */
struct lc_log_findings;
void lc_instances_logged(lc_instances *instances, const struct lc_log_findings *logged);
/* Where instances get addresses from; without, they are TYPE#N. */
struct lc_addresses;
void lc_instances_addresses(lc_instances *instances, struct lc_addresses *addresses);
/* Nothing comes for a while: gives the cases of instances that have new calls, as cases that go on.
 */
void lc_instances_show(lc_instances *instances);
/* Nothing more will come. */
void lc_instances_end(lc_instances *instances);

#endif

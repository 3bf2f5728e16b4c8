/* Groups recorded calls by the resource instance that they belong to.
 *
 * A recording has no addresses, so values are all that connects its calls. Calls of one process
 * that hand an object on to each other form a phase: from the stored state to a plan, or to an
 * apply (phases.c). Phases belong to one instance if one begins with the state that another ended
 * in, or applies what another planned (instance_link.c). An instance with all its runs is one case
 * (instance_case.c). Where several choices are left, nothing is joined, and this is reported. */
#ifndef LIFECHECK_RECORDING_INSTANCES_H
#define LIFECHECK_RECORDING_INSTANCES_H

#include "lifecheck/recording/recording.h"

/* Bytes of calls that are held: of instances whose last change is complete, and in all. Above the
 * first limit the oldest complete instances are given to the caller and freed, above the second the
 * oldest of all; this is reported. */
#define LC_HELD_COMPLETE ((size_t)64 << 20)
#define LC_HELD_ALL      ((size_t)512 << 20)

#define LC_MAX_ADDRESSED 2000000 /* calls that a recording gives addresses; more are ignored */

/* Process numbers from here on distinguish providers, but not processes. */
#define LC_ONLY_PROVIDER ((uint64_t)1 << 63)

typedef struct lc_instances lc_instances;

/* One call, as it is read. */
typedef struct lc_recorded_call {
    lc_arena *arena; /* of this call alone; holds the struct too, and is freed with the call */
    lc_call call;
    const lc_schema *schema;
    uint64_t process;  /* 0: not recorded; from LC_ONLY_PROVIDER on it names the provider only */
    uint64_t provider; /* a number for each; 0: not recorded */
    uint64_t seq;      /* the recorder's number of the call in its process; 0: not recorded */
    uint64_t arrival;  /* order in the recording, from 1 */
    bool invoked;      /* an action that was invoked, not only planned */
    lc_capabilities capabilities;
    /* Set by lc_instances_add. */
    uint64_t session;
    lc_str address;         /* that the recording gave it before; "": none, or several */
    const lc_value *config; /* without write-only values, or NULL */
    size_t held;            /* bytes */
} lc_recorded_call;
/* A new call in a new arena. The caller owns both until lc_instances_add. */
lc_recorded_call *lc_recorded_call_new(void);

/* Takes a finished case. The case is freed when the function returns. */
typedef void (*lc_take_case)(void *context, lc_scenario *scenario);

/* `arena` holds what lives until lc_instances_end; errors and warnings go to `diags`. */
lc_instances *lc_instances_new(lc_arena *arena, lc_str file, lc_diags *diags, lc_take_case take,
                               void *context);
/* Takes ownership of the call and finds its instance. May give finished cases. */
void lc_instances_add(lc_instances *instances, lc_recorded_call *call);
/* The same for a GenerateResourceConfig call: the import that returned the object in its
 * prior_state gets the generated_config. A call without such an import is freed. */
void lc_instances_generated(lc_instances *instances, lc_recorded_call *call);
/* The same for a call of a function, which has no instance. */
void lc_instances_function(lc_instances *instances, lc_recorded_call *call);
/* The same for a list of objects and for a call of a state store: those with the same `name`, such
 * as "list x_y", of one provider are one case. */
void lc_instances_gathered(lc_instances *instances, lc_recorded_call *call, lc_str name);
/* A provider was configured, or returned its schema, which begins a new walk of a command.
 * `process` as in calls. `config`: the bytes of the provider's configuration, or NULL. */
void lc_instances_started(lc_instances *instances, uint64_t process, const lc_str *config);
/* ConfigureProvider was answered, in the current walk of the process. */
void lc_instances_configured(lc_instances *instances, uint64_t process, bool failed);
/* Call before lc_instances_end: no call is missing in the recording. */
void lc_instances_complete(lc_instances *instances);
/* Sets what a log reports about the calls; the runs get it. It must live as long as `instances`. */
struct lc_log_findings;
void lc_instances_logged(lc_instances *instances, const struct lc_log_findings *logged);
/* Sets where addresses come from, borrowed. Without it instances are called TYPE#N. */
struct lc_addresses;
void lc_instances_addresses(lc_instances *instances, struct lc_addresses *addresses);
/* The recording itself gives the call an address, borrowed, before or after the call. It is
 * certain, so values are not compared for the instance of the call. If it is
 * known before, calls with different addresses are not joined, even if all their values are equal.
 */
void lc_instances_addressed(lc_instances *instances, uint64_t process, uint64_t seq,
                            lc_str address);
/* No calls come for now: gives the case of each instance that has new calls, marked as unfinished.
 */
void lc_instances_show(lc_instances *instances);
/* The last call was given: gives all cases and frees everything outside the arena. */
void lc_instances_end(lc_instances *instances);

#endif

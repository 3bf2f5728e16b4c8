/* Recorded calls to instances. Calls are joined into one chain only where one chain alone fits, or
 * where those that fit are the same in all values; else they stay apart. */
#ifndef LC_INPUT_CHAINS_H
#define LC_INPUT_CHAINS_H

#include "lifecheck/input.h"

#define LC_MAX_CHAINS 1024 /* open ones; the oldest is closed for a new one */

typedef struct lc_chain lc_chain;
typedef struct lc_chains lc_chains;

/* One call as it comes. Its memory belongs to the chain it goes to. */
typedef struct lc_recorded {
    lc_arena *arena;
    lc_call call;
    const lc_schema *schema;
    uint64_t process;
    uint64_t arrival; /* order in the recording */
    bool invoked;     /* an action, not only planned */
    lc_capabilities capabilities;
} lc_recorded;

/* Takes a finished case; everything of it lives until the function returns. */
typedef void (*lc_take_case)(void *context, lc_scenario *scenario);

lc_chains *lc_chains_new(lc_arena *arena, lc_str file, lc_take_case take, void *context);
/* Takes the call over. */
void lc_chains_add(lc_chains *chains, lc_recorded *recorded);
/* The same for a configuration that was generated from prior_state: the import whose object it is
 * gets generated_config. If no import alone fits, nobody does. */
void lc_chains_generated(lc_chains *chains, lc_recorded *recorded);
/* What a log says of calls; the runs see it. Lives as long as the chains. */
struct lc_told_set;
void lc_chains_told(lc_chains *chains, const struct lc_told_set *told);
/* Where instances get addresses from; without, they are TYPE#N. */
struct lc_addresses;
void lc_chains_addresses(lc_chains *chains, struct lc_addresses *addresses);
/* Nothing comes for a while: gives the cases of chains that are longer than when they were last
 * given, as cases that go on. */
void lc_chains_show(lc_chains *chains);
/* Nothing more will come. */
void lc_chains_end(lc_chains *chains);

#endif

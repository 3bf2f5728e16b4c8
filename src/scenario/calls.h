/* Calls while they are read, shared by the files that read them. */
#ifndef LC_SCENARIO_CALLS_H
#define LC_SCENARIO_CALLS_H

#include "scenario/internal.h"

/* What a field of a call sets, however it is spelt. */
typedef enum lc_call_target {
    CONFIG,
    PRIOR,
    PROPOSED,
    PLANNED, /* in a request */
    RESULT,
    IDENTITY,
    PRIOR_IDENTITY,
    PRIVATE,
    REQUEST_PRIVATE,
    RAW_STATE,
    RAW_VERSION,
    RAW_IDENTITY,
    RAW_IDENTITY_VERSION,
    RAW_PRIVATE,
    TYPE_NAME,
    REPLACE,
    LEGACY,
    DEFERRED,
    DIAGNOSTICS,
    RPC_STATUS,
    IMPORT_ID,
    COMMAND_LINE,
    WHEN, /* the phase of a call that may be in either */
    IMPORTED,
    STUB, /* the state of the only imported object */
    GENERATED,
    PREPARED,
    EVENTS,
    CLIENT,
    UNUSED, /* a field of the protocol that no rule looks at */
} lc_call_target;
#define TARGET_COUNT 30

enum { G = LC_FORM_GROUP, Q = LC_FORM_REQUEST, R = LC_FORM_RESPONSE };

typedef struct lc_call_draft {
    bool present;
    lc_call call;
    const lc_member *from[TARGET_COUNT]; /* who has set it */
} lc_call_draft;

typedef struct lc_call_reader {
    lc_in *in;
    lc_run *run;
    const lc_layers *scope;
    lc_call_draft drafts[LC_CALL_KIND_COUNT];
} lc_call_reader;

/* A call of the kind, unless there is one. What a scenario leaves out of an answer is not in it. */
void lc_draft_begin(lc_call_reader *c, lc_call_draft *d, lc_call_kind kind, lc_loc loc);
/* False: the target is set already; reported at the later of the two places. */
bool lc_draft_claim(lc_call_reader *c, lc_call_draft *d, lc_call_target what,
                    const lc_member *member);
void lc_draft_set(lc_call_reader *c, lc_call_draft *d, lc_call_target what, const lc_member *member,
                  unsigned form);
/* All members of a group, request or response. */
void lc_draft_read(lc_call_reader *c, lc_call_draft *d, const lc_node *node, unsigned form);
void lc_call_set_response(lc_call_reader *c, lc_call *call, lc_call_target what,
                          const lc_node *node);

#endif

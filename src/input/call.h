/* Calls while they are read, shared by the files that read them. */
#ifndef LC_INPUT_CALL_H
#define LC_INPUT_CALL_H

#include "input/internal.h"

/* What a field of a call sets, however it is spelt. */
typedef enum target {
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
} target;
#define TARGET_COUNT 30

enum { G = LC_FORM_GROUP, Q = LC_FORM_REQUEST, R = LC_FORM_RESPONSE };

typedef struct draft {
    bool present;
    lc_call call;
    const lc_member *from[TARGET_COUNT]; /* who has set it */
} draft;

typedef struct caller {
    lc_in *in;
    lc_run *run;
    const lc_layers *scope;
    draft drafts[LC_CALL_KIND_COUNT];
} caller;

/* A call of the kind, unless there is one. What a scenario leaves out of an answer is not in it. */
void lc_draft_begin(caller *c, draft *d, lc_call_kind kind, lc_loc loc);
/* False: the target is set already; reported at the later of the two places. */
bool lc_draft_claim(caller *c, draft *d, target what, const lc_member *member);
void lc_draft_set(caller *c, draft *d, target what, const lc_member *member, unsigned form);
/* All members of a group, request or response. */
void lc_draft_read(caller *c, draft *d, const lc_node *node, unsigned form);
void lc_call_set_response(caller *c, lc_call *call, target what, const lc_node *node);

#endif

/* Reading calls: what calls.c and call_fields.c share. */
#ifndef LC_SCENARIO_CALLS_H
#define LC_SCENARIO_CALLS_H

#include "scenario/internal.h"

/* What a field of a call sets. Names differ between call groups, requests and responses. */
typedef enum lc_call_target {
    CONFIG,
    PRIOR,
    PROPOSED,
    PLANNED, /* in a request */
    RESULT,
    IDENTITY,
    PRIOR_IDENTITY,
    PLANNED_IDENTITY, /* in the request of an apply */
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
    EXPECTED, /* the answer that is expected */
    FUNCTION_NAME,
    FUNCTION_ARGUMENTS,
    FUNCTION_RESULT,
    FUNCTION_ERROR,
    LIMIT, /* from here on to CHUNKS: of lists and state stores */
    INCLUDE_OBJECT,
    FILTERED,
    LISTED,
    KNOWN_OBJECTS,
    STORE_OP,
    STATE_ID,
    LOCK_ID,
    CHUNK_SIZE,
    STATES,
    CHUNKS,
    UNUSED, /* a field of the protocol that no rule uses */
} lc_call_target;
#define TARGET_COUNT 47

enum { G = LC_FORM_GROUP, Q = LC_FORM_REQUEST, R = LC_FORM_RESPONSE };

/* A call that is being read. */
typedef struct lc_call_builder {
    bool present;
    lc_call call;
    const lc_member *from[TARGET_COUNT]; /* which member has set the target, or NULL */
} lc_call_builder;

typedef struct lc_call_reader {
    lc_in *in;
    lc_run *run;
    const lc_layers *scope; /* where the keys of the run come from */
    lc_call_builder builders[LC_CALL_KIND_COUNT];
} lc_call_reader;

/* Begins a call of this kind, unless it has begun. Facts that a scenario leaves out are "no". */
void lc_call_builder_begin(lc_call_reader *c, lc_call_builder *builder, lc_call_kind kind,
                           lc_loc loc);
/* Records that `member` sets the target. False: it was set before; reported at the later place. */
bool lc_call_builder_claim(lc_call_reader *c, lc_call_builder *builder, lc_call_target what,
                           /* Claims the target and sets it. `form` is one of G, Q and R. */
                           const lc_member *member);
void lc_call_builder_set(lc_call_reader *c, lc_call_builder *builder, lc_call_target what,
                         const lc_member *member, unsigned form);
/* Sets all members of a group, request or response. Unknown names are reported. */
void lc_call_builder_read(lc_call_reader *c, lc_call_builder *builder, const lc_node *node,
                          unsigned form);
/* The answer that is expected of a call, in the names of its response. */
void lc_call_set_expected(lc_call_reader *c, lc_call *call, const lc_node *node);
void lc_call_set_response(lc_call_reader *c, lc_call *call, lc_call_target what,
                          const lc_node *node);

/* ---- function_calls.c */

/* Sets the name that the mapping of a group or request has, by which all that follows is read. */
void lc_function_begin(lc_call_reader *c, lc_call *call, const lc_node *node);
void lc_function_read_arguments(lc_call_reader *c, lc_call *call, const lc_node *node);
void lc_function_read_result(lc_call_reader *c, lc_call *call, const lc_node *node);
void lc_function_read_error(lc_call_reader *c, lc_call *call, const lc_node *node);

/* ---- stream_calls.c */

/* Begins a list or a call of a state store; any other call stays as it is. */
void lc_stream_begin(lc_call_reader *c, lc_call *call);
/* Sets a target from LIMIT to CHUNKS. */
void lc_stream_set(lc_call_reader *c, lc_call *call, lc_call_target what, const lc_node *node);

#endif

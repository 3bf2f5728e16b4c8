/* The calls of a recording as bytes: what the test provider answers and the test client asks. */
#ifndef LC_S_RECORD_CALLS_H
#define LC_S_RECORD_CALLS_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "lifecheck/wire/wire.h"

typedef struct recorded_call {
    const lc_wire_method *method;
    const char *path;         /* "/tfplugin5.Provider/PlanResourceChange" */
    lc_str type;              /* type name in the request, or "" */
    lc_str request, response; /* messages in canonical order, with their gRPC prefixes */
    int status;               /* of gRPC */
    lc_str message;
    size_t process; /* processes are numbered in the order of their first lines */
    uint64_t seq;   /* order of arrival in the process */
    size_t line;    /* of the recording */
} recorded_call;

/* Calls that are equal in path and request, or in path and type. */
typedef struct recorded_group {
    LC_VEC(const recorded_call *) calls;
    size_t next; /* for answers in turn */
} recorded_group;

typedef struct recorded {
    lc_arena *arena;
    LC_VEC(recorded_call) calls; /* by process and seq */
    size_t processes;
    lc_table by_request, by_type; /* recorded_group; see recorded_same */
} recorded;

/* Reads a recording. A file that cannot be read or played ends the program, with a message on
 * standard error. */
recorded *recorded_read(lc_arena *arena, const char *file);
/* The calls with this path and request, whose bytes may be in any order and hold unknown fields.
 * NULL: there are none. */
recorded_group *recorded_same(recorded *all, lc_str path, lc_str request);
/* The calls with this path and the type name of this request. NULL: none. */
recorded_group *recorded_similar(recorded *all, lc_str path, lc_str request);
/* Messages with their prefixes in canonical order, in `arena`. Unknown fields are left out if
 * `known_only`. False: they are no such messages. */
bool recorded_canonical(lc_str *out, lc_arena *arena, const lc_wire_message *message, lc_str body,
                        bool known_only);

#endif

/* The provider that computes: what its files share. See provider.c. */
#ifndef LC_S_PROBE_PEER_H
#define LC_S_PROBE_PEER_H

#include "../record/plugin.h"
#include "lifecheck/wire/wire.h"
#include "types.h"

enum {
#define FAULT(id, ...) id,
#include "faults.def"
    FAULT_COUNT
};

typedef struct peer peer;
typedef struct peer_call peer_call;

/* Something that exists. */
typedef struct peer_object {
    lc_str type, id, json; /* the state as JSON; "": destroyed */
    lc_str settings;       /* configuration of the provider that it was created with */
} peer_object;

struct peer {
    plugin plugin;
    lc_arena *arena;
    peer_types types;
    bool faults[FAULT_COUNT];
    const char *upgrade; /* the word of upgrades.def, or "" */
    lc_str settings;     /* its configuration, as bytes */
    uint64_t count;      /* of calls; what faults that are not steady count with */
    uint64_t waiting;    /* plans that wait together, for RACE */
    bool local;          /* it has no service: every object exists (LOCAL) */
    bool replaced;       /* a plan asked for a replacement, for SECOND_LEG */
    lc_table remembered; /* lc_value by name, for REMEMBERS */
    LC_VEC(peer_object) objects;
};

typedef struct peer_diag {
    bool warning;
    lc_str summary, detail;
    lc_str attribute; /* "" for none */
} peer_diag;

/* A call while it is answered. Everything is in its arena. */
struct peer_call {
    peer *p;
    lc_arena *arena;
    const lc_node *request; /* of a stream: its first message */
    lc_node *requests;      /* all messages */
    size_t request_count;
    const lc_wire_method *method;
    lc_buf *out;             /* the answer, with its prefixes */
    const lc_schema *schema; /* of the type that the request names, or NULL */
    lc_json *w;              /* the response, an object that is open */
    bool never;              /* it is never answered */
    LC_VEC(peer_diag) errors;
};

void peer_error(peer_call *call, lc_str attribute, const char *summary, lc_str detail);
/* A DynamicValue of the request; what is missing is null. NULL: it cannot be read, which is
 * reported. */
const lc_value *peer_value(peer_call *call, const lc_node *message, const char *field,
                           const lc_type *type);
void peer_add_value(peer_call *call, const char *key, const lc_value *value, const lc_type *type);
void peer_add_bytes(peer_call *call, const char *key, lc_str bytes);

/* Of an answer that is a stream: the open object becomes a message, and another is begun, which is
 * only sent if it is ended, too. */
void peer_end_message(peer_call *call);
/* Diagnostics so far, as `key`; then there are none. */
void peer_add_errors(peer_call *call, const char *key);

/* Lists, actions and state stores (streams.c), all of protocol 6. */
void peer_add_stream_schemas(peer_call *call);
void peer_list(peer_call *call);
void peer_plan_action(peer_call *call);
void peer_invoke_action(peer_call *call);
void peer_store_configure(peer_call *call);
void peer_store_read(peer_call *call);
void peer_store_write(peer_call *call);
void peer_store_lock(peer_call *call);
void peer_store_unlock(peer_call *call);
void peer_store_states(peer_call *call);
void peer_store_delete(peer_call *call);

/* Validators, worded as those of frameworks. */
void peer_validate(peer_call *call, const lc_value *config);

/* A plan. */
typedef struct peer_plan {
    peer_call *call;
    const lc_value *prior, *config, *proposed;
    lc_str private_data;
    const lc_value *planned;
    LC_VEC(lc_str) replace; /* attributes */
    lc_str planned_private;
    lc_str raw_config; /* bytes of the request */
    bool deferred;
} peer_plan;
void peer_plan_honestly(peer_plan *plan);
/* What faults make of it. */
void peer_plan_bend(peer_plan *plan);
/* What is planned for a Computed attribute that follows from others; `siblings` is the object. */
const lc_value *peer_derived(lc_arena *arena, const peer_attribute *row, const lc_value *siblings,
                             const lc_value *config);

/* Calls that change or read the world. */
const lc_value *peer_apply(peer_call *call, const lc_value *prior, const lc_value *planned);
const lc_value *peer_read(peer_call *call, const lc_value *state);
const lc_value *peer_import(peer_call *call, lc_str id);
/* The ids of the objects of a type, in order. */
size_t peer_ids(peer_call *call, lc_str type, const lc_str **out);
/* Files of PEER_STATE by name, as text; empty: there is none. */
lc_str peer_file_read(peer_call *call, const char *name);
void peer_file_write(peer_call *call, const char *name, lc_str text);

/* Upgrades, also of another type's object (`move`). */
const lc_value *peer_upgrade(peer_call *call, lc_str json, int64_t version);

/* What the next version does otherwise (edits.c). */
void peer_edit_types(peer *p, const char *word);
void peer_print_edits(void);
bool peer_edits_function(const peer *p, const char *name, const char **more);
bool peer_lacks_function(const peer *p, const char *name);
/* `what` is UPGRADES or a later one that is about objects. */
const lc_value *peer_edit_object(peer_call *call, peer_change what, const lc_value *state);
void peer_edit_validate(peer_call *call, const lc_value *config);
void peer_edit_plan(peer_plan *plan);

/* Small values in the arena of the call. */
const lc_value *peer_text(lc_arena *arena, lc_str text);
const lc_value *peer_null(lc_arena *arena, const lc_type *type);
const lc_value *peer_unknown(lc_arena *arena, const lc_type *type);
/* An attribute of an object; null if the object is. */
const lc_value *peer_get(const lc_value *object, const char *name);
/* The object with another value. */
const lc_value *peer_with(lc_arena *arena, const lc_value *object, const char *name,
                          const lc_value *value);

#endif

/* Calls that change real objects: an addition to reading.h, whose conventions apply. Only where the
 * user asked for it (--apply). Module drive. */
#ifndef LIFECHECK_DRIVE_CHANGING_H
#define LIFECHECK_DRIVE_CHANGING_H

#include "lifecheck/drive/reading.h"

/* The request of an apply; values are encoded by the schema that the call is made with. */
typedef struct lc_apply_question {
    const lc_value *prior;    /* NULL: null */
    const lc_value *planned;  /* NULL: null, a destroy */
    const lc_value *config;   /* NULL: null */
    const lc_value *identity; /* planned identity, or NULL */
    lc_str private_data;      /* planned private data */
} lc_apply_question;
/* The kind is LC_CALL_DESTROY if the planned state is null. */
void lc_client_apply(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                     const lc_apply_question *question, lc_loc loc);

/* An object that was created, or may have been, and could not be destroyed. */
typedef struct lc_undestroyed_object {
    lc_str resource, type;
    const lc_value *state; /* by `schema`; what is known of it */
    const lc_schema *schema;
    lc_str private_data;
    /* Of the configuration of the provider that it was created with; file "": none was given. */
    lc_loc settings_loc;
    bool certain; /* false: the provider did not confirm that it was created */
} lc_undestroyed_object;

/* Opens an ephemeral resource, and closes it if it was opened. */
void lc_client_open_ephemeral(lc_client *client, lc_call *out, lc_arena *arena,
                              const lc_schema *schema, const lc_value *config, lc_loc loc);

/* Invokes an action and waits for its last event. */
void lc_client_invoke_action(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_value *config, lc_loc loc);

/* One call of a state store. Configuring and reading change nothing, and are here because a store
 * is asked as a whole. */
typedef struct lc_store_question {
    lc_store_op op;
    const lc_value *config; /* of a configure: by the schema of the store */
    lc_str state_id;        /* of all but configure and states */
    lc_str lock_id;         /* of an unlock */
    lc_str bytes;           /* of a write */
    int64_t chunk_size;     /* proposed by a configure; that of the chunks of a write */
} lc_store_question;
void lc_client_store(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                     const lc_store_question *question, lc_loc loc);

#endif

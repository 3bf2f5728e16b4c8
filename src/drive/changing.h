/* Calls that change or read real objects: an addition to lifecheck/drive/client.h, private to this
 * module so that no other module can apply anything. The conventions of client.h apply. */
#ifndef LC_DRIVE_CHANGING_H
#define LC_DRIVE_CHANGING_H

#include "lifecheck/drive/client.h"

/* A stored object, as a client has it between two calls. */
typedef struct lc_stored_object {
    const lc_value *state;    /* NULL: null */
    const lc_value *identity; /* NULL: none */
    lc_str private_data;
} lc_stored_object;

void lc_client_read(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_stored_object *stored, lc_loc loc);

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

/* By its id, or if that is "" by its identity. */
void lc_client_import(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                      lc_str id, const lc_value *identity, lc_loc loc);

/* `raw` has attributes; `provider` is the address of its provider. */
void lc_client_move(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_raw_state *raw, lc_str type_name, lc_str provider, lc_loc loc);

void lc_client_read_data(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                         const lc_value *config, lc_loc loc);

/* Opens an ephemeral resource, and closes it if it was opened. */
void lc_client_open_ephemeral(lc_client *client, lc_call *out, lc_arena *arena,
                              const lc_schema *schema, const lc_value *config, lc_loc loc);

#endif

/* Calls that change nothing, but that a provider may ask its service for: reading, importing,
 * moving. An addition to client.h, whose conventions apply; without a network most providers answer
 * them with an error. Module drive. */
#ifndef LIFECHECK_DRIVE_READING_H
#define LIFECHECK_DRIVE_READING_H

#include "lifecheck/drive/client.h"

/* A stored object, as a client has it between two calls. */
typedef struct lc_stored_object {
    const lc_value *state;    /* NULL: null */
    const lc_value *identity; /* NULL: none */
    lc_str private_data;
} lc_stored_object;

/* A refresh of the object, with its private data. */
void lc_client_read(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_stored_object *stored, lc_loc loc);

/* By its id, or if that is "" by its identity. */
void lc_client_import(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                      lc_str id, const lc_value *identity, lc_loc loc);

/* `raw` has attributes; `provider` is the address of its provider. */
void lc_client_move(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_raw_state *raw, lc_str type_name, lc_str provider, lc_loc loc);

/* ReadDataSource for this configuration. */
void lc_client_read_data(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                         const lc_value *config, lc_loc loc);

/* The identity of a stored object, of a version before that of the schema. `identity` is of the
 * type that it was stored with. */
void lc_client_upgrade_identity(lc_client *client, lc_call *out, lc_arena *arena,
                                const lc_schema *schema, const lc_value *identity, int64_t version,
                                lc_loc loc);

/* Lists objects of a managed type, whose schema `managed` is, by a configuration of its list
 * resource. The answer is read by `managed`. */
typedef struct lc_list_question {
    const lc_schema *list;
    const lc_value *config; /* by the schema of the list resource */
    int64_t limit;          /* more than 0 */
    bool include_object;
} lc_list_question;
void lc_client_list(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *managed,
                    const lc_list_question *question, lc_loc loc);

#endif

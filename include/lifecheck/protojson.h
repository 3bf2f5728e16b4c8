/* Messages of the provider protocol in protojson, as recordings have them: names in snake_case or
 * lowerCamelCase, 64-bit numbers as strings or numbers, enums as names or numbers, bytes in base64
 * of either alphabet, defaults left out. Fields that are not known are passed over. */
#ifndef LIFECHECK_PROTOJSON_H
#define LIFECHECK_PROTOJSON_H

#include "lifecheck/recording.h"

/* The field of a message by its name in the protocol; NULL: left out, null, or no message. */
const lc_node *lc_pj_get(const lc_node *message, const char *name);
/* Is it that name in either spelling? */
bool lc_pj_is_name(lc_str key, const char *name);
/* Defaults where the field is left out or is something else. */
lc_str lc_pj_text(const lc_node *message, const char *name);
bool lc_pj_bool(const lc_node *message, const char *name);
int64_t lc_pj_int(const lc_node *message, const char *name);
/* The name of an enum's value; `names` lists them from 0. "" for a number that has none. */
lc_str lc_pj_enum(const lc_node *message, const char *name, const char *const *names, size_t count);
/* False: there, but not base64. Left out is empty. */
bool lc_pj_bytes(lc_str *out, lc_arena *arena, const lc_node *message, const char *name);

/* Does the member of a GetProviderSchema answer hold schemas by the names of types? */
bool lc_pj_is_schema_group(lc_str name);
/* The document (`providers schema -json`) that says what a GetProviderSchema answer says. With
 * `split` the groups of the answer stand there. False: a piece of it is no JSON. */
struct lc_schema_line;
bool lc_pj_schema_document(lc_buf *out, lc_arena *arena, const lc_node *response,
                           const struct lc_schema_line *split);
/* Adds to it the member that a GetResourceIdentitySchemas answer makes. */
void lc_pj_add_identities(lc_buf *document, lc_arena *arena, const lc_node *response);

/* What a call's messages are read by. */
typedef struct lc_pj_reader {
    lc_arena *arena; /* of the calls */
    const lc_schema *schema;
    lc_loc loc; /* of the line */
    lc_limits limits;
    bool identities; /* false: nobody asked for identity schemas, so that none is known */
} lc_pj_reader;

typedef enum lc_pj_rpc {
    LC_PJ_OTHER, /* of no interest to the lifecycle */
    LC_PJ_SCHEMA,
    LC_PJ_IDENTITIES,
    LC_PJ_CONFIGURE,
    LC_PJ_UPGRADE,
    LC_PJ_UPGRADE_IDENTITY,
    LC_PJ_READ,
    LC_PJ_PLAN,
    LC_PJ_APPLY,
    LC_PJ_IMPORT,
    LC_PJ_MOVE,
    LC_PJ_VALIDATE,
    LC_PJ_VALIDATE_DATA,
    LC_PJ_VALIDATE_EPHEMERAL,
    LC_PJ_DATA,
    LC_PJ_OPEN,
    LC_PJ_VALIDATE_ACTION,
    LC_PJ_PLAN_ACTION,
    LC_PJ_INVOKE_ACTION,
    LC_PJ_GENERATE, /* of a configuration, for what was imported */
} lc_pj_rpc;
/* By the method's name in protocol 5 or 6. */
lc_pj_rpc lc_pj_rpc_of(lc_str method);
lc_schema_kind lc_pj_kind_of(lc_pj_rpc rpc);
/* The type that a call is about, by its request. */
lc_str lc_pj_type_name(lc_pj_rpc rpc, const lc_node *request);

/* A DynamicValue from its bytes: msgpack counts if there is any; both empty mean null. */
void lc_pj_value(lc_field *out, const lc_pj_reader *reader, lc_str msgpack, lc_str json,
                 const lc_type *type);
/* A call of which nothing is known yet. */
void lc_pj_call_begin(lc_call *out, lc_pj_rpc rpc, lc_loc loc);
/* Fill in a call from its messages; `response` NULL: it failed without an answer. */
void lc_pj_call(lc_call *out, const lc_pj_reader *reader, lc_pj_rpc rpc, const lc_node *request,
                const lc_node *response);
/* The answers of a stream: what an invoked action reports. NULL: none came. */
void lc_pj_events(lc_call *out, const lc_pj_reader *reader, const lc_node *responses);
/* It failed with a gRPC status, {"code": ..., "message": ...}. */
void lc_pj_broke(lc_call *out, const lc_pj_reader *reader, const lc_node *status);

#endif

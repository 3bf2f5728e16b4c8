/* Messages of the provider protocol in protojson, as recordings contain them. Names are in
 * snake_case or lowerCamelCase, 64-bit numbers strings or numbers, enums names or numbers, and
 * bytes base64 of either alphabet; fields with default values are missing. Unknown fields are
 * ignored. */
#ifndef LIFECHECK_RECORDING_PROTOJSON_H
#define LIFECHECK_RECORDING_PROTOJSON_H

#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/recording.h"

/* A field of a message by its name in the protocol (snake_case). NULL: it is missing or null, or
 * `message` is NULL or no message. */
const lc_node *lc_pj_get(const lc_node *message, const char *name);
/* Is `key` this name, in either spelling? */
bool lc_pj_is_name(lc_str key, const char *name);
/* The next functions return the default ("", false, 0) if the field is missing or of another kind.
 */
lc_str lc_pj_text(const lc_node *message, const char *name);
bool lc_pj_bool(const lc_node *message, const char *name);
int64_t lc_pj_int(const lc_node *message, const char *name);
int64_t lc_pj_number(const lc_node *node); /* the same for the field itself */
/* The name of an enum's value; `names` lists them from 0. "": a number without a name. */
lc_str lc_pj_enum(const lc_node *message, const char *name, const char *const *names, size_t count);
/* Decodes bytes into the arena. False: the field is there but not base64. A missing one is empty.
 */
bool lc_pj_bytes(lc_str *out, lc_arena *arena, const lc_node *message, const char *name);

/* ---- What the recorder could not read, because it is of a newer protocol. It is kept as bytes; a
 * redacted copy has only their number. */

/* Is it a message as a whole? {"raw": BASE64}, redacted {"raw": "", "bytes": N}. */
bool lc_pj_is_raw(const lc_node *message);
/* Is it the member of a message that holds its unknown fields? "unknown_fields": BASE64, redacted
 * {"bytes": N}. */
bool lc_pj_is_unknown_fields(const lc_member *member);
/* Has the node, or anything in it, such a member? */
bool lc_pj_has_unknown_fields(const lc_node *node);
/* The same for the text of a line, without reading it. */
bool lc_pj_line_has_unknown_fields(lc_str line);

/* Is this the member of a GetProviderSchema response that maps type names to schemas? */
bool lc_pj_is_schema_group(lc_str name);
/* Appends the document (as `providers schema -json` prints it) that a GetProviderSchema response is
 * equal to. With `split` the groups of types are taken from there. False: a piece of `split` is not
 * JSON. */
struct lc_schema_line;
bool lc_pj_schema_document(lc_buf *out, lc_arena *arena, const lc_node *response,
                           const struct lc_schema_line *split);
/* Adds the member for a GetResourceIdentitySchemas response to such a document. */
void lc_pj_add_identities(lc_buf *document, lc_arena *arena, const lc_node *response);

/* What the messages of a call are read with. */
typedef struct lc_pj_reader {
    lc_arena *arena;     /* of the call that is read */
    lc_decoder *decoder; /* of its values; in a call without values it may be NULL */
    const lc_schema *schema;
    lc_loc loc; /* of the call's line in the recording */
    lc_limits limits;
    bool identities; /* false: the recording has no identity schemas, so identities have no type */
} lc_pj_reader;

/* What a call is about, in both protocols, whose names for some of them differ. */
typedef enum lc_pj_rpc {
    LC_PJ_OTHER, /* of no interest to the lifecycle */
    LC_PJ_SCHEMA,
    LC_PJ_IDENTITIES,
    LC_PJ_CONFIGURE,
    LC_PJ_FUNCTION,
    LC_PJ_STORE,   /* of a state store, any of its calls */
    LC_PJ_UPGRADE, /* from here on calls about objects */
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
    LC_PJ_LIST,     /* of objects of a managed type */
} lc_pj_rpc;
/* From the method's name in protocol 5 or 6. */
lc_pj_rpc lc_pj_rpc_of(lc_str method);
lc_schema_kind lc_pj_kind_of(lc_pj_rpc rpc);
/* The type name in the request of a call, or "". */
lc_str lc_pj_type_name(lc_pj_rpc rpc, const lc_node *request);

/* Decodes a DynamicValue. `msgpack` is used unless it is empty; both empty mean null. Bytes that
 * cannot be decoded make the field undecodable. */
void lc_pj_value(lc_field *out, const lc_pj_reader *reader, lc_str msgpack, lc_str json,
                 const lc_type *type);
/* A call of which only the kind and the place are known yet. */
void lc_pj_call_begin(lc_call *out, lc_pj_rpc rpc, lc_loc loc);
/* Fills in a call from its messages. `response` NULL: the call failed without a response. */
void lc_pj_call(lc_call *out, const lc_pj_reader *reader, lc_pj_rpc rpc, const lc_node *request,
                const lc_node *response);
/* Fills in the events of an invoked action. `responses` NULL: no event came. */
void lc_pj_events(lc_call *out, const lc_pj_reader *reader, const lc_node *responses);
/* Fills in the messages of ListResource. `responses` NULL: no event came. */
void lc_pj_list(lc_call *out, const lc_pj_reader *reader, const lc_node *request,
                const lc_node *responses);
/* Fills in those of a call of a state store, whose RPC `method` is. `root` has them as lines of
 * recordings do: request or requests, response or responses. */
void lc_pj_store(lc_call *out, const lc_pj_reader *reader, lc_str method, const lc_node *root);
/* Is it a stream about no single object, which is read as a whole: a list, or of a state store? */
static inline bool lc_pj_is_gathered(lc_pj_rpc rpc)
{
    return rpc == LC_PJ_LIST || rpc == LC_PJ_STORE;
}
/* The call failed with a gRPC status {"code": ..., "message": ...}. */
void lc_pj_broke(lc_call *out, const lc_pj_reader *reader, const lc_node *status);

#endif

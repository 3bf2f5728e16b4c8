/* One call of a client: its request as a node, which becomes bytes, and the answer as a call of a
 * case. */
#ifndef LC_DRIVE_INTERNAL_H
#define LC_DRIVE_INTERNAL_H

#include "lifecheck/drive/client.h"

/* A request in the making: a mapping in protojson. Members may come in any order. */
#define LC_MOST_FIELDS 12
typedef struct lc_request {
    lc_arena *arena;
    lc_member members[LC_MOST_FIELDS];
    uint32_t count;
} lc_request;

void lc_request_node(lc_request *request, const char *name, lc_node value);
lc_node lc_request_as_node(const lc_request *request); /* a copy */
void lc_request_text(lc_request *request, const char *name, lc_str text);
void lc_request_number(lc_request *request, const char *name, int64_t number);
void lc_request_flag(lc_request *request, const char *name); /* true */
void lc_request_bytes(lc_request *request, const char *name, lc_str bytes);
/* A DynamicValue; `value` NULL: null. */
void lc_request_value(lc_request *request, const char *name, const lc_value *value,
                      const lc_type *type);
lc_node lc_request_dynamic(lc_arena *arena, const lc_value *value, const lc_type *type);
/* An identity, unless it is NULL or null, or the type has no identities. */
void lc_request_identity(lc_request *request, const char *name, const lc_schema *schema,
                         const lc_value *identity);
/* A stored object: JSON as the client has it, in the layout of a state file if `laid_out`. With
 * `strip` what the type does not have is removed, as clients do it with objects in the version of
 * the schema. `type` NULL: not known. */
void lc_request_raw_state(lc_request *request, const char *name, const lc_value *raw,
                          const lc_type *type, bool strip, bool laid_out);

/* Messages of a stream that are read: of a list those that a client reads, and some more, which are
 * a finding; events of an action, and chunks of a state, of which one that we have written has no
 * more. */
#define LC_MOST_BEYOND 100
#define LC_MOST_EVENTS 10000

struct lc_client {
    lc_client_options options;
    lc_arena *arena;
    lc_rpc_schemas *schemas;
    lc_rpc_provider *provider;
    bool identities;     /* the client supports identities */
    bool stores_private; /* it announces computed blocks and that it keeps planned private data, and
                            sends these with the final plan: Terraform from 1.16 on, protocol 6 */
};

/* A mapping that is a member itself. */
void lc_request_mapping(lc_request *request, const char *name, const lc_request *inner);
/* What the client offers; and the null object of the block provider_meta, if the provider has it.
 */
void lc_request_capabilities(lc_request *request, const lc_client *client);
void lc_request_meta(lc_request *request, const lc_client *client);
/* The type, whose name is the field `type`, a configuration of it, and what the client offers. */
void lc_request_config(lc_request *request, const lc_client *client, const char *type,
                       const lc_schema *schema, const lc_value *config);

/* One call. Set by the caller: method and request; the rest is the answer. */
typedef struct lc_exchange {
    const lc_wire_method *method;
    lc_node request;   /* of a stream: its first message, */
    lc_node requests;  /* and all of them, a sequence; count 0: only that one */
    lc_node response;  /* of a stream: nothing, a mapping without members */
    lc_node responses; /* of a stream: its messages, a sequence */
    size_t most;       /* messages that are read of a stream; 0: all */
    bool answered;     /* there is a response, and it could be read */
    lc_live_call call;
} lc_exchange;

/* `v5` and `v6` are the names of the call in both protocols. */
void lc_exchange_begin(lc_exchange *exchange, const lc_client *client, const char *v5,
                       const char *v6, const lc_request *request);
/* Makes the calls at once. */
void lc_exchange_all(lc_client *client, lc_exchange *exchanges, size_t count, lc_arena *arena);
/* Both for one call, whose name is the same in both protocols or not. */
void lc_exchange_one(lc_exchange *exchange, lc_client *client, const char *v5, const char *v6,
                     const lc_request *request);
/* A call whose answer may be a stream, of which at most `most` messages are read. */
void lc_exchange_some(lc_exchange *exchange, lc_client *client, const char *name,
                      const lc_request *request, size_t most);
/* A call whose request is a stream of `count` messages, at least one. */
void lc_exchange_stream(lc_exchange *exchange, lc_client *client, const char *name,
                        const lc_request *requests, size_t count);
/* The exchange as a call of a case. */
void lc_exchange_call(lc_call *out, const lc_client *client, const lc_exchange *exchange,
                      lc_arena *arena, const lc_schema *schema, lc_loc loc);
/* Did the provider end the call with an error, of its own or of gRPC? */
bool lc_exchange_failed(const lc_exchange *exchange);

#endif

/* Messages of the provider protocol: their bytes (protobuf) to nodes in protojson, and back. The
 * nodes are those that a recording becomes (protojson.h). Tables: src/wire/messages.def. Module
 * wire. Pure. */
#ifndef LIFECHECK_WIRE_WIRE_H
#define LIFECHECK_WIRE_WIRE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

/* A type of message in one protocol. Static. */
typedef struct lc_wire_message lc_wire_message;

/* A call. Static. */
typedef struct lc_wire_method {
    const char *name;    /* "PlanResourceChange" */
    const char *service; /* "Provider", or "Provisioner" (protocol 5) */
    int protocol;        /* 5 or 6 */
    const lc_wire_message *request, *response;
    bool request_stream, response_stream; /* several messages instead of one */
} lc_wire_method;

/* The call of a request's path, such as "/tfplugin5.Provider/GetSchema". NULL: the tables do not
 * have it. */
const lc_wire_method *lc_wire_method_of(lc_str path);
/* A call of the service Provider by protocol and name. */
const lc_wire_method *lc_wire_method_named(int protocol, lc_str name);
/* A message by its name in the protocol: "DynamicValue", "PlanResourceChange.Request". NULL: no
 * such message. */
const lc_wire_message *lc_wire_message_named(int protocol, lc_str name);

/* The member that holds the bytes of all fields that the tables do not have, as base64. Such fields
 * keep their place in the message, so that a message of a newer protocol loses nothing. Fields that
 * protojson cannot write are kept there too: of another type on the wire, with strings that are not
 * UTF-8 (which Go refuses), times beyond the years 1 to 9999. Only in entries of maps unknown
 * fields are dropped, as every reader of protobuf does; they are counted. */
#define LC_WIRE_UNKNOWN_FIELDS "unknown_fields"

/* The parameters and results of reading messages. May be used for any number of messages, one after
 * the other. */
typedef struct lc_wire_reader {
    lc_arena *arena;  /* nodes live here; strings may point into the bytes that are read */
    lc_limits limits; /* depth: messages and groups inside each other; nodes: fields; input_bytes:
                         bytes of messages that have to be merged, because a field that is not
                         repeated was given several times */
    /* Entries of maps of messages (the types of a schema answer) are read only if this returns
     * true. NULL: all of them. */
    bool (*wanted)(void *context, lc_str field, lc_str key);
    void *context;
    /* Set by reading, from anew each time. */
    uint64_t unknown; /* fields and enum values that the tables do not have, and the others above */
    lc_str why;       /* of a failure, static; empty: there was none */
    size_t at;        /* its byte offset; in merged messages that of the first */
} lc_wire_reader;
/* Reads a message. Fields with default values are left out, enums are names (numbers without a row
 * are numbers), 64-bit integers strings, bytes base64, as in protojson; members are in order of
 * field numbers, entries of maps in order of keys. `where` of the nodes is the offset of the field.
 * Of fields that are given several times the last scalar counts, messages are merged. False: the
 * bytes are not such a message, or reach a limit; `why` and `at` contain the reason and its
 * offset. */
bool lc_wire_read(lc_node *out, lc_wire_reader *reader, const lc_wire_message *message,
                  lc_str bytes);

/* Calls `each` for every entry of a map of messages in `message`, in order of the bytes, without
 * making nodes of any other: `field` is the map, `value` the entry's message of type `type`, which
 * `each` may read with a reader of its own. Of equal keys all are given; the last one counts.
 * False: as lc_wire_read, though messages inside are not looked into. `each` returns false to stop,
 * which is not a failure. */
bool lc_wire_each_entry(lc_wire_reader *reader, const lc_wire_message *message, lc_str bytes,
                        bool (*each)(void *context, lc_str field, lc_str key,
                                     const lc_wire_message *type, lc_str value),
                        void *context);

/* Appends the bytes of a message in canonical order: fields by number, entries of maps by key,
 * unknown fields last as they were. Accepts all that protojson does: names in snake_case or
 * lowerCamelCase, enums by name or number, integers as strings or numbers, both alphabets of
 * base64. `null` is a missing field. False: `why` (in the arena) names the member that is not of
 * the message, or reports nesting deeper than LC_MAX_DEPTH, and `out` is as before. `why` never
 * quotes values. */
bool lc_wire_write(lc_buf *out, lc_arena *arena, const lc_wire_message *message,
                   const lc_node *node, lc_str *why);

/* Are all members of the kinds that protojson has for the fields of the message? Members that the
 * tables do not have are not looked at. False: `why`, in the arena, names the first other one, as
 * in "block.attributes[0].type: a string is required, not a number"; it quotes keys of maps, but no
 * values. `node` may be NULL, and then fits. */
bool lc_wire_fits(lc_str *why, lc_arena *arena, const lc_wire_message *message,
                  const lc_node *node);

#endif

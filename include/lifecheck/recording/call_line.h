/* Calls that have just ended, as lines of a recording: the other direction of protojson.h. Module
 * recording. */
#ifndef LIFECHECK_RECORDING_CALL_LINE_H
#define LIFECHECK_RECORDING_CALL_LINE_H

#include "lifecheck/recording/protojson.h"
#include "lifecheck/wire/wire.h"

/* The messages of one direction of a call. */
typedef struct lc_call_messages {
    const lc_node *items;
    uint32_t count;
    bool stream; /* the protocol has several of them here */
} lc_call_messages;

/* A call that has just ended. */
typedef struct lc_call_line {
    uint64_t process, seq; /* its connection, and the order in it */
    int64_t began;         /* microseconds since 1970 */
    int64_t took;          /* microseconds */
    int protocol;
    lc_str provider; /* its address */
    lc_str rpc;      /* the method's name */
    lc_call_messages request, response;
    bool cut;   /* messages are missing through no fault of the provider: it is not judged */
    int status; /* of gRPC; 0: it succeeded */
    lc_str status_text;
} lc_call_line;
/* The node of the call's line in a recording; it borrows the messages. */
void lc_call_line_node(lc_node *out, lc_arena *arena, const lc_call_line *line);

/* ---- Answers to schema calls. A provider with thousands of types needs many times its bytes as
 * nodes, so its line is made type by type. */

/* The answers of a recording so far. Set `arena`; the rest is zero. */
typedef struct lc_schema_answers {
    lc_arena *arena;
    lc_table seen; /* providers and their answers */
    uint64_t repeated;
} lc_schema_answers;
void lc_schema_answers_init(lc_schema_answers *out, lc_arena *arena);

/* What an answer to GetProviderSchema brings. Schemas are large, so each is written once. */
typedef enum lc_schema_answer {
    LC_SCHEMA_NEW,
    LC_SCHEMA_REPEATED,   /* the provider has given this answer before */
    LC_SCHEMA_UNREADABLE, /* its bytes are no such message */
} lc_schema_answer;
/* Appends the line of a call of GetProviderSchema that is new, without its line break; `line` has
 * everything but the messages. Types are sorted by name, because the bytes of equal answers differ
 * in that order. */
lc_schema_answer lc_schema_answer_line(lc_buf *out, lc_schema_answers *answers,
                                       const lc_call_line *line, const lc_wire_method *method,
                                       lc_str response, const lc_limits *limits);

#endif

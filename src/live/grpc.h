/* What gRPC puts into streams of HTTP/2: messages with a prefix, and how a call ended. Pure. */
#ifndef LC_LIVE_GRPC_H
#define LC_LIVE_GRPC_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/str.h"
#include "lifecheck/base/table.h"
#include "lifecheck/wire/grpc_status.h"

/* ---- Messages. */

#define LC_GRPC_PREFIX 5 /* bytes before a message: is it compressed, and its length */

/* The prefix of a message of so many bytes, at most 4 GiB. */
void lc_grpc_prefix(unsigned char out[LC_GRPC_PREFIX], size_t size, bool compressed);
/* Appends a message with its prefix. */
void lc_grpc_add_message(lc_buf *to, lc_str message, bool compressed);
/* The next message of `bytes`, borrowed; *at moves behind it. False: there is no whole one. */
bool lc_grpc_next(lc_str bytes, size_t *at, lc_str *message, bool *compressed);

/* The messages of one direction of a call, in order. */
typedef struct lc_grpc_messages {
    LC_VEC(lc_str) list; /* complete messages, without their prefix */
    uint64_t bytes;      /* of all messages, also of those that were not kept */
    bool cut;            /* some were not kept: compressed, unwanted, or torn */
} lc_grpc_messages;

/* One that is being put together. Zero-initialised. */
typedef struct lc_grpc_partial {
    unsigned char prefix[LC_GRPC_PREFIX];
    size_t have; /* bytes of the prefix; 0: between two messages */
    size_t left; /* bytes of the message that are still to come */
    bool keep;
    char *bytes;
    size_t len, capacity;
    bool foreign; /* what came is not gRPC: it is only counted */
} lc_grpc_partial;

/* Which messages are kept: asked for each that is not compressed, when its length is known. */
typedef struct lc_grpc_keeper {
    bool (*keep)(void *context, size_t size);
    void *context;
} lc_grpc_keeper;

/* Takes the next bytes of a direction; pieces may be cut anywhere. */
void lc_grpc_add(lc_grpc_messages *messages, lc_grpc_partial *partial, lc_arena *arena,
                 const lc_grpc_keeper *keeper, lc_str bytes);
/* Has the last message only begun, or is it none? */
bool lc_grpc_is_torn(const lc_grpc_partial *partial);

/* ---- How a call ended. */

/* A decimal number of at most three digits; -1 for everything else. */
int lc_grpc_number(lc_str text);

/* The header fields that end an answer. An empty string has no pointer if the field is missing. */
typedef struct lc_grpc_trailers {
    lc_str status, message; /* grpc-status, grpc-message */
    int http_status;        /* of the answer; 0: it has none */
} lc_grpc_trailers;
typedef struct lc_grpc_end {
    int status;
    lc_str text; /* static, or in the arena */
} lc_grpc_end;
lc_grpc_end lc_grpc_end_of(lc_arena *arena, const lc_grpc_trailers *trailers);
/* The gRPC status of an HTTP/2 error code; "the provider reset the call (CANCEL)". */
lc_grpc_end lc_grpc_reset(lc_arena *arena, uint32_t code, const char *who);

#endif

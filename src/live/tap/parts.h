/* Inside of a tap: frames (tap/frames.c) carry header blocks (tap/fields.c) and data, of which
 * calls are made (tap/calls.c). tap.c owns it all. */
#ifndef LC_LIVE_TAP_PARTS_H
#define LC_LIVE_TAP_PARTS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/index.h"
#include "live/tap/tap.h"

#define LC_TAP_HEAD 9 /* bytes of a frame before its payload */
/* The most fixed bytes before a body: the length of the padding, and a priority. */
#define LC_TAP_FIXED 6

typedef struct lc_hpack lc_hpack;

/* What one side has sent so far, up to the middle of a frame. */
typedef struct lc_tap_frames {
    size_t preface; /* how much of the connection preface has come, only of a client */
    bool settled;   /* the first frame was SETTINGS, as it must be */
    unsigned char head[LC_TAP_HEAD + LC_TAP_FIXED];
    size_t have, need; /* bytes of `head` */
    size_t length;     /* of the payload */
    unsigned type, flags;
    uint32_t stream;
    size_t body, padding; /* bytes that are still to come */
    /* A header block: HEADERS and every CONTINUATION. */
    bool in_block;
    bool block_ends_stream;
    lc_buf block;
    lc_hpack *hpack;
} lc_tap_frames;

/* A call that has not ended. */
typedef struct lc_tap_stream {
    lc_index_entry entry;                /* by the id of the stream */
    struct lc_tap_stream *next, *before; /* in the order of their beginning */
    lc_tap *tap;
    lc_arena *arena; /* its own, with this structure and its messages */
    lc_tap_call call;
    lc_grpc_partial partial[2]; /* by lc_tap_side */
    bool done[2];               /* the side has ended its direction */
    bool of_provider;           /* its messages are kept */
    int http_status;            /* 0: not known yet */
    size_t held;                /* its part of lc_tap.held */
} lc_tap_stream;

struct lc_tap {
    size_t message_limit, held_limit;
    void (*ended)(void *context, const lc_tap_call *call);
    void *context;
    int64_t now;
    const char *why; /* set: nothing is read any more */
    lc_tap_frames sides[2];
    lc_arena *scratch; /* fields of one header block */
    lc_index streams;
    lc_tap_stream *first, *last;
    uint32_t newest; /* the highest id of a stream so far */
    size_t held;     /* bytes of messages that are kept */
    size_t lost;     /* calls of providers that were open when it failed */
};

/* One text for each side. */
#define LC_TAP_WHY(side, before, after)                                                            \
    ((side) == LC_TAP_CLIENT ? before "the client" after : before "the provider" after)
/* Stops the reading; the first reason is kept. */
void lc_tap_fail(lc_tap *tap, const char *why);

/* Reads the next bytes of a side, until their end or a failure. */
void lc_tap_read_frames(lc_tap *tap, lc_tap_side side, lc_str bytes);
void lc_tap_frames_release(lc_tap_frames *frames);

/* The header fields that matter; an empty text has no pointer if the field is missing. In the arena
 * that they were read into. */
typedef struct lc_tap_fields {
    lc_str path, http_status, grpc_status, grpc_message;
} lc_tap_fields;
/* The table of one side, which is the same as the one of its peer if every block is read. NULL: a
 * build without nghttp2. */
lc_hpack *lc_hpack_new(void);
void lc_hpack_free(lc_hpack *hpack);
/* False: the block cannot be decoded. */
bool lc_hpack_read(lc_tap_fields *out, lc_hpack *hpack, lc_arena *arena, lc_str block);

/* What the frames of a side mean for its calls. `last`: the side has ended its direction. */
void lc_tap_headers(lc_tap *tap, lc_tap_side side, uint32_t id, const lc_tap_fields *fields,
                    bool last);
void lc_tap_data(lc_tap *tap, lc_tap_side side, uint32_t id, lc_str bytes);
void lc_tap_data_end(lc_tap *tap, lc_tap_side side, uint32_t id);
void lc_tap_reset(lc_tap *tap, lc_tap_side side, uint32_t id, uint32_t code);
/* Ends all calls that are open. */
void lc_tap_tear(lc_tap *tap);
/* Forgets them instead. */
void lc_tap_forget(lc_tap *tap);

#endif

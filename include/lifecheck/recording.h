/* Recordings to cases: streams of calls, capture directories, logs, plans and states. Module
 * recording. */
#ifndef LIFECHECK_RECORDING_H
#define LIFECHECK_RECORDING_H

#include "lifecheck/scenario.h"

/* ---- What an input is. */

typedef enum lc_input_kind {
    LC_INPUT_UNKNOWN,
    LC_INPUT_SCENARIOS,
    LC_INPUT_CALLS,   /* a stream of recorded calls */
    LC_INPUT_CAPTURE, /* a folder of data files */
    LC_INPUT_PLAN,
    LC_INPUT_STATE,
    LC_INPUT_LOG, /* of a core or an SDK, without the data of its calls */
} lc_input_kind;
#define LC_INPUT_KINDS 7
const char *lc_input_name(lc_input_kind kind);     /* "calls", one word */
const char *lc_input_describe(lc_input_kind kind); /* "a stream of recorded calls" */
/* What a file is by its beginning; a stream of calls needs its whole first line, or 4 KiB of it. */
lc_input_kind lc_input_detect(lc_str head);

/* ---- RPC streams: one recorded call a line, JSON {rpc, request, response} in protojson. */

typedef struct lc_stream lc_stream;
typedef struct lc_stream_stats {
    uint64_t methods;  /* lines that name one */
    uint64_t calls;    /* judged */
    uint64_t unjudged; /* of types without a schema */
    uint64_t foreign;  /* lines without a call */
} lc_stream_stats;
/* `take` gets the cases at the end, one an instance, those of which too much is held before; a case
 * lives until it returns. Memory is bounded: schemas, and the calls that are held. */
lc_stream *lc_stream_open(lc_arena *arena, lc_schema_store *store, lc_str file, lc_diags *diags,
                          void (*take)(void *context, lc_scenario *scenario), void *context);
/* Types of a document, beside those of the stream itself, which come later and win. */
void lc_stream_schema(lc_stream *stream, lc_schema_doc *doc);
/* Each type that the schema calls so far declare; not those of documents that were added. */
void lc_stream_types(const lc_stream *stream, void (*each)(void *context, const lc_schema *schema),
                     void *context);
/* The log of the same run: what a core says there. A file; reported if it cannot be read. */
void lc_stream_log(lc_stream *stream, lc_str path, lc_used *used);
/* Plans and states in the folder tell the addresses of instances; they are read when the first one
 * is asked for. */
void lc_stream_beside(lc_stream *stream, lc_str folder, lc_used *used);
/* Any piece of the stream; lines may be cut anywhere. */
void lc_stream_bytes(lc_stream *stream, lc_str bytes);
/* Nothing more is there for now: gives cases that go on, with `so_far`. */
void lc_stream_show(lc_stream *stream);
/* Complete what is open and free what is not in the arena. */
lc_stream_stats lc_stream_end(lc_stream *stream);
/* Is the first line a recorded call? */
bool lc_looks_like_rpc(lc_str text);

/* ---- Capture directories: the data files of TF_LOG_SDK_PROTO_DATA_DIR. */

/* Calls are paired by a log, else by the order in which fields are written. Schema documents named
 * *schema.json and logs *.log are looked for in the folder, and where it has none in the one
 * above. */
void lc_capture_read(lc_arena *arena, lc_schema_store *store, lc_str folder,
                     const lc_capture_options *options, lc_diags *diags,
                     void (*take)(void *context, lc_scenario *scenario), void *context);
/* Does the folder hold data files? */
bool lc_looks_like_capture(lc_str folder);
/* Are the values in the folder those of a recording in a file, of which they are one more record?
 */
bool lc_capture_repeats(lc_str folder, lc_str calls, const lc_limits *limits);

/* ---- Logs without the data of their calls. */

/* What the core says of broken promises, one case an address, and calls with diagnostics, one case
 * each. Schemas are those of options, else the documents beside the file; without one only what
 * needs none is told. */
void lc_log_alone_read(lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
                       const lc_capture_options *options, lc_diags *diags,
                       void (*take)(void *context, lc_scenario *scenario), void *context);
/* Is the first line one of a log, JSON or text? */
bool lc_looks_like_log(lc_str text);

/* ---- Plans and states as JSON. */

/* One case an address. The schemas are those that options names, else the documents beside the
 * file. A plan with a later state: what was planned and what was saved; two states: an upgrade. */
void lc_json_evidence_read(lc_json_kind kind, lc_arena *arena, lc_schema_store *store, lc_str file,
                           lc_str json, const lc_capture_options *options, lc_diags *diags,
                           void (*take)(void *context, lc_scenario *scenario), void *context);

#endif

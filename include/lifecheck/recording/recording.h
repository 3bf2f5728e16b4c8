/* Recordings to cases: streams of calls, capture directories, logs, plans and states. Module
 * recording. Strings are borrowed from the caller unless a comment states otherwise; `take`
 * functions get each case as soon as it is finished. */
#ifndef LIFECHECK_RECORDING_RECORDING_H
#define LIFECHECK_RECORDING_RECORDING_H

#include "lifecheck/scenario/scenario.h"

/* ---- What an input is. */

/* What a file or folder is; UNKNOWN: to be found out from its beginning. */
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
/* What a file is, judged by its beginning. For a stream `head` must contain the first line, or 4
 * KiB of it. */
lc_input_kind lc_input_detect(lc_str head);

/* ---- RPC streams: one recorded call on each line, as JSON {rpc, request, response} in protojson.
 * Other lines describe the recording, or give its instances addresses. */

#define LC_RECORDING_FORMAT        1    /* the newest that is read */
#define LC_MAX_RECORDING_PROVIDERS 1000 /* that are kept; more are ignored */

/* A provider as the head of a recording names it. */
typedef struct lc_recorded_provider {
    lc_str address, version; /* "registry.terraform.io/hashicorp/random"; "": not given */
    uint64_t protocol;       /* 0: not given */
} lc_recorded_provider;
/* Calls of one name that no rule looks at, for one reason. */
#define LC_MAX_UNSEEN 64 /* names and reasons that are kept apart */
typedef struct lc_unseen {
    lc_str rpc;
    const char *why; /* after "not checked, because" */
    uint64_t count;
    lc_loc first;
    bool session; /* a call of every session, about the provider as a whole: inspect names it, and
                     reports do not */
} lc_unseen;
/* What a recording states about itself. Strings are "" and numbers 0 if they are not given. */
typedef struct lc_recording {
    bool stated; /* it states anything at all */
    lc_str by;   /* "lifecheck 0.1.0" */
    bool redacted;
    lc_str client, client_version;
    lc_str called_version; /* that the first ConfigureProvider call gives; "": none does */
    LC_VEC(lc_recorded_provider) providers;
    bool has_calls; /* it states how many there are: `calls` */
    uint64_t calls;
    uint64_t lost;            /* calls that were made but not recorded */
    LC_VEC(lc_unseen) unseen; /* counted while the calls are read, in the order of the first */
} lc_recording;

typedef struct lc_stream lc_stream;
/* What was in a stream, for what reports say of it. */
typedef struct lc_stream_stats {
    uint64_t methods;  /* lines that name a method */
    uint64_t calls;    /* calls that are judged */
    uint64_t unjudged; /* calls of types without a schema */
    uint64_t foreign;  /* lines that are not calls */
} lc_stream_stats;
/* A stream that is read piece by piece. `take` gets one case for each instance, at the end or when
 * too much is held (LC_HELD_ALL); the case lives until `take` returns. Memory is bounded by the
 * schemas and the calls that are held. Free with lc_stream_end. */
lc_stream *lc_stream_open(lc_arena *arena, lc_schema_store *store, lc_str file, lc_diags *diags,
                          void (*take)(void *context, lc_scenario *scenario), void *context);
/* Adds the types of a document. Types that the stream itself declares replace them. */
void lc_stream_schema(lc_stream *stream, lc_schema_doc *doc);
/* What the stream has stated about itself so far. Lives as long as the arena. */
const lc_recording *lc_stream_recording(const lc_stream *stream);
/* Calls `each` for every type that the stream has declared so far, without those of documents. */
void lc_stream_types(const lc_stream *stream, void (*each)(void *context, const lc_schema *schema),
                     void *context);
/* Reads the log of the same run, for what the core reports there. An unreadable log is reported. */
void lc_stream_log(lc_stream *stream, lc_str path, lc_used *used);
/* Looks for addresses of instances in the plans and states of a folder. They are read when the
 * first address is needed. */
void lc_stream_beside(lc_stream *stream, lc_str folder, lc_used *used);
/* The same for a plan or state that is already in memory. Name and string are borrowed until the
 * end. */
void lc_stream_evidence(lc_stream *stream, lc_str name, lc_str json);
/* Takes the addresses that lines of `text` give to calls, and the client that they state. The end
 * of a recording is read before the rest, so that its addresses distinguish calls with equal
 * values. The lines may come again. */
void lc_stream_addresses(lc_stream *stream, lc_str text);
/* The next bytes of the stream; a line may be cut anywhere. */
void lc_stream_bytes(lc_stream *stream, lc_str bytes);
/* A call whose nodes are already in memory, as if its line came next; nothing of it is kept. `line`
 * is its text, which only calls that return schemas need: these are read from it, so `root` need
 * not have their response. Do not call this in the middle of a line. */
void lc_stream_call(lc_stream *stream, const lc_node *root, lc_str line);
/* There are no more bytes for now: gives the cases of unfinished instances, marked by `so_far`. */
void lc_stream_show(lc_stream *stream);
/* Call before the end, if no call is missing: rules may then count on what is not there. Not needed
 * for a recording that states the number of its calls. */
void lc_stream_complete(lc_stream *stream);
/* Gives all remaining cases, and frees what is not in the arena. */
lc_stream_stats lc_stream_end(lc_stream *stream);
/* Reads the member `recording` of a line into *out: it adds to what earlier lines stated, or
 * replaces it. Strings are copied into the arena. False: its format is newer than
 * LC_RECORDING_FORMAT, which is reported; the meaning of the lines that follow is unknown. */
bool lc_recording_take(lc_recording *out, lc_arena *arena, const lc_node *recording, lc_loc at,
                       lc_diags *diags);
/* Is the first line a recorded call, or the start of what a recording states about itself? */
bool lc_looks_like_rpc(lc_str text);

/* ---- Capture directories: the data files of TF_LOG_SDK_PROTO_DATA_DIR. */

/* Pairs the data files of a folder by a log, or without one by the order in which the SDK writes
 * the fields of a call. Schema documents (*schema.json) and logs (*.log) are looked for in the
 * folder, and if it has none in the parent folder. */
void lc_capture_read(lc_arena *arena, lc_schema_store *store, lc_str folder,
                     const lc_capture_options *options, lc_diags *diags,
                     void (*take)(void *context, lc_scenario *scenario), void *context);
/* Does the folder hold data files? */
bool lc_looks_like_capture(lc_str folder);
/* Does the folder contain the same values as a recording in the file `calls`, so that it need not
 * be read as well? */
bool lc_capture_repeats(lc_str folder, lc_str calls, const lc_limits *limits);

/* ---- Logs without the values of their calls. */

/* Gives one case for each address about which a core reports violations, and one for each call with
 * diagnostics. Schemas are those that the options name, or the documents next to the file. Without
 * any, only what needs no schema is judged. */
void lc_log_alone_read(lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
                       const lc_capture_options *options, lc_diags *diags,
                       void (*take)(void *context, lc_scenario *scenario), void *context);
/* Is the first line one of a log, JSON or text? */
bool lc_looks_like_log(lc_str text);

/* ---- Plans and states as JSON. */

/* Gives one case for each address. Schemas are those that the options name, or the documents next
 * to the file. A plan with a later state compares planned and saved values; two states show an
 * upgrade. */
void lc_json_evidence_read(lc_json_kind kind, lc_arena *arena, lc_schema_store *store, lc_str file,
                           lc_str json, const lc_capture_options *options, lc_diags *diags,
                           void (*take)(void *context, lc_scenario *scenario), void *context);

#endif

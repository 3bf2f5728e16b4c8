/* Inputs to cases. Module input. Source: the scenario format and its details. */
#ifndef LIFECHECK_INPUT_H
#define LIFECHECK_INPUT_H

#include "lifecheck/node.h"
#include "lifecheck/verdict.h"

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
/* Without the mark that some programs write before UTF-8. */
lc_str lc_without_bom(lc_str text);

/* What was read beside an input, and what came of it, in lines for people. */
typedef struct lc_used {
    lc_arena *arena;
    LC_VEC(lc_str) list;
} lc_used;

/* Schema documents that were opened, by path, so that each is read once. Lives in the store. */
typedef struct lc_schema_store {
    lc_arena *arena;
    lc_table documents;
    lc_limits limits;
} lc_schema_store;
void lc_schema_store_init(lc_schema_store *store, lc_arena *arena, lc_limits limits);
/* The document `path`, opened at the first call. A document that cannot be read is reported with
 * its own places once for each `diags`, and at `at` every time; then NULL. What an input is told
 * does not depend on which others were read before it in this process. */
lc_schema_doc *lc_schema_store_get(lc_schema_store *store, lc_str path, lc_loc at, lc_diags *diags);
/* The same for a document that an option or a folder adds to recorded evidence, and that nothing
 * refers to by its place: a CloudFormation type from which nothing is derived is an error too. */
lc_schema_doc *lc_schema_store_add(lc_schema_store *store, lc_str path, lc_diags *diags);

/* One case of a file: read, or not understood (then `scenario` is NULL and the errors are in the
 * diags given to lc_scenario_file_read). */
typedef struct lc_scenario_file {
    lc_str file;
    LC_VEC(lc_scenario *) scenarios;
    bool is_scenario; /* the file has the key `lifecheck` at its root, or was forced */
} lc_scenario_file;

/* Read a scenario file: YAML or JSON, one document or several, `cases`, `runs`. `only` selects a
 * case by name, or is empty. What cannot be understood is reported with file, line and column; the
 * other documents and cases of the file are still read. Everything lives in `arena`. */
lc_status lc_scenario_file_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str only, lc_diags *diags);
lc_status lc_scenario_text_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str text, lc_str only, lc_diags *diags);

/* Make `scenario`, of which file, name and the like are set, a case of what `planning` holds. */
void lc_scenario_set_planning(lc_scenario *scenario, lc_arena *arena,
                              const struct lc_planning *planning);

/* The format as a JSON Schema (draft 2020-12), as editors take it. */
void lc_scenario_json_schema(lc_buf *out);

/* Mistakes of a scenario that was read by these functions and judged, each place of a file once.
 * Not `all`: traps only. */
void lc_scenario_lint(lc_judged *judged, lc_arena *arena, const lc_policy *policy, bool all);

/* Does this look like a scenario, for walks: a root mapping (or first element of a root array) with
 * the key `lifecheck`? Cheap; reads at most a little of the file. */
bool lc_looks_like_scenario(lc_str text);

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

typedef struct lc_capture_options {
    lc_str log;            /* named, or empty; logs beside the files are read too */
    lc_str new_state;      /* a state file that was saved later, or empty */
    lc_str prior_state;    /* a state file that was saved before, or empty */
    lc_str operation;      /* what was done between two states, or empty */
    const lc_str *schemas; /* documents that were named */
    size_t schema_count;
    lc_used *used; /* NULL: nobody wants to know */
    bool kept;     /* cases of plans and states live on after they were taken */
    /* Each type that the schemas of a recording declare; NULL: nobody wants to know. */
    void (*declares)(void *context, const lc_schema *schema);
    void *declares_context;
} lc_capture_options;
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

/* ---- Plans and states as JSON: `show -json` of a plan, state files. */

typedef enum lc_json_kind { LC_JSON_OTHER, LC_JSON_PLAN, LC_JSON_STATE } lc_json_kind;
/* By the beginning of the text. */
lc_json_kind lc_json_evidence(lc_str head);
/* One case an address. The schemas are those that options names, else the documents beside the
 * file. A plan with a later state: what was planned and what was saved; two states: an upgrade. */
void lc_json_evidence_read(lc_json_kind kind, lc_arena *arena, lc_schema_store *store, lc_str file,
                           lc_str json, const lc_capture_options *options, lc_diags *diags,
                           void (*take)(void *context, lc_scenario *scenario), void *context);

/* ---- Copies that can be shared. */

typedef struct lc_redact_options {
    lc_input_kind input; /* what the text is taken for; UNKNOWN: by its beginning */
    bool all;            /* everything, not only what is sensitive */
    lc_capture_options capture;
} lc_redact_options;
/* A copy of a stream of calls, a plan or a state. Every text and number under a sensitive,
 * write-only or provider-configuration path becomes a token; so do private data, import IDs, and
 * such values inside diagnostics. False: reported. */
bool lc_redact(lc_buf *out, lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
               const lc_redact_options *options, lc_diags *diags);

/* Takes one file of a copy; false: it could not be written, told. */
typedef bool (*lc_redacted_take)(void *context, lc_str name, lc_str bytes);
/* A copy of a capture directory: its data files, and the logs and schema documents that it is read
 * with, wherever they lie. Of logs only lines that tell of calls or broken promises stay, without
 * what they quote. Files that no schema can read are emptied. False: it is not complete; why is in
 * diags. */
bool lc_redact_capture(lc_arena *arena, lc_schema_store *store, lc_str folder,
                       const lc_redact_options *options, lc_diags *diags, lc_redacted_take take,
                       void *context);

/* ---- A finding as a small scenario. */

typedef struct lc_extract lc_extract;
typedef struct lc_extract_options {
    bool secrets;   /* keep them */
    double seconds; /* for making it smaller */
    lc_limits limits;
} lc_extract_options;
typedef enum lc_extract_result {
    LC_EXTRACTED,
    LC_EXTRACT_LOST,          /* the case as a scenario does not have the finding */
    LC_EXTRACT_NEEDS_SECRETS, /* it has, but not with tokens in place of secrets */
} lc_extract_result;
/* Finding number `at` of a judged case, and all that is needed of the case, which may go then. */
lc_extract *lc_extract_begin(lc_arena *arena, const lc_judged *judged, size_t at,
                             const lc_limits *limits);
/* The scenario, which judges itself: its expectation is met. Nothing is added otherwise. */
lc_extract_result lc_extract_finish(lc_buf *out, lc_extract *x, const lc_extract_options *options);

/* A value node read by a type, with all markers. `config`: conversions as in configurations. */
typedef struct lc_value_reader {
    lc_arena *arena;
    const lc_source *source; /* lives as long as the arena: locators refer to it */
    lc_diags *diags;
    lc_limits limits;
    LC_VEC(lc_path) sensitive; /* places marked !sensitive, relative to the root given */
    bool config;
    size_t built;          /* values built so far, bounded by limits.nodes */
    const lc_lines *lines; /* of the source, made when first needed; NULL for a new one */
    lc_lint_notes *lints;  /* what is said in vain; NULL: nobody wants to know */
} lc_value_reader;
/* Reads the object of a schema's block. LC_OK also for an undecodable one: see field->state. */
lc_status lc_read_object(lc_field *out, lc_value_reader *reader, const lc_node *node,
                         const lc_block *block);
lc_status lc_read_typed(lc_field *out, lc_value_reader *reader, const lc_node *node,
                        const lc_type *type);
/* Raw state: JSON core types only. */
lc_status lc_read_raw(lc_field *out, lc_value_reader *reader, const lc_node *node);

#endif

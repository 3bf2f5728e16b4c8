/* Capture directories: the data files that a provider's SDK writes (TF_LOG_SDK_PROTO_DATA_DIR), and
 * the log of the same run. Module recording. Everything lives in the arena of the capture or log.
 */
#ifndef LIFECHECK_RECORDING_CAPTURE_H
#define LIFECHECK_RECORDING_CAPTURE_H

#include "lifecheck/recording/instances.h"
#include "lifecheck/recording/log_findings.h"
#include "lifecheck/recording/protojson.h"

/* Which side of a call a data file holds; imported objects have files of their own. */
typedef enum lc_capture_part {
    LC_CAPTURE_REQUEST,
    LC_CAPTURE_RESPONSE,
    LC_CAPTURE_IMPORTED
} lc_capture_part;

/* A data file holds one field of one message: `{time}_{RPC}_{MESSAGE}_{FIELD}[.{ext}]` */
typedef struct lc_data_file {
    lc_str name;
    uint64_t time; /* milliseconds; several calls may share one */
    lc_str rpc;
    lc_capture_part part;
    lc_str field;
    lc_str extension; /* "msgpack", "json", "empty", or "" for private data */
    bool claimed;     /* a line of a log names the call that wrote it */
} lc_data_file;
/* Takes a file name apart. False: it is not the name of a data file. `out` points into `name`. */
bool lc_data_file_parse(lc_data_file *out, lc_str name);
/* The place of a file in the order in which the SDK writes the fields of a call; higher is later.
 */
unsigned lc_data_file_rank(const lc_data_file *file);

/* What the lines of a log report about one call. */
typedef struct lc_log_call {
    lc_str id, rpc, type, provider;
    lc_loc loc; /* of its first line */
    uint64_t order;
    LC_VEC(lc_str) files; /* names of data files, in order */
    LC_VEC(lc_provider_diag) diagnostics;
    bool answered; /* the log has the line with the number of diagnostics, the end of a call */
    bool failed;   /* an error diagnostic, or no end at all */
    bool deferred;
    bool unwritten; /* a data file could not be written */
    bool legacy;    /* a message of the core proves that the response has legacy_type_system */
    lc_str deferred_reason;
    lc_capabilities client;
} lc_log_call;

/* A line of a log that belongs to a call: its message and its fields. */
#define LC_LOG_PAIRS 48
/* A field of a line of a log. */
typedef struct lc_log_pair {
    lc_str key, value;
} lc_log_pair;
typedef struct lc_log_line {
    lc_str message;
    lc_log_pair pairs[LC_LOG_PAIRS];
    size_t count;
} lc_log_line;
/* Reads a line of JSON or text. False: it does not belong to a call. Points into `text` or `arena`.
 */
bool lc_log_line_read(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits);
/* The end of the line at `at`, with the lines that continue it; `lines`: how many they are. */
size_t lc_log_line_end(lc_str text, size_t at, uint32_t *lines);
lc_str lc_log_line_get(const lc_log_line *line, const char *key); /* or "" */

/* All that is known from one or more log files. */
typedef struct lc_log {
    LC_VEC(lc_log_call *) calls;
    lc_table by_id;
    lc_table writer; /* data file -> the last call that wrote it */
    lc_capabilities provider;
    uint64_t lines;
    /* Data files that two calls wrote: the later log line need not belong to the later write, so it
     * is not known whose bytes they hold. */
    lc_table shared;
    lc_log_findings logged;
    lc_table strict; /* "RPC TYPE" for which a client's error proves that the flag is not set */
    lc_table legacy; /* "RPC TYPE" for which a core's message proves legacy_type_system */
    lc_table files;  /* paths that were read, each once */
    bool unclear;    /* a core's message about a violation was not understood */
} lc_log;
void lc_log_init(lc_log *log, lc_arena *arena);
/* Reads the text of a log, whose lines may be JSON or text. Lines of other programs are ignored;
 * lines that are cut or mixed up with others are reported. */
void lc_log_read(lc_log *log, lc_arena *arena, lc_str file, lc_str text, const lc_limits *limits,
                 lc_diags *diags);
/* The same for a file, unless it was read before under this or another name. False: reported. */
bool lc_log_open(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                 lc_diags *diags);
/* The same for a log that the user named: without anything of use in it there is a message. */
void lc_log_open_named(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                       lc_diags *diags);
/* Does a message prove that responses of this method have legacy_type_system for the type? */
bool lc_log_legacy(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type);
/* Does an error of a client prove that they do not have it? */
bool lc_log_strict(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type);
/* Sets what the log reports about the response. */
void lc_log_call_set(lc_call *call, lc_arena *arena, const lc_log_call *logged);
/* Adds one line about the contents of the log; `used` may be NULL. */
void lc_log_summarize(const lc_log *log, lc_used *used, lc_str file);
void lc_used_add(lc_used *used, const lc_buf *text);
bool lc_log_contains(lc_str text, const char *word);

/* ---- Lines of the core itself. */

/* One line of the core, with the lines that continue it. */
typedef struct lc_core_line {
    lc_str file, raw; /* `raw` as it is written, with the lines that continue it */
    uint32_t number;  /* of its first line */
    bool json;
    lc_str message;    /* decoded */
    size_t message_at; /* offset of the message in `raw` */
} lc_core_line;
/* Could the line be one of the core? Quick; lc_log_core decides. */
bool lc_log_is_core(lc_str text);
void lc_log_core(lc_log *log, lc_arena *arena, lc_arena *scratch, const lc_core_line *line,
                 lc_diags *diags);

/* The data files of one call. */
typedef struct lc_data_group {
    lc_str rpc, type, provider;
    const lc_log_call *logged; /* or NULL */
    const lc_data_file *parts[16];
    size_t count;
    bool incomplete; /* some files are missing, or may hold the bytes of another call */
} lc_data_group;

/* Paths of files. */
typedef LC_VEC(lc_str) lc_paths;

/* A capture directory while it is read: its files, its log, and what is reported of both. */
typedef struct lc_capture {
    lc_arena *arena;
    lc_schema_store *store;
    lc_str folder;
    lc_diags *diags;
    /* Takes each call whose files could be paired for certain; borrowed until it returns. */
    void (*take)(void *context, const lc_data_group *group);
    void *context;

    lc_log log;
    LC_VEC(lc_data_file) files; /* in order of time */
    lc_table by_name;
    LC_VEC(lc_schema_doc *) docs;
    LC_VEC(const lc_schema *) schemas;   /* of all types */
    LC_VEC(const lc_schema *) providers; /* schemas of provider configurations */
    lc_paths logs, documents;            /* that were read */
    lc_paths evidence;                   /* files that may be plans or states */
    lc_table logged;                     /* types without a schema that were reported */
} lc_capture;
/* Lists the folder and reads logs and schema documents. The caller has set the members up to
 * `context`. What cannot be read is reported. */
void lc_capture_open(lc_capture *capture, const lc_capture_options *options);
void lc_capture_pair(lc_capture *capture);
/* The schema of a type by its name, from this provider if it has the type, else from another; NULL
 * if there is no schema. */
const lc_schema *lc_capture_schema(const lc_capture *capture, lc_schema_kind kind, lc_str provider,
                                   lc_str type);
/* The schema of a call. NULL, reported: no schema has the type, or without a log the values fit
 * several types. */
const lc_schema *lc_data_group_schema(lc_capture *capture, lc_pj_rpc rpc,
                                      const lc_data_group *group);
/* Reads the bytes of a data file into `arena`. False: reported. */
bool lc_data_file_read(lc_str *out, lc_arena *arena, const lc_capture *capture,
                       const lc_data_file *file);
lc_loc lc_data_file_loc(const lc_capture *capture, const lc_data_file *file);

#endif

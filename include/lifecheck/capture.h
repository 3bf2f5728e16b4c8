/* Capture directories: the data files that a provider's SDK writes, and the log of the same run. */
#ifndef LIFECHECK_CAPTURE_H
#define LIFECHECK_CAPTURE_H

#include "lifecheck/instances.h"
#include "lifecheck/log_findings.h"
#include "lifecheck/protojson.h"

typedef enum lc_capture_part {
    LC_CAPTURE_REQUEST,
    LC_CAPTURE_RESPONSE,
    LC_CAPTURE_IMPORTED
} lc_capture_part;

/* `{time}_{RPC}_{MESSAGE}_{FIELD}[.{ext}]` */
typedef struct lc_data_file {
    lc_str name;
    uint64_t time; /* milliseconds */
    lc_str rpc;
    lc_capture_part part;
    lc_str field;
    lc_str extension; /* "msgpack", "json", "empty", or "" for private data */
    bool claimed;     /* by a line of a log */
} lc_data_file;
/* False: not the name of a data file. Parts of `out` point into `name`. */
bool lc_data_file_parse(lc_data_file *out, lc_str name);
/* The order in which the fields of a call are written; higher is later. */
unsigned lc_data_file_rank(const lc_data_file *file);

/* What a log tells of one call. */
typedef struct lc_log_call {
    lc_str id, rpc, type, provider;
    lc_loc loc; /* of its first line */
    uint64_t order;
    LC_VEC(lc_str) files; /* names of data files, in order */
    LC_VEC(lc_provider_diag) diagnostics;
    bool answered; /* the log has the line that tells how many diagnostics came */
    bool failed;   /* an error diagnostic, or no answer at all */
    bool deferred;
    bool unwritten; /* a data file could not be written */
    bool legacy;    /* a core's message proves legacy_type_system */
    lc_str deferred_reason;
    lc_capabilities client;
} lc_log_call;

/* A line of a log that tells of a call. */
#define LC_LOG_PAIRS 48
typedef struct lc_log_pair {
    lc_str key, value;
} lc_log_pair;
typedef struct lc_log_line {
    lc_str message;
    lc_log_pair pairs[LC_LOG_PAIRS];
    size_t count;
} lc_log_line;
/* JSON or text. False: it tells of none. */
bool lc_log_line_read(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits);
/* The end of the line, or of the last of those that it goes on in; `lines`: how many these are. */
size_t lc_log_line_end(lc_str text, size_t at, uint32_t *lines);
lc_str lc_log_line_get(const lc_log_line *line, const char *key); /* or "" */

typedef struct lc_log {
    LC_VEC(lc_log_call *) calls;
    lc_table by_id;
    lc_table writer; /* of a data file: the last call that wrote it */
    lc_capabilities provider;
    uint64_t lines;
    lc_table shared; /* data files that two calls wrote: the later lines are not of the later write,
                        so that nobody knows whose bytes they hold */
    lc_log_findings logged;
    lc_table strict; /* "RPC TYPE" of which an error of a client proves that it is not set */
    lc_table legacy; /* "RPC TYPE" of which a core's message proves legacy_type_system */
    lc_table files;  /* that were read: each once */
    bool unclear;    /* something that a core says of a promise was not understood */
} lc_log;
void lc_log_init(lc_log *log, lc_arena *arena);
/* The text of a log, JSON or text lines mixed; lines of others are passed over. Lines that are cut
 * or written into each other are reported. */
void lc_log_read(lc_log *log, lc_arena *arena, lc_str file, lc_str text, const lc_limits *limits,
                 lc_diags *diags);
/* The same from a file, unless it has been read under another name. False: reported. */
bool lc_log_open(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                 lc_diags *diags);
/* The same of a log that was asked for, in which there has to be something. */
void lc_log_open_named(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                       lc_diags *diags);
/* Does a message prove that answers of this method have legacy_type_system for the type? */
bool lc_log_legacy(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type);
/* Does an error of a client prove that they have not? */
bool lc_log_strict(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type);
/* What the log tells of the answer. */
void lc_log_call_set(lc_call *call, lc_arena *arena, const lc_log_call *logged);
/* One line on what it holds, if anybody wants it. */
void lc_log_summarize(const lc_log *log, lc_used *used, lc_str file);
void lc_used_add(lc_used *used, const lc_buf *text);
bool lc_log_contains(lc_str text, const char *word);

/* ---- Lines of the core itself. */

typedef struct lc_core_line {
    lc_str file, raw; /* as it stands there, with the lines that belong to it */
    uint32_t number;  /* of its first line */
    bool json;
    lc_str message;    /* decoded */
    size_t message_at; /* where it begins in `raw` */
} lc_core_line;
/* Could it be one? */
bool lc_log_is_core(lc_str text);
void lc_log_core(lc_log *log, lc_arena *arena, lc_arena *scratch, const lc_core_line *line,
                 lc_diags *diags);

/* The files of one call. */
typedef struct lc_data_group {
    lc_str rpc, type, provider;
    const lc_log_call *logged; /* or NULL */
    const lc_data_file *parts[16];
    size_t count;
    bool incomplete; /* some of its files hold another call's bytes, or are not there */
} lc_data_group;

typedef LC_VEC(lc_str) lc_paths;

typedef struct lc_capture {
    lc_arena *arena;
    lc_schema_store *store;
    lc_str folder;
    lc_diags *diags;
    /* Takes each group that can be told for certain. */
    void (*take)(void *context, const lc_data_group *group);
    void *context;

    lc_log log;
    LC_VEC(lc_data_file) files; /* in order of time */
    lc_table by_name;
    LC_VEC(lc_schema_doc *) docs;
    LC_VEC(const lc_schema *) schemas;   /* of all types */
    LC_VEC(const lc_schema *) providers; /* of their configurations */
    lc_paths logs, documents;            /* that were read */
    lc_paths evidence;                   /* what may be a plan or a state */
    lc_table logged;                     /* types without a schema */
} lc_capture;
/* Members up to `context` are set. What cannot be read is reported. */
void lc_capture_open(lc_capture *capture, const lc_capture_options *options);
void lc_capture_pair(lc_capture *capture);
/* The type by its name, of this provider if any has it; or NULL. */
const lc_schema *lc_capture_schema(const lc_capture *capture, lc_schema_kind kind, lc_str provider,
                                   lc_str type);
/* NULL: no schema has the type, or several have; told. */
const lc_schema *lc_data_group_schema(lc_capture *capture, lc_pj_rpc rpc,
                                      const lc_data_group *group);
/* False: reported. */
bool lc_data_file_read(lc_str *out, lc_arena *arena, const lc_capture *capture,
                       const lc_data_file *file);
lc_loc lc_data_file_loc(const lc_capture *capture, const lc_data_file *file);

#endif

/* Capture directories: the data files that a provider's SDK writes, and the log of the same run. */
#ifndef LC_INPUT_CAPTURE_H
#define LC_INPUT_CAPTURE_H

#include "chains.h"
#include "protojson.h"
#include "told.h"

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

typedef struct lc_log {
    LC_VEC(lc_log_call *) calls;
    lc_table by_id;
    lc_table writer; /* of a data file: the last call that wrote it */
    lc_capabilities provider;
    uint64_t lines;
    LC_VEC(lc_str) overwritten; /* names of files that two calls wrote */
    lc_told_set told;
    lc_table legacy; /* "RPC TYPE" of which a core's message proves legacy_type_system */
    lc_table files;  /* that were read: each once */
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
/* What the log tells of the answer. */
void lc_log_call_set(lc_call *call, lc_arena *arena, const lc_log_call *logged);
/* One line on what it holds, if anybody wants it. */
void lc_log_tell(const lc_log *log, lc_used *used, lc_str file);
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

#endif

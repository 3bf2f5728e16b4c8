/* Copies of inputs without their secrets, so that they can be shared. Module redact. */
#ifndef LIFECHECK_REDACT_REDACT_H
#define LIFECHECK_REDACT_REDACT_H

#include "lifecheck/recording/recording.h"

/* What is replaced in a copy, and what helps to know the secrets. */
typedef struct lc_redact_options {
    lc_input_kind input;        /* what the text is; UNKNOWN: detected from its beginning */
    bool all;                   /* redact everything, not only what is sensitive */
    lc_capture_options capture; /* names schema documents and logs */
} lc_redact_options;
/* Appends a copy of a stream of calls, a plan or a state. Every string and number in a sensitive or
 * write-only attribute or in a provider's configuration becomes a token; so do private data and
 * import IDs, and such values inside diagnostics. Equal values get equal tokens, so that the copy
 * gives the same findings. False: reported, and `out` must not be shared. */
bool lc_redact(lc_buf *out, lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
               const lc_redact_options *options, lc_diags *diags);

/* A stream of calls that is redacted while it is recorded. Equal secrets have equal tokens in the
 * whole stream. Lives in `arena`; lc_redact_stream_close frees what it has elsewhere. Errors, of
 * schemas, go to `diags`. */
typedef struct lc_redact_stream lc_redact_stream;
lc_redact_stream *lc_redact_stream_open(lc_arena *arena, lc_str file, const lc_limits *limits,
                                        lc_diags *diags);
/* Appends the redacted line of a call (with a line break), as lc_redact writes it for a file.
 * `line` is its text, which is needed for calls that return schemas: these are read from it, so
 * that `root` need not have their response. */
void lc_redact_stream_call(lc_redact_stream *stream, lc_buf *out, const lc_node *root, lc_str line);
/* A string of another source, such as a log, in which every secret of the stream so far is
 * replaced. In `arena`. */
lc_str lc_redact_stream_text(lc_redact_stream *stream, lc_arena *arena, lc_str text);
void lc_redact_stream_close(lc_redact_stream *stream);

/* Takes one file of a copy; `bytes` live until it returns. False: not written; reported by it. */
typedef bool (*lc_redacted_take)(void *context, lc_str name, lc_str bytes);
/* A copy of a capture directory: its data files, and the logs and schema documents that it is read
 * with, wherever they are. Of logs only lines about calls or violations are kept, without the
 * values that they quote. Data files that no schema can decode are emptied. False: the copy is not
 * complete; the reason is in `diags`. */
bool lc_redact_capture(lc_arena *arena, lc_schema_store *store, lc_str folder,
                       const lc_redact_options *options, lc_diags *diags, lc_redacted_take take,
                       void *context);

/* Appends a redacted copy of a case that was written as a scenario in JSON. Tokens replace what is
 * sensitive, write-only or marked, private data and import IDs, strings elsewhere that contain one
 * of these, and parts of stored objects that the schema does not have. False: it cannot be read,
 * and nothing was written. */
bool lc_redact_scenario(lc_buf *out, lc_str json, const lc_limits *limits);

#endif

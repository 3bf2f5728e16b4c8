/* Copies of inputs that can be shared, and findings as small scenarios. Module share. */
#ifndef LIFECHECK_SHARE_SHARE_H
#define LIFECHECK_SHARE_SHARE_H

#include "lifecheck/recording/recording.h"

/* ---- Redacted copies. */

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

/* ---- A finding as a small scenario. */

/* A finding with a copy of what it needs from its case. Lives in the arena given. */
typedef struct lc_extract lc_extract;
typedef struct lc_extract_options {
    bool secrets;   /* keep them instead of replacing them by tokens */
    bool as_asked;  /* keep configurations and prior states unchanged, to be sent again */
    double seconds; /* time limit for making the scenario smaller */
    lc_limits limits;
} lc_extract_options;
typedef enum lc_extract_result {
    LC_EXTRACTED,
    LC_EXTRACT_LOST,          /* the case written as a scenario does not have the finding */
    LC_EXTRACT_NEEDS_SECRETS, /* it has, but not with tokens instead of the secrets */
} lc_extract_result;
/* Begins with the finding number `at` of a judged case; the case may be freed afterwards. */
lc_extract *lc_extract_begin(lc_arena *arena, const lc_judged *judged, size_t at,
                             const lc_limits *limits);
/* Appends the smallest scenario found that still has the finding and expects it, so that checking
 * it passes. With any other result than LC_EXTRACTED nothing is appended. */
lc_extract_result lc_extract_finish(lc_buf *out, lc_extract *x, const lc_extract_options *options);

/* Appends a case as a scenario in YAML with its own schema and without an expectation; tokens
 * replace secrets unless `secrets`. Attributes that are null are omitted. False: the case cannot be
 * written, and nothing was appended. */
bool lc_share_case(lc_buf *out, lc_arena *arena, const lc_case *subject, bool secrets,
                   const lc_limits *limits);

#endif

/* Copies of inputs that can be shared, and findings as small scenarios. Module share. */
#ifndef LIFECHECK_SHARE_H
#define LIFECHECK_SHARE_H

#include "lifecheck/recording.h"

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

#endif

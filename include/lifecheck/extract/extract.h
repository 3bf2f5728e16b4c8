/* A finding, or an object of a plan or state, as a scenario of its own, as small as possible.
 * Module extract. */
#ifndef LIFECHECK_EXTRACT_EXTRACT_H
#define LIFECHECK_EXTRACT_EXTRACT_H

#include "lifecheck/verdict/verdict.h"

/* A finding with a copy of what it needs from its case. Lives in the arena given. */
typedef struct lc_extract lc_extract;
typedef struct lc_extract_options {
    bool secrets;   /* keep them instead of replacing them by tokens */
    bool generated; /* there are none: no value is from a user or a service */
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
bool lc_extract_case(lc_buf *out, lc_arena *arena, const lc_case *subject, bool secrets,
                     const lc_limits *limits);

#endif

/* Baselines: findings that are known and accepted, as a count for each fingerprint. Module verdict.
 * Pure.
 *
 * A baseline is read before judging, takes findings in the order of the report, and afterwards
 * knows which entries were not needed. Counts only shrink. The text has one entry per line, so that
 * a review shows what changes. */
#ifndef LIFECHECK_VERDICT_BASELINE_H
#define LIFECHECK_VERDICT_BASELINE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/diag.h"
#include "lifecheck/base/table.h"

/* The reason given for findings that a baseline suppresses. */
#define LC_BASELINE_REASON "baseline"

/* An entry: a fingerprint, and how often it is accepted. */
typedef struct lc_known {
    lc_str fingerprint;
    uint64_t count; /* accepted */
    uint64_t found;
    lc_str rule, type, path; /* for people only; the path has no indices and keys */
    lc_loc loc;
    bool aside; /* its rule was not looked for: the entry stays as it is and is not reported */
} lc_known;

/* A baseline while findings are judged; initialise with lc_baseline_init. Everything lives in
 * `arena`. */
typedef struct lc_baseline {
    lc_arena *arena;
    lc_table by_fingerprint;
    LC_VEC(lc_known *) list;
    bool learns; /* accepts every finding, to be written afterwards */
} lc_baseline;

/* Makes an empty baseline whose contents live in `arena`. */
void lc_baseline_init(lc_baseline *out, lc_arena *arena, bool learns);
/* Reads the text of a baseline file, which must live as long. Unknown keys, fingerprints that occur
 * twice and counts of 0 are errors. */
lc_status lc_baseline_read(lc_baseline *out, lc_str file, lc_str text, lc_diags *diags);
/* Counts a finding; true if it is known. The strings are copied if they are kept. */
bool lc_baseline_take(lc_baseline *baseline, lc_str fingerprint, lc_str rule, lc_str type,
                      lc_str path);
/* Appends a baseline file of what was found and known, sorted by rule, type and path. */
void lc_baseline_print(lc_buf *out, lc_baseline *baseline);
/* For an entry that is listed more often than it was found: one line for a message, in `arena`;
 * otherwise "". */
lc_str lc_known_complaint(lc_arena *arena, const lc_known *known);

#endif

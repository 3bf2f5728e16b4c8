/* Findings that are known: how many of each fingerprint. Module verdict. Pure; counts only shrink.
 *
 * A baseline is read before judging, takes findings in the order of the report, and tells
 * afterwards what it lists in vain. The text has one entry a line, so that a review sees what
 * changes. */
#ifndef LIFECHECK_BASELINE_H
#define LIFECHECK_BASELINE_H

#include "lifecheck/buf.h"
#include "lifecheck/diag.h"
#include "lifecheck/table.h"

/* The reason that findings are suppressed with. */
#define LC_BASELINE_REASON "baseline"

typedef struct lc_known {
    lc_str fingerprint;
    uint64_t count; /* that are accepted */
    uint64_t found;
    lc_str rule, type, path; /* for readers; path without indices and keys */
    lc_loc loc;
    bool aside; /* its rule was not looked for: the entry stays as it is, and nobody complains */
} lc_known;

typedef struct lc_baseline {
    lc_arena *arena;
    lc_table by_fingerprint;
    LC_VEC(lc_known *) list;
    bool learns; /* accepts whatever comes, to be written */
} lc_baseline;

/* Empty; what it holds lives in `arena`. */
void lc_baseline_init(lc_baseline *out, lc_arena *arena, bool learns);
/* Read the text of a baseline file. Unknown keys, entries that stand twice and counts of 0 are
 * errors. */
lc_status lc_baseline_read(lc_baseline *out, lc_str file, lc_str text, lc_diags *diags);
/* Is one more finding of this fingerprint known? Counts it. */
bool lc_baseline_take(lc_baseline *baseline, lc_str fingerprint, lc_str rule, lc_str type,
                      lc_str path);
/* Add what was found and known as a baseline file, sorted by rule, type, path. */
void lc_baseline_print(lc_buf *out, lc_baseline *baseline);
/* What is listed more often than it was found: one line for messages in `arena`, or "". */
lc_str lc_known_complaint(lc_arena *arena, const lc_known *known);

#endif

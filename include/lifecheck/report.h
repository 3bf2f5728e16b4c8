/* Judged cases to text, JSON and JSON Lines. Module report. Never includes input.
 *
 * A record is the JSON text of one case, one error or the summary; text reports are made from the
 * judged case. Workers write records through pipes, so records are self-contained. */
#ifndef LIFECHECK_REPORT_H
#define LIFECHECK_REPORT_H

#include "lifecheck/verdict.h"

typedef enum lc_format { LC_FORMAT_TEXT, LC_FORMAT_JSON, LC_FORMAT_JSONL } lc_format;
bool lc_format_from_name(lc_format *out, lc_str name);

typedef struct lc_report_options {
    lc_format format;
    bool verbose, quiet, color;
    unsigned width; /* 0: do not fold */
    lc_policy policy;
} lc_report_options;

/* Sums over all cases; kept by the caller, added up from workers. */
typedef struct lc_summary {
    uint64_t cases, conform, violate, not_judged, errors;
    uint64_t finding_errors, finding_warnings, finding_infos;
    uint64_t rules_checked, rules_not_checked;
    bool failed;        /* a case does not pass: exit 1 */
    bool judged_any;
} lc_summary;

void lc_report_begin(lc_buf *out, const lc_report_options *options);
/* One judged case; adds to `summary`. `first`: no case or error was written before (JSON commas). */
void lc_report_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                    lc_summary *summary, bool first);
/* Errors about inputs. In the JSON document they come after the cases: the caller keeps them. */
void lc_report_errors(lc_buf *out, const lc_report_options *options, const lc_diag *diags,
                      size_t count, bool first);
void lc_report_end(lc_buf *out, const lc_report_options *options, const lc_summary *summary);

#endif

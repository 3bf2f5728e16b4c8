/* Judged cases to reports in many formats. Module report. Never includes input.
 *
 * A report is made of pieces, so that workers can make them anywhere and one place puts them
 * together in order: what a file gives is the bytes of its cases and the bytes of its errors. */
#ifndef LIFECHECK_REPORT_REPORT_H
#define LIFECHECK_REPORT_REPORT_H

#include "lifecheck/verdict/verdict.h"

/* The formats of reports. Their names for --format are in report/report.c. */
typedef enum lc_format {
    LC_FORMAT_TEXT,
    LC_FORMAT_JSON,
    LC_FORMAT_JSONL,
    LC_FORMAT_SARIF,
    LC_FORMAT_JUNIT,
    LC_FORMAT_TAP,
    LC_FORMAT_GITHUB,
    LC_FORMAT_MARKDOWN,
    LC_FORMAT_CONCISE,
    LC_FORMAT_HTML,
} lc_format;
#define LC_FORMAT_COUNT 10

/* What one shard of a run adds to its JSON report, so that all of them can be put together. */
typedef struct lc_shard_item {
    uint64_t cases, errors; /* records that one input gave, in order */
} lc_shard_item;
/* What a JSON report contains in addition when a run is split (--shard), so that reports can be
 * merged. */
typedef struct lc_shard {
    uint64_t index, of; /* from 1 */
    LC_VEC(lc_shard_item) items;
    const lc_str *skipped; /* files that a walk passed over */
    size_t skipped_count;
    LC_VEC(lc_diag) unused; /* what nothing needed here, though elsewhere something may */
} lc_shard;

/* How one report is written. A member without a format applies to all formats. */
typedef struct lc_report_options {
    lc_format format;
    bool verbose; /* text: also what was expected, and each core's words */
    bool quiet;   /* text: only what fails */
    bool folds;   /* text: repetitions in a recording are counted, and reported once at its end */
    bool color;
    bool tables;     /* html, markdown: what was predicted or resolved, also if nothing is wrong */
    unsigned width;  /* text: fold lines at this column; 0: do not fold */
    bool predicted;  /* text: what is predicted was printed before, and is not repeated */
    bool statistics; /* text: also how often each rule is violated */
    size_t limit;    /* markdown: bytes of the report, which leaves out what is more; 0: no limit */
    lc_policy policy;
    const lc_shard *shard; /* JSON: also what merging needs; NULL: the run is whole */
    /* sarif, github: absolute paths of the working directory and of the checkout around it; "":
     * not known. Files below the checkout, else below the working directory, are named from there,
     * because a path that begins elsewhere matches no file of a repository. */
    lc_str folder, workspace;
    lc_str rules_url; /* sarif, html: a rule's name appended to it is the URL of the rule's page;
                         "": no links */
    lc_str probe;     /* json: a member about the provider that was asked; "": none */
    lc_str category;  /* sarif: the name of this analysis among others; "": none */
} lc_report_options;

/* Where the project and its rules are on the web: links of reports, unless --rules-url names
 * another place for the rules. Nowhere yet. */
#define LC_HOME_URL  ""
#define LC_RULES_URL ""

/* The version of the rule list. */
#define LC_RULES_VERSION "1"

/* Objects of predictions, by what happens to them. */
typedef struct lc_predicted {
    uint64_t cases;      /* with a prediction */
    uint64_t stopped;    /* of these: the client stops, or nothing is predicted */
    uint64_t by_fate[8]; /* see predicted_fates in report/tables.c */
} lc_predicted;

/* Sums over all cases and inputs. No pointers: workers send it through pipes. */
typedef struct lc_summary {
    uint64_t cases, conform, violate, not_judged;            /* by verdict, expectations aside */
    uint64_t logs;                                           /* cases of a log alone */
    uint64_t plain_conform, plain_violate, plain_not_judged; /* cases without an expectation */
    uint64_t resources_violate; /* of plain_violate: of one resource, not of a plan as a whole */
    uint64_t only_known, do_not_pass; /* of plain_conform: but for the baseline; but for mistakes */
    uint64_t partial;                 /* of plain_conform: as far as it is known */
    uint64_t met, unmet, known_failing;
    uint64_t errors;                                 /* of inputs */
    uint64_t findings[LC_ERROR + 1];                 /* by severity, suppressed ones aside */
    uint64_t ignored, known;                         /* findings: suppressed, by a baseline */
    uint64_t open_errors, open_warnings, open_infos; /* those that no expectation covers */
    uint64_t violations[LC_ERROR + 1];               /* those of plain_violate */
    uint64_t lints[LC_ERROR + 1];                    /* mistakes of scenarios, by severity */
    bool linted;                                     /* they were looked for */
    bool rule_checked[LC_RULE_COUNT], rule_not_checked[LC_RULE_COUNT]; /* in some case */
    uint8_t rule_missing[LC_RULE_COUNT];   /* for the latter: an lc_need, the first of all cases */
    bool rule_givable[LC_RULE_COUNT];      /* ... one that the evidence of the case could have */
    uint8_t rule_severity[LC_RULE_COUNT];  /* the highest of its open findings */
    uint32_t rule_findings[LC_RULE_COUNT]; /* that are open */
    uint64_t unapplied;                    /* changes that were planned and not applied */
    lc_ignore_use ignores_used;            /* of the policy's */
    lc_predicted predicted;
    bool failed;     /* a case does not pass */
    bool stopped;    /* a case is not judged: a client stops at its input */
    bool judged_any; /* a case was judged, or compared with an expectation */
} lc_summary;
/* Adds one judged case. */
void lc_summary_add_case(lc_summary *summary, const lc_judged *judged);
/* Adds the sums of another process or input. */
void lc_summary_add(lc_summary *summary, const lc_summary *more);

/* ---- Pieces. They may be made in any process. */

/* One judged case. Adds nothing for a case without anything to report. */
void lc_report_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
/* What is new in a case that goes on: text and JSON Lines. */
void lc_report_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
/* What one judged case adds to the legacy lens; the same for all reports. */
void lc_lens_case(lc_buf *out, const lc_judged *judged);
/* What one input has already reported, so that its text report shows repetitions once: given to
 * each of its cases (lc_judged.repeats), and written at its end. Owned by the caller. */
lc_repeats *lc_repeats_new(void);
/* Releases what lc_repeats_new returned. */
void lc_repeats_free(lc_repeats *repeats);
/* `repeats` may be NULL; formats other than text have nothing to add. */
void lc_report_repeats(lc_buf *out, const lc_report_options *options, const lc_repeats *repeats);
/* The origin of the calls of a file, in words: who recorded them, of which client and providers.
 * HTML shows it in its head; other formats add nothing. */
void lc_report_origin(lc_buf *out, const lc_report_options *options, lc_str file, lc_str words);

/* The text of an input, of which reports may show the lines where findings are. `secrets`: there
 * are or may be some in it. Then of a line only the value is shown that the report shows anyway,
 * with its key. `file` and `text` are borrowed; an index of the lines is made in `arena`
 * when it is first needed. */
lc_quotable *lc_quotable_new(lc_arena *arena, lc_str file, lc_str text, bool secrets);
/* Fills in diag->quote. Only for a string without secrets. */
void lc_quotable_add(lc_diag *diag, lc_quotable *quotable);

/* An error or warning about an input. */
void lc_report_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag);

/* ---- Putting them together. */

/* A report that is being assembled from pieces. Owned by the caller. */
typedef struct lc_report {
    const lc_report_options *options;
    bool any_case, any_error;
    uint64_t counts[4]; /* what the format counts while it takes pieces */
    lc_buf body;        /* cases, where the beginning of the report depends on all of them */
    lc_buf errors;      /* kept until the cases are complete */
    lc_buf lens;
} lc_report;
/* `options` are borrowed until the end. */
void lc_report_begin(lc_report *report, const lc_report_options *options, lc_buf *out);
/* What one file gave, in order. */
void lc_report_add(lc_report *report, lc_str cases, lc_str errors, lc_str lens, lc_buf *out);
/* Ends the report and releases it. */
void lc_report_end(lc_report *report, const lc_summary *summary, lc_buf *out);

/* Appends a page with every rule that matches the glob, in HTML or in Markdown. A rule's anchor is
 * its slug. */
void lc_report_rules(lc_buf *out, bool html, lc_str glob);

#endif

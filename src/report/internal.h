/* Inside module report. */
#ifndef LIFECHECK_REPORT_INTERNAL_H
#define LIFECHECK_REPORT_INTERNAL_H

#include "lifecheck/document.h"
#include "lifecheck/report.h"

/* Rules that were not checked for want of one input. A family of which nothing could be checked for
 * this reason stands as one name, the family with a star. */
typedef struct lc_gap {
    const char *missing; /* the input, or "this version" */
    bool by_version;     /* this version does not judge these rules */
    lc_str names[LC_RULE_COUNT];
    size_t name_count;
    size_t rule_count;
} lc_gap;
/* The gap of `need`, LC_NEED_COUNT for this version's; false if there is none. Names lie in
 * `arena`. */
bool lc_gap_of(lc_gap *out, lc_arena *arena, const lc_judgement *judgement, lc_need need);

typedef struct lc_rule_counts {
    unsigned checked, not_applicable, not_checked;
} lc_rule_counts;
lc_rule_counts lc_count_rules(const lc_judgement *judgement);

/* Does the text report show this finding? */
bool lc_is_open(const lc_judged *judged, size_t finding);

/* ---- The legacy lens. */

/* Findings of one type and rule that legacy_type_system excuses. */
typedef struct lc_lens_sum {
    lc_str line; /* type, tab, rule */
    lc_str type, rule;
    size_t count;
} lc_lens_sum;
typedef struct lc_lens {
    lc_lens_sum *sums; /* by type and rule */
    size_t count;
} lc_lens;
/* `all`: of cases with an expectation too. */
lc_lens lc_lens_sum_up(lc_arena *arena, lc_str pieces, bool all);
void lc_text_lens(lc_buf *out, lc_str pieces, bool all);
void lc_json_lens(lc_doc *parent, lc_str pieces);

void lc_text_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
void lc_text_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
void lc_text_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag);
void lc_text_end(lc_buf *out, const lc_report_options *options, const lc_summary *summary,
                 lc_str lens);

void lc_json_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
void lc_json_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
void lc_json_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag);
void lc_json_begin(lc_buf *out, const lc_report_options *options);
void lc_json_end(lc_buf *out, const lc_report_options *options, const lc_summary *summary,
                 lc_str lens);

/* ---- Parts of the text report. */

/* Where a finding is shown; `label` columns are `width` wide. */
typedef struct lc_text {
    lc_buf *out;
    const lc_report_options *options;
    const lc_judged *judged;
} lc_text;
void lc_text_finding(const lc_text *text, size_t finding, unsigned indent);
/* Text from an input on one line: what a terminal would act on becomes a question mark. */
void lc_text_words(lc_buf *out, lc_str words);
void lc_text_location(const lc_text *text, lc_loc loc);
void lc_text_severity(const lc_text *text, lc_severity severity);
/* The severity a finding is shown with. */
lc_severity lc_shown_severity(const lc_judged *judged, size_t finding);

#endif

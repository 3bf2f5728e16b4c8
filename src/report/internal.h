/* Inside module report. */
#ifndef LC_REPORT_INTERNAL_H
#define LC_REPORT_INTERNAL_H

#include "lifecheck/report/record.h"
#include "lifecheck/yaml_json/document.h"

/* Rules that were not checked because one input was missing. If that is so for all rules of a
 * family, the gap has one name for them, the family with a star. */
typedef struct lc_gap {
    const char *missing; /* the input, or "this version" */
    lc_str reason;       /* in words, for people */
    bool by_version;     /* this version does not judge these rules */
    lc_str names[LC_RULE_COUNT];
    size_t name_count;
    size_t rule_count;
} lc_gap;
/* The rules that lack an input, collected in one pass for all inputs. */
typedef struct lc_gaps {
    const lc_judgement *judgement;
    uint64_t needs; /* bits of the inputs that some rule does not have, LC_NEED_COUNT's for this
                       version */
    uint16_t rules[LC_RULE_COUNT]; /* rules that lack an input, sorted by the input, then by rule */
    uint16_t families[LC_RULE_COUNT];
    uint16_t from[LC_NEED_COUNT + 2]; /* where those of each input begin */
    size_t family_count;
    struct {
        lc_str name;
        unsigned lacks; /* the input that every rule of it does not have */
    } family[LC_RULE_COUNT];
} lc_gaps;
void lc_gaps_init(lc_gaps *out, const lc_judgement *judgement);
/* Why a rule was not checked, in words for people. They are in `arena` or static. */
lc_str lc_not_checked_reason(lc_arena *arena, lc_need need);
/* The gap of `need`, LC_NEED_COUNT for this version's; false if no gap exists. Names are in
 * `arena`. */
bool lc_gap_of(lc_gap *out, lc_arena *arena, const lc_gaps *gaps, lc_need need);

typedef struct lc_rule_counts {
    unsigned checked, not_applicable, not_checked;
} lc_rule_counts;
lc_rule_counts lc_count_rules(const lc_judgement *judgement);

/* The sums in short words, for a row of badges; sums of 0 are left out. */
typedef struct lc_tally {
    const char *mark; /* error, warning, good or none */
    const char *name;
    uint64_t count;
} lc_tally;
#define LC_TALLIES 12
size_t lc_tallies(lc_tally out[LC_TALLIES], const lc_summary *summary);

/* Does the case have an error that is suppressed by the baseline? */
bool lc_has_known(const lc_judged *judged);
/* Does the text report show this finding? */
bool lc_is_open(const lc_judged *judged, size_t finding);
/* Is there more to report of the case than that it passes? */
bool lc_has_changes(const lc_judged *judged);

/* ---- Findings of one cause (joins.c). */

#define LC_NO_FINDING SIZE_MAX

/* Does the finding have the values and the reason of the one that it follows from? */
bool lc_is_of_same_cause(const lc_judged *judged, size_t finding);
typedef struct lc_join_of {
    size_t lead; /* the finding in whose line this one is reported: often itself */
    size_t next; /* the next finding in the line of `lead`, LC_NO_FINDING: none */
} lc_join_of;
/* One for each finding of the case, in `arena`. `shown` has a flag for each; what is not shown is
 * in no other line, and nothing is in its line. Findings of different severities are not joined. */
lc_join_of *lc_joins_of(lc_arena *arena, const lc_judged *judged, const bool *shown);

/* What was predicted or resolved, as a table. */
typedef struct lc_case_row {
    lc_str cells[4]; /* the last one may have several lines */
    unsigned weight; /* rows are sorted by it, then by number */
    size_t number;
} lc_case_row;
typedef struct lc_case_table {
    const char *title;
    const char *const *heads;
    size_t columns;
    LC_VEC(lc_case_row) rows;
    LC_VEC(lc_str) notes;     /* lines below the table */
    LC_VEC(lc_str) unchanged; /* objects that are not in the table */
    lc_str lead;              /* one line above it, or empty */
} lc_case_table;
/* False: the case has none. */
bool lc_case_table_of(lc_case_table *out, lc_arena *arena, const lc_judged *judged);
/* The result of the run as a title: "all requirements are met", or the result of a prediction. */
void lc_summary_add_title(lc_buf *out, const lc_summary *summary);
/* How many findings, of the worst severity, in how many resources or cases that violate a rule:
 * "2 violations in 1 resource". */
void lc_summary_add_violations(lc_buf *out, const lc_summary *summary);
/* Adds what `prediction` counts, the JSON object of a judgement; nothing if it is empty. */
void lc_predicted_add(lc_predicted *sum, lc_str prediction);
void lc_predicted_sum(lc_predicted *sum, const lc_predicted *more);
/* "1 to replace, 2 unchanged"; `sum` has a case. */
void lc_predicted_add_words(lc_buf *out, const lc_predicted *sum);

/* Why a requirement was violated, and what to change: from the diagnosis, otherwise from the
 * rule. */
typedef struct lc_fix {
    lc_str framework, sdkv2;
} lc_fix;
/* Adds the cause of a finding: the instance with the first violation. */
void lc_cause_add_text(lc_buf *out, const lc_cause *origin);
lc_str lc_finding_why(const lc_finding *finding);
lc_fix lc_finding_fix(const lc_finding *finding);

/* ---- The legacy lens. */

/* Findings of one type and rule that legacy_type_system tolerates. */
typedef struct lc_lens_sum {
    lc_str line; /* type, tab, rule */
    lc_str type, rule;
    size_t count;
} lc_lens_sum;
typedef struct lc_lens {
    lc_lens_sum *sums; /* by type and rule */
    size_t count;
} lc_lens;
void lc_json_lens(lc_doc *parent, lc_str pieces);

/* ---- Formats: each is one of these. */

typedef struct lc_writer {
    void (*begin)(lc_buf *out, const lc_report_options *options);
    void (*add_case)(lc_buf *piece, const lc_report_options *options, const lc_judged *judged);
    void (*add_diag)(lc_buf *piece, const lc_report_options *options, const lc_diag *diag);
    /* Takes the pieces of one file: writes them to `out`, or keeps them in the report. */
    void (*take)(lc_report *report, lc_str cases, lc_str errors, lc_buf *out);
    void (*end)(lc_report *report, const lc_summary *summary, lc_buf *out);
} lc_writer;
extern const lc_writer lc_writer_text, lc_writer_json, lc_writer_jsonl, lc_writer_sarif,
    lc_writer_junit, lc_writer_tap, lc_writer_github, lc_writer_markdown, lc_writer_concise,
    lc_writer_html;

/* Writes errors, then cases, without a change. */
void lc_take_at_once(lc_report *report, lc_str cases, lc_str errors, lc_buf *out);
/* Writes cases at once and keeps errors; both are lists whose items are joined by commas. */
void lc_take_list(lc_report *report, lc_str cases, lc_str errors, lc_buf *out);
/* Adds a comma, unless the item is the first of its list. */
void lc_join(lc_buf *out);
/* Keeps cases in report->body and errors in report->errors. */
void lc_take_later(lc_report *report, lc_str cases, lc_str errors, lc_buf *out);

/* A part of a piece, with its kind. Parts are written one after the other into a buffer, and
 * sorted by kind at the end. */
typedef struct lc_part {
    unsigned kind;
    uint64_t numbers[4];
    lc_str text;
} lc_part;
void lc_part_add(lc_buf *out, const lc_part *part);
/* Takes the first part of `rest`, which advances; the string is borrowed from it. False: `rest` is
 * empty. */
bool lc_part_next(lc_part *out, lc_str *rest);

/* ---- Strings inside other formats. */

/* For XML and HTML, in text and attributes alike: a character that they do not allow is
 * replaced. */
void lc_markup_add(lc_buf *out, lc_str text);
/* For Markdown: a code span, whose bars are escaped in a table; plain text. */
void lc_markdown_code(lc_buf *out, lc_str text, bool table);
void lc_markdown_words(lc_buf *out, lc_str text);
/* The lines of a cell of a table, in HTML and Markdown; `add_words` adds one of them. */
void lc_add_cell_lines(lc_buf *out, lc_str text, void (*add_words)(lc_buf *out, lc_str words));
/* A value as it is shown, controls replaced; what is unknown is spelled as in scenarios. */
void lc_add_shown(lc_buf *out, lc_str json);
/* A finding for a proportional font: why in the first line, with its place in parentheses, then
 * values and fix, a line each, without a line break at the end. */
void lc_plain_finding(lc_buf *out, const lc_judged *judged, size_t finding);
/* `.policy in ApplyResourceChange` */
void lc_plain_where(lc_buf *out, const lc_judged *judged, size_t finding);
/* A file of an input, from the folder where other tools expect it; see lc_report_options. */
void lc_add_file(lc_buf *out, const lc_report_options *options, lc_str file);
/* `FILE#CASE`, controls replaced. */
void lc_add_case_name(lc_buf *out, const lc_case *subject);

/* ---- A case as tests, for formats that have only tests.
 *
 * A case with an expectation is one test.
 * Without one each rule that could be checked is a test, so that a test keeps its name when the
 * rule is violated; a rule that could not be checked is skipped. */

typedef enum lc_test_state {
    LC_TEST_PASSED,
    LC_TEST_FAILED,
    LC_TEST_SKIPPED,
    LC_TEST_TODO, /* fails, and is known to */
} lc_test_state;
typedef struct lc_test {
    lc_test_state state;
    lc_str name;
    lc_str reason;   /* one line; empty when passed */
    unsigned rule;   /* whose findings belong to it, or one of the two below */
    size_t reported; /* how many findings are reported */
    bool lacks;      /* skipped because an input is missing */
} lc_test;
#define LC_TEST_WHOLE LC_RULE_COUNT       /* those of the whole case */
#define LC_TEST_PLAIN (LC_RULE_COUNT + 1) /* no rules: the reason is complete */
typedef struct lc_tests {
    lc_test *items;
    size_t count, capacity;
    lc_test_state state; /* of the case as one test */
    lc_str reason;
} lc_tests;
lc_tests lc_tests_of(lc_arena *arena, const lc_report_options *options, const lc_judged *judged);
/* Is the finding reported with the test? */
bool lc_test_has(const lc_test *test, const lc_judged *judged, size_t finding);
/* Adds its findings as text; for the test of the whole case, all that the text report has. */
void lc_test_add_text(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                      const lc_test *test);

void lc_text_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
/* Adds the new findings of a case that is not complete yet. */
void lc_text_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
void lc_json_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
/* Adds a line with the settings that restrict the output; nothing without such settings. */
void lc_text_narrowed(lc_buf *out, const char *before, const lc_policy *policy);
/* Adds the last lines: the legacy lens, what was not checked, and the sums. `titled`: the report
 * has a title, which says how many violations there are. */
void lc_text_end(lc_buf *out, const lc_report_options *options, const lc_summary *summary,
                 lc_str lens, bool titled);

/* ---- The values of a finding. */

/* The field of the run for a column of a finding about call `ref`; NULL: no such field. */
const lc_field *lc_column_field(const lc_run *run, lc_call_ref ref, lc_column column);
/* Its place in the input; line 0: not known. */
lc_loc lc_column_place(const lc_judged *judged, const lc_finding *finding, lc_column column);

/* ---- Evidence. */

/* The part of a long value that is shown: it begins shortly before the first difference between the
 * expected and the actual value. */
typedef struct lc_excerpt {
    lc_str text;
    bool front, back; /* text was left out on this side */
} lc_excerpt;
/* `values` are the finding's or those of a leaf; `most` code points, 0: all. */
lc_excerpt lc_excerpt_of(const lc_finding *finding, const lc_redacted_text *values,
                         lc_column column, size_t most);
/* True for the expected and the actual value, and for any column whose value differs from those and
 * from all columns before it. */
bool lc_column_is_informative(const lc_finding *finding, const lc_redacted_text *values,
                              lc_column column);
/* "expected", "actual" or "". */
const char *lc_column_mark(const lc_finding *finding, lc_column column);
/* Path and pointer; the pointer alone if the path is that of the finding. */
void lc_leaf_add_name(lc_buf *out, const lc_finding *finding, const lc_evidence_row *row);

/* ---- Parts of the text report. */

/* Where and how a finding is shown. `judged` is NULL where there is no case. */
typedef struct lc_text {
    lc_buf *out;
    const lc_report_options *options;
    const lc_judged *judged;
} lc_text;
/* Does the finding repeat one that was reported for this input? Then it is only counted.
 * (text_repeats.c) */
bool lc_repeats_take(const lc_text *text, size_t finding);
/* `explained`: the reason and the fix are shown above, at findings of the same rule. */
void lc_text_finding(const lc_text *text, size_t finding, unsigned indent, bool explained);
/* Which leg of a replace it is, and in which calls it was seen again. */
void lc_text_add_call_words(lc_buf *out, const lc_finding *finding);

/* What colours mean; nothing is written unless the report has colours. */
typedef enum lc_paint {
    LC_PAINT_NONE,   /* back to plain text */
    LC_PAINT_STRONG, /* what is read first: the headline, why */
    LC_PAINT_FRAME,  /* bars and arrows */
    LC_PAINT_GOOD,   /* required; a run in which nothing fails */
    LC_PAINT_BAD,    /* violated; errors */
    LC_PAINT_FIX,    /* what to do; infos */
    LC_PAINT_WARN,
} lc_paint;
void lc_text_paint(const lc_text *text, lc_paint paint);
/* `severity[of]: words`, folded. */
void lc_text_headline(const lc_text *text, lc_severity severity, lc_str of, lc_str words,
                      unsigned indent);
/* `--> FILE:LINE:COLUMN   more` */
void lc_text_arrow(const lc_text *text, lc_loc loc, lc_str more, unsigned indent, unsigned digits);
/* The lines of a diagnostic, with a caret at its column. */
void lc_text_quote(const lc_text *text, lc_quoted quote, uint32_t line, unsigned digits);
/* The columns that numbers of lines take, for lines up to this one. */
unsigned lc_text_digits(uint32_t line);
/* Words folded at the width: the first line begins at `column`, the others at `below`. */
void lc_text_add_folded(const lc_text *text, lc_str words, size_t column, size_t below);
/* Is the finding shown, with -q and -v? */
bool lc_text_shows(const lc_report_options *options, const lc_judged *judged, size_t finding);

/* The legacy lens; `all`: also cases with an expectation. */
void lc_text_lens(const lc_text *text, lc_str pieces, bool all);
/* Adds what was not checked, with all names. */
void lc_text_gaps(const lc_text *text, const lc_judgement *judgement);

/* ---- What is wrong, and values, in the terms of people (headline.c). */

/* `PATH: what is wrong`, one line. */
void lc_headline_add(lc_buf *out, const lc_finding *finding);
/* A copy with values in the spelling of scenarios, with !unknown for unknowns, in `arena`. */
const lc_finding *lc_finding_as_text(lc_arena *arena, const lc_finding *finding);
/* The first `rows` leaves of the finding's evidence as a table. */
void lc_text_leaves(const lc_text *text, const lc_finding *finding, unsigned indent, size_t rows);
/* "violates", "meets its expectation", ... */
const char *lc_verdict_words(const lc_judged *judged);
/* "document", "opentofu" or "terraform". */
/* Text from an input on one line: control characters become question marks. */
void lc_text_words(lc_buf *out, lc_str words);
void lc_text_location(const lc_text *text, lc_loc loc);
void lc_text_severity(const lc_text *text, lc_severity severity);
/* The severity under which a diagnostic about an input is shown; a note is information. */
lc_severity lc_diag_level(const lc_diag *diag);
/* The severity a finding is shown with. */
lc_severity lc_shown_severity(const lc_judged *judged, size_t finding);

#endif

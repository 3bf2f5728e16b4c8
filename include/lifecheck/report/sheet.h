/* A sheet: a report made of titles and tables, as Markdown and as a page in HTML. Module report. */
#ifndef LIFECHECK_REPORT_SHEET_H
#define LIFECHECK_REPORT_SHEET_H

#include "lifecheck/report/report.h"

#define LC_SHEET_COLUMNS 6

/* One row of a table; cells beyond the columns of its part are not read. */
typedef struct lc_sheet_row {
    lc_str cells[LC_SHEET_COLUMNS];
    lc_severity severity; /* a word before the first cell; LC_HIDDEN: none */
} lc_sheet_row;

/* A title with a table, lines of text, or both. */
typedef struct lc_sheet_part {
    const char *title;
    const char *heads[LC_SHEET_COLUMNS];
    size_t columns;
    unsigned codes;     /* bits of the columns that hold names of programs and files */
    bool folded;        /* shown on demand */
    const char *clause; /* a sentence below the title; NULL: none */
    LC_VEC(lc_sheet_row) rows;
    LC_VEC(lc_str) lines; /* below the table */
} lc_sheet_part;

/* Strings are borrowed until the sheet was written; control characters in them are replaced. */
typedef struct lc_sheet {
    lc_str title;
    const char *mark; /* of the title: good, error or warning */
    LC_VEC(lc_str) notes;
    LC_VEC(lc_sheet_part) parts; /* those without rows and lines are left out */
} lc_sheet;

/* `limit` in bytes; what does not fit is left out, and counted. 0: no limit. */
void lc_sheet_markdown(lc_buf *out, const lc_sheet *sheet, size_t limit);
/* `rules_url` as in lc_report_options: cells of a column called `rule` are links. */
void lc_sheet_html(lc_buf *out, const lc_sheet *sheet, lc_str rules_url);

#endif

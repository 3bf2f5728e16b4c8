/* Lines of the input that a report shows. Private to the module report. */
#ifndef LC_REPORT_QUOTE_H
#define LC_REPORT_QUOTE_H

#include "report/internal.h"

/* A line of a record, which has no other part of the text. */
typedef struct lc_quoted_line {
    uint32_t number;
    lc_str text;
} lc_quoted_line;
/* For a quotable without a string. */
void lc_quotable_add_line(lc_quotable *quotable, lc_quoted_line line);
bool lc_quotable_has_secrets(const lc_quotable *quotable);

/* A value in its line; strings are borrowed from the input. */
typedef struct lc_quote {
    uint32_t number; /* of the line */
    lc_str line;
    size_t from, to;  /* the value in it, as byte offsets */
    lc_column column; /* whose value it is; LC_COLUMN_NONE: the finding's place */
    bool says;        /* the whole value is to be seen */
    lc_str source;    /* the line as the input has it, and what may be shown of it */
    size_t shown_from, shown_to;
} lc_quote;
#define LC_QUOTES 2
/* The places of the expected and the actual value, in the order of lines; else the finding's place.
 * Returns how many. */
size_t lc_quotes_of(lc_quote out[LC_QUOTES], const lc_judged *judged, const lc_finding *finding);

/* All lines that are shown of the case, each once, in `arena`; returns how many. */
size_t lc_quoted_lines(const lc_quoted_line **out, lc_arena *arena, const lc_judged *judged);

#endif

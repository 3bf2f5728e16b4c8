/* Inside the HTML report. */
#ifndef LC_REPORT_HTML_INTERNAL_H
#define LC_REPORT_HTML_INTERNAL_H

#include "report/internal.h"

/* The style sheet, for light and dark. */
void lc_html_add_style(lc_buf *out);
/* Everything before the first title; `title` is escaped already. (html.c) */
void lc_html_begin(lc_buf *out, lc_str title);
void lc_html_end(lc_buf *out);
/* `how` it was judged ("as OpenTofu does, "), and by which versions. */
void lc_html_add_versions(lc_buf *out, const char *how);

/* A string of ours or of an input, and a row of a list of terms; without a string there is no row.
 */
void lc_html_words(lc_buf *out, lc_str text);
/* Sentences: what stands between backquotes is code. */
void lc_html_prose(lc_buf *out, lc_str text);
void lc_html_term(lc_buf *out, const char *term, lc_str text);

/* A table of a class that the style sheet has, in a frame that scrolls, also by the keyboard;
 * `label` names the frame, and its first line is the head. lc_html_end_table ends the body. */
void lc_html_begin_table(lc_buf *out, const char *class, const char *label);
void lc_html_end_table(lc_buf *out);

/* A shown value: markers as words, the rest as JSON, cut at `most` code points (0: not at all). */
void lc_html_value(lc_buf *out, lc_str json, size_t most);

/* The content of the case, without the frame that gives it its number. Links in it begin with
 * LC_HTML_MARK, which is replaced by the number. */
void lc_html_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged);
#define LC_HTML_MARK          '\001'
#define LC_HTML_MOST_FINDINGS 200 /* of one case, without -v */
/* Adds which recording a case of `file` is of, for the head of the page. */
void lc_html_origin(lc_buf *out, lc_str file, lc_str words);

/* The values of one run side by side, path by path. */
void lc_html_tree(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                  size_t run);

#endif

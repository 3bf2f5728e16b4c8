/* A writer of JSON text. Commas, quotes, escapes and line breaks are its business alone. Module
 * base.
 *
 * It writes into a buffer at once and remembers no more than where it is, so nesting has no bound
 * and what is written may be taken out of the buffer between any two calls. The caller ends what it
 * begins. Documents that are easier put together as a tree are in document.h.
 *
 * Members have a `key`; elements of arrays, the outermost value and what follows lc_json_key have
 * NULL there. Strings and keys may be any bytes: what is not UTF-8 becomes U+FFFD. */
#ifndef LIFECHECK_JSON_H
#define LIFECHECK_JSON_H

#include "lifecheck/buf.h"

/* Begin with the buffer alone for text without blanks, else with its layout as well:
 * `lc_json w = {.out = &buf, .spaced = true, .indent = 2};`. Both may change between values. */
typedef struct lc_json {
    lc_buf *out; /* borrowed */
    bool html;   /* strings as Go escapes them, see lc_buf_add_json */
    bool spaced; /* a blank behind each comma and colon */
    unsigned
        indent; /* every value begins a line, this far in for each container around it; 0: none */
    /* Where the writer is. */
    size_t depth;
    bool more;   /* a value stands before this place, in the same container */
    bool keyed;  /* the key of the next value is written */
    bool breaks; /* what comes next begins a line, at this column */
    size_t column;
} lc_json;

/* Begin and end a container. */
void lc_json_object(lc_json *w, const char *key);
void lc_json_end_object(lc_json *w);
void lc_json_array(lc_json *w, const char *key);
void lc_json_end_array(lc_json *w);

/* The key of the next value, where it is no name that is known beforehand. */
void lc_json_key(lc_json *w, lc_str key);
void lc_json_raw_key(lc_json *w, lc_str json); /* as the text of a JSON string, with its quotes */

void lc_json_str(lc_json *w, const char *key, lc_str text);
void lc_json_c(lc_json *w, const char *key, const char *text);
void lc_json_uint(lc_json *w, const char *key, uint64_t n);
void lc_json_int(lc_json *w, const char *key, int64_t n);
void lc_json_bool(lc_json *w, const char *key, bool b);
void lc_json_null(lc_json *w, const char *key);
/* `json` is the text of one JSON value, and stays as it is: an exact number, what was written
 * before. */
void lc_json_raw(lc_json *w, const char *key, lc_str json);
/* The buffer, with everything before a value in it: the caller adds the text of just that value. */
lc_buf *lc_json_value(lc_json *w, const char *key);

/* The next value, or end of a container, begins a line at this column, counted from 0. */
void lc_json_break(lc_json *w, size_t column);

/* The JSON value `json`, which has no blanks, in the layout of this writer. With `columns`, a
 * container without others in it stays on its line if it fits into so many, and else an array of
 * strings has as many in a line as do. */
void lc_json_lay_out(lc_json *w, lc_str json, size_t columns);

#endif

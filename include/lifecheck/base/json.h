/* A writer of JSON text, which takes care of commas, quotes, escapes and line breaks. Module base.
 *
 * It writes into a buffer immediately and keeps only its position, so nesting is unbounded, and
 * text may be taken out of the buffer between two calls. The caller must end each container that it
 * begins. For documents that are built out of order see document.h.
 *
 * A member has a `key`. In arrays, for the outermost value and after lc_json_key, `key` is NULL.
 * Strings and keys may contain any bytes: invalid UTF-8 becomes U+FFFD. */
#ifndef LIFECHECK_BASE_JSON_H
#define LIFECHECK_BASE_JSON_H

#include "lifecheck/base/buf.h"

/* Initialise with the buffer for compact text, or with a layout too: `lc_json w = {.out = &buf,
 * .spaced = true, .indent = 2};`. Buffer and layout may change between values. */
typedef struct lc_json {
    lc_buf *out;     /* borrowed */
    bool html;       /* escape strings as Go does, see lc_buf_add_json */
    bool spaced;     /* a space after each comma and colon */
    unsigned indent; /* spaces per level, with each value on a separate line; 0: no line breaks */
    /* The position of the writer; zero at the beginning. */
    size_t depth;
    bool more;   /* the container has a value already */
    bool keyed;  /* the key of the next value has been written */
    bool breaks; /* the next value begins a line, at this column */
    size_t column;
} lc_json;

/* Begin and end an object or array. */
void lc_json_object(lc_json *w, const char *key);
void lc_json_end_object(lc_json *w);
void lc_json_array(lc_json *w, const char *key);
void lc_json_end_array(lc_json *w);

/* Writes the key of the next value, for keys that are not C strings. */
void lc_json_key(lc_json *w, lc_str key);
void lc_json_raw_key(lc_json *w, lc_str json); /* `json` is a JSON string with its quotes */

/* Write one value; strings are copied. */
void lc_json_str(lc_json *w, const char *key, lc_str text);
void lc_json_c(lc_json *w, const char *key, const char *text);
void lc_json_uint(lc_json *w, const char *key, uint64_t n);
void lc_json_int(lc_json *w, const char *key, int64_t n);
void lc_json_bool(lc_json *w, const char *key, bool b);
void lc_json_null(lc_json *w, const char *key);
/* Writes `json`, the text of one JSON value, unchanged: an exact number, or text that was written
 * before. */
void lc_json_raw(lc_json *w, const char *key, lc_str json);
/* Writes everything that precedes a value and returns the buffer, to which the caller appends the
 * text of exactly one value. */
lc_buf *lc_json_value(lc_json *w, const char *key);

/* The next value, or the end of the container, begins a line at this column, counted from 0. */
void lc_json_break(lc_json *w, size_t column);

/* Writes the JSON value `json`, which has no white space, in the layout of this writer. If
 * `columns` is not 0, a container without inner containers stays on one line if it fits into that
 * many columns; otherwise an array of strings has as many per line as fit. */
void lc_json_lay_out(lc_json *w, lc_str json, size_t columns);

#endif

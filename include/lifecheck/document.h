/* JSON documents that are put together out of order and held whole, as the records of reports are:
 * a thin layer over cJSON. What is written in order goes through json.h. Module source.
 *
 * A part belongs to the document it was added to; lc_doc_print ends the life of the whole. Keys are
 * borrowed until then, everything else is copied. In an array the key is NULL. Any bytes make valid
 * JSON: what is not UTF-8 becomes U+FFFD. */
#ifndef LIFECHECK_DOCUMENT_H
#define LIFECHECK_DOCUMENT_H

#include "lifecheck/buf.h"

typedef struct lc_doc lc_doc;

/* Let the library below use the checked allocator. Call once, first. */
void lc_doc_install(void);

lc_doc *lc_doc_object(void);
lc_doc *lc_doc_array(void);
lc_doc *lc_doc_add_object(lc_doc *parent, const char *key);
lc_doc *lc_doc_add_array(lc_doc *parent, const char *key);
void lc_doc_add_str(lc_doc *parent, const char *key, lc_str text);
void lc_doc_add_c(lc_doc *parent, const char *key, const char *text); /* NULL: null */
void lc_doc_add_strs(lc_doc *parent, const char *key, const lc_str *texts, size_t count);
void lc_doc_add_uint(lc_doc *parent, const char *key, uint64_t n);
void lc_doc_add_bool(lc_doc *parent, const char *key, bool b);
void lc_doc_add_null(lc_doc *parent, const char *key);
/* `json` is the text of one JSON value, without line breaks. */
void lc_doc_add_raw(lc_doc *parent, const char *key, lc_str json);

/* Append the document to `out` on one line, without a line break, and free it. */
void lc_doc_print(lc_buf *out, lc_doc *doc);

#endif

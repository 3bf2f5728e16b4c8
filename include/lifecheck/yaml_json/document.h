/* JSON documents that are built out of order and kept in memory, such as the records of reports: a
 * thin layer over cJSON. Text that is written in order goes through json.h. Module yaml_json.
 *
 * A part belongs to the document that it was added to; lc_doc_print frees the whole. Keys are
 * borrowed until then, everything else is copied. In arrays the key is NULL. Any bytes give valid
 * JSON: invalid UTF-8 becomes U+FFFD. No function fails. */
#ifndef LIFECHECK_YAML_JSON_DOCUMENT_H
#define LIFECHECK_YAML_JSON_DOCUMENT_H

#include "lifecheck/base/buf.h"

typedef struct lc_doc lc_doc;

/* Makes cJSON use the checked allocator. Call once, before anything else. */
void lc_doc_install(void);

/* A new document: an object or an array. The caller prints, and thereby frees it. */
lc_doc *lc_doc_object(void);
lc_doc *lc_doc_array(void);
/* Add a container and return it, to be filled in. */
lc_doc *lc_doc_add_object(lc_doc *parent, const char *key);
lc_doc *lc_doc_add_array(lc_doc *parent, const char *key);
/* Add one value, or an array of strings. */
void lc_doc_add_str(lc_doc *parent, const char *key, lc_str text);
void lc_doc_add_c(lc_doc *parent, const char *key, const char *text); /* NULL becomes null */
void lc_doc_add_strs(lc_doc *parent, const char *key, const lc_str *texts, size_t count);
void lc_doc_add_uint(lc_doc *parent, const char *key, uint64_t n);
void lc_doc_add_bool(lc_doc *parent, const char *key, bool b);
void lc_doc_add_null(lc_doc *parent, const char *key);
/* Adds `json`, the text of one JSON value without line breaks, unchanged. */
void lc_doc_add_raw(lc_doc *parent, const char *key, lc_str json);

/* Appends the document to `out` on one line, without a line break at the end, and frees it. */
void lc_doc_print(lc_buf *out, lc_doc *doc);

#endif

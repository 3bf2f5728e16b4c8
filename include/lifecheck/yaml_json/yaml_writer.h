/* YAML for people to read and change: lines with remarks, and lines that are disabled. Module
 * source.
 *
 * A disabled line has a `#` without a space after it, in the column where the disabled part begins.
 * Removing these `#` gives valid YAML with the right indentation. Remarks have a space after the
 * `#`. */
#ifndef LIFECHECK_YAML_JSON_YAML_WRITER_H
#define LIFECHECK_YAML_JSON_YAML_WRITER_H

#include "lifecheck/base/buf.h"

/* The state of the writer; the caller changes indent, off and aside between lines. `out` is
 * borrowed. */
typedef struct lc_yaml_writer {
    lc_buf *out;
    unsigned indent;  /* of the next line, in columns */
    unsigned off;     /* column of the `#` plus one; 0: lines are enabled */
    bool aside;       /* write `# `: the lines are not valid when enabled alone */
    unsigned bullets; /* number of `- ` at the beginning of the next line */
} lc_yaml_writer;

/* Writes a remark on lines of its own, folded at 100 columns; at most 2,000 bytes. */
void lc_yaml_write_note(lc_yaml_writer *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lc_yaml_write_gap(lc_yaml_writer *o);

/* Begin and end a line; in between the caller appends to `out`. */
void lc_yaml_write_begin(lc_yaml_writer *o);
void lc_yaml_write_key(lc_yaml_writer *o, lc_str key); /* begin a line with `key:` */
void lc_yaml_write_end(lc_yaml_writer *o, lc_str note);

/* Appends text, in quotes unless every YAML reader takes it for the same text without them. */
void lc_yaml_write_add_text(lc_buf *out, lc_str text);

/* The next lines are one level deeper, and the first begins with a bullet. */
void lc_yaml_write_item(lc_yaml_writer *o);

#endif

/* YAML for people to read and change: lines with remarks, and lines that are switched off. Module
 * source.
 *
 * A line that is switched off has a `#` without a space after it, in the column where the part that
 * is switched off begins: who takes these away has YAML again, rightly indented. Remarks of their
 * own have a space after the `#`. */
#ifndef LIFECHECK_YAML_WRITER_H
#define LIFECHECK_YAML_WRITER_H

#include "lifecheck/buf.h"

typedef struct lc_yaml_writer {
    lc_buf *out;
    unsigned indent;  /* of the next line, in columns */
    unsigned off;     /* column of the `#` plus one; 0: not switched off */
    bool aside;       /* `# ` instead of `#`: it cannot be switched on alone */
    unsigned bullets; /* `- ` that the next line begins with */
} lc_yaml_writer;

/* A remark on lines of its own, folded at 100 columns. */
void lc_yaml_write_note(lc_yaml_writer *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lc_yaml_write_gap(lc_yaml_writer *o);

/* A line is begun, continued and ended. */
void lc_yaml_write_begin(lc_yaml_writer *o);
void lc_yaml_write_key(lc_yaml_writer *o, lc_str key); /* begins a line with `key:` */
void lc_yaml_write_end(lc_yaml_writer *o, lc_str note);

/* Text in quotes, unless it reads the same without them whatever is expected there. */
void lc_yaml_write_add_text(lc_buf *out, lc_str text);

/* What follows are items: until up, the next line is in one more level. */
void lc_yaml_write_item(lc_yaml_writer *o);

#endif

/* YAML for people to read and change: lines with remarks, and lines that are switched off. Module
 * source.
 *
 * A line that is switched off has a `#` without a space after it, in the column where the part that
 * is switched off begins: who takes these away has YAML again, rightly indented. Remarks of their
 * own have a space after the `#`. */
#ifndef LIFECHECK_OUTLINE_H
#define LIFECHECK_OUTLINE_H

#include "lifecheck/buf.h"

typedef struct lc_outline {
    lc_buf *out;
    unsigned indent;  /* of the next line, in columns */
    unsigned off;     /* column of the `#` plus one; 0: not switched off */
    bool aside;       /* `# ` instead of `#`: it cannot be switched on alone */
    unsigned bullets; /* `- ` that the next line begins with */
} lc_outline;

/* A remark on lines of its own, folded at 100 columns. */
void lc_outline_note(lc_outline *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lc_outline_gap(lc_outline *o);

/* A line is begun, continued and ended. */
void lc_outline_begin(lc_outline *o);
void lc_outline_key(lc_outline *o, lc_str key); /* begins a line with `key:` */
void lc_outline_end(lc_outline *o, lc_str note);

/* Text in quotes, unless it reads the same without them whatever is expected there. */
void lc_outline_add_text(lc_buf *out, lc_str text);

/* What follows are items: until up, the next line is in one more level. */
void lc_outline_item(lc_outline *o);

#endif

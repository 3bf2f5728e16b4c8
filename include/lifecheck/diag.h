/* Places in inputs, and what is wrong with inputs. Module base.
 *
 * A diagnostic says that *our input* is bad; that a provider broke a promise is a finding. A
 * diagnostic quotes names and types, never scalars: they may be secrets. */
#ifndef LIFECHECK_DIAG_H
#define LIFECHECK_DIAG_H

#include "lifecheck/str.h"

/* Line and column count from 1, columns in code points; 0 means not known. */
typedef struct lc_loc {
    lc_str file;
    uint32_t line;
    uint32_t column;
} lc_loc;

typedef enum lc_diag_severity { LC_DIAG_ERROR, LC_DIAG_WARNING } lc_diag_severity;

typedef struct lc_diag {
    lc_diag_severity severity;
    lc_loc loc;
    lc_str message; /* one line, no trailing period */
} lc_diag;

typedef struct lc_diags {
    lc_arena *arena;
    lc_diag *items;
    size_t count;
    size_t capacity;
    size_t errors;  /* includes those dropped */
    size_t dropped; /* beyond LC_MAX_DIAGS */
} lc_diags;

/* Texts and items live in `arena`. */
void lc_diags_init(lc_diags *diags, lc_arena *arena);
/* Add one; the message is made at once. Beyond LC_MAX_DIAGS it is counted and dropped. */
void lc_diag_error(lc_diags *diags, lc_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lc_diag_warning(lc_diags *diags, lc_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Is the next one told? What would only be said in it need not be looked for. */
bool lc_diags_has_room(const lc_diags *diags);
/* Line and column of a byte offset in `text`; takes as long as the text before it is. */
lc_loc lc_loc_at(lc_str file, lc_str text, size_t offset);

#endif

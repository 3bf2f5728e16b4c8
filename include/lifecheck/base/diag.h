/* Locations in inputs, and diagnostics about inputs. Module base.
 *
 * A diagnostic reports that *our input* is bad; that a provider violates a requirement is a
 * finding. A diagnostic quotes names and types, but never scalars, which may be secrets. */
#ifndef LIFECHECK_BASE_DIAG_H
#define LIFECHECK_BASE_DIAG_H

#include "lifecheck/base/str.h"

/* A location. Lines and columns count from 1, columns in code points; 0 means not known. The file
 * name is borrowed. */
typedef struct lc_loc {
    lc_str file;
    uint32_t line;
    uint32_t column;
} lc_loc;

/* A note says what was not looked at; nothing is wrong with the input. */
typedef enum lc_diag_severity { LC_DIAG_ERROR, LC_DIAG_WARNING, LC_DIAG_NOTE } lc_diag_severity;
/* "error", "warning", "note" */
const char *lc_diag_severity_name(lc_diag_severity severity);

/* What reports may show of the input: the line of a location, perhaps with the one before it.
 * `column` is that of the location, which differs where parts of the line were left out; 0: not
 * known. An empty text: nothing. */
typedef struct lc_quoted {
    lc_str text;
    uint32_t column;
} lc_quoted;

/* A message about an input. */
typedef struct lc_diag {
    lc_diag_severity severity;
    lc_loc loc;
    lc_str message; /* one line, no trailing period */
    lc_quoted quote;
} lc_diag;

/* The diagnostics of one input; initialise with lc_diags_init. */
typedef struct lc_diags {
    lc_arena *arena;
    lc_diag *items;
    size_t count;
    size_t capacity;
    size_t errors;  /* errors reported, including dropped ones */
    size_t dropped; /* diagnostics beyond LC_MAX_DIAGS */
} lc_diags;

/* An empty list, whose strings and items will live in `arena`. */
void lc_diags_init(lc_diags *diags, lc_arena *arena);
/* Adds a diagnostic; the message is formatted at once. Beyond LC_MAX_DIAGS it is only counted. */
void lc_diag_error(lc_diags *diags, lc_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lc_diag_warning(lc_diags *diags, lc_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lc_diag_note(lc_diags *diags, lc_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Quotes the input in the diagnostic that was added last, unless that was only counted. */
void lc_diag_quote(lc_diags *diags, lc_quoted quote);
/* Would the next diagnostic be kept? If not, a caller may skip expensive work for its message. */
bool lc_diags_has_room(const lc_diags *diags);
/* `FILE:LINE:COLUMN: message`, or `FILE: message` where no line is known; in `arena`. */
lc_str lc_diag_line(lc_arena *arena, const lc_diag *diag);
/* Line and column of a byte offset in `text`, in time linear in the offset; for many offsets see
 * text_places.h. */
lc_loc lc_loc_at(lc_str file, lc_str text, size_t offset);

#endif

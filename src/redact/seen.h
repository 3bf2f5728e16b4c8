/* When strings of a stream appeared first. A secret may become known after a string that contains
 * it was written: from then on the text has to stay as it is, because rules compare it with its
 * copies in later calls. So a search in a string uses the secrets that were known when the text, or
 * one that rules may call equal to it, was seen first. */
#ifndef LC_REDACT_SEEN_H
#define LC_REDACT_SEEN_H

#include "lifecheck/base/table.h"

typedef struct lc_seen {
    lc_arena *arena;
    lc_table first; /* form of a string -> what was `now` */
} lc_seen;

/* Strings that differ only in letter case, white space, a slash or dot at the end, or in the order
 * of what JSON or a list contains have the same form. Other strings have one only by rare chance.
 */
typedef struct lc_form {
    char bytes[8];
} lc_form;

void lc_seen_init(lc_seen *out, lc_arena *arena);
lc_form lc_form_of(lc_str text);
static inline lc_str lc_form_key(const lc_form *form)
{
    return (lc_str){form->bytes, sizeof form->bytes};
}
/* The `now` of the first call with this form. Limited in memory: when it is full, new forms get
 * the present `now` each time. */
size_t lc_seen_first(lc_seen *seen, const lc_form *form, size_t now);

#endif

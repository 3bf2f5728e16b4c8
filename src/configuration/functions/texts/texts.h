/* Shared by the functions on strings. */
#ifndef LC_CONFIGURATION_FUNCTIONS_TEXTS_TEXTS_H
#define LC_CONFIGURATION_FUNCTIONS_TEXTS_TEXTS_H

#include "configuration/functions/functions.h"
#include "lifecheck/configuration/files.h"

/* What a single call may make; the result is undecided beyond. */
#define LC_MAX_MADE_TEXT ((size_t)16 << 20)

/* An empty buffer with that limit. */
#define LC_MADE_TEXT ((lc_buf){.limit = LC_MAX_MADE_TEXT})

/* Gives the contents of the buffer, and releases it. True. */
bool lc_fn_give_made(lc_fn_call *c, lc_buf *buf);
/* An argument that has to be a whole number of 64 bits; else an error of the call is set. */
bool lc_fn_whole(lc_fn_call *c, size_t at, int64_t *out);
/* A string as an element of a list. */
lc_marked lc_fn_item(lc_fn_call *c, lc_str text);

/* Growing lists of values. */
typedef struct lc_fn_items {
    LC_VEC(lc_marked) list;
} lc_fn_items;
void lc_fn_add_item(lc_fn_call *c, lc_fn_items *items, lc_str text);

/* Base64 of bytes as the result; and the bytes of Base64 as Go decodes it (false: it is not
 * Base64). */
bool lc_fn_give_base64(lc_fn_call *c, lc_str bytes);
bool lc_fn_from_base64(lc_fn_call *c, lc_str text, lc_str *out);

/* An object under construction. Zero-initialised it is empty. */
typedef struct lc_fn_object {
    LC_VEC(lc_eval_member) members;
    lc_table index; /* by name; indices of `members` */
} lc_fn_object;
/* Of equal names the last one counts; false: it has another type than the one before. */
bool lc_fn_set_member(lc_fn_call *c, lc_fn_object *to, lc_str name, lc_marked value);

/* A timestamp as YAML has it, in RFC 3339: dates.c. False: it is not a timestamp. */
bool lc_fn_yaml_moment(lc_fn_call *c, lc_str text, lc_str *out);

/* Replaces what a regular expression matches: regex.c. */
bool lc_fn_replace_pattern(lc_fn_call *c, lc_str text, lc_str pattern, lc_str with);

/* Requests a file as the clients open it, and gives the undecided result of a file that is not
 * read: files.c. */
lc_file_answer lc_fn_open(lc_fn_call *c, lc_str path, lc_file_want want);
bool lc_fn_give_unread(lc_fn_call *c, const lc_file_answer *file);
/* Marks the result as read from a file, unless that may be shown. */
void lc_fn_hide(lc_fn_call *c);

#endif

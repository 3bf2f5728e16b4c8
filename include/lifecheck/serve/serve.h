/* A provider made of a schema: it answers every call of the provider protocol as a provider does
 * that keeps all requirements of the lifecycle. Module serve. Objects live in memory, or in a
 * folder; nothing else is read or written. */
#ifndef LIFECHECK_SERVE_SERVE_H
#define LIFECHECK_SERVE_SERVE_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/predict/learned.h"

/* The objects that exist, of all providers that share it. */
typedef struct lc_serve_objects lc_serve_objects;
/* `folder`: where a file is kept for each object; "": they are only in memory. Nothing is read or
 * written before it is opened. */
lc_serve_objects *lc_serve_objects_new(lc_arena *arena, lc_str folder);
/* Makes the folder unless it exists. False: *why. */
bool lc_serve_objects_open(lc_serve_objects *objects, lc_str *why);

/* Answers that inputs state: a request with the same type and values gets them. */
typedef struct lc_serve_stated lc_serve_stated;
lc_serve_stated *lc_serve_stated_new(lc_arena *arena);
/* Takes those of a case to plans, applies, reads, data sources, ephemeral resources and functions.
 * Copied. Of several answers to one request the first counts. */
void lc_serve_stated_take(lc_serve_stated *stated, const lc_case *subject);
size_t lc_serve_stated_count(const lc_serve_stated *stated);
/* A line about how many were used; nothing if there are none. */
void lc_serve_stated_add_words(lc_buf *out, const lc_serve_stated *stated);

/* A requirement that is violated on purpose. */
typedef struct lc_serve_break {
    const struct lc_serve_break_row *row;
    lc_str type, path; /* where: "" is anywhere, names with dots */
    uint64_t count;    /* how often it was, so far */
} lc_serve_break;
/* Reads RULE[@TYPE[.path]]. False: no such requirement can be violated, or not at a path: what
 * concerns a whole response, or a schema, has none. */
bool lc_serve_break_read(lc_serve_break *out, lc_str text);
/* The rules that it takes, by index; NULL after the last one. */
const char *lc_serve_breakable(size_t index);

/* What a served provider is made of. */
typedef struct lc_serve_options {
    lc_limits limits;
    int protocol;       /* 5 or 6 */
    lc_str address;     /* of the provider */
    lc_schema_doc *doc; /* that has its schema */
    lc_str within;      /* the provider's address in the document */
    lc_serve_objects *objects;
    lc_serve_stated *stated;   /* or NULL */
    const lc_learned *learned; /* which changes replace an object; or NULL */
    lc_serve_break *breaks;    /* counted when they happen */
    size_t break_count;
} lc_serve_options;

typedef struct lc_served lc_served;
/* Options are copied, what they point to is borrowed. Mistakes of the schema that the protocol
 * cannot express are reported in `diags`: NULL. */
lc_served *lc_served_new(lc_arena *arena, const lc_serve_options *options, lc_diags *diags);

/* The blocks `provider_meta` of modules may set an attribute of this name. Schema documents do not
 * have its schema, so it is made of what modules set. Copied; before the first call. */
void lc_served_add_meta(lc_served *served, lc_str name);

/* Does its schema have the type? */
bool lc_served_has(const lc_served *served, lc_schema_kind kind, lc_str type);

typedef struct lc_serve_request {
    uint64_t connection; /* which of the client's: each configures the provider for itself */
    lc_str path;         /* of the method */
    const lc_str *messages;
    size_t count;
} lc_serve_request;
/* Answers one call: passes the messages of the answer to `send`, each by itself. Returns the gRPC
 * status; with one other than 0 *text, in `arena`. */
int lc_served_answer(lc_served *served, lc_arena *arena, const lc_serve_request *request,
                     void (*send)(void *context, lc_str message), void *context, lc_str *text);

#endif

/* Bodies of blocks, in either syntax. Readers of blocks specify which arguments and nested blocks a
 * body may have, and get those that it has. What a client reports while it decodes a body (missing,
 * unknown and duplicate names, wrong labels) becomes a problem here, with the summary of the syntax
 * in use. */
#ifndef LC_CONFIGURATION_BODY_H
#define LC_CONFIGURATION_BODY_H

#include "configuration/reader.h"
#include "configuration/since.h"

/* What a name in a body denotes. */
typedef enum lc_name_kind {
    LC_NAME_ARGUMENT,
    LC_NAME_REQUIRED, /* an argument that must be there */
    LC_NAME_BLOCK,    /* without labels */
    LC_NAME_LABELLED, /* with one label */
    LC_NAME_TYPED,    /* with two labels: type and name */
} lc_name_kind;

/* One name of a schema of bodies; arrays end with a NULL name. */
typedef struct lc_body_name {
    const char *name;
    lc_name_kind kind;
    uint32_t known; /* who knows the name, see since.h; without a core: both */
} lc_body_name;

/* An argument that is there. */
struct lc_config_argument {
    lc_source_pos place; /* of its name */
    lc_config_value value;
};

/* What a body has of a schema. */
struct lc_body_content {
    const lc_body_name *names;
    /* By the index of the name; those that are not there have no `place.source`. */
    lc_config_argument *arguments;
    LC_VEC(lc_config_block) blocks; /* in the order in which they are written */
};

/* Reads a body that may have only `names`: everything else is a problem. What is returned lives in
 * r->scratch. */
lc_body_content lc_body_read(lc_config_reader *r, const lc_config_body *body,
                             const lc_body_name *names);
/* The same for a body that may have more, such as the arguments of a provider. */
lc_body_content lc_body_read_some(lc_config_reader *r, const lc_config_body *body,
                                  const lc_body_name *names);
/* The argument, or NULL. The name must be in the schema. */
const lc_config_argument *lc_body_argument(const lc_body_content *content, const char *name);
bool lc_block_is(const lc_config_block *block, const char *type);

/* Calls `take` for every argument of a body that has only arguments, of any name. */
void lc_body_each_argument(lc_config_reader *r, const lc_config_body *body,
                           void (*take)(void *context, lc_str name,
                                        const lc_config_argument *argument),
                           void *context);

/* The part of a body that `names` does not cover, as an object expression with the members in the
 * order in which they are written; see LC_EXPR_BLOCK. `more`: the content of an escaping block `_`,
 * whose members are all added; or NULL. `count` may be NULL. */
const lc_expr *lc_body_rest(lc_config_reader *r, const lc_config_body *body,
                            const lc_body_name *names, const lc_config_body *more, size_t *count);
/* ---- Both syntaxes: body.c has those of JSON and the common functions, body_native.c those of the
 * native syntax. */

/* The row of an argument or block; NULL: the schema has none that the core knows. */
const lc_body_name *lc_body_row(const lc_config_reader *r, const lc_body_name *names, lc_str name,
                                bool block);
/* The same as lc_body_read_some; `all`: as lc_body_read. Without required arguments. */
void lc_body_native_read(lc_config_reader *r, const lc_config_body *body, lc_body_content *out,
                         bool all);
void lc_body_native_each(lc_config_reader *r, const lc_config_body *body,
                         void (*take)(void *context, lc_str name,
                                      const lc_config_argument *argument),
                         void *context);
/* The members that `names` (NULL: nothing) leaves, in the order in which they are written. */
typedef struct lc_body_members {
    LC_VEC(lc_expr_member) list;
} lc_body_members;
void lc_body_native_rest(lc_config_reader *r, lc_body_members *out, const lc_config_body *body,
                         const lc_body_name *names);

/* The place at which a client reports that something is missing. */
lc_source_pos lc_body_missing_place(const lc_config_body *body);

#endif

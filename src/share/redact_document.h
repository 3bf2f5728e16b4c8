/* A plan or state that is redacted: what is known of its objects. */
#ifndef LC_SHARE_REDACT_DOCUMENT_H
#define LC_SHARE_REDACT_DOCUMENT_H

#include "share/redact.h"

typedef struct lc_redact_object {
    lc_str address;                /* "": it stands nowhere else */
    const lc_block *block;         /* or NULL */
    LC_VEC(const lc_node *) parts; /* values, and what has their shape */
    LC_VEC(const lc_node *) marks; /* of their shape, with true where something is secret */
    LC_VEC(const lc_node *) paths; /* lists of paths, each a list of steps */
} lc_redact_object;

/* Instances of one resource; those that are marked alike once. */
typedef struct lc_redact_group {
    lc_table said;
    LC_VEC(lc_redact_object *) objects;
} lc_redact_group;

typedef struct lc_redact_doc {
    lc_redactor *r;
    const lc_node *root;
    lc_schemas *schemas;
    lc_table by_address; /* address -> lc_redact_object; `output NAME` */
    lc_table by_config;  /* configuration address -> lc_redact_group */
    LC_VEC(lc_redact_object *) objects;
    lc_table unread; /* types without a schema */
} lc_redact_doc;

/* A step of a path, and a path. */
typedef struct lc_redact_step {
    lc_str name;         /* "": an index */
    uint64_t index;      /* of it */
    const lc_node *node; /* its text in the document, or NULL */
    bool secret;
} lc_redact_step;
typedef struct lc_redact_steps {
    LC_VEC(lc_redact_step) list;
} lc_redact_steps;

/* NULL: no schema has the type. */
const lc_block *lc_redact_block(const lc_redact_doc *d, lc_str type, lc_str provider, bool data);
static inline const lc_type *lc_redact_type(const lc_redact_object *o)
{
    return o->block ? o->block->implied : NULL;
}

/* What `marks` says of a node with its shape. Expressions of an object have that as far as its
 * blocks go; then come constants. */
void lc_redact_marked(lc_redactor *r, const lc_node *node, const lc_node *marks,
                      const lc_type *type, bool expressions);
/* Every constant of the expressions below, whatever it is. */
void lc_redact_constants(lc_redactor *r, const lc_node *node);
/* How many steps lead to what is secret; SIZE_MAX: nothing on the way is. */
size_t lc_redact_depth(const lc_redactor *r, const lc_redact_object *o,
                       const lc_redact_steps *path);
/* From `depth` on names are secret, where the type does not tell them. */
void lc_redact_mark_steps(lc_redact_steps *path, size_t depth, const lc_type *type);

/* Variables, constants and references. */
void lc_redact_configuration(lc_redact_doc *d, const lc_node *root);

#endif

/* Redacting a plan or state: what is known of its objects. Shared by the files that do it. */
#ifndef LC_REDACT_DOCUMENT_H
#define LC_REDACT_DOCUMENT_H

#include "redact/redact.h"

/* One object, collected from all parts of the document that show it. */
typedef struct lc_redact_object {
    lc_str address;                /* "": no other part of the document shows it */
    const lc_block *block;         /* or NULL */
    LC_VEC(const lc_node *) parts; /* its values, and nodes of the same shape */
    LC_VEC(const lc_node *) marks; /* of the same shape, with true where something is sensitive */
    LC_VEC(const lc_node *) paths; /* lists of paths (replace_paths and the like) */
} lc_redact_object;

/* Instances of one resource. Instances with the same sensitive marks are listed once. */
typedef struct lc_redact_group {
    lc_table reported;
    LC_VEC(lc_redact_object *) objects;
} lc_redact_group;

typedef struct lc_redact_doc {
    lc_redactor *r;
    const lc_node *root;
    lc_schemas *schemas;
    lc_table by_address; /* address -> lc_redact_object; `output NAME` */
    lc_table by_config;  /* configuration address -> lc_redact_group */
    LC_VEC(lc_redact_object *) objects;
    lc_table unread; /* types without a schema that were reported */
} lc_redact_doc;

/* A step of a path, and a path, as a plan writes them. */
typedef struct lc_redact_step {
    lc_str name;         /* of an attribute or key; "": an index */
    uint64_t index;      /* of it */
    const lc_node *node; /* its text in the document, or NULL */
    bool secret;
} lc_redact_step;
typedef struct lc_redact_steps {
    LC_VEC(lc_redact_step) list;
} lc_redact_steps;

/* The block of a type's schema. NULL: no schema has the type. */
const lc_block *lc_redact_block(const lc_redact_doc *d, lc_str type, lc_str provider, bool data);
static inline const lc_type *lc_redact_type(const lc_redact_object *o)
{
    return o->block ? o->block->implied : NULL;
}

/* Redacts the parts of `node` that `marks`, a node of the same shape, marks as sensitive. With
 * `expressions` the node is an object's expressions, which have this shape as far as blocks go,
 * with constants below. */
void lc_redact_marked(lc_redactor *r, const lc_node *node, const lc_node *marks,
                      const lc_type *type, bool expressions);
/* Redacts every constant in the expressions below a node. */
void lc_redact_constants(lc_redactor *r, const lc_node *node);
/* How many steps of the path lead to the first secret; SIZE_MAX: nothing on the path is secret. */
size_t lc_redact_depth(const lc_redactor *r, const lc_redact_object *o,
                       const lc_redact_steps *path);
/* Marks names from step `depth` on as secret, unless they are attribute names of the type. */
void lc_redact_mark_steps(lc_redact_steps *path, size_t depth, const lc_type *type);

/* Redacts the variables, constants and references of a plan's configuration. */
void lc_redact_configuration(lc_redact_doc *d, const lc_node *root);

#endif

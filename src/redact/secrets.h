/* What a schema calls secret. One walk decides it, for values, for nodes of a document and for the
 * expressions of a configuration. */
#ifndef LC_REDACT_SECRETS_H
#define LC_REDACT_SECRETS_H

#include "lifecheck/schema/schema.h"

/* Is the attribute sensitive or write-only, or known to be secret without a flag? */
bool lc_is_secret(const lc_attribute *attribute);
/* Can an object of the block contain anything secret? */
bool lc_has_secrets(const lc_block *block);
/* Does the nesting mode hold one object, not a collection of objects? */
bool lc_nests_one(lc_nesting nesting);

/* A part that the walk visits: a node or a value, depending on the walk. NULL: it is not there. */
typedef union lc_secret_place {
    const lc_node *node;
    lc_value *value;
} lc_secret_place;

typedef enum lc_secret_part {
    LC_SECRET_ATTRIBUTE,        /* of a block */
    LC_SECRET_NESTED_ATTRIBUTE, /* of a nested type */
    LC_SECRET_BLOCK,
} lc_secret_part;

/* The functions of a walk. `context` is the caller's. All functions must be set unless a comment
 * states otherwise. */
typedef struct lc_secret_walk lc_secret_walk;
struct lc_secret_walk {
    void *context;
    bool all; /* every attribute that the schema has is secret */
    /* Begins an object. May replace *object by the place of its content. False: skip it. */
    bool (*enter)(const lc_secret_walk *walk, lc_secret_place *object, const lc_type *type);
    /* A part of the object by its name, and its slot in the implied type. */
    lc_secret_place (*part)(const lc_secret_walk *walk, lc_secret_place object, lc_secret_part kind,
                            lc_str name, uint32_t slot);
    /* Called for each object, to handle parts that the schema does not have. One of `block` and
     * `nested` is given. NULL: such parts stay. */
    void (*others)(const lc_secret_walk *walk, lc_secret_place object, const lc_block *block,
                   const lc_nested_type *nested);
    /* Begins a nested part and returns the number of its objects. */
    uint32_t (*elements)(const lc_secret_walk *walk, lc_secret_place *part, lc_nesting nesting);
    lc_secret_place (*element)(const lc_secret_walk *walk, lc_secret_place part, lc_nesting nesting,
                               uint32_t index);
    /* Ends what `enter` or `elements` began. NULL: there is nothing to do. */
    void (*leave)(const lc_secret_walk *walk, lc_secret_place place);
    /* Called for a part that is secret as a whole. */
    void (*redact)(const lc_secret_walk *walk, lc_secret_place part, const lc_type *type);
};

/* Walks an object of the block and calls `redact` for everything secret in it: attributes before
 * blocks, each in the order of their names, so that tokens are numbered alike in all copies. */
void lc_walk_secrets(const lc_secret_walk *walk, lc_secret_place object, const lc_block *block);

#endif

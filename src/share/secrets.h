/* What a schema calls secret: the one walk that decides it, for values, for nodes of a document and
 * for the expressions of a configuration. */
#ifndef LC_SHARE_SECRETS_H
#define LC_SHARE_SECRETS_H

#include "lifecheck/schema.h"

/* Sensitive, write-only, or known to be secret without a flag. */
bool lc_is_secret(const lc_attribute *attribute);
/* Is anything in objects of the block? */
bool lc_has_secrets(const lc_block *block);
/* Does an object stand there itself, not a collection of objects? */
bool lc_nests_one(lc_nesting nesting);

/* A part of what is walked: whichever of the two it consists of, or NULL if it is not there. */
typedef union lc_secret_place {
    const lc_node *node;
    lc_value *value;
} lc_secret_place;

typedef enum lc_secret_part {
    LC_SECRET_ATTRIBUTE,        /* of a block */
    LC_SECRET_NESTED_ATTRIBUTE, /* of a nested type */
    LC_SECRET_BLOCK,
} lc_secret_part;

typedef struct lc_secret_walk lc_secret_walk;
struct lc_secret_walk {
    void *context;
    bool all; /* every attribute that the schema has is secret */
    /* Begin with an object, which may stand elsewhere from then on; false: it has no parts. */
    bool (*enter)(const lc_secret_walk *walk, lc_secret_place *object, const lc_type *type);
    lc_secret_place (*part)(const lc_secret_walk *walk, lc_secret_place object, lc_secret_part kind,
                            lc_str name, uint32_t slot);
    /* Parts that the schema does not have; one of `block` and `nested` is given. NULL: they stay.
     */
    void (*others)(const lc_secret_walk *walk, lc_secret_place object, const lc_block *block,
                   const lc_nested_type *nested);
    /* Begin with a part that nests; the number of objects in it. */
    uint32_t (*elements)(const lc_secret_walk *walk, lc_secret_place *part, lc_nesting nesting);
    lc_secret_place (*element)(const lc_secret_walk *walk, lc_secret_place part, lc_nesting nesting,
                               uint32_t index);
    /* All is done of what was begun with. NULL: nothing is to do then. */
    void (*leave)(const lc_secret_walk *walk, lc_secret_place place);
    /* All of it is secret. */
    void (*redact)(const lc_secret_walk *walk, lc_secret_place part, const lc_type *type);
};

/* An object of the block: calls `redact` for everything that is secret in it, attributes before
 * blocks, each in order of names. */
void lc_walk_secrets(const lc_secret_walk *walk, lc_secret_place object, const lc_block *block);

#endif

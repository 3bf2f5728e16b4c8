/* A trial as a configuration for a real client. */
#ifndef LC_PROBE_TERRAFORM_H
#define LC_PROBE_TERRAFORM_H

#include "lifecheck/schema/schema.h"

/* What is written. Values are of the types of their blocks, and borrowed. */
typedef struct lc_terraform {
    lc_str name, source, version;    /* of the provider: "aws", "hashicorp/aws", "5.100.0" or "" */
    const lc_value *provider_config; /* NULL: none is written */
    const lc_block *provider_block;
    lc_str type;
    const lc_block *block;
    const lc_value *config; /* unknown values are outputs of a terraform_data */
    const lc_value *last;   /* what unknown values become; NULL: as in `known` */
    const lc_value *known;  /* the same; NULL: null */
    const lc_value *prior;  /* the object that `config` changes; NULL: it creates one */
    lc_str private_data;    /* of `prior` */
    bool replaces;          /* `prior`, which the client would delete before the final plan */
} lc_terraform;

/* Appends it. Not NULL: why it cannot be written, and nothing was appended. */
const char *lc_add_terraform(lc_buf *out, lc_arena *arena, const lc_terraform *what);
/* Appends a state file (version 4, JSON) with `prior`, which is not NULL. `address`: the source
 * with its registry. False: `prior` has no form in JSON, and nothing was appended. */
bool lc_add_terraform_state(lc_buf *out, lc_arena *arena, const lc_terraform *what, lc_str address,
                            uint64_t schema_version);

#endif

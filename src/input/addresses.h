/* Addresses of recorded instances, from the plans and states of the same run: where the values of
 * one address alone are those of the calls. */
#ifndef LC_INPUT_ADDRESSES_H
#define LC_INPUT_ADDRESSES_H

#include "lifecheck/input.h"

typedef struct lc_addresses lc_addresses;
/* Values are read by the documents that `options` names. */
lc_addresses *lc_addresses_new(lc_arena *arena, lc_schema_store *store,
                               const lc_capture_options *options, lc_diags *diags);
/* A plan or state as JSON; every other file is passed over. One that is broken is a warning. */
void lc_addresses_take(lc_addresses *addresses, lc_str path);
/* The address of the instance, or "": none fits, or several do. Lives as long as `addresses`. */
lc_str lc_addresses_of(lc_addresses *addresses, const lc_run *run);
/* What was used and what came of it. */
void lc_addresses_tell(const lc_addresses *addresses);

#endif

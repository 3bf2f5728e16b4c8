/* Addresses of recorded instances, from the plans and states of the same run: where the values of
 * one address alone are those of the calls. */
#ifndef LC_RECORDING_ADDRESSES_H
#define LC_RECORDING_ADDRESSES_H

#include "lifecheck/recording.h"

#define LC_MAX_EVIDENCE 256 /* files; the others are not looked at, and it is told */

typedef struct lc_addresses lc_addresses;
/* The schema that values of a type are read by; NULL: there is none. */
typedef const lc_schema *(*lc_schema_of)(void *context, lc_schema_kind kind, lc_str provider,
                                         lc_str type);
/* `log` takes the errors of clients that are found in files beside plans and states. */
struct lc_log;
lc_addresses *lc_addresses_new(lc_arena *arena, const lc_limits *limits, struct lc_log *log,
                               lc_schema_of schema_of, void *context, lc_used *used,
                               lc_diags *diags);
/* A file that may be a plan or a state as JSON; every other file is passed over. It is read when
 * the first address is asked for. One that is broken is a warning. */
void lc_addresses_take(lc_addresses *addresses, lc_str path);
/* All files of a folder that may be one. */
void lc_addresses_take_folder(lc_addresses *addresses, lc_str folder);
/* Read them now. */
void lc_addresses_open(lc_addresses *addresses);
/* The address of the instance, or "": none fits, or several do. Lives as long as `addresses`. */
lc_str lc_addresses_of(lc_addresses *addresses, const lc_run *run);
/* The only block of the type in a configuration beside it, if that has one instance; or "". It is
 * the name of the only object of a type, and no reason to take two for one. */
lc_str lc_addresses_declared(lc_addresses *addresses, lc_schema_kind kind, lc_str type);
/* What was used and what came of it. */
void lc_addresses_report(const lc_addresses *addresses);
/* Frees what is not in the arena. No address is asked for any more. */
void lc_addresses_close(lc_addresses *addresses);

#endif

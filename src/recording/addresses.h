/* Addresses of recorded instances, taken from plans and states of the same run: an instance has the
 * address whose values are those of its calls, if there is only one such address. */
#ifndef LC_RECORDING_ADDRESSES_H
#define LC_RECORDING_ADDRESSES_H

#include "lifecheck/recording/recording.h"

#define LC_MAX_EVIDENCE 256 /* files that are read; more are ignored, and this is reported */

typedef struct lc_addresses lc_addresses;
/* Returns the schema by which the values of a type are read; NULL if there is no schema. */
typedef const lc_schema *(*lc_schema_of)(void *context, lc_schema_kind kind, lc_str provider,
                                         lc_str type);
/* `log` gets the errors of clients that are found in files next to the plans and states. All
 * pointers are borrowed. */
struct lc_log;
lc_addresses *lc_addresses_new(lc_arena *arena, const lc_limits *limits, struct lc_log *log,
                               lc_schema_of schema_of, void *context, lc_used *used,
                               lc_diags *diags);
/* Adds a file that may be a plan or a state as JSON; other files are ignored. It is read when the
 * first address is requested. A file that cannot be read is a warning. */
void lc_addresses_take(lc_addresses *addresses, lc_str path);
/* The same for a string that is already in memory; both are borrowed. */
void lc_addresses_take_text(lc_addresses *addresses, lc_str name, lc_str json);
/* Adds all files of a folder that may be plans, states or configurations. */
void lc_addresses_take_folder(lc_addresses *addresses, lc_str folder);
/* Reads the files now, once. */
void lc_addresses_open(lc_addresses *addresses);
/* The address of an instance with these calls; "": no address fits, or several do. Lives as long as
 * the arena. */
lc_str lc_addresses_of(lc_addresses *addresses, const lc_run *run);
/* The address of the only block of a type in a JSON configuration next to the recording, if it has
 * no count or for_each; else "". It names the only object of a type, but must not be used to join
 * two objects. */
lc_str lc_addresses_declared(lc_addresses *addresses, lc_schema_kind kind, lc_str type);
/* Adds a line about the files that were read, and how many addresses they gave. */
void lc_addresses_report(const lc_addresses *addresses);
/* Frees what is not in the arena. Do not request an address afterwards. */
void lc_addresses_close(lc_addresses *addresses);

#endif

/* Objects that a command created and could not destroy. */
#ifndef LC_CLI_COMMANDS_DRIVE_UNDESTROYED_H
#define LC_CLI_COMMANDS_DRIVE_UNDESTROYED_H

#include "lifecheck/drive/changing.h"

/* Reports the object on stderr, and keeps its last known values in lifecheck-left-TYPE-NUMBER.json
 * in the working directory, a new file that only its owner may read: values may be secret.
 * `provider`: its address. The arena takes the file's name. */
void lc_report_undestroyed(lc_arena *arena, lc_str provider, const lc_undestroyed_object *object);

#endif

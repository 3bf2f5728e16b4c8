/* Scenarios that commands write next to their reports. */
#ifndef LC_CLI_SCENARIO_FILE_H
#define LC_CLI_SCENARIO_FILE_H

#include "cli/internal.h"

/* As mkdir -p, for this user alone; folders that exist are fine, whoever made them.
 * False: errno has the reason. */
bool lc_make_folder(lc_arena *arena, lc_str folder);
/* Writes the text to a file in the folder, which is made. What a configuration holds may be secret,
 * so no other user can read it. False: it cannot be written, which is reported. */
bool lc_write_scenario(lc_arena *arena, lc_str folder, lc_str file, lc_str text);

#endif

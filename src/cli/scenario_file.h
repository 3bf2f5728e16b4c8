/* Scenarios that commands write next to their reports. */
#ifndef LC_CLI_SCENARIO_FILE_H
#define LC_CLI_SCENARIO_FILE_H

#include "cli/internal.h"

/* Writes the text to a file in the folder, which is made. What a configuration holds may be secret,
 * so no other user can read it. False: it cannot be written, which is reported. */
bool lc_write_scenario(lc_arena *arena, lc_str folder, lc_str file, lc_str text);

#endif

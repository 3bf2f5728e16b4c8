/* One file of a module. */
#ifndef LC_PLANNING_CONFIGURATION_BLOCKS_H
#define LC_PLANNING_CONFIGURATION_BLOCKS_H

#include "planning/configuration_reader.h"

void lc_config_read_file(lc_config_reader *r, const lc_config_file *file);

#endif

/* One file of a module. */
#ifndef LC_CONFIGURATION_BLOCKS_H
#define LC_CONFIGURATION_BLOCKS_H

#include "configuration/reader.h"

/* Reads all blocks of the file into r->module; problems are added to the configuration. */
void lc_config_read_file(lc_config_reader *r, const lc_config_file *file);

#endif

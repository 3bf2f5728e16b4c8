/* Output files that are complete or do not exist. Module files.
 *
 * A file is written without a name, so that nothing is left if the program is killed, and gets its
 * name when it is complete. Devices and pipes are written directly. */
#ifndef LIFECHECK_FILES_OUTPUT_FILE_H
#define LIFECHECK_FILES_OUTPUT_FILE_H

#include "lifecheck/base/arena.h"

#include <sys/types.h>

/* A file that is written under a temporary name until it is complete. Owned by the caller. */
typedef struct lc_output_file {
    lc_arena *arena;
    const char *name;  /* as given, borrowed */
    const char *place; /* the real path, in `arena` */
    int fd;            /* where it is written to; -1: closed */
    bool direct;       /* a device or pipe */
    mode_t mode;
} lc_output_file;

/* Begins the file `name`; an existing one is unchanged until the new one is complete. False: see
 * errno. */
bool lc_output_file_open(lc_output_file *out, lc_arena *arena, const char *name);
/* Gives the file its name, with signals blocked. False: see errno, and an existing file is
 * unchanged. */
bool lc_output_file_commit(lc_output_file *file);
/* Drops what was written. */
void lc_output_file_discard(lc_output_file *file);
/* Writes a whole file `name` with these bytes. False: see errno. */
bool lc_output_file_write(lc_arena *arena, const char *name, lc_str bytes);

/* Writes everything, also if a signal interrupts it. False: see errno. */
bool lc_write_all(int fd, lc_str bytes);

#endif

/* Reading files, pipes and folders. Module files. */
#ifndef LIFECHECK_FILES_INPUT_FILE_H
#define LIFECHECK_FILES_INPUT_FILE_H

#include "lifecheck/base/diag.h"
#include "lifecheck/base/limits.h"

#include <sys/types.h>

/* Opens a file for reading. A named pipe is given up after ten seconds without a writer, or without
 * data from it, with ETIMEDOUT, here and in the functions below. Standard input and other
 * descriptors that the caller of the program has opened are waited for. Returns a descriptor of
 * the caller, or -1 and errno. */
int lc_file_open(const char *path);
/* From now on the descriptor is waited for without a limit, as a stream of calls may be quiet. */
void lc_fd_await(int fd);
/* Like read(2), but continues after signals, and waits for data also if the descriptor does not
 * block. */
ssize_t lc_fd_some(int fd, char *bytes, size_t most);
/* The error for a path that names nothing, with what to do: "no such WHAT", and the nearest name in
 * its folder or the folder that does not exist. In `arena`. */
lc_str lc_no_such(lc_arena *arena, lc_str path, const char *what);
/* What an errno of the functions above means to the user. */
const char *lc_read_problem(int error);
/* Reads a whole file into `arena`; "-" is standard input. Pipes and /dev/stdin work, folders do
 * not. Errors, also for more than `max_bytes`, are reported without a line. */
lc_status lc_file_read(lc_str *out, lc_arena *arena, lc_str path, size_t max_bytes,
                       lc_diags *diags);

/* Reads the first bytes of a regular file, at most `most`, into `arena`. False: it is not a regular
 * file, or cannot be read. */
bool lc_file_head(lc_str *out, lc_arena *arena, lc_str path, size_t most);
/* The same for an open descriptor, into `bytes`, which has room for `most`. `line`: stop reading
 * after the first line. *all: the end was reached. False: reading failed. */
bool lc_fd_head(lc_str *out, char *bytes, size_t most, int fd, bool line, bool *all);
/* The sorted names in a folder, including hidden ones, in `arena`. False: errno has the reason;
 * names may be missing. */
bool lc_folder_list(lc_str **out, size_t *count, lc_arena *arena, lc_str path);

/* Reads everything from an open descriptor, which stays open; `name` is for messages. */
lc_status lc_fd_read(lc_str *out, lc_arena *arena, int fd, lc_str name, size_t max_bytes,
                     lc_diags *diags);

#endif

/* What Linux and macOS do differently, for all modules. What only `live` needs of a system is in
 * its own files. Module base.
 *
 * LC_PORTABLE (CPPFLAGS=-DLC_PORTABLE) builds on Linux what other systems use, so that it can be
 * tested there: signals are looked for instead of read from a descriptor, and a watching process
 * ends providers whose lifecheck was killed. */
#ifndef LIFECHECK_BASE_SYSTEM_H
#define LIFECHECK_BASE_SYSTEM_H

#include "lifecheck/base/str.h"

#include <signal.h>
#include <sys/stat.h>

#if defined(__linux__) && !defined(LC_PORTABLE)
#define LC_ON_LINUX 1
#else
#define LC_ON_LINUX 0
#endif

#ifdef __APPLE__
extern char **environ;
#endif

/* When the file was last changed, a struct timespec. */
#ifdef __APPLE__
#define LC_CHANGED_AT(info) ((info).st_mtimespec)
#else
#define LC_CHANGED_AT(info) ((info).st_mtim)
#endif

/* Fills `size` bytes, at most 256. False: the system has no random bytes now. */
bool lc_random_bytes(void *out, size_t size);
/* Writes what the system holds of the file to its disk. False: see errno. */
bool lc_file_sync(int fd);
/* Takes a signal of `set` that is pending; all of them are blocked. Returns its number; 0: there is
 * none. Does not wait. */
int lc_signal_take(const sigset_t *set);
/* The file of this program, in `arena`; "": not known. */
lc_str lc_own_program(lc_arena *arena);

#endif

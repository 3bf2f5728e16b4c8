/* Files that expressions read: file, templatefile, fileset and the like. Module configuration.
 * Source: the functions' own descriptions; both clients open paths relative to the working
 * directory, which is the folder of the root module.
 *
 * The configuration asks the supplier of its modules for them, because they may be in a folder or
 * inside another document. Only files in the repository of the configuration are read, or in
 * folders that the user adds: for anything else the answer is LC_FILE_REFUSED, and the value
 * becomes undecided with the reason. */
#ifndef LIFECHECK_CONFIGURATION_FILES_H
#define LIFECHECK_CONFIGURATION_FILES_H

#include "lifecheck/base/table.h"

/* What is required of a path. */
typedef enum lc_file_want {
    LC_FILE_LOOK,       /* only what it is */
    LC_FILE_READ,       /* the bytes of a file */
    LC_FILE_LIST,       /* the names in a folder */
    LC_FILE_READ_STATE, /* the bytes of a file that is read as a state */
} lc_file_want;

/* What is at a path. */
typedef enum lc_file_kind {
    LC_FILE_MISSING,    /* nothing */
    LC_FILE_NOT_FOLDER, /* a step on the way is a file */
    LC_FILE_REGULAR,
    LC_FILE_FOLDER,
    LC_FILE_SPECIAL, /* a device, a socket, ... */
    LC_FILE_REFUSED, /* not looked at: outside of the configuration, private, too large, ... */
} lc_file_kind;

/* A name in a folder. `kind` is that of what a symbolic link leads to. */
typedef struct lc_file_entry {
    lc_str name;
    lc_file_kind kind;
} lc_file_entry;

/* What there is under a path. */
typedef struct lc_file_answer {
    lc_file_kind kind;
    lc_str bytes;                  /* LC_FILE_READ of a regular file */
    LC_VEC(lc_file_entry) entries; /* LC_FILE_LIST of a folder; sorted by the bytes of the names */
    lc_str reason;                 /* LC_FILE_REFUSED: why, in a few words */
} lc_file_answer;

/* How files are reached. Zero-initialised: they are not, and every path is refused. */
typedef struct lc_files {
    void *context;
    /* Answers for the path, which is relative to the root module's folder (steps `.` and `..` may
     * occur; empty is the folder itself) or absolute. What is returned lives in the arena. */
    lc_file_answer (*open)(void *context, lc_arena *arena, lc_str path, lc_file_want want);
    bool shown; /* what is read may be shown; else it has LC_MARK_HIDDEN */
} lc_files;

/* Asks `files`, which may be NULL. */
lc_file_answer lc_files_open(const lc_files *files, lc_arena *arena, lc_str path,
                             lc_file_want want);

/* The limits of what one configuration may read: bytes of a file, names in a folder, and the bytes
 * and openings of all. */
#define LC_MAX_FILE_BYTES     ((size_t)16 << 20)
#define LC_MAX_FOLDER_ENTRIES 100000
#define LC_MAX_ALL_FILE_BYTES ((size_t)256 << 20)
#define LC_MAX_FILE_OPENINGS  200000

/* The path without needless steps, as Go's path.Clean: "." if nothing is left. */
lc_str lc_path_clean(lc_arena *arena, lc_str path);

#endif

/* From the words of a user to the files that are judged. Module runner.
 *
 * A file that is named is taken without a look at its content. Of a folder only files of known
 * kinds are taken, in bytewise order of their names: dot files and links to folders are left out,
 * and other files are kept in a list of skipped ones. */
#ifndef LIFECHECK_RUNNER_ITEMS_H
#define LIFECHECK_RUNNER_ITEMS_H

#include "lifecheck/base/arena.h"
#include "lifecheck/recording/recording.h"

/* Words of a command line, or values of an option that repeats. */
typedef LC_VEC(lc_str) lc_words;

/* One input. Strings live in the arena of lc_items_find. */
typedef struct lc_item {
    lc_str file;    /* "-": standard input */
    lc_str only;    /* name of a case, or empty */
    lc_str problem; /* why the file cannot be read, or empty */
    lc_str repeats; /* the file that holds the same calls, and more of them; or empty */
    bool found;     /* in a folder: the user did not name it */
} lc_item;

/* The inputs in the order in which they are judged. */
typedef struct lc_items {
    LC_VEC(lc_item) list;
    LC_VEC(lc_str) skipped;
    LC_VEC(lc_str) empty; /* named folders of which nothing was taken */
} lc_items;

/* How words become inputs. Borrowed during lc_items_find. */
typedef struct lc_item_options {
    /* From a folder only files of this kind are taken, and the folder itself if it is a capture
     * directory; UNKNOWN: all known kinds. */
    lc_input_kind wanted;
    /* Globs of paths that a walk skips; NULL: none. A glob matches the whole path or what follows
     * one of its slashes. */
    const lc_words *exclude;
    /* Advice for a first word that names no file, added to the error ("; did you mean ...?");
     * empty: none. In `arena`. NULL: there is never advice. */
    lc_str (*advise)(lc_arena *arena, lc_str word);
} lc_item_options;

/* The files that `words` name: FILE, FOLDER, FILE#CASE, or "-". What cannot be read is an item
 * with a problem, so that it is reported in its place. *out is initialised; everything is in
 * `arena`, and words are borrowed. */
void lc_items_find(lc_items *out, lc_arena *arena, const lc_words *words,
                   const lc_item_options *options);
/* Cuts FILE#CASE at the first # that leaves the name of a file, because the name of a case may
 * hold further # signs. False: `word` is no such pair. Both parts are borrowed from `word`. */
bool lc_item_cut_case(lc_arena *scratch, lc_str word, lc_str *file, lc_str *only);

/* Is the file at `path` one of the items, in a folder that is one, or named by one of at most
 * LC_MOST_REFERRING bytes? Then writing it would overwrite an input. */
#define LC_MOST_REFERRING ((size_t)8 << 20)
bool lc_items_include(const lc_items *items, const char *path);

/* True if the path names a folder. */
bool lc_is_folder(lc_arena *arena, lc_str path);
/* Standard input and named pipes: what has been read of them cannot be read again. */
bool lc_reads_once(int fd);

#endif

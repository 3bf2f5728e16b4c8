/* From words to the files that are checked. Links to folders are not followed, because they could
 * form a cycle. */
#include "lifecheck/runner/items.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOLDERS 100                /* nested */
#define HEAD        ((size_t)64 << 10) /* bytes that show the kind of a file */

static void add_item(lc_items *items, lc_arena *arena, lc_str file, lc_str only, lc_str problem)
{
    *LC_PUSH(arena, &items->list, lc_item) =
        (lc_item){.file = file, .only = only, .problem = problem, .repeats = LC_STR_EMPTY};
}

typedef struct walker {
    lc_items *items;
    lc_arena *arena;
    const lc_item_options *options;
    lc_limits limits;
    char *head; /* room for the first HEAD bytes of a file */
} walker;

bool lc_is_folder(lc_arena *arena, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(arena, path), &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- The kind of a file. */

/* The kind by the first bytes. False: the file cannot be opened. */
static bool read_kind(lc_input_kind *out, const walker *w, const char *path)
{
    lc_str text;
    bool all;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    lc_fd_head(&text, w->head, HEAD, fd, false, &all);
    close(fd);
    *out = lc_input_detect(text);
    return true;
}

/* Is the file of a kind that is taken from a folder? A log is not: its lines look like those of any
 * program, so it must be named. */
static bool is_wanted(const walker *w, const char *path)
{
    lc_input_kind kind;
    if (!read_kind(&kind, w, path))
        return true; /* the error is reported where the file is read */
    bool known = kind != LC_INPUT_UNKNOWN && kind != LC_INPUT_LOG;
    return w->options->wanted == LC_INPUT_UNKNOWN ? known : kind == w->options->wanted;
}

/* ---- Folders. */

/* A glob matches the whole path or what follows one of its slashes, because the user chooses
 * where a walk begins. */
static bool is_excluded(const walker *w, lc_str path)
{
    const lc_words *exclude = w->options->exclude;
    for (size_t i = 0; exclude && i < exclude->count; i++) {
        for (size_t at = 0; at < path.len; at++) {
            if ((at == 0 || path.ptr[at - 1] == '/') &&
                lc_str_matches_glob(lc_str_sub(path, at, path.len), exclude->items[i]))
                return true;
        }
    }
    return false;
}

/* Is the folder one input, a capture directory, and not a folder of inputs? */
static bool is_input_folder(const walker *w, lc_str path)
{
    bool wanted = w->options->wanted == LC_INPUT_UNKNOWN || w->options->wanted == LC_INPUT_CAPTURE;
    return wanted && lc_looks_like_capture(path);
}

static void walk(const walker *w, lc_str folder, unsigned depth);

/* Takes the file or folder at `path`, or what the folder holds. Sets *captures if it is a capture
 * directory. */
static void visit(const walker *w, lc_str path, unsigned depth, bool *captures)
{
    lc_items *items = w->items;
    lc_arena *arena = w->arena;
    struct stat link, info;
    const char *name = lc_str_to_c(arena, path);
    if (is_excluded(w, path))
        return;
    bool there = lstat(name, &link) == 0;
    info = link;
    if (!there || (S_ISLNK(link.st_mode) && stat(name, &info) != 0))
        add_item(items, arena, path, LC_STR_EMPTY,
                 lc_str_copy(arena, lc_str_from_c(strerror(errno))));
    else if (S_ISDIR(link.st_mode) && is_input_folder(w, path)) {
        add_item(items, arena, path, LC_STR_EMPTY, LC_STR_EMPTY);
        *captures = true;
    } else if (S_ISDIR(link.st_mode))
        walk(w, path, depth + 1);
    else if (S_ISREG(info.st_mode) && is_wanted(w, name))
        add_item(items, arena, path, LC_STR_EMPTY, LC_STR_EMPTY);
    else
        *LC_PUSH(arena, &items->skipped, lc_str) = path;
}

static bool is_calls(const walker *w, lc_str path)
{
    lc_input_kind kind;
    return read_kind(&kind, w, lc_str_to_c(w->arena, path)) && kind == LC_INPUT_CALLS;
}

/* A folder may hold one run twice: as a stream of calls, and as the data files of its provider.
 * The stream holds more, so the data files are not checked. */
static void mark_repeated(const walker *w, size_t first)
{
    lc_items *items = w->items;
    for (size_t i = first; i < items->list.count; i++) {
        lc_item *capture = &items->list.items[i];
        if (capture->problem.len || !lc_is_folder(w->arena, capture->file))
            continue;
        for (size_t k = first; k < items->list.count && !capture->repeats.len; k++) {
            lc_str calls = items->list.items[k].file;
            if (!items->list.items[k].problem.len && !lc_is_folder(w->arena, calls) &&
                is_calls(w, calls) && lc_capture_repeats(capture->file, calls, &w->limits))
                capture->repeats = calls;
        }
    }
}

static void walk(const walker *w, lc_str folder, unsigned depth)
{
    lc_items *items = w->items;
    lc_arena *arena = w->arena;
    lc_str *names;
    size_t count = 0;
    bool listed = depth <= MAX_FOLDERS && lc_folder_list(&names, &count, arena, folder);
    if (!listed) {
        const char *why = depth > MAX_FOLDERS ? "folders are nested too deeply" : strerror(errno);
        add_item(items, arena, folder, LC_STR_EMPTY, lc_str_copy(arena, lc_str_from_c(why)));
        return;
    }
    const char *slash = lc_str_ends_with(folder, LC_STR("/")) ? "" : "/";
    size_t first = items->list.count;
    bool captures = false;
    for (size_t i = 0; i < count; i++) {
        if (names[i].ptr[0] != '.')
            visit(w, lc_str_printf(arena, "%.*s%s%.*s", LC_FMT(folder), slash, LC_FMT(names[i])),
                  depth, &captures);
    }
    for (size_t i = first; i < items->list.count; i++)
        items->list.items[i].found = true;
    if (captures)
        mark_repeated(w, first);
}

/* ---- Words. */

bool lc_item_cut_case(lc_arena *scratch, lc_str word, lc_str *file, lc_str *only)
{
    struct stat info;
    for (size_t i = 1; i + 1 < word.len; i++) {
        *file = lc_str_sub(word, 0, i);
        *only = lc_str_sub(word, i + 1, word.len);
        if (word.ptr[i] == '#' &&
            (lc_str_is(*file, "-") || stat(lc_str_to_c(scratch, *file), &info) == 0))
            return true;
    }
    return false;
}

static lc_str why_missing(const walker *w, lc_str word, int error, bool first)
{
    if (word.len == 0)
        return LC_STR("an empty argument names no file: is a variable of the shell empty?");
    if (error != ENOENT)
        return lc_str_copy(w->arena, lc_str_from_c(strerror(error)));
    bool advises = first && w->options->advise;
    lc_str advice = advises ? w->options->advise(w->arena, word) : LC_STR_EMPTY;
    return advice.len ? lc_str_printf(w->arena, "no such file%.*s", LC_FMT(advice))
                      : lc_no_such(w->arena, word, "file");
}

/* A folder that is named is also a capture directory if --input requests it. */
static void take_folder(const walker *w, lc_str word)
{
    size_t before = w->items->list.count;
    if (is_input_folder(w, word) || w->options->wanted == LC_INPUT_CAPTURE)
        add_item(w->items, w->arena, word, LC_STR_EMPTY, LC_STR_EMPTY);
    else
        walk(w, word, 0);
    if (w->items->list.count == before)
        *LC_PUSH(w->arena, &w->items->empty, lc_str) = word;
}

static void take_word(const walker *w, lc_str word, bool first)
{
    lc_items *out = w->items;
    lc_arena *arena = w->arena;
    struct stat info;
    lc_str file = word, only = LC_STR_EMPTY;
    if (lc_str_is(word, "-")) {
        add_item(out, arena, word, only, LC_STR_EMPTY);
    } else if (stat(lc_str_to_c(arena, word), &info) == 0) {
        if (S_ISDIR(info.st_mode))
            take_folder(w, word);
        else
            add_item(out, arena, word, only, LC_STR_EMPTY);
    } else {
        int error = errno;
        bool found = lc_item_cut_case(arena, word, &file, &only);
        add_item(out, arena, found ? file : word, found ? only : LC_STR_EMPTY,
                 found ? LC_STR_EMPTY : why_missing(w, word, error, first));
    }
}

void lc_items_find(lc_items *out, lc_arena *arena, const lc_words *words,
                   const lc_item_options *options)
{
    lc_arena *scratch = lc_arena_new();
    walker w = {out, arena, options, LC_LIMITS_DEFAULT, lc_arena_alloc(scratch, HEAD)};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < words->count; i++)
        take_word(&w, words->items[i], i == 0);
    lc_arena_free(scratch);
}

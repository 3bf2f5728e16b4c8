/* From the words of the command line to the files that are judged.
 *
 * A named file is taken without a look at its content. From a folder only known kinds are
 * taken: dot files are ignored, links to folders are not followed (they could form a cycle),
 * names are in bytewise order, and other files are remembered as skipped. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

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
    lc_input_kind wanted; /* UNKNOWN: all kinds */
    const lc_words *exclude;
    lc_limits limits;
    char *head; /* room for the first HEAD bytes of a file */
} walker;

/* ---- The kind of a file. */

static bool is_wanted(const walker *w, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true; /* so that the refusal is reported */
    lc_str text;
    bool all;
    lc_fd_head(&text, w->head, HEAD, fd, false, &all);
    lc_input_kind kind = lc_input_detect(text);
    bool known = kind != LC_INPUT_UNKNOWN && kind != LC_INPUT_LOG;
    close(fd);
    return w->wanted == LC_INPUT_UNKNOWN ? known : kind == w->wanted;
}

/* ---- Folders. */

/* A glob of the settings file matches the whole path or what follows one of its slashes, because
 * the user chooses where a walk begins. */
static bool is_excluded(const walker *w, lc_str path)
{
    for (size_t i = 0; i < w->exclude->count; i++) {
        for (size_t at = 0; at < path.len; at++) {
            if ((at == 0 || path.ptr[at - 1] == '/') &&
                lc_str_matches_glob(lc_str_sub(path, at, path.len), w->exclude->items[i]))
                return true;
        }
    }
    return false;
}

static bool takes_folder(const walker *w, lc_str path)
{
    bool wanted = w->wanted == LC_INPUT_UNKNOWN || w->wanted == LC_INPUT_CAPTURE;
    return wanted && lc_looks_like_capture(path);
}

static void walk(const walker *w, lc_str folder, unsigned depth);

/* Sets *captures if a taken item is a folder of data files. */
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
    else if (S_ISDIR(link.st_mode) && takes_folder(w, path)) {
        add_item(items, arena, path, LC_STR_EMPTY, LC_STR_EMPTY);
        *captures = true;
    } else if (S_ISDIR(link.st_mode))
        walk(w, path, depth + 1);
    else if (S_ISREG(info.st_mode) && is_wanted(w, name))
        add_item(items, arena, path, LC_STR_EMPTY, LC_STR_EMPTY);
    else
        *LC_PUSH(arena, &items->skipped, lc_str) = path;
}

static bool is_capture(lc_arena *arena, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(arena, path), &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_calls(const walker *w, lc_str path)
{
    int fd = open(lc_str_to_c(w->arena, path), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    lc_str text;
    bool all;
    lc_fd_head(&text, w->head, HEAD, fd, false, &all);
    close(fd);
    return lc_input_detect(text) == LC_INPUT_CALLS;
}

/* A folder may hold one run twice: as a stream of calls, and as the data files of its provider.
 * The stream holds more, so the data files are not judged. */
static void mark_repeated(const walker *w, size_t first)
{
    lc_items *items = w->items;
    for (size_t i = first; i < items->list.count; i++) {
        lc_item *capture = &items->list.items[i];
        if (capture->problem.len || !is_capture(w->arena, capture->file))
            continue;
        for (size_t k = first; k < items->list.count && !capture->repeats.len; k++) {
            lc_str calls = items->list.items[k].file;
            if (!items->list.items[k].problem.len && !is_capture(w->arena, calls) &&
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

/* FILE#CASE, where the case's name may hold further # signs: the first cut that leaves a file. */
static bool cut_case(lc_arena *arena, lc_str word, lc_str *file, lc_str *only)
{
    struct stat info;
    for (size_t i = 1; i + 1 < word.len; i++) {
        *file = lc_str_sub(word, 0, i);
        *only = lc_str_sub(word, i + 1, word.len);
        if (word.ptr[i] == '#' &&
            (lc_str_is(*file, "-") || stat(lc_str_to_c(arena, *file), &info) == 0))
            return true;
    }
    return false;
}

static lc_str missing_words(lc_arena *arena, lc_str word, int error, bool first)
{
    if (word.len == 0)
        return LC_STR("an empty argument names no file");
    lc_str near = first ? lc_command_nearest(word) : LC_STR_EMPTY;
    if (error == ENOENT && near.len)
        return lc_str_printf(arena, "no such file; did you mean the command `%.*s`?", LC_FMT(near));
    return lc_str_copy(arena, lc_str_from_c(error == ENOENT ? "no such file" : strerror(error)));
}

/* A folder that is named is a capture directory also if --input says so. */
static void take_folder(const walker *w, lc_str word)
{
    size_t before = w->items->list.count;
    if (takes_folder(w, word) || w->wanted == LC_INPUT_CAPTURE)
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
        bool found = cut_case(arena, word, &file, &only);
        add_item(out, arena, found ? file : word, found ? only : LC_STR_EMPTY,
                 found ? LC_STR_EMPTY : missing_words(arena, word, error, first));
    }
}

/* A misspelt command, which makes what follows it no list of inputs: the one error is not buried
 * below their reports. */
static bool is_misspelt_command(lc_str word)
{
    struct stat info;
    for (size_t i = 0; i < word.len; i++) {
        if (!lc_is_lower(word.ptr[i]))
            return false;
    }
    lc_str file, only;
    lc_arena *scratch = lc_arena_new();
    bool missing = stat(lc_str_to_c(scratch, word), &info) != 0 && errno == ENOENT &&
                   !cut_case(scratch, word, &file, &only);
    lc_arena_free(scratch);
    return missing && (lc_command_nearest(word).len || lc_str_is(word, "help"));
}

void lc_find_items(lc_items *out, const lc_cli *cli, const lc_words *words, lc_input_kind wanted)
{
    lc_arena *scratch = lc_arena_new();
    walker w = {out,
                cli->arena,
                wanted,
                &cli->config.exclude,
                LC_LIMITS_DEFAULT,
                lc_arena_alloc(scratch, HEAD)};
    memset(out, 0, sizeof *out);
    bool command = words->count > 0 && is_misspelt_command(words->items[0]);
    for (size_t i = 0; i < (command ? 1 : words->count); i++)
        take_word(&w, words->items[i], i == 0);
    lc_arena_free(scratch);
}

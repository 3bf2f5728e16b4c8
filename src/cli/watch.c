/* lifecheck check --watch: judges again when a file changes.
 *
 * Each run is a process of its own, so that nothing of a former run is left over. Changes are seen
 * by asking for the times of files a few times a second, which works for every file system. What is
 * watched: the files to judge, the schema documents that scenarios name, the documents of options,
 * and folders, for new files. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/base/table.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NANOSECONDS 300000000L
#define MOST_WATCHED      20000
#define SCANNED           ((size_t)64 << 10) /* of each scenario, for names of documents */

typedef struct watched {
    const char *path;
    bool there, folder;
    struct timespec changed;
    off_t size;
    ino_t inode;
} watched;

typedef struct watch {
    const lc_cli *cli;
    lc_arena *arena; /* of one round */
    LC_VEC(watched) files;
    lc_table known; /* paths */
    sigset_t signals;
    size_t rounds;
    lc_exit status;
} watch;

/* ---- What is watched. */

static void look(watched *w)
{
    struct stat info;
    w->there = stat(w->path, &info) == 0;
    w->folder = w->there && S_ISDIR(info.st_mode);
    w->changed = w->there ? LC_CHANGED_AT(info) : (struct timespec){0, 0};
    w->size = w->there && !w->folder ? info.st_size : 0;
    w->inode = w->there ? info.st_ino : 0;
}

static bool is_same(const watched *a, const watched *b)
{
    return a->there == b->there && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec && a->size == b->size && a->inode == b->inode;
}

static void add(watch *w, lc_str path)
{
    if (path.len == 0 || w->files.count == MOST_WATCHED || lc_table_get(&w->known, path))
        return;
    watched *file = LC_PUSH(w->arena, &w->files, watched);
    *file = (watched){.path = lc_str_to_c(w->arena, path)};
    lc_table_put(&w->known, lc_str_from_c(file->path), w);
    look(file);
}

/* The string after `file:` or `"file":` that begins at `at`; "" if it is empty. */
static lc_str named_document(lc_str text, size_t at)
{
    static const char ends[] = "\"',}] \t\r\n";
    while (at < text.len && (text.ptr[at] == '"' || text.ptr[at] == ':' || text.ptr[at] == ' ' ||
                             text.ptr[at] == '\''))
        at++;
    size_t end = at;
    while (end < text.len && !strchr(ends, text.ptr[end]))
        end++;
    return lc_str_sub(text, at, end);
}

/* The schema documents that a scenario names, as far as its first bytes show it. */
static void add_documents(watch *w, lc_str file)
{
    char *bytes = lc_arena_alloc(w->arena, SCANNED);
    int fd = open(lc_str_to_c(w->arena, file), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t count = fd < 0 ? 0 : read(fd, bytes, SCANNED);
    lc_str text = {bytes, count > 0 ? (size_t)count : 0};
    if (fd >= 0)
        close(fd);
    for (size_t at = 0; at + 5 < text.len; at++) {
        if (memcmp(text.ptr + at, "file", 4) != 0 || !strchr(":\"'", text.ptr[at + 4]))
            continue;
        lc_str name = named_document(text, at + 4);
        if (name.len && name.ptr[0] == '/')
            add(w, name);
        else if (name.len)
            add(w,
                lc_str_printf(w->arena, "%.*s/%.*s", LC_FMT(lc_file_folder(file)), LC_FMT(name)));
    }
}

static void add_options(watch *w)
{
    const lc_options *o = &w->cli->options;
    for (size_t i = 0; i < o->schema.count; i++)
        add(w, o->schema.items[i]);
    const lc_str single[] = {w->cli->config.file, o->log, o->prior_state, o->new_state,
                             o->baseline};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        add(w, single[i]);
}

static void gather(watch *w)
{
    lc_items items;
    lc_cli cli = *w->cli;
    cli.arena = w->arena;
    lc_find_items(&items, &cli, &cli.words, cli.options.input_kind);
    for (size_t i = 0; i < cli.words.count; i++)
        add(w, cli.words.items[i]);
    for (size_t i = 0; i < items.list.count; i++) {
        lc_str file = items.list.items[i].file;
        bool named = lc_table_get(&w->known, file) != NULL;
        add(w, file);
        if (!named)
            add(w, lc_file_folder(file));
    }
    for (size_t i = 0; i < items.list.count && w->files.count < MOST_WATCHED; i++)
        add_documents(w, items.list.items[i].file);
    add_options(w);
}

/* ---- Rounds. */

/* A report that was written to a watched folder is not a change. */
static void look_at_folders(watch *w)
{
    for (size_t i = 0; i < w->files.count; i++) {
        if (w->files.items[i].folder)
            look(&w->files.items[i]);
    }
}

static const char *find_change(const watch *w)
{
    for (size_t i = 0; i < w->files.count; i++) {
        watched now = {.path = w->files.items[i].path};
        look(&now);
        if (!is_same(&now, &w->files.items[i]))
            return now.path;
    }
    return NULL;
}

/* Files that the first round has written may be written again. */
static void judge_in_child(watch *w, lc_exit (*judge)(const lc_cli *cli))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        lc_cli cli = *w->cli;
        sigprocmask(SIG_UNBLOCK, &w->signals, NULL);
        cli.options.force |= w->rounds > 0;
        if (w->rounds > 0)
            lc_cli_add(&cli, LC_OPTION_FORCE, LC_STR_EMPTY);
        _exit((int)judge(&cli));
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        w->status = LC_EXIT_INTERNAL;
    else if (WIFEXITED(status))
        w->status = (lc_exit)WEXITSTATUS(status);
    w->rounds++;
}

/* Waits for a change; NULL: the user has had enough. */
static const char *wait_for_change(const watch *w)
{
    const struct timespec pause = {0, PAUSE_NANOSECONDS};
    for (;;) {
        nanosleep(&pause, NULL);
        if (lc_signal_take(&w->signals))
            return NULL;
        const char *path = find_change(w);
        if (path)
            return path;
    }
}

/* On a terminal each report begins at the top of the screen; otherwise reports follow each
 * other. */
static void begin_again(const char *path)
{
    static const char clear[] = "\033[H\033[2J";
    if (isatty(STDOUT_FILENO) && write(STDOUT_FILENO, clear, sizeof clear - 1) < 0)
        return;
    lc_message("%s has changed", path);
}

static bool watch_round(watch *w, lc_exit (*judge)(const lc_cli *cli))
{
    w->arena = lc_arena_new();
    memset(&w->files, 0, sizeof w->files);
    lc_table_init(&w->known, w->arena);
    gather(w);
    judge_in_child(w, judge);
    look_at_folders(w);
    const char *path = wait_for_change(w);
    if (path)
        begin_again(path);
    lc_arena_free(w->arena);
    return path != NULL;
}

lc_exit lc_watch(const lc_cli *cli, lc_exit (*judge)(const lc_cli *cli))
{
    watch w = {.cli = cli, .status = LC_EXIT_FAILED};
    for (size_t i = 0; i < cli->words.count; i++) {
        if (lc_str_is(cli->words.items[i], "-")) {
            lc_message("--watch needs files: standard input can be read only once");
            return LC_EXIT_USAGE;
        }
    }
    sigemptyset(&w.signals);
    sigaddset(&w.signals, SIGINT);
    sigaddset(&w.signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &w.signals, NULL);
    while (w.status != LC_EXIT_USAGE && watch_round(&w, judge)) {
    }
    return w.status;
}

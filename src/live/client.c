/* Finds which process dials a socket, by asking the operating system. A provider has to work in the
 * folder and with the environment of the client that would have started it, which matters for
 * relative paths (`terraform -chdir=...`) and credentials set in a script. */
#define _GNU_SOURCE /* environ */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/base/table.h"

#include <string.h>
#include <unistd.h>

/* The value of an option, which may have one dash or two, and an equals sign or not; "": it is not
 * given. */
static lc_str value_of(char **arguments, const char *option)
{
    size_t length = strlen(option);
    for (size_t i = 1; arguments && arguments[i]; i++) {
        const char *word = arguments[i], *name = word + (word[0] == '-' && word[1] == '-');
        if (strncmp(name, option, length) != 0)
            continue;
        if (name[length] == '=')
            return lc_str_from_c(name + length + 1);
        if (name[length] == '\0' && arguments[i + 1])
            return lc_str_from_c(arguments[i + 1]);
    }
    return LC_STR_EMPTY;
}

/* -out=FILE, or the file that is applied. */
static lc_str plan_of(char **arguments)
{
    bool applies = false;
    lc_str last = value_of(arguments, "-out");
    if (last.len)
        return last;
    for (size_t i = 1; arguments && arguments[i]; i++) {
        const char *word = arguments[i];
        last = word[0] == '-' || !applies ? LC_STR_EMPTY : lc_str_from_c(word);
        applies |= strcmp(word, "apply") == 0;
    }
    return last;
}

/* -state-out=FILE, or -state=FILE. */
static lc_str state_of(char **arguments)
{
    lc_str out = value_of(arguments, "-state-out");
    return out.len ? out : value_of(arguments, "-state");
}

void lc_live_client_of(lc_live_client *out, lc_arena *arena, int fd)
{
    *out = (lc_live_client){.pid = lc_live_client_pid(fd),
                            .program = LC_STR_EMPTY,
                            .path = LC_STR_EMPTY,
                            .plan = LC_STR_EMPTY,
                            .state = LC_STR_EMPTY,
                            .folder = LC_STR_EMPTY};
    if (out->pid == 0)
        return;
    char **arguments;
    lc_live_words_of(arena, out->pid, &arguments, &out->environment);
    out->path = lc_live_program_of(arena, out->pid);
    out->program = lc_file_name(out->path);
    out->plan = plan_of(arguments);
    out->state = state_of(arguments);
    out->folder = lc_live_folder_of(arena, out->pid);
}

/* Variables that a shell or we set for a command, and that providers do not look at. */
static bool is_noise(const char *entry)
{
    static const char *const names[] = {
        "TF_REATTACH_PROVIDERS=", "_=", "SHLVL=", "PWD=", "OLDPWD="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

static void add_entries(lc_table *table, char **entries, size_t *count)
{
    for (size_t i = 0; entries[i]; i++) {
        if (!is_noise(entries[i]) && !lc_table_put(table, lc_str_from_c(entries[i]), table))
            ++*count;
    }
}

static bool same_environment(lc_arena *arena, char **other)
{
    lc_table ours;
    size_t own = 0, seen = 0;
    lc_table_init(&ours, arena);
    add_entries(&ours, environ, &own);
    for (size_t i = 0; other[i]; i++) {
        if (is_noise(other[i]))
            continue;
        if (!lc_table_get(&ours, lc_str_from_c(other[i])))
            return false;
        seen++;
    }
    return seen == own;
}

bool lc_live_client_is_ours(const lc_live_client *client, lc_arena *arena)
{
    char here[4096];
    bool same_folder =
        client->folder.len == 0 || !getcwd(here, sizeof here) || lc_str_is(client->folder, here);
    return same_folder && (!client->environment || same_environment(arena, client->environment));
}

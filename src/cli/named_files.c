/* The files that options name, checked before a command begins: a run that happens not to need an
 * input would ignore that it is missing, and an output that cannot be written would be noticed only
 * after the work is done. Reports then have the missing inputs, so that no one takes the report of
 * an earlier run for that of this one. */
#include "cli/checking.h"
#include "cli/scenario_file.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which file a value names. */

static lc_file_use use_of(const lc_cli *cli, lc_option option)
{
    static const lc_file_use uses[LC_OPTION_COUNT] = {
#define OPTION(...)
#define NAMES(option, use) [LC_OPTION_##option] = LC_NAMES_##use,
#include "cli/options.def"
#undef OPTION
    };
    bool given = cli->origins[option] == LC_FROM_FLAG;
    bool runs = cli->command == LC_COMMAND_DRIVE || cli->command == LC_COMMAND_PROBE;
    /* An address, or ADDRESS=BINARY, which who runs it checks; several are a mistake of usage. */
    if (option == LC_OPTION_PROVIDER && (!runs || cli->values[option].count > 1))
        return LC_NAMES_NOTHING;
    /* A variable is meant for other commands, too; these need a schema for some of their work. */
    if (option == LC_OPTION_SCHEMA && !given &&
        (cli->command == LC_COMMAND_SCHEMA || cli->command == LC_COMMAND_CFN))
        return LC_NAMES_NOTHING;
    if (option == LC_OPTION_OUTPUT && cli->command == LC_COMMAND_PROBE)
        return LC_NAMES_OUTPUT_FOLDER;
    if (option == LC_OPTION_OUTPUT && lc_command_runs_client(cli->command))
        return LC_NAMES_OUTPUT;
    return uses[option];
}

static bool exists(const lc_cli *cli, lc_str path)
{
    return access(lc_str_to_c(cli->arena, path), F_OK) == 0;
}

lc_str lc_cli_path(const lc_cli *cli, lc_str value)
{
    static const char *const formats[] = {"cloudformation:", "awscc:"};
    size_t equals = lc_str_find(value, 0, '=');
    if (equals < value.len && !exists(cli, value))
        value = lc_str_sub(value, equals + 1, value.len);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        lc_str format = lc_str_from_c(formats[i]);
        if (lc_str_starts_with(value, format))
            value = lc_str_sub(value, format.len, value.len);
    }
    return exists(cli, value) ? value : lc_str_sub(value, 0, lc_str_find(value, 0, '#'));
}

static bool is_no_file(lc_str path)
{
    return path.len == 0 || lc_str_is(path, "-") || lc_str_starts_with(path, LC_STR("unix:")) ||
           lc_str_starts_with(path, LC_STR("tcp:"));
}

lc_str lc_cli_input_path(const lc_cli *cli, lc_option option, lc_str value)
{
    lc_file_use use = use_of(cli, option);
    bool reads = use == LC_NAMES_FILE || use == LC_NAMES_FOLDER || use == LC_NAMES_PATH;
    if (option == LC_OPTION_PROVIDER_SCHEMA && lc_str_find(value, 0, '=') == value.len)
        return LC_STR_EMPTY; /* `serve` reports what is missing */
    lc_str path = reads ? lc_cli_path(cli, value) : LC_STR_EMPTY;
    return is_no_file(path) ? LC_STR_EMPTY : path;
}

/* ---- Inputs. */

static const char *missing_text(lc_arena *arena, lc_file_use use, lc_str path)
{
    const char *what = use == LC_NAMES_FILE     ? "file"
                       : use == LC_NAMES_FOLDER ? "folder"
                                                : "file or folder";
    return lc_str_to_c(arena, lc_no_such(arena, path, what));
}

/* NULL: it can be read. */
static const char *why_unreadable(lc_arena *arena, lc_file_use use, lc_str name)
{
    struct stat info;
    const char *path = lc_str_to_c(arena, name);
    bool missing = stat(path, &info) != 0;
    if (missing && errno == ENOENT)
        return missing_text(arena, use, name);
    if (missing || access(path, R_OK) != 0)
        return strerror(errno);
    bool folder = S_ISDIR(info.st_mode);
    if (use == LC_NAMES_FILE && folder)
        return "this is a folder, not a file: name a file in it";
    return use == LC_NAMES_FOLDER && !folder ? "this is a file, not a folder: name its folder"
                                             : NULL;
}

/* The option is named as the user gave it; the settings file has a place, which reports show. */
static void refuse(lc_diags *diags, const lc_cli *cli, lc_option option, lc_str path,
                   const char *why)
{
    if (cli->origins[option] == LC_FROM_FILE)
        lc_diag_error(diags, cli->config.places[option],
                      "%s: %.*s: %s (--no-settings leaves the settings out)",
                      lc_option_get(option)->name, LC_FMT(path), why);
    else
        lc_diag_error(diags, (lc_loc){lc_cli_option_name(cli, option), 0, 0}, "%.*s: %s",
                      LC_FMT(path), why);
}

bool lc_cli_can_read(const lc_cli *cli, lc_option option, lc_diags *diags)
{
    size_t before = diags->errors;
    for (size_t i = 0; i < cli->values[option].count; i++) {
        lc_str path = lc_cli_input_path(cli, option, cli->values[option].items[i]);
        const char *why = path.len ? why_unreadable(cli->arena, use_of(cli, option), path) : NULL;
        if (why)
            refuse(diags, cli, option, path, why);
    }
    return diags->errors == before;
}

/* ---- Outputs. */

/* False: see errno. Devices and pipes are not opened, because their reader would see that. */
static bool can_write_file(lc_arena *arena, const char *path)
{
    struct stat info;
    lc_output_file file;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return access(path, W_OK) == 0;
    if (!lc_output_file_open(&file, arena, path))
        return false;
    lc_output_file_discard(&file);
    return true;
}

/* The folder, or the nearest folder above it in which it would be made. False: see errno. */
static bool can_make_folder(lc_arena *arena, lc_str path)
{
    struct stat info;
    const char *at = lc_str_to_c(arena, path);
    while (stat(at, &info) != 0) {
        if (errno != ENOENT || lc_str_is(path, "."))
            return false;
        size_t end = path.len;
        while (end > 0 && path.ptr[end - 1] == '/')
            end--;
        while (end > 0 && path.ptr[end - 1] != '/')
            end--;
        path = end ? lc_str_sub(path, 0, end) : LC_STR(".");
        at = lc_str_to_c(arena, path);
    }
    if (S_ISDIR(info.st_mode))
        return access(at, W_OK | X_OK) == 0;
    errno = ENOTDIR;
    return false;
}

static lc_str why_unwritable(const lc_cli *cli, lc_str path, int error)
{
    lc_str folder = lc_file_folder(path);
    if (error == ENOENT && !exists(cli, folder))
        return lc_str_printf(cli->arena, "%s; make the folder %.*s first", strerror(error),
                             LC_FMT(folder));
    return lc_str_from_c(strerror(error));
}

static bool can_write(const lc_cli *cli, lc_option option, lc_file_use use, lc_str path)
{
    bool good =
        is_no_file(path) ||
        (use == LC_NAMES_OUTPUT_FOLDER ? can_make_folder(cli->arena, path)
                                       : can_write_file(cli->arena, lc_str_to_c(cli->arena, path)));
    if (!good)
        lc_message("%.*s: %.*s cannot be written: %.*s", LC_FMT(lc_cli_option_name(cli, option)),
                   LC_FMT(path), LC_FMT(why_unwritable(cli, path, errno)));
    return good;
}

/* Is the file to be in a folder that the command makes for its output? Then it is made here. */
static void make_folder_of_output(const lc_cli *cli, lc_str path)
{
    lc_str folder = lc_file_folder(path);
    for (unsigned i = 0; i < LC_OPTION_COUNT && !exists(cli, folder); i++) {
        if (use_of(cli, (lc_option)i) != LC_NAMES_OUTPUT_FOLDER)
            continue;
        lc_str made = lc_cli_text(cli, (lc_option)i);
        while (made.len > 1 && made.ptr[made.len - 1] == '/')
            made.len--;
        bool below = lc_str_starts_with(folder, made) &&
                     (folder.len == made.len || folder.ptr[made.len] == '/');
        if (made.len && below)
            lc_make_folder(cli->arena, folder);
    }
}

/* The copy of a capture directory is a folder, which `redact` checks with its temporary name. */
static bool may_be_folder(const lc_cli *cli, lc_str path)
{
    return cli->command == LC_COMMAND_REDACT &&
           (lc_str_ends_with(path, LC_STR("/")) || lc_is_folder(cli->arena, path));
}

static lc_exit check_reports(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    for (size_t i = 0; i < o->wanted_count; i++) {
        const lc_wanted *wanted = &o->wanted[i];
        lc_option option = i ? LC_OPTION_REPORT : LC_OPTION_OUTPUT;
        if (i == 0 && may_be_folder(cli, wanted->path))
            continue;
        lc_exit status = lc_may_write(cli, wanted);
        if (status != LC_EXIT_OK)
            return status;
        make_folder_of_output(cli, wanted->path);
        if (!can_write(cli, option, LC_NAMES_OUTPUT, wanted->path))
            return LC_EXIT_INTERNAL;
    }
    return LC_EXIT_OK;
}

lc_exit lc_cli_check_files(const lc_cli *cli)
{
    bool written = true;
    lc_diags missing;
    lc_diags_init(&missing, cli->arena);
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        lc_option option = (lc_option)i;
        lc_file_use use = use_of(cli, option);
        lc_cli_can_read(cli, option, &missing);
        if (use == LC_NAMES_OUTPUT || use == LC_NAMES_OUTPUT_FOLDER)
            written &= can_write(cli, option, use, lc_cli_text(cli, option));
    }
    lc_report_diags(&missing);
    if (!written || !lc_learned_may_write(cli))
        return missing.errors ? LC_EXIT_INPUT : LC_EXIT_INTERNAL;
    lc_exit status = check_reports(cli);
    if (missing.errors == 0)
        return status;
    return status == LC_EXIT_OK ? lc_report_refused(cli, &missing) : LC_EXIT_INPUT;
}

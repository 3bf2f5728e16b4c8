/* Loads the modules of configurations: from folders, or from a document. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/scope.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits for the files of one configuration; the clients have none. */
#define MAX_FILE_BYTES ((size_t)32 << 20)
#define MAX_ALL_BYTES  ((size_t)256 << 20)

typedef struct config_dir {
    lc_arena *arena;
    lc_str root; /* the folder; empty: the current one */
    lc_str only; /* the only file of the root module, or empty */
    lc_limits limits;
    lc_diags *diags;
    const lc_roots *roots;
    size_t bytes;                  /* of all files so far */
    lc_table opened;               /* path -> lc_config_folder */
    LC_VEC(lc_str) missing;        /* files with values that are links which lead nowhere */
    LC_VEC(lc_config_file) values; /* of variables, in the root module's folder */
    lc_manifest *manifest;         /* of installed modules; NULL: not looked for yet */
} config_dir;

static bool ends_with(lc_str name, const char *end)
{
    return lc_str_ends_with(name, lc_str_from_c(end));
}

static lc_str join(lc_arena *arena, lc_str folder, lc_str name)
{
    if (folder.len == 0 || name.len == 0)
        return folder.len == 0 ? name : folder;
    bool slash = folder.ptr[folder.len - 1] == '/';
    return lc_str_printf(arena, "%.*s%s%.*s", LC_FMT(folder), slash ? "" : "/", LC_FMT(name));
}

/* ---- Files. */

static lc_loc beginning_of(lc_str path)
{
    return (lc_loc){path, 1, 1};
}

/* A symbolic link may lead to any file that the configuration may name. */
static bool stays_inside(config_dir *d, lc_str path)
{
    struct stat info;
    if (lstat(lc_str_to_c(d->arena, path), &info) != 0 || !S_ISLNK(info.st_mode))
        return true;
    lc_str target = lc_real_path(d->arena, path);
    if (!target.len ||
        (lc_roots_hold(d->roots, target) && !lc_roots_private(d->roots, target, false)))
        return true;
    lc_diag_error(d->diags, beginning_of(path),
                  "the symbolic link leads out of the configuration; it is not followed");
    return false;
}

/* False: it cannot be read, or is not text; reported. */
static bool read_text(config_dir *d, lc_str path, lc_str *out)
{
    struct stat info;
    size_t most = d->limits.input_bytes < MAX_FILE_BYTES ? d->limits.input_bytes : MAX_FILE_BYTES;
    if (!stays_inside(d, path))
        return false;
    if (stat(lc_str_to_c(d->arena, path), &info) == 0 && !S_ISREG(info.st_mode)) {
        lc_diag_error(d->diags, beginning_of(path), "this is not a regular file");
        return false;
    }
    if (info.st_size > 0 && (uintmax_t)info.st_size > most) {
        lc_diag_error(d->diags, beginning_of(path), "the file is too large: more than %zu MiB",
                      most >> 20);
        return false;
    }
    if (lc_file_read(out, d->arena, path, most, d->diags) != LC_OK)
        return false;
    d->bytes += out->len;
    if (d->bytes <= MAX_ALL_BYTES)
        return true;
    lc_diag_error(d->diags, beginning_of(path), "the files of the configuration are too large");
    return false;
}

static bool read_file(config_dir *d, lc_str folder, lc_str name, lc_config_file *out)
{
    lc_str path = join(d->arena, folder, name), text;
    if (!read_text(d, path, &text))
        return false;
    lc_config_file_parse(out, d->arena, name, path, text);
    return true;
}

static bool holds_values(lc_str name)
{
    return lc_str_is(name, "terraform.tfvars") || lc_str_is(name, "terraform.tfvars.json") ||
           ends_with(name, ".auto.tfvars") || ends_with(name, ".auto.tfvars.json");
}

/* The clients look whether terraform.tfvars is there. Of other files with values they take the name
 * from the folder, and fail if a link leads nowhere. */
static void read_values(config_dir *d, lc_str folder, lc_str name)
{
    lc_config_file file;
    struct stat info;
    lc_str path = join(d->arena, folder, name);
    bool leads_nowhere = stat(lc_str_to_c(d->arena, path), &info) != 0 && errno == ENOENT;
    if (leads_nowhere && !lc_str_starts_with(name, LC_STR("terraform.tfvars")))
        *LC_PUSH(d->arena, &d->missing, lc_str) = path;
    else if (!leads_nowhere && read_file(d, folder, name, &file))
        *LC_PUSH(d->arena, &d->values, lc_config_file) = file;
}

static void read_entry(config_dir *d, lc_str path, lc_str name, lc_config_folder *out)
{
    bool root = lc_str_eq(path, d->root);
    lc_config_file file;
    if (root && holds_values(name))
        read_values(d, path, name);
    if ((root && d->only.len > 0 && !lc_str_eq(name, d->only)) || !lc_config_is_file(name))
        return;
    if (read_file(d, path, name, &file))
        *LC_PUSH(d->arena, &out->files, lc_config_file) = file;
    else
        out->incomplete = true;
}

/* Like the clients, this ignores hidden files and backups of editors. */
static bool is_ignored(lc_str name)
{
    return name.ptr[0] == '.' || ends_with(name, "~") ||
           (name.ptr[0] == '#' && ends_with(name, "#"));
}

static bool is_folder(config_dir *d, lc_str path)
{
    struct stat info;
    return stat(lc_str_to_c(d->arena, path), &info) == 0 && S_ISDIR(info.st_mode);
}

static void read_entries(config_dir *d, DIR *dir, lc_str path, lc_config_folder *out)
{
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        lc_str name = lc_str_copy(d->arena, lc_str_from_c(entry->d_name));
        if (!is_ignored(name) && (lc_config_is_file(name) || holds_values(name)) &&
            !is_folder(d, join(d->arena, path, name)))
            read_entry(d, path, name, out);
    }
}

/* A folder that is not there leads nowhere. */
static bool leads_out(config_dir *d, lc_str path)
{
    lc_str full = lc_real_path(d->arena, path);
    return full.len && !lc_roots_hold(d->roots, full);
}

static bool open_folder(void *context, lc_arena *arena, lc_str relative, lc_config_folder *out)
{
    config_dir *d = context;
    const lc_config_folder *known = lc_table_get(&d->opened, relative);
    (void)arena;
    if (known) {
        *out = *known;
        return true;
    }
    lc_str path = join(d->arena, d->root, relative);
    if (!lc_roots_hold(d->roots, lc_roots_path(d->roots, d->arena, relative)) ||
        leads_out(d, path)) {
        out->refused = lc_str_from_c(lc_roots_outside(d->roots));
        return false;
    }
    DIR *dir = opendir(path.len ? lc_str_to_c(d->arena, path) : ".");
    if (!dir) {
        lc_check_memory();
        return false;
    }
    lc_config_folder *folder = LC_NEW(d->arena, lc_config_folder);
    read_entries(d, dir, path, folder);
    closedir(dir);
    lc_table_put(&d->opened, relative, folder);
    *out = *folder;
    return true;
}

/* ---- Tests. */

typedef struct test_files {
    const lc_str *filters;
    size_t filter_count;
    lc_profile profile;
} test_files;

static bool is_run(config_dir *d, const test_files *tests, lc_str path)
{
    for (size_t i = 0; i < tests->filter_count; i++) {
        if (lc_str_eq(lc_path_clean(d->arena, tests->filters[i]), path))
            return true;
    }
    return tests->filter_count == 0;
}

static void open_tests(lc_given_configuration *given, const test_files *tests, lc_str folder,
                       lc_diags *diags)
{
    config_dir *d = given->loader.context;
    lc_config_folder found = {0};
    lc_str path = join(d->arena, d->root, folder);
    DIR *dir = leads_out(d, path) ? NULL : opendir(path.len ? lc_str_to_c(d->arena, path) : ".");
    if (!dir)
        return;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        lc_str name = lc_str_copy(d->arena, lc_str_from_c(entry->d_name));
        lc_config_file file;
        if (!is_ignored(name) && lc_config_is_test(name, tests->profile) &&
            is_run(d, tests, join(d->arena, folder, name)) && read_file(d, path, name, &file))
            *LC_PUSH(d->arena, &found.files, lc_config_file) = file;
    }
    closedir(dir);
    lc_configuration_open_tests(given->config, &given->loader, folder, &found, diags);
}

void lc_configuration_open_tests_in(lc_given_configuration *given, lc_str folder,
                                    const lc_str *filters, size_t filter_count, lc_diags *diags)
{
    const test_files tests = {filters, filter_count, given->config->profile};
    config_dir *d = given->loader.context;
    if (given->loader.open != open_folder)
        return;
    lc_str clean = lc_path_clean(d->arena, folder);
    open_tests(given, &tests, LC_STR_EMPTY, diags);
    if (!lc_str_is(clean, "."))
        open_tests(given, &tests, clean, diags);
}

/* ---- Installed modules. */

static lc_config_installed find_installed(void *context, lc_arena *arena, lc_str key, lc_str source,
                                          lc_str *path)
{
    config_dir *d = context;
    (void)arena;
    if (!d->manifest)
        d->manifest = lc_manifest_open(d->arena, d->root, d->roots, &d->limits, d->diags);
    return lc_manifest_find(d->manifest, key, source, path);
}

static lc_str parent_of(lc_str path, lc_str *name)
{
    size_t slash = path.len;
    while (slash > 0 && path.ptr[slash - 1] != '/')
        slash--;
    *name = lc_str_sub(path, slash, path.len);
    return lc_str_sub(path, 0, slash > 1 ? slash - 1 : slash);
}

static bool cannot_open(lc_arena *arena, lc_str path, lc_loc at, lc_diags *diags)
{
    bool named = lc_str_eq(at.file, path);
    lc_str why =
        errno == ENOENT ? lc_no_such(arena, path, "folder") : lc_str_from_c(strerror(errno));
    lc_diag_error(diags, at, "%.*s%s%.*s", LC_FMT(named ? LC_STR_EMPTY : path),
                  named ? "" : " cannot be opened: ", LC_FMT(why));
    return false;
}

/* A folder without a configuration is an error: nothing would be judged in it, which would look
 * like a correct configuration. */
static bool has_configuration(config_dir *d, lc_str path, lc_loc at)
{
    lc_config_folder folder;
    size_t errors = d->diags->errors;
    bool named = lc_str_eq(at.file, path);
    if (!open_folder(d, d->arena, LC_STR_EMPTY, &folder))
        return cannot_open(d->arena, path, at, d->diags);
    if (folder.files.count == 0 && d->diags->errors == errors)
        lc_diag_error(
            d->diags, at,
            "%.*s%sno configuration is in this folder: name one with *.tf or *.tf.json files",
            LC_FMT(named ? LC_STR_EMPTY : path), named ? "" : ": ");
    return d->diags->errors == errors;
}

bool lc_config_dir_open(lc_config_loader *loader, lc_arena *arena, const lc_config_source *source,
                        lc_diags *diags)
{
    struct stat info;
    config_dir *d = LC_NEW(arena, config_dir);
    *d = (config_dir){
        .arena = arena, .root = source->path, .limits = source->limits, .diags = diags};
    lc_table_init(&d->opened, arena);
    *loader = (lc_config_loader){.context = d, .open = open_folder, .installed = find_installed};
    if (stat(lc_str_to_c(arena, source->path), &info) != 0)
        return cannot_open(arena, source->path, source->loc, diags);
    if (!S_ISDIR(info.st_mode))
        d->root = parent_of(source->path, &d->only);
    d->roots = lc_roots_new(arena, d->root, &source->access, diags);
    lc_folder_files_new(&loader->files, arena, d->root, d->roots);
    loader->files.shown = source->access.shown_values;
    if (S_ISDIR(info.st_mode))
        return has_configuration(d, source->path, source->loc);
    if (lc_config_is_file(d->only))
        return true;
    bool named = lc_str_eq(source->loc.file, source->path);
    lc_diag_error(
        diags, source->loc,
        "%.*s%sthis is not a configuration: name a folder with *.tf or *.tf.json files, or "
        "one of them",
        LC_FMT(named ? LC_STR_EMPTY : source->path), named ? "" : ": ");
    return false;
}

/* The clients read terraform.tfvars first, then terraform.tfvars.json, and then the others by name.
 */
static int turn_of(lc_str name)
{
    return lc_str_is(name, "terraform.tfvars")        ? 0
           : lc_str_is(name, "terraform.tfvars.json") ? 1
                                                      : 2;
}

static int by_turn(const void *a, const void *b)
{
    const lc_config_file *x = a, *y = b;
    int first = turn_of(x->name) - turn_of(y->name);
    return first ? first : lc_str_cmp(x->name, y->name);
}

void lc_variables_from_folder(lc_given_configuration *given)
{
    config_dir *d = given->loader.context;
    if (given->loader.open != open_folder)
        return;
    for (size_t i = 0; i < d->missing.count; i++) {
        lc_config_problem *p = lc_config_problem_add(given->config, (lc_source_pos){NULL, 0, 0},
                                                     LC_SUMMARY_VARIABLES_FILE);
        p->loc = beginning_of(d->missing.items[i]);
        p->detail = LC_STR("the symbolic link leads nowhere");
    }
    if (d->values.count > 0)
        qsort(d->values.items, d->values.count, sizeof(lc_config_file), by_turn);
    for (size_t i = 0; i < d->values.count; i++) {
        const lc_config_file *file = &d->values.items[i];
        for (const lc_eval_error *e = file->errors; e; e = e->next)
            lc_config_diagnose(d->diags, e->place, e->summary, e->detail);
        lc_variables_give_file(given->config, &given->around, file);
    }
}

/* ---- A configuration within a document. */

typedef struct inline_modules {
    const lc_source *source;
    const lc_node *root, *modules;
} inline_modules;

static bool open_inline(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const inline_modules *m = context;
    const lc_node *root = path.len == 0 ? m->root : NULL;
    for (uint32_t i = 0; !root && m->modules && i < m->modules->count; i++) {
        lc_str name = m->modules->as.members[i].key;
        if (lc_str_starts_with(name, LC_STR("./")))
            name = lc_str_sub(name, 2, name.len);
        if (lc_str_eq(name, path))
            root = &m->modules->as.members[i].value;
    }
    if (!root)
        return false;
    *LC_PUSH(arena, &out->files, lc_config_file) = (lc_config_file){
        .name = LC_STR("main.tf.json"), .source = m->source, .root = root, .converted = true};
    return true;
}

void lc_config_inline(lc_config_loader *loader, lc_arena *arena, const lc_source *source,
                      const lc_node *root, const lc_node *modules)
{
    inline_modules *m = LC_NEW(arena, inline_modules);
    *m = (inline_modules){source, root, modules};
    *loader = (lc_config_loader){.context = m, .open = open_inline};
}

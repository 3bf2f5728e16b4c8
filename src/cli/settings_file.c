/* The settings file, .lifecheck.yaml: options by their long names, paths that walks skip, and
 * accepted findings.
 *
 *   fail-on: warning
 *   schema: [schemas/providers.json]      # names of files are seen from this file
 *   exclude: ['*-draft.yaml']
 *   ignore:
 *     - plan/requires-replace-echo        # a rule, as with --ignore
 *     - {rule: 'read/normalized', type: 'example_*', path: '.tags[*]', reason: "API-7",
 *        until: 2027-01-01}
 *
 * It may have options of the project, not those that name the inputs and outputs of one run. A
 * file that --settings does not name may come from a stranger, by a pull request for example. So
 * it is looked for in the repository only, must be owned by a trusted user, and may name files
 * of its own folder only. */
/* realpath, which bare POSIX.1-2008 has under this name. */
#define _XOPEN_SOURCE 700
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME       ".lifecheck.yaml"
#define MAX_BYTES  ((size_t)1 << 20)
#define MAX_NODES  ((size_t)100000)
#define MAX_LEVELS 100

#define BIT(command) (1u << LC_COMMAND_##command)

typedef struct reader {
    lc_cli *cli;
    lc_source source;
    lc_diags *diags;
    bool named; /* named by --settings or its variable, so it is trusted */
} reader;

/* ---- Which settings are allowed. */

/* Commands have different formats, and `init` and `schema` take one schema document, so these
 * settings do not hold for all. */
static bool holds_for(lc_option option, lc_command command)
{
    unsigned commands = lc_option_get(option)->commands;
    if (command == LC_COMMAND_SETTINGS)
        return true;
    if (option == LC_OPTION_FORMAT)
        commands = BIT(CHECK) | BIT(MERGE);
    if (option == LC_OPTION_SCHEMA)
        commands &= ~(BIT(INIT) | BIT(SCHEMA));
    return (commands & 1u << command) != 0;
}

/* ---- Complaints. */

static lc_loc at(const reader *r, const lc_node *node)
{
    return lc_node_loc(&r->source, node);
}

static void complain_of_key(reader *r, const lc_member *member, const char *what,
                            const lc_str *names, size_t count)
{
    lc_str near = lc_str_nearest(member->key, names, count);
    lc_diag_error(r->diags, lc_where_loc(&r->source, member->where),
                  "the key \"%.*s\" is not known in %s%s%.*s%s", LC_FMT(member->key), what,
                  near.len ? "; did you mean \"" : "", LC_FMT(near),
                  near.len ? "\"?" : "; `lifecheck settings` prints those there are");
}

static void unknown_setting(reader *r, const lc_member *member)
{
    lc_str names[LC_OPTION_COUNT + 1];
    size_t count = 0;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->scope == LC_SCOPE_WRITES && lc_str_is(member->key, info->name)) {
            lc_diag_error(r->diags, lc_where_loc(&r->source, member->where),
                          "%.*s names an output: give it on the command line", LC_FMT(member->key));
            return;
        }
        if (info->scope == LC_SCOPE_SETTING)
            names[count++] = lc_str_from_c(info->name);
    }
    names[count++] = LC_STR("exclude");
    complain_of_key(r, member, "a settings file", names, count);
}

/* ---- Values. */

static bool is_scalar(const lc_node *node)
{
    return node->kind == LC_NODE_STRING || node->kind == LC_NODE_NUMBER;
}

/* `FILE` is relative to the settings file. */
static lc_str beside(const reader *r, lc_str path)
{
    lc_str file = r->cli->config.file;
    size_t end = file.len;
    while (end > 0 && file.ptr[end - 1] != '/')
        end--;
    if (end == 0 || path.len == 0 || path.ptr[0] == '/' || lc_str_is(path, "-"))
        return path;
    return lc_str_printf(r->cli->arena, "%.*s%.*s", LC_FMT(lc_str_sub(file, 0, end)), LC_FMT(path));
}

/* Does the path lead out of the folder, as it is written or through a link? */
static bool leads_out(const reader *r, lc_str path)
{
    char folder[PATH_MAX], file[PATH_MAX];
    lc_arena *arena = r->cli->arena;
    const char *written = lc_str_to_c(arena, lc_str_printf(arena, "/%.*s/", LC_FMT(path)));
    if (lc_str_is(path, "-") || (path.len && path.ptr[0] == '/') || strstr(written, "/../"))
        return true;
    if (!realpath(lc_str_to_c(arena, beside(r, LC_STR("."))), folder) ||
        !realpath(lc_str_to_c(arena, beside(r, path)), file))
        return false; /* there is no such file, which is reported when it is opened */
    size_t len = strlen(folder);
    return len > 1 && (strncmp(file, folder, len) != 0 || file[len] != '/');
}

static bool is_allowed(reader *r, const lc_option_info *info, const lc_node *node)
{
    if (r->named || strcmp(info->argument, "FILE") != 0 || !leads_out(r, node->as.text))
        return true;
    lc_diag_error(r->diags, at(r, node),
                  "%s names a file outside of the folder of these settings; --settings %.*s "
                  "allows that",
                  info->name, LC_FMT(r->cli->config.file));
    return false;
}

static lc_str value_of(const reader *r, const lc_option_info *info, lc_str text)
{
    return strcmp(info->argument, "FILE") == 0 ? beside(r, text) : text;
}

/* A flag or a variable overrides the value, but the value is checked nevertheless. */
static void set(reader *r, lc_option option, const lc_node *node, bool taken)
{
    const lc_option_info *info = lc_option_get(option);
    if (!is_scalar(node))
        lc_diag_error(r->diags, at(r, node), "%s takes %s, not %s", info->name, info->argument,
                      lc_node_kind_name(node));
    else if (is_allowed(r, info, node) && taken)
        lc_cli_add(r->cli, option, value_of(r, info, node->as.text));
}

static void set_flag(reader *r, lc_option option, const lc_node *node, bool taken)
{
    if (node->kind != LC_NODE_BOOL)
        lc_diag_error(r->diags, at(r, node), "%s takes true or false, not %s",
                      lc_option_get(option)->name, lc_node_kind_name(node));
    else if (taken && node->boolean)
        lc_cli_add(r->cli, option, LC_STR_EMPTY);
}

/* ---- Accepted findings. */

static bool read_text(reader *r, lc_str *out, const lc_node *node, const char *what)
{
    if (is_scalar(node) && node->as.text.len) {
        *out = node->as.text;
        return true;
    }
    lc_diag_error(r->diags, at(r, node), "%s is a string that is not empty", what);
    return false;
}

static void read_rule(reader *r, lc_ignore *out, const lc_node *node)
{
    if (!read_text(r, &out->rule, node, "a rule"))
        return;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, out->rule))
            return;
    }
    lc_buf words = {0};
    lc_rule_add_unmatched(&words, out->rule);
    lc_diag_error(r->diags, at(r, node), "%.*s", LC_FMT(lc_buf_str(&words)));
    lc_buf_release(&words);
}

static void read_path(reader *r, lc_ignore *out, const lc_node *node)
{
    lc_str text, why;
    size_t where;
    if (!read_text(r, &text, node, "a path"))
        return;
    out->has_path = lc_path_parse(&out->path, r->cli->arena, text, true, &why, &where);
    if (!out->has_path)
        lc_diag_error(r->diags, at(r, node), "this is not a path: %.*s", LC_FMT(why));
}

static void read_until(reader *r, lc_ignore *out, const lc_node *node)
{
    lc_str text;
    if (read_text(r, &text, node, "until") && !lc_date_parse(&out->until, text))
        lc_diag_error(r->diags, at(r, node), "until takes a date of the form YYYY-MM-DD");
}

static void read_ignore_key(reader *r, lc_ignore *out, const lc_member *member)
{
    static const char *const known[] = {"rule", "type", "resource", "path", "reason", "until"};
    lc_str names[6];
    for (size_t i = 0; i < 6; i++)
        names[i] = lc_str_from_c(known[i]);
    if (lc_str_is(member->key, "rule"))
        read_rule(r, out, &member->value);
    else if (lc_str_is(member->key, "type"))
        read_text(r, &out->type, &member->value, "a type");
    else if (lc_str_is(member->key, "resource"))
        read_text(r, &out->resource, &member->value, "a resource");
    else if (lc_str_is(member->key, "path"))
        read_path(r, out, &member->value);
    else if (lc_str_is(member->key, "reason"))
        read_text(r, &out->reason, &member->value, "a reason");
    else if (lc_str_is(member->key, "until"))
        read_until(r, out, &member->value);
    else
        complain_of_key(r, member, "an ignore", names, 6);
}

static void read_ignore(reader *r, const lc_node *node)
{
    lc_config *config = &r->cli->config;
    if (config->ignores.count == LC_MAX_IGNORES) {
        lc_diag_error(r->diags, at(r, node), "there are more than %d ignores", LC_MAX_IGNORES);
        return;
    }
    lc_ignore *ignore = LC_PUSH(r->cli->arena, &config->ignores, lc_ignore);
    *ignore = (lc_ignore){.loc = at(r, node)};
    for (uint32_t i = 0; i < node->count; i++)
        read_ignore_key(r, ignore, &node->as.members[i]);
    if (!lc_node_get(node, "rule"))
        lc_diag_error(r->diags, ignore->loc,
                      "an ignore needs the key \"rule\", as in rule: apply/changed");
    if (!lc_node_get(node, "reason"))
        lc_diag_error(r->diags, ignore->loc,
                      "an ignore needs the key \"reason\": say why, as in reason: \"issue 7\"");
}

/* ---- Keys. */

/* Entries of `ignore` are rules, as with --ignore, or mappings. */
static void read_item(reader *r, lc_option option, const lc_node *node, bool taken)
{
    if (option == LC_OPTION_IGNORE && node->kind == LC_NODE_MAPPING)
        read_ignore(r, node);
    else
        set(r, option, node, taken);
}

static void read_setting(reader *r, lc_option option, const lc_member *member)
{
    const lc_option_info *info = lc_option_get(option);
    lc_cli *cli = r->cli;
    const lc_node *node = &member->value;
    bool taken = cli->origins[option] == LC_FROM_DEFAULT && holds_for(option, cli->command);
    if (taken) {
        cli->origins[option] = LC_FROM_FILE;
        cli->config.places[option] = lc_where_loc(&r->source, member->where);
    }
    if (info->kind == LC_ARGUMENT_FLAG)
        set_flag(r, option, node, taken);
    else if (info->kind == LC_ARGUMENT_LIST && node->kind == LC_NODE_SEQUENCE)
        for (uint32_t i = 0; i < node->count; i++)
            read_item(r, option, &node->as.items[i], taken);
    else
        read_item(r, option, node, taken);
}

static void read_exclude(reader *r, const lc_node *node)
{
    const lc_node *items = node->kind == LC_NODE_SEQUENCE ? node->as.items : node;
    uint32_t count = node->kind == LC_NODE_SEQUENCE ? node->count : 1;
    lc_str glob;
    for (uint32_t i = 0; i < count; i++) {
        if (read_text(r, &glob, &items[i], "what is excluded"))
            *LC_PUSH(r->cli->arena, &r->cli->config.exclude, lc_str) = glob;
    }
}

static void read_key(reader *r, const lc_member *member)
{
    if (lc_str_is(member->key, "exclude")) {
        read_exclude(r, &member->value);
        return;
    }
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *info = lc_option_get((lc_option)i);
        if (info->scope != LC_SCOPE_SETTING || !lc_str_is(member->key, info->name))
            continue;
        read_setting(r, (lc_option)i, member);
        return;
    }
    unknown_setting(r, member);
}

/* ---- The file. */

static bool is_same_folder(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The user or root owns the file, and no other user can write to it. A group with the user's own
 * number is taken for the user's private group. */
static bool is_trusted(const struct stat *info)
{
    bool own_group = info->st_gid == getegid() && (uintmax_t)info->st_gid == (uintmax_t)geteuid();
    return (info->st_uid == geteuid() || info->st_uid == 0) && !(info->st_mode & S_IWOTH) &&
           (!(info->st_mode & S_IWGRP) || own_group);
}

static bool is_there(lc_arena *arena, lc_str folder, const char *name, struct stat *info)
{
    return stat(lc_str_to_c(arena, lc_str_printf(arena, "%.*s%s", LC_FMT(folder), name)), info) ==
           0;
}

/* How many folders up the root of the repository is; without a repository only the working
 * directory counts. */
static unsigned levels_of_repository(lc_arena *arena)
{
    lc_str folder = LC_STR_EMPTY;
    for (unsigned level = 0; level < MAX_LEVELS; level++) {
        struct stat git, here, above;
        lc_str up = lc_str_printf(arena, "%.*s../", LC_FMT(folder));
        if (is_there(arena, folder, ".git", &git))
            return level;
        if (!is_there(arena, folder, ".", &here) || !is_there(arena, up, ".", &above) ||
            is_same_folder(&here, &above))
            return 0;
        folder = up;
    }
    return 0;
}

/* Names that other programs would read. */
static void report_other_names(lc_arena *arena, lc_str folder)
{
    static const char *const names[] = {".lifecheck.yml", ".lifecheck.json", ".lifecheck.toml"};
    struct stat info;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_there(arena, folder, names[i], &info) && S_ISREG(info.st_mode))
            lc_message("%.*s%s is not read: a settings file is named " NAME
                       "; --settings %.*s%s takes it",
                       LC_FMT(folder), names[i], LC_FMT(folder), names[i]);
    }
}

/* The nearest one from the working directory up to the root of the repository, or "". */
static lc_str find_nearest(lc_arena *arena)
{
    lc_str folder = LC_STR_EMPTY;
    unsigned most = levels_of_repository(arena);
    for (unsigned level = 0; level <= most; level++) {
        struct stat info;
        lc_str file = lc_str_printf(arena, "%.*s%s", LC_FMT(folder), NAME);
        if (is_there(arena, folder, NAME, &info) && S_ISREG(info.st_mode)) {
            if (is_trusted(&info))
                return file;
            lc_message("%.*s is not read: another user owns it or can write to it; --settings %.*s "
                       "takes it",
                       LC_FMT(file), LC_FMT(file));
        } else {
            report_other_names(arena, folder);
        }
        folder = lc_str_printf(arena, "%.*s../", LC_FMT(folder));
    }
    return LC_STR_EMPTY;
}

static void read_document(reader *r)
{
    const lc_node *root = r->source.documents;
    if (r->source.count == 0 || root->kind == LC_NODE_NULL)
        return;
    if (r->source.count > 1)
        lc_diag_error(r->diags, at(r, &root[1]), "a settings file is one document");
    if (root->kind != LC_NODE_MAPPING) {
        lc_diag_error(r->diags, at(r, root),
                      "a settings file is a mapping, not %s: write lines such as `strict: true`",
                      lc_node_kind_name(root));
        return;
    }
    for (uint32_t i = 0; i < root->count; i++)
        read_key(r, &root->as.members[i]);
}

/* Nothing but comments: all settings have their defaults. */
static bool is_blank(lc_str text)
{
    bool comment = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        comment = c != '\n' && (comment || c == '#');
        if (!comment && c != ' ' && c != '\n' && c != '\r')
            return false;
    }
    return true;
}

void lc_config_read_text(lc_cli *cli, lc_str text, bool named, lc_diags *diags)
{
    reader r = {.cli = cli, .diags = diags, .named = named};
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.nodes = MAX_NODES;
    if (!is_blank(text) &&
        lc_yaml_parse(&r.source, cli->arena, cli->config.file, text, &limits, diags) == LC_OK)
        read_document(&r);
}

bool lc_config_read(lc_cli *cli)
{
    lc_arena *arena = cli->arena;
    lc_diags diags;
    lc_str text;
    if (!lc_option_is_allowed(LC_OPTION_SETTINGS, cli->command))
        return true;
    bool named = lc_cli_has(cli, LC_OPTION_SETTINGS);
    if (!lc_cli_has(cli, LC_OPTION_NO_SETTINGS))
        cli->config.file = named ? lc_cli_text(cli, LC_OPTION_SETTINGS) : find_nearest(arena);
    if (cli->config.file.len == 0)
        return true;
    lc_diags_init(&diags, arena);
    if (lc_file_read(&text, arena, cli->config.file, MAX_BYTES, &diags) == LC_OK)
        lc_config_read_text(cli, text, named, &diags);
    return lc_report_diags(&diags);
}

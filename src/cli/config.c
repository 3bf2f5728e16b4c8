/* The configuration file, .lifecheck.yaml: options by their long names, what walks pass over, and
 * findings that are known and accepted.
 *
 *   fail-on: warning
 *   schema: [schemas/providers.json]      # names of files are seen from this file
 *   exclude: ['*-draft.yaml']
 *   ignore:
 *     - plan/requires-replace-echo        # a rule, as with --ignore
 *     - {rule: 'read/normalized', type: 'example_*', path: '.tags[*]', reason: "API-7",
 *        until: 2027-01-01}
 *
 * Only what is about the project may stand here; what names one run's inputs and outputs may not.
 */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/node.h"

#include <string.h>
#include <sys/stat.h>

#define NAME       ".lifecheck.yaml"
#define MAX_BYTES  ((size_t)1 << 20)
#define MAX_NODES  ((size_t)100000)
#define MAX_LEVELS 100

#define BIT(command) (1u << LC_COMMAND_##command)

typedef struct reader {
    lc_cli *cli;
    lc_source source;
    lc_diags diags;
} reader;

/* ---- Which settings there are. */

/* What is about one run, or about this file itself. */
static bool is_setting(lc_option option)
{
    static const lc_option others[] = {
        LC_OPTION_HELP,      LC_OPTION_VERSION,   LC_OPTION_CONFIG,         LC_OPTION_LOG,
        LC_OPTION_NO_CONFIG, LC_OPTION_NEW_STATE, LC_OPTION_PRIOR_STATE,    LC_OPTION_OPERATION,
        LC_OPTION_INPUT,     LC_OPTION_TODAY,     LC_OPTION_WRITE_BASELINE, LC_OPTION_SHARD};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] == option)
            return false;
    }
    return (lc_option_get(option)->commands & BIT(CHECK)) != 0;
}

/* Formats are not the same everywhere, and `init` takes its schema from one document. */
static bool holds_for(lc_option option, lc_command command)
{
    unsigned commands = lc_option_get(option)->commands;
    if (command == LC_COMMAND_CONFIG)
        return true;
    if (option == LC_OPTION_FORMAT)
        commands = BIT(CHECK) | BIT(MERGE);
    if (option == LC_OPTION_SCHEMA)
        commands &= ~BIT(INIT);
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
    lc_diag_error(&r->diags, lc_where_loc(&r->source, member->where),
                  "the key \"%.*s\" is not known in %s%s%.*s%s", LC_FMT(member->key), what,
                  near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
}

static void unknown_setting(reader *r, const lc_member *member)
{
    lc_str names[LC_OPTION_COUNT + 1];
    size_t count = 0;
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (is_setting((lc_option)i))
            names[count++] = lc_str_from_c(lc_option_get((lc_option)i)->name);
    }
    names[count++] = LC_STR("exclude");
    complain_of_key(r, member, "a configuration", names, count);
}

/* ---- Values. */

static bool is_scalar(const lc_node *node)
{
    return node->kind == LC_NODE_STRING || node->kind == LC_NODE_NUMBER;
}

/* `FILE` and `F=PATH` name files as seen from the configuration. */
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

static lc_str value_of(const reader *r, const lc_option_info *info, lc_str text)
{
    const char *equals = text.len ? memchr(text.ptr, '=', text.len) : NULL;
    if (strcmp(info->argument, "FILE") == 0)
        return beside(r, text);
    if (strcmp(info->argument, "F=PATH") != 0 || !equals)
        return text;
    size_t cut = (size_t)(equals - text.ptr) + 1;
    return lc_str_printf(r->cli->arena, "%.*s%.*s", LC_FMT(lc_str_sub(text, 0, cut)),
                         LC_FMT(beside(r, lc_str_sub(text, cut, text.len))));
}

/* A flag or a variable has the last word, but what stands here is checked all the same. */
static void set(reader *r, lc_option option, const lc_node *node, bool taken)
{
    const lc_option_info *info = lc_option_get(option);
    if (!is_scalar(node))
        lc_diag_error(&r->diags, at(r, node), "%s takes %s, not %s", info->name, info->argument,
                      lc_node_kind_name(node));
    else if (taken)
        lc_cli_add(r->cli, option, value_of(r, info, node->as.text));
}

static void set_flag(reader *r, lc_option option, const lc_node *node, bool taken)
{
    if (node->kind != LC_NODE_BOOL)
        lc_diag_error(&r->diags, at(r, node), "%s takes true or false, not %s",
                      lc_option_get(option)->name, lc_node_kind_name(node));
    else if (taken && node->boolean)
        lc_cli_add(r->cli, option, LC_STR_EMPTY);
}

/* ---- What is ignored with a reason. */

static bool read_text(reader *r, lc_str *out, const lc_node *node, const char *what)
{
    if (is_scalar(node) && node->as.text.len) {
        *out = node->as.text;
        return true;
    }
    lc_diag_error(&r->diags, at(r, node), "%s is a text that is not empty", what);
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
    lc_str near = lc_rule_nearest(out->rule);
    lc_diag_error(&r->diags, at(r, node), "no rule matches \"%.*s\"%s%.*s%s", LC_FMT(out->rule),
                  near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
}

static void read_path(reader *r, lc_ignore *out, const lc_node *node)
{
    lc_str text, why;
    size_t where;
    if (!read_text(r, &text, node, "a path"))
        return;
    out->has_path = lc_path_parse(&out->path, r->cli->arena, text, true, &why, &where);
    if (!out->has_path)
        lc_diag_error(&r->diags, at(r, node), "this is no path: %.*s", LC_FMT(why));
}

static void read_until(reader *r, lc_ignore *out, const lc_node *node)
{
    lc_str text;
    if (read_text(r, &text, node, "until") && !lc_date_parse(&out->until, text))
        lc_diag_error(&r->diags, at(r, node), "until takes a date of the form YYYY-MM-DD");
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
        lc_diag_error(&r->diags, at(r, node), "there are more than %d ignores", LC_MAX_IGNORES);
        return;
    }
    lc_ignore *ignore = LC_PUSH(r->cli->arena, &config->ignores, lc_ignore);
    *ignore = (lc_ignore){.loc = at(r, node)};
    for (uint32_t i = 0; i < node->count; i++)
        read_ignore_key(r, ignore, &node->as.members[i]);
    if (!lc_node_get(node, "rule"))
        lc_diag_error(&r->diags, ignore->loc, "an ignore needs the key \"rule\"");
    if (!lc_node_get(node, "reason"))
        lc_diag_error(&r->diags, ignore->loc, "an ignore needs the key \"reason\"");
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
    if (*info->argument == '\0')
        set_flag(r, option, node, taken);
    else if (info->repeatable && node->kind == LC_NODE_SEQUENCE)
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
        if (!is_setting((lc_option)i) || !lc_str_is(member->key, lc_option_get((lc_option)i)->name))
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

/* The nearest one upwards from the working directory, or "". */
static lc_str find_nearest(lc_arena *arena)
{
    lc_str folder = LC_STR_EMPTY;
    for (unsigned level = 0; level < MAX_LEVELS; level++) {
        struct stat info, here, above;
        lc_str file = lc_str_printf(arena, "%.*s%s", LC_FMT(folder), NAME);
        if (stat(lc_str_to_c(arena, file), &info) == 0 && S_ISREG(info.st_mode))
            return file;
        lc_str up = lc_str_printf(arena, "%.*s../", LC_FMT(folder));
        lc_str this = folder.len ? folder : LC_STR("./");
        if (stat(lc_str_to_c(arena, this), &here) != 0 ||
            stat(lc_str_to_c(arena, up), &above) != 0 || is_same_folder(&here, &above))
            break;
        folder = up;
    }
    return LC_STR_EMPTY;
}

static void read_document(reader *r)
{
    const lc_node *root = r->source.documents;
    if (r->source.count == 0 || root->kind == LC_NODE_NULL)
        return;
    if (r->source.count > 1)
        lc_diag_error(&r->diags, at(r, &root[1]), "a configuration is one document");
    if (root->kind != LC_NODE_MAPPING) {
        lc_diag_error(&r->diags, at(r, root), "a configuration is a mapping, not %s",
                      lc_node_kind_name(root));
        return;
    }
    for (uint32_t i = 0; i < root->count; i++)
        read_key(r, &root->as.members[i]);
}

/* Nothing but comments: everything is as it is built in. */
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

bool lc_config_read(lc_cli *cli)
{
    lc_arena *arena = cli->arena;
    lc_limits limits = LC_LIMITS_DEFAULT;
    reader *r = LC_NEW(arena, reader);
    lc_str text;
    r->cli = cli;
    if (!(lc_option_get(LC_OPTION_CONFIG)->commands & 1u << cli->command))
        return true;
    if (!lc_cli_has(cli, LC_OPTION_NO_CONFIG))
        cli->config.file = lc_cli_has(cli, LC_OPTION_CONFIG) && cli->command != LC_COMMAND_PREDICT
                               ? lc_cli_text(cli, LC_OPTION_CONFIG)
                               : find_nearest(arena);
    if (cli->config.file.len == 0)
        return true;
    limits.nodes = MAX_NODES;
    lc_diags_init(&r->diags, arena);
    if (lc_file_read(&text, arena, cli->config.file, MAX_BYTES, &r->diags) == LC_OK &&
        !is_blank(text) &&
        lc_yaml_parse(&r->source, arena, cli->config.file, text, &limits, &r->diags) == LC_OK)
        read_document(r);
    return lc_tell_diags(&r->diags);
}

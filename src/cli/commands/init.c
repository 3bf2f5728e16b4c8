/* lifecheck init: a scenario to begin with, made from a schema and judged before it is handed out.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/scaffold.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KINDS 3

static const char *const kind_names[KINDS + 1] = {"resource", "data", "ephemeral", NULL};

typedef struct init {
    const lc_cli *cli;
    lc_arena *arena;
    lc_diags diags;
    lc_limits limits;
    lc_schema_doc *doc;
    lc_str schema_file, type, provider;
    bool has_kind;
    unsigned kind;
    bool json;
    unsigned found[KINDS]; /* providers that have the type */
    size_t listed;
    lc_buf out;
} init;

/* ---- Which type. */

static bool is_provider(const init *n, lc_str address)
{
    lc_str tail = lc_str_printf(n->arena, "/%.*s", LC_FMT(n->provider));
    return n->provider.len == 0 || lc_str_eq(address, n->provider) ||
           lc_str_ends_with(address, tail);
}

static void look(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    init *n = context;
    if (kind < KINDS && lc_str_eq(type, n->type) && is_provider(n, provider))
        n->found[kind]++;
}

/* Without --kind it is the first kind that has the type. */
static void choose_kind(init *n)
{
    lc_schema_doc_each(n->doc, look, n);
    for (unsigned k = 0; k < KINDS && !n->has_kind; k++) {
        if (n->found[k]) {
            n->kind = k;
            n->has_kind = true;
        }
    }
}

static void list(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    init *n = context;
    bool wanted = kind < KINDS && (!n->has_kind || kind == (lc_schema_kind)n->kind);
    if (!wanted || !is_provider(n, provider))
        return;
    n->listed++;
    lc_add_type_line(&n->out, provider, kind, type);
}

static lc_exit list_types(init *n)
{
    lc_schema_doc_each(n->doc, list, n);
    if (n->listed)
        return lc_print_text(&n->out);
    lc_message("%.*s has no such types; lifecheck schema show lists what it has",
               LC_FMT(n->schema_file));
    return LC_EXIT_USAGE;
}

static void tell_diags(const init *n)
{
    for (size_t i = 0; i < n->diags.count; i++) {
        const lc_diag *d = &n->diags.items[i];
        if (d->loc.line)
            lc_message("%.*s:%u:%u: %.*s", LC_FMT(d->loc.file), d->loc.line, d->loc.column,
                       LC_FMT(d->message));
        else
            lc_message("%.*s: %.*s", LC_FMT(d->loc.file), LC_FMT(d->message));
    }
}

/* A type that is not there, or there twice, is a mistake on the command line; a broken one is not.
 */
static lc_exit find_type(init *n, const lc_schema **out)
{
    choose_kind(n);
    if (lc_schema_doc_get(out, n->doc, (lc_schema_kind)n->kind, n->provider, n->type,
                          (lc_loc){n->schema_file, 0, 0}, &n->diags) == LC_OK)
        return LC_EXIT_OK;
    tell_diags(n);
    return n->found[n->kind] == 1 ? LC_EXIT_INPUT : LC_EXIT_USAGE;
}

/* ---- The schema's path, seen from the scenario. */

static lc_str output_file(const init *n)
{
    lc_str path = lc_cli_text(n->cli, LC_OPTION_OUTPUT);
    return lc_str_is(path, "-") ? LC_STR_EMPTY : path;
}

static lc_str folder_of(lc_arena *arena, lc_str path)
{
    size_t len = path.len;
    while (len && path.ptr[len - 1] != '/')
        len--;
    return len ? lc_str_copy(arena, lc_str_sub(path, 0, len)) : LC_STR(".");
}

static lc_str climb(lc_arena *arena, const char *from, const char *to)
{
    size_t common = 0;
    lc_buf path = {0};
    for (size_t i = 0; from[i] && from[i] == to[i]; i++) {
        if (from[i] == '/')
            common = i + 1;
    }
    size_t whole = strlen(from);
    if (strncmp(from, to, whole) == 0 && to[whole] == '/')
        common = whole + 1;
    for (const char *rest = whole > common ? from + common : ""; *rest;) {
        const char *slash = strchr(rest, '/');
        lc_buf_add_c(&path, "../");
        rest = slash ? slash + 1 : "";
    }
    lc_buf_add_c(&path, to + common);
    return lc_buf_take(arena, &path);
}

/* False: there is no such folder; told. */
static bool path_from(const init *n, lc_str *out)
{
    char from[PATH_MAX], to[PATH_MAX];
    lc_str folder = folder_of(n->arena, output_file(n));
    *out = n->schema_file;
    if (lc_str_is(folder, ".") || n->schema_file.ptr[0] == '/')
        return true;
    if (!realpath(lc_str_to_c(n->arena, folder), from) ||
        !realpath(lc_str_to_c(n->arena, n->schema_file), to)) {
        lc_str file = output_file(n);
        lc_message("%.*s cannot be written: %s", LC_FMT(file), strerror(errno));
        return false;
    }
    *out = climb(n->arena, from, to);
    return true;
}

/* ---- The scenario. */

static bool make(init *n, const lc_scaffold *starter)
{
    lc_buf yaml = {0};
    lc_buf_clear(&n->out);
    bool ok = lc_scaffold_write(&yaml, starter);
    if (!ok)
        lc_message("the scenario of %.*s would be larger than %zu MiB", LC_FMT(n->type),
                   LC_SCAFFOLD_MAX >> 20);
    else if (n->json)
        lc_scaffold_as_json(&n->out, lc_buf_str(&yaml));
    else
        lc_buf_add_str(&n->out, lc_buf_str(&yaml));
    lc_buf_release(&yaml);
    return ok;
}

/* The schema's own faults are findings of every scenario. */
static void expect_faults(const init *n, lc_scaffold *starter, const lc_judged *judged)
{
    size_t count = judged->judgement.findings.count;
    lc_scaffold_fault *faults = LC_NEW_ARRAY(n->arena, lc_scaffold_fault, count);
    starter->faults = faults;
    starter->fault_count = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        lc_str slug = lc_rule_get(f->rule)->slug;
        if (!lc_str_starts_with(slug, LC_STR("schema/")) || judged->severities[i] < LC_WARNING ||
            f->follows >= 0)
            continue;
        faults[starter->fault_count++] = (lc_scaffold_fault){slug, lc_path_copy(n->arena, f->path)};
    }
}

/* Does it pass? */
static bool judge(init *n, lc_scaffold *starter, lc_schema_store *store)
{
    lc_scenario_file file;
    lc_judged judged;
    lc_policy policy = {.fail_on = LC_ERROR};
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    bool ok = lc_scenario_text_read(&file, n->arena, store, starter->file, lc_buf_str(&n->out),
                                    LC_STR_EMPTY, &n->diags) == LC_OK &&
              file.scenarios.count == 1;
    if (ok) {
        lc_verdict_judge(&judged, report, scratch, file.scenarios.items[0], &policy);
        ok = judged.passes;
        if (!ok)
            expect_faults(n, starter, &judged);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
    return ok;
}

static lc_exit write_scenario(init *n, lc_scaffold *starter)
{
    lc_schema_store store;
    lc_schema_store_init(&store, n->arena, n->limits);
    if (!make(n, starter))
        return LC_EXIT_INPUT;
    if (!judge(n, starter, &store) && starter->fault_count)
        make(n, starter);
    if (!judge(n, starter, &store)) {
        tell_diags(n);
        lc_message("internal error: the scenario made for %.*s does not pass", LC_FMT(n->type));
        return LC_EXIT_INTERNAL;
    }
    return lc_write_result(n->cli, &n->out);
}

/* ---- The command. */

static lc_exit begin(init *n)
{
    lc_str file = output_file(n);
    lc_scaffold starter = {.file = file.len ? file : LC_STR("scenario.yaml"),
                           .provider = n->provider};
    if (lc_schema_doc_open(&n->doc, n->arena, n->schema_file, &n->limits, &n->diags) != LC_OK) {
        tell_diags(n);
        return LC_EXIT_INPUT;
    }
    if (lc_schema_doc_cloudformation(n->doc)) {
        lc_message(
            "init takes a schema document; lifecheck cfn schema --format json makes one of a "
            "CloudFormation resource type");
        return LC_EXIT_USAGE;
    }
    if (n->type.len == 0)
        return list_types(n);
    if (lc_is_in_the_way(n->cli) || !path_from(n, &starter.schema_file))
        return LC_EXIT_INTERNAL;
    lc_exit status = find_type(n, &starter.schema);
    return status == LC_EXIT_OK ? write_scenario(n, &starter) : status;
}

static bool read_format(init *n)
{
    static const char *const names[] = {"yaml", "json", NULL};
    unsigned format = lc_str_ends_with(output_file(n), LC_STR(".json"));
    bool has_to_be = format == 1;
    if (!lc_cli_choice(n->cli, LC_OPTION_FORMAT, names, &format))
        return false;
    if (has_to_be && format == 0) {
        lc_message("a file of the name .json holds JSON; --format yaml contradicts that");
        return false;
    }
    n->json = format == 1;
    return true;
}

static bool read_options(init *n)
{
    size_t schemas = n->cli->values[LC_OPTION_SCHEMA].count;
    if (n->cli->words.count || schemas != 1) {
        lc_message("init takes one schema document: --schema FILE, and --type T; without a type it "
                   "lists them");
        return false;
    }
    n->schema_file = lc_cli_text(n->cli, LC_OPTION_SCHEMA);
    n->type = lc_cli_text(n->cli, LC_OPTION_TYPE);
    n->provider = lc_cli_text(n->cli, LC_OPTION_PROVIDER);
    n->has_kind = lc_cli_has(n->cli, LC_OPTION_KIND);
    if (n->schema_file.len == 0 || lc_str_is(n->schema_file, "-")) {
        lc_message("the scenario names its schema document; that has to be a file");
        return false;
    }
    return lc_cli_choice(n->cli, LC_OPTION_KIND, kind_names, &n->kind) && read_format(n) &&
           lc_cli_limits(n->cli, &n->limits);
}

lc_exit lc_cmd_init(const lc_cli *cli)
{
    init n = {.cli = cli};
    if (!read_options(&n))
        return LC_EXIT_USAGE;
    n.arena = lc_arena_new();
    lc_diags_init(&n.diags, n.arena);
    lc_exit status = begin(&n);
    lc_buf_release(&n.out);
    lc_arena_free(n.arena);
    return status;
}

/* lifecheck init: writes a scaffold of a scenario from a schema, and judges it before it is
 * written. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/scenario/scaffold.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KINDS 3

typedef struct init {
    const lc_cli *cli;
    lc_arena *arena;
    lc_diags diags;
    const lc_wanted *wanted; /* what is being written */
    lc_schema_doc *doc;
    lc_str schema_file, type, provider;
    bool has_kind;
    unsigned kind;
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
    if (n->listed) {
        lc_clean_text(&n->out, 0);
        return lc_print(n->cli, n->cli->options.wanted[0].format, &n->out);
    }
    lc_message("%.*s has no such types; lifecheck schema show lists its types",
               LC_FMT(n->schema_file));
    return LC_EXIT_USAGE;
}

/* A type that is missing or ambiguous is wrong usage; a type with an invalid schema is an input
 * error. */
static lc_exit find_type(init *n, const lc_schema **out)
{
    choose_kind(n);
    if (lc_schema_doc_get(out, n->doc, (lc_schema_kind)n->kind, n->provider, n->type,
                          (lc_loc){n->schema_file, 0, 0}, &n->diags) == LC_OK)
        return LC_EXIT_OK;
    lc_report_diags(&n->diags);
    return n->found[n->kind] == 1 ? LC_EXIT_INPUT : LC_EXIT_USAGE;
}

/* ---- The schema's path, relative to the scenario. */

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

/* False: there is no such folder, which was reported. */
static bool path_from(const init *n, lc_str *out)
{
    char from[PATH_MAX], to[PATH_MAX];
    lc_str folder = lc_file_folder(n->wanted->path);
    *out = n->schema_file;
    if (lc_str_is(folder, ".") && n->schema_file.ptr[0] != '/')
        return true;
    if (!realpath(lc_str_to_c(n->arena, folder), from) ||
        !realpath(lc_str_to_c(n->arena, n->schema_file), to)) {
        lc_message("%.*s cannot be written: %s", LC_FMT(n->wanted->path), strerror(errno));
        return false;
    }
    *out = climb(n->arena, from, to);
    return true;
}

/* ---- The scenario. */

/* Without --format the name of the file decides. */
static bool is_json(const init *n)
{
    bool named = lc_str_ends_with(n->wanted->path, LC_STR(".json"));
    return n->wanted->format == LC_IN_JSON ||
           (named && n->wanted == n->cli->options.wanted && !lc_cli_has(n->cli, LC_OPTION_FORMAT));
}

static bool make(init *n, const lc_scaffold *starter)
{
    lc_buf yaml = {0};
    lc_buf_clear(&n->out);
    bool ok = lc_scaffold_write(&yaml, starter);
    if (!ok)
        lc_message("the scenario of %.*s would be larger than %zu MiB", LC_FMT(n->type),
                   LC_SCAFFOLD_MAX >> 20);
    else if (is_json(n))
        lc_scaffold_as_json(&n->out, lc_buf_str(&yaml));
    else
        lc_buf_add_str(&n->out, lc_buf_str(&yaml));
    lc_buf_release(&yaml);
    return ok;
}

/* Faults of the schema itself are findings of every scenario, so the scaffold expects them. */
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
    lc_schema_store_init(&store, n->arena, n->cli->options.limits);
    if (!make(n, starter))
        return LC_EXIT_INPUT;
    if (!judge(n, starter, &store) && starter->fault_count)
        make(n, starter);
    if (!judge(n, starter, &store)) {
        lc_report_diags(&n->diags);
        lc_message("internal error: the scenario made for %.*s does not pass", LC_FMT(n->type));
        return LC_EXIT_INTERNAL;
    }
    return lc_write_wanted(n->cli, n->wanted, lc_buf_str(&n->out));
}

/* ---- The command. */

/* The path of the schema document is relative to each file. */
static lc_exit write_all(init *n, lc_scaffold *starter)
{
    lc_exit status = LC_EXIT_OK;
    for (size_t i = 0; i < n->cli->options.wanted_count && status == LC_EXIT_OK; i++) {
        n->wanted = &n->cli->options.wanted[i];
        starter->file = n->wanted->path.len ? n->wanted->path : LC_STR("scenario.yaml");
        starter->fault_count = 0;
        status =
            path_from(n, &starter->schema_file) ? write_scenario(n, starter) : LC_EXIT_INTERNAL;
    }
    return status;
}

static bool choose_action(const init *n, lc_scaffold *starter)
{
    starter->action = (lc_scaffold_action)n->cli->options.action;
    const char *name = lc_scaffold_action_name(starter->action);
    bool changes = starter->action == LC_SCAFFOLD_UPDATE || starter->action == LC_SCAFFOLD_REPLACE;
    if (starter->action != LC_SCAFFOLD_CREATE && starter->schema->kind != LC_KIND_RESOURCE) {
        lc_message("--action %s is for resources; %.*s is of the kind %s", name, LC_FMT(n->type),
                   lc_schema_kind_name(starter->schema->kind));
        return false;
    }
    if (changes && !lc_scaffold_can_change(starter->schema)) {
        lc_message("--action %s: %.*s has no attribute that could change", name, LC_FMT(n->type));
        return false;
    }
    return true;
}

static lc_exit begin(init *n)
{
    lc_scaffold starter = {.provider = n->provider};
    if (lc_schema_doc_open(&n->doc, n->arena, n->schema_file, &n->cli->options.limits, &n->diags) !=
        LC_OK) {
        lc_report_diags(&n->diags);
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
    if (lc_is_in_the_way(n->cli))
        return LC_EXIT_INTERNAL;
    lc_exit status = find_type(n, &starter.schema);
    if (status == LC_EXIT_OK && !choose_action(n, &starter))
        return LC_EXIT_USAGE;
    return status == LC_EXIT_OK ? write_all(n, &starter) : status;
}

static bool check_formats(init *n)
{
    for (size_t i = 0; i < n->cli->options.wanted_count; i++) {
        n->wanted = &n->cli->options.wanted[i];
        if (lc_str_ends_with(n->wanted->path, LC_STR(".json")) && !is_json(n)) {
            lc_message("a file whose name ends in .json has JSON; --format yaml contradicts that");
            return false;
        }
    }
    return true;
}

static bool read_options(init *n)
{
    const lc_options *o = &n->cli->options;
    if (n->cli->words.count || o->schema.count != 1 || o->type.count > 1) {
        lc_message("init takes one schema document: --schema FILE, and --type T; without a type it "
                   "lists them");
        return false;
    }
    n->schema_file = o->schema.items[0];
    n->type = lc_cli_text(n->cli, LC_OPTION_TYPE);
    n->provider = lc_cli_text(n->cli, LC_OPTION_PROVIDER);
    n->has_kind = o->kind != LC_UNSET;
    n->kind = n->has_kind ? o->kind : 0;
    if (n->schema_file.len == 0 || lc_str_is(n->schema_file, "-")) {
        lc_message("the scenario names its schema document, which must be a file");
        return false;
    }
    if (n->kind >= KINDS) {
        lc_message("--kind takes resource, data or ephemeral for init");
        return false;
    }
    return check_formats(n);
}

lc_exit lc_cmd_init(const lc_cli *cli)
{
    init n = {.cli = cli};
    if (cli->options.from.len)
        return lc_init_from(cli);
    if (!read_options(&n))
        return LC_EXIT_USAGE;
    n.arena = lc_arena_new();
    lc_diags_init(&n.diags, n.arena);
    lc_exit status = begin(&n);
    lc_buf_release(&n.out);
    lc_arena_free(n.arena);
    return status;
}

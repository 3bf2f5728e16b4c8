/* lifecheck schema show: the types of a schema document, or one type as a listing.
 * lifecheck schema lint: the schema errors that both cores report, and violated conventions.
 * lifecheck schema scenario: the format of scenarios, as a JSON Schema for editors; with --schema
 * and --type also the attributes and blocks of one type. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <stdio.h>

typedef struct viewer {
    const lc_cli *cli;
    lc_arena *arena;
    lc_diags diags;
    lc_schema_doc *doc;
    lc_str file;
    lc_str provider; /* "": of any */
    lc_buf out;
    size_t types, errors, warnings, unread;
    lc_schema_kind kind; /* of the type of the format */
    bool *seen;          /* for each --type */
} viewer;

/* Marks each --type that it is. */
static bool is_wanted(viewer *v, lc_str provider, lc_schema_kind kind, lc_str type)
{
    const lc_options *o = &v->cli->options;
    bool named = o->type.count == 0;
    if ((o->kind != LC_UNSET && o->kind != (unsigned)kind) ||
        (v->provider.len && !lc_str_eq(v->provider, provider)))
        return false;
    for (size_t i = 0; i < o->type.count; i++) {
        if (lc_str_eq(o->type.items[i], type))
            named = v->seen[i] = true;
    }
    return named;
}

static void add_diags(viewer *v)
{
    lc_report_options options = {.format = LC_FORMAT_TEXT};
    for (size_t i = 0; i < v->diags.count; i++)
        lc_report_diag(&v->out, &options, &v->diags.items[i]);
}

/* ---- The list of types. */

void lc_add_type_line(lc_buf *out, lc_str provider, lc_schema_kind kind, lc_str type)
{
    lc_buf_printf(out, "%-10s %-40.*s %.*s\n", lc_schema_kind_names[kind], LC_FMT(type),
                  LC_FMT(provider));
}

static void list_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    viewer *v = context;
    if (!is_wanted(v, provider, kind, type))
        return;
    v->types++;
    lc_add_type_line(&v->out, provider, kind, type);
}

/* ---- One type. */

static void add_flags(lc_buf *out, const lc_attribute *a)
{
    const char *comma = "";
    const struct {
        bool set;
        const char *name;
    } flags[] = {{a->required, "required"},     {a->optional, "optional"},
                 {a->computed, "computed"},     {a->sensitive, "sensitive"},
                 {a->write_only, "write-only"}, {a->deprecated, "deprecated"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (!flags[i].set)
            continue;
        lc_buf_printf(out, "%s%s", comma, flags[i].name);
        comma = ", ";
    }
}

static void add_name(lc_buf *out, unsigned depth, lc_str name)
{
    int indent = (int)depth * 2;
    lc_buf_printf(out, "%*s%-*.*s ", indent, "", indent < 28 ? 28 - indent : 1, LC_FMT(name));
}

static void add_attributes(lc_buf *out, const lc_attribute *attributes, size_t count,
                           unsigned depth)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_buf type = {0};
        if (a->nested)
            lc_buf_printf(&type, "nested %s", lc_nesting_name(a->nested->nesting));
        else if (a->type)
            lc_type_add_text(&type, a->type);
        else
            lc_buf_add_c(&type, "no type");
        add_name(out, depth, a->name);
        lc_buf_printf(out, "%-24.*s ", LC_FMT(lc_buf_str(&type)));
        lc_buf_release(&type);
        add_flags(out, a);
        lc_buf_add_char(out, '\n');
        if (a->nested && depth < LC_MAX_DEPTH)
            add_attributes(out, a->nested->attributes, a->nested->attribute_count, depth + 1);
    }
}

static void add_bounds(lc_buf *out, const lc_block_type *b)
{
    if (b->min_items)
        lc_buf_printf(out, ", at least %lld", (long long)b->min_items);
    if (b->max_items)
        lc_buf_printf(out, ", at most %lld", (long long)b->max_items);
    if (b->computed)
        lc_buf_add_c(out, ", computed");
}

static void add_block(lc_buf *out, const lc_block *block, unsigned depth)
{
    add_attributes(out, block->attributes, block->attribute_count, depth);
    for (size_t i = 0; depth < LC_MAX_DEPTH && i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        add_name(out, depth, b->name);
        lc_buf_printf(out, "%s block", lc_nesting_name(b->nesting));
        add_bounds(out, b);
        lc_buf_add_char(out, '\n');
        add_block(out, b->block, depth + 1);
    }
}

static void show_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    viewer *v = context;
    const lc_schema *schema;
    if (!is_wanted(v, provider, kind, type))
        return;
    v->types++;
    if (lc_schema_doc_get(&schema, v->doc, kind, provider, type, (lc_loc){v->file, 0, 0},
                          &v->diags) != LC_OK)
        return;
    lc_buf_printf(&v->out, "%.*s (%s, version %lld) of %.*s\n", LC_FMT(type),
                  lc_schema_kind_names[kind], (long long)schema->version, LC_FMT(provider));
    add_block(&v->out, schema->block, 1);
    if (!schema->has_identity)
        return;
    lc_buf_printf(&v->out, "identity (version %lld)\n", (long long)schema->identity_version);
    add_attributes(&v->out, schema->identity, schema->identity_count, 1);
}

/* ---- Faults. */

/* What a core refuses is an error. The rest violates a convention of the protocol. */
static void add_problem(viewer *v, const lc_schema_problem *p, lc_schema_kind kind, lc_str type)
{
    bool opentofu = p->opentofu.len || p->opentofu_crash;
    bool terraform = p->terraform.len || p->terraform_crash || p->terraform_error;
    lc_buf text = {0};
    lc_path_add_text(&text, p->path);
    lc_diag diag = {.severity = opentofu || terraform ? LC_DIAG_ERROR : LC_DIAG_WARNING,
                    .loc = p->loc};
    if (diag.loc.file.len == 0)
        diag.loc.file = v->file;
    const char *who = opentofu && terraform ? "both cores refuse it"
                      : opentofu            ? "OpenTofu refuses it"
                      : terraform           ? "Terraform refuses it"
                                            : "no core refuses it";
    diag.message = lc_str_printf(v->arena, "%s %.*s at %.*s: %.*s (%s)", lc_schema_kind_names[kind],
                                 LC_FMT(type), LC_FMT(lc_buf_str(&text)), LC_FMT(p->message), who);
    lc_buf_release(&text);
    v->errors += diag.severity == LC_DIAG_ERROR;
    v->warnings += diag.severity == LC_DIAG_WARNING;
    lc_report_options options = {.format = LC_FORMAT_TEXT};
    lc_report_diag(&v->out, &options, &diag);
}

static void lint_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    viewer *v = context;
    const lc_schema *schema;
    lc_schema_problems problems = {0};
    if (!is_wanted(v, provider, kind, type))
        return;
    v->types++;
    if (lc_schema_doc_get(&schema, v->doc, kind, provider, type, (lc_loc){v->file, 0, 0},
                          &v->diags) != LC_OK) {
        v->unread++;
        return;
    }
    lc_schema_validate(&problems, v->arena, schema);
    for (size_t i = 0; i < problems.count; i++)
        add_problem(v, &problems.items[i], kind, type);
}

/* ---- The end. */

static lc_exit finish(viewer *v, bool lint)
{
    bool bad_input = v->diags.errors > 0;
    const lc_words *named = &v->cli->options.type;
    bool opened = !bad_input;
    for (size_t i = 0; opened && i < named->count; i++) {
        if (v->seen[i])
            continue;
        lc_diag_error(&v->diags, (lc_loc){v->file, 0, 0},
                      "no such type: \"%.*s\"; `lifecheck schema show %.*s` lists its types",
                      LC_FMT(named->items[i]), LC_FMT(v->file));
        bad_input = true;
    }
    add_diags(v);
    if (lint)
        lc_buf_printf(&v->out, "%zu type%s; %zu error%s, %zu warning%s\n", v->types,
                      v->types == 1 ? "" : "s", v->errors, v->errors == 1 ? "" : "s", v->warnings,
                      v->warnings == 1 ? "" : "s");
    lc_clean_text(&v->out, 0);
    lc_exit status = lc_print(v->cli, LC_IN_TEXT, &v->out);
    if (status != LC_EXIT_OK)
        return status;
    return v->errors ? LC_EXIT_FAILED : bad_input ? LC_EXIT_INPUT : LC_EXIT_OK;
}

/* ---- The format of scenarios. */

/* The first kind with a type of this name; a provider has no scenario of its own. */
static void count_kinds(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    viewer *v = context;
    if (!is_wanted(v, provider, kind, type) || kind == LC_KIND_PROVIDER)
        return;
    if (v->types == 0)
        v->kind = kind;
    v->types++;
}

/* The schema of --type, or NULL for none. */
/* --schema may also come from the settings file, where it is for other commands. */
static lc_exit find_type(viewer *v, const lc_schema **out)
{
    const lc_options *o = &v->cli->options;
    lc_schema_kind kind = LC_KIND_RESOURCE;
    bool asked = v->cli->origins[LC_OPTION_SCHEMA] == LC_FROM_FLAG;
    *out = NULL;
    if (o->type.count == 0 && (o->schema.count == 0 || !asked))
        return LC_EXIT_OK;
    if (o->schema.count != 1 || o->type.count != 1) {
        lc_message("schema scenario takes --schema FILE and --type T together, or neither");
        return LC_EXIT_USAGE;
    }
    v->file = o->schema.items[0];
    if (lc_schema_doc_open(&v->doc, v->arena, v->file, &o->limits, &v->diags) != LC_OK) {
        lc_report_diags(&v->diags);
        return LC_EXIT_INPUT;
    }
    lc_schema_doc_each(v->doc, count_kinds, v);
    if (v->types)
        kind = v->kind;
    if (lc_schema_doc_get(out, v->doc, kind, v->provider, o->type.items[0], (lc_loc){v->file, 0, 0},
                          &v->diags) == LC_OK)
        return LC_EXIT_OK;
    lc_report_diags(&v->diags);
    return LC_EXIT_INPUT;
}

static lc_exit print_format(const lc_cli *cli)
{
    viewer v = {.cli = cli, .provider = lc_cli_text(cli, LC_OPTION_PROVIDER)};
    const lc_schema *schema;
    if (cli->words.count != 1) {
        lc_message("schema scenario takes no file; --schema FILE --type T names a type");
        return LC_EXIT_USAGE;
    }
    v.arena = lc_arena_new();
    v.seen = lc_arena_zalloc(v.arena, cli->options.type.count + 1);
    lc_diags_init(&v.diags, v.arena);
    lc_exit status = find_type(&v, &schema);
    if (status == LC_EXIT_OK) {
        lc_scenario_json_schema(&v.out, schema);
        status = lc_print(cli, LC_IN_TEXT, &v.out);
    }
    lc_arena_free(v.arena);
    return status;
}

/* ---- The command. */

lc_exit lc_cmd_schema(const lc_cli *cli)
{
    if (cli->words.count && lc_str_is(cli->words.items[0], "scenario"))
        return print_format(cli);
    bool lint = cli->words.count && lc_str_is(cli->words.items[0], "lint");
    bool show = cli->words.count && lc_str_is(cli->words.items[0], "show");
    viewer v = {.cli = cli, .provider = lc_cli_text(cli, LC_OPTION_PROVIDER)};
    if (cli->words.count != 2 || !(lint || show)) {
        lc_message("schema takes show or lint, and one schema document; or scenario");
        return LC_EXIT_USAGE;
    }
    v.file = cli->words.items[1];
    v.arena = lc_arena_new();
    v.seen = lc_arena_zalloc(v.arena, cli->options.type.count + 1);
    lc_diags_init(&v.diags, v.arena);
    if (lc_schema_doc_open(&v.doc, v.arena, v.file, &cli->options.limits, &v.diags) == LC_OK)
        lc_schema_doc_each(v.doc,
                           lint                      ? lint_type
                           : cli->options.type.count ? show_type
                                                     : list_type,
                           &v);
    lc_exit status = finish(&v, lint);
    lc_arena_free(v.arena);
    return status;
}

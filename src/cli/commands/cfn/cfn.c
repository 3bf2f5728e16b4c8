/* lifecheck cfn schema: CloudFormation resource types as Terraform schemas.
 * The other commands of the group have files of their own. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <stdio.h>
#include <unistd.h>

typedef struct deriver {
    const lc_cli *cli;
    lc_arena *arena;
    lc_diags diags;
    LC_VEC(const lc_cfn_type *) types;
    lc_table names;
    lc_buf out, json, reported;
    bool failed, unread;
} deriver;

/* ---- Problems of a type. */

static void report_problem(deriver *d, const lc_cfn_problem *p)
{
    lc_report_options options = {.format = LC_FORMAT_TEXT};
    lc_diag diag = {.severity = p->error ? LC_DIAG_ERROR : LC_DIAG_WARNING, .loc = p->loc};
    diag.message = p->message;
    if (p->pointer.len)
        diag.message =
            lc_str_printf(d->arena, "%.*s: %.*s", LC_FMT(p->pointer), LC_FMT(p->message));
    lc_report_diag(&d->reported, &options, &diag);
}

/* Notes concern parts of the type without effect; they are printed in the listing. */
static void report_problems(deriver *d, const lc_cfn_type *type, bool notes)
{
    for (size_t i = 0; i < type->problems.count; i++) {
        if (type->problems.items[i].fault != LC_CFN_FAULT_NOTE || notes)
            report_problem(d, &type->problems.items[i]);
    }
    if (type->unreported)
        lc_buf_printf(&d->reported, "%.*s: and %zu more; the listing has every property\n",
                      LC_FMT(type->file), type->unreported);
    if (type->suppressed.len) {
        lc_diag diag = {.severity = LC_DIAG_ERROR, .loc = {type->file, 0, 0}};
        lc_report_options options = {.format = LC_FORMAT_TEXT};
        diag.message =
            lc_str_printf(d->arena, "nothing is derived: %.*s", LC_FMT(type->suppressed));
        lc_report_diag(&d->reported, &options, &diag);
    }
    d->failed = d->failed || type->errors || type->suppressed.len;
}

/* ---- Reading. */

static void add_file(deriver *d, lc_str file)
{
    lc_str text;
    const lc_cfn_type *type;
    if (lc_file_read(&text, d->arena, file, d->cli->options.limits.input_bytes, &d->diags) !=
            LC_OK ||
        lc_cfn_read(&type, d->arena, file, text, d->cli->options.type_name,
                    (lc_cfn_profile)d->cli->options.derive_as, &d->cli->options.limits,
                    &d->diags) != LC_OK) {
        d->unread = true;
        return;
    }
    *LC_PUSH(d->arena, &d->types, const lc_cfn_type *) = type;
    const lc_cfn_type *former = lc_table_get(&d->names, type->terraform_name);
    if (former && type->terraform_name.len)
        lc_diag_error(&d->diags, (lc_loc){file, 0, 0}, "\"%.*s\" has the type %.*s already",
                      LC_FMT(former->file), LC_FMT(type->terraform_name));
    else if (type->terraform_name.len)
        lc_table_put(&d->names, type->terraform_name, (void *)(uintptr_t)type);
}

/* ---- Writing. */

/* Notes are printed only with the listing. */
static void add_types(deriver *d)
{
    bool notes = lc_wants(d->cli, LC_IN_TEXT);
    for (size_t i = 0; i < d->types.count; i++) {
        if (i)
            lc_buf_add_char(&d->out, '\n');
        lc_cfn_add_text(&d->out, d->types.items[i]);
        report_problems(d, d->types.items[i], notes);
    }
    lc_cfn_add_document(&d->json, d->types.items, d->types.count);
    lc_buf_add_char(&d->json, '\n');
}

static lc_exit finish(deriver *d)
{
    bool bad = d->unread || d->diags.errors;
    lc_sink sink = {STDERR_FILENO, "standard error", false};
    for (size_t i = 0; i < d->diags.count; i++)
        lc_report_diag(&d->reported, &(lc_report_options){.format = LC_FORMAT_TEXT},
                       &d->diags.items[i]);
    lc_clean_text(&d->reported, 0);
    lc_sink_write(&sink, &d->reported);
    lc_exit status = lc_print_both(d->cli, &d->out, &d->json);
    lc_buf_release(&d->reported);
    if (status != LC_EXIT_OK)
        return status;
    return bad ? LC_EXIT_INPUT : d->failed ? LC_EXIT_FAILED : LC_EXIT_OK;
}

static lc_exit derive(const lc_cli *cli)
{
    deriver d = {.cli = cli};
    if (cli->words.count > 2 && cli->options.type_name.len) {
        lc_message("--type-name is the name of one type: one FILE");
        return LC_EXIT_USAGE;
    }
    d.arena = lc_arena_new();
    lc_diags_init(&d.diags, d.arena);
    lc_table_init(&d.names, d.arena);
    for (size_t i = 1; i < cli->words.count; i++)
        add_file(&d, cli->words.items[i]);
    if (d.types.count)
        add_types(&d);
    lc_exit status = finish(&d);
    lc_arena_free(d.arena);
    return status;
}

lc_exit lc_cmd_cfn(const lc_cli *cli)
{
    bool back = cli->words.count >= 2 && lc_str_is(cli->words.items[0], "property");
    if (cli->origins[LC_OPTION_SCHEMA] == LC_FROM_FLAG && !back) {
        lc_message("--schema is for cfn property");
        return LC_EXIT_USAGE;
    }
    if (back)
        return lc_cfn_names(cli, true);
    if (cli->words.count >= 2 && lc_str_is(cli->words.items[0], "schema"))
        return derive(cli);
    if (cli->words.count >= 2 && lc_str_is(cli->words.items[0], "name"))
        return lc_cfn_names(cli, false);
    if (cli->words.count >= 2 && lc_str_is(cli->words.items[0], "documents"))
        return lc_cfn_documents(cli);
    lc_message(
        "cfn takes schema and files of resource types, documents and scenarios, name and names "
        "of properties, or property and names of attributes");
    return LC_EXIT_USAGE;
}

/* From parts, one for each type, to reports. */
#include "cli/commands/probe/probe.h"
#include "cli/commands/probe/probe_pages.h"
#include "cli/scenario_file.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts. */

static void write_scenario(lc_probe *p, const lc_node *node)
{
    lc_str file = lc_node_text(node, "file");
    /* One that cannot be written is reported once. */
    if (!p->unwritten)
        p->unwritten = !lc_write_scenario(p->arena, p->folder, file, lc_node_text(node, "text"));
}

static bool is_named(const lc_probe_type *type, lc_str file)
{
    for (size_t k = 0; k < type->findings.count; k++) {
        if (lc_str_eq(type->findings.items[k].file, file))
            return true;
    }
    return false;
}

/* Scenarios that the result has; it has no more than a bounded number. */
static void write_scenarios(lc_probe *p, const lc_node *list, const lc_probe_type *type)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        if (is_named(type, lc_node_text(&list->as.items[i], "file")))
            write_scenario(p, &list->as.items[i]);
    }
}

static void write_part(lc_probe *p, lc_str folder, const char *name, lc_str text)
{
    lc_str file = lc_str_printf(p->arena, "%.*s/%s", LC_FMT(folder), name);
    if (!p->unwritten)
        p->unwritten = !lc_write_scenario(p->arena, folder, file, text);
}

static void write_issues(lc_probe *p, const lc_node *list, const lc_probe_type *type)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        const lc_node *node = &list->as.items[i];
        lc_str file = lc_node_text(node, "file");
        if (!is_named(type, file))
            continue;
        lc_str folder = lc_probe_issue_folder(p->arena, p->folder, file);
        write_part(p, folder, "main.tf", lc_node_text(node, "main_tf"));
        write_part(p, folder, "issue.md", lc_node_text(node, "issue_md"));
    }
}

void lc_probe_note_case(lc_probe_result *result, const lc_judged *judged)
{
    lc_str file = judged->scenario->subject.file;
    for (size_t i = result->types.count; judged->passes && i > 0; i--) {
        lc_probe_type *type = &result->types.items[i - 1];
        for (size_t k = 0; k < type->findings.count; k++)
            type->findings.items[k].known |= lc_str_eq(type->findings.items[k].file, file);
    }
}

static void take_cases(lc_probe *p, lc_outcome *out, const lc_node *root, lc_arena *arena)
{
    lc_records records = {.policy = p->c.policy};
    records.cases = lc_node_get_kind(root, "cases", LC_NODE_SEQUENCE);
    for (size_t i = 0; i < lc_records_case_count(&records); i++) {
        lc_judged judged;
        lc_record_case(&judged, arena, &records, i);
        lc_take_record(&p->c, out, &judged, true);
        lc_probe_note_case(p->result, &judged);
    }
}

static bool take_part(lc_probe *p, lc_str part)
{
    lc_arena *arena = lc_arena_new();
    lc_source source;
    lc_diags diags;
    lc_probe_type type;
    lc_outcome outcome = {.opened = true};
    lc_diags_init(&diags, arena);
    if (lc_json_parse(&source, arena, LC_STR("a part"), part, &p->c.checker.limits, &diags) !=
        LC_OK) {
        lc_report_diags(&diags);
        lc_arena_free(arena);
        p->c.internal_error = true;
        return true;
    }
    const lc_node *root = source.documents;
    lc_probe_type_from_node(&type, p->arena, lc_node_get(root, "type"));
    type.took_ms = (int64_t)lc_record_number(root, "took_ms");
    if (p->result->not_configured.len == 0)
        p->result->not_configured = lc_str_copy(p->arena, lc_node_text(root, "not_configured"));
    bool counts = !lc_probe_result_take(p->result, p->arena, &type)->same_as.len;
    if (p->c.checker.meter)
        p->c.checker.meter->findings = p->result->failing;
    if (counts) {
        write_scenarios(p, lc_node_get_kind(root, "scenarios", LC_NODE_SEQUENCE), &type);
        write_issues(p, lc_node_get_kind(root, "issues", LC_NODE_SEQUENCE), &type);
        take_cases(p, &outcome, root, arena);
    }
    lc_item item = {type.name, LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, false};
    bool going = lc_take_outcome(&p->c, &item, &outcome);
    lc_outcome_release(&outcome);
    lc_arena_free(arena);
    return going;
}

bool lc_probe_take_parts(lc_probe *p, bool rest)
{
    bool going = true;
    for (; going && p->taken < p->target_count; p->taken++) {
        lc_str *part = &p->parts[p->taken];
        if (!part->ptr && !p->lost[p->taken] && !rest)
            return true;
        if (part->ptr)
            going = take_part(p, *part);
        else
            p->result->left_out++;
    }
    p->report_bad |= !going;
    return going;
}

/* ---- Reports. */

static bool is_page(unsigned format)
{
    return format == LC_FORMAT_MARKDOWN || format == LC_FORMAT_HTML || format == LC_FORMAT_JUNIT;
}

void lc_probe_leave_pages(lc_cli *reporting, const lc_cli *cli)
{
    *reporting = *cli;
    reporting->options.wanted_count = 0;
    for (size_t i = 0; i < cli->options.wanted_count; i++) {
        const lc_wanted *wanted = &cli->options.wanted[i];
        if (!is_page(wanted->format))
            reporting->options.wanted[reporting->options.wanted_count++] = *wanted;
    }
}

lc_exit lc_probe_write_pages(const lc_cli *cli, lc_arena *arena, const lc_probe_result *result)
{
    lc_exit status = LC_EXIT_OK;
    for (size_t i = 0; i < cli->options.wanted_count; i++) {
        const lc_wanted *wanted = &cli->options.wanted[i];
        lc_sheet sheet = {0};
        lc_buf out = {0};
        if (!is_page(wanted->format))
            continue;
        lc_probe_sheet(&sheet, arena, result);
        if (wanted->format == LC_FORMAT_JUNIT)
            lc_probe_junit(&out, arena, result);
        else if (wanted->format == LC_FORMAT_HTML)
            lc_sheet_html(&out, &sheet, cli->options.rules_url);
        else
            lc_sheet_markdown(&out, &sheet, 0);
        lc_exit written = lc_write_wanted(cli, wanted, lc_buf_str(&out));
        status = written == LC_EXIT_OK ? status : written;
        lc_buf_release(&out);
    }
    return status;
}

/* ---- What each type took. */

static int by_time(const void *a, const void *b)
{
    const lc_probe_type *x = *(const lc_probe_type *const *)a;
    const lc_probe_type *y = *(const lc_probe_type *const *)b;
    if (x->took_ms != y->took_ms)
        return x->took_ms > y->took_ms ? -1 : 1;
    return lc_probe_type_order(x, y);
}

bool lc_probe_write_costs(const lc_cli *cli, lc_arena *arena, const lc_probe_result *r)
{
    const char *name = lc_str_to_c(arena, cli->options.costs);
    const lc_probe_type **all = LC_NEW_ARRAY(arena, const lc_probe_type *, r->types.count + 1);
    lc_buf out = {0};
    if (!*name)
        return true;
    for (size_t i = 0; i < r->types.count; i++)
        all[i] = &r->types.items[i];
    qsort(all, r->types.count, sizeof *all, by_time);
    lc_buf_add_c(&out, "type\tcalls\tseconds\tended\thung\tconfigurations\tasked\n");
    for (size_t i = 0; i < r->types.count; i++)
        lc_buf_printf(&out, "%.*s\t%llu\t%.1f\t%u\t%u\t%u\t%s\n", LC_FMT(all[i]->name),
                      (unsigned long long)all[i]->calls, (double)all[i]->took_ms / 1000,
                      all[i]->died, all[i]->hung, all[i]->configurations,
                      all[i]->asked_all ? "all" : "part");
    bool ok = lc_output_file_write(arena, name, lc_buf_str(&out));
    if (!ok)
        lc_message("%s cannot be written: %s", name, strerror(errno));
    lc_buf_release(&out);
    return ok;
}

void lc_probe_add_result(lc_checking *c, lc_arena *arena, const lc_probe_result *result)
{
    lc_buf json = {0};
    lc_probe_add_json(&json, result);
    lc_str member = lc_buf_take(arena, &json);
    for (size_t i = 0; i < c->count; i++) {
        lc_buf *out = &c->outputs[i].bytes;
        size_t from = out->len;
        c->options[i].probe = member;
        if (c->options[i].format != LC_FORMAT_TEXT)
            continue;
        lc_probe_add_text(out, result, c->cli->options.verbose);
        lc_clean_text(out, from);
    }
}

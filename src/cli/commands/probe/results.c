/* From parts, one for each type, to reports. */
#include "cli/commands/probe/probe.h"
#include "cli/commands/probe/probe_pages.h"
#include "cli/scenario_file.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts. */

/* One that cannot be written is reported once. */
static void write_text(lc_probe *p, lc_str folder, const char *name, lc_str text)
{
    lc_str file = lc_str_printf(p->arena, "%.*s/%s", LC_FMT(folder), name);
    if (!p->unwritten)
        p->unwritten = !lc_write_scenario(p->arena, folder, file, text);
}

static void write_issues(lc_probe *p, const lc_probe_part *part)
{
    for (uint32_t i = 0; part->issues && i < part->issues->count; i++) {
        const lc_node *node = &part->issues->as.items[i];
        lc_str file = lc_node_text(node, "file");
        if (!lc_part_names(part, file))
            continue;
        lc_str folder = lc_probe_issue_folder(p->arena, p->folder, file);
        write_text(p, folder, "main.tf", lc_node_text(node, "main_tf"));
        write_text(p, folder, "issue.md", lc_node_text(node, "issue_md"));
        if (lc_node_text(node, "state").len)
            write_text(p, folder, "terraform.tfstate", lc_node_text(node, "state"));
    }
}

/* A case that passes although it has a finding: the baseline knows it. */
void lc_probe_note_case(lc_probe_result *result, const lc_judged *judged)
{
    lc_str file = judged->scenario->subject.file;
    for (size_t i = result->types.count; judged->passes && i > 0; i--) {
        lc_probe_type *type = &result->types.items[i - 1];
        for (size_t k = 0; k < type->findings.count; k++)
            type->findings.items[k].known |= lc_str_eq(type->findings.items[k].file, file);
    }
}

static void take_cases(lc_probe *p, lc_outcome *out, const lc_probe_part *part)
{
    for (size_t i = 0; i < lc_records_case_count(&part->records); i++) {
        lc_judged judged;
        lc_record_case(&judged, part->arena, &part->records, i);
        lc_take_record(&p->c, out, &judged, true);
        lc_probe_note_case(p->result, &judged);
    }
}

/* False: a report cannot be written, so the run ends. A part that cannot be read back is a bug, but
 * the other types are still worth reporting. */
static bool take_part(lc_probe *p, lc_str text)
{
    lc_probe_part part;
    lc_outcome outcome = {.opened = true};
    if (!lc_part_open(&part, p->arena, text, &p->c.policy, &p->c.checker.limits)) {
        p->c.internal_error = true;
        return true;
    }
    if (p->result->not_configured.len == 0)
        p->result->not_configured = lc_str_copy(p->arena, part.not_configured);
    bool counts = !lc_probe_result_take(p->result, p->arena, &part.type)->same_as.len;
    if (p->c.checker.meter)
        p->c.checker.meter->findings = p->result->failing;
    lc_str why;
    if (p->learned && part.learned &&
        !lc_learned_from_document(p->learned, part.learned, LC_STR("probe"), &why))
        p->c.internal_error = true;
    if (counts) {
        p->unwritten = p->unwritten || !lc_part_write_scenarios(&part, p->arena, p->folder);
        write_issues(p, &part);
        take_cases(p, &outcome, &part);
    }
    lc_item item = {part.type.name, LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, false};
    bool going = lc_take_outcome(&p->c, &item, &outcome);
    lc_outcome_release(&outcome);
    lc_part_close(&part);
    return going;
}

/* Parts come in any order and are reported in that of the targets, so that reports are the same for
 * any number of workers. `rest`: none come any more, what is missing is left out. */
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

/* Pages are written from the result as a whole, not case by case: the checker must not see them. */
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

/* A table for people and for spreadsheets: the slowest type first. */
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

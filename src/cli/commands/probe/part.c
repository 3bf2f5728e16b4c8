/* The part of one target that a provider was asked about. */
#include "cli/commands/probe/part.h"
#include "cli/scenario_file.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/document.h"

#include <time.h>

/* ---- In a worker. */

/* A worker writes records of JSON only. Which findings a baseline knows is decided once, in the
 * process that joins the parts, or each worker would count from the beginning. */
void lc_part_begin(lc_part_writer *w, const lc_checker *checker, const lc_report_options *style)
{
    w->record = *style;
    w->record.format = LC_FORMAT_JSON;
    w->record.policy.baseline = NULL;
    w->checker = *checker;
    w->checker.reports = &w->record;
    w->checker.report_count = 1;
    w->checker.policy = &w->record.policy;
    w->checker.meter = NULL;
    w->checker.observe = NULL;
}

void lc_part_add_case(lc_part_writer *w, const lc_probe_finding *finding, lc_scenario *scenario,
                      lc_str text)
{
    if (finding && finding->file.len) {
        lc_doc *doc = lc_doc_object();
        lc_doc_add_str(doc, "file", finding->file);
        lc_doc_add_str(doc, "text", text);
        if (w->scenarios.len)
            lc_buf_add_char(&w->scenarios, ',');
        lc_doc_print(&w->scenarios, doc);
    }
    lc_check_case(&w->outcome, &w->checker, scenario);
}

lc_learned *lc_part_learn(lc_part_writer *w)
{
    if (!w->learned_arena)
        w->learned_arena = lc_arena_new();
    lc_arena_reset(w->learned_arena);
    w->learned = lc_learned_new(w->learned_arena);
    return w->learned;
}

/* Records are on a line each; a part is one line. */
static void add_lines(lc_doc *doc, const char *key, lc_buf *json)
{
    for (size_t i = 0; i < json->len; i++) {
        if (json->ptr[i] == '\n')
            json->ptr[i] = ' ';
    }
    lc_doc_add_raw(doc, key, lc_buf_str(json));
    lc_buf_release(json);
}

static void add_list(lc_doc *doc, const char *key, lc_str items)
{
    lc_buf list = {0};
    lc_buf_add_char(&list, '[');
    lc_buf_add_str(&list, items);
    lc_buf_add_char(&list, ']');
    add_lines(doc, key, &list);
}

static void add_learned(lc_doc *doc, const lc_learned *learned)
{
    lc_buf json = {0};
    if (!learned || !lc_learned_count(learned))
        return;
    lc_learned_add_json(&json, learned);
    add_lines(doc, "learned", &json);
}

/* The line that goes from a worker to its parent, and into the checkpoint: all that reports need of
 * the type, so that nothing is asked twice after --resume. */
void lc_part_write(lc_part_writer *w, lc_buf *out, const lc_probe_type *type, lc_str not_configured)
{
    lc_buf about = {0};
    lc_doc *doc = lc_doc_object();
    lc_probe_add_type_json(&about, type);
    lc_doc_add_raw(doc, "type", lc_buf_str(&about));
    lc_doc_add_uint(doc, "failing", type->failing);
    lc_doc_add_uint(doc, "at", (uint64_t)time(NULL));
    lc_doc_add_uint(doc, "took_ms", (uint64_t)type->took_ms);
    lc_doc_add_str(doc, "not_configured", not_configured);
    add_list(doc, "scenarios", lc_buf_str(&w->scenarios));
    add_list(doc, "issues", lc_buf_str(&w->issues));
    add_list(doc, "cases", lc_buf_str(&w->outcome.cases[0]));
    add_learned(doc, w->learned);
    lc_buf_release(&about);
    lc_doc_print(out, doc);
}

void lc_part_clear(lc_part_writer *w)
{
    lc_buf_clear(&w->scenarios);
    lc_buf_clear(&w->issues);
    lc_outcome_clear(&w->outcome);
}

void lc_part_release(lc_part_writer *w)
{
    lc_outcome_release(&w->outcome);
    lc_buf_release(&w->scenarios);
    lc_buf_release(&w->issues);
    if (w->learned_arena)
        lc_arena_free(w->learned_arena);
}

/* ---- In this process. */

bool lc_part_jobs(unsigned *out, const lc_cli *cli, bool dialled)
{
    uint64_t jobs = lc_cli_has(cli, LC_OPTION_JOBS) ? cli->options.jobs : 1;
    *out = (unsigned)jobs;
    if (jobs == 0)
        lc_message("--jobs takes a number of processes from 1, not 0");
    else if (jobs > 1 && dialled)
        lc_message("--jobs %llu needs a binary: a provider that runs already is one process",
                   (unsigned long long)jobs);
    else
        return true;
    return false;
}

bool lc_part_open(lc_probe_part *out, lc_arena *arena, lc_str text, const lc_policy *policy,
                  const lc_limits *limits)
{
    lc_source source;
    lc_diags diags;
    *out = (lc_probe_part){.arena = lc_arena_new(), .records = {.policy = *policy}};
    lc_diags_init(&diags, out->arena);
    if (lc_json_parse(&source, out->arena, LC_STR("a part"), text, limits, &diags) != LC_OK) {
        lc_report_diags(&diags);
        lc_arena_free(out->arena);
        return false;
    }
    const lc_node *root = source.documents;
    lc_probe_type_from_node(&out->type, arena, lc_node_get(root, "type"));
    out->type.took_ms = (int64_t)lc_record_number(root, "took_ms");
    out->not_configured = lc_node_text(root, "not_configured");
    out->scenarios = lc_node_get_kind(root, "scenarios", LC_NODE_SEQUENCE);
    out->issues = lc_node_get_kind(root, "issues", LC_NODE_SEQUENCE);
    out->learned = lc_node_get_kind(root, "learned", LC_NODE_MAPPING);
    out->records.cases = lc_node_get_kind(root, "cases", LC_NODE_SEQUENCE);
    return true;
}

/* A scenario whose finding has lost its file, because there are too many or another type has the
 * same, is not written. */
bool lc_part_names(const lc_probe_part *part, lc_str file)
{
    for (size_t k = 0; k < part->type.findings.count; k++) {
        if (lc_str_eq(part->type.findings.items[k].file, file))
            return true;
    }
    return false;
}

bool lc_part_write_scenarios(const lc_probe_part *part, lc_arena *arena, lc_str folder)
{
    bool good = true;
    for (uint32_t i = 0; good && part->scenarios && i < part->scenarios->count; i++) {
        const lc_node *one = &part->scenarios->as.items[i];
        lc_str file = lc_node_text(one, "file");
        if (lc_part_names(part, file))
            good = lc_write_scenario(arena, folder, file, lc_node_text(one, "text"));
    }
    return good;
}

void lc_part_close(lc_probe_part *part)
{
    lc_arena_free(part->arena);
}

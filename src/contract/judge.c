/* Judging a case: every run by every family of rules, and nothing stops early. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

#include <string.h>

LC_ENUM_NAMES(lc_action, LC_ACTIONS);
LC_ENUM_NAMES(lc_event_kind, LC_EVENT_KINDS);
LC_ENUM_NAMES(lc_store_op, LC_STORE_OPS);
LC_ENUM_NAMES(lc_provider_severity, LC_PROVIDER_SEVERITIES);
LC_ENUM_NAMES(lc_source_kind, LC_SOURCE_KINDS);

/* Findings with blame `evidence` (the configuration is not what a core would send) make findings
 * about the provider doubtful that rest on the same place of the configuration. The cost is
 * quadratic, so only a first part of the findings is looked at. */
static void mark_undecided(lc_judgement *out)
{
    for (size_t i = 0; i < out->findings.count; i++) {
        const lc_finding *e = &out->findings.items[i];
        if (lc_rule_get(e->rule)->blame != LC_EVIDENCE)
            continue;
        for (size_t k = 0; k < out->findings.count; k++) {
            lc_finding *f = &out->findings.items[k];
            if (f->run == e->run && lc_rule_get(f->rule)->blame == LC_PROVIDER &&
                f->promised_by == LC_COLUMN_CONFIG && lc_path_overlaps(e->path, f->path))
                f->doubtful = true;
        }
        if (i > 1000)
            return;
    }
}

static bool is_new_schema(const lc_case *c, size_t run)
{
    for (size_t i = 0; i < run; i++) {
        if (c->runs.items[i].schema == c->runs.items[run].schema)
            return false;
    }
    return true;
}

/* Without a schema no value can be read. What remains is what answers are without their values, and
 * what clients printed about them. */
static void judge_without_schema(lc_judge *j)
{
    lc_judge_wire(j);
    lc_judge_deferred(j);
    lc_cover_run(j);
    lc_judge_logged(j);
    lc_cover_without_schema(j);
}

/* Wire, responses and write-only come before the comparisons, which mark their findings as
 * following from those. */
static void judge_families(lc_judge *j)
{
    lc_judge_wire(j);
    lc_judge_responses(j);
    lc_judge_write_only(j);
    lc_judge_upgrade(j);
    lc_judge_read(j);
    lc_judge_config(j);
    lc_judge_proposed(j);
    lc_judge_plan(j);
    lc_judge_replace(j);
    lc_judge_final(j);
    lc_judge_apply(j);
    lc_judge_destroy(j);
    lc_judge_import(j);
    lc_judge_move(j);
    lc_judge_data(j);
    lc_judge_ephemeral(j);
    lc_judge_action(j);
    lc_judge_function(j);
    lc_judge_list(j);
    lc_judge_store(j);
    lc_judge_validate(j);
    lc_judge_identity(j);
    lc_judge_deferred(j);
    lc_judge_legacy(j);
    lc_judge_sequence(j);
    lc_judge_behavior(j);
    lc_judge_probe(j);
    lc_judge_gate(j);
    lc_judge_cfn(j);
    lc_judge_drive(j);
}

/* Coverage comes after all families, and logs last. */
static void judge_run(lc_judge *j, size_t run)
{
    const lc_run_view *v = j->view;
    j->sensitivity = lc_sensitivity_of_case(j->scratch, j->subject, v->schema);
    if (v->run->schema_unknown) {
        judge_without_schema(j);
        return;
    }
    if (is_new_schema(j->subject, run))
        lc_judge_schema(j);
    judge_families(j);
    lc_cover_run(j);
    lc_judge_logged(j);
    lc_findings_name_causes(j);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        j->out->runs[run].action[core] = v->core[core].action;
        j->out->runs[run].proposed[core] = v->core[core].proposed;
    }
    j->out->runs[run].no_action = lc_no_action(v);
}

static void init_coverage(lc_judgement *out)
{
    for (int i = 0; i < LC_RULE_COUNT; i++) {
        out->coverage[i] = LC_COVER_NOT_APPLICABLE;
        out->missing[i] = LC_NEED_COUNT;
    }
}

/* A rule with a finding was checked, regardless of other inputs that it would have needed
 * elsewhere. */
static void cover_findings(lc_judgement *out)
{
    for (size_t i = 0; i < out->findings.count; i++) {
        lc_rule rule = out->findings.items[i].rule;
        out->coverage[rule] = LC_COVER_CHECKED;
        out->missing[rule] = LC_NEED_COUNT;
    }
}

static void note_unasked(lc_judgement *out, lc_arena *report, const lc_case *c)
{
    if (c->unasked.len == 0)
        return;
    out->open_expectation = true;
    *LC_PUSH(report, &out->open_expectations, lc_open_expectation) =
        (lc_open_expectation){c->loc, lc_str_copy(report, c->unasked)};
}

/* Each run needs the view of the run before, so all views are kept until the end. */
void lc_case_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, lc_case *c)
{
    memset(out, 0, sizeof *out);
    init_coverage(out);
    lc_case_find_secrets(c, report, scratch);
    out->runs = lc_arena_zalloc(report, lc_mul_size(c->runs.count, sizeof *out->runs));
    lc_run_view *views = LC_NEW_ARRAY(scratch, lc_run_view, c->runs.count);
    lc_judge j = {.report = report, .scratch = scratch, .subject = c, .out = out};
    lc_table asked, functions;
    lc_table_init(&asked, scratch);
    lc_table_init(&functions, scratch);
    j.asked = &asked;
    j.functions = &functions;
    j.after_apply = lc_arena_zalloc(scratch, c->runs.count * sizeof *j.after_apply);
    for (size_t run = 0; run < c->runs.count; run++) {
        const lc_run *r = &c->runs.items[run];
        const lc_run_view *before = run && !r->apart && !r->probed ? &views[run - 1] : NULL;
        lc_run_view_make(&views[run], scratch, c, run, before);
        j.view = &views[run];
        j.before = before;
        judge_run(&j, run);
        j.after_apply[run] =
            views[run].after_apply && lc_call_object(views[run].call[LC_CALL_READ]);
        j.reads_after_apply += j.after_apply[run];
    }
    lc_findings_arrange(&j);
    note_unasked(out, report, c);
    mark_undecided(out);
    lc_findings_name_client(out, scratch, c);
    cover_findings(out);
}

bool lc_config_is_sendable(lc_arena *scratch, const lc_schema *schema, const lc_value *config)
{
    lc_judgement out;
    lc_run_view view;
    lc_case c = {.file = LC_STR_EMPTY, .type = schema->type_name, .resource = schema->type_name};
    lc_run *run = LC_PUSH(scratch, &c.runs, lc_run);
    lc_judge j = {.report = scratch, .scratch = scratch, .subject = &c, .view = &view, .out = &out};
    memset(&out, 0, sizeof out);
    run->schema = schema;
    run->deposed = run->address = LC_STR_EMPTY;
    run->config = (lc_field){.state = LC_FIELD_GIVEN, .loc = {c.file, 0, 0}, .value = config};
    lc_run_view_make(&view, scratch, &c, 0, NULL);
    j.sensitivity = lc_sensitivity_new(scratch, schema, NULL, 0);
    lc_judge_config(&j);
    return out.findings.count == 0;
}

bool lc_run_is_unapplied(const lc_case *c, const lc_judgement *judgement, size_t run)
{
    unsigned calls = 0;
    bool changes = false;
    for (size_t i = 0; i < c->runs.items[run].calls.count; i++)
        calls |= LC_CALL_BIT(c->runs.items[run].calls.items[i].kind);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        lc_action action = judgement->runs[run].action[core];
        changes |= action != LC_ACTION_NONE && action != LC_ACTION_NOOP && action != LC_ACTION_READ;
    }
    return c->source == LC_SOURCE_RPC && changes &&
           !(calls & (LC_CALL_BIT(LC_CALL_APPLY) | LC_CALL_BIT(LC_CALL_DESTROY)));
}

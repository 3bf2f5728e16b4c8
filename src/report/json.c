/* Report format version 1 as JSON and JSON Lines: one record a line, members in a fixed order. */
#include "lifecheck/base/json.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/versions.h"
#include "lifecheck/yaml_json/document.h"
#include "report/text/quote.h"

static bool is_lines(const lc_report_options *options)
{
    return options->format == LC_FORMAT_JSONL;
}

/* JSON Lines: an object that says in its first member what it is. JSON: an object. */
static lc_doc *record(const lc_report_options *options, const char *kind)
{
    lc_doc *doc = lc_doc_object();
    if (is_lines(options))
        lc_doc_add_c(doc, "record", kind);
    return doc;
}

/* A record that is an item of a list of the one JSON document, after a comma if it is not the
 * first. */
static lc_doc *list_item(lc_buf *out, const lc_report_options *options, const char *kind)
{
    if (!is_lines(options))
        lc_join(out);
    return record(options, kind);
}

static void end_record(lc_buf *out, const lc_report_options *options, lc_doc *doc)
{
    lc_doc_print(out, doc);
    if (is_lines(options))
        lc_buf_add_char(out, '\n');
}

static void add_optional(lc_doc *parent, const char *key, lc_str text)
{
    if (text.len)
        lc_doc_add_str(parent, key, text);
    else
        lc_doc_add_null(parent, key);
}

static void add_place(lc_doc *parent, const char *key, lc_loc loc)
{
    lc_doc *place = lc_doc_add_object(parent, key);
    lc_doc_add_str(place, "file", loc.file);
    lc_doc_add_uint(place, "line", loc.line);
    lc_doc_add_uint(place, "column", loc.column);
}

static void add_location(lc_doc *parent, lc_loc loc)
{
    add_place(parent, "location", loc);
}

/* ---- The head. */

static void add_head(lc_doc *doc, const lc_report_options *options)
{
    const lc_policy *policy = &options->policy;
    lc_doc_add_uint(doc, "lifecheck_report", 1);
    lc_doc *tool = lc_doc_add_object(doc, "tool");
    lc_doc_add_c(tool, "name", "lifecheck");
    lc_doc_add_c(tool, "version", LC_VERSION);
    lc_doc_add_c(tool, "rules_version", LC_RULES_VERSION);
    lc_doc *mirrors = lc_doc_add_object(tool, "mirrors");
    lc_doc_add_c(mirrors, "opentofu", LC_MIRRORED_OPENTOFU);
    lc_doc_add_c(mirrors, "terraform", LC_MIRRORED_TERRAFORM);
    lc_doc_add_c(doc, "as", lc_profile_name(policy->as));
    lc_doc_add_bool(doc, "strict", policy->strict);
    lc_doc_add_c(doc, "fail_on", lc_severity_name(policy->fail_on));
    if (policy->select_count)
        lc_doc_add_strs(doc, "select", policy->select, policy->select_count);
    if (policy->ignore_count)
        lc_doc_add_strs(doc, "ignore", policy->ignore, policy->ignore_count);
}

/* In JSON the brace that closes the head is removed again: cases, errors and the summary become
 * further members of the same object. */
static void begin(lc_buf *out, const lc_report_options *options)
{
    lc_doc *doc = record(options, "start");
    add_head(doc, options);
    end_record(out, options, doc);
    if (is_lines(options))
        return;
    out->len--;
    lc_json w = {.out = out, .depth = 1, .more = true};
    lc_json_break(&w, 0);
    lc_json_array(&w, "cases");
}

/* ---- One finding. */

static void add_call(lc_doc *parent, const lc_finding *f)
{
    lc_doc *call = lc_doc_add_object(parent, "call");
    lc_doc_add_c(call, "rpc", lc_call_rpc(f->call.kind));
    lc_doc_add_c(call, "phase", lc_call_phase(f->call.kind));
    lc_doc_add_c(call, "leg", lc_call_leg(f->call.kind));
    lc_doc_add_uint(call, "index", f->call.index);
    lc_doc_add_c(call, "kind", lc_call_kind_name(f->call.kind));
    lc_doc *also = lc_doc_add_array(parent, "also");
    for (size_t i = 0; i < f->also_count; i++)
        lc_doc_add_c(also, NULL, lc_call_kind_name(f->also[i].kind));
}

static void add_shown(lc_doc *parent, const lc_redacted_text shown[LC_COLUMN_COUNT])
{
    lc_doc *values = lc_doc_add_object(parent, "values");
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (shown[column].given)
            lc_doc_add_raw(values, lc_column_name((lc_column)column), shown[column].json);
    }
}

static void add_evidence(lc_doc *parent, const lc_evidence *evidence)
{
    if (!evidence)
        return;
    lc_doc *rows = lc_doc_add_array(parent, "evidence");
    for (size_t i = 0; i < evidence->count; i++) {
        lc_doc *row = lc_doc_add_object(rows, NULL);
        lc_doc_add_str(row, "path", evidence->rows[i].path_text);
        if (evidence->rows[i].pointer.len)
            lc_doc_add_str(row, "pointer", evidence->rows[i].pointer);
        add_shown(row, evidence->rows[i].values);
    }
    if (evidence->more)
        lc_doc_add_uint(parent, "evidence_more", evidence->more);
}

static const char *column_name(lc_column column)
{
    return column == LC_COLUMN_NONE ? NULL : lc_column_name(column);
}

static void add_values(lc_doc *parent, const lc_finding *f)
{
    add_shown(parent, f->values);
    lc_doc_add_c(parent, "promised_by", column_name(f->promised_by));
    lc_doc_add_c(parent, "broken_by", column_name(f->broken_by));
}

/* The places of the values in the input; a derived value has none. */
static void add_places(lc_doc *parent, const lc_judged *judged, const lc_finding *f)
{
    lc_doc *places = lc_doc_add_object(parent, "places");
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        lc_loc loc = lc_column_place(judged, f, (lc_column)column);
        if (loc.line)
            add_place(places, lc_column_name((lc_column)column), loc);
    }
}

static void add_version(lc_doc *parent, const char *key, unsigned minor)
{
    lc_buf version = {0};
    lc_buf_printf(&version, minor == LC_NEVER ? "never" : "1.%u", minor);
    lc_doc_add_str(parent, key, lc_buf_str(&version));
    lc_buf_release(&version);
}

/* Since and until when the client has the check. Nothing is added if all versions of both clients
 * have it. */
static void add_versions(lc_doc *parent, const lc_finding *f, lc_core which)
{
    lc_since versions[LC_CORE_COUNT];
    if (!lc_finding_versions(versions, f))
        return;
    if (versions[which].since)
        add_version(parent, "since", versions[which].since);
    if (versions[which].until)
        add_version(parent, "until", versions[which].until);
}

static void add_core(lc_doc *parent, const lc_finding *f, lc_core which)
{
    const lc_core_view *view = &f->core[which];
    lc_doc *core = lc_doc_add_object(parent, lc_core_name(which));
    lc_doc_add_c(core, "effect", lc_effect_name(view->effect));
    add_optional(core, "summary", view->summary);
    add_optional(core, "message", view->message);
    lc_doc_add_bool(core, "exact", view->exact);
    lc_doc_add_bool(core, "masked", view->masked);
    add_versions(core, f, which);
    lc_doc *legacy = lc_doc_add_object(core, "legacy_type_system");
    lc_doc_add_c(legacy, "set", lc_effect_name(lc_finding_effect_if(f, which, true)));
    lc_doc_add_c(legacy, "unset", lc_effect_name(lc_finding_effect_if(f, which, false)));
}

static void add_diagnosis(lc_doc *parent, const lc_diagnosis *d)
{
    if (d->id.len == 0) {
        lc_doc_add_null(parent, "diagnosis");
        return;
    }
    lc_doc *diagnosis = lc_doc_add_object(parent, "diagnosis");
    lc_doc_add_str(diagnosis, "id", d->id);
    lc_doc_add_c(diagnosis, "confidence", d->exact ? "exact" : "likely");
    lc_doc_add_str(diagnosis, "why", d->why);
    lc_doc *fix = lc_doc_add_object(diagnosis, "fix");
    add_optional(fix, "framework", d->fix_framework);
    add_optional(fix, "sdkv2", d->fix_sdkv2);
}

/* Findings of the severity hidden are not listed, and indices in the list do not count them. The
 * report of a shard lists them, because `merge` makes reports of it that count them. */
static bool is_listed(const lc_report_options *options, const lc_judged *judged, long i)
{
    return options->shard || judged->severities[i] != LC_HIDDEN;
}

static void add_follows(lc_doc *doc, const lc_report_options *options, const lc_judged *judged,
                        long follows)
{
    uint64_t place = 0;
    if (follows < 0 || !is_listed(options, judged, follows)) {
        lc_doc_add_null(doc, "follows");
        return;
    }
    for (long i = 0; i < follows; i++)
        place += is_listed(options, judged, i);
    lc_doc_add_uint(doc, "follows", place);
}

static void add_fact(lc_doc *parent, const char *key, lc_fact fact)
{
    if (fact == LC_NOT_KNOWN)
        lc_doc_add_null(parent, key);
    else
        lc_doc_add_bool(parent, key, fact == LC_YES);
}

static void add_elsewhere(lc_doc *parent, const lc_cause *origin)
{
    if (!origin)
        return;
    lc_doc *doc = lc_doc_add_object(parent, "broken_elsewhere");
    lc_doc_add_str(doc, "case", origin->name);
    lc_doc_add_str(doc, "rule", lc_rule_get(origin->rule)->slug);
    lc_doc_add_str(doc, "path", origin->path_text);
    add_location(doc, origin->loc);
}

static void fill_finding(lc_doc *doc, const lc_report_options *options, const lc_judged *judged,
                         size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    const lc_rule_info *info = lc_rule_get(f->rule);
    lc_doc_add_str(doc, "rule", info->slug);
    lc_doc_add_c(doc, "severity", lc_severity_name(judged->severities[i]));
    lc_doc_add_c(doc, "strength", lc_strength_name(info->strength));
    lc_doc_add_c(doc, "blame", lc_blame_name(lc_finding_blame(f)));
    lc_doc_add_bool(doc, "doubtful", f->doubtful);
    lc_doc_add_bool(doc, "old_sdk", f->of_old_sdk);
    if (f->unproven)
        lc_doc_add_bool(doc, "unproven", true);
    lc_doc_add_uint(doc, "run", f->run);
    add_call(doc, f);
    add_follows(doc, options, judged, f->follows);
    if (f->address.len)
        lc_doc_add_str(doc, "address", f->address);
    lc_doc_add_str(doc, "path", f->path_text);
    lc_doc_add_raw(doc, "steps", f->steps_json.len ? f->steps_json : LC_STR("[]"));
    lc_doc_add_str(doc, "message", f->message.len ? f->message : info->title);
    add_location(doc, f->loc);
    add_values(doc, f);
    add_places(doc, judged, f);
    add_evidence(doc, f->evidence);
    add_core(doc, f, LC_OPENTOFU);
    add_core(doc, f, LC_TERRAFORM);
    add_fact(doc, "legacy_type_system", f->legacy);
    add_diagnosis(doc, &f->diagnosis);
    add_elsewhere(doc, f->cause);
    add_optional(doc, "suppressed", judged->suppressed[i]);
    if (judged->suppressors[i])
        lc_doc_add_c(doc, "suppressed_by", lc_suppressor_name(judged->suppressors[i]));
    if (judged->expectation != LC_EXPECTATION_NONE)
        lc_doc_add_bool(doc, "expected", judged->expected[i]);
    lc_doc_add_c(doc, "fingerprint", judged->fingerprints[i]);
}

/* ---- One case. */

static void add_runs(lc_doc *doc, const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    lc_doc *runs = lc_doc_add_array(doc, "runs");
    for (size_t i = 0; i < c->runs.count; i++) {
        lc_doc *run = lc_doc_add_object(runs, NULL);
        lc_doc_add_uint(run, "run", i + 1);
        lc_doc *actions = lc_doc_add_object(run, "action");
        for (int core = 0; core < LC_CORE_COUNT; core++) {
            lc_action action = judged->judgement.runs[i].action[core];
            lc_doc_add_c(actions, lc_core_name((lc_core)core),
                         action == LC_ACTION_NONE ? NULL : lc_action_name(action));
        }
        if (lc_run_is_unapplied(c, &judged->judgement, i))
            lc_doc_add_bool(run, "unapplied", true);
        lc_doc *calls = lc_doc_add_array(run, "calls");
        for (size_t k = 0; k < c->runs.items[i].calls.count; k++)
            lc_doc_add_c(calls, NULL, lc_call_kind_name(c->runs.items[i].calls.items[k].kind));
        lc_doc_add_strs(run, "derived", c->runs.items[i].derived.items,
                        c->runs.items[i].derived.count);
    }
}

/* The name of a whole family does not say which of its rules apply, so a gap that has one also
 * lists every rule. */
static void add_every(lc_doc *entry, const lc_judgement *judgement, const lc_gap *gap, lc_need need)
{
    bool family = false;
    for (size_t i = 0; i < gap->name_count; i++)
        family |= lc_str_ends_with(gap->names[i], LC_STR("/*"));
    if (!family)
        return;
    lc_doc *every = lc_doc_add_array(entry, "every");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (judgement->coverage[rule] == LC_COVER_NOT_CHECKED && judgement->missing[rule] == need)
            lc_doc_add_str(every, NULL, lc_rule_get((lc_rule)rule)->slug);
    }
}

static void add_gaps(lc_doc *doc, const lc_judgement *judgement)
{
    lc_arena *arena = lc_arena_new();
    lc_doc *list = lc_doc_add_array(doc, "not_checked");
    lc_gaps gaps;
    lc_gaps_init(&gaps, judgement);
    for (unsigned need = 0; need <= LC_NEED_COUNT; need++) {
        lc_gap gap;
        if (!lc_gap_of(&gap, arena, &gaps, (lc_need)need))
            continue;
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_c(entry, "missing", gap.missing);
        lc_doc_add_strs(entry, "rules", gap.names, gap.name_count);
        lc_doc_add_uint(entry, "count", gap.rule_count);
        add_every(entry, judgement, &gap, (lc_need)need);
    }
    lc_arena_free(arena);
}

static void add_coverage(lc_doc *doc, const lc_judgement *judgement)
{
    lc_rule_counts counts = lc_count_rules(judgement);
    lc_doc *rules = lc_doc_add_object(doc, "rules");
    lc_doc_add_uint(rules, "checked", counts.checked);
    lc_doc_add_uint(rules, "not_applicable", counts.not_applicable);
    lc_doc_add_uint(rules, "not_checked", counts.not_checked);
    add_gaps(doc, judgement);
    lc_doc *checked = lc_doc_add_array(doc, "checked");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (judgement->coverage[rule] == LC_COVER_CHECKED)
            lc_doc_add_str(checked, NULL, lc_rule_get((lc_rule)rule)->slug);
    }
}

static void add_sets(lc_doc *doc, const lc_judged *judged)
{
    lc_doc *sets = lc_doc_add_array(doc, "sets");
    for (size_t i = 0; i < judged->sets.count; i++) {
        lc_doc *set = lc_doc_add_object(sets, NULL);
        lc_doc_add_str(set, "path", judged->sets.items[i].path);
        lc_doc_add_bool(set, "unknown", judged->sets.items[i].unknown);
    }
}

static void add_failures(lc_doc *doc, const char *key, const lc_expectation_failure *items,
                         size_t count)
{
    lc_doc *list = lc_doc_add_array(doc, key);
    for (size_t i = 0; i < count; i++) {
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_c(entry, "kind", items[i].kind);
        lc_doc_add_str(entry, "detail", items[i].detail);
        add_location(entry, items[i].loc);
    }
}

static void add_lints(lc_doc *doc, const lc_judged *judged)
{
    lc_doc *list = lc_doc_add_array(doc, "lint");
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_c(entry, "id", lc_lint_get(note->lint)->id);
        lc_doc_add_c(entry, "severity", lc_severity_name(judged->lint_severities[i]));
        lc_doc_add_str(entry, "message", note->message);
        lc_doc_add_c(entry, "fix", lc_lint_get(note->lint)->fix);
        add_location(entry, note->loc);
    }
}

/* The lines of the input that other reports will show; only a shard has them. */
static void add_quotes(lc_doc *doc, const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    const lc_quoted_line *lines;
    size_t count = lc_quoted_lines(&lines, arena, judged);
    lc_doc *quoted = count ? lc_doc_add_object(doc, "quoted") : NULL;
    if (quoted)
        lc_doc_add_bool(quoted, "secrets", lc_quotable_has_secrets(judged->quotable));
    lc_doc *list = quoted ? lc_doc_add_array(quoted, "lines") : NULL;
    for (size_t i = 0; i < count; i++) {
        lc_doc *quote = lc_doc_add_object(list, NULL);
        lc_doc_add_uint(quote, "line", lines[i].number);
        lc_doc_add_str(quote, "text", lines[i].text);
    }
    lc_arena_free(arena);
}

static void add_client(lc_doc *parent, const lc_judged *judged)
{
    if (!judged->client)
        return;
    lc_doc *client = lc_doc_add_object(parent, "client");
    add_optional(client, "name", judged->client->program);
    add_optional(client, "version", judged->client->version);
}

/* Prints `doc`, and after its members the findings, one by one, because a case may have so many
 * that a document of all does not fit into memory. The object stays open. */
static void add_findings(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                         lc_doc *doc)
{
    lc_json w = {.out = out, .depth = 1, .more = true}; /* after the first members */
    lc_doc_print(out, doc);
    out->len--;
    lc_json_array(&w, "findings");
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (!is_listed(options, judged, (long)i))
            continue;
        lc_doc *finding = lc_doc_object();
        fill_finding(finding, options, judged, i);
        lc_doc_print(lc_json_value(&w, NULL), finding);
    }
    lc_json_end_array(&w);
}

static void add_prediction(lc_doc *doc, const lc_judgement *judgement)
{
    if (judgement->prediction.len)
        lc_doc_add_raw(doc, "prediction", judgement->prediction);
    if (judgement->predictions.len)
        lc_doc_add_raw(doc, "predictions", judgement->predictions);
    if (judgement->foreseen.len)
        lc_doc_add_raw(doc, "foreseen", judgement->foreseen);
    if (judgement->prediction_notes.len)
        lc_doc_add_raw(doc, "prediction_notes", judgement->prediction_notes);
    if (judgement->instances.len)
        lc_doc_add_raw(doc, "provider_instances", judgement->instances);
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    lc_doc *doc = list_item(out, options, "case");
    lc_doc_add_str(doc, "file", c->file);
    lc_doc_add_uint(doc, "document", c->document);
    lc_doc_add_str(doc, "name", c->name);
    lc_doc_add_c(doc, "source", lc_source_kind_name(c->source));
    if (judged->judgement.domain != LC_DOMAIN_LIFECYCLE)
        lc_doc_add_c(doc, "domain", lc_domain_name(judged->judgement.domain));
    lc_doc_add_str(doc, "resource", c->resource);
    lc_doc_add_str(doc, "type", c->type);
    lc_doc_add_c(doc, "verdict", lc_verdict_name(judged->verdict));
    lc_doc_add_c(doc, "expectation", lc_expectation_result_name(judged->expectation));
    if (judged->scenario->known_failing)
        lc_doc_add_str(doc, "known_failing", judged->scenario->known_failing_reason);
    lc_doc_add_bool(doc, "passes", judged->passes);
    add_client(doc, judged);
    add_runs(doc, judged);
    add_findings(out, options, judged, doc);
    size_t rest = out->len;
    doc = lc_doc_object();
    add_prediction(doc, &judged->judgement);
    add_coverage(doc, &judged->judgement);
    if (judged->sets.count)
        add_sets(doc, judged);
    add_failures(doc, "expectation_failures", judged->failures.items, judged->failures.count);
    add_failures(doc, "notes", judged->notes.items, judged->notes.count);
    if (judged->linted)
        add_lints(doc, judged);
    if (options->shard)
        add_quotes(doc, judged);
    end_record(out, options, doc);
    out->ptr[rest] = ','; /* instead of a brace: the object of the case continues */
}

/* Records of the kind `finding`, for a case that goes on: its own record follows at its end. */
void lc_json_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (judged->reported[i])
            continue;
        lc_doc *doc = record(options, "finding");
        lc_doc_add_str(doc, "type", judged->scenario->subject.type);
        fill_finding(doc, options, judged, i);
        end_record(out, options, doc);
    }
}

/* ---- Errors and the end. */

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_doc *doc = list_item(out, options, "error");
    lc_doc_add_str(doc, "file", diag->loc.file);
    lc_doc_add_uint(doc, "line", diag->loc.line);
    lc_doc_add_uint(doc, "column", diag->loc.column);
    lc_doc_add_str(doc, "message", diag->message);
    if (diag->severity != LC_DIAG_ERROR)
        lc_doc_add_c(doc, "severity", lc_diag_severity_name(diag->severity));
    if (options->shard && diag->quote.text.len)
        lc_doc_add_str(doc, "quote", diag->quote.text);
    end_record(out, options, doc);
}

static void add_lint_counts(lc_doc *doc, const lc_summary *s)
{
    lc_doc *lints = lc_doc_add_object(doc, "lint");
    lc_doc_add_uint(lints, "error", s->lints[LC_ERROR]);
    lc_doc_add_uint(lints, "warning", s->lints[LC_WARNING]);
    lc_doc_add_uint(lints, "info", s->lints[LC_INFO]);
}

static void add_summary(lc_doc *doc, const lc_report_options *options, const lc_summary *s,
                        lc_str lens)
{
    lc_doc_add_uint(doc, "cases", s->cases);
    lc_doc_add_uint(doc, "conform", s->conform);
    lc_doc_add_uint(doc, "violate", s->violate);
    lc_doc_add_uint(doc, "not_judged", s->not_judged);
    lc_doc_add_uint(doc, "met", s->met);
    lc_doc_add_uint(doc, "unmet", s->unmet);
    lc_doc_add_uint(doc, "known_failing", s->known_failing);
    lc_doc_add_uint(doc, "errors", s->errors);
    lc_doc *findings = lc_doc_add_object(doc, "findings");
    lc_doc_add_uint(findings, "error", s->findings[LC_ERROR]);
    lc_doc_add_uint(findings, "warning", s->findings[LC_WARNING]);
    lc_doc_add_uint(findings, "info", s->findings[LC_INFO]);
    lc_doc *suppressed = lc_doc_add_object(doc, "suppressed");
    lc_doc_add_uint(suppressed, "ignored", s->ignored);
    lc_doc_add_uint(suppressed, "baseline", s->known);
    if (s->linted)
        add_lint_counts(doc, s);
    if (options->policy.narrowed.len)
        lc_doc_add_str(doc, "narrowed", options->policy.narrowed);
    lc_json_lens(doc, lens);
}

/* ---- A shard. */

static void add_unused(lc_doc *doc, const lc_shard *shard)
{
    lc_doc *unused = lc_doc_add_array(doc, "unused");
    for (size_t i = 0; i < shard->unused.count; i++) {
        const lc_diag *diag = &shard->unused.items[i];
        lc_doc *entry = lc_doc_add_object(unused, NULL);
        lc_doc_add_str(entry, "message", diag->message);
        add_location(entry, diag->loc);
    }
}

static void add_shard(lc_json *w, const lc_shard *shard)
{
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "index", shard->index);
    lc_doc_add_uint(doc, "of", shard->of);
    lc_doc *items = lc_doc_add_array(doc, "inputs");
    for (size_t i = 0; i < shard->items.count; i++) {
        lc_doc *item = lc_doc_add_object(items, NULL);
        lc_doc_add_uint(item, "cases", shard->items.items[i].cases);
        lc_doc_add_uint(item, "errors", shard->items.items[i].errors);
    }
    lc_doc_add_strs(doc, "skipped", shard->skipped, shard->skipped_count);
    add_unused(doc, shard);
    lc_json_break(w, 0);
    lc_doc_print(lc_json_value(w, "shard"), doc);
}

static void end_lines(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    lc_doc *doc = record(report->options, "end");
    add_summary(lc_doc_add_object(doc, "summary"), report->options, summary,
                lc_buf_str(&report->lens));
    end_record(out, report->options, doc);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    lc_doc *doc = lc_doc_object();
    lc_json w = {.out = out, .depth = 2, .more = true}; /* after the cases */
    lc_json_end_array(&w);
    lc_json_break(&w, 0);
    lc_json_array(&w, "errors");
    lc_buf_add_str(out, lc_buf_str(&report->errors));
    lc_json_end_array(&w);
    add_summary(doc, report->options, summary, lc_buf_str(&report->lens));
    lc_json_break(&w, 0);
    lc_doc_print(lc_json_value(&w, "summary"), doc);
    if (report->options->shard)
        add_shard(&w, report->options->shard);
    if (report->options->probe.len) {
        lc_json_break(&w, 0);
        lc_json_raw(&w, "probe", report->options->probe);
    }
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

const lc_writer lc_writer_json = {
    .begin = begin,
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_list,
    .end = end,
};

const lc_writer lc_writer_jsonl = {
    .begin = begin,
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_at_once,
    .end = end_lines,
};

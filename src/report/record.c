/* From JSON reports back to judged cases, member by member as json.c writes them.
 *
 * A report comes from a file, so nothing in it is trusted: a member of another kind than json.c
 * writes counts as absent, and unknown rules are refused first. */
#include "lifecheck/report/record.h"
#include "lifecheck/base/arena.h"
#include "report/text/quote.h"

#include <string.h>

typedef struct reader {
    lc_arena *arena;
    const lc_records *records;
} reader;

/* ---- Members. */

uint64_t lc_record_number(const lc_node *node, const char *key)
{
    const lc_node *found = lc_node_get_kind(node, key, LC_NODE_NUMBER);
    uint64_t n = 0;
    for (size_t i = 0; found && i < found->as.text.len && i < 18; i++) {
        char c = found->as.text.ptr[i];
        if (c < '0' || c > '9')
            return 0;
        n = n * 10 + (uint64_t)(c - '0');
    }
    return n;
}

static uint32_t small_of(const lc_node *node, const char *key)
{
    uint64_t n = lc_record_number(node, key);
    return n > UINT32_MAX ? 0 : (uint32_t)n;
}

static uint32_t count_of(const lc_node *list)
{
    return list ? list->count : 0;
}

static const lc_node *list_of(const lc_node *node, const char *key)
{
    return lc_node_get_kind(node, key, LC_NODE_SEQUENCE);
}

static lc_loc place_of(const lc_node *node, const char *key)
{
    const lc_node *place = lc_node_get_kind(node, key, LC_NODE_MAPPING);
    return (lc_loc){lc_node_text(place, "file"), small_of(place, "line"),
                    small_of(place, "column")};
}

static lc_loc location_of(const lc_node *node)
{
    return place_of(node, "location");
}

/* Which of the names it is, or `none`. */
static size_t name_of(lc_str text, const char *const *names, size_t none)
{
    lc_str_is_one_of(text, names, &none);
    return none;
}

static lc_lint lint_of(lc_str id)
{
    unsigned i = LC_LINT_COUNT - 1;
    while (i && !lc_str_is(id, lc_lint_get((lc_lint)i)->id))
        i--;
    return (lc_lint)i;
}

/* ---- One finding. */

static lc_path path_of(lc_arena *arena, const lc_node *steps)
{
    uint32_t count = count_of(steps);
    lc_step *out = LC_NEW_ARRAY(arena, lc_step, count);
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *step = &steps->as.items[i];
        out[i] = (lc_step){.kind = LC_STEP_ELEMENT, .name = LC_STR_EMPTY};
        if (lc_node_get_kind(step, "attribute", LC_NODE_STRING))
            out[i] = (lc_step){.kind = LC_STEP_ATTR, .name = lc_node_text(step, "attribute")};
        else if (lc_node_get_kind(step, "key", LC_NODE_STRING))
            out[i] = (lc_step){.kind = LC_STEP_KEY, .name = lc_node_text(step, "key")};
        else if (lc_node_get_kind(step, "index", LC_NODE_NUMBER))
            out[i] = (lc_step){.kind = LC_STEP_INDEX,
                               .name = LC_STR_EMPTY,
                               .index = lc_record_number(step, "index")};
    }
    return (lc_path){out, count};
}

static void read_call(reader *r, lc_finding *out, const lc_node *node)
{
    const lc_node *call = lc_node_get_kind(node, "call", LC_NODE_MAPPING),
                  *also = list_of(node, "also");
    lc_call_kind_from_name(&out->call.kind, lc_node_text(call, "kind"));
    out->call.index = small_of(call, "index");
    lc_call_ref *list = LC_NEW_ARRAY(r->arena, lc_call_ref, count_of(also));
    for (uint32_t i = 0; i < count_of(also); i++) {
        list[i] = (lc_call_ref){LC_CALL_SCHEMA, 0};
        if (also->as.items[i].kind == LC_NODE_STRING)
            lc_call_kind_from_name(&list[i].kind, also->as.items[i].as.text);
    }
    out->also = list;
    out->also_count = count_of(also);
}

static void read_shown(lc_arena *arena, lc_redacted_text out[LC_COLUMN_COUNT], const lc_node *node)
{
    const lc_node *values = lc_node_get_kind(node, "values", LC_NODE_MAPPING);
    for (unsigned column = 0; values && column < LC_COLUMN_COUNT; column++) {
        const lc_node *value = lc_node_get(values, lc_column_names[column]);
        if (value)
            out[column] = (lc_redacted_text){.given = true, .json = lc_node_json(arena, value)};
    }
}

static const lc_evidence *evidence_of(lc_arena *arena, const lc_node *node)
{
    const lc_node *rows = list_of(node, "evidence");
    uint32_t count = count_of(rows);
    if (!rows)
        return NULL;
    lc_evidence_row *out = lc_arena_zalloc(arena, lc_mul_size(count, sizeof(lc_evidence_row)));
    for (uint32_t i = 0; i < count; i++) {
        out[i].path_text = lc_node_text(&rows->as.items[i], "path");
        out[i].pointer = lc_node_text(&rows->as.items[i], "pointer");
        read_shown(arena, out[i].values, &rows->as.items[i]);
    }
    lc_evidence *evidence = LC_NEW(arena, lc_evidence);
    *evidence = (lc_evidence){out, count, small_of(node, "evidence_more")};
    return evidence;
}

/* Reports have the title of the rule where a finding has no message of its own. */
static lc_str message_of(lc_rule rule, const lc_node *node)
{
    lc_str message = lc_node_text(node, "message");
    return lc_str_eq(message, lc_rule_get(rule)->title) ? LC_STR_EMPTY : message;
}

static void read_values(reader *r, lc_finding *out, const lc_node *node)
{
    read_shown(r->arena, out->values, node);
    out->evidence = evidence_of(r->arena, node);
    out->promised_by =
        (lc_column)name_of(lc_node_text(node, "promised_by"), lc_column_names, LC_COLUMN_NONE);
    out->broken_by =
        (lc_column)name_of(lc_node_text(node, "broken_by"), lc_column_names, LC_COLUMN_NONE);
}

/* A version that is not that of the rule follows from the values. */
static unsigned since_of(const lc_finding *f, lc_core which, const lc_node *core)
{
    lc_since versions[LC_CORE_COUNT];
    unsigned minor;
    if (!lc_version_read(&minor, lc_node_text(core, "since")) ||
        (lc_versions_of(versions, f->rule, f->call.kind) && versions[which].since == minor))
        return 0;
    return minor;
}

static void read_core(lc_finding *f, lc_core which, const lc_node *node)
{
    lc_core_view *out = &f->core[which];
    const lc_node *core = lc_node_get_kind(node, lc_core_name(which), LC_NODE_MAPPING);
    out->since = since_of(f, which, core);
    if (lc_effect_from_name(&out->effect, lc_node_text(core, "effect")) &&
        out->effect == LC_EFFECT_ERROR_UNLESS_LEGACY)
        out->effect = LC_EFFECT_NONE;
    out->summary = lc_node_text(core, "summary");
    out->message = lc_node_text(core, "message");
    out->exact = lc_node_is_true(lc_node_get(core, "exact"));
    out->masked = lc_node_is_true(lc_node_get(core, "masked"));
}

static void read_diagnosis(lc_diagnosis *out, const lc_node *node)
{
    const lc_node *diagnosis = lc_node_get_kind(node, "diagnosis", LC_NODE_MAPPING);
    const lc_node *fix = lc_node_get_kind(diagnosis, "fix", LC_NODE_MAPPING);
    out->id = lc_node_text(diagnosis, "id");
    if (out->id.len == 0) /* not present, whatever the other members are */
        return;
    out->exact = lc_str_is(lc_node_text(diagnosis, "confidence"), "exact");
    out->why = lc_node_text(diagnosis, "why");
    out->fix_framework = lc_node_text(fix, "framework");
    out->fix_sdkv2 = lc_node_text(fix, "sdkv2");
}

static const lc_cause *elsewhere_of(lc_arena *arena, const lc_node *node)
{
    const lc_node *found = lc_node_get_kind(node, "broken_elsewhere", LC_NODE_MAPPING);
    lc_rule rule;
    if (!found || !lc_rule_from_slug(&rule, lc_node_text(found, "rule")))
        return NULL;
    lc_cause *origin = LC_NEW(arena, lc_cause);
    origin->name = lc_node_text(found, "case");
    origin->rule = rule;
    origin->path_text = lc_node_text(found, "path");
    origin->loc = location_of(found);
    return origin;
}

static lc_fact fact_of(const lc_node *node, const char *key)
{
    if (!lc_node_get_kind(node, key, LC_NODE_BOOL))
        return LC_NOT_KNOWN;
    return lc_node_is_true(lc_node_get(node, key)) ? LC_YES : LC_NO;
}

static void read_finding(reader *r, lc_finding *out, const lc_node *node, uint32_t before)
{
    lc_rule_from_slug(&out->rule, lc_node_text(node, "rule"));
    out->run = small_of(node, "run");
    read_call(r, out, node);
    uint64_t follows = lc_record_number(node, "follows");
    bool leads = lc_node_get_kind(node, "follows", LC_NODE_NUMBER) && follows < before;
    out->follows = leads ? (long)follows : -1;
    out->address = lc_node_text(node, "address");
    out->path_text = lc_node_text(node, "path");
    const lc_node *steps = list_of(node, "steps");
    out->path = path_of(r->arena, steps);
    out->steps_json = steps ? lc_node_json(r->arena, steps) : LC_STR("[]");
    out->message = message_of(out->rule, node);
    out->loc = location_of(node);
    read_values(r, out, node);
    read_core(out, LC_OPENTOFU, node);
    read_core(out, LC_TERRAFORM, node);
    out->legacy = fact_of(node, "legacy_type_system");
    read_diagnosis(&out->diagnosis, node);
    out->cause = elsewhere_of(r->arena, node);
    out->doubtful = lc_node_is_true(lc_node_get(node, "doubtful"));
    out->of_client = lc_str_is(lc_node_text(node, "blame"), lc_blame_name(LC_CLIENT));
    out->unproven = lc_node_is_true(lc_node_get(node, "unproven"));
    out->of_old_sdk = lc_node_is_true(lc_node_get(node, "old_sdk"));
}

static void read_fingerprint(char out[17], lc_str text)
{
    size_t length = text.len < 16 ? text.len : 16;
    memcpy(out, text.ptr, length);
    memset(out + length, 0, 17 - length);
}

static void read_places(lc_loc out[LC_COLUMN_COUNT], const lc_node *node)
{
    const lc_node *places = lc_node_get_kind(node, "places", LC_NODE_MAPPING);
    for (unsigned column = 0; column < LC_COLUMN_COUNT; column++)
        out[column] = place_of(places, lc_column_names[column]);
}

/* Older reports do not have the member; in these only the reason shows a baseline. */
static lc_suppressor suppressor_of(const lc_node *finding, lc_str reason)
{
    if (reason.len == 0)
        return LC_SUPPRESSED_NOT;
    lc_suppressor former = lc_str_is(reason, LC_BASELINE_REASON) ? LC_SUPPRESSED_BY_BASELINE
                                                                 : LC_SUPPRESSED_BY_SCENARIO;
    return (lc_suppressor)name_of(lc_node_text(finding, "suppressed_by"), lc_suppressor_names,
                                  former);
}

static void read_findings(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *list = list_of(node, "findings");
    uint32_t count = count_of(list);
    out->severities = LC_NEW_ARRAY(r->arena, lc_severity, count);
    out->expected = LC_NEW_ARRAY(r->arena, bool, count);
    out->suppressed = LC_NEW_ARRAY(r->arena, lc_str, count);
    out->suppressors = LC_NEW_ARRAY(r->arena, lc_suppressor, count);
    out->fingerprints = lc_arena_array(r->arena, count, sizeof *out->fingerprints);
    lc_loc(*places)[LC_COLUMN_COUNT] = lc_arena_array(r->arena, count, sizeof *places);
    out->places = (const lc_loc(*)[LC_COLUMN_COUNT])places;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *finding = &list->as.items[i];
        read_finding(r, LC_PUSH(r->arena, &out->judgement.findings, lc_finding), finding, count);
        out->severities[i] =
            (lc_severity)name_of(lc_node_text(finding, "severity"), lc_severity_names, LC_INFO);
        out->expected[i] = lc_node_is_true(lc_node_get(finding, "expected"));
        out->suppressed[i] = lc_node_text(finding, "suppressed");
        out->suppressors[i] = suppressor_of(finding, out->suppressed[i]);
        read_places(places[i], finding);
        read_fingerprint(out->fingerprints[i], lc_node_text(finding, "fingerprint"));
    }
}

/* Lines of the input, which a shard's report has. */
static void read_quotes(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *quoted = lc_node_get_kind(node, "quoted", LC_NODE_MAPPING);
    const lc_node *quotes = list_of(quoted, "lines");
    bool secrets = lc_node_is_true(lc_node_get(quoted, "secrets"));
    if (!quotes)
        return;
    out->quotable = lc_quotable_new(r->arena, lc_node_text(node, "file"), LC_STR_EMPTY, secrets);
    for (uint32_t i = 0; i < count_of(quotes); i++) {
        const lc_node *quote = &quotes->as.items[i];
        lc_quotable_add_line(
            out->quotable, (lc_quoted_line){small_of(quote, "line"), lc_node_text(quote, "text")});
    }
}

/* ---- Runs and coverage. */

static void read_run(reader *r, lc_run *out, lc_run_result *result, const lc_node *node)
{
    const lc_node *action = lc_node_get_kind(node, "action", LC_NODE_MAPPING);
    const lc_node *calls = list_of(node, "calls"), *derived = list_of(node, "derived");
    for (int core = 0; core < LC_CORE_COUNT; core++)
        lc_action_from_name(&result->action[core],
                            lc_node_text(action, lc_core_name((lc_core)core)));
    for (uint32_t i = 0; i < count_of(calls); i++) {
        lc_call *call = LC_PUSH(r->arena, &out->calls, lc_call);
        if (calls->as.items[i].kind == LC_NODE_STRING)
            lc_call_kind_from_name(&call->kind, calls->as.items[i].as.text);
    }
    for (uint32_t i = 0; i < count_of(derived); i++) {
        if (derived->as.items[i].kind == LC_NODE_STRING)
            *LC_PUSH(r->arena, &out->derived, lc_str) = derived->as.items[i].as.text;
    }
}

static void read_runs(reader *r, lc_judged *out, lc_case *c, const lc_node *node)
{
    const lc_node *runs = list_of(node, "runs");
    uint32_t count = count_of(runs);
    out->judgement.runs = lc_arena_zalloc(r->arena, lc_mul_size(count, sizeof(lc_run_result)));
    for (uint32_t i = 0; i < count; i++)
        read_run(r, LC_PUSH(r->arena, &c->runs, lc_run), &out->judgement.runs[i],
                 &runs->as.items[i]);
}

static void cover(lc_judgement *out, const lc_node *slugs, lc_coverage coverage, lc_need missing)
{
    for (uint32_t i = 0; i < count_of(slugs); i++) {
        lc_rule rule;
        if (slugs->as.items[i].kind != LC_NODE_STRING ||
            !lc_rule_from_slug(&rule, slugs->as.items[i].as.text))
            continue;
        out->coverage[rule] = coverage;
        out->missing[rule] = missing;
    }
}

static void read_coverage(lc_judgement *out, const lc_node *node)
{
    const lc_node *gaps = list_of(node, "not_checked");
    cover(out, list_of(node, "checked"), LC_COVER_CHECKED, LC_NEED_COUNT);
    for (uint32_t i = 0; i < count_of(gaps); i++) {
        const lc_node *gap = &gaps->as.items[i];
        const lc_node *every = list_of(gap, "every");
        lc_need need = (lc_need)name_of(lc_node_text(gap, "missing"), lc_need_names, LC_NEED_COUNT);
        cover(out, every ? every : list_of(gap, "rules"), LC_COVER_NOT_CHECKED, need);
    }
}

/* ---- Notes and mistakes of a case. */

static const char *kind_of(lc_str text)
{
    static const char *const kinds[] = {
        "missing",       "unexpected",     "action", "not_checked", "stale", "proposed_new_state",
        "ignore-unused", "ignore-expired", "open",   "required",    NULL};
    return kinds[name_of(text, kinds, 0)];
}

static lc_expectation_failure failure_of(const lc_node *node)
{
    return (lc_expectation_failure){kind_of(lc_node_text(node, "kind")),
                                    lc_node_text(node, "detail"), location_of(node)};
}

static void read_remarks(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *failures = list_of(node, "expectation_failures");
    const lc_node *notes = list_of(node, "notes");
    for (uint32_t i = 0; i < count_of(failures); i++)
        *LC_PUSH(r->arena, &out->failures, lc_expectation_failure) =
            failure_of(&failures->as.items[i]);
    for (uint32_t i = 0; i < count_of(notes); i++)
        *LC_PUSH(r->arena, &out->notes, lc_expectation_failure) = failure_of(&notes->as.items[i]);
}

static void read_lints(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *lints = list_of(node, "lint");
    out->linted = lints != NULL;
    out->lint_severities = LC_NEW_ARRAY(r->arena, lc_severity, count_of(lints));
    for (uint32_t i = 0; i < count_of(lints); i++) {
        const lc_node *lint = &lints->as.items[i];
        lc_lint_note *note = LC_PUSH(r->arena, &out->lints, lc_lint_note);
        note->lint = lint_of(lc_node_text(lint, "id"));
        note->loc = location_of(lint);
        note->message = lc_node_text(lint, "message");
        out->lint_severities[i] =
            (lc_severity)name_of(lc_node_text(lint, "severity"), lc_severity_names, LC_INFO);
    }
}

static void read_sets(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *sets = list_of(node, "sets");
    for (uint32_t i = 0; i < count_of(sets); i++)
        *LC_PUSH(r->arena, &out->sets, lc_set_use) =
            (lc_set_use){lc_node_text(&sets->as.items[i], "path"),
                         lc_node_is_true(lc_node_get(&sets->as.items[i], "unknown"))};
}

/* ---- One case. */

static void read_client(reader *r, lc_judged *out, const lc_node *node)
{
    const lc_node *made_by = lc_node_get_kind(node, "client", LC_NODE_MAPPING);
    lc_recorded_client *client = made_by ? LC_NEW(r->arena, lc_recorded_client) : NULL;
    if (client &&
        lc_client_of(client, lc_node_text(made_by, "name"), lc_node_text(made_by, "version")))
        out->client = client;
}

static void read_subject(reader *r, lc_judged *out, const lc_node *node)
{
    lc_scenario *scenario = LC_NEW(r->arena, lc_scenario);
    lc_case *c = &scenario->subject;
    c->file = lc_node_text(node, "file");
    c->document = small_of(node, "document");
    c->name = lc_node_text(node, "name");
    c->source = (lc_source_kind)name_of(lc_node_text(node, "source"), lc_source_kind_names,
                                        LC_SOURCE_SCENARIO);
    c->resource = lc_node_text(node, "resource");
    c->type = lc_node_text(node, "type");
    scenario->known_failing = lc_node_get_kind(node, "known_failing", LC_NODE_STRING) != NULL;
    scenario->known_failing_reason = lc_node_text(node, "known_failing");
    out->scenario = scenario;
    read_runs(r, out, c, node);
}

/* A missing member leaves `out` empty, as in a judgement without it. */
static void keep_json(reader *r, lc_str *out, const lc_node *member)
{
    if (member)
        *out = lc_node_json(r->arena, member);
}

static void read_prediction(reader *r, lc_judgement *out, const lc_node *node)
{
    const lc_node *prediction = lc_node_get_kind(node, "prediction", LC_NODE_MAPPING);
    lc_str state = prediction ? lc_node_text(prediction, "state") : LC_STR_EMPTY;
    out->partial = lc_str_is(state, "open") || lc_str_is(state, "empty");
    keep_json(r, &out->prediction, prediction);
    keep_json(r, &out->predictions, list_of(node, "predictions"));
    keep_json(r, &out->foreseen, list_of(node, "foreseen"));
    keep_json(r, &out->prediction_notes, list_of(node, "prediction_notes"));
    keep_json(r, &out->instances, list_of(node, "provider_instances"));
}

static void read_verdict(reader *r, lc_judged *out, const lc_node *node)
{
    out->verdict =
        (lc_verdict)name_of(lc_node_text(node, "verdict"), lc_verdict_names, LC_NOT_JUDGED);
    out->expectation = (lc_expectation_result)name_of(
        lc_node_text(node, "expectation"), lc_expectation_result_names, LC_EXPECTATION_NONE);
    if (out->expectation == LC_EXPECTATION_NONE)
        lc_policy_leave_out(&r->records->policy, &out->judgement);
    out->passes = lc_node_is_true(lc_node_get(node, "passes"));
}

static void read_case(reader *r, lc_judged *out, const lc_node *node)
{
    out->judgement.domain =
        (lc_domain)name_of(lc_node_text(node, "domain"), lc_domain_names, LC_DOMAIN_LIFECYCLE);
    read_client(r, out, node);
    read_prediction(r, &out->judgement, node);
    read_subject(r, out, node);
    read_findings(r, out, node);
    read_quotes(r, out, node);
    read_coverage(&out->judgement, node);
    read_verdict(r, out, node);
    read_remarks(r, out, node);
    read_lints(r, out, node);
    read_sets(r, out, node);
}

void lc_record_case(lc_judged *out, lc_arena *arena, const lc_records *records, size_t at)
{
    reader r = {arena, records};
    memset(out, 0, sizeof *out);
    read_case(&r, out, &records->cases->as.items[at]);
}

size_t lc_records_case_count(const lc_records *records)
{
    return count_of(records->cases);
}

size_t lc_records_error_count(const lc_records *records)
{
    return count_of(records->errors);
}

lc_diag lc_record_error(const lc_records *records, size_t at)
{
    const lc_node *node = &records->errors->as.items[at];
    lc_str severity = lc_node_text(node, "severity");
    return (lc_diag){
        .severity = lc_str_is(severity, "warning") ? LC_DIAG_WARNING
                    : lc_str_is(severity, "note")  ? LC_DIAG_NOTE
                                                   : LC_DIAG_ERROR,
        .loc = {lc_node_text(node, "file"), small_of(node, "line"), small_of(node, "column")},
        .message = lc_node_text(node, "message"),
        .quote = {lc_node_text(node, "quote"), small_of(node, "column")}};
}

/* ---- The report. */

bool lc_looks_like_report(lc_str text)
{
    static const char first[] = "\"lifecheck_report\"";
    size_t at = 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\n' || text.ptr[at] == '{'))
        at++;
    return lc_str_starts_with(lc_str_sub(text, at, text.len), lc_str_from_c(first));
}

static void read_shard(lc_records *out, lc_arena *arena, const lc_node *shard)
{
    const lc_node *inputs = list_of(shard, "inputs"), *skipped = list_of(shard, "skipped");
    const lc_node *unused = list_of(shard, "unused");
    LC_VEC(lc_str) skips = {0};
    out->sharded = true;
    out->shard.index = lc_record_number(shard, "index");
    out->shard.of = lc_record_number(shard, "of");
    for (uint32_t i = 0; i < count_of(inputs); i++)
        *LC_PUSH(arena, &out->shard.items, lc_shard_item) =
            (lc_shard_item){lc_record_number(&inputs->as.items[i], "cases"),
                            lc_record_number(&inputs->as.items[i], "errors")};
    for (uint32_t i = 0; i < count_of(skipped); i++) {
        if (skipped->as.items[i].kind == LC_NODE_STRING)
            *LC_PUSH(arena, &skips, lc_str) = skipped->as.items[i].as.text;
    }
    out->shard.skipped = skips.items;
    out->shard.skipped_count = skips.count;
    for (uint32_t i = 0; i < count_of(unused); i++)
        *LC_PUSH(arena, &out->shard.unused, lc_diag) =
            (lc_diag){.severity = LC_DIAG_WARNING,
                      .loc = location_of(&unused->as.items[i]),
                      .message = lc_node_text(&unused->as.items[i], "message")};
}

/* Rules of another version may not exist here, or mean something else. */
static void check_rules(const lc_records *records, lc_diags *diags)
{
    lc_rule rule;
    for (uint32_t i = 0; i < count_of(records->cases); i++) {
        const lc_node *list = list_of(&records->cases->as.items[i], "findings");
        for (uint32_t k = 0; k < count_of(list); k++) {
            if (!lc_rule_from_slug(&rule, lc_node_text(&list->as.items[k], "rule")))
                lc_diag_error(diags, lc_node_loc(&records->source, &list->as.items[k]),
                              "this finding has no rule that this version knows");
        }
    }
}

/* Every case and every error of a shard belongs to one of its inputs, so the sums must fit. */
static void check_shard(const lc_records *records, lc_diags *diags)
{
    uint64_t cases = 0, errors = 0;
    const lc_shard *shard = &records->shard;
    for (size_t i = 0; i < shard->items.count; i++) {
        cases += shard->items.items[i].cases;
        errors += shard->items.items[i].errors;
    }
    if (shard->index == 0 || shard->index > shard->of || cases != lc_records_case_count(records) ||
        errors > lc_records_error_count(records))
        lc_diag_error(diags, (lc_loc){records->source.file, 0, 0},
                      "the report contradicts itself about its shard");
}

static const lc_str *read_globs(size_t *count, lc_arena *arena, const lc_node *list)
{
    lc_str *globs = LC_NEW_ARRAY(arena, lc_str, count_of(list));
    *count = 0;
    for (uint32_t i = 0; i < count_of(list); i++) {
        if (list->as.items[i].kind == LC_NODE_STRING)
            globs[(*count)++] = list->as.items[i].as.text;
    }
    return globs;
}

static void read_policy(lc_policy *out, lc_arena *arena, const lc_node *root)
{
    lc_profile_from_name(&out->as, lc_node_text(root, "as"));
    out->strict = lc_node_is_true(lc_node_get(root, "strict"));
    out->fail_on = (lc_severity)name_of(lc_node_text(root, "fail_on"), lc_severity_names, LC_ERROR);
    out->select = read_globs(&out->select_count, arena, list_of(root, "select"));
    out->ignore = read_globs(&out->ignore_count, arena, list_of(root, "ignore"));
    const lc_node *summary = lc_node_get_kind(root, "summary", LC_NODE_MAPPING);
    out->narrowed = summary ? lc_node_text(summary, "narrowed") : LC_STR_EMPTY;
}

lc_status lc_records_read(lc_records *out, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits, lc_diags *diags)
{
    size_t errors = diags->errors;
    memset(out, 0, sizeof *out);
    if (!lc_looks_like_report(text)) {
        lc_diag_error(diags, (lc_loc){file, 0, 0},
                      "this is not a report of --format json; `lifecheck check --format json -o "
                      "FILE` writes one");
        return LC_EINPUT;
    }
    lc_status status = lc_json_parse(&out->source, arena, file, text, limits, diags);
    if (status != LC_OK)
        return status;
    const lc_node *root = out->source.documents;
    if (lc_record_number(root, "lifecheck_report") != 1) {
        lc_diag_error(diags, lc_node_loc(&out->source, root), "this is not a report of version 1");
        return LC_EINPUT;
    }
    read_policy(&out->policy, arena, root);
    out->cases = list_of(root, "cases");
    out->errors = list_of(root, "errors");
    out->probe = lc_node_get_kind(root, "probe", LC_NODE_MAPPING);
    check_rules(out, diags);
    if (lc_node_get_kind(root, "shard", LC_NODE_MAPPING)) {
        read_shard(out, arena, lc_node_get_kind(root, "shard", LC_NODE_MAPPING));
        check_shard(out, diags);
    }
    return diags->errors > errors ? LC_EINPUT : LC_OK;
}

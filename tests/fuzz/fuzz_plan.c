/* Plans and states as JSON: any text is read or refused. Laws: a finding has a message, a place
 * inside the text and a rule of its case's domain, which counts as checked; judging twice finds the
 * same; what a plan lets one predict are objects by their canonical addresses, each found by it,
 * with an action that is possible; and a redacted copy is read again and has the same findings, and
 * where everything is to be hidden no text of a value as it was. */
#include "hidden_laws.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/predict/predict.h"
#include "lifecheck/redact/redact.h"
#include "small_schemas.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing lies next to it. */
#define FILE_NAME LC_STR("/nonexistent/fuzz.json")

typedef struct outcome {
    uint32_t lines;
    size_t cases, errors;
    size_t found[LC_RULE_COUNT];
} outcome;

static uint32_t count_lines(lc_str text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

static lc_limits small_limits(void)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.nodes = 100000;
    limits.digits = 1000;
    return limits;
}

/* ---- Cases. */

static void check_finding(const outcome *o, const lc_judgement *judgement, const lc_finding *f)
{
    LC_ASSERT(f->message.len > 0);
    LC_ASSERT(judgement->coverage[f->rule] == LC_COVER_CHECKED);
    /* A plan may break a rule of the lifecycle as well. */
    LC_ASSERT(lc_rule_domain(f->rule) == judgement->domain ||
              lc_rule_domain(f->rule) == LC_DOMAIN_LIFECYCLE);
    LC_ASSERT(f->follows < (long)judgement->findings.count);
    LC_ASSERT(f->loc.line > 0 && f->loc.line <= o->lines && f->loc.column > 0);
}

static void take(void *context, lc_scenario *scenario)
{
    outcome *o = context;
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    lc_policy policy = {.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
    lc_judged judged;
    LC_ASSERT(scenario->subject.name.len > 0 && scenario->subject.runs.count == 1);
    LC_ASSERT(scenario->subject.planning || scenario->subject.runs.items[0].schema);
    lc_verdict_judge(&judged, report, scratch, scenario, &policy);
    for (size_t i = 0; i < judged.judgement.findings.count; i++) {
        check_finding(o, &judged.judgement, &judged.judgement.findings.items[i]);
        o->found[judged.judgement.findings.items[i].rule]++;
    }
    o->cases++;
    lc_arena_free(report);
    lc_arena_free(scratch);
}

static outcome read_all(lc_json_kind kind, lc_str text, bool schemas)
{
    lc_arena *arena = lc_arena_new();
    lc_str document = small_schemas_path(arena);
    lc_capture_options options = {.schemas = &document, .schema_count = schemas};
    lc_schema_store store;
    lc_diags diags;
    outcome o = {.lines = count_lines(text)};
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, small_limits());
    lc_json_evidence_read(kind, arena, &store, FILE_NAME, text, &options, &diags, take, &o);
    LC_ASSERT(o.cases > 0 || diags.errors > 0);
    o.errors = diags.errors;
    lc_arena_free(arena);
    return o;
}

static void check_same(const outcome *a, const outcome *b)
{
    LC_ASSERT(a->cases == b->cases && a->errors == b->errors);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        LC_ASSERT(a->found[rule] == b->found[rule]);
}

/* ---- A copy that can be shared. */

static bool open_plan(lc_plan *out, lc_source *source, lc_arena *arena, lc_str text)
{
    lc_limits limits = small_limits();
    lc_diags diags;
    lc_diags_init(&diags, arena);
    return lc_json_parse(source, arena, FILE_NAME, text, &limits, &diags) == LC_OK &&
           lc_plan_from_node(out, arena, source, source->documents, &diags) == LC_OK;
}

static void check_all_hidden(lc_arena *arena, lc_str text, lc_str copy)
{
    lc_source sources[2];
    lc_plan was, is;
    if (!open_plan(&was, &sources[0], arena, text) || !open_plan(&is, &sources[1], arena, copy))
        return;
    LC_ASSERT(was.changes.count == is.changes.count && was.planned.count == is.planned.count);
    for (size_t i = 0; i < was.changes.count; i++) {
        check_hidden(arena, was.changes.items[i].before, is.changes.items[i].before);
        check_hidden(arena, was.changes.items[i].after, is.changes.items[i].after);
    }
    for (size_t i = 0; i < was.planned.count; i++)
        check_hidden(arena, was.planned.items[i].values, is.planned.items[i].values);
}

static void check_redacted(lc_json_kind kind, lc_str text, bool all, bool schemas, const outcome *o)
{
    lc_arena *arena = lc_arena_new();
    lc_str document = small_schemas_path(arena);
    lc_redact_options options = {.input = kind == LC_JSON_PLAN ? LC_INPUT_PLAN : LC_INPUT_STATE,
                                 .all = all,
                                 .capture = {.schemas = &document, .schema_count = schemas}};
    lc_schema_store store;
    lc_diags diags;
    lc_buf out = {0};
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, small_limits());
    if (lc_redact(&out, arena, &store, FILE_NAME, text, &options, &diags)) {
        outcome copy = read_all(kind, lc_buf_str(&out), schemas);
        check_same(o, &copy);
        if (all && kind == LC_JSON_PLAN)
            check_all_hidden(arena, text, lc_buf_str(&out));
    } else {
        LC_ASSERT(diags.errors > 0);
    }
    lc_buf_release(&out);
    lc_arena_free(arena);
}

/* ---- What a plan alone says. */

static void check_changes(lc_arena *arena, const lc_prediction *prediction)
{
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        LC_ASSERT(lc_str_eq(c->text, lc_address_text(arena, &c->address)));
        LC_ASSERT(!lc_address_is_module(&c->address));
        LC_ASSERT(c->possible & LC_PLAN_BIT(c->action));
        LC_ASSERT(c->deposed.len > 0 || lc_run_find(prediction, c->text, c->deposed));
    }
}

static void check_prediction(lc_str text)
{
    lc_arena *arena = lc_arena_new();
    lc_source source;
    lc_plan plan;
    lc_plan_options options = {0};
    lc_prediction prediction;
    if (open_plan(&plan, &source, arena, text)) {
        lc_plan_infer(&options, &plan);
        lc_run_predict_from_plan(&prediction, arena, &plan, &options);
        check_changes(arena, &prediction);
    }
    lc_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_str text = {(const char *)data, size};
    lc_json_kind kind = lc_json_evidence(text);
    if (kind == LC_JSON_OTHER)
        return 0;
    /* Its length decides how it is looked at. */
    bool schemas = size % 4 < 3, all = size % 2;
    outcome first = read_all(kind, text, schemas), second = read_all(kind, text, schemas);
    check_same(&first, &second);
    if (first.errors == 0)
        check_redacted(kind, text, all, schemas, &first);
    if (kind == LC_JSON_PLAN)
        check_prediction(text);
    return 0;
}

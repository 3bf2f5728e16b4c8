/* Gathering one side of a comparison. Inputs are checked here, and JSON reports have cases that
 * were checked before; from add_case on both are the same. */
#include "lifecheck/runner/evidence_set.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct gathering {
    lc_evidence_set *side;
    const lc_evidence_options *options;
    lc_checker checker;
    bool gate_only; /* the cases are about both versions: only rules of `gate` are about them */
} gathering;

/* ---- Findings. */

static lc_loc copy_loc(lc_arena *arena, lc_loc loc)
{
    return (lc_loc){lc_str_copy(arena, loc.file), loc.line, loc.column};
}

/* The key by which findings of both sides are matched. Those that SDKv2 causes are many and come
 * with the SDK, so they have one key for each rule and type, without the path. */
static lc_str key_of(lc_evidence_set *side, const lc_judged *judged, size_t at)
{
    const lc_finding *f = &judged->judgement.findings.items[at];
    if (!f->of_old_sdk)
        return lc_str_copy(side->arena, lc_str_from_c(judged->fingerprints[at]));
    return lc_str_printf(side->arena, "%.*s of %.*s", LC_FMT(lc_rule_get(f->rule)->slug),
                         LC_FMT(lc_finding_about(judged, f)));
}

static lc_sum *new_sum(lc_evidence_set *side, const lc_judged *judged, size_t at)
{
    const lc_finding *f = &judged->judgement.findings.items[at];
    const lc_rule_info *info = lc_rule_get(f->rule);
    lc_sum *sum = LC_NEW(side->arena, lc_sum);
    lc_buf path = {0};
    if (!f->of_old_sdk)
        lc_add_type_path(&path, f);
    sum->fingerprint = key_of(side, judged, at);
    sum->rule = info->slug;
    sum->type = lc_str_copy(side->arena, lc_finding_about(judged, f));
    sum->path = path.len ? lc_buf_copy(side->arena, &path) : LC_STR(".");
    sum->blame = lc_finding_blame(f);
    sum->whole = lc_finding_domain(f) != LC_DOMAIN_LIFECYCLE;
    sum->loc = copy_loc(side->arena, f->loc);
    sum->message = lc_str_copy(side->arena, f->message.len ? f->message : info->title);
    lc_buf_release(&path);
    *LC_PUSH(side->arena, &side->sums, lc_sum *) = sum;
    lc_table_put(&side->sums_by_fingerprint, sum->fingerprint, sum);
    return sum;
}

/* What a run of a client is recorded in. */
enum { OF_STREAM, OF_DATA_FILES, OF_PLAN, OF_LOG, RECORDINGS };

/* How often a finding of one key was found in one folder. A stream, data files, a plan and a log
 * next to each other are recordings of one run and show the same findings, so the largest of their
 * numbers counts; scenarios are added. */

typedef struct tally {
    uint64_t of_scenarios, of[RECORDINGS];
} tally;

static uint64_t tally_sum(const tally *t)
{
    uint64_t most = 0;
    for (size_t i = 0; i < RECORDINGS; i++)
        most = t->of[i] > most ? t->of[i] : most;
    return t->of_scenarios + most;
}

static lc_str without_slash(lc_str path)
{
    while (path.len && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

static lc_str folder_of(lc_str path)
{
    path = without_slash(path);
    while (path.len && path.ptr[path.len - 1] != '/')
        path.len--;
    return path;
}

static tally *tally_of(lc_evidence_set *side, const char *kind, const lc_judged *judged, size_t at)
{
    lc_str folder = folder_of(judged->scenario->subject.file);
    lc_str key = lc_str_printf(side->arena, "%s %.*s %.*s", kind, LC_FMT(key_of(side, judged, at)),
                               LC_FMT(folder));
    tally *t = lc_table_get(&side->tallies, key);
    if (!t) {
        t = LC_NEW(side->arena, tally);
        lc_table_put(&side->tallies, key, t);
    }
    return t;
}

/* The counter of `t` for a finding. Calls come from a stream or from data files: the input of data
 * files is their folder, so that their findings are in another file than the input. */
static uint64_t *place_in(tally *t, const lc_judged *judged, const lc_finding *f)
{
    lc_str input = without_slash(judged->scenario->subject.file), place = f->loc.file;
    switch (judged->scenario->subject.source) {
    case LC_SOURCE_SCENARIO:
        break;
    case LC_SOURCE_RPC:
        return &t->of[place.len && !lc_str_eq(place, input) ? OF_DATA_FILES : OF_STREAM];
    case LC_SOURCE_PLAN:
        return &t->of[OF_PLAN];
    case LC_SOURCE_LOG:
        return &t->of[OF_LOG];
    }
    return &t->of_scenarios;
}

/* Counts one more finding. Returns 1, or 0 if another recording of the same run shows it as
 * well. */
static uint64_t count_in(lc_evidence_set *side, const char *kind, const lc_judged *judged,
                         size_t at)
{
    tally *t = tally_of(side, kind, judged, at);
    uint64_t before = tally_sum(t);
    ++*place_in(t, judged, &judged->judgement.findings.items[at]);
    return tally_sum(t) - before;
}

static void add_finding(gathering *g, const lc_judged *judged, size_t at)
{
    const lc_finding *f = &judged->judgement.findings.items[at];
    bool of_gate = lc_str_is(lc_rule_family(f->rule), "gate");
    if ((g->gate_only && !of_gate) || judged->severities[at] == LC_HIDDEN ||
        judged->suppressed[at].len ||
        !lc_policy_selects(g->options->policy, f->rule)) /* records were judged by other options */
        return;
    lc_sum *sum = lc_evidence_set_sum(g->side, key_of(g->side, judged, at));
    if (!sum)
        sum = new_sum(g->side, judged, at);
    sum->count += count_in(g->side, "found", judged, at);
    if (lc_finding_is_tolerated(f))
        sum->tolerated += count_in(g->side, "tolerated", judged, at);
    if (judged->severities[at] > sum->worst)
        sum->worst = judged->severities[at];
}

/* ---- Coverage. */

/* The entry of the type, which is made if there is none. */
static lc_evidence_type *entry_of(lc_evidence_set *side, lc_str name)
{
    lc_evidence_type *type = lc_evidence_set_type(side, name);
    if (type)
        return type;
    type = LC_NEW(side->arena, lc_evidence_type);
    type->type = lc_str_copy(side->arena, name);
    *LC_PUSH(side->arena, &side->types, lc_evidence_type *) = type;
    lc_table_put(&side->types_by_name, type->type, type);
    return type;
}

static lc_cell cell_of(lc_coverage coverage)
{
    switch (coverage) {
    case LC_COVER_NOT_APPLICABLE:
    case LC_COVER_LEFT_OUT:
        break;
    case LC_COVER_NOT_CHECKED:
        return LC_CELL_NO_INPUT;
    case LC_COVER_CHECKED:
        return LC_CELL_CHECKED;
    }
    return LC_CELL_NEVER;
}

static void raise_cell(uint8_t *cell, lc_cell to)
{
    if (*cell < to)
        *cell = (uint8_t)to;
}

/* A rule that was checked in a case counts as checked in all calls of the case that it applies
 * to. */
static void add_coverage(lc_evidence_type *type, const lc_judged *judged, unsigned calls)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_cell cell = cell_of(judged->judgement.coverage[rule]);
        unsigned about = lc_rule_get((lc_rule)rule)->calls & calls;
        raise_cell(&type->rules[rule], cell);
        for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
            if (about & 1u << kind)
                raise_cell(&type->cells[kind][rule], cell);
        }
    }
}

#define WHOLE_CALLS (LC_CALL_BIT(LC_CALL_RUN) | LC_CALL_BIT(LC_CALL_PROVIDERS))

/* A whole plan or configuration has no calls; the rules that were checked show which of them it
 * is. */
static unsigned whole_calls(const lc_judged *judged)
{
    unsigned calls = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (cell_of(judged->judgement.coverage[rule]) != LC_CELL_NEVER)
            calls |= lc_rule_get((lc_rule)rule)->calls & WHOLE_CALLS;
    }
    return calls;
}

static unsigned calls_of(const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    unsigned calls = whole_calls(judged);
    calls |= calls ? 0 : LC_CALL_BIT(LC_CALL_SCHEMA);
    for (size_t i = 0; i < c->runs.count; i++) {
        for (size_t k = 0; k < c->runs.items[i].calls.count; k++)
            calls |= LC_CALL_BIT(c->runs.items[i].calls.items[k].kind);
    }
    return calls;
}

static void add_actions(lc_evidence_type *type, const lc_judged *judged)
{
    unsigned seen = 0;
    for (size_t i = 0; i < judged->scenario->subject.runs.count; i++) {
        for (int core = 0; core < LC_CORE_COUNT; core++)
            seen |= 1u << judged->judgement.runs[i].action[core];
    }
    for (unsigned action = LC_ACTION_NOOP; action <= LC_ACTION_FORGET; action++)
        type->actions[action] += seen >> action & 1;
}

static void add_sets(lc_evidence_set *side, lc_evidence_type *type, const lc_set_uses *sets)
{
    for (size_t i = 0; i < sets->count; i++) {
        size_t k = 0;
        while (k < type->sets.count && !lc_str_eq(type->sets.items[k].path, sets->items[i].path))
            k++;
        if (k == type->sets.count)
            *LC_PUSH(side->arena, &type->sets, lc_set_use) =
                (lc_set_use){lc_str_copy(side->arena, sets->items[i].path), false};
        type->sets.items[k].unknown |= sets->items[i].unknown;
    }
}

/* Without a name, schemas cannot be matched by type. */
static void add_shape(lc_evidence_set *side, lc_evidence_type *type, const lc_schema *schema)
{
    type->managed |= schema->kind == LC_KIND_RESOURCE;
    if (type->type.len == 0 || type->has_shape || schema->kind != LC_KIND_RESOURCE)
        return;
    type->has_shape = true;
    lc_schema_shape_of(&type->shape, side->arena, schema);
}

/* Are these the calls of a resource? The request of a schema alone does not show it. */
static bool manages(unsigned calls)
{
    unsigned others = LC_CALL_BIT(LC_CALL_DATA) | LC_CALL_BIT(LC_CALL_OPEN) |
                      LC_CALL_BIT(LC_CALL_LIST) | LC_CALL_BIT(LC_CALL_ACTION) |
                      LC_CALL_BIT(LC_CALL_FUNCTION) | WHOLE_CALLS;
    return !(calls & others) && calls != LC_CALL_BIT(LC_CALL_SCHEMA);
}

static void add_case(void *context, const lc_judged *judged)
{
    gathering *g = context;
    const lc_case *c = &judged->scenario->subject;
    unsigned calls = calls_of(judged);
    lc_evidence_type *type = entry_of(g->side, calls & WHOLE_CALLS ? LC_EVIDENCE_WHOLE : c->type);
    g->side->cases++;
    type->cases++;
    type->managed |= manages(calls);
    for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++)
        type->calls[kind] += calls >> kind & 1;
    add_coverage(type, judged, calls);
    add_actions(type, judged);
    add_sets(g->side, type, &judged->sets);
    for (size_t i = 0; i < c->runs.count; i++) {
        if (c->runs.items[i].schema && !c->runs.items[i].schema_unknown)
            add_shape(g->side, type, c->runs.items[i].schema);
    }
    for (size_t i = 0; i < judged->judgement.findings.count; i++)
        add_finding(g, judged, i);
}

/* ---- Inputs. */

/* The report is read into an arena of its own, so its member is read again into ours. */
static void add_probe(gathering *g, const lc_records *records)
{
    lc_arena *arena = g->side->arena;
    const lc_node *node = lc_node_get_kind(records->source.documents, "probe", LC_NODE_MAPPING);
    const lc_probe_result *result = node ? lc_probe_from_node(arena, node) : NULL;
    if (result)
        *LC_PUSH(arena, &g->side->probes, const lc_probe_result *) = result;
}

static void gather_report(gathering *g, lc_str file, lc_str text, lc_arena *arena, lc_diags *diags)
{
    lc_records records;
    lc_judged judged;
    if (lc_records_read(&records, arena, file, text, &g->options->limits, diags) != LC_OK)
        return;
    lc_arena *scratch = lc_arena_new();
    for (size_t i = 0; i < lc_records_case_count(&records); i++) {
        lc_record_case(&judged, scratch, &records, i);
        add_case(g, &judged);
        lc_arena_reset(scratch);
    }
    for (size_t i = 0; i < lc_records_error_count(&records); i++)
        g->side->errors += lc_record_error(&records, i).severity == LC_DIAG_ERROR;
    g->side->any_report = true;
    add_probe(g, &records);
    lc_arena_free(scratch);
}

typedef struct document {
    gathering *g;
    lc_schema_doc *doc;
    lc_loc at;
    lc_diags *diags;
} document;

static void add_document_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    document *d = context;
    const lc_schema *schema;
    if (lc_schema_doc_get(&schema, d->doc, kind, provider, type, d->at, d->diags) == LC_OK)
        lc_evidence_set_add_schema(d->g->side, schema);
}

static void gather_document(gathering *g, lc_str file, lc_str text, lc_arena *arena,
                            lc_diags *diags)
{
    g->side->any_document = true;
    document d = {g, NULL, {file, 0, 0}, diags};
    if (lc_schema_doc_from_text(&d.doc, arena, file, text, &g->options->limits, diags) == LC_OK)
        lc_schema_doc_each(d.doc, add_document_type, &d);
}

/* A recording holds the schemas of the whole provider. */
static void add_declared(void *context, const lc_schema *schema)
{
    gathering *g = context;
    if (schema->kind != LC_KIND_RESOURCE || schema->type_name.len == 0)
        return;
    g->side->any_recording = true;
    add_shape(g->side, entry_of(g->side, schema->type_name), schema);
}

typedef enum input_class { EVIDENCE, REPORT, DOCUMENT } input_class;

/* Only files that are named are JSON reports or schema documents. Everything else is evidence: what
 * `check` reads. */
static input_class class_of(lc_arena *arena, lc_str path)
{
    static const char member[] = "\"provider_schemas\"";
    char head[4096];
    struct stat info;
    const char *name = lc_str_to_c(arena, path);
    if (stat(name, &info) != 0 || !S_ISREG(info.st_mode))
        return EVIDENCE;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    lc_str text = {head, n > 0 ? (size_t)n : 0};
    for (size_t i = 0; i + sizeof member <= text.len; i++) {
        if (memcmp(head + i, member, sizeof member - 1) == 0)
            return DOCUMENT;
    }
    return lc_looks_like_report(text) ? REPORT : EVIDENCE;
}

static void gather_evidence(gathering *g, const lc_words *words)
{
    lc_items items;
    lc_items_find(&items, g->side->arena, words, &g->options->items);
    for (size_t i = 0; i < items.list.count; i++) {
        lc_outcome outcome;
        lc_check_item(&outcome, &g->checker, &items.list.items[i]);
        lc_str errors = lc_buf_str(&outcome.errors[0]);
        if (outcome.summary.errors && errors.len)
            g->options->report_error(lc_str_sub(errors, 0, errors.len - 1));
        g->side->errors += outcome.summary.errors;
        lc_outcome_release(&outcome);
    }
}

static void gather_word(gathering *g, lc_str word)
{
    lc_words one = {.items = &word, .count = 1};
    lc_str text;
    lc_diags diags;
    const lc_evidence_options *o = g->options;
    if (o->take && o->take(o->context, g->side, word))
        return;
    input_class class = class_of(g->side->arena, word);
    if (class == EVIDENCE) {
        gather_evidence(g, &one);
        return;
    }
    lc_arena *arena = lc_arena_new();
    lc_diags_init(&diags, arena);
    if (lc_file_read(&text, arena, word, g->options->limits.input_bytes, &diags) == LC_OK &&
        class == REPORT)
        gather_report(g, word, text, arena, &diags);
    else if (diags.errors == 0)
        gather_document(g, word, text, arena, &diags);
    for (size_t i = 0; i < diags.count; i++)
        g->options->report_error(lc_diag_line(arena, &diags.items[i]));
    g->side->errors += diags.errors;
    lc_arena_free(arena);
}

LC_ORDER_POINTERS_BY_STR(by_name, lc_evidence_type, type)

static int by_weight(const void *a, const void *b)
{
    const lc_sum *x = *(lc_sum *const *)a, *y = *(lc_sum *const *)b;
    int order = (int)y->worst - (int)x->worst;
    order = order ? order : lc_str_cmp(x->rule, y->rule);
    order = order ? order : lc_str_cmp(x->type, y->type);
    order = order ? order : lc_str_cmp(x->path, y->path);
    return order ? order : lc_str_cmp(x->fingerprint, y->fingerprint);
}

void lc_evidence_set_gather(lc_evidence_set *out, lc_arena *arena, const lc_words *words,
                            const lc_evidence_options *options)
{
    lc_report_options report = {
        .format = LC_FORMAT_TEXT, .quiet = true, .policy = *options->policy};
    gathering g = {.side = out, .options = options};
    *out = (lc_evidence_set){.arena = arena};
    lc_table_init(&out->sums_by_fingerprint, arena);
    lc_table_init(&out->types_by_name, arena);
    lc_table_init(&out->tallies, arena);
    g.checker = (lc_checker){.reports = &report,
                             .report_count = 1,
                             .policy = options->policy,
                             .limits = options->limits,
                             .input = options->items.wanted,
                             .capture = options->capture,
                             .empty_advice = options->empty_advice,
                             .store_arena = lc_arena_new(),
                             .observe = add_case,
                             .observe_context = &g};
    g.checker.capture.declares = add_declared;
    g.checker.capture.declares_context = &g;
    lc_schema_store_init(&g.checker.store, g.checker.store_arena, options->limits);
    for (size_t i = 0; i < words->count; i++)
        gather_word(&g, words->items[i]);
    out->kinds = g.checker.kinds;
    g.gate_only = true;
    if (options->more)
        options->more(options->context, out, &g.checker);
    lc_arena_free(g.checker.store_arena);
    if (out->types.count)
        qsort(out->types.items, out->types.count, sizeof *out->types.items, by_name);
    if (out->sums.count)
        qsort(out->sums.items, out->sums.count, sizeof *out->sums.items, by_weight);
}

void lc_evidence_set_add_schema(lc_evidence_set *side, const lc_schema *schema)
{
    lc_arena *arena = side->arena;
    side->any_document = true;
    for (size_t i = 0; i < schema->function_count; i++) {
        const lc_function *f = &schema->functions[i];
        lc_evidence_type *type =
            entry_of(side, lc_str_printf(arena, "function.%.*s", LC_FMT(f->name)));
        lc_schema_shape_of_function(&type->shape, arena, f);
        type->has_shape = true;
    }
    bool own = schema->kind == LC_KIND_PROVIDER;
    lc_evidence_type *type = entry_of(
        side, own ? LC_STR("provider") : lc_kind_and_type(arena, schema->kind, schema->type_name));
    type->managed |= schema->kind == LC_KIND_RESOURCE;
    type->has_shape = true;
    lc_schema_shape_of(&type->shape, arena, schema);
}

lc_sum *lc_evidence_set_sum(const lc_evidence_set *side, lc_str fingerprint)
{
    return lc_table_get(&side->sums_by_fingerprint, fingerprint);
}

lc_evidence_type *lc_evidence_set_type(const lc_evidence_set *side, lc_str type)
{
    return lc_table_get(&side->types_by_name, type);
}

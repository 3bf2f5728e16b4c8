/* lifecheck merge: the reports of all shards as the report of the whole run, byte for byte, in any
 * format; or reports of several runs as one. */
#include "cli/checking.h"
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct merge {
    const lc_cli *cli;
    lc_checking c;
    lc_arena *arena; /* of all reports */
    lc_arena *scratch;
    lc_diags diags;
    lc_records *list;
    size_t count;
    lc_str file; /* whose cases are reported */
    bool probed; /* all reports are of probe */
    lc_probe_result **probes;
    lc_probe_result *joined; /* what they become */
    lc_cli reporting;        /* the command line without pages, where they are about a provider */
} merge;

/* ---- Reading. */

static void read_report(merge *m, lc_records *out, lc_str file)
{
    lc_str text;
    if (lc_file_read(&text, m->arena, file, m->c.checker.limits.input_bytes, &m->diags) == LC_OK)
        lc_records_read(out, m->arena, file, text, &m->c.checker.limits, &m->diags);
}

static int by_index(const void *a, const void *b)
{
    uint64_t x = ((const lc_records *)a)->shard.index, y = ((const lc_records *)b)->shard.index;
    return x < y ? -1 : x > y;
}

static bool are_same_globs(const lc_str *a, size_t a_count, const lc_str *b, size_t b_count)
{
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++)
        same = lc_str_eq(a[i], b[i]);
    return same;
}

static bool is_judged_alike(const lc_policy *a, const lc_policy *b)
{
    return a->as == b->as && a->strict == b->strict && a->fail_on == b->fail_on &&
           are_same_globs(a->select, a->select_count, b->select, b->select_count) &&
           are_same_globs(a->ignore, a->ignore_count, b->ignore, b->ignore_count);
}

static void complain(merge *m, const lc_records *records, const char *what)
{
    lc_diag_error(&m->diags, (lc_loc){records->source.file, 0, 0}, "%s", what);
}

/* Of the same provider, asked alike. */
static bool is_asked_alike(const lc_probe_result *a, const lc_probe_result *b)
{
    return lc_str_eq(a->provider, b->provider) && lc_str_eq(a->version, b->version) &&
           a->protocol == b->protocol && a->seed == b->seed &&
           memcmp(a->laws, b->laws, sizeof a->laws) == 0;
}

/* Shards of probe have one input for each type. A single report stays what it is. Several reports
 * that are not shards may be of several providers: they are joined as those of check. */
static void read_probes(merge *m)
{
    m->probed = m->count == 1 || m->list[0].sharded;
    m->probes = LC_NEW_ARRAY(m->arena, lc_probe_result *, m->count);
    for (size_t i = 0; i < m->count; i++) {
        const lc_records *records = &m->list[i];
        m->probes[i] = lc_probe_from_node(m->arena, records->probe);
        m->probed &= m->probes[i] != NULL;
    }
    for (size_t i = 0; m->probed && m->diags.errors == 0 && i < m->count; i++) {
        const lc_records *records = &m->list[i];
        if (!is_asked_alike(m->probes[i], m->probes[0]))
            complain(m, records,
                     "this report is of another provider, version, protocol, seed or choice of "
                     "laws");
        else if (records->sharded && records->shard.items.count != m->probes[i]->types.count)
            complain(m, records, "the report contradicts itself about its types");
    }
    for (size_t i = 0; !m->probed && m->list[0].sharded && i < m->count; i++) {
        if ((m->probes[i] != NULL) != (m->probes[0] != NULL))
            complain(m, &m->list[i], "this is not a shard of the same run");
    }
}

/* All shards of one run, each once, or no shard at all. */
static void check_set(merge *m)
{
    for (size_t i = 0; i < m->count; i++) {
        const lc_records *records = &m->list[i];
        if (!is_judged_alike(&records->policy, &m->list[0].policy))
            complain(m, records,
                     "this report was made with another --as, --strict, --fail-on, --select or "
                     "--ignore");
        else if (records->sharded != m->list[0].sharded ||
                 (records->sharded && records->shard.of != m->list[0].shard.of))
            complain(m, records, "this is not a shard of the same run");
        else if (records->sharded && records->shard.index < i + 1)
            complain(m, records, "this shard was given twice");
        else if (records->sharded && records->shard.index > i + 1)
            lc_diag_error(&m->diags, (lc_loc){records->source.file, 0, 0},
                          "shard %zu of %llu is missing", i + 1,
                          (unsigned long long)records->shard.of);
        if (m->diags.errors)
            return;
    }
    if (m->list[0].sharded && m->list[0].shard.of != m->count)
        lc_diag_error(&m->diags, (lc_loc){m->list[0].source.file, 0, 0},
                      "shard %zu of %llu is missing", m->count + 1,
                      (unsigned long long)m->list[0].shard.of);
}

static bool read_all(merge *m)
{
    const lc_words *words = &m->c.cli->words;
    m->list = LC_NEW_ARRAY(m->arena, lc_records, words->count);
    m->count = words->count;
    for (size_t i = 0; i < words->count; i++)
        read_report(m, &m->list[i], words->items[i]);
    if (m->diags.errors == 0) {
        if (m->list[0].sharded)
            qsort(m->list, m->count, sizeof *m->list, by_index);
        check_set(m);
    }
    if (m->diags.errors == 0)
        read_probes(m);
    return lc_report_diags(&m->diags);
}

/* ---- Joining. */

static void add_case(merge *m, lc_outcome *out, const lc_records *records, size_t at)
{
    lc_judged judged;
    lc_record_case(&judged, m->scratch, records, at);
    lc_str file = judged.scenario->subject.file;
    if (out->repeats && !lc_str_eq(file, m->file))
        lc_outcome_repeats(out, m->c.options, m->c.count);
    if (!out->repeats) {
        out->repeats = lc_repeats_new();
        m->file = lc_str_copy(m->arena, file);
    }
    lc_take_record(&m->c, out, &judged, m->probed);
    if (m->joined)
        lc_probe_note_case(m->joined, &judged);
    lc_arena_reset(m->scratch);
}

static void add_error(merge *m, lc_outcome *out, const lc_records *records, size_t at)
{
    lc_diag diag = lc_record_error(records, at);
    for (size_t r = 0; r < m->c.count; r++)
        lc_report_diag(&out->errors[r], &m->c.options[r], &diag);
    out->summary.errors += diag.severity == LC_DIAG_ERROR;
}

/* Consecutive cases and errors of one report, as one outcome. */
typedef struct span {
    const lc_records *records;
    lc_str file;
    size_t at, cases, error, errors;
} span;

static bool add_span(merge *m, const span *s)
{
    lc_outcome outcome = {.opened = true};
    lc_item item = {.file = s->file};
    for (size_t k = 0; k < s->errors; k++)
        add_error(m, &outcome, s->records, s->error + k);
    for (size_t k = 0; k < s->cases; k++)
        add_case(m, &outcome, s->records, s->at + k);
    lc_outcome_repeats(&outcome, m->c.options, m->c.count);
    bool going = lc_take_outcome(&m->c, &item, &outcome);
    lc_outcome_release(&outcome);
    return going;
}

/* A report that is not a shard does not record which input caused which error, so its errors come
 * first. */
static bool add_report(merge *m, const lc_records *records)
{
    lc_shard_item whole = {lc_records_case_count(records), lc_records_error_count(records)};
    const lc_shard_item *items = records->sharded ? records->shard.items.items : &whole;
    size_t count = records->sharded ? records->shard.items.count : 1;
    span s = {.records = records, .file = records->source.file};
    bool going = true;
    for (size_t i = 0; going && i < count; i++) {
        s.cases = (size_t)items[i].cases;
        s.errors = (size_t)items[i].errors;
        going = add_span(m, &s);
        s.at += s.cases;
        s.error += s.errors;
    }
    return going;
}

/* ---- Joining what a provider was asked: types in their order, of whichever shard they are. */

typedef struct asked_type {
    const lc_probe_type *type;
    span span;
} asked_type;

static int by_type(const void *a, const void *b)
{
    return lc_probe_type_order(((const asked_type *)a)->type, ((const asked_type *)b)->type);
}

static size_t list_types(asked_type *out, const lc_records *records, const lc_probe_result *probe)
{
    span s = {.records = records};
    for (size_t i = 0; i < probe->types.count; i++) {
        const lc_shard_item *item = &records->shard.items.items[i];
        s.file = probe->types.items[i].name;
        s.cases = (size_t)item->cases;
        s.errors = (size_t)item->errors;
        out[i] = (asked_type){&probe->types.items[i], s};
        s.at += s.cases;
        s.error += s.errors;
    }
    return probe->types.count;
}

/* The first report has the head; types and their counts are taken one by one. */
static lc_probe_result *begin_result(merge *m)
{
    lc_probe_result *out = LC_NEW(m->arena, lc_probe_result);
    const lc_probe_result *first = m->probes[0];
    *out = (lc_probe_result){.provider = first->provider,
                             .version = first->version,
                             .protocol = first->protocol,
                             .seed = first->seed,
                             .stopped = LC_STR_EMPTY,
                             .not_configured = LC_STR_EMPTY};
    memcpy(out->laws, first->laws, sizeof out->laws);
    for (size_t i = 0; i < m->count; i++) {
        out->left_out += m->probes[i]->left_out;
        if (out->stopped.len == 0)
            out->stopped = m->probes[i]->stopped;
        if (out->not_configured.len == 0)
            out->not_configured = m->probes[i]->not_configured;
    }
    return out;
}

static bool add_types(merge *m, lc_probe_result *out)
{
    size_t count = 0;
    bool going = true;
    for (size_t i = 0; i < m->count; i++)
        count += m->probes[i]->types.count;
    asked_type *all = LC_NEW_ARRAY(m->arena, asked_type, count + 1);
    count = 0;
    for (size_t i = 0; i < m->count; i++)
        count += list_types(all + count, &m->list[i], m->probes[i]);
    qsort(all, count, sizeof *all, by_type);
    for (size_t i = 0; going && i < count; i++) {
        if (lc_probe_result_take(out, m->arena, all[i].type)->same_as.len)
            all[i].span.cases = all[i].span.errors = 0; /* the other name has them */
        going = add_span(m, &all[i].span);
    }
    return going;
}

static bool add_all(merge *m, lc_probe_result **result)
{
    bool going = true;
    bool by_types = m->probed && m->list[0].sharded;
    *result = m->joined = m->probed ? m->probes[0] : NULL;
    if (by_types) {
        *result = m->joined = begin_result(m);
        return add_types(m, *result);
    }
    for (size_t i = 0; going && i < m->count; i++)
        going = add_report(m, &m->list[i]);
    return going;
}

static bool is_same_diag(const lc_diag *a, const lc_diag *b)
{
    return lc_str_eq(a->loc.file, b->loc.file) && a->loc.line == b->loc.line &&
           a->loc.column == b->loc.column && lc_str_eq(a->message, b->message);
}

static bool is_unused_in(const lc_records *records, const lc_diag *diag)
{
    for (size_t i = 0; i < records->shard.unused.count; i++) {
        if (is_same_diag(&records->shard.unused.items[i], diag))
            return true;
    }
    return false;
}

/* An ignore is unused only if it matched nothing in every shard. */
static void join_unused(merge *m)
{
    const lc_shard *first = &m->list[0].shard;
    for (size_t i = 0; i < first->unused.count; i++) {
        bool unused = true;
        for (size_t k = 1; k < m->count; k++)
            unused &= is_unused_in(&m->list[k], &first->unused.items[i]);
        if (unused)
            *LC_PUSH(m->arena, &m->c.shard.unused, lc_diag) = first->unused.items[i];
    }
}

static lc_exit run(merge *m)
{
    lc_checking *c = &m->c;
    lc_policy given = c->policy;
    c->policy = m->list[0].policy;
    c->policy.baseline = given.baseline;
    c->policy.allow_empty = given.allow_empty;
    lc_probe_result *result;
    if (m->probed) {
        lc_probe_leave_pages(&m->reporting, c->cli);
        c->cli = &m->reporting;
    }
    lc_exit status = lc_open_reports(c);
    if (status != LC_EXIT_OK)
        return status;
    add_all(m, &result);
    if (result)
        lc_probe_add_result(c, m->arena, result);
    c->policy.allow_empty |= result != NULL;
    join_unused(m);
    c->shard.skipped = m->list[0].shard.skipped;
    c->shard.skipped_count = m->list[0].shard.skipped_count;
    status = lc_finish_reports(c);
    lc_exit written = LC_EXIT_OK;
    if (result && status != LC_EXIT_INTERNAL)
        written = lc_probe_write_pages(m->cli, m->arena, result);
    if (written == LC_EXIT_OK && status != LC_EXIT_INTERNAL)
        written = lc_baseline_close(c->policy.baseline, c->cli, c->summary.errors == 0);
    return written == LC_EXIT_OK ? status : written;
}

lc_exit lc_cmd_merge(const lc_cli *cli)
{
    merge *m = LC_NEW(cli->arena, merge);
    m->cli = m->c.cli = cli;
    if (cli->words.count == 0) {
        lc_message("merge takes reports of --format json");
        return LC_EXIT_USAGE;
    }
    m->c.policy = cli->options.policy;
    m->c.checker.limits = cli->options.limits;
    lc_exit status = lc_baseline_open(&m->c.policy.baseline, cli, &m->c.checker.limits);
    if (status != LC_EXIT_OK)
        return status;
    m->arena = lc_arena_new();
    m->scratch = lc_arena_new();
    lc_diags_init(&m->diags, m->arena);
    status = read_all(m) ? run(m) : LC_EXIT_INPUT;
    lc_arena_free(m->scratch);
    lc_arena_free(m->arena);
    return status;
}

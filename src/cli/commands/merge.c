/* lifecheck merge: the reports of all shards as the report of the whole run, byte for byte, in any
 * format; or reports of several runs as one. */
#include "cli/checking.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/report/record.h"

#include <stdlib.h>

typedef struct merge {
    lc_checking c;
    lc_arena *arena; /* of all reports */
    lc_arena *scratch;
    lc_diags diags;
    lc_records *list;
    size_t count;
    lc_str file; /* whose cases are reported */
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
            complain(m, records, "this is no shard of the same run");
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
    judged.repeats = out->repeats;
    lc_verdict_apply_baseline(&judged, &m->c.policy);
    for (size_t r = 0; r < m->c.count; r++)
        lc_report_case(&out->cases[r], &m->c.options[r], &judged);
    lc_lens_case(&out->lens, &judged);
    lc_summary_add_case(&out->summary, &judged);
    lc_arena_reset(m->scratch);
}

static void add_error(merge *m, lc_outcome *out, const lc_records *records, size_t at)
{
    lc_diag diag = lc_record_error(records, at);
    for (size_t r = 0; r < m->c.count; r++)
        lc_report_diag(&out->errors[r], &m->c.options[r], &diag);
    out->summary.errors += diag.severity == LC_DIAG_ERROR;
}

/* A report that is not a shard does not record which input caused which error, so its errors come
 * first. */
static bool add_report(merge *m, const lc_records *records)
{
    lc_shard_item whole = {lc_records_case_count(records), lc_records_error_count(records)};
    const lc_shard_item *items = records->sharded ? records->shard.items.items : &whole;
    size_t count = records->sharded ? records->shard.items.count : 1, at = 0, error = 0;
    bool going = true;
    for (size_t i = 0; going && i < count; i++) {
        lc_outcome outcome = {.opened = true};
        lc_item item = {.file = records->source.file};
        for (uint64_t k = 0; k < items[i].errors; k++)
            add_error(m, &outcome, records, error++);
        for (uint64_t k = 0; k < items[i].cases; k++)
            add_case(m, &outcome, records, at++);
        lc_outcome_repeats(&outcome, m->c.options, m->c.count);
        going = lc_take_outcome(&m->c, &item, &outcome);
        lc_outcome_release(&outcome);
    }
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
    lc_exit status = lc_open_reports(c);
    if (status != LC_EXIT_OK)
        return status;
    bool going = true;
    for (size_t i = 0; going && i < m->count; i++)
        going = add_report(m, &m->list[i]);
    join_unused(m);
    c->shard.skipped = m->list[0].shard.skipped;
    c->shard.skipped_count = m->list[0].shard.skipped_count;
    status = lc_finish_reports(c);
    lc_exit written = LC_EXIT_OK;
    if (status != LC_EXIT_INTERNAL)
        written = lc_baseline_close(c->policy.baseline, c->cli, c->summary.errors == 0);
    return written == LC_EXIT_OK ? status : written;
}

lc_exit lc_cmd_merge(const lc_cli *cli)
{
    merge *m = LC_NEW(cli->arena, merge);
    m->c.cli = cli;
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

/* lifecheck check: files to judged cases, reports and an exit status. */
#include "cli/checking.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FEW_FILES     8
#define MOST_REPORTS  (LC_MAX_REPORTS - 1) /* the summary of a GitHub job may be one more */
#define SUMMARY_LIMIT ((off_t)1 << 20)
#define SUMMARY_LEAST ((off_t)4 << 10)

typedef lc_output output;
typedef lc_checking check;

/* ---- Reports. */

/* `how`: O_TRUNC, at the end, or O_APPEND. */
static bool open_output(check *c, const lc_report_options *options, const char *path, int how)
{
    output *o = &c->outputs[c->count];
    o->sink = c->on_stderr ? (lc_sink){STDERR_FILENO, "standard error", false}
                           : (lc_sink){STDOUT_FILENO, "standard output", false};
    o->file.fd = -1;
    if (path && how == O_APPEND)
        o->sink = (lc_sink){open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666), path, false};
    else if (path)
        o->sink = (lc_sink){lc_output_file_open(&o->file, c->cli->arena, path) ? o->file.fd : -1,
                            path, false};
    if (o->sink.fd < 0) {
        lc_message("%s cannot be written: %s", path, strerror(errno));
        return false;
    }
    c->options[c->count] = *options;
    c->options[c->count].tables = c->tables;
    c->options[c->count].shard = c->sharded ? &c->shard : NULL;
    lc_report_begin(&o->report, &c->options[c->count], &o->bytes);
    c->count++;
    return true;
}

/* By the place to which both would be renamed; descriptors and devices (`direct`) may be shared. */
static bool is_another_report(const check *c, const lc_output_file *file)
{
    for (size_t i = 0; i + 1 < c->count; i++) {
        const lc_output_file *other = &c->outputs[i].file;
        if (file->direct || other->fd < 0 || strcmp(other->place, file->place) != 0)
            continue;
        lc_message("%s cannot be a report: it is another one of this run; give each its own "
                   "file",
                   file->name);
        return true;
    }
    return false;
}

/* Colours and folding are for terminals; files that a walk found must not be overwritten either. */
static lc_exit open_report(check *c, const lc_wanted *wanted)
{
    lc_report_options options = c->cli->options.style;
    const char *name = NULL;
    options.format = (lc_format)wanted->format;
    options.policy = c->policy;
    if (wanted->path.len) {
        options.color = false;
        options.width = 0;
        name = lc_str_to_c(c->cli->arena, wanted->path);
    }
    lc_exit status = lc_may_write(c->cli, wanted);
    if (status != LC_EXIT_OK)
        return status;
    if (name && c->items && lc_items_include(c->items, name)) {
        lc_message("%s cannot be a report: it is an input of this run; name another file", name);
        return LC_EXIT_USAGE;
    }
    if (!open_output(c, &options, name, O_TRUNC))
        return LC_EXIT_INTERNAL;
    return is_another_report(c, &c->outputs[c->count - 1].file) ? LC_EXIT_USAGE : LC_EXIT_OK;
}

/* Annotations come with a summary of the job, where GitHub names a file for it. Other steps of the
 * job may have written to it; if all of it were longer than SUMMARY_LIMIT, none would be shown. */
static bool open_step_summary(check *c)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    lc_report_options options = {.format = LC_FORMAT_MARKDOWN, .policy = c->policy};
    struct stat info;
    bool annotates = false;
    for (size_t i = 0; i < c->count; i++)
        annotates |= c->options[i].format == LC_FORMAT_GITHUB;
    if (!annotates || !path || !*path)
        return true;
    off_t used = stat(path, &info) == 0 ? info.st_size : 0;
    if (used > SUMMARY_LIMIT - SUMMARY_LEAST)
        return true;
    options.limit = (size_t)(SUMMARY_LIMIT - used);
    return open_output(c, &options, path, O_APPEND);
}

lc_exit lc_open_reports(check *c)
{
    for (size_t i = 0; i < c->cli->options.wanted_count; i++) {
        lc_exit status = open_report(c, &c->cli->options.wanted[i]);
        if (status != LC_EXIT_OK)
            return status;
    }
    if (!open_step_summary(c))
        return LC_EXIT_INTERNAL;
    c->checker.reports = c->options;
    c->checker.report_count = c->count;
    c->checker.policy = &c->policy;
    c->checker.empty_advice = LC_EMPTY_ADVICE;
    return LC_EXIT_OK;
}

static bool write_output(check *c, output *o)
{
    lc_format format = c->options[o - c->outputs].format;
    bool lines = format == LC_FORMAT_TEXT || format == LC_FORMAT_TAP ||
                 format == LC_FORMAT_MARKDOWN || format == LC_FORMAT_HTML ||
                 format == LC_FORMAT_JUNIT ||
                 format == LC_FORMAT_CONCISE; /* others escape line breaks, or are commands */
    if (lines)
        lc_defuse_commands(o->bytes.ptr, o->bytes.len);
    if (o->sink.fd == STDOUT_FILENO && o->bytes.len && c->meter.beside_report)
        lc_meter_wipe(c->checker.meter);
    lc_sink_write(&o->sink, &o->bytes);
    return !o->sink.failed;
}

/* A report is renamed into place only here: until then readers see the old one. */
static bool close_output(check *c, output *o)
{
    lc_report_end(&o->report, &c->summary, &o->bytes);
    bool ok = write_output(c, o);
    lc_buf_release(&o->bytes);
    if (o->sink.fd == STDOUT_FILENO || o->sink.fd == STDERR_FILENO)
        return ok;
    if (o->file.fd >= 0 && !ok)
        lc_output_file_discard(&o->file);
    else if (o->file.fd >= 0 ? !lc_output_file_commit(&o->file) : close(o->sink.fd) != 0 && ok) {
        lc_message("%s cannot be written: %s", o->sink.name, strerror(errno));
        ok = false;
    }
    return ok;
}

/* ---- Outcomes. */

/* The worker of the file has ended. It is reported on standard error, so the text format does not
 * repeat it. */
static void report_death(check *c, const lc_item *item, lc_outcome *outcome)
{
    lc_diag diag = {
        .severity = LC_DIAG_ERROR, .loc = {item->file, 0, 0}, .message = LC_STR("internal error")};
    lc_meter_wipe(c->checker.meter);
    lc_message("internal error in %.*s", LC_FMT(item->file));
    c->internal_error = true;
    outcome->summary.errors++;
    for (size_t r = 0; r < c->count; r++) {
        if (c->options[r].format != LC_FORMAT_TEXT)
            lc_report_diag(&outcome->errors[r], &c->options[r], &diag);
    }
}

/* One line a record. */
static uint64_t count_records(const lc_buf *piece)
{
    uint64_t count = piece->len > 0;
    for (size_t i = 0; i < piece->len; i++)
        count += piece->ptr[i] == '\n';
    return count;
}

static void note_records(check *c, const lc_outcome *outcome)
{
    for (size_t r = 0; r < c->count; r++) {
        if (c->options[r].format != LC_FORMAT_JSON)
            continue;
        *LC_PUSH(c->cli->arena, &c->shard.items, lc_shard_item) =
            (lc_shard_item){count_records(&outcome->cases[r]), count_records(&outcome->errors[r])};
        return;
    }
}

/* Called in the order of items, whichever worker was faster. False: a report cannot be written. */
bool lc_take_outcome(void *context, const lc_item *item, lc_outcome *outcome)
{
    check *c = context;
    bool ok = true;
    if (outcome->died)
        report_death(c, item, outcome);
    lc_summary_add(&c->summary, &outcome->summary);
    if (c->sharded)
        note_records(c, outcome);
    for (size_t r = 0; r < c->count; r++) {
        output *o = &c->outputs[r];
        lc_report_add(&o->report, lc_buf_str(&outcome->cases[r]), lc_buf_str(&outcome->errors[r]),
                      lc_buf_str(&outcome->lens), &o->bytes);
        ok &= write_output(c, o);
    }
    return ok;
}

/* ---- Files that a walk skipped. */

static void report_skipped(check *c)
{
    output *o = &c->outputs[0];
    size_t count = c->shard.skipped_count;
    if (c->options[0].format != LC_FORMAT_TEXT || c->options[0].quiet || count == 0)
        return;
    for (size_t i = 0; c->options[0].verbose && i < count; i++)
        lc_buf_printf(&o->bytes, "skipped %.*s\n", LC_FMT(c->shard.skipped[i]));
    if (!c->options[0].verbose)
        lc_buf_printf(&o->bytes, "skipped %zu file%s that %s; -v lists %s\n", count,
                      count == 1 ? "" : "s", count == 1 ? "is not a scenario" : "are not scenarios",
                      count == 1 ? "it" : "them");
}

/* ---- What belongs to no input. */

/* A warning or error that belongs to no input. */
static void report_diag(check *c, const lc_diag *diag)
{
    for (size_t r = 0; r < c->count; r++) {
        lc_buf piece = {0};
        lc_report_diag(&piece, &c->options[r], diag);
        lc_report_add(&c->outputs[r].report, LC_STR_EMPTY, lc_buf_str(&piece), LC_STR_EMPTY,
                      &c->outputs[r].bytes);
        lc_buf_release(&piece);
    }
}

/* That nothing at all was judged is reported in any case. Reports are the same whether they come
 * from one run or from shards, of which none knows what the others hold. */
static void report_empty(const check *c)
{
    if (c->items && !c->sharded && c->summary.judged_any)
        lc_report_empty_folders(c->items);
}

static void find_unused(check *c)
{
    for (size_t i = 0; i < c->policy.ignores_count; i++) {
        const lc_ignore *ignore = &c->policy.ignores[i];
        bool used = c->summary.ignores_used.bits[i / 64] >> i % 64 & 1;
        lc_diag diag = {.severity = LC_DIAG_WARNING,
                        .loc = ignore->loc,
                        .message = lc_ignore_complaint(c->cli->arena, ignore, c->policy.today)};
        if (used)
            continue;
        *LC_PUSH(c->cli->arena, &c->shard.unused, lc_diag) = diag;
    }
}

/* In a shard it is not known yet: an ignore may match in another shard. */
static void report_unused(check *c)
{
    for (size_t i = 0; !c->sharded && i < c->shard.unused.count; i++)
        report_diag(c, &c->shard.unused.items[i]);
}

/* A baseline with entries that no longer occur is an error, but not of an input: violations were
 * fixed. */
static void report_baseline(check *c)
{
    const lc_baseline *b = c->policy.baseline;
    bool strict = c->cli->options.baseline_strict;
    lc_policy_set_aside(&c->policy);
    if (!b || b->learns || c->partial || c->cli->options.write_baseline.len)
        return;
    for (size_t i = 0; i < b->list.count; i++) {
        lc_diag diag = {.severity = strict ? LC_DIAG_ERROR : LC_DIAG_WARNING,
                        .loc = b->list.items[i]->loc,
                        .message = lc_known_complaint(c->cli->arena, b->list.items[i])};
        if (diag.message.len == 0)
            continue;
        report_diag(c, &diag);
        c->stale |= strict;
    }
}

/* Reports of this kind are made by commands that check. */
static bool makes_reports(const lc_cli *cli)
{
    lc_str formats = lc_str_from_c(lc_command_get(cli->command)->formats);
    return lc_str_find_str(formats, LC_STR(" sarif ")) < formats.len;
}

lc_exit lc_report_refused(const lc_cli *cli, const lc_diags *why)
{
    check *c = LC_NEW(cli->arena, check);
    c->cli = cli;
    c->policy = cli->options.policy;
    c->on_stderr = lc_command_runs_client(cli->command);
    for (size_t i = 0; i < cli->options.wanted_count && makes_reports(cli); i++) {
        const lc_wanted *wanted = &cli->options.wanted[i];
        bool repeats = wanted->format == LC_FORMAT_TEXT && wanted->path.len == 0;
        if (!repeats && open_report(c, wanted) != LC_EXIT_OK)
            return LC_EXIT_INPUT;
    }
    for (size_t i = 0; i < why->count; i++)
        report_diag(c, &why->items[i]);
    c->summary.errors = why->errors;
    for (size_t i = 0; i < c->count; i++)
        close_output(c, &c->outputs[i]);
    return LC_EXIT_INPUT;
}

/* ---- The command. */

/* A baseline takes findings in the order of files. */
static unsigned choose_jobs(const check *c, const lc_items *items)
{
    size_t files = items->list.count;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = files < FEW_FILES || processors < 1 ? 1 : (uint64_t)processors;
    if (c->policy.baseline)
        return 1;
    if (lc_cli_has(c->cli, LC_OPTION_JOBS))
        jobs = c->cli->options.jobs;
    return (unsigned)(jobs > files ? files : jobs);
}

/* The order is that of exit statuses: what lifecheck could not do, then violations, then inputs. */
static lc_exit status_of(const check *c, bool written)
{
    const lc_summary *s = &c->summary;
    if (!written || c->internal_error)
        return LC_EXIT_INTERNAL;
    if (s->failed || c->stale)
        return LC_EXIT_FAILED;
    if (s->errors || s->stopped || c->named_errors ||
        (!s->judged_any && !c->policy.allow_empty && !c->sharded))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

static void report_nothing_judged(const check *c)
{
    if (c->summary.judged_any || c->summary.errors || c->summary.stopped || c->internal_error ||
        c->policy.allow_empty || c->sharded)
        return;
    if (c->items)
        lc_report_empty_folders(c->items);
    lc_message("nothing was checked; --allow-empty permits that");
}

lc_exit lc_finish_reports(check *c)
{
    bool written = true;
    report_empty(c);
    report_unused(c);
    report_baseline(c);
    report_skipped(c);
    for (size_t i = 0; i < c->count; i++)
        written &= close_output(c, &c->outputs[i]);
    if (written)
        report_nothing_judged(c);
    return status_of(c, written);
}

/* Files of options that no input needed. The records of a shard are those of its inputs, so a shard
 * reports them on standard error alone. */
static void report_named(check *c)
{
    lc_diags diags;
    lc_diags_init(&diags, c->checker.store_arena);
    lc_read_named(&c->checker.store, &c->checker.capture, c->checker.kinds, &diags);
    if (c->sharded)
        lc_report_diags(&diags);
    for (size_t i = 0; !c->sharded && i < diags.count; i++)
        report_diag(c, &diags.items[i]);
    c->summary.errors += c->sharded ? 0 : diags.errors;
    c->named_errors = diags.errors > 0;
}

static lc_exit run(check *c, const lc_items *items, unsigned jobs)
{
    c->checker.reports = c->options;
    c->checker.report_count = c->count;
    c->checker.policy = &c->policy;
    c->checker.empty_advice = LC_EMPTY_ADVICE;
    c->checker.lint = c->cli->options.lint;
    c->checker.capture = lc_cli_capture(c->cli);
    c->checker.store_arena = lc_arena_new();
    lc_schema_store_init(&c->checker.store, c->checker.store_arena, c->checker.limits);
    c->checker.meter = lc_cli_meter(&c->meter, c->cli, items->list.count, "file");
    lc_check_items(&c->checker, items, jobs, lc_take_outcome, c);
    lc_meter_wipe(c->checker.meter);
    report_named(c);
    lc_arena_free(c->checker.store_arena);
    c->shard.skipped = items->skipped.items;
    c->shard.skipped_count = items->skipped.count;
    find_unused(c);
    return lc_finish_reports(c);
}

lc_exit lc_begin_checking(lc_checking *c, const lc_cli *cli)
{
    lc_exit status = LC_EXIT_OK;
    c->cli = cli;
    c->policy = cli->options.policy;
    c->checker.limits = cli->options.limits;
    if (!c->without_baseline)
        status = lc_baseline_open(&c->policy.baseline, cli, &c->checker.limits);
    if (status == LC_EXIT_OK)
        status = lc_open_reports(c);
    if (status != LC_EXIT_OK)
        return status;
    c->checker.store_arena = lc_arena_new();
    lc_schema_store_init(&c->checker.store, c->checker.store_arena, c->checker.limits);
    return LC_EXIT_OK;
}

/* `lifecheck chek lib`: reports about lib would hide what was meant. */
static bool is_misspelt_command(const lc_cli *cli)
{
    struct stat info;
    lc_str word = cli->words.count > 1 && !cli->named_command ? cli->words.items[0] : LC_STR_EMPTY;
    lc_str near = word.len ? lc_command_nearest(word) : LC_STR_EMPTY;
    if (near.len == 0 || stat(lc_str_to_c(cli->arena, word), &info) == 0 || errno != ENOENT)
        return false;
    lc_message("there is no command and no file \"%.*s\"; did you mean the command `%.*s`?",
               LC_FMT(word), LC_FMT(near));
    return true;
}

/* The walk comes before reports are opened, because a report must not be a file that it found. */
static lc_exit check_once(const lc_cli *cli)
{
    check *c = LC_NEW(cli->arena, check);
    lc_items items;
    c->cli = cli;
    c->policy = cli->options.policy;
    c->checker.limits = cli->options.limits;
    c->checker.input = cli->options.input_kind;
    if (cli->words.count == 0) {
        lc_message("no input was named; see lifecheck --help");
        return LC_EXIT_USAGE;
    }
    if (lc_cli_has(cli, LC_OPTION_JOBS) && cli->options.jobs == 0) {
        lc_message("--jobs takes a number of processes from 1, not 0");
        return LC_EXIT_USAGE;
    }
    if (!lc_read_shard(c) || !lc_leave_baseline_to_merge(c))
        return LC_EXIT_USAGE;
    lc_exit status = LC_EXIT_OK;
    if (!c->without_baseline)
        status = lc_baseline_open(&c->policy.baseline, cli, &c->checker.limits);
    if (status != LC_EXIT_OK)
        return status;
    lc_find_items(&items, cli, &cli->words, c->checker.input);
    lc_cut_shard(c, &items);
    c->items = &items;
    status = lc_open_reports(c);
    if (status == LC_EXIT_OK)
        status = run(c, &items, choose_jobs(c, &items));
    if (status == LC_EXIT_USAGE || status == LC_EXIT_INTERNAL)
        return status;
    lc_exit written = lc_baseline_close(c->policy.baseline, cli, c->summary.errors == 0);
    return written == LC_EXIT_OK ? status : written;
}

lc_exit lc_cmd_check(const lc_cli *cli)
{
    static const lc_option between[] = {LC_OPTION_OPERATION};
    if (is_misspelt_command(cli))
        return LC_EXIT_INPUT;
    if (!lc_cli_has(cli, LC_OPTION_NEW_STATE) &&
        lc_cli_refuse_idle(cli, between, 1, "--new-state names the state after it"))
        return LC_EXIT_USAGE;
    return cli->options.watch && cli->words.count ? lc_watch(cli, check_once) : check_once(cli);
}

/* lifecheck check: files to judged cases, reports and an exit status. */
#include "internal.h"
#include "lifecheck/arena.h"

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

typedef struct output {
    lc_report report;
    lc_sink sink;
    lc_buf bytes;
} output;

typedef struct check {
    const lc_cli *cli;
    lc_policy policy;
    lc_report_options options[LC_MAX_REPORTS];
    output outputs[LC_MAX_REPORTS];
    size_t count;
    lc_checker checker;
    lc_summary summary;
    bool internal_error;
} check;

/* ---- Reports. */

/* `how`: O_TRUNC or O_APPEND. */
static bool open_output(check *c, const lc_report_options *options, const char *path, int how)
{
    output *o = &c->outputs[c->count];
    o->sink = (lc_sink){STDOUT_FILENO, "standard output", false};
    if (path)
        o->sink = (lc_sink){open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666), path, false};
    if (o->sink.fd < 0) {
        lc_tell("%s cannot be written: %s", path, strerror(errno));
        return false;
    }
    c->options[c->count] = *options;
    lc_report_begin(&o->report, &c->options[c->count], &o->bytes);
    c->count++;
    return true;
}

/* Where `=` stands in F=PATH, or its end. */
static size_t split_report(lc_str text)
{
    const char *equals = memchr(text.ptr, '=', text.len);
    return equals ? (size_t)(equals - text.ptr) : text.len;
}

static void tell_report_usage(const check *c, lc_str text)
{
    lc_str name = lc_cli_option_name(c->cli, LC_OPTION_REPORT);
    lc_str format = lc_str_sub(text, 0, split_report(text)), known[LC_FORMAT_COUNT];
    lc_buf list = {0};
    for (unsigned i = 0; i < LC_FORMAT_COUNT; i++) {
        known[i] = lc_str_from_c(lc_format_name((lc_format)i));
        lc_buf_printf(&list, "%s%.*s", i ? ", " : "", LC_FMT(known[i]));
    }
    lc_str near = lc_str_nearest(format, known, LC_FORMAT_COUNT);
    bool guess = near.len && !lc_str_eq(near, format);
    if (!guess)
        near.len = 0;
    lc_tell("%.*s takes F=PATH, F one of %.*s, not \"%.*s\"%s%.*s%s", LC_FMT(name),
            LC_FMT(lc_buf_str(&list)), LC_FMT(text), guess ? "; did you mean \"" : "", LC_FMT(near),
            guess ? "\"?" : "");
    lc_buf_release(&list);
}

static bool split_option(const check *c, lc_str text, lc_format *format, lc_str *path)
{
    size_t at = split_report(text);
    *path = lc_str_sub(text, at < text.len ? at + 1 : at, text.len);
    if (path->len && lc_format_from_name(format, lc_str_sub(text, 0, at)))
        return true;
    tell_report_usage(c, text);
    return false;
}

/* --report F=-: in place of the text that would go to standard output, not beside it. */
static bool choose_standard_output(const check *c, lc_report_options *options)
{
    const lc_words *reports = &c->cli->values[LC_OPTION_REPORT];
    bool taken =
        lc_cli_has(c->cli, LC_OPTION_FORMAT) && !c->cli->from_environment[LC_OPTION_FORMAT];
    for (size_t i = 0; i < reports->count; i++) {
        lc_format format = LC_FORMAT_TEXT;
        lc_str path;
        if (!split_option(c, reports->items[i], &format, &path))
            return false;
        if (!lc_str_is(path, "-"))
            continue;
        if (taken) {
            lc_tell("--report %.*s: standard output has a report already",
                    LC_FMT(reports->items[i]));
            return false;
        }
        taken = true;
        options->format = format;
    }
    return true;
}

/* --report F=PATH. Colours and folding are for terminals. */
static lc_exit open_report(check *c, lc_str text)
{
    lc_report_options options = c->options[0];
    lc_str path;
    if (!split_option(c, text, &options.format, &path))
        return LC_EXIT_USAGE;
    if (lc_str_is(path, "-"))
        return LC_EXIT_OK;
    if (c->count == MOST_REPORTS) {
        lc_str name = lc_cli_option_name(c->cli, LC_OPTION_REPORT);
        lc_tell("%.*s can be given %d times", LC_FMT(name), MOST_REPORTS - 1);
        return LC_EXIT_USAGE;
    }
    options.color = false;
    options.width = 0;
    char *name = lc_str_to_c(c->cli->arena, path);
    return open_output(c, &options, name, O_TRUNC) ? LC_EXIT_OK : LC_EXIT_INTERNAL;
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

static lc_exit open_reports(check *c)
{
    lc_report_options options;
    const lc_words *more = &c->cli->values[LC_OPTION_REPORT];
    if (!lc_cli_report(c->cli, &c->policy, &options) || !choose_standard_output(c, &options))
        return LC_EXIT_USAGE;
    if (!open_output(c, &options, NULL, 0))
        return LC_EXIT_INTERNAL;
    for (size_t i = 0; i < more->count; i++) {
        lc_exit status = open_report(c, more->items[i]);
        if (status != LC_EXIT_OK)
            return status;
    }
    return open_step_summary(c) ? LC_EXIT_OK : LC_EXIT_INTERNAL;
}

static bool write_output(output *o)
{
    lc_sink_write(&o->sink, &o->bytes);
    return !o->sink.failed;
}

static bool close_output(check *c, output *o)
{
    lc_report_end(&o->report, &c->summary, &o->bytes);
    bool ok = write_output(o);
    lc_buf_release(&o->bytes);
    if (o->sink.fd != STDOUT_FILENO && close(o->sink.fd) != 0 && ok) {
        lc_tell("%s cannot be written: %s", o->sink.name, strerror(errno));
        ok = false;
    }
    return ok;
}

/* ---- Outcomes. */

static void report_death(check *c, const lc_item *item, lc_outcome *outcome)
{
    lc_diag diag = {LC_DIAG_ERROR, {item->file, 0, 0}, LC_STR("internal error")};
    lc_tell("internal error in %.*s", LC_FMT(item->file));
    c->internal_error = true;
    outcome->summary.errors++;
    for (size_t r = 0; r < c->count; r++) {
        if (c->options[r].format != LC_FORMAT_TEXT)
            lc_report_diag(&outcome->errors[r], &c->options[r], &diag);
    }
}

static bool consume(void *context, const lc_item *item, lc_outcome *outcome)
{
    check *c = context;
    bool ok = true;
    if (outcome->died)
        report_death(c, item, outcome);
    lc_summary_add(&c->summary, &outcome->summary);
    for (size_t r = 0; r < c->count; r++) {
        output *o = &c->outputs[r];
        lc_report_add(&o->report, lc_buf_str(&outcome->cases[r]), lc_buf_str(&outcome->errors[r]),
                      lc_buf_str(&outcome->lens), &o->bytes);
        ok &= write_output(o);
    }
    return ok;
}

/* ---- Files that a walk passed over. */

static void report_skipped(check *c, const lc_items *items)
{
    output *o = &c->outputs[0];
    size_t count = items->skipped.count;
    if (c->options[0].format != LC_FORMAT_TEXT || c->options[0].quiet || count == 0)
        return;
    for (size_t i = 0; c->options[0].verbose && i < count; i++)
        lc_buf_printf(&o->bytes, "skipped %.*s\n", LC_FMT(items->skipped.items[i]));
    if (!c->options[0].verbose)
        lc_buf_printf(&o->bytes, "skipped %zu file%s that %s no scenario%s; -v lists %s\n", count,
                      count == 1 ? "" : "s", count == 1 ? "is" : "are", count == 1 ? "" : "s",
                      count == 1 ? "it" : "them");
}

/* ---- The command. */

static bool choose_jobs(const check *c, const lc_items *items, unsigned *out)
{
    size_t files = items->list.count;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = files < FEW_FILES || processors < 1 ? 1 : (uint64_t)processors;
    if (!lc_cli_number(c->cli, LC_OPTION_JOBS, 1024, false, &jobs))
        return false;
    if (jobs == 0) {
        lc_tell("--jobs takes a number of processes from 1, not 0");
        return false;
    }
    if (jobs > files)
        jobs = files;
    *out = (unsigned)jobs;
    return true;
}

static lc_exit status_of(const check *c, bool written)
{
    const lc_summary *s = &c->summary;
    if (!written || c->internal_error)
        return LC_EXIT_INTERNAL;
    if (s->failed)
        return LC_EXIT_FAILED;
    if (s->errors || (!s->judged_any && !c->policy.allow_empty))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

static void tell_nothing_judged(const check *c)
{
    if (!c->summary.judged_any && !c->summary.errors && !c->internal_error &&
        !c->policy.allow_empty)
        lc_tell("nothing was judged; --allow-empty permits that");
}

static lc_exit run(check *c, const lc_items *items, unsigned jobs)
{
    bool written = true;
    c->checker.reports = c->options;
    c->checker.report_count = c->count;
    c->checker.policy = &c->policy;
    c->checker.lint = lc_cli_has(c->cli, LC_OPTION_LINT);
    c->checker.capture = lc_cli_capture(c->cli);
    c->checker.store_arena = lc_arena_new();
    lc_schema_store_init(&c->checker.store, c->checker.store_arena, c->checker.limits);
    lc_check_items(&c->checker, items, jobs, consume, c);
    report_skipped(c, items);
    for (size_t i = 0; i < c->count; i++)
        written &= close_output(c, &c->outputs[i]);
    lc_arena_free(c->checker.store_arena);
    if (written)
        tell_nothing_judged(c);
    return status_of(c, written);
}

lc_exit lc_cmd_check(const lc_cli *cli)
{
    check *c = LC_NEW(cli->arena, check);
    lc_items items;
    unsigned jobs = 1;
    c->cli = cli;
    if (cli->words.count == 0) {
        lc_tell("nothing to judge was named; lifecheck --help says how");
        return LC_EXIT_USAGE;
    }
    if (!lc_cli_policy(cli, &c->policy) || !lc_cli_limits(cli, &c->checker.limits) ||
        !lc_cli_input(cli, &c->checker.input))
        return LC_EXIT_USAGE;
    lc_find_items(&items, cli->arena, &cli->words, c->checker.input);
    if (!choose_jobs(c, &items, &jobs))
        return LC_EXIT_USAGE;
    lc_exit status = open_reports(c);
    return status == LC_EXIT_OK ? run(c, &items, jobs) : status;
}

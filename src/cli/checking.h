/* A run of `check`, and what `merge` shares with it: reports from outcomes, and the exit status. */
#ifndef LC_CLI_CHECKING_H
#define LC_CLI_CHECKING_H

#include "cli/internal.h"
#include "lifecheck/report/record.h"

typedef struct lc_output {
    lc_report report;
    lc_sink sink;
    lc_output_file file; /* fd -1: none */
    lc_buf bytes;
} lc_output;

typedef struct lc_checking {
    const lc_cli *cli;
    const lc_items *items; /* input that is read; NULL: only its name is known */
    lc_policy policy;
    lc_report_options options[LC_MAX_REPORTS];
    lc_output outputs[LC_MAX_REPORTS];
    size_t count;
    lc_checker checker;
    lc_meter meter;
    lc_summary summary;
    size_t shown; /* cases that lc_take_record showed, or would have shown, in text */
    bool internal_error;
    bool named_errors; /* a file that an option names, and that no input needed, has errors */
    bool stale;        /* the baseline lists more than was found, and --baseline-strict is set */
    bool on_stderr;    /* what would go to standard output goes to standard error, because that is
                          another program's */
    bool tables;       /* reports show what was predicted or resolved */
    bool sharded;      /* this is one shard of a run */
    lc_shard shard;    /* of the run, or all of it */
    bool partial; /* not everything was asked: what is missing of a baseline may still be there */
    bool without_baseline; /* the one of the settings file is left to merge */
} lc_checking;

/* What judging the answers of a provider begins with: the policy of the options, the baseline, the
 * reports and a store of schemas. Members that are set already are kept. */
lc_exit lc_begin_checking(lc_checking *c, const lc_cli *cli);
/* Open --format and --report and write their heads; the checker writes to all of them. */
lc_exit lc_open_reports(lc_checking *c);
/* The reports of a run that does not begin, because these inputs are missing or wrong; they are on
 * standard error already, where text is not repeated. Nothing for a command that checks nothing.
 * LC_EXIT_INPUT. */
lc_exit lc_report_refused(const lc_cli *cli, const lc_diags *why);
/* Adds the outcome of one input to all reports; `context` is the lc_checking. False: writing
 * failed. */
bool lc_take_outcome(void *context, const lc_item *item, lc_outcome *outcome);
/* Adds a case that was judged elsewhere to the pieces of all reports, by the baseline of this run.
 * With `folds`, text shows only what fails, of the first cases, unless --verbose is given.
 * `scratch` is not reset; outcome->repeats may be NULL. */
void lc_take_record(lc_checking *c, lc_outcome *outcome, lc_judged *judged, bool folds);
/* Reports unused ignores and skipped files, writes the ends of all reports, and returns the exit
 * status. */
lc_exit lc_finish_reports(lc_checking *c);

/* --shard as I and N, 0 and 0 without it; `auto` takes them from the variables of what runs us.
 * False: reported. */
bool lc_cli_shard(uint64_t numbers[2], const lc_cli *cli);
/* The same into `sharded` and `shard`. */
bool lc_read_shard(lc_checking *c);
/* A shard has no baseline. False: the user gave it one, reported. */
bool lc_leave_baseline_to_merge(lc_checking *c);
/* Consecutive inputs, so that reports can be joined in order. The sizes of shards differ by one
 * input at most. */
void lc_cut_shard(const lc_checking *c, lc_items *items);

#endif

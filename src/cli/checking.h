/* A run of `check`, and what `merge` shares with it: reports from outcomes, and the exit status. */
#ifndef LC_CLI_CHECKING_H
#define LC_CLI_CHECKING_H

#include "cli/internal.h"

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
    bool internal_error;
    bool stale;     /* the baseline lists more than was found, and --baseline-strict is set */
    bool on_stderr; /* what would go to standard output goes to standard error, because that is
                       another program's */
    bool tables;    /* reports show what was predicted or resolved */
    bool sharded;   /* this is one shard of a run */
    lc_shard shard; /* of the run, or all of it */
} lc_checking;

/* What judging the answers of a provider begins with: the policy of the options, the baseline, the
 * reports and a store of schemas. Members that are set already are kept. */
lc_exit lc_begin_checking(lc_checking *c, const lc_cli *cli);
/* Open --format and --report and write their heads; the checker writes to all of them. */
lc_exit lc_open_reports(lc_checking *c);
/* Adds the outcome of one input to all reports; `context` is the lc_checking. False: writing
 * failed. */
bool lc_take_outcome(void *context, const lc_item *item, lc_outcome *outcome);
/* Reports unused ignores and skipped files, writes the ends of all reports, and returns the exit
 * status. */
lc_exit lc_finish_reports(lc_checking *c);

#endif

/* Judging files: the engine of `check`, without a command line. Module runner.
 *
 * A checker has the policy, the limits and the reports; judging an item gives an outcome, which has
 * the item's piece of every report. Outcomes are consumed in the order of the items, whatever
 * number of processes judges them. Nothing here knows an option or an exit status, and nothing is
 * written but by the caller.
 *
 *     lc_checker checker = {.reports = &report, .report_count = 1, .policy = &policy,
 *                           .limits = LC_LIMITS_DEFAULT, .store_arena = lc_arena_new()};
 *     lc_schema_store_init(&checker.store, checker.store_arena, checker.limits);
 *     lc_check_item(&outcome, &checker, &item);
 */
#ifndef LIFECHECK_RUNNER_CHECKER_H
#define LIFECHECK_RUNNER_CHECKER_H

#include "lifecheck/report/report.h"
#include "lifecheck/runner/items.h"
#include "lifecheck/runner/meter.h"

/* Reports that one run writes at most. */
#define LC_MAX_REPORTS 12

/* The outcome of one item: its pieces of every report. Buffers are released by
 * lc_outcome_release. */
typedef struct lc_outcome {
    lc_summary summary;
    lc_input_kind kind; /* what the file is, or was taken for */
    bool opened;        /* else there is no such file, or no permission */
    bool reads_once;    /* a pipe: it cannot be read again */
    bool died;          /* the worker did */
    uint64_t accepted;  /* findings that the client of a recording accepts, and another does not */
    bool has_cases;     /* the file holds one, if only in a part that was taken before */
    lc_buf cases[LC_MAX_REPORTS];
    lc_buf errors[LC_MAX_REPORTS];
    lc_buf lens;
    lc_repeats *repeats; /* while the item is judged */
    /* What reports may show of a scenario file while it is judged. */
    lc_quotable *findings_in, *errors_in;
} lc_outcome;

/* The settings of judging, the same for all items. Everything is borrowed. */
typedef struct lc_checker {
    const lc_report_options *reports; /* `report_count` of them, at most LC_MAX_REPORTS */
    size_t report_count;
    const lc_policy *policy; /* NULL: none */
    bool lint;               /* look for mistakes of scenarios */
    lc_limits limits;
    lc_input_kind input; /* the kind of every item; UNKNOWN: recognised by its content */
    unsigned kinds;      /* of the items that were judged, as bits 1U << kind */
    lc_capture_options capture;
    lc_arena *store_arena; /* of `store` */
    lc_schema_store store; /* schemas that were read once for all items */
    /* Added to the error about an input that holds no case: how the user permits it; NULL: nothing
     * is added. */
    const char *empty_advice;
    /* Takes a part of an outcome before it is complete, and clears it; false stops the input.
     * Only a pipe is reported as it arrives; for files the order of the report must not depend
     * on workers. */
    bool (*progress)(void *context, lc_outcome *part);
    void *progress_context;
    lc_meter *meter; /* NULL: no progress is shown */
    /* Takes each scenario before it is judged, and returns what is judged in its place, in `arena`;
     * NULL: nothing is. NULL: not needed. */
    lc_scenario *(*replace)(void *context, lc_scenario *scenario, lc_arena *arena, lc_diags *diags);
    void *replace_context;
    /* Called for each judged case; NULL: not needed. */
    void (*observe)(void *context, const lc_judged *judged);
    void *observe_context;
} lc_checker;

/* Judges one item. *out is initialised; errors of the input are in its pieces. */
void lc_check_item(lc_outcome *out, lc_checker *checker, const lc_item *item);
/* Judges one case and adds it to the pieces of all reports. */
void lc_check_case(lc_outcome *out, lc_checker *checker, lc_scenario *scenario);

/* The policy for the cases of one recording. */
typedef struct lc_recorded_policy {
    lc_policy policy;
    lc_recorded_client client;
} lc_recorded_policy;
/* Cases that follow are judged as the client that `about` states, if the policy has `as_recorded`;
 * without one, by the policy as it is. *own becomes the policy of the checker, and must live as
 * long. */
void lc_checker_take_client(lc_checker *checker, lc_recorded_policy *own,
                            const lc_recording *about);
/* Reports whose verdict that was, if that was asked for, or changes anything. */
void lc_checker_name_client(const lc_checker *checker, const lc_outcome *outcome, lc_str file,
                            lc_diags *diags);

/* Takes an outcome, in order of the items; false stops everything. */
typedef bool (*lc_consume)(void *context, const lc_item *item, lc_outcome *outcome);
/* Judges all items with `jobs` processes, or in this one if `jobs` is 1. If a process exits, only
 * the item that it judged is lost; its outcome records it (`died`). */
void lc_check_items(lc_checker *checker, const lc_items *items, unsigned jobs, lc_consume consume,
                    void *context);

/* Reads the schema documents, the log and the states that `named` names, unless items of these
 * `kinds` (see lc_checker) did so, and reports what is wrong with them. Documents stay in the
 * store. */
void lc_read_named(lc_schema_store *store, const lc_capture_options *named, unsigned kinds,
                   lc_diags *diags);

/* Frees the pieces of the outcome, whose buffers are its own. */
void lc_outcome_release(lc_outcome *outcome);
/* The part was reported: it is empty again, but for what repeats in the same input. */
void lc_outcome_clear(lc_outcome *part);
/* Adds the errors of the input to the pieces of all reports. */
void lc_outcome_diags(lc_outcome *out, const lc_checker *checker, const lc_diags *diags);
/* Adds the counts of repeated findings of the input that ends here to the pieces of the reports. */
void lc_outcome_repeats(lc_outcome *outcome, const lc_report_options *reports, size_t count);
/* Adds the description that a recording contains to the pieces of the reports; nothing if it
 * has none. */
void lc_outcome_origin(lc_outcome *outcome, const lc_checker *checker, lc_str file,
                       const lc_recording *about);

#endif

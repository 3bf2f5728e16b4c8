/* The progress of a long run, in one line on a terminal, or as lines in a log. Module runner.
 *
 * The line goes to standard error if that is a terminal that a person watches. It appears after a
 * second, and is removed before anything else is written there and at the end, also if a signal
 * ends the program. */
#ifndef LIFECHECK_RUNNER_METER_H
#define LIFECHECK_RUNNER_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of progress on standard error. Owned by the caller. */
typedef struct lc_meter {
    size_t total, done;
    const char *what; /* a noun in the singular: "file" */
    uint64_t cases, bytes, findings;
    int64_t started, drawn; /* in milliseconds; the latter since the start */
    bool visible;
    bool lines;         /* a log: a line now and then */
    bool beside_report; /* the report goes to the same terminal */
} lc_meter;

/* A monotonic clock, in milliseconds. */
int64_t lc_milliseconds(void);
/* Starts `meter` for `total` things. Returns it, or NULL unless a person watches; the functions
 * below accept NULL. */
lc_meter *lc_meter_start(lc_meter *meter, size_t total, const char *what);
/* The same for a run that may take hours: where no person watches, it is a log, which gets a line
 * every half a minute. Never NULL. */
lc_meter *lc_meter_start_long(lc_meter *meter, size_t total, const char *what);
/* Shows what has been counted, if it is time. */
void lc_meter_tick(lc_meter *meter);
/* Removes the line: called before anything else is written to the terminal, and at the end. */
void lc_meter_wipe(lc_meter *meter);

#endif
